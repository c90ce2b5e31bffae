/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// LINK: driver amdgpu base
/* Proves the quoting of the driver: shell words, nvcc's comma lists, and that a quoted word reads back. */
#include "lang/driver/driver.h"

#include <stdlib.h>
#include <string.h>

#define CHECK(x)                                                                                   \
	do {                                                                                       \
		if (!(x)) {                                                                        \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #x);                    \
			exit(1);                                                                   \
		}                                                                                  \
	} while (0)

/* Joins the words with '|', so that a test is one line. */
static void
is(struct arena *a, void (*cut)(struct arena *, struct str, words *), const char *text,
	const char *want)
{
	words w = {0};
	struct buf b = {0};
	cut(a, str_of(text), &w);
	for (size_t i = 0; i < w.n; i++)
		buf_printf(&b, "%s%s", i ? "|" : "", w.p[i]);
	buf_add(&b, "", 1);
	if (strcmp((char *)b.p, want) != 0) {
		fprintf(stderr, "%s: got %s, not %s\n", text, (char *)b.p, want);
		exit(1);
	}
	buf_free(&b);
	words_free(&w);
}

int
main(void)
{
	struct arena a = {0};
	is(&a, words_split, "", "");
	is(&a, words_split, "  a  b\tc\nd ", "a|b|c|d");
	is(&a, words_split, "-DX=\"a b\" 'c d'e \"\"", "-DX=a b|c de|");
	is(&a, words_split, "-DX=\\\"a\\\" a\\ b", "-DX=\"a\"|a b");
	is(&a, words_split, "\"a\\nb\\\"c\\\\d\"", "a\\nb\"c\\d");
	is(&a, words_split, "'a\\b'", "a\\b");
	is(&a, words_split, "a\\\nb", "ab");
	is(&a, words_split, "\"open", "open");
	is(&a, words_list, "-Wall,-O2", "-Wall|-O2");
	is(&a, words_list, ",-g,,-O1,", "-g|-O1");
	is(&a, words_list, "-DX=\"a,b\",-g", "-DX=\"a,b\"|-g");
	is(&a, words_list, "-DX=f(a\\,b)", "-DX=f(a,b)");
	is(&a, words_list, "-DX=\\\"a\\\"", "-DX=\"a\"");
	is(&a, words_list, "", "");

	static const char *const odd[] = {
		"", "a", "a b", "a\"b", "$HOME", "`x`", "\\", "a'b", "*", "ä", "#x"};
	for (size_t i = 0; i < COUNT(odd); i++) {
		struct buf b = {0};
		words w = {0};
		word_quote(&b, odd[i]);
		words_split(&a, (struct str){(char *)b.p, b.n}, &w);
		/* In double quotes our splitter leaves \$ and \` as they are: a shell does not. */
		if (!strpbrk(odd[i], "$`"))
			CHECK(w.n == 1 && strcmp(w.p[0], odd[i]) == 0);
		words_free(&w);
		buf_free(&b);
	}
	CHECK(!a.failed);
	arena_free(&a);
	return 0;
}
