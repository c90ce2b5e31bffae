/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * simd.h - several small integers in one word: the SIMD intrinsics on two halves (names that end in
 * 2) or four bytes (4), the dot products, and the DPX functions. All are written as what they do to
 * one lane; the compiler finds packed instructions where the GPU has them. (__vavgs2 and 4 are left
 * out: how they round a negative sum is not documented.)
 */
#ifndef HEDDLE_SIMD_H
#define HEDDLE_SIMD_H

#include "integer.h"
#include "../vector_types.h"

/* Lane i of x as a signed or unsigned number; a word whose lane i is n; a bound of a lane's
 * values */
#define HEDDLE_S(x, i, bits) ((int)((x) << (32 - bits - i * bits)) >> (32 - bits))
#define HEDDLE_U(x, i, bits) ((int)((x) >> (i * bits) & ((1u << bits) - 1)))
#define HEDDLE_PUT(n, i, bits) (((unsigned)(n) & ((1u << bits) - 1)) << (i * bits))
#define HEDDLE_CLAMP(n, low, high) ((n) < (low) ? (low) : (n) > (high) ? (high) : (n))
#define HEDDLE_SMAX(bits) ((1 << (bits - 1)) - 1)
#define HEDDLE_UMAX(bits) ((1 << bits) - 1)

/* HEDDLE_LANES(name, how to read a lane, lane's result from p, q and `bits`), for halves and for
 * bytes */
#define HEDDLE_LANES1(name, bits, count, S, result)                                     \
	HEDDLE_FN unsigned int name##count(unsigned int a)                              \
	HEDDLE_BODY(                                                                    \
		unsigned r = 0;                                                         \
		for (int i = 0; i < count; i++) {                                       \
			int p = HEDDLE_##S(a, i, bits);                                 \
			r |= HEDDLE_PUT(result(p, bits), i, bits);                      \
		}                                                                       \
		return r;)
#define HEDDLE_LANES2(name, bits, count, S, result)                                     \
	HEDDLE_FN unsigned int name##count(unsigned int a, unsigned int b)              \
	HEDDLE_BODY(                                                                    \
		unsigned r = 0;                                                         \
		for (int i = 0; i < count; i++) {                                       \
			int p = HEDDLE_##S(a, i, bits), q = HEDDLE_##S(b, i, bits);     \
			r |= HEDDLE_PUT(result(p, q, bits), i, bits);                   \
		}                                                                       \
		return r;)
#define HEDDLE_SUM(name, bits, count, S, result)                                        \
	HEDDLE_FN unsigned int name##count(unsigned int a, unsigned int b)              \
	HEDDLE_BODY(                                                                    \
		unsigned r = 0;                                                         \
		for (int i = 0; i < count; i++) {                                       \
			int p = HEDDLE_##S(a, i, bits), q = HEDDLE_##S(b, i, bits);     \
			r += (unsigned)result(p, q, bits);                              \
		}                                                                       \
		return r;)
#define HEDDLE_BOTH(LANES, name, S, result) LANES(name, 16, 2, S, result) LANES(name, 8, 4, S, result)

