/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * copy.c - copies between agents. Asynchronous ones wait for their signals in a list; one thread takes
 * whichever is ready, so a copy never stands behind another that waits. Small ones whose signals are
 * all at 0 are done at once by the caller. Copies and fills must lie in memory that HSA gave out or
 * locked, as the engines of a GPU demand; only hsa_memory_copy takes any host memory.
 */
#include "hx.h"

#include <stdlib.h>
#include <string.h>

#define INLINE_MAX (64u << 10)

struct copy {
	struct copy *next;
	u8 *dst;
	const u8 *src;
	u64 dst_pitch, dst_slice, src_pitch, src_slice;
	u64 x, y, z; /* bytes, rows, slices */
	amd_signal_t *done;
	u32 ndeps;
	amd_signal_t *deps[];
};

static struct {
	pthread_mutex_t lock;
	struct copy *first, **last;
	pthread_t thread;
	bool running, stop;
} work = {.lock = PTHREAD_MUTEX_INITIALIZER, .last = &work.first};

static bool
copy_ready(const struct copy *c)
{
	for (u32 i = 0; i < c->ndeps; i++)
		if (hx_signal_value(c->deps[i]) != 0)
			return false;
	return true;
}

static void
copy_do(const struct copy *c)
{
	u64 start = hx_now();
	for (u64 z = 0; z < c->z; z++)
		for (u64 y = 0; y < c->y; y++)
			memmove(c->dst + z * c->dst_slice + y * c->dst_pitch,
				c->src + z * c->src_slice + y * c->src_pitch, c->x);
	if (!c->done)
		return;
	if (__atomic_load_n(&hx.copy_profiling, __ATOMIC_RELAXED)) {
		__atomic_store_n(&c->done->start_ts, start, __ATOMIC_RELAXED);
		__atomic_store_n(&c->done->end_ts, hx_now(), __ATOMIC_RELAXED);
	}
	hx_signal_complete(c->done);
}

static struct copy *
take_ready(bool *empty)
{
	struct copy *found = NULL;
	pthread_mutex_lock(&work.lock);
	for (struct copy **p = &work.first; *p; p = &(*p)->next)
		if (copy_ready(*p)) {
			found = *p;
			*p = found->next;
			if (!*p)
				work.last = p;
			break;
		}
	*empty = work.first == NULL;
	pthread_mutex_unlock(&work.lock);
	return found;
}

static void
copy_free(struct copy *c)
{
	for (u32 i = 0; i < c->ndeps; i++)
		hx_signal_watch(c->deps[i], -1);
	free(c);
}

static void *
copy_main(void *arg)
{
	(void)arg;
	for (;;) {
		u32 generation = hx_signal_generation();
		if (__atomic_load_n(&work.stop, __ATOMIC_ACQUIRE))
			return NULL;
		bool empty;
		struct copy *c = take_ready(&empty);
		if (c) {
			copy_do(c);
			copy_free(c);
		} else {
			hx_signal_sleep(generation, empty ? UINT64_MAX : HX_POLL_NS);
		}
	}
}

bool
hx_copy_start(void)
{
	pthread_mutex_lock(&work.lock);
	if (!work.running)
		work.running = hx_thread_start(&work.thread, "hsa-copy", copy_main, NULL);
	bool ok = work.running;
	pthread_mutex_unlock(&work.lock);
	return ok;
}

void
hx_copy_stop(void)
{
	if (!work.running)
		return;
	__atomic_store_n(&work.stop, true, __ATOMIC_RELEASE);
	hx_signal_kick();
	pthread_join(work.thread, NULL);
	work.running = work.stop = false;
	for (struct copy *c; (c = work.first);) {
		work.first = c->next;
		free(c);
	}
	work.last = &work.first;
}

