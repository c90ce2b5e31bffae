/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * quick.c - loads and stores of dwords as programs mostly do them. The lanes of a half are taken eight at a
 * time (an oct). The 32-bit parts of their addresses, as they stand in a register, are side by side, all the
 * same, or anything; with the lowest and the highest byte that is touched that is a shape. A shape is found
 * once for a run of LDS loads that have one address register, then each access costs one check of the
 * range and wide copies. Lanes that are off have no say in the shape; their registers are kept by blending,
 * their memory by storing lane by lane.
 */
#include "amdgpu/exec/run/memory.h"

enum kind { SIDE_BY_SIDE, ALL_SAME, ANYWHERE, ALL_OFF };

struct shape {
	u32 first[4]; /* of each oct: the offset of its lane 0, or of all its lanes */
	u8 kind[4];
	bool anywhere; /* some oct is */
	u64 low, high; /* bytes touched, from the offset 0 on */
};

/* A dword that need not be aligned. */
typedef u32 u32_anywhere __attribute__((aligned(1), may_alias));

static inline u32
dword(const u8 *p)
{
	return *(const u32_anywhere *)(const void *)p;
}

/* --- shapes -------------------------------------------------------------------------------------- */

/* Whether the lanes in `on` have the offsets start + i * step. */
static inline bool
oct_is(const u32 *v, u32 start, u32 step, u32 on)
{
#ifdef __AVX2__
	__m256i want = _mm256_add_epi32(_mm256_set1_epi32((int)start),
		_mm256_mullo_epi32(_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7),
			_mm256_set1_epi32((int)step)));
	__m256i x = _mm256_xor_si256(OCT_LOAD(v), want);
	return on == 0xff ? _mm256_testz_si256(x, x) : _mm256_testz_si256(x, oct_mask(on, 0));
#else
	u32 x = 0;
	for (u32 i = 0; i < 8; i++)
		x |= on >> i & 1 ? v[i] ^ (start + i * step) : 0;
	return x == 0;
#endif
}

/* False: the shape is none that is dealt with here. `size`: bytes of a lane's access. */
static inline bool
shape_find(struct shape *s, const u32 *v, u32 size, u32 on)
{
	s->low = ~0ull;
	s->high = 0;
	s->anywhere = false;
#ifdef __AVX2__
	__m256i least = _mm256_set1_epi32(-1), most = _mm256_setzero_si256();
#endif
	for (u32 q = 0; q < 4; q++, v += 8) {
		u32 lanes = on >> 8 * q & 0xff;
		s->kind[q] = ALL_OFF;
		s->first[q] = 0;
		if (lanes == 0)
			continue;
		u32 lane = lanes == 0xff ? 0 : (u32)__builtin_ctz(lanes);
		u32 first = v[lane], start = first - lane * size;
		u64 low, high;
		if (start <= first && start <= ~0u - 8 * size && oct_is(v, start, size, lanes)) {
			s->kind[q] = SIDE_BY_SIDE;
			s->first[q] = start;
			low = start;
			high = (u64)start + 8 * size;
		} else if (oct_is(v, first, 0, lanes)) {
			s->kind[q] = ALL_SAME;
			s->first[q] = first;
			low = first;
			high = (u64)first + size;
		} else {
#ifdef __AVX2__
			__m256i x = OCT_LOAD(v);
			if (lanes != 0xff)
				x = _mm256_blendv_epi8(
					_mm256_set1_epi32((int)first), x, oct_mask(lanes, 0));
			least = _mm256_min_epu32(least, x);
			most = _mm256_max_epu32(most, x);
			s->kind[q] = ANYWHERE;
			s->first[q] = first;
			s->anywhere = true;
			continue;
#else
			return false;
#endif
		}
		s->low = low < s->low ? low : s->low;
		s->high = high > s->high ? high : s->high;
	}
#ifdef __AVX2__
	if (s->anywhere) {
		u32 t[8], l = ~0u, h = 0;
		OCT_STORE(t, least);
		for (u32 i = 0; i < 8; i++)
			l = t[i] < l ? t[i] : l;
		OCT_STORE(t, most);
		for (u32 i = 0; i < 8; i++)
			h = t[i] > h ? t[i] : h;
		s->low = l < s->low ? l : s->low;
		s->high = (u64)h + size > s->high ? (u64)h + size : s->high;
	}
#endif
	return s->high - s->low < 1u << 31; /* gathers have signed offsets */
}

/* --- eight lanes ------------------------------------------------------------------------------------ */

