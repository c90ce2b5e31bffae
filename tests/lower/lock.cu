// RUN: %run_both --targets gfx1100,gfx1030,gfx1201,gfx90a,gfx906 %s | FileCheck %s
// RUN: %run_both --targets gfx1100,gfx90a %s -G | FileCheck %s
// REQUIRES: tier-default
// Proves that locks which lanes of one warp want at the same time are given back: the idioms of CUDA programs, each
// run by all lanes of several warps and blocks.
#include <cstdio>

constexpr int BLOCKS = 3, BLOCK = 96, ALL = BLOCKS * BLOCK;

struct state {
	int lock, other, next, serving, sum, more, locks[8], sums[8], link[ALL + 1];
};

// The commonest: try, work, give back, be done
__global__ void try_done(state *s)
{
	bool done = false;
	while (!done) {
		if (atomicCAS(&s->lock, 0, 1) == 0) {
			int v = *(volatile int *)&s->sum;
			*(volatile int *)&s->sum = v + 1;
			__threadfence();
			atomicExch(&s->lock, 0);
			done = true;
		}
	}
}

__global__ void try_break(state *s)
{
	for (;;) {
		if (atomicExch(&s->lock, 1) == 0) {
			s->sum = *(volatile int *)&s->sum + 1;
			__threadfence();
			atomicExch(&s->lock, 0);
			break;
		}
	}
}

__global__ void do_while(state *s)
{
	bool got;
	do {
		got = !atomicCAS(&s->lock, 0, 1);
		if (got) {
			s->sum = *(volatile int *)&s->sum + 1;
			__threadfence();
			*(volatile int *)&s->lock = 0;
		}
	} while (!got);
}

struct mutex {
	int *at;
	__device__ void lock()
	{
		while (atomicCAS(at, 0, 1) != 0) {
		}
		__threadfence();
	}
	__device__ void unlock()
	{
		__threadfence();
		atomicExch(at, 0);
	}
};

__global__ void object(state *s)
{
	mutex m = {&s->lock};
	m.lock();
	s->sum = *(volatile int *)&s->sum + 1;
	m.unlock();
}

__global__ void buckets(state *s)
{
	int b = threadIdx.x * 5 % 8;
	mutex m = {&s->locks[b]};
	m.lock();
	s->sums[b] = *(volatile int *)&s->sums[b] + 1;
	m.unlock();
}

__global__ void two_locks(state *s)
{
	mutex a = {&s->lock}, b = {&s->other};
	a.lock();
	b.lock();
	s->sum = *(volatile int *)&s->sum + 1;
	b.unlock();
	s->more = *(volatile int *)&s->more + 1;
	a.unlock();
}

__global__ void in_a_loop(state *s)
{
	for (int i = 0; i < 5; i++) {
		mutex m = {&s->lock};
		m.lock();
		for (int k = 0; k < (int)threadIdx.x % 3; k++)
			s->more = *(volatile int *)&s->more + 1;
		s->sum = *(volatile int *)&s->sum + 1;
		m.unlock();
	}
}

__global__ void tickets(state *s)
{
	int mine = atomicAdd(&s->next, 1);
	while (*(volatile int *)&s->serving != mine) {
	}
	s->sum = *(volatile int *)&s->sum + 1;
	__threadfence();
	atomicAdd(&s->serving, 1);
}

__device__ int work_under(state *s, int which)
{
	mutex m = {&s->lock};
	m.lock();
	if (which % 3 == 0) {
		s->sum = *(volatile int *)&s->sum + 2;
		m.unlock();
		return 1;
	}
	s->sum = *(volatile int *)&s->sum + 1;
	m.unlock();
	return 0;
}
__global__ void two_ways(state *s)
{
	if (work_under(s, threadIdx.x))
		atomicAdd(&s->more, 1);
}

__global__ void some_lanes(state *s)
{
	if (threadIdx.x % 2) {
		mutex m = {&s->lock};
		m.lock();
		s->sum = *(volatile int *)&s->sum + 1;
		m.unlock();
	} else {
		atomicAdd(&s->more, 1);
	}
}

__global__ void in_shared(state *s)
{
	__shared__ int lock, sum;
	if (threadIdx.x == 0)
		lock = sum = 0;
	__syncthreads();
	bool done = false;
	do {
		if (atomicCAS(&lock, 0, 1) == 0) {
			sum = *(volatile int *)&sum + 1;
			__threadfence_block();
			atomicExch(&lock, 0);
			done = true;
		}
	} while (!done);
	__syncthreads();
	if (threadIdx.x == 0)
		atomicAdd(&s->sum, sum);
}

// Each thread waits for the one before it, in its own warp or not
__global__ void chain(state *s)
{
	int i = threadIdx.x;
	if (blockIdx.x)
		return;
	if (i == 0)
		atomicExch(&s->link[0], 1);
	while (atomicAdd(&s->link[i], 0) == 0) {
	}
	s->sum = *(volatile int *)&s->sum + 1;
	__threadfence();
	atomicExch(&s->link[i + 1], 1);
}

static state *d, h;

static void run(const char *name, void (*kernel)(state *), int sum, int more)
{
	cudaMemset(d, 0, sizeof h);
	kernel<<<BLOCKS, BLOCK>>>(d);
	cudaError_t e = cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
	for (int i = 0; i < 8; i++)
		h.sum += h.sums[i];
	printf("%s: %s%s\n", name, cudaGetErrorName(e), h.sum == sum && h.more == more ? "" : " WRONG");
	if (h.sum != sum || h.more != more)
		printf("%d %d\n", h.sum, h.more);
}

int main()
{
	setvbuf(stdout, NULL, _IONBF, 0);
	cudaMalloc(&d, sizeof h);
	run("try_done", try_done, ALL, 0);
	run("try_break", try_break, ALL, 0);
	run("do_while", do_while, ALL, 0);
	run("object", object, ALL, 0);
	run("buckets", buckets, ALL, 0);
	run("two_locks", two_locks, ALL, ALL);
	run("in_a_loop", in_a_loop, 5 * ALL, 5 * ALL);
	run("tickets", tickets, ALL, 0);
	run("two_ways", two_ways, ALL + ALL / 3, ALL / 3);
	run("some_lanes", some_lanes, ALL / 2, ALL / 2);
	run("in_shared", in_shared, ALL, 0);
	run("chain", chain, BLOCK, 0);
	return 0;
}
// CHECK: try_done: cudaSuccess{{$}}
// CHECK-NEXT: try_break: cudaSuccess{{$}}
// CHECK-NEXT: do_while: cudaSuccess{{$}}
// CHECK-NEXT: object: cudaSuccess{{$}}
// CHECK-NEXT: buckets: cudaSuccess{{$}}
// CHECK-NEXT: two_locks: cudaSuccess{{$}}
// CHECK-NEXT: in_a_loop: cudaSuccess{{$}}
// CHECK-NEXT: tickets: cudaSuccess{{$}}
// CHECK-NEXT: two_ways: cudaSuccess{{$}}
// CHECK-NEXT: some_lanes: cudaSuccess{{$}}
// CHECK-NEXT: in_shared: cudaSuccess{{$}}
// CHECK-NEXT: chain: cudaSuccess{{$}}
