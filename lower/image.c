/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * image.c - refuses image instructions on gfx942 and gfx950, which have none: LLVM 22 emits them there
 * without a word, and the GPU would run something else.
 */
#include "lower/low.h"

bool
low_image(struct low *w)
{
	if (!w->target || w->target->major != 9 || w->target->minor < 4)
		return false;
	LOW_EACH_FN (w->m, f)
		LOW_EACH_BLOCK (f, b)
			LOW_EACH_INST (b, i)
				if (low_is_call_to(i, "llvm.amdgcn.image."))
					low_report(
						w, i, 0, LOW_DIAG_image_missing, w->target->name);
	return false;
}
