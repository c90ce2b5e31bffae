/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lower/low.h"
#include "lower/ptx/ptx.h"

void
low_ptx(struct low *w, LLVMValueRef call, struct str text)
{
	struct ptx_lex l = {text.p, text.p + text.n, 0, {0}, 0};
	struct ptx_inst inst;
	const char *why;
	int got;

	while ((got = ptx_parse(&l, &inst, &why)) > 0)
		low_report(w, call, inst.line, LOW_DIAG_asm_unsupported,
			inst.label ? "label" : *inst.op.p == '.' ? "directive" : "instruction",
			(int)inst.op.n, inst.op.p);
	if (got < 0)
		low_report(w, call, inst.line, LOW_DIAG_asm_syntax, why);
	if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind)
		LLVMReplaceAllUsesWith(call, LLVMGetPoison(LLVMTypeOf(call)));
	LLVMInstructionEraseFromParent(call);
}
