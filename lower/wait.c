/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * wait.c - condition 2 of the proof: no loop waits for what another lane of the same wave may have to
 * do. Lanes that have left a loop, or have not entered it, stand still until the others leave it; a
 * loop that spins on their work would never end.
 *
 * A loop that the whole wave runs together is harmless: nobody stands still. For the others, the
 * conditions of all exits are followed backwards through the values and branches of the loop. They must
 * not depend on an atomic or volatile access in the loop, nor, if the loop has a fence, an atomic or a
 * barrier, on any load in it. Two kinds of atomic make progress by themselves and are let through: a
 * compare-and-swap that is tried again with the value it has found, and an addition of a constant which
 * no other atomic of the loop can undo.
 */
#include "lower/proof.h"
#include <stdlib.h>
#include <string.h>

struct wait {
	struct proof *p;
	const u32 *idom, *pdom;
	bool *body;              /* nodes of the loop */
	u32 header;
	bool ordered;            /* it has a fence, an atomic, a volatile access or a barrier */
	VEC(LLVMValueRef) work;  /* values to look at, each once: the first `done` have been */
	size_t done;
	const char *what;        /* what it waits for */
	LLVMValueRef at;
};

static bool
in_loop(const struct wait *t, LLVMValueRef v)
{
	return LLVMIsAInstruction(v) && t->body[proof_node_of(t->p, LLVMGetInstructionParent(v))];
}

static void
push(struct wait *t, LLVMValueRef v)
{
	if (!in_loop(t, v))
		return;
	for (size_t i = 0; i < t->work.n; i++)
		if (t->work.p[i] == v)
			return;
	if (!VEC_PUSH(&t->work, v))
		t->what = "nothing: memory is out";
}

/* The value that decides where control goes from node `v`, or NULL. */
static LLVMValueRef
condition(const struct proof *p, u32 v)
{
	LLVMValueRef last = p->nodes[v].last;

	if (!p->nodes[v].ends)
		return NULL;
	if (LLVMIsABranchInst(last) && LLVMIsConditional(last))
		return LLVMGetCondition(last);
	if (LLVMIsASwitchInst(last))
		return LLVMGetOperand(last, 0);
	return NULL;
}

/* The branches of the loop that decide whether node `v` is reached from `from`, or, `which` way it is
 * reached, as a phi in it can tell. */
static void
push_control(struct wait *t, u32 from, u32 v, bool which)
{
	struct graph back = graph_reverse(&t->p->flow);
	bool *mark = ARENA_NEW(&t->p->w->arena, bool, t->p->flow.n);

	assert(mark);
	for (u32 i = 0; i < back.to[v].n; i++)
		if (back.to[v].p[i] != from)
			graph_reach(&back, back.to[v].p[i], from, mark);
	mark[from] = true;
	for (u32 c = 0; c < t->p->flow.n; c++)
		if (mark[c] && t->body[c] && c != v && condition(t->p, c) &&
			(which || !graph_dominates(t->pdom, v, c)))
			push(t, condition(t->p, c));
}

static void
push_phi(struct wait *t, LLVMValueRef phi)
{
	u32 at = proof_node_of(t->p, LLVMGetInstructionParent(phi));
	unsigned latches = 0;

	for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
		push(t, LLVMGetIncomingValue(phi, i));
		latches += t->body[proof_node_of(t->p, LLVMGetIncomingBlock(phi, i))];
	}
	if (at != t->header)
		push_control(t, t->idom[at], at, true);
	else if (latches > 1)
		for (u32 v = 0; v < t->p->flow.n; v++)
			if (t->body[v] && condition(t->p, v))
				push(t, condition(t->p, v));
}

static LLVMValueRef
strip(LLVMValueRef v)
{
	while (LLVMIsABitCastInst(v) || LLVMIsAFreezeInst(v))
		v = LLVMGetOperand(v, 0);
	return v;
}

static bool
is_part(LLVMValueRef v, LLVMValueRef cas, unsigned index)
{
	v = strip(v);
	return LLVMIsAExtractValueInst(v) && LLVMGetOperand(v, 0) == cas &&
	       LLVMGetIndices(v)[0] == index;
}

