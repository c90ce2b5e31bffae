/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * warp.h - barriers, votes and shuffles. Each ends in one row of warp.def, which the compiler
 * expands by the kernel's warp mode; nothing here knows the width of a wave.
 *
 * A shuffle's operand c is that of PTX (shfl.sync): the clamp lane in bits 0-4 and, in bits 8-12,
 * ones for the lane bits that stay fixed in a segment of `width` lanes. 64-bit values go as two
 * halves.
 */
#ifndef HEDDLE_WARP_H
#define HEDDLE_WARP_H

#include "device.h"

#define WARP(name, result, parameters, section) \
	extern "C" __device__ __attribute__((convergent)) result __heddle_##name parameters;
#include "heddle/warp.def"
#undef WARP

#if defined(__AMDGCN__)
HEDDLE_FN void __syncthreads() { __heddle_sync_block(); }
#else
extern "C" __device__ void __syncthreads(); /* the host pass knows a builtin of this name */
#endif
HEDDLE_FN int __syncthreads_count(int predicate) HEDDLE_BODY(return __heddle_sync_count(predicate);)
HEDDLE_FN int __syncthreads_and(int predicate) HEDDLE_BODY(return __heddle_sync_and(predicate);)
HEDDLE_FN int __syncthreads_or(int predicate) HEDDLE_BODY(return __heddle_sync_or(predicate);)
HEDDLE_FN void __syncwarp(unsigned mask = 0xffffffffu) HEDDLE_BODY(__heddle_sync_warp(mask);)

HEDDLE_FN int __all_sync(unsigned mask, int predicate) HEDDLE_BODY(return __heddle_vote_all(mask, predicate);)
HEDDLE_FN int __any_sync(unsigned mask, int predicate) HEDDLE_BODY(return __heddle_vote_any(mask, predicate);)
HEDDLE_FN int __uni_sync(unsigned mask, int predicate) HEDDLE_BODY(return __heddle_vote_uni(mask, predicate);)
HEDDLE_FN unsigned __ballot_sync(unsigned mask, int predicate) HEDDLE_BODY(return __heddle_ballot(mask, predicate);)
HEDDLE_FN unsigned __activemask() HEDDLE_BODY(return __heddle_active_mask();)

#define HEDDLE_SEGMENT(width) ((unsigned)(32 - (width)) << 8)

