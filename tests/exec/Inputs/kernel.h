// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the tests of the executor need of a device language: builtins of clang under short names.
#define KERNEL extern "C" __attribute__((global)) void
#define DEVICE static __attribute__((device, noinline))
#define SHARED __attribute__((shared)) static
#define VAR    __attribute__((device))
typedef unsigned u32;
typedef unsigned long long u64;
#define tid  ((u32)__builtin_amdgcn_workitem_id_x())
#define threadIdx_y() ((u32)__builtin_amdgcn_workitem_id_y())
#define bid  ((u32)__builtin_amdgcn_workgroup_id_x())
#define bdim ((u32)__builtin_amdgcn_workgroup_size_x())
#define gdim (((u32)__builtin_amdgcn_grid_size_x()) / bdim)
#define lane (__builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0u)))
#define BARRIER                                                                                                        \
	(__builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup"), __builtin_amdgcn_s_barrier(),                          \
		__builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup"))
