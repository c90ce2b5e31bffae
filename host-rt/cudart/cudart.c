/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * cudart.c - libcudart: nothing but names. Every function goes through the table that libcuda gives
 * for RT_TABLE_ID; there is no state here but the pointer to it. `_ptsz` and `_ptds` names are the same
 * functions with the thread's own stream as the default one.
 */
#include "host-rt/register.h"
#include "lang/base.h"

#include <pthread.h>
#include <stdlib.h>

extern int cuGetExportTable(const void **table, const CUuuid *id);

static const struct rt_table *table;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void
find_table(void)
{
	const CUuuid id = RT_TABLE_ID;
	const void *p = NULL;
	if (!cuGetExportTable(&p, &id))
		table = p;
	if (!table || table->version != RT_TABLE_VERSION || table->size != sizeof *table) {
		sink_printf("libcudart and libcuda are not of one build");
		abort(); /* there is no way to report an error: nothing works */
	}
}

static const struct rt_table *
t(void)
{
	pthread_once(&once, find_table);
	return table;
}

/* --- the rows ------------------------------------------------------------------------------------------------- */

#pragma GCC diagnostic ignored "-Wmissing-prototypes" /* of the names with suffixes */

#define NAME(name, params, args)                                                                   \
	EXPORT cudaError_t name params                                                             \
	{                                                                                          \
		return t()->name args;                                                             \
	}
#define OWN_STREAM(symbol, name, params, args)                                                     \
	EXPORT cudaError_t symbol params                                                           \
	{                                                                                          \
		t()->per_thread(1);                                                                \
		cudaError_t e = t()->name args;                                                    \
		t()->per_thread(0);                                                                \
		return e;                                                                          \
	}
#define OLD(name) /* the symbol that older programs call */                                        \
	EXPORT cudaError_t name##_v1(void) __asm__(#name);                                         \
	cudaError_t name##_v1(void)                                                                \
	{                                                                                          \
		return t()->unsupported(#name);                                                    \
	}
#define EXPORT_one(name, params, args) NAME(name, params, args)
#define EXPORT_ptsz(name, params, args)                                                            \
	NAME(name, params, args) OWN_STREAM(name##_ptsz, name, params, args)
#define EXPORT_ptds(name, params, args)                                                            \
	NAME(name, params, args) OWN_STREAM(name##_ptds, name, params, args)
#define EXPORT_v2(name, params, args) NAME(name, params, args) /* the header binds it to name_v2 */
#define EXPORT_v2_ptsz(name, params, args)                                                         \
	NAME(name, params, args) OWN_STREAM(name##_v2_ptsz, name, params, args) OLD(name)
#define __dv(v)
#define API(name, variant, params, args, status, section) EXPORT_##variant(name, params, args)
#define API_AS(name, type, params, args, status, section)                                          \
	EXPORT type name params                                                                    \
	{                                                                                          \
		return t()->name args;                                                             \
	}
#define API_OTHER(name, status, section)                                                           \
	EXPORT cudaError_t name(void)                                                              \
	{                                                                                          \
		return t()->unsupported(#name);                                                    \
	}
#define API_HEADER(name, status, section)
#include "host-rt/api.def"
#undef API
#undef API_AS
#undef API_OTHER
#undef API_HEADER

/* cudaGetDeviceProperties as it was before CUDA 12: the same members up to this one. */
EXPORT cudaError_t cudaGetDeviceProperties_v1(struct cudaDeviceProp *prop, int device) __asm__(
	"cudaGetDeviceProperties");
cudaError_t
cudaGetDeviceProperties_v1(struct cudaDeviceProp *prop, int device)
{
	struct cudaDeviceProp all;
	cudaError_t e = t()->cudaGetDeviceProperties(prop ? &all : NULL, device);
	if (!e)
		__builtin_memcpy(
			prop, &all, offsetof(struct cudaDeviceProp, hostRegisterSupported));
	return e;
}

/* --- what compiled code calls ----------------------------------------------------------------------------------- */

EXPORT void **
__cudaRegisterFatBinary(void *wrapper)
{
	return t()->register_fatbin(wrapper);
}

EXPORT void
__cudaRegisterFatBinaryEnd(void **fatbin)
{
	t()->register_end(fatbin);
}

EXPORT void
__cudaUnregisterFatBinary(void **fatbin)
{
	t()->unregister_fatbin(fatbin);
}

EXPORT void
__cudaRegisterFunction(void **fatbin, const char *host, char *device, const char *name, int limit,
	void *tid, void *bid, void *block, void *grid, int *warp)
{
	(void)device, (void)limit, (void)tid, (void)bid, (void)block, (void)grid, (void)warp;
	t()->register_function(fatbin, host, name);
}

EXPORT void
__cudaRegisterVar(void **fatbin, char *host, char *device, const char *name, int external,
	size_t size, int constant, int global)
{
	(void)device, (void)external, (void)constant, (void)global;
	t()->register_variable(fatbin, host, name, size, NULL);
}

EXPORT void
__cudaRegisterManagedVar(void **fatbin, void **managed, char *device, const char *name,
	int external, size_t size, int constant, int global)
{
	(void)device, (void)external, (void)constant, (void)global;
	t()->register_variable(fatbin, managed, name, size, managed);
}

EXPORT unsigned
__cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, struct CUstream_st *stream)
{
	return t()->push_configuration(grid, block, shared, stream);
}

/* What <<<>>> calls in code whose default stream is the thread's own (heddle/launch.h): the stub that
 * clang emits knows only cudaLaunchKernel. */
EXPORT unsigned
heddlePushCallConfiguration(dim3 grid, dim3 block, size_t shared, struct CUstream_st *stream)
{
	return t()->push_configuration(grid, block, shared, stream ? stream : cudaStreamPerThread);
}

EXPORT cudaError_t
__cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream)
{
	return t()->pop_configuration(grid, block, shared, stream);
}

/* Loading is lazy: there is nothing to do before the first use. */
EXPORT char
__cudaInitModule(void **fatbin)
{
	(void)fatbin;
	return 0;
}
