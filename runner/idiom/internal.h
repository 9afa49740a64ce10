// SPDX-License-Identifier: Apache-2.0
/* A session with one program: what the programs of the room and their steps share. */
#ifndef OCLMM_RUNNER_IDIOM_INTERNAL_H
#define OCLMM_RUNNER_IDIOM_INTERNAL_H

#include "idiom.h"
#include "reference.h"

/* Buffers: two, and the levels of a prefix sum of 2^48 elements in segments of two. */
enum { IDIOM_KERNELS = 2, IDIOM_BUFFERS = 56 };

/* The words of a poll: as in litmus/idiom/common.cl. */
enum { POLL_NEXT, POLL_SERVED, POLL_CLOSED, POLL_COUNT, POLL_GAVE_UP, POLL_WORDS };

struct idiom_shape {
	uint64_t group_size, groups;
};

/* One run of one program on an opened device. */
struct idiom_session {
	const struct idiom_request *request;
	const struct idiom_actions *actions;
	struct idiom_result *result;
	struct oclmm_error *error; /* of what failed */
	void (*alive)(void *data); /* called before anything that may take long */
	void *alive_data;
	struct oclmm_device *device;
	const struct oclmm_device_info *info;
	cl_command_queue queue; /* in order, with times */
	cl_program program;
	cl_kernel kernels[IDIOM_KERNELS];
	cl_program progress_program; /* progress.cl, once calibrated */
	cl_kernel progress, together;
	cl_mem poll; /* POLL_WORDS words */
	cl_mem buffers[IDIOM_BUFFERS];
	uint64_t size;
	uint32_t steps;
	struct idiom_shape shape; /* of the run at hand */
	struct idiom_shape most;  /* the largest that any run may have */
	uint64_t built;           /* the group size that the kernels are built for */
	double rate;              /* turns of a waiting loop per second */
	uint32_t turns;           /* after which a wait gives up */
	uint32_t patience;        /* non-zero: a launch is a poll */
	uint32_t *input, *expected, *answer;
	size_t answers;          /* words of `expected` and `answer` */
	int answered;            /* the buffer that the answer was read from last … */
	uint64_t answered_words; /* … and how much of it; 0: none was read */
	cl_ulong begun, ended;   /* of the kernels that idiom_finish() waited for, in ns */
	cl_event first, last;
	double enqueued; /* oclmm_clock() when the first of them was */
};

static inline bool idiom_on_cpu(const struct idiom_session *session)
{
	return session->info->type & CL_DEVICE_TYPE_CPU;
}

/* A buffer of a program. */
struct idiom_area {
	int buffer; /* its number */
	uint64_t (*words)(const struct idiom_session *session);
	enum { IDIOM_KEPT, IDIOM_FILLED, IDIOM_COPIED } before; /* each launch */
	uint32_t value; /* what it is filled with; copied is the input */
};
/* Numbers of words: one, an element's each, a group's each. */
uint64_t idiom_one(const struct idiom_session *session);
uint64_t idiom_each(const struct idiom_session *session);
uint64_t idiom_each_group(const struct idiom_session *session);

/* What makes one program differ from another. Functions return 0, or negative with session->error.
 */
struct idiom_actions {
	const char *prelude; /* file of functions that go before it, or NULL */
	/* Adds what the kernels have to know besides the group size; NULL: nothing. */
	void (*define)(const struct idiom_session *session, struct oclmm_text *text);
	bool product;                       /* they reduce by multiplying, not by adding */
	const char *file;                   /* of kernels */
	const char *kernels[IDIOM_KERNELS]; /* functions in them */
	const char *waiting;                /* why it may not end; NULL: it does */
	bool spins;                         /* it waits in loops of unknown length */
	uint64_t size, steps;               /* unless given; steps 0: there are none */
	bool floats;                        /* the answer is of floats, else of unsigned numbers */
	/* Chooses session->most, or refuses what was asked. */
	int (*shape)(struct idiom_session *session);
	/* Words of one launch, the copy that is measured included: on the host for each element,
	 * for input and answer; on the device for each element and each group; and what else there
	 * is. */
	unsigned host_words, device_words, group_words;
	uint64_t (*more_words)(const struct idiom_session *session);
	/* Input and expected answer, and buffers that are no areas. Runs once, for the largest
	 * shape. */
	int (*prepare)(struct idiom_session *session);
	const struct idiom_area *areas; /* up to one without words, or NULL */
	/* Brings other buffers into the state before a launch; NULL: there are none. */
	int (*reset)(struct idiom_session *session);
	/* NULL: launch() sets them */
	int (*set_arguments)(struct idiom_session *session);
	/* Enqueues the kernels; NULL: the first, once. */
	int (*launch)(struct idiom_session *session);
	int answer;  /* the buffer that it begins */
	int gave_up; /* the buffer that says whether a wait gave up; 0: none does */
	/* Reads the answer, and looks whether a wait gave up (-ETIME); NULL: by these two. */
	int (*collect)(struct idiom_session *session);
	/* A further run's shape, within session->most; NULL: only that one. */
	void (*vary)(struct idiom_session *session, uint64_t key);
	/* Instead of all of the above from `shape` on; NULL for most. */
	int (*run)(struct idiom_session *session);
};

/* opencl.c: calls with names that say what is wrong. */
struct idiom_argument {
	size_t size;
	const void *value;
};
#define IDIOM_VALUE(x)                                                                             \
	{                                                                                          \
		sizeof(x), &(x)                                                                    \
	}
