/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* program.c: CODE. Runs every program of program.py on the executor and on the host: 3 blocks of 100 threads each. */
#include "amdgpu/code.h"
#include "amdgpu/exec/exec.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { BLOCK = 100, GRID = 3, WORDS = 32, THREADS = BLOCK * GRID, BYTES = THREADS * WORDS * 4 };
extern const int first, count;
extern void (*const programs[])(u32 *io, u32 t);

static u8 *
memory(struct exec_space *s, u64 n, enum exec_memory kind)
{
	u8 *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED || !exec_space_add(s, (u64)(uintptr_t)p, n, kind))
		abort();
	return p;
}

int
main(int argc, char **argv)
{
	size_t n;
	struct arena a = {0};
	struct code_object c;
	struct str missing;
	struct exec_space *space = exec_space_new();
	struct exec_config config = {.threads = 1};
	char *image = argc == 2 ? file_read(argv[1], &n) : NULL;
	if (image == NULL || code_read(&a, (struct str){image, n}, &c) != CODE_OK)
		return 2;
	struct exec *e = exec_new(c.target, space, &config);
	u64 size = c.high - c.low;
	u8 *code = memory(space, (size + 4095) & ~4095ull, EXEC_MEMORY_CODE | EXEC_MEMORY_DATA);
	u8 *kernarg = memory(space, 4096, EXEC_MEMORY_READONLY);
	hsa_kernel_dispatch_packet_t *packet = (void *)memory(space, 4096, EXEC_MEMORY_READONLY);
	u32 *io = (u32 *)(void *)memory(space, (BYTES + 4095) & ~4095, EXEC_MEMORY_DATA), *host = malloc(BYTES);
	int failures = 0;
	if (code_load(&c, code, (u64)(uintptr_t)code, NULL, NULL, &missing) != CODE_OK)
		return 2;
	for (int p = 0; p < count; p++) {
		char name[16];
		snprintf(name, sizeof(name), "p%d", first + p);
		const struct code_kernel *k = code_kernel_find(&c, str_of(name));
		if (k == NULL)
			return 2;
		u64 at = (u64)(uintptr_t)io, state = 88172645463325252ull + (u64)(first + p);
		for (int i = 0; i < THREADS * WORDS; i++) {
			state = state * 6364136223846793005ull + 1442695040888963407ull;
			host[i] = io[i] = i % 3 ? (u32)(state >> 32) : (u32)(state >> 56);
		}
		memcpy(kernarg, &at, 8);
		/* device code reads the packet, so it lies in device memory */
		*packet = (hsa_kernel_dispatch_packet_t){.header = 2, .setup = 1, .workgroup_size_x = BLOCK, .workgroup_size_y = 1,
			.workgroup_size_z = 1, .grid_size_x = THREADS, .grid_size_y = 1, .grid_size_z = 1,
			/* recursion: the stack is as deep as it wants */
			.private_segment_size = k->private_size + (k->dynamic_stack ? 16384 : 0), .group_segment_size = k->group_size,
			.kernel_object = (u64)(uintptr_t)code + k->descriptor - c.low, .kernarg_address = kernarg};
		struct exec_fault fault = {0};
		if (!exec_run(e, packet, 0, &fault, NULL)) {
			printf("%s: fault %d: %s\n", name, (int)fault.kind, fault.what);
			failures++;
			continue;
		}
		for (u32 t = 0; t < THREADS; t++)
			programs[p](host + WORDS * t, t);
		for (int i = 0; i < THREADS * WORDS; i++) {
			if (io[i] != host[i]) {
				printf("%s: thread %d, word %d: %08x, host %08x\n", name, i / WORDS, i % WORDS, io[i], host[i]);
				failures++;
				break;
			}
		}
	}
	printf("%s: %d programs, %d differ\n", c.target->name, count, failures);
	exec_free(e);
	exec_space_free(space);
	return failures != 0;
}
