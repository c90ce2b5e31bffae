/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * run.c - carries a plan out. The passes of a unit run at once: one for each GPU and the host's,
 * which embeds what the others make. Clang reads the fat binary last, so the host's pass is given
 * the reading end of a pipe (/dev/fd/3) and waits there, if at all, until we have packed:
 *
 *     device pass gfx1100 ──► file ─┐
 *     device pass gfx90a  ──► file ─┴─ pack ──► pipe ──► host pass ──► object
 *
 * A precompiled header that clang finds outdated is no reason to fail: the pass runs again without.
 *
 * When a device pass fails the pipe is closed with nothing in it; the host's pass still reports its
 * own errors, and its object, which would register no kernel, is removed. An empty pipe is no error
 * for clang: only we know.
 *
 * One loop waits for everything: ends of processes and signals through a signalfd, their texts, and
 * room in the pipes. Texts are kept until the unit ends, for report.c to join. A signal that asks us
 * to end is handed to the children; when they are gone, files are removed and the caller is told.
 */
#include "lang/driver/driver.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "amdgpu/code.h"

#define FATBIN_PATH   "/dev/fd/3"
#define FATBIN_TRIPLE "amdgcn-amd-amdhsa"

struct proc {
	const struct pass *pass;
	pid_t pid;       /* 0: not started */
	int text_fd;     /* -1: closed */
	struct buf text;
	bool ended, failed;
	bool again; /* without the precompiled header, which did not fit */
};

struct job { /* a unit at work */
	struct unit *unit;
	struct proc *procs;
	size_t n, started;
	bool packed, failed, done;
	int pipe[2]; /* to the host's pass; -1: closed or none */
	struct buf fatbin;
	size_t written;
	struct buf usage; /* registers and memory of the kernels, when asked for */
};

struct runner {
	struct driver *d;
	struct plan *p;
	struct job *jobs;
	char **env;
	sigset_t watched, before;
	int signal_fd;
	size_t running, limit;
	bool failed;
	int signal;
};

static const char *
reason(int status)
{
	return WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : NULL;
}

static void
close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void
pass_start(struct runner *r, struct job *j, struct proc *pr)
{
	bool host = pr->pass->kind == PASS_HOST;
	int text[2];
	if (pipe2(text, O_CLOEXEC) < 0) {
		diag(r->d, DIAG_SPAWN, pr->pass->argv.p[0], strerror(errno), NULL);
		pr->ended = pr->failed = true;
		return;
	}
	words argv = {0};
	pass_argv(r->d, pr->pass, !pr->again, host ? FATBIN_PATH : NULL, &argv);
	pr->pid = spawn(r->d, &argv, r->env, &r->before, pr->pass->out ? text[1] : -1, text[1],
		host ? j->pipe[0] : -1);
	words_free(&argv);
	close(text[1]);
	pr->text_fd = text[0];
	if (pr->pid) {
		r->running++;
		return;
	}
	pr->ended = pr->failed = true;
	close_fd(&pr->text_fd);
}

/* --- units -------------------------------------------------------------------------------------------- */

static bool
job_open(struct runner *r, struct job *j)
{
	bool host = false;
	for (size_t i = 0; i < j->n; i++)
		host |= j->unit->passes.p[i].kind == PASS_HOST && j->unit->passes.p[i].fatbin_arg;
	if (r->p->verbose)
		print_unit(r->d, r->p, j->unit);
	if (j->unit->from_stdin && !stdin_copy(r->d, j->unit))
		return false;
	if (host && pipe2(j->pipe, O_CLOEXEC) < 0) {
		diag(r->d, DIAG_SPAWN, j->unit->input, strerror(errno), NULL);
		return false;
	}
	if (host)
		fcntl(j->pipe[1], F_SETFL, O_NONBLOCK);
	return true;
}

/* Starts what may run: units in order, so many at a time; their passes as there are processors. */
static void
start_more(struct runner *r)
{
	size_t open = 0;
	for (size_t i = 0; i < r->p->units.n && open < r->p->threads; i++) {
		struct job *j = &r->jobs[i];
		if (j->done)
			continue;
		open++;
		if (!j->started && (r->failed || !job_open(r, j))) {
			j->done = r->failed = true;
			continue;
		}
		while (j->started < j->n && r->running < r->limit && !r->signal)
			pass_start(r, j, &j->procs[j->started++]);
	}
}

