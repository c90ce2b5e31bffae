/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A HIP program, host and device code in one file, compiled by clang alone and linked with Debian's HIP
 * runtime, on the executor's HSA library: registration, launches by <<<>>>, constants, dynamic LDS. A GPU
 * for which the program has no code is refused by the runtime, not run. A fault ends the program, after our line.
 *
 * REQUIRES: libamdhip64-5, clang-tools-22
 * UNSUPPORTED: thread
 * RUN: %clangxx -x hip -no-hip-rt --offload-arch=gfx1030,gfx90a -nogpuinc -nogpulib -mcode-object-version=4 -O2 -I%S/Inputs -o %t %s -x none %libamdhip64
 * RUN: %foreign HEDDLE_DEVICE=exec:gfx1030,gfx90a %t | FileCheck --check-prefixes=RADEON,INSTINCT %s
 * RUN: %foreign HEDDLE_DEVICE=exec:gfx90a,gfx1030 %t | FileCheck --check-prefixes=INSTINCT,RADEON2 %s
 * RUN: %foreign HEDDLE_LOG=wave HEDDLE_DEVICE=exec:gfx1030,gfx90a %t 2>&1 | FileCheck --check-prefix=KERNELS %s
 * RUN: not --crash %foreign HEDDLE_DEVICE=exec:gfx900 %t 2>&1 | FileCheck --check-prefix=NONE %s
 * RUN: not --crash %foreign HEDDLE_DEVICE=exec:gfx1030 %t fault 2>&1 | FileCheck --check-prefix=FAULT %s
 * RADEON: Radeon {{.*}} (Heddle executor): good
 * INSTINCT: Instinct {{.*}} (Heddle executor): good
 * RADEON2: Radeon {{.*}} (Heddle executor): good
 * Copies and memsets are kernels of the HIP runtime, run on each device:
 * KERNELS-DAG: kernel={{.*}}transpose
 * KERNELS-DAG: kernel=__amd_rocclr_fillBufferAligned grid
 * KERNELS-DAG: kernel=__amd_rocclr_fillBufferAligned2D grid
 * KERNELS-DAG: kernel=__amd_rocclr_copyBuffer grid
 * KERNELS-DAG: kernel=__amd_rocclr_copyBufferRect grid
 * KERNELS-DAG: kernel=__amd_rocclr_copyBufferRect{{.*}} grid
 * KERNELS: Radeon {{.*}}: good
 * KERNELS-DAG: kernel={{.*}}transpose
 * KERNELS-DAG: kernel=__amd_rocclr_fillBufferAligned grid
 * KERNELS-DAG: kernel=__amd_rocclr_fillBufferAligned2D grid
 * KERNELS-DAG: kernel=__amd_rocclr_copyBuffer grid
 * KERNELS-DAG: kernel=__amd_rocclr_copyBufferRect grid
 * KERNELS-DAG: kernel=__amd_rocclr_copyBufferRect{{.*}} grid
 * KERNELS: Instinct {{.*}}: good
 * NONE: hipErrorNoBinaryForGpu
 * FAULT: heddle: illegal address 0x{{[0-9a-f]+}} (load of 4 bytes) in kernel void transpose<int>(int*, int const*, int) at +0x{{[0-9a-f]+}}, block ({{.*}}: {{[0-9]+}} bytes past a block of 16384 bytes at 0x
 * FAULT: HSA_STATUS_ERROR_MEMORY_FAULT
 */
#include "hip.h"

struct dim3 {
	unsigned x, y, z;
	dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c)
	{
	}
};
extern "C" hipError_t __hipPushCallConfiguration(dim3, dim3, size_t = 0, hipStream_t = nullptr);
extern "C" hipError_t __hipPopCallConfiguration(dim3 *, dim3 *, size_t *, hipStream_t *);
extern "C" hipError_t hipLaunchKernel(const void *, dim3, dim3, void **, size_t, hipStream_t);
extern "C" hipError_t hipMemcpyToSymbol(const void *, const void *, size_t, size_t, int);
extern "C" hipError_t hipGetLastError();
#define __global__   __attribute__((global))
#define __device__   __attribute__((device))
#define __shared__   __attribute__((shared))
#define __constant__ __attribute__((constant))
#define hipLaunchKernelGGL(kernel, grid, block, lds, stream, ...)                                  \
	kernel<<<grid, block, lds, stream>>>(__VA_ARGS__)

