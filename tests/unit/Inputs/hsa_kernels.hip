/* Kernels of hsa_dispatch.c; the lines of the faults are found by their comments. */
#define GLOBAL extern "C" __attribute__((global))
#define DEVICE __attribute__((device))
#define TID    __builtin_amdgcn_workitem_id_x()
#define WG     __builtin_amdgcn_workgroup_id_x()

#ifdef OUTSIDE
extern "C" DEVICE __attribute__((visibility("default"))) unsigned outside;
GLOBAL void get(unsigned *out) { *out = outside; }
#else
extern "C" {
DEVICE unsigned counter = 7;
__attribute__((constant)) unsigned table[4] = {1, 20, 300, 4000};
}

GLOBAL void fill(unsigned *out, unsigned n, unsigned a)
{
	unsigned i = WG * 64 + TID;
	if (i < n)
		out[i] = a * i + counter + table[1];
}

GLOBAL void reverse(unsigned *data)
{
	__attribute__((shared)) static unsigned tile[64];
	tile[TID] = data[WG * 64 + TID];
	__builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
	__builtin_amdgcn_s_barrier();
	__builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
	data[WG * 64 + TID] = tile[63 - TID];
}

__attribute__((global)) void peek(unsigned *out, const unsigned *at)
{
	if (WG == 1 && TID == 3)
		out[1] = *at; // peek
}

GLOBAL void wide(unsigned long long *at)
{
	at[TID] += 1;
}

GLOBAL void poke(unsigned *at)
{
	*at = 5; // poke
}

GLOBAL void stop(unsigned *out)
{
	*out = 1;
	__builtin_trap();
}

GLOBAL void ring(long long *value)
{
	if (WG == 0 && TID == 0)
		__scoped_atomic_store_n(value, 0, __ATOMIC_RELEASE, __MEMORY_SCOPE_SYSTEM);
}

/* Says that it runs, waits for another kernel or the host, says that it has seen it. */
GLOBAL void await(unsigned *flag, unsigned *out)
{
	__scoped_atomic_store_n(out, 2, __ATOMIC_RELEASE, __MEMORY_SCOPE_SYSTEM);
	while (__scoped_atomic_load_n(flag, __ATOMIC_ACQUIRE, __MEMORY_SCOPE_SYSTEM) == 0)
		__builtin_amdgcn_s_sleep(1);
	*out = 3;
}
#endif
