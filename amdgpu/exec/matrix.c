/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* matrix.c - the table of matrix shapes, and matrix instructions to micro-operations. */
#include "amdgpu/exec/matrix.h"

static const struct matrix shapes[R_COUNT] = {
#include "amdgpu/exec/isa_none.h"
#undef MATRIX
#undef SPARSE
#undef SCALED
#define MATRIX(name, D, E, M, K, blocks) [R_##name] = {MATRIX_##D, MATRIX_##E, M, K, blocks, MATRIX_DENSE},
#define SPARSE(name, D, E, M, K, blocks) [R_##name] = {MATRIX_##D, MATRIX_##E, M, K, blocks, MATRIX_SPARSE},
#define SCALED(name, M, K)               [R_##name] = {MATRIX_F32, MATRIX_ANY8, M, K, 1, MATRIX_SCALED},
#include "amdgpu/exec/isa.def"
};

const struct matrix *
matrix_get(enum row_id row)
{
	assert(row < R_COUNT && shapes[row].m != 0);
	return &shapes[row];
}

u32
matrix_bits(enum matrix_type t)
{
	static const u8 bits[] = {64, 32, 32, 16, 16, 8, 8, 4, 8, 8, 8, 8, 32, 8};
	return bits[t];
}

u32
matrix_ab_dwords(const struct matrix *x, bool gfx12)
{
	u32 bits = x->m * x->k * matrix_bits(x->e);
	return x->blocks != 0 ? bits * x->blocks / 64 / 32
			      : bits / (gfx12 ? 32 : 16) /
					32; /* gfx11: both halves of the wave hold all */
}

u32
matrix_cd_dwords(const struct matrix *x, bool gfx12)
{
	if (x->blocks == 0)
		return x->m * x->m / 32 /
		       (gfx12 && matrix_bits(x->d) == 16 ? 2 : 1); /* gfx11 does not pack halves */
	return x->m * x->m * x->blocks * matrix_bits(x->d) / 64 / 32;
}

static bool
source_matrix(struct block *b, const struct gcn_operand *op, const struct matrix *x, u32 dwords,
	bool constant_too, struct src *s)
{
	u64 value;
	i32 at = vector_at(op, dwords);
	if (op->neg || op->abs || op->half != GCN_WHOLE)
		return false;
	s->kind = SRC_VGPR;
	s->n = (u8)dwords;
	s->at = (u32)at;
	if (at >= 0)
		return true;
	enum type t = x->d == MATRIX_F64 ? T_f64 : x->d == MATRIX_F32 ? T_f32 : T_i32;
	if (!constant_too || matrix_bits(x->d) < 32 || !constant(op, t, &value))
		return false;
	s->kind = SRC_CONST;
	s->at = pool_add(b->e, t == T_f64 ? value : (u32)value, t == T_f64);
	return s->at != ~0u;
}

static bool
modifiers(const struct gcn_inst *i, const struct matrix *x, u64 *out)
{
	static const struct {
		u8 mod, shift, bits;
	} list[] = {
		{GCN_MOD_cbsz, MATRIX_CBSZ, 3},
		{GCN_MOD_abid, MATRIX_ABID, 4},
		{GCN_MOD_blgp, MATRIX_BLGP, 3},
		{GCN_MOD_neg_lo, MATRIX_SIGN, 2},
		{GCN_MOD_clamp, MATRIX_CLAMP, 1},
		{GCN_MOD_neg, MATRIX_NEG, 3},
		{GCN_MOD_index_key, MATRIX_KEY, 2},
	};
	gcn_mods left = i->seen;
	bool iu = x->e == MATRIX_IU8 || x->e == MATRIX_IU4;
	*out = 0;
	for (u32 k = 0; k < COUNT(list); k++) {
		u32 v = (u32)i->mod[list[k].mod];
		if (v >> list[k].bits != 0)
			return false;
		*out |= (u64)v << list[k].shift;
		left &= ~((gcn_mods)1 << list[k].mod);
	}
	if (x->kind == MATRIX_SCALED) { /* which byte of the scales */
		u32 lo = (u32)i->mod[GCN_MOD_op_sel], hi = (u32)i->mod[GCN_MOD_op_sel_hi];
		*out |= (u64)((lo & 1) | (hi & 1) << 1 | (lo & 2) << 1 | (hi & 2) << 2) << MATRIX_BYTE;
		left &= ~((gcn_mods)1 << GCN_MOD_op_sel | (gcn_mods)1 << GCN_MOD_op_sel_hi);
		return left == 0 && (*out >> MATRIX_CBSZ & 7) <= 4 && (*out >> MATRIX_BLGP & 7) <= 4 &&
		       (*out >> MATRIX_SIGN & 15) == 0 && *out >> MATRIX_NEG == *out >> MATRIX_BYTE << 4 &&
		       (*out >> MATRIX_ABID & 15) == 0;
	}
	if (x->d == MATRIX_F16 || x->d == MATRIX_BF16) { /* which halves hold C and D */
		u32 v = (u32)i->mod[GCN_MOD_op_sel];
		*out |= (u64)(v >> 2 & 1) << MATRIX_HIGH;
		left &= ~((gcn_mods)1 << GCN_MOD_op_sel);
		if (v & 3)
			return false;
	}
	u64 wants_iu = *out >> MATRIX_SIGN & 7, wants_mfma = *out & ((1u << MATRIX_SIGN) - 1);
	return left == 0 && (iu || wants_iu == 0) && (x->blocks != 0 || wants_mfma == 0) &&
	       (x->d == MATRIX_F64 ? wants_mfma == 0 : (*out >> MATRIX_NEG & 7) == 0) &&
	       ((x->kind == MATRIX_SPARSE && x->blocks == 0) || (*out >> MATRIX_KEY & 3) == 0) &&
	       (x->kind != MATRIX_SPARSE || (*out >> MATRIX_BLGP & 7) == 0);
}

