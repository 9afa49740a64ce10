// SPDX-License-Identifier: Apache-2.0
/* Strings, sorting, memory, the environment, libraries: what Windows' C library lacks of it. */
/* rand_s() */
#define _CRT_RAND_S
#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/utsname.h>
#include <unistd.h>
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
/* behind it, which it needs */
#include <tlhelp32.h>

/* ---- strings ---- */

void *memmem(const void *bytes, size_t length, const void *wanted, size_t wanted_length)
{
	const char *at = bytes;

	for (; length >= wanted_length; at++, length--) {
		if (memcmp(at, wanted, wanted_length) == 0)
			return (void *)at;
	}
	return NULL;
}

void *memrchr(const void *bytes, int wanted, size_t length)
{
	const unsigned char *at = bytes;

	while (length > 0) {
		if (at[--length] == (unsigned char)wanted)
			return (void *)(at + length);
	}
	return NULL;
}

char *stpcpy(char *to, const char *from)
{
	size_t length = strlen(from);

	memcpy(to, from, length + 1);
	return to + length;
}

char *strndup(const char *text, size_t most)
{
	size_t length = strnlen(text, most);
	char *copy = malloc(length + 1);

	if (copy) {
		memcpy(copy, text, length);
		copy[length] = '\0';
	}
	return copy;
}

char *strcasestr(const char *text, const char *wanted)
{
	size_t length = strlen(wanted);

	for (; *text || !length; text++) {
		if (_strnicmp(text, wanted, length) == 0)
			return (char *)(uintptr_t)text;
	}
	return NULL;
}

ssize_t getline(char **line, size_t *size, FILE *stream)
{
	size_t length = 0;
	int byte;

	do {
		byte = fgetc(stream);
		if (length + 1 >= *size || !*line) {
			size_t more = *line ? 2 * *size : 128;
			char *longer = realloc(*line, more);

			if (!longer)
				return -1;
			*line = longer;
			*size = more;
		}
		if (byte != EOF)
			(*line)[length++] = (char)byte;
	} while (byte != EOF && byte != '\n');
	(*line)[length] = '\0';
	return length ? (ssize_t)length : -1;
}

char *strsep(char **text, const char *delimiters)
{
	char *word = *text;
	size_t length = word ? strcspn(word, delimiters) : 0;

	if (word)
		*text = word[length] ? word + length + 1 : NULL;
	if (word)
		word[length] = '\0';
	return word;
}

static const char *signal_name(int number)
{
	switch (number) {
	case SIGABRT: return "Aborted";
	case SIGFPE: return "Floating point exception";
	case SIGILL: return "Illegal instruction";
	case SIGINT: return "Interrupt";
	case SIGKILL: return "Killed";
	case SIGSEGV: return "Segmentation fault";
	case SIGTERM: return "Terminated";
	default: return "Unknown signal";
	}
}

char *strsignal(int number)
{
	/* POSIX's type; nobody writes there */
	return (char *)(uintptr_t)signal_name(number);
}

/* ---- the system ---- */

long sysconf(int name)
{
	SYSTEM_INFO info;

	GetSystemInfo(&info);
	switch (name) {
	case _SC_NPROCESSORS_ONLN: return (long)info.dwNumberOfProcessors;
	case _SC_PAGESIZE: return (long)info.dwPageSize;
	case _SC_PHYS_PAGES: {
		MEMORYSTATUSEX memory = {.dwLength = sizeof(memory)};

		if (!GlobalMemoryStatusEx(&memory))
			return -1;
		return (long)(memory.ullTotalPhys / info.dwPageSize);
	}
	default: errno = EINVAL; return -1;
	}
}

ssize_t getrandom(void *bytes, size_t size, unsigned flags)
{
	(void)flags;
	for (size_t done = 0; done < size; done += sizeof(unsigned)) {
		size_t left = size - done;
		unsigned drawn;

		if (rand_s(&drawn) != 0) {
			errno = EIO;
			return -1;
		}
		memcpy((char *)bytes + done, &drawn, left < sizeof(drawn) ? left : sizeof(drawn));
	}
	return (ssize_t)size;
}

int uname(struct utsname *ret_names)
{
	/* GetVersionEx() tells a program what it was written for; this function tells all the same
	 */
	LONG(WINAPI * version)(OSVERSIONINFOW *);
	FARPROC function = GetProcAddress(GetModuleHandleA("ntdll"), "RtlGetVersion");
	OSVERSIONINFOW system = {.dwOSVersionInfoSize = sizeof(system)};
	SYSTEM_INFO info;

	memcpy(&version, &function, sizeof(version));
	if (version)
		version(&system);
	GetNativeSystemInfo(&info);
	*ret_names = (struct utsname){.sysname = "Windows"};
	snprintf(ret_names->release, sizeof(ret_names->release), "%lu.%lu.%lu",
	         system.dwMajorVersion, system.dwMinorVersion, system.dwBuildNumber);
	snprintf(ret_names->machine, sizeof(ret_names->machine), "%s",
	         info.wProcessorArchitecture == PROCESSOR_ARCHITECTURE_AMD64   ? "x86_64"
	         : info.wProcessorArchitecture == PROCESSOR_ARCHITECTURE_ARM64 ? "aarch64"
	                                                                       : "i686");
	return 0;
}

