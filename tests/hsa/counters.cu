// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// UNSUPPORTED: thread
// RUN: %nvcc -o %t %s
// RUN: env HEDDLE_COUNTERS=1 %t 2>&1 | %FileCheck %s --check-prefix=ALL
// RUN: env HEDDLE_COUNTERS=2 %t 2>&1 | %FileCheck %s --check-prefix=EACH
// RUN: %t 2>&1 | %FileCheck %s --check-prefix=NONE
// Counters of kernels: added up by kernel at the end of the process, or of each launch.
#include <cstdio>

__global__ void
scale(float *p, float f, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		p[i] *= f;
}

__global__ void
clear(float *p)
{
	p[threadIdx.x] = 0;
}

int
main()
{
	float *p;
	cudaMalloc(&p, 4096);
	clear<<<1, 32>>>(p);
	for (int k = 0; k < 3; k++)
		scale<<<4, 256>>>(p, 2, 1024);
	cudaError_t e = cudaDeviceSynchronize();
	fprintf(stderr, "done: %s\n", cudaGetErrorName(e));
	return e;
}
// ALL-NOT: counters
// ALL: done: cudaSuccess
// ALL-NEXT: counters: clear(float*) on gfx1100: launches 1, blocks 1 of 32 threads, waves 1
// ALL: occupancy
// ALL-NEXT: counters: scale(float*, float, int) on gfx1100: launches 3, blocks 12 of 256 threads, waves 96
// ALL-NEXT: instructions {{[0-9]+}}
// ALL: global load 192  segments of 64 bytes, 2.00 an access; 12288 bytes asked for
// ALL-NEXT: global store 192  segments of 64 bytes, 2.00 an access; 12288 bytes asked for
// ALL: occupancy 32  waves on a compute unit at once, of 32; 4 blocks
// ALL-NOT: {{.}}

// EACH: counters: clear(float*) on gfx1100: launches 1,
// EACH-COUNT-3: counters: scale(float*, float, int) on gfx1100: launches 1, blocks 4 of 256 threads, waves 32
// EACH: done: cudaSuccess
// EACH-NOT: {{.}}

// NONE-NOT: counters
