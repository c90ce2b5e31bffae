/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * LINK: base
 *
 * The sequence that clang makes of a division (div_scale, rcp, fma, div_fmas, div_fixup), written with the
 * functions that the executor's rows use, rounds right for every pair of operands: quotients near the
 * subnormals and beyond, subnormal operands, infinities and NaN included. Compared with the host's division.
 */
#include "amdgpu/exec/run/real.h"
#include <stdio.h>

static u64 state = 88172645463325252ull;

static u64
any(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state * 0x2545f4914f6cdd1dull;
}

static float
divide32(float n, float d)
{
	float ds = div_scale_f32(d, d, n), ns = div_scale_f32(n, d, n);
	u32 x = div_scaled_f32(d, n) ? ~0u : 0;
	float r = 1.0f / ds;
	r = fmaf(fmaf(-ds, r, 1.0f), r, r);
	float q = ns * r;
	q = fmaf(fmaf(-ds, q, ns), r, q);
	return div_fixup_f32(div_fmas_f32(fmaf(-ds, q, ns), r, q, x), d, n);
}

static double
divide64(double n, double d)
{
	double ds = div_scale_f64(d, d, n), ns = div_scale_f64(n, d, n);
	u32 x = div_scaled_f64(d, n) ? ~0u : 0;
	double r = 1.0 / ds;
	r = fma(fma(-ds, r, 1.0), r, r);
	r = fma(fma(-ds, r, 1.0), r, r);
	double q = ns * r;
	return div_fixup_f64(div_fmas_f64(fma(-ds, q, ns), r, q, x), d, n);
}

int
main(void)
{
	static const u32 special[] = {0, 0x80000000, 1, 0x7fffff, 0x800000, 0x7f7fffff, 0x7f800000,
		0xff800000, 0x7fc00000, 0x3f800000, 0x7e800000, 0x00000003, 0x80400000};
	int failures = 0;
	for (int i = 0; i < 3000000 && failures < 10; i++) {
		u64 v = any();
		u32 un = (u32)v, ud = (u32)(v >> 32);
		if (i % 4 == 1) /* quotients about 2^-126 … 2^-149 */
			un = (un & 0x807fffff) |
			     ((ud >> 23 & 255) > 130
					     ? ((ud >> 23 & 255) - 130 + (un >> 26 & 15)) << 23
					     : 0);
		if (i % 4 == 2)
			un = special[(v >> 8 & 0xff) % COUNT(special)];
		if (i % 8 == 3)
			ud = special[(v >> 20 & 0xff) % COUNT(special)];
		float n = float32(un), d = float32(ud), got = divide32(n, d), want = n / d;
		if (bits32(got) != bits32(want) && !(got != got && want != want)) {
			fprintf(stderr, "%a / %a is %a, not %a\n", (double)n, (double)d,
				(double)want, (double)got);
			failures++;
		}
		u64 wn = any(), wd = any();
		if (i % 4 == 1)
			wn = (wn & 0x800fffffffffffff) |
			     ((wd >> 52 & 0x7ff) > 1060
					     ? ((wd >> 52 & 0x7ff) - 1060 + (wn >> 58 & 31)) << 52
					     : 0);
		double p = float64(wn), q = float64(wd), r = divide64(p, q), s = p / q;
		if (bits64(r) != bits64(s) && !(r != r && s != s)) {
			fprintf(stderr, "%a / %a is %a, not %a\n", p, q, s, r);
			failures++;
		}
	}
	return failures != 0;
}
