/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * lanes.c - helpers: instructions that look at other lanes or move between vector and scalar registers.
 * Operands are o->src (vector or scalar), the destination is o->dst.
 */
#include "amdgpu/exec/run/run.h"

/* The value of lane i of an operand. */
static u32
lane_get(struct wave *w, const struct src *s, u32 i)
{
	switch ((enum src_kind)s->kind) {
	case SRC_VGPR:
		return vreg(w, i / LANES, s->at)[i % LANES];
	case SRC_CONST:
		return *(const u32 *)(const void *)(w->base[SRC_CONST] + s->at);
	default:
		return w->s[s->at];
	}
}

static u64
exec_mask(const struct wave *w)
{
	return w->s[S_EXEC] | (w->halves == 2 ? (u64)w->s[S_EXEC + 1] << 32 : 0);
}

static enum stop
readfirstlane(struct wave *w, const struct uop *o)
{
	u64 exec = exec_mask(w);
	w->s[o->dst] = lane_get(w, &o->src[0], exec ? (u32)__builtin_ctzll(exec) : 0);
	return STOP_NONE;
}

static enum stop
readlane(struct wave *w, const struct uop *o)
{
	u32 i = lane_get(w, &o->src[1], 0) & (w->halves * LANES - 1u);
	w->s[o->dst] = lane_get(w, &o->src[0], i);
	return STOP_NONE;
}

static enum stop
writelane(struct wave *w, const struct uop *o)
{
	u32 i = lane_get(w, &o->src[1], 0) & (w->halves * LANES - 1u);
	vreg(w, i / LANES, o->dst)[i % LANES] = lane_get(w, &o->src[0], 0);
	return STOP_NONE;
}

/* Bits of the mask (src0) below the lane, counted onto src1; hi counts the upper half of a wave64. */
static enum stop
mbcnt(struct wave *w, const struct uop *o, bool high)
{
	for (u32 h = 0; h < w->halves; h++) {
		const u32 *mask = fetch(w, h, &o->src[0], 0), *add = fetch(w, h, &o->src[1], 1);
		u32 on = w->s[S_EXEC + h];
		u32 *d = vreg(w, h, o->dst);
		for (u32 i = 0; i < LANES; i++) {
			u32 below = high == (h == 1) ? (1u << i) - 1 : high ? 0 : ~0u;
			u32 r = (u32)__builtin_popcount(mask[i] & below) + add[i];
			if (on >> i & 1)
				d[i] = r;
		}
	}
	return STOP_NONE;
}

static enum stop
mbcnt_lo(struct wave *w, const struct uop *o)
{
	return mbcnt(w, o, false);
}

static enum stop
mbcnt_hi(struct wave *w, const struct uop *o)
{
	return mbcnt(w, o, true);
}

/* Writes r[] where EXEC allows. */
static void
put_lanes(struct wave *w, const struct uop *o, const u32 *r)
{
	for (u32 h = 0; h < w->halves; h++)
		blend(vreg(w, h, o->dst), r + h * LANES, w->s[S_EXEC + h]);
}

/* Each lane reads src1 of the lane that its src0 names (in bytes). Lanes that are off read as 0. */
static enum stop
bpermute_from(struct wave *w, const struct uop *o, u64 exec)
{
	u32 r[2 * LANES], n = w->halves * LANES;
	/* from gfx10 on the halves of a wave64 are apart */
	u32 group = w->group->dispatch->e->target->major >= 10 ? LANES : n;
	for (u32 i = 0; i < n; i++) {
		u32 from = (lane_get(w, &o->src[0], i) + (u32)o->k[0]) >> 2;
		from = (from & (group - 1)) | (i & ~(group - 1));
		r[i] = exec >> from & 1 ? lane_get(w, &o->src[1], from) : 0;
	}
	put_lanes(w, o, r);
	return STOP_NONE;
}

static enum stop
bpermute(struct wave *w, const struct uop *o)
{
	return bpermute_from(w, o, exec_mask(w));
}

