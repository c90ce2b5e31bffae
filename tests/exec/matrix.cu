// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx90a -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O2 %s -o %t.gfx90a
// RUN: %gcnrun --block=64 %t.gfx90a mfma outi:14 | FileCheck %s --check-prefix=MFMA
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx1100 -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O2 %s -o %t.gfx1100
// RUN: %gcnrun --block=32 %t.gfx1100 wmma outi:5 | FileCheck %s --check-prefix=WMMA
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx942 -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O2 %s -o %t.gfx942
// RUN: %gcnrun --block=64 %t.gfx942 mfma942 outi:5 | FileCheck %s --check-prefix=M942
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx950 -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O2 %s -o %t.gfx950
// RUN: %gcnrun --block=64 %t.gfx950 mfma950 outi:4 | FileCheck %s --check-prefix=M950
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx1200 -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O2 %s -o %t.gfx1200
// RUN: %gcnrun --block=32 %t.gfx1200 wmma12 outi:7 | FileCheck %s --check-prefix=W12
// Matrix instructions against sums of products, with the elements where AMD's manuals put them; each word is the
// one more than the number of elements of D that differ.
// MFMA: arg0[0]: 1 1 1 1 1 1 1 1 1 1 1 1 1 1{{$}}
// WMMA: arg0[0]: 1 1 1 1 1{{$}}
// M942: arg0[0]: 1 1 1 1 1{{$}}
// M950: arg0[0]: 1 1 1 1{{$}}
// W12: arg0[0]: 1 1 1 1 1 1 1{{$}}
#define DEVICE __attribute__((device)) static inline
#define KERNEL extern "C" __attribute__((global)) void
typedef float f4 __attribute__((ext_vector_type(4)));
typedef float f8 __attribute__((ext_vector_type(8)));
typedef float f16v __attribute__((ext_vector_type(16)));
typedef float f32v __attribute__((ext_vector_type(32)));
typedef int i4 __attribute__((ext_vector_type(4)));
typedef int i8v __attribute__((ext_vector_type(8)));
typedef int i16v __attribute__((ext_vector_type(16)));
typedef double d4 __attribute__((ext_vector_type(4)));
typedef _Float16 h4 __attribute__((ext_vector_type(4)));
typedef _Float16 h16 __attribute__((ext_vector_type(16)));
typedef short s2 __attribute__((ext_vector_type(2)));
typedef short s4 __attribute__((ext_vector_type(4)));
typedef short s16 __attribute__((ext_vector_type(16)));

// Small integers: every sum is exact in every type.
DEVICE int a_at(int b, int i, int k) { return (i * 7 + k * 3 + b * 5) % 11 - 5; }
DEVICE int b_at(int b, int k, int j) { return (j * 5 + k * 2 + b * 3) % 13 - 6; }
DEVICE int c_at(int b, int i, int j) { return (i + 2 * j + b) % 9 - 4; }
DEVICE int d_at(int b, int i, int j, int K)
{
	int s = c_at(b, i, j);
	for (int k = 0; k < K; k++)
		s += a_at(b, i, k) * b_at(b, k, j);
	return s;
}
DEVICE short bf(int v)
{
	float f = v;
	return (short)(__builtin_bit_cast(unsigned, f) >> 16);
}

// A small integer with 3 (FP8) or 2 (BF8) bits of mantissa; gfx942 has a bias of its own.
DEVICE int f8bits(int v, bool bf8)
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

