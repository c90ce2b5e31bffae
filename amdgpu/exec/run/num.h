/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * num.h - the functions that rows of isa.def name. All are pure, of one lane, and mostly free of
 * branches so that a loop over lanes vectorises.
 */
#ifndef HEDDLE_EXEC_NUM_H
#define HEDDLE_EXEC_NUM_H

#include "lang/base.h"
#include <math.h>
#include <string.h>

/* Halves are computed in float: the sum, product, quotient and square root of halves rounded to 24 bits and then
 * to 11 are rounded right, because 24 >= 2 * 11 + 2. */
#define MIN(a, b)    ((a) < (b) ? (a) : (b))
#define MAX(a, b)    ((a) > (b) ? (a) : (b))
#define MED(a, b, c) MAX(MIN(a, b), MIN(MAX(a, b), c))

static inline u32
bits32(float f)
{
	u32 u;
	memcpy(&u, &f, 4);
	return u;
}

static inline float
float32(u32 u)
{
	float f;
	memcpy(&f, &u, 4);
	return f;
}

static inline u64
bits64(double d)
{
	u64 u;
	memcpy(&u, &d, 8);
	return u;
}

static inline double
float64(u64 u)
{
	double d;
	memcpy(&d, &u, 8);
	return d;
}

/* --- bits ---------------------------------------------------------------------------------------- */

static inline u32
bitrev32(u32 v)
{
	v = (v >> 1 & 0x55555555) | (v & 0x55555555) << 1;
	v = (v >> 2 & 0x33333333) | (v & 0x33333333) << 2;
	v = (v >> 4 & 0x0f0f0f0f) | (v & 0x0f0f0f0f) << 4;
	return __builtin_bswap32(v);
}

static inline u64
bitrev64(u64 v)
{
	return (u64)bitrev32((u32)v) << 32 | bitrev32((u32)(v >> 32));
}

static inline u32
popcount32(u32 v)
{
	v -= v >> 1 & 0x55555555;
	v = (v & 0x33333333) + (v >> 2 & 0x33333333);
	v = (v + (v >> 4)) & 0x0f0f0f0f;
	return v * 0x01010101 >> 24;
}

static inline u32
popcount64(u64 v)
{
	return popcount32((u32)v) + popcount32((u32)(v >> 32));
}

static inline i32
clz32(u32 v)
{
	return v ? __builtin_clz(v) : -1;
}

static inline i32
clz64(u64 v)
{
	return v ? __builtin_clzll(v) : -1;
}

static inline i32
ctz32(u32 v)
{
	return v ? __builtin_ctz(v) : -1;
}

static inline i32
ctz64(u64 v)
{
	return v ? __builtin_ctzll(v) : -1;
}

/* leading bits equal to the sign bit; -1 when all are */
static inline i32
cls32(i32 v)
{
	u32 x = (u32)(v ^ v >> 31);
	return x ? __builtin_clz(x) : -1;
}

static inline i32
cls64(i64 v)
{
	u64 x = (u64)(v ^ v >> 63);
	return x ? __builtin_clzll(x) : -1;
}

static inline u64
wqm(u64 v)
{
	u64 q = (v | v >> 1 | v >> 2 | v >> 3) & 0x1111111111111111;
	return q * 15;
}

static inline u64
quadmask(u64 v)
{
	u64 r = 0;
	for (int i = 0; i < 16; i++)
		r |= (u64)((v >> 4 * i & 15) != 0) << i;
	return r;
}

static inline u64
bitreplicate(u32 v)
{
	u64 r = 0;
	for (int i = 0; i < 32; i++)
		r |= (u64)(v >> i & 1) * 3 << 2 * i;
	return r;
}

static inline u64
bfe_u64(u64 v, u32 at, u32 n, u32 size)
{
	v = at < size ? v >> at : 0;
	return n >= 64 ? v : v & ((1ull << n) - 1);
}

static inline i64
bfe_i64(i64 v, u32 at, u32 n, u32 size)
{
	if (n == 0)
		return 0;
	if (at + n >= size)
		return v >> at;
	return (i64)((u64)v << (64 - at - n)) >> (64 - n);
}

static inline u32
bfe_i32(u32 v, u32 at, u32 n)
{
	if (n == 0)
		return 0;
	if (at + n >= 32)
		return (u32)((i32)v >> at);
	return (u32)((i32)(v << (32 - at - n)) >> (32 - n));
}

static inline i32
sext24(u32 v)
{
	return (i32)(v << 8) >> 8;
}

