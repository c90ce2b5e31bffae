/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// LINK: driver amdgpu base
/* Proves how diagnostics of several passes are joined: equal ones once, with their notes; all of one
 * pass; colour and counts do not matter; what is no diagnostic is never lost. */
#include "lang/driver/driver.h"

#include <stdlib.h>
#include <string.h>

static void
is(const char *a, const char *b, const char *want)
{
	struct buf texts[2] = {{(u8 *)(uintptr_t)a, strlen(a), 0, false},
		{(u8 *)(uintptr_t)b, strlen(b), 0, false}};
	char *got = NULL;
	size_t n;
	FILE *f = open_memstream(&got, &n);
	report_print(f, texts, 2);
	fclose(f);
	if (strcmp(got, want) != 0) {
		fprintf(stderr, "got\n%s---\nnot\n%s---\n", got, want);
		exit(1);
	}
	free(got);
}

#define E1 "a.cu:1:2: error: one\n    1 | x\n      | ^\n"
#define N1 "a.cu:9:9: note: seen from here\n"
#define E2 "a.cu:2:2: error: two\n"
#define IN "In file included from b.cu:1:\nIn file included from c.h:2:\n"

int
main(void)
{
	is("", "", "");
	is(E1, E1, E1);
	is(E1 N1 E2, E1 N1 E2, E1 N1 E2);
	is(E1 N1, E2 E1 N1, E1 N1 E2);
	/* One place, two instantiations in one pass: both stay. */
	is(E1 N1 E1, E1 N1 E1, E1 N1 E1);
	/* The way to a header belongs to its diagnostic. */
	is(IN E1 E2, IN E1 E2, IN E1 E2);
	is(E1, IN E1 E2, E1 E2);
	is(IN E1 IN E2, IN E2, IN E1 IN E2);
	/* Counts of one pass are noise, in the middle too. */
	is(E1 "1 error generated when compiling for gfx1100.\n",
		E1 "1 error generated when compiling for host.\n", E1);
	is(E1 "2 warnings and 1 error generated.\nld: odd text\n", "", E1 "ld: odd text\n");
	/* What is no diagnostic is printed, even twice. */
	is("ld.lld: odd\n", "ld.lld: odd\n", "ld.lld: odd\nld.lld: odd\n");
	is("no newline", "", "no newline");
	is("", "\033[1ma.cu:1:2: \033[31merror: \033[0mone\n",
		"\033[1ma.cu:1:2: \033[31merror: \033[0mone\n");
	is("a.cu:1:2: error: one\n", "\033[1ma.cu:1:2: \033[31merror: \033[0mone\n",
		"a.cu:1:2: error: one\n");
	is("error: unable to open output\n", "error: unable to open output\n",
		"error: unable to open output\n");
	/* Source lines that look like one are indented by clang. */
	is("a.cu:1:1: warning: w\n    1 | x error: y\n",
		"a.cu:1:1: warning: w\n    1 | x error: y\n",
		"a.cu:1:1: warning: w\n    1 | x error: y\n");
	return 0;
}
