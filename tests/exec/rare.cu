// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx942 -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O2 -I%S/Inputs %s -o %t.gfx942
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx950 -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O2 -I%S/Inputs %s -o %t.gfx950
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx1030 -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O2 -I%S/Inputs %s -o %t.gfx1030
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx1200 -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O2 -I%S/Inputs %s -o %t.gfx1200
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx906 -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O2 -I%S/Inputs %s -o %t.gfx906
// RUN: %gcnrun --block=64 %t.gfx906 into_lds iota:1024 outi:2 | FileCheck %s
// RUN: %gcnrun --block=64 %t.gfx942 into_lds iota:1024 outi:2 | FileCheck %s
// RUN: %gcnrun --block=64 %t.gfx950 into_lds iota:1024 outi:2 | FileCheck %s
// RUN: %gcnrun --block=64 %t.gfx1030 into_lds iota:1024 outi:2 | FileCheck %s
// RUN: %gcnrun --block=64 %t.gfx942 counters outi:2 | FileCheck %s
// RUN: %gcnrun --block=64 %t.gfx1200 counters outi:2 | FileCheck %s
// RUN: %gcnrun --block=64 %t.gfx1030 by_lane outi:2 iota:128 | FileCheck %s
// RUN: %gcnrun --block=64 %t.gfx1200 by_lane outi:2 iota:128 | FileCheck %s
// RUN: %gcnrun --block=64 %t.gfx950 transposed outi:2 | FileCheck %s
// RUN: %gcnrun --block=32 %t.gfx1200 rows outi:2 iota:512 | FileCheck %s
// RUN: %gcnrun --block=32 %t.gfx1200 newer outi:2 | FileCheck %s
// RUN: %gcnrun --block=64 %t.gfx942 masked outi:2 | FileCheck %s
// Memory instructions that only builtins and assembly reach. Word 0 counts what is wrong, word 1 what was checked.
// CHECK: arg{{[0-9]}}[0]: 0 {{[1-9][0-9]*}}{{$}}
#include "kernel.h"
typedef u32 u2 __attribute__((ext_vector_type(2)));
typedef u32 u3 __attribute__((ext_vector_type(3)));
typedef u32 u4 __attribute__((ext_vector_type(4)));
#define D static __attribute__((device))
D void
check(int *o, bool ok)
{
	__atomic_fetch_add(&o[0], !ok, __ATOMIC_RELAXED);
	__atomic_fetch_add(&o[1], 1, __ATOMIC_RELAXED);
}

#if defined(__gfx906__) || defined(__gfx942__) || defined(__gfx950__) || defined(__gfx1030__)
// Lanes that are off store nothing; narrow elements fill a dword.
KERNEL
into_lds(u32 *in, int *o)
{
	SHARED u32 t[1024];
	u32 i = tid;
#if defined(__gfx1030__)
	auto r = __builtin_amdgcn_make_buffer_rsrc(in, 0, 4096, 0x31014000);
#else
	auto r = __builtin_amdgcn_make_buffer_rsrc(in, 0, 4096, 0x00027000);
#endif
	for (int k = 0; k < 16; k++)
		t[i + 64 * k] = 7;
	BARRIER;
	if (i != 5)
		__builtin_amdgcn_raw_ptr_buffer_load_lds(r, &t[i & ~31u], 4, 8 * i, 16, 0, 0);
	if (i >= 32)
		__builtin_amdgcn_raw_ptr_buffer_load_lds(r, &t[128], 1, i, 0, 4, 0);
#if !defined(__gfx1030__)
	__builtin_amdgcn_global_load_lds(in + (i ^ 1), &t[256], 4, 0, 0);
	__builtin_amdgcn_global_load_lds(in + i, &t[320], 2, 8, 0); // the offset counts on both sides
#endif
#if defined(__gfx950__)
	__builtin_amdgcn_global_load_lds(in + 4 * (63 - i), &t[512], 16, 0, 0);
	__builtin_amdgcn_global_load_lds(in + 3 * (63 - i), &t[768], 12, 0, 0);
#endif
	__asm__ volatile("s_waitcnt vmcnt(0)" ::: "memory");
	BARRIER;
#if !defined(__gfx1030__)
	check(o, t[i] == (i == 5 ? 7 : 2 * i + 4));
	check(o, t[129 + i] == (i < 32 ? 7u : ((i + 4) % 4 ? 0 : (i + 4) / 4)));
	check(o, t[256 + i] == (i ^ 1));
	check(o, t[322 + i] == i + 2);
#else
	check(o, t[i] == (i == 5 ? 7 : 2 * i + 4));
#endif
#if defined(__gfx950__)
	for (u32 k = 0; k < 4; k++)
		check(o, t[512 + 4 * i + k] == 4 * (63 - i) + k);
	for (u32 k = 0; k < 3; k++)
		check(o, t[768 + 3 * i + k] == 3 * (63 - i) + k);
#endif
}
#endif

