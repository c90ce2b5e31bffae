/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * nv_atomic.h - the __nv_atomic_ functions: atomic operations on any type of 1 to 8 bytes with a
 * memory order and a scope as arguments (CUDA C++ Programming Guide, "Atomic Functions"). Orders
 * are numbered as clang's; scopes are not.
 */
#ifndef HEDDLE_NV_ATOMIC_H
#define HEDDLE_NV_ATOMIC_H

#include "device.h"

#define __NV_ATOMIC_RELAXED 0
#define __NV_ATOMIC_CONSUME 1
#define __NV_ATOMIC_ACQUIRE 2
#define __NV_ATOMIC_RELEASE 3
#define __NV_ATOMIC_ACQ_REL 4
#define __NV_ATOMIC_SEQ_CST 5

#define __NV_THREAD_SCOPE_THREAD  0
#define __NV_THREAD_SCOPE_BLOCK   1
#define __NV_THREAD_SCOPE_CLUSTER 2
#define __NV_THREAD_SCOPE_DEVICE  3
#define __NV_THREAD_SCOPE_SYSTEM  4

/* clang's number of a scope; a cluster, which we do not have, is the device. */
#define HEDDLE_SCOPE(s) ((s) >= 4 ? 0 : (s) >= 2 ? 1 : (s) == 1 ? 2 : 4)
#define HEDDLE_ATOMIC template <class T> HEDDLE_FN
#define HEDDLE_LAST int order, int scope = __NV_THREAD_SCOPE_SYSTEM

HEDDLE_ATOMIC T __nv_atomic_load_n(T *p, HEDDLE_LAST)
HEDDLE_BODY(return __scoped_atomic_load_n(p, order, HEDDLE_SCOPE(scope));)
HEDDLE_ATOMIC void __nv_atomic_load(T *p, T *result, HEDDLE_LAST)
HEDDLE_BODY(__scoped_atomic_load(p, result, order, HEDDLE_SCOPE(scope));)
HEDDLE_ATOMIC void __nv_atomic_store_n(T *p, T value, HEDDLE_LAST)
HEDDLE_BODY(__scoped_atomic_store_n(p, value, order, HEDDLE_SCOPE(scope));)
HEDDLE_ATOMIC void __nv_atomic_store(T *p, T *value, HEDDLE_LAST)
HEDDLE_BODY(__scoped_atomic_store(p, value, order, HEDDLE_SCOPE(scope));)
HEDDLE_ATOMIC T __nv_atomic_exchange_n(T *p, T value, HEDDLE_LAST)
HEDDLE_BODY(return __scoped_atomic_exchange_n(p, value, order, HEDDLE_SCOPE(scope));)
HEDDLE_ATOMIC void __nv_atomic_exchange(T *p, T *value, T *result, HEDDLE_LAST)
HEDDLE_BODY(__scoped_atomic_exchange(p, value, result, order, HEDDLE_SCOPE(scope));)
HEDDLE_ATOMIC bool __nv_atomic_compare_exchange_n(T *p, T *expected, T desired, bool weak, int success, int failure,
	int scope = __NV_THREAD_SCOPE_SYSTEM)
HEDDLE_BODY((void)weak;
	return __scoped_atomic_compare_exchange_n(p, expected, desired, false, success, failure, HEDDLE_SCOPE(scope));)
HEDDLE_ATOMIC bool __nv_atomic_compare_exchange(T *p, T *expected, T *desired, bool weak, int success, int failure,
	int scope = __NV_THREAD_SCOPE_SYSTEM)
HEDDLE_BODY((void)weak;
	return __scoped_atomic_compare_exchange(p, expected, desired, false, success, failure, HEDDLE_SCOPE(scope));)

/* Both forms of an operation: with the old value, and without */
#define HEDDLE_OPERATION(name)                                                                    \
	HEDDLE_ATOMIC T __nv_atomic_fetch_##name(T *p, T value, HEDDLE_LAST)                      \
	HEDDLE_BODY(return __scoped_atomic_fetch_##name(p, value, order, HEDDLE_SCOPE(scope));)   \
	HEDDLE_ATOMIC void __nv_atomic_##name(T *p, T value, HEDDLE_LAST)                         \
	HEDDLE_BODY(__scoped_atomic_fetch_##name(p, value, order, HEDDLE_SCOPE(scope));)
HEDDLE_OPERATION(add)
HEDDLE_OPERATION(sub)
HEDDLE_OPERATION(and)
HEDDLE_OPERATION(or)
HEDDLE_OPERATION(xor)
HEDDLE_OPERATION(min)
HEDDLE_OPERATION(max)
#undef HEDDLE_OPERATION

HEDDLE_FN void __nv_atomic_thread_fence(HEDDLE_LAST)
HEDDLE_BODY(__scoped_atomic_thread_fence(order, HEDDLE_SCOPE(scope));)

#undef HEDDLE_LAST
#undef HEDDLE_ATOMIC
#undef HEDDLE_SCOPE

#endif
