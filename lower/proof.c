/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lower/low.h"

bool
low_proof(struct low *w)
{
	for (size_t i = 0; i < w->nkernels; i++) {
		struct low_kernel *k = &w->kernels[i];

		k->mode = w->target->wave == 32 ? HEDDLE_WARP_WAVE32 : HEDDLE_WARP_UNPROVED;
		k->reason = w->target->wave == 32 ? "" : "not analysed";
	}
	return false;
}
