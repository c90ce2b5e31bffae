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
	MATRIX_XF32
};

struct matrix {
	u8 d, e; /* enum matrix_type */
	u8 m, k, blocks;
};
const struct matrix *matrix_get(enum row_id row);
u32 matrix_bits(enum matrix_type t);
/* Registers of an operand: A and B, C and D. WMMA of gfx12 holds each element once. */
u32 matrix_ab_dwords(const struct matrix *x, bool gfx12);
u32 matrix_cd_dwords(const struct matrix *x, bool gfx12);

/* uop: k[0] is the modifiers, k[1] the row. */
enum {
	MATRIX_CBSZ = 0,  /* 3 bits */
	MATRIX_ABID = 3,  /* 4 bits */
	MATRIX_BLGP = 7,  /* 3 bits */
	MATRIX_SIGN = 10, /* iu: A, B are signed */
	MATRIX_CLAMP = 12,
	MATRIX_HIGH = 13  /* 16-bit D in the high halves */
};
bool translate_matrix(struct block *b, const struct gcn_inst *i, const struct row *row);

#endif
