/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* isa_none.h - every row macro of isa.def as nothing; no guard: include before each use of the table. */
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
#undef SAT
#undef PKSAT
#undef XSAT
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
#undef ALIAS
#define SALU(name, D, A, B, value, scc)
#define EXECOP(name, T, value)
#define EXECWR(name, T, value)
#define SFLOAT(name, row)
#define FLOW(name)
#define NOP(name)
#define VALU(name, D, A, B, C, value)
#define VFP(name, D, A, B, C, value)
#define ACC(name, D, A, B, value)
#define ACCFP(name, D, A, B, value)
#define XINFP(name, D, A, B, C, value)
#define XOUT(name, D, A, B, C, value, mask)
#define PK(name, E, D, A, B, C, value)
#define PKFP(name, E, D, A, B, C, value)
#define PK32(name, C, value)
#define PKACC(name, E, D, A, B, value)
#define SAT(name, D, A, B, C, value)
#define PKSAT(name, E, D, A, B, C, value)
#define XSAT(name, D, A, B, C, value, mask)
#define CMP(name, A, B, value)
#define CLASS(name, A, value)
#define HELP(name)
#define LOAD(name, bytes, dwords, sign, d16, hi)
#define STORE(name, bytes, dwords, hi)
#define ATOMIC(name, op, bytes)
#define SLOAD(name, dwords)
#define DS2(name, bytes, stride, store)
#define XCHG2(name, bytes, stride)
#define RARE(name, op, bytes, dwords, sign)
#define MATRIX(name, D, E, M, K, blocks)
#define SPARSE(name, D, E, M, K, blocks)
#define SCALED(name, M, K)
#define WIDE(name, d, a, b, c, call)
#define ALIAS(name, row)
