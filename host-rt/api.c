/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * api.c - the table through which libcudart reaches the runtime. From each row of api.def comes the
 * function in the table: it calls rt_NAME, remembers an error as the thread's last one and traces
 * (HEDDLE_LOG=api); a row without a function says once that it does not exist yet.
 */
#include "host-rt/rt.h"
#include "host-rt/register.h"

#include <string.h>

/* --- the trace -------------------------------------------------------------------------------------------- */

/* An argument of a call: its bytes, shown as a number if they fit one. */
struct arg {
	const void *p;
	size_t n;
};

static void
trace(const char *name, const char *names, const struct arg *args, size_t n, cudaError_t e)
{
	struct buf line = {0};
	struct str rest = str_of(names + 1); /* "(devPtr, size)" */
	const char *text = rt_error_name(e);
	for (size_t i = 0; i < n; i++) {
		struct str arg = str_split(&rest, i + 1 < n ? ',' : ')');
		u64 v = 0;
		buf_printf(&line, "%s%.*s=", i ? "" : " ", (int)arg.n, arg.p);
		if (args[i].n <= sizeof v) {
			memcpy(&v, args[i].p, args[i].n);
			buf_printf(&line, v < 4096 ? "%llu" : "%#llx", (unsigned long long)v);
		} else if (args[i].n == sizeof(dim3)) {
			dim3 d;
			memcpy(&d, args[i].p, sizeof d);
			buf_printf(&line, "%u,%u,%u", d.x, d.y, d.z);
		} else {
			buf_printf(&line, "{%zu bytes}", args[i].n);
		}
	}
	buf_add(&line, "", 1);
	log_printf(
		LOG_api, "%s%s result=%s", name, line.p ? (char *)line.p : "", text ? text : "?");
	buf_free(&line);
}

/* ARGS(a, b) is the list of struct arg; ARGS() is empty: a lone argument that is followed by "()" and
 * then gives a comma can only have been none. */
#define A1(a)      ARG(a)
#define A2(a, ...) ARG(a) A1(__VA_ARGS__)
#define A3(a, ...) ARG(a) A2(__VA_ARGS__)
#define A4(a, ...) ARG(a) A3(__VA_ARGS__)
#define A5(a, ...) ARG(a) A4(__VA_ARGS__)
#define A6(a, ...) ARG(a) A5(__VA_ARGS__)
#define A7(a, ...) ARG(a) A6(__VA_ARGS__)
#define A8(a, ...) ARG(a) A7(__VA_ARGS__)
#define A9(a, ...) ARG(a) A8(__VA_ARGS__)
#define A0(a)
#define ARG(a)                                   {&(a), sizeof(a)},
#define TENTH(a, b, c, d, e, f, g, h, i, n, ...) n
#define NUMBER(...)                              TENTH(__VA_ARGS__, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define COMMA(...)                               ,
#define NONE(...)      NUMBER(COMMA __VA_ARGS__()) /* 2 for no argument, else the number */
#define JOIN_(a, b, c) a##b##c
#define JOIN(a, b, c)  JOIN_(a, b, c)
#define PICK_12        A0
#define PICK_11        A1
#define PICK_22        A2
#define PICK_33        A3
#define PICK_44        A4
#define PICK_55        A5
#define PICK_66        A6
#define PICK_77        A7
#define PICK_88        A8
#define PICK_99        A9
#define ARGS(...)      JOIN(PICK_, NUMBER(__VA_ARGS__), NONE(__VA_ARGS__))(__VA_ARGS__)

/* A macro so that a call that is not traced costs one test. */
#define TRACE(name, args, e)                                                                       \
	do {                                                                                       \
		if (log_on(LOG_api)) {                                                             \
			const struct arg list[] = {ARGS args{NULL, 0}};                            \
			trace(#name, #args, list, COUNT(list) - 1, e);                             \
		}                                                                                  \
	} while (0)

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
		TRACE(name, args, e);                                                              \
		return e;                                                                          \
	}
#define CALL_peek(name, params, args)                                                              \
	static cudaError_t api_##name params                                                       \
	{                                                                                          \
		cudaError_t e = rt_##name args;                                                    \
		TRACE(name, args, e);                                                              \
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
