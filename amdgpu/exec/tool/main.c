/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * gcn-run: runs one kernel of a code object on the executor, for tests and measurements.
 *
 *   gcn-run [options] FILE KERNEL [ARGUMENT…]
 *     --grid=X[,Y[,Z]]   workgroups (1)            --block=X[,Y[,Z]]   work-items of one (32)
 *     --lds=N            bytes of dynamic LDS (0)  --threads=N         host threads (1)
 *     --seed=N           random order of waves     --bench             prints instructions a second,
 *                                                  by the clock and by this thread's processor time
 *     --limit=N          most instructions of it   --spin=N            seconds until polling is told
 *     --hw               only as many workgroups at a time as a GPU keeps; --grid=hw: so many, hw+1: one more
 *     --aligned          loads and stores must be aligned, too
 *     --counters         what count.h measures, on stderr
 *     --delay            memory answers when it is waited for (delay.c)
 *     --no-fence         waits do not order memory, which is wrong
 *     --at-once=N        N launches at once (1), each begun by a thread on a core of its own
 *   gcn-run --vectors FILE.jsonl [EXCEPTIONS]   raw programs with the state they must leave (vectors.c)
 *   gcn-run --check FILE  instructions of a code object that the executor lacks (check.c)
 *   gcn-run --isa        every instruction name: done, or missing and why (names.c)
 *   gcn-run --noise bytes|code|file SEED COUNT [FILE…]   code that nobody meant (noise.c)
 *
 * One argument for each explicit one of the kernel, in order:
 *   7  -7  0x7f  1.5f  2.5d   a value of the size that the kernel declares
 *   iota:N                    N dwords 0, 1, 2, …
 *   floats:N                  N floats from 0 to 1
 *   words:A,B,…               these dwords (integers, or floats as 1.5f)
 *   out:ROWSxN                ROWS rows of N dwords, zero at first, printed afterwards; also out:N.
 *                             outi: as signed, outf: as floats, outq: and outd: 64 bits wide
 */
#include "amdgpu/code.h"
#include "amdgpu/exec/exec.h"
#include "amdgpu/exec/tool/check.h"
#include "amdgpu/exec/tool/names.h"
#include "amdgpu/exec/tool/noise.h"
#include "amdgpu/exec/tool/vectors.h"
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum {
	MOST_ARGS = 16,
	MOST_LAUNCHES = 16,
	STACK = 16384 /* of a lane, for kernels that recurse */
};

struct output {
	char kind; /* 'x' hex, 'i', 'f', 'q', 'd' */
	u8 *p;
	u32 rows, columns;
	int argument;
};

struct run {
	struct arena arena;
	struct exec_space *space;
	struct code_object code;
	const struct code_kernel *kernel;
	struct exec_config config;
	u32 grid[3], block[3], lds, at_once;
	u32 grid_more; /* than a GPU keeps, where grid[0] is 0 */
	u64 base; /* where the code object stands */
	bool bench;
	struct output out[MOST_ARGS];
	int nout;
};

static int
fail(const char *what, const char *why)
{
	fprintf(stderr, "gcn-run: %s: %s\n", what, why);
	return 1;
}

/* Pages of our own that device code may use; leaked until the end. */
static u8 *
memory(struct run *r, u64 n, enum exec_memory kind)
{
	n = n != 0 ? n : 1;
	u8 *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED || !exec_space_add(r->space, (u64)(uintptr_t)p, n, kind))
		return NULL;
	return p;
}

/* --- the command line --------------------------------------------------------------------------- */

static bool
numbers(const char *s, u32 *out, int most)
{
	for (int i = 0; i < most; i++) {
		char *end;
		unsigned long v = strtoul(s, &end, 0);
		if (end == s || v > UINT32_MAX)
			return false;
		out[i] = (u32)v;
		if (*end == 0)
			return true;
		if (*end != ',')
			return false;
		s = end + 1;
	}
	return false;
}

