// RUN: mkdir -p %t.d && cd %t.d
// RUN: %nvcc -arch=gfx1100 -cubin %S/Inputs/module.cu -o one.cubin
// RUN: %nvcc -arch=gfx90a -cubin %S/Inputs/module.cu -o other.cubin
// RUN: %nvcc -arch=gfx90a,gfx1100 -fatbin %S/Inputs/module.cu -o both.fatbin
// RUN: %nvcc %s -o driver -lcuda
// RUN: env HEDDLE_DEVICE=exec:gfx1100 LD_PRELOAD=%preload ./driver 2>&1 | %FileCheck %s
// RUN: env HEDDLE_DEVICE=exec:gfx1100,gfx90a LD_PRELOAD=%preload ./driver 2>&1 | %FileCheck %s
// Proves the driver API with a device: contexts, modules from files and memory, variables, launches with
// arguments in both forms, memory of all kinds, and the answers to what is wrong.
#include <cuda.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define CHECK(x)                                                                                   \
	do {                                                                                       \
		CUresult err = (x);                                                                \
		if (err != CUDA_SUCCESS) {                                                         \
			const char *name = "?";                                                    \
			cuGetErrorName(err, &name);                                                \
			printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #x, name);                   \
			exit(1);                                                                   \
		}                                                                                  \
	} while (0)

static void
say(const char *what, CUresult e)
{
	const char *name = "?";
	cuGetErrorName(e, &name);
	printf("%s: %s\n", what, name);
	fflush(stdout);
}

static std::vector<char>
read(const char *path)
{
	std::vector<char> v(1 << 20);
	FILE *f = fopen(path, "rb");
	v.resize(fread(v.data(), 1, v.size(), f));
	fclose(f);
	return v;
}

static void
use(const char *what, CUmodule m)
{
	CUfunction scale, dynamic;
	CUdeviceptr d, factor;
	size_t bytes;
	int h[64], n = 64, by = 3, f;
	CHECK(cuModuleGetFunction(&scale, m, "scale"));
	CHECK(cuModuleGetFunction(&dynamic, m, "dynamic"));
	CHECK(cuModuleGetGlobal(&factor, &bytes, m, "factor"));
	CHECK(cuMemcpyDtoH(&f, factor, 4));
	CHECK(cuMemAlloc(&d, sizeof h));
	CHECK(cuMemsetD32(d, 1, 64));
	void *args[] = {&d, &n, &by};
	CHECK(cuLaunchKernel(scale, 2, 1, 1, 32, 1, 1, 0, 0, args, 0)); // 6
	f = 5;
	CHECK(cuMemcpyHtoD(factor, &f, 4));
	struct {
		CUdeviceptr p;
		int n, by;
	} packed = {d, 32, 2};
	size_t size = sizeof packed;
	void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE,
		&size, CU_LAUNCH_PARAM_END};
	CHECK(cuLaunchKernel(scale, 1, 1, 1, 64, 1, 1, 0, 0, 0, extra)); // 60, the first 32
	CHECK(cuMemcpyDtoH(h, d, sizeof h));
	printf("%s: %zu %d %d\n", what, bytes, h[31], h[32]);
	void *one[] = {&d};
	CHECK(cuLaunchKernel(dynamic, 1, 1, 1, 64, 1, 1, 256, 0, one, 0));
	CHECK(cuMemcpyDtoH(h, d, sizeof h));
	printf("%s: dynamic %d %d\n", what, h[0], h[63]);
	CHECK(cuMemFree(d));
	CHECK(cuModuleUnload(m));
	say("unloaded", cuModuleGetFunction(&scale, m, "scale"));
}

