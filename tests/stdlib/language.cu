// What device code may say, in one file: it compiles for wave32 and wave64, optimised and not, in every
// dialect since C++11, and names and types are the same for the host.
// REQUIRES: tier-default
// RUN: %nvcc -arch=gfx1100,gfx90a -c %s -o %t.o
// RUN: %nvcc -arch=gfx1100,gfx90a -G -O0 -c %s -o %t.o
// RUN: %nvcc -arch=gfx1100 -std=c++11 -c %s -o %t.o
// RUN: %nvcc -arch=gfx1100 -std=c++20 -c %s -o %t.o
#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdio>
#include <limits>
#include <type_traits>

template <class A, class B> struct same { static const bool value = false; };
template <class A> struct same<A, A> { static const bool value = true; };

static_assert(sizeof(dim3) == 12 && sizeof(uint3) == 12 && sizeof(char3) == 3, "sizes");
static_assert(sizeof(float4) == 16 && alignof(float4) == 16 && alignof(float2) == 8, "float");
static_assert(alignof(double2) == 16 && alignof(double4) == 16 && sizeof(double3) == 24, "double");
static_assert(alignof(char4) == 4 && alignof(short2) == 4 && alignof(longlong2) == 16, "integers");
static_assert(alignof(float3) == 4 && alignof(char2) == 2 && alignof(ulonglong4) == 16, "more");

__device__ int counter;
__device__ float table[16] = {1, 2, 3};
__constant__ float weights[8];
__constant__ int one = 1;

__device__ unsigned
takes_uint3(uint3 v)
{
	return v.x + v.y + v.z;
}

__device__ unsigned
takes_dim3(dim3 v)
{
	return v.x * v.y * v.z;
}

__global__ void
indices(unsigned *p)
{
	dim3 a = blockDim, b(blockDim), c = threadIdx, d(gridDim.x, 2);
	uint3 e = threadIdx, f(blockIdx), g = blockDim;
	auto h = threadIdx;
	const uint3 &i = blockIdx;
	unsigned n = blockIdx.x * blockDim.x + threadIdx.x;

	static_assert(same<decltype(threadIdx.x + 0u), unsigned>::value, "an index is unsigned");
	static_assert(warpSize == 32, "CUDA's warp");
	e = threadIdx;
	a = gridDim;
	p[n] = a.x + b.y + c.z + d.x + e.x + f.y + g.z + h.x + i.y + takes_uint3(threadIdx) + takes_dim3(blockDim)
		+ std::min(threadIdx.x, blockDim.x) + max(threadIdx.x, 3) + warpSize;
}

template <class T, int N>
struct tile {
	T v[N];
	__host__ __device__ T sum() const
	{
		T s = 0;
#pragma unroll
		for (int i = 0; i < N; i++)
			s += v[i];
		return s;
	}
};

template <class T> struct dynamic_shared;
template <> struct dynamic_shared<int> {
	__device__ static int *get() { extern __shared__ int s_int[]; return s_int; }
};
template <> struct dynamic_shared<double> {
	__device__ static double *get() { extern __shared__ double s_double[]; return s_double; }
};

template <class T, int N>
__global__ void __launch_bounds__(N)
templated(T *p, tile<T, 4> t)
{
	__shared__ T fixed[N];
	T *open = dynamic_shared<T>::get();

	fixed[threadIdx.x] = p[threadIdx.x];
	open[threadIdx.x] = t.sum() + one;
	__syncthreads();
	p[threadIdx.x] = fixed[N - 1 - threadIdx.x] + open[threadIdx.x] + (T)weights[threadIdx.x & 7];
}
template __global__ void templated<int, 64>(int *, tile<int, 4>);
template __global__ void templated<double, 128>(double *, tile<double, 4>);

__global__ void __launch_bounds__(256, 2) bounded2(int *p) { *p = 1; }
__launch_bounds__(1024) __global__ void bounded3(int *__restrict__ p, const int *__restrict__ q) { *p = __ldg(q); }

