/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * wave.h - what the parts of the executor share: registers, micro-operations, rows, code, workgroups.
 *
 * A wave has one or two halves of 32 lanes. Each half has a register file of its own, v[register][lane],
 * so a vector operation is always a loop over 32 lanes with constant strides; wave64 runs it twice.
 * All scalar state a program can name stands in one array s[], addressed by enum scalar.
 *
 * Code becomes micro-operations (struct uop) when it is first reached: operands are resolved to byte
 * offsets, constants to broadcast arrays in a pool, names to kernels. A kernel is a pure loop over 32
 * lanes, made from a row of isa.def; it computes all lanes, whoever calls it writes those that EXEC names.
 * What has state (memory, lanes of others, control) is a helper: enum stop (wave, uop).
 */
#ifndef HEDDLE_EXEC_WAVE_H
#define HEDDLE_EXEC_WAVE_H

#include "amdgpu/exec/exec.h"
#include "amdgpu/exec/inst.h"
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#define LANES     32
#define ROW       (LANES * 4)  /* bytes of one register of one half */
#define AGPR_BASE 256          /* accumulation registers follow the vector registers */
#define FILE_REGS 512          /* registers of a file that has them, else 256 */

/* AddressSanitizer watches a row behind each file of registers, and what follows a wave's scratch. */
#ifdef __SANITIZE_ADDRESS__
#define WATCHED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WATCHED 1
#endif
#endif
#ifndef WATCHED
#define WATCHED 0
#endif

/* --- scalar state ------------------------------------------------------------------------------ */

enum scalar {
	S_VCC = 106,
	S_TTMP = 108, /* 16 of them */
	S_M0 = 124,
	S_EXEC = 126,
	S_SCC = 128,
	S_FLAT = 130, /* flat_scratch of gfx9 and gfx10 */
	S_XNACK = 132,
	S_SINK = 136, /* null as a destination: as long as the longest load */
	S_ZERO = 152, /* null as a source: as long */
	S_COUNT = 168
};

/* --- micro-operations -------------------------------------------------------------------------- */

struct wave;
struct uop;

enum stop {
	STOP_NONE,
	STOP_QUANTUM, /* its instructions are used up */
	STOP_SLEEP, /* it wants others to go first */
	STOP_BARRIER,
	STOP_END,
	STOP_FAULT /* wave->fault is filled */
};

/* d: destination; a, b, c: operands; x: the row's lane mask, in or out, as 0 or ~0 a lane.
 * Arrays of 32 u32; a 64-bit operand has its high words in the next 32. */
typedef void kernel_fn(u32 *d, const u32 *a, const u32 *b, const u32 *c, u32 *x);
/* The same for the lanes in m only; a quick way for rows that have one. */
typedef void some_fn(u32 *d, const u32 *a, const u32 *b, const u32 *c, u32 m);
typedef enum stop help_fn(struct wave *w, const struct uop *o);

enum src_kind {
	SRC_VGPR, /* at: byte offset in the half's register file */
	SRC_CONST, /* at: byte offset in the pool of constants */
	SRC_SGPR, /* at: index in s[]; broadcast when read */
	SRC_MASK, /* at: index in s[] of a lane mask */
	SRC_KINDS
};

struct src {
	u32 at;
	u8 kind; /* enum src_kind */
	u8 n; /* dwords */
	u8 type; /* enum type of the row's operand */
	u8 imm; /* scalar operations: 1 + index of k[] that holds the value, 0: s[at];
	         * vector operations: SRC_NEG, SRC_ABS */
};
#define SRC_NEG 1
#define SRC_ABS 2

