/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * math.h - libm for the device. Every function is an overload, by target, of the host's: the same
 * name in the global namespace and, for standard functions, in std. The device versions are
 * declared before <cmath> is read (it is, at the end of this file): then libstdc++'s constexpr
 * float overloads, which clang would take as device functions too and turn into approximate
 * instructions, stay the host's. That holds only in a system header, hence the pragma.
 */
#ifndef HEDDLE_MATH_H
#define HEDDLE_MATH_H
#pragma GCC system_header

#include "device.h"

/* What ocml offers. Pointers to results are to private memory there. */
#define HEDDLE_PRIVATE __attribute__((address_space(5)))
#if defined(__AMDGCN__)
extern "C" {
#define HEDDLE_DECLARE_BUILTIN(via, d, s)
#define HEDDLE_DECLARE_OCML(via, d, s)                                  \
	__device__ __attribute__((const)) double __ocml_##via##_f64 d;  \
	__device__ __attribute__((const)) float __ocml_##via##_f32 s;
#define HEDDLE_DECLARE_OWN(via, d, s)                                     \
	__device__ __attribute__((const)) double __heddle_##via##_f64 d;  \
	__device__ __attribute__((const)) float __heddle_##via##_f32 s;
#define HEDDLE_DECLARE_FAST(via, d, s) HEDDLE_DECLARE_OCML(via, d, s)
#define HEDDLE_DECLARE_FASTOWN(via, d, s) HEDDLE_DECLARE_OWN(via, d, s)
#define MATH1(name, std, how, via) HEDDLE_DECLARE_##how(via, (double), (float))
#define MATH2(name, std, how, via) HEDDLE_DECLARE_##how(via, (double, double), (float, float))
#define MATH3(name, std, how, via) HEDDLE_DECLARE_##how(via, (double, double, double), (float, float, float))
#define MATH4(name, std, how, via) \
	HEDDLE_DECLARE_##how(via, (double, double, double, double), (float, float, float, float))
#include "math.def"
#undef MATH1
#undef MATH2
#undef MATH3
#undef MATH4
#undef HEDDLE_DECLARE_OCML
#undef HEDDLE_DECLARE_FAST
#undef HEDDLE_DECLARE_FASTOWN
#undef HEDDLE_DECLARE_OWN
#undef HEDDLE_DECLARE_BUILTIN
#define HEDDLE_DECLARE(via, real, type)                                                       \
	__device__ real __ocml_frexp_##type(real, HEDDLE_PRIVATE int *);                       \
	__device__ real __ocml_modf_##type(real, HEDDLE_PRIVATE real *);                       \
	__device__ real __ocml_remquo_##type(real, real, HEDDLE_PRIVATE int *);                \
	__device__ real __ocml_sincos_##type(real, HEDDLE_PRIVATE real *);                     \
	__device__ real __ocml_sincospi_##type(real, HEDDLE_PRIVATE real *);                   \
	__device__ real __ocml_lgamma_r_##type(real, HEDDLE_PRIVATE int *);                    \
	__device__ __attribute__((const)) int __ocml_ilogb_##type(real);                       \
	__device__ __attribute__((const)) real __ocml_ldexp_##type(real, int);
HEDDLE_DECLARE(, double, f64)
HEDDLE_DECLARE(, float, f32)
#undef HEDDLE_DECLARE
}
#endif