/* Takes `c` (a template, its deps apart) and does it now or later. */
static hsa_status_t
copy_submit(struct copy t, u32 ndeps, const hsa_signal_t *deps, hsa_signal_t done, const char *fn)
{
	t.done = hx_signal_find(done);
	if (done.handle && !t.done)
		return hx_misuse(
			HSA_STATUS_ERROR_INVALID_SIGNAL, fn, "the completion signal is no signal");
	struct copy *c = malloc(sizeof *c + ndeps * sizeof *c->deps);
	if (!c)
		return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
	*c = t;
	for (u32 i = 0; i < ndeps; i++) {
		amd_signal_t *s = hx_signal_find(deps[i]);
		if (!s) {
			free(c);
			return hx_misuse(HSA_STATUS_ERROR_INVALID_SIGNAL, fn,
				"dependency %u is no signal", i);
		}
		c->deps[c->ndeps++] = s;
	}
	if (t.x * t.y * t.z <= INLINE_MAX && copy_ready(c)) {
		copy_do(c);
		free(c);
		return HSA_STATUS_SUCCESS;
	}
	if (!hx_copy_start()) {
		free(c);
		return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
	}
	for (u32 i = 0; i < c->ndeps; i++)
		hx_signal_watch(c->deps[i], 1);
	pthread_mutex_lock(&work.lock);
	c->next = NULL;
	*work.last = c;
	work.last = &c->next;
	pthread_mutex_unlock(&work.lock);
	hx_signal_kick();
	return HSA_STATUS_SUCCESS;
}

static hsa_status_t
check_range(const void *p, u64 n, const char *what, const char *fn)
{
	if (hx_mem_covers(p, n))
		return HSA_STATUS_SUCCESS;
	return hx_misuse(HSA_STATUS_ERROR_INVALID_ALLOCATION, fn,
		"%s %p (%llu bytes) is not within one allocation or locked range", what, p,
		(unsigned long long)n);
}

hsa_status_t
hsa_amd_memory_async_copy(void *dst, hsa_agent_t dst_agent, const void *src, hsa_agent_t src_agent,
	size_t size, uint32_t num_dep_signals, const hsa_signal_t *dep_signals,
	hsa_signal_t completion_signal)
{
	HX_CHECK_INIT();
	if (!dst || !src || (num_dep_signals > 0) != (dep_signals != NULL))
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	if (!hx_agent_get(dst_agent) || !hx_agent_get(src_agent))
		return hx_misuse(HSA_STATUS_ERROR_INVALID_AGENT, __func__, "an agent is missing");
	hsa_status_t s =
		size ? check_range(dst, size, "destination", __func__) : HSA_STATUS_SUCCESS;
	if (!s && size)
		s = check_range(src, size, "source", __func__);
	if (s)
		return s;
	struct copy c = {.dst = dst, .src = src, .x = size, .y = 1, .z = 1};
	return copy_submit(c, num_dep_signals, dep_signals, completion_signal, __func__);
}

/* Bytes from `base` to the end of the last row. */
static u64
rect_end(const hsa_pitched_ptr_t *p, const hsa_dim3_t *at, const hsa_dim3_t *r)
{
	return (at->z + r->z - 1) * p->slice + (at->y + r->y - 1) * p->pitch + at->x + r->x;
}

static bool
rect_valid(const hsa_pitched_ptr_t *p, const hsa_dim3_t *at, const hsa_dim3_t *r)
{
	return p->base && (r->y == 1 || (u64)at->x + r->x <= p->pitch) &&
	       (r->z == 1 || (u64)(at->y + r->y) * p->pitch <= p->slice);
}

hsa_status_t
hsa_amd_memory_async_copy_rect(const hsa_pitched_ptr_t *dst, const hsa_dim3_t *dst_offset,
	const hsa_pitched_ptr_t *src, const hsa_dim3_t *src_offset, const hsa_dim3_t *range,
	hsa_agent_t copy_agent, hsa_amd_copy_direction_t dir, uint32_t num_dep_signals,
	const hsa_signal_t *dep_signals, hsa_signal_t completion_signal)
{
	HX_CHECK_INIT();
	if (!dst || !dst_offset || !src || !src_offset || !range || (u32)dir > hsaDeviceToDevice ||
		(num_dep_signals > 0) != (dep_signals != NULL))
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	struct hx_agent *a = hx_agent_get(copy_agent);
	if (!a || !a->target)
		return HSA_STATUS_ERROR_INVALID_AGENT;
	/* the engines count pitches in dwords */
	if (dst->pitch % 4 || src->pitch % 4 || dst->slice % 4 || src->slice % 4 ||
		(uintptr_t)dst->base % 4 || (uintptr_t)src->base % 4)
		return hx_misuse(HSA_STATUS_ERROR_INVALID_ARGUMENT, __func__,
			"a base or pitch is no multiple of 4");
	if (!range->x || !range->y || !range->z || !rect_valid(dst, dst_offset, range) ||
		!rect_valid(src, src_offset, range))
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	hsa_status_t s =
		check_range(dst->base, rect_end(dst, dst_offset, range), "destination", __func__);
	if (!s)
		s = check_range(src->base, rect_end(src, src_offset, range), "source", __func__);
	if (s)
		return s;
	struct copy c = {.dst = (u8 *)dst->base + dst_offset->z * dst->slice +
				dst_offset->y * dst->pitch + dst_offset->x,
		.src = (u8 *)src->base + src_offset->z * src->slice + src_offset->y * src->pitch +
		       src_offset->x,
		.dst_pitch = dst->pitch,
		.dst_slice = dst->slice,
		.src_pitch = src->pitch,
		.src_slice = src->slice,
		.x = range->x,
		.y = range->y,
		.z = range->z};
	return copy_submit(c, num_dep_signals, dep_signals, completion_signal, __func__);
}

