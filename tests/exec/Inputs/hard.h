// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks within a kernel: word 0 counts what differs, 1 to 3 the line, what was found and what should be of one
// of them, 4 the checks of all lanes.
#include "kernel.h"
__attribute__((device, noinline)) static void
differs(u32 *o, u32 line, u32 got, u32 want)
{
	if (__atomic_fetch_add(&o[0], 1, __ATOMIC_RELAXED) == 0)
		o[1] = line, o[2] = got, o[3] = want;
}
#define EQ(found, wanted)                                                                                              \
	do {                                                                                                           \
		u32 found_ = (found), wanted_ = (wanted);                                                              \
		__atomic_fetch_add(&o[4], 1, __ATOMIC_RELAXED);                                                        \
		if (found_ != wanted_)                                                                                 \
			differs(o, __LINE__, found_, wanted_);                                                         \
	} while (0)
#define EQ64(found, wanted)                                                                                            \
	do {                                                                                                           \
		u64 found64 = (found), wanted64 = (wanted);                                                            \
		EQ((u32)found64, (u32)wanted64);                                                                       \
		EQ((u32)(found64 >> 32), (u32)(wanted64 >> 32));                                                       \
	} while (0)
// One instruction with a vector result: V("v_add_f32 %0, %1, %2", a, b), of 64 bits VV.
#define SEL_(_1, _2, _3, _4, name, ...) name
#define V1(text)          ({ u32 r_; __asm__ volatile(text : "=v"(r_)); r_; })
#define V2(text, a)       ({ u32 r_; __asm__ volatile(text : "=v"(r_) : "v"(a)); r_; })
#define V3(text, a, b)    ({ u32 r_; __asm__ volatile(text : "=v"(r_) : "v"(a), "v"(b)); r_; })
#define V4(text, a, b, c) ({ u32 r_; __asm__ volatile(text : "=v"(r_) : "v"(a), "v"(b), "v"(c)); r_; })
#define V(...)            SEL_(__VA_ARGS__, V4, V3, V2, V1)(__VA_ARGS__)
#define VV2(text, a)       ({ u64 r_; __asm__ volatile(text : "=v"(r_) : "v"(a)); r_; })
#define VV3(text, a, b)    ({ u64 r_; __asm__ volatile(text : "=v"(r_) : "v"(a), "v"(b)); r_; })
#define VV4(text, a, b, c) ({ u64 r_; __asm__ volatile(text : "=v"(r_) : "v"(a), "v"(b), "v"(c)); r_; })
#define VV(...)            SEL_(__VA_ARGS__, VV4, VV3, VV2, V1)(__VA_ARGS__)
// A scalar result and SCC behind it, as bit 32.
#define S2(text, a)        ({ u32 r_, c_; __asm__ volatile(text "\n\ts_cselect_b32 %1, 1, 0" : "=s"(r_), "=s"(c_) : "s"(a) : "scc"); r_ | (u64)c_ << 32; })
#define S3(text, a, b)     ({ u32 r_, c_; __asm__ volatile(text "\n\ts_cselect_b32 %1, 1, 0" : "=&s"(r_), "=s"(c_) : "s"(a), "s"(b) : "scc"); r_ | (u64)c_ << 32; })
#define F(x)               __builtin_bit_cast(u32, (float)(x))
#define DD(x)              __builtin_bit_cast(u64, (double)(x))
#define SNAN               0x7f800001u
#define QNAN               0x7fc01234u
