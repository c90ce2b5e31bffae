/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * LINK: hsa exec amdgpu base
 *
 * The HSA library without a kernel: agents and their infos, pools, pointers, signals from several
 * threads, handlers, barrier packets, copies; and what it says to misuse.
 */
#include "hsa_test.h"
#include <hsa/amd_hsa_signal.h>

static void
test_agents(void)
{
	char name[64] = "", product[64] = "";
	u32 wave = 0, size = 0, cus = 0;
	start("exec:gfx1100,gfx90a");
	CHECK(ngpus == 2);
	OK(hsa_agent_get_info(gpus[0], HSA_AGENT_INFO_NAME, name));
	OK(hsa_agent_get_info(gpus[0], HSA_AGENT_INFO_WAVEFRONT_SIZE, &wave));
	CHECK(strcmp(name, "gfx1100") == 0 && wave == 32);
	OK(hsa_agent_get_info(gpus[1], HSA_AGENT_INFO_NAME, name));
	OK(hsa_agent_get_info(gpus[1], HSA_AGENT_INFO_WAVEFRONT_SIZE, &wave));
	CHECK(strcmp(name, "gfx90a") == 0 && wave == 64);
	OK(hsa_agent_get_info(gpus[1], (hsa_agent_info_t)HSA_AMD_AGENT_INFO_PRODUCT_NAME, product));
	CHECK(strstr(product, "(Heddle executor)") != NULL);
	OK(hsa_agent_get_info(
		gpus[1], (hsa_agent_info_t)HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT, &cus));
	OK(hsa_agent_get_info(gpus[1], HSA_AGENT_INFO_QUEUE_MAX_SIZE, &size));
	CHECK(cus > 0 && size >= 4096);
	CHECK(hsa_agent_get_info((hsa_agent_t){1}, HSA_AGENT_INFO_NAME, name) ==
		HSA_STATUS_ERROR_INVALID_AGENT);
	CHECK(hsa_agent_get_info(cpu, (hsa_agent_info_t)0x9999, name) ==
		HSA_STATUS_ERROR_INVALID_ARGUMENT);
	hsa_isa_t isa;
	OK(hsa_isa_from_name("amdgcn-amd-amdhsa--gfx90a", &isa));
	u32 n = 0;
	OK(hsa_isa_get_info_alt(isa, HSA_ISA_INFO_NAME_LENGTH, &n));
	char *full = calloc(1, n);
	OK(hsa_isa_get_info_alt(isa, HSA_ISA_INFO_NAME, full));
	CHECK(strcmp(full, "amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-") == 0);
	free(full);
	OK(hsa_shut_down());
	CHECK(hsa_shut_down() == HSA_STATUS_ERROR_NOT_INITIALIZED);

	start("exec:gfx9999");
	CHECK(ngpus == 0 && complained("gfx9999") && strstr(last_line, "gfx1100") != NULL);
	OK(hsa_shut_down());
	start(NULL);
	CHECK(ngpus == 1);
	OK(hsa_shut_down());
}