#define HEDDLE_ABS(p, bits)         ((p) < 0 ? -(p) : (p))
#define HEDDLE_ABS_SAT(p, bits)     HEDDLE_CLAMP(HEDDLE_ABS(p, bits), 0, HEDDLE_SMAX(bits))
#define HEDDLE_NEG(p, bits)         (-(p))
#define HEDDLE_NEG_SAT(p, bits)     HEDDLE_CLAMP(-(p), -HEDDLE_SMAX(bits) - 1, HEDDLE_SMAX(bits))
#define HEDDLE_ADD(p, q, bits)      ((p) + (q))
#define HEDDLE_ADD_SS(p, q, bits)   HEDDLE_CLAMP((p) + (q), -HEDDLE_SMAX(bits) - 1, HEDDLE_SMAX(bits))
#define HEDDLE_ADD_US(p, q, bits)   HEDDLE_CLAMP((p) + (q), 0, HEDDLE_UMAX(bits))
#define HEDDLE_SUB(p, q, bits)      ((p) - (q))
#define HEDDLE_SUB_SS(p, q, bits)   HEDDLE_CLAMP((p) - (q), -HEDDLE_SMAX(bits) - 1, HEDDLE_SMAX(bits))
#define HEDDLE_SUB_US(p, q, bits)   HEDDLE_CLAMP((p) - (q), 0, HEDDLE_UMAX(bits))
#define HEDDLE_HALF_UP(p, q, bits)  (((p) + (q) + 1) >> 1)
#define HEDDLE_HALF(p, q, bits)     (((p) + (q)) >> 1)
#define HEDDLE_DIFF(p, q, bits)     ((p) > (q) ? (p) - (q) : (q) - (p))
#define HEDDLE_MAX(p, q, bits)      ((p) > (q) ? (p) : (q))
#define HEDDLE_MIN(p, q, bits)      ((p) < (q) ? (p) : (q))
HEDDLE_BOTH(HEDDLE_LANES1, __vabs, S, HEDDLE_ABS)
HEDDLE_BOTH(HEDDLE_LANES1, __vabsss, S, HEDDLE_ABS_SAT)
HEDDLE_BOTH(HEDDLE_LANES1, __vneg, S, HEDDLE_NEG)
HEDDLE_BOTH(HEDDLE_LANES1, __vnegss, S, HEDDLE_NEG_SAT)
HEDDLE_BOTH(HEDDLE_LANES2, __vadd, U, HEDDLE_ADD)
HEDDLE_BOTH(HEDDLE_LANES2, __vaddss, S, HEDDLE_ADD_SS)
HEDDLE_BOTH(HEDDLE_LANES2, __vaddus, U, HEDDLE_ADD_US)
HEDDLE_BOTH(HEDDLE_LANES2, __vsub, U, HEDDLE_SUB)
HEDDLE_BOTH(HEDDLE_LANES2, __vsubss, S, HEDDLE_SUB_SS)
HEDDLE_BOTH(HEDDLE_LANES2, __vsubus, U, HEDDLE_SUB_US)
HEDDLE_BOTH(HEDDLE_LANES2, __vavgu, U, HEDDLE_HALF_UP)
HEDDLE_BOTH(HEDDLE_LANES2, __vhaddu, U, HEDDLE_HALF)
HEDDLE_BOTH(HEDDLE_LANES2, __vabsdiffs, S, HEDDLE_DIFF)
HEDDLE_BOTH(HEDDLE_LANES2, __vabsdiffu, U, HEDDLE_DIFF)
HEDDLE_BOTH(HEDDLE_LANES2, __vmaxs, S, HEDDLE_MAX)
HEDDLE_BOTH(HEDDLE_LANES2, __vmaxu, U, HEDDLE_MAX)
HEDDLE_BOTH(HEDDLE_LANES2, __vmins, S, HEDDLE_MIN)
HEDDLE_BOTH(HEDDLE_LANES2, __vminu, U, HEDDLE_MIN)
HEDDLE_BOTH(HEDDLE_SUM, __vsads, S, HEDDLE_DIFF)
HEDDLE_BOTH(HEDDLE_SUM, __vsadu, U, HEDDLE_DIFF)

