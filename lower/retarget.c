/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * retarget.c - compiles the functions of the device library for the GPU of this run. The library is
 * bitcode for one GPU; clang replaces its "target-cpu" but only adds to its "target-features", which
 * leaves a function for gfx90a that claims +gfx11-insts and +wavefrontsize32. The program's own
 * functions, of which a kernel is one, carry the right list. When device code is linked after it was
 * compiled, clang no longer knows whether denormals are flushed; the kernels do.
 */
#include "lower/low.h"
#include <string.h>

/* True when list `have` holds all features of `want`; both are comma-separated. */
static bool
holds_all(struct str have, struct str want)
{
	while (want.n) {
		struct str one = str_split(&want, ','), rest = have;
		bool found = false;

		while (rest.n && !found)
			found = str_eq(str_split(&rest, ','), one);
		if (!found)
			return false;
	}
	return true;
}

bool
low_retarget(struct low *w)
{
	struct str cpu, features, have, denormals;
	bool changed = false, linked;

	if (w->nkernels == 0)
		return false; /* nothing is emitted but what a kernel calls */
	cpu = low_attr(w->kernels[0].fn, "target-cpu");
	features = low_attr(w->kernels[0].fn, "target-features");
	denormals = low_attr(w->kernels[0].fn, "denormal-fp-math-f32");
	linked = low_attr(w->kernels[0].fn, "heddle-part").n != 0;
	if (denormals.n == 0)
		denormals = STR("ieee,ieee");
	LOW_EACH_FN (w->m, f) {
		if (LLVMIsDeclaration(f) || low_is_kernel(f))
			continue;
		if (linked && low_attr(f, "heddle-part").n == 0) {
			low_attr_set(w, f, "denormal-fp-math-f32", denormals);
			changed = true;
		}
		have = low_attr(f, "target-features");
		if (str_eq(have, features) || !(have.n == 0 || holds_all(have, features)))
			continue; /* the user's own target attribute */
		low_attr_set(w, f, "target-cpu", cpu);
		low_attr_set(w, f, "target-features", features);
		changed = true;
	}
	return changed;
}
