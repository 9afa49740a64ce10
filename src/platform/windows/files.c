// SPDX-License-Identifier: Apache-2.0
/* Files: what Windows' C library lacks of POSIX's functions, or does in another way. */
#include <direct.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

static int fail(int number)
{
	errno = number;
	return -1;
}

/* By the last error of the system. */
static int fail_by_system(void)
{
	switch (GetLastError()) {
	case ERROR_FILE_NOT_FOUND:
	case ERROR_PATH_NOT_FOUND:
	case ERROR_INVALID_NAME:
	case ERROR_BAD_PATHNAME:
	case ERROR_BAD_NETPATH: return fail(ENOENT);
	case ERROR_ALREADY_EXISTS:
	case ERROR_FILE_EXISTS: return fail(EEXIST);
	case ERROR_INVALID_HANDLE: return fail(EBADF);
	case ERROR_DISK_FULL: return fail(ENOSPC);
	case ERROR_NOT_ENOUGH_MEMORY: return fail(ENOMEM);
	case ERROR_LOCK_VIOLATION:
	case ERROR_IO_PENDING: return fail(EAGAIN);
	default: return fail(EACCES);
	}
}

static HANDLE handle_of(int file)
{
	return file < 0 ? INVALID_HANDLE_VALUE : (HANDLE)_get_osfhandle(file);
}

static void turn_slashes(char *path)
{
	for (; *path; path++) {
		if (*path == '\\')
			*path = '/';
	}
}

/* ---- what is known of a file ---- */

static void describe(const BY_HANDLE_FILE_INFORMATION *file, struct oclmm_windows_stat *ret_info)
{
	/* in units of 100 ns since 1601, and the seconds until 1970 */
	static const int64_t UNITS = 10000000, EPOCH = 11644473600;
	int64_t time = (int64_t)((uint64_t)file->ftLastWriteTime.dwHighDateTime << 32 |
	                         file->ftLastWriteTime.dwLowDateTime);
	bool folder = file->dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY;

	*ret_info = (struct oclmm_windows_stat){
		.st_dev = file->dwVolumeSerialNumber,
		.st_ino = (uint64_t)file->nFileIndexHigh << 32 | file->nFileIndexLow,
		.st_mode = folder ? S_IFDIR | 0700 : S_IFREG | 0600,
		.st_size = (int64_t)((uint64_t)file->nFileSizeHigh << 32 | file->nFileSizeLow),
		.st_mtim = {.tv_sec = time / UNITS - EPOCH, .tv_nsec = (long)(time % UNITS * 100)},
	};
}

static int describe_handle(HANDLE handle, struct oclmm_windows_stat *ret_info)
{
	BY_HANDLE_FILE_INFORMATION file;

	switch (GetFileType(handle)) {
	case FILE_TYPE_CHAR: *ret_info = (struct oclmm_windows_stat){.st_mode = S_IFCHR}; return 0;
	case FILE_TYPE_PIPE: *ret_info = (struct oclmm_windows_stat){.st_mode = S_IFIFO}; return 0;
	default: break;
	}
	if (!GetFileInformationByHandle(handle, &file))
		return fail_by_system();
	describe(&file, ret_info);
	return 0;
}

int oclmm_windows_fstat(int file, struct oclmm_windows_stat *ret_info)
{
	return describe_handle(handle_of(file), ret_info);
}

/* The name that the system has for a file. */
static const char *name_of(const char *path)
{
	return strcmp(path, "/dev/null") == 0 ? "NUL" : path;
}

int oclmm_windows_stat(const char *path, struct oclmm_windows_stat *ret_info)
{
	HANDLE handle = CreateFileA(name_of(path), FILE_READ_ATTRIBUTES,
	                            FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
	                            OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
	int r;

	if (handle == INVALID_HANDLE_VALUE)
		return fail_by_system();
	r = describe_handle(handle, ret_info);
	CloseHandle(handle);
	return r;
}

/* ---- opening ---- */

static bool is_folder(const char *path)
{
	DWORD attributes = GetFileAttributesA(path);

	return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY);
}

/* Whoever has it open lets others take its name away, as elsewhere. */
static int open_shared(const char *path, int flags)
{
	int access = flags & (_O_RDONLY | _O_WRONLY | _O_RDWR), file;
	SECURITY_ATTRIBUTES inherited = {sizeof(inherited), NULL, !(flags & _O_NOINHERIT)};
	DWORD how = flags & _O_EXCL       ? CREATE_NEW
	            : !(flags & _O_CREAT) ? (flags & _O_TRUNC ? TRUNCATE_EXISTING : OPEN_EXISTING)
	            : flags & _O_TRUNC    ? CREATE_ALWAYS
	                                  : OPEN_ALWAYS;
	HANDLE handle = CreateFileA(path,
	                            access == _O_RDONLY   ? GENERIC_READ
	                            : access == _O_WRONLY ? GENERIC_WRITE
	                                                  : GENERIC_READ | GENERIC_WRITE,
	                            FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
	                            &inherited, how, FILE_ATTRIBUTE_NORMAL, NULL);

	if (handle == INVALID_HANDLE_VALUE)
		return fail_by_system();
	file = _open_osfhandle((intptr_t)handle, flags & (_O_APPEND | _O_RDONLY | _O_NOINHERIT));
	if (file < 0)
		CloseHandle(handle);
	return file;
}

