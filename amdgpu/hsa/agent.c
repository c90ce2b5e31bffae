/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * agent.c - the agents: one CPU and one GPU an entry of HEDDLE_DEVICE=exec:gfx1100,gfx90a. What they
 * answer about themselves is what ROCr answers for such a GPU, with EXEC_CUS compute units.
 */
#include "hx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MEMORY_MAX  (16ull << 30) /* bytes of one GPU, or half of the host's if that is less */
#define QUEUE_MIN   64
#define QUEUE_MAX   131072
#define CLOCK_MHZ   2500
#define MEMORY_MHZ  1250
#define MEMORY_BITS 256

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
	static const u32 flags[HX_POOLS] = {
		HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED,
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
	a->has_sramecc = t->major == 9 && (t->minor > 0 || t->step == 6 || t->step == 8 || t->step == 10);
	snprintf(a->isa, sizeof a->isa, "amdgcn-amd-amdhsa--%s%s%s", t->name,
		a->has_sramecc ? ":sramecc+" : "", a->has_xnack ? ":xnack-" : "");
}

static bool
agent_add_gpu(const struct target *t)
{
	struct exec_config c = {0};
	const char *threads = getenv("HEDDLE_EXEC_THREADS");
	const char *seed = getenv("HEDDLE_EXEC_SEED");
	if (threads)
		c.threads = (u32)strtoul(threads, NULL, 0);
	if (seed)
		c.seed = strtoull(seed, NULL, 0);
	struct hx_agent *a = &hx.agents[hx.nagents];
	u64 half = host_memory() / 2;
	*a = (struct hx_agent){.node = hx.nagents, .target = t};
	a->memory = (half < MEMORY_MAX ? half : MEMORY_MAX) & ~(u64)(HX_PAGE - 1);
	a->exec = exec_new(t, hx.space, &c);
	if (!a->exec)
		return false;
	agent_name_isa(a);
	a->pools[0] = (struct hx_pool){a, HSA_AMD_SEGMENT_GLOBAL,
		HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED};
	a->pools[1] = (struct hx_pool){a, HSA_AMD_SEGMENT_GLOBAL,
		HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED};
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
		sink_printf("HEDDLE_DEVICE: no GPU is called \"%.*s\"; the executor knows %.*s", (int)name.n,
			name.p, (int)b.n, (const char *)b.p);
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

#define U32(x)  (*(u32 *)value = (u32)(x))
#define U16(x)  (*(u16 *)value = (u16)(x))
#define BOOL(x) (*(bool *)value = (x))

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
	snprintf(name, sizeof name, "%s (Heddle executor)", a->target ? a->target->product : "Host CPU");
	text(value, 64, name);
}

/* Stable from run to run, different for each agent. */
static void
uuid(const struct hx_agent *a, void *value)
{
	char id[32];
	if (a->target)
		snprintf(id, sizeof id, "GPU-%02x%02x%02x%02x6865646%u", a->target->mach, a->target->major,
			a->target->minor, a->target->step, a->node % 10);
	else
		snprintf(id, sizeof id, "CPU-XX");
	memcpy(value, id, strlen(id) + 1);
}

static hsa_status_t
info_standard(struct hx_agent *a, u32 attribute, void *value)
{
	const struct target *t = a->target;
	switch (attribute) {
	case HSA_AGENT_INFO_NAME: text(value, 64, t ? t->name : "Host CPU"); break;
	case HSA_AGENT_INFO_VENDOR_NAME: text(value, 64, t ? "AMD" : "CPU"); break;
	case HSA_AGENT_INFO_FEATURE: U32(t ? HSA_AGENT_FEATURE_KERNEL_DISPATCH : 0); break;
	case HSA_AGENT_INFO_MACHINE_MODEL: U32(HSA_MACHINE_MODEL_LARGE); break;
	case HSA_AGENT_INFO_PROFILE: U32(t ? HSA_PROFILE_BASE : HSA_PROFILE_FULL); break;
	case HSA_AGENT_INFO_DEFAULT_FLOAT_ROUNDING_MODE:
	case HSA_AGENT_INFO_BASE_PROFILE_DEFAULT_FLOAT_ROUNDING_MODES:
		U32(t ? HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR : 0);
		break;
	case HSA_AGENT_INFO_FAST_F16_OPERATION: BOOL(t != NULL); break;
	case HSA_AGENT_INFO_WAVEFRONT_SIZE: U32(t ? t->wave : 0); break;
	case HSA_AGENT_INFO_WORKGROUP_MAX_DIM:
		for (int i = 0; i < 3; i++)
			((u16 *)value)[i] = t ? 1024 : 0;
		break;
	case HSA_AGENT_INFO_WORKGROUP_MAX_SIZE: U32(t ? 1024 : 0); break;
	case HSA_AGENT_INFO_GRID_MAX_DIM:
		for (int i = 0; i < 3; i++)
			((u32 *)value)[i] = t ? UINT32_MAX : 0;
		break;
	case HSA_AGENT_INFO_GRID_MAX_SIZE: U32(t ? UINT32_MAX : 0); break;
	case HSA_AGENT_INFO_FBARRIER_MAX_SIZE: U32(t ? 32 : 0); break;
	case HSA_AGENT_INFO_QUEUES_MAX: U32(t ? 128 : 0); break;
	case HSA_AGENT_INFO_QUEUE_MIN_SIZE: U32(t ? QUEUE_MIN : 0); break;
	case HSA_AGENT_INFO_QUEUE_MAX_SIZE: U32(t ? QUEUE_MAX : 0); break;
	case HSA_AGENT_INFO_QUEUE_TYPE: U32(HSA_QUEUE_TYPE_MULTI); break;
	case HSA_AGENT_INFO_NODE: U32(a->node); break;
	case HSA_AGENT_INFO_DEVICE: U32(t ? HSA_DEVICE_TYPE_GPU : HSA_DEVICE_TYPE_CPU); break;
	case HSA_AGENT_INFO_CACHE_SIZE:
		memset(value, 0, 4 * sizeof(u32));
		((u32 *)value)[0] = t ? 16 << 10 : 32 << 10;
		((u32 *)value)[1] = t ? 4 << 20 : 0;
		break;
	case HSA_AGENT_INFO_ISA: ((hsa_isa_t *)value)->handle = t ? (u64)(uintptr_t)a : 0; break;
	case HSA_AGENT_INFO_EXTENSIONS:
		memset(value, 0, 128);
		((u8 *)value)[HSA_EXTENSION_AMD_LOADER >> 3] |= 1 << (HSA_EXTENSION_AMD_LOADER & 7);
		break;
	case HSA_AGENT_INFO_VERSION_MAJOR: U16(1); break;
	case HSA_AGENT_INFO_VERSION_MINOR: U16(1); break;
	default: return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	}
	return HSA_STATUS_SUCCESS;
}

