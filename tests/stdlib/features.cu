// Features of the language at run time: virtual functions, function pointers, lambdas, local statics, placement
// new, blocks of memory, constants, static and dynamic shared memory, loads with a caching wish, address spaces,
// clocks, indices of three dimensions; the vector types have one layout on both sides.
// RUN: %run_both %s | %FileCheck %s
// RUN: %run_both --no-compare %s -G -O0 | %FileCheck %s
// CHECK: features: {{[1-9][0-9]*}} checks, 0 failures
#include <cstddef>
#include "Inputs/check.h"

static long checks;

static void
expect(const char *what, double got, double want)
{
	checks++;
	if (got != want && failures++ < 20)
		printf("%s: %.17g, not %.17g\n", what, got, want);
}

struct shape {
	__device__ virtual int area() const = 0;
	__device__ virtual ~shape() {}
};
struct square : shape {
	int side;
	__device__ square(int s) : side(s) {}
	__device__ int area() const override { return side * side; }
};
struct strip : square {
	int width;
	__device__ strip(int s, int w) : square(s), width(w) {}
	__device__ int area() const override { return side * width; }
};

typedef int (*function)(int);
__device__ __noinline__ int plus(int x) { return x + 100; }
__device__ __noinline__ int times(int x) { return x * 100; }
__device__ function table[] = {plus, times};
__device__ int global_array[4] = {10, 20, 30, 40};
__constant__ int constants[4] = {1, 2, 3, 4};
__constant__ float from_host[2];
__device__ double written;

template <class F>
__device__ int
apply(F f, int x)
{
	return f(x) + f(x + 1);
}

enum { VIRTUAL1, VIRTUAL2, POINTER1, POINTER2, LAMBDA, STATIC, PLACED, COPIED, SET, CONSTANT, FROM_HOST, GLOBAL, LOADS,
	IS_SHARED, IS_GLOBAL, IS_LOCAL, CONVERTED, CLOCK, SLEPT, WARP_SIZE, RESULTS };

__global__ void
features(int *out, const float4 *vectors, int n)
{
	extern __shared__ int open[];
	__shared__ int fixed[4];
	square a(3);
	strip b(3, 4);
	const shape *shapes[] = {&a, &b};
	static int calls = 5;
	int local[4] = {1, 2, 3, 4}, copy[4], own = n;
	alignas(square) char raw[sizeof(square)];
	auto lambda = [=](int x) { return x * n; };

	out[VIRTUAL1] = shapes[n - 1]->area();
	out[VIRTUAL2] = shapes[n]->area();
	out[POINTER1] = table[n - 1](7);
	out[POINTER2] = table[n](7);
	out[LAMBDA] = apply(lambda, 20);
	calls += 2;
	out[STATIC] = calls;
	out[PLACED] = (new (raw) square(n + 8))->area();
	memcpy(copy, local, sizeof copy);
	out[COPIED] = copy[0] + copy[1] + copy[2] + copy[n + 2];
	memset(copy, 1, sizeof copy);
	out[SET] = copy[n];
	out[CONSTANT] = constants[n] + constants[n + 1];
	out[FROM_HOST] = (int)(from_host[n] * 4);
	global_array[n]++;
	out[GLOBAL] = global_array[n];
	float4 v = __ldg(vectors), w = __ldcs(vectors + 1);
	out[LOADS] = (int)(v.x + v.w + w.y) + __ldcg(constants) + __ldcv(&global_array[3]);
	open[0] = 1;
	fixed[0] = open[0];
	out[IS_SHARED] = __isShared(&fixed[0]) + 2 * __isShared(open) + 4 * __isShared(out) + 8 * __isShared(&own);
	out[IS_GLOBAL] = __isGlobal(out) + 2 * __isGlobal(&fixed[0]) + 4 * __isGlobal(&own);
	out[IS_LOCAL] = __isLocal(&own) + 2 * __isLocal(out) + 4 * __isLocal(&fixed[0]);
	*(int *)__cvta_shared_to_generic(__cvta_generic_to_shared(&fixed[1])) = 55;
	out[CONVERTED] = fixed[1];
	long long start = clock64();
	__nanosleep(100);
	out[CLOCK] = clock64() > start;
	out[SLEPT] = clock() != 0;
	out[WARP_SIZE] = warpSize;
	written = 2.5;
}

__global__ void
indices(unsigned *out)
{
	unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
	unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
	dim3 size = blockDim;

	out[block * size.x * size.y * size.z + thread] = block * 1000 + thread;
}

