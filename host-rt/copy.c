/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * copy.c - copies and fills of all kinds. One form for all: slices of rows. They are checked against
 * the blocks of memory.c at the call, and run by the HSA library's copy as host operations of the
 * stream: by the caller if the call is synchronous (or the stream idle and the copy small), else by
 * the stream's thread. An asynchronous copy from pageable memory takes its source at the call if that
 * is small and waits otherwise; one to pageable memory waits, as in CUDA.
 */
#include "host-rt/rt.h"

#include <stdlib.h>
#include <string.h>

#define STAGE_MOST (1u << 20) /* pageable bytes that are staged rather than waited for */
#define SOON_MOST  (1u << 18) /* bytes that the caller itself copies when the stream is idle */

/* --- running ----------------------------------------------------------------------------------------------- */

struct job {
	struct rt_copy c;
	u32 value, unit; /* of a fill; unit 0 is a copy */
	bool host; /* a fill of host memory */
	void *staged; /* what the source was copied to */
	bool failed;
};

static bool
fill_row(const struct job *j, u8 *p, size_t n)
{
	u32 word = j->unit == 1   ? (j->value & 0xff) * 0x01010101u
		   : j->unit == 2 ? (j->value & 0xffff) * 0x10001u
				  : j->value;
	u8 pattern[8];
	memcpy(pattern, &word, 4);
	memcpy(pattern + 4, &word, 4);
	size_t head = (size_t)(-(uintptr_t)p & 3);
	if (head > n)
		head = n;
	size_t words = (n - head) / 4, tail = (n - head) % 4;
	/* A unit of 2 starts at an even address, so its phase in the word is the address's. */
	return (!head || hal_copy(p, pattern, head)) &&
	       (!words || hal_fill(p + head, word, words)) &&
	       (!tail || hal_copy(p + head + 4 * words, pattern, tail));
}

static bool
run_row(const struct job *j, u8 *dst, const u8 *src, size_t n)
{
	if (!j->unit)
		return hal_copy(dst, src, n);
	if (j->host && j->unit == 1) {
		memset(dst, (int)j->value, n);
		return true;
	}
	return fill_row(j, dst, n);
}

static void
run(void *p)
{
	struct job *j = p;
	struct rt_copy c = j->c;
	if (c.height > 1 && c.dst_pitch == c.width && (j->unit || c.src_pitch == c.width) &&
		(c.depth == 1 || (c.dst_slice == c.width * c.height &&
					 (j->unit || c.src_slice == c.dst_slice)))) {
		c.width *= c.height * c.depth; /* no gaps */
		c.height = c.depth = 1;
	}
	for (size_t z = 0; z < c.depth; z++)
		for (size_t y = 0; y < c.height; y++)
			if (!run_row(j, c.dst + z * c.dst_slice + y * c.dst_pitch,
				    c.src + z * c.src_slice + y * c.src_pitch, c.width))
				j->failed = true;
}

static void
drop(void *p)
{
	struct job *j = p;
	free(j->staged);
	free(j);
}

static cudaError_t
run_async(const struct job *j, struct rt_stream *s)
{
	struct job *copy = malloc(sizeof *copy);
	if (!copy) {
		free(j->staged);
		return cudaErrorMemoryAllocation;
	}
	*copy = *j;
	return rt_run_async(s, run, drop, copy,
		j->c.width * j->c.height * j->c.depth <= SOON_MOST ? RT_SOON : 0);
}

static cudaError_t
run_sync(struct job *j, struct rt_stream *s)
{
	cudaError_t e = rt_run_in_order(s, run, j);
	struct rt *r = rt_state();
	rt_lock(r);
	rt_service_drain(s->device);
	rt_unlock(r);
	return e ? e : j->failed ? cudaErrorUnknown : cudaSuccess;
}

/* --- checking ---------------------------------------------------------------------------------------------- */

/* Bytes from the first to the last; false when they do not fit the address space. */
static bool
span(size_t width, size_t height, size_t depth, size_t pitch, size_t slice, size_t *n)
{
	size_t rows, slices;
	return !__builtin_mul_overflow(height - 1, pitch, &rows) &&
	       !__builtin_mul_overflow(depth - 1, slice, &slices) &&
	       !__builtin_add_overflow(rows, width, n) && !__builtin_add_overflow(*n, slices, n);
}

