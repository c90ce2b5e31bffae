/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * translate.c - one parsed instruction to its micro-operation(s): finds the row by name, resolves operands
 * by the row's types, and decides between the plain vector operations and the general one that knows
 * modifiers. Everything that is not understood completely becomes U_BAD with the reason.
 */
#include "amdgpu/exec/matrix.h"
#include "amdgpu/exec/wave.h"
#include <stdio.h>

static void
bad(struct block *b, const struct gcn_inst *i, const char *why)
{
	char what[160];
	snprintf(what, sizeof(what), "%s: %.*s", why, (int)i->text.n, i->text.p);
	block_bad(b, what);
	if (!b->failed)
		b->p[b->n - 1].nd = 1;
}

static bool
wave64(const struct block *b)
{
	return b->r->wave == 64;
}

/* --- scalar ----------------------------------------------------------------------------------------------- */

static void
scalar_row(struct block *b, const struct gcn_inst *i, const struct row *row)
{
	u32 nsrc = (row->src[0] != T_NONE) + (row->src[1] != T_NONE), ndst = row->d != T_NONE;
	if (i->nops != nsrc + ndst) {
		bad(b, i, "operands not understood");
		return;
	}
	struct uop *o = block_add(b);
	if (o == NULL)
		return;
	o->code = row->code;
	bool ok = true;
	if (ndst) {
		int d = scalar_dst(&i->op[0]);
		ok = d >= 0 && (d == S_SINK || i->op[0].n == type_dwords(row->d));
		o->dst = (u32)d;
	}
	u32 nk = 0;
	for (u32 k = 0; k < nsrc && ok; k++) {
		const struct gcn_operand *op = &i->op[ndst + k];
		int at = scalar_index(op);
		u64 value;
		if (at >= 0) {
			o->src[k].at = (u32)at;
			ok = op->n == type_dwords(row->src[k]);
		} else {
			ok = constant(op, row->src[k], &value) && nk < 2;
			if (ok) {
				o->k[nk] = value;
				o->src[k].imm = (u8)++nk;
			}
		}
	}
	if (!ok) {
		b->n--;
		bad(b, i, "operands not understood");
	}
}

/* --- vector ------------------------------------------------------------------------------------------------ */

static u8
dpp_of(const struct gcn_inst *i, u32 *ctrl)
{
	static const struct {
		u8 mod, dpp;
	} kinds[] = {
		{GCN_MOD_quad_perm, DPP_QUAD_PERM},
		{GCN_MOD_row_shl, DPP_ROW_SHL},
		{GCN_MOD_row_shr, DPP_ROW_SHR},
		{GCN_MOD_row_ror, DPP_ROW_ROR},
		{GCN_MOD_wave_shl, DPP_WAVE_SHL},
		{GCN_MOD_wave_rol, DPP_WAVE_ROL},
		{GCN_MOD_wave_shr, DPP_WAVE_SHR},
		{GCN_MOD_wave_ror, DPP_WAVE_ROR},
		{GCN_MOD_row_mirror, DPP_ROW_MIRROR},
		{GCN_MOD_row_half_mirror, DPP_ROW_HALF_MIRROR},
		{GCN_MOD_row_bcast, DPP_ROW_BCAST},
		{GCN_MOD_row_newbcast, DPP_ROW_SHARE},
		{GCN_MOD_row_share, DPP_ROW_SHARE},
		{GCN_MOD_row_xmask, DPP_ROW_XMASK},
		{GCN_MOD_dpp8, DPP_8},
	};
	for (u32 k = 0; k < COUNT(kinds); k++)
		if (gcn_has(i, (enum gcn_mod)kinds[k].mod)) {
			*ctrl = (u32)i->mod[kinds[k].mod];
			return kinds[k].dpp;
		}
	return DPP_NONE;
}

/* The source lane in the whole wave, -1 when it is outside of what the control covers. */
static int
dpp_lane(const struct mods *m, int lane, int lanes)
{
	int row = lane & ~15, i = lane & 15, n = (int)m->ctrl;
	switch ((enum dpp)m->dpp) {
	case DPP_QUAD_PERM:
		return (lane & ~3) | (n >> 2 * (lane & 3) & 3);
	case DPP_8:
		return (lane & ~7) | (n >> 3 * (lane & 7) & 7);
	case DPP_ROW_SHL:
		return i + n < 16 ? lane + n : -1;
	case DPP_ROW_SHR:
		return i - n >= 0 ? lane - n : -1;
	case DPP_ROW_ROR:
		return row | ((i - n) & 15);
	case DPP_WAVE_SHL:
		return lane + 1 < lanes ? lane + 1 : -1;
	case DPP_WAVE_ROL:
		return (lane + 1) % lanes;
	case DPP_WAVE_SHR:
		return lane - 1;
	case DPP_WAVE_ROR:
		return (lane + lanes - 1) % lanes;
	case DPP_ROW_MIRROR:
		return row | (15 - i);
	case DPP_ROW_HALF_MIRROR:
		return (lane & ~7) | (7 - (lane & 7));
	case DPP_ROW_BCAST:
		if (n == 15)
			return row - 1;
		return lane >= 32 ? 31 : -1;
	case DPP_ROW_SHARE:
		return row | n;
	case DPP_ROW_XMASK:
		return row | (i ^ n);
	case DPP_NONE:
		break;
	}
	return lane;
}

