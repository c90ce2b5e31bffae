/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * args.c - the command line of each pass. The two halves of a CUDA source go through clang's two GPU
 * dialects, HIP for the GPUs and CUDA for the host, whose names agree; the macros of macros.def and
 * the plugins make one language of them. The host half is pinned to our own toolkit folder and its
 * version.json: else clang picks a CUDA SDK of the machine, or a launch sequence older than 9.2.
 *
 * A key is taken of all words but those that a precompiled cuda_runtime.h does not depend on (pch.c):
 * what is not known to be harmless is in the key.
 */
#include "lang/driver/driver.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What one command line is built from. */
struct maker {
	struct driver *d;
	const struct cmdline *c;
	const struct plan *p;
	words *argv;
	unsigned to; /* the one enum flag_route bit of this pass */
	struct pass *pass; /* NULL for the last step */
	bool free;   /* words now added leave the header as it is */
};

static void
add(struct maker *m, const char *word)
{
	if (m->pass && word && !m->free)
		m->pass->key = pch_key(m->pass->key, word);
	if (!word || !VEC_PUSH(m->argv, word))
		m->d->arena->failed = true;
}

static void
add_all(struct maker *m, const char *const *list)
{
	for (; *list; list++)
		add(m, *list);
}
#define ADD(m, ...) add_all((m), (const char *const[]){__VA_ARGS__, NULL})

/* A path below the toolkit. */
static const char *
kit(struct maker *m, const char *path)
{
	return arena_printf(m->d->arena, "%s/%s", m->d->kit.root, path);
}

/* --- macros --------------------------------------------------------------------------------- */

static const char *
arch_list(struct maker *m)
{
	struct buf b = {0};
	for (unsigned cc = 0; cc < 256; cc++)
		for (size_t i = 0; i < m->p->gpu.n; i++)
			if (m->p->gpu.p[i].target->cc == cc) {
				buf_printf(&b, "%s%u", b.n ? "," : "", cc * 10);
				break;
			}
	const char *s = arena_strdup(m->d->arena, (struct str){(const char *)b.p, b.n});
	buf_free(&b);
	return s;
}

static void
macro(struct maker *m, const struct gpu *gpu, const char *name, const char *value)
{
	if (strcmp(value, "$list") == 0)
		value = arch_list(m);
	else if (strcmp(value, "$cc") == 0)
		value = arena_printf(m->d->arena, "%u", gpu->target->cc * 10u);
	add(m, arena_printf(m->d->arena, "-D%s=%s", name, value ? value : ""));
}

static void
macros(struct maker *m, const struct gpu *gpu)
{
	enum { FLAG_ALWAYS = FLAG_TOTAL };
	static const struct {
		const char *name, *value;
		unsigned where;
		int flag;
		const char *given;
	} rows[] = {
#define MACRO(name, value, where, flag, given) {#name, value, where, FLAG_##flag, given},
#define HIDDEN(name, where)                    {#name, NULL, where, FLAG_ALWAYS, ""},
#include "lang/macros.def"
#undef MACRO
#undef HIDDEN
	};
	for (size_t i = 0; i < COUNT(rows); i++) {
		if (!(rows[i].where & m->to))
			continue;
		const char *given = "";
		if (rows[i].flag != FLAG_ALWAYS)
			given = flag_last(m->c, (enum flag_id)rows[i].flag);
		if (!given || (*rows[i].given && strcmp(given, rows[i].given) != 0))
			continue;
		if (rows[i].value)
			macro(m, gpu, rows[i].name, rows[i].value);
		else
			add(m, arena_printf(m->d->arena, "-U%s", rows[i].name));
	}
}

const char *
macro_value(const char *name)
{
	static const struct {
		const char *name, *value;
	} rows[] = {
#define MACRO(name, value, where, flag, given) {#name, value},
#define HIDDEN(name, where)
#include "lang/macros.def"
#undef MACRO
#undef HIDDEN
	};
	for (size_t i = 0; i < COUNT(rows); i++)
		if (strcmp(rows[i].name, name) == 0)
			return rows[i].value;
	return "";
}