/* From lanes that are off too. */
static enum stop
bpermute_fi(struct wave *w, const struct uop *o)
{
	return bpermute_from(w, o, ~0ull);
}

/* Each active lane sends src1 to the lane that its src0 names; the highest sender wins, others get 0. */
static enum stop
permute(struct wave *w, const struct uop *o)
{
	u32 r[2 * LANES] = {0}, n = w->halves * LANES;
	u64 exec = exec_mask(w);
	u32 group = w->group->dispatch->e->target->major >= 10 ? LANES : n;
	for (u32 i = 0; i < n; i++) {
		if (!(exec >> i & 1))
			continue;
		u32 to = (lane_get(w, &o->src[0], i) + (u32)o->k[0]) >> 2;
		r[(to & (group - 1)) | (i & ~(group - 1))] = lane_get(w, &o->src[1], i);
	}
	put_lanes(w, o, r);
	return STOP_NONE;
}

/* offset: 15 = 1: quad permutation 7:0; else and 4:0, or 9:5, xor 14:10 of the lane in its 32;
 * from 0xe000 on: FFT, from 0xc000: rotate by 9:5, direction 10, mask 4:0 */
static u32
swizzle_from(u32 i, u32 off)
{
	if (off >= 0xe000) {
		u32 k = off & 31, rev = 0;
		for (u32 b = 0; b < 5; b++)
			rev |= (i >> b & 1) << (4 - b);
		return k == 31 ? i
			       : (i & k) | (rev >> (k == 0 ? 0 : (u32)__builtin_popcount(k)) & ~k &
						   31);
	}
	if (off >= 0xc000) {
		u32 by = off >> 5 & 31, mask = off & 31;
		by = off >> 10 & 1 ? 32 - by : by;
		return (i & mask) | ((i + by) & ~mask & 31);
	}
	if (off & 0x8000)
		return (i & ~3u) | (off >> 2 * (i & 3) & 3);
	return (((i & (off & 31)) | (off >> 5 & 31)) ^ (off >> 10 & 31)) & 31;
}

static enum stop
swizzle(struct wave *w, const struct uop *o)
{
	u32 r[2 * LANES], n = w->halves * LANES;
	u64 exec = exec_mask(w);
	for (u32 i = 0; i < n; i++) {
		u32 from = (i & 32) | swizzle_from(i & 31, (u32)o->k[0]);
		r[i] = exec >> from & 1 ? lane_get(w, &o->src[0], from) : 0;
	}
	put_lanes(w, o, r);
	return STOP_NONE;
}

/* Each lane reads one of the 16 lanes of its row (other 16: of the row beside): `each` chooses by its own src1, else four bits
 * a lane of src1 and src2 do. op_sel bit 0: fetch from inactive lanes too, bit 1: those read as 0 instead of not being written. */
static enum stop
permlane_row(struct wave *w, const struct uop *o, u32 other, bool each)
{
	u32 n = w->halves * LANES, r[2 * LANES];
	u64 exec = exec_mask(w), pick = 0;
	bool fi = o->k[1] & 1, bound = o->k[1] & 2;
	if (!each)
		pick = lane_get(w, &o->src[1], 0) | (u64)lane_get(w, &o->src[2], 0) << 32;
	for (u32 i = 0; i < n; i++) {
		u32 choice = each ? lane_get(w, &o->src[1], i) : (u32)(pick >> 4 * (i & 15));
		u32 from = ((i & ~15u) ^ other) | (choice & 15);
		bool valid = fi || (exec >> from & 1);
		r[i] = valid   ? lane_get(w, &o->src[0], from)
		       : bound ? 0
			       : vreg(w, i / LANES, o->dst)[i % LANES];
	}
	put_lanes(w, o, r);
	return STOP_NONE;
}

static enum stop
permlane16(struct wave *w, const struct uop *o)
{
	return permlane_row(w, o, 0, false);
}

static enum stop
permlanex16(struct wave *w, const struct uop *o)
{
	return permlane_row(w, o, 16, false);
}