/* What modifiers do to an operand or a result; in the arena of the code. */
struct mods {
	struct {
		bool neg, abs, sext, neg_hi;
		u8 sel; /* enum sel */
		bool hi; /* op_sel: the half that the low result (or a 16-bit operand) reads */
		bool hi2; /* op_sel_hi */
	} src[3];
	bool clamp, merge; /* merge: a 16-bit result leaves the other half alone */
	bool keep_nan; /* clamped NaN: MODE says so */
	u8 omod; /* 1: *2, 2: *4, 3: /2 */
	u8 dst_sel, dst_unused;
	bool dst_hi;
	u8 dpp; /* enum dpp, 0: none */
	u8 row_mask, bank_mask;
	bool bound_ctrl, fi;
	u32 ctrl; /* of dpp */
	u8 dtype; /* enum type of the result */
	u8 nsrc;
	bool cmp, cmpx, xout, xin;
	i8 from[2 * LANES]; /* dpp: the lane that a lane reads, */
	u32 inside[2]; /* whether it is one of the row or wave, */
	u32 write[2]; /* and whether row_mask and bank_mask let it write */
};
enum sel {
	SEL_BYTE_0,
	SEL_BYTE_1,
	SEL_BYTE_2,
	SEL_BYTE_3,
	SEL_WORD_0,
	SEL_WORD_1,
	SEL_DWORD
}; /* as in text.c */
enum dpp {
	DPP_NONE,
	DPP_QUAD_PERM,
	DPP_ROW_SHL,
	DPP_ROW_SHR,
	DPP_ROW_ROR,
	DPP_WAVE_SHL,
	DPP_WAVE_ROL,
	DPP_WAVE_SHR,
	DPP_WAVE_ROR,
	DPP_ROW_MIRROR,
	DPP_ROW_HALF_MIRROR,
	DPP_ROW_BCAST,
	DPP_ROW_SHARE,
	DPP_ROW_XMASK,
	DPP_8
};

/* Memory instructions that do more than move: run/rare.c. */
enum rare {
	RARE_NONE,
	RARE_LDS, /* loads into LDS */
	RARE_TR16,
	RARE_TR8,
	RARE_TR4,
	RARE_TR6,
	RARE_TR16_128, /* loads that transpose elements of so many bits */
	RARE_ADDTID,
	RARE_APPEND,
	RARE_CONSUME,
	RARE_CONDXCHG
};

/* Memory instructions: what a lane's address is made of. */
struct access {
	u8 space; /* enum space_kind */
	u8 bytes; /* of one element in memory */
	u8 dwords; /* registers of the data */
	u8 sign, d16,
		hi; /* sub-dword loads: sign-extend, keep the other half, into the high half */
	u8 atomic; /* enum atomic, 0: load or store */
	u8 ret; /* atomics: returns the old value */
	u8 store;
	u8 two; /* DS: 2addr; second offset in offset2 */
	bool has_vaddr, has_saddr, idxen, offen, soff_const;
	u8 vaddr_n; /* dwords of the address */
	i32 offset, offset2;
	u32 saddr; /* index in s[] of the scalar base; V# of a buffer */
	u32 soff; /* index in s[] of a buffer's soffset, or its value if soff_const */
	u32 vaddr, data, data2, dst; /* byte offsets in the register file */
	u8 rare; /* enum rare, 0: none */
	bool quick; /* plain dwords of global memory: may have one of the easy shapes */
	u8 align; /* bits of an address that must be 0, with exec_config.aligned */
};

struct uop {
	u16 code; /* enum code */
	u8 fp; /* 0, or 1 (f32) or 2 (f64 and f16): which rounding and denormal mode it obeys */
	u8 nd; /* dwords of the result; U_LDS: operations of its run */
	u32 pc; /* byte offset in its range of code */
	union {
		kernel_fn *kernel;
		help_fn *help;
		_Atomic(const struct uop *) target; /* of a branch, once known */
	};
	struct src src[3];
	u32 dst; /* byte offset in the register file; scalar operations: index in s[] */
	u32 mask; /* index in s[] of the lane mask that is written or read; U_V1 to U_VSIGN: enum type of the result */
	union {
		u64 k[2];
		struct {
			const struct mods *mods;
			const struct access *access;
		};
		some_fn *some; /* U_V1 … U_VSIGN: the kernel for part of the lanes, or NULL */
		struct {
			i64 to; /* branch: byte offset in the range */
			const char *what; /* U_BAD: why; nd: it is an instruction, which the executor lacks */
		};
	};
};
_Static_assert(sizeof(struct uop) == 64, "one cache line");

