/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * hsa.c - the only caller of hsa_*. HEDDLE_DEVICE chooses the library: `amd` the system's ROCr, `exec`
 * the executor's beside this library (heddle/libhsa-runtime64.so.1), `auto` (the default) the first
 * of the two that has a GPU. It is loaded with RTLD_LOCAL into a table of pointers and never unloaded.
 * Packets: the body is written first, then header and setup as one 32-bit store with release; the
 * doorbell gets the packet's index. A queue's producers are serialised by the queue's own lock.
 */
#include "host-rt/rt.h"

#include <dlfcn.h>
#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
#define HSA(name) __typeof__(hsa_##name) *name;
#include "host-rt/hsa.def"
#undef HSA
	hsa_amd_memory_pool_t host_pool; /* fine-grained memory of the first CPU */
	hsa_agent_t cpu;
	hsa_agent_t gpus[RT_DEVICES];
	u32 ngpus;
	u64 frequency; /* ticks a second of all timestamps */
	void (*on_fault)(u64 agent, cudaError_t error);
	_Atomic u32 faults[RT_DEVICES]; /* of each GPU */
	bool open;
} hsa;

static bool
failed(hsa_status_t s, const char *what)
{
	if (s == HSA_STATUS_SUCCESS)
		return false;
	const char *text = NULL;
	hsa.status_string(s, &text);
	sink_printf("%s: %s (%#x)", what, text ? text : "unknown HSA status", (unsigned)s);
	return true;
}

/* --- opening ------------------------------------------------------------------------------------ */

static bool
load(const char *path, bool must)
{
	void *lib = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!lib) {
		const char *why = dlerror();
		if (must)
			sink_printf("%s", why);
		else
			log_printf(LOG_hsa, "dlopen %s: %s", path, why);
		return false;
	}
#define HSA(name)                                                                                  \
	*(void **)&hsa.name = dlsym(lib, "hsa_" #name);                                            \
	if (!hsa.name) {                                                                           \
		sink_printf("%s has no hsa_" #name, path);                                         \
		return false;                                                                      \
	}
#include "host-rt/hsa.def"
#undef HSA
	return true;
}

/* The executor's library stands in a folder beside the file that holds this code. */
static bool
load_executor(void)
{
	Dl_info info;
	if (!dladdr((void *)(uintptr_t)&load, &info) || !info.dli_fname)
		return false;
	const char *slash = strrchr(info.dli_fname, '/');
	int n = slash ? (int)(slash - info.dli_fname) : 1;
	char path[4096];
	snprintf(path, sizeof path, "%.*s/heddle/libhsa-runtime64.so.1", n,
		slash ? info.dli_fname : ".");
	return load(path, true);
}

struct found {
	struct hal_gpu *gpus;
	int cap, n;
};

static hsa_status_t
pool_visit(hsa_amd_memory_pool_t pool, void *user)
{
	struct hal_gpu *g = user; /* NULL: of the CPU */
	hsa_amd_segment_t segment;
	uint32_t flags = 0;
	bool can = false;
	if (hsa.amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_SEGMENT, &segment) ||
		segment != HSA_AMD_SEGMENT_GLOBAL)
		return HSA_STATUS_SUCCESS;
	hsa.amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, &flags);
	hsa.amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALLOWED, &can);
	if (!can)
		return HSA_STATUS_SUCCESS;
	if (g) {
		if (!(flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED))
			return HSA_STATUS_SUCCESS;
		size_t size = 0;
		hsa.amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_SIZE, &size);
		g->pool = pool.handle;
		g->pool_bytes = size;
	} else if (flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT) {
		hsa.host_pool = pool; /* fine-grained, and good for arguments of kernels */
	}
	return HSA_STATUS_SUCCESS;
}

static hsa_status_t
isa_visit(hsa_isa_t isa, void *user)
{
	struct hal_gpu *g = user;
	char name[128] = "";
	uint32_t n = 0;
	hsa.isa_get_info_alt(isa, HSA_ISA_INFO_NAME_LENGTH, &n);
	if (n >= sizeof name || hsa.isa_get_info_alt(isa, HSA_ISA_INFO_NAME, name))
		return HSA_STATUS_SUCCESS;
	const char *arch = strstr(name, "--");
	if (arch)
		snprintf(g->arch, sizeof g->arch, "%s", arch + 2);
	return HSA_STATUS_INFO_BREAK; /* the first is the agent's own */
}

