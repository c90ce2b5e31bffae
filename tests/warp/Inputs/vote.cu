// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Votes, matches and reductions of a warp, what a lane knows of itself, and barriers that count, give what real
// CUDA gives.
#include "suite.h"

__device__ static int predicate(unsigned i, const place &p)
{
	const unsigned h = mix(p.t * 5 + blockIdx.x);
	switch (i) {
	case 0: return 0;
	case 1: return 1;
	case 2: return (int)(h & 0x10);
	case 3: return p.lane == 13;
	case 4: return p.lane != 6;
	case 5: return (int)(p.warp & 1) << 31;
	case 6: return (int)(p.lane / 8 % 2);
	default: return h % 3 == 0;
	}
}
enum { PREDICATES = 8, VOTES = 3 };
static const char *const vote_names[] = {"ballot", "any", "all"};

__global__ void vote(int how, sheet s)
{
	const place p = find_place();
	call(how, p, [&](unsigned mask, unsigned) {
		for (unsigned i = 0; i < PREDICATES; i++) {
			put(s, p, i, __ballot_sync(mask, predicate(i, p)));
			put(s, p, PREDICATES + i, __any_sync(mask, predicate(i, p)) != 0);
			put(s, p, 2 * PREDICATES + i, __all_sync(mask, predicate(i, p)) != 0);
		}
	});
}

// Values of which some are equal: all, by groups of lanes, by chance, none, but one lane.
template <typename T> __device__ static T some_value(unsigned i, const place &p)
{
	const u64 h = (u64)mix(p.t * 3 + 9) << 32 | mix(p.t + 5);
	switch (i) {
	case 0: return (T)7;
	case 1: return (T)(p.lane / 8);
	case 2: return (T)(h % 4);
	case 3: return (T)p.t;
	case 4: return (T)(p.lane == 21);
	case 5: return p.lane % 2 ? (T)-1 : (T)(p.lane % 4 * 3);
	default: return sizeof(T) == 8 ? (T)(h & 0x100000001ull) : (T)(h >> 40 & 0x3);
	}
}
template <typename T> __device__ static T more_value(unsigned i, const place &p)
{
	return i < 7 ? some_value<T>(i, p) : value_of<T>((u64)mix(p.lane % 3) << 32 | mix(p.lane % 3));
}
template <> __device__ float more_value<float>(unsigned i, const place &p)
{
	return i < 7 ? some_value<float>(i, p) : p.lane % 2 ? -0.0f : 0.0f;
}
template <> __device__ double more_value<double>(unsigned i, const place &p)
{
	return i < 7 ? some_value<double>(i, p) : p.lane % 2 ? -0.0 : 0.0;
}
enum { VALUES = 8 };

template <typename T> __global__ void match(int how, sheet s)
{
	const place p = find_place();
	call(how, p, [&](unsigned mask, unsigned) {
		for (unsigned i = 0; i < VALUES; i++) {
			const T v = more_value<T>(i, p);
			int all = 5;
			put(s, p, i, __match_any_sync(mask, v));
			put(s, p, VALUES + i, __match_all_sync(mask, v, &all));
			put(s, p, 2 * VALUES + i, all != 0);
		}
	});
}

template <typename T> __device__ static T operand(unsigned i, const place &p)
{
	const unsigned h = mix(p.t + 31 * blockIdx.x);
	switch (i) {
	case 0: return (T)h;
	case 1: return (T)p.lane;
	case 2: return (T)(h % 100 - 50);
	case 3: return (T)(1u << p.lane);
	case 4: return (T)~(1u << p.lane);
	case 5: return (T)(p.lane & 1 ? 0x7fffffff : 0x80000000u);
	case 6: return (T)0x80000001u;
	default: return (T)(0xfffffff0u | h);
	}
}
enum { OPERANDS = 8 };
static const char *const reduce_names[] = {"add", "min", "max", "addu", "minu", "maxu", "and", "or", "xor"};
enum { REDUCES = 9 };

__global__ void reduce(int how, sheet s)
{
	const place p = find_place();
	call(how, p, [&](unsigned mask, unsigned) {
		for (unsigned i = 0; i < OPERANDS; i++) {
			const int a = operand<int>(i, p);
			const unsigned b = operand<unsigned>(i, p);
			unsigned c = i;
			put(s, p, c, (unsigned)__reduce_add_sync(mask, a));
			put(s, p, c += OPERANDS, (unsigned)__reduce_min_sync(mask, a));
			put(s, p, c += OPERANDS, (unsigned)__reduce_max_sync(mask, a));
			put(s, p, c += OPERANDS, __reduce_add_sync(mask, b));
			put(s, p, c += OPERANDS, __reduce_min_sync(mask, b));
			put(s, p, c += OPERANDS, __reduce_max_sync(mask, b));
			put(s, p, c += OPERANDS, __reduce_and_sync(mask, b));
			put(s, p, c += OPERANDS, __reduce_or_sync(mask, b));
			put(s, p, c += OPERANDS, __reduce_xor_sync(mask, b));
		}
	});
}

