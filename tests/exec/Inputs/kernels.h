// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*
 * kernels.h - what the programs of kernels.py begin with: one name for each operation, x_NAME, which is
 * the CUDA function in device code and plain C++ in host code; the state of a thread; the warp
 * operations on the host, over the lanes of a warp at once; and the main program. Any CUDA compiler
 * takes it.
 */
#include <cuda_runtime.h>
#include <cuda_fp16.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned u32;
typedef unsigned long long u64;
typedef signed char i8;
typedef short i16;
typedef int i32;
typedef long long i64;
#define HD     __host__ __device__
#define DEVICE HD

/* BOTH(result, name, (parameters), device expression, host expression) */
#ifdef __CUDA_ARCH__
#define BOTH(type, name, params, device, host) HD static inline type x_##name params { return device; }
#else
#define BOTH(type, name, params, device, host) HD static inline type x_##name params { return host; }
#endif

/* --- bits -------------------------------------------------------------------------------------- */

HD static inline u32 bits(float f) { u32 b; memcpy(&b, &f, 4); return f == f ? b : 0x7fc00000u; }
HD static inline u64 bits(double d) { u64 b; memcpy(&b, &d, 8); return d == d ? b : 0x7ff8000000000000ull; }
HD static inline float x_float(u32 b) { float f; memcpy(&f, &b, 4); return f == f ? f : 1.0f; }
HD static inline double x_double(u64 b) { double d; memcpy(&d, &b, 8); return d == d ? d : 1.0; }
HD static inline int to_int(float f) { return f > -1e9f && f < 1e9f ? (int)f : 7; }

/* --- integers ---------------------------------------------------------------------------------- */

