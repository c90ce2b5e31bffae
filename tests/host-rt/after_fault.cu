// RUN: %run_both %s 2>/dev/null | %FileCheck %s
// Proves what happens to a stream's operations when a kernel faults: callbacks learn the error, host
// functions and copies do not run, nothing hangs, every call returns the error until the reset, and last
// errors are a thread's own.
#include <cstdio>
#include <thread>

__global__ void bad(int *p) { *p = 1; }
__global__ void good(int *p) { *p = 2; }

static void callback(cudaStream_t, cudaError_t e, void *) { printf("callback %s\n", cudaGetErrorName(e)); }
static void host_function(void *) { printf("host function\n"); }
static const char *name(cudaError_t e) { return cudaGetErrorName(e); }

int main()
{
	cudaStream_t s, t;
	cudaEvent_t e;
	int *d, *h;
	setvbuf(stdout, 0, _IOLBF, 0);
	cudaMalloc(&d, 4);
	cudaMallocHost(&h, 4);
	*h = 7;
	cudaStreamCreate(&s);
	cudaStreamCreate(&t);
	cudaEventCreate(&e);
	cudaLaunchHostFunc(s, host_function, 0);
	cudaStreamAddCallback(s, callback, 0, 0);
	bad<<<1, 1, 0, s>>>(nullptr);
	cudaStreamAddCallback(s, callback, 0, 0);
	cudaLaunchHostFunc(s, host_function, 0);
	cudaMemcpyAsync(h, d, 4, cudaMemcpyDeviceToHost, s);
	cudaEventRecord(e, s);
	cudaStreamWaitEvent(t, e, 0);
	good<<<1, 1, 0, t>>>(d);
	printf("stream %s\n", name(cudaStreamSynchronize(s)));
	printf("other stream %s\n", name(cudaStreamSynchronize(t)));
	printf("event %s\n", name(cudaEventQuery(e)));
	printf("host %d\n", *h);
	good<<<1, 1>>>(d);
	printf("launch %s\n", name(cudaGetLastError()));
	printf("last %s\n", name(cudaGetLastError()));
	printf("malloc %s\n", name(cudaMalloc(&d, 4)));
	std::thread([] {
		int *p;
		printf("thread: last %s", name(cudaGetLastError()));
		printf(", malloc %s\n", name(cudaMalloc(&p, 4)));
	}).join();
	printf("reset %s\n", name(cudaDeviceReset()));
	printf("old stream %s\n", name(cudaStreamSynchronize(s)));
	printf("malloc %s\n", name(cudaMalloc(&d, 4)));
	good<<<1, 1>>>(d);
	int back = 0;
	printf("copy %s", name(cudaMemcpy(&back, d, 4, cudaMemcpyDeviceToHost)));
	printf(" %d\n", back);
	return 0;
}
// CHECK: host function
// CHECK-NEXT: callback cudaSuccess
// CHECK-NEXT: callback cudaErrorIllegalAddress
// CHECK-NEXT: stream cudaErrorIllegalAddress
// CHECK-NEXT: other stream cudaErrorIllegalAddress
// CHECK-NEXT: event cudaErrorIllegalAddress
// CHECK-NEXT: host 7
// CHECK-NEXT: launch cudaErrorIllegalAddress
// CHECK-NEXT: last cudaSuccess
// CHECK-NEXT: malloc cudaErrorIllegalAddress
// CHECK-NEXT: thread: last cudaSuccess, malloc cudaErrorIllegalAddress
// CHECK-NEXT: reset cudaSuccess
// CHECK-NEXT: old stream cudaErrorInvalidResourceHandle
// CHECK-NEXT: malloc cudaSuccess
// CHECK-NEXT: copy cudaSuccess 2
