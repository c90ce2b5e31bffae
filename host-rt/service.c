/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * service.c - what device code asks of the host (lang/services.h): printf and assert. A device has one
 * buffer in host memory; every module's `__heddle_services` points to it. Records are printed when the
 * program synchronizes, in the order in which they were reserved; while kernels run, as far as they
 * are complete. When nothing runs, the buffer starts anew. As in CUDA, what was not synchronized with
 * before the program ends is never printed. The format is the device's: it is checked like any bytes.
 */
#include "host-rt/rt.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool
rt_service_resize(struct rt_device *d)
{
	size_t n = d->limits[cudaLimitPrintfFifoSize];
	struct heddle_buffer *b = d->buffer;
	if (b && b->size == n)
		return true;
	b = hal_host_alloc(sizeof *b + n);
	if (!b)
		return false;
	memset(b, 0, sizeof *b + n);
	b->size = n;
	if (d->buffer)
		hal_free(d->buffer);
	d->buffer = b;
	d->drained = 0;
	d->lost = 0;
	for (size_t i = 0; i < d->modules.n; i++)
		rt_service_attach(d->modules.p[i]);
	return true;
}

bool
rt_service_start(struct rt_device *d)
{
	return rt_service_resize(d);
}

void
rt_service_stop(struct rt_device *d)
{
	if (d->buffer)
		hal_free(d->buffer);
	d->buffer = NULL;
}

void
rt_service_attach(struct rt_module *m)
{
	struct rt_device *d = m->device;
	struct heddle_services s = {
		.version = HEDDLE_SERVICES_VERSION,
		.device = (unsigned)d->ordinal,
		.buffer = d->buffer,
		.heap_bytes = d->limits[cudaLimitMallocHeapSize],
	};
	u64 at;
	u32 size;
	if (!hal_code_variable(&d->gpu, m->hal, HEDDLE_SERVICES_NAME, &at, &size))
		return; /* needs nothing of the host */
	if (size < sizeof s)
		sink_printf("%s has %u bytes instead of %zu", HEDDLE_SERVICES_NAME, size, sizeof s);
	else
		hal_copy((void *)(uintptr_t)at, &s, sizeof s);
}

/* --- records -------------------------------------------------------------------------------------------------- */

/* The NUL-terminated string at *p, which is moved behind it; NULL when it does not end. */
static const char *
next_string(const char **p, const char *end)
{
	const char *z = *p, *nul = memchr(z, 0, (size_t)(end - z));
	if (nul)
		*p = nul + 1;
	return nul ? z : NULL;
}

static bool
print_assert(const char *p, size_t n)
{
	u32 v[7];
	const char *end = p + n;
	if (n < sizeof v)
		return false;
	memcpy(v, p, sizeof v);
	p += sizeof v;
	const char *expression = next_string(&p, end);
	const char *file = expression ? next_string(&p, end) : NULL;
	const char *function = file ? next_string(&p, end) : NULL;
	if (!function)
		return false;
	fflush(stdout);
	fprintf(stderr, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n",
		file, v[0], function, v[1], v[2], v[3], v[4], v[5], v[6], expression);
	return true;
}

/* Prints complete records from d->drained on; returns how far it came. */
static u64
print_records(struct rt_device *d, u64 end, bool *asserted)
{
	char *base = (char *)(d->buffer + 1);
	struct buf out = {0};
	u64 at = d->drained;
	while (at + sizeof(struct heddle_record) <= end) {
		struct heddle_record *rec = (struct heddle_record *)(void *)(base + at);
		u32 kind = atomic_load_explicit(
			(_Atomic u32 *)(void *)&rec->kind, memory_order_acquire);
		if (kind == HEDDLE_RECORD_NONE || rec->bytes < sizeof *rec || rec->bytes % 8 ||
			rec->bytes > end - at)
			break; /* not written yet, or nonsense */
		const char *payload = (const char *)(rec + 1);
		size_t n = rec->bytes - sizeof *rec;
		if (kind == HEDDLE_RECORD_PRINTF) {
			rt_format(&out, payload, n);
		} else if (kind == HEDDLE_RECORD_ASSERT) {
			if (out.n)
				fwrite(out.p, 1, out.n, stdout);
			out.n = 0;
			*asserted |= print_assert(payload, n);
		}
		at += rec->bytes;
	}
	if (out.n)
		fwrite(out.p, 1, out.n, stdout);
	buf_free(&out);
	return at;
}

cudaError_t
rt_service_drain(struct rt_device *d)
{
	struct heddle_buffer *b = d->buffer;
	if (!b)
		return cudaSuccess;
	_Atomic u64 *head = (_Atomic u64 *)(void *)&b->head;
	u64 reserved = atomic_load_explicit(head, memory_order_acquire);
	if (!reserved)
		return cudaSuccess;
	bool asserted = false, busy = rt_device_busy(d);
	u64 end = reserved < b->size ? reserved : b->size;
	d->drained = print_records(d, end, &asserted);
	if (asserted && d->error)
		d->error = cudaErrorAssert; /* the trap after it was seen first */
	if (!busy) {
		if (b->lost)
			sink_printf("printf: %u records did not fit (cudaLimitPrintfFifoSize)",
				b->lost);
		memset(b + 1, 0, end);
		b->lost = 0;
		d->drained = 0;
		atomic_store_explicit(head, 0, memory_order_release);
	}
	return asserted ? cudaErrorAssert : cudaSuccess;
}

/* Only a buffer that is half full, when nothing runs: a launch shall cost nothing. */
void
rt_service_relieve(struct rt_device *d)
{
	struct heddle_buffer *b = d->buffer;
	if (b && atomic_load_explicit((_Atomic u64 *)(void *)&b->head, memory_order_relaxed) >
			 b->size / 2)
		rt_service_drain(d);
}
