// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx942 -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O2 -I%S/Inputs %s -o %t.gfx942
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx950 -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O2 -I%S/Inputs %s -o %t.gfx950
// RUN: %clang -x hip --cuda-device-only --offload-arch=gfx1200 -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5 -O2 -I%S/Inputs %s -o %t.gfx1200
// RUN: %gcnrun --block=64 --grid=4 %t.gfx942 eight outi:8 | FileCheck %s
// RUN: %gcnrun --block=64 --grid=4 %t.gfx950 eight outi:8 | FileCheck %s
// RUN: %gcnrun --block=64 --grid=4 %t.gfx1200 eight outi:8 | FileCheck %s
// RUN: %gcnrun --block=64 --grid=4 %t.gfx950 scaled outi:8 | FileCheck %s
// RUN: %gcnrun --block=64 --grid=4 %t.gfx950 wide outi:8 | FileCheck %s
// Floats of 4, 6 and 8 bits: every code decoded, and values encoded, against the definition: the nearest code
// of all, the even one of two; stochastic rounding adds random bits below the last one. Word 0 counts what differs,
// word 1 what was compared (256 lanes).
// CHECK: arg0[0]: 0 {{[1-9][0-9]+}}
#include "kernel.h"
typedef float f2 __attribute__((ext_vector_type(2)));
typedef float f16v __attribute__((ext_vector_type(16)));
typedef float f32v __attribute__((ext_vector_type(32)));
typedef _Float16 h2 __attribute__((ext_vector_type(2)));
typedef _Float16 h32 __attribute__((ext_vector_type(32)));
typedef __bf16 b2 __attribute__((ext_vector_type(2)));
typedef __bf16 b32 __attribute__((ext_vector_type(32)));
typedef short s2 __attribute__((ext_vector_type(2)));
typedef unsigned u6 __attribute__((ext_vector_type(6)));
#define D __attribute__((device)) static
#define N __attribute__((device, noinline)) static

struct format {
	int bits, mant, bias, kind; // kind: 0 IEEE, 1 NaN is all ones, 2 NaN is -0, 3 numbers only
};
#if defined(__gfx942__)
D const format fp8 = {8, 3, 8, 2}, bf8 = {8, 2, 16, 2};
#else
D const format fp8 = {8, 3, 7, 1}, bf8 = {8, 2, 15, 0};
#endif
D const format fp6 = {6, 3, 1, 3}, bf6 = {6, 2, 3, 3}, fp4 = {4, 1, 1, 3};

D double pow2(int n) { return __builtin_bit_cast(double, (u64)(n + 1023) << 52); }
D u32 bits(float f) { return __builtin_bit_cast(u32, f); }
D u32 hash(u32 v)
{
	v = (v ^ v >> 16) * 0x7feb352d;
	v = (v ^ v >> 15) * 0x846ca68b;
	return v ^ v >> 16;
}

N double value(format f, u32 code, bool *nan)
{
	u32 all = (1u << (f.bits - 1)) - 1, mag = code & all, exp = mag >> f.mant, frac = mag & ((1u << f.mant) - 1);
	*nan = (f.kind == 1 && mag == all) || (f.kind == 2 && code == all + 1) || (f.kind == 0 && exp == all >> f.mant && frac);
	double d = exp ? (1 + frac * pow2(-f.mant)) * pow2((int)exp - f.bias) : frac * pow2(1 - f.bias - f.mant);
	if (f.kind == 0 && exp == all >> f.mant && !frac)
		d = __builtin_inf();
	return code > all ? -d : d;
}

// The largest finite code.
D u32 most(format f)
{
	u32 all = (1u << (f.bits - 1)) - 1;
	return f.kind == 0 ? all - (1u << f.mant) : f.kind == 1 ? all - 1 : all;
}