#if defined(__gfx942__) || defined(__gfx1200__)
KERNEL
counters(int *o)
{
	SHARED int n[2];
	n[0] = 100, n[1] = 50;
	BARRIER;
	int a = 0, b = 0;
	if (tid % 3 == 0)
		a = __builtin_amdgcn_ds_append((__attribute__((address_space(3))) int *)&n[0]);
	if (tid % 2 == 0)
		b = __builtin_amdgcn_ds_consume((__attribute__((address_space(3))) int *)&n[1]);
	BARRIER;
	check(o, n[0] == 100 + 22 && n[1] == 50 - 32);
	// all lanes of a wave see the count before it
	check(o, tid % 3 ? a == 0 : a == (tid < 32 || __builtin_amdgcn_wavefrontsize() == 64 ? 100 : 111));
	check(o, tid % 2 ? b == 0 : b == (tid < 32 || __builtin_amdgcn_wavefrontsize() == 64 ? 50 : 34));
}
#endif

#if defined(__gfx1030__) || defined(__gfx1200__)
#if defined(__gfx1200__)
#define WAIT "\n\ts_wait_loadcnt_dscnt 0x0\n\ts_wait_storecnt_dscnt 0x0"
#define ADDTID(x) x "_addtid_b32"
#define GLOBAL(x) "global_" x "_addtid_b32"
#define DSL "ds_load"
#define DSS "ds_store"
#else
#define WAIT "\n\ts_waitcnt vmcnt(0) lgkmcnt(0)\n\ts_waitcnt_vscnt null, 0x0"
#define ADDTID(x) x "_addtid_b32"
#define GLOBAL(x) "global_" x "_dword_addtid"
#define DSL "ds_read"
#define DSS "ds_write"
#endif
KERNEL
by_lane(int *o, u32 *in)
{
	SHARED u32 t[128];
	u32 r, l = lane, v = tid * 3;
	t[tid] = tid, t[tid + 64] = tid + 64;
	BARRIER;
	__asm__ volatile("s_mov_b32 m0, 16\n\t" ADDTID(DSL) " %0 offset:32" WAIT : "=v"(r) : "v"(t) : "memory", "m0");
	check(o, r == l + 12);
	__asm__ volatile("s_mov_b32 m0, 0\n\t" ADDTID(DSS) " %0 offset:256" WAIT ::"v"(v) : "memory", "m0");
	BARRIER;
	check(o, t[64 + l] % 3 == 0);
	__asm__ volatile(GLOBAL("load") " %0, %1 offset:8" WAIT : "=v"(r) : "s"(in) : "memory");
	check(o, r == l + 2);
	if (tid < 32)
		__asm__ volatile(GLOBAL("store") " %0, %1 offset:256" WAIT ::"v"(v), "s"(in) : "memory");
	BARRIER;
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	check(o, ((volatile u32 *)in)[64 + l] == 3 * l);
}
#endif

