/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* driver_memory.c - memory, streams and events of the driver API: the runtime's functions by other names. */
#include "host-rt/driver.h"

#include <string.h>

#define WITH_DEVICE(call)                                                                          \
	struct rt_device *d;                                                                       \
	CUresult e = rt_cu_device(&d);                                                             \
	return e ? e : rt_cu_result(call)

static void *
pointer(CUdeviceptr p)
{
	return (void *)(uintptr_t)p;
}

/* --- allocation --------------------------------------------------------------------------------------------------- */

/* Unlike cudaMalloc, no size of 0. */
static CUresult
allocate(CUdeviceptr *dptr, size_t n, cudaError_t (*fn)(void **p, size_t n))
{
	struct rt_device *d;
	void *p = NULL;
	CUresult e = rt_cu_device(&d);
	if (!e && (!dptr || !n))
		e = CUDA_ERROR_INVALID_VALUE;
	if (!e)
		e = rt_cu_result(fn(&p, n));
	if (!e)
		*dptr = (CUdeviceptr)(uintptr_t)p;
	return e;
}

CUresult
rt_cuMemAlloc(CUdeviceptr *dptr, size_t bytesize)
{
	return allocate(dptr, bytesize, rt_cudaMalloc);
}

CUresult
rt_cuMemAllocHost(void **pp, size_t bytesize)
{
	WITH_DEVICE(rt_cudaMallocHost(pp, bytesize));
}

CUresult
rt_cuMemHostAlloc(void **pp, size_t bytesize, unsigned int Flags)
{
	WITH_DEVICE(rt_cudaHostAlloc(pp, bytesize, Flags));
}

CUresult
rt_cuMemAllocManaged(CUdeviceptr *dptr, size_t bytesize, unsigned int flags)
{
	struct rt_device *d;
	void *p = NULL;
	CUresult e = rt_cu_device(&d);
	if (!e && !dptr)
		e = CUDA_ERROR_INVALID_VALUE;
	if (!e)
		e = rt_cu_result(rt_cudaMallocManaged(&p, bytesize, flags));
	if (!e)
		*dptr = (CUdeviceptr)(uintptr_t)p;
	return e;
}

CUresult
rt_cuMemAllocPitch(CUdeviceptr *dptr, size_t *pPitch, size_t WidthInBytes, size_t Height,
	unsigned int ElementSizeBytes)
{
	struct rt_device *d;
	void *p = NULL;
	CUresult e = rt_cu_device(&d);
	if (!e && (!dptr || (ElementSizeBytes != 4 && ElementSizeBytes != 8 &&
				    ElementSizeBytes != 16)))
		e = CUDA_ERROR_INVALID_VALUE;
	if (!e)
		e = rt_cu_result(rt_cudaMallocPitch(&p, pPitch, WidthInBytes, Height));
	if (!e)
		*dptr = (CUdeviceptr)(uintptr_t)p;
	return e;
}

CUresult
rt_cuMemAllocAsync(CUdeviceptr *dptr, size_t bytesize, CUstream hStream)
{
	struct rt_device *d;
	void *p = NULL;
	CUresult e = rt_cu_device(&d);
	if (!e && !dptr)
		e = CUDA_ERROR_INVALID_VALUE;
	if (!e)
		e = rt_cu_result(rt_cudaMallocAsync(&p, bytesize, hStream));
	if (!e)
		*dptr = (CUdeviceptr)(uintptr_t)p;
	return e;
}

CUresult
rt_cuMemFree(CUdeviceptr dptr)
{
	WITH_DEVICE(rt_cudaFree(pointer(dptr)));
}

CUresult
rt_cuMemFreeHost(void *p)
{
	WITH_DEVICE(rt_cudaFreeHost(p));
}

CUresult
rt_cuMemFreeAsync(CUdeviceptr dptr, CUstream hStream)
{
	WITH_DEVICE(rt_cudaFreeAsync(pointer(dptr), hStream));
}

CUresult
rt_cuMemGetInfo(size_t *free, size_t *total)
{
	WITH_DEVICE(rt_cudaMemGetInfo(free, total));
}