#define HEDDLE_OCML_f64(via)    __ocml_##via##_f64
#define HEDDLE_OCML_f32(via)    __ocml_##via##_f32
#define HEDDLE_OWN_f64(via)     __heddle_##via##_f64
#define HEDDLE_OWN_f32(via)     __heddle_##via##_f32
#define HEDDLE_FAST_f64(via)    __ocml_##via##_f64
#define HEDDLE_FASTOWN_f64(via) __heddle_##via##_f64
#if defined(__USE_FAST_MATH__)
#define HEDDLE_FAST_f32(via)    __##via##f /* of fast.h */
#define HEDDLE_FASTOWN_f32(via) __##via##f
HEDDLE_FN float __sinf(float);
HEDDLE_FN float __cosf(float);
HEDDLE_FN float __tanf(float);
HEDDLE_FN float __expf(float);
HEDDLE_FN float __exp10f(float);
HEDDLE_FN float __logf(float);
HEDDLE_FN float __log2f(float);
HEDDLE_FN float __log10f(float);
HEDDLE_FN float __powf(float, float);
#else
#define HEDDLE_FAST_f32(via)    __ocml_##via##_f32
#define HEDDLE_FASTOWN_f32(via) __heddle_##via##_f32
#endif
#define HEDDLE_BUILTIN_f64(via) __builtin_##via
#define HEDDLE_BUILTIN_f32(via) __builtin_##via##f
#define HEDDLE_MATH(name, how, via, d, s, args)                                          \
	HEDDLE_FN double name d HEDDLE_BODY(return HEDDLE_##how##_f64(via) args;)        \
	HEDDLE_FN float name##f s HEDDLE_BODY(return HEDDLE_##how##_f32(via) args;)      \
	HEDDLE_FN float name s HEDDLE_BODY(return HEDDLE_##how##_f32(via) args;)
#define MATH1(name, std, how, via) HEDDLE_MATH(name, how, via, (double x), (float x), (x))
#define MATH2(name, std, how, via) HEDDLE_MATH(name, how, via, (double x, double y), (float x, float y), (x, y))
#define MATH3(name, std, how, via) \
	HEDDLE_MATH(name, how, via, (double x, double y, double z), (float x, float y, float z), (x, y, z))
#define MATH4(name, std, how, via)                                                               \
	HEDDLE_MATH(name, how, via, (double x, double y, double z, double w),                    \
		(float x, float y, float z, float w), (x, y, z, w))
#include "math.def"
#undef MATH1
#undef MATH2
#undef MATH3
#undef MATH4
#undef HEDDLE_MATH

/* Round to integer, then convert. */
#define HEDDLE_TO_INTEGER(name, integer, round)                                                          \
	HEDDLE_FN integer name(double x) HEDDLE_BODY(return (integer)__builtin_##round(x);)              \
	HEDDLE_FN integer name##f(float x) HEDDLE_BODY(return (integer)__builtin_##round##f(x);)         \
	HEDDLE_FN integer name(float x) HEDDLE_BODY(return (integer)__builtin_##round##f(x);)
HEDDLE_TO_INTEGER(lrint, long, rint)
HEDDLE_TO_INTEGER(llrint, long long, rint)
HEDDLE_TO_INTEGER(lround, long, round)
HEDDLE_TO_INTEGER(llround, long long, round)
#undef HEDDLE_TO_INTEGER

#define HEDDLE_PRIVATE_AT(variable) ((HEDDLE_PRIVATE __typeof__(variable) *)&variable)
#define HEDDLE_REAL(real, name, type)                                                                    \
	HEDDLE_FN real name(frexp)(real x, int *exponent)                                                \
	HEDDLE_BODY(int e; real r = __ocml_frexp_##type(x, HEDDLE_PRIVATE_AT(e)); *exponent = e; return r;) \
	HEDDLE_FN real name(ldexp)(real x, int n) HEDDLE_BODY(return __ocml_ldexp_##type(x, n);)         \
	HEDDLE_FN real name(scalbn)(real x, int n) HEDDLE_BODY(return __ocml_ldexp_##type(x, n);)        \
	HEDDLE_FN real name(scalbln)(real x, long n)                                                     \
	HEDDLE_BODY(return __ocml_ldexp_##type(x, n > 10000 ? 10000 : n < -10000 ? -10000 : (int)n);)    \
	HEDDLE_FN int name(ilogb)(real x) HEDDLE_BODY(return __ocml_ilogb_##type(x);)                    \
	HEDDLE_FN real name(modf)(real x, real *whole)                                                   \
	HEDDLE_BODY(real w; real r = __ocml_modf_##type(x, HEDDLE_PRIVATE_AT(w)); *whole = w; return r;)    \
	HEDDLE_FN real name(remquo)(real x, real y, int *quotient)                                       \
	HEDDLE_BODY(int q; real r = __ocml_remquo_##type(x, y, HEDDLE_PRIVATE_AT(q)); *quotient = q; return r;) \
	HEDDLE_FN void name(sincos)(real x, real *s, real *c)                                            \
	HEDDLE_BODY(real r; *s = __ocml_sincos_##type(x, HEDDLE_PRIVATE_AT(r)); *c = r;)                    \
	HEDDLE_FN void name(sincospi)(real x, real *s, real *c)                                          \
	HEDDLE_BODY(real r; *s = __ocml_sincospi_##type(x, HEDDLE_PRIVATE_AT(r)); *c = r;)
#define HEDDLE_PLAIN(name) name
#define HEDDLE_SUFFIX(name) name##f
HEDDLE_REAL(double, HEDDLE_PLAIN, f64)
HEDDLE_REAL(float, HEDDLE_SUFFIX, f32)
HEDDLE_REAL(float, HEDDLE_PLAIN, f32)
#undef HEDDLE_REAL
#undef HEDDLE_PLAIN
#undef HEDDLE_SUFFIX

extern "C" {
__device__ double jn(int n, double x);
__device__ float jnf(int n, float x);
__device__ double yn(int n, double x);
__device__ float ynf(int n, float x);
__device__ double norm(int n, const double *p);
__device__ float normf(int n, const float *p);
__device__ double rnorm(int n, const double *p);
__device__ float rnormf(int n, const float *p);
__device__ double nan(const char *payload);
__device__ float nanf(const char *payload);
}

/* abs of integers: the host's are in <cstdlib>; those of floats come from libstdc++ (constexpr) */
HEDDLE_FN int abs(int x) HEDDLE_BODY(return x < 0 ? -x : x;)
HEDDLE_FN long abs(long x) HEDDLE_BODY(return x < 0 ? -x : x;)
HEDDLE_FN long long abs(long long x) HEDDLE_BODY(return x < 0 ? -x : x;)
HEDDLE_FN long labs(long x) HEDDLE_BODY(return x < 0 ? -x : x;)
HEDDLE_FN long long llabs(long long x) HEDDLE_BODY(return x < 0 ? -x : x;)
HEDDLE_FN float fdividef(float x, float y) HEDDLE_BODY(return x / y;)

namespace std {
#define HEDDLE_USE_STD(name) using ::name; using ::name##f;
#define HEDDLE_USE_CUDA(name)
#define MATH1(name, std, how, via) HEDDLE_USE_##std(name)
#define MATH2(name, std, how, via) HEDDLE_USE_##std(name)
#define MATH3(name, std, how, via) HEDDLE_USE_##std(name)
#define MATH4(name, std, how, via) HEDDLE_USE_##std(name)
#include "math.def"
#undef MATH1
#undef MATH2
#undef MATH3
#undef MATH4
HEDDLE_USE_STD(lrint)
HEDDLE_USE_STD(llrint)
HEDDLE_USE_STD(lround)
HEDDLE_USE_STD(llround)
HEDDLE_USE_STD(frexp)
HEDDLE_USE_STD(ldexp)
HEDDLE_USE_STD(scalbn)
HEDDLE_USE_STD(scalbln)
HEDDLE_USE_STD(ilogb)
HEDDLE_USE_STD(modf)
HEDDLE_USE_STD(remquo)
HEDDLE_USE_STD(nan)
#undef HEDDLE_USE_STD
#undef HEDDLE_USE_CUDA
using ::abs;
using ::labs;
using ::llabs;
}

/* An integer argument is taken as a double, by a template that the device prefers to
 * libstdc++'s. */
template <bool, class T> struct heddle_if {};
template <class T> struct heddle_if<true, T> { typedef T type; };
#define HEDDLE_INTEGER_STD(name)                                                                \
	template <class T>                                                                      \
	static __inline__ __device__ __attribute__((always_inline))                             \
	typename heddle_if<__is_integral(T), double>::type name(T x) HEDDLE_BODY(return name((double)x);)
#define HEDDLE_INTEGER_CUDA(name)
#define MATH1(name, std, how, via) HEDDLE_INTEGER_##std(name)
#define MATH2(name, std, how, via)
#define MATH3(name, std, how, via)
#define MATH4(name, std, how, via)
#include "math.def"
#undef MATH1
#undef HEDDLE_INTEGER_STD
#define HEDDLE_INTEGER_STD(name) using ::name;
#define MATH1(name, std, how, via) HEDDLE_INTEGER_##std(name)
namespace std {
#include "math.def"
}
#undef MATH1
#undef MATH2
#undef MATH3
#undef MATH4
#undef HEDDLE_INTEGER_STD
#undef HEDDLE_INTEGER_CUDA

#include <cmath>
#include <cstdlib>
#include <math.h>
#include <stdlib.h>

#endif
