/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * emit.c - makes LLVM IR of straight-line inline PTX by the rows of op.def. A text is looked at as a
 * whole first: when one of its statements has no row, has a guard or an operand that is not understood,
 * every such statement is reported, and nothing is made of it.
 *
 * Operands $0 … are the asm's outputs, then its inputs. An output holds the value of its tied input
 * until the text writes it. Warp operations become calls of lang/warp.def's functions, which the pass
 * `warp` replaces.
 */
#include "lower/low.h"
#include "lower/ptx/ptx.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64, STATEMENTS = 64 };

struct env {
	struct low *w;
	LLVMValueRef call;
	LLVMBuilderRef b;
	LLVMTypeRef i32;
	LLVMTypeRef type[MOST];   /* of operand k */
	LLVMValueRef value[MOST]; /* NULL: an output that is not written yet */
	unsigned nout, n;
};

struct op {
	const char *text;
	unsigned args;
	void (*emit)(struct env *e, const struct ptx_inst *i, const char *how);
	const char *how;
};
struct sreg {
	const char *text;
	unsigned bits;
	LLVMValueRef (*emit)(struct env *e, const char *how);
	const char *how;
};

/* --- operands ------------------------------------------------------------------------------------- */

/* Number of operand "$3" or "${3}", MOST when it is none. */
static unsigned
operand(struct str s)
{
	unsigned n = 0;
	size_t at = s.n > 1 && s.p[1] == '{' ? 2 : 1;

	if (s.n < 2 || s.p[0] != '$' || s.p[at] < '0' || s.p[at] > '9')
		return MOST;
	for (; at < s.n && s.p[at] >= '0' && s.p[at] <= '9'; at++)
		n = n * 10 + (unsigned)(s.p[at] - '0');
	return n < MOST && (at == s.n || (s.p[at] == '}' && at + 1 == s.n)) ? n : MOST;
}

static bool
number(struct str s, u64 *value)
{
	char text[32], *end;

	if (s.n == 0 || s.n >= sizeof(text))
		return false;
	memcpy(text, s.p, s.n);
	text[s.n] = 0;
	if (text[0] == '0' &&
		(text[1] == 'f' || text[1] == 'F' || text[1] == 'd' || text[1] == 'D'))
		return false; /* a floating-point constant */
	*value = text[0] == '-' ? (u64)strtoll(text, &end, 0) : strtoull(text, &end, 0);
	if (*end == 'U')
		end++;
	return end != text && *end == 0;
}

static unsigned
width(LLVMTypeRef t)
{
	switch (LLVMGetTypeKind(t)) {
	case LLVMIntegerTypeKind:
		return LLVMGetIntTypeWidth(t);
	case LLVMHalfTypeKind:
		return 16;
	case LLVMFloatTypeKind:
		return 32;
	case LLVMDoubleTypeKind:
		return 64;
	case LLVMPointerTypeKind:
		return LLVMGetPointerAddressSpace(t) <= 1 ? 64 : 32;
	default:
		return 0;
	}
}

static LLVMTypeRef
int_type(struct env *e, unsigned bits)
{
	return LLVMIntTypeInContext(e->w->cx, bits);
}

/* `v` as an integer of its own width. */
static LLVMValueRef
as_int(struct env *e, LLVMValueRef v)
{
	LLVMTypeRef t = LLVMTypeOf(v);

	if (LLVMGetTypeKind(t) == LLVMPointerTypeKind)
		return LLVMBuildPtrToInt(e->b, v, int_type(e, width(t)), "");
	return LLVMBuildBitCast(e->b, v, int_type(e, width(t)), "");
}

static LLVMValueRef sreg_read(struct env *e, struct str name, unsigned bits);

/* The value of a source operand that `check` has let through. */
static LLVMValueRef
read_operand(struct env *e, struct str s, unsigned bits)
{
	unsigned k = operand(s);
	u64 n;

	if (k < e->n)
		return e->value[k] ? as_int(e, e->value[k]) : LLVMGetPoison(int_type(e, bits));
	if (number(s, &n))
		return LLVMConstInt(int_type(e, bits), n, 0);
	return sreg_read(e, s, bits);
}