static hsa_status_t
info_amd(struct hx_agent *a, u32 attribute, void *value)
{
	const struct target *t = a->target;
	switch (attribute) {
	case HSA_AMD_AGENT_INFO_CHIP_ID: U32(t ? 0x7000u + t->mach : 0); break;
	case HSA_AMD_AGENT_INFO_CACHELINE_SIZE: U32(t && t->major == 9 ? 64 : 128); break;
	case HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT:
		U32(t ? EXEC_CUS : sysconf(_SC_NPROCESSORS_ONLN));
		break;
	case HSA_AMD_AGENT_INFO_COOPERATIVE_COMPUTE_UNIT_COUNT: U32(t ? EXEC_CUS : 0); break;
	case HSA_AMD_AGENT_INFO_MAX_CLOCK_FREQUENCY: U32(CLOCK_MHZ); break;
	case HSA_AMD_AGENT_INFO_DRIVER_NODE_ID: U32(a->node); break;
	case HSA_AMD_AGENT_INFO_MAX_ADDRESS_WATCH_POINTS: U32(0); break;
	case HSA_AMD_AGENT_INFO_BDFID: U32(a->node << 8); break; /* bus = node */
	case HSA_AMD_AGENT_INFO_DOMAIN: U32(0); break;
	case HSA_AMD_AGENT_INFO_MEMORY_WIDTH: U32(t ? MEMORY_BITS : 64); break;
	case HSA_AMD_AGENT_INFO_MEMORY_MAX_FREQUENCY: U32(MEMORY_MHZ); break;
	case HSA_AMD_AGENT_INFO_PRODUCT_NAME: product(a, value); break;
	case HSA_AMD_AGENT_INFO_MAX_WAVES_PER_CU: U32(t ? t->waves * simds(t) : 0); break;
	case HSA_AMD_AGENT_INFO_NUM_SIMDS_PER_CU: U32(t ? simds(t) : 0); break;
	case HSA_AMD_AGENT_INFO_NUM_SHADER_ENGINES: U32(t ? 1 : 0); break;
	case HSA_AMD_AGENT_INFO_NUM_SHADER_ARRAYS_PER_SE: U32(t ? 1 : 0); break;
	case HSA_AMD_AGENT_INFO_HDP_FLUSH: memset(value, 0, sizeof(hsa_amd_hdp_flush_t)); break;
	case HSA_AMD_AGENT_INFO_COOPERATIVE_QUEUES: BOOL(t != NULL); break;
	case HSA_AMD_AGENT_INFO_UUID: uuid(a, value); break;
	case HSA_AMD_AGENT_INFO_ASIC_REVISION: U32(0); break;
	case HSA_AMD_AGENT_INFO_SVM_DIRECT_HOST_ACCESS: BOOL(false); break;
	default: return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	}
	return HSA_STATUS_SUCCESS;
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
	/* the extension for images: every size is 0, there are none */
	if (at >= HSA_EXT_AGENT_INFO_IMAGE_1D_MAX_ELEMENTS &&
		at <= HSA_EXT_AGENT_INFO_IMAGE_LINEAR_ROW_PITCH_ALIGNMENT) {
		bool pair = at >= HSA_EXT_AGENT_INFO_IMAGE_2D_MAX_ELEMENTS &&
			at <= HSA_EXT_AGENT_INFO_IMAGE_2DADEPTH_MAX_ELEMENTS;
		bool triple = at == HSA_EXT_AGENT_INFO_IMAGE_3D_MAX_ELEMENTS;
		memset(value, 0, sizeof(u32) * (triple ? 3 : pair ? 2 : 1));
		return HSA_STATUS_SUCCESS;
	}
	return at < HSA_AMD_AGENT_INFO_CHIP_ID ? info_standard(a, at, value) : info_amd(a, at, value);
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
hsa_agent_iterate_caches(hsa_agent_t agent, hsa_status_t (*callback)(hsa_cache_t, void *), void *data)
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
