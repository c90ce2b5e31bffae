/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * run.h - inside of one build of the hot parts. Everything here is compiled twice, with GCN_VARIANT v1
 * (any x86-64) and v3 (AVX2, FMA); GCN_NAME keeps the two apart.
 */
#ifndef HEDDLE_EXEC_RUN_H
#define HEDDLE_EXEC_RUN_H

#include "amdgpu/exec/wave.h"

#define GCN_JOIN2(a, b) a##_##b
#define GCN_JOIN(a, b)  GCN_JOIN2(a, b)
#define GCN_NAME(x)     GCN_JOIN(x, GCN_VARIANT)

/* Lanes do not depend on each other, even where destination and operands are the same registers. */
#ifdef __clang__
#define EACH_LANE(i) _Pragma("clang loop vectorize(assume_safety)") for (int i = 0; i < LANES; i++)
#else
#define EACH_LANE(i) _Pragma("GCC ivdep") for (int i = 0; i < LANES; i++)
#endif
#ifdef __clang__
#define EACH_OF_16(i) _Pragma("clang loop vectorize(assume_safety)") for (int i = 0; i < 16; i++)
#else
#define EACH_OF_16(i) _Pragma("GCC ivdep") for (int i = 0; i < 16; i++)
#endif
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define APART       __attribute__((noinline))
#define ALWAYS_INLINE static inline __attribute__((always_inline))

#define kernels        GCN_NAME(exec_kernels)
#define sat_kernels    GCN_NAME(exec_sat_kernels)
#define some_kernels   GCN_NAME(exec_some_kernels)
#define helpers        GCN_NAME(exec_helpers)
#define valu_general   GCN_NAME(exec_valu_general)
#define memory_help    GCN_NAME(exec_memory_help)
#define lds_run        GCN_NAME(exec_lds_run)
#define run_wave       GCN_NAME(exec_run_wave)
#define move_indexed   GCN_NAME(exec_move_indexed)
#define index_on       GCN_NAME(exec_index_on)
#define index_idx      GCN_NAME(exec_index_idx)
#define index_mode     GCN_NAME(exec_index_mode)
#define matrix_product GCN_NAME(exec_matrix_product)
#define wide_help      GCN_NAME(exec_wide_help)
#define rare_help      GCN_NAME(exec_rare_help)
#define odd_plain      GCN_NAME(exec_odd_plain)
#define odd_kernel     GCN_NAME(exec_odd_kernel)
#define odd_halves     GCN_NAME(exec_odd_halves)
extern kernel_fn *const kernels[R_COUNT], *const sat_kernels[R_COUNT];
extern some_fn *const some_kernels[R_COUNT];
extern help_fn *const helpers[R_COUNT];
enum stop valu_general(struct wave *w, const struct uop *o);
help_fn memory_help, move_indexed, index_on, index_idx, index_mode, matrix_product, wide_help, rare_help;
enum stop lds_run(struct wave *w, const struct uop *o); /* U_LDS, with those of its run */
enum stop run_wave(struct wave *w);
/* odd.c, where wave->odd: whether the operation is done; which kernel stands in; denormal halves to zero */
bool odd_plain(struct wave *w, const struct uop *o);
kernel_fn *odd_kernel(const struct wave *w, kernel_fn *kernel);
void odd_halves(u32 *t, u32 type);

/* --- masks of lanes -------------------------------------------------------------------------------- */

#ifdef __SSE2__
#include <immintrin.h>
#endif

/* One bit a lane of words that are 0 or ~0. */
static inline u32
mask_pack(const u32 *x)
{
	u32 m = 0;
#if defined(__AVX2__)
	for (int i = 0; i < 4; i++)
		m |= (u32)_mm256_movemask_ps(
			     _mm256_loadu_ps((const float *)(const void *)(x + 8 * i)))
		     << 8 * i;
#elif defined(__SSE2__)
	for (int i = 0; i < 8; i++)
		m |= (u32)_mm_movemask_ps(_mm_loadu_ps((const float *)(const void *)(x + 4 * i)))
		     << 4 * i;
#else
	for (int i = 0; i < LANES; i++)
		m |= (x[i] >> 31) << i;
#endif
	return m;
}

/* Eight lanes, wherever they stand. */
#ifdef __AVX2__
#define OCT_LOAD(p)     _mm256_loadu_si256((const __m256i *)(const void *)(p))
#define OCT_STORE(p, v) _mm256_storeu_si256((__m256i *)(void *)(p), v)

/* ~0 in those of lanes 8k … 8k + 7 that the mask names. */
static inline __m256i
oct_mask(u32 m, u32 k)
{
	__m256i bit = _mm256_slli_epi32(
		_mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128), 8 * (int)k);
	return _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32((int)m), bit), bit);
}
#endif

