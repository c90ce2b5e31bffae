/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * lock.c - makes a lane that holds a lock give it back before its fellows try again. In the commonest
 * lock of CUDA
 *
 *      for (bool done = false; !done;)
 *              if (atomicCAS(lock, 0, 1) == 0) {
 *                      …;
 *                      atomicExch(lock, 0);
 *                      done = true;
 *              }
 *
 * LLVM sees that a lane which has the lock leaves the loop, and moves the critical section behind it:
 * while (atomicCAS(…)); …; atomicExch(…). For one thread that is the same. In a wave the lane that has
 * got the lock waits behind the loop for those that have not, and they for it.
 *
 * So the writes to what a loop waits for, where the loop's header dominates them, get a way back to the
 * header, on a condition which never holds and which LLVM cannot know: the critical section is part of
 * the loop again. All ways back meet in one block, without which LLVM would make two nested loops of
 * them. Thus the lanes in the section come to its end before any lane tries again.
 *
 *      header ─┬─ section ─ write ─┬─ rest
 *        ↑     │                   ┊
 *        └─────┴────── again ──────┘
 *
 * It is left out where the section holds an operation that the lanes of a warp must do together (a
 * barrier, a shuffle): it would be done apart. Shuffles that stood before the loop, and that LLVM has moved
 * behind it, into the section, go back first.
 */
#include "lower/proof.h"
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

/* A loop that waits, and the writes that end its waiting. */
struct lock {
	LLVMBasicBlockRef header, again;
	VEC(LLVMValueRef) latches;  /* the terminators that go back to the header */
	VEC(LLVMValueRef) releases;
	VEC(LLVMValueRef) phis;     /* of the header, then of `again`, in the same order */
};
struct locks {
	struct proof p;
	u32 *idom, *pdom;
	VEC(struct lock) found;
};

/* Must the lanes of a warp do this together? */
static bool
is_joint(LLVMValueRef i)
{
	const unsigned kind = LLVMGetEnumAttributeKindForName("convergent", 10);
	LLVMValueRef f = low_callee(i);

	if (!LLVMIsACallInst(i) || low_is_service(f))
		return false;
	return proof_is_barrier(i) ||
	       LLVMGetCallSiteEnumAttribute(i, LLVMAttributeFunctionIndex, kind) ||
	       (f && LLVMGetEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, kind));
}

/*
 * May it be done before the loop as well as behind it? Shuffles may: the same lanes, and perhaps others, run
 * there, and what a lane reads from one that does not run is left open.
 */
static bool
is_movable(LLVMValueRef i)
{
	static const char *const shuffles[] = {"llvm.amdgcn.ds.bpermute", "llvm.amdgcn.ds.swizzle",
		"llvm.amdgcn.update.dpp", "llvm.amdgcn.mov.dpp", "llvm.amdgcn.permlane",
		"llvm.amdgcn.readlane", "llvm.amdgcn.mbcnt", "llvm.amdgcn.work"};

	for (size_t k = 0; LLVMIsACallInst(i) && k < COUNT(shuffles); k++)
		if (low_is_call_to(i, shuffles[k]))
			return true;
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMUDiv: /* by zero */
	case LLVMSDiv:
	case LLVMURem:
	case LLVMSRem:
		return false;
	default:
		break;
	}
	return LLVMIsABinaryOperator(i) || LLVMIsACastInst(i) || LLVMIsACmpInst(i) ||
	       LLVMIsASelectInst(i) || LLVMIsAGetElementPtrInst(i) || LLVMIsAExtractValueInst(i);
}

/* Are the operands of `i` there at the end of node `at`? */
static bool
has_operands(const struct locks *l, LLVMValueRef i, u32 at)
{
	for (int k = 0; k < LLVMGetNumOperands(i); k++) {
		LLVMValueRef v = LLVMGetOperand(i, (unsigned)k);

		if (LLVMIsAInstruction(v) &&
			!graph_dominates(
				l->idom, proof_node_of(&l->p, LLVMGetInstructionParent(v)), at))
			return false;
	}
	return true;
}