enum code {
	U_BAD, /* not an instruction, or one that the executor lacks: `what` */
	U_GOTO, /* end of a block: goes on elsewhere; no instruction */
	U_BRANCH,
	U_SCC0,
	U_SCC1,
	U_VCCZ,
	U_VCCNZ,
	U_EXECZ,
	U_EXECNZ,
	U_SETPC,
	U_SWAPPC,
	U_CALL,
	U_GETPC,
	U_END,
	U_BARRIER,
	U_SLEEP,
	U_FENCE,
	U_HELP,
	U_LDS, /* loads or stores of dwords in LDS: the next nd have one address register */
	U_V1,
	U_V2,
	U_V3, /* vector, no modifiers: number of sources */
	U_VSIGN, /* one to three sources, some with another sign */
	U_VCARRY, /* two or three sources, and a lane mask besides */
	U_VCMP,
	U_VCMPX, /* writes a lane mask; EXEC */
	U_VX, /* anything vector: with modifiers or lane masks */
	U_DUAL, /* the next two read before either writes */
#include "amdgpu/exec/isa_none.h"
#undef SALU
#undef EXECOP
#undef EXECWR
#define SALU(name, D, A, B, value, scc) U_##name,
#define EXECOP(name, T, value)          U_##name,
#define EXECWR(name, T, value)          U_##name,
#include "amdgpu/exec/isa.def"
	U_COUNT
};

/* --- rows of isa.def ---------------------------------------------------------------------------- */

enum type {
#define TYPE(name, ctype, dwords, fp) T_##name,
#include "amdgpu/exec/type.def"
#undef TYPE
	T_COUNT
};
u8 type_dwords(enum type t);
u8 type_fp(enum type t);

enum row_kind {
	ROW_SALU, /* scalar; `code` is the operation */
	ROW_VALU,
	ROW_CMP, /* lane mask out */
	ROW_HELP, /* a helper by name */
	ROW_MATRIX, /* matrix.c */
	ROW_WIDE, /* more than two registers an operand: m[] dwords of d, a, b, c */
	ROW_SFLOAT, /* scalar float: `code` is the vector row */
	ROW_MEM, /* memory instruction: parse in memory.c */
	ROW_NOP,
	ROW_FLOW /* decoded by name in translate.c */
};

enum row_id {
#define ROW_ANY(name) R_##name,
#include "amdgpu/exec/rows.h"
	R_COUNT
};

struct row {
	const char *text; /* the name */
	u8 kind;
	u8 d, src[3]; /* enum type */
	u8 flags; /* ROW_ACC … */
	u16 code; /* enum code of scalar rows */
	u8 m[7]; /* memory rows: bytes, dwords, sign, d16, hi, enum atomic, enum rare */
};
#define ROW_ACC  1 /* third source is the old destination */
#define ROW_XOUT 2 /* writes a lane mask besides */
#define ROW_XIN  4 /* reads VCC besides */
#define ROW_CMPX 8
#define ROW_OLD  16 /* lanes see the old destination as `d` */

/* One build of the hot parts: baseline (v1) and x86-64-v3. */
struct runner {
	const char *name;
	enum stop (*run)(struct wave *w);
	kernel_fn *const *kernel; /* [R_COUNT], NULL where a row has none */
	kernel_fn *const *sat; /* clamped integer forms */
	some_fn *const *some;
	help_fn *const *help; /* [R_COUNT] */
	help_fn *memory; /* loads, stores, atomics: by uop->access */
	help_fn *rare; /* the same of those with access->rare */
};
extern const struct runner runner_v1, runner_v3; /* v3 only on x86-64 with AVX2 and FMA */

