// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx1100 -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O2 -munsafe-fp-atomics -I%S/Inputs %s -o %t.gfx1100
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx90a -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O2 -munsafe-fp-atomics -I%S/Inputs %s -o %t.gfx90a
// RUN: %gcnrun --threads=2 --grid=8 --block=256 %t.gfx1100 integers out:16 | FileCheck %s --check-prefix=INT
// RUN: %gcnrun --threads=2 --grid=8 --block=256 %t.gfx90a integers out:16 | FileCheck %s --check-prefix=INT
// RUN: %gcnrun --grid=4 --block=64 %t.gfx1100 wide outq:8 | FileCheck %s --check-prefix=WIDE
// RUN: %gcnrun --grid=4 --block=64 %t.gfx90a wide outq:8 | FileCheck %s --check-prefix=WIDE
// RUN: %gcnrun --grid=4 --block=64 %t.gfx1100 floats outf:4 outd:2 | FileCheck %s --check-prefix=FLOAT
// RUN: %gcnrun --grid=4 --block=64 %t.gfx90a floats outf:4 outd:2 | FileCheck %s --check-prefix=FLOAT
// RUN: %gcnrun --block=128 %t.gfx1100 shared outi:12 outq:2 | FileCheck %s --check-prefix=LDS
// RUN: %gcnrun --block=128 %t.gfx90a shared outi:12 outq:2 | FileCheck %s --check-prefix=LDS
// RUN: %gcnrun --block=64 %t.gfx1100 tickets outi:64 iota:1 | FileCheck %s --check-prefix=TICKET
// RUN: %gcnrun --block=64 %t.gfx90a tickets outi:64 iota:1 | FileCheck %s --check-prefix=TICKET
// Atomic operations on global memory and LDS, with and without a result.
#include "kernel.h"
#define R __ATOMIC_RELAXED

KERNEL
integers(u32 *o)
{
	u32 i = bid * bdim + tid; // 0 to 2047
	__hip_atomic_fetch_add(&o[0], 1, R, __HIP_MEMORY_SCOPE_AGENT);
	__hip_atomic_fetch_sub(&o[1], i, R, __HIP_MEMORY_SCOPE_AGENT);
	__hip_atomic_fetch_max(&o[2], i, R, __HIP_MEMORY_SCOPE_AGENT);
	__hip_atomic_fetch_min((int *)&o[3], -(int)i, R, __HIP_MEMORY_SCOPE_AGENT);
	__hip_atomic_fetch_max((int *)&o[4], (int)i - 5000, R, __HIP_MEMORY_SCOPE_AGENT);
	__hip_atomic_fetch_or(&o[5], 1u << (i & 31), R, __HIP_MEMORY_SCOPE_AGENT);
	__hip_atomic_fetch_xor(&o[6], i, R, __HIP_MEMORY_SCOPE_AGENT);
	__hip_atomic_fetch_and(&o[7], i | 0xfffff800, R, __HIP_MEMORY_SCOPE_AGENT);
	__builtin_amdgcn_atomic_inc32(&o[8], 99, R, "agent");
	__builtin_amdgcn_atomic_dec32(&o[9], 99, R, "agent");
	u32 old = __hip_atomic_load(&o[10], R, __HIP_MEMORY_SCOPE_AGENT); // multiply by compare and swap: o[10]++ twice
	while (!__hip_atomic_compare_exchange_strong(&o[10], &old, old + 2, R, R, __HIP_MEMORY_SCOPE_AGENT))
		;
	if (__hip_atomic_exchange(&o[11], i + 1, R, __HIP_MEMORY_SCOPE_AGENT) == 0)
		__hip_atomic_fetch_add(&o[12], 1, R, __HIP_MEMORY_SCOPE_AGENT);
}
// 2048; -(2047 * 2048 / 2); 2047; -2047; 0 since it starts above; all bits; 0; 0; 2048 % 100; 2048 decrements
// INT: arg0[0]: 00000800 ffe00400 000007ff fffff801 00000000 ffffffff 00000000 00000000 00000030 00000034 00001000 {{[0-9a-f]+}} 00000001 00000000

