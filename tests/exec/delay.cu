// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx90a -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O2 -gline-tables-only -I%S/Inputs %s -o %t.gfx90a
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx1100 -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O2 -gline-tables-only -I%S/Inputs %s -o %t.gfx1100
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx1201 -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O2 -gline-tables-only -I%S/Inputs %s -o %t.gfx1201
// RUN: sh %S/Inputs/delay.sh %gcnrun %t.gfx90a | FileCheck %s
// RUN: sh %S/Inputs/delay.sh %gcnrun %t.gfx1100 | FileCheck %s
// RUN: sh %S/Inputs/delay.sh %gcnrun %t.gfx1201 | FileCheck %s
// With memory that answers when it is waited for, a missing wait shows: by a fault with the line and the load,
// or, for a store, by what other waves see. Inputs/delay.sh runs each kernel without and with --delay.
#include "kernel.h"

// Instructions by generation. %0 result; %1 address of `in` (0, 1, 2, …) in VGPRs, %3 in SGPRs; %2 thread * 4, a
// place in LDS, which holds thread + 100; %4 the same as a generic address.
#if defined(__gfx1201__)
#define LOAD(v, at)  "global_load_b32 " v ", %1, off offset:" at "\n"
#define SLOAD(s, at) "s_load_b32 " s ", %3, " at "\n"
#define LDS(v)       "ds_load_b32 " v ", %2\n"
#define FLAT(v)      "flat_load_b32 " v ", %4\n"
#define ADD(v)       "global_atomic_add_u32 " v ", %1, %2, off th:TH_ATOMIC_RETURN\n"
#define STORE(v)     "global_store_b32 %1, " v ", off\n"
#define WAIT_LOAD(n) "s_wait_loadcnt " n "\n"
#define WAIT_LDS(n)  "s_wait_dscnt " n "\n"
#define WAIT_S(n)    "s_wait_kmcnt " n "\n"
#define WAIT_ALL     "s_wait_loadcnt_dscnt 0\ns_wait_kmcnt 0\ns_wait_storecnt 0\n"
#else
#if defined(__gfx1100__)
#define ADD(v)       "global_atomic_add_u32 " v ", %1, %2, off glc\n"
#define WAIT_STORES  "s_waitcnt_vscnt null, 0\n"
#else
#define ADD(v)       "global_atomic_add " v ", %1, %2, off glc\n"
#define WAIT_STORES  ""
#endif
#define LOAD(v, at)  "global_load_dword " v ", %1, off offset:" at "\n"
#define SLOAD(s, at) "s_load_dword " s ", %3, " at "\n"
#define LDS(v)       "ds_read_b32 " v ", %2\n"
#define FLAT(v)      "flat_load_dword " v ", %4\n"
#define STORE(v)     "global_store_dword %1, " v ", off\n"
#define WAIT_LOAD(n) "s_waitcnt vmcnt(" n ")\n"
#define WAIT_LDS(n)  "s_waitcnt lgkmcnt(" n ")\n"
#define WAIT_S(n)    "s_waitcnt lgkmcnt(" n ")\n"
#define WAIT_ALL     "s_waitcnt vmcnt(0) lgkmcnt(0)\n" WAIT_STORES
#endif
#define WAIT_NONE    ""

#define CASE(name, code)                                                                                               \
	KERNEL                                                                                                         \
	name(u32 *o, u32 *in)                                                                                          \
	{                                                                                                              \
		SHARED u32 s[64];                                                                                      \
		u32 r, place = tid * 4, *mine = in + tid;                                                                               \
		s[tid] = tid + 100;                                                                                    \
		BARRIER;                                                                                               \
		__asm__ volatile(WAIT_ALL code WAIT_ALL                                                                \
			: "=&v"(r), "+v"(mine), "+v"(place)                                                           \
			: "s"(in), "v"((u64)&s[tid])                                                                   \
			: "v20", "v21", "s20", "s21", "memory");                                                       \
		o[tid] = r;                                                                                            \
	}
#define TAKE(v) "v_mov_b32 %0, " v "\n"

// Right as they are.
CASE(first_of_two, LOAD("v20", "0") LOAD("v21", "4") WAIT_LOAD("1") TAKE("v20"))
// CHECK-LABEL: first_of_two
// CHECK-NEXT: 0 1 2 3
// CHECK-NEXT: 0 1 2 3
CASE(first_in_lds, LDS("v20") LDS("v21") WAIT_LDS("1") TAKE("v20"))
// CHECK-LABEL: first_in_lds
// CHECK-NEXT: 100 101 102 103
// CHECK-NEXT: 100 101 102 103
CASE(address_gone, LDS("v20") "v_mov_b32 %2, 0\n" WAIT_LDS("0") TAKE("v20"))
// CHECK-LABEL: address_gone
// CHECK-NEXT: 100 101 102 103
// CHECK-NEXT: 100 101 102 103
CASE(overwritten_in_order, LOAD("v20", "0") LOAD("v20", "4") WAIT_LOAD("0") TAKE("v20"))
// CHECK-LABEL: overwritten_in_order
// CHECK-NEXT: 1 2 3 4
// CHECK-NEXT: 1 2 3 4
CASE(store_and_load, "v_mov_b32 v20, 7\n" STORE("v20") "v_mov_b32 v20, 8\n" LOAD("v21", "0") WAIT_LOAD("0") TAKE("v21"))
// CHECK-LABEL: store_and_load
// CHECK-NEXT: 7 7 7 7
// CHECK-NEXT: 7 7 7 7
CASE(generic_in_lds, FLAT("v20") WAIT_LDS("0") TAKE("v20"))
// CHECK-LABEL: generic_in_lds
// CHECK-NEXT: 100 101 102 103
// CHECK-NEXT: 100 101 102 103