#if defined(__gfx950__)
// Matrices of 16 columns; lane i of 16 (or 32) loads the row and part of it that the hardware wants there, and gets a column.
KERNEL
transposed(int *o)
{
	SHARED __attribute__((aligned(16))) unsigned char t[64 * 16];
	u32 i = tid;
	auto at = [](u32 row, u32 column) { return row * 31 + column * 7; };
	auto bits = [](u32 bit, u32 n, u32 v) { for (u32 k = 0; k < n; k++) t[(bit + k) / 8] |= (v >> k & 1) << (bit + k) % 8; };
#define CLEAR BARRIER; if (i == 0) for (u32 k = 0; k < sizeof(t); k++) ((volatile unsigned char *)t)[k] = 0; BARRIER
#define SHAREDP(T) (__attribute__((address_space(3))) T *)
	// 16 bits: four rows of 16, each in four lanes
	CLEAR;
	((unsigned short *)t)[i * 4 + 0] = at(i % 16 / 4, i % 4 * 4 + 0), ((unsigned short *)t)[i * 4 + 1] = at(i % 16 / 4, i % 4 * 4 + 1);
	((unsigned short *)t)[i * 4 + 2] = at(i % 16 / 4, i % 4 * 4 + 2), ((unsigned short *)t)[i * 4 + 3] = at(i % 16 / 4, i % 4 * 4 + 3);
	BARRIER;
	typedef short s4 __attribute__((ext_vector_type(4)));
	s4 a = __builtin_amdgcn_ds_read_tr16_b64_v4i16(SHAREDP(s4)(t + 8 * i));
	for (u32 e = 0; e < 4; e++)
		check(o, (unsigned short)a[e] == at(e, i % 16));
	// 8 bits: eight rows of 16; lanes 8 r + 4 h + k have the half h of row 4 r + k
	CLEAR;
	for (u32 e = 0; e < 8; e++)
		t[8 * i + e] = at(i % 16 / 8 * 4 + i % 4, i % 8 / 4 * 8 + e);
	BARRIER;
	typedef int i2 __attribute__((ext_vector_type(2)));
	typedef int i3 __attribute__((ext_vector_type(3)));
	i2 b = __builtin_amdgcn_ds_read_tr8_b64_v2i32(SHAREDP(i2)(t + 8 * i));
	for (u32 e = 0; e < 8; e++)
		check(o, ((u32)b[e / 4] >> e % 4 * 8 & 255) == (at(e, i % 16) & 255));
	// 4 bits: 16 rows of 32 in 32 lanes; lanes 16 r + 8 h + k have the half h of row 8 r + k
	CLEAR;
	for (u32 e = 0; e < 16; e++)
		bits(64 * i + 4 * e, 4, at(i % 32 / 16 * 8 + i % 8, i % 16 / 8 * 16 + e));
	BARRIER;
	b = __builtin_amdgcn_ds_read_tr4_b64_v2i32(SHAREDP(i2)(t + 8 * i));
	for (u32 e = 0; e < 16; e++)
		check(o, ((u32)b[e / 8] >> e % 8 * 4 & 15) == (at(e, i % 32) & 15));
	// 6 bits: the same, lanes 8 r + 4 h + k have the half h of row 4 r + k
	CLEAR;
	if (i == 0)
		for (u32 l = 0; l < 64; l++)
			for (u32 e = 0; e < 16; e++)
				bits(128 * l + 6 * e, 6, at(l % 32 / 8 * 4 + l % 4, l % 8 / 4 * 16 + e));
	BARRIER;
	i3 c = __builtin_amdgcn_ds_read_tr6_b96_v3i32(SHAREDP(i3)(t + 16 * i));
	for (u32 e = 0; e < 16; e++) {
		u64 pair = (u32)c[e * 6 / 32] | (u64)(e * 6 / 32 < 2 ? (u32)c[e * 6 / 32 + 1] : 0) << 32;
		check(o, (pair >> e * 6 % 32 & 63) == (at(e, i % 32) & 63));
	}
}
#endif

#if defined(__gfx1200__)
KERNEL
rows(int *o, u32 *in)
{
	u32 i = tid;
	typedef short s8 __attribute__((ext_vector_type(8)));
	typedef int i2 __attribute__((ext_vector_type(2)));
	unsigned short *h = (unsigned short *)in;
	for (u32 e = 0; e < 8; e++)
		h[i * 8 + e] = i * 8 + e;
	__asm__ volatile("s_wait_storecnt 0x0" ::: "memory");
	s8 a = __builtin_amdgcn_global_load_tr_b128_v8i16((__attribute__((address_space(1))) s8 *)(h + 8 * i));
	for (u32 e = 0; e < 8; e++) // 8 x 8 in each 8 lanes
		check(o, (unsigned short)a[e] == ((i & ~7u) + e) * 8 + i % 8);
	unsigned char *c = (unsigned char *)in;
	for (u32 e = 0; e < 8; e++)
		c[i * 8 + e] = i * 8 + e;
	__asm__ volatile("s_wait_storecnt 0x0" ::: "memory");
	i2 b = __builtin_amdgcn_global_load_tr_b64_v2i32((__attribute__((address_space(1))) i2 *)(c + 8 * i));
	for (u32 e = 0; e < 8; e++) {
		u32 from = (i & ~15u) + e / 4 * 8 + i % 16 / 8 * 4 + e % 4;
		check(o, ((u32)b[e / 4] >> e % 4 * 8 & 255) == ((from * 8 + i % 8) & 255));
	}
}