/* --- flags of the user ------------------------------------------------------------------------ */

/* Adds the words of a spelling, % replaced. */
static void
spell(struct maker *m, const char *spelling, const char *value)
{
	struct str rest = str_of(spelling);
	while (rest.n) {
		struct str word = str_split(&rest, ' '), tail = word, head = str_split(&tail, '%');
		if (head.n == word.n)
			add(m, arena_strdup(m->d->arena, word));
		else
			add(m, arena_printf(m->d->arena, "%.*s%s%.*s", (int)head.n, head.p, value,
				       (int)tail.n, tail.p));
	}
}

static void
routed(struct maker *m)
{
	for (size_t i = 0; i < m->c->uses.n; i++) {
		const struct flag_use *u = &m->c->uses.p[i];
		if (u->id >= FLAG_COUNT || !(flag_get(u->id)->route & m->to))
			continue;
		m->free = (u->id == FLAG_D && pch_macro_free(u->value)) || u->id == FLAG_I ||
			  u->id == FLAG_isystem || u->id == FLAG_include || u->id == FLAG_g ||
			  u->id == FLAG_w;
		bool other = (u->id == FLAG_I || u->id == FLAG_isystem) &&
			     toolkit_is_other(&m->d->kit, str_of(u->value));
		spell(m, other ? "-idirafter %" : flag_get(u->id)->spelling, u->value);
		m->free = false;
	}
}

struct host_flag {
	const char *text;
	enum { WHOLE, PREFIX } match;
	bool words;
	const char *instead;
};

/* The row of a word of -Xcompiler that the device must see, too; NULL when it need not. */
static const struct host_flag *
host_flag_find(const char *word)
{
	static const struct host_flag rows[] = {
#define HOST_FLAG(text, match, words, instead) {text, match, words, instead},
#include "lang/host_flags.def"
#undef HOST_FLAG
	};
	for (size_t i = 0; i < COUNT(rows); i++)
		if (strcmp(word, rows[i].text) == 0 ||
			(rows[i].match == PREFIX && str_starts(str_of(word), rows[i].text)))
			return &rows[i];
	return NULL;
}

/* -Xcompiler: like nvcc, what the list leaves goes through a shell's splitting. */
static void
xcompiler(struct maker *m)
{
	words w = {0};
	for (size_t i = 0; i < m->c->uses.n; i++)
		if (m->c->uses.p[i].id == FLAG_Xcompiler)
			words_split(m->d->arena, str_of(m->c->uses.p[i].value), &w);
	for (size_t i = 0; i < w.n; i++) {
		const struct host_flag *f = host_flag_find(w.p[i]);
		bool device = m->to == TO_DEVICE, take = !device || f;
		bool more = f && f->words && strcmp(w.p[i], f->text) == 0;
		m->free = (strncmp(w.p[i], "-D", 2) == 0 && w.p[i][2] &&
				  pch_macro_free(w.p[i] + 2)) ||
			  strncmp(w.p[i], "-I", 2) == 0 || strncmp(w.p[i], "-W", 2) == 0 ||
			  strcmp(w.p[i], "-g") == 0;
		if (take)
			add(m, device && f->instead ? f->instead : w.p[i]);
		if (more && i + 1 < w.n && ++i && take)
			add(m, w.p[i]);
		m->free = false;
	}
	words_free(&w);
}

/* -Werror KIND: what clang has a name for. */
static void
werror(struct maker *m)
{
	for (size_t i = 0; i < m->c->uses.n; i++) {
		const struct flag_use *u = &m->c->uses.p[i];
		if (u->id != FLAG_Werror)
			continue;
		if (strcmp(u->value, "all-warnings") == 0)
			add(m, "-Werror");
		else if (strcmp(u->value, "reorder") == 0)
			add(m, "-Werror=reorder-ctor");
		else if (strcmp(u->value, "deprecated-declarations") == 0)
			add(m, "-Werror=deprecated-declarations");
	}
}

