// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx1100 -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O1 -gline-tables-only -I%S/Inputs %s -o %t.gfx1100
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx90a -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O1 -gline-tables-only -I%S/Inputs %s -o %t.gfx90a
// RUN: not %gcnrun --grid=3 --block=64,2 %t.gfx1100 null 0 2 70 | FileCheck %s --check-prefix=NULL
// RUN: not %gcnrun --grid=3 --block=64,2 %t.gfx90a null 0 2 70 | FileCheck %s --check-prefix=NULL
// RUN: not %gcnrun --block=64 %t.gfx1100 over outi:60 | FileCheck %s --check-prefix=OVER
// RUN: not %gcnrun --block=64 %t.gfx90a over outi:60 | FileCheck %s --check-prefix=OVER
// RUN: not %gcnrun --block=64 %t.gfx1100 shared outi:1 1000 | FileCheck %s --check-prefix=SHARED
// RUN: not %gcnrun --block=64 %t.gfx90a shared outi:1 1000 | FileCheck %s --check-prefix=SHARED
// RUN: not %gcnrun --block=64 %t.gfx1100 misaligned outi:4 2 | FileCheck %s --check-prefix=ALIGN
// RUN: not %gcnrun --block=64 %t.gfx90a misaligned outi:4 2 | FileCheck %s --check-prefix=ALIGN
// RUN: not %gcnrun --block=64 %t.gfx1100 trap 5 | FileCheck %s --check-prefix=TRAP
// RUN: not %gcnrun --block=64 %t.gfx90a trap 5 | FileCheck %s --check-prefix=TRAP
// RUN: not %gcnrun --block=64 %t.gfx1100 readonly 1 | FileCheck %s --check-prefix=CONST
// RUN: not %gcnrun --block=64 %t.gfx1100 jump 16 | FileCheck %s --check-prefix=JUMP
// RUN: not %gcnrun --block=64 %t.gfx1100 unknown | FileCheck %s --check-prefix=UNKNOWN
// RUN: not %gcnrun --block=1024,2 %t.gfx1100 unknown | FileCheck %s --check-prefix=PACKET
// What a kernel does wrong is found, and the first thread that did it is named.
#include "kernel.h"

KERNEL
null(int *p, u32 block, u32 thread)
{
	if (bid == block && threadIdx_y() * 64 + tid == thread)
		*p = 1;
}
// NULL: fault: illegal address{{.*}} store of 4 bytes at 0x0
// NULL-NEXT: in null+0x{{[0-9a-f]+}} ({{.*}}fault.cu:[[#]]), block 2,0,0, thread 6,1,0

KERNEL
over(int *p)
{
	p[tid * 1024] = 1; // the buffer's page ends at thread 1
}
// OVER: fault: illegal address{{.*}} store of 4 bytes
// OVER-NEXT: block 0,0,0, thread 1,0,0

KERNEL
shared(int *o, u32 at)
{
	SHARED int s[64];
	s[tid] = 1;
	BARRIER;
	o[0] = s[at + tid];
}
// SHARED: fault: beyond the workgroup's LDS{{.*}} load of 4 bytes at 0xfa0
// SHARED-NEXT: thread 0,0,0

KERNEL
misaligned(char *o, u32 at)
{
	if (tid >= 3)
		__hip_atomic_fetch_add((int *)(o + at), 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
// ALIGN: fault: misaligned address{{.*}} atomic of 4 bytes
// ALIGN-NEXT: thread 3,0,0

__attribute__((device, noinline)) void
stop()
{
	__builtin_trap();
}
KERNEL
trap(u32 n)
{
	if (tid > n)
		stop();
}
// TRAP: fault: trap
// TRAP-NEXT: thread 6,0,0

KERNEL
readonly(int v)
{
	*(volatile int *)(u64)__builtin_amdgcn_kernarg_segment_ptr() = v;
}
// CONST: fault: illegal address{{.*}} store of 4 bytes

KERNEL
jump(u64 to)
{
	((void (*)())to)();
}
// JUMP: fault: execution left the code: no code at 0x10

KERNEL
unknown()
{
	__asm__ volatile("ds_gws_barrier v0 gds");
}
// UNKNOWN: fault: illegal instruction: not started: not implemented ({{.*}}): ds_gws_barrier v0 gds
// PACKET: fault: invalid packet: more than 1024 work-items
