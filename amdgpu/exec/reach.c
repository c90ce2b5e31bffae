/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * reach.c - refuses a kernel before it starts when it can reach an instruction that the executor lacks. From the
 * kernel's entry all code is decoded that branches and calls lead to; a call's target is known where the block
 * computes it from s_getpc, as compilers do for every function they can name. Functions behind pointers are
 * not followed: there, and for words that are no instruction at all, the fault comes when they are reached.
 * A place is looked at once; what follows a call of a function that never returns is not reached.
 */
#include "amdgpu/exec/wave.h"
#include <stdio.h>
#include <stdlib.h>

struct function {
	u64 entry; /* byte offsets in the region, as everywhere here */
	bool returns; /* assumed while it is being looked at */
};

struct reach {
	struct exec *e;
	struct region *r;
	u8 *seen; /* a bit a dword */
	VEC(struct function) functions;
	const struct uop *bad;
	struct exec_fault *f;
	bool failed;
};

/* What scalar registers hold within one stretch of code: offsets from s_getpc on. */
enum { KNOWN = 8 };
struct known {
	struct {
		u32 reg;
		i64 low, high; /* parts of the offset, once added */
		bool live, added;
	} v[KNOWN];
};

static void
forget(struct known *k, u32 from, u32 n)
{
	for (u32 i = 0; i < KNOWN; i++)
		if (k->v[i].live && k->v[i].reg < from + n && from < k->v[i].reg + 2)
			k->v[i].live = false;
}

static int
find(const struct known *k, u32 reg)
{
	for (int i = 0; i < KNOWN; i++)
		if (k->v[i].live && k->v[i].reg == reg)
			return i;
	return -1;
}

static void
learn(struct known *k, u32 reg, i64 offset, bool added)
{
	u32 i = 0;
	while (i < KNOWN && k->v[i].live)
		i++;
	i = i < KNOWN ? i : 0;
	k->v[i].reg = reg;
	k->v[i].low = offset;
	k->v[i].high = 0;
	k->v[i].added = added;
	k->v[i].live = true;
}

/* s_getpc_b64 s[n:n+1]; s_add_u32 sn, sn, low; s_addc_u32 sn+1, sn+1, high: the 64-bit sum, with its carry */
static void
follow(struct known *k, const struct uop *o)
{
	int i = o->code == U_s_addc_u32 ? find(k, o->dst - 1) : find(k, o->dst);
	bool constant = o->src[1].imm != 0 && o->src[0].imm == 0 && o->src[0].at == o->dst;
	u64 value = o->src[1].imm ? o->k[o->src[1].imm - 1] : 0;
	if (count_is(o) || delay_is(o))
		return;
	switch (o->code) {
	case U_GETPC:
		forget(k, o->dst, 2);
		learn(k, o->dst, o->k[0], false);
		return;
	case U_s_add_u32:
		if (i >= 0 && constant && !k->v[i].added) {
			k->v[i].low += (i64)(i32)value; /* the sign is in the upper half, which must agree */
			k->v[i].high = (i32)value < 0 ? -1 : 0;
			k->v[i].added = true;
			return;
		}
		break;
	case U_s_addc_u32:
		if (i >= 0 && constant && k->v[i].added && (i32)value == k->v[i].high)
			return;
		break;
	case U_s_add_u64:
		if (i >= 0 && constant && !k->v[i].added) {
			k->v[i].low += (i64)value;
			k->v[i].added = true;
			return;
		}
		break;
	case U_s_mov_b64:
		i = o->src[0].imm ? -1 : find(k, o->src[0].at);
		forget(k, o->dst, 2);
		if (i >= 0 && k->v[i].added)
			learn(k, o->dst, k->v[i].low, true);
		return;
	default:
		break;
	}
	if (o->code > U_DUAL || o->code == U_HELP) /* scalar, or a helper that may write scalars */
		forget(k, o->dst, 16);
	else if (o->code >= U_VCARRY && o->code <= U_VX)
		forget(k, o->mask, 2);
}

static bool scan(struct reach *x, u64 from);

/* Whether a function returns; looks at it when it is new. */
static bool
call(struct reach *x, i64 to)
{
	if (to < 0 || (u64)to >= x->r->size || to % 4 != 0)
		return true;
	for (size_t i = 0; i < x->functions.n; i++)
		if (x->functions.p[i].entry == (u64)to)
			return x->functions.p[i].returns;
	size_t at = x->functions.n;
	if (!VEC_PUSH(&x->functions, ((struct function){(u64)to, true}))) {
		x->failed = true;
		return true;
	}
	bool returns = scan(x, (u64)to);
	x->functions.p[at].returns = returns;
	return returns;
}

