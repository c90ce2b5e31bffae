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
	mem = LLVMCreateMemoryBufferWithMemoryRangeCopy(
		(const char *)text.p, text.n - 1, "warp_body.def");
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

/* The function of row `i`, if the module declares it. */
static LLVMValueRef
declared(struct low *w, size_t i)
{
	char name[64];
	LLVMValueRef f;

	snprintf(name, sizeof(name), PREFIX "%s", rows[i].name);
	f = LLVMGetNamedFunction(w->m, name);
	return f && LLVMIsDeclaration(f) ? f : NULL;
}

/* A declaration of another type than the table's would read its operands wrongly. */
static bool
check_types(struct low *w, LLVMModuleRef ops)
{
	for (size_t i = 0; i < COUNT(rows); i++) {
		LLVMValueRef f = declared(w, i),
			     op = f ? LLVMGetNamedFunction(ops, low_name(f).p) : NULL;

		assert(!f || op); /* tests/unit/lower_warp.c: each row has a body */
		if (f && LLVMGlobalGetValueType(op) != LLVMGlobalGetValueType(f))
			low_report(w, NULL, 0, LOW_DIAG_warp_signature, low_name(f).p);
	}
	return w->errors == 0;
}

bool
low_warp(struct low *w)
{
	LLVMValueRef used[COUNT(rows)];
	LLVMModuleRef ops;
	bool any = false;

	for (size_t i = 0; i < COUNT(rows); i++) {
		used[i] = declared(w, i);
		any |= used[i] != NULL;
	}
	if (!any)
		return false;
	ops = parse(w, w->target->wave);
	if (!ops)
		return false;
	if (!check_types(w, ops)) {
		LLVMDisposeModule(ops);
		return false;
	}
	if (!shim_link_needed(w->m, ops)) {
		low_report(w, NULL, 0, LOW_DIAG_internal, "cannot link the operations of a warp");
		return false;
	}
	for (size_t i = 0; i < COUNT(rows); i++) {
		char name[64];

		if (!used[i])
			continue;
		snprintf(name, sizeof(name), PREFIX "%s", rows[i].name);
		LLVMSetLinkage(LLVMGetNamedFunction(w->m, name), LLVMInternalLinkage);
		LLVMSetVisibility(LLVMGetNamedFunction(w->m, name), LLVMDefaultVisibility);
	}
	return true;
}
