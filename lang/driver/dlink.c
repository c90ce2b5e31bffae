/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * dlink.c - links device code of several sources. Objects made with -dc hold it as bitcode (parts.c in
 * amdgpu/ finds it there). For each GPU clang links the parts, the device library last, and runs all of
 * LLVM's and our passes over the whole, as it does over a single source otherwise: so functions of other
 * sources are inlined, and the warp mode of a kernel is known only here.
 *
 *     a.o, b.o, lib.a(c.o) ──► bitcode files ──► clang gfx1100 ──► code object ─┐
 *                                           └──► clang gfx90a  ──► code object ─┴─ fat binary ─► object
 *
 * The object of the host that is made has the fat binary and a constructor that registers it, and with it
 * the kernels and variables of all sources: clang tells of them in section llvm_offload_entries. They
 * share one fat binary, so that a variable is one on each GPU.
 */
#include "lang/driver/driver.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "amdgpu/code.h"

struct linked_gpu {
	const char *arch;
	words parts; /* bitcode files */
};

struct object {
	const char *name; /* "a.o" or "lib.a(c.o)" */
	words gpus;
};

struct dlink {
	struct driver *d;
	const struct dlink_flags *flags;
	const char *temp;
	VEC(struct linked_gpu) gpus;
	VEC(struct object) objects;
	const char *file; /* at hand */
	size_t nparts;
	struct buf fatbin, usage;
};

/* What the constructor does, as C: structs are LLVM's __tgt_offload_entry and what clang's host pass puts
 * before the address of a fat binary. The section's ends are the linker's, of this program or library. */
static const char source[] =
	"struct entry {\n"
	"	unsigned long reserved;\n"
	"	unsigned short version, kind;\n"
	"	unsigned flags;\n"
	"	char *address, *name;\n"
	"	unsigned long size, data;\n"
	"	void *aux;\n"
	"};\n"
	"extern struct entry __start_llvm_offload_entries[] __attribute__((weak, "
	"visibility(\"hidden\")));\n"
	"extern struct entry __stop_llvm_offload_entries[] __attribute__((weak, "
	"visibility(\"hidden\")));\n"
	"extern const char image[] __asm__(\".Lheddle_image\");\n"
	"void **__cudaRegisterFatBinary(void *);\n"
	"void __cudaRegisterFatBinaryEnd(void **);\n"
	"void __cudaUnregisterFatBinary(void **);\n"
	"void __cudaRegisterFunction(void **, const char *, char *, const char *, int, void *, "
	"void *,\n"
	"	void *, void *, int *);\n"
	"void __cudaRegisterVar(void **, char *, char *, const char *, int, unsigned long, int, "
	"int);\n"
	"static struct { unsigned magic, version; const char *data; void *none; } wrapper\n"
	"	__attribute__((section(\".nvFatBinSegment\"))) = {0x466243b1, 1, image, 0};\n"
	"static void **handle;\n"
	"__attribute__((destructor)) static void end(void) { __cudaUnregisterFatBinary(handle); }\n"
	"__attribute__((constructor)) static void begin(void)\n"
	"{\n"
	"	struct entry *e = __start_llvm_offload_entries, *stop = "
	"__stop_llvm_offload_entries;\n"
	"	handle = __cudaRegisterFatBinary(&wrapper);\n"
	"	for (; e < stop; e++) {\n"
	"		if (e->kind != 2 || !e->name) /* CUDA's; the rest is not ours */\n"
	"			continue;\n"
	"		if (!e->size)\n"
	"			__cudaRegisterFunction(handle, e->address, e->name, e->name, -1, "
	"0, 0, 0, 0, 0);\n"
	"		else if (!(e->flags & 7)) /* not a texture, surface or managed variable "
	"*/\n"
	"			__cudaRegisterVar(handle, e->address, e->name, e->name, e->flags "
	">> 3 & 1,\n"
	"				e->size, e->flags >> 4 & 1, 0);\n"
	"	}\n"
	"	__cudaRegisterFatBinaryEnd(handle);\n"
	"}\n";

static bool
fail(struct dlink *l, const char *path)
{
	diag(l->d, DIAG_WRITE, path, strerror(errno), NULL);
	return false;
}

/* --- what there is to link --------------------------------------------------------------------- */

