/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * code.c - reads a linked AMDGPU code object: segments, symbols, kernels (code_metadata.c) and what
 * the compiler says about them in Heddle's notes; loads it. All structure is checked in code_read, so
 * the other functions may rely on it; see code_elf.h for the bounds.
 */
#include "amdgpu/code_elf.h"
#include <stdlib.h>
#include <string.h>

#define MACHINE_AMDGPU   224
#define OSABI_AMDGPU_HSA 64
#define NOTE_METADATA    32                /* NT_AMDGPU_METADATA */
#define MOST_MEMORY      ((u64)1 << 40)    /* a code object that asks for more is broken */

/* AMDGPUUsage, "Relocation Records" */
enum {
	R_NONE = 0,
	R_ABS32_LO = 1,
	R_ABS32_HI = 2,
	R_ABS64 = 3,
	R_REL32 = 4,
	R_REL64 = 5,
	R_ABS32 = 6,
	R_RELATIVE64 = 13
};

const char *
code_status_text(enum code_status s)
{
	switch (s) {
	case CODE_OK:
		return "no error";
	case CODE_BAD_ELF:
		return "not an AMDGPU code object, or a broken one";
	case CODE_BAD_TARGET:
		return "compiled for a GPU that Heddle does not know";
	case CODE_BAD_METADATA:
		return "the code object's metadata is missing or broken";
	case CODE_BAD_NOTE:
		return "the code object's Heddle note is broken or of another version";
	case CODE_NO_MEMORY:
		return "out of memory";
	case CODE_BAD_FATBIN:
		return "not a fat binary, or a broken one";
	}
	return "unknown error";
}

/* --- reading ---------------------------------------------------------------------------------- */

static enum code_status
segments_read(struct code_object *c, const Elf64_Ehdr *h)
{
	c->low = UINT64_MAX;
	for (size_t i = 0; i < h->e_phnum; i++) {
		Elf64_Phdr ph;
		const void *p = elf_bytes(c->image, h->e_phoff + i * sizeof(ph), sizeof(ph));
		if (p == NULL)
			return CODE_BAD_ELF;
		memcpy(&ph, p, sizeof(ph));
		if (ph.p_type != PT_LOAD)
			continue;
		if (elf_bytes(c->image, ph.p_offset, ph.p_filesz) == NULL ||
			ph.p_filesz > ph.p_memsz || ph.p_memsz > MOST_MEMORY ||
			ph.p_vaddr > MOST_MEMORY)
			return CODE_BAD_ELF;
		u64 low = ph.p_vaddr & ~(u64)4095, high = ph.p_vaddr + ph.p_memsz;
		c->low = low < c->low ? low : c->low;
		c->high = high > c->high ? high : c->high;
	}
	if (c->low > c->high)
		return CODE_BAD_ELF;
	return CODE_OK;
}

static enum code_status
symbols_read(struct arena *a, struct code_object *c)
{
	struct elf_symbols t;
	if (!elf_symbols_open(c->image, SHT_DYNSYM, &t))
		return CODE_BAD_ELF;
	struct code_symbol *s = ARENA_NEW(a, struct code_symbol, t.n);
	if (s == NULL)
		return CODE_NO_MEMORY;
	c->symbols = s;
	for (size_t i = 1; i < t.n; i++) {
		Elf64_Sym sym;
		struct str name;
		if (!elf_symbol_get(&t, i, &sym, &name))
			return CODE_BAD_ELF;
		unsigned type = ELF64_ST_TYPE(sym.st_info);
		if (sym.st_shndx == SHN_UNDEF || sym.st_shndx == SHN_ABS ||
			(type != STT_OBJECT && type != STT_FUNC))
			continue;
		if (sym.st_value < c->low || sym.st_value > c->high ||
			sym.st_size > c->high - sym.st_value)
			return CODE_BAD_ELF;
		s[c->nsymbols++] =
			(struct code_symbol){name, sym.st_value, sym.st_size, type == STT_FUNC};
	}
	return CODE_OK;
}

