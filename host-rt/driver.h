/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * driver.h - what the files of the driver API share. Both APIs stand on the same functions: error codes
 * have the same values, streams, events and kernels are the same objects.
 */
#ifndef HEDDLE_DRIVER_H
#define HEDDLE_DRIVER_H

#include "host-rt/rt.h"

#define HEDDLE_DRIVER_DEF "host-rt/driver.def"
#include "stdlib/include/cuda.h"

/* A context is a name for its device: what is made in one is seen in all of the device. */
struct rt_context {
	struct rt_device *device;
	unsigned flags;
	u64 id;
	bool primary;
	int retained; /* of a primary one */
};

CUresult rt_cu_result(cudaError_t e); /* of the runtime's codes that the driver lacks, too */
CUresult rt_cu_device(struct rt_device **d); /* of the thread's current context, ready to work */
CUresult rt_cu_get(
	CUdevice dev, struct rt_device **d); /* CUDA_ERROR_INVALID_DEVICE, _NOT_INITIALIZED */

#define HEDDLE_CU_done(name, params) CUresult rt_##name params;
#define HEDDLE_CU_none(name, params)
#define API(name, variant, params, args, status, section) HEDDLE_CU_##status(name, params)
#define API_OTHER(name, status, section)
#include "host-rt/driver.def"
#undef API
#undef API_OTHER

#endif
