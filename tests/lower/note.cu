// Each kernel has a note in the code object: version, warp mode, largest block, name, reason. It is of
// type NOTE, loaded, and survives stripping.
// RUN: %device --offload-arch=gfx1100 -O2 -c %s -o %t.co
// RUN: llvm-readelf -SnW %t.co | FileCheck %s --check-prefixes=SECTION
// RUN: llvm-strip %t.co -o %t.stripped
// RUN: llvm-readelf -x .note.heddle %t.stripped | FileCheck %s --check-prefix=WAVE32
// RUN: %device --offload-arch=gfx90a -O0 -c %s -o %t.co
// RUN: llvm-readelf -x .note.heddle %t.co | FileCheck %s --check-prefix=WAVE64
#include "mini.h"
// SECTION: .note.heddle NOTE {{.*}} A 0
// SECTION: Displaying notes found in: .note.heddle
// SECTION: Heddle 0x0000001c
// SECTION: Heddle 0x0000001b
// namesz 7, descsz, type 1, "Heddle"; version 1, mode 1 (wave32) or 2 (paired), block 0x400, flags 0
// WAVE32: 07000000 1c000000 01000000 48656464
// WAVE32-NEXT: 6c650000 01000000 01000000 00040000
// WAVE32-NEXT: 00000000 5f5a3561 6c6f6e65 50690000
// WAVE64: 07000000 1c000000 01000000 48656464
// WAVE64-NEXT: 6c650000 01000000 02000000 00040000
__global__ void alone(int *p) { *p = 1; }
// WAVE32-NEXT: 07000000 1b000000 01000000 48656464
// WAVE32-NEXT: 6c650000 01000000 01000000 80000000
// WAVE32-NEXT: 00000000 5f5a3462 6f746850 69000000
__global__ void __launch_bounds__(128) both(int *p) { *p = 2; }
