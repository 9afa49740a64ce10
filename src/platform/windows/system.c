// SPDX-License-Identifier: Apache-2.0
#include "platform/system.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include "processes.h"

/* Patterns are of tests, and expanded by the commands themselves. */
int _CRT_glob = 0;

static void turn_slashes(char *path)
{
	for (; *path; path++) {
		if (*path == '\\')
			*path = '/';
	}
}

/* Under the name that others have; that of a folder has slashes. */
static void take_folder(const char *name, const char *from)
{
	const char *value = getenv(from);
	char *copy;

	if (getenv(name) || !value || !(copy = strdup(value)))
		return;
	turn_slashes(copy);
	_putenv_s(name, copy);
	free(copy);
}

/* Consoles follow escape sequences when they are asked to. */
static void ask_console(DWORD stream)
{
	HANDLE handle = GetStdHandle(stream);
	DWORD mode;

	if (GetConsoleMode(handle, &mode) &&
	    SetConsoleMode(handle, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING) && !getenv("TERM"))
		_putenv_s("TERM", "windows");
}

void oclmm_begin_program(int argc, char **argv)
{
	/* a file has the same bytes here as elsewhere, and names are in UTF-8 */
	for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++)
		_setmode(stream, _O_BINARY);
	_fmode = _O_BINARY;
	SetConsoleOutputCP(CP_UTF8);
	ask_console(STD_OUTPUT_HANDLE);
	ask_console(STD_ERROR_HANDLE);
	/* a crash is for who started this process, not for a box on the screen */
	SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX);
	take_folder("HOME", "USERPROFILE");
	take_folder("TMPDIR", "TEMP");
	take_folder("XDG_RUNTIME_DIR", "LOCALAPPDATA");
	/* no pattern, option or word has a backslash of its own */
	for (int i = 1; i < argc; i++)
		turn_slashes(argv[i]);
}

bool oclmm_is_absolute(const char *path)
{
	return *path == '/' || *path == '\\' || (isalpha((unsigned char)*path) && path[1] == ':');
}

const char *oclmm_temporary_folder(void)
{
	const char *folder = getenv("TMPDIR");

	return folder && *folder ? folder : ".";
}

char *oclmm_find_program(const char *name)
{
	char path[MAX_PATH];
	DWORD length = SearchPathA(NULL, name, ".exe", sizeof(path), path, NULL);

	if (length == 0 || length >= sizeof(path))
		return NULL;
	turn_slashes(path);
	return strdup(path);
}

const char *const oclmm_opencl_loaders[] = {"OpenCL.dll", NULL};
/* they stand in the registry */
const char *const oclmm_opencl_vendors = NULL;

void *oclmm_take_pages(size_t bytes)
{
	return VirtualAlloc(NULL, bytes ? bytes : 1, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
}

void oclmm_free_pages(void *pages)
{
	if (pages)
		VirtualFree(pages, 0, MEM_RELEASE);
}

/* ---- a process ---- */

/* A command line, as the C library of the program takes it apart. */
struct line {
	char *text;
	size_t length, capacity;
	bool failed;
};

static void add(struct line *line, char c)
{
	if (line->length == line->capacity) {
		size_t capacity = line->capacity ? 2 * line->capacity : 256;
		char *more = realloc(line->text, capacity);

		if (!more) {
			line->failed = true;
			return;
		}
		line->text = more;
		line->capacity = capacity;
	}
	line->text[line->length++] = c;
}

/* A backslash is itself, but before a quotation mark. */
static void add_argument(struct line *line, const char *argument)
{
	if (line->length)
		add(line, ' ');
	add(line, '"');
	for (const char *at = argument;; at++) {
		size_t count = strspn(at, "\\");

		at += count;
		for (size_t i = 0; i < count * (*at == '"' || !*at ? 2 : 1) + (*at == '"'); i++)
			add(line, '\\');
		if (!*at)
			break;
		add(line, *at);
	}
	add(line, '"');
}

/* Where a program that is given a socket finds it. */
enum { INHERITED = STDERR_FILENO + 1 };

/* What a program gets: its streams, and the socket if there is one. */
struct given {
	HANDLE handles[INHERITED + 1];
	size_t count;
};

/* A copy of a file that the program may have; nothing is there for a negative one. */
static HANDLE lend(int file)
{
	SECURITY_ATTRIBUTES inherited = {sizeof(inherited), NULL, TRUE};
	HANDLE own = GetCurrentProcess(), copy;

	if (file < 0)
		return CreateFileA("NUL", GENERIC_READ | GENERIC_WRITE,
		                   FILE_SHARE_READ | FILE_SHARE_WRITE, &inherited, OPEN_EXISTING, 0,
		                   NULL);
	if (!DuplicateHandle(own, (HANDLE)_get_osfhandle(file), own, &copy, 0, TRUE,
	                     DUPLICATE_SAME_ACCESS))
		return INVALID_HANDLE_VALUE;
	return copy;
}

/* All that it starts, which ends with this program. NULL: the system makes none. */
static HANDLE make_job(void)
{
	JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {
		.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE};
	HANDLE job = CreateJobObjectA(NULL, NULL);

	if (!job || SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits,
	                                    sizeof(limits)))
		return job;
	CloseHandle(job);
	return NULL;
}

