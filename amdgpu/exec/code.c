/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * code.c - turns machine code into micro-operations when it is first reached.
 *
 * A region is one interval of executable memory; region->at[] knows for every dword that starts an
 * instruction the operation it became. code_at decodes from a pc to the next unconditional end, or to
 * something already decoded, where it adds a jump there; the block is published entry by entry when it
 * is complete, so readers need no lock. Waits, delays and other no-ops leave nothing behind: their pc maps
 * to what follows. Words that are no instruction become U_BAD: an error only if they are reached.
 */
#include "amdgpu/exec/wave.h"
#include <stdio.h>
#include <stdlib.h>

enum { BLOCK_MOST = 2048 }; /* instructions decoded at a time; in index mode some more */

struct uop *
block_add(struct block *b)
{
	if (b->n == b->cap) {
		size_t cap = b->cap ? 2 * b->cap : 64;
		struct uop *p = realloc(b->p, cap * sizeof(*p));
		if (p == NULL) {
			b->failed = true;
			b->n = 0;
			if (b->p == NULL)
				return NULL;
		} else {
			b->p = p;
			b->cap = cap;
		}
	}
	struct uop *o = &b->p[b->n++];
	memset(o, 0, sizeof(*o));
	o->pc = (u32)(b->pc - b->r->base);
	return o;
}

struct uop *
block_insert(struct block *b, size_t at)
{
	struct uop *o = block_add(b), new;
	if (o == NULL || b->failed)
		return NULL;
	new = *o;
	memmove(&b->p[at + 1], &b->p[at], (b->n - 1 - at) * sizeof(*o));
	b->p[at] = new;
	return &b->p[at];
}

void
block_bad(struct block *b, const char *what)
{
	struct uop *o = block_add(b);
	if (o == NULL)
		return;
	o->code = U_BAD;
	o->what = arena_strdup(&b->r->arena, str_of(what));
	if (o->what == NULL)
		b->failed = true;
}

/* --- constants ------------------------------------------------------------------------------------- */

enum { POOL_SLOTS = 1 << 19, POOL_BYTES = POOL_SLOTS * ROW }; /* touched as they are used */

u32
pool_add(struct exec *e, u64 value, bool wide)
{
	u32 h = (u32)((value * 0x9e3779b97f4a7c15u) >> 40) + wide;
	for (u32 k = 0; k < POOL_SLOTS; k++) {
		u32 *slot = &e->pool_hash[(h + k) % POOL_SLOTS];
		if (*slot == 0) {
			size_t n = wide ? 2 * ROW : ROW;
			if (e->pool_used + n > POOL_BYTES)
				return ~0u;
			u32 *p = (u32 *)(void *)(e->pool + e->pool_used);
			for (u32 i = 0; i < LANES; i++) {
				p[i] = (u32)value;
				if (wide)
					p[LANES + i] = (u32)(value >> 32);
			}
			*slot = (u32)e->pool_used / ROW + 1;
			e->pool_used += n;
			return (*slot - 1) * ROW;
		}
		const u32 *p = (const u32 *)(const void *)(e->pool + (size_t)(*slot - 1) * ROW);
		/* a wide entry whose low half fits may serve a narrow one, not the other way round */
		size_t end = (size_t)(*slot + 1) * ROW;
		if (p[0] == (u32)value &&
			(!wide || (end <= e->pool_used && p[LANES] == (u32)(value >> 32))))
			return (*slot - 1) * ROW;
	}
	return ~0u;
}

/* --- regions ----------------------------------------------------------------------------------------- */

static struct region *
region_find(struct exec *e, u64 pc, u32 wave)
{
	for (struct region *r = e->regions; r != NULL; r = r->next)
		if (pc - r->base < r->size && r->wave == wave)
			return r;
	struct interval in;
	if (!space_find(e->space, pc, &in) || !(in.kind & EXEC_MEMORY_CODE))
		return NULL;
	struct region *r = calloc(1, sizeof(*r));
	if (r == NULL)
		return NULL;
	r->base = in.base;
	r->wave = wave;
	r->size = in.size;
	r->at = calloc(in.size / 4 + 1, sizeof(*r->at));
	if (r->at == NULL) {
		free(r);
		return NULL;
	}
	r->next = e->regions;
	e->regions = r;
	return r;
}

static void
region_free(struct region *r)
{
	arena_free(&r->arena);
	free(r->at);
	free(r);
}

void
exec_code_drop(struct exec *e, u64 base, u64 size)
{
	pthread_mutex_lock(&e->code_lock);
	for (struct region **p = &e->regions; *p != NULL;) {
		struct region *r = *p;
		if (r->base < base + size && base < r->base + r->size) {
			*p = r->next;
			region_free(r);
		} else {
			p = &r->next;
		}
	}
	pthread_mutex_unlock(&e->code_lock);
}

/* --- blocks -------------------------------------------------------------------------------------------- */