static void
describe(hsa_agent_t a, struct hal_gpu *g)
{
	static const struct {
		uint32_t what;
		size_t at;
	} facts[] = {
		{HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT, offsetof(struct hal_gpu, cus)},
		{HSA_AMD_AGENT_INFO_MAX_CLOCK_FREQUENCY, offsetof(struct hal_gpu, clock_mhz)},
		{HSA_AMD_AGENT_INFO_MEMORY_MAX_FREQUENCY,
			offsetof(struct hal_gpu, memory_clock_mhz)},
		{HSA_AMD_AGENT_INFO_MEMORY_WIDTH, offsetof(struct hal_gpu, bus_bits)},
		{HSA_AMD_AGENT_INFO_BDFID, offsetof(struct hal_gpu, bdf)},
		{HSA_AMD_AGENT_INFO_DOMAIN, offsetof(struct hal_gpu, domain)},
		{HSA_AMD_AGENT_INFO_CHIP_ID, offsetof(struct hal_gpu, chip)},
		{HSA_AGENT_INFO_QUEUE_MAX_SIZE, offsetof(struct hal_gpu, max_queue)},
	};
	for (size_t i = 0; i < COUNT(facts); i++)
		hsa.agent_get_info(a, (hsa_agent_info_t)facts[i].what, (char *)g + facts[i].at);
	uint32_t cache[4] = {0};
	hsa.agent_get_info(a, HSA_AGENT_INFO_CACHE_SIZE, cache);
	g->l2_bytes = cache[1];
	hsa.agent_get_info(a, (hsa_agent_info_t)HSA_AMD_AGENT_INFO_PRODUCT_NAME, g->product);
	char uuid[24] = "";
	hsa.agent_get_info(a, (hsa_agent_info_t)HSA_AMD_AGENT_INFO_UUID, uuid);
	memcpy(g->uuid, uuid, sizeof g->uuid);
	hsa.agent_iterate_isas(a, isa_visit, g);
	hsa.amd_agent_iterate_memory_pools(a, pool_visit, g);
}

static hsa_status_t
agent_visit(hsa_agent_t a, void *user)
{
	struct found *f = user;
	hsa_device_type_t type;
	if (hsa.agent_get_info(a, HSA_AGENT_INFO_DEVICE, &type))
		return HSA_STATUS_SUCCESS;
	if (type == HSA_DEVICE_TYPE_CPU && !hsa.host_pool.handle) {
		hsa.cpu = a;
		hsa.amd_agent_iterate_memory_pools(a, pool_visit, NULL);
	}
	if (type != HSA_DEVICE_TYPE_GPU || f->n == f->cap)
		return HSA_STATUS_SUCCESS;
	struct hal_gpu *g = &f->gpus[f->n];
	memset(g, 0, sizeof *g);
	g->agent = a.handle;
	describe(a, g);
	if (!g->pool || !g->arch[0])
		return HSA_STATUS_SUCCESS; /* nothing that we could use */
	hsa.gpus[f->n++] = a;
	return HSA_STATUS_SUCCESS;
}

/* What a status of the library means to CUDA. */
static cudaError_t
fault_error(hsa_status_t s)
{
	switch ((unsigned)s) {
	case HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION:
	case HSA_STATUS_ERROR_INVALID_ISA:
		return cudaErrorIllegalInstruction;
	case HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION:
		return cudaErrorMisalignedAddress;
	case HSA_STATUS_ERROR_MEMORY_FAULT:
		return cudaErrorIllegalAddress;
	case HSA_STATUS_ERROR_OUT_OF_RESOURCES:
		return cudaErrorLaunchOutOfResources;
	case HSA_STATUS_ERROR_FATAL: /* the executor's: a deadlock, or HEDDLE_EXEC_LIMIT */
		return cudaErrorLaunchTimeout;
	default:
		return cudaErrorLaunchFailure;
	}
}

static void
fault(u64 agent, cudaError_t error)
{
	for (u32 i = 0; i < hsa.ngpus; i++)
		if (hsa.gpus[i].handle == agent)
			atomic_fetch_add(&hsa.faults[i], 1);
	hsa.on_fault(agent, error);
}

static void
queue_failed(hsa_status_t status, hsa_queue_t *q, void *user)
{
	const struct hal_gpu *g = user;
	(void)q;
	fault(g->agent, fault_error(status));
}

