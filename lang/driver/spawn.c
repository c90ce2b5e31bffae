/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * spawn.c - how a pass meets the system: its environment, its start with the right files in the right
 * places, and the files that come and go around it.
 */
#include "lang/driver/driver.h"

#include <dirent.h>
#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void
file_discard(const char *path)
{
	struct stat st;
	if (path && lstat(path, &st) == 0 && S_ISREG(st.st_mode))
		unlink(path);
}

void
folder_remove(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *e;
	while (dir && (e = readdir(dir)))
		unlinkat(dirfd(dir), e->d_name, 0);
	if (dir)
		closedir(dir);
	rmdir(path);
}

bool
stdin_copy(struct driver *d, const struct unit *u)
{
	FILE *out = fopen(u->input, "w");
	char part[65536];
	ssize_t n = 0;
	if (out && u->lang != LANG_ASM)
		fputs("# 1 \"<stdin>\"\n", out);
	while (out && (n = read(0, part, sizeof part)) > 0)
		fwrite(part, 1, (size_t)n, out);
	bool good = out && n == 0 && !ferror(out);
	if (out && fclose(out) != 0)
		good = false;
	if (!good)
		diag(d, DIAG_WRITE, u->input, strerror(errno), NULL);
	return good;
}

/* NAME=DIR:DIR… without the folders of other toolkits. */
static char *
env_filter(struct driver *d, const char *variable)
{
	struct str rest = str_of(variable), name = str_split(&rest, '=');
	struct buf b = {0};
	buf_printf(&b, "%.*s=", (int)name.n, name.p);
	for (bool first = true; rest.n;) {
		struct str dir = str_split(&rest, ':');
		if (toolkit_is_other(&d->kit, dir))
			continue;
		buf_printf(&b, "%s%.*s", first ? "" : ":", (int)dir.n, dir.p);
		first = false;
	}
	char *s = arena_strdup(d->arena, (struct str){(const char *)b.p, b.n});
	buf_free(&b);
	return s;
}

char **
env_make(struct driver *d, const char *temp)
{
	static const char *const paths[] = {"CPATH=", "C_INCLUDE_PATH=", "CPLUS_INCLUDE_PATH="};
	size_t n = 0, k = 0;
	while (d->environ[n])
		n++;
	char **env = ARENA_NEW(d->arena, char *, n + 2);
	if (!env)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		bool filter = false;
		for (size_t p = 0; p < COUNT(paths); p++)
			filter |= str_starts(str_of(d->environ[i]), paths[p]);
		if (strncmp(d->environ[i], "TMPDIR=", 7) == 0)
			continue;
		env[k] = filter ? env_filter(d, d->environ[i]) : d->environ[i];
		if (!env[k++])
			return NULL;
	}
	env[k] = arena_printf(d->arena, "TMPDIR=%s", temp);
	return env[k] ? env : NULL;
}

pid_t
spawn(struct driver *d, const words *w, char *const *env, const sigset_t *mask, int out, int err,
	int three)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	sigset_t none;
	pid_t pid = 0;
	char **argv = calloc(w->n + 1, sizeof *argv);
	if (!argv) {
		diag(d, DIAG_NO_MEMORY, NULL, NULL, NULL);
		return 0;
	}
	for (size_t i = 0; i < w->n; i++)
		argv[i] = (char *)(uintptr_t)w->p[i]; /* posix_spawn does not write there */
	posix_spawn_file_actions_init(&files);
	posix_spawnattr_init(&attr);
	if (three >= 0)
		posix_spawn_file_actions_adddup2(&files, three, 3);
	if (out >= 0)
		posix_spawn_file_actions_adddup2(&files, out, 1);
	if (err >= 0)
		posix_spawn_file_actions_adddup2(&files, err, 2);
	/* Signals are ours to watch, not theirs to miss. */
	sigemptyset(&none);
	sigaddset(&none, SIGPIPE);
	posix_spawnattr_setsigdefault(&attr, &none);
	posix_spawnattr_setsigmask(&attr, mask);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	int rc = posix_spawnp(&pid, argv[0], &files, &attr, argv, env);
	if (rc) {
		diag(d, DIAG_SPAWN, argv[0], strerror(rc), NULL);
		pid = 0;
	}
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&attr);
	free(argv);
	return pid;
}
