/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * LINK: amdgpu base
 *
 * Any bytes as .debug_line and .debug_line_str (the byte at the start says where the first ends), in an
 * ELF file made around them.
 */
#include "amdgpu/code.h"
#include <elf.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const u8 *p, size_t n);

int
LLVMFuzzerTestOneInput(const u8 *p, size_t n)
{
	static const char names[] = "\0.debug_line\0.debug_line_str";
	if (n < 9)
		return 0;
	u64 addr, cut = 9 + (n - 9) * p[0] / 255, start = sizeof(Elf64_Ehdr) + sizeof(names);
	memcpy(&addr, p + 1, sizeof(addr));
	u64 size = start + (n - 9), total = size + 4 * sizeof(Elf64_Shdr);
	char *image = malloc(total);
	Elf64_Ehdr h = {
		.e_shoff = size, .e_shentsize = sizeof(Elf64_Shdr), .e_shnum = 4, .e_shstrndx = 3};
	Elf64_Shdr s[4] = {
		{.sh_type = SHT_NULL},
		{.sh_type = SHT_PROGBITS, .sh_name = 1, .sh_offset = start, .sh_size = cut - 9},
		{.sh_type = SHT_PROGBITS,
			.sh_name = 13,
			.sh_offset = start + cut - 9,
			.sh_size = n - cut},
		{.sh_type = SHT_STRTAB, .sh_offset = sizeof(h), .sh_size = sizeof(names)},
	};
	memcpy(image, &h, sizeof(h));
	memcpy(image + sizeof(h), names, sizeof(names));
	memcpy(image + start, p + 9, n - 9);
	memcpy(image + size, s, sizeof(s));
	struct arena a = {0};
	struct code_object c = {.image = {image, total}};
	struct code_line l = code_line_find(&a, &c, addr & 0xffff);
	if (l.file == NULL || strlen(l.file) > 2 * n + 1)
		abort();
	arena_free(&a);
	free(image);
	return 0;
}
