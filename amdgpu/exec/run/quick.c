/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * quick.c - the loads and stores that programs mostly do: dwords, all 32 lanes on, side by side or at one
 * place. Blocks 16 wide are common too, so each row of 16 lanes may have its own shape. The shape is found on
 * the 32-bit parts of the addresses as they stand in registers; one check of the range per row, one copy.
 */
#include "amdgpu/exec/run/memory.h"

enum shape { SCATTERED, CONTIGUOUS, UNIFORM };

/* A dword that need not be aligned. */
typedef u32 u32_anywhere __attribute__((aligned(1), may_alias));

/* The shape of 16 lanes' offsets, `size` bytes an element. */
static inline enum shape
shape16(const u32 *v, u32 size)
{
#ifdef __AVX2__
	__m256i a = _mm256_loadu_si256((const __m256i *)(const void *)v);
	__m256i b = _mm256_loadu_si256((const __m256i *)(const void *)(v + 8));
	__m256i first = _mm256_broadcastd_epi32(_mm256_castsi256_si128(a));
	__m256i step = _mm256_mullo_epi32(
		_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7), _mm256_set1_epi32((int)size));
	__m256i next = _mm256_add_epi32(first, step),
		far = _mm256_add_epi32(next, _mm256_set1_epi32(8 * (int)size));
	__m256i x = _mm256_or_si256(_mm256_xor_si256(a, next), _mm256_xor_si256(b, far));
	__m256i y = _mm256_or_si256(_mm256_xor_si256(a, first), _mm256_xor_si256(b, first));
	return _mm256_testz_si256(x, x)   ? CONTIGUOUS
	       : _mm256_testz_si256(y, y) ? UNIFORM
					  : SCATTERED;
#else
	u32 x = 0, y = 0;
	for (u32 i = 0; i < 16; i++) {
		x |= v[i] ^ (v[0] + i * size);
		y |= v[i] ^ v[0];
	}
	return x == 0 ? CONTIGUOUS : y == 0 ? UNIFORM : SCATTERED;
#endif
}

/* n dwords of 16 lanes at `p`; [lane][dword] in memory, [dword][lane] in registers. */
static inline void
load16(u32 *d, const u8 *p, enum shape shape, u32 n)
{
	if (shape == UNIFORM) {
		u32 t[4];
		dwords_load(t, p, n);
		for (u32 k = 0; k < n; k++) {
			u32 v = t[k];
			EACH_OF_16 (i)
				d[k * LANES + (u32)i] = v;
		}
		return;
	}
	/* straight from there: a copy on the way would be stored in pieces and stall the wide loads */
	const u32_anywhere *s = (const u32_anywhere *)(const void *)p;
	if (n == 1)
		EACH_OF_16 (i)
			d[i] = s[i];
	else
		for (u32 k = 0; k < n; k++)
			EACH_OF_16 (i)
				d[k * LANES + (u32)i] = s[(u32)i * n + k];
}

static inline void
store16(u8 *p, const u32 *d, u32 n)
{
	u32_anywhere *s = (u32_anywhere *)(void *)p;
	if (n == 1)
		EACH_OF_16 (i)
			s[i] = d[i];
	else
		for (u32 k = 0; k < n; k++)
			EACH_OF_16 (i)
				s[(u32)i * n + k] = d[k * LANES + (u32)i];
}

/* Where `bytes` at `addr` stand on the host; LDS by offset. NULL: not all of it is ours. */
static inline u8 *
piece(struct wave *w, const struct access *a, u64 addr, u32 bytes)
{
	if (a->space != SPACE_DS)
		return global(w, addr, bytes, a->store);
	u32 size = w->group->lds_bytes;
	addr = (u32)addr;
	return bytes <= size && addr <= size - bytes ? w->group->lds + addr : NULL;
}

bool
memory_quick(struct wave *w, const struct access *a, u32 half)
{
	if (STRICT && a->space != SPACE_DS)
		return false;
	const u32 *v = vreg(w, half, a->vaddr);
	u32 n = a->dwords, size = 4 * n;
	u64 base = a->has_saddr ? s64(w, a->saddr) : 0;
	if (a->vaddr_n == 2) {
		u32 other = 0;
		for (u32 i = 0; i < LANES; i++)
			other |= v[LANES + i] ^ v[LANES];
		u64 high = v[LANES];
		if (other || (a->space == SPACE_FLAT && (high == EXEC_SHARED_BASE >> 32 ||
								high == EXEC_PRIVATE_BASE >> 32)))
			return false;
		base += high << 32;
	}
	enum shape s[2] = {shape16(v, size), shape16(v + 16, size)};
	u32 first[2] = {v[0], v[16]}, bytes[2];
	for (u32 r = 0; r < 2; r++) {
		bytes[r] = s[r] == CONTIGUOUS ? 16 * size : size;
		if (s[r] == SCATTERED || (s[r] == UNIFORM && a->store) || first[r] > ~0u - bytes[r])
			return false;
	}
	u8 *p[2][2] = {{NULL, NULL}, {NULL, NULL}};
	u32 places = a->two ? 2 : 1;
	for (u32 t = 0; t < places; t++)
		for (u32 r = 0; r < 2; r++) {
			p[t][r] = piece(w, a,
				base + first[r] + (u64)(i64)(t ? a->offset2 : a->offset), bytes[r]);
			if (p[t][r] == NULL)
				return false;
		}
	for (u32 t = 0; t < places; t++)
		for (u32 r = 0; r < 2; r++) {
			if (a->store)
				store16(p[t][r], vreg(w, half, t ? a->data2 : a->data) + 16 * r, n);
			else
				load16(vreg(w, half, a->dst + (t ? n * ROW : 0)) + 16 * r, p[t][r],
					s[r], n);
		}
	return true;
}

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
