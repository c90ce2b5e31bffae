/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * vectors.c - raw gfx1100 programs with the state they must leave, one JSON object a line:
 * {"test", "grid", "block", "rsrc2", "scratch", "code" (hex), "out" (hex)}. kernarg[0] points to a buffer that
 * must equal `out` at the end: v0 to v15 of each lane, then s0 to s15, vcc, scc, exec. The programs of a
 * file named *alu* run with f32 denormals flushed. Transcendental results may differ by one ulp.
 */
#include "amdgpu/exec/tool/vectors.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct vector {
	char test[160];
	u32 grid[3], block[3], rsrc2, scratch;
	u8 *code, *out;
	size_t ncode, nout;
};

static const char *
field(const char *line, const char *name)
{
	char key[32];
	snprintf(key, sizeof(key), "\"%s\":", name);
	const char *p = strstr(line, key);
	if (p == NULL)
		return NULL;
	for (p += strlen(key); *p == ' ' || *p == '"' || *p == '['; p++)
		continue;
	return p;
}

static u8 *
hex(const char *p, size_t *n)
{
	*n = strspn(p, "0123456789abcdef") / 2;
	u8 *b = malloc(*n + 1);
	for (size_t i = 0; b != NULL && i < *n; i++) {
		char t[3] = {p[2 * i], p[2 * i + 1], 0};
		b[i] = (u8)strtoul(t, NULL, 16);
	}
	return b;
}

static bool
vector_read(const char *line, struct vector *v)
{
	const char *test = field(line, "test"), *grid = field(line, "grid"),
		   *block = field(line, "block"), *rsrc2 = field(line, "rsrc2"),
		   *scratch = field(line, "scratch"), *code = field(line, "code"),
		   *out = field(line, "out");
	if (!test || !grid || !block || !rsrc2 || !scratch || !code || !out)
		return false;
	snprintf(v->test, sizeof(v->test), "%.*s", (int)strcspn(test, "\""), test);
	for (int k = 0; k < 3; k++) {
		v->grid[k] = (u32)strtoul(grid, (char **)&grid, 10);
		v->block[k] = (u32)strtoul(block, (char **)&block, 10);
		grid += strspn(grid, ", ");
		block += strspn(block, ", ");
	}
	v->rsrc2 = (u32)strtoul(rsrc2, NULL, 10);
	v->scratch = (u32)strtoul(scratch, NULL, 10);
	v->code = hex(code, &v->ncode);
	v->out = hex(out, &v->nout);
	return v->code != NULL && v->out != NULL;
}

/* A kernel as in a code object: descriptor, then the code. */
enum { CODE_AT = 256 };

static void
descriptor_put(u8 *p, const struct vector *v, u32 mode)
{
	u32 rsrc1 = 31 | mode << 12 | 1u << 21 | 1u << 23, zero[3] = {65536, v->scratch, 0};
	u64 entry = CODE_AT;
	u16 props = 8 | 1u << 10;
	memcpy(p, zero, 12);
	memcpy(p + 16, &entry, 8);
	memcpy(p + 48, &rsrc1, 4);
	memcpy(p + 52, &v->rsrc2, 4);
	memcpy(p + 56, &props, 2);
	memcpy(p + CODE_AT, v->code, v->ncode);
}

static bool
near_enough(const char *test, u32 a, u32 b)
{
	static const char *const names[] = {"rcp", "rsq", "sqrt", "exp", "log", "sin", "cos"};
	for (size_t i = 0; i < COUNT(names); i++)
		if (strstr(test, names[i]) != NULL)
			return a - b + 1 <= 2;
	return a == b;
}

/* Empty when the vector holds, else what is different. */
static void
vector_check(const struct target *t, const struct vector *v, u32 mode, char *why, size_t cap)
{
	size_t size = (CODE_AT + v->ncode + 4096) & ~4095ull, nbuf = (v->nout + 4095) & ~4095ull;
	u8 *code = aligned_alloc(4096, size), *out = aligned_alloc(4096, nbuf);
	u64 *kernarg = aligned_alloc(64, 64);
	struct exec_space *s = exec_space_new();
	struct exec_config c = {.threads = 1};
	struct exec *e = exec_new(t, s, &c);
	memset(code, 0, size);
	memset(out, 0, nbuf);
	descriptor_put(code, v, mode);
	kernarg[0] = (u64)(uintptr_t)out;
	exec_space_add(s, (u64)(uintptr_t)code, size, EXEC_MEMORY_CODE | EXEC_MEMORY_DATA);
	exec_space_add(s, (u64)(uintptr_t)out, nbuf, EXEC_MEMORY_DATA);
	exec_space_add(s, (u64)(uintptr_t)kernarg, 64, EXEC_MEMORY_READONLY);
	hsa_kernel_dispatch_packet_t p = {.workgroup_size_x = (u16)v->block[0],
		.workgroup_size_y = (u16)v->block[1],
		.workgroup_size_z = (u16)v->block[2],
		.grid_size_x = v->grid[0] * v->block[0],
		.grid_size_y = v->grid[1] * v->block[1],
		.grid_size_z = v->grid[2] * v->block[2],
		.group_segment_size = 65536,
		.private_segment_size = v->scratch,
		.kernel_object = (u64)(uintptr_t)code,
		.kernarg_address = kernarg};
	struct exec_fault f;
	why[0] = 0;
	if (!exec_run(e, &p, 0, &f, NULL)) {
		snprintf(why, cap, "fault: %s", f.what);
	} else {
		for (size_t i = 0; i + 4 <= v->nout && why[0] == 0; i += 4) {
			u32 got, want;
			memcpy(&got, out + i, 4);
			memcpy(&want, v->out + i, 4);
			u32 lanes = v->nout > 4000 ? 64 : 32;
			if (!near_enough(v->test, got, want))
				snprintf(why, cap, "word %zu (v%zu lane %zu) is %08x, not %08x",
					i / 4, i / 4 / lanes, i / 4 % lanes, got, want);
		}
	}
	exec_free(e);
	exec_space_free(s);
	free(kernarg);
	free(out);
	free(code);
}

static const char *
excepted(const char *list, const char *test)
{
	size_t n = strlen(test);
	for (const char *p = list; p != NULL && (p = strstr(p, test)) != NULL; p += n)
		if ((p == list || p[-1] == '\n') && (p[n] == ' ' || p[n] == '\t'))
			return p + n + 1;
	return NULL;
}

int
vectors_run(const struct target *t, const char *file, const char *except)
{
	size_t n, count = 0, known = 0;
	int bad = 0;
	char *text = file_read(file, &n), *list = except ? file_read(except, &n) : NULL,
	     *save = NULL;
	if (text == NULL || (except != NULL && list == NULL))
		return -1;
	u32 mode = strstr(file, "alu") != NULL ? 0xc0 : 0xf0;
	for (char *line = strtok_r(text, "\n", &save); line != NULL;
		line = strtok_r(NULL, "\n", &save)) {
		struct vector v = {0};
		char why[240] = "not a vector";
		if (vector_read(line, &v))
			vector_check(t, &v, mode, why, sizeof(why));
		bool except_this = excepted(list, v.test) != NULL;
		count++;
		known += why[0] != 0 && except_this;
		if ((why[0] != 0) != except_this) {
			printf("%s: %s\n", v.test,
				why[0] ? why : "agrees, but is listed as an exception");
			bad++;
		}
		free(v.code);
		free(v.out);
	}
	printf("%zu vectors, %zu known to disagree, %d surprises\n", count, known, bad);
	free(list);
	free(text);
	return bad;
}