/* One note of lang/note.h; kernels that the linker dropped are passed over. */
static enum code_status
heddle_note_read(struct code_object *c, struct str desc)
{
	struct heddle_note n;
	if (desc.n < sizeof(n))
		return CODE_BAD_NOTE;
	memcpy(&n, desc.p, sizeof(n));
	if (n.version != HEDDLE_NOTE_VERSION)
		return CODE_BAD_NOTE;
	struct str rest = {desc.p + sizeof(n), desc.n - sizeof(n)};
	if (memchr(rest.p, 0, rest.n) == NULL)
		return CODE_BAD_NOTE;
	struct str symbol = str_split(&rest, 0);
	if (memchr(rest.p, 0, rest.n) == NULL)
		return CODE_BAD_NOTE;
	struct str reason = str_split(&rest, 0);
	for (size_t i = 0; i < c->nkernels; i++) {
		struct code_kernel *k =
			(struct code_kernel *)&c->kernels[i]; /* our own, not const yet */
		if (!str_eq(k->name, symbol) && !str_eq(k->symbol, symbol))
			continue;
		k->mode = n.mode <= HEDDLE_WARP_NATIVE ? (enum heddle_warp_mode)n.mode
							 : HEDDLE_WARP_UNKNOWN;
		k->max_block = n.max_block;
		k->asked = n.flags & HEDDLE_NOTE_ASKED;
		k->reason = reason;
	}
	return CODE_OK;
}

/* Calls for the metadata note (kernels == false) or for the notes about kernels. */
static enum code_status
notes_walk(struct arena *a, struct code_object *c, bool kernels)
{
	Elf64_Shdr s;
	bool found = false;
	for (size_t i = 0; elf_section_next(c->image, &i, &s);) {
		struct str notes;
		struct elf_note n;
		bool bad = false;
		size_t at = 0;
		if (s.sh_type != SHT_NOTE)
			continue;
		if (!elf_section_bytes(c->image, &s, &notes))
			return CODE_BAD_ELF;
		while (elf_note_next(notes, &at, &n, &bad)) {
			enum code_status status = CODE_OK;
			if (!kernels && n.type == NOTE_METADATA && str_is(n.name, "AMDGPU") &&
				!found) {
				status = code_metadata_read(a, n.desc, c);
				found = true;
			} else if (kernels && n.type == HEDDLE_NOTE_KERNEL &&
				   str_is(n.name, HEDDLE_NOTE_NAME)) {
				status = heddle_note_read(c, n.desc);
			}
			if (status != CODE_OK)
				return status;
		}
		if (bad)
			return kernels ? CODE_BAD_NOTE : CODE_BAD_METADATA;
	}
	return found || kernels ? CODE_OK : CODE_BAD_METADATA;
}

enum code_status
code_read(struct arena *a, struct str image, struct code_object *out)
{
	Elf64_Ehdr h;
	const void *p = elf_bytes(image, 0, sizeof(h));
	memset(out, 0, sizeof(*out));
	out->image = image;
	if (p == NULL)
		return CODE_BAD_ELF;
	memcpy(&h, p, sizeof(h));
	if (memcmp(h.e_ident, ELFMAG, SELFMAG) != 0 || h.e_ident[EI_CLASS] != ELFCLASS64 ||
		h.e_ident[EI_DATA] != ELFDATA2LSB || h.e_machine != MACHINE_AMDGPU ||
		h.e_ident[EI_OSABI] != OSABI_AMDGPU_HSA || h.e_type != ET_DYN ||
		h.e_phentsize != sizeof(Elf64_Phdr) || h.e_phoff > image.n ||
		h.e_shentsize != sizeof(Elf64_Shdr))
		return CODE_BAD_ELF;
	out->abi = h.e_ident[EI_ABIVERSION];
	out->e_flags = h.e_flags;
	out->target = target_find_mach(h.e_flags);
	if (out->target == NULL)
		return CODE_BAD_TARGET;
	enum code_status s = segments_read(out, &h);
	if (s == CODE_OK)
		s = symbols_read(a, out);
	if (s == CODE_OK)
		s = notes_walk(a, out, false);
	if (s == CODE_OK)
		s = notes_walk(a, out, true);
	return s;
}

const struct code_kernel *
code_kernel_find(const struct code_object *c, struct str name)
{
	for (size_t i = 0; i < c->nkernels; i++) {
		if (str_eq(c->kernels[i].name, name))
			return &c->kernels[i];
	}
	return NULL;
}

const struct code_symbol *
code_symbol_find(const struct code_object *c, struct str name)
{
	for (size_t i = 0; i < c->nsymbols; i++) {
		if (str_eq(c->symbols[i].name, name))
			return &c->symbols[i];
	}
	return NULL;
}