static void
write_operand(struct env *e, struct str s, LLVMValueRef v)
{
	unsigned k = operand(s);

	if (LLVMGetTypeKind(e->type[k]) == LLVMPointerTypeKind)
		e->value[k] = LLVMBuildIntToPtr(e->b, v, e->type[k], "");
	else
		e->value[k] = LLVMBuildBitCast(e->b, v, e->type[k], "");
}

/* --- what instructions become --------------------------------------------------------------------- */

static LLVMValueRef
call_named(struct env *e, const char *name, LLVMTypeRef result, LLVMValueRef *args, unsigned n)
{
	LLVMTypeRef types[8], type;
	LLVMValueRef fn, call;

	for (unsigned i = 0; i < n; i++)
		types[i] = LLVMTypeOf(args[i]);
	type = LLVMFunctionType(result, types, n, 0);
	fn = LLVMGetNamedFunction(e->w->m, name);
	if (!fn) {
		fn = LLVMAddFunction(e->w->m, name, type);
		if (strncmp(name, "llvm.", 5) != 0)
			low_attr_add(e->w, fn, "convergent");
	}
	call = LLVMBuildCall2(e->b, type, fn, args, n, "");
	return call;
}

static LLVMValueRef
call_warp(struct env *e, const char *row, bool returns, LLVMValueRef *args, unsigned n)
{
	char name[64];

	snprintf(name, sizeof(name), "__heddle_%s", row);
	return call_named(e, name, returns ? e->i32 : LLVMVoidTypeInContext(e->w->cx), args, n);
}

static void
emit_mov(struct env *e, const struct ptx_inst *i, const char *how)
{
	write_operand(e, i->args[0], read_operand(e, i->args[1], (unsigned)atoi(how)));
}

static void
emit_fence(struct env *e, const struct ptx_inst *i, const char *how)
{
	(void)i;
	LLVMBuildFenceSyncScope(e->b, LLVMAtomicOrderingSequentiallyConsistent,
		LLVMGetSyncScopeID(e->w->cx, how, strlen(how)), "");
}

static void
emit_barrier(struct env *e, const struct ptx_inst *i, const char *how)
{
	(void)i; /* barrier 0: check() has seen to it */
	call_warp(e, how, false, NULL, 0);
}

static void
emit_warp(struct env *e, const struct ptx_inst *i, const char *how)
{
	LLVMValueRef mask = read_operand(e, i->args[0], 32);

	call_warp(e, how, false, &mask, 1);
}

static void
emit_value(struct env *e, const struct ptx_inst *i, const char *how)
{
	write_operand(e, i->args[0], call_warp(e, how, true, NULL, 0));
}

static void
emit_shfl(struct env *e, const struct ptx_inst *i, const char *how)
{
	LLVMValueRef a = read_operand(e, i->args[1], 32), b = read_operand(e, i->args[2], 32),
		     c = read_operand(e, i->args[3], 32), mask = read_operand(e, i->args[4], 32);
	LLVMValueRef args[] = {mask, a, b, c};

	write_operand(e, i->args[0], call_warp(e, how, true, args, 4));
}

/* nanosleep may wake at any time up to twice its argument: one short sleep. */
static void
emit_sleep(struct env *e, const struct ptx_inst *i, const char *how)
{
	LLVMValueRef one = LLVMConstInt(e->i32, 1, 0);

	(void)i;
	call_named(e, how, LLVMVoidTypeInContext(e->w->cx), &one, 1);
}

static void
emit_trap(struct env *e, const struct ptx_inst *i, const char *how)
{
	(void)i;
	call_named(e, how, LLVMVoidTypeInContext(e->w->cx), NULL, 0);
}

static LLVMValueRef
sreg_warp(struct env *e, const char *how)
{
	return call_warp(e, how, true, NULL, 0);
}

