// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * Programs whose threads are commands of queues, and the steps of the host
 * that enqueues them. Each thread is one command with all its work-items, or
 * what the host does between two calls; they are enqueued in the order of
 * their numbers, by one thread of the host. What orders them is fixed by the
 * program (A:3.3.9.5): nothing that a command reads changes it.
 */
#ifndef OCLMM_IR_COMMAND_H
#define OCLMM_IR_COMMAND_H

#include "oclmm/ir_words.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct oclmm_program;

/* ---- a command -------------------------------------------------------- */

/* What a thread is. X(enumerator, word of a placement, function, the one for shared virtual memory,
 * whether it stands in a queue) */
#define OCLMM_COMMANDS(X)                                                                          \
	X(NONE, "", "", "", false) /* a work-item, or a thread of the host on SVM */               \
	X(HOST, "host", "", "", false)                                                             \
	X(KERNEL, "kernel", "clEnqueueNDRangeKernel", "clEnqueueNDRangeKernel", true)              \
	X(FILL, "fill", "clEnqueueFillBuffer", "clEnqueueSVMMemFill", true)                        \
	X(WRITE, "write", "clEnqueueWriteBuffer", "clEnqueueSVMMemcpy", true)                      \
	X(READ, "read", "clEnqueueReadBuffer", "clEnqueueSVMMemcpy", true)                         \
	X(COPY, "copy", "clEnqueueCopyBuffer", "clEnqueueSVMMemcpy", true)                         \
	X(MAP, "map", "clEnqueueMapBuffer", "clEnqueueSVMMap", true)                               \
	X(UNMAP, "unmap", "clEnqueueUnmapMemObject", "clEnqueueSVMUnmap", true)                    \
	X(MIGRATE, "migrate", "clEnqueueMigrateMemObjects", "", true)                              \
	X(MARKER, "marker", "clEnqueueMarkerWithWaitList", "", true)                               \
	X(BARRIER, "barrier", "clEnqueueBarrierWithWaitList", "", true)                            \
	X(REPLAY, "replay", "clEnqueueCommandBufferKHR", "", true)                                 \
	X(SIGNAL, "signal", "clEnqueueSignalSemaphoresKHR", "", true)                              \
	X(WAIT, "wait", "clEnqueueWaitSemaphoresKHR", "", true)                                    \
	X(ACQUIRE, "acquire", "clEnqueueAcquireExternalMemObjectsKHR", "", true)                   \
	X(RELEASE, "release", "clEnqueueReleaseExternalMemObjectsKHR", "", true)                   \
	X(USER, "user", "clSetUserEventStatus", "", false)

enum oclmm_command_kind {
#define OCLMM_X(name, ...) OCLMM_COMMAND_##name,
	OCLMM_COMMANDS(OCLMM_X)
#undef OCLMM_X
		OCLMM_COMMAND_COUNT
};
/** `kernel`, `fill`: as a placement has it; empty for NONE. */
const char *oclmm_command_word(enum oclmm_command_kind kind);
bool oclmm_command_find(const char *word, size_t length, enum oclmm_command_kind *ret_kind);
/** Whether it is enqueued in a queue. */
bool oclmm_command_is_queued(enum oclmm_command_kind kind);

/** Limits of a program of commands. */
enum {
	OCLMM_QUEUES_MOST = 4,          /**< queues are numbered below this */
	OCLMM_COMMAND_DEVICES_MOST = 2, /**< devices likewise */
	OCLMM_SUB_BUFFERS_MOST = 2,     /**< of a buffer, likewise */
	OCLMM_RECORDINGS_MOST = 2,      /**< command buffers, likewise */
	OCLMM_SEMAPHORES_MOST = 4,      /**< semaphores, likewise */
	OCLMM_COMMAND_OBJECTS_MOST = 16,
	OCLMM_COMMAND_REGISTERS_MOST = 64, /**< of all its threads */
};

/** What a map is for: CL_MAP_READ, CL_MAP_WRITE, CL_MAP_WRITE_INVALIDATE_REGION. */
enum { OCLMM_MAP_READ = 1, OCLMM_MAP_WRITE = 2, OCLMM_MAP_INVALIDATE = 4 };

