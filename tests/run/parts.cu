// RUN: %run_both %s %S/Inputs/parts_kernel.cu %S/Inputs/parts_host.cpp -I%S/Inputs | %FileCheck %s
// RUN: %nvcc -arch=gfx1100,gfx90a -c -I%S/Inputs -o %t.kernel.o %S/Inputs/parts_kernel.cu
// RUN: %run_both %s %t.kernel.o %S/Inputs/parts_host.cpp -I%S/Inputs | %FileCheck %s
// Proves that a program of several files works, with kernels and variables that only one of them sees.
#include "parts.h"
#include <cstdio>

static __global__ void kernel(int *n)
{
	*n = 21;
}

int main()
{
	const double v[4] = {1, 2, 3, 4.5};
	int *dn, n = 0;
	cudaMalloc(&dn, sizeof(n));
	kernel<<<1, 1>>>(dn);
	cudaMemcpy(&n, dn, sizeof(n), cudaMemcpyDeviceToHost);
	Sum a = sum_on_device(v, 3), b = sum_on_device(v, 4);
	printf("%d; %d %g; %d %g; %s\n", n, a.n, a.total, b.n, b.total, cudaGetErrorName(cudaGetLastError()));
	return 0;
}
// CHECK: 21; 1 6; 2 21; cudaSuccess
