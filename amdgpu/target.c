/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* target.c - the table of GPUs and the one formula of residency. */
#include "amdgpu/target.h"

static const struct target targets[TARGET_COUNT] = {
#define TARGET(name, mach, major, minor, step, wave, vgprs, granule, waves, lds, cus, cc, product) \
	{#name, mach, major, minor, step, wave, vgprs, granule, waves, lds, cus, cc, product},
#include "amdgpu/targets.def"
#undef TARGET
};

const struct target *
target_get(enum target_id id)
{
	assert(id < TARGET_COUNT);
	return &targets[id];
}

const struct target *
target_find(struct str name)
{
	struct str rest = name, chip = str_split(&rest, ':');
	for (size_t i = 0; i < TARGET_COUNT; i++)
		if (str_is(chip, targets[i].name))
			return &targets[i];
	return NULL;
}

const struct target *
target_find_mach(u32 e_flags)
{
	for (size_t i = 0; i < TARGET_COUNT; i++)
		if (targets[i].mach == (e_flags & 0xff))
			return &targets[i];
	return NULL;
}

u32
target_residency(const struct target *t, u32 wave, u32 vgprs, u32 lds, u32 threads)
{
	if (!threads || threads > 1024 || lds > t->lds || (wave != 32 && wave != 64))
		return 0;
	/* A wave64 on a wave32 machine takes two register files' worth. */
	u32 pool = t->vgprs * (u32)t->wave / wave;
	u32 need = vgprs ? (vgprs + t->granule - 1) / t->granule * t->granule : t->granule;
	u32 per_simd = pool / need < t->waves ? pool / need : t->waves;
	u32 simds = t->major >= 10 ? 2 : 4;
	u32 waves = (threads + wave - 1) / wave;
	/* A workgroup is spread over the SIMDs of a CU (of a WGP, from gfx10 on, if it must). */
	u32 by_waves = per_simd * simds / waves;
	if (!by_waves && t->major >= 10 && per_simd * 4 >= waves)
		by_waves = 1;
	u32 by_lds = lds ? t->lds / ((lds + 511) / 512 * 512) : by_waves;
	u32 most = t->major >= 10 ? 32 : 16;
	u32 n = by_waves < by_lds ? by_waves : by_lds;
	return n < most ? n : most;
}
