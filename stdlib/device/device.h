// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// device.h - what the sources of the device library share. They are compiled once for all GPUs, to
// bitcode that is not optimised yet, without the language's headers: only attributes and builtins.
#ifndef HEDDLE_STDLIB_DEVICE_H
#define HEDDLE_STDLIB_DEVICE_H

#define __device__ __attribute__((device))

typedef __SIZE_TYPE__ size_t;

// clang's numbers of the memory scopes
enum { SCOPE_WORKGROUP = 3, SCOPE_AGENT = 4, SCOPE_SYSTEM = 5 };

#endif
