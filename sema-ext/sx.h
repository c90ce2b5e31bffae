/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * sx.h - the decisions of the Clang plugin in C. plugin.cpp asks them with plain values and hands the
 * answer to clang. Everything is a pure function but sx_slots_replace, which keeps its tables.
 */
#ifndef HEDDLE_SX_H
#define HEDDLE_SX_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* True when `c` is a constraint letter of inline PTX for a value in a register. */
bool sx_constraint_is_register(char c);

/* True when '%' + `c` in an asm text is the start of a PTX register name: "%laneid". */
bool sx_escape_is_name(char c);

/* Host pass: does address space `a` hold all pointers of `b`? -1 is the generic space, else the number
 * of __attribute__((address_space(n))). */
bool sx_space_holds(int a, int b);

/* Host pass: a body is skipped when only the device ever runs it. A kernel is kept: clang turns its
 * body into the launch stub. */
bool sx_body_is_skipped(bool host, bool device, bool kernel);

/* __launch_bounds__(threads, blocks) for the GPU `arch`: waves that each SIMD must be able to hold so
 * that `blocks` blocks of `threads` threads fit a compute unit; 0 when nothing is asked. */
unsigned sx_waves_per_simd(const char *arch, unsigned threads, unsigned blocks);

/* True when the header `real` (a path without symbolic links) is part of another CUDA toolkit: a folder
 * above it holds a file cuda_runtime.h and is not `own`, Heddle's include folder. Looks at the disk. */
bool sx_header_is_foreign(const char *real, const char *own);

/* May a program ask for this warp mode, by attribute heddle_warp or -fheddle-warp? */
#define SX_WARP_MODES "\"paired\" or \"solo\""
bool sx_warp_is_mode(const char *word, size_t n);

/* A virtual function: its slot in the vtable and what stands there instead. `old` gets the function
 * that stood there. */
struct sx_slot {
	size_t index;
	void *fn;
	void **old;
};
/* Points `*vptr` (the vtable pointer of a live object) at a copy of its vtable in which `slots` are
 * replaced. `count` is the number of slots that exist. One copy a vtable, made once and kept; safe
 * from many threads. False when memory is out. */
bool sx_slots_replace(void **vptr, size_t count, const struct sx_slot *slots, size_t n);

#ifdef __cplusplus
}
#endif
#endif
