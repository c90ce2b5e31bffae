/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * differential.c: FUNCTIONS.TXT CODE [N]. Runs every function of differential.py (or only the Nth) on the
 * executor and on the host, on the same numbers: random bits, small integers or floats near one, and
 * special values; prints the first lane of each that differs.
 */
#include "amdgpu/code.h"
#include "amdgpu/exec/exec.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { LANES = 16, BYTES = 1 << 19, INDEX = 4096, RESULTS = 401408, ROUNDS = 4 };
extern void (*const functions[])(u8 *p, u32 i, u32 t);

/* LLVM's calls that the compiler's library may lack; the result lies in a register as that of a half does. */
_Float16 __truncsfbf2(float f);
_Float16 __truncdfbf2(double d);

static _Float16
bf16(u32 u)
{
	u16 v = (u16)((u + 0x7fff + (u >> 16 & 1)) >> 16);
	if ((u & 0x7fffffff) > 0x7f800000)
		v = (u16)(u >> 16 | 0x40);
	_Float16 h;
	memcpy(&h, &v, sizeof(h));
	return h;
}

_Float16
__truncsfbf2(float f)
{
	u32 u;
	memcpy(&u, &f, sizeof(u));
	return bf16(u);
}

_Float16
__truncdfbf2(double d)
{
	float f = (float)d;
	u32 u;
	memcpy(&u, &f, sizeof(u));
	if (f == f && (double)f != d) /* to odd, so that the second rounding is right */
		u = ((d < 0 ? -(double)f : (double)f) > (d < 0 ? -d : d) ? u - 1 : u) | 1;
	return bf16(u);
}

struct type {
	char name[32];
	u32 size, count, mantissa; /* bytes of an element; elements; 0: integer */
};

static struct type
type_of(const char *s, const char **rest)
{
	static const struct {
		const char *name;
		u32 size, mantissa;
	} kinds[] = {{"i8", 1, 0}, {"i16", 2, 0}, {"i32", 4, 0}, {"i64", 8, 0}, {"half", 2, 10}, {"bfloat", 2, 7}, {"float", 4, 23},
		{"double", 8, 52}};
	struct type t = {.count = 1};
	const char *end = *s == '<' ? strchr(s, '>') + 1 : strchr(s, ' ');
	snprintf(t.name, sizeof(t.name), "%.*s", (int)(end - s), s);
	if (*s == '<')
		t.count = (u32)strtoul(s + 1, NULL, 10);
	const char *name = *s == '<' ? strstr(s, " x ") + 3 : s;
	for (size_t i = 0; i < COUNT(kinds); i++) {
		if (strncmp(name, kinds[i].name, strlen(kinds[i].name)) == 0) {
			t.size = kinds[i].size;
			t.mantissa = kinds[i].mantissa;
		}
	}
	*rest = end + 1;
	return t;
}

static u64 state = 88172645463325252ull;

static u64
any(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state * 0x2545f4914f6cdd1dull;
}

static u64
float_value(const struct type *t, int round)
{
	u32 bits = 8 * t->size, m = t->mantissa;
	u64 v = any(), r = any() >> 8, sign = 1ull << (bits - 1), one = (1ull << (bits - m - 2)) - 1, inf = ((1ull << (bits - m - 1)) - 1) << m;
	u64 special[] = {0, sign, inf, inf | sign, inf | 1ull << (m - 1), 1, (1ull << m) - 1, 1ull << m, inf - 1, one << m, inf | 3,
		inf - (5ull << m), 3ull << m, v & ((1ull << m) - 1)};
	if (round == 1)
		return (v & 1) << (bits - 1) | (one + r % 9 - 4) << m | (v >> 4 & ((1ull << m) - 1));
	if (round == 0 || r % 3 == 0)
		return v;
	return special[r / 3 % COUNT(special)] ^ (round == 3 ? (r >> 40 & 1) << (bits - 1) : 0);
}

static u64
integer_value(const struct type *t, int round)
{
	u64 v = any(), r = any() >> 8, bits = 8 * t->size;
	if (round == 1)
		return r % 40 - 20;
	if (round == 2)
		return r & 1 ? (u64)1 << r / 2 % bits : r & 2 ? ~(u64)0 << r / 4 % bits : ((u64)1 << r / 4 % bits) - 1;
	return v;
}

static bool
is_equal(const u8 *p, const u8 *q, const struct type *t, char how)
{
	u64 a = 0, b = 0;
	if (memcmp(p, q, t->size) == 0)
		return true;
	if (how == 'e' || t->mantissa == 0)
		return false;
	memcpy(&a, p, t->size);
	memcpy(&b, q, t->size);
	u64 sign = 1ull << (8 * t->size - 1), inf = ((1ull << (8 * t->size - t->mantissa - 1)) - 1) << t->mantissa;
	a &= ~sign;
	b &= ~sign;
	return (a > inf && b > inf) || (how == 'z' && (a | b) == 0);
}

static u64
element(const u8 *p, u32 size)
{
	u64 v = 0;
	memcpy(&v, p, size);
	return v;
}

