/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * small.h - floats of 4 to 16 bits: decoded exactly, encoded with one rounding (to nearest even, or stochastic:
 * random bits are added below the last kept one). Block-scaled conversions take a power of two besides, the
 * exponent of a float. What does not fit becomes what the format has for it: infinity, else NaN, else the
 * largest number; MODE.FP16_OVFL, which would clamp, is refused by s_setreg.
 *
 *   FP8   1 4 3  bias 7, no infinity, NaN is all ones         FP8_Z  bias 8, no infinity and no -0, NaN is 0x80
 *   BF8   1 5 2  as IEEE                                      BF8_Z  bias 16, the same
 *   FP6   1 2 3  BF6 1 3 2  FP4 1 2 1: numbers only           F16, BF16  as IEEE
 * Sections: AMD "CDNA3 ISA" 7.2, "CDNA4 ISA" 7.2, OCP "Microscaling Formats" 5.3.
 */
#ifndef HEDDLE_EXEC_SMALL_H
#define HEDDLE_EXEC_SMALL_H

#include "amdgpu/exec/run/num.h"

enum small { FP8, BF8, FP8_Z, BF8_Z, FP6, BF6, FP4, F16, BF16, F32 };
enum small_special { SMALL_IEEE, SMALL_NAN, SMALL_ZERO_NAN, SMALL_NONE };

struct small_format {
	u8 bits, mant, bias, special;
};

static inline struct small_format
small_format(enum small f)
{
	static const struct small_format formats[] = {
		[FP8] = {8, 3, 7, SMALL_NAN},
		[BF8] = {8, 2, 15, SMALL_IEEE},
		[FP8_Z] = {8, 3, 8, SMALL_ZERO_NAN},
		[BF8_Z] = {8, 2, 16, SMALL_ZERO_NAN},
		[FP6] = {6, 3, 1, SMALL_NONE},
		[BF6] = {6, 2, 3, SMALL_NONE},
		[FP4] = {4, 1, 1, SMALL_NONE},
		[F16] = {16, 10, 15, SMALL_IEEE},
		[BF16] = {16, 7, 127, SMALL_IEEE},
		[F32] = {32, 23, 127, SMALL_IEEE},
	};
	return formats[f];
}

/* 2^n as a float is exact, or 0 or infinity */
static inline float
small_value(enum small f, u32 v, i32 scale)
{
	struct small_format s = small_format(f);
	u32 sign = v >> (s.bits - 1) & 1, mag = v & ((1u << (s.bits - 1)) - 1);
	u32 exp = mag >> s.mant, frac = mag & ((1u << s.mant) - 1), top = mag >> s.mant;
	u32 ones = (1u << (s.bits - 1 - s.mant)) - 1;
	u32 nan = sign << 31 | NAN32;
	if (f == F32)
		return ldexp_f32(float32(v), scale);
	if (s.special == SMALL_ZERO_NAN && sign && mag == 0)
		return float32(0xffc00000);
	if (s.special == SMALL_NAN && mag == (1u << (s.bits - 1)) - 1)
		return float32(nan);
	if (s.special == SMALL_IEEE && top == ones)
		return frac ? float32(nan | frac << (23 - s.mant)) : sign ? -INFINITY : INFINITY;
	double d = (double)(exp ? frac + (1u << s.mant) : frac) *
		   pow2((exp ? (i32)exp : 1) - s.bias - s.mant + scale);
	return (float)(sign ? -d : d);
}

static inline u32
small_overflow(enum small f, u32 sign)
{
	struct small_format s = small_format(f);
	u32 all = (1u << (s.bits - 1)) - 1;
	switch ((enum small_special)s.special) {
	case SMALL_IEEE:
		return sign | (all & ~((1u << s.mant) - 1));
	case SMALL_ZERO_NAN:
		return 1u << (s.bits - 1);
	default:
		return sign | all; /* NaN or the largest number */
	}
}

static inline u32
small_nan(enum small f, u32 sign)
{
	struct small_format s = small_format(f);
	return s.special == SMALL_NONE       ? 0
	       : s.special == SMALL_ZERO_NAN ? 1u << (s.bits - 1)
					     : sign | ((1u << (s.bits - 1)) - 1);
}

