// RUN: %nvcc %s -o %t
// RUN: env HEDDLE_DEVICE=exec HEDDLE_LOG=api,mem,load LD_PRELOAD=%preload %t 2>&1 | %FileCheck %s
// Proves that HEDDLE_LOG shows each call with its arguments and result.
#include <cstdio>

__global__ void nothing(int) {}

int main()
{
	void *p;
	cudaMalloc(&p, 64);
	nothing<<<dim3(2, 3), 32, 16>>>(7);
	cudaDeviceSynchronize();
	cudaMemset(p, 1, 65);
	cudaSetDevice(77);
	cudaGetLastError();
	cudaFree(p);
	return 0;
}
// CHECK: load fatbin register ok
// CHECK-NEXT: load kernel register name=_Z7nothingi
// CHECK: mem alloc size=64 type=2 device=0 ok
// CHECK-NEXT: api cudaMalloc devPtr=0x{{[0-9a-f]+}} size=64 result=cudaSuccess
// CHECK: load module device=0 arch=gfx1100 kernels=1
// CHECK: api dispatch kernel=_Z7nothingi grid=2,3,1 block=32,1,1 shared=16
// CHECK: api cudaLaunchKernel func={{.*}} gridDim=2,3,1 blockDim=32,1,1 args={{.*}} sharedMem=16 stream=0 result=cudaSuccess
// CHECK-NEXT: api cudaDeviceSynchronize result=cudaSuccess
// CHECK-NEXT: api cudaMemset devPtr={{.*}} value=1 count=65 result=cudaErrorInvalidValue
// CHECK-NEXT: api cudaSetDevice device=77 result=cudaErrorInvalidDevice
// CHECK-NEXT: api cudaGetLastError result=cudaErrorInvalidDevice
// CHECK: mem free size=64
// CHECK: api cudaFree devPtr={{.*}} result=cudaSuccess
