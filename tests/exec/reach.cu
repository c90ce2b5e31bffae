// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx1100 -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O1 -gline-tables-only -I%S/Inputs %s -o %t.gfx1100
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx90a -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O1 -gline-tables-only -I%S/Inputs %s -o %t.gfx90a
// RUN: not %gcnrun %t.gfx1100 behind outi:2 0 | FileCheck %s --check-prefix=BEHIND
// RUN: not %gcnrun %t.gfx90a behind outi:2 0 | FileCheck %s --check-prefix=BEHIND
// RUN: not %gcnrun %t.gfx1100 called outi:2 0 | FileCheck %s --check-prefix=CALLED
// RUN: not %gcnrun %t.gfx90a called outi:2 0 | FileCheck %s --check-prefix=CALLED
// RUN: %gcnrun %t.gfx1100 apart outi:2 0 | FileCheck %s --check-prefix=APART
// RUN: %gcnrun %t.gfx90a apart outi:2 0 | FileCheck %s --check-prefix=APART
// RUN: not %gcnrun %t.gfx1100 apart outi:2 1 | FileCheck %s --check-prefix=DIES
// RUN: %gcnrun %t.gfx1100 pointer outi:2 0 | FileCheck %s --check-prefix=APART
// RUN: not %gcnrun %t.gfx1100 pointer outi:2 1 | FileCheck %s --check-prefix=POINTER
// A kernel that can reach an instruction which the executor lacks is refused before it starts, with the place:
// behind a branch that is not taken, or in a function. What cannot be reached, or only through a pointer, is not.
#include "kernel.h"

DEVICE void
lacks(void)
{
	__asm__ volatile("ds_gws_barrier v0 gds");
}

KERNEL
behind(int *o, int n)
{
	o[0] = 1;
	if (n)
		__asm__ volatile("ds_gws_barrier v0 gds");
	o[1] = 2;
}
// BEHIND: arg0[0]: 0 0{{$}}
// BEHIND-NEXT: not started: not implemented (global wave sync{{.*}}): ds_gws_barrier v0 gds
// BEHIND-NEXT: in behind+{{.*}}reach.cu:28

DEVICE void
between(int *o, int n)
{
	o[0] = n;
	if (n > 3)
		lacks();
}

KERNEL
called(int *o, int n)
{
	for (int i = 0; i < n; i++)
		between(o, i);
	o[1] = 2;
}
// CALLED: arg0[0]: 0 0{{$}}
// CALLED-NEXT: not started: not implemented ({{.*}}): ds_gws_barrier v0 gds
// CALLED-NEXT: in {{.*}}lacks{{.*}}reach.cu:20

__attribute__((device, noinline, noreturn)) static void
dies(void)
{
	__builtin_trap();
}

KERNEL
apart(int *o, int n)
{
	o[0] = 7;
	o[1] = 8;
	if (n)
		dies();
}
KERNEL
after(int *o)
{
	o[0] = 1;
	lacks();
}
// APART: arg0[0]: 7 8{{$}}
// DIES: fault: trap

__attribute__((device)) void (*const volatile table[])(void) = {lacks};
KERNEL
pointer(int *o, int n)
{
	o[0] = 7;
	o[1] = 8;
	if (n)
		table[0]();
}
// POINTER: arg0[0]: 7 8{{$}}
// POINTER-NEXT: fault: illegal instruction: not implemented ({{.*}}): ds_gws_barrier v0 gds
