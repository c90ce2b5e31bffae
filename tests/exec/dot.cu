// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx906 -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O1 -I%S/Inputs %s -o %t.gfx906
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx950 -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O1 -I%S/Inputs %s -o %t.gfx950
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx1010 -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O1 -I%S/Inputs %s -o %t.gfx1010
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx1100 -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O1 -I%S/Inputs %s -o %t.gfx1100
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx1200 -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O1 -I%S/Inputs %s -o %t.gfx1200
// RUN: %gcnrun --block=32 %t.gfx906 dots out:5 | FileCheck %s
// RUN: %gcnrun --block=32 %t.gfx950 dots out:5 | FileCheck %s
// RUN: %gcnrun --block=32 %t.gfx1010 dots out:5 | FileCheck %s
// RUN: %gcnrun --block=32 %t.gfx1100 dots out:5 | FileCheck %s
// RUN: %gcnrun --block=32 %t.gfx1200 dots out:5 | FileCheck %s
// Dot products of all widths, and other rows that only builtins and assembly reach.
// CHECK: arg0[0]: 00000000 00000000 00000000 00000000
#include "hard.h"
typedef _Float16 h2 __attribute__((ext_vector_type(2)));
typedef short s2 __attribute__((ext_vector_type(2)));
typedef unsigned short us2 __attribute__((ext_vector_type(2)));
typedef __bf16 b2 __attribute__((ext_vector_type(2)));
#define H2(v) __builtin_bit_cast(h2, v)
#define S2V(v) __builtin_bit_cast(s2, v)

