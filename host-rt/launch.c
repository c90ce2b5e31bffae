/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * launch.c - from a launch to a dispatch packet. Arguments are copied to where the kernel's metadata
 * wants them; hidden arguments are filled by their kind, with the sizes as the program gave them. The
 * warp mode in the kernel's note decides the shape of a block on the hardware (lang/note.h). Then the
 * functions of the runtime API about kernels and launches.
 */
#include "host-rt/rt.h"
#include "host-rt/register.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* --- memory of arguments -------------------------------------------------------------------------------------- */

void *
rt_kernarg_new(struct rt_device *d, size_t n, size_t *class_of)
{
	size_t c = 0;
	while (c < COUNT(d->free_kernargs) && (size_t)256 << c < n)
		c++;
	*class_of = c;
	if (c == COUNT(d->free_kernargs))
		return hal_host_alloc(n);
	if (d->free_kernargs[c].n)
		return d->free_kernargs[c].p[--d->free_kernargs[c].n];
	/* A page or more at once: allocations are pages. */
	size_t size = (size_t)256 << c, count = size < 16384 ? 16384 / size : 1;
	u8 *slab = hal_host_alloc(size * count);
	for (size_t i = 1; slab && i < count; i++)
		if (!VEC_PUSH(&d->free_kernargs[c], (void *)(slab + i * size)))
			break;
	return slab;
}

void
rt_kernarg_free(struct rt_device *d, void *p, size_t class_of)
{
	if (class_of == COUNT(d->free_kernargs))
		hal_free(p);
	else if (!VEC_PUSH(&d->free_kernargs[class_of], p))
		sink_printf(
			"arguments of a kernel: out of memory"); /* the piece is lost, nothing else */
}

/* --- may it run? ----------------------------------------------------------------------------------------------- */

char *__cxa_demangle(const char *name, char *out, size_t *n, int *status); /* of libstdc++ */

/* The kernel's name as the program spells it; free it. */
static char *
readable(const struct rt_kernel *k)
{
	char *z = strndup(k->code->name.p, k->code->name.n);
	char *d = z ? __cxa_demangle(z, NULL, NULL, NULL) : NULL;
	if (!d)
		return z;
	free(z);
	return d;
}

/* Why a kernel may not run on its device; NULL: it may. */
static const char *
why_not(const struct code_kernel *c)
{
	switch (c->mode) {
	case HEDDLE_WARP_WAVE32:
		return c->wave == 32 ? NULL : "its note says wave32, its code does not";
	case HEDDLE_WARP_PAIRED:
		return c->wave == 64 ? NULL : "its note says paired, its waves have 32 lanes";
	case HEDDLE_WARP_SOLO:
		return c->wave == 64 ? NULL : "its note says solo, its waves have 32 lanes";
	case HEDDLE_WARP_NATIVE:
		return "warp mode native does not exist yet";
	case HEDDLE_WARP_UNKNOWN: /* no note: code of another compiler */
		return c->wave == 32 ? NULL : "no note says how its warps lie on waves of 64";
	}
	return "its warp mode is not known";
}

bool
rt_kernel_may_run(const struct rt_kernel *k)
{
	return !why_not(k->code);
}

/* Refuses what may not run, and says so once a kernel. */
static cudaError_t
check_mode(struct rt_kernel *k)
{
	const char *why = why_not(k->code);
	if (!why)
		return cudaSuccess;
	rt_lock(rt_state());
	bool said = k->refused;
	k->refused = true;
	rt_unlock(rt_state());
	if (said)
		return cudaErrorNotSupported;
	char *name = readable(k);
	sink_printf("kernel %s cannot run on %s: %s", name ? name : "?",
		k->module->device->target->name, why);
	free(name);
	return cudaErrorNotSupported;
}

/* Lanes that the hardware gives a block of `threads` threads. */
static u32
lanes_of(const struct rt_kernel *k, u32 threads)
{
	return k->code->mode == HEDDLE_WARP_SOLO ? HEDDLE_SOLO_LANES(threads) : threads;
}

