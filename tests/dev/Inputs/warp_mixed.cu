// Five kernels, one of which waits for another thread; only that one with -DSOLO.
#ifndef SOLO
__global__ void twice(int *p) { p[threadIdx.x] *= 2; }
template <typename T> __global__ void times(T *p, T n) { p[threadIdx.x] *= n; }
template __global__ void times<int>(int *, int);
__global__ void count(int *p) { atomicAdd(p, 1); }
#endif
__global__ void wait_for(volatile int *p)
{
	while (!*p)
		;
}
#ifndef SOLO
__global__ void thrice(int *p) { p[threadIdx.x] *= 3; }
#endif
