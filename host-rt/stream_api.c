/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * stream_api.c - streams, events and host functions of the runtime API. The handles 0,
 * cudaStreamLegacy and cudaStreamPerThread are names of streams that belong to the device or to a
 * thread; those of a thread are freed when it ends, if they are idle.
 */
#include "host-rt/rt.h"

#include <stdlib.h>

/* --- the stream of a thread ---------------------------------------------------------------------------- */

struct own { /* a thread's streams, by device */
	struct rt_stream *streams[RT_DEVICES];
};
static pthread_key_t own_key;
static pthread_once_t own_once = PTHREAD_ONCE_INIT;
static _Thread_local struct own *own;

/* A thread ends without waiting for its work: a stream that is not idle stays until the reset. */
static void
own_free(void *p)
{
	struct rt *r = rt_state();
	struct own *o = p;
	for (int i = 0; i < RT_DEVICES; i++) {
		struct rt_stream *s = o->streams[i];
		rt_lock(r);
		bool idle = rt_map_find(&r->handles, s) && rt_stream_idle(s);
		rt_unlock(r);
		if (idle)
			rt_stream_free(s);
	}
	free(o);
}

static void
own_make_key(void)
{
	pthread_key_create(&own_key, own_free);
}

static cudaError_t
own_stream(struct rt_device *d, struct rt_stream **s)
{
	struct rt *r = rt_state();
	pthread_once(&own_once, own_make_key);
	if (!own) {
		own = calloc(1, sizeof *own);
		if (!own)
			return cudaErrorMemoryAllocation;
		pthread_setspecific(own_key, own);
	}
	struct rt_stream **mine = &own->streams[d->ordinal];
	rt_lock(r);
	if (!*mine || !rt_map_find(&r->handles, *mine)) /* or a reset took it */
		*mine = rt_stream_new(d, 0, 0);
	rt_unlock(r);
	*s = *mine;
	return *s ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t
rt_stream_find(cudaStream_t handle, struct rt_stream **s)
{
	struct rt_device *d;
	cudaError_t e = rt_device_get(&d);
	if (e)
		return e;
	if (handle == cudaStreamPerThread || (!handle && rt_per_thread))
		return own_stream(d, s);
	if (!handle || handle == cudaStreamLegacy) {
		*s = d->legacy;
		return cudaSuccess;
	}
	if (!rt_handle_is(handle, RT_STREAM))
		return cudaErrorInvalidResourceHandle;
	*s = (struct rt_stream *)handle;
	rt_lock(rt_state());
	e = (*s)->device->error; /* it may be another device's */
	rt_unlock(rt_state());
	return e;
}

/* --- streams --------------------------------------------------------------------------------------------- */

cudaError_t
rt_cudaStreamCreateWithPriority(cudaStream_t *pStream, unsigned int flags, int priority)
{
	struct rt *r = rt_state();
	struct rt_device *d;
	cudaError_t e = rt_device_get(&d);
	if (e)
		return e;
	if (!pStream || flags & ~(unsigned)cudaStreamNonBlocking)
		return cudaErrorInvalidValue;
	(void)priority; /* the range is 0 to 0: all others mean 0 */
	rt_lock(r);
	struct rt_stream *s = rt_stream_new(d, flags, 0);
	rt_unlock(r);
	if (!s)
		return cudaErrorMemoryAllocation;
	*pStream = (cudaStream_t)s;
	return cudaSuccess;
}

cudaError_t
rt_cudaStreamCreateWithFlags(cudaStream_t *pStream, unsigned int flags)
{
	return rt_cudaStreamCreateWithPriority(pStream, flags, 0);
}

cudaError_t
rt_cudaStreamCreate(cudaStream_t *pStream)
{
	return rt_cudaStreamCreateWithPriority(pStream, cudaStreamDefault, 0);
}

/* Only streams that were created can be destroyed. CUDA returns at once and ends the work later; here
 * the call waits for it. */
cudaError_t
rt_cudaStreamDestroy(cudaStream_t stream)
{
	struct rt_device *d;
	cudaError_t e = rt_device_at(rt_current(), &d);
	if (e)
		return e;
	if (!rt_handle_is(stream, RT_STREAM) || (struct rt_stream *)stream == d->legacy)
		return cudaErrorInvalidResourceHandle;
	rt_stream_free((struct rt_stream *)stream);
	return cudaSuccess;
}

cudaError_t
rt_cudaStreamSynchronize(cudaStream_t stream)
{
	struct rt_stream *s;
	cudaError_t e = rt_stream_find(stream, &s);
	return e ? e : rt_stream_sync(s);
}

cudaError_t
rt_cudaStreamQuery(cudaStream_t stream)
{
	struct rt *r = rt_state();
	struct rt_stream *s;
	cudaError_t e = rt_stream_find(stream, &s);
	if (e)
		return e;
	rt_lock(r);
	e = rt_stream_idle(s) ? cudaSuccess : cudaErrorNotReady;
	for (struct rt_stream *t = s->legacy ? s->device->streams : NULL; t; t = t->next)
		if (!(t->flags & cudaStreamNonBlocking) && !rt_stream_idle(t))
			e = cudaErrorNotReady;
	if (s->device->error)
		e = s->device->error;
	rt_unlock(r);
	return e;
}

cudaError_t
rt_cudaStreamGetFlags(cudaStream_t hStream, unsigned int *flags)
{
	struct rt_stream *s;
	if (!flags)
		return cudaErrorInvalidValue;
	cudaError_t e = rt_stream_find(hStream, &s);
	if (!e)
		*flags = s->flags;
	return e;
}

cudaError_t
rt_cudaStreamGetPriority(cudaStream_t hStream, int *priority)
{
	struct rt_stream *s;
	if (!priority)
		return cudaErrorInvalidValue;
	cudaError_t e = rt_stream_find(hStream, &s);
	if (!e)
		*priority = s->priority;
	return e;
}

cudaError_t
rt_cudaStreamGetId(cudaStream_t hStream, unsigned long long *streamId)
{
	struct rt_stream *s;
	if (!streamId)
		return cudaErrorInvalidValue;
	cudaError_t e = rt_stream_find(hStream, &s);
	if (!e)
		*streamId = s->id;
	return e;
}

cudaError_t
rt_cudaStreamGetDevice(cudaStream_t hStream, int *device)
{
	struct rt_stream *s;
	if (!device)
		return cudaErrorInvalidValue;
	cudaError_t e = rt_stream_find(hStream, &s);
	if (!e)
		*device = s->device->ordinal;
	return e;
}

/* No stream captures: graphs do not exist yet, and cudaStreamBeginCapture says so. */
cudaError_t
rt_cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *pCaptureStatus)
{
	struct rt_stream *s;
	if (!pCaptureStatus)
		return cudaErrorInvalidValue;
	cudaError_t e = rt_stream_find(stream, &s);
	if (!e)
		*pCaptureStatus = cudaStreamCaptureStatusNone;
	return e;
}

