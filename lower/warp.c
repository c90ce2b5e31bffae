/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * warp.c - gives the functions `__heddle_NAME` of lang/warp.def, which headers and the device library
 * only declare, their bodies. warp_body.def holds them as IR text: a module is made of the helpers of
 * the wave size and of all bodies, and the linker takes from it what the program calls. The bodies are
 * inlined before anything else looks at them.
 */
#include "lower/low.h"
#include <llvm-c/IRReader.h>
#include <stdio.h>
#include <string.h>

#define PREFIX "__heddle_"

static const struct {
	const char *name, *result, *params;
} rows[] = {
#define WARP(name, result, params, section) {#name, #result, #params},
#include "lang/warp.def"
#undef WARP
};

static const struct {
	unsigned wave;
	const char *text;
} helpers[] = {
#define HELPER(wave, text) {wave, text},
#define BODY(name, text)
#include "lower/warp_body.def"
#undef BODY
#undef HELPER
};

static const struct {
	const char *name, *text;
} bodies[] = {
#define HELPER(wave, text)
#define BODY(name, text) {#name, text},
#include "lower/warp_body.def"
#undef BODY
#undef HELPER
};

/* "(unsigned mask, int predicate)" to "i32 %mask, i32 %predicate". */
static void
add_params(struct buf *out, const char *c_params)
{
	struct str rest = {c_params + 1, strlen(c_params) - 2};
	const char *sep = "";

	if (str_is(rest, "void"))
		return;
	while (rest.n) {
		struct str one = str_split(&rest, ',');
		size_t name = one.n;

		while (name > 0 && one.p[name - 1] != ' ')
			name--;
		buf_printf(out, "%si32 %%%.*s", sep, (int)(one.n - name), one.p + name);
		sep = ", ";
	}
}

static void
add_bodies(struct buf *out)
{
	for (size_t i = 0; i < COUNT(rows); i++)
		for (size_t j = 0; j < COUNT(bodies); j++) {
			if (strcmp(rows[i].name, bodies[j].name) != 0)
				continue;
			buf_printf(out, "define %s @" PREFIX "%s(",
				strcmp(rows[i].result, "void") == 0 ? "void" : "i32", rows[i].name);
			add_params(out, rows[i].params);
			buf_printf(out, ") #0 {\n%s}\n", bodies[j].text);
		}
}

/* All operations for waves of `wave` lanes as one module; NULL and a report when they do not parse. */
static LLVMModuleRef
parse(struct low *w, unsigned wave)
{
	struct buf text = {0};
	LLVMModuleRef m = NULL;
	LLVMMemoryBufferRef mem;
	char *message = NULL;
	const bool discard = LLVMContextShouldDiscardValueNames(w->cx); /* the parser needs names */

	buf_printf(&text, "target datalayout = \"%s\"\ntarget triple = \"%s\"\n",
		LLVMGetDataLayoutStr(w->m), LLVMGetTarget(w->m));
	for (size_t i = 0; i < COUNT(helpers); i++)
		if (helpers[i].wave == 0 || helpers[i].wave == wave)
			buf_printf(&text, "%s", helpers[i].text);
	add_bodies(&text);
	buf_printf(&text, "attributes #0 = { alwaysinline convergent nounwind }\n!0 = !{}\n");
	buf_add(&text, "", 1);
	assert(!text.failed);
	mem = LLVMCreateMemoryBufferWithMemoryRangeCopy((const char *)text.p, text.n - 1, "warp_body.def");
	LLVMContextSetDiscardValueNames(w->cx, 0);
	if (LLVMParseIRInContext(w->cx, mem, &m, &message)) {
		low_report(w, NULL, 0, LOW_DIAG_internal, message);
		LLVMDisposeMessage(message);
		m = NULL;
	}
	LLVMContextSetDiscardValueNames(w->cx, discard);
	buf_free(&text);
	return m;
}

/* True when the module calls an operation. One that is unknown, or declared with another type than in
 * the table, is an error: it would be left undefined, or read its operands wrongly. */
static bool
is_used(struct low *w, LLVMModuleRef ops)
{
	bool used = false;

	LOW_EACH_FN(w->m, f) {
		const char *name = low_name(f).p;
		LLVMValueRef op;

		if (!str_starts(low_name(f), PREFIX) || !LLVMIsDeclaration(f) || !LLVMGetFirstUse(f))
			continue;
		used = true;
		op = LLVMGetNamedFunction(ops, name);
		if (!op)
			low_report(w, NULL, 0, LOW_DIAG_warp_unknown, name);
		else if (LLVMGlobalGetValueType(op) != LLVMGlobalGetValueType(f))
			low_report(w, NULL, 0, LOW_DIAG_warp_signature, name);
	}
	return used;
}

static bool
any_declared(struct low *w)
{
	LOW_EACH_FN(w->m, f)
		if (LLVMIsDeclaration(f) && str_starts(low_name(f), PREFIX))
			return true;
	return false;
}

bool
low_warp(struct low *w)
{
	LLVMModuleRef ops;

	if (!any_declared(w))
		return false;
	ops = parse(w, w->target->wave);
	if (!ops)
		return false;
	if (!is_used(w, ops) || w->errors) {
		LLVMDisposeModule(ops);
		return false;
	}
	if (!shim_link_needed(w->m, ops)) {
		low_report(w, NULL, 0, LOW_DIAG_internal, "cannot link the operations of a warp");
		return false;
	}
	LOW_EACH_FN(w->m, f)
		if (str_starts(low_name(f), PREFIX) && !LLVMIsDeclaration(f)) {
			LLVMSetLinkage(f, LLVMInternalLinkage);
			LLVMSetVisibility(f, LLVMDefaultVisibility);
		}
	return true;
}
