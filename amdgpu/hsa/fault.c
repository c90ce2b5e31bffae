/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * fault.c - what becomes of a kernel's fault: one line for the user, the system event for memory
 * faults (hsa_amd_register_system_event_handler), and the status for the queue's error callback.
 *
 * `rows` says which is which. A memory fault's event says PAGE_NOT_PRESENT, READ_ONLY for a store to
 * code or its constants, and NX besides when the program counter left the code.
 *
 * The line of an illegal address ends with what stands nearest to it: the block that it missed, the block
 * that was freed, memory of the host that no GPU was allowed to use.
 *
 * ROCr ends the process when a memory fault finds no handler; this library only prints the line.
 *
 * What would never end (a deadlock, more instructions than HEDDLE_EXEC_LIMIT) has no status of its own: it is
 * FATAL here, and cudaErrorLaunchTimeout in CUDA, which a GPU with a watchdog would say. What may end some day is
 * no fault: a kernel that has only polled for HEDDLE_EXEC_SPIN_WARN seconds gets one line, and goes on.
 */
#include "hx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

char *__cxa_demangle(const char *name, char *buf, size_t *n, int *status); /* of the C++ runtime */

static const struct row {
	const char *text;
	u32 status; /* hsa_status_t and AMD's additions to it */
	bool access; /* of memory: the line says which */
	bool event;
	bool detail; /* the executor's own words belong in the line */
} rows[] = {
	[EXEC_FAULT_NONE] = {"fault", HSA_STATUS_ERROR, 0, 0, 1},
	[EXEC_FAULT_ADDRESS] = {"illegal address", HSA_STATUS_ERROR_MEMORY_FAULT, 1, 1, 0},
	[EXEC_FAULT_MISALIGNED] = {"misaligned address", HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION,
		1, 0, 0},
	[EXEC_FAULT_SHARED] = {"illegal shared memory address", HSA_STATUS_ERROR_MEMORY_FAULT, 1, 1,
		0},
	[EXEC_FAULT_PRIVATE] = {"illegal local memory address", HSA_STATUS_ERROR_MEMORY_FAULT, 1, 1,
		0},
	[EXEC_FAULT_INSTRUCTION] = {"illegal instruction", HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION, 0,
		0, 1},
	[EXEC_FAULT_TRAP] = {"trap", HSA_STATUS_ERROR_EXCEPTION, 0, 0, 0},
	[EXEC_FAULT_PC] = {"illegal program counter", HSA_STATUS_ERROR_MEMORY_FAULT, 0, 1, 1},
	[EXEC_FAULT_DEADLOCK] = {"deadlock", HSA_STATUS_ERROR_FATAL, 0, 0, 1},
	[EXEC_FAULT_LIMIT] = {"HEDDLE_EXEC_LIMIT", HSA_STATUS_ERROR_FATAL, 0, 0, 1},
	[EXEC_FAULT_PACKET] = {"invalid packet", HSA_STATUS_ERROR_INVALID_PACKET_FORMAT, 0, 0, 1},
	[EXEC_FAULT_MEMORY] = {"the host is out of memory", HSA_STATUS_ERROR_OUT_OF_RESOURCES, 0, 0,
		1},
	[EXEC_FAULT_WAIT] = {"a wait is missing", HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION, 0, 0, 1},
};

/* The address is known to the registry, so the fault is about the right to store. */
static bool
is_readonly(const struct exec_fault *f)
{
	struct hx_mem_info i;
	return f->kind == EXEC_FAULT_ADDRESS && (f->is_store || f->is_atomic) &&
	       hx_mem_find((void *)(uintptr_t)f->addr, &i) && i.kind == HX_MEM_CODE;
}