/* The map of a wave's lanes: where each reads, whether that is inside, and whether the masks let it write. */
static void
dpp_map(struct mods *m, int lanes)
{
	for (int lane = 0; lane < lanes; lane++) {
		int from = dpp_lane(m, lane, lanes);
		bool inside = from >= 0 && from < lanes;
		m->from[lane] = (i8)(inside ? from : 0);
		m->inside[lane / LANES] |= (u32)inside << lane % LANES;
		bool write = (m->row_mask >> lane / 16 & 1) && (m->bank_mask >> lane / 4 % 4 & 1);
		m->write[lane / LANES] |= (u32)write << lane % LANES;
	}
}

static bool
is16(enum type t)
{
	return t == T_u16 || t == T_i16 || t == T_f16 || t == T_mixout || t == T_word ||
	       t == T_bf16;
}

static bool
is_packed(enum type t)
{
	return t == T_pk16 || t == T_pkf16 || t == T_pkbf16 || t == T_pkf32 || t == T_pk32;
}

/* Fills *m from the modifiers of the instruction; returns whether any of them matters. */
static bool
modifiers(struct block *b, const struct gcn_inst *i, const struct row *row,
	const struct gcn_operand *dst, const struct gcn_operand *const *src, u32 nsrc,
	struct mods *m)
{
	bool any = false;
	u32 op_sel = (u32)i->mod[GCN_MOD_op_sel];
	u32 op_sel_hi = gcn_has(i, GCN_MOD_op_sel_hi) ? (u32)i->mod[GCN_MOD_op_sel_hi] : ~0u;
	memset(m, 0, sizeof(*m));
	bool byte_in = row->src[0] == T_byte, byte_out = row->d == T_byte;
	u32 byte = gcn_has(i, GCN_MOD_byte_sel) ? (u32)i->mod[GCN_MOD_byte_sel]
		   : byte_in                    ? op_sel & 3
						: op_sel >> 2 & 3;
	if (byte_in || byte_out) /* what is left chooses halves of operands (or of the result) */
		op_sel &= byte_in ? ~3u : 3u;
	m->dtype = row->d;
	m->dst_sel = SEL_DWORD;
	for (u32 k = 0; k < 3; k++)
		m->src[k].sel = SEL_DWORD;
	for (u32 k = 0; k < nsrc; k++) {
		enum type t = row->src[k];
		m->src[k].neg = src[k]->neg;
		m->src[k].abs = src[k]->abs;
		m->src[k].sext = src[k]->sext;
		m->src[k].hi = op_sel >> k & 1 || src[k]->half == GCN_HI;
		if (is_packed(t)) {
			m->src[k].hi2 = op_sel_hi >> k & 1;
			m->src[k].neg |= (u32)i->mod[GCN_MOD_neg_lo] >> k & 1;
			m->src[k].neg_hi = (u32)i->mod[GCN_MOD_neg_hi] >> k & 1;
			any |= !m->src[k].hi2 || m->src[k].neg_hi;
		} else if (t == T_mix) { /* op_sel_hi: a half; neg_hi: absolute value */
			m->src[k].hi2 = gcn_has(i, GCN_MOD_op_sel_hi) && op_sel_hi >> k & 1;
			any |= m->src[k].hi2;
		}
		any |= m->src[k].neg || m->src[k].abs || m->src[k].sext || m->src[k].hi;
	}
	if (byte_in && byte != 0) {
		m->src[0].sel = (u8)byte;
		any = true;
	}
	if (byte_out) {
		m->dst_sel = (u8)byte;
		m->dst_unused = 2; /* preserve */
		any = true;
	}
	if (i->form == GCN_SDWA) {
		if (gcn_has(i, GCN_MOD_src0_sel))
			m->src[0].sel = (u8)i->mod[GCN_MOD_src0_sel];
		if (gcn_has(i, GCN_MOD_src1_sel))
			m->src[1].sel = (u8)i->mod[GCN_MOD_src1_sel];
		if (gcn_has(i, GCN_MOD_dst_sel))
			m->dst_sel = (u8)i->mod[GCN_MOD_dst_sel];
		m->dst_unused = (u8)i->mod[GCN_MOD_dst_unused];
		any = true;
	}
	m->dpp = dpp_of(i, &m->ctrl);
	if (m->dpp) {
		m->row_mask = gcn_has(i, GCN_MOD_row_mask) ? (u8)i->mod[GCN_MOD_row_mask] : 15;
		m->bank_mask = gcn_has(i, GCN_MOD_bank_mask) ? (u8)i->mod[GCN_MOD_bank_mask] : 15;
		m->bound_ctrl = gcn_has(i, GCN_MOD_bound_ctrl) || m->dpp == DPP_8;
		m->fi = gcn_has(i, GCN_MOD_fi) && i->mod[GCN_MOD_fi];
		dpp_map(m, (int)b->r->wave);
		any = true;
	}
	m->clamp = gcn_has(i, GCN_MOD_clamp);
	m->omod = (u8)i->mod[GCN_MOD_omod];
	if (dst != NULL && is16(row->d)) {
		m->dst_hi = dst->half == GCN_HI || op_sel >> nsrc & 1;
		if (str_starts(i->name, "v_fma_mixhi") || str_starts(i->name, "v_mad_mixhi"))
			m->dst_hi = true;
		/* gfx9 clears the other half, but for its new instructions of three operands */
		bool legacy = memmem(row->text, strlen(row->text), "legacy", 6) != NULL;
		m->merge =
			b->e->target->major >= 10 || m->dst_hi || row->d == T_mixout ||
			row->d == T_word ||
			dst->half != GCN_WHOLE ||
			(nsrc == 3 && !legacy && !(row->flags & ROW_ACC) && row->src[2] != T_mask);
	}
	return any || m->clamp || m->omod || m->merge || m->dst_hi;
}

