// The intrinsics with a directed rounding against the processor's rounding modes. (round_host.test does so with
// many more operands, off the GPU.)
// RUN: %run_both %s -Xcompiler -frounding-math | %FileCheck %s
// CHECK: round: {{[1-9][0-9]*}} checks, 0 failures
#include <cfenv>
#include <cmath>
#include "Inputs/check.h"

enum { COUNT = 256 };
// OP(name without the rounding, arguments, the same in C) of a b c, float, and x y z, double; n m, integers
#define OPS(OP)                                            \
	OP(__fadd, (a, b), a + b)                          \
	OP(__fsub, (a, b), a - b)                          \
	OP(__fmul, (a, b), a * b)                          \
	OP(__fdiv, (a, b), a / b)                          \
	OP(__frcp, (a), 1 / a)                             \
	OP(__fsqrt, (a), sqrtf(a))                         \
	OP(__fmaf, (a, b, c), fmaf(a, b, c))               \
	OP(__dadd, (x, y), x + y)                          \
	OP(__dsub, (x, y), x - y)                          \
	OP(__dmul, (x, y), x * y)                          \
	OP(__ddiv, (x, y), x / y)                          \
	OP(__drcp, (x), 1 / x)                             \
	OP(__dsqrt, (x), sqrt(x))                          \
	OP(__fma, (x, y, z), fma(x, y, z))                 \
	OP(__double2float, (x), (float)x)                  \
	OP(__int2float, ((int)n), (float)(int)n)           \
	OP(__uint2float, ((unsigned)m), (float)(unsigned)m) \
	OP(__ll2float, (n), (float)n)                      \
	OP(__ull2float, (m), (float)m)                     \
	OP(__ll2double, (n), (double)n)                    \
	OP(__ull2double, (m), (double)m)
#define ONE(name, arguments, c) +1
enum { FUNCTIONS = OPS(ONE) };

#define OPERANDS(p)                                                            \
	double x = (p)[0], y = (p)[1], z = (p)[2];                             \
	float a = (float)x, b = (float)y, c = (float)z;                        \
	long long n = __builtin_bit_cast(long long, x);                        \
	unsigned long long m = __builtin_bit_cast(unsigned long long, y);

__global__ void
evaluate(const double *in, double *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, k = 0;
	OPERANDS(in + 3 * i)
#define OP(name, arguments, c)                         \
	out[k++ * COUNT + i] = name##_rz arguments;    \
	out[k++ * COUNT + i] = name##_ru arguments;    \
	out[k++ * COUNT + i] = name##_rd arguments;
	OPS(OP)
#undef OP
}

int
main()
{
	static const int modes[] = {FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};
	both_sides<double> in(3 * COUNT), out(FUNCTIONS * 3 * COUNT);
	unsigned long long state = 7;

	for (int i = 0; i < 3 * COUNT; i++) {
		state = state * 6364136223846793005ull + 1442695040888963407ull;
		in.host[i] = ldexp((double)(long long)state, (int)(state >> 33 & 31) - 80);
		if (i % 6 == 0)
			in.host[i] = fabs(in.host[i]);
		if (i % 7 == 0)
			in.host[i] = (double)(int)(state >> 40 & 15) - 7;
	}
	in.to_device();
	evaluate<<<COUNT / 64, 64>>>(in.device, out.device);
	out.to_host();
	for (int i = 0; i < COUNT; i++) {
		OPERANDS(in.host + 3 * i)
		volatile float va = a, vb = b, vc = c;
		volatile double vx = x, vy = y, vz = z;
		volatile long long vn = n;
		volatile unsigned long long vm = m;
		int k = 0;
#define OP(name, arguments, expression)                                                                         \
		for (int j = 0; j < 3; j++) {                                                                   \
			fesetround(modes[j]);                                                                   \
			a = va, b = vb, c = vc, x = vx, y = vy, z = vz, n = vn, m = vm;                         \
			volatile double want = expression;                                                      \
			fesetround(FE_TONEAREST);                                                               \
			double got = out.host[k++ * COUNT + i];                                                 \
			if (!(got == want || (got != got && want != want)) && failures++ < 20)                  \
				printf("%s mode %d of %a %a %a: %a, not %a\n", #name, j, x, y, z, got, want);   \
		}
		OPS(OP)
#undef OP
	}
	return finish("round", (long)FUNCTIONS * 3 * COUNT);
}