/* Files as the C library of a program takes them over from who started it, by their numbers: how
 * many, a byte for each, and the handles, which may stand anywhere. */
enum { ENTRY_OPEN = 0x01, ENTRY_PIPE = 0x08, ENTRIES = INHERITED + 1 };
struct inherited {
	BYTE bytes[sizeof(int) + ENTRIES * (1 + sizeof(HANDLE))];
};

static WORD list_inherited(const struct given *given, struct inherited *ret_list)
{
	const int count = ENTRIES;
	BYTE *at = ret_list->bytes;

	memcpy(at, &count, sizeof(count));
	at += sizeof(count);
	/* the three streams come as always */
	memset(at, 0, (size_t)count);
	at[INHERITED] = ENTRY_OPEN | ENTRY_PIPE;
	at += count;
	memset(at, 0xff, (size_t)count * sizeof(HANDLE));
	memcpy(at + INHERITED * sizeof(HANDLE), &given->handles[INHERITED], sizeof(HANDLE));
	return sizeof(*ret_list);
}

static size_t name_length(const char *variable)
{
	/* the system has some whose names begin with the sign */
	return 1 + strcspn(variable + (*variable != '\0'), "=");
}

/* Whether another value is given to a variable, or none. */
static bool is_changed(const char *const *variables, const char *variable)
{
	size_t length = name_length(variable);

	for (; *variables; variables++) {
		if (name_length(*variables) == length &&
		    _strnicmp(*variables, variable, length) == 0)
			return true;
	}
	return false;
}

static void add_string(struct line *block, const char *string)
{
	for (; *string; string++)
		add(block, *string);
	add(block, '\0');
}

/* The environment of this program, with what is otherwise in another's. */
static int make_environment(const char *const *variables, struct line *ret_block)
{
	char *own = GetEnvironmentStringsA();

	if (!own)
		return -ENOMEM;
	for (const char *at = own; *at; at += strlen(at) + 1) {
		if (!is_changed(variables, at))
			add_string(ret_block, at);
	}
	FreeEnvironmentStringsA(own);
	for (; *variables; variables++) {
		if (strchr(*variables, '='))
			add_string(ret_block, *variables);
	}
	add(ret_block, '\0');
	return ret_block->failed ? -ENOMEM : 0;
}

