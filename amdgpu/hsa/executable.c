/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * executable.c - code object readers, executables and what is loaded into them. A code object is read
 * by amdgpu/code.h from a copy of its bytes, its segments go to memory of the agent, and each segment
 * is told to the executor as data, read-only or code when the executable is frozen: before that, no
 * kernel of it can run.
 */
#include "executable.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- readers ---------------------------------------------------------------------------------- */

struct reader {
	struct reader *next;
	const void *p;
	size_t n;
	int fd; /* -1: of memory */
	void *own; /* what was read from the file */
};

static struct reader *readers; /* under hx.lock */

static struct reader *
reader_find(hsa_code_object_reader_t r)
{
	for (struct reader *i = readers; i; i = i->next)
		if ((u64)(uintptr_t)i == r.handle)
			return i;
	return NULL;
}

static hsa_status_t
reader_add(struct reader t, hsa_code_object_reader_t *out)
{
	struct reader *r = malloc(sizeof *r);
	if (!r)
		return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
	*r = t;
	pthread_mutex_lock(&hx.lock);
	r->next = readers;
	readers = r;
	pthread_mutex_unlock(&hx.lock);
	out->handle = (u64)(uintptr_t)r;
	return HSA_STATUS_SUCCESS;
}

hsa_status_t
hsa_code_object_reader_create_from_memory(
	const void *code_object, size_t size, hsa_code_object_reader_t *reader)
{
	HX_CHECK_INIT();
	if (!code_object || !size || !reader)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	return reader_add((struct reader){.p = code_object, .n = size, .fd = -1}, reader);
}

hsa_status_t
hx_reader_from_file(int fd, size_t offset, size_t size, hsa_code_object_reader_t *reader)
{
	struct stat st;
	if (!reader || fstat(fd, &st) != 0 || offset > (u64)st.st_size)
		return HSA_STATUS_ERROR_INVALID_FILE;
	if (size == 0)
		size = (size_t)st.st_size - offset;
	char *p = size && size <= (size_t)st.st_size - offset ? malloc(size) : NULL;
	if (!p)
		return HSA_STATUS_ERROR_INVALID_FILE;
	for (size_t done = 0; done < size;) {
		ssize_t n = pread(fd, p + done, size - done, (off_t)(offset + done));
		if (n <= 0) {
			free(p);
			return HSA_STATUS_ERROR_INVALID_FILE;
		}
		done += (size_t)n;
	}
	hsa_status_t s = reader_add((struct reader){.p = p, .n = size, .fd = fd, .own = p}, reader);
	if (s)
		free(p);
	return s;
}

hsa_status_t
hsa_code_object_reader_create_from_file(hsa_file_t file, hsa_code_object_reader_t *reader)
{
	HX_CHECK_INIT();
	return hx_reader_from_file(file, 0, 0, reader);
}

hsa_status_t
hsa_code_object_reader_destroy(hsa_code_object_reader_t reader)
{
	HX_CHECK_INIT();
	struct reader *found = NULL;
	pthread_mutex_lock(&hx.lock);
	for (struct reader **i = &readers; *i; i = &(*i)->next)
		if ((u64)(uintptr_t)*i == reader.handle) {
			found = *i;
			*i = found->next;
			break;
		}
	pthread_mutex_unlock(&hx.lock);
	if (!found)
		return HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER;
	free(found->own);
	free(found);
	return HSA_STATUS_SUCCESS;
}

/* --- executables ------------------------------------------------------------------------------ */

struct hx_executable *
hx_executable_find(hsa_executable_t e)
{
	for (struct hx_executable *i = hx.executables; i; i = i->next)
		if ((u64)(uintptr_t)i == e.handle)
			return i;
	return NULL;
}

