/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * atomic.h - the atomic functions and fences. They are relaxed, as CUDA's are, and of device scope
 * but for the forms that end in _block and _system. Pointers are generic: the backend finds out
 * whether they point to global or shared memory, and uses a compare-and-swap loop where a chip has
 * no instruction that is right for every kind of memory.
 */
#ifndef HEDDLE_ATOMIC_H
#define HEDDLE_ATOMIC_H

#include "device.h"

HEDDLE_FN void __threadfence_block() HEDDLE_BODY(__builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup");)
HEDDLE_FN void __threadfence() HEDDLE_BODY(__builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent");)
HEDDLE_FN void __threadfence_system() HEDDLE_BODY(__builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "");)

/* clang's numbers of the scopes */
#define HEDDLE_SCOPE_WORKGROUP 3
#define HEDDLE_SCOPE_AGENT     4
#define HEDDLE_SCOPE_SYSTEM    5

/* HEDDLE_RMW(function, suffix, builtin, scope, type): one operation at one scope */
#define HEDDLE_RMW(function, suffix, builtin, scope, type)                      \
	HEDDLE_FN type function##suffix(type *p, type value)                    \
	HEDDLE_BODY(return __hip_atomic_##builtin(p, value, __ATOMIC_RELAXED, HEDDLE_SCOPE_##scope);)
#define HEDDLE_SUB(function, suffix, builtin, scope, type)                      \
	HEDDLE_FN type function##suffix(type *p, type value)                    \
	HEDDLE_BODY(return __hip_atomic_fetch_add(p, (type)-value, __ATOMIC_RELAXED, HEDDLE_SCOPE_##scope);)
#define HEDDLE_CAS(function, suffix, builtin, scope, type)                      \
	HEDDLE_FN type function##suffix(type *p, type expected, type value)     \
	HEDDLE_BODY(                                                            \
		__hip_atomic_compare_exchange_strong(p, &expected, value,       \
			__ATOMIC_RELAXED, __ATOMIC_RELAXED, HEDDLE_SCOPE_##scope); \
		return expected;)
#define HEDDLE_SCOPES(OP, function, builtin, type)        \
	OP(function, , builtin, AGENT, type)              \
	OP(function, _block, builtin, WORKGROUP, type)    \
	OP(function, _system, builtin, SYSTEM, type)
#define HEDDLE_INT_TYPES(OP, function, builtin)                  \
	HEDDLE_SCOPES(OP, function, builtin, int)                \
	HEDDLE_SCOPES(OP, function, builtin, unsigned int)       \
	HEDDLE_SCOPES(OP, function, builtin, unsigned long long)

HEDDLE_INT_TYPES(HEDDLE_RMW, atomicAdd, fetch_add)
HEDDLE_SCOPES(HEDDLE_RMW, atomicAdd, fetch_add, float)
HEDDLE_SCOPES(HEDDLE_RMW, atomicAdd, fetch_add, double)
HEDDLE_SCOPES(HEDDLE_SUB, atomicSub, , int)
HEDDLE_SCOPES(HEDDLE_SUB, atomicSub, , unsigned int)
HEDDLE_INT_TYPES(HEDDLE_RMW, atomicExch, exchange)
HEDDLE_SCOPES(HEDDLE_RMW, atomicExch, exchange, float)
HEDDLE_INT_TYPES(HEDDLE_RMW, atomicMin, fetch_min)
HEDDLE_SCOPES(HEDDLE_RMW, atomicMin, fetch_min, long long)
HEDDLE_INT_TYPES(HEDDLE_RMW, atomicMax, fetch_max)
HEDDLE_SCOPES(HEDDLE_RMW, atomicMax, fetch_max, long long)
HEDDLE_INT_TYPES(HEDDLE_RMW, atomicAnd, fetch_and)
HEDDLE_INT_TYPES(HEDDLE_RMW, atomicOr, fetch_or)
HEDDLE_INT_TYPES(HEDDLE_RMW, atomicXor, fetch_xor)
HEDDLE_INT_TYPES(HEDDLE_CAS, atomicCAS, )
HEDDLE_SCOPES(HEDDLE_CAS, atomicCAS, , unsigned short)

/* Inc and Dec wrap at a bound; the scope of these builtins is a string. */
#define HEDDLE_WRAP(function, suffix, builtin, scope)                              \
	HEDDLE_FN unsigned int function##suffix(unsigned int *p, unsigned int bound) \
	HEDDLE_BODY(return __builtin_amdgcn_atomic_##builtin##32(p, bound, __ATOMIC_RELAXED, scope);)
HEDDLE_WRAP(atomicInc, , inc, "agent")
HEDDLE_WRAP(atomicInc, _block, inc, "workgroup")
HEDDLE_WRAP(atomicInc, _system, inc, "")
HEDDLE_WRAP(atomicDec, , dec, "agent")
HEDDLE_WRAP(atomicDec, _block, dec, "workgroup")
HEDDLE_WRAP(atomicDec, _system, dec, "")

#undef HEDDLE_WRAP
#undef HEDDLE_INT_TYPES
#undef HEDDLE_SCOPES
#undef HEDDLE_CAS
#undef HEDDLE_SUB
#undef HEDDLE_RMW

#endif