static void
test_memory(void)
{
	size_t size = 0;
	OK(hsa_amd_memory_pool_get_info(lds, HSA_AMD_MEMORY_POOL_INFO_SIZE, &size));
	CHECK(size == 65536);
	OK(hsa_amd_memory_pool_get_info(vram, HSA_AMD_MEMORY_POOL_INFO_SIZE, &size));
	void *p = NULL, *q = NULL, *big = NULL;
	CHECK(hsa_amd_memory_pool_allocate(vram, size + 4096, 0, &p) ==
		HSA_STATUS_ERROR_OUT_OF_RESOURCES);
	CHECK(hsa_amd_memory_pool_allocate(vram, 0, 0, &p) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
	CHECK(hsa_amd_memory_pool_allocate(lds, 16, 0, &p) == HSA_STATUS_ERROR_INVALID_ALLOCATION);
	OK(hsa_amd_memory_pool_allocate(vram, 100, 0, &p));
	OK(hsa_amd_memory_pool_allocate(vram, 100, 0, &q));
	OK(hsa_amd_memory_pool_allocate(vram, 5 << 20, 0, &big));
	CHECK((uintptr_t)p % 4096 == 0 && (uintptr_t)big % 4096 == 0);
	CHECK((u8 *)q >= (u8 *)p + 4096 + 100 || (u8 *)p >= (u8 *)q + 4096 + 100);

	hsa_amd_pointer_info_t info = {.size = sizeof info};
	OK(hsa_amd_pointer_info((u8 *)p + 50, &info, NULL, NULL, NULL));
	CHECK(info.type == HSA_EXT_POINTER_TYPE_HSA && info.agentBaseAddress == p &&
		info.sizeInBytes == 100);
	CHECK(info.agentOwner.handle == gpus[0].handle);
	OK(hsa_amd_pointer_info(&info, &info, NULL, NULL, NULL));
	CHECK(info.type == HSA_EXT_POINTER_TYPE_UNKNOWN);

	OK(hsa_amd_memory_fill(big, 0x01020304, (5 << 20) / 4));
	CHECK(((u8 *)big)[(5 << 20) - 1] == 1);
	CHECK(hsa_amd_memory_fill(p, 0, 26) == HSA_STATUS_ERROR_INVALID_ALLOCATION &&
		complained("not within"));
	OK(hsa_memory_copy(p, "some text", 10));
	CHECK(memcmp(p, "some text", 10) == 0);
	CHECK(hsa_memory_copy(p, big, 101) == HSA_STATUS_ERROR_INVALID_ALLOCATION &&
		complained("destination"));

	CHECK(hsa_amd_memory_pool_free((u8 *)p + 1) == HSA_STATUS_ERROR_INVALID_ALLOCATION &&
		complained("not the start"));
	OK(hsa_amd_memory_pool_free(p));
	CHECK(hsa_amd_memory_pool_free(p) == HSA_STATUS_ERROR_INVALID_ALLOCATION &&
		complained("not the start"));
	void *again = NULL;
	OK(hsa_amd_memory_pool_allocate(vram, 100, 0, &again));
	CHECK(again != p); /* in quarantine */
	OK(hsa_amd_memory_pool_free(again));
	OK(hsa_amd_memory_pool_free(q));
	OK(hsa_amd_memory_pool_free(big));
}

/* Many allocations of all sizes, freed in another order: none overlaps another. */
static void
test_allocator(void)
{
	enum { N = 600 };
	static u8 *p[N];
	static size_t n[N];
	u32 seed = 7;
	for (int round = 0; round < 20; round++)
		for (int i = 0; i < N; i++) {
			seed = seed * 1664525 + 1013904223;
			if (seed >> 30)
				continue;
			if (p[i]) {
				CHECK(p[i][0] == (u8)i && p[i][n[i] - 1] == (u8)i);
				OK(hsa_amd_memory_pool_free(p[i]));
			}
			n[i] = (size_t)1 << (seed >> 8 & 15);
			n[i] += seed >> 3 & (n[i] - 1);
			if ((seed >> 12 & 63) == 0)
				n[i] += 1 << 20;
			OK(hsa_amd_memory_pool_allocate(vram, n[i], 0, (void **)&p[i]));
			p[i][0] = p[i][n[i] - 1] = (u8)i;
		}
	for (int i = 0; i < N; i++)
		OK(hsa_amd_memory_pool_free(p[i]));
}

static void
test_locks(void)
{
	u8 *host = calloc(1, 64 << 10);
	void *a = NULL, *b = NULL;
	hsa_amd_pointer_info_t info = {.size = sizeof info};
	OK(hsa_amd_memory_lock(host + 100, 5000, gpus, 1, &a));
	OK(hsa_amd_memory_lock(host + 3000, 9000, gpus, 1, &b));
	CHECK(a == host + 100 && b == host + 3000);
	OK(hsa_amd_pointer_info(host + 11000, &info, NULL, NULL, NULL));
	CHECK(info.type == HSA_EXT_POINTER_TYPE_LOCKED && info.hostBaseAddress == b &&
		info.sizeInBytes == 9000);
	OK(hsa_amd_memory_unlock(host + 100));
	OK(hsa_amd_memory_lock(host, 64 << 10, gpus, 1, &a));
	OK(hsa_amd_memory_unlock(host + 3000));
	OK(hsa_amd_memory_unlock(host));
	CHECK(hsa_amd_memory_unlock(host) != HSA_STATUS_SUCCESS && complained("not locked"));
	OK(hsa_amd_pointer_info(host, &info, NULL, NULL, NULL));
	CHECK(info.type == HSA_EXT_POINTER_TYPE_UNKNOWN);
	free(host);
}

/* --- signals ---------------------------------------------------------------------------------- */

static hsa_signal_t turn;

static void *
player(void *arg)
{
	i64 me = (i64)(intptr_t)arg;
	for (i64 i = 0; i < 2000; i++) {
		i64 want = i * 4 + me;
		CHECK(hsa_signal_wait_scacquire(turn, HSA_SIGNAL_CONDITION_EQ, want, 5000000000,
			      HSA_WAIT_STATE_BLOCKED) == want);
		hsa_signal_add_screlease(turn, 1);
	}
	return NULL;
}

static void
test_signals(void)
{
	pthread_t t[4];
	turn = signal_new(0);
	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, player, (void *)(intptr_t)i);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	CHECK(hsa_signal_load_relaxed(turn) == 8000);
	CHECK(hsa_signal_exchange_acq_rel(turn, 5) == 8000 &&
		hsa_signal_cas_acq_rel(turn, 5, 6) == 5);
	CHECK(hsa_signal_cas_relaxed(turn, 5, 9) == 6);
	hsa_signal_and_relaxed(turn, 4);
	hsa_signal_or_relaxed(turn, 3);
	hsa_signal_xor_relaxed(turn, 1);
	hsa_signal_subtract_relaxed(turn, 2);
	CHECK(hsa_signal_load_scacquire(turn) == 4);
	CHECK(hsa_signal_wait_relaxed(
		      turn, HSA_SIGNAL_CONDITION_NE, 4, 3000000, HSA_WAIT_STATE_ACTIVE) == 4);

	/* as device code does it: a store without a word */
	volatile i64 *value = NULL;
	OK(hsa_amd_signal_value_pointer(turn, &value));
	CHECK(&((amd_signal_t *)turn.handle)->value == value);
	__atomic_store_n(value, 0, __ATOMIC_RELEASE);
	CHECK(ended(turn));

	hsa_signal_t many[3] = {signal_new(1), signal_new(1), signal_new(1)};
	hsa_signal_condition_t c[3] = {
		HSA_SIGNAL_CONDITION_LT, HSA_SIGNAL_CONDITION_LT, HSA_SIGNAL_CONDITION_LT};
	i64 v[3] = {1, 1, 1}, got = 9;
	CHECK(hsa_amd_signal_wait_any(3, many, c, v, 2000000, HSA_WAIT_STATE_BLOCKED, &got) ==
		UINT32_MAX);
	hsa_signal_store_relaxed(many[2], -4);
	CHECK(hsa_amd_signal_wait_any(3, many, c, v, UINT64_MAX, HSA_WAIT_STATE_BLOCKED, &got) ==
			2 &&
		got == -4);
	for (int i = 0; i < 3; i++)
		OK(hsa_signal_destroy(many[i]));
	OK(hsa_signal_destroy(turn));
	CHECK(hsa_signal_destroy(turn) == HSA_STATUS_ERROR_INVALID_SIGNAL &&
		complained("destroyed"));
	hsa_signal_store_relaxed(turn, 1);
	CHECK(complained("hsa_signal_store_relaxed"));
}

