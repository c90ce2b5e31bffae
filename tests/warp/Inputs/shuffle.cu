// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shuffles of a warp, for each type and width, with what the program knows of lanes and widths only at run
// time (shuffle) or when it is compiled (constant), give what real CUDA gives.
#include "suite.h"
#include <cuda_fp16.h>

static const int ARGS = 20, WIDTHS = 6, OPS = 4;
enum { COLUMNS = OPS * WIDTHS * ARGS };
static const char *const ops[] = {"idx", "up", "down", "xor"};

// The lane that is read: what the CUDA guide says of __shfl_*_sync, with five bits of the argument.
__device__ static int source(int op, int lane, int arg, int width)
{
	const int first = lane & ~(width - 1), at = lane - first;
	arg &= 31;
	switch (op) {
	case 0: return first + arg % width;
	case 1: return at - arg < 0 ? lane : lane - arg;
	case 2: return at + arg >= width ? lane : lane + arg;
	default: return (lane ^ arg) >= first + width ? lane : lane ^ arg;
	}
}

__device__ static int argument(int i, int lane)
{
	static const signed char list[ARGS - 4] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 15, 16, 17, 24, 30, 31};
	if (i < ARGS - 4)
		return list[i];
	return i == ARGS - 4 ? 31 - lane : i == ARGS - 3 ? (lane * 7 + 3) & 31 : i == ARGS - 2 ? lane / 2 : lane % 5 + 1;
}

template <typename T> __device__ static T input(const place &p)
{
	return value_of<T>((u64)mix(p.t * 3 + 1) << 32 | mix(p.t + 77 * blockIdx.x));
}

template <typename T> __device__ static T shuffle_by(int op, unsigned mask, T v, int arg, int width)
{
	switch (op) {
	case 0: return __shfl_sync(mask, v, arg, width);
	case 1: return __shfl_up_sync(mask, v, (unsigned)arg, width);
	case 2: return __shfl_down_sync(mask, v, (unsigned)arg, width);
	default: return __shfl_xor_sync(mask, v, arg, width);
	}
}

template <typename T> __global__ void shuffle(int how, sheet s)
{
	const place p = find_place();
	const T v = input<T>(p);
	call(how, p, [&](unsigned mask, unsigned who) {
		for (int w = 0; w < WIDTHS; w++)
			for (int i = 0; i < ARGS; i++) {
				const int arg = argument(i, (int)p.lane);
#pragma unroll
				for (int op = 0; op < OPS; op++) {
					const int from = source(op, (int)p.lane, arg, 1 << w);
					T r = shuffle_by(op, mask, v, arg, 1 << w);
					put(s, p, (unsigned)((op * WIDTHS + w) * ARGS + i), who >> from & 1 ? bits(r) : OPEN);
				}
			}
	});
}

