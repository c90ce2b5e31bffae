// Which kernels may share a wave of 64 lanes between two warps ("paired"), and why the others may not ("solo"). The answer
// is the same at every level of optimisation.
// RUN: env HEDDLE_LOG=pass %device --offload-arch=gfx90a -O0 -c %s -o %t.co 2>&1 | FileCheck %s --implicit-check-not=mode=solo
// RUN: env HEDDLE_LOG=pass %device --offload-arch=gfx90a -O1 -c %s -o %t.co 2>&1 | FileCheck %s --implicit-check-not=mode=solo
// RUN: env HEDDLE_LOG=pass %device --offload-arch=gfx90a -O3 -c %s -o %t.co 2>&1 | FileCheck %s --implicit-check-not=mode=solo
// RUN: env HEDDLE_LOG=pass %device --offload-arch=gfx1100 -O2 -c %s -o %t.co 2>&1 | FileCheck %s --check-prefix=W32 --implicit-check-not=mode=paired --implicit-check-not=mode=solo
// RUN: llvm-readelf -x .note.heddle %t.co | FileCheck %s --check-prefix=NOTE
// NOTE: Heddle
// W32-COUNT-20: mode=wave32
#include "mini.h"
#define WARP(name, result, params, section) \
	extern "C" __device__ result __heddle_##name params __attribute__((convergent));
