/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* math_functions.h - all of it is in cuda_runtime.h. */
#ifndef HEDDLE_MATH_FUNCTIONS_H
#define HEDDLE_MATH_FUNCTIONS_H

#include "cuda_runtime.h"

#endif
