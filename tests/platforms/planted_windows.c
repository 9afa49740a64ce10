// SPDX-License-Identifier: Apache-2.0
/*
 * In place of the functions that make a job of processes, which ends them with whoever has it. A
 * program calls those of a library of the system by pointers of these names.
 */
#include "planted.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

const char *const planted_stays[] = {"a job without limits", "outside the job", NULL};
const char *const planted_refusals[] = {"no job", "no limits", "not taken into the job", NULL};

/* What was not taken into a job. */
static HANDLE refused;

static BOOL is_planted(const char *name)
{
	const char *planted = getenv(PLANTED);

	return planted && strcmp(planted, name) == 0;
}

static void find(const char *name, void *ret_function)
{
	FARPROC found = GetProcAddress(GetModuleHandleA("kernel32"), name);

	memcpy(ret_function, &found, sizeof(found));
}

static BOOL refuse(void)
{
	SetLastError(ERROR_ACCESS_DENIED);
	return FALSE;
}

static HANDLE WINAPI create_job(SECURITY_ATTRIBUTES *attributes, const char *name)
{
	HANDLE(WINAPI * function)(SECURITY_ATTRIBUTES *, const char *);

	if (is_planted(planted_refusals[0]))
		return refuse(), NULL;
	find("CreateJobObjectA", &function);
	return function(attributes, name);
}

static BOOL WINAPI set_limits(HANDLE job, JOBOBJECTINFOCLASS kind, void *limits, DWORD size)
{
	BOOL(WINAPI * function)(HANDLE, JOBOBJECTINFOCLASS, void *, DWORD);

	if (is_planted(planted_stays[0]))
		return TRUE;
	if (is_planted(planted_refusals[1]))
		return refuse();
	find("SetInformationJobObject", &function);
	return function(job, kind, limits, size);
}

static BOOL WINAPI take_into_job(HANDLE job, HANDLE process)
{
	BOOL(WINAPI * function)(HANDLE, HANDLE);

	if (is_planted(planted_stays[1]))
		return TRUE;
	if (is_planted(planted_refusals[2])) {
		DuplicateHandle(GetCurrentProcess(), process, GetCurrentProcess(), &refused, 0,
		                FALSE, DUPLICATE_SAME_ACCESS);
		return refuse();
	}
	find("AssignProcessToJobObject", &function);
	return function(job, process);
}

HANDLE(WINAPI *__imp_CreateJobObjectA)(SECURITY_ATTRIBUTES *, const char *) = create_job;
BOOL(WINAPI *__imp_SetInformationJobObject)(HANDLE, JOBOBJECTINFOCLASS, void *, DWORD) = set_limits;
BOOL(WINAPI *__imp_AssignProcessToJobObject)(HANDLE, HANDLE) = take_into_job;

bool planted_is_gone(double seconds)
{
	bool gone = !refused ||
	            WaitForSingleObject(refused, (DWORD)(seconds * 1000)) == WAIT_OBJECT_0;

	if (refused)
		CloseHandle(refused);
	refused = NULL;
	return gone;
}
