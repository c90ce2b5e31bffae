; ocml's control constants are defined from the GPU and the module's flags.
; RUN: sed s/GPU/gfx90a/ %s | %low -passes=oclc | FileCheck %s --check-prefixes=CHECK,GFX90A
; RUN: sed s/GPU/gfx1151/ %s | %low -passes=oclc | FileCheck %s --check-prefixes=CHECK,GFX1151
; RUN: sed 's/GPU/gfx1100/; s/ieee/preserve-sign/' %s | %low -passes=oclc | FileCheck %s --check-prefix=FTZ
target triple = "amdgcn-amd-amdhsa"

; GFX90A: @__oclc_ISA_version = internal {{.*}}constant i32 9010, align 4
; GFX1151: @__oclc_ISA_version = internal {{.*}}constant i32 11501, align 4
@__oclc_ISA_version = external addrspace(4) constant i32, align 4
; CHECK: @__oclc_ABI_version = internal {{.*}}constant i32 500
@__oclc_ABI_version = external addrspace(4) constant i32, align 4
; GFX90A: @__oclc_wavefrontsize64 = internal {{.*}}constant i8 1
; GFX1151: @__oclc_wavefrontsize64 = internal {{.*}}constant i8 0
@__oclc_wavefrontsize64 = external addrspace(4) constant i8, align 1
; CHECK: @__oclc_finite_only_opt = internal {{.*}}constant i8 0
@__oclc_finite_only_opt = external addrspace(4) constant i8, align 1
; CHECK: @__oclc_daz_opt = internal {{.*}}constant i8 0
; FTZ: @__oclc_daz_opt = internal {{.*}}constant i8 1
@__oclc_daz_opt = external addrspace(4) constant i8, align 1
; CHECK: @other = external
@other = external addrspace(4) constant i8, align 1

define amdgpu_kernel void @k() #0 {
  ret void
}
attributes #0 = { "target-cpu"="GPU" "denormal-fp-math-f32"="ieee,ieee" }
!llvm.module.flags = !{!0}
!0 = !{i32 1, !"amdhsa_code_object_version", i32 500}