/* What kind of memory [p, p + n) is; false when it leaves its block. */
static bool
classify(const void *p, size_t n, enum cudaMemoryType *type)
{
	struct rt *r = rt_state();
	rt_lock(r);
	const struct rt_block *b = rt_block_find(r, p);
	*type = b ? b->type : cudaMemoryTypeUnregistered;
	bool ok = !b || n <= b->size - (size_t)((const u8 *)p - b->base);
	rt_unlock(r);
	return ok;
}

/* As CUDA with one address space: where memory is known, it counts, not what the kind says of it. */
static cudaError_t
check_kind(enum cudaMemcpyKind kind, enum cudaMemoryType dst, enum cudaMemoryType src)
{
	bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
	bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
	bool bad = (to_device && dst == cudaMemoryTypeUnregistered) ||
		   (from_device && src == cudaMemoryTypeUnregistered);
	return bad ? cudaErrorInvalidValue : cudaSuccess;
}

/* A source that the program may change after the call is copied now. */
static bool
stage(struct job *j)
{
	struct rt_copy *c = &j->c;
	u8 *to = malloc(c->width * c->height * c->depth);
	if (!to)
		return false;
	j->staged = to;
	for (size_t z = 0; z < c->depth; z++)
		for (size_t y = 0; y < c->height; y++, to += c->width)
			memcpy(to, c->src + z * c->src_slice + y * c->src_pitch, c->width);
	c->src = j->staged;
	c->src_pitch = c->width;
	c->src_slice = c->width * c->height;
	return true;
}

cudaError_t
rt_copy(const struct rt_copy *c, enum cudaMemcpyKind kind, struct rt_stream *s, bool async)
{
	enum cudaMemoryType dst, src;
	size_t to, from;
	if ((unsigned)kind > cudaMemcpyDefault)
		return cudaErrorInvalidMemcpyDirection;
	if (!c->width || !c->height || !c->depth)
		return cudaSuccess;
	if (!c->dst || !c->src)
		return cudaErrorInvalidValue;
	if (c->height > 1 && (c->dst_pitch < c->width || c->src_pitch < c->width))
		return cudaErrorInvalidPitchValue;
	if (!span(c->width, c->height, c->depth, c->dst_pitch, c->dst_slice, &to) ||
		!span(c->width, c->height, c->depth, c->src_pitch, c->src_slice, &from) ||
		!classify(c->dst, to, &dst) || !classify(c->src, from, &src))
		return cudaErrorInvalidValue;
	cudaError_t e = check_kind(kind, dst, src);
	if (e)
		return e;
	struct job j = {.c = *c};
	if (!async || dst == cudaMemoryTypeUnregistered)
		return run_sync(&j, s);
	if (src == cudaMemoryTypeUnregistered &&
		(c->width * c->height * c->depth > STAGE_MOST || !stage(&j)))
		return run_sync(&j, s);
	return run_async(&j, s);
}

cudaError_t
rt_fill(const struct rt_copy *c, u32 value, u32 unit, struct rt_stream *s, bool async)
{
	enum cudaMemoryType type;
	size_t n;
	if (!c->width || !c->height || !c->depth)
		return cudaSuccess;
	if (!c->dst || (uintptr_t)c->dst % unit)
		return cudaErrorInvalidValue;
	if (c->height > 1 && c->dst_pitch < c->width)
		return cudaErrorInvalidPitchValue;
	if (!span(c->width, c->height, c->depth, c->dst_pitch, c->dst_slice, &n) ||
		!classify(c->dst, n, &type) || type == cudaMemoryTypeUnregistered)
		return cudaErrorInvalidValue;
	struct job j = {
		.c = *c, .value = value, .unit = unit, .host = type != cudaMemoryTypeDevice};
	j.c.src = c->dst; /* never read */
	return async ? run_async(&j, s) : run_sync(&j, s);
}

/* --- runtime API: copies ------------------------------------------------------------------------------------- */

static cudaError_t
copy_line(void *dst, const void *src, size_t n, enum cudaMemcpyKind kind, cudaStream_t stream,
	bool async)
{
	struct rt_stream *s;
	cudaError_t e = rt_stream_find(stream, &s);
	if (e)
		return e;
	struct rt_copy c = {.dst = dst, .src = src, .width = n, .height = 1, .depth = 1};
	return rt_copy(&c, kind, s, async);
}

