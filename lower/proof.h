/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * proof.h - inside of the proof that two warps may share a wave of 64 lanes: one function of the
 * inlined clone as a graph, and the two conditions on it.
 *
 * A node is a part of a basic block: a block is cut before each barrier, so that a barrier is the first
 * instruction of its node.
 */
#ifndef HEDDLE_LOW_PROOF_H
#define HEDDLE_LOW_PROOF_H

#include "lower/graph.h"
#include "lower/low.h"

struct proof_node {
	LLVMBasicBlockRef block;
	LLVMValueRef barrier;  /* NULL: does not start with one */
	LLVMValueRef last;     /* its last instruction; the block's terminator if `ends` */
	bool ends;             /* the last node of its block */
	bool diverges;         /* its branch differs between the lanes of the wave */
	bool acts;             /* has an effect that others can see: a store, an atomic, a call */
};
struct proof {
	struct low *w;
	LLVMValueRef fn;
	struct graph flow;       /* nodes 0 … n-1; 0 is the entry */
	struct proof_node *nodes;
	const char *why;         /* reason of the first failure; NULL: none */
};

bool proof_init(struct proof *p, struct low *w, LLVMValueRef fn);
u32 proof_node_of(const struct proof *p, LLVMBasicBlockRef b); /* the first of the block */
bool proof_is_barrier(LLVMValueRef inst);

/* Post-dominators with one virtual exit, which is node `flow.n` of the result (an arena array of
 * flow.n + 1). What cannot end is joined to the exit at the nodes `loose` names, else anywhere. */
u32 *proof_postdominators(struct proof *p, const struct graph *flow, const bool *loose);

/* Marks the nodes that only a part of the wave may run. A branch of which but one side can reach a node
 * of `matters` is no divergence: the other side ends the thread. */
void proof_divergent(struct proof *p, const bool *matters, bool *marked);

/* wait.c: no loop waits for what another lane of the wave may have to do. `apart`: nodes that only a
 * part of the wave runs. Sets p->why on failure. */
void proof_waits(struct proof *p, const bool *apart);
/* The nodes of the natural loops with header `h`; false when there is none. */
bool proof_loop(struct proof *p, const u32 *idom, u32 h, bool *body);
/* The atomic, load or call that the loop of `body` waits for another thread to change, or NULL. */
LLVMValueRef proof_waits_for(
	struct proof *p, const u32 *idom, const u32 *pdom, u32 header, bool *body);

/* place.c: the pointer that an instruction reads or writes as memory of all, NULL when it does not; whether
 * the access is neither atomic nor volatile. */
LLVMValueRef place_of(LLVMValueRef i, bool *plain);
/* The same place, without regard to casts between address spaces? */
bool place_is_same(LLVMValueRef a, LLVMValueRef b);
/* Could `write` be what a loop that waits for `wait` is waiting for? */
bool place_releases(LLVMValueRef write, LLVMValueRef wait);

/* stall.c: warns when the loop at node `header` waits, by `wait`, for what other lanes of the same warp do on
 * the other side of a branch. `pdom` of the flow. */
void stall_check(struct proof *p, u32 header, const u32 *pdom, LLVMValueRef wait);
void stall_report(struct low *w, LLVMValueRef wait);

#endif
