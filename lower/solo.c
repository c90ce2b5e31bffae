/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * solo.c - gives kernels of warp mode "solo" one warp of 32 lanes a wave of 64 (design, section 4). The
 * runtime launches a block of T threads as one of 64 * ceil(T / 32) in one dimension; of each wave the
 * upper half is off, so lane h of the block is
 *
 *      h:  | wave (4) | off (1) | lane (5) |        thread = wave * 32 + lane, if off == 0 and < T
 *
 * and threadIdx follows from the sizes in the hidden arguments, which are the program's own. A kernel
 * sends the lanes that are off to its end before anything else. All else that the code asks for (lanes,
 * ballots, shuffles, barriers) is right as it is for two warps in a wave: the upper one is just empty, which
 * LLVM is told.
 *
 * Functions that were not inlined may be called, by name or by pointer, from kernels of both modes: they
 * ask at run time, in a hidden argument that the runtime sets (HEDDLE_SOLO_MARK in lang/note.h).
 *
 * What earlier passes have concluded from the size of a block, or from ids that nobody used, is about
 * the program's view; it is replaced by what holds for the hardware's.
 */
#include "lower/low.h"
#include <string.h>

/* AMDGPUUsage, "Hidden Kernel Arguments" of code object V5. */
enum { GROUP_SIZE = 12, GLOBAL_OFFSET = 40 };

static const char *const id_names[3] = {
	"llvm.amdgcn.workitem.id.x", "llvm.amdgcn.workitem.id.y", "llvm.amdgcn.workitem.id.z"};

struct ids {
	struct low *w;
	LLVMBuilderRef b;
	LLVMTypeRef i32, ptr4;
	LLVMValueRef hidden; /* llvm.amdgcn.implicitarg.ptr() */
	LLVMValueRef size[3];
};

static LLVMValueRef
number(struct ids *s, unsigned n)
{
	return LLVMConstInt(s->i32, n, 0);
}

/* Calls an intrinsic without operands. */
static LLVMValueRef
ask(struct ids *s, const char *name, LLVMTypeRef result)
{
	LLVMTypeRef type = LLVMFunctionType(result, NULL, 0, 0);
	LLVMValueRef f = LLVMGetNamedFunction(s->w->m, name);

	if (!f)
		f = LLVMAddFunction(s->w->m, name, type);
	return LLVMBuildCall2(s->b, type, f, NULL, 0, "");
}

/* 32 bits of the hidden arguments, which never change. */
static LLVMValueRef
hidden(struct ids *s, unsigned offset)
{
	LLVMValueRef at = number(s, offset), p, v;

	p = LLVMBuildGEP2(s->b, LLVMInt8TypeInContext(s->w->cx), s->hidden, &at, 1, "");
	v = LLVMBuildLoad2(s->b, s->i32, p, "");
	LLVMSetAlignment(v, 4);
	LLVMSetMetadata(v, LLVMGetMDKindIDInContext(s->w->cx, "invariant.load", 14),
		LLVMMetadataAsValue(s->w->cx, LLVMMDNodeInContext2(s->w->cx, NULL, 0)));
	return v;
}

static void
ids_init(struct ids *s, struct low *w, LLVMValueRef before, LLVMBasicBlockRef end)
{
	LLVMValueRef xy;

	*s = (struct ids){.w = w, .b = LLVMCreateBuilderInContext(w->cx)};
	s->i32 = LLVMInt32TypeInContext(w->cx);
	s->ptr4 = LLVMPointerTypeInContext(w->cx, 4);
	if (before)
		LLVMPositionBuilderBefore(s->b, before);
	else
		LLVMPositionBuilderAtEnd(s->b, end);
	s->hidden = ask(s, "llvm.amdgcn.implicitarg.ptr", s->ptr4);
	xy = hidden(s, GROUP_SIZE); /* three of 16 bits; scalar loads take 32 */
	s->size[0] = LLVMBuildAnd(s->b, xy, number(s, 0xffff), "");
	s->size[1] = LLVMBuildLShr(s->b, xy, number(s, 16), "");
	s->size[2] = LLVMBuildAnd(s->b, hidden(s, GROUP_SIZE + 4), number(s, 0xffff), "");
}

/* The thread's number in its block, of the hardware's number `h` in one dimension. */
static LLVMValueRef
flat(struct ids *s, LLVMValueRef h)
{
	LLVMValueRef wave = LLVMBuildLShr(s->b, h, number(s, 6), "");

	return LLVMBuildOr(s->b, LLVMBuildShl(s->b, wave, number(s, 5), ""),
		LLVMBuildAnd(s->b, h, number(s, 31), ""), "");
}

