// SPDX-License-Identifier: Apache-2.0
#include "platform/system.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

void oclmm_begin_program(int argc, char **argv)
{
	(void)argc;
	(void)argv;
}

bool oclmm_is_absolute(const char *path)
{
	return *path == '/';
}

char *oclmm_find_program(const char *name)
{
	const char *path = getenv("PATH");

	for (const char *at = path ? path : ""; *at; at += *at == ':') {
		size_t length = strcspn(at, ":"), size = length + strlen(name) + 2;
		char *whole = malloc(size);
		struct stat info;

		if (!whole)
			return NULL;
		snprintf(whole, size, "%.*s/%s", (int)length, at, name);
		at += length;
		if (length > 0 && stat(whole, &info) == 0 && S_ISREG(info.st_mode) &&
		    access(whole, X_OK) == 0)
			return whole;
		free(whole);
	}
	return NULL;
}

void *oclmm_take_pages(size_t bytes)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), whole = (bytes + page - 1) / page * page;

	return whole >= bytes ? aligned_alloc(page, whole) : NULL;
}

void oclmm_free_pages(void *pages)
{
	free(pages);
}

/* ---- a process ---- */

static void set_streams(const struct oclmm_start *start)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	const int files[] = {start->input, start->output, start->errors};

	for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++) {
		int file = files[stream] < 0 ? null : files[stream];

		if (file >= 0)
			dup2(file, stream);
	}
	if (start->errors > STDERR_FILENO)
		close(start->errors);
}

static bool close_range_of(unsigned first, unsigned last)
{
#ifdef SYS_close_range
	return first > last || syscall(SYS_close_range, first, last, 0) == 0;
#else
	return first > last;
#endif
}

/* A driver that is loaded here must not reach the results, the lock or another child: whatever it
 * writes to a number that it does not own goes nowhere. */
static void close_all_but(int kept)
{
	static const long UNBOUNDED = 1 << 16;
	unsigned first = STDERR_FILENO + 1;
	long most;

	if (kept < 0 ? close_range_of(first, ~0U)
	             : close_range_of(first, (unsigned)kept - 1) &&
	                       close_range_of((unsigned)kept + 1, ~0U))
		return;
	most = sysconf(_SC_OPEN_MAX);
	if (most < 0 || most > UNBOUNDED)
		most = UNBOUNDED;
	for (int file = (int)first; file < most; file++) {
		if (file != kept)
			close(file);
	}
}

/* Where a program that is given a socket finds it. */
enum { INHERITED = STDERR_FILENO + 1 };

const bool oclmm_can_copy = true;

int oclmm_inherited_socket(void)
{
	struct stat info;

	return fstat(INHERITED, &info) == 0 && S_ISSOCK(info.st_mode) ? INHERITED : -1;
}

/* Under that number it stays open. */
static void hand_over(int socket)
{
	if (socket == INHERITED)
		fcntl(socket, F_SETFD, 0);
	else
		dup2(socket, INHERITED);
}

static _Noreturn void execute(const struct oclmm_start *start)
{
	const struct rlimit most = {start->most, start->most};

	for (const char *const *v = start->variables; v && *v; v++) {
		if (!strchr(*v, '='))
			unsetenv(*v);
		else
			putenv((char *)(uintptr_t)*v);
	}
	if (start->most)
		setrlimit(RLIMIT_FSIZE, &most);
	execvp(start->arguments[0], (char *const *)start->arguments);
	fprintf(stderr, "cannot execute %s: %s\n", start->arguments[0], strerror(errno));
	_exit(127);
}

static _Noreturn void become_child(const struct oclmm_start *start, pid_t parent)
{
#ifdef __linux__
	/* a run that is killed must leave nothing behind that still holds the device */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
	if (getppid() != parent)
		_exit(1);
	if (start->leads)
		setpgid(0, 0);
	signal(SIGINT, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGTERM, SIG_DFL);
	for (unsigned i = 0; i < start->ours_count; i++) {
		if (start->ours[i] >= 0)
			close(start->ours[i]);
	}
	set_streams(start);
	/* they are closed when a program is executed */
	if (start->arguments && start->socket < 0)
		execute(start);
	close_all_but(start->socket);
	if (start->arguments) {
		hand_over(start->socket);
		execute(start);
	}
	start->run(start->data, start->socket);
	_exit(0);
}

int oclmm_start_process(const struct oclmm_start *start, pid_t *ret_pid)
{
	pid_t parent = getpid(), pid = fork();

	if (pid < 0)
		return -errno;
	if (pid == 0)
		become_child(start, parent);
	*ret_pid = pid;
	return 0;
}

bool oclmm_process_uses(pid_t pid, uint64_t *ret_memory, double *ret_processor)
{
	unsigned long long user, system, resident;
	char path[48], line[1024], *at;
	size_t length;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%ld/stat", (long)pid);
	file = pid > 0 ? fopen(path, "re") : NULL;
	if (!file)
		return false;
	length = fread(line, 1, sizeof(line) - 1, file);
	fclose(file);
	line[length] = '\0';
	/* the name of its program stands in brackets, and may hold anything */
	at = strrchr(line, ')');
	if (!at || sscanf(at,
	                  ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %19llu %19llu "
	                  "%*d %*d %*d %*d %*d %*d %*u %*u %19llu",
	                  &user, &system, &resident) != 3)
		return false;
	*ret_memory = (uint64_t)resident * (uint64_t)sysconf(_SC_PAGESIZE);
	*ret_processor = (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
	return true;
}

void oclmm_kill_group(pid_t leader)
{
	kill(-leader, SIGKILL);
}
