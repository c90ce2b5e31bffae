/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* driver_functions.h - makers of the runtime's small structs. Usable from C. */
#ifndef HEDDLE_DRIVER_FUNCTIONS_H
#define HEDDLE_DRIVER_FUNCTIONS_H
#define __DRIVER_FUNCTIONS_H__ /* user code asks for this name */

#include "driver_types.h"

static __inline__ __host__ struct cudaPitchedPtr
make_cudaPitchedPtr(void *d, size_t p, size_t xsz, size_t ysz)
{
	struct cudaPitchedPtr s;

	s.ptr = d;
	s.pitch = p;
	s.xsize = xsz;
	s.ysize = ysz;
	return s;
}

static __inline__ __host__ struct cudaPos
make_cudaPos(size_t x, size_t y, size_t z)
{
	struct cudaPos s;

	s.x = x;
	s.y = y;
	s.z = z;
	return s;
}

static __inline__ __host__ struct cudaExtent
make_cudaExtent(size_t w, size_t h, size_t d)
{
	struct cudaExtent s;

	s.width = w;
	s.height = h;
	s.depth = d;
	return s;
}

#endif
