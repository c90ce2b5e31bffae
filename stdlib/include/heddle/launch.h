/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * launch.h - what clang calls for `kernel<<<grid, block, shared, stream>>>(…)`. The host pass
 * pushes the configuration, and the stub of the kernel pops it and calls cudaLaunchKernel; all
 * three are the runtime's. The device pass parses host code too and looks for a function under a
 * name of its own.
 */
#ifndef HEDDLE_LAUNCH_H
#define HEDDLE_LAUNCH_H

#include "../vector_types.h"
#include "../driver_types.h"

#if defined(__AMDGCN__)
#define HEDDLE_CONFIGURE __hipPushCallConfiguration
#else
#define HEDDLE_CONFIGURE __cudaPushCallConfiguration
#endif
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM /* stream 0 is the thread's own */
#define HEDDLE_CONFIGURE_AS __asm__("heddlePushCallConfiguration")
#else
#define HEDDLE_CONFIGURE_AS
#endif
extern "C" __host__ unsigned int HEDDLE_CONFIGURE(dim3 grid, dim3 block, __SIZE_TYPE__ shared = 0,
	cudaStream_t stream = 0) HEDDLE_CONFIGURE_AS;
#undef HEDDLE_CONFIGURE
#undef HEDDLE_CONFIGURE_AS

#endif
