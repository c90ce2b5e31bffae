// RUN: %run_both %s | %FileCheck %s
// Proves that the API may be called by many threads at once: each has its own streams, events, memory and
// last error; some share a stream; some use the default stream of their own thread.
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#define CHECK(x)                                                                              \
	do {                                                                                  \
		cudaError_t err = (x);                                                        \
		if (err != cudaSuccess) {                                                     \
			printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorName(err));     \
			exit(1);                                                              \
		}                                                                             \
	} while (0)

__device__ unsigned long long total;

__global__ void add(int *x, int n)
{
	atomicAdd(x + threadIdx.x, n);
	if (threadIdx.x == 0)
		atomicAdd(&total, 1ull);
}

static cudaStream_t shared;
static int *shared_x;

static void work(int id, bool *good)
{
	cudaStream_t s;
	cudaEvent_t e;
	int *d, h[32];
	*good = true;
	CHECK(cudaStreamCreateWithFlags(&s, id % 2 ? cudaStreamNonBlocking : cudaStreamDefault));
	CHECK(cudaEventCreate(&e));
	for (int round = 0; round < 20; round++) {
		CHECK(cudaMallocAsync((void **)&d, sizeof h, s));
		CHECK(cudaMemsetAsync(d, 0, sizeof h, s));
		for (int i = 0; i < 5; i++)
			add<<<1, 32, 0, s>>>(d, id);
		CHECK(cudaEventRecord(e, s));
		CHECK(cudaStreamWaitEvent(shared, e, 0));
		add<<<1, 32, 0, shared>>>(shared_x, 1);
		CHECK(cudaMemcpyAsync(h, d, sizeof h, cudaMemcpyDeviceToHost, s));
		CHECK(cudaFreeAsync(d, s));
		CHECK(cudaStreamSynchronize(s));
		for (int i = 0; i < 32; i++)
			*good &= h[i] == 5 * id;
		add<<<1, 32, 0, cudaStreamPerThread>>>(shared_x, 1);
		/* An error of this thread is nobody else's. */
		if (id % 3 == 0) {
			*good &= cudaSetDevice(99) == cudaErrorInvalidDevice;
			*good &= cudaGetLastError() == cudaErrorInvalidDevice;
		}
		*good &= cudaGetLastError() == cudaSuccess;
	}
	CHECK(cudaStreamSynchronize(cudaStreamPerThread));
	CHECK(cudaEventDestroy(e));
	CHECK(cudaStreamDestroy(s));
}

int main()
{
	const int n = 8;
	bool good[n];
	std::vector<std::thread> threads;
	CHECK(cudaStreamCreateWithFlags(&shared, cudaStreamNonBlocking));
	CHECK(cudaMallocManaged(&shared_x, 32 * sizeof(int)));
	for (int i = 0; i < n; i++)
		threads.emplace_back(work, i, good + i);
	for (auto &t : threads)
		t.join();
	CHECK(cudaDeviceSynchronize());
	unsigned long long all = 0;
	CHECK(cudaMemcpyFromSymbol(&all, total, sizeof all));
	int bad = 0;
	for (int i = 0; i < n; i++)
		bad += !good[i];
	printf("bad %d shared %d %d kernels %llu\n", bad, shared_x[0], shared_x[31], all);
	CHECK(cudaStreamDestroy(shared));
	return bad;
}
// CHECK: bad 0 shared 320 320 kernels 1120
