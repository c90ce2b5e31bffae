/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * edge.c - keeps LLVM 22's StructurizeCFG from giving threads the values of others. It moves an
 * instruction without cost (a truncation, an element of a vector) from the block before a phi, the
 * "else" of a branch, up to that branch, and then takes the phi of the "then" side for it, even
 * where more paths meet than these two: at a case that falls through, in nested conditions. LLVM 23
 * has repaired it (pull request 183792). The move needs the instruction in a block that ends in a
 * plain branch to the phi's block; so such a block is cut in two before its branch.
 */
#include "lower/low.h"
#include <stdlib.h>

/* Is `b` entered by a branch that has another way to go? */
static bool
is_chosen(LLVMBasicBlockRef b)
{
	for (LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(b)); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef t = LLVMIsAInstruction(LLVMGetUser(u));

		if (t && LLVMIsATerminatorInst(t) && LLVMGetNumSuccessors(t) > 1)
			return true;
	}
	return false;
}

/* Does `b` compute what a phi behind its branch takes? */
static bool
is_before_phi(LLVMBasicBlockRef b)
{
	LLVMValueRef t = LLVMGetBasicBlockTerminator(b);

	if (LLVMGetNumSuccessors(t) != 1)
		return false;
	for (LLVMValueRef phi = LLVMGetFirstInstruction(LLVMGetSuccessor(t, 0));
		LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi))
		for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
			LLVMValueRef v = LLVMIsAInstruction(LLVMGetIncomingValue(phi, i));

			if (v && !LLVMIsAPHINode(v) && LLVMGetInstructionParent(v) == b)
				return true;
		}
	return false;
}

bool
low_edge(LLVMValueRef fn)
{
	bool changed = false;

	/* The new block stands behind the old one: it is seen next and left as it is. */
	LOW_EACH_BLOCK (fn, b)
		if (is_before_phi(b) && is_chosen(b)) {
			shim_split_end(b);
			changed = true;
		}
	return changed;
}
