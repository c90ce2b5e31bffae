/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * driver_module.c - modules, functions, launches and occupancy of the driver API. A module comes from a
 * code object, a fat binary of Heddle (alone or in the wrapper that is linked into programs), in memory
 * or in a file. PTX text and NVIDIA's binaries are refused by name.
 */
#include "host-rt/driver.h"

#include <ctype.h>
#include <elf.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* --- what an image is ------------------------------------------------------------------------------------------------- */

/* The size of an ELF file of which only the address is known: the end of what its headers name. */
static size_t
elf_size(const void *p)
{
	Elf64_Ehdr h;
	memcpy(&h, p, sizeof h);
	u64 end = h.e_shoff + (u64)h.e_shnum * h.e_shentsize;
	for (u32 i = 0; i < h.e_phnum && h.e_phentsize == sizeof(Elf64_Phdr); i++) {
		Elf64_Phdr ph;
		memcpy(&ph, (const char *)p + h.e_phoff + i * sizeof ph, sizeof ph);
		if (ph.p_offset + ph.p_filesz > end)
			end = ph.p_offset + ph.p_filesz;
	}
	for (u32 i = 0; i < h.e_shnum && h.e_shentsize == sizeof(Elf64_Shdr); i++) {
		Elf64_Shdr sh;
		memcpy(&sh, (const char *)p + h.e_shoff + i * sizeof sh, sizeof sh);
		if (sh.sh_type != SHT_NOBITS && sh.sh_offset + sh.sh_size > end)
			end = sh.sh_offset + sh.sh_size;
	}
	return end;
}

static CUresult
refuse(const char *what, CUresult e)
{
	sink_printf("a module of %s cannot be loaded", what);
	return e;
}

/* Finds data and size of an image in memory; sizes of text and fat binaries are found by their readers. */
static CUresult
recognize(const void *image, const void **data, size_t *n)
{
	u32 magic;
	memcpy(&magic, image, sizeof magic);
	*data = image;
	*n = SIZE_MAX;
	if (magic == 0x466243b1) { /* the wrapper of linked programs */
		memcpy(data, (const char *)image + 8, sizeof *data);
		memcpy(&magic, *data, sizeof magic);
	}
	if (magic == 0xad10ff10)
		return CUDA_SUCCESS;
	if (magic == 0xba55ed50)
		return refuse("NVIDIA's fat binary", CUDA_ERROR_NO_BINARY_FOR_GPU);
	if (!memcmp(*data, ELFMAG, SELFMAG)) {
		const u8 *ident = *data;
		if (ident[EI_CLASS] != ELFCLASS64 ||
			ident[EI_OSABI] != 64 /* ELFOSABI_AMDGPU_HSA */)
			return refuse("another machine's ELF file", CUDA_ERROR_NO_BINARY_FOR_GPU);
		*n = elf_size(*data);
		return CUDA_SUCCESS;
	}
	const unsigned char *text = *data;
	if (isprint(text[0]) || isspace(text[0]))
		return refuse("PTX text", CUDA_ERROR_INVALID_PTX);
	return refuse("an unknown kind", CUDA_ERROR_INVALID_IMAGE);
}

static CUresult
load(CUmodule *module, const void *data, size_t n, void *owned)
{
	struct rt *r = rt_state();
	struct rt_device *d;
	struct rt_module *m = NULL;
	CUresult e = rt_cu_device(&d);
	if (!e)
		e = rt_cu_result(rt_module_load(d, data, n, &m));
	if (e) {
		free(owned);
		return e;
	}
	m->owned = owned;
	rt_lock(r);
	bool ok = rt_map_add(&r->handles, m, (void *)(uintptr_t)RT_MODULE);
	for (size_t i = 0; ok && i < m->code.nkernels; i++)
		ok = rt_map_add(&r->handles, &m->kernels[i], (void *)(uintptr_t)RT_KERNEL);
	rt_unlock(r);
	if (!ok) {
		rt_module_free(m);
		return CUDA_ERROR_OUT_OF_MEMORY;
	}
	*module = (CUmodule)m;
	return CUDA_SUCCESS;
}

/* --- modules ---------------------------------------------------------------------------------------------------------- */

