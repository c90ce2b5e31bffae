/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * driver.c - the symbols of the driver API, one or more from each row of driver.def, and the table of
 * cuGetProcAddress. The header binds a name to its newest symbol; the older symbol of that name exists
 * and answers CUDA_ERROR_NOT_SUPPORTED, as does every row without a function.
 */
#include "host-rt/driver.h"

#include <string.h>

static CUresult
trace(const char *name, const char *args, CUresult e)
{
	if (log_on(LOG_api)) {
		const char *text = rt_cu_error_name((int)e);
		log_printf(LOG_api, "%s%s result=%s", name, args, text ? text : "?");
	}
	return e;
}

static CUresult
missing(const char *name)
{
	rt_unsupported(name);
	return CUDA_ERROR_NOT_SUPPORTED;
}

#pragma GCC diagnostic ignored "-Wunused-parameter"    /* of rows that do nothing */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"  /* of symbols with suffixes */

#define CALL_done(name, args) trace(#name, #args, rt_##name args)
#define CALL_none(name, args) missing(#name)

#define NAME(name, params, call)                                                                   \
	EXPORT CUresult name params                                                                \
	{                                                                                          \
		return call;                                                                       \
	}
#define OWN_STREAM(symbol, params, call)                                                           \
	EXPORT CUresult symbol params                                                              \
	{                                                                                          \
		rt_per_thread = true;                                                              \
		CUresult e = call;                                                                 \
		rt_per_thread = false;                                                             \
		return e;                                                                          \
	}
#define OLD(name)                                                                                  \
	EXPORT CUresult name##_v1(void) __asm__(#name);                                            \
	CUresult name##_v1(void)                                                                   \
	{                                                                                          \
		return missing(#name);                                                             \
	}
#define EXPORT_one(name, params, call) NAME(name, params, call)
#define EXPORT_ptsz(name, params, call)                                                            \
	NAME(name, params, call) OWN_STREAM(name##_ptsz, params, call)
#define EXPORT_ptds(name, params, call)                                                            \
	NAME(name, params, call) OWN_STREAM(name##_ptds, params, call)
#define EXPORT_v2(name, params, call) NAME(name, params, call) OLD(name)
#define EXPORT_v2_ptsz(name, params, call)                                                         \
	NAME(name, params, call) OLD(name) OWN_STREAM(name##_v2_ptsz, params, call)
#define EXPORT_v2_ptds(name, params, call)                                                         \
	NAME(name, params, call) OLD(name) OWN_STREAM(name##_v2_ptds, params, call)
#define API(name, variant, params, args, status, section)                                          \
	EXPORT_##variant(name, params, CALL_##status(name, args))
#define API_OTHER(name, status, section)                                                           \
	EXPORT CUresult name(void)                                                                 \
	{                                                                                          \
		return missing(#name);                                                             \
	}
#include "host-rt/driver.def"
#undef API
#undef API_OTHER

/* --- finding symbols --------------------------------------------------------------------------------------------- */

typedef void any_fn(void);

static const struct {
	const char *name;
	any_fn *fn, *own; /* own: with the thread's own stream, or NULL */
} symbols[] = {
#define OWN_one(name)     NULL
#define OWN_ptsz(name)    (any_fn *)name##_ptsz
#define OWN_ptds(name)    (any_fn *)name##_ptds
#define OWN_v2(name)      NULL
#define OWN_v2_ptsz(name) (any_fn *)name##_v2_ptsz
#define OWN_v2_ptds(name) (any_fn *)name##_v2_ptds
#define API(name, variant, params, args, status, section)                                          \
	{#name, (any_fn *)name, OWN_##variant(name)},
#define API_OTHER(name, status, section) {#name, (any_fn *)name, NULL},
#include "host-rt/driver.def"
#undef API
#undef API_OTHER
};

CUresult
rt_cuGetProcAddress(const char *symbol, void **pfn, int cudaVersion, cuuint64_t flags,
	CUdriverProcAddressQueryResult *symbolStatus)
{
	(void)cudaVersion; /* all are of CUDA_VERSION */
	if (!symbol || !pfn || flags > CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM)
		return CUDA_ERROR_INVALID_VALUE;
	*pfn = NULL;
	if (symbolStatus)
		*symbolStatus = CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
	for (size_t i = 0; i < COUNT(symbols); i++) {
		if (strcmp(symbols[i].name, symbol))
			continue;
		bool own = flags == CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM && symbols[i].own;
		any_fn *fn = own ? symbols[i].own : symbols[i].fn;
		memcpy(pfn, &fn, sizeof fn);
		if (symbolStatus)
			*symbolStatus = CU_GET_PROC_ADDRESS_SUCCESS;
		return CUDA_SUCCESS;
	}
	return CUDA_ERROR_NOT_FOUND;
}

CUresult
rt_cuGetExportTable(const void **ppExportTable, const CUuuid *pExportTableId)
{
	if (!ppExportTable || !pExportTableId)
		return CUDA_ERROR_INVALID_VALUE;
	*ppExportTable = rt_table_find(pExportTableId);
	return *ppExportTable ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

cudaError_t
rt_cudaGetDriverEntryPointByVersion(const char *symbol, void **funcPtr, unsigned int cudaVersion,
	unsigned long long flags, enum cudaDriverEntryPointQueryResult *driverStatus)
{
	CUdriverProcAddressQueryResult found;
	if (!symbol || !funcPtr)
		return cudaErrorInvalidValue;
	CUresult e = rt_cuGetProcAddress(symbol, funcPtr, (int)cudaVersion, flags, &found);
	if (driverStatus && e != CUDA_ERROR_INVALID_VALUE)
		*driverStatus =
			e ? cudaDriverEntryPointSymbolNotFound : cudaDriverEntryPointSuccess;
	if (e == CUDA_ERROR_NOT_FOUND) /* the status says it */
		return driverStatus ? cudaSuccess : cudaErrorSymbolNotFound;
	return (cudaError_t)e;
}

cudaError_t
rt_cudaGetDriverEntryPoint(const char *symbol, void **funcPtr, unsigned long long flags,
	enum cudaDriverEntryPointQueryResult *driverStatus)
{
	return rt_cudaGetDriverEntryPointByVersion(
		symbol, funcPtr, CUDART_VERSION, flags, driverStatus);
}