#include "lang/warp.def"
#undef WARP
#define K(name) __global__ void name(int *p, int n)
#define tid ((int)__builtin_amdgcn_workitem_id_x())
__device__ inline void __syncthreads() { __heddle_sync_block(); }
__device__ inline int atomicAdd(int *p, int v) { return __atomic_fetch_add(p, v, __ATOMIC_RELAXED); }
__device__ inline int atomicExch(int *p, int v) { return __atomic_exchange_n(p, v, __ATOMIC_RELAXED); }
__device__ inline int atomicCAS(int *p, int c, int v)
{
	__atomic_compare_exchange_n(p, &c, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
	return c;
}

// CHECK: kernel=_Z5plainPii mode=paired
K(plain)
{
	p[tid] = n;
}
// CHECK: kernel=_Z6reducePii mode=paired
K(reduce)
{
	__shared__ int s[256];
	s[tid] = p[tid];
	__syncthreads();
	for (int d = 128; d > 0; d >>= 1) {
		if (tid < d)
			s[tid] += s[tid + d];
		__syncthreads();
	}
	if (tid == 0)
		p[0] = s[0];
}
// CHECK: kernel=_Z10early_exitPii mode=paired
K(early_exit)
{
	__shared__ int s[256];
	if (tid >= n)
		return;
	s[tid] = p[tid];
	__syncthreads();
	p[tid] = s[tid ^ 1];
}
// CHECK: kernel=_Z5tilesPii mode=paired
K(tiles)
{
	__shared__ int s[256];
	int a = 0;
	for (int t = 0; t < n; t++) {
		s[tid] = p[tid + t * 256];
		__syncthreads();
		for (int k = 0; k < 256; k++)
			a += s[k];
		__syncthreads();
	}
	if (tid < n)
		p[tid] = a;
}
// CHECK: kernel=_Z9histogramPii mode=paired
K(histogram)
{
	for (int i = tid; i < n; i += 256)
		if (p[i] > 3)
			atomicAdd(p + n + p[i], 1);
}
// CHECK: kernel=_Z8cas_loopPii mode=paired
K(cas_loop)
{
	int old = p[0], seen;
	do {
		seen = old;
		old = atomicCAS(p, seen, seen + tid);
	} while (seen != old);
}
// CHECK: kernel=_Z7cas_maxPii mode=paired
K(cas_max)
{
	int old = p[0], seen, v = p[tid];
	while (old < v) {
		seen = old;
		old = atomicCAS(p, seen, v);
		if (seen == old)
			break;
	}
}
// CHECK: kernel=_Z6ticketPii mode=paired
K(ticket)
{
	int i;
	while ((i = atomicAdd(p, 1)) < n)
		p[i + 1] = tid;
}
// CHECK: kernel=_Z5countPii mode=paired
K(count)
{
	p[tid] = __heddle_sync_count(p[tid]);
}
// The whole block leaves the loop together, so it may ask what others wrote.
// CHECK: kernel=_Z7convergPii mode=paired
K(converg)
{
	__shared__ int more;
	do {
		__syncthreads();
		if (tid == 0)
			more = 0;
		__syncthreads();
		if (p[tid] > n) {
			p[tid]--;
			more = 1;
		}
		__syncthreads();
	} while (more);
}
// Threads that have left do not come to a barrier again.
// CHECK: kernel=_Z9loop_exitPii mode=paired
K(loop_exit)
{
	for (int i = tid; i < n; i += 256) {
		__syncthreads();
		p[i]++;
	}
}
// CHECK: kernel=_Z11warp_reducePii mode=paired
K(warp_reduce)
{
	__shared__ int s[32];
	unsigned v = p[tid];
	for (int d = 16; d; d >>= 1)
		v += __heddle_shfl_down(~0u, v, d, 31);
	if ((tid & 31) == 0)
		s[tid / 32] = v;
	__syncthreads();
	if (tid < 32) {
		v = s[tid];
		for (int d = 16; d; d >>= 1)
			v += __heddle_shfl_down(~0u, v, d, 31);
		if (tid == 0)
			p[0] = v;
	}
}
// CHECK: kernel=_Z4listPii mode=paired
K(list)
{
	int x = p[tid];
	while (x >= 0)
		x = p[x];
	p[tid] = x;
}
__device__ __attribute__((noinline)) int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
// CHECK: kernel=_Z9recursionPii mode=paired
K(recursion)
{
	p[tid] = fib(n);
}
// CHECK: kernel=_Z8by_blockPii mode=paired
K(by_block)
{
	if (__builtin_amdgcn_workgroup_id_x() > 3) {
		__syncthreads();
		p[tid]++;
	} else {
		p[tid]--;
	}
}
// CHECK: kernel=_Z10last_blockPii mode=paired
K(last_block)
{
	__shared__ bool last;
	if (tid == 0)
		last = atomicAdd(p, 1) == n;
	__syncthreads();
	if (last) {
		p[tid] = 1;
		__syncthreads();
		p[tid + 1] = 2;
	}
}
// CHECK: kernel=_Z9by_switchPii mode=paired
K(by_switch)
{
	switch (n) {
	case 1:
		__syncthreads();
		p[tid] = 1;
		break;
	case 2:
		p[tid] = 2;
		__syncthreads();
		break;
	default:
		p[tid] = 3;
	}
	__syncthreads();
	p[tid + 1] = 3;
}
__device__ __attribute__((noinline)) int one(int x) { return x + 1; }
__device__ __attribute__((noinline)) int two(int x) { return x * 2; }
__device__ int (*functions[2])(int) = {one, two};
// CHECK: kernel=_Z7pointerPii mode=paired
K(pointer)
{
	p[tid] = functions[n](p[tid]);
	__syncthreads();
	p[tid ^ 1] += 2;
}
// Time runs by itself.
// CHECK: kernel=_Z5clockPii mode=paired
K(clock)
{
	long start = __builtin_readcyclecounter();
	while ((long)__builtin_readcyclecounter() - start < p[tid]) {
	}
}
// One warp in one wave: nothing to share.
// CHECK: kernel=_Z8one_warpPii mode=paired block=32
__global__ void __launch_bounds__(32) one_warp(int *p, int n)
{
	if (p[tid])
		__syncthreads();
	p[tid] = 2;
	__syncthreads();
	p[tid] = 3;
}

// --- the others -----------------------------------------------------------------------------------
// CHECK: kernel=_Z10two_placesPii mode=solo block=512 reason="the barrier at {{.*}}proof.cu:[[#@LINE+5]] stands under control flow that may differ between two warps"
K(two_places)
{
	if ((tid / 32) & 1) {
		p[tid] = 1;
		__syncthreads();
		p[tid] = 2;
	} else {
		p[tid] = 3;
		__syncthreads();
		p[tid] = p[tid ^ 1];
	}
}
// CHECK: kernel=_Z9sometimesPii mode=solo block=512 reason="the barrier at {{.*}}proof.cu:[[#@LINE+4]] stands under
K(sometimes)
{
	if (p[tid])
		__syncthreads();
	p[tid] = 2;
	__syncthreads();
	p[tid] = 3;
}
// CHECK: kernel=_Z4lockPii mode=solo block=512 reason="the loop at {{.*}}proof.cu:[[#@LINE+4]] may wait for another thread: for an atomic at
K(lock)
{
	if ((tid & 31) == 0) {
		while (atomicExch(p, 1)) {
		}
		p[1] += tid;
		atomicExch(p, 0);
	}
}
// CHECK: kernel=_Z8cas_lockPii mode=solo block=512 reason="the loop at {{.*}} may wait for another thread: for a compare-and-swap at
K(cas_lock)
{
	bool done = false;
	while (!done) {
		if (atomicCAS(p, 0, 1) == 0) {
			p[1] += tid;
			atomicExch(p, 0);
			done = true;
		}
	}
}
// CHECK: kernel=_Z4spinPii mode=solo block=512 reason="the loop at {{.*}} may wait for another thread: for a volatile or atomic load at
K(spin)
{
	volatile int *f = p;
	if (tid == 0)
		f[1] = 1;
	else
		while (!f[1]) {
		}
}
// CHECK: kernel=_Z12spin_on_exitPii mode=solo block=512 reason="the loop at {{.*}} may wait
K(spin_on_exit)
{
	volatile int *f = p;
	if (tid < n) {
		f[1] = 1;
		return;
	}
	while (!f[1]) {
	}
}
// CHECK: kernel=_Z9grid_syncPii mode=solo block=512 reason="the loop at {{.*}} may wait
K(grid_sync)
{
	__syncthreads();
	if (tid == 0) {
		atomicAdd(p, 1);
		while (*(volatile int *)p < n) {
		}
	}
	__syncthreads();
	p[tid] = 1;
}
// CHECK: kernel=_Z13vote_in_a_runPii mode=solo block=512 reason="the barrier at
K(vote_in_a_run)
{
	while (__heddle_vote_any(~0u, p[tid] > 0)) {
		p[tid]--;
		__syncthreads();
	}
	__syncthreads();
	p[0] = 1;
}
// CHECK: kernel=_Z12loop_differsPii mode=solo block=512 reason="the barrier at
K(loop_differs)
{
	for (int i = tid; i < n; i += 256) {
		__syncthreads();
		p[i]++;
	}
	__syncthreads();
	p[0] = 1;
}
// An addition that another atomic of the loop takes back makes no progress.
// CHECK: kernel=_Z9semaphorePii mode=solo block=512 reason="the loop at {{.*}} may wait for another thread: for an atomic at
K(semaphore)
{
	if (tid % 7 == 3) {
		while (atomicAdd(p, -1) <= 0)
			atomicAdd(p, 1);
		p[1]++;
		atomicAdd(p, 1);
	}
}
// A reload of plain memory behind a fence is a wait like any other.
// CHECK: kernel=_Z5fencePii mode=solo block=512 reason="the loop at {{.*}} may wait for another thread: for a load, in a loop with a fence
K(fence)
{
	if (tid == 0)
		p[1] = 1;
	else
		while (p[1] != 1)
			__builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent");
}