static inline u32
perm(u32 a, u32 b, u32 sel)
{
	u64 v = (u64)a << 32 | b;
	u32 r = 0;
	for (int i = 0; i < 4; i++) {
		u32 s = sel >> 8 * i & 255, byte;
		if (s >= 13)
			byte = 255;
		else if (s == 12)
			byte = 0;
		else if (s >= 8)
			byte = v >> (16 * (s - 8) + 15) & 1 ? 255 : 0;
		else
			byte = v >> 8 * s & 255;
		r |= byte << 8 * i;
	}
	return r;
}

static inline u32
sat_u32(i64 v)
{
	return (u32)(v < 0 ? 0 : v > UINT32_MAX ? UINT32_MAX : v);
}

static inline i32
sat_i32(i64 v)
{
	return (i32)(v < INT32_MIN ? INT32_MIN : v > INT32_MAX ? INT32_MAX : v);
}

static inline u16
sat_u16(i64 v)
{
	return (u16)(v < 0 ? 0 : v > 0xffff ? 0xffff : v);
}

static inline i16
sat_i16(i64 v)
{
	return (i16)(v < -32768 ? -32768 : v > 32767 ? 32767 : v);
}

static inline u32
sat_u8(i32 v)
{
	return (u32)(v < 0 ? 0 : v > 255 ? 255 : v);
}

static inline u16
sat_pk_u8_i16(u32 v)
{
	return (u16)(sat_u8((i16)v) | sat_u8((i16)(v >> 16)) << 8);
}

static inline u32
byte_of(u32 v, int i)
{
	return v >> 8 * i & 255;
}

static inline u32
absdiff(u32 a, u32 b)
{
	return a > b ? a - b : b - a;
}

static inline u32
sad_u8(u32 a, u32 b)
{
	u32 r = 0;
	for (int i = 0; i < 4; i++)
		r += absdiff(byte_of(a, i), byte_of(b, i));
	return r;
}

static inline u32
sad_u16(u32 a, u32 b)
{
	return absdiff(a & 0xffff, b & 0xffff) + absdiff(a >> 16, b >> 16);
}

static inline u32
msad_u8(u32 a, u32 ref)
{
	u32 r = 0;
	for (int i = 0; i < 4; i++)
		r += byte_of(ref, i) ? absdiff(byte_of(a, i), byte_of(ref, i)) : 0;
	return r;
}

static inline u64
qsad(u64 a, u32 b, u64 c, bool masked)
{
	u64 r = 0;
	for (int i = 0; i < 4; i++) {
		u32 v = (u32)(a >> 8 * i);
		u32 s = (masked ? msad_u8(v, b) : sad_u8(v, b)) + (u32)(c >> 16 * i & 0xffff);
		r |= (u64)(masked ? MIN(s, 0xffffu) : s & 0xffff) << 16 * i;
	}
	return r;
}

static inline u32
lerp_u8(u32 a, u32 b, u32 c)
{
	u32 r = 0;
	for (int i = 0; i < 4; i++)
		r |= (byte_of(a, i) + byte_of(b, i) + (byte_of(c, i) & 1)) >> 1 << 8 * i;
	return r;
}

static inline i32
dot4(u32 a, u32 b, i32 c, bool sa, bool sb)
{
	for (int i = 0; i < 4; i++) {
		i32 x = (i32)byte_of(a, i), y = (i32)byte_of(b, i);
		c = (i32)((u32)c + (u32)((sa ? (i8)x : x) * (sb ? (i8)y : y)));
	}
	return c;
}

static inline i32
dot8(u32 a, u32 b, i32 c, bool sa, bool sb)
{
	for (int i = 0; i < 8; i++) {
		i32 x = (i32)(a >> 4 * i & 15), y = (i32)(b >> 4 * i & 15);
		if (sa)
			x = x & 8 ? x - 16 : x;
		if (sb)
			y = y & 8 ? y - 16 : y;
		c = (i32)((u32)c + (u32)(x * y));
	}
	return c;
}

static inline i32
dot2_i16(u32 a, u32 b, i32 c)
{
	return (i32)((u32)((i16)a * (i16)b) + (u32)((i16)(a >> 16) * (i16)(b >> 16)) + (u32)c);
}

static inline u32
dot2_u16(u32 a, u32 b, u32 c)
{
	return (a & 0xffff) * (b & 0xffff) + (a >> 16) * (b >> 16) + c;
}

/* --- NaN: a result is the first NaN operand made quiet, else the positive default ------------------ */

#define NAN32 0x7fc00000u
#define NAN64 0x7ff8000000000000ull

