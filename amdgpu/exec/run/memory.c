/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * memory.c - loads, stores and atomics of one half-wave at a time. Addresses of the lanes are computed
 * first; then the shape of the accesses decides: lanes side by side are one check and one copy, lanes that
 * all read one place one load, and only the rest goes lane by lane. A lane's global address is checked
 * against the interval that was used last, then against the registry.
 *
 * Device memory is shared between host threads without locks; elements of up to 8 bytes that are aligned
 * are single accesses on the hosts we run on, which is what device code may rely on. Atomics on global
 * memory are host atomics (relaxed: waits in the code bring the fences); LDS and scratch belong to one
 * thread at a time and need none.
 */
#include "amdgpu/exec/run/buffer.h"
#include "amdgpu/exec/run/memory.h"
#include "amdgpu/exec/run/num.h"

#define ALL ~0u

/* --- where an address leads ------------------------------------------------------------------------------ */

static enum stop
fault_at(struct wave *w, const struct access *a, enum exec_fault_kind kind, u64 addr, u32 half,
	u32 lane, const char *what)
{
	w->fault->addr = addr;
	w->fault->size = a->space == SPACE_SCALAR ? 4u * a->dwords
						  : (u64)a->bytes * (a->bytes == 4 ? a->dwords : 1);
	w->fault->is_store = a->store;
	w->fault->is_atomic = a->atomic != 0;
	w->fault->thread[0] = (w->index * w->halves + half) * LANES + lane;
	wave_fault(w, kind, "%s", what);
	return STOP_FAULT;
}

u8 *
global_find(struct wave *w, u64 addr, u64 n, bool write)
{
	struct interval in;
	struct mem_near *near = w->near[write], *first = write ? &w->store : &w->load;
	for (u32 k = 0; k < NEAR; k++)
		if (addr - near[k].base < near[k].size && n <= near[k].size - (addr - near[k].base)) {
			*first = near[k];
			return (u8 *)(uintptr_t)addr;
		}
	if (!space_find(w->group->dispatch->e->space, addr, &in) || addr - in.base + n > in.size)
		return NULL;
	if (write && !(in.kind & EXEC_MEMORY_DATA))
		return NULL;
	memmove(near + 1, near, (NEAR - 1) * sizeof(*near));
	*first = near[0] = (struct mem_near){in.base, in.size};
	return (u8 *)(uintptr_t)addr;
}

/* --- one element ------------------------------------------------------------------------------------------- */

static inline u32
load_part(const u8 *p, const struct access *a)
{
	u16 h;
	u8 b;
	switch (a->bytes) {
	case 1:
		b = STRICT ? __atomic_load_n(p, __ATOMIC_RELAXED) : *p;
		return a->sign ? (u32)(i8)b : b;
	case 2:
		if (STRICT && (uintptr_t)p % 2 == 0)
			h = __atomic_load_n((const u16 *)(const void *)p, __ATOMIC_RELAXED);
		else
			memcpy(&h, p, 2);
		return a->sign ? (u32)(i16)h : h;
	default:
		return dword_load(p);
	}
}

static inline void
store_part(u8 *p, u32 v, const struct access *a)
{
	u16 h = (u16)v;
	switch (a->bytes) {
	case 1:
		if (STRICT)
			__atomic_store_n(p, (u8)v, __ATOMIC_RELAXED);
		else
			*p = (u8)v;
		break;
	case 2:
		if (STRICT && (uintptr_t)p % 2 == 0)
			__atomic_store_n((u16 *)(void *)p, h, __ATOMIC_RELAXED);
		else
			memcpy(p, &h, 2);
		break;
	default:
		dword_store(p, v);
	}
}

static inline void
register_put(u32 *d, u32 v, const struct access *a)
{
	if (!a->d16)
		*d = v;
	else if (a->hi)
		*d = (*d & 0xffff) | v << 16;
	else
		*d = (*d & 0xffff0000) | (v & 0xffff);
}