/* The program may free its image after the call, so a code object is copied. */
CUresult
rt_cuModuleLoadData(CUmodule *module, const void *image)
{
	struct rt_device *d;
	const void *data;
	size_t n;
	CUresult e = rt_cu_device(&d);
	if (!e && (!module || !image))
		e = CUDA_ERROR_INVALID_VALUE;
	if (!e)
		e = recognize(image, &data, &n);
	if (e)
		return e;
	if (n == SIZE_MAX) {
		struct fatbin_iter it = {.p = data, .n = SIZE_MAX};
		struct fatbin_image i;
		bool done = false;
		n = 0;
		while (!fatbin_next(&it, &i, &done) && !done)
			n = (size_t)((const u8 *)i.image.p + i.image.n - (const u8 *)data);
	}
	void *copy = malloc(n + 1);
	if (!copy)
		return CUDA_ERROR_OUT_OF_MEMORY;
	memcpy(copy, data, n);
	return load(module, copy, n, copy);
}

CUresult
rt_cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int numOptions,
	CUjit_option *options, void **optionValues)
{
	if (numOptions && (!options || !optionValues))
		return CUDA_ERROR_INVALID_VALUE;
	for (unsigned i = 0; i < numOptions; i++) { /* there is no log: it is empty */
		if (options[i] == CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES ||
			options[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)
			optionValues[i] = NULL;
	}
	return rt_cuModuleLoadData(module, image);
}

CUresult
rt_cuModuleLoadFatBinary(CUmodule *module, const void *fatCubin)
{
	return rt_cuModuleLoadData(module, fatCubin);
}

CUresult
rt_cuModuleLoad(CUmodule *module, const char *fname)
{
	struct rt_device *d;
	size_t n = 0;
	const void *data;
	size_t whole;
	CUresult e = rt_cu_device(&d);
	if (!e && (!module || !fname))
		e = CUDA_ERROR_INVALID_VALUE;
	if (e)
		return e;
	char *file = file_read(fname, &n);
	if (!file)
		return CUDA_ERROR_FILE_NOT_FOUND;
	if (n < 64) { /* of any kind that there is */
		free(file);
		return CUDA_ERROR_INVALID_IMAGE;
	}
	u32 magic;
	memcpy(&magic, file, sizeof magic);
	if (magic != 0xad10ff10 && memcmp(file, ELFMAG, SELFMAG)) {
		e = magic == 0x466243b1 ? CUDA_ERROR_INVALID_IMAGE : recognize(file, &data, &whole);
		free(file);
		return e ? e : CUDA_ERROR_INVALID_IMAGE;
	}
	return load(module, file, n, file);
}

CUresult
rt_cuModuleUnload(CUmodule hmod)
{
	struct rt *r = rt_state();
	struct rt_device *d;
	CUresult e = rt_cu_device(&d);
	if (e)
		return e;
	if (!rt_handle_is(hmod, RT_MODULE))
		return CUDA_ERROR_INVALID_HANDLE;
	struct rt_module *m = (struct rt_module *)hmod;
	e = rt_cu_result(rt_device_sync(m->device));
	rt_lock(r);
	rt_map_del(&r->handles, m);
	for (size_t i = 0; i < m->code.nsymbols; i++) {
		u64 at;
		u32 size;
		char *name = strndup(m->code.symbols[i].name.p, m->code.symbols[i].name.n);
		if (name && hal_code_variable(&m->device->gpu, m->hal, name, &at, &size))
			rt_block_del_symbol(r, (void *)(uintptr_t)at);
		free(name);
	}
	rt_unlock(r);
	rt_module_free(m);
	return e;
}

CUresult
rt_cuModuleGetLoadingMode(CUmoduleLoadingMode *mode)
{
	if (!mode)
		return CUDA_ERROR_INVALID_VALUE;
	*mode = CU_MODULE_LAZY_LOADING;
	return CUDA_SUCCESS;
}

static CUresult
module_get(CUmodule hmod, struct rt_module **m)
{
	struct rt_device *d;
	CUresult e = rt_cu_device(&d);
	if (!e && !rt_handle_is(hmod, RT_MODULE))
		e = CUDA_ERROR_INVALID_HANDLE;
	*m = (struct rt_module *)hmod;
	return e;
}

CUresult
rt_cuModuleGetFunction(CUfunction *hfunc, CUmodule hmod, const char *name)
{
	struct rt_module *m;
	CUresult e = module_get(hmod, &m);
	if (e)
		return e;
	if (!hfunc || !name)
		return CUDA_ERROR_INVALID_VALUE;
	*hfunc = (CUfunction)rt_module_kernel(m, str_of(name));
	return *hfunc ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

CUresult
rt_cuModuleGetFunctionCount(unsigned int *count, CUmodule mod)
{
	struct rt_module *m;
	CUresult e = module_get(mod, &m);
	if (!e && !count)
		e = CUDA_ERROR_INVALID_VALUE;
	if (!e)
		*count = (unsigned)m->code.nkernels;
	return e;
}

CUresult
rt_cuModuleGetGlobal(CUdeviceptr *dptr, size_t *bytes, CUmodule hmod, const char *name)
{
	struct rt_module *m;
	void *at;
	size_t n;
	CUresult e = module_get(hmod, &m);
	if (!e && !name)
		e = CUDA_ERROR_INVALID_VALUE;
	if (!e)
		e = rt_cu_result(rt_module_variable(m, name, &at, &n));
	if (!e && dptr)
		*dptr = (CUdeviceptr)(uintptr_t)at;
	if (!e && bytes)
		*bytes = n;
	return e;
}

/* --- launches ------------------------------------------------------------------------------------------------------------ */

/* The arguments as one buffer: a list of names and values. */
static CUresult
read_extra(void **extra, struct rt_launch *l)
{
	for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
		if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER)
			l->packed = extra[1];
		else if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE)
			l->packed_size = *(size_t *)extra[1];
		else
			return CUDA_ERROR_INVALID_VALUE;
	}
	return l->packed ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static CUresult
