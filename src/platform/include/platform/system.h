// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * What systems do in ways of their own: how a process is started, where programs and temporary
 * files are, which paths are whole, what a process uses. Each system has a file of these functions;
 * what its C library lacks of POSIX's and GNU's functions stands beside it, under their own names.
 */
#ifndef OCLMM_PLATFORM_SYSTEM_H
#define OCLMM_PLATFORM_SYSTEM_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/** At the beginning of main(): brings arguments into the form that everything expects. */
void oclmm_begin_program(int argc, char **argv);

/** Whether a path is whole, whatever the current folder is. */
bool oclmm_is_absolute(const char *path);
/** The folder of temporary files. */
const char *oclmm_temporary_folder(void);
/** \return the path of a program, malloc-ed; NULL where there is none in PATH */
char *oclmm_find_program(const char *name);

/** The libraries that an OpenCL loader may be, up to NULL. */
extern const char *const oclmm_opencl_loaders[];
/** The folder of the files *.icd, which name the drivers; NULL: the loader finds them in another
 * way. */
extern const char *const oclmm_opencl_vendors;
/** Memory that shares no page with other memory; NULL: there is none. */
void *oclmm_take_pages(size_t bytes);
/** Accepts NULL. */
void oclmm_free_pages(void *pages);

/** A process that is to be started. */
struct oclmm_start {
	/** A program by its path, or by a name that is looked for in PATH, and its arguments up to
	 * NULL. Where this is NULL, the process goes on in a copy of this one's memory and calls
	 * `run`, after which it ends with 0; where it cannot be executed, it says so on standard
	 * error and ends with 127. */
	const char *const *arguments;
	/** What a program has otherwise in its environment, up to NULL: NAME=VALUE, or a NAME that
	 * it does not have. NULL: nothing. */
	const char *const *variables;
	void (*run)(void *data, int socket);
	void *data;
	int input, output, errors; /**< its standard streams; negative: nothing is there */
	/** Handed to `run`; of a program that is this one, started anew, what it has from
	 * oclmm_inherited_socket(). Negative: none. */
	int socket;
	const int *ours; /**< files that it closes first; it keeps `socket` and its streams */
	unsigned ours_count;
	bool leads;    /**< a group of processes, which oclmm_kill_group() ends */
	uint64_t most; /**< bytes of a file that it may write; 0: any number */
};

/** Whether processes can be copies of this one. */
extern const bool oclmm_can_copy;
/** The socket that this program was started with; negative: none. To be asked once. */
int oclmm_inherited_socket(void);
/** It ends with this process, whatever ends that. \return 0 or a negative errno value; -ENOSYS for
 * a copy of this process where the system makes none */
int oclmm_start_process(const struct oclmm_start *start, pid_t *ret_pid);
/** What a process that was started uses: bytes of memory, seconds of processor time. \return false
 * where the system does not tell */
bool oclmm_process_uses(pid_t pid, uint64_t *ret_memory, double *ret_processor);
/** Kills the group that a process led, also where the leader has gone. */
void oclmm_kill_group(pid_t leader);

#endif