cudaError_t
rt_cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus *captureStatus_out,
	unsigned long long *id_out, cudaGraph_t *graph_out,
	const cudaGraphNode_t **dependencies_out, size_t *numDependencies_out)
{
	(void)id_out;
	(void)graph_out;
	(void)dependencies_out;
	(void)numDependencies_out; /* are written while capturing only */
	return rt_cudaStreamIsCapturing(stream, captureStatus_out);
}

cudaError_t
rt_cudaStreamGetCaptureInfo_v3(cudaStream_t stream, enum cudaStreamCaptureStatus *captureStatus_out,
	unsigned long long *id_out, cudaGraph_t *graph_out,
	const cudaGraphNode_t **dependencies_out, const cudaGraphEdgeData **edgeData_out,
	size_t *numDependencies_out)
{
	(void)edgeData_out;
	return rt_cudaStreamGetCaptureInfo(stream, captureStatus_out, id_out, graph_out,
		dependencies_out, numDependencies_out);
}

/* Managed memory is visible to every stream and to the host at all times. */
cudaError_t
rt_cudaStreamAttachMemAsync(cudaStream_t stream, void *devPtr, size_t length, unsigned int flags)
{
	struct rt *r = rt_state();
	struct rt_stream *s;
	(void)length;
	cudaError_t e = rt_stream_find(stream, &s);
	if (e)
		return e;
	if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost &&
		flags != cudaMemAttachSingle)
		return cudaErrorInvalidValue;
	rt_lock(r);
	struct rt_block *b = rt_block_find(r, devPtr);
	if (!b || b->type != cudaMemoryTypeManaged)
		e = cudaErrorInvalidValue;
	rt_unlock(r);
	return e;
}

