// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception libm.cu - the few functions where ocml
// errs by more than CUDA's guide allows: logf, asinf, expm1f, expm1 and exp10; and log1p, which
// ocml gets wrong next to zero. The textbook way for each: reduce the argument, keep what the
// reduction rounds off in a second float, add a polynomial (fitted at Chebyshev nodes) to the small
// part, and round once, at the end.
#include "device.h"

#pragma clang fp contract(off)
#pragma clang fp reassociate(off)

static __device__ float
reciprocal(float x) // to about one unit of the last place
{
#if defined(__AMDGCN__)
	return __builtin_amdgcn_rcpf(x);
#else
	return 1 / x;
#endif
}

extern "C" {
__device__ double __ocml_log_f64(double);
__device__ double __ocml_asin_f64(double);
__device__ float __ocml_exp10_f32(float);
__device__ double __ocml_log1p_f64(double);
__device__ float __ocml_log1p_f32(float);

__device__ double
__heddle_log_f64(double x)
{
	return __ocml_log_f64(x);
}

__device__ double
__heddle_asin_f64(double x)
{
	return __ocml_asin_f64(x);
}

__device__ float
__heddle_exp10_f32(float x)
{
	return __ocml_exp10_f32(x);
}

__device__ float
__heddle_log1p_f32(float x)
{
	return __ocml_log1p_f32(x);
}

// Of zeros and the smallest numbers, ocml's loses the sign or all.
__device__ double
__heddle_log1p_f64(double x)
{
	return __builtin_fabs(x) < 0x1p-54 ? x : __ocml_log1p_f64(x);
}

// x = 2^e (1 + f) with 1 + f between the roots of 1/2 and 2, and log(1 + f) = f - f^2/2 + s (f^2/2
// + R(s^2)), s = f / (2 + f).
__device__ float
__heddle_log_f32(float x)
{
	int e;
	float m, f, s, z, rest, half, k;

	if (!(x > 0) || x == __builtin_inff())
		return x == 0 ? -__builtin_inff() : x > 0 || x != x ? x : __builtin_nanf("");
	m = __builtin_frexpf(x, &e);
	if (m < 0.70710678f) {
		m *= 2;
		e--;
	}
	f = m - 1;
	s = f * reciprocal(2 + f);
	z = s * s;
	rest = z * __builtin_fmaf(z,
			   __builtin_fmaf(
				   z, __builtin_fmaf(z, 0.233368110f, 0.285505870f), 0.400001239f),
			   0.666666666f);
	half = 0.5f * f * f;
	k = (float)e;
	// The first factor has 15 bits, so that its product is exact.
	return k * 0x1.62e4p-1f - ((half - (s * (half + rest) + k * 0x1.7f7d1cp-20f)) - f);
}

// asin(y) = y + y z P(z), z = y^2 <= 1/4; for larger x, pi/2 - 2 asin(sqrt((1 - x) / 2)).
__device__ float
__heddle_asin_f32(float x)
{
	float a = __builtin_fabsf(x), z = a < 0.5f ? x * x : 0.5f * (1 - a), p, s, low, hi, lo;

	p = 0.0337007263f;
	p = __builtin_fmaf(p, z, 0.0171437168f);
	p = __builtin_fmaf(p, z, 0.0311017278f);
	p = __builtin_fmaf(p, z, 0.0445993192f);
	p = __builtin_fmaf(p, z, 0.0750009476f);
	p = __builtin_fmaf(p, z, 0.166666663f) * z;
	if (a < 0.5f)
		return __builtin_fmaf(x, p, x);
	s = __builtin_sqrtf(z);
	low = s > 0 ? __builtin_fmaf(-s, s, z) * reciprocal(2 * s) : s;
	hi = 0x1.921fb6p+0f - 2 * s;
	lo = (0x1.921fb6p+0f - hi) - 2 * s;
	hi += lo + (-0x1.777a5cp-25f - 2 * __builtin_fmaf(s, p, low));
	return __builtin_copysignf(hi, x);
}

// e^x - 1 = 2^k (1 + r + r^2/2 + r^3 Q(r)) - 1, x = k log 2 + r + c; the two large terms are added
// without error.
__device__ float
__heddle_expm1_f32(float x)
{
	float k, r, c, q, t, a, s1, e1, s2, e2, b;

	if (x != x || x == 0 || x > 89)
		return x > 89 ? __builtin_inff() : x;
	if (x < -18)
		return -1;
	k = __builtin_rintf(x * 0x1.715476p+0f);
	s1 = __builtin_fmaf(-k, 0x1.62e4p-1f, x);
	e1 = k * 0x1.7f7d1cp-20f;
	r = s1 - e1;
	c = (s1 - r) - e1;
	q = __builtin_fmaf(r, 0.0001989197f, 0.00138888656f);
	q = __builtin_fmaf(r, q, 0.00833331003f);
	q = __builtin_fmaf(r, q, 0.0416666667f);
	q = __builtin_fmaf(r, q, 0.166666667f);
	q = __builtin_fmaf(r, q, 0.5f);
	q = __builtin_fmaf(r * r, q, __builtin_fmaf(r, c, c));
	if (k > 126)
		return __builtin_ldexpf(1 + (r + q), (int)k);
	t = __builtin_ldexpf(1, (int)k);
	a = t * r;
	s1 = t + a;
	e1 = a - (s1 - t);
	s2 = s1 - 1;
	b = s2 - s1;
	e2 = (s1 - (s2 - b)) + (-1 - b);
	return s2 + (e1 + e2 + t * q);
}

// r^3 Q(r) + r^2/2, |r| <= log(2)/2
static __device__ double
exp_tail(double r)
{
	double q;

	q = __builtin_fma(r, 1.608482553369974e-10, 2.0915433598076003e-09);
	q = __builtin_fma(r, q, 2.5052076794862427e-08);
	q = __builtin_fma(r, q, 2.755727183153613e-07);
	q = __builtin_fma(r, q, 2.755731924091844e-06);
	q = __builtin_fma(r, q, 2.480158732699005e-05);
	q = __builtin_fma(r, q, 0.00019841269841266136);
	q = __builtin_fma(r, q, 0.0013888888888883332);
	q = __builtin_fma(r, q, 0.008333333333333333);
	q = __builtin_fma(r, q, 0.04166666666666667);
	q = __builtin_fma(r, q, 0.16666666666666666);
	q = __builtin_fma(r, q, 0.5);
	return r * r * q;
}

__device__ double
__heddle_expm1_f64(double x)
{
	double k, r, c, q, t, a, s1, e1, s2, e2, b;

	if (x != x || x == 0 || x > 710)
		return x > 710 ? __builtin_inf() : x;
	if (x < -40)
		return -1;
	k = __builtin_rint(x * 0x1.71547652b82fep+0);
	s1 = __builtin_fma(-k, 0x1.62e42fefa2p-1, x);
	e1 = k * 0x1.9ef35793c7673p-41;
	r = s1 - e1;
	c = (s1 - r) - e1;
	q = exp_tail(r) + __builtin_fma(r, c, c);
	if (k > 1022)
		return __builtin_ldexp(1 + (r + q), (int)k);
	t = __builtin_ldexp(1, (int)k);
	a = t * r;
	s1 = t + a;
	e1 = a - (s1 - t);
	s2 = s1 - 1;
	b = s2 - s1;
	e2 = (s1 - (s2 - b)) + (-1 - b);
	return s2 + (e1 + e2 + t * q);
}

// 10^x = 2^k e^(y + low), where x = k log10(2) + r + c and y + low = (r + c) log(10).
__device__ double
__heddle_exp10_f64(double x)
{
	double k, r, c, y, low, s, e;

	if (x != x || x > 400 || x < -400)
		return x < 0 ? 0 : x > 0 ? __builtin_inf() : x;
	k = __builtin_rint(x * 0x1.a934f0979a371p+1);
	s = __builtin_fma(-k, 0x1.34413509f6p-2, x);
	e = k * 0x1.9fef311f12b36p-42;
	r = s - e;
	c = (s - r) - e;
	y = r * 0x1.26bb1bbb55516p+1;
	low = __builtin_fma(r, 0x1.26bb1bbb55516p+1, -y);
	low += r * -0x1.f48ad494ea3e9p-53 + c * 0x1.26bb1bbb55516p+1;
	s = 1 + y;
	e = y - (s - 1);
	s += e + (exp_tail(y) + __builtin_fma(y, low, low));
	return __builtin_ldexp(s, (int)k);
}
}
