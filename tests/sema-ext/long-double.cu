// A long double has 16 bytes on the host and 8 on the device: what both see may not hold one. Values that
// stay in one function are doubles, as in CUDA.
// RUN: not %nvcc -c %s -o %t.o 2>&1 | FileCheck %s --implicit-check-not=error:
struct inner { int i; long double x[2]; };
struct outer { inner *in; };
// CHECK: long-double.cu:[[#@LINE+1]]:24: error: 'variable' holds 'long double', which has 16 bytes on the host and 8 on the device
__device__ long double variable;
// CHECK: long-double.cu:[[#@LINE+1]]:39: error: 'p' holds 'long double'
__global__ void pointer(long double * p) { *p = 1; }
// CHECK: long-double.cu:[[#@LINE+1]]:30: error: 'o' holds 'long double'
__global__ void record(outer o) { o.in->i = 1; }
__global__ void local(double *p) { long double x = *p; *p = (double)(x * 2); }
template <class T> __global__ void generic(T *p) { *p = 2; }
static const long double pi = 3.14159265358979323846L; // the host's, whatever the device might do with it
void host() { long double x = pi; (void)x; generic<<<1, 1>>>((double *)nullptr); }
