/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * LINK: hsa exec amdgpu base
 *
 * Code objects and kernels through the HSA library: symbols, dispatches, their checks, faults and what
 * is told of them, signals that kernels write, kernels that wait for each other. On both targets.
 */
#include "hsa_code.h"
#include <sys/mman.h>
#include <unistd.h>

static int
line_of(const char *comment)
{
	const char *src = getenv("HEDDLE_SRC");
	size_t n;
	char *text = file_read(
		arena_printf(&arena, "%s/tests/unit/Inputs/hsa_kernels.hip", src ? src : "."), &n);
	struct str rest = {text, text ? n : 0};
	int line = 1;
	while (rest.n && !str_ends(str_split(&rest, '\n'), comment))
		line++;
	free(text);
	return line;
}

/* --- executables ------------------------------------------------------------------------------ */

static hsa_status_t
count_symbol(hsa_executable_t e, hsa_executable_symbol_t y, void *user)
{
	u32 kind = 9;
	(void)e;
	OK(hsa_executable_symbol_get_info(y, HSA_EXECUTABLE_SYMBOL_INFO_TYPE, &kind));
	((int *)user)[kind != HSA_SYMBOL_KIND_KERNEL]++;
	return HSA_STATUS_SUCCESS;
}

static u32 *
variable(const char *name)
{
	u64 at = 0;
	OK(hsa_executable_symbol_get_info(
		symbol(name), HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS, &at));
	return (u32 *)(uintptr_t)at;
}

static void
test_load(struct str image, struct str other)
{
	int count[2] = {0};
	hsa_executable_symbol_t y;
	hsa_executable_t wrong;
	CHECK(load(other, &wrong) == HSA_STATUS_ERROR_INVALID_ISA && complained("does not run on"));
	OK(hsa_executable_destroy(wrong));
	CHECK(load((struct str){image.p, 1000}, &wrong) == HSA_STATUS_ERROR_INVALID_CODE_OBJECT &&
		complained("load"));
	OK(hsa_executable_destroy(wrong));
	OK(load(image, &exe));
	OK(hsa_executable_freeze(exe, NULL));
	CHECK(hsa_executable_freeze(exe, NULL) == HSA_STATUS_ERROR_FROZEN_EXECUTABLE);
	OK(hsa_executable_iterate_symbols(exe, count_symbol, count));
	CHECK(count[0] == 8 && count[1] >= 2);
	CHECK(hsa_executable_get_symbol_by_name(exe, "fill", &gpus[0], &y) ==
		HSA_STATUS_ERROR_INVALID_SYMBOL_NAME);
	CHECK(hsa_executable_get_symbol_by_name(exe, "fill.kd", NULL, &y) ==
		HSA_STATUS_ERROR_INVALID_SYMBOL_NAME);
	u32 size = 0, group = 0;
	OK(hsa_executable_symbol_get_info(
		symbol("table"), HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SIZE, &size));
	OK(hsa_executable_symbol_get_info(symbol("reverse.kd"),
		HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE, &group));
	CHECK(size == 16 && group == 256);
	CHECK(*variable("counter") == 7 && variable("table")[2] == 300);
}

/* --- dispatches ------------------------------------------------------------------------------- */

static hsa_queue_t *queue;
static hsa_status_t status;
static u64 fault_at;
static u32 fault_why;
static hsa_signal_t broken, done;
static u8 *args;
static u32 *data;

static void
on_error(hsa_status_t s, hsa_queue_t *q, void *user)
{
	(void)user;
	CHECK(q == queue);
	status = s;
	hsa_signal_store_screlease(broken, 0);
}

static hsa_status_t
on_event(const hsa_amd_event_t *e, void *user)
{
	(void)user;
	CHECK(e->memory_fault.agent.handle == gpus[0].handle);
	fault_at = e->memory_fault.virtual_address;
	fault_why = e->memory_fault.fault_reason_mask;
	return HSA_STATUS_SUCCESS;
}

static hsa_queue_t *
queue_new(void)
{
	hsa_queue_t *q = NULL;
	OK(hsa_queue_create(
		gpus[0], 64, HSA_QUEUE_TYPE_MULTI, on_error, NULL, UINT32_MAX, UINT32_MAX, &q));
	return q;
}

