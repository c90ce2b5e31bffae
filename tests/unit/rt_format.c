/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// LINK: cuda amdgpu base
/*
 * Records of device printf: every conversion prints what the C library prints, and no record, however
 * broken, makes the host read beyond it. Also the map by address.
 */
#include "host-rt/rt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

/* Builds a payload: format, then slots. */
struct record {
	struct buf b;
};

static struct record
record(const char *format)
{
	struct record r = {{0}};
	buf_add(&r.b, format, strlen(format) + 1);
	buf_align(&r.b, 8);
	return r;
}

static void
add(struct record *r, u64 v)
{
	buf_add(&r->b, &v, 8);
}

static void
add_double(struct record *r, double x)
{
	buf_add(&r->b, &x, 8);
}

static void
add_string(struct record *r, const char *s)
{
	add(r, strlen(s));
	buf_add(&r->b, s, strlen(s));
	buf_align(&r->b, 8);
}

/* Prints from a copy of exactly n bytes, so that sanitizers see every read beyond it. */
static char *
print(const struct record *r, size_t n)
{
	char *exact = malloc(n ? n : 1);
	if (n)
		memcpy(exact, r->b.p, n);
	struct buf out = {0};
	rt_format(&out, exact, n);
	buf_add(&out, "", 1);
	free(exact);
	return (char *)out.p;
}

static void
expect(struct record *r, const char *want)
{
	char *got = print(r, r->b.n);
	if (strcmp(got, want)) {
		fprintf(stderr, "format %s: got \"%s\", want \"%s\"\n", (char *)r->b.p, got, want);
		failures++;
	}
	free(got);
	for (size_t n = 0; n < r->b.n; n++) /* cut off anywhere */
		free(print(r, n));
	buf_free(&r->b);
}

#define ONE(format, value, ...)                                                                    \
	do {                                                                                       \
		char want[512];                                                                    \
		struct record r = record(format);                                                  \
		add(&r, (u64)(value));                                                             \
		snprintf(want, sizeof want, format, __VA_ARGS__);                                  \
		expect(&r, want);                                                                  \
	} while (0)
#define REAL(format, value)                                                                        \
	do {                                                                                       \
		char want[512];                                                                    \
		struct record r = record(format);                                                  \
		add_double(&r, value);                                                             \
		snprintf(want, sizeof want, format, value);                                        \
		expect(&r, want);                                                                  \
	} while (0)

static void
conversions(void)
{
	ONE("%d|", -7, -7);
	ONE("%i|", 2147483647, 2147483647);
	ONE("%+5d|", 42, 42);
	ONE("%-8d|", 42, 42);
	ONE("%08d|", -42, -42);
	ONE("%u|", 4294967295u, 4294967295u);
	ONE("%x|", 0xdeadbeefu, 0xdeadbeefu);
	ONE("%#X|", 0xdeadbeefu, 0xdeadbeefu);
	ONE("%#o|", 8, 8);
	ONE("%lld|", -(1ll << 60), -(1ll << 60));
	ONE("%lu|", ~0ul, ~0ul);
	ONE("%hd|", -1, (short)-1);
	ONE("%hhu|", 300, (unsigned char)300);
	ONE("%zu|", 1234567890123ull, (size_t)1234567890123ull);
	ONE("%c|", 'x', 'x');
	ONE("%.3d|", 5, 5);
	ONE("%p|", 0x1234, (void *)0x1234);
	REAL("%f|", 3.25);
	REAL("%10.3e|", -12345.678);
	REAL("%g|", 1e-20);
	REAL("%a|", 0.1);
	REAL("%-12.1F|", 2.5);
	REAL("%G|", 1e300);
}

static void
more(void)
{
	struct record r = record("%s and %5.2s|%-6s|%%");
	add_string(&r, "hello");
	add_string(&r, "world");
	add_string(&r, "");
	expect(&r, "hello and    wo|      |%");

	r = record("%*d|%.*f|%-*d|");
	add(&r, 6);
	add(&r, 42);
	add(&r, 2);
	add_double(&r, 1.23456);
	add(&r, (u64)-5);
	add(&r, 7);
	expect(&r, "    42|1.23|7    |");

	r = record("no arguments\n");
	expect(&r, "no arguments\n");
	r = record("missing %d %s %f.");
	expect(&r, "missing   .");
	r = record("%q %y 100%");
	expect(&r, "%q %y 100%");
	r = record("%99999999999d|");
	add(&r, 1);
	char *wide = print(&r, r.b.n);
	if (strlen(wide) != 4096 + 1) {
		fprintf(stderr, "a width without bound: %zu\n", strlen(wide));
		failures++;
	}
	free(wide);
	buf_free(&r.b);

	r = record("%s|"); /* a length that is no length */
	add(&r, ~0ull);
	buf_add(&r.b, "abc", 4);
	buf_align(&r.b, 8);
	expect(&r, "abc|");
}

static void
map(void)
{
	struct rt_map m = {0};
	char keys[1000];
	for (size_t i = 0; i < sizeof keys; i++)
		if (!rt_map_add(&m, &keys[i], &keys[i]))
			failures++;
	for (size_t i = 0; i < sizeof keys; i += 2)
		rt_map_del(&m, &keys[i]);
	for (size_t i = 0; i < sizeof keys; i++)
		if (rt_map_find(&m, &keys[i]) != (i % 2 ? &keys[i] : NULL))
			failures++;
	if (m.n != sizeof keys / 2 || rt_map_find(&m, NULL))
		failures++;
	free(m.keys);
	free(m.values);
}

int
main(void)
{
	conversions();
	more();
	map();
	return failures != 0;
}
