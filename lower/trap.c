/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * trap.c - moves llvm.trap into a function of its own on gfx1100 to gfx1103. Their trap is simulated
 * by code that splits the block, after which LLVM 22 forgets to expand the 64-bit additions of the
 * same block ("Unsupported instruction V_SUB_U64_PSEUDO"). A call keeps the kernel whole.
 */
#include "lower/low.h"

static LLVMValueRef
trap_fn(struct low *w, LLVMValueRef trap)
{
	LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(w->cx), NULL, 0, 0);
	LLVMValueRef fn = LLVMAddFunction(w->m, "__heddle_trap", type);
	LLVMBuilderRef b = LLVMCreateBuilderInContext(w->cx);

	LLVMSetLinkage(fn, LLVMInternalLinkage);
	low_attr_add(w, fn, "noinline");
	low_attr_add(w, fn, "noreturn");
	low_attr_add(w, fn, "nounwind");
	low_attr_add(w, fn, "cold");
	LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(w->cx, fn, ""));
	LLVMBuildCall2(b, type, trap, NULL, 0, "");
	LLVMBuildUnreachable(b);
	LLVMDisposeBuilder(b);
	return fn;
}

bool
low_trap(struct low *w)
{
	LLVMValueRef trap = LLVMGetNamedFunction(w->m, "llvm.trap"), fn = NULL;

	if (w->target->major != 11 || w->target->minor != 0 || !trap)
		return false;
	for (LLVMUseRef u = LLVMGetFirstUse(trap), next; u; u = next) {
		LLVMValueRef call = LLVMGetUser(u);

		next = LLVMGetNextUse(u);
		if (!fn)
			fn = trap_fn(w, trap);
		if (low_callee(call) == trap && LLVMGetBasicBlockParent(LLVMGetInstructionParent(call)) != fn)
			LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, fn);
	}
	return fn != NULL;
}