static bool
option(struct run *r, const char *s)
{
	u32 v;
	if (strncmp(s, "--grid=hw", 9) == 0) { /* told when the kernel is known */
		r->grid[0] = 0;
		return s[9] == 0 || numbers(s + 9, &r->grid_more, 1);
	}
	if (strncmp(s, "--grid=", 7) == 0)
		return numbers(s + 7, r->grid, 3);
	if (strncmp(s, "--block=", 8) == 0)
		return numbers(s + 8, r->block, 3);
	if (strncmp(s, "--lds=", 6) == 0)
		return numbers(s + 6, &r->lds, 1);
	if (strncmp(s, "--at-once=", 10) == 0)
		return numbers(s + 10, &r->at_once, 1) && r->at_once <= MOST_LAUNCHES;
	if (strncmp(s, "--threads=", 10) == 0)
		return numbers(s + 10, &r->config.threads, 1);
	if (strncmp(s, "--seed=", 7) == 0 && numbers(s + 7, &v, 1)) {
		r->config.seed = v;
		return true;
	}
	if (strncmp(s, "--limit=", 8) == 0 && numbers(s + 8, &v, 1)) {
		r->config.limit = v;
		return true;
	}
	if (strncmp(s, "--spin=", 7) == 0)
		return numbers(s + 7, &r->config.spin_seconds, 1);
	bool *flag = strcmp(s, "--bench") == 0      ? &r->bench
		     : strcmp(s, "--hw") == 0       ? &r->config.hw_limit
		     : strcmp(s, "--aligned") == 0  ? &r->config.aligned
		     : strcmp(s, "--counters") == 0 ? &r->config.counters
		     : strcmp(s, "--delay") == 0    ? &r->config.delay
		     : strcmp(s, "--no-fence") == 0 ? &r->config.no_fence
						    : NULL;
	if (flag != NULL)
		*flag = true;
	return flag != NULL;
}

/* One value; *bytes is 4 or 8 when the text says so, else untouched. */
static bool
value(const char *s, const char **rest, u64 *out, u32 *bytes)
{
	char *end;
	double d = strtod(s, &end);
	if (end != s && (*end == 'f' || *end == 'd') && strncmp(s, "0x", 2) != 0) {
		float f = (float)d;
		u32 word;
		memcpy(&word, &f, sizeof(word));
		memcpy(out, &d, sizeof(d));
		*out = *end == 'f' ? word : *out;
		*bytes = *end == 'f' ? 4 : 8;
		*rest = end + 1;
		return true;
	}
	errno = 0;
	*out = *s == '-' ? (u64)strtoll(s, &end, 0) : strtoull(s, &end, 0);
	*rest = end;
	return end != s && errno == 0;
}

static u8 *
words(struct run *r, const char *s)
{
	VEC(u32) v = {0};
	u32 bytes;
	for (u64 x; value(s, &s, &x, &bytes);) {
		if (!VEC_PUSH(&v, (u32)x))
			return NULL;
		if (*s++ != ',')
			break;
	}
	u8 *p = s[-1] == 0 ? memory(r, 4 * v.n, EXEC_MEMORY_DATA) : NULL;
	if (p != NULL)
		memcpy(p, v.p, 4 * v.n);
	free(v.p);
	return p;
}

static u8 *
output(struct run *r, const char *s, int argument)
{
	struct output *o = &r->out[r->nout++];
	char *end;
	o->kind = s[3] == ':' ? 'x' : s[3];
	s = strchr(s, ':') + 1;
	o->rows = 1;
	o->columns = (u32)strtoul(s, &end, 0);
	if (*end == 'x') {
		o->rows = o->columns;
		o->columns = (u32)strtoul(end + 1, &end, 0);
	}
	o->argument = argument;
	u64 n = (u64)o->rows * o->columns * (o->kind == 'q' || o->kind == 'd' ? 8 : 4);
	o->p = *end == 0 && n > 0 ? memory(r, n, EXEC_MEMORY_DATA) : NULL;
	return o->p;
}

/* Writes argument `i` to its place in the kernarg segment. */
static bool
argument(struct run *r, int i, const char *s, u8 *kernarg)
{
	const struct code_arg *a = &r->kernel->args[i];
	u64 v = 0;
	u32 bytes = a->size;
	if (strncmp(s, "iota:", 5) == 0) {
		u32 n;
		if (!numbers(s + 5, &n, 1))
			return false;
		u32 *p = (u32 *)(void *)memory(r, 4 * (u64)n, EXEC_MEMORY_DATA);
		for (u32 k = 0; p != NULL && k < n; k++)
			p[k] = k;
		v = (u64)(uintptr_t)p;
	} else if (strncmp(s, "floats:", 7) == 0) {
		u32 n;
		if (!numbers(s + 7, &n, 1))
			return false;
		float *p = (float *)(void *)memory(r, 4 * (u64)n, EXEC_MEMORY_DATA);
		for (u32 k = 0; p != NULL && k < n; k++)
			p[k] = (float)(k * 2654435761u >> 8) * 0x1p-24f;
		v = (u64)(uintptr_t)p;
	} else if (strncmp(s, "words:", 6) == 0) {
		v = (u64)(uintptr_t)words(r, s + 6);
	} else if (strncmp(s, "out", 3) == 0 && strchr(s, ':') != NULL) {
		v = (u64)(uintptr_t)output(r, s, i);
	} else {
		return value(s, &s, &v, &bytes) && *s == 0 && bytes == a->size && a->size <= 8 &&
		       memcpy(kernarg + a->offset, &v, a->size) != NULL;
	}
	memcpy(kernarg + a->offset, &v, a->size < 8 ? a->size : 8);
	return v != 0 && a->size == 8;
}