/* Moves what it can of block `b` before `to`, which ends node `at`. */
static bool
move_back(struct locks *l, LLVMBasicBlockRef b, LLVMValueRef to, u32 at)
{
	LLVMBuilderRef builder = LLVMCreateBuilderInContext(l->p.w->cx);
	bool moved = false;

	LLVMPositionBuilderBefore(builder, to);
	LOW_EACH_INST (b, i) {
		LLVMMetadataRef line = LLVMInstructionGetDebugLoc(i);

		if (!is_movable(i) || !has_operands(l, i, at))
			continue;
		LLVMInstructionRemoveFromParent(i);
		LLVMInsertIntoBuilder(builder, i);
		LLVMInstructionSetDebugLoc(i, line);
		moved = true;
	}
	LLVMDisposeBuilder(builder);
	return moved;
}

/* Moves what LLVM has put behind the loop at `header` back before it. */
static bool
unsink(struct locks *l, u32 header, const bool *body)
{
	struct proof *p = &l->p;
	u32 before = GRAPH_NONE, n = 0;
	bool moved = false;

	for (u32 i = 0; i < p->flow.from[header].n; i++)
		if (!body[p->flow.from[header].p[i]]) {
			before = p->flow.from[header].p[i];
			n++;
		}
	if (n != 1 || !p->nodes[before].ends)
		return false;
	for (u32 v = 0; v < p->flow.n; v++)
		for (u32 i = 0; body[v] && i < p->flow.to[v].n; i++) {
			u32 to = p->flow.to[v].p[i];

			if (!body[to] && graph_dominates(l->idom, header, to))
				moved |= move_back(
					l, p->nodes[to].block, p->nodes[before].last, before);
		}
	return moved;
}

/* Instructions of a node; `until` (NULL: none) ends them. True when the lanes must do one together. */
static bool
has_joint(const struct proof *p, u32 v, LLVMValueRef until)
{
	LLVMValueRef i = p->nodes[v].barrier;

	for (i = i ? i : LLVMGetFirstInstruction(p->nodes[v].block); i && i != until;
		i = LLVMGetNextInstruction(i)) {
		if (is_joint(i))
			return true;
		if (i == p->nodes[v].last)
			break;
	}
	return false;
}

static u32
node_at(const struct proof *p, LLVMValueRef inst)
{
	u32 v = proof_node_of(p, LLVMGetInstructionParent(inst));

	for (LLVMValueRef i = LLVMGetFirstInstruction(p->nodes[v].block); i != inst;
		i = LLVMGetNextInstruction(i))
		if (i == p->nodes[v].last)
			v++;
	return v;
}

/* Can the lanes do all between the loop and the write apart from each other? */
static bool
may_join(struct locks *l, u32 header, const bool *body, LLVMValueRef release)
{
	struct proof *p = &l->p;
	struct graph back = graph_reverse(&p->flow);
	const u32 n = p->flow.n, end = node_at(p, release);
	bool *ahead = ARENA_NEW(&p->w->arena, bool, n), *behind = ARENA_NEW(&p->w->arena, bool, n);

	assert(ahead && behind);
	for (u32 v = 0; v < n; v++)
		for (u32 i = 0; body[v] && i < p->flow.to[v].n; i++)
			if (!body[p->flow.to[v].p[i]])
				graph_reach(&p->flow, p->flow.to[v].p[i], header, ahead);
	graph_reach(&back, end, header, behind);
	if (!ahead[end])
		return false;
	for (u32 v = 0; v < n; v++)
		if (ahead[v] && behind[v] && has_joint(p, v, v == end ? release : NULL))
			return false;
	return true;
}

/* Does it take a lock? */
static bool
is_taking(LLVMValueRef i)
{
	return LLVMIsAAtomicCmpXchgInst(i) ||
	       (LLVMIsAAtomicRMWInst(i) && LLVMGetAtomicRMWBinOp(i) == LLVMAtomicRMWBinOpXchg);
}

/* Writes to what the loop at `header` waits for. */
static bool
find_releases(struct locks *l, struct lock *lock, u32 header, const bool *body, LLVMValueRef wait)
{
	struct proof *p = &l->p;
	bool ok = true, apart = false;

	for (u32 v = 0; v < p->flow.n; v++) {
		if (!p->nodes[v].ends || body[v] || !graph_dominates(l->idom, header, v))
			continue;
		LOW_EACH_INST (p->nodes[v].block, i) {
			if (!place_releases(i, wait))
				continue;
			if (may_join(l, header, body, i))
				ok &= VEC_PUSH(&lock->releases, i);
			else
				apart |= is_taking(wait) &&
					 place_is_same(
						 LLVMGetOperand(i, LLVMIsAStoreInst(i) ? 1 : 0),
						 LLVMGetOperand(wait, 0));
		}
	}
	if (apart && lock->releases.n == 0)
		stall_report(p->w, wait);
	for (u32 i = 0; i < p->flow.from[header].n; i++) {
		u32 v = p->flow.from[header].p[i];

		if (graph_dominates(l->idom, header, v))
			ok &= VEC_PUSH(&lock->latches, p->nodes[v].last);
	}
	return ok;
}

