// RUN: %run_both %s | %FileCheck %s
// Proves that a launch that no GPU can do is refused with CUDA's error, spoils nothing, and runs no thread.
#include <cstdio>

__device__ int ran;

__global__ void kernel(int *out)
{
	extern __shared__ int dynamic[];
	dynamic[threadIdx.x] = 1;
	if (out)
		*out = dynamic[threadIdx.x];
	ran = 1;
}

__global__ void greedy(int *out)
{
	__shared__ int fixed[8192];
	extern __shared__ int dynamic[];
	fixed[threadIdx.x] = dynamic[threadIdx.x] = threadIdx.x;
	if (out)
		*out = fixed[31 - threadIdx.x] + dynamic[31 - threadIdx.x];
}

static void say(const char *what)
{
	cudaError_t e = cudaGetLastError();
	printf("%s: %s\n", what, cudaGetErrorName(e));
}

int main()
{
	kernel<<<1, 0>>>(nullptr);
	say("no threads");
	kernel<<<0, 32>>>(nullptr);
	say("no blocks");
	kernel<<<1, 2048>>>(nullptr);
	say("2048 threads");
	kernel<<<1, dim3(32, 32, 2)>>>(nullptr);
	say("32x32x2 threads");
	kernel<<<1, dim3(1, 1, 65)>>>(nullptr);
	say("65 deep");
	kernel<<<dim3(1, 65536), 32>>>(nullptr);
	say("65536 blocks high");
	kernel<<<1, 32, 1 << 20>>>(nullptr);
	say("1 MiB shared");
	greedy<<<1, 32, 48 * 1024>>>(nullptr);
	say("32 + 48 KiB shared");
	int n = -1;
	cudaMemcpyFromSymbol(&n, ran, sizeof(n));
	printf("ran %d\n", n);
	say("after");
	kernel<<<1, 32, 128>>>(nullptr);
	say("right");
	printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
	cudaMemcpyFromSymbol(&n, ran, sizeof(n));
	printf("ran %d\n", n);
	return 0;
}
// CHECK: no threads: cudaErrorInvalidConfiguration
// CHECK-NEXT: no blocks: cudaErrorInvalidConfiguration
// CHECK-NEXT: 2048 threads: cudaErrorInvalidConfiguration
// CHECK-NEXT: 32x32x2 threads: cudaErrorInvalidConfiguration
// CHECK-NEXT: 65 deep: cudaErrorInvalidConfiguration
// CHECK-NEXT: 65536 blocks high: cudaErrorInvalidConfiguration
// CHECK-NEXT: 1 MiB shared: cudaErrorInvalidValue
// CHECK-NEXT: 32 + 48 KiB shared: cudaErrorInvalidValue
// CHECK-NEXT: ran 0
// CHECK-NEXT: after: cudaSuccess
// CHECK-NEXT: right: cudaSuccess
// CHECK-NEXT: cudaSuccess
// CHECK-NEXT: ran 1
