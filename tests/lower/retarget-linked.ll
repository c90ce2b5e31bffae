; When device code is linked after it was compiled, the library's functions flush denormals as the
; program's first kernel does: clang's link does not know. The program's own keep what they have.
; RUN: %low -passes=retarget %s | FileCheck %s
target triple = "amdgcn-amd-amdhsa"

; CHECK: define amdgpu_kernel void @k() #[[K:[0-9]+]]
define amdgpu_kernel void @k() #0 {
  ret void
}
; CHECK: define void @library() #[[L:[0-9]+]]
define void @library() #1 {
  ret void
}
; CHECK: define void @own() #[[O:[0-9]+]]
define void @own() #2 {
  ret void
}
; CHECK: attributes #[[L]] = { "denormal-fp-math-f32"="preserve-sign,preserve-sign" {{.*}} }
; CHECK: attributes #[[O]] = { "denormal-fp-math-f32"="ieee,ieee" {{.*}} }
attributes #0 = { "denormal-fp-math-f32"="preserve-sign,preserve-sign" "heddle-part"="true" "target-cpu"="gfx1100" "target-features"="+x" }
attributes #1 = { "denormal-fp-math-f32"="ieee,ieee" "target-cpu"="gfx1100" "target-features"="+x" }
attributes #2 = { "denormal-fp-math-f32"="ieee,ieee" "heddle-part"="true" "target-cpu"="gfx1100" "target-features"="+x" }
