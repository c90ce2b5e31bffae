/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * LINK: exec base
 *
 * The functions behind the executor's rows against the compiler's own and libm's: halves of every bit pattern,
 * fused multiply-add of halves, scaling, conversions that saturate, and transcendental ones within one ulp.
 */
#define GCN_VARIANT test
#include "amdgpu/exec/run/real.h"
#include <stdio.h>
#include <stdlib.h>

const float exec_one = 1.0f;
static int failures;
static u64 state = 88172645463325252ull;

static u32
any(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (u32)(state >> 11);
}

static void
differ(const char *what, u64 in, u64 got, u64 want)
{
	if (failures++ < 20)
		fprintf(stderr, "%s(%llx) is %llx, not %llx\n", what, (unsigned long long)in,
			(unsigned long long)got, (unsigned long long)want);
}

static void
same(const char *what, u64 in, u64 got, u64 want)
{
	if (got != want)
		differ(what, in, got, want);
}

/* Floats of all sizes, with the special ones often. */
static float
any_float(void)
{
	static const u32 special[] = {0, 0x80000000, 0x7f800000, 0xff800000, 0x00000001, 0x007fffff,
		0x00800000, 0x3f800000, 0x7f7fffff, 0x3effffff, 0x4b000001, 0x477ff000, 0x477fefff,
		0x38800000, 0x387fffff, 0x33000000, 0x33000001};
	u32 r = any();
	if (r % 8 == 0)
		return float32(special[any() % COUNT(special)]);
	if (r % 8 < 4) /* in reach of a half */
		return float32((any() & 0x807fffff) | (100 + any() % 45) << 23);
	return float32(any() * 2 + (any() & 1));
}

/* Rounds to nearest, ties to even, by the definition: the neighbours are tried. */
static u32
half_reference(double d)
{
	u32 sign = d < 0 || (d == 0 && signbit(d)) ? 0x8000 : 0;
	double m = fabs(d);
	if (d != d)
		return 0x7e00;
	if (m >= 65520)
		return sign | 0x7c00;
	u32 lo = 0, hi = 0x7c00; /* the largest half not above m */
	while (hi - lo > 1) {
		u32 mid = (lo + hi) / 2;
		*((double)h2f(mid) <= m ? &lo : &hi) = mid;
	}
	double below = m - (double)h2f(lo),
	       above = (lo == 0x7bff ? 65536.0 : (double)h2f(lo + 1)) - m;
	return sign | (below < above || (below == above && !(lo & 1)) ? lo : lo + 1);
}

static void
test_halves(void)
{
	for (u32 h = 0; h < 0x10000; h++) {
		bool nan = (h & 0x7fff) > 0x7c00;
		double v = ldexp(h & 0x7c00 ? 1024 + (h & 0x3ff) : h & 0x3ff,
			(int)(h & 0x7c00 ? (h >> 10 & 31) : 1) - 25);
		if ((h & 0x7c00) != 0x7c00)
			same("h2f", h, bits32(h2f(h)), bits32((float)(h & 0x8000 ? -v : v)));
		same("f2h(h2f)", h, f2h(h2f(h)), nan ? h | 0x200 : h);
		same("f2h_rtz(h2f)", h, f2h_rtz(h2f(h)), nan ? h | 0x200 : h);
	}
	for (int i = 0; i < 300000; i++) {
		float f = any_float();
		if (f != f)
			continue;
		u32 t = f2h_rtz(f), want = half_reference((double)f);
		same("f2h", bits32(f), f2h(f), want);
		/* to zero: never further from it, and the next one would be too far */
		if (f - f == 0)
			same("f2h_rtz", bits32(f),
				fabsf(h2f(t)) <= fabsf(f) &&
					((t & 0x7fff) == 0x7bff || fabsf(h2f(t + 1)) > fabsf(f)),
				1);
		float up = h2f(f2h_round(f, 2)), down = h2f(f2h_round(f, 1));
		same("rounded up and down", bits32(f), down <= f && f <= up, 1);
	}
}

