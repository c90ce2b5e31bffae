// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: tier-default
// RUN: %run_both --targets all %s -fmad=false | %FileCheck %s
// One program for every GPU of targets.def: each must give the same results, and those of the host where it can
// compute them. Its kernels are chosen for what the GPUs do differently: uniform values (scalar floats, scalar
// loads of bytes, far offsets), initial registers, scratch, calls, barriers, waves of 32 and 64, atomics.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include "../stdlib/Inputs/check.h"

typedef uint32_t u32;
typedef uint64_t u64;

static long checks;

__host__ __device__ static u32
mix(u32 h, u32 v)
{
	h = (h ^ v) * 0x9e3779b1u;
	return h ^ h >> 15;
}

__host__ __device__ static u32
bits(float f)
{
	u32 u;
	memcpy(&u, &f, 4);
	return f != f ? 0x7fc00000 : u; // which NaN is not asked here
}

__host__ __device__ static u32
bits(double d)
{
	u64 u;
	memcpy(&u, &d, 8);
	return d != d ? 0x7ff80000 : mix((u32)u, (u32)(u >> 32));
}

// --- the same function of (in, i) in every lane and on the host ---------------------------------------------------

enum { N = 512, WORDS = 1 << 19 };

template <class OP>
__global__ void
each(const u32 *in, u32 *out)
{
	u32 i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = OP::lane(in, i);
}

// Arguments, loads and results are the same in all lanes: scalar instructions where a GPU has them.
template <class OP>
__global__ void
uniform(const u32 *in, u32 *out, u32 from)
{
	u32 r = OP::lane(in, from + blockIdx.x);
	if (threadIdx.x == 0)
		out[blockIdx.x] = r;
}

static both_sides<u32> *input, *output;

static void
compare(const char *name, const u32 *want, u32 n)
{
	u32 sum = 0;
	int wrong = 0;
	for (u32 i = 0; i < n; i++) {
		sum = mix(sum, output->host[i]);
		checks++;
		if (output->host[i] != want[i] && wrong++ < 3)
			printf("%s: %u: %08x, host %08x\n", name, i, output->host[i], want[i]);
	}
	failures += wrong;
	printf("%s %08x\n", name, sum);
}

template <class OP>
static void
run(const char *name)
{
	static u32 want[N];
	for (u32 i = 0; i < N; i++)
		want[i] = OP::lane(input->host, i);
	each<OP><<<N / 128, 128>>>(input->device, output->device);
	output->to_host();
	compare(name, want, N);
	uniform<OP><<<N, 64>>>(input->device, output->device, 0);
	output->to_host();
	compare(name, want, N);
}

struct integers {
	__host__ __device__ static u32
	lane(const u32 *in, u32 i)
	{
		u32 a = in[i], b = in[i + 1], c = in[i + 2];
		int s = (int)a, t = (int)b;
		u32 h = mix(a + b, a - c);
		h = mix(h, a * b + c);
		h = mix(h, (a & b) | (~a & c));
		h = mix(h, a ^ b ^ c);
		h = mix(h, (a | ~b) & c);
		h = mix(h, (a << (b & 31)) ^ (a >> (c & 31)));
		h = mix(h, (u32)(s >> (b & 31)));
		h = mix(h, s < t ? a : c);
		h = mix(h, (u32)(s > t ? s : t) + (a < b ? a : b));
		h = mix(h, a / (b | 1) + c % (b | 1));
		h = mix(h, (u32)(s / (int)(b | 1)) + (u32)(t % (int)(c | 1)));
		h = mix(h, (a << 7 | a >> 25) + (a >> 5 & 0x3ff));
		h = mix(h, (u32)(int8_t)a + (u32)(int16_t)b + (u32)(uint8_t)c);
		return h;
	}
};

