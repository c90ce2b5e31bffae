/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * peer.c - `peer FILE.cl KERNEL N`: runs a kernel of peer.cl on the first OpenCL device that is a CPU and
 * prints its seconds, after a run that compiles it. `product` has a grid, the others are one work-group of 32.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SIDE = 1024, TILE = 32 };

static double
now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static cl_device_id
device(void)
{
	cl_platform_id p[8];
	cl_uint n = 0;
	cl_device_id d;
	if (clGetPlatformIDs(8, p, &n) != CL_SUCCESS)
		return NULL;
	for (cl_uint i = 0; i < n && i < 8; i++)
		if (clGetDeviceIDs(p[i], CL_DEVICE_TYPE_CPU, 1, &d, NULL) == CL_SUCCESS)
			return d;
	return NULL;
}

static char *
text(const char *path)
{
	static char s[1 << 16];
	FILE *f = fopen(path, "r");
	size_t n = f != NULL ? fread(s, 1, sizeof(s) - 1, f) : 0;
	if (f != NULL)
		fclose(f);
	return n > 0 ? s : NULL;
}

int
main(int argc, char **argv)
{
	const char *source = argc == 4 ? text(argv[1]) : NULL;
	cl_device_id d = device();
	if (source == NULL || d == NULL) {
		fprintf(stderr, "peer: no OpenCL device that is a CPU\n");
		return 1;
	}
	cl_context c = clCreateContext(NULL, 1, &d, NULL, NULL, NULL);
	cl_command_queue q = clCreateCommandQueue(c, d, 0, NULL);
	cl_program p = clCreateProgramWithSource(c, 1, &source, NULL, NULL);
	if (clBuildProgram(p, 1, &d, "-cl-mad-enable", NULL, NULL) != CL_SUCCESS) {
		fprintf(stderr, "peer: the program does not build\n");
		return 1;
	}
	cl_kernel k = clCreateKernel(p, argv[2], NULL);
	cl_int n = atoi(argv[3]);
	cl_float half = 0.5f;
	bool product = strcmp(argv[2], "product") == 0;
	size_t floats = (size_t)SIDE * SIDE, grid[2] = {32, 1}, group[2] = {32, 1};
	float *data = calloc(floats, sizeof(float));
	cl_mem m[3];
	for (size_t i = 0; data != NULL && i < floats; i++)
		data[i] = (float)(i * 7 % 31) / 16.0f;
	for (int i = 0; i < 3; i++)
		m[i] = clCreateBuffer(c, CL_MEM_COPY_HOST_PTR, floats * sizeof(float), data, NULL);
	if (product) {
		for (cl_uint i = 0; i < 3; i++)
			clSetKernelArg(k, i, sizeof(cl_mem), &m[i]);
		clSetKernelArg(k, 3, sizeof(n), &n);
		grid[0] = grid[1] = SIDE;
		group[0] = group[1] = TILE;
	} else {
		clSetKernelArg(k, 0, sizeof(cl_mem), &m[0]);
		clSetKernelArg(k, 1, sizeof(n), &n);
		if (strcmp(argv[2], "fma_chain") == 0) {
			clSetKernelArg(k, 2, sizeof(half), &half);
			clSetKernelArg(k, 3, sizeof(half), &half);
		}
	}
	double s = 0;
	for (int run = 0; run < 2; run++) {
		s = now();
		if (clEnqueueNDRangeKernel(q, k, 2, NULL, grid, group, 0, NULL, NULL) != CL_SUCCESS ||
			clFinish(q) != CL_SUCCESS) {
			fprintf(stderr, "peer: the kernel does not run\n");
			return 1;
		}
		s = now() - s;
	}
	printf("%.6f s\n", s);
	return 0;
}
