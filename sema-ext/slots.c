/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * slots.c - changes a few virtual functions of one C++ object. The object's vtable (Itanium C++ ABI)
 * is copied, the copy's slots are replaced, and the object is pointed at the copy: every other virtual
 * stays the original's own, so clang's code generation cannot notice. Formally undefined behaviour;
 * the plugin is locked to one build of clang anyhow, and tests/sema-ext/same-ir.cu guards it.
 *
 *          copy:  | offset to top | typeinfo | slot 0 | slot 1 | …
 *                                             ^ vptr
 */
#include "sema-ext/sx.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { BEFORE = 2 }; /* words in front of slot 0 */

struct copy {
	void *from;
	struct copy *next;
	void *words[]; /* BEFORE + count */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct copy *copies;

static struct copy *
copy_new(void **from, size_t count, const struct sx_slot *slots, size_t n)
{
	struct copy *c = malloc(sizeof(*c) + (BEFORE + count) * sizeof(void *));

	if (!c)
		return NULL;
	c->from = from;
	memcpy(c->words, from - BEFORE, (BEFORE + count) * sizeof(void *));
	for (size_t i = 0; i < n; i++) {
		*slots[i].old = c->words[BEFORE + slots[i].index];
		c->words[BEFORE + slots[i].index] = slots[i].fn;
	}
	c->next = copies;
	copies = c;
	return c;
}

bool
sx_slots_replace(void **vptr, size_t count, const struct sx_slot *slots, size_t n)
{
	void **from = *vptr;
	struct copy *c;

	pthread_mutex_lock(&lock);
	for (c = copies; c; c = c->next)
		if (c->from == from || (void **)c->words + BEFORE == from)
			break;
	if (!c)
		c = copy_new(from, count, slots, n);
	if (c)
		*vptr = c->words + BEFORE;
	pthread_mutex_unlock(&lock);
	return c != NULL;
}
