/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * half.h - the 16-bit float of cuda_fp16.h: its types, its conversions and the class with its
 * operators. Sums, products, quotients and roots of halves are computed as floats and rounded once
 * more, which gives the correctly rounded half (a float has more than twice its digits and two),
 * and which the compiler turns into the instruction for halves. The host has the same code, with
 * conversions in integers.
 */
#ifndef HEDDLE_HALF_H
#define HEDDLE_HALF_H

#include <string.h>
#include "device.h"
#include "../vector_types.h"

#define HEDDLE_HD static __inline__ __host__ __device__
enum { HEDDLE_RN, HEDDLE_RZ, HEDDLE_RU, HEDDLE_RD };

/* The half next to x in the direction of `mode`: s eeeee mmmmmmmmmm, cut out of s e(11) m(52). */
HEDDLE_HD unsigned short
__heddle_to_half(double x, int mode)
{
	unsigned long long bits, mantissa, rest, half;
	unsigned int sign, kept;
	int exponent, drop;
	bool up;

	memcpy(&bits, &x, 8);
	sign = (unsigned int)(bits >> 48) & 0x8000;
	exponent = (int)(bits >> 52 & 0x7ff) - 1023;
	mantissa = bits & 0xfffffffffffffull;
	if (exponent == 1024)
		return (unsigned short)(mantissa ? 0x7fff : sign | 0x7c00);
	if (exponent == -1023) {
		if (!mantissa)
			return (unsigned short)sign;
	} else {
		mantissa |= 1ull << 52;
	}
	drop = exponent < -14 ? 42 - 14 - exponent : 42;
	if (drop > 60) {
		kept = 0;
		rest = 1;
		half = 2;
	} else {
		kept = (unsigned int)(mantissa >> drop);
		rest = mantissa & ((1ull << drop) - 1);
		half = 1ull << (drop - 1);
	}
	if (exponent >= -14)
		kept += (unsigned int)(exponent + 14) << 10; /* the leading one adds the last of the exponent */
	up = mode == HEDDLE_RN ? rest > half || (rest == half && kept & 1)
		: rest != 0 && mode == (sign ? HEDDLE_RD : HEDDLE_RU);
	kept += up;
	if (exponent > 15 || kept >= 0x7c00)
		kept = mode == HEDDLE_RN || mode == (sign ? HEDDLE_RD : HEDDLE_RU) ? 0x7c00 : 0x7bff;
	return (unsigned short)(sign | kept);
}

HEDDLE_HD float
__heddle_from_half(unsigned short h)
{
#if defined(__AMDGCN__)
	return (float)HEDDLE_BITS(_Float16, h);
#else
	unsigned int sign = (unsigned int)(h & 0x8000) << 16, exponent = h >> 10 & 31, mantissa = h & 0x3ff, bits;
	float x;

	if (exponent == 0) { /* m * 2^-24 */
		x = (float)mantissa * 5.9604644775390625e-8f;
		memcpy(&bits, &x, 4);
		bits |= sign;
	} else {
		bits = sign | (exponent == 31 ? 0xffu : exponent + 112) << 23 | mantissa << 13;
	}
	memcpy(&x, &bits, 4);
	return x;
#endif
}

/* To nearest: one instruction on the device */
HEDDLE_HD unsigned short
__heddle_to_half_rn(float x)
{
#if defined(__AMDGCN__)
	return HEDDLE_BITS(unsigned short, (_Float16)x);
#else
	return __heddle_to_half((double)x, HEDDLE_RN);
#endif
}

/* a * b + c, rounded once. On the host the sum in double is made odd where it is not exact, so that the second
 * rounding sees which side it lies on. */
HEDDLE_HD unsigned short
__heddle_half_fma(unsigned short a, unsigned short b, unsigned short c)
{
#if defined(__AMDGCN__)
	return HEDDLE_BITS(unsigned short,
		__builtin_fmaf16(HEDDLE_BITS(_Float16, a), HEDDLE_BITS(_Float16, b), HEDDLE_BITS(_Float16, c)));
#else
	volatile double p = (double)__heddle_from_half(a) * (double)__heddle_from_half(b);
	volatile double z = (double)__heddle_from_half(c), s = p + z, t = s - p, u = s - t;
	volatile double lost = (p - u) + (z - t);
	double sum = s;
	long long bits;

	if (lost != 0 && sum - sum == 0) {
		memcpy(&bits, &sum, 8);
		if (!(bits & 1))
			bits += (lost > 0) == (sum > 0) ? 1 : -1;
		memcpy(&sum, &bits, 8);
	}
	return __heddle_to_half(sum, HEDDLE_RN);
#endif
}

typedef struct __attribute__((aligned(2))) {
	unsigned short x;
} __half_raw;

typedef struct __attribute__((aligned(4))) {
	unsigned short x, y;
} __half2_raw;

