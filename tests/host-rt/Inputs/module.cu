// Kernels for driver.cpp: loaded as a module.
extern "C" {
__device__ int factor = 2;
__global__ void scale(int *x, int n, int by)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		x[i] *= by * factor;
}
__global__ void dynamic(int *out)
{
	extern __shared__ int s[];
	s[threadIdx.x] = threadIdx.x;
	__syncthreads();
	out[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
}
