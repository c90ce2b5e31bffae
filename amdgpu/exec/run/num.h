/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * num.h - the functions that rows of isa.def name: bits, halves, the simple ones of floats; real.h has
 * the transcendental ones and division. All are pure, of one lane, and mostly free of
 * branches so that a loop over lanes vectorises.
 */
#ifndef HEDDLE_EXEC_NUM_H
#define HEDDLE_EXEC_NUM_H

#include "amdgpu/exec/run/run.h"
#include <math.h>

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

static inline i32
sat_i8(i32 v)
{
	return v < -128 ? -128 : v > 127 ? 127 : v;
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
	float normal = float32(mag + (112u << 23)); /* rebias */
	float special = float32(mag | 0x7f800000); /* infinity, NaN with its payload */
	float small = (float)(i32)(h & 0x3ff) * 0x1p-24f; /* subnormal: exact */
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
	u32 small = (man >> shift) +
		    (((man & ((1u << shift) - 1)) + (man >> shift & 1)) > 1u << (shift - 1));
	u32 nan = 0x7e00 | (mag >> 13 & 0x3ff);
	u32 r = mag > 0x7f800000    ? nan
		: mag >= 0x477ff000 ? 0x7c00
		: mag < 0x38800000  ? small
				    : normal;
	return r | sign;
}