CUresult
rt_cuMemGetAddressRange(CUdeviceptr *pbase, size_t *psize, CUdeviceptr dptr)
{
	struct rt *r = rt_state();
	struct rt_device *d;
	CUresult e = rt_cu_device(&d);
	if (e)
		return e;
	rt_lock(r);
	const struct rt_block *b = rt_block_find(r, pointer(dptr));
	if (b && pbase)
		*pbase = (CUdeviceptr)(uintptr_t)b->base;
	if (b && psize)
		*psize = b->size;
	rt_unlock(r);
	return b ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

CUresult
rt_cuMemHostGetDevicePointer(CUdeviceptr *pdptr, void *p, unsigned int Flags)
{
	struct rt_device *d;
	void *at = NULL;
	CUresult e = rt_cu_device(&d);
	if (!e && !pdptr)
		e = CUDA_ERROR_INVALID_VALUE;
	if (!e)
		e = rt_cu_result(rt_cudaHostGetDevicePointer(&at, p, Flags));
	if (!e)
		*pdptr = (CUdeviceptr)(uintptr_t)at;
	return e;
}

CUresult
rt_cuMemHostGetFlags(unsigned int *pFlags, void *p)
{
	WITH_DEVICE(rt_cudaHostGetFlags(pFlags, p));
}

CUresult
rt_cuMemHostRegister(void *p, size_t bytesize, unsigned int Flags)
{
	WITH_DEVICE(rt_cudaHostRegister(p, bytesize, Flags));
}

CUresult
rt_cuMemHostUnregister(void *p)
{
	WITH_DEVICE(rt_cudaHostUnregister(p));
}

CUresult
rt_cuMemAdvise(CUdeviceptr devPtr, size_t count, CUmem_advise advice, CUdevice device)
{
	WITH_DEVICE(
		rt_cudaMemAdvise(pointer(devPtr), count, (enum cudaMemoryAdvise)advice, device));
}

CUresult
rt_cuMemPrefetchAsync(CUdeviceptr devPtr, size_t count, CUdevice dstDevice, CUstream hStream)
{
	WITH_DEVICE(rt_cudaMemPrefetchAsync(pointer(devPtr), count, dstDevice, hStream));
}

CUresult
rt_cuPointerGetAttribute(void *data, CUpointer_attribute attribute, CUdeviceptr ptr)
{
	struct rt *r = rt_state();
	struct rt_device *d;
	CUresult e = rt_cu_device(&d);
	if (e)
		return e;
	if (!data)
		return CUDA_ERROR_INVALID_VALUE;
	rt_lock(r);
	const struct rt_block *b = rt_block_find(r, pointer(ptr));
	if (!b) {
		rt_unlock(r);
		return CUDA_ERROR_INVALID_VALUE;
	}
	bool host = b->type != cudaMemoryTypeDevice;
	CUdeviceptr seen =
		ptr - (CUdeviceptr)(uintptr_t)b->base + (CUdeviceptr)(uintptr_t)b->seen_as;
	switch (attribute) {
	case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
		*(unsigned *)data =
			b->type == cudaMemoryTypeHost ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
		break;
	case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
		*(CUdeviceptr *)data = seen;
		break;
	case CU_POINTER_ATTRIBUTE_HOST_POINTER:
		if (host)
			*(void **)data = pointer(ptr);
		else
			e = CUDA_ERROR_INVALID_VALUE;
		break;
	case CU_POINTER_ATTRIBUTE_IS_MANAGED:
		*(unsigned *)data = b->type == cudaMemoryTypeManaged;
		break;
	case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
		*(int *)data = b->device;
		break;
	case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
		*(void **)data = b->base;
		break;
	case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
		*(size_t *)data = b->size;
		break;
	case CU_POINTER_ATTRIBUTE_MAPPED:
		*(unsigned char *)data = 1;
		break;
	default:
		e = CUDA_ERROR_NOT_SUPPORTED;
	}
	rt_unlock(r);
	return e;
}

/* --- copies ----------------------------------------------------------------------------------------------------------- */

#define COPY(name, params, dst, src, kind)                                                         \
	CUresult rt_##name params                                                                  \
	{                                                                                          \
		WITH_DEVICE(rt_cudaMemcpy(dst, src, ByteCount, kind));                             \
	}
#define COPY_ASYNC(name, params, dst, src, kind)                                                   \
	CUresult rt_##name params                                                                  \
	{                                                                                          \
		WITH_DEVICE(rt_cudaMemcpyAsync(dst, src, ByteCount, kind, hStream));               \
	}

COPY(cuMemcpy, (CUdeviceptr dst, CUdeviceptr src, size_t ByteCount), pointer(dst), pointer(src),
	cudaMemcpyDefault)
COPY(cuMemcpyDtoD, (CUdeviceptr dst, CUdeviceptr src, size_t ByteCount), pointer(dst), pointer(src),
	cudaMemcpyDeviceToDevice)
COPY(cuMemcpyDtoH, (void *dst, CUdeviceptr src, size_t ByteCount), dst, pointer(src),
	cudaMemcpyDeviceToHost)
COPY(cuMemcpyHtoD, (CUdeviceptr dst, const void *src, size_t ByteCount), pointer(dst), src,
	cudaMemcpyHostToDevice)
COPY_ASYNC(cuMemcpyAsync, (CUdeviceptr dst, CUdeviceptr src, size_t ByteCount, CUstream hStream),
	pointer(dst), pointer(src), cudaMemcpyDefault)
COPY_ASYNC(cuMemcpyDtoDAsync,
	(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount, CUstream hStream), pointer(dst),
	pointer(src), cudaMemcpyDeviceToDevice)
COPY_ASYNC(cuMemcpyDtoHAsync, (void *dst, CUdeviceptr src, size_t ByteCount, CUstream hStream), dst,
	pointer(src), cudaMemcpyDeviceToHost)
COPY_ASYNC(cuMemcpyHtoDAsync,
	(CUdeviceptr dst, const void *src, size_t ByteCount, CUstream hStream), pointer(dst), src,
	cudaMemcpyHostToDevice)

static u8 *
side(CUmemorytype type, const void *host, CUdeviceptr device)
{
	switch (type) {
	case CU_MEMORYTYPE_HOST:
		return (u8 *)(uintptr_t)host;
	case CU_MEMORYTYPE_DEVICE:
	case CU_MEMORYTYPE_UNIFIED:
		return pointer(device);
	default:
		return NULL;
	}
}

static CUresult
copy_2d(const CUDA_MEMCPY2D *c, CUstream stream, bool async)
{
	struct rt_device *d;
	struct rt_stream *s;
	CUresult e = rt_cu_device(&d);
	if (!e)
		e = rt_cu_result(rt_stream_find(stream, &s));
	if (e)
		return e;
	if (!c)
		return CUDA_ERROR_INVALID_VALUE;
	if (c->srcMemoryType == CU_MEMORYTYPE_ARRAY || c->dstMemoryType == CU_MEMORYTYPE_ARRAY)
		return CUDA_ERROR_NOT_SUPPORTED;
	u8 *dst = side(c->dstMemoryType, c->dstHost, c->dstDevice);
	u8 *src = side(c->srcMemoryType, c->srcHost, c->srcDevice);
	if (!dst || !src)
		return CUDA_ERROR_INVALID_VALUE;
	size_t dst_pitch = c->dstPitch ? c->dstPitch : c->WidthInBytes + c->dstXInBytes;
	size_t src_pitch = c->srcPitch ? c->srcPitch : c->WidthInBytes + c->srcXInBytes;
	if (dst_pitch < c->WidthInBytes + c->dstXInBytes ||
		src_pitch < c->WidthInBytes + c->srcXInBytes)
		return CUDA_ERROR_INVALID_VALUE;
	struct rt_copy copy = {
		.dst = dst + c->dstY * dst_pitch + c->dstXInBytes,
		.src = src + c->srcY * src_pitch + c->srcXInBytes,
		.dst_pitch = dst_pitch,
		.src_pitch = src_pitch,
		.width = c->WidthInBytes,
		.height = c->Height,
		.depth = 1,
	};
	return rt_cu_result(rt_copy(&copy, cudaMemcpyDefault, s, async));
}

CUresult
rt_cuMemcpy2D(const CUDA_MEMCPY2D *pCopy)
{
	return copy_2d(pCopy, NULL, false);
}

CUresult
rt_cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *pCopy)
{
	return copy_2d(pCopy, NULL, false);
}

