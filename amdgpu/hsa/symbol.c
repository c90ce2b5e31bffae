/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * symbol.c - the symbols of executables: a kernel is its descriptor ("name.kd"), a variable its object.
 * Also the way back from addresses in the device to kernels and source lines.
 */
#include "executable.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool
in_readonly(const struct hx_loaded *l, u64 addr)
{
	for (u32 i = 0; i < l->nsegments; i++)
		if (addr >= l->segments[i].at && addr < l->segments[i].at + l->segments[i].size)
			return l->segments[i].kind == EXEC_MEMORY_READONLY;
	return false;
}

static const struct code_kernel *
kernel_of_symbol(const struct code_object *c, struct str symbol)
{
	for (size_t i = 0; i < c->nkernels; i++)
		if (str_eq(c->kernels[i].symbol, symbol))
			return &c->kernels[i];
	return NULL;
}

bool
hx_symbols_read(struct hx_loaded *l)
{
	const struct code_object *c = &l->code;
	l->symbols = ARENA_NEW(&l->arena, struct hx_symbol, c->nkernels + c->nsymbols + 1);
	if (!l->symbols)
		return false;
	u64 delta = (u64)(uintptr_t)l->base - c->low;
	for (size_t i = 0; i < c->nkernels; i++)
		l->symbols[l->nsymbols++] = (struct hx_symbol){c->kernels[i].symbol, l,
			&c->kernels[i], c->kernels[i].descriptor + delta, 64, true};
	for (size_t i = 0; i < c->nsymbols; i++) {
		const struct code_symbol *s = &c->symbols[i];
		if (!s->is_function && !kernel_of_symbol(c, s->name))
			l->symbols[l->nsymbols++] = (struct hx_symbol){s->name, l, NULL,
				s->addr + delta, s->size, in_readonly(l, s->addr + delta)};
	}
	return true;
}

static struct hx_symbol *
symbol_find(u64 handle)
{
	for (struct hx_executable *e = hx.executables; e; e = e->next)
		for (struct hx_loaded *l = e->loaded; l; l = l->next) {
			u64 first = (u64)(uintptr_t)l->symbols;
			if (handle >= first && handle < first + l->nsymbols * sizeof *l->symbols &&
				(handle - first) % sizeof *l->symbols == 0)
				return (struct hx_symbol *)(uintptr_t)handle;
		}
	return NULL;
}

static hsa_status_t
symbol_by_name(hsa_executable_t executable, struct str name, const hsa_agent_t *agent,
	hsa_executable_symbol_t *out)
{
	hsa_status_t s = HSA_STATUS_ERROR_INVALID_SYMBOL_NAME;
	struct hx_agent *a = agent ? hx_agent_get(*agent) : NULL;
	if (agent && !a)
		return HSA_STATUS_ERROR_INVALID_AGENT;
	pthread_mutex_lock(&hx.lock);
	struct hx_executable *e = hx_executable_find(executable);
	if (!e)
		s = HSA_STATUS_ERROR_INVALID_EXECUTABLE;
	for (struct hx_loaded *l = e ? e->loaded : NULL; l && s; l = l->next)
		for (size_t i = 0; i < l->nsymbols && l->agent == a; i++)
			if (str_eq(l->symbols[i].name, name)) {
				out->handle = (u64)(uintptr_t)&l->symbols[i];
				s = HSA_STATUS_SUCCESS;
				break;
			}
	pthread_mutex_unlock(&hx.lock);
	return s;
}

/* All symbols belong to an agent: without one there is nothing to find, as in ROCr. */
hsa_status_t
hsa_executable_get_symbol_by_name(hsa_executable_t executable, const char *symbol_name,
	const hsa_agent_t *agent, hsa_executable_symbol_t *symbol)
{
	HX_CHECK_INIT();
	if (!symbol_name || !symbol)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	return symbol_by_name(executable, str_of(symbol_name), agent, symbol);
}

hsa_status_t
hsa_executable_get_symbol(hsa_executable_t executable, const char *module_name,
	const char *symbol_name, hsa_agent_t agent, int32_t call_convention,
	hsa_executable_symbol_t *symbol)
{
	(void)call_convention;
	HX_CHECK_INIT();
	if (!symbol_name || !symbol || (module_name && module_name[0]))
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	return symbol_by_name(executable, str_of(symbol_name), &agent, symbol);
}

