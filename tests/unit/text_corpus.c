/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * LINK: exec amdgpu base
 * NEEDS: tier-default
 *
 * The whole device library, compiled by clang for one GPU of each kind: every instruction is decoded
 * from its bytes as the executor does it (gcn_read), parsed, and printed back unchanged.
 */
#include "amdgpu/exec/inst.h"
#include "clang_run.h"
#include <elf.h>
#include <unistd.h>

static const char *const gpus[] = {"gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1201"};

/* The compiled library; its functions are kept although nobody calls them. The backend has no native
 * sine and the like in double: functions around those are left out. */
static char *
compile(struct arena *a, const char *dir, const char *gpu)
{
	const char *build = getenv("HEDDLE_BUILD"), *llvm = ninja_value(a, "llvm");
	char *out = arena_printf(a, "%s/%s.o", dir, gpu);
	char *command = arena_printf(a,
		"%s/bin/llvm-dis %s/lib/heddle/device.bc -o - | "
		"sed -E -e '/^define.*_native_.*_f64/,/^}/d' -e "
		"'s/\"(target-cpu|target-features|amdgpu-[a-z-]*)\"(=\"[^\"]*\")?//g' | "
		"%s/bin/clang -x ir - -target amdgcn-amd-amdhsa -mcpu=%s -O2 -nogpulib "
		"-Wno-override-module -c -o %s",
		llvm, build, llvm, gpu, out);
	if (system(command) == 0)
		return out;
	fprintf(stderr, "failed: %s\n", command);
	return NULL;
}

static bool
check_one(struct gcn_decoder *d, struct arena *a, const u8 *p, size_t n, size_t at, size_t *size)
{
	struct gcn_inst i;
	const char *why;
	struct buf b = {0};
	bool ok = gcn_read(d, a, p, n, at, &i, &why);
	if (!ok) {
		char text[512];
		*size = gcn_decode(d, p, n, at, text, sizeof(text));
		fprintf(stderr, "%zx: %s: '%s'\n", at, why, text);
		*size = *size != 0 ? *size : 4;
		return false;
	}
	*size = i.bytes;
	gcn_print(&b, &i);
	ok = str_eq((struct str){(char *)b.p, b.n}, i.text);
	if (!ok)
		fprintf(stderr, "%.*s\nprinted %.*s\n", (int)i.text.n, i.text.p, (int)b.n,
			(char *)b.p);
	buf_free(&b);
	return ok;
}

static int
check(const char *gpu, const char *object)
{
	const char *why;
	size_t n;
	int failures = 0;
	u32 seen = 0;
	struct arena a = {0};
	struct gcn_decoder *d = gcn_decoder_new(target_find(str_of(gpu)), &why);
	char *image = file_read(object, &n);
	if (d == NULL || image == NULL) {
		fprintf(stderr, "%s\n", d == NULL ? why : object);
		return 1;
	}
	Elf64_Ehdr h;
	memcpy(&h, image, sizeof(h));
	for (u16 k = 0; k < h.e_shnum; k++) {
		Elf64_Shdr s;
		memcpy(&s, image + h.e_shoff + k * sizeof(s), sizeof(s));
		size_t size = 4;
		for (size_t at = 0;
			s.sh_type == SHT_PROGBITS && (s.sh_flags & SHF_EXECINSTR) && at < s.sh_size;
			at += size) {
			failures += !check_one(
				d, &a, (u8 *)image + s.sh_offset + at, s.sh_size - at, at, &size);
			seen++;
			arena_free(&a);
		}
	}
	printf("%s: %u instructions\n", gpu, seen);
	free(image);
	gcn_decoder_free(d);
	return failures + (seen < 20000);
}

int
main(void)
{
	struct arena a = {0};
	char *dir = temporary(&a);
	int failures = 0;
	for (size_t i = 0; i < COUNT(gpus); i++) {
		char *object = compile(&a, dir, gpus[i]);
		failures += object == NULL || check(gpus[i], object) != 0;
		if (object != NULL)
			remove(object);
	}
	rmdir(dir);
	arena_free(&a);
	return failures != 0;
}
