/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * queue.c - user-mode queues. Each has a ring of 64-byte packets in device memory, a doorbell and a
 * thread that plays the packet processor: it takes packets from the read index on while their header
 * is not INVALID and the doorbell was rung for them, runs each to its end (so the barrier bit always
 * holds), makes the header INVALID and advances the read index.
 *
 * The doorbell's value is the index of a packet; with several producers it arrives out of order, so
 * the greatest value counts, and an INVALID header on the way means: wait for the next ring.
 *
 * After an error the queue is inactive, as in ROCr: the error callback is called once, from this
 * thread, and the failed packet and those behind it never complete: their completion signals keep
 * their values. Whoever waits for one must be woken by the callback (or the system event handler,
 * which is called before it). hsa_queue_destroy works as ever.
 *
 * Destroying or inactivating a queue stops the kernel that it runs, as on a GPU: one line says so, its
 * completion signal keeps its value.
 */
#include "hx.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static struct hx_queue *
queue_of(const hsa_queue_t *q)
{
	struct hx_queue *found = NULL;
	pthread_mutex_lock(&hx.lock);
	for (struct hx_queue *i = hx.queues; i && !found; i = i->next)
		if (&i->amd->hsa_queue == q)
			found = i;
	pthread_mutex_unlock(&hx.lock);
	return found;
}

