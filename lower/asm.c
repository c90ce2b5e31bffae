/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * asm.c - inline assembly of device code. A text without instructions is a barrier for the optimiser
 * and stays, its operands in vector registers. AMDGCN assembly, told by its constraints or by its first
 * mnemonic, is the backend's. All else is PTX: what ptx/ lowers is replaced by IR, what it cannot is an
 * error at its source line. Nothing is dropped silently.
 */
#include "lower/low.h"
#include "lower/ptx/ptx.h"
#include <string.h>

/* The IR letter of a register operand: PTX's go to VGPRs. */
static char
amd_letter(char c)
{
	switch (c) {
#define CONSTRAINT(letter, bits, meaning) case letter:
#include "lang/constraint.def"
#undef CONSTRAINT
	case 'r':
		return 'v';
	default:
		return c;
	}
}

/* One operand's constraint, "=&r" or "0" or "~{memory}", in AMD's letters. */
static void
add_constraint(struct buf *out, struct str c)
{
	size_t at = 0;

	if (str_starts(c, "~{")) {
		buf_add(out, c.p, c.n);
		return;
	}
	while (at < c.n && strchr("=+&*%!", c.p[at]))
		at++;
	buf_add(out, c.p, at);
	for (size_t i = at; i < c.n; i++)
		if (amd_letter(c.p[i]) == 'v') { /* any of several choices will do: take the register */
			buf_add(out, "v", 1);
			return;
		}
	buf_add(out, c.p + at, c.n - at);
}

static void
keep_barrier(LLVMValueRef call, LLVMValueRef callee)
{
	struct buf to = {0};
	struct str from = {0};

	from.p = LLVMGetInlineAsmConstraintString(callee, &from.n);
	for (bool first = true; from.n; first = false) {
		if (!first)
			buf_add(&to, ",", 1);
		add_constraint(&to, str_split(&from, ','));
	}
	assert(!to.failed);
	LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1,
		LLVMGetInlineAsm(LLVMGetInlineAsmFunctionType(callee), "", 0, (const char *)to.p, to.n,
			LLVMGetInlineAsmHasSideEffects(callee), 0, LLVMInlineAsmDialectATT, 0));
	buf_free(&to);
}

/* True when the text is AMDGCN's: a constraint that only AMD has, or a mnemonic of its kinds. */
static bool
is_amd(struct str text, struct str constraints)
{
	static const char *const kinds[] = {"s_", "v_", "ds_", "global_", "flat_", "buffer_", "scratch_",
		"image_", "tbuffer_"};

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

static bool
lower_call(struct low *w, LLVMValueRef call, LLVMValueRef callee)
{
	struct str text = {0}, constraints = {0};

	text.p = LLVMGetInlineAsmAsmString(callee, &text.n);
	constraints.p = LLVMGetInlineAsmConstraintString(callee, &constraints.n);
	if (LLVMIsACallBrInst(call)) {
		low_report(w, call, 0, LOW_DIAG_asm_goto);
		return false;
	}
	if (ptx_is_blank(text)) {
		keep_barrier(call, callee);
		return true;
	}
	if (is_amd(text, constraints))
		return false;
	ptx_lower(w, call, text);
	return true;
}

bool
low_asm(struct low *w)
{
	bool changed = false;

	LOW_EACH_FN(w->m, f)
		LOW_EACH_BLOCK(f, b)
			LOW_EACH_INST(b, i) {
				LLVMOpcode op = LLVMGetInstructionOpcode(i);

				if (op != LLVMCall && op != LLVMInvoke && op != LLVMCallBr)
					continue;
				if (LLVMIsAInlineAsm(LLVMGetCalledValue(i)))
					changed |= lower_call(w, i, LLVMGetCalledValue(i));
			}
	return changed;
}
