/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * leader.c - atomics of one lane of a warp: `if (lane == 0) atomicAdd(p, n)`. LLVM takes any atomic on an
 * address that all lanes share for one of all lanes, and adds up their values first, lane by lane in a
 * loop. With one or two lanes that costs some 20 instructions and saves nothing. Where a condition
 * leaves at most one lane of each 16 consecutive ones, the address gets an offset of zero that LLVM
 * must take for one that differs between lanes; it becomes the operand that the instruction has anyway.
 */
#include "lower/low.h"

enum { DEPTH = 12 }; /* of values and blocks that are looked at */

/* Does `v` count consecutive lanes up? */
static bool
counts_lanes(LLVMValueRef v, int depth)
{
	if (depth == 0 || !LLVMIsAInstruction(v))
		return false;
	if (low_is_call_to(v, "llvm.amdgcn.workitem.id.x") ||
		low_is_call_to(v, "llvm.amdgcn.mbcnt"))
		return true;
	switch (LLVMGetInstructionOpcode(v)) {
	case LLVMZExt:
	case LLVMTrunc:
	case LLVMFreeze:
		return counts_lanes(LLVMGetOperand(v, 0), depth - 1);
	case LLVMAdd: /* the flat index */
	case LLVMOr:
		return counts_lanes(LLVMGetOperand(v, 0), depth - 1) ||
		       counts_lanes(LLVMGetOperand(v, 1), depth - 1);
	case LLVMAnd:
		return LLVMIsAConstantInt(LLVMGetOperand(v, 1)) &&
		       (LLVMConstIntGetZExtValue(LLVMGetOperand(v, 1)) & 15) == 15 &&
		       counts_lanes(LLVMGetOperand(v, 0), depth - 1);
	default:
		return false;
	}
}

/* Do all lanes have the same `v`? A wrong answer costs time only. */
static bool
is_uniform(LLVMValueRef v, int depth)
{
	if (LLVMIsAConstant(v) || LLVMIsAArgument(v))
		return true;
	if (depth == 0 || !LLVMIsAInstruction(v))
		return false;
	if (low_is_call_to(v, "llvm.amdgcn.workgroup.id") ||
		low_is_call_to(v, "llvm.amdgcn.implicitarg.ptr") ||
		low_is_call_to(v, "llvm.amdgcn.kernarg.segment.ptr"))
		return true;
	switch (LLVMGetInstructionOpcode(v)) {
	case LLVMPHI:
	case LLVMCall:
	case LLVMInvoke:
	case LLVMAlloca:
	case LLVMAtomicRMW:
	case LLVMAtomicCmpXchg:
		return false;
	default:
		for (int i = 0; i < LLVMGetNumOperands(v); i++)
			if (!is_uniform(LLVMGetOperand(v, (unsigned)i), depth - 1))
				return false;
		return true;
	}
}

/* Is `c` true, or false when `when` is false, for at most one lane of each 16? */
static bool
picks_lane(LLVMValueRef c, bool when, int depth)
{
	if (depth == 0 || !LLVMIsAInstruction(c))
		return false;
	if (LLVMIsAICmpInst(c))
		return LLVMGetICmpPredicate(c) == (when ? LLVMIntEQ : LLVMIntNE) &&
		       counts_lanes(LLVMGetOperand(c, 0), depth) &&
		       is_uniform(LLVMGetOperand(c, 1), depth);
	if (when && LLVMGetInstructionOpcode(c) == LLVMAnd)
		return picks_lane(LLVMGetOperand(c, 0), true, depth - 1) ||
		       picks_lane(LLVMGetOperand(c, 1), true, depth - 1);
	if (when && LLVMIsASelectInst(c) && LLVMIsNull(LLVMGetOperand(c, 2))) /* a && b */
		return picks_lane(LLVMGetOperand(c, 0), true, depth - 1) ||
		       picks_lane(LLVMGetOperand(c, 1), true, depth - 1);
	return false;
}

/* The only branch that leads to block `b`, NULL if there are more. */
static LLVMValueRef
only_branch(LLVMBasicBlockRef b)
{
	LLVMValueRef found = NULL;

	for (LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(b)); u; u = LLVMGetNextUse(u)) {
		if (found || !LLVMIsABranchInst(LLVMGetUser(u)))
			return NULL;
		found = LLVMGetUser(u);
	}
	return found;
}

static bool
has_few_lanes(LLVMBasicBlockRef b)
{
	for (int depth = DEPTH; depth > 0; depth--) {
		LLVMValueRef branch = only_branch(b);

		if (!branch)
			return false;
		if (LLVMIsConditional(branch) && picks_lane(LLVMGetCondition(branch),
							 LLVMGetSuccessor(branch, 0) == b, DEPTH))
			return true;
		b = LLVMGetInstructionParent(branch);
	}
	return false;
}

/* A zero of i32 in a VGPR, as the backend sees it. */
static LLVMValueRef
zero(struct low *w, LLVMBuilderRef b)
{
	LLVMTypeRef word = LLVMInt32TypeInContext(w->cx),
		    type = LLVMFunctionType(word, &word, 1, 0);
	LLVMValueRef text = LLVMGetInlineAsm(
			     type, "", 0, "=v,0", 4, 0, 0, LLVMInlineAsmDialectATT, 0),
		     none = LLVMConstInt(word, 0, 0);

	return LLVMBuildCall2(b, type, text, &none, 1, "");
}

static void
hide(struct low *w, LLVMValueRef rmw)
{
	LLVMBuilderRef b = LLVMCreateBuilderInContext(w->cx);
	LLVMValueRef at = LLVMGetOperand(rmw, 0), offset;

	LLVMPositionBuilderBefore(b, rmw);
	offset = zero(w, b);
	if (LLVMGetPointerAddressSpace(LLVMTypeOf(at)) != 3)
		offset = LLVMBuildZExt(b, offset, LLVMInt64TypeInContext(w->cx), "");
	LLVMSetOperand(rmw, 0, LLVMBuildGEP2(b, LLVMInt8TypeInContext(w->cx), at, &offset, 1, ""));
	LLVMDisposeBuilder(b);
}

static bool
is_combined(LLVMValueRef i) /* by LLVM's AMDGPUAtomicOptimizer */
{
	if (!LLVMIsAAtomicRMWInst(i) ||
		LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(i, 0))) > 3)
		return false;
	switch (LLVMGetAtomicRMWBinOp(i)) {
	case LLVMAtomicRMWBinOpXchg:
	case LLVMAtomicRMWBinOpNand:
	case LLVMAtomicRMWBinOpUIncWrap:
	case LLVMAtomicRMWBinOpUDecWrap:
		return false;
	default:
		return true;
	}
}

bool
low_leader(struct low *w)
{
	bool changed = false;

	LOW_EACH_FN (w->m, f)
		LOW_EACH_BLOCK (f, b) {
			int few = -1; /* not known */

			LOW_EACH_INST (b, i) {
				if (!is_combined(i) || !is_uniform(LLVMGetOperand(i, 0), DEPTH))
					continue;
				if (few < 0)
					few = has_few_lanes(b);
				if (few)
					hide(w, i);
				changed |= few;
			}
		}
	return changed;
}
