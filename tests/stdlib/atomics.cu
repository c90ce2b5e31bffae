// Atomic functions in global and in shared memory, at every scope: what a block's threads do together has
// one possible end, and the values they get back are all different where each changed the value.
// RUN: %run_both %s | %FileCheck %s
// CHECK: atomics: {{[1-9][0-9]*}} checks, 0 failures
#include "Inputs/check.h"

typedef unsigned long long u64;
enum { THREADS = 96, BLOCKS = 3, ALL = THREADS * BLOCKS };

// The cells of one type after all threads have worked on them
template <class T>
struct cells {
	T add, sub, exchange, least, most, both, any, odd, swap;
};

#define SCOPED(suffix, T)                                                                     \
	static __device__ void work##suffix(cells<T> *c, unsigned i)                          \
	{                                                                                     \
		atomicAdd##suffix(&c->add, (T)(i + 1));                                       \
		atomicExch##suffix(&c->exchange, (T)(i + 1));                                 \
		atomicMin##suffix(&c->least, (T)(1000 - i));                                  \
		atomicMax##suffix(&c->most, (T)i);                                            \
		atomicAnd##suffix(&c->both, (T)~((T)1 << i % 20));                            \
		atomicOr##suffix(&c->any, (T)((T)1 << i % 20));                               \
		atomicXor##suffix(&c->odd, (T)(i + 1));                                       \
		T old = c->swap, seen;                                                        \
		do { /* adds 3 by compare and swap */                                         \
			seen = old;                                                           \
			old = atomicCAS##suffix(&c->swap, seen, (T)(seen + 3));               \
		} while (old != seen);                                                        \
	}
#define TYPE(T) SCOPED(, T) SCOPED(_block, T) SCOPED(_system, T)
TYPE(int)
TYPE(unsigned)
TYPE(u64)

template <class T>
__device__ void
init(cells<T> *c)
{
	c->add = c->sub = c->exchange = c->most = c->any = c->odd = c->swap = 0;
	c->least = 2000;
	c->both = (T)0xfffff;
}

template <class T>
__global__ void
in_global(cells<T> *device, cells<T> *system)
{
	unsigned i = blockIdx.x * THREADS + threadIdx.x;

	work(device, i);
	work_system(system, i);
}

template <class T>
__global__ void
in_shared(cells<T> *out)
{
	__shared__ cells<T> device, block;

	if (threadIdx.x == 0) {
		init(&device);
		init(&block);
	}
	__syncthreads();
	work(&device, threadIdx.x);
	work_block(&block, threadIdx.x);
	__syncthreads();
	if (threadIdx.x == 0) {
		out[0] = device;
		out[1] = block;
	}
}

static long checks;

static void
expect(const char *what, double got, double want)
{
	checks++;
	if (got != want && failures++ < 20)
		printf("%s: %.17g, not %.17g\n", what, got, want);
}

template <class T>
static void
verify(const cells<T> &c, unsigned n)
{
	u64 odd = 0, any = 0;

	for (unsigned i = 0; i < n; i++) {
		odd ^= i + 1;
		any |= 1ull << i % 20;
	}
	expect("add", (double)c.add, n * (n + 1) / 2);
	expect("exchange", c.exchange >= 1 && c.exchange <= (T)n, 1);
	expect("min", (double)c.least, 1001 - n);
	expect("max", (double)c.most, n - 1);
	expect("and", (double)c.both, (double)(0xfffff & ~any));
	expect("or", (double)c.any, (double)any);
	expect("xor", (double)c.odd, (double)odd);
	expect("compare and swap", (double)c.swap, 3.0 * n);
}

template <class T>
static void
test()
{
	both_sides<cells<T>> global(2), shared(2);

	for (int i = 0; i < 2; i++) {
		memset(&global.host[i], 0, sizeof(cells<T>));
		global.host[i].least = 2000;
		global.host[i].both = (T)0xfffff;
	}
	global.to_device();
	in_global<T><<<BLOCKS, THREADS>>>(global.device, global.device + 1);
	in_shared<T><<<1, THREADS>>>(shared.device);
	global.to_host();
	shared.to_host();
	for (int i = 0; i < 2; i++) {
		verify(global.host[i], ALL);
		verify(shared.host[i], THREADS);
	}
}

