/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * low.c - the stand-alone tool: LLVM IR in, the passes of lower/ over it, IR out. It needs no clang and
 * is what the tests of single passes run.
 */
#include "lower/low.h"
#include "lower/tool/tool.h"
#include <llvm-c/IRReader.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
	"usage: low [options] [FILE]        FILE: LLVM IR or bitcode; - or none: stdin\n"
	"  -passes=a,b,c      these passes only (default: all, without LLVM's between them)\n"
	"  -mcpu=gfxNNNN      the GPU of functions that name none (default: gfx1100)\n"
	"  -print-after=PASS  print the module to stderr after PASS\n"
	"  -o FILE            where the IR goes (default: stdout)\n"
	"passes:\n";

struct options {
	const char *passes, *cpu, *after, *in, *out;
};

static int
complain(const char *what, const char *arg)
{
	fprintf(stderr, "low: %s '%s'\n", what, arg);
	return 2;
}

static void
print_usage(void)
{
	fputs(usage, stdout);
	for (size_t i = 0; i < low_npasses; i++)
		printf("  %-10s %s\n", low_passes[i].name, low_passes[i].what);
}

static int
parse_options(int argc, char **argv, struct options *o)
{
	for (int i = 1; i < argc; i++) {
		char *a = argv[i];

		if (strncmp(a, "-passes=", 8) == 0)
			o->passes = a + 8;
		else if (strncmp(a, "-mcpu=", 6) == 0)
			o->cpu = a + 6;
		else if (strncmp(a, "-print-after=", 13) == 0)
			o->after = a + 13;
		else if (strcmp(a, "-o") == 0 && i + 1 < argc)
			o->out = argv[++i];
		else if (*a == '-' && a[1])
			return complain("unknown option", a);
		else if (o->in)
			return complain("more than one file:", a);
		else
			o->in = a;
	}
	if (!target_find(str_of(o->cpu)))
		return complain("unknown GPU", o->cpu);
	if (o->after && !low_pass_find(str_of(o->after)))
		return complain("unknown pass", o->after);
	for (struct str rest = str_of(o->passes); rest.n;) {
		struct str one = str_split(&rest, ',');

		if (!low_pass_find(one)) {
			fprintf(stderr, "low: unknown pass '%.*s'\n", (int)one.n, one.p);
			return 2;
		}
	}
	return 0;
}

static LLVMModuleRef
read_module(LLVMContextRef cx, const struct options *o)
{
	LLVMMemoryBufferRef mem;
	LLVMModuleRef m = NULL;
	char *message = NULL;
	bool bad;

	if (!o->in || strcmp(o->in, "-") == 0)
		bad = LLVMCreateMemoryBufferWithSTDIN(&mem, &message);
	else
		bad = LLVMCreateMemoryBufferWithContentsOfFile(o->in, &mem, &message);
	if (bad || LLVMParseIRInContext(cx, mem, &m, &message)) {
		fprintf(stderr, "low: %s: %s\n", o->in ? o->in : "stdin",
			message ? message : "unreadable");
		LLVMDisposeMessage(message);
		return NULL;
	}
	return m;
}

static void
print_diagnostic(LLVMDiagnosticInfoRef info, void *errors)
{
	char *text = LLVMGetDiagInfoDescription(info);
	bool error = LLVMGetDiagInfoSeverity(info) == LLVMDSError;

	fprintf(stderr, "low: %s: %s\n", error ? "error" : "warning", text);
	LLVMDisposeMessage(text);
	*(unsigned *)errors += error;
}

int
main(int argc, char **argv)
{
	struct options o = {.cpu = "gfx1100"};
	LLVMContextRef cx;
	LLVMModuleRef m;
	unsigned errors = 0;
	char *message = NULL;
	int rc;

	if (argc == 2 && strcmp(argv[1], "--help") == 0) {
		print_usage();
		return 0;
	}
	rc = parse_options(argc, argv, &o);
	if (rc)
		return rc;
	cx = LLVMContextCreate();
	LLVMContextSetDiagnosticHandler(cx, print_diagnostic, &errors);
	m = read_module(cx, &o);
	if (!m)
		return 1;
	if (!tool_run(m, o.cpu, o.passes, o.after, &message)) {
		fprintf(stderr, "low: %s\n", message);
		return 1;
	}
	if (errors)
		return 1;
	if (!o.out) {
		char *text = LLVMPrintModuleToString(m);

		fputs(text, stdout);
		LLVMDisposeMessage(text);
	} else if (LLVMPrintModuleToFile(m, o.out, &message)) {
		fprintf(stderr, "low: %s: %s\n", o.out, message);
		return 1;
	}
	LLVMDisposeModule(m);
	LLVMContextDispose(cx);
	return 0;
}
