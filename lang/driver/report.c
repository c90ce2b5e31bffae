/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * report.c - the passes of one source repeat each other's diagnostics: a syntax error is found by
 * every GPU's pass and by the host's. A text is cut into blocks: a block's key is its line
 * "file:line:col: error|warning|…: text"; the "In file included from" lines before it and all lines
 * behind it (source, caret, notes) belong to it. A block whose key stood in an earlier text is left
 * out; within one text nothing is, for one place may be wrong in several instantiations.
 */
#include "lang/driver/driver.h"

#include <stdlib.h>
#include <string.h>

#define TEXTS 64 /* later ones are printed whole */

struct block {
	struct str text, key; /* key.n == 0: not a diagnostic */
};
struct blocks {
	VEC(struct block) v;
};

static bool
has(struct str s, const char *z)
{
	return s.n && memmem(s.p, s.n, z, strlen(z)) != NULL;
}

/* Clang's count at the end ("2 errors generated when compiling for gfx1100."): it counts one pass. */
static bool
is_count(struct str line)
{
	return line.n && line.p[0] >= '0' && line.p[0] <= '9' && has(line, " generated") &&
	       (has(line, "error") || has(line, "warning"));
}

static bool
is_key(struct str line)
{
	static const char *const marks[] = {
		" error: ", " warning: ", " fatal error: ", " remark: "};
	if (str_starts(line, "error: ") || str_starts(line, "warning: "))
		return true;
	for (size_t i = 0; i < COUNT(marks); i++)
		if (has(line, marks[i]) && line.p[0] != ' ')
			return true;
	return false;
}

static bool
is_lead(struct str line)
{
	return str_starts(line, "In file included from ") || str_starts(line, "In module ");
}

/* Removes colour (ESC [ … letter), so that keys compare whatever their decoration. */
static char *
plain(const struct buf *t)
{
	char *z = malloc(t->n + 1);
	if (!z)
		return NULL;
	size_t n = 0;
	for (size_t i = 0; i < t->n; i++) {
		if (t->p[i] == 27 && i + 1 < t->n && t->p[i + 1] == '[') {
			for (i += 2; i < t->n && !(t->p[i] >= '@' && t->p[i] <= '~'); i++)
				;
			continue;
		}
		z[n++] = (char)t->p[i];
	}
	z[n] = 0;
	return z;
}

/* Cuts `text` into blocks; `bare` is its text without colour, line for line the same. */
static void
cut(struct str text, struct str bare, struct blocks *out)
{
	struct block now = {0};
	bool led = false; /* "In file included from" lines wait for their diagnostic */
	while (text.n) {
		struct str all = text, line = str_split(&text, '\n'), look = str_split(&bare, '\n');
		size_t n = line.n + (line.n < all.n);
		bool key = is_key(look), lead = is_lead(look) && !led;
		if (is_count(look))
			continue;
		if ((lead || (key && !led)) && now.text.n) {
			VEC_PUSH(&out->v, now);
			now = (struct block){0};
		}
		if (key && !now.key.n)
			now.key = look;
		led = is_lead(look) || (led && !key);
		/* A dropped line lies between: what is behind it begins a block of its own. */
		if (now.text.n && now.text.p + now.text.n != all.p) {
			VEC_PUSH(&out->v, now);
			now = (struct block){0};
		}
		now.text = (struct str){now.text.n ? now.text.p : all.p, now.text.n + n};
	}
	if (now.text.n)
		VEC_PUSH(&out->v, now);
}

static bool
seen(const struct blocks *b, size_t n, struct str key)
{
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < b[i].v.n; k++)
			if (str_eq(b[i].v.p[k].key, key))
				return true;
	return false;
}

void
report_print(FILE *err, const struct buf *texts, size_t n)
{
	struct blocks b[TEXTS] = {0};
	char *bare[TEXTS] = {0};
	for (size_t i = 0; i < n; i++) {
		if (i < TEXTS)
			bare[i] = plain(&texts[i]);
		if (i >= TEXTS || !bare[i]) {
			fwrite(texts[i].p, 1, texts[i].n, err);
			continue;
		}
		cut((struct str){(const char *)texts[i].p, texts[i].n}, str_of(bare[i]), &b[i]);
		for (size_t k = 0; k < b[i].v.n; k++) {
			const struct block *x = &b[i].v.p[k];
			if (!x->key.n || !seen(b, i, x->key))
				fwrite(x->text.p, 1, x->text.n, err);
		}
	}
	for (size_t i = 0; i < n && i < TEXTS; i++) {
		free(b[i].v.p);
		free(bare[i]);
	}
	fflush(err);
}