static enum stop
permlane16_var(struct wave *w, const struct uop *o)
{
	return permlane_row(w, o, 0, true);
}

static enum stop
permlanex16_var(struct wave *w, const struct uop *o)
{
	return permlane_row(w, o, 16, true);
}

static enum stop
permlane64(struct wave *w, const struct uop *o)
{
	u32 r[2 * LANES], n = w->halves * LANES;
	if (n == LANES) /* v_nop there */
		return STOP_NONE;
	for (u32 i = 0; i < n; i++)
		r[i] = lane_get(w, &o->src[0], i ^ 32);
	put_lanes(w, o, r);
	return STOP_NONE;
}

/* The rows of 16 (or 32) lanes with odd numbers of the first register change places with the even ones of the second.
 * k[1] as in permlane_row. */
static enum stop
permlane_swap(struct wave *w, const struct uop *o, u32 size)
{
	struct src d = {.kind = SRC_VGPR, .at = o->dst}, s = {.kind = SRC_VGPR, .at = o->src[0].at};
	u32 n = w->halves * LANES, a[2 * LANES], b[2 * LANES];
	u64 exec = exec_mask(w);
	bool fi = o->k[1] & 1, bound = o->k[1] & 2;
	for (u32 i = 0; i < n; i++) {
		bool valid = fi || exec >> (i ^ size) & 1;
		u32 other = i & size ? lane_get(w, &s, i ^ size) : lane_get(w, &d, i ^ size);
		a[i] = lane_get(w, &d, i);
		b[i] = lane_get(w, &s, i);
		if (valid || bound)
			*(i & size ? &a[i] : &b[i]) = valid ? other : 0;
	}
	for (u32 h = 0; h < w->halves; h++) {
		blend(vreg(w, h, o->dst), a + h * LANES, w->s[S_EXEC + h]);
		blend(vreg(w, h, o->src[0].at), b + h * LANES, w->s[S_EXEC + h]);
	}
	return STOP_NONE;
}

static enum stop
permlane16_swap(struct wave *w, const struct uop *o)
{
	return permlane_swap(w, o, 16);
}

static enum stop
permlane32_swap(struct wave *w, const struct uop *o)
{
	return permlane_swap(w, o, 32);
}

/* Any function of three bits: bit 4a + 2b + c of k[0] is its value. The 16-bit form picks halves by op_sel, k[1]. */
static u32
bitop3_value(u32 a, u32 b, u32 c, u32 table)
{
	u32 r = 0;
	for (u32 k = 0; k < 8; k++)
		if (table >> k & 1)
			r |= (k & 4 ? a : ~a) & (k & 2 ? b : ~b) & (k & 1 ? c : ~c);
	return r;
}

static enum stop
bitop3(struct wave *w, const struct uop *o)
{
	for (u32 h = 0; h < w->halves; h++) {
		const u32 *a = fetch(w, h, &o->src[0], 0), *b = fetch(w, h, &o->src[1], 1),
			  *c = fetch(w, h, &o->src[2], 2);
		EACH_LANE (i)
			w->out[i] = bitop3_value(a[i], b[i], c[i], (u32)o->k[0]);
		blend(vreg(w, h, o->dst), w->out, w->s[S_EXEC + h]);
	}
	return STOP_NONE;
}

static enum stop
bitop3_b16(struct wave *w, const struct uop *o)
{
	u32 sel = (u32)o->k[1], shift = sel & 8 ? 16 : 0;
	for (u32 h = 0; h < w->halves; h++) {
		const u32 *a = fetch(w, h, &o->src[0], 0), *b = fetch(w, h, &o->src[1], 1),
			  *c = fetch(w, h, &o->src[2], 2);
		u32 *d = vreg(w, h, o->dst);
		for (u32 i = 0; i < LANES; i++) {
			u32 r = bitop3_value(a[i] >> (sel & 1 ? 16 : 0), b[i] >> (sel & 2 ? 16 : 0),
				c[i] >> (sel & 4 ? 16 : 0), (u32)o->k[0]);
			w->out[i] = (d[i] & ~(0xffffu << shift)) | (r & 0xffff) << shift;
		}
		blend(d, w->out, w->s[S_EXEC + h]);
	}
	return STOP_NONE;
}

