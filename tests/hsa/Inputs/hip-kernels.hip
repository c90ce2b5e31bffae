/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* hip-kernels.hip - the kernels of hip-module.c. */
#define KERNEL extern "C" __attribute__((global)) void
#define DEVICE __attribute__((device))
#define ID()                                                                                       \
	(__builtin_amdgcn_workgroup_id_x() * __builtin_amdgcn_workgroup_size_x() +                 \
		__builtin_amdgcn_workitem_id_x())

extern "C" DEVICE int scale;
DEVICE int scale = 3;

/* Sizes come from the dispatch packet in code object version 4. */
KERNEL
fill(unsigned *to, unsigned n, unsigned first)
{
	unsigned i = ID();
	if (i < n)
		to[i] = i * scale + first;
}

/* The sum of each block in its LDS, added to one word. */
KERNEL
sum(const unsigned *from, unsigned n, unsigned *to)
{
	static __attribute__((shared)) unsigned part[256];
	unsigned t = __builtin_amdgcn_workitem_id_x(), i = ID();
	part[t] = i < n ? from[i] : 0;
	__builtin_amdgcn_s_barrier();
	for (unsigned step = 128; step > 0; step /= 2) {
		if (t < step)
			part[t] += part[t + step];
		__builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "workgroup");
		__builtin_amdgcn_s_barrier();
	}
	if (t == 0)
		__atomic_fetch_add(to, part[0], __ATOMIC_RELAXED);
}

/* A float operation of each width and a function that is called. */
DEVICE __attribute__((noinline)) double
power(double x, int n)
{
	return n == 0 ? 1 : x * power(x, n - 1);
}

KERNEL
floats(double *to, float x)
{
	unsigned i = ID();
	to[i] = power(1.5, (int)i % 8) + __builtin_sqrtf(x * x) + (double)(_Float16)(i / 4.0f);
}
