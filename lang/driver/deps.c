/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * deps.c - make rules of a CUDA source. The host's pass writes the rule that was asked for; the GPUs'
 * passes may read other files (#ifdef __CUDA_ARCH__) and write rules of their own. What they have in
 * addition is appended as one more rule of the same target, which make and ninja join.
 * Names stay as clang wrote them, escaped for make, so that they compare as they are.
 */
#include "lang/driver/driver.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The next name of a rule; a backslash joins lines and protects blanks. Empty at the rule's end. */
static struct str
name_next(struct str *rest)
{
	size_t i = 0;
	while (i < rest->n && (rest->p[i] == ' ' || (rest->p[i] == '\\' && i + 1 < rest->n &&
							    rest->p[i + 1] == '\n')))
		i += rest->p[i] == ' ' ? 1 : 2;
	size_t begin = i;
	while (i < rest->n && rest->p[i] != ' ' && rest->p[i] != '\n') {
		if (rest->p[i] == '\\' && i + 1 < rest->n) {
			if (rest->p[i + 1] == '\n')
				break;
			i++;
		}
		i++;
	}
	struct str name = {rest->p + begin, i - begin};
	*rest = (struct str){rest->p + i, rest->n - i};
	return name;
}

/* Takes the target and its colon off the text of a rule. */
static struct str
target_take(struct str *rest)
{
	for (size_t i = 0; i + 1 < rest->n; i++)
		if (rest->p[i] == ':' && (rest->p[i + 1] == ' ' || rest->p[i + 1] == '\n')) {
			struct str target = {rest->p, i};
			*rest = (struct str){rest->p + i + 1, rest->n - i - 1};
			return target;
		}
	*rest = (struct str){0};
	return (struct str){0};
}

/* Whether a rule of the file has the name behind its colon. */
static bool
rule_has(struct str file, struct str name)
{
	while (file.n) {
		struct str n = name_next(&file);
		if (n.n && str_eq(n, name))
			return true;
		if (!n.n && file.n) /* the end of a rule */
			file = (struct str){file.p + 1, file.n - 1};
	}
	return false;
}

bool
deps_add(struct driver *d, const char *file, const char *more, bool phony)
{
	struct str have = {0}, add = {0};
	struct buf out = {0};
	bool good = false;
	have.p = file_read(file, &have.n);
	add.p = have.p ? file_read(more, &add.n) : NULL;
	if (!add.p) {
		diag(d, DIAG_READ, have.p ? more : file, strerror(errno), NULL);
		goto end;
	}
	struct str rest = have, target = target_take(&rest), names = add;
	buf_add(&out, have.p, have.n);
	size_t before = out.n;
	target_take(&names);
	for (struct str n; (n = name_next(&names)).n;) {
		if (rule_has(have, n) || memmem(n.p, n.n, "/lib/heddle/pch/", 16))
			continue;
		if (out.n == before)
			buf_printf(&out, "%.*s:", (int)target.n, target.p);
		buf_printf(&out, " \\\n  %.*s", (int)n.n, n.p);
	}
	good = out.n == before;
	if (!good) {
		buf_printf(&out, "\n");
		names = add;
		target_take(&names);
		for (struct str n; phony && (n = name_next(&names)).n;)
			if (!rule_has(have, n) && !memmem(n.p, n.n, "/lib/heddle/pch/", 16))
				buf_printf(&out, "%.*s:\n", (int)n.n, n.p);
		good = !out.failed && file_write(file, out.p, out.n);
		if (!good)
			diag(d, DIAG_WRITE, file, strerror(errno), NULL);
	}
end:
	buf_free(&out);
	free((void *)(uintptr_t)have.p);
	free((void *)(uintptr_t)add.p);
	return good;
}
