/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * register.h - what libcudart calls in libcuda besides the rows of api.def: registration of what
 * clang's host pass emits, and the stack of launch configurations. Reached, like the rows, through the
 * table that cuGetExportTable gives for RT_TABLE_ID.
 */
#ifndef HEDDLE_REGISTER_H
#define HEDDLE_REGISTER_H

#ifndef HEDDLE_API_DEF
#define HEDDLE_API_DEF "host-rt/api.def"
#endif
#include "stdlib/include/cuda_runtime_api.h"

#define RT_TABLE_ID                                                                                \
	{{'H', 'e', 'd', 'd', 'l', 'e', ' ', 'r', 'u', 'n', 't', 'i', 'm', 'e', ' ', '1'}}
#define RT_TABLE_VERSION 1u

void **rt_register_fatbin(void *wrapper); /* NULL: out of memory */
void rt_register_end(void **fatbin);
void rt_register_function(void **fatbin, const char *host, const char *name);
void rt_register_variable(
	void **fatbin, const void *host, const char *name, size_t size, void **managed);
void rt_unregister_fatbin(void **fatbin);
unsigned rt_push_configuration(
	dim3 grid, dim3 block, size_t shared, struct CUstream_st *stream); /* 0: done */
cudaError_t rt_pop_configuration(dim3 *grid, dim3 *block, size_t *shared, void *stream);

/* The table. Functions that know streams are there twice: `ptsz` means the thread's own. */
struct rt_table {
	unsigned version, size;
	void **(*register_fatbin)(void *wrapper);
	void (*register_end)(void **fatbin);
	void (*register_function)(void **fatbin, const char *host, const char *name);
	void (*register_variable)(
		void **fatbin, const void *host, const char *name, size_t size, void **managed);
	void (*unregister_fatbin)(void **fatbin);
	unsigned (*push_configuration)(
		dim3 grid, dim3 block, size_t shared, struct CUstream_st *stream);
	cudaError_t (*pop_configuration)(dim3 *grid, dim3 *block, size_t *shared, void *stream);
	cudaError_t (*unsupported)(const char *name);
	void (*per_thread)(int on); /* while on, handle 0 means the calling thread's own stream */
#define __dv(v)
#define API(name, variant, params, args, status, section) cudaError_t(*name) params;
#define API_AS(name, type, params, args, status, section) type(*name) params;
#define API_OTHER(name, status, section)
#define API_HEADER(name, status, section)
#include "host-rt/api.def"
#undef API
#undef API_AS
#undef API_OTHER
#undef API_HEADER
#undef __dv
};

#endif