static void
user(struct maker *m)
{
	routed(m);
	werror(m);
	xcompiler(m);
}

/* --- the passes ------------------------------------------------------------------------------- */

/* One name for all that is local to this source, the same in all of its passes (FNV-1a). */
static const char *
cuid(struct maker *m, const struct unit *u)
{
	u64 h = 0xcbf29ce484222325u;
	char *real = realpath(u->input, NULL);
	const char *seed = flag_last(m->c, FLAG_frandom_seed);
	/* One source may be compiled twice, with other macros, for one program. */
	const char *parts[] = {seed   ? seed
			       : real ? real
				      : u->input,
		seed || !u->output ? "" : u->output};
	for (size_t i = 0; i < COUNT(parts); i++)
		for (const char *s = parts[i]; *s; s++)
			h = (h ^ (u8)*s) * 0x100000001b3u;
	free(real);
	return arena_printf(m->d->arena, "-cuid=%016llx", (unsigned long long)h);
}

static void
begin(struct maker *m)
{
	if (m->pass)
		m->pass->key = PCH_KEY;
	add(m, m->d->kit.clang);
	m->free = true;
	add(m, m->d->color ? "-fcolor-diagnostics" : "-fno-color-diagnostics");
	m->free = false;
	ADD(m, "-Wno-unused-command-line-argument", "-Wno-unknown-warning-option");
}

static void
std(struct maker *m)
{
	const char *s = flag_last(m->c, FLAG_std);
	add(m, arena_printf(m->d->arena, "-std=%s", s ? s : "gnu++17"));
}

/* What both halves of a CUDA source are given: the dialect as nvcc takes it. */
static void
cuda(struct maker *m, const struct unit *u, const struct gpu *gpu)
{
	std(m);
	ADD(m, "-Wno-c++11-narrowing", "-Wno-register", "-Wno-pass-failed",
		"-foffload-implicit-host-device-templates");
	m->free = true;
	add(m, cuid(m, u));
	m->free = false;
	add(m, arena_printf(m->d->arena, "-fplugin=%s", kit(m, "lib/heddle/libheddle-sema.so")));
	macros(m, gpu);
	m->pass->header_arg = m->argv->n;
	ADD(m, "-include", "cuda_runtime.h");
	user(m);
	ADD(m, "-isystem", kit(m, "include"));
	pch_find(m->d, m->pass);
	m->free = true; /* what follows names files and steps */
}

/* The make rule of the files read: its target is the object, whatever the file is called here. */
static void
depends(struct maker *m, const struct unit *u)
{
	struct arena *a = m->d->arena;
	bool only = m->p->phase == PHASE_DEPS;
	bool md = flag_has(m->c, FLAG_MD), mmd = flag_has(m->c, FLAG_MMD);
	if (!only && !md && !mmd)
		return;
	m->pass->pch = NULL; /* its source would stand in the rule before ours */
	if (only)
		add(m, flag_has(m->c, FLAG_M) ? "-M" : "-MM");
	else
		add(m, md ? "-MD" : "-MMD");
	const char *o = flag_last(m->c, FLAG_o), *dir = flag_last(m->c, FLAG_odir);
	const char *name = arena_printf(a, "%s%s%s", dir ? dir : "", dir ? "/" : "", u->stem);
	if (o && !only && m->p->phase <= PHASE_COMPILE) {
		/* -o some/name.o: some/name.d */
		const char *dot = strrchr(o, '.'), *slash = strrchr(o, '/');
		size_t n = dot && (!slash || dot > slash) ? (size_t)(dot - o) : strlen(o);
		name = arena_strdup(a, (struct str){o, n});
	}
	const char *file = flag_last(m->c, FLAG_MF), *target = flag_last(m->c, FLAG_MT);
	if (!file && !only)
		file = arena_printf(a, "%s.d", name);
	if (file)
		ADD(m, "-MF", file);
	if (!only && file && strcmp(file, "-") != 0)
		m->pass->deps = file;
	if (target)
		ADD(m, "-MT", target);
	else /* quoted for make, which -MT's is not */
		ADD(m, "-MQ", o && !only ? o : arena_printf(a, "%s.o", u->stem));
	if (flag_has(m->c, FLAG_MP))
		add(m, "-MP");
}

