// Code without inline asm compiles to the same IR as with stock clang, in both passes, with and
// without debug information. (What is replaced in TargetInfo is seen by nothing else.)
// RUN: %device --offload-arch=gfx90a -O2 -S -emit-llvm %s -o %t.stock
// RUN: %device --offload-arch=gfx90a -O2 -S -emit-llvm %s -o %t.ours %plugin
// RUN: diff %t.stock %t.ours
// RUN: %device --offload-arch=gfx1100 -O0 -g -S -emit-llvm %s -o %t.stock
// RUN: %device --offload-arch=gfx1100 -O0 -g -S -emit-llvm %s -o %t.ours %plugin
// RUN: diff %t.stock %t.ours
// RUN: %host -O0 -g -S -emit-llvm %s -o %t.stock
// RUN: %host -O0 -g -S -emit-llvm %s -o %t.ours %plugin
// RUN: diff %t.stock %t.ours
// RUN: %host -O2 -S -emit-llvm %s -o %t.stock
// RUN: %host -O2 -S -emit-llvm %s -o %t.ours %plugin
// RUN: diff %t.stock %t.ours
// RUN: %device --offload-arch=gfx90a -E -dM %s -o %t.stock
// RUN: %device --offload-arch=gfx90a -E -dM %s -o %t.ours %plugin
// RUN: diff %t.stock %t.ours
// RUN: %host -fsyntax-only %s %plugin
#include <map>
#include <string>
#include <vector>
#include "mini.h"

struct base {
	__host__ __device__ virtual int get(int x) const { return x; }
	__host__ __device__ virtual ~base() {}
};
struct derived : base {
	int add;
	__host__ __device__ explicit derived(int a) : add(a) {}
	__host__ __device__ int get(int x) const override { return x + add; }
};
__constant__ float table[64];
__device__ int counter;
__device__ static const char *const names[] = {"one", "two"};

template <typename T, int N> struct tile {
	T v[N];
	__host__ __device__ T sum() const
	{
		T s = 0;
		for (int i = 0; i < N; i++)
			s += v[i];
		return s;
	}
};

template <typename F> __global__ void apply(F f, int *p)
{
	p[0] = f(p[1]);
}
__global__ void types(double *l, _Float16 *h, __int128 *q, bool *b, tile<double, 3> t, _BitInt(17) w)
{
	__shared__ int s[32];
	s[0] = (int)*q;
	*l = t.sum();
	*h += 1;
	*b = *b && w > 3;
	derived d(s[0]);
	const base &r = d;
	counter += r.get(names[1][0]) + (int)table[3];
}
__attribute__((target("dot7-insts"))) __device__ int dots(int a) { return a; }

int main(int argc, char **argv)
{
	std::map<std::string, std::vector<int>> m;
	for (int i = 0; i < argc; i++)
		m[argv[i]].push_back(i);
	int *p = nullptr;
	apply<<<1, 32>>>([=] __host__ __device__(int x) { return x + argc; }, p);
	types<<<dim3(2, 2), 64, 128>>>(nullptr, nullptr, nullptr, nullptr, tile<double, 3>(), 0);
	return (int)m.size();
}
