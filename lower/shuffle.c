/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * shuffle.c - the cheapest instruction for each shuffle whose lanes are known. A shuffle is
 * llvm.amdgcn.ds.bpermute, with a byte address that says which lane each lane reads. Where that follows from
 * the lane's number alone, it is computed for all lanes, and compared with what cheaper forms read:
 *
 *   readlane           all read one lane, which a wave of one warp gives to scalar code; it may be found at
 *                      run time
 *   DPP                within rows of 16 lanes; LLVM merges it with the operation that takes the value
 *   permlane(x)16      any order within a row, of the own or the other row of 32 (gfx10 and later)
 *   ds_swizzle         lane = ((lane & and) | or) ^ xor within 32; needs no address
 *
 * DPP controls: "Data Parallel Primitives" of AMD's ISA manuals, as in LLVM's SIDefines.h.
 */
#include "lower/low.h"
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>

enum {
	LANES = 64,
	DPP_ROW_SHL = 0x100,    /* + 1 … 15 */
	DPP_ROW_SHR = 0x110,
	DPP_ROW_ROR = 0x120,
	DPP_ROW_MIRROR = 0x140,
	DPP_ROW_HALF_MIRROR = 0x141,
	DPP_ROW_SHARE = 0x150,  /* + lane; gfx10 and later, and gfx90a as row_newbcast */
	DPP_ROW_XMASK = 0x160   /* + 1 … 15; gfx10 and later */
};

struct shuffle {
	struct low *w;
	LLVMBuilderRef b;
	LLVMTypeRef i32t, i1t;
	LLVMValueRef call, value;
	unsigned lanes;      /* that can be on: 32 or 64 */
	u8 from[LANES];      /* the lane that each reads */
	unsigned budget;     /* of values still to be looked at */
};

/* --- which lanes ------------------------------------------------------------------------------------- */

typedef u32 lane_values[LANES];

static bool eval(struct shuffle *s, LLVMValueRef v, lane_values out);

static bool
eval_binary(struct shuffle *s, LLVMValueRef v, lane_values out)
{
	lane_values b;

	if (!eval(s, LLVMGetOperand(v, 0), out) || !eval(s, LLVMGetOperand(v, 1), b))
		return false;
	for (unsigned l = 0; l < s->lanes; l++)
		switch (LLVMGetInstructionOpcode(v)) {
		case LLVMAdd:
			out[l] += b[l];
			break;
		case LLVMSub:
			out[l] -= b[l];
			break;
		case LLVMAnd:
			out[l] &= b[l];
			break;
		case LLVMOr:
			out[l] |= b[l];
			break;
		case LLVMXor:
			out[l] ^= b[l];
			break;
		case LLVMShl:
			out[l] = b[l] < 32 ? out[l] << b[l] : 0;
			break;
		case LLVMLShr:
			out[l] = b[l] < 32 ? out[l] >> b[l] : 0;
			break;
		default:
			return false;
		}
	return true;
}

static bool
eval_compare(struct shuffle *s, LLVMValueRef v, lane_values out)
{
	lane_values b;

	if (!eval(s, LLVMGetOperand(v, 0), out) || !eval(s, LLVMGetOperand(v, 1), b))
		return false;
	for (unsigned l = 0; l < s->lanes; l++) {
		const u32 x = out[l], y = b[l];

		switch (LLVMGetICmpPredicate(v)) {
		case LLVMIntEQ:
			out[l] = x == y;
			break;
		case LLVMIntNE:
			out[l] = x != y;
			break;
		case LLVMIntULT:
			out[l] = x < y;
			break;
		case LLVMIntULE:
			out[l] = x <= y;
			break;
		case LLVMIntUGT:
			out[l] = x > y;
			break;
		case LLVMIntUGE:
			out[l] = x >= y;
			break;
		case LLVMIntSLT:
			out[l] = (i32)x < (i32)y;
			break;
		case LLVMIntSLE:
			out[l] = (i32)x <= (i32)y;
			break;
		case LLVMIntSGT:
			out[l] = (i32)x > (i32)y;
			break;
		case LLVMIntSGE:
			out[l] = (i32)x >= (i32)y;
			break;
		default:
			return false;
		}
	}
	return true;
}

static bool
eval_select(struct shuffle *s, LLVMValueRef v, lane_values out)
{
	lane_values c, b;

	if (!eval(s, LLVMGetOperand(v, 0), c) || !eval(s, LLVMGetOperand(v, 1), out) ||
		!eval(s, LLVMGetOperand(v, 2), b))
		return false;
	for (unsigned l = 0; l < s->lanes; l++)
		if (!c[l])
			out[l] = b[l];
	return true;
}