struct wide {
	__host__ __device__ static u32
	lane(const u32 *in, u32 i)
	{
		u64 a = in[i] | (u64)in[i + 1] << 32, b = in[i + 2] | (u64)in[i + 3] << 32;
		int64_t s = (int64_t)a, t = (int64_t)b;
		u64 r = a * b + (a << (b & 63)) - (b >> (a & 63));
		r ^= (u64)(s >> (b & 63)) + (u64)(s < t ? s : t);
		r += a / (b >> 20 | 1) + b % (a >> 30 | 1);
		r ^= (u64)(s / (int64_t)(b >> 33 | 1)) + (a & ~b);
		r += (u64)(u32)a * (u32)b + (u64)((int64_t)(int)a * (int)b);
		return mix((u32)r, (u32)(r >> 32));
	}
};

// The lesser number; a NaN of either kind loses, -0 is less than 0.
template <class T>
__host__ __device__ static T
lesser(T a, T b)
{
#ifdef __CUDA_ARCH__
	return fmin(a, b);
#else
	return a != a ? b : b != b ? a : a == b ? (std::signbit(a) ? a : b) : a < b ? a : b;
#endif
}
template <class T>
__host__ __device__ static T
greater(T a, T b)
{
#ifdef __CUDA_ARCH__
	return fmax(a, b);
#else
	return a != a ? b : b != b ? a : a == b ? (std::signbit(a) ? b : a) : a > b ? a : b;
#endif
}

struct floats {
	__host__ __device__ static u32
	lane(const u32 *in, u32 i)
	{
		float a, b, c = (float)(int)in[i + 2] * 0.001f, d = (float)in[i + 3];
		memcpy(&a, &in[i], 4);
		memcpy(&b, &in[i + 1], 4);
		u32 h = mix(bits(a + b), bits(a * b - c));
		h = mix(h, bits(fmaf(a, b, c)));
		h = mix(h, bits(c / d) + bits(a / b));
		h = mix(h, bits(sqrtf(fabsf(c))));
		h = mix(h, bits(floorf(c)) + bits(ceilf(c)) + bits(truncf(c)) + bits(rintf(c)));
		h = mix(h, (u32)(a < b) | (u32)(a >= b) << 1 | (u32)(a == a) << 2 | (u32)(a != b) << 3 | (u32)!(a > c) << 4);
		h = mix(h, bits(c < d ? c : d) + bits(c > 5.0f ? c : -d));
		h = mix(h, bits(lesser(a, b)) + bits(greater(b, c)) + bits(greater(lesser(a, c), b)));
		float e = c * 1000.0f;
		if (e > -1e9f && e < 1e9f)
			h = mix(h, (u32)(int)e);
		if (e >= 0 && e < 4e9f)
			h = mix(h, (u32)e);
		return mix(h, bits(fabsf(c) * 4.0f - 0.5f));
	}
};

struct doubles {
	__host__ __device__ static u32
	lane(const u32 *in, u32 i)
	{
		double a = (double)(int)in[i] * 1e-3, b = (double)in[i + 1] + 0.25, c;
		u64 u = in[i + 2] | (u64)in[i + 3] << 32;
		memcpy(&c, &u, 8);
		u32 h = mix(bits(a * b + c), bits(a / b));
		h = mix(h, bits(c / a));
		h = mix(h, bits(fma(a, b, -c)));
		h = mix(h, bits(lesser(a, c)) + bits(greater(c, b)));
		h = mix(h, bits(sqrt(fabs(a))));
		h = mix(h, bits(floor(a)) + bits(rint(a)) + bits(trunc(b)));
		h = mix(h, bits((float)a) + (u32)(int)a + (u32)(a < c) + (u32)!(a < c));
		h = mix(h, (u32)((int64_t)(a * 1e6) >> 3) + (u32)(u64)b);
		return mix(h, bits((double)(int64_t)u) + bits((float)u));
	}
};

// Bytes and halfwords, near and more than a megabyte away, before and after.
struct offsets {
	__host__ __device__ static u32
	lane(const u32 *in, u32 i)
	{
		const u32 *mid = in + WORDS / 2 + i;
		const uint8_t *b = (const uint8_t *)mid;
		u32 h = mix(mid[-3], mid[300]);
		h = mix(h, mid[-100000] + mid[200000]);
		h = mix(h, b[3] + 256 * b[-7] + 65536u * b[5001]);
		h = mix(h, (u32)(int8_t)b[1] * 3 + (u32)((const int16_t *)b)[7] + ((const uint16_t *)b)[-9]);
		u64 v;
		memcpy(&v, mid + 6, 8);
		return mix(h, (u32)(v >> 17));
	}
};

