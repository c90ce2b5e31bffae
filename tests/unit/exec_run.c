/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * LINK: exec exec_v1 exec_v3 amdgpu base
 *
 * exec_run from several threads: a kernel that polls a host flag while another dispatch runs and sets it;
 * memory taken away under a running kernel; the caller's floating-point mode; code that is replaced;
 * packets that are wrong.
 */
#include "amdgpu/exec/exec.h"
#include <fenv.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef __SSE2__
#include <xmmintrin.h>
#endif

#define CHECK(x) ((x) ? (void)0 : fail(#x, __LINE__))
static int failures;

static void
fail(const char *what, int line)
{
	fprintf(stderr, "line %d: %s\n", line, what);
	failures++;
}

/* s_load_b64 s[0:1], s[0:1], null; v_mov_b32 v0, 0; L: s_sleep 1; global_load_b32 v1, v0, s[0:1] glc;
 * s_waitcnt vmcnt(0); v_cmp_eq_u32 vcc_lo, 0, v1; s_cbranch_vccnz L; v_mov_b32 v1, 42;
 * global_store_b32 v0, v1, s[0:1] offset:4; s_endpgm */
static const u32 poll[] = {0xf4040000, 0xf8000000, 0x7e000280, 0xbf830001, 0xdc524000, 0x01000000,
	0xbf8903f7, 0x7c940280, 0xbfa4fffa, 0x7e0202aa, 0xdc6a0004, 0x00000100, 0xbfb00000};
/* s_load_b64 s[0:1], s[0:1], null; v_lshlrev_b32 v1, 2, v0; v_cvt_f32_u32 v0, v0; v_mul_f32 v0, 0x400000, v0;
 * v_add_f32 v0, v0, v0; global_store_b32 v1, v0, s[0:1]; s_endpgm: lane * 2^-127 (denormal), doubled */
static const u32 denormals[] = {0xf4040000, 0xf8000000, 0x30020082, 0x7e000d00, 0x100000ff,
	0x00400000, 0x06000100, 0xdc6a0000, 0x00000001, 0xbfb00000};

enum { CODE_AT = 256, CODE_SIZE = 4096 };
struct kernel {
	u8 *code;
	u64 *kernarg;
	u32 *data;
	hsa_kernel_dispatch_packet_t packet;
};

static struct exec_space *space;

static void
kernel_new(struct kernel *k, const u32 *words, size_t n)
{
	u32 rsrc1 = 0x00af0000 | 1, rsrc2 = 2 << 1;
	u64 entry = CODE_AT;
	u16 props = 8 | 1 << 10;
	k->code = aligned_alloc(4096, CODE_SIZE);
	k->kernarg = aligned_alloc(64, 64);
	k->data = aligned_alloc(4096, 4096);
	memset(k->code, 0, CODE_SIZE);
	memset(k->data, 0, 4096);
	memcpy(k->code + 16, &entry, 8);
	memcpy(k->code + 48, &rsrc1, 4);
	memcpy(k->code + 52, &rsrc2, 4);
	memcpy(k->code + 56, &props, 2);
	memcpy(k->code + CODE_AT, words, n);
	k->kernarg[0] = (u64)(uintptr_t)k->data;
	CHECK(exec_space_add(space, (u64)(uintptr_t)k->code, CODE_SIZE, EXEC_MEMORY_CODE));
	CHECK(exec_space_add(space, (u64)(uintptr_t)k->kernarg, 64, EXEC_MEMORY_READONLY));
	CHECK(exec_space_add(space, (u64)(uintptr_t)k->data, 4096, EXEC_MEMORY_DATA));
	k->packet = (hsa_kernel_dispatch_packet_t){.workgroup_size_x = 32,
		.workgroup_size_y = 1,
		.workgroup_size_z = 1,
		.grid_size_x = 32,
		.grid_size_y = 1,
		.grid_size_z = 1,
		.kernel_object = (u64)(uintptr_t)k->code,
		.kernarg_address = k->kernarg};
}

