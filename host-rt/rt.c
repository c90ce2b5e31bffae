/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * rt.c - the one state of the runtime, what belongs to a thread (current device, last error), and the
 * set of live handles. The state is made in two steps: rt_state() is enough to register kernels
 * before main(), rt_init() opens the HSA library on the first call that needs a device. Nothing is
 * torn down at exit: worker threads and the HSA library may still be at work then.
 */
#include "host-rt/rt.h"

#include <stdlib.h>
#include <string.h>

static struct rt state = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
static pthread_once_t opened = PTHREAD_ONCE_INIT;
static _Thread_local int current;
static _Thread_local cudaError_t last_error;
_Thread_local bool rt_per_thread;

/* --- a map by address: open addressing, a power of two --------------------------------------------- */

static size_t
map_at(const struct rt_map *m, const void *key)
{
	size_t i = (size_t)(((uintptr_t)key >> 3) * 0x9e3779b97f4a7c15u >> 20);
	for (;; i++) {
		i &= m->cap - 1;
		if (!m->keys[i] || m->keys[i] == key)
			return i;
	}
}

void *
rt_map_find(const struct rt_map *m, const void *key)
{
	return m->cap && key ? m->values[map_at(m, key)] : NULL;
}

static bool
map_grow(struct rt_map *m)
{
	struct rt_map bigger = {.cap = m->cap ? 2 * m->cap : 64};
	bigger.keys = calloc(bigger.cap, sizeof *bigger.keys);
	bigger.values = calloc(bigger.cap, sizeof *bigger.values);
	if (!bigger.keys || !bigger.values) {
		free(bigger.keys);
		free(bigger.values);
		return false;
	}
	for (size_t i = 0; i < m->cap; i++)
		if (m->keys[i])
			rt_map_add(&bigger, m->keys[i], m->values[i]);
	free(m->keys);
	free(m->values);
	*m = bigger;
	return true;
}

bool
rt_map_add(struct rt_map *m, const void *key, void *value)
{
	assert(key && value);
	if (m->n * 2 >= m->cap && !map_grow(m))
		return false;
	size_t i = map_at(m, key);
	m->n += !m->keys[i];
	m->keys[i] = key;
	m->values[i] = value;
	return true;
}

void
rt_map_del(struct rt_map *m, const void *key)
{
	if (!rt_map_find(m, key))
		return;
	size_t hole = map_at(m, key);
	m->keys[hole] = NULL;
	m->values[hole] = NULL;
	m->n--;
	/* What follows the hole may have been pushed there by it: add it again. */
	for (size_t i = (hole + 1) & (m->cap - 1); m->keys[i]; i = (i + 1) & (m->cap - 1)) {
		const void *k = m->keys[i];
		void *v = m->values[i];
		m->keys[i] = NULL;
		m->values[i] = NULL;
		m->n--;
		rt_map_add(m, k, v);
	}
}

/* --- the state -------------------------------------------------------------------------------------- */

struct rt *
rt_state(void)
{
	return &state;
}

void
rt_lock(struct rt *r)
{
	pthread_mutex_lock(&r->lock);
}

void
rt_unlock(struct rt *r)
{
	pthread_mutex_unlock(&r->lock);
}

static void
on_fault(u64 agent, cudaError_t error)
{
	rt_lock(&state);
	for (int i = 0; i < state.ndevices; i++)
		if (state.devices[i].gpu.agent == agent)
			rt_device_fault(&state.devices[i], error);
	rt_unlock(&state);
}

static void
open_devices(void)
{
	struct hal_gpu gpus[RT_DEVICES];
	int n = 0, kept = 0;
	if (!hal_open(gpus, RT_DEVICES, &n, on_fault)) {
		state.failed = cudaErrorNoDevice;
		return;
	}
	for (int i = 0; i < n; i++) {
		const struct target *t = target_find(str_of(gpus[i].arch));
		if (!t) {
			sink_printf("device %d is a %s, which is not supported", i, gpus[i].arch);
			continue;
		}
		struct rt_device *d = &state.devices[kept];
		d->ordinal = kept++;
		d->gpu = gpus[i];
		d->target = t;
		rt_device_describe(d);
	}
	rt_lock(&state);
	state.ndevices = kept;
	rt_unlock(&state);
	state.failed = kept ? cudaSuccess : cudaErrorNoDevice;
}

cudaError_t
rt_init(struct rt **r)
{
	pthread_once(&opened, open_devices);
	*r = &state;
	return state.failed;
}

/* --- what belongs to a thread ----------------------------------------------------------------------- */

int
rt_current(void)
{
	return current;
}

void
rt_current_set(int ordinal)
{
	current = ordinal;
}

cudaError_t
rt_device_at(int ordinal, struct rt_device **d)
{
	struct rt *r;
	cudaError_t e = rt_init(&r);
	if (e)
		return e;
	if (ordinal < 0 || ordinal >= r->ndevices)
		return cudaErrorInvalidDevice;
	*d = &r->devices[ordinal];
	return cudaSuccess;
}

cudaError_t
rt_device_get(struct rt_device **d)
{
	cudaError_t e = rt_device_at(current, d);
	if (e)
		return e;
	e = rt_device_start(*d);
	if (e)
		return e;
	rt_lock(&state);
	e = (*d)->error;
	rt_unlock(&state);
	return e;
}

/* "Not ready" is no error: CUDA does not remember it. */
cudaError_t
rt_error(cudaError_t e)
{
	if (e != cudaSuccess && e != cudaErrorNotReady)
		last_error = e;
	return e;
}

/* A device's sticky error is not looked at here: it is every later call that returns it. */
cudaError_t
rt_error_last(bool clear)
{
	cudaError_t e = last_error;
	if (clear)
		last_error = cudaSuccess;
	return e;
}

bool
rt_handle_is(const void *handle, enum rt_handle kind)
{
	rt_lock(&state);
	void *k = rt_map_find(&state.handles, handle);
	rt_unlock(&state);
	return k == (void *)(uintptr_t)kind;
}

/* --- texts of errors --------------------------------------------------------------------------------- */

static const struct {
	int value;
	const char *name, *cu, *text;
} errors[] = {
#define ERROR(name, driver, value, text) {value, #name, #driver, text},
#define ERROR_RT(name, value, text)      {value, #name, NULL, text},
#define ERROR_DRV(driver, value, text)   {value, NULL, #driver, text},
#include "stdlib/include/heddle/errors.def"
#undef ERROR
#undef ERROR_RT
#undef ERROR_DRV
};

const char *
rt_error_name(cudaError_t e)
{
	for (size_t i = 0; i < COUNT(errors); i++)
		if (errors[i].value == (int)e)
			return errors[i].name;
	return NULL;
}

const char *
rt_error_text(cudaError_t e)
{
	for (size_t i = 0; i < COUNT(errors); i++)
		if (errors[i].value == (int)e)
			return errors[i].text;
	return NULL;
}

const char *
rt_cu_error_name(int e)
{
	for (size_t i = 0; i < COUNT(errors); i++)
		if (errors[i].value == e)
			return errors[i].cu;
	return NULL;
}