static struct linked_gpu *
gpu_of(struct dlink *l, struct str arch)
{
	for (size_t i = 0; i < l->gpus.n; i++)
		if (str_is(arch, l->gpus.p[i].arch))
			return &l->gpus.p[i];
	const char *name = arena_strdup(l->d->arena, arch);
	if (!name || !VEC_PUSH(&l->gpus, ((struct linked_gpu){.arch = name})))
		return NULL;
	return &l->gpus.p[l->gpus.n - 1];
}

static struct object *
object_of(struct dlink *l, struct str member)
{
	const char *name =
		member.n ? arena_printf(l->d->arena, "%s(%.*s)", l->file, (int)member.n, member.p)
			 : l->file;
	struct object *last = l->objects.n ? &l->objects.p[l->objects.n - 1] : NULL;
	if (last && name && strcmp(last->name, name) == 0)
		return last;
	if (!name || !VEC_PUSH(&l->objects, (struct object){.name = name}))
		return NULL;
	return &l->objects.p[l->objects.n - 1];
}

static bool
has_gpu(const struct object *o, const char *arch)
{
	for (size_t i = 0; i < o->gpus.n; i++)
		if (strcmp(o->gpus.p[i], arch) == 0)
			return true;
	return false;
}

static bool
part_add(void *user, struct str member, const struct fatbin_image *part)
{
	struct dlink *l = user;
	struct linked_gpu *g = gpu_of(l, part->arch);
	struct object *o = object_of(l, member);
	const char *path = arena_printf(l->d->arena, "%s/%zu.bc", l->temp, l->nparts++);
	if (!g || !o || !path || !VEC_PUSH(&g->parts, path) || !VEC_PUSH(&o->gpus, g->arch)) {
		diag(l->d, DIAG_NO_MEMORY, NULL, NULL, NULL);
		return false;
	}
	return file_write(path, part->image.p, part->image.n) || fail(l, path);
}

static bool
same_file(const char *a, const char *b)
{
	struct stat sa, sb;
	return stat(a, &sa) == 0 && stat(b, &sb) == 0 && sa.st_dev == sb.st_dev &&
	       sa.st_ino == sb.st_ino;
}

/* Calls `each` for all parts of a file; false, and reported, when it cannot be read. */
static bool
file_parts(struct driver *d, const char *path, code_part_fn *each, void *user)
{
	size_t n;
	char *bytes = file_read(path, &n);
	if (!bytes) {
		diag(d, DIAG_READ, path, strerror(errno), NULL);
		return false;
	}
	enum code_status s = code_parts(path, (struct str){bytes, n}, each, user);
	free(bytes);
	if (s != CODE_OK)
		diag(d, DIAG_READ, path, code_status_text(s), NULL);
	return s == CODE_OK;
}

static bool
stop_at_first(void *user, struct str member, const struct fatbin_image *part)
{
	(void)member, (void)part;
	*(bool *)user = true;
	return false;
}

bool
dlink_needed(struct driver *d, const char *path)
{
	bool any = false;
	struct stat st;
	/* The output of a unit is not there yet; whoever compiles it knows. */
	if (stat(path, &st) == 0 && S_ISREG(st.st_mode) && !str_ends(str_of(path), ".so") &&
		!file_parts(d, path, stop_at_first, &any))
		return false;
	return any;
}

/* All sources must have been compiled for all GPUs. */
static bool
check_gpus(struct dlink *l)
{
	for (size_t i = 0; i < l->objects.n; i++)
		for (size_t k = 0; k < l->gpus.n; k++)
			if (!has_gpu(&l->objects.p[i], l->gpus.p[k].arch))
				diag(l->d, DIAG_DLINK_GPU, l->objects.p[i].name, l->gpus.p[k].arch,
					NULL);
	return !l->d->errors;
}

static bool
collect(struct dlink *l, const words *files)
{
	for (size_t i = 0; i < files->n; i++) {
		bool again = false;
		for (size_t k = 0; k < i && !again; k++) /* libraries are often named twice */
			again = same_file(files->p[k], files->p[i]);
		l->file = files->p[i];
		if (!again && !file_parts(l->d, l->file, part_add, l))
			return false;
	}
	return check_gpus(l);
}

/* --- the link -------------------------------------------------------------------------------------- */

