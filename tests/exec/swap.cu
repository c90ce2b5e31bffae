// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx1100 -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O2 -I%S/Inputs %s -o %t.gfx1100
// RUN: %gcnrun --block=32 %t.gfx1100 halves outi:2 | FileCheck %s
// Halves of registers change places, in the lanes that are on. Word 0 counts what is wrong, word 1 what was checked.
// CHECK: arg{{[0-9]}}[0]: 0 160{{$}}
#include "kernel.h"

// clang-format off
#define SWAP(a, b)                                                                                           \
	asm volatile("v_mov_b32 v40, %2\n\tv_mov_b32 v41, %3\n\ts_mov_b32 s40, exec_lo\n\t"                  \
		     "s_mov_b32 exec_lo, 0x0ff0a5c3\n\tv_swap_b16 " a ", " b "\n\ts_mov_b32 exec_lo, s40\n\t" \
		     "v_mov_b32 %0, v40\n\tv_mov_b32 %1, v41"                                                 \
		     : "=&v"(x), "=&v"(y) : "v"(p), "v"(q) : "v40", "v41", "s40")
// clang-format on

static __attribute__((device)) void
check(int *o, bool ok)
{
	__atomic_fetch_add(&o[0], !ok, __ATOMIC_RELAXED);
	__atomic_fetch_add(&o[1], 1, __ATOMIC_RELAXED);
}

extern "C" __attribute__((global)) void
halves(int *o)
{
	u32 i = __builtin_amdgcn_workitem_id_x(), p = 0x11110000 + i, q = 0x33332220 + i * 3, x, y;
	bool on = 0x0ff0a5c3u >> i & 1;
	SWAP("v40.l", "v41.l");
	check(o, x == (on ? (p & 0xffff0000) | (q & 0xffff) : p) && y == (on ? (q & 0xffff0000) | (p & 0xffff) : q));
	SWAP("v40.h", "v41.h");
	check(o, x == (on ? (q & 0xffff0000) | (p & 0xffff) : p) && y == (on ? (p & 0xffff0000) | (q & 0xffff) : q));
	SWAP("v40.l", "v41.h");
	check(o, x == (on ? (p & 0xffff0000) | q >> 16 : p) && y == (on ? p << 16 | (q & 0xffff) : q));
	SWAP("v40.h", "v41.l");
	check(o, x == (on ? q << 16 | (p & 0xffff) : p) && y == (on ? (q & 0xffff0000) | p >> 16 : q));
	SWAP("v40.l", "v40.h");
	check(o, x == (on ? p << 16 | p >> 16 : p) && y == q);
}