/* Scratch offsets need not be aligned: byte by byte then, each in its dword. */
static u32
scratch_load(struct wave *w, u32 off, u32 half, u32 lane, const struct access *a)
{
	u8 b[4] = {0};
	if (off % a->bytes == 0)
		return load_part(scratch(w, off, half, lane), a);
	for (u32 k = 0; k < a->bytes; k++)
		b[k] = *scratch(w, off + k, half, lane);
	return load_part(b, a);
}

static void
scratch_store(struct wave *w, u32 off, u32 half, u32 lane, u32 v, const struct access *a)
{
	u8 b[4];
	if (off % a->bytes == 0) {
		store_part(scratch(w, off, half, lane), v, a);
		return;
	}
	store_part(b, v, a);
	for (u32 k = 0; k < a->bytes; k++)
		*scratch(w, off + k, half, lane) = b[k];
}

/* --- atomics ------------------------------------------------------------------------------------------------- */

static u32
pk_add(u32 old, u32 v, bool bf16)
{
	u32 r = 0;
	for (u32 s = 0; s < 32; s += 16) {
		u32 x = old >> s & 0xffff, y = v >> s & 0xffff;
		if (bf16) {
			u32 f = bits32(float32(x << 16) + float32(y << 16));
			u32 up = (f & 0x7fffffff) > 0x7f800000 ? f | 0x400000
							       : f + 0x7fff + (f >> 16 & 1);
			r |= (up >> 16) << s;
		} else {
			r |= f2h(h2f(x) + h2f(y)) << s;
		}
	}
	return r;
}

static u32
atomic32(enum atomic op, u32 old, u32 v, u32 cmp)
{
	switch (op) {
	case ATOMIC_SWAP:
		return v;
	case ATOMIC_CMPSWAP:
	case ATOMIC_CMPSWAP_OLD:
		return old == cmp ? v : old;
	case ATOMIC_ADD:
		return old + v;
	case ATOMIC_SUB:
		return old - v;
	case ATOMIC_RSUB:
		return v - old;
	case ATOMIC_CSUB:
		return old < v ? 0 : old - v;
	case ATOMIC_SMIN:
		return (i32)old < (i32)v ? old : v;
	case ATOMIC_UMIN:
		return old < v ? old : v;
	case ATOMIC_SMAX:
		return (i32)old > (i32)v ? old : v;
	case ATOMIC_UMAX:
		return old > v ? old : v;
	case ATOMIC_AND:
		return old & v;
	case ATOMIC_OR:
		return old | v;
	case ATOMIC_XOR:
		return old ^ v;
	case ATOMIC_INC:
		return old >= v ? 0 : old + 1;
	case ATOMIC_DEC:
		return old == 0 || old > v ? v : old - 1;
	case ATOMIC_CONDSUB:
		return old >= v ? old - v : old;
	case ATOMIC_MSKOR:
		return (old & ~v) | cmp;
	case ATOMIC_WRAP:
		return old >= v ? old - v : old + cmp;
	case ATOMIC_FCMPSWAP:
	case ATOMIC_FCMPSWAP_OLD:
		return float32(old) == float32(cmp) ? v : old;
	case ATOMIC_FADD: {
		float r = float32(old) + float32(v);
		return bits32(r != r ? nan_f32(float32(old), float32(v), 0) : r);
	}
	case ATOMIC_FMIN:
		return bits32(min_f32(float32(old), float32(v)));
	case ATOMIC_FMAX:
		return bits32(max_f32(float32(old), float32(v)));
	case ATOMIC_PKADD_F16:
		return pk_add(old, v, false);
	case ATOMIC_PKADD_BF16:
		return pk_add(old, v, true);
	case ATOMIC_NONE:
		break;
	}
	return old;
}

