/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* common_functions.h - all of it is in cuda_runtime.h. */
#ifndef HEDDLE_COMMON_FUNCTIONS_H
#define HEDDLE_COMMON_FUNCTIONS_H

#include "cuda_runtime.h"

#endif
