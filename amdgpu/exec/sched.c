/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * sched.c - who runs when. The thread that calls exec_run works on its dispatch to the end; the device's
 * worker threads join any dispatch that has workgroups left. Each thread keeps some workgroups resident
 * and gives their waves quanta of instructions in turn, so waves and workgroups that wait for each other
 * by polling make progress. It begins with one workgroup (best for caches) and admits more when none has
 * ended for a while, at once when every wave sleeps; up to what the hardware would keep, then ever more
 * slowly, or never with hw_limit.
 *
 * A wave that ends leaves its barrier: the count of those that must arrive shrinks, and completion is
 * checked again. A workgroup whose waves can never go on is a deadlock.
 */
#include "amdgpu/exec/wave.h"
#include <fenv.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

enum {
	QUANTUM = 1 << 15, /* instructions */
	PATIENCE = 16,     /* rounds without an end before more workgroups are admitted */
	LATEST = 256,      /* the same, where a GPU would admit none */
	MOST = 32          /* times the workgroups that a GPU would keep */
};

struct share { /* what one thread runs of one dispatch */
	struct dispatch *d;
	struct group *groups, *spare;
	u32 n;
	u32 rounds, patience;
	u64 random;
	u64 instructions, waves;
	struct exec_fault fault;
};

static u64
next_random(struct share *s)
{
	s->random ^= s->random << 13;
	s->random ^= s->random >> 7;
	s->random ^= s->random << 17;
	return s->random;
}

static void
fail(struct share *s)
{
	struct dispatch *d = s->d;
	pthread_mutex_lock(&d->lock);
	if (d->fault->kind == EXEC_FAULT_NONE)
		*d->fault = s->fault;
	pthread_mutex_unlock(&d->lock);
	atomic_store(&d->stop, true);
}

/* --- barriers ---------------------------------------------------------------------------------------- */

void
barrier_check(struct group *g)
{
	if (g->arrived == 0 || g->arrived < g->alive)
		return;
	g->arrived = 0;
	g->barriers++;
	for (u32 i = 0; i < g->nwaves; i++)
		g->wave[i].waiting = false;
}

/* Runs one wave for a quantum. False: it faulted. */
static bool
wave_turn(struct share *s, struct group *g, struct wave *w, bool *busy)
{
	struct exec *e = g->dispatch->e;
	w->fault = &s->fault;
	w->budget = QUANTUM;
	if (e->config.seed)
		w->budget = 1 + (i64)(next_random(s) % QUANTUM);
	if (w->pc == NULL) {
		w->pc = code_at(
			e, g->dispatch->entry, g->dispatch->wave_size, &w->region, &s->fault);
		if (w->pc == NULL) {
			wave_fault(w, EXEC_FAULT_PC, NULL);
			return false;
		}
	}
	u64 before = w->count;
	enum stop stop = e->runner->run(w);
	s->instructions += w->count - before;
	switch (stop) {
	case STOP_QUANTUM:
		*busy = true;
		break;
	case STOP_BARRIER:
		if (w->signalled) { /* counted by its signal; all may have come since */
			w->signalled = false;
			w->waiting = w->signalled_at == g->barriers;
			break;
		}
		w->waiting = true;
		g->arrived++;
		barrier_check(g);
		break;
	case STOP_END:
		w->ended = true;
		g->alive--;
		if (w->signalled && w->signalled_at == g->barriers)
			g->arrived--; /* its arrival leaves with it */
		s->waves++;
		barrier_check(g);
		break;
	case STOP_FAULT:
		return false;
	case STOP_SLEEP:
	case STOP_NONE:
		break;
	}
	return true;
}

