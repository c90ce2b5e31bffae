; Atomics that one lane of a warp does on an address that all share go to memory as they are: LLVM would take them
; for atomics of all lanes, and add up their values first. Those of all lanes are left alone.
; RUN: %low -passes=leader %s | FileCheck %s
; RUN: %low -passes=leader %s | %llvm/llc -mtriple=amdgcn-amd-amdhsa -o - | FileCheck %s --check-prefix=CODE
target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.workitem.id.y()
declare i32 @llvm.amdgcn.workgroup.id.x()

; CHECK-LABEL: @leader
; CHECK: %[[ZERO:.*]] = call i32 asm "", "=v,0"(i32 0)
; CHECK: %[[OFFSET:.*]] = zext i32 %[[ZERO]] to i64
; CHECK: %[[AT:.*]] = getelementptr i8, ptr addrspace(1) %p, i64 %[[OFFSET]]
; CHECK: atomicrmw add ptr addrspace(1) %[[AT]], i32 %v
; CODE-LABEL: leader:
; CODE-NOT: mbcnt
; CODE: v_mov_b32_e32 [[V:v[0-9]+]], 0
; CODE-NOT: readlane
; CODE: global_atomic_add [[V]], v{{[0-9]+}}, s[{{.*}}]
; CODE: s_endpgm
define amdgpu_kernel void @leader(ptr addrspace(1) %p, ptr addrspace(1) %q) "target-cpu"="gfx90a" {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %a = getelementptr i32, ptr addrspace(1) %q, i32 %t
  %v = load i32, ptr addrspace(1) %a
  %lane = and i32 %t, 31
  %c = icmp eq i32 %lane, 0
  br i1 %c, label %one, label %end
one:
  %old = atomicrmw add ptr addrspace(1) %p, i32 %v monotonic
  br label %end
end:
  ret void
}

; The same of shared memory, the other way around, under a second condition.
; CHECK-LABEL: @other
; CHECK: %[[ZERO:.*]] = call i32 asm "", "=v,0"(i32 0)
; CHECK: %[[AT:.*]] = getelementptr i8, ptr addrspace(3) %p, i32 %[[ZERO]]
; CHECK: atomicrmw umax ptr addrspace(3) %[[AT]], i32 %t
define amdgpu_kernel void @other(ptr addrspace(3) %p, i32 %n) "target-cpu"="gfx1100" {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %c = icmp ne i32 %t, %n
  br i1 %c, label %end, label %some
some:
  %d = icmp sgt i32 %n, 5
  br i1 %d, label %one, label %end
one:
  %old = atomicrmw umax ptr addrspace(3) %p, i32 %t monotonic
  br label %end
end:
  ret void
}

; All lanes; lanes of few columns; a condition of the block; an address that differs; no atomic that LLVM combines.
; CHECK-LABEL: @rest
; CHECK-NOT: asm
; CHECK: ret void
define amdgpu_kernel void @rest(ptr addrspace(1) %p, i32 %n) "target-cpu"="gfx90a" {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %all = atomicrmw add ptr addrspace(1) %p, i32 %t monotonic
  %bit = and i32 %t, 3
  %c = icmp eq i32 %bit, 0
  br i1 %c, label %many, label %next
many:
  %m = atomicrmw add ptr addrspace(1) %p, i32 %t monotonic
  br label %next
next:
  %b = call i32 @llvm.amdgcn.workgroup.id.x()
  %d = icmp eq i32 %b, 0
  br i1 %d, label %first, label %last
first:
  %f = atomicrmw add ptr addrspace(1) %p, i32 %t monotonic
  br label %last
last:
  %e = icmp eq i32 %t, 0
  br i1 %e, label %one, label %end
one:
  %y = call i32 @llvm.amdgcn.workitem.id.y()
  %a = getelementptr i32, ptr addrspace(1) %p, i32 %y
  %o = atomicrmw add ptr addrspace(1) %a, i32 %n monotonic
  %x = atomicrmw xchg ptr addrspace(1) %p, i32 %n monotonic
  br label %end
end:
  ret void
}
