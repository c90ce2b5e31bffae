// Assembly of host functions does not reach the device, also not where both sides see the function.
// RUN: %device --offload-arch=gfx1100 -O2 -c %s -o %t.co
#include "mini.h"
static inline unsigned long ticks()
{
	unsigned lo, hi;
	__asm__ volatile("rdtsc" : "=a"(lo), "=d"(hi));
	return lo | (unsigned long)hi << 32;
}
__host__ int host() { return (int)ticks(); }
__global__ void k(int *p) { p[0] = 1; }
