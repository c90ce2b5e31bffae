/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* tool.h - what `low` needs of C++: LLVM's analyses for the target of a module. */
#ifndef HEDDLE_LOW_TOOL_H
#define HEDDLE_LOW_TOOL_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Runs the passes `names` (NULL: all) over `m`; functions without "target-cpu" get `cpu`. False and
 * `*message` when the module is not valid before or after. */
bool tool_run(
	LLVMModuleRef m, const char *cpu, const char *names, const char *after, char **message);

#ifdef __cplusplus
}
#endif
#endif
