/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * proof.c - the warp mode of each kernel (design, section 4). On GPUs with waves of 32 lanes a warp is
 * a wave. With 64 lanes two warps may share a wave when nobody can tell, which is proved on a clone of
 * the module in which everything is inlined:
 *   1. every barrier stands under control flow that is uniform for the wave, for a wave passes a
 *      barrier once; a branch whose other side ends the thread without a barrier counts as uniform;
 *   2. no loop waits for another thread, which may be a lane that stands still (wait.c);
 *   3. what is called is known: functions that are left (recursion, pointers) have no barrier, and
 *      their loops do not wait.
 * A block of at most 32 threads is one warp in one wave and needs no proof. A kernel for which there is
 * none has its warps alone ("solo"), unless the program asks for a mode: attribute heddle_warp and
 * -fheddle-warp arrive as the function's attribute "heddle-warp".
 */
#include "lower/proof.h"
#include <stdlib.h>
#include <string.h>

bool
proof_is_barrier(LLVMValueRef inst)
{
	LLVMValueRef callee;
	struct str text;

	if (low_is_call_to(inst, "llvm.amdgcn.s.barrier"))
		return true;
	if (!LLVMIsACallInst(inst))
		return false;
	callee = LLVMGetCalledValue(inst);
	if (!LLVMIsAInlineAsm(callee))
		return false;
	text.p = LLVMGetInlineAsmAsmString(callee, &text.n);
	return text.n && memmem(text.p, text.n, "barrier", 7);
}

/* Could another thread see that this instruction ran? */
static bool
acts(LLVMValueRef i)
{
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMStore:
	case LLVMAtomicRMW:
	case LLVMAtomicCmpXchg:
		return true;
	case LLVMCall:
	case LLVMInvoke:
	case LLVMCallBr: {
		LLVMValueRef f = low_callee(i);

		if (!f || !str_starts(low_name(f), "llvm."))
			return true;
		return strstr(low_name(f).p, "mem") || strstr(low_name(f).p, "atomic") ||
		       strstr(low_name(f).p, "store");
	}
	default:
		return false;
	}
}

static u32
count_nodes(LLVMValueRef fn)
{
	u32 n = 0;

	LOW_EACH_BLOCK (fn, b) {
		n++;
		LOW_EACH_INST (b, i)
			n += proof_is_barrier(i);
	}
	return n;
}

u32
proof_node_of(const struct proof *p, LLVMBasicBlockRef b)
{
	u32 lo = 0;

	while (p->nodes[lo].block != b)
		lo++;
	return lo;
}

static void
make_nodes(struct proof *p, struct shim_uniformity *u)
{
	u32 n = 0;

	LOW_EACH_BLOCK (p->fn, b) {
		struct proof_node *node = &p->nodes[n++];

		node->block = b;
		LOW_EACH_INST (b, i) {
			if (proof_is_barrier(i)) {
				graph_edge(&p->flow, n - 1, n);
				node = &p->nodes[n++];
				node->block = b;
				node->barrier = i;
			}
			node->acts |= acts(i);
			node->last = i;
		}
		node->ends = true;
		node->diverges = shim_branch_diverges(u, b);
	}
	for (u32 v = 0; v < n; v++) {
		LLVMValueRef last = p->nodes[v].last;

		if (!p->nodes[v].ends)
			continue;
		for (unsigned i = 0; i < LLVMGetNumSuccessors(last); i++)
			graph_edge(&p->flow, v, proof_node_of(p, LLVMGetSuccessor(last, i)));
	}
}

bool
proof_init(struct proof *p, struct low *w, LLVMValueRef fn)
{
	u32 n = count_nodes(fn);

	*p = (struct proof){.w = w, .fn = fn};
	p->nodes = ARENA_NEW(&w->arena, struct proof_node, n);
	if (!p->nodes || !graph_init(&p->flow, &w->arena, n))
		return false;
	make_nodes(p, shim_uniformity(w->shim, fn));
	return true;
}

