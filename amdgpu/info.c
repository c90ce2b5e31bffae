/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * info.c - what `heddle info FILE` says: the code objects of a file and their kernels. FILE may be a
 * code object, a fat binary, or an ELF file of the host (object, executable, library) that carries fat
 * binaries in section .nv_fatbin.
 */
#include "amdgpu/code_elf.h"
#include <string.h>

#define FATBIN_SECTION ".nv_fatbin"
#define PARTS_SECTION  ".llvm.offloading" /* what is not linked yet: parts.c */
#define MACHINE_AMDGPU 224

static const char *
mode_text(enum heddle_warp_mode m)
{
	switch (m) {
	case HEDDLE_WARP_UNKNOWN:
		return "unknown";
	case HEDDLE_WARP_WAVE32:
		return "wave32";
	case HEDDLE_WARP_PAIRED:
		return "paired";
	case HEDDLE_WARP_SOLO:
		return "solo";
	case HEDDLE_WARP_NATIVE:
		return "native";
	}
	return "unknown";
}

static void
kernel_print(struct buf *b, const struct code_kernel *k)
{
	buf_printf(b, "  kernel %.*s\n", (int)k->name.n, k->name.p);
	buf_printf(b, "    registers %u vector, %u scalar", k->vgprs, k->sgprs);
	if (k->agprs > 0)
		buf_printf(b, " (%u of the vector ones accumulate)", k->agprs);
	if (k->vgpr_spills + k->sgpr_spills > 0)
		buf_printf(b, ", spilled %u vector, %u scalar", k->vgpr_spills, k->sgpr_spills);
	buf_printf(b, "\n    shared %u bytes, local %u bytes a thread%s, arguments %u bytes\n",
		k->group_size, k->private_size, k->dynamic_stack ? " and a dynamic stack" : "",
		k->nexplicit > 0 ? k->args[k->nexplicit - 1].offset + k->args[k->nexplicit - 1].size
				 : 0);
	buf_printf(b, "    wave %u, warps %s, at most %u threads a block\n", k->wave,
		mode_text(k->mode), k->max_block);
	if (k->reason.n > 0)
		buf_printf(b, "    %s because: %.*s\n", mode_text(k->mode), (int)k->reason.n,
			k->reason.p);
}

static enum code_status
code_print(struct buf *b, struct str image)
{
	struct arena a = {0};
	struct code_object c;
	enum code_status s = code_read(&a, image, &c);
	if (s == CODE_OK) {
		buf_printf(b, "code object %s, %s, version %u, %zu bytes, kernels: %zu\n",
			c.target->name, c.target->product, c.abi + 2, image.n, c.nkernels);
		for (size_t i = 0; i < c.nkernels; i++)
			kernel_print(b, &c.kernels[i]);
	}
	arena_free(&a);
	return s;
}

static enum code_status
fatbin_print(struct buf *b, struct fatbin_iter *it)
{
	struct fatbin_image f;
	for (;;) {
		bool done;
		enum code_status s = fatbin_next(it, &f, &done);
		if (s != CODE_OK || done)
			return s;
		buf_printf(b, "image %.*s %.*s: ", (int)f.triple.n, f.triple.p, (int)f.arch.n,
			f.arch.p);
		s = f.kind == 1 || f.kind == 0 ? code_print(b, f.image) : CODE_OK;
		if (s != CODE_OK)
			buf_printf(b, "%s\n", code_status_text(s));
		else if (f.kind > 1)
			buf_printf(
				b, "%s, %zu bytes\n", f.kind == 2 ? "bitcode" : "other", f.image.n);
	}
}

/* A section of a linked program: one fat binary a source file, with zeroes between them. */
static enum code_status
section_print(struct buf *b, struct str bytes)
{
	while (bytes.n > 0) {
		struct fatbin_iter it = {.p = (const u8 *)bytes.p, .n = bytes.n, .open = true};
		if (*bytes.p == 0) {
			bytes = (struct str){bytes.p + 1, bytes.n - 1};
			continue;
		}
		enum code_status s = fatbin_print(b, &it);
		if (s != CODE_OK)
			return s;
		bytes = (struct str){bytes.p + it.at, bytes.n - it.at};
	}
	return CODE_OK;
}

/* The fat binaries of an object of the host. */
static enum code_status
host_print(struct buf *b, struct str file)
{
	Elf64_Shdr section;
	struct str bytes;
	bool any = false;
	size_t i = 0;
	while (elf_section_next(file, &i, &section)) {
		struct str name = elf_section_name(file, &section);
		if (!str_is(name, FATBIN_SECTION) && !str_is(name, PARTS_SECTION))
			continue;
		if (!elf_section_bytes(file, &section, &bytes))
			return CODE_BAD_ELF;
		any = true;
		enum code_status s = section_print(b, bytes);
		if (s != CODE_OK)
			return s;
	}
	if (i != elf_section_count(file))
		return CODE_BAD_ELF;
	if (!any)
		buf_printf(b, "no device code\n");
	return CODE_OK;
}

enum code_status
code_info_print(struct buf *b, struct str file)
{
	u16 machine = 0;
	if (file.n < 4 || memcmp(file.p, ELFMAG, SELFMAG) != 0)
		return file.n > 0 ? fatbin_print(b, &(struct fatbin_iter){.p = (const u8 *)file.p,
							    .n = file.n})
				  : CODE_BAD_FATBIN;
	if (file.n >= sizeof(Elf64_Ehdr))
		memcpy(&machine, file.p + offsetof(Elf64_Ehdr, e_machine), sizeof(machine));
	if (machine == 0 || file.p[EI_CLASS] != ELFCLASS64)
		return CODE_BAD_ELF;
	return machine == MACHINE_AMDGPU ? code_print(b, file) : host_print(b, file);
}