/* One round over the waves of a workgroup; a workgroup alone goes on until it ends or waits for others. */
static bool
group_turn(struct share *s, struct group *g, bool *busy)
{
	u32 first = s->d->e->config.seed ? (u32)(next_random(s) % g->nwaves) : 0;
	for (u32 k = 0; k < g->nwaves; k++) {
		struct wave *w = &g->wave[(first + k) % g->nwaves];
		if (w->ended || w->waiting)
			continue;
		if (!wave_turn(s, g, w, busy))
			return false;
	}
	return true;
}

/* --- residency --------------------------------------------------------------------------------------- */

static bool
admit(struct share *s)
{
	struct dispatch *d = s->d;
	if (d->e->config.hw_limit && atomic_load(&d->resident) >= d->cap)
		return false;
	u64 number = atomic_fetch_add(&d->claimed, 1);
	if (number >= d->ngroups) {
		atomic_fetch_sub(&d->claimed, 1);
		return false;
	}
	if (d->order_mul) /* a seeded permutation of the grid */
		number = number * d->order_mul % d->ngroups;
	struct group *g = s->spare;
	if (g != NULL) {
		s->spare = g->next;
		group_reset(g, number);
	} else {
		g = group_new(d, number);
	}
	if (g == NULL) {
		s->fault.kind = EXEC_FAULT_MEMORY;
		snprintf(s->fault.what, sizeof(s->fault.what), "no host memory for a workgroup");
		fail(s);
		return false;
	}
	atomic_fetch_add(&d->resident, 1);
	/* at the end of the list, so that older workgroups go first */
	struct group **p = &s->groups;
	while (*p != NULL)
		p = &(*p)->next;
	g->next = NULL;
	*p = g;
	s->n++;
	return true;
}

static void
retire(struct share *s, struct group **p)
{
	struct group *g = *p;
	*p = g->next;
	g->next = s->spare;
	s->spare = g;
	s->n--;
	atomic_fetch_sub(&s->d->resident, 1);
}

/* One round over all resident workgroups. False: nothing is left to do or something faulted. */
static bool
round_robin(struct share *s)
{
	bool busy = false, ended = false;
	for (struct group **p = &s->groups; *p != NULL;) {
		struct group *g = *p;
		if (!group_turn(s, g, &busy)) {
			fail(s);
			return false;
		}
		if (g->alive == 0) {
			retire(s, p);
			ended = true;
		} else {
			p = &g->next;
		}
	}
	if (ended)
		s->rounds = 0;
	if (s->n == 0)
		return admit(s);
	s->rounds++;
	bool stalled = !busy && !ended; /* all sleep or stand at barriers */
	if (stalled)
		sched_yield();
	u32 resident = atomic_load(&s->d->resident), cap = s->d->cap;
	if (resident < cap && (stalled || s->rounds >= s->patience)) {
		s->rounds = 0;
		for (u32 k = s->n < cap - resident ? s->n : cap - resident; k > 0 && admit(s); k--)
			continue;
	} else if (s->rounds >= s->patience && resident < MOST * cap) {
		/* more than a GPU would keep: a quarter more at a time, ever later */
		s->rounds = 0;
		if (s->patience < LATEST)
			s->patience *= 2;
		for (u32 k = s->n / 4 + 1; k > 0 && admit(s); k--)
			continue;
	}
	return true;
}

/* Works on a dispatch until no workgroup is left for this thread. */
static void
share_run(struct dispatch *d, u64 salt)
{
	struct share s = {.d = d,
		.patience = PATIENCE,
		.random = d->e->config.seed * 0x9e3779b97f4a7c15u + salt + 1};
	struct reader reader = {0};
	fenv_t env;
	fegetenv(&env);
	fesetenv(FE_DFL_ENV); /* the caller may have set flush-to-zero or another rounding */
	s.fault.thread[0] = ~0u;
	space_enter(d->e->space, &reader);
	while (!atomic_load_explicit(&d->stop, memory_order_relaxed) && (s.n > 0 || admit(&s))) {
		if (!round_robin(&s))
			break;
		if (space_quiesce(d->e->space, &reader))
			for (struct group *g = s.groups; g != NULL; g = g->next)
				for (u32 i = 0; i < g->nwaves; i++)
					g->wave[i].load = g->wave[i].store =
						(struct mem_near){0, 0};
	}
	space_leave(d->e->space, &reader);
	fesetenv(&env);
	while (s.groups != NULL)
		retire(&s, &s.groups);
	while (s.spare != NULL) {
		struct group *g = s.spare;
		s.spare = g->next;
		group_free(g);
	}
	pthread_mutex_lock(&d->lock);
	d->instructions += s.instructions;
	d->nwaves += s.waves;
	pthread_mutex_unlock(&d->lock);
}

