/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * valu.c - a kernel for each vector row of isa.def: a loop over 32 lanes that loads typed operands,
 * evaluates the row's expression and stores the result. Float rows look for NaN results as they go and
 * repair them afterwards, because hosts and AMD choose NaNs differently and NaNs are rare.
 */
#include "amdgpu/exec/run/run.h"
#include "amdgpu/exec/run/real.h"
#include "amdgpu/exec/run/small.h"

#define TYPE(name, ctype, dwords, fp) typedef ctype ct_##name;
#include "amdgpu/exec/type.def"
#undef TYPE

#define ld_NONE(p, i)  0
#define ld_u32(p, i)   (p)[i]
#define ld_i32(p, i)   (i32)(p)[i]
#define ld_f32(p, i)   float32((p)[i])
#define ld_u64(p, i)   ((p)[i] | (u64)(p)[(i) + LANES] << 32)
#define ld_i64(p, i)   (i64) ld_u64(p, i)
#define ld_f64(p, i)   float64(ld_u64(p, i))
#define ld_u16(p, i)   (u16)(p)[i]
#define ld_i16(p, i)   (i16)(p)[i]
#define ld_f16(p, i)   h2f((p)[i] & 0xffff)
#define ld_pk16(p, i)  (p)[i]
#define ld_pkf16(p, i) (p)[i]
#define ld_pkbf16(p, i) (p)[i]
#define ld_pkf32(p, i) ld_u64(p, i)
#define ld_pk32(p, i)  ld_u64(p, i)
#define ld_mix(p, i)   float32((p)[i])
#define ld_mixout      ld_f16
#define ld_mask(p, i)  (p)[i]
#define ld_word        ld_u16
#define ld_bf16        ld_u16
#define ld_byte(p, i)  (p)[i]

#define st_u32(p, i, v) ((p)[i] = (v))
#define st_i32(p, i, v) ((p)[i] = (u32)(v))
#define st_f32(p, i, v) ((p)[i] = bits32(v))
#define st_u64(p, i, v) ((p)[i] = (u32)(v), (p)[(i) + LANES] = (u32)((u64)(v) >> 32))
#define st_i64          st_u64
#define st_f64(p, i, v) st_u64(p, i, bits64(v))
#define st_u16(p, i, v) ((p)[i] = (u16)(v))
#define st_i16(p, i, v) ((p)[i] = (u16)(v))
#define st_f16          st_f32 /* made halves by fin_f16, all lanes at once */
#define st_pk16         st_u32
#define st_mixout       st_f16
#define st_word         st_u16
#define st_bf16         st_u16
#define st_byte         st_u32

/* What is left to do with 32 stored results, and how they read before that is done. */
#define fin_u32(p)
#define fin_i32(p)
#define fin_f32(p)
#define fin_u64(p)
#define fin_i64(p)
#define fin_f64(p)
#define fin_u16(p)
#define fin_i16(p)
#define fin_word(p)
#define fin_bf16(p)
#define fin_byte(p)
#define fin_f16(p)    halves(p)
#define fin_mixout(p) halves(p)
#define any_nan_f32    any_nan32
#define any_nan_f64    any_nan64
#define any_nan_f16    any_nan32
#define any_nan_mixout any_nan32

#define nan_f16    nan_f32
#define nan_mixout nan_f32

/* Whether one of 32 floats is NaN. */
static inline bool
any_nan32(const u32 *p)
{
#ifdef __AVX2__
	const float *f = (const float *)(const void *)p;
	__m256 a = _mm256_cmp_ps(_mm256_loadu_ps(f), _mm256_loadu_ps(f + 8), _CMP_UNORD_Q);
	__m256 b = _mm256_cmp_ps(_mm256_loadu_ps(f + 16), _mm256_loadu_ps(f + 24), _CMP_UNORD_Q);
	return _mm256_movemask_ps(_mm256_or_ps(a, b)) != 0;
#else
	u32 bad = 0; /* its sign: greater than infinity */
	EACH_LANE (i)
		bad |= 0x7f800000 - (p[i] & 0x7fffffff);
	return bad >> 31;
#endif
}

static inline bool
any_nan64(const u32 *p)
{
	u32 bad = 0;
	EACH_LANE (i)
		bad |= 0x7ff00000 - ((p[LANES + i] & 0x7fffffff) | (p[i] != 0));
	return bad >> 31;
}

