/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * mem.c - where device memory comes from, and the registry of all of it.
 *
 * Small blocks (below 1 MiB) come from slabs of 64 MiB in strides of a power of two with at least one
 * page between two blocks; large ones are their own mapping of one memfd between PROT_NONE guards, at
 * an offset that is never used again (which is what sharing them with another process will need). The
 * executor is told the exact size, so one byte too far is a fault. A freed block waits in a quarantine,
 * unknown to the executor, before its addresses serve again: use after free is a fault, too.
 *
 *   slab  | page | block | gap | block … gap |     stride 8 KiB … 2 MiB, always on a page
 *   large | guard | block, rounded to pages | guard |
 */
#include "hx.h"
#include "mem.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define SLAB        (64ull << 20)
#define SMALL       (1ull << 20)
#define CLASSES     9 /* strides of 8 KiB << class */
#define STRIDE(c)   (8192ull << (c))
#define GUARD       (64ull << 10)
#define HUGE_PAGE   (2ull << 20)
#define LARGE       CLASSES
#define HOLD_BLOCKS 4096         /* the quarantine: at most so many small blocks … */
#define HOLD_BYTES  (64ull << 20) /* … of so many bytes */
#define HOLD_LARGE  64

struct hold { /* blocks that wait in order of their end */
	struct hx_block *first, **last;
	size_t n;
	u64 bytes;
};

static struct {
	pthread_rwlock_t lock; /* of all here */
	VEC(struct hx_block *) blocks; /* sorted by base */
	struct hx_block *spare[CLASSES];
	struct hold small, large;
	struct hx_block *dying; /* freed, and waves may hold them yet */
	VEC(void *) slabs;
	u64 at, end; /* unused part of the last slab */
	int fd;
	u64 fd_size;
} mem = {.lock = PTHREAD_RWLOCK_INITIALIZER, .fd = -1};

static void
hold_init(struct hold *h)
{
	*h = (struct hold){.last = &h->first};
}

static void
hold_add(struct hold *h, struct hx_block *b)
{
	b->next = NULL;
	*h->last = b;
	h->last = &b->next;
	h->n++;
	h->bytes += b->size;
}

static struct hx_block *
hold_take(struct hold *h)
{
	struct hx_block *b = h->first;
	h->first = b->next;
	if (!h->first)
		h->last = &h->first;
	h->n--;
	h->bytes -= b->size;
	return b;
}

bool
hx_mem_init(void)
{
	hold_init(&mem.small);
	hold_init(&mem.large);
	mem.fd = memfd_create("heddle-device-memory", MFD_CLOEXEC);
	mem.fd_size = 0;
	return true; /* without a memfd, large blocks are private memory */
}

static void
block_unmap(struct hx_block *b)
{
	if (b->stride == LARGE)
		munmap((void *)(uintptr_t)b->map, b->map_size);
	free(b);
}

static void
chain_free(struct hx_block *b)
{
	for (struct hx_block *next; b; b = next) {
		next = b->next;
		block_unmap(b);
	}
}

void
hx_mem_fini(void)
{
	hx_locks_fini();
	pthread_rwlock_wrlock(&mem.lock);
	for (size_t i = 0; i < mem.blocks.n; i++) {
		if (mem.blocks.p[i]->exposed)
			exec_space_del(hx.space, mem.blocks.p[i]->base);
		block_unmap(mem.blocks.p[i]);
	}
	free(mem.blocks.p);
	mem.blocks.p = NULL;
	mem.blocks.n = mem.blocks.cap = 0;
	chain_free(mem.small.first);
	chain_free(mem.large.first);
	for (int c = 0; c < CLASSES; c++) {
		chain_free(mem.spare[c]);
		mem.spare[c] = NULL;
	}
	for (size_t i = 0; i < mem.slabs.n; i++)
		munmap(mem.slabs.p[i], SLAB);
	free(mem.slabs.p);
	mem.slabs.p = NULL;
	mem.slabs.n = mem.slabs.cap = 0;
	mem.at = mem.end = 0;
	if (mem.fd >= 0)
		close(mem.fd);
	mem.fd = -1;
	pthread_rwlock_unlock(&mem.lock);
}

