// A trap in a helper of the headers, inlined twice, names the kernel and the line of the user's call.
// RUN: %run_both %s 2>&1 | FileCheck %s
#include <cstdio>

__device__ void inner(int x)
{
	if (x == 5)
		// CHECK: trap in kernel outer(int*) at {{.*}}trap-run.cu:[[#@LINE+1]], block (0,0,0), thread (5,0,0)
		__trap();
}
__global__ void outer(int *p)
{
	inner((int)threadIdx.x);
	p[threadIdx.x] = 1;
}
int main()
{
	int *p;
	cudaMalloc((void **)&p, 64 * sizeof(int));
	outer<<<1, 64>>>(p);
	return cudaDeviceSynchronize() != cudaErrorLaunchFailure;
}
