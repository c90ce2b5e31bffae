; The operations of lang/warp.def become intrinsics of the wave size; on 64 lanes all stays in the own
; half. What is not called is not there.
; RUN: sed s/GPU/gfx1100/ %s >%t.ll && %low -passes=warp %t.ll -o %t.32.ll
; RUN: %opt -passes=always-inline,instcombine,globaldce -S %t.32.ll | FileCheck %s --check-prefixes=CHECK,W32
; RUN: sed s/GPU/gfx90a/ %s >%t.ll && %low -passes=warp %t.ll -o %t.64.ll
; RUN: %opt -passes=always-inline,instcombine,globaldce -S %t.64.ll | FileCheck %s --check-prefixes=CHECK,W64
; RUN: FileCheck %s --check-prefix=UNUSED <%t.64.ll
; UNUSED-NOT: __heddle_vote_uni
; UNUSED: define internal i32 @__heddle_ballot
; UNUSED-NOT: __heddle_vote_uni
target triple = "amdgcn-amd-amdhsa"
declare i32 @__heddle_lane_id() #1
declare i32 @__heddle_ballot(i32, i32) #1
declare i32 @__heddle_shfl_bfly(i32, i32, i32, i32) #1
declare void @__heddle_sync_block() #1
declare void @__heddle_sync_warp(i32) #1
declare i32 @__heddle_sync_count(i32) #1
declare i32 @__heddle_not_ours(i32) #1

; CHECK-LABEL: define amdgpu_kernel void @lane
; W32-NEXT: %[[L:.*]] = call{{.*}} i32 @llvm.amdgcn.mbcnt.lo(i32 -1, i32 0)
; W32-NEXT: store i32 %[[L]]
; W64-NEXT: %[[A:.*]] = call i32 @llvm.amdgcn.mbcnt.lo(i32 -1, i32 0)
; W64-NEXT: %[[L:.*]] = call{{.*}} i32 @llvm.amdgcn.mbcnt.hi(i32 -1, i32 %[[A]])
; W64-NEXT: %[[R:.*]] = and i32 %[[L]], 31
; W64-NEXT: store i32 %[[R]]
define amdgpu_kernel void @lane(ptr addrspace(1) %p) #0 {
  %v = call i32 @__heddle_lane_id()
  store i32 %v, ptr addrspace(1) %p
  ret void
}
; CHECK-LABEL: define amdgpu_kernel void @ballot
; W32: call i32 @llvm.amdgcn.ballot.i32(i1
; W64: %[[B:.*]] = call i64 @llvm.amdgcn.ballot.i64(i1
; CHECK: store
define amdgpu_kernel void @ballot(ptr addrspace(1) %p, i32 %x) #0 {
  %v = call i32 @__heddle_ballot(i32 -1, i32 %x)
  store i32 %v, ptr addrspace(1) %p
  ret void
}
; CHECK-LABEL: define amdgpu_kernel void @bfly
; CHECK: xor i32 %{{.*}}, {{3|12}}
; CHECK: call i32 @llvm.amdgcn.ds.bpermute(i32 %{{.*}}, i32 %x)
define amdgpu_kernel void @bfly(ptr addrspace(1) %p) #0 {
  %x = call i32 @llvm.amdgcn.workitem.id.x()
  %v = call i32 @__heddle_shfl_bfly(i32 -1, i32 %x, i32 3, i32 31)
  store i32 %v, ptr addrspace(1) %p
  ret void
}
; CHECK-LABEL: define amdgpu_kernel void @barriers
; CHECK-NEXT: fence syncscope("workgroup") release
; CHECK-NEXT: call void @llvm.amdgcn.s.barrier()
; CHECK-NEXT: fence syncscope("workgroup") acquire
; CHECK-NEXT: fence syncscope("wavefront") release
; CHECK-NEXT: call void @llvm.amdgcn.wave.barrier()
; CHECK-NEXT: fence syncscope("wavefront") acquire
; CHECK-NEXT: ret void
define amdgpu_kernel void @barriers() #0 {
  call void @__heddle_sync_block()
  call void @__heddle_sync_warp(i32 -1)
  ret void
}
; CHECK-LABEL: define amdgpu_kernel void @others
; CHECK-NEXT: call i32 @__heddle_not_ours(i32 1)
define amdgpu_kernel void @others() #0 {
  call i32 @__heddle_not_ours(i32 1)
  ret void
}
attributes #0 = { "target-cpu"="GPU" }
attributes #1 = { convergent }
