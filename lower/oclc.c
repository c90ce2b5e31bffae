/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* oclc.c - gives the constants of oclc.def their values, so that LLVM folds ocml's choices away. */
#include "lower/low.h"

/* Of the module flag that -mcode-object-version sets; 500 is V5. */
static u32
code_object_version(struct low *w)
{
	static const char key[] = "amdhsa_code_object_version";
	LLVMMetadataRef md = LLVMGetModuleFlag(w->m, key, sizeof(key) - 1);
	LLVMValueRef v = md ? LLVMMetadataAsValue(w->cx, md) : NULL;

	return v && LLVMIsAConstantInt(v) ? (u32)LLVMConstIntGetZExtValue(v) : 500;
}

/* True when the kernels flush single-precision denormals. All functions of a module agree. */
static bool
flushes_denormals(struct low *w)
{
	return w->nkernels &&
	       str_starts(low_attr(w->kernels[0].fn, "denormal-fp-math-f32"), "preserve-sign");
}

static bool
define(struct low *w, const char *name, u64 value)
{
	LLVMValueRef g = LLVMGetNamedGlobal(w->m, name);

	if (!g || !LLVMIsDeclaration(g))
		return false;
	LLVMSetInitializer(g, LLVMConstInt(LLVMGlobalGetValueType(g), value, 0));
	LLVMSetGlobalConstant(g, 1);
	LLVMSetLinkage(g, LLVMInternalLinkage);
	LLVMSetVisibility(g, LLVMDefaultVisibility);
	return true;
}

bool
low_oclc(struct low *w)
{
	const struct target *t = w->target;
	bool changed = false;

#define OCLC(name, value) changed |= define(w, "__oclc_" #name, value);
#include "lower/oclc.def"
#undef OCLC
	return changed;
}