/* The make rule of a GPU's pass, to be added to the host's. */
static void
depends_device(struct maker *m, const struct unit *u)
{
	bool md = flag_has(m->c, FLAG_MD), mmd = flag_has(m->c, FLAG_MMD);
	if (m->p->phase < PHASE_COMPILE || (!md && !mmd))
		return;
	m->pass->deps = arena_printf(m->d->arena, "%s/%zu.%s.%s.d", m->p->temp, m->p->units.n,
		u->stem, m->pass->gpu->arch);
	/* The driver of clang has no make rules for GPUs; its compiler has. */
	ADD(m, "-Xclang", "-dependency-file", "-Xclang", m->pass->deps, "-Xclang", "-MT", "-Xclang",
		"gpu");
	if (md)
		ADD(m, "-Xclang", "-sys-header-deps");
}

static void
end(struct maker *m, const struct unit *u, const struct pass *pass)
{
	add(m, u->input);
	if (pass->out)
		ADD(m, "-o", pass->out);
}

/* Whether host code is optimised: by the last -O, ours or the host compiler's. */
static bool
host_optimised(struct maker *m)
{
	const char *level = "0";
	for (size_t i = 0; i < m->c->uses.n; i++) {
		const struct flag_use *u = &m->c->uses.p[i];
		if (u->id == FLAG_O)
			level = u->value;
		else if (u->id == FLAG_Xcompiler && strncmp(u->value, "-O", 2) == 0)
			level = u->value + 2;
	}
	return strcmp(level, "0") != 0;
}

/* Arithmetic of device code as nvcc's flags ask for it. */
static void
arithmetic(struct maker *m)
{
	bool fast = flag_has(m->c, FLAG_use_fast_math);
	bool precise =
		flag_true(m->c, FLAG_prec_div, !fast) || flag_true(m->c, FLAG_prec_sqrt, !fast);
	/* Not plain "fast": that would fuse what __fmul_rn and the device library keep apart. */
	add(m, flag_true(m->c, FLAG_fmad, true) ? "-ffp-contract=fast-honor-pragmas"
						: "-ffp-contract=off");
	/* One switch of clang for both, so each is only taken when the other one is, too. */
	add(m, precise ? "-fhip-fp32-correctly-rounded-divide-sqrt"
		       : "-fno-hip-fp32-correctly-rounded-divide-sqrt");
	if (flag_true(m->c, FLAG_ftz, fast))
		add(m, "-fgpu-flush-denormals-to-zero");
}

/* Whether device code is optimised. */
static bool
fast_code(const struct cmdline *c)
{
	const char *dopt = flag_last(c, FLAG_dopt);
	return !flag_has(c, FLAG_G) || (dopt && strcmp(dopt, "on") == 0);
}

/* How code of a GPU is made. Never -O0: there clang 22 gives lanes that leave nested loops by several exits
 * the values of others (its code generator, not the passes: tests/run/debug_exits.cu). */
static void
code(struct maker *m, const char *arch, bool fast, bool debug)
{
	ADD(m, fast ? "-O3" : "-O1", debug ? "-g" : "-gline-tables-only");
	/* At -O0 clang 22 copies only the lower half of some registers where halves can be named. */
	const struct target *t = target_find(str_of(arch));
	if (!fast && t && t->major >= 11)
		ADD(m, "-Xclang", "-target-feature", "-Xclang", "-real-true16");
	/* Where registers may be vector or accumulation ones, its peephole pass lets a copy of a uniform value
	 * leave a loop that lanes leave at different times: all of them see the last one's value. */
	if (t && t->major == 9 && (t->minor > 0 || t->step == 10))
		ADD(m, "-mllvm", "-disable-peephole");
}

