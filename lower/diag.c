/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * diag.c - reports to the user at a source line. Clang gives each inline asm one cookie a line of its
 * text (!srcloc): the place where that line starts, which in "a;\n\t" "b;" is the tab at the end of the
 * first literal. sema-ext, where it is in the same process, knows where the line's first word is.
 * Other instructions have a debug location.
 */
#include "lower/low.h"
#include <dlfcn.h>
#include <stdio.h>

/* sema-ext: raw location of the first word in line `line` of the asm text whose first literal is at
 * `cookie`, 0 when it cannot tell. */
typedef u64 asm_line_fn(u64 cookie, unsigned line);

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

static u64
cookie_get(LLVMValueRef md)
{
	return md && LLVMIsAConstantInt(md) ? LLVMConstIntGetZExtValue(md) : 0;
}

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
	asm_line_fn *asm_line = (asm_line_fn *)(uintptr_t)dlsym(RTLD_DEFAULT, "heddle_asm_line");
	u64 first = cookie_get(ops[0]), exact = asm_line && first ? asm_line(first, line) : 0;
	return exact ? exact : cookie_get(ops[line < n ? line : 0]);
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
