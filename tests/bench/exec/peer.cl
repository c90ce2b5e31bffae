/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* peer.cl - the kernels of kernels.cu and product.cu in OpenCL C, for PoCL. */
__kernel void
alu(__global uint *out, int n)
{
	uint x = get_local_id(0) + 1, y = 7 * x, z = 3;
	float f = x * 0.25f;
	for (int i = 0; i < n; i++) {
		x ^= x << 13;
		x ^= x >> 17;
		x ^= x << 5;
		y = y * 5 + x;
		z = (z + (y & 0xff)) ^ i;
		f = f * 0.5f + (float)(int)(z & 31);
	}
	out[get_global_id(0)] = x + y + z + as_uint(f);
}

__kernel void
fma_chain(__global float *out, int n, float b, float c)
{
	float a = get_local_id(0) * 0.001f;
	for (int i = 0; i < n; i++)
#pragma unroll
		for (int k = 0; k < 64; k++)
			a = fma(a, b, c);
	out[get_global_id(0)] = a;
}

#define T 32
__kernel __attribute__((reqd_work_group_size(T, T, 1))) void
product(__global const float *a, __global const float *b, __global float *c, int n)
{
	__local float as[T][T], bs[T][T];
	int x = get_local_id(0), y = get_local_id(1);
	int row = get_group_id(1) * T + y, column = get_group_id(0) * T + x;
	float sum = 0;
	for (int t = 0; t < n; t += T) {
		as[y][x] = a[row * n + t + x];
		bs[y][x] = b[(t + y) * n + column];
		barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
		for (int k = 0; k < T; k++)
			sum += as[y][k] * bs[k][x];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	c[row * n + column] = sum;
}