__global__ void __launch_bounds__(128, 2, 1) bounded4(int *p) { *p = 1; }
template <int A, int B> struct product { enum { value = A * B }; };
template <int N> __global__ void __launch_bounds__(product<N, 2>::value, 2) bounded5(int *p) { *p = N; }
template __global__ void bounded5<32>(int *);

struct shape {
	__device__ virtual float area() const = 0;
	__device__ virtual ~shape() {}
};

struct square : shape {
	float side;
	__device__ square(float s) : side(s) {}
	__device__ float area() const override { return side * side; }
};

typedef float (*unary)(float);
__device__ __noinline__ float twice(float x) { return 2 * x; }
__device__ __forceinline__ float thrice(float x) { return 3 * x; }
__device__ unary functions[2] = {twice, thrice};

__global__ void
calls(float *p, int which)
{
	square s(p[0]);
	const shape *base = &s;
	auto lambda = [=](float x) { return x + which; };
	unary f = functions[which & 1];

	p[0] = base->area() + lambda(p[1]) + f(p[2]) + sqrtf(p[3]);
	new (p + 8) float(3);
	static int local = 3;
	local++;
	memcpy(p + 16, p, 16);
	memset(p + 32, 0, 64);
}

// Names of <cmath>: from the global namespace and from std, for every type of argument
__global__ void
mathematics(float *f, double *d, int n, unsigned u, long l, long long ll)
{
	static_assert(same<decltype(sin(1.0f)), float>::value && same<decltype(std::sin(1.0f)), float>::value, "");
	static_assert(same<decltype(sin(1)), double>::value && same<decltype(std::sin(1)), double>::value, "");
	static_assert(same<decltype(pow(2.0f, 2)), double>::value || sizeof(pow(2.0f, 2)) == 4, "");
	static_assert(same<decltype(abs(1.0f)), float>::value && same<decltype(abs(1.0)), double>::value, "");
	static_assert(same<decltype(max(1, 2u)), unsigned>::value && same<decltype(max(1.0f, 2.0)), double>::value, "");
	f[0] = sin(f[0]) + std::sin(f[0]) + sinf(f[0]) + sin(n) + std::sin(u) + std::sqrt(n) + sqrt(l);
	f[1] = std::pow(f[1], 2) + std::pow(f[1], 2.5f) + pow(d[1], n) + powf(f[1], n) + std::pow(n, 2);
	f[2] = std::abs(f[2]) + abs(f[2]) + std::fabs(f[2]) + fabsf(f[2]) + fabs(f[2]);
	d[3] = std::abs(d[3]) + abs(d[3]) + fabs(d[3]) + abs(n) + std::abs(n) + abs(l) + std::abs(l) + abs(ll) + llabs(ll);
	d[4] = fmin(d[4], f[4]) + std::fmax(d[4], 1) + fmaxf(f[4], 2) + fmod(d[4], 3) + std::fmod(f[4], 2.0f);
	d[5] = floor(f[5]) + std::floor(d[5]) + ceil(n) + std::round(f[5]) + std::trunc(d[5]) + rint(f[5]);
	n = std::isnan(f[6]) + isnan(d[6]) + std::isinf(d[6]) + isinf(f[6]) + isfinite(f[6]) + std::signbit(f[6]);
	n += lrint(d[7]) + std::lround(f[7]) + llrintf(f[7]) + ilogb(d[7]) + std::ilogb(f[7]);
	d[8] = frexp(d[8], &n) + std::ldexp(f[8], 3) + modf(d[8], d) + modff(f[8], f) + std::modf(f[8], f)
		+ remquo(d[8], 2.0, &n) + scalbn(f[8], 2) + scalblnf(f[8], 3) + logb(d[8]) + nextafterf(f[8], 1);
	sincos(d[9], d, d + 1);
	sincosf(f[9], f, f + 1);
	sincospif(f[9], f, f + 1);
	__sincosf(f[9], f, f + 1);
	d[10] = erf(d[10]) + erfcf(f[10]) + tgamma(d[10]) + lgammaf(f[10]) + cbrt(d[10]) + rsqrt(d[10]) + rsqrtf(f[10])
		+ exp10(d[10]) + exp10f(f[10]) + erfinv(d[10]) + normcdff(f[10]) + j0(d[10]) + jn(3, d[10]) + ynf(2, f[10])
		+ norm3d(d[1], d[2], d[3]) + rnorm4df(f[1], f[2], f[3], f[4]) + norm(3, d) + hypot(d[1], 2.0)
		+ rhypotf(f[1], f[2]) + cyl_bessel_i0f(f[1]) + erfcxf(f[1]) + nan("") + nanf("1") + fma(d[1], d[2], d[3])
		+ std::fma(f[1], f[2], f[3]) + fdimf(f[1], f[2]) + copysign(1.0, d[1]) + std::hypot(f[1], f[2])
		+ fdividef(f[1], f[2]) + cospi(d[1]) + atan2(f[1], f[2]) + std::atan2(d[1], n);
	d[11] = std::min(d[1], d[2]) + std::max(f[1], f[2]) + min(u, 3u) + max(ll, 4ll) + min(l, 2l) + umin(u, 2u)
		+ std::numeric_limits<float>::max() + min(f[1], f[2]) + max(d[1], f[1]);
	d[12] = std::numeric_limits<double>::infinity() + std::exp(f[1]) + std::log(d[1]) + log2(f[1]) + log1p(d[1]);
}

