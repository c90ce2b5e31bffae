/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * delay.c - HEDDLE_EXEC_DELAY: memory answers as late as a GPU may let it. A load, store or atomic is kept,
 * with the registers that it reads, until the wait that covers it; then it happens, and all before it happen
 * in their order. A register that is used between a load and the wait that covers it is a fault.
 *
 * Waits count: memory instructions raise counters, and an answer lowers them again. "Wait until at most n
 * are on their way" covers an instruction if no order of answers that the GPU may choose leaves it on its
 * way. Answers of one kind (vector loads, stores, LDS) come in order, so it is covered if it and those of its
 * kind behind it are more than n. Scalar loads answer in any order, and so do generic addresses of which some
 * lanes are in LDS and some are not: only 0 covers them.
 *
 *            vector loads   stores   LDS       scalar loads   generic addresses
 *   gfx9     vmcnt          vmcnt    lgkmcnt   lgkmcnt        both, by where the lanes' addresses lead
 *   gfx10    vmcnt          vscnt    lgkmcnt   lgkmcnt
 *   gfx12    loadcnt        storecnt dscnt     kmcnt
 *
 * Stores happen without a wait, too, in time: when their wave ends, or has not come to a wait for several
 * turns. So a missing wait before a barrier shows, and a program that needs none goes on.
 * Registers that M0 chooses (v_movrel) are not watched.
 */
#include "amdgpu/exec/wave.h"
#include <stdio.h>
#include <stdlib.h>
#ifdef __SSE2__
#include <xmmintrin.h>
#endif

enum counter { C_LOAD, C_STORE, C_DS, C_KM, COUNTERS };
enum order { IN_VMEM, IN_STORES, IN_LDS, IN_NONE, ORDERS };
enum act {
	ACT_USE, /* any instruction: its registers must be there */
	ACT_MEMORY, /* happens later */
	ACT_COUNT, /* raises a counter and does nothing */
	ACT_WAIT,
	ACT_END
};
enum {
	NO_WAIT = 255,
	MOST = 64, /* instructions on their way; then the oldest answers */
	ROWS = 12, /* registers that a memory instruction reads */
	SCALARS = 16,
	SPANS = 2 * GCN_OPERANDS + 1,
	PATIENCE = 4 /* turns without a wait until stores happen */
};
enum { PART_LO = 1, PART_HI = 2, PART_ALL = 3 };

struct span { /* registers of one operand */
	u16 at;
	u8 n;
	u8 part; /* of vector registers: which halves */
	bool write; /* by memory: the others are read */
};

struct watch { /* an instruction; in the arena of the code */
	struct uop op; /* ACT_MEMORY: what happens later */
	const char *text;
	u8 act, order;
	u8 counters; /* bit an enum counter: raised */
	bool flat;
	u8 wait[COUNTERS]; /* most that may be left */
	u8 nv, ns;
	struct span v[SPANS], s[SPANS];
};

struct pending {
	const struct watch *x;
	struct region *region;
	u8 counters; /* those that still count it */
	u8 order;
	bool done; /* has happened, its wait has not come */
	u32 exec[2], m0, csr;
	u32 s[SCALARS];
	u32 row[ROWS][2][LANES];
};

struct delay { /* of a wave */
	struct pending *list[MOST]; /* as issued; entries from n on are spare, or NULL */
	u32 n;
	u32 turns; /* since the last issue */
	u8 lo[FILE_REGS], hi[FILE_REGS], s[S_COUNT]; /* loads on their way to a register */
};

static const struct watch *
watch_of(const struct uop *o)
{
	return (const struct watch *)(uintptr_t)o->k[0];
}

/* --- registers -------------------------------------------------------------------------------------- */