#define IDIOM_LOCAL(bytes)                                                                         \
	{                                                                                          \
		(bytes), NULL                                                                      \
	}
/* A buffer, or any other one while it does not exist yet. */
static inline cl_mem *idiom_memory(struct idiom_session *session, int number)
{
	return session->buffers[number] ? &session->buffers[number] : &session->poll;
}

#define IDIOM_MEMORY(session, number)                                                              \
	{                                                                                          \
		sizeof(cl_mem), idiom_memory(session, number)                                      \
	}
int idiom_set_arguments(cl_kernel kernel, const struct idiom_argument *arguments, size_t count,
                        struct oclmm_error *error);
/* All arguments of a kernel. */
#define IDIOM_SET(session, kernel, ...)                                                            \
	idiom_set_arguments(kernel, (const struct idiom_argument[]){__VA_ARGS__},                  \
	                    sizeof((const struct idiom_argument[]){__VA_ARGS__}) /                 \
	                            sizeof(struct idiom_argument),                                 \
	                    (session)->error)
/* Says why what was asked for cannot be run. */
#define IDIOM_REFUSE(session, ...) oclmm_error_set((session)->error, -EINVAL, __VA_ARGS__)
/*
 * A program from files of the folder, after common.cl; `prelude` may be NULL. For groups of one
 * size, which the compiler then knows, or of any: 0.
 */
int idiom_build(struct idiom_session *session, const char *prelude, const char *file,
                uint64_t group_size, cl_program *ret_program);
/*
 * The program's kernels, for groups of this size. Repaired ones are compiled for it, which
 * makes them faster, and on some devices lets their groups be larger. -E2BIG when a kernel takes
 * fewer work-items.
 */
int idiom_build_kernels(struct idiom_session *session, uint64_t group_size);

void idiom_release_kernels(struct idiom_session *session);
/* A buffer of at least one word, owned by the session. */
int idiom_buffer(struct idiom_session *session, int number, uint64_t bytes);
int idiom_fill(struct idiom_session *session, cl_mem buffer, uint32_t value, uint64_t words);
int idiom_write(struct idiom_session *session, cl_mem buffer, const void *from, uint64_t bytes);
/* Waits for everything before it. */
int idiom_read(struct idiom_session *session, cl_mem buffer, void *to, uint64_t bytes);
int idiom_enqueue(struct idiom_session *session, cl_kernel kernel, struct idiom_shape shape);
/* Waits, and takes begun and ended from what was enqueued since the last time. */
int idiom_finish(struct idiom_session *session);
/* Input of so many words, and as many expected and actual answers. */
int idiom_allocate(struct idiom_session *session, uint64_t words, uint64_t answers);
/* -ETIME when a wait gave up. */
int idiom_check_gave_up(struct idiom_session *session, cl_mem gave_up);

/* Reads a buffer's first words, of which the host has still to make the answer. */
int idiom_read_answer(struct idiom_session *session, int number, uint32_t *to, uint64_t words);
/* They are the answer. */
static inline int idiom_answer(struct idiom_session *session, int number)
{
	return idiom_read_answer(session, number, session->answer, session->answers);
}

/* shape.c: checks of what was asked for. */
/*
 * The group size: what was asked for, else `wanted` (0: the largest) or as much of it as can be;
 * and the kernels for it.
 */
int idiom_group_size(struct idiom_session *session, uint64_t wanted, uint64_t local_bytes_per_item);
/* The number of groups: what was asked for, else `wanted`; or `groups` whatever was asked for. */
int idiom_groups(struct idiom_session *session, uint64_t wanted);
int idiom_groups_of(struct idiom_session *session, uint64_t groups);
/* Number of groups of `group_size` that have one work-item per element, or refuses a rest. */
int idiom_exact_groups(struct idiom_session *session);
/* Refuses more turns of a loop than a device makes. */
int idiom_check_loops(const struct idiom_session *session, uint64_t turns);
/* Draws group size and number of groups up to session->most. */
void idiom_vary(struct idiom_session *session, uint64_t key);
void idiom_vary_group_size(struct idiom_session *session, uint64_t key);

/* progress.c */
/* How fast a work-item waits; sets rate and turns. */
int idiom_calibrate(struct idiom_session *session);
/* Whether the work-items of a group go on while others of it wait. */
int idiom_together(struct idiom_session *session, uint64_t group_size, bool *ret_together);
/* Group size and groups for a program whose groups wait for each other: `wanted` groups at most. */
int idiom_co_resident_groups(struct idiom_session *session, uint64_t wanted);

/* programs.c */
enum { IDIOM_PROGRAMS = 13 };
extern const struct idiom_program *const idiom_programs[IDIOM_PROGRAMS + 1]; /* up to NULL */
/* NULL where there is none of this name. */
const struct idiom_program *idiom_find_program(const char *name);

/* One per program. */
extern const struct idiom_program idiom_sum_by_atomics, idiom_product_by_atomics, idiom_sum_by_host,
	idiom_last_group_done, idiom_staged_reduction, idiom_tree_reduction,
	idiom_global_barrier_count, idiom_global_barrier_leaders, idiom_global_barrier_flags,
	idiom_scan_segments, idiom_scan_look_back, idiom_scan_packed, idiom_progress;

#endif
