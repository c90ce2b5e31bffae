/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * loader.c - AMD's loader extension (0x201, version 1.03): which executable a device address belongs
 * to, and what is loaded where. Host and device addresses are the same here.
 */
#include "executable.h"
#include "loader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct hx_loaded *
loaded_find(u64 handle)
{
	for (struct hx_executable *e = hx.executables; e; e = e->next)
		for (struct hx_loaded *l = e->loaded; l; l = l->next)
			if ((u64)(uintptr_t)l == handle)
				return l;
	return NULL;
}

static hsa_status_t
query_host_address(const void *device_address, const void **host_address)
{
	HX_CHECK_INIT();
	if (!device_address || !host_address)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	pthread_mutex_lock(&hx.lock);
	bool found = hx_loaded_at((u64)(uintptr_t)device_address) != NULL;
	pthread_mutex_unlock(&hx.lock);
	if (!found)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	*host_address = device_address;
	return HSA_STATUS_SUCCESS;
}

static hsa_status_t
query_segment_descriptors(hsa_ven_amd_loader_segment_descriptor_t *list, size_t *n)
{
	HX_CHECK_INIT();
	if (!n || (*n && !list))
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	size_t count = 0;
	bool fits = true;
	pthread_mutex_lock(&hx.lock);
	for (struct hx_executable *e = hx.executables; e; e = e->next)
		for (struct hx_loaded *l = e->loaded; l; l = l->next)
			for (u32 i = 0; i < l->nsegments; i++, count++) {
				if (!list || count >= *n) {
					fits = !list;
					continue;
				}
				list[count] = (hsa_ven_amd_loader_segment_descriptor_t){
					hx_agent_handle(l->agent), {(u64)(uintptr_t)e},
					HSA_VEN_AMD_LOADER_CODE_OBJECT_STORAGE_TYPE_MEMORY,
					l->code.image.p, l->code.image.n, 0,
					(void *)(uintptr_t)l->segments[i].at, l->segments[i].size};
			}
	pthread_mutex_unlock(&hx.lock);
	if (list && (!fits || count != *n))
		return HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS;
	*n = count;
	return HSA_STATUS_SUCCESS;
}

