/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * stream.c - streams and the order of their operations. A stream is a list of operations, oldest
 * first, and an HSA queue. A kernel goes into the queue as soon as all that it must wait for has ended
 * or stands in some queue itself: order within the queue is the barrier bit of every packet, order
 * against other queues a barrier packet over their signals. So no packet ever waits for something that
 * was not submitted. Whatever cannot be expressed like that (a host function or a copy comes first)
 * stays in the list, and the stream's own thread, started on first need, waits, runs it and submits
 * what follows. A mark is an operation that does nothing: events and waits for events are marks.
 *
 * The legacy stream waits for all blocking streams of its device and they for it: dependencies that
 * are added as an operation is appended.
 *
 * One lock (rt.lock) guards all of it. Operations are counted: by their stream until they have ended,
 * by those that wait for them (whose barrier packets use their signals), by events and by waiting
 * threads.
 */
#include "host-rt/rt.h"

#include <stdlib.h>
#include <string.h>

#define MOST_PENDING 256 /* operations of a stream; who appends more waits */

/* --- operations ------------------------------------------------------------------------------------- */

struct rt_op *
rt_op_new(struct rt_stream *s, enum rt_op_kind kind)
{
	struct rt_op *op = calloc(1, sizeof *op);
	if (!op)
		return NULL;
	op->refs = 1;
	op->kind = kind;
	op->stream = s;
	op->device = s->device;
	return op;
}

void
rt_op_drop(struct rt_op *op)
{
	if (--op->refs)
		return;
	struct rt_device *d = op->device;
	for (size_t i = 0; i < op->deps.n; i++)
		rt_op_drop(op->deps.p[i]);
	free(op->deps.p);
	if (op->dispatch.signal) {
		hal_signal_reset(op->dispatch.signal);
		if (!VEC_PUSH(&d->free_signals, op->dispatch.signal))
			hal_signal_free(op->dispatch.signal);
	}
	if (op->dispatch.kernarg)
		rt_kernarg_free(d, op->dispatch.kernarg, op->kernarg_class);
	free(op);
}

static bool
depend(struct rt_op *op, struct rt_op *on)
{
	if (!on || rt_op_done(on))
		return true;
	if (!VEC_PUSH(&op->deps, on))
		return false;
	on->refs++;
	return true;
}

/* Lets go of what came before, lest an event that is kept keeps all history. */
static void
finish(struct rt_op *op, u64 when)
{
	op->state = RT_OP_DONE;
	op->ended = when > op->born ? when : op->born;
	for (size_t i = 0; i < op->deps.n; i++)
		rt_op_drop(op->deps.p[i]);
	op->deps.n = 0;
}

/* Marks end by themselves when all that they depend on has ended. */
static bool
mark_done(struct rt_op *op)
{
	u64 when = op->born;
	for (size_t i = 0; i < op->deps.n; i++) {
		if (!rt_op_done(op->deps.p[i]))
			return false;
		if (op->deps.p[i]->ended > when)
			when = op->deps.p[i]->ended;
	}
	finish(op, when);
	return true;
}

bool
rt_op_done(struct rt_op *op)
{
	switch (op->state) {
	case RT_OP_DONE:
		return true;
	case RT_OP_WAITING:
		return false;
	case RT_OP_RUNNING:
		return false;
	case RT_OP_SUBMITTED:
		break;
	}
	if (op->kind == RT_OP_MARK)
		return mark_done(op);
	if (!hal_signal_done(op->dispatch.signal))
		return false;
	finish(op, op->device->error ? 0 : hal_signal_time(&op->device->gpu, op->dispatch.signal));
	return true;
}

/* Takes what has ended off the stream's list. */
static void
retire(struct rt_stream *s)
{
	while (s->head && rt_op_done(s->head)) {
		struct rt_op *op = s->head;
		s->head = op->next;
		if (s->submitted == op)
			s->submitted = NULL;
		s->length--;
		if (!s->head)
			s->tail = NULL;
		op->next = NULL;
		op->stream = NULL;
		rt_op_drop(op);
	}
}

/* --- submitting kernels ------------------------------------------------------------------------------ */

struct waits {
	struct rt_op **p;
	size_t n, cap;
};

