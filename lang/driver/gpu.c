/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * gpu.c - which GPUs to compile for. A name is a row of targets.def (with or without ":xnack-" and
 * the like), or NVIDIA's: every sm_NN, compute_NN and lto_NN is the toolkit's own target, whatever
 * the number, so that build files written for NVIDIA's GPUs work as they are. "native" is the GPU of
 * this machine; "all" every row, "all-major" the largest product of each generation.
 */
#include "lang/driver/driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct finder {
	struct driver *d;
	gpus *out;
};

static void
add(struct finder *f, struct str arch, const struct target *t)
{
	for (size_t i = 0; i < f->out->n; i++)
		if (str_is(arch, f->out->p[i].arch))
			return;
	const char *name = arena_strdup(f->d->arena, arch);
	if (!name || !VEC_PUSH(f->out, ((struct gpu){name, t})))
		f->d->arena->failed = true;
}

const char *
gpus_known(struct driver *d)
{
	struct buf b = {0};
	for (int i = 0; i < TARGET_COUNT; i++)
		buf_printf(&b, "%s%s", i ? " " : "", target_get((enum target_id)i)->name);
	const char *s = arena_strdup(d->arena, (struct str){(const char *)b.p, b.n});
	buf_free(&b);
	return s ? s : "";
}

static void
unknown(struct finder *f, struct str name)
{
	const char *all = arena_printf(f->d->arena, "%s and any sm_NN", gpus_known(f->d));
	diag(f->d, DIAG_UNKNOWN_GPU, arena_strdup(f->d->arena, name), all, NULL);
}

/* Names of targets.def, separated by commas. */
static void
add_list(struct finder *f, struct str list)
{
	while (list.n) {
		struct str name = str_split(&list, ',');
		const struct target *t = target_find(name);
		if (t)
			add(f, name, t);
		else
			unknown(f, name);
	}
}

/* The toolkit's own target: HEDDLE_TARGET, the folder's, or the default of targets.def. */
static void
add_own(struct finder *f)
{
	const char *env = getenv("HEDDLE_TARGET"), *folder = f->d->kit.target;
	if (env && *env)
		add_list(f, str_of(env));
	else
		add_list(f, str_of(folder ? folder : target_get(TARGET_DEFAULT)->name));
}

/* The GPUs that the kernel driver knows: gfx_target_version is major * 10000 + minor * 100 + step. */
static bool
add_installed(struct finder *f)
{
	size_t before = f->out->n;
	for (int node = 0; node < 64; node++) {
		char path[96], line[256];
		snprintf(
			path, sizeof path, "/sys/class/kfd/kfd/topology/nodes/%d/properties", node);
		FILE *in = fopen(path, "r");
		if (!in)
			break;
		unsigned v = 0;
		while (fgets(line, sizeof line, in) &&
			sscanf(line, "gfx_target_version %u", &v) != 1)
			;
		fclose(in);
		for (int i = 0; v && i < TARGET_COUNT; i++) {
			const struct target *t = target_get((enum target_id)i);
			if (v == t->major * 10000u + t->minor * 100u + t->step)
				add(f, str_of(t->name), t);
		}
	}
	return f->out->n > before;
}

/* The devices that a program would see: HEDDLE_DEVICE=exec:LIST, else the machine's. */
static void
add_native(struct finder *f)
{
	const char *env = getenv("HEDDLE_DEVICE");
	if (env && strncmp(env, "exec:", 5) == 0)
		add_list(f, str_of(env + 5));
	else if ((env && strcmp(env, "exec") == 0) || !add_installed(f))
		add_own(f);
}

static void
add_all(struct finder *f)
{
	for (int i = 0; i < TARGET_COUNT; i++)
		add(f, str_of(target_get((enum target_id)i)->name), target_get((enum target_id)i));
}

static void
add_major(struct finder *f)
{
	for (unsigned major = 0; major < 32; major++) {
		const struct target *best = NULL;
		for (int i = 0; i < TARGET_COUNT; i++) {
			const struct target *t = target_get((enum target_id)i);
			if (t->major == major && (!best || t->cus > best->cus))
				best = t;
		}
		if (best)
			add(f, str_of(best->name), best);
	}
}

/* sm_86, compute_90a, lto_100f: two or three digits and at most one letter. */
static bool
is_nvidia(struct str name)
{
	static const char *const kinds[] = {"sm_", "compute_", "lto_"};
	for (size_t i = 0; i < COUNT(kinds); i++) {
		if (!str_starts(name, kinds[i]))
			continue;
		struct str n = {name.p + strlen(kinds[i]), name.n - strlen(kinds[i])};
		size_t digits = 0;
		while (digits < n.n && n.p[digits] >= '0' && n.p[digits] <= '9')
			digits++;
		bool letter = digits + 1 == n.n && (n.p[digits] == 'a' || n.p[digits] == 'f');
		return digits >= 2 && digits <= 3 && (digits == n.n || letter);
	}
	return false;
}

static void
add_name(struct finder *f, struct str name)
{
	const struct target *t = target_find(name);
	if (t)
		add(f, name, t);
	else if (is_nvidia(name))
		add_own(f);
	else if (str_is(name, "native"))
		add_native(f);
	else if (str_is(name, "all-major"))
		add_major(f);
	else if (str_is(name, "all"))
		add_all(f);
	else
		unknown(f, name);
}

/* arch=NAME,code=NAME | arch=NAME,code=[NAME,NAME] | arch=NAME,code="NAME,NAME" | arch=NAME */
static void
add_gencode(struct finder *f, const char *value)
{
	struct str rest = str_of(value), code = {0};
	struct str arch = str_split(&rest, ',');
	bool good = str_starts(arch, "arch=") && arch.n > 5;
	if (good && rest.n) {
		good = str_starts(rest, "code=") && rest.n > 5;
		code = (struct str){rest.p + 5, good ? rest.n - 5 : 0};
	}
	if (good && code.n && strchr("[\"", code.p[0])) {
		good = code.n > 2 && code.p[code.n - 1] == (code.p[0] == '[' ? ']' : '"');
		code = (struct str){code.p + 1, good ? code.n - 2 : 0};
	}
	if (!good) {
		diag(f->d, DIAG_BAD_GENCODE, value, NULL, NULL);
		return;
	}
	if (!code.n)
		code = (struct str){arch.p + 5, arch.n - 5};
	while (code.n)
		add_name(f, str_split(&code, ','));
}

void
gpus_find(struct driver *d, const struct cmdline *c, gpus *out)
{
	struct finder f = {d, out};
	*out = (gpus){0};
	bool arch = flag_has(c, FLAG_arch) || flag_has(c, FLAG_offload_arch);
	if (flag_has(c, FLAG_code) && !arch)
		diag(d, DIAG_NO_ARCH, NULL, NULL, NULL);
	for (size_t i = 0; i < c->uses.n; i++) {
		const struct flag_use *u = &c->uses.p[i];
		if (u->id == FLAG_arch || u->id == FLAG_offload_arch || u->id == FLAG_code)
			add_name(&f, str_of(u->value));
		else if (u->id == FLAG_gencode)
			add_gencode(&f, u->value);
	}
	if (!out->n)
		add_own(&f);
}
