// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx1200 -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O2 -I%S/Inputs %s -o %t.gfx1200
// RUN: %gcnrun --block=96 %t.gfx1200 split outi:4 | FileCheck %s --check-prefix=SPLIT
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx950 -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O2 -I%S/Inputs %s -o %t.gfx950
// RUN: %gcnrun --block=64 %t.gfx950 swap outi:4 | FileCheck %s --check-prefix=SWAP
// What only newer GPUs have: barriers in two halves (gfx12), registers that exchange rows (gfx950).
#include "kernel.h"
#define R __ATOMIC_RELAXED

#if defined(__gfx1200__)
// Wave 0 has arrived and does not wait yet: the others must get through, or it polls for ever. Wave 2 leaves early.
KERNEL
split(u32 *o)
{
	static __attribute__((shared)) u32 flag, first;
	u32 wave = tid / 32;
	if (wave == 2)
		return;
	if (wave == 0) {
		__atomic_store_n(&flag, 0, R);
		__atomic_store_n(&first, 0, R);
	}
	__builtin_amdgcn_s_barrier_signal(-1);
	__builtin_amdgcn_s_barrier_wait(-1);
	__builtin_amdgcn_s_barrier_signal(-1);
	if (wave == 0) {
		while (__atomic_load_n(&flag, R) != 7)
			;
		__builtin_amdgcn_s_barrier_wait(-1);
	} else {
		__builtin_amdgcn_s_barrier_wait(-1);
		__atomic_store_n(&flag, 7, R);
	}
	if (__builtin_amdgcn_s_barrier_signal_isfirst(-1) && tid % 32 == 0)
		__atomic_fetch_add(&first, 1, R);
	__builtin_amdgcn_s_barrier_wait(-1);
	if (tid == 0) {
		o[0] = __atomic_load_n(&flag, R);
		o[1] = __atomic_load_n(&first, R);
		o[2] = 1;
	}
}
// SPLIT: arg0[0]: 7 1 1 0{{$}}
#else
// The upper 32 lanes of the first change places with the lower 32 of the second; then odd rows of 16 with even ones.
KERNEL
swap(u32 *o)
{
	u32 bad = 0;
	auto a = __builtin_amdgcn_permlane32_swap(tid, tid + 100, false, false);
	bad += a[0] != (tid < 32 ? tid : tid - 32 + 100);
	bad += a[1] != (tid < 32 ? tid + 32 : tid + 100);
	auto b = __builtin_amdgcn_permlane16_swap(tid, tid + 100, false, false);
	bad += b[0] != (tid & 16 ? tid - 16 + 100 : tid);
	bad += b[1] != (tid & 16 ? tid + 100 : tid + 16);
	u32 x = tid * 0x9e3779b1u, y = tid * 0x85ebca6bu, z = ~tid << 7;
	bad += ((x & y) | (~x & z)) != (x & y) + (~x & z);
	if (bad)
		__atomic_fetch_add(&o[0], bad, R);
	o[1] = 1;
}
// SWAP: arg0[0]: 0 1 0 0{{$}}
#endif
