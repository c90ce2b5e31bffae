// libm on the device against the host's libm in the next wider type: the largest error in units of the last
// place stays within the bounds that the CUDA C++ Programming Guide documents (Mathematical Functions).
// REQUIRES: tier-default
// RUN: %run_both %s | %FileCheck %s
// CHECK: math: {{[1-9][0-9]*}} checks, 0 failures
#include <cmath>
#include "Inputs/check.h"

enum { COUNT = 512 };
static long checks;
static unsigned long long state = 0x9e3779b97f4a7c15ull;

static double
uniform()
{
	state = state * 6364136223846793005ull + 1442695040888963407ull;
	return (double)(state >> 11) * 0x1p-53;
}

// Between low and high, evenly by exponent where the range is wide and of one sign
static double
pick(double low, double high)
{
	if (low > 0 && high / low > 1000)
		return low * std::exp(uniform() * std::log(high / low));
	return low + uniform() * (high - low);
}

// The error of `got`, in units of the last place of `want` as a T
template <class T>
static double
ulps(T got, long double want)
{
	int e;
	const int digits = sizeof(T) == 4 ? 24 : 53, least = sizeof(T) == 4 ? -125 : -1021;
	long double most = sizeof(T) == 4 ? 0x1.fffffep127L : 0x1.fffffffffffffp1023L;

	if (want != want || got != got)
		return (want != want) == (got != got) ? 0 : HUGE_VAL;
	if (fabsl(want) > most)
		want = want > 0 ? HUGE_VALL : -HUGE_VALL;
	if (isinf(want) || isinf(got))
		return (long double)got == want ? 0 : isinf(want) && std::fabs(got) >= most / 2 ? 1 : HUGE_VAL;
	frexpl(want, &e);
	if (e < least)
		e = least;
	return (double)fabsl(ldexpl((long double)got - want, digits - e));
}

template <class T>
static void
report(const char *name, const T *x, const T *y, const T *z, const T *got, const long double *want, double bound)
{
	double most = 0;
	int at = 0;

	for (int i = 0; i < COUNT; i++) {
		double error = ulps(got[i], want[i]);
		if (error > most) {
			most = error;
			at = i;
		}
	}
	checks += COUNT;
	if (most > bound) {
		failures++;
		printf("%s(%a, %a, %a) = %a, not %La: %g ulp, allowed %g\n", name, (double)x[at], (double)y[at],
			(double)z[at], (double)got[at], want[at], most, bound);
	}
}

