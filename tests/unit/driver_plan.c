/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// LINK: driver amdgpu base
/* Proves that flags, GPUs and plan come out right, and that no failing allocation crashes them. */
#include "lang/driver/driver.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHECK(x)                                                                                   \
	do {                                                                                       \
		if (!(x)) {                                                                        \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #x);                    \
			exit(1);                                                                   \
		}                                                                                  \
	} while (0)

static void
setup(struct driver *d, struct arena *a, FILE *sink)
{
	static char *env[] = {NULL};
	*a = (struct arena){0};
	*d = (struct driver){.arena = a, .out = sink, .err = sink, .environ = env};
	d->kit = (struct toolkit){
		.root = "/kit", .shown = "/kit", .clang = "/c/clang-22", .clangxx = "/c/clang++"};
}

/* The GPUs of one flag, joined by blanks; "!" when refused. */
static void
gpus_are(FILE *sink, const char *flag, const char *value, const char *target, const char *want)
{
	struct arena a;
	struct driver d;
	struct cmdline c;
	gpus g;
	struct buf b = {0};
	char *argv[] = {
		(char *)(uintptr_t)"nvcc", (char *)(uintptr_t)flag, (char *)(uintptr_t)value, NULL};
	setup(&d, &a, sink);
	d.kit.target = target;
	cmdline_parse(&d, argv, &c);
	gpus_find(&d, &c, &g);
	for (size_t i = 0; i < g.n; i++)
		buf_printf(&b, "%s%s", i ? " " : "", g.p[i].arch);
	if (d.errors) {
		b.n = 0;
		buf_printf(&b, "!");
	}
	buf_add(&b, "", 1);
	if (strcmp((char *)b.p, want) != 0) {
		fprintf(stderr, "%s %s: got %s, not %s\n", flag, value, (char *)b.p, want);
		exit(1);
	}
	free(g.p);
	buf_free(&b);
	cmdline_free(&c);
	arena_free(&a);
}

static void
gpus_test(FILE *sink)
{
	gpus_are(sink, "-arch", "sm_86", NULL, "gfx1100");
	gpus_are(sink, "-arch", "sm_86", "gfx90a", "gfx90a");
	gpus_are(sink, "-arch", "gfx1100,gfx90a", NULL, "gfx1100 gfx90a");
	gpus_are(sink, "-arch", "gfx90a,sm_80,compute_90a,gfx90a", NULL, "gfx90a gfx1100");
	gpus_are(sink, "--gpu-architecture", "gfx90a:xnack-", NULL, "gfx90a:xnack-");
	gpus_are(sink, "--offload-arch", "gfx942", NULL, "gfx942");
	gpus_are(sink, "-arch", "all-major", NULL, "gfx942 gfx1030 gfx1100 gfx1201");
	gpus_are(sink, "-gencode", "arch=compute_80,code=sm_80", NULL, "gfx1100");
	gpus_are(sink, "-gencode", "arch=compute_80,code=[sm_80,compute_80]", "gfx1030", "gfx1030");
	gpus_are(sink, "-gencode", "arch=compute_80,code=\"sm_80,compute_80\"", NULL, "gfx1100");
	gpus_are(sink, "-gencode", "arch=gfx1100,code=gfx90a", NULL, "gfx90a");
	gpus_are(sink, "-gencode", "arch=gfx1030", NULL, "gfx1030");
	static const char *const bad[] = {
		"gfx1", "sm_", "sm_8", "sm_8x", "sm_1234", "sm_80ab", "volta", "", ","};
	for (size_t i = 0; i < COUNT(bad); i++)
		gpus_are(sink, "-arch", bad[i], NULL, "!");
	static const char *const worse[] = {"", "sm_80", "arch=", "arch=sm_80,sm_80",
		"arch=sm_80,code=", "arch=sm_80,code=[", "arch=sm_80,code=[sm_80",
		"arch=sm_80,code=[]", "code=sm_80"};
	for (size_t i = 0; i < COUNT(worse); i++)
		gpus_are(sink, "-gencode", worse[i], NULL, "!");
	gpus_are(sink, "-code", "sm_80", NULL, "!");
	setenv("HEDDLE_TARGET", "gfx1201", 1);
	gpus_are(sink, "-arch", "sm_86", "gfx90a", "gfx1201");
	unsetenv("HEDDLE_TARGET");
	setenv("HEDDLE_DEVICE", "exec:gfx90a,gfx1100", 1);
	gpus_are(sink, "-arch", "native", NULL, "gfx90a gfx1100");
	unsetenv("HEDDLE_DEVICE");
}

/* Every allocation of the arena fails once; nothing crashes, and the failure is reported. */
static void
memory(FILE *sink, const char *source)
{
	char *argv[] = {(char *)(uintptr_t)"nvcc", (char *)(uintptr_t)source,
		(char *)(uintptr_t)"-arch=gfx1100,gfx90a", (char *)(uintptr_t)"-Xcompiler=-Wall,-g",
		(char *)(uintptr_t)"-MD", (char *)(uintptr_t)"-keep", NULL};
	for (size_t limit = 1; limit < 200000; limit += limit < 4000 ? 7 : 97) {
		struct arena a;
		struct driver d;
		struct cmdline c;
		struct plan p = {0};
		setup(&d, &a, sink);
		a.limit = limit;
		cmdline_parse(&d, argv, &c);
		if (!d.errors && !a.failed) {
			plan_make(&d, &c, "/tmp/none", &p);
			CHECK(!a.failed || d.errors);
			plan_free(&p);
		}
		cmdline_free(&c);
		bool failed = a.failed;
		arena_free(&a);
		if (!failed)
			return;
	}
	CHECK(!"memory enough");
}

static void
plans(FILE *sink, const char *source)
{
	struct arena a;
	struct driver d;
	struct cmdline c;
	struct plan p;
	char *argv[] = {(char *)(uintptr_t)"nvcc", (char *)(uintptr_t)source,
		(char *)(uintptr_t)"-arch=gfx1100,gfx90a", NULL};
	setup(&d, &a, sink);
	cmdline_parse(&d, argv, &c);
	plan_make(&d, &c, "/tmp/none", &p);
	CHECK(!d.errors && p.phase == PHASE_LINK && p.units.n == 1 && p.gpu.n == 2);
	struct unit *u = &p.units.p[0];
	CHECK(u->lang == LANG_CUDA && u->passes.n == 3 && !u->keep_fatbin);
	CHECK(u->passes.p[0].kind == PASS_DEVICE && u->passes.p[1].kind == PASS_DEVICE);
	const struct pass *host = &u->passes.p[2];
	CHECK(host->kind == PASS_HOST && strcmp(host->argv.p[host->fatbin_arg], u->fatbin) == 0);
	CHECK(strcmp(p.output, "a.out") == 0 && p.last.n > 3 && !p.program.n);
	plan_free(&p);
	cmdline_free(&c);
	arena_free(&a);
}

int
main(void)
{
	FILE *sink = fopen("/dev/null", "w");
	char source[] = "/tmp/driver-plan-XXXXXX.cu";
	int fd = mkstemps(source, 3);
	CHECK(sink && fd >= 0);
	unsetenv("HEDDLE_TARGET");
	unsetenv("HEDDLE_DEVICE");
	gpus_test(sink);
	plans(sink, source);
	memory(sink, source);
	close(fd);
	unlink(source);
	fclose(sink);
	return 0;
}
