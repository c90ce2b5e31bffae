// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx90a -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O2 -I%S/Inputs %s -o %t.gfx90a
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx942 -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O2 -I%S/Inputs %s -o %t.gfx942
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx1030 -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O2 -I%S/Inputs %s -o %t.gfx1030
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx1100 -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O2 -I%S/Inputs %s -o %t.gfx1100
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx1200 -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O2 -I%S/Inputs %s -o %t.gfx1200
// RUN: %gcnrun --block=32 %t.gfx90a buffers iota:256 out:16x32 out:64 | FileCheck %s
// RUN: %gcnrun --block=32 %t.gfx942 buffers iota:256 out:16x32 out:64 | FileCheck %s
// RUN: %gcnrun --block=32 %t.gfx1030 buffers iota:256 out:16x32 out:64 | FileCheck %s
// RUN: %gcnrun --block=32 %t.gfx1100 buffers iota:256 out:16x32 out:64 | FileCheck %s
// RUN: %gcnrun --block=32 %t.gfx1200 buffers iota:256 out:16x32 out:64 | FileCheck %s
// RUN: %gcnrun --block=32 %t.gfx90a structs iota:256 out:8x32 | FileCheck %s --check-prefix=STRUCT
// RUN: %gcnrun --block=32 %t.gfx1100 structs iota:256 out:8x32 | FileCheck %s --check-prefix=STRUCT
// RUN: %gcnrun --block=32 %t.gfx1200 structs iota:256 out:8x32 | FileCheck %s --check-prefix=STRUCT
// Buffer resources (hard place 24): addresses of all parts, and what is out of range: loads yield 0, stores do
// nothing, dword by dword, atomics as a whole.
#include "kernel.h"
#if defined(__GFX9__)
#define FLAGS 0x00027000
#elif defined(__GFX10__)
#define FLAGS 0x31014000
#else
#define FLAGS 0x31004000
#endif
#define RSRC(p, stride, n) __builtin_amdgcn_make_buffer_rsrc(p, stride, n, FLAGS)
typedef u32 u2 __attribute__((ext_vector_type(2)));
typedef u32 u3 __attribute__((ext_vector_type(3)));
typedef u32 u4 __attribute__((ext_vector_type(4)));

KERNEL
buffers(u32 *in, u32 *o, u32 *sums)
{
	u32 i = tid;
	auto r = RSRC(in, 0, 100); // 25 dwords
	o[i] = __builtin_amdgcn_raw_buffer_load_b32(r, 4 * i, 0, 0);
	u2 a = __builtin_amdgcn_raw_buffer_load_b64(r, 4 * i, 0, 0);
	o[32 + i] = a[0] << 16 | a[1];
	u4 b = __builtin_amdgcn_raw_buffer_load_b128(r, 4 * i + 16, 0, 0); // an offset in the instruction
	o[64 + i] = b[0] << 24 | b[1] << 16 | b[2] << 8 | b[3];
	u3 c = __builtin_amdgcn_raw_buffer_load_b96(r, 4 * i, 40, 0); // and a scalar one
	o[96 + i] = c[0] << 16 | c[1] << 8 | c[2];
	o[128 + i] = __builtin_amdgcn_raw_buffer_load_b8(r, 3 * i + 4, 0, 0);
	o[160 + i] = __builtin_amdgcn_raw_buffer_load_b16(r, 2 * i + 60, 0, 0);
	auto s = RSRC(o + 192, 0, 64);
	__builtin_amdgcn_raw_buffer_store_b32(i + 1, s, 4 * i, 0, 0); // 16 are stored
	auto t = RSRC(o + 224, 0, 70);
	u4 v = {i, i, i, i};
	if (i % 4 == 0)
		__builtin_amdgcn_raw_buffer_store_b128(v + 100u, t, 4 * i, 0, 0); // 17 whole dwords
	auto u = RSRC(o + 256, 0, 128);
	__builtin_amdgcn_raw_buffer_store_b8(i, u, i, 64, 0);
	__builtin_amdgcn_raw_buffer_store_b16(i, u, 2 * i, 0, 0);
	auto x = RSRC(sums, 0, 8);
	o[288 + i] = __builtin_amdgcn_raw_ptr_buffer_atomic_add_i32(i + 1, x, 4 * (i & 3), 0, 0) != 0 || i < 2;
	// a fat pointer: address space 7 by way of the resource
	o[320 + i] = __builtin_amdgcn_raw_buffer_load_b32(RSRC(in + 128, 0, 64), 4 * (i ^ 31), 0, 0);
}
// CHECK: arg1[0]: 00000000 00000001 {{.*}} 00000018 00000000 00000000 00000000 00000000 00000000 00000000 00000000{{$}}
// CHECK: arg1[1]: 00000001 00010002 {{.*}} 00170018 00180000 00000000 00000000
// CHECK: arg1[2]: 04050607 05060708 {{.*}} 15161718 16171800 17180000 18000000 00000000
// CHECK: arg1[3]: 000a0b0c 000b0c0d {{.*}} 00161718 00171800 00180000 00000000
// CHECK: arg1[4]: 00000001 00000000 00000000 00000000 00000004 00000000
// CHECK: arg1[5]: 0000000f 00000000 00000010 00000000 {{.*}} 00000018 00000000 00000000 00000000
// CHECK: arg1[6]: 00000001 {{.*}} 00000010 00000000 00000000
// CHECK: arg1[7]: 00000064 00000064 00000064 00000064 00000068 {{.*}} 00000070 00000070 00000070 00000070 00000074 00000000 00000000
// CHECK: arg1[8]: 00010000 00030002 {{.*}} 001f001e 03020100 07060504 {{.*}} 1f1e1d1c 00000000
// CHECK: arg1[10]: 00000000 {{.*}} 00000000 0000008f 0000008e {{.*}} 00000081 00000080{{$}}
// lanes 0 and 4, … add up; those beyond do nothing
// CHECK: arg2[0]: 00000078 00000080 00000000

