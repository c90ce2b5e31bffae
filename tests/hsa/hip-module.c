/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Debian's HIP runtime, unchanged, on the executor's HSA library: modules, launches, copies and memsets,
 * whose kernels it compiles itself, by an older LLVM. It knows gfx1030 and gfx90a, and code object version 4.
 *
 * REQUIRES: libamdhip64-5
 * UNSUPPORTED: thread
 * RUN: %device_v4 --offload-arch=gfx1030 -o %t.gfx1030 %S/Inputs/hip-kernels.hip
 * RUN: %device_v4 --offload-arch=gfx90a -o %t.gfx90a %S/Inputs/hip-kernels.hip
 * RUN: %clang -I%S/Inputs -o %t %s %libamdhip64 -lm
 * RUN: %foreign HEDDLE_DEVICE=exec:gfx1030,gfx90a %t %t.gfx1030 %t.gfx90a | FileCheck %s
 * CHECK: Radeon {{.*}} (Heddle executor): good
 * CHECK-NEXT: Instinct {{.*}} (Heddle executor): good
 */
#include "hip.h"
#include <math.h>

#define N 100003 /* no multiple of anything */

static unsigned host[N], back[N];

static unsigned
fold(const unsigned *p, unsigned n)
{
	unsigned sum = 0;
	for (unsigned i = 0; i < n; i++)
		sum += p[i];
	return sum;
}

/* Copies by the host, pinned on the way or not, by kernels, and of rectangles. */
static void
copies(void)
{
	unsigned char *a, *b, *pinned;
	OK(hipMalloc((void **)&a, sizeof host));
	OK(hipMalloc((void **)&b, sizeof host));
	OK(hipHostMalloc((void **)&pinned, sizeof host, 0));
	for (unsigned i = 0; i < N; i++)
		host[i] = i * 2654435761u;
	OK(hipMemcpy(a, host, sizeof host, hipMemcpyHostToDevice));
	OK(hipMemcpy(b, a, sizeof host, hipMemcpyDeviceToDevice));
	OK(hipMemcpy(back, b, sizeof back, hipMemcpyDeviceToHost));
	SAME(memcmp(back, host, sizeof host), 0);

	OK(hipMemcpy(b + 1, a + 2, 1001, hipMemcpyDeviceToDevice)); /* nothing is aligned */
	OK(hipMemcpy(pinned, b, sizeof host, hipMemcpyDeviceToHost));
	SAME(memcmp(pinned + 1, (char *)host + 2, 1001), 0);
	SAME(pinned[0], ((unsigned char *)host)[0]);
	SAME(memcmp(pinned + 1002, (char *)host + 1002, sizeof host - 1002), 0);

	hipStream_t s;
	OK(hipStreamCreate(&s));
	memset(pinned, 0x5a, 4096);
	OK(hipMemcpyAsync(a, pinned, 4096, hipMemcpyHostToDevice, s));
	OK(hipMemcpyAsync(b, a, 4096, hipMemcpyDeviceToDevice, s));
	OK(hipMemcpyAsync(pinned + 4096, b, 4096, hipMemcpyDeviceToHost, s));
	OK(hipStreamSynchronize(s));
	SAME(memcmp(pinned, pinned + 4096, 4096), 0);
	OK(hipStreamDestroy(s));

	OK(hipMemcpy(a, host, sizeof host, hipMemcpyHostToDevice));
	OK(hipMemcpy2D(b, 100, a, 300, 77, 50, hipMemcpyDeviceToDevice));
	OK(hipMemcpy2D(pinned, 80, b, 100, 77, 50, hipMemcpyDeviceToHost));
	for (int y = 0; y < 50; y++)
		SAME(memcmp(pinned + y * 80, (char *)host + y * 300, 77), 0);
	OK(hipHostFree(pinned));
	OK(hipFree(a));
	OK(hipFree(b));
}

