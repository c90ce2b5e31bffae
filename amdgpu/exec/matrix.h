/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* matrix.h - the shapes of matrix instructions (isa_matrix.def), for translation and execution. */
#ifndef HEDDLE_EXEC_MATRIX_H
#define HEDDLE_EXEC_MATRIX_H

#include "amdgpu/exec/wave.h"

enum matrix_type {
	MATRIX_F64,
	MATRIX_F32,
	MATRIX_I32,
	MATRIX_F16,
	MATRIX_BF16,
	MATRIX_I8,
	MATRIX_IU8,
	MATRIX_IU4,
	MATRIX_FP8,
	MATRIX_BF8,
	MATRIX_FP8_BF8,
	MATRIX_BF8_FP8,
	MATRIX_XF32,
	MATRIX_ANY8 /* by modifiers: FP8 BF8 FP6 BF6 FP4 */
};

enum matrix_kind { MATRIX_DENSE, MATRIX_SPARSE, MATRIX_SCALED };

struct matrix {
	u8 d, e; /* enum matrix_type */
	u8 m, k, blocks;
	u8 kind; /* enum matrix_kind */
};
const struct matrix *matrix_get(enum row_id row);
u32 matrix_bits(enum matrix_type t);
/* Registers of an operand: A and B, C and D. WMMA of gfx12 holds each element once. */
u32 matrix_ab_dwords(const struct matrix *x, bool gfx12); /* of B when A is sparse */
u32 matrix_cd_dwords(const struct matrix *x, bool gfx12);

/* uop: k[0] is the modifiers and, of sparse and scaled ones, the registers of one or two more operands (bits 32
 * and 48 on, in rows; a constant of scaled ones is MATRIX_NO_SCALE); k[1] is the row. */
#define MATRIX_NO_SCALE 0xffffu
enum {
	MATRIX_CBSZ = 0,  /* 3 bits */
	MATRIX_ABID = 3,  /* 4 bits */
	MATRIX_BLGP = 7,  /* 3 bits */
	MATRIX_SIGN = 10, /* iu: A, B are signed */
	MATRIX_CLAMP = 12,
	MATRIX_HIGH = 13, /* 16-bit D in the high halves */
	MATRIX_KEY = 14, /* 2 bits: which part of the index, of gfx12 */
	MATRIX_NEG = 16, /* 3 bits: A, B, C of doubles */
	MATRIX_BYTE = 20, /* 4 bits: which byte of a scale, of A and B */
	MATRIX_MORE = 32
};
bool translate_matrix(struct block *b, const struct gcn_inst *i, const struct row *row);

#endif
