// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels whose warps wait for each other, or do different things around their barriers, are right on waves of 64
// lanes, where each warp has a wave of its own (solo); with 1,024 threads the launch is refused there.
// REQUIRES: tier-default
// RUN: %nvcc -arch=gfx1100,gfx90a %s -o %t
// RUN: %heddle info %t | FileCheck %s --check-prefix=MODE
// RUN: env HEDDLE_DEVICE=exec:gfx1100 LD_PRELOAD=%preload %t 1024 2>&1 | FileCheck %s --check-prefixes=CHECK --implicit-check-not=wrong --implicit-check-not=refused
// RUN: env HEDDLE_DEVICE=exec:gfx90a LD_PRELOAD=%preload %t 512 2>&1 | FileCheck %s --check-prefixes=CHECK --implicit-check-not=wrong --implicit-check-not=refused
// RUN: env HEDDLE_DEVICE=exec:gfx90a LD_PRELOAD=%preload %t 96 2>&1 | FileCheck %s --check-prefixes=CHECK --implicit-check-not=wrong --implicit-check-not=refused
// RUN: env HEDDLE_DEVICE=exec:gfx90a LD_PRELOAD=%preload %t 1024 2>&1 | FileCheck %s --check-prefix=LARGE --implicit-check-not=right --implicit-check-not=wrong
#include <cstdio>
#include <cstdlib>
#include <vector>

#define LANE (threadIdx.x & 31)
#define WARP (threadIdx.x >> 5)
#define WARPS (blockDim.x >> 5)
constexpr int BLOCKS = 6;

