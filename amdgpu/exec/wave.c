/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * wave.c - workgroups and their waves: memory for registers, LDS and scratch, and the registers as a
 * kernel finds them (AMDGPUUsage, "Initial Kernel Execution State"). User SGPRs come in the order of
 * kernel_code_properties; their number stands in rsrc2, and the system SGPRs follow it, so a kernel that
 * pads them (gfx11) needs no case of its own.
 */
#include "amdgpu/exec/wave.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#if WATCHED
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(p, n)   ((void)(p), (void)(n))
#define ASAN_UNPOISON_MEMORY_REGION(p, n) ((void)(p), (void)(n))
#endif

/* kernel_code_properties */
enum {
	PROP_PRIVATE_BUFFER = 1,
	PROP_DISPATCH_PTR = 2,
	PROP_QUEUE_PTR = 4,
	PROP_KERNARG = 8,
	PROP_DISPATCH_ID = 16,
	PROP_FLAT_SCRATCH = 32,
	PROP_PRIVATE_SIZE = 64
};

static u32
file_regs(const struct target *t)
{
	return t->major == 9 && t->step >= 8     ? FILE_REGS
	       : (t->major == 9 && t->minor > 0) ? FILE_REGS
						 : AGPR_BASE;
}

static bool
packed_ids(const struct target *t)
{
	return t->major >= 11 || (t->major == 9 && (t->minor > 0 || t->step == 10));
}

/* Waves start at different lines of the cache, so that the same register of each does not compete for one set. */
static size_t
skew(u32 wave)
{
	return wave % 16 * 17 * 64;
}

/* From one half's registers to the other's. */
static u64
file_bytes(const struct dispatch *d)
{
	return (u64)(file_regs(d->e->target) + WATCHED) * ROW;
}

static size_t
wave_bytes(const struct dispatch *d)
{
	u64 n = file_bytes(d) * (d->wave_size / LANES) + (u64)d->scratch_bytes * d->wave_size;
	return (n + skew(15) + WATCHED * ROW + 4095) & ~4095ull;
}

/* Between the files, and from the end of the scratch to the next wave's files. */
static void
watch(const struct wave *w, const u8 *next)
{
	for (u32 h = 0; h < w->halves; h++)
		ASAN_POISON_MEMORY_REGION(w->file + (h + 1) * w->file_bytes - ROW, ROW);
	u8 *end = w->scratch + (u64)w->scratch_bytes * w->halves * LANES;
	ASAN_POISON_MEMORY_REGION(end, (size_t)(next - end));
}

/* --- memory of workgroups, kept from one dispatch to the next: the pages are there already ---------- */

struct spare {
	struct spare *next;
	size_t n;
};

enum { SPARE_MOST = 64 << 20 };

static u8 *
memory_take(struct exec *e, size_t n)
{
	pthread_mutex_lock(&e->spare_lock);
	for (struct spare **p = &e->spares; *p != NULL; p = &(*p)->next)
		if ((*p)->n == n) {
			struct spare *s = *p;
			*p = s->next;
			e->spare_bytes -= n;
			pthread_mutex_unlock(&e->spare_lock);
			return (u8 *)s;
		}
	pthread_mutex_unlock(&e->spare_lock);
	void *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
		-1, 0);
	return p == MAP_FAILED ? NULL : p;
}

static void
memory_give(struct exec *e, u8 *p, size_t n)
{
	struct spare *s = (struct spare *)(void *)p;
	ASAN_UNPOISON_MEMORY_REGION(p, n);
	pthread_mutex_lock(&e->spare_lock);
	bool keep = e->spare_bytes + n <= SPARE_MOST;
	if (keep) {
		*s = (struct spare){e->spares, n};
		e->spares = s;
		e->spare_bytes += n;
	}
	pthread_mutex_unlock(&e->spare_lock);
	if (!keep)
		munmap(p, n);
}

void
groups_fini(struct exec *e)
{
	while (e->spares != NULL) {
		struct spare *s = e->spares;
		e->spares = s->next;
		munmap(s, s->n);
	}
	pthread_mutex_destroy(&e->spare_lock);
}

struct group *
group_new(struct dispatch *d, u64 number)
{
	struct group *g = calloc(1, sizeof(*g));
	if (g == NULL)
		return NULL;
	bool ok = true;
	g->dispatch = d;
	g->nwaves = d->waves;
	g->lds_bytes = d->lds_bytes;
	g->lds = calloc(1, d->lds_bytes + (WATCHED ? 1 : 64));
	g->wave = aligned_alloc(64, (sizeof(struct wave) * g->nwaves + 63) & ~(size_t)63);
	size_t each = wave_bytes(d);
	u8 *p = memory_take(d->e, each * g->nwaves);
	if (g->lds == NULL || g->wave == NULL || p == NULL) {
		if (p != NULL)
			memory_give(d->e, p, each * g->nwaves);
		free(g->wave);
		free(g->lds);
		free(g);
		return NULL;
	}
	for (u32 i = 0; i < g->nwaves; i++) {
		struct wave *w = &g->wave[i];
		memset(w, 0, sizeof(*w));
		w->group = g;
		w->index = i;
		w->file = p + each * i + skew(i);
		w->file_bytes = file_bytes(d);
		w->halves = (u8)(d->wave_size / LANES);
		w->scratch = w->file + w->file_bytes * w->halves;
		w->scratch_bytes = d->scratch_bytes;
		if (WATCHED)
			watch(w, p + each * (i + 1));
		ok = ok && (!d->e->config.delay || delay_new(w));
	}
	if (!ok || (d->counts != NULL && !count_group_new(g))) {
		group_free(g);
		return NULL;
	}
	group_reset(g, number);
	return g;
}