/* All device passes of the unit ended well: their files become the fat binary. */
static void
pack(struct runner *r, struct job *j)
{
	for (size_t i = 0; i < j->n && !j->failed; i++) {
		const struct pass *pass = j->procs[i].pass;
		size_t n;
		if (pass->kind != PASS_DEVICE)
			continue;
		char *image = file_read(pass->out, &n);
		if (!image) {
			diag(r->d, DIAG_READ, pass->out, strerror(errno), NULL);
			j->failed = true;
			break;
		}
		fatbin_add(&j->fatbin, STR(FATBIN_TRIPLE), str_of(pass->gpu->arch),
			(struct str){image, n}, r->p->rdc ? FATBIN_BITCODE : FATBIN_OBJECT);
		if (r->p->usage && !r->p->rdc &&
			code_info_print(&j->usage, (struct str){image, n}) != CODE_OK)
			buf_printf(&j->usage, "%s: no kernels to tell of\n", pass->gpu->arch);
		free(image);
	}
	if (j->fatbin.failed) {
		diag(r->d, DIAG_NO_MEMORY, NULL, NULL, NULL);
		j->failed = true;
	}
	if (!j->failed && j->unit->keep_fatbin &&
		!file_write(j->unit->fatbin, j->fatbin.p, j->fatbin.n)) {
		diag(r->d, DIAG_WRITE, j->unit->fatbin, strerror(errno), NULL);
		j->failed = true;
	}
}

/* Writes what the pipe takes; closes it at the end, or when the reader is gone. */
static void
feed(struct job *j)
{
	while (j->pipe[1] >= 0) {
		size_t left = j->failed ? 0 : j->fatbin.n - j->written;
		ssize_t n = left ? write(j->pipe[1], j->fatbin.p + j->written, left) : 0;
		if (n > 0)
			j->written += (size_t)n;
		else if (n == 0 || (errno != EAGAIN && errno != EINTR))
			close_fd(&j->pipe[1]);
		else if (errno == EAGAIN)
			return;
	}
}

/* The host's make rule gets what the GPUs' passes read besides. */
static bool
deps_join(struct runner *r, const struct job *j)
{
	const char *file = NULL;
	for (size_t i = 0; i < j->n; i++)
		if (j->procs[i].pass->kind == PASS_HOST)
			file = j->procs[i].pass->deps;
	for (size_t i = 0; file && i < j->n; i++) {
		const struct pass *pass = j->procs[i].pass;
		if (pass->kind == PASS_DEVICE && pass->deps &&
			!deps_add(r->d, file, pass->deps, r->p->phony))
			return false;
	}
	return true;
}

static void
job_advance(struct runner *r, struct job *j)
{
	bool devices = true, all = j->started == j->n;
	if (j->done || !j->started)
		return;
	for (size_t i = 0; i < j->n; i++) {
		struct proc *pr = &j->procs[i];
		bool over = pr->ended && pr->text_fd < 0;
		if (over && pr->failed && !pr->again && pch_blamed(pr->pass, &pr->text)) {
			pr->again = true;
			pr->ended = pr->failed = over = false;
			pr->text.n = 0;
			pass_start(r, j, pr);
		}
		j->failed |= over && pr->failed;
		devices &= over || pr->pass->kind != PASS_DEVICE;
		all &= over;
	}
	if (devices && !j->packed && r->p->phase >= PHASE_FATBIN && j->unit->lang == LANG_CUDA) {
		j->packed = true;
		pack(r, j);
		feed(j);
	}
	if (!all && !(r->signal && !r->running))
		return;
	j->done = true;
	struct buf *texts = calloc(j->n, sizeof *texts);
	for (size_t i = 0; texts && i < j->n; i++)
		texts[i] = j->procs[i].text;
	if (texts && !r->signal)
		report_print(r->d->err, texts, j->n);
	if (j->usage.n)
		fwrite(j->usage.p, 1, j->usage.n, r->d->err);
	free(texts);
	if (!j->failed && !r->signal && !deps_join(r, j))
		j->failed = true;
	if (j->failed || r->signal) {
		file_discard(j->unit->output);
		r->failed = true;
	}
}

