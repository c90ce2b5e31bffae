/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * hx.h - what the files of the HSA library share ("HSA over the executor"). The public interface is
 * HSA itself. One state a process, alive between the first hsa_init and the last hsa_shut_down.
 * Locks, in the order in which they are taken: hx.lock (init, agents, lists of queues and
 * executables), then mem.c's and signal.c's own, which call nobody. No lock is held while a kernel
 * runs, a callback is called, or the executor may wait for waves (exec_space_del).
 *
 * Misuse of the API is reported by one line (hx_misuse) and the status that ROCr's documentation
 * names; it never ends the process.
 */
#ifndef HEDDLE_HX_H
#define HEDDLE_HX_H

#define HSA_EXPORT        1        /* the headers then declare their functions visible, */
#define HSA_EXPORT_IMAGES 1 /* hsa_ext_amd.h, which includes that of images, too */
#include "lang/base.h"
#include "amdgpu/code.h"
#include "amdgpu/exec/exec.h"
#include "amdgpu/target.h"

#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>
#include <hsa/amd_hsa_queue.h>
#include <hsa/amd_hsa_signal.h>
#include <pthread.h>

hsa_status_t hsa_init(void); /* the header declares them without a prototype */
hsa_status_t hsa_shut_down(void);
/* this one it forgets to export */
EXPORT hsa_status_t hsa_amd_signal_value_pointer(hsa_signal_t s, volatile hsa_signal_value_t **p);

#define HX_GPUS  16 /* most GPU agents of HEDDLE_DEVICE */
#define HX_POOLS 3
#define HX_PAGE  4096u

/* --- agents and pools ------------------------------------------------------------------------- */

struct hx_pool {
	struct hx_agent *agent;
	hsa_amd_segment_t segment;
	u32 flags; /* hsa_amd_memory_pool_global_flag_t */
};

struct hx_agent {
	u32 node; /* index in hx.agents: 0 is the CPU */
	const struct target *target; /* NULL: the CPU */
	struct exec *exec; /* of a GPU */
	char isa[80]; /* "amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-" */
	bool has_xnack, has_sramecc;
	u64 memory; /* bytes that its pools can give */
	u64 used; /* of them; atomic */
	hsa_amd_coherency_type_t coherency;
	struct hx_pool pools[HX_POOLS];
};

struct hx {
	pthread_mutex_t lock;
	u32 refs;
	struct exec_space *space;
	struct hx_agent agents[1 + HX_GPUS];
	u32 nagents;
	bool copy_profiling;
	hsa_amd_system_event_callback_t on_event;
	void *on_event_data;
	struct hx_queue *queues;
	struct hx_executable *executables;
};
extern struct hx hx;

bool hx_ready(void); /* between hsa_init and hsa_shut_down */
struct hx_agent *hx_agent_get(hsa_agent_t a); /* NULL: not an agent */
struct hx_pool *hx_pool_get(u64 handle); /* NULL: not a pool; regions are pools, too */
hsa_agent_t hx_agent_handle(struct hx_agent *a);
bool hx_agents_init(void); /* reads HEDDLE_DEVICE; false: memory is out */
void hx_agents_fini(void);

/* Returns `s` after printing one line "hsa: FUNCTION: …". */
hsa_status_t hx_misuse(hsa_status_t s, const char *fn, const char *fmt, ...) PRINTF(3, 4);
#define HX_CHECK_INIT()                                                                            \
	do {                                                                                       \
		if (!hx_ready())                                                                   \
			return HSA_STATUS_ERROR_NOT_INITIALIZED;                                   \
	} while (0)

u64 hx_now(void); /* nanoseconds of the clock of all timestamps */
bool hx_thread_start(pthread_t *t, const char *name, void *(*fn)(void *), void *arg);

/* --- memory ----------------------------------------------------------------------------------- */

enum hx_mem_kind { HX_MEM_POOL, HX_MEM_LOCKED, HX_MEM_CODE, HX_MEM_INTERNAL };

struct hx_mem_info {
	enum hx_mem_kind kind;
	u64 base, size;
	struct hx_agent *agent;
	u32 flags;
	u32 access; /* bit a node */
	void *user;
};

bool hx_mem_init(void);
void hx_mem_fini(void);
/* Zeroed memory of at least `size` bytes, on a page of its own; NULL when the agent's memory is out. The
 * device may use it after hx_mem_expose only. */
void *hx_mem_new(struct hx_agent *owner, u64 size, enum hx_mem_kind kind, u32 flags);
void hx_mem_free(void *base); /* of hx_mem_new; waits for waves that hold it */
bool hx_mem_expose(void *base, enum exec_memory kind); /* all of it */
/* The allocation or locked range that holds `p`; false: none. */
bool hx_mem_find(const void *p, struct hx_mem_info *out);
/* Are all of `n` bytes at `p` in one allocation or locked range? */
bool hx_mem_covers(const void *p, u64 n);
/* Before a kernel runs: locked host memory that the program has unmapped is no longer for devices. */
void hx_locks_check(void);

