/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* nvcc.c - the compiler driver as a program; driver.h tells how it works. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <time.h>
#include <unistd.h>

#include "lang/driver/driver.h"

extern char **environ;

/* A name that nobody else uses; the folder is made when the plan runs. */
static const char *
temp_name(struct arena *a)
{
	struct timespec now;
	const char *dir = getenv("TMPDIR");
	clock_gettime(CLOCK_REALTIME, &now);
	return arena_printf(a, "%s/heddle-%ld-%08lx", dir && *dir ? dir : "/tmp", (long)getpid(),
		(unsigned long)now.tv_nsec ^ (unsigned long)now.tv_sec);
}

/* --help and its like need no input; true when one was asked for. */
static bool
answer(struct driver *d, const struct cmdline *c)
{
	if (flag_has(c, FLAG_help))
		print_help(d->out);
	else if (flag_has(c, FLAG_version))
		print_version(d->out);
	else if (flag_has(c, FLAG_arch_ls) || flag_has(c, FLAG_code_ls))
		for (int i = 0; i < TARGET_COUNT; i++)
			fprintf(d->out, "%s\n", target_get((enum target_id)i)->name);
	else
		return false;
	return true;
}

static int
drive(struct driver *d, const struct cmdline *c, int *ended_by)
{
	struct plan plan = {0};
	int status = 1;
	bool shows = flag_has(c, FLAG_v) || flag_has(c, FLAG_dryrun);
	if (shows) {
		gpus g;
		gpus_find(d, c, &g);
		if (!d->errors)
			print_prelude(d, &g);
		free(g.p);
	}
	if (d->errors)
		return 1;
	plan_make(d, c, temp_name(d->arena), &plan);
	if (d->errors)
		;
	else if (plan.dry) {
		for (size_t i = 0; i < plan.units.n; i++)
			print_unit(d, &plan, &plan.units.p[i]);
		print_last(d, &plan);
		status = 0;
	} else {
		status = plan_run(d, &plan, ended_by);
	}
	plan_free(&plan);
	return status;
}

int
main(int argc, char **argv)
{
	struct arena arena = {0};
	struct driver d = {.arena = &arena, .out = stdout, .err = stderr, .environ = environ};
	struct cmdline c;
	int status = 1, ended_by = 0;
	/* The path that was executed: argv[0] may be a bare name. */
	const char *path = (const char *)getauxval(AT_EXECFN);
	d.color = isatty(2);
	cmdline_parse(&d, argv, &c);
	if (argc < 1 || arena.failed)
		diag(&d, DIAG_NO_MEMORY, NULL, NULL, NULL);
	else if (!d.errors && answer(&d, &c))
		status = 0;
	else if (!d.errors && toolkit_find(&d, path ? path : argv[0], &d.kit))
		status = drive(&d, &c, &ended_by);
	cmdline_free(&c);
	arena_free(&arena);
	if (ended_by) { /* so that a shell or make knows */
		signal(ended_by, SIG_DFL);
		raise(ended_by);
	}
	return status;
}
