/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * signal.c - signals: amd_signal_t in memory that device code may read and write. All come from one
 * range of addresses, so whether a handle is a live signal is a comparison and one load; a destroyed
 * one has the kind INVALID and its place serves again only after many others.
 *
 * Waiting: a waiter counts itself in reserved3[0] and sleeps on the low half of the value (futex);
 * who waits for one of many counts itself in reserved3[1] of each and sleeps on the generation. A
 * change by the API looks at both counts after it (sequentially consistent, as are the counts), so no
 * wake-up is lost. Device code stores without a word: sleepers look again after HX_POLL_NS.
 */
#include "hx.h"

#include <string.h>
#include <sys/mman.h>

#define SPACE ((u64)256 << 20) /* addresses: four million signals */
#define STEP  ((u64)64 << 10)  /* memory is added by this */
#define REST  1024             /* destroyed signals that wait before one is used again */

enum { DIRECT, GROUP }; /* reserved3 */

static struct {
	pthread_mutex_t lock;
	u64 base, used, ready;      /* ready: end of what has memory */
	amd_signal_t *first, *last; /* destroyed ones, oldest first, linked by queue_ptr */
	u32 nrest;
	u32 generation;             /* futex */
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER};

bool
hx_signals_init(void)
{
	void *p = mmap(NULL, SPACE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (p == MAP_FAILED)
		return false;
	pool.ready = pool.used = pool.base = (u64)(uintptr_t)p;
	pool.first = pool.last = NULL;
	pool.nrest = 0;
	return true;
}

void
hx_signals_fini(void)
{
	for (u64 at = pool.base; at < pool.ready; at += STEP)
		exec_space_del(hx.space, at);
	munmap((void *)(uintptr_t)pool.base, SPACE);
	pool.base = pool.used = pool.ready = 0;
}

static bool
pool_grow(void)
{
	if (pool.ready == pool.base + SPACE ||
		mprotect((void *)(uintptr_t)pool.ready, STEP, PROT_READ | PROT_WRITE) != 0 ||
		!exec_space_add(hx.space, pool.ready, STEP, EXEC_MEMORY_DATA))
		return false;
	__atomic_store_n(&pool.ready, pool.ready + STEP, __ATOMIC_RELEASE);
	return true;
}

amd_signal_t *
hx_signal_new(i64 kind, i64 value)
{
	amd_signal_t *s = NULL;
	pthread_mutex_lock(&pool.lock);
	if (pool.nrest > REST) {
		s = pool.first;
		pool.first = s->queue_ptr ? (amd_signal_t *)(void *)s->queue_ptr : NULL;
		pool.nrest--;
	} else if (pool.used < pool.ready || pool_grow()) {
		s = (amd_signal_t *)(uintptr_t)pool.used;
		pool.used += sizeof *s;
	}
	pthread_mutex_unlock(&pool.lock);
	if (!s)
		return NULL;
	s->event_mailbox_ptr = 0;
	s->event_id = 0;
	s->start_ts = s->end_ts = 0;
	s->queue_ptr = NULL;
	__atomic_store_n(&s->value, value, __ATOMIC_RELAXED);
	__atomic_store_n(&s->kind, kind, __ATOMIC_RELEASE);
	return s;
}

void
hx_signal_free(amd_signal_t *s)
{
	__atomic_store_n(&s->kind, AMD_SIGNAL_KIND_INVALID, __ATOMIC_RELEASE);
	pthread_mutex_lock(&pool.lock);
	s->queue_ptr = NULL;
	if (pool.nrest++)
		pool.last->queue_ptr = (amd_queue_t *)(void *)s;
	else
		pool.first = s;
	pool.last = s;
	pthread_mutex_unlock(&pool.lock);
}

static amd_signal_t *
signal_any(hsa_signal_t h)
{
	if (h.handle < pool.base || h.handle >= __atomic_load_n(&pool.ready, __ATOMIC_ACQUIRE) ||
		h.handle % sizeof(amd_signal_t))
		return NULL;
	amd_signal_t *s = (amd_signal_t *)(uintptr_t)h.handle;
	return __atomic_load_n(&s->kind, __ATOMIC_ACQUIRE) == AMD_SIGNAL_KIND_INVALID ? NULL : s;
}

amd_signal_t *
hx_signal_find(hsa_signal_t h)
{
	amd_signal_t *s = signal_any(h);
	return s && __atomic_load_n(&s->kind, __ATOMIC_RELAXED) == AMD_SIGNAL_KIND_USER ? s : NULL;
}

/* For a function that needs a value: reports what is not a live signal with one. */
static amd_signal_t *
signal_use(hsa_signal_t h, const char *fn)
{
	amd_signal_t *s = hx_signal_find(h);
	if (!s)
		hx_misuse(HSA_STATUS_ERROR_INVALID_SIGNAL, fn,
			signal_any(h) ? "%#llx is a doorbell: it can only be stored to"
				      : "%#llx is not a signal, or was destroyed",
			(unsigned long long)h.handle);
	return s;
}

i64
hx_signal_value(const amd_signal_t *s)
{
	return __atomic_load_n(&s->value, __ATOMIC_ACQUIRE);
}

/* --- waking and sleeping ---------------------------------------------------------------------- */

void
hx_signal_kick(void)
{
	__atomic_add_fetch(&pool.generation, 1, __ATOMIC_SEQ_CST);
	hx_futex_wake(&pool.generation);
}

/* After every change of a value. The addition of 0 orders the change before the look at the counts. */
static void
signal_changed(amd_signal_t *s)
{
	if (__atomic_add_fetch(&s->reserved3[DIRECT], 0, __ATOMIC_SEQ_CST))
		hx_futex_wake((const void *)(uintptr_t)&s->value);
	if (__atomic_load_n(&s->reserved3[GROUP], __ATOMIC_SEQ_CST))
		hx_signal_kick();
}

void
hx_signal_complete(amd_signal_t *s)
{
	__atomic_sub_fetch(&s->value, 1, __ATOMIC_SEQ_CST);
	signal_changed(s);
}

void
hx_signal_watch(amd_signal_t *s, int by)
{
	__atomic_add_fetch(&s->reserved3[GROUP], (u32)by, __ATOMIC_SEQ_CST);
}

u32
hx_signal_generation(void)
{
	return __atomic_load_n(&pool.generation, __ATOMIC_SEQ_CST);
}

void
hx_signal_sleep(u32 generation, u64 ns)
{
	hx_futex_wait(&pool.generation, generation, ns);
}

bool
hx_signal_holds(hsa_signal_condition_t c, i64 value, i64 compare)
{
	switch (c) {
	case HSA_SIGNAL_CONDITION_EQ:
		return value == compare;
	case HSA_SIGNAL_CONDITION_NE:
		return value != compare;
	case HSA_SIGNAL_CONDITION_LT:
		return value < compare;
	case HSA_SIGNAL_CONDITION_GTE:
		return value >= compare;
	}
	return false;
}

/* A short spin catches what is about to happen; then the futex. The hint counts ticks of the
 * timestamp, which are nanoseconds. */
static i64
signal_wait(hsa_signal_t h, hsa_signal_condition_t c, i64 compare, u64 hint, const char *fn)
{
	amd_signal_t *s = signal_use(h, fn);
	if (!s)
		return 0;
	u64 start = hx_now();
	for (u32 round = 0;; round++) {
		i64 v = hx_signal_value(s);
		if (hx_signal_holds(c, v, compare))
			return v;
		u64 spent = hx_now() - start;
		if (spent >= hint)
			return v;
		if (round < 64)
			continue;
		if (!signal_any(h)) {
			signal_use(h, fn);
			return v;
		}
		u64 left = hint - spent < HX_POLL_NS ? hint - spent : HX_POLL_NS;
		__atomic_add_fetch(&s->reserved3[DIRECT], 1, __ATOMIC_SEQ_CST);
		v = __atomic_load_n(&s->value, __ATOMIC_SEQ_CST);
		if (!hx_signal_holds(c, v, compare))
			hx_futex_wait((const void *)(uintptr_t)&s->value, (u32)v, left);
		__atomic_sub_fetch(&s->reserved3[DIRECT], 1, __ATOMIC_SEQ_CST);
	}
}

/* --- the functions of HSA --------------------------------------------------------------------- */

hsa_status_t
hsa_signal_create(hsa_signal_value_t value, uint32_t num_consumers, const hsa_agent_t *consumers,
	hsa_signal_t *signal)
{
	HX_CHECK_INIT();
	if (!signal || (num_consumers && !consumers))
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	for (u32 i = 0; i < num_consumers; i++)
		if (!hx_agent_get(consumers[i]))
			return HSA_STATUS_ERROR_INVALID_AGENT;
	amd_signal_t *s = hx_signal_new(AMD_SIGNAL_KIND_USER, value);
	if (!s)
		return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
	signal->handle = (u64)(uintptr_t)s;
	return HSA_STATUS_SUCCESS;
}

hsa_status_t
hsa_amd_signal_create(hsa_signal_value_t value, uint32_t num_consumers,
	const hsa_agent_t *consumers, uint64_t attributes, hsa_signal_t *signal)
{
	HX_CHECK_INIT();
	if (attributes & HSA_AMD_SIGNAL_IPC)
		return hx_misuse(
			HSA_STATUS_ERROR, __func__, "signals between processes are not supported");
	if (attributes & ~(u64)HSA_AMD_SIGNAL_AMD_GPU_ONLY)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	return hsa_signal_create(value, num_consumers, consumers, signal);
}

hsa_status_t
hsa_signal_destroy(hsa_signal_t signal)
{
	HX_CHECK_INIT();
	if (!signal.handle)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	amd_signal_t *s = signal_use(signal, __func__);
	if (!s)
		return HSA_STATUS_ERROR_INVALID_SIGNAL;
	hx_signal_free(s);
	return HSA_STATUS_SUCCESS;
}

hsa_status_t
hsa_amd_signal_value_pointer(hsa_signal_t signal, volatile hsa_signal_value_t **value_ptr)
{
	HX_CHECK_INIT();
	amd_signal_t *s = signal_use(signal, __func__);
	if (!s)
		return HSA_STATUS_ERROR_INVALID_SIGNAL;
	if (!value_ptr)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	*value_ptr = &s->value;
	return HSA_STATUS_SUCCESS;
}

static void
signal_store(hsa_signal_t h, i64 value, int order, bool silent, const char *fn)
{
	amd_signal_t *s = signal_any(h);
	if (s && __atomic_load_n(&s->kind, __ATOMIC_RELAXED) == AMD_SIGNAL_KIND_DOORBELL) {
		hx_queue_ring((struct hx_queue *)(uintptr_t)s->event_mailbox_ptr, value);
		return;
	}
	s = signal_use(h, fn);
	if (!s)
		return;
	if (order == __ATOMIC_RELAXED)
		__atomic_store_n(&s->value, value, __ATOMIC_RELAXED);
	else
		__atomic_store_n(&s->value, value, __ATOMIC_RELEASE);
	if (!silent)
		signal_changed(s);
}

#define ORDER_R(suffix, order)                                                                     \
	hsa_signal_value_t hsa_signal_load_##suffix(hsa_signal_t h)                                \
	{                                                                                          \
		amd_signal_t *s = signal_use(h, __func__);                                         \
		return s ? __atomic_load_n(&s->value, order) : 0;                                  \
	}                                                                                          \
	hsa_signal_value_t hsa_signal_wait_##suffix(hsa_signal_t h, hsa_signal_condition_t c,      \
		hsa_signal_value_t compare, uint64_t timeout_hint, hsa_wait_state_t state)         \
	{                                                                                          \
		(void)state;                                                                       \
		return signal_wait(h, c, compare, timeout_hint, __func__);                         \
	}