/* Registers of an operand of a scaled product in a format. */
static u32
scaled_dwords(u32 format)
{
	return format <= 1 ? 8 : format <= 3 ? 6 : 4;
}

/* One more operand, a register, into k[0]; of scaled ones also a constant 2^0 for "no scale". */
static bool
more(struct uop *o, const struct gcn_operand *op, u32 shift)
{
	i32 at = vector_at(op, 1);
	if (at < 0 || op->neg || op->abs || op->half != GCN_WHOLE)
		return false;
	o->k[0] |= (u64)((u32)at / ROW) << shift;
	return true;
}

bool
translate_matrix(struct block *b, const struct gcn_inst *i, const struct row *row)
{
	u32 number = row_number(row);
	const struct matrix *x = matrix_get((enum row_id)number);
	u64 mods;
	u32 major = b->e->target->major;
	bool gfx12 = major >= 12;
	u32 ab = matrix_ab_dwords(x, gfx12), cd = matrix_cd_dwords(x, gfx12);
	bool layout =
		x->blocks != 0 ? major == 9 && b->r->wave == 64 : major >= 11 && b->r->wave == 32;
	bool sparse = x->kind == MATRIX_SPARSE, scaled = x->kind == MATRIX_SCALED && i->nops == 6;
	if (!layout || (i->nops != 4 && !scaled) || vector_at(&i->op[0], cd) < 0 ||
		!modifiers(i, x, &mods))
		return false;
	u32 na = sparse ? ab / 2 : ab, nb = ab;
	if (x->kind == MATRIX_SCALED) {
		na = scaled_dwords(mods >> MATRIX_CBSZ & 7);
		nb = scaled_dwords(mods >> MATRIX_BLGP & 7);
	}
	struct src src[3];
	memset(src, 0, sizeof(src));
	if (!source_matrix(b, &i->op[1], x, na, false, &src[0]) ||
		!source_matrix(b, &i->op[2], x, nb, false, &src[1]) ||
		!source_matrix(b, &i->op[sparse ? 0 : 3], x, cd, !sparse, &src[2]))
		return false;
	struct uop *o = block_add(b);
	if (o == NULL)
		return true;
	o->code = U_HELP;
	o->help = b->e->runner->help[number];
	o->dst = (u32)vector_at(&i->op[0], cd);
	o->nd = (u8)cd;
	memcpy(o->src, src, sizeof(src));
	o->k[0] = mods;
	o->k[1] = number;
	if (x->kind == MATRIX_SCALED && !scaled)
		o->k[0] |= (u64)MATRIX_NO_SCALE << MATRIX_MORE | (u64)MATRIX_NO_SCALE << (MATRIX_MORE + 16);
	if ((sparse && !more(o, &i->op[3], MATRIX_MORE)) ||
		(scaled && (!more(o, &i->op[4], MATRIX_MORE) || !more(o, &i->op[5], MATRIX_MORE + 16)))) {
		b->n--;
		return false;
	}
	o->fp = x->d == MATRIX_F64 ? 2 : 1;
	return true;
}
