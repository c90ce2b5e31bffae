/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * rows.c: FOLDER [MUTANTS]. Runs the tests that rows.py wrote to FOLDER: each a kernel, the memory that it gets and the
 * memory that it must leave, or the fault that must stop it. Alone: prints those that fail. With a file of lines "MUTANT N[,N…]" (or "*": all tests):
 * runs those tests with that mutant of the executor, each mutant in a process of its own, and prints "MUTANT
 * killed by NAME" or "MUTANT survived".
 */
#include "amdgpu/code.h"
#include "amdgpu/exec/exec.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BYTES = 1 << 17, SECONDS = 5 };
int mutant_set(const char *id);

struct gpu {
	char name[32];
	struct code_object code;
	struct exec *e;
	u8 *base;
};

struct test {
	char name[96];
	struct gpu *gpu;
	const struct code_kernel *kernel;
	u32 at, dwords; /* in data: before, after, how to compare each dword */
	u32 fault[5];   /* kind (0: it must end well), address (of global memory: from its start), size, store 1 | atomic 2, thread */
};

struct all {
	struct arena arena;
	struct exec_space *space;
	struct gpu gpus[16];
	u32 ngpus, ntests;
	struct test *tests;
	u32 *data, *memory;
	u8 *kernarg;
	hsa_kernel_dispatch_packet_t *packet;
};

static void *
memory(struct exec_space *s, u64 n, enum exec_memory kind)
{
	void *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return p != MAP_FAILED && exec_space_add(s, (u64)(uintptr_t)p, n, kind) ? p : NULL;
}

static struct gpu *
gpu_get(struct all *x, const char *folder, const char *name)
{
	for (u32 i = 0; i < x->ngpus; i++)
		if (strcmp(x->gpus[i].name, name) == 0)
			return &x->gpus[i];
	struct gpu *g = &x->gpus[x->ngpus++];
	char path[4096];
	size_t n;
	struct str missing;
	snprintf(g->name, sizeof(g->name), "%s", name);
	snprintf(path, sizeof(path), "%s/%s.so", folder, name);
	char *image = file_read(path, &n);
	if (image == NULL || code_read(&x->arena, (struct str){image, n}, &g->code) != CODE_OK)
		return NULL;
	g->base = memory(x->space, (g->code.high - g->code.low + 4095) & ~4095ull, EXEC_MEMORY_CODE | EXEC_MEMORY_DATA);
	if (g->base == NULL ||
		code_load(&g->code, g->base, (u64)(uintptr_t)g->base, NULL, NULL, &missing) != CODE_OK)
		return NULL;
	return g;
}

/* --- comparing: one letter a dword ----------------------------------------------------------------------- */

static bool
near(i64 a, i64 b, i64 ulps, i64 inf, i64 sign)
{
	i64 x = a & (sign - 1), y = b & (sign - 1), quiet = (inf & -inf) >> 1;
	if (a == b)
		return true;
	if (x > inf || y > inf)
		return x > inf && y > inf && (quiet == 0 || x & quiet);
	a = a & sign ? -x : x;
	b = b & sign ? -y : y;
	return a - b <= ulps && b - a <= ulps && (ulps != 0 || x == y);
}

static bool
same(const u32 *got, const u32 *want, char how, u32 wave)
{
	u32 high = how == 'd' || how == 'D' ? wave : 1; /* a row of lanes further, or the next dword */
	u64 g = got[0] | (u64)got[high] << 32, w = want[0] | (u64)want[high] << 32;
	switch (how) {
	case '.': /* anything */
		return true;
	case 'f': /* floats: any quiet NaN equals any NaN, -0 is not 0; g: within one ulp */
		return near(*got, *want, 0, 0x7f800000, 0x80000000) && (*got >> 31 == *want >> 31 || (*got & 0x7fffffff) > 0x7f800000);
	case 'g':
		return near(*got, *want, 1, 0x7f800000, 0x80000000);
	case 'a':
	case 'd':
		return near((i64)g, (i64)w, 0, 0x7ff0000000000000, INT64_MIN) &&
		       (g >> 63 == w >> 63 || (g & INT64_MAX) > 0x7ff0000000000000);
	case 'D': /* within 2^-24 */
		return near((i64)(g >> 28), (i64)(w >> 28), 1, 0x7ff000000, 0x800000000);
	case 'h': /* a half; the other half is as it must be */
		return (*got ^ *want) >> 16 == 0 && near(*got & 0xffff, *want & 0xffff, 0, 0x7c00, 0x8000) &&
		       ((*got ^ *want) >> 15 == 0 || (*got & 0x7fff) > 0x7c00);
	case 'l': /* a half; the other half may be anything */
		return near(*got & 0xffff, *want & 0xffff, 0, 0x7c00, 0x8000) &&
		       (((*got ^ *want) & 0x8000) == 0 || (*got & 0x7fff) > 0x7c00);
	case 'm': /* within one ulp */
		return near(*got & 0xffff, *want & 0xffff, 1, 0x7c00, 0x8000);
	case 'B': /* 8 bits */
		return ((*got ^ *want) & 0xff) == 0;
	case 's': /* 16 bits */
		return ((*got ^ *want) & 0xffff) == 0;
	case 'p': /* two halves */
		return near(*got & 0xffff, *want & 0xffff, 0, 0x7c00, 0x8000) && near(*got >> 16, *want >> 16, 0, 0x7c00, 0x8000);
	default:
		return *got == *want;
	}
}

