/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * parts.c - finds device code that waits for its link (-rdc=true) in objects and archives of the host.
 * An object holds one fat binary of bitcode in section .llvm.offloading, which the host's linker drops.
 * Of archives the two forms of ar's names are read: "name/" and "/offset" into member "//".
 */
#include "amdgpu/code_elf.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECTION  ".llvm.offloading"
#define AR_MAGIC "!<arch>\n"
#define AR_THIN  "!<thin>\n"

struct ar_header {
	char name[16], date[12], uid[6], gid[6], mode[8], size[10], end[2];
};

static enum code_status
section_parts(struct str member, struct str bytes, code_part_fn *each, void *user)
{
	struct fatbin_iter it = {.p = (const u8 *)bytes.p, .n = bytes.n};
	for (bool done = bytes.n == 0; !done;) {
		struct fatbin_image part;
		enum code_status s = fatbin_next(&it, &part, &done);
		if (s != CODE_OK)
			return s;
		if (!done && part.kind == FATBIN_BITCODE && str_starts(part.triple, "amdgcn") &&
			!each(user, member, &part))
			break;
	}
	return CODE_OK;
}

static enum code_status
object_parts(struct str member, struct str file, code_part_fn *each, void *user)
{
	Elf64_Shdr section;
	struct str bytes;
	if (file.n < sizeof(Elf64_Ehdr) || memcmp(file.p, ELFMAG, SELFMAG) != 0 ||
		file.p[EI_CLASS] != ELFCLASS64)
		return CODE_OK;
	for (size_t i = 0; elf_section_next(file, &i, &section);) {
		if (!str_is(elf_section_name(file, &section), SECTION))
			continue;
		if (!elf_section_bytes(file, &section, &bytes))
			return CODE_BAD_ELF;
		enum code_status s = section_parts(member, bytes, each, user);
		if (s != CODE_OK)
			return s;
	}
	return CODE_OK;
}

/* A number of blanks-padded text; SIZE_MAX when it is none. */
static size_t
number(const char *p, size_t n)
{
	size_t v = 0, i = 0;
	for (; i < n && p[i] >= '0' && p[i] <= '9'; i++)
		v = v * 10 + (size_t)(p[i] - '0');
	return i ? v : SIZE_MAX;
}

static struct str
member_name(const struct ar_header *h, struct str names)
{
	struct str s = {h->name, sizeof h->name};
	if (s.p[0] == '/' && s.p[1] >= '0' && s.p[1] <= '9') {
		size_t at = number(s.p + 1, s.n - 1);
		if (at >= names.n)
			return (struct str){0};
		s = (struct str){names.p + at, names.n - at};
		const char *end = memchr(s.p, '\n', s.n);
		s.n = end ? (size_t)(end - s.p) : s.n;
		s.n -= s.n && s.p[s.n - 1] == '/';
		return s;
	}
	return str_split(&s, '/');
}

/* A member of a thin archive is a file beside it. */
static enum code_status
thin_member(const char *archive, struct str name, code_part_fn *each, void *user)
{
	struct buf path = {0};
	const char *slash = strrchr(archive, '/');
	size_t n;
	if (name.n && name.p[0] != '/' && slash)
		buf_add(&path, archive, (size_t)(slash - archive) + 1);
	buf_add(&path, name.p, name.n);
	buf_zero(&path, 1);
	char *bytes = path.failed ? NULL : file_read((const char *)path.p, &n);
	enum code_status s =
		bytes ? object_parts(name, (struct str){bytes, n}, each, user) : CODE_BAD_ELF;
	free(bytes);
	buf_free(&path);
	return s;
}

static enum code_status
archive_parts(const char *path, struct str file, bool thin, code_part_fn *each, void *user)
{
	struct str names = {0};
	for (size_t at = strlen(AR_MAGIC); file.n - at >= sizeof(struct ar_header);) {
		const struct ar_header *h =
			(const struct ar_header *)(file.p + at); /* characters only */
		at += sizeof *h;
		size_t n = number(h->size, sizeof h->size);
		bool table = h->name[0] == '/' && (h->name[1] == ' ' || h->name[1] == '/' ||
							  memcmp(h->name, "/SYM64/", 7) == 0);
		bool here = !thin || table;
		if (n == SIZE_MAX || (here && n > file.n - at))
			return CODE_BAD_ELF;
		enum code_status s = CODE_OK;
		if (table && h->name[1] == '/')
			names = (struct str){file.p + at, n};
		else if (!table && thin)
			s = thin_member(path, member_name(h, names), each, user);
		else if (!table)
			s = object_parts(
				member_name(h, names), (struct str){file.p + at, n}, each, user);
		if (s != CODE_OK)
			return s;
		if (here)
			at += n + (n & 1);
		if (at > file.n)
			break;
	}
	return CODE_OK;
}

enum code_status
code_parts(const char *path, struct str file, code_part_fn *each, void *user)
{
	if (str_starts(file, AR_MAGIC))
		return archive_parts(path, file, false, each, user);
	if (str_starts(file, AR_THIN))
		return archive_parts(path, file, true, each, user);
	return object_parts((struct str){0}, file, each, user);
}
