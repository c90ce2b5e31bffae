/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* sm_35_intrinsics.h - all of it is in cuda_runtime.h. */
#ifndef HEDDLE_SM_35_INTRINSICS_H
#define HEDDLE_SM_35_INTRINSICS_H

#include "cuda_runtime.h"

#endif
