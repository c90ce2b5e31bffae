/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * loop.c - the inner loop: takes a wave from operation to operation until its quantum is used up, or it
 * ends, waits or faults. Scalar rows, branches and plain vector operations are done here; the rest is
 * called. Instructions are counted where control is transferred, by the distance from the last transfer.
 *
 * Two loops are made of one text: one for the host's own floating-point mode (round to nearest, keep
 * denormals), one that sets the mode that a float
 * operation wants where it is not set yet.
 */
#include "amdgpu/exec/run/run.h"
#include "amdgpu/exec/run/num.h"
#ifdef __SSE2__
#include <xmmintrin.h>
#define CSR_SET(v) _mm_setcsr(v)
#else
#define CSR_SET(v) (void)(v)
#endif
#define CSR_DEFAULT 0x1f80u

#define t_u32  u32
#define t_i32  i32
#define t_u64  u64
#define t_i64  i64
#define t_NONE u32

#define get_NONE(p)     0
#define get_u32(p)      (p)[0]
#define get_i32(p)      (i32)(p)[0]
#define get_u64(p)      ((p)[0] | (u64)(p)[1] << 32)
#define get_i64(p)      (i64) get_u64(p)
#define put_NONE(at, v) ((void)(v))
#define put_u32(at, v)  (w->s[at] = (u32)(v))
#define put_i32(at, v)  (w->s[at] = (u32)(v))
#define put_u64(at, v)  s64_set(w, at, (u64)(v))
#define put_i64         put_u64

/* An operand, with its sign cleared or flipped if it wants that: copied to `t` then. */
static inline const u32 *
fetch_signed(struct wave *w, u32 h, const struct uop *o, u32 k, u32 *t)
{
	const struct src *s = &o->src[k];
	const u32 *p = fetch(w, h, s, k);
	if (s->imm == 0)
		return p;
	u32 top = s->n == 2 ? LANES : 0;
	u32 keep = s->imm & SRC_ABS ? 0x7fffffff : ~0u, flip = s->imm & SRC_NEG ? 0x80000000 : 0;
	if (top)
		rows_copy(t, p, 1);
	EACH_LANE (i)
		t[top + (u32)i] = (p[top + (u32)i] & keep) ^ flip;
	return t;
}

ALWAYS_INLINE void
vector_half(struct wave *w, const struct uop *o, int n, const bool sign, u32 h)
{
	u32 t[3][2 * LANES], m = w->s[S_EXEC + h];
	const u32 *src[3] = {NULL, NULL, NULL};
	if (m == 0)
		return;
	for (int k = 0; k < n; k++)
		src[k] = sign ? fetch_signed(w, h, o, (u32)k, t[k])
			      : fetch(w, h, &o->src[k], (u32)k);
	u32 *d = vreg(w, h, o->dst);
	if (m == ~0u) {
		o->kernel(d, src[0], src[1], src[2], NULL);
	} else if (o->some != NULL) {
		o->some(d, src[0], src[1], src[2], m);
	} else {
		o->kernel(w->out, src[0], src[1], src[2], NULL);
		rows_blend(d, w->out, o->nd, m);
	}
}

ALWAYS_INLINE void
vector(struct wave *w, const struct uop *o, int n, const bool sign)
{
	vector_half(w, o, n, sign, 0);
	if (w->halves == 2)
		vector_half(w, o, n, sign, 1);
}

static inline void
carry(struct wave *w, const struct uop *o)
{
	u32 r[2] = {0, 0};
	for (u32 h = 0; h < w->halves; h++) {
		u32 m = w->s[S_EXEC + h];
		if (m == 0)
			continue;
		const u32 *a = fetch(w, h, &o->src[0], 0), *b = fetch(w, h, &o->src[1], 1);
		const u32 *c = o->src[2].n ? fetch(w, h, &o->src[2], 2) : NULL;
		u32 *d = vreg(w, h, o->dst);
		o->kernel(m == ~0u ? d : w->out, a, b, c, w->tmp[3]);
		r[h] = mask_pack(w->tmp[3]) & m;
		if (m != ~0u)
			rows_blend(d, w->out, o->nd, m);
	}
	for (u32 h = 0; h < w->halves; h++)
		w->s[o->mask + h] = r[h];
}