/* Whether the modifiers only change signs of floats that fill their registers: the loop does that itself. */
static bool
only_signs(const struct mods *m, const struct row *row, u32 nsrc)
{
	if (m->clamp || m->omod || m->merge || m->dst_hi || m->dpp || (row->flags & ROW_XOUT) ||
		m->dst_sel != SEL_DWORD || m->src[0].sel != SEL_DWORD)
		return false;
	for (u32 k = 0; k < nsrc; k++) {
		enum type t = row->src[k];
		bool sign = m->src[k].neg || m->src[k].abs;
		if (is_packed(t) || t == T_mix || m->src[k].hi || m->src[k].sext ||
			(sign && is16(t)))
			return false;
	}
	return true;
}

static const struct gcn_operand vcc32 = {.kind = GCN_SPECIAL, .n = 1, .reg = GCN_VCC_LO};
static const struct gcn_operand vcc64 = {.kind = GCN_SPECIAL, .n = 2, .reg = GCN_VCC};

static bool
known_mods(const struct gcn_inst *i)
{
	gcn_mods known = 0;
	static const u8 list[] = {GCN_MOD_op_sel, GCN_MOD_op_sel_hi, GCN_MOD_neg_lo, GCN_MOD_neg_hi,
		GCN_MOD_clamp, GCN_MOD_omod, GCN_MOD_dst_sel, GCN_MOD_dst_unused, GCN_MOD_src0_sel,
		GCN_MOD_src1_sel, GCN_MOD_dpp8, GCN_MOD_quad_perm, GCN_MOD_row_shl, GCN_MOD_row_shr,
		GCN_MOD_row_ror, GCN_MOD_wave_shl, GCN_MOD_wave_rol, GCN_MOD_wave_shr,
		GCN_MOD_wave_ror, GCN_MOD_row_mirror, GCN_MOD_row_half_mirror, GCN_MOD_row_bcast,
		GCN_MOD_row_newbcast, GCN_MOD_row_share, GCN_MOD_row_xmask, GCN_MOD_row_mask,
		GCN_MOD_bank_mask, GCN_MOD_bound_ctrl, GCN_MOD_fi, GCN_MOD_byte_sel};
	for (u32 k = 0; k < COUNT(list); k++)
		known |= (gcn_mods)1 << list[k];
	return (i->seen & ~known) == 0;
}