u32 *
proof_postdominators(struct proof *p, const struct graph *flow, const bool *loose)
{
	const u32 n = flow->n, end = n;
	struct graph g, back;
	u32 *idom = ARENA_NEW(&p->w->arena, u32, n + 1);
	bool *ends = ARENA_NEW(&p->w->arena, bool, n + 1), ok;

	ok = idom && ends && graph_init(&g, &p->w->arena, n + 1);
	assert(ok);
	for (u32 v = 0; v < n; v++) {
		for (u32 i = 0; i < flow->to[v].n; i++)
			graph_edge(&g, v, flow->to[v].p[i]);
		if (flow->to[v].n == 0)
			graph_edge(&g, v, end);
	}
	back = graph_reverse(&g);
	graph_reach(&back, end, GRAPH_NONE, ends);
	for (int any = 0; any < 2; any++) /* at the loose ends first, then at whatever is left */
		for (u32 v = 0; v < n; v++)
			if (!ends[v] && (any || (loose && loose[v]))) {
				graph_edge(&g, v, end);
				graph_reach(&back, v, GRAPH_NONE, ends);
			}
	graph_dominators(&back, end, idom);
	return idom;
}

/* The flow without the sides of divergent branches from which nothing of `matters` can be reached, as
 * long as another side can. `cut` marks where edges were taken away. */
static struct graph
prune(struct proof *p, const bool *matters, bool *cut)
{
	const u32 n = p->flow.n;
	struct graph g, back = graph_reverse(&p->flow);
	bool *reach = ARENA_NEW(&p->w->arena, bool, n), ok;

	ok = reach && graph_init(&g, &p->w->arena, n);
	assert(ok);
	for (u32 v = 0; v < n; v++)
		if (matters[v])
			graph_reach(&back, v, GRAPH_NONE, reach);
	for (u32 v = 0; v < n; v++)
		for (u32 i = 0; i < p->flow.to[v].n; i++) {
			u32 s = p->flow.to[v].p[i];

			if (p->nodes[v].diverges && reach[v] && !reach[s])
				cut[v] = true;
			else
				graph_edge(&g, v, s);
		}
	return g;
}

void
proof_divergent(struct proof *p, const bool *matters, bool *marked)
{
	const u32 n = p->flow.n;
	bool *cut = ARENA_NEW(&p->w->arena, bool, n);
	struct graph g;
	u32 *join;

	assert(cut);
	g = prune(p, matters, cut);
	join = proof_postdominators(p, &g, cut);
	for (u32 v = 0; v < n; v++) {
		bool *region;

		if (!p->nodes[v].diverges || g.to[v].n < 2)
			continue;
		region = ARENA_NEW(&p->w->arena, bool, n + 1);
		assert(region);
		for (u32 i = 0; i < g.to[v].n; i++)
			graph_reach(&g, g.to[v].p[i], join[v], region);
		for (u32 r = 0; r < n; r++)
			marked[r] |= region[r];
	}
}

/* Condition 1. */
static void
check_barriers(struct proof *p)
{
	const u32 n = p->flow.n;
	bool *barriers = ARENA_NEW(&p->w->arena, bool, n),
	     *apart = ARENA_NEW(&p->w->arena, bool, n);

	assert(barriers && apart);
	for (u32 v = 0; v < n; v++)
		barriers[v] = p->nodes[v].barrier != NULL;
	proof_divergent(p, barriers, apart);
	for (u32 v = 0; v < n && !p->why; v++)
		if (barriers[v] && apart[v])
			p->why = arena_printf(&p->w->arena,
				"the barrier at %s stands under control flow that may differ "
				"between two warps",
				low_where(p->w, p->nodes[v].barrier));
}

/* Marks the nodes from which a loop can be reached: all that do not sort backwards from the ends. */
static void
mark_loops(const struct graph *g, bool *mark)
{
	u32 *left = ARENA_NEW(g->arena, u32, g->n), *ready = ARENA_NEW(g->arena, u32, g->n), n = 0;

	assert(left && ready);
	for (u32 v = 0; v < g->n; v++) {
		mark[v] = true;
		left[v] = g->to[v].n;
		if (left[v] == 0)
			ready[n++] = v;
	}
	for (u32 i = 0; i < n; i++) {
		mark[ready[i]] = false;
		for (u32 j = 0; j < g->from[ready[i]].n; j++)
			if (--left[g->from[ready[i]].p[j]] == 0)
				ready[n++] = g->from[ready[i]].p[j];
	}
}