/* What stands nearest to an address that faulted. */
enum hx_place { HX_NOWHERE, HX_INSIDE, HX_FREED, HX_PAST, HX_BEFORE };
struct hx_near {
	enum hx_place place; /* FREED: inside a block that was */
	enum hx_mem_kind kind;
	u64 base, size; /* as was asked for */
	u64 distance; /* of PAST and BEFORE */
	bool ours; /* the address belongs to this library, as a gap or a guard if not inside */
};
void hx_mem_near(u64 at, struct hx_near *out);

/* --- signals ---------------------------------------------------------------------------------- */

bool hx_signals_init(void);
void hx_signals_fini(void);
amd_signal_t *hx_signal_new(i64 kind, i64 value); /* NULL: out of memory */
void hx_signal_free(amd_signal_t *s);
amd_signal_t *hx_signal_find(hsa_signal_t s); /* NULL: not a live signal */
i64 hx_signal_value(const amd_signal_t *s);
void hx_signal_complete(amd_signal_t *s); /* what a packet's end does: decrements, wakes waiters */
bool hx_signal_holds(hsa_signal_condition_t c, i64 value, i64 compare);
/* Whoever waits for one of many signals: watch them, read the generation, look at the values, sleep
 * until it changes (at most `ns`; device code that writes values in memory does not change it). */
void hx_signal_watch(amd_signal_t *s, int by);
u32 hx_signal_generation(void);
void hx_signal_sleep(u32 generation, u64 ns);
void hx_signal_kick(void); /* ends every hx_signal_sleep */
#define HX_POLL_NS 1000000u /* how late a store of device code to a signal may be seen */

bool hx_async_start(void); /* the thread of hsa_amd_signal_async_handler, on first use */
void hx_async_stop(void);
bool hx_copy_start(void); /* the thread of asynchronous copies, on first use */
void hx_copy_stop(void);

void hx_futex_wait(const void *word, u32 value, u64 ns); /* UINT64_MAX: for ever */
void hx_futex_wake(const void *word);

/* --- queues ----------------------------------------------------------------------------------- */

struct hx_queue {
	struct hx_queue *next;
	amd_queue_t *amd; /* device memory: the queue that HSA shows, then its ring */
	hsa_kernel_dispatch_packet_t *ring;
	struct hx_agent *agent;
	amd_signal_t *doorbell;
	void (*on_error)(hsa_status_t status, hsa_queue_t *source, void *data);
	void *on_error_data;
	pthread_t thread;
	u64 rung; /* one more than the greatest index that the doorbell was given; atomic */
	u32 rings; /* counts rings of the doorbell; futex */
	u32 asleep; /* the thread waits for a ring; atomic */
	u32 stop; /* the thread shall end; atomic */
	u32 inactive; /* no more packets are processed; atomic */
	u32 running; /* the thread is in exec_run; atomic */
	u32 profiling; /* atomic */
	bool detached; /* destroyed from its own thread */
	hsa_amd_queue_priority_t priority;
};

void hx_queues_stop(void); /* destroys every queue */
void hx_queue_ring(struct hx_queue *q, i64 index);
/* Executes one packet; returns SUCCESS or why the queue is broken. May wait for signals. */
hsa_status_t hx_packet_run(struct hx_queue *q, hsa_kernel_dispatch_packet_t *slot);
/* Prints the fault's line, calls the system event handler when it is one of memory, and returns the
 * status for the queue's error callback. */
hsa_status_t hx_fault_report(
	struct hx_agent *a, const hsa_kernel_dispatch_packet_t *p, const struct exec_fault *f);

/* What a launch of a kernel (mangled name) counted, if it did: printed, or kept for the end of the process. */
void hx_count(const struct hx_agent *a, const char *kernel, const struct exec_counts *c);

/* What exec_config.spin calls: one line about a kernel that only polls; user: the agent. */
void hx_spin_report(
	void *agent, const hsa_kernel_dispatch_packet_t *p, const struct exec_fault *f);

/* --- executables ------------------------------------------------------------------------------ */

void hx_executables_free(void);
/* The kernel whose descriptor stands at `object`, copied out; false: none. Names are copied too. */
struct hx_kernel_info {
	u32 kernarg_size, group_size, private_size, max_threads;
	bool dynamic_stack;
	u32 solo_sizes; /* warp mode solo: where the kernel's arguments hold the size of a block; else 0 */
	char name[256]; /* mangled */
};
bool hx_kernel_find(const struct hx_agent *a, u64 object, struct hx_kernel_info *out);
/* Source position of a code address as "file:line", else an empty string. */
void hx_line_find(u64 pc, char *to, size_t n);
#endif
