/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * lock.c - host memory that the program owns and the device may use: hsa_amd_memory_lock and
 * hsa_memory_register. Whole pages become usable, as with the hardware's page tables. Ranges may be
 * locked many times and overlap, while the executor's never do: what is not yet usable becomes a new
 * piece, and a piece lives as long as any lock touches it.
 *
 * A program may unmap what it has locked. A GPU faults there; the executor would take the host's own fault and
 * end the process. So before each kernel the pieces are looked at, and those that are gone are taken from
 * the executor: an access is the kernel's fault again. Unmapping under a running kernel stays fatal.
 */
#include "hx.h"
#include "mem.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct lock {
	u64 ptr, size; /* as given */
	u64 lo, hi;    /* its pages */
	u32 access;
	bool own;      /* false: in a block of device memory, there are no pieces */
	void *user;
};

struct piece {
	u64 lo, hi;
	u32 refs;
	bool gone; /* unmapped: the executor does not know it */
};

static struct {
	pthread_mutex_t lock;
	VEC(struct lock) locks;
	VEC(struct piece) pieces; /* sorted, disjoint */
} set = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* MS_ASYNC does nothing but to say whether all of the range is mapped, without a look at its pages. */
static bool
is_mapped(u64 lo, u64 hi)
{
	return msync((void *)(uintptr_t)lo, hi - lo, MS_ASYNC) == 0;
}

static void
pieces_release(u64 lo, u64 hi)
{
	size_t n = 0;
	for (size_t i = 0; i < set.pieces.n; i++) {
		struct piece *p = &set.pieces.p[i];
		if (p->lo >= hi || lo >= p->hi || --p->refs > 0)
			set.pieces.p[n++] = *p;
		else if (!p->gone)
			exec_space_del(hx.space, p->lo);
	}
	set.pieces.n = n;
}

static bool
piece_insert(size_t i, u64 lo, u64 hi)
{
	if (!vec_grow((void **)&set.pieces.p, &set.pieces.cap, set.pieces.n + 1,
		    sizeof *set.pieces.p) ||
		!exec_space_add(hx.space, lo, hi - lo, EXEC_MEMORY_DATA))
		return false;
	memmove(set.pieces.p + i + 1, set.pieces.p + i, (set.pieces.n - i) * sizeof *set.pieces.p);
	set.pieces.p[i] = (struct piece){lo, hi, 1, false};
	set.pieces.n++;
	return true;
}

/* Counts the pieces within [lo, hi) and fills the holes; undone when one cannot be filled. */
static bool
pieces_use(u64 lo, u64 hi)
{
	u64 at = lo;
	for (size_t i = 0; at < hi; i++) {
		struct piece *p = i < set.pieces.n ? &set.pieces.p[i] : NULL;
		if (p && p->hi <= at)
			continue;
		if (p && p->lo <= at) {
			if (p->gone && is_mapped(p->lo, p->hi)) /* by something new */
				p->gone = !exec_space_add(
					hx.space, p->lo, p->hi - p->lo, EXEC_MEMORY_DATA);
			p->refs++;
			at = p->hi;
			continue;
		}
		u64 end = p && p->lo < hi ? p->lo : hi;
		if (!piece_insert(i, at, end)) {
			pieces_release(lo, at);
			return false;
		}
		at = end;
	}
	return true;
}

static hsa_status_t
lock_add(void *ptr, u64 size, u32 access)
{
	u64 at = (u64)(uintptr_t)ptr;
	struct lock l = {.ptr = at, .size = size, .lo = at & ~(u64)(HX_PAGE - 1), .access = access};
	l.hi = (at + size + HX_PAGE - 1) & ~(u64)(HX_PAGE - 1);
	if (l.hi < at || !is_mapped(l.lo, l.hi))
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	struct hx_mem_info i;
	l.own = !(hx_mem_find(ptr, &i) && i.kind != HX_MEM_LOCKED);
	pthread_mutex_lock(&set.lock);
	hsa_status_t s = HSA_STATUS_ERROR_OUT_OF_RESOURCES;
	if (!l.own || pieces_use(l.lo, l.hi)) {
		if (VEC_PUSH(&set.locks, l))
			s = HSA_STATUS_SUCCESS;
		else if (l.own)
			pieces_release(l.lo, l.hi);
	}
	pthread_mutex_unlock(&set.lock);
	return s;
}

static hsa_status_t
lock_del(const void *ptr, const char *fn)
{
	hsa_status_t s = HSA_STATUS_ERROR_INVALID_ARGUMENT;
	pthread_mutex_lock(&set.lock);
	for (size_t i = set.locks.n; i-- > 0;) {
		struct lock l = set.locks.p[i];
		if (l.ptr != (u64)(uintptr_t)ptr)
			continue;
		set.locks.p[i] = set.locks.p[--set.locks.n];
		if (l.own)
			pieces_release(l.lo, l.hi);
		s = HSA_STATUS_SUCCESS;
		break;
	}
	pthread_mutex_unlock(&set.lock);
	return s ? hx_misuse(s, fn, "%p is not locked", ptr) : s;
}