static hsa_status_t
system_event(const hsa_amd_event_t *event, void *user)
{
	(void)user;
	bool jumped = event->memory_fault.fault_reason_mask & HSA_AMD_MEMORY_FAULT_NX;
	if (event->event_type == HSA_AMD_GPU_MEMORY_FAULT_EVENT)
		fault(event->memory_fault.agent.handle,
			jumped ? cudaErrorInvalidPc : cudaErrorIllegalAddress);
	return HSA_STATUS_SUCCESS;
}

static bool
start(struct found *f)
{
	if (failed(hsa.init(), "hsa_init"))
		return false;
	f->n = 0;
	hsa.host_pool.handle = 0;
	if (failed(hsa.iterate_agents(agent_visit, f), "hsa_iterate_agents"))
		return false;
	hsa.ngpus = (u32)f->n;
	if (failed(hsa.system_get_info(HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY, &hsa.frequency),
		    "timestamp frequency"))
		return false;
	return f->n && hsa.host_pool.handle && hsa.frequency;
}

bool
hal_open(struct hal_gpu *gpus, int cap, int *n, void (*on_fault)(u64 agent, cudaError_t error))
{
	assert(!hsa.open);
	hsa.on_fault = on_fault;
	const char *env = getenv("HEDDLE_DEVICE");
	struct str rest = str_of(env ? env : "auto");
	struct str which = str_split(&rest, ':');
	bool any = str_is(which, "auto") || !which.n;
	struct found f = {gpus, cap, 0};
	bool exec = str_is(which, "exec");
	if ((!any && !str_is(which, "amd") && !exec) || (rest.n && !exec)) {
		sink_printf("HEDDLE_DEVICE=%s: not auto, amd or exec[:gfxNNNN,…]", env);
		return false;
	}
	bool ok = false;
	/* A library without a GPU is left loaded: it may have threads. */
	if (any || str_is(which, "amd"))
		ok = load("libhsa-runtime64.so.1", !any) &&
		     (any ? hsa.init() == HSA_STATUS_SUCCESS : true) && start(&f);
	if (!ok && (any || exec))
		ok = load_executor() && start(&f);
	if (!ok) {
		sink_printf("no device: %s", str_is(which, "amd")
						     ? "the system's HSA library has no GPU"
						     : "the executor's HSA library cannot be used");
		return false;
	}
	failed(hsa.amd_register_system_event_handler(system_event, NULL), "system event handler");
	hsa.open = true;
	*n = f.n;
	return true;
}

u64
hal_now(void)
{
	uint64_t t = 0;
	hsa.system_get_info(HSA_SYSTEM_INFO_TIMESTAMP, &t);
	return hsa.frequency == 1000000000 ? t : (u64)((double)t * 1e9 / (double)hsa.frequency);
}

/* --- memory ------------------------------------------------------------------------------------- */

void *
hal_device_alloc(const struct hal_gpu *g, size_t n)
{
	void *p = NULL;
	hsa_amd_memory_pool_t pool = {g->pool};
	return hsa.amd_memory_pool_allocate(pool, n, 0, &p) ? NULL : p;
}

void *
hal_host_alloc(size_t n)
{
	void *p = NULL;
	if (hsa.amd_memory_pool_allocate(hsa.host_pool, n, 0, &p))
		return NULL;
	if (!failed(hsa.amd_agents_allow_access(hsa.ngpus, hsa.gpus, NULL, p),
		    "access to host memory"))
		return p;
	hal_free(p);
	return NULL;
}

void
hal_free(void *p)
{
	failed(hsa.amd_memory_pool_free(p), "hsa_amd_memory_pool_free");
}

bool
hal_allow(const struct hal_gpu *g, void *p)
{
	hsa_agent_t a = {g->agent};
	return !failed(hsa.amd_agents_allow_access(1, &a, NULL, p), "access of a peer");
}

void *
hal_lock(void *p, size_t n)
{
	void *seen = NULL;
	return hsa.amd_memory_lock(p, n, hsa.gpus, (int)hsa.ngpus, &seen) ? NULL : seen;
}

bool
hal_unlock(void *p)
{
	return !failed(hsa.amd_memory_unlock(p), "hsa_amd_memory_unlock");
}

bool
hal_copy(void *dst, const void *src, size_t n)
{
	return !failed(hsa.memory_copy(dst, src, n), "hsa_memory_copy");
}

