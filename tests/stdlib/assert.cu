// assert on the device: before and after <assert.h>, with and without NDEBUG; what holds says nothing, what
// does not prints the expression and where, and ends the kernel with an error that stays.
// RUN: %run_both --no-compare %s > %t.out 2>&1
// RUN: %FileCheck %s < %t.out
// RUN: %run_both --no-compare -DNDEBUG %s | %FileCheck --check-prefix=NDEBUG %s
// CHECK-DAG: holds: no error
// CHECK-DAG: assert.cu:[[# @LINE + 19]]: {{.*}}fails{{.*}}: block: [1,0,0], thread: [3,0,0] Assertion `{{.*}}n != 35{{.*}}` failed.
// CHECK-DAG: fails: cudaErrorAssert
// CHECK-DAG: then: cudaErrorAssert
// NDEBUG: holds: no error
// NDEBUG: fails: cudaSuccess
#include <assert.h>
#include <cassert>
#include <cstdio>

__global__ void
holds(int n)
{
	assert(n == 1);
}

__global__ void
fails()
{
	int n = blockIdx.x * blockDim.x + threadIdx.x;
	assert(n != 35 && "the one that fails");
}

int
main()
{
	holds<<<1, 32>>>(1);
	printf("holds: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
	fails<<<2, 32>>>();
	printf("fails: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
	printf("then: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
	return 0;
}