static hsa_status_t
info_kernel(const struct hx_symbol *y, u32 attribute, void *value)
{
	const struct code_kernel *k = y->kernel;
	if (!k)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	switch (attribute) {
	case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT:
		*(u64 *)value = y->addr;
		break;
	case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE:
		*(u32 *)value = k->kernarg_size;
		break;
	case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_ALIGNMENT:
		*(u32 *)value = k->kernarg_align > 16 ? k->kernarg_align : 16;
		break;
	case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE:
		*(u32 *)value = k->group_size;
		break;
	case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE:
		*(u32 *)value = k->private_size;
		break;
	case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_DYNAMIC_CALLSTACK:
		*(bool *)value = k->dynamic_stack;
		break;
	case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_CALL_CONVENTION:
		*(u32 *)value = 0;
		break;
	default:
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	}
	return HSA_STATUS_SUCCESS;
}

static hsa_status_t
info_variable(const struct hx_symbol *y, u32 attribute, void *value)
{
	if (y->kernel)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	switch (attribute) {
	case HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS:
		*(u64 *)value = y->addr;
		break;
	case HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ALLOCATION:
		*(u32 *)value = HSA_VARIABLE_ALLOCATION_AGENT;
		break;
	case HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SEGMENT:
		*(u32 *)value =
			y->is_const ? HSA_VARIABLE_SEGMENT_READONLY : HSA_VARIABLE_SEGMENT_GLOBAL;
		break;
	case HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ALIGNMENT: { /* what its address has, up to 256 */
		u64 low = y->addr & (~y->addr + 1);
		*(u32 *)value = low > 256 || low == 0 ? 256 : (u32)low;
		break;
	}
	case HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SIZE:
		*(u32 *)value = (u32)y->size;
		break;
	case HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_IS_CONST:
		*(bool *)value = y->is_const;
		break;
	default:
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	}
	return HSA_STATUS_SUCCESS;
}

static hsa_status_t
symbol_info(const struct hx_symbol *y, u32 attribute, void *value)
{
	switch (attribute) {
	case HSA_EXECUTABLE_SYMBOL_INFO_TYPE:
		*(u32 *)value = y->kernel ? HSA_SYMBOL_KIND_KERNEL : HSA_SYMBOL_KIND_VARIABLE;
		break;
	case HSA_EXECUTABLE_SYMBOL_INFO_NAME_LENGTH:
		*(u32 *)value = (u32)y->name.n;
		break;
	case HSA_EXECUTABLE_SYMBOL_INFO_NAME:
		memcpy(value, y->name.p, y->name.n);
		break;
	case HSA_EXECUTABLE_SYMBOL_INFO_MODULE_NAME_LENGTH:
		*(u32 *)value = 0;
		break;
	case HSA_EXECUTABLE_SYMBOL_INFO_MODULE_NAME:
		break;
	case HSA_EXECUTABLE_SYMBOL_INFO_AGENT:
		*(hsa_agent_t *)value = hx_agent_handle(y->loaded->agent);
		break;
	case HSA_EXECUTABLE_SYMBOL_INFO_LINKAGE:
		*(u32 *)value = HSA_SYMBOL_LINKAGE_PROGRAM;
		break;
	case HSA_EXECUTABLE_SYMBOL_INFO_IS_DEFINITION:
		*(bool *)value = true;
		break;
	default:
		return y->kernel ? info_kernel(y, attribute, value)
				 : info_variable(y, attribute, value);
	}
	return HSA_STATUS_SUCCESS;
}

hsa_status_t
hsa_executable_symbol_get_info(
	hsa_executable_symbol_t symbol, hsa_executable_symbol_info_t attribute, void *value)
{
	HX_CHECK_INIT();
	if (!value)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	pthread_mutex_lock(&hx.lock);
	const struct hx_symbol *y = symbol_find(symbol.handle);
	hsa_status_t s = y ? symbol_info(y, (u32)attribute, value)
			   : HSA_STATUS_ERROR_INVALID_EXECUTABLE_SYMBOL;
	pthread_mutex_unlock(&hx.lock);
	return s;
}

