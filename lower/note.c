/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * note.c - writes one ELF note a kernel (lang/note.h). Each is a constant in the section of the notes;
 * LLVM makes a section whose name starts with ".note" one of type SHT_NOTE, and as it is loaded,
 * stripping leaves it alone. llvm.compiler.used keeps the constants from being dropped.
 */
#include "lower/low.h"
#include <string.h>

static void
note_bytes(struct buf *out, const struct low_kernel *k)
{
	const struct heddle_note note = {
		HEDDLE_NOTE_VERSION, k->mode, k->max_block, k->asked ? HEDDLE_NOTE_ASKED : 0};
	const u32 name_size = sizeof(HEDDLE_NOTE_NAME), type = HEDDLE_NOTE_KERNEL;
	struct buf body = {0};
	u32 body_size;

	buf_add(&body, &note, sizeof(note));
	buf_add(&body, low_name(k->fn).p, low_name(k->fn).n);
	buf_zero(&body, 1);
	buf_add(&body, k->reason, strlen(k->reason) + 1);
	body_size = (u32)body.n;
	buf_align(&body, 4);
	buf_add(out, &name_size, 4);
	buf_add(out, &body_size, 4);
	buf_add(out, &type, 4);
	buf_add(out, HEDDLE_NOTE_NAME, name_size);
	buf_align(out, 4);
	buf_add(out, body.p, body.n);
	buf_free(&body);
}

static LLVMValueRef
note_global(struct low *w, const struct low_kernel *k)
{
	struct buf bytes = {0};
	LLVMValueRef data, g;

	note_bytes(&bytes, k);
	assert(!bytes.failed);
	data = LLVMConstStringInContext2(w->cx, (const char *)bytes.p, bytes.n, 1);
	buf_free(&bytes);
	g = LLVMAddGlobalInAddressSpace(w->m, LLVMTypeOf(data), "__heddle_note", 4);
	LLVMSetInitializer(g, data);
	LLVMSetGlobalConstant(g, 1);
	LLVMSetLinkage(g, LLVMPrivateLinkage);
	LLVMSetSection(g, HEDDLE_NOTE_SECTION);
	LLVMSetAlignment(g, 4);
	return g;
}

/* Adds to @llvm.compiler.used, which can only be replaced. */
static void
keep(struct low *w, LLVMValueRef *add, size_t n)
{
	static const char name[] = "llvm.compiler.used";
	LLVMValueRef old = LLVMGetNamedGlobal(w->m, name), now, *all;
	LLVMTypeRef ptr = LLVMPointerTypeInContext(w->cx, 0);
	unsigned had = old ? (unsigned)LLVMGetNumOperands(LLVMGetInitializer(old)) : 0;

	all = ARENA_NEW(&w->arena, LLVMValueRef, had + n);
	assert(all);
	for (unsigned i = 0; i < had; i++)
		all[i] = LLVMGetOperand(LLVMGetInitializer(old), i);
	for (size_t i = 0; i < n; i++)
		all[had + i] = LLVMConstAddrSpaceCast(add[i], ptr);
	if (old)
		LLVMDeleteGlobal(old);
	now = LLVMAddGlobalInAddressSpace(w->m, LLVMArrayType2(ptr, had + n), name, 1);
	LLVMSetLinkage(now, LLVMAppendingLinkage);
	LLVMSetSection(now, "llvm.metadata");
	LLVMSetInitializer(now, LLVMConstArray2(ptr, all, had + n));
}

bool
low_note(struct low *w)
{
	LLVMValueRef *notes = ARENA_NEW(&w->arena, LLVMValueRef, w->nkernels);

	if (w->nkernels == 0 || !notes)
		return false;
	for (size_t i = 0; i < w->nkernels; i++)
		notes[i] = note_global(w, &w->kernels[i]);
	keep(w, notes, w->nkernels);
	return true;
}
