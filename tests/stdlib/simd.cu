// The SIMD intrinsics, dot products and DPX functions against models that work on arrays of small integers, and
// matches and reductions of a warp.
// REQUIRES: tier-default
// RUN: %run_both %s | %FileCheck %s
// CHECK: simd: {{[1-9][0-9]*}} checks, 0 failures
#include "Inputs/check.h"

typedef unsigned u32;
enum { COUNT = 512 };
static long checks;

template <class T> static T least() { return (T)-1 < 0 ? (T)(1 << (8 * sizeof(T) - 1)) : 0; }
template <class T> static T most() { return (T)~least<T>(); }
template <class T> static T clamp(int x) { return x < least<T>() ? least<T>() : x > most<T>() ? most<T>() : (T)x; }

// One lane at a time, T being the lane's type
template <class T, class F>
static u32
lanes(u32 a, u32 b, F f)
{
	enum { N = 4 / sizeof(T) };
	T x[N], y[N], r[N];
	u32 result;

	memcpy(x, &a, 4), memcpy(y, &b, 4);
	for (int i = 0; i < N; i++)
		r[i] = (T)f(x[i], y[i]);
	memcpy(&result, r, 4);
	return result;
}

template <class T, class F>
static u32
sum(u32 a, u32 b, F f)
{
	u32 r = 0;
	enum { N = 4 / sizeof(T) };
	T x[N], y[N];

	memcpy(x, &a, 4), memcpy(y, &b, 4);
	for (int i = 0; i < N; i++)
		r += (u32)f(x[i], y[i]);
	return r;
}

#define L(T, expression) lanes<T>(a, b, [](int p, int q) { (void)q; return expression; })
#define SUM(T, expression) sum<T>(a, b, [](int p, int q) { return expression; })
// OP2(name, signed or unsigned, lane's result from p and q) for both sizes
#define BOTH(OP2)                                                     \
	OP2(__vabs, s, (a), p < 0 ? -p : p)                           \
	OP2(__vabsss, s, (a), clamp<T>(p < 0 ? -p : p))               \
	OP2(__vneg, s, (a), -p)                                       \
	OP2(__vnegss, s, (a), clamp<T>(-p))                           \
	OP2(__vadd, u, (a, b), p + q)                                 \
	OP2(__vaddss, s, (a, b), clamp<T>(p + q))                     \
	OP2(__vaddus, u, (a, b), clamp<T>(p + q))                     \
	OP2(__vsub, u, (a, b), p - q)                                 \
	OP2(__vsubss, s, (a, b), clamp<T>(p - q))                     \
	OP2(__vsubus, u, (a, b), clamp<T>(p - q))                     \
	OP2(__vavgu, u, (a, b), (p + q + 1) / 2)                      \
	OP2(__vhaddu, u, (a, b), (p + q) / 2)                         \
	OP2(__vabsdiffs, s, (a, b), abs(p - q))                       \
	OP2(__vabsdiffu, u, (a, b), abs(p - q))                       \
	OP2(__vmaxs, s, (a, b), p > q ? p : q)                        \
	OP2(__vmaxu, u, (a, b), p > q ? p : q)                        \
	OP2(__vmins, s, (a, b), p < q ? p : q)                        \
	OP2(__vminu, u, (a, b), p < q ? p : q)                        \
	OP2(__vcmpeq, u, (a, b), p == q ? ~0 : 0)                     \
	OP2(__vcmpne, u, (a, b), p != q ? ~0 : 0)                     \
	OP2(__vcmpges, s, (a, b), p >= q ? ~0 : 0)                    \
	OP2(__vcmpgeu, u, (a, b), p >= q ? ~0 : 0)                    \
	OP2(__vcmpgts, s, (a, b), p > q ? ~0 : 0)                     \
	OP2(__vcmpltu, u, (a, b), p < q ? ~0 : 0)                     \
	OP2(__vsetles, s, (a, b), p <= q)                             \
	OP2(__vsetlts, s, (a, b), p < q)                              \
	OP2(__vsetgtu, u, (a, b), p > q)                              \
	OP2(__vsetleu, u, (a, b), p <= q)
#define OTHERS(OP)                                                                              \
	OP(__vsads2(a, b), SUM(short, abs(p - q)))                                              \
	OP(__vsadu2(a, b), SUM(unsigned short, abs(p - q)))                                     \
	OP(__vsads4(a, b), SUM(signed char, abs(p - q)))                                        \
	OP(__vsadu4(a, b), SUM(unsigned char, abs(p - q)))                                      \
	OP(__dp4a((int)a, (int)b, 5), SUM(signed char, p * q) + 5)                              \
	OP(__dp4a(a, b, 5u), SUM(unsigned char, p * q) + 5)                                     \
	OP(__dp2a_lo((int)a, (int)b, 7), 7 + (short)a * (signed char)b + (short)(a >> 16) * (signed char)(b >> 8)) \
	OP(__dp2a_hi(a, b, 7u), 7 + (a & 0xffff) * (b >> 16 & 255) + (a >> 16) * (b >> 24))     \
	OP(__viaddmax_s32((int)a, (int)b, 3), (int)(a + b) > 3 ? a + b : 3)                     \
	OP(__vimin3_s32_relu((int)a, (int)b, 9), (int)a < 0 || (int)b < 0 ? 0 : a < b ? a < 9 ? a : 9 : b < 9 ? b : 9) \
	OP(__vimax3_u32(a, b, 9), a > b ? a > 9 ? a : 9 : b > 9 ? b : 9)                        \
	OP(__vimax_s16x2_relu(a, b), L(short, p > q ? p > 0 ? p : 0 : q > 0 ? q : 0))           \
	OP(__viaddmin_u16x2(a, b, 0x00100010), L(unsigned short, ((p + q) & 0xffff) < 16 ? p + q : 16)) \
	OP(__fns(a, b & 31, 2), nth(a, b & 31, 2))                                              \
	OP(__fns(a, b & 31, -3), nth(a, b & 31, -3))

