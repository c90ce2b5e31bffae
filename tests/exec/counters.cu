// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx1100 -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O2 -munsafe-fp-atomics -I%S/Inputs %s -o %t.gfx1100
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx90a -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O2 -munsafe-fp-atomics -I%S/Inputs %s -o %t.gfx90a
// RUN: sh %S/Inputs/counters.sh %gcnrun %t.gfx1100 1 | FileCheck %s --check-prefixes=CHECK,W32
// RUN: sh %S/Inputs/counters.sh %gcnrun %t.gfx90a 1 | FileCheck %s --check-prefixes=CHECK,W64
// RUN: sh %S/Inputs/counters.sh %gcnrun %t.gfx1100 1 > %t.one
// RUN: sh %S/Inputs/counters.sh %gcnrun %t.gfx1100 2 > %t.two
// RUN: diff %t.one %t.two
// RUN: env HEDDLE_EXEC_DELAY=1 sh %S/Inputs/counters.sh %gcnrun %t.gfx1100 2 > %t.delayed
// RUN: diff %t.one %t.delayed
// What HEDDLE_COUNTERS measures, of kernels where it can be known beforehand; the same for any number of threads.
#include "kernel.h"

// 10 workgroups of 64 threads, unless a kernel's line says another number of either.
#define WORDS 2048
KERNEL
lds_stride(u32 *o, u32 stride)
{
	SHARED u32 s[WORDS];
	s[tid] = tid;
	BARRIER;
	o[bid * 64 + tid] = s[tid * stride % WORDS];
}
// One store and one load by 64 threads: 40 accesses of 32 lanes.
// CHECK-LABEL: lds_stride 1
// W32: counters: lds_stride on gfx1100: launches 1, blocks 10 of 64 threads, waves 20
// W64: counters: lds_stride on gfx90a: launches 1, blocks 10 of 64 threads, waves 10
// W32: LDS 40 {{.*}} %
// W64: LDS 20 {{.*}} %
// W32: active lanes 32.00 of 32
// W64: active lanes 64.00 of 64
// CHECK: global store 40 segments of 64 bytes, {{[24]}}.00 an access; 2560 bytes asked for
// CHECK: shared memory 40 passes over the banks, {{[12]}}.00 an access; 5120 bytes
// CHECK: bank conflicts 0 of them
// CHECK: barriers 10
// CHECK: registers {{[0-9]+}} VGPRs, {{[04]}} AGPRs, {{(128|16)}} SGPRs a wave
// CHECK: memory 8192 bytes of shared memory a block, 0 of local memory a thread
// 8 blocks have all of LDS
// W32: occupancy 16 waves on a compute unit at once, of 32; 8 blocks
// W64: occupancy 8 waves on a compute unit at once, of 32; 8 blocks
// CHECK-LABEL: lds_stride 2
// CHECK: shared memory 60 passes
// CHECK: bank conflicts 20 of them
// CHECK-LABEL: lds_stride 32
// CHECK: shared memory 660 passes
// CHECK: bank conflicts 620 of them
// CHECK-LABEL: lds_stride 0
// CHECK: shared memory 40 passes
// CHECK: bank conflicts 0 of them

// Two and four dwords a lane: 16 and 8 lanes at a time have the banks.
typedef u32 u32x2 __attribute__((ext_vector_type(2)));
typedef u32 u32x4 __attribute__((ext_vector_type(4)));
KERNEL
lds_wide(u32 *o, u32 stride)
{
	SHARED u32x4 s[WORDS / 4];
	s[tid * stride % (WORDS / 4)] = tid;
	BARRIER;
	((u32x4 *)o)[tid] = s[stride];
}
// CHECK-LABEL: lds_wide 1
// CHECK: global store 160 segments
// a pass for each 8 lanes, also where all read one place
// CHECK: shared memory 160 passes over the banks, {{[48]}}.00 an access
// CHECK: bank conflicts 0 of them
// CHECK-LABEL: lds_wide 8
// CHECK: shared memory 720 passes
// CHECK: bank conflicts 560 of them

KERNEL
lds_atomic(u32 *o, u32 stride)
{
	SHARED u32 s[WORDS];
	__hip_atomic_fetch_add(&s[tid * stride % WORDS], tid, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
	__hip_atomic_fetch_add(&o[tid * stride], 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
// CHECK-LABEL: lds_atomic 1
// W32: VMEM atomic 20 {{.*}} %
// W32: LDS atomic 20 {{.*}} %
// CHECK: global atomic 40 segments of 64 bytes, {{[24]}}.00 an access; 2560 bytes
// CHECK: shared memory 20 passes
// CHECK: bank conflicts 0 of them

KERNEL
global_stride(u32 *o, u32 stride)
{
	o[tid * stride] = 1;
}
// CHECK-LABEL: global_stride 1
// CHECK: global store 40 segments of 64 bytes, {{[24]}}.00 an access; 2560 bytes asked for
// CHECK-LABEL: global_stride 2
// CHECK: global store 80 segments
// CHECK-LABEL: global_stride 16
// CHECK: global store 640 segments of 64 bytes, {{32|64}}.00 an access; 2560 bytes asked for
// CHECK-LABEL: global_stride 0
// CHECK: global store {{20|10}} segments of 64 bytes, 1.00 an access; 2560 bytes asked for

// Every second lane does nearly all.
KERNEL
half_lanes(u32 *o, u32 n)
{
	u32 x = tid;
	if (tid & 1)
		for (u32 k = 0; k < n; k++)
			x = x * 1664525 + 1013904223 + (x >> 3);
	o[tid] = x;
}
// CHECK-LABEL: half_lanes 10000
// W32: active lanes 16.0{{[01]}} of 32
// W64: active lanes 32.0{{[01]}} of 64

// Private memory is a class of its own, on every generation.
KERNEL
scratch(u32 *o, u32 at)
{
	u32 mine[256];
	mine[at & 255] = tid;
	mine[7 * at & 255] = 1;
	o[tid] = mine[3 * at & 255];
}
// CHECK-LABEL: scratch 3
// W32: scratch 60 {{.*}} %
// W64: scratch 30 {{.*}} %
// CHECK: global store 40 segments
// CHECK: memory 0 bytes of shared memory a block, {{[1-9][0-9]*}} of local memory a thread