/* The file that stands for a folder where that is locked. */
static int open_lock(const char *folder)
{
	char path[MAX_PATH];

	if (snprintf(path, sizeof(path), "%s/.lock", folder) >= (int)sizeof(path))
		return fail(ENAMETOOLONG);
	return open_shared(path, _O_RDWR | _O_CREAT | _O_NOINHERIT);
}

int oclmm_windows_open(const char *path, int flags, ...)
{
	if (flags & O_DIRECTORY)
		return is_folder(path) ? open_lock(path) : fail(ENOTDIR);
	if (is_folder(path))
		return fail(EISDIR);
	return open_shared(name_of(path), flags);
}

#undef fopen
FILE *oclmm_windows_fopen(const char *path, const char *mode)
{
	char known[8] = "";
	size_t length = 0;

	for (; *mode && length + 1 < sizeof(known); mode++) {
		if (*mode != 'e')
			known[length++] = *mode;
	}
	return fopen(name_of(path), known);
}

/* Whoever has a file open keeps its name from being taken, but not from being changed. */
static int rename_over(const char *from, const char *to)
{
	char aside[MAX_PATH];

	if (snprintf(aside, sizeof(aside), "%s.%lu.old", to, GetCurrentProcessId()) >=
	    (int)sizeof(aside))
		return fail(ENAMETOOLONG);
	if (!MoveFileExA(to, aside, MOVEFILE_REPLACE_EXISTING))
		return fail_by_system();
	if (!MoveFileExA(from, to, 0)) {
		int r = fail_by_system();

		MoveFileExA(aside, to, 0);
		return r;
	}
	DeleteFileA(aside);
	return 0;
}

int oclmm_windows_rename(const char *from, const char *to)
{
	if (MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING))
		return 0;
	switch (GetLastError()) {
	case ERROR_ACCESS_DENIED:
	case ERROR_SHARING_VIOLATION: return is_folder(to) ? fail(EISDIR) : rename_over(from, to);
	default: return fail_by_system();
	}
}

/* At a place in the file, as is the next read or write elsewhere: it stays where it was. */
static ssize_t transfer(int file, void *read_to, const void *write_from, size_t size, off_t place)
{
	HANDLE handle = handle_of(file);
	OVERLAPPED at = {.Offset = (DWORD)place, .OffsetHigh = (DWORD)((uint64_t)place >> 32)};
	LARGE_INTEGER none = {.QuadPart = 0}, before;
	DWORD done = 0;
	BOOL succeeds;

	if (!SetFilePointerEx(handle, none, &before, FILE_CURRENT))
		return fail_by_system();
	succeeds = read_to ? ReadFile(handle, read_to, (DWORD)size, &done, &at)
	                   : WriteFile(handle, write_from, (DWORD)size, &done, &at);
	if (!succeeds && GetLastError() != ERROR_HANDLE_EOF)
		return fail_by_system();
	SetFilePointerEx(handle, before, NULL, FILE_BEGIN);
	return (ssize_t)done;
}

ssize_t pread(int file, void *bytes, size_t size, off_t place)
{
	return transfer(file, bytes, NULL, size, place);
}

ssize_t pwrite(int file, const void *bytes, size_t size, off_t place)
{
	return transfer(file, NULL, bytes, size, place);
}

int oclmm_windows_mkdir(const char *path)
{
	return _mkdir(path);
}

int fsync(int file)
{
	return _commit(file);
}