static hsa_status_t
query_executable(const void *device_address, hsa_executable_t *executable)
{
	HX_CHECK_INIT();
	if (!device_address || !executable)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	pthread_mutex_lock(&hx.lock);
	struct hx_loaded *l = hx_loaded_at((u64)(uintptr_t)device_address);
	if (l)
		executable->handle = (u64)(uintptr_t)l->executable;
	pthread_mutex_unlock(&hx.lock);
	return l ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

static hsa_status_t
iterate_loaded(hsa_executable_t executable,
	hsa_status_t (*callback)(hsa_executable_t, hsa_loaded_code_object_t, void *), void *data)
{
	HX_CHECK_INIT();
	if (!callback)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	VEC(u64) v = {0};
	pthread_mutex_lock(&hx.lock);
	struct hx_executable *e = hx_executable_find(executable);
	hsa_status_t s = e ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_EXECUTABLE;
	for (struct hx_loaded *l = e ? e->loaded : NULL; l; l = l->next)
		if (!VEC_PUSH(&v, (u64)(uintptr_t)l))
			s = HSA_STATUS_ERROR_OUT_OF_RESOURCES;
	pthread_mutex_unlock(&hx.lock);
	for (size_t i = 0; !s && i < v.n; i++)
		s = callback(executable, (hsa_loaded_code_object_t){v.p[i]}, data);
	free(v.p);
	return s;
}

/* "memory://PID#offset=…&size=…", as debuggers expect (AMDGPUUsage, "Loaded Code Object Path URI"). */
static int
uri(const struct hx_loaded *l, char *to, size_t n)
{
	return snprintf(to, n, "memory://%d#offset=0x%llx&size=%zu", (int)getpid(),
		(unsigned long long)(uintptr_t)l->code.image.p, l->code.image.n);
}

static hsa_status_t
loaded_info(const struct hx_loaded *l, u32 attribute, void *value)
{
	char text[128];
	switch (attribute) {
	case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_EXECUTABLE:
		((hsa_executable_t *)value)->handle = (u64)(uintptr_t)l->executable;
		break;
	case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_KIND:
		*(u32 *)value = HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_KIND_AGENT;
		break;
	case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_AGENT:
		*(hsa_agent_t *)value = hx_agent_handle(l->agent);
		break;
	case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_TYPE:
		*(u32 *)value = l->fd < 0 ? HSA_VEN_AMD_LOADER_CODE_OBJECT_STORAGE_TYPE_MEMORY
					  : HSA_VEN_AMD_LOADER_CODE_OBJECT_STORAGE_TYPE_FILE;
		break;
	case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_MEMORY_BASE:
		if (l->fd >= 0)
			return HSA_STATUS_ERROR_INVALID_ARGUMENT;
		*(u64 *)value = (u64)(uintptr_t)l->source;
		break;
	case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_MEMORY_SIZE:
		if (l->fd >= 0)
			return HSA_STATUS_ERROR_INVALID_ARGUMENT;
		*(u64 *)value = l->source_size;
		break;
	case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_FILE:
		if (l->fd < 0)
			return HSA_STATUS_ERROR_INVALID_ARGUMENT;
		*(int *)value = l->fd;
		break;
	case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_DELTA:
		*(i64 *)value = (i64)((u64)(uintptr_t)l->base - l->code.low);
		break;
	case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_BASE:
		*(u64 *)value = (u64)(uintptr_t)l->base;
		break;
	case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_SIZE:
		*(u64 *)value = l->size;
		break;
	case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_URI_LENGTH:
		*(u32 *)value = (u32)uri(l, text, sizeof text);
		break;
	case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_URI:
		memcpy(value, text, (size_t)uri(l, text, sizeof text));
		break;
	default:
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	}
	return HSA_STATUS_SUCCESS;
}

static hsa_status_t
loaded_get_info(hsa_loaded_code_object_t loaded,
	hsa_ven_amd_loader_loaded_code_object_info_t attribute, void *value)
{
	HX_CHECK_INIT();
	if (!value)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	pthread_mutex_lock(&hx.lock);
	struct hx_loaded *l = loaded_find(loaded.handle);
	hsa_status_t s =
		l ? loaded_info(l, (u32)attribute, value) : HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
	pthread_mutex_unlock(&hx.lock);
	return s;
}

static hsa_status_t
reader_from_file_part(hsa_file_t file, size_t offset, size_t size, hsa_code_object_reader_t *reader)
{
	HX_CHECK_INIT();
	return size ? hx_reader_from_file(file, offset, size, reader)
		    : HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

static hsa_status_t
iterate_executables(hsa_status_t (*callback)(hsa_executable_t, void *), void *data)
{
	HX_CHECK_INIT();
	if (!callback)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	VEC(u64) v = {0};
	hsa_status_t s = HSA_STATUS_SUCCESS;
	pthread_mutex_lock(&hx.lock);
	for (struct hx_executable *e = hx.executables; e; e = e->next)
		if (!VEC_PUSH(&v, (u64)(uintptr_t)e))
			s = HSA_STATUS_ERROR_OUT_OF_RESOURCES;
	pthread_mutex_unlock(&hx.lock);
	for (size_t i = 0; !s && i < v.n; i++)
		s = callback((hsa_executable_t){v.p[i]}, data);
	free(v.p);
	return s;
}

hsa_ven_amd_loader_1_03_pfn_t
hx_loader_table(void)
{
	return (hsa_ven_amd_loader_1_03_pfn_t){query_host_address, query_segment_descriptors,
		query_executable, iterate_loaded, loaded_get_info, reader_from_file_part,
		iterate_executables};
}