N u32 encode(format f, double v, bool random, u32 seed)
{
	u32 sign = v < 0 ? 1u << (f.bits - 1) : 0, top = most(f);
	double m = v < 0 ? -v : v;
	bool unused;
	u32 over = f.kind == 0 ? sign | (top + 1) : f.kind == 1 ? sign | (top + 1) : f.kind == 2 ? 0x80 : sign | top;
	u32 best = 0;
	if (random) {
		// the grid that the value is on, and how many bits of the float are below it
		int e = (int)(__builtin_bit_cast(u64, m) >> 52) - 1023, least = 1 - f.bias;
		int grid = (e < least ? least : e) - f.mant, drop = grid - (e - 23);
		double t = drop > 24 ? 0 : m * pow2(-grid) + (seed >> (32 - drop)) * pow2(-drop);
		u32 whole = (u32)t;
		double r = whole * pow2(grid);
		if (r > value(f, top, &unused))
			return over;
		best = whole < 1u << f.mant ? whole : ((u32)(grid + f.mant + f.bias - 1) << f.mant) + whole;
	} else {
		double high = value(f, top, &unused), step = high - value(f, top - 1, &unused);
		if (m >= high + step / 2 && !(m == high + step / 2 && !(top & 1)))
			return over;
		for (u32 c = 0; c <= top; c++) {
			double dc = value(f, c, &unused) - m, db = value(f, best, &unused) - m;
			dc = dc < 0 ? -dc : dc, db = db < 0 ? -db : db;
			if (dc < db || (dc == db && !(c & 1)))
				best = c;
		}
	}
	return f.kind == 2 && best == 0 ? 0 : sign | best;
}

struct check {
	u32 bad, n;
	__attribute__((device)) void same(u32 a, u32 b) { bad += a != b, n++; }
	__attribute__((device)) void real(format f, u32 code, float got, int scale)
	{
		bool nan;
		float want = (float)(value(f, code, &nan) * pow2(scale));
		bad += nan ? got == got : bits(got) != bits(want) && !(want == 0 && got == 0), n++;
	}
	__attribute__((device)) void put(u32 *o)
	{
		__atomic_fetch_add(&o[0], bad, __ATOMIC_RELAXED);
		__atomic_fetch_add(&o[1], n, __ATOMIC_RELAXED);
	}
};

// A value around the format's range.
D float sample(u32 k, int low, int high)
{
	u32 h = hash(k), e = 127 + low + hash(h) % (high - low);
	if (h & 1) // few bits: ties
		h &= 0x80700000;
	return __builtin_bit_cast(float, (h & 0x807fffff) | e << 23);
}

KERNEL
eight(u32 *o)
{
	check c = {0, 0};
	u32 id = __builtin_amdgcn_workgroup_id_x() * 64 + tid, w = id * 0x01010101, other = ~w;
	__asm__ volatile("" : "+v"(other));
	c.real(fp8, id, __builtin_amdgcn_cvt_f32_fp8(w ^ (other ^ other), 0), 0);
	c.real(fp8, id, __builtin_amdgcn_cvt_f32_fp8(w & 0xff00, 1), 0);
	c.real(fp8, id, __builtin_amdgcn_cvt_f32_fp8(w & 0xff0000, 2), 0);
	c.real(bf8, id, __builtin_amdgcn_cvt_f32_bf8(w & 0xff000000, 3), 0);
	c.real(bf8, id, __builtin_amdgcn_cvt_f32_bf8(id, 0), 0);
	u32 pair = id | (255 - id) << 8;
	for (int high = 0; high < 2; high++) {
		f2 a = high ? __builtin_amdgcn_cvt_pk_f32_fp8(pair << 16, true) : __builtin_amdgcn_cvt_pk_f32_fp8(pair, false);
		f2 b = high ? __builtin_amdgcn_cvt_pk_f32_bf8(pair << 16, true) : __builtin_amdgcn_cvt_pk_f32_bf8(pair, false);
		c.real(fp8, id, a[0], 0);
		c.real(fp8, 255 - id, a[1], 0);
		c.real(bf8, id, b[0], 0);
		c.real(bf8, 255 - id, b[1], 0);
	}
	for (u32 k = 0; k < 8; k++) {
		float x = sample(id * 8 + k, -14, 10), y = sample(id * 8 + k + 7777, -19, 18);
		u32 old = hash(id + k), seed = hash(old), r;
		r = __builtin_amdgcn_cvt_pk_fp8_f32(x, y, old, false);
		c.same(r, (old & 0xffff0000) | encode(fp8, y, false, 0) << 8 | encode(fp8, x, false, 0));
		r = __builtin_amdgcn_cvt_pk_bf8_f32(x, y, old, true);
		c.same(r, (old & 0xffff) | encode(bf8, y, false, 0) << 24 | encode(bf8, x, false, 0) << 16);
		r = __builtin_amdgcn_cvt_sr_fp8_f32(x, seed, old, 0);
		c.same(r, (old & ~0xffu) | encode(fp8, x, true, seed));
		r = __builtin_amdgcn_cvt_sr_fp8_f32(x, seed, old, 2);
		c.same(r, (old & ~0xff0000u) | encode(fp8, x, true, seed) << 16);
		r = __builtin_amdgcn_cvt_sr_bf8_f32(y, seed, old, 1);
		c.same(r, (old & ~0xff00u) | encode(bf8, y, true, seed) << 8);
		r = __builtin_amdgcn_cvt_sr_bf8_f32(y, seed, old, 3);
		c.same(r, (old & ~0xff000000u) | encode(bf8, y, true, seed) << 24);
	}
	// infinity and NaN
	float inf = __builtin_inff(), nan = __builtin_nanf("");
	__asm__ volatile("" : "+v"(inf), "+v"(nan));
	bool is;
	u32 r = __builtin_amdgcn_cvt_pk_fp8_f32(inf, nan, 0, false), q = __builtin_amdgcn_cvt_pk_bf8_f32(-inf, nan, 0, false);
	value(fp8, r & 255, &is), c.same(is, 1);
	value(fp8, r >> 8, &is), c.same(is, 1);
	value(bf8, q >> 8, &is), c.same(is, 1);
#if defined(__gfx942__)
	value(bf8, q & 255, &is), c.same(is, 1);
#else
	c.same(value(bf8, q & 255, &is) == -__builtin_inf(), 1);
#endif
	c.put(o);
}

