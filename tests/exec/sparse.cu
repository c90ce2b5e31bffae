// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx942 -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O2 -I%S/Inputs %s -o %t.gfx942
// RUN: %gcnrun --block=64 %t.gfx942 smfmac outi:12 | FileCheck %s --check-prefix=M942
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx950 -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O2 -I%S/Inputs %s -o %t.gfx950
// RUN: %gcnrun --block=64 %t.gfx950 smfmac950 outi:7 | FileCheck %s --check-prefix=M950
// RUN: %gcnrun --block=64 %t.gfx950 scaled outi:6 | FileCheck %s --check-prefix=SCALED
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx1200 -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O2 -I%S/Inputs %s -o %t.gfx1200
// RUN: %gcnrun --block=32 %t.gfx1200 swmmac outi:12 | FileCheck %s --check-prefix=W12
// Products where A has two of each four elements (hard place 12: layouts), and where A and B are of 4 to 8 bits with
// scales, against sums of products of the whole matrices. Each word is one more than the elements of D that differ.
// M942: arg0[0]: 1 1 1 1 1 1 1 1 1 1 1 1{{$}}
// M950: arg0[0]: 1 1 1 1 1 1 1{{$}}
// SCALED: arg0[0]: 1 1 1 1 1 1{{$}}
// W12: arg0[0]: 1 1 1 1 1 1 1 1 1 1 1 1{{$}}
#include "kernel.h"
#define D __attribute__((device)) static inline
typedef int i2 __attribute__((ext_vector_type(2)));
typedef int i4 __attribute__((ext_vector_type(4)));
typedef int i8v __attribute__((ext_vector_type(8)));
typedef int i16v __attribute__((ext_vector_type(16)));
typedef float f4 __attribute__((ext_vector_type(4)));
typedef float f8 __attribute__((ext_vector_type(8)));
typedef float f16v __attribute__((ext_vector_type(16)));
typedef _Float16 h4 __attribute__((ext_vector_type(4)));
typedef _Float16 h8 __attribute__((ext_vector_type(8)));
typedef _Float16 h16 __attribute__((ext_vector_type(16)));
typedef short s4 __attribute__((ext_vector_type(4)));
typedef short s8 __attribute__((ext_vector_type(8)));
typedef short s16 __attribute__((ext_vector_type(16)));
typedef __bf16 b8 __attribute__((ext_vector_type(8)));
typedef __bf16 b16 __attribute__((ext_vector_type(16)));

D u32 hash(u32 v)
{
	v = (v ^ v >> 16) * 0x7feb352d;
	return v ^ v >> 15;
}
// Which two of the four elements 4 * g … of row i are there: bits 1:0 the first, 3:2 the second.
D u32 kept(int i, int g)
{
	return 0x0e0d090c0804 >> 8 * (hash(i * 37 + g) % 6) & 15; // 01 02 03 12 13 23
}
D int a_full(int i, int k) { return (i * 7 + k * 3) % 7 - 3; }
D int a_at(int i, int k)
{
	u32 two = kept(i, k / 4);
	return k % 4 == (int)(two & 3) || k % 4 == (int)(two >> 2) ? a_full(i, k) : 0;
}
D int b_at(int k, int j) { return (j * 5 + k * 2) % 7 - 3; }
D int c_at(int i, int j) { return (i + 2 * j) % 9 - 4; }
D int d_at(int i, int j, int K)
{
	int s = c_at(i, j);
	for (int k = 0; k < K; k++)
		s += a_at(i, k) * b_at(k, j);
	return s;
}
D int f8bits(int v, bool bf8)
{
	int m = v < 0 ? -v : v, mant = bf8 ? 2 : 3, bias = bf8 ? 15 : 7, e = 0;
#if defined(__gfx942__)
	bias++;
#endif
	if (m == 0)
		return 0;
	while (m >> (e + 1))
		e++;
	return (v < 0 ? 128 : 0) | (e + bias) << mant | ((m << mant >> e) & ((1 << mant) - 1));
}
D void put(int *o, int n, int bad)
{
	if (tid == 0)
		o[n] = 1;
	if (bad)
		__atomic_fetch_add(&o[n], bad, __ATOMIC_RELAXED);
}
// A value as bits of a type.
enum kind { HALF, BRAIN, BYTE, NIBBLE, FP8, BF8 };
D u32 code(kind t, int v)
{
	switch (t) {
	case HALF: return __builtin_bit_cast(unsigned short, (_Float16)v);
	case BRAIN: return __builtin_bit_cast(u32, (float)v) >> 16;
	case BYTE: return v & 255;
	case NIBBLE: return v & 15;
	default: return f8bits(v, t == BF8);
	}
}
D constexpr int width(kind t) { return t == HALF || t == BRAIN ? 16 : t == NIBBLE ? 4 : 8; }
D void put_at(u32 *w, int bits, int e, u32 v) { w[e * bits / 32] |= v << (e * bits % 32); }

