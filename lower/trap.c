/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * trap.c - moves llvm.trap into a function of its own on gfx1100 to gfx1103. Their trap is simulated
 * by code that splits the block, after which LLVM 22 forgets to expand the 64-bit additions of the
 * same block ("Unsupported instruction V_SUB_U64_PSEUDO"). A call keeps the kernel whole. It is made
 * after inlining, when the source line of the user's code is known. On the other GPUs the trap stays
 * and gets that line.
 */
#include "lower/low.h"
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>

struct trap_at {
	LLVMMetadataRef file;
	unsigned line;
	LLVMValueRef fn;
};
struct trap_fns {
	struct trap_at *p;
	size_t n, cap;
};

static LLVMValueRef
trap_fn(struct low *w, LLVMValueRef trap, LLVMValueRef caller, LLVMMetadataRef at)
{
	LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(w->cx), NULL, 0, 0);
	LLVMValueRef fn = LLVMAddFunction(w->m, "__heddle_trap", type);
	LLVMBuilderRef b = LLVMCreateBuilderInContext(w->cx);

	LLVMSetLinkage(fn, LLVMInternalLinkage);
	low_attr_add(w, fn, "noinline");
	low_attr_add(w, fn, "noreturn");
	low_attr_add(w, fn, "nounwind");
	low_attr_add(w, fn, "cold");
	low_attr_set(w, fn, "target-cpu", low_attr(caller, "target-cpu"));
	low_attr_set(w, fn, "target-features", low_attr(caller, "target-features"));
	LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(w->cx, fn, ""));
	LLVMBuildCall2(b, type, trap, NULL, 0, "");
	LLVMBuildUnreachable(b);
	LLVMDisposeBuilder(b);
	if (at)
		shim_set_line(fn, at);
	return fn;
}

/* One function a source line, so that a debugger or a fault message can name it. */
static LLVMValueRef
trap_fn_for(struct low *w, struct trap_fns *all, LLVMValueRef trap, LLVMValueRef call)
{
	LLVMValueRef caller = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
	LLVMMetadataRef at = low_location(call);
	LLVMMetadataRef file = at ? LLVMDIScopeGetFile(LLVMDILocationGetScope(at)) : NULL;
	unsigned line = at ? LLVMDILocationGetLine(at) : 0;

	for (size_t i = 0; i < all->n; i++)
		if (all->p[i].file == file && all->p[i].line == line)
			return all->p[i].fn;
	if (!VEC_PUSH(all, ((struct trap_at){file, line, trap_fn(w, trap, caller, at)})))
		return trap_fn(w, trap, caller, at);
	return all->p[all->n - 1].fn;
}

bool
low_trap(struct low *w)
{
	const bool move = w->target->major == 11 && w->target->minor == 0;
	LLVMValueRef trap = LLVMGetNamedFunction(w->m, "llvm.trap");
	struct trap_fns all = {0};

	if (!trap)
		return false;
	LOW_EACH_FN (w->m, f) {
		if (str_starts(low_name(f), "__heddle_trap"))
			continue;
		LOW_EACH_BLOCK (f, b)
			LOW_EACH_INST (b, i) {
				if (low_callee(i) != trap)
					continue;
				if (move)
					LLVMSetOperand(i, (unsigned)LLVMGetNumOperands(i) - 1,
						trap_fn_for(w, &all, trap, i));
				else if (low_location(i))
					LLVMInstructionSetDebugLoc(i, low_location(i));
			}
	}
	free(all.p);
	return true;
}