static enum stop
swap(struct wave *w, const struct uop *o)
{
	for (u32 h = 0; h < w->halves; h++) {
		u32 *d = vreg(w, h, o->dst), *s = vreg(w, h, o->src[0].at), on = w->s[S_EXEC + h];
		for (u32 i = 0; i < LANES; i++)
			if (on >> i & 1) {
				u32 v = d[i];
				d[i] = s[i];
				s[i] = v;
			}
	}
	return STOP_NONE;
}

/* Halves of two registers; bit 0 of k[0]: the high one of the first, bit 1: of the second. */
static enum stop
swap_half(struct wave *w, const struct uop *o)
{
	u32 dh = o->k[0] & 1 ? 16 : 0, sh = o->k[0] & 2 ? 16 : 0;
	for (u32 h = 0; h < w->halves; h++) {
		u32 *d = vreg(w, h, o->dst), *s = vreg(w, h, o->src[0].at), on = w->s[S_EXEC + h];
		for (u32 i = 0; i < LANES; i++)
			if (on >> i & 1) {
				u32 x = d[i] >> dh & 0xffff, y = s[i] >> sh & 0xffff;
				d[i] = (d[i] & ~(0xffffu << dh)) | y << dh;
				s[i] = (s[i] & ~(0xffffu << sh)) | x << sh;
			}
	}
	return STOP_NONE;
}

/* --- scalar registers chosen by M0: o->k[0] is INDEX_SRC, INDEX_DST and INDEX_TWO, o->nd the dwords --------- */

static enum stop
scalar_movrel(struct wave *w, const struct uop *o)
{
	u32 flags = (u32)o->k[0], m0 = w->s[S_M0], n = o->nd;
	u32 from = o->src[0].at, to = o->dst;
	if (flags & INDEX_SRC)
		from += flags & INDEX_TWO ? m0 & 0x3ff : m0;
	if (flags & INDEX_DST)
		to += flags & INDEX_TWO ? m0 >> 16 & 0x3ff : m0;
	if ((flags & INDEX_SRC && (from > S_VCC - n || from % n)) ||
		(flags & INDEX_DST && (to > S_VCC - n || to % n))) {
		wave_fault(w, EXEC_FAULT_INSTRUCTION, "s_movrel: M0 = %u leads beyond the registers", m0);
		return STOP_FAULT;
	}
	u32 v[2];
	for (u32 k = 0; k < n; k++)
		v[k] = o->src[0].imm ? (u32)(o->k[1] >> 32 * k) : w->s[from + k];
	memcpy(w->s + to, v, 4 * n);
	return STOP_NONE;
}

/* --- state of the wave ------------------------------------------------------------------------------------- */

#include <time.h>

static enum stop
trap(struct wave *w, const struct uop *o)
{
	u32 id = (u32)o->k[1] & 0xff;
	if (id == 3) /* debug trap: nothing without a debugger */
		return STOP_NONE;
	wave_fault(w, EXEC_FAULT_TRAP, "s_trap %u", id);
	return STOP_FAULT;
}

static enum stop
sethalt(struct wave *w, const struct uop *o)
{
	w->halted = o->k[1] & 1; /* for ever: no debugger will wake it */
	return w->halted ? STOP_SLEEP : STOP_NONE;
}

static enum stop
sendmsghalt(struct wave *w, const struct uop *o)
{
	(void)o;
	w->halted = true;
	return STOP_SLEEP;
}

static u64
clock_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (u64)t.tv_sec * 1000000000u + (u64)t.tv_nsec;
}

/* 100 MHz, on every target */
static enum stop
realtime(struct wave *w, const struct uop *o)
{
	s64_set(w, o->dst, clock_ns() / 10);
	return STOP_NONE;
}

