/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* rows.h - ROW_ANY(name) for every row of isa.def, in order; no guard. */
#include "amdgpu/exec/isa_none.h"
#undef SALU
#undef EXECOP
#undef EXECWR
#undef SFLOAT
#undef FLOW
#undef NOP
#undef VALU
#undef VFP
#undef ACC
#undef ACCFP
#undef XINFP
#undef XOUT
#undef PK
#undef PKFP
#undef PK32
#undef PKACC
#undef CMP
#undef CLASS
#undef HELP
#undef LOAD
#undef STORE
#undef ATOMIC
#undef SLOAD
#undef DS2
#undef XCHG2
#undef RARE
#undef MATRIX
#undef SPARSE
#undef SCALED
#undef WIDE
#define SALU(name, D, A, B, value, scc)          ROW_ANY(name)
#define EXECOP(name, T, value)                   ROW_ANY(name)
#define EXECWR(name, T, value)                   ROW_ANY(name)
#define SFLOAT(name, row)                        ROW_ANY(name)
#define FLOW(name)                               ROW_ANY(name)
#define NOP(name)                                ROW_ANY(name)
#define VALU(name, D, A, B, C, value)            ROW_ANY(name)
#define VFP(name, D, A, B, C, value)             ROW_ANY(name)
#define ACC(name, D, A, B, value)                ROW_ANY(name)
#define ACCFP(name, D, A, B, value)              ROW_ANY(name)
#define XINFP(name, D, A, B, C, value)           ROW_ANY(name)
#define XOUT(name, D, A, B, C, value, mask)      ROW_ANY(name)
#define PK(name, E, D, A, B, C, value)           ROW_ANY(name)
#define PKFP(name, E, D, A, B, C, value)         ROW_ANY(name)
#define PK32(name, C, value)                     ROW_ANY(name)
#define PKACC(name, E, D, A, B, value)           ROW_ANY(name)
#define CMP(name, A, B, value)                   ROW_ANY(v_cmp_##name)
#define CLASS(name, A, value)                    ROW_ANY(name)
#define HELP(name)                               ROW_ANY(name)
#define LOAD(name, bytes, dwords, sign, d16, hi) ROW_ANY(name)
#define STORE(name, bytes, dwords, hi)           ROW_ANY(name)
#define ATOMIC(name, op, bytes)                  ROW_ANY(name)
#define SLOAD(name, dwords)                      ROW_ANY(name)
#define DS2(name, bytes, stride, store)          ROW_ANY(name)
#define XCHG2(name, bytes, stride)               ROW_ANY(name)
#define RARE(name, op, bytes, dwords, sign)      ROW_ANY(name)
#define MATRIX(name, D, E, M, K, blocks)         ROW_ANY(name)
#define SPARSE(name, D, E, M, K, blocks)         ROW_ANY(name)
#define SCALED(name, M, K)                       ROW_ANY(name)
#define WIDE(name, d, a, b, c, call)             ROW_ANY(name)
#include "amdgpu/exec/isa.def"
#undef ROW_ANY