static hsa_status_t
executable_new(hsa_profile_t profile, u32 rounding, bool frozen, hsa_executable_t *out)
{
	if (!out || (profile != HSA_PROFILE_BASE && profile != HSA_PROFILE_FULL) ||
		rounding > HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	struct hx_executable *e = calloc(1, sizeof *e);
	if (!e)
		return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
	e->profile = profile;
	e->rounding = (hsa_default_float_rounding_mode_t)rounding;
	e->frozen = frozen;
	pthread_mutex_lock(&hx.lock);
	e->next = hx.executables;
	hx.executables = e;
	pthread_mutex_unlock(&hx.lock);
	out->handle = (u64)(uintptr_t)e;
	return HSA_STATUS_SUCCESS;
}

hsa_status_t
hsa_executable_create(hsa_profile_t profile, hsa_executable_state_t state, const char *options,
	hsa_executable_t *executable)
{
	(void)options;
	HX_CHECK_INIT();
	if ((u32)state > HSA_EXECUTABLE_STATE_FROZEN)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	return executable_new(profile, 0, state == HSA_EXECUTABLE_STATE_FROZEN, executable);
}

hsa_status_t
hsa_executable_create_alt(hsa_profile_t profile, hsa_default_float_rounding_mode_t rounding,
	const char *options, hsa_executable_t *executable)
{
	(void)options;
	HX_CHECK_INIT();
	return executable_new(profile, (u32)rounding, false, executable);
}

static void
loaded_free(struct hx_loaded *l)
{
	if (l->base) {
		for (u32 i = 0; i < l->nsegments; i++)
			if (l->segments[i].exposed)
				exec_space_del(hx.space, l->segments[i].at);
		exec_code_drop(l->agent->exec, (u64)(uintptr_t)l->base, l->size);
		hx_mem_free(l->base);
	}
	arena_free(&l->arena);
	free(l);
}

static void
executable_free(struct hx_executable *e)
{
	for (struct hx_loaded *l = e->loaded, *next; l; l = next) {
		next = l->next;
		loaded_free(l);
	}
	for (size_t i = 0; i < e->externs.n; i++)
		free(e->externs.p[i].name);
	free(e->externs.p);
	free(e);
}

hsa_status_t
hsa_executable_destroy(hsa_executable_t executable)
{
	HX_CHECK_INIT();
	struct hx_executable *found = NULL;
	pthread_mutex_lock(&hx.lock);
	for (struct hx_executable **i = &hx.executables; *i; i = &(*i)->next)
		if ((u64)(uintptr_t)*i == executable.handle) {
			found = *i;
			*i = found->next;
			break;
		}
	pthread_mutex_unlock(&hx.lock);
	if (!found)
		return hx_misuse(
			HSA_STATUS_ERROR_INVALID_EXECUTABLE, __func__, "not an executable");
	executable_free(found);
	return HSA_STATUS_SUCCESS;
}

void
hx_executables_free(void)
{
	for (struct hx_executable *e; (e = hx.executables);) {
		hx.executables = e->next;
		executable_free(e);
	}
	for (struct reader *r; (r = readers);) {
		readers = r->next;
		free(r->own);
		free(r);
	}
}

/* --- loading ---------------------------------------------------------------------------------- */

/* Features of the code's target ID in e_flags, code object version 4 and later (AMDGPUUsage, "AMDGPU
 * ELF Header"): two bits each, 1 any, 2 off, 3 on. */
static bool
features_match(const struct hx_agent *a, u32 e_flags)
{
	u32 xnack = e_flags >> 8 & 3, sramecc = e_flags >> 10 & 3;
	return !(a->has_xnack && xnack == 3) && !(a->has_sramecc && sramecc == 2);
}

static u64
extern_address(void *user, struct str name)
{
	struct hx_loaded *l = user;
	const struct hx_executable *e = l->executable;
	for (size_t i = 0; i < e->externs.n; i++) {
		const struct hx_extern *x = &e->externs.p[i];
		if ((!x->agent || x->agent == l->agent) && str_is(name, x->name))
			return (u64)(uintptr_t)x->address;
	}
	for (const struct hx_loaded *o = e->loaded; o; o = o->next) {
		const struct code_symbol *s =
			o->agent == l->agent ? code_symbol_find(&o->code, name) : NULL;
		if (s)
			return (u64)(uintptr_t)o->base + (s->addr - o->code.low);
	}
	return 0;
}

/* The PT_LOAD segments; code_read has checked that the program headers are in the file. */
static bool
segments_read(struct hx_loaded *l)
{
	Elf64_Ehdr eh;
	if (l->code.image.n < sizeof eh)
		return false;
	memcpy(&eh, l->code.image.p, sizeof eh);
	l->segments = ARENA_NEW(&l->arena, struct hx_segment, eh.e_phnum ? eh.e_phnum : 1);
	if (!l->segments)
		return false;
	for (u32 i = 0; i < eh.e_phnum; i++) {
		Elf64_Phdr ph;
		u64 at = eh.e_phoff + (u64)i * eh.e_phentsize;
		if (at > l->code.image.n || l->code.image.n - at < sizeof ph)
			return false;
		memcpy(&ph, l->code.image.p + at, sizeof ph);
		if (ph.p_type != PT_LOAD || ph.p_memsz == 0)
			continue;
		if (ph.p_vaddr < l->code.low || ph.p_vaddr + ph.p_memsz > l->code.high)
			return false;
		l->segments[l->nsegments++] = (struct hx_segment){
			.at = (u64)(uintptr_t)l->base + (ph.p_vaddr - l->code.low),
			.size = (ph.p_memsz + 3) & ~3ull,
			.kind = ph.p_flags & PF_X   ? EXEC_MEMORY_CODE
				: ph.p_flags & PF_W ? EXEC_MEMORY_DATA
						    : EXEC_MEMORY_READONLY};
	}
	return true;
}

static hsa_status_t
loaded_fill(struct hx_loaded *l)
{
	struct str missing = {0};
	l->size = l->code.high - l->code.low;
	l->base = hx_mem_new(
		l->agent, l->size, HX_MEM_CODE, HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED);
	if (!l->base)
		return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
	enum code_status c =
		code_load(&l->code, l->base, (u64)(uintptr_t)l->base, extern_address, l, &missing);
	if (c != CODE_OK && missing.n)
		return hx_misuse(HSA_STATUS_ERROR_VARIABLE_UNDEFINED, "load", "%.*s is not defined",
			(int)missing.n, missing.p);
	if (c != CODE_OK)
		return hx_misuse(
			HSA_STATUS_ERROR_INVALID_CODE_OBJECT, "load", "%s", code_status_text(c));
	if (!segments_read(l))
		return HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
	return hx_symbols_read(l) ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_OUT_OF_RESOURCES;
}

static hsa_status_t
loaded_read(struct hx_loaded *l, const struct reader *r)
{
	char *copy = arena_alloc(&l->arena, r->n, 16);
	if (!copy)
		return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
	memcpy(copy, r->p, r->n);
	enum code_status c = code_read(&l->arena, (struct str){copy, r->n}, &l->code);
	if (c == CODE_NO_MEMORY)
		return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
	if (c != CODE_OK)
		return hx_misuse(
			HSA_STATUS_ERROR_INVALID_CODE_OBJECT, "load", "%s", code_status_text(c));
	if (l->code.target != l->agent->target || !features_match(l->agent, l->code.e_flags))
		return hx_misuse(HSA_STATUS_ERROR_INVALID_ISA, "load",
			"code for %s (e_flags %#x) does not run on %s", l->code.target->name,
			l->code.e_flags, l->agent->isa);
	l->source = r->p;
	l->source_size = r->n;
	l->fd = r->fd;
	return loaded_fill(l);
}

hsa_status_t
hsa_executable_load_agent_code_object(hsa_executable_t executable, hsa_agent_t agent,
	hsa_code_object_reader_t reader, const char *options, hsa_loaded_code_object_t *loaded)
{
	(void)options;
	HX_CHECK_INIT();
	struct hx_agent *a = hx_agent_get(agent);
	if (!a || !a->target)
		return HSA_STATUS_ERROR_INVALID_AGENT;
	pthread_mutex_lock(&hx.lock);
	struct hx_executable *e = hx_executable_find(executable);
	struct reader *r = reader_find(reader);
	pthread_mutex_unlock(&hx.lock);
	if (!e)
		return HSA_STATUS_ERROR_INVALID_EXECUTABLE;
	if (e->frozen)
		return hx_misuse(
			HSA_STATUS_ERROR_FROZEN_EXECUTABLE, __func__, "the executable is frozen");
	if (!r)
		return HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER;
	struct hx_loaded *l = calloc(1, sizeof *l);
	if (!l)
		return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
	l->executable = e;
	l->agent = a;
	hsa_status_t s = loaded_read(l, r);
	if (s != HSA_STATUS_SUCCESS) {
		loaded_free(l);
		return s;
	}
	pthread_mutex_lock(&hx.lock);
	l->next = e->loaded;
	e->loaded = l;
	pthread_mutex_unlock(&hx.lock);
	if (loaded)
		loaded->handle = (u64)(uintptr_t)l;
	if (log_on(LOG_load))
		log_printf(LOG_load, "code target=%s bytes=%llu kernels=%zu", a->target->name,
			(unsigned long long)l->size, l->code.nkernels);
	return HSA_STATUS_SUCCESS;
}

hsa_status_t
hsa_executable_freeze(hsa_executable_t executable, const char *options)
{
	(void)options;
	HX_CHECK_INIT();
	hsa_status_t s = HSA_STATUS_SUCCESS;
	pthread_mutex_lock(&hx.lock);
	struct hx_executable *e = hx_executable_find(executable);
	if (!e)
		s = HSA_STATUS_ERROR_INVALID_EXECUTABLE;
	else if (e->frozen)
		s = HSA_STATUS_ERROR_FROZEN_EXECUTABLE;
	for (struct hx_loaded *l = s ? NULL : e->loaded; l && !s; l = l->next)
		for (u32 i = 0; i < l->nsegments && !s; i++) {
			struct hx_segment *g = &l->segments[i];
			if (!g->exposed)
				g->exposed = exec_space_add(hx.space, g->at, g->size, g->kind);
			if (!g->exposed)
				s = HSA_STATUS_ERROR_OUT_OF_RESOURCES;
		}
	if (!s)
		e->frozen = true;
	pthread_mutex_unlock(&hx.lock);
	return s;
}

hsa_status_t
hsa_executable_get_info(hsa_executable_t executable, hsa_executable_info_t attribute, void *value)
{
	HX_CHECK_INIT();
	hsa_status_t s = HSA_STATUS_SUCCESS;
	pthread_mutex_lock(&hx.lock);
	struct hx_executable *e = hx_executable_find(executable);
	if (!e)
		s = HSA_STATUS_ERROR_INVALID_EXECUTABLE;
	else if (!value)
		s = HSA_STATUS_ERROR_INVALID_ARGUMENT;
	else if (attribute == HSA_EXECUTABLE_INFO_PROFILE)
		*(u32 *)value = e->profile;
	else if (attribute == HSA_EXECUTABLE_INFO_STATE)
		*(u32 *)value =
			e->frozen ? HSA_EXECUTABLE_STATE_FROZEN : HSA_EXECUTABLE_STATE_UNFROZEN;
	else if (attribute == HSA_EXECUTABLE_INFO_DEFAULT_FLOAT_ROUNDING_MODE)
		*(u32 *)value = e->rounding;
	else
		s = HSA_STATUS_ERROR_INVALID_ARGUMENT;
	pthread_mutex_unlock(&hx.lock);
	return s;
}

hsa_status_t
hsa_executable_validate(hsa_executable_t executable, uint32_t *result)
{
	HX_CHECK_INIT();
	if (!result)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	pthread_mutex_lock(&hx.lock);
	bool found = hx_executable_find(executable) != NULL;
	pthread_mutex_unlock(&hx.lock);
	*result = 0; /* what is loaded was checked when it was loaded */
	return found ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_EXECUTABLE;
}

hsa_status_t
hsa_executable_validate_alt(hsa_executable_t executable, const char *options, uint32_t *result)
{
	(void)options;
	return hsa_executable_validate(executable, result);
}

/* --- variables that the program defines ------------------------------------------------------- */

static hsa_status_t
extern_add(hsa_executable_t executable, struct hx_agent *a, const char *name, void *address)
{
	if (!name || !address)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	hsa_status_t s = HSA_STATUS_SUCCESS;
	pthread_mutex_lock(&hx.lock);
	struct hx_executable *e = hx_executable_find(executable);
	if (!e)
		s = HSA_STATUS_ERROR_INVALID_EXECUTABLE;
	else if (e->frozen)
		s = HSA_STATUS_ERROR_FROZEN_EXECUTABLE;
	for (size_t i = 0; !s && i < e->externs.n; i++)
		if (e->externs.p[i].agent == a && strcmp(e->externs.p[i].name, name) == 0)
			s = HSA_STATUS_ERROR_VARIABLE_ALREADY_DEFINED;
	if (!s) {
		struct hx_extern x = {strdup(name), a, address};
		if (!x.name || !VEC_PUSH(&e->externs, x)) {
			free(x.name);
			s = HSA_STATUS_ERROR_OUT_OF_RESOURCES;
		}
	}
	pthread_mutex_unlock(&hx.lock);
	return s;
}

hsa_status_t
hsa_executable_global_variable_define(hsa_executable_t executable, const char *name, void *address)
{
	HX_CHECK_INIT();
	return extern_add(executable, NULL, name, address);
}

hsa_status_t
hsa_executable_agent_global_variable_define(
	hsa_executable_t executable, hsa_agent_t agent, const char *name, void *address)
{
	HX_CHECK_INIT();
	struct hx_agent *a = hx_agent_get(agent);
	return a ? extern_add(executable, a, name, address) : HSA_STATUS_ERROR_INVALID_AGENT;
}

hsa_status_t
hsa_executable_readonly_variable_define(
	hsa_executable_t executable, hsa_agent_t agent, const char *name, void *address)
{
	return hsa_executable_agent_global_variable_define(executable, agent, name, address);
}