static enum stop
memtime(struct wave *w, const struct uop *o)
{
	s64_set(w, o->dst, clock_ns());
	return STOP_NONE;
}

static enum stop
sendmsg_rtn(struct wave *w, const struct uop *o)
{
	w->s[o->dst] = 0; /* doorbell, trap base: none */
	if ((o->k[1] & 0xff) == 131)
		w->s[o->dst] = (u32)(clock_ns() / 10);
	return STOP_NONE;
}

static enum stop
sendmsg_rtn64(struct wave *w, const struct uop *o)
{
	s64_set(w, o->dst, (o->k[1] & 0xff) == 131 ? clock_ns() / 10 : 0);
	return STOP_NONE;
}

/* hwreg: 5:0 number, 10:6 first bit, 15:11 bits - 1 */
enum {
	HW_MODE = 1,
	HW_STATUS = 2, /* 0 SCC, 9 EXECZ, 10 VCCZ, 11 more than one wave, 16 valid */
	HW_ID = 4, /* gfx9: 3:0 wave, 5:4 SIMD, 11:8 compute unit */
	HW_GPR_ALLOC = 5, /* 13:8 vector registers, as in rsrc1 */
	HW_LDS_ALLOC = 6, /* 20:12 in steps of 512 bytes */
	HW_ID1 = 23, /* gfx10 on: 4:0 wave, 9:8 SIMD, 13:10 pair of compute units */
	HW_SHADER_CYCLES = 29,
	HW_SHADER_CYCLES_HI = 30 /* gfx12 */
};

/* Workgroups take the compute units in turn, their waves the SIMDs. */
static u32
hardware_id(const struct wave *w, bool pairs)
{
	const struct group *g = w->group;
	const struct dispatch *d = g->dispatch;
	u64 number = g->id[0] + (u64)d->groups[0] * (g->id[1] + (u64)d->groups[1] * g->id[2]);
	u32 cu = (u32)(number % EXEC_CUS), slot = w->index / 4, simd = w->index % 4;
	return pairs ? slot % 16 | simd << 8 | cu / 2 << 10 : slot % 10 | simd << 4 | cu << 8;
}

static u32
hwreg_read(struct wave *w, u32 number)
{
	switch (number) {
	case HW_MODE:
		return w->group->dispatch->e->target->major >= 12 ? w->mode & ~(MODE_DX10_CLAMP | MODE_IEEE)
								  : w->mode;
	case HW_SHADER_CYCLES:
		return (u32)clock_ns() &
		       (w->group->dispatch->e->target->major >= 12 ? ~0u : 0xfffff);
	case HW_SHADER_CYCLES_HI:
		return (u32)(clock_ns() >> 32);
	case HW_STATUS: {
		bool wide = w->halves == 2;
		u32 execz = !(w->s[S_EXEC] | (wide ? w->s[S_EXEC + 1] : 0)),
		    vccz = !(w->s[S_VCC] | (wide ? w->s[S_VCC + 1] : 0));
		return w->s[S_SCC] | execz << 9 | vccz << 10 | (u32)(w->group->nwaves > 1) << 11 | 1u << 16;
	}
	case HW_ID:
		return w->group->dispatch->e->target->major == 9 ? hardware_id(w, false) : w->hwreg[HW_ID];
	case HW_ID1:
		return w->group->dispatch->e->target->major >= 10 ? hardware_id(w, true) : w->hwreg[HW_ID1];
	case HW_GPR_ALLOC:
		return (w->group->dispatch->rsrc1 & 63) << 8;
	case HW_LDS_ALLOC:
		return (w->group->lds_bytes + 511) / 512 << 12;
	default:
		return w->hwreg[number & 31];
	}
}

static enum stop
getreg(struct wave *w, const struct uop *o)
{
	u32 id = (u32)o->k[1], at = id >> 6 & 31, n = (id >> 11 & 31) + 1;
	u32 v = hwreg_read(w, id & 63) >> at;
	w->s[o->dst] = n == 32 ? v : v & ((1u << n) - 1);
	return STOP_NONE;
}

