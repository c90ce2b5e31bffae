/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * LINK: exec exec_v1 exec_v3 amdgpu base
 *
 * What no compiler makes: code without an end, jumps out of it, words that are no instruction, an entry that is no
 * code, on every target; waves that wait for ever; the limit of instructions, exactly.
 */
#include "amdgpu/exec/exec.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(x) ((x) ? (void)0 : fail(#x, __LINE__))
static int failures;
static const struct target *target;

static void
fail(const char *what, int line)
{
	fprintf(stderr, "line %d, %s: %s\n", line, target->name, what);
	failures++;
}

enum { CODE_AT = 256, PAGE = 4096 };
static u8 code[PAGE] __attribute__((aligned(4096)));

/* Runs words as a kernel of 32 work-items; the code ends with them. */
static struct exec_fault
run_at(const u32 *words, size_t n, u64 entry, enum exec_memory kind, u64 limit, u64 *count)
{
	struct exec_config c = {.threads = 1, .limit = limit};
	struct exec_space *s = exec_space_new();
	struct exec *e = exec_new(target, s, &c);
	u32 rsrc1 = 0x00af0000;
	memset(code, 0, sizeof(code));
	memcpy(code + 16, &entry, 8);
	memcpy(code + 48, &rsrc1, 4);
	memcpy(code + CODE_AT, words, 4 * n);
	hsa_kernel_dispatch_packet_t p = {.workgroup_size_x = 32,
		.workgroup_size_y = 1,
		.workgroup_size_z = 1,
		.grid_size_x = 32,
		.grid_size_y = 1,
		.grid_size_z = 1,
		.kernel_object = (u64)(uintptr_t)code};
	struct exec_fault f;
	struct exec_stats st = {0};
	CHECK(e != NULL && exec_space_add(s, (u64)(uintptr_t)code, CODE_AT + 4 * n, kind));
	CHECK(exec_run(e, &p, 0, &f, &st) == (f.kind == EXEC_FAULT_NONE));
	if (count != NULL)
		*count = st.instructions;
	exec_free(e);
	exec_space_free(s);
	return f;
}

static struct exec_fault
run(const u32 *words, size_t n)
{
	return run_at(words, n, CODE_AT, EXEC_MEMORY_CODE, 1000, NULL);
}

static u64
offset(const struct exec_fault *f)
{
	return f->pc - (u64)(uintptr_t)code - CODE_AT;
}

static void
no_code(void)
{
	u32 nop = 0xbf800000, branch = target->major >= 11 ? 0xbfa00000 : 0xbf820000,
	    end = target->major >= 11 ? 0xbfb00000 : 0xbf810000;
	u32 without_end[] = {nop, nop, nop}, far[] = {nop, branch | 1000, end},
	    back[] = {nop, branch | 0x8000, end}, bad[] = {nop, nop, 0xffffffff, end},
	    skipped[] = {branch | 1, 0xffffffff, end}, cut[] = {nop, 0x7e0002ff};
	struct exec_fault f = run(without_end, COUNT(without_end));
	CHECK(f.kind == EXEC_FAULT_PC && offset(&f) == 12 && strstr(f.what, "no code at 0x"));
	f = run(far, COUNT(far));
	CHECK(f.kind == EXEC_FAULT_PC && offset(&f) == 4 && strstr(f.what, "no code at 0x"));
	f = run(back, COUNT(back));
	CHECK(f.kind == EXEC_FAULT_PC && offset(&f) == 4);
	f = run(bad, COUNT(bad));
	CHECK(f.kind == EXEC_FAULT_INSTRUCTION && offset(&f) == 8 && strstr(f.what, "0xffffffff"));
	f = run(skipped, COUNT(skipped)); /* an error only if it is reached */
	CHECK(f.kind == EXEC_FAULT_NONE);
	f = run(cut, COUNT(cut)); /* the literal is missing */
	CHECK(f.kind == EXEC_FAULT_INSTRUCTION && offset(&f) == 4);
	f = run_at(bad, COUNT(bad), CODE_AT + 2, EXEC_MEMORY_CODE, 0, NULL);
	CHECK(f.kind == EXEC_FAULT_PC);
	f = run_at(bad, COUNT(bad), 1 << 20, EXEC_MEMORY_CODE, 0, NULL);
	CHECK(f.kind == EXEC_FAULT_PC);
	f = run_at(bad, COUNT(bad), CODE_AT, EXEC_MEMORY_DATA, 0, NULL);
	CHECK(f.kind == EXEC_FAULT_PC);
}

static void
for_ever(void)
{
	u32 nop = 0xbf800000, branch = target->major >= 11 ? 0xbfa00000 : 0xbf820000,
	    end = target->major >= 11 ? 0xbfb00000 : 0xbf810000,
	    halt = target->major >= 11 ? 0xbf820001 : 0xbf8d0001, sleep = 0xbf8e0001;
	if (target->major >= 11)
		sleep = 0xbf830001;
	u32 loop[] = {nop, branch | 0xfffe}, sleepy[] = {sleep, branch | 0xfffe},
	    halted[] = {nop, halt, end}, straight[64];
	u64 n;
	struct exec_fault f = run_at(loop, COUNT(loop), CODE_AT, EXEC_MEMORY_CODE, 12345, &n);
	CHECK(f.kind == EXEC_FAULT_LIMIT && n == 12345 && strstr(f.what, "12345"));
	f = run_at(sleepy, COUNT(sleepy), CODE_AT, EXEC_MEMORY_CODE, 12345, &n);
	CHECK(f.kind == EXEC_FAULT_LIMIT && n >= 12345 && n <= 12346);
	f = run(halted, COUNT(halted));
	CHECK(f.kind == EXEC_FAULT_DEADLOCK && offset(&f) == 4 && strstr(f.what, "halted"));
	for (u32 i = 0; i < COUNT(straight); i++) /* s_mov_b32 s0, 0 */
		straight[i] = 0xbe800080 | (target->major >= 10 ? 3u << 8 : 0);
	if (target->major >= 11)
		for (u32 i = 0; i < COUNT(straight); i++)
			straight[i] = 0xbe800080;
	straight[COUNT(straight) - 1] = end;
	f = run_at(straight, COUNT(straight), CODE_AT, EXEC_MEMORY_CODE, 64, &n);
	CHECK(f.kind == EXEC_FAULT_NONE && n == 64);
}

int
main(void)
{
	for (u32 t = 0; t < TARGET_COUNT; t++) {
		target = target_get((enum target_id)t);
		no_code();
		for_ever();
	}
	return failures != 0;
}