static u64
atomic64(enum atomic op, u64 old, u64 v, u64 cmp)
{
	switch (op) {
	case ATOMIC_SWAP:
		return v;
	case ATOMIC_CMPSWAP:
	case ATOMIC_CMPSWAP_OLD:
		return old == cmp ? v : old;
	case ATOMIC_ADD:
		return old + v;
	case ATOMIC_SUB:
		return old - v;
	case ATOMIC_RSUB:
		return v - old;
	case ATOMIC_SMIN:
		return (i64)old < (i64)v ? old : v;
	case ATOMIC_UMIN:
		return old < v ? old : v;
	case ATOMIC_SMAX:
		return (i64)old > (i64)v ? old : v;
	case ATOMIC_UMAX:
		return old > v ? old : v;
	case ATOMIC_AND:
		return old & v;
	case ATOMIC_OR:
		return old | v;
	case ATOMIC_XOR:
		return old ^ v;
	case ATOMIC_INC:
		return old >= v ? 0 : old + 1;
	case ATOMIC_DEC:
		return old == 0 || old > v ? v : old - 1;
	case ATOMIC_MSKOR:
		return (old & ~v) | cmp;
	case ATOMIC_FCMPSWAP:
	case ATOMIC_FCMPSWAP_OLD:
		return float64(old) == float64(cmp) ? v : old;
	case ATOMIC_FADD: {
		double r = float64(old) + float64(v);
		return bits64(r != r ? nan_f64(float64(old), float64(v), 0) : r);
	}
	case ATOMIC_FMIN:
		return bits64(min_f64(float64(old), float64(v)));
	case ATOMIC_FMAX:
		return bits64(max_f64(float64(old), float64(v)));
	default:
		return old;
	}
}

static u64
atomic_do(u8 *p, const struct access *a, u64 v, u64 cmp, bool shared)
{
	enum atomic op = (enum atomic)a->atomic;
	if (a->bytes == 4) {
		u32 old, new;
		if (shared) { /* other host threads may be at it */
			_Atomic u32 *q = (_Atomic u32 *)(void *)p;
			old = atomic_load_explicit(q, memory_order_relaxed);
			do
				new = atomic32(op, old, (u32)v, (u32)cmp);
			while (!atomic_compare_exchange_weak_explicit(
				q, &old, new, memory_order_relaxed, memory_order_relaxed));
		} else {
			memcpy(&old, p, 4);
			new = atomic32(op, old, (u32)v, (u32)cmp);
			memcpy(p, &new, 4);
		}
		return old;
	}
	u64 old, new;
	if (shared) {
		_Atomic u64 *q = (_Atomic u64 *)(void *)p;
		old = atomic_load_explicit(q, memory_order_relaxed);
		do
			new = atomic64(op, old, v, cmp);
		while (!atomic_compare_exchange_weak_explicit(
			q, &old, new, memory_order_relaxed, memory_order_relaxed));
	} else {
		memcpy(&old, p, 8);
		new = atomic64(op, old, v, cmp);
		memcpy(p, &new, 8);
	}
	return old;
}

static u64
data_get(struct wave *w, u32 half, u32 at, u32 lane, u32 bytes)
{
	const u32 *p = vreg(w, half, at) + lane;
	return bytes == 8 ? p[0] | (u64)p[LANES] << 32 : p[0];
}

/* --- lanes one by one -------------------------------------------------------------------------------------------- */

/* A lane's place by an address of global memory, LDS or scratch; LDS and scratch by offset. */
struct place {
	u8 kind; /* SPACE_GLOBAL, SPACE_DS or SPACE_SCRATCH */
	u8 *p; /* of global memory and LDS */
	u32 off; /* in scratch */
};

static enum stop
place(struct wave *w, const struct access *a, u64 addr, u32 n, u32 half, u32 lane,
	struct place *out)
{
	u8 space = a->space;
	bool write = a->store || a->atomic;
	if (space == SPACE_FLAT) {
		u64 high = addr >> 32;
		space = high == EXEC_SHARED_BASE >> 32    ? SPACE_DS
			: high == EXEC_PRIVATE_BASE >> 32 ? SPACE_SCRATCH
							  : SPACE_GLOBAL;
		if (space != SPACE_GLOBAL)
			addr = (u32)addr;
	}
	out->kind = space;
	switch (space) {
	case SPACE_DS:
		if (addr + n > w->group->lds_bytes)
			return fault_at(w, a, EXEC_FAULT_SHARED, addr, half, lane,
				"outside of the workgroup's shared memory");
		out->p = w->group->lds + addr;
		break;
	case SPACE_SCRATCH:
		if (addr + n > w->scratch_bytes)
			return fault_at(w, a, EXEC_FAULT_PRIVATE, addr, half, lane,
				"outside of the thread's private memory");
		out->off = (u32)addr;
		break;
	default:
		out->kind = SPACE_GLOBAL;
		out->p = global(w, addr, n, write);
		if (out->p == NULL)
			return fault_at(w, a, EXEC_FAULT_ADDRESS, addr, half, lane,
				write ? "store to memory that nobody allocated for writing"
				      : "load from memory that nobody allocated");
	}
	if (a->atomic && addr % n != 0)
		return fault_at(w, a, EXEC_FAULT_MISALIGNED, addr, half, lane,
			"atomic across its natural alignment");
	return STOP_NONE;
}

