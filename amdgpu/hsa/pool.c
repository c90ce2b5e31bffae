/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * pool.c - memory pools (and regions, their older form) and allocations from them. The CPU has three
 * pools (fine, kernarg, coarse), a GPU two and its LDS, which cannot be allocated.
 */
#include "hx.h"
#include "mem.h"

#include <stdlib.h>
#include <string.h>

static struct hx_pool *
agent_pool(struct hx_agent *a, u32 i)
{
	return i < HX_POOLS && a->pools[i].agent ? &a->pools[i] : NULL;
}

struct hx_pool *
hx_pool_get(u64 handle)
{
	for (u32 n = 0; n < hx.nagents; n++)
		for (u32 i = 0; i < HX_POOLS; i++)
			if ((u64)(uintptr_t)&hx.agents[n].pools[i] == handle)
				return agent_pool(&hx.agents[n], i);
	return NULL;
}

static bool
is_group(const struct hx_pool *p)
{
	return p->segment == HSA_AMD_SEGMENT_GROUP;
}

static u64
pool_size(const struct hx_pool *p)
{
	return is_group(p) ? p->agent->target->lds : p->agent->memory;
}

hsa_status_t
hsa_amd_agent_iterate_memory_pools(
	hsa_agent_t agent, hsa_status_t (*callback)(hsa_amd_memory_pool_t, void *), void *data)
{
	HX_CHECK_INIT();
	struct hx_agent *a = hx_agent_get(agent);
	if (!a)
		return HSA_STATUS_ERROR_INVALID_AGENT;
	if (!callback)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	for (u32 i = 0; i < HX_POOLS; i++) {
		struct hx_pool *p = agent_pool(a, i);
		hsa_status_t s = p ? callback((hsa_amd_memory_pool_t){(u64)(uintptr_t)p}, data)
				   : HSA_STATUS_SUCCESS;
		if (s != HSA_STATUS_SUCCESS)
			return s;
	}
	return HSA_STATUS_SUCCESS;
}

hsa_status_t
hsa_amd_memory_pool_get_info(
	hsa_amd_memory_pool_t pool, hsa_amd_memory_pool_info_t attribute, void *value)
{
	HX_CHECK_INIT();
	struct hx_pool *p = hx_pool_get(pool.handle);
	if (!p)
		return (hsa_status_t)HSA_STATUS_ERROR_INVALID_MEMORY_POOL;
	if (!value)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	switch (attribute) {
	case HSA_AMD_MEMORY_POOL_INFO_SEGMENT:
		*(u32 *)value = p->segment;
		break;
	case HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS:
		*(u32 *)value = p->flags;
		break;
	case HSA_AMD_MEMORY_POOL_INFO_SIZE:
		*(size_t *)value = pool_size(p);
		break;
	case HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALLOWED:
		*(bool *)value = !is_group(p);
		break;
	case HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_GRANULE:
	case HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALIGNMENT:
		*(size_t *)value = is_group(p) ? 0 : HX_PAGE;
		break;
	case HSA_AMD_MEMORY_POOL_INFO_ACCESSIBLE_BY_ALL:
		*(bool *)value = false;
		break;
	case HSA_AMD_MEMORY_POOL_INFO_ALLOC_MAX_SIZE:
		*(size_t *)value = is_group(p) ? 0 : pool_size(p);
		break;
	default:
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	}
	return HSA_STATUS_SUCCESS;
}