struct str
code_function_at(const struct code_object *c, u64 addr)
{
	static const u32 types[] = {SHT_SYMTAB, SHT_DYNSYM};
	for (size_t k = 0; k < COUNT(types); k++) {
		struct elf_symbols t;
		if (!elf_symbols_open(c->image, types[k], &t))
			continue;
		for (size_t i = 1; i < t.n; i++) {
			Elf64_Sym sym;
			struct str name;
			if (elf_symbol_get(&t, i, &sym, &name) &&
				ELF64_ST_TYPE(sym.st_info) == STT_FUNC &&
				sym.st_shndx != SHN_UNDEF && addr >= sym.st_value &&
				(addr - sym.st_value < sym.st_size || addr == sym.st_value))
				return name;
		}
	}
	return (struct str){"", 0};
}

/* --- loading ---------------------------------------------------------------------------------- */

struct loader {
	const struct code_object *c;
	u8 *to;
	u64 base;
	struct elf_symbols symbols;
	u64 (*extern_find)(void *user, struct str name);
	void *user;
	struct str *missing;
};

/* The address of symbol `i` in memory. */
static bool
symbol_address(const struct loader *l, size_t i, u64 *out)
{
	Elf64_Sym sym;
	struct str name;
	*out = 0;
	if (i == 0)
		return true;
	if (i >= l->symbols.n || !elf_symbol_get(&l->symbols, i, &sym, &name))
		return false;
	if (sym.st_shndx != SHN_UNDEF) {
		*out = l->base + (sym.st_value - l->c->low);
		return true;
	}
	*out = l->extern_find != NULL ? l->extern_find(l->user, name) : 0;
	if (*out == 0 && ELF64_ST_BIND(sym.st_info) != STB_WEAK) {
		*l->missing = name;
		return false;
	}
	return true;
}

static bool
relocate(const struct loader *l, const Elf64_Rela *r)
{
	u64 s, at = r->r_offset - l->c->low, size = l->c->high - l->c->low;
	u32 type = ELF64_R_TYPE(r->r_info);
	if (type == R_NONE)
		return true;
	u64 width = type == R_ABS64 || type == R_REL64 || type == R_RELATIVE64 ? 8 : 4;
	if (r->r_offset < l->c->low || at > size || width > size - at ||
		!symbol_address(l, ELF64_R_SYM(r->r_info), &s))
		return false;
	u64 value = s + (u64)r->r_addend, place = l->base + at;
	switch (type) {
	case R_ABS64:
		break;
	case R_ABS32:
	case R_ABS32_LO:
		break;
	case R_ABS32_HI:
		value >>= 32;
		break;
	case R_REL32:
	case R_REL64:
		value -= place;
		break;
	case R_RELATIVE64:
		value = l->base + ((u64)r->r_addend - l->c->low);
		break;
	default:
		return false;
	}
	memcpy(l->to + at, &value, width);
	return true;
}

static void
segments_copy(const struct code_object *c, u8 *to)
{
	Elf64_Ehdr h;
	memcpy(&h, c->image.p, sizeof(h));
	for (size_t i = 0; i < h.e_phnum; i++) {
		Elf64_Phdr ph;
		memcpy(&ph, c->image.p + h.e_phoff + i * sizeof(ph), sizeof(ph));
		if (ph.p_type == PT_LOAD && ph.p_filesz > 0)
			memcpy(to + (ph.p_vaddr - c->low), c->image.p + ph.p_offset, ph.p_filesz);
	}
}

enum code_status
code_load(const struct code_object *c, u8 *to, u64 base,
	u64 (*extern_find)(void *user, struct str name), void *user, struct str *missing)
{
	struct loader l = {.c = c,
		.to = to,
		.base = base,
		.extern_find = extern_find,
		.user = user,
		.missing = missing};
	Elf64_Shdr s;
	*missing = (struct str){"", 0};
	if (!elf_symbols_open(c->image, SHT_DYNSYM, &l.symbols))
		return CODE_BAD_ELF;
	segments_copy(c, to);
	for (size_t i = 0; elf_section_next(c->image, &i, &s);) {
		struct str table;
		if (s.sh_type != SHT_RELA || !(s.sh_flags & SHF_ALLOC))
			continue;
		if (!elf_section_bytes(c->image, &s, &table) || s.sh_entsize != sizeof(Elf64_Rela))
			return CODE_BAD_ELF;
		for (size_t k = 0; k + sizeof(Elf64_Rela) <= table.n; k += sizeof(Elf64_Rela)) {
			Elf64_Rela r;
			memcpy(&r, table.p + k, sizeof(r));
			if (!relocate(&l, &r))
				return CODE_BAD_ELF;
		}
	}
	return CODE_OK;
}