/* Is `v` what `cas` has found, or, when that was what it expected, the same? */
static bool
is_found(LLVMValueRef v, LLVMValueRef cas, unsigned depth)
{
	v = strip(v);
	if (is_part(v, cas, 0) || v == strip(LLVMGetOperand(cas, 1)))
		return true;
	if (depth == 0)
		return false;
	if (LLVMIsASelectInst(v))
		return is_found(LLVMGetOperand(v, 1), cas, depth - 1) &&
		       is_found(LLVMGetOperand(v, 2), cas, depth - 1);
	if (!LLVMIsAPHINode(v))
		return false;
	for (unsigned i = 0; i < LLVMCountIncoming(v); i++)
		if (!is_found(LLVMGetIncomingValue(v, i), cas, depth - 1))
			return false;
	return true;
}

/* Is `v` true, or false when `*inverted`, whenever `cas` has swapped? */
static bool
is_success(LLVMValueRef v, LLVMValueRef cas, bool *inverted)
{
	LLVMValueRef a, b, expected;

	if (LLVMIsAInstruction(v) && LLVMGetInstructionOpcode(v) == LLVMXor &&
		LLVMIsAConstantInt(LLVMGetOperand(v, 1))) {
		*inverted = !*inverted;
		v = LLVMGetOperand(v, 0);
	}
	if (is_part(v, cas, 1))
		return true;
	if (!LLVMIsAICmpInst(v))
		return false;
	if (LLVMGetICmpPredicate(v) == LLVMIntNE)
		*inverted = !*inverted;
	else if (LLVMGetICmpPredicate(v) != LLVMIntEQ)
		return false;
	a = strip(LLVMGetOperand(v, 0));
	b = strip(LLVMGetOperand(v, 1));
	expected = strip(LLVMGetOperand(cas, 1));
	return (is_found(a, cas, 4) && b == expected) || (is_found(b, cas, 4) && a == expected);
}

/* Does the loop end as soon as `cas` has swapped? */
static bool
ends_on_success(const struct wait *t, LLVMValueRef cas)
{
	for (u32 v = 0; v < t->p->flow.n; v++) {
		LLVMValueRef last = t->p->nodes[v].last;
		bool inverted = false;

		if (!t->body[v] || !t->p->nodes[v].ends || !LLVMIsABranchInst(last) ||
			!LLVMIsConditional(last))
			continue;
		if (is_success(LLVMGetCondition(last), cas, &inverted) &&
			!t->body[proof_node_of(t->p, LLVMGetSuccessor(last, inverted))])
			return true;
	}
	return false;
}

/* Tries again with what it has found: whenever one lane fails, another thread has got on. */
static bool
is_retry(const struct wait *t, LLVMValueRef cas)
{
	LLVMValueRef expected = strip(LLVMGetOperand(cas, 1));

	if (!in_loop(t, expected) || !ends_on_success(t, cas))
		return false;
	if (LLVMIsALoadInst(expected))
		return LLVMGetOperand(expected, 0) == LLVMGetOperand(cas, 0);
	if (!LLVMIsAPHINode(expected))
		return false;
	for (unsigned i = 0; i < LLVMCountIncoming(expected); i++)
		if (t->body[proof_node_of(t->p, LLVMGetIncomingBlock(expected, i))] &&
			!is_found(LLVMGetIncomingValue(expected, i), cas, 4))
			return false;
	return true;
}

static bool
is_atomic(LLVMValueRef i)
{
	return LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i);
}

static unsigned
space_of(LLVMValueRef atomic)
{
	return LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(atomic, 0)));
}

/* Could another atomic of the loop work on the memory of `rmw`? */
static bool
has_rival(const struct wait *t, LLVMValueRef rmw)
{
	for (u32 v = 0; v < t->p->flow.n; v++)
		if (t->body[v] && t->p->nodes[v].ends)
			LOW_EACH_INST (t->p->nodes[v].block, i)
				if (i != rmw && is_atomic(i) &&
					(space_of(i) == space_of(rmw) || space_of(i) == 0 ||
						space_of(rmw) == 0))
					return true;
	return false;
}

