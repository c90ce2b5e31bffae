// RUN: %run_both %s -G
// Without optimisation clang 22 lost the upper halves of words on gfx11, where 16-bit halves of registers have names.
#include <cstdio>

__global__ void swap(const ulonglong4 *in, ulonglong4 *out)
{
	ulonglong4 v = in[threadIdx.x];
	v.x = __builtin_bswap64(v.x);
	v.y = __builtin_bswap64(v.y);
	v.z = __builtin_bswap64(v.z);
	v.w = __builtin_bswap64(v.w);
	out[threadIdx.x] = v;
}

// The same as LLVM sees it in a loop over bytes of vectors.
typedef unsigned long long vector __attribute__((ext_vector_type(4)));
__global__ void swap_vector(const vector *in, vector *out)
{
	vector v = in[threadIdx.x];
	out[threadIdx.x] = __builtin_elementwise_bitreverse(v);
}

static unsigned long long host_swap(unsigned long long v) { return __builtin_bswap64(v); }

static unsigned long long host_reverse(unsigned long long v)
{
	unsigned long long r = 0;
	for (int i = 0; i < 64; i++)
		r |= (v >> i & 1) << (63 - i);
	return r;
}

int main()
{
	const int n = 64;
	unsigned long long *in, *out;
	cudaMallocManaged(&in, n * 32);
	cudaMallocManaged(&out, n * 32);
	for (int i = 0; i < 4 * n; i++)
		in[i] = 0x0123456789abcdefull * (i + 1);
	int bad = 0;
	swap<<<1, n>>>((ulonglong4 *)in, (ulonglong4 *)out);
	cudaDeviceSynchronize();
	for (int i = 0; i < 4 * n; i++)
		bad += out[i] != host_swap(in[i]);
	swap_vector<<<1, n>>>((vector *)in, (vector *)out);
	cudaDeviceSynchronize();
	for (int i = 0; i < 4 * n; i++)
		bad += out[i] != host_reverse(in[i]);
	printf("%d differ\n", bad);
	return bad != 0 || cudaGetLastError() != cudaSuccess;
}