static cudaError_t
copy_rows(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
	enum cudaMemcpyKind kind, cudaStream_t stream, bool async)
{
	struct rt_stream *s;
	cudaError_t e = rt_stream_find(stream, &s);
	if (e)
		return e;
	if (width > dpitch || width > spitch)
		return cudaErrorInvalidPitchValue;
	struct rt_copy c = {dst, src, dpitch, spitch, 0, 0, width, height, 1};
	return rt_copy(&c, kind, s, async);
}

cudaError_t
rt_cudaMemcpy(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind)
{
	return copy_line(dst, src, count, kind, 0, false);
}

cudaError_t
rt_cudaMemcpyAsync(
	void *dst, const void *src, size_t count, enum cudaMemcpyKind kind, cudaStream_t stream)
{
	return copy_line(dst, src, count, kind, stream, true);
}

cudaError_t
rt_cudaMemcpyPeer(void *dst, int dstDevice, const void *src, int srcDevice, size_t count)
{
	struct rt_device *d;
	cudaError_t e = rt_device_at(dstDevice, &d);
	if (!e)
		e = rt_device_at(srcDevice, &d);
	return e ? e : copy_line(dst, src, count, cudaMemcpyDefault, 0, false);
}

cudaError_t
rt_cudaMemcpyPeerAsync(
	void *dst, int dstDevice, const void *src, int srcDevice, size_t count, cudaStream_t stream)
{
	struct rt_device *d;
	cudaError_t e = rt_device_at(dstDevice, &d);
	if (!e)
		e = rt_device_at(srcDevice, &d);
	return e ? e : copy_line(dst, src, count, cudaMemcpyDefault, stream, true);
}

cudaError_t
rt_cudaMemcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
	size_t height, enum cudaMemcpyKind kind)
{
	return copy_rows(dst, dpitch, src, spitch, width, height, kind, 0, false);
}

cudaError_t
rt_cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
	size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
	return copy_rows(dst, dpitch, src, spitch, width, height, kind, stream, true);
}

/* Without arrays, positions and extents are in bytes, rows and slices. */
static cudaError_t
copy_box(const struct cudaMemcpy3DParms *p, cudaStream_t stream, bool async)
{
	struct rt_stream *s;
	cudaError_t e = rt_stream_find(stream, &s);
	if (e)
		return e;
	if (!p)
		return cudaErrorInvalidValue;
	if (p->srcArray || p->dstArray)
		return cudaErrorNotSupported;
	const struct cudaPitchedPtr *d = &p->dstPtr, *f = &p->srcPtr;
	if (!d->ptr || !f->ptr || p->extent.width > d->pitch || p->extent.width > f->pitch)
		return cudaErrorInvalidValue;
	size_t dst_slice = d->pitch * d->ysize, src_slice = f->pitch * f->ysize;
	struct rt_copy c = {
		.dst = (u8 *)d->ptr + p->dstPos.z * dst_slice + p->dstPos.y * d->pitch +
		       p->dstPos.x,
		.src = (u8 *)f->ptr + p->srcPos.z * src_slice + p->srcPos.y * f->pitch +
		       p->srcPos.x,
		.dst_pitch = d->pitch,
		.src_pitch = f->pitch,
		.dst_slice = dst_slice,
		.src_slice = src_slice,
		.width = p->extent.width,
		.height = p->extent.height,
		.depth = p->extent.depth,
	};
	return rt_copy(&c, p->kind, s, async);
}

cudaError_t
rt_cudaMemcpy3D(const struct cudaMemcpy3DParms *p)
{
	return copy_box(p, 0, false);
}

cudaError_t
rt_cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t stream)
{
	return copy_box(p, stream, true);
}

/* --- runtime API: symbols -------------------------------------------------------------------------------------- */

cudaError_t
rt_cudaGetSymbolAddress(void **devPtr, const void *symbol)
{
	struct rt_device *d;
	size_t size;
	if (!devPtr)
		return cudaErrorInvalidValue;
	cudaError_t e = rt_device_get(&d);
	return e ? e : rt_variable_find(symbol, d, devPtr, &size);
}

cudaError_t
rt_cudaGetSymbolSize(size_t *size, const void *symbol)
{
	struct rt_device *d;
	void *address;
	if (!size)
		return cudaErrorInvalidValue;
	cudaError_t e = rt_device_get(&d);
	return e ? e : rt_variable_find(symbol, d, &address, size);
}

