/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * index.h - threadIdx, blockIdx, blockDim, gridDim, warpSize. The four are empty objects whose
 * members are properties: reading one calls a getter, which is an instruction's operand or a load
 * from the hidden arguments (code object v5: block counts as u32 at 0, 4, 8; block sizes as u16 at
 * 12, 14, 16), which the launch fills with the sizes the program asked for.
 */
#ifndef HEDDLE_INDEX_H
#define HEDDLE_INDEX_H

#include "device.h"
#include "../vector_types.h"

enum { HEDDLE_THREAD_IDX, HEDDLE_BLOCK_IDX, HEDDLE_BLOCK_DIM, HEDDLE_GRID_DIM };

#define HEDDLE_HIDDEN(n) \
	(((const __attribute__((address_space(4))) unsigned int *)__builtin_amdgcn_implicitarg_ptr())[n])
#define HEDDLE_GET(axis, n)                                                                          \
	static __inline__ __device__ __attribute__((always_inline, const)) unsigned int get_##axis()  \
	HEDDLE_BODY(                                                                                 \
		return which == HEDDLE_THREAD_IDX ? __builtin_amdgcn_workitem_id_##axis()            \
			: which == HEDDLE_BLOCK_IDX ? __builtin_amdgcn_workgroup_id_##axis()         \
			: which == HEDDLE_BLOCK_DIM ? __builtin_amdgcn_workgroup_size_##axis()       \
			: HEDDLE_HIDDEN(n);)                                                         \
	__declspec(property(get = get_##axis)) unsigned int axis;

template <int which>
struct heddle_index {
	HEDDLE_GET(x, 0)
	HEDDLE_GET(y, 1)
	HEDDLE_GET(z, 2)
	__device__ __attribute__((always_inline)) operator uint3() const
	{
		uint3 v = {get_x(), get_y(), get_z()};
		return v;
	}
};
#undef HEDDLE_GET

template <int which>
__device__ inline __attribute__((always_inline)) dim3::dim3(const heddle_index<which> &)
	: x(heddle_index<which>::get_x()), y(heddle_index<which>::get_y()), z(heddle_index<which>::get_z())
{
}

static const __device__ heddle_index<HEDDLE_THREAD_IDX> threadIdx = {};
static const __device__ heddle_index<HEDDLE_BLOCK_IDX> blockIdx = {};
static const __device__ heddle_index<HEDDLE_BLOCK_DIM> blockDim = {};
static const __device__ heddle_index<HEDDLE_GRID_DIM> gridDim = {};

/* A warp is 32 lanes in every mode that CUDA code can see. */
static const int warpSize = 32;

#endif