void
hx_locks_check(void)
{
	pthread_mutex_lock(&set.lock);
	for (size_t i = 0; i < set.pieces.n; i++) {
		struct piece *p = &set.pieces.p[i];
		if (p->gone || is_mapped(p->lo, p->hi))
			continue;
		p->gone = true;
		exec_space_del(hx.space, p->lo);
		hx_misuse(HSA_STATUS_ERROR, "dispatch", "locked host memory at %#llx was unmapped",
			(unsigned long long)p->lo);
	}
	pthread_mutex_unlock(&set.lock);
}

bool
hx_lock_find(const void *p, struct hx_mem_info *out)
{
	u64 at = (u64)(uintptr_t)p;
	bool found = false;
	pthread_mutex_lock(&set.lock);
	for (size_t i = set.locks.n; i-- > 0;) {
		struct lock *l = &set.locks.p[i];
		if (at < l->ptr || at >= l->ptr + l->size)
			continue;
		if (found && out->base + out->size >= l->ptr + l->size)
			continue; /* of several, the one that reaches farthest */
		*out = (struct hx_mem_info){HX_MEM_LOCKED, l->ptr, l->size, &hx.agents[0],
			HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED, l->access, l->user};
		found = true;
	}
	pthread_mutex_unlock(&set.lock);
	return found;
}

void
hx_lock_near(u64 at, struct hx_near *near)
{
	pthread_mutex_lock(&set.lock);
	for (size_t i = 0; i < set.locks.n; i++)
		if (set.locks.p[i].own)
			hx_near_add(
				near, at, set.locks.p[i].ptr, set.locks.p[i].size, HX_MEM_LOCKED);
	pthread_mutex_unlock(&set.lock);
}

bool
hx_lock_set_user(const void *p, void *user)
{
	bool found = false;
	pthread_mutex_lock(&set.lock);
	for (size_t i = 0; i < set.locks.n; i++)
		if (set.locks.p[i].ptr == (u64)(uintptr_t)p) {
			set.locks.p[i].user = user;
			found = true;
		}
	pthread_mutex_unlock(&set.lock);
	return found;
}

void
hx_locks_fini(void)
{
	pthread_mutex_lock(&set.lock);
	for (size_t i = 0; i < set.pieces.n; i++)
		if (!set.pieces.p[i].gone)
			exec_space_del(hx.space, set.pieces.p[i].lo);
	free(set.pieces.p);
	free(set.locks.p);
	set.pieces.p = NULL;
	set.locks.p = NULL;
	set.pieces.n = set.pieces.cap = set.locks.n = set.locks.cap = 0;
	pthread_mutex_unlock(&set.lock);
}

static hsa_status_t
lock_for(void *ptr, size_t size, hsa_agent_t *agents, int n, void **out, const char *fn)
{
	if (!ptr || !size || !out || (n > 0) != (agents != NULL) || n < 0)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	*out = NULL;
	u32 access = n ? 1 : ~0u; /* without a list: every agent */
	for (int i = 0; i < n; i++) {
		struct hx_agent *a = hx_agent_get(agents[i]);
		if (!a)
			return hx_misuse(
				HSA_STATUS_ERROR_INVALID_AGENT, fn, "agents[%d] is no agent", i);
		access |= 1u << a->node;
	}
	hsa_status_t s = lock_add(ptr, size, access);
	if (s == HSA_STATUS_SUCCESS)
		*out = ptr;
	return s;
}

hsa_status_t
hsa_amd_memory_lock(
	void *host_ptr, size_t size, hsa_agent_t *agents, int num_agent, void **agent_ptr)
{
	HX_CHECK_INIT();
	return lock_for(host_ptr, size, agents, num_agent, agent_ptr, __func__);
}

hsa_status_t
hsa_amd_memory_lock_to_pool(void *host_ptr, size_t size, hsa_agent_t *agents, int num_agent,
	hsa_amd_memory_pool_t pool, uint32_t flags, void **agent_ptr)
{
	HX_CHECK_INIT();
	struct hx_pool *p = hx_pool_get(pool.handle);
	if (!p)
		return (hsa_status_t)HSA_STATUS_ERROR_INVALID_MEMORY_POOL;
	if (p->agent->target)
		return hx_misuse(
			HSA_STATUS_ERROR_INVALID_ARGUMENT, __func__, "the pool is not of a CPU");
	if (flags)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	return lock_for(host_ptr, size, agents, num_agent, agent_ptr, __func__);
}

hsa_status_t
hsa_amd_memory_unlock(void *host_ptr)
{
	HX_CHECK_INIT();
	return lock_del(host_ptr, __func__);
}

hsa_status_t
hsa_memory_register(void *ptr, size_t size)
{
	HX_CHECK_INIT();
	if (!ptr && size)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	return size ? lock_add(ptr, size, ~0u) : HSA_STATUS_SUCCESS;
}

hsa_status_t
hsa_memory_deregister(void *ptr, size_t size)
{
	HX_CHECK_INIT();
	return ptr && size ? lock_del(ptr, __func__) : HSA_STATUS_SUCCESS;
}
