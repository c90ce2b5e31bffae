// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx1100 -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O2 -I%S/Inputs %s -o %t.gfx1100
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx90a -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O2 -I%S/Inputs %s -o %t.gfx90a
// RUN: %gcnrun --threads=1 --grid=40 --block=64 %t.gfx1100 grid_barrier outi:4 words:0,0 5 | FileCheck %s --check-prefix=GRID
// RUN: %gcnrun --threads=2 --grid=40 --block=64 %t.gfx1100 grid_barrier outi:4 words:0,0 5 | FileCheck %s --check-prefix=GRID
// RUN: %gcnrun --threads=2 --grid=40 --block=64 %t.gfx90a grid_barrier outi:4 words:0,0 5 | FileCheck %s --check-prefix=GRID
// RUN: %gcnrun --seed=7 --grid=40 --block=64 %t.gfx90a grid_barrier outi:4 words:0,0 5 | FileCheck %s --check-prefix=GRID
// RUN: %gcnrun --threads=1 --grid=6 --block=32 %t.gfx1100 chain outi:2 words:0 | FileCheck %s --check-prefix=CHAIN
// RUN: %gcnrun --seed=3 --grid=6 --block=32 %t.gfx1100 chain outi:2 words:0 | FileCheck %s --check-prefix=CHAIN
// RUN: %gcnrun --threads=1 --grid=1 --block=256 %t.gfx1100 handover outi:2 | FileCheck %s --check-prefix=HAND
// RUN: %gcnrun --threads=1 --grid=1 --block=256 %t.gfx90a handover outi:2 | FileCheck %s --check-prefix=HAND
// RUN: %gcnrun --threads=1 --grid=1 --block=256 %t.gfx1100 leavers outi:3 | FileCheck %s --check-prefix=LEAVE
// RUN: %gcnrun --threads=1 --grid=1 --block=256 %t.gfx90a leavers outi:3 | FileCheck %s --check-prefix=LEAVE
// Waves and workgroups that wait for each other make progress; waves that have ended leave the barrier.
#include "kernel.h"
#define R __ATOMIC_RELAXED

// Every workgroup waits for every other, `rounds` times: all must be resident at once.
KERNEL
grid_barrier(u32 *o, u32 *state, u32 rounds)
{
	for (u32 k = 1; k <= rounds; k++) {
		BARRIER;
		if (tid == 0) {
			__hip_atomic_fetch_add(&state[0], 1, __ATOMIC_ACQ_REL, __HIP_MEMORY_SCOPE_AGENT);
			while (__hip_atomic_load(&state[0], __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) < k * gdim)
				__builtin_amdgcn_s_sleep(1);
		}
		BARRIER;
		if (tid == 63)
			__hip_atomic_fetch_add(&o[0], 1, R, __HIP_MEMORY_SCOPE_AGENT);
	}
}
// GRID: arg0[0]: 200 0 0 0

// Workgroup k waits without sleeping until k + 1 has come: the first must not starve the last.
KERNEL
chain(u32 *o, u32 *turn)
{
	if (tid == 0) {
		while (__hip_atomic_load(turn, R, __HIP_MEMORY_SCOPE_AGENT) != gdim - 1 - bid)
			;
		o[0] = bid;
		__hip_atomic_fetch_add(&o[1], 1, R, __HIP_MEMORY_SCOPE_AGENT);
		__hip_atomic_fetch_add(turn, 1, R, __HIP_MEMORY_SCOPE_AGENT);
	}
}
// CHAIN: arg0[0]: 0 6

// Waves of a workgroup pass a token through LDS without a barrier.
KERNEL
handover(u32 *o)
{
	SHARED volatile u32 token;
	if (tid == 0)
		token = 0;
	BARRIER;
	u32 wave = tid / __builtin_amdgcn_wavefrontsize(), waves = bdim / __builtin_amdgcn_wavefrontsize();
	if (lane == 0) {
		while (token != waves - 1 - wave)
			;
		token = token + 1;
		if (wave == 0)
			o[0] = 1;
		__hip_atomic_fetch_add(&o[1], 256 / waves, R, __HIP_MEMORY_SCOPE_AGENT);
	}
}
// HAND: arg0[0]: 1 256

// The upper half ends before the barrier, another part between two.
KERNEL
leavers(u32 *o)
{
	SHARED u32 sum;
	if (tid >= 128)
		return;
	if (tid == 0)
		sum = 0;
	BARRIER;
	__hip_atomic_fetch_add(&sum, 1, R, __HIP_MEMORY_SCOPE_WORKGROUP);
	if (tid >= 64)
		return;
	BARRIER;
	__hip_atomic_fetch_add(&sum, 1, R, __HIP_MEMORY_SCOPE_WORKGROUP);
	BARRIER;
	if (tid == 0)
		o[0] = sum;
}
// LEAVE: arg0[0]: 192 0 0
