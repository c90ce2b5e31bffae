/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * asm.c - inline assembly of device code. A text without instructions is a barrier for the optimiser
 * and stays (asm_blank.c). AMDGCN assembly, told by its constraints or by its first
 * mnemonic, is the backend's. All else is PTX: what ptx/ lowers is replaced by IR, what it cannot is an
 * error at its source line. Nothing is dropped silently.
 */
#include "lower/low.h"
#include "lower/ptx/ptx.h"
#include <string.h>

/* True when the text is AMDGCN's: a constraint that only AMD has, or a mnemonic of its kinds. */
static bool
is_amd(struct str text, struct str constraints)
{
	static const char *const kinds[] = {
		"s_", "v_", "ds_", "global_", "flat_", "buffer_", "scratch_", "image_", "tbuffer_"};

	while (constraints.n) {
		struct str c = str_split(&constraints, ',');

		while (c.n && strchr("=+&*%", *c.p))
			c.p++, c.n--;
		if (c.n == 1 && strchr("vsa", *c.p))
			return true;
		if (str_starts(c, "{v") || str_starts(c, "{s") || str_starts(c, "{a"))
			return true;
	}
	while (text.n && (*text.p == ' ' || *text.p == '\t' || *text.p == '\n'))
		text.p++, text.n--;
	for (size_t i = 0; i < COUNT(kinds); i++)
		if (str_starts(text, kinds[i]))
			return true;
	return false;
}

/* True when something changed; the call may be gone. */
static bool
lower_call(struct low *w, LLVMValueRef call, LLVMValueRef callee)
{
	struct str text = {0}, constraints = {0};

	text.p = LLVMGetInlineAsmAsmString(callee, &text.n);
	constraints.p = LLVMGetInlineAsmConstraintString(callee, &constraints.n);
	if (LLVMIsACallBrInst(call)) {
		low_report(w, call, 0, LOW_DIAG_asm_goto);
		LLVMSetOperand(call,
			(unsigned)LLVMGetNumOperands(call) - 1, /* or the backend complains, too */
			LLVMGetInlineAsm(LLVMGetInlineAsmFunctionType(callee), "", 0, constraints.p,
				constraints.n, 1, 0, LLVMInlineAsmDialectATT, 0));
		return true;
	}
	if (ptx_is_blank(text)) {
		low_asm_blank(w, call);
		return true;
	}
	if (is_amd(text, constraints))
		return false;
	low_ptx(w, call, text);
	return true;
}

bool
low_asm(struct low *w)
{
	bool changed = false;

	LOW_EACH_FN (w->m, f)
		LOW_EACH_BLOCK (f, b)
			LOW_EACH_INST (b, i) {
				LLVMOpcode op = LLVMGetInstructionOpcode(i);

				if (op != LLVMCall && op != LLVMInvoke && op != LLVMCallBr)
					continue;
				if (LLVMIsAInlineAsm(LLVMGetCalledValue(i)))
					changed |= lower_call(w, i, LLVMGetCalledValue(i));
			}
	return changed;
}