/* Comparisons: all ones (vcmp) or one (vset) where it holds */
#define HEDDLE_EQ(p, q, bits) ((p) == (q))
#define HEDDLE_NE(p, q, bits) ((p) != (q))
#define HEDDLE_GE(p, q, bits) ((p) >= (q))
#define HEDDLE_GT(p, q, bits) ((p) > (q))
#define HEDDLE_LE(p, q, bits) ((p) <= (q))
#define HEDDLE_LT(p, q, bits) ((p) < (q))
#define HEDDLE_ALL_EQ(p, q, bits) (-((p) == (q)))
#define HEDDLE_ALL_NE(p, q, bits) (-((p) != (q)))
#define HEDDLE_ALL_GE(p, q, bits) (-((p) >= (q)))
#define HEDDLE_ALL_GT(p, q, bits) (-((p) > (q)))
#define HEDDLE_ALL_LE(p, q, bits) (-((p) <= (q)))
#define HEDDLE_ALL_LT(p, q, bits) (-((p) < (q)))
#define HEDDLE_COMPARE(suffix, S, relation)                                     \
	HEDDLE_BOTH(HEDDLE_LANES2, __vcmp##suffix, S, HEDDLE_ALL_##relation)    \
	HEDDLE_BOTH(HEDDLE_LANES2, __vset##suffix, S, HEDDLE_##relation)
HEDDLE_COMPARE(eq, U, EQ)
HEDDLE_COMPARE(ne, U, NE)
HEDDLE_COMPARE(ges, S, GE)
HEDDLE_COMPARE(geu, U, GE)
HEDDLE_COMPARE(gts, S, GT)
HEDDLE_COMPARE(gtu, U, GT)
HEDDLE_COMPARE(les, S, LE)
HEDDLE_COMPARE(leu, U, LE)
HEDDLE_COMPARE(lts, S, LT)
HEDDLE_COMPARE(ltu, U, LT)

/* Dot products: four bytes by four; two halves by the low (lo) or high (hi) two bytes */
#define HEDDLE_DOT(result, word, S)                                                                          \
	HEDDLE_FN result __dp4a(word a, word b, result c)                                                    \
	HEDDLE_BODY(                                                                                         \
		for (int i = 0; i < 4; i++)                                                                  \
			c += (result)(HEDDLE_##S((unsigned)a, i, 8) * HEDDLE_##S((unsigned)b, i, 8));        \
		return c;)                                                                                   \
	HEDDLE_FN result __dp2a_lo(word a, word b, result c)                                                 \
	HEDDLE_BODY(                                                                                         \
		for (int i = 0; i < 2; i++)                                                                  \
			c += (result)(HEDDLE_##S((unsigned)a, i, 16) * HEDDLE_##S((unsigned)b, i, 8));       \
		return c;)                                                                                   \
	HEDDLE_FN result __dp2a_hi(word a, word b, result c)                                                 \
	HEDDLE_BODY(                                                                                         \
		for (int i = 0; i < 2; i++)                                                                  \
			c += (result)(HEDDLE_##S((unsigned)a, i, 16) * HEDDLE_##S((unsigned)b, (i + 2), 8)); \
		return c;)
HEDDLE_DOT(int, int, S)
HEDDLE_DOT(unsigned int, unsigned int, U)
#undef HEDDLE_DOT
#define HEDDLE_VECTOR(vector, word, result, halves)                                                          \
	HEDDLE_FN result __dp4a(vector a, vector b, result c)                                                \
	HEDDLE_BODY(return __dp4a(HEDDLE_BITS(word, a), HEDDLE_BITS(word, b), c);)                           \
	HEDDLE_FN result __dp2a_lo(halves a, vector b, result c)                                             \
	HEDDLE_BODY(return __dp2a_lo(HEDDLE_BITS(word, a), HEDDLE_BITS(word, b), c);)                        \
	HEDDLE_FN result __dp2a_hi(halves a, vector b, result c)                                             \
	HEDDLE_BODY(return __dp2a_hi(HEDDLE_BITS(word, a), HEDDLE_BITS(word, b), c);)
HEDDLE_VECTOR(char4, int, int, short2)
HEDDLE_VECTOR(uchar4, unsigned int, unsigned int, ushort2)
#undef HEDDLE_VECTOR

/* DPX: max and min of three, of a sum and a third, with a lower bound of 0 (relu), with who won
 * (b) */
#define HEDDLE_DPX(type, suffix)                                                                                       \
	HEDDLE_FN type __vimax3_##suffix(type a, type b, type c) HEDDLE_BODY(return max(max(a, b), c);)                \
	HEDDLE_FN type __vimin3_##suffix(type a, type b, type c) HEDDLE_BODY(return min(min(a, b), c);)                \
	HEDDLE_FN type __viaddmax_##suffix(type a, type b, type c)                                                     \
	HEDDLE_BODY(return max((type)((unsigned)a + (unsigned)b), c);)                                                 \
	HEDDLE_FN type __viaddmin_##suffix(type a, type b, type c)                                                     \
	HEDDLE_BODY(return min((type)((unsigned)a + (unsigned)b), c);)                                                 \
	HEDDLE_FN type __vibmax_##suffix(type a, type b, bool *first) HEDDLE_BODY(*first = a >= b; return max(a, b);)  \
	HEDDLE_FN type __vibmin_##suffix(type a, type b, bool *first) HEDDLE_BODY(*first = a <= b; return min(a, b);)
HEDDLE_DPX(int, s32)
HEDDLE_DPX(unsigned int, u32)
#undef HEDDLE_DPX
HEDDLE_FN int __vimax_s32_relu(int a, int b) HEDDLE_BODY(return max(max(a, b), 0);)
HEDDLE_FN int __vimin_s32_relu(int a, int b) HEDDLE_BODY(return max(min(a, b), 0);)
HEDDLE_FN int __vimax3_s32_relu(int a, int b, int c) HEDDLE_BODY(return max(__vimax3_s32(a, b, c), 0);)
HEDDLE_FN int __vimin3_s32_relu(int a, int b, int c) HEDDLE_BODY(return max(__vimin3_s32(a, b, c), 0);)
HEDDLE_FN int __viaddmax_s32_relu(int a, int b, int c) HEDDLE_BODY(return max(__viaddmax_s32(a, b, c), 0);)
HEDDLE_FN int __viaddmin_s32_relu(int a, int b, int c) HEDDLE_BODY(return max(__viaddmin_s32(a, b, c), 0);)
#define HEDDLE_DPX(s, max2, min2, ge, le)                                                                     \
	HEDDLE_FN unsigned int __vimax3_##s(unsigned int a, unsigned int b, unsigned int c)                   \
	HEDDLE_BODY(return max2(max2(a, b), c);)                                                              \
	HEDDLE_FN unsigned int __vimin3_##s(unsigned int a, unsigned int b, unsigned int c)                   \
	HEDDLE_BODY(return min2(min2(a, b), c);)                                                              \
	HEDDLE_FN unsigned int __viaddmax_##s(unsigned int a, unsigned int b, unsigned int c)                 \
	HEDDLE_BODY(return max2(__vadd2(a, b), c);)                                                           \
	HEDDLE_FN unsigned int __viaddmin_##s(unsigned int a, unsigned int b, unsigned int c)                 \
	HEDDLE_BODY(return min2(__vadd2(a, b), c);)                                                           \
	HEDDLE_FN unsigned int __vibmax_##s(unsigned int a, unsigned int b, bool *high, bool *low)            \
	HEDDLE_BODY(unsigned p = ge(a, b); *high = p >> 16; *low = p & 1; return max2(a, b);)                 \
	HEDDLE_FN unsigned int __vibmin_##s(unsigned int a, unsigned int b, bool *high, bool *low)            \
	HEDDLE_BODY(unsigned p = le(a, b); *high = p >> 16; *low = p & 1; return min2(a, b);)
HEDDLE_DPX(s16x2, __vmaxs2, __vmins2, __vsetges2, __vsetles2)
HEDDLE_DPX(u16x2, __vmaxu2, __vminu2, __vsetgeu2, __vsetleu2)
#undef HEDDLE_DPX
#define HEDDLE_DPX(name) \
	HEDDLE_FN unsigned int name##_relu(unsigned int a, unsigned int b, unsigned int c) \
	HEDDLE_BODY(return __vmaxs2(name(a, b, c), 0);)
HEDDLE_DPX(__vimax3_s16x2)
HEDDLE_DPX(__vimin3_s16x2)
HEDDLE_DPX(__viaddmax_s16x2)
HEDDLE_DPX(__viaddmin_s16x2)
#undef HEDDLE_DPX
HEDDLE_FN unsigned int __vimax_s16x2_relu(unsigned int a, unsigned int b) HEDDLE_BODY(return __vmaxs2(__vmaxs2(a, b), 0);)
HEDDLE_FN unsigned int __vimin_s16x2_relu(unsigned int a, unsigned int b) HEDDLE_BODY(return __vmaxs2(__vmins2(a, b), 0);)

#undef HEDDLE_ABS
#undef HEDDLE_ABS_SAT
#undef HEDDLE_ADD
#undef HEDDLE_ADD_SS
#undef HEDDLE_ADD_US
#undef HEDDLE_ALL_EQ
#undef HEDDLE_ALL_GE
#undef HEDDLE_ALL_GT
#undef HEDDLE_ALL_LE
#undef HEDDLE_ALL_LT
#undef HEDDLE_ALL_NE
#undef HEDDLE_BOTH
#undef HEDDLE_CLAMP
#undef HEDDLE_COMPARE
#undef HEDDLE_DIFF
#undef HEDDLE_EQ
#undef HEDDLE_GE
#undef HEDDLE_GT
#undef HEDDLE_HALF
#undef HEDDLE_HALF_UP
#undef HEDDLE_LANES1
#undef HEDDLE_LANES2
#undef HEDDLE_LE
#undef HEDDLE_LT
#undef HEDDLE_MAX
#undef HEDDLE_MIN
#undef HEDDLE_NE
#undef HEDDLE_NEG
#undef HEDDLE_NEG_SAT
#undef HEDDLE_PUT
#undef HEDDLE_S
#undef HEDDLE_SMAX
#undef HEDDLE_SUB
#undef HEDDLE_SUB_SS
#undef HEDDLE_SUB_US
#undef HEDDLE_SUM
#undef HEDDLE_U
#undef HEDDLE_UMAX

#endif
