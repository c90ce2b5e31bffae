/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * agent.c - the agents: one CPU and one GPU an entry of HEDDLE_DEVICE=exec:gfx1100,gfx90a. What they
 * answer about themselves is what ROCr answers for such a GPU, with EXEC_CUS compute units.
 */
#include "hx.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MEMORY_MAX (16ull << 30) /* bytes of one GPU, or half of the host's if that is less */

static u64
host_memory(void)
{
	return (u64)sysconf(_SC_PHYS_PAGES) * (u64)sysconf(_SC_PAGE_SIZE);
}

hsa_agent_t
hx_agent_handle(struct hx_agent *a)
{
	return (hsa_agent_t){(u64)(uintptr_t)a};
}

struct hx_agent *
hx_agent_get(hsa_agent_t a)
{
	for (u32 i = 0; i < hx.nagents; i++)
		if ((u64)(uintptr_t)&hx.agents[i] == a.handle)
			return &hx.agents[i];
	return NULL;
}

static void
agent_add_cpu(void)
{
	struct hx_agent *a = &hx.agents[hx.nagents++];
	*a = (struct hx_agent){.memory = host_memory()};
	static const u32 flags[HX_POOLS] = {HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED,
		HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED |
			HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT,
		HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED};
	for (u32 i = 0; i < HX_POOLS; i++)
		a->pools[i] = (struct hx_pool){a, HSA_AMD_SEGMENT_GLOBAL, flags[i]};
}

/* Processors that can replay a fault have XNACK, those with error correction of their registers have
 * SRAMECC (AMDGPUUsage, "AMDGPU Processors"); the executor's run without the former, with the latter. */
static void
agent_name_isa(struct hx_agent *a)
{
	const struct target *t = a->target;
	a->has_xnack = t->major == 9 || (t->major == 10 && t->minor == 1);
	a->has_sramecc =
		t->major == 9 && (t->minor > 0 || t->step == 6 || t->step == 8 || t->step == 10);
	snprintf(a->isa, sizeof a->isa, "amdgcn-amd-amdhsa--%s%s%s", t->name,
		a->has_sramecc ? ":sramecc+" : "", a->has_xnack ? ":xnack-" : "");
}

/* Numbers of the environment: what each is without its variable, and the largest it may be. */
enum { THREADS, SEED, LIMIT, ALIGN, SPIN_WARN, DELAY, COUNTERS, NUMBERS };

static const struct {
	const char *name;
	u64 none, max;
} numbers[NUMBERS] = {
	[THREADS] = {"HEDDLE_EXEC_THREADS", 0, 1024},
	[SEED] = {"HEDDLE_EXEC_SEED", 0, UINT64_MAX},
	[LIMIT] = {"HEDDLE_EXEC_LIMIT", 0, UINT64_MAX},
	[ALIGN] = {"HEDDLE_EXEC_ALIGN", 0, 1},
	[SPIN_WARN] = {"HEDDLE_EXEC_SPIN_WARN", 5, UINT32_MAX},
	[DELAY] = {"HEDDLE_EXEC_DELAY", 0, 1}, /* exec_new reads these two, too */
	[COUNTERS] = {"HEDDLE_COUNTERS", 0, 2},
};

/* One that cannot be read leaves no GPU at all: the program would run otherwise than was asked for. */
static bool
numbers_read(u64 out[NUMBERS])
{
	for (int i = 0; i < NUMBERS; i++) {
		const char *text = getenv(numbers[i].name);
		char *end;
		out[i] = numbers[i].none;
		if (!text || !*text)
			continue;
		errno = 0;
		out[i] = strtoull(text, &end, 0);
		if (*text < '0' || *text > '9' || *end || errno || out[i] > numbers[i].max) {
			sink_printf("%s=%s: not a number from 0 to %llu", numbers[i].name, text,
				(unsigned long long)numbers[i].max);
			return false;
		}
	}
	return true;
}