static LLVMValueRef
sreg_mask(struct env *e, const char *how)
{
	LLVMValueRef one = LLVMConstInt(e->i32, 1, 0);
	LLVMValueRef eq = LLVMBuildShl(e->b, one, call_warp(e, "lane_id", true, NULL, 0), "");
	LLVMValueRef lt = LLVMBuildSub(e->b, eq, one, "");

	if (strcmp(how, "eq") == 0)
		return eq;
	if (strcmp(how, "lt") == 0)
		return lt;
	if (strcmp(how, "ge") == 0)
		return LLVMBuildNot(e->b, lt, "");
	eq = LLVMBuildOr(e->b, lt, eq, "");
	return strcmp(how, "le") == 0 ? eq : LLVMBuildNot(e->b, eq, "");
}

/* GFX11 counts cycles in 20 bits only: there it is the constant clock of 100 MHz in steps of 24, as
 * clock64() of the headers. */
static LLVMValueRef
sreg_clock(struct env *e, const char *how)
{
	LLVMTypeRef type = int_type(e, 64);

	if (e->w->target->major != 11)
		return call_named(e, how, type, NULL, 0);
	return LLVMBuildMul(e->b, call_named(e, "llvm.readsteadycounter", type, NULL, 0),
		LLVMConstInt(type, 24, 0), "");
}

static LLVMValueRef
sreg_id(struct env *e, const char *how)
{
	return call_named(e, how, e->i32, NULL, 0);
}

static const struct op ops[] = {
#define OP(text, args, emit, how) {text, args, emit_##emit, how},
#include "lower/ptx/op.def"
};
static const struct sreg sregs[] = {
#define SREG(text, bits, emit, how) {text, bits, sreg_##emit, how},
#include "lower/ptx/op.def"
};

static const struct op *
op_find(struct str text)
{
	for (size_t i = 0; i < COUNT(ops); i++)
		if (str_is(text, ops[i].text))
			return &ops[i];
	return NULL;
}

static const struct sreg *
sreg_find(struct str text)
{
	for (size_t i = 0; i < COUNT(sregs); i++)
		if (str_is(text, sregs[i].text))
			return &sregs[i];
	return NULL;
}

static LLVMValueRef
sreg_read(struct env *e, struct str name, unsigned bits)
{
	const struct sreg *r = sreg_find(name);

	/* %clock is the low half of %clock64 */
	return LLVMBuildIntCast2(e->b, r->emit(e, r->how), int_type(e, bits), 0, "");
}

/* --- checking ------------------------------------------------------------------------------------- */

/* Bits of the operands of `op`: all of its rows have one size. */
static unsigned
op_bits(const struct op *op)
{
	size_t n = strlen(op->text);

	return n > 2 && strcmp(op->text + n - 2, "64") == 0 ? 64 : 32;
}

static bool
is_writable(struct env *e, struct str s, unsigned bits)
{
	unsigned k = operand(s);

	return k < e->nout && width(e->type[k]) == bits;
}

static bool
is_readable(struct env *e, struct str s, unsigned bits)
{
	unsigned k = operand(s);
	const struct sreg *r = sreg_find(s);
	u64 n;

	return (k < e->n && width(e->type[k]) == bits) || (r && r->bits == bits) || number(s, &n);
}

/* How many of the first operands an instruction writes. */
static unsigned
written(const struct op *op)
{
	return op->emit == emit_mov || op->emit == emit_value || op->emit == emit_shfl;
}

static bool
check(struct env *e, const struct ptx_inst *i, const struct op *op)
{
	u64 n;

	if (!op || i->guard.n || i->label || i->nargs != op->args) {
		low_report(e->w, e->call, i->line, LOW_DIAG_asm_unsupported,
			i->label           ? "label"
			: *i->op.p == '.'  ? "directive"
			: i->guard.n && op ? "guard of"
					   : "instruction",
			(int)i->op.n, i->op.p);
		return false;
	}
	for (unsigned k = 0; k < op->args; k++) {
		bool good = k < written(op) ? is_writable(e, i->args[k], op_bits(op))
					    : is_readable(e, i->args[k], op_bits(op));

		if (op->emit == emit_barrier)
			good = number(i->args[k], &n) && n == 0; /* named barriers come later */
		if (good)
			continue;
		low_report(e->w, e->call, i->line, LOW_DIAG_asm_operand,
			operand(i->args[k]) < MOST ? "%" : "", /* $1 is LLVM's spelling */
			(int)i->args[k].n - (operand(i->args[k]) < MOST),
			i->args[k].p + (operand(i->args[k]) < MOST), op->text);
		return false;
	}
	return true;
}