void
hx_queue_ring(struct hx_queue *q, i64 index)
{
	u64 next = (u64)index + 1;
	u64 written = __atomic_load_n(&q->amd->write_dispatch_id, __ATOMIC_ACQUIRE);
	u64 read = __atomic_load_n(&q->amd->read_dispatch_id, __ATOMIC_ACQUIRE);
	if (next > written) {
		hx_misuse(HSA_STATUS_ERROR_INVALID_ARGUMENT, "doorbell",
			"packet %lld is not below the write index %llu", (long long)index,
			(unsigned long long)written);
		next = written;
	} else if (next > read + q->amd->hsa_queue.size && next <= written) {
		hx_misuse(HSA_STATUS_ERROR_INVALID_ARGUMENT, "doorbell",
			"packet %lld overwrites one that is not read yet (read index %llu, size "
			"%u)",
			(long long)index, (unsigned long long)read, q->amd->hsa_queue.size);
	}
	u64 old = __atomic_load_n(&q->rung, __ATOMIC_RELAXED);
	while (old < next && !__atomic_compare_exchange_n(&q->rung, &old, next, true,
				     __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
	__atomic_add_fetch(&q->rings, 1, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(&q->asleep, __ATOMIC_SEQ_CST))
		hx_futex_wake(&q->rings);
}

/* Runs what can be run now; false when the queue is broken. */
static bool
queue_drain(struct hx_queue *q)
{
	u64 read = q->amd->read_dispatch_id; /* only this thread writes it */
	while (read < __atomic_load_n(&q->rung, __ATOMIC_ACQUIRE)) {
		hsa_kernel_dispatch_packet_t *slot = &q->ring[read & (q->amd->hsa_queue.size - 1)];
		u16 header = __atomic_load_n(&slot->header, __ATOMIC_ACQUIRE);
		if ((header & 0xff) == HSA_PACKET_TYPE_INVALID ||
			__atomic_load_n(&q->stop, __ATOMIC_ACQUIRE) ||
			__atomic_load_n(&q->inactive, __ATOMIC_ACQUIRE))
			return true;
		hsa_status_t s = hx_packet_run(q, slot);
		if (s == HSA_STATUS_INFO_BREAK) /* the queue ended while the packet waited */
			return true;
		if (s != HSA_STATUS_SUCCESS) {
			__atomic_store_n(&q->inactive, 1, __ATOMIC_RELEASE);
			if (q->on_error)
				q->on_error(s, &q->amd->hsa_queue, q->on_error_data);
			return false;
		}
		read++;
	}
	return true;
}

static void
queue_free(struct hx_queue *q)
{
	hx_signal_free(q->doorbell);
	hx_mem_free(q->amd);
	free(q);
}

static void *
queue_main(void *arg)
{
	struct hx_queue *q = arg;
	bool alive = true;
	for (;;) {
		u32 rings = __atomic_load_n(&q->rings, __ATOMIC_SEQ_CST);
		if (alive)
			alive = queue_drain(q);
		if (__atomic_load_n(&q->stop, __ATOMIC_ACQUIRE))
			break;
		__atomic_store_n(&q->asleep, 1, __ATOMIC_SEQ_CST);
		hx_futex_wait(
			&q->rings, rings, UINT64_MAX); /* returns at once when there was a ring */
		__atomic_store_n(&q->asleep, 0, __ATOMIC_RELAXED);
	}
	if (q->detached)
		queue_free(q);
	return NULL;
}

/* --- life of a queue -------------------------------------------------------------------------- */

static bool
queue_memory(struct hx_queue *q, u32 size)
{
	u64 head = (sizeof(amd_queue_t) + 63) & ~63ull;
	u64 bytes = head + (u64)size * sizeof *q->ring;
	q->amd = hx_mem_new(&hx.agents[0], bytes, HX_MEM_INTERNAL,
		HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED);
	if (!q->amd)
		return false;
	if (!hx_mem_expose(q->amd, EXEC_MEMORY_DATA)) {
		hx_mem_free(q->amd);
		return false;
	}
	q->ring = (void *)((u8 *)q->amd + head);
	for (u32 i = 0; i < size; i++)
		q->ring[i].header = HSA_PACKET_TYPE_INVALID;
	return true;
}

static void
queue_describe(struct hx_queue *q, u32 size, hsa_queue_type32_t type)
{
	static u64 ids;
	amd_queue_t *a = q->amd;
	a->hsa_queue.type = type;
	a->hsa_queue.features = HSA_QUEUE_FEATURE_KERNEL_DISPATCH;
	a->hsa_queue.base_address = q->ring;
	a->hsa_queue.doorbell_signal.handle = (u64)(uintptr_t)q->doorbell;
	a->hsa_queue.size = size;
	a->hsa_queue.id = __atomic_fetch_add(&ids, 1, __ATOMIC_RELAXED);
	a->group_segment_aperture_base_hi = (u32)(EXEC_SHARED_BASE >> 32);
	a->private_segment_aperture_base_hi = (u32)(EXEC_PRIVATE_BASE >> 32);
	a->max_cu_id = EXEC_CUS - 1;
	a->max_wave_id = q->agent->target->waves - 1u;
	a->read_dispatch_id_field_base_byte_offset = offsetof(amd_queue_t, read_dispatch_id);
	a->queue_properties = AMD_QUEUE_PROPERTIES_IS_PTR64;
	q->doorbell->queue_ptr = a;
	q->doorbell->event_mailbox_ptr = (u64)(uintptr_t)q;
}

static struct hx_queue *
queue_new(struct hx_agent *a, u32 size, hsa_queue_type32_t type)
{
	struct hx_queue *q = calloc(1, sizeof *q);
	if (!q)
		return NULL;
	q->agent = a;
	q->priority = HSA_AMD_QUEUE_PRIORITY_NORMAL;
	q->doorbell = hx_signal_new(AMD_SIGNAL_KIND_DOORBELL, 0);
	if (q->doorbell) {
		if (queue_memory(q, size)) {
			queue_describe(q, size, type);
			return q;
		}
		hx_signal_free(q->doorbell);
	}
	free(q);
	return NULL;
}

hsa_status_t
hsa_queue_create(hsa_agent_t agent, uint32_t size, hsa_queue_type32_t type,
	void (*callback)(hsa_status_t status, hsa_queue_t *source, void *data), void *data,
	uint32_t private_segment_size, uint32_t group_segment_size, hsa_queue_t **queue)
{
	(void)private_segment_size; /* hints */
	(void)group_segment_size;
	HX_CHECK_INIT();
	struct hx_agent *a = hx_agent_get(agent);
	if (!a)
		return HSA_STATUS_ERROR_INVALID_AGENT;
	if (!a->target)
		return HSA_STATUS_ERROR_INVALID_QUEUE_CREATION;
	u32 least, most;
	hsa_agent_get_info(agent, HSA_AGENT_INFO_QUEUE_MIN_SIZE, &least);
	hsa_agent_get_info(agent, HSA_AGENT_INFO_QUEUE_MAX_SIZE, &most);
	if (!queue || size == 0 || (size & (size - 1)) || type > HSA_QUEUE_TYPE_COOPERATIVE)
		return hx_misuse(HSA_STATUS_ERROR_INVALID_ARGUMENT, __func__,
			"size %u is no power of two, or type %u is not known", size, type);
	if (size < least || size > most)
		return hx_misuse(HSA_STATUS_ERROR_INVALID_ARGUMENT, __func__,
			"size %u is not in %u..%u", size, least, most);
	struct hx_queue *q = queue_new(a, size, type);
	if (!q)
		return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
	q->on_error = callback;
	q->on_error_data = data;
	pthread_mutex_lock(&hx.lock);
	q->next = hx.queues;
	hx.queues = q;
	bool started = hx_thread_start(&q->thread, "hsa-queue", queue_main, q);
	if (!started)
		hx.queues = q->next;
	pthread_mutex_unlock(&hx.lock);
	if (!started) {
		queue_free(q);
		return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
	}
	*queue = &q->amd->hsa_queue;
	return HSA_STATUS_SUCCESS;
}

/* Takes the queue that HSA calls `handle` (NULL: any) off the list. */
static struct hx_queue *
queue_unlink(const hsa_queue_t *handle)
{
	struct hx_queue *q = NULL;
	pthread_mutex_lock(&hx.lock);
	for (struct hx_queue **i = &hx.queues; *i; i = &(*i)->next)
		if (!handle || &(*i)->amd->hsa_queue == handle) {
			q = *i;
			*i = q->next;
			break;
		}
	pthread_mutex_unlock(&hx.lock);
	return q;
}

/* After `stop` or `inactive`: the queue's thread looks at these once it has said that it runs a kernel. */
static void
queue_abort(struct hx_queue *q)
{
	while (__atomic_load_n(&q->running, __ATOMIC_SEQ_CST)) {
		exec_stop(q->agent->exec, (u64)(uintptr_t)q->amd);
		nanosleep(&(struct timespec){0, 50000}, NULL);
	}
}

/* Packets that wait for signals, and those not begun, are dropped; a running kernel is stopped. */
static void
queue_stop(struct hx_queue *q)
{
	bool self = pthread_equal(pthread_self(), q->thread); /* from the error callback */
	q->detached = self;
	if (self)
		pthread_detach(q->thread);
	__atomic_store_n(&q->stop, 1, __ATOMIC_SEQ_CST);
	queue_abort(q);
	__atomic_add_fetch(&q->rings, 1, __ATOMIC_SEQ_CST);
	hx_futex_wake(&q->rings);
	hx_signal_kick();
	if (self)
		return;
	pthread_join(q->thread, NULL);
	queue_free(q);
}

void
hx_queues_stop(void)
{
	for (struct hx_queue *q; (q = queue_unlink(NULL));)
		queue_stop(q);
}

hsa_status_t
hsa_queue_destroy(hsa_queue_t *queue)
{
	HX_CHECK_INIT();
	if (!queue)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	struct hx_queue *q = queue_unlink(queue);
	if (!q)
		return hx_misuse(HSA_STATUS_ERROR_INVALID_QUEUE, __func__, "not a queue");
	queue_stop(q);
	return HSA_STATUS_SUCCESS;
}

hsa_status_t
hsa_queue_inactivate(hsa_queue_t *queue)
{
	HX_CHECK_INIT();
	struct hx_queue *q = queue_of(queue);
	if (!q)
		return hx_misuse(HSA_STATUS_ERROR_INVALID_QUEUE, __func__, "not a queue");
	__atomic_store_n(&q->inactive, 1, __ATOMIC_SEQ_CST);
	queue_abort(q);
	hx_signal_kick();
	return HSA_STATUS_SUCCESS;
}

/* Every queue has its own thread: priorities are accepted and have no effect. */
hsa_status_t
hsa_amd_queue_set_priority(hsa_queue_t *queue, hsa_amd_queue_priority_t priority)
{
	HX_CHECK_INIT();
	struct hx_queue *q = queue_of(queue);
	if (!q)
		return hx_misuse(HSA_STATUS_ERROR_INVALID_QUEUE, __func__, "not a queue");
	if ((u32)priority > HSA_AMD_QUEUE_PRIORITY_HIGH)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	q->priority = priority;
	return HSA_STATUS_SUCCESS;
}

hsa_status_t
hsa_amd_profiling_set_profiler_enabled(hsa_queue_t *queue, int enable)
{
	HX_CHECK_INIT();
	struct hx_queue *q = queue_of(queue);
	if (!q)
		return hx_misuse(HSA_STATUS_ERROR_INVALID_QUEUE, __func__, "not a queue");
	__atomic_store_n(&q->profiling, enable != 0, __ATOMIC_RELEASE);
	return HSA_STATUS_SUCCESS;
}

/* --- indices ---------------------------------------------------------------------------------- */

#define AMD(q) ((amd_queue_t *)(uintptr_t)(q)) /* hsa_queue_t stands first in it */
#define ORDER_R(suffix, order)                                                                     \
	uint64_t hsa_queue_load_read_index_##suffix(const hsa_queue_t *q)                          \
	{                                                                                          \
		return __atomic_load_n(&AMD(q)->read_dispatch_id, order);                          \
	}                                                                                          \
	uint64_t hsa_queue_load_write_index_##suffix(const hsa_queue_t *q)                         \
	{                                                                                          \
		return __atomic_load_n(&AMD(q)->write_dispatch_id, order);                         \
	}
/* The read index belongs to the packet processor; only soft queues, which are missing, store it. */
#define ORDER_W(suffix, order)                                                                     \
	void hsa_queue_store_write_index_##suffix(const hsa_queue_t *q, uint64_t value)            \
	{                                                                                          \
		__atomic_store_n(&AMD(q)->write_dispatch_id, value, order);                        \
	}                                                                                          \
	void hsa_queue_store_read_index_##suffix(const hsa_queue_t *q, uint64_t value)             \
	{                                                                                          \
		(void)q;                                                                           \
		hx_misuse(HSA_STATUS_ERROR, __func__, "%llu: the read index is the queue's own",   \
			(unsigned long long)value);                                                \
	}
#define CAS_FAIL(order)                                                                            \
	((order) == __ATOMIC_ACQ_REL || (order) == __ATOMIC_ACQUIRE ? __ATOMIC_ACQUIRE             \
								    : __ATOMIC_RELAXED)
#define ORDER_RW(suffix, order)                                                                    \
	uint64_t hsa_queue_add_write_index_##suffix(const hsa_queue_t *q, uint64_t value)          \
	{                                                                                          \
		return __atomic_fetch_add(&AMD(q)->write_dispatch_id, value, order);               \
	}                                                                                          \
	uint64_t hsa_queue_cas_write_index_##suffix(                                               \
		const hsa_queue_t *q, uint64_t expected, uint64_t value)                           \
	{                                                                                          \
		u64 old = expected;                                                                \
		__atomic_compare_exchange_n(                                                       \
			&AMD(q)->write_dispatch_id, &old, value, false, order, CAS_FAIL(order));   \
		return old;                                                                        \
	}
#include "order.def"
