/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * rules.c - what the plugin answers to clang. Each function states one rule of the language; tables
 * of lang/ and amdgpu/ hold the facts.
 */
#include "sema-ext/sx.h"
#include "amdgpu/target.h"
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

bool
sx_constraint_is_register(char c)
{
	switch (c) {
#define CONSTRAINT(letter, bits, meaning) case letter:
#include "lang/constraint.def"
#undef CONSTRAINT
		return true;
	default:
		return false;
	}
}

bool
sx_escape_is_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Named spaces convert to the generic one implicitly, as in the device pass: global, region, shared,
 * constant and private of AMDGPU (AMDGPUUsage, "Address Spaces") are 1 to 5. */
bool
sx_space_holds(int a, int b)
{
	return a == b || (a < 0 && b >= 0 && b <= 5);
}

bool
sx_body_is_skipped(bool host, bool device, bool kernel)
{
	return device && !host && !kernel;
}

unsigned
sx_waves_per_simd(const char *arch, unsigned threads, unsigned blocks)
{
	const struct target *t = target_find(str_of(arch));
	unsigned simds, waves;

	if (!t || threads == 0 || blocks == 0)
		return 0;
	simds = t->major < 10 ? 4 : 2;
	waves = (threads + t->wave - 1u) / t->wave;
	if (blocks > 64)
		blocks = 64;
	waves = (waves * blocks + simds - 1) / simds;
	return waves > t->waves ? t->waves : waves;
}

bool
sx_warp_is_mode(const char *word, size_t n)
{
	struct str s = {word, n};

	return str_is(s, "paired") || str_is(s, "solo");
}

bool
sx_header_is_foreign(const char *real, const char *own)
{
	char path[PATH_MAX];
	size_t n = strlen(real), own_n = strlen(own);
	struct stat st;

	if (n + sizeof("/cuda_runtime.h") > sizeof(path))
		return false;
	memcpy(path, real, n + 1);
	for (char *slash; (slash = strrchr(path, '/')) && slash > path;) {
		*slash = 0;
		if (strcmp(path, own) == 0 && own_n)
			return false;
		/* A link is no toolkit: folders that many share hold links to one. */
		strcpy(slash, "/cuda_runtime.h");
		if (lstat(path, &st) == 0 && S_ISREG(st.st_mode))
			return true;
		*slash = 0;
	}
	return false;
}
