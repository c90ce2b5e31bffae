// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception check.h - what the run tests of this
// folder share: fail on any error of the runtime, count mismatches.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define CUDA(call)                                                                                       \
	do {                                                                                             \
		cudaError_t error_ = (call);                                                             \
		if (error_ != cudaSuccess) {                                                             \
			printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error_)); \
			exit(2);                                                                         \
		}                                                                                        \
	} while (0)

static int failures;

// Ends a test: prints and returns the number of failures, as a status.
static inline int
finish(const char *name, long checks)
{
	printf("%s: %ld checks, %d failures\n", name, checks, failures);
	return failures != 0 || checks == 0;
}

// Device memory with a copy on the host.
template <class T>
struct both_sides {
	T *device, *host;
	size_t n;

	explicit both_sides(size_t count) : n(count)
	{
		host = (T *)calloc(n, sizeof(T));
		CUDA(cudaMalloc(&device, n * sizeof(T)));
		CUDA(cudaMemset(device, 0, n * sizeof(T)));
	}
	~both_sides()
	{
		cudaFree(device);
		free(host);
	}
	void to_device() { CUDA(cudaMemcpy(device, host, n * sizeof(T), cudaMemcpyHostToDevice)); }
	void to_host()
	{
		CUDA(cudaGetLastError());
		CUDA(cudaDeviceSynchronize());
		CUDA(cudaMemcpy(host, device, n * sizeof(T), cudaMemcpyDeviceToHost));
	}
};
