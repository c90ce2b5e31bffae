/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * cuda_runtime.h - the language and the runtime API in one. The compiler includes it first in every
 * .cu file. Host compilers read only the runtime's part; what belongs to device code is in heddle/.
 */
#ifndef HEDDLE_CUDA_RUNTIME_H
#define HEDDLE_CUDA_RUNTIME_H
#define __CUDA_RUNTIME_H__ /* user code asks for this name */
#pragma GCC system_header

#include "host_defines.h"

#if defined(__CUDACC__) && defined(__cplusplus) && defined(__clang__)
#include "heddle/math.h"
#include "heddle/math_host.h"
#include "heddle/integer.h"
#include "heddle/fast.h"
#include "heddle/simd.h"
#include "heddle/warp.h"
#include "heddle/atomic.h"
#include "heddle/nv_atomic.h"
#include "heddle/memory.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <new>
#endif

#include "builtin_types.h"
#include "vector_functions.h"
#include "driver_functions.h"
#include "cuda_runtime_api.h"

#if defined(__cplusplus)
#include "channel_descriptor.h"
#include "heddle/runtime_cxx.h"
#if defined(__CUDACC__) && defined(__clang__)
#include "device_launch_parameters.h"
#include "heddle/launch.h"
#endif
#endif

#endif