#if defined(__gfx950__)
D float scale_of(u32 k, int *e)
{
	*e = (int)(hash(k) % 9) - 4;
	return (float)pow2(*e) * (1 + (k & 1) * 0.75f); // only its exponent counts
}
D u32 h16(float f) { return __builtin_bit_cast(unsigned short, (_Float16)f); }
D u32 b16(float f) { return bits(f) >> 16; }

// With a scale: values times its inverse are encoded, what is decoded is multiplied.
KERNEL
scaled(u32 *o)
{
	check c = {0, 0};
	u32 id = __builtin_amdgcn_workgroup_id_x() * 64 + tid;
	int e;
	float s = scale_of(id, &e);
	double inv = pow2(-e);
	c.real(fp8, id, __builtin_amdgcn_cvt_scalef32_f32_fp8(id, s, 0), e);
	c.real(bf8, id, __builtin_amdgcn_cvt_scalef32_f32_bf8(id << 24, s, 3), e);
	f2 p = __builtin_amdgcn_cvt_scalef32_pk_f32_fp4(id << 8, s, 1);
	c.real(fp4, id & 15, p[0], e);
	c.real(fp4, id >> 4, p[1], e);
	p = __builtin_amdgcn_cvt_scalef32_pk_f32_bf8((id << 8 | id) << 16, s, true);
	c.real(bf8, id, p[0], e);
	c.real(bf8, id, p[1], e);
	h2 h = __builtin_amdgcn_cvt_scalef32_pk_f16_fp8(id << 8 | 0x40, s, false);
	c.real(fp8, 0x40, (float)h[0], e);
	if ((id & 0x7f) != 0x7f && (id & 0x78) > 0x30) // exact as a half
		c.real(fp8, id, (float)h[1], e);
	h = __builtin_amdgcn_cvt_scalef32_pk_f16_fp4(id << 16, s, 2);
	c.real(fp4, id & 15, (float)h[0], e);
	b2 b = __builtin_amdgcn_cvt_scalef32_pk_bf16_fp4(id << 24, s, 3);
	c.real(fp4, id >> 4, (float)b[1], e);
	b = __builtin_amdgcn_cvt_scalef32_pk_bf16_bf8(id << 8, s, false);
	c.real(bf8, id, (float)b[1], e);
	h2 keep = {1, 2};
	keep = __builtin_amdgcn_cvt_scalef32_f16_fp8(keep, 0x4100, s, 1, true);
	c.real(fp8, 0x41, (float)keep[1], e);
	c.same(keep[0] == 1, 1);
	for (u32 k = 0; k < 8; k++) {
		float x = sample(id * 8 + k, -10, 8), y = sample(id * 8 + k + 7777, -4, 5);
		float xh = (float)(_Float16)x, yh = (float)(_Float16)y;
		float xb = __builtin_bit_cast(float, bits(x) & 0xffff0000), yb = __builtin_bit_cast(float, bits(y) & 0xffff0000);
		h2 hv = {(_Float16)x, (_Float16)y};
		b2 bv = __builtin_bit_cast(b2, b16(x) | b16(y) << 16);
		u32 old = hash(id + k), seed = hash(old), next = seed << 1 ^ (seed >> 31 ? 197 : 0), r;
		s2 olds = __builtin_bit_cast(s2, old);
		c.same(__builtin_amdgcn_prng_b32(seed), next);
		r = __builtin_bit_cast(u32, __builtin_amdgcn_cvt_scalef32_pk_fp8_f32(olds, x, -y, s, true));
		c.same(r, (old & 0xffff) | encode(fp8, -y * inv, false, 0) << 24 | encode(fp8, x * inv, false, 0) << 16);
		r = __builtin_bit_cast(u32, __builtin_amdgcn_cvt_scalef32_pk_bf8_f16(olds, hv, s, false));
		c.same(r, (old & 0xffff0000) | encode(bf8, yh * inv, false, 0) << 8 | encode(bf8, xh * inv, false, 0));
		r = __builtin_bit_cast(u32, __builtin_amdgcn_cvt_scalef32_pk_fp8_bf16(olds, bv, s, false));
		c.same(r, (old & 0xffff0000) | encode(fp8, yb * inv, false, 0) << 8 | encode(fp8, xb * inv, false, 0));
		r = __builtin_amdgcn_cvt_scalef32_pk_fp4_f32(old, x, y, s, 1);
		c.same(r, (old & ~0xff00u) | encode(fp4, y * inv, false, 0) << 12 | encode(fp4, x * inv, false, 0) << 8);
		r = __builtin_amdgcn_cvt_scalef32_pk_fp4_f16(old, hv, s, 2);
		c.same(r, (old & ~0xff0000u) | encode(fp4, yh * inv, false, 0) << 20 | encode(fp4, xh * inv, false, 0) << 16);
		r = __builtin_amdgcn_cvt_scalef32_pk_fp4_bf16(old, bv, s, 3);
		c.same(r, (old & ~0xff000000u) | encode(fp4, yb * inv, false, 0) << 28 | encode(fp4, xb * inv, false, 0) << 24);
		r = __builtin_amdgcn_cvt_scalef32_sr_fp8_f32(old, x, seed, s, 3);
		c.same(r, (old & ~0xff000000u) | encode(fp8, x * inv, true, seed) << 24);
		r = __builtin_amdgcn_cvt_scalef32_sr_bf8_f16(old, hv[1], seed, s, 1);
		c.same(r, (old & ~0xff00u) | encode(bf8, yh * inv, true, seed) << 8);
		r = __builtin_amdgcn_cvt_scalef32_sr_fp8_bf16(old, bv[0], seed, s, 0);
		c.same(r, (old & ~0xffu) | encode(fp8, xb * inv, true, seed));
		f2 xy = {x, y};
		r = __builtin_amdgcn_cvt_scalef32_sr_pk_fp4_f32(old, xy, seed, s, 0);
		c.same(r & 0xff, encode(fp4, y * inv, true, next) << 4 | encode(fp4, x * inv, true, seed)); // clang 22 loses `old`
		r = __builtin_amdgcn_cvt_scalef32_sr_pk_fp4_f16(old, hv, seed, s, 2);
		c.same(r >> 16 & 0xff, encode(fp4, yh * inv, true, next) << 4 | encode(fp4, xh * inv, true, seed));
		r = __builtin_amdgcn_cvt_scalef32_sr_pk_fp4_bf16(old, bv, seed, s, 1);
		c.same(r >> 8 & 0xff, encode(fp4, yb * inv, true, next) << 4 | encode(fp4, xb * inv, true, seed));
		format half = {16, 10, 15, 0}, brain = {16, 7, 127, 0};
		r = __builtin_bit_cast(u32, __builtin_amdgcn_cvt_sr_f16_f32(keep, x, seed, true));
		c.same(r, h16((float)keep[0]) | encode(half, x, true, seed) << 16);
		r = __builtin_bit_cast(u32, __builtin_amdgcn_cvt_sr_bf16_f32(b, x, seed, false));
		c.same(r & 0xffff, encode(brain, x, true, seed));
	}
	c.put(o);
}

