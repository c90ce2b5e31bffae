/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * code.h - reads AMDGPU code objects (AMDGPUUsage, "ELF Code Object", "Code Object V5 Metadata",
 * "Kernel Descriptor") and the fat binaries that carry them (llvm/Object/OffloadBinary.h).
 * Every reader takes bytes from anywhere: nothing is trusted, nothing crashes, nothing is written.
 * Results point into the input, which must outlive them, or into the arena.
 */
#ifndef HEDDLE_CODE_H
#define HEDDLE_CODE_H

#include "lang/base.h"
#include "lang/note.h"
#include "amdgpu/target.h"

enum code_status {
	CODE_OK,
	CODE_BAD_ELF,       /* no ELF64, not AMDGPU, or its tables leave the file */
	CODE_BAD_TARGET,    /* a machine that targets.def lacks */
	CODE_BAD_METADATA,  /* no metadata note, or not as documented */
	CODE_BAD_NOTE,      /* a Heddle note that is cut off or of another version */
	CODE_NO_MEMORY,
	CODE_BAD_FATBIN     /* not LLVM's OffloadBinary, or its tables leave the file */
};
const char *code_status_text(enum code_status s);

/* How an argument of the metadata is filled (".value_kind"); unknown hidden kinds read as zero. */
enum code_arg_kind {
#define CODE_ARG(name) CODE_ARG_##name,
#include "amdgpu/code_arg.def"
#undef CODE_ARG
	CODE_ARG_COUNT
};

struct code_arg {
	u32 offset, size;
	enum code_arg_kind kind;
};

struct code_kernel {
	struct str name;   /* ".name": the mangled name of the function */
	struct str symbol; /* ".symbol": of the descriptor, "name.kd" */
	u64 descriptor;    /* virtual address of the 64-byte descriptor; entry = it + field */
	u64 entry;         /* virtual address of the first instruction */
	u32 kernarg_size, kernarg_align;
	u32 group_size;    /* static LDS, bytes */
	u32 private_size;  /* scratch a lane, bytes */
	u32 sgprs, vgprs, agprs, sgpr_spills, vgpr_spills;
	u32 max_threads;   /* ".max_flat_workgroup_size" */
	u32 wave;          /* ".wavefront_size" */
	bool dynamic_stack;
	const struct code_arg *args; /* explicit ones first, in order, then hidden ones */
	size_t nargs, nexplicit;
	enum heddle_warp_mode mode;  /* UNKNOWN when there is no note */
	u32 max_block;               /* of the note; max_threads when there is none */
	bool asked;                  /* the program asked for the mode */
	struct str reason;           /* of the note: why this mode */
};

struct code_symbol { /* of .dynsym: an object or a function that is defined */
	struct str name;
	u64 addr, size;
	bool is_function;
};

struct code_object {
	struct str image; /* the whole ELF */
	const struct target *target;
	u32 abi;          /* e_ident[EI_ABIVERSION]: 3 is V5, 4 is V6 */
	u32 e_flags;
	const struct code_kernel *kernels;
	size_t nkernels;
	const struct code_symbol *symbols;
	size_t nsymbols;
	u64 low, high;    /* virtual addresses of PT_LOAD: [low, high) */
};

enum code_status code_read(struct arena *a, struct str image, struct code_object *out) NODISCARD;
const struct code_kernel *code_kernel_find(const struct code_object *c, struct str name);
const struct code_symbol *code_symbol_find(const struct code_object *c, struct str name);
/* The function that holds `addr` (.symtab, else .dynsym); an empty name when there is none. */
struct str code_function_at(const struct code_object *c, u64 addr);

/* Copies the PT_LOAD segments to `to` (high - low bytes, zeroed by the caller), which will stand at
 * address `base + (vaddr - low)`, and applies .rela.dyn (R_AMDGPU_RELATIVE64, ABS64, …). `extern_find`
 * gives the address of an undefined symbol or 0, upon which `*missing` names it. */
enum code_status code_load(const struct code_object *c, u8 *to, u64 base,
	u64 (*extern_find)(void *user, struct str name), void *user, struct str *missing) NODISCARD;

/* Source position of a virtual address by .debug_line (DWARF 4 or 5); line 0 when unknown. */
struct code_line {
	const char *file; /* in the arena */
	u32 line, column;
};
struct code_line code_line_find(struct arena *a, const struct code_object *c, u64 addr);

/* One image of a fat binary. */
struct fatbin_image {
	struct str triple; /* "amdgcn-amd-amdhsa" */
	struct str arch;   /* "gfx1100" or "gfx90a:xnack-" */
	struct str image;
	u32 kind;          /* llvm::object::ImageKind: 1 object, 2 bitcode, … */
};
enum { FATBIN_OBJECT = 1, FATBIN_BITCODE = 2 };
/* Steps through OffloadBinary blobs that stand one after the other (8-byte aligned), each with one or
 * more entries. Start with *at = 0, *entry = 0; CODE_OK fills *out; *done is set at the end.
 * `n` may be SIZE_MAX when only headers tell (a section linked into a program): a fat binary that
 * fatbin_add made then ends with its own last blob, whatever follows. */
struct fatbin_iter {
	const u8 *p;
	size_t n, at, entry;
	bool open; /* n was SIZE_MAX: what follows the last blob is not looked at */
};
enum code_status fatbin_next(struct fatbin_iter *it, struct fatbin_image *out, bool *done) NODISCARD;
/* Appends one blob with one entry to a buffer that holds a fat binary and nothing else. */
void fatbin_add(struct buf *b, struct str triple, struct str arch, struct str image, u32 kind);

/* Device code that is not linked yet: bitcode in section .llvm.offloading of a file of the host, which is
 * an object or an archive of them (a thin one, too: `path` finds its members). `each` gets the name of the
 * archive's member ("" in an object) and the image; it says whether to go on. Other files have none. */
typedef bool code_part_fn(void *user, struct str member, const struct fatbin_image *part);
enum code_status code_parts(
	const char *path, struct str file, code_part_fn *each, void *user) NODISCARD;

/* Appends what `heddle info` says of a file's bytes: of a code object, of a fat binary, or of a host
 * ELF file with section .nv_fatbin. Lines of text, each with its newline. */
enum code_status code_info_print(struct buf *b, struct str file) NODISCARD;

#endif