// Calls by address, a stack, a local array with computed indices, pointers of unknown space.
__host__ __device__ __noinline__ static u32
twice(u32 v)
{
	return v * 2 + 1;
}
__host__ __device__ __noinline__ static u32
turned(u32 v)
{
	return v << 9 | v >> 23;
}
__host__ __device__ __noinline__ static u32
depth(u32 n, u32 v)
{
	u32 local[4] = {v, v + n, v ^ n, n};
	return n == 0 ? v : depth(n - 1, local[v & 3] * 5 + 1) + local[n & 3];
}
__host__ __device__ __noinline__ static void
shuffle_array(u32 *p, u32 n, u32 v)
{
	for (u32 k = 0; k < n; k++) {
		u32 j = (v + k * 7) % n, t = p[j];
		p[j] = p[k] + v;
		p[k] = t;
	}
}

struct scratch {
	__host__ __device__ static u32
	lane(const u32 *in, u32 i)
	{
		u32 a[24], h = 0;
		uint8_t b[16];
		u32 (*f)(u32) = in[i] & 1 ? twice : turned;
		for (u32 k = 0; k < 24; k++)
			a[k] = in[i + k];
		for (u32 k = 0; k < 16; k++)
			b[in[i + k] & 15] = (uint8_t)(k + 1), b[k] ^= 3;
		for (u32 k = 0; k < 16; k++)
			b[k] = (uint8_t)(a[k] >> 8);
		shuffle_array(a, 24, in[i + 1] & 0xff);
		for (u32 k = 0; k < 24; k++)
			h = mix(h, a[(k * 5 + in[i]) % 24] + b[k & 15]);
		return mix(h, f(h)) + depth(in[i] & 7, h);
	}
};

struct branches {
	__host__ __device__ static u32
	lane(const u32 *in, u32 i)
	{
		u32 v = in[i], h = 1, n = 0;
		while ((v & 0xfff) != 1 && n < 60) {
			v = v & 1 ? (v & 0xfff) * 3 + 1 : (v & 0xfff) / 2;
			if (++n == (in[i] >> 12 & 63))
				break;
			if (n % 7 == 3)
				continue;
			h = mix(h, v);
		}
		switch (in[i] >> 20 & 7) {
		case 0: return h + n;
		case 1: h ^= n * 3; break;
		case 2: h = mix(h, n); // fall through
		case 3: h += in[n]; break;
		case 5: for (u32 k = 0; k < n; k++) h = h * 3 + k; break;
		default: h = ~h;
		}
		return mix(h, v + n);
	}
};

// --- what the host computes in its own way --------------------------------------------------------------------------

// Every id of the block and the thread.
__global__ void
ids(u32 *out)
{
	u32 block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
	u32 thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
	u32 threads = blockDim.x * blockDim.y * blockDim.z;
	u32 v = blockIdx.x | blockIdx.y << 4 | blockIdx.z << 8 | threadIdx.x << 12 | threadIdx.y << 20 | threadIdx.z << 28;
	out[block * threads + thread] = v;
}

static void
test_ids()
{
	dim3 grid(2, 3, 2), block(5, 3, 2);
	static u32 want[12 * 30];
	for (u32 b = 0; b < 12; b++)
		for (u32 t = 0; t < 30; t++)
			want[b * 30 + t] = (b % 2) | (b / 2 % 3) << 4 | (b / 6) << 8 | (t % 5) << 12 | (t / 5 % 3) << 20 | (t / 15) << 28;
	ids<<<grid, block>>>(output->device);
	output->to_host();
	compare("ids", want, 12 * 30);
}

