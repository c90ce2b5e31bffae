// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// product.cu - product of two matrices of 1024 x 1024 floats, with tiles of 32 x 32 in shared memory: prints the
// seconds from launch to synchronisation, after one small launch that decodes the code.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

enum { T = 32, N = 1024 };

__global__ void
product(const float *a, const float *b, float *c, int n)
{
	__shared__ float as[T][T], bs[T][T];
	int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * T + y, column = blockIdx.x * T + x;
	float sum = 0;
	for (int t = 0; t < n; t += T) {
		as[y][x] = a[row * n + t + x];
		bs[y][x] = b[(t + y) * n + column];
		__syncthreads();
		for (int k = 0; k < T; k++)
			sum += as[y][k] * bs[k][x];
		__syncthreads();
	}
	c[row * n + column] = sum;
}

int
main()
{
	std::vector<float> a(N * N), b(N * N), c(N * N);
	for (int i = 0; i < N * N; i++) {
		a[i] = (i * 7 % 31 - 15) / 16.0f;
		b[i] = (i * 11 % 29 - 14) / 16.0f;
	}
	float *da, *db, *dc;
	size_t bytes = N * N * sizeof(float);
	cudaMalloc(&da, bytes);
	cudaMalloc(&db, bytes);
	cudaMalloc(&dc, bytes);
	cudaMemcpy(da, a.data(), bytes, cudaMemcpyHostToDevice);
	cudaMemcpy(db, b.data(), bytes, cudaMemcpyHostToDevice);
	dim3 block(T, T), grid(N / T, N / T);
	product<<<1, block>>>(da, db, dc, T);
	cudaDeviceSynchronize();
	auto start = std::chrono::steady_clock::now();
	product<<<grid, block>>>(da, db, dc, N);
	cudaError_t e = cudaDeviceSynchronize();
	std::chrono::duration<double> s = std::chrono::steady_clock::now() - start;
	cudaMemcpy(c.data(), dc, bytes, cudaMemcpyDeviceToHost);
	if (e != cudaSuccess) {
		printf("%s\n", cudaGetErrorString(e));
		return 1;
	}
	for (int k = 0; k < 100; k++) {
		int row = k * 37 % N, column = k * 101 % N;
		double want = 0;
		for (int i = 0; i < N; i++)
			want += (double)a[row * N + i] * b[i * N + column];
		if (std::fabs(want - c[row * N + column]) > 1e-3) {
			printf("[%d][%d]: %g, not %g\n", row, column, c[row * N + column], want);
			return 1;
		}
	}
	printf("%.4f s\n", s.count());
	return 0;
}
