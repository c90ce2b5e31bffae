// REQUIRES: tier-default
// RUN: %run_both %s 2>&1 | %FileCheck %s
// Proves that the line of a fault names what the address missed. Faults are sticky, so each has its process.
#include <cstdio>
#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>

__global__ void store(int *to, int at)
{
	to[at] = threadIdx.x; // LINE
}

__global__ void store_shared(int *to, int at)
{
	extern __shared__ int tile[];
	tile[at] = threadIdx.x;
	*to = tile[0];
}

enum what { PAST, BEFORE, FREED, HOST, SHARED, END };

static void fault(enum what what)
{
	int *p, *host = (int *)malloc(4096);
	cudaMalloc(&p, 4096);
	if (what == FREED)
		cudaFree(p);
	if (what == SHARED)
		store_shared<<<1, 1, 64>>>(p, 1 << 20);
	else
		store<<<1, 1>>>(what == HOST ? host : p, what == PAST ? 1024 + 3 : what == BEFORE ? -2 : 5);
	fprintf(stderr, "%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}

int main()
{
	for (int i = 0; i < END; i++) {
		if (fork() == 0) {
			fault((enum what)i);
			_exit(0);
		}
		int status = 1;
		wait(&status);
		if (status)
			return 1;
	}
	return 0;
}
// CHECK: illegal address 0x{{[0-9a-f]+}} (store of 4 bytes) in kernel store(int*, int) at {{.*}}place.cu:11, block (0,0,0), thread (0,0,0): 12 bytes past a block of 4096 bytes at 0x
// CHECK-NEXT: cudaErrorIllegalAddress
// CHECK-NEXT: thread (0,0,0): 8 bytes before a block of 4096 bytes at 0x
// CHECK-NEXT: cudaErrorIllegalAddress
// CHECK-NEXT: thread (0,0,0): inside a block of 4096 bytes at 0x{{[0-9a-f]+}} that was freed
// CHECK-NEXT: cudaErrorIllegalAddress
// CHECK-NEXT: thread (0,0,0): memory of the host that no GPU was allowed to use
// CHECK-NEXT: cudaErrorIllegalAddress
// CHECK-NEXT: illegal shared memory address 0x{{[0-9a-f]+}} (store of 4 bytes) in kernel store_shared(int*, int) at {{.*}}, thread (0,0,0): the workgroup has 64 bytes
