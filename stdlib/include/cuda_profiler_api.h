/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* cuda_profiler_api.h - cudaProfilerStart and cudaProfilerStop. */
#ifndef HEDDLE_CUDA_PROFILER_API_H
#define HEDDLE_CUDA_PROFILER_API_H

#include "cuda_runtime_api.h"

#endif