#ifdef __AVX2__

static inline void
oct_put(u32 *d, __m256i x, u32 on)
{
	if (on != 0xff)
		x = _mm256_blendv_epi8(OCT_LOAD(d), x, oct_mask(on, 0));
	OCT_STORE(d, x);
}

static inline __m256i
two_of_16(const u8 *a, const u8 *b)
{
	return _mm256_inserti128_si256(
		_mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)a)),
		_mm_loadu_si128((const __m128i *)(const void *)b), 1);
}

/* Rows of four dwords from eight places. */
static inline void
oct_load4(__m256i r[4], const u8 *p, const u32 *at)
{
	__m256i a = two_of_16(p + at[0], p + at[4]), b = two_of_16(p + at[1], p + at[5]),
		c = two_of_16(p + at[2], p + at[6]), d = two_of_16(p + at[3], p + at[7]);
	__m256i ab = _mm256_unpacklo_epi32(a, b), cd = _mm256_unpacklo_epi32(c, d);
	__m256i ab2 = _mm256_unpackhi_epi32(a, b), cd2 = _mm256_unpackhi_epi32(c, d);
	r[0] = _mm256_unpacklo_epi64(ab, cd);
	r[1] = _mm256_unpackhi_epi64(ab, cd);
	r[2] = _mm256_unpacklo_epi64(ab2, cd2);
	r[3] = _mm256_unpackhi_epi64(ab2, cd2);
}

/* Pairs of dwords, four in each of a and b, to rows. */
static inline void
oct_pairs(__m256i r[2], __m256i a, __m256i b)
{
	__m256 x = _mm256_castsi256_ps(a), y = _mm256_castsi256_ps(b);
	r[0] = _mm256_permute4x64_epi64(
		_mm256_castps_si256(_mm256_shuffle_ps(x, y, 0x88)), 0xd8);
	r[1] = _mm256_permute4x64_epi64(
		_mm256_castps_si256(_mm256_shuffle_ps(x, y, 0xdd)), 0xd8);
}

/* n rows of eight lanes; p: the place of offset 0, low: the least offset. */
static inline void
oct_rows(__m256i r[4], const u8 *p, const u32 *v, const struct shape *s, u32 q, u32 n, u32 on)
{
	const u8 *first = p + s->first[q];
	u32 at[8];
	if (s->kind[q] == ALL_SAME) {
		for (u32 k = 0; k < n; k++)
			r[k] = _mm256_set1_epi32((int)dword(first + 4 * k));
	} else if (s->kind[q] == SIDE_BY_SIDE && n == 1) {
		r[0] = OCT_LOAD(first);
	} else if (s->kind[q] == SIDE_BY_SIDE && n == 2) {
		oct_pairs(r, OCT_LOAD(first), OCT_LOAD(first + 32));
	} else if (s->kind[q] == SIDE_BY_SIDE && n == 4) {
		for (u32 i = 0; i < 8; i++)
			at[i] = 16 * i;
		oct_load4(r, first, at);
	} else {
		__m256i x = OCT_LOAD(v), low = _mm256_set1_epi32((int)s->low);
		if (s->kind[q] == SIDE_BY_SIDE)
			x = _mm256_add_epi32(_mm256_set1_epi32((int)s->first[q]),
				_mm256_mullo_epi32(_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7),
					_mm256_set1_epi32(4 * (int)n)));
		else if (on != 0xff) /* lanes that are off read where another does */
			x = _mm256_blendv_epi8(
				_mm256_set1_epi32((int)s->first[q]), x, oct_mask(on, 0));
		x = _mm256_sub_epi32(x, low);
		p += s->low;
		if (n == 4) {
			OCT_STORE(at, x);
			oct_load4(r, p, at);
		} else if (n == 2) {
			const long long *b = (const long long *)(const void *)p;
			oct_pairs(r, _mm256_i32gather_epi64(b, _mm256_castsi256_si128(x), 1),
				_mm256_i32gather_epi64(b, _mm256_extracti128_si256(x, 1), 1));
		} else {
			for (u32 k = 0; k < n; k++)
				r[k] = _mm256_i32gather_epi32(
					(const int *)(const void *)(p + 4 * k), x, 1);
		}
	}
}

static inline void
oct_load(u32 *d, const u8 *p, const u32 *v, const struct shape *s, u32 q, u32 n, u32 on)
{
	__m256i r[4];
	oct_rows(r, p, v, s, q, n, on);
	for (u32 k = 0; k < n; k++)
		oct_put(d + k * LANES, r[k], on);
}

