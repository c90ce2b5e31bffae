/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * note.h - what the compiler tells the runtime about each kernel: one ELF note a kernel in section
 * ".note.heddle" of the code object. Written by lower/, read by amdgpu/, obeyed by host-rt/.
 *
 *   Elf64_Nhdr {namesz = 7, descsz, type = HEDDLE_NOTE_KERNEL}, "Heddle\0" padded to 4,
 *   struct heddle_note, kernel symbol NUL, reason NUL (why the kernel has this mode; may be empty),
 *   padded to 4.
 *
 * A kernel has one mode and one body. A second body would never be chosen: a proved kernel is right as
 * PAIRED for all blocks, another one is right as SOLO for all blocks that SOLO can run.
 */
#ifndef HEDDLE_NOTE_H
#define HEDDLE_NOTE_H

#define HEDDLE_NOTE_NAME    "Heddle"
#define HEDDLE_NOTE_KERNEL  1u
#define HEDDLE_NOTE_VERSION 1u
#define HEDDLE_NOTE_SECTION ".note.heddle"

/* How the 32-lane warps of CUDA lie on the waves of the GPU (design, section 4). */
enum heddle_warp_mode {
	HEDDLE_WARP_UNKNOWN = 0,
	HEDDLE_WARP_WAVE32 = 1,   /* a wave of 32 lanes is a warp */
	HEDDLE_WARP_PAIRED = 2,   /* a wave of 64 lanes is two warps */
	HEDDLE_WARP_SOLO = 3,     /* a wave of 64 lanes is one warp, its upper half is off */
	HEDDLE_WARP_NATIVE = 4    /* the warp is the wave, whatever its width */
};

/* In front of "MODE WHY": the annotation of a kernel that asks for a mode, from sema-ext to lower. */
#define HEDDLE_WARP_ANNOTATION "heddle-warp:"

/*
 * SOLO: a block of x * y * z = T threads is launched as one of HEDDLE_SOLO_LANES(T) lanes in dimension x,
 * and grid dimension x as so many times the blocks. The hidden arguments keep the program's sizes, and
 * hidden_global_offset_x, which CUDA has no use for, holds HEDDLE_SOLO_MARK (0 in the other modes).
 */
#define HEDDLE_SOLO_LANES(threads) (((threads) + 31u) / 32u * 64u)
#define HEDDLE_SOLO_MOST           512u /* threads a block: hardware takes 1024 lanes */
#define HEDDLE_SOLO_MARK           1u

enum { HEDDLE_NOTE_ASKED = 1 }; /* the mode was asked for, not proved */

struct heddle_note {
	unsigned int version;
	unsigned int mode; /* enum heddle_warp_mode */
	unsigned int max_block; /* most threads of a block */
	unsigned int flags; /* HEDDLE_NOTE_… */
};

#endif
