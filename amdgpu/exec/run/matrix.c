/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * matrix.c - helper: products of matrices whose elements are spread over the lanes of a wave.
 *
 * MFMA (gfx9, wave64), lane l:
 *   A, B   row of A or column of B: l % M; block: l / M % blocks; the lane holds the K / g consecutive k
 *          from l / (M * blocks) on, where g = 64 / (M * blocks)
 *   C, D   column l % M; register r holds row 4 * (64 / M) * (r / 4) + 4 * (l / M) + r % 4 of block
 *          r / (M * M / 64); for 4 x 4: row r of block l / 4; doubles: row (64 / M) * r + l / M, and
 *          for 4 x 4 row l / 16 of block l / 4 % 4
 * WMMA (gfx11, wave32):
 *   A, B   row or column l % 16 with all k; the two halves of the wave hold the same
 *   C, D   column l % 16; register r holds row 2 * r + l / 16
 * WMMA (gfx12, wave32):
 *   A, B   row or column l % 16, the half of k that l / 16 says
 *   C, D   column l % 16; row 8 * (l / 16) + r; halves are packed, two rows a register
 *
 * Sparse (SMFMAC, SWMMAC): B as above; of each four k that a lane holds of B, its A has two, and four bits of the
 *   index register say which: 1:0 of the first, 3:2 of the second. Shorter indices share a register; abid
 *   (where cbsz is 0) or index_key choose.
 * Scaled (gfx950), lane l: bytes: k = 16 * (64 / M) * (e / 16) + 16 * (l / M) + e % 16; of 4 and 6 bits: the 32
 *   consecutive k from 32 * (l / M) on. The scale of row r (or column) for k is a byte of lane r + M * (k / 32).
 *
 * The hardware does not say in which order it adds nor how often it rounds. Here: k from 0 on, each step one
 * fused multiply-add in the type of D, which for f16 and bf16 is float. EXEC is ignored, as by the hardware.
 */
#include "amdgpu/exec/matrix.h"
#include "amdgpu/exec/run/num.h"
#include "amdgpu/exec/run/run.h"
#include "amdgpu/exec/run/small.h"

enum { MOST_DWORDS = 32, WAVE = 64 };

struct operand {
	u32 v[MOST_DWORDS][WAVE];
};

static void
operand_read(struct wave *w, const struct src *s, struct operand *out)
{
	for (u32 r = 0; r < s->n; r++)
		for (u32 h = 0; h < w->halves; h++) {
			const u32 *p =
				s->kind == SRC_CONST
					? (const u32 *)(const void *)(w->base[SRC_CONST] + s->at) +
						  r % 2 * LANES
					: vreg(w, h, s->at + r * ROW);
			memcpy(&out->v[r][h * LANES], p, ROW);
		}
}

/* Element e of what a lane holds, as bits. */
static u32
element(const struct operand *o, u32 bits, u32 lane, u32 e)
{
	u32 at = e * bits, v = o->v[at / 32][lane] >> at % 32;
	if (at % 32 + bits > 32) /* of 6 bits */
		v |= o->v[at / 32 + 1][lane] << (32 - at % 32);
	return bits == 32 ? v : v & ((1u << bits) - 1);
}

static float
f8_value(u32 v, bool bf8, bool fnuz)
{
	return small_value(bf8 ? (fnuz ? BF8_Z : BF8) : (fnuz ? FP8_Z : FP8), v, 0);
}

/* 10 bits of mantissa, rounded to nearest even. */
static float
xf32_value(u32 v)
{
	float f = float32(v);
	return f - f != 0 ? f : float32((v + 0xfff + (v >> 13 & 1)) & ~0x1fffu);
}

static float
as_float(enum matrix_type t, u32 v)
{
	return t == MATRIX_F16 ? h2f(v) : float32(t == MATRIX_BF16 ? v << 16 : v);
}

static i32
as_int(enum matrix_type t, u32 v, bool is_signed)
{
	u32 unused = t == MATRIX_IU4 ? 28 : 24;
	return is_signed ? (i32)(v << unused) >> unused : (i32)v;
}

