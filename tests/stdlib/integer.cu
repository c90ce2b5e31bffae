// Integer intrinsics, bit casts and conversions against models in plain C on the host, on edges and random
// operands. Every function writes 64 bits for each pair of operands.
// RUN: %run_both %s | %FileCheck %s
// CHECK: integer: {{[1-9][0-9]*}} checks, 0 failures
#include <cmath>
#include "Inputs/check.h"

typedef unsigned u32;
typedef unsigned long long u64;
typedef long long i64;
enum { COUNT = 512 };

static __host__ __device__ u64 bits(double x) { u64 u; memcpy(&u, &x, 8); return u; }
static __host__ __device__ u64 bits(float x) { u32 u; memcpy(&u, &x, 4); return u; }
static __host__ __device__ u64 bits(int x) { return (u64)(i64)x; }
static __host__ __device__ u64 bits(u32 x) { return x; }
static __host__ __device__ u64 bits(i64 x) { return (u64)x; }
static __host__ __device__ u64 bits(u64 x) { return x; }

static int clz64(u64 x) { int n = 0; while (n < 64 && !(x >> 63)) { x <<= 1; n++; } return n; }
static int ffs64(u64 x) { for (int i = 0; i < 64; i++) if (x >> i & 1) return i + 1; return 0; }
static int popc64(u64 x) { int n = 0; for (; x; x &= x - 1) n++; return n; }
static u64 brev(u64 x, int n) { u64 r = 0; for (int i = 0; i < n; i++) r |= (x >> i & 1) << (n - 1 - i); return r; }
static u32 byte_perm(u32 x, u32 y, u32 s)
{
	u64 all = (u64)y << 32 | x;
	u32 r = 0;
	for (int i = 0; i < 4; i++)
		r |= (u32)(all >> 8 * (s >> 4 * i & 7) & 255) << 8 * i;
	return r;
}
static int signed24(int x) { return (x & 0xffffff) - ((x & 0x800000) << 1); }
// NaN becomes 0 from float to 32 bits, else the highest bit alone (measured on an H200).
template <class T>
static T
clamp(long double x, long double low, long double high, bool zero)
{
	if (x != x)
		return zero ? 0 : (T)((T)1 << (8 * sizeof(T) - 1));
	return x <= low ? (T)low : x >= high ? (T)high : (T)x;
}
static int to_int(float x) { return clamp<int>(x, -0x1p31L, 0x1p31L - 1, true); }
static int to_int(double x) { return clamp<int>(x, -0x1p31L, 0x1p31L - 1, false); }
static u32 to_uint(float x) { return clamp<u32>(x, 0, 0x1p32L - 1, true); }
static u32 to_uint(double x) { return clamp<u32>(x, 0, 0x1p32L - 1, false); }
static i64 to_ll(double x) { return clamp<i64>(x, -0x1p63L, 0x1p63L - 1, false); }
static u64 to_ull(double x) { return clamp<u64>(x, 0, 0x1p64L - 1, false); }

