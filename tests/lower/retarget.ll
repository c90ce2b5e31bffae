; The device library is bitcode for one GPU: its functions get the features of the program's kernels,
; unless they have fewer or others on purpose.
; RUN: %low -passes=retarget %s | FileCheck %s
target triple = "amdgcn-amd-amdhsa"

; CHECK: define amdgpu_kernel void @k() #[[K:[0-9]+]]
define amdgpu_kernel void @k() #0 {
  ret void
}
; CHECK: define void @library() #[[K]]
define void @library() #1 {
  ret void
}
; CHECK: define void @bare() #[[K]]
define void @bare() {
  ret void
}
; CHECK: define void @mine() #[[MINE:[0-9]+]]
define void @mine() #2 {
  ret void
}
; CHECK: attributes #[[K]] = { "target-cpu"="gfx90a" "target-features"="+a,+wavefrontsize64" }
; CHECK: attributes #[[MINE]] = { "target-cpu"="gfx90a" "target-features"="+b" }
attributes #0 = { "target-cpu"="gfx90a" "target-features"="+a,+wavefrontsize64" }
attributes #1 = { "target-cpu"="gfx90a" "target-features"="+a,+gfx11-insts,+wavefrontsize32,+wavefrontsize64" }
attributes #2 = { "target-cpu"="gfx90a" "target-features"="+b" }
