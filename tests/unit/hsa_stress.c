/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * LINK: hsa exec amdgpu base
 *
 * Four threads at once on one GPU: kernels that end, that wait, that are stopped with their queue and that
 * fault, while memory comes and goes. Results are right and every stop and fault has its line. TSan's test.
 */
#include "hsa_code.h"
#include <unistd.h>

#define THREADS 4
#define ROUNDS  60
#define GROUPS  8

static int expected; /* lines; atomic */

struct job {
	pthread_t thread;
	u64 random;
	hsa_queue_t *queue;
	hsa_signal_t done, broken;
	hsa_status_t status;
	u8 *args;
	u32 *data;
};

static u32
next(struct job *j, u32 n)
{
	j->random = j->random * 6364136223846793005ull + 1442695040888963407ull;
	return (u32)(j->random >> 33) % n;
}

static void
on_error(hsa_status_t s, hsa_queue_t *q, void *user)
{
	struct job *j = user;
	CHECK(q == j->queue);
	j->status = s;
	hsa_signal_store_screlease(j->broken, 0);
}

static void
queue_make(struct job *j)
{
	OK(hsa_queue_create(
		gpus[0], 64, HSA_QUEUE_TYPE_MULTI, on_error, j, UINT32_MAX, UINT32_MAX, &j->queue));
}

static void
queue_renew(struct job *j)
{
	OK(hsa_queue_destroy(j->queue));
	CHECK(hsa_signal_load_scacquire(j->done) == 1);
	queue_make(j);
}

static void
begin(struct job *j, const char *kernel, u32 groups, const void *a, size_t n)
{
	hsa_kernel_dispatch_packet_t p = packet_make(kernel, groups, j->args, a, n, j->done);
	hsa_signal_store_relaxed(j->done, 1);
	submit(j->queue, &p);
}

static void
round_fill(struct job *j)
{
	struct {
		u32 *out;
		u32 n, a;
	} a = {j->data, GROUPS * 64 - next(j, 64), next(j, 1000)};
	memset(j->data, 0, 4096);
	begin(j, "fill.kd", GROUPS, &a, sizeof a);
	CHECK(ended(j->done));
	for (u32 i = 0; i < a.n; i++)
		CHECK(j->data[i] == a.a * i + 27);
	CHECK(j->data[a.n] == 0);
}

static void
round_wait(struct job *j, bool stop)
{
	u32 *a[2] = {j->data, j->data + 1};
	j->data[0] = j->data[1] = 0;
	begin(j, "await.kd", 1 + next(j, GROUPS), a, sizeof a);
	for (int i = 0; i < 20000 && __atomic_load_n(a[1], __ATOMIC_ACQUIRE) == 0; i++)
		usleep(100);
	CHECK(__atomic_load_n(a[1], __ATOMIC_ACQUIRE) == 2);
	if (stop) {
		__atomic_add_fetch(&expected, 1, __ATOMIC_RELAXED);
		queue_renew(j);
		return;
	}
	__atomic_store_n(a[0], 1, __ATOMIC_RELEASE);
	CHECK(ended(j->done) && j->data[1] == 3);
}

/* Memory comes and goes while this or another thread's kernels run. */
static void
round_memory(struct job *j)
{
	u32 local[4];
	void *p[5] = {NULL}, *seen = NULL;
	for (int i = 0; i < 5; i++)
		OK(hsa_amd_memory_pool_allocate(vram, 1 + next(j, 3u << 20), 0, &p[i]));
	OK(hsa_amd_memory_lock(local, sizeof local, gpus, 1, &seen));
	for (int i = 0; i < 5; i++)
		OK(hsa_amd_memory_pool_free(p[i]));
	OK(hsa_amd_memory_unlock(local));
}

static void
round_fault(struct job *j)
{
	void *gone = NULL;
	OK(hsa_amd_memory_pool_allocate(vram, 256, 0, &gone));
	OK(hsa_amd_memory_pool_free(gone));
	const void *a[2] = {j->data, gone};
	hsa_signal_store_relaxed(j->broken, 1);
	__atomic_add_fetch(&expected, 1, __ATOMIC_RELAXED);
	begin(j, "_Z4peekPjPKj.kd", 2, a, sizeof a);
	CHECK(ended(j->broken) && j->status == (hsa_status_t)HSA_STATUS_ERROR_MEMORY_FAULT);
	queue_renew(j);
}

static void *
job_main(void *arg)
{
	struct job *j = arg;
	queue_make(j);
	for (int i = 0; i < ROUNDS; i++) {
		u32 what = next(j, 10);
		if (what < 4)
			round_fill(j);
		else if (what < 6)
			round_wait(j, what == 5);
		else if (what < 9)
			round_memory(j);
		else
			round_fault(j);
	}
	OK(hsa_queue_destroy(j->queue));
	return NULL;
}

int
main(void)
{
	static struct job jobs[THREADS];
	dir = temporary(&arena);
	CHECK(dir != NULL);
	struct str image = dir ? compile("gfx1100", "") : (struct str){NULL, 0};
	if (!image.p)
		return 1;
	start("exec:gfx1100");
	OK(load(image, &exe));
	OK(hsa_executable_freeze(exe, NULL));
	for (int i = 0; i < THREADS; i++) {
		struct job *j = &jobs[i];
		j->random = (u64)i + 1;
		j->done = signal_new(1);
		j->broken = signal_new(1);
		OK(hsa_amd_memory_pool_allocate(kernarg, 4096, 0, (void **)&j->args));
		OK(hsa_amd_agents_allow_access(1, gpus, NULL, j->args));
		OK(hsa_amd_memory_pool_allocate(vram, 4096, 0, (void **)&j->data));
		CHECK(pthread_create(&j->thread, NULL, job_main, j) == 0);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(jobs[i].thread, NULL);
	CHECK(lines == expected && expected > 0);
	if (lines != expected)
		fprintf(stderr, "%d lines, not %d, the last \"%s\"\n", lines, expected, last_line);
	OK(hsa_shut_down());
	rmdir(dir);
	arena_free(&arena);
	return failures != 0;
}
