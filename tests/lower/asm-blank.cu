// Inline asm without instructions stays as a barrier for the optimiser, whatever its operands are.
// RUN: %device --offload-arch=gfx1100 -O2 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %device --offload-arch=gfx1100 -O0 -c %s -o %t.co
// RUN: %device --offload-arch=gfx90a -O3 -c %s -o %t.co
#include "mini.h"

__global__ void k(int *p, long l, float f, double d, bool b, short h, __int128 q, char c)
{
	// CHECK: asm sideeffect "", "~{memory}"()
	asm volatile("" ::: "memory");
	// CHECK: asm sideeffect "", "=v,=v,=v,=v,=v,0,1,2,3,4"(i32 %{{.*}}, i64 %{{.*}}, float %{{.*}}, double %{{.*}}, i16
	asm volatile("" : "+r"(p[0]), "+l"(l), "+f"(f), "+d"(d), "+h"(h));
	// CHECK: asm sideeffect "", "=&v,0"(i128
	asm volatile("// nothing" : "+&q"(q));
	// CHECK: asm sideeffect "", "v,i"(ptr {{.*}}, i32 7)
	asm volatile("/* nothing\n here */;" ::"l"(p), "n"(7));
	// bool and char live in 32 bits
	// CHECK: asm sideeffect "", "=v,=v,0,1"(i32 %{{.*}}, i32 %{{.*}})
	asm volatile("{ }" : "+r"(b), "+r"(c));
	// memory operands are addresses, and all memory may change
	// CHECK: asm sideeffect "", "v,v,~{memory}"(ptr
	asm volatile("" : "+m"(p[3]));
	// CHECK: asm sideeffect "", "v"(i32
	asm volatile("" ::"r,m"(p[4]));
	// AMDGCN's own assembly is the backend's business
	// CHECK: asm sideeffect "s_nop 0", ""()
	asm volatile("s_nop 0");
	// CHECK: asm sideeffect "v_mov_b32 $0, $1", "=v,v"
	asm volatile("v_mov_b32 %0, %1" : "=v"(p[5]) : "v"(p[6]));
	p[2] = (int)(l + f + d + b + h + c) + (int)q;
}
