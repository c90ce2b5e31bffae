/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * stall.c - warns of loops in which a lane waits for another lane of its own warp. The two sides of a
 * branch that splits a warp run one after the other, so when one waits for what the other writes, all
 * depends on which comes first:
 *
 *      if (threadIdx.x == 0) flag = 1;
 *      else while (!flag);
 *
 * Only a branch on the number of the thread is sure to split a warp; one on the number of the warp, as
 * in producers and consumers, is not, and nothing is said.
 */
#include "lower/proof.h"
#include <llvm-c/DebugInfo.h>
#include <string.h>

static bool
is_constant(LLVMValueRef v, u64 *value)
{
	if (!LLVMIsAConstantInt(v) || LLVMGetIntTypeWidth(LLVMTypeOf(v)) > 64)
		return false;
	*value = LLVMConstIntGetZExtValue(v);
	return true;
}

/* Is `v` the number of a thread or lane, or its lower bits? */
static bool
is_lane(LLVMValueRef v)
{
	u64 c;

	for (;;) {
		if (LLVMIsAZExtInst(v) || LLVMIsATruncInst(v))
			v = LLVMGetOperand(v, 0);
		else if (LLVMIsAInstruction(v) && LLVMGetInstructionOpcode(v) == LLVMAnd &&
			 is_constant(LLVMGetOperand(v, 1), &c) && c & 31)
			v = LLVMGetOperand(v, 0);
		else
			return low_is_call_to(v, "llvm.amdgcn.workitem.id.x") ||
			       low_is_call_to(v, "llvm.amdgcn.mbcnt");
	}
}

/* Does condition `v` differ between lanes of a warp for sure? */
static bool
splits_warp(LLVMValueRef v)
{
	u64 c;

	if (!v || !LLVMIsAICmpInst(v) || !is_constant(LLVMGetOperand(v, 1), &c) ||
		!is_lane(LLVMGetOperand(v, 0)))
		return false;
	switch (LLVMGetICmpPredicate(v)) {
	case LLVMIntEQ:
	case LLVMIntNE:
		return true;
	case LLVMIntULT:
	case LLVMIntSLT:
	case LLVMIntUGE:
	case LLVMIntSGE:
		return c % 32 != 0;
	case LLVMIntUGT:
	case LLVMIntSGT:
	case LLVMIntULE:
	case LLVMIntSLE:
		return c % 32 != 31;
	default:
		return false;
	}
}

/* Does a node of `side` write what is waited for? */
static bool
writes(const struct proof *p, const bool *side, LLVMValueRef wait)
{
	bool any;
	LLVMValueRef from = place_of(wait, &any);

	for (u32 v = 0; v < p->flow.n; v++)
		if (side[v] && p->nodes[v].ends)
			LOW_EACH_INST (p->nodes[v].block, i)
				if (!LLVMIsALoadInst(i) && place_of(i, &any) &&
					place_is_same(place_of(i, &any), from))
					return true;
	return false;
}

void
stall_report(struct low *w, LLVMValueRef wait)
{
	LLVMMetadataRef at = low_location(wait);

	if (at) /* the line of the program, not of the header that holds the operation */
		LLVMInstructionSetDebugLoc(wait, at);
	low_report(w, wait, 0, LOW_DIAG_warp_stall);
}

void
stall_check(struct proof *p, u32 header, const u32 *pdom, LLVMValueRef wait)
{
	const u32 n = p->flow.n;
	bool plain;

	if (!place_of(wait, &plain))
		return;
	for (u32 v = 0; v < n; v++) {
		LLVMValueRef last = p->nodes[v].last;
		bool *side[2];

		if (!p->nodes[v].ends || !LLVMIsABranchInst(last) || !LLVMIsConditional(last) ||
			!splits_warp(LLVMGetCondition(last)) || p->flow.to[v].n != 2)
			continue;
		for (unsigned i = 0; i < 2; i++) {
			side[i] = ARENA_NEW(&p->w->arena, bool, n + 1);
			assert(side[i]);
			graph_reach(&p->flow, p->flow.to[v].p[i], pdom[v], side[i]);
		}
		for (unsigned i = 0; i < 2; i++)
			if (side[i][header] && !side[!i][header] && writes(p, side[!i], wait)) {
				stall_report(p->w, wait);
				return;
			}
	}
}
