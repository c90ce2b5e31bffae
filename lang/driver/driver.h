/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * driver.h - the compiler driver `nvcc`. It plans and spawns; it knows flags, files and targets and
 * nothing of the language. The way of a call, each step a file:
 *
 *   flags.c    argv, environment and response files -> struct cmdline, by the table flags.def
 *   toolkit.c  where our own files are, which target this toolkit folder stands for
 *   gpu.c      -arch, -gencode, -code -> the list of GPUs
 *   plan.c     inputs and phase -> struct plan: a unit an input, its passes, then the last step
 *   args.c     the command line of each pass
 *   pch.c      whether it can start from a precompiled cuda_runtime.h
 *   deps.c     make rules of the files read
 *   print.c    the plan as text: --dryrun, -v, --help
 *   spawn.c    how a pass is started
 *   run.c      runs the passes of a unit in parallel, packs the fat binary, links
 *   dlink.c    links device code of several sources (-rdc=true), as a command of its own
 *   report.c   joins the diagnostics of the passes, each printed once
 *
 * Everything lives in the arena of struct driver. Text leaves through its two streams only.
 */
#ifndef HEDDLE_DRIVER_H
#define HEDDLE_DRIVER_H

#include <signal.h>
#include <stdio.h>
#include <sys/types.h>

#include "lang/base.h"
#include "amdgpu/target.h"

struct toolkit {
	const char *root;    /* the folder that holds bin, include, lib; symlinks resolved */
	const char
		*shown; /* the folder that looks like the toolkit: root or root/targets/gfxNNNN */
	const char *target; /* GPU of targets/gfxNNNN, or NULL */
	const char *clang; /* path of clang 22 */
	const char *clangxx; /* the same as a C++ linker */
};

struct driver {
	struct arena *arena;
	FILE *out, *err;
	unsigned errors; /* reported so far */
	bool color; /* err is a terminal */
	struct toolkit kit;
	char *const *environ; /* of the process */
};

enum diag_id {
#define DIAG(name, severity, text) DIAG_##name,
#include "lang/diag.def"
#undef DIAG
	DIAG_COUNT
};
/* Prints "nvcc: error: …" with up to three strings of the message; counts it if it is an error. */
void diag(struct driver *d, enum diag_id id, const char *a, const char *b, const char *c);

/* --- words.c: quoting ---------------------------------------------------------------------- */

typedef VEC(const char *) words; /* grown on the heap; free with words_free */

void words_free(words *w);
/* Splits as a shell would: blanks separate, quotes and backslashes protect and go away. */
void words_split(struct arena *a, struct str text, words *out);
/* Splits nvcc's comma lists: "…" protects commas and stays, a backslash protects and goes. */
void words_list(struct arena *a, struct str text, words *out);
/* Appends the word so that a shell reads it back. */
void word_quote(struct buf *b, const char *word);

/* --- flags.c: the command line -------------------------------------------------------------- */

enum flag_kind {
	FLAG_NONE, /* no argument */
	FLAG_BOOL, /* true or false */
	FLAG_ONE, /* one argument */
	FLAG_NUMBER, /* one argument, decimal */
	FLAG_LIST, /* arguments separated by commas; each becomes a use of its own */
	FLAG_NAMES /* a list of at least one */
};
enum flag_status { FLAG_DONE, FLAG_ACCEPTED, FLAG_REFUSED };

/* Passes that a flag is handed to as the spelling says; bits. */
enum flag_route {
	TO_DEVICE = 1, /* clang for a GPU */
	TO_HOST = 2, /* clang for the host half of a CUDA source */
	TO_CXX = 4, /* clang for plain C and C++ */
	TO_LINK = 8,
	TO_CUDA = TO_DEVICE | TO_HOST,
	TO_CPU = TO_HOST | TO_CXX,
	TO_ALL = TO_DEVICE | TO_HOST | TO_CXX
};

enum flag_id {
#define FLAG(id, name, alias, kind, join, status, route, spelling, help) FLAG_##id,
#include "lang/flags.def"
#undef FLAG
	FLAG_COUNT,
	FLAG_INPUT = FLAG_COUNT, /* not a flag but a file */
	FLAG_TOTAL
};

struct flag {
	const char *name, *alias; /* without dashes; alias may be "" */
	enum flag_kind kind;
	bool join; /* the argument may stick to the alias: -O3 */
	enum flag_status status;
	unsigned route;
	const char *spelling; /* words; % is the argument. "" when code decides */
	const char *help;
};
const struct flag *flag_get(enum flag_id id);