hsa_status_t
hsa_amd_agent_memory_pool_get_info(hsa_agent_t agent, hsa_amd_memory_pool_t pool,
	hsa_amd_agent_memory_pool_info_t attribute, void *value)
{
	HX_CHECK_INIT();
	struct hx_agent *a = hx_agent_get(agent);
	struct hx_pool *p = hx_pool_get(pool.handle);
	if (!a)
		return HSA_STATUS_ERROR_INVALID_AGENT;
	if (!p)
		return (hsa_status_t)HSA_STATUS_ERROR_INVALID_MEMORY_POOL;
	if (!value)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	bool own = p->agent == a;
	switch (attribute) {
	case HSA_AMD_AGENT_MEMORY_POOL_INFO_ACCESS:
		*(u32 *)value = own           ? HSA_AMD_MEMORY_POOL_ACCESS_ALLOWED_BY_DEFAULT
				: is_group(p) ? HSA_AMD_MEMORY_POOL_ACCESS_NEVER_ALLOWED
					      : HSA_AMD_MEMORY_POOL_ACCESS_DISALLOWED_BY_DEFAULT;
		break;
	case HSA_AMD_AGENT_MEMORY_POOL_INFO_NUM_LINK_HOPS:
		*(u32 *)value = own ? 0 : 1;
		break;
	case HSA_AMD_AGENT_MEMORY_POOL_INFO_LINK_INFO:
		if (!own)
			*(hsa_amd_memory_pool_link_info_t *)value =
				(hsa_amd_memory_pool_link_info_t){.atomic_support_32bit = true,
					.atomic_support_64bit = true,
					.coherent_support = true,
					.link_type = HSA_AMD_LINK_INFO_TYPE_PCIE,
					.numa_distance = 20};
		break;
	default:
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	}
	return HSA_STATUS_SUCCESS;
}

/* --- allocations ------------------------------------------------------------------------------ */

static hsa_status_t
pool_allocate(struct hx_pool *p, size_t size, void **ptr, bool all)
{
	if (!size || !ptr)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	*ptr = NULL;
	if (is_group(p))
		return HSA_STATUS_ERROR_INVALID_ALLOCATION;
	void *m = hx_mem_new(p->agent, size, HX_MEM_POOL, p->flags);
	if (!m)
		return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
	if ((p->agent->target || all) && !hx_mem_expose(m, EXEC_MEMORY_DATA)) {
		hx_mem_free(m);
		return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
	}
	*ptr = m;
	return HSA_STATUS_SUCCESS;
}

static hsa_status_t
pool_free(void *ptr, const char *fn)
{
	struct hx_mem_info i;
	if (!ptr)
		return HSA_STATUS_SUCCESS;
	if (!hx_mem_find(ptr, &i) || i.kind != HX_MEM_POOL || i.base != (u64)(uintptr_t)ptr)
		return hx_misuse(HSA_STATUS_ERROR_INVALID_ALLOCATION, fn,
			"%p is not the start of an allocation", ptr);
	hx_mem_free(ptr);
	return HSA_STATUS_SUCCESS;
}

hsa_status_t
hsa_amd_memory_pool_allocate(hsa_amd_memory_pool_t pool, size_t size, uint32_t flags, void **ptr)
{
	HX_CHECK_INIT();
	struct hx_pool *p = hx_pool_get(pool.handle);
	if (!p)
		return (hsa_status_t)HSA_STATUS_ERROR_INVALID_MEMORY_POOL;
	if (flags)
		return hx_misuse(HSA_STATUS_ERROR_INVALID_ARGUMENT, __func__,
			"flags %#x are not known", flags);
	return pool_allocate(p, size, ptr, false);
}

hsa_status_t
hsa_amd_memory_pool_free(void *ptr)
{
	HX_CHECK_INIT();
	return pool_free(ptr, __func__);
}

static bool
allow(struct hx_block *b, void *nodes)
{
	return b->kind == HX_MEM_POOL && hx_mem_allow(b, *(u32 *)nodes);
}

