/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// LINK: base
/* Proves that each row of lang/warp.def has just one body in lower/warp_body.def and the other way. */
#include "lang/base.h"

#include <stdio.h>
#include <string.h>

static const char *const rows[] = {
#define WARP(name, result, params, section) #name,
#include "lang/warp.def"
#undef WARP
};
static const char *const bodies[] = {
#define HELPER(wave, text)
#define BODY(name, text) #name,
#include "lower/warp_body.def"
#undef BODY
#undef HELPER
};

static size_t
count(const char *const *list, size_t n, const char *name)
{
	size_t found = 0;

	for (size_t i = 0; i < n; i++)
		found += strcmp(list[i], name) == 0;
	return found;
}

int
main(void)
{
	int bad = 0;

	for (size_t i = 0; i < COUNT(rows); i++)
		if (count(bodies, COUNT(bodies), rows[i]) != 1) {
			fprintf(stderr, "%s: not one body\n", rows[i]);
			bad = 1;
		}
	for (size_t i = 0; i < COUNT(bodies); i++)
		if (count(rows, COUNT(rows), bodies[i]) != 1) {
			fprintf(stderr, "%s: not one row\n", bodies[i]);
			bad = 1;
		}
	return bad;
}
