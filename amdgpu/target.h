/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* target.h - the GPUs of targets.def, looked up by name or by ELF machine. All of it is constant. */
#ifndef HEDDLE_TARGET_H
#define HEDDLE_TARGET_H

#include "lang/base.h"

enum target_id {
#define TARGET(name, ...) TARGET_##name,
#include "amdgpu/targets.def"
#undef TARGET
	TARGET_COUNT
};

struct target {
	const char *name; /* "gfx1100" */
	u8 mach, major, minor, step;
	u8 wave;     /* lanes of a default wave: 32 or 64 */
	u16 vgprs;   /* of a SIMD, a lane */
	u8 granule;  /* of VGPR allocation */
	u8 waves;    /* most waves of a SIMD */
	u32 lds;     /* bytes a workgroup */
	u16 cus;     /* compute units */
	u8 cc;       /* advertised compute capability, 10 * major + minor */
	const char *product;
};

#define TARGET_DEFAULT TARGET_gfx1100

const struct target *target_get(enum target_id id);
const struct target *target_find(struct str name);  /* "gfx1100" or "gfx90a:xnack-"; NULL: unknown */
const struct target *target_find_mach(u32 e_flags); /* NULL: unknown */

/* Workgroups of `threads` work-items that one compute unit keeps resident at once; the executor's
 * scheduler and the occupancy API both ask here. `vgprs` as in the kernel descriptor (allocated),
 * `lds` in bytes, static and dynamic. 0 when not even one fits. */
u32 target_residency(const struct target *t, u32 wave, u32 vgprs, u32 lds, u32 threads);

#endif
