/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* hsa_test.h - for the tests of the HSA library: agents and pools found, lines caught, packets written. */
#include "lang/base.h"
#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CHECK(x) ((x) ? (void)0 : fail(#x, __LINE__))
#define OK(x)    CHECK((x) == HSA_STATUS_SUCCESS)

static int failures;

static inline void
fail(const char *what, int line)
{
	fprintf(stderr, "line %d: %s\n", line, what);
	failures++;
}

/* The last line that the library printed, and how many there were. */
static char last_line[1000];
static int lines;
static pthread_mutex_t lines_lock = PTHREAD_MUTEX_INITIALIZER;

static inline void
catch_line(void *user, const char *line)
{
	(void)user;
	pthread_mutex_lock(&lines_lock);
	snprintf(last_line, sizeof last_line, "%s", line);
	lines++;
	pthread_mutex_unlock(&lines_lock);
}

/* Did the library complain since the last call, with `part` in its last line? */
static inline bool
complained(const char *part)
{
	pthread_mutex_lock(&lines_lock);
	bool yes = lines > 0 && strstr(last_line, part) != NULL;
	if (!yes)
		fprintf(stderr, "no complaint with \"%s\" but %d, the last \"%s\"\n", part, lines,
			last_line);
	lines = 0;
	pthread_mutex_unlock(&lines_lock);
	return yes;
}

static hsa_agent_t cpu, gpus[16];
static int ngpus;
static hsa_amd_memory_pool_t fine, kernarg, coarse, vram, lds;

static inline hsa_status_t
pool_visit(hsa_amd_memory_pool_t p, void *user)
{
	u32 segment = 9, flags = 0;
	OK(hsa_amd_memory_pool_get_info(p, HSA_AMD_MEMORY_POOL_INFO_SEGMENT, &segment));
	OK(hsa_amd_memory_pool_get_info(p, HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, &flags));
	if (segment == HSA_AMD_SEGMENT_GROUP)
		lds = p;
	else if (user)
		vram = flags == HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED ? p : vram;
	else if (flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT)
		kernarg = p;
	else if (flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED)
		fine = p;
	else
		coarse = p;
	return HSA_STATUS_SUCCESS;
}

static inline hsa_status_t
agent_visit(hsa_agent_t a, void *user)
{
	u32 type = 9;
	(void)user;
	OK(hsa_agent_get_info(a, HSA_AGENT_INFO_DEVICE, &type));
	if (type == HSA_DEVICE_TYPE_CPU)
		cpu = a;
	else
		gpus[ngpus++] = a;
	return HSA_STATUS_SUCCESS;
}

/* hsa_init with this HEDDLE_DEVICE; pools are those of the CPU and the first GPU. */
static inline void
start(const char *device)
{
	sink_set(catch_line, NULL);
	if (device)
		setenv("HEDDLE_DEVICE", device, 1);
	else
		unsetenv("HEDDLE_DEVICE");
	ngpus = 0;
	OK(hsa_init());
	OK(hsa_iterate_agents(agent_visit, NULL));
	OK(hsa_amd_agent_iterate_memory_pools(cpu, pool_visit, NULL));
	if (ngpus)
		OK(hsa_amd_agent_iterate_memory_pools(gpus[0], pool_visit, &ngpus));
}

static inline hsa_signal_t
signal_new(i64 value)
{
	hsa_signal_t s = {0};
	OK(hsa_signal_create(value, 0, NULL, &s));
	return s;
}

/* Waits for 0, two seconds at most: the tests must not hang. */
static inline bool
ended(hsa_signal_t s)
{
	return hsa_signal_wait_scacquire(
		       s, HSA_SIGNAL_CONDITION_LT, 1, 2000000000, HSA_WAIT_STATE_BLOCKED) == 0;
}

static inline void
pause_ms(int ms)
{
	nanosleep(&(struct timespec){0, ms * 1000000L}, NULL);
}

/* Puts a packet of 64 bytes into the queue; the header last. Returns its index; does not ring. */
static inline u64
packet_put(hsa_queue_t *q, const void *packet, u16 header)
{
	u64 at = hsa_queue_add_write_index_screlease(q, 1);
	while (at - hsa_queue_load_read_index_scacquire(q) >= q->size)
		;
	u8 *slot = (u8 *)q->base_address + (at & (q->size - 1)) * 64;
	memcpy(slot + 2, (const u8 *)packet + 2, 62);
	__atomic_store_n((u16 *)(void *)slot, header, __ATOMIC_RELEASE);
	return at;
}

#define HEADER(type)                                                                               \
	((u16)((type) | 1 << HSA_PACKET_HEADER_BARRIER |                                           \
		HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE |                \
		HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE))

static inline void
barrier_put(hsa_queue_t *q, int type, const hsa_signal_t *deps, int n, hsa_signal_t done)
{
	hsa_barrier_and_packet_t p = {0};
	for (int i = 0; i < n; i++)
		p.dep_signal[i] = deps[i];
	p.completion_signal = done;
	hsa_signal_store_screlease(q->doorbell_signal, (i64)packet_put(q, &p, HEADER(type)));
}