// Structures of 12 bytes: an index of 5 lanes in range, offsets within.
#if defined(__GFX9__) || defined(__GFX10__)
#define IDX(op, rest) __asm__ volatile("buffer_" op "_dword %0, %1, %2, 0 idxen " rest "\n\ts_waitcnt vmcnt(0)" : "=v"(r) : "v"(i), "s"(q))
#define BOTH(op)      __asm__ volatile("buffer_" op "_dword %0, %1, %2, 0 idxen offen\n\ts_waitcnt vmcnt(0)" : "=v"(r) : "v"(both), "s"(q))
#elif defined(__GFX12__)
#define IDX(op, rest) __asm__ volatile("buffer_" op "_b32 %0, %1, %2, null idxen " rest "\n\ts_wait_loadcnt 0x0" : "=v"(r) : "v"(i), "s"(q))
#define BOTH(op)      __asm__ volatile("buffer_" op "_b32 %0, %1, %2, null idxen offen\n\ts_wait_loadcnt 0x0" : "=v"(r) : "v"(both), "s"(q))
#else
#define IDX(op, rest) __asm__ volatile("buffer_" op "_b32 %0, %1, %2, 0 idxen " rest "\n\ts_waitcnt vmcnt(0)" : "=v"(r) : "v"(i), "s"(q))
#define BOTH(op)      __asm__ volatile("buffer_" op "_b32 %0, %1, %2, 0 idxen offen\n\ts_waitcnt vmcnt(0)" : "=v"(r) : "v"(both), "s"(q))
#endif
KERNEL
structs(u32 *in, u32 *o)
{
	u32 i = tid, r;
	u64 p = (u64)in;
	u4 q = {(u32)p, (u32)(p >> 32) | 12 << 16, 5, FLAGS & 0x0fffffff}; // mode 0: index and stride
	u2 both = {i & 3, i >> 2 << 2};
	IDX("load", "");
	o[i] = r;
	IDX("load", "offset:8");
	o[32 + i] = r;
	BOTH("load");
	o[64 + i] = r;
}
// STRUCT: arg1[0]: 00000000 00000003 00000006 00000009 0000000c 00000000 00000000
// STRUCT: arg1[1]: 00000002 00000005 00000008 0000000b 0000000e 00000000
// STRUCT: arg1[2]: 00000000 00000003 00000006 00000009 00000001 00000004 00000007 0000000a 00000002 00000005 00000008 0000000b
