/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * LINK: hsa exec exec_v1 exec_v3 amdgpu base
 *
 * Code objects with 1 to 8 flipped bits through the whole HSA library: refused, or loaded, looked through and run, under a
 * limit of instructions. HEDDLE_FLIPS is how many (500), HEDDLE_FLIPS_SEED the first.
 */
#include "hsa_code.h"

static hsa_signal_t broken, done;
static u8 *args;
static u32 *data;
static u64 state;
static u32 refused, faults, ends;

static u32
pick(u32 n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (u32)((state >> 32) * n >> 32);
}

static void
on_error(hsa_status_t s, hsa_queue_t *q, void *user)
{
	(void)q, (void)user;
	CHECK(s != HSA_STATUS_SUCCESS);
	hsa_signal_store_screlease(broken, 0);
}

static hsa_status_t
on_event(const hsa_amd_event_t *e, void *user)
{
	(void)e, (void)user;
	return HSA_STATUS_SUCCESS;
}

struct kernels {
	hsa_executable_symbol_t p[16];
	u32 n;
};

static hsa_status_t
visit(hsa_executable_t e, hsa_executable_symbol_t y, void *user)
{
	struct kernels *k = user;
	u32 type = 9, length = 0;
	char name[4096];
	(void)e;
	OK(hsa_executable_symbol_get_info(y, HSA_EXECUTABLE_SYMBOL_INFO_TYPE, &type));
	OK(hsa_executable_symbol_get_info(y, HSA_EXECUTABLE_SYMBOL_INFO_NAME_LENGTH, &length));
	if (length < sizeof name)
		OK(hsa_executable_symbol_get_info(y, HSA_EXECUTABLE_SYMBOL_INFO_NAME, name));
	if (type == HSA_SYMBOL_KIND_KERNEL && k->n < COUNT(k->p))
		k->p[k->n++] = y;
	return HSA_STATUS_SUCCESS;
}

static void
dispatch(hsa_executable_symbol_t y)
{
	hsa_queue_t *q = NULL;
	hsa_kernel_dispatch_packet_t p = {.setup = 1,
		.workgroup_size_x = 64,
		.workgroup_size_y = 1,
		.workgroup_size_z = 1,
		.grid_size_x = 128,
		.grid_size_y = 1,
		.grid_size_z = 1,
		.kernarg_address = args,
		.completion_signal = done};
	OK(hsa_executable_symbol_get_info(
		y, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &p.kernel_object));
	OK(hsa_executable_symbol_get_info(
		y, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE, &p.group_segment_size));
	OK(hsa_executable_symbol_get_info(y, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE,
		&p.private_segment_size));
	for (u32 i = 0; i < 4096; i += 8)
		memcpy(args + i, &data, 8);
	memset(data, 1, 4096);
	OK(hsa_queue_create(gpus[0], 64, HSA_QUEUE_TYPE_MULTI, on_error, NULL, UINT32_MAX,
		UINT32_MAX, &q));
	hsa_signal_store_relaxed(broken, 1);
	hsa_signal_store_relaxed(done, 1);
	submit(q, &p);
	u32 ms = 0;
	for (; ms < 20000 && hsa_signal_load_scacquire(broken) && hsa_signal_load_scacquire(done) > 0; ms++)
		pause_ms(1);
	CHECK(ms < 20000);
	if (hsa_signal_load_scacquire(broken))
		ends++;
	else
		faults++;
	OK(hsa_queue_destroy(q));
}

static void
flipped(struct str image)
{
	char *copy = malloc(image.n);
	memcpy(copy, image.p, image.n);
	for (u32 k = 1 + pick(8); k > 0; k--)
		copy[pick((u32)image.n)] ^= (char)(1u << pick(8));
	hsa_executable_t e;
	struct kernels k = {.n = 0};
	if (load((struct str){copy, image.n}, &e) != HSA_STATUS_SUCCESS ||
		hsa_executable_freeze(e, NULL) != HSA_STATUS_SUCCESS) {
		refused++;
	} else {
		OK(hsa_executable_iterate_symbols(e, visit, &k));
		if (k.n > 0)
			dispatch(k.p[pick(k.n)]);
	}
	OK(hsa_executable_destroy(e));
	free(copy);
}

static void
test_target(const char *gpu, u32 count, u64 seed)
{
	struct str image = compile(gpu, "");
	if (!image.p)
		return;
	start(arena_printf(&arena, "exec:%s", gpu));
	OK(hsa_amd_register_system_event_handler(on_event, NULL));
	broken = signal_new(1);
	done = signal_new(1);
	OK(hsa_amd_memory_pool_allocate(kernarg, 4096, 0, (void **)&args));
	OK(hsa_amd_agents_allow_access(1, gpus, NULL, args));
	OK(hsa_amd_memory_pool_allocate(vram, 4096, 0, (void **)&data));
	for (u32 k = 0; k < count; k++) {
		state = (seed + k + 1) * 0x9e3779b97f4a7c15u;
		pick(2);
		flipped(image);
	}
	OK(hsa_shut_down());
}

int
main(void)
{
	const char *n = getenv("HEDDLE_FLIPS"), *seed = getenv("HEDDLE_FLIPS_SEED");
	char folder[] = "/tmp/hsa_flips.XXXXXX";
	u32 count = n ? (u32)strtoul(n, NULL, 0) : 500;
	setenv("HEDDLE_EXEC_LIMIT", "20000", 1);
	setenv("HEDDLE_EXEC_THREADS", "1", 1);
	dir = mkdtemp(folder);
	CHECK(dir != NULL);
	test_target("gfx1100", count / 2, seed ? strtoull(seed, NULL, 0) : 1);
	test_target("gfx90a", count - count / 2, seed ? strtoull(seed, NULL, 0) : 1);
	printf("%u refused, %u faulted, %u ended\n", refused, faults, ends);
	CHECK(refused > count / 8 && ends > count / 8 && faults > 0);
	remove(dir);
	arena_free(&arena);
	return failures != 0;
}
