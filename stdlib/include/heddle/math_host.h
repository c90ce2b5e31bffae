/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * math_host.h - host versions of the functions of CUDA's mathematical library that libm lacks, for
 * code that is for both. (Those whose host version would need a series of its own are left to the
 * device.)
 */
#ifndef HEDDLE_MATH_HOST_H
#define HEDDLE_MATH_HOST_H

#include "math.h"

#define HEDDLE_HOST static __inline__ __host__

/* x reduced to [-1/4, 1/4] turns of pi by the nearest quarter */
#define HEDDLE_REAL(real, name)                                                              \
	HEDDLE_HOST real name(rsqrt)(real x) { return 1 / std::sqrt(x); }                    \
	HEDDLE_HOST real name(rcbrt)(real x) { return 1 / std::cbrt(x); }                    \
	HEDDLE_HOST real name(rhypot)(real x, real y) { return 1 / std::hypot(x, y); }       \
	HEDDLE_HOST real name(norm3d)(real x, real y, real z) { return std::hypot(std::hypot(x, y), z); }  \
	HEDDLE_HOST real name(rnorm3d)(real x, real y, real z) { return 1 / std::hypot(std::hypot(x, y), z); } \
	HEDDLE_HOST real name(norm4d)(real x, real y, real z, real w)                        \
	{ return std::hypot(std::hypot(x, y), std::hypot(z, w)); }                           \
	HEDDLE_HOST real name(rnorm4d)(real x, real y, real z, real w)                       \
	{ return 1 / std::hypot(std::hypot(x, y), std::hypot(z, w)); }                       \
	HEDDLE_HOST real name(normcdf)(real x) { return std::erfc(x * (real)-0.70710678118654752440) / 2; } \
	HEDDLE_HOST void name(sincospi)(real x, real *s, real *c)                            \
	{                                                                                    \
		real rest = std::remainder(x, (real)2);                                      \
		real quarter = std::rint(rest * 2);                                          \
		real angle = (rest - quarter / 2) * (real)3.14159265358979323846;            \
		real sine = std::sin(angle), cosine = std::cos(angle);                       \
		switch (x - x == 0 ? (int)quarter & 3 : 0) {                                 \
		case 0: *s = sine; *c = cosine; break;                                       \
		case 1: *s = cosine; *c = -sine; break;                                      \
		case 2: *s = -sine; *c = -cosine; break;                                     \
		default: *s = -cosine; *c = sine; break;                                     \
		}                                                                            \
	}                                                                                    \
	HEDDLE_HOST real name(sinpi)(real x) { real s, c; name(sincospi)(x, &s, &c); return s; } \
	HEDDLE_HOST real name(cospi)(real x) { real s, c; name(sincospi)(x, &s, &c); return c; }
#define HEDDLE_PLAIN(name) name
#define HEDDLE_SUFFIX(name) name##f
HEDDLE_REAL(double, HEDDLE_PLAIN)
HEDDLE_REAL(float, HEDDLE_SUFFIX)
HEDDLE_REAL(float, HEDDLE_PLAIN)
#undef HEDDLE_REAL
#undef HEDDLE_PLAIN
#undef HEDDLE_SUFFIX
#undef HEDDLE_HOST

#endif
