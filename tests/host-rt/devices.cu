// RUN: %nvcc -arch=gfx1100,gfx90a %s -o %t
// RUN: env HEDDLE_DEVICE=exec:gfx1100,gfx90a,gfx1100 LD_PRELOAD=%preload %t 2>/dev/null | %FileCheck %s
// Proves that devices are apart: current device of a thread, memory, streams, faults and resets of one do
// not touch another; copies and peer access between them; one variable a device.
#include <cstdio>
#include <thread>

__device__ int where;
__global__ void add(int *p, int n) { *p += n + where; }
__global__ void bad(int *p) { *p = 1; }
static const char *name(cudaError_t e) { return cudaGetErrorName(e); }

int main()
{
	int n, now, can, h[3], *d[3];
	cudaStream_t s[3];
	cudaGetDeviceCount(&n);
	printf("count %d\n", n);
	for (int i = 0; i < n; i++) {
		cudaDeviceProp p;
		int v = 100 * i;
		cudaGetDeviceProperties(&p, i);
		printf("%d: %s\n", i, p.name);
		cudaSetDevice(i);
		cudaMalloc(&d[i], 4);
		cudaStreamCreate(&s[i]);
		cudaMemcpyToSymbol(where, &v, 4);
		cudaMemset(d[i], 0, 4);
		add<<<1, 1, 0, s[i]>>>(d[i], i + 1);
	}
	std::thread([] {
		int mine;
		cudaGetDevice(&mine);
		printf("a new thread has %d\n", mine);
	}).join();
	for (int i = 0; i < n; i++) {
		cudaSetDevice(i);
		cudaStreamSynchronize(s[i]);
		cudaMemcpy(&h[i], d[i], 4, cudaMemcpyDeviceToHost);
	}
	printf("sums %d %d %d\n", h[0], h[1], h[2]);
	cudaPointerAttributes a;
	cudaPointerGetAttributes(&a, d[1]);
	printf("pointer of %d\n", a.device);

	cudaSetDevice(0);
	cudaDeviceCanAccessPeer(&can, 0, 1);
	printf("peer %d", can);
	printf(" %s", name(cudaDeviceEnablePeerAccess(1, 0)));
	printf(" %s\n", name(cudaDeviceEnablePeerAccess(1, 0)));
	add<<<1, 1>>>(d[1], 1000); // device 0 writes memory of device 1
	printf("write %s\n", name(cudaDeviceSynchronize()));
	printf("copy %s", name(cudaMemcpyPeer(d[0], 0, d[1], 1, 4)));
	cudaMemcpy(&h[0], d[0], 4, cudaMemcpyDeviceToHost);
	printf(" %d\n", h[0]);
	printf("disable %s", name(cudaDeviceDisablePeerAccess(1)));
	printf(" %s\n", name(cudaDeviceDisablePeerAccess(1)));

	cudaSetDevice(2);
	bad<<<1, 1>>>(nullptr);
	printf("2: %s\n", name(cudaDeviceSynchronize()));
	cudaSetDevice(1);
	cudaGetLastError();
	add<<<1, 1, 0, s[1]>>>(d[1], 1);
	printf("1: %s\n", name(cudaStreamSynchronize(s[1])));
	cudaSetDevice(2);
	cudaDeviceReset();
	cudaSetDevice(0);
	printf("0: %s\n", name(cudaMemcpy(&h[0], d[0], 4, cudaMemcpyDeviceToHost)));
	cudaGetDevice(&now);
	printf("now %d, stream of another device: %s\n", now, name((add<<<1, 1, 0, s[1]>>>(d[0], 1), cudaGetLastError())));
	return 0;
}
// CHECK: count 3
// CHECK-NEXT: 0: {{.*}}(gfx1100)
// CHECK-NEXT: 1: {{.*}}(gfx90a)
// CHECK-NEXT: 2: {{.*}}(gfx1100)
// CHECK-NEXT: a new thread has 0
// CHECK-NEXT: sums 1 102 203
// CHECK-NEXT: pointer of 1
// CHECK-NEXT: peer 1 cudaSuccess cudaErrorPeerAccessAlreadyEnabled
// CHECK-NEXT: write cudaSuccess
// CHECK-NEXT: copy cudaSuccess 1102
// CHECK-NEXT: disable cudaSuccess cudaErrorPeerAccessNotEnabled
// CHECK-NEXT: 2: cudaErrorIllegalAddress
// CHECK-NEXT: 1: cudaSuccess
// CHECK-NEXT: 0: cudaSuccess
// CHECK-NEXT: now 0, stream of another device: cudaErrorInvalidResourceHandle
