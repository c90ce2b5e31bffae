/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * rules.c - what the plugin answers to clang. Each function states one rule of the language; tables
 * of lang/ and amdgpu/ hold the facts.
 */
#include "sema-ext/sx.h"
#include "amdgpu/target.h"

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