__constant__ int weights[3];

static const int n = 64;

template <typename T>
__global__ void
transpose(T *to, const T *from, int width)
{
	extern __shared__ char lds[];
	T *tile = (T *)lds;
	int tx = __builtin_amdgcn_workitem_id_x(), ty = __builtin_amdgcn_workitem_id_y();
	int bx = __builtin_amdgcn_workgroup_id_x() * 16,
	    by = __builtin_amdgcn_workgroup_id_y() * 16;
	tile[ty * 17 + tx] = from[(by + ty) * width + bx + tx] * weights[tx % 3];
	__builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "workgroup");
	__builtin_amdgcn_s_barrier();
	to[(bx + ty) * width + by + tx] = tile[tx * 17 + ty];
}

template <typename T>
static void
run(int beyond)
{
	static T in[n * n], out[n * n];
	T *a, *b;
	int w[3] = {1, 2, 3};
	for (int i = 0; i < n * n; i++)
		in[i] = (T)(i % 1000);
	OK(hipMalloc((void **)&a, sizeof in));
	OK(hipMalloc((void **)&b, sizeof in));
	OK(hipMemcpyToSymbol((const void *)&weights, w, sizeof w, 0, hipMemcpyHostToDevice));
	OK(hipMemcpy(a, in, sizeof in, hipMemcpyHostToDevice));
	hipLaunchKernelGGL(transpose<T>, dim3(n / 16, n / 16), dim3(16, 16), 16 * 17 * sizeof(T), 0,
		b, a + beyond, n);
	OK(hipGetLastError());
	OK(hipMemcpy(out, b, sizeof out, hipMemcpyDeviceToHost));
	for (int y = 0; y < n; y++)
		for (int x = 0; x < n; x++)
			SAME(out[x * n + y] == (T)(in[y * n + x] * w[x % 16 % 3]), 1);
	OK(hipFree(a));
	OK(hipFree(b));
}

/* Rectangles and boxes of bytes, set and copied on the device, and what is around them. */
static void
blits()
{
	const size_t wide = 96, high = 20, deep = 3, n = wide * high * deep;
	static unsigned char out[n];
	unsigned char *a, *b;
	OK(hipMalloc((void **)&a, n));
	OK(hipMalloc((void **)&b, n));
	OK(hipMemset(a, 0x11, n));
	OK(hipMemset2D(a + 3, wide, 0x22, 50, 7));
	OK(hipMemcpy(b, a, n, hipMemcpyDeviceToDevice));
	OK(hipMemcpy2D(b + wide * 10 + 5, wide, a + 1, wide, 60, 9, hipMemcpyDeviceToDevice));
	hipMemcpy3DParms box = {};
	box.srcPtr = {a, wide, wide, high};
	box.dstPtr = {b, wide, wide, high};
	box.dstPos = {40, 2, 1};
	box.extent = {16, 6, 2};
	box.kind = hipMemcpyDeviceToDevice;
	OK(hipMemcpy3D(&box));
	OK(hipMemcpy(out, b, n, hipMemcpyDeviceToHost));
	for (size_t z = 0; z < deep; z++)
		for (size_t y = 0; y < high; y++)
			for (size_t x = 0; x < wide; x++) {
				size_t fx = x, fy = y, fz = z; /* where the byte came from */
				if (z == 0 && x >= 5 && x < 65 && y >= 10 && y < 19)
					fx = x - 4, fy = y - 10;
				if (z >= 1 && x >= 40 && x < 56 && y >= 2 && y < 8)
					fx = x - 40, fy = y - 2, fz = z - 1;
				bool set = fz == 0 && fx >= 3 && fx < 53 && fy < 7;
				SAME(out[(z * high + y) * wide + x], set ? 0x22 : 0x11);
			}
	OK(hipFree(a));
	OK(hipFree(b));
}

int
main(int argc, char **)
{
	int count;
	OK(hipGetDeviceCount(&count));
	for (int i = 0; i < count; i++) {
		char name[100];
		OK(hipSetDevice(i));
		OK(hipDeviceGetName(name, sizeof name, i));
		run<int>(argc > 1 ? n * n : 0);
		run<float>(0);
		run<double>(0);
		blits();
		printf("%s: good\n", name);
		fflush(stdout); /* before the log of the next */
	}
}
