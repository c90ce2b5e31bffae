/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* loader.h - the table of AMD's loader extension. */
#ifndef HEDDLE_HX_LOADER_H
#define HEDDLE_HX_LOADER_H

#include "hx.h"
#include <hsa/hsa_ven_amd_loader.h>

hsa_ven_amd_loader_1_03_pfn_t hx_loader_table(void);

#endif
