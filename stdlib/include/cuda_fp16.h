/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * cuda_fp16.h - functions of the 16-bit float and of pairs of it (CUDA Math API, "Half Precision
 * Intrinsics"). One row a function gives the form for one number and, with a 2, that for a pair.
 * The types and what they rest on are in heddle/half.h. Mathematical functions exist on the device
 * only; all else on both sides.
 */
#ifndef HEDDLE_CUDA_FP16_H
#define HEDDLE_CUDA_FP16_H
#define __CUDA_FP16_H__ /* user code asks for this name */
#pragma GCC system_header

#if defined(__cplusplus)
#include <math.h>
#include "heddle/half.h"
#if defined(__CUDACC__)
#include "cuda_runtime.h"
#endif

#define HEDDLE_F(h) __heddle_float(h)

/* Conversions of floats */
HEDDLE_HD __half __float2half(float x) { return __heddle_round(x); }
HEDDLE_HD __half __double2half(double x) { return __heddle_half(__heddle_to_half(x, HEDDLE_RN)); }
HEDDLE_HD float __half2float(__half h) { return HEDDLE_F(h); }
HEDDLE_HD __half __float2half_rn(float x) { return __heddle_round(x); }
HEDDLE_HD __half __float2half_rz(float x) { return __heddle_half(__heddle_to_half(x, HEDDLE_RZ)); }
HEDDLE_HD __half __float2half_ru(float x) { return __heddle_half(__heddle_to_half(x, HEDDLE_RU)); }
HEDDLE_HD __half __float2half_rd(float x) { return __heddle_half(__heddle_to_half(x, HEDDLE_RD)); }

/* Conversions of integers; what does not fit becomes the nearest that does, NaN 0. */
#define HEDDLE_TO(name, integer, mode, round, low, high)                                                  \
	HEDDLE_HD integer __half2##name##_##mode(__half h)                                                \
	{                                                                                                 \
		float x = round(HEDDLE_F(h));                                                             \
		return x != x ? 0 : x <= (float)(low) ? (low) : x >= (float)(high) ? (high) : (integer)x; \
	}
#define HEDDLE_FROM(name, integer, mode, number) \
	HEDDLE_HD __half __##name##2half_##mode(integer n) { return __heddle_half(__heddle_to_half((double)n, number)); }
#define HEDDLE_INTEGER(name, integer, low, high)            \
	HEDDLE_TO(name, integer, rn, rintf, low, high)      \
	HEDDLE_TO(name, integer, rz, truncf, low, high)     \
	HEDDLE_TO(name, integer, ru, ceilf, low, high)      \
	HEDDLE_TO(name, integer, rd, floorf, low, high)     \
	HEDDLE_FROM(name, integer, rn, HEDDLE_RN)           \
	HEDDLE_FROM(name, integer, rz, HEDDLE_RZ)           \
	HEDDLE_FROM(name, integer, ru, HEDDLE_RU)           \
	HEDDLE_FROM(name, integer, rd, HEDDLE_RD)
HEDDLE_INTEGER(short, short, -32768, 32767)
HEDDLE_INTEGER(ushort, unsigned short, 0, 65535)
HEDDLE_INTEGER(int, int, (-0x7fffffff - 1), 0x7fffffff)
HEDDLE_INTEGER(uint, unsigned int, 0, 0xffffffffu)
HEDDLE_INTEGER(ll, long long, (-0x7fffffffffffffffll - 1), 0x7fffffffffffffffll)
HEDDLE_INTEGER(ull, unsigned long long, 0, 0xffffffffffffffffull)
HEDDLE_TO(char, signed char, rz, truncf, -128, 127)
HEDDLE_TO(uchar, unsigned char, rz, truncf, 0, 255)
#undef HEDDLE_INTEGER
#undef HEDDLE_FROM
#undef HEDDLE_TO

/* Bits, and the halves of pairs */
HEDDLE_HD short __half_as_short(__half h) { return (short)__heddle_bits(h); }
HEDDLE_HD unsigned short __half_as_ushort(__half h) { return __heddle_bits(h); }
HEDDLE_HD __half __short_as_half(short x) { return __heddle_half((unsigned short)x); }
HEDDLE_HD __half __ushort_as_half(unsigned short x) { return __heddle_half(x); }
HEDDLE_HD __half2 make_half2(__half x, __half y) { return __half2(x, y); }
HEDDLE_HD __half2 __halves2half2(__half x, __half y) { return __half2(x, y); }
HEDDLE_HD __half2 __half2half2(__half x) { return __half2(x, x); }
HEDDLE_HD __half __low2half(__half2 a) { return a.x; }
HEDDLE_HD __half __high2half(__half2 a) { return a.y; }
HEDDLE_HD __half2 __low2half2(__half2 a) { return __half2(a.x, a.x); }
HEDDLE_HD __half2 __high2half2(__half2 a) { return __half2(a.y, a.y); }
HEDDLE_HD __half2 __lows2half2(__half2 a, __half2 b) { return __half2(a.x, b.x); }
HEDDLE_HD __half2 __highs2half2(__half2 a, __half2 b) { return __half2(a.y, b.y); }
HEDDLE_HD __half2 __lowhigh2highlow(__half2 a) { return __half2(a.y, a.x); }
HEDDLE_HD float __low2float(__half2 a) { return HEDDLE_F(a.x); }
HEDDLE_HD float __high2float(__half2 a) { return HEDDLE_F(a.y); }
HEDDLE_HD __half2 __float2half2_rn(float x) { return __half2half2(__heddle_round(x)); }
HEDDLE_HD __half2 __floats2half2_rn(float x, float y) { return __half2(__heddle_round(x), __heddle_round(y)); }
HEDDLE_HD __half2 __float22half2_rn(float2 v) { return __floats2half2_rn(v.x, v.y); }
HEDDLE_HD float2 __half22float2(__half2 a) { float2 v = {HEDDLE_F(a.x), HEDDLE_F(a.y)}; return v; }

/* Arithmetic: HEDDLE_1, _2, _3 (name, expression of x, y, z as floats or of a, b, c as halves) */
#define HEDDLE_PAIR1(name) \
	HEDDLE_HD __half2 name##2(__half2 a) { return __half2(name(a.x), name(a.y)); }
#define HEDDLE_PAIR2(name) \
	HEDDLE_HD __half2 name##2(__half2 a, __half2 b) { return __half2(name(a.x, b.x), name(a.y, b.y)); }
#define HEDDLE_2(name, expression)                                               \
	HEDDLE_HD __half name(__half a, __half b)                                \
	{                                                                        \
		float x = HEDDLE_F(a), y = HEDDLE_F(b);                          \
		return __heddle_round(expression);                               \
	}
/* The _rn forms, which are not fused with a neighbour, and those that saturate have the 2
 * inside. */
#if defined(__clang__)
#define HEDDLE_UNFUSED _Pragma("clang fp contract(off)")
#else
#define HEDDLE_UNFUSED
#endif
#define HEDDLE_2_RN(name, expression)                                            \
	HEDDLE_HD __half name(__half a, __half b)                                \
	{                                                                        \
		HEDDLE_UNFUSED                                                   \
		float x = HEDDLE_F(a), y = HEDDLE_F(b);                          \
		return __heddle_round(expression);                               \
	}
#define HEDDLE_VARIANTS(name, expression)                                                                           \
	HEDDLE_2(name, expression)                                                                                  \
	HEDDLE_2_RN(name##_rn, expression)                                                                          \
	HEDDLE_2(name##_sat, __heddle_saturate(HEDDLE_F(__heddle_round(expression))))                               \
	HEDDLE_PAIR2(name)                                                                                          \
	HEDDLE_HD __half2 name##2_rn(__half2 a, __half2 b) { return __half2(name##_rn(a.x, b.x), name##_rn(a.y, b.y)); } \
	HEDDLE_HD __half2 name##2_sat(__half2 a, __half2 b) { return __half2(name##_sat(a.x, b.x), name##_sat(a.y, b.y)); }
HEDDLE_HD float __heddle_saturate(float x) { return x > 0 ? x < 1 ? x : 1 : 0; }
HEDDLE_VARIANTS(__hadd, x + y)
HEDDLE_VARIANTS(__hsub, x - y)
HEDDLE_VARIANTS(__hmul, x * y)
HEDDLE_2(__hdiv, x / y)
HEDDLE_HD __half2 __h2div(__half2 a, __half2 b) { return __half2(__hdiv(a.x, b.x), __hdiv(a.y, b.y)); }
HEDDLE_HD __half __hneg(__half a) { return __heddle_half((unsigned short)(__heddle_bits(a) ^ 0x8000)); }
HEDDLE_HD __half __habs(__half a) { return __heddle_half((unsigned short)(__heddle_bits(a) & 0x7fff)); }
HEDDLE_PAIR1(__hneg)
HEDDLE_PAIR1(__habs)
HEDDLE_HD __half
__hfma(__half a, __half b, __half c)
{
	return __heddle_half(__heddle_half_fma(__heddle_bits(a), __heddle_bits(b), __heddle_bits(c)));
}
HEDDLE_HD __half __hfma_sat(__half a, __half b, __half c) { return __heddle_round(__heddle_saturate(HEDDLE_F(__hfma(a, b, c)))); }
HEDDLE_HD __half
__hfma_relu(__half a, __half b, __half c)
{
	float x = HEDDLE_F(__hfma(a, b, c));
	return x != x ? __heddle_half(0x7fff) : __heddle_round(x > 0 ? x : 0);
}
#define HEDDLE_PAIR3(name, one)                                                                 \
	HEDDLE_HD __half2 name(__half2 a, __half2 b, __half2 c)                                 \
	{                                                                                       \
		return __half2(one(a.x, b.x, c.x), one(a.y, b.y, c.y));                         \
	}
HEDDLE_PAIR3(__hfma2, __hfma)
HEDDLE_PAIR3(__hfma2_sat, __hfma_sat)
HEDDLE_PAIR3(__hfma2_relu, __hfma_relu)
#undef HEDDLE_PAIR3
HEDDLE_HD __half2
__hcmadd(__half2 a, __half2 b, __half2 c) /* complex numbers */
{
	return __half2(__hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y)));
}

/* Comparisons: false of a NaN, or, with a u, true; of pairs as 1 and 0, as masks, and (b) of
 * both at once */
#define HEDDLE_COMPARE(name, expression)                                                                         \
	HEDDLE_HD bool __h##name(__half a, __half b)                                                             \
	{                                                                                                        \
		float x = HEDDLE_F(a), y = HEDDLE_F(b);                                                          \
		return expression;                                                                               \
	}                                                                                                        \
	HEDDLE_HD __half2 __h##name##2(__half2 a, __half2 b)                                                     \
	{                                                                                                        \
		return __half2(__heddle_half(__h##name(a.x, b.x) ? 0x3c00 : 0), __heddle_half(__h##name(a.y, b.y) ? 0x3c00 : 0)); \
	}                                                                                                        \
	HEDDLE_HD unsigned int __h##name##2_mask(__half2 a, __half2 b)                                           \
	{                                                                                                        \
		return (__h##name(a.x, b.x) ? 0xffffu : 0) | (__h##name(a.y, b.y) ? 0xffff0000u : 0);            \
	}                                                                                                        \
	HEDDLE_HD bool __hb##name##2(__half2 a, __half2 b) { return __h##name(a.x, b.x) && __h##name(a.y, b.y); }
HEDDLE_COMPARE(eq, x == y)
HEDDLE_COMPARE(ne, x < y || x > y)
HEDDLE_COMPARE(lt, x < y)
HEDDLE_COMPARE(le, x <= y)
HEDDLE_COMPARE(gt, x > y)
HEDDLE_COMPARE(ge, x >= y)
HEDDLE_COMPARE(equ, !(x < y || x > y))
HEDDLE_COMPARE(neu, x != y)
HEDDLE_COMPARE(ltu, !(x >= y))
HEDDLE_COMPARE(leu, !(x > y))
HEDDLE_COMPARE(gtu, !(x <= y))
HEDDLE_COMPARE(geu, !(x < y))
#undef HEDDLE_COMPARE
HEDDLE_HD bool __hisnan(__half a) { return (__heddle_bits(a) & 0x7fff) > 0x7c00; }
HEDDLE_HD int __hisinf(__half a) { return __heddle_bits(a) == 0x7c00 ? 1 : __heddle_bits(a) == 0xfc00 ? -1 : 0; }
HEDDLE_HD __half2
__hisnan2(__half2 a)
{
	return __half2(__heddle_half(__hisnan(a.x) ? 0x3c00 : 0), __heddle_half(__hisnan(a.y) ? 0x3c00 : 0));
}

/* The larger and the smaller: a number wins over a NaN, or, with _nan, loses; -0 is below 0. */
#define HEDDLE_CHOOSE(name, relation, zero)                                                                         \
	HEDDLE_HD __half name(__half a, __half b)                                                                   \
	{                                                                                                           \
		if (__hisnan(a) || __hisnan(b))                                                                     \
			return __hisnan(a) ? __hisnan(b) ? __heddle_half(0x7fff) : b : a;                           \
		if (__heq(a, b))                                                                                    \
			return (__heddle_bits(a) == zero) ? a : b;                                                  \
		return HEDDLE_F(a) relation HEDDLE_F(b) ? a : b;                                                    \
	}                                                                                                           \
	HEDDLE_HD __half name##_nan(__half a, __half b)                                                             \
	{                                                                                                           \
		return __hisnan(a) || __hisnan(b) ? __heddle_half(0x7fff) : name(a, b);                             \
	}                                                                                                           \
	HEDDLE_PAIR2(name)                                                                                          \
	HEDDLE_HD __half2 name##2_nan(__half2 a, __half2 b) { return __half2(name##_nan(a.x, b.x), name##_nan(a.y, b.y)); }
HEDDLE_CHOOSE(__hmax, >, 0)
HEDDLE_CHOOSE(__hmin, <, 0x8000)
#undef HEDDLE_CHOOSE

#if defined(__CUDACC__) && defined(__clang__)
/* Mathematical functions */
#define HEDDLE_MATH(name, expression)                                                                           \
	HEDDLE_FN __half h##name(__half a) HEDDLE_BODY(float x = HEDDLE_F(a); return __heddle_round(expression);) \
	HEDDLE_FN __half2 h2##name(__half2 a) HEDDLE_BODY(return __half2(h##name(a.x), h##name(a.y));)
HEDDLE_MATH(ceil, __builtin_ceilf(x))
HEDDLE_MATH(floor, __builtin_floorf(x))
HEDDLE_MATH(trunc, __builtin_truncf(x))
HEDDLE_MATH(rint, __builtin_rintf(x))
HEDDLE_MATH(sqrt, __builtin_sqrtf(x))
HEDDLE_MATH(rsqrt, 1 / __builtin_sqrtf(x))
HEDDLE_MATH(rcp, 1 / x)
HEDDLE_MATH(exp, expf(x))
HEDDLE_MATH(exp2, exp2f(x))
HEDDLE_MATH(exp10, exp10f(x))
HEDDLE_MATH(log, logf(x))
HEDDLE_MATH(log2, log2f(x))
HEDDLE_MATH(log10, log10f(x))
HEDDLE_MATH(sin, sinf(x))
HEDDLE_MATH(cos, cosf(x))
HEDDLE_MATH(tanh, tanhf(x))
HEDDLE_MATH(tanh_approx, tanhf(x))
#undef HEDDLE_MATH

/* Memory, other lanes, atomics */
#define HEDDLE_LOADS(type)                                                                   \
	HEDDLE_FN type __ldg(const type *p) HEDDLE_BODY(return *p;)                          \
	HEDDLE_FN type __ldca(const type *p) HEDDLE_BODY(return *p;)                         \
	HEDDLE_FN type __ldcg(const type *p) HEDDLE_BODY(return *p;)                         \
	HEDDLE_FN type __ldcs(const type *p) HEDDLE_BODY(return *p;)                         \
	HEDDLE_FN type __ldlu(const type *p) HEDDLE_BODY(return *p;)                         \
	HEDDLE_FN void __stwb(type *p, type value) HEDDLE_BODY(*p = value;)                  \
	HEDDLE_FN void __stcg(type *p, type value) HEDDLE_BODY(*p = value;)                  \
	HEDDLE_FN void __stcs(type *p, type value) HEDDLE_BODY(*p = value;)
HEDDLE_LOADS(__half)
HEDDLE_LOADS(__half2)
#undef HEDDLE_LOADS
HEDDLE_FN unsigned int __heddle_word(__half a) HEDDLE_BODY(return __heddle_bits(a);)
HEDDLE_FN unsigned int __heddle_word(__half2 a) HEDDLE_BODY(return HEDDLE_BITS(unsigned int, __half2_raw(a));)
HEDDLE_FN void __heddle_unword(unsigned int word, __half *a) HEDDLE_BODY(*a = __heddle_half((unsigned short)word);)
HEDDLE_FN void __heddle_unword(unsigned int word, __half2 *a) HEDDLE_BODY(*a = HEDDLE_BITS(__half2_raw, word);)
#define HEDDLE_SHUFFLE(name, lane, type)                                                                   \
	HEDDLE_FN type name(unsigned mask, type value, lane where, int width = 32)                         \
	HEDDLE_BODY(type r; __heddle_unword(name(mask, __heddle_word(value), where, width), &r); return r;)
#define HEDDLE_SHUFFLES(type)                                \
	HEDDLE_SHUFFLE(__shfl_sync, int, type)               \
	HEDDLE_SHUFFLE(__shfl_up_sync, unsigned int, type)   \
	HEDDLE_SHUFFLE(__shfl_down_sync, unsigned int, type) \
	HEDDLE_SHUFFLE(__shfl_xor_sync, int, type)
HEDDLE_SHUFFLES(__half)
HEDDLE_SHUFFLES(__half2)
#undef HEDDLE_SHUFFLES
#undef HEDDLE_SHUFFLE
HEDDLE_FN __half atomicAdd(__half *p, __half value)
HEDDLE_BODY(return __heddle_half(HEDDLE_BITS(unsigned short, __hip_atomic_fetch_add((_Float16 *)p,
	HEDDLE_BITS(_Float16, __heddle_bits(value)), __ATOMIC_RELAXED, 4 /* the device */)));)
HEDDLE_FN __half2 atomicAdd(__half2 *p, __half2 value) /* each half by itself, both by one swap */
HEDDLE_BODY(
	unsigned int seen;
	unsigned int old = *(volatile unsigned int *)p;
	__half2 before;
	do {
		seen = old;
		__heddle_unword(seen, &before);
		old = atomicCAS((unsigned int *)p, seen, __heddle_word(__hadd2(before, value)));
	} while (old != seen);
	return before;)
#endif

#undef HEDDLE_VARIANTS
#undef HEDDLE_2
#undef HEDDLE_2_RN
#undef HEDDLE_UNFUSED
#undef HEDDLE_PAIR1
#undef HEDDLE_PAIR2
#undef HEDDLE_F
#undef HEDDLE_HD
#endif

#endif