/* Adds the kernels in other queues whose end says that op has ended; false when it is in none yet. */
static bool
add_waits(struct waits *w, struct rt_op *op, const struct rt_stream *same_queue)
{
	if (rt_op_done(op))
		return true;
	if (op->state != RT_OP_SUBMITTED)
		return false;
	if (op->kind == RT_OP_MARK) {
		for (size_t i = 0; i < op->deps.n; i++)
			if (!add_waits(w, op->deps.p[i], same_queue))
				return false;
		return true;
	}
	if (op->stream == same_queue)
		return true; /* the barrier bit orders it */
	return VEC_PUSH(w, op);
}

/* All that stands before op: what its stream got since the last kernel went into the queue (which waits
 * for what was before it), and its dependencies. */
static bool
collect(struct waits *w, struct rt_op *op)
{
	struct rt_stream *s = op->stream;
	for (struct rt_op *b = s->submitted ? s->submitted->next : s->head; b != op; b = b->next)
		if (!add_waits(w, b, s))
			return false;
	for (size_t i = 0; i < op->deps.n; i++)
		if (!add_waits(w, op->deps.p[i], s))
			return false;
	return true;
}

/* A barrier packet over the kernels of w. They become dependencies of op, lest one of their signals is
 * used again before the packet has looked at it. */
static bool
put_barrier(struct waits *w, struct rt_op *op)
{
	VEC(u64) signals = {0};
	bool ok = true;
	for (size_t i = 0; ok && i < w->n; i++) {
		ok = VEC_PUSH(&signals, w->p[i]->dispatch.signal) && VEC_PUSH(&op->deps, w->p[i]);
		w->p[i]->refs += ok;
	}
	if (ok)
		hal_queue_barrier(op->stream->queue, signals.p, signals.n);
	free(signals.p);
	return ok;
}

/* Puts a waiting kernel into the queue if it may go there; true when it is no longer waiting. */
static bool
submit(struct rt_op *op)
{
	struct waits w = {0};
	bool can = collect(&w, op);
	if (can && op->device->error) {
		finish(op, hal_now());
	} else if (can && w.n && !put_barrier(&w, op)) {
		can = false; /* out of memory: the stream's thread waits instead */
	} else if (can) {
		op->state = RT_OP_SUBMITTED;
		op->stream->submitted = op;
		hal_queue_dispatch(op->stream->queue, &op->dispatch);
	}
	free(w.p);
	return can;
}

/* --- the thread of a stream --------------------------------------------------------------------------- */

/* What op must still wait for, or NULL. */
static struct rt_op *
blocker(struct rt_op *op)
{
	for (struct rt_op *before = op->stream->head; before != op; before = before->next)
		if (!rt_op_done(before))
			return before;
	for (size_t i = 0; i < op->deps.n; i++)
		if (!rt_op_done(op->deps.p[i]))
			return op->deps.p[i];
	return NULL;
}

static void
run_host(struct rt *r, struct rt_op *op)
{
	op->state = RT_OP_RUNNING;
	op->refs++;
	if (!op->device->error || op->always) {
		rt_unlock(r);
		op->run(op->arg);
		rt_lock(r);
	}
	finish(op, hal_now());
	void (*drop)(void *) = op->drop;
	void *arg = op->arg;
	op->drop = NULL;
	rt_op_drop(op);
	if (drop) {
		rt_unlock(r);
		drop(arg);
		rt_lock(r);
	}
	pthread_cond_broadcast(&r->changed);
}

static void *
stream_thread(void *user)
{
	struct rt_stream *s = user;
	struct rt *r = rt_state();
	rt_lock(r);
	for (;;) {
		retire(s);
		struct rt_op *op = s->head;
		while (op && op->state != RT_OP_WAITING)
			op = op->next;
		if (!op) {
			if (s->stop)
				break;
			pthread_cond_wait(&r->changed, &r->lock);
			continue;
		}
		if (op->kind == RT_OP_KERNEL && submit(op)) {
			pthread_cond_broadcast(&r->changed);
			continue;
		}
		struct rt_op *first = blocker(op);
		if (first)
			rt_op_wait(r, first);
		else if (op->kind == RT_OP_HOST)
			run_host(r, op);
	}
	rt_unlock(r);
	return NULL;
}

static bool
worker_start(struct rt_stream *s)
{
	if (!s->has_worker)
		s->has_worker = !pthread_create(&s->worker, NULL, stream_thread, s);
	return s->has_worker;
}

