/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* runner.c - what this build of the hot parts offers to the rest. */
#include "amdgpu/exec/run/run.h"

#define STRING2(x) #x
#define STRING(x)  STRING2(x)

const struct runner GCN_NAME(runner) = {
	.name = STRING(GCN_VARIANT),
	.run = run_wave,
	.kernel = kernels,
	.sat = sat_kernels,
	.help = helpers,
	.memory = memory_help,
};
