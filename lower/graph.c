/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * graph.c - dominators after Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm": walk the
 * nodes in reverse postorder and intersect the predecessors' dominators until nothing changes.
 */
#include "lower/graph.h"
#include <string.h>

bool
graph_init(struct graph *g, struct arena *a, u32 n)
{
	g->n = n;
	g->arena = a;
	g->to = ARENA_NEW(a, struct graph_edges, n);
	g->from = ARENA_NEW(a, struct graph_edges, n);
	return g->to && g->from;
}

static void
push(struct arena *a, struct graph_edges *e, u32 v)
{
	if (e->n == e->cap) {
		u32 cap = e->cap ? e->cap * 2 : 2;
		u32 *p = ARENA_NEW(a, u32, cap);

		assert(p);
		if (e->n)
			memcpy(p, e->p, e->n * sizeof(*p));
		e->p = p;
		e->cap = cap;
	}
	e->p[e->n++] = v;
}

void
graph_edge(struct graph *g, u32 from, u32 to)
{
	assert(from < g->n && to < g->n);
	for (u32 i = 0; i < g->to[from].n; i++)
		if (g->to[from].p[i] == to)
			return;
	push(g->arena, &g->to[from], to);
	push(g->arena, &g->from[to], from);
}

struct graph
graph_reverse(const struct graph *g)
{
	return (struct graph){g->n, g->from, g->to, g->arena};
}

void
graph_reach(const struct graph *g, u32 start, u32 stop, bool *mark)
{
	u32 *work = ARENA_NEW(g->arena, u32, g->n + 1), n = 0;

	assert(work);
	if (start == stop || mark[start])
		return;
	mark[start] = true;
	work[n++] = start;
	while (n) {
		u32 v = work[--n];

		for (u32 i = 0; i < g->to[v].n; i++) {
			u32 s = g->to[v].p[i];

			if (s == stop || mark[s])
				continue;
			mark[s] = true;
			work[n++] = s;
		}
	}
}

/* Nodes that `root` reaches in postorder; returns how many. */
static u32
postorder(const struct graph *g, u32 root, u32 *order)
{
	u32 *stack = ARENA_NEW(g->arena, u32, g->n), *next = ARENA_NEW(g->arena, u32, g->n);
	bool *seen = ARENA_NEW(g->arena, bool, g->n);
	u32 depth = 0, n = 0;

	assert(stack && next && seen);
	stack[depth++] = root;
	seen[root] = true;
	while (depth) {
		u32 v = stack[depth - 1];

		if (next[v] == g->to[v].n) {
			order[n++] = v;
			depth--;
		} else {
			u32 s = g->to[v].p[next[v]++];

			if (!seen[s]) {
				seen[s] = true;
				stack[depth++] = s;
			}
		}
	}
	return n;
}

void
graph_dominators(const struct graph *g, u32 root, u32 *idom)
{
	u32 *order = ARENA_NEW(g->arena, u32, g->n), *number = ARENA_NEW(g->arena, u32, g->n), n;
	bool again = true;

	assert(order && number);
	for (u32 i = 0; i < g->n; i++)
		idom[i] = GRAPH_NONE;
	n = postorder(g, root, order);
	for (u32 i = 0; i < n; i++)
		number[order[i]] = i;
	idom[root] = root;
	while (again) {
		again = false;
		for (u32 i = n; i-- > 0;) {
			u32 v = order[i], best = GRAPH_NONE;

			if (v == root)
				continue;
			for (u32 j = 0; j < g->from[v].n; j++) {
				u32 p = g->from[v].p[j];

				if (idom[p] == GRAPH_NONE)
					continue;
				if (best == GRAPH_NONE)
					best = p;
				while (p != best) {
					while (number[p] < number[best])
						p = idom[p];
					while (number[best] < number[p])
						best = idom[best];
				}
			}
			if (idom[v] != best) {
				idom[v] = best;
				again = true;
			}
		}
	}
	idom[root] = GRAPH_NONE;
}

bool
graph_dominates(const u32 *idom, u32 a, u32 b)
{
	while (b != a && b != GRAPH_NONE)
		b = idom[b];
	return b == a;
}
