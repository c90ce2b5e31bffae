// The operations of lang/warp.def agree with the pseudocode of the PTX manual on both targets, for blocks
// of every kind of shape: partial last warp, odd number of warps, three dimensions, the largest.
// RUN: %run_both %s | FileCheck %s
// CHECK: 0 failures
#include <cstdio>
#include <cstdlib>
#include <vector>

enum { OPS = 4, CASES = 24 };
struct test_case {
	unsigned b, c, mask;
};

__device__ unsigned flat()
{
	return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

__global__ void shuffle(const unsigned *value, const test_case *cases, unsigned *out)
{
	unsigned t = flat(), n = blockDim.x * blockDim.y * blockDim.z;
	for (int i = 0; i < CASES; i++) {
		unsigned *o = out + (size_t)i * OPS * n;
		unsigned b = cases[i].b, c = cases[i].c, v = value[t];
		o[0 * n + t] = __heddle_shfl_idx(~0u, v, b, c);
		o[1 * n + t] = __heddle_shfl_up(~0u, v, b, c);
		o[2 * n + t] = __heddle_shfl_down(~0u, v, b, c);
		o[3 * n + t] = __heddle_shfl_bfly(~0u, v, b, c);
	}
}

// Per thread: lane, warp, active mask of every third lane, ballot, all, any, uni by mask.
enum { FACTS = 7 };
__global__ void facts(const unsigned *value, const test_case *cases, unsigned *out)
{
	unsigned t = flat(), n = blockDim.x * blockDim.y * blockDim.z, lane = __heddle_lane_id();
	for (int i = 0; i < CASES; i++) {
		unsigned *o = out + (size_t)i * FACTS * n, mask = cases[i].mask;
		int p = value[t] & cases[i].b;
		o[0 * n + t] = lane;
		o[1 * n + t] = __heddle_warp_id();
		if (lane % 3 == 0)
			o[2 * n + t] = __heddle_active_mask();
		if (mask >> lane & 1) {
			o[3 * n + t] = __heddle_ballot(mask, p);
			o[4 * n + t] = __heddle_vote_all(mask, p) != 0;
			o[5 * n + t] = __heddle_vote_any(mask, p) != 0;
			o[6 * n + t] = __heddle_vote_uni(mask, p) != 0;
		}
		__heddle_sync_warp(~0u);
	}
}

// Barriers that count, once for all threads and once after some have returned.
__global__ void counts(const unsigned *value, const test_case *cases, unsigned *out)
{
	unsigned t = flat(), n = blockDim.x * blockDim.y * blockDim.z;
	for (int i = 0; i < CASES; i++) {
		unsigned *o = out + (size_t)i * 3 * n;
		int p = value[t] & cases[i].b;
		o[0 * n + t] = __heddle_sync_count(p);
		o[1 * n + t] = __heddle_sync_and(p) != 0;
		o[2 * n + t] = __heddle_sync_or(p) != 0;
	}
	if (value[t] & 4)
		return;
	out[CASES * 3 * n + t] = __heddle_sync_count(1);
}

static unsigned failures;
static void check(const char *what, unsigned n, unsigned t, int i, unsigned got, unsigned want)
{
	if (got != want && ++failures < 20)
		printf("%s: block %u thread %u case %d: %08x instead of %08x\n", what, n, t, i, got, want);
}

struct device_array {
	unsigned *p;
	size_t n;
	explicit device_array(size_t count) : n(count)
	{
		if (cudaMalloc((void **)&p, n * sizeof(unsigned)) != cudaSuccess)
			exit(2);
		cudaMemset(p, 0, n * sizeof(unsigned));
	}
	~device_array() { cudaFree(p); }
	std::vector<unsigned> read() const
	{
		std::vector<unsigned> v(n);
		cudaError_t e = cudaMemcpy(v.data(), p, n * sizeof(unsigned), cudaMemcpyDeviceToHost);
		if (e != cudaSuccess) {
			printf("%s\n", cudaGetErrorString(e));
			exit(2);
		}
		return v;
	}
};

// PTX ISA, "shfl.sync": the lane that `lane` reads.
static unsigned source(int op, int lane, unsigned b, unsigned c)
{
	int bval = b & 31, cval = c & 31, mask = c >> 8 & 31, j = 0;
	int max = (lane & mask) | (cval & ~mask), min = lane & mask;
	bool ok = false;
	switch (op) {
	case 0: j = min | (bval & ~mask); ok = j <= max; break;
	case 1: j = lane - bval; ok = j >= max; break;
	case 2: j = lane + bval; ok = j <= max; break;
	case 3: j = lane ^ bval; ok = j <= max; break;
	}
	return ok ? j : lane;
}

static void run(dim3 block, const std::vector<test_case> &cases, const std::vector<unsigned> &value)
{
	const unsigned n = block.x * block.y * block.z;
	device_array v(n), c(CASES * 3), s((size_t)CASES * OPS * n), f((size_t)CASES * FACTS * n),
		k((size_t)CASES * 3 * n + n);
	cudaMemcpy(v.p, value.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice);
	cudaMemcpy(c.p, cases.data(), CASES * sizeof(test_case), cudaMemcpyHostToDevice);
	shuffle<<<1, block>>>(v.p, (test_case *)c.p, s.p);
	facts<<<1, block>>>(v.p, (test_case *)c.p, f.p);
	counts<<<1, block>>>(v.p, (test_case *)c.p, k.p);
	std::vector<unsigned> shuffled = s.read(), fact = f.read(), count = k.read();
	unsigned stay = 0;
	for (unsigned t = 0; t < n; t++)
		stay += !(value[t] & 4);
	for (int i = 0; i < CASES; i++)
		for (unsigned t = 0; t < n; t++) {
			unsigned lane = t % 32, first = t - lane, last = first + 32 < n ? first + 32 : n;
			unsigned mask = cases[i].mask, on = 0, third = 0, here = 0, total = 0;
			for (unsigned u = first; u < last; u++) {
				here |= 1u << (u - first);
				third |= (u - first) % 3 == 0 ? 1u << (u - first) : 0;
				on |= value[u] & cases[i].b ? 1u << (u - first) : 0;
			}
			for (unsigned u = 0; u < n; u++)
				total += (value[u] & cases[i].b) != 0;
			for (int op = 0; op < OPS; op++) {
				unsigned from = first + source(op, (int)lane, cases[i].b, cases[i].c);
				if (from < n)
					check("shuffle", n, t, i, shuffled[((size_t)i * OPS + op) * n + t], value[from]);
			}
			auto *o = &fact[(size_t)i * FACTS * n];
			check("lane", n, t, i, o[0 * n + t], lane);
			check("warp", n, t, i, o[1 * n + t], t / 32);
			if (lane % 3 == 0)
				check("active", n, t, i, o[2 * n + t], third);
			if (mask >> lane & 1) {
				unsigned part = here & mask;
				check("ballot", n, t, i, o[3 * n + t], on & mask);
				check("all", n, t, i, o[4 * n + t], (on & part) == part);
				check("any", n, t, i, o[5 * n + t], (on & part) != 0);
				check("uni", n, t, i, o[6 * n + t], (on & part) == 0 || (on & part) == part);
			}
			auto *q = &count[(size_t)i * 3 * n];
			check("count", n, t, i, q[0 * n + t], total);
			check("and", n, t, i, q[1 * n + t], total == n);
			check("or", n, t, i, q[2 * n + t], total != 0);
			if (i == 0 && !(value[t] & 4))
				check("count of the rest", n, t, i, count[(size_t)CASES * 3 * n + t], stay);
		}
}

int main()
{
	const dim3 blocks[] = {dim3(1), dim3(32), dim3(33), dim3(48), dim3(64), dim3(96), dim3(16, 3, 2), dim3(7, 5, 3),
		dim3(200), dim3(1024), dim3(32, 32), dim3(8, 8, 16)};
	std::vector<test_case> cases(CASES);
	std::vector<unsigned> value(1024);
	srand(1);
	for (int i = 0; i < CASES; i++) {
		static const int widths[] = {1, 2, 4, 8, 16, 32};
		cases[i].b = (unsigned)rand() % 40;
		// what CUDA's headers pass for a width, or anything
		cases[i].c = i % 4 < 3 ? (unsigned)(32 - widths[i % 6]) << 8 | (i % 4 ? 31 : 0) : (unsigned)rand() & 0x1f1f;
		cases[i].mask = i % 5 ? (unsigned)rand() * 2654435761u : ~0u;
	}
	cases[0].b = 0;
	cases[1].b = ~0u;
	for (auto &v : value)
		v = (unsigned)rand() * 2654435761u;
	for (auto b : blocks)
		run(b, cases, value);
	printf("%u failures\n", failures);
	return failures != 0;
}