/* --- workers ------------------------------------------------------------------------------------------ */

/* A dispatch that could use another thread; called locked. */
static struct dispatch *
pick(struct exec *e)
{
	for (struct dispatch *d = e->dispatches; d != NULL; d = d->next)
		if (!atomic_load(&d->stop) && atomic_load(&d->claimed) < d->ngroups &&
			!(e->config.hw_limit && atomic_load(&d->resident) >= d->cap))
			return d;
	return NULL;
}

static void *
worker(void *arg)
{
	struct exec *e = arg;
	pthread_mutex_lock(&e->lock);
	for (u64 salt = 1; !e->quit; salt++) {
		struct dispatch *d = pick(e);
		if (d == NULL) {
			pthread_cond_wait(&e->work, &e->lock);
			continue;
		}
		d->workers++;
		pthread_mutex_unlock(&e->lock);
		share_run(d, salt);
		pthread_mutex_lock(&e->lock);
		if (--d->workers == 0)
			pthread_cond_broadcast(&e->idle);
	}
	pthread_mutex_unlock(&e->lock);
	return NULL;
}

void
sched_run(struct exec *e, struct dispatch *d)
{
	pthread_mutex_lock(&e->lock);
	d->next = e->dispatches;
	e->dispatches = d;
	if (d->ngroups > 1)
		pthread_cond_broadcast(&e->work);
	pthread_mutex_unlock(&e->lock);
	/* A worker may hold the last workgroups; this thread then waits for it. */
	share_run(d, 0);
	pthread_mutex_lock(&e->lock);
	while (d->workers > 0) /* exec_stop still finds it */
		pthread_cond_wait(&e->idle, &e->lock);
	for (struct dispatch **p = &e->dispatches; *p != NULL; p = &(*p)->next)
		if (*p == d) {
			*p = d->next;
			break;
		}
	pthread_mutex_unlock(&e->lock);
}

void
exec_stop(struct exec *e, u64 queue)
{
	pthread_mutex_lock(&e->lock);
	for (struct dispatch *d = e->dispatches; d != NULL; d = d->next)
		if (d->queue == queue)
			atomic_store(&d->stop, true);
	pthread_mutex_unlock(&e->lock);
}

bool
sched_start(struct exec *e)
{
	pthread_mutex_init(&e->lock, NULL);
	pthread_cond_init(&e->work, NULL);
	pthread_cond_init(&e->idle, NULL);
	u32 n = e->config.threads - 1;
	e->threads = calloc(n + 1, sizeof(*e->threads));
	if (e->threads == NULL)
		return false;
	while (e->nthreads < n && pthread_create(&e->threads[e->nthreads], NULL, worker, e) == 0)
		e->nthreads++;
	return true;
}

void
sched_stop(struct exec *e)
{
	pthread_mutex_lock(&e->lock);
	e->quit = true;
	pthread_cond_broadcast(&e->work);
	pthread_mutex_unlock(&e->lock);
	for (u32 i = 0; i < e->nthreads; i++)
		pthread_join(e->threads[i], NULL);
	free(e->threads);
	pthread_mutex_destroy(&e->lock);
	pthread_cond_destroy(&e->work);
	pthread_cond_destroy(&e->idle);
}
