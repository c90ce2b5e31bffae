/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * words.c - quoting: how text becomes words (response files, environment, -Xcompiler), how nvcc's
 * comma lists come apart, and how a word is printed so that a shell reads it back.
 */
#include "lang/driver/driver.h"

#include <stdlib.h>
#include <string.h>

void
words_free(words *w)
{
	free(w->p);
	*w = (words){0};
}

static void
word_end(struct arena *a, struct buf *b, words *out)
{
	const char *w = arena_strdup(a, (struct str){(const char *)b->p, b->n});
	if (b->failed || !w || !VEC_PUSH(out, w))
		a->failed = true;
	b->n = 0;
}

void
words_split(struct arena *a, struct str text, words *out)
{
	struct buf b = {0};
	char quote = 0;
	bool in = false;
	for (size_t i = 0; i < text.n; i++) {
		char c = text.p[i];
		if (c == '\\' && quote != '\'' && i + 1 < text.n) {
			/* In double quotes a backslash stays unless it protects something. */
			if (quote && text.p[i + 1] != '"' && text.p[i + 1] != '\\')
				buf_add(&b, &c, 1);
			c = text.p[++i];
			if (c != '\n')
				buf_add(&b, &c, 1);
			in = true;
		} else if (quote ? c == quote : c == '"' || c == '\'') {
			quote = quote ? 0 : c;
			in = true;
		} else if (!quote && strchr(" \t\r\n", c)) {
			if (in)
				word_end(a, &b, out);
			in = false;
		} else {
			buf_add(&b, &c, 1);
			in = true;
		}
	}
	if (in)
		word_end(a, &b, out);
	buf_free(&b);
}

void
words_list(struct arena *a, struct str text, words *out)
{
	struct buf b = {0};
	bool quoted = false;
	for (size_t i = 0; i < text.n; i++) {
		char c = text.p[i];
		if (c == '\\' && i + 1 < text.n) {
			buf_add(&b, &text.p[++i], 1);
		} else if (c == ',' && !quoted) {
			if (b.n)
				word_end(a, &b, out);
		} else {
			quoted ^= c == '"';
			buf_add(&b, &c, 1);
		}
	}
	if (b.n)
		word_end(a, &b, out);
	buf_free(&b);
}

void
word_quote(struct buf *b, const char *word)
{
	static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				   "_-+=/.,:%@^";
	if (*word && word[strspn(word, safe)] == 0) {
		buf_add(b, word, strlen(word));
		return;
	}
	buf_add(b, "\"", 1);
	for (; *word; word++) {
		if (strchr("\"\\$`", *word))
			buf_add(b, "\\", 1);
		buf_add(b, word, 1);
	}
	buf_add(b, "\"", 1);
}
