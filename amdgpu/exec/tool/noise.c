/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * noise.c - runs what nobody meant to be run: each run must come back, with or without a fault.
 *
 *   bytes   a kernel descriptor with random fields before random code, on one target after the other. A third
 *           is plain random bytes, a third instructions that the target has (random words that decode), a third
 *           those that the executor has, too, and that do not end a run early: few accesses of memory, no far jumps
 *   code    a kernel of a code object, with 1 to 8 bits of the code flipped, most of them in this kernel
 *   file    the same with the bits anywhere in the file, which is read and loaded anew
 *
 * Everything follows from the seed: run number `k` is made from it alone, so a run that fails can be repeated
 * by "SEED:k" as seed with the count 1. Buffers stand between pages that nobody may touch, so an access that the
 * executor should have caught ends the process.
 */
#include "amdgpu/exec/tool/noise.h"
#include "amdgpu/code.h"
#include "amdgpu/exec/wave.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
	PAGE = 4096,
	BUFFERS = 4,
	BUFFER = 16384,
	KERNARG = 4096,
	CODE = 4096, /* of random kernels */
	CODE_MOST = 64 << 20,
	LIMIT = 20000, /* instructions of a run */
	RENEW = 500, /* runs of a device: its constants are never forgotten */
	KINDS = EXEC_FAULT_WAIT + 1
};

struct noise {
	u64 random;
	struct exec_space *space;
	struct exec *exec;
	const struct target *target; /* of `exec` */
	struct gcn_decoder *decoder[2];
	u32 used; /* runs of `exec` */
	u8 *buffer[BUFFERS], *kernarg, *packet;
	u64 ended[KINDS];
};

static u32
pick(struct noise *z, u32 n)
{
	z->random ^= z->random << 13;
	z->random ^= z->random >> 7;
	z->random ^= z->random << 17;
	return (u32)((z->random >> 32) * n >> 32);
}

static u32
word(struct noise *z)
{
	return pick(z, 0xffff) << 16 | pick(z, 0x10000);
}

static void
fill(struct noise *z, u8 *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		p[i] = (u8)pick(z, 256);
}

/* n bytes that end where a page that cannot be touched begins, and another such page before them. */
static u8 *
guarded(size_t n)
{
	size_t pages = (n + PAGE - 1) & ~(size_t)(PAGE - 1);
	u8 *p = mmap(NULL, pages + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
		-1, 0);
	if (p == MAP_FAILED || mprotect(p + PAGE, pages, PROT_READ | PROT_WRITE) != 0)
		return NULL;
	return p + PAGE;
}

static void
guarded_free(u8 *p, size_t n)
{
	if (p != NULL)
		munmap(p - PAGE, ((n + PAGE - 1) & ~(size_t)(PAGE - 1)) + 2 * PAGE);
}

static bool
begin(struct noise *z)
{
	z->space = exec_space_new();
	z->kernarg = guarded(KERNARG);
	z->packet = guarded(PAGE);
	if (z->space == NULL || z->kernarg == NULL || z->packet == NULL)
		return false;
	for (u32 k = 0; k < BUFFERS; k++) {
		z->buffer[k] = guarded(BUFFER);
		if (z->buffer[k] == NULL || !exec_space_add(z->space, (u64)(uintptr_t)z->buffer[k],
						    BUFFER, EXEC_MEMORY_DATA))
			return false;
	}
	return exec_space_add(
		       z->space, (u64)(uintptr_t)z->kernarg, KERNARG, EXEC_MEMORY_READONLY) &&
	       exec_space_add(z->space, (u64)(uintptr_t)z->packet, PAGE, EXEC_MEMORY_READONLY);
}

static void
device_end(struct noise *z)
{
	exec_free(z->exec);
	gcn_decoder_free(z->decoder[0]);
	gcn_decoder_free(z->decoder[1]);
	z->exec = NULL;
	z->decoder[0] = z->decoder[1] = NULL;
}

