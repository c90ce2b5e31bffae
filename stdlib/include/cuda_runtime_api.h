/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * cuda_runtime_api.h - the CUDA runtime API for C and C++. The prototypes come from the rows of
 * heddle/api.def, so that what is declared is what libcudart has. With per-thread default streams
 * (CUDA_API_PER_THREAD_DEFAULT_STREAM) a function that knows streams is bound to its symbol with
 * the suffix _ptsz or _ptds.
 */
#ifndef HEDDLE_CUDA_RUNTIME_API_H
#define HEDDLE_CUDA_RUNTIME_API_H
#define __CUDA_RUNTIME_API_H__ /* user code asks for this name */

#define CUDART_VERSION 12080

#include "driver_types.h"
#include "surface_types.h"
#include "texture_types.h"

#ifdef __cplusplus
#define __dv(v) = v
extern "C" {
#else
#define __dv(v)
#endif

#define HEDDLE_SYMBOL_one(name)
#define HEDDLE_SYMBOL_v2(name) __asm__(#name "_v2")
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
#define HEDDLE_SYMBOL_ptsz(name)    __asm__(#name "_ptsz")
#define HEDDLE_SYMBOL_ptds(name)    __asm__(#name "_ptds")
#define HEDDLE_SYMBOL_v2_ptsz(name) __asm__(#name "_v2_ptsz")
#else
#define HEDDLE_SYMBOL_ptsz(name)
#define HEDDLE_SYMBOL_ptds(name)
#define HEDDLE_SYMBOL_v2_ptsz(name) __asm__(#name "_v2")
#endif
#define API(name, variant, params, args, status, section) \
	extern cudaError_t CUDARTAPI name params HEDDLE_SYMBOL_##variant(name);
#define API_AS(name, type, params, args, status, section) extern type CUDARTAPI name params;
#define API_OTHER(name, status, section)
#define API_HEADER(name, status, section)
#ifdef HEDDLE_API_DEF /* host-rt itself, whose table it is */
#include HEDDLE_API_DEF
#else
#include "heddle/api.def"
#endif
#undef API
#undef API_AS
#undef API_OTHER
#undef API_HEADER
#undef HEDDLE_SYMBOL_one
#undef HEDDLE_SYMBOL_v2
#undef HEDDLE_SYMBOL_ptsz
#undef HEDDLE_SYMBOL_ptds
#undef HEDDLE_SYMBOL_v2_ptsz

#ifdef __cplusplus
}
#endif

#endif
