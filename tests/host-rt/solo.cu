// RUN: %nvcc -arch=gfx1100,gfx90a %s -o %t
// RUN: env HEDDLE_DEVICE=exec:gfx1100 LD_PRELOAD=%preload %t 2>&1 | %FileCheck %s --check-prefixes=CHECK,WAVE32
// RUN: env HEDDLE_DEVICE=exec:gfx90a LD_PRELOAD=%preload %t 2>&1 | %FileCheck %s --check-prefixes=CHECK,WAVE64
// Proves that a kernel whose warps cannot be proved to share a wave of 64 lanes has a wave for each there, with
// the block, the limits and the occupancy that follow; waves of 32 lanes know no difference.
#include <cstdio>

__global__ void branchy(int *out)
{
	__shared__ int x[1024];
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

__global__ void cells(int *out)
{
	int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
	int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
	if ((thread / 32) & 1)
		__syncthreads();
	else
		__syncthreads();
	atomicAdd(&out[block], blockDim.x * 10000 + threadIdx.x * 1000 + threadIdx.y * 100 + threadIdx.z);
}

__global__ void __launch_bounds__(100) bounded(int *out)
{
	if ((threadIdx.x / 32) & 1)
		__syncthreads();
	else
		__syncthreads();
	atomicAdd(out, 1);
}

static void report(const char *name, const void *f)
{
	cudaFuncAttributes a;
	int blocks = 0;
	cudaFuncGetAttributes(&a, f);
	cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, f, 64, 0);
	printf("%s: at most %d, resident %s\n", name, a.maxThreadsPerBlock, blocks > 0 ? "yes" : "no");
}

int main()
{
	int *d, h[64] = {0}, bad = 0, size = 0, grid = 0;
	setvbuf(stdout, 0, _IONBF, 0);
	cudaMalloc(&d, sizeof h);
	branchy<<<1, 64>>>(d);
	cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
	for (int i = 0; i < 64; i++)
		bad += h[i] != 63 - i + ((63 - i) / 32 == 1 ? 1 : 2);
	printf("branchy: %d wrong\n", bad);
	cudaMemset(d, 0, sizeof h);
	cells<<<dim3(2, 3, 4), dim3(7, 5, 3)>>>(d);
	cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
	for (int i = bad = 0; i < 24; i++)
		bad += h[i] != 105 * 70000 + 315000 + 105 * 200 + 105;
	printf("cells: %d wrong\n", bad);
	bounded<<<1, 100>>>(d + 63);
	cudaMemcpy(h, d + 63, 4, cudaMemcpyDeviceToHost);
	printf("bounded: %d\n", h[0]);
	report("branchy", (const void *)branchy);
	report("bounded", (const void *)bounded);
	cudaOccupancyMaxPotentialBlockSize(&grid, &size, branchy);
	printf("best %d\n", size);
	for (int i = 0; i < 2; i++) {
		branchy<<<1, 513>>>(d);
		printf("513: %s\n", cudaGetErrorName(cudaGetLastError()));
	}
	bounded<<<1, 101>>>(d);
	printf("101: %s\n", cudaGetErrorName(cudaGetLastError()));
	return 0;
}
// CHECK: branchy: 0 wrong
// CHECK: cells: 0 wrong
// CHECK: bounded: 100
// WAVE32: branchy: at most 1024, resident yes
// WAVE64: branchy: at most 512, resident yes
// CHECK: bounded: at most 100, resident yes
// WAVE32: best 1024
// WAVE64: best 512
// WAVE64: heddle: kernel branchy(int*) takes at most 512 threads a block on gfx90a, not 513: {{.*}} because the barrier at {{.*}}solo.cu:{{.*}}__attribute__((heddle_warp("paired")))
// WAVE64-NEXT: 513: cudaErrorLaunchOutOfResources
// WAVE64-NEXT: 513: cudaErrorLaunchOutOfResources
// CHECK: 101: cudaErrorInvalidValue
