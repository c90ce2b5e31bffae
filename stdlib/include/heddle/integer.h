/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* integer.h - integer intrinsics, bit casts, min and max. Most are one instruction on AMD too. */
#ifndef HEDDLE_INTEGER_H
#define HEDDLE_INTEGER_H

#include "device.h"

/* Bit casts */
#define HEDDLE_CAST(name, to, from) HEDDLE_FN to name(from x) HEDDLE_BODY(return HEDDLE_BITS(to, x);)
HEDDLE_CAST(__int_as_float, float, int)
HEDDLE_CAST(__float_as_int, int, float)
HEDDLE_CAST(__uint_as_float, float, unsigned int)
HEDDLE_CAST(__float_as_uint, unsigned int, float)
HEDDLE_CAST(__longlong_as_double, double, long long)
HEDDLE_CAST(__double_as_longlong, long long, double)
#undef HEDDLE_CAST
HEDDLE_FN int __double2hiint(double x) HEDDLE_BODY(return (int)(HEDDLE_BITS(unsigned long long, x) >> 32);)
HEDDLE_FN int __double2loint(double x) HEDDLE_BODY(return (int)HEDDLE_BITS(unsigned long long, x);)
HEDDLE_FN double __hiloint2double(int high, int low)
HEDDLE_BODY(return HEDDLE_BITS(double, (unsigned long long)(unsigned)high << 32 | (unsigned)low);)

/* Bits */
HEDDLE_FN int __clz(int x) HEDDLE_BODY(return x ? __builtin_clz((unsigned)x) : 32;)
HEDDLE_FN int __clzll(long long x) HEDDLE_BODY(return x ? __builtin_clzll((unsigned long long)x) : 64;)
HEDDLE_FN int __ffs(int x) HEDDLE_BODY(return __builtin_ffs(x);)
HEDDLE_FN int __ffsll(long long x) HEDDLE_BODY(return __builtin_ffsll(x);)
HEDDLE_FN int __popc(unsigned int x) HEDDLE_BODY(return __builtin_popcount(x);)
HEDDLE_FN int __popcll(unsigned long long x) HEDDLE_BODY(return __builtin_popcountll(x);)
HEDDLE_FN unsigned int __brev(unsigned int x) HEDDLE_BODY(return __builtin_bitreverse32(x);)
HEDDLE_FN unsigned long long __brevll(unsigned long long x) HEDDLE_BODY(return __builtin_bitreverse64(x);)
/* Of the eight bytes y:x, the four that the low three bits of each nibble of s name. (PTX's prmt also
 * knows bit 3 of a nibble; __byte_perm ignores it.) AMD's v_perm numbers its first operand's bytes 4-7. */
HEDDLE_FN unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int s)
HEDDLE_BODY(
	s &= 0x7777u;
	s = (s & 0xffu) | (s & 0xff00u) << 8;
	s = (s & 0x000f000fu) | (s & 0x00f000f0u) << 4;
	return __builtin_amdgcn_perm(y, x, s);)
HEDDLE_FN unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int shift)
HEDDLE_BODY(return (unsigned)(((unsigned long long)high << 32 | low) << (shift & 31) >> 32);)
HEDDLE_FN unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int shift)
HEDDLE_BODY(return (unsigned)(((unsigned long long)high << 32 | low) >> (shift & 31));)
HEDDLE_FN unsigned int __funnelshift_lc(unsigned int low, unsigned int high, unsigned int shift)
HEDDLE_BODY(return (unsigned)(((unsigned long long)high << 32 | low) << (shift < 32 ? shift : 32) >> 32);)
HEDDLE_FN unsigned int __funnelshift_rc(unsigned int low, unsigned int high, unsigned int shift)
HEDDLE_BODY(return (unsigned)(((unsigned long long)high << 32 | low) >> (shift < 32 ? shift : 32));)

/* The position of the offset-th one bit of mask at or above (offset > 0) or below `base`; all
 * ones if none */
HEDDLE_FN unsigned int __fns(unsigned int mask, unsigned int base, int offset)
HEDDLE_BODY(
	int at = (int)base;
	int left = offset < 0 ? -offset : offset;
	if (offset == 0)
		return mask >> (base & 31) & 1 ? base : 0xffffffffu;
	for (; at >= 0 && at < 32; at += offset > 0 ? 1 : -1)
		if (mask >> at & 1 && --left == 0)
			return (unsigned)at;
	return 0xffffffffu;)

