/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* clang_run.h - for unit tests that need a code object: finds the tests' LLVM and runs a command. */
#include "lang/base.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The value of `name = value` in the build folder's build.ninja; NULL when it is not there. */
static inline char *
ninja_value(struct arena *a, const char *name)
{
	const char *build = getenv("HEDDLE_BUILD");
	size_t n;
	char *text = file_read(arena_printf(a, "%s/build.ninja", build != NULL ? build : "build"), &n);
	struct str rest = {text, text != NULL ? n : 0};
	char *out = NULL;
	const char *want = arena_printf(a, "%s = ", name);
	while (rest.n > 0 && out == NULL) {
		struct str line = str_split(&rest, '\n');
		if (str_starts(line, want))
			out = arena_strdup(a, (struct str){line.p + strlen(want), line.n - strlen(want)});
	}
	free(text);
	return out;
}

/* A folder of our own for files. */
static inline char *
temporary(struct arena *a)
{
	const char *tmp = getenv("TMPDIR");
	char *path = arena_printf(a, "%s/heddle-unit-XXXXXX", tmp != NULL ? tmp : "/tmp");
	return mkdtemp(path);
}

/* Compiles tests/unit/Inputs/two_kernels.hip; the file's bytes, or NULL and a message. */
static inline struct str
two_kernels(struct arena *a, const char *dir, const char *gpu, const char *flags)
{
	char *llvm = ninja_value(a, "llvm");
	const char *src = getenv("HEDDLE_SRC");
	char *out = arena_printf(a, "%s/%s.o", dir, gpu);
	char *command = arena_printf(a, "%s/bin/clang -x hip --cuda-device-only --offload-arch=%s -nogpuinc -nogpulib "
		"--no-gpu-bundle-output -mcode-object-version=5 -O2 %s %s/tests/unit/Inputs/two_kernels.hip -o %s",
		llvm != NULL ? llvm : "/usr", gpu, flags, src != NULL ? src : ".", out);
	size_t n = 0;
	char *bytes = system(command) == 0 ? file_read(out, &n) : NULL;
	struct str s = {NULL, 0};
	if (bytes == NULL)
		fprintf(stderr, "failed: %s\n", command);
	else
		s = (struct str){arena_strdup(a, (struct str){bytes, n}), n};
	remove(out);
	free(bytes);
	return s;
}