/* --- appending ----------------------------------------------------------------------------------------- */

/* What CUDA's rules for the default stream put before an operation of s. */
static bool
depend_legacy(struct rt_op *op, struct rt_stream *s)
{
	struct rt_device *d = s->device;
	if (!s->legacy)
		return s->flags & cudaStreamNonBlocking || !d->legacy ||
		       depend(op, d->legacy->tail);
	for (struct rt_stream *t = d->streams; t; t = t->next)
		if (t != s && !(t->flags & cudaStreamNonBlocking) && !depend(op, t->tail))
			return false;
	return true;
}

static bool
append(struct rt_op *op, struct rt_op *after)
{
	struct rt_stream *s = op->stream;
	retire(s);
	/* A mark carries what stood before it; a kernel or host operation looks at the list. */
	if (!depend_legacy(op, s) || !depend(op, after) ||
		(op->kind == RT_OP_MARK && !depend(op, s->tail)))
		return false;
	op->born = hal_now();
	if (s->tail)
		s->tail->next = op;
	else
		s->head = op;
	s->tail = op;
	s->length++;
	if (op->kind == RT_OP_MARK)
		op->state = RT_OP_SUBMITTED;
	return true;
}

cudaError_t
rt_op_add(struct rt_op *op, struct rt_op *after)
{
	struct rt *r = rt_state();
	struct rt_stream *s = op->stream;
	cudaError_t e = cudaSuccess;
	rt_lock(r);
	while (s->length >= MOST_PENDING) { /* far fewer than a queue has packets */
		rt_op_wait(r, s->head);
		retire(s);
	}
	if (op->kind == RT_OP_KERNEL && !s->queue)
		s->queue = hal_queue_new(&s->device->gpu, &e);
	if (!e && !append(op, after))
		e = cudaErrorMemoryAllocation;
	if (e) {
		rt_op_drop(op);
	} else if (op->kind == RT_OP_HOST || (op->kind == RT_OP_KERNEL && !submit(op))) {
		if (!worker_start(s))
			e = cudaErrorOperatingSystem;
		pthread_cond_broadcast(&r->changed);
	}
	rt_unlock(r);
	return e;
}

void
rt_op_wait(struct rt *r, struct rt_op *op)
{
	op->refs++;
	while (!rt_op_done(op)) {
		struct rt_op *on = op;
		while (on->kind == RT_OP_MARK) { /* one of what it waits for */
			size_t i = 0;
			while (rt_op_done(on->deps.p[i]))
				i++;
			on = on->deps.p[i];
		}
		if (on->kind == RT_OP_KERNEL && on->state == RT_OP_SUBMITTED) {
			on->refs++;
			rt_unlock(r);
			hal_signal_wait(on->dispatch.signal);
			rt_lock(r);
			rt_op_drop(on);
		} else {
			pthread_cond_wait(&r->changed, &r->lock);
		}
	}
	rt_op_drop(op);
}

cudaError_t
rt_run_in_order(struct rt_stream *s, void (*fn)(void *), void *arg)
{
	struct rt *r = rt_state();
	struct rt_op *op = rt_op_new(s, RT_OP_HOST);
	if (!op)
		return cudaErrorMemoryAllocation;
	op->run = fn;
	op->arg = arg;
	rt_lock(r);
	op->state = RT_OP_RUNNING; /* by this thread: the stream's own keeps off */
	if (!append(op, NULL)) {
		rt_op_drop(op);
		rt_unlock(r);
		return cudaErrorMemoryAllocation;
	}
	struct rt_op *first;
	while ((first = blocker(op)))
		rt_op_wait(r, first);
	run_host(r, op);
	cudaError_t e = s->device->error;
	rt_unlock(r);
	return e;
}