struct flag_use {
	enum flag_id id;
	const char *value; /* "" when there is none; the path of an input */
};

struct cmdline {
	VEC(struct flag_use) uses; /* in order, inputs among them */
};
/* Reads argv[1…], NVCC_PREPEND_FLAGS, NVCC_APPEND_FLAGS and response files; reports what is wrong. */
void cmdline_parse(struct driver *d, char *const *argv, struct cmdline *out);
void cmdline_free(struct cmdline *c);
bool flag_has(const struct cmdline *c, enum flag_id id);
const char *flag_last(const struct cmdline *c, enum flag_id id); /* NULL: not given */
bool flag_true(const struct cmdline *c, enum flag_id id, bool otherwise);

/* --- toolkit.c ------------------------------------------------------------------------------ */

/* Finds our files from the running program; `started_as` is the path before symlinks. */
bool toolkit_find(struct driver *d, const char *started_as, struct toolkit *out) NODISCARD;

/* Whether a folder of headers belongs to some other CUDA toolkit, whose headers must not be taken
 * before ours: build files name them with all their -I$CUDA_HOME/include. */
bool toolkit_is_other(const struct toolkit *k, struct str dir);

/* --- gpu.c ---------------------------------------------------------------------------------- */

struct gpu {
	const char *arch; /* as for --offload-arch, e.g. "gfx90a:xnack-" */
	const struct target *target;
};
typedef VEC(struct gpu) gpus;
/* The GPUs that the flags ask for, each once; at least one unless something was reported. */
void gpus_find(struct driver *d, const struct cmdline *c, gpus *out);
/* A space-separated list of what targets.def knows. */
const char *gpus_known(struct driver *d);

/* --- plan.c --------------------------------------------------------------------------------- */

enum phase {
	PHASE_PREPROCESS, /* -E */
	PHASE_DEPS, /* -M -MM */
	PHASE_CUBIN, /* -cubin */
	PHASE_FATBIN, /* -fatbin */
	PHASE_COMPILE, /* -c, -dc */
	PHASE_LIB, /* -lib */
	PHASE_DLINK, /* -dlink */
	PHASE_LINK,
	PHASE_RUN /* -run */
};

enum lang { LANG_NONE, LANG_CUDA, LANG_CXX, LANG_C, LANG_ASM, LANG_ASM_CPP };

enum pass_kind { PASS_DEVICE, PASS_HOST, PASS_PLAIN };

struct pass {
	enum pass_kind kind;
	const struct gpu *gpu; /* of a device pass */
	words argv;
	size_t fatbin_arg; /* index in argv of the fat binary's path, 0: none */
	size_t header_arg; /* index of "-include", "cuda_runtime.h", 0: none */
	u64 key; /* of all words of argv that a precompiled header depends on */
	const char *pch; /* the precompiled header to take instead, or NULL */
	const char *out; /* the file it writes; NULL: standard output */
	const char *deps; /* the make rule it writes, or NULL */
};

/* What is done with one input file. */
struct unit {
	const char *given; /* the word of the command line */
	const char *input; /* the file that clang reads: `given`, or a copy of standard input */
	const char *stem; /* its name without folder and suffix */
	enum lang lang;
	bool from_stdin;
	VEC(struct pass) passes;
	const char *fatbin; /* where the fat binary goes; a pipe stands in unless it is kept */
	bool keep_fatbin;
	const char *output; /* the last file; NULL: standard output */
};

struct plan {
	enum phase phase;
	gpus gpu;
	VEC(struct unit) units;
	bool rdc; /* device code is linked later: a unit's is bitcode */
	words dlink; /* command that links device code before the last step; empty: none */
	const char *linked; /* the object that it makes */
	words last; /* command of the link or archive step; empty: none */
	const char *output; /* of the last step */
	words program; /* what -run runs; empty: nothing */
	const char *temp; /* folder of what is not kept */
	const char *keep; /* folder of what is, made when missing; NULL: the working folder */
	bool dry, verbose;
	bool phony; /* -MP: make rules have an empty one for each header */
	bool usage; /* tell registers and memory of the kernels */
	unsigned threads; /* units at a time */
};

/* Makes the plan; `temp` is the folder for intermediate files (it need not exist yet). */
void plan_make(struct driver *d, const struct cmdline *c, const char *temp, struct plan *out);
void plan_free(struct plan *p);
/* The words to run: argv, with the precompiled header (if `pch` and there is one), and `fatbin` as
 * the path of the fat binary (NULL: as planned). */
void pass_argv(struct driver *d, const struct pass *pass, bool pch, const char *fatbin, words *out);