static void
mark(struct delay *d, const struct watch *x, int by)
{
	for (u32 k = 0; k < x->nv; k++)
		for (u32 r = x->v[k].at; x->v[k].write && r < x->v[k].at + x->v[k].n; r++) {
			d->lo[r] = (u8)(d->lo[r] + (x->v[k].part & PART_LO ? by : 0));
			d->hi[r] = (u8)(d->hi[r] + (x->v[k].part & PART_HI ? by : 0));
		}
	for (u32 k = 0; k < x->ns; k++)
		for (u32 r = x->s[k].at; x->s[k].write && r < x->s[k].at + x->s[k].n; r++)
			d->s[r] = (u8)(d->s[r] + by);
}

static bool
writes(const struct span *s, u32 n, u32 reg, u32 part)
{
	for (u32 k = 0; k < n; k++)
		if (s[k].write && reg - s[k].at < s[k].n && (s[k].part & part))
			return true;
	return false;
}

static void
name_register(char *to, size_t n, u32 reg, bool scalar)
{
	if (!scalar)
		snprintf(to, n, "%c%u", reg < AGPR_BASE ? 'v' : 'a', reg % AGPR_BASE);
	else if (reg < S_VCC)
		snprintf(to, n, "s%u", reg);
	else if (reg < S_TTMP)
		snprintf(to, n, "vcc_%s", reg == S_VCC ? "lo" : "hi");
	else
		snprintf(to, n, "ttmp%u", reg - S_TTMP);
}

/* A register that a load is on its way to is used by `x`. A later answer of the same kind may overwrite it. */
static bool
used(struct wave *w, const struct watch *x, const struct span *by, u32 reg, bool scalar)
{
	const struct delay *d = w->delay;
	const struct watch *load = NULL;
	bool in_order = by->write && x->act == ACT_MEMORY && x->order != IN_NONE;
	for (u32 k = 0; k < d->n; k++) {
		const struct watch *l = d->list[k]->x;
		if (!writes(scalar ? l->s : l->v, scalar ? l->ns : l->nv, reg, by->part))
			continue;
		load = l;
		in_order = in_order && l->order == x->order && l->counters == x->counters;
	}
	if (load == NULL || in_order)
		return true;
	char name[16];
	name_register(name, sizeof(name), reg, scalar);
	return wave_fault(w, EXEC_FAULT_WAIT, "%s is used before the wait that covers its load: %s",
		name, load->text);
}

static bool
check_uses(struct wave *w, const struct watch *x)
{
	const struct delay *d = w->delay;
	if (d->n == 0)
		return true;
	for (u32 k = 0; k < x->nv; k++) {
		const struct span *s = &x->v[k];
		for (u32 r = s->at; r < s->at + s->n; r++)
			if (((s->part & PART_LO && d->lo[r]) || (s->part & PART_HI && d->hi[r])) &&
				!used(w, x, s, r, false))
				return false;
	}
	for (u32 k = 0; k < x->ns; k++)
		for (u32 r = x->s[k].at; r < x->s[k].at + x->s[k].n; r++)
			if (d->s[r] && !used(w, x, &x->s[k], r, true))
				return false;
	return true;
}

/* --- what happens later --------------------------------------------------------------------------------- */

static void
swap(u32 *a, u32 *b, u32 n)
{
	for (u32 i = 0; i < n; i++) {
		u32 t = a[i];
		a[i] = b[i];
		b[i] = t;
	}
}

static u32 *
row_of_file(struct wave *w, u32 half, u32 reg)
{
	return (u32 *)(void *)(w->file + half * w->file_bytes + (size_t)reg * ROW);
}

/* Whether register `reg` of span k is to be kept: read, not written besides, and not in an earlier span. */
static bool
is_kept(const struct span *s, u32 n, u32 k, u32 reg)
{
	for (u32 i = 0; i < k; i++)
		if (reg - s[i].at < s[i].n)
			return false;
	return !writes(s, n, reg, PART_ALL);
}

