// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// matmul - C = A * B for square matrices of any size, tiles of A and B in shared memory.
//
//   matmul [size]
#include <cmath>
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

template <int TILE> __global__ void matmul(const float *a, const float *b, float *c, int n)
{
	__shared__ float ta[TILE][TILE], tb[TILE][TILE];
	const int x = threadIdx.x, y = threadIdx.y;
	const int row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
	float sum = 0;
	for (int t = 0; t < n; t += TILE) {
		ta[y][x] = row < n && t + x < n ? a[row * n + t + x] : 0;
		tb[y][x] = t + y < n && col < n ? b[(t + y) * n + col] : 0;
		__syncthreads();
#pragma unroll
		for (int k = 0; k < TILE; k++)
			sum += ta[y][k] * tb[k][x];
		__syncthreads();
	}
	if (row < n && col < n)
		c[row * n + col] = sum;
}

int main(int argc, char **argv)
{
	const int n = argc > 1 ? atoi(argv[1]) : 500; // no multiple of the tile
	constexpr int TILE = 16;
	if (n <= 0 || n > 16384) {
		fprintf(stderr, "usage: matmul [size]\n");
		return 2;
	}
	const size_t count = (size_t)n * n, bytes = count * sizeof(float);
	std::vector<float> a(count), b(count), c(count);
	for (size_t i = 0; i < count; i++) {
		a[i] = (float)((i * 7919) % 1000) / 1000 - 0.5f;
		b[i] = (float)((i * 104729) % 1000) / 1000 - 0.5f;
	}

	float *da, *db, *dc;
	CHECK(cudaMalloc(&da, bytes));
	CHECK(cudaMalloc(&db, bytes));
	CHECK(cudaMalloc(&dc, bytes));
	CHECK(cudaMemcpy(da, a.data(), bytes, cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(db, b.data(), bytes, cudaMemcpyHostToDevice));

	cudaEvent_t start, stop;
	CHECK(cudaEventCreate(&start));
	CHECK(cudaEventCreate(&stop));
	const dim3 block(TILE, TILE), grid((n + TILE - 1) / TILE, (n + TILE - 1) / TILE);
	CHECK(cudaEventRecord(start));
	matmul<TILE><<<grid, block>>>(da, db, dc, n);
	CHECK(cudaGetLastError());
	CHECK(cudaEventRecord(stop));
	CHECK(cudaEventSynchronize(stop));
	float ms = 0;
	CHECK(cudaEventElapsedTime(&ms, start, stop));
	CHECK(cudaMemcpy(c.data(), dc, bytes, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(da));
	CHECK(cudaFree(db));
	CHECK(cudaFree(dc));

	double worst = 0;
	std::vector<double> row(n);
	for (int i = 0; i < n; i += n > 512 ? 61 : 1) { // all rows of a small product, some of a large one
		for (int j = 0; j < n; j++)
			row[j] = 0;
		for (int k = 0; k < n; k++)
			for (int j = 0; j < n; j++)
				row[j] += (double)a[(size_t)i * n + k] * b[(size_t)k * n + j];
		for (int j = 0; j < n; j++)
			worst = std::fmax(worst, std::fabs(row[j] - c[(size_t)i * n + j]));
	}
	printf("%d x %d: %.3f ms, %.3f GFLOP/s, largest error %.1e\n", n, n, ms, 2.0 * n * n * n / ms / 1e6, worst);
	if (!(worst < 1e-6 * n)) {
		printf("FAIL\n");
		return 1;
	}
	printf("PASS\n");
	return 0;
}
