// LLVM moves a shuffle that stands before a lock's loop behind it, next to its use, into the critical section; so the
// section looked as if lanes had to run it together, and stayed out of the loop, whose lanes waited for ever.
// REQUIRES: tier-default
// RUN: %run_both %s -O1 -DLANE 2>&1 | FileCheck %s --implicit-check-not=warning
// RUN: %run_both %s -O1 2>&1 | FileCheck %s --implicit-check-not=warning
// CHECK: 64 32 right
#include <cstdio>

__global__ void k(const int *in, int *out, int *lock)
{
	__shared__ int s[2][64];
	int t = threadIdx.x, v = in[t] + blockIdx.x;
	v ^= v >> 12;
	if (s[0][13] == in[5])
		v += s[0][14];
	s[1][t] = v;
	if (in[3] & 2) {
#ifdef LANE
		v += __shfl_sync(~0u, v, 0);
#else
		v += __shfl_down_sync(~0u, v, 4);
#endif
		for (bool done = false; !done;)
			if (atomicCAS(lock, 0, 1) == 0) {
				++*(volatile int *)(lock + 1);
				__threadfence();
				atomicExch(lock, 0);
				done = true;
			}
		s[0][t] = v;
		v += __syncthreads_or((v & 63) == 1) ? 5 : 9;
		v += 3 * s[0][(t + 1) % 64];
	}
	out[t] = v;
}

int main()
{
	int h[64], *in, *out, *lock, bad = 0, count;
	for (int &x : h)
		x = 2;
	cudaMalloc((void **)&in, sizeof h);
	cudaMalloc((void **)&out, sizeof h);
	cudaMalloc((void **)&lock, 8);
	cudaMemset(lock, 0, 8);
	cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
	k<<<1, 64>>>(in, out, lock);
	cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
	cudaMemcpy(&count, lock + 1, 4, cudaMemcpyDeviceToHost);
	for (int x : h)
		bad += x != 4 + 9 + 12;
	printf("%d %d %s\n", count, 32, bad || cudaGetLastError() != cudaSuccess ? "wrong" : "right");
	return 0;
}
