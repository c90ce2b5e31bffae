/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * LINK: exec amdgpu base
 *
 * Random words through LLVM's disassembler of every target: whatever it prints must survive
 * print(parse(text)). Left out are texts in which LLVM itself says that the encoding is invalid, and
 * instructions of the graphics pipeline whose modifiers it prints in an order of their own.
 */
#include "amdgpu/exec/inst.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS 60000

static u64 state = 88172645463325252ull;

static u32
any(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (u32)(state >> 16);
}

static bool
left_out(const char *t)
{
	return strstr(t, "; Warning") || strstr(t, "/*") || strstr(t, "nvalid") ||
	       strstr(t, "v_interp") || strstr(t, "buffer_store_lds_dword");
}

/* Three in four words have the top bits of the long encodings, and SDWA, DPP and literals are frequent. */
static void
random_words(u32 w[5], u32 k)
{
	static const u32 src[] = {249, 250, 255, 233, 234, 255};
	for (int j = 0; j < 5; j++)
		w[j] = any();
	if (k & 1)
		w[0] |= 0x80000000u | (any() & 7 ? 0x40000000 : 0);
	if (k & 2) {
		w[0] &= ~(any() & any());
		w[1] &= ~(any() & any());
	}
	if (k & 4)
		w[1] &= any() & any() & any();
	if ((k & 24) == 8)
		w[0] = (w[0] & 0x7ffffe00) | src[any() % COUNT(src)];
}

static u32
check(const struct target *t, struct gcn_decoder *d, int *failures)
{
	u32 seen = 0;
	struct arena a = {0};
	for (u32 k = 0; k < WORDS; k++) {
		u32 w[5];
		char text[512];
		struct gcn_inst i;
		const char *why;
		size_t at;
		struct buf b = {0};
		random_words(w, k);
		if (gcn_decode(d, (u8 *)w, sizeof(w), 0, text, sizeof(text)) == 0 || left_out(text))
			continue;
		seen++;
		if (!gcn_parse(&a, str_of(text), &i, &why, &at)) {
			fprintf(stderr, "%s %08x %08x: %s\n%*s^ %s\n", t->name, w[0], w[1], text,
				(int)at, "", why);
			++*failures;
		} else {
			gcn_print(&b, &i);
			if (!str_eq((struct str){(char *)b.p, b.n}, i.text)) {
				fprintf(stderr, "%s: %s\nprinted %.*s\n", t->name, text, (int)b.n,
					(char *)b.p);
				++*failures;
			}
			buf_free(&b);
		}
		arena_free(&a);
	}
	return seen;
}

int
main(void)
{
	int failures = 0;
	for (int id = 0; id < TARGET_COUNT; id++) {
		const struct target *t = target_get((enum target_id)id);
		const char *why;
		struct gcn_decoder *d = gcn_decoder_new(t, &why);
		if (d == NULL) {
			fprintf(stderr, "%s: %s\n", t->name, why);
			return 1;
		}
		u32 seen = check(t, d, &failures);
		printf("%s: %u texts\n", t->name, seen);
		if (seen < WORDS / 10) {
			fprintf(stderr, "%s: hardly anything decodes\n", t->name);
			failures++;
		}
		gcn_decoder_free(d);
	}
	return failures != 0;
}