#define ORDER_W(suffix, order)                                                                     \
	void hsa_signal_store_##suffix(hsa_signal_t h, hsa_signal_value_t value)                   \
	{                                                                                          \
		signal_store(h, value, order, false, __func__);                                    \
	}
#define RMW(name, builtin, suffix, order)                                                          \
	void hsa_signal_##name##_##suffix(hsa_signal_t h, hsa_signal_value_t value)                \
	{                                                                                          \
		amd_signal_t *s = signal_use(h, __func__);                                         \
		if (!s)                                                                            \
			return;                                                                    \
		builtin(&s->value, value, order);                                                  \
		signal_changed(s);                                                                 \
	}
#define CAS_FAIL(order)                                                                            \
	((order) == __ATOMIC_ACQ_REL || (order) == __ATOMIC_ACQUIRE ? __ATOMIC_ACQUIRE             \
								    : __ATOMIC_RELAXED)
#define ORDER_RW(suffix, order)                                                                    \
	RMW(add, __atomic_fetch_add, suffix, order)                                                \
	RMW(subtract, __atomic_fetch_sub, suffix, order)                                           \
	RMW(and, __atomic_fetch_and, suffix, order)                                                \
	RMW(or, __atomic_fetch_or, suffix, order)                                                  \
	RMW(xor, __atomic_fetch_xor, suffix, order)                                                \
	hsa_signal_value_t hsa_signal_exchange_##suffix(hsa_signal_t h, hsa_signal_value_t value)  \
	{                                                                                          \
		amd_signal_t *s = signal_use(h, __func__);                                         \
		if (!s)                                                                            \
			return 0;                                                                  \
		i64 old = __atomic_exchange_n(&s->value, value, order);                            \
		signal_changed(s);                                                                 \
		return old;                                                                        \
	}                                                                                          \
	hsa_signal_value_t hsa_signal_cas_##suffix(                                                \
		hsa_signal_t h, hsa_signal_value_t expected, hsa_signal_value_t value)             \
	{                                                                                          \
		amd_signal_t *s = signal_use(h, __func__);                                         \
		if (!s)                                                                            \
			return 0;                                                                  \
		i64 old = expected;                                                                \
		if (__atomic_compare_exchange_n(                                                   \
			    &s->value, &old, value, false, order, CAS_FAIL(order)))                \
			signal_changed(s);                                                         \
		return old;                                                                        \
	}