static int calls;

static bool
handler(hsa_signal_value_t value, void *arg)
{
	hsa_signal_t *next = arg;
	CHECK(value == 0);
	hsa_signal_store_relaxed(next[0], 1);
	hsa_signal_subtract_screlease(next[1], 1);
	return __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED) < 3;
}

static void
test_handlers(void)
{
	hsa_signal_t s[2] = {signal_new(1), signal_new(3)};
	OK(hsa_amd_signal_async_handler(s[0], HSA_SIGNAL_CONDITION_EQ, 0, handler, s));
	for (i64 left = 2; left >= 0; left--) {
		hsa_signal_store_screlease(s[0], 0);
		CHECK(hsa_signal_wait_scacquire(s[1], HSA_SIGNAL_CONDITION_LT, left + 1, 2000000000,
			      HSA_WAIT_STATE_BLOCKED) == left);
		while (hsa_signal_load_relaxed(s[0]) == 0)
			;
	}
	hsa_signal_store_screlease(s[0], 0);
	pause_ms(5);
	CHECK(calls == 3);
	OK(hsa_signal_destroy(s[0]));
	OK(hsa_signal_destroy(s[1]));
}

/* --- queues ----------------------------------------------------------------------------------- */

static hsa_status_t queue_status;
static hsa_signal_t queue_failed;