/* Whether the kernel stopped as it must. */
static bool
fault_same(const struct all *x, const struct test *t, const struct exec_fault *f)
{
	u64 base = f->kind == EXEC_FAULT_ADDRESS || f->kind == EXEC_FAULT_MISALIGNED ? (u64)(uintptr_t)x->memory : 0;
	return f->kind == t->fault[0] && (u32)(f->addr - base) == t->fault[1] && f->size == t->fault[2] &&
	       ((u32)f->is_store | (u32)f->is_atomic << 1) == t->fault[3] && f->thread[0] == t->fault[4];
}

static bool
test_run(struct all *x, const struct test *t, bool tell)
{
	struct gpu *g = t->gpu;
	struct exec_fault fault = {0};
	const u32 *before = x->data + t->at, *after = before + t->dwords;
	const char *how = (const char *)(after + t->dwords);
	hsa_kernel_dispatch_packet_t *p = x->packet;
	u32 wave = t->kernel->wave;
	static const struct exec_config config = {.threads = 1, .limit = 200000};
	if (g->e == NULL)
		g->e = exec_new(g->code.target, x->space, &config);
	if (g->e == NULL)
		return false;
	memset(p, 0, sizeof(*p));
	memset(x->memory, 0, BYTES);
	memcpy(x->memory, before, 4 * t->dwords);
	memcpy(x->kernarg, &x->memory, 8);
	p->header = HSA_PACKET_TYPE_KERNEL_DISPATCH << HSA_PACKET_HEADER_TYPE;
	p->setup = 1;
	p->workgroup_size_x = (u16)wave;
	p->workgroup_size_y = p->workgroup_size_z = 1;
	p->grid_size_x = wave;
	p->grid_size_y = p->grid_size_z = 1;
	p->private_segment_size = t->kernel->private_size;
	p->group_segment_size = t->kernel->group_size;
	p->kernel_object = (u64)(uintptr_t)g->base + (t->kernel->descriptor - g->code.low);
	p->kernarg_address = x->kernarg;
	if (!exec_run(g->e, p, 0, &fault, NULL)) {
		bool meant = t->fault[0] != 0 && fault_same(x, t, &fault);
		if (tell && !meant)
			printf("%s %s %.*s: fault %d %s: address %llx (memory %p), size %llu, store %d, atomic %d, thread %u\n", t->name, g->name,
				(int)t->kernel->name.n, t->kernel->name.p, (int)fault.kind, fault.what,
				(unsigned long long)fault.addr, (void *)x->memory, (unsigned long long)fault.size,
				fault.is_store, fault.is_atomic, fault.thread[0]);
		return meant;
	}
	if (t->fault[0] != 0) {
		if (tell)
			printf("%s %s %.*s: no fault\n", t->name, g->name, (int)t->kernel->name.n, t->kernel->name.p);
		return false;
	}
	for (u32 i = 0; i < t->dwords; i++)
		if (!same(x->memory + i, after + i, how[i], wave)) {
			if (tell)
				printf("%s %s %.*s: dword %u (lane %u of row %u) is %08x %08x, not %08x %08x ('%c')\n", t->name, g->name,
					(int)t->kernel->name.n, t->kernel->name.p, i, i % wave, i / wave, x->memory[i], x->memory[i + 1],
					after[i], after[i + 1], how[i]);
			return false;
		}
	return true;
}

