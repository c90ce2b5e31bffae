// Shuffles of every type and width, votes, ballots and the counting barriers, against a model of 32 lanes.
// RUN: %run_both %s | %FileCheck %s
// CHECK: warp: {{[1-9][0-9]*}} checks, 0 failures
#include "Inputs/check.h"

typedef unsigned long long u64;
enum { THREADS = 64, WIDTHS = 6, PER_TYPE = WIDTHS * 4 };

static __host__ __device__ double
value_of(int lane) // differs between lanes and, of 64 bits, in both halves
{
	return lane * 3.0 + 4294967296.0 * lane + 7;
}

template <class T>
static __host__ __device__ T
typed(int lane)
{
	return sizeof(T) == 8 ? (T)value_of(lane) : (T)(lane * 3 + 7);
}

template <class T>
__global__ void
shuffles(T *out)
{
	int i = threadIdx.x, n = 0;
	T v = typed<T>(i);

#pragma unroll
	for (int width = 1; width <= 32; width *= 2) {
		out[n++ * THREADS + i] = __shfl_sync(0xffffffff, v, i / 2 + 1, width);
		out[n++ * THREADS + i] = __shfl_up_sync(0xffffffff, v, 2, width);
		out[n++ * THREADS + i] = __shfl_down_sync(0xffffffff, v, 3, width);
		out[n++ * THREADS + i] = __shfl_xor_sync(0xffffffff, v, 5, width);
	}
}

// The lane that `lane` reads, in its warp
static int
source(int kind, int lane, int width)
{
	int in_warp = lane % 32, first = in_warp / width * width, s;

	switch (kind) {
	case 0:
		s = first + (lane / 2 + 1) % width;
		break;
	case 1:
		s = in_warp - 2 < first ? in_warp : in_warp - 2;
		break;
	case 2:
		s = in_warp + 3 >= first + width ? in_warp : in_warp + 3;
		break;
	default: // a lane of a later segment stays what it was; one of an earlier segment is read
		s = (in_warp ^ 5) >= first + width ? in_warp : in_warp ^ 5;
	}
	return lane / 32 * 32 + s;
}

static long checks;

static void
expect(const char *what, int lane, double got, double want)
{
	checks++;
	if (got != want && failures++ < 20)
		printf("%s, thread %d: %.17g, not %.17g\n", what, lane, got, want);
}

template <class T>
static void
test(const char *type)
{
	both_sides<T> out(PER_TYPE * THREADS);

	shuffles<T><<<1, THREADS>>>(out.device);
	out.to_host();
	for (int w = 0; w < WIDTHS; w++)
		for (int kind = 0; kind < 4; kind++)
			for (int i = 0; i < THREADS; i++)
				expect(type, i, (double)out.host[(w * 4 + kind) * THREADS + i],
					(double)typed<T>(source(kind, i, 1 << w)));
}

enum { ALL_TRUE, ALL_SOME, ANY_NONE, ANY_SOME, UNI_TRUE, UNI_SOME, BALLOT, BALLOT_HALF, COUNT, AND, OR, ACTIVE, VOTES };

__global__ void
votes(unsigned *out, int n)
{
	int i = threadIdx.x;
	unsigned *o = out + i;

	o[ALL_TRUE * THREADS] = __all_sync(0xffffffff, i < n);
	o[ALL_SOME * THREADS] = __all_sync(0xffffffff, i < 40);
	o[ANY_NONE * THREADS] = __any_sync(0xffffffff, i >= n);
	o[ANY_SOME * THREADS] = __any_sync(0xffffffff, i == 40);
	o[UNI_TRUE * THREADS] = __uni_sync(0xffffffff, i >= n);
	o[UNI_SOME * THREADS] = __uni_sync(0xffffffff, i < 40);
	o[BALLOT * THREADS] = __ballot_sync(0xffffffff, i % 3 == 0);
	o[BALLOT_HALF * THREADS] = __ballot_sync(0xffffffff, i >= 32);
	o[COUNT * THREADS] = __syncthreads_count(i % 5 == 0);
	o[AND * THREADS] = __syncthreads_and(i != 63);
	o[OR * THREADS] = __syncthreads_or(i == 63);
	o[ACTIVE * THREADS] = __activemask();
}

// A sum by shuffles, and its broadcast through shared memory, over all threads of the block
__global__ void
block_sum(const int *in, int *out)
{
	__shared__ int part[2];
	int v = in[threadIdx.x];

	for (int d = 16; d > 0; d /= 2)
		v += __shfl_down_sync(0xffffffff, v, d);
	if (threadIdx.x % 32 == 0)
		part[threadIdx.x / 32] = v;
	__syncthreads();
	out[threadIdx.x] = part[0] + part[1];
}

int
main()
{
	both_sides<unsigned> out(VOTES * THREADS);
	both_sides<int> in(THREADS), sum(THREADS);

	test<int>("int");
	test<unsigned>("unsigned");
	test<long>("long");
	test<unsigned long>("unsigned long");
	test<long long>("long long");
	test<u64>("unsigned long long");
	test<float>("float");
	test<double>("double");

	votes<<<1, THREADS>>>(out.device, THREADS);
	out.to_host();
	for (int i = 0; i < THREADS; i++) {
		unsigned thirds = 0, *o = out.host + i;

		for (int j = 0; j < 32; j++)
			thirds |= ((i / 32 * 32 + j) % 3 == 0 ? 1u : 0u) << j;
		expect("all", i, o[ALL_TRUE * THREADS] != 0, 1);
		expect("not all", i, o[ALL_SOME * THREADS] != 0, i < 32);
		expect("none", i, o[ANY_NONE * THREADS] != 0, 0);
		expect("any", i, o[ANY_SOME * THREADS] != 0, i >= 32);
		expect("uniform", i, o[UNI_TRUE * THREADS] != 0, 1);
		expect("not uniform", i, o[UNI_SOME * THREADS] != 0, i < 32);
		expect("ballot", i, o[BALLOT * THREADS], thirds);
		expect("ballot of one warp", i, o[BALLOT_HALF * THREADS], i < 32 ? 0 : 0xffffffff);
		expect("count", i, o[COUNT * THREADS], 13);
		expect("and", i, o[AND * THREADS] != 0, 0);
		expect("or", i, o[OR * THREADS] != 0, 1);
		expect("active", i, o[ACTIVE * THREADS], 0xffffffff);
	}
	for (int i = 0; i < THREADS; i++)
		in.host[i] = i * i;
	in.to_device();
	block_sum<<<1, THREADS>>>(in.device, sum.device);
	sum.to_host();
	for (int i = 0; i < THREADS; i++)
		expect("sum", i, sum.host[i], 63 * 64 * 127 / 6);
	return finish("warp", checks);
}