static bool
device(struct noise *z, const struct target *t)
{
	struct exec_config c = {.threads = 1, .limit = LIMIT};
	const char *why;
	if (z->exec != NULL && z->target == t && z->used++ < RENEW)
		return true;
	device_end(z);
	z->exec = exec_new(t, z->space, &c);
	z->target = t;
	z->used = 0;
	z->decoder[0] = gcn_decoder_new_wave(t, t->major >= 10 ? 32 : 64, &why);
	z->decoder[1] = gcn_decoder_new_wave(t, 64, &why);
	return z->exec != NULL && z->decoder[0] != NULL && z->decoder[1] != NULL;
}

static void
end(struct noise *z)
{
	device_end(z);
	for (u32 k = 0; k < BUFFERS; k++)
		guarded_free(z->buffer[k], BUFFER);
	guarded_free(z->kernarg, KERNARG);
	guarded_free(z->packet, PAGE);
	exec_space_free(z->space);
}

static void
launch(struct noise *z, u64 descriptor, u32 block, u32 lds, u32 private)
{
	hsa_kernel_dispatch_packet_t *p = (void *)z->packet;
	struct exec_fault f;
	memset(p, 0, sizeof(*p));
	p->header = HSA_PACKET_TYPE_KERNEL_DISPATCH << HSA_PACKET_HEADER_TYPE;
	p->setup = 1;
	p->workgroup_size_x = (u16)block;
	p->grid_size_x = 2 * block - pick(z, block);
	p->workgroup_size_y = p->workgroup_size_z = 1;
	p->grid_size_y = p->grid_size_z = 1;
	p->group_segment_size = lds;
	p->private_segment_size = private;
	p->kernel_object = descriptor;
	p->kernarg_address = z->kernarg;
	for (u32 k = 0; k < BUFFERS; k++)
		for (u32 i = 0; i < BUFFER; i += 4)
			memcpy(z->buffer[k] + i, &(u32){i / 4 % 61}, 4);
	exec_run(z->exec, p, 0, &f, NULL);
	z->ended[f.kind]++;
}

/* --- random code -------------------------------------------------------------------------------- */

static bool
starts_with_one(const char *s, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strncmp(s, list[i], strlen(list[i])) == 0)
			return true;
	return false;
}

/* Whether the executor has the instruction. */
static bool
understood(struct noise *z, struct gcn_decoder *d, const u8 *p, size_t n, u32 wave)
{
	struct arena a = {0};
	struct region r = {.base = (u64)(uintptr_t)p, .size = n, .wave = wave};
	struct block b = {.e = z->exec, .r = &r, .pc = r.base};
	struct gcn_inst i;
	const char *why;
	memset(&i, 0, sizeof(i));
	bool ok = gcn_read(d, &a, p, n, r.base, &i, &why);
	if (ok)
		translate(&b, &i);
	for (size_t k = 0; k < b.n; k++)
		ok &= b.p[k].code != U_BAD;
	free(b.p);
	arena_free(&r.arena);
	arena_free(&a);
	return ok && !b.failed;
}

/* Instructions of the target, one after the other; returns the bytes. */
static u32
instructions(struct noise *z, u8 *p, u32 most, u32 wave, bool gentle)
{
	struct gcn_decoder *d = z->decoder[wave == 64];
	static const char *const far[] = {"global_", "flat_", "buffer_", "scratch_", "s_load",
		"s_buffer", "s_endpgm", "s_trap", "s_sethalt", "s_setpc", "s_swappc", "s_call",
		"s_rfe", "tbuffer_", "image_", "s_store", "s_scratch", "s_atomic", "s_dcache"};
	static const char *const jumps[] = {"s_branch", "s_cbranch"};
	u32 n = 0;
	char text[256];
	while (n + 20 < most) {
		u8 one[24];
		fill(z, one, sizeof(one));
		size_t size = gcn_decode(d, one, sizeof(one), 0, text, sizeof(text));
		if (size == 0)
			continue;
		if (gentle && ((starts_with_one(text, far, COUNT(far)) && pick(z, 64) != 0) ||
				      !understood(z, d, one, size, wave)))
			continue;
		if (starts_with_one(text, jumps, COUNT(jumps))) {
			u16 to = (u16)(pick(z, 24) - 12);
			memcpy(one, &to, 2);
		}
		memcpy(p + n, one, size);
		n += (u32)size;
	}
	return n;
}