/* One stretch until control certainly goes elsewhere; branches are put on the list. False: it may end by s_setpc. */
static bool
stretch(struct reach *x, u64 pc, u64 **list, size_t *n, size_t *cap)
{
	struct known known = {0};
	struct region *r;
	struct exec_fault unused = {0};
	const struct uop *o = code_at(x->e, x->r->base + pc, x->r->wave, &r, &unused);
	help_fn *trap = x->e->runner->help[R_s_trap];
	if (o == NULL || r != x->r) /* no code: a fault if it is ever reached */
		return true;
	for (u32 last = ~0u;; last = o++->pc) {
		bool next = true;
		i64 to = -1;
		u8 *seen = &x->seen[o->pc / 32], bit = (u8)(1u << o->pc / 4 % 8);
		if (o->code == U_BAD) {
			if (o->nd && x->bad == NULL)
				x->bad = o;
			return true;
		}
		if (o->code != U_GOTO) { /* which is no instruction: its pc is that of the next */
			if (*seen & bit && o->pc != last)
				return true;
			*seen |= bit;
		}
		switch ((enum code)o->code) {
		case U_GOTO:
		case U_BRANCH:
			next = false;
			to = o->to;
			break;
		case U_SCC0:
		case U_SCC1:
		case U_VCCZ:
		case U_VCCNZ:
		case U_EXECZ:
		case U_EXECNZ:
			to = o->to;
			break;
		case U_CALL:
			next = false;
			if (call(x, o->to))
				to = (i64)o->k[1];
			break;
		case U_SWAPPC: {
			int i = find(&known, o->src[0].at);
			next = false;
			if (i < 0 || !known.v[i].added || call(x, known.v[i].low))
				to = (i64)o->k[0];
			break;
		}
		case U_SETPC: {
			int i = find(&known, o->src[0].at); /* a tail call, or the return */
			return i >= 0 && known.v[i].added && !call(x, known.v[i].low);
		}
		case U_END:
			return true;
		case U_HELP:
			if (o->help == trap && (o->k[1] & 0xff) == 2)
				return true;
			break;
		default:
			break;
		}
		follow(&known, o);
		if (to >= 0 && (u64)to < x->r->size) {
			if (*n == *cap) {
				size_t more = *cap ? 2 * *cap : 64;
				u64 *p = realloc(*list, more * sizeof(*p));
				x->failed |= p == NULL;
				if (p == NULL)
					return true;
				*list = p;
				*cap = more;
			}
			(*list)[(*n)++] = (u64)to;
		}
		if (!next)
			return true;
	}
}

/* All of a function; whether it can return. */
static bool
scan(struct reach *x, u64 from)
{
	u64 *list = NULL;
	size_t n = 0, cap = 0;
	bool returns = !stretch(x, from, &list, &n, &cap);
	while (n > 0 && x->bad == NULL && !x->failed)
		returns |= !stretch(x, list[--n], &list, &n, &cap);
	free(list);
	return returns;
}

bool
reach_check(struct exec *e, u64 entry, u32 wave, struct exec_fault *f)
{
	struct region *r;
	struct exec_fault g = {0};
	struct reach x = {.e = e, .f = f};
	const struct uop *o = code_at(e, entry, wave, &r, &g);
	if (o == NULL) /* the first wave will find out the same */
		return true;
	pthread_mutex_lock(&e->code_lock);
	struct checked *c = r->checked;
	while (c != NULL && c->entry != entry)
		c = c->next;
	pthread_mutex_unlock(&e->code_lock);
	if (c == NULL) {
		x.r = r;
		x.seen = calloc(r->size / 32 + 1, 1);
		if (x.seen != NULL)
			scan(&x, entry - r->base);
		bool ok = x.seen != NULL && !x.failed;
		free(x.seen);
		free(x.functions.p);
		if (!ok) {
			f->kind = EXEC_FAULT_MEMORY;
			return false;
		}
		pthread_mutex_lock(&e->code_lock);
		c = ARENA_NEW(&r->arena, struct checked, 1);
		if (c != NULL) {
			*c = (struct checked){r->checked, entry, x.bad};
			r->checked = c;
		}
		pthread_mutex_unlock(&e->code_lock);
	} else {
		x.bad = c->bad;
	}
	if (x.bad == NULL)
		return true;
	f->kind = EXEC_FAULT_INSTRUCTION;
	f->pc = r->base + x.bad->pc;
	snprintf(f->what, sizeof(f->what), "not started: %s", x.bad->what);
	return false;
}
