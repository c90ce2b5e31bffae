// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*
 * native.hip - the algorithms of warp.cu as a HIP program for waves of 64 lanes has them, for plain clang without
 * HIP's headers: the shuffles here do what HIP's do, with any width up to the wave's.
 */
#define GLOBAL extern "C" __attribute__((global)) __attribute__((amdgpu_flat_work_group_size(1, 256)))
#define DEVICE static __attribute__((device)) inline __attribute__((always_inline))
#define SHARED __attribute__((shared))
enum { BLOCK = 256, BLOCKS = 8, ITEMS = 8, WAVE = 64 };
typedef unsigned long long mask;

DEVICE unsigned thread() { return __builtin_amdgcn_workitem_id_x(); }
DEVICE unsigned block() { return __builtin_amdgcn_workgroup_id_x(); }
DEVICE int lane_id() { return (int)__builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0)); }
DEVICE void sync()
{
	__builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
	__builtin_amdgcn_s_barrier();
	__builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
DEVICE unsigned read(unsigned v, int lane) { return (unsigned)__builtin_amdgcn_ds_bpermute(lane << 2, (int)v); }
DEVICE unsigned shfl(unsigned v, int from, int width = WAVE)
{
	int self = lane_id();
	return read(v, (from & (width - 1)) + (self & ~(width - 1)));
}
DEVICE unsigned shfl_up(unsigned v, unsigned d, int width = WAVE)
{
	int self = lane_id(), from = self - (int)d;
	return read(v, from < (self & ~(width - 1)) ? self : from);
}
DEVICE unsigned shfl_down(unsigned v, unsigned d, int width = WAVE)
{
	int self = lane_id(), from = self + (int)d;
	return read(v, (int)((self & (width - 1)) + d) >= width ? self : from);
}
DEVICE unsigned shfl_xor(unsigned v, int with, int width = WAVE)
{
	int self = lane_id(), from = self ^ with;
	return read(v, from >= ((self + width) & ~(width - 1)) ? self : from);
}

GLOBAL void reduce(const unsigned *in, unsigned *out)
{
	SHARED static unsigned part[BLOCK / WAVE];
	const unsigned lane = thread() % WAVE, wave = thread() / WAVE;
	for (int i = 0; i < ITEMS; i++) {
		unsigned v = in[(block() * ITEMS + i) * BLOCK + thread()];
		for (int d = WAVE / 2; d > 0; d /= 2)
			v += shfl_down(v, d);
		if (lane == 0)
			part[wave] = v;
		sync();
		if (wave == 0) {
			v = lane < BLOCK / WAVE ? part[lane] : 0;
			for (int d = BLOCK / WAVE / 2; d > 0; d /= 2)
				v += shfl_down(v, d);
			if (lane == 0)
				out[block() * ITEMS + i] = v;
		}
		sync();
	}
}

GLOBAL void scan(const unsigned *in, unsigned *out)
{
	SHARED static unsigned part[BLOCK / WAVE];
	const unsigned lane = thread() % WAVE, wave = thread() / WAVE;
	for (int i = 0; i < ITEMS; i++) {
		const unsigned at = (block() * ITEMS + i) * BLOCK + thread();
		unsigned v = in[at];
		for (unsigned d = 1; d < WAVE; d *= 2) {
			unsigned u = shfl_up(v, d);
			if (lane >= d)
				v += u;
		}
		if (lane == WAVE - 1)
			part[wave] = v;
		sync();
		if (wave == 0) {
			unsigned p = lane < BLOCK / WAVE ? part[lane] : 0;
			for (unsigned d = 1; d < BLOCK / WAVE; d *= 2) {
				unsigned u = shfl_up(p, d);
				if (lane >= d)
					p += u;
			}
			if (lane < BLOCK / WAVE)
				part[lane] = p;
		}
		sync();
		if (wave > 0)
			v += part[wave - 1];
		out[at] = v;
		sync();
	}
}

GLOBAL void compact(const unsigned *in, unsigned *out)
{
	const unsigned lane = thread() % WAVE;
	for (int i = 0; i < ITEMS; i++) {
		const unsigned v = in[(block() * ITEMS + i) * BLOCK + thread()];
		const mask kept = __builtin_amdgcn_ballot_w64(v & 1);
		unsigned base = 0;
		if (lane == 0)
			base = __atomic_fetch_add(&out[0], __builtin_popcountll(kept), __ATOMIC_RELAXED);
		base = shfl(base, 0);
		if (v & 1)
			out[1 + base + __builtin_popcountll(kept & (((mask)1 << lane) - 1))] = v;
	}
}

GLOBAL void transpose(const unsigned *in, unsigned *out)
{
	const unsigned lane = thread() % WAVE;
	unsigned a[8];
	for (int i = 0; i < 8; i++)
		a[i] = in[(block() * 8 + i) * BLOCK + thread()];
#pragma unroll
	for (int s = 1; s < 8; s *= 2)
#pragma unroll
		for (int i = 0; i < 8; i++) {
			if (i & s)
				continue;
			const bool upper = lane & s;
			const unsigned give = upper ? a[i] : a[i | s];
			const unsigned got = shfl_xor(give, s);
			if (upper)
				a[i] = got;
			else
				a[i | s] = got;
		}
	for (int i = 0; i < 8; i++)
		out[(block() * 8 + i) * BLOCK + thread()] = a[i];
}
