/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * flags.c - reads the command line by the table flags.def. A word is, in this order: a known name
 * after one dash or two (its argument behind "=" or in the next word), a known one-letter alias with
 * its argument stuck on, a response file, or an input. Words come from NVCC_PREPEND_FLAGS, argv and
 * NVCC_APPEND_FLAGS; a response file's words take its place, down to a fixed depth.
 */
#include "lang/driver/driver.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH 16 /* of response files that name response files */

enum { SEP = false, JOIN = true };
enum { NONE = FLAG_NONE, BOOL = FLAG_BOOL, ONE = FLAG_ONE, NUMBER = FLAG_NUMBER };
enum { LIST = FLAG_LIST, NAMES = FLAG_NAMES };
enum { DONE = FLAG_DONE, ACCEPTED = FLAG_ACCEPTED, REFUSED = FLAG_REFUSED };

static const struct flag flags[FLAG_COUNT] = {
#define FLAG(id, name, alias, kind, join, status, route, spelling, help)                           \
	{name, alias, (enum flag_kind)kind, join, (enum flag_status)status, route, spelling, help},
#include "lang/flags.def"
#undef FLAG
};

const struct flag *
flag_get(enum flag_id id)
{
	assert(id < FLAG_COUNT);
	return &flags[id];
}

/* The words still to be read, and how deep in response files they stand. */
struct reader {
	struct driver *d;
	struct cmdline *out;
	words w;
	size_t at;
	unsigned depth;
};

static void
use_add(struct reader *r, enum flag_id id, const char *value)
{
	if (!value || !VEC_PUSH(&r->out->uses, ((struct flag_use){id, value})))
		r->d->arena->failed = true;
}

static void read_words(struct driver *d, struct cmdline *out, struct str text, unsigned depth);

static void
response_read(struct reader *r, const char *path)
{
	if (r->depth >= DEPTH) {
		diag(r->d, DIAG_DEEP_RESPONSE, path, NULL, NULL);
		return;
	}
	size_t n;
	char *text = file_read(path, &n);
	if (!text) {
		diag(r->d, DIAG_BAD_RESPONSE, path, strerror(errno), NULL);
		return;
	}
	read_words(r->d, r->out, (struct str){text, n}, r->depth + 1);
	free(text);
}

/* The flag of a word without its dashes. *value: behind "=", stuck on, or NULL. */
static bool
flag_find(struct str name, bool two_dashes, enum flag_id *id, const char **value)
{
	struct str rest = name, head = str_split(&rest, '=');
	for (int i = 0; i < FLAG_COUNT; i++) {
		if (!str_is(head, flags[i].name) &&
			!(*flags[i].alias && str_is(head, flags[i].alias)))
			continue;
		*id = (enum flag_id)i;
		*value = head.n < name.n ? rest.p : NULL;
		return true;
	}
	for (int i = 0; i < FLAG_COUNT && !two_dashes; i++) {
		if (!flags[i].join || !str_starts(name, flags[i].alias))
			continue;
		*id = (enum flag_id)i;
		*value = name.p + strlen(flags[i].alias);
		return true;
	}
	return false;
}

static void
unknown(struct reader *r, const char *word)
{
	bool all = flag_has(r->out, FLAG_forward_all);
	bool host = all || flag_has(r->out, FLAG_forward_host);
	bool link = all || flag_has(r->out, FLAG_forward_link);
	/* -Wall and its like need no -Xcompiler: nvcc has none that could be meant instead. */
	if (strncmp(word, "-W", 2) == 0 && word[2] && !strchr(word, ','))
		host = true;
	if (host)
		use_add(r, FLAG_Xcompiler, word);
	if (link)
		use_add(r, FLAG_Xlinker, word);
	if (host || link)
		return;
	bool one = word[1] != '-' && word[1];
	diag(r->d, one ? DIAG_UNKNOWN_HOST : DIAG_UNKNOWN_FLAG, word, word, NULL);
}

