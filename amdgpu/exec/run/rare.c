/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * rare.c - helper: memory instructions that do more than move: loads into LDS, loads that transpose, and those of
 * LDS that take their address from M0. The first two are an ordinary load and what follows it.
 *
 * Loads into LDS: lane i's elements go to M0 + the instruction's offset + i * their size (a dword at least); the
 * ordinary load borrows the first registers, which are put back.
 *
 * Loads that transpose: each lane loads a row of a small matrix, and lane i gets column i % n of what its group of
 * lanes has loaded; which lane has the row of element e:
 *   64 bits of 16 (gfx950)   group of 16: 4 * e + i % 16 / 4, column i % 4
 *   64 bits of 8             group of 16: 8 * (e / 4) + 4 * (i % 16 / 8) + e % 4, column i % 8
 *   64 bits of 4 (gfx950)    group of 32: 16 * (e / 8) + 8 * (i % 32 / 16) + e % 8, column i % 16
 *   96 bits of 6 (gfx950)    group of 32: 8 * (e / 4) + 4 * (i % 32 / 16) + e % 4, column i % 16
 *   128 bits of 16 (gfx12)   group of 8: e, column i % 8
 */
#include "amdgpu/exec/run/memory.h"
#include "amdgpu/exec/run/small.h"

enum { MOST = 4, WAVE = 2 * LANES };

static enum stop
shared_fault(struct wave *w, const struct access *a, u64 addr, u32 size, u32 lane)
{
	w->fault->addr = addr;
	w->fault->size = size;
	w->fault->is_store = a->rare == RARE_LDS || a->store;
	w->fault->is_atomic = a->rare == RARE_APPEND || a->rare == RARE_CONSUME;
	w->fault->thread[0] = w->index * w->halves * LANES + lane;
	wave_fault(w, EXEC_FAULT_SHARED, "outside of the workgroup's shared memory");
	return STOP_FAULT;
}

/* NULL: outside */
static u8 *
shared(struct wave *w, u64 addr, u32 size)
{
	u32 n = w->group->lds_bytes;
	return size <= n && addr <= n - size ? w->group->lds + addr : NULL;
}

static enum stop
load_to_lds(struct wave *w, const struct uop *o)
{
	const struct access *a = o->access;
	u32 keep[2][MOST][LANES], n = a->dwords;
	for (u32 h = 0; h < w->halves; h++)
		for (u32 k = 0; k < n; k++)
			memcpy(keep[h][k], vreg(w, h, k * ROW), ROW);
	enum stop stop = memory_help(w, o);
	u64 base = (u64)w->s[S_M0] + (u64)(i64)a->offset;
	for (u32 h = 0; h < w->halves; h++) {
		u32 got[MOST][LANES];
		for (u32 k = 0; k < n; k++) {
			memcpy(got[k], vreg(w, h, k * ROW), ROW);
			memcpy(vreg(w, h, k * ROW), keep[h][k], ROW);
		}
		for (u32 on = stop ? 0 : w->s[S_EXEC + h]; on; on &= on - 1) {
			u32 i = (u32)__builtin_ctz(on), lane = h * LANES + i;
			u8 *p = shared(w, base + (u64)lane * 4 * n, 4 * n);
			if (p == NULL) {
				stop = shared_fault(w, a, base + (u64)lane * 4 * n, 4 * n, lane);
				break;
			}
			for (u32 k = 0; k < n; k++)
				dword_store(p + 4 * k, got[k][i]);
		}
	}
	return stop;
}

static u32
row_lane(enum rare kind, u32 i, u32 e)
{
	switch (kind) {
	case RARE_TR16:
		return (i & ~15u) + 4 * e + i % 16 / 4;
	case RARE_TR8:
		return (i & ~15u) + 8 * (e / 4) + 4 * (i % 16 / 8) + e % 4;
	case RARE_TR4:
		return (i & ~31u) + 16 * (e / 8) + 8 * (i % 32 / 16) + e % 8;
	case RARE_TR6:
		return (i & ~31u) + 8 * (e / 4) + 4 * (i % 32 / 16) + e % 4;
	default:
		return (i & ~7u) + e;
	}
}

