// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx900 -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O1 -I%S/Inputs %s -o %t.gfx900
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx942 -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O1 -I%S/Inputs %s -o %t.gfx942
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx1030 -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O1 -I%S/Inputs %s -o %t.gfx1030
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx1100 -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O1 -I%S/Inputs %s -o %t.gfx1100
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx1201 -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O1 -I%S/Inputs %s -o %t.gfx1201
// RUN: %gcnrun --block=128 %t.gfx900 memory out:5 iota:1024 | FileCheck %s
// RUN: %gcnrun --block=128 %t.gfx942 memory out:5 iota:1024 | FileCheck %s
// RUN: %gcnrun --block=128 %t.gfx1030 memory out:5 iota:1024 | FileCheck %s
// RUN: %gcnrun --block=128 %t.gfx1100 memory out:5 iota:1024 | FileCheck %s
// RUN: %gcnrun --block=128 %t.gfx1201 memory out:5 iota:1024 | FileCheck %s
// Memory where others went wrong: hard places 22 to 28 of Inputs/hard.txt.
// CHECK: arg0[0]: 00000000 00000000 00000000 00000000
#include "hard.h"
#if defined(__GFX12__)
#define LOADS "\n\ts_wait_loadcnt_dscnt 0x0"
#define SCALARS "\n\ts_wait_kmcnt 0x0"
#define RETURNS " th:TH_ATOMIC_RETURN"
#elif defined(__gfx942__)
#define LOADS "\n\ts_waitcnt vmcnt(0) lgkmcnt(0)"
#define SCALARS LOADS
#define RETURNS " sc0"
#else
#define LOADS "\n\ts_waitcnt vmcnt(0) lgkmcnt(0)"
#define SCALARS LOADS
#define RETURNS " glc"
#endif
#if defined(__GFX11__) || defined(__GFX12__)
#define N(old, new) new
#else
#define N(old, new) old
#endif
#define G(x) N("global_load_" x, "global_load_" x)

