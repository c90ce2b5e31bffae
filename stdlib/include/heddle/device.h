/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * device.h - how the headers of this folder write a device function. Both passes see the same
 * declarations; only the device pass sees bodies, so that AMD's builtins never trouble the host.
 *
 *   HEDDLE_FN float __sinf(float x) HEDDLE_BODY(return …;)
 */
#ifndef HEDDLE_DEVICE_H
#define HEDDLE_DEVICE_H

#include "../host_defines.h"

/* nodebug: what is inlined gets the line of the call, which is what a fault message shall name. */
#define HEDDLE_FN static __inline__ __device__ __attribute__((always_inline, nodebug))
#if defined(__AMDGCN__)
#define HEDDLE_BODY(...) { __VA_ARGS__ }
#else
#define HEDDLE_BODY(...) ;
#endif

/* The bits of a value as another type of the same size. */
#define HEDDLE_BITS(to, value) __builtin_bit_cast(to, value)

#endif