D u32 six(u6 v, int i)
{
	u64 w = 0;
	for (int k = 0; k < 6; k++) // bits 6 i … of 192
		if (k == i * 6 / 32)
			w = v[k] | (u64)(k < 5 ? v[k + 1] : 0) << 32;
	return (u32)(w >> (i * 6 % 32)) & 63;
}

KERNEL
wide(u32 *o)
{
	check c = {0, 0};
	u32 id = __builtin_amdgcn_workgroup_id_x() * 64 + tid, seed = hash(id);
	int e;
	float s = scale_of(id, &e);
	double inv = pow2(-e);
	f32v x;
	f16v lo, hi;
	h32 h;
	b32 b;
	u6 codes;
	for (int i = 0; i < 32; i++) {
		x[i] = sample(id * 32 + i, -5, 5);
		h[i] = (_Float16)x[i];
		b[i] = __builtin_bit_cast(__bf16, (unsigned short)b16(x[i]));
		if (i < 16)
			lo[i] = x[i];
		else
			hi[i - 16] = x[i];
	}
	for (int i = 0; i < 6; i++)
		codes[i] = hash(id * 6 + i + 99);
	u6 a = __builtin_amdgcn_cvt_scalef32_2xpk16_fp6_f32(lo, hi, s), d = __builtin_amdgcn_cvt_scalef32_2xpk16_bf6_f32(lo, hi, s);
	u6 f = __builtin_amdgcn_cvt_scalef32_pk32_fp6_f16(h, s), g = __builtin_amdgcn_cvt_scalef32_pk32_bf6_bf16(b, s);
	u6 p = __builtin_amdgcn_cvt_scalef32_sr_pk32_fp6_f32(x, seed, s), q = __builtin_amdgcn_cvt_scalef32_sr_pk32_bf6_f16(h, seed, s);
	u6 t = __builtin_amdgcn_cvt_scalef32_sr_pk32_fp6_bf16(b, seed, s);
	f32v u = __builtin_amdgcn_cvt_scalef32_pk32_f32_fp6(codes, s), v = __builtin_amdgcn_cvt_scalef32_pk32_f32_bf6(codes, s);
	h32 y = __builtin_amdgcn_cvt_scalef32_pk32_f16_fp6(codes, s);
	b32 z = __builtin_amdgcn_cvt_scalef32_pk32_bf16_bf6(codes, s);
	for (int i = 0; i < 32; i++) {
		float xh = (float)(_Float16)x[i], xb = __builtin_bit_cast(float, bits(x[i]) & 0xffff0000);
		float two = i & 1 ? x[16 + i / 2] : x[i / 2];
		c.same(six(a, i), encode(fp6, two * inv, false, 0));
		c.same(six(d, i), encode(bf6, two * inv, false, 0));
		c.same(six(f, i), encode(fp6, xh * inv, false, 0));
		c.same(six(g, i), encode(bf6, xb * inv, false, 0));
		c.same(six(p, i), encode(fp6, x[i] * inv, true, seed));
		c.same(six(q, i), encode(bf6, xh * inv, true, seed));
		c.same(six(t, i), encode(fp6, xb * inv, true, seed));
		u32 code = six(codes, i);
		c.real(fp6, code, u[i], e);
		c.real(bf6, code, v[i], e);
		c.real(fp6, code, (float)y[i], e);
		c.real(bf6, code, (float)z[i], e);
		seed = seed << 1 ^ (seed >> 31 ? 197 : 0);
	}
	c.put(o);
}
#endif
