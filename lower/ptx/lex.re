/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * lex.re - tokens of PTX as it stands in LLVM's inline asm (PTX ISA, "Syntax"). The text ends with a
 * NUL; a NUL before the end is a bad character.
 */
#include "lower/ptx/ptx.h"

enum ptx_token
ptx_next(struct ptx_lex *l)
{
	const char *YYCURSOR = l->p, *YYMARKER, *start;
	enum ptx_token kind;

again:
	start = YYCURSOR;
	l->text_line = l->line;
	/*!re2c
	re2c:yyfill:enable = 0;
	re2c:define:YYCTYPE = "unsigned char";

	digit = [0-9];
	word = [a-zA-Z0-9_];

	"\n"                             { l->line++; goto again; }
	[ \t\r\f\v]+                     { goto again; }
	"//" [^\n\x00]*                  { goto again; }
	"/*"                             { goto comment; }
	"$" digit+                       { kind = PTX_OPERAND; goto done; }
	"${" digit+ (":" word)? "}"      { kind = PTX_OPERAND; goto done; }
	("%" | "$$" | "_" | [a-zA-Z.]) (word | "$$" | "." | "::" | "${:uid}")* { kind = PTX_NAME; goto done; }
	digit (word | "." digit)*        { kind = PTX_NUMBER; goto done; }
	["] [^"\n\x00]* ["]              { kind = PTX_STRING; goto done; }
	[{}()[\],;:@!|+\-*<>=&~/]        { kind = PTX_PUNCT; goto done; }
	"\x00"                           { YYCURSOR = start; kind = start == l->end ? PTX_END : PTX_BAD; goto done; }
	*                                { kind = PTX_BAD; goto done; }
	*/
comment:
	/*!re2c
	"*/"                             { goto again; }
	"\n"                             { l->line++; goto comment; }
	"\x00"                           { YYCURSOR--; kind = PTX_BAD; goto done; }
	*                                { goto comment; }
	*/
done:
	l->p = YYCURSOR;
	l->text = (struct str){start, (size_t)(YYCURSOR - start)};
	return kind;
}
