/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * runtime_cxx.h - the C++ overloads of the runtime API: typed pointers for the allocators, symbols
 * and kernels by name instead of by address. Each only casts and calls the function of the C API,
 * so any C++ compiler can read it.
 */
#ifndef HEDDLE_RUNTIME_CXX_H
#define HEDDLE_RUNTIME_CXX_H

#include "../cuda_runtime_api.h"

#define HEDDLE_API static __inline__ __host__ cudaError_t

/* Memory */
template <class T>
HEDDLE_API
cudaMalloc(T **p, size_t size)
{
	return ::cudaMalloc((void **)(void *)p, size);
}

template <class T>
HEDDLE_API
cudaMallocPitch(T **p, size_t *pitch, size_t width, size_t height)
{
	return ::cudaMallocPitch((void **)(void *)p, pitch, width, height);
}

template <class T>
HEDDLE_API
cudaMallocHost(T **p, size_t size, unsigned int flags = 0)
{
	return ::cudaHostAlloc((void **)(void *)p, size, flags);
}

static __inline__ __host__ cudaError_t
cudaMallocHost(void **p, size_t size, unsigned int flags)
{
	return ::cudaHostAlloc(p, size, flags);
}

template <class T>
HEDDLE_API
cudaHostAlloc(T **p, size_t size, unsigned int flags)
{
	return ::cudaHostAlloc((void **)(void *)p, size, flags);
}

template <class T>
HEDDLE_API
cudaHostGetDevicePointer(T **device, void *host, unsigned int flags)
{
	return ::cudaHostGetDevicePointer((void **)(void *)device, host, flags);
}

template <class T>
HEDDLE_API
cudaMallocManaged(T **p, size_t size, unsigned int flags = cudaMemAttachGlobal)
{
	return ::cudaMallocManaged((void **)(void *)p, size, flags);
}

template <class T>
HEDDLE_API
cudaMallocAsync(T **p, size_t size, cudaStream_t stream)
{
	return ::cudaMallocAsync((void **)(void *)p, size, stream);
}

template <class T>
HEDDLE_API
cudaMallocFromPoolAsync(T **p, size_t size, cudaMemPool_t pool, cudaStream_t stream)
{
	return ::cudaMallocFromPoolAsync((void **)(void *)p, size, pool, stream);
}

static __inline__ __host__ cudaError_t
cudaMallocAsync(void **p, size_t size, cudaMemPool_t pool, cudaStream_t stream)
{
	return ::cudaMallocFromPoolAsync(p, size, pool, stream);
}

template <class T>
HEDDLE_API
cudaMallocAsync(T **p, size_t size, cudaMemPool_t pool, cudaStream_t stream)
{
	return ::cudaMallocFromPoolAsync((void **)(void *)p, size, pool, stream);
}

template <class T>
HEDDLE_API
cudaStreamAttachMemAsync(
	cudaStream_t stream, T *p, size_t size = 0, unsigned int flags = cudaMemAttachSingle)
{
	return ::cudaStreamAttachMemAsync(stream, (void *)p, size, flags);
}

/* Symbols */
template <class T>
HEDDLE_API
cudaMemcpyToSymbol(const T &symbol, const void *source, size_t count, size_t offset = 0,
	enum cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
	return ::cudaMemcpyToSymbol((const void *)&symbol, source, count, offset, kind);
}

template <class T>
HEDDLE_API
cudaMemcpyToSymbolAsync(const T &symbol, const void *source, size_t count, size_t offset = 0,
	enum cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0)
{
	return ::cudaMemcpyToSymbolAsync(
		(const void *)&symbol, source, count, offset, kind, stream);
}

template <class T>
HEDDLE_API
cudaMemcpyFromSymbol(void *target, const T &symbol, size_t count, size_t offset = 0,
	enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
	return ::cudaMemcpyFromSymbol(target, (const void *)&symbol, count, offset, kind);
}

template <class T>
HEDDLE_API
cudaMemcpyFromSymbolAsync(void *target, const T &symbol, size_t count, size_t offset = 0,
	enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = 0)
{
	return ::cudaMemcpyFromSymbolAsync(
		target, (const void *)&symbol, count, offset, kind, stream);
}

template <class T>
HEDDLE_API
cudaGetSymbolAddress(void **p, const T &symbol)
{
	return ::cudaGetSymbolAddress(p, (const void *)&symbol);
}

template <class T>
HEDDLE_API
cudaGetSymbolSize(size_t *size, const T &symbol)
{
	return ::cudaGetSymbolSize(size, (const void *)&symbol);
}

/* Kernels */
template <class T>
HEDDLE_API
cudaLaunchKernel(
	T *kernel, dim3 grid, dim3 block, void **args, size_t shared = 0, cudaStream_t stream = 0)
{
	return ::cudaLaunchKernel((const void *)kernel, grid, block, args, shared, stream);
}

