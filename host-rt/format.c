/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * format.c - prints a record of device printf. The payload (lang/services.h) is the format and a slot
 * of 8 bytes an argument; nothing of it is trusted. Every conversion is parsed, rewritten with the
 * length modifier that fits the slot, and given to the C library one by one, with width and precision
 * bounded. As CUDA: an unknown conversion is printed as it stands.
 */
#include "host-rt/rt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH_MOST 4096

struct reader {
	const char *p, *end;
};

static bool
slot(struct reader *r, u64 *v)
{
	if (r->end - r->p < 8)
		return false;
	memcpy(v, r->p, 8);
	r->p += 8;
	return true;
}

/* A conversion: flags, width and precision as text for the C library, the size of an integer. */
struct conversion {
	char flags[8];
	int width, precision; /* -1: none */
	int bits;
	char what;
};

static const char *
number(const char *f, struct reader *r, int *n)
{
	u64 v;
	if (*f == '*') {
		*n = slot(r, &v) ? (int)(i64)v : 0;
		return f + 1;
	}
	for (*n = 0; *f >= '0' && *f <= '9'; f++)
		*n = *n < WIDTH_MOST ? *n * 10 + (*f - '0') : WIDTH_MOST;
	return f;
}

/* Parses behind the %; returns where the conversion character stands. */
static const char *
parse(const char *f, struct reader *r, struct conversion *c)
{
	size_t n = 0;
	memset(c, 0, sizeof *c);
	c->width = c->precision = -1;
	c->bits = 32;
	for (; *f && strchr("-+ #0", *f); f++)
		if (n < sizeof c->flags - 2 && !strchr(c->flags, *f))
			c->flags[n++] = *f;
	if (*f == '*' || (*f >= '1' && *f <= '9'))
		f = number(f, r, &c->width);
	if (c->width < -1) { /* as if with the flag - */
		c->flags[n++] = '-';
		c->width = c->width < -WIDTH_MOST ? WIDTH_MOST : -c->width;
	}
	if (*f == '.') {
		f = number(f + 1, r, &c->precision);
		if (c->precision < 0)
			c->precision = -1;
	}
	if (c->width > WIDTH_MOST)
		c->width = WIDTH_MOST;
	if (c->precision > WIDTH_MOST)
		c->precision = WIDTH_MOST;
	for (; *f && strchr("hlLqjzt", *f); f++)
		c->bits = *f == 'h' ? (c->bits == 16 ? 8 : 16) : 64;
	c->what = *f;
	return f;
}

static void
spec(char out[64], const struct conversion *c, const char *length)
{
	char width[16] = "", precision[16] = "";
	if (c->width >= 0)
		snprintf(width, sizeof width, "%d", c->width);
	if (c->precision >= 0)
		snprintf(precision, sizeof precision, ".%d", c->precision);
	snprintf(out, 64, "%%%s%s%s%s%c", c->flags, width, precision, length, c->what);
}

#pragma GCC diagnostic ignored "-Wformat-nonliteral"

static void
integer(struct buf *out, const struct conversion *c, u64 v)
{
	char f[64];
	if (c->what == 'd' || c->what == 'i') {
		i64 s = c->bits == 8    ? (i8)v
			: c->bits == 16 ? (i16)v
			: c->bits == 32 ? (i32)v
					: (i64)v;
		spec(f, c, "ll");
		buf_printf(out, f, (long long)s);
	} else {
		u64 u = c->bits == 64 ? v : v & (((u64)1 << c->bits) - 1);
		spec(f, c, "ll");
		buf_printf(out, f, (unsigned long long)u);
	}
}

static void
spaces(struct buf *out, size_t n)
{
	while (n--)
		buf_add(out, " ", 1);
}

/* Done by hand: a slot's string has no NUL. */
static void
string(struct buf *out, const struct conversion *c, struct reader *r)
{
	u64 n;
	if (!slot(r, &n))
		return;
	size_t left = (size_t)(r->end - r->p), len = n < left ? (size_t)n : left;
	const char *s = r->p;
	size_t padded = (len + 7) & ~(size_t)7;
	r->p += padded < left ? padded : left;
	size_t shown = strnlen(s, len);
	if (c->precision >= 0 && (size_t)c->precision < shown)
		shown = (size_t)c->precision;
	size_t pad = c->width > 0 && (size_t)c->width > shown ? (size_t)c->width - shown : 0;
	bool left_first = strchr(c->flags, '-') != NULL;
	if (!left_first)
		spaces(out, pad);
	buf_add(out, s, shown);
	if (left_first)
		spaces(out, pad);
}

static bool
convert(struct buf *out, const struct conversion *c, struct reader *r)
{
	char f[64];
	u64 v;
	double x;
	switch (c->what) {
	case 'd':
	case 'i':
	case 'u':
	case 'x':
	case 'X':
	case 'o':
		if (slot(r, &v))
			integer(out, c, v);
		return true;
	case 'c':
		spec(f, c, "");
		if (slot(r, &v))
			buf_printf(out, f, (int)v);
		return true;
	case 'e':
	case 'E':
	case 'f':
	case 'F':
	case 'g':
	case 'G':
	case 'a':
	case 'A':
		spec(f, c, "");
		if (slot(r, &v)) {
			memcpy(&x, &v, sizeof x);
			buf_printf(out, f, x);
		}
		return true;
	case 'p':
		spec(f, c, "");
		if (slot(r, &v))
			buf_printf(out, f, (void *)(uintptr_t)v);
		return true;
	case 's':
		string(out, c, r);
		return true;
	default:
		return false;
	}
}

void
rt_format(struct buf *out, const char *payload, size_t n)
{
	const char *nul = memchr(payload, 0, n);
	if (!nul)
		return;
	size_t used = ((size_t)(nul - payload) + 1 + 7) & ~(size_t)7;
	struct reader r = {payload + (used < n ? used : n), payload + n};
	for (const char *f = payload; f < nul;) {
		const char *percent = memchr(f, '%', (size_t)(nul - f));
		const char *stop = percent ? percent : nul;
		buf_add(out, f, (size_t)(stop - f));
		if (!percent)
			return;
		struct conversion c;
		const char *last = parse(percent + 1, &r, &c);
		if (c.what == '%')
			buf_add(out, "%", 1);
		else if (!convert(out, &c, &r)) /* an unknown one, or the format ends in it */
			buf_add(out, percent, (size_t)(last - percent) + (*last != 0));
		f = *last ? last + 1 : nul;
	}
}