#include "order.def"

void
hsa_signal_silent_store_relaxed(hsa_signal_t h, hsa_signal_value_t value)
{
	signal_store(h, value, __ATOMIC_RELAXED, true, __func__);
}

void
hsa_signal_silent_store_screlease(hsa_signal_t h, hsa_signal_value_t value)
{
	signal_store(h, value, __ATOMIC_RELEASE, true, __func__);
}

/* Index of a signal that fulfils its condition; UINT32_MAX after the timeout. */
uint32_t
hsa_amd_signal_wait_any(uint32_t n, hsa_signal_t *signals, hsa_signal_condition_t *conds,
	hsa_signal_value_t *values, uint64_t timeout_hint, hsa_wait_state_t wait_hint,
	hsa_signal_value_t *satisfying_value)
{
	(void)wait_hint;
	u64 start = hx_now();
	u32 found = UINT32_MAX;
	for (u32 i = 0; i < n; i++)
		if (!signal_use(signals[i], __func__))
			return UINT32_MAX;
	for (u32 i = 0; i < n; i++)
		hx_signal_watch((amd_signal_t *)(uintptr_t)signals[i].handle, 1);
	for (;;) {
		u32 generation = hx_signal_generation();
		for (u32 i = 0; i < n && found == UINT32_MAX; i++) {
			i64 v = hx_signal_value((amd_signal_t *)(uintptr_t)signals[i].handle);
			if (!hx_signal_holds(conds[i], v, values[i]))
				continue;
			found = i;
			if (satisfying_value)
				*satisfying_value = v;
		}
		u64 spent = hx_now() - start;
		if (found != UINT32_MAX || spent >= timeout_hint)
			break;
		hx_signal_sleep(generation,
			timeout_hint - spent < HX_POLL_NS ? timeout_hint - spent : HX_POLL_NS);
	}
	for (u32 i = 0; i < n; i++)
		hx_signal_watch((amd_signal_t *)(uintptr_t)signals[i].handle, -1);
	return found;
}
