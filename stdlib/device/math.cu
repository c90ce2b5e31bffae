// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception math.cu - the functions of CUDA's
// mathematical library that ocml lacks: Bessel functions of order n and norms of n dimensions.
#include "device.h"

extern "C" {
__device__ double __ocml_j0_f64(double);
__device__ double __ocml_j1_f64(double);
__device__ double __ocml_y0_f64(double);
__device__ double __ocml_y1_f64(double);

// For n < |x| the recurrence J(i+1) = 2i/x J(i) - J(i-1) is stable upward; otherwise it is taken
// downward from an order high enough that the start does not matter, and scaled by J0 + 2(J2 + J4 +
// …) = 1.
__device__ double
jn(int n, double x)
{
	double a = __builtin_fabs(x), low, mid, high, sum = 0, result = 0;
	int start;

	if (n < 0 || x != x)
		return __builtin_nan("");
	if (n == 0)
		return __ocml_j0_f64(x);
	if (n == 1)
		return __ocml_j1_f64(x);
	if (a == 0 || a == __builtin_inf())
		return 0;
	if (a > n) {
		low = __ocml_j0_f64(a);
		mid = __ocml_j1_f64(a);
		for (int i = 1; i < n; i++) {
			high = 2 * i / a * mid - low;
			low = mid;
			mid = high;
		}
		result = mid;
	} else {
		start = 2 * ((n + (int)__builtin_sqrt(160.0 * n)) / 2);
		high = 0;
		mid = 1;
		for (int i = start; i > 0; i--) {
			low = 2 * i / a * mid - high;
			high = mid;
			mid = low;
			if (__builtin_fabs(mid) > 0x1p600) {
				mid *= 0x1p-600;
				high *= 0x1p-600;
				result *= 0x1p-600;
				sum *= 0x1p-600;
			}
			if (i & 1)
				sum += mid; // J(i-1), of even order
			if (i == n)
				result = high;
		}
		result /= 2 * sum - mid;
	}
	return x < 0 && n & 1 ? -result : result;
}

__device__ double
yn(int n, double x)
{
	double low, mid, high;

	if (n < 0 || x != x || x < 0)
		return __builtin_nan("");
	if (n == 0)
		return __ocml_y0_f64(x);
	if (n == 1)
		return __ocml_y1_f64(x);
	if (x == 0)
		return -__builtin_inf();
	if (x == __builtin_inf())
		return 0;
	low = __ocml_y0_f64(x);
	mid = __ocml_y1_f64(x);
	for (int i = 1; i < n && mid != -__builtin_inf(); i++) {
		high = 2 * i / x * mid - low;
		low = mid;
		mid = high;
	}
	return mid;
}

__device__ float
jnf(int n, float x)
{
	return (float)jn(n, x);
}

__device__ float
ynf(int n, float x)
{
	return (float)yn(n, x);
}

// Scaled by the largest, so that no square over- or underflows.
__device__ double
norm(int n, const double *p)
{
	double most = 0, sum = 0;

	for (int i = 0; i < n; i++)
		most = __builtin_fmax(most, __builtin_fabs(p[i]));
	if (most == 0 || most == __builtin_inf()) {
		for (int i = 0; i < n; i++)
			if (p[i] != p[i] && most == 0)
				return p[i];
		return most;
	}
	for (int i = 0; i < n; i++) {
		double x = p[i] / most;
		sum += x * x;
	}
	return most * __builtin_sqrt(sum);
}

__device__ float
normf(int n, const float *p)
{
	double sum = 0;

	for (int i = 0; i < n; i++)
		if (__builtin_fabsf(p[i]) == __builtin_inff())
			return __builtin_inff();
	for (int i = 0; i < n; i++)
		sum += (double)p[i] * p[i];
	return (float)__builtin_sqrt(sum);
}

__device__ double
rnorm(int n, const double *p)
{
	return 1 / norm(n, p);
}

__device__ float
rnormf(int n, const float *p)
{
	double sum = 0;

	for (int i = 0; i < n; i++)
		if (__builtin_fabsf(p[i]) == __builtin_inff())
			return 0;
	for (int i = 0; i < n; i++)
		sum += (double)p[i] * p[i];
	return (float)(1 / __builtin_sqrt(sum));
}

// The payload of a NaN carries nothing that an operation would keep.
__device__ double
nan(const char *)
{
	return __builtin_nan("");
}

__device__ float
nanf(const char *)
{
	return __builtin_nanf("");
}

// s_sleep waits about 64 clocks, 30 ns and more at the clocks of these GPUs; CUDA bounds the wish
// at 1 ms.
__device__ void
__nanosleep(unsigned nanoseconds)
{
	if (nanoseconds > 1000000)
		nanoseconds = 1000000;
	for (unsigned i = 0; i < nanoseconds; i += 32)
		__builtin_amdgcn_s_sleep(1);
}
}
