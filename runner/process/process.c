// SPDX-License-Identifier: Apache-2.0
/* A child's birth and its end. */
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

/* A killed process is gone within this, or it is stuck in its driver for good. */
static const double KILL_SECONDS = 5;
static const double NAP = 0.001;

/* Of a socket and of a pipe; the parent's first. */
struct ends {
	int socket[2];
	int output[2];
};

static void close_end(int *file)
{
	if (*file >= 0)
		close(*file);
	*file = -1;
}

static int open_ends(const struct process_job *job, struct ends *ends)
{
	*ends = (struct ends){{-1, -1}, {-1, -1}};
	if (job->talks && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends->socket) < 0)
		return -errno;
	if (job->heard && pipe2(ends->output, O_CLOEXEC) < 0)
		return -errno;
	/* a child may talk without end: nobody waits for the end of it */
	if (job->heard && fcntl(ends->output[0], F_SETFL, O_NONBLOCK) < 0)
		return -errno;
	return 0;
}

static void set_streams(int output)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (null >= 0)
		dup2(null, STDIN_FILENO);
	if (output < 0)
		output = null;
	if (output >= 0) {
		dup2(output, STDOUT_FILENO);
		dup2(output, STDERR_FILENO);
	}
}

static _Noreturn void become_child(const struct process_job *job, struct ends *ends, pid_t parent)
{
#ifdef __linux__
	/* a run that is killed must leave nothing behind that still holds the device */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
	if (getppid() != parent)
		_exit(1);
	process_turn_forget();
	if (job->leads)
		setpgid(0, 0);
	signal(SIGINT, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGTERM, SIG_DFL);
	close_end(&ends->socket[0]);
	close_end(&ends->output[0]);
	set_streams(ends->output[1]);
	close_end(&ends->output[1]);
	job->run(job->data, ends->socket[1]);
	_exit(0);
}

int process_start(const struct process_job *job, struct process *ret_process)
{
	pid_t parent = getpid(), pid = 0;
	struct ends ends;
	int r;

	process_keep_streams();
	/* whoever ignores the ends of its children is not told how they ended */
	signal(SIGCHLD, SIG_DFL);
	fflush(NULL);
	r = open_ends(job, &ends);
	if (r == 0) {
		pid = fork();
		r = pid < 0 ? -errno : 0;
	}
	if (r == 0 && pid == 0)
		become_child(job, &ends, parent);
	close_end(&ends.socket[1]);
	close_end(&ends.output[1]);
	if (r == 0) {
		*ret_process = (struct process){.pid = pid,
		                                .group = job->leads ? pid : 0,
		                                .socket = ends.socket[0],
		                                .output = ends.output[0]};
		return 0;
	}
	close_end(&ends.socket[0]);
	close_end(&ends.output[0]);
	return r;
}

bool process_is_gone(struct process *process)
{
	pid_t r;

	if (process->pid == 0)
		return true;
	r = waitpid(process->pid, &process->status, WNOHANG);
	if (r == 0 || (r < 0 && errno == EINTR))
		return false;
	process->pid = 0;
	return true;
}

uint64_t process_memory(const struct process *process)
{
	unsigned long long whole, resident;
	char path[48];
	FILE *file;
	int read;

	snprintf(path, sizeof(path), "/proc/%ld/statm", (long)process->pid);
	file = process->pid > 0 ? fopen(path, "re") : NULL;
	if (!file)
		return 0;
	read = fscanf(file, "%19llu %19llu", &whole, &resident);
	fclose(file);
	return read == 2 ? (uint64_t)resident * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}

void process_signal(const struct process *process, int number)
{
	/* 0 would be the program's own group */
	if (process->pid > 0)
		kill(process->pid, number);
}

static bool wait_gone(struct process *process, double seconds)
{
	double end = oclmm_clock() + seconds;

	while (!process_is_gone(process)) {
		if (oclmm_clock() > end)
			return false;
		process_nap(NAP);
	}
	return true;
}

void process_stop(struct process *process, double patience)
{
	/* another child may have a copy of its end: closing alone would tell nothing */
	if (process->pid && process->socket >= 0)
		shutdown(process->socket, SHUT_RDWR);
	if (process->pid && patience > 0 && wait_gone(process, patience))
		return;
	process_signal(process, SIGKILL);
	if (wait_gone(process, KILL_SECONDS))
		return;
	/* it is left to the system: the run must go on */
	process->pid = 0;
	process->status = -1;
}

void process_finish(struct process *process)
{
	/* also where its leader has gone */
	if (process->group > 0)
		kill(-process->group, SIGKILL);
	process_stop(process, 0);
	close_end(&process->socket);
	close_end(&process->output);
	oclmm_text_finish(&process->input.text);
	free(process->said);
	*process = (struct process){.socket = -1, .output = -1};
}
