/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * code_metadata.c - the kernels of a code object, from the MessagePack of its metadata note
 * (AMDGPUUsage, "Code Object V3 Metadata" to V5). A cursor steps over the bytes; no tree is built,
 * unknown keys are skipped, and every length is checked against what is left.
 */
#include "amdgpu/code_elf.h"
#include <string.h>

struct pack {
	const u8 *p, *end;
};

static u64
left(const struct pack *m)
{
	return (u64)(m->end - m->p);
}

/* Big-endian number of `n` bytes. */
static bool
take_be(struct pack *m, unsigned n, u64 *out)
{
	if (left(m) < n)
		return false;
	*out = 0;
	while (n-- > 0)
		*out = *out << 8 | *m->p++;
	return true;
}

enum pack_kind { PACK_OTHER, PACK_UINT, PACK_BOOL, PACK_STR, PACK_ARRAY, PACK_MAP };

/* One head: *v is the number, the bytes of a string (which follow), or the count of elements. */
static bool
take_head(struct pack *m, enum pack_kind *kind, u64 *v)
{
	u64 tag;
	if (!take_be(m, 1, &tag))
		return false;
	*v = 0;
	*kind = PACK_OTHER;
	if (tag <= 0x7f) {
		*kind = PACK_UINT;
		*v = tag;
	} else if (tag <= 0x8f) {
		*kind = PACK_MAP;
		*v = tag & 0xf;
	} else if (tag <= 0x9f) {
		*kind = PACK_ARRAY;
		*v = tag & 0xf;
	} else if (tag <= 0xbf) {
		*kind = PACK_STR;
		*v = tag & 0x1f;
	} else if (tag == 0xc2 || tag == 0xc3) {
		*kind = PACK_BOOL;
		*v = tag & 1;
	} else if (tag >= 0xcc && tag <= 0xcf) { /* uint 8 16 32 64 */
		*kind = PACK_UINT;
		return take_be(m, 1u << (tag - 0xcc), v);
	} else if (tag >= 0xd9 && tag <= 0xdb) { /* str 8 16 32 */
		*kind = PACK_STR;
		return take_be(m, 1u << (tag - 0xd9), v);
	} else if (tag == 0xdc || tag == 0xdd) {
		*kind = PACK_ARRAY;
		return take_be(m, tag == 0xdc ? 2 : 4, v);
	} else if (tag == 0xde || tag == 0xdf) {
		*kind = PACK_MAP;
		return take_be(m, tag == 0xde ? 2 : 4, v);
	} else if (tag >= 0xe0 || tag == 0xc0) { /* negative fixint, nil */
		return true;
	} else {
		static const u8 payload[] = {
			[0xca - 0xc0] = 4,
			[0xcb - 0xc0] = 8, /* float */
			[0xd0 - 0xc0] = 1,
			[0xd1 - 0xc0] = 2,
			[0xd2 - 0xc0] = 4,
			[0xd3 - 0xc0] = 8, /* int */
		};
		u64 n = tag - 0xc0 < sizeof(payload) ? payload[tag - 0xc0] : 0;
		if (tag >= 0xc4 && tag <= 0xc6 && !take_be(m, 1u << (tag - 0xc4), &n)) /* bin */
			return false;
		if (n == 0 && !(tag >= 0xc4 && tag <= 0xc6)) /* ext: not in metadata */
			return false;
		if (n > left(m))
			return false;
		m->p += n;
	}
	return true;
}

/* Steps over one value. Iterative: nesting costs no stack, and each value eats a byte at least. */
static bool
skip(struct pack *m)
{
	for (u64 todo = 1; todo > 0; todo--) {
		enum pack_kind kind;
		u64 v;
		if (!take_head(m, &kind, &v))
			return false;
		if (kind == PACK_STR) {
			if (v > left(m))
				return false;
			m->p += v;
		} else if (kind == PACK_ARRAY || kind == PACK_MAP) {
			u64 children = kind == PACK_MAP ? 2 * v : v;
			if (children > left(m))
				return false;
			todo += children;
		}
	}
	return true;
}