static inline float
quiet32(float f)
{
	return float32(bits32(f) | 0x400000);
}

static inline double
quiet64(double d)
{
	return float64(bits64(d) | 0x8000000000000);
}

static inline bool
snan32(float f)
{
	return (bits32(f) & 0x7fffffff) - 0x7f800001u < 0x3fffff;
}

static inline bool
snan64(double d)
{
	return (bits64(d) & 0x7fffffffffffffff) - 0x7ff0000000000001u < 0x7ffffffffffff;
}

static inline float
nan_f32(float a, float b, float c)
{
	return a != a ? quiet32(a) : b != b ? quiet32(b) : c != c ? quiet32(c) : float32(NAN32);
}

static inline double
nan_f64(double a, double b, double c)
{
	return a != a ? quiet64(a) : b != b ? quiet64(b) : c != c ? quiet64(c) : float64(NAN64);
}

/* --- halves ---------------------------------------------------------------------------------------- */

static inline float
h2f(u32 h)
{
	u32 sign = (h & 0x8000) << 16, mag = (h & 0x7fff) << 13;
	float normal = float32(mag + (112u << 23));               /* rebias */
	float special = float32(mag | 0x7f800000);                /* infinity, NaN with its payload */
	float small = (float)(i32)(h & 0x3ff) * 0x1p-24f;         /* subnormal: exact */
	u32 exp = h & 0x7c00;
	u32 r = exp == 0x7c00 ? bits32(special) : exp == 0 ? bits32(small) : bits32(normal);
	return float32(r | sign);
}

/* Rounds to nearest even, from the bits alone: the host's mode does not matter. */
static inline u32
f2h(float f)
{
	u32 u = bits32(f), sign = u >> 16 & 0x8000, mag = u & 0x7fffffff;
	u32 normal = (mag - (112u << 23) + 0xfff + (mag >> 13 & 1)) >> 13;
	/* below 2^-14: shift the mantissa with its hidden bit right, to nearest even */
	u32 shift = 126 - (mag >> 23);
	shift = shift > 31 ? 31 : shift < 1 ? 1 : shift;
	u32 man = (mag & 0x7fffff) | 0x800000;
	u32 small = (man >> shift) + (((man & ((1u << shift) - 1)) + (man >> shift & 1)) > 1u << (shift - 1));
	u32 nan = 0x7e00 | (mag >> 13 & 0x3ff);
	u32 r = mag > 0x7f800000 ? nan : mag >= 0x477ff000 ? 0x7c00 : mag < 0x38800000 ? small : normal;
	return r | sign;
}

static inline u16
f2h_rtz(float f)
{
	u32 u = bits32(f), sign = u >> 16 & 0x8000, mag = u & 0x7fffffff;
	if (mag > 0x7f800000)
		return (u16)(sign | 0x7e00 | (mag >> 13 & 0x3ff));
	if (mag == 0x7f800000)
		return (u16)(sign | 0x7c00);
	if (mag >= 0x47800000)
		return (u16)(sign | 0x7bff);
	if (mag >= 0x38800000)
		return (u16)(sign | (mag - (112u << 23)) >> 13);
	u32 shift = 126 - (mag >> 23);
	return (u16)(sign | (shift > 31 ? 0 : ((mag & 0x7fffff) | 0x800000) >> shift));
}

/* a + b in double, made odd when inexact, so that a second rounding to fewer bits is right */
static inline double
add_odd(double a, double b)
{
	double s = a + b, bb = s - a;
	double err = (a - (s - bb)) + (b - bb);
	u64 u = bits64(s);
	if (err != 0 && !(u & 1) && s - s == 0)
		u += (err > 0) == (s > 0) ? 1 : (u64)-1;
	return float64(u);
}

static inline float
odd_to_f32(double d)
{
	return (float)d; /* 53 bits, odd when inexact: one rounding */
}

/* double to half in one rounding, as a float that holds the half exactly */
static inline float
round_h(double d)
{
	float f = (float)d; /* make this odd too: 24 bits suffice for 11 */
	u32 u = bits32(f);
	if ((double)f != d && f - f == 0 && !(u & 1))
		u += ((double)f < d) == (d > 0) ? 1 : (u32)-1;
	return h2f(f2h(float32(u)));
}

static inline float
fma_f16(float a, float b, float c)
{
	double r = add_odd((double)a * (double)b, (double)c);
	return r != r ? a * b + c : round_h(r);
}

/* f32 fused, then one rounding to half */
static inline float
fma_mix(float a, float b, float c)
{
	double r = add_odd((double)a * (double)b, (double)c);
	return r != r ? a * b + c : round_h(r);
}

