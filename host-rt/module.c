/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * module.c - fat binaries and what is in them. Registration, which runs before main(), only takes
 * names down. On a device's first use of a fat binary the image for its GPU is chosen and loaded: the
 * name of the image must be the device's, and a feature that the image names ("xnack-") must be the
 * device's, too. Names are looked up when they are used; a variable that the device code does not
 * have (it was folded away) is an error only then.
 */
#include "host-rt/rt.h"
#include "host-rt/register.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- registration -------------------------------------------------------------------------------------------- */

#define WRAPPER_MAGIC                                                                              \
	0x466243b1 /* what clang's host pass puts before the address of the fat binary */

struct wrapper {
	u32 magic, version;
	const void *data;
	void *unused;
};

void **
rt_register_fatbin(void *wrapper)
{
	struct rt *r = rt_state();
	const struct wrapper *w = wrapper;
	struct rt_fatbin *f = calloc(1, sizeof *f);
	if (f && w->magic == WRAPPER_MAGIC)
		f->data = w->data;
	else if (f)
		sink_printf("a fat binary with magic %#x is not known", w->magic);
	rt_lock(r);
	if (f && !VEC_PUSH(&r->fatbins, f)) {
		free(f);
		f = NULL;
	}
	rt_unlock(r);
	log_printf(LOG_load, "fatbin register %s", f ? "ok" : "failed");
	return (void **)f;
}

void
rt_register_end(void **fatbin)
{
	(void)fatbin;
}

void
rt_register_function(void **fatbin, const char *host, const char *name)
{
	struct rt *r = rt_state();
	struct rt_function *f = calloc(1, sizeof *f);
	if (!f || !fatbin || !(f->name = strdup(name))) {
		free(f);
		return;
	}
	f->host = host;
	f->fatbin = (struct rt_fatbin *)fatbin;
	f->carveout = -1;
	rt_lock(r);
	bool ok = rt_map_add(&r->functions, host, f);
	rt_unlock(r);
	if (!ok)
		sink_printf("kernel %s: out of memory", name);
	log_printf(LOG_load, "kernel register name=%s", name);
}

void
rt_register_variable(void **fatbin, const void *host, const char *name, size_t size, void **managed)
{
	struct rt *r = rt_state();
	struct rt_variable *v = calloc(1, sizeof *v);
	if (!v || !fatbin || !(v->name = strdup(name))) {
		free(v);
		return;
	}
	v->host = host;
	v->size = size;
	v->fatbin = (struct rt_fatbin *)fatbin;
	v->managed = managed;
	rt_lock(r);
	bool ok = rt_map_add(&r->variables, host, v);
	rt_unlock(r);
	if (!ok)
		sink_printf("variable %s: out of memory", name);
	log_printf(LOG_load, "variable register name=%s size=%zu", name, size);
}

/* Runs at exit or when a library is unloaded. What was loaded on devices stays: kernels may run. */
void
rt_unregister_fatbin(void **fatbin)
{
	struct rt *r = rt_state();
	struct rt_fatbin *f = (struct rt_fatbin *)fatbin;
	if (!f)
		return;
	rt_lock(r);
	for (size_t i = 0; i < r->functions.cap;) {
		struct rt_function *fn = r->functions.values ? r->functions.values[i] : NULL;
		if (fn && fn->fatbin == f) {
			rt_map_del(&r->functions, fn->host); /* may move another into i */
			free(fn->name);
			free(fn);
		} else {
			i++;
		}
	}
	for (size_t i = 0; i < r->variables.cap;) {
		struct rt_variable *v = r->variables.values ? r->variables.values[i] : NULL;
		if (v && v->fatbin == f) {
			rt_map_del(&r->variables, v->host);
			free(v->name);
			free(v);
		} else {
			i++;
		}
	}
	f->data = NULL; /* its memory may go away */
	rt_unlock(r);
}

/* --- choosing an image ------------------------------------------------------------------------------------------ */

/* Is an image for `arch` right for a device that is `have` ("gfx90a:sramecc+:xnack-")? */
static bool
arch_fits(struct str arch, const char *have)
{
	struct str want = arch, is = str_of(have);
	if (!str_eq(str_split(&want, ':'), str_split(&is, ':')))
		return false;
	while (want.n) {
		struct str feature = str_split(&want, ':'), rest = is;
		bool found = false;
		while (rest.n && !found)
			found = str_eq(str_split(&rest, ':'), feature);
		if (!found)
			return false;
	}
	return true;
}

