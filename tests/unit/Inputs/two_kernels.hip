// Two kernels, a device function, variables of each kind, and Heddle notes: what the code object reader is tested on.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))

#ifdef VERSION /* clang drops file-scope asm on the device */
#define TEXT(x) #x
#define NUMBER(x) TEXT(x)
#define NOTES asm volatile(".pushsection .note.heddle,\"\",@note\n" \
	".long 7, 1f - 0f, 1\n.asciz \"Heddle\"\n.p2align 2\n" \
	"0: .long " NUMBER(VERSION) ", 3, 512, 0\n.asciz \"_Z3ldsPi\"\n.asciz \"a barrier in a loop\"\n1: .p2align 2\n" \
	".long 7, 3f - 2f, 1\n.asciz \"Heddle\"\n.p2align 2\n" \
	"2: .long " NUMBER(VERSION) ", 2, 1024, 0\n.asciz \"add\"\n.byte 0\n3: .p2align 2\n.popsection\n")
#else
#define NOTES (void)0
#endif

__device__ int counter;
__constant__ float table[16] = {1, 2, 3};
__device__ int *pointer = &counter;

extern "C" __global__ void add(float *o, const float *a, int n)
{
	int i = __builtin_amdgcn_workgroup_id_x() * __builtin_amdgcn_workgroup_size_x() + __builtin_amdgcn_workitem_id_x();
	if (i < n)
		o[i] = a[i] + table[i & 15]; // line 27
}

__attribute__((noinline)) __device__ int slow(int x)
{
	for (int i = 0; i < x; i++)
		counter += i * x;
	return *pointer; // line 34
}

__global__ void lds(int *o)
{
	NOTES;
	__shared__ int s[64];
	int t = __builtin_amdgcn_workitem_id_x();
	s[t] = o[t];
	__builtin_amdgcn_s_barrier();
	o[t] = s[63 - t] + slow(t);
}
