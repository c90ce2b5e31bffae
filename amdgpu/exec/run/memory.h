/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* memory.h - between memory.c (any access, lane by lane) and quick.c (the shapes that most accesses have). */
#ifndef HEDDLE_EXEC_RUN_MEMORY_H
#define HEDDLE_EXEC_RUN_MEMORY_H

#include "amdgpu/exec/run/run.h"

#define global_find  GCN_NAME(exec_global_find)
#define memory_quick GCN_NAME(exec_memory_quick)
#define scratch_rows GCN_NAME(exec_scratch_rows)

/* Global memory at [addr, addr + n); NULL: nobody's, or read-only and to be written. */
u8 *global_find(struct wave *w, u64 addr, u64 n, bool write);

/* A load or store of dwords by all 32 lanes, side by side or at one place, or so in each row of 16. False:
 * nothing is done; another shape, or not all of it is within one interval. */
bool memory_quick(struct wave *w, const struct access *a, u32 half);

/* Scratch at an offset that all lanes share: rows of dwords, as registers are. False: nothing is done. */
bool scratch_rows(struct wave *w, const struct access *a, u32 off, u32 half, u32 on);

static inline u8 *
global(struct wave *w, u64 addr, u64 n, bool write)
{
	const struct mem_near *near = write ? &w->store : &w->load;
	u64 off = addr - near->base;
	if (off < near->size && n <= near->size - off)
		return (u8 *)(uintptr_t)addr;
	return global_find(w, addr, n, write);
}

/* One dword-aligned piece of a lane's scratch: it is interleaved by dwords over the lanes of the wave. */
static inline u8 *
scratch(struct wave *w, u32 off, u32 half, u32 lane)
{
	u32 lanes = w->halves * (u32)LANES;
	return w->scratch + ((u64)(off / 4) * lanes + half * LANES + lane) * 4 + off % 4;
}

#endif
