/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * low.c - runs the passes of pass.def, in order, over one module. plugin.cpp calls it inside clang,
 * tool/low.c from the command line.
 */
#include "lower/low.h"
#include <stdio.h>
#include <string.h>

const struct low_pass low_passes[] = {
#define EACH                       LOW_EACH
#define PART                       LOW_PART
#define START                      LOW_START
#define LAST                       LOW_LAST
#define PASS(name, when, fn, what) {#name, when, fn, what},
#include "lower/pass.def"
#undef PASS
#undef LAST
#undef START
#undef PART
#undef EACH
};
const size_t low_npasses = COUNT(low_passes);

const struct low_pass *
low_pass_find(struct str name)
{
	for (size_t i = 0; i < COUNT(low_passes); i++)
		if (str_is(name, low_passes[i].name))
			return &low_passes[i];
	return NULL;
}

/* The GPU of a module is the "target-cpu" that its functions have; clang gives all of them one. */
static bool
find_target(struct low *w)
{
	LOW_EACH_FN (w->m, f) {
		struct str cpu = low_attr(f, "target-cpu");

		if (cpu.n == 0 || LLVMIsDeclaration(f))
			continue;
		w->target = target_find(cpu);
		if (!w->target)
			low_report(w, NULL, 0, LOW_DIAG_target_unknown, (int)cpu.n, cpu.p);
		return w->target != NULL;
	}
	return false; /* no code: nothing to do */
}

static bool
find_kernels(struct low *w)
{
	size_t n = 0;

	LOW_EACH_FN (w->m, f)
		n += low_is_kernel(f);
	w->kernels = ARENA_NEW(&w->arena, struct low_kernel, n + 1);
	if (!w->kernels)
		return false;
	LOW_EACH_FN (w->m, f)
		if (low_is_kernel(f))
			w->kernels[w->nkernels++] = (struct low_kernel){
				f, HEDDLE_WARP_UNKNOWN, low_max_block(f), false, ""};
	return true;
}

static void
run_pass(struct low *w, const struct low_pass *p, const char *after)
{
	w->changed |= p->run(w);
	if (after && strcmp(after, p->name) == 0) {
		char *text = LLVMPrintModuleToString(w->m);

		fprintf(stderr, "; after %s\n%s", p->name, text);
		LLVMDisposeMessage(text);
	}
}

/* Clang goes on after an error of a pass, to find more; the passes after optimisation would only be
 * misled by what is missing. A named metadata node tells them. */
static const char failed[] = "heddle.failed";

static bool
has_failed(LLVMModuleRef m)
{
	return LLVMGetNamedMetadata(m, failed, sizeof(failed) - 1) != NULL;
}

static bool
runs(enum low_when pass, enum low_when when)
{
	return pass == when || (pass == LOW_EACH && when != LOW_LAST);
}

bool
low_run(LLVMModuleRef m, struct low_shim *shim, enum low_when when, const char *names,
	const char *after)
{
	struct low w = {.m = m, .cx = LLVMGetModuleContext(m), .shim = shim};
	struct str rest = str_of(names);

	if (strncmp(LLVMGetTarget(m), "amdgcn", 6) != 0 || has_failed(m) ||
		(!find_target(&w) && (w.errors || when != LOW_PART)) || !find_kernels(&w)) {
		arena_free(&w.arena);
		return false;
	}
	if (names)
		while (rest.n) {
			const struct low_pass *p = low_pass_find(str_split(&rest, ','));

			if (p)
				run_pass(&w, p, after);
		}
	else
		for (size_t i = 0; i < COUNT(low_passes) && w.errors == 0; i++)
			if (runs(low_passes[i].when, when))
				run_pass(&w, &low_passes[i], after);
	if (w.errors)
		LLVMGetOrInsertNamedMetadata(m, failed, sizeof(failed) - 1);
	arena_free(&w.arena);
	return w.changed;
}
