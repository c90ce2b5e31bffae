/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * LINK: base
 *
 * Transcendental rows within one ulp of the right result (from libm's long double): every half, a float of each 4,001,
 * doubles at random; denormals, infinities and NaN included. Prints how many are not rounded right.
 * Also the values that no rounding touches: powers of two, whole turns.
 */
#define GCN_VARIANT test
#include "amdgpu/exec/run/real.h"
#include <stdio.h>

const float exec_one = 1.0f;
static int failures;

typedef long double wide;
static const wide two_pi = 6.283185307179586476925286766559L;

static wide
turns_sin(wide x)
{
	if (fabsl(x) > 256)
		return 0;
	x -= rintl(x); /* exact */
	x = x > 0.25L ? 0.5L - x : x < -0.25L ? -0.5L - x : x;
	return sinl(two_pi * x);
}

static wide
turns_cos(wide x)
{
	if (fabsl(x) > 256)
		return 1;
	x = fabsl(x - rintl(x));
	return sinl(two_pi * (0.25L - x)); /* accurate near its zero */
}

static wide
reciprocal(wide x)
{
	return 1 / x;
}

static wide
root_reciprocal(wide x)
{
	return x < 0 ? (wide)NAN : 1 / sqrtl(x);
}

static wide
root(wide x)
{
	return x < 0 ? (wide)NAN : sqrtl(x);
}

static wide
power(wide x)
{
	return exp2l(x);
}

static wide
logarithm(wide x)
{
	return x < 0 ? (wide)NAN : log2l(x);
}

static float
rcp(float x)
{
	return 1.0f / x;
}

static float
rsq16(float x)
{
	return 1.0f / sqrtf(x);
}

static const struct {
	const char *name;
	float (*f32)(float), (*f16)(float);
	wide (*want)(wide);
} functions[] = {
	{"exp", exp2_f32, exp2_f32, power},
	{"log", log2_f32, log2_f32, logarithm},
	{"rcp", rcp, rcp, reciprocal},
	{"rsq", rsq_f32, rsq16, root_reciprocal},
	{"sqrt", sqrtf, sqrtf, root},
	{"sin", sin_f32, sin_f32, turns_sin},
	{"cos", cos_f32, cos_f32, turns_cos},
};

/* Places of floats in their order: neighbours differ by one. */
static i64
order(u32 bits, u32 sign)
{
	return bits & sign ? -(i64)(bits & (sign - 1)) : (i64)bits;
}

static void
compare(const char *name, u32 in, u32 got, u32 want, u32 sign, u32 inf, u64 *off)
{
	bool gn = (got & (sign - 1)) > inf, wn = (want & (sign - 1)) > inf;
	i64 d = order(got, sign) - order(want, sign);
	if (gn && wn)
		return;
	*off += d != 0;
	if ((gn != wn || d > 1 || d < -1) && failures++ < 20)
		fprintf(stderr, "%s(%x) is %x, not %x\n", name, in, got, want);
}

/* A long double to a half by way of a float that is odd where it is not exact. */
static u32
half_of(wide v)
{
	double d = (double)v;
	float f = odd_f32(d);
	if ((wide)d != v && (double)f == d && d - d == 0)
		f = float32(bits32(f) | 1);
	return f2h(f);
}

static void
test_halves(void)
{
	for (size_t k = 0; k < COUNT(functions); k++) {
		u64 off = 0;
		for (u32 h = 0; h < 0x10000; h++) {
			float x = h2f(h);
			u32 want = x != x                       ? 0x7e00
				   : x - x != 0 && (k == 5 || k == 6) ? 0x7e00
								      : half_of(functions[k].want((wide)x));
			compare(functions[k].name, h, f2h(functions[k].f16(x)), want, 0x8000, 0x7c00, &off);
		}
		printf("%s f16: %llu of 65536 not rounded right\n", functions[k].name, (unsigned long long)off);
		if (off > 16 && failures++ == 0)
			fprintf(stderr, "%s: halves should be rounded right\n", functions[k].name);
	}
}

static void
test_floats(void)
{
	for (size_t k = 0; k < COUNT(functions); k++) {
		u64 off = 0, n = 0;
		for (u64 u = k; u <= UINT32_MAX; u += 4001, n++) {
			float x = float32((u32)u);
			u32 want = x != x                       ? NAN32
				   : x - x != 0 && (k == 5 || k == 6) ? NAN32
								      : bits32((float)functions[k].want((wide)x));
			compare(functions[k].name, (u32)u, bits32(functions[k].f32(x)), want, 0x80000000,
				0x7f800000, &off);
		}
		printf("%s f32: %llu of %llu not rounded right\n", functions[k].name, (unsigned long long)off,
			(unsigned long long)n);
	}
}

static void
test_doubles(void)
{
	u64 state = 88172645463325252ull;
	for (int i = 0; i < 300000; i++) {
		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		double x = fabs(float64(state));
		if (x - x != 0)
			continue;
		double got[] = {1.0 / x, 1.0 / sqrt(x), sqrt(x)};
		wide want[] = {1 / (wide)x, 1 / sqrtl((wide)x), sqrtl((wide)x)};
		for (int k = 0; k < 3; k++) {
			i64 d = (i64)(bits64(got[k]) - bits64((double)want[k]));
			if ((d > 1 || d < -1) && failures++ < 20)
				fprintf(stderr, "f64 function %d of %a: %a\n", k, x, got[k]);
		}
	}
}

static void
test_exact(void)
{
	for (int n = -149; n < 128; n++) {
		float p = ldexpf(1, n);
		if (exp2_f32((float)n) != p || log2_f32(p) != (float)n)
			failures++;
	}
	for (int n = -256; n <= 256; n++) {
		float x = (float)n;
		bool ok = sin_f32(x) == 0 && cos_f32(x) == 1 && (n == 256 || cos_f32(x + 0.5f) == -1) &&
			  (n == 256 || sin_f32(x + 0.25f) == 1) && (n == -256 || sin_f32(x - 0.25f) == -1);
		if (!ok && failures++ < 20)
			fprintf(stderr, "turn %d\n", n);
	}
}

int
main(void)
{
	test_halves();
	test_floats();
	test_doubles();
	test_exact();
	return failures != 0;
}