// Wrong, each by one wait.
CASE(no_wait, LOAD("v20", "0") TAKE("v20"))
// CHECK-LABEL: no_wait
// CHECK-NEXT: 0 1 2 3
// CHECK-NEXT: fault: a wait is missing: v20 is used before the wait that covers its load: global_load_{{.*}} v20
// CHECK-NEXT: in no_wait+0x{{[0-9a-f]+}} ({{.*}}delay.cu:[[#@LINE-4]])
CASE(second_of_two, LOAD("v20", "0") LOAD("v21", "4") WAIT_LOAD("1") TAKE("v21"))
// CHECK-LABEL: second_of_two
// CHECK-NEXT: 1 2 3 4
// CHECK-NEXT: fault: a wait is missing: v21 is used
CASE(scalar_out_of_order, SLOAD("s20", "0x4") SLOAD("s21", "0x8") WAIT_S("1") TAKE("s20"))
// CHECK-LABEL: scalar_out_of_order
// CHECK-NEXT: 1 1 1 1
// CHECK-NEXT: fault: a wait is missing: s20 is used before the wait that covers its load: s_load_
CASE(other_counter, LDS("v20") WAIT_LOAD("0") TAKE("v20"))
// CHECK-LABEL: other_counter
// CHECK-NEXT: 100 101 102 103
// CHECK-NEXT: fault: a wait is missing: v20 is used before the wait that covers its load: ds_
CASE(generic_other_counter, FLAT("v20") WAIT_LOAD("0") TAKE("v20"))
// CHECK-LABEL: generic_other_counter
// CHECK-NEXT: 100 101 102 103
// CHECK-NEXT: fault: a wait is missing: v20 is used before the wait that covers its load: flat_load_
CASE(atomic_result, ADD("v20") TAKE("v20"))
// CHECK-LABEL: atomic_result
// CHECK-NEXT: 0 1 2 3
// CHECK-NEXT: fault: a wait is missing: v20 is used before the wait that covers its load: global_atomic_add
CASE(crossbar, "ds_bpermute_b32 v20, %2, %2\n" TAKE("v20"))
// CHECK-LABEL: crossbar
// CHECK-NEXT: 0 4 8 12
// CHECK-NEXT: fault: a wait is missing: v20 is used before the wait that covers its load: ds_bpermute_b32
CASE(overwritten, LOAD("v20", "0") "v_mov_b32 v20, 5\n" TAKE("v20"))
// CHECK-LABEL: overwritten
// CHECK-NEXT: 5 5 5 5
// CHECK-NEXT: fault: a wait is missing: v20 is used

// Stores are seen late where their wave does not wait for them: each thread reads what the next warp's left.
#define NEIGHBOUR(name, wait)                                                                                          \
	KERNEL                                                                                                         \
	name(u32 *o, u32 *in)                                                                                          \
	{                                                                                                              \
		SHARED u32 s[256];                                                                                     \
		s[tid] = 1;                                                                                            \
		BARRIER;                                                                                               \
		u32 at = (u32)(u64)(__attribute__((address_space(3))) u32 *)&s[tid];                                   \
		__asm__ volatile("ds_" WRITE " %0, %1\n" wait "\n" ::"v"(at), "v"(tid + in[0]) : "memory");                        \
		__builtin_amdgcn_s_barrier();                                                                          \
		u32 *p = &s[(tid + 64) & 255];                                                                         \
		__asm__ volatile("" : "+v"(p)::"memory");                                                              \
		o[tid] = *(volatile u32 *)p;                                                                           \
	}
#ifdef __gfx90a__
#define WRITE "write_b32"
#else
#define WRITE "store_b32"
#endif
NEIGHBOUR(store_and_barrier, WAIT_NONE)
// CHECK-LABEL: store_and_barrier
// CHECK-NEXT: 64 65 66 67
// CHECK-NEXT: 1 1 1 1
NEIGHBOUR(store_wait_barrier, WAIT_LDS("0"))
// CHECK-LABEL: store_wait_barrier
// CHECK-NEXT: 64 65 66 67
// CHECK-NEXT: 64 65 66 67

// One register is address and data; it has another value when the store happens.
KERNEL
same_register(u32 *o, u32 *in)
{
	SHARED u32 s[64];
	u32 v = (u32)(u64)(__attribute__((address_space(3))) u32 *)&s[tid], *p = &s[tid];
	__asm__ volatile("ds_" WRITE " %0, %0\nv_mov_b32 %0, 99\n" WAIT_LDS("0") : "+v"(v) : : "memory");
	__asm__ volatile("" : "+v"(p)::"memory");
	o[tid] = *(volatile u32 *)p + v;
}
// CHECK-LABEL: same_register
// CHECK-NEXT: 99 103 107 111
// CHECK-NEXT: 99 103 107 111