static void
describe(const struct row *r, const struct exec_fault *f, char *to, size_t n)
{
	if (r->access)
		snprintf(to, n, "%s 0x%llx (%s of %llu bytes%s)", r->text,
			(unsigned long long)f->addr,
			f->is_atomic  ? "atomic"
			: f->is_store ? "store"
				      : "load",
			(unsigned long long)f->size, is_readonly(f) ? " to read-only memory" : "");
	else
		snprintf(to, n, "%s%s%s", r->text, r->detail && f->what[0] ? ": " : "",
			r->detail ? f->what : "");
}

#define FAR (1ull << 30) /* what is farther away has nothing to do with the address */

/* Is there memory of the process at `at`, whoever owns it? */
static bool
is_mapped(u64 at)
{
	unsigned char in;
	return mincore((void *)(uintptr_t)(at & ~(u64)(HX_PAGE - 1)), 1, &in) == 0;
}

/*
 * The end of the line, empty where there is nothing to say. The host's own memory is told from a block that
 * was missed by little: blocks have gaps or guards around them, locked host memory has not.
 */
static void
describe_place(
	const hsa_kernel_dispatch_packet_t *p, const struct exec_fault *f, char *to, size_t n)
{
	static const char *const kinds[] = {
		[HX_MEM_POOL] = "a block",
		[HX_MEM_LOCKED] = "locked host memory",
		[HX_MEM_CODE] = "a code object",
		[HX_MEM_INTERNAL] = "a queue",
	};
	struct hx_near near;
	char of[80];
	to[0] = 0;
	if (f->kind == EXEC_FAULT_SHARED)
		snprintf(to, n, ": the workgroup has %u bytes", p->group_segment_size);
	if (f->kind == EXEC_FAULT_PRIVATE)
		snprintf(to, n, ": a thread has %u bytes of local memory", p->private_segment_size);
	if (f->kind != EXEC_FAULT_ADDRESS || is_readonly(f))
		return;
	hx_mem_near(f->addr, &near);
	snprintf(of, sizeof of, "%s of %llu bytes at 0x%llx", kinds[near.kind],
		(unsigned long long)near.size, (unsigned long long)near.base);
	bool close = near.ours || (near.kind == HX_MEM_LOCKED && near.distance < 16 * HX_PAGE);
	if (f->addr < HX_PAGE)
		snprintf(to, n, ": a null pointer");
	else if (near.place == HX_FREED)
		snprintf(to, n, ": inside %s that was freed", of);
	else if (near.place == HX_INSIDE && f->addr + f->size > near.base + near.size)
		snprintf(to, n, ": across the end of %s", of);
	else if (near.place == HX_INSIDE)
		snprintf(to, n, ": inside %s that %s", of,
			near.kind == HX_MEM_LOCKED ? "was unmapped" : "this GPU may not use");
	else if (!(close && near.place) && is_mapped(f->addr))
		snprintf(to, n, ": memory of the host that no GPU was allowed to use");
	else if (near.place && near.distance < FAR)
		snprintf(to, n, ": %llu bytes %s %s", (unsigned long long)near.distance,
			near.place == HX_PAST ? "past" : "before", of);
	else
		snprintf(to, n, ": far from all memory");
}

/* threadIdx as the program knows it: a solo kernel's block has another shape on the GPU (lang/note.h). */
static void
thread_of(const hsa_kernel_dispatch_packet_t *p, const struct hx_kernel_info *k,
	const struct exec_fault *f, u32 thread[3])
{
	u16 size[2];
	memcpy(thread, f->thread, 3 * sizeof *thread);
	if (!k->solo_sizes)
		return;
	memcpy(size, (const u8 *)p->kernarg_address + k->solo_sizes, sizeof size);
	u32 t = f->thread[0] / 64 * 32 + f->thread[0] % 32;
	if (!size[0] || !size[1])
		return;
	thread[0] = t % size[0];
	thread[1] = t / size[0] % size[1];
	thread[2] = t / size[0] / size[1];
}