static inline u16
f2bf(float f)
{
	u32 u = bits32(f);
	return (u16)(f != f ? (u >> 16 | 0x40) : (u + 0x7fff + (u >> 16 & 1)) >> 16);
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

/* The host's rounding, which the loop sets from MODE: 0 nearest, 1 down, 2 up, 3 to zero. */
static inline u32
host_round(void)
{
#ifdef __SSE2__
	return _mm_getcsr() >> 13 & 3;
#else
	return 0;
#endif
}

static inline u32
f2h_round(float f, u32 round)
{
	if (round == 0)
		return f2h(f);
	u32 t = f2h_rtz(f);
	bool exact = h2f(t) == f || f - f != 0, away = round == 1   ? f < 0
						       : round == 2 ? f > 0
								    : false;
	return t + (!exact && away);
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

/* to 24 bits, odd when inexact: enough for one right rounding to a half afterwards */
static inline float
odd_f32(double d)
{
	float f = (float)d;
	u32 u = bits32(f);
	if ((double)f != d && f - f == 0 && !(u & 1))
		u += ((double)f < d) == (d > 0) ? 1 : (u32)-1;
	return float32(u);
}

/* The product of two halves is exact in a float, and so is the error of the sum: made odd when inexact, 24 bits are
 * enough for one right rounding to a half. */
static inline float
fma_f16(float a, float b, float c)
{
	float p = a * b, s = p + c, t = s - p;
	float err = (p - (s - t)) + (c - t);
	u32 u = bits32(s), step = (err > 0) == (s > 0) ? 1 : ~0u;
	bool odd = err != 0 && s - s == 0 && !(u & 1);
	return float32(odd ? u + step : u);
}

/* f32 fused, then one rounding to half */
static inline float
fma_mix(float a, float b, float c)
{
	double r = add_odd((double)a * (double)b, (double)c);
	return r != r ? a * b + c : odd_f32(r);
}

/* Dot products of 16-bit floats take denormals of f32 and bfloat16 for zero, whatever MODE says, and never yield -0.
 * They are rounded once here; the hardware aligns and cuts the three terms first. */
static inline float
dot2_flush(float f)
{
	return fabsf(f) < 0x1p-126f ? 0.0f : f;
}

static inline float
dot2_f32_f16(u32 a, u32 b, float c)
{
	float lo = h2f(a & 0xffff) * h2f(b & 0xffff), hi = h2f(a >> 16) * h2f(b >> 16);
	return dot2_flush((float)((double)lo + (double)hi + (double)dot2_flush(c)));
}

static inline float
dot2_f32_bf16(u32 a, u32 b, float c)
{
	double lo = (double)dot2_flush(float32(a << 16)) * (double)dot2_flush(float32(b << 16));
	double hi = (double)dot2_flush(float32(a & 0xffff0000)) *
		    (double)dot2_flush(float32(b & 0xffff0000));
	return dot2_flush((float)(lo + hi + (double)dot2_flush(c)));
}

/* --- f32 ------------------------------------------------------------------------------------------- */

/* Without contraction: product and sum are rounded one after the other. */
static inline float
mad_f32(float a, float b, float c)
{
	float p = a * b;
	return p + c;
}

/* Lighting: specular terms of negative power vanish. */
static inline float
mullit_f32(float a, float b, float c)
{
	const float least = -0x1.fffffep127f;
	return b == least || b == -INFINITY || b != b || !(c > 0) ? least : a * b;
}

/* Compilers take x * 1 for x, but here it flushes denormals where the mode does: so 1 is no constant to them. */
#define exec_one GCN_NAME(exec_one_float)
extern const float exec_one;

/* IEEE mode: a signalling NaN becomes the result, quiet; else the number wins; -0 < +0. */
static inline float
min_f32(float a, float b)
{
	bool first = a < b || b != b || (a == b && bits32(a) >> 31);
	float r = first ? a : b;
	r = snan32(b) ? quiet32(b) : r;
	r = snan32(a) ? quiet32(a) : r;
	return r != r ? quiet32(r) : r * exec_one;
}

static inline float
max_f32(float a, float b)
{
	bool first = a > b || b != b || (a == b && !(bits32(a) >> 31));
	float r = first ? a : b;
	r = snan32(b) ? quiet32(b) : r;
	r = snan32(a) ? quiet32(a) : r;
	return r != r ? quiet32(r) : r * exec_one;
}

/* IEEE 754-2019: a NaN wins, a signalling one before a quiet one. */
static inline float
minimum_f32(float a, float b)
{
	float r = a != a ? a : b != b ? b : min_f32(a, b);
	r = snan32(b) && !snan32(a) ? b : r;
	return r != r ? quiet32(r) : r;
}

static inline float
maximum_f32(float a, float b)
{
	float r = a != a ? a : b != b ? b : max_f32(a, b);
	r = snan32(b) && !snan32(a) ? b : r;
	return r != r ? quiet32(r) : r;
}

static inline double
min_f64(double a, double b)
{
	bool first = a < b || b != b || (a == b && bits64(a) >> 63);
	double r = first ? a : b;
	r = snan64(b) ? quiet64(b) : r;
	r = snan64(a) ? quiet64(a) : r;
	return r != r ? quiet64(r) : r * (double)exec_one;
}

static inline double
max_f64(double a, double b)
{
	bool first = a > b || b != b || (a == b && !(bits64(a) >> 63));
	double r = first ? a : b;
	r = snan64(b) ? quiet64(b) : r;
	r = snan64(a) ? quiet64(a) : r;
	return r != r ? quiet64(r) : r * (double)exec_one;
}

static inline double
minimum_f64(double a, double b)
{
	double r = a != a ? a : b != b ? b : min_f64(a, b);
	r = snan64(b) && !snan64(a) ? b : r;
	return r != r ? quiet64(r) : r;
}

static inline double
maximum_f64(double a, double b)
{
	double r = a != a ? a : b != b ? b : max_f64(a, b);
	r = snan64(b) && !snan64(a) ? b : r;
	return r != r ? quiet64(r) : r;
}

static inline float
med3_f32(float a, float b, float c)
{
	float low = min_f32(min_f32(a, b), c);
	float mid = max_f32(min_f32(a, b), min_f32(max_f32(a, b), c));
	return a != a || b != b || c != c ? low : mid;
}

/* gfx12: IEEE 754-2019 minimumNumber; a number wins over any NaN. */
static inline float
min_num_f32(float a, float b)
{
	bool first = a < b || b != b || (a == b && bits32(a) >> 31);
	float r = first ? a : b;
	return r != r ? quiet32(r) : r * exec_one;
}

static inline float
max_num_f32(float a, float b)
{
	bool first = a > b || b != b || (a == b && !(bits32(a) >> 31));
	float r = first ? a : b;
	return r != r ? quiet32(r) : r * exec_one;
}

static inline double
min_num_f64(double a, double b)
{
	bool first = a < b || b != b || (a == b && bits64(a) >> 63);
	double r = first ? a : b;
	return r != r ? quiet64(r) : r * (double)exec_one;
}

static inline double
max_num_f64(double a, double b)
{
	bool first = a > b || b != b || (a == b && !(bits64(a) >> 63));
	double r = first ? a : b;
	return r != r ? quiet64(r) : r * (double)exec_one;
}

static inline float
med3_num_f32(float a, float b, float c)
{
	float low = min_num_f32(min_num_f32(a, b), c);
	float mid = max_num_f32(min_num_f32(a, b), min_num_f32(max_num_f32(a, b), c));
	return a != a || b != b || c != c ? low : mid;
}

/* To nearest even in every mode of the host. */
#ifdef __SSE4_1__
#define roundeven_f32(a) __builtin_roundevenf(a)
#define roundeven_f64(a) __builtin_roundeven(a)
#else
static inline float
roundeven_f32(float a)
{
	u32 u = bits32(a), mag = u & 0x7fffffff, sign = u & 0x80000000, e = mag >> 23;
	u32 shift = e >= 127 && e < 150 ? 150 - e : 1;
	u32 r = (mag + ((1u << (shift - 1)) - 1) + (mag >> shift & 1)) & ~((1u << shift) - 1);
	u32 small = mag > 0x3f000000 ? 0x3f800000 : 0;
	return e >= 150 ? a : float32(sign | (e < 127 ? small : r));
}

static inline double
roundeven_f64(double a)
{
	u64 u = bits64(a), mag = u & 0x7fffffffffffffff, sign = u & 0x8000000000000000,
	    e = mag >> 52;
	u64 shift = e >= 1023 && e < 1075 ? 1075 - e : 1;
	u64 r = (mag + ((1ull << (shift - 1)) - 1) + (mag >> shift & 1)) & ~((1ull << shift) - 1);
	u64 small = mag > 0x3fe0000000000000 ? 0x3ff0000000000000 : 0;
	return e >= 1075 ? a : float64(sign | (e < 1023 ? small : r));
}
#endif

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
	return class_of(
		u >> 31, m == 0, m < 0x38800000, m == 0x7f800000, m > 0x7f800000, snan32(a));
}

static inline u32
class_f64(double a)
{
	u64 u = bits64(a), m = u & 0x7fffffffffffffff;
	return class_of(u >> 63, m == 0, m < 0x10000000000000, m == 0x7ff0000000000000,
		m > 0x7ff0000000000000, snan64(a));
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