KERNEL
memory(u32 *o, u32 *in)
{
	SHARED __attribute__((aligned(16))) u32 t[1024];
	u32 i = tid, l = lane, r;
	volatile u32 mine[4];

	// hard place 22: a generic address leads elsewhere in each lane
	t[i] = 5000 + i;
	mine[1] = 7000 + i;
	BARRIER;
	volatile u32 *p = i % 3 == 0 ? (volatile u32 *)&in[i] : i % 3 == 1 ? (volatile u32 *)&t[i] : (volatile u32 *)&mine[1];
	EQ(*p, i % 3 == 0 ? i : i % 3 == 1 ? 5000 + i : 7000 + i);
	*p = *p + 1;
	EQ(i % 3 == 0 ? in[i] : i % 3 == 1 ? ((volatile u32 *)t)[i] : mine[1], (i % 3 == 0 ? i : i % 3 == 1 ? 5000 + i : 7000 + i) + 1);
	if (i % 3 != 2)
		EQ(__atomic_fetch_add((u32 *)p, 9, __ATOMIC_RELAXED), (i % 3 == 0 ? i : 5000 + i) + 1);
	// hard place 23: each thread's scratch is its own
	for (int k = 0; k < 4; k++)
		mine[k] = i * 4 + k;
	BARRIER;
	for (int k = 0; k < 4; k++)
		EQ(mine[(k + i) & 3], i * 4 + ((k + i) & 3));

	// signed offsets
	u32 *far = in + 512;
	u64 at = (u64)(far + i);
	__asm__ volatile(N("global_load_dword", "global_load_b32") " %0, %1, off offset:-16" LOADS : "=v"(r) : "v"(at) : "memory");
	EQ(r, 508 + i);
	u32 off = 4 * i;
	__asm__ volatile(N("global_load_dword", "global_load_b32") " %0, %1, %2 offset:-2044" LOADS : "=v"(r) : "v"(off), "s"(far) : "memory");
	EQ(r, i % 3 == 2 ? i + 11 : i + 1); // in[i + 1], which was changed above or not
	__asm__ volatile(N("global_load_dword", "global_load_b32") " %0, %1, %2 offset:-64" LOADS : "=v"(r) : "v"(off), "s"(far) : "memory");
	EQ(r, 496 + i);

	// hard place 25: two places at once, wide ones
	BARRIER;
	for (int k = 0; k < 8; k++)
		t[i + 128 * k] = i + 128 * k;
	BARRIER;
	u32 base = 4 * l;
	u64 pair;
	__asm__ volatile(N("ds_read2st64_b32", "ds_load_2addr_stride64_b32") " %0, %1 offset0:1 offset1:3" LOADS : "=v"(pair) : "v"(base) : "memory");
	EQ64(pair, (64 + l) | (u64)(192 + l) << 32);
	__asm__ volatile(N("ds_read2_b32", "ds_load_2addr_b32") " %0, %1 offset0:2 offset1:9" LOADS : "=v"(pair) : "v"(base) : "memory");
	EQ64(pair, (2 + l) | (u64)(9 + l) << 32);
	typedef u32 u3 __attribute__((ext_vector_type(3)));
	typedef u32 u4 __attribute__((ext_vector_type(4)));
	u3 three;
	u4 four;
	u32 wide = 16 * l;
	__asm__ volatile(N("ds_read_b96", "ds_load_b96") " %0, %1 offset:16" LOADS : "=v"(three) : "v"(wide) : "memory");
	EQ(three[0] ^ three[2] << 8, (4 * l + 4) ^ (4 * l + 6) << 8);
	__asm__ volatile(N("ds_read_b128", "ds_load_b128") " %0, %1" LOADS : "=v"(four) : "v"(wide) : "memory");
	EQ(four[3] ^ four[1] << 8, (4 * l + 3) ^ (4 * l + 1) << 8);
	__asm__ volatile(N("ds_read2st64_b64", "ds_load_2addr_stride64_b64") " %0, %1 offset0:0 offset1:1" LOADS : "=v"(four) : "v"(8 * l) : "memory");
	EQ(four[2], 128 + 2 * l);

	// hard place 28: the other half of a register stays
	u32 d = 0xaaaabbbb;
	off = 4 * (i & 63) + 256;
	__asm__ volatile(N("global_load_short_d16_hi", "global_load_d16_hi_b16") " %0, %1, %2 offset:1024" LOADS : "+v"(d) : "v"(off), "s"(in) : "memory");
	EQ(d, (320 + (i & 63)) << 16 | 0xbbbb);
	d = 0xaaaabbbb;
	__asm__ volatile(N("global_load_sbyte_d16", "global_load_d16_i8") " %0, %1, %2 offset:1025" LOADS : "+v"(d) : "v"(off), "s"(in) : "memory");
	EQ(d, 0xaaaa0001);
	d = 0xaaaabbbb;
	__asm__ volatile(N("ds_read_u8_d16_hi", "ds_load_u8_d16_hi") " %0, %1" LOADS : "+v"(d) : "v"(4 * l) : "memory");
	EQ(d, l << 16 | 0xbbbb);
	d = 0x12345678;
	BARRIER;
	t[i] = 0;
	BARRIER;
	__asm__ volatile(N("ds_write_b16_d16_hi", "ds_store_b16_d16_hi") " %0, %1" LOADS ::"v"(4 * i), "v"(d) : "memory");
	EQ(((volatile u32 *)t)[i], 0x1234);

	// hard place 27: atomics that return, the order of their operands
	u32 *q = in + 768 + i;
	u64 cas = 99 | (u64)(768 + i) << 32; // new, then what it is compared with
	off = 4 * (768 + i);
	__asm__ volatile(N("global_atomic_cmpswap", "global_atomic_cmpswap_b32") " %0, %1, %2, %3" RETURNS LOADS : "=v"(r) : "v"(off), "v"(cas), "s"(in) : "memory");
	EQ(r, 768 + i);
	EQ(*(volatile u32 *)q, 99);
	r = 0x5555;
	__asm__ volatile(N("global_atomic_add", "global_atomic_add_u32") " %1, %2, %3" LOADS : "+v"(r) : "v"(off), "v"(3), "s"(in) : "memory");
	EQ(r, 0x5555); // without the bit nothing comes back
	EQ(__atomic_load_n(q, __ATOMIC_RELAXED), 102);
	__asm__ volatile(N("global_atomic_umax", "global_atomic_max_u32") " %0, %1, %2, %3" RETURNS LOADS : "=v"(r) : "v"(off), "v"(0x80000000u), "s"(in) : "memory");
	EQ(r, 102);
	__asm__ volatile(N("global_atomic_smin", "global_atomic_min_i32") " %0, %1, %2, %3" RETURNS LOADS : "=v"(r) : "v"(off), "v"(-7), "s"(in) : "memory");
	EQ(*(volatile u32 *)q, 0x80000000);
	__asm__ volatile(N("global_atomic_inc", "global_atomic_inc_u32") " %0, %1, %2, %3" RETURNS LOADS : "=v"(r) : "v"(off), "v"(5), "s"(in) : "memory");
	EQ(*(volatile u32 *)q, 0); // wraps
	__asm__ volatile(N("global_atomic_dec", "global_atomic_dec_u32") " %0, %1, %2, %3" RETURNS LOADS : "=v"(r) : "v"(off), "v"(5), "s"(in) : "memory");
	EQ(*(volatile u32 *)q, 5);
#if defined(__gfx942__) || defined(__GFX12__)
	*(volatile u32 *)q = 0x40003c00;
	__asm__ volatile("global_atomic_pk_add_f16 %0, %1, %2, %3" RETURNS LOADS : "=v"(r) : "v"(off), "v"(0xbc003c00u), "s"(in) : "memory");
	EQ(r, 0x40003c00);
	EQ(*(volatile u32 *)q, 0x3c004000);
	*(volatile u32 *)q = 0x40003f80; // 2.0, 1.0
	__asm__ volatile("global_atomic_pk_add_bf16 %0, %1, %2, %3" RETURNS LOADS : "=v"(r) : "v"(off), "v"(0x3f803f80u), "s"(in) : "memory");
	EQ(*(volatile u32 *)q, 0x40404000);
#endif
	// hard place 5: float atomics of LDS obey MODE
	BARRIER;
	((volatile u32 *)t)[i] = 0x00400000;
	__asm__ volatile("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 0\n\tds_add_f32 %0, %1" LOADS "\n\ts_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 3"
			 ::"v"(4 * i), "v"(0x00400000u) : "memory");
	EQ(((volatile u32 *)t)[i], 0);
	__asm__ volatile("ds_add_f32 %0, %1" LOADS ::"v"(4 * i), "v"(0x00400000u) : "memory");
	EQ(((volatile u32 *)t)[i], 0x00400000);
	u64 *w = (u64 *)(in + 896) + (i & 31);
	if (i < 32) {
		__atomic_store_n(w, ~0ull, __ATOMIC_RELAXED);
		EQ64(__atomic_fetch_add(w, 3, __ATOMIC_RELAXED), ~0ull);
		EQ64(__atomic_load_n(w, __ATOMIC_RELAXED), 2);
		u64 expect = 2;
		EQ(__atomic_compare_exchange_n(w, &expect, 1ull << 40, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED), 1);
		EQ64(*(volatile u64 *)w, 1ull << 40);
	}

	// hard place 26: scalar loads
	u64 s;
	u32 c;
	__asm__ volatile(N("s_load_dword", "s_load_b32") " %0, %1, 0x203" SCALARS : "=s"(c) : "s"(in));
	EQ(c, 128); // the two low bits do not count
	__asm__ volatile("s_mov_b64 vcc, %1\n\t" N("s_load_dwordx2", "s_load_b64") " vcc, vcc, 0x220" SCALARS "\n\ts_mov_b64 %0, vcc" : "=s"(s) : "s"(in) : "vcc");
	EQ64(s, 136 | 137ull << 32);
	__asm__ volatile(N("s_load_dword", "s_load_b32") " %0, %1, -0x10" SCALARS : "=s"(c) : "s"(far));
	EQ(c, 508);
#if defined(__GFX12__)
	__asm__ volatile("s_load_u8 %0, %1, 0x405" SCALARS : "=s"(c) : "s"(in));
	EQ(c, 1); // byte 1 of 257
	__asm__ volatile("s_load_i16 %0, %1, 0x404" SCALARS : "=s"(c) : "s"(in));
	EQ(c, 257);
#endif
}
