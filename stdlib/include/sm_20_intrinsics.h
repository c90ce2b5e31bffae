/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* sm_20_intrinsics.h - all of it is in cuda_runtime.h. */
#ifndef HEDDLE_SM_20_INTRINSICS_H
#define HEDDLE_SM_20_INTRINSICS_H

#include "cuda_runtime.h"

#endif