// The same with constants: OP, width and argument are the compiler's to see.
template <typename T, int OP, int W, int ARG> struct one {
	static __device__ void run(const sheet &s, const place &p, unsigned mask, unsigned who, T v, unsigned column)
	{
		const int from = source(OP, (int)p.lane, ARG, W);
		T r = shuffle_by(OP, mask, v, ARG, W);
		put(s, p, column, who >> from & 1 ? bits(r) : OPEN);
	}
};
template <typename T, int OP, int W>
static __device__ void all_arguments(const sheet &s, const place &p, unsigned mask, unsigned who, T v, unsigned column)
{
	one<T, OP, W, 0>::run(s, p, mask, who, v, column);
	one<T, OP, W, 1>::run(s, p, mask, who, v, column + 1);
	one<T, OP, W, 2>::run(s, p, mask, who, v, column + 2);
	one<T, OP, W, 3>::run(s, p, mask, who, v, column + 3);
	one<T, OP, W, 4>::run(s, p, mask, who, v, column + 4);
	one<T, OP, W, 7>::run(s, p, mask, who, v, column + 5);
	one<T, OP, W, 8>::run(s, p, mask, who, v, column + 6);
	one<T, OP, W, 15>::run(s, p, mask, who, v, column + 7);
	one<T, OP, W, 16>::run(s, p, mask, who, v, column + 8);
	one<T, OP, W, 18>::run(s, p, mask, who, v, column + 9);
	one<T, OP, W, 31>::run(s, p, mask, who, v, column + 10);
}
enum { CONSTANTS = 11 };
template <typename T, int OP>
static __device__ void all_widths(const sheet &s, const place &p, unsigned mask, unsigned who, T v)
{
	const unsigned c = OP * WIDTHS * CONSTANTS;
	all_arguments<T, OP, 1>(s, p, mask, who, v, c);
	all_arguments<T, OP, 2>(s, p, mask, who, v, c + CONSTANTS);
	all_arguments<T, OP, 4>(s, p, mask, who, v, c + 2 * CONSTANTS);
	all_arguments<T, OP, 8>(s, p, mask, who, v, c + 3 * CONSTANTS);
	all_arguments<T, OP, 16>(s, p, mask, who, v, c + 4 * CONSTANTS);
	all_arguments<T, OP, 32>(s, p, mask, who, v, c + 5 * CONSTANTS);
}
template <typename T> __global__ void constant(int how, sheet s)
{
	const place p = find_place();
	const T v = input<T>(p);
	unsigned mask = ~0u, who = p.here;
	if (how == PART || how == SPARSE) { // one place, under a branch
		mask = how == PART ? 0x8ff0a5c7u : 0x49249249u;
		if (!(mask >> p.lane & 1))
			return;
	} else if (how == GROUPS) {
		mask = 0xffu << (p.lane & 24);
	}
	who &= mask;
	all_widths<T, 0>(s, p, mask, who, v);
	all_widths<T, 1>(s, p, mask, who, v);
	all_widths<T, 2>(s, p, mask, who, v);
	all_widths<T, 3>(s, p, mask, who, v);
}

static void print(const shape &s, int how, const char *kernel, const char *type, const std::vector<u64> &cells,
	unsigned columns, unsigned args)
{
	printf("%s %s %s %s", shape_name(s).c_str(), way_names[how], kernel, type);
	for (unsigned op = 0; op < OPS; op++)
		printf(" %s %08x", ops[op], hash(cells, columns, op * WIDTHS * args, WIDTHS * args));
	printf("\n");
	for (unsigned op = 0; verbose && op < OPS; op++)
		for (unsigned w = 0; w < WIDTHS; w++) {
			printf(" %s width %u\n", ops[op], 1 << w);
			print_cells(cells, columns, (op * WIDTHS + w) * args, args);
		}
}

template <typename T> static void type(const char *name, bool constants, bool all_ways)
{
	EACH_SHAPE (s) {
		for (int how = 0; how < WAYS; how++) {
			if (!all_ways && how != FULL && how != SIDES && how != GROUPS)
				continue;
			auto cells = run(s, how, COLUMNS, [](const shape &s, int how, sheet sh) {
				shuffle<T><<<s.grid, s.block>>>(how, sh);
			});
			print(s, how, "shuffle", name, cells, COLUMNS, ARGS);
		}
		for (int how : {FULL, PART, GROUPS, SPARSE}) {
			if (!constants)
				break;
			const unsigned columns = OPS * WIDTHS * CONSTANTS;
			auto cells = run(s, how, columns, [](const shape &s, int how, sheet sh) {
				constant<T><<<s.grid, s.block>>>(how, sh);
			});
			print(s, how, "constant", name, cells, columns, CONSTANTS);
		}
	}
}

int main(int argc, char **argv)
{
	arguments(argc, argv);
	type<int>("int", true, true);
	type<unsigned>("unsigned", false, false);
	type<long>("long", false, false);
	type<unsigned long>("ulong", false, false);
	type<long long>("longlong", false, false);
	type<unsigned long long>("ulonglong", false, false);
	type<float>("float", false, false);
	type<double>("double", true, true);
	type<__half>("half", true, false);
	type<__half2>("half2", false, false);
	return 0;
}
