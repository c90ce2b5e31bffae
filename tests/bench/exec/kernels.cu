// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kernels.cu - what `./dev bench exec` runs with gcn-run. In each, lanes with a bit of `off` in their number are
// off all the time: 0 for a full EXEC, 1 for every second lane.
extern "C" __global__ void
alu(unsigned *out, int n, unsigned off)
{
	unsigned x = threadIdx.x + 1, y = 7 * x, z = 3;
	float f = x * 0.25f;
	if (threadIdx.x & off)
		return;
	for (int i = 0; i < n; i++) {
		x ^= x << 13;
		x ^= x >> 17;
		x ^= x << 5;
		y = y * 5 + x;
		z = (z + (y & 0xff)) ^ i;
		f = f * 0.5f + (float)(int)(z & 31);
	}
	out[blockIdx.x * blockDim.x + threadIdx.x] = x + y + z + __float_as_uint(f);
}

extern "C" __global__ void
fma_chain(float *out, int n, float b, float c, unsigned off)
{
	float a = threadIdx.x * 0.001f;
	if (threadIdx.x & off)
		return;
	for (int i = 0; i < n; i++) {
#pragma unroll
		for (int k = 0; k < 64; k++)
			a = __fmaf_rn(a, b, c);
	}
	out[blockIdx.x * blockDim.x + threadIdx.x] = a;
}

template <int T>
static __device__ void
product(const float *a, const float *b, float *c, int n)
{
	__shared__ float as[T][T], bs[T][T];
	int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * T + y, column = blockIdx.x * T + x;
	float sum = 0;
	for (int t = 0; t < n; t += T) {
		as[y][x] = a[row * n + t + x];
		bs[y][x] = b[(t + y) * n + column];
		__syncthreads();
#pragma unroll
		for (int k = 0; k < T; k++)
			sum += as[y][k] * bs[k][x];
		__syncthreads();
	}
	c[row * n + column] = sum;
}

extern "C" __global__ void
matmul16(const float *a, const float *b, float *c, int n, unsigned off)
{
	if (threadIdx.x & off)
		return;
	product<16>(a, b, c, n);
}

extern "C" __global__ void
matmul32(const float *a, const float *b, float *c, int n, unsigned off)
{
	if (threadIdx.x & off)
		return;
	product<32>(a, b, c, n);
}
