/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * LINK: amdgpu base
 *
 * A code object as clang makes it: everything that code_read says, loading with relocation, source
 * lines in DWARF 4 and 5; then the same file cut off, damaged, and read with too little memory.
 */
#include "amdgpu/code.h"
#include "clang_run.h"
#include <unistd.h>

#define CHECK(x) ((x) ? (void)0 : fail(#x, __LINE__))

static int failures;

static void
fail(const char *what, int line)
{
	fprintf(stderr, "code_read.c:%d: %s\n", line, what);
	failures++;
}

static void
check_read(struct str image, const char *gpu, u32 wave, bool notes)
{
	struct arena a = {0};
	struct code_object c;
	enum code_status s = code_read(&a, image, &c);
	CHECK(s == CODE_OK);
	if (s != CODE_OK)
		return;
	CHECK(str_is(str_of(c.target->name), gpu) && c.abi == 3 && c.nkernels == 2);
	const struct code_kernel *add = code_kernel_find(&c, STR("add")),
				 *lds = code_kernel_find(&c, STR("_Z3ldsPi"));
	CHECK(add != NULL && lds != NULL && code_kernel_find(&c, STR("ad")) == NULL);
	if (add == NULL || lds == NULL)
		return;
	CHECK(str_is(add->symbol, "add.kd") && add->wave == wave && add->max_threads == 1024);
	CHECK(add->nexplicit == 3 && add->nargs > 3 && add->kernarg_size >= 20 + 256 &&
		add->kernarg_align == 8);
	CHECK(add->args[0].kind == CODE_ARG_global_buffer && add->args[0].offset == 0 &&
		add->args[0].size == 8);
	CHECK(add->args[2].kind == CODE_ARG_by_value && add->args[2].offset == 16 &&
		add->args[2].size == 4);
	CHECK(add->args[3].kind == CODE_ARG_hidden_block_count_x && add->args[3].offset == 24);
	CHECK(add->group_size == 0 && lds->group_size == 256 && !add->dynamic_stack);
	CHECK(add->vgprs > 0 && add->sgprs > 0 && add->descriptor % 64 == 0 &&
		add->entry % 256 == 0);
	CHECK(lds->mode == (notes ? HEDDLE_WARP_SOLO : HEDDLE_WARP_UNKNOWN));
	CHECK(add->mode == (notes ? HEDDLE_WARP_PAIRED : HEDDLE_WARP_UNKNOWN));
	CHECK(lds->max_block == (notes ? 512 : 1024));
	CHECK(str_is(lds->reason, notes ? "a barrier in a loop" : "") &&
		lds->reason.n == (notes ? 19 : 0));

	const struct code_symbol *table = code_symbol_find(&c, STR("table")),
				 *counter = code_symbol_find(&c, STR("counter"));
	const struct code_symbol *pointer = code_symbol_find(&c, STR("pointer"));
	CHECK(table != NULL && table->size == 64 && !table->is_function && counter != NULL &&
		pointer != NULL);
	CHECK(code_symbol_find(&c, STR("nothing")) == NULL);
	struct str f = code_function_at(&c, add->entry + 8);
	CHECK(str_is(f, "add"));
	CHECK(str_is(code_function_at(&c, lds->entry), "_Z3ldsPi") &&
		code_function_at(&c, c.high + 1).n == 0);

	/* Loaded elsewhere, the pointer points to the counter and the constants are there. */
	u64 base = 0x7f0000001000;
	u8 *to = calloc(1, c.high - c.low);
	struct str missing;
	u64 value;
	float three;
	CHECK(to != NULL && code_load(&c, to, base, NULL, NULL, &missing) == CODE_OK &&
		missing.n == 0);
	if (table == NULL || counter == NULL || pointer == NULL)
		return;
	memcpy(&value, to + (pointer->addr - c.low), sizeof(value));
	CHECK(value == base + (counter->addr - c.low));
	memcpy(&three, to + (table->addr - c.low) + 8, sizeof(three));
	CHECK(three == 3);
	free(to);
	arena_free(&a);
}