static bool
is_fatbin(const void *p, size_t n)
{
	static const u8 magic[4] = {0x10, 0xff, 0x10, 0xad}; /* llvm/Object/OffloadBinary.h */
	return n >= sizeof magic && !memcmp(p, magic, sizeof magic);
}

/* Finds the device's image; names all others in `seen` for the message. */
static cudaError_t
choose(const struct rt_device *d, const void *data, size_t n, struct str *image, struct buf *seen)
{
	struct fatbin_iter it = {.p = data, .n = n};
	for (;;) {
		struct fatbin_image i;
		bool done = false;
		enum code_status st = fatbin_next(&it, &i, &done);
		if (st) {
			sink_printf("fat binary: %s", code_status_text(st));
			return cudaErrorInvalidKernelImage;
		}
		if (done)
			return cudaErrorNoKernelImageForDevice;
		if (arch_fits(i.arch, d->gpu.arch)) {
			*image = i.image;
			return cudaSuccess;
		}
		buf_printf(seen, "%s%.*s", seen->n ? " " : "", (int)i.arch.n, i.arch.p);
	}
}

/* --- loading ----------------------------------------------------------------------------------------------------- */

static cudaError_t
load_kernels(struct rt_module *m)
{
	for (size_t i = 0; i < m->code.nkernels; i++) {
		const struct code_kernel *k = &m->code.kernels[i];
		const char *symbol = arena_strdup(&m->arena, k->symbol);
		if (!symbol)
			return cudaErrorMemoryAllocation;
		m->kernels[i] = (struct rt_kernel){.code = k, .module = m};
		if (!hal_code_kernel(&m->device->gpu, m->hal, symbol, &m->kernels[i].object)) {
			sink_printf(
				"kernel %.*s is not in its code object", (int)k->name.n, k->name.p);
			return cudaErrorInvalidKernelImage;
		}
	}
	return cudaSuccess;
}

/* Puts the module on its device's list, whose members know where the device's services are. */
static bool
list(struct rt_module *m)
{
	struct rt *r = rt_state();
	rt_lock(r);
	bool ok = VEC_PUSH(&m->device->modules, m);
	if (ok)
		rt_service_attach(m);
	rt_unlock(r);
	return ok;
}

static void
say_other_gpu(const struct rt_device *d, struct str have)
{
	sink_printf("the binary has code for %.*s, the device is %s", (int)have.n,
		have.n ? have.p : "", d->gpu.arch);
}

static cudaError_t
load_image(struct rt_device *d, struct str image, struct rt_module **out)
{
	struct rt_module *m = calloc(1, sizeof *m);
	if (!m)
		return cudaErrorMemoryAllocation;
	m->device = d;
	enum code_status st = code_read(&m->arena, image, &m->code);
	cudaError_t e =
		st == CODE_NO_MEMORY ? cudaErrorMemoryAllocation : cudaErrorInvalidKernelImage;
	if (st) {
		sink_printf("code object: %s", code_status_text(st));
		goto fail;
	}
	if (m->code.target != d->target) {
		say_other_gpu(d, str_of(m->code.target->name));
		e = cudaErrorNoKernelImageForDevice;
		goto fail;
	}
	m->kernels = calloc(m->code.nkernels + 1, sizeof *m->kernels);
	if (!m->kernels)
		goto fail;
	m->hal = hal_code_load(&d->gpu, image.p, image.n);
	if (!m->hal)
		goto fail;
	e = load_kernels(m);
	if (e)
		goto fail;
	e = cudaErrorMemoryAllocation;
	if (!list(m))
		goto fail;
	log_printf(LOG_load, "module device=%d arch=%s kernels=%zu bytes=%zu", d->ordinal,
		m->code.target->name, m->code.nkernels, image.n);
	*out = m;
	return cudaSuccess;
fail:
	rt_module_free(m);
	return e;
}

void
rt_module_free(struct rt_module *m)
{
	struct rt *r = rt_state();
	rt_lock(r);
	for (size_t i = 0; m->kernels && i < m->code.nkernels; i++)
		rt_map_del(&r->handles, &m->kernels[i]);
	rt_map_del(&r->handles, m);
	for (size_t i = 0; i < m->device->modules.n; i++)
		if (m->device->modules.p[i] == m)
			m->device->modules.p[i] = m->device->modules.p[--m->device->modules.n];
	rt_unlock(r);
	if (m->hal)
		hal_code_free(m->hal);
	arena_free(&m->arena);
	free(m->kernels);
	free(m->owned);
	free(m);
}

