// RUN: %run_both --targets gfx1100 %s -default-stream per-thread | %FileCheck %s
// Proves that with -default-stream per-thread stream 0 is the calling thread's own: a kernel of another
// thread runs while this thread's waits for it.
#include <cstdio>
#include <thread>

__global__ void wait(volatile int *p)
{
	while (!*p)
		;
	p[1] = 5;
}
__global__ void release(int *p) { *p = 1; }

int main()
{
	int *p, h = 0, *d;
	cudaMallocManaged(&p, 8);
	cudaMalloc(&d, 4);
	p[0] = p[1] = 0;
	wait<<<1, 1>>>(p);
	cudaMemcpyAsync(&d, &d, 0, cudaMemcpyHostToDevice); // in order behind the kernel
	printf("query %s\n", cudaGetErrorName(cudaStreamQuery(0)));
	std::thread([&] {
		release<<<1, 1>>>(p);
		printf("thread %s\n", cudaGetErrorName(cudaStreamSynchronize(0)));
	}).join();
	cudaMemcpy(&h, p + 1, 4, cudaMemcpyDefault); // waits for this thread's kernel
	printf("copied %d\n", h);
	printf("sync %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
	return 0;
}
// CHECK: query cudaErrorNotReady
// CHECK-NEXT: thread cudaSuccess
// CHECK-NEXT: copied 5
// CHECK-NEXT: sync cudaSuccess