KERNEL
wide(u64 *o)
{
	u64 i = bid * bdim + tid;
	__hip_atomic_fetch_add(&o[0], i << 32, R, __HIP_MEMORY_SCOPE_AGENT);
	__hip_atomic_fetch_max(&o[1], i << 40, R, __HIP_MEMORY_SCOPE_AGENT);
	__hip_atomic_fetch_min((long long *)&o[2], -(long long)(i << 33), R, __HIP_MEMORY_SCOPE_AGENT);
	__hip_atomic_fetch_or(&o[3], 1ull << (i & 63), R, __HIP_MEMORY_SCOPE_AGENT);
	u64 old = 0;
	while (!__hip_atomic_compare_exchange_strong(&o[4], &old, old + 0x100000001, R, R, __HIP_MEMORY_SCOPE_AGENT))
		;
}
// WIDE: arg0[0]: 00007f8000000000 0000ff0000000000 fffffe0200000000 ffffffffffffffff 0000010000000100 0000000000000000

KERNEL
floats(float *o, double *d)
{
	u32 i = bid * bdim + tid;
	__hip_atomic_fetch_add(&o[0], 0.5f, R, __HIP_MEMORY_SCOPE_AGENT);
	__hip_atomic_fetch_max(&o[1], (float)i, R, __HIP_MEMORY_SCOPE_AGENT);
	__hip_atomic_fetch_min(&o[2], -(float)i, R, __HIP_MEMORY_SCOPE_AGENT);
	o[3] = __hip_atomic_fetch_add(&o[0], 0.0f, R, __HIP_MEMORY_SCOPE_AGENT) > 0 ? 1 : 2;
	__hip_atomic_fetch_add(&d[0], 0.25, R, __HIP_MEMORY_SCOPE_AGENT);
}
// FLOAT: arg0[0]: 128 255 -255 1
// FLOAT-NEXT: arg1[0]: 64 0

KERNEL
shared(u32 *o, u64 *q)
{
	SHARED u32 s[12];
	SHARED u64 t[2];
	u32 i = tid;
	if (i < 12)
		s[i] = i == 7 ? ~0u : 0;
	if (i < 2)
		t[i] = 0;
	BARRIER;
	__hip_atomic_fetch_add(&s[0], i, R, __HIP_MEMORY_SCOPE_WORKGROUP);
	__hip_atomic_fetch_max((int *)&s[2], (int)i, R, __HIP_MEMORY_SCOPE_WORKGROUP);
	__hip_atomic_fetch_min((int *)&s[3], -(int)i, R, __HIP_MEMORY_SCOPE_WORKGROUP);
	__hip_atomic_fetch_or(&s[5], 1u << (i & 31), R, __HIP_MEMORY_SCOPE_WORKGROUP);
	__hip_atomic_fetch_xor(&s[6], i, R, __HIP_MEMORY_SCOPE_WORKGROUP);
	__hip_atomic_fetch_and(&s[7], i, R, __HIP_MEMORY_SCOPE_WORKGROUP);
	__hip_atomic_fetch_add((float *)&s[8], 1.5f, R, __HIP_MEMORY_SCOPE_WORKGROUP);
	u32 old = 0;
	while (!__hip_atomic_compare_exchange_strong(&s[9], &old, old + 3, R, R, __HIP_MEMORY_SCOPE_WORKGROUP))
		;
	if (__hip_atomic_exchange(&s[10], 1, R, __HIP_MEMORY_SCOPE_WORKGROUP) == 0)
		s[11] = 77;
	__hip_atomic_fetch_add(&t[0], (u64)i << 32, R, __HIP_MEMORY_SCOPE_WORKGROUP);
	__hip_atomic_fetch_max(&t[1], (u64)i << 33, R, __HIP_MEMORY_SCOPE_WORKGROUP);
	BARRIER;
	if (i < 12)
		o[i] = i == 8 ? (u32)((float *)s)[8] : s[i];
	if (i < 2)
		q[i] = t[i];
}
// LDS: arg0[0]: 8128 0 127 -127 0 -1 0 0 192 384 1 77
// LDS-NEXT: arg1[0]: 00001fc000000000 000000fe00000000

KERNEL
tickets(u32 *o, u32 *counter)
{
	u32 mine = __hip_atomic_fetch_add(counter, 1, R, __HIP_MEMORY_SCOPE_AGENT);
	o[mine] = mine;
}
// TICKET: arg0[0]: 0 1 2 3 {{.*}} 61 62 63
