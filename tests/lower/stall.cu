// RUN: %nvcc -arch=gfx1100,gfx90a -fatbin %s -o %t.fat 2>&1 | FileCheck %s --implicit-check-not=warning:
// RUN: %nvcc -w -arch=gfx1100 -fatbin %s -o %t.fat 2>&1 | count 0
// RUN: %nvcc -G -arch=gfx1100 -fatbin %s -o %t.fat 2>&1 | FileCheck %s --implicit-check-not=warning:
// Proves that the compiler warns, once and at the program's line, where lanes wait for others of their own warp that
// run only after them, and says nothing of loops that wait for other warps or whose lock comes back.

__global__ void sides(volatile int *f)
{
	if (threadIdx.x == 0)
		*f = 1;
	else
		// CHECK: stall.cu:[[#@LINE+1]]:{{.*}} warning: this loop may wait for a lane of its own warp, which cannot go on until the loop ends
		while (*f == 0) {
		}
}

__global__ void odd(int *f)
{
	if (threadIdx.x & 1) {
		// CHECK: stall.cu:[[#@LINE+1]]:{{.*}} warning: this loop may wait
		while (atomicAdd(f, 0) == 0) {
		}
		f[1] = 2;
	} else {
		f[3] = 7;
		atomicExch(f, 1);
	}
}

__global__ void together(int *f)
{
	// CHECK: stall.cu:[[#@LINE+1]]:{{.*}} warning: this loop may wait
	while (atomicCAS(f, 0, 1)) {
	}
	f[1] += __popc(__activemask());
	atomicExch(f, 0);
}

__global__ void other_warp(int *f)
{
	if (threadIdx.x / 32 == 1) {
		while (atomicAdd(f, 0) == 0) {
		}
		f[1] = 2;
	} else {
		f[3] = 7;
		atomicExch(f, 1);
	}
}

__global__ void other_warps(int *f)
{
	if (threadIdx.x < 64) {
		while (atomicAdd(f, 0) == 0) {
		}
		f[1] = 2;
	} else {
		f[3] = 7;
		atomicExch(f, 1);
	}
}

__global__ void lock(int *f)
{
	while (atomicCAS(f, 0, 1)) {
	}
	f[1]++;
	atomicExch(f, 0);
}

__global__ void grid_barriers(int *f)
{
	for (int i = 1; i < 3; i++) {
		__syncthreads();
		if (threadIdx.x == 0) {
			atomicAdd(f, 1);
			while (atomicAdd(f, 0) < (int)gridDim.x * i) {
			}
		}
		__syncthreads();
		f[1 + threadIdx.x] += i;
	}
}
