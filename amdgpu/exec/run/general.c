/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * general.c - vector operations with modifiers. Operands are fetched into arrays of their own and changed
 * there (lanes exchanged by DPP, parts selected, absolute value, sign), the same kernel runs, and the result
 * is changed (scaled, clamped, placed) on its way back. So a row never knows about modifiers.
 */
#include "amdgpu/exec/run/num.h"
#include "amdgpu/exec/run/run.h"

/* --- DPP: lanes exchanged ---------------------------------------------------------------------- */

/* Exchanges lanes of the first operand by the map that translate.c made; returns the lanes that may be written. */
static u32
dpp_fetch(struct wave *w, u32 half, const struct uop *o, u32 *t)
{
	const struct mods *m = o->mods;
	const struct src *s = &o->src[0];
	const i8 *map = m->from + half * LANES;
	u32 valid = m->inside[half];
	if (!m->fi) {
		u64 exec = w->s[S_EXEC] | (w->halves == 2 ? (u64)w->s[S_EXEC + 1] << 32 : 0);
		u32 on = 0;
		for (u32 i = 0; i < LANES; i++)
			on |= (u32)(exec >> (map[i] & 63) & 1) << i;
		valid &= on;
	}
	for (u32 k = 0; k < s->n; k++)
		for (u32 i = 0; i < LANES; i++) {
			u32 from = (u32)map[i];
			u32 v = vreg(w, from / LANES, s->at)[k * LANES + from % LANES];
			t[k * LANES + i] = valid >> i & 1 ? v : 0;
		}
	return m->write[half] & (m->bound_ctrl ? ~0u : valid);
}

/* --- operands -------------------------------------------------------------------------------------------- */

static u32
select_part(u32 v, u8 sel, bool sext)
{
	switch ((enum sel)sel) {
	case SEL_BYTE_0:
	case SEL_BYTE_1:
	case SEL_BYTE_2:
	case SEL_BYTE_3:
		v = v >> 8 * sel & 0xff;
		return sext ? (u32)(i8)v : v;
	case SEL_WORD_0:
	case SEL_WORD_1:
		v = v >> 16 * (sel - SEL_WORD_0) & 0xffff;
		return sext ? (u32)(i16)v : v;
	case SEL_DWORD:
		break;
	}
	return v;
}

static void
sign_bits(u32 *t, u32 bit, bool abs, bool neg)
{
	u32 keep = abs ? ~bit : ~0u, flip = neg ? bit : 0;
	EACH_LANE (i)
		t[i] = (t[i] & keep) ^ flip;
}

/* Two halves (or two dwords) arranged by op_sel and op_sel_hi, each with its own sign. */
static void
arrange(u32 *t, const struct mods *m, u32 k, enum type type)
{
	bool lo = m->src[k].hi, hi = m->src[k].hi2;
	u32 nlo = m->src[k].neg, nhi = m->src[k].neg_hi;
	for (int i = 0; i < LANES; i++) {
		if (type == T_pk16 || type == T_pkf16 || type == T_pkbf16) {
			u32 v = t[i];
			u32 a = (lo ? v >> 16 : v) & 0xffff, b = (hi ? v >> 16 : v) & 0xffff;
			t[i] = (a ^ nlo << 15) | (b ^ nhi << 15) << 16;
		} else {
			u32 a = t[i + (lo ? LANES : 0)], b = t[i + (hi ? LANES : 0)];
			t[i] = a ^ nlo << 31;
			t[i + LANES] = b ^ nhi << 31;
		}
	}
}

/* A float, or one of two halves as a float. */
static void
mix(u32 *t, const struct mods *m, u32 k)
{
	bool is_half = m->src[k].hi2, abs = m->src[k].abs || m->src[k].neg_hi;
	u32 shift = m->src[k].hi ? 16 : 0;
	for (int i = 0; i < LANES; i++) {
		u32 v = is_half ? bits32(h2f(t[i] >> shift & 0xffff)) : t[i];
		t[i] = (abs ? v & 0x7fffffff : v) ^ (u32)m->src[k].neg << 31;
	}
}