/* Arithmetic */
HEDDLE_FN int __mulhi(int x, int y) HEDDLE_BODY(return (int)((long long)x * y >> 32);)
HEDDLE_FN unsigned int __umulhi(unsigned int x, unsigned int y)
HEDDLE_BODY(return (unsigned)((unsigned long long)x * y >> 32);)
HEDDLE_FN long long __mul64hi(long long x, long long y)
HEDDLE_BODY(return (long long)((__int128)x * y >> 64);)
HEDDLE_FN unsigned long long __umul64hi(unsigned long long x, unsigned long long y)
HEDDLE_BODY(return (unsigned long long)((unsigned __int128)x * y >> 64);)
HEDDLE_FN int mulhi(int x, int y) HEDDLE_BODY(return __mulhi(x, y);)
HEDDLE_FN unsigned int mulhi(unsigned int x, unsigned int y) HEDDLE_BODY(return __umulhi(x, y);)
HEDDLE_FN unsigned int mulhi(int x, unsigned int y) HEDDLE_BODY(return __umulhi((unsigned)x, y);)
HEDDLE_FN unsigned int mulhi(unsigned int x, int y) HEDDLE_BODY(return __umulhi(x, (unsigned)y);)
HEDDLE_FN long long mul64hi(long long x, long long y) HEDDLE_BODY(return __mul64hi(x, y);)
HEDDLE_FN unsigned long long mul64hi(unsigned long long x, unsigned long long y) HEDDLE_BODY(return __umul64hi(x, y);)
HEDDLE_FN int __mul24(int x, int y)
HEDDLE_BODY(return (int)((unsigned)((int)((unsigned)x << 8) >> 8) * (unsigned)((int)((unsigned)y << 8) >> 8));)
HEDDLE_FN unsigned int __umul24(unsigned int x, unsigned int y)
HEDDLE_BODY(return (x & 0xffffffu) * (y & 0xffffffu);)
HEDDLE_FN int mul24(int x, int y) HEDDLE_BODY(return __mul24(x, y);)
HEDDLE_FN unsigned int umul24(unsigned int x, unsigned int y) HEDDLE_BODY(return __umul24(x, y);)
HEDDLE_FN unsigned int __sad(int x, int y, unsigned int z)
HEDDLE_BODY(return (x > y ? (unsigned)x - (unsigned)y : (unsigned)y - (unsigned)x) + z;)
HEDDLE_FN unsigned int __usad(unsigned int x, unsigned int y, unsigned int z)
HEDDLE_BODY(return (x > y ? x - y : y - x) + z;)
HEDDLE_FN int __hadd(int x, int y) HEDDLE_BODY(return (int)(((long long)x + y) >> 1);)
HEDDLE_FN int __rhadd(int x, int y) HEDDLE_BODY(return (int)(((long long)x + y + 1) >> 1);)
HEDDLE_FN unsigned int __uhadd(unsigned int x, unsigned int y)
HEDDLE_BODY(return (unsigned)(((unsigned long long)x + y) >> 1);)
HEDDLE_FN unsigned int __urhadd(unsigned int x, unsigned int y)
HEDDLE_BODY(return (unsigned)(((unsigned long long)x + y + 1) >> 1);)

/* min and max of the global namespace are for host and device. Mixed signs compare as the usual
 * conversions have it; of floats, a number wins over a NaN. */
#define HEDDLE_MINMAX(type, a, b)                                                                                \
	static __inline__ __host__ __device__ type min(a x, b y) { return (type)x < (type)y ? (type)x : (type)y; } \
	static __inline__ __host__ __device__ type max(a x, b y) { return (type)x > (type)y ? (type)x : (type)y; }
#define HEDDLE_MINMAX3(s, u)                \
	HEDDLE_MINMAX(s, s, s)              \
	HEDDLE_MINMAX(u, u, u)              \
	HEDDLE_MINMAX(u, s, u)              \
	HEDDLE_MINMAX(u, u, s)
HEDDLE_MINMAX3(int, unsigned int)
HEDDLE_MINMAX3(long, unsigned long)
HEDDLE_MINMAX3(long long, unsigned long long)
#undef HEDDLE_MINMAX3
#undef HEDDLE_MINMAX
#define HEDDLE_MINMAX(type, suffix, a, b)                                                                              \
	static __inline__ __host__ __device__ type min(a x, b y) { return __builtin_fmin##suffix((type)x, (type)y); } \
	static __inline__ __host__ __device__ type max(a x, b y) { return __builtin_fmax##suffix((type)x, (type)y); }
HEDDLE_MINMAX(float, f, float, float)
HEDDLE_MINMAX(double, , double, double)
HEDDLE_MINMAX(double, , float, double)
HEDDLE_MINMAX(double, , double, float)
#undef HEDDLE_MINMAX
#define HEDDLE_MINMAX(type, prefix)                                                   \
	HEDDLE_FN type prefix##min(type x, type y) HEDDLE_BODY(return x < y ? x : y;) \
	HEDDLE_FN type prefix##max(type x, type y) HEDDLE_BODY(return x > y ? x : y;)
HEDDLE_MINMAX(unsigned int, u)
HEDDLE_MINMAX(long long, ll)
HEDDLE_MINMAX(unsigned long long, ull)
#undef HEDDLE_MINMAX

#endif
