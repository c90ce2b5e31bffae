/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * place.c - which places in memory instructions work on, as far as their pointers tell. An answer that is
 * wrong costs a way back in a loop, or a warning, and nothing else.
 */
#include "lower/proof.h"

/* The pointer's base; *fixed stays true when all the way there is constant. */
static LLVMValueRef
base_of(LLVMValueRef ptr, bool *fixed)
{
	for (;;) {
		bool expr = LLVMIsAConstantExpr(ptr);
		LLVMOpcode op = expr                      ? LLVMGetConstOpcode(ptr)
				: LLVMIsAInstruction(ptr) ? LLVMGetInstructionOpcode(ptr)
							  : LLVMRet;

		if (op != LLVMGetElementPtr && op != LLVMAddrSpaceCast && op != LLVMBitCast)
			return ptr;
		for (int i = 1; i < LLVMGetNumOperands(ptr); i++)
			*fixed &= LLVMIsAConstantInt(LLVMGetOperand(ptr, (unsigned)i)) != NULL;
		ptr = LLVMGetOperand(ptr, 0);
	}
}

bool
place_is_same(LLVMValueRef a, LLVMValueRef b)
{
	while (LLVMIsAAddrSpaceCastInst(a))
		a = LLVMGetOperand(a, 0);
	while (LLVMIsAAddrSpaceCastInst(b))
		b = LLVMGetOperand(b, 0);
	if (a == b)
		return true;
	if (!LLVMIsAGetElementPtrInst(a) || !LLVMIsAGetElementPtrInst(b) ||
		LLVMGetNumOperands(a) != LLVMGetNumOperands(b) ||
		LLVMGetGEPSourceElementType(a) != LLVMGetGEPSourceElementType(b))
		return false;
	for (int i = 1; i < LLVMGetNumOperands(a); i++)
		if (LLVMGetOperand(a, (unsigned)i) != LLVMGetOperand(b, (unsigned)i))
			return false;
	return place_is_same(LLVMGetOperand(a, 0), LLVMGetOperand(b, 0));
}

LLVMValueRef
place_of(LLVMValueRef i, bool *plain)
{
	*plain = false;
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMAtomicRMW:
	case LLVMAtomicCmpXchg:
		return LLVMGetOperand(i, 0);
	case LLVMLoad:
	case LLVMStore:
		*plain = !LLVMGetVolatile(i) && LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic;
		return LLVMGetOperand(i, LLVMIsAStoreInst(i) ? 1 : 0);
	default:
		return NULL;
	}
}

bool
place_releases(LLVMValueRef write, LLVMValueRef wait)
{
	bool plain, any, fixed = true;
	LLVMValueRef to = LLVMIsALoadInst(write) ? NULL : place_of(write, &plain),
		     from = place_of(wait, &any);

	if (!to || !from)
		return false;
	if (place_is_same(to, from))
		return true;
	return !plain && base_of(to, &fixed) == base_of(from, &fixed) && !fixed;
}
