; Names of what is static in one source of several, as the host's pass knows them (-rdc=true).
; RUN: %opt -load-pass-plugin=%build/lib/heddle/libheddle-lower.so -passes=low-part -S %s | %FileCheck %s
target triple = "amdgcn-amd-amdhsa"

@v = external addrspace(1) global i32
@v.static.1f = addrspace(1) global i32 0
@elsewhere.static.1f = external addrspace(1) global i32
; CHECK-DAG: @v__static__1f = addrspace(1) global i32 0
; CHECK-DAG: @elsewhere.static.1f = external

define amdgpu_kernel void @k.intern.1f() #0 {
  store i32 1, ptr addrspace(1) @v
  ret void
}
; CHECK: define amdgpu_kernel void @k__intern__1f() [[A:#[0-9]+]]
; CHECK-NEXT: store i32 1, ptr addrspace(1) @v__static__1f

; The operations of a warp wait for the link.
declare i32 @__heddle_lane() #0
define i32 @f() #0 {
  %x = call i32 @__heddle_lane()
  ret i32 %x
}
; CHECK: define i32 @f() [[A]]
; CHECK-NEXT: call i32 @__heddle_lane()
; CHECK: attributes [[A]] = { {{.*}}"heddle-part"="true"
attributes #0 = { "target-cpu"="gfx1100" }