static void
on_error(hsa_status_t status, hsa_queue_t *q, void *data)
{
	CHECK(data == &queue_status && q != NULL);
	queue_status = status;
	hsa_signal_store_screlease(queue_failed, 0);
}

static hsa_queue_t *
queue_new(u32 size)
{
	hsa_queue_t *q = NULL;
	OK(hsa_queue_create(gpus[0], size, HSA_QUEUE_TYPE_MULTI, on_error, &queue_status,
		UINT32_MAX, UINT32_MAX, &q));
	return q;
}

static void
test_barriers(void)
{
	hsa_queue_t *q = queue_new(64), *bad = NULL;
	CHECK(hsa_queue_create(gpus[0], 100, 0, NULL, NULL, 0, 0, &bad) ==
			HSA_STATUS_ERROR_INVALID_ARGUMENT &&
		complained("power of two"));
	CHECK(hsa_queue_create(cpu, 64, 0, NULL, NULL, 0, 0, &bad) ==
		HSA_STATUS_ERROR_INVALID_QUEUE_CREATION);
	OK(hsa_amd_profiling_set_profiler_enabled(q, 1));
	hsa_signal_t dep[2] = {signal_new(1), signal_new(2)}, done = signal_new(1);
	barrier_put(q, HSA_PACKET_TYPE_BARRIER_AND, dep, 2, done);
	pause_ms(3);
	hsa_signal_subtract_screlease(dep[0], 1);
	pause_ms(3);
	CHECK(hsa_signal_load_scacquire(done) == 1);
	hsa_signal_store_screlease(dep[1], 0);
	CHECK(ended(done));
	hsa_amd_profiling_dispatch_time_t time;
	OK(hsa_amd_profiling_get_dispatch_time(gpus[0], done, &time));
	CHECK(time.start > 0 && time.end > time.start);

	hsa_signal_store_relaxed(done, 1);
	hsa_signal_store_relaxed(dep[0], 1);
	hsa_signal_store_relaxed(dep[1], 1);
	barrier_put(q, HSA_PACKET_TYPE_BARRIER_OR, dep, 2, done);
	pause_ms(3);
	CHECK(hsa_signal_load_scacquire(done) == 1);
	hsa_signal_store_screlease(dep[1], 0);
	CHECK(ended(done));

	/* a value that device code would write, with a mask */
	hsa_signal_store_relaxed(done, 1);
	hsa_amd_barrier_value_packet_t v = {
		.header = {.AmdFormat = HSA_AMD_PACKET_TYPE_BARRIER_VALUE},
		.signal = dep[0],
		.value = 0x20,
		.mask = 0xf0,
		.cond = HSA_SIGNAL_CONDITION_GTE,
		.completion_signal = done};
	hsa_signal_store_screlease(q->doorbell_signal,
		(i64)packet_put(q, &v, HEADER(HSA_PACKET_TYPE_VENDOR_SPECIFIC)));
	pause_ms(2);
	CHECK(hsa_signal_load_scacquire(done) == 1);
	__atomic_store_n(&((amd_signal_t *)dep[0].handle)->value, 0x3f, __ATOMIC_RELEASE);
	CHECK(ended(done));
	CHECK(hsa_queue_load_read_index_scacquire(q) == 3 &&
		hsa_queue_load_write_index_scacquire(q) == 3);

	/* destroyed while a packet waits */
	hsa_signal_store_relaxed(done, 1);
	barrier_put(q, HSA_PACKET_TYPE_BARRIER_AND, dep, 1, done);
	OK(hsa_queue_destroy(q));
	CHECK(hsa_signal_load_scacquire(done) == 1);
	CHECK(hsa_queue_destroy(q) == HSA_STATUS_ERROR_INVALID_QUEUE && complained("not a queue"));
	OK(hsa_signal_destroy(dep[0]));
	OK(hsa_signal_destroy(dep[1]));
	OK(hsa_signal_destroy(done));
}

