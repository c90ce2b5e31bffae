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
	void *(*create)(const char *triple, const char *cpu, const char *features, void *info,
		int tag, void *op_info, void *symbol);
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
	bool sdwa; /* the target has SDWA encodings */
	bool gfx9;
	bool cmpx; /* v_cmpx_* has no scalar destination */
};

struct gcn_decoder *
gcn_decoder_new(const struct target *t, const char **why)
{
	return gcn_decoder_new_wave(t, t->wave, why);
}

struct gcn_decoder *
gcn_decoder_new_wave(const struct target *t, u32 wave, const char **why)
{
	pthread_once(&llvm.once, llvm_load);
	*why = llvm.why;
	if (llvm.why != NULL)
		return NULL;
	*why = "out of memory";
	struct gcn_decoder *d = calloc(1, sizeof(*d));
	if (d == NULL)
		return NULL;
	d->context = llvm.create(TRIPLE, t->name,
		wave == t->wave ? ""
		: wave == 64    ? "+wavefrontsize64"
				: "+wavefrontsize32",
		NULL, 0, NULL, NULL);
	d->sdwa = t->major < 11;
	d->gfx9 = t->major == 9;
	d->cmpx = t->major >= 10;
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

/*
 * LLVM's printer runs off its tables when an SDWA word holds a reserved selection:
 *
 *   word 0   31 | opcode … | 8..0: 0xf9
 *   word 1   26..24 src1_sel   18..16 src0_sel   12..11 dst_unused   10..8 dst_sel
 *
 * VOPC has sdst in place of the two of dst, VOP1 has no src1.
 */
static bool
sdwa_reserved(const u8 *p, size_t n)
{
	u32 w[2];
	if (n < sizeof(w))
		return false;
	memcpy(w, p, sizeof(w));
	if (w[0] >> 31 != 0 || (w[0] & 0x1ff) != 0xf9)
		return false;
	bool vopc = w[0] >> 25 == 0x3e, vop1 = w[0] >> 25 == 0x3f;
	return (!vopc && ((w[1] >> 8 & 7) == 7 || (w[1] >> 11 & 3) == 3)) ||
	       (w[1] >> 16 & 7) == 7 || (!vop1 && (w[1] >> 24 & 7) == 7);
}

/*
 * On gfx9 its decoder takes a literal (source 255) in encodings that have none and dereferences
 * nothing: VOP3 (the scalar destination of compares and v_readlane too), soffset of MUBUF and MTBUF.
 *
 *   VOP3   word 0: 31..26 = 110100   25..16 op   7..0 dst
 *          word 1: 26..18 src2   17..9 src1   8..0 src0
 *   MxBUF  word 0: 31..26 = 111000/111010  word 1: 31..24 soffset
 */
static bool
literal_reserved(const u8 *p, size_t n)
{
	u32 w[2];
	if (n < sizeof(w))
		return false;
	memcpy(w, p, sizeof(w));
	u32 top = w[0] >> 26;
	u32 op = w[0] >> 16 & 0x3ff;
	if (top == 0x34)
		return ((w[0] & 0xff) == 255 && (op < 0x100 || op == 0x289)) ||
		       (w[1] & 0x1ff) == 255 || (w[1] >> 9 & 0x1ff) == 255 ||
		       (w[1] >> 18 & 0x1ff) == 255;
	return (top == 0x38 || top == 0x3a) && w[1] >> 24 == 255;
}

/*
 * From gfx10 on v_cmpx_* writes EXEC alone, and the GPU does not look at its field for a destination.
 * Older LLVM leaves 0 there, LLVM 22 puts EXEC and refuses all else:
 *
 *   VOP3   31..26 = 110101   25..16 op, below 256: VOPC   7..0 sdst
 */
static size_t
decode_cmpx(struct gcn_decoder *d, u8 *p, size_t n, u64 pc, char *text, size_t cap)
{
	if (!d->cmpx || p[3] >> 2 != 0x35 || (p[3] & 3) != 0 || p[0] == 0x7e)
		return 0;
	p[0] = 0x7e;
	size_t size = llvm.decode(d->context, p, n, pc, text, cap);
	if (size != 0 && strstr(text, "v_cmpx_") != NULL)
		return size;
	text[0] = 0;
	return 0;
}

size_t
gcn_decode(struct gcn_decoder *d, const u8 *p, size_t n, u64 pc, char *text, size_t cap)
{
	/* The longest instruction, writable; LLVM dereferences nothing when the bytes end before a literal,
	 * so it always gets all of them. */
	u8 bytes[24] = {0};
	assert(cap > 0);
	text[0] = 0;
	if ((d->sdwa && sdwa_reserved(p, n)) || (d->gfx9 && literal_reserved(p, n)))
		return 0;
	memcpy(bytes, p, n < sizeof(bytes) ? n : sizeof(bytes));
	size_t size = llvm.decode(d->context, bytes, sizeof(bytes), pc, text, cap);
	if (size == 0)
		size = decode_cmpx(d, bytes, sizeof(bytes), pc, text, cap);
	size_t from = 0, to = strlen(text);
	while (is_space(text[from]))
		from++;
	while (to > from && is_space(text[to - 1]))
		to--;
	memmove(text, text + from, to - from);
	text[to - from] = 0;
	return to > from && size <= n ? size : 0;
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
	 * and so does the offset of ds_swizzle; s_sendmsg_rtn has its number in the low byte,
	 * s_set_gpr_idx_on its mode above the register. */
	u32 low = (u32)p[0] | (u32)p[1] << 8;
	if (str_starts(out->name, "s_sendmsg_rtn"))
		low &= 0xff;
	else if (str_is(out->name, "s_set_gpr_idx_on"))
		low = low >> 8 & 15;
	for (u8 i = 0; i < out->nops; i++) {
		if (out->op[i].kind == GCN_NAME)
			out->op[i].imm = low;
	}
	if (out->seen >> GCN_MOD_swizzle & 1)
		out->mod[GCN_MOD_swizzle] = (i32)low;
	return true;
}
