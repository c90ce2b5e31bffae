/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * device.c - what a device is to CUDA: properties from targets.def and the HSA agent, its start before
 * the first work and its reset. The device functions of the runtime API are here, too.
 */
#include "host-rt/rt.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
describe_limits(struct cudaDeviceProp *p, const struct target *t)
{
	u32 simds = t->major >= 10 ? 2 : 4;
	p->warpSize = 32; /* in every mode but native (design, "Warps") */
	p->maxThreadsPerBlock = RT_MAX_BLOCK;
	p->maxThreadsDim[0] = p->maxThreadsDim[1] = RT_MAX_BLOCK;
	p->maxThreadsDim[2] = 64;
	p->maxGridSize[0] = INT_MAX;
	p->maxGridSize[1] = p->maxGridSize[2] = 65535;
	p->sharedMemPerBlock = RT_SHARED_DEFAULT;
	p->sharedMemPerBlockOptin = t->lds;
	p->sharedMemPerMultiprocessor = t->lds;
	p->regsPerMultiprocessor = (int)(t->vgprs * (u32)t->wave * simds);
	p->regsPerBlock = p->regsPerMultiprocessor < 65536 ? p->regsPerMultiprocessor : 65536;
	p->maxThreadsPerMultiProcessor = (int)(t->waves * (u32)t->wave * simds);
	p->maxBlocksPerMultiProcessor = t->major >= 10 ? 32 : 16;
	p->totalConstMem = 65536;
	p->memPitch = INT_MAX;
	p->major = t->cc / 10;
	p->minor = t->cc % 10;
}

static void
describe_textures(struct cudaDeviceProp *p)
{
	p->textureAlignment = 512;
	p->texturePitchAlignment = 32;
	p->surfaceAlignment = 512;
	p->maxTexture1D = p->maxTexture1DMipmap = p->maxSurface1D = 16384;
	p->maxTexture1DLinear = 1 << 27;
	for (int i = 0; i < 2; i++)
		p->maxTexture2D[i] = p->maxTexture2DMipmap[i] = p->maxTexture2DGather[i] =
			p->maxSurface2D[i] = 16384;
	p->maxTexture2DLinear[0] = p->maxTexture2DLinear[1] = 16384;
	p->maxTexture2DLinear[2] = INT_MAX;
	for (int i = 0; i < 3; i++)
		p->maxTexture3D[i] = p->maxTexture3DAlt[i] = p->maxSurface3D[i] = 2048;
	p->maxTextureCubemap = p->maxSurfaceCubemap = 16384;
	p->maxTexture1DLayered[0] = p->maxSurface1DLayered[0] = 16384;
	p->maxTexture1DLayered[1] = p->maxSurface1DLayered[1] = 2048;
	p->maxTexture2DLayered[0] = p->maxTexture2DLayered[1] = 16384;
	p->maxSurface2DLayered[0] = p->maxSurface2DLayered[1] = 16384;
	p->maxTexture2DLayered[2] = p->maxSurface2DLayered[2] = 2048;
	p->maxTextureCubemapLayered[0] = p->maxSurfaceCubemapLayered[0] = 16384;
	p->maxTextureCubemapLayered[1] = p->maxSurfaceCubemapLayered[1] = 2046;
}