// OP(expression on the device, model): a b are int; u v unsigned; l m and w x 64 bits; f g float; d e double
#define OPS                                                                                         \
	OP(__clz(a), clz64(u) - 32)                                                                 \
	OP(__clzll(l), clz64(w))                                                                    \
	OP(__ffs(a), ffs64(u))                                                                      \
	OP(__ffsll(l), ffs64(w))                                                                    \
	OP(__popc(u), popc64(u))                                                                    \
	OP(__popcll(w), popc64(w))                                                                  \
	OP(__brev(u), (u32)brev(u, 32))                                                             \
	OP(__brevll(w), brev(w, 64))                                                                \
	OP(__byte_perm(u, v, (u32)x), byte_perm(u, v, (u32)x))                                      \
	OP(__byte_perm(u, v, 0x0123), byte_perm(u, v, 0x0123))                                      \
	OP(__byte_perm(u, v, 0x5410), byte_perm(u, v, 0x5410))                                      \
	OP(__funnelshift_l(u, v, (u32)x), (u32)(((u64)v << 32 | u) << (x & 31) >> 32))              \
	OP(__funnelshift_r(u, v, (u32)x), (u32)(((u64)v << 32 | u) >> (x & 31)))                    \
	OP(__funnelshift_lc(u, v, (u32)x & 63), (x & 63) >= 32 ? u : (u32)(((u64)v << 32 | u) << (x & 63) >> 32)) \
	OP(__funnelshift_rc(u, v, (u32)x & 63), (x & 63) >= 32 ? v : (u32)(((u64)v << 32 | u) >> (x & 63)))       \
	OP(__mulhi(a, b), (int)((i64)a * b >> 32))                                                  \
	OP(__umulhi(u, v), (u32)((u64)u * v >> 32))                                                 \
	OP(__mul64hi(l, m), (i64)((__int128)l * m >> 64))                                           \
	OP(__umul64hi(w, x), (u64)((unsigned __int128)w * x >> 64))                                 \
	OP(__mul24(a, b), (int)((u32)signed24(a) * (u32)signed24(b)))                               \
	OP(__umul24(u, v), (u & 0xffffff) * (v & 0xffffff))                                         \
	OP(__sad(a, b, v), (u32)((i64)a > b ? (i64)a - b : (i64)b - a) + v)                         \
	OP(__usad(u, v, u), (u > v ? u - v : v - u) + u)                                            \
	OP(__hadd(a, b), (int)(((i64)a + b) >> 1))                                                  \
	OP(__rhadd(a, b), (int)(((i64)a + b + 1) >> 1))                                             \
	OP(__uhadd(u, v), (u32)(((u64)u + v) >> 1))                                                 \
	OP(__urhadd(u, v), (u32)(((u64)u + v + 1) >> 1))                                            \
	OP(min(a, b), a < b ? a : b)                                                                \
	OP(max(u, v), u > v ? u : v)                                                                \
	OP(max(a, v), (u32)a > v ? (u32)a : v)                                                      \
	OP(min(l, m), l < m ? l : m)                                                                \
	OP(max(w, x), w > x ? w : x)                                                                \
	OP(abs(a), a < 0 ? (int)(0u - (u32)a) : a)                                                  \
	OP(llabs(l), l < 0 ? (i64)(0ull - w) : l)                                                   \
	OP(__float_as_int(f), (int)bits(f))                                                         \
	OP(__int_as_float(__float_as_int(f)), f)                                                    \
	OP(__double_as_longlong(d), (i64)bits(d))                                                   \
	OP(__longlong_as_double(__double_as_longlong(d)), d)                                        \
	OP(__double2hiint(d), (int)(bits(d) >> 32))                                                 \
	OP(__double2loint(d), (int)bits(d))                                                         \
	OP(__hiloint2double(__double2hiint(d), __double2loint(d)), d)                               \
	OP(__float2int_rn(f), to_int(nearbyintf(f)))                                                 \
	OP(__float2int_rz(f), to_int(truncf(f)))                                                     \
	OP(__float2int_ru(f), to_int(ceilf(f)))                                                      \
	OP(__float2int_rd(f), to_int(floorf(f)))                                                     \
	OP(__float2uint_rn(f), to_uint(nearbyintf(f)))                                               \
	OP(__float2uint_ru(f), to_uint(ceilf(f)))                                                    \
	OP(__float2ll_rd(f), to_ll(floor(f)))                                                       \
	OP(__float2ull_rz(f), to_ull(trunc(f)))                                                     \
	OP(__double2int_rn(d), to_int(nearbyint(d)))                                                \
	OP(__double2uint_rd(d), to_uint(floor(d)))                                                  \
	OP(__double2ll_rn(d), to_ll(nearbyint(d)))                                                  \
	OP(__double2ull_ru(d), to_ull(ceil(d)))                                                     \
	OP(__double2float_rn(d), (float)d)                                                          \
	OP(__int2float_rn(a), (float)a)                                                             \
	OP(__uint2float_rn(u), (float)u)                                                            \
	OP(__ll2float_rn(l), (float)l)                                                              \
	OP(__ull2float_rn(w), (float)w)                                                             \
	OP(__int2double_rn(a), (double)a)                                                           \
	OP(__ll2double_rn(l), (double)l)                                                            \
	OP(__ull2double_rn(w), (double)w)                                                           \
	OP(__saturatef(f), f > 0 ? f < 1 ? f : 1 : 0.0f)                                            \
	OP(__fadd_rn(__fmul_rn(f, g), f), [](volatile float p, float q) { return p + q; }(f * g, f)) \
	OP(__fmaf_rn(f, g, f), fmaf(f, g, f))                                                       \
	OP(__fsub_rn(f, g), f - g)                                                                  \
	OP(__fdiv_rn(f, g), f / g)                                                                  \
	OP(__fsqrt_rn(f), sqrtf(f))                                                                 \
	OP(__ddiv_rn(d, e), d / e)                                                                  \
	OP(__dsqrt_rn(d), sqrt(d))                                                                  \
	OP(__fma_rn(d, e, d), fma(d, e, d))