static hsa_kernel_dispatch_packet_t
packet(const char *kernel, u32 groups, const void *a, size_t n)
{
	return packet_make(kernel, groups, args, a, n, done);
}

/* Runs it to its end. */
static void
run(const char *kernel, u32 groups, const void *a, size_t n)
{
	hsa_kernel_dispatch_packet_t p = packet(kernel, groups, a, n);
	hsa_signal_store_relaxed(done, 1);
	submit(queue, &p);
	CHECK(ended(done));
}

/* Runs what must break the queue; a new one takes its place. */
static void
run_broken(const hsa_kernel_dispatch_packet_t *p, hsa_status_t want)
{
	hsa_signal_store_relaxed(broken, 1);
	hsa_signal_store_relaxed(done, 1);
	status = HSA_STATUS_SUCCESS;
	fault_at = 1;
	submit(queue, p);
	CHECK(ended(broken));
	CHECK(hsa_signal_load_scacquire(done) == 1);
	if (status != want)
		fprintf(stderr, "status %#x, not %#x\n", (unsigned)status, (unsigned)want);
	CHECK(status == want);
	OK(hsa_queue_destroy(queue));
	queue = queue_new();
}

struct fill {
	u32 *out;
	u32 n, a;
};

static void
test_run(void)
{
	u32 *counter = variable("counter");
	*counter = 9;
	memset(data, 0, 4096);
	run("fill.kd", 16, &(struct fill){data, 1000, 3}, sizeof(struct fill));
	for (u32 i = 0; i < 1000; i++)
		CHECK(data[i] == 3 * i + 29);
	CHECK(data[1000] == 0);
	*counter = 7;
	run("reverse.kd", 15, &data, sizeof data);
	for (u32 i = 0; i < 960; i++)
		CHECK(data[i] == 3 * (i / 64 * 64 + 63 - i % 64) + 29);

	hsa_signal_t s;
	volatile i64 *value;
	OK(hsa_signal_create(1, 0, NULL, &s));
	OK(hsa_amd_signal_value_pointer(s, &value));
	run("ring.kd", 1, &value, sizeof value);
	CHECK(ended(s));
	OK(hsa_signal_destroy(s));
}

/* The kernel `await` runs: it has read its arguments. */
static void
await_begun(const u32 *out)
{
	for (int i = 0; i < 2000 && __atomic_load_n(out, __ATOMIC_ACQUIRE) != 2; i++)
		pause_ms(1);
	CHECK(__atomic_load_n(out, __ATOMIC_ACQUIRE) == 2);
}

/* A kernel in one queue waits for one in another, then for the host; its times say so. */
static void
test_wait(void)
{
	u32 *flag = data, *out = data + 1;
	hsa_queue_t *other = queue_new();
	hsa_kernel_dispatch_packet_t p;
	flag[0] = out[0] = 0;
	u32 *a[2] = {flag, out};
	p = packet("await.kd", 1, a, sizeof a);
	hsa_signal_store_relaxed(done, 1);
	OK(hsa_amd_profiling_set_profiler_enabled(other, 1));
	submit(other, &p);
	await_begun(out);
	pause_ms(2);
	for (int i = 0; i < 50; i++) { /* memory comes and goes under a running kernel */
		void *m = NULL, *seen = NULL;
		OK(hsa_amd_memory_pool_allocate(vram, i % 2 ? 100 : 2 << 20, 0, &m));
		OK(hsa_amd_memory_lock(&m, sizeof m, gpus, 1, &seen));
		OK(hsa_amd_memory_unlock(&m));
		OK(hsa_amd_memory_pool_free(m));
	}
	CHECK(hsa_signal_load_scacquire(done) == 1);
	args += 2048;
	hsa_signal_t first = done;
	done = signal_new(1);
	run("poke.kd", 1, &flag, sizeof flag);
	CHECK(ended(first) && *out == 3 && lines == 0);
	hsa_amd_profiling_dispatch_time_t t = {0};
	OK(hsa_amd_profiling_get_dispatch_time(gpus[0], first, &t));
	CHECK(t.end - t.start >= 2000000);
	OK(hsa_signal_destroy(done));
	done = first;
	args -= 2048;
	OK(hsa_queue_destroy(other));
}

