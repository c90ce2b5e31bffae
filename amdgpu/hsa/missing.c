/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * missing.c - functions of the HSA library that the executor does not serve (hsa.def): they exist, so
 * that every program links, say so in one line and fail. A status is all that any of them returns.
 */
#include "lang/base.h"

#define HSA_ERROR                                                                                  \
	0x1000u /* HSA_STATUS_ERROR; the header would declare each name with its own type */

#define MISSING(name)                                                                              \
	EXPORT u32 name(void);                                                                     \
	u32 name(void)                                                                             \
	{                                                                                          \
		sink_printf("hsa: " #name " is not supported by the executor");                    \
		return HSA_ERROR;                                                                  \
	}
#include "hsa.def"
#undef MISSING
