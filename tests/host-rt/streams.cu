// RUN: %run_both %s | %FileCheck %s
// Proves the order of streams: within one, across events, against the legacy stream, and with host
// functions and copies between kernels. Every step would give another number if it ran too early.
#include <cstdio>
#include <cstdlib>

#define CHECK(x)                                                                              \
	do {                                                                                  \
		cudaError_t err = (x);                                                         \
		if (err != cudaSuccess) {                                                     \
			printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorName(err));     \
			exit(1);                                                              \
		}                                                                             \
	} while (0)

// Works for a while, then x = x * a + b.
__global__ void step(int *x, int a, int b, int rounds)
{
	volatile int spin = 0;
	for (int i = 0; i < rounds; i++)
		spin = spin + 1;
	*x = *x * a + b;
}

static int *x; // managed

static void host_step(void *p)
{
	int *v = (int *)p;
	*x = *x * v[0] + v[1];
}

static void callback(cudaStream_t, cudaError_t status, void *)
{
	*x = status == cudaSuccess ? *x + 1000 : -1;
}

static void in_one_stream()
{
	cudaStream_t s;
	int v[2] = {3, 7};
	CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
	*x = 1;
	step<<<1, 1, 0, s>>>(x, 2, 1, 20000);          // 3
	CHECK(cudaLaunchHostFunc(s, host_step, v));     // 16
	step<<<1, 1, 0, s>>>(x, 10, 0, 10);            // 160
	CHECK(cudaStreamAddCallback(s, callback, 0, 0)); // 1160
	step<<<1, 1, 0, s>>>(x, 1, 1, 10);             // 1161
	CHECK(cudaStreamSynchronize(s));
	printf("one stream %d\n", *x);
	CHECK(cudaStreamDestroy(s));
}

static void across_events()
{
	cudaStream_t a, b;
	cudaEvent_t e, f;
	CHECK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
	CHECK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
	CHECK(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
	CHECK(cudaEventCreateWithFlags(&f, cudaEventDisableTiming));
	*x = 1;
	for (int i = 0; i < 10; i++) {
		step<<<1, 1, 0, a>>>(x, 2, 0, 5000);
		CHECK(cudaEventRecord(e, a));
		CHECK(cudaStreamWaitEvent(b, e, 0));
		step<<<1, 1, 0, b>>>(x, 1, 3, 1000);
		CHECK(cudaEventRecord(f, b));
		CHECK(cudaStreamWaitEvent(a, f, 0));
	}
	CHECK(cudaStreamSynchronize(a));
	printf("events %d\n", *x); // x = 2x + 3, ten times
	CHECK(cudaEventDestroy(e));
	CHECK(cudaEventDestroy(f));
	CHECK(cudaStreamDestroy(a));
	CHECK(cudaStreamDestroy(b));
}

static void legacy()
{
	cudaStream_t a, b;
	CHECK(cudaStreamCreate(&a));
	CHECK(cudaStreamCreate(&b));
	*x = 1;
	step<<<1, 1, 0, a>>>(x, 2, 1, 20000);
	step<<<1, 1>>>(x, 3, 1, 5000);
	step<<<1, 1, 0, b>>>(x, 5, 1, 10);
	step<<<1, 1, 0, cudaStreamLegacy>>>(x, 7, 1, 10);
	CHECK(cudaDeviceSynchronize());
	printf("legacy %d\n", *x); // ((1*2+1)*3+1)*5+1 = 51, *7+1
	CHECK(cudaStreamDestroy(a));
	CHECK(cudaStreamDestroy(b));
}

static void copies()
{
	cudaStream_t s;
	int *d, *pinned, pageable = 5, back = 0;
	CHECK(cudaStreamCreate(&s));
	CHECK(cudaMalloc(&d, 4));
	CHECK(cudaMallocHost(&pinned, 4));
	*pinned = 0;
	CHECK(cudaMemsetAsync(d, 0, 4, s));
	step<<<1, 1, 0, s>>>(d, 1, 1, 20000);
	CHECK(cudaMemcpyAsync(pinned, d, 4, cudaMemcpyDeviceToHost, s)); // 1
	CHECK(cudaMemcpyAsync(d, &pageable, 4, cudaMemcpyHostToDevice, s));
	pageable = 99; // was taken at the call
	step<<<1, 1, 0, s>>>(d, 2, 1, 10); // 11
	CHECK(cudaMemcpyAsync(&back, d, 4, cudaMemcpyDeviceToHost, s));
	CHECK(cudaStreamSynchronize(s));
	printf("copies %d %d\n", *pinned, back);
	CHECK(cudaFreeAsync(d, s));
	CHECK(cudaStreamDestroy(s));
	CHECK(cudaFreeHost(pinned));
}

static void times()
{
	cudaEvent_t a, b, c;
	float first, second, both;
	CHECK(cudaEventCreate(&a));
	CHECK(cudaEventCreate(&b));
	CHECK(cudaEventCreate(&c));
	CHECK(cudaEventRecord(a));
	step<<<1, 1>>>(x, 1, 1, 200000);
	CHECK(cudaEventRecord(b));
	bool early = cudaEventQuery(b) == cudaErrorNotReady;
	step<<<1, 1>>>(x, 1, 1, 10);
	CHECK(cudaEventRecord(c));
	CHECK(cudaEventSynchronize(c));
	CHECK(cudaEventElapsedTime(&first, a, b));
	CHECK(cudaEventElapsedTime(&second, b, c));
	CHECK(cudaEventElapsedTime(&both, a, c));
	printf("times %d %d %d %d\n", early, first > 0 && second > 0, first > second, both > first);
	CHECK(cudaEventDestroy(a));
	CHECK(cudaEventDestroy(b));
	CHECK(cudaEventDestroy(c));
}

int main()
{
	CHECK(cudaMallocManaged(&x, 4));
	in_one_stream();
	across_events();
	legacy();
	copies();
	times();
	printf("last %s\n", cudaGetErrorName(cudaGetLastError()));
	return 0;
}
// CHECK: one stream 1161
// CHECK-NEXT: events 4093
// CHECK-NEXT: legacy 358
// CHECK-NEXT: copies 1 11
// CHECK-NEXT: times 1 1 1 1
// CHECK-NEXT: last cudaSuccess