/* What the runtime would fill in: sizes in workgroups and work-items; the rest stays zero. */
static void
hidden(const struct run *r, u8 *kernarg)
{
	for (size_t i = r->kernel->nexplicit; i < r->kernel->nargs; i++) {
		const struct code_arg *a = &r->kernel->args[i];
		u64 v = 0;
		int k = (int)a->kind;
		if (k >= CODE_ARG_hidden_block_count_x && k <= CODE_ARG_hidden_block_count_z)
			v = r->grid[k - CODE_ARG_hidden_block_count_x];
		else if (k >= CODE_ARG_hidden_group_size_x && k <= CODE_ARG_hidden_group_size_z)
			v = r->block[k - CODE_ARG_hidden_group_size_x];
		else if (k == CODE_ARG_hidden_grid_dims)
			v = r->grid[2] * r->block[2] > 1 ? 3 : r->grid[1] * r->block[1] > 1 ? 2 : 1;
		else if (k == CODE_ARG_hidden_dynamic_lds_size)
			v = r->lds;
		memcpy(kernarg + a->offset, &v, a->size < 8 ? a->size : 8);
	}
}

/* --- running ------------------------------------------------------------------------------------- */

static void
print(const struct output *o)
{
	bool wide = o->kind == 'q' || o->kind == 'd';
	const u8 *p = o->p;
	for (u32 row = 0; row < o->rows; row++) {
		printf("arg%d[%u]:", o->argument, row);
		for (u32 k = 0; k < o->columns; k++, p += wide ? 8 : 4) {
			u64 v = 0;
			float f;
			double d;
			memcpy(&v, p, wide ? 8 : 4);
			memcpy(&f, p, 4);
			memcpy(&d, &v, 8);
			switch (o->kind) {
			case 'i':
				printf(" %" PRId32, (i32)v);
				break;
			case 'f':
				printf(" %.9g", (double)f);
				break;
			case 'q':
				printf(" %016" PRIx64, v);
				break;
			case 'd':
				printf(" %.17g", d);
				break;
			default:
				printf(" %08" PRIx32, (u32)v);
				break;
			}
		}
		printf("\n");
	}
}

static const char *
fault_text(enum exec_fault_kind k)
{
	static const char *const text[] = {
		[EXEC_FAULT_NONE] = "no fault",
		[EXEC_FAULT_ADDRESS] = "illegal address",
		[EXEC_FAULT_MISALIGNED] = "misaligned address",
		[EXEC_FAULT_SHARED] = "beyond the workgroup's LDS",
		[EXEC_FAULT_PRIVATE] = "beyond the work-item's scratch",
		[EXEC_FAULT_INSTRUCTION] = "illegal instruction",
		[EXEC_FAULT_TRAP] = "trap",
		[EXEC_FAULT_PC] = "execution left the code",
		[EXEC_FAULT_DEADLOCK] = "deadlock",
		[EXEC_FAULT_LIMIT] = "instruction limit",
		[EXEC_FAULT_PACKET] = "invalid packet",
		[EXEC_FAULT_MEMORY] = "out of memory",
		[EXEC_FAULT_WAIT] = "a wait is missing",
	};
	return (size_t)k < COUNT(text) && text[k] != NULL ? text[k] : "fault";
}

static void
print_place(const struct run *r, const struct exec_fault *f)
{
	struct arena a = {0};
	u64 pc = f->pc - r->base + r->code.low;
	struct str fn = code_function_at(&r->code, pc);
	struct code_line line = code_line_find(&a, &r->code, pc);
	printf("  in %.*s+0x%" PRIx64, (int)fn.n, fn.p, pc - r->kernel->entry);
	if (line.line != 0)
		printf(" (%s:%u)", line.file, line.line);
	printf(", block %u,%u,%u, thread %u,%u,%u\n", f->block[0], f->block[1], f->block[2],
		f->thread[0], f->thread[1], f->thread[2]);
	arena_free(&a);
}