static bool
take_kind(struct pack *m, enum pack_kind want, u64 *v)
{
	enum pack_kind kind;
	return take_head(m, &kind, v) && kind == want;
}

static bool
take_str(struct pack *m, struct str *out)
{
	u64 n;
	if (!take_kind(m, PACK_STR, &n) || n > left(m))
		return false;
	*out = (struct str){(const char *)m->p, n};
	m->p += n;
	return true;
}

static bool
take_u32(struct pack *m, u32 *out)
{
	u64 v;
	if (!take_kind(m, PACK_UINT, &v) || v > UINT32_MAX)
		return false;
	*out = (u32)v;
	return true;
}

/* Elements of an array, each of at least `least` bytes, so that a lie cannot make us allocate much. */
static bool
take_count(struct pack *m, u64 least, u64 *n)
{
	return take_kind(m, PACK_ARRAY, n) && *n <= left(m) / least;
}

static bool
arg_kind_find(struct str name, enum code_arg_kind *out)
{
	static const char *const names[] = {
#define CODE_ARG(name) #name,
#include "amdgpu/code_arg.def"
#undef CODE_ARG
	};
	for (size_t i = 0; i < COUNT(names); i++) {
		if (str_is(name, names[i])) {
			*out = (enum code_arg_kind)i;
			return true;
		}
	}
	*out = CODE_ARG_hidden_none; /* a hidden one of a later LLVM reads as zero */
	return str_starts(name, "hidden_");
}

static bool
arg_read(struct pack *m, struct code_arg *out)
{
	u64 n;
	struct str key, kind = {0};
	if (!take_kind(m, PACK_MAP, &n))
		return false;
	while (n-- > 0) {
		bool ok;
		if (!take_str(m, &key))
			return false;
		if (str_is(key, ".offset"))
			ok = take_u32(m, &out->offset);
		else if (str_is(key, ".size"))
			ok = take_u32(m, &out->size);
		else if (str_is(key, ".value_kind"))
			ok = take_str(m, &kind);
		else
			ok = skip(m);
		if (!ok)
			return false;
	}
	return arg_kind_find(kind, &out->kind);
}

static enum code_status
args_read(struct arena *a, struct pack *m, struct code_kernel *k)
{
	u64 n;
	if (!take_count(m, 16, &n))
		return CODE_BAD_METADATA;
	struct code_arg *args = ARENA_NEW(a, struct code_arg, n);
	if (args == NULL)
		return CODE_NO_MEMORY;
	k->args = args;
	k->nargs = n;
	k->nexplicit = n;
	for (u64 i = 0; i < n; i++) {
		if (!arg_read(m, &args[i]))
			return CODE_BAD_METADATA;
		if (args[i].kind >= CODE_ARG_hidden_none && k->nexplicit > i)
			k->nexplicit = i;
		if (args[i].kind < CODE_ARG_hidden_none && k->nexplicit < i)
			return CODE_BAD_METADATA; /* an explicit argument after a hidden one */
	}
	return CODE_OK;
}

