// RUN: %run_both %s 2>&1 | %FileCheck %s
// Proves that a device assertion prints its place and text, and that the error is sticky.
#include <cassert>
#include <cstdio>

__global__ void check(const int *in)
{
	assert(in[threadIdx.x] != 3 && "three is forbidden");
}

int main()
{
	int h[32], *d;
	for (int i = 0; i < 32; i++)
		h[i] = i;
	cudaMalloc(&d, sizeof(h));
	cudaMemcpy(d, h, sizeof(h), cudaMemcpyHostToDevice);
	check<<<1, 2>>>(d);
	fprintf(stderr, "fine %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
	check<<<1, 32>>>(d);
	cudaError_t e = cudaDeviceSynchronize();
	fprintf(stderr, "then %s: %s\n", cudaGetErrorName(e), cudaGetErrorString(e));
	fprintf(stderr, "later %s\n", cudaGetErrorName(cudaFree(d)));
	return 0;
}
// CHECK: fine cudaSuccess
// CHECK: asserts.cu:8: {{.*}}check(const int *){{.*}}block: [0,0,0], thread: [3,0,0] Assertion `in[threadIdx.x] != 3 && "three is forbidden"` failed.
// CHECK: then cudaErrorAssert: device-side assert triggered
// CHECK-NEXT: later cudaErrorAssert
