/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * packet.c - what a queue's thread does with one packet: checks a dispatch as the command processor
 * would and a little more, runs it on the executor; waits for the signals of a barrier; then resets
 * the header, advances the read index, stores the times and decrements the completion signal.
 * Statuses of broken packets are those that ROCr gives its queue error callback.
 */
#include "hx.h"

#include <stdlib.h>
#include <string.h>

#define DEPS 5

/* --- checks of a dispatch --------------------------------------------------------------------- */

static hsa_status_t
bad(hsa_status_t s, const struct hx_kernel_info *k, const char *what)
{
	return hx_misuse(s, "dispatch", "%s%s%s", what, k ? ", kernel " : "", k ? k->name : "");
}

static hsa_status_t
check_sizes(const hsa_kernel_dispatch_packet_t *p, const struct hx_kernel_info *k)
{
	u32 dims = p->setup & 3;
	u32 wg[3] = {p->workgroup_size_x, p->workgroup_size_y, p->workgroup_size_z};
	u32 grid[3] = {p->grid_size_x, p->grid_size_y, p->grid_size_z};
	if (dims == 0 || p->setup >> 2)
		return bad(HSA_STATUS_ERROR_INVALID_PACKET_FORMAT, k,
			"setup does not say 1, 2 or 3 dimensions");
	for (u32 i = 0; i < 3; i++) {
		if (wg[i] == 0 || grid[i] == 0)
			return bad(HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS, k,
				"a workgroup or grid size is 0");
		if (i >= dims && (wg[i] != 1 || grid[i] != 1))
			return bad(HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS, k,
				"the size of an unused dimension is not 1");
	}
	u64 threads = (u64)wg[0] * wg[1] * wg[2];
	if (threads > 1024)
		return bad(HSA_STATUS_ERROR_INVALID_ARGUMENT, k,
			"more than 1024 work-items a workgroup");
	if (threads > k->max_threads)
		return hx_misuse(HSA_STATUS_ERROR_INVALID_ARGUMENT, "dispatch",
			"%llu work-items a workgroup, kernel %s was compiled for %u",
			(unsigned long long)threads, k->name, k->max_threads);
	return HSA_STATUS_SUCCESS;
}

static hsa_status_t
check_segments(const struct hx_agent *a, const hsa_kernel_dispatch_packet_t *p,
	const struct hx_kernel_info *k)
{
	if (p->group_segment_size > a->target->lds)
		return hx_misuse(HSA_STATUS_ERROR_INVALID_ALLOCATION, "dispatch",
			"%u bytes of LDS, kernel %s; %s has %u", p->group_segment_size, k->name,
			a->target->name, a->target->lds);
	if (p->group_segment_size < k->group_size)
		return bad(HSA_STATUS_ERROR_INVALID_ALLOCATION, k,
			"less LDS than the kernel's own variables");
	if (p->private_segment_size < k->private_size)
		return bad(HSA_STATUS_ERROR_INVALID_ALLOCATION, k,
			"less private memory than the kernel needs");
	if (k->kernarg_size == 0)
		return HSA_STATUS_SUCCESS;
	if ((uintptr_t)p->kernarg_address % 16)
		return bad(HSA_STATUS_ERROR_INVALID_PACKET_FORMAT, k,
			"kernarg address is not aligned to 16");
	struct hx_mem_info i;
	if (!hx_mem_find(p->kernarg_address, &i) || !(i.access & 1u << a->node) ||
		i.base + i.size - (u64)(uintptr_t)p->kernarg_address < k->kernarg_size)
		return bad(HSA_STATUS_ERROR_INVALID_PACKET_FORMAT, k,
			"the kernarg segment is not in memory that the agent may access");
	return HSA_STATUS_SUCCESS;
}

static hsa_status_t
packet_check(
	const struct hx_queue *q, const hsa_kernel_dispatch_packet_t *p, struct hx_kernel_info *k)
{
	if (p->reserved0)
		return bad(HSA_STATUS_ERROR_INVALID_PACKET_FORMAT, NULL, "reserved bits are set");
	if (!hx_kernel_find(q->agent, p->kernel_object, k))
		return hx_misuse(HSA_STATUS_ERROR_INVALID_CODE_OBJECT, "dispatch",
			"kernel object %#llx is no kernel of a frozen executable of this agent",
			(unsigned long long)p->kernel_object);
	hsa_status_t s = check_sizes(p, k);
	return s ? s : check_segments(q->agent, p, k);
}

