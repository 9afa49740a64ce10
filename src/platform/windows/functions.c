// SPDX-License-Identifier: Apache-2.0
/* Strings, sorting, the environment, libraries: what Windows' C library lacks of it. */
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

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

/* ---- sorting ---- */

struct sorting {
	char *base;
	size_t size;
	int (*compare)(const void *a, const void *b, void *context);
	void *context;
};

static void swap(const struct sorting *s, size_t i, size_t k)
{
	char *a = s->base + i * s->size, *b = s->base + k * s->size;

	for (size_t n = 0; n < s->size; n++) {
		char byte = a[n];

		a[n] = b[n];
		b[n] = byte;
	}
}

/* Lets an element sink to where it is the largest of those below. */
static void sink(const struct sorting *s, size_t at, size_t count)
{
	for (size_t below = 2 * at + 1; below < count; below = 2 * at + 1) {
		if (below + 1 < count &&
		    s->compare(s->base + below * s->size, s->base + (below + 1) * s->size,
		               s->context) < 0)
			below++;
		if (s->compare(s->base + at * s->size, s->base + below * s->size, s->context) >= 0)
			return;
		swap(s, at, below);
		at = below;
	}
}

/* By a heap: no order of the input makes it slow, and it takes no memory. */
void qsort_r(void *base, size_t count, size_t size,
             int (*compare)(const void *a, const void *b, void *context), void *context)
{
	struct sorting s = {base, size, compare, context};

	for (size_t i = count / 2; i-- > 0;)
		sink(&s, i, count);
	while (count > 1) {
		swap(&s, 0, --count);
		sink(&s, 0, count);
	}
}

/* ---- the system ---- */

long sysconf(int name)
{
	SYSTEM_INFO info;

	GetSystemInfo(&info);
	switch (name) {
	case _SC_NPROCESSORS_ONLN: return (long)info.dwNumberOfProcessors;
	case _SC_PAGESIZE: return (long)info.dwPageSize;
	/* of times that processes used, in units of a second */
	case _SC_CLK_TCK: return 100;
	default: errno = EINVAL; return -1;
	}
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

void *dlopen(const char *path, int flags)
{
	HMODULE library = NULL;

	if (!(flags & RTLD_NOLOAD))
		return LoadLibraryA(path);
	return GetModuleHandleExA(0, path, &library) ? library : NULL;
}

void *dlsym(void *library, const char *name)
{
	FARPROC function = GetProcAddress(library, name);
	void *symbol;

	/* C has no conversion between pointers to functions and to objects */
	memcpy(&symbol, &function, sizeof(symbol));
	return symbol;
}

int dlclose(void *library)
{
	return FreeLibrary(library) ? 0 : -1;
}
