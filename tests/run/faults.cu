// REQUIRES: tier-default
// RUN: env HEDDLE_EXEC_THREADS=1 %run_both --targets gfx1100,gfx90a,gfx1030,gfx1201 %s -O1 | %FileCheck %s
// Proves that each kind of fault ends the kernel with CUDA's error and one line that says what, where and who, the same
// on four generations of GPUs. Faults are sticky, so each has a process of its own.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

struct alignas(16) quad { int v[4]; };
struct table { int (*call)(int); };
__constant__ int constants[4] = {1, 2, 3, 4};
__device__ __noinline__ int load_of(const int *p) { return *p; }
__device__ __noinline__ void store_of(int *p, int v) { *p = v; }
__device__ __noinline__ void add_to(int *p, int v) { atomicAdd(p, v); }

// Thread 37 of block 1 is at fault where nothing else is said.
#define GUILTY (blockIdx.x == 1 && threadIdx.x == 37)

__global__ void load(int *p, long at) { if (GUILTY) p[0] = p[at]; }
__global__ void load_quad(int *p, long at) { if (GUILTY) *(quad *)p = *(quad *)(p + at); }
__global__ void load_byte(char *p, long at) { if (GUILTY) p[0] = p[at]; }
__global__ void store(int *p, long at) { if (GUILTY) p[at] = 1; }
__global__ void store_long(long *p, long at) { if (GUILTY) p[at] = 1; }
__global__ void atomic(int *p, long at) { if (GUILTY) atomicAdd(p + at, 1); }
__global__ void atomic_cas(unsigned long long *p, long at) { if (GUILTY) atomicCAS(p + at, 1ull, 2ull); }
__global__ void uniform(const int *__restrict__ p, int *__restrict__ o, long at) { o[threadIdx.x] = p[at]; }
__global__ void generic_load(int *p, long at)
{
	__shared__ int tile[64];
	tile[threadIdx.x] = 1;
	if (GUILTY)
		p[0] = load_of(threadIdx.x == 37 ? p + at : tile);
}
__global__ void generic_store(int *p, long at) { if (GUILTY) store_of(p + at, 1); }
__global__ void generic_atomic(int *p, long at) { if (GUILTY) add_to(p + at, 1); }
__global__ void shared_load(int *p, int at)
{
	extern __shared__ int tile[];
	tile[threadIdx.x] = at;
	__syncthreads();
	if (GUILTY)
		p[0] = tile[at];
}
__global__ void shared_store(int *p, int at)
{
	extern __shared__ int tile[];
	if (GUILTY)
		tile[at] = *p;
	p[1] = tile[0];
}
__global__ void shared_atomic(int *p, int at)
{
	extern __shared__ int tile[];
	if (GUILTY)
		p[0] = atomicAdd(tile + at, 2);
}
__global__ void local_load(int *p, int at)
{
	int a[64];
	for (int i = 0; i < 64; i++)
		a[i] = p[i];
	asm volatile("" ::: "memory");
	if (GUILTY)
		p[0] = a[at];
}
__global__ void local_store(int *p, int at)
{
	volatile int a[64];
	for (int i = 0; i < 64; i++)
		a[i] = p[i];
	if (GUILTY)
		a[at] = 1;
	p[1] = a[2];
}
__device__ __noinline__ int deep(int *p, int n)
{
	volatile int a[256];
	a[n & 255] = n;
	return n == 0 ? 0 : deep(p, n - 1) + a[n & 255];
}
__global__ void overflow(int *p, int n) { p[0] = deep(p, n); }
__global__ void misaligned(char *p, long at) { if (GUILTY) atomicAdd((int *)(p + at), 1); }
__global__ void misaligned_shared(int *p, int at)
{
	extern __shared__ int tile[];
	if (GUILTY)
		p[0] = atomicExch((int *)((char *)tile + at), 2);
}
__global__ void misaligned_load(char *p, long at) { if (GUILTY) *(int *)p = *(volatile int *)(p + at); }
__global__ void to_constant(int *p, int at) { if (GUILTY) *(volatile int *)&constants[at] = *p; }
__global__ void trap(int *p) { if (GUILTY && *p == 0) __trap(); }
__global__ void jump(table *t, int *p) { if (GUILTY) p[0] = t->call(1); }
__global__ void lock(int *p)
{
	__shared__ int taken;
	if (threadIdx.x == 0)
		taken = 0;
	__syncthreads();
	if (blockIdx.x == 1)
		while (atomicExch(&taken, 1) != 0)
			;
	p[0] = 1;
}
__global__ void poll(volatile int *flag, int *out) { while (*flag == 0) continue; *out = 5; }