static bool
all_read(struct all *x, const char *folder)
{
	char path[4096], line[512], gpu[32], name[96];
	size_t n;
	snprintf(path, sizeof(path), "%s/data", folder);
	x->data = (u32 *)(void *)file_read(path, &n); /* a few bytes of how[] stand after the last dword */
	snprintf(path, sizeof(path), "%s/tests.txt", folder);
	FILE *f = fopen(path, "r");
	x->space = exec_space_new();
	x->tests = calloc(8192, sizeof(*x->tests));
	x->memory = memory(x->space, BYTES, EXEC_MEMORY_DATA);
	x->kernarg = memory(x->space, 4096, EXEC_MEMORY_READONLY);
	x->packet = memory(x->space, 4096, EXEC_MEMORY_READONLY);
	if (x->data == NULL || f == NULL || x->packet == NULL)
		return false;
	while (fgets(line, sizeof(line), f) != NULL && x->ntests < 8192) {
		struct test *t = &x->tests[x->ntests++];
		char kernel[96];
		u32 *e = t->fault;
		int n = sscanf(line, "%95s %31s %95s %u %u %u %u %u %u %u", name, gpu, kernel, &t->at, &t->dwords, e, e + 1, e + 2, e + 3, e + 4);
		if (n != 5 && n != 10)
			return false;
		strcpy(t->name, name);
		t->gpu = gpu_get(x, folder, gpu);
		if (t->gpu == NULL)
			return false;
		t->kernel = code_kernel_find(&t->gpu->code, str_of(kernel));
		if (t->kernel == NULL || t->dwords * 4 > BYTES)
			return false;
	}
	fclose(f);
	return true;
}

static const char *
mutant_run(struct all *x, const char *id, const char *tests)
{
	static char by[128];
	int tube[2];
	if (pipe(tube) != 0)
		return NULL;
	fflush(stdout);
	pid_t child = fork();
	if (child == 0) {
		if (!mutant_set(id))
			_exit(3);
		bool all = *tests == '*';
		for (u32 k = 0; all ? k < x->ntests : *tests >= '0' && *tests <= '9'; k++) {
			u32 t = k;
			if (!all) {
				char *end;
				t = (u32)strtoul(tests, &end, 10);
				tests = end + (*end == ',');
			}
			alarm(SECONDS); /* of each test: many are slow together */
			ssize_t n = write(tube[1], &t, sizeof(t));
			if (n < 0 || !test_run(x, &x->tests[t], false))
				_exit(1);
		}
		_exit(0);
	}
	close(tube[1]);
	u32 t = 0, last = 0;
	while (read(tube[0], &t, sizeof(t)) == sizeof(t))
		last = t;
	close(tube[0]);
	int status;
	if (child < 0 || waitpid(child, &status, 0) != child)
		return NULL;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 3)
		return "unknown";
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return "survived";
	snprintf(by, sizeof(by), "killed by %s%s", x->tests[last].name, WIFSIGNALED(status) ? " (crash)" : "");
	return by;
}

int
main(int argc, char **argv)
{
	static struct all x;
	if (argc < 2 || !all_read(&x, argv[1])) {
		fprintf(stderr, "rows: cannot read the tests\n");
		return 2;
	}
	if (argc < 3) {
		u32 failures = 0;
		for (u32 t = 0; t < x.ntests; t++)
			failures += !test_run(&x, &x.tests[t], true);
		printf("%u row tests, %u fail\n", x.ntests, failures);
		return failures != 0;
	}
	/* LLVM is loaded once; what it decodes is forgotten, or mutants would not be seen. */
	test_run(&x, &x.tests[0], false);
	exec_free(x.tests[0].gpu->e);
	x.tests[0].gpu->e = NULL;
	FILE *f = strcmp(argv[2], "-") == 0 ? stdin : fopen(argv[2], "r");
	static char line[1 << 16];
	while (f != NULL && fgets(line, sizeof(line), f) != NULL) {
		char *id = strtok(line, " \n"), *tests = strtok(NULL, " \n");
		const char *result = id && tests ? mutant_run(&x, id, tests) : NULL;
		if (result != NULL)
			printf("%s %s\n", id, result);
	}
	return 0;
}
