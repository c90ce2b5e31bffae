/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// LINK: lower base
/* Proves what the parser of inline PTX makes of its texts, good and bad, and that no text of random
 * bytes makes it loop or read past its end. */
#include "lower/ptx/ptx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Statements as "line:[@[!]guard ]op arg|arg;", an error as "line!why". */
static void
print(struct buf *out, const char *text)
{
	struct ptx_lex l = {text, text + strlen(text), 0, {0}, 0};
	struct ptx_inst i;
	const char *why = NULL;
	int got;

	while ((got = ptx_parse(&l, &i, &why)) > 0) {
		buf_printf(out, "%u:", i.line);
		if (i.guard.n)
			buf_printf(out, "@%s%.*s ", i.unless ? "!" : "", (int)i.guard.n, i.guard.p);
		buf_printf(out, "%.*s%s", (int)i.op.n, i.op.p, i.label ? ":" : "");
		for (size_t k = 0; k < i.nargs; k++)
			buf_printf(out, "%s%.*s", k ? "|" : " ", (int)i.args[k].n, i.args[k].p);
		buf_printf(out, ";");
	}
	if (got < 0)
		buf_printf(out, "%u!%s", i.line, why);
	buf_add(out, "", 1);
}

static const struct {
	const char *text, *want;
} cases[] = {
	{"", ""},
	{" { ; } // all blank\n/* or\n so */", ""},
	{"mov.u32 $0, %laneid;", "0:mov.u32 $0|%laneid;"},
	{"add.s32 $0,$1 , -3;\nret;", "0:add.s32 $0|$1|-3;1:ret;"},
	{"{\n.reg .pred p;\n@!p bra.uni L;\nL:\n}", "1:.reg .pred p;2:@!p bra.uni L;3:L:;"},
	{"@$0 ld.global.v2.f32 {$1, $2}, [$3+16];", "0:@$0 ld.global.v2.f32 {$1, $2}|[$3+16];"},
	{"cp.async.cg.shared.global.L2::128B [${0:h}], [$1], 16;",
		"0:cp.async.cg.shared.global.L2::128B [${0:h}]|[$1]|16;"},
	{"mov.b32 $0, {a,b}; // x\n mov.f32 $1, 0f3F800000;",
		"0:mov.b32 $0|{a,b};1:mov.f32 $1|0f3F800000;"},
	{"foo", "0!';' is missing at the end"},
	{"\nfoo $0, ;", "1!an operand is missing"},
	{"foo , $0;", "0!an operand is missing"},
	{"foo [$0;", "0!a bracket is not closed"},
	{"foo $0];", "0!a bracket is closed that is not open"},
	{"foo $0 ^ $1;", "0!a character that PTX does not have"},
	{"@ , foo;", "0!a guard needs a predicate"},
	{"12 foo;", "0!an instruction is expected"},
	{"/* open", "0!an instruction is expected"},
	{"foo 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16;", "0!too many operands"},
};

int
main(void)
{
	int bad = 0;

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct buf out = {0};

		print(&out, cases[i].text);
		if (strcmp((char *)out.p, cases[i].want) != 0) {
			fprintf(stderr, "%s\n  gives %s\n  not   %s\n", cases[i].text, out.p,
				cases[i].want);
			bad = 1;
		}
		if (ptx_is_blank(str_of(cases[i].text)) != (cases[i].want[0] == 0))
			bad = 1;
		buf_free(&out);
	}
	srand(3);
	for (int round = 0; round < 200000; round++) {
		static const char letters[] = "ab.$%{}[](),;:@!0 \n/*\"_+-^~";
		char *text = malloc(24); /* exact size: a sanitizer sees each step past the end */
		size_t n = (size_t)rand() % 23;
		struct buf out = {0};

		for (size_t i = 0; i < n; i++)
			text[i] = letters[(size_t)rand() % (sizeof(letters) - 1)];
		memset(text + n, 0, 24 - n);
		print(&out, text);
		(void)ptx_is_blank(str_of(text));
		buf_free(&out);
		free(text);
	}
	return bad;
}