static enum stop
load_transposed(struct wave *w, const struct uop *o)
{
	static const u8 bits[] = {
		[RARE_TR16] = 16, [RARE_TR8] = 8, [RARE_TR4] = 4, [RARE_TR6] = 6, [RARE_TR16_128] = 16};
	const struct access *a = o->access;
	u32 n = a->dwords, size = bits[a->rare], count = 32 * n / size;
	u32 row[WAVE][MOST], out[MOST][WAVE];
	enum stop stop = memory_help(w, o);
	if (stop)
		return stop;
	for (u32 i = 0; i < w->halves * (u32)LANES; i++)
		for (u32 k = 0; k < n; k++)
			row[i][k] = vreg(w, i / LANES, a->dst + k * ROW)[i % LANES];
	for (u32 i = 0; i < w->halves * (u32)LANES; i++) {
		u32 v[MOST] = {0};
		for (u32 e = 0; e < count; e++)
			packed_put(v, size, e,
				packed_get(row[row_lane(a->rare, i, e)], size, i % count));
		for (u32 k = 0; k < n; k++)
			out[k][i] = v[k];
	}
	for (u32 h = 0; h < w->halves; h++)
		for (u32 k = 0; k < n; k++)
			blend(vreg(w, h, a->dst + k * ROW), out[k] + h * LANES, w->s[S_EXEC + h]);
	return STOP_NONE;
}

/* Lane i's dword at the offset + 4 * i from M0 (LDS) or from the scalar base. */
static enum stop
by_lane(struct wave *w, const struct access *a)
{
	bool ds = a->space == SPACE_DS;
	u64 base = (u64)(i64)a->offset +
		   (ds ? w->s[S_M0] & 0xffff : a->has_saddr ? s64(w, a->saddr) : 0);
	w->stored |= a->store && !ds;
	for (u32 lane = 0; lane < w->halves * (u32)LANES; lane++) {
		u64 addr = base + 4 * lane;
		if (!(w->s[S_EXEC + lane / LANES] >> lane % LANES & 1))
			continue;
		u8 *p = ds ? shared(w, addr, 4) : global(w, addr, 4, a->store);
		if (p == NULL && ds)
			return shared_fault(w, a, addr, 4, lane);
		if (p == NULL) {
			w->fault->addr = addr;
			w->fault->size = 4;
			w->fault->is_store = a->store;
			w->fault->is_atomic = false;
			w->fault->thread[0] = w->index * w->halves * LANES + lane;
			wave_fault(w, EXEC_FAULT_ADDRESS, "memory that nobody allocated");
			return STOP_FAULT;
		}
		u32 *d = vreg(w, lane / LANES, a->store ? a->data : a->dst) + lane % LANES;
		if (a->store)
			dword_store(p, *d);
		else
			*d = dword_load(p);
	}
	return STOP_NONE;
}

/* A counter in LDS moves by the number of active lanes; all of them get what it was. */
static enum stop
append(struct wave *w, const struct access *a)
{
	u64 addr = (u64)(i64)a->offset + (w->s[S_M0] & 0xffff);
	u32 n = 0;
	for (u32 h = 0; h < w->halves; h++)
		n += popcount32(w->s[S_EXEC + h]);
	u8 *p = shared(w, addr, 4);
	if (p == NULL || addr % 4)
		return shared_fault(w, a, addr, 4, 0);
	u32 old = dword_load(p);
	dword_store(p, a->rare == RARE_APPEND ? old + n : old - n);
	for (u32 h = 0; h < w->halves; h++) {
		EACH_LANE (i)
			w->out[i] = old;
		blend(vreg(w, h, a->dst), w->out, w->s[S_EXEC + h]);
	}
	return STOP_NONE;
}

/* Two dwords, each replaced only by a value whose highest bit says so, without that bit. */
static enum stop
exchange(struct wave *w, const struct access *a)
{
	for (u32 lane = 0; lane < w->halves * (u32)LANES; lane++) {
		u32 h = lane / LANES, i = lane % LANES;
		if (!(w->s[S_EXEC + h] >> i & 1))
			continue;
		u32 addr = (vreg(w, h, a->vaddr)[i] + (u32)a->offset) & 0xfff8;
		u8 *p = shared(w, addr, 8);
		if (p == NULL)
			return shared_fault(w, a, addr, 8, lane);
		for (u32 k = 0; k < 2; k++) {
			u32 v = vreg(w, h, a->data + k * ROW)[i], old = dword_load(p + 4 * k);
			if (v >> 31)
				dword_store(p + 4 * k, v & 0x7fffffff);
			vreg(w, h, a->dst + k * ROW)[i] = old;
		}
	}
	return STOP_NONE;
}

enum stop
rare_help(struct wave *w, const struct uop *o)
{
	const struct access *a = o->access;
	switch ((enum rare)a->rare) {
	case RARE_LDS:
		return load_to_lds(w, o);
	case RARE_ADDTID:
		return by_lane(w, a);
	case RARE_APPEND:
	case RARE_CONSUME:
		return append(w, a);
	case RARE_CONDXCHG:
		return exchange(w, a);
	default:
		return load_transposed(w, o);
	}
}