// A prefix sum in shared memory: barriers in a loop; part of the threads has gone before.
__global__ void
prefix(const u32 *in, u32 *out, u32 n)
{
	__shared__ u32 a[2][256];
	u32 t = threadIdx.x, from = 0;
	if (t >= n)
		return;
	a[0][t] = in[blockIdx.x * 256 + t];
	__syncthreads();
	for (u32 d = 1; d < n; d *= 2) {
		a[1 - from][t] = a[from][t] + (t >= d ? a[from][t - d] : 0);
		from = 1 - from;
		__syncthreads();
	}
	out[blockIdx.x * 256 + t] = a[from][t];
}

static void
test_prefix()
{
	static u32 want[N];
	for (u32 b = 0; b < 2; b++)
		for (u32 t = 0, sum = 0; t < 256; t++)
			want[b * 256 + t] = t < 200 ? sum += input->host[b * 256 + t] : 0;
	CUDA(cudaMemset(output->device, 0, N * 4));
	prefix<<<2, 256>>>(input->device, output->device, 200);
	output->to_host();
	compare("prefix", want, N);
}

// Votes, shuffles and their edges in each warp of a block, the last one not full.
__global__ void
warps(const u32 *in, u32 *out, u32 n)
{
	u32 t = threadIdx.x, lane = t & 31;
	if (t >= n)
		return;
	u32 mask = n - (t & ~31u) < 32 ? (1u << (n & 31)) - 1 : ~0u;
	u32 v = in[t], h = __ballot_sync(mask, v & 1);
	h = mix(h, __any_sync(mask, v % 5 == 0) * 2 + __all_sync(mask, v > 9));
	h = mix(h, __shfl_sync(mask, v, 3));
	h = mix(h, __shfl_up_sync(mask, v, 2));
	h = mix(h, __shfl_xor_sync(mask, v, 1));
	h = mix(h, __shfl_down_sync(mask, v, 4, 8));
	if (v & 2)
		h = mix(h, __popc(__activemask() & ((1u << lane) - 1)) * 0 + __popc(v));
	out[t] = h;
}

static void
test_warps()
{
	enum { n = 88 };
	static u32 want[128];
	const u32 *in = input->host;
	for (u32 t = 0; t < n; t++) {
		u32 first = t & ~31u, end = first + 32 < n ? first + 32 : n, v = in[t], h = 0;
		u32 any = 0, all = 1, lane = t & 31, width = end - first;
		for (u32 k = first; k < end; k++) {
			h |= (in[k] & 1) << (k - first);
			any |= in[k] % 5 == 0;
			all &= in[k] > 9;
		}
		h = mix(h, any * 2 + all);
		h = mix(h, in[first + 3]);
		h = mix(h, lane >= 2 ? in[t - 2] : v);
		h = mix(h, (lane ^ 1) < width ? in[t ^ 1] : v);
		h = mix(h, (lane & 7) + 4 < 8 ? in[t + 4 < end ? t + 4 : t] : v);
		if (v & 2)
			h = mix(h, (u32)__builtin_popcount(v));
		want[t] = h;
	}
	CUDA(cudaMemset(output->device, 0, 128 * 4));
	warps<<<1, 128>>>(input->device, output->device, n);
	output->to_host();
	compare("warps", want, 128);
}

// Atomics whose result does not depend on their order.
__global__ void
atomics(const u32 *in, u32 *out)
{
	__shared__ u32 s[8];
	__shared__ u64 q[2];
	u32 t = threadIdx.x, v = in[blockIdx.x * blockDim.x + t];
	if (t < 8)
		s[t] = 0;
	if (t < 2)
		q[t] = 0;
	__syncthreads();
	atomicAdd(&s[0], v);
	atomicMax((int *)&s[1], (int)v);
	atomicMin((int *)&s[2], (int)v);
	atomicXor(&s[3], v);
	atomicOr(&s[4], 1u << (v & 31));
	atomicAdd((float *)&s[5], (float)(v & 15));
	for (u32 old = s[6], seen; ; old = seen)
		if ((seen = atomicCAS(&s[6], old, old + (v & 3))) == old)
			break;
	atomicInc(&s[7], 99);
	atomicAdd((unsigned long long *)&q[0], (unsigned long long)v << 20);
	atomicMax((unsigned long long *)&q[1], (unsigned long long)v << 13);
	__syncthreads();
	if (t < 8)
		atomicAdd(&out[t], s[t]);
	if (t < 2)
		atomicAdd((unsigned long long *)&out[8 + 2 * t], q[t]);
	atomicAdd((double *)&out[12], (double)(v & 7));
	atomicMin(&out[14], v);
	if (atomicExch(&out[15], 1) == 0)
		atomicSub(&out[16], 5);
}

