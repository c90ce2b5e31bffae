; gfx942 and gfx950 have no image instructions; LLVM would emit them all the same.
; RUN: not %low -passes=image %s 2>&1 | FileCheck %s
; RUN: sed s/gfx942/gfx90a/ %s | %low -passes=image | FileCheck %s --check-prefix=OK
; CHECK: error: {{.*}}gfx942 has no image instructions
; OK: call <4 x float> @llvm.amdgcn.image.load
target triple = "amdgcn-amd-amdhsa"
declare <4 x float> @llvm.amdgcn.image.load.1d.v4f32.i32.v8i32(i32, i32, <8 x i32>, i32, i32)
define amdgpu_kernel void @k(ptr addrspace(1) %p, <8 x i32> inreg %r) "target-cpu"="gfx942" {
  %v = call <4 x float> @llvm.amdgcn.image.load.1d.v4f32.i32.v8i32(i32 15, i32 0, <8 x i32> %r, i32 0, i32 0)
  store <4 x float> %v, ptr addrspace(1) %p
  ret void
}