/* A solo kernel takes but half of the threads that CUDA promises: says so, and why, once a kernel. */
static cudaError_t
refuse_solo(struct rt_kernel *k, u32 threads)
{
	rt_lock(rt_state());
	bool said = k->refused;
	k->refused = true;
	rt_unlock(rt_state());
	char *name = said ? NULL : readable(k);
	if (!said)
		sink_printf(
			"kernel %s takes at most %u threads a block on %s, not %u: each of its "
			"warps has a wave of its own (warp mode solo), because %.*s. Should its "
			"warps be able to share waves, say so: "
			"__attribute__((heddle_warp(\"paired\")))",
			name ? name : "?", rt_kernel_most_threads(k),
			k->module->device->target->name, threads, (int)k->code->reason.n,
			k->code->reason.n ? k->code->reason.p : "");
	free(name);
	return cudaErrorLaunchOutOfResources;
}

u32
rt_kernel_most_threads(const struct rt_kernel *k)
{
	u32 n = k->code->max_block;
	if (!n || n > k->code->max_threads)
		n = k->code->max_threads;
	return n && n < RT_MAX_BLOCK ? n : RT_MAX_BLOCK;
}

u32
rt_kernel_residency(const struct rt_kernel *k, u32 threads, size_t dynamic)
{
	if (dynamic > UINT32_MAX - k->code->group_size)
		return 0;
	if (threads > RT_MAX_BLOCK)
		return 0;
	return target_residency(k->module->device->target, k->code->wave, k->code->vgprs,
		k->code->group_size + (u32)dynamic, lanes_of(k, threads));
}

/* Dynamic shared memory that a launch may ask for: 48 KiB in all, or what was opted in. */
static size_t
most_dynamic(const struct rt_kernel *k, u32 opted)
{
	size_t plain = k->code->group_size < RT_SHARED_DEFAULT
			       ? RT_SHARED_DEFAULT - k->code->group_size
			       : 0;
	return opted > plain ? opted : plain;
}

static cudaError_t
check_size(struct rt_kernel *k, u32 opted, const struct rt_launch *l)
{
	u64 threads = (u64)l->block.x * l->block.y * l->block.z;
	if (!threads || threads > RT_MAX_BLOCK || l->block.x > RT_MAX_BLOCK ||
		l->block.y > RT_MAX_BLOCK || l->block.z > 64)
		return cudaErrorInvalidConfiguration;
	if (!l->grid.x || !l->grid.y || !l->grid.z || l->grid.x > INT_MAX || l->grid.y > 65535 ||
		l->grid.z > 65535)
		return cudaErrorInvalidConfiguration;
	if (threads > HEDDLE_SOLO_MOST && k->code->mode == HEDDLE_WARP_SOLO)
		return refuse_solo(k, (u32)threads);
	if (threads > rt_kernel_most_threads(k)) {
		log_printf(LOG_api, "the kernel takes at most %u threads a block",
			rt_kernel_most_threads(k));
		return cudaErrorInvalidValue;
	}
	if ((u64)l->grid.x * lanes_of(k, (u32)threads) > UINT32_MAX ||
		(u64)l->grid.x * l->block.x > UINT32_MAX ||
		(u64)l->grid.y * l->block.y > UINT32_MAX ||
		(u64)l->grid.z * l->block.z > UINT32_MAX) {
		sink_printf("a grid of %u blocks of %u threads in one dimension is more than the "
			    "2^32 of AMD's packets",
			l->grid.x, l->block.x);
		return cudaErrorInvalidConfiguration;
	}
	if (l->shared > most_dynamic(k, opted) ||
		k->code->group_size + l->shared > k->module->device->target->lds) {
		log_printf(LOG_api, "shared memory: %u static + %zu dynamic bytes are too much",
			k->code->group_size, l->shared);
		return cudaErrorInvalidValue;
	}
	return cudaSuccess;
}

/* --- packing ------------------------------------------------------------------------------------------------------ */

