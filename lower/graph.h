/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* graph.h - small directed graphs over nodes 0 to n-1, and who dominates whom. All memory is the arena's. */
#ifndef HEDDLE_LOW_GRAPH_H
#define HEDDLE_LOW_GRAPH_H

#include "lang/base.h"

#define GRAPH_NONE 0xffffffffu

struct graph_edges {
	u32 *p;
	u32 n, cap;
};
struct graph {
	u32 n;
	struct graph_edges *to, *from;
	struct arena *arena;
};

bool graph_init(struct graph *g, struct arena *a, u32 n); /* false: memory is out */
void graph_edge(struct graph *g, u32 from, u32 to);
/* The same nodes with all edges turned round; shares them with `g`. */
struct graph graph_reverse(const struct graph *g);

/* Marks what can be reached from `start` along edges, `start` too; never enters `stop`. */
void graph_reach(const struct graph *g, u32 start, u32 stop, bool *mark);

/* idom[v]: the node that all ways from `root` to v pass last, GRAPH_NONE for the root and for what it
 * does not reach. */
void graph_dominators(const struct graph *g, u32 root, u32 *idom);
bool graph_dominates(const u32 *idom, u32 a, u32 b); /* a node dominates itself */

#endif