static enum stop
lane_atomic(struct wave *w, const struct access *a, u64 addr, u32 half, u32 lane, u32 data, u32 dst)
{
	struct place at;
	enum stop stop = place(w, a, addr, a->bytes, half, lane, &at);
	if (stop)
		return stop;
	u64 v = data_get(w, half, data, lane, a->bytes), cmp = 0, old;
	if (a->atomic == ATOMIC_CMPSWAP || a->atomic == ATOMIC_CMPSWAP_OLD || a->atomic >= ATOMIC_MSKOR)
		cmp = data_get(w, half, a->data2, lane, a->bytes);
	if (a->atomic == ATOMIC_CMPSWAP_OLD || a->atomic == ATOMIC_FCMPSWAP_OLD) { /* ds_cmpst: the comparison comes first */
		u64 t = v;
		v = cmp;
		cmp = t;
	}
	if (at.kind == SPACE_SCRATCH) {
		u8 b[8];
		for (u32 k = 0; k < a->bytes; k++)
			b[k] = *scratch(w, at.off + k, half, lane);
		old = atomic_do(b, a, v, cmp, false);
		for (u32 k = 0; k < a->bytes; k++)
			*scratch(w, at.off + k, half, lane) = b[k];
	} else {
		old = atomic_do(at.p, a, v, cmp, at.kind == SPACE_GLOBAL);
	}
	if (a->ret) {
		u32 *d = vreg(w, half, dst) + lane;
		d[0] = (u32)old;
		if (a->bytes == 8)
			d[LANES] = (u32)(old >> 32);
	}
	return STOP_NONE;
}

/* The second half of ds_storexchg_2addr. */
static enum stop
lane_exchange(struct wave *w, const struct access *a, u64 addr, u32 half, u32 lane, u64 v, u32 dst)
{
	struct place at;
	enum stop stop = place(w, a, addr, a->bytes, half, lane, &at);
	if (stop)
		return stop;
	u64 old = atomic_do(at.p, a, v, 0, false);
	u32 *d = vreg(w, half, dst) + lane;
	d[0] = (u32)old;
	if (a->bytes == 8)
		d[LANES] = (u32)(old >> 32);
	return STOP_NONE;
}

/* n elements from `addr` on, registers from `reg` on */
static enum stop
lane_move(
	struct wave *w, const struct access *a, u64 addr, u32 half, u32 lane, u32 reg, u32 *loaded)
{
	struct place at;
	u32 n = a->bytes == 4 ? a->dwords : 1;
	enum stop stop = place(w, a, addr, a->bytes * n, half, lane, &at);
	if (stop)
		return stop;
	const u32 *d = vreg(w, half, reg) + lane;
	u32 v[4];
	for (u32 k = 0; k < n && a->store; k++)
		v[k] = a->hi ? d[k * LANES] >> 16 : d[k * LANES];
	if (at.kind == SPACE_SCRATCH) {
		for (u32 k = 0; k < n; k++)
			if (a->store)
				scratch_store(w, at.off + 4 * k, half, lane, v[k], a);
			else
				loaded[k] = scratch_load(w, at.off + 4 * k, half, lane, a);
	} else if (a->bytes != 4) {
		if (a->store)
			store_part(at.p, v[0], a);
		else
			loaded[0] = load_part(at.p, a);
	} else if (a->store) {
		dwords_store(at.p, v, n);
	} else {
		dwords_load(loaded, at.p, n);
	}
	return STOP_NONE;
}

