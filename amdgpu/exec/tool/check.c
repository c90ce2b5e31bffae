/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* check.c - translates all of a code object's functions without running anything. */
#include "amdgpu/exec/tool/check.h"
#include "amdgpu/exec/wave.h"
#include <stdio.h>
#include <stdlib.h>

struct check {
	struct exec *e;
	struct region region;
	struct gcn_decoder *decoder;
	struct arena names;
	VEC(struct str) seen;
};

static bool
is_new(struct check *c, struct str name)
{
	for (size_t k = 0; k < c->seen.n; k++)
		if (str_eq(c->seen.p[k], name))
			return false;
	const char *keep = arena_strdup(&c->names, name);
	return keep != NULL && VEC_PUSH(&c->seen, str_of(keep));
}

static void
function(struct check *c, u64 from, u64 to)
{
	for (u64 pc = from; pc < to;) {
		struct block b = {.e = c->e, .r = &c->region, .pc = pc};
		struct arena a = {0};
		struct gcn_inst i;
		const char *why;
		memset(&i, 0, sizeof(i));
		if (!gcn_read(c->decoder, &a, (const u8 *)(uintptr_t)pc, (size_t)(to - pc), pc, &i,
			    &why)) {
			pc += 4; /* data between the instructions: an error only if it were executed */
		} else {
			translate(&b, &i);
			for (size_t k = 0; k < b.n; k++)
				if (b.p[k].code == U_BAD && is_new(c, i.name))
					printf("%.*s: %s\n", (int)i.name.n, i.name.p, b.p[k].what);
			pc += i.bytes;
		}
		free(b.p);
		arena_free(&a);
	}
}

int
check_code(struct str image)
{
	struct arena a = {0};
	struct code_object co;
	struct exec_config config = {.threads = 1};
	struct exec_space *s = exec_space_new();
	struct check c = {0};
	const char *why;
	if (code_read(&a, image, &co) != CODE_OK)
		return -1;
	u64 size = co.high - co.low;
	u8 *p = calloc(1, size + 64);
	struct str missing;
	c.e = exec_new(co.target, s, &config);
	u32 wave = co.nkernels ? co.kernels[0].wave : co.target->wave;
	c.decoder = gcn_decoder_new_wave(co.target, wave, &why);
	if (p == NULL || c.e == NULL || c.decoder == NULL ||
		code_load(&co, p, (u64)(uintptr_t)p, NULL, NULL, &missing) != CODE_OK)
		return -1;
	c.region.base = (u64)(uintptr_t)p;
	c.region.size = size;
	c.region.wave = wave;
	for (size_t k = 0; k < co.nsymbols; k++)
		if (co.symbols[k].is_function)
			function(&c, c.region.base + co.symbols[k].addr - co.low,
				c.region.base + co.symbols[k].addr - co.low + co.symbols[k].size);
	int n = (int)c.seen.n;
	free(c.seen.p);
	arena_free(&c.names);
	arena_free(&c.region.arena);
	gcn_decoder_free(c.decoder);
	exec_free(c.e);
	exec_space_free(s);
	free(p);
	arena_free(&a);
	return n;
}
