// libm on the device at zeros, infinities, NaNs, subnormal and huge numbers: of the same class and sign as the
// host's, and, where it is a number, within a few units of the last place.
// REQUIRES: tier-default
// RUN: %run_both %s | %FileCheck %s
// CHECK: special: {{[1-9][0-9]*}} checks, 0 failures
#include <cmath>
#include "Inputs/check.h"

static const double inputs[] = {0.0, -0.0, INFINITY, -INFINITY, NAN, 1, -1, 0.5, -0.5, 2, -2, 3, -3, 1e-30, -1e-30, 1e30,
	-1e30, 1e-42, -1e-42, 1e-310, -1e-310, 1e300, -1e300, 88.9, -104.5, 710, -746, 1e5, 123456789.0, 0x1p-1074, 1e-5};
enum { COUNT = sizeof inputs / sizeof *inputs };

#define UNARY(OP)                                                                                        \
	OP(sin) OP(cos) OP(tan) OP(asin) OP(acos) OP(atan) OP(sinh) OP(cosh) OP(tanh) OP(asinh) OP(acosh) \
	OP(atanh) OP(exp) OP(exp2) OP(expm1) OP(log) OP(log2) OP(log10) OP(log1p) OP(cbrt) OP(erf)       \
	OP(erfc) OP(sqrt) OP(floor) OP(ceil) OP(trunc) OP(rint) OP(nearbyint) OP(round) OP(fabs) OP(logb) \
	OP(exp10)
#define BINARY(OP)                                                                                       \
	OP(pow) OP(atan2) OP(hypot) OP(fmod) OP(remainder) OP(fdim) OP(copysign) OP(fmin) OP(fmax) OP(nextafter)
#define ONE(name) +1
enum { N1 = UNARY(ONE), N2 = BINARY(ONE) };
#undef ONE

__global__ void
unary(const double *in, double *d, float *f)
{
	int i = threadIdx.x, n = 0;
	double x = in[i];
	float y = (float)x;
#define OP(name) d[n * COUNT + i] = name(x), f[n++ * COUNT + i] = name##f(y);
	UNARY(OP)
#undef OP
}

__global__ void
binary(const double *in, double *d, float *f)
{
	int i = threadIdx.x, j = blockIdx.x, n = 0;
	double x = in[i], y = in[j];
	float a = (float)x, b = (float)y;
#define OP(name) d[(n * COUNT + j) * COUNT + i] = name(x, y), f[(n++ * COUNT + j) * COUNT + i] = name##f(a, b);
	BINARY(OP)
#undef OP
}

static long checks;

template <class T>
static void
expect(const char *name, double x, double y, T got, T want)
{
	T near = want;
	bool same;

	checks++;
	// fmin and fmax may answer either of two zeros.
	if (want != want || got != got)
		same = want != want && got != got;
	else if (want == 0 || got == 0 || std::isinf(want) || std::isinf(got))
		same = want == got && (std::signbit(want) == std::signbit(got) || !strncmp(name, "fmin", 4) || !strncmp(name, "fmax", 4));
	else
		same = std::fabs(got - near) <= 8 * (std::nextafter(std::fabs(near), (T)INFINITY) - std::fabs(near));
	if (!same && failures++ < 40)
		printf("%s(%g, %g): %.9g, not %.9g\n", name, x, y, (double)got, (double)want);
}

int
main()
{
	both_sides<double> in(COUNT), d1(N1 * COUNT), d2(N2 * COUNT * COUNT);
	both_sides<float> f1(N1 * COUNT), f2(N2 * COUNT * COUNT);
	int n = 0;

	memcpy(in.host, inputs, sizeof inputs);
	in.to_device();
	unary<<<1, COUNT>>>(in.device, d1.device, f1.device);
	binary<<<COUNT, COUNT>>>(in.device, d2.device, f2.device);
	d1.to_host(), d2.to_host(), f1.to_host(), f2.to_host();
	for (int i = 0; i < COUNT; i++) {
		double x = inputs[i];
		n = 0;
#define OP(name)                                                                        \
		expect<double>(#name, x, 0, d1.host[n * COUNT + i], name(x));           \
		expect<float>(#name "f", x, 0, f1.host[n++ * COUNT + i], name##f((float)x));
		UNARY(OP)
#undef OP
		for (int j = 0; j < COUNT; j++) {
			double y = inputs[j];
			n = 0;
#define OP(name)                                                                                          \
			expect<double>(#name, x, y, d2.host[(n * COUNT + j) * COUNT + i], name(x, y));    \
			expect<float>(#name "f", x, y, f2.host[(n++ * COUNT + j) * COUNT + i], name##f((float)x, (float)y));
			BINARY(OP)
#undef OP
		}
	}
	return finish("special", checks);
}
