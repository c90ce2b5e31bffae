/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* sm_32_atomic_functions.h - all of it is in cuda_runtime.h. */
#ifndef HEDDLE_SM_32_ATOMIC_FUNCTIONS_H
#define HEDDLE_SM_32_ATOMIC_FUNCTIONS_H

#include "cuda_runtime.h"

#endif
