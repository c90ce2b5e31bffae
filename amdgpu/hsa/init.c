/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * init.c - hsa_init and hsa_shut_down: the one state of the library, counted. Also the small things
 * that every file needs: the clock, threads, futexes, the line about misuse.
 */
#include "hx.h"

#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

struct hx hx = {.lock = PTHREAD_MUTEX_INITIALIZER};

bool
hx_ready(void)
{
	return __atomic_load_n(&hx.refs, __ATOMIC_ACQUIRE) != 0;
}

static bool
state_init(void)
{
	hx.space = exec_space_new();
	if (!hx.space)
		return false;
	if (hx_mem_init()) {
		if (hx_agents_init()) {
			if (hx_signals_init())
				return true;
			hx_agents_fini();
		}
		hx_mem_fini();
	}
	exec_space_free(hx.space);
	hx.space = NULL;
	return false;
}

hsa_status_t
hsa_init(void)
{
	hsa_status_t s = HSA_STATUS_SUCCESS;
	pthread_mutex_lock(&hx.lock);
	if (hx.refs == INT32_MAX)
		s = HSA_STATUS_ERROR_REFCOUNT_OVERFLOW;
	else if (hx.refs == 0 && !state_init())
		s = HSA_STATUS_ERROR_OUT_OF_RESOURCES;
	else
		__atomic_store_n(&hx.refs, hx.refs + 1, __ATOMIC_RELEASE);
	pthread_mutex_unlock(&hx.lock);
	return s;
}

/* The last one ends queues and threads first: they use all else. */
hsa_status_t
hsa_shut_down(void)
{
	HX_CHECK_INIT();
	pthread_mutex_lock(&hx.lock);
	bool last = hx.refs == 1;
	if (!last)
		__atomic_store_n(&hx.refs, hx.refs - 1, __ATOMIC_RELEASE);
	pthread_mutex_unlock(&hx.lock);
	if (!last)
		return HSA_STATUS_SUCCESS;
	hx_queues_stop();
	hx_copy_stop();
	hx_async_stop();
	hx_executables_free();
	pthread_mutex_lock(&hx.lock);
	hx_signals_fini();
	hx_agents_fini();
	hx_mem_fini();
	exec_space_free(hx.space);
	hx.space = NULL;
	hx.on_event = NULL;
	hx.copy_profiling = false;
	__atomic_store_n(&hx.refs, 0, __ATOMIC_RELEASE);
	pthread_mutex_unlock(&hx.lock);
	return HSA_STATUS_SUCCESS;
}

hsa_status_t
hx_misuse(hsa_status_t s, const char *fn, const char *fmt, ...)
{
	char text[400];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	sink_printf("hsa: %s: %s", fn, text);
	return s;
}

u64
hx_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (u64)t.tv_sec * 1000000000u + (u64)t.tv_nsec;
}

/* Our threads take none of the program's signals. */
bool
hx_thread_start(pthread_t *t, const char *name, void *(*fn)(void *), void *arg)
{
	sigset_t all, old;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	int e = pthread_create(t, NULL, fn, arg);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (e == 0)
		pthread_setname_np(*t, name);
	return e == 0;
}

void
hx_futex_wait(const void *word, u32 value, u64 ns)
{
	struct timespec t = {(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
	syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, ns == UINT64_MAX ? NULL : &t, NULL, 0);
}

void
hx_futex_wake(const void *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT32_MAX, NULL, NULL, 0);
}