/* --- waiting ---------------------------------------------------------------------------------- */

struct dep {
	amd_signal_t *signal;
	hsa_signal_condition_t cond;
	i64 value, mask;
};

static bool
deps_hold(const struct dep *d, u32 n, bool any)
{
	for (u32 i = 0; i < n; i++) {
		bool holds = hx_signal_holds(
			d[i].cond, hx_signal_value(d[i].signal) & d[i].mask, d[i].value);
		if (holds == any)
			return any;
	}
	return n == 0 || !any;
}

/* False: the queue ended meanwhile. */
static bool
deps_wait(struct hx_queue *q, const struct dep *d, u32 n, bool any)
{
	bool held = deps_hold(d, n, any);
	if (held)
		return true;
	for (u32 i = 0; i < n; i++)
		hx_signal_watch(d[i].signal, 1);
	for (;;) {
		u32 generation = hx_signal_generation();
		held = deps_hold(d, n, any);
		if (held || __atomic_load_n(&q->stop, __ATOMIC_ACQUIRE) ||
			__atomic_load_n(&q->inactive, __ATOMIC_ACQUIRE))
			break;
		hx_signal_sleep(generation, HX_POLL_NS);
	}
	for (u32 i = 0; i < n; i++)
		hx_signal_watch(d[i].signal, -1);
	return held;
}

static hsa_status_t
run_barrier(struct hx_queue *q, const hsa_barrier_and_packet_t *p, bool any)
{
	struct dep d[DEPS];
	u32 n = 0;
	for (u32 i = 0; i < DEPS; i++) {
		if (!p->dep_signal[i].handle)
			continue;
		amd_signal_t *s = hx_signal_find(p->dep_signal[i]);
		if (!s)
			return bad(HSA_STATUS_ERROR_INVALID_SIGNAL, NULL,
				"a barrier waits for what is no signal");
		d[n++] = (struct dep){s, HSA_SIGNAL_CONDITION_EQ, 0, -1};
	}
	return deps_wait(q, d, n, any) ? HSA_STATUS_SUCCESS : HSA_STATUS_INFO_BREAK;
}

static hsa_status_t
run_vendor(struct hx_queue *q, const hsa_amd_barrier_value_packet_t *p)
{
	if (p->header.AmdFormat != HSA_AMD_PACKET_TYPE_BARRIER_VALUE)
		return bad(HSA_STATUS_ERROR_INVALID_PACKET_FORMAT, NULL,
			"a vendor packet that is not BARRIER_VALUE");
	amd_signal_t *s = hx_signal_find(p->signal);
	if (!s || p->cond > HSA_SIGNAL_CONDITION_GTE)
		return bad(HSA_STATUS_ERROR_INVALID_PACKET_FORMAT, NULL,
			"BARRIER_VALUE without signal or condition");
	struct dep d = {s, (hsa_signal_condition_t)p->cond, p->value, p->mask};
	return deps_wait(q, &d, 1, false) ? HSA_STATUS_SUCCESS : HSA_STATUS_INFO_BREAK;
}

/* --- running ---------------------------------------------------------------------------------- */

/* A GPU reads kernel arguments whenever a wave starts: they must stay until the end. */
static void
check_args(const struct hx_kernel_info *k, const hsa_kernel_dispatch_packet_t *p, const u8 *before)
{
	if (!before)
		return;
	if (!hx_mem_covers(p->kernarg_address, k->kernarg_size))
		bad(HSA_STATUS_ERROR, k, "the kernarg segment was freed before the kernel's end");
	else if (memcmp(before, p->kernarg_address, k->kernarg_size) != 0)
		bad(HSA_STATUS_ERROR, k, "the kernarg segment was changed before the kernel's end");
}