static enum stop
lanes(struct wave *w, const struct access *a, const u64 *addr, u32 half, u32 on)
{
	u32 n = a->bytes == 4 ? a->dwords : 1;
	for (; on; on &= on - 1) {
		u32 lane = (u32)__builtin_ctz(on), v[8];
		enum stop stop;
		if (a->atomic) {
			/* two exchanges: read both operands' registers before the first result may overwrite them */
			u64 second = a->two ? data_get(w, half, a->data2, lane, a->bytes) : 0;
			stop = lane_atomic(w, a, addr[lane], half, lane, a->data, a->dst);
			if (!stop && a->two)
				stop = lane_exchange(w, a,
					(u32)(addr[lane] - (u32)a->offset + (u32)a->offset2), half,
					lane, second, a->dst + a->dwords * ROW);
			if (stop)
				return stop;
			continue;
		}
		stop = lane_move(w, a, addr[lane], half, lane, a->store ? a->data : a->dst, v);
		if (!stop && a->two)
			stop = lane_move(w, a, (u32)(addr[lane] - (u32)a->offset + (u32)a->offset2),
				half, lane, a->store ? a->data2 : a->dst, v + n);
		if (stop)
			return stop;
		if (a->store)
			continue;
		u32 *d = vreg(w, half, a->dst) + lane;
		for (u32 k = 0; k < (a->two ? 2 * n : n); k++)
			register_put(d + k * LANES, v[k], a);
	}
	return STOP_NONE;
}

/* --- lanes within one interval ----------------------------------------------------------------------------------------- */

/* Loads and stores whose lanes have all been found within one piece of memory: `p` + addr is the host's place. */
static void
load_lanes(
	struct wave *w, const struct access *a, u8 *p, const u64 *addr, u32 half, u32 on, u32 dst)
{
	u32 *d = vreg(w, half, dst), n = a->dwords;
	if (a->bytes != 4) {
		for (; on; on &= on - 1) {
			u32 i = (u32)__builtin_ctz(on);
			register_put(d + i, load_part(p + addr[i], a), a);
		}
	} else if (n == 1 && on == ALL) {
		for (u32 i = 0; i < LANES; i++)
			d[i] = dword_load(p + addr[i]);
	} else {
		for (; on; on &= on - 1) {
			u32 i = (u32)__builtin_ctz(on);
			u32 t[4];
			dwords_load(t, p + addr[i], n);
			for (u32 k = 0; k < n; k++)
				d[k * LANES + i] = t[k];
		}
	}
}

static void
store_lanes(
	struct wave *w, const struct access *a, u8 *p, const u64 *addr, u32 half, u32 on, u32 data)
{
	const u32 *d = vreg(w, half, data);
	u32 n = a->dwords;
	for (; on; on &= on - 1) {
		u32 i = (u32)__builtin_ctz(on);
		if (a->bytes != 4) {
			store_part(p + addr[i], a->hi ? d[i] >> 16 : d[i], a);
			continue;
		}
		u32 t[4];
		for (u32 k = 0; k < n; k++)
			t[k] = d[k * LANES + i];
		dwords_store(p + addr[i], t, n);
	}
}

static bool
all_within(const u64 *addr, u32 on, u64 base, u64 size, u64 n)
{
	u64 bad = 0;
	if (n > size)
		return false;
	if (on == ALL) {
		for (u32 i = 0; i < LANES; i++)
			bad |= addr[i] - base > size - n;
		return !bad;
	}
	for (; on; on &= on - 1)
		if (addr[__builtin_ctz(on)] - base > size - n)
			return false;
	return true;
}

/* One load or store of every lane in LDS (base 0, at `lds`) or in one interval of global memory. False: some
 * lane is elsewhere, and going lane by lane will find out which. */
