// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx900 -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O1 -I%S/Inputs %s -o %t.gfx900
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx90a -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O1 -I%S/Inputs %s -o %t.gfx90a
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx1030 -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O1 -I%S/Inputs %s -o %t.gfx1030
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx1100 -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O1 -I%S/Inputs %s -o %t.gfx1100
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx1201 -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O1 -I%S/Inputs %s -o %t.gfx1201
// RUN: %gcnrun --block=64 %t.gfx900 lanes out:5 | FileCheck %s
// RUN: %gcnrun --block=64 %t.gfx90a lanes out:5 | FileCheck %s
// RUN: %gcnrun --block=64 %t.gfx1030 lanes out:5 | FileCheck %s
// RUN: %gcnrun --block=64 %t.gfx1100 lanes out:5 | FileCheck %s
// RUN: %gcnrun --block=64 %t.gfx1201 lanes out:5 | FileCheck %s
// RUN: %gcnrun --block=64 %t.gfx90a scalars out:5 | FileCheck %s
// RUN: %gcnrun --block=64 %t.gfx1030 scalars out:5 | FileCheck %s
// RUN: %gcnrun --block=64 %t.gfx1100 scalars out:5 | FileCheck %s
// RUN: %gcnrun --block=64 %t.gfx1201 scalars out:5 | FileCheck %s
// RUN: %gcnrun --block=64 %t.gfx1201 scalar_floats out:5 | FileCheck %s
// Masks, lanes and scalars where others went wrong: hard places 13 to 20 of Inputs/hard.txt.
// CHECK: arg0[0]: 00000000 00000000 00000000 00000000
#include "hard.h"
#if defined(__GFX9__)
#define WAVE64
#define EXEC   "exec"
#define MOV    "s_mov_b64 "
#define VCC    "vcc"
#define S0     "s[20:21]"
#define S1     "s[22:23]"
#else
#define EXEC   "exec_lo"
#define MOV    "s_mov_b32 "
#define VCC    "vcc_lo"
#define S0     "s20"
#define S1     "s22"
#endif
#if defined(__GFX12__)
#define KWAIT "s_wait_kmcnt 0x0"
#else
#define KWAIT "s_waitcnt lgkmcnt(0)"
#endif
#define CLOBBER "vcc", "s20", "s21", "s22", "s23", "v100", "v101", "v102"