static u64
hidden(const struct rt_kernel *k, const struct rt_launch *l, enum code_arg_kind kind)
{
	switch (kind) {
	case CODE_ARG_hidden_block_count_x:
		return l->grid.x;
	case CODE_ARG_hidden_block_count_y:
		return l->grid.y;
	case CODE_ARG_hidden_block_count_z:
		return l->grid.z;
	case CODE_ARG_hidden_group_size_x:
		return l->block.x;
	case CODE_ARG_hidden_group_size_y:
		return l->block.y;
	case CODE_ARG_hidden_group_size_z:
		return l->block.z;
	case CODE_ARG_hidden_grid_dims:
		return l->grid.z * l->block.z > 1 ? 3 : l->grid.y * l->block.y > 1 ? 2 : 1;
	case CODE_ARG_hidden_global_offset_x:
		return k->code->mode == HEDDLE_WARP_SOLO ? HEDDLE_SOLO_MARK : 0;
	case CODE_ARG_hidden_dynamic_lds_size:
		return l->shared;
	default:
		return 0; /* remainders, offsets, and services that our device code does not use */
	}
}

static bool
pack(const struct rt_kernel *k, const struct rt_launch *l, u8 *to)
{
	const struct code_kernel *c = k->code;
	memset(to, 0, c->kernarg_size);
	for (size_t i = 0; i < c->nargs; i++) {
		const struct code_arg *a = &c->args[i];
		if (a->offset > c->kernarg_size || a->size > c->kernarg_size - a->offset)
			return false;
		if (i >= c->nexplicit) {
			u64 v = hidden(k, l, a->kind);
			memcpy(to + a->offset, &v, a->size < sizeof v ? a->size : sizeof v);
		} else if (l->packed) {
			if (a->offset > l->packed_size || a->size > l->packed_size - a->offset)
				return false;
			memcpy(to + a->offset, (const u8 *)l->packed + a->offset, a->size);
		} else {
			if (!l->args || !l->args[i])
				return false;
			memcpy(to + a->offset, l->args[i], a->size);
		}
	}
	return true;
}

static u64
signal_new(struct rt_device *d)
{
	return d->free_signals.n ? d->free_signals.p[--d->free_signals.n] : hal_signal_new();
}

cudaError_t
rt_launch(struct rt_stream *s, struct rt_kernel *k, u32 opted, const struct rt_launch *l)
{
	struct rt *r = rt_state();
	struct rt_device *d = s->device;
	const struct code_kernel *c = k->code;
	cudaError_t e = check_mode(k);
	if (!e)
		e = check_size(k, opted, l);
	if (e)
		return e;
	struct rt_op *op = rt_op_new(s, RT_OP_KERNEL);
	if (!op)
		return cudaErrorMemoryAllocation;
	struct hal_dispatch *p = &op->dispatch;
	rt_lock(r);
	rt_service_relieve(d);
	p->signal = signal_new(d);
	p->kernarg = rt_kernarg_new(d, c->kernarg_size ? c->kernarg_size : 1, &op->kernarg_class);
	bool ok = p->signal && p->kernarg;
	if (!ok)
		rt_op_drop(op);
	rt_unlock(r);
	if (!ok)
		return cudaErrorMemoryAllocation;
	if (!pack(k, l, p->kernarg)) {
		rt_lock(r);
		rt_op_drop(op);
		rt_unlock(r);
		return cudaErrorInvalidValue;
	}
	p->object = k->object;
	dim3 block = l->block;
	if (c->mode == HEDDLE_WARP_SOLO)
		block = (dim3){lanes_of(k, block.x * block.y * block.z), 1, 1};
	p->grid[0] = l->grid.x * block.x;
	p->grid[1] = l->grid.y * block.y;
	p->grid[2] = l->grid.z * block.z;
	p->block[0] = (u16)block.x;
	p->block[1] = (u16)block.y;
	p->block[2] = (u16)block.z;
	p->group = c->group_size + (u32)l->shared;
	p->private_size =
		c->private_size + (c->dynamic_stack ? (u32)d->limits[cudaLimitStackSize] : 0);
	log_printf(LOG_api, "dispatch kernel=%.*s grid=%u,%u,%u block=%u,%u,%u shared=%u",
		(int)c->name.n, c->name.p, l->grid.x, l->grid.y, l->grid.z, l->block.x, l->block.y,
		l->block.z, p->group);
	return rt_op_add(op, NULL);
}

/* --- <<< >>> -------------------------------------------------------------------------------------------------------- */

struct configuration {
	dim3 grid, block;
	size_t shared;
	struct CUstream_st *stream;
};
static _Thread_local struct configuration pushed[8]; /* arguments of a launch may launch, too */
static _Thread_local unsigned npushed;