static void
print_spin(void *user, const hsa_kernel_dispatch_packet_t *p, const struct exec_fault *at)
{
	(void)p;
	printf("a warp polls\n");
	print_place(user, at);
	fflush(stdout);
}

static void
print_fault(const struct run *r, const struct exec_fault *f)
{
	printf("fault: %s", fault_text(f->kind));
	if (f->what[0] != 0)
		printf(": %s", f->what);
	if (f->kind == EXEC_FAULT_ADDRESS || f->kind == EXEC_FAULT_MISALIGNED ||
		f->kind == EXEC_FAULT_SHARED || f->kind == EXEC_FAULT_PRIVATE)
		printf(": %s of %" PRIu64 " bytes at 0x%" PRIx64,
			f->is_atomic  ? "atomic"
			: f->is_store ? "store"
				      : "load",
			f->size, f->addr);
	printf("\n");
	print_place(r, f);
}

static double
now(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

struct job {
	struct exec *e;
	const hsa_kernel_dispatch_packet_t *p;
	struct exec_fault *f;
	struct exec_stats *st;
	i32 cpu; /* number of the one to run on; -1: any */
	bool ok;
};

/* The n-th processor that the process may use is the calling thread's only one. */
static void
stay_on(u32 n)
{
	cpu_set_t all, one;
	CPU_ZERO(&one);
	if (sched_getaffinity(0, sizeof(all), &all) != 0 || CPU_COUNT(&all) == 0)
		return;
	n %= (u32)CPU_COUNT(&all);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &all) && n-- == 0) {
			CPU_SET(cpu, &one);
			sched_setaffinity(0, sizeof(one), &one);
			return;
		}
}

static void *
job_run(void *arg)
{
	struct job *j = arg;
	if (j->cpu >= 0)
		stay_on((u32)j->cpu);
	j->ok = exec_run(j->e, j->p, 0, j->f, j->st);
	return NULL;
}

/* The job n times at once; *j->f and *j->st are those of this thread's one. False: one of them faulted. */
static bool
run_all(u32 n, struct job *j)
{
	struct job more[MOST_LAUNCHES];
	struct exec_fault f[MOST_LAUNCHES];
	pthread_t thread[MOST_LAUNCHES];
	bool ok = true;
	u32 begun = 1;
	for (; begun < n; begun++) {
		more[begun] = (struct job){.e = j->e, .p = j->p, .f = &f[begun], .cpu = (i32)begun};
		if (pthread_create(&thread[begun], NULL, job_run, &more[begun]) != 0)
			break;
	}
	j->cpu = n > 1 ? 0 : -1;
	job_run(j);
	for (u32 i = 1; i < begun; i++) {
		pthread_join(thread[i], NULL);
		ok = ok && more[i].ok;
	}
	return ok && j->ok && begun >= n;
}

static int
launch(struct run *r, u8 *kernarg)
{
	r->config.spin = print_spin;
	r->config.user = r;
	hsa_kernel_dispatch_packet_t *p = (void *)memory(r, sizeof(*p), EXEC_MEMORY_READONLY);
	struct exec *e = exec_new(r->code.target, r->space, &r->config);
	if (p == NULL || e == NULL)
		return fail("launch", "out of memory");
	p->header = HSA_PACKET_TYPE_KERNEL_DISPATCH << HSA_PACKET_HEADER_TYPE;
	p->setup = 3;
	p->workgroup_size_x = (u16)r->block[0];
	p->workgroup_size_y = (u16)r->block[1];
	p->workgroup_size_z = (u16)r->block[2];
	p->grid_size_x = r->grid[0] * r->block[0];
	p->grid_size_y = r->grid[1] * r->block[1];
	p->grid_size_z = r->grid[2] * r->block[2];
	p->private_segment_size = r->kernel->private_size + (r->kernel->dynamic_stack ? STACK : 0);
	p->group_segment_size = r->kernel->group_size + r->lds;
	p->kernel_object = r->base + (r->kernel->descriptor - r->code.low);
	p->kernarg_address = kernarg;
	struct exec_fault f = {0};
	struct exec_stats st = {0};
	struct job job = {.e = e, .p = p, .f = &f, .st = &st};
	bool ok = !r->bench || run_all(r->at_once, &job); /* a first run decodes the code */
	double wall = now(CLOCK_MONOTONIC), cpu = now(CLOCK_THREAD_CPUTIME_ID);
	ok = ok && run_all(r->at_once, &job);
	wall = now(CLOCK_MONOTONIC) - wall;
	cpu = now(CLOCK_THREAD_CPUTIME_ID) - cpu;
	for (int i = 0; i < r->nout; i++)
		print(&r->out[i]);
	if (!ok)
		print_fault(r, &f);
	if (r->config.counters) {
		char name[128];
		snprintf(name, sizeof(name), "%.*s", (int)r->kernel->name.n, r->kernel->name.p);
		count_print(&st.counts, name, r->code.target);
	}
	if (ok && r->bench)
		printf("%" PRIu64 " instructions, %.4f s, %.1f M/s, cpu %.1f M/s\n",
			st.instructions, wall, (double)st.instructions / wall / 1e6,
			(double)st.instructions / cpu / 1e6);
	exec_free(e);
	return ok ? 0 : 3;
}

