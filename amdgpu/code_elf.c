/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * code_elf.c - bounded views of an ELF64 file. Every offset and count of the file is checked against
 * the file's size before it is used; structures are copied out, so alignment does not matter.
 */
#include "amdgpu/code_elf.h"
#include <string.h>

const void *
elf_bytes(struct str image, u64 at, u64 n)
{
	return at <= image.n && n <= image.n - at ? image.p + at : NULL;
}

static bool
header(struct str image, Elf64_Ehdr *h)
{
	const void *p = elf_bytes(image, 0, sizeof(*h));
	if (p == NULL)
		return false;
	memcpy(h, p, sizeof(*h));
	return true;
}

size_t
elf_section_count(struct str image)
{
	Elf64_Ehdr h;
	return header(image, &h) ? h.e_shnum : SIZE_MAX;
}

bool
elf_section_next(struct str image, size_t *i, Elf64_Shdr *out)
{
	Elf64_Ehdr h;
	if (!header(image, &h) || *i >= h.e_shnum || h.e_shentsize != sizeof(*out) ||
		h.e_shoff > image.n)
		return false;
	const void *p = elf_bytes(image, h.e_shoff + *i * sizeof(*out), sizeof(*out));
	if (p == NULL)
		return false;
	memcpy(out, p, sizeof(*out));
	++*i;
	return true;
}

bool
elf_section_bytes(struct str image, const Elf64_Shdr *s, struct str *out)
{
	*out = (struct str){image.p, 0};
	if (s->sh_type == SHT_NOBITS)
		return true;
	const void *p = elf_bytes(image, s->sh_offset, s->sh_size);
	if (p == NULL)
		return false;
	*out = (struct str){p, s->sh_size};
	return true;
}

/* The NUL-terminated string at `at` of a string table. */
static bool
string_at(struct str table, u64 at, struct str *out)
{
	const char *p = at < table.n ? table.p + at : NULL;
	const char *e = p != NULL ? memchr(p, 0, table.n - at) : NULL;
	*out = (struct str){"", 0};
	if (e == NULL)
		return false;
	*out = (struct str){p, (size_t)(e - p)};
	return true;
}

struct str
elf_section_name(struct str image, const Elf64_Shdr *s)
{
	Elf64_Ehdr h;
	Elf64_Shdr names;
	struct str table, name = {"", 0};
	size_t i = header(image, &h) ? h.e_shstrndx : 0;
	if (i != 0 && elf_section_next(image, &i, &names) &&
		elf_section_bytes(image, &names, &table))
		(void)string_at(table, s->sh_name, &name);
	return name;
}

bool
elf_section_find(struct str image, u32 type, const char *name, Elf64_Shdr *out)
{
	for (size_t i = 0; elf_section_next(image, &i, out);) {
		if (name != NULL ? str_is(elf_section_name(image, out), name)
				 : out->sh_type == type)
			return true;
	}
	return false;
}

bool
elf_symbols_open(struct str image, u32 type, struct elf_symbols *out)
{
	Elf64_Shdr s, strings;
	memset(out, 0, sizeof(*out));
	if (!elf_section_find(image, type, NULL, &s) || s.sh_entsize != sizeof(Elf64_Sym))
		return false;
	size_t link = s.sh_link;
	if (!elf_section_bytes(image, &s, &out->table) ||
		!elf_section_next(image, &link, &strings) ||
		!elf_section_bytes(image, &strings, &out->strings))
		return false;
	out->n = out->table.n / sizeof(Elf64_Sym);
	return true;
}

bool
elf_symbol_get(const struct elf_symbols *s, size_t i, Elf64_Sym *out, struct str *name)
{
	assert(i < s->n);
	memcpy(out, s->table.p + i * sizeof(*out), sizeof(*out));
	return string_at(s->strings, out->st_name, name);
}

const u8 *
elf_loaded(struct str image, u64 addr, u64 n)
{
	Elf64_Ehdr h;
	if (!header(image, &h) || h.e_phentsize != sizeof(Elf64_Phdr) || h.e_phoff > image.n)
		return NULL;
	for (size_t i = 0; i < h.e_phnum; i++) {
		Elf64_Phdr ph;
		const void *p = elf_bytes(image, h.e_phoff + i * sizeof(ph), sizeof(ph));
		if (p == NULL)
			return NULL;
		memcpy(&ph, p, sizeof(ph));
		if (ph.p_type == PT_LOAD && addr >= ph.p_vaddr &&
			addr - ph.p_vaddr <= ph.p_filesz &&
			n <= ph.p_filesz - (addr - ph.p_vaddr) && ph.p_offset <= image.n)
			return elf_bytes(image, ph.p_offset + (addr - ph.p_vaddr), n);
	}
	return NULL;
}

bool
elf_note_next(struct str notes, size_t *at, struct elf_note *out, bool *bad)
{
	Elf64_Nhdr h;
	*bad = false;
	size_t left = notes.n - *at;
	if (left == 0)
		return false;
	*bad = true;
	if (left < sizeof(h))
		return false;
	memcpy(&h, notes.p + *at, sizeof(h));
	u64 name = ((u64)h.n_namesz + 3) & ~3ull, desc = ((u64)h.n_descsz + 3) & ~3ull;
	if (name > left - sizeof(h) || h.n_descsz > left - sizeof(h) - name)
		return false;
	const char *p = notes.p + *at + sizeof(h);
	*out = (struct elf_note){
		.name = {p, h.n_namesz != 0 ? h.n_namesz - 1 : 0}, /* without its NUL */
		.desc = {p + name, h.n_descsz},
		.type = h.n_type,
	};
	u64 step = sizeof(h) + name + desc; /* the last note may lack its padding */
	*at += step < left ? step : left;
	*bad = false;
	return true;
}
