// Attribute heddle_warp: one string, "paired" or "solo", on kernels. Both passes check it.
// RUN: not %nvcc -arch=gfx90a -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %nvcc -arch=gfx1100 -cubin %s -o %t.o 2>&1 | FileCheck %s
// CHECK: warp.cu:[[#@LINE+1]]:44: error: attribute 'heddle_warp' takes "paired" or "solo"
__global__ void __attribute__((heddle_warp("both"))) word(int *p) { *p = 1; }
// CHECK: warp.cu:[[#@LINE+1]]:44: error: attribute 'heddle_warp' takes "paired" or "solo"
__global__ void __attribute__((heddle_warp(32))) number(int *p) { *p = 1; }
// CHECK: warp.cu:[[#@LINE+1]]:32: error: 'heddle_warp' attribute takes one argument
__global__ void __attribute__((heddle_warp)) nothing(int *p) { *p = 1; }
// CHECK: warp.cu:[[#@LINE+1]]:27: error: attribute 'heddle_warp' belongs on a kernel
__device__ __attribute__((heddle_warp("solo"))) void function(int *p) { *p = 1; }
// CHECK: warp.cu:[[#@LINE+1]]:{{[0-9]+}}: error: attribute 'heddle_warp' asks for both modes
__global__ __attribute__((heddle_warp("solo"))) __attribute__((heddle_warp("paired"))) void twice(int *p) { *p = 1; }
__global__ __attribute__((heddle_warp("solo"))) __attribute__((heddle_warp("solo"))) void same(int *p) { *p = 1; }
// CHECK: warp.cu:[[#@LINE+1]]:27: error: attribute 'heddle_warp' belongs on a kernel
__device__ __attribute__((heddle_warp("solo"))) int variable;
__global__ __attribute__((heddle_warp("solo"))) void good(int *p) { *p = variable; }
// CHECK-NOT: error