unsigned
rt_push_configuration(dim3 grid, dim3 block, size_t shared, struct CUstream_st *stream)
{
	if (npushed == COUNT(pushed)) {
		rt_error(cudaErrorInvalidConfiguration);
		return 1;
	}
	pushed[npushed++] = (struct configuration){grid, block, shared, stream};
	return 0;
}

cudaError_t
rt_pop_configuration(dim3 *grid, dim3 *block, size_t *shared, void *stream)
{
	if (!npushed)
		return rt_error(cudaErrorMissingConfiguration);
	const struct configuration *c = &pushed[--npushed];
	*grid = c->grid;
	*block = c->block;
	*shared = c->shared;
	memcpy(stream, &c->stream, sizeof c->stream);
	return cudaSuccess;
}

/* A kernel is named by the address of its host function, or by a handle of cudaGetKernel. */
static cudaError_t
find(const void *func, struct rt_device *d, struct rt_kernel **k, u32 *opted,
	struct rt_function **fn)
{
	struct rt_function *f = NULL;
	if (fn)
		*fn = NULL;
	if (rt_handle_is(func, RT_KERNEL)) {
		*k = (struct rt_kernel *)(uintptr_t)func;
		*opted = (*k)->most_dynamic;
		return (*k)->module->device == d ? cudaSuccess : cudaErrorInvalidDeviceFunction;
	}
	cudaError_t e = rt_kernel_find(func, d, k, &f);
	if (e)
		return e;
	*opted = f->most_dynamic[d->ordinal];
	if (fn)
		*fn = f;
	return cudaSuccess;
}

static cudaError_t
launch(const void *func, const struct rt_launch *l, cudaStream_t stream, bool cooperative)
{
	struct rt_stream *s;
	struct rt_kernel *k;
	u32 opted;
	cudaError_t e = rt_stream_find(stream, &s);
	if (!e && s->device->ordinal != rt_current())
		e = cudaErrorInvalidResourceHandle; /* of another device */
	if (!e)
		e = find(func, s->device, &k, &opted, NULL);
	if (e)
		return e;
	if (cooperative) {
		u64 blocks = (u64)l->grid.x * l->grid.y * l->grid.z;
		u32 threads = l->block.x * l->block.y * l->block.z;
		if (blocks > (u64)rt_kernel_residency(k, threads, l->shared) * s->device->gpu.cus)
			return cudaErrorCooperativeLaunchTooLarge;
	}
	return rt_launch(s, k, opted, l);
}

cudaError_t
rt_cudaLaunchKernel(const void *func, dim3 gridDim, dim3 blockDim, void **args, size_t sharedMem,
	cudaStream_t stream)
{
	struct rt_launch l = {gridDim, blockDim, sharedMem, args, NULL, 0};
	return launch(func, &l, stream, false);
}

cudaError_t
rt_cudaLaunchCooperativeKernel(const void *func, dim3 gridDim, dim3 blockDim, void **args,
	size_t sharedMem, cudaStream_t stream)
{
	struct rt_launch l = {gridDim, blockDim, sharedMem, args, NULL, 0};
	return launch(func, &l, stream, true);
}

/* Attributes are hints, but for a cooperative launch and those that would change what the program
 * sees and do not exist yet. */
cudaError_t
rt_cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *func, void **args)
{
	bool cooperative = false;
	if (!config || (config->numAttrs && !config->attrs))
		return cudaErrorInvalidValue;
	for (unsigned i = 0; i < config->numAttrs; i++) {
		const cudaLaunchAttributeValue *v = &config->attrs[i].val;
		switch (config->attrs[i].id) {
		case cudaLaunchAttributeCooperative:
			cooperative = v->cooperative;
			break;
		case cudaLaunchAttributeClusterDimension:
			if (v->clusterDim.x > 1 || v->clusterDim.y > 1 || v->clusterDim.z > 1)
				return cudaErrorNotSupported;
			break;
		case cudaLaunchAttributeProgrammaticEvent:
		case cudaLaunchAttributeLaunchCompletionEvent:
		case cudaLaunchAttributeDeviceUpdatableKernelNode:
			return cudaErrorNotSupported;
		default:
			break;
		}
	}
	struct rt_launch l = {
		config->gridDim, config->blockDim, config->dynamicSmemBytes, args, NULL, 0};
	return launch(func, &l, config->stream, cooperative);
}