static void
kernel_free(struct exec *e, struct kernel *k)
{
	exec_code_drop(e, (u64)(uintptr_t)k->code, CODE_SIZE);
	exec_space_del(space, (u64)(uintptr_t)k->code);
	exec_space_del(space, (u64)(uintptr_t)k->kernarg);
	exec_space_del(space, (u64)(uintptr_t)k->data);
	free(k->code);
	free(k->kernarg);
	free(k->data);
}

struct job {
	struct exec *e;
	struct kernel *k;
	struct exec_fault f;
	bool ok;
	atomic_bool done;
};

static void *
job_run(void *arg)
{
	struct job *j = arg;
	j->ok = exec_run(j->e, &j->k->packet, 0, &j->f, NULL);
	atomic_store(&j->done, true);
	return NULL;
}

static void
pause_ms(long ms)
{
	nanosleep(&(struct timespec){.tv_nsec = ms * 1000000}, NULL);
}

/* Two kernels poll, each in its own dispatch; they end when the host says so. */
static void
test_poll(struct exec *e)
{
	struct kernel a, b, c;
	kernel_new(&a, poll, sizeof(poll));
	kernel_new(&b, poll, sizeof(poll));
	kernel_new(&c, denormals, sizeof(denormals));
	b.packet.grid_size_x = 32 * 100; /* many workgroups, all waiting */
	struct job ja = {.e = e, .k = &a}, jb = {.e = e, .k = &b}, jc = {.e = e, .k = &c};
	pthread_t t[2];
	pthread_create(&t[0], NULL, job_run, &ja);
	pthread_create(&t[1], NULL, job_run, &jb);
	pause_ms(20);
	job_run(&jc); /* a third passes them by */
	CHECK(jc.ok && c.data[1] == 0x00800000);
	CHECK(!atomic_load(&ja.done) && !atomic_load(&jb.done));
	atomic_store((_Atomic u32 *)(void *)a.data, 7);
	pthread_join(t[0], NULL);
	CHECK(ja.ok && a.data[1] == 42);
	atomic_store((_Atomic u32 *)(void *)b.data, 7);
	pthread_join(t[1], NULL);
	CHECK(jb.ok && b.data[1] == 42);
	kernel_free(e, &a);
	kernel_free(e, &b);
	kernel_free(e, &c);
}

/* The interval goes away while a kernel reads it again and again: the next read is a fault, and after
 * exec_space_del nobody touches the memory. */
static void
test_del(struct exec *e)
{
	struct kernel a;
	kernel_new(&a, poll, sizeof(poll));
	struct job j = {.e = e, .k = &a};
	pthread_t t;
	pthread_create(&t, NULL, job_run, &j);
	pause_ms(20);
	exec_space_del(space, (u64)(uintptr_t)a.data);
	memset(a.data, 1, 4096); /* would end the kernel if it still looked */
	pthread_join(t, NULL);
	CHECK(!j.ok && j.f.kind == EXEC_FAULT_ADDRESS && j.f.addr == (u64)(uintptr_t)a.data &&
		!j.f.is_store);
	CHECK(j.f.pc == (u64)(uintptr_t)a.code + CODE_AT + 16);
	kernel_free(e, &a);
}

/* Neither the caller's mode reaches the kernel nor the kernel's the caller. */
static void
test_mode(struct exec *e)
{
	struct kernel a;
	struct exec_fault f;
	kernel_new(&a, denormals, sizeof(denormals));
	fesetround(FE_UPWARD);
#ifdef __SSE2__
	_mm_setcsr(_mm_getcsr() | 0x8040); /* as in a program built with -ffast-math */
	u32 before = _mm_getcsr() & ~0x3fu;
#endif
	CHECK(exec_run(e, &a.packet, 0, &f, NULL));
#ifdef __SSE2__
	CHECK((_mm_getcsr() & ~0x3fu) == before);
	_mm_setcsr(0x1f80);
#endif
	CHECK(fegetround() == FE_UPWARD || fegetround() == FE_TONEAREST);
	fesetround(FE_TONEAREST);
	for (u32 i = 0; i < 32; i++)
		CHECK(a.data[i] == (i == 0 ? 0
					   : i == 1 ? 0x00800000
						    : a.data[i]) &&
			(i == 0 || a.data[i] != 0));
	kernel_free(e, &a);
}