KERNEL
lanes(u32 *o)
{
	u32 l = lane, r, q, v = l * 10;

	// hard place 13: compares clear the bits of lanes that are off; v_cmpx does not bring lanes back
	__asm__ volatile(MOV VCC ", -1\n\t" MOV S0 ", " EXEC "\n\t" MOV EXEC ", 5\n\tv_cmp_eq_u32 " VCC ", %1, %1\n\t" MOV EXEC ", " S0
			 "\n\tv_mov_b32 %0, vcc_lo" : "=&v"(r) : "v"(l) : CLOBBER);
	EQ(r, 5);
	__asm__ volatile(MOV S1 ", -1\n\t" MOV S0 ", " EXEC "\n\t" MOV EXEC ", 6\n\tv_cmp_lt_u32 " S1 ", 1, %1\n\t" MOV EXEC ", " S0
			 "\n\tv_mov_b32 %0, s22" : "=&v"(r) : "v"(l) : CLOBBER);
	EQ(r, 4);
#if defined(__GFX9__)
	__asm__ volatile(MOV S0 ", exec\n\ts_mov_b64 exec, 0x0f\n\tv_cmpx_ge_u32 vcc, 2, %2\n\ts_mov_b64 " S1 ", exec\n\t" MOV "exec, " S0
			 "\n\tv_mov_b32 %0, s22\n\tv_mov_b32 %1, vcc_lo" : "=&v"(r), "=&v"(q) : "v"(l) : CLOBBER);
	EQ(q, 7); // gfx9 writes its destination too
#else
	__asm__ volatile("s_mov_b32 vcc_lo, 0x77\n\t" MOV S0 ", exec_lo\n\ts_mov_b32 exec_lo, 0x0f\n\tv_cmpx_ge_u32 2, %2\n\ts_mov_b32 " S1 ", exec_lo\n\t" MOV "exec_lo, " S0
			 "\n\tv_mov_b32 %0, s22\n\tv_mov_b32 %1, vcc_lo" : "=&v"(r), "=&v"(q) : "v"(l) : CLOBBER);
	EQ(q, 0x77);
#endif
	EQ(r, 7);
	// hard place 7: unordered and ordered, classes of NaN
	__asm__ volatile("v_cmp_lg_f32 " VCC ", %1, %1\n\tv_mov_b32 %0, vcc_lo" : "=v"(r) : "v"(QNAN) : CLOBBER);
	EQ(r, 0);
	__asm__ volatile("v_cmp_neq_f32 " VCC ", %1, %1\n\tv_mov_b32 %0, vcc_lo" : "=v"(r) : "v"(QNAN) : CLOBBER);
	EQ(r, ~0u);
	__asm__ volatile("v_cmp_class_f32 " VCC ", %1, 1\n\tv_mov_b32 %0, vcc_lo" : "=v"(r) : "v"(SNAN) : CLOBBER);
	EQ(r, ~0u);
	__asm__ volatile("v_cmp_class_f32 " VCC ", %1, 1\n\tv_mov_b32 %0, vcc_lo" : "=v"(r) : "v"(QNAN) : CLOBBER);
	EQ(r, 0);

#if !defined(WAVE64)
	// hard place 14: in waves of 32 the upper halves are plain storage
	__asm__ volatile("s_mov_b32 vcc_hi, 0x1234\n\ts_mov_b32 exec_hi, 0x77\n\tv_cmp_eq_u32 vcc_lo, %2, %2\n\tv_add_co_ci_u32 v100, vcc_lo, %2, %2, vcc_lo\n\t"
			 "v_mov_b32 %0, vcc_hi\n\tv_mov_b32 %1, exec_hi\n\ts_mov_b32 exec_hi, 0" : "=&v"(r), "=&v"(q) : "v"(l) : CLOBBER);
	EQ(r, 0x1234);
	EQ(q, 0x77);
#endif

	// hard place 15: lane numbers are taken modulo the wave
	u32 wave = __builtin_amdgcn_wavefrontsize(), n = wave + 3;
	__asm__ volatile("s_mov_b32 s20, %2\n\tv_readlane_b32 s22, %1, s20\n\tv_mov_b32 %0, s22" : "=v"(r) : "v"(v), "s"(__builtin_amdgcn_readfirstlane(n)) : CLOBBER);
	EQ(r, 30);
	__asm__ volatile("s_mov_b32 s20, %2\n\tv_mov_b32 %0, %1\n\tv_writelane_b32 %0, 37, s20" : "=&v"(r) : "v"(v), "s"(__builtin_amdgcn_readfirstlane(n)) : CLOBBER);
	EQ(r, l == 3 ? 37 : v);
	__asm__ volatile("s_mov_b64 s[22:23], exec\n\ts_mov_b64 exec, 0\n\tv_readfirstlane_b32 s20, %1\n\ts_mov_b64 exec, s[22:23]\n\tv_mov_b32 %0, s20" : "=&v"(r) : "v"(v + 7) : CLOBBER);
	EQ(r, 7); // none is on: lane 0

	// hard place 16: parts of registers, exchanged lanes
#if defined(__GFX9__) || defined(__GFX10__)
	u32 d = 0x11223344;
	__asm__ volatile("v_mov_b32_sdwa %0, %1 dst_sel:BYTE_2 dst_unused:UNUSED_PRESERVE src0_sel:WORD_1" : "+v"(d) : "v"(0x89abcdefu));
	EQ(d, 0x11ab3344);
	__asm__ volatile("v_mov_b32_sdwa %0, %1 dst_sel:BYTE_1 dst_unused:UNUSED_PAD src0_sel:BYTE_3" : "+v"(d) : "v"(0x89abcdefu));
	EQ(d, 0x8900);
	__asm__ volatile("v_mov_b32_sdwa %0, %1 dst_sel:BYTE_1 dst_unused:UNUSED_SEXT src0_sel:BYTE_3" : "+v"(d) : "v"(0x89abcdefu));
	EQ(d, 0xffff8900);
	__asm__ volatile("v_mov_b32_sdwa %0, sext(%1) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1" : "+v"(d) : "v"(0x89abcdefu));
	EQ(d, 0xffff89ab);
	__asm__ volatile("v_add_f32_sdwa %0, -%1, |%2| dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:DWORD" : "+v"(d) : "v"(F(1)), "v"(F(-5)));
	EQ(d, F(4));
	__asm__ volatile("v_add_f16_sdwa %0, %1, %2 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_1 src1_sel:WORD_0" : "+v"(d) : "v"(0x40000000u), "v"(0x4400u));
	EQ(d, (0x4600u << 16) | (F(4) & 0xffff));
	__asm__ volatile("v_cmp_eq_u32_sdwa " VCC ", %1, %2 src0_sel:BYTE_1 src1_sel:BYTE_3\n\tv_mov_b32 %0, vcc_lo" : "=v"(r) : "v"(0x1200u), "v"(0x12ffffffu) : CLOBBER);
	EQ(r, ~0u);
#endif
	EQ((u32)__builtin_amdgcn_update_dpp(-1, v, 0x111, 0xf, 0xf, false), l % 16 ? v - 10 : -1u); // row_shr
	u32 f;
	__asm__ volatile("v_cvt_f32_u32 %0, %1\n\ts_nop 1" : "=v"(f) : "v"(l));
	__asm__ volatile("v_mov_b32 %0, 0\n\ts_nop 1\n\tv_add_f32_dpp %0, -%1, |%2| quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf\n\ts_nop 1" : "=&v"(r) : "v"(f), "v"(F(-100)));
	EQ(r, F(100.0f - (float)(l ^ 1))); // signs belong to DPP too
#if !defined(__GFX9__)
	EQ((u32)__builtin_amdgcn_update_dpp(-1, v, 0x153, 0xf, 0xf, false), (l & 16) * 10 + 30);            // row_share:3
	EQ((u32)__builtin_amdgcn_update_dpp(-1, v, 0x165, 0xf, 0xf, false), (l ^ 5) * 10);                  // row_xmask:5
	EQ((u32)__builtin_amdgcn_mov_dpp8(v, 0x688fac), ((l & ~7u) + (0x688fac >> l % 8 * 3 & 7)) * 10);
	EQ((u32)__builtin_amdgcn_permlane16(7, v, 0x76543210, 0xfedcba98, false, false), v);
	EQ((u32)__builtin_amdgcn_permlanex16(7, v, 0x76543210, 0xfedcba98, false, false), (l ^ 16) * 10);
	if (l & 1) { // with fi lanes that are off are read; with bound_ctrl they are 0
		__asm__ volatile("v_mov_b32 %0, 77\n\tv_mov_b32_dpp %0, %1 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf" : "=&v"(r) : "v"(v));
		EQ(r, 77);
		__asm__ volatile("v_mov_b32 %0, 77\n\tv_mov_b32_dpp %0, %1 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf fi:1" : "=&v"(r) : "v"(v));
		EQ(r, v - 10);
		__asm__ volatile("v_mov_b32 %0, 77\n\tv_mov_b32_dpp %0, %1 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf bound_ctrl:1" : "=&v"(r) : "v"(v));
		EQ(r, 0);
	}
#else
	EQ((u32)__builtin_amdgcn_update_dpp(-1, v, 0x130, 0xf, 0xf, false), l < 63 ? v + 10 : -1u); // wave_shl
	EQ((u32)__builtin_amdgcn_update_dpp(-1, v, 0x134, 0xf, 0xf, false), (l + 1) % 64 * 10);     // wave_rol
	EQ((u32)__builtin_amdgcn_update_dpp(-1, v, 0x138, 0xf, 0xf, false), l ? v - 10 : -1u);      // wave_shr
	EQ((u32)__builtin_amdgcn_update_dpp(-1, v, 0x13c, 0xf, 0xf, false), (l + 63) % 64 * 10);    // wave_ror
#endif
	if (l % 32 >= 4) { // lanes that are off read as 0
		EQ((u32)__builtin_amdgcn_ds_swizzle(v, 0x041f), (l ^ 1) % 32 >= 4 ? (l ^ 1) * 10 : 0);
		EQ((u32)__builtin_amdgcn_ds_bpermute(4 * (l & 3), v), 0);
	}
	EQ((u32)__builtin_amdgcn_ds_bpermute(4 * (l + wave), v), v); // modulo

#if defined(__GFX11__) || defined(__GFX12__)
	// hard place 13: lanes that DPP masks away are 0 in a compare
	__asm__ volatile("v_cmp_eq_u32_e64_dpp vcc_lo, %1, %1 quad_perm:[0,1,2,3] row_mask:0x1 bank_mask:0x3\n\tv_mov_b32 %0, vcc_lo" : "=v"(r) : "v"(l) : CLOBBER);
	EQ(r, 0xff);
	// hard place 19: both halves of VOPD read before either writes
	__asm__ volatile("v_mov_b32 v100, 3\n\tv_mov_b32 v101, 40\n\tv_mov_b32 v102, 500\n\t"
			 "v_dual_mov_b32 v100, v101 :: v_dual_add_nc_u32 v101, v100, v102\n\tv_mov_b32 %0, v100\n\tv_mov_b32 %1, v101"
			 : "=v"(r), "=v"(q)::CLOBBER);
	EQ(r, 40);
	EQ(q, 503);
	__asm__ volatile("v_mov_b32 v100, 9\n\tv_mov_b32 v101, 3\n\tv_mov_b32 v102, 40\n\ts_mov_b32 vcc_lo, 0x55555555\n\t"
			 "v_dual_cndmask_b32 v100, v101, v102 :: v_dual_mov_b32 v101, v100\n\tv_mov_b32 %0, v100\n\tv_mov_b32 %1, v101"
			 : "=v"(r), "=v"(q)::CLOBBER);
	EQ(r, l & 1 ? 3 : 40);
	EQ(q, 9);
#endif
#if !defined(__GFX9__)
	// hard place 20: beyond the registers v0 is read, and nothing is written
	__asm__ volatile("v_mov_b32 v100, 5\n\ts_mov_b32 m0, 0x1000\n\tv_movrels_b32 v101, v100\n\tv_mov_b32 v102, v0\n\tv_movreld_b32 v100, v101\n\t"
			 "v_sub_nc_u32 %0, v101, v102\n\tv_mov_b32 %1, v100" : "=v"(r), "=v"(q)::CLOBBER, "m0");
	EQ(r, 0);
	EQ(q, 5);
#endif
	// hard place 18: carries to and from pairs of their own
#if defined(__GFX9__)
#define ADDC "v_addc_co_u32"
#else
#define ADDC "v_add_co_ci_u32"
#endif
	__asm__ volatile(MOV S0 ", 0x6\n\t" MOV VCC ", -1\n\t" ADDC " %0, " S1 ", %2, %3, " S0 "\n\tv_mov_b32 %1, s22" : "=&v"(r), "=&v"(q) : "v"(~0u - (l == 1)), "v"(0u) : CLOBBER);
	EQ(r, l == 1 ? ~0u : l == 2 ? 0 : ~0u);
	EQ(q, 4);
	u64 w;
	__asm__ volatile("v_mad_u64_u32 %0, " S1 ", %2, %3, %4\n\tv_mov_b32 %1, s22" : "=&v"(w), "=&v"(q) : "v"(~0u), "v"(~0u), "v"(l == 3 ? ~0ull : 5ull) : CLOBBER);
	EQ64(w, 0xfffffffe00000001ull + (l == 3 ? ~0ull : 5ull));
	EQ(q, 8);
	__asm__ volatile("v_mad_i64_i32 %0, " S1 ", %2, %3, %4" : "=&v"(w), "=&v"(q) : "v"(-3), "v"(5), "v"(7ull) : CLOBBER);
	EQ64(w, -8ull);
	EQ(V("v_mul_hi_i32 %0, %1, %2", 0x80000000u, 2u), ~0u);
	EQ(V("v_mul_hi_u32 %0, %1, %2", 0x80000000u, 2u), 1);
	EQ(V("v_alignbyte_b32 %0, %1, %2, %3", 0x01020304u, 0x05060708u, 7u), 0x02030405); // two bits count
	EQ(V("v_bcnt_u32_b32 %0, %1, %2", 0xf0f0u, 100u), 108);
	EQ(V("v_sad_u32 %0, %1, %2, %3", 1u, 0xffffffffu, 0u), 0xfffffffe);
}

