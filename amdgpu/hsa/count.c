/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * count.c - HEDDLE_COUNTERS: 1 prints a block of lines for each kernel of each GPU when the process ends, all of
 * its launches added up, in the order of the first ones; 2 prints one for each launch, at its end.
 */
#include "hx.h"
#include <stdlib.h>
#include <string.h>

char *__cxa_demangle(const char *name, char *buf, size_t *n, int *status); /* of the C++ runtime */

struct total {
	struct total *next;
	const struct target *target;
	char *name; /* mangled */
	struct exec_counts counts;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct total *totals;

static void
print(const struct exec_counts *c, const char *name, const struct target *t)
{
	char *plain = __cxa_demangle(name, NULL, NULL, NULL);
	count_print(c, plain ? plain : name, t);
	free(plain);
}

static void
print_all(void)
{
	pthread_mutex_lock(&lock);
	for (struct total *t = totals; t; t = t->next)
		print(&t->counts, t->name, t->target);
	pthread_mutex_unlock(&lock);
}

/* The kernel's total, made if there is none; NULL: no memory. */
static struct total *
find(const char *name, const struct target *target)
{
	struct total **p = &totals;
	while (*p && ((*p)->target != target || strcmp((*p)->name, name) != 0))
		p = &(*p)->next;
	if (*p)
		return *p;
	struct total *t = calloc(1, sizeof(*t));
	char *copy = strdup(name);
	if (!t || !copy || (!totals && atexit(print_all) != 0)) {
		free(t);
		free(copy);
		return NULL;
	}
	t->target = target;
	t->name = copy;
	return *p = t;
}

void
hx_count(const struct hx_agent *a, const char *kernel, const struct exec_counts *c)
{
	const char *how = getenv("HEDDLE_COUNTERS");
	if (c->launches == 0)
		return;
	if (how && strcmp(how, "2") == 0) {
		print(c, kernel, a->target);
		return;
	}
	pthread_mutex_lock(&lock);
	struct total *t = find(kernel, a->target);
	if (t)
		count_add(&t->counts, c);
	pthread_mutex_unlock(&lock);
	if (!t)
		hx_misuse(HSA_STATUS_ERROR_OUT_OF_RESOURCES, "counters", "no memory for kernel %s",
			kernel);
}
