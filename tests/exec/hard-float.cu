// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx90a -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O1 -I%S/Inputs %s -o %t.gfx90a
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx1030 -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O1 -I%S/Inputs %s -o %t.gfx1030
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx1100 -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O1 -I%S/Inputs %s -o %t.gfx1100
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx1201 -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O1 -I%S/Inputs %s -o %t.gfx1201
// RUN: %gcnrun --block=64 %t.gfx90a floats out:5 | FileCheck %s
// RUN: %gcnrun --block=64 %t.gfx1030 floats out:5 | FileCheck %s
// RUN: %gcnrun --block=64 %t.gfx1100 floats out:5 | FileCheck %s
// RUN: %gcnrun --block=64 %t.gfx1201 floats out:5 | FileCheck %s
// RUN: %gcnrun --block=64 %t.gfx90a nan_modes out:5 | FileCheck %s
// RUN: %gcnrun --block=64 %t.gfx1100 nan_modes out:5 | FileCheck %s
// Floats where others went wrong: hard places 2, 5, 7 to 11 of Inputs/hard.txt.
// CHECK: arg0[0]: 00000000 00000000 00000000 00000000
#include "hard.h"
#if defined(__GFX12__)
#define MIN "v_min_num_f32"
#define MAX "v_max_num_f32"
#define MIN64 "v_min_num_f64"
#define MED "v_med3_num_f32"
#define SIGNALS(x, other) (other) // the number wins
#else
#define MIN "v_min_f32"
#define MAX "v_max_f32"
#define MIN64 "v_min_f64"
#define MED "v_med3_f32"
#define SIGNALS(x, other) ((x) | 0x400000) // made quiet, it wins
#endif
#define MODE(at, bits, v) __asm__ volatile("s_setreg_imm32_b32 hwreg(HW_REG_MODE, " #at ", " #bits "), " #v)