/* Producers on one queue: doorbells arrive in any order, the ring wraps around often. */
static hsa_queue_t *shared;
static hsa_signal_t all_done;

static void *
producer(void *arg)
{
	(void)arg;
	for (int i = 0; i < 3000; i++)
		barrier_put(shared, HSA_PACKET_TYPE_BARRIER_AND, NULL, 0, all_done);
	return NULL;
}

static void
test_producers(void)
{
	pthread_t t[4];
	shared = queue_new(64);
	all_done = signal_new(12000);
	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, producer, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	CHECK(ended(all_done));
	CHECK(hsa_queue_load_read_index_scacquire(shared) == 12000);
	OK(hsa_queue_destroy(shared));
	OK(hsa_signal_destroy(all_done));
}

/* A packet whose header is written but whose doorbell is not rung does not run; a doorbell for the second
 * packet waits for the header of the first. */
static void
test_doorbell(void)
{
	hsa_queue_t *q = queue_new(64);
	hsa_signal_t done = signal_new(2);
	hsa_barrier_and_packet_t p = {.completion_signal = done};
	u64 first = hsa_queue_add_write_index_relaxed(q, 1);
	u64 second = packet_put(q, &p, HEADER(HSA_PACKET_TYPE_BARRIER_AND));
	CHECK(first == 0 && second == 1);
	hsa_signal_store_screlease(q->doorbell_signal, 1);
	pause_ms(3);
	CHECK(hsa_signal_load_scacquire(done) == 2);
	memcpy((u8 *)q->base_address + 2, (u8 *)&p + 2, 62);
	__atomic_store_n(
		(u16 *)q->base_address, HEADER(HSA_PACKET_TYPE_BARRIER_AND), __ATOMIC_RELEASE);
	hsa_signal_store_screlease(q->doorbell_signal, 0);
	CHECK(ended(done));
	hsa_signal_store_relaxed(done, 1);
	packet_put(q, &p, HEADER(HSA_PACKET_TYPE_BARRIER_AND));
	pause_ms(3);
	CHECK(hsa_signal_load_scacquire(done) == 1);
	hsa_signal_store_screlease(q->doorbell_signal, 7);
	CHECK(complained("write index") && ended(done));
	CHECK(hsa_signal_load_relaxed(q->doorbell_signal) == 0 && complained("doorbell"));
	OK(hsa_queue_destroy(q));
	OK(hsa_signal_destroy(done));
}