/* Side by side, all on. */
static inline void
oct_store(u8 *p, const u32 *d, u32 n)
{
	__m256i a = OCT_LOAD(d), b, c, e;
	if (n == 1) {
		OCT_STORE(p, a);
	} else if (n == 2) {
		b = OCT_LOAD(d + LANES);
		c = _mm256_unpacklo_epi32(a, b);
		e = _mm256_unpackhi_epi32(a, b);
		OCT_STORE(p, _mm256_permute2x128_si256(c, e, 0x20));
		OCT_STORE(p + 32, _mm256_permute2x128_si256(c, e, 0x31));
	} else if (n == 4) {
		u32 at[8] = {0, 16, 32, 48, 64, 80, 96, 112};
		__m256i f = OCT_LOAD(d + LANES), g = OCT_LOAD(d + 2 * LANES),
			h = OCT_LOAD(d + 3 * LANES);
		__m256i x = _mm256_unpacklo_epi32(a, f), y = _mm256_unpacklo_epi32(g, h);
		__m256i z = _mm256_unpackhi_epi32(a, f), w = _mm256_unpackhi_epi32(g, h);
		__m256i r[4] = {_mm256_unpacklo_epi64(x, y), _mm256_unpackhi_epi64(x, y),
			_mm256_unpacklo_epi64(z, w), _mm256_unpackhi_epi64(z, w)};
		for (u32 k = 0; k < 4; k++) {
			_mm_storeu_si128((__m128i *)(void *)(p + at[k]),
				_mm256_castsi256_si128(r[k]));
			_mm_storeu_si128((__m128i *)(void *)(p + at[k + 4]),
				_mm256_extracti128_si256(r[k], 1));
		}
	} else {
		for (u32 i = 0; i < 8; i++)
			for (u32 k = 0; k < n; k++)
				*(u32_anywhere *)(void *)(p + 4 * (i * n + k)) = d[k * LANES + i];
	}
}

#else

static inline void
oct_load(u32 *d, const u8 *p, const u32 *v, const struct shape *s, u32 q, u32 n, u32 on)
{
	u32 step = s->kind[q] == SIDE_BY_SIDE ? 4 * n : 0;
	(void)v;
	p += s->first[q];
	for (u32 k = 0; k < n; k++)
		for (u32 i = 0; i < 8; i++) {
			u32 x = dword(p + i * step + 4 * k);
			d[k * LANES + i] = on >> i & 1 ? x : d[k * LANES + i];
		}
}

static inline void
oct_store(u8 *p, const u32 *d, u32 n)
{
	for (u32 i = 0; i < 8; i++)
		for (u32 k = 0; k < n; k++)
			*(u32_anywhere *)(void *)(p + 4 * (i * n + k)) = d[k * LANES + i];
}

#endif

/* --- 32 lanes: p is the place of offset 0 --------------------------------------------------------------- */

static inline void
load(u32 *d, const u8 *p, const u32 *v, const struct shape *s, u32 n, u32 on)
{
	for (u32 q = 0; q < 4; q++)
		if (s->kind[q] != ALL_OFF)
			oct_load(d + 8 * q, p, v + 8 * q, s, q, n, on >> 8 * q & 0xff);
}

static inline void
store(u8 *p, const u32 *d, const u32 *v, const struct shape *s, u32 n, u32 on)
{
	for (u32 q = 0; q < 4; q++, v += 8, d += 8, on >>= 8) {
		u32 lanes = on & 0xff, t[4];
		if (s->kind[q] == SIDE_BY_SIDE && lanes == 0xff) {
			oct_store(p + s->first[q], d, n);
			continue;
		}
		for (; lanes; lanes &= lanes - 1) { /* in order: the last one of those at one place wins */
			u32 i = (u32)__builtin_ctz(lanes);
			for (u32 k = 0; k < n; k++)
				t[k] = d[k * LANES + i];
			dwords_store(p + v[i], t, n);
		}
	}
}

/* n is a constant in each of these. */
#define BY_SIZE(call)                                                                              \
	switch (n) {                                                                               \
	case 1:                                                                                    \
		call(1);                                                                           \
		break;                                                                             \
	case 2:                                                                                    \
		call(2);                                                                           \
		break;                                                                             \
	case 3:                                                                                    \
		call(3);                                                                           \
		break;                                                                             \
	default:                                                                                   \
		call(4);                                                                           \
	}

