/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * buffer.h - where a lane's access through a buffer resource (V#) leads, and how much of it is in range.
 *
 *   word 0   31..0 base             word 1   15..0 base   29..16 stride   gfx9, gfx10: 31 swizzle; later 31..30
 *   word 2   records (or bytes)     word 3   23 add the lane   22..21 index stride
 *                                            gfx9: 18..15 data format, more of the stride where lanes are added
 *                                            gfx10 on: 29..28 how the range is checked
 *
 * Range: gfx9 checks the index where there is one and a stride, else the bytes with the scalar offset; from gfx10
 * on the resource says: 0 index and stride, 1 index, 2 only that it is not empty, 3 bytes with the scalar offset.
 * Loads beyond yield 0 and stores do nothing, dword by dword; atomics do all or nothing.
 * Sections: AMD "CDNA3 ISA" 9.1.5, "RDNA3 ISA" 8.1.5, "RDNA4 ISA" 9.1.
 */
#ifndef HEDDLE_EXEC_BUFFER_H
#define HEDDLE_EXEC_BUFFER_H

#include "amdgpu/exec/run/run.h"

struct buffer {
	u64 base;
	u32 stride, records, group; /* group: lanes that are interleaved */
	u32 size; /* of a piece that is swizzled, 0: none is */
	u32 mode;
	bool gfx9, add_lane, idxen;
};

static inline struct buffer
buffer_read(const u32 *r, bool gfx9, bool gfx11, bool idxen)
{
	struct buffer b = {.base = r[0] | (u64)(r[1] & 0xffff) << 32,
		.stride = r[1] >> 16 & 0x3fff,
		.records = r[2],
		.group = 8u << (r[3] >> 21 & 3),
		.mode = r[3] >> 28 & 3,
		.gfx9 = gfx9,
		.add_lane = r[3] >> 23 & 1,
		.idxen = idxen};
	u32 swizzle = gfx11 ? r[1] >> 30 : r[1] >> 31;
	if (gfx9) {
		b.size = swizzle && b.add_lane ? 4 : 0;
		if (b.add_lane && (swizzle || !idxen))
			b.stride |= (r[3] >> 15 & 15) << 14;
	} else {
		b.size = swizzle && (idxen || b.add_lane) ? (gfx11 && swizzle == 3 ? 16 : 4) : 0;
	}
	return b;
}

static inline u32
buffer_index(const struct buffer *b, u32 index, u32 lane)
{
	if (b->gfx9)
		return index + (b->add_lane && (b->size || !b->idxen) ? lane : 0);
	return b->idxen ? index : b->add_lane ? lane : 0;
}

static inline u64
buffer_address(const struct buffer *b, u32 index, u32 offset, u32 soffset)
{
	if (b->size == 0)
		return b->base + (u64)index * b->stride + offset + soffset;
	return b->base + ((u64)(index / b->group) * b->stride + offset / b->size * (u64)b->size) * b->group +
	       index % b->group * b->size + offset % b->size + soffset;
}

/* How many of n elements are in range. */
static inline u32
buffer_in_range(const struct buffer *b, u32 index, u32 offset, u32 soffset, u32 bytes, u32 n)
{
	u64 limit, from = offset;
	bool by_index = b->gfx9 ? b->idxen && b->stride != 0 : b->mode <= 1;
	if (b->gfx9 && b->add_lane && !b->idxen)
		return n;
	if (by_index && index >= b->records)
		return 0;
	if (b->gfx9 ? by_index : b->mode == 1)
		return n;
	if (!b->gfx9 && b->mode == 2)
		return b->records ? n : 0;
	if (!b->gfx9 && b->mode == 3 && b->size && b->stride) {
		if (index >= b->records)
			return 0;
		limit = b->stride;
	} else if (!b->gfx9 && b->mode == 0) {
		limit = b->stride;
	} else {
		limit = b->records;
		from += soffset;
	}
	u64 fit = from < limit ? (limit - from) / bytes : 0;
	return fit < n ? (u32)fit : n;
}

#endif
