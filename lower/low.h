/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * low.h - inside of lower/: the passes in C over LLVM-C, and the few things that need C++ (shim.h).
 * A pass gets the state of one run over one module; it keeps no other state.
 */
#ifndef HEDDLE_LOW_H
#define HEDDLE_LOW_H

#include <llvm-c/Core.h>
#include "amdgpu/target.h"
#include "lang/base.h"
#include "lang/note.h"
#include "lower/shim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is run: all before LLVM's optimisations; what is left to do after them; what a translation unit
 * needs whose device code is linked later. EACH are the passes of LOW_START and of LOW_PART. */
enum low_when { LOW_START, LOW_LAST, LOW_PART, LOW_EACH };

/* What is known of a kernel; filled by pass `proof`, obeyed by `solo` and `note`. */
struct low_kernel {
	LLVMValueRef fn;
	enum heddle_warp_mode mode;
	u32 max_block;
	bool asked;         /* for the mode */
	const char *reason; /* in the arena; "" */
};

struct low {
	LLVMModuleRef m;
	LLVMContextRef cx;
	const struct target *target;
	struct low_shim *shim;  /* what only C++ can do for this run */
	struct arena arena;     /* lives as long as the run */
	unsigned errors;
	bool changed;
	struct low_kernel *kernels;
	size_t nkernels;
};

/* The passes in order (pass.def). A pass returns true when it changed the module. */
struct low_pass {
	const char *name;
	enum low_when when;
	bool (*run)(struct low *w);
	const char *what;
};
extern const struct low_pass low_passes[];
extern const size_t low_npasses;
#define PASS(name, when, fn, what) bool fn(struct low *w);
#include "lower/pass.def"
#undef PASS

/* Runs the passes of `when` over `m`, or, when `names` is not NULL, those of the list "a,b,c" whatever
 * their time. `after` names a pass after which the module is printed to stderr (NULL: none). Modules
 * of other targets than AMDGCN are left alone. Errors go to the module's context. True when the module
 * changed. */
bool low_run(LLVMModuleRef m, struct low_shim *shim, enum low_when when, const char *names,
	const char *after);
const struct low_pass *low_pass_find(struct str name); /* NULL: unknown */

/* diag.c: texts of diag.def */
enum low_diag {
#define DIAG(id, severity, text) LOW_DIAG_##id,
#include "lower/diag.def"
#undef DIAG
	LOW_DIAG_COUNT
};
/* Reports at the source line of `at`, an instruction; for an inline asm at line `line` (from 0) of its
 * text. Counts errors in `w`. */
void low_report(struct low *w, LLVMValueRef at, unsigned line, enum low_diag id, ...);

/* asm_blank.c: builds an inline asm without instructions again so that the backend takes it. */
void low_asm_blank(struct low *w, LLVMValueRef call);

/* ptx/emit.c: replaces a call of inline PTX by IR and erases it; what is not supported is reported at its
 * line, and the results become poison. */
void low_ptx(struct low *w, LLVMValueRef call, struct str text);

/* edge.c: what LLVM's structurizer must not see, right before it runs. True when the function changed. */
bool low_edge(LLVMValueRef fn);

/* ir.c */
bool low_is_kernel(LLVMValueRef fn);
/* Attribute of a function as text; empty when it has none. */
struct str low_attr(LLVMValueRef fn, const char *name);
void low_attr_set(struct low *w, LLVMValueRef fn, const char *name, struct str value);
void low_attr_add(
	struct low *w, LLVMValueRef fn, const char *name); /* an enum attribute: "noinline" */
/* Most threads of a block of kernel `fn`, of "amdgpu-flat-work-group-size". */
u32 low_max_block(LLVMValueRef fn);
/* The function that a call calls, NULL when it is not known (asm, pointer). */
LLVMValueRef low_callee(LLVMValueRef call);
bool low_is_service(LLVMValueRef fn); /* of service.def; NULL is none */
bool low_is_call_to(LLVMValueRef inst, const char *prefix); /* of a function whose name starts so */
struct str low_name(LLVMValueRef v);
/* Source position of an instruction in user code: frames of functions whose names start with "__" are
 * skipped. As a DILocation, NULL when there is none, and as "file:line". */
LLVMMetadataRef low_location(LLVMValueRef inst);
const char *low_where(struct low *w, LLVMValueRef inst);

/* Steps over all functions, and over all instructions of one. `i` may be erased inside the body. */
#define LOW_EACH_FN(m, f)                                                                          \
	for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
#define LOW_EACH_BLOCK(f, b)                                                                       \
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
#define LOW_EACH_INST(b, i)                                                                        \
	for (LLVMValueRef i = LLVMGetFirstInstruction(b), next_;                                   \
		i && (next_ = LLVMGetNextInstruction(i), true); i = next_)

#ifdef __cplusplus
}
#endif
#endif