KERNEL
dots(u32 *o)
{
	u32 l = tid, a = 0x80017f02u + l, b = 0xff037f81u - l;
	__asm__ volatile("" : "+v"(a), "+v"(b));
	int c = 1000 - (int)l, want4 = c, want8 = c, wantu4 = c, wantsu4 = c;
	for (int i = 0; i < 4; i++) {
		want4 += (signed char)(a >> 8 * i) * (signed char)(b >> 8 * i);
		wantu4 += (a >> 8 * i & 255) * (b >> 8 * i & 255);
		wantsu4 += (signed char)(a >> 8 * i) * (int)(b >> 8 * i & 255);
	}
	for (int i = 0; i < 8; i++)
		want8 += ((int)(a << (28 - 4 * i)) >> 28) * ((int)(b << (28 - 4 * i)) >> 28);
	(void)want4, (void)want8, (void)wantu4, (void)wantsu4;
#if defined(__gfx906__) || defined(__gfx950__)
	EQ(__builtin_amdgcn_sdot4(a, b, c, false), want4);
	EQ(__builtin_amdgcn_udot4(a, b, c, false), wantu4);
	EQ(__builtin_amdgcn_sdot8(a, b, c, false), want8);
	EQ(__builtin_amdgcn_sdot2(S2V(a), S2V(b), c, false), (u32)((short)a * (short)b) + (u32)((short)(a >> 16) * (short)(b >> 16)) + c);
	EQ(__builtin_amdgcn_udot2(__builtin_bit_cast(us2, a), __builtin_bit_cast(us2, b), c, false), (a & 0xffff) * (b & 0xffff) + (a >> 16) * (b >> 16) + c);
#endif
#if defined(__GFX11__) || defined(__GFX12__)
	EQ(__builtin_amdgcn_sudot4(true, a, true, b, c, false), want4);
	EQ(__builtin_amdgcn_sudot4(false, a, false, b, c, false), wantu4);
	EQ(__builtin_amdgcn_sudot4(true, a, false, b, c, false), wantsu4);
	EQ(__builtin_amdgcn_sudot4(false, b, true, a, c, false), wantsu4);
	EQ(__builtin_amdgcn_sudot8(true, a, true, b, c, false), want8);
	EQ(__builtin_bit_cast(u32, (h2){__builtin_amdgcn_fdot2_f16_f16(H2(0x40003c00u), H2(0x42004400u), (_Float16)0.5f), 0}), 0x4940); // 4 + 6 + 0.5
	EQ((unsigned short)__builtin_amdgcn_fdot2_bf16_bf16(S2V(0x40003f80u), S2V(0x40404080u), 0x3f00), 0x4128);
	EQ(F(__builtin_amdgcn_fdot2_f32_bf16(S2V(0x40003f80u), S2V(0x40404080u), 0.25f, false)), F(10.25));
#if defined(__GFX11__)
	u32 acc = F(0.5);
	__asm__ volatile("v_dot2acc_f32_f16 %0, %1, %2" : "+v"(acc) : "v"(0x40003c00u), "v"(0x42004400u));
	EQ(acc, F(10.5));
#endif
#endif
#if !defined(__gfx1010__)
	EQ(F(__builtin_amdgcn_fdot2(H2(0x40003c00u), H2(0x42004400u), 0.125f, false)), F(10.125));
	EQ(F(__builtin_amdgcn_fdot2(H2(0x40003c00u), H2(0xc2004400u), -3.0f, false)), F(-5));
	EQ(V("v_dot2_f32_f16 %0, %1, %2, %3 neg_lo:[1,0,0] neg_hi:[0,1,0]", 0x40003c00u, 0x42004400u, F(1)), F(-9));
#endif
#if !defined(__gfx1010__)
	EQ(V("v_dot2_f32_f16 %0, %1, %2, %3", 0u, 0u, 0x00000001u), 0); // denormals are zero
	EQ(V("v_dot2_f32_f16 %0, %1, %2, %3", 0x80000000u, 0x3c003c00u, 0x80000000u), 0); // no -0
#endif
#if defined(__gfx950__)
	b2 x = __builtin_bit_cast(b2, 0x40003f80u), y = __builtin_bit_cast(b2, 0x40404080u);
	u32 sum = F(1.5);
	__asm__ volatile("v_dot2c_f32_bf16 %0, %1, %2" : "+v"(sum) : "v"(x), "v"(y));
	EQ(sum, F(11.5));
	u32 pk = 0x3c004000;
	__asm__ volatile("v_pk_fmac_f16 %0, %1, %2" : "+v"(pk) : "v"(0x40003c00u), "v"(0x42004400u));
	EQ(pk, 0x47004600);
	EQ(V("v_ashr_pk_i8_i32 %0, %1, %2, %3", 0x7000u, -0x50u, 4u) & 0xffff, 0xfb7f);
	EQ(V("v_bitop3_b32 %0, %1, %2, %3 bitop3:0xe8", a, b, ~0u), a | b);
	EQ(V("v_cvt_pk_bf16_f32 %0, %1, %2", F(1.0), F(1.00390625)), 0x3f803f80); // a tie to even
#endif
#if defined(__GFX12__)
	// 1 and 2 in FP8, 1 and 0.5 in BF8
	EQ(F(__builtin_amdgcn_dot4_f32_fp8_fp8(0x38404038, 0x38383840, 0.5f)), F(2 + 2 + 2 + 1 + 0.5));
	EQ(F(__builtin_amdgcn_dot4_f32_fp8_bf8(0x38404038, 0x3c3c3c38, 0.5f)), F(0.5 + 2 + 2 + 1 + 0.5));
	EQ(F(__builtin_amdgcn_dot4_f32_bf8_bf8(0x3c3c3c3c, 0x3c3c3c38, 0.5f)), F(4));
	EQ(V("v_minimummaximum_f32 %0, %1, %2, %3", F(3), F(5), F(4)), F(4));
#endif
#if defined(__gfx1010__)
	u32 legacy = F(7);
	__asm__ volatile("v_mac_legacy_f32 %0, %1, %2" : "+v"(legacy) : "v"(0u), "v"(0x7f800000u));
	EQ(legacy, F(7));
	__asm__ volatile("v_mac_legacy_f32 %0, %1, %2" : "+v"(legacy) : "v"(F(2)), "v"(F(3)));
	EQ(legacy, F(13));
	EQ(V("v_mullit_f32 %0, %1, %2, %3", F(2), F(3), F(1)), F(6));
	EQ(V("v_mullit_f32 %0, %1, %2, %3", F(2), F(3), F(-1)), 0xff7fffff);
#endif
#if defined(__gfx906__)
	u32 byte = 0x11223344;
	__asm__ volatile("v_cvt_pkaccum_u8_f32 %0, %1, %2" : "+v"(byte) : "v"(F(200)), "v"(2));
	EQ(byte, 0x11c83344);
	EQ(V("v_msad_u8 %0, %1, %2, %3", 0x01020304u, 0x04000102u, 10u), 3 + 2 + 2 + 10);
	typedef u32 u4 __attribute__((ext_vector_type(4)));
	u4 sums = {1, 2, 3, 4}, r;
	u64 bytes = 0x0807060504030201ull;
	__asm__ volatile("v_mqsad_u32_u8 %0, %1, %2, %3" : "=&v"(r) : "v"(bytes), "v"(0x04000102u), "v"(sums));
	// windows 1234 2345 3456 4567 against 2 1 0 4, where 0 does not count
	EQ(r[0], 1 + 1 + 1 + 0);
	EQ(r[1], 2 + 0 + 2 + 1);
	EQ(r[2], 3 + 1 + 3 + 2);
	EQ(r[3], 4 + 2 + 4 + 3);
#endif
}
