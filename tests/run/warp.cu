// RUN: %run_both %s | %FileCheck %s
// Proves that warps have 32 lanes with CUDA's meaning on waves of 32 and of 64: every shuffle, vote and
// the lane masks, for all lanes and for part of them, against a plain model on the host.
#include <cstdio>
#include <cstring>

constexpr int BLOCK = 96, OPS = 14; // three warps: on waves of 64 the last one has no partner
constexpr unsigned EVEN = 0x55555555;

__global__ void ops(const int *in, unsigned *out)
{
	int t = threadIdx.x, lane = t % warpSize, v = in[t];
	unsigned *o = out + t * OPS;
	const unsigned all = 0xffffffff;
	o[0] = __shfl_sync(all, v, lane * 7 + 3);
	o[1] = __shfl_up_sync(all, v, 5);
	o[2] = __shfl_down_sync(all, v, 9);
	o[3] = __shfl_xor_sync(all, v, 11);
	o[4] = __shfl_sync(all, v, 5, 8);
	o[5] = __shfl_up_sync(all, v, 3, 16);
	o[6] = __shfl_down_sync(all, v, 1, 4);
	o[7] = __ballot_sync(all, v & 1);
	o[8] = __all_sync(all, v >= 0) * 2 + __all_sync(all, v & 1);
	o[9] = __any_sync(all, v == 17) * 2 + __any_sync(all, v < 0);
	double d = __shfl_xor_sync(all, v * 0.5, 1);
	o[10] = (unsigned)(d * 2);
	o[11] = __shfl_sync(all, (long long)v << 32 | lane, 31 - lane) >> 32;
	if (lane % 2 == 0) {
		o[12] = __ballot_sync(EVEN, v & 2);
		o[13] = __shfl_down_sync(EVEN, v, 2);
	} else {
		o[12] = o[13] = 0;
	}
}

static int in[BLOCK];
static unsigned out[BLOCK * OPS], want[BLOCK * OPS];

static void model(int t)
{
	const int lane = t % 32, base = t - lane;
	const int *w = in + base;
	unsigned *o = want + t * OPS;
	unsigned ballot = 0, even = 0;
	bool all1 = true, any17 = false;
	for (int i = 0; i < 32; i++) {
		ballot |= (unsigned)(w[i] & 1) << i;
		all1 &= w[i] & 1;
		any17 |= w[i] == 17;
		if (i % 2 == 0)
			even |= (unsigned)(w[i] >> 1 & 1) << i;
	}
	o[0] = w[(lane * 7 + 3) % 32];
	o[1] = w[lane >= 5 ? lane - 5 : lane];
	o[2] = w[lane + 9 < 32 ? lane + 9 : lane];
	o[3] = w[lane ^ 11];
	o[4] = w[lane / 8 * 8 + 5];
	o[5] = w[lane % 16 >= 3 ? lane - 3 : lane];
	o[6] = w[lane % 4 < 3 ? lane + 1 : lane];
	o[7] = ballot;
	o[8] = 2 + all1;
	o[9] = any17 * 2;
	o[10] = w[lane ^ 1];
	o[11] = w[31 - lane];
	o[12] = lane % 2 == 0 ? even : 0;
	o[13] = lane % 2 == 0 ? w[lane + 2 < 32 ? lane + 2 : lane] : 0;
}

int main()
{
	int *din, bad = 0;
	unsigned *dout;
	for (int i = 0; i < BLOCK; i++)
		in[i] = i < 32 ? 2 * i + 1 : (i * 37) % 101; // the first warp is all odd and has 17
	for (int i = 0; i < BLOCK; i++)
		model(i);
	cudaMalloc(&din, sizeof(in));
	cudaMalloc(&dout, sizeof(out));
	cudaMemcpy(din, in, sizeof(in), cudaMemcpyHostToDevice);
	ops<<<1, BLOCK>>>(din, dout);
	printf("launch: %s\n", cudaGetErrorName(cudaGetLastError()));
	printf("run: %s\n", cudaGetErrorName(cudaMemcpy(out, dout, sizeof(out), cudaMemcpyDeviceToHost)));
	for (int i = 0; i < BLOCK * OPS; i++)
		if (out[i] != want[i] && bad++ < 20)
			printf("thread %d, operation %d: %x, not %x\n", i / OPS, i % OPS, out[i], want[i]);
	printf("%d wrong\n", bad);
	return bad != 0;
}
// CHECK: launch: cudaSuccess
// CHECK-NEXT: run: cudaSuccess
// CHECK-NEXT: {{^}}0 wrong
