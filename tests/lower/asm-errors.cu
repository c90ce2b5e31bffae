// PTX that is not lowered yet is an error at the source line of the instruction, with and without -g,
// in macros, raw strings and templates. Nothing else is said about it and nothing is dropped.
// RUN: not %device --offload-arch=gfx1100 -O2 -c %s -o %t.co 2>&1 | FileCheck %s --implicit-check-not=error:
// RUN: not %device --offload-arch=gfx90a -O0 -g -c %s -o %t.co 2>&1 | FileCheck %s --implicit-check-not=error:
// RUN: test ! -e %t.co
#include "mini.h"
#define TWICE(x) asm volatile("frob.b32 %0, %0, 2;" : "+r"(x))

template <typename T> __device__ void in_template(T &x)
{
	asm("frob.t.b32 %0, %0;" : "+r"(x));
}
__global__ void k(int *p)
{
	int x = 0;
	// CHECK: asm-errors.cu:[[#@LINE+1]]:{{.*}}: error: PTX instruction 'frob.u32' is not supported yet
	asm("frob.u32 %0, %frobid;" : "=r"(x));
	asm volatile("{\n"
		     // CHECK: asm-errors.cu:[[#@LINE+1]]:{{.*}}: error: PTX directive '.frob' is not supported yet
		     ".frob .pred q;\n"
		     // CHECK: asm-errors.cu:[[#@LINE+1]]:{{.*}}: error: PTX instruction 'frob.ne.s32' is not supported yet
		     "frob.ne.s32 q, %0, 0;  // comment\n"
		     // CHECK: asm-errors.cu:[[#@LINE+1]]:{{.*}}: error: PTX instruction 'frob.uni' is not supported yet
		     "@!q frob.uni DONE;\n"
		     "}" ::"r"(p[1]));
	// CHECK: asm-errors.cu:[[#@LINE+3]]:{{.*}}: error: PTX instruction 'frob.s32' is not supported yet
	// CHECK: asm-errors.cu:[[#@LINE+3]]:{{.*}}: error: PTX cannot be parsed: a bracket is closed that is not open
	asm(R"(
		frob.s32 %0, %0, 1;
		garbage ] ;
	)" : "+r"(x));
	// CHECK: asm-errors.cu:[[#@LINE+1]]:{{.*}}: error: PTX instruction 'frob.b32' is not supported yet
	TWICE(p[3]);
	// CHECK: note: expanded from macro 'TWICE'
	// CHECK: asm-errors.cu:[[#@LINE+1]]:{{.*}}: error: PTX cannot be parsed: ';' is missing at the end
	asm("foo bar baz" : "=r"(x));
	// CHECK: asm-errors.cu:[[#@LINE+1]]:{{.*}}: error: PTX cannot be parsed: an operand is missing
	asm("foo %0, ;" : "=r"(x));
	// CHECK: asm-errors.cu:[[#@LINE+1]]:{{.*}}: error: PTX cannot be parsed: a character that PTX does not have
	asm("foo %0 ^ ;" : "=r"(x));
	// CHECK: error: 'asm goto' is not supported in device code
	asm goto("bra %l0;" :: ::out);
out:
	in_template(x);
	p[0] = x;
}
// CHECK: asm-errors.cu:11:{{.*}}: error: PTX instruction 'frob.t.b32' is not supported yet