static inline float
dot2_f32_f16(u32 a, u32 b, float c)
{
	float lo = h2f(a & 0xffff) * h2f(b & 0xffff), hi = h2f(a >> 16) * h2f(b >> 16);
	return (float)((double)lo + (double)hi + (double)c);
}

/* --- f32 ------------------------------------------------------------------------------------------- */

/* Without contraction: product and sum are rounded one after the other. */
static inline float
mad_f32(float a, float b, float c)
{
	float p = a * b;
	return p + c;
}

/* IEEE mode: a signalling NaN becomes the result, quiet; else the number wins; -0 < +0. */
static inline float
min_f32(float a, float b)
{
	bool first = a < b || b != b || (a == b && bits32(a) >> 31);
	float r = first ? a : b;
	r = snan32(b) ? quiet32(b) : r;
	r = snan32(a) ? quiet32(a) : r;
	return r != r ? quiet32(r) : r;
}

static inline float
max_f32(float a, float b)
{
	bool first = a > b || b != b || (a == b && !(bits32(a) >> 31));
	float r = first ? a : b;
	r = snan32(b) ? quiet32(b) : r;
	r = snan32(a) ? quiet32(a) : r;
	return r != r ? quiet32(r) : r;
}

static inline double
min_f64(double a, double b)
{
	bool first = a < b || b != b || (a == b && bits64(a) >> 63);
	double r = first ? a : b;
	r = snan64(b) ? quiet64(b) : r;
	r = snan64(a) ? quiet64(a) : r;
	return r != r ? quiet64(r) : r;
}

static inline double
max_f64(double a, double b)
{
	bool first = a > b || b != b || (a == b && !(bits64(a) >> 63));
	double r = first ? a : b;
	r = snan64(b) ? quiet64(b) : r;
	r = snan64(a) ? quiet64(a) : r;
	return r != r ? quiet64(r) : r;
}

static inline float
med3_f32(float a, float b, float c)
{
	float low = min_f32(min_f32(a, b), c);
	float mid = max_f32(min_f32(a, b), min_f32(max_f32(a, b), c));
	return a != a || b != b || c != c ? low : mid;
}

static inline float
roundeven_f32(float a)
{
	float m = fabsf(a);
	float r = (m + 0x1p23f) - 0x1p23f; /* to nearest even in the default mode */
	return m < 0x1p23f ? copysignf(r, a) : a;
}

static inline double
roundeven_f64(double a)
{
	double m = fabs(a);
	double r = (m + 0x1p52) - 0x1p52;
	return m < 0x1p52 ? copysign(r, a) : a;
}

static inline float
fract_f32(float a)
{
	float r = a - floorf(a);
	return r > 0x1.fffffep-1f ? 0x1.fffffep-1f : r;
}

static inline float
fract_f16(float a)
{
	float r = a - floorf(a);
	return r > 0x1.ffcp-1f ? 0x1.ffcp-1f : r;
}

static inline double
fract_f64(double a)
{
	double r = a - floor(a);
	return r > 0x1.fffffffffffffp-1 ? 0x1.fffffffffffffp-1 : r;
}

/* 2^n as a double, |n| <= 1022 */
static inline double
pow2(i32 n)
{
	return float64((u64)(i64)(n + 1023) << 52);
}

static inline float
ldexp_f32(float a, i32 n)
{
	n = n < -500 ? -500 : n > 500 ? 500 : n;
	return (float)((double)a * pow2(n)); /* exact in double: one rounding */
}

static inline double
ldexp_f64(double a, i32 n)
{
	n = n < -2200 ? -2200 : n > 2200 ? 2200 : n;
	/* Down in steps that keep 53 bits until the last, so that only it rounds. */
	while (n > 1022) {
		a *= 0x1p1022;
		n -= 1022;
	}
	while (n < -1022) {
		a *= 0x1p-969;
		n += 969;
	}
	return a * pow2(n);
}

static inline i32
frexp_exp_f32(float a)
{
	u32 mag = bits32(a) & 0x7fffffff;
	bool sub = mag < 0x800000;
	u32 m = sub ? bits32((float)mag) : mag; /* mag * 2^-149 */
	i32 e = (i32)(m >> 23) - 126 - (sub ? 149 : 0);
	return mag == 0 || mag >= 0x7f800000 ? 0 : e;
}