void
group_free(struct group *g)
{
	if (g == NULL)
		return;
	memory_give(g->dispatch->e, g->wave[0].file, wave_bytes(g->dispatch) * g->nwaves);
	for (u32 i = 0; i < g->nwaves; i++)
		delay_free(&g->wave[i]);
	free(g->counts);
	free(g->wave);
	free(g->lds);
	free(g);
}

static u32 *
put64(u32 *s, u64 v)
{
	s[0] = (u32)v;
	s[1] = (u32)(v >> 32);
	return s + 2;
}

/* The V# of scratch as ROCr fills it, and where the kernel's prologue adds its wave's offset (0 here). */
static u32 *
scratch_resource(u32 *s, const struct wave *w, const struct target *t)
{
	u64 base = (u64)(uintptr_t)w->scratch;
	s[0] = (u32)base;
	s[1] = (u32)(base >> 32 & 0xffff) | 1u << 31; /* swizzle enable */
	s[2] = w->scratch_bytes * w->halves * LANES;
	s[3] = t->major == 9 ? 1u << 23 | 3u << 21 | 1u << 19 | 4u << 15 : 1u << 23 | 2u << 28;
	return s + 4;
}

static void
sgprs(struct wave *w, struct group *g)
{
	const struct dispatch *d = g->dispatch;
	const struct target *t = d->e->target;
	u32 *s = w->s, users = d->rsrc2 >> 1 & 31;
	if (d->props & PROP_PRIVATE_BUFFER)
		s = scratch_resource(s, w, t);
	if (d->props & PROP_DISPATCH_PTR)
		s = put64(s, (u64)(uintptr_t)d->p);
	if (d->props & PROP_QUEUE_PTR)
		s = put64(s, d->queue);
	if (d->props & PROP_KERNARG)
		s = put64(s, d->kernarg);
	if (d->props & PROP_DISPATCH_ID)
		s = put64(s, 0);
	if (d->props &
		PROP_FLAT_SCRATCH) { /* gfx9: offset and size; absolute address from gfx10 on */
		if (t->major == 9) {
			*s++ = 0;
			*s++ = d->scratch_bytes;
		} else {
			s = put64(s, (u64)(uintptr_t)w->scratch);
		}
	}
	if (d->props & PROP_PRIVATE_SIZE)
		*s++ = d->scratch_bytes;
	s = w->s + users;
	if (t->major >= 12) {
		w->s[S_TTMP + 9] = g->id[0];
		w->s[S_TTMP + 7] = (g->id[1] & 0xffff) | g->id[2] << 16;
	} else {
		for (u32 k = 0; k < 3; k++)
			if (d->rsrc2 >> (7 + k) & 1)
				*s++ = g->id[k];
	}
	if (d->rsrc2 >> 10 & 1)
		*s++ = 0;
	if ((d->rsrc2 & 1) && !d->architected)
		*s++ = 0; /* the wave's offset: the base is the wave's own */
}

static void
vgprs(struct wave *w, struct group *g)
{
	const struct dispatch *d = g->dispatch;
	u32 n = w->halves * LANES, ids = d->rsrc2 >> 11 & 3;
	u32 first = w->index * n;
	u32 x = first % d->group[0], y = first / d->group[0] % d->group[1],
	    z = first / d->group[0] / d->group[1];
	u32 exec[2] = {0, 0};
	bool packed = packed_ids(d->e->target);
	for (u32 lane = 0; lane < n; lane++) {
		u32 h = lane / LANES, i = lane % LANES;
		u32 *v = (u32 *)(void *)(w->file + h * w->file_bytes);
		/* a partial workgroup keeps its shape: items beyond the grid are off */
		bool on = (first + lane < g->threads) & (x < g->size[0]) & (y < g->size[1]) &
			  (z < g->size[2]);
		exec[h] |= (u32)on << i;
		if (packed) {
			v[i] = x | y << 10 | z << 20;
		} else {
			v[i] = x;
			if (ids > 0)
				v[LANES + i] = y;
			if (ids > 1)
				v[2 * LANES + i] = z;
		}
		if (++x == d->group[0]) {
			x = 0;
			if (++y == d->group[1]) {
				y = 0;
				z++;
			}
		}
	}
	w->s[S_EXEC] |= exec[0];
	w->s[S_EXEC + 1] |= exec[1];
}