/* HEDDLE_SHUFFLE32(name, row, lane type, clamp, type, as unsigned) and the same of 64 bits */
#define HEDDLE_SHUFFLE32(name, row, lane, clamp, type)                                                 \
	HEDDLE_FN type name(unsigned mask, type value, lane where, int width = 32)                     \
	HEDDLE_BODY(return HEDDLE_BITS(type,                                                           \
		__heddle_##row(mask, HEDDLE_BITS(unsigned, value), (unsigned)where, HEDDLE_SEGMENT(width) | clamp));)
#define HEDDLE_SHUFFLE64(name, row, lane, clamp, type)                                                 \
	HEDDLE_FN type name(unsigned mask, type value, lane where, int width = 32)                     \
	HEDDLE_BODY(                                                                                   \
		unsigned long long bits = HEDDLE_BITS(unsigned long long, value);                      \
		unsigned c = HEDDLE_SEGMENT(width) | clamp;                                            \
		unsigned low = __heddle_##row(mask, (unsigned)bits, (unsigned)where, c);               \
		unsigned high = __heddle_##row(mask, (unsigned)(bits >> 32), (unsigned)where, c);      \
		return HEDDLE_BITS(type, (unsigned long long)high << 32 | low);)
#define HEDDLE_SHUFFLE(name, row, lane, clamp)                          \
	HEDDLE_SHUFFLE32(name, row, lane, clamp, int)                   \
	HEDDLE_SHUFFLE32(name, row, lane, clamp, unsigned int)          \
	HEDDLE_SHUFFLE32(name, row, lane, clamp, float)                 \
	HEDDLE_SHUFFLE64(name, row, lane, clamp, long)                  \
	HEDDLE_SHUFFLE64(name, row, lane, clamp, unsigned long)         \
	HEDDLE_SHUFFLE64(name, row, lane, clamp, long long)             \
	HEDDLE_SHUFFLE64(name, row, lane, clamp, unsigned long long)    \
	HEDDLE_SHUFFLE64(name, row, lane, clamp, double)
HEDDLE_SHUFFLE(__shfl_sync, shfl_idx, int, 31u)
HEDDLE_SHUFFLE(__shfl_up_sync, shfl_up, unsigned, 0u)
HEDDLE_SHUFFLE(__shfl_down_sync, shfl_down, unsigned, 31u)
HEDDLE_SHUFFLE(__shfl_xor_sync, shfl_bfly, int, 31u)
#undef HEDDLE_SHUFFLE
#undef HEDDLE_SHUFFLE64
#undef HEDDLE_SHUFFLE32
#undef HEDDLE_SEGMENT

/*
 * Matches and reductions: every lane of the mask reads every lane of the warp, one after the other,
 * and takes notice of those in the mask that run. So no lane's shuffle stands under a condition. A
 * reduction of all 32 lanes is a tree.
 */
#define HEDDLE_MATCH(type)                                                               \
	HEDDLE_FN unsigned __match_any_sync(unsigned mask, type value)                   \
	HEDDLE_BODY(                                                                     \
		unsigned same = 0;                                                       \
		for (int i = 0; i < 32; i++)                                             \
			same |= (unsigned)(__shfl_sync(mask, value, i) == value) << i;   \
		return same & mask & __activemask();)                                    \
	HEDDLE_FN unsigned __match_all_sync(unsigned mask, type value, int *all)         \
	HEDDLE_BODY(                                                                     \
		const unsigned same = __match_any_sync(mask, value);                     \
		*all = same == (mask & __activemask());                                  \
		return *all ? same : 0;)
HEDDLE_MATCH(int)
HEDDLE_MATCH(unsigned int)
HEDDLE_MATCH(long)
HEDDLE_MATCH(unsigned long)
HEDDLE_MATCH(long long)
HEDDLE_MATCH(unsigned long long)
#undef HEDDLE_MATCH
#define HEDDLE_MATCH(type, word) /* by their bits */                                    \
	HEDDLE_FN unsigned __match_any_sync(unsigned mask, type value)                  \
	HEDDLE_BODY(return __match_any_sync(mask, HEDDLE_BITS(word, value));)           \
	HEDDLE_FN unsigned __match_all_sync(unsigned mask, type value, int *all)        \
	HEDDLE_BODY(return __match_all_sync(mask, HEDDLE_BITS(word, value), all);)
HEDDLE_MATCH(float, unsigned int)
HEDDLE_MATCH(double, unsigned long long)
#undef HEDDLE_MATCH
#define HEDDLE_REDUCE(name, type, neutral, result)                                      \
	HEDDLE_FN type __reduce_##name##_sync(unsigned mask, type value)                \
	HEDDLE_BODY(                                                                    \
		const unsigned on = mask & __activemask();                              \
		type a = value;                                                         \
		if (on == 0xffffffffu) { /* a tree */                                   \
			for (int d = 1; d < 32; d *= 2) {                               \
				type b = __shfl_xor_sync(mask, a, d);                   \
				a = result;                                             \
			}                                                               \
			return a;                                                       \
		}                                                                       \
		a = neutral;                                                            \
		for (int i = 0; i < 32; i++) {                                          \
			type b = __shfl_sync(mask, value, i);                           \
			a = on >> i & 1 ? result : a;                                   \
		}                                                                       \
		return a;)
HEDDLE_REDUCE(add, unsigned int, 0, a + b)
HEDDLE_REDUCE(add, int, 0, (int)((unsigned)a + (unsigned)b))
HEDDLE_REDUCE(min, unsigned int, 0xffffffffu, a < b ? a : b)
HEDDLE_REDUCE(min, int, 0x7fffffff, a < b ? a : b)
HEDDLE_REDUCE(max, unsigned int, 0, a > b ? a : b)
HEDDLE_REDUCE(max, int, (-0x7fffffff - 1), a > b ? a : b)
HEDDLE_REDUCE(and, unsigned int, 0xffffffffu, a & b)
HEDDLE_REDUCE(or, unsigned int, 0, a | b)
HEDDLE_REDUCE(xor, unsigned int, 0, a ^ b)
#undef HEDDLE_REDUCE

#endif