static inline float
frexp_mant_f32(float a)
{
	u32 u = bits32(a), mag = u & 0x7fffffff;
	u32 m = mag < 0x800000 ? bits32((float)mag) : mag;
	u32 r = (u & 0x80000000) | (m & 0x7fffff) | 126u << 23;
	return mag == 0 || mag >= 0x7f800000 ? a : float32(r);
}

static inline i32
frexp_exp_f64(double a)
{
	u64 mag = bits64(a) & 0x7fffffffffffffff;
	bool sub = mag < 0x10000000000000;
	u64 m = sub ? bits64((double)mag) : mag;
	i32 e = (i32)(m >> 52) - 1022 - (sub ? 1074 : 0);
	return mag == 0 || mag >= 0x7ff0000000000000 ? 0 : e;
}

static inline double
frexp_mant_f64(double a)
{
	u64 u = bits64(a), mag = u & 0x7fffffffffffffff;
	u64 m = mag < 0x10000000000000 ? bits64((double)mag) : mag;
	u64 r = (u & 0x8000000000000000) | (m & 0xfffffffffffff) | 1022ull << 52;
	return mag == 0 || mag >= 0x7ff0000000000000 ? a : float64(r);
}

/* --- transcendental: in double, so that the float is rounded right but for rare ties ----------------- */

static inline float
exp2_f32(float a)
{
	double x = a < -200.0f ? -200.0 : a > 200.0f ? 200.0 : (double)a;
	double n = (x + 0x1.8p52) - 0x1.8p52, t = (x - n) * 0.69314718055994530942;
	double p = 1.0 / 3628800;
	p = p * t + 1.0 / 362880;
	p = p * t + 1.0 / 40320;
	p = p * t + 1.0 / 5040;
	p = p * t + 1.0 / 720;
	p = p * t + 1.0 / 120;
	p = p * t + 1.0 / 24;
	p = p * t + 1.0 / 6;
	p = p * t + 0.5;
	p = p * t + 1.0;
	p = p * t + 1.0;
	float r = (float)(p * pow2((i32)n));
	return a != a ? a : r;
}

static inline float
log2_f32(float a)
{
	u32 u = bits32(a);
	bool sub = u < 0x800000;
	u = sub ? bits32((float)(i32)u) : u; /* a * 2^149 */
	i32 e = (i32)(u >> 23) - 127 - (sub ? 149 : 0);
	double m = (double)float32((u & 0x7fffff) | 127u << 23);
	bool big = m > 1.41421356;
	m = big ? m * 0.5 : m;
	e = big ? e + 1 : e;
	double s = (m - 1.0) / (m + 1.0), z = s * s;
	double p = 1.0 / 19;
	p = p * z + 1.0 / 17;
	p = p * z + 1.0 / 15;
	p = p * z + 1.0 / 13;
	p = p * z + 1.0 / 11;
	p = p * z + 1.0 / 9;
	p = p * z + 1.0 / 7;
	p = p * z + 1.0 / 5;
	p = p * z + 1.0 / 3;
	p = p * z + 1.0;
	float r = (float)((double)e + 2.8853900817779268147 * s * p);
	r = a == 0 ? -INFINITY : a < 0 ? float32(NAN32) : a == INFINITY ? a : r;
	return a != a ? a : r;
}

/* One step of Newton's in double from the float estimate: 46 bits, without a division or root in double. */
static inline float
rsq_f32(float a)
{
	float r = 1.0f / sqrtf(a);
	double d = (double)r, e = 1.0 - (double)a * (d * d);
	float better = (float)(d + d * 0.5 * e);
	return a == 0 || a - a != 0 ? r : better;
}

/* sin(2 pi x) for |x| <= 1/2 by its series in y = 2 pi x after folding to |x| <= 1/4 */
static inline double
sin_turn(double x)
{
	x = x > 0.25 ? 0.5 - x : x < -0.25 ? -0.5 - x : x;
	double y = x * 6.28318530717958647693, z = y * y;
	double p = -1.0 / 121645100408832000.0;
	p = p * z + 1.0 / 355687428096000.0;
	p = p * z - 1.0 / 1307674368000.0;
	p = p * z + 1.0 / 6227020800.0;
	p = p * z - 1.0 / 39916800.0;
	p = p * z + 1.0 / 362880;
	p = p * z - 1.0 / 5040;
	p = p * z + 1.0 / 120;
	p = p * z - 1.0 / 6;
	return y + y * z * p;
}

static inline float
sin_f32(float a)
{
	double x = (double)a, n = (x + 0x1.8p52) - 0x1.8p52;
	float r = (float)sin_turn(x - n);
	r = a == 0 ? a : r;
	return fabsf(a) > 256.0f ? (fabsf(a) == INFINITY ? float32(NAN32) : 0.0f) : r;
}