void
rt_device_describe(struct rt_device *d)
{
	struct cudaDeviceProp *p = &d->prop;
	const struct hal_gpu *g = &d->gpu;
	const struct target *t = d->target;
	memset(p, 0, sizeof *p);
	snprintf(p->name, sizeof p->name, "%s (%s)", g->product[0] ? g->product : t->product,
		t->name);
	memcpy(p->uuid.bytes, g->uuid, sizeof p->uuid.bytes);
	describe_limits(p, t);
	describe_textures(p);
	p->totalGlobalMem = g->pool_bytes;
	p->clockRate = (int)g->clock_mhz * 1000;
	p->memoryClockRate = (int)g->memory_clock_mhz * 1000;
	p->memoryBusWidth = (int)g->bus_bits;
	p->l2CacheSize = (int)g->l2_bytes;
	p->multiProcessorCount = (int)g->cus;
	p->pciBusID = g->bdf >> 8 & 0xff;
	p->pciDeviceID = g->bdf >> 3 & 0x1f;
	p->pciDomainID = (int)g->domain;
	p->deviceOverlap = p->asyncEngineCount = 1;
	p->canMapHostMemory = p->unifiedAddressing = 1;
	p->concurrentKernels = 1;
	p->globalL1CacheSupported = p->localL1CacheSupported = 1;
	p->managedMemory = p->concurrentManagedAccess = 1;
	p->cooperativeLaunch = 1;
	p->hostRegisterSupported = 1;
	p->memoryPoolsSupported = 0; /* cudaMallocAsync works; pools as objects do not exist yet */
	p->singleToDoublePrecisionPerfRatio = t->major == 9 ? 2 : 16;
	d->limits[cudaLimitStackSize] = 1024;
	d->limits[cudaLimitPrintfFifoSize] = 1 << 20;
	d->limits[cudaLimitMallocHeapSize] = 8 << 20;
	d->limits[cudaLimitDevRuntimePendingLaunchCount] = 2048;
	d->limits[cudaLimitDevRuntimeSyncDepth] = 2;
	d->limits[cudaLimitMaxL2FetchGranularity] = 64;
}

cudaError_t
rt_device_start(struct rt_device *d)
{
	struct rt *r = rt_state();
	cudaError_t e = cudaSuccess;
	rt_lock(r);
	if (!d->active) {
		d->legacy = rt_stream_new(d, 0, 0);
		if (d->legacy && rt_service_start(d)) {
			d->legacy->legacy = true;
			d->active = true;
		} else {
			e = cudaErrorMemoryAllocation;
		}
	}
	rt_unlock(r);
	return e;
}

/* Everything that the program made on the device goes; the next call starts it afresh. Whoever uses
 * one of its handles in another thread meanwhile breaks CUDA's rules. */
void
rt_device_reset(struct rt_device *d)
{
	struct rt *r = rt_state();
	rt_lock(r);
	bool active = d->active;
	rt_unlock(r);
	if (!active)
		return;
	rt_device_sync(d);
	while (d->streams)
		rt_stream_free(d->streams);
	rt_modules_unload(d);
	rt_lock(r);
	d->legacy = NULL;
	rt_service_stop(d);
	d->active = false;
	d->error = cudaSuccess;
	d->peers = 0;
	d->flags = 0;
	rt_unlock(r);
	rt_memory_free_all(d);
	rt_device_describe(d);
}

/* --- runtime API --------------------------------------------------------------------------------- */

cudaError_t
rt_cudaGetDeviceCount(int *count)
{
	struct rt *r;
	if (!count)
		return cudaErrorInvalidValue;
	*count = 0;
	cudaError_t e = rt_init(&r);
	if (!e)
		*count = r->ndevices;
	return e;
}

cudaError_t
rt_cudaGetDevice(int *device)
{
	struct rt *r;
	if (!device)
		return cudaErrorInvalidValue;
	cudaError_t e = rt_init(&r);
	if (!e)
		*device = rt_current();
	return e;
}

cudaError_t
rt_cudaSetDevice(int device)
{
	struct rt_device *d;
	cudaError_t e = rt_device_at(device, &d);
	if (e)
		return e;
	rt_current_set(device);
	return rt_device_start(d); /* a device that failed can be chosen */
}

cudaError_t
rt_cudaInitDevice(int device, unsigned int deviceFlags, unsigned int flags)
{
	struct rt_device *d;
	(void)deviceFlags;
	if (flags & ~(unsigned)cudaInitDeviceFlagsAreValid)
		return cudaErrorInvalidValue;
	cudaError_t e = rt_device_at(device, &d);
	return e ? e : rt_device_start(d);
}

cudaError_t
rt_cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device)
{
	struct rt_device *d;
	if (!prop)
		return cudaErrorInvalidValue;
	cudaError_t e = rt_device_at(device, &d);
	if (!e)
		*prop = d->prop;
	return e;
}