/* --- args.c --------------------------------------------------------------------------------- */

void args_device(struct driver *d, const struct cmdline *c, const struct plan *p, struct unit *u,
	struct pass *pass);
void args_host(struct driver *d, const struct cmdline *c, const struct plan *p, struct unit *u,
	struct pass *pass);
void args_plain(struct driver *d, const struct cmdline *c, const struct plan *p, struct unit *u,
	struct pass *pass);
void args_link(struct driver *d, const struct cmdline *c, struct plan *p);
void args_archive(struct driver *d, const struct cmdline *c, struct plan *p);
/* The command of the device link, if `always` or a file needs it; false: it does not. */
bool args_dlink(struct driver *d, const struct cmdline *c, struct plan *p, bool always);
struct dlink_flags {
	bool fast, debug; /* optimised; with debug information of variables */
	bool remarks; /* of the warp mode of each kernel */
	bool usage; /* tell registers and memory of the kernels */
};
/* Links the bitcode files of one GPU to a code object. */
void args_dlink_gpu(struct driver *d, const struct dlink_flags *f, const char *arch,
	const words *parts, const char *out, words *argv);
/* Compiles the object that the host's linker takes. */
void args_dlink_host(struct driver *d, const char *source, const char *out, words *argv);

/* --- dlink.c -------------------------------------------------------------------------------- */

/* cc1's option that puts a fat binary of bitcode into an object of the host. */
#define FATBIN_EMBED "-fembed-offload-object="

/* Whether a file has device code that waits for its link. */
bool dlink_needed(struct driver *d, const char *path);
/* Links the device code of `files` and writes `out`, an object of the host; the exit status. */
int dlink_run(struct driver *d, const struct dlink_flags *f, const words *files, const char *out);

/* --- pch.c ---------------------------------------------------------------------------------- */

#define PCH_KEY 0xcbf29ce484222325u

u64 pch_key(u64 key, const char *word); /* adds a word */
bool pch_macro_free(const char *definition); /* -D of it leaves the header as it is */
void pch_find(struct driver *d, struct pass *pass); /* sets pass->pch */
/* Prints shell commands that build the precompiled headers of common calls in `dir`. */
void pch_print(struct driver *d, FILE *out, const char *dir);
/* Whether the text of a failed pass blames the precompiled header. */
bool pch_blamed(const struct pass *pass, const struct buf *text);

/* The value of one row of macros.def; "" when there is none. */
const char *macro_value(const char *name);

/* --- deps.c --------------------------------------------------------------------------------- */

/* Adds to the make rule in `file` what the rule in `more` has besides; `phony`: with a rule for each,
 * as -MP asks. */
bool deps_add(struct driver *d, const char *file, const char *more, bool phony);

/* --- print.c -------------------------------------------------------------------------------- */

void print_version(FILE *out);
void print_help(FILE *out);
void print_flags(FILE *out); /* the table as "name, status, reason" lines */
/* What build systems read: "#$ TOP=…", "#$ LIBRARIES=…". */
void print_prelude(struct driver *d, const gpus *g);
void print_unit(struct driver *d, const struct plan *p, const struct unit *u);
void print_command(struct driver *d, const words *argv);
void print_last(struct driver *d, const struct plan *p);

/* --- spawn.c -------------------------------------------------------------------------------- */

/* The environment of clang: `temp` is the place of its temporary files, and what adds folders of
 * headers does not add another toolkit's. In the arena; NULL: no memory. */
char **env_make(struct driver *d, const char *temp);
/* Starts a command with signal mask `mask` and the given files (-1: ours) as 1, 2 and 3; its process,
 * or 0 when it cannot be run, which is reported. */
pid_t spawn(struct driver *d, const words *argv, char *const *env, const sigset_t *mask, int out,
	int err, int three);
/* Copies standard input to the unit's file, so that diagnostics name <stdin>. */
bool stdin_copy(struct driver *d, const struct unit *u);
/* Removes a result that must not be taken for one; /dev/null and the like stay. */
void file_discard(const char *path);
/* Removes a folder and the files in it. */
void folder_remove(const char *path);

/* --- run.c ---------------------------------------------------------------------------------- */

/* Carries the plan out; the exit status. *signal is set to the signal that ended it, or 0. */
int plan_run(struct driver *d, struct plan *p, int *signal);

/* --- report.c ------------------------------------------------------------------------------- */

/* Texts of the passes of one unit, in the order they shall be read. A diagnostic (the line with
 * file, line and severity) that an earlier pass has printed is left out, its notes with it. */
void report_print(FILE *err, const struct buf *texts, size_t n);

#endif