KERNEL
scalars(u32 *o)
{
	// hard place 17: SCC
	u32 big = __builtin_amdgcn_readfirstlane(0x7fffffff), one = __builtin_amdgcn_readfirstlane(1), all = __builtin_amdgcn_readfirstlane(-1);
	u32 low = __builtin_amdgcn_readfirstlane(0x80000000), five = __builtin_amdgcn_readfirstlane(5), zero = __builtin_amdgcn_readfirstlane(0);
#if defined(__GFX12__)
#define ADDI "s_add_co_i32"
#define SUBI "s_sub_co_i32"
#define ADDU "s_add_co_u32"
#define SUBU "s_sub_co_u32"
#else
#define ADDI "s_add_i32"
#define SUBI "s_sub_i32"
#define ADDU "s_add_u32"
#define SUBU "s_sub_u32"
#endif
#define R(v, scc) ((u64)(u32)(v) | (u64)(scc) << 32)
	EQ64(S3(ADDI " %0, %2, %3", big, one), R(low, 1));
	EQ64(S3(ADDI " %0, %2, %3", all, one), R(0, 0));
	EQ64(S3(ADDU " %0, %2, %3", all, one), R(0, 1));
	EQ64(S3(SUBI " %0, %2, %3", low, one), R(big, 1));
	EQ64(S3(SUBU " %0, %2, %3", zero, one), R(all, 1));
	EQ64(S3("s_max_i32 %0, %2, %3", five, five), R(5, 1)); // >=, as the manual has it
	EQ64(S3("s_min_i32 %0, %2, %3", five, five), R(5, 0));
	EQ64(S3("s_bfe_u32 %0, %2, %3", all, 0x00040008), R(15, 1));
	EQ64(S3("s_bfe_i32 %0, %2, %3", all, 0x00040008), R(all, 1));
	EQ64(S3("s_bfe_u32 %0, %2, %3", all, 0x00000008), R(0, 0));
	EQ64(S3("s_lshl_b32 %0, %2, %3", low, one), R(0, 0));
	EQ64(S3("s_lshr_b32 %0, %2, %3", low, 33), R(0x40000000, 1)); // five bits count
	EQ64(S3("s_absdiff_i32 %0, %2, %3", five, five), R(0, 0));
	EQ64(S2("s_abs_i32 %0, %2", low), R(low, 1));
	EQ64(S2("s_not_b32 %0, %2", all), R(0, 0));
	EQ64(S2("s_bcnt1_i32_b32 %0, %2", zero), R(0, 0));
	EQ64(S2("s_bcnt0_i32_b32 %0, %2", all), R(0, 0));
	EQ64(S2("s_wqm_b32 %0, %2", 0x00100200u), R(0x00f00f00, 1));
	EQ64(S3("s_mul_hi_u32 %0, %2, %3\n\ts_cmp_lg_u32 %2, %2", all, all), R(0xfffffffe, 0));
	EQ64(S3("s_mul_hi_i32 %0, %2, %3\n\ts_cmp_lg_u32 %2, %2", all, 7), R(all, 0));
	EQ64(S3("s_bitcmp1_b32 %2, %3\n\ts_mov_b32 %0, 9", low, 63), R(9, 1));
	u64 r, a = 0x8000000000000000ull;
	u32 c;
	__asm__ volatile("s_cmp_eq_u64 %1, %1\n\ts_cselect_b32 %0, 1, 0" : "=s"(c) : "s"(a) : "scc");
	EQ(c, 1);
	__asm__ volatile("s_ashr_i64 %0, %1, 60" : "=s"(r) : "s"(a) : "scc");
	EQ64(r, -8ull);
	// hard place 9: literals of 64-bit operands: signed ones extend their sign, others do not
	__asm__ volatile("s_and_b64 %0, %1, 0xfffffff0" : "=s"(r) : "s"(~0ull) : "scc");
	EQ64(r, 0xfffffff0ull);
	__asm__ volatile("s_ashr_i64 %0, 0x80000000, %1" : "=s"(r) : "s"(4u) : "scc");
	EQ64(r, 0xfffffffff8000000ull);
	__asm__ volatile("s_mov_b64 %0, -5" : "=s"(r));
	EQ64(r, -5ull);
	__asm__ volatile("s_mov_b64 %0, 1.0" : "=s"(r));
	EQ64(r, 0x3ff0000000000000ull);
	// the base of the generic address of LDS: only the upper half is not zero
	__asm__ volatile("s_mov_b64 %0, src_shared_base" : "=s"(r));
	EQ((u32)r, 0);
	EQ((u32)(r >> 32) != 0, 1);
	// registers chosen by M0
	__asm__ volatile("s_mov_b32 s40, 11\n\ts_mov_b32 s41, 22\n\ts_mov_b32 s42, 33\n\ts_mov_b32 s43, 44\n\ts_mov_b32 m0, 2\n\ts_nop 4\n\t"
			 "s_movreld_b32 s40, 99\n\ts_movrels_b32 %0, s41" : "=s"(c)::"s40", "s41", "s42", "s43", "m0");
	EQ(c, 44);
	__asm__ volatile("s_mov_b32 s40, 11\n\ts_mov_b32 s42, 33\n\ts_mov_b32 s43, 44\n\ts_mov_b32 m0, 2\n\ts_nop 4\n\t"
			 "s_movreld_b64 s[40:41], s[42:43]\n\ts_movrels_b64 %0, s[40:41]" : "=s"(r)::"s40", "s41", "s42", "s43", "m0");
	EQ64(r, 33 | 44ull << 32);
	// hard place 33: clocks go forward, and reading state does not end a wave
#if defined(__GFX9__) || defined(__GFX10__)
	u64 t0 = __builtin_readcyclecounter(), t1;
	__asm__ volatile("s_sleep 1\n\ts_memtime %0\n\ts_waitcnt lgkmcnt(0)" : "=s"(t1));
	EQ(t1 >= t0, 1);
	__asm__ volatile("s_memrealtime %0\n\ts_waitcnt lgkmcnt(0)" : "=s"(t1));
#else
	u64 t1;
	__asm__ volatile("s_sendmsg_rtn_b64 %0, sendmsg(MSG_RTN_GET_REALTIME)\n\t" KWAIT : "=s"(t1));
	u32 cycles;
	__asm__ volatile("s_getreg_b32 %0, hwreg(29)" : "=s"(cycles));
	EQ(cycles != 0, 1);
#endif
	EQ(t1 != 0, 1);
	__asm__ volatile("s_getreg_b32 %0, hwreg(HW_REG_MODE, 4, 4)" : "=s"(c));
	EQ(c, 15);
#if defined(__GFX9__)
	__asm__ volatile("s_getreg_b32 %0, hwreg(HW_REG_HW_ID, 4, 2)" : "=s"(c));
	EQ(c, 0); // one wave of 64: the first SIMD
#else
	__asm__ volatile("s_getreg_b32 %0, hwreg(23, 8, 2)" : "=s"(c)); // HW_ID1
	EQ(c, tid / 32);
#endif
#if !defined(__GFX12__)
	u32 no;
	__asm__ volatile("s_cmp_eq_u32 0, 0\n\ts_getreg_b32 %0, hwreg(HW_REG_STATUS, 0, 1)\n\ts_cmp_eq_u32 0, 1\n\ts_getreg_b32 %1, hwreg(HW_REG_STATUS, 0, 1)"
			 : "=s"(c), "=s"(no)::"scc");
	EQ(c, 1);
	EQ(no, 0);
#endif
	__asm__ volatile("s_icache_inv\n\ts_nop 0\n\ts_trap 3");
#if !defined(__GFX9__)
	__asm__ volatile("s_clause 0x0\n\ts_round_mode 0x0\n\ts_denorm_mode 0xf");
#endif
}

