/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * api.c - the table through which libcudart reaches the runtime. From each row of api.def comes the
 * function in the table: it calls rt_NAME, remembers an error as the thread's last one and traces
 * (HEDDLE_LOG=api); a row without a function says once that it does not exist yet.
 */
#include "host-rt/rt.h"
#include "host-rt/register.h"

#include <string.h>

static void
trace(const char *name, const char *args, cudaError_t e)
{
	if (!log_on(LOG_api))
		return;
	const char *text = rt_error_name(e);
	log_printf(LOG_api, "%s%s -> %s", name, args, text ? text : "?");
}

/* Names that were reported, so that each is reported once. */
static cudaError_t
unsupported(const char *name)
{
	static struct rt_map said; /* by name, which lives for ever */
	struct rt *r = rt_state();
	rt_lock(r);
	bool first = !rt_map_find(&said, name);
	if (first)
		rt_map_add(&said, name, (void *)(uintptr_t)1);
	rt_unlock(r);
	if (first)
		sink_printf("%s is not supported yet", name);
	return rt_error(cudaErrorNotSupported);
}

void
rt_unsupported(const char *name)
{
	unsupported(name);
}

static void
per_thread(int on)
{
	rt_per_thread = on;
}

#pragma GCC diagnostic ignored "-Wunused-parameter" /* of rows that do nothing */

#define CALL_done(name, params, args)                                                              \
	static cudaError_t api_##name params                                                       \
	{                                                                                          \
		cudaError_t e = rt_error(rt_##name args);                                          \
		trace(#name, #args, e);                                                            \
		return e;                                                                          \
	}
#define CALL_peek(name, params, args)                                                              \
	static cudaError_t api_##name params                                                       \
	{                                                                                          \
		cudaError_t e = rt_##name args;                                                    \
		trace(#name, #args, e);                                                            \
		return e;                                                                          \
	}
#define CALL_none(name, params, args)                                                              \
	static cudaError_t api_##name params                                                       \
	{                                                                                          \
		return unsupported(#name);                                                         \
	}
#define __dv(v)
#define API(name, variant, params, args, status, section) CALL_##status(name, params, args)
#define API_AS(name, type, params, args, status, section)
#define API_OTHER(name, status, section)
#define API_HEADER(name, status, section)
#include "host-rt/api.def"
#undef API
#undef API_AS

static const struct rt_table table = {
	.version = RT_TABLE_VERSION,
	.size = sizeof table,
	.register_fatbin = rt_register_fatbin,
	.register_end = rt_register_end,
	.register_function = rt_register_function,
	.register_variable = rt_register_variable,
	.unregister_fatbin = rt_unregister_fatbin,
	.push_configuration = rt_push_configuration,
	.pop_configuration = rt_pop_configuration,
	.unsupported = unsupported,
	.per_thread = per_thread,
#define API(name, variant, params, args, status, section) .name = api_##name,
#define API_AS(name, type, params, args, status, section) .name = rt_##name,
#include "host-rt/api.def"
};

const void *
rt_table_find(const void *uuid)
{
	static const CUuuid id = RT_TABLE_ID;
	return memcmp(uuid, id.bytes, sizeof id.bytes) ? NULL : &table;
}

/* --- rows that need nothing else --------------------------------------------------------------------------- */

cudaError_t
rt_cudaGetLastError(void)
{
	return rt_error_last(true);
}

cudaError_t
rt_cudaPeekAtLastError(void)
{
	return rt_error_last(false);
}

const char *
rt_cudaGetErrorName(cudaError_t error)
{
	const char *z = rt_error_name(error);
	return z ? z : "unrecognized error code";
}

const char *
rt_cudaGetErrorString(cudaError_t error)
{
	const char *z = rt_error_text(error);
	return z ? z : "unrecognized error code";
}

struct cudaChannelFormatDesc
rt_cudaCreateChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind f)
{
	return (struct cudaChannelFormatDesc){x, y, z, w, f};
}
