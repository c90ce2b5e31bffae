// The host pass does not look into functions that only the device runs, but it does into kernels and
// into functions for both sides.
// RUN: %host -fsyntax-only -Xclang -verify %s %plugin
// RUN: not %host -fsyntax-only %s 2>&1 | FileCheck %s --check-prefix=STOCK
// RUN: not %device --offload-arch=gfx1100 -fsyntax-only %s %plugin 2>&1 | FileCheck %s --check-prefix=DEVICE
// STOCK: use of undeclared identifier '__builtin_amdgcn_workitem_id_x'
#include "mini.h"

__device__ unsigned only() { return __builtin_amdgcn_workitem_id_x(); }
template <typename T> __device__ T generic(T t) { return t + __builtin_amdgcn_workgroup_id_x(); }
struct s {
	int v;
	__device__ s() : v(__builtin_amdgcn_workitem_id_x()) {}
	__device__ int get() const { return v + nowhere; }
	// DEVICE: error: use of undeclared identifier 'nowhere'
};
__global__ void kernel(unsigned *p) { p[0] = only() + generic(1); }
__host__ __device__ int both()
{
	return missing; // expected-error {{use of undeclared identifier 'missing'}}
}
int host()
{
	return absent; // expected-error {{use of undeclared identifier 'absent'}}
}
