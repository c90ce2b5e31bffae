/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * LINK: amdgpu base
 *
 * Any bytes as a fat binary: every image that comes out lies inside.
 */
#include "amdgpu/code.h"
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const u8 *p, size_t n);

int
LLVMFuzzerTestOneInput(const u8 *p, size_t n)
{
	struct fatbin_iter it = {.p = p, .n = n};
	struct fatbin_image f;
	bool done;
	size_t images = 0;
	while (fatbin_next(&it, &f, &done) == CODE_OK && !done) {
		if ((const u8 *)f.image.p < p || (const u8 *)f.image.p + f.image.n > p + n)
			abort();
		if (f.arch.n > 0 &&
			((const u8 *)f.arch.p < p || (const u8 *)f.arch.p + f.arch.n >= p + n))
			abort();
		if (++images > n)
			abort();
	}
	return 0;
}
