/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * vector_types.h - char1 to double4 and dim3. One row a base type gives its four structs; a vector
 * is aligned to its size if that is a power of two and at most 16, and to its base type otherwise.
 * Usable from C.
 */
#ifndef HEDDLE_VECTOR_TYPES_H
#define HEDDLE_VECTOR_TYPES_H
#define __VECTOR_TYPES_H__ /* user code asks for this name */

#include "host_defines.h"

/* HEDDLE_VECTOR(base type, prefix of the names, alignment of the struct of 2, of 4) */
#define HEDDLE_VECTORS(VECTOR)                                                    \
	VECTOR(signed char, char, 2, 4)                                           \
	VECTOR(unsigned char, uchar, 2, 4)                                        \
	VECTOR(short, short, 4, 8)                                                \
	VECTOR(unsigned short, ushort, 4, 8)                                      \
	VECTOR(int, int, 8, 16)                                                   \
	VECTOR(unsigned int, uint, 8, 16)                                         \
	VECTOR(long int, long, 2 * sizeof(long), 16)                              \
	VECTOR(unsigned long int, ulong, 2 * sizeof(long), 16)                    \
	VECTOR(long long int, longlong, 16, 16)                                   \
	VECTOR(unsigned long long int, ulonglong, 16, 16)                         \
	VECTOR(float, float, 8, 16)                                               \
	VECTOR(double, double, 16, 16)

#define HEDDLE_VECTOR(base, name, align2, align4)                                 \
	struct name##1 { base x; };                                               \
	struct __attribute__((aligned(align2))) name##2 { base x, y; };           \
	struct name##3 { base x, y, z; };                                         \
	struct __attribute__((aligned(align4))) name##4 { base x, y, z, w; };     \
	typedef struct name##1 name##1;                                           \
	typedef struct name##2 name##2;                                           \
	typedef struct name##3 name##3;                                           \
	typedef struct name##4 name##4;
HEDDLE_VECTORS(HEDDLE_VECTOR)
#undef HEDDLE_VECTOR

#if defined(__cplusplus) && defined(__CUDACC__)
template <int which> struct heddle_index; /* threadIdx and its like: heddle/index.h */
#endif

struct dim3 {
	unsigned int x, y, z;
#if defined(__cplusplus) && __cplusplus >= 201103L
	__host__ __device__ constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
		: x(vx), y(vy), z(vz) {}
	__host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
	__host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
#if defined(__CUDACC__)
	template <int which> __device__ inline dim3(const heddle_index<which> &);
#endif
#elif defined(__cplusplus)
	__host__ __device__ dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
		: x(vx), y(vy), z(vz) {}
	__host__ __device__ dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
	__host__ __device__ operator uint3() const { uint3 v; v.x = x; v.y = y; v.z = z; return v; }
#endif
};
typedef struct dim3 dim3;

#endif