struct others {
	int sub;
	unsigned usub, inc, dec;
	float f, fx;
	double d;
	long long least, most;
	unsigned short half[2];
	unsigned ticket[ALL];
};

__device__ others shared_result;

template <class T>
static __device__ void
add_floats(T *p, bool one_block)
{
	atomicAdd(p, (T)0.5);
	atomicAdd_system(p, (T)0.25);
	if (one_block)
		atomicAdd_block(p, (T)0.25);
	else
		atomicAdd(p, (T)0.25);
}

static __device__ void
work_others(others *o, unsigned i, bool one_block)
{
	atomicSub(&o->sub, (int)i);
	atomicSub(&o->usub, i);
	atomicInc(&o->inc, 99);
	atomicDec(&o->dec, 49);
	add_floats(&o->f, one_block);
	add_floats(&o->d, one_block);
	atomicExch(&o->fx, (float)i);
	atomicMin(&o->least, -(long long)i);
	atomicMax(&o->most, 5000000000ll + i);
	unsigned short old = o->half[1], seen;
	do {
		seen = old;
		old = atomicCAS(&o->half[1], seen, (unsigned short)(seen + 7));
	} while (old != seen);
}

__global__ void
other_global(others *o)
{
	unsigned i = blockIdx.x * THREADS + threadIdx.x;
	__shared__ unsigned counter;

	work_others(o, i, false);
	// Every thread draws another ticket.
	if (threadIdx.x == 0)
		counter = 0;
	__syncthreads();
	unsigned mine = atomicAdd(&counter, 1u);
	o->ticket[blockIdx.x * THREADS + mine] = i + 1;
}

__global__ void
other_shared()
{
	__shared__ others o;

	for (unsigned i = threadIdx.x; i < sizeof o / 4; i += THREADS)
		((unsigned *)&o)[i] = 0;
	__syncthreads();
	work_others(&o, threadIdx.x, true);
	__syncthreads();
	if (threadIdx.x == 0)
		shared_result = o;
}

static void
verify_others(const others &o, unsigned n)
{
	double sum = n * (n - 1) / 2.0;
	unsigned inc = 0, dec = 0;

	for (unsigned i = 0; i < n; i++) {
		inc = inc >= 99 ? 0 : inc + 1;
		dec = dec == 0 || dec > 49 ? 49 : dec - 1;
	}
	expect("int sub", o.sub, -sum);
	expect("unsigned sub", (double)o.usub, 4294967296.0 - sum);
	expect("inc", o.inc, inc);
	expect("dec", o.dec, dec);
	expect("float add", o.f, n);
	expect("double add", o.d, n);
	expect("float exchange", o.fx >= 0 && o.fx < n, 1);
	expect("64-bit min", (double)o.least, -(double)(n - 1));
	expect("64-bit max", (double)o.most, 5000000000.0 + (n - 1));
	expect("16-bit compare and swap", o.half[1], (unsigned short)(7 * n));
	expect("its neighbour", o.half[0], 0);
}

int
main()
{
	both_sides<others> global(1);
	others shared;
	bool drawn[ALL] = {false};

	test<int>();
	test<unsigned>();
	test<u64>();
	other_global<<<BLOCKS, THREADS>>>(global.device);
	global.to_host();
	verify_others(*global.host, ALL);
	for (unsigned i = 0; i < ALL; i++) {
		unsigned t = global.host->ticket[i] - 1;
		expect("ticket", t < ALL && !drawn[t] && t / THREADS == i / THREADS, 1);
		if (t < ALL)
			drawn[t] = true;
	}
	other_shared<<<1, THREADS>>>();
	CUDA(cudaGetLastError());
	CUDA(cudaMemcpyFromSymbol(&shared, shared_result, sizeof shared));
	verify_others(shared, THREADS);
	return finish("atomics", checks);
}
