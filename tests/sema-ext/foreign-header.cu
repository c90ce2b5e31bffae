// A header that Heddle lacks is never taken from another CUDA toolkit, however it is reached; what merely
// lies beside links to one is no toolkit.
// RUN: rm -rf %t && mkdir -p %t/other/include %t/shared
// RUN: touch %t/other/include/cuda_runtime.h %t/other/include/lacking.h %t/shared/plain.h
// RUN: ln -s %t/other/include/cuda_runtime.h %t/shared/cuda_runtime.h
// RUN: ln -s %t/other/include/lacking.h %t/shared/lacking.h
// RUN: %nvcc -c %s -o %t/a.o -I%t/shared -DPLAIN
// RUN: not %nvcc -c %s -o %t/b.o -I%t/shared 2>&1 | FileCheck %s
// RUN: not %nvcc -c %s -o %t/c.o -isystem %t/other/include 2>&1 | FileCheck %s
#ifdef PLAIN
#include <plain.h>
#else
// CHECK: foreign-header.cu:[[#@LINE+1]]:10: fatal error: 'lacking.h' is found only in another CUDA toolkit ({{.*}}/other/include/lacking.h): Heddle does not have it
#include <lacking.h>
#endif
__global__ void k() {}