static inline float
cos_f32(float a)
{
	double x = fabs((double)a), n = (x + 0x1.8p52) - 0x1.8p52;
	x = fabs(x - n);
	float r = (float)sin_turn(0.25 - x);
	return fabsf(a) > 256.0f ? (fabsf(a) == INFINITY ? float32(NAN32) : 1.0f) : r;
}

/* Bits of 2 / pi, most significant first, for the reduction of large f64 angles: the instruction yields 53 of
 * them from a place that the operand's exponent and a segment number choose. */
static inline double
trig_preop_f64(double a, u32 segment)
{
	static const u64 digits[] = {
		0xA2F9836E4E441529, 0xFC2757D1F534DDC0, 0xDB6295993C439041, 0xFE5163ABDEBBC561, 0xB7246E3A424DD2E0,
		0x06492EEA09D1921C, 0xFE1DEB1CB129A73E, 0xE88235F52EBB4484, 0xE99C7026B45F7E41, 0x3991D639835339F4,
		0x9C845F8BBDF9283B, 0x1FF897FFDE05980F, 0xEF2F118B5A0A6D1F, 0x6D367ECF27CB09B7, 0x4F463F669E5FEA2D,
		0x7527BAC7EBE5F17B, 0x3D0739F78A5292EA, 0x6BFB5FB1F8D5D085, 0x6033046FC7B6BABF,
	};
	i32 exp = (i32)(bits64(a) >> 52 & 0x7ff);
	u32 shift = (segment & 31) * 53;
	if (exp > 1077)
		shift += (u32)(exp - 1077);
	i32 scale = -53 - (i32)shift;
	if (exp >= 1968)
		scale += 128;
	u64 r = 0;
	for (u32 i = 0; i < 53; i++) {
		u32 k = shift + i;
		r = r << 1 | (k < 1201 ? digits[k / 64] >> (63 - k % 64) & 1 : 0);
	}
	return ldexp_f64((double)r, scale);
}

/* --- division: div_scale, div_fmas and div_fixup round x/y right together ----------------------------- */

static inline i32
exp32(float a)
{
	return (i32)(bits32(a) >> 23 & 255);
}

static inline i32
exp64(double a)
{
	return (i32)(bits64(a) >> 52 & 0x7ff);
}

enum div_case { DIV_PLAIN, DIV_NAN, DIV_DOWN_DEN, DIV_UP_BOTH, DIV_DOWN_BOTH, DIV_UP_NUM, DIV_UP_DEN };

/* What must be scaled so that num / den and its steps neither overflow nor lose bits. */
static inline enum div_case
div_case_f32(float den, float num)
{
	i32 en = exp32(num), ed = exp32(den);
	if (den == 0 || num == 0)
		return DIV_NAN;
	bool rcp_tiny = ed >= 253 && ed < 255, q_tiny = en - ed <= -126;
	if (en - ed >= 96)
		return DIV_UP_DEN;
	if (ed == 0)
		return DIV_UP_BOTH;
	if (rcp_tiny && q_tiny)
		return DIV_DOWN_DEN;
	if (rcp_tiny)
		return DIV_DOWN_BOTH;
	if (q_tiny)
		return DIV_UP_NUM;
	return en <= 23 ? DIV_UP_BOTH : DIV_PLAIN;
}

static inline enum div_case
div_case_f64(double den, double num)
{
	i32 en = exp64(num), ed = exp64(den);
	if (den == 0 || num == 0)
		return DIV_NAN;
	bool rcp_tiny = ed >= 2045 && ed < 2047, q_tiny = en - ed <= -1022;
	if (en - ed >= 768)
		return DIV_UP_DEN;
	if (ed == 0)
		return DIV_UP_BOTH;
	if (rcp_tiny && q_tiny)
		return DIV_DOWN_DEN;
	if (rcp_tiny)
		return DIV_DOWN_BOTH;
	if (q_tiny)
		return DIV_UP_NUM;
	return en <= 53 ? DIV_UP_BOTH : DIV_PLAIN;
}

static inline float
div_scale_f32(float v, float den, float num)
{
	bool is_den = bits32(v) == bits32(den), is_num = bits32(v) == bits32(num);
	switch (div_case_f32(den, num)) {
	case DIV_NAN:
		return float32(NAN32);
	case DIV_UP_DEN:
		return is_den ? v * 0x1p64f : v;
	case DIV_DOWN_DEN:
		return is_den ? v * 0x1p-64f : v;
	case DIV_UP_BOTH:
		return v * 0x1p64f;
	case DIV_DOWN_BOTH:
		return v * 0x1p-64f;
	case DIV_UP_NUM:
		return is_num ? v * 0x1p64f : v;
	default:
		return v;
	}
}

