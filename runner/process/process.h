// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * Child processes, for all that may crash, hang or never stop talking. A child
 * is a fork of the program and runs one function of it, or it is another program; it has none of
 * the program's files, and ends with its parent, whatever ends that. It is watched, not
 * trusted: every wait has an end, what it prints is kept only so far, and one that
 * does not go is killed.
 *
 * One answer to interruptions stands here, too, because every wait has to know it.
 *
 * May see: base.
 */
#ifndef OCLMM_RUNNER_PROCESS_PROCESS_H
#define OCLMM_RUNNER_PROCESS_PROCESS_H

#include <signal.h>
#include <sys/types.h>

#include "wire.h"

/* ---- interruptions ------------------------------------------------------ */

/** Non-zero once SIGINT, SIGTERM or SIGHUP came. */
extern volatile sig_atomic_t process_interrupted;
/**
 * From now on SIGINT, SIGTERM and SIGHUP end the program, which says on standard error that the
 * command was interrupted, and leaves no file that is not whole. A signal that is ignored stays so.
 */
void process_end_by_interrupts(const char *command);
/**
 * From now on the first of these signals asks for an end and a second one kills
 * as usual, unless it comes within half a second, and so is the first one again.
 * A terminal may hang up more than once, and nohup's wish is respected.
 */
void process_catch_interrupts(void);
/**
 * For oclmm_check_options.ended. \param until a double, by oclmm_clock(), or NULL
 * \return -EINTR once a signal came, -ETIME past that time, else 0
 */
int process_ended(const void *until);
/** Sleeps; a signal ends it early. */
void process_nap(double seconds);
/**
 * Gives standard streams that are closed to /dev/null, lest the next file takes their numbers. What
 * is then written to standard output fails, as it does where it is closed.
 */
void process_keep_streams(void);

/* ---- a child -------------------------------------------------------------- */

/** What is kept of what a child prints: the end, where the reason stands. */
enum { PROCESS_SAID = 4096 };

/** Files that a program reads and writes. */
struct process_files {
	int input, output; /**< its standard input and output */
	uint64_t most;     /**< bytes that it may write to a file */
};

/** The first argument of this program where it is a child; the other one is a number. */
#define PROCESS_CHILD "--child"
/** What a child does until its socket closes, or until it has answered. */
typedef void process_service(int socket);
/** What a child may be started for, by that number, up to NULL; NULL: nothing. */
extern process_service *const *process_services;
/** The variable by which children are started anew everywhere: OCLMM_CHILDREN=anew. */
#define PROCESS_ANEW "OCLMM_CHILDREN"

/** What a child is to do. */
struct process_job {
	/** A program by its path, or by a name to be found in PATH, and its arguments up to NULL.
	 * Where it cannot be executed, the child says so on standard error, and leaves with status
	 * 127. NULL: `run`, in a copy of this program. */
	const char *const *arguments;
	const struct process_files *files; /**< of that program; NULL: none */
	/** What it has otherwise than this one in its environment, up to NULL: NAME=VALUE, or a
	 * NAME that it does not have. NULL: nothing. */
	const char *const *variables;
	bool speaks; /**< its standard output is the socket, which it does not have otherwise */
	/** Runs in the child, which leaves with status 0 by _exit() when it returns: neither
	 * buffers of the program are written twice nor a driver's exit handlers can hang. */
	void (*run)(void *data, int socket);
	void *data;
	/** Where the system makes no copies, or PROCESS_ANEW asks for it, this program is started
	 * anew instead, and does this, which needs nothing of this one's memory; one of
	 * process_services. NULL: it needs that. */
	process_service *anew;
	bool talks; /**< there is a socket between the two; else `socket` is negative */
	bool heard; /**< the end of what it prints is kept; else it goes to /dev/null */
	/** It leads a process group: the terminal's Ctrl-C does not reach it, and what it has
	 * started ends with process_finish(), too. */
	bool leads;
};

struct process {
	pid_t pid;   /**< 0 once it was waited for */
	pid_t group; /**< that it leads; 0: none */
	bool anew;   /**< it has nothing of this program's memory */
	int status;  /**< of waitpid() then; negative: not even SIGKILL ended it */
	int socket;  /**< to the child; negative: none */
	int output;  /**< its standard output and error; negative: nothing more comes */
	char *said;  /**< the end of that */
	size_t said_length;
	struct wire_input input; /**< what came over the socket */
};

/** Starts it. SIGINT and SIGHUP are not the child's to answer. \return 0 or a negative errno value.
 */
int process_start(const struct process_job *job, struct process *ret_process);
/** Whether it has ended; asks the system. */
bool process_is_gone(struct process *process);
/** What a child uses. */
struct process_used {
	uint64_t memory;  /**< bytes that it holds; 0 where the system does not tell */
	double processor; /**< seconds of processor time so far; negative where it does not tell */
};
struct process_used process_used(const struct process *process);
/** Sends a signal, unless it is gone. */
void process_signal(const struct process *process, int number);
/** Closes the socket, gives it `patience` seconds to go and kills it then; it is gone afterwards.
 * What it has said stays. */
void process_stop(struct process *process, double patience);
/** Stops it at once, if need be, and the group that it leads, and frees what is left. */
void process_finish(struct process *process);

/* ---- hearing it ----------------------------------------------------------- */

/**
 * Waits at most `seconds` for anything, and takes it in.
 * \return 0, or -EPIPE when nothing more will come over the socket
 */
int process_hear(struct process *process, double seconds);

enum process_news {
	PROCESS_FRAME,       /**< here it is */
	PROCESS_GONE,        /**< it has ended, or sent what is no frame */
	PROCESS_SILENT,      /**< the deadline has passed */
	PROCESS_INTERRUPTED, /**< process_interrupted */
};
/**
 * Waits for the next frame, of a kind from 1 to `kinds`.
 * \param deadline by oclmm_clock()
 */
enum process_news process_await(struct process *process, uint32_t kinds, double deadline,
                                uint32_t *ret_kind, struct wire_reader *ret_reader);
/** The end of what it has printed; malloc-ed, NULL for nothing. */
char *process_said(struct process *process);
/** Forgets what it has printed so far. */
void process_forget(struct process *process);

/* ---- several at once ------------------------------------------------------ */

/**
 * Calls `run(data, i)` for each i below `count`, by turns: one of them goes on at a
 * time, and another while it waits for a child or naps. So they share data
 * without locks, but for what they look at before and after such a wait. Not from
 * within another call.
 * \return 0, or a negative errno value where not all could be started, and none was
 */
int process_together(size_t count, void (*run)(void *data, size_t index), void *data);
/** Around a call that waits: others have their turn meanwhile. Nothing outside of
 * process_together(); `errno` stays. */
void process_turn_end(void);
void process_turn_begin(void);
/** One line on how a driver's process ended, from waitpid()'s status; `when` follows a comma. */
void process_describe(int status, const char *when, char *message, size_t size);

#endif