enum atomic {
	ATOMIC_NONE,
	ATOMIC_SWAP,
	ATOMIC_CMPSWAP,
	ATOMIC_CMPSWAP_OLD,
	ATOMIC_ADD,
	ATOMIC_SUB,
	ATOMIC_RSUB,
	ATOMIC_CSUB,
	ATOMIC_SMIN,
	ATOMIC_UMIN,
	ATOMIC_SMAX,
	ATOMIC_UMAX,
	ATOMIC_AND,
	ATOMIC_OR,
	ATOMIC_XOR,
	ATOMIC_INC,
	ATOMIC_DEC,
	ATOMIC_FADD,
	ATOMIC_FMIN,
	ATOMIC_FMAX,
	ATOMIC_PKADD_F16,
	ATOMIC_PKADD_BF16,
	ATOMIC_CONDSUB,
	ATOMIC_MSKOR, /* from here on: two operands */
	ATOMIC_WRAP,
	ATOMIC_FCMPSWAP,
	ATOMIC_FCMPSWAP_OLD
};
enum space_kind { SPACE_GLOBAL, SPACE_FLAT, SPACE_SCRATCH, SPACE_BUFFER, SPACE_DS, SPACE_SCALAR, SPACE_KINDS };

/* --- code --------------------------------------------------------------------------------------- */

struct exec;
struct checked { /* a kernel that reach.c has looked at */
	struct checked *next;
	u64 entry;
	const struct uop *bad; /* what it can reach and the executor lacks; NULL: nothing */
};
struct region { /* one range of executable memory and what became of it */
	struct region *next;
	u64 base, size;
	u32 wave; /* lanes of the waves that run it */
	struct arena arena;
	_Atomic(const struct uop *) *at; /* by (pc - base) / 4 */
	struct checked *checked; /* under the code's lock */
};
/* Before a kernel starts: false and *f filled when it can reach an instruction that the executor lacks. The caller
 * has entered the space. */
bool reach_check(struct exec *e, u64 entry, u32 wave, struct exec_fault *f);
/* The operation at a pc; NULL and *f filled when it is no code. Any thread. */
const struct uop *code_at(
	struct exec *e, u64 pc, u32 wave, struct region **r, struct exec_fault *f);

/* --- memory ------------------------------------------------------------------------------------- */

struct interval {
	u64 base, size;
	u32 kind;
};
struct reader { /* a thread that runs waves: what it has seen of the space */
	struct reader *next;
	_Atomic u64 seen; /* ~0: holds nothing */
};
void space_enter(struct exec_space *s, struct reader *r);
void space_leave(struct exec_space *s, struct reader *r);
bool space_quiesce(
	struct exec_space *s, struct reader *r); /* true when intervals may have changed */
/* The interval that holds an address; valid until the reader quiesces. */
bool space_find(struct exec_space *s, u64 addr, struct interval *out);

/* --- waves and workgroups ----------------------------------------------------------------------- */

enum { ODD_FLUSH_IN = 1, ODD_FLUSH_OUT = 2, /* denormals of halves */ ODD_NOT_IEEE = 4 };
enum { MODE_DX10_CLAMP = 1 << 8, MODE_IEEE = 1 << 9, MODE_FP16_OVFL = 1 << 23 };

struct mem_near { /* an interval of the space, found lately */
	u64 base, size;
};

/* Where a thread puts down rows between two steps of an operation; not in the wave, to spare the caches. A row of
 * `wide` is a scalar register broadcast, good as long as its first dword is the register's value. */
enum { WIDE_ROWS = 16, WIDE2_ROWS = 4, NEAR = 6 };
struct desk {
	_Alignas(64) u32 tmp[4][2 * LANES]; /* operands, masks */
	_Alignas(64) u32 out[16 * LANES]; /* results before EXEC */
	_Alignas(64) u32 wide[4 * WIDE_ROWS][LANES]; /* by the operand's number, too */
	_Alignas(64) u32 wide2[4 * WIDE2_ROWS][2 * LANES]; /* of pairs */
	struct mem_near near[2][NEAR]; /* for loads, for stores; the latest first */
};

