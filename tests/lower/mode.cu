// RUN: %nvcc -arch=gfx90a,gfx1100 -Rheddle-warp -fatbin %s -o %t.fat 2>&1 | FileCheck %s --implicit-check-not=warning
// RUN: %heddle info %t.fat | FileCheck %s --check-prefix=INFO
// RUN: %nvcc -arch=gfx90a -fheddle-warp=solo -cubin %s -o %t.co && %heddle info %t.co | FileCheck %s --check-prefix=SOLO
// RUN: %nvcc -arch=gfx90a -fheddle-warp=paired -cubin %s -o %t.co && %heddle info %t.co | FileCheck %s --check-prefix=PAIRED
// RUN: %nvcc -arch=gfx90a -fheddle-warp=auto -Xcompiler -Wall,-Wextra -DRUN %s -o %t && env HEDDLE_DEVICE=exec:gfx90a %t | FileCheck %s --check-prefix=RAN
// RUN: not %nvcc -fheddle-warp=both -cubin %s -o %t.co 2>&1 | FileCheck %s --check-prefix=BAD
// Proves that a program may choose the warp mode of a kernel, by attribute (templates, too) and by option, that
// remarks and `heddle info` tell it with the reason, and that a chosen mode runs.
// BAD: value 'both' is not defined for option 'fheddle-warp' (auto paired solo)
#include <cstdio>

// CHECK: mode.cu:[[#@LINE+3]]:1: remark: warps of 'chosen_solo(int*)' on gfx90a: solo, each warp has a wave of 64 lanes, at most 512 threads a block: __attribute__((heddle_warp("solo"))) asks for it
// INFO: kernel _Z11chosen_soloPi
// INFO: solo because: __attribute__((heddle_warp("solo"))) asks for it
__global__ __attribute__((heddle_warp("solo"))) void chosen_solo(int *p) { p[threadIdx.x] += threadIdx.x; }

// CHECK: remark: warps of 'proved(int*)' on gfx90a: paired, two warps share a wave of 64 lanes: nobody can tell
// INFO: kernel _Z6provedPi
// INFO: wave 64, warps paired, at most 1024 threads
// SOLO: kernel _Z6provedPi
// SOLO: solo because: -fheddle-warp=solo asks for it
__global__ void proved(int *p) { p[threadIdx.x] += threadIdx.x; }

// CHECK: remark: warps of 'unproved(int*)' on gfx90a: solo, {{.*}}: the barrier at {{.*}}mode.cu:[[#@LINE+6]] stands under
// PAIRED: kernel _Z8unprovedPi
// PAIRED: paired because: -fheddle-warp=paired asks for it
__global__ void unproved(int *p)
{
	if (p[threadIdx.x] < 0)
		__syncthreads();
	p[threadIdx.x] += threadIdx.x;
	__syncthreads();
	p[threadIdx.x] += 0;
}

// CHECK: remark: warps of 'void chosen_paired<float>(float*)' on gfx90a: paired, two warps share a wave of 64 lanes: __attribute__((heddle_warp("paired"))) asks for it
// INFO: kernel _Z13chosen_pairedIfEvPT_
// INFO: paired because: __attribute__((heddle_warp("paired"))) asks for it
template <class T> __attribute__((heddle_warp("paired"))) __global__ void chosen_paired(T *p)
{
	if (p[threadIdx.x] < 0)
		__syncthreads();
	p[threadIdx.x] += threadIdx.x;
}
// CHECK: remark: warps of 'proved(int*)' on gfx1100: a warp is a wave of 32 lanes

int main()
{
	int h[100] = {0}, *d, bad = 0;
	cudaMalloc(&d, sizeof h);
	cudaMemset(d, 0, sizeof h);
	chosen_solo<<<1, 100>>>(d);
	proved<<<1, 100>>>(d);
	unproved<<<1, 100>>>(d);
	chosen_paired<<<1, 100>>>((float *)d);
	cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
	for (int i = 0; i < 100; i++) {
		float f;
		int start = 3 * i;
		__builtin_memcpy(&f, &start, 4);
		f += i;
		bad += __builtin_memcmp(&h[i], &f, 4) != 0;
	}
	printf("%d wrong, %s\n", bad, cudaGetErrorName(cudaGetLastError()));
	// RAN: 0 wrong, cudaSuccess
	return 0;
}