/* The attributes are rows of attributes.def; the row's expression reads d and p. */
static bool
attribute(const struct cudaDeviceProp *p, int attr, int *value)
{
	switch (attr) {
#define ATTR(name, driver, number, is)                                                             \
	case number:                                                                               \
		*value = is;                                                                       \
		return true;
#define ATTR_DRV(driver, number, is)                                                               \
	case number:                                                                               \
		*value = is;                                                                       \
		return true;
#include "stdlib/include/heddle/attributes.def"
#undef ATTR
#undef ATTR_DRV
	default:
		return false;
	}
}

cudaError_t
rt_cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr, int device)
{
	struct rt_device *d;
	if (!value)
		return cudaErrorInvalidValue;
	cudaError_t e = rt_device_at(device, &d);
	if (e)
		return e;
	return attribute(&d->prop, attr, value) ? cudaSuccess : cudaErrorInvalidValue;
}

/* The best device: those that can do what the non-zero members of prop ask; the first of the best. */
cudaError_t
rt_cudaChooseDevice(int *device, const struct cudaDeviceProp *prop)
{
	struct rt *r;
	if (!device || !prop)
		return cudaErrorInvalidValue;
	cudaError_t e = rt_init(&r);
	if (e)
		return e;
	int best = 0, most = -1;
	for (int i = 0; i < r->ndevices; i++) {
		const struct cudaDeviceProp *p = &r->devices[i].prop;
		int score = (p->major * 10 + p->minor >= prop->major * 10 + prop->minor) +
			    (p->totalGlobalMem >= prop->totalGlobalMem) +
			    (p->sharedMemPerBlock >= prop->sharedMemPerBlock) +
			    (p->multiProcessorCount >= prop->multiProcessorCount) +
			    (p->maxThreadsPerBlock >= prop->maxThreadsPerBlock) +
			    (!prop->name[0] || !strcmp(p->name, prop->name));
		if (score > most) {
			most = score;
			best = i;
		}
	}
	*device = best;
	return cudaSuccess;
}

cudaError_t
rt_cudaDeviceSynchronize(void)
{
	struct rt_device *d;
	cudaError_t e = rt_device_get(&d);
	return e ? e : rt_device_sync(d);
}

cudaError_t
rt_cudaDeviceReset(void)
{
	struct rt_device *d;
	cudaError_t e = rt_device_at(rt_current(), &d);
	if (e)
		return e;
	rt_device_reset(d);
	rt_error_last(true);
	return cudaSuccess;
}

cudaError_t
rt_cudaSetDeviceFlags(unsigned int flags)
{
	struct rt_device *d;
	cudaError_t e = rt_device_at(rt_current(), &d);
	if (e)
		return e;
	if (flags & ~(unsigned)cudaDeviceMask)
		return cudaErrorInvalidValue;
	d->flags = flags & ~(unsigned)cudaDeviceMapHost; /* which is always on */
	return cudaSuccess;
}

cudaError_t
rt_cudaGetDeviceFlags(unsigned int *flags)
{
	struct rt_device *d;
	if (!flags)
		return cudaErrorInvalidValue;
	cudaError_t e = rt_device_at(rt_current(), &d);
	if (!e)
		*flags = d->flags | cudaDeviceMapHost;
	return e;
}

cudaError_t
rt_cudaDeviceGetLimit(size_t *pValue, enum cudaLimit limit)
{
	struct rt_device *d;
	if (!pValue)
		return cudaErrorInvalidValue;
	cudaError_t e = rt_device_get(&d);
	if (e)
		return e;
	if ((unsigned)limit >= COUNT(d->limits))
		return cudaErrorInvalidValue;
	*pValue = d->limits[limit];
	return cudaSuccess;
}

/* The buffer of printf takes its new size at once when nothing runs. */
cudaError_t
rt_cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
	struct rt_device *d;
	cudaError_t e = rt_device_get(&d);
	if (e)
		return e;
	if ((unsigned)limit >= COUNT(d->limits))
		return cudaErrorInvalidValue;
	if (limit == cudaLimitPersistingL2CacheSize)
		return cudaErrorUnsupportedLimit;
	if (limit == cudaLimitStackSize && value > 128 << 10)
		return cudaErrorInvalidValue;
	if (limit == cudaLimitPrintfFifoSize) {
		e = rt_device_sync(d);
		if (e)
			return e;
		rt_lock(rt_state());
		d->limits[limit] = value < 4096 ? 4096 : (value + 7) & ~(size_t)7;
		e = rt_service_resize(d) ? cudaSuccess : cudaErrorMemoryAllocation;
		rt_unlock(rt_state());
		return e;
	}
	d->limits[limit] = value;
	return cudaSuccess;
}