/* Which lane stands in for a lane of B (CDNA2 ISA, "BLGP"). */
static u32
b_lane(u32 blgp, u32 l)
{
	switch (blgp) {
	case 1:
		return l & 31;
	case 2:
		return l | 32;
	case 3:
		return (l + 16) & 63;
	case 4:
	case 5:
	case 6:
	case 7:
		return (l & 15) | (blgp - 4) << 4;
	default:
		return l;
	}
}

struct place {
	u32 lane, reg; /* where an element of C and D is */
};

static struct place
place(const struct matrix *x, bool gfx12, u32 block, u32 row, u32 column)
{
	u32 m = x->m, groups = m == 32 ? 2 : 4;
	if (x->blocks == 0 && gfx12)
		return (struct place){
			column + row / 8 * 16, matrix_bits(x->d) == 16 ? row % 8 / 2 : row % 8};
	if (x->blocks == 0)
		return (struct place){column + row % 2 * 16, row / 2};
	if (x->d == MATRIX_F64)
		return m == 4 ? (struct place){column + 4 * block + 16 * row, 0}
			      : (struct place){column + m * (row % 4), 2 * (row / 4)};
	if (m == 4)
		return (struct place){column + 4 * block, row};
	u32 high = row / (4 * groups), group = row / 4 % groups;
	return (struct place){column + m * group, block * (m * m / 64) + 4 * high + row % 4};
}

/* Where element k of a row of A (or column of B) is: the lane, and which of the lane's elements. */
static u32
ab_lane(const struct matrix *x, bool gfx12, u32 block, u32 row, u32 k, u32 *e)
{
	if (x->blocks == 0) {
		u32 half = gfx12 ? x->k / 2u : x->k;
		*e = k % half;
		return row + 16 * (k / half);
	}
	u32 each = x->k * x->m * x->blocks / WAVE;
	*e = k % each;
	return row + x->m * (block + x->blocks * (k / each));
}

struct product {
	const struct matrix *x;
	u64 mods;
	bool gfx12, fnuz;
	struct operand a, b, c, d;
	u32 more[2][WAVE]; /* the index, or the scales of A and B */
};

static u32
a_block(const struct product *p, u32 block)
{
	u32 cbsz = p->mods >> MATRIX_CBSZ & 7, abid = p->mods >> MATRIX_ABID & 15;
	return cbsz == 0 ? block : ((block & ~((1u << cbsz) - 1)) + abid) % p->x->blocks;
}

/* The bits of A's and B's element that meet at k. */
static void
pair(const struct product *p, u32 block, u32 row, u32 column, u32 k, u32 *a, u32 *b)
{
	u32 e, bits = matrix_bits(p->x->e),
	       la = ab_lane(p->x, p->gfx12, a_block(p, block), row, k, &e);
	*a = element(&p->a, bits, la, e);
	u32 lb = b_lane(p->mods >> MATRIX_BLGP & 7, ab_lane(p->x, p->gfx12, block, column, k, &e));
	*b = element(&p->b, bits, lb, e);
}

static float
ab_float(const struct product *p, u32 v, bool is_b)
{
	switch ((enum matrix_type)p->x->e) {
	case MATRIX_FP8:
		return f8_value(v, false, p->fnuz);
	case MATRIX_BF8:
		return f8_value(v, true, p->fnuz);
	case MATRIX_FP8_BF8:
		return f8_value(v, is_b, p->fnuz);
	case MATRIX_BF8_FP8:
		return f8_value(v, !is_b, p->fnuz);
	case MATRIX_XF32:
		return xf32_value(v);
	default:
		return as_float(p->x->e, v);
	}
}

