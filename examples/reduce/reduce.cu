// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reduce - the sum, the smallest and the largest of many numbers. A warp adds up by shuffles, the
// warps of a block through shared memory, the blocks by atomics.
//
//   reduce [elements]
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                                \
	do {                                                                                       \
		cudaError_t e = (call);                                                            \
		if (e != cudaSuccess) {                                                            \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e)); \
			exit(1);                                                                   \
		}                                                                                  \
	} while (0)

struct Add {
	__device__ static long long join(long long a, long long b) { return a + b; }
	__device__ static void store(long long *to, long long v)
	{
		atomicAdd((unsigned long long *)to, (unsigned long long)v);
	}
};
struct Min {
	__device__ static long long join(long long a, long long b) { return a < b ? a : b; }
	__device__ static void store(long long *to, long long v) { atomicMin(to, v); }
};
struct Max {
	__device__ static long long join(long long a, long long b) { return a > b ? a : b; }
	__device__ static void store(long long *to, long long v) { atomicMax(to, v); }
};

template <typename Op> __device__ long long warpReduce(long long v)
{
	for (int delta = warpSize / 2; delta > 0; delta /= 2)
		v = Op::join(v, __shfl_down_sync(0xffffffff, v, delta));
	return v;
}

template <typename Op>
__global__ void reduce(const int *in, int n, long long neutral, long long *out)
{
	__shared__ long long part[32];
	long long v = neutral;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		v = Op::join(v, in[i]);
	v = warpReduce<Op>(v);
	if (threadIdx.x % warpSize == 0)
		part[threadIdx.x / warpSize] = v;
	__syncthreads();
	if (threadIdx.x < warpSize) {
		v = threadIdx.x < blockDim.x / warpSize ? part[threadIdx.x] : neutral;
		v = warpReduce<Op>(v);
		if (threadIdx.x == 0)
			Op::store(out, v);
	}
}

int main(int argc, char **argv)
{
	const int n = argc > 1 ? atoi(argv[1]) : 1 << 22;
	if (n <= 0) {
		fprintf(stderr, "usage: reduce [elements]\n");
		return 2;
	}
	std::vector<int> in(n);
	unsigned state = 1;
	long long sum = 0, low = 0, high = 0;
	for (int i = 0; i < n; i++) {
		state = state * 1664525u + 1013904223u;
		in[i] = (int)state;
		if (i == 0)
			low = high = in[i];
		sum += in[i];
		low = in[i] < low ? in[i] : low;
		high = in[i] > high ? in[i] : high;
	}

	int *din;
	long long *dout, out[3] = {0, 0x7fffffffffffffffll, -0x7fffffffffffffffll - 1};
	CHECK(cudaMalloc(&din, n * sizeof(int)));
	CHECK(cudaMalloc(&dout, sizeof(out)));
	CHECK(cudaMemcpy(din, in.data(), n * sizeof(int), cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(dout, out, sizeof(out), cudaMemcpyHostToDevice));

	cudaEvent_t start, stop;
	CHECK(cudaEventCreate(&start));
	CHECK(cudaEventCreate(&stop));
	CHECK(cudaEventRecord(start));
	reduce<Add><<<64, 256>>>(din, n, out[0], dout + 0);
	reduce<Min><<<64, 256>>>(din, n, out[1], dout + 1);
	reduce<Max><<<64, 256>>>(din, n, out[2], dout + 2);
	CHECK(cudaGetLastError());
	CHECK(cudaEventRecord(stop));
	CHECK(cudaEventSynchronize(stop));
	float ms = 0;
	CHECK(cudaEventElapsedTime(&ms, start, stop));
	CHECK(cudaMemcpy(out, dout, sizeof(out), cudaMemcpyDeviceToHost));
	CHECK(cudaFree(din));
	CHECK(cudaFree(dout));

	printf("%d numbers, three reductions: %.3f ms, %.2f GB/s\n", n, ms, 3.0 * n * sizeof(int) / ms / 1e6);
	printf("sum %lld, smallest %lld, largest %lld\n", out[0], out[1], out[2]);
	if (out[0] != sum || out[1] != low || out[2] != high) {
		printf("FAIL: the host finds %lld, %lld, %lld\n", sum, low, high);
		return 1;
	}
	printf("PASS\n");
	return 0;
}
