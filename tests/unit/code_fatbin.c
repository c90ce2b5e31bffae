/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * LINK: amdgpu base
 *
 * Fat binaries: what fatbin_add writes is read back by fatbin_next and by LLVM's own tool, what LLVM's
 * tool writes is read by us; several entries (version 2), linked into a program, cut off, damaged.
 */
#include "amdgpu/code.h"
#include "clang_run.h"
#include <unistd.h>

#define CHECK(x) ((x) ? (void)0 : fail(#x, __LINE__))

static int failures;

static void
fail(const char *what, int line)
{
	fprintf(stderr, "code_fatbin.c:%d: %s\n", line, what);
	failures++;
}

#define TRIPLE STR("amdgcn-amd-amdhsa")
static const struct {
	const char *arch, *image;
} images[] = {{"gfx1100", "one image"}, {"gfx90a:xnack-", "another, longer than the first"},
	{"gfx1200", ""}};

static void
fill(struct buf *b)
{
	for (size_t i = 0; i < COUNT(images); i++)
		fatbin_add(b, TRIPLE, str_of(images[i].arch), str_of(images[i].image), 1);
}

static void
check_round_trip(const struct buf *b, size_t n)
{
	struct fatbin_iter it = {.p = b->p, .n = n};
	struct fatbin_image f;
	bool done = false;
	for (size_t i = 0; i < COUNT(images); i++) {
		CHECK(fatbin_next(&it, &f, &done) == CODE_OK && !done);
		CHECK(str_eq(f.triple, TRIPLE) && str_is(f.arch, images[i].arch) &&
			str_is(f.image, images[i].image));
		CHECK(f.kind == 1 && (uintptr_t)f.image.p % 8 == 0);
	}
	CHECK(fatbin_next(&it, &f, &done) == CODE_OK && done);
	CHECK(fatbin_next(&it, &f, &done) == CODE_OK && done);
}

static void
check_llvm(struct arena *a, const struct buf *b)
{
	char *llvm = ninja_value(a, "llvm"), *dir = temporary(a);
	char *ours = arena_printf(a, "%s/ours", dir), *theirs = arena_printf(a, "%s/theirs", dir);
	size_t n = 0;
	CHECK(file_write(ours, b->p, b->n));
	CHECK(system(arena_printf(a,
		      "cd %s && %s/bin/llvm-offload-binary ours "
		      "--image=file=x.o,triple=amdgcn-amd-amdhsa,arch=gfx90a:xnack-",
		      dir, llvm)) == 0);
	char *x = file_read(arena_printf(a, "%s/x.o", dir), &n);
	CHECK(x != NULL && str_is((struct str){x, n}, images[1].image));
	free(x);
	CHECK(system(arena_printf(a,
		      "cd %s && %s/bin/llvm-offload-binary -o theirs "
		      "--image=file=x.o,triple=amdgcn-amd-amdhsa,arch=gfx906,kind=hip "
		      "--image=file=ours,triple=amdgcn-amd-amdhsa,arch=gfx908,kind=hip",
		      dir, llvm)) == 0);
	x = file_read(theirs, &n);
	struct fatbin_iter it = {.p = (const u8 *)x, .n = n};
	struct fatbin_image f;
	bool done = true;
	CHECK(fatbin_next(&it, &f, &done) == CODE_OK && !done && str_is(f.arch, "gfx906"));
	CHECK(str_is(f.image, images[1].image));
	CHECK(fatbin_next(&it, &f, &done) == CODE_OK && !done && str_is(f.arch, "gfx908") &&
		f.image.n == b->n);
	CHECK(fatbin_next(&it, &f, &done) == CODE_OK && done);
	free(x);
	CHECK(system(arena_printf(a, "rm -r %s", dir)) == 0);
}

