// The 16-bit float on both sides: the device's instructions, the host's code in integers, and clang's own type
// must agree, on all 65,536 values where there is one operand, on edges and random values where there are more.
// REQUIRES: tier-default
// RUN: %run_both %s | %FileCheck %s
// CHECK: half: {{[1-9][0-9]*}} checks, 0 failures
#include <cuda_fp16.h>
#include <cmath>
#include "Inputs/check.h"

typedef unsigned short u16;
typedef _Float16 f16;
enum { ALL = 65536, PAIRS = 16384 };
static long checks;

static __host__ __device__ u16 raw(half h) { return __half_as_ushort(h); }
static __host__ __device__ u16 raw(f16 h) { return __builtin_bit_cast(u16, h); }
static __host__ __device__ u16 raw(bool b) { return b; }
static __host__ __device__ u16 raw(int n) { return (u16)n; }
static __host__ __device__ u16 raw(unsigned n) { return (u16)(n ^ n >> 16); }
static __host__ __device__ u16 raw(long long n) { return (u16)(n ^ n >> 20); }
static __host__ __device__ u16 raw(float x) { return raw(__builtin_bit_cast(unsigned, x)); }
static __host__ __device__ u16 one_nan(u16 x) { return (x & 0x7fff) > 0x7c00 ? 0x7e00 : x; }
static __host__ __device__ u16 raw(half2 h) { return one_nan(raw(h.x)) ^ one_nan(raw(h.y)); }

static int to_short(double x) { return x != x ? 0 : x < -32768 ? -32768 : x > 32767 ? 32767 : (int)x; }
static int to_int(double x) { return x != x ? 0 : x < -0x1p31 ? (int)-0x1p31 : x >= 0x1p31 ? 0x7fffffff : (int)x; }

// OP(expression of halves a, b, c, model in f16 p, q, r)
#define UNARY(OP)                                                          \
	OP(__half2float(a), (float)p)                                      \
	OP(__float2half(__half2float(a)), p)                               \
	OP(__hneg(a), -p)                                                  \
	OP(-a, -p)                                                         \
	OP(__habs(a), __builtin_bit_cast(f16, (u16)(raw(p) & 0x7fff)))     \
	OP(__half2short_rn(a), to_short(nearbyint((double)p)))             \
	OP(__half2int_rz(a), to_int(trunc((double)p)))                     \
	OP(__half2int_ru(a), to_int(ceil((double)p)))                      \
	OP(__half2ll_rd(a), (long long)to_int(floor((double)p)) + (std::isinf((float)p) ? p > 0 ? 0x7fffffffffffffffll - 0x7fffffff : -0x7fffffffffffffffll - 1 + 0x7fffffff + 1 : 0)) \
	OP(__hisnan(a), p != p)                                            \
	OP(__hisinf(a), std::isinf((float)p) ? p > 0 ? 1 : -1 : 0)
#define DEVICE(OP) /* there is no such function on the host */             \
	OP(hsqrt(a), (f16)sqrtf((float)p))                                 \
	OP(hrcp(a), (f16)(1 / (float)p))                                   \
	OP(hfloor(a), (f16)floorf((float)p))                               \
	OP(hrint(a), (f16)nearbyintf((float)p))
#define MORE(OP)                                                           \
	OP(__hadd(a, b), (f16)((float)p + (float)q))                       \
	OP(__hsub(a, b), (f16)((float)p - (float)q))                       \
	OP(__hmul(a, b), (f16)((float)p * (float)q))                       \
	OP(__hdiv(a, b), (f16)((float)p / (float)q))                       \
	OP(a + b, (f16)((float)p + (float)q))                              \
	OP(a * b, (f16)((float)p * (float)q))                              \
	OP(__hadd_rn(__hmul_rn(a, b), c), (f16)((float)(f16)((float)p * (float)q) + (float)r)) \
	OP(__hfma(a, b, c), exact_fma(p, q, r))                            \
	OP(__heq(a, b), p == q)                                            \
	OP(__hlt(a, b), p < q)                                             \
	OP(__hgeu(a, b), !(p < q))                                         \
	OP(__hne(a, b), p < q || p > q)                                    \
	OP(a <= b, p <= q)                                                 \
	OP(__hmax(a, b), p != p ? q : q != q ? p : p == q ? (raw(p) ? q : p) : p > q ? p : q) \
	OP(__hmin(a, b), p != p ? q : q != q ? p : p == q ? (raw(p) == 0x8000 ? p : q) : p < q ? p : q) \
	OP(__float2half_rn(xf), (f16)xf)                                   \
	OP(__double2half(xd), (f16)xd)                                     \
	OP(__int2half_rn(n), (f16)(double)n)                               \
	OP(half(n), (f16)(double)n)                                        \
	OP(__hfma2(half2(a, b), half2(b, c), half2(c, a)), (one_nan(raw(exact_fma(p, q, r))) ^ one_nan(raw(exact_fma(q, r, p))))) \
	OP(__heq2_mask(half2(a, b), half2(b, b)), (p == q ? 0xffffu : 0) | (q == q ? 0xffff0000u : 0))

