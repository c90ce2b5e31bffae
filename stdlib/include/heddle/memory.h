/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * memory.h - loads and stores with a caching wish, tests of a pointer's address space, time, and
 * the few functions that stop or delay a thread. A wish changes no result: those for data used once
 * become non-temporal accesses, the others plain ones; those past the caches (cv, wt) are volatile.
 */
#ifndef HEDDLE_MEMORY_H
#define HEDDLE_MEMORY_H

#include "device.h"
#include "../vector_types.h"

#define HEDDLE_LOADS(type)                                                                       \
	HEDDLE_FN type __ldg(const type *p) HEDDLE_BODY(return *p;)                              \
	HEDDLE_FN type __ldca(const type *p) HEDDLE_BODY(return *p;)                             \
	HEDDLE_FN type __ldcg(const type *p) HEDDLE_BODY(return *p;)                             \
	HEDDLE_FN type __ldcs(const type *p) HEDDLE_BODY(return *p;)                             \
	HEDDLE_FN type __ldlu(const type *p) HEDDLE_BODY(return *p;)                             \
	HEDDLE_FN void __stwb(type *p, type value) HEDDLE_BODY(*p = value;)                      \
	HEDDLE_FN void __stcg(type *p, type value) HEDDLE_BODY(*p = value;)                      \
	HEDDLE_FN void __stcs(type *p, type value) HEDDLE_BODY(*p = value;)
#define HEDDLE_TYPES(DO)                                                                         \
	DO(char) DO(signed char) DO(unsigned char) DO(short) DO(unsigned short) DO(int)          \
	DO(unsigned int) DO(long) DO(unsigned long) DO(long long) DO(unsigned long long)         \
	DO(float) DO(double)
#define HEDDLE_VECTOR_TYPES(DO)                                                                  \
	DO(char2) DO(char4) DO(uchar2) DO(uchar4) DO(short2) DO(short4) DO(ushort2) DO(ushort4)  \
	DO(int2) DO(int4) DO(uint2) DO(uint4) DO(longlong2) DO(ulonglong2) DO(float2) DO(float4) \
	DO(double2)
HEDDLE_TYPES(HEDDLE_LOADS)
HEDDLE_VECTOR_TYPES(HEDDLE_LOADS)
#undef HEDDLE_LOADS
#define HEDDLE_LOADS(type)                                                                          \
	HEDDLE_FN type __ldcv(const type *p) HEDDLE_BODY(return *(const volatile type *)p;)         \
	HEDDLE_FN void __stwt(type *p, type value) HEDDLE_BODY(*(volatile type *)p = value;)
HEDDLE_TYPES(HEDDLE_LOADS)
#undef HEDDLE_LOADS
#undef HEDDLE_TYPES
#undef HEDDLE_VECTOR_TYPES

/* Blocks of memory */
HEDDLE_FN void *memcpy(void *to, const void *from, __SIZE_TYPE__ n) HEDDLE_BODY(return __builtin_memcpy(to, from, n);)
HEDDLE_FN void *memmove(void *to, const void *from, __SIZE_TYPE__ n) HEDDLE_BODY(return __builtin_memmove(to, from, n);)
HEDDLE_FN void *memset(void *to, int byte, __SIZE_TYPE__ n) HEDDLE_BODY(return __builtin_memset(to, byte, n);)
namespace std {
using ::memcpy;
using ::memmove;
using ::memset;
}

/*
 * Objects in memory that the program has. There is no heap on the device yet, so that `new` is an
 * error of the link; virtual destructors name a `delete` all the same, which traps.
 */
#define HEDDLE_NEW inline __device__ __attribute__((always_inline))
HEDDLE_NEW void *operator new(__SIZE_TYPE__, void *p) noexcept HEDDLE_BODY(return p;)
HEDDLE_NEW void *operator new[](__SIZE_TYPE__, void *p) noexcept HEDDLE_BODY(return p;)
HEDDLE_NEW void operator delete(void *, void *) noexcept HEDDLE_BODY()
HEDDLE_NEW void operator delete[](void *, void *) noexcept HEDDLE_BODY()
__device__ void operator delete(void *) noexcept;
__device__ void operator delete[](void *) noexcept;
__device__ void operator delete(void *, __SIZE_TYPE__) noexcept;
__device__ void operator delete[](void *, __SIZE_TYPE__) noexcept;
#undef HEDDLE_NEW

HEDDLE_FN unsigned int __isShared(const void *p) HEDDLE_BODY(return __builtin_amdgcn_is_shared(p);)
HEDDLE_FN unsigned int __isLocal(const void *p) HEDDLE_BODY(return __builtin_amdgcn_is_private(p);)
HEDDLE_FN unsigned int __isGlobal(const void *p)
HEDDLE_BODY(return !__builtin_amdgcn_is_shared(p) && !__builtin_amdgcn_is_private(p);)
HEDDLE_FN __SIZE_TYPE__ __cvta_generic_to_shared(const void *p)
HEDDLE_BODY(return (unsigned)(__SIZE_TYPE__)(const __attribute__((address_space(3))) void *)p;)
HEDDLE_FN void *__cvta_shared_to_generic(__SIZE_TYPE__ p)
HEDDLE_BODY(return (void *)(__attribute__((address_space(3))) void *)(unsigned)p;)
HEDDLE_FN __SIZE_TYPE__ __cvta_generic_to_global(const void *p) HEDDLE_BODY(return (__SIZE_TYPE__)p;)
HEDDLE_FN void *__cvta_global_to_generic(__SIZE_TYPE__ p) HEDDLE_BODY(return (void *)p;)

/* Time. GFX11 has a cycle counter of only 20 bits: there the clock is the constant one of 100 MHz, in steps
 * of 24, about the cycles of a processor at 2.4 GHz. */
#if defined(__GFX11__)
#define HEDDLE_CYCLES() (__builtin_readsteadycounter() * 24)
#else
#define HEDDLE_CYCLES() __builtin_readcyclecounter()
#endif
HEDDLE_FN long long clock64() HEDDLE_BODY(return (long long)HEDDLE_CYCLES();)
HEDDLE_FN long clock() HEDDLE_BODY(return (long)HEDDLE_CYCLES();)

extern "C" {
__device__ void __nanosleep(unsigned int nanoseconds);
__device__ __attribute__((noreturn)) void __heddle_trap();
__device__ __attribute__((noreturn)) void __assert_fail(const char *expression, const char *file,
	unsigned int line, const char *function) noexcept;
__device__ __attribute__((noreturn)) void __assertfail(const char *expression, const char *file,
	unsigned int line, const char *function, __SIZE_TYPE__ char_size);
}
HEDDLE_FN void __trap() HEDDLE_BODY(__builtin_trap();)
HEDDLE_FN void __brkpt() HEDDLE_BODY(__builtin_trap();)
HEDDLE_FN void __prof_trigger(int) HEDDLE_BODY()

/* The device's printf writes a record that the host prints; the host's own is an overload beside
 * it. */
extern "C" __device__ int printf(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
