/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * heddle.c - the tool beside nvcc:
 *   heddle targets                  the GPUs of targets.def
 *   heddle flags                    the options of nvcc: name, status, reason
 *   heddle pack OUT GPU=FILE…       makes a fat binary of code objects
 *   heddle dlink OUT [-g|-G] [-Rheddle-warp] [-res-usage] FILE…
 *                                   links device code of several sources (-rdc=true)
 *   heddle info FILE…               the code objects in a program, an object or a fat binary
 *   heddle pch DIR                  prints commands that precompile cuda_runtime.h there (pch.c)
 *   heddle --version
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lang/driver/driver.h"
#include "amdgpu/code.h"

extern char **environ;

static int
targets(int argc, char **argv)
{
	(void)argv;
	if (argc)
		return 2;
	printf("%-8s %4s %6s %5s %7s %4s %4s  %s\n", "gpu", "wave", "vgprs", "waves", "lds", "cus",
		"cc", "product");
	for (int i = 0; i < TARGET_COUNT; i++) {
		const struct target *t = target_get((enum target_id)i);
		printf("%-8s %4u %6u %5u %7u %4u %2u.%u  %s\n", t->name, t->wave, t->vgprs,
			t->waves, t->lds, t->cus, t->cc / 10, t->cc % 10, t->product);
	}
	return 0;
}

static int
flags(int argc, char **argv)
{
	(void)argv;
	if (argc)
		return 2;
	print_flags(stdout);
	return 0;
}

static int
version(int argc, char **argv)
{
	(void)argv;
	if (argc)
		return 2;
	print_version(stdout);
	return 0;
}

static int
fail(const char *path, const char *why)
{
	fprintf(stderr, "heddle: error: %s: %s\n", path, why);
	return 1;
}

static int
pack(int argc, char **argv)
{
	struct buf out = {0};
	int status = 0;
	if (argc < 2)
		return 2;
	for (int i = 1; i < argc && !status; i++) {
		struct str path = str_of(argv[i]), gpu = str_split(&path, '=');
		size_t n;
		if (!target_find(gpu) || !path.n) {
			status = fail(argv[i], "not of the form GPU=FILE");
			break;
		}
		char *image = file_read(path.p, &n);
		if (!image) {
			status = fail(path.p, strerror(errno));
			break;
		}
		fatbin_add(&out, STR("amdgcn-amd-amdhsa"), gpu, (struct str){image, n},
			str_starts((struct str){image, n}, "BC") ? FATBIN_BITCODE : FATBIN_OBJECT);
		free(image);
	}
	if (!status && (out.failed || !file_write(argv[0], out.p, out.n)))
		status = fail(argv[0], strerror(out.failed ? ENOMEM : errno));
	buf_free(&out);
	return status;
}

static int
info(int argc, char **argv)
{
	int status = 0;
	if (argc < 1)
		return 2;
	for (int i = 0; i < argc; i++) {
		struct buf out = {0};
		size_t n;
		char *bytes = file_read(argv[i], &n);
		if (!bytes) {
			status = fail(argv[i], strerror(errno));
			continue;
		}
		enum code_status s = code_info_print(&out, (struct str){bytes, n});
		if (argc > 1)
			printf("%s:\n", argv[i]);
		if (out.n)
			fwrite(out.p, 1, out.n, stdout);
		if (s != CODE_OK || out.failed)
			status = fail(argv[i], code_status_text(s != CODE_OK ? s : CODE_NO_MEMORY));
		buf_free(&out);
		free(bytes);
	}
	return status;
}

static int
pch(int argc, char **argv)
{
	struct arena a = {0};
	static char *no_environ[] = {NULL};
	struct driver d = {.arena = &a, .out = stdout, .err = stderr, .environ = no_environ};
	if (argc != 1)
		return 2;
	if (toolkit_find(&d, "/proc/self/exe", &d.kit))
		pch_print(&d, stdout, argv[0]);
	bool good = !d.errors && !a.failed;
	arena_free(&a);
	return good ? 0 : 1;
}

static int
dlink(int argc, char **argv)
{
	struct arena a = {0};
	struct driver d = {.arena = &a, .out = stdout, .err = stderr, .environ = environ};
	struct dlink_flags f = {.fast = true};
	words files = {0};
	int status = 1;
	if (argc < 2)
		return 2;
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "-g") == 0 || strcmp(argv[i], "-G") == 0) {
			f.debug = true;
			f.fast = argv[i][1] == 'g';
		} else if (strcmp(argv[i], "-Rheddle-warp") == 0) {
			f.remarks = true;
		} else if (strcmp(argv[i], "-res-usage") == 0) {
			f.usage = true;
		} else if (!VEC_PUSH(&files, argv[i])) {
			a.failed = true;
		}
	}
	d.color = isatty(2);
	if (toolkit_find(&d, "/proc/self/exe", &d.kit))
		status = dlink_run(&d, &f, &files, argv[0]);
	words_free(&files);
	arena_free(&a);
	return status;
}

int
main(int argc, char **argv)
{
	static const struct {
		const char *name, *arguments;
		int (*run)(int argc, char **argv); /* 2: wrong arguments */
	} commands[] = {
		{"pch", " DIR", pch},
		{"targets", "", targets},
		{"flags", "", flags},
		{"pack", " OUT GPU=FILE…", pack},
		{"dlink", " OUT [-g|-G] [-Rheddle-warp] [-res-usage] FILE…", dlink},
		{"info", " FILE…", info},
		{"--version", "", version},
	};
	for (size_t i = 0; argc > 1 && i < COUNT(commands); i++) {
		if (strcmp(argv[1], commands[i].name) != 0)
			continue;
		int status = commands[i].run(argc - 2, argv + 2);
		if (status != 2)
			return status;
	}
	for (size_t i = 0; i < COUNT(commands); i++)
		fprintf(stderr, "%s heddle %s%s\n", i ? "      " : "usage:", commands[i].name,
			commands[i].arguments);
	return 2;
}
