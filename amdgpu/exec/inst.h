/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * inst.h - one AMDGCN instruction as LLVM's disassembler prints it, taken apart.
 *
 * decode.c asks LLVM for the text of the instruction at an address; text.c parses that text into a
 * `struct gcn_inst` and prints it back: print(parse(t)) equals t for every text LLVM prints, and a token that
 * is not consumed is an error. Nothing here knows what an instruction means; isa.def does.
 */
#ifndef HEDDLE_INST_H
#define HEDDLE_INST_H

#include "lang/base.h"
#include "amdgpu/target.h"

enum gcn_operand_kind {
	GCN_NONE,
	GCN_VGPR,    /* reg, n dwords */
	GCN_AGPR,
	GCN_SGPR,
	GCN_TTMP,
	GCN_SPECIAL, /* reg is an enum gcn_special */
	GCN_INT,     /* an inline integer or a plain literal: imm; `hex` when printed as 0x… */
	GCN_FLOAT, /* an inline decimal (0.5, 1.0, …, 0.15915494): num; its bits depend on the operand's type */
	GCN_LITERAL, /* lit(0x…) or lit64(0x…): imm */
	GCN_OFF, /* "off" */
	GCN_LIST, /* [v1, v[3:4], …] of an image instruction: list[] of the instruction */
	GCN_NAME /* a symbolic immediate: hwreg(…), sendmsg(…), vmcnt(…) …: text; gcn_read fills imm (simm16) */
};

enum gcn_special {
#define GCN_SPECIAL_REG(id, text, dwords) GCN_##id,
#include "amdgpu/exec/special.def"
#undef GCN_SPECIAL_REG
	GCN_SPECIAL_COUNT
};

enum gcn_half { GCN_WHOLE, GCN_LO, GCN_HI }; /* v1, v1.l, v1.h */

struct gcn_operand {
	u8 kind; /* enum gcn_operand_kind */
	u8 n; /* dwords: v[2:5] is 4 */
	u16 reg;
	u8 half; /* enum gcn_half */
	bool neg, abs, sext;
	bool hex; /* printed as 0x… */
	bool ranged; /* printed as v[2:2], even if n is 1 */
	bool lit64;
	bool open; /* LLVM closes the bar of "|v45, vcc_lo|" one operand late */
	i64 imm;
	double num;
	struct str text; /* GCN_NAME: as printed */
};

/* Everything that is printed after the operands. Absent ones are 0, flags have a bit in `seen`. */
enum gcn_mod {
#define GCN_MOD(id, text, kind) GCN_MOD_##id,
#include "amdgpu/exec/mod.def"
#undef GCN_MOD
	GCN_MOD_COUNT
};

enum gcn_form { GCN_PLAIN, GCN_E32, GCN_E64, GCN_DPP, GCN_E64_DPP, GCN_SDWA };

/* A set of modifiers. */
__extension__ typedef unsigned __int128 gcn_mods;

#define GCN_OPERANDS 10
struct gcn_inst {
	struct str name; /* "v_add_f32": without the suffix of the form */
	u8 form; /* enum gcn_form: _e32, _e64, _dpp, _e64_dpp, _sdwa */
	u8 nops;
	u8 bytes; /* in memory; set by gcn_read */
	bool gap; /* two spaces after the name */
	struct gcn_operand op[GCN_OPERANDS];
	gcn_mods seen; /* bit i: modifier i is printed; ask gcn_has */
	gcn_mods hexmods; /* bit i: modifier i is printed as 0x… */
	i32 mod[GCN_MOD_COUNT]; /* value of modifier i, 0 when absent; see mod.def */
	u8 modn[GCN_MOD_COUNT]; /* elements that a BITS modifier printed */
	struct str symbol; /* of the TEXT modifier, if any */
	const struct gcn_operand *list; /* of the GCN_LIST operand: VGPRs */
	u8 nlist;
	struct gcn_inst *dual; /* second half of a VOPD instruction ("::"), else NULL */
	struct str text; /* as LLVM printed it */
};

static inline bool
gcn_has(const struct gcn_inst *i, enum gcn_mod m)
{
	return i->seen >> m & 1;
}

/* Parses one line; `text` must outlive *out. False: `*why` (static text) and `*at` (offset) say what was not understood. */
bool gcn_parse(
	struct arena *a, struct str text, struct gcn_inst *out, const char **why, size_t *at);
/* Prints it as LLVM does. */
void gcn_print(struct buf *b, const struct gcn_inst *i);

/* LLVM's disassembler, loaded (dlopen) on first use. One context a decoder; not thread-safe. */
struct gcn_decoder;
struct gcn_decoder *gcn_decoder_new(
	const struct target *t, const char **why); /* NULL: no LLVM; why */
/* The same for code of another wave size than the GPU's usual one: lane masks are pairs or single registers. */
struct gcn_decoder *gcn_decoder_new_wave(const struct target *t, u32 wave, const char **why);
void gcn_decoder_free(struct gcn_decoder *d);
/* The text of the instruction at `p` (`n` readable bytes) that stands at address `pc`. Returns its
 * size in bytes, 0 when the bytes are no instruction. */
size_t gcn_decode(struct gcn_decoder *d, const u8 *p, size_t n, u64 pc, char *text, size_t cap);
/* Decodes and parses; everything in *out lives in the arena. False: *why (static text). */
bool gcn_read(struct gcn_decoder *d, struct arena *a, const u8 *p, size_t n, u64 pc,
	struct gcn_inst *out, const char **why);

#endif
