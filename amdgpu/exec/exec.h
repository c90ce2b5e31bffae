/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * exec.h - the executor: runs the machine code of one AQL kernel dispatch as the GPU would.
 * It knows code, registers, memory and waves; it knows nothing of CUDA, queues or files.
 * The HSA library (amdgpu/hsa) is its only caller; `gcn-run` (tests) is the other.
 */
#ifndef HEDDLE_EXEC_H
#define HEDDLE_EXEC_H

#include "lang/base.h"
#include "amdgpu/exec/count.h"
#include "amdgpu/target.h"
#include <hsa/hsa.h>

/* --- memory: what device code may touch, one space for all devices of the process ------------- */

enum exec_memory {
	EXEC_MEMORY_DATA = 1, /* load, store, atomic */
	EXEC_MEMORY_READONLY = 2, /* a store is a fault: rodata, kernarg */
	EXEC_MEMORY_CODE = 4 /* may be executed (and loaded) */
};
struct exec_space;
struct exec_space *exec_space_new(void);
void exec_space_free(struct exec_space *s);
/* Ranges never overlap; false when one would, or memory is out. Safe from any thread, also while
 * kernels run; del returns once no running wave can still hold the range. */
bool exec_space_add(struct exec_space *s, u64 base, u64 size, enum exec_memory kind);
void exec_space_del(struct exec_space *s, u64 base);

/* --- a device --------------------------------------------------------------------------------- */

struct exec_fault;
struct exec_config {
	u32 threads; /* host threads that run waves; 0: one a core */
	u64 seed; /* not 0: seeded random order of workgroups and quanta */
	bool hw_limit; /* never more resident workgroups than the hardware would keep */
	bool counters; /* count what count.h has; also HEDDLE_COUNTERS, if not 0 */
	bool delay; /* memory answers when it is waited for (delay.c); also HEDDLE_EXEC_DELAY, if not 0 */
	bool no_fence; /* wrong, for tests of the memory order: waits for stores are no fences */
	bool aligned; /* loads and stores must be aligned to their elements, as atomics must */
	u64 limit; /* instructions of one dispatch, then it is a fault; 0: any number */
	/* Called once for a dispatch when nothing but polling was done for so many seconds (0: never):
	 * `at` says where a wave polls. Not with a seed or a limit, whose runs no clock may change. */
	u32 spin_seconds;
	void (*spin)(void *user, const hsa_kernel_dispatch_packet_t *p, const struct exec_fault *at);
	void *user;
};
#define EXEC_CUS 8 /* compute units that the executor's devices have, on every host */

struct exec;
struct exec *exec_new(const struct target *t, struct exec_space *s, const struct exec_config *c);
void exec_free(struct exec *e); /* no dispatch may be running */

/* Forgets decoded instructions of a code range (before it is freed or overwritten). */
void exec_code_drop(struct exec *e, u64 base, u64 size);

/* --- a dispatch ------------------------------------------------------------------------------- */

enum exec_fault_kind {
	EXEC_FAULT_NONE,
	EXEC_FAULT_ADDRESS, /* global memory that nobody allocated, or a store to read-only memory */
	EXEC_FAULT_MISALIGNED, /* an atomic across its natural alignment */
	EXEC_FAULT_SHARED, /* beyond the workgroup's LDS */
	EXEC_FAULT_PRIVATE, /* beyond the lane's scratch */
	EXEC_FAULT_INSTRUCTION, /* undecodable, or one that the executor lacks: `what` says which */
	EXEC_FAULT_TRAP, /* s_trap: __trap(), assert */
	EXEC_FAULT_PC, /* execution left the code */
	EXEC_FAULT_DEADLOCK, /* waves that can never go on (stuck.c); the other workgroups have ended */
	EXEC_FAULT_LIMIT, /* more instructions than exec_config.limit */
	EXEC_FAULT_PACKET, /* the packet or the kernel descriptor is not valid: `what` says why */
	EXEC_FAULT_MEMORY, /* the host is out of memory */
	EXEC_FAULT_WAIT /* with exec_config.delay: a register is used before its load is waited for */
};
struct exec_fault {
	enum exec_fault_kind kind;
	bool is_store, is_atomic;
	u64 pc, addr, size;
	u32 block[3]; /* workgroup */
	u32 thread[3]; /* work-item in its workgroup: the first active lane that is at fault */
	char what[160];
};

struct exec_stats {
	u64 instructions; /* wave-instructions executed */
	u64 waves;
	struct exec_counts counts; /* with exec_config.counters */
};

/* Runs one kernel dispatch packet to its end on the calling thread and the device's workers;
 * several threads may run dispatches on one device at once and all make progress. `queue` is what
 * the queue_ptr SGPRs and hidden_queue_ptr mean (may be 0). Returns false when it faulted: *f says
 * how, first fault wins, and the remaining waves are abandoned. `st` may be NULL. Signals, headers
 * and barriers of the packet are the caller's business. */
bool exec_run(struct exec *e, const hsa_kernel_dispatch_packet_t *p, u64 queue,
	struct exec_fault *f, struct exec_stats *st);
/* Ends runs with this `queue` that are on their way: exec_run returns false and *f has no kind. From any
 * thread; a run that begins later is not touched. */
void exec_stop(struct exec *e, u64 queue);

/* Apertures of the generic address space (gfx9 and later): HSA and hidden arguments ask. */
#define EXEC_SHARED_BASE  (1ull << 48)
#define EXEC_PRIVATE_BASE (2ull << 48)

#endif