cudaError_t
rt_module_load(struct rt_device *d, const void *data, size_t n, struct rt_module **m)
{
	struct str image = {data, n};
	struct buf seen = {0};
	cudaError_t e = cudaSuccess;
	if (is_fatbin(data, n))
		e = choose(d, data, n, &image, &seen);
	if (e == cudaErrorNoKernelImageForDevice)
		say_other_gpu(d, (struct str){(char *)seen.p, seen.n});
	buf_free(&seen);
	return e ? e : load_image(d, image, m);
}

/* The module of a fat binary on a device; loaded by the first who asks. Lock held, let go while the HSA
 * library loads: two may load at once, the second's is dropped. */
static cudaError_t
fatbin_module(struct rt *r, struct rt_fatbin *f, struct rt_device *d, struct rt_module **m)
{
	*m = f->modules[d->ordinal];
	if (*m)
		return cudaSuccess;
	const void *data = f->data;
	if (!data)
		return cudaErrorInvalidKernelImage;
	if (f->reported[d->ordinal])
		return cudaErrorNoKernelImageForDevice;
	rt_unlock(r);
	struct rt_module *mine;
	cudaError_t e = rt_module_load(d, data, SIZE_MAX, &mine);
	rt_lock(r);
	if (e == cudaErrorNoKernelImageForDevice)
		f->reported[d->ordinal] = true;
	if (e)
		return e;
	if (f->modules[d->ordinal]) {
		rt_unlock(r);
		rt_module_free(mine);
		rt_lock(r);
	} else {
		f->modules[d->ordinal] = mine;
	}
	*m = f->modules[d->ordinal];
	return cudaSuccess;
}

void
rt_modules_unload(struct rt_device *d)
{
	struct rt *r = rt_state();
	rt_lock(r);
	for (size_t i = 0; i < r->fatbins.n; i++)
		r->fatbins.p[i]->modules[d->ordinal] = NULL;
	while (d->modules.n) {
		struct rt_module *m = d->modules.p[d->modules.n - 1];
		rt_unlock(r);
		rt_module_free(m);
		rt_lock(r);
	}
	for (size_t i = 0; i < r->blocks.n;)
		if (r->blocks.p[i].symbol && r->blocks.p[i].device == d->ordinal)
			rt_block_del_symbol(r, r->blocks.p[i].base);
		else
			i++;
	rt_unlock(r);
}

/* --- looking things up --------------------------------------------------------------------------------------------- */

struct rt_kernel *
rt_module_kernel(struct rt_module *m, struct str name)
{
	for (size_t i = 0; i < m->code.nkernels; i++)
		if (str_eq(m->code.kernels[i].name, name))
			return &m->kernels[i];
	return NULL;
}

cudaError_t
rt_module_variable(struct rt_module *m, const char *name, void **address, size_t *size)
{
	struct rt *r = rt_state();
	u64 at;
	u32 n;
	if (!hal_code_variable(&m->device->gpu, m->hal, name, &at, &n))
		return cudaErrorInvalidSymbol;
	*address = (void *)(uintptr_t)at;
	*size = n;
	rt_lock(r);
	bool ok = rt_block_add_symbol(r, m->device, *address, n);
	rt_unlock(r);
	return ok ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t
rt_kernel_find(const void *host, struct rt_device *d, struct rt_kernel **k, struct rt_function **f)
{
	struct rt *r = rt_state();
	struct rt_module *m;
	rt_lock(r);
	struct rt_function *fn = rt_map_find(&r->functions, host);
	cudaError_t e = fn ? fatbin_module(r, fn->fatbin, d, &m) : cudaErrorInvalidDeviceFunction;
	if (!e) {
		*k = rt_module_kernel(m, str_of(fn->name));
		if (f)
			*f = fn;
		if (!*k)
			e = cudaErrorInvalidDeviceFunction;
	}
	rt_unlock(r);
	return e;
}

cudaError_t
rt_variable_find(const void *host, struct rt_device *d, void **address, size_t *size)
{
	struct rt *r = rt_state();
	struct rt_module *m;
	rt_lock(r);
	struct rt_variable *v = rt_map_find(&r->variables, host);
	cudaError_t e = v ? fatbin_module(r, v->fatbin, d, &m) : cudaErrorInvalidSymbol;
	const char *name = v ? v->name : NULL;
	rt_unlock(r);
	if (e)
		return e;
	e = rt_module_variable(m, name, address, size);
	if (e == cudaErrorInvalidSymbol)
		sink_printf("variable %s: the device code does not have it", name);
	return e;
}
