/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * toolkit.c - where things are. The folder of the running program (/proc/self/exe, symlinks
 * resolved) gives the toolkit, so that it can be moved as a whole. The path by which it was started,
 * followed link by link, gives the target: …/targets/gfx90a/bin/nvcc stands for gfx90a. Clang is
 * the one of HEDDLE_CLANG, of lib/heddle/config (written by configure), or of PATH.
 */
#include "lang/driver/driver.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* "a/b/c" gives "a/b"; the root and a bare name give "/" and ".". */
static const char *
parent(struct arena *a, const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;
	if (!slash)
		return ".";
	return slash == path ? "/" : arena_strdup(a, (struct str){path, (size_t)(slash - path)});
}

/* GPU of …/targets/GPU/bin/nvcc; *folder is …/targets/GPU. */
static const char *
target_of(struct arena *a, const char *path, const char **folder)
{
	const char *bin = parent(a, path), *gpu = bin ? parent(a, bin) : NULL;
	const char *all = gpu ? parent(a, gpu) : NULL;
	const char *name = gpu ? strrchr(gpu, '/') : NULL;
	if (!all || !name || !str_ends(str_of(all), "targets") || !target_find(str_of(name + 1)))
		return NULL;
	*folder = gpu;
	return name + 1;
}

/* One step along a symlink; NULL when `path` is none. */
static const char *
step(struct arena *a, const char *path)
{
	char to[PATH_MAX];
	ssize_t n = readlink(path, to, sizeof to - 1);
	if (n < 0)
		return NULL;
	to[n] = 0;
	return to[0] == '/' ? arena_strdup(a, str_of(to))
			    : arena_printf(a, "%s/%s", parent(a, path), to);
}

/* The value of "name=" in the text of the config file. */
static const char *
config_get(struct arena *a, struct str text, const char *name)
{
	while (text.n) {
		struct str line = str_split(&text, '\n'), rest = line, key = str_split(&rest, '=');
		if (str_is(key, name) && rest.n)
			return arena_strdup(a, rest);
	}
	return NULL;
}

static const char *
path_search(struct arena *a, const char *name)
{
	struct str path = str_of(getenv("PATH"));
	while (path.n) {
		struct str dir = str_split(&path, ':');
		const char *file = arena_printf(a, "%.*s/%s", (int)dir.n, dir.p, name);
		if (dir.n && file && access(file, X_OK) == 0)
			return file;
	}
	return NULL;
}

static const char *
clang_find(struct driver *d, const char *config)
{
	const char *env = getenv("HEDDLE_CLANG");
	if (env && *env)
		return strchr(env, '/') ? env : path_search(d->arena, env);
	size_t n;
	char *text = file_read(config, &n);
	const char *named = text ? config_get(d->arena, (struct str){text, n}, "clang") : NULL;
	free(text);
	return named && access(named, X_OK) == 0 ? named : path_search(d->arena, "clang-22");
}

bool
toolkit_find(struct driver *d, const char *started_as, struct toolkit *out)
{
	struct arena *a = d->arena;
	char self[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
	if (n < 0) {
		diag(d, DIAG_NO_TOOLKIT, started_as, strerror(errno), NULL);
		return false;
	}
	self[n] = 0;
	*out = (struct toolkit){.root = parent(a, parent(a, self))};
	out->shown = out->root;
	const char *path = started_as;
	if (path[0] != '/' && getcwd(self, sizeof self))
		path = arena_printf(a, "%s/%s", self, path);
	for (int i = 0; path && i < 40 && !out->target; i++, path = step(a, path))
		out->target = target_of(a, path, &out->shown);

	const char *config = arena_printf(a, "%s/lib/heddle/config", out->root);
	if (!config || !out->root)
		return false;
	out->clang = clang_find(d, config);
	if (!out->clang) {
		diag(d, DIAG_NO_CLANG, config, NULL, NULL);
		return false;
	}
	const char *beside = arena_printf(a, "%s/clang++", parent(a, out->clang));
	out->clangxx = beside && access(beside, X_OK) == 0 ? beside : NULL;
	return true;
}

bool
toolkit_is_other(const struct toolkit *k, struct str dir)
{
	char path[PATH_MAX], ours[PATH_MAX];
	int n = snprintf(path, sizeof path, "%.*s/cuda_runtime_api.h", (int)dir.n, dir.p);
	if (!dir.n || n < 0 || (size_t)n >= sizeof path || access(path, F_OK) < 0)
		return false;
	n = snprintf(ours, sizeof ours, "%s/include/cuda_runtime_api.h", k->root);
	char *a = realpath(path, NULL),
	     *b = n > 0 && (size_t)n < sizeof ours ? realpath(ours, NULL) : NULL;
	bool other = !a || !b || strcmp(a, b) != 0;
	free(a);
	free(b);
	return other;
}