static inline void
compare(struct wave *w, const struct uop *o, bool exec)
{
	u32 r[2] = {0, 0}, t[2][2 * LANES];
	for (u32 h = 0; h < w->halves; h++) {
		u32 m = w->s[S_EXEC + h];
		if (m == 0)
			continue;
		const u32 *a = fetch_signed(w, h, o, 0, t[0]), *b = fetch_signed(w, h, o, 1, t[1]);
		o->kernel(NULL, a, b, NULL, w->tmp[3]);
		r[h] = mask_pack(w->tmp[3]) & m;
	}
	for (u32 h = 0; h < w->halves; h++) {
		w->s[o->mask + h] = r[h];
		if (exec)
			w->s[S_EXEC + h] = r[h];
	}
}

static inline bool
mask_zero(const struct wave *w, u32 at)
{
	return (w->s[at] | (w->halves == 2 ? w->s[at + 1] : 0)) == 0;
}

/* Where a branch goes, remembered in the operation. */
static const struct uop *
branch(struct wave *w, const struct uop *o)
{
	struct uop *mut = (struct uop *)(uintptr_t)o;
	const struct uop *t = atomic_load_explicit(&mut->target, memory_order_acquire);
	if (t == NULL) {
		struct region *r;
		t = code_at(w->group->dispatch->e, w->region->base + (u64)o->to, w->region->wave,
			&r, w->fault);
		if (t != NULL && r == w->region)
			atomic_store_explicit(&mut->target, t, memory_order_release);
	}
	return t;
}

static const struct uop *
jump(struct wave *w, u64 pc)
{
	struct region *r = w->region;
	if (pc - r->base < r->size && pc % 4 == 0) {
		const struct uop *t =
			atomic_load_explicit(&r->at[(pc - r->base) / 4], memory_order_acquire);
		if (t != NULL)
			return t;
	}
	return code_at(w->group->dispatch->e, pc, r->wave, &w->region, w->fault);
}