/* Exchanges the registers that it reads with those kept; what it writes too is as it was anyway. */
static void
exchange(struct wave *w, struct pending *p)
{
	const struct watch *x = p->x;
	u32 row = 0, scalar = 0;
	for (u32 k = 0; k < x->nv; k++)
		for (u32 r = x->v[k].at; r < x->v[k].at + x->v[k].n; r++) {
			if (!is_kept(x->v, x->nv, k, r))
				continue;
			for (u32 h = 0; h < w->halves; h++)
				swap(row_of_file(w, h, r), p->row[row][h], LANES);
			row++;
		}
	for (u32 k = 0; k < x->ns; k++)
		for (u32 r = x->s[k].at; r < x->s[k].at + x->s[k].n; r++)
			if (is_kept(x->s, x->ns, k, r))
				swap(&w->s[r], &p->s[scalar++], 1);
	swap(&w->s[S_EXEC], p->exec, 2);
	swap(&w->s[S_M0], &p->m0, 1);
}

static void
keep(struct wave *w, struct pending *p)
{
	const struct watch *x = p->x;
	u32 row = 0, scalar = 0;
	for (u32 k = 0; k < x->nv; k++)
		for (u32 r = x->v[k].at; r < x->v[k].at + x->v[k].n; r++) {
			if (!is_kept(x->v, x->nv, k, r))
				continue;
			assert(row < ROWS);
			for (u32 h = 0; h < w->halves; h++)
				memcpy(p->row[row][h], row_of_file(w, h, r), ROW);
			row++;
		}
	for (u32 k = 0; k < x->ns; k++)
		for (u32 r = x->s[k].at; r < x->s[k].at + x->s[k].n; r++)
			if (is_kept(x->s, x->ns, k, r)) {
				assert(scalar < SCALARS);
				p->s[scalar++] = w->s[r];
			}
	memcpy(p->exec, &w->s[S_EXEC], sizeof(p->exec));
	p->m0 = w->s[S_M0];
	p->csr = w->csr[x->op.fp];
}

static u32
csr_get(void)
{
#ifdef __SSE2__
	return _mm_getcsr();
#else
	return 0;
#endif
}

static void
csr_set(u32 v)
{
#ifdef __SSE2__
	_mm_setcsr(v);
#else
	(void)v;
#endif
}

static bool
happen(struct wave *w, struct pending *p)
{
	const struct uop *pc = w->pc;
	struct region *region = w->region;
	p->done = true;
	exchange(w, p);
	w->pc = &p->x->op;
	w->region = p->region;
	u32 was = csr_get();
	if (p->x->op.fp != 0) /* an atomic of floats */
		csr_set(p->csr);
	bool ok = p->x->op.help(w, &p->x->op) != STOP_FAULT;
	csr_set(was);
	if (!ok)
		return false; /* the wave is lost: its pc is that of the access */
	exchange(w, p);
	w->pc = pc;
	w->region = region;
	return true;
}

/* The first n that were issued. */
static bool
happen_first(struct wave *w, u32 n)
{
	struct delay *d = w->delay;
	for (u32 k = 0; k < n; k++)
		if (!d->list[k]->done && !happen(w, d->list[k]))
			return false;
	return true;
}

static void
drop(struct delay *d, u32 k)
{
	struct pending *p = d->list[k];
	mark(d, p->x, -1);
	d->n--;
	memmove(&d->list[k], &d->list[k + 1], (d->n - k) * sizeof(*d->list));
	d->list[d->n] = p;
}

/* Until at most `left` answers are missing on a counter. */
static void
wait_for(struct delay *d, u32 counter, u32 left)
{
	u32 behind[ORDERS] = {0};
	for (u32 k = d->n; k-- > 0;) {
		struct pending *p = d->list[k];
		if (!(p->counters >> counter & 1))
			continue;
		u32 n = p->order == IN_NONE ? 1 : ++behind[p->order];
		if (n > left)
			p->counters &= (u8) ~(1u << counter);
	}
}

/* Those that no counter counts any more have happened. */
static bool
settle(struct wave *w)
{
	struct delay *d = w->delay;
	u32 last = 0;
	for (u32 k = 0; k < d->n; k++)
		if (d->list[k]->counters == 0)
			last = k + 1;
	if (!happen_first(w, last))
		return false;
	for (u32 k = d->n; k-- > 0;)
		if (d->list[k]->counters == 0)
			drop(d, k);
	return true;
}

