/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* base.c - slices, arena, buffer, files, sink and log; see base.h for the contracts. */
#include "base.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct str
str_of(const char *z)
{
	return (struct str){z, z ? strlen(z) : 0};
}

bool
str_eq(struct str a, struct str b)
{
	return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

bool
str_is(struct str a, const char *z)
{
	return str_eq(a, str_of(z));
}

bool
str_starts(struct str a, const char *prefix)
{
	size_t n = strlen(prefix);
	return a.n >= n && memcmp(a.p, prefix, n) == 0;
}

bool
str_ends(struct str a, const char *suffix)
{
	size_t n = strlen(suffix);
	return a.n >= n && memcmp(a.p + a.n - n, suffix, n) == 0;
}

struct str
str_split(struct str *rest, char at)
{
	struct str head = *rest;
	const char *q = rest->n ? memchr(rest->p, at, rest->n) : NULL;
	if (!q) {
		*rest = (struct str){rest->p + rest->n, 0};
		return head;
	}
	head.n = (size_t)(q - rest->p);
	*rest = (struct str){q + 1, rest->n - head.n - 1};
	return head;
}

/* --- arena ---------------------------------------------------------------------------------- */

struct arena_block {
	struct arena_block *next;
	size_t used, cap;
	_Alignas(16) u8 data[];
};

void *
arena_alloc(struct arena *a, size_t n, size_t align)
{
	assert(align && !(align & (align - 1)) && align <= 4096);
	struct arena_block *b = a->head;
	if (n > SIZE_MAX / 2 || (a->limit && a->used + n > a->limit))
		goto fail;
	if (b) {
		uintptr_t at = (uintptr_t)b->data + b->used;
		size_t pad = (size_t)(-at & (align - 1));
		if (b->cap - b->used >= pad && b->cap - b->used - pad >= n) {
			b->used += pad + n;
			a->used += n;
			return (void *)(at + pad);
		}
	}
	size_t cap = n + align > 65536 - 64 ? n + align : 65536 - 64;
	b = calloc(1, sizeof *b + cap);
	if (!b)
		goto fail;
	b->cap = cap;
	b->next = a->head;
	a->head = b;
	return arena_alloc(a, n, align);
fail:
	a->failed = true;
	return NULL;
}

char *
arena_strdup(struct arena *a, struct str s)
{
	char *p = arena_alloc(a, s.n + 1, 1);
	if (p && s.n)
		memcpy(p, s.p, s.n);
	return p;
}

char *
arena_printf(struct arena *a, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	int n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	char *p = n < 0 ? NULL : arena_alloc(a, (size_t)n + 1, 1);
	if (!p)
		return NULL;
	va_start(ap, fmt);
	vsnprintf(p, (size_t)n + 1, fmt, ap);
	va_end(ap);
	return p;
}

void
arena_free(struct arena *a)
{
	for (struct arena_block *b = a->head, *next; b; b = next) {
		next = b->next;
		free(b);
	}
	*a = (struct arena){.limit = a->limit};
}

/* --- growing things -------------------------------------------------------------------------- */

bool
vec_grow(void **p, size_t *cap, size_t need, size_t size)
{
	if (need <= *cap)
		return true;
	size_t want = *cap ? *cap * 2 : 16;
	if (want < need)
		want = need;
	if (want > SIZE_MAX / 2 / size)
		return false;
	void *q = realloc(*p, want * size);
	if (!q)
		return false;
	*p = q;
	*cap = want;
	return true;
}

void
buf_add(struct buf *b, const void *p, size_t n)
{
	if (b->failed || n > SIZE_MAX / 4 || !vec_grow((void **)&b->p, &b->cap, b->n + n + 1, 1)) {
		b->failed = true;
		return;
	}
	if (n)
		memcpy(b->p + b->n, p, n);
	b->n += n;
	b->p[b->n] = 0;
}

void
buf_zero(struct buf *b, size_t n)
{
	static const u8 zero[64];
	for (; n > sizeof zero; n -= sizeof zero)
		buf_add(b, zero, sizeof zero);
	buf_add(b, zero, n);
}

void
buf_align(struct buf *b, size_t align)
{
	buf_zero(b, -b->n & (align - 1));
}

void
buf_printf(struct buf *b, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	char *p = NULL;
	int n = vasprintf(&p, fmt, ap);
	va_end(ap);
	if (n < 0) {
		b->failed = true;
		return;
	}
	buf_add(b, p, (size_t)n);
	free(p);
}

void
buf_free(struct buf *b)
{
	free(b->p);
	*b = (struct buf){0};
}

/* --- files ----------------------------------------------------------------------------------- */

char *
file_read(const char *path, size_t *n)
{
	FILE *f = fopen(path, "rbe");
	if (!f)
		return NULL;
	struct buf b = {0};
	char chunk[16384];
	size_t got;
	while ((got = fread(chunk, 1, sizeof chunk, f)) > 0)
		buf_add(&b, chunk, got);
	int bad = ferror(f) ? errno : 0;
	fclose(f);
	buf_add(&b, "", 0);
	if (bad || b.failed) {
		buf_free(&b);
		errno = bad ? bad : ENOMEM;
		return NULL;
	}
	if (n)
		*n = b.n;
	return (char *)b.p;
}

bool
file_write(const char *path, const void *p, size_t n)
{
	FILE *f = fopen(path, "wbe");
	if (!f)
		return false;
	bool ok = fwrite(p, 1, n, f) == n;
	int err = errno;
	ok = fclose(f) == 0 && ok;
	if (!ok && err)
		errno = err;
	return ok;
}

/* --- sink and log ---------------------------------------------------------------------------- */

static void
sink_stderr(void *user, const char *line)
{
	(void)user;
	fprintf(stderr, "heddle: %s\n", line);
}

static pthread_mutex_t sink_lock = PTHREAD_MUTEX_INITIALIZER;
static sink_fn *sink_out = sink_stderr;
static void *sink_user;

void
sink_set(sink_fn *fn, void *user)
{
	pthread_mutex_lock(&sink_lock);
	sink_out = fn ? fn : sink_stderr;
	sink_user = user;
	pthread_mutex_unlock(&sink_lock);
}

void
sink_printf(const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	char *line = NULL;
	int n = vasprintf(&line, fmt, ap);
	va_end(ap);
	pthread_mutex_lock(&sink_lock);
	sink_out(sink_user, n < 0 ? fmt : line);
	pthread_mutex_unlock(&sink_lock);
	if (n >= 0)
		free(line);
}

static const char *const log_names[] = {
#define LOG(name, what) #name,
#include "log.def"
#undef LOG
};

static u32 log_mask;
static pthread_once_t log_once = PTHREAD_ONCE_INIT;

static void
log_init(void)
{
	struct str rest = str_of(getenv("HEDDLE_LOG"));
	while (rest.n) {
		struct str area = str_split(&rest, ',');
		size_t i = 0;
		while (i < LOG_COUNT && !str_is(area, log_names[i]))
			i++;
		if (i < LOG_COUNT)
			log_mask |= 1u << i;
		else
			sink_printf("HEDDLE_LOG: no area '%.*s'", (int)area.n, area.p);
	}
}

bool
log_on(enum log_area area)
{
	pthread_once(&log_once, log_init);
	return log_mask >> area & 1;
}

void
log_printf(enum log_area area, const char *fmt, ...)
{
	if (!log_on(area))
		return;
	va_list ap;
	va_start(ap, fmt);
	char *line = NULL;
	int n = vasprintf(&line, fmt, ap);
	va_end(ap);
	if (n < 0)
		return;
	fprintf(stderr, "%s %s\n", log_names[area], line);
	free(line);
}
