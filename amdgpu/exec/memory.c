/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * memory.c - operands of memory instructions. Their order depends on the address space:
 *   global flat   load: dst, vaddr[, saddr]   store: vaddr, data[, saddr]   atomic: [dst,] vaddr, data[, saddr]
 *   scratch       load: dst, vaddr, saddr     store: vaddr, data, saddr     (either may be "off")
 *   buffer        data, vaddr, V#, soffset    (a returning atomic overwrites data)
 *   ds            load: dst, addr   store: addr, data[, data]   atomic: [dst,] addr, data[, data]
 *   scalar        dst, base, offset
 */
#include "amdgpu/exec/wave.h"

static bool
flag(const struct gcn_inst *i, enum gcn_mod m)
{
	return gcn_has(i, m) && i->mod[m] != 0;
}

/* Whether an atomic returns the old value: glc on gfx9 to gfx11, sc0 on gfx94x, TH_ATOMIC_…RETURN on gfx12. */
static bool
returns(const struct gcn_inst *i)
{
	static const u8 th_return[] = {
		18, 20}; /* TH_ATOMIC_RETURN, TH_ATOMIC_NT_RETURN in text.c */
	if (gcn_has(i, GCN_MOD_th))
		for (u32 k = 0; k < COUNT(th_return); k++)
			if (i->mod[GCN_MOD_th] == th_return[k])
				return true;
	return flag(i, GCN_MOD_glc) || flag(i, GCN_MOD_sc0);
}

static bool
vaddr(struct access *a, const struct gcn_operand *op)
{
	if (op->kind == GCN_OFF)
		return true;
	i32 at = vector_at(op, 0);
	a->has_vaddr = true;
	a->vaddr = (u32)at;
	a->vaddr_n = op->n;
	return at >= 0;
}

static bool
saddr(struct access *a, const struct gcn_operand *op)
{
	if (op->kind == GCN_OFF)
		return true;
	int at = scalar_src(op);
	a->has_saddr = at != S_ZERO;
	a->saddr = (u32)at;
	return at >= 0;
}

static bool
data(u32 *where, const struct gcn_operand *op, u32 dwords)
{
	i32 at = vector_at(op, dwords);
	*where = (u32)at;
	return at >= 0;
}

/* Whether an atomic has a second operand: what to compare with, or a second value. */
static bool
two_operands(enum atomic op)
{
	return op == ATOMIC_CMPSWAP || op == ATOMIC_CMPSWAP_OLD || op >= ATOMIC_MSKOR;
}

/* Those without an address in a register: [dst or data][, saddr] */
static bool
addressless(const struct gcn_inst *i, struct access *a)
{
	u32 n = a->space == SPACE_DS ? 1 : 2;
	a->offset = i->mod[GCN_MOD_offset];
	return i->nops == n && !flag(i, GCN_MOD_gds) &&
	       data(a->store ? &a->data : &a->dst, &i->op[0], 1) &&
	       (n == 1 || saddr(a, &i->op[1]));
}

static bool
ds(const struct gcn_inst *i, struct access *a, const struct row *row)
{
	const struct gcn_operand *op = i->op, *end = op + i->nops;
	a->offset = i->mod[GCN_MOD_offset];
	if (a->two) {
		u32 unit = (u32)a->bytes * row->m[2];
		a->offset = i->mod[GCN_MOD_offset0] * (i32)unit;
		a->offset2 = i->mod[GCN_MOD_offset1] * (i32)unit;
		if (!a->atomic)
			a->bytes = 4;
	}
	u32 n = a->dwords;
	if (a->rare == RARE_CONDXCHG) /* like an atomic that returns */
		return i->nops == 3 && !flag(i, GCN_MOD_gds) && data(&a->dst, &op[0], n) &&
		       vaddr(a, &op[1]) && data(&a->data, &op[2], n);
	if (a->atomic)
		a->ret = i->name.n > 4 && (memmem(i->name.p, i->name.n, "_rtn", 4) != NULL);
	if (flag(i, GCN_MOD_gds))
		return false;
	if ((!a->store && !a->atomic) || a->ret)
		if (op == end || !data(&a->dst, op++, a->two ? 2 * n : n))
			return false;
	if (op == end || !vaddr(a, op++) || !a->has_vaddr)
		return false;
	if (a->store || a->atomic) {
		if (op == end || !data(&a->data, op++, n))
			return false;
		bool second = a->two || two_operands(a->atomic);
		if (second && (op == end || !data(&a->data2, op++, n)))
			return false;
	}
	return op == end;
}

static bool
flat(const struct gcn_inst *i, struct access *a)
{
	const struct gcn_operand *op = i->op, *end = op + i->nops;
	a->offset = i->mod[GCN_MOD_offset];
	if (flag(i, GCN_MOD_lds)) { /* gfx900 to gfx90a; later it is another name */
		if (a->store || a->atomic || a->d16 || a->space == SPACE_FLAT)
			return false;
		a->rare = RARE_LDS;
	}
	if (a->atomic)
		a->ret = returns(i);
	if (((!a->store && !a->atomic) || a->ret) && a->rare != RARE_LDS)
		if (op == end || !data(&a->dst, op++, a->dwords))
			return false;
	if (op == end || !vaddr(a, op++))
		return false;
	if (a->store || a->atomic) {
		bool cas = two_operands(a->atomic);
		if (op == end || !data(&a->data, op++, cas ? 2u * a->dwords : a->dwords))
			return false;
		if (cas)
			a->data2 = a->data + a->dwords * ROW;
	}
	if (op < end && !saddr(a, op++))
		return false;
	u32 want = a->has_saddr || a->space == SPACE_SCRATCH ? 1 : 2;
	return op == end && (!a->has_vaddr || a->vaddr_n == want);
}