struct wave {
	const u8 *base[2]; /* by enum src_kind: registers of the half at work, pool */
	const struct uop *pc;
	u32 s[S_COUNT];
	u8 halves;
	bool ended, waiting, halted;
	bool moded; /* rounding or denormals are not the host's default, or `odd` is not 0 */
	u8 odd; /* ODD_…: what the host's own modes cannot do */
	bool stored; /* stored to global memory since its last fence */
	bool signalled; /* arrived at the barrier that its next wait is for (gfx12) */
	u32 signalled_at; /* … when the group's barriers were so many */
	u32 mode; /* MODE register: round 3:0, denorm 7:4, … */
	u32 csr[3]; /* host floating-point control by uop->fp */
	i64 budget;
	u64 count; /* instructions executed */
	u64 code_base;
	struct region *region;
	struct mem_near load, store;
	struct group *group;
	u8 *file; /* registers of the halves, one file after the other */
	u64 file_bytes; /* of one half */
	u8 *scratch; /* [dword][lane]: dword-interleaved over all lanes of the wave */
	u32 scratch_bytes; /* of one lane */
	u32 index; /* in its workgroup */
	u32 hwreg[32]; /* what s_setreg wrote elsewhere than MODE */
	struct exec_fault *fault;
	struct delay *delay; /* what is on its way from memory, when delays are shown; else NULL */
	u32 (*tmp)[2 * LANES]; /* of the thread's struct desk */
	u32 *out;
	u32 (*wide)[LANES];
	u32 (*wide2)[2 * LANES];
	struct mem_near (*near)[NEAR];
};

struct dispatch;
struct group {
	struct group *next;
	struct dispatch *dispatch;
	u32 id[3], size[3];
	u32 nwaves, alive, arrived;
	u32 barriers; /* completed */
	u8 *lds;
	u32 lds_bytes;
	u32 threads;
	struct wave *wave; /* [nwaves] */
	struct exec_counts *counts; /* NULL: nothing is counted */
};

struct dispatch {
	struct dispatch *next;
	struct exec *e;
	const hsa_kernel_dispatch_packet_t *p;
	u64 queue, kernarg, entry, descriptor;
	u32 rsrc1, rsrc2, rsrc3, props;
	u32 grid[3], group[3], groups[3];
	u64 ngroups, order_mul;
	_Atomic u64 claimed;
	_Atomic u32 resident;
	u32 waves, wave_size,
		cap; /* waves a workgroup; most resident workgroups as the hardware has it */
	u32 vgprs, lds_bytes, scratch_bytes;
	bool architected; /* scratch by hardware, not by V# */
	_Atomic bool stop;
	_Atomic u64 spent; /* instructions so far, kept where there is a limit */
	_Atomic u32 shares, stuck; /* threads at work, and those of them whose waves all poll or wait */
	_Atomic bool warned;
	pthread_mutex_t lock;
	struct exec_fault *fault;
	struct exec_fault dead; /* the first workgroup that can never end; no kind: none */
	u64 instructions, nwaves;
	struct exec_counts *counts; /* NULL: nothing is counted */
	u32 workers; /* threads at work besides the caller */
};

struct exec {
	const struct target *target;
	struct exec_space *space;
	struct exec_config config;
	const struct runner *runner;
	/* code */
	pthread_mutex_t code_lock;
	struct region *regions;
	_Atomic(struct region *) last;
	struct gcn_decoder *decoder[2]; /* of wave32 and wave64 code; made when first used */
	u16 *index; /* hash of row names */
	u8 *pool; /* constants, broadcast over 32 lanes; never moves */
	size_t pool_used;
	u32 *pool_hash;
	/* memory of workgroups that ended */
	pthread_mutex_t spare_lock;
	struct spare *spares;
	size_t spare_bytes;
	/* workers */
	pthread_mutex_t lock;
	pthread_cond_t work, idle;
	struct dispatch *dispatches;
	pthread_t *threads;
	u32 nthreads;
	bool quit;
};

