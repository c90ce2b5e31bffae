/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* check.h - which instructions of a code object the executor could not run. */
#ifndef HEDDLE_EXEC_CHECK_H
#define HEDDLE_EXEC_CHECK_H

#include "amdgpu/code.h"

/* Reads and translates every word of the functions of a code object; prints a line for each that has no meaning
 * yet, "name: reason: text", the first of each name. Returns how many names; -1: cannot. */
int check_code(struct str image);

#endif
