/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * suite.h - what the programs of the warp suite share. Each is plain CUDA: it compiles with any nvcc and
 * prints one line for each block shape, way of calling and operation, with a hash of the results of
 * all threads; results that CUDA leaves open are left out. The .expected files hold what a real GPU
 * of NVIDIA printed (README.md). `verbose` as an argument prints each result instead.
 */
#ifndef SUITE_H
#define SUITE_H

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

typedef unsigned long long u64;

enum { OPEN_HIGH = 0x0be00be0 };
#define OPEN 0x0be00be00be00be0ull /* stands for a result that CUDA leaves open */

struct place {
	unsigned t, lane, warp, n; // flat thread, lane and warp of the block, threads in the block
	unsigned here;             // the lanes of this warp that exist
};

__device__ static inline place find_place()
{
	place p;
	p.n = blockDim.x * blockDim.y * blockDim.z;
	p.t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
	p.lane = p.t % 32;
	p.warp = p.t / 32;
	unsigned rest = p.n - p.warp * 32;
	p.here = rest >= 32 ? ~0u : (1u << rest) - 1;
	return p;
}

__host__ __device__ static inline unsigned mix(unsigned x)
{
	x ^= x >> 16;
	x *= 0x7feb352du;
	x ^= x >> 15;
	x *= 0x846ca68bu;
	return x ^ x >> 16;
}

/*
 * The ways of calling: whose lanes call together, and with which mask. FULL: all lanes at one place;
 * PART: a subset, the others pass by; SIDES: both sides of a branch, each its mask; GROUPS: one place,
 * each group of lanes its own mask; LOOP: a loop that lanes leave one after the other; EXIT: after some
 * lanes have ended; WARPS: one half of the warps and then the other; SPARSE: one lane of three.
 */
enum way { FULL, PART, SIDES, GROUPS, LOOP, EXIT, WARPS, SPARSE, WAYS };
static const char *const way_names[] = {"full", "part", "sides", "groups", "loop", "exit", "warps", "sparse"};

__device__ static inline bool exits(const place &p)
{
	return p.lane % 5 == 2 || p.t % 64 == 40;
}

// Lanes of the warp that stay: the threads of exits() are told by lane and by warp.
__device__ static inline unsigned stayers(const place &p)
{
	unsigned m = 0;
	for (unsigned l = 0; l < 32; l++) {
		place q = p;
		q.lane = l;
		q.t = p.warp * 32 + l;
		m |= exits(q) ? 0 : 1u << l;
	}
	return m & p.here;
}

/*
 * Calls f(mask, who) the way that `how` says; `who` are the lanes of the mask that exist and have not
 * ended. The kernel argument `how` is the same for all threads.
 */
template <class F> __device__ static inline void call(int how, const place &p, F f)
{
	const unsigned part = 0x8ff0a5c7u, group = 0xffu << (p.lane & 24);
	switch (how) {
	case FULL:
		f(~0u, p.here);
		break;
	case PART:
		if (part >> p.lane & 1)
			f(part, part & p.here);
		break;
	case SIDES:
		if (part >> p.lane & 1)
			f(part, part & p.here);
		else
			f(~part, ~part & p.here);
		break;
	case GROUPS:
		f(group, group & p.here);
		break;
	case LOOP:
		for (unsigned i = 0; i <= p.lane % 4; i++) {
			const unsigned m = 0xffffffffu & ~(i > 0 ? 0x11111111u : 0) &
				~(i > 1 ? 0x22222222u : 0) & ~(i > 2 ? 0x44444444u : 0);
			f(m, m & p.here);
		}
		break;
	case EXIT: {
		const unsigned m = stayers(p);
		if (exits(p))
			return; // not the end of the thread, but nothing comes behind this
		f(m, m);
		break;
	}
	case WARPS:
		if (p.warp & 1)
			f(~0u, p.here);
		else
			f(~0u, p.here);
		break;
	case SPARSE: {
		const unsigned m = p.lane % 3 == 0 ? 0x49249249u : 0;
		if (m)
			f(m, m & p.here);
		break;
	}
	}
}

