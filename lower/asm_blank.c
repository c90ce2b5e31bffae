/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * asm_blank.c - inline asm without instructions: `asm volatile("" : "+r"(x) :: "memory")` keeps the
 * optimiser from seeing through. The call is built again in what AMDGCN's backend takes: every value in
 * a VGPR of at least 16 bits, memory operands as their addresses with a clobber of all memory.
 */
#include "lower/low.h"
#include <stdio.h>
#include <string.h>

enum { MOST = 64 }; /* operands of an asm; clang allows 30 */

struct blank {
	struct low *w;
	LLVMValueRef call;
	LLVMBuilderRef b;
	struct buf outs, ins, clobbers;           /* constraints, comma before each */
	LLVMTypeRef out_types[MOST], in_types[MOST];
	LLVMValueRef in_values[MOST];
	unsigned nouts, nins;
	unsigned direct[MOST], nall;              /* output as written -> its number here */
	unsigned arg;        /* next argument of the old call */
	bool memory;
};

/* The type in which a value of `t` can live in a VGPR. */
static LLVMTypeRef
wide(struct blank *k, LLVMTypeRef t)
{
	if (LLVMGetTypeKind(t) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(t) < 16)
		return LLVMInt32TypeInContext(k->w->cx);
	return t;
}

static void
add_input(struct blank *k, const char *constraint, size_t n, LLVMValueRef v)
{
	LLVMTypeRef from = LLVMTypeOf(v), to = wide(k, from);

	assert(k->nins < MOST);
	buf_add(&k->ins, ",", 1);
	buf_add(&k->ins, constraint, n);
	k->in_types[k->nins] = to;
	k->in_values[k->nins++] = from == to ? v : LLVMBuildZExt(k->b, v, to, "");
}

static LLVMTypeRef
output_type(struct blank *k, unsigned i)
{
	LLVMTypeRef t = LLVMTypeOf(k->call);

	return LLVMGetTypeKind(t) == LLVMStructTypeKind ? LLVMStructGetTypeAtIndex(t, i) : t;
}

static bool
has(struct str c, char letter)
{
	return c.n && memchr(c.p, letter, c.n);
}

static void
add_operand(struct blank *k, struct str c)
{
	if (str_starts(c, "~{")) {
		buf_add(&k->clobbers, ",", 1);
		buf_add(&k->clobbers, c.p, c.n);
	} else if (*c.p == '=' && !has(c, '*')) {
		assert(k->nouts < MOST && k->nall < MOST);
		buf_printf(&k->outs, ",=%sv", has(c, '&') ? "&" : "");
		k->out_types[k->nouts] = wide(k, output_type(k, k->nouts));
		k->direct[k->nall++] = k->nouts++;
	} else if (has(c, '*')) {
		if (*c.p == '=' && k->nall < MOST)
			k->direct[k->nall++] = 0; /* cannot be tied to */
		k->memory = true;
		add_input(k, "v", 1, LLVMGetOperand(k->call, k->arg++));
	} else if (*c.p >= '0' && *c.p <= '9') {
		char tied[16];
		unsigned to = 0;

		for (size_t i = 0; i < c.n; i++)
			to = to * 10 + (unsigned)(c.p[i] - '0');
		assert(to < k->nall);
		int n = snprintf(tied, sizeof(tied), "%u", k->direct[to]);
		add_input(k, tied, (size_t)n, LLVMGetOperand(k->call, k->arg++));
	} else if (LLVMIsConstant(LLVMGetOperand(k->call, k->arg)) &&
		   (has(c, 'i') || has(c, 'n'))) {
		add_input(k, "i", 1, LLVMGetOperand(k->call, k->arg++));
	} else {
		add_input(k, "v", 1, LLVMGetOperand(k->call, k->arg++));
	}
}

static LLVMTypeRef
result_type(struct blank *k)
{
	if (k->nouts == 0)
		return LLVMVoidTypeInContext(k->w->cx);
	if (k->nouts == 1)
		return k->out_types[0];
	return LLVMStructTypeInContext(k->w->cx, k->out_types, k->nouts, 0);
}

static LLVMValueRef
build_call(struct blank *k)
{
	LLVMValueRef old = LLVMGetCalledValue(k->call), made, now;
	LLVMTypeRef type = LLVMFunctionType(result_type(k), k->in_types, k->nins, 0);
	struct buf all = {0};
	size_t skip;

	buf_add(&all, k->outs.p, k->outs.n);
	buf_add(&all, k->ins.p, k->ins.n);
	buf_add(&all, k->clobbers.p, k->clobbers.n);
	if (k->memory && !(k->clobbers.n && memmem(k->clobbers.p, k->clobbers.n, "{memory}", 8)))
		buf_add(&all, ",~{memory}", 10);
	assert(!all.failed);
	skip = all.n > 0; /* the first comma */
	made = LLVMGetInlineAsm(type, "", 0, all.n ? (const char *)all.p + skip : "", all.n - skip,
		LLVMGetInlineAsmHasSideEffects(old), 0, LLVMInlineAsmDialectATT, 0);
	buf_free(&all);
	now = LLVMBuildCall2(k->b, type, made, k->in_values, k->nins, "");
	return now;
}

/* What is known of the old call's effects holds for the new one, unless it got an address. */
static void
copy_attributes(struct blank *k, LLVMValueRef now)
{
	unsigned n = LLVMGetCallSiteAttributeCount(k->call, LLVMAttributeFunctionIndex);
	LLVMAttributeRef *all = ARENA_NEW(&k->w->arena, LLVMAttributeRef, n + 1);

	if (k->memory || !all)
		return;
	LLVMGetCallSiteAttributes(k->call, LLVMAttributeFunctionIndex, all);
	for (unsigned i = 0; i < n; i++)
		LLVMAddCallSiteAttribute(now, LLVMAttributeFunctionIndex, all[i]);
}

static LLVMValueRef
narrow(struct blank *k, LLVMValueRef v, LLVMTypeRef to)
{
	return LLVMTypeOf(v) == to ? v : LLVMBuildTrunc(k->b, v, to, "");
}

static void
replace_results(struct blank *k, LLVMValueRef now)
{
	LLVMTypeRef was = LLVMTypeOf(k->call);
	LLVMValueRef all;

	if (k->nouts == 0)
		return;
	if (k->nouts == 1) {
		LLVMReplaceAllUsesWith(k->call, narrow(k, now, was));
		return;
	}
	all = LLVMGetPoison(was);
	for (unsigned i = 0; i < k->nouts; i++)
		all = LLVMBuildInsertValue(k->b, all,
			narrow(k, LLVMBuildExtractValue(k->b, now, i, ""),
				LLVMStructGetTypeAtIndex(was, i)),
			i, "");
	LLVMReplaceAllUsesWith(k->call, all);
}

void
low_asm_blank(struct low *w, LLVMValueRef call)
{
	struct blank k = {.w = w, .call = call, .b = LLVMCreateBuilderInContext(w->cx)};
	struct str list = {0};
	LLVMValueRef now;

	list.p = LLVMGetInlineAsmConstraintString(LLVMGetCalledValue(call), &list.n);
	LLVMPositionBuilderBefore(k.b, call);
	while (list.n)
		add_operand(&k, str_split(&list, ','));
	now = build_call(&k);
	copy_attributes(&k, now);
	replace_results(&k, now);
	LLVMInstructionEraseFromParent(call);
	LLVMDisposeBuilder(k.b);
	buf_free(&k.outs);
	buf_free(&k.ins);
	buf_free(&k.clobbers);
}