static inline bool
div_scaled_f32(float den, float num)
{
	enum div_case c = div_case_f32(den, num);
	return c == DIV_NAN || c == DIV_UP_DEN || c == DIV_DOWN_DEN || c == DIV_UP_NUM;
}

static inline double
div_scale_f64(double v, double den, double num)
{
	bool is_den = bits64(v) == bits64(den), is_num = bits64(v) == bits64(num);
	switch (div_case_f64(den, num)) {
	case DIV_NAN:
		return float64(NAN64);
	case DIV_UP_DEN:
		return is_den ? v * 0x1p128 : v;
	case DIV_DOWN_DEN:
		return is_den ? v * 0x1p-128 : v;
	case DIV_UP_BOTH:
		return v * 0x1p128;
	case DIV_DOWN_BOTH:
		return v * 0x1p-128;
	case DIV_UP_NUM:
		return is_num ? v * 0x1p128 : v;
	default:
		return v;
	}
}

static inline bool
div_scaled_f64(double den, double num)
{
	enum div_case c = div_case_f64(den, num);
	return c == DIV_NAN || c == DIV_UP_DEN || c == DIV_DOWN_DEN || c == DIV_UP_NUM;
}

/* x: the quotient was scaled; its size says which way */
static inline float
div_fmas_f32(float a, float b, float c, u32 x)
{
	/* the scaled sum is rounded once: to a subnormal this differs from rounding the sum, then scaling */
	double wide = add_odd((double)a * (double)b, (double)c) * (exp32(c) > 127 ? 0x1p64 : 0x1p-64);
	float r = fmaf(a, b, c), scaled = (float)wide;
	return x ? scaled : r;
}

static inline double
div_fmas_f64(double a, double b, double c, u32 x)
{
	double r = fma(a, b, c), scaled = r * (exp64(c) > 1023 ? 0x1p128 : 0x1p-128);
	if (x && scaled != 0 && fabs(scaled) < 0x1p-1022) { /* rounded once, as above */
		__extension__ typedef __float128 wide;
		scaled = (double)(((wide)a * (wide)b + (wide)c) * (wide)0x1p-128);
	}
	return x ? scaled : r;
}

static inline float
div_fixup_f32(float q, float den, float num)
{
	u32 sign = (bits32(den) ^ bits32(num)) & 0x80000000;
	if (num != num)
		return quiet32(num);
	if (den != den)
		return quiet32(den);
	bool di = fabsf(den) == INFINITY, ni = fabsf(num) == INFINITY;
	if ((den == 0 && num == 0) || (di && ni))
		return float32(0xffc00000);
	if (den == 0 || ni)
		return float32(sign | 0x7f800000);
	if (di || num == 0)
		return float32(sign);
	if (exp32(num) - exp32(den) < -150)
		return float32(sign);
	return float32(sign | (q != q ? 0x7f800000 : bits32(q) & 0x7fffffff));
}

static inline double
div_fixup_f64(double q, double den, double num)
{
	u64 sign = (bits64(den) ^ bits64(num)) & 0x8000000000000000;
	if (num != num)
		return quiet64(num);
	if (den != den)
		return quiet64(den);
	bool di = fabs(den) == INFINITY, ni = fabs(num) == INFINITY;
	if ((den == 0 && num == 0) || (di && ni))
		return float64(0xfff8000000000000);
	if (den == 0 || ni)
		return float64(sign | 0x7ff0000000000000);
	if (di || num == 0)
		return float64(sign);
	if (exp64(num) - exp64(den) < -1075)
		return float64(sign);
	return float64(sign | (q != q ? 0x7ff0000000000000 : bits64(q) & 0x7fffffffffffffff));
}

static inline float
div_fixup_f16(float q, float den, float num)
{
	u32 sign = (bits32(den) ^ bits32(num)) & 0x80000000;
	if (num != num)
		return quiet32(num);
	if (den != den)
		return quiet32(den);
	bool di = fabsf(den) == INFINITY, ni = fabsf(num) == INFINITY;
	if ((den == 0 && num == 0) || (di && ni))
		return float32(0xffc00000);
	if (den == 0 || ni)
		return float32(sign | 0x7f800000);
	if (di || num == 0)
		return float32(sign);
	return float32(sign | (bits32(q) & 0x7fffffff));
}