static void
test_errors(void)
{
	queue_failed = signal_new(1);
	hsa_signal_t done = signal_new(1);
	hsa_queue_t *q = queue_new(64);
	hsa_agent_dispatch_packet_t a = {.completion_signal = done};
	hsa_signal_store_screlease(
		q->doorbell_signal, (i64)packet_put(q, &a, HEADER(HSA_PACKET_TYPE_AGENT_DISPATCH)));
	CHECK(ended(queue_failed) && queue_status == HSA_STATUS_ERROR_INVALID_PACKET_FORMAT);
	CHECK(complained("packet type"));
	barrier_put(q, HSA_PACKET_TYPE_BARRIER_AND, NULL, 0, done);
	pause_ms(3);
	CHECK(hsa_signal_load_scacquire(done) == 1); /* the queue is dead */
	OK(hsa_queue_destroy(q));

	q = queue_new(64);
	hsa_signal_store_relaxed(queue_failed, 1);
	hsa_kernel_dispatch_packet_t k = {.setup = 1,
		.workgroup_size_x = 1,
		.workgroup_size_y = 1,
		.workgroup_size_z = 1,
		.grid_size_x = 1,
		.grid_size_y = 1,
		.grid_size_z = 1,
		.kernel_object = 0x1000};
	hsa_signal_store_screlease(q->doorbell_signal,
		(i64)packet_put(q, &k, HEADER(HSA_PACKET_TYPE_KERNEL_DISPATCH)));
	CHECK(ended(queue_failed) && queue_status == HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
	CHECK(complained("kernel object 0x1000"));
	OK(hsa_queue_destroy(q));
	OK(hsa_signal_destroy(done));
	OK(hsa_signal_destroy(queue_failed));
}

/* --- copies ----------------------------------------------------------------------------------- */

static void
test_copies(void)
{
	enum { N = 3 << 20 };
	u8 *host = NULL, *device = NULL;
	OK(hsa_amd_memory_pool_allocate(fine, N, 0, (void **)&host));
	OK(hsa_amd_memory_pool_allocate(vram, N, 0, (void **)&device));
	for (int i = 0; i < N; i++)
		host[i] = (u8)(i * 7 + (i >> 8));
	hsa_signal_t dep = signal_new(1), one = signal_new(1), two = signal_new(1);
	OK(hsa_amd_profiling_async_copy_enable(true));
	OK(hsa_amd_memory_async_copy(device, gpus[0], host, cpu, N, 1, &dep, one));
	OK(hsa_amd_memory_async_copy(device + 5, gpus[0], host, cpu, 11, 0, NULL, two));
	CHECK(ended(two) && device[5] == host[0] &&
		device[0] == 0); /* not behind the one that waits */
	CHECK(hsa_signal_load_scacquire(one) == 1);
	hsa_signal_store_screlease(dep, 0);
	CHECK(ended(one) && memcmp(host, device, N) == 0);
	hsa_amd_profiling_async_copy_time_t t;
	OK(hsa_amd_profiling_get_async_copy_time(one, &t));
	CHECK(t.start > 0 && t.end >= t.start);
	CHECK(hsa_amd_memory_async_copy(device, gpus[0], host, cpu, N + 4, 0, NULL, one) ==
			HSA_STATUS_ERROR_INVALID_ALLOCATION &&
		complained("destination"));
	u8 *pageable = malloc(100);
	CHECK(hsa_amd_memory_async_copy(device, gpus[0], pageable, cpu, 100, 0, NULL, one) ==
			HSA_STATUS_ERROR_INVALID_ALLOCATION &&
		complained("source"));
	free(pageable);

	hsa_pitched_ptr_t d = {device, 256, 256 * 16}, s = {host, 128, 128 * 32};
	hsa_dim3_t at = {8, 1, 0}, from = {4, 2, 1}, range = {20, 5, 3};
	memset(device, 0, N);
	hsa_signal_store_relaxed(one, 1);
	OK(hsa_amd_memory_async_copy_rect(
		&d, &at, &s, &from, &range, gpus[0], hsaHostToDevice, 0, NULL, one));
	CHECK(ended(one));
	for (u32 z = 0; z < 3; z++)
		for (u32 y = 0; y < 5; y++)
			for (u32 x = 0; x < 20; x++)
				CHECK(device[z * 4096 + (y + 1) * 256 + x + 8] ==
					host[(z + 1) * 4096 + (y + 2) * 128 + x + 4]);
	CHECK(device[256 + 7] == 0 && device[256 + 28] == 0);
	OK(hsa_amd_memory_pool_free(host));
	OK(hsa_amd_memory_pool_free(device));
	OK(hsa_signal_destroy(dep));
	OK(hsa_signal_destroy(one));
	OK(hsa_signal_destroy(two));
}

int
main(void)
{
	test_agents();
	start("exec:gfx1100");
	test_memory();
	test_allocator();
	test_locks();
	test_signals();
	test_handlers();
	test_barriers();
	test_producers();
	test_doorbell();
	test_errors();
	test_copies();
	CHECK(lines == 0);
	OK(hsa_shut_down());
	return failures != 0;
}