/* The value, of which LLVM knows nothing any more: it may differ from lane to lane. */
static LLVMValueRef
hide(struct low *w, LLVMBuilderRef b, unsigned value)
{
	static const char constraints[] = "=v,0";
	LLVMTypeRef word = LLVMInt32TypeInContext(w->cx);
	LLVMTypeRef type = LLVMFunctionType(word, &word, 1, 0);
	LLVMValueRef v = LLVMConstInt(word, value, 0), text, call;
	const unsigned kind = LLVMGetEnumAttributeKindForName("convergent", 10);

	text = LLVMGetInlineAsm(type, "", 0, constraints, sizeof(constraints) - 1, true, false,
		LLVMInlineAsmDialectATT, false);
	call = LLVMBuildCall2(b, type, text, &v, 1, "");
	LLVMAddCallSiteAttribute(call, LLVMAttributeFunctionIndex,
		LLVMCreateEnumAttribute(w->cx, kind, 0)); /* no pass may copy or move it */
	return call;
}

/* Splits what comes into `old`, a phi of the header, between a phi there and one in `again`. */
static bool
split_phi(struct lock *lock, LLVMBuilderRef b, LLVMValueRef old)
{
	LLVMTypeRef type = LLVMTypeOf(old);
	LLVMValueRef first = LLVMGetFirstInstruction(lock->again), at_again, now;

	if (first)
		LLVMPositionBuilderBefore(b, first);
	else
		LLVMPositionBuilderAtEnd(b, lock->again);
	at_again = LLVMBuildPhi(b, type, "");
	LLVMPositionBuilderBefore(b, old);
	now = LLVMBuildPhi(b, type, "");
	for (unsigned i = 0; i < LLVMCountIncoming(old); i++) {
		LLVMValueRef v = LLVMGetIncomingValue(old, i);
		LLVMBasicBlockRef from = LLVMGetIncomingBlock(old, i);
		bool back = false;

		for (size_t k = 0; k < lock->latches.n; k++)
			back |= LLVMGetInstructionParent(lock->latches.p[k]) == from;
		LLVMAddIncoming(back ? at_again : now, &v, &from, 1);
	}
	LLVMAddIncoming(now, &at_again, &lock->again, 1);
	LLVMReplaceAllUsesWith(old, now);
	LLVMInstructionEraseFromParent(old);
	return VEC_PUSH(&lock->phis, now) && VEC_PUSH(&lock->phis, at_again);
}

/* Makes `again`, the one block that goes back to the header. */
static void
make_again(struct low *w, LLVMValueRef fn, struct lock *lock)
{
	LLVMBuilderRef b = LLVMCreateBuilderInContext(w->cx);
	LLVMValueRef phi = LLVMGetFirstInstruction(lock->header), after;
	bool ok = true;

	lock->again = LLVMAppendBasicBlockInContext(w->cx, fn, "again");
	for (; LLVMIsAPHINode(phi); phi = after) {
		after = LLVMGetNextInstruction(phi);
		ok &= split_phi(lock, b, phi);
	}
	assert(ok);
	for (size_t k = 0; k < lock->latches.n; k++)
		for (unsigned i = 0; i < LLVMGetNumSuccessors(lock->latches.p[k]); i++)
			if (LLVMGetSuccessor(lock->latches.p[k], i) == lock->header)
				LLVMSetSuccessor(lock->latches.p[k], i, lock->again);
	LLVMPositionBuilderAtEnd(b, lock->again);
	LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(lock->latches.p[0]));
	hide(w, b, 0); /* or LLVM would do without the block */
	LLVMBuildBr(b, lock->header);
	LLVMDisposeBuilder(b);
}