void
args_device(struct driver *d, const struct cmdline *c, const struct plan *p, struct unit *u,
	struct pass *pass)
{
	struct maker m = {d, c, p, &pass->argv, TO_DEVICE, pass, false};
	bool debug = flag_has(c, FLAG_G), fast = fast_code(c);
	begin(&m);
	ADD(&m, "-x", "hip", "--cuda-device-only");
	add(&m, arena_printf(d->arena, "--offload-arch=%s", pass->gpu->arch));
	ADD(&m, "-nogpuinc", "-nogpulib", "--no-gpu-bundle-output", "-mcode-object-version=5");
	code(&m, pass->gpu->arch, fast, debug);
	if (p->rdc)
		add(&m, "-fgpu-rdc");
	arithmetic(&m);
	add(&m, "-fno-builtin-printf");
	/* An argument may be undefined in some lanes: `int b; if (lane == 0) b = f(); b = __shfl_sync(m, b, 0)`.
	 * Were that C's undefined behaviour, LLVM would take the condition for one that always holds. */
	ADD(&m, "-Xclang", "-no-enable-noundef-analysis");
	/* Headers choose what they declare by the optimisation: as the host's pass does. */
	if (!host_optimised(&m))
		ADD(&m, "-U__OPTIMIZE__", "-D__NO_INLINE__=1");
	cuda(&m, u, pass->gpu);
	if (p->phase == PHASE_PREPROCESS) {
		add(&m, "-E");
	} else {
		add(&m, arena_printf(d->arena, "-fpass-plugin=%s",
				kit(&m, "lib/heddle/libheddle-lower.so")));
		if (p->rdc) /* the device library comes with the link, and all but the first passes */
			ADD(&m, "-emit-llvm", "-c", "-Xclang", "-load", "-Xclang",
				kit(&m, "lib/heddle/libheddle-lower.so"), "-mllvm", "-heddle-part");
		else
			ADD(&m, "-Xclang", "-mlink-builtin-bitcode", "-Xclang",
				kit(&m, "lib/heddle/device.bc"));
		depends_device(&m, u);
	}
	end(&m, u, pass);
}

void
args_host(struct driver *d, const struct cmdline *c, const struct plan *p, struct unit *u,
	struct pass *pass)
{
	struct maker m = {d, c, p, &pass->argv, TO_HOST, pass, false};
	begin(&m);
	ADD(&m, "-x", "cuda", "--cuda-host-only", "-nocudainc", "-nocudalib");
	/* Clang must find neither another SDK nor none: it would launch as CUDA 9.1 did. */
	add(&m, arena_printf(d->arena, "--cuda-path=%s", d->kit.root));
	ADD(&m, "-Xclang",
		arena_printf(d->arena, "-target-sdk-version=%s.%s",
			macro_value("__CUDACC_VER_MAJOR__"), macro_value("__CUDACC_VER_MINOR__")));
	if (p->rdc) /* kernels and variables are told in section llvm_offload_entries, for dlink.c */
		ADD(&m, "-fgpu-rdc", "--offload-new-driver");
	cuda(&m, u, &p->gpu.p[0]);
	depends(&m, u);
	if (p->phase != PHASE_DEPS && p->rdc) {
		ADD(&m, "-c", "-Xclang", arena_printf(d->arena, FATBIN_EMBED "%s", u->fatbin));
		pass->fatbin_arg = m.argv->n - 1;
	} else if (p->phase != PHASE_DEPS) {
		ADD(&m, "-c", "-Xclang", "-fcuda-include-gpubinary", "-Xclang", u->fatbin);
		pass->fatbin_arg = m.argv->n - 1;
	}
	end(&m, u, pass);
}

