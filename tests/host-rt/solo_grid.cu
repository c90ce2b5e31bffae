// RUN: %run_both --targets gfx1100,gfx90a,gfx906 %s | FileCheck %s
// Proves that a cooperative launch of as many blocks as the occupancy of a solo kernel allows is resident at once: its
// barrier of the grid ends. One block more is refused.
#include <cstdio>

__global__ void rounds(int *at, int *sum)
{
	for (int i = 1; i <= 3; i++) {
		__syncthreads();
		if (threadIdx.x == 0) {
			atomicAdd(at, 1);
			while (atomicAdd(at, 0) < (int)gridDim.x * i) {
			}
		}
		__syncthreads();
		if (threadIdx.x % 32 == 0)
			atomicAdd(sum, i);
	}
}

int main()
{
	int *d, h[2] = {0}, blocks = 0, sms = 0, bad = 0;
	cudaMalloc(&d, sizeof h);
	cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
	for (int threads = 480; threads <= 512; threads += 32) {
		cudaMemset(d, 0, sizeof h);
		cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, rounds, threads, 0);
		int *sum = d + 1;
		void *args[] = {&d, &sum};
		cudaError_t e = cudaLaunchCooperativeKernel((void *)rounds, blocks * sms, threads, args);
		cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
		bad += e != cudaSuccess || !blocks || h[1] != blocks * sms * (threads / 32) * 6;
		e = cudaLaunchCooperativeKernel((void *)rounds, blocks * sms + 1, threads, args);
		bad += e != cudaErrorCooperativeLaunchTooLarge;
	}
	printf("%d wrong\n", bad);
	return 0;
}
// CHECK: 0 wrong