static bool
move_fast(struct wave *w, const struct access *a, const u64 *addr, u32 half, u32 on, u32 reg,
	bool shared)
{
	u32 n = a->bytes == 4 ? 4u * a->dwords : a->bytes;
	u64 first = addr[__builtin_ctz(on)], base = 0, size = w->group->lds_bytes;
	u8 *p = w->group->lds;
	if (!shared) {
		if (global(w, first, n, a->store) == NULL)
			return false;
		const struct mem_near *near = a->store ? &w->store : &w->load;
		base = near->base;
		size = near->size;
		p = NULL;
	}
	if (!all_within(addr, on, base, size, n))
		return false;
	if (a->store)
		store_lanes(w, a, p, addr, half, on, reg);
	else
		load_lanes(w, a, p, addr, half, on, reg);
	return true;
}

/* Scratch of dwords. */
static bool
move_scratch(struct wave *w, const struct access *a, const u64 *addr, u32 half, u32 on)
{
	u32 n = a->dwords, misaligned = 0;
	u64 other = 0, first = addr[__builtin_ctz(on)];
	if (a->bytes != 4 || !all_within(addr, on, 0, w->scratch_bytes, 4 * n))
		return false;
	u32 *d = vreg(w, half, a->store ? a->data : a->dst);
	for (u32 i = 0; i < LANES; i++)
		other |= on >> i & 1 ? addr[i] ^ first : 0;
	if (other == 0 && scratch_rows(w, a, (u32)first, half, on))
		return true;
	for (u32 i = 0; i < LANES; i++)
		misaligned |= (on >> i & 1) && addr[i] % 4 != 0;
	if (misaligned)
		return false;
	for (; on; on &= on - 1) {
		u32 i = (u32)__builtin_ctz(on);
		for (u32 k = 0; k < n; k++) {
			u8 *p = scratch(w, (u32)addr[i] + 4 * k, half, i);
			if (a->store)
				memcpy(p, d + k * LANES + i, 4);
			else
				memcpy(d + k * LANES + i, p, 4);
		}
	}
	return true;
}

/* Where the lanes of a generic address lead: one space for all active lanes, or SPACE_FLAT for a mixture. */
static u8
flat_space(const u64 *addr, u32 on)
{
	u32 shared = 0, private = 0;
	for (u32 i = 0; i < LANES; i++) {
		shared |= (u32)(addr[i] >> 32 == EXEC_SHARED_BASE >> 32) << i;
	      private
		|= (u32)(addr[i] >> 32 == EXEC_PRIVATE_BASE >> 32) << i;
	}
	if (!((shared | private) & on))
		return SPACE_GLOBAL;
	return (shared & on) == on ? SPACE_DS : (private & on) == on ? SPACE_SCRATCH : SPACE_FLAT;
}

static enum stop
access_half(struct wave *w, const struct access *a, const u64 *addr, u32 half, u32 on)
{
	u64 local[LANES];
	const u64 *at = addr;
	if (a->atomic)
		return lanes(w, a, addr, half, on);
	for (u32 m = a->align ? on : 0; m; m &= m - 1)
		if (addr[__builtin_ctz(m)] & a->align)
			return fault_at(w, a, EXEC_FAULT_MISALIGNED, addr[__builtin_ctz(m)], half,
				(u32)__builtin_ctz(m), "load or store across its alignment");
	u8 space = a->space == SPACE_FLAT ? flat_space(addr, on) : a->space;
	if (a->space == SPACE_FLAT && space != SPACE_GLOBAL) {
		EACH_LANE (i)
			local[i] = (u32)addr[i];
		at = local;
	}
	bool done = false;
	if (space == SPACE_SCRATCH) {
		done = move_scratch(w, a, at, half, on);
	} else if (space == SPACE_DS && a->two) {
		/* a load may overwrite its own address: the second place is computed first */
		EACH_LANE (i)
			local[i] = (u32)(addr[i] - (u32)a->offset + (u32)a->offset2);
		u32 n = a->dwords * ROW;
		if (all_within(local, on, 0, w->group->lds_bytes, 4 * a->dwords)) {
			done = move_fast(w, a, addr, half, on, a->store ? a->data : a->dst, true) &&
			       move_fast(w, a, local, half, on, a->store ? a->data2 : a->dst + n,
				       true);
		}
	} else if (space != SPACE_FLAT) {
		done = move_fast(
			w, a, at, half, on, a->store ? a->data : a->dst, space == SPACE_DS);
	}
	return done ? STOP_NONE : lanes(w, a, addr, half, on);
}