static enum stop
setreg_value(struct wave *w, u32 id, u32 value)
{
	u32 at = id >> 6 & 31, n = (id >> 11 & 31) + 1;
	u32 mask = (n == 32 ? ~0u : (1u << n) - 1) << at;
	u32 v = (hwreg_read(w, id & 63) & ~mask) | (value << at & mask);
	if ((id & 63) != HW_MODE) {
		w->hwreg[id & 31] = v;
		return STOP_NONE;
	}
	if (v & MODE_FP16_OVFL) {
		wave_fault(w, EXEC_FAULT_INSTRUCTION, "s_setreg: MODE.FP16_OVFL is not supported");
		return STOP_FAULT;
	}
	if (w->group->dispatch->e->target->major >= 12)
		v |= MODE_DX10_CLAMP | MODE_IEEE;
	bool was = w->moded;
	wave_mode(w, v);
	return was != w->moded ? STOP_QUANTUM : STOP_NONE; /* the other loop goes on */
}

/* s_setreg_b32 hwreg, sgpr */
static enum stop
setreg(struct wave *w, const struct uop *o)
{
	return setreg_value(w, (u32)o->k[1], w->s[o->src[0].at]);
}

/* s_setreg_imm32_b32 hwreg, value */
static enum stop
setreg_imm(struct wave *w, const struct uop *o)
{
	return setreg_value(w, (u32)o->k[1], (u32)o->k[0]);
}

/* Arrives at the workgroup's barrier without waiting for it; _isfirst tells whether nobody had. */
static enum stop
barrier_signal(struct wave *w, const struct uop *o)
{
	(void)o;
	struct group *g = w->group;
	w->signalled = true;
	w->signalled_at = g->barriers;
	g->arrived++;
	barrier_check(g);
	return STOP_NONE;
}

static enum stop
barrier_signal_isfirst(struct wave *w, const struct uop *o)
{
	w->s[S_SCC] = w->group->arrived == 0;
	return barrier_signal(w, o);
}

/* 0 valid, 10:4 members, 22:16 arrived */
static enum stop
barrier_state(struct wave *w, const struct uop *o)
{
	w->s[o->dst] = 1 | w->group->alive << 4 | w->group->arrived << 16;
	return STOP_NONE;
}

static enum stop
round_mode(struct wave *w, const struct uop *o)
{
	return setreg_value(w, HW_MODE | 3 << 11, (u32)o->k[1]);
}

static enum stop
denorm_mode(struct wave *w, const struct uop *o)
{
	return setreg_value(w, HW_MODE | 4 << 6 | 3 << 11, (u32)o->k[1]);
}

/* A scalar float by the kernel of vector row k[1]. k[0]: neg 2:0, abs 5:3, clamp 6, the upper half of src0 7. */
static enum stop
scalar_float(struct wave *w, const struct uop *o)
{
	const u32 *src[3] = {NULL, NULL, NULL};
	u32 how = (u32)o->k[0], t[3][LANES];
	for (u32 k = 0; k < 3 && o->src[k].n; k++) {
		src[k] = fetch(w, 0, &o->src[k], k);
		if (how == 0)
			continue;
		u32 sign = o->src[k].type == T_f16 ? 0x8000 : 0x80000000;
		u32 keep = how >> (3 + k) & 1 ? ~sign : ~0u, flip = how >> k & 1 ? sign : 0;
		EACH_LANE (i)
			t[k][i] = ((how & 128 ? src[k][i] >> 16 : src[k][i]) & keep) ^ flip;
		src[k] = t[k];
	}
	kernels[o->k[1]](w->out, src[0], src[1], src[2], w->tmp[3]);
	u32 r = w->out[0];
	if (how & 64) { /* negative numbers and NaN become 0 */
		u32 one = o->src[0].type == T_f16 ? 0x3c00 : 0x3f800000,
		    inf = o->src[0].type == T_f16 ? 0x7c00 : 0x7f800000;
		r = r > inf ? 0 : r > one ? one : r;
	}
	w->s[o->nd ? o->dst : S_SCC] = o->nd ? r : w->tmp[3][0] & 1;
	return STOP_NONE;
}