/* Floats to halves in place, by the rounding that MODE asks for. */
static inline void
halves(u32 *p)
{
#ifdef __F16C__
	for (int i = 0; i < LANES; i += 8) {
		__m256 f = _mm256_loadu_ps((const float *)(const void *)(p + i));
		__m256i h = _mm256_cvtepu16_epi32(_mm256_cvtps_ph(f, _MM_FROUND_CUR_DIRECTION));
		_mm256_storeu_si256((__m256i *)(void *)(p + i), h);
	}
#else
	const u32 round = host_round();
	for (int i = 0; i < LANES; i++)
		p[i] = f2h_round(float32(p[i]), round);
#endif
}

#define OPERANDS(A, B, C)                                                                          \
	ct_##A a = ld_##A(a_, i);                                                                  \
	ct_##B b = ld_##B(b_, i);                                                                  \
	ct_##C c = ld_##C(c_, i);                                                                  \
	(void)a, (void)b, (void)c, (void)x_
#define KERNEL(name) static void name(u32 *d_, const u32 *a_, const u32 *b_, const u32 *c_, u32 *x_)
#define SOME(name)                                                                                 \
	static void some_##name(u32 *d_, const u32 *a_, const u32 *b_, const u32 *c_, u32 m_)
#define UNUSED       (void)a_, (void)b_, (void)c_, (void)x_

#define PLAIN(name, D, A, B, C, value)                                                             \
	KERNEL(name)                                                                               \
	{                                                                                          \
		UNUSED;                                                                            \
		EACH_LANE (i) {                                                                    \
			OPERANDS(A, B, C);                                                         \
			ct_##D r = (ct_##D)(value);                                                \
			st_##D(d_, i, r);                                                          \
		}                                                                                  \
		fin_##D(d_);                                                                       \
	}