static void
print_at(struct hx_agent *a, const hsa_kernel_dispatch_packet_t *p, const struct exec_fault *f,
	const char *what, const char *more)
{
	char line[300];
	u32 thread[3];
	struct hx_kernel_info k = {.name = "?"};
	bool known = hx_kernel_find(a, p->kernel_object, &k);
	hx_line_find(f->pc, line, sizeof line);
	if (!line[0] && known &&
		f->pc) { /* without lines: from the kernel's entry on, whose offset is at 16 */
		i64 entry;
		memcpy(&entry, (const u8 *)(uintptr_t)p->kernel_object + 16, sizeof entry);
		i64 offset = (i64)(f->pc - p->kernel_object) - entry;
		snprintf(line, sizeof line, "%s0x%llx", offset < 0 ? "-" : "+",
			(unsigned long long)(offset < 0 ? -offset : offset));
	}
	thread_of(p, &k, f, thread);
	char *plain = __cxa_demangle(k.name, NULL, NULL, NULL);
	sink_printf("%s in kernel %s%s%s, block (%u,%u,%u), thread (%u,%u,%u)%s", what,
		plain ? plain : k.name, line[0] ? " at " : "", line, f->block[0], f->block[1],
		f->block[2], thread[0], thread[1], thread[2], more);
	free(plain);
}

static void
print_line(struct hx_agent *a, const hsa_kernel_dispatch_packet_t *p, const struct row *r,
	const struct exec_fault *f)
{
	char what[320], place[200];
	describe(r, f, what, sizeof what);
	describe_place(p, f, place, sizeof place);
	print_at(a, p, f, what, place);
}

void
hx_spin_report(void *agent, const hsa_kernel_dispatch_packet_t *p, const struct exec_fault *f)
{
	print_at(agent, p, f, "a warp does nothing but poll",
		"; it goes on, but if it waits for a lane of its own warp, it does so for ever");
}

static void
send_event(struct hx_agent *a, const struct exec_fault *f)
{
	pthread_mutex_lock(&hx.lock);
	hsa_amd_system_event_callback_t fn = hx.on_event;
	void *data = hx.on_event_data;
	pthread_mutex_unlock(&hx.lock);
	if (!fn)
		return;
	bool pc = f->kind == EXEC_FAULT_PC;
	hsa_amd_event_t e = {.event_type = HSA_AMD_GPU_MEMORY_FAULT_EVENT};
	e.memory_fault.agent = hx_agent_handle(a);
	e.memory_fault.virtual_address = pc ? f->pc : f->addr;
	e.memory_fault.fault_reason_mask =
		is_readonly(f) ? HSA_AMD_MEMORY_FAULT_READ_ONLY
		: pc           ? HSA_AMD_MEMORY_FAULT_PAGE_NOT_PRESENT | HSA_AMD_MEMORY_FAULT_NX
			       : HSA_AMD_MEMORY_FAULT_PAGE_NOT_PRESENT;
	fn(&e, data);
}

hsa_status_t
hx_fault_report(
	struct hx_agent *a, const hsa_kernel_dispatch_packet_t *p, const struct exec_fault *f)
{
	const struct row *r = &rows[(u32)f->kind < COUNT(rows) ? f->kind : EXEC_FAULT_NONE];
	print_line(a, p, r, f);
	if (r->event)
		send_event(a, f);
	return (hsa_status_t)r->status;
}

hsa_status_t
hsa_amd_register_system_event_handler(hsa_amd_system_event_callback_t callback, void *data)
{
	HX_CHECK_INIT();
	if (!callback)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	pthread_mutex_lock(&hx.lock);
	bool taken = hx.on_event != NULL;
	if (!taken) {
		hx.on_event = callback;
		hx.on_event_data = data;
	}
	pthread_mutex_unlock(&hx.lock);
	return taken ? hx_misuse(HSA_STATUS_ERROR, __func__, "there is a handler already")
		     : HSA_STATUS_SUCCESS;
}