/* --- events ------------------------------------------------------------------------------------------------ */

static cudaError_t
event_get(cudaEvent_t handle, struct rt_event **ev)
{
	struct rt_device *d;
	cudaError_t e = rt_device_get(&d);
	if (e)
		return e;
	if (!rt_handle_is(handle, RT_EVENT))
		return cudaErrorInvalidResourceHandle;
	*ev = (struct rt_event *)handle;
	return cudaSuccess;
}

cudaError_t
rt_cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags)
{
	struct rt *r = rt_state();
	struct rt_device *d;
	cudaError_t e = rt_device_get(&d);
	if (e)
		return e;
	unsigned all = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
	if (!event || flags & ~all ||
		(flags & (cudaEventInterprocess | cudaEventDisableTiming)) == cudaEventInterprocess)
		return cudaErrorInvalidValue;
	struct rt_event *ev = calloc(1, sizeof *ev);
	if (!ev)
		return cudaErrorMemoryAllocation;
	ev->device = d;
	ev->flags = flags;
	rt_lock(r);
	bool added = rt_map_add(&r->handles, ev, (void *)(uintptr_t)RT_EVENT);
	rt_unlock(r);
	if (!added) {
		free(ev);
		return cudaErrorMemoryAllocation;
	}
	*event = (cudaEvent_t)ev;
	return cudaSuccess;
}

cudaError_t
rt_cudaEventCreate(cudaEvent_t *event)
{
	return rt_cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t
rt_cudaEventDestroy(cudaEvent_t event)
{
	struct rt *r = rt_state();
	if (!rt_handle_is(event, RT_EVENT))
		return cudaErrorInvalidResourceHandle;
	struct rt_event *ev = (struct rt_event *)event;
	rt_lock(r);
	rt_map_del(&r->handles, ev);
	if (ev->op)
		rt_op_drop(ev->op);
	rt_unlock(r);
	free(ev);
	return cudaSuccess;
}

/* An event is a mark in the stream; its time is when all before it had ended, or when it was
 * recorded if that was later. */
cudaError_t
rt_cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags)
{
	struct rt *r = rt_state();
	struct rt_stream *s;
	struct rt_event *ev;
	cudaError_t e = event_get(event, &ev);
	if (!e)
		e = rt_stream_find(stream, &s);
	if (e)
		return e;
	if (flags & ~(unsigned)cudaEventRecordExternal)
		return cudaErrorInvalidValue;
	if (ev->device != s->device)
		return cudaErrorInvalidResourceHandle;
	struct rt_op *op = rt_op_new(s, RT_OP_MARK);
	if (!op)
		return cudaErrorMemoryAllocation;
	op->refs++; /* the event's */
	e = rt_op_add(op, NULL);
	rt_lock(r);
	if (e) {
		rt_op_drop(op);
	} else {
		if (ev->op)
			rt_op_drop(ev->op);
		ev->op = op;
	}
	rt_unlock(r);
	return e;
}

cudaError_t
rt_cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
	return rt_cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault);
}

