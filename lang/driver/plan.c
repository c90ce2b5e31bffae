/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * plan.c - decides everything before anything runs: what phase is asked for, what each input is,
 * which passes it needs, where every file goes. The plan is data; print.c shows it and run.c carries
 * it out, so that --dryrun tells the truth.
 */
#include "lang/driver/driver.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- what is asked for -------------------------------------------------------------------------- */

static enum phase
phase_of(const struct cmdline *c)
{
	static const struct {
		enum flag_id flag;
		enum phase phase;
	} rows[] = {
		{FLAG_E, PHASE_PREPROCESS},
		{FLAG_M, PHASE_DEPS},
		{FLAG_MM, PHASE_DEPS},
		{FLAG_cubin, PHASE_CUBIN},
		{FLAG_fatbin, PHASE_FATBIN},
		{FLAG_c, PHASE_COMPILE},
		{FLAG_dc, PHASE_COMPILE},
		{FLAG_dw, PHASE_COMPILE},
		{FLAG_lib, PHASE_LIB},
		{FLAG_dlink, PHASE_DLINK},
		{FLAG_link, PHASE_LINK},
		{FLAG_run, PHASE_RUN},
	};
	for (size_t i = 0; i < COUNT(rows); i++)
		if (flag_has(c, rows[i].flag))
			return rows[i].phase;
	return PHASE_LINK;
}

/* Arguments of flags that must be one of a few words. */
static void
check_values(struct driver *d, const struct cmdline *c)
{
	static const struct {
		enum flag_id flag;
		const char *words;
	} rows[] = {
		{FLAG_std, "c++03 c++11 c++14 c++17 c++20 c++23 gnu++03 gnu++11 gnu++14 gnu++17 "
			   "gnu++20 gnu++23"},
		{FLAG_x, "cu c++ c"},
		{FLAG_O, "0 1 2 3 s z g fast"},
		{FLAG_m, "64"},
		{FLAG_cudart, "none shared static"},
		{FLAG_default_stream, "legacy null per-thread"},
		{FLAG_dopt, "on"},
		{FLAG_fheddle_warp, "auto paired solo"},
	};
	for (size_t i = 0; i < COUNT(rows); i++) {
		const char *value = flag_last(c, rows[i].flag);
		struct str rest = str_of(rows[i].words);
		bool good = !value;
		while (!good && rest.n)
			good = str_is(str_split(&rest, ' '), value);
		if (!good)
			diag(d, DIAG_BAD_VALUE, value, flag_get(rows[i].flag)->alias,
				rows[i].words);
	}
}

/* Whether device code is linked later; the last flag wins. */
static bool
rdc_of(const struct cmdline *c)
{
	bool rdc = false;
	for (size_t i = 0; i < c->uses.n; i++) {
		const struct flag_use *u = &c->uses.p[i];
		if (u->id == FLAG_dc || u->id == FLAG_dw)
			rdc = u->id == FLAG_dc;
		else if (u->id == FLAG_rdc)
			rdc = strcmp(u->value, "true") == 0;
	}
	return rdc;
}

/* --resource-usage, or ptxas's -v. */
static bool
usage_of(const struct cmdline *c)
{
	bool asked = flag_has(c, FLAG_res_usage);
	for (size_t i = 0; i < c->uses.n; i++)
		asked |= c->uses.p[i].id == FLAG_Xptxas &&
			 (strcmp(c->uses.p[i].value, "-v") == 0 ||
				 strcmp(c->uses.p[i].value, "--verbose") == 0);
	return asked;
}

/* The host compiler's OpenMP is a package of its own. */
static void
openmp_check(struct driver *d, const struct cmdline *c)
{
	char *clang = realpath(d->kit.clang, NULL), *slash = clang ? strrchr(clang, '/') : NULL;
	for (size_t i = 0; slash && i < c->uses.n; i++) {
		const struct flag_use *u = &c->uses.p[i];
		if (u->id != FLAG_Xcompiler || strncmp(u->value, "-fopenmp", 8) != 0)
			continue;
		*slash = 0;
		const char *header =
			arena_printf(d->arena, "%s/../lib/clang/22/include/omp.h", clang);
		if (header && access(header, R_OK) < 0)
			diag(d, DIAG_NO_OPENMP, u->value, NULL, NULL);
		break;
	}
	free(clang);
}

static unsigned
threads_of(struct driver *d, const struct cmdline *c)
{
	const char *value = flag_last(c, FLAG_t);
	char *rest;
	long n = value ? strtol(value, &rest, 10) : 1;
	if (value && (*rest || !*value || n < 0 || n > 1024)) {
		diag(d, DIAG_BAD_VALUE, value, "t", "a number");
		return 1;
	}
	if (!n)
		n = sysconf(_SC_NPROCESSORS_ONLN);
	return n > 0 ? (unsigned)n : 1;
}