#define SPECIAL(name, text)                            \
	__device__ static unsigned name()              \
	{                                              \
		unsigned r;                            \
		asm volatile("mov.u32 %0, " text ";" : "=r"(r)); \
		return r;                              \
	}
SPECIAL(lane_id, "%%laneid")
SPECIAL(mask_eq, "%%lanemask_eq")
SPECIAL(mask_lt, "%%lanemask_lt")
SPECIAL(mask_le, "%%lanemask_le")
SPECIAL(mask_gt, "%%lanemask_gt")
SPECIAL(mask_ge, "%%lanemask_ge")
SPECIAL(warp_id, "%%warpid")
#undef SPECIAL

static const char *const fact_names[] = {"laneid", "eq", "lt", "le", "gt", "ge", "active", "warpsize", "syncwarp", "rank"};
enum { FACTS = 10 };

__global__ void facts(int how, sheet s)
{
	__shared__ unsigned shared[1024];
	const place p = find_place();
	call(how, p, [&](unsigned mask, unsigned who) {
		put(s, p, 0, lane_id());
		put(s, p, 1, mask_eq());
		put(s, p, 2, mask_lt());
		put(s, p, 3, mask_le());
		put(s, p, 4, mask_gt());
		put(s, p, 5, mask_ge());
		put(s, p, 6, how == GROUPS ? 0 : __activemask());
		put(s, p, 7, (unsigned)warpSize);
		// the next lane of the mask writes, this one reads
		const unsigned up = who & mask_gt(), from = __ffs((int)(up ? up : who)) - 1;
		shared[p.t] = mix(p.t);
		__syncwarp(mask);
		put(s, p, 8, shared[p.warp * 32 + from]);
		__syncwarp(mask);
		put(s, p, 9, (unsigned)__popc(who & mask_lt()));
	});
}

// %warpid is its own: the manual lets it change, so only that it is the same in a warp.
static const char *const count_names[] = {"count", "and", "or", "late", "warpid"};
enum { COUNTS = 5 };
__global__ void counts(int, sheet s)
{
	const place p = find_place();
	for (unsigned i = 0; i < PREDICATES; i++) {
		put(s, p, 0, (unsigned)__syncthreads_count(predicate(i, p)));
		put(s, p, 1, __syncthreads_and(predicate(i, p)) != 0);
		put(s, p, 2, __syncthreads_or(predicate(i, p)) != 0);
	}
	const unsigned id = warp_id();
	put(s, p, 4, __all_sync(p.here, __shfl_sync(p.here, id, 0) == id) != 0);
	if (exits(p))
		return;
	put(s, p, 3, (unsigned)__syncthreads_count(predicate(7, p)));
}

static void print(const shape &s, int how, const char *kernel, const std::vector<u64> &cells, const char *const *names,
	unsigned n, unsigned each)
{
	printf("%s %s %s", shape_name(s).c_str(), way_names[how], kernel);
	for (unsigned i = 0; i < n; i++)
		printf(" %s %08x", names[i], hash(cells, n * each, i * each, each));
	printf("\n");
	for (unsigned i = 0; verbose && i < n; i++) {
		printf(" %s\n", names[i]);
		print_cells(cells, n * each, i * each, each);
	}
}

template <class K> static void kernel(const char *name, K k, int ways, const char *const *names, unsigned n, unsigned each)
{
	EACH_SHAPE (s)
		for (int how = 0; how < ways; how++) {
			auto cells = run(s, how, n * each, [k](const shape &s, int how, sheet sh) {
				k<<<s.grid, s.block>>>(how, sh);
			});
			print(s, how, name, cells, names, n, each);
		}
}

static const char *const match_names[] = {"match", "all", "pred"};

int main(int argc, char **argv)
{
	arguments(argc, argv);
	kernel("vote", vote, WAYS, vote_names, VOTES, PREDICATES);
	kernel("match.int", match<int>, WAYS, match_names, 3, VALUES);
	kernel("match.unsigned", match<unsigned>, WAYS, match_names, 3, VALUES);
	kernel("match.long", match<long>, WAYS, match_names, 3, VALUES);
	kernel("match.ulong", match<unsigned long>, WAYS, match_names, 3, VALUES);
	kernel("match.longlong", match<long long>, WAYS, match_names, 3, VALUES);
	kernel("match.ulonglong", match<unsigned long long>, WAYS, match_names, 3, VALUES);
	kernel("match.float", match<float>, WAYS, match_names, 3, VALUES);
	kernel("match.double", match<double>, WAYS, match_names, 3, VALUES);
	kernel("reduce", reduce, WAYS, reduce_names, REDUCES, OPERANDS);
	kernel("facts", facts, WAYS, fact_names, FACTS, 1);
	kernel("counts", counts, 1, count_names, COUNTS, 1);
	return 0;
}
