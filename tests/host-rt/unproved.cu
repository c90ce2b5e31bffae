// RUN: %nvcc -arch=gfx1100,gfx90a %s -o %t
// RUN: env HEDDLE_DEVICE=exec:gfx1100 LD_PRELOAD=%preload %t 2>&1 | %FileCheck %s --check-prefix=WAVE32
// RUN: env HEDDLE_DEVICE=exec:gfx90a LD_PRELOAD=%preload %t 2>&1 | %FileCheck %s --check-prefix=WAVE64
// Proves that a kernel whose warps cannot be proved to share a wave of 64 lanes is refused there by name,
// with the reason, and without spoiling anything; waves of 32 lanes run it.
#include <cstdio>

__global__ void branchy(int *out)
{
	__shared__ int x[64];
	x[threadIdx.x] = threadIdx.x;
	if ((threadIdx.x / 32) & 1) {
		x[threadIdx.x] += 1;
		__syncthreads();
	} else {
		x[threadIdx.x] += 2;
		__syncthreads();
	}
	out[threadIdx.x] = x[63 - threadIdx.x];
}

__global__ void plain(int *out) { *out = 5; }

int main()
{
	int *d, h[64] = {0}, blocks = -1;
	setvbuf(stdout, 0, _IONBF, 0);
	cudaMalloc(&d, sizeof h);
	branchy<<<1, 64>>>(d);
	printf("launch %s\n", cudaGetErrorName(cudaGetLastError()));
	printf("sync %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
	cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, branchy, 64, 0);
	printf("resident %d\n", blocks > 0);
	plain<<<1, 1>>>(d);
	cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
	printf("after %d %s\n", h[0], cudaGetErrorName(cudaGetLastError()));
	return 0;
}
// WAVE32: launch cudaSuccess
// WAVE32-NEXT: sync cudaSuccess
// WAVE32-NEXT: resident 1
// WAVE32-NEXT: after 5 cudaSuccess
// WAVE64: heddle: kernel branchy(int*) cannot run on gfx90a: it is not proved that two of its warps may share a wave: {{.+}}
// WAVE64-NEXT: launch cudaErrorNotSupported
// WAVE64-NEXT: sync cudaSuccess
// WAVE64: resident 0
// WAVE64-NEXT: after 5 cudaSuccess
