// The approximate functions: absolute errors within those that the CUDA C++ Programming Guide documents, on the
// intervals it names; and -use_fast_math, which makes them of the plain functions.
// REQUIRES: tier-default
// RUN: %run_both %s | %FileCheck %s
// RUN: %run_both %s -use_fast_math | %FileCheck %s
// CHECK: fast: {{[1-9][0-9]*}} checks, 0 failures
#include <cmath>
#include "Inputs/check.h"

enum { COUNT = 1024 };
#define FUNCTIONS(DO)                                                                                \
	DO(__sinf(x), sinf(x), sin(d), -3.14159, 3.14159, std::ldexp(1, -21) * std::exp2(-0.41))     \
	DO(__cosf(x), cosf(x), cos(d), -3.14159, 3.14159, std::ldexp(1, -21) * std::exp2(-0.19))     \
	DO(__tanf(x), tanf(x), tan(d), -1.5, 1.5, 1e-4)                                              \
	DO(__logf(x), std::log(x), log(d), 0.5, 2, std::ldexp(1, -21) * std::exp2(-0.41))            \
	DO(__log2f(x), log2f(x), log2(d), 0.5, 2, std::ldexp(1, -22))                                \
	DO(__log10f(x), log10(x), log10(d), 0.5, 2, std::ldexp(1, -24))                              \
	DO(__expf(x), std::exp(x), exp(d), -5, 1, 4e-7)                                              \
	DO(__exp10f(x), exp10f(x), pow(10, d), -5, 0, 4e-7)                                          \
	DO(__powf(x, 2.5f), powf(x, 2.5f), pow(d, 2.5), 0.1, 1, 1e-6)
#define ONE(fast, plain, right, low, high, bound) +1
enum { N = FUNCTIONS(ONE) };
static const double low[] = {
#define LOW(fast, plain, right, low, high, bound) low,
	FUNCTIONS(LOW)
};
static const double high[] = {
#define HIGH(fast, plain, right, low, high, bound) high,
	FUNCTIONS(HIGH)
};

__global__ void
evaluate(const float *in, float *fast, float *plain)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, n = 0;

#define EVALUATE(f, p, right, low, high, bound)     \
	{                                           \
		float x = in[n * COUNT + i];        \
		fast[n * COUNT + i] = f;            \
		plain[n++ * COUNT + i] = p;         \
	}
	FUNCTIONS(EVALUATE)
}

int
main()
{
	both_sides<float> in(N * COUNT), fast(N * COUNT), plain(N * COUNT);
	int n = 0;
	long checks = 0;

	for (int i = 0; i < N * COUNT; i++)
		in.host[i] = (float)(low[i / COUNT] + (high[i / COUNT] - low[i / COUNT]) * (i % COUNT) / (COUNT - 1));
	in.to_device();
	evaluate<<<COUNT / 64, 64>>>(in.device, fast.device, plain.device);
	fast.to_host();
	plain.to_host();
#if defined(__USE_FAST_MATH__)
	bool same = true;
#else
	bool same = false;
#endif
#define COMPARE(f, p, right, low, high, bound)                                                                  \
	{                                                                                                       \
		double most = 0;                                                                                \
		int equal = 0;                                                                                  \
		for (int i = n * COUNT; i < (n + 1) * COUNT; i++) {                                             \
			double d = in.host[i], want = right;                                                    \
			most = std::fmax(most, std::fabs(fast.host[i] - want));                                 \
			equal += fast.host[i] == plain.host[i];                                                 \
		}                                                                                               \
		if (!(most <= (bound)) && ++failures)                                                           \
			printf("%s: error %g, allowed %g\n", #f, most, (double)(bound));                        \
		if (same && equal != COUNT && ++failures)                                                       \
			printf("%s: %d of %d equal %s\n", #p, equal, COUNT, #f);                                \
		checks += COUNT;                                                                                \
		n++;                                                                                            \
	}
	FUNCTIONS(COMPARE)
	return finish("fast", checks);
}