/** By what of a launch a recorded kernel reaches no cell: bits as in
 * cl_mutable_dispatch_fields_khr. */
enum { OCLMM_LAUNCH_OFFSET = 1, OCLMM_LAUNCH_SIZE = 2, OCLMM_LAUNCH_LOCAL = 4 };

/** A thread as a command. Threads in sets are indices, not the numbers of their names. */
struct oclmm_command {
	enum oclmm_command_kind kind;
	uint32_t queue;  /**< of those that are queued */
	uint32_t device; /**< of the queue; the devices of a program are in one context */
	bool unordered;  /**< the queue executes out of order */
	bool blocking;   /**< read, write, map: the call returns when it is complete */
	bool rect;       /**< copy, read, write: its cells are boxes with pitches of their own */
	unsigned map;    /**< map: set of OCLMM_MAP_*; READ and WRITE where none is written */
	/** 0: it uses its buffers themselves; else a sub-buffer of each, number + 1. Each of them
	 * has all cells, so that all are the same memory (A:5.2.1). */
	uint32_t sub;
	bool address; /**< kernel: it is given device addresses of its buffers, not these */
	/** instead of its objects in shared virtual memory it uses a buffer made over each
	 * (clCreateBuffer with CL_MEM_USE_HOST_PTR) */
	bool buffer;
	/** kernel: it finds the pointers to its objects in shared virtual memory in other such
	 * memory, and clSetKernelExecInfo tells which objects these are (A:5.9.2) */
	bool indirect;
	/** host: what it does with external memory it does in a second context of the same driver,
	 * which has imported that memory, too, and not by the API that made it */
	bool context;
	uint32_t waits;     /**< events in its wait list; of the host and user: it waits for them */
	uint32_t callbacks; /**< host: waits until callbacks of these events have run */
	uint32_t polls;     /**< host: until these are seen to be CL_COMPLETE */
	uint32_t finishes;  /**< host: queues, set of 1u << number; clFinish */
	uint32_t flushes;   /**< host: the same; clFlush */
	/** 0: none; else the command buffer that it is recorded in, or that it replays, number + 1
	 */
	uint32_t recording;
	uint32_t after; /**< of those that are recorded: whose sync points it waits for */
	/** 0: it is recorded where it stands; else it is the command of that thread, index + 1, as
	 * a later replay plays it again: with the same body, a kernel perhaps with other objects
	 * for its parameters, and sync points likewise */
	uint32_t again;
	/** a recorded kernel: set of OCLMM_LAUNCH_*. By these no work-item reaches a cell, and the
	 * body is empty; other runs of the same command lack them, and have the body */
	unsigned misses;
	/** signal and wait: the binary semaphores, set of 1u << number, none of which is signaled
	 * at first */
	uint32_t semaphores;
};
/** The queues for which the commands of a command buffer are recorded, a set of 1u << number;
 * `recording` as of struct oclmm_command. Several: cl_khr_command_buffer_multi_device. */
uint32_t oclmm_command_recorded_for(const struct oclmm_program *program, uint32_t recording);
/** Whether these are several queues. */
bool oclmm_command_several_queues(const struct oclmm_program *program, uint32_t recording);
/** Whether it is recorded in a command buffer, and runs when that is replayed. */
static inline bool oclmm_command_is_recorded(const struct oclmm_command *command)
{
	return command->recording && command->kind != OCLMM_COMMAND_REPLAY;
}

/* ---- what orders them ------------------------------------------------- */

/** Whether its threads are commands. All of them are, or none. */
bool oclmm_program_has_commands(const struct oclmm_program *program);
/** The set of objects that a thread's body uses, 1u << index of a location. */
uint64_t oclmm_command_uses(const struct oclmm_program *program, uint32_t thread);
/** The function of the API, which the host calls for a thread; empty where there is none. */
const char *oclmm_command_function(const struct oclmm_program *program, uint32_t thread);
/** Whether a step of the host uses objects through a map. */
bool oclmm_command_is_mapped(const struct oclmm_program *program, uint32_t thread);

