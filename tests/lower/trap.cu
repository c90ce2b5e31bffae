// Traps and 64-bit arithmetic in one kernel compile on every GPU: LLVM 22 breaks on gfx1100 to gfx1103
// when the trap stands in the kernel itself.
// RUN: sh %S/Inputs/every_gpu.sh %src/amdgpu/targets.def "s_trap\|s_sethalt" %device -O2 %s | FileCheck %s
// RUN: %device --offload-arch=gfx1102 -O0 -c %s -o %t.co
// CHECK: 15 GPUs
// RUN: %device --offload-arch=gfx1101 -O2 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=OUT
// RUN: %device --offload-arch=gfx1101 -O0 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=OUT
// RUN: %device --offload-arch=gfx1150 -O2 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=IN
// RUN: %device --offload-arch=gfx1100 -O2 -c %s -o %t.co
// RUN: llvm-objdump -d --line-numbers %t.co | FileCheck %s --check-prefix=LINE
// LINE-LABEL: <__heddle_trap{{.*}}>:
#include "mini.h"
// OUT-LABEL: define {{.*}} amdgpu_kernel void @_Z1k
// OUT: call {{.*}} @__heddle_trap
// OUT-NOT: call {{.*}}@llvm.trap
// OUT: define internal {{.*}}@__heddle_trap
// OUT: call {{.*}}@llvm.trap()
// IN-NOT: __heddle_trap
__global__ void k(const int *c, long long *o, const float *f)
{
	if (c[1] < 0)
		// LINE: trap.cu:[[#@LINE+2]]
		// LINE: s_sethalt
		__builtin_trap();
	o[11] = (long long)f[30];
	o[12] = o[13] / o[14] + o[15];
}