int
main()
{
	CUdevice dev;
	CUcontext c, other, now;
	CUmodule m;
	char name[64];
	int major, minor, active;
	unsigned flags;
	size_t bytes;
	say("before", cuDeviceGet(&dev, 0));
	CHECK(cuInit(0));
	CHECK(cuDeviceGet(&dev, 0));
	say("no such device", cuDeviceGet(&dev, 99));
	CHECK(cuDeviceGetName(name, sizeof name, dev));
	CHECK(cuDeviceComputeCapability(&major, &minor, dev));
	CHECK(cuDeviceTotalMem(&bytes, dev));
	printf("%s %d.%d %d\n", name, major, minor, bytes > 0);
	say("no context", cuModuleLoad(&m, "one.cubin"));
	CHECK(cuCtxCreate(&c, 0, dev));
	CHECK(cuCtxGetCurrent(&now));
	CHECK(cuDevicePrimaryCtxRetain(&other, dev));
	CHECK(cuDevicePrimaryCtxGetState(dev, &flags, &active));
	printf("contexts %d %d %d\n", now == c, other != c, active);

	CHECK(cuModuleLoad(&m, "one.cubin"));
	use("file", m);
	CHECK(cuModuleLoad(&m, "both.fatbin"));
	use("fat file", m);
	std::vector<char> image = read("one.cubin");
	CHECK(cuModuleLoadData(&m, image.data()));
	memset(image.data(), 0, image.size()); // is ours again
	use("memory", m);
	image = read("both.fatbin");
	CHECK(cuModuleLoadDataEx(&m, image.data(), 0, 0, 0));
	memset(image.data(), 0, image.size());
	use("fat memory", m);

	say("other GPU", cuModuleLoad(&m, "other.cubin"));
	say("no file", cuModuleLoad(&m, "none.cubin"));
	say("ptx", cuModuleLoadData(&m, ".version 8.0\n.target sm_90\n.address_size 64\n"));
	CHECK(cuModuleLoad(&m, "one.cubin"));
	CUfunction f;
	CUdeviceptr p;
	say("no function", cuModuleGetFunction(&f, m, "nothing"));
	say("no variable", cuModuleGetGlobal(&p, &bytes, m, "nothing"));
	say("bad handle", cuModuleUnload((CUmodule)&bytes));
	CHECK(cuModuleGetFunction(&f, m, "dynamic"));
	say("too many threads", cuLaunchKernel(f, 1, 1, 1, 2048, 1, 1, 0, 0, 0, 0));
	CHECK(cuMemAllocManaged(&p, 4096, CU_MEM_ATTACH_GLOBAL));
	CUdeviceptr base;
	int managed;
	CHECK(cuMemGetAddressRange(&base, &bytes, p + 100));
	CHECK(cuPointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, p));
	printf("range %d %zu managed %d\n", base == p, bytes, managed);
	CHECK(cuMemsetD16(p, 0x1234, 2048));
	CHECK(cuMemsetD2D8(p + 1, 64, 0xff, 2, 3));
	unsigned char *b = (unsigned char *)p;
	printf("bytes %02x %02x %02x %02x %02x\n", b[0], b[1], b[2], b[3], b[129]);
	CHECK(cuMemFree(p));
	CHECK(cuDevicePrimaryCtxRelease(dev));
	CHECK(cuCtxDestroy(c));
	CHECK(cuCtxGetCurrent(&now));
	printf("now %d\n", now != c);
	return 0;
}
// CHECK: before: CUDA_ERROR_NOT_INITIALIZED
// CHECK-NEXT: no such device: CUDA_ERROR_INVALID_DEVICE
// CHECK-NEXT: gfx1100) 8.6 1
// CHECK-NEXT: no context: CUDA_ERROR_INVALID_CONTEXT
// CHECK-NEXT: contexts 1 1 1
// CHECK-NEXT: file: 4 60 6
// CHECK-NEXT: file: dynamic 63 0
// CHECK-NEXT: unloaded: CUDA_ERROR_INVALID_HANDLE
// CHECK-NEXT: fat file: 4 60 6
// CHECK-NEXT: fat file: dynamic 63 0
// CHECK-NEXT: unloaded: CUDA_ERROR_INVALID_HANDLE
// CHECK-NEXT: memory: 4 60 6
// CHECK-NEXT: memory: dynamic 63 0
// CHECK-NEXT: unloaded: CUDA_ERROR_INVALID_HANDLE
// CHECK-NEXT: fat memory: 4 60 6
// CHECK-NEXT: fat memory: dynamic 63 0
// CHECK-NEXT: unloaded: CUDA_ERROR_INVALID_HANDLE
// CHECK: other GPU: CUDA_ERROR_NO_BINARY_FOR_GPU
// CHECK: no file: CUDA_ERROR_FILE_NOT_FOUND
// CHECK: a module of PTX text cannot be loaded
// CHECK: ptx: CUDA_ERROR_INVALID_PTX
// CHECK-NEXT: no function: CUDA_ERROR_NOT_FOUND
// CHECK-NEXT: no variable: CUDA_ERROR_NOT_FOUND
// CHECK-NEXT: bad handle: CUDA_ERROR_INVALID_HANDLE
// CHECK-NEXT: too many threads: CUDA_ERROR_INVALID_VALUE
// CHECK-NEXT: range 1 4096 managed 1
// CHECK-NEXT: bytes 34 ff ff 12 ff
// CHECK-NEXT: now 1