static void
vector_row(struct block *b, const struct gcn_inst *i, const struct row *row, bool cmpx)
{
	const struct gcn_operand *src[3] = {0}, *dst = NULL, *op = i->op, *end = i->op + i->nops;
	u32 nsrc = 0, number = row_number(row);
	struct uop *o = block_add(b);
	if (o == NULL)
		return;
	const struct runner *run = b->e->runner;
	o->kernel = run->kernel[number];
	bool ok = o->kernel != NULL && known_mods(i), general = false;
	if (row->kind == ROW_VALU) {
		dst = op++;
		i32 at = vector_at(dst, type_dwords(row->d));
		ok = ok && at >= 0 && i->nops > 0;
		o->dst = (u32)at;
		o->nd = type_dwords(row->d);
		o->fp = type_fp(row->d);
	} else { /* a compare: the mask is printed, except by v_cmpx from gfx10 on */
		int at = S_EXEC;
		if (!cmpx || b->e->target->major < 10) {
			at = op < end ? scalar_dst(op) : -1;
			op++;
		}
		ok = ok && at >= 0;
		o->mask = (u32)at;
	}
	if (row->flags & ROW_XOUT) {
		int at = op < end ? scalar_dst(op) : -1;
		op++;
		ok = ok && at >= 0;
		o->mask = (u32)at;
		general = true;
	}
	if (row->flags & ROW_XIN) {
		o->mask = S_VCC;
		general = true;
	}
	while (nsrc < 3 && row->src[nsrc] != T_NONE) {
		if (op < end)
			src[nsrc] = op++;
		else if (nsrc == 2 && row->flags & ROW_ACC)
			src[nsrc] = dst;
		else if (row->src[nsrc] == T_mask) /* a half of VOPD does not print vcc */
			src[nsrc] = wave64(b) ? &vcc64 : &vcc32;
		else
			break;
		ok = ok && source(b, src[nsrc], row->src[nsrc], &o->src[nsrc]) &&
		     !(src[nsrc]->abs && is_packed(row->src[nsrc]));
		if (o->fp == 0)
			o->fp = type_fp(row->src[nsrc]);
		nsrc++;
	}
	if (!ok || op != end || (nsrc < 3 && row->src[nsrc] != T_NONE)) {
		b->n--;
		bad(b, i, "operands not understood");
		return;
	}
	struct mods m;
	bool modified = modifiers(b, i, row, dst, src, nsrc, &m);
	bool sign = modified && !general && i->form != GCN_SDWA && only_signs(&m, row, nsrc);
	for (u32 k = 0; k < nsrc && sign; k++)
		o->src[k].imm = (u8)((m.src[k].neg ? SRC_NEG : 0) | (m.src[k].abs ? SRC_ABS : 0));
	if (!modified && row->flags & ROW_XOUT) {
		o->code = U_VCARRY;
	} else if ((modified && !sign) || general) {
		if (m.clamp && row->kind == ROW_VALU && run->sat[number] != NULL) {
			o->kernel = run->sat[number];
			m.clamp = false;
		} else if (m.clamp && o->fp == 0) {
			b->n--;
			bad(b, i, "clamp of this instruction is missing");
			return;
		}
		struct mods *keep = ARENA_NEW(&b->r->arena, struct mods, 1);
		if (keep == NULL) {
			b->failed = true;
			return;
		}
		*keep = m;
		keep->nsrc = (u8)nsrc;
		keep->cmp = row->kind == ROW_CMP;
		keep->cmpx = cmpx;
		keep->xout = (row->flags & ROW_XOUT) != 0;
		keep->xin = (row->flags & ROW_XIN) != 0;
		o->mods = keep;
		o->code = U_VX;
	} else if (row->kind == ROW_CMP) {
		o->code = cmpx ? U_VCMPX : U_VCMP;
	} else {
		o->code = (u16)(sign ? U_VSIGN : U_V1 + nsrc - 1);
		o->some = run->some[number];
	}
}

/* --- scalar floats: run by the kernel of their vector row ------------------------------------------------------ */

static void
scalar_float(struct block *b, const struct gcn_inst *i, const struct row *row)
{
	const struct row *v = row - row_number(row) + row->code;
	const struct gcn_operand *op = i->op, *end = op + i->nops;
	struct uop *o = block_add(b);
	if (o == NULL)
		return;
	o->code = U_HELP;
	o->help = b->e->runner->help[row_number(row)];
	o->k[1] = row->code;
	o->fp = type_fp(v->d);
	bool ok = o->help != NULL && (i->seen & ~((gcn_mods)1 << GCN_MOD_clamp)) == 0;
	if (v->kind == ROW_VALU) {
		int d = op < end ? scalar_dst(op++) : -1;
		ok = ok && d >= 0 && type_dwords(v->d) == 1;
		o->dst = (u32)d;
		o->nd = 1;
	}
	for (u32 k = 0; k < 3 && v->src[k] != T_NONE && ok; k++) {
		const struct gcn_operand *s = op < end                       ? op++
					      : k == 2 && v->flags & ROW_ACC ? &i->op[0]
									     : NULL;
		ok = s != NULL && s->half == GCN_WHOLE && source(b, s, v->src[k], &o->src[k]) &&
		     o->src[k].kind != SRC_VGPR;
		if (!ok)
			break;
		o->k[0] |= (s->neg ? 1u << k : 0) | (s->abs ? 8u << k : 0);
		if (o->fp == 0)
			o->fp = type_fp(v->src[k]);
	}
	o->k[0] |=
		(gcn_has(i, GCN_MOD_clamp) ? 64 : 0) | (str_starts(i->name, "s_cvt_hi") ? 128 : 0);
	if (!ok || op != end) {
		b->n--;
		bad(b, i, "operands not understood");
	}
}

