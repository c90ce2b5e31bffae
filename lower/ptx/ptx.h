/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * ptx.h - inline PTX: text to tokens (lex.re) and statements (parse.c); emit.c makes IR of them. Texts
 * come from LLVM's inline asm, where operand 0 is written $0 and a dollar sign $$.
 */
#ifndef HEDDLE_PTX_H
#define HEDDLE_PTX_H

#include "lang/base.h"

/* True when the text has no statement: blanks, comments, braces and semicolons only. */
bool ptx_is_blank(struct str text);

enum ptx_token {
	PTX_END,
	PTX_BAD,     /* a character that starts nothing */
	PTX_NAME,    /* opcode, register, label, directive: "mov.u32", "%laneid", ".reg" */
	PTX_OPERAND, /* $3, ${3} */
	PTX_NUMBER,
	PTX_STRING,
	PTX_PUNCT    /* one character */
};

struct ptx_lex {
	const char *p, *end; /* a NUL stands at `end` */
	unsigned line;       /* of the next token, from 0 */
	struct str text;     /* of the last token */
	unsigned text_line;
};
enum ptx_token ptx_next(struct ptx_lex *l);

/* A statement. Directives are statements whose op starts with '.'. */
struct ptx_inst {
	struct str op;       /* "mov.u32" */
	struct str guard;    /* "p" of "@p", empty without; `unless`: "@!p" */
	bool unless, label;  /* label: `op` is one */
	unsigned line;
	struct str args[16]; /* as written, blanks kept */
	size_t nargs;
};
/* Reads the next statement. 1: read, 0: the end, -1: not PTX, `*why` says so and inst->line where. */
int ptx_parse(struct ptx_lex *l, struct ptx_inst *inst, const char **why);

#endif