static inline u64 e_reverse(u64 x, int n)
{
	u64 r = 0;
	for (int i = 0; i < n; i++)
		r |= (x >> i & 1) << (n - 1 - i);
	return r;
}
static inline u32 e_perm(u32 a, u32 b, u32 s)
{
	u64 all = (u64)b << 32 | a;
	u32 r = 0;
	for (int i = 0; i < 4; i++)
		r |= (u32)(all >> 8 * (s >> 4 * i & 7) & 0xff) << 8 * i;
	return r;
}
/* Applies f to the n fields of a and b. */
template <class F> static u32 e_simd(u32 a, u32 b, int n, bool sign, F f)
{
	const int w = 32 / n;
	const u32 mask = (u32)((1ull << w) - 1);
	u32 r = 0;
	for (int i = 0; i < n; i++) {
		int x = a >> w * i & mask, y = b >> w * i & mask;
		if (sign) {
			x -= x >> (w - 1) << w;
			y -= y >> (w - 1) << w;
		}
		r |= ((u32)f(x, y) & mask) << w * i;
	}
	return r;
}
#define SIMD(n, sign, e) e_simd(a, b, n, sign, [](int x, int y) { return e; })
BOTH(u32, clz, (u32 a), __clz((int)a), a ? (u32)__builtin_clz(a) : 32)
BOTH(u32, clzll, (u64 a), __clzll((i64)a), a ? (u32)__builtin_clzll(a) : 64)
BOTH(u32, ctzll, (u64 a), __ffsll((i64)a) - 1, (u32)__builtin_ctzll(a))
BOTH(u32, popc, (u32 a), __popc(a), (u32)__builtin_popcount(a))
BOTH(u32, popcll, (u64 a), __popcll(a), (u32)__builtin_popcountll(a))
BOTH(u32, ffs, (u32 a), __ffs((int)a), (u32)__builtin_ffs((int)a))
BOTH(u32, ffsll, (u64 a), __ffsll((i64)a), (u32)__builtin_ffsll((i64)a))
BOTH(u32, brev, (u32 a), __brev(a), (u32)e_reverse(a, 32))
BOTH(u64, brevll, (u64 a), __brevll(a), e_reverse(a, 64))
BOTH(u32, bswap32, (u32 a), __byte_perm(a, 0, 0x0123), e_perm(a, 0, 0x0123))
HD static inline u64 x_bswap64(u64 a) { return (u64)x_bswap32((u32)a) << 32 | x_bswap32((u32)(a >> 32)); }
BOTH(u32, byte_perm, (u32 a, u32 b, u32 s), __byte_perm(a, b, s), e_perm(a, b, s))
BOTH(u32, funnel_l, (u32 a, u32 b, u32 s), __funnelshift_l(a, b, s), (u32)(((u64)b << 32 | a) << (s & 31) >> 32))
BOTH(u32, funnel_r, (u32 a, u32 b, u32 s), __funnelshift_r(a, b, s), (u32)(((u64)b << 32 | a) >> (s & 31)))
BOTH(u32, funnel_lc, (u32 a, u32 b, u32 s), __funnelshift_lc(a, b, s), (u32)((s > 31 ? (u64)a << 32 : ((u64)b << 32 | a) << s) >> 32))
BOTH(u32, funnel_rc, (u32 a, u32 b, u32 s), __funnelshift_rc(a, b, s), (u32)(((u64)b << 32 | a) >> (s > 32 ? 32 : s)))
BOTH(i32, mulhi, (i32 a, i32 b), __mulhi(a, b), (i32)((i64)a * b >> 32))
BOTH(u32, umulhi, (u32 a, u32 b), __umulhi(a, b), (u32)((u64)a * b >> 32))
BOTH(i64, mul64hi, (i64 a, i64 b), __mul64hi(a, b), (i64)((__int128)a * b >> 64))
BOTH(u64, umul64hi, (u64 a, u64 b), __umul64hi(a, b), (u64)((unsigned __int128)a * b >> 64))
BOTH(i32, mul24, (i32 a, i32 b), __mul24(a, b), (i32)((u64)((i64)(i32)((u32)a << 8) >> 8) * (u64)((i64)(i32)((u32)b << 8) >> 8)))
BOTH(u32, umul24, (u32 a, u32 b), __umul24(a, b), (a & 0xffffff) * (b & 0xffffff))
BOTH(u32, sad, (i32 a, i32 b, u32 c), __sad(a, b, c), (a < b ? (u32)b - (u32)a : (u32)a - (u32)b) + c)
BOTH(u32, usad, (u32 a, u32 b, u32 c), __usad(a, b, c), (a < b ? b - a : a - b) + c)
BOTH(i32, hadd_i, (i32 a, i32 b), __hadd(a, b), (i32)(((i64)a + b) >> 1))
BOTH(i32, rhadd, (i32 a, i32 b), __rhadd(a, b), (i32)(((i64)a + b + 1) >> 1))
BOTH(u32, uhadd, (u32 a, u32 b), __uhadd(a, b), (u32)(((u64)a + b) >> 1))
BOTH(u32, urhadd, (u32 a, u32 b), __urhadd(a, b), (u32)(((u64)a + b + 1) >> 1))
BOTH(u32, vadd4, (u32 a, u32 b), __vadd4(a, b), SIMD(4, false, x + y))
BOTH(u32, vsub2, (u32 a, u32 b), __vsub2(a, b), SIMD(2, false, x - y))
BOTH(u32, vabsdiffu4, (u32 a, u32 b), __vabsdiffu4(a, b), SIMD(4, false, x < y ? y - x : x - y))
BOTH(u32, vmaxs2, (u32 a, u32 b), __vmaxs2(a, b), SIMD(2, true, x < y ? y : x))
BOTH(u32, vminu4, (u32 a, u32 b), __vminu4(a, b), SIMD(4, false, x < y ? x : y))
BOTH(u32, vcmpgtu4, (u32 a, u32 b), __vcmpgtu4(a, b), SIMD(4, false, x > y ? 255 : 0))
BOTH(u32, vcmpeq2, (u32 a, u32 b), __vcmpeq2(a, b), SIMD(2, false, x == y ? 65535 : 0))
BOTH(u32, vavgu4, (u32 a, u32 b), __vavgu4(a, b), SIMD(4, false, (x + y + 1) >> 1))
BOTH(u32, vaddss2, (u32 a, u32 b), __vaddss2(a, b), SIMD(2, true, x + y > 32767 ? 32767 : x + y < -32768 ? -32768 : x + y))
BOTH(u32, vsubus4, (u32 a, u32 b), __vsubus4(a, b), SIMD(4, false, x < y ? 0 : x - y))
static inline i32 e_dot(u32 a, u32 b, u32 c, bool sign)
{
	for (int i = 0; i < 32; i += 8)
		c += sign ? (u32)((i8)(a >> i) * (i8)(b >> i)) : (u8)(a >> i) * (u8)(b >> i);
	return (i32)c;
}
BOTH(i32, dp4a, (i32 a, i32 b, i32 c), __dp4a(a, b, c), e_dot((u32)a, (u32)b, (u32)c, true))
BOTH(u32, udp4a, (u32 a, u32 b, u32 c), __dp4a(a, b, c), (u32)e_dot(a, b, c, false))

