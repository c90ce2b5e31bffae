/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* builtin_types.h - the types of the language and of the runtime in one. */
#ifndef HEDDLE_BUILTIN_TYPES_H
#define HEDDLE_BUILTIN_TYPES_H
#define __BUILTIN_TYPES_H__ /* user code asks for this name */

#include "host_defines.h"
#include "vector_types.h"
#include "driver_types.h"

#endif