static int
run(struct run *r, const char *path, const char *kernel, int argc, char **argv)
{
	size_t n;
	struct str missing;
	char *image = file_read(path, &n);
	if (image == NULL)
		return fail(path, strerror(errno));
	enum code_status s = code_read(&r->arena, (struct str){image, n}, &r->code);
	if (s != CODE_OK)
		return fail(path, code_status_text(s));
	r->kernel = code_kernel_find(&r->code, str_of(kernel));
	if (r->kernel == NULL)
		return fail(kernel, "no such kernel");
	r->space = exec_space_new();
	u8 *code = r->space != NULL ? memory(r, r->code.high - r->code.low,
					      EXEC_MEMORY_DATA | EXEC_MEMORY_CODE)
				    : NULL;
	u8 *kernarg =
		code != NULL ? memory(r, r->kernel->kernarg_size, EXEC_MEMORY_READONLY) : NULL;
	if (kernarg == NULL)
		return fail(path, "out of memory");
	s = code_load(&r->code, code, (u64)(uintptr_t)code, NULL, NULL, &missing);
	if (s != CODE_OK)
		return fail(path, missing.n > 0 ? "undefined symbol" : code_status_text(s));
	if ((size_t)argc != r->kernel->nexplicit || argc > MOST_ARGS)
		return fail(kernel, "wrong number of arguments");
	for (int i = 0; i < argc; i++) {
		if (!argument(r, i, argv[i], kernarg))
			return fail(argv[i], "not an argument of this size");
	}
	if (r->grid[0] == 0)
		r->grid[0] = r->grid_more +
			     EXEC_CUS * target_residency(r->code.target, r->kernel->wave,
						r->kernel->vgprs, r->kernel->group_size + r->lds,
						r->block[0] * r->block[1] * r->block[2]);
	hidden(r, kernarg);
	r->base = (u64)(uintptr_t)code;
	int status = launch(r, kernarg);
	exec_space_free(r->space);
	arena_free(&r->arena);
	free(image);
	return status;
}

static int
isa(void)
{
	struct buf b = {0};
	const char *why = names_list(&b);
	if (why != NULL)
		return fail("--isa", why);
	fwrite(b.p, 1, b.n, stdout);
	buf_free(&b);
	return 0;
}

static int
check(const char *path)
{
	size_t n;
	char *image = file_read(path, &n);
	if (image == NULL)
		return fail(path, strerror(errno));
	int missing = check_code((struct str){image, n});
	free(image);
	return missing < 0 ? fail(path, "no code object that can be checked") : missing > 0;
}

int
main(int argc, char **argv)
{
	static struct run r = {
		.grid = {1, 1, 1}, .block = {32, 1, 1}, .at_once = 1, .config = {.threads = 1}};
	int i = 1;
	if (argc == 2 && strcmp(argv[1], "--isa") == 0)
		return isa();
	if (argc == 3 && strcmp(argv[1], "--check") == 0)
		return check(argv[2]);
	if (argc >= 3 && strcmp(argv[1], "--vectors") == 0)
		return vectors_run(
			       target_get(TARGET_gfx1100), argv[2], argc > 3 ? argv[3] : NULL) != 0;
	if (argc >= 3 && strcmp(argv[1], "--noise") == 0)
		return noise_run(argc - 2, argv + 2);
	for (; i < argc && strncmp(argv[i], "--", 2) == 0; i++) {
		if (!option(&r, argv[i]))
			return fail(argv[i], "unknown option");
	}
	if (argc - i < 2)
		return fail("usage", "gcn-run [options] FILE KERNEL [ARGUMENT…]");
	return run(&r, argv[i], argv[i + 1], argc - i - 2, argv + i + 2);
}