/* A generic access is one of LDS or of memory, as LLVM takes it where it knows; lanes of both make it neither. */
static void
decide_flat(const struct wave *w, struct pending *p)
{
	const struct watch *x = p->x;
	const struct access *a = x->op.access;
	bool lds = false, memory = false;
	for (u32 h = 0; h < w->halves; h++) {
		const u32 *v = (const u32 *)(const void *)(w->file + h * w->file_bytes + a->vaddr);
		for (u32 i = 0; i < LANES; i++) {
			u64 addr = (v[i] | (u64)v[LANES + i] << 32) + (u64)(i64)a->offset;
			bool on = w->s[S_EXEC + h] >> i & 1;
			lds |= on && addr >> 32 == EXEC_SHARED_BASE >> 32;
			memory |= on && addr >> 32 != EXEC_SHARED_BASE >> 32;
		}
	}
	if (memory && !lds) {
		p->counters &= (u8) ~(1u << C_DS);
		p->order = p->counters & 1u << C_STORE ? IN_STORES : IN_VMEM;
	} else if (lds && !memory) {
		p->counters = 1u << C_DS;
		p->order = IN_LDS;
	}
}

/* --- operations that the code gets ----------------------------------------------------------------------- */

static enum stop
issue(struct wave *w, const struct uop *o)
{
	const struct watch *x = watch_of(o);
	struct delay *d = w->delay;
	if (!check_uses(w, x))
		return STOP_FAULT;
	if (d->n == MOST) {
		d->list[0]->counters = 0;
		if (!settle(w))
			return STOP_FAULT;
	}
	struct pending *p = d->list[d->n];
	if (p == NULL)
		p = d->list[d->n] = malloc(sizeof(*p));
	if (p == NULL) {
		wave_fault(w, EXEC_FAULT_MEMORY, "no host memory");
		return STOP_FAULT;
	}
	d->n++;
	d->turns = 0;
	p->x = x;
	p->region = w->region;
	p->counters = x->counters;
	p->order = x->order;
	if (x->flat)
		decide_flat(w, p);
	p->done = x->act == ACT_COUNT;
	if (!p->done)
		keep(w, p);
	mark(d, x, 1);
	return STOP_NONE;
}

static enum stop
watch_one(struct wave *w, const struct uop *o)
{
	const struct watch *x = watch_of(o);
	struct delay *d = w->delay;
	if (!check_uses(w, x))
		return STOP_FAULT;
	if (x->act == ACT_WAIT) {
		for (u32 k = 0; k < COUNTERS; k++)
			if (x->wait[k] != NO_WAIT)
				wait_for(d, k, x->wait[k]);
		if (!settle(w))
			return STOP_FAULT;
	} else if (x->act == ACT_END && !happen_first(w, d->n)) {
		return STOP_FAULT;
	}
	return STOP_NONE;
}

bool
delay_is(const struct uop *o)
{
	return o->code == U_HELP &&
	       (o->help == watch_one || (o->help == issue && watch_of(o)->act == ACT_COUNT));
}

const struct uop *
delay_original(const struct uop *o)
{
	return o->code == U_HELP && o->help == issue && watch_of(o)->act == ACT_MEMORY
		       ? &watch_of(o)->op
		       : o;
}

bool
delay_holds(const struct wave *w)
{
	const struct delay *d = w->delay;
	for (u32 k = 0; d != NULL && k < d->n; k++)
		if (!d->list[k]->done)
			return true;
	return false;
}

/* --- an instruction ----------------------------------------------------------------------------------------- */

static void
add_span(struct watch *x, const struct gcn_operand *op)
{
	struct span *s;
	if (op->kind == GCN_VGPR || op->kind == GCN_AGPR) {
		i32 at = vector_at(op, 0);
		if (at < 0)
			return;
		s = &x->v[x->nv++];
		*s = (struct span){.at = (u16)(at / ROW), .n = op->n};
		s->part = op->half == GCN_LO ? PART_LO : op->half == GCN_HI ? PART_HI : PART_ALL;
	} else {
		int at = scalar_src(op);
		if (at < 0 || at >= S_M0)
			return;
		s = &x->s[x->ns++];
		*s = (struct span){.at = (u16)at, .n = op->n, .part = PART_ALL};
	}
}