static void
memsets(void)
{
	unsigned char *a;
	static unsigned char got[70000];
	OK(hipMalloc((void **)&a, sizeof got));
	OK(hipMemset(a, 0x11, sizeof got));
	OK(hipMemset(a + 3, 0xab, 12345));
	OK(hipMemsetD16(a + 20000, 0x1234, 501));
	OK(hipMemsetD32(a + 30000, 0x01020304, 1003));
	OK(hipMemset2D(a + 40000, 128, 0x77, 33, 40));
	OK(hipMemcpy(got, a, sizeof got, hipMemcpyDeviceToHost));
	for (unsigned i = 0; i < sizeof got; i++) {
		unsigned want = 0x11;
		if (i >= 3 && i < 3 + 12345)
			want = 0xab;
		else if (i >= 20000 && i < 20000 + 2 * 501)
			want = i % 2 ? 0x12 : 0x34;
		else if (i >= 30000 && i < 30000 + 4 * 1003)
			want = 4 - i % 4;
		else if (i >= 40000 && (i - 40000) / 128 < 40 && (i - 40000) % 128 < 33)
			want = 0x77;
		if (got[i] != want)
			printf("byte %u: ", i);
		SAME(got[i], want);
	}
	OK(hipFree(a));
}

static void
launches(const char *file)
{
	hipModule_t m;
	hipFunction_t fill, sum, floats;
	OK(hipModuleLoad(&m, file));
	OK(hipModuleGetFunction(&fill, m, "fill"));
	OK(hipModuleGetFunction(&sum, m, "sum"));
	OK(hipModuleGetFunction(&floats, m, "floats"));
	SAME(hipModuleGetFunction(&sum, m, "nothing") != 0, 1);
	OK(hipModuleGetFunction(&sum, m, "sum"));

	unsigned *d, *total, n = N, first = 7;
	OK(hipMalloc((void **)&d, sizeof host));
	OK(hipMalloc((void **)&total, sizeof *total));
	OK(hipMemset(total, 0, sizeof *total));
	void *scale;
	size_t size;
	int five = 5;
	OK(hipModuleGetGlobal(&scale, &size, m, "scale"));
	SAME(size, sizeof five);
	OK(hipMemcpy(scale, &five, sizeof five, hipMemcpyHostToDevice));

	void *fill_args[] = {&d, &n, &first}, *sum_args[] = {&d, &n, &total};
	hipEvent_t from, to;
	float ms = -1;
	OK(hipEventCreate(&from));
	OK(hipEventCreate(&to));
	OK(hipEventRecord(from, NULL));
	OK(hipModuleLaunchKernel(fill, (N + 63) / 64, 1, 1, 64, 1, 1, 0, NULL, fill_args, NULL));
	OK(hipModuleLaunchKernel(sum, (N + 255) / 256, 1, 1, 256, 1, 1, 0, NULL, sum_args, NULL));
	OK(hipEventRecord(to, NULL));
	OK(hipEventSynchronize(to));
	OK(hipEventElapsedTime(&ms, from, to));
	SAME(ms > 0, 1);
	OK(hipMemcpy(back, d, sizeof back, hipMemcpyDeviceToHost));
	for (unsigned i = 0; i < N; i++)
		SAME(back[i], i * 5 + 7);
	unsigned got;
	OK(hipMemcpy(&got, total, sizeof got, hipMemcpyDeviceToHost));
	SAME(got, fold(back, N));

	double *f, res[256];
	float x = -2.25f;
	OK(hipMalloc((void **)&f, sizeof res));
	void *float_args[] = {&f, &x};
	OK(hipModuleLaunchKernel(floats, 4, 1, 1, 64, 1, 1, 0, NULL, float_args, NULL));
	OK(hipMemcpy(res, f, sizeof res, hipMemcpyDeviceToHost));
	for (int i = 0; i < 256; i++)
		SAME(res[i] == pow(1.5, i % 8) + 2.25 + i / 4.0, 1);
	OK(hipEventDestroy(from));
	OK(hipEventDestroy(to));
	OK(hipFree(d));
	OK(hipFree(f));
	OK(hipFree(total));
	OK(hipModuleUnload(m));
}

int
main(int argc, char **argv)
{
	int count;
	OK(hipInit(0));
	OK(hipGetDeviceCount(&count));
	SAME(count, argc - 1);
	for (int i = 0; i < count; i++) {
		char name[100];
		OK(hipSetDevice(i));
		OK(hipDeviceGetName(name, sizeof name, i));
		copies();
		memsets();
		launches(argv[1 + i]);
		OK(hipDeviceSynchronize());
		printf("%s: good\n", name);
	}
	return 0;
}
