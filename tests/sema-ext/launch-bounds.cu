// __launch_bounds__ reaches the backend in AMD's attributes: stock clang ignores it on AMDGCN.
// RUN: %device --offload-arch=gfx90a -O1 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - %plugin | FileCheck %s
// RUN: %device --offload-arch=gfx90a -O1 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=STOCK
// RUN: %device --offload-arch=gfx90a -O1 -c %s -o %t.co %plugin
// RUN: llvm-readelf -n %t.co | FileCheck %s --check-prefix=META
#include "mini.h"
// STOCK-NOT: "amdgpu-flat-work-group-size"="1,{{(64|256)}}"

// CHECK: define {{.*}} @_Z5plainPi({{.*}} #[[PLAIN:[0-9]+]]
__global__ void plain(int *p) { *p = 1; }
// CHECK: define {{.*}} @_Z7boundedPi({{.*}} #[[BOUNDED:[0-9]+]]
__global__ void __launch_bounds__(256) bounded(int *p) { *p = 2; }
// 4 blocks of 256 threads are 16 waves on 4 SIMDs
// CHECK: define {{.*}} @_Z4manyPi({{.*}} #[[MANY:[0-9]+]]
__global__ void __launch_bounds__(256, 4) many(int *p) { *p = 3; }
// declared with bounds, defined without
__global__ void __launch_bounds__(64) later(int *p);
// CHECK: define {{.*}} @_Z5laterPi({{.*}} #[[LATER:[0-9]+]]
__global__ void later(int *p) { *p = 4; }
// CHECK: define {{.*}} @_Z4tmplILi32EEvPi({{.*}} #[[TMPL:[0-9]+]]
template <int N> __global__ void __launch_bounds__(N * 4) tmpl(int *p) { *p = N; }
template __global__ void tmpl<32>(int *);

// CHECK-DAG: attributes #[[PLAIN]] = {{.*}}"amdgpu-flat-work-group-size"="1,1024"
// CHECK-DAG: attributes #[[BOUNDED]] = {{.*}}"amdgpu-flat-work-group-size"="1,256"
// CHECK-DAG: attributes #[[MANY]] = {{.*}}"amdgpu-flat-work-group-size"="1,256" "amdgpu-waves-per-eu"="4"
// CHECK-DAG: attributes #[[LATER]] = {{.*}}"amdgpu-flat-work-group-size"="1,64"
// CHECK-DAG: attributes #[[TMPL]] = {{.*}}"amdgpu-flat-work-group-size"="1,128"
// META-DAG: .max_flat_workgroup_size: 1024
// META-DAG: .max_flat_workgroup_size: 256
// META-DAG: .max_flat_workgroup_size: 64
// META-DAG: .max_flat_workgroup_size: 128
