/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* As much of CUDA as clang itself asks for, so that these tests need no header of ours. */
#pragma once
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
typedef __SIZE_TYPE__ size_t;
struct dim3 {
	unsigned x, y, z;
	__host__ __device__ dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
};
typedef struct stream *cudaStream_t;
extern "C" int cudaLaunchKernel(const void *f, dim3 g, dim3 b, void **args, size_t shared, cudaStream_t s);
extern "C" unsigned __cudaPushCallConfiguration(dim3 g, dim3 b, size_t shared = 0, cudaStream_t s = 0);
extern "C" int __cudaPopCallConfiguration(dim3 *g, dim3 *b, size_t *shared, void *s);
extern "C" int hipConfigureCall(dim3 g, dim3 b, size_t shared = 0, cudaStream_t s = 0);
extern "C" unsigned __hipPushCallConfiguration(dim3 g, dim3 b, size_t shared = 0, cudaStream_t s = 0);
extern "C" int hipLaunchKernel(const void *f, dim3 g, dim3 b, void **args, size_t shared, cudaStream_t s);