/* Version 2: two entries that share a blob and its strings. */
static void
check_version_2(void)
{
	enum { HEAD = 32, ENTRY = 40, STRING = 24 };
	u8 blob[512] = {0};
	static const char text[] = "triple\0arch\0amdgcn-amd-amdhsa\0gfx1030\0gfx1100";
	u64 strings = HEAD + 2 * ENTRY, at = strings + 4 * STRING, data = 320;
	u64 header[4] = {0x2ad10ff10, 336, HEAD, 2};
	u64 entry[2][5] = {{0x400000001, strings, 2, data, 5},
		{0x400000001, strings + 2 * STRING, 2, data + 8, 8}};
	u64 map[4][3] = {
		{at, at + 12, 17}, {at + 7, at + 30, 7}, {at, at + 12, 17}, {at + 7, at + 38, 7}};
	memcpy(blob, header, sizeof(header));
	memcpy(blob + HEAD, entry, sizeof(entry));
	memcpy(blob + strings, map, sizeof(map));
	memcpy(blob + at, text, sizeof(text));
	memcpy(blob + data, "first\0\0\0second..", 16);
	struct fatbin_iter it = {.p = blob, .n = 336};
	struct fatbin_image f;
	bool done = true;
	CHECK(fatbin_next(&it, &f, &done) == CODE_OK && !done && str_is(f.arch, "gfx1030"));
	CHECK(str_is(f.image, "first") && str_eq(f.triple, TRIPLE));
	CHECK(fatbin_next(&it, &f, &done) == CODE_OK && !done && str_is(f.arch, "gfx1100") &&
		str_is(f.image, "second.."));
	CHECK(fatbin_next(&it, &f, &done) == CODE_OK && done);
	blob[4] = 3; /* a version that we do not know */
	it = (struct fatbin_iter){.p = blob, .n = 336};
	CHECK(fatbin_next(&it, &f, &done) == CODE_BAD_FATBIN);
}

static void
walk(const u8 *p, size_t n)
{
	struct fatbin_iter it = {.p = p, .n = n};
	struct fatbin_image f;
	bool done = false;
	volatile u8 sum = 0;
	while (fatbin_next(&it, &f, &done) == CODE_OK && !done) {
		for (size_t i = 0; i < f.image.n; i++)
			sum += (u8)f.image.p[i];
	}
}

static void
check_damage(const struct buf *b)
{
	u64 state = 88172645463325252ull;
	for (size_t n = 0; n < b->n; n++) {
		u8 *cut = malloc(n + 1);
		memcpy(cut, b->p, n);
		walk(cut, n);
		free(cut);
	}
	for (int k = 0; k < 50000; k++) {
		u8 *copy = malloc(b->n);
		memcpy(copy, b->p, b->n);
		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		copy[state % b->n] = (u8)(state >> 40);
		walk(copy, b->n);
		free(copy);
	}
}

/* As in a program: the fat binary of another source follows, and only the headers tell where ours ends. */
static struct {
	_Alignas(8) u8 blobs[1024];
	u8 other[1024];
} linked;

int
main(void)
{
	struct arena a = {0};
	struct buf b = {0};
	fill(&b);
	CHECK(!b.failed && b.n % 8 == 0);
	check_round_trip(&b, b.n);
	check_llvm(&a, &b);
	check_version_2();
	check_damage(&b);
	CHECK(b.n <= sizeof(linked.blobs));
	memcpy(linked.blobs + sizeof(linked.blobs) - b.n, b.p, b.n);
	memcpy(linked.other, b.p, b.n);
	struct buf in_program = {.p = linked.blobs + sizeof(linked.blobs) - b.n, .n = b.n};
	check_round_trip(&in_program, SIZE_MAX);

	/* Zeroes may follow in a file, anything else may not; nothing at all is no fat binary only if it has bytes. */
	struct fatbin_image f;
	bool done = false;
	size_t n = b.n;
	buf_zero(&b, 24);
	check_round_trip(&b, b.n);
	b.p[n + 8] = 1;
	struct fatbin_iter it = {.p = b.p, .n = b.n};
	for (size_t i = 0; i < COUNT(images); i++)
		CHECK(fatbin_next(&it, &f, &done) == CODE_OK && !done);
	CHECK(fatbin_next(&it, &f, &done) == CODE_BAD_FATBIN);
	it = (struct fatbin_iter){.p = b.p, .n = 0};
	CHECK(fatbin_next(&it, &f, &done) == CODE_OK && done);
	it = (struct fatbin_iter){.p = (const u8 *)"\x7f"
						   "ELF and more than the 32 bytes of a header",
		.n = 40};
	CHECK(fatbin_next(&it, &f, &done) == CODE_BAD_FATBIN);
	buf_free(&b);
	arena_free(&a);
	return failures != 0;
}
