/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * names.c - finds the instruction names of all GPUs by decoding: every upper half of a first word, each with
 * a few lower halves and following words. LLVM has no list of them in its C interface, and a list of our
 * own would only say what we already know.
 */
#include "amdgpu/exec/tool/names.h"
#include "amdgpu/exec/wave.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const done[] = {
#define ROW_ANY(name) #name,
#include "amdgpu/exec/rows.h"
#include "amdgpu/exec/isa_none.h"
#undef ALIAS
#define ALIAS(name, row) #name,
#include "amdgpu/exec/isa.def"
};

/* A set of names, each with the GPUs that have it; slots are indices + 1. */
enum { SLOTS = 16384, NAMES = SLOTS / 2 };
struct set {
	u32 slot[SLOTS];
	u32 at[NAMES]; /* offsets into text */
	u32 gpus[NAMES];
	struct buf text;
	size_t n;
};

static void
set_add(struct set *s, struct str name, u32 gpu)
{
	u32 h = 2166136261u;
	for (size_t i = 0; i < name.n; i++)
		h = (h ^ (u8)name.p[i]) * 16777619u;
	for (h %= SLOTS; s->slot[h] != 0; h = (h + 1) % SLOTS) {
		u32 k = s->slot[h] - 1;
		if (str_is(name, (const char *)s->text.p + s->at[k])) {
			s->gpus[k] |= 1u << gpu;
			return;
		}
	}
	if (s->n == NAMES)
		return;
	s->at[s->n] = (u32)s->text.n;
	s->gpus[s->n] = 1u << gpu;
	s->slot[h] = (u32)++s->n;
	buf_add(&s->text, name.p, name.n);
	buf_zero(&s->text, 1);
}

/* "v_cmpx_…" is made of v_cmp_…, a half of VOPD of the plain instruction. */
static bool
is_done(struct str name)
{
	char other[64];
	size_t n = 0;
	if (str_starts(name, "v_cmpx_") && name.n < sizeof(other))
		n = (size_t)snprintf(
			other, sizeof(other), "v_cmp_%.*s", (int)name.n - 7, name.p + 7);
	else if (str_starts(name, "v_dual_") && name.n < sizeof(other))
		n = (size_t)snprintf(other, sizeof(other), "v_%.*s", (int)name.n - 7, name.p + 7);
	if (n == 0)
		n = (size_t)snprintf(other, sizeof(other), "%.*s", (int)name.n, name.p);
	for (size_t i = 0; i < COUNT(done); i++) {
		if (str_is((struct str){other, n}, done[i]))
			return true;
	}
	return false;
}

static void
print(const struct set *s, struct buf *b)
{
	for (size_t k = 0; k < s->n; k++) {
		struct str name = str_of((const char *)s->text.p + s->at[k]);
		if (is_done(name))
			buf_printf(b, "%s done", name.p);
		else
			buf_printf(b, "%s missing %s:", name.p, row_missing(name));
		for (u32 t = 0; t < TARGET_COUNT; t++)
			if (s->gpus[k] >> t & 1)
				buf_printf(b, " %s", target_get((enum target_id)t)->name);
		buf_printf(b, "\n");
	}
}

static u32
next(u64 *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return (u32)(*state >> 16);
}

/* Following words that many encodings take: small register numbers; registers in every place; anything. */
static void
words(u32 w[5], u32 half, int k, u64 *state)
{
	for (int j = 0; j < 5; j++)
		w[j] = next(state);
	w[0] = half << 16 | (w[0] & 0xffff);
	if (k >= 12) { /* places that must hold "null" or nothing */
		static const u32 low[] = {0, 0x7c, 0, 0x80, 0xff, 0x7d, 0x8000, 0x7c00};
		static const u32 second[] = {0x007c0000, 0x00000000, 0x007f0000, 0x7c000000, 0, 0x00010002,
			0x00000100, 0xf8000000};
		w[0] = (w[0] & 0xffff0000) | low[k % 8];
		w[1] = second[k % 8];
		w[2] = w[3] = w[4] = 0;
		return;
	}
	switch (k % 4) {
	case 0:
		break;
	case 1:
		w[0] &= 0xffff0000 | next(state);
		w[1] &= next(state) & next(state) & next(state);
		break;
	case 2:
		w[0] &= 0xffff0000;
		w[1] = 0x04020100; /* v0 three times */
		if (k >= 4) { /* op_sel_hi as matrix instructions want it */
			w[0] |= 0x4000;
			w[1] |= 0x18000000;
		}
		break;
	case 3:
		w[0] &= 0xffff00f8;
		w[1] = 0x04020100 | (next(state) & 0x03f1f8f8);
		break;
	}
}

const char *
names_list(struct buf *b)
{
	struct set *s = calloc(1, sizeof(*s));
	struct arena a = {0};
	const char *why = s == NULL ? "out of memory" : NULL;
	for (u32 t = 0; t < TARGET_COUNT && why == NULL; t++) {
		u64 state = 88172645463325252ull;
		struct gcn_decoder *d = gcn_decoder_new(target_get((enum target_id)t), &why);
		for (u32 half = 0; d != NULL && half < 0x10000; half++) {
			for (int k = 0; k < 20; k++) {
				u32 w[5];
				char text[512];
				struct gcn_inst i;
				const char *unused;
				size_t at;
				words(w, half, k, &state);
				if (gcn_decode(d, (u8 *)w, sizeof(w), 0, text, sizeof(text)) == 0 ||
					strstr(text, "/*") != NULL)
					continue;
				text[strcspn(text, ";")] = 0; /* LLVM's warnings */
				struct str line = str_of(text);
				while (line.n > 0 && line.p[line.n - 1] == ' ')
					line.n--;
				if (gcn_parse(&a, line, &i, &unused, &at)) {
					set_add(s, i.name, t);
					if (i.dual != NULL)
						set_add(s, i.dual->name, t);
				}
				arena_free(&a);
			}
		}
		gcn_decoder_free(d);
	}
	if (s != NULL) {
		if (why == NULL)
			print(s, b);
		buf_free(&s->text);
	}
	free(s);
	return why;
}