#if defined(__gfx90a__) || defined(__gfx942__) || defined(__gfx950__)
// Row and block of register r of D in this lane; the column is lane % M.
template <int M, int B> DEVICE void where(int r, int lane, int *row, int *block)
{
	if (M == 4) {
		*row = r;
		*block = lane / 4;
	} else if (M == 16) {
		*row = 4 * (lane / 16) + r % 4;
		*block = r / 4;
	} else {
		*row = 8 * (r % 16 / 4) + 4 * (lane / 32) + r % 4;
		*block = r / 16;
	}
}
// E elements a lane of A and B, of a product with B blocks of M x K
template <int M, int K, int B, int E, class AB, class CD, class Get, class Run> DEVICE int check(Get get, Run run)
{
	const int n = M * M * B / 64, lane = __builtin_amdgcn_workitem_id_x();
	int block = lane / M % B, first = lane / (M * B) * E, bad = 0;
	AB a, b;
	CD c;
	for (int e = 0; e < E; e++) {
		a = get(a, e, a_at(block, lane % M, first + e));
		b = get(b, e, b_at(block, first + e, lane % M));
	}
	for (int r = 0; r < n; r++) {
		int row, in;
		where<M, B>(r, lane, &row, &in);
		c[r] = c_at(in, row, lane % M);
	}
	c = run(a, b, c);
	for (int r = 0; r < n; r++) {
		int row, in;
		where<M, B>(r, lane, &row, &in);
		bad += c[r] != d_at(in, row, lane % M, K);
	}
	return bad;
}
DEVICE void put(int *o, int n, int bad)
{
	if (__builtin_amdgcn_workitem_id_x() == 0)
		o[n] = 1;
	if (bad)
		__atomic_fetch_add(&o[n], bad, __ATOMIC_RELAXED);
}
#define LAMBDA [](auto a, auto b, auto c)
#if defined(__gfx942__)
typedef float f2 __attribute__((ext_vector_type(2)));
KERNEL mfma942(int *o)
{
	auto p = [](long v, int e, int x) { return v | (long)f8bits(x, false) << 8 * e; };
	auto q = [](long v, int e, int x) { return v | (long)f8bits(x, true) << 8 * e; };
	auto f = [](f2 v, int e, int x) { v[e] = x; return v; };
	auto zero = [](auto g) { return [g](long v, int e, int x) { return g(e == 0 ? 0 : v, e, x); }; };
	put(o, 0, check<16, 32, 1, 8, long, f4>(zero(p), LAMBDA { return __builtin_amdgcn_mfma_f32_16x16x32_fp8_fp8(a, b, c, 0, 0, 0); }));
	put(o, 1, check<32, 16, 1, 8, long, f16v>(zero(p), LAMBDA { return __builtin_amdgcn_mfma_f32_32x32x16_fp8_fp8(a, b, c, 0, 0, 0); }));
	put(o, 2, check<16, 32, 1, 8, long, f4>(zero(q), LAMBDA { return __builtin_amdgcn_mfma_f32_16x16x32_bf8_bf8(a, b, c, 0, 0, 0); }));
	put(o, 3, check<16, 8, 1, 2, f2, f4>(f, LAMBDA { return __builtin_amdgcn_mfma_f32_16x16x8_xf32(a, b, c, 0, 0, 0); }));
	put(o, 4, check<32, 4, 1, 2, f2, f16v>(f, LAMBDA { return __builtin_amdgcn_mfma_f32_32x32x4_xf32(a, b, c, 0, 0, 0); }));
}
#elif defined(__gfx950__)
typedef _Float16 h8 __attribute__((ext_vector_type(8)));
typedef __bf16 b8 __attribute__((ext_vector_type(8)));
KERNEL mfma950(int *o)
{
	auto h = [](h8 v, int e, int x) { v[e] = x; return v; };
	auto s = [](b8 v, int e, int x) { v[e] = (__bf16)(float)x; return v; };
	auto q = [](i4 v, int e, int x) { v[e / 4] = (v[e / 4] & ~(255 << 8 * (e % 4))) | (x & 255) << 8 * (e % 4); return v; };
	put(o, 0, check<16, 32, 1, 8, h8, f4>(h, LAMBDA { return __builtin_amdgcn_mfma_f32_16x16x32_f16(a, b, c, 0, 0, 0); }));
	put(o, 1, check<32, 16, 1, 8, h8, f16v>(h, LAMBDA { return __builtin_amdgcn_mfma_f32_32x32x16_f16(a, b, c, 0, 0, 0); }));
	put(o, 2, check<16, 32, 1, 8, b8, f4>(s, LAMBDA { return __builtin_amdgcn_mfma_f32_16x16x32_bf16(a, b, c, 0, 0, 0); }));
	put(o, 3, check<16, 64, 1, 16, i4, i4>(q, LAMBDA { return __builtin_amdgcn_mfma_i32_16x16x64_i8(a, b, c, 0, 0, 0); }));
}
#else
KERNEL mfma(int *o)
{
	auto f = [](float v, int, int x) { v = x; return v; };
	auto h = [](h4 v, int e, int x) { v[e] = x; return v; };
	auto s = [](s4 v, int e, int x) { v[e] = bf(x); return v; };
	auto t = [](s2 v, int e, int x) { v[e] = bf(x); return v; };
	auto q = [](int v, int e, int x) { return (v & ~(255 << 8 * e)) | (x & 255) << 8 * e; };
	put(o, 0, check<32, 1, 2, 1, float, f32v>(f, LAMBDA { return __builtin_amdgcn_mfma_f32_32x32x1f32(a, b, c, 0, 0, 0); }));
	put(o, 1, check<16, 1, 4, 1, float, f16v>(f, LAMBDA { return __builtin_amdgcn_mfma_f32_16x16x1f32(a, b, c, 0, 0, 0); }));
	put(o, 2, check<4, 1, 16, 1, float, f4>(f, LAMBDA { return __builtin_amdgcn_mfma_f32_4x4x1f32(a, b, c, 0, 0, 0); }));
	put(o, 3, check<32, 2, 1, 1, float, f16v>(f, LAMBDA { return __builtin_amdgcn_mfma_f32_32x32x2f32(a, b, c, 0, 0, 0); }));
	put(o, 4, check<16, 4, 1, 1, float, f4>(f, LAMBDA { return __builtin_amdgcn_mfma_f32_16x16x4f32(a, b, c, 0, 0, 0); }));
	put(o, 5, check<32, 8, 1, 4, h4, f16v>(h, LAMBDA { return __builtin_amdgcn_mfma_f32_32x32x8f16(a, b, c, 0, 0, 0); }));
	put(o, 6, check<16, 16, 1, 4, h4, f4>(h, LAMBDA { return __builtin_amdgcn_mfma_f32_16x16x16f16(a, b, c, 0, 0, 0); }));
	put(o, 7, check<16, 4, 4, 4, h4, f16v>(h, LAMBDA { return __builtin_amdgcn_mfma_f32_16x16x4f16(a, b, c, 0, 0, 0); }));
	put(o, 8, check<16, 16, 1, 4, s4, f4>(s, LAMBDA { return __builtin_amdgcn_mfma_f32_16x16x16bf16_1k(a, b, c, 0, 0, 0); }));
	put(o, 9, check<32, 4, 1, 2, s2, f16v>(t, LAMBDA { return __builtin_amdgcn_mfma_f32_32x32x4bf16(a, b, c, 0, 0, 0); }));
	put(o, 10, check<32, 8, 1, 4, int, i16v>(q, LAMBDA { return __builtin_amdgcn_mfma_i32_32x32x8i8(a, b, c, 0, 0, 0); }));
	put(o, 11, check<4, 4, 16, 4, int, i4>(q, LAMBDA { return __builtin_amdgcn_mfma_i32_4x4x4i8(a, b, c, 0, 0, 0); }));
	// doubles: register pair r of lane l is row 4 * r + l / 16 of 16 x 16
	int lane = __builtin_amdgcn_workitem_id_x(), bad = 0;
	d4 c;
	for (int r = 0; r < 4; r++)
		c[r] = c_at(0, 4 * r + lane / 16, lane % 16);
	c = __builtin_amdgcn_mfma_f64_16x16x4f64(a_at(0, lane % 16, lane / 16), b_at(0, lane / 16, lane % 16), c, 0, 0, 0);
	for (int r = 0; r < 4; r++)
		bad += c[r] != d_at(0, 4 * r + lane / 16, lane % 16, 4);
	put(o, 12, bad);
	// four blocks of 4 x 4: lane l of D is row l / 16, column l % 4 of block l / 4 % 4
	int block = lane / 4 % 4;
	double d = __builtin_amdgcn_mfma_f64_4x4x4f64(a_at(block, lane % 4, lane / 16), b_at(block, lane / 16, lane % 4),
		c_at(block, lane / 16, lane % 4), 0, 0, 0);
	put(o, 13, d != d_at(block, lane / 16, lane % 4, 4));
}
#endif
#elif defined(__gfx1200__)
DEVICE void put(int *o, int n, int bad)
{
	if (__builtin_amdgcn_workitem_id_x() == 0)
		o[n] = 1;
	if (bad)
		__atomic_fetch_add(&o[n], bad, __ATOMIC_RELAXED);
}
// Lane l holds row l % 16 of A and column l % 16 of B, k from 8 * (l / 16) on; register r of D is row 8 * (l / 16) + r.
KERNEL wmma12(int *o)
{
	typedef _Float16 h8 __attribute__((ext_vector_type(8)));
	typedef int i2 __attribute__((ext_vector_type(2)));
	int lane = __builtin_amdgcn_workitem_id_x(), l = lane % 16, first = lane / 16 * 8, bad[7] = {0, 0, 0, 0, 0, 0, 0};
	h8 a, b, ch;
	typedef short s8 __attribute__((ext_vector_type(8)));
	s8 as, bs;
	i2 a8 = {}, b8 = {}, af = {}, bf8 = {}, bb = {};
	int a4 = 0, b4 = 0;
	f8 c, cs, cf, cm;
	i8v ci, c4;
	for (int e = 0; e < 8; e++) {
		int k = first + e, av = a_at(0, l, k), bv = b_at(0, k, l);
		a[e] = av, b[e] = bv;
		as[e] = bf(av), bs[e] = bf(bv);
		a8[e / 4] |= (av & 255) << e % 4 * 8;
		b8[e / 4] |= ((bv + 6) & 255) << e % 4 * 8; // unsigned
		af[e / 4] |= f8bits(av, false) << e % 4 * 8;
		bf8[e / 4] |= f8bits(bv, false) << e % 4 * 8;
		bb[e / 4] |= f8bits(bv, true) << e % 4 * 8;
		a4 |= (av & 15) << e * 4;
		b4 |= (bv & 15) << e * 4;
	}
	for (int r = 0; r < 8; r++) {
		int v = c_at(0, first + r, l);
		c[r] = cs[r] = cf[r] = cm[r] = v;
		ci[r] = c4[r] = v;
		ch[r] = v;
	}
	c = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32_gfx12(a, b, c);
	cs = __builtin_amdgcn_wmma_f32_16x16x16_bf16_w32_gfx12(as, bs, cs);
	ci = __builtin_amdgcn_wmma_i32_16x16x16_iu8_w32_gfx12(true, a8, false, b8, ci, false);
	c4 = __builtin_amdgcn_wmma_i32_16x16x16_iu4_w32_gfx12(true, a4, true, b4, c4, false);
	ch = __builtin_amdgcn_wmma_f16_16x16x16_f16_w32_gfx12(a, b, ch);
	cf = __builtin_amdgcn_wmma_f32_16x16x16_fp8_fp8_w32_gfx12(af, bf8, cf);
	cm = __builtin_amdgcn_wmma_f32_16x16x16_fp8_bf8_w32_gfx12(af, bb, cm);
	for (int r = 0; r < 8; r++) {
		int row = first + r, d = d_at(0, row, l, 16), sum = 0;
		for (int k = 0; k < 16; k++)
			sum += a_at(0, row, k) * 6;
		bad[0] += c[r] != d;
		bad[1] += cs[r] != d;
		bad[2] += ci[r] != d + sum;
		bad[3] += c4[r] != d;
		bad[4] += ch[r] != d;
		bad[5] += cf[r] != d;
		bad[6] += cm[r] != d;
	}
	for (int n = 0; n < 7; n++)
		put(o, n, bad[n]);
}
#elif defined(__gfx1100__)
DEVICE void put(int *o, int n, int bad)
{
	if (__builtin_amdgcn_workitem_id_x() == 0)
		o[n] = 1;
	if (bad)
		__atomic_fetch_add(&o[n], bad, __ATOMIC_RELAXED);
}
// Register r of lane l of D is row 2 * r + l / 16, column l % 16.
KERNEL wmma(int *o)
{
	int lane = __builtin_amdgcn_workitem_id_x(), l = lane % 16, bad[5] = {0, 0, 0, 0, 0};
	h16 a, b, ch = {};
	s16 as, bs;
	f8 c, cs;
	i4 a8 = {}, b8 = {};
	i8v ci, c4;
	typedef int i2 __attribute__((ext_vector_type(2)));
	i2 a4 = {}, b4 = {};
	for (int k = 0; k < 16; k++) {
		a[k] = a_at(0, l, k), b[k] = b_at(0, k, l);
		as[k] = bf(a_at(0, l, k)), bs[k] = bf(b_at(0, k, l));
		a8[k / 4] |= (a_at(0, l, k) & 255) << k % 4 * 8;
		b8[k / 4] |= ((b_at(0, k, l) + 6) & 255) << k % 4 * 8; // unsigned
		a4[k / 8] |= (a_at(0, l, k) & 15) << k % 8 * 4;
		b4[k / 8] |= (b_at(0, k, l) & 15) << k % 8 * 4;
	}
	for (int r = 0; r < 8; r++) {
		int v = c_at(0, 2 * r + lane / 16, l);
		c[r] = cs[r] = v;
		ci[r] = c4[r] = v;
		ch[2 * r + 1] = v, ch[2 * r] = 77;
	}
	c = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(a, b, c);
	cs = __builtin_amdgcn_wmma_f32_16x16x16_bf16_w32(as, bs, cs);
	ci = __builtin_amdgcn_wmma_i32_16x16x16_iu8_w32(true, a8, false, b8, ci, false);
	c4 = __builtin_amdgcn_wmma_i32_16x16x16_iu4_w32(true, a4, true, b4, c4, false);
	ch = __builtin_amdgcn_wmma_f16_16x16x16_f16_w32(a, b, ch, true);
	for (int r = 0; r < 8; r++) {
		int row = 2 * r + lane / 16, d = d_at(0, row, l, 16), sum = 0;
		for (int k = 0; k < 16; k++)
			sum += a_at(0, row, k) * 6;
		bad[0] += c[r] != d;
		bad[1] += cs[r] != d;
		bad[2] += ci[r] != d + sum;
		bad[3] += c4[r] != d;
		bad[4] += ch[2 * r + 1] != d || ch[2 * r] != 77;
	}
	for (int n = 0; n < 5; n++)
		put(o, n, bad[n]);
}
#endif