static inline void
mask_unpack(u32 *x, u32 m)
{
#ifdef __AVX2__
	for (u32 k = 0; k < 4; k++)
		OCT_STORE(x + 8 * k, oct_mask(m, k));
#else
	EACH_LANE (i)
		x[i] = m & 1u << i ? ~0u : 0;
#endif
}

static inline void
blend(u32 *d, const u32 *r, u32 m)
{
#ifdef __AVX2__
	__m256i a = _mm256_blendv_epi8(OCT_LOAD(d), OCT_LOAD(r), oct_mask(m, 0));
	__m256i b = _mm256_blendv_epi8(OCT_LOAD(d + 8), OCT_LOAD(r + 8), oct_mask(m, 1));
	__m256i c = _mm256_blendv_epi8(OCT_LOAD(d + 16), OCT_LOAD(r + 16), oct_mask(m, 2));
	__m256i e = _mm256_blendv_epi8(OCT_LOAD(d + 24), OCT_LOAD(r + 24), oct_mask(m, 3));
	OCT_STORE(d, a);
	OCT_STORE(d + 8, b);
	OCT_STORE(d + 16, c);
	OCT_STORE(d + 24, e);
#else
	EACH_LANE (i)
		d[i] = m & 1u << i ? r[i] : d[i];
#endif
}

/* n rows of 32 lanes. Not memcpy, nor a loop that the compiler makes one of: stores as wide as the loads that
 * follow, so that they forward, and values that are in registers stay there. */
static inline void
rows_copy(u32 *d, const u32 *s, u32 n)
{
	for (u32 k = 0; k < n; k++, d += LANES, s += LANES) {
#ifdef __AVX2__
		__m256i a = OCT_LOAD(s), b = OCT_LOAD(s + 8), c = OCT_LOAD(s + 16),
			e = OCT_LOAD(s + 24);
		OCT_STORE(d, a);
		OCT_STORE(d + 8, b);
		OCT_STORE(d + 16, c);
		OCT_STORE(d + 24, e);
#else
		EACH_LANE (i)
			d[i] = s[i];
#endif
	}
}

/* --- registers --------------------------------------------------------------------------------------- */

/* What a kernel computed for all lanes, to those that EXEC names. */
static inline void
rows_blend(u32 *d, const u32 *r, u32 n, u32 m)
{
	for (u32 k = 0; k < n; k++)
		blend(d + k * LANES, r + k * LANES, m);
}

static inline u32 *
vreg(struct wave *w, u32 half, u32 at)
{
	return (u32 *)(void *)(w->file + half * w->file_bytes + at);
}

static inline void
broadcast(u32 *t, const u32 *s, u32 n)
{
	for (u32 k = 0; k < n; k++) {
		u32 v = s[k];
#ifdef __AVX2__
		for (u32 i = 0; i < LANES; i += 8)
			OCT_STORE(t + k * LANES + i, _mm256_set1_epi32((int)v));
#else
		EACH_LANE (i)
			t[k * LANES + (u32)i] = v;
#endif
	}
}

/* The 32 lanes of an operand without modifiers. */
static inline const u32 *
fetch(struct wave *w, u32 half, const struct src *s, u32 which)
{
	if (s->kind <= SRC_CONST)
		return (const u32 *)(const void *)(w->base[s->kind] + s->at +
						   (s->kind ? 0 : half * w->file_bytes));
	const u32 *v = w->s + s->at;
	u32 *t = w->tmp[which];
	if (s->kind == SRC_MASK) {
		mask_unpack(t, v[half]);
	} else if (s->n == 1) {
		t = w->wide[which * WIDE_ROWS + s->at % WIDE_ROWS];
		if (t[0] != v[0])
			broadcast(t, v, 1);
	} else if (s->n == 2) {
		t = w->wide2[which * WIDE2_ROWS + s->at / 2 % WIDE2_ROWS];
		if (t[0] != v[0] || t[LANES] != v[1])
			broadcast(t, v, 2);
	} else {
		broadcast(t, v, s->n);
	}
	return t;
}

static inline u64
s64(const struct wave *w, u32 at)
{
	return w->s[at] | (u64)w->s[at + 1] << 32;
}

static inline void
s64_set(struct wave *w, u32 at, u64 v)
{
	w->s[at] = (u32)v;
	w->s[at + 1] = (u32)(v >> 32);
}

/* A scalar operand: a register, or a value in the operation. */
static inline const u32 *
scalar(const struct wave *w, const struct uop *o, int i)
{
	const struct src *s = &o->src[i];
	return s->imm ? (const u32 *)&o->k[s->imm - 1] : w->s + s->at;
}

#endif
