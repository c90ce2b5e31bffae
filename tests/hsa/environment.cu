// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A variable of the environment that cannot be read is a message and no device, never a program run in another way
// than was asked for.
// RUN: %nvcc -arch=gfx1100 %s -o %t
// RUN: env HEDDLE_DEVICE=exec HEDDLE_EXEC_SEED=0x1f HEDDLE_EXEC_LIMIT=1000 HEDDLE_EXEC_THREADS= HEDDLE_EXEC_SPIN_WARN=0 LD_PRELOAD=%preload %t 2>&1 | FileCheck %s --check-prefix=GOOD
// RUN: env HEDDLE_DEVICE=exec HEDDLE_EXEC_SEED=abc LD_PRELOAD=%preload %t 2>&1 | FileCheck %s -DV=HEDDLE_EXEC_SEED=abc
// RUN: env HEDDLE_DEVICE=exec HEDDLE_EXEC_SEED=99999999999999999999 LD_PRELOAD=%preload %t 2>&1 | FileCheck %s -DV=HEDDLE_EXEC_SEED=99999999999999999999
// RUN: env HEDDLE_DEVICE=exec HEDDLE_EXEC_LIMIT=-5 LD_PRELOAD=%preload %t 2>&1 | FileCheck %s -DV=HEDDLE_EXEC_LIMIT=-5
// RUN: env HEDDLE_DEVICE=exec HEDDLE_EXEC_LIMIT=12x LD_PRELOAD=%preload %t 2>&1 | FileCheck %s -DV=HEDDLE_EXEC_LIMIT=12x
// RUN: env HEDDLE_DEVICE=exec HEDDLE_EXEC_THREADS=100000 LD_PRELOAD=%preload %t 2>&1 | FileCheck %s -DV=HEDDLE_EXEC_THREADS=100000
// RUN: env HEDDLE_DEVICE=exec HEDDLE_EXEC_ALIGN=yes LD_PRELOAD=%preload %t 2>&1 | FileCheck %s -DV=HEDDLE_EXEC_ALIGN=yes
// RUN: env HEDDLE_DEVICE=exec HEDDLE_EXEC_SPIN_WARN=4294967296 LD_PRELOAD=%preload %t 2>&1 | FileCheck %s -DV=HEDDLE_EXEC_SPIN_WARN=4294967296
// RUN: env HEDDLE_DEVICE=exec HEDDLE_EXEC_DELAY=no LD_PRELOAD=%preload %t 2>&1 | FileCheck %s -DV=HEDDLE_EXEC_DELAY=no
// RUN: env HEDDLE_DEVICE=exec HEDDLE_COUNTERS=3 LD_PRELOAD=%preload %t 2>&1 | FileCheck %s -DV=HEDDLE_COUNTERS=3
// RUN: env HEDDLE_DEVICE=auto:gfx90a LD_PRELOAD=%preload %t 2>&1 | FileCheck %s --check-prefix=LIST
#include <cstdio>

__global__ void
empty()
{
}

// GOOD-NOT: heddle:
// GOOD: devices 1: no error
// CHECK: heddle: [[V]]: not a number from 0 to
// CHECK: devices 0:
// LIST: heddle: HEDDLE_DEVICE=auto:gfx90a: not auto, amd or exec[:gfxNNNN,…]
// LIST: devices 0:
int
main()
{
	int n = 0;
	cudaGetDeviceCount(&n);
	empty<<<1, 1>>>();
	cudaError_t e = cudaGetLastError();
	if (e == cudaSuccess)
		e = cudaDeviceSynchronize();
	printf("devices %d: %s\n", n, cudaGetErrorString(e));
	return 0;
}
