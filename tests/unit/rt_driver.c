/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// LINK: cuda amdgpu base
/*
 * The driver API without a kernel: initialization, contexts, memory, names, errors; every function that
 * does not exist yet says so. (The executor's library is not beside this program: tests/host-rt has
 * the tests with a device.)
 */
#include "host-rt/driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;
#define EXPECT(x)                                                                                  \
	do {                                                                                       \
		if (!(x)) {                                                                        \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #x);                    \
			failures++;                                                                \
		}                                                                                  \
	} while (0)

static char last[256];
static int lines;

static void catch (void *user, const char *line)
{
	(void)user;
	lines++;
	snprintf(last, sizeof last, "%s", line);
}

int
main(void)
{
	int n = -1;
	const char *z = NULL;
	void *fn = NULL;
	CUdriverProcAddressQueryResult found;
	sink_set(catch, NULL);
	setenv("HEDDLE_DEVICE", "nonsense", 1);

	EXPECT(cuDeviceGetCount(&n) == CUDA_ERROR_NOT_INITIALIZED);
	EXPECT(cuCtxSynchronize() == CUDA_ERROR_NOT_INITIALIZED);
	EXPECT(cuInit(1) == CUDA_ERROR_INVALID_VALUE);
	EXPECT(cuInit(0) == CUDA_ERROR_NO_DEVICE);
	EXPECT(lines == 1 && strstr(last, "HEDDLE_DEVICE=nonsense"));

	EXPECT(cuDriverGetVersion(&n) == CUDA_SUCCESS && n == CUDA_VERSION);
	EXPECT(cuGetErrorName(CUDA_ERROR_ILLEGAL_ADDRESS, &z) == CUDA_SUCCESS &&
		!strcmp(z, "CUDA_ERROR_ILLEGAL_ADDRESS"));
	EXPECT(cuGetErrorString(CUDA_ERROR_OUT_OF_MEMORY, &z) == CUDA_SUCCESS &&
		!strcmp(z, "out of memory"));
	EXPECT(cuGetErrorName((CUresult)9, &z) == CUDA_ERROR_INVALID_VALUE &&
		!z); /* the runtime's only */
	EXPECT(cuGetErrorName((CUresult)12345, &z) == CUDA_ERROR_INVALID_VALUE);

	EXPECT(cuGetProcAddress("cuMemAlloc", &fn, 12080, 0, &found) == CUDA_SUCCESS && fn &&
		!found);
	EXPECT(cuGetProcAddress("cuNoSuchThing", &fn, 12080, 0, &found) == CUDA_ERROR_NOT_FOUND &&
		!fn && found == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
	void *legacy = NULL, *own = NULL;
	EXPECT(!cuGetProcAddress(
		"cuLaunchKernel", &legacy, 12080, CU_GET_PROC_ADDRESS_DEFAULT, NULL));
	EXPECT(!cuGetProcAddress("cuLaunchKernel", &own, 12080,
		CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, NULL));
	EXPECT(legacy && own && legacy != own);

	lines = 0;
	EXPECT(cuLinkDestroy(NULL) == CUDA_ERROR_NOT_SUPPORTED);
	EXPECT(cuLinkDestroy(NULL) == CUDA_ERROR_NOT_SUPPORTED);
	EXPECT(lines == 1 && !strcmp(last, "cuLinkDestroy is not supported yet"));
	return failures != 0;
}
