/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Host code in C that is C++ as well: what a program's .c files use of the headers. */
#include <cuda_runtime.h>
#include <cuComplex.h>
#include <vector_functions.h>

int use_headers(void);

int
use_headers(void)
{
	float4 a = make_float4(1, 2, 3, 4);
	uchar3 b = make_uchar3(1, 2, 3);
	double2 c = make_double2(1, 2);
	struct cudaDeviceProp prop;
	cuDoubleComplex z = cuCmul(make_cuDoubleComplex(1, 2), cuConj(make_cuDoubleComplex(3, 4)));
	dim3 grid;
	void *p = 0;

	grid.x = 1;
	if (cudaGetDeviceProperties(&prop, 0) != cudaSuccess)
		return 1;
	if (cudaMalloc(&p, 16) != cudaSuccess || cudaMemcpy(p, &a, sizeof a, cudaMemcpyHostToDevice) != cudaSuccess)
		return 2;
	return cudaFree(p) != cudaSuccess || b.x != 1 || c.y != 2 || grid.x != 1 || cuCreal(z) != 11;
}