static void
run_bytes(struct noise *z, u32 k)
{
	const struct target *t = target_get((enum target_id)(k / 32 % TARGET_COUNT));
	if (!device(z, t))
		return;
	u8 *p = guarded(CODE);
	u32 private = pick(z, 2) * pick(z, 64) * 4, lds = pick(z, t->lds + 1), how = pick(z, 3);
	u64 entry = 256;
	fill(z, p, CODE);
	memcpy(p, &(u32){pick(z, lds + 1)}, 4);
	memcpy(p + 4, &private, 4);
	memcpy(p + 16, &entry, 8);
	u32 rsrc1 = word(z), rsrc2 = word(z), props = pick(z, 128) | pick(z, 2) << 10;
	if (pick(z, 16) != 0)
		rsrc1 &= ~(1u << 26); /* FP16_OVFL: refused */
	memcpy(p + 48, &rsrc1, 4);
	memcpy(p + 52, &rsrc2, 4);
	memcpy(p + 56, &props, 4);
	if (how > 0) {
		u32 wave = t->major >= 10 && props >> 10 & 1 ? 32 : 64;
		u32 n = instructions(z, p + entry, 64 + pick(z, CODE - 1024), wave, how == 2);
		u32 ends = t->major >= 11 ? 0xbfb00000 : 0xbf810000;
		memcpy(p + entry + n, &ends, 4);
	}
	for (u32 i = 0; i < KERNARG; i += 8)
		memcpy(z->kernarg + i, &z->buffer[pick(z, BUFFERS)], 8);
	if (exec_space_add(z->space, (u64)(uintptr_t)p, CODE, EXEC_MEMORY_DATA | EXEC_MEMORY_CODE)) {
		launch(z, (u64)(uintptr_t)p, 1 + pick(z, 128), lds, private);
		exec_code_drop(z->exec, (u64)(uintptr_t)p, CODE);
		exec_space_del(z->space, (u64)(uintptr_t)p);
	}
	guarded_free(p, CODE);
}

/* --- flipped bits --------------------------------------------------------------------------------- */

static void
flip(struct noise *z, u8 *p, u64 n)
{
	for (u32 k = 1 + pick(z, 8); k > 0; k--)
		p[pick(z, (u32)n)] ^= (u8)(1u << pick(z, 8));
}

/* Arguments that a kernel may make sense of: buffers for what is as wide as a pointer, small numbers else. */
static void
arguments(struct noise *z, const struct code_kernel *kernel, u32 block)
{
	memset(z->kernarg, 0, KERNARG);
	for (size_t i = 0; i < kernel->nargs; i++) {
		const struct code_arg *a = &kernel->args[i];
		u64 v = 1 + pick(z, 64);
		if (a->kind == CODE_ARG_hidden_group_size_x)
			v = block;
		else if (a->kind >= CODE_ARG_hidden_block_count_x &&
			 a->kind <= CODE_ARG_hidden_group_size_z)
			v = a->kind == CODE_ARG_hidden_block_count_x ? 2 : 1;
		else if (i >= kernel->nexplicit)
			continue;
		else if (a->size == 8)
			v = (u64)(uintptr_t)z->buffer[pick(z, BUFFERS)];
		u32 n = a->size < 8 ? a->size : 8;
		if (a->offset <= KERNARG - 8)
			memcpy(z->kernarg + a->offset, &v, n);
	}
}

/* Where the kernel's own code stands in the image: up to the next function. */
static u64
kernel_end(const struct code_object *c, u64 entry)
{
	u64 to = c->high;
	for (size_t i = 0; i < c->nsymbols; i++)
		if (c->symbols[i].is_function && c->symbols[i].addr > entry &&
			c->symbols[i].addr < to)
			to = c->symbols[i].addr;
	return to;
}