CUresult
rt_cuMemcpy2DAsync(const CUDA_MEMCPY2D *pCopy, CUstream hStream)
{
	return copy_2d(pCopy, hStream, true);
}

/* --- fills ------------------------------------------------------------------------------------------------------------ */

static CUresult
fill(CUdeviceptr dst, size_t pitch, u32 value, u32 unit, size_t width, size_t height,
	CUstream stream, bool async)
{
	struct rt_device *d;
	struct rt_stream *s;
	CUresult e = rt_cu_device(&d);
	if (!e)
		e = rt_cu_result(rt_stream_find(stream, &s));
	if (e)
		return e;
	if (width > SIZE_MAX / unit || pitch % unit)
		return CUDA_ERROR_INVALID_VALUE;
	struct rt_copy c = {.dst = pointer(dst),
		.dst_pitch = pitch,
		.width = width * unit,
		.height = height,
		.depth = 1};
	return rt_cu_result(rt_fill(&c, value, unit, s, async));
}

#define FILL(bits, type, letters)                                                                  \
	CUresult rt_cuMemsetD##bits(CUdeviceptr p, type letters, size_t N)                         \
	{                                                                                          \
		return fill(p, 0, letters, bits / 8, N, 1, NULL, false);                           \
	}                                                                                          \
	CUresult rt_cuMemsetD##bits##Async(                                                        \
		CUdeviceptr p, type letters, size_t N, CUstream hStream)                           \
	{                                                                                          \
		return fill(p, 0, letters, bits / 8, N, 1, hStream, true);                         \
	}                                                                                          \
	CUresult rt_cuMemsetD2D##bits(                                                             \
		CUdeviceptr p, size_t pitch, type letters, size_t Width, size_t Height)            \
	{                                                                                          \
		return fill(p, pitch, letters, bits / 8, Width, Height, NULL, false);              \
	}                                                                                          \
	CUresult rt_cuMemsetD2D##bits##Async(CUdeviceptr p, size_t pitch, type letters,            \
		size_t Width, size_t Height, CUstream hStream)                                     \
	{                                                                                          \
		return fill(p, pitch, letters, bits / 8, Width, Height, hStream, true);            \
	}