cudaError_t
rt_run_async(struct rt_stream *s, void (*fn)(void *), void (*drop)(void *), void *arg, unsigned how)
{
	struct rt *r = rt_state();
	struct rt_op *op = rt_op_new(s, RT_OP_HOST);
	if (!op) {
		if (drop)
			drop(arg);
		return cudaErrorMemoryAllocation;
	}
	op->run = fn;
	op->drop = drop;
	op->arg = arg;
	rt_lock(r);
	op->always = how & RT_ALWAYS;
	bool now = how & RT_SOON && rt_stream_idle(s);
	if (now)
		op->state = RT_OP_RUNNING;
	if (!append(op, NULL)) {
		rt_op_drop(op);
		rt_unlock(r);
		if (drop)
			drop(arg);
		return cudaErrorMemoryAllocation;
	}
	cudaError_t e = cudaSuccess;
	if (now && !blocker(op)) {
		run_host(r, op);
	} else {
		op->state = RT_OP_WAITING;
		if (!worker_start(s))
			e = cudaErrorOperatingSystem;
		pthread_cond_broadcast(&r->changed);
	}
	rt_unlock(r);
	return e;
}

/* --- waiting for all of it ------------------------------------------------------------------------------ */

bool
rt_stream_idle(struct rt_stream *s)
{
	retire(s);
	return !s->head;
}

bool
rt_device_busy(struct rt_device *d)
{
	for (struct rt_stream *s = d->streams; s; s = s->next)
		if (!rt_stream_idle(s))
			return true;
	return false;
}

/* Waits for what is there now; others may go on appending, but not free the stream. */
static void
wait_all(struct rt *r, struct rt_stream *s)
{
	s->users++;
	if (!rt_stream_idle(s))
		rt_op_wait(r, s->tail);
	retire(s);
	if (!--s->users)
		pthread_cond_broadcast(&r->changed);
}

cudaError_t
rt_stream_sync(struct rt_stream *s)
{
	struct rt *r = rt_state();
	struct rt_device *d = s->device;
	rt_lock(r);
	wait_all(r, s);
	/* The legacy stream speaks for every blocking one. */
	for (struct rt_stream *t = s->legacy ? d->streams : NULL; t; t = t->next)
		if (!(t->flags & cudaStreamNonBlocking))
			wait_all(r, t);
	rt_service_drain(d);
	cudaError_t e = d->error;
	rt_unlock(r);
	return e;
}

cudaError_t
rt_device_sync(struct rt_device *d)
{
	struct rt *r = rt_state();
	rt_lock(r);
	for (struct rt_stream *s = d->streams; s; s = s->next)
		wait_all(r, s);
	rt_service_drain(d);
	cudaError_t e = d->error;
	rt_unlock(r);
	return e;
}

/* A fault ends everything on the device: kernels in queues will not end by themselves any more. */
void
rt_device_fault(struct rt_device *d, cudaError_t error)
{
	struct rt *r = rt_state();
	d->faults++;
	if (!d->error)
		d->error = error;
	for (struct rt_stream *s = d->streams; s; s = s->next)
		for (struct rt_op *op = s->head; op; op = op->next)
			if (op->kind == RT_OP_KERNEL && op->state == RT_OP_SUBMITTED)
				hal_signal_end(op->dispatch.signal);
	pthread_cond_broadcast(&r->changed);
}

/* --- streams ---------------------------------------------------------------------------------------------- */

struct rt_stream *
rt_stream_new(struct rt_device *d, unsigned flags, int priority)
{
	struct rt *r = rt_state();
	struct rt_stream *s = calloc(1, sizeof *s);
	if (!s || !rt_map_add(&r->handles, s, (void *)(uintptr_t)RT_STREAM)) {
		free(s);
		return NULL;
	}
	s->device = d;
	s->flags = flags;
	s->priority = priority;
	s->id = ++r->next_id;
	s->next = d->streams; /* the legacy one is the first made, so it is the last here */
	d->streams = s;
	return s;
}

void
rt_stream_free(struct rt_stream *s)
{
	struct rt *r = rt_state();
	struct rt_device *d = s->device;
	rt_lock(r);
	rt_map_del(&r->handles, s);
	wait_all(r, s);
	s->stop = true;
	pthread_cond_broadcast(&r->changed);
	bool has_worker = s->has_worker;
	rt_unlock(r);
	if (has_worker)
		pthread_join(s->worker, NULL);
	rt_lock(r);
	while (s->users || s->head) {
		retire(s);
		if (s->users)
			pthread_cond_wait(&r->changed, &r->lock);
	}
	struct rt_stream **at = &d->streams;
	while (*at != s)
		at = &(*at)->next;
	*at = s->next;
	rt_unlock(r);
	if (s->queue)
		hal_queue_free(s->queue);
	free(s);
}