/* --- VOPD: two operations that read before either writes ------------------------------------------------------ */

static bool
overlaps(const struct uop *reader, const struct uop *writer)
{
	for (int k = 0; k < 3; k++)
		if (reader->src[k].n && reader->src[k].kind == SRC_VGPR &&
			reader->src[k].at < writer->dst + writer->nd * ROW &&
			writer->dst < reader->src[k].at + reader->src[k].n * ROW)
			return true;
	return false;
}

static void translate_one(struct block *b, const struct gcn_inst *i);

static void
half_of_dual(struct block *b, const struct gcn_inst *i)
{
	struct gcn_inst h = *i;
	char name[64];
	h.dual = NULL;
	if (str_starts(h.name, "v_dual_") && h.name.n < sizeof(name)) {
		snprintf(name, sizeof(name), "v_%.*s", (int)h.name.n - 7, h.name.p + 7);
		h.name = str_of(name);
	}
	translate_one(b, &h);
}

static void
dual(struct block *b, const struct gcn_inst *i)
{
	size_t at = b->n;
	if (block_add(b) == NULL)
		return;
	half_of_dual(b, i);
	half_of_dual(b, i->dual);
	if (b->failed)
		return;
	struct uop *o = &b->p[at];
	if (b->n != at + 3 || o[1].code == U_BAD || o[2].code == U_BAD) {
		b->n = at;
		bad(b, i, "a half of it is missing");
		return;
	}
	if (!overlaps(&o[2], &o[1])) { /* in order */
		memmove(o, o + 1, 2 * sizeof(*o));
		b->n--;
	} else if (!overlaps(&o[1], &o[2])) { /* the other way round */
		o[0] = o[2];
		b->n--;
	} else {
		o->code = U_DUAL;
	}
}

/* --- flow ------------------------------------------------------------------------------------------------------- */

static const struct {
	const char *name;
	u16 code;
} branches[] = {
	{"s_branch", U_BRANCH},
	{"s_cbranch_scc0", U_SCC0},
	{"s_cbranch_scc1", U_SCC1},
	{"s_cbranch_vccz", U_VCCZ},
	{"s_cbranch_vccnz", U_VCCNZ},
	{"s_cbranch_execz", U_EXECZ},
	{"s_cbranch_execnz", U_EXECNZ},
};

static i64
branch_to(const struct block *b, const struct gcn_inst *i, const struct gcn_operand *op)
{
	return (i64)(b->pc - b->r->base) + i->bytes + 4 * (i64)(i16)op->imm;
}

/* Whether a wait covers stores: vmcnt counts them on gfx9 (6 bits, all ones: no wait), vscnt and storecnt from
 * gfx10 on. Only those order memory; the others have nothing to wait for in an executor that runs in order. */
static bool
covers_stores(const struct block *b, const struct gcn_inst *i)
{
	if (str_is(i->name, "s_waitcnt") && b->e->target->major == 9) {
		u32 imm = i->nops ? (u32)i->op[0].imm : 0;
		return (imm & 15) != 15 || (imm >> 14 & 3) != 3;
	}
	return str_starts(i->name, "s_waitcnt_vscnt") || str_starts(i->name, "s_wait_storecnt") ||
	       str_is(i->name, "s_wait_idle");
}

/* s_movrels_b32 and its kin: a destination and a register or, of s_movreld, a constant. */
static void
scalar_movrel(struct block *b, const struct gcn_inst *i, const struct row *row, struct uop *o)
{
	bool source_moves = !str_starts(i->name, "s_movreld_");
	bool both = str_is(i->name, "s_movrelsd_2_b32");
	o->code = U_HELP;
	o->help = b->e->runner->help[row_number(row)];
	o->nd = i->name.p[i->name.n - 2] == '6' ? 2 : 1;
	o->k[0] = (source_moves ? INDEX_SRC : 0) | (!source_moves || both ? INDEX_DST : 0) |
		  (both ? INDEX_TWO : 0);
	int d = i->nops == 2 ? scalar_dst(&i->op[0]) : -1;
	int at = i->nops == 2 ? scalar_index(&i->op[1]) : -1;
	o->dst = (u32)d;
	o->src[0].at = (u32)at;
	o->src[0].imm = at < 0;
	bool ok = d >= 0 && i->op[0].n == o->nd &&
		  (at >= 0 ? i->op[1].n == o->nd
			   : !source_moves && constant(&i->op[1], o->nd == 2 ? T_u64 : T_u32, &o->k[1]));
	if (!ok) {
		b->n--;
		bad(b, i, "operands not understood");
	}
}

