/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* device_double_functions.h - all of it is in cuda_runtime.h. */
#ifndef HEDDLE_DEVICE_DOUBLE_FUNCTIONS_H
#define HEDDLE_DEVICE_DOUBLE_FUNCTIONS_H

#include "cuda_runtime.h"

#endif
