/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * fast.h - float intrinsics: the approximate functions, at least as exact as CUDA's documentation
 * promises, arithmetic with a named rounding, and conversions. Products and sums of the _rn forms
 * are never contracted to a fused operation.
 */
#ifndef HEDDLE_FAST_H
#define HEDDLE_FAST_H

#include "math.h"
#include "integer.h"

HEDDLE_FN float __saturatef(float x) HEDDLE_BODY(return x > 0.0f ? x < 1.0f ? x : 1.0f : 0.0f;)

/* Approximate functions. v_sin and v_cos take turns, and only few of them: drop the whole ones. */
HEDDLE_FN float __heddle_turns(float x)
HEDDLE_BODY(float t = x * 0.15915494309189535f; return t - __builtin_rintf(t);)
HEDDLE_FN float __sinf(float x) HEDDLE_BODY(return __builtin_amdgcn_sinf(__heddle_turns(x));)
HEDDLE_FN float __cosf(float x) HEDDLE_BODY(return __builtin_amdgcn_cosf(__heddle_turns(x));)
HEDDLE_FN void __sincosf(float x, float *s, float *c) HEDDLE_BODY(*s = __sinf(x); *c = __cosf(x);)
HEDDLE_FN float __tanf(float x) HEDDLE_BODY(return __sinf(x) * __builtin_amdgcn_rcpf(__cosf(x));)
HEDDLE_FN float __expf(float x) HEDDLE_BODY(return __builtin_exp2f(x * 1.4426950408889634f);)
HEDDLE_FN float __exp10f(float x) HEDDLE_BODY(return __builtin_exp2f(x * 3.3219280948873626f);)
HEDDLE_FN float __log2f(float x) HEDDLE_BODY(return __builtin_log2f(x);)
HEDDLE_FN float __logf(float x) HEDDLE_BODY(return __builtin_log2f(x) * 0.6931471805599453f;)
HEDDLE_FN float __log10f(float x) HEDDLE_BODY(return __builtin_log2f(x) * 0.30102999566398120f;)
HEDDLE_FN float __powf(float x, float y) HEDDLE_BODY(return __builtin_exp2f(y * __builtin_log2f(x));)
HEDDLE_FN float __fdividef(float x, float y) HEDDLE_BODY(return x * __builtin_amdgcn_rcpf(y);)

/* Round to nearest: the operation itself, kept apart from its neighbours */
#define HEDDLE_RN(name, type, parameters, expression) \
	HEDDLE_FN type name parameters HEDDLE_BODY(_Pragma("clang fp contract(off)") return expression;)
HEDDLE_RN(__fadd_rn, float, (float x, float y), x + y)
HEDDLE_RN(__fsub_rn, float, (float x, float y), x - y)
HEDDLE_RN(__fmul_rn, float, (float x, float y), x * y)
HEDDLE_RN(__fdiv_rn, float, (float x, float y), x / y)
HEDDLE_RN(__frcp_rn, float, (float x), 1.0f / x)
HEDDLE_RN(__fsqrt_rn, float, (float x), __builtin_sqrtf(x))
HEDDLE_RN(__fmaf_rn, float, (float x, float y, float z), __builtin_fmaf(x, y, z))
HEDDLE_RN(__frsqrt_rn, float, (float x), (float)(1.0 / __builtin_sqrt((double)x)))
HEDDLE_RN(__dadd_rn, double, (double x, double y), x + y)
HEDDLE_RN(__dsub_rn, double, (double x, double y), x - y)
HEDDLE_RN(__dmul_rn, double, (double x, double y), x * y)
HEDDLE_RN(__ddiv_rn, double, (double x, double y), x / y)
HEDDLE_RN(__drcp_rn, double, (double x), 1.0 / x)
HEDDLE_RN(__dsqrt_rn, double, (double x), __builtin_sqrt(x))
HEDDLE_RN(__fma_rn, double, (double x, double y, double z), __builtin_fma(x, y, z))
#undef HEDDLE_RN

/*
 * Floats to integers, by all four roundings: to nearest even, to zero, up, down. What does not fit
 * becomes the nearest that does; NaN becomes 0 from float to 32 bits, else the highest bit alone, as on
 * NVIDIA's GPUs. The instructions from float to 32 bits do so by themselves; the rest, and a constant,
 * which the compiler would fold to anything, are clamped first.
 */
#define HEDDLE_CLAMPED(name, integer, real, least, most, beyond, nan) \
	HEDDLE_FN integer name(real x) HEDDLE_BODY(                   \
		return x >= (real)beyond ? most : x < (real)least ? least : x == x ? (integer)x : nan;)
