// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx1100 -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O2 -I%S/Inputs %s -o %t.gfx1100
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx90a -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O2 -I%S/Inputs %s -o %t.gfx90a
// RUN: %gcnrun --block=32 %t.gfx1100 lanes outi:20x32 | FileCheck %s
// RUN: %gcnrun --block=32 %t.gfx90a lanes outi:20x32 | FileCheck %s
// RUN: %gcnrun --block=64 %t.gfx90a halves outi:5x64 | FileCheck %s --check-prefix=WAVE64
// Exchange between lanes. The same on both: 32 lanes are on, and nothing here crosses them.
#include "kernel.h"

KERNEL
lanes(int *o)
{
	int i = tid, v = i * 10;
	int *p = o + i;
	p[0] = __builtin_amdgcn_readfirstlane(v + 7);
	p[32] = __builtin_amdgcn_readlane(v, 13);
	p[64] = __builtin_amdgcn_ds_bpermute(4 * (i ^ 1), v);
	p[96] = __builtin_amdgcn_ds_permute(4 * ((i + 1) & 31), v);
	p[128] = __builtin_amdgcn_ds_swizzle(v, 0x041f);         // xor 1
	p[160] = __builtin_amdgcn_ds_swizzle(v, 0x8000 | 0x1b);  // quads reversed
	p[192] = __builtin_amdgcn_update_dpp(-1, v, 0x111, 0xf, 0xf, false); // row_shr:1, lane 0 of a row keeps -1
	p[224] = __builtin_amdgcn_update_dpp(-1, v, 0x101, 0xf, 0xf, true);  // row_shl:1, the last of a row reads 0
	p[256] = __builtin_amdgcn_update_dpp(-1, v, 0x12f, 0xf, 0xf, false); // row_ror:15
	p[288] = __builtin_amdgcn_update_dpp(-1, v, 0x140, 0xf, 0xf, false); // row_mirror
	p[320] = __builtin_amdgcn_update_dpp(-1, v, 0x141, 0xf, 0xf, false); // row_half_mirror
	p[352] = __builtin_amdgcn_update_dpp(-1, v, 0x4e, 0x1, 0xf, false);  // quad_perm:[2,3,0,1], first row only
	p[384] = __builtin_amdgcn_update_dpp(-1, v, 0xe4, 0xf, 0x5, false);  // banks 0 and 2 only
	p[416] = lane;
	u64 odd = __builtin_amdgcn_ballot_w64(i & 1);
	p[448] = (int)odd;
	if (i >= 5 && i < 9) { // lanes that are off give 0 to bpermute
		p[480] = __builtin_amdgcn_ds_bpermute(4 * (i + 2), v);
		p[512] = __builtin_amdgcn_readfirstlane(v);
		p[544] = __builtin_popcountll(__builtin_amdgcn_ballot_w64(true));
	}
	p[576] = __builtin_amdgcn_mbcnt_lo(0x55555555, 100);
}
// CHECK: arg0[0]: 7 7 7
// CHECK: arg0[1]: 130 130
// CHECK: arg0[2]: 10 0 30 20 50 40
// CHECK: arg0[3]: 310 0 10 20
// CHECK: arg0[4]: 10 0 30 20 50 40
// CHECK: arg0[5]: 30 20 10 0 70 60 50 40
// CHECK: arg0[6]: -1 0 10 20 {{.*}} 140 -1 160 170
// CHECK: arg0[7]: 10 20 {{.*}} 150 0 170 {{.*}} 310 0
// CHECK: arg0[8]: 10 20 30 {{.*}} 150 0 170 {{.*}} 310 160
// CHECK: arg0[9]: 150 140 {{.*}} 10 0 310 300 {{.*}} 160
// CHECK: arg0[10]: 70 60 50 40 30 20 10 0 150 140
// CHECK: arg0[11]: 20 30 0 10 60 {{.*}} 120 130 -1 -1
// CHECK: arg0[12]: 0 10 20 30 -1 -1 -1 -1 80 90 100 110 -1
// CHECK: arg0[13]: 0 1 2 3 4
// CHECK: arg0[14]: -1431655766
// CHECK: arg0[15]: 0 0 0 0 0 70 80 0 0 0
// CHECK: arg0[16]: 0 0 0 0 0 50 50 50 50 0
// CHECK: arg0[17]: 0 0 0 0 0 4 4 4 4 0
// CHECK: arg0[18]: 100 101 101 102 102 103

#ifdef __GFX9__
KERNEL
halves(int *o)
{
	int i = tid, v = i * 10;
	int *p = o + i;
	p[0] = __builtin_amdgcn_ds_bpermute(4 * (i ^ 33), v);
	p[64] = __builtin_amdgcn_update_dpp(-1, v, 0x142, 0xa, 0xf, false); // row_bcast:15 to rows 1 and 3
	p[128] = __builtin_amdgcn_update_dpp(-1, v, 0x143, 0xc, 0xf, false); // row_bcast:31 to rows 2 and 3
	p[192] = lane;
	u64 b = __builtin_amdgcn_ballot_w64(i > 30);
	p[256] = (int)(b >> 31);
}
#endif
// WAVE64: arg0[0]: 330 320 350
// WAVE64: arg0[1]: -1 {{.*}} -1 150 150 {{.*}} 150 -1 {{.*}} -1 470 470
// WAVE64: arg0[2]: -1 {{.*}} -1 310 310
// WAVE64: arg0[3]: 0 1 2 {{.*}} 62 63
// WAVE64: arg0[4]: -1 -1
