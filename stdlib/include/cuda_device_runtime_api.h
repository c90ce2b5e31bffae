/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* cuda_device_runtime_api.h - launches from device code are not supported; the rest is in
 * cuda_runtime.h. */
#ifndef HEDDLE_CUDA_DEVICE_RUNTIME_API_H
#define HEDDLE_CUDA_DEVICE_RUNTIME_API_H

#include "cuda_runtime.h"

#endif
