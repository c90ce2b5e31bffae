/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * warp.h - barriers, votes and shuffles. Each ends in one row of warp.def, which the compiler expands
 * by the kernel's warp mode; nothing here knows the width of a wave.
 *
 * A shuffle's operand c is that of PTX (shfl.sync): the clamp lane in bits 0-4 and, in bits 8-12, ones
 * for the lane bits that stay fixed in a segment of `width` lanes. 64-bit values go as two halves.
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

#endif