static void
add_spans(struct watch *x, const struct gcn_inst *i)
{
	static const struct gcn_operand vcc = {.kind = GCN_SPECIAL, .n = 2, .reg = GCN_VCC};
	for (u32 k = 0; k < i->nops; k++)
		add_span(x, &i->op[k]);
	bool half = str_starts(i->name, "v_dual_cndmask"); /* does not print it */
	if (half || str_starts(i->name, "v_div_fmas") || str_starts(i->name, "s_cbranch_vcc"))
		add_span(x, &vcc);
}

/* The first operand is what memory writes; a store has none, nor has a load into LDS. */
static bool
has_result(const struct access *a)
{
	return a == NULL || (a->rare != RARE_LDS && !a->store && (!a->atomic || a->ret));
}

/* From gfx11 on the halves of a register have names, and sub-dword accesses are of one half. */
static void
narrow(struct watch *x, const struct access *a, u32 major)
{
	u32 k = a->store && a->space != SPACE_BUFFER ? x->nv - 1u : 0;
	bool half = a->store ? a->bytes < 4 : a->d16;
	if (major >= 11 && half && !a->atomic && k < x->nv)
		x->v[k].part = a->hi ? PART_HI : PART_LO;
}

static void
watch_memory(struct watch *x, const struct access *a, u32 major)
{
	bool answers = has_result(a);
	u8 space = a == NULL ? SPACE_SCALAR : a->space;
	x->act = ACT_MEMORY;
	if (space == SPACE_SCALAR) {
		x->counters = (u8)(1u << (major >= 12 ? C_KM : C_DS));
		x->order = IN_NONE;
	} else if (space == SPACE_DS) {
		x->counters = 1u << C_DS;
		x->order = IN_LDS;
	} else {
		bool store = (a->store || a->atomic) && !answers && major >= 10;
		x->counters = (u8)(1u << (store ? C_STORE : C_LOAD));
		x->order = store ? IN_STORES : IN_VMEM;
		x->flat = space == SPACE_FLAT;
	}
	if (x->flat) {
		x->counters |= 1u << C_DS;
		x->order = IN_NONE;
	}
	if (a != NULL && space != SPACE_SCALAR)
		narrow(x, a, major);
	if (answers && space == SPACE_SCALAR)
		x->s[0].write = x->ns > 0;
	else if (answers)
		x->v[0].write = x->nv > 0;
}

/* Cache control that waits count, as LLVM does: write-back from gfx90a on, all of it on gfx12. */
static void
counts(struct watch *x, struct str name, u32 major)
{
	bool inv = major >= 12 && str_is(name, "global_inv");
	bool wb = major >= 12 && str_starts(name, "global_wb");
	if (!inv && !wb && !str_is(name, "buffer_wbl2"))
		return;
	x->act = ACT_COUNT;
	x->counters = (u8)(1u << (wb ? C_STORE : C_LOAD));
	x->order = wb ? IN_STORES : IN_VMEM;
}

