// RUN: %run_both %s 2>&1 | %FileCheck %s
// Proves that a kernel that reads address 0 ends as on NVIDIA's GPUs, with the place told: the error is
// sticky, and one line names kernel, source line, block and thread.
#include <cstdio>

template <typename T> __global__ void reader(const T *in, T *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i == 70)
		out[i] = in[0]; // LINE
	else
		out[i] = 1;
}

int main()
{
	int *out, *more;
	cudaMalloc(&out, 128 * sizeof(int));
	reader<int><<<2, 64>>>(nullptr, out);
	cudaError_t launch = cudaGetLastError();
	fprintf(stderr, "launch %s\n", cudaGetErrorName(launch));
	fprintf(stderr, "sync %s: %s\n", cudaGetErrorName(cudaDeviceSynchronize()),
		cudaGetErrorString(cudaErrorIllegalAddress));
	fprintf(stderr, "malloc %s\n", cudaGetErrorName(cudaMalloc(&more, 4)));
	fprintf(stderr, "last %s\n", cudaGetErrorName(cudaGetLastError()));
	return 0;
}
// CHECK: launch cudaSuccess
// CHECK: heddle: {{.*}}reader<int>(int const*, int*){{.*}}fault_null.cu:10{{.*}}block (1,0,0){{.*}}thread (6,0,0)
// CHECK: sync cudaErrorIllegalAddress: an illegal memory access was encountered
// CHECK-NEXT: malloc cudaErrorIllegalAddress
// CHECK-NEXT: last cudaErrorIllegalAddress
