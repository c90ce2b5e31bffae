/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* shim.h - what LLVM-C lacks and plugin.cpp gives. Only plugin.cpp implements it; no decisions there. */
#ifndef HEDDLE_LOW_SHIM_H
#define HEDDLE_LOW_SHIM_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct low_shim; /* the analysis managers of a run */

/* Reports through the context's diagnostic handler: at `cookie` (an entry of !srcloc), or, when it is
 * 0, at the debug location of `inst` (NULL: nowhere). */
void shim_diagnose(
	LLVMContextRef cx, LLVMValueRef inst, uint64_t cookie, const char *text, bool error);

/* Tells what was decided about kernel `fn`, for -Rpass=PASS, at its source line: "warps of 'k(int*)'" and
 * `text`. */
void shim_remark(LLVMValueRef fn, const char *pass, const char *text);

/* Moves from `src` (consumed) what `dst` declares and lacks. False when the linker failed. */
bool shim_link_needed(LLVMModuleRef dst, LLVMModuleRef src);

/* A clone of `m` in which every function that can be, but those of service.def, is inlined into the
 * kernels, in SSA form, loops simplified; shim_clone_free ends it. Function names are kept. */
LLVMModuleRef shim_clone_inlined(struct low_shim *s, LLVMModuleRef m);
void shim_clone_free(struct low_shim *s, LLVMModuleRef clone);

/* LLVM's peephole optimiser on one function. */
void shim_simplify(struct low_shim *s, LLVMValueRef fn);

/* LLVM's uniformity analysis of one function, for the wave of its target. Valid until the function
 * changes; ask for one function at a time. */
struct shim_uniformity;
struct shim_uniformity *shim_uniformity(struct low_shim *s, LLVMValueRef fn);
bool shim_is_uniform(struct shim_uniformity *u, LLVMValueRef v);
bool shim_branch_diverges(struct shim_uniformity *u, LLVMBasicBlockRef b);

/* Moves the terminator of a block into a block of its own behind it. */
void shim_split_end(LLVMBasicBlockRef b);

/* Does a fence order more than the wave's own accesses? */
bool shim_fence_is_wide(LLVMValueRef fence);

/* Gives `fn`, whose instructions have no debug locations, those of one line: of `at`, a DILocation. */
void shim_set_line(LLVMValueRef fn, LLVMMetadataRef at);

/* Ends the block of `inst` behind it and returns the block of what follows. */
LLVMBasicBlockRef shim_split_after(LLVMValueRef inst);

/* Name of the function (its DISubprogram) that metadata `scope` lies in. */
const char *shim_scope_name(LLVMMetadataRef scope, size_t *n);

#ifdef __cplusplus
}
#endif
#endif