#if defined(__GFX12__)
KERNEL
scalar_floats(u32 *o)
{
	u32 a = __builtin_amdgcn_readfirstlane(F(1.5)), b = __builtin_amdgcn_readfirstlane(F(-2.25)), r, c, nan = __builtin_amdgcn_readfirstlane(QNAN);
#define SF(text, ...) ({ u32 r_; __asm__ volatile(text : "=s"(r_) : __VA_ARGS__ : "scc"); r_; })
	EQ(SF("s_add_f32 %0, %1, %2", "s"(a), "s"(b)), F(-0.75));
	EQ(SF("s_mul_f32 %0, %1, %2", "s"(a), "s"(b)), F(-3.375));
	EQ(SF("s_min_num_f32 %0, %1, %2", "s"(a), "s"(nan)), F(1.5));
	EQ(SF("s_minimum_f32 %0, %1, %2", "s"(a), "s"(nan)), QNAN);
	EQ(SF("s_floor_f32 %0, %1", "s"(b)), F(-3));
	EQ(SF("s_cvt_i32_f32 %0, %1", "s"(b)), -2u);
	EQ(SF("s_cvt_f32_u32 %0, %1", "s"(~0u)), F(4294967296.0));
	EQ(SF("s_cvt_hi_f32_f16 %0, %1", "s"(0x4000ffffu)), F(2));
	EQ(SF("s_cvt_pk_rtz_f16_f32 %0, %1, %2", "s"(a), "s"(b)), 0xc0803e00);
	r = a;
	__asm__ volatile("s_fmac_f32 %0, %1, %2" : "+s"(r) : "s"(b), "s"(b));
	EQ(r, F(6.5625));
	EQ(SF("s_fmamk_f32 %0, %1, 0x40000000, %2", "s"(a), "s"(b)), F(0.75));
	__asm__ volatile("s_cmp_lt_f32 %1, %2\n\ts_cselect_b32 %0, 1, 0" : "=s"(c) : "s"(b), "s"(a) : "scc");
	EQ(c, 1);
	__asm__ volatile("s_cmp_nlt_f32 %1, %2\n\ts_cselect_b32 %0, 1, 0" : "=s"(c) : "s"(nan), "s"(a) : "scc");
	EQ(c, 1);
	EQ(SF("v_s_sqrt_f32 %0, %1", "s"(__builtin_amdgcn_readfirstlane(F(9)))), F(3));
	EQ(SF("v_s_rcp_f32 %0, -%1", "s"(__builtin_amdgcn_readfirstlane(F(4)))), F(-0.25));
	EQ(SF("s_add_f16 %0, %1, %2", "s"(0x3c00), "s"(0x4000)) & 0xffff, 0x4200);
}
#endif