KERNEL
newer(int *o)
{
	SHARED u32 t[32];
	u32 i = tid, r, address = 4 * i;
	t[i] = i + 10;
	BARRIER;
	__asm__ volatile("ds_cond_sub_rtn_u32 %0, %1, %2\n\ts_wait_dscnt 0x0" : "=v"(r) : "v"(address), "v"(20u) : "memory");
	check(o, r == i + 10 && ((volatile u32 *)t)[i] == (i + 10 >= 20 ? i - 10 : i + 10));
	u32 v = i * 3;
	check(o, __builtin_amdgcn_ds_bpermute_fi_b32(4 * (i ^ 7), v) == (int)(3 * (i ^ 7)));
	if (i < 8) // of lanes that are off, too
		check(o, __builtin_amdgcn_ds_bpermute_fi_b32(4 * (i + 9), v) == (int)(3 * (i + 9)));
	check(o, __builtin_amdgcn_permlane16_var(0, v, i * 5, false, false) == 3 * ((i & 16) + (i * 5 & 15)));
	check(o, __builtin_amdgcn_permlanex16_var(0, v, i * 5, false, false) == 3 * ((~i & 16) + (i * 5 & 15)));
	if (i % 2) { // even lanes are off: the old value, or with fi theirs
		check(o, __builtin_amdgcn_permlane16_var(77, v, 2, false, false) == 77);
		check(o, __builtin_amdgcn_permlane16_var(77, v, 2, true, false) == 3 * ((i & 16) + 2));
		check(o, __builtin_amdgcn_permlane16_var(77, v, 2, false, true) == 0);
	}
	u32 state = __builtin_amdgcn_s_get_barrier_state(-1);
	check(o, (state & 1) && (state >> 4 & 127) == 1 && (state >> 16 & 127) == 0);
}
#endif

#if defined(__gfx942__)
#define DS(op, ...) __asm__ volatile(op "\n\ts_waitcnt lgkmcnt(0)" : "=v"(r) : __VA_ARGS__ : "memory")
KERNEL
masked(int *o)
{
	SHARED u32 t[256];
	u32 i = tid, r, address = 4 * i;
	volatile u32 *p = t;
	p[i] = 0xffff0000 + i;
	DS("ds_mskor_rtn_b32 %0, %1, %2, %3", "v"(address), "v"(0x00ff00ffu), "v"(0x00120034u));
	check(o, r == 0xffff0000 + i && p[i] == 0xff120034u);
	p[i] = i;
	DS("ds_wrap_rtn_b32 %0, %1, %2, %3", "v"(address), "v"(40u), "v"(5u));
	check(o, r == i && p[i] == (i >= 40 ? i - 40 : i + 5));
	p[i] = i % 2 ? 0x80000000 : 0x7fc00000; // -0 equals +0, NaN nothing
	DS("ds_cmpst_rtn_f32 %0, %1, %2, %3", "v"(address), "v"(0u), "v"(99u));
	check(o, p[i] == (i % 2 ? 99 : 0x7fc00000));
	DS("ds_cmpst_rtn_f32 %0, %1, %2, %3", "v"(address), "v"(0x7fc00000u), "v"(99u));
	check(o, p[i] == (i % 2 ? 99 : 0x7fc00000));
	u2 pair = {i % 2 ? 0x80000005u : 6u, i % 2 ? 7u : 0x80000008u}, old;
	address = 8 * i;
	p[2 * i] = 1, p[2 * i + 1] = 2;
	__asm__ volatile("ds_condxchg32_rtn_b64 %0, %1, %2\n\ts_waitcnt lgkmcnt(0)" : "=v"(old) : "v"(address), "v"(pair) : "memory");
	check(o, old[0] == 1 && old[1] == 2 && p[2 * i] == (i % 2 ? 5 : 1) && p[2 * i + 1] == (i % 2 ? 2 : 8));
}
#endif