HEDDLE_CLAMPED(__heddle_to_int, int, float, (-0x7fffffff - 1), 0x7fffffff, 0x1p31, 0)
HEDDLE_CLAMPED(__heddle_to_int, int, double, (-0x7fffffff - 1), 0x7fffffff, 0x1p31, (-0x7fffffff - 1))
HEDDLE_CLAMPED(__heddle_to_uint, unsigned int, float, 0, 0xffffffffu, 0x1p32, 0)
HEDDLE_CLAMPED(__heddle_to_uint, unsigned int, double, 0, 0xffffffffu, 0x1p32, 0x80000000u)
HEDDLE_CLAMPED(__heddle_to_ll, long long, float, (-0x7fffffffffffffffll - 1), 0x7fffffffffffffffll, 0x1p63, (-0x7fffffffffffffffll - 1))
HEDDLE_CLAMPED(__heddle_to_ll, long long, double, (-0x7fffffffffffffffll - 1), 0x7fffffffffffffffll, 0x1p63, (-0x7fffffffffffffffll - 1))
HEDDLE_CLAMPED(__heddle_to_ull, unsigned long long, float, 0, 0xffffffffffffffffull, 0x1p64, 0x8000000000000000ull)
HEDDLE_CLAMPED(__heddle_to_ull, unsigned long long, double, 0, 0xffffffffffffffffull, 0x1p64, 0x8000000000000000ull)
#undef HEDDLE_CLAMPED
#define HEDDLE_FOLDED(integer, to, x) (__builtin_constant_p(x) ? to(x) : (integer)(x))
#define HEDDLE_ALWAYS(integer, to, x) to(x)
#define HEDDLE_CONVERT(prefix, integer, to, real, suffix, HOW)                                                    \
	HEDDLE_FN integer prefix##_rn(real x) HEDDLE_BODY(x = __builtin_rint##suffix(x); return HOW(integer, to, x);)  \
	HEDDLE_FN integer prefix##_rz(real x) HEDDLE_BODY(x = __builtin_trunc##suffix(x); return HOW(integer, to, x);) \
	HEDDLE_FN integer prefix##_ru(real x) HEDDLE_BODY(x = __builtin_ceil##suffix(x); return HOW(integer, to, x);)  \
	HEDDLE_FN integer prefix##_rd(real x) HEDDLE_BODY(x = __builtin_floor##suffix(x); return HOW(integer, to, x);)
HEDDLE_CONVERT(__float2int, int, __heddle_to_int, float, f, HEDDLE_FOLDED)
HEDDLE_CONVERT(__float2uint, unsigned int, __heddle_to_uint, float, f, HEDDLE_FOLDED)
HEDDLE_CONVERT(__float2ll, long long, __heddle_to_ll, float, f, HEDDLE_ALWAYS)
HEDDLE_CONVERT(__float2ull, unsigned long long, __heddle_to_ull, float, f, HEDDLE_ALWAYS)
HEDDLE_CONVERT(__double2int, int, __heddle_to_int, double, , HEDDLE_ALWAYS)
HEDDLE_CONVERT(__double2uint, unsigned int, __heddle_to_uint, double, , HEDDLE_ALWAYS)
HEDDLE_CONVERT(__double2ll, long long, __heddle_to_ll, double, , HEDDLE_ALWAYS)
HEDDLE_CONVERT(__double2ull, unsigned long long, __heddle_to_ull, double, , HEDDLE_ALWAYS)
#undef HEDDLE_CONVERT
#undef HEDDLE_FOLDED
#undef HEDDLE_ALWAYS

/* Integers to floats, to nearest */
#define HEDDLE_CONVERT(name, real, from) HEDDLE_FN real name(from x) HEDDLE_BODY(return (real)x;)
HEDDLE_CONVERT(__int2float_rn, float, int)
HEDDLE_CONVERT(__uint2float_rn, float, unsigned int)
HEDDLE_CONVERT(__ll2float_rn, float, long long)
HEDDLE_CONVERT(__ull2float_rn, float, unsigned long long)
HEDDLE_CONVERT(__int2double_rn, double, int)
HEDDLE_CONVERT(__uint2double_rn, double, unsigned int)
HEDDLE_CONVERT(__ll2double_rn, double, long long)
HEDDLE_CONVERT(__ull2double_rn, double, unsigned long long)
HEDDLE_CONVERT(__double2float_rn, float, double)
#undef HEDDLE_CONVERT