hsa_status_t
hsa_amd_agents_allow_access(
	uint32_t num_agents, const hsa_agent_t *agents, const uint32_t *flags, const void *ptr)
{
	HX_CHECK_INIT();
	if (!num_agents || !agents || flags || !ptr)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	u32 nodes = 0;
	for (u32 i = 0; i < num_agents; i++) {
		struct hx_agent *a = hx_agent_get(agents[i]);
		if (!a)
			return HSA_STATUS_ERROR_INVALID_AGENT;
		nodes |= 1u << a->node;
	}
	struct hx_mem_info i;
	if (!hx_mem_find(ptr, &i) || i.kind != HX_MEM_POOL)
		return hx_misuse(
			HSA_STATUS_ERROR_INVALID_ARGUMENT, __func__, "%p is no allocation", ptr);
	return hx_mem_with(ptr, allow, &nodes) ? HSA_STATUS_SUCCESS
					       : HSA_STATUS_ERROR_OUT_OF_RESOURCES;
}

/* --- what a pointer is ------------------------------------------------------------------------ */

static hsa_status_t
accessible_list(u32 access, void *(*alloc)(size_t), u32 *n, hsa_agent_t **list)
{
	u32 count = 0;
	for (u32 i = 0; i < hx.nagents; i++)
		count += access >> i & 1;
	hsa_agent_t *l = alloc(count * sizeof *l);
	if (!l)
		return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
	*n = 0;
	for (u32 i = 0; i < hx.nagents; i++)
		if (access >> i & 1)
			l[(*n)++] = hx_agent_handle(&hx.agents[i]);
	*list = l;
	return HSA_STATUS_SUCCESS;
}

hsa_status_t
hsa_amd_pointer_info(const void *ptr, hsa_amd_pointer_info_t *info, void *(*alloc)(size_t),
	uint32_t *num_agents_accessible, hsa_agent_t **accessible)
{
	HX_CHECK_INIT();
	if (!ptr || !info || info->size == 0 || (alloc && (!num_agents_accessible || !accessible)))
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	hsa_amd_pointer_info_t o = {.size = info->size < sizeof o ? info->size : (u32)sizeof o};
	struct hx_mem_info i;
	bool found = hx_mem_find(ptr, &i);
	if (found) {
		o.type = i.kind == HX_MEM_LOCKED ? HSA_EXT_POINTER_TYPE_LOCKED
						 : HSA_EXT_POINTER_TYPE_HSA;
		o.agentBaseAddress = o.hostBaseAddress = (void *)(uintptr_t)i.base;
		o.sizeInBytes = i.size;
		o.userData = i.user;
		o.agentOwner = hx_agent_handle(i.agent);
		o.global_flags = i.flags;
	}
	memcpy(info, &o, o.size); /* an older caller's struct is shorter */
	if (!alloc)
		return HSA_STATUS_SUCCESS;
	if (found)
		return accessible_list(i.access, alloc, num_agents_accessible, accessible);
	*num_agents_accessible = 0;
	*accessible = NULL;
	return HSA_STATUS_SUCCESS;
}

static bool
set_user(struct hx_block *b, void *user)
{
	b->user = user;
	return true;
}

