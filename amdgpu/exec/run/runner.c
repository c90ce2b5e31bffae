/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * runner.c - what this build of the hot parts offers to the rest. Measured on Zen 5 (`./dev bench exec`): gcc 12 and
 * clang 22 make tiled products equally fast; clang gains a tenth on a chain of FMAs, but loses a fifth of it with
 * every second lane off, and a third of the loop of integers. So the build takes gcc where there is one.
 */
#include "amdgpu/exec/run/run.h"
#include "amdgpu/exec/run/num.h"

const float exec_one = 1.0f; /* in a file of its own, where no row sees its value */

#define STRING2(x) #x
#define STRING(x)  STRING2(x)

const struct runner GCN_NAME(runner) = {
	.name = STRING(GCN_VARIANT),
	.run = run_wave,
	.kernel = kernels,
	.sat = sat_kernels,
	.some = some_kernels,
	.help = helpers,
	.memory = memory_help,
	.rare = rare_help,
};