launch(CUfunction f, struct rt_launch *l, CUstream stream, void **extra, bool cooperative)
{
	struct rt_device *d;
	struct rt_stream *s;
	CUresult e = rt_cu_device(&d);
	if (!e && !rt_handle_is(f, RT_KERNEL))
		e = CUDA_ERROR_INVALID_HANDLE;
	if (!e && extra)
		e = l->args ? CUDA_ERROR_INVALID_VALUE : read_extra(extra, l);
	if (!e)
		e = rt_cu_result(rt_stream_find(stream, &s));
	if (e)
		return e;
	struct rt_kernel *k = (struct rt_kernel *)f;
	if (k->module->device != s->device)
		return CUDA_ERROR_INVALID_CONTEXT;
	u64 blocks = (u64)l->grid.x * l->grid.y * l->grid.z;
	u32 threads = l->block.x * l->block.y * l->block.z;
	if (cooperative && blocks > (u64)rt_kernel_residency(k, threads, l->shared) * d->gpu.cus)
		return CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
	return rt_cu_result(rt_launch(s, k, k->most_dynamic, l));
}

CUresult
rt_cuLaunchKernel(CUfunction f, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ,
	unsigned int blockDimX, unsigned int blockDimY, unsigned int blockDimZ,
	unsigned int sharedMemBytes, CUstream hStream, void **kernelParams, void **extra)
{
	struct rt_launch l = {{gridDimX, gridDimY, gridDimZ}, {blockDimX, blockDimY, blockDimZ},
		sharedMemBytes, kernelParams, NULL, 0};
	return launch(f, &l, hStream, extra, false);
}

CUresult
rt_cuLaunchCooperativeKernel(CUfunction f, unsigned int gridDimX, unsigned int gridDimY,
	unsigned int gridDimZ, unsigned int blockDimX, unsigned int blockDimY,
	unsigned int blockDimZ, unsigned int sharedMemBytes, CUstream hStream, void **kernelParams)
{
	struct rt_launch l = {{gridDimX, gridDimY, gridDimZ}, {blockDimX, blockDimY, blockDimZ},
		sharedMemBytes, kernelParams, NULL, 0};
	return launch(f, &l, hStream, NULL, true);
}

/* --- functions ------------------------------------------------------------------------------------------------------------ */

