/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// LINK: base
/* Proves the contracts of lang/base.h: slices, arena (with its failing nth allocation), buffer, sink. */
#include "lang/base.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHECK(x)                                                                                   \
	do {                                                                                       \
		if (!(x)) {                                                                        \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #x);                    \
			exit(1);                                                                   \
		}                                                                                  \
	} while (0)

static void
slices(void)
{
	struct str rest = STR("a,bb,,c"), s;
	CHECK(str_is(str_split(&rest, ','), "a"));
	CHECK(str_is(str_split(&rest, ','), "bb"));
	CHECK(str_is(str_split(&rest, ','), ""));
	s = str_split(&rest, ',');
	CHECK(str_is(s, "c") && rest.n == 0);
	CHECK(str_of(NULL).n == 0);
	CHECK(str_starts(STR("gfx1100"), "gfx") && !str_starts(STR("gf"), "gfx"));
	CHECK(str_ends(STR("a.cu"), ".cu") && !str_ends(STR("u"), ".cu"));
	CHECK(str_eq(STR("x"), STR("x")) && !str_eq(STR("x"), STR("y")) &&
		!str_eq(STR("x"), STR("xx")));
}

static void
arenas(void)
{
	struct arena a = {0};
	for (size_t n = 1; n < 100000; n = n * 3 + 1) {
		for (size_t align = 1; align <= 64; align *= 2) {
			u8 *p = arena_alloc(&a, n, align);
			CHECK(p && (uintptr_t)p % align == 0);
			for (size_t i = 0; i < n; i++)
				CHECK(p[i] == 0);
			memset(p, 0xff, n);
		}
	}
	CHECK(!strcmp(arena_printf(&a, "%s-%d", "x", 7), "x-7"));
	CHECK(!strcmp(arena_strdup(&a, (struct str){"abc", 2}), "ab"));
	arena_free(&a);
	CHECK(!a.failed && arena_alloc(&a, 8, 8));
	arena_free(&a);

	struct arena small = {.limit = 1000};
	int got = 0;
	while (got < 100 && arena_alloc(&small, 100, 1))
		got++;
	CHECK(got > 0 && got <= 10 && small.failed);
	arena_free(&small);
}

static void
buffers(void)
{
	struct buf b = {0};
	buf_add(&b, "abc", 3);
	buf_align(&b, 8);
	CHECK(b.n == 8 && !memcmp(b.p, "abc\0\0\0\0", 8));
	buf_zero(&b, 5);
	buf_printf(&b, "%05d", 42);
	CHECK(b.n == 18 && !memcmp(b.p + 13, "00042", 5) && !b.failed);
	char path[] = "/tmp/heddle-base-XXXXXX";
	int fd = mkstemp(path);
	CHECK(fd >= 0);
	close(fd);
	CHECK(file_write(path, b.p, b.n));
	size_t n;
	char *back = file_read(path, &n);
	CHECK(back && n == b.n && !memcmp(back, b.p, n) && back[n] == 0);
	unlink(path);
	CHECK(!file_read(path, &n));
	free(back);
	buf_free(&b);

	VEC(int) v = {0};
	for (int i = 0; i < 1000; i++)
		CHECK(VEC_PUSH(&v, i));
	CHECK(v.n == 1000 && v.p[999] == 999);
	free(v.p);
}

static void
keep(void *user, const char *line)
{
	snprintf(user, 64, "%s", line);
}

int
main(void)
{
	char line[64] = "";
	slices();
	arenas();
	buffers();
	sink_set(keep, line);
	sink_printf("%s %d", "fault", 3);
	CHECK(!strcmp(line, "fault 3"));
	return 0;
}