/* Counts on by itself, as a thread does that fetches its next piece of work. */
static bool
is_count(const struct wait *t, LLVMValueRef rmw)
{
	LLVMAtomicRMWBinOp op = LLVMGetAtomicRMWBinOp(rmw);
	LLVMValueRef by = LLVMGetOperand(rmw, 1);

	return (op == LLVMAtomicRMWBinOpAdd || op == LLVMAtomicRMWBinOpSub) &&
	       LLVMIsAConstantInt(by) && LLVMConstIntGetZExtValue(by) != 0 && !has_rival(t, rmw);
}

static void
waits(struct wait *t, LLVMValueRef at, const char *what)
{
	t->at = at;
	t->what = what;
}

static void
look_at_load(struct wait *t, LLVMValueRef load)
{
	unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(load, 0)));

	if (LLVMGetVolatile(load) || LLVMGetOrdering(load) != LLVMAtomicOrderingNotAtomic) {
		waits(t, load, "a volatile or atomic load");
		return;
	}
	if (space == 4)
		return; /* constant memory does not change */
	if (space != 5 && t->ordered) {
		waits(t, load, "a load, in a loop with a fence, an atomic or a barrier");
		return;
	}
	push(t, LLVMGetOperand(load, 0));
	if (space != 5)
		return;
	for (u32 v = 0; v < t->p->flow.n; v++) /* a local variable: what the loop stores to any */
		if (t->body[v] && t->p->nodes[v].ends)
			LOW_EACH_INST (t->p->nodes[v].block, i)
				if (LLVMIsAStoreInst(i))
					push(t, LLVMGetOperand(i, 0));
}

static void
look_at_call(struct wait *t, LLVMValueRef call)
{
	LLVMValueRef f = low_callee(call);
	unsigned kind = LLVMGetEnumAttributeKindForName("memory", 6);
	LLVMAttributeRef memory =
		f ? LLVMGetEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, kind) : NULL;

	if (f && str_starts(low_name(f), "llvm.") &&
		(strstr(low_name(f).p, "time") || strstr(low_name(f).p, "counter")))
		return; /* clocks run by themselves */
	if (low_is_service(f))
		return;
	if (!memory || LLVMGetEnumAttributeValue(memory) != 0) {
		waits(t, call, "the result of a call");
		return;
	}
	for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
		push(t, LLVMGetOperand(call, i));
}

static void
look_at(struct wait *t, LLVMValueRef v)
{
	switch (LLVMGetInstructionOpcode(v)) {
	case LLVMPHI:
		push_phi(t, v);
		return;
	case LLVMLoad:
		look_at_load(t, v);
		return;
	case LLVMAtomicRMW:
		if (!is_count(t, v))
			waits(t, v, "an atomic");
		return;
	case LLVMAtomicCmpXchg:
		if (!is_retry(t, v))
			waits(t, v, "a compare-and-swap");
		return;
	case LLVMCall:
	case LLVMInvoke:
	case LLVMCallBr:
		look_at_call(t, v);
		return;
	default:
		for (int i = 0; i < LLVMGetNumOperands(v); i++)
			push(t, LLVMGetOperand(v, (unsigned)i));
	}
}

/* Does leaving to block `b` end the kernel by a trap? Nobody waits for that. */
static bool
is_trap(LLVMBasicBlockRef b)
{
	return LLVMIsAUnreachableInst(LLVMGetBasicBlockTerminator(b));
}

/* Pushes the conditions of all exits; false when the whole wave takes them together. */
static bool
push_exits(struct wait *t, bool together)
{
	struct proof *p = t->p;
	bool apart = !together;

	for (u32 v = 0; v < p->flow.n; v++) {
		LLVMValueRef last = p->nodes[v].last;
		bool exits = false;

		if (!t->body[v] || !condition(p, v))
			continue;
		for (unsigned i = 0; i < LLVMGetNumSuccessors(last); i++) {
			LLVMBasicBlockRef to = LLVMGetSuccessor(last, i);

			exits |= !t->body[proof_node_of(p, to)] && !is_trap(to);
		}
		if (!exits)
			continue;
		apart |= p->nodes[v].diverges;
		push(t, condition(p, v));
		push_control(t, t->header, v, false);
	}
	return apart;
}

