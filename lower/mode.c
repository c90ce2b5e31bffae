/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * mode.c - the warp mode that a program asks for. sema-ext gives such a kernel the annotation
 * "heddle-warp:MODE WHY"; the function's attribute "heddle-warp"="MODE WHY" takes it past the optimiser
 * to the passes that obey it. The annotations themselves, which only name places in the source, stay.
 */
#include "lower/low.h"
#include <string.h>

/* The text of a constant C string. */
static struct str
text_of(LLVMValueRef v)
{
	struct str s = {0};
	LLVMValueRef init;

	while (LLVMIsAConstantExpr(v))
		v = LLVMGetOperand(v, 0);
	init = LLVMIsAGlobalVariable(v) ? LLVMGetInitializer(v) : NULL;
	if (init && LLVMIsAConstantDataSequential(init) && LLVMIsConstantString(init)) {
		s.p = LLVMGetAsString(init, &s.n);
		s.n -= s.n && s.p[s.n - 1] == 0;
	}
	return s;
}

bool
low_mode(struct low *w)
{
	static const char prefix[] = HEDDLE_WARP_ANNOTATION;
	LLVMValueRef list = LLVMGetNamedGlobal(w->m, "llvm.global.annotations");
	LLVMValueRef all = list ? LLVMGetInitializer(list) : NULL;
	bool changed = false;

	for (int i = 0; all && LLVMIsAConstantArray(all) && i < LLVMGetNumOperands(all); i++) {
		LLVMValueRef one = LLVMGetOperand(all, (unsigned)i), fn = LLVMGetOperand(one, 0);
		struct str text = text_of(LLVMGetOperand(one, 1));

		while (LLVMIsAConstantExpr(fn))
			fn = LLVMGetOperand(fn, 0);
		if (!LLVMIsAFunction(fn) || !low_is_kernel(fn) || !str_starts(text, prefix))
			continue;
		text.p += sizeof(prefix) - 1;
		text.n -= sizeof(prefix) - 1;
		low_attr_set(w, fn, "heddle-warp", text);
		changed = true;
	}
	return changed;
}
