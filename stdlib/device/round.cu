// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception round.cu - arithmetic and conversions
// that round to zero, up or down. The hardware's rounding mode is a register that the compiler does
// not model, so these work in software: each computes the result to nearest and what it misses
// exactly, as the unevaluated sum hi + lo, and steps to the neighbour that the mode asks for.
// Errors of a sum, a product, a quotient and a root are floats themselves and come from Knuth's
// two-sum and from fma (Muller et al., Handbook of Floating-Point Arithmetic, chapters 4, 5).
// Floats work in double, where their products are exact and nothing overflows; doubles work on
// mantissas in [1/2, 1) with the exponents beside them, so that nothing over- or underflows before
// the last step.
#include "device.h"

#pragma clang fp contract(off)
#pragma clang fp reassociate(off)

enum mode { TO_ZERO, UP, DOWN };

static __device__ double
step(double x, int up) // the next double above or below a finite x or an infinity
{
	long long bits = __builtin_bit_cast(long long, x);

	if (x == 0)
		return up ? 0x1p-1074 : -0x1p-1074;
	bits += (x > 0) == (up != 0) ? 1 : -1;
	return __builtin_bit_cast(double, bits);
}

static __device__ float
step(float x, int up)
{
	int bits = __builtin_bit_cast(int, x);

	if (x == 0)
		return up ? 0x1p-149f : -0x1p-149f;
	bits += (x > 0) == (up != 0) ? 1 : -1;
	return __builtin_bit_cast(float, bits);
}

// `near` is the nearest number to a value that lies above it (side > 0), below it, or on it;
// `negative` tells the sign of the value.
template <class T>
static __device__ T
toward(T near, double side, bool negative, int mode)
{
	if (mode == TO_ZERO)
		mode = negative ? UP : DOWN;
	if (mode == UP)
		return side > 0 ? step(near, 1) : near;
	return side < 0 ? step(near, 0) : near;
}

static __device__ bool
finite(double x)
{
	return __builtin_fabs(x) < __builtin_inf();
}

// The error of s = a + b, exactly.
static __device__ double
sum_error(double a, double b, double s)
{
	double t = s - a;

	return (a - (s - t)) + (b - t);
}

// What an exact sum of zero is: +0, but for two zeros of one sign, and -0 when rounding down.
static __device__ double
zero_sum(double a, double b, int mode)
{
	if (a == 0 && b == 0 && __builtin_signbit(a) == __builtin_signbit(b))
		return a;
	return mode == DOWN ? -0.0 : 0.0;
}

/* Double to float */

static __device__ float
narrow(double hi, double lo, int mode)
{
	float near;
	double side;

	if (!finite(hi))
		return (float)hi;
	near = (float)hi;
	side = hi - (double)near; // exact, or infinite
	if (side == 0)
		side = lo;
	return toward(near, side, hi < 0, mode);
}

extern "C" __device__ float
__heddle_narrow(double x, int mode)
{
	return narrow(x, 0, mode);
}

/* Float */

static __device__ float
narrow_sum(double a, double b, int mode)
{
	double s = a + b;

	if (s == 0)
		return (float)zero_sum(a, b, mode);
	return narrow(s, sum_error(a, b, s), mode);
}

extern "C" __device__ float
__heddle_add_f32(float x, float y, int mode)
{
	return narrow_sum(x, y, mode);
}

extern "C" __device__ float
__heddle_mul_f32(float x, float y, int mode)
{
	return narrow((double)x * y, 0, mode);
}

extern "C" __device__ float
__heddle_fma_f32(float x, float y, float z, int mode)
{
	return narrow_sum((double)x * y, z, mode);
}

extern "C" __device__ float
__heddle_div_f32(float x, float y, int mode)
{
	double q = (double)x / y, rest;

	if (!finite(q) || !finite(y) || x == 0)
		return (float)q;
	rest = __builtin_fma(-q, (double)y, (double)x);
	return narrow(q, y > 0 ? rest : -rest, mode);
}

extern "C" __device__ float
__heddle_sqrt_f32(float x, int mode)
{
	double s = __builtin_sqrt((double)x);

	return narrow(s, x > 0 && finite(s) ? __builtin_fma(-s, s, (double)x) : 0, mode);
}

/* Double */

// (hi + lo) * 2^e, where hi is in or near [1/4, 4) by magnitude and only the sign of lo counts
static __device__ double
scale(double hi, double lo, int e, int mode)
{
	double near = __builtin_ldexp(hi, e), side;

	if (!finite(near))
		return toward(near, hi > 0 ? -1 : 1, hi < 0, mode);
	side = hi - __builtin_ldexp(near, -e);
	return toward(near, side != 0 ? side : lo, hi < 0, mode);
}

