; A declaration with another type than the table's is an error: it would read its operands wrongly.
; RUN: not %low -passes=warp %s 2>&1 | FileCheck %s
; CHECK: error: '__heddle_ballot' is declared otherwise than in lang/warp.def
target triple = "amdgcn-amd-amdhsa"
declare i64 @__heddle_ballot(i32, i32)
define amdgpu_kernel void @k() {
  call i64 @__heddle_ballot(i32 -1, i32 1)
  ret void
}