static inline enum stop
run(struct wave *w, const bool moded)
{
	const struct uop *o = w->pc, *from = o, *next, *resume;
	i64 left = w->budget;
	enum stop stop;
	u32 csr = CSR_DEFAULT;
	w->base[SRC_VGPR] = w->file;
	for (;;) {
		if (moded && o->fp && w->csr[o->fp] != csr)
			CSR_SET(csr = w->csr[o->fp]);
		if (moded && w->odd && o->code >= U_V1 && o->code <= U_VX && odd_plain(w, o)) {
			o++;
			continue;
		}
		switch ((enum code)o->code) {
		case U_V1:
			vector(w, o, 1, false);
			break;
		case U_V2:
			vector(w, o, 2, false);
			break;
		case U_V3:
			vector(w, o, 3, false);
			break;
		case U_VSIGN:
			vector(w, o, o->src[2].n ? 3 : o->src[1].n ? 2 : 1, true);
			break;
		case U_VCARRY:
			carry(w, o);
			break;
		case U_VCMP:
			compare(w, o, false);
			break;
		case U_VCMPX:
			compare(w, o, true);
			break;
		case U_VX:
		case U_DUAL:
			w->pc = o;
			stop = valu_general(w, o);
			if (UNLIKELY(stop))
				goto stopped;
			if (o->code == U_DUAL)
				o += 2;
			break;
		case U_FENCE: /* x86 alone would let a later load overtake the stores */
			if (w->stored) {
				atomic_thread_fence(memory_order_seq_cst);
				w->stored = false;
			}
			break;
		case U_HELP:
			w->pc = o;
			stop = o->help(w, o);
			if (UNLIKELY(stop))
				goto stopped;
			break;
		case U_LDS:
			stop = lds_run(w, o);
			if (UNLIKELY(stop))
				goto stopped;
			o += o->nd - 1;
			break;
		case U_SCC0:
			if (!w->s[S_SCC])
				goto taken;
			break;
		case U_SCC1:
			if (w->s[S_SCC])
				goto taken;
			break;
		case U_VCCZ:
			if (mask_zero(w, S_VCC))
				goto taken;
			break;
		case U_VCCNZ:
			if (!mask_zero(w, S_VCC))
				goto taken;
			break;
		case U_EXECZ:
			if (mask_zero(w, S_EXEC))
				goto taken;
			break;
		case U_EXECNZ:
			if (!mask_zero(w, S_EXEC))
				goto taken;
			break;
		case U_BRANCH:
			goto taken;
		case U_GOTO:
			left++;
			goto taken;
		case U_GETPC:
			s64_set(w, o->dst, w->region->base + (u64)o->k[0]);
			break;
		case U_SETPC:
			next = jump(w, s64(w, o->src[0].at));
			goto moved;
		case U_SWAPPC: {
			u64 to = s64(w, o->src[0].at);
			s64_set(w, o->dst, w->region->base + (u64)o->k[0]);
			next = jump(w, to);
			goto moved;
		}
		case U_CALL:
			s64_set(w, o->dst, w->region->base + o->k[1]);
			goto taken;
		case U_END:
			stop = STOP_END;
			resume = o;
			goto leave;
		case U_BARRIER:
			stop = STOP_BARRIER;
			resume = o + 1;
			goto leave;
		case U_SLEEP:
			stop = STOP_SLEEP;
			resume = o + 1;
			goto leave;
		case U_BAD:
			w->pc = o;
			wave_fault(w, EXEC_FAULT_INSTRUCTION, "%s", o->what);
			stop = STOP_FAULT;
			resume = o;
			goto leave;

#include "amdgpu/exec/isa_none.h"
#undef SALU
#undef EXECOP
#undef EXECWR
#define SALU(name, D, A, B, value, sccvalue)                                                       \
	case U_##name: {                                                                           \
		u32 scc = w->s[S_SCC];                                                             \
		t_##A a = get_##A(scalar(w, o, 0));                                                \
		t_##B b = get_##B(scalar(w, o, 1));                                                \
		t_##D d = get_##D(w->s + o->dst), r;                                               \
		(void)a, (void)b, (void)d, (void)scc;                                              \
		r = (t_##D)(value);                                                                \
		put_##D(o->dst, r);                                                                \
		w->s[S_SCC] = (u32)(sccvalue);                                                     \
		break;                                                                             \
	}
#define EXECOP(name, T, value)                                                                     \
	case U_##name: {                                                                           \
		t_##T a = get_##T(scalar(w, o, 0)), x = get_##T(w->s + S_EXEC), r = (value);       \
		put_##T(o->dst, x);                                                                \
		put_##T(S_EXEC, r);                                                                \
		w->s[S_SCC] = r != 0;                                                              \
		break;                                                                             \
	}
#define EXECWR(name, T, value)                                                                     \
	case U_##name: {                                                                           \
		t_##T a = get_##T(scalar(w, o, 0)), x = get_##T(w->s + S_EXEC), r = (value);       \
		put_##T(o->dst, r);                                                                \
		put_##T(S_EXEC, r);                                                                \
		w->s[S_SCC] = r != 0;                                                              \
		break;                                                                             \
	}
#include "amdgpu/exec/isa.def"
		case U_COUNT:
			break;
		}
		o++;
		continue;
	taken:
		next = atomic_load_explicit(
			&((struct uop *)(uintptr_t)o)->target, memory_order_acquire);
		if (UNLIKELY(next == NULL))
			next = branch(w, o);
	moved:
		if (UNLIKELY(next == NULL)) {
			w->pc = o;
			wave_fault(w, EXEC_FAULT_PC, NULL);
			stop = STOP_FAULT;
			resume = o;
			goto leave;
		}
		left -= o - from + 1;
		o = from = next;
		if (UNLIKELY(left <= 0)) {
			left++; /* `next` itself is not done */
			stop = STOP_QUANTUM;
			resume = next;
			goto leave;
		}
		continue;
	stopped:
		resume = stop == STOP_FAULT || stop == STOP_END ? o : o + 1;
		goto leave;
	}
leave:
	if (moded && csr != CSR_DEFAULT)
		CSR_SET(CSR_DEFAULT);
	left -= o - from + 1;
	w->pc = resume;
	w->count += (u64)(w->budget - left);
	return stop;
}

enum stop
run_wave(struct wave *w)
{
	return w->moded ? run(w, true) : run(w, false);
}
