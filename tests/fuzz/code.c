/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * LINK: amdgpu base
 *
 * Any bytes as a code object: reading, loading and asking for lines and functions stay inside.
 */
#include "amdgpu/code.h"
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const u8 *p, size_t n);

static u64
extern_find(void *user, struct str name)
{
	(void)user;
	return name.n % 2 ? 0x1000 : 0;
}

int
LLVMFuzzerTestOneInput(const u8 *p, size_t n)
{
	struct arena a = {0};
	struct code_object c;
	struct str missing;
	if (code_read(&a, (struct str){(const char *)p, n}, &c) == CODE_OK) {
		u64 size = c.high - c.low;
		u8 *to = size < 1 << 20 ? calloc(1, size + 1) : NULL;
		if (to != NULL &&
			code_load(&c, to, 0x7000000000, extern_find, NULL, &missing) != CODE_OK &&
			missing.n > n)
			abort();
		free(to);
		for (size_t i = 0; i < c.nkernels; i++) {
			const struct code_kernel *k = &c.kernels[i];
			if (k->nexplicit > k->nargs || k->descriptor < c.low ||
				k->descriptor + 64 > c.high)
				abort();
			(void)code_line_find(&a, &c, k->entry);
			(void)code_function_at(&c, k->entry);
			if (code_kernel_find(&c, k->name) == NULL)
				abort();
		}
	}
	arena_free(&a);
	return 0;
}
