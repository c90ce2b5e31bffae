// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The directed roundings of the device library, compiled for the host, against the processor's own
// rounding modes on random and on awkward operands. `round_host COUNT` prints what differs.
#include <cfenv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

extern "C" {
float __heddle_narrow(double, int);
float __heddle_add_f32(float, float, int);
float __heddle_mul_f32(float, float, int);
float __heddle_div_f32(float, float, int);
float __heddle_fma_f32(float, float, float, int);
float __heddle_sqrt_f32(float, int);
double __heddle_add_f64(double, double, int);
double __heddle_mul_f64(double, double, int);
double __heddle_div_f64(double, double, int);
double __heddle_fma_f64(double, double, double, int);
double __heddle_sqrt_f64(double, int);
float __heddle_i64_to_f32(long long, int);
float __heddle_u64_to_f32(unsigned long long, int);
double __heddle_i64_to_f64(long long, int);
double __heddle_u64_to_f64(unsigned long long, int);
}

static const int modes[] = {FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};
static unsigned long long state = 88172645463325252ull;
static int failures;

static unsigned long long
random_bits()
{
	state ^= state << 13;
	state ^= state >> 7;
	return state ^= state << 17;
}

static const double awkward[] = {0.0, -0.0, 1, -1, INFINITY, -INFINITY, NAN, 0x1p-1074, -0x1p-1074, 0x1p-1022,
	0x1.fffffffffffffp1023, -0x1.fffffffffffffp1023, 0x1p-149, 0x1.fffffep127, 0x1p-126, 3, 1e300, 1e-300};

static double
random_double()
{
	unsigned long long r = random_bits();
	double x;

	switch (random_bits() % 4) {
	case 0:
		return awkward[r % (sizeof awkward / sizeof *awkward)];
	case 1: // near 1, few bits: exact results and ties
		return std::ldexp((double)((long long)(r % 64) - 32), (int)(random_bits() % 16) - 8);
	case 2: // near 1, all bits
		r = (r & ~(0x7ffull << 52)) | (1023ull - 30 + random_bits() % 60) << 52;
	}
	memcpy(&x, &r, sizeof x);
	return x;
}

static float
random_float()
{
	unsigned r = (unsigned)random_bits();
	float x;

	switch (random_bits() % 4) {
	case 0:
		return (float)awkward[r % (sizeof awkward / sizeof *awkward)];
	case 1:
		return std::ldexp((float)((int)(r % 64) - 32), (int)(random_bits() % 16) - 8);
	case 2:
		r = (r & ~(0xffu << 23)) | (127u - 20 + (unsigned)(random_bits() % 40)) << 23;
	}
	memcpy(&x, &r, sizeof x);
	return x;
}

template <class T>
static void
compare(const char *what, int mode, T ours, T right, double x, double y, double z)
{
	if ((ours != ours && right != right) || !memcmp(&ours, &right, sizeof ours))
		return;
	if (failures++ < 20)
		printf("%s mode %d of %a %a %a: %a, not %a\n", what, mode, x, y, z, (double)ours, (double)right);
}

#define CHECK(what, type, ours, right, x, y, z)                       \
	do {                                                          \
		type got = ours;                                      \
		volatile type want;                                   \
		fesetround(modes[m]);                                 \
		want = right;                                         \
		fesetround(FE_TONEAREST);                             \
		compare<type>(what, m, got, want, (double)x, y, z);   \
	} while (0)

int
main(int argc, char **argv)
{
	long count = argc > 1 ? atol(argv[1]) : 100000;

	for (long i = 0; i < count; i++) {
		volatile float a = random_float(), b = random_float(), c = random_float();
		volatile double x = random_double(), y = random_double(), z = random_double();
		volatile long long n = (long long)(random_bits() >> random_bits() % 64);
		volatile unsigned long long u = random_bits() >> random_bits() % 64;

		if (i % 5 == 0)
			z = -(x * y);
		if (i % 7 == 0)
			c = -(a * b);
		if (i % 11 == 0)
			y = -x;
		for (int m = 0; m < 3; m++) {
			CHECK("add f32", float, __heddle_add_f32(a, b, m), a + b, a, b, 0);
			CHECK("mul f32", float, __heddle_mul_f32(a, b, m), a * b, a, b, 0);
			CHECK("div f32", float, __heddle_div_f32(a, b, m), a / b, a, b, 0);
			CHECK("fma f32", float, __heddle_fma_f32(a, b, c, m), std::fma((float)a, (float)b, (float)c), a, b, c);
			CHECK("sqrt f32", float, __heddle_sqrt_f32(a, m), std::sqrt((float)a), a, 0, 0);
			CHECK("add f64", double, __heddle_add_f64(x, y, m), x + y, x, y, 0);
			CHECK("mul f64", double, __heddle_mul_f64(x, y, m), x * y, x, y, 0);
			CHECK("div f64", double, __heddle_div_f64(x, y, m), x / y, x, y, 0);
			CHECK("fma f64", double, __heddle_fma_f64(x, y, z, m), std::fma((double)x, (double)y, (double)z), x, y, z);
			CHECK("sqrt f64", double, __heddle_sqrt_f64(x, m), std::sqrt((double)x), x, 0, 0);
			CHECK("narrow", float, __heddle_narrow(x, m), (float)x, x, 0, 0);
			CHECK("i64 f32", float, __heddle_i64_to_f32(n, m), (float)n, n, 0, 0);
			CHECK("u64 f32", float, __heddle_u64_to_f32(u, m), (float)u, u, 0, 0);
			CHECK("i64 f64", double, __heddle_i64_to_f64(n, m), (double)n, n, 0, 0);
			CHECK("u64 f64", double, __heddle_u64_to_f64(u, m), (double)u, u, 0, 0);
		}
	}
	printf("%ld operands, %d failures\n", count, failures);
	return failures != 0;
}