/* The way from a write to `again`. */
static void
join(struct low *w, struct lock *lock, LLVMValueRef release)
{
	LLVMBasicBlockRef rest = shim_split_after(release);
	LLVMBasicBlockRef from = LLVMGetInstructionParent(release);
	LLVMValueRef end = LLVMGetBasicBlockTerminator(from), never;
	LLVMBuilderRef b = LLVMCreateBuilderInContext(w->cx);

	LLVMPositionBuilderBefore(b, end);
	LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(release));
	never = LLVMBuildICmp(
		b, LLVMIntNE, hide(w, b, 0), LLVMConstInt(LLVMInt32TypeInContext(w->cx), 0, 0), "");
	LLVMBuildCondBr(b, never, lock->again, rest);
	LLVMInstructionEraseFromParent(end);
	LLVMDisposeBuilder(b);
	for (size_t i = 0; i < lock->phis.n; i += 2)
		LLVMAddIncoming(lock->phis.p[i + 1], &lock->phis.p[i], &from, 1);
}

static bool
has_wait(LLVMValueRef fn)
{
	bool plain;

	LOW_EACH_BLOCK (fn, b)
		LOW_EACH_INST (b, i)
			if (place_of(i, &plain) && !plain)
				return true;
	return false;
}

/* Looks at the flow of `fn`; false when memory is out. */
static bool
flow_init(struct locks *l, struct low *w, LLVMValueRef fn)
{
	if (!proof_init(&l->p, w, fn))
		return false;
	l->idom = ARENA_NEW(&w->arena, u32, l->p.flow.n);
	assert(l->idom);
	graph_dominators(&l->p.flow, 0, l->idom);
	l->pdom = proof_postdominators(&l->p, &l->p.flow, NULL);
	return true;
}

static bool
unsink_all(struct locks *l)
{
	bool moved = false;

	for (u32 h = 0; h < l->p.flow.n; h++) {
		bool *body = ARENA_NEW(&l->p.w->arena, bool, l->p.flow.n);

		assert(body);
		if (proof_loop(&l->p, l->idom, h, body) &&
			proof_waits_for(&l->p, l->idom, l->pdom, h, body))
			moved |= unsink(l, h, body);
	}
	return moved;
}

static bool
lock_function(struct low *w, LLVMValueRef fn)
{
	struct locks l = {0};
	bool ok = true, changed = false;
	u32 n;

	if (!has_wait(fn) || !flow_init(&l, w, fn))
		return false;
	if (unsink_all(&l)) {
		changed = true;
		if (!flow_init(&l, w, fn))
			return true;
	}
	n = l.p.flow.n;
	for (u32 h = 0; h < n; h++) {
		bool *body = ARENA_NEW(&w->arena, bool, n);
		LLVMValueRef wait;

		assert(body);
		if (!proof_loop(&l.p, l.idom, h, body))
			continue;
		wait = proof_waits_for(&l.p, l.idom, l.pdom, h, body);
		if (!wait)
			continue;
		stall_check(&l.p, h, l.pdom, wait);
		struct lock lock = {.header = l.p.nodes[h].block};
		ok &= find_releases(&l, &lock, h, body, wait) && VEC_PUSH(&l.found, lock);
	}
	for (size_t i = 0; i < l.found.n; i++) {
		struct lock *lock = &l.found.p[i];

		if (ok && lock->releases.n)
			make_again(w, fn, lock);
		for (size_t k = 0; ok && k < lock->releases.n; k++)
			join(w, lock, lock->releases.p[k]);
		changed |= lock->releases.n > 0;
		free(lock->latches.p);
		free(lock->releases.p);
		free(lock->phis.p);
	}
	free(l.found.p);
	return changed;
}

/* Is it proved that no loop of kernel `fn` waits for a lane? */
static bool
is_proved(const struct low *w, LLVMValueRef fn)
{
	for (size_t i = 0; i < w->nkernels; i++)
		if (w->kernels[i].fn == fn)
			return w->kernels[i].mode == HEDDLE_WARP_PAIRED && !w->kernels[i].asked &&
			       w->kernels[i].max_block > 32;
	return false;
}

bool
low_lock(struct low *w)
{
	bool changed = false;

	LOW_EACH_FN (w->m, f)
		if (!LLVMIsDeclaration(f) && !is_proved(w, f))
			changed |= lock_function(w, f);
	return changed;
}