/* Sparse: for step n of a sum the element of A and the k that it belongs to. */
static u32
sparse_a(const struct product *p, u32 row, u32 n, u32 *k)
{
	const struct matrix *x = p->x;
	u32 parts = x->blocks == 0 ? 2 : WAVE / x->m, each = x->k / parts; /* k that a lane holds */
	u32 lane = row + x->m * (2 * n / each), e = n % (each / 2), sets = 32 / each;
	u32 set = x->blocks == 0                  ? p->mods >> MATRIX_KEY & 3
		  : (p->mods >> MATRIX_CBSZ & 7) == 0 ? p->mods >> MATRIX_ABID & 15
						      : 0;
	u32 index = p->more[0][lane] >> set % sets * each;
	*k = 2 * n / each * each + e / 2 * 4 + (index >> 2 * e & 3);
	return element(&p->a, matrix_bits(x->e), lane, e);
}

/* Steps of a sum, and the bits that meet in one. */
static u32
steps(const struct matrix *x)
{
	return x->kind == MATRIX_SPARSE ? x->k / 2 : x->k;
}

static void
meet(const struct product *p, u32 block, u32 row, u32 column, u32 n, u32 *a, u32 *b)
{
	u32 k, e;
	if (p->x->kind != MATRIX_SPARSE) {
		pair(p, block, row, column, n, a, b);
		return;
	}
	*a = sparse_a(p, row, n, &k);
	u32 lane = ab_lane(p->x, p->gfx12, 0, column, k, &e);
	*b = element(&p->b, matrix_bits(p->x->e), lane, e);
}

/* Scaled: element k of a row of A or a column of B. */
static float
scaled_at(const struct product *p, const struct operand *o, u32 format, u32 row, u32 k)
{
	static const u8 formats[] = {FP8, BF8, FP6, BF6, FP4};
	enum small f = (enum small)formats[format];
	u32 m = p->x->m, bits = small_format(f).bits, groups = WAVE / m;
	u32 lane = bits == 8 ? k % (16 * groups) / 16 : k / 32;
	u32 e = bits == 8 ? k / (16 * groups) * 16 + k % 16 : k % 32;
	return small_value(f, element(o, bits, row + m * lane, e), 0);
}

/* A power of two; 255 is NaN. */
static double
scale_at(const struct product *p, u32 which, u32 row, u32 block)
{
	if ((p->mods >> (MATRIX_MORE + 16 * which) & 0xffff) == MATRIX_NO_SCALE)
		return 1;
	u32 byte = p->mods >> (MATRIX_BYTE + 2 * which) & 3;
	u32 e = p->more[which][row + p->x->m * block] >> 8 * byte & 255;
	return e == 255 ? (double)NAN : pow2((i32)e - 127);
}

static u32
scaled_sum(const struct product *p, u32 row, u32 column, u32 c)
{
	u32 fa = p->mods >> MATRIX_CBSZ & 7, fb = p->mods >> MATRIX_BLGP & 7;
	float sum = float32(c);
	for (u32 block = 0; block < p->x->k / 32u; block++) {
		double part = 0;
		for (u32 k = 32 * block; k < 32 * block + 32; k++)
			part += (double)scaled_at(p, &p->a, fa, row, k) *
				(double)scaled_at(p, &p->b, fb, column, k);
		sum = (float)((double)sum +
			      part * scale_at(p, 0, row, block) * scale_at(p, 1, column, block));
	}
	return sum != sum ? NAN32 : bits32(sum);
}

static u32
float_sum(const struct product *p, u32 block, u32 row, u32 column, u32 c)
{
	const struct matrix *x = p->x;
	float sum = as_float(x->d, c);
	for (u32 k = 0; k < steps(x); k++) {
		u32 a, b;
		meet(p, block, row, column, k, &a, &b);
		sum = fmaf(ab_float(p, a, false), ab_float(p, b, true), sum);
	}
	if (sum != sum)
		sum = float32(NAN32);
	return x->d == MATRIX_F16 ? f2h(sum) : x->d == MATRIX_BF16 ? f2bf(sum) : bits32(sum);
}