int sched_getaffinity(pid_t process, size_t size, cpu_set_t *ret_set)
{
	DWORD_PTR own, all;

	(void)size;
	if (process != 0 || !GetProcessAffinityMask(GetCurrentProcess(), &own, &all)) {
		errno = EINVAL;
		return -1;
	}
	ret_set->bits = own;
	return 0;
}

int nice(int more)
{
	if (more > 0 && !SetPriorityClass(GetCurrentProcess(), BELOW_NORMAL_PRIORITY_CLASS)) {
		errno = EPERM;
		return -1;
	}
	return 0;
}

/* ---- memory ---- */

void *mmap(void *wish, size_t size, int protection, int flags, int file, off_t place)
{
	void *memory;

	(void)wish;
	(void)place;
	if (protection != (PROT_READ | PROT_WRITE) || !(flags & MAP_ANONYMOUS) || file >= 0) {
		errno = EINVAL;
		return MAP_FAILED;
	}
	memory = VirtualAlloc(NULL, size, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
	if (!memory)
		errno = ENOMEM;
	return memory ? memory : MAP_FAILED;
}

int munmap(void *memory, size_t size)
{
	(void)size;
	return VirtualFree(memory, 0, MEM_RELEASE) ? 0 : -1;
}

unsigned geteuid(void)
{
	return 0;
}

int setenv(const char *name, const char *value, int overwrite)
{
	return getenv(name) && !overwrite ? 0 : _putenv_s(name, value);
}

int unsetenv(const char *name)
{
	return _putenv_s(name, "");
}

/* ---- libraries ---- */

/* Those that were opened for all, in their order. */
enum { LIBRARIES_MOST = 16 };
static HMODULE libraries[LIBRARIES_MOST];
static size_t library_count;
static pthread_mutex_t libraries_lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local char failure[512];

/* The system's messages end with a full stop and the end of a line. */
static void note_failure(const char *name)
{
	DWORD number = GetLastError();
	char said[256] = "";
	size_t length = FormatMessageA(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS,
	                               NULL, number, MAKELANGID(LANG_ENGLISH, SUBLANG_ENGLISH_US),
	                               said, sizeof(said), NULL);

	while (length > 0 && (isspace((unsigned char)said[length - 1]) || said[length - 1] == '.'))
		said[--length] = '\0';
	if (*said)
		snprintf(failure, sizeof(failure), "%s: %s", name, said);
	else
		snprintf(failure, sizeof(failure), "%s: error %lu", name, number);
}

/* A path is whole there, and has backslashes. */
static bool make_whole(const char *path, char ret_whole[MAX_PATH])
{
	if (_fullpath(ret_whole, path, MAX_PATH))
		return true;
	SetLastError(ERROR_INVALID_NAME);
	return false;
}

/* A name is looked for beside the program and among those of the system, and not in the current
 * folder. */
static HMODULE load(const char *path)
{
	char whole[MAX_PATH];

	if (!strpbrk(path, "/\\"))
		return LoadLibraryExA(path, NULL, LOAD_LIBRARY_SEARCH_DEFAULT_DIRS);
	if (!make_whole(path, whole))
		return NULL;
	return LoadLibraryExA(whole, NULL, LOAD_WITH_ALTERED_SEARCH_PATH);
}

void *dlopen(const char *path, int flags)
{
	HMODULE library = NULL;
	char whole[MAX_PATH];

	if (flags & RTLD_NOLOAD)
		return make_whole(path, whole) && GetModuleHandleExA(0, whole, &library) ? library
		                                                                         : NULL;
	library = load(path);
	if (!library) {
		note_failure(path);
	} else if (flags & RTLD_GLOBAL) {
		pthread_mutex_lock(&libraries_lock);
		if (library_count < LIBRARIES_MOST)
			libraries[library_count++] = library;
		pthread_mutex_unlock(&libraries_lock);
	}
	return library;
}

void *dlsym(void *library, const char *name)
{
	FARPROC function = NULL;
	void *symbol;

	if (library) {
		function = GetProcAddress(library, name);
	} else {
		pthread_mutex_lock(&libraries_lock);
		for (size_t i = 0; i < library_count && !function; i++)
			function = GetProcAddress(libraries[i], name);
		pthread_mutex_unlock(&libraries_lock);
	}
	if (!function)
		note_failure(name);
	/* C has no conversion between pointers to functions and to objects */
	memcpy(&symbol, &function, sizeof(symbol));
	return symbol;
}

int dlclose(void *library)
{
	return FreeLibrary(library) ? 0 : -1;
}

char *dlerror(void)
{
	return *failure ? failure : NULL;
}

int dl_iterate_phdr(int (*each)(struct dl_phdr_info *object, size_t size, void *data), void *data)
{
	MODULEENTRY32 module = {.dwSize = sizeof(module)};
	HANDLE all = CreateToolhelp32Snapshot(TH32CS_SNAPMODULE, 0);
	int r = 0;

	if (all == INVALID_HANDLE_VALUE)
		return 0;
	for (BOOL more = Module32First(all, &module); more && r == 0;
	     more = Module32Next(all, &module)) {
		struct dl_phdr_info object = {.dlpi_name = module.szExePath};

		r = each(&object, sizeof(object), data);
	}
	CloseHandle(all);
	return r;
}