static void
test_fma16(void)
{
	for (int i = 0; i < 300000; i++) {
		u32 a = any() & 0xffff, b = any() & 0xffff, c = any() & 0xffff;
		if (i % 3 == 0) /* c close to the product: cancellation, and ties */
			c = f2h(-h2f(a) * h2f(b)) ^ (any() & 3);
		float x = h2f(a), y = h2f(b), z = h2f(c);
		if (x - x != 0 || y - y != 0 || z - z != 0)
			continue;
		/* exact: halves are multiples of 2^-24 below 2^16, so the sum has fewer than 113 bits */
		__extension__ __float128 exact = (__float128)x * y + z;
		double d = (double)exact;
		if ((__float128)d != exact) { /* odd: one rounding */
			u64 u = bits64(d);
			if (!(u & 1))
				d = float64(((__float128)d < exact) == (d > 0) ? u + 1 : u - 1);
		}
		same("fma_f16", (u64)a << 32 | b << 16 | c, f2h(fma_f16(x, y, z)) & 0x7fff,
			half_reference(d) & 0x7fff);
	}
}

static void
test_scale(void)
{
	for (int i = 0; i < 300000; i++) {
		float f = any_float();
		double d = float64((u64)any() << 42 ^ (u64)any() << 21 ^ any());
		i32 n = (i32)(any() % 700) - 350, m = (i32)(any() % 4600) - 2300;
		if (f != f || d != d)
			continue;
		int e;
		same("ldexp_f32", bits32(f), bits32(ldexp_f32(f, n)), bits32(ldexpf(f, n)));
		same("ldexp_f64", bits64(d), bits64(ldexp_f64(d, m)), bits64(ldexp(d, m)));
		same("rndne", bits32(f), bits32(roundeven_f32(f)), bits32(rintf(f)));
		same("rndne", bits64(d), bits64(roundeven_f64(d)), bits64(rint(d)));
		if (f - f != 0 || d - d != 0)
			continue;
		same("frexp", bits32(f), bits32(frexp_mant_f32(f)), bits32(frexpf(f, &e)));
		same("frexp", bits32(f), (u32)frexp_exp_f32(f), (u32)e);
		same("frexp", bits64(d), bits64(frexp_mant_f64(d)), bits64(frexp(d, &e)));
		same("frexp", bits64(d), (u32)frexp_exp_f64(d), (u32)e);
		double t = trunc((double)f);
		same("cvt_i32", bits32(f), (u32)cvt_i32_f32(f),
			(u32)(i32)(t < -0x1p31      ? -0x1p31
				   : t > 2147483647 ? 2147483647
						    : t));
		same("cvt_u32", bits32(f), cvt_u32_f32(f),
			(u32)(t < 0                ? 0
				: t > 4294967295.0 ? 4294967295.0
						   : t));
	}
}

static void
within(const char *what, float in, float got, double want)
{
	float w = (float)want;
	u32 a = bits32(got), b = bits32(w);
	if (w != w ? got == got : a - b + 1 > 2)
		differ(what, bits32(in), a, b);
}

static void
test_transcendental(void)
{
	for (int i = 0; i < 300000; i++) {
		float f = any_float(), turn = (float)(i32)any() * 0x1p-24f;
		if (f == f) {
			within("exp2", f, exp2_f32(f), exp2((double)f));
			within("log2", f, log2_f32(f), f < 0 ? (double)NAN : log2((double)f));
			within("rsq", f, rsq_f32(f), 1 / sqrt((double)f));
		}
		if (fabsf(turn) <
			0.4f) { /* libm's own reduction of 2 pi x is right only near zero */
			within("sin", turn, sin_f32(turn),
				sin(6.283185307179586477 * (double)turn));
			within("cos", turn, cos_f32(turn),
				cos(6.283185307179586477 * (double)turn));
		}
		same("sin of whole turns", bits32(turn), bits32(sin_f32(truncf(turn))) & 0x7fffffff,
			0);
	}
}

int
main(void)
{
	test_halves();
	test_fma16();
	test_scale();
	test_transcendental();
	return failures != 0;
}