/* mbcnt.lo(-1, x): how many of the lanes 0 … 31 are before this one, and x; mbcnt.hi: of 32 … 63. */
static bool
eval_count(struct shuffle *s, LLVMValueRef v, lane_values out)
{
	const bool lo = low_is_call_to(v, "llvm.amdgcn.mbcnt.lo");
	LLVMValueRef mask;

	if (!lo && !low_is_call_to(v, "llvm.amdgcn.mbcnt.hi"))
		return false;
	mask = LLVMGetOperand(v, 0);
	if (!LLVMIsAConstantInt(mask) || LLVMConstIntGetSExtValue(mask) != -1 ||
		!eval(s, LLVMGetOperand(v, 1), out))
		return false;
	for (unsigned l = 0; l < s->lanes; l++)
		out[l] += lo ? (l < 32 ? l : 32) : l < 32 ? 0 : l - 32;
	return true;
}

/* The value of `v`, of at most 32 bits, in each lane; false when it does not follow from the lane. */
static bool
eval(struct shuffle *s, LLVMValueRef v, lane_values out)
{
	LLVMTypeRef type = LLVMTypeOf(v);
	const bool is_bit = type == s->i1t;

	if (s->budget == 0 || (type != s->i32t && !is_bit))
		return false;
	s->budget--;
	if (LLVMIsAConstantInt(v)) {
		for (unsigned l = 0; l < s->lanes; l++)
			out[l] = (u32)LLVMConstIntGetZExtValue(v);
		return true;
	}
	if (!LLVMIsAInstruction(v))
		return false;
	switch (LLVMGetInstructionOpcode(v)) {
	case LLVMICmp:
		return LLVMTypeOf(LLVMGetOperand(v, 0)) == s->i32t && eval_compare(s, v, out);
	case LLVMSelect:
		return eval_select(s, v, out);
	case LLVMZExt:
		return eval(s, LLVMGetOperand(v, 0), out);
	case LLVMCall:
		return eval_count(s, v, out);
	default:
		return LLVMGetNumOperands(v) == 2 && !is_bit && eval_binary(s, v, out);
	}
}

static bool
find_lanes(struct shuffle *s)
{
	lane_values at;

	s->budget = 64;
	if (!eval(s, LLVMGetOperand(s->call, 0), at))
		return false;
	for (unsigned l = 0; l < s->lanes; l++)
		s->from[l] = (u8)(at[l] >> 2 & (s->w->target->wave - 1u));
	return true;
}

/* --- how ----------------------------------------------------------------------------------------------- */

static LLVMValueRef
number(struct shuffle *s, u32 n)
{
	return LLVMConstInt(s->i32t, n, 0);
}

static LLVMValueRef
call(struct shuffle *s, const char *name, LLVMValueRef *args, unsigned n)
{
	LLVMTypeRef params[6], type;
	LLVMValueRef f = LLVMGetNamedFunction(s->w->m, name);

	assert(n <= COUNT(params));
	for (unsigned i = 0; i < n; i++)
		params[i] = LLVMTypeOf(args[i]);
	type = LLVMFunctionType(s->i32t, params, n, 0);
	if (!f)
		f = LLVMAddFunction(s->w->m, name, type);
	return LLVMBuildCall2(s->b, type, f, args, n, "");
}

/* The lane that lane `l` reads by DPP control `ctrl`; itself where that is out of its row. */
static unsigned
dpp_from(unsigned ctrl, unsigned l)
{
	const unsigned row = l & ~15u, in = l & 15, n = ctrl & 15;

	if (ctrl < 0x100)
		return (l & ~3u) | (ctrl >> 2 * (l & 3) & 3);
	if (ctrl == DPP_ROW_MIRROR)
		return row | (15 - in);
	if (ctrl == DPP_ROW_HALF_MIRROR)
		return (l & ~7u) | (7 - (l & 7));
	switch (ctrl & 0xff0) {
	case DPP_ROW_SHL:
		return in + n < 16 ? l + n : l;
	case DPP_ROW_SHR:
		return in >= n ? l - n : l;
	case DPP_ROW_ROR:
		return row | ((in - n) & 15);
	case DPP_ROW_SHARE:
		return row | n;
	default:
		return row | (in ^ n);
	}
}

