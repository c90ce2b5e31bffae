// RUN: %run_both --targets gfx1100,gfx906,gfx90a,gfx942 %s | FileCheck %s
// RUN: %run_both --targets gfx1100,gfx90a %s -G | FileCheck %s
// RUN: %nvcc -arch=gfx90a -cubin -o %t.co %s && %heddle info %t.co | FileCheck %s --check-prefix=INFO
// Proves that functions which are not inlined know the warp mode of the kernel that calls them: by name, by pointer,
// by recursion, through virtual functions, from kernels of both modes, with ids in three dimensions and barriers.
#include <cstdio>
// INFO: kernel _Z8in_pairs
// INFO: warps paired
// INFO: kernel _Z10each_alone
// INFO: warps solo
// INFO: kernel _Z6in_one
// INFO: warps paired
// INFO: kernel _Z12own_barriers
// INFO: warps solo
// INFO: solo because: {{.*}}barrier

constexpr int X = 7, Y = 5, Z = 4, BLOCK = X * Y * Z;

__device__ __noinline__ int number() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
__device__ __noinline__ int column() { return threadIdx.x; }
__device__ __noinline__ int row() { return threadIdx.y; }
__device__ __noinline__ int layer() { return threadIdx.z; }
__device__ int (*const functions[])() = {number, column, row, layer};

__device__ __noinline__ int deep(int n) { return n == 0 ? number() : deep(n - 1) + 1; }

struct shape {
	__device__ virtual int id() const { return -1; }
};
struct box : shape {
	__device__ int id() const override { return threadIdx.x * 100 + threadIdx.y * 10 + threadIdx.z; }
};

__device__ __forceinline__ void fill(int *out, int which)
{
	int t = (threadIdx.z * Y + threadIdx.y) * X + threadIdx.x;
	box b;
	const shape *s = &b;
	asm("" : "+r"(s)); // keeps the call virtual
	out[t * 8] = functions[which & 3]();
	out[t * 8 + 1] = functions[(which + 1) & 3]();
	out[t * 8 + 2] = functions[(which + 2) & 3]();
	out[t * 8 + 3] = functions[(which + 3) & 3]();
	out[t * 8 + 4] = deep(which + 3);
	out[t * 8 + 5] = s->id();
	out[t * 8 + 6] = __ballot_sync(__activemask(), t & 1);
	out[t * 8 + 7] = blockDim.x * 100 + blockDim.y * 10 + blockDim.z;
}

__global__ void in_pairs(int *out, int which) { fill(out, which); }

__global__ void each_alone(int *out, int which)
{
	if ((threadIdx.x + threadIdx.y) & 1)
		__syncthreads();
	else
		__syncthreads();
	fill(out, which);
}

__global__ void __launch_bounds__(32) in_one(int *out, int which) { out[threadIdx.x] = number() + deep(which); }

__device__ __noinline__ int pass_on(int *s, int v, int n)
{
	s[number()] = v;
	__syncthreads();
	v = s[(number() + 33) % BLOCK] + column();
	__syncthreads();
	if (n) {
		v = pass_on(s, v, n - 1);
		__syncthreads();
	}
	return v;
}

__global__ void own_barriers(int *out, int n)
{
	__shared__ int s[BLOCK];
	out[number()] = pass_on(s, number(), n);
}

static int *d, h[BLOCK * 8];

static void check(const char *name)
{
	cudaError_t e = cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
	int bad = 0;
	for (int t = 0; t < BLOCK; t++) {
		int x = t % X, y = t / X % Y, z = t / X / Y, odd = t / 32 == BLOCK / 32 ? 0xaaa : 0xaaaaaaaa;
		int want[8] = {t, x, y, z, t + 3, x * 100 + y * 10 + z, odd, X * 100 + Y * 10 + Z};
		for (int i = 0; i < 8; i++)
			bad += h[t * 8 + i] != want[i];
	}
	printf("%s: %s, %d wrong\n", name, cudaGetErrorName(e), bad);
}

int main()
{
	cudaMalloc(&d, sizeof h);
	in_pairs<<<1, dim3(X, Y, Z)>>>(d, 0);
	check("pairs");
	each_alone<<<1, dim3(X, Y, Z)>>>(d, 0);
	check("alone");
	in_one<<<1, 32>>>(d, 5);
	cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
	int bad = 0, v[BLOCK], s[BLOCK];
	for (int t = 0; t < 32; t++)
		bad += h[t] != 2 * t + 5;
	printf("one: %d wrong\n", bad);
	own_barriers<<<1, dim3(X, Y, Z)>>>(d, 3);
	cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
	for (int t = 0; t < BLOCK; t++)
		v[t] = t;
	for (int n = 0; n < 4; n++) {
		for (int t = 0; t < BLOCK; t++)
			s[t] = v[t];
		for (int t = 0; t < BLOCK; t++)
			v[t] = s[(t + 33) % BLOCK] + t % X;
	}
	bad = 0;
	for (int t = 0; t < BLOCK; t++)
		bad += h[t] != v[t];
	printf("barriers: %d wrong\n", bad);
	return 0;
}
// CHECK: pairs: cudaSuccess, 0 wrong
// CHECK: alone: cudaSuccess, 0 wrong
// CHECK: one: 0 wrong
// CHECK: barriers: 0 wrong