static int *p; // 64 ints; the next byte is nobody's
static void spin_then_end()
{
	int *flag, result = 0;
	cudaHostAlloc(&flag, 4, cudaHostAllocMapped);
	*flag = 0;
	poll<<<1, 1>>>(flag, p);
	sleep(2);
	*(volatile int *)flag = 1;
	cudaMemcpy(&result, p, 4, cudaMemcpyDefault);
	fprintf(stderr, "result %d\n", result);
}
static void neighbour(int by)
{
	int *a[3];
	for (int **q = a; q < a + 3; q++)
		cudaMalloc(q, 256);
	store<<<2, 64>>>(a[1], by);
}
static void freed()
{
	int *a;
	cudaMalloc(&a, 4096);
	cudaFree(a);
	for (int i = 0; i < 20; i++) { // what comes after does not get its place
		int *b;
		cudaMalloc(&b, 4096);
		if (b == a)
			fprintf(stderr, "the place of freed memory is used at once\n");
	}
	load<<<2, 64>>>(a, 5);
}

static int which;
#define CASE(...) if (which == n++) { printf("%s\n", #__VA_ARGS__); fflush(stdout); __VA_ARGS__; return true; }
static bool run()
{
	int n = 0;
	CASE(load<<<2, 64>>>(p, 1000))
	CASE(load_quad<<<2, 64>>>(p, 62))
	CASE(load_byte<<<2, 64>>>((char *)p, 256))
	CASE(store<<<2, 64>>>(p, -1))
	CASE(store_long<<<2, 64>>>((long *)p, 32))
	CASE(atomic<<<2, 64>>>(p, 64))
	CASE(atomic_cas<<<2, 64>>>((unsigned long long *)p, 32))
	CASE(uniform<<<2, 64>>>(p, p, 1000))
	CASE(generic_load<<<2, 64>>>(p, 1000))
	CASE(generic_store<<<2, 64>>>(p, 1000))
	CASE(generic_atomic<<<2, 64>>>(p, 1000))
	CASE(load<<<2, 64>>>(nullptr, 1))
	CASE(neighbour(64))
	CASE(neighbour(-1))
	CASE(freed())
	CASE(store<<<2, 64>>>(new int[64], 5))
	CASE(shared_load<<<2, 64, 512>>>(p, 128))
	CASE(shared_store<<<2, 64, 512>>>(p, -1))
	CASE(shared_atomic<<<2, 64, 512>>>(p, 128))
	CASE(local_load<<<2, 64>>>(p, 1 << 20))
	CASE(local_store<<<2, 64>>>(p, -(1 << 20)))
	CASE(overflow<<<1, 1>>>(p, 100000))
	CASE(misaligned<<<2, 64>>>((char *)p, 2))
	CASE(misaligned_shared<<<2, 64, 64>>>(p, 1))
	CASE(misaligned_load<<<2, 64>>>((char *)p, 2))
	CASE(misaligned_load<<<2, 64>>>((char *)p, 2))
	CASE(to_constant<<<2, 64>>>(p, 1))
	CASE(trap<<<2, 64>>>(p))
	CASE(jump<<<2, 64>>>((table *)p, p))
	CASE(lock<<<2, 64>>>(p))
	CASE(poll<<<1, 32>>>(p, p))
	CASE(spin_then_end())
	return false;
}

// Addresses differ from run to run, and so may the folder.
static void print_plain(char *s)
{
	for (char *q = s; *q;) {
		if (strncmp(q, "0x", 2) == 0) {
			printf("0x");
			q += 2 + strspn(q + 2, "0123456789abcdef");
		} else if (*q == '/') {
			char *end = q + strcspn(q, " :,\n");
			while (*end != '/')
				end--;
			q = end + 1;
		} else {
			putchar(*q++);
		}
	}
	fflush(stdout);
}