static bool
dpp_fits(const struct shuffle *s, unsigned ctrl)
{
	for (unsigned l = 0; l < s->lanes; l++)
		if (dpp_from(ctrl, l) != s->from[l])
			return false;
	return true;
}

/* The control that reads what the shuffle reads; 0x1ff: there is none. */
static unsigned
find_dpp(const struct shuffle *s)
{
	static const unsigned ranges[][2] = {{DPP_ROW_MIRROR, DPP_ROW_HALF_MIRROR},
		{DPP_ROW_ROR + 1, DPP_ROW_ROR + 15}, {DPP_ROW_SHL + 1, DPP_ROW_SHL + 15},
		{DPP_ROW_SHR + 1, DPP_ROW_SHR + 15}, {DPP_ROW_SHARE, DPP_ROW_SHARE + 15},
		{DPP_ROW_XMASK + 1, DPP_ROW_XMASK + 15}};
	const unsigned quad = (s->from[0] & 3u) | (s->from[1] & 3u) << 2 | (s->from[2] & 3u) << 4 |
			      (s->from[3] & 3u) << 6;

	if (dpp_fits(s, quad))
		return quad;
	for (size_t r = 0; r < COUNT(ranges); r++) {
		if (ranges[r][0] >= DPP_ROW_SHARE && s->w->target->major < 10)
			continue;
		for (unsigned c = ranges[r][0]; c <= ranges[r][1]; c++)
			if (dpp_fits(s, c))
				return c;
	}
	return 0x1ff;
}

static LLVMValueRef
by_dpp(struct shuffle *s)
{
	const unsigned ctrl = find_dpp(s);
	const bool shift = ctrl > DPP_ROW_SHL && ctrl < DPP_ROW_ROR;

	if (ctrl == 0x1ff)
		return NULL;
	/* A shift keeps the own value at the end of the row; nothing else reads out of it. */
	LLVMValueRef args[] = {shift ? s->value : LLVMGetPoison(s->i32t), s->value, number(s, ctrl),
		number(s, 15), number(s, 15), LLVMConstInt(s->i1t, !shift, 0)};
	return call(s, "llvm.amdgcn.update.dpp.i32", args, 6);
}

static LLVMValueRef
by_nothing(struct shuffle *s)
{
	for (unsigned l = 0; l < s->lanes; l++)
		if (s->from[l] != l)
			return NULL;
	return s->value;
}

static LLVMValueRef
by_readlane(struct shuffle *s)
{
	if (s->lanes != 32)
		return NULL;
	for (unsigned l = 0; l < 32; l++)
		if (s->from[l] != s->from[0])
			return NULL;
	LLVMValueRef args[] = {s->value, number(s, s->from[0])};
	return call(s, "llvm.amdgcn.readlane.i32", args, 2);
}

/* Both rows of 32 lanes in the same order, from the own row or from the other. */
static LLVMValueRef
by_permlane(struct shuffle *s)
{
	const unsigned cross = s->from[0] & 16u;
	u32 select[2] = {0};

	if (s->w->target->major < 10)
		return NULL;
	for (unsigned l = 0; l < s->lanes; l++) {
		const unsigned want = ((l & 48) ^ cross) | (s->from[l & 15] & 15u);

		if (s->from[l] != want)
			return NULL;
		if (l < 16)
			select[l / 8] |= (s->from[l] & 15u) << 4 * (l % 8);
	}
	LLVMValueRef no = LLVMConstInt(s->i1t, 0, 0);
	LLVMValueRef args[] = {LLVMGetPoison(s->i32t), s->value, number(s, select[0]),
		number(s, select[1]), no, no};
	return call(
		s, cross ? "llvm.amdgcn.permlanex16.i32" : "llvm.amdgcn.permlane16.i32", args, 6);
}

/*
 * ds_swizzle_b32, offset:  | 0 | xor (5) | or (5) | and (5) |
 */
static LLVMValueRef
by_swizzle(struct shuffle *s)
{
	unsigned follows = 0, base = s->from[0] & 31u;

	for (unsigned bit = 0; bit < 5; bit++)
		if ((s->from[1u << bit] ^ base) >> bit & 1)
			follows |= 1u << bit;
	for (unsigned l = 0; l < s->lanes; l++)
		if (s->from[l] != ((l & 32) | ((l & follows) ^ base)))
			return NULL;
	LLVMValueRef args[] = {s->value, number(s, base << 10 | follows)};
	return call(s, "llvm.amdgcn.ds.swizzle", args, 2);
}

