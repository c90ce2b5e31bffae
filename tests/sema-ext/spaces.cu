// Pointers to named address spaces convert to plain ones in the host pass as in the device pass, and
// kernels that take them have the same names in both.
// RUN: %host -S -emit-llvm %s -o %t.host %plugin
// RUN: %device --offload-arch=gfx1100 -S -emit-llvm %s -o %t.device %plugin
// RUN: FileCheck %s --check-prefixes=BOTH <%t.host
// RUN: FileCheck %s --check-prefixes=BOTH <%t.device
// RUN: not %host -fsyntax-only -DBAD %s %plugin 2>&1 | FileCheck %s --check-prefix=BAD
// RUN: not %host -fsyntax-only %s 2>&1 | FileCheck %s --check-prefix=STOCK
#include "mini.h"
#define global_space __attribute__((address_space(1)))

__host__ __device__ int use(const int *p) { return p ? 1 : 0; }
// BOTH: define {{.*}}kernelPU3AS1i(
__global__ void kernel(global_space int *p) { int *q = p; (void)use(q); }
// STOCK: error: cannot initialize a variable of type 'int *' with an lvalue of type
#ifdef BAD
// BAD: error: cannot initialize a variable of type
__host__ __device__ void narrow(int *p) { global_space int *q = p; (void)q; }
#endif
int main() { kernel<<<1, 1>>>(nullptr); }
