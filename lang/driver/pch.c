/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * pch.c - precompiled forms of cuda_runtime.h, which take half of the time off a small source. They
 * are built with the toolkit, by `heddle pch`, for common calls, one a file lib/heddle/pch/KEY.pch.
 * The key is made of all words of a pass's command line that could change what the header means
 * (args.c says which cannot), the toolkit's path among them: a call that differs finds no file and
 * reads the header itself. Clang checks all files that went into one; when it complains, the pass is
 * run again without (run.c). HEDDLE_PCH=0 turns all of it off.
 */
#include "lang/driver/driver.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

u64
pch_key(u64 key, const char *word)
{
	for (; *word; word++) /* FNV-1a, the NUL between words included */
		key = (key ^ (u8)*word) * 0x100000001b3u;
	return key * 0x100000001b3u;
}

/* Names that headers of the system and of CUDA leave alone: not reserved, and known to none. */
bool
pch_macro_free(const char *definition)
{
	static const char *const known[] = {
		"NDEBUG", "CUDA", "CUDART", "HEDDLE", "NV_", "EXCLUDE_"};
	if (definition[0] == '_')
		return false;
	for (size_t i = 0; i < COUNT(known); i++)
		if (str_starts(str_of(definition), known[i]))
			return false;
	return true;
}

static const char *
path_of(struct driver *d, const char *dir, u64 key)
{
	return arena_printf(d->arena, "%s/%016llx.pch", dir, (unsigned long long)key);
}

/* Made with the plugin that is there now? Clang checks the headers, but not this. */
static bool
is_fresh(struct driver *d, const char *file)
{
	const char *plugin = arena_printf(d->arena, "%s/lib/heddle/libheddle-sema.so", d->kit.root);
	struct stat made, part;
	return plugin && stat(file, &made) == 0 &&
	       (stat(plugin, &part) < 0 || part.st_mtime <= made.st_mtime);
}

void
pch_find(struct driver *d, struct pass *pass)
{
	const char *env = getenv("HEDDLE_PCH");
	const char *dir = arena_printf(d->arena, "%s/lib/heddle/pch", d->kit.root);
	const char *file = dir ? path_of(d, dir, pass->key) : NULL;
	if (file && !(env && strcmp(env, "0") == 0) && is_fresh(d, file))
		pass->pch = file;
}

bool
pch_blamed(const struct pass *pass, const struct buf *text)
{
	static const char *const marks[] = {"precompiled", "PCH file", "AST file"};
	if (!pass->pch)
		return false;
	for (size_t i = 0; i < COUNT(marks); i++)
		if (text->n && memmem(text->p, text->n, marks[i], strlen(marks[i])))
			return true;
	return false;
}

/* The pass as a command that makes its precompiled header. */
static void
print_pass(struct driver *d, FILE *out, const char *dir, const struct pass *pass)
{
	struct buf b = {0};
	const char *const more[] = {"-fsyntax-only", "-Xclang", "-emit-pch", "-Xclang", "-o",
		"-Xclang", path_of(d, dir, pass->key)};
	for (size_t i = 0; i < pass->argv.n; i++) {
		word_quote(&b, pass->argv.p[i]);
		buf_add(&b, " ", 1);
	}
	for (size_t i = 0; i < COUNT(more); i++) {
		word_quote(&b, more[i] ? more[i] : "");
		buf_add(&b, " ", 1);
	}
	fprintf(out, "%.*s\n", (int)b.n, (const char *)b.p);
	buf_free(&b);
}

void
pch_print(struct driver *d, FILE *out, const char *dir)
{
	/* The calls that are common. Passes of several calls may agree. */
	static const char *const gpus_of[] = {"gfx1100", "gfx90a"};
	static const char *const stds[] = {"gnu++17", "c++17"};
	static const char *const levels[] = {"0", "2", "3"};
	u64 done[64];
	size_t ndone = 0;
	const char *source = arena_printf(d->arena, "%s/main.cu", dir);
	for (size_t i = 0; i < COUNT(stds) * COUNT(levels) * COUNT(gpus_of); i++) {
		size_t std = i / COUNT(gpus_of) / COUNT(levels);
		const char *argv[] = {"nvcc", "-c", source, "-std", stds[std], "-O",
			levels[i / COUNT(gpus_of) % COUNT(levels)], "-arch",
			gpus_of[i % COUNT(gpus_of)], NULL};
		/* No -O is what -O0 is; the words differ. */
		if (*argv[6] == '0') {
			argv[5] = argv[7];
			argv[6] = argv[8];
			argv[7] = NULL;
		}
		struct cmdline c;
		struct plan p = {0};
		cmdline_parse(d, (char *const *)(uintptr_t)argv, &c);
		plan_make(d, &c, dir, &p);
		for (size_t k = 0; !d->errors && k < p.units.p[0].passes.n; k++) {
			const struct pass *pass = &p.units.p[0].passes.p[k];
			bool known = false;
			for (size_t n = 0; n < ndone; n++)
				known |= done[n] == pass->key;
			if (!known && ndone < COUNT(done)) {
				done[ndone++] = pass->key;
				print_pass(d, out, dir, pass);
			}
		}
		plan_free(&p);
		cmdline_free(&c);
	}
}
