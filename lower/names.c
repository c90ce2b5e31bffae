/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * names.c - static kernels and variables of a source whose device code is linked later. The host knows
 * them by name, so clang lets the linker see them, under names that are the source's own: the GPU's pass
 * writes NAME.static.HASH and NAME.intern.HASH, the host's pass NAME__static__HASH. The host's are taken.
 * What used a variable before clang knew that the host uses it, too, still means plain NAME, which
 * nothing defines: it gets the variable.
 */
#include "lower/low.h"
#include <string.h>

/* "NAME.static.HASH" gives NAME, WORD and HASH. */
static bool
parts(struct str name, struct str *stem, const char **word, struct str *hash)
{
	static const char *const words[] = {"static", "intern"};

	for (size_t i = 0; i < COUNT(words); i++) {
		char dotted[16];
		size_t n = strlen(words[i]) + 2;
		const char *at;

		dotted[0] = '.';
		memcpy(dotted + 1, words[i], n - 2);
		dotted[n - 1] = '.';
		at = name.n ? memmem(name.p, name.n, dotted, n) : NULL;
		if (!at)
			continue;
		*stem = (struct str){name.p, (size_t)(at - name.p)};
		*hash = (struct str){at + n, name.n - stem->n - n};
		*word = words[i];
		return true;
	}
	return false;
}

static void
rename_value(struct low *w, LLVMValueRef v)
{
	struct str stem, hash;
	const char *word, *plain, *now;
	LLVMValueRef lost;

	if (LLVMIsDeclaration(v) || !parts(low_name(v), &stem, &word, &hash))
		return;
	plain = arena_strdup(&w->arena, stem);
	now = arena_printf(
		&w->arena, "%.*s__%s__%.*s", (int)stem.n, stem.p, word, (int)hash.n, hash.p);
	assert(plain && now);
	lost = LLVMIsAFunction(v) ? LLVMGetNamedFunction(w->m, plain)
				  : LLVMGetNamedGlobal(w->m, plain);
	if (lost && LLVMIsDeclaration(lost) && LLVMTypeOf(lost) == LLVMTypeOf(v))
		LLVMReplaceAllUsesWith(lost, v);
	LLVMSetValueName2(v, now, strlen(now));
}

bool
low_names(struct low *w)
{
	LOW_EACH_FN (w->m, f) {
		rename_value(w, f);
		if (!LLVMIsDeclaration(f)) /* not the library's: retarget.c */
			low_attr_set(w, f, "heddle-part", STR("true"));
	}
	for (LLVMValueRef g = LLVMGetFirstGlobal(w->m); g; g = LLVMGetNextGlobal(g))
		rename_value(w, g);
	return true;
}
