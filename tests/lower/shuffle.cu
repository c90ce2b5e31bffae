// RUN: %run_both --targets gfx906,gfx90a,gfx950,gfx1030,gfx1100,gfx1201 %s | FileCheck %s
// RUN: %run_both --targets gfx90a,gfx942 %s -fheddle-warp=solo | FileCheck %s
// RUN: %nvcc -arch=gfx90a -cubin %s -o %t.co && llvm-objdump -d %t.co | FileCheck %s --check-prefix=W64
// RUN: %nvcc -arch=gfx1100 -cubin %s -o %t.co && llvm-objdump -d %t.co | FileCheck %s --check-prefix=W32
// Proves that shuffles by constants, which become DPP, permlane, readlane or swizzle, read what the manual says: all
// constants, all widths, in full warps and in the last one of a block; and that they do become so.
#include <cstdio>
#include <utility>

constexpr int BLOCK = 96;

// W64-LABEL: <_Z6cheapxPi>:
// W64-NOT: ds_bpermute
// W64: s_endpgm
// W32-LABEL: <_Z6cheapxPi>:
// W32-NOT: ds_
// W32: s_endpgm
__global__ void cheapx(int *p)
{
	int v = p[threadIdx.x];
	for (int m = 16; m; m >>= 1)
		v += __shfl_xor_sync(~0u, v, m);
	p[threadIdx.x] = v + __shfl_sync(~0u, v, 7);
}

template <int WIDTH, int N> __device__ void four(int *&out, int v)
{
	out[0] = __shfl_sync(~0u, v, N, WIDTH);
	out[BLOCK] = __shfl_up_sync(~0u, v, N, WIDTH);
	out[2 * BLOCK] = __shfl_down_sync(~0u, v, N, WIDTH);
	out[3 * BLOCK] = __shfl_xor_sync(~0u, v, N, WIDTH);
	out += 4 * BLOCK;
}

template <int WIDTH, int... N> __device__ void all(int *out, int v, std::integer_sequence<int, N...>)
{
	(four<WIDTH, N>(out, v), ...);
}

template <int WIDTH> __global__ void shuffles(int *out)
{
	all<WIDTH>(out + threadIdx.x, threadIdx.x * 3 + 1, std::make_integer_sequence<int, 32>());
}

static int source(int kind, int t, int n, int width)
{
	int lane = t % 32, first = lane / width * width, s = lane;
	if (kind == 0)
		s = first + n % width;
	else if (kind == 1 && lane - n >= first)
		s = lane - n;
	else if (kind == 2 && lane + n < first + width)
		s = lane + n;
	else if (kind == 3 && (lane ^ n) < first + width)
		s = lane ^ n;
	return t - lane + s;
}

static int *d, h[32 * 4 * BLOCK];

template <int WIDTH> static void check()
{
	int bad = 0;
	shuffles<WIDTH><<<1, BLOCK>>>(d);
	cudaError_t e = cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
	for (int n = 0; n < 32; n++)
		for (int kind = 0; kind < 4; kind++)
			for (int t = 0; t < BLOCK; t++) {
				int want = source(kind, t, n, WIDTH) * 3 + 1, got = h[(n * 4 + kind) * BLOCK + t];
				if (got != want && bad++ < 5)
					printf("width %d, kind %d, %d, thread %d: %d, not %d\n", WIDTH, kind, n, t, got, want);
			}
	printf("width %d: %s, %d wrong\n", WIDTH, cudaGetErrorName(e), bad);
}

int main()
{
	cudaMalloc(&d, sizeof h);
	check<32>();
	check<16>();
	check<8>();
	check<4>();
	check<2>();
	check<1>();
	return 0;
}
// CHECK: width 32: cudaSuccess, 0 wrong
// CHECK: width 16: cudaSuccess, 0 wrong
// CHECK: width 8: cudaSuccess, 0 wrong
// CHECK: width 4: cudaSuccess, 0 wrong
// CHECK: width 2: cudaSuccess, 0 wrong
// CHECK: width 1: cudaSuccess, 0 wrong
