/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * count.c - HEDDLE_COUNTERS: every instruction gets an operation before it that counts. Each workgroup has
 * counters of its own (one thread runs it); they join the launch's when it ends, so any number of host
 * threads gives the same numbers. Nothing of this stands in the code when the mode is off.
 *
 * Global memory: the distinct segments of 64 bytes that the active lanes of one instruction touch.
 *
 * LDS: 32 banks of 4 bytes on every target (LLVM's LDSBankCount). In one pass each bank serves one dword, to
 * any number of lanes. 32 lanes take part at once if each wants a dword, 16 if two, 8 if three or four; these
 * groups are what any addresses cost, and each further pass is a conflict. Atomics serve one lane a bank and
 * pass. An instruction with two addresses (ds_read2) is two such accesses.
 */
#include "amdgpu/exec/wave.h"
#include <stdlib.h>

enum { SEGMENT = 64, BANKS = 32 };

struct site { /* an instruction that is watched */
	u8 class; /* enum count_class */
	bool vector;
	const struct access *access; /* NULL: no memory */
};

static const bool is_vector[COUNT_CLASSES] = {
#define COUNTER(id, text, vector) vector,
#include "amdgpu/exec/count.def"
#undef COUNTER
};
static const char *const class_text[COUNT_CLASSES] = {
#define COUNTER(id, text, vector) text,
#include "amdgpu/exec/count.def"
#undef COUNTER
};

/* --- what an instruction is --------------------------------------------------------------------- */

static enum count_class
memory_class(const struct access *a)
{
	switch ((enum space_kind)a->space) {
	case SPACE_SCALAR:
		return COUNT_smem;
	case SPACE_DS:
		return a->atomic ? COUNT_lds_atomic : COUNT_lds;
	case SPACE_SCRATCH:
		return COUNT_scratch;
	default:
		return a->atomic ? COUNT_atomic : a->store ? COUNT_store : COUNT_load;
	}
}

static enum count_class
flow_class(struct str name)
{
	static const struct {
		const char *start;
		u8 class;
	} starts[] = {
		{"s_wait", COUNT_wait},
		{"s_branch", COUNT_branch},
		{"s_cbranch", COUNT_branch},
		{"s_setpc", COUNT_branch},
		{"s_swappc", COUNT_branch},
		{"s_call", COUNT_branch},
		{"s_barrier", COUNT_barrier},
		{"s_memtime", COUNT_smem},
		{"s_memrealtime", COUNT_smem},
		{"s_sendmsg_rtn", COUNT_smem},
		{"s_getpc", COUNT_salu},
		{"s_setreg", COUNT_salu},
		{"s_getreg", COUNT_salu},
		{"s_round_mode", COUNT_salu},
		{"s_denorm_mode", COUNT_salu},
		{"s_set_gpr_idx", COUNT_salu},
		{"s_movrel", COUNT_salu},
	};
	for (u32 k = 0; k < COUNT(starts); k++)
		if (str_starts(name, starts[k].start))
			return (enum count_class)starts[k].class;
	return COUNT_other;
}

const struct row *
row_of(struct exec *e, const struct gcn_inst *i)
{
	char buf[64];
	struct str name = i->name;
	if (str_starts(name, "v_cmpx_") && name.n <= sizeof(buf)) {
		memcpy(buf, "v_cmp_", 6);
		memcpy(buf + 6, name.p + 7, name.n - 7);
		name = (struct str){buf, name.n - 1};
	}
	return row_find(e, name);
}

static enum count_class
class_of(const struct row *row, struct str name, const struct access *a)
{
	switch ((enum row_kind)row->kind) {
	case ROW_SALU:
	case ROW_SFLOAT:
		return COUNT_salu;
	case ROW_VALU:
	case ROW_CMP:
	case ROW_WIDE:
		return COUNT_valu;
	case ROW_MATRIX:
		return COUNT_matrix;
	case ROW_HELP:
		return str_starts(name, "ds_") ? COUNT_lds : COUNT_valu;
	case ROW_MEM:
		return a != NULL ? memory_class(a) : COUNT_other;
	case ROW_NOP:
	case ROW_FLOW:
		break;
	}
	return flow_class(name);
}

/* --- memory ----------------------------------------------------------------------------------------- */

static u64
pair(const struct wave *w, u32 at)
{
	return w->s[at] | (u64)w->s[at + 1] << 32;
}

static const u32 *
row_at(const struct wave *w, u32 half, u32 at)
{
	return (const u32 *)(const void *)(w->file + half * w->file_bytes + at);
}

/* Lane addresses of a half; for buffers without the check of their range. */
static void
lane_addresses(const struct wave *w, const struct access *a, u32 half, i32 offset, u64 *addr)
{
	const u32 *v = a->has_vaddr ? row_at(w, half, a->vaddr) : NULL;
	u64 base = (u64)(i64)offset;
	if (a->space == SPACE_BUFFER) {
		const u32 *r = w->s + a->saddr;
		const u32 *off = a->offen ? v + (a->idxen ? LANES : 0) : NULL;
		base += (r[0] | (u64)(r[1] & 0xffff) << 32) +
			(a->soff_const ? a->soff : w->s[a->soff]);
		for (u32 i = 0; i < LANES; i++)
			addr[i] = base + (u64)(a->idxen ? v[i] : 0) * (r[1] >> 16 & 0x3fff) +
				  (off ? off[i] : 0);
		return;
	}
	if (a->has_saddr)
		base += pair(w, a->saddr);
	for (u32 i = 0; i < LANES; i++) {
		addr[i] = base + (v ? v[i] : 0) +
			  (v && a->vaddr_n == 2 ? (u64)v[LANES + i] << 32 : 0);
		if (a->space == SPACE_DS)
			addr[i] = (u32)addr[i];
	}
}

enum { SLOTS = 512 }; /* of a hash of segments: 64 lanes, at most 2 each, of two accesses */

/* How many segments the lanes touch that were not seen: an entry of the hash is its number + 1. */
static u32
segments_add(u64 *seen, const u64 *addr, u32 on, u32 n)
{
	u32 new = 0;
	u64 last = ~0ull; /* neighbours are mostly in one */
	for (; on; on &= on - 1) {
		u64 a = addr[__builtin_ctz(on)], end = (a + n - 1) / SEGMENT;
		for (u64 s = a / SEGMENT; s <= end; s++) {
			u32 at = (u32)(s * 0x9e3779b97f4a7c15u >> 40) % SLOTS;
			if (s == last)
				continue;
			while (seen[at] != 0 && seen[at] != s + 1)
				at = (at + 1) % SLOTS;
			new += seen[at] == 0;
			seen[at] = s + 1;
			last = s;
		}
	}
	return new;
}

/* Passes over the banks of up to 32 lanes that want `dwords` each, and those that are conflicts. */
static void
bank_passes(
	const u64 *addr, u32 on, u32 dwords, bool atomic, struct count_traffic *t, u64 *conflicts)
{
	u32 step = dwords == 1 ? 32 : dwords == 2 ? 16 : 8;
	u32 want[BANKS][LANES]; /* the dwords that a bank is asked for */
	for (u32 first = 0; first < LANES; first += step) {
		u8 count[BANKS] = {0};
		u32 most = 0;
		for (u32 i = first; i < first + step; i++)
			for (u32 k = 0; k < dwords && on >> i & 1; k++) {
				u32 dword = (u32)(addr[i] / 4) + k, bank = dword % BANKS, j = 0;
				while (j < count[bank] && want[bank][j] != dword)
					j++;
				if (j < count[bank] && !atomic)
					continue; /* the bank hands it to both */
				want[bank][count[bank]++] = dword;
				most = count[bank] > most ? count[bank] : most;
			}
		t->transactions += most;
		*conflicts += most > 1 ? most - 1 : 0;
	}
}

/* The active lanes of a generic access that are in LDS; *global: in global memory. */
static u32
split_flat(const u64 *addr, u32 on, u32 *global)
{
	u32 lds = 0;
	*global = 0;
	for (; on; on &= on - 1) {
		u32 i = (u32)__builtin_ctz(on);
		u64 high = addr[i] >> 32;
		if (high == EXEC_SHARED_BASE >> 32)
			lds |= 1u << i;
		else if (high != EXEC_PRIVATE_BASE >> 32)
			*global |= 1u << i;
	}
	return lds;
}

static void
count_access(struct wave *w, struct exec_counts *c, const struct access *a)
{
	u64 seen[SLOTS];
	u32 n = a->bytes == 4 ? 4u * a->dwords : a->bytes, lanes = 0;
	struct count_traffic *g = &c->global[a->atomic  ? COUNT_ATOMICS
					     : a->store ? COUNT_STORES
							: COUNT_LOADS];
	bool shared = false;
	if (a->space != SPACE_DS)
		memset(seen, 0, sizeof(seen));
	for (u32 h = 0; h < w->halves; h++)
		for (u32 t = 0; t < (a->two ? 2u : 1u); t++) {
			u64 addr[LANES];
			u32 on = w->s[S_EXEC + h], global = a->space == SPACE_DS ? 0 : on;
			u32 lds = a->space == SPACE_DS ? on : 0;
			lane_addresses(w, a, h, t ? a->offset2 : a->offset, addr);
			if (a->space == SPACE_FLAT)
				lds = split_flat(addr, on, &global);
			if (global != 0)
				g->transactions += segments_add(seen, addr, global, n);
			lanes += (u32)__builtin_popcount(global);
			if (lds == 0)
				continue;
			shared = true;
			c->lds.bytes += (u64)n * (u32)__builtin_popcount(lds);
			bank_passes(addr, lds, (n + 3) / 4, a->atomic != 0, &c->lds, &c->conflicts);
		}
	c->lds.accesses += shared;
	g->accesses += lanes != 0;
	g->bytes += (u64)n * lanes;
}

/* gfx9 and gfx10 reach scratch by a buffer that is swizzled. */
static bool
is_scratch(const struct wave *w, const struct access *a)
{
	return a->space == SPACE_BUFFER && w->s[a->saddr + 1] >> 31;
}

/* --- counting ------------------------------------------------------------------------------------------ */

static enum stop
count_one(struct wave *w, const struct uop *o)
{
	const struct site *s = (const struct site *)(uintptr_t)o->k[0];
	struct exec_counts *c = w->group->counts;
	bool scratch = s->access != NULL && is_scratch(w, s->access);
	c->n[scratch ? COUNT_scratch : s->class]++;
	if (!s->vector)
		return STOP_NONE;
	c->vector++;
	for (u32 h = 0; h < w->halves; h++)
		c->lanes += (u32)__builtin_popcount(w->s[S_EXEC + h]);
	if (s->access != NULL && !scratch)
		count_access(w, c, s->access);
	return STOP_NONE;
}

bool
count_is(const struct uop *o)
{
	return o->code == U_HELP && o->help == count_one;
}

void
count_instruction(struct block *b, const struct gcn_inst *i, size_t first)
{
	if (b->failed || (b->n == first + 1 && b->p[first].code == U_BAD))
		return;
	const struct row *row = row_of(b->e, i);
	const struct access *a = NULL;
	if (row != NULL && row->kind == ROW_MEM)
		a = b->p[b->n - 1].access;
	enum count_class class = COUNT_other;
	if (i->dual != NULL)
		class = COUNT_valu;
	else if (row != NULL)
		class = class_of(row, i->name, a);
	struct site *s = ARENA_NEW(&b->r->arena, struct site, 1);
	struct uop *o = block_insert(b, first);
	if (s == NULL || o == NULL) {
		b->failed = true;
		return;
	}
	bool addressed = class != COUNT_smem && class != COUNT_scratch && a != NULL &&
			 a->rare <= RARE_TR16_128; /* the others have none, or M0 */
	*s = (struct site){(u8) class, is_vector[class], addressed ? a : NULL};
	o->code = U_HELP;
	o->help = count_one;
	o->k[0] = (u64)(uintptr_t)s;
}

/* --- a launch -------------------------------------------------------------------------------------------- */

static void
sum(struct exec_counts *to, const struct exec_counts *c)
{
	to->launches += c->launches;
	to->groups += c->groups;
	to->waves += c->waves;
	for (u32 k = 0; k < COUNT_CLASSES; k++)
		to->n[k] += c->n[k];
	to->vector += c->vector;
	to->lanes += c->lanes;
	for (u32 k = 0; k <= COUNT_KINDS; k++) {
		struct count_traffic *t = k < COUNT_KINDS ? &to->global[k] : &to->lds;
		const struct count_traffic *s = k < COUNT_KINDS ? &c->global[k] : &c->lds;
		t->accesses += s->accesses;
		t->transactions += s->transactions;
		t->bytes += s->bytes;
	}
	to->conflicts += c->conflicts;
	to->barriers += c->barriers;
}

void
count_add(struct exec_counts *to, const struct exec_counts *one)
{
	struct exec_counts all = *one;
	struct exec_counts was = *to;
	sum(&all, &was);
	*to = all;
}

/* AMDGPUUsage, "Kernel Descriptor": what rsrc1 and rsrc3 say of registers. */
void
count_launch(struct exec_counts *c, const struct dispatch *d)
{
	const struct target *t = d->e->target;
	u32 vgprs = d->vgprs;
	memset(c, 0, sizeof(*c));
	c->wave = d->wave_size;
	c->group = d->group[0] * d->group[1] * d->group[2];
	c->vgprs = vgprs;
	c->sgprs = t->major == 9 ? ((d->rsrc1 >> 6 & 15) / 2 + 1) * 16 : 128;
	if (t->major == 9 && t->minor == 0 && t->step == 8) {
		c->agprs = vgprs; /* gfx908: as many of both */
	} else if (t->major == 9 && (t->minor > 0 || t->step == 10)) {
		u32 offset = ((d->rsrc3 & 63) + 1) * 4;
		c->agprs = vgprs > offset ? vgprs - offset : 0;
		c->vgprs = vgprs - c->agprs;
	}
	c->lds_bytes = d->lds_bytes;
	c->scratch_bytes = d->scratch_bytes;
	c->resident = d->cap / EXEC_CUS;
	c->launches = 1;
}

bool
count_group_new(struct group *g)
{
	g->counts = calloc(1, sizeof(*g->counts));
	return g->counts != NULL;
}

void
count_group_end(struct group *g)
{
	struct dispatch *d = g->dispatch;
	g->counts->groups = 1;
	g->counts->waves = g->nwaves;
	g->counts->barriers = g->barriers;
	pthread_mutex_lock(&d->lock);
	sum(d->counts, g->counts);
	pthread_mutex_unlock(&d->lock);
	memset(g->counts, 0, sizeof(*g->counts));
}

/* --- printing ------------------------------------------------------------------------------------------- */

static void
print_traffic(const char *what, const struct count_traffic *t, const char *unit)
{
	if (t->accesses == 0)
		return;
	sink_printf("  %-20s %12llu  %s, %.2f an access; %llu bytes asked for", what,
		(unsigned long long)t->transactions, unit,
		(double)t->transactions / (double)t->accesses, (unsigned long long)t->bytes);
}

void
count_print(const struct exec_counts *c, const char *kernel, const struct target *t)
{
	static const char *const kinds[COUNT_KINDS] = {
		"global load", "global store", "global atomic"};
	u64 all = 0;
	for (u32 k = 0; k < COUNT_CLASSES; k++)
		all += c->n[k];
	sink_printf("counters: %s on %s: launches %llu, blocks %llu of %u threads, waves %llu",
		kernel, t->name, (unsigned long long)c->launches, (unsigned long long)c->groups,
		c->group, (unsigned long long)c->waves);
	sink_printf("  %-20s %12llu", "instructions", (unsigned long long)all);
	for (u32 k = 0; k < COUNT_CLASSES; k++)
		if (c->n[k] != 0)
			sink_printf("    %-18s %12llu  %5.1f %%", class_text[k],
				(unsigned long long)c->n[k], 100 * (double)c->n[k] / (double)all);
	sink_printf("  %-20s %12.2f  of %u", "active lanes",
		c->vector ? (double)c->lanes / (double)c->vector : 0, c->wave);
	for (u32 k = 0; k < COUNT_KINDS; k++)
		print_traffic(kinds[k], &c->global[k], "segments of 64 bytes");
	print_traffic("shared memory", &c->lds, "passes over the banks");
	if (c->lds.accesses)
		sink_printf("  %-20s %12llu  of them", "bank conflicts",
			(unsigned long long)c->conflicts);
	sink_printf("  %-20s %12llu", "barriers", (unsigned long long)c->barriers);
	sink_printf("  %-20s %12u  VGPRs, %u AGPRs, %u SGPRs a wave", "registers", c->vgprs,
		c->agprs, c->sgprs);
	sink_printf("  %-20s %12u  bytes of shared memory a block, %u of local memory a thread",
		"memory", c->lds_bytes, c->scratch_bytes);
	u32 waves = (c->group + c->wave - 1) / c->wave * c->resident;
	sink_printf("  %-20s %12u  waves on a compute unit at once, of %u; %u blocks", "occupancy",
		waves, t->waves * (t->major >= 10 ? 2 : 4), c->resident);
}