/* threadIdx of thread `t`. A quotient that nobody asks for is not emitted: no use, no code. */
static LLVMValueRef
component(struct ids *s, LLVMValueRef t, unsigned axis)
{
	LLVMValueRef row;

	if (axis == 0)
		return LLVMBuildURem(s->b, t, s->size[0], "");
	row = LLVMBuildUDiv(s->b, t, s->size[0], "");
	return axis == 1 ? LLVMBuildURem(s->b, row, s->size[1], "")
			 : LLVMBuildUDiv(s->b, row, s->size[1], "");
}

static bool
is_id(LLVMValueRef inst, unsigned axis)
{
	return low_is_call_to(inst, id_names[axis]);
}

/* Puts `now` in the place of all calls that ask for `axis` and were there before. */
static void
replace(LLVMValueRef fn, unsigned axis, LLVMValueRef now, LLVMValueRef own)
{
	LOW_EACH_BLOCK (fn, b)
		LOW_EACH_INST (b, i)
			if (i != own && is_id(i, axis)) {
				LLVMReplaceAllUsesWith(i, now);
				LLVMInstructionEraseFromParent(i);
			}
}

static bool
asks(LLVMValueRef fn, unsigned axis)
{
	LOW_EACH_BLOCK (fn, b)
		LOW_EACH_INST (b, i)
			if (is_id(i, axis))
				return true;
	return false;
}

/* Variables on the stack must stand in the first block. */
static void
move_allocas(struct ids *s, LLVMBasicBlockRef from)
{
	LOW_EACH_INST (from, i)
		if (LLVMIsAAllocaInst(i) && LLVMIsAConstantInt(LLVMGetOperand(i, 0))) {
			LLVMInstructionRemoveFromParent(i);
			LLVMInsertIntoBuilder(s->b, i);
		}
}

/* The hardware's block has 64 lanes for each begun 32 threads of the program's. */
static void
set_sizes(struct low *w, struct low_kernel *k)
{
	static const char waves_key[] = "amdgpu-waves-per-eu";
	const char *text;
	struct str waves;
	u32 n = 0;

	text = arena_printf(&w->arena, "1,%u", (k->max_block + 31) / 32 * 64);
	low_attr_set(w, k->fn, "amdgpu-flat-work-group-size", str_of(text));
	LLVMGlobalEraseMetadata(k->fn, LLVMGetMDKindIDInContext(w->cx, "reqd_work_group_size", 20));
	waves = low_attr(k->fn, waves_key); /* twice the waves hold as many threads */
	for (size_t i = 0; i < waves.n && waves.p[i] >= '0' && waves.p[i] <= '9'; i++)
		n = n * 10 + (u32)(waves.p[i] - '0');
	LLVMRemoveStringAttributeAtIndex(
		k->fn, LLVMAttributeFunctionIndex, waves_key, sizeof(waves_key) - 1);
	if (n < 2)
		return;
	n = 2 * n < w->target->waves ? 2 * n : w->target->waves;
	low_attr_set(w, k->fn, waves_key, str_of(arena_printf(&w->arena, "%u", n)));
}

/* No lane has a number above 31: the counts of lanes below it need not look there. */
static void
narrow_lanes(struct low *w, LLVMValueRef fn)
{
	const unsigned kind = LLVMGetEnumAttributeKindForName("range", 5);
	const u64 least = 0, most = 32;

	LOW_EACH_BLOCK (fn, b)
		LOW_EACH_INST (b, i) {
			if (low_is_call_to(i, "llvm.amdgcn.mbcnt.hi")) {
				LLVMReplaceAllUsesWith(i, LLVMGetOperand(i, 1));
				LLVMInstructionEraseFromParent(i);
			} else if (low_is_call_to(i, "llvm.amdgcn.mbcnt.lo") &&
				   LLVMIsNull(LLVMGetOperand(i, 1))) {
				LLVMAddCallSiteAttribute(i, LLVMAttributeReturnIndex,
					LLVMCreateConstantRangeAttribute(
						w->cx, kind, 32, &least, &most));
			}
		}
}

