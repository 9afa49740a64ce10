// SPDX-License-Identifier: Apache-2.0
/*
 * Any OpenCL call fails in any way: a layer of the ICD loader, told by variables.
 *
 *     OCLMM_CALLS_USES     a file, in which each call is counted over all processes:
 *                          records of CALL_NAME bytes for its name and 8 for its number
 *     OCLMM_CALLS_FAULT    what fails: the call, from which of its uses on (1 for the first), and
 *                          how: a number (the code it returns), `crash`, `leave`, `hang`, `spin`,
 *                          or `nothing`: success without effect, and no pointer where one is
 *                          returned: `clFinish 3 -5`
 *     OCLMM_CALLS_FAULT_2  another one
 *
 * Test code only.
 */
#include "plant/icd_layer.h"

#include "calls.h"

#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { CALL_NAME = 56 };

ICD_LAYER("oclmm calls");

#define X_NUMBER(name, parameters, arguments)          CALL_##name,
#define X_NUMBER_OF(name, type, parameters, arguments) CALL_##name,
enum call { CODES(X_NUMBER) OBJECTS(X_NUMBER_OF) POINTERS(X_NUMBER) SILENT(X_NUMBER) CALL_COUNT };

#define X_NAME(name, parameters, arguments)          #name,
#define X_NAME_OF(name, type, parameters, arguments) #name,
static const char *const names[] = {CODES(X_NAME) OBJECTS(X_NAME_OF) POINTERS(X_NAME)
                                            SILENT(X_NAME)};

/* The file of uses, seen by all processes. */
static struct {
	char name[CALL_NAME];
	uint64_t uses;
} * calls;

static void open_uses(void)
{
	const char *path = getenv("OCLMM_CALLS_USES");
	size_t size = CALL_COUNT * sizeof(*calls);
	int file = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : -1;

	if (file < 0 || ftruncate(file, (off_t)size) < 0)
		return;
	calls = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	close(file);
	for (int i = 0; i < CALL_COUNT; i++)
		strncpy(calls[i].name, names[i], CALL_NAME - 1);
}

/* What is said of a call by a variable: how it fails from some use on, or NULL. */
static const char *how_of(const char *variable, const char *name, uint64_t use)
{
	const char *fault = getenv(variable);
	size_t length = strlen(name);
	char *end;

	if (!fault || strncmp(fault, name, length) != 0 || fault[length] != ' ' ||
	    use < strtoull(fault + length, &end, 10) || *end != ' ')
		return NULL;
	return end + 1;
}

/* Whether this use is to have no effect and return `*ret_code`; other faults happen here. */
static int strikes(enum call call, cl_int *ret_code)
{
	uint64_t use = calls ? __atomic_add_fetch(&calls[call].uses, 1, __ATOMIC_RELAXED) : 0;
	const char *how = how_of("OCLMM_CALLS_FAULT", names[call], use);

	if (!how)
		how = how_of("OCLMM_CALLS_FAULT_2", names[call], use);
	if (!how)
		return 0;
	if (strcmp(how, "crash") == 0) {
		signal(SIGSEGV, SIG_DFL);
		raise(SIGSEGV);
	}
	if (strcmp(how, "leave") == 0)
		_exit(3);
	while (strcmp(how, "hang") == 0)
		pause();
	for (volatile int on = strcmp(how, "spin") == 0; on;)
		;
	*ret_code = strcmp(how, "nothing") == 0 ? CL_SUCCESS : (cl_int)strtol(how, NULL, 10);
	return 1;
}

#define X_CODE(name, parameters, arguments)                                                        \
	static cl_int CL_API_CALL spoilt_##name parameters                                         \
	{                                                                                          \
		cl_int code;                                                                       \
                                                                                                   \
		return strikes(CALL_##name, &code) ? code : layer_real->name arguments;            \
	}
CODES(X_CODE)

#define X_OBJECT(name, type, parameters, arguments)                                                \
	static type CL_API_CALL spoilt_##name parameters                                           \
	{                                                                                          \
		cl_int code;                                                                       \
                                                                                                   \
		if (!strikes(CALL_##name, &code))                                                  \
			return layer_real->name arguments;                                         \
		if (z)                                                                             \
			*z = code;                                                                 \
		return NULL;                                                                       \
	}
OBJECTS(X_OBJECT)

#define X_POINTER(name, parameters, arguments)                                                     \
	static void *CL_API_CALL spoilt_##name parameters                                          \
	{                                                                                          \
		cl_int code;                                                                       \
                                                                                                   \
		return strikes(CALL_##name, &code) ? NULL : layer_real->name arguments;            \
	}
POINTERS(X_POINTER)

#define X_SILENT(name, parameters, arguments)                                                      \
	static void CL_API_CALL spoilt_##name parameters                                           \
	{                                                                                          \
		cl_int code;                                                                       \
                                                                                                   \
		if (!strikes(CALL_##name, &code))                                                  \
			layer_real->name arguments;                                                \
	}
SILENT(X_SILENT)

bool layer_start(struct _cl_icd_dispatch *own)
{
	open_uses();
#define X_PUT(name, parameters, arguments)          own->name = spoilt_##name;
#define X_PUT_OF(name, type, parameters, arguments) own->name = spoilt_##name;
	CODES(X_PUT)
	OBJECTS(X_PUT_OF)
	POINTERS(X_PUT)
	SILENT(X_PUT)
	return true;
}