static bool child()
{
	int io[2];
	if (pipe(io))
		return false;
	pid_t pid = fork();
	if (pid == 0) {
		dup2(io[1], 2);
		if (which == 25 || which == 30 || which == 31) // the library reads the environment when it starts
			setenv(which == 25 ? "HEDDLE_EXEC_ALIGN" : which == 30 ? "HEDDLE_EXEC_LIMIT" : "HEDDLE_EXEC_SPIN_WARN",
				which == 30 ? "100000" : "1", 1);
		cudaMalloc(&p, 256);
		cudaMemset(p, 0, 256);
		if (!run())
			_exit(9);
		fprintf(stderr, "%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
		_exit(0);
	}
	close(io[1]);
	std::string text;
	char part[4096];
	for (ssize_t n; (n = read(io[0], part, sizeof part)) > 0;)
		text.append(part, n);
	close(io[0]);
	int status = 1;
	waitpid(pid, &status, 0);
	print_plain(&text[0]);
	if (status && WEXITSTATUS(status) != 9)
		printf("status %x\n", status);
	return status == 0;
}

int main()
{
	while (child())
		which++;
	return which == 32 ? 0 : 1;
}
// CHECK: load<<<2, 64>>>(p, 1000)
// CHECK-NEXT: heddle: illegal address 0x (load of 4 bytes) in kernel load(int*, long) at {{.*}}faults.cu:22, block (1,0,0), thread (37,0,0): 3744 bytes past a block of 256 bytes at 0x
// CHECK-NEXT: cudaErrorIllegalAddress
// CHECK-NEXT: load_quad<<<2, 64>>>(p, 62)
// CHECK-NEXT: heddle: illegal address 0x (load of 16 bytes) in kernel load_quad(int*, long) at {{.*}}faults.cu:23, block (1,0,0), thread (37,0,0): across the end of a block of 256 bytes at 0x
// CHECK-NEXT: cudaErrorIllegalAddress
// CHECK-NEXT: load_byte<<<2, 64>>>((char *)p, 256)
// CHECK-NEXT: heddle: illegal address 0x (load of 1 bytes) in kernel load_byte(char*, long) at {{.*}}faults.cu:24, block (1,0,0), thread (37,0,0): 0 bytes past a block of 256 bytes at 0x
// CHECK-NEXT: cudaErrorIllegalAddress
// CHECK-NEXT: store<<<2, 64>>>(p, -1)
// CHECK-NEXT: heddle: illegal address 0x (store of 4 bytes) in kernel store(int*, long) at {{.*}}faults.cu:25, block (1,0,0), thread (37,0,0): 4 bytes before a block of 256 bytes at 0x
// CHECK-NEXT: cudaErrorIllegalAddress
// CHECK-NEXT: store_long<<<2, 64>>>((long *)p, 32)
// CHECK-NEXT: heddle: illegal address 0x (store of 8 bytes) in kernel store_long(long*, long) at {{.*}}faults.cu:26, block (1,0,0), thread (37,0,0): 0 bytes past a block of 256 bytes at 0x
// CHECK-NEXT: cudaErrorIllegalAddress
// CHECK-NEXT: atomic<<<2, 64>>>(p, 64)
// CHECK-NEXT: heddle: illegal address 0x (atomic of 4 bytes) in kernel atomic(int*, long) at {{.*}}faults.cu:27, block (1,0,0), thread (37,0,0): 0 bytes past a block of 256 bytes at 0x
// CHECK-NEXT: cudaErrorIllegalAddress
// CHECK-NEXT: atomic_cas<<<2, 64>>>((unsigned long long *)p, 32)
// CHECK-NEXT: heddle: illegal address 0x (atomic of 8 bytes) in kernel atomic_cas(unsigned long long*, long) at {{.*}}faults.cu:28, block (1,0,0), thread (37,0,0): 0 bytes past a block of 256 bytes at 0x
// CHECK-NEXT: cudaErrorIllegalAddress
// CHECK-NEXT: uniform<<<2, 64>>>(p, p, 1000)
// CHECK-NEXT: heddle: illegal address 0x (load of 4 bytes) in kernel uniform(int const*, int*, long) at {{.*}}faults.cu:29, block (0,0,0), thread (0,0,0): 3744 bytes past a block of 256 bytes at 0x
// CHECK-NEXT: cudaErrorIllegalAddress
// CHECK-NEXT: generic_load<<<2, 64>>>(p, 1000)
// CHECK-NEXT: heddle: illegal address 0x (load of 4 bytes) in kernel generic_load(int*, long) at {{.*}}faults.cu:35, block (1,0,0), thread (37,0,0): 3744 bytes past a block of 256 bytes at 0x
// CHECK-NEXT: cudaErrorIllegalAddress
// CHECK-NEXT: generic_store<<<2, 64>>>(p, 1000)
// CHECK-NEXT: heddle: illegal address 0x (store of 4 bytes) in kernel generic_store(int*, long) at {{.*}}faults.cu:16, block (1,0,0), thread (37,0,0): 3744 bytes past a block of 256 bytes at 0x
// CHECK-NEXT: cudaErrorIllegalAddress
// CHECK-NEXT: generic_atomic<<<2, 64>>>(p, 1000)
// CHECK-NEXT: heddle: illegal address 0x (atomic of 4 bytes) in kernel generic_atomic(int*, long) at {{.*}}faults.cu:17, block (1,0,0), thread (37,0,0): 3744 bytes past a block of 256 bytes at 0x
// CHECK-NEXT: cudaErrorIllegalAddress
// CHECK-NEXT: load<<<2, 64>>>(nullptr, 1)
// CHECK-NEXT: heddle: illegal address 0x (load of 4 bytes) in kernel load(int*, long) at {{.*}}faults.cu:22, block (1,0,0), thread (37,0,0): a null pointer
// CHECK-NEXT: cudaErrorIllegalAddress
// CHECK-NEXT: neighbour(64)
// CHECK-NEXT: heddle: illegal address 0x (store of 4 bytes) in kernel store(int*, long) at {{.*}}faults.cu:25, block (1,0,0), thread (37,0,0): 0 bytes past a block of 256 bytes at 0x
// CHECK-NEXT: cudaErrorIllegalAddress
// CHECK-NEXT: neighbour(-1)
// CHECK-NEXT: heddle: illegal address 0x (store of 4 bytes) in kernel store(int*, long) at {{.*}}faults.cu:25, block (1,0,0), thread (37,0,0): 4 bytes before a block of 256 bytes at 0x
// CHECK-NEXT: cudaErrorIllegalAddress
// CHECK-NEXT: freed()
// CHECK-NEXT: heddle: illegal address 0x (load of 4 bytes) in kernel load(int*, long) at {{.*}}faults.cu:22, block (1,0,0), thread (37,0,0): inside a block of 4096 bytes at 0x that was freed
// CHECK-NEXT: cudaErrorIllegalAddress
// CHECK-NEXT: store<<<2, 64>>>(new int[64], 5)
// CHECK-NEXT: heddle: illegal address 0x (store of 4 bytes) in kernel store(int*, long) at {{.*}}faults.cu:25, block (1,0,0), thread (37,0,0): memory of the host that no GPU was allowed to use
// CHECK-NEXT: cudaErrorIllegalAddress
// CHECK-NEXT: shared_load<<<2, 64, 512>>>(p, 128)
// CHECK-NEXT: heddle: illegal shared memory address 0x (load of 4 bytes) in kernel shared_load(int*, int) at {{.*}}faults.cu:45, block (1,0,0), thread (37,0,0): the workgroup has 512 bytes
// CHECK-NEXT: cudaErrorIllegalAddress
// CHECK-NEXT: shared_store<<<2, 64, 512>>>(p, -1)
// CHECK-NEXT: heddle: illegal shared memory address 0x (store of 4 bytes) in kernel shared_store(int*, int) at {{.*}}faults.cu:51, block (1,0,0), thread (37,0,0): the workgroup has 512 bytes
// CHECK-NEXT: cudaErrorIllegalAddress
// CHECK-NEXT: shared_atomic<<<2, 64, 512>>>(p, 128)
// CHECK-NEXT: heddle: illegal shared memory address 0x (atomic of 4 bytes) in kernel shared_atomic(int*, int) at {{.*}}faults.cu:58, block (1,0,0), thread (37,0,0): the workgroup has 512 bytes
// CHECK-NEXT: cudaErrorIllegalAddress
// CHECK-NEXT: local_load<<<2, 64>>>(p, 1 << 20)
// CHECK-NEXT: heddle: illegal local memory address 0x (load of 4 bytes) in kernel local_load(int*, int) at {{.*}}faults.cu:67, block (1,0,0), thread (37,0,0): a thread has 272 bytes of local memory
// CHECK-NEXT: cudaErrorIllegalAddress
// CHECK-NEXT: local_store<<<2, 64>>>(p, -(1 << 20))
// CHECK-NEXT: heddle: illegal local memory address 0x (store of 4 bytes) in kernel local_store(int*, int) at {{.*}}faults.cu:75, block (1,0,0), thread (37,0,0): a thread has 272 bytes of local memory
// CHECK-NEXT: cudaErrorIllegalAddress
// CHECK-NEXT: overflow<<<1, 1>>>(p, 100000)
// CHECK-NEXT: heddle: illegal local memory address 0x (store of 4 bytes) in kernel overflow(int*, int) at {{.*}}faults.cu:79, block (0,0,0), thread (0,0,0): a thread has 2080 bytes of local memory
// CHECK-NEXT: cudaErrorIllegalAddress
// CHECK-NEXT: misaligned<<<2, 64>>>((char *)p, 2)
// CHECK-NEXT: heddle: misaligned address 0x (atomic of 4 bytes) in kernel misaligned(char*, long) at {{.*}}faults.cu:85, block (1,0,0), thread (37,0,0)
// CHECK-NEXT: cudaErrorMisalignedAddress
// CHECK-NEXT: misaligned_shared<<<2, 64, 64>>>(p, 1)
// CHECK-NEXT: heddle: misaligned address 0x (atomic of 4 bytes) in kernel misaligned_shared(int*, int) at {{.*}}faults.cu:90, block (1,0,0), thread (37,0,0)
// CHECK-NEXT: cudaErrorMisalignedAddress
// CHECK-NEXT: misaligned_load<<<2, 64>>>((char *)p, 2)
// CHECK-NEXT: cudaSuccess
// CHECK-NEXT: misaligned_load<<<2, 64>>>((char *)p, 2)
// CHECK-NEXT: heddle: misaligned address 0x (load of 4 bytes) in kernel misaligned_load(char*, long) at {{.*}}faults.cu:92, block (1,0,0), thread (37,0,0)
// CHECK-NEXT: cudaErrorMisalignedAddress
// CHECK-NEXT: to_constant<<<2, 64>>>(p, 1)
// CHECK-NEXT: heddle: illegal address 0x (store of 4 bytes to read-only memory) in kernel to_constant(int*, int) at {{.*}}faults.cu:93, block (1,0,0), thread (37,0,0)
// CHECK-NEXT: cudaErrorIllegalAddress
// CHECK-NEXT: trap<<<2, 64>>>(p)
// CHECK-NEXT: heddle: trap in kernel trap(int*) at {{.*}}faults.cu:94, block (1,0,0), thread (37,0,0)
// CHECK-NEXT: cudaErrorLaunchFailure
// CHECK-NEXT: jump<<<2, 64>>>((table *)p, p)
// CHECK-NEXT: heddle: illegal program counter: no code at 0x in kernel jump(table*, int*) at {{.*}}faults.cu:95, block (1,0,0), thread (37,0,0)
// CHECK-NEXT: cudaErrorInvalidPc
// CHECK-NEXT: lock<<<2, 64>>>(p)
// CHECK-NEXT: heddle: deadlock: a warp waits for shared memory that no warp of its block will change in kernel lock(int*) at {{.*}}faults.cu:103, block (1,0,0), thread (1,0,0)
// CHECK-NEXT: cudaErrorLaunchTimeout
// CHECK-NEXT: poll<<<1, 32>>>(p, p)
// CHECK-NEXT: heddle: HEDDLE_EXEC_LIMIT: more than 100000 instructions in kernel poll(int volatile*, int*) at {{.*}}faults.cu:107, block (0,0,0), thread (0,0,0)
// CHECK-NEXT: cudaErrorLaunchTimeout
// CHECK-NEXT: spin_then_end()
// CHECK-NEXT: heddle: a warp does nothing but poll in kernel poll(int volatile*, int*) at {{.*}}faults.cu:107, block (0,0,0), thread (0,0,0); it goes on, but if it waits for a lane of its own warp, it does so for ever
// CHECK-NEXT: result 5
// CHECK-NEXT: cudaSuccess