static int create(struct line *line, struct line *environment, struct given *given,
                  PROCESS_INFORMATION *ret_process)
{
	struct inherited list;
	STARTUPINFOEXA info = {
		.StartupInfo = {.cb = sizeof(info),
	                        .dwFlags = STARTF_USESTDHANDLES,
	                        .hStdInput = given->handles[STDIN_FILENO],
	                        .hStdOutput = given->handles[STDOUT_FILENO],
	                        .hStdError = given->handles[STDERR_FILENO]},
	};
	SIZE_T size = 0;
	int r = 0;

	if (given->count > INHERITED) {
		info.StartupInfo.cbReserved2 = list_inherited(given, &list);
		info.StartupInfo.lpReserved2 = list.bytes;
	}
	/* it gets these alone, whatever other threads lend at the same time */
	InitializeProcThreadAttributeList(NULL, 1, 0, &size);
	info.lpAttributeList = malloc(size);
	if (!info.lpAttributeList)
		return -ENOMEM;
	InitializeProcThreadAttributeList(info.lpAttributeList, 1, 0, &size);
	UpdateProcThreadAttribute(info.lpAttributeList, 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST,
	                          given->handles, given->count * sizeof(*given->handles), NULL,
	                          NULL);
	if (!CreateProcessA(NULL, line->text, NULL, NULL, TRUE,
	                    CREATE_SUSPENDED | CREATE_NEW_PROCESS_GROUP |
	                            EXTENDED_STARTUPINFO_PRESENT,
	                    environment->text, NULL, &info.StartupInfo, ret_process))
		r = GetLastError() == ERROR_FILE_NOT_FOUND ? -ENOENT : -EACCES;
	DeleteProcThreadAttributeList(info.lpAttributeList);
	free(info.lpAttributeList);
	return r;
}

static int start_program(struct line *line, struct line *environment, struct given *given,
                         pid_t *ret_pid)
{
	PROCESS_INFORMATION process;
	HANDLE job = make_job();
	int r = job ? create(line, environment, given, &process) : -EPERM;

	if (r == 0) {
		*ret_pid = (pid_t)process.dwProcessId;
		/* what could outlive this program never begins */
		r = AssignProcessToJobObject(job, process.hProcess)
		            ? oclmm_windows_adopt(*ret_pid, process.hProcess, job)
		            : -EPERM;
		if (r == 0) {
			ResumeThread(process.hThread);
		} else {
			TerminateProcess(process.hProcess, 1);
			CloseHandle(process.hProcess);
		}
		CloseHandle(process.hThread);
	}
	if (r < 0 && job)
		CloseHandle(job);
	return r;
}

const bool oclmm_can_copy = false;

int oclmm_inherited_socket(void)
{
	struct stat info;

	return fstat(INHERITED, &info) == 0 && (info.st_mode & S_IFMT) == S_IFIFO ? INHERITED : -1;
}

bool oclmm_process_uses(pid_t pid, uint64_t *ret_memory, double *ret_processor)
{
	return oclmm_windows_process_uses(pid, ret_memory, ret_processor);
}

int oclmm_start_process(const struct oclmm_start *start, pid_t *ret_pid)
{
	const int files[] = {start->input, start->output, start->errors, start->socket};
	struct given given = {.count = start->socket < 0 ? INHERITED : INHERITED + 1};
	struct line line = {0}, environment = {0};
	char own[MAX_PATH];
	int r;

	if (!start->arguments)
		return -ENOSYS;
	for (const char *const *argument = start->arguments; *argument; argument++) {
		bool self = strcmp(*argument, "/proc/self/exe") == 0 &&
		            readlink(*argument, own, sizeof(own)) > 0;

		add_argument(&line, self ? own : *argument);
	}
	add(&line, '\0');
	r = line.failed ? -ENOMEM : 0;
	if (r == 0 && start->variables)
		r = make_environment(start->variables, &environment);
	for (size_t i = 0; i < given.count; i++) {
		given.handles[i] = r == 0 ? lend(files[i]) : INVALID_HANDLE_VALUE;
		if (given.handles[i] == INVALID_HANDLE_VALUE)
			r = r < 0 ? r : -EMFILE;
	}
	if (r == 0)
		r = start_program(&line, &environment, &given, ret_pid);
	for (size_t i = 0; i < given.count; i++) {
		if (given.handles[i] != INVALID_HANDLE_VALUE)
			CloseHandle(given.handles[i]);
	}
	free(line.text);
	free(environment.text);
	return r;
}

void oclmm_kill_group(pid_t leader)
{
	oclmm_windows_kill_group(leader);
}