static u32
int_sum(const struct product *p, u32 block, u32 row, u32 column, u32 c)
{
	const struct matrix *x = p->x;
	bool sa = x->e == MATRIX_I8 || p->mods >> MATRIX_SIGN & 1,
	     sb = x->e == MATRIX_I8 || p->mods >> (MATRIX_SIGN + 1) & 1;
	i64 sum = (i32)c;
	for (u32 k = 0; k < steps(x); k++) {
		u32 a, b;
		meet(p, block, row, column, k, &a, &b);
		sum += as_int(x->e, a, sa) * as_int(x->e, b, sb);
	}
	return p->mods >> MATRIX_CLAMP & 1 ? (u32)sat_i32(sum) : (u32)sum;
}

static double
double_of(const struct operand *o, u32 reg, u32 lane)
{
	return float64(o->v[reg][lane] | (u64)o->v[reg + 1][lane] << 32);
}

static void
double_sum(struct product *p, u32 block, u32 row, u32 column, struct place at)
{
	u32 neg = p->mods >> MATRIX_NEG & 7;
	double sum = double_of(&p->c, at.reg, at.lane);
	if (neg & 4)
		sum = -sum;
	for (u32 k = 0; k < p->x->k; k++) {
		u32 e, la = ab_lane(p->x, false, block, row, k, &e),
		       lb = ab_lane(p->x, false, block, column, k, &e);
		double a = double_of(&p->a, 0, la), b = double_of(&p->b, 0, lb);
		sum = fma((neg & 1) != (neg >> 1 & 1) ? -a : a, b, sum);
	}
	u64 bits = sum != sum ? NAN64 : bits64(sum);
	p->d.v[at.reg][at.lane] = (u32)bits;
	p->d.v[at.reg + 1][at.lane] = (u32)(bits >> 32);
}

enum stop
matrix_product(struct wave *w, const struct uop *o)
{
	struct product p = {.x = matrix_get((enum row_id)o->k[1]), .mods = o->k[0]};
	const struct matrix *x = p.x;
	const struct target *t = w->group->dispatch->e->target;
	bool half = matrix_bits(x->d) == 16, high = p.mods >> MATRIX_HIGH & 1;
	p.gfx12 = t->major >= 12;
	p.fnuz = t->major == 9 && t->minor == 4;
	for (u32 k = 0; k < (x->kind == MATRIX_SCALED ? 2u : x->kind == MATRIX_SPARSE ? 1u : 0u); k++) {
		u32 reg = p.mods >> (MATRIX_MORE + 16 * k) & 0xffff;
		for (u32 h = 0; h < w->halves && reg != MATRIX_NO_SCALE; h++)
			memcpy(&p.more[k][h * LANES], vreg(w, h, reg * ROW), ROW);
	}
	operand_read(w, &o->src[0], &p.a);
	operand_read(w, &o->src[1], &p.b);
	operand_read(w, &o->src[2], &p.c);
	struct src dst = {.kind = SRC_VGPR, .at = o->dst, .n = o->nd};
	operand_read(w, &dst, &p.d); /* a half keeps its other half */
	for (u32 block = 0; block < (x->blocks ? x->blocks : 1u); block++)
		for (u32 row = 0; row < x->m; row++)
			for (u32 column = 0; column < x->m; column++) {
				struct place at = place(x, p.gfx12, block, row, column);
				if (p.gfx12 && half)
					high = row & 1;
				if (x->d == MATRIX_F64) {
					double_sum(&p, block, row, column, at);
					continue;
				}
				u32 *d = &p.d.v[at.reg][at.lane], c = p.c.v[at.reg][at.lane];
				if (half)
					c = high ? c >> 16 : c & 0xffff;
				u32 r = x->kind == MATRIX_SCALED ? scaled_sum(&p, row, column, c)
					: x->d == MATRIX_I32     ? int_sum(&p, block, row, column, c)
								 : float_sum(&p, block, row, column, c);
				*d = !half  ? r
				     : high ? (*d & 0xffff) | r << 16
					    : (*d & 0xffff0000) | r;
			}
	for (u32 r = 0; r < o->nd; r++)
		for (u32 h = 0; h < w->halves; h++)
			memcpy(vreg(w, h, o->dst + r * ROW), &p.d.v[r][h * LANES], ROW);
	return STOP_NONE;
}
