// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: sh %S/Inputs/device.sh %clang %s %t -O2 gfx1100 gfx90a gfx1201 gfx1030
// RUN: %gcnrun --threads=1 --grid=hw --hw --block=256 --lds=9000 %t.gfx1100 grid_barrier words:0,0 outi:1 | FileCheck %s --check-prefix=GRID
// RUN: %gcnrun --threads=2 --grid=hw --hw --block=64 %t.gfx90a grid_barrier words:0,0 outi:1 | FileCheck %s --check-prefix=GRID
// RUN: %gcnrun --threads=2 --grid=hw --hw --block=1024 %t.gfx1201 grid_barrier words:0,0 outi:1 | FileCheck %s --check-prefix=GRID
// RUN: %gcnrun --seed=5 --grid=hw --hw --block=96 %t.gfx1030 grid_barrier words:0,0 outi:1 | FileCheck %s --check-prefix=GRID
// RUN: not %gcnrun --limit=3000000 --threads=2 --grid=hw+1 --hw --block=64 --lds=30000 %t.gfx90a grid_barrier words:0,0 outi:1 | FileCheck %s --check-prefix=MORE
// RUN: %gcnrun --threads=2 --grid=hw+1 --block=64 --lds=30000 %t.gfx90a grid_barrier words:0,0 outi:1 | FileCheck %s --check-prefix=GRID
// RUN: %gcnrun --threads=1 --grid=100 --block=128 %t.gfx1100 locks words:0 outi:2 | FileCheck %s --check-prefix=LOCKS
// RUN: %gcnrun --threads=2 --grid=100 --block=128 %t.gfx90a locks words:0 outi:2 | FileCheck %s --check-prefix=LOCKS
// RUN: %gcnrun --seed=11 --grid=100 --block=128 %t.gfx1030 locks words:0 outi:2 | FileCheck %s --check-prefix=LOCKS
// RUN: %gcnrun --threads=2 --grid=100 --block=128 --hw %t.gfx1201 locks words:0 outi:2 | FileCheck %s --check-prefix=LOCKS
// RUN: %gcnrun --block=256 %t.gfx1201 split outi:4 | FileCheck %s --check-prefix=SPLIT
// RUN: %gcnrun --block=256 --seed=2 %t.gfx1201 split outi:4 | FileCheck %s --check-prefix=SPLIT
// RUN: %gcnrun --block=256 --seed=3 %t.gfx1201 split outi:4 | FileCheck %s --check-prefix=SPLIT
// RUN: sh %S/Inputs/seeds.sh %gcnrun %t.gfx1100 | FileCheck %s --check-prefix=SEEDS
// RUN: sh %S/Inputs/seeds.sh %gcnrun %t.gfx90a | FileCheck %s --check-prefix=SEEDS
// As many workgroups as a GPU keeps may wait for each other; locks go round; barriers in two parts; seeds.
#include "kernel.h"
#define R   __ATOMIC_RELAXED
#define GPU __HIP_MEMORY_SCOPE_AGENT

// A barrier of the whole grid, three times: all must be resident at once.
KERNEL
grid_barrier(u32 *state, u32 *o)
{
	for (u32 k = 1; k <= 3; k++) {
		BARRIER;
		if (tid == 0) {
			__hip_atomic_fetch_add(&state[0], 1, __ATOMIC_ACQ_REL, GPU);
			while (__hip_atomic_load(&state[0], __ATOMIC_ACQUIRE, GPU) < k * gdim)
				;
		}
		BARRIER;
	}
	if (tid == 0 && __hip_atomic_fetch_add(&state[1], 1, R, GPU) == gdim - 1)
		o[0] = state[0] == 3 * gdim;
}
// GRID: arg1[0]: 1
// MORE: fault: instruction limit

// The first lane of each wave takes a lock that all workgroups share; what it guards is no atomic.
KERNEL
locks(u32 *lock, volatile u32 *o)
{
	u32 waves = 128 / __builtin_amdgcn_wavefrontsize();
	if (lane == 0) {
		while (__hip_atomic_exchange(lock, 1, __ATOMIC_ACQUIRE, GPU) != 0)
			;
		o[0] = o[0] + 4 / waves;
		o[1] = o[0];
		__hip_atomic_store(lock, 0, __ATOMIC_RELEASE, GPU);
	}
}
// LOCKS: arg1[0]: 400 400

// Arrives, works, waits; the last wave ends between the two, another does before it arrives.
#ifdef __gfx1201__
KERNEL
split(u32 *o)
{
	SHARED u32 before, after, firsts;
	u32 wave = __builtin_amdgcn_readfirstlane(tid / 32);
	if (tid == 0)
		before = after = firsts = 0;
	BARRIER;
	if (wave == 3)
		return;
	__hip_atomic_fetch_add(&before, 1, R, __HIP_MEMORY_SCOPE_WORKGROUP);
	__builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
	if (__builtin_amdgcn_s_barrier_signal_isfirst(-1) && lane == 0)
		__hip_atomic_fetch_add(&firsts, 1, R, __HIP_MEMORY_SCOPE_WORKGROUP);
	if (wave == 7)
		return;
	__builtin_amdgcn_s_barrier_wait(-1);
	__builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
	u32 seen = before;
	BARRIER;
	__hip_atomic_fetch_add(&after, seen == 224, R, __HIP_MEMORY_SCOPE_WORKGROUP);
	BARRIER;
	if (tid == 0)
		o[0] = before, o[1] = after, o[2] = firsts;
}
#endif
// SPLIT: arg0[0]: 224 192 1 0

// The order in which the waves come, written by themselves.
KERNEL
order(u32 *next, u32 *o)
{
	u32 waves = bdim / __builtin_amdgcn_wavefrontsize();
	for (u32 k = 0; k < 2; k++) {
		if (lane == 0)
			o[__hip_atomic_fetch_add(next, 1, R, GPU)] = bid * waves + tid / __builtin_amdgcn_wavefrontsize();
		__builtin_amdgcn_s_sleep(1);
	}
}
// SEEDS: 40 entries
// SEEDS-NEXT: seed 1: the same twice
// SEEDS-NEXT: seed 2: the same twice
// SEEDS-NEXT: seed 3: the same twice
// SEEDS-NEXT: seed 4: the same twice
// SEEDS-NEXT: different orders: {{[345]}}