static enum stop
nothing(struct wave *w, const struct uop *o)
{
	(void)w, (void)o;
	return STOP_NONE;
}

help_fn *const helpers[R_COUNT] = {
	[R_v_readlane_b32] = readlane,
	[R_v_readfirstlane_b32] = readfirstlane,
	[R_v_writelane_b32] = writelane,
	[R_v_mbcnt_lo_u32_b32] = mbcnt_lo,
	[R_v_mbcnt_hi_u32_b32] = mbcnt_hi,
	[R_v_permlane16_b32] = permlane16,
	[R_v_permlanex16_b32] = permlanex16,
	[R_v_permlane16_var_b32] = permlane16_var,
	[R_v_permlanex16_var_b32] = permlanex16_var,
	[R_v_permlane64_b32] = permlane64,
	[R_v_permlane16_swap_b32] = permlane16_swap,
	[R_v_permlane32_swap_b32] = permlane32_swap,
	[R_v_swap_b32] = swap,
	[R_v_swap_b16] = swap_half,
	[R_v_bitop3_b32] = bitop3,
	[R_v_bitop3_b16] = bitop3_b16,
	[R_v_movrels_b32] = move_indexed,
	[R_v_movreld_b32] = move_indexed,
	[R_v_movrelsd_b32] = move_indexed,
	[R_v_movrelsd_2_b32] = move_indexed,
	[R_v_swaprel_b32] = move_indexed,
	[R_s_set_gpr_idx_on] = index_on,
	[R_s_set_gpr_idx_idx] = index_idx,
	[R_s_set_gpr_idx_mode] = index_mode,
	[R_s_movrels_b32] = scalar_movrel,
	[R_s_movrels_b64] = scalar_movrel,
	[R_s_movreld_b32] = scalar_movrel,
	[R_s_movreld_b64] = scalar_movrel,
	[R_s_movrelsd_2_b32] = scalar_movrel,
	[R_s_sendmsghalt] = sendmsghalt,
	[R_s_get_barrier_state] = barrier_state,
	[R_s_set_gpr_idx_off] = nothing,
	[R_ds_bpermute_b32] = bpermute,
	[R_ds_bpermute_fi_b32] = bpermute_fi,
	[R_ds_permute_b32] = permute,
	[R_ds_swizzle_b32] = swizzle,
	[R_s_trap] = trap,
	[R_s_sethalt] = sethalt,
	[R_s_setreg_b32] = setreg,
	[R_s_setreg_imm32_b32] = setreg_imm,
	[R_s_round_mode] = round_mode,
	[R_s_denorm_mode] = denorm_mode,
	[R_s_getreg_b32] = getreg,
	[R_s_barrier_signal] = barrier_signal,
	[R_s_barrier_signal_isfirst] = barrier_signal_isfirst,
	[R_s_sendmsg] = nothing,
	[R_s_sendmsg_rtn_b32] = sendmsg_rtn,
	[R_s_sendmsg_rtn_b64] = sendmsg_rtn64,
	[R_s_memtime] = memtime,
	[R_s_memrealtime] = realtime,
#include "amdgpu/exec/isa_none.h"
#undef SFLOAT
#undef MATRIX
#undef SPARSE
#undef SCALED
#undef WIDE
#define SFLOAT(name, row)                [R_##name] = scalar_float,
#define MATRIX(name, D, E, M, K, blocks) [R_##name] = matrix_product,
#define SPARSE(name, D, E, M, K, blocks) [R_##name] = matrix_product,
#define SCALED(name, M, K)               [R_##name] = matrix_product,
#define WIDE(name, d, a, b, c, call)     [R_##name] = wide_help,
#include "amdgpu/exec/isa.def"
};