// The index of this lane's A, in part `set` of a register that else holds noise.
D u32 index(int row, int first, int each, int set)
{
	u32 v = 0, mask = each == 32 ? ~0u : ((1u << each) - 1) << set * each;
	for (int g = 0; g < each / 4; g++)
		v |= kept(row, first / 4 + g) << 4 * g;
	return (hash(row * 91 + first) & ~mask) | v << (each == 32 ? 0 : set * each);
}

#if defined(__gfx1200__)
D int row_of(int, int l, int r) { return 8 * (l / 16) + r; }
enum { PARTS = 2 };
#else
D int row_of(int M, int l, int r) { return M == 16 ? 4 * (l / 16) + r : 8 * (r / 4) + 4 * (l / 32) + r % 4; }
#endif
template <int M, int K, kind TA, kind TB, class A, class B, class C, class Run> D int check(int set, Run run)
{
#if defined(__gfx1200__)
	const int parts = 2, n = 8;
#else
	const int parts = 64 / M, n = M * M / 64;
#endif
	const int l = tid, each = K / parts, row = l % M, first = l / M * each;
	u32 a[sizeof(A) / 4] = {}, b[sizeof(B) / 4] = {};
	C c;
	for (int g = 0; g < each / 4; g++) {
		u32 two = kept(row, first / 4 + g);
		put_at(a, width(TA), 2 * g, code(TA, a_at(row, first + 4 * g + (two & 3))));
		put_at(a, width(TA), 2 * g + 1, code(TA, a_at(row, first + 4 * g + (two >> 2))));
	}
	for (int e = 0; e < each; e++)
		put_at(b, width(TB), e, code(TB, b_at(first + e, row)));
	for (int r = 0; r < n; r++)
		c[r] = c_at(row_of(M, l, r), l % M);
	A av;
	B bv;
	__builtin_memcpy(&av, a, sizeof(av));
	__builtin_memcpy(&bv, b, sizeof(bv));
	c = run(av, bv, c, index(row, first, each, set));
	int bad = 0;
	for (int r = 0; r < n; r++)
		bad += c[r] != d_at(row_of(M, l, r), l % M, K);
	return bad;
}
#define RUN(call) [](auto a, auto b, auto c, int i) { return call; }
#define B(name) __builtin_amdgcn_smfmac_##name