FILL(8, unsigned char, uc)
FILL(16, unsigned short, us)
FILL(32, unsigned int, ui)

/* --- streams and events -------------------------------------------------------------------------------------------------- */

#define SAME(name, params, call)                                                                   \
	CUresult rt_##name params                                                                  \
	{                                                                                          \
		WITH_DEVICE(call);                                                                 \
	}
SAME(cuStreamCreate, (CUstream * phStream, unsigned int Flags),
	rt_cudaStreamCreateWithFlags(phStream, Flags))
SAME(cuStreamCreateWithPriority, (CUstream * phStream, unsigned int flags, int priority),
	rt_cudaStreamCreateWithPriority(phStream, flags, priority))
SAME(cuStreamDestroy, (CUstream hStream), rt_cudaStreamDestroy(hStream))
SAME(cuStreamGetFlags, (CUstream hStream, unsigned int *flags),
	rt_cudaStreamGetFlags(hStream, flags))
SAME(cuStreamGetId, (CUstream hStream, unsigned long long *streamId),
	rt_cudaStreamGetId(hStream, streamId))
SAME(cuStreamGetPriority, (CUstream hStream, int *priority),
	rt_cudaStreamGetPriority(hStream, priority))
SAME(cuStreamIsCapturing, (CUstream hStream, CUstreamCaptureStatus *status),
	rt_cudaStreamIsCapturing(hStream, (enum cudaStreamCaptureStatus *)status))
SAME(cuStreamQuery, (CUstream hStream), rt_cudaStreamQuery(hStream))
SAME(cuStreamSynchronize, (CUstream hStream), rt_cudaStreamSynchronize(hStream))
SAME(cuStreamWaitEvent, (CUstream hStream, CUevent hEvent, unsigned int Flags),
	rt_cudaStreamWaitEvent(hStream, hEvent, Flags))
SAME(cuStreamAddCallback,
	(CUstream hStream, CUstreamCallback callback, void *userData, unsigned int flags),
	rt_cudaStreamAddCallback(hStream, (cudaStreamCallback_t)callback, userData, flags))
SAME(cuLaunchHostFunc, (CUstream hStream, CUhostFn fn, void *userData),
	rt_cudaLaunchHostFunc(hStream, fn, userData))
SAME(cuEventCreate, (CUevent * phEvent, unsigned int Flags),
	rt_cudaEventCreateWithFlags(phEvent, Flags))
SAME(cuEventDestroy, (CUevent hEvent), rt_cudaEventDestroy(hEvent))
SAME(cuEventElapsedTime, (float *pMilliseconds, CUevent hStart, CUevent hEnd),
	rt_cudaEventElapsedTime(pMilliseconds, hStart, hEnd))
SAME(cuEventQuery, (CUevent hEvent), rt_cudaEventQuery(hEvent))
SAME(cuEventRecord, (CUevent hEvent, CUstream hStream), rt_cudaEventRecord(hEvent, hStream))
SAME(cuEventRecordWithFlags, (CUevent hEvent, CUstream hStream, unsigned int flags),
	rt_cudaEventRecordWithFlags(hEvent, hStream, flags))
SAME(cuEventSynchronize, (CUevent hEvent), rt_cudaEventSynchronize(hEvent))
