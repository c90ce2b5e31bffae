// printf and assert in a loop that differs between the lanes do not count as waiting, although they use
// atomics on the service buffer.
// RUN: env HEDDLE_LOG=pass %nvcc -arch=gfx90a -O3 -cubin %s -o %t.co 2>&1 | FileCheck %s
// RUN: env HEDDLE_LOG=pass %nvcc -arch=gfx90a -G -cubin %s -o %t.co 2>&1 | FileCheck %s
// CHECK: kernel=_Z5countPi mode=paired
// CHECK: kernel=_Z4walkPi mode=paired
// CHECK: kernel=_Z4spinPi mode=solo
#include <cassert>
#include <cstdio>
__global__ void count(int *n)
{
	for (int i = 0; i < n[threadIdx.x]; i++)
		printf("%d\n", i);
}
__global__ void walk(int *p)
{
	int i = threadIdx.x;
	while (p[i] > 0) {
		assert(i < 100);
		printf("%d %f %s\n", i, 0.5, "text");
		i = p[i];
	}
	__syncthreads();
	p[0] = i;
}
__global__ void spin(int *p)
{
	if (threadIdx.x == 0) {
		*(volatile int *)p = 1;
	} else {
		while (*(volatile int *)p == 0)
			printf("still\n");
	}
}
