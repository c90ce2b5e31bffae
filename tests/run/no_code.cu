// RUN: %nvcc -arch=gfx1030 -o %t %s && env HEDDLE_DEVICE=exec:gfx1100 %t 2>&1 | %FileCheck %s
// Proves that a program without code for the device says so, and names both.
#include <cstdio>

__global__ void kernel()
{
}

int main()
{
	kernel<<<1, 1>>>();
	fprintf(stderr, "%s\n", cudaGetErrorName(cudaGetLastError()));
	return 0;
}
// CHECK-DAG: heddle: {{.*(gfx1030.*gfx1100|gfx1100.*gfx1030)}}
// CHECK-DAG: {{^}}cudaErrorNoKernelImageForDevice
