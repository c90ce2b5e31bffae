/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * stuck.c - workgroups that never go on, as far as that can be known.
 *
 * A wave that waits at the barrier, or is halted, goes on only by what other waves of its workgroup do. So
 * a workgroup of nothing but such waves is dead.
 *
 * Other waves are run on, block by block, for a while. If a wave comes back to the place where it was with
 * all registers as they were, it polls. What it saw decides:
 *
 *   memory of the device, a clock     others can change that, the host too: it polls, and no more is known
 *   registers, its own scratch, LDS   nobody but the workgroup's waves changes LDS; if they all poll like
 *                                     this and leave LDS as it is, the workgroup is dead
 *
 * LDS is as it was when none of the operations stores there, and the atomics (a lock that is taken already)
 * write what was there: LDS is compared after each block that has one atomic; with two of them in a block, the
 * second could undo the first, and the wave only polls.
 */
#include "amdgpu/exec/wave.h"
#include <stdio.h>
#include <stdlib.h>

enum { STEPS = 1000 }; /* blocks that a wave may take to come back */

/* What an operation can see or change besides registers. */
enum effect { EFFECT_NONE, EFFECT_LDS_ATOMIC, EFFECT_STORE, EFFECT_OTHERS };

static enum effect
effect_of_access(const struct access *a)
{
	bool writes = a->store || a->atomic;
	if (a->space == SPACE_DS)
		return a->store ? EFFECT_STORE : a->atomic ? EFFECT_LDS_ATOMIC : EFFECT_NONE;
	if (a->space == SPACE_SCRATCH)
		return writes ? EFFECT_STORE : EFFECT_NONE;
	return EFFECT_OTHERS;
}

static enum effect
effect_of(const struct exec *e, const struct uop *o)
{
	static const u16 lanes[] = {R_v_readlane_b32, R_v_readfirstlane_b32, R_v_writelane_b32,
		R_v_mbcnt_lo_u32_b32, R_v_mbcnt_hi_u32_b32, R_v_permlane16_b32, R_v_permlanex16_b32,
		R_v_permlane64_b32, R_v_swap_b32, R_ds_bpermute_b32, R_ds_permute_b32,
		R_ds_swizzle_b32};
	if (count_is(o) || delay_is(o) || (o->code != U_HELP && o->code != U_LDS))
		return EFFECT_NONE;
	o = delay_original(o);
	if (o->help == e->runner->memory)
		return effect_of_access(o->access);
	for (u32 k = 0; k < COUNT(lanes); k++)
		if (o->help == e->runner->help[lanes[k]])
			return EFFECT_NONE;
	return EFFECT_OTHERS; /* clocks, state of the wave, rare accesses */
}

static size_t
registers_bytes(const struct wave *w)
{
	return (w->file_bytes - WATCHED * ROW) * w->halves;
}

static void
registers_copy(const struct wave *w, u8 *to)
{
	size_t n = w->file_bytes - WATCHED * ROW;
	for (u32 h = 0; h < w->halves; h++)
		memcpy(to + h * n, w->file + h * w->file_bytes, n);
}

static bool
registers_same(const struct wave *w, const u8 *as)
{
	size_t n = w->file_bytes - WATCHED * ROW;
	for (u32 h = 0; h < w->halves; h++)
		if (memcmp(as + h * n, w->file + h * w->file_bytes, n) != 0)
			return false;
	return true;
}

static bool
snapshot_room(struct snapshot *shot, const struct wave *w)
{
	size_t n = registers_bytes(w) + w->group->lds_bytes;
	if (n <= shot->n)
		return true;
	u8 *p = realloc(shot->p, n);
	if (p == NULL)
		return false;
	shot->p = p;
	shot->n = n;
	return true;
}

/* The block that is to be run ends with a jump elsewhere that is no instruction: steps over it. */
static void
skip_gotos(struct wave *w)
{
	while (w->pc->code == U_GOTO) {
		const struct uop *to = atomic_load_explicit(
			&((struct uop *)(uintptr_t)w->pc)->target, memory_order_acquire);
		if (to == NULL)
			return;
		w->pc = to;
	}
}

/* Adds what the n operations from `o` on do to *seen; false: they may have changed LDS and hidden it. */
static bool
scan(const struct exec *e, const struct uop *o, u64 n, enum effect *seen, u32 *atomics)
{
	for (; n > 0; n--, o++) {
		enum effect x = effect_of(e, o);
		*atomics += x == EFFECT_LDS_ATOMIC;
		if (x > *seen)
			*seen = x;
	}
	return *atomics < 2;
}