static bool
agent_add_gpu(const struct target *t)
{
	struct hx_agent *a = &hx.agents[hx.nagents];
	u64 n[NUMBERS];
	if (!numbers_read(n))
		return false;
	struct exec_config c = {.threads = (u32)n[THREADS],
		.seed = n[SEED],
		.limit = n[LIMIT],
		.aligned = n[ALIGN] != 0,
		.spin_seconds = (u32)n[SPIN_WARN],
		.spin = hx_spin_report,
		.user = a};
	u64 half = host_memory() / 2;
	*a = (struct hx_agent){.node = hx.nagents, .target = t};
	a->memory = (half < MEMORY_MAX ? half : MEMORY_MAX) & ~(u64)(HX_PAGE - 1);
	a->exec = exec_new(t, hx.space, &c);
	if (!a->exec)
		return false;
	agent_name_isa(a);
	a->pools[0] = (struct hx_pool){
		a, HSA_AMD_SEGMENT_GLOBAL, HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED};
	a->pools[1] = (struct hx_pool){
		a, HSA_AMD_SEGMENT_GLOBAL, HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED};
	a->pools[2] = (struct hx_pool){a, HSA_AMD_SEGMENT_GROUP, 0};
	hx.nagents++;
	return true;
}

static void
report_unknown(struct str name)
{
	struct buf b = {0};
	for (int i = 0; i < TARGET_COUNT; i++)
		buf_printf(&b, "%s%s", i ? ", " : "", target_get((enum target_id)i)->name);
	if (!b.failed)
		sink_printf("HEDDLE_DEVICE: no GPU is called \"%.*s\"; the executor knows %.*s",
			(int)name.n, name.p, (int)b.n, (const char *)b.p);
	buf_free(&b);
}

/* Any other value of HEDDLE_DEVICE than a list means one default GPU: who loads this library wants
 * the executor. An unknown name leaves no GPU at all, lest the program run on another than asked for. */
static bool
agents_read(struct str list)
{
	if (!str_starts(list, "exec:"))
		return agent_add_gpu(target_get(TARGET_DEFAULT));
	list = (struct str){list.p + 5, list.n - 5};
	if (!list.n)
		sink_printf("HEDDLE_DEVICE: no GPU is named after \"exec:\"");
	for (struct str s = list; s.n;) {
		struct str name = str_split(&s, ',');
		if (!target_find(name)) {
			report_unknown(name);
			return true;
		}
	}
	while (list.n) {
		struct str name = str_split(&list, ',');
		if (hx.nagents == 1 + HX_GPUS) {
			sink_printf("HEDDLE_DEVICE: the executor has at most %d GPUs", HX_GPUS);
			return true;
		}
		if (!agent_add_gpu(target_find(name)))
			return false;
	}
	return true;
}

bool
hx_agents_init(void)
{
	hx.nagents = 0;
	agent_add_cpu();
	if (agents_read(str_of(getenv("HEDDLE_DEVICE"))))
		return true;
	hx_agents_fini();
	return false;
}

void
hx_agents_fini(void)
{
	for (u32 i = 1; i < hx.nagents; i++)
		exec_free(hx.agents[i].exec);
	hx.nagents = 0;
}

hsa_status_t
hsa_iterate_agents(hsa_status_t (*callback)(hsa_agent_t, void *), void *data)
{
	HX_CHECK_INIT();
	if (!callback)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	for (u32 i = 0; i < hx.nagents; i++) {
		hsa_status_t s = callback(hx_agent_handle(&hx.agents[i]), data);
		if (s != HSA_STATUS_SUCCESS)
			return s;
	}
	return HSA_STATUS_SUCCESS;
}

/* --- what an agent answers -------------------------------------------------------------------- */

static void
text(void *value, size_t n, const char *s)
{
	size_t m = strlen(s);
	memset(value, 0, n);
	memcpy(value, s, m < n ? m : n - 1);
}

static u32
simds(const struct target *t)
{
	return t->major == 9 ? 4 : 2;
}

static void
product(const struct hx_agent *a, void *value)
{
	char name[64];
	snprintf(name, sizeof name, "%s (Heddle executor)",
		a->target ? a->target->product : "Host CPU");
	text(value, 64, name);
}

/* Stable from run to run, different for each agent. */
static void
uuid(const struct hx_agent *a, void *value)
{
	char id[32];
	if (a->target)
		snprintf(id, sizeof id, "GPU-%02x%02x%02x%02x6865646%u", a->target->mach,
			a->target->major, a->target->minor, a->target->step, a->node % 10);
	else
		snprintf(id, sizeof id, "CPU-XX");
	memcpy(value, id, strlen(id) + 1);
}

