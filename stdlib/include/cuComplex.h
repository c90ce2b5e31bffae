/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * cuComplex.h - complex numbers over float2 and double2, for C and C++, host and device. Absolute
 * value and quotient are scaled, so that they do not overflow where their result does not.
 */
#ifndef HEDDLE_CUCOMPLEX_H
#define HEDDLE_CUCOMPLEX_H
#define CU_COMPLEX_H_ /* user code asks for this name */

#include <math.h>
#include "vector_types.h"
#include "vector_functions.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define HEDDLE_CX static __inline__ __host__ __device__

/* HEDDLE_COMPLEX(suffix of the names, type, real type, make, suffix of libm) */
#define HEDDLE_COMPLEX(F, complex, real, make, f)                                                       \
	HEDDLE_CX real cuCreal##F(complex x) { return x.x; }                                            \
	HEDDLE_CX real cuCimag##F(complex x) { return x.y; }                                            \
	HEDDLE_CX complex cuConj##F(complex x) { return make(x.x, -x.y); }                              \
	HEDDLE_CX complex cuCadd##F(complex x, complex y) { return make(x.x + y.x, x.y + y.y); }        \
	HEDDLE_CX complex cuCsub##F(complex x, complex y) { return make(x.x - y.x, x.y - y.y); }        \
	HEDDLE_CX complex cuCmul##F(complex x, complex y)                                               \
	{                                                                                               \
		return make(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);                              \
	}                                                                                               \
	HEDDLE_CX complex cuCdiv##F(complex x, complex y)                                               \
	{                                                                                               \
		real s = 1 / (fabs##f(y.x) + fabs##f(y.y));                                             \
		real a = x.x * s, b = x.y * s, c = y.x * s, d = y.y * s, n = 1 / (c * c + d * d);       \
		return make((a * c + b * d) * n, (b * c - a * d) * n);                                  \
	}                                                                                               \
	HEDDLE_CX real cuCabs##F(complex x) { return hypot##f(x.x, x.y); }                              \
	HEDDLE_CX complex cuCfma##F(complex x, complex y, complex z)                                    \
	{                                                                                               \
		return make(x.x * y.x + z.x - x.y * y.y, x.x * y.y + z.y + x.y * y.x);                  \
	}

HEDDLE_CX cuFloatComplex make_cuFloatComplex(float x, float y) { return make_float2(x, y); }
HEDDLE_CX cuDoubleComplex make_cuDoubleComplex(double x, double y) { return make_double2(x, y); }
HEDDLE_CX cuComplex make_cuComplex(float x, float y) { return make_float2(x, y); }
HEDDLE_COMPLEX(f, cuFloatComplex, float, make_float2, f)
HEDDLE_COMPLEX(, cuDoubleComplex, double, make_double2, )
HEDDLE_CX cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex x) { return make_double2(x.x, x.y); }
HEDDLE_CX cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex x) { return make_float2((float)x.x, (float)x.y); }

#undef HEDDLE_COMPLEX
#undef HEDDLE_CX

#endif