// Warp 0 fills one half of a buffer while the others empty the other half; both sides have barriers of their own.
// MODE-LABEL: gfx90a
// MODE: kernel _Z16producer_barrierPKiPii
// MODE: warps solo, at most 512
// MODE-NEXT: solo because: the barrier at {{.*}}specialised.cu:[[#@LINE+8]] stands under control flow that may differ
__global__ void producer_barrier(const int *in, int *out, int n)
{
	__shared__ int buffer[2][32];
	int sum = 0;
	if (WARP == 0) {
		for (int i = 0; i < n; i++) {
			buffer[i & 1][LANE] = in[i * 32 + LANE];
			__syncthreads();
		}
	} else {
		for (int i = 0; i < n; i++) {
			__syncthreads();
			sum += buffer[i & 1][(LANE + WARP) & 31] * (i + 1);
		}
	}
	out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// The same with flags: the producer waits until a slot is empty, the consumer until it is full.
// MODE: kernel _Z14producer_flagsPKiPii
// MODE: warps solo
// MODE-NEXT: solo because: the loop at {{.*}} may wait for another thread
__global__ void producer_flags(const int *in, int *out, int n)
{
	constexpr int SLOTS = 3;
	__shared__ int buffer[SLOTS][32];
	__shared__ volatile int full[SLOTS];
	__shared__ int taken[SLOTS];
	int sum = 0;
	if (threadIdx.x < SLOTS) {
		full[threadIdx.x] = 0;
		taken[threadIdx.x] = 0;
	}
	__syncthreads();
	const int consumers = (int)WARPS - 1;
	for (int i = 0; i < n; i++) {
		const int slot = i % SLOTS, round = i / SLOTS;
		if (WARP == 0) {
			if (LANE == 0)
				while (*(volatile int *)&taken[slot] < round * consumers)
					;
			__syncwarp();
			buffer[slot][LANE] = in[i * 32 + LANE];
			__threadfence_block();
			__syncwarp();
			if (LANE == 0)
				full[slot] = round + 1;
		} else {
			if (LANE == 0)
				while (full[slot] <= round)
					;
			__syncwarp();
			__threadfence_block();
			sum += buffer[slot][(LANE + WARP) & 31] * (i + 1);
			__threadfence_block();
			__syncwarp();
			if (LANE == 0)
				atomicAdd(&taken[slot], 1);
		}
	}
	out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// A barrier inside `if (warp == k)` for each warp in turn.
// MODE: kernel _Z7in_turnPi
// MODE: warps solo
// MODE-NEXT: solo because: the barrier at
__global__ void in_turn(int *out)
{
	__shared__ int log[33];
	if (threadIdx.x == 0)
		log[0] = 0;
	__syncthreads();
	for (int k = 0; k < (int)WARPS; k++) {
		if ((int)WARP == k) {
			if (LANE == 0)
				log[++log[0]] = k;
			__syncthreads();
		} else {
			__syncthreads();
		}
	}
	out[blockIdx.x * blockDim.x + threadIdx.x] = log[1 + WARP];
}

// The leader of each warp takes the lock.
// MODE: kernel _Z11leader_lockPiS_
// MODE: warps solo
// MODE-NEXT: solo because: the loop at {{.*}} may wait for another thread: for an atomic at
__global__ void leader_lock(int *lock, int *out)
{
	if (LANE == 0) {
		while (atomicExch(lock, 1))
			;
		__threadfence();
		volatile int *o = out;
		o[0] = o[0] + 1;
		o[1] = o[1] * 3 + 1;
		__threadfence();
		atomicExch(lock, 0);
	}
}

// A whole warp works under the lock.
// MODE: kernel _Z9warp_lockPiS_
// MODE: warps solo
// MODE-NEXT: solo because: the loop at
__global__ void warp_lock(int *lock, int *out)
{
	for (int i = 0; i < 3; i++) {
		if (LANE == 0)
			while (atomicCAS(lock, 0, 1) != 0)
				;
		__syncwarp();
		__threadfence();
		volatile int *o = out;
		o[LANE] = o[LANE] + (int)LANE + 1;
		__threadfence();
		__syncwarp();
		if (LANE == 0)
			atomicExch(lock, 0);
	}
}

// Every lane takes the lock: the idiom that works without independent threads.
// MODE: kernel _Z9lane_lockPiS_
// MODE: warps solo
// MODE-NEXT: solo because: the loop at
__global__ void lane_lock(int *lock, int *out)
{
	for (bool done = false; !done;)
		if (atomicCAS(lock, 0, 1) == 0) {
			__threadfence();
			volatile int *o = out;
			o[0] = o[0] + (int)threadIdx.x;
			o[1] = o[1] + 1;
			__threadfence();
			atomicExch(lock, 0);
			done = true;
		}
}

// Warps hand a running sum from one to the next.
// MODE: kernel _Z5chainPKiPi
// MODE: warps solo
// MODE-NEXT: solo because: the loop at
__global__ void chain(const int *in, int *out)
{
	__shared__ volatile int sum[33], ready[33];
	if (threadIdx.x <= WARPS)
		ready[threadIdx.x] = threadIdx.x == 0, sum[threadIdx.x] = 0;
	__syncthreads();
	const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
	int v = in[i];
	for (int d = 1; d < 32; d *= 2) {
		int u = __shfl_up_sync(~0u, v, d);
		v += (int)LANE >= d ? u : 0;
	}
	if (LANE == 31) {
		while (!ready[WARP])
			;
		__threadfence_block();
		sum[WARP + 1] = sum[WARP] + v;
		__threadfence_block();
		ready[WARP + 1] = 1;
	}
	__syncwarp();
	out[i] = v + sum[WARP];
}

/*
 * A scan of the whole input in one pass with decoupled look-back: block `b` (by the order of arrival) publishes
 * its sum, then adds up what lies before it, 32 blocks at a time, until one knows its whole prefix.
 */
enum : unsigned long long { NOTHING = 0, SUM = 1ull << 32, PREFIX = 2ull << 32, STATE = 3ull << 32 };

__device__ static int block_scan(int v, int *total)
{
	__shared__ int sums[32];
	for (int d = 1; d < 32; d *= 2) {
		int u = __shfl_up_sync(~0u, v, d);
		v += (int)LANE >= d ? u : 0;
	}
	if (LANE == 31)
		sums[WARP] = v;
	__syncthreads();
	int before = 0, all = 0;
	for (int w = 0; w < (int)WARPS; w++) {
		before += w < (int)WARP ? sums[w] : 0;
		all += sums[w];
	}
	*total = all;
	return v + before;
}

__device__ static int look_back(volatile unsigned long long *state, int b, int total)
{
	__shared__ int prefix;
	if (WARP == 0) {
		if (LANE == 0) {
			__threadfence();
			state[b] = (b ? SUM : PREFIX) | (unsigned)total;
		}
		int before = 0;
		for (int at = b - 1 - (int)LANE;; at -= 32) {
			if (__all_sync(~0u, at < 0))
				break;
			unsigned long long s = PREFIX;
			if (at >= 0)
				while (((s = state[at]) & STATE) == NOTHING)
					;
			const unsigned known = __ballot_sync(~0u, (s & STATE) == PREFIX);
			const int last = known ? __ffs((int)known) - 1 : 31;
			int x = (int)LANE <= last ? (int)(unsigned)s : 0;
			for (int d = 16; d; d /= 2)
				x += __shfl_xor_sync(~0u, x, d);
			before += x;
			if (known)
				break;
		}
		if (LANE == 0) {
			__threadfence();
			state[b] = PREFIX | (unsigned)(before + total);
			prefix = before;
		}
	}
	__syncthreads();
	return prefix;
}

__device__ static int arrive(int *ticket)
{
	__shared__ int mine;
	if (threadIdx.x == 0)
		mine = atomicAdd(ticket, 1);
	__syncthreads();
	return mine;
}

// MODE: kernel _Z13one_pass_scanPKiPiS1_Py
// MODE: warps solo
// MODE-NEXT: solo because: the loop at
__global__ void one_pass_scan(const int *in, int *out, int *ticket, unsigned long long *state)
{
	const int b = arrive(ticket), i = (int)(b * blockDim.x + threadIdx.x);
	int total, v = block_scan(in[i], &total);
	out[i] = v + look_back(state, b, total);
}

// The elements that hold a condition, in their order, with the same look-back; out[-1] is their number.
// MODE: kernel _Z7compactPKiPiS1_Py
// MODE: warps solo
// MODE-NEXT: solo because: the loop at
__global__ void compact(const int *in, int *out, int *ticket, unsigned long long *state)
{
	const int b = arrive(ticket), i = (int)(b * blockDim.x + threadIdx.x);
	const int keep = in[i] % 3 == 0;
	int total, v = block_scan(keep, &total);
	const int before = look_back(state, b, total);
	if (keep)
		out[before + v - 1] = in[i];
	if (b == (int)gridDim.x - 1 && threadIdx.x == 0)
		out[-1] = before + total;
}

static int *array(size_t n)
{
	int *p;
	cudaMalloc((void **)&p, n * sizeof(int));
	cudaMemset(p, 0, n * sizeof(int));
	return p;
}

static std::vector<int> read(const int *p, size_t n)
{
	std::vector<int> v(n);
	cudaMemcpy(v.data(), p, n * sizeof(int), cudaMemcpyDeviceToHost);
	return v;
}

static void result(const char *name, bool right)
{
	static cudaError_t e;
	e = cudaDeviceSynchronize();
	if (e == cudaSuccess)
		printf("%s %s\n", name, right ? "right" : "wrong");
	else
		printf("%s failed: %s\n", name, cudaGetErrorName(e));
}

static bool launched(const char *name)
{
	cudaError_t e = cudaGetLastError();
	if (e != cudaSuccess)
		printf("%s refused: %s\n", name, cudaGetErrorName(e));
	return e == cudaSuccess;
}

int main(int argc, char **argv)
{
	const int block = argc > 1 ? atoi(argv[1]) : 512, n = BLOCKS * block, steps = 12;
	std::vector<int> h(n > 32 * steps ? n : 32 * steps), sums(n), kept, want(n), got;
	for (size_t i = 0; i < h.size(); i++)
		h[i] = (int)(i * 2654435761u >> 16) % 1000;
	int *in = array(h.size()), *out = array(n + 1), *lock = array(1);
	unsigned long long *state = (unsigned long long *)array(2 * BLOCKS);
	cudaMemcpy(in, h.data(), h.size() * sizeof(int), cudaMemcpyHostToDevice);
	setvbuf(stdout, 0, _IONBF, 0);

	for (int i = 0; i < n; i++) {
		const int warp = i % block / 32, lane = i % 32;
		for (int s = 0; warp && s < steps; s++)
			want[i] += h[s * 32 + (lane + warp) % 32] * (s + 1);
	}
	producer_barrier<<<BLOCKS, block>>>(in, out, steps);
	if (launched("producer_barrier"))
		result("producer_barrier", read(out, n) == want);
	cudaMemset(out, 0, n * sizeof(int));
	producer_flags<<<BLOCKS, block>>>(in, out, steps);
	if (launched("producer_flags"))
		result("producer_flags", read(out, n) == want);

	for (int i = 0; i < n; i++)
		want[i] = i % block / 32;
	in_turn<<<BLOCKS, block>>>(out);
	if (launched("in_turn"))
		result("in_turn", read(out, n) == want);

	unsigned hash = 0;
	for (int i = 0; i < n / 32; i++)
		hash = hash * 3 + 1;
	cudaMemset(out, 0, n * sizeof(int));
	leader_lock<<<BLOCKS, block>>>(lock, out);
	if (launched("leader_lock"))
		result("leader_lock", read(out, 2) == std::vector<int>{n / 32, (int)hash});

	std::vector<int> lanes(32);
	for (int l = 0; l < 32; l++)
		lanes[l] = 3 * (n / 32) * (l + 1);
	cudaMemset(out, 0, n * sizeof(int));
	warp_lock<<<BLOCKS, block>>>(lock, out);
	if (launched("warp_lock"))
		result("warp_lock", read(out, 32) == lanes);

	cudaMemset(out, 0, n * sizeof(int));
	lane_lock<<<BLOCKS, block>>>(lock, out);
	if (launched("lane_lock"))
		result("lane_lock", read(out, 2) == std::vector<int>{BLOCKS * (block * (block - 1) / 2), n});

	for (int i = 0; i < n; i++)
		want[i] = h[i] + (i % block ? want[i - 1] : 0);
	chain<<<BLOCKS, block>>>(in, out);
	if (launched("chain"))
		result("chain", read(out, n) == want);

	for (int i = 0; i < n; i++) {
		sums[i] = h[i] + (i ? sums[i - 1] : 0);
		if (h[i] % 3 == 0)
			kept.push_back(h[i]);
	}
	one_pass_scan<<<BLOCKS, block>>>(in, out, lock, state);
	if (launched("one_pass_scan"))
		result("one_pass_scan", read(out, n) == sums);

	cudaMemset(lock, 0, sizeof(int));
	cudaMemset(state, 0, BLOCKS * sizeof *state);
	compact<<<BLOCKS, block>>>(in, out + 1, lock, state);
	if (launched("compact")) {
		kept.insert(kept.begin(), (int)kept.size());
		result("compact", read(out, kept.size()) == kept);
	}
	return 0;
}
// CHECK: producer_barrier right
// CHECK: producer_flags right
// CHECK: in_turn right
// CHECK: leader_lock right
// CHECK: warp_lock right
// CHECK: lane_lock right
// CHECK: chain right
// CHECK: one_pass_scan right
// CHECK: compact right
// LARGE: heddle: kernel producer_barrier(int const*, int*, int) takes at most 512 threads a block on gfx90a, not 1024: {{.*}}(warp mode solo){{.*}} because the barrier at {{.*}}specialised.cu:{{[0-9]+}} stands under {{.*}}heddle_warp("paired")
// LARGE: producer_barrier refused: cudaErrorLaunchOutOfResources
// LARGE: producer_flags refused: cudaErrorLaunchOutOfResources
// LARGE: in_turn refused: cudaErrorLaunchOutOfResources
// LARGE: heddle: kernel leader_lock(int*, int*) takes at most 512 threads a block on gfx90a, not 1024: {{.*}} because the loop at {{.*}}specialised.cu:{{[0-9]+}} may wait for another thread: for an atomic at {{.*}}heddle_warp("paired")
// LARGE: leader_lock refused: cudaErrorLaunchOutOfResources
// LARGE: warp_lock refused: cudaErrorLaunchOutOfResources
// LARGE: lane_lock refused: cudaErrorLaunchOutOfResources
// LARGE: chain refused: cudaErrorLaunchOutOfResources
// LARGE: one_pass_scan refused: cudaErrorLaunchOutOfResources
// LARGE: compact refused: cudaErrorLaunchOutOfResources
