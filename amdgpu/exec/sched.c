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
 * checked again. A workgroup whose waves can never go on (stuck.c) is put aside; when the others have ended,
 * the dispatch is a deadlock. Four times a second a thread looks whether its waves only poll; if those of all
 * threads do so for long, the user is told where, once. Runs with a seed or a limit look at no clock: they
 * find workgroups that wait or are halted, not those that poll.
 */
#include "amdgpu/exec/wave.h"
#include <fenv.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum {
	QUANTUM = 1 << 15, /* instructions */
	PATIENCE = 16,     /* rounds without an end before more workgroups are admitted */
	LATEST = 256,      /* the same, where a GPU would admit none */
	MOST = 32,         /* times the workgroups that a GPU would keep */
	LOOK_NS = 250000000 /* without an end of a workgroup: are they stuck? */
};

struct share { /* what one thread runs of one dispatch */
	struct dispatch *d;
	struct group *groups, *spare;
	u32 n;
	u32 rounds, patience;
	u64 random;
	u64 instructions, waves;
	struct exec_fault fault;
	u64 look, stuck_since; /* when to look for stuck waves, 0: never; and since when all are */
	bool stuck;
	struct snapshot shot;
	const struct uop *entry; /* where waves begin, once known */
	struct region *region;
	struct desk desk;
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

/* How many instructions the wave may run now. False: the dispatch has had all of its own. */
static bool
budget_take(struct share *s, struct group *g, struct wave *w, i64 budget)
{
	const struct exec_config *c = &g->dispatch->e->config;
	w->budget = budget;
	if (c->limit == 0)
		return true;
	u64 spent = atomic_load_explicit(&g->dispatch->spent, memory_order_relaxed);
	if (spent >= c->limit) {
		s->fault.kind = EXEC_FAULT_LIMIT;
		return wave_fault(w, EXEC_FAULT_LIMIT, "more than %llu instructions",
			(unsigned long long)c->limit);
	}
	if (c->limit - spent < (u64)budget)
		w->budget = (i64)(c->limit - spent);
	return true;
}

static void
at_barrier(struct group *g, struct wave *w)
{
	bool arrives = w->pc[-1].k[0] == 0; /* else s_barrier_wait, whose arrival is a signal */
	if (w->signalled) { /* counted by its signal; all may have come since */
		w->signalled = false;
		w->waiting = w->signalled_at == g->barriers;
		return;
	}
	w->waiting = true;
	if (arrives) {
		g->arrived++;
		barrier_check(g);
	}
}

enum stop
wave_turn(struct share *s, struct group *g, struct wave *w, i64 budget)
{
	struct exec *e = g->dispatch->e;
	w->fault = &s->fault;
	if (w->pc == NULL && s->entry != NULL) {
		w->pc = s->entry;
		w->region = s->region;
	} else if (w->pc == NULL) {
		w->pc = s->entry = code_at(
			e, g->dispatch->entry, g->dispatch->wave_size, &s->region, &s->fault);
		w->region = s->region;
		if (w->pc == NULL) {
			wave_fault(w, EXEC_FAULT_PC, NULL);
			return STOP_FAULT;
		}
	}
	if (!budget_take(s, g, w, budget))
		return STOP_FAULT;
	u64 before = w->count;
	enum stop stop = e->runner->run(w);
	s->instructions += w->count - before;
	if (e->config.limit)
		atomic_fetch_add(&g->dispatch->spent, w->count - before);
	if (stop == STOP_BARRIER) {
		at_barrier(g, w);
	} else if (stop == STOP_END) {
		w->ended = true;
		g->alive--;
		if (w->signalled && w->signalled_at == g->barriers)
			g->arrived--; /* its arrival leaves with it */
		s->waves++;
		barrier_check(g);
	}
	return stop;
}

/* One round over the waves of a workgroup; a workgroup alone goes on until it ends or waits for others. */
static bool
group_turn(struct share *s, struct group *g, bool *busy)
{
	bool seeded = s->d->e->config.seed != 0;
	u32 first = seeded ? (u32)(next_random(s) % g->nwaves) : 0;
	for (u32 k = 0; k < g->nwaves; k++) {
		struct wave *w = &g->wave[(first + k) % g->nwaves];
		w->fault = &s->fault;
		if (w->delay != NULL && !delay_tick(w))
			return false;
		if (w->ended || w->waiting || w->halted)
			continue;
		i64 budget = seeded ? 1 + (i64)(next_random(s) % QUANTUM) : QUANTUM;
		enum stop stop = wave_turn(s, g, w, budget);
		if (stop == STOP_FAULT)
			return false;
		*busy |= stop == STOP_QUANTUM;
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
	for (u32 i = 0; i < g->nwaves; i++) {
		struct wave *w = &g->wave[i];
		w->tmp = s->desk.tmp;
		w->out = s->desk.out;
		w->wide = s->desk.wide;
		w->wide2 = s->desk.wide2;
		w->near = s->desk.near;
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
	if (g->counts != NULL)
		count_group_end(g);
	*p = g->next;
	g->next = s->spare;
	s->spare = g;
	s->n--;
	atomic_fetch_sub(&s->d->resident, 1);
}

/* A workgroup that can never end: the dispatch will fault, when all others have ended. */
static void
bury(struct share *s, struct group **p, enum stuck how, const struct wave *polls)
{
	struct dispatch *d = s->d;
	struct exec_fault f;
	stuck_describe(*p, how, polls, &f);
	pthread_mutex_lock(&d->lock);
	if (d->dead.kind == EXEC_FAULT_NONE)
		d->dead = f;
	pthread_mutex_unlock(&d->lock);
	retire(s, p);
	if (d->e->config.hw_limit)
		atomic_fetch_add(&d->resident, 1); /* it keeps its place */
}

/* --- waves that only poll ---------------------------------------------------------------------------- */

static u64
clock_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (u64)t.tv_sec * 1000000000u + (u64)t.tv_nsec;
}

static void
set_stuck(struct share *s, bool stuck, u64 now)
{
	if (stuck == s->stuck)
		return;
	s->stuck = stuck;
	s->stuck_since = now;
	if (stuck)
		atomic_fetch_add(&s->d->stuck, 1);
	else
		atomic_fetch_sub(&s->d->stuck, 1);
}

/* All threads' waves have polled for long: tells the user, or ends what can never end. */
static bool
tell(struct share *s, struct group *g, const struct wave *polls)
{
	struct dispatch *d = s->d;
	const struct exec_config *c = &d->e->config;
	pthread_mutex_lock(&d->lock);
	bool dead = d->dead.kind != EXEC_FAULT_NONE;
	pthread_mutex_unlock(&d->lock);
	if (dead) {
		s->fault = d->dead;
		fail(s);
		return false;
	}
	if (c->spin == NULL || polls == NULL || atomic_exchange(&d->warned, true))
		return true;
	struct exec_fault at;
	stuck_describe(g, STUCK_POLLS, polls, &at);
	c->spin(c->user, d->p, &at);
	return true;
}

/* Looks whether every wave of this thread polls or waits. False: something faulted meanwhile. */
static bool
look(struct share *s, u64 now)
{
	struct group *polling = NULL;
	const struct wave *polls = NULL;
	bool all = true;
	for (struct group **p = &s->groups; *p != NULL && all;) {
		enum stuck how = stuck_group(s, *p, &s->shot);
		if (s->fault.kind != EXEC_FAULT_NONE) {
			fail(s);
			return false;
		}
		if (how == STUCK_DEAD) {
			bury(s, p, how, s->shot.polls);
			continue;
		}
		all = how == STUCK_POLLS && clock_ns() - now < LOOK_NS / 10;
		if (polling == NULL) {
			polling = *p;
			polls = s->shot.polls;
		}
		p = &(*p)->next;
	}
	set_stuck(s, all && polling != NULL, now);
	u64 patience = s->d->e->config.spin_seconds * 1000000000ull;
	if (!s->stuck || patience == 0 || now - s->stuck_since < patience ||
		atomic_load(&s->d->stuck) < atomic_load(&s->d->shares))
		return true;
	return tell(s, polling, polls);
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
		} else if (group_waits(g)) {
			bury(s, p, STUCK_DEAD, NULL);
			ended = true;
		} else {
			p = &g->next;
		}
	}
	if (ended)
		s->rounds = 0;
	if (s->look) {
		u64 now = clock_ns();
		if (ended) {
			set_stuck(s, false, now);
			s->look = now + LOOK_NS;
		} else if (now >= s->look) {
			if (!look(s, now))
				return false;
			s->look = clock_ns() + LOOK_NS;
		}
	}
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
	if (d->e->config.seed == 0 && d->e->config.limit == 0)
		s.look = clock_ns() + LOOK_NS;
	atomic_fetch_add(&d->shares, 1);
	space_enter(d->e->space, &reader);
	while (!atomic_load_explicit(&d->stop, memory_order_relaxed) && (s.n > 0 || admit(&s))) {
		if (!round_robin(&s))
			break;
		if (!space_quiesce(d->e->space, &reader))
			continue;
		memset(s.desk.near, 0, sizeof(s.desk.near));
		for (struct group *g = s.groups; g != NULL; g = g->next)
			for (u32 i = 0; i < g->nwaves; i++)
				g->wave[i].load = g->wave[i].store = (struct mem_near){0, 0};
	}
	space_leave(d->e->space, &reader);
	fesetenv(&env);
	set_stuck(&s, false, 0);
	atomic_fetch_sub(&d->shares, 1);
	free(s.shot.p);
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
