/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * operand.c - operands as text named them, to places in a wave: scalar registers to indices of s[], vector
 * registers to offsets in a file, constants to the bits that they are for an operand of the row's type.
 */
#include "amdgpu/exec/wave.h"

/* Index in s[] of a scalar register; -1 when it is none that has a place there. */
int
scalar_index(const struct gcn_operand *op)
{
	switch (op->kind) {
	case GCN_SGPR:
		return op->reg < S_VCC ? op->reg : -1;
	case GCN_TTMP:
		return S_TTMP + op->reg;
	case GCN_SPECIAL:
		switch ((enum gcn_special)op->reg) {
		case GCN_VCC:
		case GCN_VCC_LO:
			return S_VCC;
		case GCN_VCC_HI:
			return S_VCC + 1;
		case GCN_EXEC:
		case GCN_EXEC_LO:
			return S_EXEC;
		case GCN_EXEC_HI:
			return S_EXEC + 1;
		case GCN_M0:
			return S_M0;
		case GCN_SCC:
		case GCN_SRC_SCC:
			return S_SCC;
		case GCN_FLAT_SCRATCH:
		case GCN_FLAT_SCRATCH_LO:
			return S_FLAT;
		case GCN_FLAT_SCRATCH_HI:
			return S_FLAT + 1;
		case GCN_XNACK_MASK:
		case GCN_XNACK_MASK_LO:
			return S_XNACK;
		case GCN_XNACK_MASK_HI:
			return S_XNACK + 1;
		default:
			return -1;
		}
	default:
		return -1;
	}
}

static bool
is_null(const struct gcn_operand *op)
{
	return op->kind == GCN_SPECIAL && op->reg == GCN_NULL_REG;
}

int
scalar_src(const struct gcn_operand *op)
{
	return is_null(op) ? S_ZERO : scalar_index(op);
}

int
scalar_dst(const struct gcn_operand *op)
{
	return is_null(op) ? S_SINK : scalar_index(op);
}

static u32
half_bits(double v)
{
	/* the inline constants are exact in a half, but for 1 / (2 pi) */
	if (v == 0.15915494 || v == 0.15915494309189532 || v == 0.1592)
		return 0x3118;
	u64 u;
	memcpy(&u, &v, 8);
	return v == 0 ? 0
		      : (u32)((u >> 48 & 0x8000) | (((u >> 52 & 0x7ff) - 1008) << 10) |
				(u >> 42 & 0x3ff));
}

/* The bits of a constant as an operand of this type (isa-dependent rules: "Inline constants"). */
bool
constant(const struct gcn_operand *op, enum type t, u64 *out)
{
	bool wide = type_dwords(t) == 2,
	     pi = op->kind == GCN_FLOAT && op->num > 0.1591 && op->num < 0.1592;
	bool h16 = t == T_u16 || t == T_i16 || t == T_f16 ||
		   t == T_pkf16; /* packed integers read 32 bits */
	float f = (float)op->num;
	u32 bits;
	memcpy(&bits, &f, 4);
	switch (op->kind) {
	case GCN_FLOAT:
		if (t == T_f64 || t == T_u64 || t == T_i64) {
			memcpy(out, &op->num, 8);
			if (pi)
				*out = 0x3fc45f306dc9c882;
		} else if (h16) {
			*out = pi ? 0x3118 : half_bits(op->num);
		} else if (t == T_pkbf16 || t == T_bf16) {
			*out = pi ? 0x3e22 : bits >> 16;
		} else {
			*out = pi ? 0x3e22f983 : bits;
			if (t == T_pkf32)
				*out |= *out << 32;
		}
		return true;
	case GCN_INT:
	case GCN_LITERAL:
		*out = (u64)op->imm;
		if (!wide)
			*out = (u32)op->imm;
		else if (op->lit64)
			*out = (u64)op->imm;
		else if (t == T_f64 && (op->hex || op->kind == GCN_LITERAL))
			*out = (u64)op->imm << 32;
		else if (t == T_pkf32 || t == T_pk32)
			*out = (u32)op->imm | (u64)op->imm << 32;
		else if (t == T_i64 && op->hex)
			*out = (u64)(i64)(i32)op->imm;
		return true;
	case GCN_SPECIAL:
		switch ((enum gcn_special)op->reg) {
		case GCN_SHARED_BASE:
			*out = EXEC_SHARED_BASE;
			break;
		case GCN_SHARED_LIMIT:
			*out = EXEC_SHARED_BASE | 0xffffffff;
			break;
		case GCN_PRIVATE_BASE:
			*out = EXEC_PRIVATE_BASE;
			break;
		case GCN_PRIVATE_LIMIT:
			*out = EXEC_PRIVATE_BASE | 0xffffffff;
			break;
		case GCN_NULL_REG:
			*out = 0;
			return true;
		default:
			return false;
		}
		if (!wide)
			*out >>= 32; /* a 32-bit read sees the half that is not zero */
		return true;
	default:
		return false;
	}
}

/* Byte offset of a vector register in a half's file; -1: not one, or not as many dwords as wanted. */
i32
vector_at(const struct gcn_operand *op, u32 dwords)
{
	u32 base = op->kind == GCN_AGPR ? AGPR_BASE : 0;
	if ((op->kind != GCN_VGPR && op->kind != GCN_AGPR) || op->reg + op->n > AGPR_BASE)
		return -1;
	if (dwords != 0 && op->n != dwords)
		return -1;
	return (i32)((base + op->reg) * ROW);
}

bool
source(struct block *b, const struct gcn_operand *op, enum type t, struct src *s)
{
	u32 n = type_dwords(t);
	s->type = (u8)t;
	s->n = (u8)n;
	if (t == T_mask) {
		int at = scalar_src(op);
		s->kind = SRC_MASK;
		s->at = (u32)at;
		return at >= 0 && (at == S_ZERO || op->n == (b->r->wave == 64 ? 2 : 1));
	}
	i32 v = vector_at(op, n);
	if (v >= 0) {
		s->kind = SRC_VGPR;
		s->at = (u32)v;
		return true;
	}
	int at = scalar_index(op);
	if (at >= 0) {
		s->kind = SRC_SGPR;
		s->at = (u32)at;
		return op->n == n;
	}
	u64 value;
	if (!constant(op, t, &value))
		return false;
	s->kind = SRC_CONST;
	s->at = pool_add(b->e, n == 2 ? value : (u32)value, n == 2);
	return s->at != ~0u;
}
