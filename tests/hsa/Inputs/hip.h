/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* hip.h - the few declarations of ROCm's HIP runtime that the tests need, from its public documentation. */
#ifndef HIP_H
#define HIP_H
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif
typedef int hipError_t; /* 0: success */
typedef struct ihipStream_t *hipStream_t;
typedef struct ihipEvent_t *hipEvent_t;
typedef struct ihipModule_t *hipModule_t;
typedef struct ihipModuleSymbol_t *hipFunction_t;
enum { hipMemcpyHostToHost, hipMemcpyHostToDevice, hipMemcpyDeviceToHost, hipMemcpyDeviceToDevice };

const char *hipGetErrorString(hipError_t);
hipError_t hipInit(unsigned);
hipError_t hipGetDeviceCount(int *);
hipError_t hipSetDevice(int);
hipError_t hipDeviceGetName(char *, int, int);
hipError_t hipMalloc(void **, size_t);
hipError_t hipFree(void *);
hipError_t hipHostMalloc(void **, size_t, unsigned);
hipError_t hipHostFree(void *);
hipError_t hipMemcpy(void *, const void *, size_t, int);
hipError_t hipMemcpyAsync(void *, const void *, size_t, int, hipStream_t);
hipError_t hipMemcpy2D(void *, size_t, const void *, size_t, size_t, size_t, int);
hipError_t hipMemset(void *, int, size_t);
hipError_t hipMemsetD16(void *, unsigned short, size_t);
hipError_t hipMemsetD32(void *, int, size_t);
hipError_t hipMemset2D(void *, size_t, int, size_t, size_t);
struct hipPos {
	size_t x, y, z;
};
struct hipPitchedPtr {
	void *ptr;
	size_t pitch, xsize, ysize;
};
struct hipExtent {
	size_t width, height, depth;
};
struct hipMemcpy3DParms {
	void *srcArray; /* hipArray_t */
	struct hipPos srcPos;
	struct hipPitchedPtr srcPtr;
	void *dstArray;
	struct hipPos dstPos;
	struct hipPitchedPtr dstPtr;
	struct hipExtent extent;
	int kind;
};
hipError_t hipMemcpy3D(const struct hipMemcpy3DParms *);
hipError_t hipStreamCreate(hipStream_t *);
hipError_t hipStreamSynchronize(hipStream_t);
hipError_t hipStreamDestroy(hipStream_t);
hipError_t hipEventCreate(hipEvent_t *);
hipError_t hipEventRecord(hipEvent_t, hipStream_t);
hipError_t hipEventSynchronize(hipEvent_t);
hipError_t hipEventElapsedTime(float *, hipEvent_t, hipEvent_t);
hipError_t hipEventDestroy(hipEvent_t);
hipError_t hipDeviceSynchronize(void);
hipError_t hipModuleLoad(hipModule_t *, const char *);
hipError_t hipModuleUnload(hipModule_t);
hipError_t hipModuleGetFunction(hipFunction_t *, hipModule_t, const char *);
hipError_t hipModuleGetGlobal(void **, size_t *, hipModule_t, const char *);
hipError_t hipModuleLaunchKernel(hipFunction_t, unsigned, unsigned, unsigned, unsigned, unsigned,
	unsigned, unsigned, hipStream_t, void **, void **);
#ifdef __cplusplus
}
#endif

#define OK(call) hip_check(call, #call, __LINE__)
#define SAME(got, want)                                                                            \
	hip_same((unsigned long long)(got), (unsigned long long)(want), #got, __LINE__)

static inline void
hip_check(hipError_t e, const char *call, int line)
{
	if (e == 0)
		return;
	printf("line %d: %s: %d %s\n", line, call, e, hipGetErrorString(e));
	exit(1);
}

static inline void
hip_same(unsigned long long got, unsigned long long want, const char *what, int line)
{
	if (got == want)
		return;
	printf("line %d: %s is %#llx, not %#llx\n", line, what, got, want);
	exit(1);
}
#endif