void
args_plain(struct driver *d, const struct cmdline *c, const struct plan *p, struct unit *u,
	struct pass *pass)
{
	static const char *const names[] = {[LANG_CXX] = "c++",
		[LANG_C] = "c",
		[LANG_ASM] = "assembler",
		[LANG_ASM_CPP] = "assembler-with-cpp"};
	struct maker m = {d, c, p, &pass->argv, TO_CXX, pass, false};
	begin(&m);
	ADD(&m, "-x", names[u->lang]);
	if (u->lang == LANG_CXX)
		std(&m);
	macros(&m, NULL);
	user(&m);
	ADD(&m, "-isystem", kit(&m, "include"));
	if (u->lang != LANG_ASM)
		depends(&m, u);
	if (p->phase == PHASE_PREPROCESS)
		add(&m, "-E");
	else if (p->phase != PHASE_DEPS)
		add(&m, "-c");
	end(&m, u, pass);
}

/* --- the last step -------------------------------------------------------------------------------- */

/* The objects and libraries in the order of the command line: an input that was compiled is its
 * unit's output. */
static void
objects(struct maker *m, bool libraries)
{
	size_t unit = 0;
	for (size_t i = 0; i < m->c->uses.n; i++) {
		const struct flag_use *u = &m->c->uses.p[i];
		if (u->id == FLAG_l && libraries)
			add(m, arena_printf(m->d->arena, "-l%s", u->value));
		else if (u->id == FLAG_L && libraries)
			add(m, arena_printf(m->d->arena, "-L%s", u->value));
		else if (u->id == FLAG_INPUT && unit < m->p->units.n &&
			 m->p->units.p[unit].given == u->value)
			add(m, m->p->units.p[unit++].output);
		else if (u->id == FLAG_INPUT)
			add(m, u->value);
	}
}

void
args_link(struct driver *d, const struct cmdline *c, struct plan *p)
{
	struct maker m = {d, c, p, &p->last, TO_LINK, NULL, false};
	const char *cudart = flag_last(c, FLAG_cudart), *lib = kit(&m, "lib");
	add(&m, d->kit.clangxx ? d->kit.clangxx : d->kit.clang);
	if (!d->kit.clangxx)
		add(&m, "--driver-mode=g++");
	/* The GPUs' linker links the host's objects, too, in half the time of the system's; -Xcompiler
	 * -fuse-ld=… behind it decides otherwise. */
	ADD(&m, "-Wno-unused-command-line-argument", "-fuse-ld=lld");
	routed(&m);
	xcompiler(&m);
	/* Before the folders of the user, who may name another toolkit's; and at run time before those
	 * of LD_LIBRARY_PATH, for the same reason. */
	add(&m, arena_printf(d->arena, "-L%s", lib));
	add(&m, "-Wl,--start-group");
	if (p->dlink.n) /* what tells of kernels is only named by its section */
		ADD(&m, p->linked, "-Wl,-z,nostart-stop-gc");
	objects(&m, true);
	if (!flag_has(c, FLAG_r) && (!cudart || strcmp(cudart, "none") != 0))
		ADD(&m, "-lcudart", "-Xlinker", "-rpath", "-Xlinker", lib,
			"-Wl,--disable-new-dtags");
	add(&m, "-Wl,--end-group");
	for (size_t i = 0; i < c->uses.n; i++)
		if (c->uses.p[i].id == FLAG_Xlinker)
			ADD(&m, "-Xlinker", c->uses.p[i].value);
	ADD(&m, "-o", p->output);
}

/* Static libraries of -l as the linker finds them: where a folder has a shared one, that is taken. */
static void
dlink_library(struct maker *m, const char *name)
{
	for (size_t i = 0; i < m->c->uses.n; i++) {
		const struct flag_use *u = &m->c->uses.p[i];
		if (u->id != FLAG_L)
			continue;
		const char *so = arena_printf(m->d->arena, "%s/lib%s.so", u->value, name);
		const char *a = arena_printf(m->d->arena, "%s/lib%s.a", u->value, name);
		if (so && access(so, R_OK) == 0)
			return;
		if (a && access(a, R_OK) == 0) {
			add(m, a);
			return;
		}
	}
}

