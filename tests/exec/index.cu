// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx1100 -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O2 %s -o %t.gfx1100
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx90a -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O2 %s -o %t.gfx90a
// RUN: %llvm/llvm-objdump -d %t.gfx1100 | FileCheck %s --check-prefix=RDNA
// RUN: %llvm/llvm-objdump -d %t.gfx90a | FileCheck %s --check-prefix=CDNA
// RUN: %gcnrun --block=4 %t.gfx1100 dynamic outi:16x4 iota:64 5 3 | FileCheck %s
// RUN: %gcnrun --block=4 %t.gfx90a dynamic outi:16x4 iota:64 5 3 | FileCheck %s
// An array in registers, read and written by an index in a scalar and by one that differs between lanes.
// RDNA-DAG: v_movrels_b32
// RDNA-DAG: v_movreld_b32
// CDNA-DAG: s_set_gpr_idx_on s{{[0-9]+}}, gpr_idx(SRC0)
// CDNA-DAG: s_set_gpr_idx_on s{{[0-9]+}}, gpr_idx(DST)
extern "C" __attribute__((global)) void
dynamic(int *o, const int *a, int n, int m)
{
	int v[16], t = __builtin_amdgcn_workitem_id_x();
	for (int i = 0; i < 16; i++)
		v[i] = a[i * 4 + t];
	for (int j = 0; j < m; j++) // v[5] += 2 * v[0]; v[6] += 2 * v[5]; v[7] += 2 * v[10]
		v[(n + j) & 15] += v[(n * j) & 15] * 2;
	int s = v[(t + 6) & 15];
	v[(t * 3) & 15] = s; // lane t: v[3t] = v[t + 6]
	for (int i = 0; i < 16; i++)
		o[i * 4 + t] = v[i];
}
// CHECK: arg0[0]: 64 1 2 3
// CHECK-NEXT: arg0[1]: 4 5 6 7
// CHECK-NEXT: arg0[2]: 8 9 10 11
// CHECK-NEXT: arg0[3]: 12 111 14 15
// CHECK-NEXT: arg0[4]: 16 17 18 19
// CHECK-NEXT: arg0[5]: 20 23 26 29
// CHECK-NEXT: arg0[6]: 64 71 34 85
// CHECK-NEXT: arg0[7]: 108 111 114 117
// CHECK-NEXT: arg0[8]: 32 33 34 35
// CHECK-NEXT: arg0[9]: 36 37 38 39
// CHECK-NEXT: arg0[10]: 40 41 42 43
// CHECK-NEXT: arg0[11]: 44 45 46 47
// CHECK-NEXT: arg0[12]: 48 49 50 51
// CHECK-NEXT: arg0[13]: 52 53 54 55
// CHECK-NEXT: arg0[14]: 56 57 58 59
// CHECK-NEXT: arg0[15]: 60 61 62 63
