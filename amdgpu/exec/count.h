/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* count.h - what HEDDLE_COUNTERS measures of a kernel; count.c says how each number is found. */
#ifndef HEDDLE_EXEC_COUNT_H
#define HEDDLE_EXEC_COUNT_H

#include "lang/base.h"
#include "amdgpu/target.h"

enum count_class {
#define COUNTER(id, text, vector) COUNT_##id,
#include "amdgpu/exec/count.def"
#undef COUNTER
	COUNT_CLASSES
};

/* Global memory as a wave's accesses touch it; LDS as its banks serve it. */
struct count_traffic {
	u64 accesses; /* instructions; of a wave64, too, one */
	u64 transactions; /* segments of 64 bytes; passes over the banks */
	u64 bytes; /* that the active lanes asked for */
};
enum count_kind { COUNT_LOADS, COUNT_STORES, COUNT_ATOMICS, COUNT_KINDS };

struct exec_counts {
	/* what the launch was; of several launches the last one's */
	u32 wave, group; /* lanes of a wave, work-items of a workgroup */
	u32 vgprs, agprs, sgprs; /* allocated to a wave */
	u32 lds_bytes, scratch_bytes; /* of a workgroup, of a work-item */
	u32 resident; /* workgroups that a compute unit keeps at once (target_residency) */
	/* what it did, summed over launches */
	u64 launches, groups, waves;
	u64 n[COUNT_CLASSES];
	u64 vector, lanes; /* vector instructions, and the lanes active at them */
	struct count_traffic global[COUNT_KINDS], lds;
	u64 conflicts; /* passes over the banks of LDS beyond those that any addresses take */
	u64 barriers; /* that workgroups completed */
};

/* Adds one launch (or several) to *to, which begins as zero. */
void count_add(struct exec_counts *to, const struct exec_counts *one);
/* A block of lines through sink_printf. `kernel` is printed as it is. */
void count_print(const struct exec_counts *c, const char *kernel, const struct target *t);

#endif
