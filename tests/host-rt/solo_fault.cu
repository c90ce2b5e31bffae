// RUN: %nvcc -arch=gfx90a %s -o %t
// RUN: env HEDDLE_DEVICE=exec:gfx90a LD_PRELOAD=%preload %t 0 2>&1 | FileCheck %s --check-prefix=ADDRESS
// RUN: env HEDDLE_DEVICE=exec:gfx90a LD_PRELOAD=%preload %t 1 2>&1 | FileCheck %s --check-prefix=ASSERT
// Proves that a fault or a failed assertion in a kernel of warp mode solo names the thread as the program counts it.
#include <cassert>
#include <cstdio>
#include <cstdlib>

__global__ __attribute__((heddle_warp("solo"))) void kernel(int *out, int fail)
{
	int t = threadIdx.z * 100 + threadIdx.y * 10 + threadIdx.x;
	if (fail)
		assert(t != 324);
	else if (t == 324)
		*(int *)4 = 1;
	out[0] = blockDim.x;
}

int main(int, char **argv)
{
	int *d;
	cudaMalloc(&d, 4);
	kernel<<<2, dim3(7, 5, 4)>>>(d, atoi(argv[1]));
	printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
	return 0;
}
// ADDRESS: in kernel kernel(int*, int) at {{.*}}solo_fault.cu:15, block ({{[01]}},0,0), thread (4,2,3)
// ADDRESS: cudaErrorIllegalAddress
// ASSERT: solo_fault.cu:13: {{.*}}[{{[01]}},0,0], thread: [4,2,3]
// ASSERT: cudaErrorAssert
