/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* driver.c - the driver API: how libcudart reaches the runtime. */
#include "host-rt/rt.h"

#include <dlfcn.h>

int cuGetExportTable(const void **table, const CUuuid *id);

EXPORT int
cuGetExportTable(const void **table, const CUuuid *id)
{
	if (!table || !id)
		return cudaErrorInvalidValue;
	*table = rt_table_find(id);
	return *table ? 0 : cudaErrorInvalidValue;
}

cudaError_t
rt_cudaGetDriverEntryPointByVersion(const char *symbol, void **funcPtr, unsigned int cudaVersion,
	unsigned long long flags, enum cudaDriverEntryPointQueryResult *driverStatus)
{
	(void)cudaVersion;
	if (!symbol || !funcPtr || flags > cudaEnablePerThreadDefaultStream)
		return cudaErrorInvalidValue;
	*funcPtr = NULL;
	if (driverStatus)
		*driverStatus = *funcPtr ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
	return *funcPtr ? cudaSuccess : cudaErrorSymbolNotFound;
}

cudaError_t
rt_cudaGetDriverEntryPoint(const char *symbol, void **funcPtr, unsigned long long flags,
	enum cudaDriverEntryPointQueryResult *driverStatus)
{
	return rt_cudaGetDriverEntryPointByVersion(symbol, funcPtr, CUDART_VERSION, flags, driverStatus);
}