static void
run_image(struct noise *z, const char *image, size_t n, bool in_code)
{
	struct arena a = {0};
	struct code_object c;
	struct str missing;
	u8 *p = NULL;
	u64 size = 0;
	if (code_read(&a, (struct str){image, n}, &c) != CODE_OK || c.nkernels == 0)
		goto refused;
	size = c.high - c.low;
	if (size == 0 || size > CODE_MOST || !device(z, c.target))
		goto refused;
	p = guarded(size);
	if (p == NULL || code_load(&c, p, (u64)(uintptr_t)p, NULL, NULL, &missing) != CODE_OK)
		goto refused;
	const struct code_kernel *k = &c.kernels[pick(z, (u32)c.nkernels)];
	u32 block = k->max_threads > 0 && k->max_threads < 128 ? k->max_threads : 32 + pick(z, 97);
	arguments(z, k, block);
	u64 from = k->entry - c.low, to = kernel_end(&c, k->entry) - c.low;
	if (in_code && from < size)
		flip(z, p + from, to - from < 4 * 4096 ? to - from : 4 * 4096);
	u64 base = (u64)(uintptr_t)p;
	if (exec_space_add(z->space, base, size, EXEC_MEMORY_DATA | EXEC_MEMORY_CODE)) {
		launch(z, base + (k->descriptor - c.low), block, k->group_size + 256,
			k->private_size + (k->dynamic_stack ? 1024 : 0));
		exec_code_drop(z->exec, base, size);
		exec_space_del(z->space, base);
	}
	guarded_free(p, size);
	arena_free(&a);
	return;
refused:
	guarded_free(p, size);
	arena_free(&a);
	z->ended[EXEC_FAULT_PACKET]++;
}

/* --- the runs ---------------------------------------------------------------------------------------- */

struct file {
	char *p;
	size_t n;
};

static bool
one(struct noise *z, const char *mode, u32 k, const struct file *f, u32 nfiles)
{
	if (strcmp(mode, "bytes") == 0) {
		run_bytes(z, k);
		return true;
	}
	f += k / 16 % nfiles; /* some runs with one: its device is there */
	char *copy = malloc(f->n);
	if (copy == NULL)
		return false;
	memcpy(copy, f->p, f->n);
	bool in_code = strcmp(mode, "code") == 0;
	if (!in_code)
		flip(z, (u8 *)copy, f->n);
	run_image(z, copy, f->n, in_code);
	free(copy);
	return true;
}

static void
report(const struct noise *z, u32 count)
{
	static const char *const names[KINDS] = {"to their end", "address", "misaligned", "shared",
		"private", "instruction", "trap", "pc", "deadlock", "limit", "packet or file",
		"memory", "wait"};
	u64 sum = 0;
	for (u32 k = 0; k < KINDS; k++)
		sum += z->ended[k];
	printf("%u runs, %" PRIu64 " came back:", count, sum);
	for (u32 k = 0; k < KINDS; k++)
		if (z->ended[k] != 0)
			printf(" %s %" PRIu64 "%s", names[k], z->ended[k], k + 1 < KINDS ? "," : "");
	printf("\n");
}

int
noise_run(int argc, char **argv)
{
	struct noise z = {0};
	struct file files[64];
	u32 nfiles = 0, first = 0;
	char *rest;
	bool ok = argc >= 3;
	u64 seed = ok ? strtoull(argv[1], &rest, 0) : 0;
	if (ok && *rest == ':')
		first = (u32)strtoul(rest + 1, NULL, 0);
	u32 count = ok ? (u32)strtoul(argv[2], NULL, 0) : 0;
	for (int i = 3; ok && i < argc && nfiles < COUNT(files); i++) {
		files[nfiles].p = file_read(argv[i], &files[nfiles].n);
		ok = files[nfiles].p != NULL && files[nfiles].n > 0;
		nfiles++;
	}
	ok = ok && (nfiles > 0 || strcmp(argv[0], "bytes") == 0);
	if (!ok || !begin(&z)) {
		fprintf(stderr, "gcn-run: --noise bytes|code|file SEED[:FIRST] COUNT [FILE…]\n");
		return 1;
	}
	bool verbose = getenv("NOISE_VERBOSE") != NULL;
	for (u32 k = first; k < first + count && ok; k++) {
		z.random = (seed + 1) * 0x9e3779b97f4a7c15u ^ ((u64)k + 1) * 0xd1342543de82ef95u;
		for (u32 i = 0; i < 8; i++)
			pick(&z, 2);
		if (verbose)
			fprintf(stderr, "%s %" PRIu64 ":%u\n", argv[0], seed, k);
		ok = one(&z, argv[0], k, files, nfiles);
	}
	report(&z, count);
	end(&z);
	while (nfiles > 0)
		free(files[--nfiles].p);
	return ok ? 0 : 1;
}
