/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* memory.h - between memory.c (any access, lane by lane) and quick.c (the shapes that most accesses have). */
#ifndef HEDDLE_EXEC_RUN_MEMORY_H
#define HEDDLE_EXEC_RUN_MEMORY_H

#include "amdgpu/exec/run/run.h"

#define global_find  GCN_NAME(exec_global_find)
#define memory_quick GCN_NAME(exec_memory_quick)
#define memory_half  GCN_NAME(exec_memory_half)
#define scratch_rows GCN_NAME(exec_scratch_rows)

/* Device code may race by design. Elements of up to 4 bytes are single accesses on the hosts we run on; where
 * ThreadSanitizer watches, they are spelled as the relaxed atomics they are, and whole rows are not copied. */
#ifdef __SANITIZE_THREAD__
#define STRICT 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define STRICT 1
#endif
#endif
#ifndef STRICT
#define STRICT 0
#endif

static inline u32
dword_load(const u8 *p)
{
	u32 v;
	if (STRICT && (uintptr_t)p % 4 == 0)
		return __atomic_load_n((const u32 *)(const void *)p, __ATOMIC_RELAXED);
	memcpy(&v, p, 4);
	return v;
}

static inline void
dword_store(u8 *p, u32 v)
{
	if (STRICT && (uintptr_t)p % 4 == 0)
		__atomic_store_n((u32 *)(void *)p, v, __ATOMIC_RELAXED);
	else
		memcpy(p, &v, 4);
}

/* Two and four dwords that are aligned are single accesses too: programs pack a value and its flag. */
static inline void
dwords_load(u32 *t, const u8 *p, u32 n)
{
	u64 pair;
	for (; n >= 4; n -= 4, p += 16, t += 4) {
#ifdef __SSE2__
		if (!STRICT) {
			_mm_storeu_si128((__m128i *)(void *)t,
				_mm_loadu_si128((const __m128i *)(const void *)p));
			continue;
		}
#endif
		for (u32 k = 0; k < 4; k++)
			t[k] = dword_load(p + 4 * k);
	}
	for (; n >= 2; n -= 2, p += 8, t += 2) {
		if (STRICT && (uintptr_t)p % 8 == 0)
			pair = __atomic_load_n((const u64 *)(const void *)p, __ATOMIC_RELAXED);
		else
			memcpy(&pair, p, 8);
		t[0] = (u32)pair;
		t[1] = (u32)(pair >> 32);
	}
	if (n)
		*t = dword_load(p);
}

static inline void
dwords_store(u8 *p, const u32 *t, u32 n)
{
	for (; n >= 4; n -= 4, p += 16, t += 4) {
#ifdef __SSE2__
		if (!STRICT) {
			_mm_storeu_si128((__m128i *)(void *)p,
				_mm_loadu_si128((const __m128i *)(const void *)t));
			continue;
		}
#endif
		for (u32 k = 0; k < 4; k++)
			dword_store(p + 4 * k, t[k]);
	}
	for (; n >= 2; n -= 2, p += 8, t += 2) {
		u64 pair = t[0] | (u64)t[1] << 32;
		if (STRICT && (uintptr_t)p % 8 == 0)
			__atomic_store_n((u64 *)(void *)p, pair, __ATOMIC_RELAXED);
		else
			memcpy(p, &pair, 8);
	}
	if (n)
		dword_store(p, *t);
}

/* Global memory at [addr, addr + n); NULL: nobody's, or read-only and to be written. */
u8 *global_find(struct wave *w, u64 addr, u64 n, bool write);

/* A load or store of dwords in global memory by the lanes in `on` of one half. False: nothing is done; not all
 * of it is within one interval. */
bool memory_quick(struct wave *w, const struct access *a, u32 half, u32 on);

/* Any load, store or atomic by the lanes in `on` of one half, but for buffers and scalar loads. */
enum stop memory_half(struct wave *w, const struct access *a, u32 half, u32 on);

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