/* --- inputs ---------------------------------------------------------------------------------------- */

/* The language of an input; false (and reported) when nothing can be done with it. */
static bool
lang_of(struct driver *d, const struct cmdline *c, const char *path, enum lang *out)
{
	static const struct {
		const char *suffix;
		enum lang lang;
		const char *refusal;
	} rows[] = {
#define INPUT(suffix, lang, refusal) {suffix, LANG_##lang, refusal},
#include "lang/inputs.def"
#undef INPUT
	};
	const char *x = flag_last(c, FLAG_x), *base = strrchr(path, '/');
	base = base ? base + 1 : path;
	for (size_t i = 0; i < COUNT(rows); i++) {
		if (!str_ends(str_of(base), rows[i].suffix))
			continue;
		if (rows[i].refusal) {
			diag(d, DIAG_REFUSED_INPUT, path, rows[i].refusal, NULL);
			return false;
		}
		*out = rows[i].lang;
		if (x && rows[i].lang != LANG_NONE) /* -x does not make a source of an object */
			break;
		return true;
	}
	if (x) {
		*out = strcmp(x, "cu") == 0 ? LANG_CUDA : strcmp(x, "c++") == 0 ? LANG_CXX : LANG_C;
		return true;
	}
	*out = LANG_NONE;
	if (strstr(base, ".so.")) /* libfoo.so.1.2 */
		return true;
	diag(d, strcmp(path, "-") == 0 ? DIAG_STDIN_LANG : DIAG_BAD_INPUT, path, NULL, NULL);
	return false;
}

static bool
input_check(struct driver *d, const char *path)
{
	struct stat st;
	if (strcmp(path, "-") == 0)
		return true;
	if (stat(path, &st) < 0 || access(path, R_OK) < 0)
		diag(d, DIAG_NO_FILE, path, strerror(errno), NULL);
	else if (S_ISDIR(st.st_mode))
		diag(d, DIAG_IS_FOLDER, path, NULL, NULL);
	else
		return true;
	return false;
}

static bool
same_file(const char *a, const char *b)
{
	struct stat sa, sb;
	return a && b && stat(a, &sa) == 0 && stat(b, &sb) == 0 && sa.st_dev == sb.st_dev &&
	       sa.st_ino == sb.st_ino;
}

/* "dir/name.cu" gives "name". */
static const char *
stem_of(struct arena *a, const char *path)
{
	if (strcmp(path, "-") == 0)
		return "stdin";
	const char *base = strrchr(path, '/');
	base = base ? base + 1 : path;
	const char *dot = strrchr(base, '.');
	size_t n = dot && dot > base ? (size_t)(dot - base) : strlen(base);
	return arena_strdup(a, (struct str){base, n});
}

/* --- units ------------------------------------------------------------------------------------------ */

struct planner {
	struct driver *d;
	const struct cmdline *c;
	struct plan *p;
	const char *keep; /* folder of kept intermediate files, or NULL */
};

/* Where an intermediate file of the unit goes. */
static const char *
between(struct planner *pl, const struct unit *u, const char *suffix)
{
	struct arena *a = pl->d->arena;
	if (pl->keep)
		return arena_printf(a, "%s%s%s%s", pl->keep, *pl->keep ? "/" : "", u->stem, suffix);
	/* Two inputs may have one stem. */
	return arena_printf(a, "%s/%zu.%s%s", pl->p->temp, pl->p->units.n, u->stem, suffix);
}

/* The file that the unit ends in. */
static const char *
output_of(struct planner *pl, const struct unit *u)
{
	const char *o = flag_last(pl->c, FLAG_o), *dir = flag_last(pl->c, FLAG_odir),
		   *suffix = ".o";
	switch (pl->p->phase) {
	case PHASE_PREPROCESS:
	case PHASE_DEPS:
		return o;
	case PHASE_CUBIN:
		suffix = ".cubin";
		break;
	case PHASE_FATBIN:
		suffix = ".fatbin";
		break;
	case PHASE_COMPILE:
		break;
	case PHASE_LIB:
	case PHASE_DLINK:
	case PHASE_LINK:
	case PHASE_RUN:
		return between(pl, u, ".o");
	}
	if (o)
		return o;
	return arena_printf(
		pl->d->arena, "%s%s%s%s", dir ? dir : "", dir ? "/" : "", u->stem, suffix);
}

