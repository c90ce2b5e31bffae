/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* mem.h - what mem.c, lock.c and pool.c share: blocks of device memory and locked host ranges. */
#ifndef HEDDLE_HX_MEM_H
#define HEDDLE_HX_MEM_H

#include "hx.h"

struct hx_dealloc {
	struct hx_dealloc *next;
	hsa_amd_deallocation_callback_t fn;
	void *user;
};

struct hx_block {
	struct hx_block *next; /* in a chain of free ones */
	u64 base, size;        /* size: what was asked for, rounded to a dword */
	u64 asked;
	u64 map, map_size;     /* of a large one, with its guards */
	u64 offset;            /* in the memfd when `shared` */
	struct hx_agent *agent;
	void *user;
	struct hx_dealloc *on_free;
	enum hx_mem_kind kind;
	u32 stride; /* class, or LARGE */
	u32 flags;  /* of its pool */
	u32 access; /* bit a node */
	bool shared, exposed;
};

/* Calls fn for the block that holds `p`, under the lock; false: no block, or fn's answer. */
bool hx_mem_with(const void *p, bool (*fn)(struct hx_block *b, void *user), void *user);
bool hx_mem_allow(struct hx_block *b, u32 nodes); /* within hx_mem_with; false: out of memory */

bool hx_lock_set_user(const void *p, void *user); /* p: the start of a lock */
bool hx_lock_find(const void *p, struct hx_mem_info *out);
void hx_lock_near(u64 at, struct hx_near *near); /* makes it a lock when one is nearer */
/* Improves *near by an allocation in use. */
void hx_near_add(struct hx_near *near, u64 at, u64 base, u64 size, enum hx_mem_kind kind);
void hx_locks_fini(void);

#endif
