/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* device_launch_parameters.h - threadIdx and its like. */
#ifndef HEDDLE_DEVICE_LAUNCH_PARAMETERS_H
#define HEDDLE_DEVICE_LAUNCH_PARAMETERS_H
#define __DEVICE_LAUNCH_PARAMETERS_H__ /* user code asks for this name */

#include "vector_types.h"
#if defined(__CUDACC__)
#include "heddle/index.h"
#endif

#endif