// p * q + r with one rounding: 113 digits hold it
static f16
exact_fma(f16 p, f16 q, f16 r)
{
	__float128 sum = (__float128)(double)p * (double)q + (double)r;
	double near = (double)sum;
	long long bits;

	if (near - near == 0 && (__float128)near != sum) { // round to odd, then to half
		memcpy(&bits, &near, 8);
		if (!(bits & 1))
			bits += ((__float128)near < sum) == (near > 0) ? 1 : -1;
		memcpy(&near, &bits, 8);
	}
	return (f16)near;
}

#define ONE(expression, model) +1
enum { N1 = UNARY(ONE) + DEVICE(ONE), N2 = MORE(ONE) };
#define STORE(expression, model) out[n++ * total + i] = raw(expression);

__global__ void
unary(u16 *out)
{
	const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, total = ALL;
	int n = 0;
	half a = __ushort_as_half((u16)i);
	UNARY(STORE)
	DEVICE(STORE)
}

#define OPERANDS                                                                                      \
	half a = __ushort_as_half(in[3 * i]), b = __ushort_as_half(in[3 * i + 1]), c = __ushort_as_half(in[3 * i + 2]); \
	int n32 = (int)((unsigned)in[3 * i] << 16 | in[3 * i + 1]) >> (in[3 * i + 2] & 31);           \
	float xf = __builtin_bit_cast(float, (unsigned)in[3 * i] << 16 | in[3 * i + 1]);              \
	double xd = __half2float(a) * (1 + __half2float(b) * 1e-9);

__global__ void
more(const u16 *in, u16 *out)
{
	const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, total = PAIRS;
	int k = 0;
	OPERANDS
#define n n32
#define STORE2(expression, model) out[k++ * total + i] = raw(expression);
	MORE(STORE2)
#undef n
}

static void
expect(const char *what, unsigned a, unsigned b, unsigned c, u16 got, u16 want, bool number)
{
	checks++;
	if (number && (got & 0x7fff) > 0x7c00 && (want & 0x7fff) > 0x7c00)
		return;
	if (got != want && failures++ < 30)
		printf("%s of %04x %04x %04x: %04x, not %04x\n", what, a, b, c, got, want);
}

int
main()
{
	both_sides<u16> out1(N1 * ALL), in(3 * PAIRS), out2(N2 * PAIRS);
	unsigned long long state = 5;

	unary<<<ALL / 256, 256>>>(out1.device);
	out1.to_host();
	for (unsigned i = 0; i < ALL; i++) {
		int n = 0;
		half a = __ushort_as_half((u16)i);
		f16 p = __builtin_bit_cast(f16, (u16)i);
#define SAME(expression, model)                                                                                  \
		{                                                                                                \
			bool number = sizeof(expression) == 2;                                                   \
			if (!(p != p && sizeof(expression) == 4 && sizeof(#expression) == sizeof("__half2float(a)"))) { \
				expect(#expression, i, 0, 0, out1.host[n * ALL + i], raw(model), number);        \
				expect("host " #expression, i, 0, 0, raw(expression), raw(model), number);       \
			}                                                                                        \
			n++;                                                                                     \
		}
		UNARY(SAME)
#define SAME1(expression, model) expect(#expression, i, 0, 0, out1.host[n++ * ALL + i], raw(model), true);
		DEVICE(SAME1)
	}
	for (int i = 0; i < 3 * PAIRS; i++) {
		static const u16 edges[] = {0, 0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e00, 1, 0x8001, 0x3ff, 0x400, 0x7bff,
			0xfbff, 0x3555, 0x4248, 0x0401};
		state = state * 6364136223846793005ull + 1442695040888963407ull;
		in.host[i] = state >> 60 < 5 ? edges[state >> 40 & 15] : (u16)(state >> 33);
		if (state >> 60 > 9)
			in.host[i] = (u16)((in.host[i] & 0x83ff) | (0x3000 + (state >> 50 & 7) * 0x400)); // near 1
	}
	in.to_device();
	more<<<PAIRS / 256, 256>>>(in.device, out2.device);
	out2.to_host();
	for (int j = 0; j < PAIRS; j++) {
		int k = 0;
		const u16 *v = in.host + 3 * j;
		f16 p = __builtin_bit_cast(f16, v[0]), q = __builtin_bit_cast(f16, v[1]), r = __builtin_bit_cast(f16, v[2]);
		{
			u16 *in = const_cast<u16 *>(v);
			const int i = 0;
			OPERANDS
#define n n32
#define SAME2(expression, model)                                                                                      \
			expect(#expression, v[0], v[1], v[2], out2.host[k++ * PAIRS + j], raw(model), sizeof(expression) == 2); \
			expect("host " #expression, v[0], v[1], v[2], raw(expression), raw(model), sizeof(expression) == 2);
			MORE(SAME2)
#undef n
		}
	}
	return finish("half", checks);
}