/* Synchronous. What begins in an allocation must end in it; other host memory is trusted. */
hsa_status_t
hsa_memory_copy(void *dst, const void *src, size_t size)
{
	HX_CHECK_INIT();
	if (!dst || !src)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	struct hx_mem_info i;
	hsa_status_t s = HSA_STATUS_SUCCESS;
	if (hx_mem_find(dst, &i) && i.kind != HX_MEM_LOCKED)
		s = check_range(dst, size, "destination", __func__);
	if (!s && hx_mem_find(src, &i) && i.kind != HX_MEM_LOCKED)
		s = check_range(src, size, "source", __func__);
	if (!s)
		memmove(dst, src, size);
	return s;
}

hsa_status_t
hsa_amd_memory_fill(void *ptr, uint32_t value, size_t count)
{
	HX_CHECK_INIT();
	if (!ptr || (uintptr_t)ptr % 4)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	if (count > SIZE_MAX / 4)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	hsa_status_t s =
		count ? check_range(ptr, count * 4, "destination", __func__) : HSA_STATUS_SUCCESS;
	for (size_t i = 0; !s && i < count; i++)
		((u32 *)ptr)[i] = value;
	return s;
}

/* --- times ------------------------------------------------------------------------------------ */

hsa_status_t
hsa_amd_profiling_async_copy_enable(bool enable)
{
	HX_CHECK_INIT();
	__atomic_store_n(&hx.copy_profiling, enable, __ATOMIC_RELAXED);
	return HSA_STATUS_SUCCESS;
}

static hsa_status_t
times(hsa_signal_t signal, u64 *start, u64 *end, const char *fn)
{
	amd_signal_t *s = hx_signal_find(signal);
	if (!s)
		return HSA_STATUS_ERROR_INVALID_SIGNAL;
	*start = __atomic_load_n(&s->start_ts, __ATOMIC_RELAXED);
	*end = __atomic_load_n(&s->end_ts, __ATOMIC_RELAXED);
	return *end ? HSA_STATUS_SUCCESS
		    : hx_misuse(HSA_STATUS_ERROR, fn,
			      "no times: profiling was off, or the work has not ended");
}

hsa_status_t
hsa_amd_profiling_get_dispatch_time(
	hsa_agent_t agent, hsa_signal_t signal, hsa_amd_profiling_dispatch_time_t *time)
{
	HX_CHECK_INIT();
	if (!hx_agent_get(agent))
		return HSA_STATUS_ERROR_INVALID_AGENT;
	if (!time)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	return times(signal, &time->start, &time->end, __func__);
}

hsa_status_t
hsa_amd_profiling_get_async_copy_time(
	hsa_signal_t signal, hsa_amd_profiling_async_copy_time_t *time)
{
	HX_CHECK_INIT();
	if (!time)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	return times(signal, &time->start, &time->end, __func__);
}

/* The agents' clock is the system's. */
hsa_status_t
hsa_amd_profiling_convert_tick_to_system_domain(
	hsa_agent_t agent, uint64_t agent_tick, uint64_t *system_tick)
{
	HX_CHECK_INIT();
	if (!hx_agent_get(agent))
		return HSA_STATUS_ERROR_INVALID_AGENT;
	if (!system_tick)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	*system_tick = agent_tick;
	return HSA_STATUS_SUCCESS;
}