// Where a thread puts its results: `columns` a thread, hashed by the host column by column.
struct sheet {
	u64 *p;
	unsigned columns;
};

__device__ static inline void put(const sheet &s, const place &p, unsigned column, u64 value)
{
	u64 *cell = s.p + (size_t)(blockIdx.x * p.n + p.t) * s.columns + column;
	*cell = *cell * 31 + value + 1; // a loop writes more than once
}

template <typename T> __host__ __device__ static inline u64 bits(T v)
{
	u64 b = 0;
	memcpy(&b, &v, sizeof v);
	return b;
}
template <typename T> __host__ __device__ static inline T value_of(u64 b)
{
	T v;
	memcpy(&v, &b, sizeof v);
	return v;
}

struct shape {
	unsigned grid;
	dim3 block;
};
static const shape shapes[] = {
	{1, dim3(1)}, {1, dim3(31)}, {2, dim3(32)}, {1, dim3(33)}, {2, dim3(48)}, {1, dim3(64)},
	{1, dim3(95)}, {2, dim3(200)}, {1, dim3(7, 5)}, {1, dim3(33, 3)}, {1, dim3(16, 3, 2)},
	{2, dim3(3, 5, 7)}, {1, dim3(1, 1, 40)}, {1, dim3(512)}, {1, dim3(1024)},
};

static bool verbose;
static unsigned largest = 1024; // threads in a block

static void check(cudaError_t e, const char *what)
{
	if (e == cudaSuccess)
		return;
	printf("%s: %s\n", what, cudaGetErrorString(e));
	exit(2);
}

static std::string shape_name(const shape &s)
{
	char text[64];
	snprintf(text, sizeof text, "%ux%u,%u,%u", s.grid, s.block.x, s.block.y, s.block.z);
	return text;
}

static unsigned threads_of(const shape &s)
{
	return s.block.x * s.block.y * s.block.z;
}

/* Runs `launch(s, how, sheet)` and returns the cells. */
template <class L> static std::vector<u64> run(const shape &s, int how, unsigned columns, L launch)
{
	std::vector<u64> cells((size_t)s.grid * threads_of(s) * columns);
	sheet sh = {nullptr, columns};
	check(cudaMalloc((void **)&sh.p, cells.size() * sizeof(u64)), "cudaMalloc");
	check(cudaMemset(sh.p, 0, cells.size() * sizeof(u64)), "cudaMemset");
	launch(s, how, sh);
	check(cudaGetLastError(), "launch");
	check(cudaMemcpy(cells.data(), sh.p, cells.size() * sizeof(u64), cudaMemcpyDeviceToHost), "kernel");
	check(cudaFree(sh.p), "cudaFree");
	return cells;
}

/* The hash of columns [first, first + n) over all threads. */
static unsigned hash(const std::vector<u64> &cells, unsigned columns, unsigned first, unsigned n)
{
	u64 h = 0xcbf29ce484222325ull;
	for (size_t t = 0; t < cells.size() / columns; t++)
		for (unsigned c = first; c < first + n; c++)
			h = (h ^ cells[t * columns + c]) * 0x100000001b3ull, h ^= h >> 29;
	return (unsigned)(h ^ h >> 32);
}

static void print_cells(const std::vector<u64> &cells, unsigned columns, unsigned first, unsigned n)
{
	for (size_t t = 0; t < cells.size() / columns; t++) {
		printf("  thread %zu:", t);
		for (unsigned c = first; c < first + n; c++)
			printf(" %llx", cells[t * columns + c]);
		printf("\n");
	}
}

static void arguments(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (strcmp(argv[i], "verbose") == 0)
			verbose = true;
		else
			largest = (unsigned)atoi(argv[i]);
}

#define EACH_SHAPE(s)              \
	for (const shape &s : shapes)  \
		if (threads_of(s) <= largest)

#endif