/* Types and first values of the operands; false for memory operands and what else has no register. */
static bool
read_constraints(struct env *e)
{
	LLVMTypeRef type = LLVMTypeOf(e->call);
	struct str rest = {0};
	unsigned arg = 0;

	rest.p = LLVMGetInlineAsmConstraintString(LLVMGetCalledValue(e->call), &rest.n);
	while (rest.n) {
		struct str c = str_split(&rest, ',');

		if (str_starts(c, "~{"))
			continue;
		if (e->n == MOST || memchr(c.p, '*', c.n))
			return false;
		if (*c.p == '=') {
			e->type[e->n++] = LLVMGetTypeKind(type) == LLVMStructTypeKind
						  ? LLVMStructGetTypeAtIndex(type, e->nout)
						  : type;
			e->nout++;
		} else if (*c.p >= '0' && *c.p <= '9') { /* tied: counts as an operand, too */
			e->value[(unsigned)atoi(c.p)] = LLVMGetOperand(e->call, arg);
			e->type[e->n] = LLVMTypeOf(LLVMGetOperand(e->call, arg));
			e->value[e->n++] = LLVMGetOperand(e->call, arg++);
		} else {
			e->type[e->n] = LLVMTypeOf(LLVMGetOperand(e->call, arg));
			e->value[e->n++] = LLVMGetOperand(e->call, arg++);
		}
	}
	return true;
}

/* Reads all statements and checks them; the number of statements, or -1 after a report. */
static int
read_text(struct env *e, struct str text, struct ptx_inst *list)
{
	struct ptx_lex l = {text.p, text.p + text.n, 0, {0}, 0};
	const char *why;
	int n = 0, got;
	bool good = true;

	while ((got = ptx_parse(&l, &list[n], &why)) > 0) {
		good &= check(e, &list[n], op_find(list[n].op));
		if (good && ++n == STATEMENTS) {
			low_report(e->w, e->call, list[n - 1].line, LOW_DIAG_asm_syntax,
				"too long a text");
			return -1;
		}
	}
	if (got < 0)
		low_report(e->w, e->call, list[n].line, LOW_DIAG_asm_syntax, why);
	return got < 0 || !good ? -1 : n;
}

static LLVMValueRef
result(struct env *e)
{
	LLVMTypeRef type = LLVMTypeOf(e->call);
	LLVMValueRef all = LLVMGetPoison(type);

	if (LLVMGetTypeKind(type) != LLVMStructTypeKind)
		return e->value[0] ? e->value[0] : all;
	for (unsigned k = 0; k < e->nout; k++)
		if (e->value[k])
			all = LLVMBuildInsertValue(e->b, all, e->value[k], k, "");
	return all;
}

void
low_ptx(struct low *w, LLVMValueRef call, struct str text)
{
	struct env e = {.w = w, .call = call, .i32 = LLVMInt32TypeInContext(w->cx)};
	struct ptx_inst *list = ARENA_NEW(&w->arena, struct ptx_inst, STATEMENTS + 1);
	int n = -1;

	assert(list);
	e.b = LLVMCreateBuilderInContext(w->cx);
	LLVMPositionBuilderBefore(e.b, call);
	if (read_constraints(&e))
		n = read_text(&e, text, list);
	else
		low_report(w, call, 0, LOW_DIAG_asm_memory);
	for (int i = 0; i < n; i++) {
		const struct op *op = op_find(list[i].op);

		op->emit(&e, &list[i], op->how);
	}
	if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind)
		LLVMReplaceAllUsesWith(call, n < 0 ? LLVMGetPoison(LLVMTypeOf(call)) : result(&e));
	LLVMInstructionEraseFromParent(call);
	LLVMDisposeBuilder(e.b);
}
