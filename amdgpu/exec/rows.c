/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* rows.c - the rows of isa.def as data, found by name through a hash that each executor builds once. */
#include "amdgpu/exec/wave.h"
#include <stdlib.h>

u8
type_dwords(enum type t)
{
	static const u8 n[T_COUNT] = {
#define TYPE(name, ctype, dwords, fp) dwords,
#include "amdgpu/exec/type.def"
#undef TYPE
	};
	return n[t];
}

u8
type_fp(enum type t)
{
	static const u8 n[T_COUNT] = {
#define TYPE(name, ctype, dwords, fp) fp,
#include "amdgpu/exec/type.def"
#undef TYPE
	};
	return n[t];
}

#define V(name, D, A, B, C, f)                                                                     \
	{.text = #name, .kind = ROW_VALU, .d = T_##D, .src = {T_##A, T_##B, T_##C}, .flags = (f)},
#define M(name, ...) {.text = #name, .kind = ROW_MEM, .m = {__VA_ARGS__}},
static const struct row rows[R_COUNT] = {
#include "amdgpu/exec/isa_none.h"
#undef SALU
#undef EXECOP
#undef EXECWR
#undef SFLOAT
#undef FLOW
#undef NOP
#undef VALU
#undef VFP
#undef ACC
#undef ACCFP
#undef XINFP
#undef XOUT
#undef PK
#undef PKFP
#undef PK32
#undef PKACC
#undef CMP
#undef CLASS
#undef HELP
#undef LOAD
#undef STORE
#undef ATOMIC
#undef SLOAD
#undef DS2
#undef XCHG2
#undef RARE
#undef MATRIX
#undef SPARSE
#undef SCALED
#undef WIDE
#define S(name, D, A, B)                                                                           \
	{.text = #name, .kind = ROW_SALU, .d = T_##D, .src = {T_##A, T_##B}, .code = U_##name},
#define SALU(name, D, A, B, value, scc)     S(name, D, A, B)
#define EXECOP(name, T, value)              S(name, T, T, NONE)
#define EXECWR(name, T, value)              S(name, T, T, NONE)
#define SFLOAT(name, row)                   {.text = #name, .kind = ROW_SFLOAT, .code = R_##row},
#define FLOW(name)                          {.text = #name, .kind = ROW_FLOW},
#define NOP(name)                           {.text = #name, .kind = ROW_NOP},
#define VALU(name, D, A, B, C, value)       V(name, D, A, B, C, 0)
#define VFP(name, D, A, B, C, value)        V(name, D, A, B, C, 0)
#define ACC(name, D, A, B, value)           V(name, D, A, B, D, ROW_ACC)
#define ACCFP(name, D, A, B, value)         V(name, D, A, B, D, ROW_ACC)
#define XINFP(name, D, A, B, C, value)      V(name, D, A, B, C, ROW_XIN)
#define XOUT(name, D, A, B, C, value, mask) V(name, D, A, B, C, ROW_XOUT)
#define PK(name, E, D, A, B, C, value)      V(name, D, A, B, C, 0)
#define PKFP(name, E, D, A, B, C, value)    V(name, D, A, B, C, 0)
#define PKACC(name, E, D, A, B, value)      V(name, D, A, B, D, ROW_ACC)
#define PK32(name, C, value)                V(name, pkf32, pkf32, pkf32, C, 0)
#define CMP(name, A, B, value) {.text = "v_cmp_" #name, .kind = ROW_CMP, .src = {T_##A, T_##B}},
#define CLASS(name, A, value)  {.text = #name, .kind = ROW_CMP, .src = {T_##A, T_u32}},
#define HELP(name)             {.text = #name, .kind = ROW_HELP},
#define LOAD(name, bytes, dwords, sign, d16, hi) M(name, bytes, dwords, sign, d16, hi, 0)
#define STORE(name, bytes, dwords, hi)           M(name, bytes, dwords, 0, 0, hi, 0)
#define ATOMIC(name, op, bytes)                  M(name, bytes, bytes / 4, 0, 0, 0, ATOMIC_##op)
#define SLOAD(name, dwords)                      M(name, 4, dwords)
#define RARE(name, op, bytes, dwords, sign) M(name, bytes, dwords, sign, 0, 0, 0, RARE_##op)
#define XCHG2(name, bytes, stride)       M(name, bytes, bytes / 4, stride, 0, 0, ATOMIC_SWAP)
#define MATRIX(name, D, E, M, K, blocks) {.text = #name, .kind = ROW_MATRIX},
#define SPARSE(name, D, E, M, K, blocks) {.text = #name, .kind = ROW_MATRIX},
#define SCALED(name, M, K)               {.text = #name, .kind = ROW_MATRIX},
#define WIDE(name, d, a, b, c, call)     {.text = #name, .kind = ROW_WIDE, .m = {d, a, b, c}},
#define DS2(name, bytes, stride, store)  M(name, bytes, bytes / 4, stride, store)
#include "amdgpu/exec/isa.def"
};

static const struct {
	const char *name;
	enum row_id row;
} aliases[] = {
#include "amdgpu/exec/isa_none.h"
#undef ALIAS
#define ALIAS(name, row) {#name, R_##row},
#include "amdgpu/exec/isa.def"
};

static const struct {
	const char *prefix, *reason;
} missing[] = {
#define MISSING(prefix, reason) {prefix, reason},
#include "amdgpu/exec/missing.def"
#undef MISSING
};

const char *
row_missing(struct str name)
{
	for (size_t i = 0; i < COUNT(missing); i++)
		if (str_starts(name, missing[i].prefix))
			return missing[i].reason;
	return "not yet needed";
}

enum { SLOTS = 4096 }; /* a power of two, well above the names */

static u32
hash(struct str s)
{
	u32 h = 2166136261u;
	for (size_t i = 0; i < s.n; i++)
		h = (h ^ (u8)s.p[i]) * 16777619u;
	return h;
}

/* A slot is the row and, if the name is not the row's own, the alias; both plus one. */
static void
add(u16 *index, const char *name, u32 row, u32 alias)
{
	u32 h = hash(str_of(name)) % SLOTS;
	while (index[2 * h] != 0)
		h = (h + 1) % SLOTS;
	index[2 * h] = (u16)(row + 1);
	index[2 * h + 1] = (u16)alias;
}

bool
row_index(struct exec *e)
{
	e->index = calloc(2 * SLOTS, sizeof(*e->index));
	if (e->index == NULL)
		return false;
	for (u32 i = 0; i < R_COUNT; i++)
		add(e->index, rows[i].text, i, 0);
	for (u32 i = 0; i < COUNT(aliases); i++)
		add(e->index, aliases[i].name, aliases[i].row, i + 1);
	return true;
}

u32
row_number(const struct row *r)
{
	return (u32)(r - rows);
}

const struct row *
row_find(struct exec *e, struct str name)
{
	for (u32 h = hash(name) % SLOTS; e->index[2 * h] != 0; h = (h + 1) % SLOTS) {
		u32 alias = e->index[2 * h + 1];
		const struct row *r = &rows[e->index[2 * h] - 1];
		if (str_is(name, alias ? aliases[alias - 1].name : r->text))
			return r;
	}
	return NULL;
}