cudaError_t
rt_cudaDeviceGetCacheConfig(enum cudaFuncCache *pCacheConfig)
{
	struct rt_device *d;
	if (!pCacheConfig)
		return cudaErrorInvalidValue;
	cudaError_t e = rt_device_get(&d);
	if (!e)
		*pCacheConfig = d->cache;
	return e;
}

/* A preference: the caches of AMD GPUs are not divided with shared memory. */
cudaError_t
rt_cudaDeviceSetCacheConfig(enum cudaFuncCache cacheConfig)
{
	struct rt_device *d;
	cudaError_t e = rt_device_get(&d);
	if (e)
		return e;
	if ((unsigned)cacheConfig > cudaFuncCachePreferEqual)
		return cudaErrorInvalidValue;
	d->cache = cacheConfig;
	return cudaSuccess;
}

cudaError_t
rt_cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *pConfig)
{
	struct rt_device *d;
	if (!pConfig)
		return cudaErrorInvalidValue;
	cudaError_t e = rt_device_get(&d);
	if (!e)
		*pConfig = cudaSharedMemBankSizeFourByte; /* as every GPU since CUDA 12 */
	return e;
}

cudaError_t
rt_cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config)
{
	struct rt_device *d;
	if ((unsigned)config > cudaSharedMemBankSizeEightByte)
		return cudaErrorInvalidValue;
	return rt_device_get(&d);
}

cudaError_t
rt_cudaDeviceGetStreamPriorityRange(int *leastPriority, int *greatestPriority)
{
	struct rt_device *d;
	cudaError_t e = rt_device_get(&d);
	if (e)
		return e;
	if (leastPriority)
		*leastPriority = 0;
	if (greatestPriority)
		*greatestPriority = 0; /* streams have no priorities here */
	return cudaSuccess;
}

cudaError_t
rt_cudaDeviceGetPCIBusId(char *pciBusId, int len, int device)
{
	struct rt_device *d;
	cudaError_t e = rt_device_at(device, &d);
	if (e)
		return e;
	if (!pciBusId || len < 13)
		return cudaErrorInvalidValue;
	snprintf(pciBusId, (size_t)len, "%04x:%02x:%02x.%x", d->gpu.domain & 0xffff,
		(unsigned)d->prop.pciBusID, (unsigned)d->prop.pciDeviceID, d->gpu.bdf & 7);
	return cudaSuccess;
}

cudaError_t
rt_cudaDeviceGetByPCIBusId(int *device, const char *pciBusId)
{
	struct rt *r;
	unsigned domain = 0, bus, dev, fn = 0;
	if (!device || !pciBusId)
		return cudaErrorInvalidValue;
	cudaError_t e = rt_init(&r);
	if (e)
		return e;
	if (sscanf(pciBusId, "%x:%x:%x.%x", &domain, &bus, &dev, &fn) < 3) {
		domain = 0;
		if (sscanf(pciBusId, "%x:%x.%x", &bus, &dev, &fn) < 2)
			return cudaErrorInvalidValue;
	}
	for (int i = 0; i < r->ndevices; i++) {
		const struct hal_gpu *g = &r->devices[i].gpu;
		if ((g->domain & 0xffff) == domain && g->bdf == (bus << 8 | dev << 3 | fn)) {
			*device = i;
			return cudaSuccess;
		}
	}
	return cudaErrorInvalidDevice;
}

cudaError_t
rt_cudaDeviceCanAccessPeer(int *canAccessPeer, int device, int peerDevice)
{
	struct rt_device *a, *b;
	if (!canAccessPeer)
		return cudaErrorInvalidValue;
	cudaError_t e = rt_device_at(device, &a);
	if (!e)
		e = rt_device_at(peerDevice, &b);
	if (!e)
		*canAccessPeer = device != peerDevice;
	return e;
}