/* The same where EXEC is not full: the old lanes are kept by a blend of registers, not through memory. */
#define PLAIN_SOME(name, D, A, B, C, value)                                                        \
	SOME(name)                                                                                 \
	{                                                                                          \
		u32 t[2 * LANES], *const x_ = NULL;                                                \
		UNUSED;                                                                            \
		EACH_LANE (i) {                                                                    \
			OPERANDS(A, B, C);                                                         \
			ct_##D r = (ct_##D)(value);                                                \
			st_##D(t, i, r);                                                           \
		}                                                                                  \
		fin_##D(t);                                                                        \
		rows_blend(d_, t, type_words_##D, m_);                                             \
	}
/* Results stay in registers until it is known that none is NaN; where one is, all are computed again. */
#define FLOATING_NAN(name, D, A, B, C, declare, value)                                             \
	static APART void name##_nan(                                                              \
		u32 *d_, const u32 *a_, const u32 *b_, const u32 *c_, u32 *x_, u32 m_)             \
	{                                                                                          \
		u32 t[2 * LANES];                                                                  \
		UNUSED;                                                                            \
		EACH_LANE (i) {                                                                    \
			OPERANDS(A, B, C);                                                         \
			declare;                                                                   \
			ct_##D r = (ct_##D)(value);                                                \
			if (r != r)                                                                \
				r = nan_##D((ct_##D)a, (ct_##D)b, (ct_##D)c);                      \
			st_##D(t, i, r);                                                           \
		}                                                                                  \
		fin_##D(t);                                                                        \
		rows_blend(d_, t, type_words_##D, m_);                                             \
	}
#define FLOATING_BODY(name, D, A, B, C, declare, value, mask)                                      \
	UNUSED;                                                                                    \
	u32 t[2 * LANES];                                                                          \
	EACH_LANE (i) {                                                                            \
		OPERANDS(A, B, C);                                                                 \
		declare;                                                                           \
		ct_##D r = (ct_##D)(value);                                                        \
		st_##D(t, i, r);                                                                   \
	}                                                                                          \
	if (UNLIKELY(any_nan_##D(t))) {                                                            \
		name##_nan(d_, a_, b_, c_, x_, mask);                                              \
		return;                                                                            \
	}                                                                                          \
	fin_##D(t);
#define FLOATING(name, D, A, B, C, declare, value)                                                 \
	FLOATING_NAN(name, D, A, B, C, declare, value)                                             \
	KERNEL(name)                                                                               \
	{                                                                                          \
		FLOATING_BODY(name, D, A, B, C, declare, value, ~0u)                               \
		rows_copy(d_, t, type_words_##D);                                                  \
	}
#define FLOATING_SOME(name, D, A, B, C, value)                                                     \
	SOME(name)                                                                                 \
	{                                                                                          \
		u32 *const x_ = NULL;                                                              \
		FLOATING_BODY(k_##name, D, A, B, C, , value, m_)                                   \
		rows_blend(d_, t, type_words_##D, m_);                                             \
	}
enum {
#define TYPE(name, ctype, dwords, fp) type_words_##name = dwords,
#include "amdgpu/exec/type.def"
#undef TYPE
};

#define el_u16(v) (u16)(v)
#define el_i16(v) (i16)(v)
#define pk_u16(v) (u32)(u16)(v)
#define pk_i16(v) (u32)(u16)(v)
#define HALF(E, C, shift, value, out)                                                              \
	{                                                                                          \
		ct_##E a = el_##E(a_[i] >> shift), b = el_##E(b_[i] >> shift),                     \
		       c = el_##E(ld_##C(c_, i) >> shift);                                         \
		(void)a, (void)b, (void)c;                                                         \
		ct_##E r = (ct_##E)(value);                                                        \
		out = pk_##E(r);                                                                   \
	}
#define PACKED(name, E, C, value)                                                                  \
	KERNEL(name)                                                                               \
	{                                                                                          \
		UNUSED;                                                                            \
		EACH_LANE (i) {                                                                    \
			u32 lo, hi;                                                                \
			HALF(E, C, 0, value, lo)                                                   \
			HALF(E, C, 16, value, hi)                                                  \
			d_[i] = lo | hi << 16;                                                     \
		}                                                                                  \
	}

/* The low halves of a row as floats, then the high ones. */
static inline void
floats(float *f, const u32 *p)
{
	EACH_LANE (i) {
		f[i] = h2f(p[i] & 0xffff);
		f[LANES + i] = h2f(p[i] >> 16);
	}
}
#define floats_NONE(f, p)
#define floats_pkf16(f, p) floats(f, p)
#define at_NONE(f, i)      0.0f
#define at_pkf16(f, i)     (f)[i]
#define PACKED_F16(name, C, value)                                                                 \
	KERNEL(name)                                                                               \
	{                                                                                          \
		UNUSED;                                                                            \
		float fa[2 * LANES], fb[2 * LANES], fc[2 * LANES];                                 \
		u32 t[2 * LANES], bad = 0;                                                         \
		(void)fc;                                                                          \
		floats(fa, a_);                                                                    \
		floats(fb, b_);                                                                    \
		floats_##C(fc, c_);                                                                \
		for (int i = 0; i < 2 * LANES; i++) {                                              \
			float a = fa[i], b = fb[i], c = at_##C(fc, i), r = (value);                \
			(void)c;                                                                   \
			t[i] = bits32(r);                                                          \
			bad |= r != r;                                                             \
		}                                                                                  \
		if (UNLIKELY(bad))                                                                 \
			for (int i = 0; i < 2 * LANES; i++)                                        \
				if (float32(t[i]) != float32(t[i]))                                \
					t[i] = bits32(nan_f32(fa[i], fb[i], at_##C(fc, i)));       \
		halves(t);                                                                         \
		halves(t + LANES);                                                                 \
		EACH_LANE (i)                                                                      \
			d_[i] = t[i] | t[LANES + i] << 16;                                         \
	}

/* --- the kernels --------------------------------------------------------------------------------------- */

#include "amdgpu/exec/isa_none.h"
#undef VALU
#undef VFP
#undef ACC
#undef ACCFP
#undef XINFP
#undef XOUT
#undef PK
#undef PKFP
#undef PK32
#undef PKACC
#undef SAT
#undef PKSAT
#undef XSAT
#undef CMP
#undef CLASS
#define VALU(name, D, A, B, C, value)                                                              \
	PLAIN(k_##name, D, A, B, C, value) PLAIN_SOME(name, D, A, B, C, value)
#define SAT(name, D, A, B, C, value)      PLAIN(sat_##name, D, A, B, C, value)
#define ACC(name, D, A, B, value)                                                                  \
	PLAIN(k_##name, D, A, B, D, value) PLAIN_SOME(name, D, A, B, D, value)
#define VFP(name, D, A, B, C, value)                                                               \
	FLOATING(k_##name, D, A, B, C, , value) FLOATING_SOME(name, D, A, B, C, value)
#define ACCFP(name, D, A, B, value)                                                                \
	FLOATING(k_##name, D, A, B, D, , value) FLOATING_SOME(name, D, A, B, D, value)
#define XINFP(name, D, A, B, C, value)    FLOATING(k_##name, D, A, B, C, u32 x = x_[i], value)
#define PK(name, E, D, A, B, C, value)    PACKED(k_##name, E, C, value)
#define PKSAT(name, E, D, A, B, C, value) PACKED(sat_##name, E, C, value)
#define PKFP(name, E, D, A, B, C, value)  PACKED_F16(k_##name, C, value)
#define PKACC(name, E, D, A, B, value)    PACKED_F16(k_##name, D, value)
#define WITH_MASK(name, D, A, B, C, value, mask)                                                   \
	KERNEL(name)                                                                               \
	{                                                                                          \
		UNUSED;                                                                            \
		EACH_LANE (i) {                                                                    \
			OPERANDS(A, B, C);                                                         \
			ct_##D r = (ct_##D)(value);                                                \
			x_[i] = (mask) ? ~0u : 0;                                                  \
			st_##D(d_, i, r);                                                          \
		}                                                                                  \
	}
#define XOUT(name, D, A, B, C, value, mask) WITH_MASK(k_##name, D, A, B, C, value, mask)
#define XSAT(name, D, A, B, C, value, mask) WITH_MASK(sat_##name, D, A, B, C, value, mask)
#define PK32(name, C, value)                                                                       \
	KERNEL(k_##name)                                                                           \
	{                                                                                          \
		UNUSED;                                                                            \
		u32 t[2 * LANES];                                                                  \
		for (int i = 0; i < 2 * LANES; i++) {                                              \
			float a = float32(a_[i]), b = float32(b_[i]),                              \
			      c = float32(ld_32_##C(c_, i));                                       \
			(void)c;                                                                   \
			float r = (value);                                                         \
			t[i] = bits32(r != r ? nan_f32(a, b, c) : r);                              \
		}                                                                                  \
		rows_copy(d_, t, 2);                                                               \
	}
#define ld_32_NONE(p, i)  0
#define ld_32_pkf32(p, i) (p)[i]
#define CMP(name, A, B, value)                                                                     \
	KERNEL(k_v_cmp_##name)                                                                     \
	{                                                                                          \
		UNUSED, (void)d_;                                                                  \
		EACH_LANE (i) {                                                                    \
			ct_##A a = ld_##A(a_, i);                                                  \
			ct_##B b = ld_##B(b_, i);                                                  \
			(void)a, (void)b;                                                          \
			x_[i] = (value) ? ~0u : 0;                                                 \
		}                                                                                  \
	}
#define CLASS(name, A, value)                                                                      \
	KERNEL(k_##name)                                                                           \
	{                                                                                          \
		UNUSED, (void)d_;                                                                  \
		for (int i = 0; i < LANES; i++) {                                                  \
			ct_##A a = ld_##A(a_, i);                                                  \
			x_[i] = (value) & b_[i] ? ~0u : 0;                                         \
		}                                                                                  \
	}
#include "amdgpu/exec/isa.def"

/* --- the tables ------------------------------------------------------------------------------------------ */

kernel_fn *const kernels[R_COUNT] = {
#include "amdgpu/exec/isa_none.h"
#undef VALU
#undef VFP
#undef ACC
#undef ACCFP
#undef XINFP
#undef XOUT
#undef PK
#undef PKFP
#undef PK32
#undef PKACC
#undef CMP
#undef CLASS
#define VALU(name, D, A, B, C, value)       [R_##name] = k_##name,
#define VFP(name, D, A, B, C, value)        [R_##name] = k_##name,
#define ACC(name, D, A, B, value)           [R_##name] = k_##name,
#define ACCFP(name, D, A, B, value)         [R_##name] = k_##name,
#define XINFP(name, D, A, B, C, value)      [R_##name] = k_##name,
#define XOUT(name, D, A, B, C, value, mask) [R_##name] = k_##name,
#define PK(name, E, D, A, B, C, value)      [R_##name] = k_##name,
#define PKFP(name, E, D, A, B, C, value)    [R_##name] = k_##name,
#define PK32(name, C, value)                [R_##name] = k_##name,
#define PKACC(name, E, D, A, B, value)      [R_##name] = k_##name,
#define CMP(name, A, B, value)              [R_v_cmp_##name] = k_v_cmp_##name,
#define CLASS(name, A, value)               [R_##name] = k_##name,
#include "amdgpu/exec/isa.def"
};

kernel_fn *const sat_kernels[R_COUNT] = {
#include "amdgpu/exec/isa_none.h"
#undef SAT
#undef PKSAT
#undef XSAT
#define XSAT(name, D, A, B, C, value, mask) [R_##name] = sat_##name,
#define SAT(name, D, A, B, C, value)        [R_##name] = sat_##name,
#define PKSAT(name, E, D, A, B, C, value)   [R_##name] = sat_##name,
#include "amdgpu/exec/isa.def"
};

some_fn *const some_kernels[R_COUNT] = {
#include "amdgpu/exec/isa_none.h"
#undef VALU
#undef VFP
#undef ACC
#undef ACCFP
#define VALU(name, D, A, B, C, value) [R_##name] = some_##name,
#define VFP(name, D, A, B, C, value)  [R_##name] = some_##name,
#define ACC(name, D, A, B, value)     [R_##name] = some_##name,
#define ACCFP(name, D, A, B, value)   [R_##name] = some_##name,
#include "amdgpu/exec/isa.def"
};