static void
flow(struct block *b, const struct gcn_inst *i, const struct row *row)
{
	if (str_starts(i->name, "s_wait")) {
		struct uop *fence = covers_stores(b, i) && !b->e->config.no_fence ? block_add(b) : NULL;
		if (fence != NULL)
			fence->code = U_FENCE;
		return;
	}
	u64 next = b->pc - b->r->base + i->bytes;
	struct uop *o = block_add(b);
	if (o == NULL)
		return;
	for (u32 k = 0; k < COUNT(branches); k++)
		if (str_is(i->name, branches[k].name) && i->nops == 1) {
			o->code = branches[k].code;
			o->to = branch_to(b, i, &i->op[0]);
			b->ended = o->code == U_BRANCH;
			return;
		}
	int d = i->nops > 0 ? scalar_dst(&i->op[0]) : -1;
	if (str_starts(i->name, "s_movrel")) {
		scalar_movrel(b, i, row, o);
	} else if (str_is(i->name, "s_get_barrier_state") &&
		   (i->nops != 2 || i->op[1].kind != GCN_INT || (i16)i->op[1].imm != -1)) {
		b->n--;
		bad(b, i, "only the workgroup's own barrier");
	} else if (str_is(i->name, "s_endpgm") || str_is(i->name, "s_endpgm_saved")) {
		o->code = U_END;
		b->ended = true;
	} else if (str_starts(i->name, "s_barrier_") &&
		   (i->nops != 1 || i->op[0].kind != GCN_INT || (i16)i->op[0].imm != -1)) {
		b->n--;
		bad(b, i, "only the workgroup's own barrier");
	} else if (str_is(i->name, "s_barrier") || str_is(i->name, "s_barrier_wait")) {
		o->code = U_BARRIER;
		o->k[0] = str_is(i->name, "s_barrier_wait"); /* has arrived by its signal, or not at all */
	} else if (str_is(i->name, "s_sleep") || str_is(i->name, "s_sleep_var")) {
		o->code = U_SLEEP;
	} else if (str_is(i->name, "s_getpc_b64") && d >= 0) {
		o->code = U_GETPC;
		o->dst = (u32)d;
		o->k[0] = next;
	} else if (str_is(i->name, "s_setpc_b64") && d >= 0) {
		o->code = U_SETPC;
		o->src[0].at = (u32)d;
		b->ended = true;
	} else if (str_is(i->name, "s_swappc_b64") && d >= 0 && i->nops == 2 &&
		   scalar_src(&i->op[1]) >= 0) {
		o->code = U_SWAPPC;
		o->dst = (u32)d;
		o->src[0].at = (u32)scalar_src(&i->op[1]);
		o->k[0] = next;
		b->ended = true;
	} else if (str_is(i->name, "s_call_b64") && d >= 0 && i->nops == 2) {
		o->code = U_CALL;
		o->dst = (u32)d;
		o->to = branch_to(b, i, &i->op[1]);
		o->k[1] = next;
		b->ended = true;
	} else { /* a helper: its operands are a scalar (src[0]) and an immediate (k[1]) */
		o->help = b->e->runner->help[row_number(row)];
		o->code = U_HELP;
		bool ok = o->help != NULL;
		for (u32 k = 0; k < i->nops; k++) {
			const struct gcn_operand *op = &i->op[k];
			int at = scalar_index(op);
			if (k == 0 && d >= 0 && i->nops > 1) {
				o->dst = (u32)d;
				continue;
			}
			if (at >= 0)
				o->src[0].at = (u32)at;
			else if (op->kind == GCN_INT || op->kind == GCN_NAME ||
				 op->kind == GCN_LITERAL)
				o->k[o->nd++ ? 0 : 1] = (u64)op->imm;
			else if (scalar_src(op) != S_ZERO)
				ok = false;
			o->src[0].imm |= at < 0 && scalar_src(op) != S_ZERO && o->nd == 2;
		}
		if (i->nops == 1 && d >= 0)
			o->dst = (u32)d;
		if (!ok) {
			b->n--;
			bad(b, i, "not implemented");
		}
	}
}

/* --- helpers of lanes: up to three vector or scalar operands after the destination --------------------------------- */

