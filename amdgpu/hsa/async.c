/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * async.c - one thread that calls the handlers of hsa_amd_signal_async_handler when their signals
 * fulfil their conditions, and the functions of hsa_amd_async_function. A handler that answers true
 * stays; it is called again when its condition holds again (or still).
 */
#include "hx.h"

#include <stdlib.h>
#include <string.h>

struct entry {
	amd_signal_t *signal; /* NULL: call at once */
	hsa_signal_condition_t cond;
	i64 value;
	hsa_amd_signal_handler handler;
	void (*function)(void *arg);
	void *arg;
};

static struct {
	pthread_mutex_t lock;
	VEC(struct entry) list;
	pthread_t thread;
	bool running, stop;
} async = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool
entry_dead(const struct entry *e)
{
	return e->signal && !hx_signal_find((hsa_signal_t){(u64)(uintptr_t)e->signal});
}

/* Takes one entry that is due off the list, in order of registration. A destroyed signal's entry is
 * dropped. */
static bool
take_due(struct entry *out, i64 *value, bool *empty)
{
	bool found = false;
	pthread_mutex_lock(&async.lock);
	for (size_t i = 0; i < async.list.n && !found;) {
		struct entry *e = &async.list.p[i];
		bool dead = entry_dead(e);
		*value = e->signal && !dead ? hx_signal_value(e->signal) : 0;
		if (!dead && e->signal && !hx_signal_holds(e->cond, *value, e->value)) {
			i++;
			continue;
		}
		if (dead)
			hx_signal_watch(e->signal, -1);
		else
			*out = *e;
		found = !dead;
		memmove(e, e + 1, (async.list.n - i - 1) * sizeof *e);
		async.list.n--;
	}
	*empty = async.list.n == 0;
	pthread_mutex_unlock(&async.lock);
	return found;
}

static bool
entry_add(struct entry e)
{
	pthread_mutex_lock(&async.lock);
	bool ok = VEC_PUSH(&async.list, e);
	pthread_mutex_unlock(&async.lock);
	return ok;
}

static void
entry_run(struct entry *e, i64 value)
{
	if (e->function) {
		e->function(e->arg);
		return;
	}
	bool again = e->handler(value, e->arg);
	if (!again || !entry_add(*e))
		hx_signal_watch(e->signal, -1);
}

static void *
async_main(void *arg)
{
	(void)arg;
	for (;;) {
		u32 generation = hx_signal_generation();
		if (__atomic_load_n(&async.stop, __ATOMIC_ACQUIRE))
			return NULL;
		struct entry e;
		i64 value;
		bool empty;
		if (take_due(&e, &value, &empty))
			entry_run(&e, value);
		else
			hx_signal_sleep(generation, empty ? UINT64_MAX : HX_POLL_NS);
	}
}

bool
hx_async_start(void)
{
	pthread_mutex_lock(&async.lock);
	if (!async.running)
		async.running = hx_thread_start(&async.thread, "hsa-signals", async_main, NULL);
	bool ok = async.running;
	pthread_mutex_unlock(&async.lock);
	return ok;
}

void
hx_async_stop(void)
{
	if (!async.running)
		return;
	__atomic_store_n(&async.stop, true, __ATOMIC_RELEASE);
	hx_signal_kick();
	pthread_join(async.thread, NULL);
	async.running = async.stop = false;
	free(async.list.p);
	async.list.p = NULL;
	async.list.n = async.list.cap = 0;
}

hsa_status_t
hsa_amd_signal_async_handler(hsa_signal_t signal, hsa_signal_condition_t cond,
	hsa_signal_value_t value, hsa_amd_signal_handler handler, void *arg)
{
	HX_CHECK_INIT();
	amd_signal_t *s = hx_signal_find(signal);
	if (!s)
		return hx_misuse(HSA_STATUS_ERROR_INVALID_SIGNAL, __func__, "not a signal");
	if (!handler || (u32)cond > HSA_SIGNAL_CONDITION_GTE)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	hx_signal_watch(s, 1);
	if (!hx_async_start() || !entry_add((struct entry){s, cond, value, handler, NULL, arg})) {
		hx_signal_watch(s, -1);
		return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
	}
	hx_signal_kick();
	return HSA_STATUS_SUCCESS;
}

hsa_status_t
hsa_amd_async_function(void (*callback)(void *arg), void *arg)
{
	HX_CHECK_INIT();
	if (!callback)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	if (!hx_async_start() || !entry_add((struct entry){.function = callback, .arg = arg}))
		return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
	hx_signal_kick();
	return HSA_STATUS_SUCCESS;
}