/* --- blocks ----------------------------------------------------------------------------------- */

static bool
slab_add(void)
{
	void *p = mmap(NULL, SLAB, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (p == MAP_FAILED)
		return false;
	if (!VEC_PUSH(&mem.slabs, p)) {
		munmap(p, SLAB);
		return false;
	}
	mem.at = (u64)(uintptr_t)p + HX_PAGE;
	mem.end = (u64)(uintptr_t)p + SLAB;
	return true;
}

static struct hx_block *
small_new(u64 size)
{
	u32 c = 0;
	while (STRIDE(c) < size + HX_PAGE)
		c++;
	struct hx_block *b = mem.spare[c];
	if (b) {
		mem.spare[c] = b->next;
		memset((void *)(uintptr_t)b->base, 0, b->size);
		u64 base = b->base;
		*b = (struct hx_block){.base = base, .stride = c};
		return b;
	}
	if (mem.end - mem.at < STRIDE(c) && !slab_add())
		return NULL;
	b = calloc(1, sizeof *b);
	if (!b)
		return NULL;
	*b = (struct hx_block){.base = mem.at, .stride = c};
	mem.at += STRIDE(c);
	return b;
}

/* Maps `size` bytes of the memfd at `at`; false: they must be private. */
static bool
map_shared(u64 at, u64 size, u64 *offset)
{
	if (mem.fd < 0 || ftruncate(mem.fd, (off_t)(mem.fd_size + size)) != 0)
		return false;
	if (mmap((void *)(uintptr_t)at, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
		    mem.fd, (off_t)mem.fd_size) == MAP_FAILED)
		return false;
	*offset = mem.fd_size;
	mem.fd_size += (size + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1);
	return true;
}

static struct hx_block *
large_new(u64 size)
{
	u64 pages = (size + HX_PAGE - 1) & ~(u64)(HX_PAGE - 1);
	u64 whole = pages + HUGE_PAGE + 2 * GUARD;
	struct hx_block *b = calloc(1, sizeof *b);
	if (!b)
		return NULL;
	void *p = mmap(NULL, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (p == MAP_FAILED) {
		free(b);
		return NULL;
	}
	b->map = (u64)(uintptr_t)p;
	b->map_size = whole;
	b->stride = LARGE;
	b->base = (b->map + GUARD + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1);
	b->shared = map_shared(b->base, pages, &b->offset);
	if (!b->shared &&
		mprotect((void *)(uintptr_t)b->base, pages, PROT_READ | PROT_WRITE) != 0) {
		block_unmap(b);
		return NULL;
	}
	return b;
}

/* Gives the block's memory back, keeps its addresses. */
static void
block_hold(struct hx_block *b)
{
	void *p = (void *)(uintptr_t)b->base;
	if (b->stride != LARGE) {
		if (b->size >= 16 * HX_PAGE)
			madvise(p, b->size, MADV_DONTNEED);
		hold_add(&mem.small, b);
		while (mem.small.n > HOLD_BLOCKS || mem.small.bytes > HOLD_BYTES) {
			struct hx_block *old = hold_take(&mem.small);
			old->next = mem.spare[old->stride];
			mem.spare[old->stride] = old;
		}
		return;
	}
	u64 pages = (b->size + HX_PAGE - 1) & ~(u64)(HX_PAGE - 1);
	mmap(p, pages, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
	if (b->shared)
		fallocate(mem.fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)b->offset,
			(off_t)pages);
	hold_add(&mem.large, b);
	while (mem.large.n > HOLD_LARGE)
		block_unmap(hold_take(&mem.large));
}

/* Index of the first block whose base is above `at`. */
static size_t
upper(u64 at)
{
	size_t lo = 0, hi = mem.blocks.n;
	while (lo < hi) {
		size_t mid = (lo + hi) / 2;
		if (mem.blocks.p[mid]->base <= at)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static struct hx_block *
block_at(u64 at)
{
	size_t i = upper(at);
	struct hx_block *b = i ? mem.blocks.p[i - 1] : NULL;
	return b && at < b->base + b->size ? b : NULL;
}

static bool
block_register(struct hx_block *b)
{
	if (!vec_grow((void **)&mem.blocks.p, &mem.blocks.cap, mem.blocks.n + 1,
		    sizeof *mem.blocks.p))
		return false;
	size_t i = upper(b->base);
	memmove(mem.blocks.p + i + 1, mem.blocks.p + i, (mem.blocks.n - i) * sizeof *mem.blocks.p);
	mem.blocks.p[i] = b;
	mem.blocks.n++;
	return true;
}

static bool
budget_take(struct hx_agent *a, u64 n)
{
	u64 used = __atomic_add_fetch(&a->used, n, __ATOMIC_RELAXED);
	if (used <= a->memory)
		return true;
	__atomic_sub_fetch(&a->used, n, __ATOMIC_RELAXED);
	return false;
}

static u64
pages_of(u64 size)
{
	return (size + HX_PAGE - 1) & ~(u64)(HX_PAGE - 1);
}

void *
hx_mem_new(struct hx_agent *owner, u64 size, enum hx_mem_kind kind, u32 flags)
{
	if (size == 0 || size > owner->memory || !budget_take(owner, pages_of(size)))
		return NULL;
	pthread_rwlock_wrlock(&mem.lock);
	struct hx_block *b = size < SMALL ? small_new(size) : large_new(size);
	if (b) {
		b->asked = size;
		b->size = (size + 3) & ~3ull; /* the hardware reads dwords */
		b->kind = kind;
		b->agent = owner;
		b->flags = flags;
		b->access = 1u << owner->node;
		if (!block_register(b)) {
			block_hold(b);
			b = NULL;
		}
	}
	pthread_rwlock_unlock(&mem.lock);
	if (!b) {
		__atomic_sub_fetch(&owner->used, pages_of(size), __ATOMIC_RELAXED);
		return NULL;
	}
	if (log_on(LOG_mem))
		log_printf(LOG_mem, "new size=%llu node=%u flags=%u", (unsigned long long)size,
			owner->node, flags);
	return (void *)(uintptr_t)b->base;
}

void
hx_mem_free(void *base)
{
	pthread_rwlock_wrlock(&mem.lock);
	struct hx_block *b = block_at((u64)(uintptr_t)base);
	assert(b && b->base == (u64)(uintptr_t)base);
	size_t i = upper(b->base) - 1;
	memmove(mem.blocks.p + i, mem.blocks.p + i + 1,
		(mem.blocks.n - i - 1) * sizeof *mem.blocks.p);
	mem.blocks.n--;
	b->next = mem.dying;
	mem.dying = b;
	pthread_rwlock_unlock(&mem.lock);

	for (struct hx_dealloc *d = b->on_free, *next; d; d = next) {
		next = d->next;
		d->fn(base, d->user);
		free(d);
	}
	if (b->exposed)
		exec_space_del(hx.space, b->base);
	__atomic_sub_fetch(&b->agent->used, pages_of(b->size), __ATOMIC_RELAXED);
	if (log_on(LOG_mem))
		log_printf(LOG_mem, "free size=%llu node=%u", (unsigned long long)b->size,
			b->agent->node);
	pthread_rwlock_wrlock(&mem.lock);
	struct hx_block **link = &mem.dying;
	while (*link != b)
		link = &(*link)->next;
	*link = b->next;
	block_hold(b);
	pthread_rwlock_unlock(&mem.lock);
}

/* Adds to what the executor may touch, once. */
static bool
block_expose(struct hx_block *b, enum exec_memory kind)
{
	if (!b->exposed)
		b->exposed = exec_space_add(hx.space, b->base, b->size, kind);
	return b->exposed;
}

bool
hx_mem_expose(void *base, enum exec_memory kind)
{
	pthread_rwlock_wrlock(&mem.lock);
	struct hx_block *b = block_at((u64)(uintptr_t)base);
	bool ok = b && block_expose(b, kind);
	pthread_rwlock_unlock(&mem.lock);
	return ok;
}

bool
hx_mem_with(const void *p, bool (*fn)(struct hx_block *b, void *user), void *user)
{
	pthread_rwlock_wrlock(&mem.lock);
	struct hx_block *b = block_at((u64)(uintptr_t)p);
	bool ok = b && fn(b, user);
	pthread_rwlock_unlock(&mem.lock);
	return ok;
}

/* GPU agents reach host memory only after this, as on a GPU behind a bus. */
bool
hx_mem_allow(struct hx_block *b, u32 nodes)
{
	b->access |= nodes;
	return !(b->access & ~1u) || block_expose(b, EXEC_MEMORY_DATA);
}

bool
hx_mem_find(const void *p, struct hx_mem_info *out)
{
	pthread_rwlock_rdlock(&mem.lock);
	struct hx_block *b = block_at((u64)(uintptr_t)p);
	if (b)
		*out = (struct hx_mem_info){
			b->kind, b->base, b->size, b->agent, b->flags, b->access, b->user};
	pthread_rwlock_unlock(&mem.lock);
	return b || hx_lock_find(p, out);
}

bool
hx_mem_covers(const void *p, u64 n)
{
	struct hx_mem_info i;
	u64 at = (u64)(uintptr_t)p;
	return hx_mem_find(p, &i) && n <= i.base + i.size - at;
}

/* --- what stands near an address -------------------------------------------------------------- */

void
hx_near_add(struct hx_near *near, u64 at, u64 base, u64 size, enum hx_mem_kind kind)
{
	struct hx_near n = {HX_INSIDE, kind, base, size, 0, near->ours};
	if (at < base) {
		n.place = HX_BEFORE;
		n.distance = base - at;
	} else if (at >= base + size) {
		n.place = HX_PAST;
		n.distance = at - (base + size);
	}
	if (near->place == HX_NOWHERE || n.place == HX_INSIDE || n.distance < near->distance)
		*near = n;
}

static bool
chain_near(const struct hx_block *b, u64 at, struct hx_near *near)
{
	for (; b; b = b->next)
		if (b->asked && at >= b->base && at < b->base + b->asked) {
			*near = (struct hx_near){HX_FREED, b->kind, b->base, b->asked, 0, true};
			return true;
		}
	return false;
}

static bool
is_ours(u64 at, size_t above)
{
	for (size_t i = 0; i < mem.slabs.n; i++)
		if (at - (u64)(uintptr_t)mem.slabs.p[i] < SLAB)
			return true;
	for (size_t k = above ? above - 1 : 0; k <= above && k < mem.blocks.n; k++)
		if (at - mem.blocks.p[k]->map < mem.blocks.p[k]->map_size)
			return true;
	return false;
}

/* A block in use wins over a freed one only where it holds the address. */
void
hx_mem_near(u64 at, struct hx_near *near)
{
	*near = (struct hx_near){0};
	hx_lock_near(at, near);
	pthread_rwlock_rdlock(&mem.lock);
	size_t i = upper(at);
	near->ours = is_ours(at, i);
	for (size_t k = i ? i - 1 : 0; k <= i && k < mem.blocks.n; k++)
		hx_near_add(near, at, mem.blocks.p[k]->base, mem.blocks.p[k]->asked,
			mem.blocks.p[k]->kind);
	bool freed = near->place == HX_INSIDE || chain_near(mem.dying, at, near) ||
		     chain_near(mem.small.first, at, near) || chain_near(mem.large.first, at, near);
	for (int c = 0; !freed && c < CLASSES; c++)
		freed = chain_near(mem.spare[c], at, near);
	pthread_rwlock_unlock(&mem.lock);
}