static void
job_free(struct job *j)
{
	for (size_t i = 0; i < j->n; i++) {
		close_fd(&j->procs[i].text_fd);
		buf_free(&j->procs[i].text);
	}
	close_fd(&j->pipe[0]);
	close_fd(&j->pipe[1]);
	buf_free(&j->fatbin);
	buf_free(&j->usage);
}

/* --- the loop ------------------------------------------------------------------------------------------- */

static void
proc_end(struct runner *r, pid_t pid, int status)
{
	for (size_t i = 0; i < r->p->units.n; i++)
		for (size_t k = 0; k < r->jobs[i].n; k++) {
			struct proc *pr = &r->jobs[i].procs[k];
			if (pr->pid != pid || pr->ended)
				continue;
			pr->ended = true;
			pr->failed = status != 0;
			r->running--;
			if (reason(status) && !r->signal)
				diag(r->d, DIAG_KILLED, pr->pass->argv.p[0], reason(status), NULL);
		}
}

static void
stop(struct runner *r, int signal)
{
	r->signal = signal;
	r->failed = true;
	for (size_t i = 0; i < r->p->units.n; i++)
		for (size_t k = 0; k < r->jobs[i].n; k++)
			if (r->jobs[i].procs[k].pid && !r->jobs[i].procs[k].ended)
				kill(r->jobs[i].procs[k].pid, signal);
}

static void
signals_read(struct runner *r)
{
	struct signalfd_siginfo info;
	int status;
	pid_t pid;
	while (read(r->signal_fd, &info, sizeof info) == sizeof info)
		if (info.ssi_signo != SIGCHLD && info.ssi_signo != SIGPIPE)
			stop(r, (int)info.ssi_signo);
	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		proc_end(r, pid, status);
}

static void
text_read(struct proc *pr)
{
	u8 part[16384];
	ssize_t n = read(pr->text_fd, part, sizeof part);
	if (n > 0)
		buf_add(&pr->text, part, (size_t)n);
	else if (n == 0 || errno != EINTR)
		close_fd(&pr->text_fd);
}

/* Waits until something can be done, and does it. */
static void
wait_one(struct runner *r, struct pollfd *polls)
{
	size_t n = 0, at = 1;
	polls[n++] = (struct pollfd){.fd = r->signal_fd, .events = POLLIN};
	for (size_t i = 0; i < r->p->units.n; i++) {
		struct job *j = &r->jobs[i];
		for (size_t k = 0; k < j->n; k++)
			polls[n++] = (struct pollfd){.fd = j->procs[k].text_fd, .events = POLLIN};
		polls[n++] = (struct pollfd){.fd = j->packed ? j->pipe[1] : -1, .events = POLLOUT};
	}
	if (poll(polls, (nfds_t)n, -1) < 0)
		return;
	if (polls[0].revents)
		signals_read(r);
	for (size_t i = 0; i < r->p->units.n; i++) {
		struct job *j = &r->jobs[i];
		for (size_t k = 0; k < j->n; k++)
			if (polls[at++].revents && j->procs[k].text_fd >= 0)
				text_read(&j->procs[k]);
		if (polls[at++].revents)
			feed(j);
	}
}

static bool
units_left(const struct runner *r)
{
	for (size_t i = 0; i < r->p->units.n; i++)
		if (!r->jobs[i].done)
			return true;
	return false;
}

/* A unit has begun and not ended: a process runs or its text is still to be read. */
static bool
at_work(const struct runner *r)
{
	for (size_t i = 0; i < r->p->units.n; i++)
		if (r->jobs[i].started && !r->jobs[i].done)
			return true;
	return false;
}