extern "C" __device__ double
__heddle_add_f64(double x, double y, int mode)
{
	double s = x + y;

	if (s == 0)
		return zero_sum(x, y, mode);
	if (!finite(s))
		return finite(x) && finite(y) ? toward(s, s > 0 ? -1 : 1, s < 0, mode) : s;
	return toward(s, sum_error(x, y, s), s < 0, mode);
}

extern "C" __device__ double
__heddle_mul_f64(double x, double y, int mode)
{
	int ex, ey;
	double mx, my, p;

	if (!finite(x) || !finite(y) || x == 0 || y == 0)
		return x * y;
	mx = __builtin_frexp(x, &ex);
	my = __builtin_frexp(y, &ey);
	p = mx * my;
	return scale(p, __builtin_fma(mx, my, -p), ex + ey, mode);
}

extern "C" __device__ double
__heddle_div_f64(double x, double y, int mode)
{
	int ex, ey;
	double mx, my, q, rest;

	if (!finite(x) || !finite(y) || x == 0 || y == 0)
		return x / y;
	mx = __builtin_frexp(x, &ex);
	my = __builtin_frexp(y, &ey);
	q = mx / my;
	rest = __builtin_fma(-q, my, mx);
	return scale(q, my > 0 ? rest : -rest, ex - ey, mode);
}

extern "C" __device__ double
__heddle_sqrt_f64(double x, int mode)
{
	int e;
	double m, s;

	if (!(x > 0) || !finite(x))
		return __builtin_sqrt(x);
	m = __builtin_frexp(x, &e);
	if (e & 1) {
		m *= 2;
		e--;
	}
	s = __builtin_sqrt(m);
	return scale(s, __builtin_fma(-s, s, m), e / 2, mode);
}

// x * y + z: of the two terms, the smaller counts only by its sign once it is far below the other's
// last bit. So both are brought near 1, where nothing underflows, and summed without error as r1 +
// r2 + r3 (Boldo and Muller, Exact and approximated error of the FMA).
extern "C" __device__ double
__heddle_fma_f64(double x, double y, double z, int mode)
{
	const int far = 300;
	int ex, ey, ez, e;
	double mx, my, mz, r1, u1, u2, a1, a2, b1, b2, g, r2;

	if (!finite(x) || !finite(y) || !finite(z) || x == 0 || y == 0)
		return x == 0 || y == 0 ? __heddle_add_f64(x * y, z, mode) : __builtin_fma(x, y, z);
	if (z == 0)
		return __heddle_mul_f64(x, y, mode);
	mx = __builtin_frexp(x, &ex);
	my = __builtin_frexp(y, &ey);
	mz = __builtin_frexp(z, &ez);
	ex += ey;
	e = ex > ez ? ex : ez;
	mx = __builtin_ldexp(mx, ex - e < -far ? -far : ex - e);
	mz = __builtin_ldexp(mz, ez - e < -far ? -far : ez - e);
	r1 = __builtin_fma(mx, my, mz);
	if (r1 == 0) // exactly: a product that misses -z does so by no less than 2^-106
		return mode == DOWN ? -0.0 : 0.0;
	u1 = mx * my;
	u2 = __builtin_fma(mx, my, -u1);
	a1 = mz + u2;
	a2 = sum_error(mz, u2, a1);
	b1 = u1 + a1;
	b2 = sum_error(u1, a1, b1);
	g = (b1 - r1) + b2;
	r2 = g + a2;
	return scale(r1, r2, e, mode);
}

/* 64-bit integers to floats: keep the leading bits, look at the rest. */

template <class T>
static __device__ T
from_magnitude(unsigned long long n, bool negative, int bits, int mode)
{
	int shift;
	unsigned long long kept;
	T r;

	if (n == 0)
		return 0;
	shift = 64 - __builtin_clzll(n) - bits;
	if (shift <= 0)
		return negative ? -(T)n : (T)n;
	kept = n >> shift;
	if (n != kept << shift && mode != TO_ZERO && (mode == UP) != negative)
		kept++;
	r = (T)kept * (T)(1ull << shift); // both exact
	return negative ? -r : r;
}

extern "C" {
__device__ float
__heddle_i64_to_f32(long long n, int mode)
{
	return from_magnitude<float>(n < 0 ? 0 - (unsigned long long)n : n, n < 0, 24, mode);
}

__device__ float
__heddle_u64_to_f32(unsigned long long n, int mode)
{
	return from_magnitude<float>(n, false, 24, mode);
}

__device__ double
__heddle_i64_to_f64(long long n, int mode)
{
	return from_magnitude<double>(n < 0 ? 0 - (unsigned long long)n : n, n < 0, 53, mode);
}

__device__ double
__heddle_u64_to_f64(unsigned long long n, int mode)
{
	return from_magnitude<double>(n, false, 53, mode);
}
}