template <class T>
HEDDLE_API
cudaLaunchCooperativeKernel(
	T *kernel, dim3 grid, dim3 block, void **args, size_t shared = 0, cudaStream_t stream = 0)
{
	return ::cudaLaunchCooperativeKernel(
		(const void *)kernel, grid, block, args, shared, stream);
}

template <class T>
HEDDLE_API
cudaFuncSetCacheConfig(T *kernel, enum cudaFuncCache config)
{
	return ::cudaFuncSetCacheConfig((const void *)kernel, config);
}

template <class T>
HEDDLE_API
cudaFuncSetSharedMemConfig(T *kernel, enum cudaSharedMemConfig config)
{
	return ::cudaFuncSetSharedMemConfig((const void *)kernel, config);
}

template <class T>
HEDDLE_API
cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, T *kernel)
{
	return ::cudaFuncGetAttributes(attributes, (const void *)kernel);
}

template <class T>
HEDDLE_API
cudaFuncSetAttribute(T *kernel, enum cudaFuncAttribute attribute, int value)
{
	return ::cudaFuncSetAttribute((const void *)kernel, attribute, value);
}

template <class T>
HEDDLE_API
cudaFuncGetName(const char **name, T *kernel)
{
	return ::cudaFuncGetName(name, (const void *)kernel);
}

template <class T>
HEDDLE_API
cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T kernel, int block_size, size_t shared)
{
	return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(
		blocks, (const void *)kernel, block_size, shared);
}

template <class T>
HEDDLE_API
cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
	int *blocks, T kernel, int block_size, size_t shared, unsigned int flags)
{
	return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
		blocks, (const void *)kernel, block_size, shared, flags);
}

template <class T>
HEDDLE_API
cudaOccupancyAvailableDynamicSMemPerBlock(size_t *shared, T *kernel, int blocks, int block_size)
{
	return ::cudaOccupancyAvailableDynamicSMemPerBlock(
		shared, (const void *)kernel, blocks, block_size);
}

/*
 * The block size that keeps most threads resident on a multiprocessor: try the multiples of a warp
 * from the largest down, each with the shared memory that it asks for, and keep the first of the
 * best.
 */
template <class T, class Shared>
HEDDLE_API
cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int *min_grid, int *block_size, T kernel,
	Shared shared_of, int limit = 0, unsigned int flags = 0)
{
	int device, processors, most, warp, best = 0;
	struct cudaFuncAttributes attributes;
	cudaError_t error;

	if (!min_grid || !block_size || !kernel)
		return cudaErrorInvalidValue;
	if ((error = ::cudaGetDevice(&device)) != cudaSuccess ||
		(error = ::cudaDeviceGetAttribute(
			 &processors, cudaDevAttrMultiProcessorCount, device)) != cudaSuccess ||
		(error = ::cudaDeviceGetAttribute(&most, cudaDevAttrMaxThreadsPerBlock, device)) !=
			cudaSuccess ||
		(error = ::cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, device)) !=
			cudaSuccess ||
		(error = ::cudaFuncGetAttributes(&attributes, (const void *)kernel)) != cudaSuccess)
		return error;
	if (attributes.maxThreadsPerBlock < most)
		most = attributes.maxThreadsPerBlock;
	if (limit > 0 && limit < most)
		most = limit;
	*min_grid = *block_size = 0;
	for (int size = (most + warp - 1) / warp * warp; size > 0; size -= warp) {
		int threads = size < most ? size : most;
		int blocks;
		error = ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
			&blocks, (const void *)kernel, threads, shared_of(threads), flags);
		if (error != cudaSuccess)
			return error;
		if (blocks * threads > best) {
			best = blocks * threads;
			*block_size = threads;
			*min_grid = blocks * processors;
		}
	}
	return cudaSuccess;
}

template <class T, class Shared>
HEDDLE_API
cudaOccupancyMaxPotentialBlockSizeVariableSMem(
	int *min_grid, int *block_size, T kernel, Shared shared_of, int limit = 0)
{
	return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
		min_grid, block_size, kernel, shared_of, limit, 0);
}

struct heddle_same_shared {
	size_t size;
	__host__ __device__ size_t operator()(int) const
	{
		return size;
	}
};

template <class T>
HEDDLE_API
cudaOccupancyMaxPotentialBlockSizeWithFlags(int *min_grid, int *block_size, T kernel,
	size_t shared = 0, int limit = 0, unsigned int flags = 0)
{
	heddle_same_shared same = {shared};
	return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
		min_grid, block_size, kernel, same, limit, flags);
}

template <class T>
HEDDLE_API
cudaOccupancyMaxPotentialBlockSize(
	int *min_grid, int *block_size, T kernel, size_t shared = 0, int limit = 0)
{
	return cudaOccupancyMaxPotentialBlockSizeWithFlags(
		min_grid, block_size, kernel, shared, limit, 0);
}

/* Events with flags under the short name */
static __inline__ __host__ cudaError_t
cudaEventCreate(cudaEvent_t *event, unsigned int flags)
{
	return ::cudaEventCreateWithFlags(event, flags);
}

#undef HEDDLE_API

#endif