static enum stuck
stuck_wave(struct share *s, struct group *g, struct wave *w, struct snapshot *shot)
{
	const struct exec *e = g->dispatch->e;
	if (w->pc == NULL || !snapshot_room(shot, w))
		return STUCK_NOT;
	skip_gotos(w);
	const struct uop *start = w->pc;
	u32 scalars[S_SINK], mode = w->mode;
	u8 *lds = shot->p + registers_bytes(w);
	memcpy(scalars, w->s, sizeof(scalars));
	registers_copy(w, shot->p);
	memcpy(lds, g->lds, g->lds_bytes);
	enum effect seen = EFFECT_NONE;
	for (u32 k = 0; k < STEPS; k++) {
		const struct uop *from = w->pc;
		u64 before = w->count;
		u32 atomics = 0;
		enum stop stop = wave_turn(s, g, w, 1);
		if ((stop != STOP_QUANTUM && stop != STOP_SLEEP) || w->halted)
			return STUCK_NOT;
		if (!scan(e, from, w->count - before, &seen, &atomics) ||
			(atomics && memcmp(lds, g->lds, g->lds_bytes) != 0))
			seen = EFFECT_OTHERS;
		skip_gotos(w);
		if (w->pc == start && mode == w->mode &&
			memcmp(scalars, w->s, sizeof(scalars)) == 0 &&
			registers_same(w, shot->p))
			return seen >= EFFECT_STORE ? STUCK_POLLS : STUCK_DEAD;
	}
	return STUCK_NOT;
}

bool
group_waits(const struct group *g)
{
	for (u32 i = 0; i < g->nwaves; i++)
		if (!g->wave[i].ended && !g->wave[i].waiting && !g->wave[i].halted)
			return false;
	return true;
}

enum stuck
stuck_group(struct share *s, struct group *g, struct snapshot *shot)
{
	enum stuck all = STUCK_DEAD;
	shot->polls = NULL;
	for (u32 i = 0; i < g->nwaves; i++) {
		struct wave *w = &g->wave[i];
		if (w->waiting && delay_holds(w))
			return STUCK_NOT; /* its stores may free the others */
		if (w->ended || w->waiting || w->halted)
			continue;
		enum stuck one = stuck_wave(s, g, w, shot);
		if (one == STUCK_NOT)
			return STUCK_NOT;
		if (one < all)
			all = one;
		if (shot->polls == NULL || one == STUCK_POLLS)
			shot->polls = w;
	}
	return all;
}

void
stuck_describe(struct group *g, enum stuck how, const struct wave *polls, struct exec_fault *f)
{
	u32 halted = 0, waiting = 0;
	struct wave *w = NULL;
	for (u32 i = 0; i < g->nwaves; i++) {
		struct wave *x = &g->wave[i];
		if (x->ended)
			continue;
		halted += x->halted;
		waiting += !x->halted && x->waiting;
		if (polls == NULL && (w == NULL || (w->halted && !x->halted)))
			w = x; /* rather one at the barrier */
		if (x == polls)
			w = x;
	}
	struct exec_fault *old = w->fault;
	const struct uop *pc = w->pc;
	*f = (struct exec_fault){.thread[0] = ~0u};
	w->fault = f;
	if (polls == NULL)
		w->pc--; /* the barrier, not what follows it */
	u32 n = g->alive;
	if (how == STUCK_POLLS)
		wave_fault(w, EXEC_FAULT_DEADLOCK, NULL);
	else if (polls != NULL)
		wave_fault(w, EXEC_FAULT_DEADLOCK,
			"a warp waits for shared memory that no warp of its block will change");
	else if (waiting == 0)
		wave_fault(w, EXEC_FAULT_DEADLOCK, "all of its block's %u warps are halted", n);
	else if (halted == 0)
		wave_fault(w, EXEC_FAULT_DEADLOCK,
			"all of its block's %u warps wait at a barrier where not all of them have arrived", n);
	else
		wave_fault(w, EXEC_FAULT_DEADLOCK,
			"%u of its block's %u warps wait at a barrier, %u are halted", waiting, n, halted);
	w->fault = old;
	w->pc = pc;
}
