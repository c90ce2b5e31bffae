/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// LINK: lower base
/* Proves that graph_dominators agrees with the definition on random graphs: a dominates b when b cannot
 * be reached without a. */
#include "lower/graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 12 };

static int
compare(struct graph *g, u32 root)
{
	u32 idom[MOST];
	bool reach[MOST] = {0};

	graph_dominators(g, root, idom);
	graph_reach(g, root, GRAPH_NONE, reach);
	for (u32 a = 0; a < g->n; a++) {
		bool without[MOST] = {0};

		if (!reach[a])
			continue;
		graph_reach(g, root, a, without);
		for (u32 b = 0; b < g->n; b++) {
			bool want = a == b || !without[b];

			if (reach[b] && graph_dominates(idom, a, b) != want) {
				fprintf(stderr, "%u dominates %u: not %d\n", a, b, want);
				return 1;
			}
		}
	}
	for (u32 b = 0; b < g->n; b++)
		if ((b == root || !reach[b]) && idom[b] != GRAPH_NONE)
			return 1;
	return 0;
}

int
main(void)
{
	srand(7);
	for (int round = 0; round < 20000; round++) {
		struct arena a = {0};
		struct graph g, back;
		u32 n = 1 + (u32)rand() % MOST;
		int bad;

		if (!graph_init(&g, &a, n))
			return 1;
		for (u32 i = (u32)rand() % (3 * n); i > 0; i--)
			graph_edge(&g, (u32)rand() % n, (u32)rand() % n);
		back = graph_reverse(&g);
		bad = compare(&g, 0) || compare(&back, n - 1);
		arena_free(&a);
		if (bad)
			return 1;
	}
	return 0;
}