/* Runs a command, its arguments freed; signals that ask us to end are looked at when it has ended. */
static bool
command(struct dlink *l, words *argv)
{
	sigset_t none;
	int status = 1;
	sigemptyset(&none);
	pid_t pid = spawn(l->d, argv, l->d->environ, &none, -1, -1, -1);
	words_free(argv);
	while (pid && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	sigset_t now;
	sigpending(&now);
	return pid && status == 0 && !sigismember(&now, SIGINT) && !sigismember(&now, SIGTERM) &&
	       !sigismember(&now, SIGHUP);
}

static bool
gpu_link(struct dlink *l, const struct linked_gpu *g, size_t i)
{
	const char *out = arena_printf(l->d->arena, "%s/%zu.co", l->temp, i);
	words argv = {0};
	size_t n;
	args_dlink_gpu(l->d, l->flags, g->arch, &g->parts, out, &argv);
	if (!command(l, &argv))
		return false;
	char *image = file_read(out, &n);
	if (!image) {
		diag(l->d, DIAG_READ, out, strerror(errno), NULL);
		return false;
	}
	fatbin_add(&l->fatbin, STR("amdgcn-amd-amdhsa"), str_of(g->arch), (struct str){image, n},
		FATBIN_OBJECT);
	if (l->flags->usage && code_info_print(&l->usage, (struct str){image, n}) != CODE_OK)
		buf_printf(&l->usage, "%s: no kernels to tell of\n", g->arch);
	free(image);
	return true;
}

static bool
object_make(struct dlink *l, const char *out)
{
	const char *image = arena_printf(l->d->arena, "%s/fatbin", l->temp);
	const char *path = arena_printf(l->d->arena, "%s/dlink.c", l->temp);
	struct buf text = {0}, name = {0};
	words argv = {0};
	for (const char *s = image; s && *s; s++)
		buf_printf(&name, "%s%c", *s == '"' || *s == '\\' ? "\\\\\\" : "", *s);
	if (l->gpus.n)
		buf_printf(&text,
			"%s__asm__(\".pushsection .nv_fatbin,\\\"a\\\"\\n.p2align 12\\n"
			".Lheddle_image:\\n.incbin \\\"%.*s\\\"\\n.popsection\");\n",
			source, (int)name.n, (const char *)name.p);
	bool good = !text.failed && !name.failed && !l->fatbin.failed && image && path;
	if (!good)
		diag(l->d, DIAG_NO_MEMORY, NULL, NULL, NULL);
	good = good && (file_write(image, l->fatbin.p, l->fatbin.n) || fail(l, image)) &&
	       (file_write(path, text.p, text.n) || fail(l, path));
	buf_free(&text);
	buf_free(&name);
	if (!good)
		return false;
	args_dlink_host(l->d, path, out, &argv);
	return command(l, &argv);
}

static void
dlink_free(struct dlink *l)
{
	for (size_t i = 0; i < l->gpus.n; i++)
		words_free(&l->gpus.p[i].parts);
	for (size_t i = 0; i < l->objects.n; i++)
		words_free(&l->objects.p[i].gpus);
	free(l->gpus.p);
	free(l->objects.p);
	buf_free(&l->fatbin);
	buf_free(&l->usage);
}

int
dlink_run(struct driver *d, const struct dlink_flags *f, const words *files, const char *out)
{
	const char *dir = getenv("TMPDIR");
	char *temp = arena_printf(d->arena, "%s/heddle-dlink-XXXXXX", dir && *dir ? dir : "/tmp");
	struct dlink l = {.d = d, .flags = f, .temp = temp};
	sigset_t ends;
	sigemptyset(&ends);
	sigaddset(&ends, SIGINT);
	sigaddset(&ends, SIGTERM);
	sigaddset(&ends, SIGHUP);
	sigprocmask(SIG_BLOCK, &ends, NULL); /* until our files are removed */
	if (!temp || !mkdtemp(temp)) {
		diag(d, DIAG_TEMP, temp ? temp : "", strerror(errno), NULL);
		return 1;
	}
	bool good = collect(&l, files);
	for (size_t i = 0; good && i < l.gpus.n; i++)
		good = gpu_link(&l, &l.gpus.p[i], i);
	good = good && object_make(&l, out);
	if (good && l.usage.n)
		fwrite(l.usage.p, 1, l.usage.n, d->err);
	if (!good)
		file_discard(out);
	dlink_free(&l);
	folder_remove(temp);
	sigprocmask(SIG_UNBLOCK, &ends, NULL);
	return good ? 0 : 1;
}
