// The PTX of lower/ptx/op.def becomes IR; operands that do not fit are errors.
// RUN: %device --offload-arch=gfx1100 -O1 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %device --offload-arch=gfx90a -O0 -c %s -o %t.co
// RUN: %device --offload-arch=gfx90a -O1 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=CYCLES
// CYCLES: call i64 @llvm.readcyclecounter()
// RUN: not %device --offload-arch=gfx1100 -DBAD -O1 -c %s -o %t.bad.co 2>&1 | FileCheck %s --check-prefix=BAD --implicit-check-not=error:
#include "mini.h"

// CHECK-LABEL: define {{.*}} @_Z5sregsPjPy
__global__ void sregs(unsigned *p, unsigned long long *q)
{
	unsigned lane, below, tid, t;
	unsigned long long clock;
	// CHECK: %[[LANE:.*]] = {{.*}}call {{.*}} @llvm.amdgcn.mbcnt.lo
	asm("mov.u32 %0, %laneid;" : "=r"(lane));
	asm("{ mov.u32 %0, %%lanemask_lt; }" : "=r"(below));
	// CHECK: call {{.*}} @llvm.amdgcn.workitem.id.x()
	asm("mov.u32 %0, %tid.x;" : "=r"(tid));
	// CHECK: call i64 @llvm.readsteadycounter()
	asm volatile("mov.u64 %0, %clock64;" : "=l"(clock));
	asm volatile("mov.u32 %0, %clock;" : "=r"(t)::"memory");
	p[0] = lane + below + tid + t;
	*q = clock;
}
// CHECK-LABEL: define {{.*}} @_Z5movesPfi
__global__ void moves(float *p, int i)
{
	float f = p[1];
	int a, b;
	// CHECK: %[[F:.*]] = load float
	// CHECK: store float %[[F]]
	asm("mov.b32 %0, %1;" : "=r"(a) : "f"(f));
	asm("mov.b32 %0, %1;" : "=f"(f) : "r"(a));
	p[2] = f;
	// both outputs, one through the other; a tied operand keeps its value
	// CHECK: store float 7.000000e+00
	// CHECK: store i32 %1
	asm("mov.s32 %0, 0x7;\n\tmov.s32 %1, %0;" : "=r"(a), "=r"(b));
	p[3] = (float)b;
	asm("mov.s32 %1, %0;" : "+r"(i), "=r"(b));
	((int *)p)[4] = b;
}
// CHECK-LABEL: define {{.*}} @_Z5orderv
__global__ void order()
{
	// CHECK: fence syncscope("workgroup") seq_cst
	asm volatile("membar.cta;" ::: "memory");
	// CHECK: fence syncscope("agent") seq_cst
	asm volatile("membar.gl;" ::: "memory");
	// CHECK: fence seq_cst
	asm volatile("fence.sc.sys;" ::: "memory");
	// CHECK: call void @llvm.amdgcn.s.barrier()
	asm volatile("bar.sync 0;" ::: "memory");
	// CHECK: call void @llvm.amdgcn.wave.barrier()
	asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");
	// CHECK: call void @llvm.amdgcn.s.sleep(i32 1)
	asm volatile("nanosleep.u32 %0;" ::"r"(100));
}
// CHECK-LABEL: define {{.*}} @_Z7shufflePj
__global__ void shuffle(unsigned *p)
{
	unsigned v = p[__builtin_amdgcn_workitem_id_x()], on;
	// CHECK: call i32 @llvm.amdgcn.update.dpp.i32
	asm volatile("shfl.sync.bfly.b32 %0, %1, 1, 0x1f, 0xffffffff;" : "=r"(v) : "r"(v));
	// CHECK: call i32 @llvm.amdgcn.ballot.i32(i1 true)
	asm volatile("activemask.b32 %0;" : "=r"(on));
	p[0] = v + on;
	// CHECK: call {{.*}}void @__heddle_trap
	if (v == 3)
		asm volatile("trap;");
}
#ifdef BAD
__device__ void bad(int *p, double d)
{
	int x = 0;
	// BAD: :[[#@LINE+1]]:{{.*}} error: operand '%1' of PTX instruction 'mov.u32' is not supported here
	asm("mov.u32 %0, %1;" : "=r"(x) : "d"(d));
	// BAD: :[[#@LINE+1]]:{{.*}} error: operand '%1' of PTX instruction 'mov.u32' is not supported here
	asm("mov.u32 %1, %0;" ::"r"(x), "r"(x));
	// BAD: :[[#@LINE+1]]:{{.*}} error: operand '%smid' of PTX instruction 'mov.u32' is not supported here
	asm("mov.u32 %0, %smid;" : "=r"(x));
	// BAD: :[[#@LINE+1]]:{{.*}} error: operand '1' of PTX instruction 'bar.sync' is not supported here
	asm volatile("bar.sync 1;");
	// BAD: :[[#@LINE+1]]:{{.*}} error: PTX instruction 'bar.sync' is not supported yet
	asm volatile("bar.sync 0, 64;");
	// BAD: :[[#@LINE+1]]:{{.*}} error: PTX guard of 'trap' is not supported yet
	asm volatile("@%0 trap;" ::"r"(x));
	// BAD: :[[#@LINE+1]]:{{.*}} error: memory operands in PTX are not supported
	asm volatile("mov.u32 %0, 1;" : "=m"(*p));
	*p = x;
}
#endif