static hsa_status_t
run_dispatch(struct hx_queue *q, const hsa_kernel_dispatch_packet_t *p)
{
	struct hx_kernel_info k;
	hsa_status_t s = packet_check(q, p, &k);
	if (s != HSA_STATUS_SUCCESS)
		return s;
	u8 *args = k.kernarg_size ? malloc(k.kernarg_size) : NULL;
	if (args)
		memcpy(args, p->kernarg_address, k.kernarg_size);
	struct exec_fault f = {0};
	struct exec_stats stats = {0};
	u64 start = hx_now();
	hx_locks_check();
	__atomic_store_n(&q->running, 1, __ATOMIC_SEQ_CST);
	bool begun = !__atomic_load_n(&q->stop, __ATOMIC_SEQ_CST) &&
		     !__atomic_load_n(&q->inactive, __ATOMIC_SEQ_CST);
	bool ok = begun && exec_run(q->agent->exec, p, (u64)(uintptr_t)q->amd, &f, &stats);
	__atomic_store_n(&q->running, 0, __ATOMIC_SEQ_CST);
	bool stopped = !ok && f.kind == EXEC_FAULT_NONE;
	hx_count(q->agent, k.name, &stats.counts);
	if (!stopped)
		check_args(&k, p, args);
	free(args);
	if (log_on(LOG_wave)) {
		log_printf(LOG_wave,
			"dispatch kernel=%s grid=%u,%u,%u group=%u,%u,%u instructions=%llu "
			"waves=%llu us=%llu",
			k.name, p->grid_size_x, p->grid_size_y, p->grid_size_z, p->workgroup_size_x,
			p->workgroup_size_y, p->workgroup_size_z,
			(unsigned long long)stats.instructions, (unsigned long long)stats.waves,
			(unsigned long long)(hx_now() - start) / 1000);
	}
	if (!begun)
		return HSA_STATUS_INFO_BREAK;
	if (stopped)
		return bad(HSA_STATUS_INFO_BREAK, &k,
			"stopped in its midst, for its queue was destroyed or inactivated");
	return ok ? HSA_STATUS_SUCCESS : hx_fault_report(q->agent, p, &f);
}

static hsa_status_t
run_by_type(struct hx_queue *q, hsa_kernel_dispatch_packet_t *slot, u16 header)
{
	for (u32 at = HSA_PACKET_HEADER_ACQUIRE_FENCE_SCOPE;
		at <= HSA_PACKET_HEADER_RELEASE_FENCE_SCOPE; at += 2)
		if ((header >> at & 3) > HSA_FENCE_SCOPE_SYSTEM)
			return bad(HSA_STATUS_ERROR_INVALID_PACKET_FORMAT, NULL,
				"a fence scope that does not exist");
	if (header >> 13)
		return bad(HSA_STATUS_ERROR_INVALID_PACKET_FORMAT, NULL,
			"reserved bits of the header are set");
	switch (header & 0xff) {
	case HSA_PACKET_TYPE_KERNEL_DISPATCH:
		return run_dispatch(q, slot);
	case HSA_PACKET_TYPE_BARRIER_AND:
		return run_barrier(q, (hsa_barrier_and_packet_t *)(void *)slot, false);
	case HSA_PACKET_TYPE_BARRIER_OR:
		return run_barrier(q, (hsa_barrier_and_packet_t *)(void *)slot, true);
	case HSA_PACKET_TYPE_VENDOR_SPECIFIC:
		return run_vendor(q, (hsa_amd_barrier_value_packet_t *)(void *)slot);
	default:
		return bad(HSA_STATUS_ERROR_INVALID_PACKET_FORMAT, NULL,
			"a packet type that GPUs do not take");
	}
}

/* All packet types have their completion signal in the same place. */
hsa_status_t
hx_packet_run(struct hx_queue *q, hsa_kernel_dispatch_packet_t *slot)
{
	hsa_signal_t completion = slot->completion_signal;
	amd_signal_t *done = hx_signal_find(completion);
	if (completion.handle && !done)
		return bad(HSA_STATUS_ERROR_INVALID_SIGNAL, NULL,
			"the completion signal is no signal");
	/* Fences of any scope: this acquire load, and the release of the signal. */
	u64 start = hx_now();
	hsa_status_t s = run_by_type(q, slot, __atomic_load_n(&slot->header, __ATOMIC_ACQUIRE));
	if (s != HSA_STATUS_SUCCESS)
		return s;
	u64 read = q->amd->read_dispatch_id;
	__atomic_store_n(&slot->header, HSA_PACKET_TYPE_INVALID, __ATOMIC_RELEASE);
	__atomic_store_n(&q->amd->read_dispatch_id, read + 1, __ATOMIC_RELEASE);
	if (!done)
		return s;
	if (__atomic_load_n(&q->profiling, __ATOMIC_ACQUIRE)) {
		__atomic_store_n(&done->start_ts, start, __ATOMIC_RELAXED);
		__atomic_store_n(&done->end_ts, hx_now(), __ATOMIC_RELAXED);
	}
	hx_signal_complete(done);
	return s;
}
