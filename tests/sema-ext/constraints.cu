// The constraints and texts of inline PTX pass the front end as written, in both passes.
// RUN: %device --offload-arch=gfx1100 -O1 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - %plugin | FileCheck %s
// RUN: not %device --offload-arch=gfx1100 -O1 -S -emit-llvm %s -o %t.ll 2>&1 | FileCheck %s --check-prefix=STOCK
// RUN: %host -fsyntax-only -Xclang -verify %s %plugin
// RUN: not %device --offload-arch=gfx1100 -DBAD -S -emit-llvm %s -o %t.ll %plugin 2>&1 | FileCheck %s --check-prefix=BAD
// expected-no-diagnostics
#include "mini.h"

// STOCK: error: invalid output constraint '+l' in asm
template <int N> __global__ void k(int *p, long l, float f, double d, short h, __int128 q)
{
	unsigned u;
	// CHECK: asm sideeffect "mov.u32 $0, %laneid;", "=r"()
	asm volatile("mov.u32 %0, %laneid;" : "=r"(u));
	// CHECK: asm sideeffect "mov.u32 $0, %clock;", "=r"()
	asm volatile("mov.u32 %0, %%clock;" : "=r"(u));
	// CHECK: asm "{|.reg .pred p;|}", "=l,0"
	asm("{|.reg .pred p;|}" : "+l"(l));
	// CHECK: asm "x $0, $1, $2, $3;", "=f,=d,=h,=q,0,1,2,3"
	asm("x %0, %1, %2, %3;" : "+f"(f), "+d"(d), "+h"(h), "+q"(q));
	// CHECK: asm "y $0, $1;", "=r,n"(i32 5)
	asm("y %0, %1;" : "=r"(u) : "n"(N));
	p[0] = (int)(l + f + d + h + u) + (int)q;
}
template __global__ void k<5>(int *, long, float, double, short, __int128);

#ifdef BAD
__device__ void bad(int x)
{
	// BAD: error: invalid input constraint 'y' in asm
	asm("" ::"y"(x));
}
#endif