/* --- about kernels ---------------------------------------------------------------------------------------------------- */

cudaError_t
rt_cudaFuncGetAttributes(struct cudaFuncAttributes *attr, const void *func)
{
	struct rt_device *d;
	struct rt_kernel *k;
	struct rt_function *f;
	u32 opted;
	if (!attr)
		return cudaErrorInvalidValue;
	cudaError_t e = rt_device_get(&d);
	if (!e)
		e = find(func, d, &k, &opted, &f);
	if (e)
		return e;
	memset(attr, 0, sizeof *attr);
	attr->sharedSizeBytes = k->code->group_size;
	attr->localSizeBytes = k->code->private_size;
	attr->maxThreadsPerBlock = (int)rt_kernel_most_threads(k);
	attr->numRegs = (int)k->code->vgprs;
	attr->ptxVersion = attr->binaryVersion = d->target->cc;
	attr->maxDynamicSharedSizeBytes = (int)most_dynamic(k, opted);
	attr->preferredShmemCarveout = f ? f->carveout : -1;
	return cudaSuccess;
}

cudaError_t
rt_cudaFuncSetAttribute(const void *func, enum cudaFuncAttribute attr, int value)
{
	struct rt *r = rt_state();
	struct rt_device *d;
	struct rt_kernel *k;
	struct rt_function *f;
	u32 opted;
	cudaError_t e = rt_device_get(&d);
	if (!e)
		e = find(func, d, &k, &opted, &f);
	if (e)
		return e;
	switch (attr) {
	case cudaFuncAttributeMaxDynamicSharedMemorySize:
		if (value < 0 || (u64)value + k->code->group_size > d->target->lds)
			return cudaErrorInvalidValue;
		rt_lock(r);
		if (f)
			f->most_dynamic[d->ordinal] = (u32)value;
		else
			k->most_dynamic = (u32)value;
		rt_unlock(r);
		return cudaSuccess;
	case cudaFuncAttributePreferredSharedMemoryCarveout:
		if (value < -1 || value > 100)
			return cudaErrorInvalidValue;
		if (f)
			f->carveout = value; /* a hint */
		return cudaSuccess;
	case cudaFuncAttributeClusterDimMustBeSet:
	case cudaFuncAttributeRequiredClusterWidth:
	case cudaFuncAttributeRequiredClusterHeight:
	case cudaFuncAttributeRequiredClusterDepth:
	case cudaFuncAttributeNonPortableClusterSizeAllowed:
	case cudaFuncAttributeClusterSchedulingPolicyPreference:
		return cudaErrorNotSupported;
	default:
		return cudaErrorInvalidValue;
	}
}

/* A preference, as for the whole device. */
cudaError_t
rt_cudaFuncSetCacheConfig(const void *func, enum cudaFuncCache cacheConfig)
{
	struct rt_device *d;
	struct rt_kernel *k;
	u32 opted;
	cudaError_t e = rt_device_get(&d);
	if (!e)
		e = find(func, d, &k, &opted, NULL);
	if (e)
		return e;
	return (unsigned)cacheConfig > cudaFuncCachePreferEqual ? cudaErrorInvalidValue
								: cudaSuccess;
}

cudaError_t
rt_cudaFuncSetSharedMemConfig(const void *func, enum cudaSharedMemConfig config)
{
	if ((unsigned)config > cudaSharedMemBankSizeEightByte)
		return cudaErrorInvalidValue;
	return rt_cudaFuncSetCacheConfig(func, cudaFuncCachePreferNone);
}

cudaError_t
rt_cudaFuncGetName(const char **name, const void *func)
{
	struct rt_device *d;
	struct rt_kernel *k;
	struct rt_function *f;
	u32 opted;
	if (!name)
		return cudaErrorInvalidValue;
	cudaError_t e = rt_device_get(&d);
	if (!e)
		e = find(func, d, &k, &opted, &f);
	if (e)
		return e;
	if (!f)
		return cudaErrorInvalidDeviceFunction;
	*name = f->name;
	return cudaSuccess;
}

