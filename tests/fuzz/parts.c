/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * LINK: amdgpu base
 *
 * Any bytes as an object or archive with device code that is not linked yet: every part lies inside.
 */
#include "amdgpu/code.h"
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const u8 *p, size_t n);

static bool
look(void *user, struct str member, const struct fatbin_image *part)
{
	const struct str *file = user;
	if (part->image.p < file->p || part->image.p + part->image.n > file->p + file->n)
		abort();
	if (member.n && (member.p < file->p || member.p + member.n > file->p + file->n))
		abort();
	return true;
}

int
LLVMFuzzerTestOneInput(const u8 *p, size_t n)
{
	struct str file = {(const char *)p, n};
	if (str_starts(file, "!<thin>")) /* names files */
		return 0;
	return code_parts("none", file, look, &file) == CODE_NO_MEMORY;
}
