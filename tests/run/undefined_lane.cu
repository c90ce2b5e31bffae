// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A variable that one lane alone sets, and the others get by a shuffle, is undefined in them until then. That is no
// reason to take the lane for all lanes, be the shuffle called by name or through functions of the program.
// RUN: %run_both --targets gfx1100,gfx90a,gfx906,gfx1201 %s -O3 | FileCheck %s
// RUN: %run_both %s -G | FileCheck %s
#include <cstdio>
#define FULL 0xffffffffu

// CHECK: aggregated 64: 64 places
__global__ void
aggregated(int *count, int *out, int)
{
	if (threadIdx.x % 3 == 0)
		return;
	unsigned mask = __activemask();
	int leader = __ffs(mask) - 1, base;
	if ((threadIdx.x & 31) == leader)
		base = atomicAdd(count, __popc(mask));
	base = __shfl_sync(mask, base, leader);
	out[base + __popc(mask & ((1u << (threadIdx.x & 31)) - 1))] = 1;
}

// CHECK: fixed 96: 96 places
__global__ void
fixed(int *count, int *out, int)
{
	int base;
	if ((threadIdx.x & 31) == 3)
		base = atomicAdd(count, 32);
	base = __shfl_sync(FULL, base, 3);
	out[base + (threadIdx.x & 31)] = 1;
}

template <class T> __device__ T
give(T v, int lane)
{
	return __shfl_sync(FULL, v, lane);
}

__device__ __noinline__ long long
give_called(long long v, int lane)
{
	return __shfl_sync(FULL, v, lane);
}

// CHECK: wrapped 96: 96 places
__global__ void
wrapped(int *count, int *out, int n)
{
	double base;
	if ((threadIdx.x & 31) == n)
		base = atomicAdd(count, 32);
	out[(int)give(base, n) + (threadIdx.x & 31)] = 1;
}

// CHECK: called 96: 96 places
__global__ void
called(int *count, int *out, int n)
{
	long long base;
	if ((threadIdx.x & 31) == n)
		base = atomicAdd(count, 32);
	out[give_called(base, n) + (threadIdx.x & 31)] = 1;
}

// CHECK: voted 3: 3 places
__global__ void
voted(int *count, int *out, int n)
{
	bool mine;
	int at;
	if ((threadIdx.x & 31) == n)
		mine = (at = atomicAdd(count, 1)) >= 0;
	if (__ballot_sync(FULL, mine) >> n & 1 && (threadIdx.x & 31) == n)
		out[at] = 1;
}

static void
run(const char *name, void (*kernel)(int *, int *, int))
{
	int *p, places = 0;
	cudaMallocManaged(&p, 4096 * sizeof(int));
	for (int i = 0; i < 4096; i++)
		p[i] = 0;
	kernel<<<1, 96>>>(p, p + 1, 5);
	if (cudaDeviceSynchronize() != cudaSuccess)
		return;
	for (int i = 1; i < 4096; i++)
		places += p[i];
	printf("%s %d: %d places\n", name, *p, places);
	cudaFree(p);
}

int
main()
{
	run("aggregated", aggregated);
	run("fixed", fixed);
	run("wrapped", wrapped);
	run("called", called);
	run("voted", voted);
	return 0;
}
