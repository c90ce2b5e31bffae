// RUN: %run_both %s | %FileCheck %s
// Proves when device printf is printed: at every kind of synchronization, in order; what was never
// synchronized with before the program ends is not printed, as in CUDA.
#include <cstdio>

__global__ void hello(int n)
{
	printf("kernel %d\n", n);
}

int main()
{
	cudaStream_t s;
	cudaEvent_t e;
	int *d, h;
	setvbuf(stdout, 0, _IOLBF, 0);
	cudaMalloc(&d, 4);
	hello<<<1, 1>>>(1);
	printf("before sync\n");
	cudaDeviceSynchronize();
	printf("after sync\n");
	cudaStreamCreate(&s);
	hello<<<1, 1, 0, s>>>(2);
	hello<<<1, 1, 0, s>>>(3);
	cudaStreamSynchronize(s);
	printf("after stream\n");
	cudaEventCreate(&e);
	hello<<<1, 1>>>(4);
	cudaEventRecord(e);
	cudaEventSynchronize(e);
	printf("after event\n");
	hello<<<1, 1>>>(5);
	cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
	printf("after copy\n");
	hello<<<1, 1>>>(6);
	cudaDeviceReset();
	printf("after reset\n");
	hello<<<1, 1>>>(7);
	return 0;
}
// CHECK: before sync
// CHECK-NEXT: kernel 1
// CHECK-NEXT: after sync
// CHECK-NEXT: kernel 2
// CHECK-NEXT: kernel 3
// CHECK-NEXT: after stream
// CHECK-NEXT: kernel 4
// CHECK-NEXT: after event
// CHECK-NEXT: kernel 5
// CHECK-NEXT: after copy
// CHECK-NEXT: kernel 6
// CHECK-NEXT: after reset
// CHECK-NOT: kernel 7
