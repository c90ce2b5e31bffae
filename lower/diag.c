/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * diag.c - reports to the user at a source line. Clang gives each inline asm one cookie a line of its
 * text (!srcloc), which is exact; other instructions have a debug location.
 */
#include "lower/low.h"
#include <stdio.h>

static const struct {
	bool error;
	const char *text;
} diags[] = {
#define ERROR                    true
#define WARNING                  false
#define DIAG(id, severity, text) {severity, text},
#include "lower/diag.def"
#undef DIAG
#undef ERROR
#undef WARNING
};

/* The cookie of line `line` of an inline asm, that of its first line if there are fewer, 0 if none. */
static u64
cookie_of(struct low *w, LLVMValueRef at, unsigned line)
{
	LLVMValueRef md, *ops;
	unsigned n;

	if (!at || !LLVMIsACallInst(at))
		return 0;
	md = LLVMGetMetadata(at, LLVMGetMDKindIDInContext(w->cx, "srcloc", 6));
	n = md ? LLVMGetMDNodeNumOperands(md) : 0;
	ops = n ? ARENA_NEW(&w->arena, LLVMValueRef, n) : NULL;
	if (!ops)
		return 0;
	LLVMGetMDNodeOperands(md, ops);
	md = ops[line < n ? line : 0];
	return md && LLVMIsAConstantInt(md) ? LLVMConstIntGetZExtValue(md) : 0;
}

void
low_report(struct low *w, LLVMValueRef at, unsigned line, enum low_diag id, ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, id);
	vsnprintf(text, sizeof(text), diags[id].text, ap);
	va_end(ap);
	shim_diagnose(w->cx, at, cookie_of(w, at, line), text, diags[id].error);
	w->errors += diags[id].error;
}