// TEST(name, type, device expression, expression of the host in long double, x's range, y's, z's, bound)
#define TEST(name, T, ours, reference, xl, xh, yl, yh, zl, zh, bound)                              \
	__global__ void kernel_##name(const T *px, const T *py, const T *pz, T *p)                   \
	{                                                                                            \
		int i = blockIdx.x * blockDim.x + threadIdx.x;                                       \
		T x = px[i], y = py[i], z = pz[i];                                                   \
		(void)x, (void)y, (void)z;                                                           \
		p[i] = ours;                                                                         \
	}                                                                                            \
	static void test_##name()                                                                    \
	{                                                                                            \
		both_sides<T> xs(COUNT), ys(COUNT), zs(COUNT), got(COUNT);                           \
		static long double want[COUNT];                                                      \
		for (int i = 0; i < COUNT; i++) {                                                    \
			xs.host[i] = (T)pick(xl, xh);                                                \
			ys.host[i] = (T)pick(yl, yh);                                                \
			zs.host[i] = (T)pick(zl, zh);                                                \
			long double x = xs.host[i], y = ys.host[i], z = zs.host[i];                  \
			(void)x, (void)y, (void)z;                                                   \
			want[i] = reference;                                                         \
		}                                                                                    \
		xs.to_device(), ys.to_device(), zs.to_device();                                      \
		kernel_##name<<<COUNT / 64, 64>>>(xs.device, ys.device, zs.device, got.device);      \
		got.to_host();                                                                       \
		report<T>(#name, xs.host, ys.host, zs.host, got.host, want, bound);                  \
	}
#define ONE(name, low, high, f32, f64)                                                           \
	TEST(name##f, float, name##f(x), name##l(x), low, high, 0, 1, 0, 1, f32)                 \
	TEST(name, double, name(x), name##l(x), low, high, 0, 1, 0, 1, f64)                      \
	TEST(std_##name, float, std::name(x), name##l(x), low, high, 0, 1, 0, 1, f32)
#define TWO(name, xl, xh, yl, yh, f32, f64)                                                      \
	TEST(name##f, float, name##f(x, y), name##l(x, y), xl, xh, yl, yh, 0, 1, f32)            \
	TEST(name, double, name(x, y), name##l(x, y), xl, xh, yl, yh, 0, 1, f64)                 \
	TEST(std_##name, float, std::name(x, y), name##l(x, y), xl, xh, yl, yh, 0, 1, f32)
#define OWN(name, reference, low, high, f32, f64)                                                \
	TEST(name##f, float, name##f(x), reference, low, high, 0, 1, 0, 1, f32)                  \
	TEST(name, double, name(x), reference, low, high, 0, 1, 0, 1, f64)
static const long double pi = 3.14159265358979323846264338327950288L;

// Functions with results behind pointers, summed
static __device__ float sine_of(float x) { float s, c; sincosf(x, &s, &c); return s; }
static __device__ double cosine_of(double x) { double s, c; sincos(x, &s, &c); return c; }
static __device__ double frexp_sum(double x) { int e; double m = frexp(x, &e); return m + e; }
static long double frexp_sum(long double x) { int e; long double m = frexpl(x, &e); return m + e; }
static __device__ float modf_sum(float x) { float w, r = modff(x, &w); return w * 2 + r; }
static long double modf_sum(long double x) { long double w, r = modfl(x, &w); return w * 2 + r; }
static __device__ double remquo_sum(double x, double y) { int q; double r = remquo(x, y, &q); return r + (q & 7); }
static long double remquo_sum(long double x, long double y) { int q; long double r = remquol(x, y, &q); return r + (q & 7); }

#define TESTS                                                  \
	ONE(sin, -100, 100, 2, 2)                              \
	ONE(cos, -100, 100, 2, 2)                              \
	ONE(tan, -100, 100, 4, 2)                              \
	ONE(asin, -1, 1, 2, 2)                                 \
	ONE(acos, -1, 1, 2, 2)                                 \
	ONE(atan, -20, 20, 2, 2)                               \
	ONE(sinh, -20, 20, 3, 2)                               \
	ONE(cosh, -20, 20, 2, 2)                               \
	ONE(tanh, -5, 5, 2, 2)                                 \
	ONE(asinh, -1000, 1000, 3, 3)                          \
	ONE(acosh, 1, 1e6, 4, 3)                               \
	ONE(atanh, -0.999, 0.999, 3, 2)                        \
	ONE(exp, -80, 80, 2, 1)                                \
	ONE(exp2, -120, 120, 2, 1)                             \
	ONE(expm1, -20, 20, 1, 1)                              \
	ONE(log, 1e-30, 1e30, 1, 1)                            \
	ONE(log2, 1e-30, 1e30, 1, 1)                           \
	ONE(log10, 1e-30, 1e30, 2, 1)                          \
	ONE(log1p, -0.99, 10, 1, 1)                            \
	ONE(cbrt, -1000, 1000, 1, 1)                           \
	ONE(erf, -4, 4, 2, 2)                                  \
	ONE(erfc, -2, 5, 4, 5)                                 \
	ONE(tgamma, 0.5, 20, 11, 10)                           \
	ONE(lgamma, 3, 100, 6, 4)                              \
	ONE(sqrt, 1e-38, 1e38, 0.5, 0.5)                       \
	ONE(floor, -100, 100, 0, 0)                            \
	ONE(ceil, -100, 100, 0, 0)                             \
	ONE(trunc, -100, 100, 0, 0)                            \
	ONE(rint, -100, 100, 0, 0)                             \
	ONE(round, -100, 100, 0, 0)                            \
	ONE(fabs, -100, 100, 0, 0)                             \
	ONE(logb, 1e-30, 1e30, 0, 0)                           \
	TWO(pow, 0.001, 10, -8, 8, 4, 2)                       \
	TWO(atan2, -10, 10, -10, 10, 3, 2)                     \
	TWO(hypot, -1e10, 1e10, -1e10, 1e10, 3, 2)             \
	TWO(fmod, -1000, 1000, 0.5, 10, 0, 0)                  \
	TWO(remainder, -1000, 1000, 0.5, 10, 0, 0)             \
	TWO(fdim, -10, 10, -10, 10, 0.5, 0.5)                  \
	TWO(copysign, -10, 10, -10, 10, 0, 0)                  \
	TWO(fmin, -10, 10, -10, 10, 0, 0)                      \
	TWO(fmax, -10, 10, -10, 10, 0, 0)                      \
	OWN(exp10, powl(10, x), -30, 30, 2, 1)                 \
	OWN(rsqrt, 1 / sqrtl(x), 1e-30, 1e30, 2, 1)            \
	OWN(rcbrt, 1 / cbrtl(x), 1e-30, 1e30, 1, 1)            \
	OWN(sinpi, sinl(pi * fmodl(x, 2)), 0.001, 0.9, 1, 2)   \
	OWN(cospi, cosl(pi * fmodl(x, 2)), -0.49, 0.49, 1, 2)  \
	OWN(j0, j0l(x), 0, 2, 5, 7)                            \
	OWN(j1, j1l(x), 0.01, 3, 5, 7)                         \
	OWN(y0, y0l(x), 1, 3, 5, 7)                            \
	OWN(normcdf, 0.5L * erfcl(-x * 0.70710678118654752440084436210485L), -4, 4, 5, 5) \
	OWN(erfcx, expl(x * x) * erfcl(x), 0, 5, 4, 4)         \
	TEST(jn5f, float, jnf(5, x), jnl(5, x), 0.1, 4, 0, 1, 0, 1, 5)               \
	TEST(jn5, double, jn(5, x), jnl(5, x), 0.1, 4, 0, 1, 0, 1, 20)               \
	TEST(yn3, double, yn(3, x), ynl(3, x), 0.1, 2, 0, 1, 0, 1, 20)               \
	TEST(norm3df, float, norm3df(x, y, z), hypotl(hypotl(x, y), z), -9, 9, -9, 9, -9, 9, 3)       \
	TEST(norm3d, double, norm3d(x, y, z), hypotl(hypotl(x, y), z), -9, 9, -9, 9, -9, 9, 2)        \
	TEST(rnorm3d, double, rnorm3d(x, y, z), 1 / hypotl(hypotl(x, y), z), 1, 9, -9, 9, -9, 9, 2)   \
	TEST(rhypotf, float, rhypotf(x, y), 1 / hypotl(x, y), 1, 9, -9, 9, 0, 1, 2)                   \
	TEST(fmaf, float, fmaf(x, y, z), fmal(x, y, z), -9, 9, -9, 9, -9, 9, 0.5001)                  \
	TEST(fma, double, fma(x, y, z), fmal(x, y, z), -9, 9, -9, 9, -9, 9, 0.5001)                   \
	TEST(divf, float, x / y, x / y, -9, 9, 0.001, 9, 0, 1, 0.5001)                                \
	TEST(div, double, x / y, x / y, -9, 9, 0.001, 9, 0, 1, 0.5001)                                \
	TEST(fdividef, float, __fdividef(x, y), x / y, -9, 9, 0.001, 9, 0, 1, 2)                      \
	TEST(fexpf, float, __expf(x), expl(x), -10, 10, 0, 1, 0, 1, 2 + 1.173 * 10)                   \
	TEST(fexp10f, float, __exp10f(x), powl(10, x), -5, 5, 0, 1, 0, 1, 2 + 2.97 * 5)               \
	TEST(flog2f, float, __log2f(x), log2l(x), 2, 100, 0, 1, 0, 1, 2)                              \
	TEST(flogf, float, __logf(x), logl(x), 2, 100, 0, 1, 0, 1, 3)                                 \
	TEST(flog10f, float, __log10f(x), log10l(x), 2, 100, 0, 1, 0, 1, 3)                           \
	TEST(frsqrt, float, __frsqrt_rn(x), 1 / sqrtl(x), 0.1, 100, 0, 1, 0, 1, 0.5001)               \
	TEST(frcp, float, __frcp_rn(x), 1 / x, 0.1, 100, 0, 1, 0, 1, 0.5001)                          \
	TEST(sincosf, float, sine_of(x), sinl(x), -100, 100, 0, 1, 0, 1, 2)                           \
	TEST(sincos, double, cosine_of(x), cosl(x), -100, 100, 0, 1, 0, 1, 2)                         \
	TEST(frexp, double, frexp_sum(x), frexp_sum(x), 1e-9, 1e9, 0, 1, 0, 1, 0.5)                     \
	TEST(modff, float, modf_sum(x), modf_sum(x), -99, 99, 0, 1, 0, 1, 0.5)                        \
	TEST(remquo, double, remquo_sum(x, y), remquo_sum(x, y), 1, 99, 1, 9, 0, 1, 1)                \
	TEST(ldexpf, float, ldexpf(x, (int)y), ldexpl(x, (int)y), -2, 2, -100, 100, 0, 1, 0)                          \
	TEST(ilogb, double, ilogb(x) + llrint(y) + lround(z), ilogbl(x) + llrintl(y) + lroundl(z), 1e-9, 1e9, -99, 99, -99, 99, 0)

TESTS

#undef TEST
#define TEST(name, ...) test_##name();

int
main()
{
	TESTS
	return finish("math", checks);
}
