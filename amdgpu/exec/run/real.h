/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * real.h - transcendental functions, the three steps of division, and the coordinates of cube maps, one lane
 * each. Results are within one ulp, as the hardware's; division comes out rounded right.
 */
#ifndef HEDDLE_EXEC_REAL_H
#define HEDDLE_EXEC_REAL_H

#include "amdgpu/exec/run/num.h"

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
	float r = (float)sin_turn(x - n), m = fabsf(a);
	r = a == 0 ? a : r;
	r = m > 256.0f ? 0.0f : r;
	return m == INFINITY ? float32(NAN32) : r;
}

static inline float
cos_f32(float a)
{
	double x = (double)fabsf(a), n = (x + 0x1.8p52) - 0x1.8p52;
	float r = (float)sin_turn(0.25 - fabs(x - n)), m = fabsf(a);
	r = m > 256.0f ? 1.0f : r;
	return m == INFINITY ? float32(NAN32) : r;
}

/* Bits of 2 / pi, most significant first, for the reduction of large f64 angles: the instruction yields 53 of
 * them from a place that the operand's exponent and a segment number choose. */
static inline double
trig_preop_f64(double a, u32 segment)
{
	static const u64 digits[] = {
		0xA2F9836E4E441529,
		0xFC2757D1F534DDC0,
		0xDB6295993C439041,
		0xFE5163ABDEBBC561,
		0xB7246E3A424DD2E0,
		0x06492EEA09D1921C,
		0xFE1DEB1CB129A73E,
		0xE88235F52EBB4484,
		0xE99C7026B45F7E41,
		0x3991D639835339F4,
		0x9C845F8BBDF9283B,
		0x1FF897FFDE05980F,
		0xEF2F118B5A0A6D1F,
		0x6D367ECF27CB09B7,
		0x4F463F669E5FEA2D,
		0x7527BAC7EBE5F17B,
		0x3D0739F78A5292EA,
		0x6BFB5FB11F8D5D08,
		0x56033046FC7B6BAB,
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

enum div_case {
	DIV_PLAIN,
	DIV_NAN,
	DIV_DOWN_DEN,
	DIV_UP_BOTH,
	DIV_DOWN_BOTH,
	DIV_UP_NUM,
	DIV_UP_DEN
};

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
	double wide =
		add_odd((double)a * (double)b, (double)c) * (exp32(c) > 127 ? 0x1p64 : 0x1p-64);
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
	return az >= ax && az >= ay ? (z < 0 ? 5.0f : 4.0f)
	       : ay >= ax           ? (y < 0 ? 3.0f : 2.0f)
	       : x < 0              ? 1.0f
				    : 0.0f;
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

#endif