static void
make_solo(struct low *w, struct low_kernel *k)
{
	LLVMBasicBlockRef first = LLVMGetEntryBasicBlock(k->fn), entry, off;
	LLVMValueRef h, t, all, on;
	struct ids s;

	entry = LLVMInsertBasicBlockInContext(w->cx, first, "solo");
	off = LLVMAppendBasicBlockInContext(w->cx, k->fn, "off");
	ids_init(&s, w, NULL, entry);
	move_allocas(&s, first);
	h = ask(&s, id_names[0], s.i32);
	t = flat(&s, h);
	for (unsigned axis = 0; axis < 3; axis++)
		if (asks(k->fn, axis))
			replace(k->fn, axis, component(&s, t, axis), h);
	all = LLVMBuildMul(s.b, LLVMBuildMul(s.b, s.size[0], s.size[1], ""), s.size[2], "");
	on = LLVMBuildICmp(
		s.b, LLVMIntEQ, LLVMBuildAnd(s.b, h, number(&s, 32), ""), number(&s, 0), "");
	on = LLVMBuildAnd(s.b, on, LLVMBuildICmp(s.b, LLVMIntULT, t, all, ""), "");
	LLVMBuildCondBr(s.b, on, first, off);
	LLVMPositionBuilderAtEnd(s.b, off);
	LLVMBuildRetVoid(s.b);
	LLVMDisposeBuilder(s.b);
	set_sizes(w, k);
	narrow_lanes(w, k->fn);
	shim_simplify(w->shim, k->fn);
}

/* A function that kernels of both modes may call. */
static void
make_both(struct low *w, LLVMValueRef fn)
{
	LLVMValueRef at = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(fn)), t, solo;
	LLVMValueRef own[3] = {0}, now[3] = {0};
	const bool asked[3] = {asks(fn, 0), asks(fn, 1), asks(fn, 2)};
	struct ids s;

	if (!asked[0] && !asked[1] && !asked[2])
		return;
	while (LLVMIsAAllocaInst(at))
		at = LLVMGetNextInstruction(at);
	ids_init(&s, w, at, NULL);
	solo = LLVMBuildICmp(s.b, LLVMIntNE, hidden(&s, GLOBAL_OFFSET), number(&s, 0), "");
	own[0] = ask(&s, id_names[0], s.i32);
	t = flat(&s, own[0]);
	for (unsigned axis = 0; axis < 3; axis++) {
		if (!asked[axis])
			continue;
		if (axis)
			own[axis] = ask(&s, id_names[axis], s.i32);
		now[axis] = LLVMBuildSelect(s.b, solo, component(&s, t, axis), own[axis], "");
	}
	for (unsigned axis = 0; axis < 3;
		axis++) /* the builder's place may go: after all is built */
		if (asked[axis])
			replace(fn, axis, now[axis], own[axis]);
	LLVMDisposeBuilder(s.b);
}

/* What LLVM concluded for functions of the sizes of the blocks that run them, and of what they and
 * their callees do not use. */
static void
forget(LLVMValueRef fn)
{
	static const char *const unused[] = {"amdgpu-no-implicitarg-ptr",
		"amdgpu-no-workitem-id-x"},
				 *const sizes[] = {
					 "amdgpu-flat-work-group-size", "amdgpu-waves-per-eu"};

	for (size_t i = 0; i < COUNT(unused); i++) {
		const unsigned n = (unsigned)strlen(unused[i]);

		LLVMRemoveStringAttributeAtIndex(fn, LLVMAttributeFunctionIndex, unused[i], n);
		LOW_EACH_BLOCK (fn, b)
			LOW_EACH_INST (b, c)
				if (LLVMIsACallInst(c))
					LLVMRemoveCallSiteStringAttribute(
						c, LLVMAttributeFunctionIndex, unused[i], n);
	}
	for (size_t i = 0; i < COUNT(sizes) && !low_is_kernel(fn); i++)
		LLVMRemoveStringAttributeAtIndex(
			fn, LLVMAttributeFunctionIndex, sizes[i], (unsigned)strlen(sizes[i]));
}

bool
low_solo(struct low *w)
{
	bool any = false;

	for (size_t i = 0; i < w->nkernels; i++)
		any |= w->kernels[i].mode == HEDDLE_WARP_SOLO;
	if (!any)
		return false;
	LOW_EACH_FN (w->m, f)
		if (!LLVMIsDeclaration(f)) {
			forget(f);
			if (!low_is_kernel(f))
				make_both(w, f);
		}
	for (size_t i = 0; i < w->nkernels; i++)
		if (w->kernels[i].mode == HEDDLE_WARP_SOLO)
			make_solo(w, &w->kernels[i]);
	return true;
}