hsa_status_t
hsa_amd_pointer_info_set_userdata(const void *ptr, void *userdata)
{
	HX_CHECK_INIT();
	return hx_mem_with(ptr, set_user, userdata) || hx_lock_set_user(ptr, userdata)
		       ? HSA_STATUS_SUCCESS
		       : HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

static bool
add_callback(struct hx_block *b, void *d)
{
	struct hx_dealloc *n = d;
	n->next = b->on_free;
	b->on_free = n;
	return true;
}

hsa_status_t
hsa_amd_register_deallocation_callback(
	void *ptr, hsa_amd_deallocation_callback_t callback, void *user_data)
{
	HX_CHECK_INIT();
	if (!ptr || !callback)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	struct hx_dealloc *d = malloc(sizeof *d);
	if (!d)
		return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
	*d = (struct hx_dealloc){NULL, callback, user_data};
	if (hx_mem_with(ptr, add_callback, d))
		return HSA_STATUS_SUCCESS;
	free(d);
	return HSA_STATUS_ERROR_INVALID_ALLOCATION;
}

static bool
del_callback(struct hx_block *b, void *arg)
{
	hsa_amd_deallocation_callback_t fn = *(hsa_amd_deallocation_callback_t *)arg;
	for (struct hx_dealloc **d = &b->on_free; *d; d = &(*d)->next)
		if ((*d)->fn == fn) {
			struct hx_dealloc *dead = *d;
			*d = dead->next;
			free(dead);
			return true;
		}
	return false;
}

hsa_status_t
hsa_amd_deregister_deallocation_callback(void *ptr, hsa_amd_deallocation_callback_t callback)
{
	HX_CHECK_INIT();
	return hx_mem_with(ptr, del_callback, &callback) ? HSA_STATUS_SUCCESS
							 : HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

/* --- regions ---------------------------------------------------------------------------------- */

hsa_status_t
hsa_agent_iterate_regions(
	hsa_agent_t agent, hsa_status_t (*callback)(hsa_region_t, void *), void *data)
{
	HX_CHECK_INIT();
	struct hx_agent *a = hx_agent_get(agent);
	if (!a)
		return HSA_STATUS_ERROR_INVALID_AGENT;
	if (!callback)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	for (u32 i = 0; i < HX_POOLS; i++) {
		struct hx_pool *p = agent_pool(a, i);
		hsa_status_t s =
			p ? callback((hsa_region_t){(u64)(uintptr_t)p}, data) : HSA_STATUS_SUCCESS;
		if (s != HSA_STATUS_SUCCESS)
			return s;
	}
	return HSA_STATUS_SUCCESS;
}

hsa_status_t
hsa_region_get_info(hsa_region_t region, hsa_region_info_t attribute, void *value)
{
	HX_CHECK_INIT();
	struct hx_pool *p = hx_pool_get(region.handle);
	if (!p)
		return HSA_STATUS_ERROR_INVALID_REGION;
	if (!value)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	switch (attribute) {
	case HSA_REGION_INFO_SEGMENT:
		*(u32 *)value = p->segment;
		break;
	case HSA_REGION_INFO_GLOBAL_FLAGS:
		*(u32 *)value = p->flags;
		break;
	case HSA_REGION_INFO_SIZE:
		*(size_t *)value = pool_size(p);
		break;
	case HSA_REGION_INFO_ALLOC_MAX_SIZE:
		*(size_t *)value = is_group(p) ? 0 : pool_size(p);
		break;
	case HSA_REGION_INFO_ALLOC_MAX_PRIVATE_WORKGROUP_SIZE:
		*(u32 *)value = 0;
		break;
	case HSA_REGION_INFO_RUNTIME_ALLOC_ALLOWED:
		*(bool *)value = !is_group(p);
		break;
	case HSA_REGION_INFO_RUNTIME_ALLOC_GRANULE:
	case HSA_REGION_INFO_RUNTIME_ALLOC_ALIGNMENT:
		*(size_t *)value = is_group(p) ? 0 : HX_PAGE;
		break;
	default:
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	}
	return HSA_STATUS_SUCCESS;
}

/* What comes from a region, every agent may use. */
hsa_status_t
hsa_memory_allocate(hsa_region_t region, size_t size, void **ptr)
{
	HX_CHECK_INIT();
	struct hx_pool *p = hx_pool_get(region.handle);
	return p ? pool_allocate(p, size, ptr, true) : HSA_STATUS_ERROR_INVALID_REGION;
}

hsa_status_t
hsa_memory_free(void *ptr)
{
	HX_CHECK_INIT();
	return pool_free(ptr, __func__);
}

/* Ownership is a hint for machines whose agents cache; here every agent sees every store. */
hsa_status_t
hsa_memory_assign_agent(void *ptr, hsa_agent_t agent, hsa_access_permission_t access)
{
	HX_CHECK_INIT();
	if (!ptr || access < HSA_ACCESS_PERMISSION_RO || access > HSA_ACCESS_PERMISSION_RW)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	return hx_agent_get(agent) ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_AGENT;
}
