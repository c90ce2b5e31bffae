/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * print.c - the driver's text: messages, help, version, and the plan as commands that a shell can
 * run, each line behind "#$ " as build systems expect of nvcc. The lines before them name folders:
 * CMake reads TOP, PATH, LIBRARIES and INCLUDES there, and LIBRARIES must stand in the link command
 * just as it stands here.
 */
#include "lang/driver/driver.h"

#include <stdlib.h>
#include <string.h>

void
diag(struct driver *d, enum diag_id id, const char *a, const char *b, const char *c)
{
	enum severity { ERROR, WARNING };
	static const struct {
		enum severity severity;
		const char *text;
	} rows[DIAG_COUNT] = {
#define DIAG(name, severity, text) {severity, text},
#include "lang/diag.def"
#undef DIAG
	};
	bool error = rows[id].severity == ERROR;
	d->errors += error;
	fprintf(d->err, "nvcc: %s: ", error ? "error" : "warning");
	fprintf(d->err, rows[id].text, a ? a : "", b ? b : "", c ? c : "");
	fputc('\n', d->err);
}

void
print_version(FILE *out)
{
	const char *major = macro_value("__CUDACC_VER_MAJOR__"),
		   *minor = macro_value("__CUDACC_VER_MINOR__");
	/* Build systems look for the words in quotes before they take a compiler for CUDA's. */
	fprintf(out,
		"Heddle: CUDA for AMD GPUs\n"
		"Compatible with \"nvcc: NVIDIA (R) Cuda compiler driver\"\n"
		"Cuda compilation tools, release %s.%s, V%s.%s.%s\n",
		major, minor, major, minor, macro_value("__CUDACC_VER_BUILD__"));
}

void
print_help(FILE *out)
{
	fputs("usage: nvcc [options] files\n"
	      "Compiles CUDA, C++ and C for AMD GPUs and this machine, and links.\n\n",
		out);
	for (int i = 0; i < FLAG_COUNT; i++) {
		const struct flag *f = flag_get((enum flag_id)i);
		static const char *const kinds[] = {
			[FLAG_NONE] = "",
			[FLAG_BOOL] = " true|false",
			[FLAG_ONE] = " VALUE",
			[FLAG_NUMBER] = " NUMBER",
			[FLAG_LIST] = " VALUE,…",
			[FLAG_NAMES] = " NAME,…",
		};
		static const char *const status[] = {"", " (no effect)", " (refused)"};
		fprintf(out, "--%s%s", f->name, kinds[f->kind]);
		if (*f->alias && strcmp(f->alias, f->name) != 0)
			fprintf(out, " (-%s)", f->alias);
		fprintf(out, "\n\t%s%s\n", f->help, status[f->status]);
	}
}

void
print_flags(FILE *out)
{
	static const char *const status[] = {"done", "accepted", "refused"};
	for (int i = 0; i < FLAG_COUNT; i++) {
		const struct flag *f = flag_get((enum flag_id)i);
		fprintf(out, "-%s, %s, %s\n", *f->alias ? f->alias : f->name, status[f->status],
			f->help);
	}
}

void
print_prelude(struct driver *d, const gpus *g)
{
	const struct toolkit *k = &d->kit;
	struct buf lib = {0}, include = {0};
	const char *path = getenv("PATH");
	word_quote(&lib, arena_printf(d->arena, "-L%s/lib", k->root));
	word_quote(&include, arena_printf(d->arena, "-I%s/include", k->root));
	fprintf(d->err,
		"#$ _HERE_=%s/bin\n#$ _THERE_=%s/bin\n#$ TOP=%s\n"
		"#$ NVVMIR_LIBRARY_DIR=%s/nvvm/libdevice\n#$ PATH=%s/bin:%s\n"
		"#$ INCLUDES=%.*s\n#$ LIBRARIES=%.*s\n",
		k->shown, k->shown, k->shown, k->shown, k->shown, path ? path : "", (int)include.n,
		(const char *)include.p, (int)lib.n, (const char *)lib.p);
	for (size_t i = 0; i < g->n; i++)
		fprintf(d->err, "#$ _GPU_=%s -arch compute_%u\n", g->p[i].arch, g->p[i].target->cc);
	buf_free(&lib);
	buf_free(&include);
}

void
print_command(struct driver *d, const words *argv)
{
	struct buf b = {0};
	for (size_t i = 0; i < argv->n; i++) {
		if (i)
			buf_add(&b, " ", 1);
		word_quote(&b, argv->p[i]);
	}
	fprintf(d->err, "#$ %.*s\n", (int)b.n, (const char *)b.p);
	buf_free(&b);
}

/* The pass of the host last: as commands one after the other it needs the fat binary. */
void
print_unit(struct driver *d, const struct plan *p, const struct unit *u)
{
	words pack = {0};
	size_t devices = 0;
	const char *head[] = {
		arena_printf(d->arena, "%s/bin/heddle", d->kit.root), "pack", u->fatbin};
	for (size_t i = 0; i < COUNT(head); i++)
		VEC_PUSH(&pack, head[i]);
	for (size_t i = 0; i < u->passes.n; i++) {
		const struct pass *pass = &u->passes.p[i];
		if (pass->kind == PASS_DEVICE && p->phase >= PHASE_FATBIN) {
			VEC_PUSH(
				&pack, arena_printf(d->arena, "%s=%s", pass->gpu->arch, pass->out));
			devices++;
		}
	}
	for (size_t i = 0; i < u->passes.n; i++) {
		const struct pass *pass = &u->passes.p[i];
		if (pass->kind == PASS_HOST && devices)
			print_command(d, &pack);
		words argv = {0};
		pass_argv(d, pass, true, NULL, &argv);
		print_command(d, &argv);
		words_free(&argv);
	}
	if (p->phase == PHASE_FATBIN && devices)
		print_command(d, &pack);
	words_free(&pack);
}

void
print_last(struct driver *d, const struct plan *p)
{
	if (p->dlink.n)
		print_command(d, &p->dlink);
	if (p->last.n)
		print_command(d, &p->last);
	if (p->program.n)
		print_command(d, &p->program);
}