static void
units_run(struct runner *r)
{
	size_t most = 1;
	for (size_t i = 0; i < r->p->units.n; i++) {
		struct job *j = &r->jobs[i];
		j->unit = &r->p->units.p[i];
		j->n = j->unit->passes.n;
		j->procs = ARENA_NEW(r->d->arena, struct proc, j->n + 1);
		j->pipe[0] = j->pipe[1] = -1;
		j->done = !j->n || !j->procs;
		most += j->n + 1;
		for (size_t k = 0; j->procs && k < j->n; k++)
			j->procs[k] = (struct proc){.pass = &j->unit->passes.p[k], .text_fd = -1};
	}
	struct pollfd *polls = ARENA_NEW(r->d->arena, struct pollfd, most);
	if (r->d->arena->failed || !polls) {
		diag(r->d, DIAG_NO_MEMORY, NULL, NULL, NULL);
		r->failed = true;
		return;
	}
	for (;;) {
		start_more(r);
		for (size_t i = 0; i < r->p->units.n; i++)
			job_advance(r, &r->jobs[i]);
		if (!units_left(r) || (!r->running && r->signal))
			break;
		if (at_work(r)) /* else the next unit can begin */
			wait_one(r, polls);
	}
	for (size_t i = 0; i < r->p->units.n; i++)
		job_free(&r->jobs[i]);
}

/* One command with our own streams; its exit status, or 1 when it did not end by itself. */
static int
command_run(struct runner *r, const words *argv, char *const *env)
{
	fflush(r->d->out);
	fflush(r->d->err);
	pid_t pid = spawn(r->d, argv, env, &r->before, -1, -1, -1);
	int status = 1 << 8;
	if (!pid)
		return 1;
	struct pollfd on = {.fd = r->signal_fd, .events = POLLIN};
	while (waitpid(pid, &status, WNOHANG) == 0) {
		struct signalfd_siginfo info;
		if (poll(&on, 1, -1) < 0 || read(r->signal_fd, &info, sizeof info) != sizeof info)
			continue;
		if (info.ssi_signo != SIGCHLD && info.ssi_signo != SIGPIPE) {
			r->signal = (int)info.ssi_signo;
			kill(pid, r->signal);
		}
	}
	if (WIFSIGNALED(status) && !r->signal)
		diag(r->d, DIAG_KILLED, argv->p[0], reason(status), NULL);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

static void
last_run(struct runner *r, int *status)
{
	struct plan *p = r->p;
	if (p->verbose)
		print_last(r->d, p);
	if (p->dlink.n && command_run(r, &p->dlink, r->env) != 0) {
		*status = 1;
		return;
	}
	if (p->last.n && command_run(r, &p->last, r->env) != 0) {
		*status = 1;
		return;
	}
	if (p->program.n && !r->signal)
		*status = command_run(r, &p->program, r->d->environ);
}

int
plan_run(struct driver *d, struct plan *p, int *signal)
{
	struct runner r = {.d = d, .p = p, .signal_fd = -1};
	static const int watched[] = {SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGPIPE};
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	int status = 1;
	r.limit = cpus > 2 ? (size_t)cpus : 2; /* a host pass may hold one place while it waits */
	sigemptyset(&r.watched);
	for (size_t i = 0; i < COUNT(watched); i++)
		sigaddset(&r.watched, watched[i]);
	sigprocmask(SIG_BLOCK, &r.watched, &r.before);
	r.signal_fd = signalfd(-1, &r.watched, SFD_CLOEXEC | SFD_NONBLOCK);
	r.env = env_make(d, p->temp);
	r.jobs = ARENA_NEW(d->arena, struct job, p->units.n + 1);
	if (!r.env || !r.jobs || r.signal_fd < 0)
		diag(d, DIAG_NO_MEMORY, NULL, NULL, NULL);
	else if (mkdir(p->temp, 0700) < 0)
		diag(d, DIAG_TEMP, p->temp, strerror(errno), NULL);
	else if (p->keep && mkdir(p->keep, 0777) < 0 && errno != EEXIST) {
		diag(d, DIAG_TEMP, p->keep, strerror(errno), NULL);
		rmdir(p->temp);
	} else {
		units_run(&r);
		status = r.failed ? 1 : 0;
		if (!r.failed)
			last_run(&r, &status);
		folder_remove(p->temp);
	}
	close_fd(&r.signal_fd);
	/* The host's pass does not read the fat binary of a unit without kernels: writing it then left a
	 * signal behind, which would end us now. */
	const struct timespec at_once = {0};
	sigset_t broken;
	sigemptyset(&broken);
	sigaddset(&broken, SIGPIPE);
	while (sigtimedwait(&broken, NULL, &at_once) == SIGPIPE)
		;
	sigprocmask(SIG_SETMASK, &r.before, NULL);
	*signal = r.signal;
	return status;
}