/* Code is decoded once, until it is dropped. */
static void
test_drop(struct exec *e)
{
	struct kernel a;
	struct exec_fault f;
	struct exec_stats st;
	u32 lit = 0x00800000;
	kernel_new(&a, denormals, sizeof(denormals));
	CHECK(exec_run(e, &a.packet, 0, &f, &st) && st.instructions == 7 && st.waves == 1);
	exec_code_drop(e, (u64)(uintptr_t)a.code, CODE_SIZE);
	memcpy(a.code + CODE_AT + 20, &lit, 4); /* the literal of v_mul_f32 */
	CHECK(exec_run(e, &a.packet, 0, &f, &st) && a.data[1] == 0x01000000);
	kernel_free(e, &a);
}

static void
test_packet(struct exec *e)
{
	struct kernel a;
	struct exec_fault f;
	kernel_new(&a, denormals, sizeof(denormals));
	hsa_kernel_dispatch_packet_t p = a.packet;
	p.kernel_object = 4096;
	CHECK(!exec_run(e, &p, 0, &f, NULL) && f.kind == EXEC_FAULT_PACKET);
	p = a.packet;
	p.workgroup_size_x = 0;
	CHECK(!exec_run(e, &p, 0, &f, NULL) && f.kind == EXEC_FAULT_PACKET);
	p = a.packet;
	p.workgroup_size_x = 1025;
	CHECK(!exec_run(e, &p, 0, &f, NULL) && f.kind == EXEC_FAULT_PACKET);
	p = a.packet;
	p.group_segment_size = 65537;
	CHECK(!exec_run(e, &p, 0, &f, NULL) && f.kind == EXEC_FAULT_PACKET);
	kernel_free(e, &a);
}

static void
test_space(void)
{
	struct exec_space *s = exec_space_new();
	CHECK(exec_space_add(s, 0x1000, 0x1000, EXEC_MEMORY_DATA));
	CHECK(!exec_space_add(s, 0x1800, 0x1000, EXEC_MEMORY_DATA));
	CHECK(!exec_space_add(s, 0x800, 0x801, EXEC_MEMORY_DATA));
	CHECK(exec_space_add(s, 0x800, 0x800, EXEC_MEMORY_DATA));
	CHECK(exec_space_add(s, 0x2000, 1, EXEC_MEMORY_DATA));
	CHECK(!exec_space_add(s, 0, 0, EXEC_MEMORY_DATA));
	CHECK(!exec_space_add(s, ~0ull - 10, 100, EXEC_MEMORY_DATA));
	exec_space_del(s, 0x1000);
	CHECK(exec_space_add(s, 0x1000, 0x1000, EXEC_MEMORY_DATA));
	exec_space_del(s, 0x1234); /* the middle of one: nothing happens */
	CHECK(!exec_space_add(s, 0x1fff, 1, EXEC_MEMORY_DATA));
	exec_space_free(s);
}

int
main(void)
{
	space = exec_space_new();
	struct exec_config c = {.threads = 2};
	struct exec *e = exec_new(target_get(TARGET_gfx1100), space, &c);
	CHECK(e != NULL);
	test_space();
	test_packet(e);
	test_mode(e);
	test_drop(e);
	test_del(e);
	test_poll(e);
	exec_free(e);
	exec_space_free(space);
	return failures != 0;
}