/* --- addresses --------------------------------------------------------------------------------------------------------- */

static void
addresses(struct wave *w, const struct access *a, u32 half, u64 *addr)
{
	const u32 *v = a->has_vaddr ? vreg(w, half, a->vaddr) : NULL;
	u64 base = (u64)(i64)a->offset;
	if (a->has_saddr) {
		if (a->space == SPACE_SCRATCH)
			base += w->s[a->saddr];
		else
			base += s64(w, a->saddr);
	}
	if (v == NULL)
		EACH_LANE (i)
			addr[i] = base;
	else if (a->vaddr_n == 2)
		EACH_LANE (i)
			addr[i] = (v[i] | (u64)v[i + LANES] << 32) + base;
	else
		EACH_LANE (i)
			addr[i] = v[i] + base;
	if (a->space == SPACE_SCRATCH ||
		a->space == SPACE_DS) /* offsets are 32 bits, and wrap on the way */
		EACH_LANE (i)
			addr[i] = (u32)addr[i];
}

/* Lanes of which not all elements are in range: first those without any, then the others by their number. */
static enum stop
buffer_half(struct wave *w, struct access *t, const u64 *addr, const u32 *fit, u32 half, u32 on)
{
	u32 n = t->bytes == 4 ? t->dwords : 1, all = 0;
	u32 some[5] = {0}; /* by how many are in range */
	for (u32 i = 0; i < LANES; i++) {
		all |= (u32)(fit[i] == n) << i;
		if (fit[i] < n && on >> i & 1) {
			some[t->atomic ? 0 : fit[i]] |= 1u << i;
			for (u32 k = t->atomic ? 0 : fit[i]; k < n && !t->store && (!t->atomic || t->ret); k++)
				register_put(vreg(w, half, t->dst + k * ROW) + i, 0, t);
		}
	}
	enum stop stop = on & all ? access_half(w, t, addr, half, on & all) : STOP_NONE;
	for (u32 k = 1; k < n && !stop; k++) {
		t->dwords = (u8)k;
		if (some[k])
			stop = access_half(w, t, addr, half, some[k]);
	}
	t->dwords = (u8)(t->bytes == 4 ? n : t->dwords);
	return stop;
}

/* Buffers: the resource that describes the wave's own scratch (swizzled, lane interleaved) is lane-relative; for
 * others buffer.h has the rules. */
static enum stop
buffer(struct wave *w, const struct access *a)
{
	const u32 *r = w->s + a->saddr;
	u32 major = w->group->dispatch->e->target->major;
	struct buffer b = buffer_read(r, major == 9, major >= 11, a->idxen);
	u32 soff = a->soff_const ? a->soff : w->s[a->soff];
	u64 scr = (u64)(uintptr_t)w->scratch & 0xffffffffffffull;
	u32 lanes_n = w->halves * (u32)LANES;
	struct access t = *a;
	bool own = r[1] >> 31 && b.base - scr < (u64)w->scratch_bytes * lanes_n + 1;
	for (u32 h = 0; h < w->halves; h++) {
		u32 on = w->s[S_EXEC + h], fit[LANES];
		u64 addr[LANES];
		enum stop stop;
		if (on == 0)
			continue;
		const u32 *v = a->has_vaddr ? vreg(w, h, a->vaddr) : NULL;
		const u32 *off = a->offen ? v + (a->idxen ? LANES : 0) : NULL;
		if (own) {
			/* the scalar offset counts bytes of the whole wave, the vector's bytes of a lane */
			u64 start = b.base - scr + soff;
			if (off == NULL && !a->atomic && start % lanes_n == 0 &&
				scratch_rows(w, a, (u32)(start / lanes_n) + (u32)a->offset, h, on))
				continue;
			if (start % (4 * lanes_n) != 0)
				return fault_at(w, a, EXEC_FAULT_PRIVATE, start, h, 0,
					"scratch offset is no multiple of a row");
			for (u32 i = 0; i < LANES; i++)
				addr[i] = (u32)(start / lanes_n + (off ? off[i] : 0) +
						(u32)a->offset);
			t.space = SPACE_SCRATCH;
			stop = access_half(w, &t, addr, h, on);
		} else {
			u32 n = a->bytes == 4 ? a->dwords : 1;
			for (u32 i = 0; i < LANES; i++) {
				u32 index = buffer_index(&b, a->idxen ? v[i] : 0, h * LANES + i);
				u32 o = (off ? off[i] : 0) + (u32)a->offset;
				addr[i] = buffer_address(&b, index, o, soff);
				fit[i] = buffer_in_range(&b, index, o, soff,
					a->bytes, a->atomic ? 1 : n);
				if (a->atomic && fit[i])
					fit[i] = n;
			}
			t.space = SPACE_GLOBAL;
			stop = buffer_half(w, &t, addr, fit, h, on);
		}
		if (stop)
			return stop;
	}
	w->stored |= a->store || a->atomic;
	return STOP_NONE;
}