/* Every line that some instruction of `kernel` is attributed to must be one that has code. */
static void
check_lines(struct str image)
{
	struct arena a = {0};
	struct code_object c;
	CHECK(code_read(&a, image, &c) == CODE_OK);
	bool seen[64] = {false};
	for (u64 at = c.kernels[0].entry; at < c.high; at += 4) {
		struct code_line l = code_line_find(&a, &c, at);
		if (l.line == 0)
			continue;
		CHECK(l.line < 48 && str_ends(str_of(l.file), "two_kernels.hip"));
		if (l.line < COUNT(seen))
			seen[l.line] = true;
	}
	CHECK(seen[27] && seen[33] && seen[42] && !seen[19] && !seen[24]);
	CHECK(code_line_find(&a, &c, c.low).line == 0 &&
		code_line_find(&a, &c, UINT64_MAX).line == 0);
	arena_free(&a);
}

/* Whatever is in the bytes: a status, and what is returned can be used. */
static enum code_status
use(struct str image, size_t limit)
{
	struct arena a = {.limit = limit};
	struct code_object c;
	struct str missing;
	enum code_status s = code_read(&a, image, &c);
	if (s == CODE_OK) {
		u8 *to = c.high - c.low < 1 << 20 ? calloc(1, c.high - c.low + 1) : NULL;
		if (to != NULL)
			(void)!code_load(&c, to, 0x10000, NULL, NULL, &missing);
		free(to);
		(void)code_line_find(&a, &c, c.nkernels > 0 ? c.kernels[0].entry : 0);
		(void)code_function_at(&c, c.low);
	}
	arena_free(&a);
	return s;
}

static void
check_damage(struct str image)
{
	u64 state = 88172645463325252ull;
	for (size_t n = 0; n < image.n; n += n < 4096 ? 1 : 37) {
		char *cut = malloc(n + 1); /* exactly so long, for the sanitizer */
		memcpy(cut, image.p, n);
		CHECK(use((struct str){cut, n}, 0) != CODE_OK || n > image.n / 2);
		free(cut);
	}
	for (int k = 0; k < 20000; k++) {
		char *copy = malloc(image.n);
		memcpy(copy, image.p, image.n);
		for (int j = 0; j < 1 + k % 3; j++) {
			state ^= state << 13;
			state ^= state >> 7;
			state ^= state << 17;
			size_t at = k & 1 ? state % 0xc00 % image.n : state % image.n;
			copy[at] = (char)(state >> 40);
		}
		(void)use((struct str){copy, image.n}, 0);
		free(copy);
	}
	bool complete = false;
	for (size_t limit = 1; limit < 1 << 20 && !complete; limit += 64) {
		enum code_status s = use(image, limit);
		complete = s == CODE_OK;
		CHECK(complete || s == CODE_NO_MEMORY);
	}
	CHECK(complete);
}

int
main(void)
{
	struct arena a = {0};
	char *dir = temporary(&a);
	struct str rdna =
		two_kernels(&a, dir, "gfx1100", "-gline-tables-only -gdwarf-5 -DVERSION=1");
	struct str cdna = two_kernels(&a, dir, "gfx90a", "-gline-tables-only -gdwarf-4");
	struct str strange = two_kernels(&a, dir, "gfx1200", "-DVERSION=7");
	rmdir(dir);
	if (rdna.p == NULL || cdna.p == NULL || strange.p == NULL)
		return 1;
	check_read(rdna, "gfx1100", 32, true);
	check_read(cdna, "gfx90a", 64, false);
	check_lines(rdna);
	check_lines(cdna);
	CHECK(use(strange, 0) == CODE_BAD_NOTE);
	check_damage(rdna);
	CHECK(use((struct str){"", 0}, 0) == CODE_BAD_ELF);
	arena_free(&a);
	return failures != 0;
}