cudaError_t
rt_cudaFuncGetParamInfo(const void *func, size_t paramIndex, size_t *paramOffset, size_t *paramSize)
{
	struct rt_device *d;
	struct rt_kernel *k;
	u32 opted;
	if (!paramOffset)
		return cudaErrorInvalidValue;
	cudaError_t e = rt_device_get(&d);
	if (!e)
		e = find(func, d, &k, &opted, NULL);
	if (e)
		return e;
	if (paramIndex >= k->code->nexplicit)
		return cudaErrorInvalidValue;
	*paramOffset = k->code->args[paramIndex].offset;
	if (paramSize)
		*paramSize = k->code->args[paramIndex].size;
	return cudaSuccess;
}

cudaError_t
rt_cudaGetKernel(cudaKernel_t *kernelPtr, const void *entryFuncAddr)
{
	return rt_cudaGetFuncBySymbol((cudaFunction_t *)kernelPtr, entryFuncAddr);
}

cudaError_t
rt_cudaGetFuncBySymbol(cudaFunction_t *functionPtr, const void *symbolPtr)
{
	struct rt *r = rt_state();
	struct rt_device *d;
	struct rt_kernel *k;
	u32 opted;
	if (!functionPtr)
		return cudaErrorInvalidValue;
	cudaError_t e = rt_device_get(&d);
	if (!e)
		e = find(symbolPtr, d, &k, &opted, NULL);
	if (e)
		return e;
	rt_lock(r);
	bool ok = rt_map_add(&r->handles, k, (void *)(uintptr_t)RT_KERNEL);
	rt_unlock(r);
	*functionPtr = (cudaFunction_t)k;
	return ok ? cudaSuccess : cudaErrorMemoryAllocation;
}

/* Doubles are doubles on every device. */
cudaError_t
rt_cudaSetDoubleForDevice(double *d)
{
	return d ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t
rt_cudaSetDoubleForHost(double *d)
{
	return d ? cudaSuccess : cudaErrorInvalidValue;
}

/* --- occupancy ----------------------------------------------------------------------------------------------------------- */

cudaError_t
rt_cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
	int *numBlocks, const void *func, int blockSize, size_t dynamicSMemSize, unsigned int flags)
{
	struct rt_device *d;
	struct rt_kernel *k;
	u32 opted;
	if (!numBlocks || blockSize <= 0 || flags & ~(unsigned)cudaOccupancyDisableCachingOverride)
		return cudaErrorInvalidValue;
	cudaError_t e = rt_device_get(&d);
	if (!e)
		e = find(func, d, &k, &opted, NULL);
	if (e)
		return e;
	bool fits = (u32)blockSize <= rt_kernel_most_threads(k) && rt_kernel_may_run(k);
	*numBlocks = fits ? (int)rt_kernel_residency(k, (u32)blockSize, dynamicSMemSize) : 0;
	return cudaSuccess;
}

cudaError_t
rt_cudaOccupancyMaxActiveBlocksPerMultiprocessor(
	int *numBlocks, const void *func, int blockSize, size_t dynamicSMemSize)
{
	return rt_cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
		numBlocks, func, blockSize, dynamicSMemSize, cudaOccupancyDefault);
}

/* The most dynamic shared memory with which numBlocks blocks fit: by halving what is left. */
cudaError_t
rt_cudaOccupancyAvailableDynamicSMemPerBlock(
	size_t *dynamicSmemSize, const void *func, int numBlocks, int blockSize)
{
	struct rt_device *d;
	struct rt_kernel *k;
	u32 opted;
	if (!dynamicSmemSize || blockSize <= 0 || numBlocks <= 0)
		return cudaErrorInvalidValue;
	cudaError_t e = rt_device_get(&d);
	if (!e)
		e = find(func, d, &k, &opted, NULL);
	if (e)
		return e;
	if (rt_kernel_residency(k, (u32)blockSize, 0) < (u32)numBlocks)
		return cudaErrorInvalidValue;
	size_t low = 0, high = d->target->lds;
	while (high - low > 1) {
		size_t mid = low + (high - low) / 2;
		if (rt_kernel_residency(k, (u32)blockSize, mid) >= (u32)numBlocks)
			low = mid;
		else
			high = mid;
	}
	*dynamicSmemSize = low;
	return cudaSuccess;
}