/* Callbacks may call HSA: the handles are collected first. */
static hsa_status_t
collect(hsa_executable_t executable, const hsa_agent_t *agent, u64 **list, size_t *n)
{
	VEC(u64) v = {0};
	struct hx_agent *a = agent ? hx_agent_get(*agent) : NULL;
	if (agent && !a)
		return HSA_STATUS_ERROR_INVALID_AGENT;
	hsa_status_t s = HSA_STATUS_SUCCESS;
	pthread_mutex_lock(&hx.lock);
	struct hx_executable *e = hx_executable_find(executable);
	if (!e)
		s = HSA_STATUS_ERROR_INVALID_EXECUTABLE;
	for (struct hx_loaded *l = e ? e->loaded : NULL; l; l = l->next)
		for (size_t i = 0; i < l->nsymbols && (!a || l->agent == a); i++)
			if (!VEC_PUSH(&v, (u64)(uintptr_t)&l->symbols[i]))
				s = HSA_STATUS_ERROR_OUT_OF_RESOURCES;
	pthread_mutex_unlock(&hx.lock);
	*list = v.p;
	*n = v.n;
	return s;
}

hsa_status_t
hsa_executable_iterate_symbols(hsa_executable_t executable,
	hsa_status_t (*callback)(hsa_executable_t, hsa_executable_symbol_t, void *), void *data)
{
	HX_CHECK_INIT();
	if (!callback)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	u64 *list;
	size_t n;
	hsa_status_t s = collect(executable, NULL, &list, &n);
	for (size_t i = 0; !s && i < n; i++)
		s = callback(executable, (hsa_executable_symbol_t){list[i]}, data);
	free(list);
	return s;
}

hsa_status_t
hsa_executable_iterate_agent_symbols(hsa_executable_t executable, hsa_agent_t agent,
	hsa_status_t (*callback)(hsa_executable_t, hsa_agent_t, hsa_executable_symbol_t, void *),
	void *data)
{
	HX_CHECK_INIT();
	if (!callback)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	u64 *list = NULL;
	size_t n = 0;
	hsa_status_t s = collect(executable, &agent, &list, &n);
	for (size_t i = 0; !s && i < n; i++)
		s = callback(executable, agent, (hsa_executable_symbol_t){list[i]}, data);
	free(list);
	return s;
}

/* There are no program symbols: every one is an agent's. */
hsa_status_t
hsa_executable_iterate_program_symbols(hsa_executable_t executable,
	hsa_status_t (*callback)(hsa_executable_t, hsa_executable_symbol_t, void *), void *data)
{
	(void)data;
	HX_CHECK_INIT();
	if (!callback)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	pthread_mutex_lock(&hx.lock);
	bool found = hx_executable_find(executable) != NULL;
	pthread_mutex_unlock(&hx.lock);
	return found ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_EXECUTABLE;
}

/* --- from addresses back ---------------------------------------------------------------------- */

struct hx_loaded *
hx_loaded_at(u64 addr)
{
	for (struct hx_executable *e = hx.executables; e; e = e->next)
		for (struct hx_loaded *l = e->loaded; l; l = l->next)
			if (addr - (u64)(uintptr_t)l->base < l->size)
				return l;
	return NULL;
}

bool
hx_kernel_find(const struct hx_agent *a, u64 object, struct hx_kernel_info *out)
{
	bool found = false;
	pthread_mutex_lock(&hx.lock);
	struct hx_loaded *l = hx_loaded_at(object);
	for (size_t i = 0; l && l->agent == a && l->executable->frozen && i < l->code.nkernels;
		i++) {
		const struct code_kernel *k = &l->code.kernels[i];
		if (k->descriptor - l->code.low + (u64)(uintptr_t)l->base != object)
			continue;
		*out = (struct hx_kernel_info){k->kernarg_size, k->group_size, k->private_size,
			k->max_threads, k->dynamic_stack, 0, ""};
		for (size_t j = 0; k->mode == HEDDLE_WARP_SOLO && j < k->nargs; j++)
			if (k->args[j].kind == CODE_ARG_hidden_group_size_x)
				out->solo_sizes = k->args[j].offset;
		snprintf(out->name, sizeof out->name, "%.*s", (int)k->name.n, k->name.p);
		found = true;
		break;
	}
	pthread_mutex_unlock(&hx.lock);
	return found;
}

void
hx_line_find(u64 pc, char *to, size_t n)
{
	struct arena scratch = {0};
	to[0] = 0;
	pthread_mutex_lock(&hx.lock);
	struct hx_loaded *l = hx_loaded_at(pc);
	if (l) {
		struct code_line at = code_line_find(
			&scratch, &l->code, pc - (u64)(uintptr_t)l->base + l->code.low);
		if (at.line)
			snprintf(to, n, "%s:%u", at.file, at.line);
	}
	pthread_mutex_unlock(&hx.lock);
	arena_free(&scratch);
}
