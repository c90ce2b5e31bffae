#include "parts.h"

namespace {
__constant__ double factor;
__device__ int calls;

template <typename T> __global__ void add(const T *v, int n, T *out)
{
	int i = threadIdx.x;
	if (i < n)
		atomicAdd(out, v[i] * factor);
	if (i == 0)
		atomicAdd(&calls, 1);
}
} // namespace

static __global__ void kernel(Sum *s) // the same name as in the other file
{
	s->n = calls;
}

Sum sum_on_device(const double *v, int n)
{
	double *dv, f = scale_of(n);
	Sum *ds, s = {0, 0};
	cudaMalloc(&dv, n * sizeof(double));
	cudaMalloc(&ds, sizeof(Sum));
	cudaMemcpy(dv, v, n * sizeof(double), cudaMemcpyHostToDevice);
	cudaMemcpy(ds, &s, sizeof(s), cudaMemcpyHostToDevice);
	cudaMemcpyToSymbol(factor, &f, sizeof(f));
	add<<<1, 64>>>(dv, n, &ds->total);
	kernel<<<1, 1>>>(ds);
	cudaMemcpy(&s, ds, sizeof(s), cudaMemcpyDeviceToHost);
	cudaFree(dv);
	cudaFree(ds);
	return s;
}