static struct pass *
pass_add(struct planner *pl, struct unit *u, enum pass_kind kind, const struct gpu *gpu,
	const char *out)
{
	if (!VEC_PUSH(&u->passes, ((struct pass){.kind = kind, .gpu = gpu, .out = out}))) {
		pl->d->arena->failed = true;
		return NULL;
	}
	return &u->passes.p[u->passes.n - 1];
}

static void
unit_cuda(struct planner *pl, struct unit *u)
{
	struct plan *p = pl->p;
	struct pass *pass;
	if (p->phase == PHASE_PREPROCESS) {
		if ((pass = pass_add(pl, u, PASS_DEVICE, &p->gpu.p[0], u->output)))
			args_device(pl->d, pl->c, p, u, pass);
		return;
	}
	u->fatbin = p->phase == PHASE_FATBIN ? u->output : between(pl, u, ".fatbin");
	u->keep_fatbin = p->phase == PHASE_FATBIN || pl->keep;
	for (size_t i = 0; i < p->gpu.n && p->phase != PHASE_DEPS; i++) {
		const struct gpu *gpu = &p->gpu.p[i];
		const char *suffix = arena_printf(pl->d->arena, ".%s.cubin", gpu->arch);
		pass = pass_add(pl, u, PASS_DEVICE, gpu,
			p->phase == PHASE_CUBIN ? u->output : between(pl, u, suffix));
		if (pass)
			args_device(pl->d, pl->c, p, u, pass);
	}
	if (p->phase == PHASE_CUBIN || p->phase == PHASE_FATBIN)
		return;
	if ((pass = pass_add(pl, u, PASS_HOST, NULL, u->output)))
		args_host(pl->d, pl->c, p, u, pass);
}

static void
unit_add(struct planner *pl, const char *given, enum lang lang)
{
	struct plan *p = pl->p;
	struct unit u = {
		.given = given, .input = given, .stem = stem_of(pl->d->arena, given), .lang = lang};
	u.from_stdin = strcmp(given, "-") == 0;
	if (u.from_stdin)
		u.input = arena_printf(pl->d->arena, "%s/stdin", p->temp);
	u.output = output_of(pl, &u);
	if (u.output && same_file(given, u.output)) {
		diag(pl->d, DIAG_SAME_FILE, given, NULL, NULL);
		return;
	}
	if (lang == LANG_CUDA) {
		unit_cuda(pl, &u);
	} else if (p->phase == PHASE_CUBIN || p->phase == PHASE_FATBIN) {
		diag(pl->d, DIAG_NO_LINK_INPUT, given, NULL, NULL);
	} else {
		struct pass *pass = pass_add(pl, &u, PASS_PLAIN, NULL, u.output);
		if (pass)
			args_plain(pl->d, pl->c, p, &u, pass);
	}
	if (!VEC_PUSH(&p->units, u))
		pl->d->arena->failed = true;
}

static void
inputs(struct planner *pl)
{
	struct plan *p = pl->p;
	size_t files = 0;
	for (size_t i = 0; i < pl->c->uses.n; i++) {
		const struct flag_use *use = &pl->c->uses.p[i];
		enum lang lang;
		if (use->id != FLAG_INPUT)
			continue;
		files++;
		if (!lang_of(pl->d, pl->c, use->value, &lang) || !input_check(pl->d, use->value))
			continue;
		if (lang != LANG_NONE)
			unit_add(pl, use->value, lang);
		else if (p->phase < PHASE_LIB)
			diag(pl->d, DIAG_NO_LINK_INPUT, use->value, NULL, NULL);
	}
	if (!files)
		diag(pl->d, DIAG_NO_INPUT, NULL, NULL, NULL);
	if (p->phase < PHASE_LIB && p->units.n > 1 && flag_has(pl->c, FLAG_o))
		diag(pl->d, DIAG_ONE_OUTPUT, flag_last(pl->c, FLAG_o), NULL, NULL);
}

/* --- the whole ---------------------------------------------------------------------------------------- */

static void
link_step(struct planner *pl)
{
	struct plan *p = pl->p;
	bool only = p->phase == PHASE_DLINK, units = false;
	for (size_t i = 0; i < p->units.n; i++)
		units |= p->rdc && p->units.p[i].lang == LANG_CUDA;
	p->linked = only ? p->output : arena_printf(pl->d->arena, "%s/dlink.o", p->temp);
	if (only)
		args_dlink(pl->d, pl->c, p, true);
	else {
		/* Objects that -dlink has linked are not linked again when -nodlink says so; nor here, where a
		 * later link does it. */
		if (!flag_has(pl->c, FLAG_nodlink) && !flag_has(pl->c, FLAG_r))
			args_dlink(pl->d, pl->c, p, units);
		args_link(pl->d, pl->c, p);
	}
}