/* Could this have computed an address, and nothing else? */
static bool
is_arithmetic(LLVMValueRef i)
{
	return LLVMIsABinaryOperator(i) || LLVMIsAICmpInst(i) || LLVMIsASelectInst(i) ||
	       LLVMIsAZExtInst(i) || low_is_call_to(i, "llvm.amdgcn.mbcnt");
}

/* Erases addresses that nobody uses any more; LLVM does not look for them after this. */
static void
clean(LLVMValueRef fn)
{
	for (LLVMBasicBlockRef b = LLVMGetLastBasicBlock(fn); b; b = LLVMGetPreviousBasicBlock(b)) {
		LLVMValueRef i = LLVMGetLastInstruction(b), before;

		for (; i; i = before) {
			before = LLVMGetPreviousInstruction(i);
			if (is_arithmetic(i) && !LLVMGetFirstUse(i))
				LLVMInstructionEraseFromParent(i);
		}
	}
}

/* One lane for all, whose number is only known at run time. */
static LLVMValueRef
by_lane(struct shuffle *s)
{
	LLVMValueRef args[] = {
		s->value, LLVMBuildLShr(s->b, LLVMGetOperand(s->call, 0), number(s, 2), "")};

	return call(s, "llvm.amdgcn.readlane.i32", args, 2);
}

static bool
shuffle(struct low *w, LLVMValueRef inst, unsigned lanes, bool uniform)
{
	struct shuffle s = {.w = w, .call = inst, .lanes = lanes};
	LLVMValueRef now = NULL;
	bool known;

	s.i32t = LLVMInt32TypeInContext(w->cx);
	s.i1t = LLVMInt1TypeInContext(w->cx);
	s.value = LLVMGetOperand(inst, 1);
	known = find_lanes(&s);
	if (!known && !uniform)
		return false;
	s.b = LLVMCreateBuilderInContext(w->cx);
	LLVMPositionBuilderBefore(s.b, inst);
	LLVMSetCurrentDebugLocation2(s.b, LLVMInstructionGetDebugLoc(inst));
	now = known ? by_nothing(&s) : by_lane(&s);
	now = now ? now : by_readlane(&s);
	now = now ? now : by_dpp(&s);
	now = now ? now : by_permlane(&s);
	now = now ? now : by_swizzle(&s);
	LLVMDisposeBuilder(s.b);
	if (!now)
		return false;
	LLVMReplaceAllUsesWith(inst, now);
	LLVMInstructionEraseFromParent(inst);
	return true;
}

/* Lanes of a wave that can be on in function `fn`. */
static unsigned
lanes_of(const struct low *w, LLVMValueRef fn)
{
	if (w->target->wave == 32)
		return 32;
	for (size_t i = 0; i < w->nkernels; i++)
		if (w->kernels[i].fn == fn &&
			(w->kernels[i].mode == HEDDLE_WARP_SOLO || w->kernels[i].max_block <= 32))
			return 32;
	return 64;
}

/* A shuffle of the module. */
struct found {
	LLVMValueRef call;
	unsigned lanes;
	bool uniform; /* all lanes that can be on read the same one */
};
struct founds {
	struct found *p;
	size_t n, cap;
};

static bool
find_in(struct low *w, LLVMValueRef fn, struct founds *all)
{
	struct shim_uniformity *u = NULL;
	const unsigned lanes = lanes_of(w, fn);

	LOW_EACH_BLOCK (fn, b)
		LOW_EACH_INST (b, i) {
			struct found f = {i, lanes, false};

			if (!low_is_call_to(i, "llvm.amdgcn.ds.bpermute"))
				continue;
			if (lanes == 32) {
				u = u ? u : shim_uniformity(w->shim, fn);
				f.uniform = shim_is_uniform(u, LLVMGetOperand(i, 0));
			}
			if (!VEC_PUSH(all, f))
				return false;
		}
	return true;
}

bool
low_shuffle(struct low *w)
{
	struct founds all = {0};
	bool changed = false, ok = true;

	if (!LLVMGetNamedFunction(w->m, "llvm.amdgcn.ds.bpermute"))
		return false;
	LOW_EACH_FN (w->m, f)
		ok = ok && find_in(w, f, &all);
	for (size_t i = 0; i < all.n && ok; i++)
		changed |= shuffle(w, all.p[i].call, all.p[i].lanes, all.p[i].uniform);
	for (LLVMValueRef f = changed ? LLVMGetFirstFunction(w->m) : NULL; f;
		f = LLVMGetNextFunction(f))
		clean(f);
	free(all.p);
	return changed;
}