/* --- floats: all exact or correctly rounded, in four directions --------------------------------- */

enum rounding { RN, RZ, RU, RD };
/* The number m * 2^e of a sign rounded to p bits, normal from 2^least on, below 2^most; as a double. */
static double e_round(bool sign, u64 m, int e, int p, int least, int most, enum rounding to)
{
	if (m == 0)
		return sign ? -0.0 : 0.0;
	const int top = 63 - __builtin_clzll(m) + e;
	const int low = (top < least ? least : top) - (p - 1), drop = low - e;
	u64 q = m, rest = 0, half = 1;
	if (drop > 0) {
		q = drop > 63 ? 0 : m >> drop;
		rest = drop > 63 ? 1 : m - (q << drop);
		half = drop > 63 ? 2 : 1ull << (drop - 1);
		if (drop == 64 && m >= 1ull << 63)
			rest = m > 1ull << 63 ? 3 : 2;
		if (to == RN ? rest > half || (rest == half && (q & 1)) : rest && to == (sign ? RD : RU))
			q++;
	}
	double r = ldexp((double)q, drop > 0 ? low : e);
	if (r >= ldexp(1.0, most))
		r = to == RN || to == (sign ? RD : RU) ? HUGE_VAL : ldexp((double)((1ull << p) - 1), most - p);
	return sign ? -r : r;
}
static double e_narrow(double x, int p, int least, int most, enum rounding to)
{
	if (!(fabs(x) < HUGE_VAL) || x == 0)
		return x;
	int e;
	const u64 m = (u64)ldexp(frexp(fabs(x), &e), 53);
	return e_round(x < 0, m, e - 53, p, least, most, to);
}
static double e_integer(bool sign, u64 m, int p, int least, int most, enum rounding to) { return e_round(sign, m, 0, p, least, most, to); }
/* x + err, err tiny, as a double whose last bit tells that it is not exact: rounds once more as the sum would. */
static double e_odd(double x, double err)
{
	u64 b;
	memcpy(&b, &x, 8);
	if (err == 0 || !(fabs(x) < HUGE_VAL))
		return x;
	if (x == 0)
		return err;
	if (!(b & 1))
		b += (err > 0) == (x > 0) ? 1 : -1;
	memcpy(&x, &b, 8);
	return x;
}
static double e_add(double a, double b)
{
	const double s = a + b, z = s - a;
	return s - s == 0 ? e_odd(s, (a - (s - z)) + (b - z)) : s;
}
static double e_div(double a, double b)
{
	const double q = a / b, rest = fma(-q, b, a);
	return q - q == 0 && rest == rest ? e_odd(q, b < 0 ? -rest : rest) : q;
}
static double e_sqrt(double a)
{
	const double q = sqrt(a);
	return a > 0 && q - q == 0 ? e_odd(q, fma(-q, q, a)) : q;
}
static float e_f(double x, enum rounding to) { return (float)e_narrow(x, 24, -126, 128, to); }
/* Two exact zeros of different signs, or x - x: -0 when rounded down, else +0. */
static float e_fadd(float a, float b, enum rounding to)
{
	if ((double)a + b == 0 && !(a == 0 && b == 0 && signbit(a) == signbit(b)))
		return to == RD ? -0.0f : 0.0f;
	return e_f(e_add(a, b), to);
}
static float e_ffma(float a, float b, float c, enum rounding to)
{
	const double p = (double)a * b;
	if (p + c == 0 && !(p == 0 && c == 0 && signbit(p) == signbit(c)))
		return to == RD ? -0.0f : 0.0f;
	return e_f(e_add(p, c), to);
}
/* Doubles: the nearest, moved by the sign of what is missing. Arguments of middling size only. */
static double e_d(double r, double err, enum rounding to)
{
	if (to == RN || err == 0 || (to == RZ ? (err > 0) == (r > 0) : (err > 0) != (to == RU)))
		return r;
	return nextafter(r, err > 0 ? HUGE_VAL : -HUGE_VAL);
}
HD static inline double x_mid(double x) { return fabs(x) > 1e-80 && fabs(x) < 1e80 ? x : 1.5; }
static double e_dadd(double a, double b, enum rounding to)
{
	const double s = a + b, z = s - a;
	return s == 0 ? to == RD ? -0.0 : 0.0 : e_d(s, (a - (s - z)) + (b - z), to);
}
static double e_dmul(double a, double b, enum rounding to) { return e_d(a * b, fma(a, b, -(a * b)), to); }
static double e_ddiv(double a, double b, enum rounding to) { const double r = fma(-(a / b), b, a); return e_d(a / b, b < 0 ? -r : r, to); }
static double e_dsqrt(double a, enum rounding to) { const double r = sqrt(a); return e_d(r, fma(-r, r, a), to); }
#define DIRECTED(m, M)                                                                                     \
	BOTH(float, fadd_##m, (float a, float b), __fadd_##m(a, b), e_fadd(a, b, M))                       \
	BOTH(float, fsub_##m, (float a, float b), __fsub_##m(a, b), e_fadd(a, -b, M))                      \
	BOTH(float, fmul_##m, (float a, float b), __fmul_##m(a, b), e_f((double)a * b, M))                 \
	BOTH(float, fdiv_##m, (float a, float b), __fdiv_##m(a, b), e_f(e_div(a, b), M))                   \
	BOTH(float, fsqrt_##m, (float a), __fsqrt_##m(fabsf(a)), e_f(e_sqrt(fabsf(a)), M))                 \
	BOTH(float, frcp_##m, (float a), __frcp_##m(a), e_f(e_div(1.0, a), M))                             \
	BOTH(float, fmaf_##m, (float a, float b, float c), __fmaf_##m(a, b, c), e_ffma(a, b, c, M))        \
	BOTH(double, dadd_##m, (double a, double b), __dadd_##m(x_mid(a), x_mid(b)), e_dadd(x_mid(a), x_mid(b), M)) \
	BOTH(double, dmul_##m, (double a, double b), __dmul_##m(x_mid(a), x_mid(b)), e_dmul(x_mid(a), x_mid(b), M)) \
	BOTH(double, ddiv_##m, (double a, double b), __ddiv_##m(x_mid(a), x_mid(b)), e_ddiv(x_mid(a), x_mid(b), M)) \
	BOTH(double, dsqrt_##m, (double a), __dsqrt_##m(fabs(x_mid(a))), e_dsqrt(fabs(x_mid(a)), M))       \
	BOTH(float, d2f_##m, (double a), __double2float_##m(a), e_f(a, M))                                 \
	BOTH(float, i2f_##m, (i32 a), __int2float_##m(a), e_f(a, M))                                       \
	BOTH(float, u2f_##m, (u32 a), __uint2float_##m(a), e_f(a, M))                                      \
	BOTH(float, ll2f_##m, (i64 a), __ll2float_##m(a), (float)e_integer(a < 0, a < 0 ? -(u64)a : a, 24, -126, 128, M)) \
	BOTH(float, ull2f_##m, (u64 a), __ull2float_##m(a), (float)e_integer(false, a, 24, -126, 128, M))  \
	BOTH(double, ll2d_##m, (i64 a), __ll2double_##m(a), e_integer(a < 0, a < 0 ? -(u64)a : a, 53, -1022, 1024, M)) \
	BOTH(double, ull2d_##m, (u64 a), __ull2double_##m(a), e_integer(false, a, 53, -1022, 1024, M))     \
	TO_INTEGER(float, f, float, m, M)                                                                  \
	TO_INTEGER(double, d, double, m, M)
/* Out of range, or not a number: 5. */
#define IN(low, high) (x > low && x < high ? x : 5)
static double e_whole(double x, enum rounding to) { return to == RN ? nearbyint(x) : to == RZ ? trunc(x) : to == RU ? ceil(x) : floor(x); }
#define TO_INTEGER(type, letter, long_, m, M)                                                                                 \
	BOTH(i32, letter##2i_##m, (type x), __##long_##2int_##m(IN(-2147483000, 2147483000)), (i32)e_whole(IN(-2147483000, 2147483000), M)) \
	BOTH(u32, letter##2u_##m, (type x), __##long_##2uint_##m(IN(0, 4294967000.0)), (u32)e_whole(IN(0, 4294967000.0), M))          \
	BOTH(i64, letter##2ll_##m, (type x), __##long_##2ll_##m(IN(-9.22e18, 9.22e18)), (i64)e_whole(IN(-9.22e18, 9.22e18), M))       \
	BOTH(u64, letter##2ull_##m, (type x), __##long_##2ull_##m(IN(0, 1.84e19)), (u64)e_whole(IN(0, 1.84e19), M))
DIRECTED(rn, RN)
DIRECTED(rz, RZ)
DIRECTED(ru, RU)
DIRECTED(rd, RD)
/* The sign of the smaller or larger of two zeros, and of a NaN, is open. */
HD static inline float x_fminf(float a, float b) { return a == b ? a : fminf(a, b); }
HD static inline float x_fmaxf(float a, float b) { return a == b ? a : fmaxf(a, b); }
HD static inline double x_fmin(double a, double b) { return a == b ? a : fmin(a, b); }
HD static inline double x_fmax(double a, double b) { return a == b ? a : fmax(a, b); }
HD static inline float x_sqrtf(float a) { return sqrtf(a); }
HD static inline float x_fabsf(float a) { return fabsf(a); }
HD static inline float x_ldexpf(float a, int e) { return ldexpf(a, e); }
HD static inline double x_ldexp(double a, int e) { return ldexp(a, e); }
HD static inline float x_frexpf(float a) { int e = 0; const float f = frexpf(x_float(bits(a) & 0xbfffffffu), &e); return f + (float)e; }

/* --- halves, by their bits ----------------------------------------------------------------------- */

HD static inline u16 x_canon(u16 h) { return (h & 0x7fff) > 0x7c00 ? 0x7e00 : h; }
#ifdef __CUDA_ARCH__
HD static inline __half h_(u16 b) { return __ushort_as_half(b); }
HD static inline u16 b_(__half h) { return x_canon(__half_as_ushort(h)); }
HD static inline __half2 h2_(u32 b) { return __halves2half2(h_((u16)b), h_((u16)(b >> 16))); }
HD static inline u32 b2_(__half2 h) { return (u32)b_(__high2half(h)) << 16 | b_(__low2half(h)); }
#endif
static double e_wide(u16 h)
{
	const int e = h >> 10 & 31, m = h & 0x3ff;
	const double x = e == 31 ? m ? NAN : HUGE_VAL : e ? ldexp(1024 + m, e - 25) : ldexp(m, -24);
	return h & 0x8000 ? -x : x;
}
static u16 e_h(double x, enum rounding to = RN)
{
	if (x != x)
		return 0x7e00;
	const u16 sign = signbit(x) ? 0x8000 : 0;
	x = fabs(e_narrow(x, 11, -14, 16, to));
	if (x == HUGE_VAL)
		return sign | 0x7c00;
	if (x < ldexp(1, -14))
		return sign | (u16)ldexp(x, 24);
	int e;
	const double f = frexp(x, &e);
	return sign | (u16)((e + 14) << 10 | ((int)ldexp(f, 11) & 0x3ff));
}
#define W e_wide
BOTH(u16, hadd, (u16 a, u16 b), b_(__hadd(h_(a), h_(b))), e_h(W(a) + W(b)))
BOTH(u16, hsub, (u16 a, u16 b), b_(__hsub(h_(a), h_(b))), e_h(W(a) - W(b)))
BOTH(u16, hmul, (u16 a, u16 b), b_(__hmul(h_(a), h_(b))), e_h(W(a) * W(b)))
BOTH(u16, hdiv, (u16 a, u16 b), b_(__hdiv(h_(a), h_(b))), e_h(W(a) / W(b)))
BOTH(u16, hfma, (u16 a, u16 b, u16 c), b_(__hfma(h_(a), h_(b), h_(c))), e_h(e_add(W(a) * W(b), W(c))))
BOTH(u16, hneg, (u16 a), b_(__hneg(h_(a))), x_canon(a ^ 0x8000))
BOTH(u16, habs, (u16 a), b_(__habs(h_(a))), x_canon(a & 0x7fff))
BOTH(bool, hlt, (u16 a, u16 b), __hlt(h_(a), h_(b)), W(a) < W(b))
BOTH(bool, hge, (u16 a, u16 b), __hge(h_(a), h_(b)), W(a) >= W(b))
BOTH(bool, heq, (u16 a, u16 b), __heq(h_(a), h_(b)), W(a) == W(b))
BOTH(float, h2f, (u16 a), __half2float(h_(a)), (float)W(a))
#define PAIR(one) ((u32)one((u16)(a >> 16), (u16)(b >> 16)) << 16 | one((u16)a, (u16)b))
BOTH(u32, hadd2, (u32 a, u32 b), b2_(__hadd2(h2_(a), h2_(b))), PAIR(x_hadd))
BOTH(u32, hsub2, (u32 a, u32 b), b2_(__hsub2(h2_(a), h2_(b))), PAIR(x_hsub))
BOTH(u32, hmul2, (u32 a, u32 b), b2_(__hmul2(h2_(a), h2_(b))), PAIR(x_hmul))
BOTH(u32, hfma2, (u32 a, u32 b, u32 c), b2_(__hfma2(h2_(a), h2_(b), h2_(c))),
	(u32)x_hfma((u16)(a >> 16), (u16)(b >> 16), (u16)(c >> 16)) << 16 | x_hfma((u16)a, (u16)b, (u16)c))
#define HALVES(m, M)                                                                                                             \
	BOTH(u16, f2h_##m, (float a), b_(__float2half_##m(a)), e_h(a, M))                                                        \
	BOTH(u16, i2h_##m, (i32 a), b_(__int2half_##m(a)), e_h(a, M))                                                            \
	BOTH(u16, u2h_##m, (u32 a), b_(__uint2half_##m(a)), e_h(a, M))                                                           \
	BOTH(u16, s2h_##m, (i16 a), b_(__short2half_##m(a)), e_h(a, M))                                                          \
	BOTH(u16, us2h_##m, (u16 a), b_(__ushort2half_##m(a)), e_h(a, M))                                                        \
	BOTH(u16, ll2h_##m, (i64 a), b_(__ll2half_##m(a)), e_h((double)a, M))                              \
	BOTH(i32, h2i_##m, (u16 a), __half2int_##m(h_(x_hin(a, -60000))), (i32)e_whole(W(x_hin(a, -60000)), M))                  \
	BOTH(u32, h2u_##m, (u16 a), __half2uint_##m(h_(x_hin(a, 0))), (u32)e_whole(W(x_hin(a, 0)), M))                           \
	BOTH(i64, h2ll_##m, (u16 a), __half2ll_##m(h_(x_hin(a, -60000))), (i64)e_whole(W(x_hin(a, -60000)), M))                  \
	BOTH(u64, h2ull_##m, (u16 a), __half2ull_##m(h_(x_hin(a, 0))), (u64)e_whole(W(x_hin(a, 0)), M))
/* Finite and above low, or 2. */
HD static inline u16 x_hin(u16 a, int low) { return (a & 0x7fff) < 0x7b00 && (low < 0 || !(a & 0x8000)) ? a : 0x4000; }
HALVES(rn, RN)
HALVES(rz, RZ)
HALVES(ru, RU)
HALVES(rd, RD)
BOTH(u16, d2h, (double a), b_(__double2half(a)), e_h(a))

/* --- atomics: on the host, threads run one after the other ------------------------------------------ */

template <class T> static T e_swap(T *p, T v) { T old = *p; *p = v; return old; }
BOTH(u32, add, (u32 *p, u32 v), atomicAdd(p, v), e_swap(p, *p + v))
BOTH(u32, sub, (u32 *p, u32 v), atomicSub(p, v), e_swap(p, *p - v))
BOTH(u32, min, (u32 *p, u32 v), atomicMin(p, v), e_swap(p, *p < v ? *p : v))
BOTH(u32, max, (u32 *p, u32 v), atomicMax(p, v), e_swap(p, *p > v ? *p : v))
BOTH(u32, imin, (u32 *p, u32 v), (u32)atomicMin((i32 *)p, (i32)v), e_swap(p, (i32)*p < (i32)v ? *p : v))
BOTH(u32, imax, (u32 *p, u32 v), (u32)atomicMax((i32 *)p, (i32)v), e_swap(p, (i32)*p > (i32)v ? *p : v))
BOTH(u32, and, (u32 *p, u32 v), atomicAnd(p, v), e_swap(p, *p & v))
BOTH(u32, or, (u32 *p, u32 v), atomicOr(p, v), e_swap(p, *p | v))
BOTH(u32, xor, (u32 *p, u32 v), atomicXor(p, v), e_swap(p, *p ^ v))
BOTH(u32, exch, (u32 *p, u32 v), atomicExch(p, v), e_swap(p, v))
BOTH(u32, inc, (u32 *p, u32 v), atomicInc(p, v), e_swap(p, *p >= v ? 0 : *p + 1))
BOTH(u32, dec, (u32 *p, u32 v), atomicDec(p, v), e_swap(p, *p == 0 || *p > v ? v : *p - 1))
BOTH(u32, cas, (u32 *p, u32 o, u32 v), atomicCAS(p, o, v), e_swap(p, *p == o ? v : *p))
BOTH(u64, add64, (u64 *p, u64 v), atomicAdd(p, v), e_swap(p, *p + v))
BOTH(u64, max64, (u64 *p, u64 v), atomicMax(p, v), e_swap(p, *p > v ? *p : v))
BOTH(u64, xor64, (u64 *p, u64 v), atomicXor(p, v), e_swap(p, *p ^ v))
BOTH(u64, cas64, (u64 *p, u64 o, u64 v), atomicCAS(p, o, v), e_swap(p, *p == o ? v : *p))

/* --- a thread, a block ------------------------------------------------------------------------------- */

struct pair { u32 a; short b; u64 c[3]; float f; };
struct State {
	unsigned v0; int v1; u64 v2; i64 v3; u16 v4; short v5; u8 v6; signed char v7;
	u32 arr[16];
	pair s;
	float f0, f1;
	double d0, d1;
	u16 h0, h1;
	u32 i0, x, r, c;
	u64 y, q;
	bool live;
};
struct alignas(16) quad { u32 x, y, z, w; };
template <int B> struct Shared {
	quad v[B];
	u64 q[B];
	u64 atom64[6];
	u32 w[B], atom[72];
	u16 h[B];
	u8 b[B];
};
enum { WORDS = 48, GLOBAL = 96 }; /* words of a thread; of the grid, for atomics: the last 16 are 8 of 64 bits */
/* Index of the nth bit of m, which has one. */
HD static inline u32 x_nth(u32 m, u32 n)
{
	for (n %= x_popc(m); n; n--)
		m &= m - 1;
	return x_ffs(m) - 1;
}
static const u32 table_host[64] = {
#define TABLE4(i) 0x9e3779b9u * (i), 0x85ebca6bu ^ (i) << 20, (i) * 3, 0xffffffffu - (i)
#define TABLE TABLE4(1), TABLE4(2), TABLE4(3), TABLE4(4), TABLE4(5), TABLE4(6), TABLE4(7), TABLE4(8), TABLE4(9), TABLE4(10), \
	TABLE4(11), TABLE4(12), TABLE4(13), TABLE4(14), TABLE4(15), TABLE4(16)
	TABLE};
__constant__ u32 table_device[64] = {TABLE};
BOTH(u32, tab, (u32 i), table_device[i & 63], table_host[i & 63])

/* --- a warp on the host -------------------------------------------------------------------------------- */

template <class T> struct Lanes {
	T v[32];
	u32 m;
	T idx(u32 l, u32 from, u32 w) const { return v[(l & ~(w - 1)) | (from & (w - 1))]; }
	T up(u32 l, u32 d, u32 w) const { return (l & (w - 1)) < d ? v[l] : v[l - d]; }
	T down(u32 l, u32 d, u32 w) const { return (l & (w - 1)) + d >= w ? v[l] : v[l + d]; }
	T bfly(u32 l, u32 k, u32 w) const { return (l ^ k) > (l | (w - 1)) ? v[l] : v[l ^ k]; }
	u32 ballot() const { u32 r = 0; for (u32 l = 0; l < 32; l++) r |= (u32)((m >> l & 1) && v[l]) << l; return r; }
	u32 match(T x) const { u32 r = 0; for (u32 l = 0; l < 32; l++) r |= (u32)((m >> l & 1) && v[l] == x) << l; return r; }
	template <class F> T reduce(F f) const
	{
		const u32 first = x_ffs(m) - 1;
		T r = v[first];
		for (u32 l = first + 1; l < 32; l++)
			if (m >> l & 1)
				r = f(r, v[l]);
		return r;
	}
};
/* For each warp: collects GET of the lanes for which WHO, then gives each of these the result SET. */
#define WARPS(B, T, WHO, GET, SET)                                  \
	for (u32 w_ = 0; w_ < B; w_ += 32) {                        \
		Lanes<T> lanes;                                     \
		lanes.m = 0;                                        \
		for (u32 lane = 0; lane < 32; lane++) {             \
			State *S = &block[w_ + lane];               \
			lanes.v[lane] = GET;                        \
			lanes.m |= (u32)(WHO) << lane;              \
		}                                                   \
		for (u32 lane = 0; lane < 32; lane++) {             \
			State *S = &block[w_ + lane];               \
			if (lanes.m >> lane & 1) {                  \
				SET;                                \
			}                                           \
		}                                                   \
	}
#define EACH(B, f, j_)                                              \
	for (u32 me = 0; me < B; me++)                              \
		if (block[me].live)                                 \
			f(&block[me], all + WORDS * (b * B + me), &shared, glob, b * B + me, me, j_);
/* The block's vote: n counts the live threads for which c is odd, of `live`. */
#define BLOCK_VOTE(B, SET)                                          \
	{                                                           \
		u32 n = 0, live = 0;                                \
		for (u32 me = 0; me < B; me++) {                    \
			live += block[me].live;                     \
			n += block[me].live && (block[me].c & 1);   \
		}                                                   \
		for (u32 me = 0; me < B; me++) {                    \
			State *S = &block[me];                      \
			SET;                                        \
		}                                                   \
	}

/* --- the main program ------------------------------------------------------------------------------------ */

struct Kernel {
	const char *name;
	void (*device)(u32 *, u32 *);
	void (*host)(u32 *, u32 *);
	dim3 block;
	u32 grid, dynamic;
};

static void check(cudaError_t e, const char *what)
{
	if (e != cudaSuccess) {
		printf("%s: %s\n", what, cudaGetErrorString(e));
		exit(2);
	}
}

/* Prints a checksum of each kernel's results; compares them with the host's unless told -d. */
static int run_all(const Kernel *k, size_t n, int argc, char **argv)
{
	const bool compare = argc < 2 || strcmp(argv[1], "-d") != 0;
	int bad = 0;
	for (; n > 0; n--, k++) {
		const u32 threads = k->block.x * k->block.y * k->grid, words = threads * WORDS + GLOBAL;
		std::vector<u32> in(words), out(words);
		u64 seed = 88172645463325252ull;
		for (const char *p = k->name; *p; p++)
			seed = seed * 31 + (u8)*p;
		for (u32 i = 0; i < words; i++) {
			seed = seed * 6364136223846793005ull + 1442695040888963407ull;
			in[i] = i % 3 ? (u32)(seed >> 32) : (u32)(seed >> 56);
		}
		u32 *d;
		check(cudaMalloc(&d, words * 4), k->name);
		check(cudaMemcpy(d, in.data(), words * 4, cudaMemcpyHostToDevice), k->name);
		k->device<<<k->grid, k->block, k->dynamic>>>(d + GLOBAL, d);
		check(cudaGetLastError(), k->name);
		check(cudaMemcpy(out.data(), d, words * 4, cudaMemcpyDeviceToHost), k->name);
		check(cudaFree(d), k->name);
		u64 sum = 14695981039346656037ull;
		for (u32 i = 0; i < words; i++)
			sum = (sum ^ out[i]) * 1099511628211ull;
		printf("%s %016llx\n", k->name, sum);
		if (!compare)
			continue;
		k->host(in.data() + GLOBAL, in.data());
		for (u32 i = 0; i < words; i++)
			if (in[i] != out[i]) {
				if (i < GLOBAL)
					printf("%s: global word %u: %08x, host %08x\n", k->name, i, out[i], in[i]);
				else
					printf("%s: thread %u, word %u: %08x, host %08x\n", k->name, (i - GLOBAL) / WORDS, (i - GLOBAL) % WORDS,
						out[i], in[i]);
				bad++;
				break;
			}
	}
	if (bad)
		printf("%d differ\n", bad);
	return bad != 0;
}