/* Condition 2. A thread that ends without an effect and without a loop keeps nobody waiting. */
static void
check_waits(struct proof *p)
{
	const u32 n = p->flow.n;
	bool *effects = ARENA_NEW(&p->w->arena, bool, n), *apart = ARENA_NEW(&p->w->arena, bool, n);

	assert(effects && apart);
	mark_loops(&p->flow, effects);
	for (u32 v = 0; v < n; v++)
		effects[v] |= p->nodes[v].acts || p->nodes[v].barrier;
	proof_divergent(p, effects, apart);
	proof_waits(p, apart);
}

static bool
has_barrier(LLVMValueRef fn)
{
	LOW_EACH_BLOCK (fn, b)
		LOW_EACH_INST (b, i)
			if (proof_is_barrier(i))
				return true;
	return false;
}

static bool
is_address_taken(LLVMValueRef fn)
{
	for (LLVMUseRef u = LLVMGetFirstUse(fn); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);

		if (low_callee(user) != fn)
			return true;
		for (unsigned i = 0; i < LLVMGetNumArgOperands(user); i++)
			if (LLVMGetOperand(user, i) == fn)
				return true;
	}
	return false;
}

/* Calls of `fn` to functions that this module does not have. */
static void
check_unknown(struct proof *p)
{
	LOW_EACH_BLOCK (p->fn, b)
		LOW_EACH_INST (b, i) {
			LLVMValueRef f = low_callee(i);

			if (f && LLVMIsDeclaration(f) && !str_starts(low_name(f), "llvm.") &&
				!p->why)
				p->why = arena_printf(&p->w->arena,
					"'%s', called at %s, is not known here", low_name(f).p,
					low_where(p->w, i));
		}
}

/* A function that was not inlined: it may be called from anywhere, by any part of the wave. */
static const char *
check_callee(struct low *w, LLVMValueRef fn)
{
	struct proof p;
	bool *all;

	if (has_barrier(fn))
		return arena_printf(&w->arena, "function '%s' has a barrier and cannot be inlined",
			low_name(fn).p);
	if (!proof_init(&p, w, fn))
		return "memory is out";
	check_unknown(&p);
	if (p.why)
		return p.why;
	all = ARENA_NEW(&w->arena, bool, p.flow.n);
	assert(all);
	memset(all, true, p.flow.n * sizeof(*all));
	proof_waits(&p, all);
	return p.why;
}

/* Functions that were not inlined, each with why it is no good for a paired wave; NULL: it is. */
struct callees {
	VEC(LLVMValueRef) fn;
	VEC(const char *) why;
	VEC(bool) by_pointer;
};

static void
callees_free(struct callees *c)
{
	free(c->fn.p);
	free(c->why.p);
	free(c->by_pointer.p);
}

/* All of the clone; false when memory is out. */
static bool
callees_find(struct low *w, LLVMModuleRef clone, struct callees *c)
{
	LOW_EACH_FN (clone, f) {
		bool called = false, by_pointer;

		if (LLVMIsDeclaration(f) || low_is_kernel(f))
			continue;
		for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u))
			called |= low_callee(LLVMGetUser(u)) == f;
		by_pointer = is_address_taken(f);
		if (!called && !by_pointer)
			continue; /* inlined everywhere */
		if (!VEC_PUSH(&c->fn, f) || !VEC_PUSH(&c->why, check_callee(w, f)) ||
			!VEC_PUSH(&c->by_pointer, by_pointer))
			return false;
	}
	return true;
}

/* Marks what `fn` calls itself; through a pointer it may call whatever has its address taken. */
static bool
mark_calls(const struct callees *c, LLVMValueRef fn, bool *mark)
{
	bool more = false;

	LOW_EACH_BLOCK (fn, b)
		LOW_EACH_INST (b, i) {
			LLVMValueRef f = low_callee(i);

			if (!LLVMIsACallInst(i) && !LLVMIsAInvokeInst(i))
				continue;
			if (!f && LLVMIsAInlineAsm(LLVMGetCalledValue(i)))
				continue;
			for (size_t k = 0; k < c->fn.n; k++)
				if (!mark[k] && (f ? c->fn.p[k] == f : c->by_pointer.p[k]))
					more = mark[k] = true;
		}
	return more;
}

