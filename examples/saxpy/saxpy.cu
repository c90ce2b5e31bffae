// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// saxpy - y = a * x + y on two long vectors: the shortest whole CUDA program.
//
//   saxpy [elements]
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

__global__ void saxpy(int n, float a, const float *x, float *y)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		y[i] = a * x[i] + y[i];
}

int main(int argc, char **argv)
{
	const int n = argc > 1 ? atoi(argv[1]) : 1 << 22;
	const float a = 2.5f;
	if (n <= 0) {
		fprintf(stderr, "usage: saxpy [elements]\n");
		return 2;
	}
	std::vector<float> x(n), y(n);
	for (int i = 0; i < n; i++) {
		x[i] = float(i % 1000) * 0.25f;
		y[i] = float(i % 7);
	}

	float *dx, *dy;
	const size_t bytes = n * sizeof(float);
	CHECK(cudaMalloc(&dx, bytes));
	CHECK(cudaMalloc(&dy, bytes));
	CHECK(cudaMemcpy(dx, x.data(), bytes, cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(dy, y.data(), bytes, cudaMemcpyHostToDevice));

	cudaEvent_t start, stop;
	CHECK(cudaEventCreate(&start));
	CHECK(cudaEventCreate(&stop));
	CHECK(cudaEventRecord(start));
	saxpy<<<(n + 255) / 256, 256>>>(n, a, dx, dy);
	CHECK(cudaGetLastError());
	CHECK(cudaEventRecord(stop));
	CHECK(cudaEventSynchronize(stop));
	float ms = 0;
	CHECK(cudaEventElapsedTime(&ms, start, stop));

	std::vector<float> got(n);
	CHECK(cudaMemcpy(got.data(), dy, bytes, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(dx));
	CHECK(cudaFree(dy));
	// Every value is a small multiple of 1/8, so the result is exact, fused or not.
	for (int i = 0; i < n; i++) {
		if (got[i] != a * x[i] + y[i]) {
			printf("FAIL: y[%d] = %g, not %g\n", i, got[i], a * x[i] + y[i]);
			return 1;
		}
	}
	printf("saxpy of %d elements: %.3f ms, %.2f GB/s\n", n, ms, 3.0 * bytes / ms / 1e6);
	printf("PASS\n");
	return 0;
}