static void
help_row(struct block *b, const struct gcn_inst *i, const struct row *row)
{
	struct uop *o = block_add(b);
	if (o == NULL)
		return;
	o->code = U_HELP;
	o->help = b->e->runner->help[row_number(row)];
	o->nd = 1;
	bool ok = o->help != NULL && i->nops >= 2 && i->nops <= 4;
	if (ok) {
		i32 v = vector_at(&i->op[0], 1);
		int s = scalar_dst(&i->op[0]);
		o->dst = v >= 0 ? (u32)v : (u32)s;
		ok = v >= 0 || s >= 0;
	}
	for (u32 k = 1; k < i->nops && ok; k++) {
		if (i->op[k].neg || i->op[k].abs || i->op[k].half != GCN_WHOLE)
			ok = false;
		ok = ok && source(b, &i->op[k], T_u32, &o->src[k - 1]);
	}
	o->k[0] = (u64)i->mod[GCN_MOD_offset];
	if (gcn_has(i, GCN_MOD_swizzle))
		o->k[0] = (u64)i->mod[GCN_MOD_swizzle];
	if (gcn_has(i, GCN_MOD_bitop3))
		o->k[0] = (u64)i->mod[GCN_MOD_bitop3];
	o->k[1] = (u64)i->mod[GCN_MOD_op_sel];
	if (str_starts(i->name, "v_permlane") &&
		(gcn_has(i, GCN_MOD_fi) || gcn_has(i, GCN_MOD_bound_ctrl)))
		o->k[1] |= (u64)(i->mod[GCN_MOD_fi] != 0) | (u64)gcn_has(i, GCN_MOD_bound_ctrl)
								    << 1;
	if (!ok) {
		b->n--;
		bad(b, i, "operands not understood");
	}
}

/* v_swap_b16: which half each operand is goes to k[0]. */
static void
swap_half_row(struct block *b, const struct gcn_inst *i, const struct row *row)
{
	struct gcn_inst whole = *i;
	u64 high = 0;
	for (u32 k = 0; k < i->nops && k < 2; k++) {
		high |= (u64)(i->op[k].half == GCN_HI) << k;
		whole.op[k].half = GCN_WHOLE;
	}
	u32 at = b->n;
	help_row(b, &whole, row);
	if (b->n == at + 1 && b->p[at].code == U_HELP)
		b->p[at].k[0] = high;
}

/* --- operands of more than two registers: run/wide.c ---------------------------------------------------------------- */

static void
wide_row(struct block *b, const struct gcn_inst *i, const struct row *row)
{
	struct uop *o = block_add(b);
	if (o == NULL)
		return;
	o->code = U_HELP;
	o->help = b->e->runner->help[row_number(row)];
	o->k[1] = row_number(row);
	o->nd = row->m[0];
	o->fp = 1;
	i32 d = i->nops > 0 ? vector_at(&i->op[0], o->nd) : -1;
	bool ok = d >= 0 && i->seen == 0;
	o->dst = (u32)d;
	u32 n = 1;
	for (u32 k = 0; k < 3 && row->m[1 + k] && ok; k++, n++) {
		const struct gcn_operand *op = &i->op[n];
		struct src *s = &o->src[k];
		i32 v = n < i->nops ? vector_at(op, row->m[1 + k]) : -1;
		if (v >= 0)
			*s = (struct src){.kind = SRC_VGPR, .at = (u32)v, .n = row->m[1 + k]};
		else
			ok = n < i->nops && row->m[1 + k] <= 2 &&
			     source(b, op, row->m[1 + k] == 1 ? T_f32 : T_u64, s);
		s->imm = (u8)((op->neg ? SRC_NEG : 0) | (op->abs ? SRC_ABS : 0));
		ok = ok && op->half == GCN_WHOLE && (s->imm == 0 || s->n == 1);
	}
	if (!ok || n != i->nops) {
		b->n--;
		bad(b, i, "operands not understood");
	}
}

/* --- registers chosen by M0: run/index.c ---------------------------------------------------------------------------- */

static void
indexed_move(struct block *b, const struct gcn_inst *i, u32 flags)
{
	size_t at = b->n;
	help_row(b, i, row_find(b->e, STR("v_movrels_b32")));
	if (b->n == at + 1 && b->p[at].code == U_HELP) {
		b->p[at].k[0] = flags;
		if (i->nops != 2 || i->form == GCN_SDWA || i->form == GCN_DPP ||
			i->form == GCN_E64_DPP) {
			b->n--;
			bad(b, i, "an indexed move with modifiers");
		}
	}
}

static void
index_begin(struct block *b, const struct gcn_inst *i, const struct row *row)
{
	struct uop *o = block_add(b);
	if (o == NULL)
		return;
	o->code = U_HELP;
	o->help = b->e->runner->help[row_number(row)];
	if (i->nops != 2 || !source(b, &i->op[0], T_u32, &o->src[0])) {
		b->n--;
		bad(b, i, "operands not understood");
		return;
	}
	o->k[0] = (u64)i->op[1].imm;
	b->index_mode = (u32)i->op[1].imm;
}