static enum code_status
kernel_read(struct arena *a, struct pack *m, struct code_kernel *k)
{
	const struct {
		const char *key;
		u32 *to;
	} numbers[] = {
		{".kernarg_segment_size", &k->kernarg_size},
		{".kernarg_segment_align", &k->kernarg_align},
		{".group_segment_fixed_size", &k->group_size},
		{".private_segment_fixed_size", &k->private_size},
		{".sgpr_count", &k->sgprs},
		{".vgpr_count", &k->vgprs},
		{".agpr_count", &k->agprs},
		{".sgpr_spill_count", &k->sgpr_spills},
		{".vgpr_spill_count", &k->vgpr_spills},
		{".max_flat_workgroup_size", &k->max_threads},
		{".wavefront_size", &k->wave},
	};
	u64 n, v = 0;
	if (!take_kind(m, PACK_MAP, &n))
		return CODE_BAD_METADATA;
	while (n-- > 0) {
		struct str key;
		enum code_status s = CODE_OK;
		if (!take_str(m, &key))
			return CODE_BAD_METADATA;
		size_t i = 0;
		while (i < COUNT(numbers) && !str_is(key, numbers[i].key))
			i++;
		bool ok;
		if (i < COUNT(numbers)) {
			ok = take_u32(m, numbers[i].to);
		} else if (str_is(key, ".name")) {
			ok = take_str(m, &k->name);
		} else if (str_is(key, ".symbol")) {
			ok = take_str(m, &k->symbol);
		} else if (str_is(key, ".uses_dynamic_stack")) {
			ok = take_kind(m, PACK_BOOL, &v);
			k->dynamic_stack = v != 0;
		} else if (str_is(key, ".args") && k->args == NULL) {
			s = args_read(a, m, k);
			ok = s == CODE_OK;
		} else {
			ok = skip(m);
		}
		if (!ok)
			return s != CODE_OK ? s : CODE_BAD_METADATA;
	}
	return CODE_OK;
}

/* The descriptor and the entry must lie in the file's segments, the arguments in the kernarg segment. */
static enum code_status
kernel_check(const struct code_object *c, struct code_kernel *k)
{
	const struct code_symbol *s = code_symbol_find(c, k->symbol);
	if (k->name.n == 0 || s == NULL || (k->wave != 32 && k->wave != 64))
		return CODE_BAD_METADATA;
	const u8 *d = elf_loaded(c->image, s->addr, 64);
	if (d == NULL || s->addr % 64 != 0)
		return CODE_BAD_METADATA;
	u64 offset;
	memcpy(&offset, d + 16, sizeof(offset)); /* kernel_code_entry_byte_offset */
	k->descriptor = s->addr;
	k->entry = s->addr + offset;
	if (k->entry % 4 != 0 || elf_loaded(c->image, k->entry, 4) == NULL)
		return CODE_BAD_METADATA;
	for (size_t i = 0; i < k->nargs; i++) {
		if (k->args[i].offset > k->kernarg_size ||
			k->args[i].size > k->kernarg_size - k->args[i].offset)
			return CODE_BAD_METADATA;
	}
	k->max_block = k->max_threads;
	return CODE_OK;
}

static enum code_status
kernels_read(struct arena *a, struct pack *m, struct code_object *c)
{
	u64 n;
	if (!take_count(m, 16, &n))
		return CODE_BAD_METADATA;
	struct code_kernel *k = ARENA_NEW(a, struct code_kernel, n);
	if (k == NULL)
		return CODE_NO_MEMORY;
	c->kernels = k;
	c->nkernels = n;
	for (u64 i = 0; i < n; i++) {
		enum code_status s = kernel_read(a, m, &k[i]);
		if (s == CODE_OK)
			s = kernel_check(c, &k[i]);
		if (s != CODE_OK)
			return s;
	}
	return CODE_OK;
}

enum code_status
code_metadata_read(struct arena *a, struct str metadata, struct code_object *c)
{
	struct pack m = {(const u8 *)metadata.p, (const u8 *)metadata.p + metadata.n};
	u64 n;
	if (!take_kind(&m, PACK_MAP, &n))
		return CODE_BAD_METADATA;
	while (n-- > 0) {
		struct str key;
		enum code_status s = CODE_OK;
		if (!take_str(&m, &key))
			return CODE_BAD_METADATA;
		if (str_is(key, "amdhsa.kernels") && c->kernels == NULL)
			s = kernels_read(a, &m, c);
		else if (!skip(&m))
			s = CODE_BAD_METADATA;
		if (s != CODE_OK)
			return s;
	}
	return CODE_OK;
}