static CUresult
kernel_get(CUfunction f)
{
	struct rt_device *d;
	CUresult e = rt_cu_device(&d);
	return e ? e : rt_handle_is(f, RT_KERNEL) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult
rt_cuFuncGetAttribute(int *pi, CUfunction_attribute attrib, CUfunction hfunc)
{
	struct cudaFuncAttributes a;
	CUresult e = kernel_get(hfunc);
	if (!e && !pi)
		e = CUDA_ERROR_INVALID_VALUE;
	if (!e)
		e = rt_cu_result(rt_cudaFuncGetAttributes(&a, hfunc));
	if (e)
		return e;
	switch (attrib) {
	case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
		*pi = a.maxThreadsPerBlock;
		break;
	case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
		*pi = (int)a.sharedSizeBytes;
		break;
	case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
		*pi = (int)a.constSizeBytes;
		break;
	case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
		*pi = (int)a.localSizeBytes;
		break;
	case CU_FUNC_ATTRIBUTE_NUM_REGS:
		*pi = a.numRegs;
		break;
	case CU_FUNC_ATTRIBUTE_PTX_VERSION:
		*pi = a.ptxVersion;
		break;
	case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
		*pi = a.binaryVersion;
		break;
	case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
		*pi = a.cacheModeCA;
		break;
	case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
		*pi = a.maxDynamicSharedSizeBytes;
		break;
	case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
		*pi = a.preferredShmemCarveout;
		break;
	case CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET:
	case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
	case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
	case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
	case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
	case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
		*pi = 0;
		break;
	default:
		return CUDA_ERROR_INVALID_VALUE;
	}
	return CUDA_SUCCESS;
}

CUresult
rt_cuFuncSetAttribute(CUfunction hfunc, CUfunction_attribute attrib, int value)
{
	CUresult e = kernel_get(hfunc);
	return e ? e
		 : rt_cu_result(
			   rt_cudaFuncSetAttribute(hfunc, (enum cudaFuncAttribute)attrib, value));
}

CUresult
rt_cuFuncSetCacheConfig(CUfunction hfunc, CUfunc_cache config)
{
	CUresult e = kernel_get(hfunc);
	return e ? e : rt_cu_result(rt_cudaFuncSetCacheConfig(hfunc, (enum cudaFuncCache)config));
}

CUresult
rt_cuFuncSetSharedMemConfig(CUfunction hfunc, CUsharedconfig config)
{
	CUresult e = kernel_get(hfunc);
	return e ? e
		 : rt_cu_result(
			   rt_cudaFuncSetSharedMemConfig(hfunc, (enum cudaSharedMemConfig)config));
}

/* --- occupancy --------------------------------------------------------------------------------------------------------------- */

CUresult
rt_cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
	int *numBlocks, CUfunction func, int blockSize, size_t dynamicSMemSize, unsigned int flags)
{
	CUresult e = kernel_get(func);
	return e ? e
		 : rt_cu_result(rt_cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
			   numBlocks, func, blockSize, dynamicSMemSize, flags));
}

CUresult
rt_cuOccupancyMaxActiveBlocksPerMultiprocessor(
	int *numBlocks, CUfunction func, int blockSize, size_t dynamicSMemSize)
{
	return rt_cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
		numBlocks, func, blockSize, dynamicSMemSize, 0);
}

CUresult
rt_cuOccupancyAvailableDynamicSMemPerBlock(
	size_t *dynamicSmemSize, CUfunction func, int numBlocks, int blockSize)
{
	CUresult e = kernel_get(func);
	return e ? e
		 : rt_cu_result(rt_cudaOccupancyAvailableDynamicSMemPerBlock(
			   dynamicSmemSize, func, numBlocks, blockSize));
}

/* The block size that keeps most threads resident; the largest such. */
CUresult
rt_cuOccupancyMaxPotentialBlockSizeWithFlags(int *minGridSize, int *blockSize, CUfunction func,
	CUoccupancyB2DSize blockSizeToDynamicSMemSize, size_t dynamicSMemSize, int blockSizeLimit,
	unsigned int flags)
{
	CUresult e = kernel_get(func);
	if (!e && (!minGridSize || !blockSize ||
			  flags & ~(unsigned)CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE))
		e = CUDA_ERROR_INVALID_VALUE;
	if (e)
		return e;
	const struct rt_kernel *k = (struct rt_kernel *)func;
	u32 most = rt_kernel_most_threads(k), best = 0, blocks = 0;
	if (blockSizeLimit > 0 && (u32)blockSizeLimit < most)
		most = (u32)blockSizeLimit;
	for (u32 n = (most + 31) / 32 * 32; n; n -= 32) {
		u32 threads = n < most ? n : most;
		size_t shared = blockSizeToDynamicSMemSize
					? blockSizeToDynamicSMemSize((int)threads)
					: dynamicSMemSize;
		u32 fit = rt_kernel_residency(k, threads, shared);
		if (fit * threads > blocks * best) {
			best = threads;
			blocks = fit;
		}
	}
	*blockSize = (int)best;
	*minGridSize = (int)(blocks * k->module->device->gpu.cus);
	return CUDA_SUCCESS;
}

CUresult
rt_cuOccupancyMaxPotentialBlockSize(int *minGridSize, int *blockSize, CUfunction func,
	CUoccupancyB2DSize blockSizeToDynamicSMemSize, size_t dynamicSMemSize, int blockSizeLimit)
{
	return rt_cuOccupancyMaxPotentialBlockSizeWithFlags(minGridSize, blockSize, func,
		blockSizeToDynamicSMemSize, dynamicSMemSize, blockSizeLimit, 0);
}
