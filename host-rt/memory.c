/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * memory.c - allocations. Every range that devices may use is a block in one array sorted by address:
 * device memory, pinned and managed host memory (one kind: fine-grained memory that all devices and
 * the host share), and the program's own memory that it registered. A free waits for the device, as
 * CUDA's does.
 */
#include "host-rt/rt.h"

#include <stdlib.h>
#include <string.h>

/* Index of the first block that starts after p. */
static size_t
above(const struct rt *r, const void *p)
{
	size_t lo = 0, hi = r->blocks.n;
	while (lo < hi) {
		size_t mid = (lo + hi) / 2;
		if ((uintptr_t)r->blocks.p[mid].base <= (uintptr_t)p)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

struct rt_block *
rt_block_find(struct rt *r, const void *p)
{
	size_t i = above(r, p);
	if (!i)
		return NULL;
	struct rt_block *b = &r->blocks.p[i - 1];
	return (uintptr_t)p - (uintptr_t)b->base < b->size ? b : NULL;
}

static bool
block_add(struct rt *r, struct rt_block b)
{
	size_t i = above(r, b.base);
	if (!VEC_PUSH(&r->blocks, b))
		return false;
	memmove(&r->blocks.p[i + 1], &r->blocks.p[i], (r->blocks.n - 1 - i) * sizeof b);
	r->blocks.p[i] = b;
	return true;
}

static void
block_del(struct rt *r, struct rt_block *b)
{
	size_t i = (size_t)(b - r->blocks.p);
	memmove(b, b + 1, (r->blocks.n - 1 - i) * sizeof *b);
	r->blocks.n--;
}

/* Takes a block out of the array; block_free then gives the memory back, without the lock: the HSA
 * library may wait for kernels that could still touch it. */
static struct rt_block
block_take(struct rt *r, struct rt_block *at)
{
	struct rt_block b = *at;
	block_del(r, at);
	if (b.type == cudaMemoryTypeDevice && !b.registered)
		r->devices[b.device].allocated -= b.size;
	return b;
}

static void
block_free(struct rt_block b)
{
	log_printf(LOG_mem, "free size=%zu type=%d device=%d", b.size, (int)b.type, b.device);
	if (b.symbol)
		return;
	if (b.registered)
		hal_unlock(b.base);
	else
		hal_free(b.base);
}

bool
rt_block_add_symbol(struct rt *r, struct rt_device *d, void *base, size_t n)
{
	struct rt_block b = {base, n, cudaMemoryTypeDevice, d->ordinal, 0, true, base, true};
	return rt_block_find(r, base) || block_add(r, b);
}

void
rt_block_del_symbol(struct rt *r, void *base)
{
	struct rt_block *b = rt_block_find(r, base);
	if (b && b->symbol)
		block_del(r, b);
}

static void *
allocate(struct rt *r, struct rt_device *d, size_t n, enum cudaMemoryType type)
{
	if (type != cudaMemoryTypeDevice)
		return hal_host_alloc(n);
	void *p = hal_device_alloc(&d->gpu, n);
	for (int i = 0; p && i < r->ndevices; i++)
		if (r->devices[i].peers >> d->ordinal & 1)
			hal_allow(&r->devices[i].gpu, p);
	return p;
}

cudaError_t
rt_memory_new(struct rt_device *d, size_t n, enum cudaMemoryType type, unsigned flags, void **p)
{
	struct rt *r = rt_state();
	*p = NULL;
	if (!n)
		return cudaSuccess;
	if (n > SIZE_MAX / 2 || (type == cudaMemoryTypeDevice && n > d->gpu.pool_bytes))
		return cudaErrorMemoryAllocation;
	rt_lock(r);
	void *base = allocate(r, d, n, type);
	struct rt_block b = {base, n, type, d->ordinal, flags, false, base, false};
	if (base && !block_add(r, b)) {
		hal_free(base);
		base = NULL;
	}
	if (base && type == cudaMemoryTypeDevice)
		d->allocated += n;
	rt_unlock(r);
	log_printf(LOG_mem, "alloc size=%zu type=%d device=%d %s", n, (int)type, d->ordinal,
		base ? "ok" : "failed");
	*p = base;
	return base ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t
rt_memory_free(void *p, enum cudaMemoryType a, enum cudaMemoryType b)
{
	struct rt *r = rt_state();
	if (!p)
		return cudaSuccess;
	rt_lock(r);
	struct rt_block *at = rt_block_find(r, p);
	if (!at || at->base != p || at->registered || (at->type != a && at->type != b)) {
		rt_unlock(r);
		return cudaErrorInvalidValue;
	}
	struct rt_device *d = &r->devices[at->device];
	rt_unlock(r);
	cudaError_t e = rt_device_sync(d);
	rt_lock(r);
	at = rt_block_find(r, p);
	struct rt_block gone = {0};
	if (at && at->base == p)
		gone = block_take(r, at);
	rt_unlock(r);
	if (gone.base)
		block_free(gone);
	return e;
}

void
rt_memory_free_all(struct rt_device *d)
{
	struct rt *r = rt_state();
	rt_lock(r);
	for (size_t i = 0; i < r->blocks.n;) {
		if (r->blocks.p[i].device != d->ordinal) {
			i++;
			continue;
		}
		struct rt_block gone = block_take(r, &r->blocks.p[i]);
		rt_unlock(r);
		block_free(gone);
		rt_lock(r);
	}
	rt_unlock(r);
}

/* --- runtime API: allocation ------------------------------------------------------------------------------- */

cudaError_t
rt_cudaMalloc(void **devPtr, size_t size)
{
	struct rt_device *d;
	if (!devPtr)
		return cudaErrorInvalidValue;
	cudaError_t e = rt_device_get(&d);
	return e ? e : rt_memory_new(d, size, cudaMemoryTypeDevice, 0, devPtr);
}

#define PITCH 512u /* rows of a pitched allocation start at multiples of it */

cudaError_t
rt_cudaMallocPitch(void **devPtr, size_t *pitch, size_t width, size_t height)
{
	if (!devPtr || !pitch)
		return cudaErrorInvalidValue;
	if (width > SIZE_MAX / 2)
		return cudaErrorMemoryAllocation;
	size_t row = (width + PITCH - 1) / PITCH * PITCH, bytes;
	if (__builtin_mul_overflow(row, height, &bytes))
		return cudaErrorMemoryAllocation;
	*pitch = row;
	return rt_cudaMalloc(devPtr, bytes);
}

cudaError_t
rt_cudaMalloc3D(struct cudaPitchedPtr *pitchedDevPtr, struct cudaExtent extent)
{
	size_t rows;
	if (!pitchedDevPtr)
		return cudaErrorInvalidValue;
	if (__builtin_mul_overflow(extent.height, extent.depth, &rows))
		return cudaErrorMemoryAllocation;
	pitchedDevPtr->xsize = extent.width;
	pitchedDevPtr->ysize = extent.height;
	return rt_cudaMallocPitch(&pitchedDevPtr->ptr, &pitchedDevPtr->pitch, extent.width, rows);
}

cudaError_t
rt_cudaMallocManaged(void **devPtr, size_t size, unsigned int flags)
{
	struct rt_device *d;
	if (!devPtr || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) || !size)
		return cudaErrorInvalidValue;
	cudaError_t e = rt_device_get(&d);
	return e ? e : rt_memory_new(d, size, cudaMemoryTypeManaged, flags, devPtr);
}

cudaError_t
rt_cudaHostAlloc(void **pHost, size_t size, unsigned int flags)
{
	struct rt_device *d;
	if (!pHost || flags & ~(unsigned)(cudaHostAllocPortable | cudaHostAllocMapped |
					  cudaHostAllocWriteCombined))
		return cudaErrorInvalidValue;
	cudaError_t e = rt_device_get(&d);
	return e ? e
		 : rt_memory_new(d, size, cudaMemoryTypeHost, flags | cudaHostAllocMapped, pHost);
}

cudaError_t
rt_cudaMallocHost(void **ptr, size_t size)
{
	return rt_cudaHostAlloc(ptr, size, cudaHostAllocDefault);
}

cudaError_t
rt_cudaFree(void *devPtr)
{
	struct rt_device *d;
	cudaError_t e = rt_device_get(&d);
	return e ? e : rt_memory_free(devPtr, cudaMemoryTypeDevice, cudaMemoryTypeManaged);
}

cudaError_t
rt_cudaFreeHost(void *ptr)
{
	struct rt_device *d;
	cudaError_t e = rt_device_get(&d);
	return e ? e : rt_memory_free(ptr, cudaMemoryTypeHost, cudaMemoryTypeHost);
}

/* Stream-ordered allocation: memory is there at once; it is freed when the stream comes to the free. */
cudaError_t
rt_cudaMallocAsync(void **devPtr, size_t size, cudaStream_t hStream)
{
	struct rt_stream *s;
	if (!devPtr)
		return cudaErrorInvalidValue;
	cudaError_t e = rt_stream_find(hStream, &s);
	return e ? e : rt_memory_new(s->device, size, cudaMemoryTypeDevice, 0, devPtr);
}

static void
free_now(void *p)
{
	struct rt *r = rt_state();
	rt_lock(r);
	struct rt_block *at = rt_block_find(r, p);
	struct rt_block gone = {0};
	if (at && at->base == p)
		gone = block_take(r, at);
	rt_unlock(r);
	if (gone.base)
		block_free(gone);
}

cudaError_t
rt_cudaFreeAsync(void *devPtr, cudaStream_t hStream)
{
	struct rt *r = rt_state();
	struct rt_stream *s;
	cudaError_t e = rt_stream_find(hStream, &s);
	if (e || !devPtr)
		return e;
	rt_lock(r);
	struct rt_block *b = rt_block_find(r, devPtr);
	bool ok = b && b->base == devPtr && !b->registered && b->type == cudaMemoryTypeDevice;
	rt_unlock(r);
	return ok ? rt_run_async(s, free_now, NULL, devPtr, RT_SOON) : cudaErrorInvalidValue;
}

cudaError_t
rt_cudaMemGetInfo(size_t *free, size_t *total)
{
	struct rt_device *d;
	if (!free || !total)
		return cudaErrorInvalidValue;
	cudaError_t e = rt_device_get(&d);
	if (e)
		return e;
	rt_lock(rt_state());
	*total = d->gpu.pool_bytes;
	*free = d->allocated < *total ? *total - d->allocated : 0;
	rt_unlock(rt_state());
	return cudaSuccess;
}

/* --- host memory of the program ---------------------------------------------------------------------------- */

cudaError_t
rt_cudaHostRegister(void *ptr, size_t size, unsigned int flags)
{
	struct rt *r = rt_state();
	struct rt_device *d;
	unsigned all = cudaHostRegisterPortable | cudaHostRegisterMapped | cudaHostRegisterReadOnly;
	cudaError_t e = rt_device_get(&d);
	if (e)
		return e;
	if (!ptr || !size || (uintptr_t)ptr + size < (uintptr_t)ptr)
		return cudaErrorInvalidValue;
	if (flags & cudaHostRegisterIoMemory)
		return cudaErrorNotSupported;
	if (flags & ~all)
		return cudaErrorInvalidValue;
	rt_lock(r);
	size_t next = above(r, ptr);
	const struct rt_block *at = rt_block_find(r, ptr);
	if (at && !at->registered) {
		e = cudaErrorInvalidValue; /* is pinned already */
	} else if (at || (next < r->blocks.n &&
				 (uintptr_t)r->blocks.p[next].base < (uintptr_t)ptr + size)) {
		e = cudaErrorHostMemoryAlreadyRegistered;
	} else {
		void *seen = hal_lock(ptr, size);
		struct rt_block b = {ptr, size, cudaMemoryTypeHost, d->ordinal,
			flags | cudaHostAllocMapped, true, seen, false};
		if (!seen) {
			e = cudaErrorInvalidValue;
		} else if (!block_add(r, b)) {
			hal_unlock(ptr);
			e = cudaErrorMemoryAllocation;
		}
	}
	rt_unlock(r);
	return e;
}

cudaError_t
rt_cudaHostUnregister(void *ptr)
{
	struct rt *r = rt_state();
	struct rt_device *d;
	cudaError_t e = rt_device_get(&d);
	if (!e)
		e = rt_device_sync(d);
	if (e)
		return e;
	if (!ptr)
		return cudaErrorInvalidValue;
	rt_lock(r);
	struct rt_block *b = rt_block_find(r, ptr);
	struct rt_block gone = {0};
	if (b && b->base == ptr && b->registered && !b->symbol)
		gone = block_take(r, b);
	else
		e = cudaErrorHostMemoryNotRegistered;
	rt_unlock(r);
	if (gone.base)
		block_free(gone);
	return e;
}

cudaError_t
rt_cudaHostGetDevicePointer(void **pDevice, void *pHost, unsigned int flags)
{
	struct rt *r = rt_state();
	struct rt_device *d;
	cudaError_t e = rt_device_get(&d);
	if (e)
		return e;
	if (!pDevice || flags)
		return cudaErrorInvalidValue;
	rt_lock(r);
	struct rt_block *b = rt_block_find(r, pHost);
	if (b && b->type != cudaMemoryTypeDevice)
		*pDevice = (u8 *)b->seen_as + ((u8 *)pHost - b->base);
	else
		e = cudaErrorInvalidValue;
	rt_unlock(r);
	return e;
}

cudaError_t
rt_cudaHostGetFlags(unsigned int *pFlags, void *pHost)
{
	struct rt *r = rt_state();
	struct rt_device *d;
	cudaError_t e = rt_device_get(&d);
	if (e)
		return e;
	if (!pFlags)
		return cudaErrorInvalidValue;
	rt_lock(r);
	struct rt_block *b = rt_block_find(r, pHost);
	if (b && b->type == cudaMemoryTypeHost)
		*pFlags = b->flags;
	else
		e = cudaErrorInvalidValue;
	rt_unlock(r);
	return e;
}

cudaError_t
rt_cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *ptr)
{
	struct rt *r = rt_state();
	struct rt_device *d;
	if (!attributes)
		return cudaErrorInvalidValue;
	cudaError_t e = rt_device_get(&d);
	if (e)
		return e;
	rt_lock(r);
	struct rt_block *b = rt_block_find(r, ptr);
	memset(attributes, 0, sizeof *attributes);
	if (b) {
		void *seen = (u8 *)b->seen_as + ((const u8 *)ptr - b->base);
		attributes->type = b->type;
		attributes->device = b->device;
		attributes->devicePointer = seen;
		attributes->hostPointer =
			b->type == cudaMemoryTypeDevice ? NULL : (void *)(uintptr_t)ptr;
	} else {
		attributes->type = cudaMemoryTypeUnregistered;
		attributes->device = cudaInvalidDeviceId;
		attributes->hostPointer = (void *)(uintptr_t)ptr;
	}
	rt_unlock(r);
	return cudaSuccess;
}

/* --- hints about managed memory ------------------------------------------------------------------------------ */

static cudaError_t
check_managed(const void *p, size_t n)
{
	struct rt *r = rt_state();
	rt_lock(r);
	struct rt_block *b = rt_block_find(r, p);
	bool ok = b && b->type == cudaMemoryTypeManaged && n &&
		  n <= b->size - (size_t)((const u8 *)p - b->base);
	rt_unlock(r);
	return ok ? cudaSuccess : cudaErrorInvalidValue;
}

static cudaError_t
check_place(int device)
{
	struct rt_device *d;
	return device == cudaCpuDeviceId ? cudaSuccess : rt_device_at(device, &d);
}

/* Managed memory never moves, so a hint where it should be has no effect, which is allowed. */
cudaError_t
rt_cudaMemPrefetchAsync(const void *devPtr, size_t count, int dstDevice, cudaStream_t stream)
{
	struct rt_stream *s;
	cudaError_t e = rt_stream_find(stream, &s);
	if (!e)
		e = check_place(dstDevice);
	return e ? e : check_managed(devPtr, count);
}

cudaError_t
rt_cudaMemPrefetchAsync_v2(const void *devPtr, size_t count, struct cudaMemLocation location,
	unsigned int flags, cudaStream_t stream)
{
	bool host = location.type == cudaMemLocationTypeHost ||
		    location.type == cudaMemLocationTypeHostNuma ||
		    location.type == cudaMemLocationTypeHostNumaCurrent;
	if (flags || (!host && location.type != cudaMemLocationTypeDevice))
		return cudaErrorInvalidValue;
	return rt_cudaMemPrefetchAsync(devPtr, count, host ? cudaCpuDeviceId : location.id, stream);
}

cudaError_t
rt_cudaMemAdvise(const void *devPtr, size_t count, enum cudaMemoryAdvise advice, int device)
{
	struct rt_device *d;
	cudaError_t e = rt_device_get(&d);
	if (e)
		return e;
	if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy)
		return cudaErrorInvalidValue;
	if (advice != cudaMemAdviseSetReadMostly && advice != cudaMemAdviseUnsetReadMostly &&
		advice != cudaMemAdviseUnsetPreferredLocation)
		e = check_place(device);
	return e ? e : check_managed(devPtr, count);
}

cudaError_t
rt_cudaMemAdvise_v2(const void *devPtr, size_t count, enum cudaMemoryAdvise advice,
	struct cudaMemLocation location)
{
	return rt_cudaMemAdvise(devPtr, count, advice,
		location.type == cudaMemLocationTypeDevice ? location.id : cudaCpuDeviceId);
}
