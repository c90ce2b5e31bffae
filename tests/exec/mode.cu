// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx1100 -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O1 -I%S/Inputs %s -o %t.gfx1100
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx90a -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O1 -I%S/Inputs %s -o %t.gfx90a
// RUN: %gcnrun --block=1 %t.gfx1100 modes out:4x8 outq:4x4 out:4x4 | FileCheck %s
// RUN: %gcnrun --block=1 %t.gfx90a modes out:4x8 outq:4x4 out:4x4 | FileCheck %s
// RUN: env HEDDLE_EXEC_BUILD=v1 %gcnrun --block=1 %t.gfx90a modes out:4x8 outq:4x4 out:4x4 | FileCheck %s
// RUN: %gcnrun --block=1 %t.gfx1100 denormals out:2x10 | FileCheck %s --check-prefix=DENORM
// RUN: %gcnrun --block=1 %t.gfx90a denormals out:2x10 | FileCheck %s --check-prefix=DENORM
// RUN: env HEDDLE_EXEC_BUILD=v1 %gcnrun --block=1 %t.gfx90a denormals out:2x10 | FileCheck %s --check-prefix=DENORM
// The MODE register: rounding of f32 apart from f64 and f16, denormals of f32.
#include "kernel.h"
// not by the builtin: clang would move it past the operations
#define MODE(at, bits, v)     __asm__ volatile("s_setreg_imm32_b32 hwreg(HW_REG_MODE, %0, %1), %2" ::"i"(at), "i"(bits), "i"(v))
#define OP2(out, op, a, b)    __asm__ volatile(op " %0, %1, %2" : "=v"(out) : "v"(a), "v"(b))
#define OP1(out, op, a)       __asm__ volatile(op " %0, %1" : "=v"(out) : "v"(a))
#define OP3(out, op, a, b, c) __asm__ volatile(op " %0, %1, %2, %3" : "=v"(out) : "v"(a), "v"(b), "v"(c))

__attribute__((device, always_inline)) void
one(u32 *o, u64 *q, u32 *h)
{
	float one = 1.0f, tiny = 0x1p-30f, three = 3.0f, minus = -1.0f, r;
	double d1 = 1.0, dt = 0x1p-80, d3 = 3.0, dr;
	float r32[8];
	u64 r64[4];
	OP2(r32[0], "v_add_f32", one, tiny);
	OP2(r32[1], "v_sub_f32", minus, tiny);
	OP2(r32[2], "v_mul_f32", 0x1.000002p0f, 0x1.000002p0f);
	OP3(r32[3], "v_fma_f32", three, 0x1.000002p0f, tiny);
	OP1(r32[4], "v_rndne_f32", 2.5f);
	OP1(r32[5], "v_sqrt_f32", 2.0f);
	OP1(r, "v_cvt_f32_f64", d1 + dt * 0x1p50);
	r32[6] = r;
	OP1(r32[7], "v_cvt_f32_i32", 0x1000001);
	OP2(dr, "v_add_f64", d1, dt);
	r64[0] = __builtin_bit_cast(u64, dr);
	OP3(dr, "v_fma_f64", d3, d1, dt);
	r64[1] = __builtin_bit_cast(u64, dr);
	OP2(dr, "v_mul_f64", 1.1, 1.1);
	r64[2] = __builtin_bit_cast(u64, dr);
	OP1(dr, "v_rndne_f64", 3.5);
	r64[3] = __builtin_bit_cast(u64, dr);
	u32 c;
	_Float16 half;
	OP1(half, "v_cvt_f16_f32", 1.0f + 0x1p-12f);
	c = __builtin_bit_cast(unsigned short, half);
	h[0] = c;
	OP1(half, "v_cvt_f16_f32", -70000.0f);
	h[1] = __builtin_bit_cast(unsigned short, half);
	OP1(half, "v_cvt_f16_f32", 0x1p-25f);
	h[2] = __builtin_bit_cast(unsigned short, half);
	OP1(half, "v_cvt_f16_f32", 1.5f);
	h[3] = __builtin_bit_cast(unsigned short, half);
	for (int i = 0; i < 8; i++)
		o[i] = __builtin_bit_cast(u32, r32[i]);
	for (int i = 0; i < 4; i++)
		q[i] = r64[i];
}

KERNEL
modes(u32 *o, u64 *q, u32 *h)
{
	one(o, q, h); // nearest
	MODE(0, 4, 5); // up
	one(o + 8, q + 4, h + 4);
	MODE(0, 4, 10); // down
	one(o + 16, q + 8, h + 8);
	MODE(0, 4, 3); // f32 to zero, f64 and f16 to nearest
	one(o + 24, q + 12, h + 12);
	MODE(0, 4, 0);
}
// CHECK:      arg0[0]: 3f800000 bf800000 3f800002 40400002 40000000 3fb504f3 3f800000 4b800000
// CHECK-NEXT: arg0[1]: 3f800001 bf800000 3f800003 40400002 40000000 3fb504f4 3f800001 4b800001
// CHECK-NEXT: arg0[2]: 3f800000 bf800001 3f800002 40400001 40000000 3fb504f3 3f800000 4b800000
// CHECK-NEXT: arg0[3]: 3f800000 bf800000 3f800002 40400001 40000000 3fb504f3 3f800000 4b800000
// CHECK-NEXT: arg1[0]: 3ff0000000000000 4008000000000000 3ff35c28f5c28f5d 4010000000000000
// CHECK-NEXT: arg1[1]: 3ff0000000000001 4008000000000001 3ff35c28f5c28f5e 4010000000000000
// CHECK-NEXT: arg1[2]: 3ff0000000000000 4008000000000000 3ff35c28f5c28f5d 4010000000000000
// CHECK-NEXT: arg1[3]: 3ff0000000000000 4008000000000000 3ff35c28f5c28f5d 4010000000000000
// CHECK-NEXT: arg2[0]: 00003c00 0000fc00 00000000 00003e00
// CHECK-NEXT: arg2[1]: 00003c01 0000fbff 00000001 00003e00
// CHECK-NEXT: arg2[2]: 00003c00 0000fc00 00000000 00003e00
// CHECK-NEXT: arg2[3]: 00003c00 0000fc00 00000000 00003e00

__attribute__((device, always_inline)) void
small(u32 *o)
{
	float d = 0x1p-130f, n = -0x1p-140f, m = 0x1p-126f, r[10];
	OP2(r[0], "v_add_f32", d, d);
	OP2(r[1], "v_mul_f32", m, 0.5f);
	OP2(r[2], "v_mul_f32", n, 1.0f);
	OP3(r[3], "v_fma_f32", d, 1.0f, 1.0f);
	OP2(r[4], "v_max_f32", d, d);
	OP2(r[5], "v_min_f32", n, 0.0f);
	OP1(r[6], "v_rcp_f32", 0x1p127f);
	OP2(r[7], "v_ldexp_f32", m, -3);
	OP1(r[8], "v_mov_b32", d);
	OP1(r[9], "v_cvt_f32_f64", 0x1p-130);
	for (int i = 0; i < 10; i++)
		o[i] = __builtin_bit_cast(u32, r[i]);
}

KERNEL
denormals(u32 *o)
{
	small(o);
	MODE(4, 2, 0); // f32 denormals are zero, in and out
	small(o + 10);
	MODE(4, 2, 3);
}
// DENORM:      arg0[0]: 00100000 00400000 80000200 3f800000 00080000 80000200 00400000 00100000 00080000 00080000
// DENORM-NEXT: arg0[1]: 00000000 00000000 80000000 3f800000 00000000 80000000 00000000 00000000 00080000 00000000
