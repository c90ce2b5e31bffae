; LLVM 22's structurizer moved %low up to the first branch and gave threads whose %v is 1 a poison value for it. Right before
; it, low_edge cuts such blocks in two.
; RUN: %llvm/llc -load=%build/lib/heddle/libheddle-lower.so -mcpu=gfx1100 -stop-after=structurizecfg %s -o - | FileCheck %s
; RUN: %llvm/llc -load=%build/lib/heddle/libheddle-lower.so -mcpu=gfx90a -O0 -stop-after=structurizecfg %s -o - | FileCheck %s
; CHECK: one:
; CHECK: %low = trunc i64 %{{.*}} to i32
; CHECK-NEXT: br label %one.split
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @k(ptr addrspace(1) %p, i64 %wide) {
entry:
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %a = getelementptr i32, ptr addrspace(1) %p, i32 %t
  %v = load i32, ptr addrspace(1) %a
  %c2 = icmp eq i32 %v, 2
  br i1 %c2, label %two, label %not.two

not.two:
  %c1 = icmp eq i32 %v, 1
  br i1 %c1, label %one, label %other

other:
  %s = mul i32 %v, 7
  br label %merge

two:
  store i32 5, ptr addrspace(1) %a
  br label %one

one:
  %low = trunc i64 %wide to i32
  br label %merge

merge:
  %r = phi i32 [ %s, %other ], [ %low, %one ]
  store i32 %r, ptr addrspace(1) %a
  ret void
}
