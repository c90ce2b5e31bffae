// RUN: %run_both %s | %FileCheck %s
// Proves that device printf takes every conversion and that its text comes out at a synchronisation.
#include <cstdio>

__global__ void say(const char *name)
{
	printf("[%d|%5d|%-5d|%05d|%+d|% d]\n", 42, 42, 42, 42, 42, 42);
	printf("[%u|%x|%X|%#x|%o|%hhd|%hd]\n", 3000000000u, 0xbeef, 0xbeef, 0xbeef, 8, 300, 70000);
	printf("[%lld|%llu|%ld|%zu]\n", -1234567890123ll, 12345678901234ull, -5l, (size_t)77);
	printf("[%f|%.2f|%10.3f|%-10.1f|%e|%g|%G|%a]\n", 1.5, 2.345, 3.14159, 2.5, 12345.678, 0.0001, 1e-10, 1.0);
	printf("[%c|%s|%8s|%-8s|%.2s|%%|%*d|%.*f]\n", 'x', "text", "right", "left", "cut", 6, 7, 3, 2.0);
	printf("[%s|%p]\n", name ? "given" : "none", (void *)0x1234);
	printf("no arguments\n");
	int n = printf("%d %d\n", 1, 2);
	printf("returned %d\n", n);
}

__global__ void each()
{
	printf("thread %u of block %u\n", threadIdx.x, blockIdx.x);
}

int main()
{
	say<<<1, 1>>>(nullptr);
	cudaDeviceSynchronize();
	each<<<1, 1>>>();
	cudaDeviceSynchronize();
	return cudaGetLastError() != cudaSuccess;
}
// CHECK: [42|   42|42   |00042|+42| 42]
// CHECK-NEXT: [3000000000|beef|BEEF|0xbeef|10|44|4464]
// CHECK-NEXT: [-1234567890123|12345678901234|-5|77]
// CHECK-NEXT: {{\[1.500000\|2.3[45]\|     3.142\|2.5       \|1.234568e\+04\|0.0001\|1E-10\|0x1p\+0\]}}
// CHECK-NEXT: [x|text|   right|left    |cu|%|     7|2.000]
// CHECK-NEXT: [none|0x1234]
// CHECK-NEXT: no arguments
// CHECK-NEXT: 1 2
// CHECK-NEXT: returned 2
// CHECK-NEXT: thread 0 of block 0
