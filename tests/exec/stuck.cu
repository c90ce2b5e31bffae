// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: sh %S/Inputs/device.sh %clang %s %t -O1 gfx1100 gfx90a gfx1201
// RUN: not %gcnrun --grid=4 --block=128 %t.gfx1100 halt outi:4 | FileCheck %s --check-prefix=HALT
// RUN: not %gcnrun --grid=4 --block=256 %t.gfx90a halt outi:4 | FileCheck %s --check-prefix=HALT
// RUN: not %gcnrun --grid=4 --block=128 --threads=2 %t.gfx1201 halt outi:4 | FileCheck %s --check-prefix=HALT
// RUN: not %gcnrun --block=64 --seed=3 %t.gfx1201 unsignalled | FileCheck %s --check-prefix=WAIT
// RUN: not %gcnrun --grid=3 --block=64 %t.gfx1100 lock outi:3 | FileCheck %s --check-prefix=LOCK
// RUN: not %gcnrun --grid=3 --block=64 %t.gfx90a lock outi:3 | FileCheck %s --check-prefix=LOCK
// RUN: not %gcnrun --grid=3 --block=64 --threads=2 %t.gfx1201 lock outi:3 | FileCheck %s --check-prefix=LOCK
// RUN: not %gcnrun --block=64 --limit=3000000 %t.gfx1100 undone outi:1 | FileCheck %s --check-prefix=LIMIT
// RUN: not %gcnrun --grid=2 --block=64 --limit=100000 %t.gfx1100 poll words:0 | FileCheck %s --check-prefix=LIMIT
// RUN: %gcnrun --grid=2 --block=64 --spin=1 %t.gfx1100 slow outi:2 words:0 10000 | FileCheck %s --check-prefix=SLOW
// RUN: %gcnrun --grid=2 --block=64 --spin=1 --threads=2 %t.gfx90a slow outi:2 words:0 400 | FileCheck %s --check-prefix=SLOW
// Waves that can never go on are a deadlock, once all others have ended, and only when that is certain.
#include "kernel.h"
#define R   __ATOMIC_RELAXED
#define WG  __HIP_MEMORY_SCOPE_WORKGROUP
#define GPU __HIP_MEMORY_SCOPE_AGENT

// One wave of block 1 halts, the others wait for it at the barrier; the other blocks end first.
KERNEL
halt(u32 *o)
{
	u32 wave = tid / __builtin_amdgcn_wavefrontsize();
	if (bid == 1 && __builtin_amdgcn_readfirstlane(wave) == 1)
		__asm__ volatile("s_sethalt 1");
	BARRIER;
	if (tid == 0)
		o[bid] = 1;
}
// HALT: arg0[0]: 1 0 1 1
// HALT: fault: deadlock: 3 of its block's 4 warps wait at a barrier, 1 are halted
// HALT-NEXT: stuck.cu:[[#@LINE-6]]), block 1,0,0, thread 0,0,0

#ifdef __gfx1201__
KERNEL
unsignalled()
{
	__builtin_amdgcn_s_barrier_wait(-1);
}
// WAIT: fault: deadlock: all of its block's 2 warps wait at a barrier where not all of them have arrived
// WAIT-NEXT: stuck.cu:[[#@LINE-3]]), block 0,0,0, thread 0,0,0
#endif

// A lane waits for another lane of its wave: the lock is in shared memory, so nobody else can help.
KERNEL
lock(u32 *o)
{
	SHARED u32 taken;
	if (tid == 0)
		taken = 0;
	BARRIER;
	if (bid == 1)
		while (__hip_atomic_exchange(&taken, 1, R, WG) != 0)
			;
	o[bid] = 1;
}
// LOCK: arg0[0]: 1 {{[01]}} 1
// LOCK: fault: deadlock: a warp waits for shared memory that no warp of its block will change
// LOCK-NEXT: stuck.cu:[[#@LINE-6]]), block 1,0,0, thread

// Two locks that are taken and given back: it goes on, as far as can be known.
KERNEL
undone(u32 *o)
{
	SHARED u32 a, b;
	if (tid == 0)
		a = 0, b = 1;
	BARRIER;
	for (;;) {
		if (__hip_atomic_exchange(&a, 1, R, WG) == 0) {
			if (__hip_atomic_exchange(&b, 1, R, WG) == 0)
				break;
			__hip_atomic_store(&a, 0, R, WG);
		}
	}
	o[0] = 1;
}
// LIMIT: fault: instruction limit: more than {{[0-9]+}} instructions
// LIMIT-NEXT: stuck.cu:{{[0-9]+}}), block {{[01]}},0,0, thread

// Global memory can be changed by the host.
KERNEL
poll(u32 *flag)
{
	while (__hip_atomic_load(flag, R, GPU) == 0)
		;
}

// Block 1 polls for what block 0 does at last: nothing is told and nothing is wrong.
KERNEL
slow(u32 *o, u32 *flag, u32 rounds)
{
	u32 x = tid;
	if (bid == 0)
		for (u32 k = 0; k < 1000; k++)
			for (u32 i = 0; i < rounds; i++) {
				__asm__ volatile("" : "+v"(x));
				x++;
			}
	BARRIER;
	if (bid == 0 && tid == 0)
		__hip_atomic_store(flag, x + 1, R, GPU);
	while (bid == 1 && __hip_atomic_load(flag, R, GPU) == 0)
		;
	if (tid == 0)
		o[bid] = 1;
}
// SLOW-NOT: polls
// SLOW: arg0[0]: 1 1