cudaError_t
rt_cudaEventQuery(cudaEvent_t event)
{
	struct rt *r = rt_state();
	struct rt_event *ev;
	cudaError_t e = event_get(event, &ev);
	if (e)
		return e;
	rt_lock(r);
	e = !ev->op || rt_op_done(ev->op) ? ev->device->error : cudaErrorNotReady;
	rt_unlock(r);
	return e;
}

cudaError_t
rt_cudaEventSynchronize(cudaEvent_t event)
{
	struct rt *r = rt_state();
	struct rt_event *ev;
	cudaError_t e = event_get(event, &ev);
	if (e)
		return e;
	rt_lock(r);
	if (ev->op)
		rt_op_wait(r, ev->op);
	rt_service_drain(ev->device);
	e = ev->device->error;
	rt_unlock(r);
	return e;
}

cudaError_t
rt_cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end)
{
	struct rt *r = rt_state();
	struct rt_event *a, *b;
	if (!ms)
		return cudaErrorInvalidValue;
	cudaError_t e = event_get(start, &a);
	if (!e)
		e = event_get(end, &b);
	if (e)
		return e;
	rt_lock(r);
	if (!a->op || !b->op || (a->flags | b->flags) & cudaEventDisableTiming ||
		a->device != b->device)
		e = cudaErrorInvalidResourceHandle;
	else if (!rt_op_done(a->op) || !rt_op_done(b->op))
		e = cudaErrorNotReady;
	else
		*ms = (float)((double)(i64)(b->op->ended - a->op->ended) / 1e6);
	rt_unlock(r);
	return e;
}

cudaError_t
rt_cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags)
{
	struct rt *r = rt_state();
	struct rt_stream *s;
	struct rt_event *ev;
	cudaError_t e = rt_stream_find(stream, &s);
	if (!e)
		e = event_get(event, &ev);
	if (e)
		return e;
	if (flags & ~(unsigned)cudaEventWaitExternal)
		return cudaErrorInvalidValue;
	rt_lock(r);
	struct rt_op *on = ev->op;
	if (on)
		on->refs++;
	rt_unlock(r);
	if (!on)
		return cudaSuccess; /* never recorded: nothing to wait for */
	struct rt_op *op = rt_op_new(s, RT_OP_MARK);
	e = op ? rt_op_add(op, on) : cudaErrorMemoryAllocation;
	rt_lock(r);
	rt_op_drop(on);
	rt_unlock(r);
	return e;
}

/* --- host functions --------------------------------------------------------------------------------------- */

struct callback {
	cudaStream_t stream;
	struct rt_device *device;
	cudaStreamCallback_t fn;
	void *data;
};

static void
callback_run(void *p)
{
	struct callback *c = p;
	struct rt *r = rt_state();
	rt_lock(r);
	cudaError_t e = c->device->error;
	rt_unlock(r);
	c->fn(c->stream, e, c->data);
}

cudaError_t
rt_cudaStreamAddCallback(
	cudaStream_t stream, cudaStreamCallback_t callback, void *userData, unsigned int flags)
{
	struct rt_stream *s;
	cudaError_t e = rt_stream_find(stream, &s);
	if (e)
		return e;
	if (!callback || flags)
		return cudaErrorInvalidValue;
	struct callback *c = malloc(sizeof *c);
	if (!c)
		return cudaErrorMemoryAllocation;
	*c = (struct callback){stream, s->device, callback, userData};
	return rt_run_async(s, callback_run, free, c, RT_ALWAYS);
}

struct host_call {
	cudaHostFn_t fn;
	void *data;
};

static void
host_call_run(void *p)
{
	struct host_call *c = p;
	c->fn(c->data);
}

cudaError_t
rt_cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void *userData)
{
	struct rt_stream *s;
	cudaError_t e = rt_stream_find(stream, &s);
	if (e)
		return e;
	if (!fn)
		return cudaErrorInvalidValue;
	struct host_call *c = malloc(sizeof *c);
	if (!c)
		return cudaErrorMemoryAllocation;
	*c = (struct host_call){fn, userData};
	return rt_run_async(s, host_call_run, free, c, 0);
}
