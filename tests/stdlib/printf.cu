// Every conversion of printf means on the device what it means on the host: the same format and arguments
// are printed by both, in pairs of lines that must agree.
// RUN: %run_both %s > %t.out
// RUN: grep '^host ' %t.out | cut -c6- > %t.host
// RUN: grep '^device ' %t.out | cut -c8- > %t.device
// RUN: diff %t.host %t.device
// RUN: %FileCheck %s < %t.device
// CHECK: plain
// CHECK: d 1 -2 +3 0004 5     [  6]
// CHECK: star [     7.50] [abc  ] [ab]
// CHECK: percent 100%
// CHECK: last
// RUN: %FileCheck --check-prefix=RESULT %s < %t.out
// RESULT: returned 0 6 8 -1
// RESULT: threads 0 1 2 3
#include "Inputs/check.h"

#define LINES(P, side)                                                                                        \
	P(side " plain\n");                                                                                   \
	P(side " d %d %i %+d %04d %-5d [%3d]\n", 1, -2, 3, 4, 5, 6);                                          \
	P(side " wide %ld %lld %zd %jd %td\n", -123456789012l, 1ll << 62, (size_t)1 << 40, (long)-7, (long)8); \
	P(side " narrow %hd %hhd %hu %hhu %hx\n", 70000, 300, 70000, 300, -1);                                \
	P(side " unsigned %u %o %x %X %#x %#o %lu %llx %zu\n", 4000000000u, 8, 255, 255, 255, 8, ~0ul,         \
		~0ull, (size_t)12);                                                                           \
	P(side " float %f %.3f %10.2f %-10.1f| %e %.2E %g %G %+f %05.1f\n", 1.5, 3.14159, 2.5, 2.5, 12345.678,  \
		0.00012, 1e-10, 1e20, 1.0, 2.25);                                                             \
	P(side " hex %a %A\n", 1.0, 0.1);                                                                     \
	P(side " special %f %f %F %g\n", 1e308 * n * 1e308, -(1e308 * n) * 1e308, 1e308 * n * 1e308, 0.0 * n); \
	P(side " char %c%c%c [%3c] [%-3c]\n", 'a', 'b', '%', 'c', 'd');                                       \
	P(side " string %s [%8s] [%-8s] [%.2s] %s\n", "text", "right", "left", "cut", "");                    \
	P(side " pointer %p\n", (void *)0x123456789abc);                                                      \
	P(side " star [%*.*f] [%-*s] [%.*s]\n", 9, 2, 7.5, 5, "abc", 2, "abcdef");                            \
	P(side " percent %d%%\n", 100);                                                                       \
	P(side " last\n");

__global__ void
print_all(int n)
{
	LINES(printf, "device")
}

__global__ void
returns(int *out)
{
	out[0] = printf("device \n");
	out[1] = printf("device %d %d %d %s %f %c\n", 1, 2, 3, "four", 5.0, '6');
	out[2] = printf("device %*d %*.*f %s %c %d\n", 3, 1, 8, 2, 1.0, "s", 'c', 4);
	out[3] = printf((const char *)0);
}

__global__ void
ordered(int turn)
{
	if (threadIdx.x == turn)
		printf(" %d", threadIdx.x);
}

int
main()
{
	both_sides<int> out(4);
	int n = 1;

	LINES(printf, "host")
	printf("host \n");
	printf("host %d %d %d %s %f %c\n", 1, 2, 3, "four", 5.0, '6');
	printf("host %*d %*.*f %s %c %d\n", 3, 1, 8, 2, 1.0, "s", 'c', 4);
	fflush(stdout);
	print_all<<<1, 1>>>(n);
	CUDA(cudaDeviceSynchronize());
	returns<<<1, 1>>>(out.device);
	out.to_host();
	printf("returned %d %d %d %d\n", out.host[0], out.host[1], out.host[2], out.host[3]);
	printf("threads");
	for (int i = 0; i < 4; i++) {
		fflush(stdout);
		ordered<<<1, 64>>>(i);
		CUDA(cudaDeviceSynchronize());
	}
	printf("\n");
	return 0;
}