static bool
is_ordered(LLVMValueRef i)
{
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMFence: /* one for the wave alone orders nothing that other waves do */
		return shim_fence_is_wide(i);
	case LLVMAtomicRMW:
	case LLVMAtomicCmpXchg:
		return true;
	case LLVMLoad:
	case LLVMStore:
		return LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic;
	case LLVMCall:
	case LLVMInvoke:
	case LLVMCallBr:
		return proof_is_barrier(i) ||
		       !(low_is_call_to(i, "llvm.") || low_is_service(low_callee(i)));
	default:
		return false;
	}
}

/* Follows the exits of the loop back to what they wait for: t->what, NULL when it is nothing. */
static void
find_wait(struct wait *t, bool together)
{
	struct proof *p = t->p;

	for (u32 v = 0; v < p->flow.n; v++)
		if (t->body[v] && p->nodes[v].ends)
			LOW_EACH_INST (p->nodes[v].block, i)
				t->ordered |= is_ordered(i);
	if (!push_exits(t, together))
		return;
	while (t->done < t->work.n && !t->what)
		look_at(t, t->work.p[t->done++]);
}

static void
check_loop(struct wait *t, bool together)
{
	struct proof *p = t->p;

	find_wait(t, together);
	if (t->what)
		p->why = arena_printf(&p->w->arena,
			"the loop at %s may wait for another thread: for %s%s%s",
			low_where(p->w, t->work.p[0]), t->what, t->at ? " at " : "",
			t->at ? low_where(p->w, t->at) : "");
}

bool
proof_loop(struct proof *p, const u32 *idom, u32 h, bool *body)
{
	struct graph back = graph_reverse(&p->flow);
	bool found = false;

	for (u32 i = 0; i < p->flow.from[h].n; i++) {
		u32 latch = p->flow.from[h].p[i];

		if (!graph_dominates(idom, h, latch))
			continue;
		found = true;
		graph_reach(&back, latch, h, body);
	}
	body[h] |= found;
	return found;
}

/* A cycle that has no header has no loop to look at: refused if the function has anything to wait for. */
static void
check_irreducible(struct proof *p, const u32 *idom)
{
	const u32 n = p->flow.n;
	u32 *left = ARENA_NEW(&p->w->arena, u32, n), *ready = ARENA_NEW(&p->w->arena, u32, n),
	    nready = 0, gone = 0;
	bool ordered = false;

	assert(left && ready);
	for (u32 v = 0; v < n; v++) { /* take away the back edges; what remains must sort */
		for (u32 i = 0; i < p->flow.from[v].n; i++)
			left[v] += !graph_dominates(idom, v, p->flow.from[v].p[i]);
		if (left[v] == 0)
			ready[nready++] = v;
		if (p->nodes[v].ends)
			LOW_EACH_INST (p->nodes[v].block, i)
				ordered |= is_ordered(i);
	}
	while (gone < nready) {
		u32 v = ready[gone++];

		for (u32 i = 0; i < p->flow.to[v].n; i++) {
			u32 s = p->flow.to[v].p[i];

			if (!graph_dominates(idom, s, v) && --left[s] == 0)
				ready[nready++] = s;
		}
	}
	if (gone < n && ordered)
		p->why = "a loop is entered in several places";
}

void
proof_waits(struct proof *p, const bool *apart)
{
	const u32 n = p->flow.n;
	u32 *idom = ARENA_NEW(&p->w->arena, u32, n), *pdom;

	assert(idom);
	graph_dominators(&p->flow, 0, idom);
	pdom = proof_postdominators(p, &p->flow, NULL);
	check_irreducible(p, idom);
	for (u32 h = 0; h < n && !p->why; h++) {
		struct wait t = {.p = p, .idom = idom, .pdom = pdom, .header = h};

		t.body = ARENA_NEW(&p->w->arena, bool, n);
		assert(t.body);
		if (proof_loop(p, idom, h, t.body))
			check_loop(&t, !apart[h]);
		free(t.work.p);
	}
}

LLVMValueRef
proof_waits_for(struct proof *p, const u32 *idom, const u32 *pdom, u32 header, bool *body)
{
	struct wait t = {.p = p, .idom = idom, .pdom = pdom, .header = header, .body = body};

	find_wait(&t, false);
	free(t.work.p);
	return t.what ? t.at : NULL;
}