static void
modify(u32 *t, const struct mods *m, u32 k, const struct src *s)
{
	enum type type = (enum type)s->type;
	if (m->src[k].sel != SEL_DWORD || m->src[k].sext)
		for (int i = 0; i < LANES; i++)
			t[i] = select_part(t[i], m->src[k].sel, m->src[k].sext);
	switch (type) {
	case T_pk16:
	case T_pkf16:
	case T_pkbf16:
	case T_pkf32:
	case T_pk32:
		arrange(t, m, k, type);
		break;
	case T_mix:
		mix(t, m, k);
		break;
	case T_u16:
	case T_i16:
	case T_f16:
	case T_bf16:
		if (m->src[k].hi)
			EACH_LANE (i)
				t[i] >>= 16;
		sign_bits(t, 0x8000, m->src[k].abs, m->src[k].neg);
		break;
	case T_f64:
	case T_u64:
	case T_i64:
		sign_bits(t + LANES, 0x80000000, m->src[k].abs, m->src[k].neg);
		break;
	default: /* also moves of floats: v_cndmask_b32 v0, -v1, |v2| */
		if (m->src[k].hi)
			EACH_LANE (i)
				t[i] >>= 16;
		sign_bits(t, 0x80000000, m->src[k].abs, m->src[k].neg);
	}
}

static bool
touched(const struct mods *m, u32 k, enum type t)
{
	bool pk = t == T_pk16 || t == T_pkf16 || t == T_pkbf16 || t == T_pkf32 || t == T_pk32;
	return m->src[k].neg || m->src[k].abs || m->src[k].sext || m->src[k].hi ||
	       m->src[k].neg_hi || m->src[k].sel != SEL_DWORD ||
	       (pk ? !m->src[k].hi2 : t == T_mix && m->src[k].hi2);
}

/* --- results ----------------------------------------------------------------------------------------------- */

static float
finish_float(float f, const struct mods *m, bool scale)
{
	if (scale)
		f *= m->omod == 1 ? 2.0f : m->omod == 2 ? 4.0f : 0.5f;
	if (m->clamp && (f == f || !m->keep_nan))
		f = f > 0 ? (f > 1.0f ? 1.0f : f) : 0.0f; /* NaN and -0 become +0 */
	return f;
}

static void
finish(struct wave *w, u32 *r, const struct mods *given)
{
	struct mods changed, *m = (struct mods *)(uintptr_t)given;
	if (m->clamp && !(w->mode & MODE_DX10_CLAMP)) { /* NaN stays */
		changed = *given;
		changed.keep_nan = true;
		m = &changed;
	}
	/* the hardware ignores the scale where denormal results are kept */
	u32 den = m->dtype == T_f32 || m->dtype == T_pkf32 ? w->mode >> 4 & 3 : w->mode >> 6 & 3;
	bool scale = m->omod != 0 && !(den & 2);
	if (!scale && !m->clamp)
		return;
	for (int i = 0; i < LANES; i++) {
		switch ((enum type)m->dtype) {
		case T_f32:
			r[i] = bits32(finish_float(float32(r[i]), m, scale));
			break;
		case T_pkf32:
			r[i] = bits32(finish_float(float32(r[i]), m, scale));
			r[i + LANES] = bits32(finish_float(float32(r[i + LANES]), m, scale));
			break;
		case T_f64: {
			double d = float64(r[i] | (u64)r[i + LANES] << 32);
			if (scale)
				d *= m->omod == 1 ? 2.0 : m->omod == 2 ? 4.0 : 0.5;
			if (m->clamp)
				d = d != d && m->keep_nan ? d : d > 0 ? (d > 1.0 ? 1.0 : d) : 0.0;
			r[i] = (u32)bits64(d);
			r[i + LANES] = (u32)(bits64(d) >> 32);
			break;
		}
		case T_f16:
		case T_mixout:
			r[i] = f2h(finish_float(h2f(r[i] & 0xffff), m, scale));
			break;
		case T_pkf16:
			r[i] = f2h(finish_float(h2f(r[i] & 0xffff), m, scale)) |
			       f2h(finish_float(h2f(r[i] >> 16), m, scale)) << 16;
			break;
		default:
			break;
		}
	}
}

static u32
place(u32 old, u32 r, const struct mods *m)
{
	u32 bits = m->dst_sel <= SEL_BYTE_3 ? 8 : 16;
	u32 shift = m->dst_sel <= SEL_BYTE_3 ? 8u * m->dst_sel : 16u * (m->dst_sel - SEL_WORD_0);
	u32 mask = ((1u << bits) - 1) << shift, v = r << shift & mask;
	if (m->dst_unused == 2)
		return (old & ~mask) | v;
	if (m->dst_unused == 1 && v >> (shift + bits - 1) & 1)
		return v | (u32)(~0ull << (shift + bits));
	return v;
}

