/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* exec.c - a device, and a dispatch packet checked and taken apart before it runs. */
#include "amdgpu/exec/wave.h"
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

static const struct runner *
runner_choose(void)
{
#if defined(__x86_64__)
	const char *force = getenv("HEDDLE_EXEC_BUILD"); /* tests compare the two */
	if (force != NULL && strcmp(force, "v1") == 0)
		return &runner_v1;
	__builtin_cpu_init();
	if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
		__builtin_cpu_supports("bmi2"))
		return &runner_v3;
#endif
	return &runner_v1;
}

/* Modes that a user asks for by the environment, whoever made the device. */
static bool
mode_on(const char *name)
{
	const char *v = getenv(name);
	return v != NULL && v[0] != 0 && strcmp(v, "0") != 0;
}

struct exec *
exec_new(const struct target *t, struct exec_space *s, const struct exec_config *c)
{
	struct exec *e = calloc(1, sizeof(*e));
	if (e == NULL)
		return NULL;
	e->target = t;
	e->space = s;
	if (c != NULL)
		e->config = *c;
	e->config.counters |= mode_on("HEDDLE_COUNTERS");
	e->config.delay |= mode_on("HEDDLE_EXEC_DELAY");
	if (e->config.threads == 0) {
		cpu_set_t set;
		e->config.threads =
			sched_getaffinity(0, sizeof(set), &set) == 0 ? (u32)CPU_COUNT(&set) : 1;
	}
	if (e->config.seed)
		e->config.threads = 1; /* one order, given by the seed */
	e->runner = runner_choose();
	pthread_mutex_init(&e->code_lock, NULL);
	pthread_mutex_init(&e->spare_lock, NULL);
	if (!code_init(e) || !sched_start(e)) {
		code_fini(e);
		free(e);
		return NULL;
	}
	return e;
}

void
exec_free(struct exec *e)
{
	if (e == NULL)
		return;
	sched_stop(e);
	groups_fini(e);
	code_fini(e);
	pthread_mutex_destroy(&e->code_lock);
	free(e);
}

static bool
refuse(struct exec_fault *f, const char *why)
{
	f->kind = EXEC_FAULT_PACKET;
	snprintf(f->what, sizeof(f->what), "%s", why);
	return false;
}

static u32
word(u64 addr, u32 off)
{
	u32 v;
	memcpy(&v, (const u8 *)(uintptr_t)addr + off, 4);
	return v;
}

/* AMDGPUUsage, "Kernel Descriptor": 0 group size, 4 private size, 8 kernarg size, 16 entry offset, 44 rsrc3,
 * 48 rsrc1, 52 rsrc2, 56 properties. */
static bool
descriptor_read(struct dispatch *d, struct exec_fault *f)
{
	struct interval in;
	u64 at = d->p->kernel_object;
	struct reader here; /* this thread runs no waves: the space may change under it */
	space_enter(d->e->space, &here);
	bool known = space_find(d->e->space, at, &in);
	space_leave(d->e->space, &here);
	if (at % 64 != 0 || !known || at - in.base + 64 > in.size)
		return refuse(f, "kernel_object is no kernel descriptor");
	u64 offset = word(at, 16) | (u64)word(at, 20) << 32;
	d->descriptor = at;
	d->entry = at + offset;
	d->rsrc3 = word(at, 44);
	d->rsrc1 = word(at, 48);
	d->rsrc2 = word(at, 52);
	d->props = word(at, 56) & 0xffff;
	d->wave_size = d->e->target->major >= 10 && (d->props >> 10 & 1) ? 32 : 64;
	d->lds_bytes = d->p->group_segment_size;
	if (d->lds_bytes < word(at, 0))
		return refuse(
			f, "group_segment_size is less than the kernel's static shared memory");
	d->scratch_bytes = (d->p->private_segment_size + 3) & ~3u;
	if (d->p->private_segment_size < word(at, 4))
		return refuse(f, "private_segment_size is less than the kernel needs");
	if (d->lds_bytes > d->e->target->lds)
		return refuse(f, "more shared memory than a workgroup can have");
	if (d->rsrc1 >> 26 & 1)
		return refuse(f, "the kernel wants MODE.FP16_OVFL, which is not supported");
	const struct target *t = d->e->target;
	d->architected = t->major >= 11 || (t->major == 9 && t->minor > 0);
	return true;
}

static bool
sizes_read(struct dispatch *d, struct exec_fault *f)
{
	const hsa_kernel_dispatch_packet_t *p = d->p;
	u32 grid[3] = {p->grid_size_x, p->grid_size_y, p->grid_size_z};
	u32 group[3] = {p->workgroup_size_x, p->workgroup_size_y, p->workgroup_size_z};
	u32 threads = 1;
	d->ngroups = 1;
	for (int k = 0; k < 3; k++) {
		if (grid[k] == 0 || group[k] == 0)
			return refuse(f, "a grid or workgroup dimension is zero");
		if (group[k] > 1024 || threads * group[k] > 1024)
			return refuse(f, "more than 1024 work-items in a workgroup");
		threads *= group[k];
		d->grid[k] = grid[k];
		d->group[k] = group[k];
		d->groups[k] = (u32)(((u64)grid[k] + group[k] - 1) / group[k]);
		d->ngroups *= d->groups[k];
	}
	d->waves = (threads + d->wave_size - 1) / d->wave_size;
	u32 granule = d->e->target->granule > 8 ? 8 : d->e->target->granule;
	if (d->wave_size == 64 && d->e->target->major >= 10)
		granule = 4;
	u32 vgprs = d->vgprs = ((d->rsrc1 & 63) + 1) * granule;
	d->cap = EXEC_CUS *
		 target_residency(d->e->target, d->wave_size, vgprs, d->lds_bytes, threads);
	if (d->cap == 0)
		return refuse(f, "not one workgroup fits on a compute unit");
	return true;
}

static u64
gcd(u64 a, u64 b)
{
	while (b) {
		u64 t = a % b;
		a = b;
		b = t;
	}
	return a;
}

bool
exec_run(struct exec *e, const hsa_kernel_dispatch_packet_t *p, u64 queue, struct exec_fault *f,
	struct exec_stats *st)
{
	struct dispatch d = {.e = e, .p = p, .queue = queue, .fault = f};
	memset(f, 0, sizeof(*f));
	d.kernarg = (u64)(uintptr_t)p->kernarg_address;
	if (!descriptor_read(&d, f) || !sizes_read(&d, f))
		return false;
	struct reader here;
	space_enter(e->space, &here);
	bool started = reach_check(e, d.entry, d.wave_size, f);
	space_leave(e->space, &here);
	if (!started)
		return false;
	if (e->config.seed) {
		d.order_mul = e->config.seed % d.ngroups + 1;
		while (gcd(d.order_mul, d.ngroups) != 1)
			d.order_mul++;
	}
	struct exec_counts counts = {0};
	if (e->config.counters) {
		count_launch(&counts, &d);
		d.counts = &counts;
	}
	pthread_mutex_init(&d.lock, NULL);
	sched_run(e, &d);
	if (f->kind == EXEC_FAULT_NONE && !atomic_load(&d.stop))
		*f = d.dead;
	pthread_mutex_destroy(&d.lock);
	if (st != NULL)
		*st = (struct exec_stats){d.instructions, d.nwaves, counts};
	return f->kind == EXEC_FAULT_NONE && !atomic_load(&d.stop);
}
