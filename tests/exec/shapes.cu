// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx1100 -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O2 -I%S/Inputs %s -o %t.gfx1100
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx90a -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O2 -I%S/Inputs %s -o %t.gfx90a
// RUN: %gcnrun --block=32 %t.gfx1100 shapes outi:2 out:1024 | FileCheck %s
// RUN: %gcnrun --block=64 %t.gfx90a shapes outi:2 out:1024 | FileCheck %s --check-prefix=WAVE64
// RUN: env HEDDLE_EXEC_BUILD=v1 %gcnrun --block=32 %t.gfx1100 shapes outi:2 out:1024 | FileCheck %s
// RUN: env HEDDLE_EXEC_BUILD=v1 %gcnrun --block=64 %t.gfx90a shapes outi:2 out:1024 | FileCheck %s --check-prefix=WAVE64
// Loads and stores of one to four dwords in LDS and global memory, in shapes that run/quick.c knows and others, with
// some lanes off. Nothing is wrong, and so many values were looked at.
// CHECK: arg0[0]: 0 166656
// WAVE64: arg0[0]: 0 204288
#include "kernel.h"

typedef u32 u32x2 __attribute__((ext_vector_type(2)));
typedef u32 u32x4 __attribute__((ext_vector_type(4)));
enum { PATTERNS = 14, MASKS = 6, PLACES = 256, WORDS = 4 * PLACES };

static __attribute__((device)) u32
place(u32 pattern, u32 i)
{
	switch (pattern) {
	case 0:
		return i;
	case 1:
		return 5;
	case 2:
		return i / 16;
	case 3:
		return i % 16;
	case 4:
		return i ^ 1;
	case 5:
		return 63 - i;
	case 6:
		return 3 * i;
	case 7:
		return i * 2654435761u >> 24;
	case 8:
		return i % 32 < 8 ? i : 40;
	case 9:
		return PLACES - 64 + i;
	case 10:
		return 2 * i + 1;
	case 11:
		return i & 7;
	case 12:
		return i / 8;
	default:
		return i % 32 / 8 * 50 + (i % 32 == 17 ? 0 : i % 8);
	}
}

static __attribute__((device)) bool
is_on(u32 mask, u32 i)
{
	switch (mask) {
	case 0:
		return true;
	case 1:
		return i & 1;
	case 2:
		return !(i & 1);
	case 3:
		return i < 5;
	case 4:
		return i == 20;
	default:
		return (i * 2654435761u >> 20 & 3) != 0;
	}
}

static __attribute__((device)) u32
value(u32 word)
{
	return word * 2246822519u + 1;
}

static __attribute__((device)) u32
part(u32 v, u32)
{
	return v;
}
template <typename T>
static __attribute__((device)) u32
part(T v, u32 k)
{
	return v[k];
}

// T: a vector of N dwords, at p[place]
template <typename T, int N, typename P>
static __attribute__((device)) void
check(P p, u32 *from, u32 *wrong, u32 *seen)
{
	for (u32 pattern = 0; pattern < PATTERNS; pattern++)
		for (u32 mask = 0; mask < MASKS; mask++) {
			u32 at = place(pattern, tid), bad = 0, n = 0;
			for (u32 i = tid; i < WORDS; i += bdim)
				from[i] = value(i);
			BARRIER;
			T v = (T)(7);
			if (is_on(mask, tid))
				v = p[at];
			for (u32 k = 0; k < N; k++, n++)
				bad += part(v, k) != (is_on(mask, tid) ? value(at * N + k) : 7);
			BARRIER;
			if (is_on(mask, tid)) {
				T mine = (T)(tid);
				p[at] = mine;
			}
			BARRIER;
			for (u32 i = tid; i < PLACES; i += bdim, n++) {
				bool written = false, right = false;
				u32 is = from[i * N + N - 1];
				for (u32 j = 0; j < bdim; j++) {
					bool writes = is_on(mask, j) && place(pattern, j) == i;
					written |= writes;
					right |= writes && is == j;
				}
				bad += !(written ? right : is == value(i * N + N - 1));
			}
			BARRIER;
			__atomic_fetch_add(wrong, bad, __ATOMIC_RELAXED);
			__atomic_fetch_add(seen, n, __ATOMIC_RELAXED);
		}
}

KERNEL
shapes(u32 *result, u32 *global)
{
	__attribute__((shared)) static u32x4 lds[PLACES];
	u32 *words = (u32 *)lds;
	typedef __attribute__((address_space(3))) u32 *shared1;
	typedef __attribute__((address_space(3))) u32x2 *shared2;
	typedef __attribute__((address_space(3))) u32x4 *shared4;
	check<u32, 1>((shared1)lds, words, result, result + 1);
	check<u32x2, 2>((shared2)lds, words, result, result + 1);
	check<u32x4, 4>((shared4)lds, words, result, result + 1);
	check<u32, 1>(global, global, result, result + 1);
	check<u32x2, 2>((u32x2 *)global, global, result, result + 1);
	check<u32x4, 4>((u32x4 *)global, global, result, result + 1);
}
