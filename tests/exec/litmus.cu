// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: tier-default
// UNSUPPORTED: thread
// RUN: sh %S/Inputs/litmus.sh %clang %gcnrun %s %t gfx1100 20 | FileCheck %s
// RUN: sh %S/Inputs/litmus.sh %clang %gcnrun %s %t gfx90a 20 | FileCheck %s
// RUN: sh %S/Inputs/litmus.sh %clang %gcnrun %s %t gfx1201 20 | FileCheck %s
// Litmus tests of the memory model; Inputs/litmus.sh says which run how. A role is a wave in a workgroup of its
// own, and half of the workgroups are on each of two host threads; for fences of a workgroup, a wave of the one.
// litmus-long.test runs a million rounds of each. ThreadSanitizer is too slow for roles to be at one step together.
//
// A batch is 1,024 rounds, each with its own words of memory, which hold the number of the batch when they are
// new. All roles meet before each step, which is a round for each lane, and go on at about the same time.
// An outcome is the bits "has seen the new value", of all reads in order.
#include "kernel.h"
#define BATCH 1024
#define FIRST (1u << 20) // number of the first batch

struct test {
	u32 thread, roles;
	u32 *arrived, target;
};

static __attribute__((device)) u32
get(u32 *p)
{
	return __hip_atomic_load(p, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

static __attribute__((device)) void
put(u32 *p, u32 v)
{
	__hip_atomic_store(p, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

enum { NONE, WORKGROUP, AGENT, SYSTEM };
static __attribute__((device)) void
fence(u32 scope)
{
	if (scope == WORKGROUP)
		__builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup");
	else if (scope == AGENT)
		__builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent");
	else if (scope == SYSTEM)
		__builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "");
	else
		__asm__ volatile("" ::: "memory");
}

// All roles meet. They poll for long before they sleep, so that their host threads stay at it together.
static __attribute__((device)) void
meet(struct test *t)
{
	t->target += t->roles;
	__builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "");
	if (t->thread == 0)
		__hip_atomic_fetch_add(t->arrived, 1, __ATOMIC_SEQ_CST, __HIP_MEMORY_SCOPE_AGENT);
	for (u32 polls = 0; get(t->arrived) < t->target; polls++)
		if (polls > (t->roles == 2 ? 5000 : 5))
			__builtin_amdgcn_s_sleep(1);
	__builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "");
}

// A few instructions, other ones each time for each role, so that roles meet at every distance in time.
static __attribute__((device)) void
stagger(u32 step, u32 role)
{
	for (u32 n = (step * 4 + role) * 2654435761u >> 27; n > 0; n--)
		__asm__ volatile("v_nop\nv_nop");
}

// Two lines each: what a role does. `a` and `b` are the words of the round, `fresh` is what is written.
#define SB(scope)                                                                                                      \
	u32 *mine = role ? b : a, *other = role ? a : b;                                                               \
	put(mine, fresh);                                                                                                \
	fence(scope);                                                                                                  \
	SEE(role, get(other))
#define MP(scope)                                                                                                      \
	if (role == 0) {                                                                                               \
		put(a, fresh);                                                                                           \
		fence(scope);                                                                                          \
		put(b, fresh);                                                                                           \
	} else {                                                                                                       \
		u32 flag = get(b);                                                                                     \
		fence(scope);                                                                                          \
		u32 data = get(a);                                                                                     \
		SEE(0, flag);                                                                                          \
		SEE(1, data);                                                                                          \
	}
#define LB(scope)                                                                                                      \
	u32 *mine = role ? b : a, *other = role ? a : b;                                                               \
	u32 got = get(other);                                                                                          \
	fence(scope);                                                                                                  \
	put(mine, fresh);                                                                                                \
	SEE(role, got)
#define CORR(scope)                                                                                                    \
	if (role == 0) {                                                                                               \
		put(a, fresh);                                                                                           \
	} else {                                                                                                       \
		u32 one = get(a);                                                                                      \
		fence(scope);                                                                                          \
		u32 two = get(a);                                                                                      \
		SEE(0, one);                                                                                           \
		SEE(1, two);                                                                                           \
	}
#define IRIW(scope)                                                                                                    \
	if (role < 2) {                                                                                                \
		put(role ? b : a, fresh);                                                                                \
	} else {                                                                                                       \
		u32 one = get(role == 2 ? a : b);                                                                      \
		fence(scope);                                                                                          \
		u32 two = get(role == 2 ? b : a);                                                                      \
		SEE(2 * role - 4, one);                                                                                \
		SEE(2 * role - 3, two);                                                                                \
	}
#define SEE(read, value) seen[(read) * BATCH + i] = (value)

// o[outcome] counts. `mem` has x, y and what was read; `batches` of them; roles in workgroups or waves.
#define TEST(name, nroles, nreads, code, scope)                                                                        \
	KERNEL                                                                                                         \
	name(u32 *o, u32 *mem, u32 *arrived, u32 batches)                                                              \
	{                                                                                                              \
		u32 w = __builtin_amdgcn_wavefrontsize();                                                              \
		u32 role = __builtin_amdgcn_readfirstlane(tid / w); /* in a workgroup */                              \
		if (scope != WORKGROUP) {                                                                              \
			if (tid % w == 0) /* by arrival: there are several launches */                                 \
				role = __hip_atomic_fetch_add(&arrived[1], 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT); \
			role = __builtin_amdgcn_readfirstlane(role);                                                   \
		}                                                                                                      \
		struct test t = {.thread = tid % w, .roles = nroles, .arrived = arrived};                              \
		u32 *x = mem, *y = mem + BATCH, *seen = mem + 2 * BATCH;                                               \
		for (u32 n = 0; n < batches; n++) {                                                                    \
			u32 fresh = FIRST + n;                                                                         \
			for (u32 k = 0; k < BATCH; k += w) {                                                           \
				u32 i = k + t.thread, *a = x + i, *b = y + i;                                          \
				meet(&t);                                                                              \
				stagger(fresh + k, role);                                                              \
				code(scope);                                                                           \
			}                                                                                              \
			meet(&t);                                                                                      \
			if (role != 0)                                                                                 \
				continue;                                                                              \
			for (u32 i = t.thread; i < BATCH; i += w) {                                                    \
				u32 outcome = 0;                                                                       \
				for (u32 r = 0; r < nreads; r++)                                                       \
					outcome = 2 * outcome + (get(&seen[r * BATCH + i]) == fresh);                    \
				__hip_atomic_fetch_add(                                                                \
					&o[outcome], 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);                   \
			}                                                                                              \
		}                                                                                                      \
	}
#define TESTS(scope)                                                                                                   \
	TEST(sb_##scope, 2, 2, SB, scope)                                                                              \
	TEST(mp_##scope, 2, 2, MP, scope)                                                                              \
	TEST(lb_##scope, 2, 2, LB, scope)                                                                              \
	TEST(corr_##scope, 2, 2, CORR, scope)                                                                          \
	TEST(iriw_##scope, 4, 4, IRIW, scope)
TESTS(NONE)
TESTS(WORKGROUP)
TESTS(AGENT)
TESTS(SYSTEM)
// CHECK-NOT: FORBIDDEN
// LONG: sb_AGENT without the host's fence: found forbidden outcomes
// CHECK-NOT: FORBIDDEN
// CHECK: 15 tests, none forbidden