/* v * 2^-scale; `seed`: its upper bits are added to the bits that are dropped, NULL: to nearest even. */
static inline u32
small_bits(enum small f, float v, i32 scale, const u32 *seed)
{
	struct small_format s = small_format(f);
	u32 u = bits32(v), mag = u & 0x7fffffff, sign = u >> 31 << (s.bits - 1);
	if (mag > 0x7f800000)
		return small_nan(f, sign);
	if (mag == 0x7f800000)
		return small_overflow(f, sign);
	i32 e = mag < 0x800000 ? -126 : (i32)(mag >> 23) - 127;
	u32 m = mag < 0x800000 ? mag : (mag & 0x7fffff) | 0x800000;
	if (m == 0)
		return s.special == SMALL_ZERO_NAN ? 0 : sign;
	i32 norm = __builtin_clz(m) - 8, least = 1 - s.bias;
	m <<= norm; /* the value is 1.m * 2^(e - norm - scale) */
	e -= norm + scale;
	u32 drop = 23u - s.mant + (u32)(e < least ? least - e : 0);
	u64 r = drop == 0 ? m : 0; /* a float takes all of it */
	if (drop > 0 && drop <= 24) {
		u64 half = seed ? *seed >> (32 - drop) : (1u << (drop - 1)) - 1 + (m >> drop & 1);
		r = ((u64)m + half) >> drop;
	}
	u64 code = ((u64)(e < least ? 0 : e - least) << s.mant) + r;
	u32 most = (1u << (s.bits - 1)) - 1; /* the largest number's */
	most -= s.special == SMALL_IEEE ? 1u << s.mant : s.special == SMALL_NAN ? 1 : 0;
	if (code > most)
		return small_overflow(f, sign);
	return code == 0 && s.special == SMALL_ZERO_NAN ? 0 : sign | (u32)code;
}

/* --- what rows of isa_valu.def name -------------------------------------------------------------------- */

static inline u32
prng(u32 v)
{
	return v << 1 ^ (v >> 31 ? 197 : 0);
}

/* The exponent of a scale, without bias. */
static inline i32
scale_of(float f)
{
	return (i32)(bits32(f) >> 23 & 255) - 127;
}

static inline u32
small_pair(enum small f, float a, float b, i32 scale)
{
	u32 bits = small_format(f).bits;
	return small_bits(f, a, scale, NULL) | small_bits(f, b, scale, NULL) << bits;
}

/* Two numbers rounded with a seed and the one that follows it. */
static inline u32
small_pair_sr(enum small f, float a, float b, u32 seed, i32 scale)
{
	u32 bits = small_format(f).bits, next = prng(seed);
	return small_bits(f, a, scale, &seed) | small_bits(f, b, scale, &next) << bits;
}

static inline u32
small_sr(enum small f, float a, u32 seed, i32 scale)
{
	return small_bits(f, a, scale, &seed);
}

/* Numbers 0 and 1 of v, of a format, as two of another (F32: 64 bits). */
static inline u64
small_to_pair(enum small to, enum small from, u32 v, i32 scale)
{
	u32 bits = small_format(from).bits, mask = (1u << bits) - 1, width = small_format(to).bits;
	u64 lo = small_bits(to, small_value(from, v & mask, scale), 0, NULL);
	u64 hi = small_bits(to, small_value(from, v >> bits & mask, scale), 0, NULL);
	if (to == F32) {
		lo = bits32(small_value(from, v & mask, scale));
		hi = bits32(small_value(from, v >> bits & mask, scale));
	}
	return lo | hi << width;
}

static inline float
bf2f(u32 v)
{
	return float32(v << 16);
}

static inline float
dot4_small(enum small fa, enum small fb, u32 a, u32 b, float c)
{
	double sum = (double)c;
	for (u32 i = 0; i < 32; i += 8)
		sum += (double)small_value(fa, a >> i & 255, 0) *
		       (double)small_value(fb, b >> i & 255, 0);
	return (float)sum;
}

/* --- many at a time: 32 numbers of 6 bits ---------------------------------------------------------------- */

static inline u32
packed_get(const u32 *p, u32 bits, u32 i)
{
	u32 at = i * bits, v = p[at / 32] >> at % 32;
	if (at % 32 + bits > 32)
		v |= p[at / 32 + 1] << (32 - at % 32);
	return bits == 32 ? v : v & ((1u << bits) - 1);
}

/* Into words that are 0 where nothing was put. */
static inline void
packed_put(u32 *p, u32 bits, u32 i, u32 v)
{
	u32 at = i * bits;
	p[at / 32] |= v << at % 32;
	if (at % 32 + bits > 32)
		p[at / 32 + 1] |= v >> (32 - at % 32);
}

static inline float
small_at(enum small f, const u32 *p, u32 i, i32 scale)
{
	return small_value(f, packed_get(p, small_format(f).bits, i), scale);
}

static inline void
small_unpack(u32 *d, const u32 *p, enum small to, enum small from, u32 scale)
{
	i32 s = scale_of(float32(scale));
	for (u32 i = 0; i < 32; i++) {
		float v = small_at(from, p, i, s);
		packed_put(d, small_format(to).bits, i,
			to == F32 ? bits32(v) : small_bits(to, v, 0, NULL));
	}
}

/* From 32 numbers, or from 16 and 16 that take turns (q); with a seed that changes at each. */
static inline void
small_pack(u32 *d, const u32 *p, const u32 *q, enum small to, enum small from, const u32 *seed, u32 scale)
{
	i32 s = scale_of(float32(scale));
	u32 random = seed ? *seed : 0;
	for (u32 i = 0; i < 32; i++) {
		float v = q == NULL ? small_at(from, p, i, 0)
				    : small_at(from, i & 1 ? q : p, i / 2, 0);
		packed_put(d, 6, i, small_bits(to, v, s, seed ? &random : NULL));
		random = prng(random);
	}
}

#endif