static u32
first_lane(const struct wave *w)
{
	u64 exec = w->s[S_EXEC] | (w->halves == 2 ? (u64)w->s[S_EXEC + 1] << 32 : 0);
	return exec ? (u32)__builtin_ctzll(exec) : 0;
}

static enum stop
scalar_load(struct wave *w, const struct uop *o)
{
	const struct access *a = o->access;
	u64 off = (u64)(i64)a->offset + (a->soff_const ? 0 : w->s[a->soff]);
	u64 base = s64(w, a->saddr), n = (u64)a->bytes * a->dwords;
	if (a->idxen) { /* through a V#: beyond its size are zeros */
		const u32 *r = w->s + a->saddr;
		u32 stride = r[1] >> 16 & 0x3fff;
		u64 size = (u64)r[2] * (stride ? stride : 1);
		base = r[0] | (u64)(r[1] & 0xffff) << 32;
		if (a->bytes == 4)
			off &= ~3ull;
		u32 fit = off >= size ? 0 : (size - off) / a->bytes < a->dwords ? (u32)((size - off) / a->bytes) : a->dwords;
		if (fit < a->dwords) {
			memset(w->s + o->dst + fit, 0, 4 * (a->dwords - fit));
			n = (u64)a->bytes * fit;
		}
		if (fit == 0)
			return STOP_NONE;
	}
	u64 addr = (base + off) & (a->bytes == 4 ? ~3ull : ~0ull);
	const u8 *p = global(w, addr, n, false);
	if (p == NULL)
		return fault_at(w, a, EXEC_FAULT_ADDRESS, addr, 0, first_lane(w),
			"scalar load from memory that nobody allocated");
	if (a->bytes == 4)
		dwords_load(w->s + o->dst, p, (u32)n / 4);
	else
		w->s[o->dst] = load_part(p, a);
	return STOP_NONE;
}

/* The offset in scratch when the instruction has no vector address. */
static bool
scratch_direct(struct wave *w, const struct access *a, u32 half, u32 on)
{
	u32 off = (u32)a->offset + (a->has_saddr ? w->s[a->saddr] : 0);
	return a->space == SPACE_SCRATCH && !a->has_vaddr && !a->atomic &&
	       scratch_rows(w, a, off, half, on);
}

enum stop
memory_half(struct wave *w, const struct access *a, u32 half, u32 on)
{
	u64 addr[LANES];
	if ((a->quick && memory_quick(w, a, half, on)) || scratch_direct(w, a, half, on))
		return STOP_NONE;
	addresses(w, a, half, addr);
	return access_half(w, a, addr, half, on);
}

enum stop
memory_help(struct wave *w, const struct uop *o)
{
	const struct access *a = o->access;
	if (a->space == SPACE_SCALAR)
		return scalar_load(w, o);
	if (a->space == SPACE_BUFFER)
		return buffer(w, a);
	if ((a->store || a->atomic) && a->space != SPACE_DS)
		w->stored = true;
	for (u32 h = 0; h < w->halves; h++) {
		u32 on = w->s[S_EXEC + h];
		enum stop stop = on ? memory_half(w, a, h, on) : STOP_NONE;
		if (stop)
			return stop;
	}
	return STOP_NONE;
}