/* Condition 3: why something that kernel `fn` may call is no good; "" when all is. */
static const char *
check_calls(struct low *w, const struct callees *c, LLVMValueRef fn)
{
	bool *mark = ARENA_NEW(&w->arena, bool, c->fn.n + 1), more;

	assert(mark);
	more = mark_calls(c, fn, mark);
	while (more) {
		more = false;
		for (size_t k = 0; k < c->fn.n; k++)
			if (mark[k])
				more |= mark_calls(c, c->fn.p[k], mark);
	}
	for (size_t k = 0; k < c->fn.n; k++)
		if (mark[k] && c->why.p[k])
			return c->why.p[k];
	return "";
}

static const char *
check_kernel(struct low *w, const struct callees *c, LLVMValueRef fn)
{
	const char *calls = check_calls(w, c, fn);
	struct proof p;

	if (*calls)
		return calls;
	if (!proof_init(&p, w, fn))
		return "memory is out";
	check_unknown(&p);
	if (!p.why)
		check_barriers(&p);
	if (!p.why)
		check_waits(&p);
	return p.why ? p.why : "";
}

/* The mode that the program asks for; false: it leaves the choice. */
static bool
asked(struct low_kernel *k)
{
	struct str want = low_attr(k->fn, "heddle-warp"), mode = str_split(&want, ' ');

	k->asked = true;
	if (str_is(mode, "solo"))
		k->mode = HEDDLE_WARP_SOLO;
	else if (str_is(mode, "paired"))
		k->mode = HEDDLE_WARP_PAIRED;
	else
		k->asked = false;
	if (k->asked)
		k->reason = want.n ? want.p : "asked for";
	return k->asked;
}

static void
prove(struct low *w)
{
	LLVMModuleRef clone = NULL;
	struct callees callees = {0};
	bool ok = true;

	for (size_t i = 0; i < w->nkernels; i++) {
		struct low_kernel *k = &w->kernels[i];

		k->mode = HEDDLE_WARP_PAIRED;
		if (asked(k))
			continue;
		k->reason = "a block is one warp";
		if (k->max_block <= 32)
			continue;
		if (!clone) {
			clone = shim_clone_inlined(w->shim, w->m);
			ok = callees_find(w, clone, &callees);
		}
		k->reason = ok ? check_kernel(w, &callees,
					 LLVMGetNamedFunction(clone, low_name(k->fn).p))
			       : "memory is out";
		if (*k->reason)
			k->mode = HEDDLE_WARP_SOLO;
	}
	callees_free(&callees);
	if (clone)
		shim_clone_free(w->shim, clone);
}

/* For -Rheddle-warp. */
static void
remark(struct low *w, const struct low_kernel *k)
{
	const char *what = "a warp is a wave of 32 lanes", *why = "";

	if (k->mode == HEDDLE_WARP_PAIRED) {
		what = "paired, two warps share a wave of 64 lanes";
		why = k->asked || *k->reason ? k->reason : "nobody can tell";
	} else if (k->mode == HEDDLE_WARP_SOLO) {
		what = arena_printf(&w->arena,
			"solo, each warp has a wave of 64 lanes, at most %u threads a block",
			k->max_block);
		why = k->reason;
	}
	shim_remark(k->fn, "heddle-warp",
		arena_printf(
			&w->arena, "on %s: %s%s%s", w->target->name, what, *why ? ": " : "", why));
}

bool
low_proof(struct low *w)
{
	static const char *const names[] = {"unknown", "wave32", "paired", "solo", "native"};
	const bool wave32 = w->target->wave == 32;

	if (!wave32 && w->nkernels)
		prove(w);
	for (size_t i = 0; i < w->nkernels; i++) {
		struct low_kernel *k = &w->kernels[i];

		if (wave32)
			k->mode = HEDDLE_WARP_WAVE32;
		if (k->mode == HEDDLE_WARP_SOLO && k->max_block > HEDDLE_SOLO_MOST)
			k->max_block = HEDDLE_SOLO_MOST;
		log_printf(LOG_pass, "warp kernel=%s mode=%s block=%u reason=\"%s\"",
			low_name(k->fn).p, names[k->mode], k->max_block, k->reason);
		remark(w, k);
	}
	return false;
}
