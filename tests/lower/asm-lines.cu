// An error in a PTX text stands at the first word of its line, however the text is put together.
// RUN: not %nvcc -c %s -o %t.o 2>&1 | FileCheck %s
// CHECK: asm-lines.cu:[[#@LINE+20]]:7: error: PTX instruction 'mad.none' is not supported yet
// CHECK: asm-lines.cu:[[#@LINE+20]]:7: error: PTX instruction 'second' is not supported yet
// CHECK: asm-lines.cu:[[#@LINE+23]]:11: error: PTX instruction 'third' is not supported yet
// CHECK: asm-lines.cu:[[#@LINE+10]]:9: error: PTX instruction 'raw' is not supported yet
// CHECK: asm-lines.cu:[[#@LINE+11]]:3: error: PTX instruction 'inmacro' is not supported yet
#define MACRO asm volatile("inmacro;")
template <int N>
__device__ void
f()
{
  asm volatile(R"(
      bar.sync 0;

        raw;
  )");
  MACRO;
}
__global__ void k(int *p) {
  f<3>();
  asm volatile("{\n\t"
     "mad.none %0, %1, 3, 4;\n\t"
     "second;\n\t"
     "}" : "=r"(p[1]) : "r"(p[0]));
  asm("mov.u32 %0, %%laneid;\n" /* between
      literals */
  "\n" "  third %0;" : "=r"(p[0]));
}