#define OP(expression, model) +1
enum { FUNCTIONS = OPS };
#undef OP

#define OPERANDS(p)                                                             \
	u64 w = (p)[0], x = (p)[1];                                             \
	i64 l = (i64)w, m = (i64)x;                                             \
	u32 u = (u32)(w >> 7), v = (u32)x;                                      \
	int a = (int)u, b = (int)v;                                             \
	float f, g;                                                             \
	double d, e;                                                            \
	memcpy(&f, &u, 4), memcpy(&g, &v, 4), memcpy(&d, &w, 8), memcpy(&e, &x, 8); \
	(void)l, (void)m, (void)a, (void)b, (void)f, (void)g, (void)d, (void)e;

__global__ void
evaluate(const u64 *in, u64 *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, n = 0;
	OPERANDS(in + 2 * i)
#define OP(expression, model) out[n++ * COUNT + i] = bits(expression);
	OPS
#undef OP
}

static bool
is_nan(u64 x, bool is_float)
{
	return is_float ? (x & 0x7fffffff) > 0x7f800000 : (x & ~0ull >> 1) > 0x7ffull << 52;
}

template <class T> struct real { enum { is = 0 }; };
template <> struct real<float> { enum { is = 1 }; };
template <> struct real<double> { enum { is = 2 }; };

int
main()
{
	both_sides<u64> in(2 * COUNT), out(FUNCTIONS * COUNT);
	static const u64 edges[] = {0, 1, ~0ull, 1ull << 63, ~0ull >> 1, 0x80, 0x8000000080ull, 0x3fc00000ull << 7,
		0x4f000000ull << 7, 0xcf000000ull << 7, 0x3ff0000000000000, 0xc1e0000000000000, 0x43e0000000000000,
		0x41dfffffffc00000, 0x7ff8000000000000, 0x7ff0000000000000, 0x4008000000000000, 0x3fe0000000000000};
	u64 state = 1;

	for (int i = 0; i < 2 * COUNT; i++) {
		state = state * 6364136223846793005ull + 1442695040888963407ull;
		u64 r = state ^ state >> 29;
		int n = (int)(state >> 50) % 24;
		in.host[i] = i % 3 == 0 && n < 18 ? edges[n] : i % 3 == 1 ? r >> (state >> 58)
			: (r & ~(0x7ffull << 52)) | (0x3e0 + (state >> 57)) << 52;
	}
	in.to_device();
	evaluate<<<COUNT / 64, 64>>>(in.device, out.device);
	out.to_host();
	for (int i = 0; i < COUNT; i++) {
		OPERANDS(in.host + 2 * i)
		int n = 0;
#define OP(expression, model)                                                                            \
		{                                                                                        \
			auto want = model;                                                               \
			u64 got = out.host[n++ * COUNT + i];                                             \
			int kind = real<decltype(want)>::is;                                             \
			if (got != bits(want)                                                            \
			    && !(kind && is_nan(got, kind == 1) && is_nan(bits(want), kind == 1))        \
			    && failures++ < 20)                                                          \
				printf("%s of %llx %llx: %llx, not %llx\n", #expression, w, x, got, bits(want)); \
		}
		OPS
#undef OP
	}
	return finish("integer", (long)FUNCTIONS * COUNT);
}