static void
wave_reset(struct wave *w, struct group *g)
{
	const struct dispatch *d = g->dispatch;
	w->ended = w->waiting = w->halted = w->stored = w->signalled = false;
	if (w->delay != NULL)
		delay_reset(w);
	memset(w->s, 0, sizeof(w->s));
	memset(w->hwreg, 0, sizeof(w->hwreg));
	/* registers that a kernel has: zero, so that a program that reads garbage does the same each time */
	u32 granule = d->e->target->granule,
	    used = ((d->rsrc1 & 63) + 1) * (granule > 8 ? 8 : granule);
	if (used > AGPR_BASE)
		used = AGPR_BASE;
	for (u32 h = 0; h < w->halves; h++) {
		memset(w->file + h * w->file_bytes, 0, (size_t)used * ROW);
		if (file_regs(d->e->target) > AGPR_BASE)
			memset(w->file + h * w->file_bytes + AGPR_BASE * ROW, 0,
				(size_t)used * ROW);
	}
	w->base[SRC_VGPR] = w->file;
	w->base[SRC_CONST] = d->e->pool;
	/* from gfx12 on clamping and minima are always as with the two bits set */
	bool always = d->e->target->major >= 12;
	wave_mode(w, (d->rsrc1 >> 12 & 0xff) | (always || d->rsrc1 >> 21 & 1 ? MODE_DX10_CLAMP : 0) |
			     (always || d->rsrc1 >> 23 & 1 ? MODE_IEEE : 0));
	sgprs(w, g);
	vgprs(w, g);
	w->load = w->store = (struct mem_near){0, 0};
	w->count = 0;
	w->region = NULL;
	w->pc = NULL;
	if (!(w->s[S_EXEC] | w->s[S_EXEC + 1]))
		w->ended = true;
}

void
group_reset(struct group *g, u64 number)
{
	const struct dispatch *d = g->dispatch;
	g->id[0] = (u32)(number % d->groups[0]);
	g->id[1] = (u32)(number / d->groups[0] % d->groups[1]);
	g->id[2] = (u32)(number / d->groups[0] / d->groups[1]);
	g->threads = d->group[0] * d->group[1] * d->group[2];
	for (int k = 0; k < 3; k++) {
		u64 left = (u64)d->grid[k] - (u64)g->id[k] * d->group[k];
		g->size[k] = left < d->group[k] ? (u32)left : d->group[k];
	}
	memset(g->lds, 0, g->lds_bytes);
	g->alive = g->arrived = g->barriers = 0;
	for (u32 i = 0; i < g->nwaves; i++) {
		wave_reset(&g->wave[i], g);
		g->alive += !g->wave[i].ended;
	}
}

void
wave_mode(struct wave *w, u32 mode)
{
	w->mode = mode;
	/* AMD: 0 nearest, 1 up, 2 down, 3 to zero; MXCSR: 0 nearest, 1 down, 2 up, 3 to zero */
	static const u8 round[4] = {0, 2, 1, 3};
	for (u32 k = 0; k < 2; k++) {
		u32 r = mode >> 2 * k & 3, den = mode >> (4 + 2 * k) & 3;
		w->csr[1 + k] = 0x1f80u | (u32)round[r] << 13 | (den & 1 ? 0 : 1u << 6) |
				(den & 2 ? 0 : 1u << 15);
	}
	w->csr[0] = 0x1f80;
	u32 den16 = mode >> 6 & 3;
	w->odd = (u8)((den16 & 1 ? 0 : ODD_FLUSH_IN) | (den16 & 2 ? 0 : ODD_FLUSH_OUT) |
		      (mode & MODE_IEEE ? 0 : ODD_NOT_IEEE));
	w->moded = w->csr[1] != 0x1f80 || w->csr[2] != 0x1f80 || w->odd;
}

bool
wave_fault(struct wave *w, enum exec_fault_kind kind, const char *fmt, ...)
{
	struct exec_fault *f = w->fault;
	const struct dispatch *d = w->group->dispatch;
	if (f->kind == EXEC_FAULT_NONE)
		f->kind = kind;
	f->pc = w->region != NULL && w->pc != NULL ? w->region->base + w->pc->pc : f->pc;
	memcpy(f->block, w->group->id, sizeof(f->block));
	if (fmt != NULL) {
		va_list ap;
		va_start(ap, fmt);
		vsnprintf(f->what, sizeof(f->what), fmt, ap);
		va_end(ap);
	}
	if (f->thread[0] == ~0u) { /* nobody said which lane: the first active one */
		u64 exec = w->s[S_EXEC] | (w->halves == 2 ? (u64)w->s[S_EXEC + 1] << 32 : 0);
		f->thread[0] =
			w->index * w->halves * LANES + (exec ? (u32)__builtin_ctzll(exec) : 0);
	}
	u32 flat = f->thread[0];
	f->thread[0] = flat % d->group[0];
	f->thread[1] = flat / d->group[0] % d->group[1];
	f->thread[2] = flat / d->group[0] / d->group[1];
	return false;
}
