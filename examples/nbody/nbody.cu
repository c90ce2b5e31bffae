// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nbody - a star cluster under its own gravity: every body pulls at every other one. Positions pass
// through shared memory a tile at a time; time goes on by the leapfrog scheme, which keeps the energy.
//
//   nbody [bodies] [steps]
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

constexpr int TILE = 128;
constexpr float SOFTENING = 1e-2f; // squared: keeps close encounters finite

// What a body at `p` feels from a body at `q`, whose mass is q.w.
__device__ float3 pull(float4 p, float4 q, float3 sum)
{
	float dx = q.x - p.x, dy = q.y - p.y, dz = q.z - p.z;
	float r2 = dx * dx + dy * dy + dz * dz + SOFTENING;
	float inv = rsqrtf(r2);
	float s = q.w * inv * inv * inv;
	sum.x += dx * s;
	sum.y += dy * s;
	sum.z += dz * s;
	return sum;
}

__global__ void accelerate(const float4 *position, float4 *velocity, int n, float dt)
{
	__shared__ float4 tile[TILE];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float4 p = position[i < n ? i : 0];
	float3 a = make_float3(0, 0, 0);
	for (int first = 0; first < n; first += TILE) {
		int j = first + threadIdx.x;
		tile[threadIdx.x] = j < n ? position[j] : make_float4(0, 0, 0, 0);
		__syncthreads();
#pragma unroll 8
		for (int k = 0; k < TILE; k++)
			a = pull(p, tile[k], a);
		__syncthreads();
	}
	if (i < n) {
		float4 v = velocity[i];
		velocity[i] = make_float4(v.x + a.x * dt, v.y + a.y * dt, v.z + a.z * dt, 0);
	}
}

__global__ void move(float4 *position, const float4 *velocity, int n, float dt)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float4 p = position[i], v = velocity[i];
	position[i] = make_float4(p.x + v.x * dt, p.y + v.y * dt, p.z + v.z * dt, p.w);
}

static double energy(const std::vector<float4> &p, const std::vector<float4> &v)
{
	double sum = 0;
	for (size_t i = 0; i < p.size(); i++) {
		sum += 0.5 * p[i].w * ((double)v[i].x * v[i].x + (double)v[i].y * v[i].y + (double)v[i].z * v[i].z);
		for (size_t j = i + 1; j < p.size(); j++) {
			double dx = p[i].x - p[j].x, dy = p[i].y - p[j].y, dz = p[i].z - p[j].z;
			sum -= p[i].w * p[j].w / std::sqrt(dx * dx + dy * dy + dz * dz + SOFTENING);
		}
	}
	return sum;
}

static double random01()
{
	static unsigned long long state = 42;
	state = state * 6364136223846793005ull + 1442695040888963407ull;
	return (double)(state >> 40) / (1 << 24);
}

int main(int argc, char **argv)
{
	const int n = argc > 1 ? atoi(argv[1]) : 1024;
	const int steps = argc > 2 ? atoi(argv[2]) : 100;
	const float dt = 1e-3f;
	if (n <= 0 || steps <= 0) {
		fprintf(stderr, "usage: nbody [bodies] [steps]\n");
		return 2;
	}

	// A Plummer sphere: the density of a globular cluster, speeds below those that would escape.
	std::vector<float4> p(n), v(n);
	for (int i = 0; i < n; i++) {
		double r = 1 / std::sqrt(std::pow(random01() * 0.99 + 1e-3, -2.0 / 3) - 1);
		double z = 2 * random01() - 1, t = 2 * M_PI * random01(), s = std::sqrt(1 - z * z);
		p[i] = make_float4(r * s * std::cos(t), r * s * std::sin(t), r * z, 1.0f / n);
		double speed = 0.5 * std::sqrt(2.0) * std::pow(1 + r * r, -0.25) * random01();
		z = 2 * random01() - 1, t = 2 * M_PI * random01(), s = std::sqrt(1 - z * z);
		v[i] = make_float4(speed * s * std::cos(t), speed * s * std::sin(t), speed * z, 0);
	}
	const double before = energy(p, v);

	float4 *dp, *dv;
	const size_t bytes = n * sizeof(float4);
	CHECK(cudaMalloc(&dp, bytes));
	CHECK(cudaMalloc(&dv, bytes));
	CHECK(cudaMemcpy(dp, p.data(), bytes, cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(dv, v.data(), bytes, cudaMemcpyHostToDevice));

	cudaEvent_t start, stop;
	CHECK(cudaEventCreate(&start));
	CHECK(cudaEventCreate(&stop));
	const int blocks = (n + TILE - 1) / TILE;
	CHECK(cudaEventRecord(start));
	accelerate<<<blocks, TILE>>>(dp, dv, n, dt / 2); // speeds run half a step ahead
	for (int i = 0; i < steps; i++) {
		move<<<blocks, TILE>>>(dp, dv, n, dt);
		accelerate<<<blocks, TILE>>>(dp, dv, n, i + 1 < steps ? dt : dt / 2);
	}
	CHECK(cudaGetLastError());
	CHECK(cudaEventRecord(stop));
	CHECK(cudaEventSynchronize(stop));
	float ms = 0;
	CHECK(cudaEventElapsedTime(&ms, start, stop));
	CHECK(cudaMemcpy(p.data(), dp, bytes, cudaMemcpyDeviceToHost));
	CHECK(cudaMemcpy(v.data(), dv, bytes, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(dp));
	CHECK(cudaFree(dv));

	const double after = energy(p, v), drift = std::fabs((after - before) / before);
	const double flops = 20.0 * n * n * (steps + 1); // as is usual: 20 an interaction
	printf("%d bodies, %d steps: %.1f ms, %.3f GFLOP/s\n", n, steps, ms, flops / ms / 1e6);
	printf("energy %.6f -> %.6f, drift %.2e\n", before, after, drift);
	if (!(drift < 1e-3)) {
		printf("FAIL: energy is not kept\n");
		return 1;
	}
	printf("PASS\n");
	return 0;
}