/* Why something comes before something else. X(enumerator, section) */
#define OCLMM_COMMAND_EDGES(X)                                                                     \
	X(NONE, "")                                                                                \
	X(CALLS, "A:3.3.9")        /* the host's calls, one after the other */                     \
	X(ENQUEUED, "A:3.3.9.5")   /* (1) a command after the call that enqueues it */             \
	X(RUNS, "A:3.3.9.5")       /* (9), (10) all that a command does, between its ends */       \
	X(WAIT_LIST, "A:3.3.9.5")  /* (2), (3) */                                                  \
	X(IN_ORDER, "A:3.3.9.5")   /* (5) */                                                       \
	X(MARKER, "A:3.3.9.5")     /* (6) */                                                       \
	X(BARRIER, "A:3.3.9.5")    /* (7) */                                                       \
	X(HOST_WAITS, "A:3.3.9.5") /* (4) */                                                       \
	X(FINISH, "A:3.3.9.5")     /* (8) */                                                       \
	X(CALLBACK, "A:3.3.9.5")   /* (11) */                                                      \
	X(SEEN, "A:3.3.9.5")       /* in 3.1.0 alone, K18 */                                       \
	X(USER_EVENT, "A:3.3.9.5") /* (12) */                                                      \
	X(BLOCKING, "A:3.2.4")                                                                     \
	X(MAPPED, "A:5.5.4")   /* what the host does with an object, behind its map */             \
	X(UNMAPPED, "A:5.5.4") /* and before its unmapping */                                      \
	/* of command buffers the text stands with their extension alone */                        \
	X(REPLAYED, "cl_khr_command_buffer")       /* a recorded command, within its replay */     \
	X(RECORDED_FIRST, "cl_khr_command_buffer") /* for a queue that executes in order */        \
	X(SYNC_POINT, "cl_khr_command_buffer")                                                     \
	X(RECORDED_BARRIER, "cl_khr_command_buffer")                                               \
	X(SEMAPHORE, "cl_khr_semaphore") /* likewise: a wait after the signal that it waits for */

enum oclmm_command_edge {
#define OCLMM_X(name, section) OCLMM_COMMAND_EDGE_##name,
	OCLMM_COMMAND_EDGES(OCLMM_X)
#undef OCLMM_X
};
const char *oclmm_command_edge_section(enum oclmm_command_edge edge);

/**
 * The moments of a thread: the host comes to it (having waited for what it
 * waits for), it begins, it is complete.
 */
enum oclmm_command_moment {
	OCLMM_MOMENT_CALL,
	OCLMM_MOMENT_BEGIN,
	OCLMM_MOMENT_END,
	OCLMM_MOMENT_COUNT
};
enum { OCLMM_MOMENTS_MOST = OCLMM_MAX_THREADS * OCLMM_MOMENT_COUNT };
/** The number of a moment of a thread. */
static inline unsigned oclmm_moment(uint32_t thread, enum oclmm_command_moment moment)
{
	return thread * OCLMM_MOMENT_COUNT + (unsigned)moment;
}

/** What comes before what in every execution. */
struct oclmm_command_order {
	unsigned count; /**< moments */
	/** by moment: why another follows it directly; NONE where it does not */
	unsigned char edge[OCLMM_MOMENTS_MOST][OCLMM_MOMENTS_MOST];
	uint64_t before[OCLMM_MOMENTS_MOST]; /**< by moment: those behind it; transitive */
};
/** Other readings of the text. */
enum {
	/** the call of a blocking write returns when it has copied what it writes, and the
	 * command may be complete later (knob K17) */
	OCLMM_COMMANDS_EARLY_WRITES = 1,
	/** a host that has seen the status CL_COMPLETE goes on behind the command (knob K18) */
	OCLMM_COMMANDS_SEEN_COMPLETE = 2,
};
/**
 * Of a program with commands. A moment behind itself never comes: the program hangs. `readings` is
 * a set of OCLMM_COMMANDS_*, 0 for the text as it stands.
 */
void oclmm_command_order(const struct oclmm_program *program, unsigned readings,
                         struct oclmm_command_order *ret_order);
