/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * parse.c - statements of PTX. The grammar of a statement is one for all instructions:
 *   [label:] [@[!]guard] op [arg {, arg}] ;
 * An argument is kept as text; brackets of all kinds nest in it. Braces around statements are scopes
 * and are stepped over.
 */
#include "lower/ptx/ptx.h"

bool
ptx_is_blank(struct str text)
{
	struct ptx_lex l = {text.p, text.p + text.n, 0, {0}, 0};
	enum ptx_token t;

	while ((t = ptx_next(&l)) == PTX_PUNCT)
		if (*l.text.p != '{' && *l.text.p != '}' && *l.text.p != ';')
			return false;
	return t == PTX_END;
}

static bool
is_punct(const struct ptx_lex *l, enum ptx_token t, char c)
{
	return t == PTX_PUNCT && *l->text.p == c;
}

static int
fail(struct ptx_lex *l, struct ptx_inst *inst, const char **why, const char *text)
{
	inst->line = l->text_line;
	*why = text;
	return -1;
}

/* Arguments up to the semicolon; `t` is the first token after the opcode. */
static int
parse_args(struct ptx_lex *l, enum ptx_token t, struct ptx_inst *inst, const char **why)
{
	const char *start = NULL, *end = NULL;
	unsigned depth = 0;

	for (;; t = ptx_next(l)) {
		bool over = t == PTX_END ||
			    (depth == 0 && (is_punct(l, t, ';') || is_punct(l, t, '}')));

		if (over || (depth == 0 && is_punct(l, t, ','))) {
			if (start) {
				if (inst->nargs == COUNT(inst->args))
					return fail(l, inst, why, "too many operands");
				inst->args[inst->nargs++] =
					(struct str){start, (size_t)(end - start)};
			} else if (!over || inst->nargs) {
				return fail(l, inst, why, "an operand is missing");
			}
			start = NULL;
			if (t == PTX_END && depth)
				return fail(l, inst, why, "a bracket is not closed");
			if (over)
				return is_punct(l, t, ';')
					       ? 1
					       : fail(l, inst, why, "';' is missing at the end");
			continue;
		}
		if (t == PTX_BAD)
			return fail(l, inst, why, "a character that PTX does not have");
		if (t == PTX_PUNCT && (*l->text.p == '{' || *l->text.p == '[' || *l->text.p == '('))
			depth++;
		if (t == PTX_PUNCT &&
			(*l->text.p == '}' || *l->text.p == ']' || *l->text.p == ')') &&
			depth-- == 0)
			return fail(l, inst, why, "a bracket is closed that is not open");
		if (!start)
			start = l->text.p;
		end = l->text.p + l->text.n;
	}
}

int
ptx_parse(struct ptx_lex *l, struct ptx_inst *inst, const char **why)
{
	enum ptx_token t;

	*inst = (struct ptx_inst){0};
	do
		t = ptx_next(l);
	while (t == PTX_PUNCT && (*l->text.p == '{' || *l->text.p == '}' || *l->text.p == ';'));
	inst->line = l->text_line;
	if (t == PTX_END)
		return 0;
	if (is_punct(l, t, '@')) {
		t = ptx_next(l);
		inst->unless = is_punct(l, t, '!');
		if (inst->unless)
			t = ptx_next(l);
		if (t != PTX_NAME && t != PTX_OPERAND)
			return fail(l, inst, why, "a guard needs a predicate");
		inst->guard = l->text;
		t = ptx_next(l);
	}
	if (t != PTX_NAME)
		return fail(l, inst, why, "an instruction is expected");
	inst->op = l->text;
	t = ptx_next(l);
	if (is_punct(l, t, ':')) {
		inst->label = true;
		return 1;
	}
	return parse_args(l, t, inst, why);
}
