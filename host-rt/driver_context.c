/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * driver_context.c - devices and contexts of the driver API. Each thread has a stack of contexts; its top
 * chooses the current device of both APIs. A thread that used the runtime first has that device's
 * primary context.
 */
#include "host-rt/driver.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct rt_context primaries[RT_DEVICES];
static atomic_bool initialized;
static _Thread_local struct rt_context *stack[32];
static _Thread_local size_t depth;

CUresult
rt_cu_result(cudaError_t e)
{
	if (rt_cu_error_name((int)e))
		return (CUresult)e;
	switch (e) {
	case cudaErrorInvalidDeviceFunction:
	case cudaErrorInvalidSymbol:
		return CUDA_ERROR_NOT_FOUND;
	default:
		return CUDA_ERROR_INVALID_VALUE; /* of configurations, kinds, pitches */
	}
}

CUresult
rt_cu_get(CUdevice dev, struct rt_device **d)
{
	if (!atomic_load(&initialized))
		return CUDA_ERROR_NOT_INITIALIZED;
	return rt_cu_result(rt_device_at(dev, d));
}

static struct rt_context *
primary(struct rt_device *d)
{
	struct rt *r = rt_state();
	struct rt_context *c = &primaries[d->ordinal];
	rt_lock(r);
	c->device = d;
	c->primary = true;
	c->id = (u64)d->ordinal + 1;
	rt_map_add(&r->handles, c, (void *)(uintptr_t)RT_CONTEXT);
	rt_unlock(r);
	return c;
}

static bool
is_active(struct rt_device *d)
{
	struct rt *r = rt_state();
	rt_lock(r);
	bool active = d->active;
	rt_unlock(r);
	return active;
}

static struct rt_context *
top(void)
{
	struct rt_device *d;
	if (depth)
		return stack[depth - 1];
	if (atomic_load(&initialized) && !rt_device_at(rt_current(), &d) && is_active(d))
		return primary(d);
	return NULL;
}

/* The stack's top changed: the device follows it. */
static void
follow(void)
{
	if (depth && stack[depth - 1])
		rt_current_set(stack[depth - 1]->device->ordinal);
}

CUresult
rt_cu_device(struct rt_device **d)
{
	if (!atomic_load(&initialized))
		return CUDA_ERROR_NOT_INITIALIZED;
	struct rt_context *c = top();
	if (!c)
		return CUDA_ERROR_INVALID_CONTEXT;
	if (!rt_handle_is(c, RT_CONTEXT))
		return CUDA_ERROR_CONTEXT_IS_DESTROYED;
	rt_current_set(c->device->ordinal);
	return rt_cu_result(rt_device_get(d));
}

/* --- initialization, errors ---------------------------------------------------------------------------------------- */

CUresult
rt_cuInit(unsigned int Flags)
{
	struct rt *r;
	if (Flags)
		return CUDA_ERROR_INVALID_VALUE;
	cudaError_t e = rt_init(&r);
	if (!e)
		atomic_store(&initialized, true);
	return rt_cu_result(e);
}

CUresult
rt_cuDriverGetVersion(int *driverVersion)
{
	return rt_cu_result(rt_cudaDriverGetVersion(driverVersion));
}

