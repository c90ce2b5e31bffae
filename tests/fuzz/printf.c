/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * LINK: format base
 *
 * Any bytes as the payload of a device printf record (lang/services.h): nothing beyond it is read, and
 * what is printed has a bound.
 */
#include "host-rt/rt.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const u8 *p, size_t n);

int
LLVMFuzzerTestOneInput(const u8 *p, size_t n)
{
	struct buf out = {0};
	rt_format(&out, (const char *)p, n);
	/* A conversion prints at most its width and precision, or a double of 309 digits and 4,096 more. */
	if (out.n > n * 9000)
		abort();
	buf_free(&out);
	return 0;
}
