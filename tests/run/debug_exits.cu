// RUN: %run_both %s -G
// Without optimisation clang 22 gave lanes that leave nested loops by different exits the values of others.
#include <cstdio>

/* Wrong on gfx11 when compiled at -O0. */
__host__ __device__ int
breaks(int i)
{
	int r = i;
	for (int a = 0; a < (i & 7) + 1; a++) {
		for (int b = a; b < 9; b++) {
			if ((r ^ b) & 1) {
				if (b == i % 9)
					break;
				r += b;
				if (r > 5000)
					return r - a;
			} else {
				r = r * 3 + a;
				if ((r & 7) == 7)
					goto out;
			}
		}
		r &= 0xffff;
	}
out:
	return r * 7 + 1;
}

/* Wrong on gfx9 when compiled at -O0. */
__host__ __device__ int
switches(int i, int *sc)
{
	int r = i;
	for (int a = 0; a < (i & 7) + 1; a++) {
		for (int b = a; b < 9; b++) {
			if ((r ^ b) & 1) {
				if (b == i % 9)
					break;
				r += b;
				if (r > 5000)
					return r - a;
				continue;
			}
			r = r * 3 + a;
			if ((r & 63) == 7)
				continue;
			switch (r & 3) {
			case 0: r ^= b;
			case 1: r += 2; break;
			case 2: {
				int t = r;
				while (t > 3) {
					t >>= 1;
					if (t == (i & 15))
						goto out;
				}
				r -= t;
				break;
			}
			default: sc[(r >> 2) & 15] += b;
			}
		}
		r &= 0xffff;
	}
out:
	for (int k = 0; k < 16; k++)
		r = r * 7 + sc[k];
	return r;
}

__host__ __device__ int
both(int i)
{
	int sc[16] = {};
	return breaks(i) * 31 + switches(i, sc);
}

__global__ void
k(int *o)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	o[i] = both(i);
}

int
main()
{
	enum { N = 512 };
	int *o;
	if (cudaMallocManaged(&o, N * sizeof(int)))
		return 1;
	k<<<N / 128, 128>>>(o);
	if (cudaDeviceSynchronize())
		return 1;
	for (int i = 0; i < N; i++) {
		if (o[i] != both(i)) {
			printf("%d: %d, not %d\n", i, o[i], both(i));
			return 1;
		}
	}
	return 0;
}
