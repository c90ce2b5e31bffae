/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * index.c - helpers: registers chosen by M0. From gfx10 on v_movrels_b32 and its kin add M0 to a register's
 * number; gfx9 has a mode instead, which s_set_gpr_idx_on begins and s_set_gpr_idx_off ends, and in
 * which translate.c turns every v_mov_b32 into the same helper. This is what clang makes of an array in
 * registers with an index that is not constant.
 */
#include "amdgpu/exec/run/run.h"

/* A register's place moved by `index` registers; out of range: register 0 is read, nothing is written. */
static u32
moved(u32 at, u32 index, bool *out)
{
	u64 to = (u64)at + (u64)index * ROW;
	*out = index >= AGPR_BASE || (at < AGPR_BASE * ROW) != (to < AGPR_BASE * ROW) ||
	       to >= FILE_REGS * ROW;
	return *out ? 0 : (u32)to;
}

enum stop
move_indexed(struct wave *w, const struct uop *o)
{
	u32 flags = (u32)o->k[0], from = w->s[S_M0], to = from;
	struct src s = o->src[0];
	u32 dst = o->dst;
	bool out = false;
	if (flags & INDEX_BYTE)
		from = to = from & 0xff;
	if (flags & INDEX_TWO) {
		to = from >> 16 & 0x3ff;
		from &= 0x3ff;
	}
	if ((flags & INDEX_SRC) && s.kind == SRC_VGPR)
		s.at = moved(s.at, from, &out);
	if (flags & INDEX_SWAP && out)
		return STOP_NONE;
	out = false;
	if (flags & INDEX_DST)
		dst = moved(dst, to, &out);
	for (u32 h = 0; h < w->halves && flags & INDEX_SWAP && !out; h++) {
		u32 old[LANES];
		memcpy(old, vreg(w, h, dst), ROW);
		blend(vreg(w, h, dst), vreg(w, h, s.at), w->s[S_EXEC + h]);
		blend(vreg(w, h, s.at), old, w->s[S_EXEC + h]);
	}
	if (flags & INDEX_SWAP)
		return STOP_NONE;
	for (u32 h = 0; h < w->halves && !out; h++)
		blend(vreg(w, h, dst), fetch(w, h, &s, 0), w->s[S_EXEC + h]);
	return STOP_NONE;
}

/* s_set_gpr_idx_on: M0 holds the index in bits 7:0 and the mode in 15:12. */
enum stop
index_on(struct wave *w, const struct uop *o)
{
	u32 v = fetch(w, 0, &o->src[0], 0)[0];
	w->s[S_M0] = (w->s[S_M0] & ~0xf0ffu) | (v & 0xff) | ((u32)o->k[0] & 15) << 12;
	return STOP_NONE;
}

/* s_set_gpr_idx_idx and s_set_gpr_idx_mode: one of the two. */
enum stop
index_idx(struct wave *w, const struct uop *o)
{
	u32 v = fetch(w, 0, &o->src[0], 0)[0];
	w->s[S_M0] = (w->s[S_M0] & ~0xffu) | (v & 0xff);
	return STOP_NONE;
}

enum stop
index_mode(struct wave *w, const struct uop *o)
{
	w->s[S_M0] = (w->s[S_M0] & ~0xf000u) | ((u32)o->k[0] & 15) << 12;
	return STOP_NONE;
}
