/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * host_defines.h - the qualifiers of the language as macros over attributes that clang has. Host
 * compilers that know nothing of devices (gcc, or clang on a .c file) see empty qualifiers, so that
 * headers shared between host and device code parse everywhere.
 *
 * __noinline__ is not a macro: clang has it as a keyword, and libstdc++ writes it inside
 * attributes.
 */
#ifndef HEDDLE_HOST_DEFINES_H
#define HEDDLE_HOST_DEFINES_H
#define __HOST_DEFINES_H__ /* user code asks for this name */

#if defined(__CUDACC__) && defined(__clang__)
#define __device__   __attribute__((device))
#define __global__   __attribute__((global))
#define __host__     __attribute__((host))
#define __shared__   __attribute__((shared))
#define __constant__ __attribute__((constant))

/* Storage that host and device share by address needs a mechanism of its own: refuse it by name. */
#define __managed__ _Pragma("GCC error \"__managed__ variables are not supported yet\"") __attribute__((device))

/* A parameter that the kernel does not write stays where the launch left it. Ours always are. */
#define __grid_constant__

/*
 * The compiler's plugin says these bounds in AMD's attributes. A third argument, blocks a cluster,
 * would make clang drop all; the functions below leave it out, and let commas of template arguments
 * pass.
 */
#if defined(__cplusplus) && __cplusplus >= 201103L
static constexpr int heddle_bound_threads(int threads, int = 0, int = 0) { return threads; }
static constexpr int heddle_bound_blocks(int, int blocks = 0, int = 0) { return blocks; }
#define __launch_bounds__(...) \
	__attribute__((launch_bounds(heddle_bound_threads(__VA_ARGS__), heddle_bound_blocks(__VA_ARGS__))))
#else
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#endif
#define __maxnreg__(registers)
#define __cluster_dims__(...) \
	_Pragma("GCC error \"__cluster_dims__: thread block clusters are not supported\"")
#define __block_size__(...) \
	_Pragma("GCC error \"__block_size__: thread block clusters are not supported\"")
#else
#define __device__
#define __global__
#define __host__
#define __shared__
#define __constant__
#define __managed__
#define __grid_constant__
#define __launch_bounds__(...)
#define __maxnreg__(registers)
#endif

#define __device_builtin__
#define __cudart_builtin__
#define __device_builtin_texture_type__
#define __device_builtin_surface_type__
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __align__(n) __attribute__((aligned(n)))
#define __annotate__(a)
#define __location__(a)
#define __thread__ __thread

#if defined(_MSC_VER)
#define CUDARTAPI __stdcall
#define CUDAAPI __stdcall
#define CUDARTAPI_CDECL __cdecl
#else
#define CUDARTAPI
#define CUDAAPI
#define CUDARTAPI_CDECL
#endif

#ifndef __forceinline__
#define __forceinline__ __inline__ __attribute__((always_inline))
#endif

#endif