KERNEL
floats(u32 *o)
{
	u32 zero = 0, minus = 0x80000000, one = F(1), inf = 0x7f800000, snan = SNAN, qnan = QNAN;
	__asm__ volatile("" : "+v"(zero), "+v"(minus), "+v"(one), "+v"(inf), "+v"(snan), "+v"(qnan));

	// hard place 7: minimum and maximum
	EQ(V(MIN " %0, %1, %2", zero, minus), minus);
	EQ(V(MIN " %0, %1, %2", minus, zero), minus);
	EQ(V(MAX " %0, %1, %2", minus, zero), zero);
	EQ(V(MAX " %0, %1, %2", zero, minus), zero);
	EQ(V(MIN " %0, %1, %2", qnan, one), one);
	EQ(V(MAX " %0, %1, %2", one, qnan), one);
	EQ(V(MIN " %0, %1, %2", qnan, qnan + 1), qnan);
	EQ(V(MIN " %0, %1, %2", snan, one), SIGNALS(snan, one));
	EQ(V(MAX " %0, %1, %2", one, snan), SIGNALS(snan, one));
	EQ64(VV(MIN64 " %0, %1, %2", DD(0.0), DD(-0.0)), DD(-0.0));
	EQ(V(MED " %0, %1, %2, %3", F(3), F(1), F(2)), F(2));
	EQ(V(MED " %0, %1, %2, %3", F(3), qnan, F(2)), F(2));
	EQ(V(MED " %0, %1, %2, %3", minus, one, inf), one);
#if defined(__GFX12__)
	EQ(V("v_minimum_f32 %0, %1, %2", one, qnan), qnan);
	EQ(V("v_minimum_f32 %0, %1, %2", qnan, snan), snan | 0x400000);
	EQ(V("v_maximum_f32 %0, %1, %2", snan, qnan), snan | 0x400000);
	EQ(V("v_maximum_f32 %0, %1, %2", minus, zero), zero);
	EQ(V("v_minimum3_f32 %0, %1, %2, %3", one, F(-5), minus), F(-5));
	EQ(V("v_maximumminimum_f32 %0, %1, %2, %3", one, F(-5), F(0.5)), F(0.5));
#endif

	// hard place 11: rounding and conversions
	EQ(V("v_rndne_f32 %0, %1", F(2.5)), F(2));
	EQ(V("v_rndne_f32 %0, %1", F(3.5)), F(4));
	EQ(V("v_rndne_f32 %0, %1", F(-0.5)), minus);
	EQ64(VV("v_rndne_f64 %0, %1", DD(4503599627370497.5)), DD(4503599627370498.0));
	EQ(V("v_cvt_i32_f32 %0, %1", F(3e9)), 0x7fffffff);
	EQ(V("v_cvt_i32_f32 %0, %1", F(-3e9)), 0x80000000);
	EQ(V("v_cvt_i32_f32 %0, %1", qnan), 0);
	EQ(V("v_cvt_i32_f32 %0, %1", F(-1.75)), -1u);
	EQ(V("v_cvt_u32_f32 %0, %1", F(-1.75)), 0);
	EQ(V("v_cvt_u32_f32 %0, %1", inf), ~0u);
	EQ(V("v_cvt_i32_f64 %0, %1", DD(-2147483648.5)), 0x80000000);
	EQ(V("v_cvt_u32_f64 %0, %1", DD(4294967295.9)), ~0u);
	EQ(V("v_cvt_f32_u32 %0, %1", 0xffffffffu), F(4294967296.0));
	EQ(V("v_cvt_off_f32_i4 %0, %1", 0xfu), F(-0.0625));
	EQ(V("v_fract_f32 %0, %1", F(-1e-10)), F(0x1.fffffep-1));
	EQ(V("v_frexp_exp_i32_f32 %0, %1", 1u), -148u);
	EQ(V("v_frexp_mant_f32 %0, %1", F(-12)), F(-0.75));
	EQ(V("v_ldexp_f32 %0, %1, %2", F(1.5), -149u), 2);
	// the other half of a 16-bit result: cleared on gfx9, kept from gfx10 on
	u32 half = 0xabcd1234;
#if !defined(__GFX12__) && !defined(__GFX11__)
	__asm__ volatile("v_cvt_f16_f32 %0, %1" : "+v"(half) : "v"(F(1.5)));
#if defined(__GFX9__)
	EQ(half, 0x00003e00);
#else
	EQ(half, 0xabcd3e00);
#endif
#endif

	// hard place 9: inline constants by the operand's type
	EQ(V("v_and_b32 %0, 1.0, %1", ~0u), 0x3f800000);
	EQ(V("v_add_f32 %0, 0.15915494, %1", 0u), 0x3e22f983);
	EQ64(VV("v_add_f64 %0, 0.15915494309189532, %1", DD(0)), 0x3fc45f306dc9c882);
	EQ64(VV("v_add_f64 %0, 1.0, %1", DD(2)), DD(3));
	EQ64(VV("v_lshlrev_b64 %0, 4, %1", ~0ull), ~15ull);
	EQ(V("v_pk_add_u16 %0, %1, 1 op_sel_hi:[1,0]", 0x00050009u), 0x0006000a);
	EQ(V("v_pk_add_f16 %0, %1, 1.0 op_sel_hi:[1,0]", 0x3c004000u), 0x40004200);
	EQ(V("v_pk_mul_f16 %0, %1, 2.0", 0x3c004000u) & 0xffff, 0x4400);
#if !defined(__GFX11__) && !defined(__GFX12__)
	EQ(V("v_add_f16 %0, 1.0, %1", 0x4000u) & 0xffff, 0x4200);
#if defined(__GFX9__)
	EQ(V("v_add_u16 %0, -1, %1", 5u) & 0xffff, 4);
#else
	EQ(V("v_add_nc_u16 %0, -1, %1", 5u) & 0xffff, 4);
	EQ64(VV("v_add_f64 %0, 0x40100000, %1", DD(1)), DD(5)); // a literal is the upper half
#endif
#endif

	// hard place 10: signs of halves, and mixes
	EQ(V("v_pk_add_f16 %0, %1, %2 neg_lo:[1,0] neg_hi:[0,1]", 0x3c003c00u, 0x40004000u), 0xbc003c00);
	EQ(V("v_pk_add_f16 %0, %1, %2 op_sel:[1,0] op_sel_hi:[0,1]", 0x3c000000u, 0x40004400u), 0x40004500);
	EQ(V("v_pk_fma_f16 %0, %1, %2, %3 neg_lo:[0,0,1]", 0x40003c00u, 0x42004000u, 0x3c003c00u), 0x47003c00);
	EQ(V("v_fma_mix_f32 %0, %1, %2, %3 op_sel_hi:[1,0,0]", 0xc2004000u, F(3), F(1)), F(7));
	EQ(V("v_fma_mix_f32 %0, %1, %2, %3 op_sel:[1,0,0] op_sel_hi:[1,0,0]", 0xc2004000u, F(3), F(1)), F(-8));
	EQ(V("v_fma_mix_f32 %0, -|%1|, %2, %3 op_sel:[1,0,0] op_sel_hi:[1,0,0]", 0xc2004000u, F(3), F(1)), F(-8));
	EQ(V("v_fma_mix_f32 %0, |%1|, %2, -%3 op_sel:[1,0,0] op_sel_hi:[1,0,0]", 0xc2004000u, F(3), F(1)), F(8));
	u32 mix = 0x11112222;
	__asm__ volatile("v_fma_mixhi_f16 %0, %1, %2, %3" : "+v"(mix) : "v"(F(2)), "v"(F(3)), "v"(F(1)));
	EQ(mix, 0x47002222);
	EQ(V("v_add_f32 %0, -|%1|, |%2|", F(5), F(-7)), F(2));
	EQ64(VV("v_add_f64 %0, -%1, |%2|", DD(5), DD(-7)), DD(2));

	// hard place 8: clamp and output scale
	EQ(V("v_add_f32 %0, %1, %2 clamp", F(0.75), F(0.75)), F(1));
	EQ(V("v_add_f32 %0, %1, %2 clamp", F(-3), F(1)), 0);
	EQ(V("v_mul_f32 %0, %1, %2 clamp", qnan, one), 0);
	EQ(V("v_mul_f32 %0, %1, %2 clamp", minus, one), 0);
	EQ64(VV("v_add_f64 %0, %1, %2 clamp", DD(0.75), DD(0.75)), DD(1));
	EQ(V("v_pk_add_f16 %0, %1, %2 clamp", 0x3c00bc00u, 0x3c003800u), 0x3c000000);
	EQ(V("v_fma_mix_f32 %0, %1, %2, %3 clamp", F(2), F(3), F(1)), F(1));
	EQ(V("v_pk_add_u16 %0, %1, %2 clamp", 0xfff00001u, 0x00200001u), 0xffff0002);
	EQ(V("v_pk_sub_i16 %0, %1, %2 clamp", 0x80000001u, 0x00010002u), 0x8000ffff);
	EQ(V("v_mad_u32_u24 %0, %1, %2, %3 clamp", 0xffffffu, 0xffffffu, 5u), ~0u);
#if defined(__GFX9__)
	EQ(V("v_add_u32 %0, %1, %2 clamp", 0xffffff00u, 0x200u), ~0u);
	EQ(V("v_sub_u32 %0, %1, %2 clamp", 5u, 6u), 0);
#else
	EQ(V("v_add_nc_u32 %0, %1, %2 clamp", 0xffffff00u, 0x200u), ~0u);
	EQ(V("v_sub_nc_i32 %0, %1, %2 clamp", 0x80000000u, 1u), 0x80000000);
#endif
	EQ(V("v_add_f32 %0, %1, %2 mul:4", F(1), F(2)), F(3)); // denormals are on: no scale
#if !defined(__GFX11__) && !defined(__GFX12__)
	MODE(4, 2, 0);
	u32 scaled = V("v_add_f32 %0, %1, %2 mul:4", F(1), F(2)), halved = V("v_mul_f32 %0, %1, %2 div:2", F(3), F(2));
	u32 both = V("v_add_f32 %0, %1, %2 clamp mul:2", F(0.3), F(0.3));
	MODE(4, 2, 3);
	EQ(scaled, F(12));
	EQ(halved, F(3));
	EQ(both, F(1));
#endif

	// hard place 5: denormals of f32 apart from those of f64 and f16; operations with rules of their own
	u32 tiny = 0x00400000, small16 = 0x00000200;
	EQ(V("v_mul_f32 %0, %1, %2", tiny, F(2)), 0x00800000);
	EQ(V("v_pk_mul_f16 %0, %1, %2", small16, 0x4000u) & 0xffff, 0x400);
	MODE(4, 2, 0);
	u32 flushed = V("v_mul_f32 %0, %1, %2", tiny, F(2)), kept16 = V("v_pk_mul_f16 %0, %1, %2", small16, 0x4000u);
	u64 kept64 = VV("v_mul_f64 %0, %1, %2", 0x0008000000000000ull, DD(2));
	u32 moved = V("v_mov_b32 %0, %1", tiny), widened = V("v_cvt_f32_f16 %0, %1", small16);
	MODE(4, 4, 0x3);
	u32 keeps = V("v_mul_f32 %0, %1, %2", tiny, F(2)), flushed16 = V("v_pk_mul_f16 %0, %1, %2", small16, 0x4000u);
	u64 flushed64 = VV("v_mul_f64 %0, %1, %2", 0x0008000000000000ull, DD(2));
	MODE(4, 4, 0xf);
	EQ(flushed, 0);
	EQ(kept16 & 0xffff, 0x400);
	EQ64(kept64, 0x0010000000000000ull);
	EQ(moved, tiny);
	EQ(widened, F(0x1p-15));
	EQ(keeps, 0x00800000);
	EQ(flushed16 & 0xffff, 0);
	EQ64(flushed64, 0);
#if defined(__GFX9__) || defined(__GFX10__)
	EQ(V("v_mul_legacy_f32 %0, %1, %2", zero, inf), 0);
	EQ(V("v_mul_legacy_f32 %0, %1, %2", qnan, minus), 0);
#else
	EQ(V("v_mul_dx9_zero_f32 %0, %1, %2", zero, inf), 0);
	EQ(V("v_mul_dx9_zero_f32 %0, %1, %2", qnan, minus), 0);
#endif
	EQ(V("v_mul_f32 %0, %1, %2", zero, inf), 0x7fc00000); // AMD's own NaN is positive
	EQ(V("v_sub_f32 %0, %1, %2", inf, inf), 0x7fc00000);
	EQ(V("v_add_f32 %0, %1, %2", snan, one), snan | 0x400000);
	EQ(V("v_fma_f32 %0, %1, %2, %3", one, qnan, snan) & 0x7fc00000, 0x7fc00000);
	EQ(V("v_sqrt_f32 %0, %1", F(-1)), 0x7fc00000);
	EQ(V("v_rcp_f32 %0, %1", minus), 0xff800000);
	EQ(V("v_log_f32 %0, %1", zero), 0xff800000);
	EQ(V("v_exp_f32 %0, %1", F(-200)), 0);

#if defined(__GFX11__)
	// hard place 2: halves of registers; `.h` and op_sel are one bit
	u32 r;
	__asm__ volatile("v_mov_b32 v100, %1\n\tv_mov_b32 v101, %2\n\tv_mov_b32 v102, %3\n\t"
			 "v_add_f16_e64 v100.h, v101.h, v102.l\n\tv_mov_b32 %0, v100"
			 : "=v"(r) : "v"(0x11112222u), "v"(0x40003c00u), "v"(0x44003800u) : "v100", "v101", "v102");
	EQ(r, 0x41002222);
	__asm__ volatile("v_mov_b32 v100, %1\n\tv_mov_b32 v101, %2\n\tv_mov_b32 v102, %3\n\t"
			 "v_add_f16_e32 v100.l, v101.h, v102.h\n\tv_mov_b32 %0, v100"
			 : "=v"(r) : "v"(0x11112222u), "v"(0x40003c00u), "v"(0x44003800u) : "v100", "v101", "v102");
	EQ(r, 0x11114600);
#endif
}