static bool
buffer(const struct gcn_inst *i, struct access *a)
{
	bool lds = flag(i, GCN_MOD_lds); /* then no data is printed */
	const struct gcn_operand *op = i->op + !lds;
	if (i->nops != (lds ? 3 : 4) || flag(i, GCN_MOD_tfe))
		return false;
	if (lds && (a->store || a->atomic || a->d16))
		return false;
	a->rare = lds ? RARE_LDS : RARE_NONE;
	bool cas = two_operands(a->atomic);
	a->offset = i->mod[GCN_MOD_offset];
	a->offen = flag(i, GCN_MOD_offen);
	a->idxen = flag(i, GCN_MOD_idxen);
	if (a->atomic)
		a->ret = returns(i);
	if (!lds && !data(&a->data, &i->op[0], cas ? 2u * a->dwords : a->dwords))
		return false;
	if (!vaddr(a, &op[0]))
		return false;
	a->dst = a->data;
	if (cas)
		a->data2 = a->data + a->dwords * ROW;
	int at = scalar_src(&op[1]), off = scalar_src(&op[2]);
	u64 value = 0;
	a->saddr = (u32)at;
	a->soff = (u32)off;
	if (off < 0) {
		if (!constant(&op[2], T_u32, &value))
			return false;
		a->soff_const = true;
		a->soff = (u32)value;
	}
	return at >= 0 && op[1].n == 4 && a->has_vaddr == (a->offen || a->idxen);
}

static bool
scalar_load(const struct gcn_inst *i, struct access *a, struct uop *o)
{
	if (i->nops != 3)
		return false;
	int d = scalar_dst(&i->op[0]), base = scalar_src(&i->op[1]), off = scalar_src(&i->op[2]);
	u64 value = 0;
	a->offset = i->mod[GCN_MOD_offset];
	if (off >= 0) {
		a->soff = (u32)off;
	} else {
		if (!constant(&i->op[2], T_u32, &value))
			return false;
		a->soff_const = true;
		a->offset += (i32)i->op[2].imm; /* printed with its sign */
	}
	a->saddr = (u32)base;
	o->dst = (u32)d;
	a->idxen = str_starts(i->name, "s_buffer");
	return d >= 0 && base >= 0 && i->op[1].n == (a->idxen ? 4 : 2) &&
	       (d == S_SINK || i->op[0].n == a->dwords);
}

bool
translate_memory(struct block *b, const struct gcn_inst *i, const struct row *row)
{
	static const struct {
		const char *prefix;
		u8 space;
	} spaces[] = {
		{"global_", SPACE_GLOBAL},
		{"flat_", SPACE_FLAT},
		{"scratch_", SPACE_SCRATCH},
		{"buffer_", SPACE_BUFFER},
		{"ds_", SPACE_DS},
		{"s_", SPACE_SCALAR},
	};
	struct access *a = ARENA_NEW(&b->r->arena, struct access, 1);
	struct uop *o = block_add(b);
	if (a == NULL || o == NULL) {
		b->failed = true;
		return true;
	}
	u32 k = 0;
	while (!str_starts(i->name, spaces[k].prefix))
		k++;
	a->space = spaces[k].space;
	a->bytes = row->m[0];
	a->dwords = row->m[1];
	a->atomic = row->m[5];
	a->rare = row->m[6];
	a->two = memmem(row->text, strlen(row->text), "2addr", 5) != NULL;
	a->store = !a->atomic && memmem(row->text, strlen(row->text), "_store_", 7) != NULL;
	if (a->two) {
		a->bytes = row->m[0];
	} else {
		a->sign = row->m[2];
		a->d16 = row->m[3];
		a->hi = row->m[4];
	}
	o->code = U_HELP;
	o->help = b->e->runner->memory;
	o->access = a;
	bool ok, no_address = a->rare >= RARE_ADDTID && a->rare <= RARE_CONSUME;
	switch (no_address ? SPACE_KINDS : a->space) {
	case SPACE_KINDS:
		ok = addressless(i, a);
		break;
	case SPACE_DS:
		ok = ds(i, a, row);
		break;
	case SPACE_BUFFER:
		ok = buffer(i, a);
		break;
	case SPACE_SCALAR:
		ok = scalar_load(i, a, o);
		break;
	default:
		ok = flat(i, a);
	}
	bool plain = a->bytes == 4 && !a->atomic && a->has_vaddr && !a->rare;
	if (a->rare)
		o->help = b->e->runner->rare;
	if (a->atomic == ATOMIC_FADD || a->atomic == ATOMIC_FMIN || a->atomic == ATOMIC_FMAX)
		o->fp = a->bytes == 8 ? 2 : 1;
	else if (a->atomic == ATOMIC_PKADD_F16 || a->atomic == ATOMIC_PKADD_BF16)
		o->fp = a->atomic == ATOMIC_PKADD_F16 ? 2 : 1;
	if (b->e->config.aligned && a->space != SPACE_SCALAR) {
		a->align = a->bytes < 4 ? (u8)(a->bytes - 1) : 3;
		plain = false;
	}
	a->quick = plain && (a->space == SPACE_GLOBAL || a->space == SPACE_FLAT);
	if (plain && a->space == SPACE_DS) {
		o->code = U_LDS;
		o->nd = 1;
	}
	if (!ok)
		b->n--;
	return ok;
}