/* Another index, or another mode for what follows. */
static void
index_change(struct block *b, const struct gcn_inst *i, const struct row *row)
{
	struct uop *o = block_add(b);
	if (o == NULL)
		return;
	o->code = U_HELP;
	o->help = b->e->runner->help[row_number(row)];
	bool mode = str_is(i->name, "s_set_gpr_idx_mode");
	if (i->nops != 1 || (!mode && !source(b, &i->op[0], T_u32, &o->src[0]))) {
		b->n--;
		bad(b, i, "operands not understood");
		return;
	}
	if (mode) {
		o->k[0] = (u64)i->op[0].imm & 15;
		if (b->index_mode)
			b->index_mode = (u32)o->k[0];
	}
}

/* True when the instruction was dealt with. */
static bool
indexed(struct block *b, const struct gcn_inst *i, const struct row *row)
{
	struct str name = i->name;
	if (str_is(name, "s_set_gpr_idx_on"))
		index_begin(b, i, row);
	else if (str_is(name, "s_set_gpr_idx_off"))
		b->index_mode = 0;
	else if (str_is(name, "s_set_gpr_idx_idx") || str_is(name, "s_set_gpr_idx_mode"))
		index_change(b, i, row);
	else if (str_starts(name, "v_movrel"))
		indexed_move(b, i,
			str_is(name, "v_movrels_b32")   ? INDEX_SRC
			: str_is(name, "v_movreld_b32") ? INDEX_DST
			: str_is(name, "v_movrelsd_b32")
				? INDEX_SRC | INDEX_DST
				: INDEX_SRC | INDEX_DST | INDEX_TWO);
	else if (str_is(name, "v_swap_b16"))
		swap_half_row(b, i, row);
	else if (str_is(name, "v_swaprel_b32"))
		indexed_move(b, i, INDEX_SRC | INDEX_DST | INDEX_TWO | INDEX_SWAP);
	else if (b->index_mode && str_is(name, "v_mov_b32"))
		indexed_move(b, i,
			(b->index_mode & 1 ? INDEX_SRC : 0) | (b->index_mode & 8 ? INDEX_DST : 0) |
				INDEX_BYTE);
	else if (b->index_mode && str_starts(name, "v_"))
		bad(b, i, "not with indexed registers");
	else
		return false;
	return true;
}

/* Conversions of 8-bit floats, which gfx94x has in a format of its own: the row that follows. */
static bool
small_floats(struct str name)
{
	return (str_starts(name, "v_cvt_f32_") || str_starts(name, "v_cvt_pk_") ||
		       str_starts(name, "v_cvt_sr_")) &&
	       (memmem(name.p, name.n, "fp8", 3) != NULL || memmem(name.p, name.n, "bf8", 3) != NULL);
}

/* --- one instruction ------------------------------------------------------------------------------------------------- */

static void
translate_one(struct block *b, const struct gcn_inst *i)
{
	struct exec *e = b->e;
	struct str name = i->name;
	char buf[64];
	bool cmpx = str_starts(name, "v_cmpx_");
	if (cmpx && name.n < sizeof(buf)) {
		snprintf(buf, sizeof(buf), "v_cmp_%.*s", (int)name.n - 7, name.p + 7);
		name = str_of(buf);
	}
	const struct row *row = row_find(e, name);
	struct gcn_inst plain;
	if (row != NULL && (str_is(name, "v_dot4_i32_iu8") || str_is(name, "v_dot8_i32_iu4"))) {
		row += i->mod[GCN_MOD_neg_lo] & 3;
		plain = *i;
		plain.mod[GCN_MOD_neg_lo] = 0;
		i = &plain;
	}
	if (row != NULL && e->target->major == 9 && e->target->minor == 4 && small_floats(name))
		row++;
	if (row == NULL) {
		char why[160];
		snprintf(why, sizeof(why), "not implemented (%s)", row_missing(i->name));
		bad(b, i, why);
		return;
	}
	if (indexed(b, i, row))
		return;
	switch ((enum row_kind)row->kind) {
	case ROW_SALU:
		scalar_row(b, i, row);
		break;
	case ROW_VALU:
	case ROW_CMP:
		vector_row(b, i, row, cmpx);
		break;
	case ROW_MEM:
		if (!translate_memory(b, i, row))
			bad(b, i, "operands not understood");
		break;
	case ROW_HELP:
		help_row(b, i, row);
		break;
	case ROW_WIDE:
		wide_row(b, i, row);
		break;
	case ROW_MATRIX:
		if (!translate_matrix(b, i, row))
			bad(b, i, wave64(b) && e->target->major > 9
					  ? "a matrix instruction in waves of 64, which nvcc never compiles for"
					  : "operands not understood");
		break;
	case ROW_SFLOAT:
		scalar_float(b, i, row);
		break;
	case ROW_FLOW:
		flow(b, i, row);
		break;
	case ROW_NOP:
		break;
	}
}

void
translate(struct block *b, const struct gcn_inst *i)
{
	if (i->dual != NULL)
		dual(b, i);
	else
		translate_one(b, i);
}