#if !defined(__GFX12__)
// hard place 7, 8: the bits of MODE that say what NaN does
KERNEL
nan_modes(u32 *o)
{
	u32 snan = SNAN, one = F(1), minus = F(-1), nan = QNAN;
	MODE(9, 1, 0); // no IEEE: a signalling NaN is like any other
	u32 a = V("v_min_f32 %0, %1, %2", snan, one), b = V("v_max_f32 %0, %1, %2", one, snan);
	u32 c = V("v_max_f32 %0, -%1, %2", snan, one);
	u32 d = V("v_pk_min_f16 %0, %1, %2", 0x7c013c00u, 0x40007c01u);
	MODE(9, 1, 1);
	EQ(a, one);
	EQ(b, one);
	EQ(c, one);
	EQ(d, 0x40003c00);
	EQ(V("v_min_f32 %0, %1, %2", snan, one), snan | 0x400000);
	MODE(8, 1, 0); // no DX10_CLAMP: NaN is not clamped
	a = V("v_mul_f32 %0, %1, %2 clamp", nan, one), b = V("v_mul_f32 %0, %1, %2 clamp", minus, one);
	MODE(8, 1, 1);
	EQ(a, nan);
	EQ(b, 0);
	EQ(V("v_mul_f32 %0, %1, %2 clamp", nan, one), 0);
}
#endif