/* --- cube maps: face, coordinates and major axis ------------------------------------------------------ */

static inline float
cube_id(float x, float y, float z)
{
	float ax = fabsf(x), ay = fabsf(y), az = fabsf(z);
	return az >= ax && az >= ay ? (z < 0 ? 5.0f : 4.0f) : ay >= ax ? (y < 0 ? 3.0f : 2.0f) : x < 0 ? 1.0f : 0.0f;
}

static inline float
cube_sc(float x, float y, float z)
{
	float ax = fabsf(x), ay = fabsf(y), az = fabsf(z);
	return az >= ax && az >= ay ? (z < 0 ? -x : x) : ay >= ax ? x : x < 0 ? z : -z;
}

static inline float
cube_tc(float x, float y, float z)
{
	float ax = fabsf(x), ay = fabsf(y), az = fabsf(z);
	return az >= ax && az >= ay ? -y : ay >= ax ? (y < 0 ? -z : z) : -y;
}

static inline float
cube_ma(float x, float y, float z)
{
	float ax = fabsf(x), ay = fabsf(y), az = fabsf(z);
	return 2.0f * (az >= ax && az >= ay ? z : ay >= ax ? y : x);
}

/* --- classes: bit 0 sNaN, 1 qNaN, 2 -inf, 3 -normal, 4 -subnormal, 5 -0, 6 +0 … 9 +inf ----------------- */

static inline u32
class_of(bool neg, bool zero, bool sub, bool inf, bool nan, bool snan)
{
	if (nan)
		return snan ? 1 : 2;
	if (inf)
		return neg ? 4 : 0x200;
	if (zero)
		return neg ? 0x20 : 0x40;
	if (sub)
		return neg ? 0x10 : 0x80;
	return neg ? 8 : 0x100;
}

static inline u32
class_f32(float a)
{
	u32 u = bits32(a), m = u & 0x7fffffff;
	return class_of(u >> 31, m == 0, m < 0x800000, m == 0x7f800000, m > 0x7f800000, snan32(a));
}

static inline u32
class_f16(float a)
{
	u32 u = bits32(a), m = u & 0x7fffffff;
	return class_of(u >> 31, m == 0, m < 0x38800000, m == 0x7f800000, m > 0x7f800000, snan32(a));
}

static inline u32
class_f64(double a)
{
	u64 u = bits64(a), m = u & 0x7fffffffffffffff;
	return class_of(u >> 63, m == 0, m < 0x10000000000000, m == 0x7ff0000000000000, m > 0x7ff0000000000000,
		snan64(a));
}

/* --- conversions: saturate, NaN becomes 0 --------------------------------------------------------------- */

static inline i32
cvt_i32_f32(float a)
{
	float c = a < -0x1p31f ? -0x1p31f : a > 0x1.fffffep30f ? 0x1.fffffep30f : a;
	i32 r = (i32)(c == c ? c : 0.0f);
	return a >= 0x1p31f ? INT32_MAX : r;
}

static inline u32
cvt_u32_f32(float a)
{
	float c = a > 0 ? a : 0.0f; /* NaN too */
	c = c > 0x1.fffffep31f ? 0x1.fffffep31f : c;
	bool big = c >= 0x1p31f;
	u32 r = (u32)(i32)(big ? c - 0x1p31f : c) + (big ? 0x80000000u : 0);
	return a >= 0x1p32f ? UINT32_MAX : r;
}

static inline i32
cvt_i32_f64(double a)
{
	double c = a < -0x1p31 ? -0x1p31 : a > 2147483647.0 ? 2147483647.0 : a;
	return (i32)(c == c ? c : 0.0);
}

static inline u32
cvt_u32_f64(double a)
{
	double c = a > 0 ? a : 0.0;
	c = c > 4294967295.0 ? 4294967295.0 : c;
	return (u32)(i64)c;
}

static inline u32
cvt_u8_f32(float a)
{
	float c = a > 0 ? a : 0.0f;
	return (u32)roundeven_f32(c > 255.0f ? 255.0f : c);
}

static inline i16
norm_i16(float a)
{
	float c = a < -1.0f ? -1.0f : a > 1.0f ? 1.0f : a == a ? a : 0.0f;
	return (i16)roundeven_f32(c * 32767.0f);
}

static inline u16
norm_u16(float a)
{
	float c = a > 0 ? (a > 1.0f ? 1.0f : a) : 0.0f;
	return (u16)(i32)roundeven_f32(c * 65535.0f);
}

#endif
