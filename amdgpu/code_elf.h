/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* code_elf.h - what the files of the code object reader share: bounded views of an ELF64 file. */
#ifndef HEDDLE_CODE_ELF_H
#define HEDDLE_CODE_ELF_H

#include "amdgpu/code.h"
#include <elf.h>

/* `n` bytes at offset `at` of the file; NULL when they are not all there. */
const void *elf_bytes(struct str image, u64 at, u64 n);

/* How many sections the file says it has; SIZE_MAX when the file is too short to say it. */
size_t elf_section_count(struct str image);

/* Section headers; false at the end, and for a header that cannot be read. Start with *i = 0. */
bool elf_section_next(struct str image, size_t *i, Elf64_Shdr *out);
/* The contents of a section, empty for SHT_NOBITS; false when they leave the file. */
bool elf_section_bytes(struct str image, const Elf64_Shdr *s, struct str *out);
/* The name of a section, empty when it has none. */
struct str elf_section_name(struct str image, const Elf64_Shdr *s);
/* The first section of a type (name NULL) or of a name. */
bool elf_section_find(struct str image, u32 type, const char *name, Elf64_Shdr *out);

/* A symbol table and its strings. */
struct elf_symbols {
	struct str table, strings;
	size_t n;
};
bool elf_symbols_open(struct str image, u32 type, struct elf_symbols *out); /* false: none or broken */
/* Symbol `i` < n; false when its name leaves the string table. */
bool elf_symbol_get(const struct elf_symbols *s, size_t i, Elf64_Sym *out, struct str *name);

/* `n` bytes of the file at virtual address `addr`, if a PT_LOAD segment holds them all. */
const u8 *elf_loaded(struct str image, u64 addr, u64 n);

/* Steps through the notes of `notes`; false at the end. *bad: the rest is cut off. */
struct elf_note {
	struct str name, desc;
	u32 type;
};
bool elf_note_next(struct str notes, size_t *at, struct elf_note *out, bool *bad);

/* Fills the kernels of *c from the metadata note. Symbols must have been read. */
enum code_status code_metadata_read(struct arena *a, struct str metadata, struct code_object *c);

#endif