#if defined(__gfx942__)
KERNEL
smfmac(int *o)
{
	put(o, 0, check<16, 32, HALF, HALF, h4, h8, f4>(0, RUN(B(f32_16x16x32_f16)(a, b, c, i, 0, 0))));
	put(o, 1, check<16, 32, HALF, HALF, h4, h8, f4>(2, RUN(B(f32_16x16x32_f16)(a, b, c, i, 0, 2))));
	put(o, 2, check<16, 32, HALF, HALF, h4, h8, f4>(0, RUN(B(f32_16x16x32_f16)(a, b, c, i, 1, 3)))); // cbsz: the first
	put(o, 3, check<32, 16, HALF, HALF, h4, h8, f16v>(3, RUN(B(f32_32x32x16_f16)(a, b, c, i, 0, 3))));
	put(o, 4, check<16, 32, BRAIN, BRAIN, s4, s8, f4>(1, RUN(B(f32_16x16x32_bf16)(a, b, c, i, 0, 1))));
	put(o, 5, check<32, 16, BRAIN, BRAIN, s4, s8, f16v>(0, RUN(B(f32_32x32x16_bf16)(a, b, c, i, 0, 0))));
	put(o, 6, check<16, 64, BYTE, BYTE, i2, i4, i4>(1, RUN(B(i32_16x16x64_i8)(a, b, c, i, 0, 1))));
	put(o, 7, check<32, 32, BYTE, BYTE, i2, i4, i16v>(0, RUN(B(i32_32x32x32_i8)(a, b, c, i, 0, 0))));
	put(o, 8, check<16, 64, FP8, FP8, i2, i4, f4>(1, RUN(B(f32_16x16x64_fp8_fp8)(a, b, c, i, 0, 1))));
	put(o, 9, check<16, 64, BF8, FP8, i2, i4, f4>(0, RUN(B(f32_16x16x64_bf8_fp8)(a, b, c, i, 0, 0))));
	put(o, 10, check<32, 32, FP8, BF8, i2, i4, f16v>(1, RUN(B(f32_32x32x32_fp8_bf8)(a, b, c, i, 0, 1))));
	put(o, 11, check<32, 32, BF8, BF8, i2, i4, f16v>(0, RUN(B(f32_32x32x32_bf8_bf8)(a, b, c, i, 0, 0))));
}
#elif defined(__gfx950__)
KERNEL
smfmac950(int *o)
{
	put(o, 0, check<16, 64, HALF, HALF, h8, h16, f4>(1, RUN(B(f32_16x16x64_f16)(a, b, c, i, 0, 1))));
	put(o, 1, check<32, 32, HALF, HALF, h8, h16, f16v>(0, RUN(B(f32_32x32x32_f16)(a, b, c, i, 0, 0))));
	put(o, 2, check<16, 64, BRAIN, BRAIN, b8, b16, f4>(0, RUN(B(f32_16x16x64_bf16)(a, b, c, i, 0, 0))));
	put(o, 3, check<16, 128, BYTE, BYTE, i4, i8v, i4>(0, RUN(B(i32_16x16x128_i8)(a, b, c, i, 0, 0))));
	put(o, 4, check<32, 64, BYTE, BYTE, i4, i8v, i16v>(0, RUN(B(i32_32x32x64_i8)(a, b, c, i, 0, 0))));
	put(o, 5, check<16, 128, FP8, BF8, i4, i8v, f4>(0, RUN(B(f32_16x16x128_fp8_bf8)(a, b, c, i, 0, 0))));
	put(o, 6, check<32, 64, BF8, FP8, i4, i8v, f16v>(0, RUN(B(f32_32x32x64_bf8_fp8)(a, b, c, i, 0, 0))));
}