cudaError_t
rt_cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attr, int srcDevice, int dstDevice)
{
	int can;
	if (!value)
		return cudaErrorInvalidValue;
	cudaError_t e = rt_cudaDeviceCanAccessPeer(&can, srcDevice, dstDevice);
	if (e)
		return e;
	if (srcDevice == dstDevice)
		return cudaErrorInvalidDevice;
	switch (attr) {
	case cudaDevP2PAttrPerformanceRank:
		*value = 0;
		break;
	case cudaDevP2PAttrAccessSupported:
		*value = can;
		break;
	case cudaDevP2PAttrNativeAtomicSupported:
	case cudaDevP2PAttrCudaArrayAccessSupported:
		*value = 0;
		break;
	default:
		return cudaErrorInvalidValue;
	}
	return cudaSuccess;
}

cudaError_t
rt_cudaDeviceEnablePeerAccess(int peerDevice, unsigned int flags)
{
	struct rt *r = rt_state();
	struct rt_device *d, *peer;
	cudaError_t e = rt_device_get(&d);
	if (!e)
		e = rt_device_at(peerDevice, &peer);
	if (e)
		return e;
	if (flags)
		return cudaErrorInvalidValue;
	if (peer == d)
		return cudaErrorInvalidDevice;
	rt_lock(r);
	if (d->peers >> peerDevice & 1) {
		e = cudaErrorPeerAccessAlreadyEnabled;
	} else {
		d->peers |= 1u << peerDevice;
		for (size_t i = 0; i < r->blocks.n; i++) {
			struct rt_block *b = &r->blocks.p[i];
			if (b->type == cudaMemoryTypeDevice && b->device == peerDevice &&
				!b->registered)
				hal_allow(&d->gpu, b->base);
		}
	}
	rt_unlock(r);
	return e;
}

cudaError_t
rt_cudaDeviceDisablePeerAccess(int peerDevice)
{
	struct rt *r = rt_state();
	struct rt_device *d, *peer;
	cudaError_t e = rt_device_get(&d);
	if (!e)
		e = rt_device_at(peerDevice, &peer);
	if (e)
		return e;
	rt_lock(r);
	if (d->peers >> peerDevice & 1)
		d->peers &= ~(1u << peerDevice);
	else
		e = cudaErrorPeerAccessNotEnabled;
	rt_unlock(r);
	return e;
}

/* --- names of another age ------------------------------------------------------------------------ */

cudaError_t
rt_cudaThreadSynchronize(void)
{
	return rt_cudaDeviceSynchronize();
}

cudaError_t
rt_cudaThreadExit(void)
{
	return rt_cudaDeviceReset();
}

cudaError_t
rt_cudaThreadGetLimit(size_t *pValue, enum cudaLimit limit)
{
	return rt_cudaDeviceGetLimit(pValue, limit);
}

cudaError_t
rt_cudaThreadSetLimit(enum cudaLimit limit, size_t value)
{
	return rt_cudaDeviceSetLimit(limit, value);
}

cudaError_t
rt_cudaThreadGetCacheConfig(enum cudaFuncCache *pCacheConfig)
{
	return rt_cudaDeviceGetCacheConfig(pCacheConfig);
}

cudaError_t
rt_cudaThreadSetCacheConfig(enum cudaFuncCache cacheConfig)
{
	return rt_cudaDeviceSetCacheConfig(cacheConfig);
}

/* --- versions, profiler -------------------------------------------------------------------------- */

cudaError_t
rt_cudaDriverGetVersion(int *driverVersion)
{
	if (!driverVersion)
		return cudaErrorInvalidValue;
	*driverVersion = CUDART_VERSION;
	return cudaSuccess;
}

cudaError_t
rt_cudaRuntimeGetVersion(int *runtimeVersion)
{
	return rt_cudaDriverGetVersion(runtimeVersion);
}

/* There is no profiler to start or stop: as CUDA without one, the calls succeed. */
cudaError_t
rt_cudaProfilerStart(void)
{
	struct rt_device *d;
	return rt_device_get(&d);
}

cudaError_t
rt_cudaProfilerStop(void)
{
	struct rt_device *d;
	return rt_device_get(&d);
}