static u32
nth(u32 mask, int base, int offset)
{
	int seen = 0, step = offset > 0 ? 1 : -1;

	for (int i = base; i >= 0 && i < 32; i += step)
		if (mask >> i & 1 && (seen += step) == offset)
			return (u32)i;
	return ~0u;
}

#define ONE(name, sign, arguments, result) +2
#define ONE1(expression, model) +1
enum { FUNCTIONS = BOTH(ONE) + OTHERS(ONE1) };

__global__ void
evaluate(const u32 *in, u32 *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, n = 0;
	u32 a = in[2 * i], b = in[2 * i + 1];

#define OP2(name, sign, arguments, result)           \
	out[n++ * COUNT + i] = name##2 arguments;    \
	out[n++ * COUNT + i] = name##4 arguments;
#define OP(expression, model) out[n++ * COUNT + i] = (u32)(expression);
	BOTH(OP2)
	OTHERS(OP)
#undef OP2
#undef OP
}

static void
expect(const char *what, u32 a, u32 b, u32 got, u32 want)
{
	checks++;
	if (got != want && failures++ < 20)
		printf("%s(%x, %x): %x, not %x\n", what, a, b, got, want);
}

__global__ void
matches(u32 *out)
{
	int i = threadIdx.x, all, none;
	u32 *o = out + i;

	o[0] = __match_any_sync(0xffffffff, i % 3);
	o[64] = __match_any_sync(0xffffffff, (double)(i % 5));
	o[128] = __match_all_sync(0xffffffff, i / 32, &all);
	o[192] = __match_all_sync(0xffffffff, i / 16, &none);
	o[256] = (u32)(all != 0) * 2 + (u32)(none != 0);
	o[320] = (u32)__reduce_add_sync(0xffffffff, i);
	o[384] = (u32)__reduce_min_sync(0xffffffff, -i);
	o[448] = __reduce_max_sync(0xffffffff, (u32)i);
	o[512] = __reduce_xor_sync(0xffffffff, 1u << i % 31);
	o[576] = __reduce_or_sync(0xffffffff, (u32)i) + __reduce_and_sync(0xffffffff, (u32)i | 64);
}

int
main()
{
	both_sides<u32> in(2 * COUNT), out(FUNCTIONS * COUNT), warp(640);
	unsigned long long state = 3;

	for (int i = 0; i < 2 * COUNT; i++) {
		static const u32 edges[] = {0, ~0u, 0x80008000, 0x7fff7fff, 0x80808080, 0x7f7f7f7f, 0x00010080, 0x80000001};
		state = state * 6364136223846793005ull + 1442695040888963407ull;
		in.host[i] = i % 3 ? (u32)(state >> 32) : edges[state >> 61];
	}
	in.to_device();
	evaluate<<<COUNT / 64, 64>>>(in.device, out.device);
	out.to_host();
	for (int i = 0; i < COUNT; i++) {
		u32 a = in.host[2 * i], b = in.host[2 * i + 1];
		int n = 0;
		typedef short s16;
		typedef unsigned short u16;
		typedef signed char s8;
		typedef unsigned char u8;
#define OP2(name, sign, arguments, result)                                                                         \
		{ typedef sign##16 T; expect(#name "2", a, b, out.host[n++ * COUNT + i], L(T, result)); }          \
		{ typedef sign##8 T; expect(#name "4", a, b, out.host[n++ * COUNT + i], L(T, result)); }
#define OP(expression, model) expect(#expression, a, b, out.host[n++ * COUNT + i], (u32)(model));
		BOTH(OP2)
		OTHERS(OP)
	}
	matches<<<1, 64>>>(warp.device);
	warp.to_host();
	for (int i = 0; i < 64; i++) {
		u32 thirds = 0, fifths = 0, x = 0, first = i / 32 * 32, *o = warp.host + i;
		for (u32 j = 0; j < 32; j++) {
			thirds |= (u32)((first + j) % 3 == (u32)i % 3) << j;
			fifths |= (u32)((first + j) % 5 == (u32)i % 5) << j;
			x ^= 1u << (first + j) % 31;
		}
		expect("match any", i, 0, o[0], thirds);
		expect("match any of doubles", i, 0, o[64], fifths);
		expect("match all", i, 0, o[128], ~0u);
		expect("match not all", i, 0, o[192], 0);
		expect("predicates", i, 0, o[256], 2);
		expect("reduce add", i, 0, o[320], first * 32 + 496);
		expect("reduce min", i, 0, o[384], 0u - (first + 31));
		expect("reduce max", i, 0, o[448], first + 31);
		expect("reduce xor", i, 0, o[512], x);
		expect("reduce or and", i, 0, o[576], first + 31 + 64 + first);
	}
	return finish("simd", checks);
}
