// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*
 * warp.cu - what ../warp.py measures: four algorithms as CUDA programs write them, for warps of 32 lanes.
 * native.hip has the same for the 64 lanes of AMD's waves. Prints the results of one kernel, as unsigned
 * words: warp KERNEL.
 */
#include <cstdio>
#include <cstring>
#include <vector>

constexpr int BLOCK = 256, BLOCKS = 8, ITEMS = 8, N = BLOCK * BLOCKS * ITEMS;
constexpr unsigned ALL = 0xffffffff;

__device__ static unsigned warp_sum(unsigned v)
{
	for (int d = 16; d > 0; d /= 2)
		v += __shfl_down_sync(ALL, v, d);
	return v;
}

__global__ void __launch_bounds__(BLOCK) reduce(const unsigned *in, unsigned *out)
{
	__shared__ unsigned part[BLOCK / 32];
	const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
	for (int i = 0; i < ITEMS; i++) {
		unsigned v = warp_sum(in[(blockIdx.x * ITEMS + i) * BLOCK + threadIdx.x]);
		if (lane == 0)
			part[warp] = v;
		__syncthreads();
		if (warp == 0) {
			v = lane < BLOCK / 32 ? part[lane] : 0;
			for (int d = BLOCK / 64; d > 0; d /= 2)
				v += __shfl_down_sync(ALL, v, d);
			if (lane == 0)
				out[blockIdx.x * ITEMS + i] = v;
		}
		__syncthreads();
	}
}

__global__ void __launch_bounds__(BLOCK) scan(const unsigned *in, unsigned *out)
{
	__shared__ unsigned part[BLOCK / 32];
	const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
	for (int i = 0; i < ITEMS; i++) {
		const unsigned at = (blockIdx.x * ITEMS + i) * BLOCK + threadIdx.x;
		unsigned v = in[at];
		for (unsigned d = 1; d < 32; d *= 2) {
			unsigned u = __shfl_up_sync(ALL, v, d);
			if (lane >= d)
				v += u;
		}
		if (lane == 31)
			part[warp] = v;
		__syncthreads();
		if (warp == 0) {
			unsigned p = lane < BLOCK / 32 ? part[lane] : 0;
			for (unsigned d = 1; d < BLOCK / 32; d *= 2) {
				unsigned u = __shfl_up_sync(ALL, p, d);
				if (lane >= d)
					p += u;
			}
			if (lane < BLOCK / 32)
				part[lane] = p;
		}
		__syncthreads();
		if (warp > 0)
			v += part[warp - 1];
		out[at] = v;
		__syncthreads();
	}
}

// The elements that are odd, in any order; out[0] counts them.
__global__ void __launch_bounds__(BLOCK) compact(const unsigned *in, unsigned *out)
{
	const unsigned lane = threadIdx.x % 32;
	for (int i = 0; i < ITEMS; i++) {
		const unsigned v = in[(blockIdx.x * ITEMS + i) * BLOCK + threadIdx.x];
		const unsigned kept = __ballot_sync(ALL, v & 1);
		unsigned base = 0;
		if (lane == 0)
			base = atomicAdd(&out[0], __popc(kept));
		base = __shfl_sync(ALL, base, 0);
		if (v & 1)
			out[1 + base + __popc(kept & ((1u << lane) - 1))] = v;
	}
}

// 8 x 8 matrices, a row in the registers of each of 8 lanes, in three rounds of exchanges.
__global__ void __launch_bounds__(BLOCK) transpose(const unsigned *in, unsigned *out)
{
	const unsigned lane = threadIdx.x % 32;
	unsigned a[8];
	for (int i = 0; i < 8; i++)
		a[i] = in[(blockIdx.x * 8 + i) * BLOCK + threadIdx.x];
#pragma unroll
	for (int s = 1; s < 8; s *= 2)
#pragma unroll
		for (int i = 0; i < 8; i++) {
			if (i & s)
				continue;
			const bool upper = lane & s;
			const unsigned give = upper ? a[i] : a[i | s];
			const unsigned got = __shfl_xor_sync(ALL, give, s);
			if (upper)
				a[i] = got;
			else
				a[i | s] = got;
		}
	for (int i = 0; i < 8; i++)
		out[(blockIdx.x * 8 + i) * BLOCK + threadIdx.x] = a[i];
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*kernel)(const unsigned *, unsigned *);
	} kernels[] = {{"reduce", reduce}, {"scan", scan}, {"compact", compact}, {"transpose", transpose}};
	std::vector<unsigned> h(N + 1);
	unsigned *in, *out;
	for (int i = 0; i < N; i++)
		h[i] = i;
	cudaMalloc((void **)&in, N * sizeof *in);
	cudaMalloc((void **)&out, (N + 1) * sizeof *out);
	cudaMemcpy(in, h.data(), N * sizeof *in, cudaMemcpyHostToDevice);
	cudaMemset(out, 0, (N + 1) * sizeof *out);
	for (auto &k : kernels)
		if (argc > 1 && strcmp(argv[1], k.name) == 0)
			k.kernel<<<BLOCKS, BLOCK>>>(in, out);
	cudaMemcpy(h.data(), out, h.size() * sizeof *out, cudaMemcpyDeviceToHost);
	for (unsigned x : h)
		printf("%u\n", x);
	return cudaGetLastError() != cudaSuccess;
}