bool
hal_fill(void *dst, u32 word, size_t words)
{
	return !failed(hsa.amd_memory_fill(dst, word, words), "hsa_amd_memory_fill");
}

/* --- signals ------------------------------------------------------------------------------------ */

u64
hal_signal_new(void)
{
	hsa_signal_t s = {0};
	return hsa.signal_create(1, 0, NULL, &s) ? 0 : s.handle;
}

void
hal_signal_reset(u64 signal)
{
	hsa.signal_store_relaxed((hsa_signal_t){signal}, 1);
}

void
hal_signal_end(u64 signal)
{
	hsa.signal_store_screlease((hsa_signal_t){signal}, 0);
}

bool
hal_signal_done(u64 signal)
{
	return hsa.signal_load_scacquire((hsa_signal_t){signal}) <= 0;
}

void
hal_signal_wait(u64 signal)
{
	hsa_signal_t s = {signal};
	while (hsa.signal_wait_scacquire(
		       s, HSA_SIGNAL_CONDITION_LT, 1, UINT64_MAX, HSA_WAIT_STATE_BLOCKED) > 0)
		;
}

void
hal_signal_free(u64 signal)
{
	failed(hsa.signal_destroy((hsa_signal_t){signal}), "hsa_signal_destroy");
}

u64
hal_signal_time(const struct hal_gpu *g, u64 signal)
{
	hsa_amd_profiling_dispatch_time_t t = {0};
	if (hsa.amd_profiling_get_dispatch_time(
		    (hsa_agent_t){g->agent}, (hsa_signal_t){signal}, &t))
		return 0;
	return hsa.frequency == 1000000000 ? t.end
					   : (u64)((double)t.end * 1e9 / (double)hsa.frequency);
}

/* --- queues ------------------------------------------------------------------------------------- */

struct queue {
	hsa_queue_t *q;
	pthread_mutex_t lock;
	u32 gpu, faults; /* of the GPU when the queue was made */
};

void *
hal_queue_new(const struct hal_gpu *g, cudaError_t *error)
{
	struct queue *q = calloc(1, sizeof *q);
	*error = cudaErrorMemoryAllocation;
	if (!q)
		return NULL;
	u32 size = g->max_queue && g->max_queue < 1024 ? g->max_queue : 1024;
	hsa_status_t s = hsa.queue_create((hsa_agent_t){g->agent}, size, HSA_QUEUE_TYPE_MULTI,
		queue_failed, (void *)(uintptr_t)g, UINT32_MAX, UINT32_MAX, &q->q);
	if (failed(s, "hsa_queue_create")) {
		if (s != HSA_STATUS_ERROR_OUT_OF_RESOURCES)
			*error = cudaErrorUnknown;
		free(q);
		return NULL;
	}
	pthread_mutex_init(&q->lock, NULL);
	while (q->gpu + 1 < hsa.ngpus && hsa.gpus[q->gpu].handle != g->agent)
		q->gpu++;
	q->faults = atomic_load(&hsa.faults[q->gpu]);
	failed(hsa.amd_profiling_set_profiler_enabled(q->q, 1), "profiling");
	*error = cudaSuccess;
	return q;
}

void
hal_queue_free(void *queue)
{
	struct queue *q = queue;
	failed(hsa.queue_destroy(q->q), "hsa_queue_destroy");
	pthread_mutex_destroy(&q->lock);
	free(q);
}

/* Takes a slot, waiting while there is none; NULL when the queue may be dead, and never empties. A
 * packet is 64 bytes; its header says INVALID until the last store. */
static void *
slot(struct queue *q, u64 *index)
{
	while (hsa.queue_load_write_index_relaxed(q->q) -
			hsa.queue_load_read_index_scacquire(q->q) >=
		q->q->size) {
		if (atomic_load(&hsa.faults[q->gpu]) != q->faults)
			return NULL;
		sched_yield();
	}
	*index = hsa.queue_add_write_index_screlease(q->q, 1);
	return (char *)q->q->base_address + (*index & (q->q->size - 1)) * 64;
}

static void
publish(struct queue *q, void *packet, u64 index, u32 header_and_setup)
{
	atomic_store_explicit((_Atomic u32 *)packet, header_and_setup, memory_order_release);
	hsa.signal_store_screlease(q->q->doorbell_signal, (hsa_signal_value_t)index);
}

#define SYSTEM_FENCES                                                                              \
	(HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE |                       \
		HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE |                \
		1 << HSA_PACKET_HEADER_BARRIER)

