// What the language has and Heddle does not, yet: an error that says so, where it stands.
// RUN: not %nvcc -c %s -DMANAGED -o %t.o 2>&1 | %FileCheck --check-prefix=MANAGED %s
// RUN: not %nvcc -c %s -DMALLOC -o %t.o 2>&1 | %FileCheck --check-prefix=MALLOC %s
// RUN: not %nvcc -c %s -DNEW -o %t.o 2>&1 | %FileCheck --check-prefix=NEW %s
// RUN: not %nvcc -c %s -DLEGACY -o %t.o 2>&1 | %FileCheck --check-prefix=LEGACY %s
// RUN: not %nvcc -c %s -DNESTED -o %t.o 2>&1 | %FileCheck --check-prefix=NESTED %s
#ifdef MANAGED
__managed__ int shared_by_address;
// MANAGED: missing.cu:[[#@LINE-1]]:1: error: __managed__ variables are not supported yet
#endif
__global__ void
kernel(int *p)
{
#ifdef MALLOC
	p = (int *)malloc(16);
// MALLOC: missing.cu:[[#@LINE-1]]:{{.*}}: error: no matching function for call to 'malloc'
#endif
#ifdef NEW
	p = new int[4];
// NEW: error: undefined symbol: operator new[](unsigned long)
// NEW-NEXT: missing.cu:[[#@LINE-2]]
#endif
#ifdef LEGACY
	p[0] = __shfl(p[1], 2); // gone since compute capability 7.0
// LEGACY: missing.cu:[[#@LINE-1]]:{{.*}}: error: use of undeclared identifier '__shfl'
#endif
#ifdef NESTED
	kernel<<<1, 1>>>(p);
// NESTED: missing.cu:[[#@LINE-1]]:{{.*}}: error:
#endif
}
