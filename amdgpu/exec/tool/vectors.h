/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* vectors.h - raw programs with the state they must leave. */
#ifndef HEDDLE_EXEC_VECTORS_H
#define HEDDLE_EXEC_VECTORS_H

#include "amdgpu/exec/exec.h"

/* Runs every vector of a JSON-lines file and compares; `except` (may be NULL) lists tests that are known to
 * disagree, one a line: name, then why. Prints each surprise; the number of them, or -1: cannot read. */
int vectors_run(const struct target *t, const char *file, const char *except);

#endif