static cudaError_t
symbol_range(const void *symbol, size_t count, size_t offset, void **at)
{
	struct rt_device *d;
	size_t size;
	cudaError_t e = rt_device_get(&d);
	if (!e)
		e = rt_variable_find(symbol, d, at, &size);
	if (e)
		return e;
	if (offset > size || count > size - offset)
		return cudaErrorInvalidValue;
	*at = (u8 *)*at + offset;
	return cudaSuccess;
}

static cudaError_t
to_symbol(const void *symbol, const void *src, size_t count, size_t offset,
	enum cudaMemcpyKind kind, cudaStream_t stream, bool async)
{
	void *at;
	cudaError_t e = symbol_range(symbol, count, offset, &at);
	if (e)
		return e;
	if (kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyHostToHost)
		return cudaErrorInvalidMemcpyDirection;
	return copy_line(at, src, count, kind, stream, async);
}

static cudaError_t
from_symbol(void *dst, const void *symbol, size_t count, size_t offset, enum cudaMemcpyKind kind,
	cudaStream_t stream, bool async)
{
	void *at;
	cudaError_t e = symbol_range(symbol, count, offset, &at);
	if (e)
		return e;
	if (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyHostToHost)
		return cudaErrorInvalidMemcpyDirection;
	return copy_line(dst, at, count, kind, stream, async);
}

cudaError_t
rt_cudaMemcpyToSymbol(
	const void *symbol, const void *src, size_t count, size_t offset, enum cudaMemcpyKind kind)
{
	return to_symbol(symbol, src, count, offset, kind, 0, false);
}

cudaError_t
rt_cudaMemcpyToSymbolAsync(const void *symbol, const void *src, size_t count, size_t offset,
	enum cudaMemcpyKind kind, cudaStream_t stream)
{
	return to_symbol(symbol, src, count, offset, kind, stream, true);
}

cudaError_t
rt_cudaMemcpyFromSymbol(
	void *dst, const void *symbol, size_t count, size_t offset, enum cudaMemcpyKind kind)
{
	return from_symbol(dst, symbol, count, offset, kind, 0, false);
}

cudaError_t
rt_cudaMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t count, size_t offset,
	enum cudaMemcpyKind kind, cudaStream_t stream)
{
	return from_symbol(dst, symbol, count, offset, kind, stream, true);
}

/* --- runtime API: fills ------------------------------------------------------------------------------------------ */

static cudaError_t
fill_box(void *p, size_t pitch, size_t slice, int value, struct cudaExtent extent,
	cudaStream_t stream, bool async)
{
	struct rt_stream *s;
	cudaError_t e = rt_stream_find(stream, &s);
	if (e)
		return e;
	struct rt_copy c = {p, NULL, pitch, 0, slice, 0, extent.width, extent.height, extent.depth};
	return rt_fill(&c, (u32)value, 1, s, async);
}

cudaError_t
rt_cudaMemset(void *devPtr, int value, size_t count)
{
	return fill_box(devPtr, count, 0, value, (struct cudaExtent){count, 1, 1}, 0, false);
}

cudaError_t
rt_cudaMemsetAsync(void *devPtr, int value, size_t count, cudaStream_t stream)
{
	return fill_box(devPtr, count, 0, value, (struct cudaExtent){count, 1, 1}, stream, true);
}

cudaError_t
rt_cudaMemset2D(void *devPtr, size_t pitch, int value, size_t width, size_t height)
{
	return fill_box(devPtr, pitch, 0, value, (struct cudaExtent){width, height, 1}, 0, false);
}

cudaError_t
rt_cudaMemset2DAsync(
	void *devPtr, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream)
{
	return fill_box(
		devPtr, pitch, 0, value, (struct cudaExtent){width, height, 1}, stream, true);
}

cudaError_t
rt_cudaMemset3D(struct cudaPitchedPtr p, int value, struct cudaExtent extent)
{
	return fill_box(p.ptr, p.pitch, p.pitch * p.ysize, value, extent, 0, false);
}

cudaError_t
rt_cudaMemset3DAsync(
	struct cudaPitchedPtr p, int value, struct cudaExtent extent, cudaStream_t stream)
{
	return fill_box(p.ptr, p.pitch, p.pitch * p.ysize, value, extent, stream, true);
}
