/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * quick.c - the loads and stores that programs mostly do: dwords, all 32 lanes on, side by side or at one
 * place. Blocks 16 wide are common too, so each row of 16 lanes may have its own shape. The shape is found on
 * the 32-bit parts of the addresses as they stand in registers; one check of the range per row, one copy.
 */
#include "amdgpu/exec/run/memory.h"

enum shape { SCATTERED, CONTIGUOUS, UNIFORM };

/* The shape of 16 lanes' offsets, `size` bytes an element. */
static inline enum shape
shape16(const u32 *v, u32 size)
{
	u32 step[16], same[16], x = 0, y = 0;
	for (u32 i = 0; i < 16; i++) {
		step[i] = v[i] ^ (v[0] + i * size);
		same[i] = v[i] ^ v[0];
	}
	for (u32 i = 0; i < 16; i++) {
		x |= step[i];
		y |= same[i];
	}
	return x == 0 ? CONTIGUOUS : y == 0 ? UNIFORM : SCATTERED;
}

/* n dwords of `lanes` lanes at `p`; [lane][dword] in memory, [dword][lane] in registers. */
static inline void
load(u32 *d, const u8 *p, enum shape shape, u32 n, u32 lanes)
{
	u32 t[4 * LANES];
	if (shape == UNIFORM) {
		memcpy(t, p, 4 * n);
		for (u32 k = 0; k < n; k++)
			for (u32 i = 0; i < lanes; i++)
				d[k * LANES + i] = t[k];
	} else if (n == 1) {
		memcpy(d, p, 4 * lanes);
	} else {
		memcpy(t, p, 4 * n * lanes);
		for (u32 k = 0; k < n; k++)
			for (u32 i = 0; i < lanes; i++)
				d[k * LANES + i] = t[i * n + k];
	}
}

static inline void
store(u8 *p, const u32 *d, u32 n, u32 lanes)
{
	u32 t[4 * LANES];
	if (n == 1) {
		memcpy(p, d, 4 * lanes);
		return;
	}
	for (u32 k = 0; k < n; k++)
		for (u32 i = 0; i < lanes; i++)
			t[i * n + k] = d[k * LANES + i];
	memcpy(p, t, 4 * n * lanes);
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
	const u32 *v = vreg(w, half, a->vaddr);
	u32 n = a->dwords, size = 4 * n;
	u64 base = a->has_saddr ? s64(w, a->saddr) : 0;
	if (a->vaddr_n == 2) {
		u32 other = 0;
		for (u32 i = 0; i < LANES; i++)
			other |= v[LANES + i] ^ v[LANES];
		u64 high = v[LANES];
		if (other || (a->space == SPACE_FLAT && (high == EXEC_SHARED_BASE >> 32 || high == EXEC_PRIVATE_BASE >> 32)))
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
	bool whole = s[0] == s[1] && first[1] == (s[0] == UNIFORM ? first[0] : first[0] + bytes[0]);
	u32 parts = whole ? 1 : 2, lanes = whole ? LANES : 16;
	if (whole && s[0] == CONTIGUOUS)
		bytes[0] *= 2;
	u8 *p[2][2] = {{NULL, NULL}, {NULL, NULL}};
	for (u32 t = 0; t < (a->two ? 2u : 1u); t++)
		for (u32 r = 0; r < parts; r++) {
			p[t][r] = piece(w, a, base + first[r] + (u64)(i64)(t ? a->offset2 : a->offset), bytes[r]);
			if (p[t][r] == NULL)
				return false;
		}
	for (u32 t = 0; t < (a->two ? 2u : 1u); t++)
		for (u32 r = 0; r < parts; r++) {
			if (a->store)
				store(p[t][r], vreg(w, half, t ? a->data2 : a->data) + 16 * r, n, lanes);
			else
				load(vreg(w, half, a->dst + (t ? n * ROW : 0)) + 16 * r, p[t][r], s[r], n, lanes);
		}
	return true;
}

bool
scratch_rows(struct wave *w, const struct access *a, u32 off, u32 half, u32 on)
{
	u32 n = a->dwords;
	if (a->bytes != 4 || off % 4 != 0 || off > w->scratch_bytes || 4 * n > w->scratch_bytes - off)
		return false;
	u32 *d = vreg(w, half, a->store ? a->data : a->dst);
	for (u32 k = 0; k < n; k++) {
		u32 *p = (u32 *)(void *)scratch(w, off + 4 * k, half, 0);
		u32 *to = a->store ? p : d + k * LANES, *from = a->store ? d + k * LANES : p;
		if (on == ~0u)
			memcpy(to, from, ROW);
		else
			blend(to, from, on);
	}
	return true;
}