/**
 * Whether a thread uses an object in shared virtual memory by the buffer that is made over it, and
 * not by its pointer. The host uses what it has mapped by the name by which it is mapped.
 */
bool oclmm_command_by_buffer(const struct oclmm_program *program, uint32_t thread,
                             uint32_t location);
/**
 * Of two threads that use an object, one by a buffer over it and one by its pointer: whether a map
 * of the buffer shows `b` what `a` writes before. From the buffer to the pointer it stands between
 * the two (A:5.5.4); from the pointer to the buffer `a` stands between a map for writing and its
 * unmapping, and `b` behind that. Nothing else does where the two are two locations (knob K19).
 */
bool oclmm_command_is_shown(const struct oclmm_program *program,
                            const struct oclmm_command_order *order, uint32_t a, uint32_t b,
                            uint32_t location);
/** Whether the call of a command that writes to a buffer is blocking. */
bool oclmm_is_blocking_write(const struct oclmm_program *program, uint32_t thread);

/** Why two threads must not overlap. */
enum oclmm_overlap_kind {
	OCLMM_OVERLAP_MAPPED,   /**< a command uses what is mapped (A:5.5.4, A:5.6.1) */
	OCLMM_OVERLAP_EARLY,    /**< the host uses what is not mapped yet */
	OCLMM_OVERLAP_MIGRATED, /**< a command uses what is being migrated (A:5.5.5) */
	OCLMM_OVERLAP_SIGNALED, /**< a semaphore is signaled that may still be signaled */
	OCLMM_OVERLAP_AWAITED,  /**< an earlier wait may take the signal that this one is for */
	/** a command uses external memory that may not be acquired, or the host uses outside of
	 * OpenCL what may not be released */
	OCLMM_OVERLAP_UNACQUIRED,
	OCLMM_OVERLAP_UNRELEASED,
};
struct oclmm_command_overlap {
	enum oclmm_overlap_kind kind;
	uint32_t thread; /**< that uses the object */
	/** the map, the migration, the earlier signal or wait, what acquires or releases; the count
	 * of threads where there is none */
	uint32_t with;
	uint32_t location; /**< the object, or the number of the semaphore */
};
/**
 * The first use of an object that may overlap with its map or its migration, whatever else orders
 * the data. \return whether there is one
 */
bool oclmm_command_find_overlap(const struct oclmm_program *program,
                                const struct oclmm_command_order *order,
                                struct oclmm_command_overlap *ret);
/**
 * The signal that a wait waits for by one of its semaphores: the last one that is enqueued before
 * it. A binary semaphore is used as the text has it where signals and waits take turns.
 * \return its thread, or the wait's own where there is none
 */
uint32_t oclmm_command_signal_of(const struct oclmm_program *program, uint32_t wait,
                                 uint32_t semaphore);
/**
 * The replay that plays a recorded command: the first of its command buffer behind it. What the
 * next one plays is written again between the two.
 * \return its thread, or the count of threads where there is none
 */
uint32_t oclmm_command_replay_of(const struct oclmm_program *program, uint32_t thread);
/** Whether a thread plays a command again with other arguments than it was recorded with. */
bool oclmm_command_is_changed(const struct oclmm_program *program, uint32_t thread);
/**
 * The first run of the command of a thread that reaches cells, and so shows what it does to them.
 * \return its thread, or the count of threads where there is none
 */
uint32_t oclmm_command_reaching(const struct oclmm_program *program, uint32_t thread);
/** The set of OCLMM_LAUNCH_* that are changed between the runs of the command of a thread. */
unsigned oclmm_command_launches(const struct oclmm_program *program, uint32_t thread);
/** Whether all that thread `a` does happens before all that `b` does. */
bool oclmm_command_ordered(const struct oclmm_command_order *order, uint32_t a, uint32_t b);
/**
 * The shortest way from the end of `a` to the beginning of `b`: its moments, both ends included.
 * \return how many; 0 where there is none
 */
unsigned oclmm_command_way(const struct oclmm_command_order *order, uint32_t a, uint32_t b,
                           unsigned char ret_moments[OCLMM_MOMENTS_MOST]);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