/* Rounding to zero, up and down: in software, in the device library */
extern "C" {
#define HEDDLE_DIRECTED(real, type)                                                       \
	__device__ real __heddle_add_##type(real x, real y, int mode);                    \
	__device__ real __heddle_mul_##type(real x, real y, int mode);                    \
	__device__ real __heddle_div_##type(real x, real y, int mode);                    \
	__device__ real __heddle_fma_##type(real x, real y, real z, int mode);            \
	__device__ real __heddle_sqrt_##type(real x, int mode);                           \
	__device__ real __heddle_i64_to_##type(long long n, int mode);                    \
	__device__ real __heddle_u64_to_##type(unsigned long long n, int mode);
HEDDLE_DIRECTED(float, f32)
HEDDLE_DIRECTED(double, f64)
#undef HEDDLE_DIRECTED
__device__ float __heddle_narrow(double x, int mode);
}
/* HEDDLE_DIRECTED(suffix of the names, mode as stdlib/device/round.cu numbers them) */
#define HEDDLE_DIRECTED(rounding, mode)                                                                                   \
	HEDDLE_FN float __fadd_##rounding(float x, float y) HEDDLE_BODY(return __heddle_add_f32(x, y, mode);)             \
	HEDDLE_FN float __fsub_##rounding(float x, float y) HEDDLE_BODY(return __heddle_add_f32(x, -y, mode);)            \
	HEDDLE_FN float __fmul_##rounding(float x, float y) HEDDLE_BODY(return __heddle_mul_f32(x, y, mode);)             \
	HEDDLE_FN float __fdiv_##rounding(float x, float y) HEDDLE_BODY(return __heddle_div_f32(x, y, mode);)             \
	HEDDLE_FN float __frcp_##rounding(float x) HEDDLE_BODY(return __heddle_div_f32(1.0f, x, mode);)                   \
	HEDDLE_FN float __fsqrt_##rounding(float x) HEDDLE_BODY(return __heddle_sqrt_f32(x, mode);)                       \
	HEDDLE_FN float __fmaf_##rounding(float x, float y, float z) HEDDLE_BODY(return __heddle_fma_f32(x, y, z, mode);) \
	HEDDLE_FN double __dadd_##rounding(double x, double y) HEDDLE_BODY(return __heddle_add_f64(x, y, mode);)          \
	HEDDLE_FN double __dsub_##rounding(double x, double y) HEDDLE_BODY(return __heddle_add_f64(x, -y, mode);)         \
	HEDDLE_FN double __dmul_##rounding(double x, double y) HEDDLE_BODY(return __heddle_mul_f64(x, y, mode);)          \
	HEDDLE_FN double __ddiv_##rounding(double x, double y) HEDDLE_BODY(return __heddle_div_f64(x, y, mode);)          \
	HEDDLE_FN double __drcp_##rounding(double x) HEDDLE_BODY(return __heddle_div_f64(1.0, x, mode);)                  \
	HEDDLE_FN double __dsqrt_##rounding(double x) HEDDLE_BODY(return __heddle_sqrt_f64(x, mode);)                     \
	HEDDLE_FN double __fma_##rounding(double x, double y, double z) HEDDLE_BODY(return __heddle_fma_f64(x, y, z, mode);) \
	HEDDLE_FN float __int2float_##rounding(int n) HEDDLE_BODY(return __heddle_i64_to_f32(n, mode);)                   \
	HEDDLE_FN float __uint2float_##rounding(unsigned int n) HEDDLE_BODY(return __heddle_u64_to_f32(n, mode);)         \
	HEDDLE_FN float __ll2float_##rounding(long long n) HEDDLE_BODY(return __heddle_i64_to_f32(n, mode);)              \
	HEDDLE_FN float __ull2float_##rounding(unsigned long long n) HEDDLE_BODY(return __heddle_u64_to_f32(n, mode);)    \
	HEDDLE_FN double __ll2double_##rounding(long long n) HEDDLE_BODY(return __heddle_i64_to_f64(n, mode);)            \
	HEDDLE_FN double __ull2double_##rounding(unsigned long long n) HEDDLE_BODY(return __heddle_u64_to_f64(n, mode);)  \
	HEDDLE_FN float __double2float_##rounding(double x) HEDDLE_BODY(return __heddle_narrow(x, mode);)
HEDDLE_DIRECTED(rz, 0)
HEDDLE_DIRECTED(ru, 1)
HEDDLE_DIRECTED(rd, 2)
#undef HEDDLE_DIRECTED

#endif
