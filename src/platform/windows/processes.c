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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
/* after it */
#include <psapi.h>

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

/* The threads of a process, all at once; only the system's own programs are said to need it. */
static bool halt(HANDLE process, bool halts)
{
	LONG(NTAPI * function)(HANDLE);
	FARPROC found = GetProcAddress(GetModuleHandleA("ntdll"),
	                               halts ? "NtSuspendProcess" : "NtResumeProcess");

	memcpy(&function, &found, sizeof(function));
	return function && function(process) >= 0;
}

static bool signal_process(HANDLE process, int number)
{
	switch (number) {
	case 0: return true;
	case SIGSTOP: return halt(process, true);
	case SIGCONT: return halt(process, false);
	default: return TerminateProcess(process, KILLED);
	}
}

int kill(pid_t process, int number)
{
	struct child *child;
	int r = -1;

	pthread_mutex_lock(&children_lock);
	child = find(process);
	if (child && child->process)
		r = signal_process(child->process, number) ? 0 : -1;
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

/* In units of 100 ns. */
static double seconds_of(const FILETIME *time)
{
	return (double)((uint64_t)time->dwHighDateTime << 32 | time->dwLowDateTime) * 1e-7;
}

bool oclmm_windows_process_uses(pid_t pid, uint64_t *ret_memory, double *ret_processor)
{
	FILETIME created, ended, system, user;
	PROCESS_MEMORY_COUNTERS memory;
	struct child *child;
	bool known = false;

	pthread_mutex_lock(&children_lock);
	child = find(pid);
	if (child && child->process)
		known = GetProcessTimes(child->process, &created, &ended, &system, &user) &&
		        K32GetProcessMemoryInfo(child->process, &memory, sizeof(memory));
	pthread_mutex_unlock(&children_lock);
	if (!known)
		return false;
	*ret_memory = memory.WorkingSetSize;
	*ret_processor = seconds_of(&system) + seconds_of(&user);
	return true;
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

/* ---- sockets: pipes for both ways ---- */

/* Of the system's buffer each way. Who writes more waits for the reader. */
enum { BUFFER = 1 << 16 };

static int fail(int number)
{
	errno = number;
	return -1;
}

/* How a pipe ended that cannot be used. */
static int fail_by_pipe(void)
{
	switch (GetLastError()) {
	case ERROR_BROKEN_PIPE:
	case ERROR_PIPE_NOT_CONNECTED:
	case ERROR_NO_DATA: return fail(EPIPE);
	case ERROR_INVALID_HANDLE: return fail(EBADF);
	default: return fail(EIO);
	}
}

static HANDLE pipe_of(int socket)
{
	return socket < 0 ? INVALID_HANDLE_VALUE : (HANDLE)_get_osfhandle(socket);
}

/* A name that nobody has; and nobody else can have an end of it, for there are two. */
static HANDLE make_pipe(char *name, size_t size)
{
	static LONG made;

	snprintf(name, size, "\\\\.\\pipe\\oclmm-%lu-%ld", GetCurrentProcessId(),
	         InterlockedIncrement(&made));
	return CreateNamedPipeA(name, PIPE_ACCESS_DUPLEX | FILE_FLAG_FIRST_PIPE_INSTANCE,
	                        PIPE_TYPE_BYTE | PIPE_READMODE_BYTE | PIPE_WAIT |
	                                PIPE_REJECT_REMOTE_CLIENTS,
	                        1, BUFFER, BUFFER, 0, NULL);
}

int socketpair(int domain, int type, int protocol, int *ret_files)
{
	HANDLE ends[2] = {INVALID_HANDLE_VALUE, INVALID_HANDLE_VALUE};
	int files[2] = {-1, -1};
	char name[64];

	(void)protocol;
	if (domain != AF_UNIX || (type & ~SOCK_CLOEXEC) != SOCK_STREAM)
		return fail(EINVAL);
	ends[0] = make_pipe(name, sizeof(name));
	if (ends[0] != INVALID_HANDLE_VALUE)
		ends[1] = CreateFileA(name, GENERIC_READ | GENERIC_WRITE, 0, NULL, OPEN_EXISTING, 0,
		                      NULL);
	for (int i = 0; i < 2; i++) {
		if (ends[i] != INVALID_HANDLE_VALUE)
			files[i] = _open_osfhandle((intptr_t)ends[i], _O_NOINHERIT);
	}
	if (files[0] >= 0 && files[1] >= 0) {
		ret_files[0] = files[0];
		ret_files[1] = files[1];
		return 0;
	}
	for (int i = 0; i < 2; i++) {
		if (files[i] >= 0)
			_close(files[i]);
		else if (ends[i] != INVALID_HANDLE_VALUE)
			CloseHandle(ends[i]);
	}
	return fail(EMFILE);
}

ssize_t send(int socket, const void *bytes, size_t size, int flags)
{
	DWORD written;

	(void)flags;
	if (!WriteFile(pipe_of(socket), bytes, size < BUFFER ? (DWORD)size : BUFFER, &written,
	               NULL))
		return fail_by_pipe();
	return (ssize_t)written;
}

ssize_t recv(int socket, void *bytes, size_t size, int flags)
{
	HANDLE pipe = pipe_of(socket);
	DWORD there = 0, taken;

	/* it would keep others from writing while it waits, and it need not */
	do {
		if (!PeekNamedPipe(pipe, NULL, 0, NULL, &there, NULL))
			return fail_by_pipe() < 0 && errno == EPIPE ? 0 : -1;
		if (there == 0 && (flags & MSG_DONTWAIT))
			return fail(EAGAIN);
		if (there == 0)
			Sleep(1);
	} while (there == 0);
	if (!ReadFile(pipe, bytes, size < there ? (DWORD)size : there, &taken, NULL))
		return fail_by_pipe();
	return (ssize_t)taken;
}

/* What was not read yet is lost: whoever asks for it has no more to say. */
int shutdown(int socket, int how)
{
	(void)how;
	return DisconnectNamedPipe(pipe_of(socket)) ? 0 : fail_by_pipe();
}
