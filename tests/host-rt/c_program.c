// RUN: %clang -std=c99 -Wall -Wextra -Wpedantic -Werror -isystem %build/include %s -o %t -L%build/lib -Wl,-rpath,%build/lib -lcudart -lnvrtc
// RUN: env HEDDLE_DEVICE=exec LD_PRELOAD=%preload %t 2>&1 | %FileCheck %s
// Proves that a host program in plain C99 uses the runtime without our compiler; attributes agree with
// properties; a function that does not exist says so once; NVRTC never claims success.
#include <cuda_runtime_api.h>
#include <nvrtc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int
main(void)
{
	int n = 0, v = 0, major, minor;
	struct cudaDeviceProp p;
	void *d = NULL;
	char a[64], b[64], bus[32];
	size_t size, free_bytes, total;
	nvrtcProgram prog;
	setvbuf(stdout, NULL, _IONBF, 0);
	printf("count %d %d\n", cudaGetDeviceCount(&n), n);
	printf("properties %d\n", cudaGetDeviceProperties(&p, 0));
	cudaDeviceGetAttribute(&v, cudaDevAttrMultiProcessorCount, 0);
	printf("units %d\n", v == p.multiProcessorCount && v > 0);
	cudaDeviceGetAttribute(&v, cudaDevAttrComputeCapabilityMajor, 0);
	printf("%s %d.%d %d warp %d\n", p.name, p.major, p.minor, v, p.warpSize);
	printf("bus %d %d\n", cudaDeviceGetPCIBusId(bus, sizeof bus, 0),
		cudaDeviceGetByPCIBusId(&v, bus) || v);
	cudaDriverGetVersion(&v);
	cudaRuntimeGetVersion(&n);
	printf("versions %d %d %d\n", v, n, CUDART_VERSION);

	cudaMemGetInfo(&free_bytes, &total);
	cudaMalloc(&d, sizeof a);
	cudaMemGetInfo(&size, &total);
	printf("memory %d\n", free_bytes - size == sizeof a && total == p.totalGlobalMem);
	memset(a, 5, sizeof a);
	memset(b, 0, sizeof b);
	cudaMemcpy(d, a, sizeof a, cudaMemcpyHostToDevice);
	cudaMemset((char *)d + 3, 9, 58); /* neither end is aligned */
	cudaMemcpy(b, d, sizeof b, cudaMemcpyDefault);
	printf("fill %d %d %d %d %d\n", b[2], b[3], b[60], b[61], b[63]);
	cudaMemset2D(d, 16, 1, 3, 4);
	cudaMemcpy2D(b, 4, d, 16, 4, 4, cudaMemcpyDeviceToHost);
	printf("rows %d %d %d %d\n", b[0], b[2], b[3], b[14]);
	cudaFree(d);

	printf("missing %s\n", cudaGetErrorName(cudaGraphCreate(NULL, 0)));
	printf("again %s\n", cudaGetErrorName(cudaGraphCreate(NULL, 0)));
	printf("last %s\n", cudaGetErrorName(cudaGetLastError()));
	printf("last %s\n", cudaGetErrorName(cudaGetLastError()));

	nvrtcVersion(&major, &minor);
	printf("nvrtc %d.%d %s\n", major, minor, nvrtcGetErrorString(NVRTC_ERROR_INVALID_INPUT));
	nvrtcCreateProgram(&prog, "__global__ void k() {}", "k.cu", 0, NULL, NULL);
	printf("compile %s\n", nvrtcGetErrorString(nvrtcCompileProgram(prog, 0, NULL)));
	nvrtcGetProgramLogSize(prog, &size);
	char *log = malloc(size);
	nvrtcGetProgramLog(prog, log);
	printf("log %s", log);
	printf("ptx %s\n", nvrtcGetErrorString(nvrtcGetPTXSize(prog, &size)));
	nvrtcDestroyProgram(&prog);
	free(log);
	return 0;
}
// CHECK: count 0 1
// CHECK-NEXT: properties 0
// CHECK-NEXT: units 1
// CHECK-NEXT: gfx1100) 8.6 8 warp 32
// CHECK-NEXT: bus 0 0
// CHECK-NEXT: versions 12080 12080 12080
// CHECK-NEXT: memory 1
// CHECK-NEXT: fill 5 9 9 5 5
// CHECK-NEXT: rows 1 1 9 1
// CHECK-NEXT: heddle: cudaGraphCreate is not supported yet
// CHECK-NEXT: missing cudaErrorNotSupported
// CHECK-NEXT: again cudaErrorNotSupported
// CHECK-NEXT: last cudaErrorNotSupported
// CHECK-NEXT: last cudaSuccess
// CHECK-NEXT: nvrtc 12.8 NVRTC_ERROR_INVALID_INPUT
// CHECK-NEXT: compile NVRTC_ERROR_COMPILATION
// CHECK-NEXT: log heddle: compilation at run time (NVRTC) is not supported yet
// CHECK-NEXT: ptx NVRTC_ERROR_INVALID_PROGRAM