static void
last_step(struct planner *pl)
{
	struct plan *p = pl->p;
	struct arena *a = pl->d->arena;
	const char *o = flag_last(pl->c, FLAG_o), *dir = flag_last(pl->c, FLAG_odir);
	if (p->phase < PHASE_LIB)
		return;
	const char *name = p->phase == PHASE_LIB     ? "a.a"
			   : p->phase == PHASE_DLINK ? "a_dlink.o"
						     : "a.out";
	p->output = o ? o : arena_printf(a, "%s%s%s", dir ? dir : "", dir ? "/" : "", name);
	for (size_t i = 0; i < pl->c->uses.n; i++)
		if (pl->c->uses.p[i].id == FLAG_INPUT &&
			same_file(pl->c->uses.p[i].value, p->output))
			diag(pl->d, DIAG_SAME_FILE, pl->c->uses.p[i].value, NULL, NULL);
	if (p->phase == PHASE_LIB)
		args_archive(pl->d, pl->c, p);
	else
		link_step(pl);
	if (p->phase != PHASE_RUN)
		return;
	const char *program =
		strchr(p->output, '/') ? p->output : arena_printf(a, "./%s", p->output);
	if (!VEC_PUSH(&p->program, program))
		a->failed = true;
	for (size_t i = 0; i < pl->c->uses.n; i++)
		if (pl->c->uses.p[i].id == FLAG_run_args &&
			!VEC_PUSH(&p->program, pl->c->uses.p[i].value))
			a->failed = true;
}

void
plan_make(struct driver *d, const struct cmdline *c, const char *temp, struct plan *out)
{
	const char *keep = flag_last(c, FLAG_keep_dir);
	bool kept = flag_has(c, FLAG_keep) || flag_has(c, FLAG_save_temps);
	struct planner pl = {d, c, out, kept ? keep ? keep : "" : NULL};
	*out = (struct plan){.phase = phase_of(c),
		.temp = temp,
		.dry = flag_has(c, FLAG_dryrun),
		.usage = usage_of(c),
		.rdc = rdc_of(c),
		.phony = flag_has(c, FLAG_MP),
		.keep = kept ? keep : NULL,
		.verbose = flag_has(c, FLAG_v),
		.threads = threads_of(d, c)};
	check_values(d, c);
	openmp_check(d, c);
	gpus_find(d, c, &out->gpu);
	if (d->errors)
		return;
	if (out->rdc && (out->phase == PHASE_CUBIN || out->phase == PHASE_FATBIN))
		diag(d, DIAG_REFUSED, out->phase == PHASE_CUBIN ? "-cubin" : "-fatbin",
			"with -rdc=true there is no code object before the link", NULL);
	if (out->phase == PHASE_CUBIN && out->gpu.n > 1)
		diag(d, DIAG_ONE_GPU, "-cubin",
			arena_printf(d->arena, "%s, %s, …", out->gpu.p[0].arch, out->gpu.p[1].arch),
			NULL);
	inputs(&pl);
	if (!d->errors)
		last_step(&pl);
	if (d->arena->failed)
		diag(d, DIAG_NO_MEMORY, NULL, NULL, NULL);
}

void
pass_argv(struct driver *d, const struct pass *pass, bool pch, const char *fatbin, words *out)
{
	const char *const instead[] = {"-Xclang", "-include-pch", "-Xclang", pass->pch};
	for (size_t i = 0; i < pass->argv.n; i++) {
		const char *word = pass->argv.p[i];
		if (pch && pass->pch && i == pass->header_arg) {
			for (size_t k = 0; k < COUNT(instead); k++)
				if (!VEC_PUSH(out, instead[k]))
					d->arena->failed = true;
			i++;
			continue;
		}
		if (fatbin && i && i == pass->fatbin_arg)
			word = str_starts(str_of(word), FATBIN_EMBED)
				       ? arena_printf(d->arena, FATBIN_EMBED "%s", fatbin)
				       : fatbin;
		if (!VEC_PUSH(out, word))
			d->arena->failed = true;
	}
}

void
plan_free(struct plan *p)
{
	for (size_t i = 0; i < p->units.n; i++) {
		struct unit *u = &p->units.p[i];
		for (size_t k = 0; k < u->passes.n; k++)
			words_free(&u->passes.p[k].argv);
		free(u->passes.p);
	}
	free(p->units.p);
	free(p->gpu.p);
	words_free(&p->dlink);
	words_free(&p->last);
	words_free(&p->program);
	*p = (struct plan){0};
}