struct __attribute__((aligned(2))) __half {
#if __cplusplus >= 201103L
	__half() = default;
#else
	__half() {}
#endif
	__host__ __device__ __half(const __half_raw &h) : __x(h.x) {}
	__host__ __device__ __half &operator=(const __half_raw &h) { __x = h.x; return *this; }
	__host__ __device__ operator __half_raw() const { __half_raw h = {__x}; return h; }
#if !defined(__CUDA_NO_HALF_CONVERSIONS__)
	__host__ __device__ __half(float x) : __x(__heddle_to_half_rn(x)) {}
	__host__ __device__ __half(double x) : __x(__heddle_to_half(x, HEDDLE_RN)) {}
	__host__ __device__ operator float() const { return __heddle_from_half(__x); }
	__host__ __device__ __half &operator=(float x) { __x = __heddle_to_half_rn(x); return *this; }
	__host__ __device__ __half &operator=(double x) { __x = __heddle_to_half(x, HEDDLE_RN); return *this; }
	/* Every integer that a half can come near is exact as a double. */
#define HEDDLE_FROM(integer)                                                                              \
	__host__ __device__ __half(integer n) : __x(__heddle_to_half((double)n, HEDDLE_RN)) {}            \
	__host__ __device__ __half &operator=(integer n) { __x = __heddle_to_half((double)n, HEDDLE_RN); return *this; }
	HEDDLE_FROM(short)
	HEDDLE_FROM(unsigned short)
	HEDDLE_FROM(int)
	HEDDLE_FROM(unsigned int)
	HEDDLE_FROM(long)
	HEDDLE_FROM(unsigned long)
	HEDDLE_FROM(long long)
	HEDDLE_FROM(unsigned long long)
#undef HEDDLE_FROM
#endif

protected:
	unsigned short __x;
};
typedef __half half;
typedef __half nv_half;
typedef __half __nv_half;

/* Between a half and its bits, for the functions below */
HEDDLE_HD unsigned short __heddle_bits(__half h) { return __half_raw(h).x; }
HEDDLE_HD __half __heddle_half(unsigned short x) { __half_raw r = {x}; return __half(r); }
HEDDLE_HD float __heddle_float(__half h) { return __heddle_from_half(__heddle_bits(h)); }
HEDDLE_HD __half __heddle_round(float x) { return __heddle_half(__heddle_to_half_rn(x)); }

struct __attribute__((aligned(4))) __half2 {
	__half x, y;
#if __cplusplus >= 201103L
	__half2() = default;
#else
	__half2() {}
#endif
	__host__ __device__ __half2(const __half &a, const __half &b) : x(a), y(b) {}
	__host__ __device__ __half2(const __half2_raw &h) : x(__heddle_half(h.x)), y(__heddle_half(h.y)) {}
	__host__ __device__ operator __half2_raw() const
	{
		__half2_raw h = {__heddle_bits(x), __heddle_bits(y)};
		return h;
	}
};
typedef __half2 half2;
typedef __half2 nv_half2;
typedef __half2 __nv_half2;

#if !defined(__CUDA_NO_HALF_OPERATORS__)
#define HEDDLE_OPERATOR(op)                                                                                            \
	HEDDLE_HD __half operator op(const __half &a, const __half &b)                                                 \
	{                                                                                                              \
		return __heddle_round(__heddle_float(a) op __heddle_float(b));                                         \
	}                                                                                                              \
	HEDDLE_HD __half &operator op##=(__half &a, const __half &b) { return a = a op b; }
HEDDLE_OPERATOR(+)
HEDDLE_OPERATOR(-)
HEDDLE_OPERATOR(*)
HEDDLE_OPERATOR(/)
#undef HEDDLE_OPERATOR
HEDDLE_HD __half operator+(const __half &a) { return a; }
HEDDLE_HD __half operator-(const __half &a) { return __heddle_half((unsigned short)(__heddle_bits(a) ^ 0x8000)); }
HEDDLE_HD __half &operator++(__half &a) { return a = __heddle_round(__heddle_float(a) + 1); }
HEDDLE_HD __half &operator--(__half &a) { return a = __heddle_round(__heddle_float(a) - 1); }
HEDDLE_HD __half operator++(__half &a, int) { __half old = a; ++a; return old; }
HEDDLE_HD __half operator--(__half &a, int) { __half old = a; --a; return old; }
#define HEDDLE_OPERATOR(op) \
	HEDDLE_HD bool operator op(const __half &a, const __half &b) { return __heddle_float(a) op __heddle_float(b); }
HEDDLE_OPERATOR(==)
HEDDLE_OPERATOR(!=)
HEDDLE_OPERATOR(<)
HEDDLE_OPERATOR(<=)
HEDDLE_OPERATOR(>)
HEDDLE_OPERATOR(>=)
#undef HEDDLE_OPERATOR
#endif

#if !defined(__CUDA_NO_HALF2_OPERATORS__) && !defined(__CUDA_NO_HALF_OPERATORS__)
#define HEDDLE_OPERATOR(op)                                                                                     \
	HEDDLE_HD __half2 operator op(const __half2 &a, const __half2 &b) { return __half2(a.x op b.x, a.y op b.y); } \
	HEDDLE_HD __half2 &operator op##=(__half2 &a, const __half2 &b) { return a = a op b; }
HEDDLE_OPERATOR(+)
HEDDLE_OPERATOR(-)
HEDDLE_OPERATOR(*)
HEDDLE_OPERATOR(/)
#undef HEDDLE_OPERATOR
HEDDLE_HD __half2 operator+(const __half2 &a) { return a; }
HEDDLE_HD __half2 operator-(const __half2 &a) { return __half2(-a.x, -a.y); }
HEDDLE_HD __half2 &operator++(__half2 &a) { ++a.x; ++a.y; return a; }
HEDDLE_HD __half2 &operator--(__half2 &a) { --a.x; --a.y; return a; }
HEDDLE_HD __half2 operator++(__half2 &a, int) { __half2 old = a; ++a; return old; }
HEDDLE_HD __half2 operator--(__half2 &a, int) { __half2 old = a; --a; return old; }
#define HEDDLE_OPERATOR(op) \
	HEDDLE_HD bool operator op(const __half2 &a, const __half2 &b) { return a.x op b.x && a.y op b.y; }
HEDDLE_OPERATOR(==)
HEDDLE_OPERATOR(!=)
HEDDLE_OPERATOR(<)
HEDDLE_OPERATOR(<=)
HEDDLE_OPERATOR(>)
HEDDLE_OPERATOR(>=)
#undef HEDDLE_OPERATOR
#endif

#endif