static void
caches(const struct hx_agent *a, u32 *value)
{
	memset(value, 0, 4 * sizeof *value);
	value[0] = a->target ? 16 << 10 : 32 << 10;
	value[1] = a->target ? 4 << 20 : 0;
}

static void
extensions(u8 *value)
{
	memset(value, 0, 128);
	value[HSA_EXTENSION_AMD_LOADER >> 3] |= 1 << (HSA_EXTENSION_AMD_LOADER & 7);
}

static bool
info_plain(const struct hx_agent *a, u32 attribute, void *value)
{
	const struct target *t = a->target;
	switch (attribute) {
#define INFO(name, type, x) INFO_N(name, type, 1, x)
#define INFO_N(name, type, n, x)                                                                   \
	case name:                                                                                 \
		for (int i = 0; i < (n); i++)                                                      \
			memcpy((u8 *)value + (size_t)i * sizeof(type), &(type){(type)(x)},         \
				sizeof(type)); /* rocminfo gives any address */                    \
		return true;
#include "agent.def"
#undef INFO
#undef INFO_N
	}
	return false;
}

hsa_status_t
hsa_agent_get_info(hsa_agent_t agent, hsa_agent_info_t attribute, void *value)
{
	HX_CHECK_INIT();
	struct hx_agent *a = hx_agent_get(agent);
	if (!a)
		return HSA_STATUS_ERROR_INVALID_AGENT;
	if (!value)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	u32 at = (u32)attribute;
	if (at == HSA_AGENT_INFO_NAME)
		text(value, 64, a->target ? a->target->name : "Host CPU");
	else if (at == HSA_AGENT_INFO_VENDOR_NAME)
		text(value, 64, a->target ? "AMD" : "CPU");
	else if (at == HSA_AGENT_INFO_CACHE_SIZE)
		caches(a, value);
	else if (at == HSA_AGENT_INFO_EXTENSIONS)
		extensions(value);
	else if (at == HSA_AMD_AGENT_INFO_PRODUCT_NAME)
		product(a, value);
	else if (at == HSA_AMD_AGENT_INFO_UUID)
		uuid(a, value);
	else if (!info_plain(a, at, value))
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	return HSA_STATUS_SUCCESS;
}

hsa_status_t
hsa_agent_get_exception_policies(hsa_agent_t agent, hsa_profile_t profile, uint16_t *mask)
{
	HX_CHECK_INIT();
	if (!hx_agent_get(agent))
		return HSA_STATUS_ERROR_INVALID_AGENT;
	if (!mask || (profile != HSA_PROFILE_BASE && profile != HSA_PROFILE_FULL))
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	*mask = 0;
	return HSA_STATUS_SUCCESS;
}

hsa_status_t
hsa_agent_iterate_caches(
	hsa_agent_t agent, hsa_status_t (*callback)(hsa_cache_t, void *), void *data)
{
	(void)data; /* the executor has none to tell of */
	HX_CHECK_INIT();
	if (!hx_agent_get(agent))
		return HSA_STATUS_ERROR_INVALID_AGENT;
	return callback ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

/* The executor's memory is coherent, whichever is asked for. */
hsa_status_t
hsa_amd_coherency_set_type(hsa_agent_t agent, hsa_amd_coherency_type_t type)
{
	HX_CHECK_INIT();
	struct hx_agent *a = hx_agent_get(agent);
	if (!a || !a->target)
		return HSA_STATUS_ERROR_INVALID_AGENT;
	if (type != HSA_AMD_COHERENCY_TYPE_COHERENT && type != HSA_AMD_COHERENCY_TYPE_NONCOHERENT)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	a->coherency = type;
	return HSA_STATUS_SUCCESS;
}

hsa_status_t
hsa_amd_coherency_get_type(hsa_agent_t agent, hsa_amd_coherency_type_t *type)
{
	HX_CHECK_INIT();
	struct hx_agent *a = hx_agent_get(agent);
	if (!a || !a->target)
		return HSA_STATUS_ERROR_INVALID_AGENT;
	if (!type)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	*type = a->coherency;
	return HSA_STATUS_SUCCESS;
}
