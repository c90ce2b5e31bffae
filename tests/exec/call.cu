// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx1100 -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O1 -I%S/Inputs %s -o %t.gfx1100
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx90a -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O1 -I%S/Inputs %s -o %t.gfx90a
// RUN: %gcnrun --block=64 %t.gfx1100 recurse outi:64 | FileCheck %s --check-prefix=REC
// RUN: %gcnrun --block=64 %t.gfx90a recurse outi:64 | FileCheck %s --check-prefix=REC
// RUN: %gcnrun --block=64 %t.gfx1100 pointers outi:64 3 | FileCheck %s --check-prefix=PTR
// RUN: %gcnrun --block=64 %t.gfx90a pointers outi:64 3 | FileCheck %s --check-prefix=PTR
// RUN: %gcnrun --block=64 %t.gfx1100 generic outi:64 | FileCheck %s --check-prefix=GEN
// RUN: %gcnrun --block=64 %t.gfx90a generic outi:64 | FileCheck %s --check-prefix=GEN
// RUN: %gcnrun --block=64 %t.gfx1100 bytes outi:64 2 | FileCheck %s --check-prefix=BYTES
// RUN: %gcnrun --block=64 %t.gfx90a bytes outi:64 2 | FileCheck %s --check-prefix=BYTES
// Calls, recursion that differs between lanes, function pointers that differ between lanes, private arrays, and
// generic pointers to global, shared and private memory in one instruction.
#include "kernel.h"

__attribute__((device, noinline)) int
fib(int n)
{
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
KERNEL
recurse(int *o)
{
	o[tid] = fib((int)tid % 12);
}
// REC: arg0[0]: 0 1 1 2 3 5 8 13 21 34 55 89 0 1 1

DEVICE int add(int a, int b) { return a + b; }
DEVICE int sub(int a, int b) { return a - b; }
DEVICE int mul(int a, int b) { return a * b; }
typedef int (*binary)(int, int);
__attribute__((device)) binary table[3] = {add, sub, mul};
KERNEL
pointers(int *o, int n)
{
	o[tid] = table[tid % n]((int)tid, 2);
}
// PTR: arg0[0]: 2 -1 4 5 2 10 8 5 16 11 8 22

DEVICE int
follow(const int *p)
{
	return *(const volatile int *)p + 1;
}
KERNEL
generic(int *o)
{
	SHARED int s[64];
	volatile int mine[4];
	s[tid] = (int)tid * 100;
	mine[tid & 3] = (int)tid * 1000;
	o[tid] = (int)tid;
	BARRIER;
	const int *p = tid % 3 == 0 ? &o[tid] : tid % 3 == 1 ? &s[tid] : (const int *)&mine[tid & 3];
	o[tid] = follow(p);
}
// GEN: arg0[0]: 1 101 2001 4 401 5001 7

KERNEL
bytes(int *o, u32 k)
{
	volatile unsigned char c[32];
	for (u32 i = 0; i < 32; i++)
		c[i] = (unsigned char)(i * k + tid);
	volatile unsigned short *h = (volatile unsigned short *)&c[2];
	h[tid & 7] += 256;
	int sum = 0;
	for (u32 i = 0; i < 32; i++)
		sum += c[(i + tid) & 31] * (int)i;
	o[tid] = sum;
}
// BYTES: arg0[0]: 20835 20340 19909 19542 19239 19000