// Dense, with formats 0 FP8 1 BF8 2 FP6 3 BF6 4 FP4: small multiples of a half, and a scale a row and 32 k.
D int value_of(int f, int v) // twice a number that every format has
{
	int list[] = {0, 1, 2, 3, 4, 6, 8}, m = list[hash(v) % 7];
	(void)f;
	return hash(v) >> 9 & 1 ? -m : m;
}
D u32 coded(int f, int v)
{
	int m = v < 0 ? -v : v, mant = f == 0 || f == 2 ? 3 : f == 4 ? 1 : 2;
	int bias = f == 0 ? 7 : f == 1 ? 15 : f == 3 ? 3 : 1, bits = f < 2 ? 8 : f < 4 ? 6 : 4, e = 0;
	u32 sign = v < 0 ? 1u << (bits - 1) : 0;
	if (m == 0)
		return 0;
	while (m >> (e + 1))
		e++;
	int exp = e - 1 + bias; // of m / 2
	u32 frac = ((m << mant >> e) & ((1 << mant) - 1));
	return exp > 0 ? sign | exp << mant | frac : sign | ((1 << mant | frac) >> 1); // one half is subnormal where bias is 1
}
D int k_of(int f, int M, int l, int e) { return f < 2 ? 16 * (64 / M) * (e / 16) + 16 * (l / M) + e % 16 : 32 * (l / M) + e; }
D int exp_of(int row, int block, int salt) { return (int)(hash(row * 5 + block + salt) % 4) - 1; }
template <int M, int FA, int FB, class C, class Run> D int scales(Run run)
{
	const int K = M == 16 ? 128 : 64, l = tid, n = M * M / 64;
	u32 a[8] = {}, b[8] = {};
	int wa = FA < 2 ? 8 : FA < 4 ? 6 : 4, wb = FB < 2 ? 8 : FB < 4 ? 6 : 4;
	auto add = [](u32 *w, int bits, int e, u32 v) {
		int at = e * bits;
		w[at / 32] |= v << at % 32;
		if (at % 32 + bits > 32)
			w[at / 32 + 1] |= v >> (32 - at % 32);
	};
	for (int e = 0; e < 32; e++) {
		add(a, wa, e, coded(FA, value_of(FA, (l % M) * 1000 + k_of(FA, M, l, e))));
		add(b, wb, e, coded(FB, value_of(FB, (l % M) * 777 + 50000 + k_of(FB, M, l, e))));
	}
	C c;
	for (int r = 0; r < n; r++)
		c[r] = c_at(row_of(M, l, r), l % M);
	i8v av, bv;
	__builtin_memcpy(&av, a, 32);
	__builtin_memcpy(&bv, b, 32);
	u32 sa = 127 + exp_of(l % M, l / M, 0), sb = 127 + exp_of(l % M, l / M, 99);
	c = run(av, bv, c, sa << 8 | 0x55000033, sb << 24 | 0x112233);
	int bad = 0;
	for (int r = 0; r < n; r++) {
		int row = row_of(M, l, r), col = l % M;
		float sum = c_at(row, col);
		for (int k = 0; k < K; k++) {
			int e = exp_of(row, k / 32, 0) + exp_of(col, k / 32, 99);
			float p = (float)(value_of(FA, row * 1000 + k) * value_of(FB, col * 777 + 50000 + k)) / 4;
			sum += e < 0 ? p / (1 << -e) : p * (1 << e);
		}
		bad += c[r] != sum;
	}
	return bad;
}
#define S(M, K, fa, fb) scales<M, fa, fb, f##M##t>([](auto a, auto b, auto c, int sa, int sb) { return __builtin_amdgcn_mfma_scale_f32_##M##x##M##x##K##_f8f6f4(a, b, c, fa, fb, 1, sa, 3, sb); })
typedef f4 f16t;
typedef f16v f32t;
KERNEL
scaled(int *o)
{
	put(o, 0, S(16, 128, 0, 0));
	put(o, 1, S(32, 64, 0, 1));
	put(o, 2, S(16, 128, 4, 4));
	put(o, 3, S(32, 64, 4, 2));
	put(o, 4, S(16, 128, 1, 4));
	put(o, 5, S(32, 64, 3, 0));
}
#else
#undef B
#define B(name) __builtin_amdgcn_swmmac_##name##_w32
KERNEL
swmmac(int *o)
{
	put(o, 0, check<16, 32, HALF, HALF, h8, h16, f8>(0, RUN(B(f32_16x16x32_f16)(a, b, c, i))));
	put(o, 1, check<16, 32, BRAIN, BRAIN, s8, s16, f8>(0, RUN(B(f32_16x16x32_bf16)(a, b, c, i))));
	put(o, 2, check<16, 32, HALF, HALF, h8, h16, h8>(0, RUN(B(f16_16x16x32_f16)(a, b, c, i))));
	put(o, 3, check<16, 32, BYTE, BYTE, i2, i4, i8v>(0, RUN(B(i32_16x16x32_iu8)(true, a, true, b, c, i, false))));
	put(o, 4, check<16, 32, NIBBLE, NIBBLE, int, i2, i8v>(0, RUN(B(i32_16x16x32_iu4)(true, a, true, b, c, i, false))));
	put(o, 5, check<16, 64, NIBBLE, NIBBLE, i2, i4, i8v>(0, RUN(B(i32_16x16x64_iu4)(true, a, true, b, c, i, false))));
	put(o, 6, check<16, 32, FP8, FP8, i2, i4, f8>(0, RUN(B(f32_16x16x32_fp8_fp8)(a, b, c, i))));
	put(o, 7, check<16, 32, FP8, BF8, i2, i4, f8>(0, RUN(B(f32_16x16x32_fp8_bf8)(a, b, c, i))));
	put(o, 8, check<16, 32, BF8, FP8, i2, i4, f8>(0, RUN(B(f32_16x16x32_bf8_fp8)(a, b, c, i))));
	put(o, 9, check<16, 32, BF8, BF8, i2, i4, f8>(0, RUN(B(f32_16x16x32_bf8_bf8)(a, b, c, i))));
	// the second half of the index
	auto key = [](auto a, auto b, auto c, int i) {
		__asm__("v_swmmac_f32_16x16x32_f16 %0, %1, %2, %3 index_key:1" : "+v"(c) : "v"(a), "v"(b), "v"(i));
		return c;
	};
	put(o, 10, check<16, 32, HALF, HALF, h8, h16, f8>(1, key));
	auto unsign = [](auto a, auto b, auto c, int i) {
		__asm__("v_swmmac_i32_16x16x32_iu8 %0, %1, %2, %3 index_key:1 neg_lo:[1,1,0]" : "+v"(c) : "v"(a), "v"(b), "v"(i));
		return c;
	};
	put(o, 11, check<16, 32, BYTE, BYTE, i2, i4, i8v>(1, unsign));
}
#endif