int utimensat(int folder, const char *path, const struct timespec *times, int flags)
{
	HANDLE handle = CreateFileA(path, FILE_WRITE_ATTRIBUTES,
	                            FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
	                            OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
	FILETIME now;
	int r = 0;

	(void)folder;
	(void)times;
	(void)flags;
	if (handle == INVALID_HANDLE_VALUE)
		return fail_by_system();
	GetSystemTimeAsFileTime(&now);
	if (!SetFileTime(handle, NULL, &now, &now))
		r = fail_by_system();
	CloseHandle(handle);
	return r;
}

/* ---- paths ---- */

char *realpath(const char *path, char *resolved)
{
	char *whole;

	if (GetFileAttributesA(path) == INVALID_FILE_ATTRIBUTES) {
		fail_by_system();
		return NULL;
	}
	whole = _fullpath(resolved, path, resolved ? PATH_MAX : 0);
	if (whole)
		turn_slashes(whole);
	return whole;
}

ssize_t readlink(const char *path, char *target, size_t size)
{
	DWORD length;

	if (strcmp(path, "/proc/self/exe") != 0)
		return fail(EINVAL);
	length = GetModuleFileNameA(NULL, target, (DWORD)size);
	if (length == 0 || length >= size)
		return fail(ENAMETOOLONG);
	turn_slashes(target);
	return (ssize_t)length;
}

/* ---- temporary files ---- */

/* A name for the X of a pattern, another one each time. */
static void draw_name(char *pattern, unsigned attempt)
{
	char *end = pattern + strlen(pattern) - 6;
	LARGE_INTEGER now;

	QueryPerformanceCounter(&now);
	snprintf(end, 7, "%06x",
	         (unsigned)(GetCurrentProcessId() * 40503 + now.LowPart + attempt) & 0xffffff);
}

enum { ATTEMPTS = 100 };

char *mkdtemp(char *pattern)
{
	for (unsigned attempt = 0; attempt < ATTEMPTS; attempt++) {
		draw_name(pattern, attempt);
		if (_mkdir(pattern) == 0)
			return pattern;
		if (errno != EEXIST)
			return NULL;
	}
	return NULL;
}

int oclmm_windows_mkstemp(char *pattern)
{
	for (unsigned attempt = 0; attempt < ATTEMPTS; attempt++) {
		int file;

		draw_name(pattern, attempt);
		file = open_shared(pattern, _O_RDWR | _O_CREAT | _O_EXCL | _O_NOINHERIT);
		if (file >= 0 || errno != EEXIST)
			return file;
	}
	return -1;
}

int memfd_create(const char *name, unsigned flags)
{
	char folder[MAX_PATH - 14], path[MAX_PATH];
	HANDLE handle;

	(void)name;
	(void)flags;
	if (GetTempPathA(sizeof(folder), folder) == 0 || !GetTempFileNameA(folder, "ocl", 0, path))
		return fail_by_system();
	handle = CreateFileA(path, GENERIC_READ | GENERIC_WRITE,
	                     FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
	                     CREATE_ALWAYS, FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE,
	                     NULL);
	return handle == INVALID_HANDLE_VALUE ? fail_by_system()
	                                      : _open_osfhandle((intptr_t)handle, _O_NOINHERIT);
}

/* ---- locks ---- */

/* A lock keeps others from reading what it covers: it stands where no file reaches. */
static const DWORD LOCK_PLACE = 0x7fff0000;

static int lock_file(int file, bool wait)
{
	OVERLAPPED place = {.OffsetHigh = LOCK_PLACE};
	DWORD flags = LOCKFILE_EXCLUSIVE_LOCK | (wait ? 0 : LOCKFILE_FAIL_IMMEDIATELY);

	return LockFileEx(handle_of(file), flags, 0, 1, 0, &place) ? 0 : fail_by_system();
}

static void unlock_file(int file)
{
	OVERLAPPED place = {.OffsetHigh = LOCK_PLACE};

	UnlockFileEx(handle_of(file), 0, 1, 0, &place);
}

int flock(int file, int operation)
{
	int r = lock_file(file, !(operation & LOCK_NB));

	return r < 0 && errno == EAGAIN ? fail(EWOULDBLOCK) : r;
}

int fcntl(int file, int command, struct flock *lock)
{
	int r = lock_file(file, false);

	if (command == F_SETLK)
		return r;
	if (r < 0 && errno != EAGAIN)
		return r;
	lock->l_pid = 0;
	if (r == 0) {
		unlock_file(file);
		lock->l_type = F_UNLCK;
	}
	return 0;
}

/* ---- folders ---- */

int scandir(const char *path, struct dirent ***ret_entries,
            int (*choose)(const struct dirent *entry),
            int (*compare)(const struct dirent **a, const struct dirent **b))
{
	struct dirent **entries = NULL, *entry;
	DIR *folder = opendir(path);
	int count = 0;

	if (!folder)
		return -1;
	while ((entry = readdir(folder))) {
		struct dirent **more;

		if (choose && !choose(entry))
			continue;
		more = realloc(entries, (size_t)(count + 1) * sizeof(*entries));
		if (more)
			entries = more;
		if (more)
			entries[count] = malloc(sizeof(*entry));
		if (!more || !entries[count]) {
			while (count > 0)
				free(entries[--count]);
			free(entries);
			closedir(folder);
			return fail(ENOMEM);
		}
		memcpy(entries[count++], entry, sizeof(*entry));
	}
	closedir(folder);
	if (compare && count > 1)
		qsort(entries, (size_t)count, sizeof(*entries),
		      (int (*)(const void *, const void *))compare);
	*ret_entries = entries;
	return count;
}

int alphasort(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}