/* Arguments that are overwritten while the kernel runs: it says so. */
static void
test_arguments(void)
{
	u32 *a[2] = {data, data + 1};
	data[0] = data[1] = 0;
	hsa_kernel_dispatch_packet_t p = packet("await.kd", 1, a, sizeof a);
	hsa_signal_store_relaxed(done, 1);
	submit(queue, &p);
	await_begun(data + 1);
	memset(args, 0, sizeof a);
	__atomic_store_n(data, 1, __ATOMIC_RELEASE);
	CHECK(ended(done) && complained("kernarg segment was changed") && data[1] == 3);
}

/* A kernel that would never end is stopped with its queue. */
static void
test_stop(void)
{
	u32 *a[2] = {data, data + 1};
	for (int i = 0; i < 3; i++) {
		data[0] = data[1] = 0;
		hsa_kernel_dispatch_packet_t p = packet("await.kd", i == 2 ? 64 : 1, a, sizeof a);
		hsa_signal_store_relaxed(done, 1);
		submit(queue, &p);
		await_begun(data + 1);
		if (i == 1)
			OK(hsa_queue_inactivate(queue));
		OK(hsa_queue_destroy(queue));
		CHECK(complained(
			"stopped in its midst, for its queue was destroyed or inactivated, "
			"kernel await"));
		CHECK(hsa_signal_load_scacquire(done) == 1 && data[1] == 2);
		queue = queue_new();
	}
}