static void
test_atomics()
{
	u32 want[17] = {0};
	u64 q[2] = {0, 0};
	double d = 0;
	want[14] = 0;
	for (u32 b = 0; b < 2; b++) {
		u32 sum = 0, x = 0, o = 0, c = 0;
		int hi = 0, lo = 0;
		float f = 0;
		u64 most = 0;
		for (u32 t = 0; t < 256; t++) {
			u32 v = input->host[b * 256 + t];
			sum += v;
			hi = (int)v > hi ? (int)v : hi;
			lo = (int)v < lo ? (int)v : lo;
			x ^= v;
			o |= 1u << (v & 31);
			f += (float)(v & 15);
			c += v & 3;
			q[0] += (u64)v << 20;
			most = ((u64)v << 13) > most ? (u64)v << 13 : most;
			d += v & 7;
		}
		u32 one[8] = {sum, (u32)hi, (u32)lo, x, o, bits(f), c, 256 % 100};
		for (u32 k = 0; k < 8; k++)
			want[k] += one[k];
		q[1] += most;
	}
	memcpy(&want[8], q, 16);
	memcpy(&want[12], &d, 8);
	want[15] = 1;
	want[16] = (u32)-5;
	CUDA(cudaMemset(output->device, 0, 17 * 4));
	atomics<<<2, 256>>>(input->device, output->device);
	output->to_host();
	compare("atomics", want, 17);
}

// Workgroups that wait for each other, and a clock that goes on. GPUs of wave64 refuse the launch: it cannot be proved
// that two warps may share a wave.
__global__ void
relay(volatile u32 *out)
{
	u32 b = blockIdx.x;
	if (threadIdx.x == 0) {
		long long from = clock64();
		while (b > 0 && out[b - 1] == 0)
			;
		__threadfence();
		out[b] = (b > 0 ? out[b - 1] : 0) + 1 + (clock64() < from ? 1000 : 0);
	}
}

static void
test_relay()
{
	CUDA(cudaMemset(output->device, 0, 8 * 4));
	relay<<<8, 64>>>(output->device);
	if (cudaGetLastError() == cudaErrorNotSupported)
		return;
	output->to_host();
	for (u32 b = 0; b < 8; b++)
		failures += output->host[b] != b + 1;
}

int
main()
{
	both_sides<u32> in(WORDS), out(4096);
	input = &in;
	output = &out;
	u64 state = 88172645463325252ull;
	for (u32 i = 0; i < WORDS; i++) {
		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		in.host[i] = (u32)(state >> 21);
	}
	for (u32 i = 0; i < 64; i++) { // edges
		static const u32 edge[] = {0, 1, 0xffffffff, 0x80000000, 0x7fffffff, 0x7f800000, 0xff800000, 0x7fc00000,
			0x3f800000, 0x7f800001, 0x00800000, 0x7f7fffff, 31, 32, 0x80000001, 0x4b800000};
		in.host[i] = edge[i * 5 / 3 % 16];
	}
	in.to_device();
	run<integers>("integers");
	run<wide>("wide");
	run<floats>("floats");
	run<doubles>("doubles");
	run<offsets>("offsets");
	run<scratch>("scratch");
	run<branches>("branches");
	test_ids();
	test_prefix();
	test_warps();
	test_atomics();
	test_relay();
	return finish("targets", checks);
}
// CHECK: targets: {{[0-9]+}} checks, 0 failures