static int
compare(int f, const u8 *in, const u8 *got, const u8 *want, const struct type *ti, const struct type *to, const char *line)
{
	for (u32 t = 0; t < LANES; t++) {
		for (u32 j = 0; j < to->count; j++) {
			u32 at = RESULTS + 64 * t + j * to->size;
			if (is_equal(got + at, want + at, to, *line))
				continue;
			u32 stride = ti->size * (ti->count == 3 ? 4 : ti->count), a = t * stride + j * ti->size;
			u32 b = INDEX * stride + 64 + j * ti->size;
			printf("f%d, lane %u, element %u: %llx, host %llx; a %llx b %llx c %llx d %llx e %llx: %s\n", f, t, j,
				(unsigned long long)element(got + at, to->size), (unsigned long long)element(want + at, to->size),
				(unsigned long long)element(in + a, ti->size), (unsigned long long)element(in + b, ti->size),
				(unsigned long long)element(in + a + 1024, ti->size), (unsigned long long)element(in + a + 2048, ti->size),
				(unsigned long long)element(in + b + 64, ti->size), line);
			return 1;
		}
	}
	return 0;
}

static u8 *
memory(struct exec_space *s, u64 n, enum exec_memory kind)
{
	u8 *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED || !exec_space_add(s, (u64)(uintptr_t)p, n, kind))
		abort();
	return p;
}

struct machine {
	struct code_object c;
	struct exec *e;
	u8 *code, *memory, *kernarg, *host, *in;
};

/* One function on four sets of numbers; 1 when it differs. */
static int
check(struct machine *m, int f, const char *line)
{
	const char *rest = strchr(line, ' ') + 1;
	struct type in = type_of(rest, &rest), out = type_of(rest, &rest);
	char name[16];
	snprintf(name, sizeof(name), "f%d", f);
	const struct code_kernel *k = code_kernel_find(&m->c, str_of(name));
	if (k == NULL)
		abort();
	u64 at = (u64)(uintptr_t)m->memory;
	u32 index = INDEX;
	memcpy(m->kernarg, &at, 8);
	memcpy(m->kernarg + 8, &index, 4);
	hsa_kernel_dispatch_packet_t *p = (void *)(m->kernarg + 2048);
	*p = (hsa_kernel_dispatch_packet_t){.header = 2, .setup = 1, .workgroup_size_x = LANES, .workgroup_size_y = 1,
		.workgroup_size_z = 1, .grid_size_x = LANES, .grid_size_y = 1, .grid_size_z = 1,
		.private_segment_size = k->private_size, .group_segment_size = k->group_size,
		.kernel_object = (u64)(uintptr_t)m->code + k->descriptor - m->c.low, .kernarg_address = m->kernarg};
	for (int round = 0; round < ROUNDS; round++) {
		struct exec_fault fault = {0};
		for (u32 i = 0; i < BYTES; i += in.size) {
			u64 v = in.mantissa != 0 ? float_value(&in, round) : integer_value(&in, round);
			memcpy(m->memory + i, &v, in.size);
		}
		memcpy(m->host, m->memory, BYTES);
		memcpy(m->in, m->memory, BYTES);
		if (!exec_run(m->e, p, 0, &fault, NULL)) {
			printf("f%d: fault %d, %s: %s\n", f, (int)fault.kind, fault.what, line);
			return 1;
		}
		for (u32 t = 0; t < LANES; t++)
			functions[f](m->host, INDEX, t);
		if (compare(f, m->in, m->memory, m->host, &in, &out, line))
			return 1;
	}
	return 0;
}

int
main(int argc, char **argv)
{
	size_t n;
	static struct machine m;
	struct arena a = {0};
	struct str missing;
	struct exec_config config = {.threads = 1};
	struct exec_space *space = exec_space_new();
	FILE *list = argc > 2 ? fopen(argv[1], "r") : NULL;
	char *image = argc > 2 ? file_read(argv[2], &n) : NULL, line[1024];
	if (list == NULL || image == NULL || code_read(&a, (struct str){image, n}, &m.c) != CODE_OK)
		return 2;
	m.e = exec_new(m.c.target, space, &config);
	m.code = memory(space, (m.c.high - m.c.low + 4095) & ~4095ull, EXEC_MEMORY_CODE | EXEC_MEMORY_DATA);
	m.memory = memory(space, BYTES, EXEC_MEMORY_DATA);
	m.kernarg = memory(space, 4096, EXEC_MEMORY_READONLY);
	m.host = aligned_alloc(64, BYTES);
	m.in = malloc(BYTES);
	if (m.e == NULL || m.host == NULL || m.in == NULL ||
			code_load(&m.c, m.code, (u64)(uintptr_t)m.code, NULL, NULL, &missing) != CODE_OK)
		return 2;
	int failures = 0, count = 0, only = argc > 3 ? atoi(argv[3]) : -1;
	for (int f = 0; fgets(line, sizeof(line), list) != NULL; f++) {
		line[strcspn(line, "\n")] = 0;
		if (only >= 0 && f != only)
			continue;
		count++;
		failures += check(&m, f, line);
	}
	printf("%s: %d functions, %d differ\n", m.c.target->name, count, failures);
	exec_free(m.e);
	exec_space_free(space);
	return failures != 0;
}
