/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* vector_functions.h - make_char1 to make_double4, from the rows of vector_types.h. Usable from
 * C. */
#ifndef HEDDLE_VECTOR_FUNCTIONS_H
#define HEDDLE_VECTOR_FUNCTIONS_H
#define __VECTOR_FUNCTIONS_H__ /* user code asks for this name */

#include "vector_types.h"

#define HEDDLE_MAKE static __inline__ __host__ __device__
#define HEDDLE_VECTOR(base, name, align2, align4)                                                        \
	HEDDLE_MAKE name##1 make_##name##1(base x) { name##1 v = {x}; return v; }                        \
	HEDDLE_MAKE name##2 make_##name##2(base x, base y) { name##2 v = {x, y}; return v; }             \
	HEDDLE_MAKE name##3 make_##name##3(base x, base y, base z) { name##3 v = {x, y, z}; return v; }  \
	HEDDLE_MAKE name##4 make_##name##4(base x, base y, base z, base w) { name##4 v = {x, y, z, w}; return v; }
HEDDLE_VECTORS(HEDDLE_VECTOR)
#undef HEDDLE_VECTOR
#undef HEDDLE_MAKE

#endif
