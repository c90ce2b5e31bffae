/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* names.h - which instructions the executor has, of all that LLVM's disassembler can name. */
#ifndef HEDDLE_EXEC_NAMES_H
#define HEDDLE_EXEC_NAMES_H

#include "lang/base.h"

/* Appends a line "name done" or "name missing reason: GPUs" for every instruction name of our GPUs.
 * Returns why it cannot (static text), else NULL. */
const char *names_list(struct buf *b);

#endif
