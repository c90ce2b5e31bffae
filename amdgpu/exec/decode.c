/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * decode.c - LLVM's AMDGPU disassembler behind three functions.
 *
 * libLLVM is 150 MB, so it is loaded on the first use and by name at run time; nothing links to it.
 * Only the LLVM-C disassembler is used: bytes in, one line of text out. An unknown processor name
 * aborts the process inside LLVM, so names come from targets.def and from nowhere else.
 * The loaded library and its entry points are the one global state here, set once.
 */
#include "amdgpu/exec/inst.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define TRIPLE "amdgcn-amd-amdhsa"

static const char *const llvm_names[] = {
	"libLLVM.so.22.1",
	"libLLVM-22.so",
	"/usr/lib/llvm-22/lib/libLLVM.so.22.1",
	"/usr/lib/llvm-22/lib/libLLVM-22.so",
};

static struct {
	pthread_once_t once;
	const char *why; /* of a failure */
	void *(*create)(const char *triple, const char *cpu, const char *features, void *info, int tag,
		void *op_info, void *symbol);
	void (*dispose)(void *);
	size_t (*decode)(void *, u8 *, u64, u64, char *, size_t);
} llvm = {.once = PTHREAD_ONCE_INIT};

/* ISO C has no cast from object to function pointer; POSIX wants it done like this. */
static bool
find(void *so, const char *name, void *fn)
{
	void *p = dlsym(so, name);
	memcpy(fn, &p, sizeof(p));
	return p != NULL;
}

static void
llvm_load(void)
{
	static const char *const init[] = {
		"LLVMInitializeAMDGPUTargetInfo",
		"LLVMInitializeAMDGPUTargetMC",
		"LLVMInitializeAMDGPUDisassembler",
	};
	void *so = NULL;
	for (size_t i = 0; i < COUNT(llvm_names) && so == NULL; i++)
		so = dlopen(llvm_names[i], RTLD_LOCAL | RTLD_LAZY);
	if (so == NULL) {
		llvm.why = "libLLVM 22 is not installed (Debian package libllvm22)";
		return;
	}
	for (size_t i = 0; i < COUNT(init); i++) {
		void (*fn)(void);
		if (!find(so, init[i], &fn)) {
			llvm.why = "libLLVM lacks the AMDGPU target";
			return;
		}
		fn();
	}
	if (!find(so, "LLVMCreateDisasmCPUFeatures", &llvm.create) ||
			!find(so, "LLVMDisasmDispose", &llvm.dispose) ||
			!find(so, "LLVMDisasmInstruction", &llvm.decode))
		llvm.why = "libLLVM lacks its C disassembler";
}

struct gcn_decoder {
	void *context;
};

struct gcn_decoder *
gcn_decoder_new(const struct target *t, const char **why)
{
	pthread_once(&llvm.once, llvm_load);
	*why = llvm.why;
	if (llvm.why != NULL)
		return NULL;
	*why = "out of memory";
	struct gcn_decoder *d = calloc(1, sizeof(*d));
	if (d == NULL)
		return NULL;
	d->context = llvm.create(TRIPLE, t->name, "", NULL, 0, NULL, NULL);
	if (d->context == NULL) {
		*why = "libLLVM does not know this GPU";
		free(d);
		return NULL;
	}
	*why = NULL;
	return d;
}

void
gcn_decoder_free(struct gcn_decoder *d)
{
	if (d == NULL)
		return;
	llvm.dispose(d->context);
	free(d);
}

static bool
is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n';
}

size_t
gcn_decode(struct gcn_decoder *d, const u8 *p, size_t n, u64 pc, char *text, size_t cap)
{
	u8 bytes[24] = {0}; /* the longest instruction: LLVM takes a writable pointer */
	assert(cap > 0);
	text[0] = 0;
	size_t have = n < sizeof(bytes) ? n : sizeof(bytes);
	memcpy(bytes, p, have);
	size_t size = llvm.decode(d->context, bytes, have, pc, text, cap);
	size_t from = 0, to = strlen(text);
	while (is_space(text[from]))
		from++;
	while (to > from && is_space(text[to - 1]))
		to--;
	memmove(text, text + from, to - from);
	text[to - from] = 0;
	return to > from ? size : 0;
}

bool
gcn_read(struct gcn_decoder *d, struct arena *a, const u8 *p, size_t n, u64 pc,
	struct gcn_inst *out, const char **why)
{
	char line[512];
	size_t at, size = gcn_decode(d, p, n, pc, line, sizeof(line));
	*why = "no instruction of this GPU";
	if (size == 0)
		return false;
	char *text = arena_strdup(a, str_of(line));
	*why = "out of memory";
	if (text == NULL || !gcn_parse(a, str_of(text), out, why, &at))
		return false;
	out->bytes = (u8)size;
	/* Symbolic immediates stand in the low half of the first word in every SOPP and SOPK encoding,
	 * and so does the offset of ds_swizzle; s_sendmsg_rtn has its number in the low byte. */
	u32 low = (u32)p[0] | (u32)p[1] << 8;
	if (str_starts(out->name, "s_sendmsg_rtn"))
		low &= 0xff;
	for (u8 i = 0; i < out->nops; i++) {
		if (out->op[i].kind == GCN_NAME)
			out->op[i].imm = low;
	}
	if (out->seen >> GCN_MOD_swizzle & 1)
		out->mod[GCN_MOD_swizzle] = (i32)low;
	return true;
}