static inline void
move(struct wave *w, const struct access *a, u8 *p, const u32 *v, const struct shape *s, u32 half,
	u32 on, u32 place)
{
	u32 n = a->dwords;
	if (a->store) {
		const u32 *d = vreg(w, half, place ? a->data2 : a->data);
#define CALL(size) store(p, d, v, s, size, on)
		BY_SIZE(CALL)
#undef CALL
	} else {
		u32 *d = vreg(w, half, a->dst + (place ? n * ROW : 0));
#define CALL(size) load(d, p, v, s, size, on)
		if (on == ~0u) {
			on = ~0u; /* a constant there */
			BY_SIZE(CALL)
		} else {
			BY_SIZE(CALL)
		}
#undef CALL
	}
}

/* --- LDS ----------------------------------------------------------------------------------------------- */

static inline bool
lds_move(struct wave *w, const struct access *a, const u32 *v, const struct shape *s, u32 half,
	u32 on)
{
	u8 *lds = w->group->lds;
	u64 size = w->group->lds_bytes;
	u32 keep[LANES];
	if (s->high + (u32)a->offset > size || (a->two && s->high + (u32)a->offset2 > size))
		return false;
	if (a->two && s->anywhere) { /* the first load may overwrite the address */
		rows_copy(keep, v, 1);
		v = keep;
	}
	move(w, a, lds + a->offset, v, s, half, on, 0);
	if (a->two)
		move(w, a, lds + a->offset2, v, s, half, on, 1);
	return true;
}

enum stop
lds_run(struct wave *w, const struct uop *o)
{
	struct shape s[2];
	const struct access *a = o->access;
	bool known[2] = {false, false};
	for (u32 h = 0; h < w->halves; h++)
		known[h] = w->s[S_EXEC + h] == 0 || shape_find(&s[h], vreg(w, h, a->vaddr),
							   4u * a->dwords, w->s[S_EXEC + h]);
	for (u32 k = 0; k < o->nd; k++)
		for (u32 h = 0; h < w->halves; h++) {
			u32 on = w->s[S_EXEC + h];
			a = o[k].access;
			if (on == 0 || (known[h] && lds_move(w, a, vreg(w, h, a->vaddr), &s[h], h, on)))
				continue;
			w->pc = o + k;
			enum stop stop = memory_half(w, a, h, on);
			if (stop)
				return stop;
		}
	return STOP_NONE;
}

/* --- global memory ---------------------------------------------------------------------------------------- */

bool
memory_quick(struct wave *w, const struct access *a, u32 half, u32 on)
{
	struct shape s;
	const u32 *v = vreg(w, half, a->vaddr);
	u64 base = (a->has_saddr ? s64(w, a->saddr) : 0) + (u64)(i64)a->offset;
	if (STRICT)
		return false;
	if (a->vaddr_n == 2) {
		u32 other = 0, high = v[LANES + __builtin_ctz(on)];
		if (on == ~0u)
			for (u32 i = 0; i < LANES; i++)
				other |= v[LANES + i] ^ high;
		else
			for (u32 i = 0; i < LANES; i++)
				other |= on >> i & 1 ? v[LANES + i] ^ high : 0;
		if (other || (a->space == SPACE_FLAT && (high == EXEC_SHARED_BASE >> 32 ||
								high == EXEC_PRIVATE_BASE >> 32)))
			return false;
		base += (u64)high << 32;
	}
	if (!shape_find(&s, v, 4u * a->dwords, on) ||
		global(w, base + s.low, s.high - s.low, a->store) == NULL)
		return false;
	move(w, a, (u8 *)(uintptr_t)base, v, &s, half, on, 0);
	return true;
}

/* --- scratch ---------------------------------------------------------------------------------------------- */

bool
scratch_rows(struct wave *w, const struct access *a, u32 off, u32 half, u32 on)
{
	u32 n = a->dwords;
	if (a->bytes != 4 || off % 4 != 0 || off > w->scratch_bytes ||
		4 * n > w->scratch_bytes - off)
		return false;
	u32 *d = vreg(w, half, a->store ? a->data : a->dst);
	for (u32 k = 0; k < n; k++) {
		u32 *p = (u32 *)(void *)scratch(w, off + 4 * k, half, 0);
		u32 *to = a->store ? p : d + k * LANES, *from = a->store ? d + k * LANES : p;
		if (on == ~0u)
			rows_copy(to, from, 1);
		else
			blend(to, from, on);
	}
	return true;
}