CUresult
rt_cuGetErrorName(CUresult error, const char **pStr)
{
	if (!pStr)
		return CUDA_ERROR_INVALID_VALUE;
	*pStr = rt_cu_error_name((int)error);
	return *pStr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult
rt_cuGetErrorString(CUresult error, const char **pStr)
{
	if (!pStr)
		return CUDA_ERROR_INVALID_VALUE;
	*pStr = rt_cu_error_name((int)error) ? rt_error_text((cudaError_t)error) : NULL;
	return *pStr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult
rt_cuProfilerStart(void)
{
	struct rt_device *d;
	return rt_cu_device(&d);
}

CUresult
rt_cuProfilerStop(void)
{
	struct rt_device *d;
	return rt_cu_device(&d);
}

/* --- devices ------------------------------------------------------------------------------------------------------ */

CUresult
rt_cuDeviceGet(CUdevice *device, int ordinal)
{
	struct rt_device *d;
	CUresult e = rt_cu_get(ordinal, &d);
	if (!e && !device)
		e = CUDA_ERROR_INVALID_VALUE;
	if (!e)
		*device = ordinal;
	return e;
}

CUresult
rt_cuDeviceGetCount(int *count)
{
	if (!atomic_load(&initialized))
		return CUDA_ERROR_NOT_INITIALIZED;
	return rt_cu_result(rt_cudaGetDeviceCount(count));
}

CUresult
rt_cuDeviceGetName(char *name, int len, CUdevice dev)
{
	struct rt_device *d;
	CUresult e = rt_cu_get(dev, &d);
	if (!e && (!name || len <= 0))
		e = CUDA_ERROR_INVALID_VALUE;
	if (!e)
		snprintf(name, (size_t)len, "%s", d->prop.name);
	return e;
}

CUresult
rt_cuDeviceGetAttribute(int *pi, CUdevice_attribute attrib, CUdevice dev)
{
	struct rt_device *d;
	CUresult e = rt_cu_get(dev, &d);
	return e ? e
		 : rt_cu_result(rt_cudaDeviceGetAttribute(pi, (enum cudaDeviceAttr)attrib, dev));
}

CUresult
rt_cuDeviceGetUuid(CUuuid *uuid, CUdevice dev)
{
	struct rt_device *d;
	CUresult e = rt_cu_get(dev, &d);
	if (!e && !uuid)
		e = CUDA_ERROR_INVALID_VALUE;
	if (!e)
		*uuid = d->prop.uuid;
	return e;
}

CUresult
rt_cuDeviceTotalMem(size_t *bytes, CUdevice dev)
{
	struct rt_device *d;
	CUresult e = rt_cu_get(dev, &d);
	if (!e && !bytes)
		e = CUDA_ERROR_INVALID_VALUE;
	if (!e)
		*bytes = d->prop.totalGlobalMem;
	return e;
}

CUresult
rt_cuDeviceComputeCapability(int *major, int *minor, CUdevice dev)
{
	struct rt_device *d;
	CUresult e = rt_cu_get(dev, &d);
	if (!e && (!major || !minor))
		e = CUDA_ERROR_INVALID_VALUE;
	if (!e) {
		*major = d->prop.major;
		*minor = d->prop.minor;
	}
	return e;
}

CUresult
rt_cuDeviceGetProperties(CUdevprop *prop, CUdevice dev)
{
	struct rt_device *d;
	CUresult e = rt_cu_get(dev, &d);
	if (!e && !prop)
		e = CUDA_ERROR_INVALID_VALUE;
	if (e)
		return e;
	const struct cudaDeviceProp *p = &d->prop;
	*prop = (CUdevprop){
		.maxThreadsPerBlock = p->maxThreadsPerBlock,
		.maxThreadsDim = {p->maxThreadsDim[0], p->maxThreadsDim[1], p->maxThreadsDim[2]},
		.maxGridSize = {p->maxGridSize[0], p->maxGridSize[1], p->maxGridSize[2]},
		.sharedMemPerBlock = (int)p->sharedMemPerBlock,
		.totalConstantMemory = (int)p->totalConstMem,
		.SIMDWidth = p->warpSize,
		.memPitch = (int)p->memPitch,
		.regsPerBlock = p->regsPerBlock,
		.clockRate = p->clockRate,
		.textureAlign = (int)p->textureAlignment,
	};
	return CUDA_SUCCESS;
}

CUresult
rt_cuDeviceGetByPCIBusId(CUdevice *dev, const char *pciBusId)
{
	return rt_cu_result(rt_cudaDeviceGetByPCIBusId(dev, pciBusId));
}

CUresult
rt_cuDeviceGetPCIBusId(char *pciBusId, int len, CUdevice dev)
{
	return rt_cu_result(rt_cudaDeviceGetPCIBusId(pciBusId, len, dev));
}

CUresult
rt_cuDeviceCanAccessPeer(int *canAccessPeer, CUdevice dev, CUdevice peerDev)
{
	return rt_cu_result(rt_cudaDeviceCanAccessPeer(canAccessPeer, dev, peerDev));
}

CUresult
rt_cuDeviceGetP2PAttribute(
	int *value, CUdevice_P2PAttribute attrib, CUdevice srcDevice, CUdevice dstDevice)
{
	return rt_cu_result(rt_cudaDeviceGetP2PAttribute(
		value, (enum cudaDeviceP2PAttr)attrib, srcDevice, dstDevice));
}

/* --- primary contexts ------------------------------------------------------------------------------------------------ */

CUresult
rt_cuDevicePrimaryCtxRetain(CUcontext *pctx, CUdevice dev)
{
	struct rt_device *d;
	CUresult e = rt_cu_get(dev, &d);
	if (!e && !pctx)
		e = CUDA_ERROR_INVALID_VALUE;
	if (!e)
		e = rt_cu_result(rt_device_start(d));
	if (e)
		return e;
	struct rt_context *c = primary(d);
	rt_lock(rt_state());
	c->retained++;
	rt_unlock(rt_state());
	*pctx = (CUcontext)c;
	return CUDA_SUCCESS;
}

/* The last release does not reset the device: the runtime API may use it. */
CUresult
rt_cuDevicePrimaryCtxRelease(CUdevice dev)
{
	struct rt_device *d;
	CUresult e = rt_cu_get(dev, &d);
	if (e)
		return e;
	rt_lock(rt_state());
	if (primaries[dev].retained)
		primaries[dev].retained--;
	else
		e = CUDA_ERROR_INVALID_CONTEXT;
	rt_unlock(rt_state());
	return e;
}

CUresult
rt_cuDevicePrimaryCtxReset(CUdevice dev)
{
	struct rt_device *d;
	CUresult e = rt_cu_get(dev, &d);
	if (!e)
		rt_device_reset(d);
	return e;
}

CUresult
rt_cuDevicePrimaryCtxGetState(CUdevice dev, unsigned int *flags, int *active)
{
	struct rt_device *d;
	CUresult e = rt_cu_get(dev, &d);
	if (!e && (!flags || !active))
		e = CUDA_ERROR_INVALID_VALUE;
	if (!e) {
		*flags = d->flags;
		*active = is_active(d);
	}
	return e;
}

CUresult
rt_cuDevicePrimaryCtxSetFlags(CUdevice dev, unsigned int flags)
{
	struct rt_device *d;
	CUresult e = rt_cu_get(dev, &d);
	if (!e && flags & ~(unsigned)CU_CTX_FLAGS_MASK)
		e = CUDA_ERROR_INVALID_VALUE;
	if (!e)
		d->flags = flags;
	return e;
}

/* --- contexts -------------------------------------------------------------------------------------------------------- */

CUresult
rt_cuCtxPushCurrent(CUcontext ctx)
{
	if (!rt_handle_is(ctx, RT_CONTEXT))
		return CUDA_ERROR_INVALID_CONTEXT;
	if (depth == COUNT(stack))
		return CUDA_ERROR_INVALID_VALUE;
	stack[depth++] = (struct rt_context *)ctx;
	follow();
	return CUDA_SUCCESS;
}

CUresult
rt_cuCtxPopCurrent(CUcontext *pctx)
{
	if (!depth)
		return CUDA_ERROR_INVALID_CONTEXT;
	depth--;
	if (pctx)
		*pctx = (CUcontext)stack[depth];
	follow();
	return CUDA_SUCCESS;
}

CUresult
rt_cuCtxSetCurrent(CUcontext ctx)
{
	if (!ctx) {
		if (depth)
			depth--;
		follow();
		return CUDA_SUCCESS;
	}
	if (depth && rt_handle_is(ctx, RT_CONTEXT)) {
		stack[depth - 1] = (struct rt_context *)ctx;
		follow();
		return CUDA_SUCCESS;
	}
	return rt_cuCtxPushCurrent(ctx);
}

CUresult
rt_cuCtxGetCurrent(CUcontext *pctx)
{
	if (!pctx)
		return CUDA_ERROR_INVALID_VALUE;
	if (!atomic_load(&initialized))
		return CUDA_ERROR_NOT_INITIALIZED;
	*pctx = (CUcontext)top();
	return CUDA_SUCCESS;
}

CUresult
rt_cuCtxCreate(CUcontext *pctx, unsigned int flags, CUdevice dev)
{
	struct rt *r = rt_state();
	struct rt_device *d;
	CUresult e = rt_cu_get(dev, &d);
	if (!e && (!pctx || flags & ~(unsigned)CU_CTX_FLAGS_MASK))
		e = CUDA_ERROR_INVALID_VALUE;
	if (!e)
		e = rt_cu_result(rt_device_start(d));
	if (e)
		return e;
	struct rt_context *c = calloc(1, sizeof *c);
	if (!c)
		return CUDA_ERROR_OUT_OF_MEMORY;
	c->device = d;
	c->flags = flags;
	rt_lock(r);
	c->id = RT_DEVICES + ++r->next_id;
	bool ok = rt_map_add(&r->handles, c, (void *)(uintptr_t)RT_CONTEXT);
	rt_unlock(r);
	if (!ok) {
		free(c);
		return CUDA_ERROR_OUT_OF_MEMORY;
	}
	*pctx = (CUcontext)c;
	return rt_cuCtxPushCurrent(*pctx);
}

/* Waits for the device's work; what the program made in the context stays until it frees it. */
CUresult
rt_cuCtxDestroy(CUcontext ctx)
{
	struct rt *r = rt_state();
	struct rt_context *c = (struct rt_context *)ctx;
	if (!rt_handle_is(ctx, RT_CONTEXT) || c->primary)
		return CUDA_ERROR_INVALID_CONTEXT;
	CUresult e = rt_cu_result(rt_device_sync(c->device));
	rt_lock(r);
	rt_map_del(&r->handles, c);
	rt_unlock(r);
	if (depth && stack[depth - 1] == c)
		depth--;
	free(c);
	follow();
	return e;
}

CUresult
rt_cuCtxGetDevice(CUdevice *device)
{
	struct rt_context *c = top();
	if (!c)
		return CUDA_ERROR_INVALID_CONTEXT;
	if (!device)
		return CUDA_ERROR_INVALID_VALUE;
	*device = c->device->ordinal;
	return CUDA_SUCCESS;
}

CUresult
rt_cuCtxGetFlags(unsigned int *flags)
{
	struct rt_context *c = top();
	if (!c)
		return CUDA_ERROR_INVALID_CONTEXT;
	if (!flags)
		return CUDA_ERROR_INVALID_VALUE;
	*flags = c->primary ? c->device->flags : c->flags;
	return CUDA_SUCCESS;
}

CUresult
rt_cuCtxGetId(CUcontext ctx, unsigned long long *ctxId)
{
	struct rt_context *c = ctx ? (struct rt_context *)ctx : top();
	if (!ctxId)
		return CUDA_ERROR_INVALID_VALUE;
	if (!rt_handle_is(c, RT_CONTEXT))
		return CUDA_ERROR_INVALID_CONTEXT;
	*ctxId = c->id;
	return CUDA_SUCCESS;
}

CUresult
rt_cuCtxGetApiVersion(CUcontext ctx, unsigned int *version)
{
	if (!version)
		return CUDA_ERROR_INVALID_VALUE;
	if (ctx && !rt_handle_is(ctx, RT_CONTEXT))
		return CUDA_ERROR_INVALID_CONTEXT;
	*version = 3020; /* since when contexts are of version 2 */
	return CUDA_SUCCESS;
}

#define WITH_DEVICE(call)                                                                          \
	struct rt_device *d;                                                                       \
	CUresult e = rt_cu_device(&d);                                                             \
	return e ? e : rt_cu_result(call)

CUresult
rt_cuCtxSynchronize(void)
{
	WITH_DEVICE(rt_device_sync(d));
}

CUresult
rt_cuCtxGetLimit(size_t *pvalue, CUlimit limit)
{
	WITH_DEVICE(rt_cudaDeviceGetLimit(pvalue, (enum cudaLimit)limit));
}

CUresult
rt_cuCtxSetLimit(CUlimit limit, size_t value)
{
	WITH_DEVICE(rt_cudaDeviceSetLimit((enum cudaLimit)limit, value));
}

CUresult
rt_cuCtxGetCacheConfig(CUfunc_cache *pconfig)
{
	enum cudaFuncCache c = cudaFuncCachePreferNone;
	struct rt_device *d;
	CUresult e = rt_cu_device(&d);
	if (!e && !pconfig)
		e = CUDA_ERROR_INVALID_VALUE;
	if (!e)
		e = rt_cu_result(rt_cudaDeviceGetCacheConfig(&c));
	if (!e)
		*pconfig = (CUfunc_cache)c;
	return e;
}

CUresult
rt_cuCtxSetCacheConfig(CUfunc_cache config)
{
	WITH_DEVICE(rt_cudaDeviceSetCacheConfig((enum cudaFuncCache)config));
}

CUresult
rt_cuCtxGetSharedMemConfig(CUsharedconfig *pConfig)
{
	struct rt_device *d;
	CUresult e = rt_cu_device(&d);
	if (!e && !pConfig)
		e = CUDA_ERROR_INVALID_VALUE;
	if (!e)
		*pConfig = CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE;
	return e;
}

CUresult
rt_cuCtxSetSharedMemConfig(CUsharedconfig config)
{
	WITH_DEVICE(rt_cudaDeviceSetSharedMemConfig((enum cudaSharedMemConfig)config));
}

CUresult
rt_cuCtxGetStreamPriorityRange(int *leastPriority, int *greatestPriority)
{
	WITH_DEVICE(rt_cudaDeviceGetStreamPriorityRange(leastPriority, greatestPriority));
}

CUresult
rt_cuCtxEnablePeerAccess(CUcontext peerContext, unsigned int Flags)
{
	if (!rt_handle_is(peerContext, RT_CONTEXT))
		return CUDA_ERROR_INVALID_CONTEXT;
	int peer = ((struct rt_context *)peerContext)->device->ordinal;
	WITH_DEVICE(rt_cudaDeviceEnablePeerAccess(peer, Flags));
}

CUresult
rt_cuCtxDisablePeerAccess(CUcontext peerContext)
{
	if (!rt_handle_is(peerContext, RT_CONTEXT))
		return CUDA_ERROR_INVALID_CONTEXT;
	int peer = ((struct rt_context *)peerContext)->device->ordinal;
	WITH_DEVICE(rt_cudaDeviceDisablePeerAccess(peer));
}

CUresult
rt_cuStreamGetCtx(CUstream hStream, CUcontext *pctx)
{
	struct rt_device *d;
	struct rt_stream *s;
	CUresult e = rt_cu_device(&d);
	if (!e && !pctx)
		e = CUDA_ERROR_INVALID_VALUE;
	if (!e)
		e = rt_cu_result(rt_stream_find(hStream, &s));
	if (!e)
		*pctx = (CUcontext)primary(s->device);
	return e;
}