/* The files that the device link reads. */
static void
dlink_files(struct maker *m)
{
	objects(m, false);
	for (size_t i = 0; i < m->c->uses.n; i++)
		if (m->c->uses.p[i].id == FLAG_l)
			dlink_library(m, m->c->uses.p[i].value);
}

bool
args_dlink(struct driver *d, const struct cmdline *c, struct plan *p, bool always)
{
	words files = {0}, *argv = p->phase == PHASE_DLINK ? &p->last : &p->dlink;
	struct maker find = {d, c, p, &files, TO_LINK, NULL, false},
		     m = {d, c, p, argv, TO_LINK, NULL, false};
	bool needed = always;
	dlink_files(&find);
	for (size_t i = 0; i < files.n && !needed; i++)
		needed = dlink_needed(d, files.p[i]);
	if (needed) {
		ADD(&m, kit(&m, "bin/heddle"), "dlink", p->linked);
		if (flag_has(c, FLAG_G))
			add(&m, fast_code(c) ? "-g" : "-G");
		if (flag_has(c, FLAG_Rheddle_warp))
			add(&m, "-Rheddle-warp");
		if (p->usage)
			add(&m, "-res-usage");
		for (size_t i = 0; i < files.n; i++)
			add(&m, files.p[i]);
	}
	words_free(&files);
	return needed;
}

void
args_dlink_gpu(struct driver *d, const struct dlink_flags *f, const char *arch, const words *parts,
	const char *out, words *argv)
{
	struct maker m = {d, NULL, NULL, argv, TO_LINK, NULL, false};
	begin(&m);
	ADD(&m, "-x", "ir", "--target=amdgcn-amd-amdhsa");
	add(&m, arena_printf(d->arena, "-mcpu=%s", arch));
	ADD(&m, "-nogpulib", "-mcode-object-version=5");
	code(&m, arch, f->fast, f->debug);
	if (f->remarks)
		add(&m, "-Rpass=heddle-warp");
	add(&m, arena_printf(
			d->arena, "-fpass-plugin=%s", kit(&m, "lib/heddle/libheddle-lower.so")));
	for (size_t i = 1; i < parts->n; i++)
		ADD(&m, "-Xclang", "-mlink-bitcode-file", "-Xclang", parts->p[i]);
	ADD(&m, "-Xclang", "-mlink-builtin-bitcode", "-Xclang", kit(&m, "lib/heddle/device.bc"));
	/* Only what the host knows is to be seen: the rest may be inlined and dropped. */
	ADD(&m, "-mllvm", "-amdgpu-internalize-symbols", parts->p[0], "-o", out);
}

void
args_dlink_host(struct driver *d, const char *source, const char *out, words *argv)
{
	struct maker m = {d, NULL, NULL, argv, TO_LINK, NULL, false};
	begin(&m);
	ADD(&m, "-x", "c", "-O2", "-fPIC", "-c", source, "-o", out);
}

void
args_archive(struct driver *d, const struct cmdline *c, struct plan *p)
{
	struct maker m = {d, c, p, &p->last, TO_LINK, NULL, false};
	const char *ar = flag_last(c, FLAG_arbin), *clang = d->kit.clang;
	const char *slash = strrchr(clang, '/');
	const char *beside = arena_printf(
		d->arena, "%.*s/llvm-ar", slash ? (int)(slash - clang) : 1, slash ? clang : ".");
	add(&m, ar ? ar : beside && access(beside, X_OK) == 0 ? beside : "ar");
	add(&m, "rcs");
	for (size_t i = 0; i < c->uses.n; i++)
		if (c->uses.p[i].id == FLAG_Xarchive)
			add(&m, c->uses.p[i].value);
	add(&m, p->output);
	objects(&m, false);
}
