/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * LINK: exec amdgpu base
 *
 * Any bytes as the text of an instruction: what is accepted prints as a text that is accepted again and
 * prints the same.
 */
#include "amdgpu/exec/inst.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const u8 *p, size_t n);

int
LLVMFuzzerTestOneInput(const u8 *p, size_t n)
{
	struct arena a = {0};
	struct gcn_inst i, j;
	struct buf one = {0}, two = {0};
	const char *why;
	size_t at;
	if (gcn_parse(&a, (struct str){(const char *)p, n}, &i, &why, &at)) {
		gcn_print(&one, &i);
		if (!gcn_parse(&a, (struct str){(const char *)one.p, one.n}, &j, &why, &at))
			abort();
		gcn_print(&two, &j);
		if (one.n != two.n || memcmp(one.p, two.p, one.n) != 0)
			abort();
	} else if (at > n || why == NULL) {
		abort();
	}
	buf_free(&one);
	buf_free(&two);
	arena_free(&a);
	return 0;
}