static void
waits(struct watch *x, const struct gcn_inst *i, u32 major)
{
	static const struct {
		const char *name;
		u8 load, store, ds, km; /* where the number starts in the operand, plus 1 */
	} names[] = {
		{"s_waitcnt_vmcnt", 1, 0, 0, 0},
		{"s_waitcnt_vscnt", 0, 1, 0, 0},
		{"s_waitcnt_lgkmcnt", 0, 0, 1, 0},
		{"s_wait_loadcnt", 1, 0, 0, 0},
		{"s_wait_storecnt", 0, 1, 0, 0},
		{"s_wait_dscnt", 0, 0, 1, 0},
		{"s_wait_kmcnt", 0, 0, 0, 1},
		{"s_wait_loadcnt_dscnt", 9, 0, 1, 0},
		{"s_wait_storecnt_dscnt", 0, 9, 1, 0},
	};
	u32 imm = i->nops ? (u32)i->op[i->nops - 1].imm : 0;
	x->act = ACT_WAIT;
	if (str_is(i->name, "s_wait_idle"))
		memset(x->wait, 0, sizeof(x->wait));
	if (str_is(i->name, "s_waitcnt")) {
		u32 vm = major >= 11 ? imm >> 10 & 63 : (imm & 15) | (imm >> 14 & 3) << 4;
		u32 lgkm = major >= 11   ? imm >> 4 & 63
			   : major == 10 ? imm >> 8 & 63
					 : imm >> 8 & 15;
		x->wait[C_LOAD] = (u8)vm;
		x->wait[C_DS] = (u8)lgkm;
	}
	for (u32 k = 0; k < COUNT(names); k++)
		if (str_is(i->name, names[k].name)) {
			const u8 from[COUNTERS] = {
				names[k].load, names[k].store, names[k].ds, names[k].km};
			for (u32 c = 0; c < COUNTERS; c++)
				if (from[c])
					x->wait[c] = imm >> (from[c] - 1) & 63;
		}
}

void
delay_instruction(struct block *b, const struct gcn_inst *i, size_t first)
{
	struct uop *last = b->n > first ? &b->p[b->n - 1] : NULL;
	u32 major = b->e->target->major;
	if (b->failed || (last != NULL && last->code == U_BAD))
		return;
	struct watch *x = ARENA_NEW(&b->r->arena, struct watch, 1);
	if (x == NULL) {
		b->failed = true;
		return;
	}
	memset(x, 0, sizeof(*x));
	memset(x->wait, NO_WAIT, sizeof(x->wait));
	x->text = arena_strdup(&b->r->arena, i->text);
	add_spans(x, i);
	if (i->dual != NULL)
		add_spans(x, i->dual);
	const struct row *row = row_of(b->e, i);
	bool memory = row != NULL && row->kind == ROW_MEM;
	bool message = str_starts(i->name, "s_mem") || str_starts(i->name, "s_sendmsg_rtn");
	bool crossbar = row != NULL && row->kind == ROW_HELP && str_starts(i->name, "ds_");
	if (str_starts(i->name, "s_wait"))
		waits(x, i, major);
	else if (str_starts(i->name, "s_endpgm") || str_is(i->name, "s_trap") ||
		 str_is(i->name, "s_sethalt"))
		x->act = ACT_END; /* what was issued happens */
	if (memory || message || crossbar) {
		static const struct access lds = {.space = SPACE_DS};
		x->op = *last;
		watch_memory(x, memory ? last->access : crossbar ? &lds : NULL, major);
	} else {
		counts(x, i->name, major);
		last = block_insert(b, first);
	}
	if (last == NULL || x->text == NULL) {
		b->failed = true;
		return;
	}
	bool later = x->act == ACT_MEMORY || x->act == ACT_COUNT;
	memset(last->src, 0, sizeof(last->src));
	last->code = U_HELP;
	last->help = later ? issue : watch_one;
	last->fp = 0;
	last->k[0] = (u64)(uintptr_t)x; /* and leaves `access` for count.c */
}

/* --- life ------------------------------------------------------------------------------------------------- */

bool
delay_new(struct wave *w)
{
	w->delay = calloc(1, sizeof(*w->delay));
	return w->delay != NULL;
}

void
delay_reset(struct wave *w)
{
	struct delay *d = w->delay;
	d->n = d->turns = 0;
	memset(d->lo, 0, sizeof(d->lo));
	memset(d->hi, 0, sizeof(d->hi));
	memset(d->s, 0, sizeof(d->s));
}

void
delay_free(struct wave *w)
{
	struct delay *d = w->delay;
	for (u32 k = 0; d != NULL && k < MOST; k++)
		free(d->list[k]);
	free(d);
	w->delay = NULL;
}

bool
delay_tick(struct wave *w)
{
	struct delay *d = w->delay;
	if (w->ended || d->n == 0 || ++d->turns < PATIENCE)
		return true;
	return happen_first(w, d->n);
}
