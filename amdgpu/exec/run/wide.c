/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * wide.c - helpers: rows of isa.def whose operands are more than two registers. A lane's registers are gathered
 * into arrays, the row's expression runs on those, and its result goes back.
 */
#include "amdgpu/exec/run/run.h"
#include "amdgpu/exec/run/small.h"

enum { MOST = 32 };

typedef void wide_fn(u32 *d, const u32 *a, const u32 *b, const u32 *c);

static void
mqsad_u32(u32 *d, const u32 *a, u32 b, const u32 *c)
{
	u64 v = a[0] | (u64)a[1] << 32;
	for (u32 i = 0; i < 4; i++)
		d[i] = (u32)sat_u32((i64)msad_u8((u32)(v >> 8 * i), b) + c[i]);
}

#include "amdgpu/exec/isa_none.h"
#undef WIDE
#define WIDE(name, nd, na, nb, nc, call)                                                           \
	static void wide_##name(u32 *d, const u32 *a, const u32 *b, const u32 *c)                  \
	{                                                                                          \
		(void)a, (void)b, (void)c;                                                         \
		call;                                                                              \
	}
#include "amdgpu/exec/isa.def"

static const struct {
	wide_fn *fn;
} wides[R_COUNT] = {
#include "amdgpu/exec/isa_none.h"
#undef WIDE
#define WIDE(name, nd, na, nb, nc, call) [R_##name] = {wide_##name},
#include "amdgpu/exec/isa.def"
};

static void
gather(struct wave *w, const struct src *s, u32 half, u32 lane, u32 *out)
{
	for (u32 k = 0; k < s->n; k++)
		switch ((enum src_kind)s->kind) {
		case SRC_VGPR:
			out[k] = vreg(w, half, s->at + k * ROW)[lane];
			break;
		case SRC_SGPR:
			out[k] = w->s[s->at + k];
			break;
		default:
			out[k] = ((const u32 *)(const void *)(w->base[SRC_CONST] + s->at))[k % 2 * LANES];
		}
}

enum stop
wide_help(struct wave *w, const struct uop *o)
{
	u32 v[3][MOST], d[MOST];
	for (u32 half = 0; half < w->halves; half++)
		for (u32 on = w->s[S_EXEC + half]; on; on &= on - 1) {
			u32 lane = (u32)__builtin_ctz(on);
			for (u32 k = 0; k < 3; k++) {
				gather(w, &o->src[k], half, lane, v[k]);
				if (o->src[k].imm & SRC_ABS)
					v[k][0] &= 0x7fffffff;
				if (o->src[k].imm & SRC_NEG)
					v[k][0] ^= 0x80000000;
			}
			memset(d, 0, sizeof(d));
			wides[o->k[1]].fn(d, v[0], v[1], v[2]);
			for (u32 k = 0; k < o->nd; k++)
				vreg(w, half, o->dst + k * ROW)[lane] = d[k];
		}
	return STOP_NONE;
}