static void
write_back(u32 *d, u32 *r, const struct mods *m, u32 nd, u32 on)
{
	if (m->dst_sel != SEL_DWORD) {
		for (int i = 0; i < LANES; i++)
			r[i] = place(d[i], r[i], m);
	} else if (m->merge) {
		u32 keep = m->dst_hi ? 0xffff : 0xffff0000, shift = m->dst_hi ? 16 : 0;
		EACH_LANE (i)
			r[i] = (d[i] & keep) | (r[i] & 0xffff) << shift;
	}
	for (u32 k = 0; k < nd; k++)
		blend(d + k * LANES, r + k * LANES, on);
}

/* --- one operation -------------------------------------------------------------------------------------------- */

static void
general_half(struct wave *w, const struct uop *o, u32 h, u32 *bits)
{
	const struct mods *m = o->mods;
	u32 t[3][2 * LANES], on = w->s[S_EXEC + h];
	const u32 *src[3] = {NULL, NULL, NULL};
	if (on == 0)
		return;
	for (u32 k = 0; k < m->nsrc; k++) {
		const struct src *s = &o->src[k];
		if (k == 0 && m->dpp) {
			on &= dpp_fetch(w, h, o, t[0]);
			src[0] = t[0];
		} else {
			src[k] = fetch(w, h, s, k);
		}
		if (touched(m, k, (enum type)s->type)) {
			if (src[k] != t[k])
				memcpy(t[k], src[k], s->n * ROW);
			modify(t[k], m, k, s);
			src[k] = t[k];
		}
		if (w->odd & ODD_FLUSH_IN) {
			if (src[k] != t[k])
				memcpy(t[k], src[k], s->n * ROW);
			odd_halves(t[k], s->type);
			src[k] = t[k];
		}
	}
	u32 *x = w->tmp[3];
	if (m->xin)
		mask_unpack(x, w->s[o->mask + h]);
	odd_kernel(w, o->kernel)(w->out, src[0], src[1], src[2], x);
	if (w->odd & ODD_FLUSH_OUT)
		odd_halves(w->out, m->dtype == T_mixout ? T_f16 : m->dtype);
	if (m->cmp || m->xout)
		bits[h] = mask_pack(x) & on;
	if (m->cmp)
		return;
	finish(w, w->out, m);
	write_back(vreg(w, h, o->dst), w->out, m, o->nd, on);
}

static void
general(struct wave *w, const struct uop *o)
{
	u32 bits[2] = {0, 0};
	for (u32 h = 0; h < w->halves; h++)
		general_half(w, o, h, bits);
	if (!o->mods->cmp && !o->mods->xout)
		return;
	for (u32 h = 0; h < w->halves; h++) {
		w->s[o->mask + h] = bits[h];
		if (o->mods->cmpx)
			w->s[S_EXEC + h] = bits[h];
	}
}

static void
plain(struct wave *w, const struct uop *o)
{
	int n = o->code - U_V1 + 1;
	for (u32 h = 0; h < w->halves; h++) {
		const u32 *a = fetch(w, h, &o->src[0], 0);
		const u32 *b = n > 1 ? fetch(w, h, &o->src[1], 1) : NULL;
		const u32 *c = n > 2 ? fetch(w, h, &o->src[2], 2) : NULL;
		odd_kernel(w, o->kernel)(w->out, a, b, c, NULL);
		for (u32 k = 0; k < o->nd; k++)
			blend(vreg(w, h, o->dst) + k * LANES, w->out + k * LANES, w->s[S_EXEC + h]);
	}
}

static void
one(struct wave *w, const struct uop *o)
{
	if (o->code == U_VX)
		general(w, o);
	else
		plain(w, o);
}

/* Both read before either writes: the first result waits aside while the second runs on the old value. */
static void
dual(struct wave *w, const struct uop *o)
{
	u32 old[2][2 * LANES], new[2][2 * LANES];
	u32 n = o[1].nd * ROW;
	for (u32 h = 0; h < w->halves; h++)
		memcpy(old[h], vreg(w, h, o[1].dst), n);
	one(w, &o[1]);
	for (u32 h = 0; h < w->halves; h++) {
		memcpy(new[h], vreg(w, h, o[1].dst), n);
		memcpy(vreg(w, h, o[1].dst), old[h], n);
	}
	one(w, &o[2]);
	for (u32 h = 0; h < w->halves; h++)
		memcpy(vreg(w, h, o[1].dst), new[h], n);
}

enum stop
valu_general(struct wave *w, const struct uop *o)
{
	if (o->code == U_DUAL)
		dual(w, o);
	else
		general(w, o);
	return STOP_NONE;
}
