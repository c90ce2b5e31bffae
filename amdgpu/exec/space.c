/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * space.c - the registry of memory that device code may touch: a sorted array of intervals.
 *
 * Running waves look up without a lock and keep the interval they found until their quantum ends. So a
 * change replaces the whole array (the old one is retired), and space_del waits until every thread that
 * runs waves has passed the end of a quantum since: then nobody can still hold the interval. A reader
 * publishes the version it has seen; ~0 means that it runs nothing.
 */
#include "amdgpu/exec/wave.h"
#include <sched.h>
#include <stdlib.h>

struct table {
	struct table *retired; /* next of the list of old tables */
	size_t n;
	struct interval at[];
};

struct exec_space {
	pthread_mutex_t lock;
	_Atomic(struct table *) table;
	struct table *retired;
	struct reader *readers;
	_Atomic u64 version;
};

struct exec_space *
exec_space_new(void)
{
	struct exec_space *s = calloc(1, sizeof(*s));
	struct table *t = calloc(1, sizeof(*t));
	if (s == NULL || t == NULL) {
		free(s);
		free(t);
		return NULL;
	}
	pthread_mutex_init(&s->lock, NULL);
	atomic_store(&s->table, t);
	return s;
}

static void
tables_free(struct table *t)
{
	while (t != NULL) {
		struct table *next = t->retired;
		free(t);
		t = next;
	}
}

void
exec_space_free(struct exec_space *s)
{
	if (s == NULL)
		return;
	tables_free(s->retired);
	free(atomic_load(&s->table));
	pthread_mutex_destroy(&s->lock);
	free(s);
}

/* The first interval that ends after `addr`. */
static size_t
lower(const struct table *t, u64 addr)
{
	size_t lo = 0, hi = t->n;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if (t->at[mid].base + (t->at[mid].size - 1) < addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static void
publish(struct exec_space *s, struct table *old, struct table *t)
{
	atomic_store_explicit(&s->table, t, memory_order_release);
	old->retired = s->retired;
	s->retired = old;
	atomic_fetch_add(&s->version, 1);
}

/* Old tables can go once no reader holds anything older than now. Called locked; gives up the lock never. */
static void
retire(struct exec_space *s)
{
	u64 now = atomic_load(&s->version);
	for (struct reader *r = s->readers; r != NULL; r = r->next)
		if (atomic_load(&r->seen) < now)
			return;
	tables_free(s->retired);
	s->retired = NULL;
}

bool
exec_space_add(struct exec_space *s, u64 base, u64 size, enum exec_memory kind)
{
	if (size == 0 || base + (size - 1) < base)
		return false;
	pthread_mutex_lock(&s->lock);
	struct table *old = atomic_load(&s->table);
	size_t k = lower(old, base);
	bool ok = k == old->n || old->at[k].base > base + (size - 1);
	struct table *t = ok ? malloc(sizeof(*t) + (old->n + 1) * sizeof(t->at[0])) : NULL;
	if (t != NULL) {
		t->n = old->n + 1;
		memcpy(t->at, old->at, k * sizeof(t->at[0]));
		t->at[k] = (struct interval){base, size, (u32)kind};
		memcpy(t->at + k + 1, old->at + k, (old->n - k) * sizeof(t->at[0]));
		publish(s, old, t);
		retire(s);
	}
	pthread_mutex_unlock(&s->lock);
	return t != NULL;
}

/* Every reader has passed a quantum since `version`. */
static bool
passed(struct exec_space *s, u64 version)
{
	for (struct reader *r = s->readers; r != NULL; r = r->next)
		if (atomic_load(&r->seen) < version)
			return false;
	return true;
}

void
exec_space_del(struct exec_space *s, u64 base)
{
	pthread_mutex_lock(&s->lock);
	struct table *old = atomic_load(&s->table);
	size_t k = lower(old, base);
	if (k == old->n || old->at[k].base != base) {
		pthread_mutex_unlock(&s->lock);
		return;
	}
	struct table *t = malloc(sizeof(*t) + old->n * sizeof(t->at[0]));
	if (t != NULL) {
		t->n = old->n - 1;
		memcpy(t->at, old->at, k * sizeof(t->at[0]));
		memcpy(t->at + k, old->at + k + 1, (old->n - k - 1) * sizeof(t->at[0]));
		publish(s, old, t);
	} else {
		old->at[k].size =
			1; /* no memory for a copy: an interval that holds nothing useful */
		atomic_fetch_add(&s->version, 1);
	}
	u64 version = atomic_load(&s->version);
	while (!passed(s, version)) {
		pthread_mutex_unlock(&s->lock);
		sched_yield();
		pthread_mutex_lock(&s->lock);
	}
	retire(s);
	pthread_mutex_unlock(&s->lock);
}

void
space_enter(struct exec_space *s, struct reader *r)
{
	pthread_mutex_lock(&s->lock);
	atomic_store(&r->seen, atomic_load(&s->version));
	r->next = s->readers;
	s->readers = r;
	pthread_mutex_unlock(&s->lock);
}

void
space_leave(struct exec_space *s, struct reader *r)
{
	pthread_mutex_lock(&s->lock);
	for (struct reader **p = &s->readers; *p != NULL; p = &(*p)->next)
		if (*p == r) {
			*p = r->next;
			break;
		}
	pthread_mutex_unlock(&s->lock);
}

bool
space_quiesce(struct exec_space *s, struct reader *r)
{
	u64 now = atomic_load_explicit(&s->version, memory_order_acquire);
	if (now == atomic_load_explicit(&r->seen, memory_order_relaxed))
		return false;
	atomic_store(&r->seen, now);
	return true;
}

bool
space_find(struct exec_space *s, u64 addr, struct interval *out)
{
	const struct table *t = atomic_load_explicit(&s->table, memory_order_acquire);
	size_t k = lower(t, addr);
	if (k == t->n || addr < t->at[k].base)
		return false;
	*out = t->at[k];
	return true;
}