template <int A, int B> struct product { enum { value = A * B }; };
__global__ void __launch_bounds__(96, 2, 1) bounded(int *p) { *p = 1; }
template <int N> __global__ void __launch_bounds__(product<N, 2>::value) bounded_by(int *p) { *p = N; }

// sizeof, alignment and the offset of the last member, of every vector type
#define TYPES(DO)                                                                                            \
	DO(char1, x) DO(char2, y) DO(char3, z) DO(char4, w) DO(uchar3, z) DO(short2, y) DO(short3, z) DO(ushort4, w) \
	DO(int1, x) DO(int2, y) DO(int3, z) DO(int4, w) DO(uint4, w) DO(long2, y) DO(long3, z) DO(ulong4, w)     \
	DO(longlong2, y) DO(ulonglong4, w) DO(float1, x) DO(float2, y) DO(float3, z) DO(float4, w) DO(double1, x) \
	DO(double2, y) DO(double3, z) DO(double4, w) DO(dim3, z)
#define LAYOUT(type, last) sizeof(type) * 10000 + alignof(type) * 100 + offsetof(type, last),

__global__ void
layouts(unsigned long long *out)
{
	const unsigned long long here[] = {TYPES(LAYOUT)};
	for (unsigned i = 0; i < sizeof here / sizeof *here; i++)
		out[i] = here[i];
}

int
main()
{
	const unsigned long long here[] = {TYPES(LAYOUT)};
	const size_t types = sizeof here / sizeof *here;
	both_sides<int> out(RESULTS);
	both_sides<float4> vectors(2);
	both_sides<unsigned> index(2 * 3 * 2 * 4 * 3 * 5);
	both_sides<unsigned long long> there(types);
	const float sent[2] = {1.5f, 2.5f};
	double read = 0;

	vectors.host[0] = make_float4(1, 2, 3, 4);
	vectors.host[1] = make_float4(5, 6, 7, 8);
	vectors.to_device();
	CUDA(cudaMemcpyToSymbol(from_host, sent, sizeof sent));
	features<<<1, 1, 64>>>(out.device, vectors.device, 1);
	features<<<1, 1, 64>>>(out.device, vectors.device, 1);
	out.to_host();
	expect("virtual call", out.host[VIRTUAL1], 9);
	expect("virtual call of a grandchild", out.host[VIRTUAL2], 12);
	expect("function pointer", out.host[POINTER1], 107);
	expect("other function pointer", out.host[POINTER2], 700);
	expect("lambda", out.host[LAMBDA], 41);
	expect("local static", out.host[STATIC], 9);
	expect("placement new", out.host[PLACED], 81);
	expect("memcpy", out.host[COPIED], 10);
	expect("memset", out.host[SET], 0x01010101);
	expect("constant", out.host[CONSTANT], 5);
	expect("constant from the host", out.host[FROM_HOST], 10);
	expect("global", out.host[GLOBAL], 22);
	expect("loads", out.host[LOADS], 1 + 4 + 6 + 1 + 40);
	expect("isShared", out.host[IS_SHARED], 3);
	expect("isGlobal", out.host[IS_GLOBAL], 1);
	expect("isLocal", out.host[IS_LOCAL], 1);
	expect("converted pointer", out.host[CONVERTED], 55);
	expect("clock goes on", out.host[CLOCK], 1);
	expect("clock", out.host[SLEPT], 1);
	expect("warpSize", out.host[WARP_SIZE], 32);
	CUDA(cudaMemcpyFromSymbol(&read, written, sizeof read));
	expect("symbol", read, 2.5);

	cudaFuncAttributes attributes;
	CUDA(cudaFuncGetAttributes(&attributes, bounded));
	expect("launch bounds", attributes.maxThreadsPerBlock, 96);
	CUDA(cudaFuncGetAttributes(&attributes, bounded_by<80>));
	expect("launch bounds of a template", attributes.maxThreadsPerBlock, 160);

	indices<<<dim3(2, 3, 2), dim3(4, 3, 5)>>>(index.device);
	index.to_host();
	for (unsigned i = 0; i < index.n; i++)
		expect("index", index.host[i], i / 60 * 1000 + i % 60);

	layouts<<<1, 1>>>(there.device);
	there.to_host();
	for (size_t i = 0; i < types; i++)
		expect("layout", (double)there.host[i], (double)here[i]);
	return finish("features", checks);
}