static void
decode_one(struct block *b, struct arena *scratch)
{
	struct region *r = b->r;
	u64 left = r->base + r->size - b->pc;
	const u8 *p = (const u8 *)(uintptr_t)b->pc;
	struct gcn_inst i;
	const char *why;
	memset(&i, 0, sizeof(i));
	if (!gcn_read(b->e->decoder[b->r->wave == 64], scratch, p, left < 64 ? (size_t)left : 64,
		    b->pc, &i, &why)) {
		char what[120];
		u32 word = 0;
		memcpy(&word, p, left < 4 ? (size_t)left : 4);
		snprintf(what, sizeof(what), "0x%08x: %s", word, why);
		block_bad(b, what);
		b->ended = true;
		return;
	}
	size_t first = b->n;
	translate(b, &i);
	if (b->e->config.delay)
		delay_instruction(b, &i, first);
	if (b->e->config.counters)
		count_instruction(b, &i, first);
	b->pc += i.bytes;
}

/* LDS accesses in a row whose lanes have one set of addresses: the first finds out how these lie for all. */
static void
lds_runs(struct block *b)
{
	for (size_t k = b->n; k-- > 1;) {
		struct uop *o = &b->p[k - 1];
		if (o[0].code != U_LDS || o[1].code != U_LDS || o[1].nd == 255)
			continue;
		const struct access *a = o[0].access, *next = o[1].access;
		u32 end = a->dst + a->dwords * (a->two ? 2u : 1u) * ROW;
		bool moved = !a->store && a->dst <= a->vaddr && a->vaddr < end;
		if (!moved && a->vaddr == next->vaddr && a->dwords == next->dwords)
			o[0].nd = o[1].nd + 1;
	}
}

/* Copies the block to its place and makes it known. */
static const struct uop *
publish(struct block *b, const u32 *start, const u64 *pcs, size_t count)
{
	struct region *r = b->r;
	lds_runs(b);
	struct uop *p = arena_alloc(&r->arena, b->n * sizeof(*p), 64);
	if (p == NULL || b->failed)
		return NULL;
	memcpy(p, b->p, b->n * sizeof(*p));
	for (size_t k = count; k-- > 0;)
		atomic_store_explicit(
			&r->at[(pcs[k] - r->base) / 4], &p[start[k]], memory_order_release);
	return p;
}

static const struct uop *
block_decode(struct exec *e, struct region *r, u64 pc)
{
	struct block b = {.e = e, .r = r, .pc = pc};
	struct arena scratch = {0};
	enum { ROOM = BLOCK_MOST + 64 };
	u32 start[ROOM];
	u64 pcs[ROOM];
	size_t count = 0;
	while (!b.ended && !b.failed) {
		bool outside = b.pc - r->base >= r->size, known = false;
		if (!outside)
			known = atomic_load(&r->at[(b.pc - r->base) / 4]) != NULL;
		if (outside || known || count == ROOM || (count >= BLOCK_MOST && !b.index_mode)) {
			struct uop *o = block_add(&b);
			if (o != NULL) {
				o->code = U_GOTO;
				o->to = (i64)(b.pc - r->base);
			}
			break;
		}
		start[count] = (u32)b.n;
		pcs[count++] = b.pc;
		decode_one(&b, &scratch);
	}
	arena_free(&scratch);
	const struct uop *p = b.failed ? NULL : publish(&b, start, pcs, count);
	free(b.p);
	return p;
}

const struct uop *
code_at(struct exec *e, u64 pc, u32 wave, struct region **region, struct exec_fault *f)
{
	const struct uop *o = NULL;
	f->addr = pc;
	f->pc = pc;
	pthread_mutex_lock(&e->code_lock);
	struct region *r = pc % 4 == 0 ? region_find(e, pc, wave) : NULL;
	const char *why = NULL;
	struct gcn_decoder **d = &e->decoder[wave == 64];
	if (r == NULL) {
		f->kind = EXEC_FAULT_PC;
		snprintf(f->what, sizeof(f->what), "no code at 0x%llx", (unsigned long long)pc);
	} else if (*d == NULL && (*d = gcn_decoder_new_wave(e->target, wave, &why)) == NULL) {
		f->kind = EXEC_FAULT_INSTRUCTION;
		snprintf(f->what, sizeof(f->what), "%s", why);
	} else {
		o = atomic_load(&r->at[(pc - r->base) / 4]);
		if (o == NULL)
			o = block_decode(e, r, pc);
		if (o == NULL)
			f->kind = EXEC_FAULT_MEMORY;
		*region = r;
	}
	pthread_mutex_unlock(&e->code_lock);
	return o;
}

/* --- life ---------------------------------------------------------------------------------------------- */

bool
code_init(struct exec *e)
{
	e->pool = aligned_alloc(64, POOL_BYTES);
	e->pool_hash = calloc(POOL_SLOTS, sizeof(*e->pool_hash));
	return e->pool != NULL && e->pool_hash != NULL && row_index(e);
}

void
code_fini(struct exec *e)
{
	while (e->regions != NULL) {
		struct region *r = e->regions;
		e->regions = r->next;
		region_free(r);
	}
	gcn_decoder_free(e->decoder[0]);
	gcn_decoder_free(e->decoder[1]);
	free(e->pool);
	free(e->pool_hash);
	free(e->index);
}