__global__ void
messages(int n)
{
	printf("no argument\n");
	printf("%d %u %ld %lld %zu %hd %hhu %c %s %p %f %g %e %a %%\n", n, 1u, 2l, 3ll, sizeof n, (short)4,
		(unsigned char)5, 'c', "text", (void *)&n, 1.0f, 2.0, 3.0, 4.0);
	std::printf("%*.*f\n", 8, 3, 1.0);
	assert(n == 0);
	assert(n == 0 && "with text");
	if (n == 7)
		__trap();
}

// For both: the host's printf and libm on one side, the device's on the other
__host__ __device__ double
both(double x, int n)
{
	printf("%f\n", x);
	assert(x == x);
	return sin(x) + std::sin(x) + sqrtf((float)x) + rsqrt(x) + max(n, 2) + std::max(n, 3) + sinpi(x) + abs(n)
		+ fabs(x) + pow(x, 2) + std::abs(x) + floor(x);
}

__global__ void
call_both(double *p)
{
	p[0] = both(p[1], 2);
}

extern __shared__ char raw[];

__global__ void
raw_shared(int *p)
{
	int *s = reinterpret_cast<int *>(raw);

	s[threadIdx.x] = p[threadIdx.x];
	__syncwarp();
	p[threadIdx.x] = s[31 - threadIdx.x] + __syncthreads_count(1) + __syncthreads_and(1) + __syncthreads_or(0);
}

int
main()
{
	dim3 grid(2), block = 32;
	cudaStream_t stream = 0;
	unsigned *p;
	double *d;
	float w[8] = {0};
	void *address;
	size_t size;
	int blocks, threads;

	cudaMalloc(&p, 1024);
	cudaMalloc((void **)&d, 1024);
	cudaMemcpyToSymbol(weights, w, sizeof w);
	cudaMemcpyToSymbol(counter, &blocks, sizeof blocks, 0, cudaMemcpyHostToDevice);
	cudaMemcpyFromSymbol(w, table, sizeof w);
	cudaGetSymbolAddress(&address, table);
	cudaGetSymbolSize(&size, weights);
	indices<<<grid, block>>>(p);
	indices<<<1, 32, 0, stream>>>(p);
	templated<double, 128><<<dim3(1, 1), dim3(128), 1024>>>(d, tile<double, 4>());
	cudaFuncSetAttribute(templated<double, 128>, cudaFuncAttributeMaxDynamicSharedMemorySize, 2048);
	cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, indices);
	call_both<<<1, 1>>>(d);
	std::printf("%f\n", both(1, 2));
	cudaDeviceSynchronize();
	return 0;
}