static void
test_checks(void)
{
	struct fill a = {data, 64, 1};
	hsa_kernel_dispatch_packet_t good = packet("fill.kd", 1, &a, sizeof a), p = good;
	p.kernel_object += 32;
	run_broken(&p, HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
	p = good, p.workgroup_size_x = 0;
	run_broken(&p, HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS);
	p = good, p.workgroup_size_x = 1024, p.workgroup_size_y = 2, p.setup = 2;
	run_broken(&p, HSA_STATUS_ERROR_INVALID_ARGUMENT);
	p = good, p.group_segment_size = 1 << 20;
	run_broken(&p, HSA_STATUS_ERROR_INVALID_ALLOCATION);
	p = good, p.kernarg_address = args + 8;
	run_broken(&p, HSA_STATUS_ERROR_INVALID_PACKET_FORMAT);
	p = good, p.kernarg_address = &a;
	run_broken(&p, HSA_STATUS_ERROR_INVALID_PACKET_FORMAT);
	p = good, p.setup = 0;
	run_broken(&p, HSA_STATUS_ERROR_INVALID_PACKET_FORMAT);
	CHECK(lines == 7);
	lines = 0;
}

/* A load at `at` faults; the line ends with `place`, of a block of `size` bytes at `base`. */
static void
peek(const void *at, const char *place, u32 size, const void *base)
{
	const void *a[2] = {data, at};
	hsa_kernel_dispatch_packet_t p = packet("_Z4peekPjPKj.kd", 4, a, sizeof a);
	run_broken(&p, (hsa_status_t)HSA_STATUS_ERROR_MEMORY_FAULT);
	CHECK(fault_at == (u64)(uintptr_t)at && fault_why == HSA_AMD_MEMORY_FAULT_PAGE_NOT_PRESENT);
	char want[200];
	if (at)
		snprintf(want, sizeof want,
			"illegal address %p (load of 4 bytes) in kernel peek(unsigned int*, "
			"unsigned int const*) at ",
			at);
	else
		snprintf(want, sizeof want,
			"illegal address 0x0 (load of 4 bytes) in kernel peek(unsigned int*, "
			"unsigned int const*) at ");
	CHECK(complained(want));
	int n = snprintf(want, sizeof want,
		"hsa_kernels.hip:%d, block (1,0,0), thread (3,0,0): ", line_of("// peek"));
	if (base)
		snprintf(want + n, sizeof want - (size_t)n, place, size, base);
	else
		snprintf(want + n, sizeof want - (size_t)n, "%s", place);
	struct str line = {last_line, strlen(last_line)};
	if (!str_ends(line, want)) {
		fprintf(stderr, "no \"%s\" at the end of \"%s\"\n", want, last_line);
		failures++;
	}
}

static void
test_faults(void)
{
	u32 *host = NULL, *small = NULL, *large = NULL, on_stack = 0;
	u8 *odd = NULL;
	void *seen = NULL;
	const u32 mib = 3u << 20;
	const char *foreign = "memory of the host that no GPU was allowed to use";
	peek(NULL, "a null pointer", 0, NULL);
	peek((void *)(uintptr_t)0x4711471147110000, "far from all memory", 0, NULL);
	peek(&on_stack, foreign, 0, NULL);
	OK(hsa_amd_memory_pool_allocate(vram, 100, 0, (void **)&small));
	peek(small + 25, "0 bytes past a block of %u bytes at %p", 100, small);
	peek(small + 28, "12 bytes past a block of %u bytes at %p", 100, small);
	peek(small - 2, "8 bytes before a block of %u bytes at %p", 100, small);
	small[24] = 77;
	run("_Z4peekPjPKj.kd", 4, (u32 *[]){data, small + 24}, 16);
	CHECK(data[1] == 77);
	OK(hsa_amd_memory_pool_free(small));
	peek(small, "inside a block of %u bytes at %p that was freed", 100, small);
	peek(small + 24, "inside a block of %u bytes at %p that was freed", 100, small);

	OK(hsa_amd_memory_pool_allocate(vram, 10, 0, (void **)&odd));
	hsa_kernel_dispatch_packet_t p = packet("wide.kd", 1, &odd, sizeof odd);
	run_broken(&p, (hsa_status_t)HSA_STATUS_ERROR_MEMORY_FAULT);
	CHECK(complained("load of 8 bytes") &&
		strstr(last_line, ": across the end of a block of 10 bytes at 0x"));
	OK(hsa_amd_memory_pool_free(odd));

	OK(hsa_amd_memory_pool_allocate(vram, mib, 0, (void **)&large));
	peek(large + mib / 4 + 1000, "4000 bytes past a block of %u bytes at %p", mib, large);
	peek(large - 1, "4 bytes before a block of %u bytes at %p", mib, large);
	OK(hsa_amd_memory_pool_free(large));
	peek(large + 5, "inside a block of %u bytes at %p that was freed", mib, large);

	OK(hsa_amd_memory_pool_allocate(fine, 64, 0, (void **)&host));
	peek(host + 1, "inside a block of %u bytes at %p that this GPU may not use", 64, host);
	OK(hsa_amd_agents_allow_access(1, gpus, NULL, host));
	host[0] = 78;
	run("_Z4peekPjPKj.kd", 4, (u32 *[]){data, host}, 16);
	CHECK(data[1] == 78);
	OK(hsa_amd_memory_pool_free(host));

	OK(hsa_amd_memory_lock(&on_stack, sizeof on_stack, gpus, 1, &seen));
	on_stack = 79;
	run("_Z4peekPjPKj.kd", 4, (u32 *[]){data, seen}, 16);
	CHECK(data[1] == 79);
	peek(&on_stack + 1024, "4092 bytes past locked host memory of %u bytes at %p", 4,
		&on_stack);
	OK(hsa_amd_memory_unlock(&on_stack));
	peek(&on_stack, foreign, 0, NULL);

	p = packet("poke.kd", 1, &data, 8);
	memcpy(args, &p.kernel_object, 8); /* a store to the kernel's own descriptor */
	run_broken(&p, (hsa_status_t)HSA_STATUS_ERROR_MEMORY_FAULT);
	CHECK(fault_at == p.kernel_object && fault_why == HSA_AMD_MEMORY_FAULT_READ_ONLY &&
		complained("(store of 4 bytes to read-only memory) in kernel poke at "));

	p = packet("stop.kd", 1, &data, 8);
	run_broken(&p, HSA_STATUS_ERROR_EXCEPTION);
	CHECK(complained("trap in kernel stop at ") && fault_at == 1);
}

static void
test_unmapped(void)
{
	void *seen = NULL, *again = NULL;
	u32 *m = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	OK(hsa_amd_memory_lock(m, 8192, gpus, 1, &seen));
	m[0] = 80;
	run("_Z4peekPjPKj.kd", 4, (u32 *[]){data, seen}, 16);
	CHECK(data[1] == 80);
	munmap(m, 8192);
	CHECK(hsa_amd_memory_lock(m, 8192, gpus, 1, &again) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
	peek(seen, "inside locked host memory of %u bytes at %p that was unmapped", 8192, seen);
	CHECK(mmap(m, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
		      0) == m);
	OK(hsa_amd_memory_lock(m, 8192, gpus, 1, &again));
	m[1] = 81;
	run("_Z4peekPjPKj.kd", 4, (u32 *[]){data, m + 1}, 16);
	CHECK(data[1] == 81);
	OK(hsa_amd_memory_unlock(m));
	OK(hsa_amd_memory_unlock(m));
	munmap(m, 8192);
}

/* A kernel polls locked memory: unlocking waits until no wave can touch it, then it may be unmapped. */
static void
test_unlock_under_kernel(void)
{
	void *seen = NULL;
	u32 *m = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	OK(hsa_amd_memory_lock(m, 4096, gpus, 1, &seen));
	u32 *a[2] = {seen, data + 1};
	data[1] = 0;
	hsa_kernel_dispatch_packet_t p = packet("await.kd", 1, a, sizeof a);
	hsa_signal_store_relaxed(broken, 1);
	hsa_signal_store_relaxed(done, 1);
	submit(queue, &p);
	await_begun(data + 1);
	OK(hsa_amd_memory_unlock(m));
	munmap(m, 4096);
	CHECK(ended(broken) && status == (hsa_status_t)HSA_STATUS_ERROR_MEMORY_FAULT);
	CHECK(fault_at == (u64)(uintptr_t)m && complained("in kernel await at ") && data[1] == 2);
	OK(hsa_queue_destroy(queue));
	queue = queue_new();
}

static void
test_outside(struct str image)
{
	u32 *outside = NULL, *out = NULL;
	hsa_executable_t e, kept = exe;
	CHECK(load(image, &e) == HSA_STATUS_ERROR_VARIABLE_UNDEFINED &&
		complained("outside is not defined"));
	OK(hsa_executable_destroy(e));
	OK(hsa_amd_memory_pool_allocate(vram, 4, 0, (void **)&outside));
	OK(hsa_amd_memory_pool_allocate(vram, 4, 0, (void **)&out));
	hsa_code_object_reader_t reader;
	OK(hsa_executable_create_alt(
		HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, NULL, &e));
	OK(hsa_executable_agent_global_variable_define(e, gpus[0], "outside", outside));
	CHECK(hsa_executable_agent_global_variable_define(e, gpus[0], "outside", out) ==
		HSA_STATUS_ERROR_VARIABLE_ALREADY_DEFINED);
	OK(hsa_code_object_reader_create_from_memory(image.p, image.n, &reader));
	OK(hsa_executable_load_agent_code_object(e, gpus[0], reader, NULL, NULL));
	OK(hsa_code_object_reader_destroy(reader));
	OK(hsa_executable_freeze(e, NULL));
	*outside = 4711;
	exe = e;
	run("get.kd", 1, &out, 8);
	exe = kept;
	CHECK(*out == 4711);
	OK(hsa_executable_destroy(e));
	OK(hsa_amd_memory_pool_free(outside));
	OK(hsa_amd_memory_pool_free(out));
}

static void
test_target(const char *gpu, const char *other)
{
	struct str image = compile(gpu, ""), wrong = compile(other, ""),
		   outside = compile(
			   gpu, "-DOUTSIDE -Xoffload-linker --unresolved-symbols=ignore-all");
	if (!image.p || !wrong.p || !outside.p)
		return;
	start(arena_printf(&arena, "exec:%s", gpu));
	OK(hsa_amd_register_system_event_handler(on_event, NULL));
	broken = signal_new(1);
	done = signal_new(1);
	OK(hsa_amd_memory_pool_allocate(kernarg, 4096, 0, (void **)&args));
	OK(hsa_amd_agents_allow_access(1, gpus, NULL, args));
	OK(hsa_amd_memory_pool_allocate(vram, 4096, 0, (void **)&data));
	queue = queue_new();
	test_load(image, wrong);
	test_run();
	test_wait();
	test_arguments();
	test_checks();
	test_faults();
	test_stop();
	test_unmapped();
	test_unlock_under_kernel();
	test_outside(outside);
	OK(hsa_executable_destroy(exe));
	CHECK(lines == 0);
	OK(hsa_shut_down()); /* frees what is left */
}

int
main(void)
{
	dir = temporary(&arena);
	CHECK(dir != NULL);
	if (dir) {
		test_target("gfx1100", "gfx90a");
		test_target("gfx90a", "gfx1100");
		rmdir(dir);
	}
	arena_free(&arena);
	return failures != 0;
}
