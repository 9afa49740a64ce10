// SPDX-License-Identifier: Apache-2.0
/* Signals, pipes and the ends of processes: what Windows' C library lacks of POSIX's functions. */
#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include "processes.h"

/* ---- signals ---- */

enum { SIGNALS = 32 };
static oclmm_windows_handler handlers[SIGNALS];

/* In a thread of its own, which the system starts. */
static BOOL WINAPI on_event(DWORD event)
{
	int number = event == CTRL_C_EVENT ? SIGINT : event == CTRL_BREAK_EVENT ? SIGTERM : SIGHUP;
	oclmm_windows_handler handler = handlers[number];

	if (handler == SIG_IGN)
		return TRUE;
	if (handler == SIG_DFL)
		return FALSE;
	handler(number);
	return TRUE;
}

int sigaction(int number, const struct sigaction *action, struct sigaction *ret_before)
{
	static bool listening;

	if (number < 0 || number >= SIGNALS) {
		errno = EINVAL;
		return -1;
	}
	if (ret_before)
		ret_before->sa_handler = handlers[number];
	if (action)
		handlers[number] = action->sa_handler;
	if (action && !listening)
		listening = SetConsoleCtrlHandler(on_event, TRUE);
	return 0;
}

#undef signal
oclmm_windows_handler oclmm_windows_signal(int number, oclmm_windows_handler handler)
{
	const struct sigaction action = {handler};
	struct sigaction before;

	switch (number) {
	case SIGABRT:
	case SIGFPE:
	case SIGILL:
	case SIGSEGV: return signal(number, handler);
	default: break;
	}
	if (sigaction(number, &action, &before) < 0)
		return SIG_ERR;
	/* raise() goes by the C library */
	if (number == SIGINT || number == SIGTERM)
		signal(number, handler);
	return before.sa_handler;
}

/* ---- processes ---- */

/* Those that were started and not waited for. */
static struct child {
	pid_t pid;
	HANDLE process, job; /* of all that it starts */
} * children;
static size_t child_count;
static pthread_mutex_t children_lock = PTHREAD_MUTEX_INITIALIZER;

int oclmm_windows_adopt(pid_t pid, void *process, void *job)
{
	struct child *more;

	pthread_mutex_lock(&children_lock);
	more = realloc(children, (child_count + 1) * sizeof(*children));
	if (more) {
		children = more;
		children[child_count++] = (struct child){pid, process, job};
	}
	pthread_mutex_unlock(&children_lock);
	return more ? 0 : -ENOMEM;
}

static struct child *find(pid_t pid)
{
	for (size_t i = 0; i < child_count; i++) {
		if (children[i].pid == pid)
			return &children[i];
	}
	return NULL;
}

/* As it ends a process that kill() ends. */
static const UINT KILLED = 0xe0000009;

/* How it would have ended elsewhere. */
static int status_of(DWORD code)
{
	switch (code) {
	case EXCEPTION_ACCESS_VIOLATION:
	case EXCEPTION_STACK_OVERFLOW:
	case EXCEPTION_IN_PAGE_ERROR: return SIGSEGV;
	case EXCEPTION_ILLEGAL_INSTRUCTION:
	case EXCEPTION_PRIV_INSTRUCTION: return SIGILL;
	case EXCEPTION_INT_DIVIDE_BY_ZERO:
	case EXCEPTION_FLT_DIVIDE_BY_ZERO: return SIGFPE;
	case STATUS_CONTROL_C_EXIT: return SIGINT;
	/* abort(), in the newer one of the two C libraries; the older one leaves with 3 */
	case STATUS_STACK_BUFFER_OVERRUN: return SIGABRT;
	default: return code == KILLED ? SIGKILL : (int)(code & 0xff) << 8;
	}
}

pid_t waitpid(pid_t process, int *ret_status, int flags)
{
	struct child *child;
	HANDLE handle = NULL;
	DWORD code;

	pthread_mutex_lock(&children_lock);
	child = find(process);
	if (child)
		handle = child->process;
	pthread_mutex_unlock(&children_lock);
	if (!child) {
		errno = ECHILD;
		return -1;
	}
	if (WaitForSingleObject(handle, flags & WNOHANG ? 0 : INFINITE) != WAIT_OBJECT_0)
		return 0;
	GetExitCodeProcess(handle, &code);
	*ret_status = status_of(code);
	pthread_mutex_lock(&children_lock);
	child = find(process);
	/* its group stays until that is killed */
	if (child && child->process)
		CloseHandle(child->process);
	if (child)
		child->process = NULL;
	pthread_mutex_unlock(&children_lock);
	return process;
}

int kill(pid_t process, int number)
{
	struct child *child;
	int r = -1;

	pthread_mutex_lock(&children_lock);
	child = find(process);
	if (child && child->process)
		r = number == 0 || TerminateProcess(child->process, KILLED) ? 0 : -1;
	pthread_mutex_unlock(&children_lock);
	if (r < 0)
		errno = ESRCH;
	return r;
}

void oclmm_windows_kill_group(pid_t leader)
{
	struct child *child;

	pthread_mutex_lock(&children_lock);
	child = find(leader);
	if (child) {
		TerminateJobObject(child->job, KILLED);
		CloseHandle(child->job);
		if (child->process)
			CloseHandle(child->process);
		*child = children[--child_count];
	}
	pthread_mutex_unlock(&children_lock);
}

/* ---- pipes ---- */

int pipe2(int *ret_files, int flags)
{
	return _pipe(ret_files, 1 << 16, flags | _O_BINARY);
}

static short look(int file)
{
	DWORD there = 0;

	if (!PeekNamedPipe((HANDLE)_get_osfhandle(file), NULL, 0, NULL, &there, NULL))
		return POLLIN | POLLHUP;
	return there ? POLLIN : 0;
}

/* A pipe cannot be waited for: it is looked at. */
int poll(struct pollfd *files, unsigned count, int milliseconds)
{
	ULONGLONG end = GetTickCount64() + (ULONGLONG)(milliseconds > 0 ? milliseconds : 0);

	for (;;) {
		int ready = 0;

		for (unsigned i = 0; i < count; i++) {
			files[i].revents = files[i].fd < 0 ? 0 : look(files[i].fd);
			ready += files[i].revents != 0;
		}
		if (ready || (milliseconds >= 0 && GetTickCount64() >= end))
			return ready;
		Sleep(1);
	}
}

/* ---- sockets ---- */

static int fail_without_sockets(void)
{
	errno = ENOTSUP;
	return -1;
}

int socketpair(int domain, int type, int protocol, int *ret_files)
{
	(void)domain;
	(void)type;
	(void)protocol;
	(void)ret_files;
	return fail_without_sockets();
}

ssize_t send(int socket, const void *bytes, size_t size, int flags)
{
	(void)socket;
	(void)bytes;
	(void)size;
	(void)flags;
	return fail_without_sockets();
}

ssize_t recv(int socket, void *bytes, size_t size, int flags)
{
	(void)socket;
	(void)bytes;
	(void)size;
	(void)flags;
	return fail_without_sockets();
}

int shutdown(int socket, int how)
{
	(void)socket;
	(void)how;
	return fail_without_sockets();
}
