/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * ir.c - small questions about LLVM IR that several passes ask. Nothing here changes a module but
 * low_attr_add.
 */
#include "lower/low.h"
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

enum { AMDGPU_KERNEL = 91 }; /* llvm/IR/CallingConv.h */

bool
low_is_kernel(LLVMValueRef fn)
{
	return LLVMGetFunctionCallConv(fn) == AMDGPU_KERNEL && !LLVMIsDeclaration(fn);
}

struct str
low_attr(LLVMValueRef fn, const char *name)
{
	LLVMAttributeRef a = LLVMGetStringAttributeAtIndex(
		fn, LLVMAttributeFunctionIndex, name, (unsigned)strlen(name));
	unsigned n = 0;
	const char *p;

	if (!a)
		return (struct str){0};
	p = LLVMGetStringAttributeValue(a, &n);
	return (struct str){p, n};
}

void
low_attr_set(struct low *w, LLVMValueRef fn, const char *name, struct str value)
{
	LLVMAddAttributeAtIndex(fn, LLVMAttributeFunctionIndex,
		LLVMCreateStringAttribute(
			w->cx, name, (unsigned)strlen(name), value.p, (unsigned)value.n));
}

void
low_attr_add(struct low *w, LLVMValueRef fn, const char *name)
{
	unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));

	assert(kind != 0);
	LLVMAddAttributeAtIndex(
		fn, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(w->cx, kind, 0));
}

u32
low_max_block(LLVMValueRef fn)
{
	struct str range = low_attr(fn, "amdgpu-flat-work-group-size");
	u32 n = 0;

	(void)str_split(&range, ',');
	for (size_t i = 0; i < range.n && range.p[i] >= '0' && range.p[i] <= '9' && n < 100000; i++)
		n = n * 10 + (u32)(range.p[i] - '0');
	return n > 0 && n <= 1024 ? n : 1024;
}

LLVMValueRef
low_callee(LLVMValueRef call)
{
	LLVMValueRef fn;

	if (!LLVMIsACallInst(call) && !LLVMIsAInvokeInst(call))
		return NULL;
	fn = LLVMGetCalledValue(call);
	return LLVMIsAFunction(fn) ? fn : NULL;
}

struct str
low_name(LLVMValueRef v)
{
	struct str s = {0};

	s.p = LLVMGetValueName2(v, &s.n);
	return s;
}

bool
low_is_service(LLVMValueRef fn)
{
	struct str name;

	if (!fn)
		return false;
	name = low_name(fn);
	name = str_split(&name, '.');
#define SERVICE(service)                                                                           \
	if (str_is(name, #service))                                                                \
		return true;
#include "lower/service.def"
#undef SERVICE
	return false;
}

bool
low_is_call_to(LLVMValueRef inst, const char *prefix)
{
	LLVMValueRef fn = low_callee(inst);

	return fn && str_starts(low_name(fn), prefix);
}

LLVMMetadataRef
low_location(LLVMValueRef inst)
{
	LLVMMetadataRef at = LLVMInstructionGetDebugLoc(inst), outer;

	for (; at; at = outer) {
		size_t n;
		const char *name = shim_scope_name(LLVMDILocationGetScope(at), &n);

		outer = LLVMDILocationGetInlinedAt(at);
		if (n < 2 || memcmp(name, "__", 2) != 0 || !outer)
			break;
	}
	return at;
}

const char *
low_where(struct low *w, LLVMValueRef inst)
{
	LLVMMetadataRef at = low_location(inst);
	LLVMMetadataRef file = at ? LLVMDIScopeGetFile(LLVMDILocationGetScope(at)) : NULL;
	unsigned n = 0;
	const char *name = file ? LLVMDIFileGetFilename(file, &n) : NULL;

	if (!name)
		return "an unknown line";
	return arena_printf(&w->arena, "%.*s:%u", (int)n, name, LLVMDILocationGetLine(at));
}