void
hal_queue_dispatch(void *queue, const struct hal_dispatch *d)
{
	struct queue *q = queue;
	u64 index;
	pthread_mutex_lock(&q->lock);
	hsa_kernel_dispatch_packet_t *p = slot(q, &index);
	if (!p) {
		pthread_mutex_unlock(&q->lock);
		return;
	}
	p->workgroup_size_x = d->block[0];
	p->workgroup_size_y = d->block[1];
	p->workgroup_size_z = d->block[2];
	p->reserved0 = 0;
	p->grid_size_x = d->grid[0];
	p->grid_size_y = d->grid[1];
	p->grid_size_z = d->grid[2];
	p->private_segment_size = d->private_size;
	p->group_segment_size = d->group;
	p->kernel_object = d->object;
	p->kernarg_address = d->kernarg;
	p->reserved2 = 0;
	p->completion_signal.handle = d->signal;
	u32 header = HSA_PACKET_TYPE_KERNEL_DISPATCH << HSA_PACKET_HEADER_TYPE | SYSTEM_FENCES;
	u32 setup = 3u << HSA_KERNEL_DISPATCH_PACKET_SETUP_DIMENSIONS;
	publish(q, p, index, header | setup << 16);
	pthread_mutex_unlock(&q->lock);
}

void
hal_queue_barrier(void *queue, const u64 *signals, size_t n)
{
	struct queue *q = queue;
	pthread_mutex_lock(&q->lock);
	for (size_t i = 0; i < n; i += 5) {
		u64 index;
		hsa_barrier_and_packet_t *p = slot(q, &index);
		if (!p)
			break;
		p->reserved1 = 0;
		for (size_t j = 0; j < 5; j++)
			p->dep_signal[j].handle = i + j < n ? signals[i + j] : 0;
		p->reserved2 = 0;
		p->completion_signal.handle = 0;
		publish(q, p, index,
			HSA_PACKET_TYPE_BARRIER_AND << HSA_PACKET_HEADER_TYPE | SYSTEM_FENCES);
	}
	pthread_mutex_unlock(&q->lock);
}

/* --- code objects ------------------------------------------------------------------------------- */

u64
hal_code_load(const struct hal_gpu *g, const void *image, size_t n)
{
	hsa_executable_t e = {0};
	hsa_code_object_reader_t reader = {0};
	hsa_agent_t a = {g->agent};
	if (failed(hsa.executable_create_alt(
			   HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, NULL, &e),
		    "hsa_executable_create_alt"))
		return 0;
	bool bad =
		failed(hsa.code_object_reader_create_from_memory(image, n, &reader), "code object");
	if (!bad) {
		bad = failed(hsa.executable_load_agent_code_object(e, a, reader, NULL, NULL),
			      "code object") ||
		      failed(hsa.executable_freeze(e, NULL), "hsa_executable_freeze");
		hsa.code_object_reader_destroy(reader);
	}
	if (bad) {
		hsa.executable_destroy(e);
		return 0;
	}
	return e.handle;
}

void
hal_code_free(u64 code)
{
	failed(hsa.executable_destroy((hsa_executable_t){code}), "hsa_executable_destroy");
}

static bool
symbol(const struct hal_gpu *g, u64 code, const char *name, hsa_executable_symbol_t *s)
{
	hsa_agent_t a = {g->agent};
	return hsa.executable_get_symbol_by_name((hsa_executable_t){code}, name, &a, s) ==
	       HSA_STATUS_SUCCESS;
}

bool
hal_code_kernel(const struct hal_gpu *g, u64 code, const char *name, u64 *object)
{
	hsa_executable_symbol_t s;
	return symbol(g, code, name, &s) &&
	       !hsa.executable_symbol_get_info(s, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, object);
}

bool
hal_code_variable(const struct hal_gpu *g, u64 code, const char *name, u64 *address, u32 *size)
{
	hsa_executable_symbol_t s;
	hsa_symbol_kind_t kind;
	return symbol(g, code, name, &s) &&
	       !hsa.executable_symbol_get_info(s, HSA_EXECUTABLE_SYMBOL_INFO_TYPE, &kind) &&
	       kind == HSA_SYMBOL_KIND_VARIABLE &&
	       !hsa.executable_symbol_get_info(
		       s, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS, address) &&
	       !hsa.executable_symbol_get_info(s, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SIZE, size);
}
