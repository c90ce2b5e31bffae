// RUN: %run_both %s | %FileCheck %s
// Proves that wrong copies, sizes and pointers are answered by CUDA's errors and leave the memory as it was.
#include <cstdio>
#include <cstdlib>

static void say(const char *what, cudaError_t e)
{
	printf("%s: %s\n", what, cudaGetErrorName(e));
	if (cudaGetLastError() != e)
		printf("  cudaGetLastError differs\n");
	if (cudaGetLastError() != cudaSuccess)
		printf("  it stays\n");
}

int main()
{
	int *p, h[64] = {7}, back[64] = {0};
	say("malloc", cudaMalloc(&p, sizeof(h)));
	say("to device", cudaMemcpy(p, h, sizeof(h), cudaMemcpyHostToDevice));
	say("kind 77", cudaMemcpy(p, back, sizeof(h), (cudaMemcpyKind)77));
	say("null destination", cudaMemcpy(nullptr, h, sizeof(h), cudaMemcpyHostToDevice));
	say("null source", cudaMemcpy(p, nullptr, sizeof(h), cudaMemcpyHostToDevice));
	say("past the end", cudaMemcpy(p, h, sizeof(h) + 4096, cudaMemcpyDeviceToDevice));
	say("memset of null", cudaMemset(nullptr, 0, 4));
	say("nothing to copy", cudaMemcpy(p, h, 0, cudaMemcpyHostToDevice));
	say("from device", cudaMemcpy(back, p, sizeof(h), cudaMemcpyDefault));
	printf("back %d\n", back[0]);
	void *huge = h;
	say("malloc 1 EiB", cudaMalloc(&huge, (size_t)1 << 60));
	say("malloc to null", cudaMalloc((void **)nullptr, 4));
	say("free null", cudaFree(nullptr));
	say("free inside", cudaFree(p + 1));
	say("free", cudaFree(p));
	say("free again", cudaFree(p));
	say("free host memory", cudaFree(h));
	say("device 99", cudaSetDevice(99));
	cudaDeviceProp prop;
	say("properties of 99", cudaGetDeviceProperties(&prop, 99));
	printf("%s\n", cudaGetErrorString((cudaError_t)123456));
	return 0;
}
// CHECK: malloc: cudaSuccess
// CHECK-NEXT: to device: cudaSuccess
// CHECK-NEXT: kind 77: cudaErrorInvalidMemcpyDirection
// CHECK-NEXT: null destination: cudaErrorInvalidValue
// CHECK-NEXT: null source: cudaErrorInvalidValue
// CHECK-NEXT: past the end: cudaErrorInvalidValue
// CHECK-NEXT: memset of null: cudaErrorInvalidValue
// CHECK-NEXT: nothing to copy: cudaSuccess
// CHECK-NEXT: from device: cudaSuccess
// CHECK-NEXT: back 7
// CHECK-NEXT: malloc 1 EiB: cudaErrorMemoryAllocation
// CHECK-NEXT: malloc to null: cudaErrorInvalidValue
// CHECK-NEXT: free null: cudaSuccess
// CHECK-NEXT: free inside: cudaErrorInvalidValue
// CHECK-NEXT: free: cudaSuccess
// CHECK-NEXT: free again: cudaErrorInvalidValue
// CHECK-NEXT: free host memory: cudaErrorInvalidValue
// CHECK-NEXT: device 99: cudaErrorInvalidDevice
// CHECK-NEXT: properties of 99: cudaErrorInvalidDevice
// CHECK-NEXT: unrecognized error code