/* sched.c */
bool sched_start(struct exec *e);
void sched_stop(struct exec *e);
void sched_run(struct exec *e, struct dispatch *d); /* to its end */
void barrier_check(struct group *g); /* lets the waves go on if all have arrived */
struct share; /* what one thread runs of one dispatch */
/* Runs a wave for at most `budget` instructions (or the block that it is in). */
enum stop wave_turn(struct share *s, struct group *g, struct wave *w, i64 budget);
/* stuck.c */
enum stuck {
	STUCK_NOT, /* it goes on, for all we know */
	STUCK_POLLS, /* nothing changes but what others may write */
	STUCK_DEAD /* nobody else can change it */
};
struct snapshot { /* memory of stuck_group between calls */
	u8 *p;
	size_t n;
	struct wave *polls; /* a wave that does, of the group that was looked at last */
};
enum stuck stuck_group(struct share *s, struct group *g, struct snapshot *shot);
/* Fills *f from a workgroup that is stuck. */
void stuck_describe(struct group *g, enum stuck how, const struct wave *polls, struct exec_fault *f);
bool group_waits(const struct group *g); /* all of its waves stand at a barrier or are halted */
/* wave.c */
struct group *group_new(struct dispatch *d, u64 number); /* NULL: no memory */
void group_reset(struct group *g, u64 number); /* reuse for another workgroup */
void group_free(struct group *g);
void groups_fini(struct exec *e); /* what group_free keeps for the next dispatch */
bool wave_fault(struct wave *w, enum exec_fault_kind kind, const char *fmt, ...) PRINTF(3, 4);
void wave_mode(struct wave *w, u32 mode); /* sets MODE and what follows from it */
/* count.c; operations before instructions, for HEDDLE_COUNTERS */
struct block;
void count_instruction(struct block *b, const struct gcn_inst *i, size_t first);
bool count_is(const struct uop *o); /* one of them: it changes nothing else */
void count_launch(struct exec_counts *c, const struct dispatch *d);
bool count_group_new(struct group *g);
void count_group_end(struct group *g); /* adds to the dispatch's counts and begins anew */
/* delay.c; the same, for HEDDLE_EXEC_DELAY */
void delay_instruction(struct block *b, const struct gcn_inst *i, size_t first);
bool delay_is(const struct uop *o); /* one that only watches; the others stand for what happens later */
bool delay_new(struct wave *w); /* false: no memory */
void delay_reset(struct wave *w); /* forgets what is on its way */
void delay_free(struct wave *w);
/* At each turn of its workgroup: what waits for long happens. False: it faulted. */
bool delay_tick(struct wave *w);
const struct uop *delay_original(const struct uop *o); /* what it does in the end */
bool delay_holds(const struct wave *w); /* something has been issued and did not happen */
/* code.c, translate.c, operand.c, memory.c */
struct block { /* what translate appends to */
	struct exec *e;
	struct region *r;
	struct uop *p;
	size_t n, cap;
	bool ended, failed;
	u32 index_mode; /* between s_set_gpr_idx_on and …_off: its mode */
	u64 pc;
};
struct uop *block_add(struct block *b);
/* k[0] of a move with an indexed register: which one is, and that only 8 bits of M0 count */
enum { INDEX_SRC = 1, INDEX_DST = 2, INDEX_BYTE = 4, INDEX_TWO = 8 /* one each */, INDEX_SWAP = 16 };
void translate(struct block *b, const struct gcn_inst *i);
bool translate_memory(struct block *b, const struct gcn_inst *i, const struct row *row);
const struct row *row_find(struct exec *e, struct str name);
const struct row *row_of(struct exec *e, const struct gcn_inst *i); /* v_cmpx_… is v_cmp_… */
bool row_index(struct exec *e); /* builds the hash; false: no memory */
u32 row_number(const struct row *r); /* its enum row_id */
const char *row_missing(struct str name); /* why there is none (missing.def) */
bool code_init(struct exec *e);
void code_fini(struct exec *e);
void block_bad(struct block *b, const char *what);
/* One more operation before number `at`, zeroed; NULL: no memory. */
struct uop *block_insert(struct block *b, size_t at);
int scalar_src(const struct gcn_operand *op); /* index in s[], null included; -1: no such */
int scalar_dst(const struct gcn_operand *op);
int scalar_index(const struct gcn_operand *op); /* the same without null */
i32 vector_at(const struct gcn_operand *op,
	u32 dwords); /* byte offset in the file; 0 dwords: any; -1: no */
bool constant(const struct gcn_operand *op, enum type t, u64 *bits);
/* Fills *s from an operand of a row's type; false: it can be none. */
bool source(struct block *b, const struct gcn_operand *op, enum type t, struct src *s);
u32 pool_add(struct exec *e, u64 value, bool wide); /* ~0: full */

#endif
