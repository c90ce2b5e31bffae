// RUN: %run_both %s
// A sum that is the same for all threads that are still in a loop, used after the loop, which they leave at different
// times: clang 22 gave every thread the sum of the last one on gfx90a.
#include <cstdio>

__global__ void sums(unsigned *out, const unsigned *a)
{
	unsigned t = threadIdx.x, s = 0, v = a[t];
	for (unsigned i = 0; i < (t & 7); i++) {
		s += i;
		v ^= s - __popc(a[(v + 3) & 31]) + ((unsigned char)s != (unsigned char)t);
		if ((v > 5 ? s : a[t]) == 77)
			break;
	}
	out[t] = s;
	out[t + 16] = v;
}

static void on_host(unsigned *out, const unsigned *a, unsigned t)
{
	unsigned s = 0, v = a[t];
	for (unsigned i = 0; i < (t & 7); i++) {
		s += i;
		v ^= s - __builtin_popcount(a[(v + 3) & 31]) + ((unsigned char)s != (unsigned char)t);
		if ((v > 5 ? s : a[t]) == 77)
			break;
	}
	out[t] = s;
	out[t + 16] = v;
}

int main()
{
	unsigned in[32], got[32], want[32], *a, *out;
	for (int i = 0; i < 32; i++)
		in[i] = i;
	cudaMalloc(&a, sizeof(in));
	cudaMalloc(&out, sizeof(got));
	cudaMemcpy(a, in, sizeof(in), cudaMemcpyHostToDevice);
	sums<<<1, 16>>>(out, a);
	if (cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost) != cudaSuccess)
		return 2;
	int bad = 0;
	for (int t = 0; t < 16; t++)
		on_host(want, in, t);
	for (int i = 0; i < 32; i++)
		bad += got[i] != want[i];
	printf("%d differ\n", bad);
	return bad != 0;
}