/* A quoted definition keeps its quotes: they are the macro's. */
static void
list_add(struct reader *r, enum flag_id id, const char *value)
{
	words w = {0};
	words_list(r->d->arena, str_of(value), &w);
	for (size_t i = 0; i < w.n; i++) {
		if (id == FLAG_optf)
			response_read(r, w.p[i]);
		else
			use_add(r, id, w.p[i]);
	}
	words_free(&w);
}

static void
flag_read(struct reader *r, const char *word)
{
	bool two = word[1] == '-';
	enum flag_id id;
	const char *value;
	if (!flag_find(str_of(word + 1 + two), two, &id, &value)) {
		unknown(r, word);
		return;
	}
	const struct flag *f = &flags[id];
	if (f->kind == FLAG_NONE && value) {
		diag(r->d, DIAG_NO_VALUE, word, NULL, NULL);
		return;
	}
	if (f->kind != FLAG_NONE && !value) {
		if (r->at == r->w.n) {
			diag(r->d, DIAG_NEED_VALUE, word, NULL, NULL);
			return;
		}
		value = r->w.p[r->at++];
	}
	if (f->status == FLAG_REFUSED) {
		diag(r->d, DIAG_REFUSED, word, f->help, NULL);
		return;
	}
	if (f->kind == FLAG_BOOL && strcmp(value, "true") != 0 && strcmp(value, "false") != 0) {
		diag(r->d, DIAG_BAD_BOOL, value, word, NULL);
		return;
	}
	if (f->kind == FLAG_NUMBER && (!*value || value[strspn(value, "0123456789")])) {
		diag(r->d, DIAG_BAD_NUMBER, value, word, NULL);
		return;
	}
	if (f->kind == FLAG_NAMES && !value[strspn(value, ",")]) {
		diag(r->d, DIAG_NEED_VALUE, word, NULL, NULL);
		return;
	}
	if (f->kind == FLAG_LIST || f->kind == FLAG_NAMES)
		list_add(r, id, value);
	else
		use_add(r, id, value ? value : "");
}

static void
read_all(struct reader *r)
{
	while (r->at < r->w.n) {
		const char *word = r->w.p[r->at++];
		if (word[0] == '-' && word[1])
			flag_read(r, word);
		else if (word[0] == '@' && word[1])
			response_read(r, word + 1);
		else
			use_add(r, FLAG_INPUT, word);
	}
	words_free(&r->w);
}

static void
read_words(struct driver *d, struct cmdline *out, struct str text, unsigned depth)
{
	struct reader r = {.d = d, .out = out, .depth = depth};
	words_split(d->arena, text, &r.w);
	read_all(&r);
}

void
cmdline_parse(struct driver *d, char *const *argv, struct cmdline *out)
{
	*out = (struct cmdline){0};
	read_words(d, out, str_of(getenv("NVCC_PREPEND_FLAGS")), 0);
	struct reader r = {.d = d, .out = out};
	for (size_t i = 1; argv[0] && argv[i]; i++)
		if (!VEC_PUSH(&r.w, (const char *)argv[i]))
			d->arena->failed = true;
	read_all(&r);
	read_words(d, out, str_of(getenv("NVCC_APPEND_FLAGS")), 0);
}

void
cmdline_free(struct cmdline *c)
{
	free(c->uses.p);
	*c = (struct cmdline){0};
}

bool
flag_has(const struct cmdline *c, enum flag_id id)
{
	return flag_last(c, id) != NULL;
}

const char *
flag_last(const struct cmdline *c, enum flag_id id)
{
	for (size_t i = c->uses.n; i-- > 0;)
		if (c->uses.p[i].id == id)
			return c->uses.p[i].value;
	return NULL;
}

bool
flag_true(const struct cmdline *c, enum flag_id id, bool otherwise)
{
	const char *v = flag_last(c, id);
	return v ? strcmp(v, "true") == 0 : otherwise;
}
