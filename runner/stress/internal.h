// SPDX-License-Identifier: Apache-2.0
/* A session: the memory, the kernels and the launches of programs that run together. */
#ifndef OCLMM_RUNNER_STRESS_INTERNAL_H
#define OCLMM_RUNNER_STRESS_INTERNAL_H

#include "device/device.h"
#include "environment.h"
#include "stress.h"

#include <pthread.h>

/* Memory of a session: a buffer, or SVM where others than one kernel use it. */
struct oclmm_memory {
	cl_mem buffer;
	void *svm;
};

/* Launches in flight: while the device works on one, the next is queued and the last is read. */
enum { OCLMM_SLOTS = 3 };
/* Words behind a scratch area that stay 0. */
enum { OCLMM_GUARD = 64 };
/* What stands in the bytes that a read-back is to replace. */
enum { OCLMM_POISON = 0xa5 };
#define OCLMM_POISON_WORD (OCLMM_POISON * UINT32_C(0x01010101))

/* By which a launch is known to have run: what they stand at when all that was queued has run,
 * once and in order, and what the last of it adds. */
struct oclmm_tickets {
	uint32_t tested, counted;
	uint32_t step;        /* that the test kernel adds to the first one */
	uint32_t counting;    /* work-groups of the counting kernel, which add the first one … */
	uint32_t more;        /* … and this to the second, … */
	uint32_t weight;      /* … so often in all */
	const char *counters; /* or its work-items, where groups add so for each of theirs */
};

/* A launch in flight. */
struct oclmm_slot {
	cl_mem counters;
	cl_mem raw;
	cl_event done;    /* of the read-back; NULL when the slot is free */
	uint32_t *counts; /* where it reads to */
	uint32_t *before; /* what the counters stood at before the launch */
	struct oclmm_tickets tickets;
	uint64_t number; /* of its launch, from 0 */
	uint64_t block;  /* that it is in */
	cl_event side;   /* of the last launch in the second queue; NULL when there was none */
	uint32_t instances;
	bool looks; /* at its objects */
	bool cold;  /* the first launch of its kernels, which the driver may finish compiling in */
	/* where its waits are counted that go on behind their bound; NULL: they do not */
	struct oclmm_wait_launches *waits;
	double queued; /* when */
};

/* The texts that a program may have (struct oclmm_codegen_options), as bits. */
enum {
	OCLMM_TEXT_ANY_COUNT = 1,
	OCLMM_TEXT_SPLIT = 2,
	OCLMM_TEXT_DIRECT = 4,
	OCLMM_TEXT_SUMS = 8,
	OCLMM_TEXT_QUADS = 16,
	OCLMM_TEXT_CALM = 32,
	OCLMM_TEXT_ALONE = 64,
	OCLMM_TEXTS = 128,
};

enum { OCLMM_KERNEL_NAME_SIZE = 32 };

/* What is built of one text. */
struct oclmm_kernels {
	cl_program test_program;
	cl_kernel test; /* NULL: not built, for no environment needs it */
	uint32_t mark;  /* of the test kernel */
	cl_kernel count;
	bool began; /* something was launched of its program */
};

/* What is built of programs that are compiled as one text: each text once, for all sessions. */
struct oclmm_joint_built {
	const struct oclmm_joint *joint;
	struct oclmm_joint_text {
		bool tried;
		cl_program program; /* NULL: it cannot be built */
		uint32_t members;   /* whose kernels it has, as bits */
	} texts[OCLMM_TEXTS];
};

/* The roles that one kernel plays, in a queue of its own. */
struct oclmm_kernel_part {
	struct oclmm_session *session;
	uint32_t number; /* of the part; the first one's kernel keeps the tickets */
	cl_command_queue queue;
	struct oclmm_kernels texts[OCLMM_TEXTS];
	/* of the others alone; the first one uses the session's */
	cl_command_queue own; /* the queue, where it is no other part's, to be released */
	cl_mem played;
	uint32_t *seen; /* what is read of it, … */
	size_t workers; /* … a word for each work-item */
	cl_mem scratch;
	cl_event done;     /* of the test kernel, … */
	pthread_t waiting; /* … for which this thread waits, … */
	cl_int waited;     /* … and what came of it */
};

struct oclmm_launch;

/* A role that the host plays. */
struct oclmm_host_role {
	struct oclmm_session *session;
	uint32_t role;
	struct host_code *code;
	struct oclmm_plane *planes; /* the program's */
	int64_t *values;            /* of host_play() */
	const struct oclmm_launch *launch;
	pthread_t thread;
};

/* Instances whose objects each work-item of the counting kernel has set up. */
struct oclmm_restored {
	cl_mem words;
	uint32_t count; /* of work-items, at most */
	/* What the launches were in which it did no more than that. */
	struct oclmm_restoring {
		uint32_t work_items, each, first, step, instances, launches;
	} * shapes;
	uint32_t shape_count;
};

/* How fast launches come back, whichever session they are of. */
struct oclmm_pace {
	uint32_t slow;    /* launches in a row that took long */
	double harvested; /* when the last one was */
	double cold;      /* seconds that first launches of kernels took */
};

/* How the launches of a session are played and counted: of kernels and threads of the host, or of
 * commands. */
struct oclmm_playing {
	/* Chooses environments, builds and allocates. What it made is to be closed in any case. */
	int (*open)(struct oclmm_session *session, struct oclmm_error *error,
	            struct oclmm_run_result *result);
	/* Puts all objects of an environment's layout to their initial values; `slot` must be
	 * free. NULL: each launch does so itself. */
	int (*initialise)(struct oclmm_session *session,
	                  const struct oclmm_environment *environment, struct oclmm_slot *slot,
	                  struct oclmm_error *error);
	/* Of the session's environments it is number `which`, in the form of the launch's block. */
	int (*launch)(struct oclmm_session *session, const struct oclmm_environment *environment,
	              uint32_t which, struct oclmm_slot *slot, uint64_t number,
	              struct oclmm_error *error);
	/*
	 * Waits for a slot and adds its counts. Returns 0; an error of OpenCL; -ERANGE
	 * when the launch did not run as it should or instances were lost: then it adds nothing.
	 * NULL: nothing of a launch is in flight when it returns.
	 */
	int (*harvest)(struct oclmm_session *session, struct oclmm_slot *slot,
	               struct oclmm_error *error);
	/* What can be told after the last launch only: whether stress reached its area, and
	 * whether all objects were set up in each launch, once. NULL: nothing. */
	int (*check)(struct oclmm_session *session, struct oclmm_error *error);
	void (*close)(struct oclmm_session *session);
};

/* Roles, which are threads of the program, and who plays them. */
struct oclmm_part {
	const struct oclmm_executor *executor;
	void *data;     /* the executor's */
	uint32_t roles; /* set of 1u << index of a thread */
};

/* One run: a program on a device with all that this takes. */
struct oclmm_session {
	const struct oclmm_playing *playing; /* NULL: it was not opened */
	struct oclmm_device *device;
	cl_command_queue reading; /* where counters are read; NULL: in the device's queue */
	const struct oclmm_run_request *request;
	const struct oclmm_program *program;
	struct oclmm_kernel_plan plan;
	struct whole *whole;       /* of a text that work-items share, the same */
	struct commands *commands; /* of a program of commands, which uses little of what follows */
	struct oclmm_environment environments[OCLMM_ENVIRONMENTS_MAX];
	uint32_t environment_count;

	struct oclmm_part parts[OCLMM_KERNEL_ROLES]; /* who plays the roles */
	uint32_t part_count;
	struct oclmm_kernel_part kernels[OCLMM_KERNEL_PARTS];
	struct oclmm_host_role hosts[OCLMM_KERNEL_ROLES]; /* by role; only those of the host */
	struct oclmm_joint_built *joint;                  /* NULL: it is compiled by itself */
	bool folded[OCLMM_ENVIRONMENTS_MAX]; /* groups in two dimensions, sub-group by sub-group */
	cl_kernel side;                      /* NULL: no environment has a second queue */

	struct oclmm_memory memory; /* locations in buffers */
	struct oclmm_image {
		cl_mem buffer, view;      /* for the counting kernels; for the others */
	} images[OCLMM_KERNEL_LOCATIONS]; /* by location */
	void *svm;                        /* locations in SVM */
	struct oclmm_memory codes;
	struct oclmm_memory results;
	struct oclmm_memory meeting;
	cl_mem played;
	cl_mem table; /* of the counting kernel */
	struct oclmm_restored restored;
	uint32_t salt; /* that the first launch's is counted from; of no other session */
	cl_mem scratch;
	cl_mem side_scratch; /* the second queue's own */
	uint64_t
		scratch_words; /* of the larger one; a guard of OCLMM_GUARD words follows in both */
	struct oclmm_slot slots[OCLMM_SLOTS];

	uint64_t *totals; /* per outcome */
	uint64_t cut;
	uint64_t instances; /* counted */
	uint64_t queued;    /* counted or in flight */
	uint64_t launches;
	uint64_t looked; /* of them, those that looked at their objects */
	uint64_t stimulus;
	uint32_t stressed; /* word that the last launch that stores in the scratch area stored in */
	bool has_stressed;
	uint32_t side_stressed; /* the same in the second queue */
	bool has_side_stressed;
	bool news;     /* a foreseen outcome was counted for the first time since it was told */
	uint64_t kept; /* raw tuples, … */
	uint64_t told; /* … and how many there were when it was told last */
	double busy;   /* seconds that its launches took, but for … */
	double cold;   /* … those of the first ones of its kernels */
	uint32_t warm; /* environments that had a launch, as bits */
	struct oclmm_pace *pace;      /* of all sessions that are interleaved */
	struct oclmm_halvings halved; /* of its launches */
	struct oclmm_turns turns;     /* of its environments */
	uint32_t *sought;             /* outcomes of the space that environments are chosen for */
	uint32_t sought_count;
	struct oclmm_histogram *histogram;
	uint8_t *numbers; /* per outcome: 1 + its number among those shown; 0: none yet */
	struct oclmm_seen shown;
	struct oclmm_waits waits;
};

/* ---- turns of environments ---- */
/* What the launches in one environment yielded. */
struct oclmm_yield {
	uint64_t hits, launches;
	double seconds;
};
/* The environment of a block. */
uint32_t oclmm_turn_of(const struct oclmm_turns *turns, uint32_t environments, uint64_t block);
/* Adds shares from a block on, by what was yielded, and equal ones where nothing was and none were
 * added before; false where it adds none. */
bool oclmm_turns_decide(struct oclmm_turns *turns, const struct oclmm_yield *yields, uint32_t count,
                        uint64_t block);

/* ---- draw.c ---- */
/* The key of a test's launch, from which all of its stimulus is drawn and nothing else. */
uint64_t oclmm_launch_key(uint64_t seed, uint64_t number);
/* Whether all slots of one environment are slots of another, of the same locations: where these
 * hold initial values, so do those. */
bool oclmm_layout_covers(const struct oclmm_environment *there,
                         const struct oclmm_environment *wanted,
                         const struct oclmm_program *program);
/* Work-items of the counting kernel, all in full groups of `*ret_local`. */
uint32_t oclmm_counting_work_items(const struct oclmm_environment *environment,
                                   const struct oclmm_parameters *parameters, uint32_t *ret_local);
/* x % n for factors that are drawn for it; `inverse` is UINT32_MAX / n. */
uint32_t oclmm_modulo(uint32_t x, uint32_t n, uint32_t inverse);
/* The element at which an instance's object begins, as the kernels reckon. */
uint32_t oclmm_slot_of(const struct oclmm_parameters *p, const struct oclmm_layout *where,
                       uint32_t instance, bool any_count);

/* ---- environment.c ---- */
/* Which text an environment's launches take. */
unsigned oclmm_text_of(const struct oclmm_environment *environment,
                       const struct oclmm_kernel_plan *plan);
/* Whether a launch of this many takes the text for any count. */
bool oclmm_takes_any_count(uint32_t groups, uint32_t lanes, uint32_t rounds,
                           const struct oclmm_kernel_plan *plan);
static inline uint32_t oclmm_larger(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

/* ---- kernels from texts ---- */
/* The choices that make a text. */
struct oclmm_codegen_options oclmm_text_options(unsigned text);
/* Whether so many sub-groups, of which the largest has so many work-items, are a group of `all`. */
int oclmm_sub_groups_judge(size_t all, size_t lanes, size_t count, struct oclmm_error *error);

/* ---- roles.c ---- */
extern const struct oclmm_playing oclmm_playing_roles;

/* Divides `count` into rows, and these into layers, of lengths as alike as they can be; the first
 * is the longest. */
void oclmm_rows(size_t count, cl_uint dimensions, size_t ret_sides[3]);

/* Tickets: numbers on the device that say which kernels of a launch ran, how often and in which
 * order. \return the odd number at which both start */
uint32_t oclmm_tickets_begin(struct oclmm_tickets *tickets);
/* `salt`: of the parameters that the kernel is given. */
void oclmm_tickets_tested(struct oclmm_tickets *tickets, uint32_t mark, uint32_t salt);
/* `lanes`: how many times each group adds; 0: once, as a group. */
void oclmm_tickets_counted(struct oclmm_tickets *tickets, uint32_t groups, uint32_t lanes,
                           uint32_t salt);
/* Whether what was read is what they stand at. \return 0, or -ERANGE with what went wrong. */
int oclmm_tickets_check(const struct oclmm_tickets *tickets, uint32_t tested, uint32_t counted,
                        uint64_t launch, struct oclmm_error *error);

/* A launch of `work_items` work-items that only sets objects up. */
void oclmm_restored_note(struct oclmm_restored *restored, const struct oclmm_parameters *parameters,
                         uint32_t work_items);
/* How many words are not what such launches add up to. */
uint32_t oclmm_restored_missing(const struct oclmm_restored *restored, const uint32_t *words);

/* Notes where a launch's stress must leave a mark. */
void oclmm_scratch_note(struct oclmm_session *session, const struct oclmm_parameters *parameters);
/* Whether what was read back shows that stress reached its scratch area, and nothing behind it:
 * `mark` is the word that must have been stored in, NULL when none must. */
int oclmm_scratch_judge(const uint32_t *mark, const uint32_t *guard, struct oclmm_error *error);

/* What all parts of a launch are told. */
struct oclmm_launch {
	const struct oclmm_environment *environment;
	const struct oclmm_parameters *parameters; /* as drawn; the same for all */
	struct oclmm_slot *slot;
	const struct oclmm_range *range; /* of its kernels */
};

/*
 * Who plays roles. The draw, the layout, the counting and the record of a launch
 * know nothing of executors; they are called once per launch and part, never per instance.
 */
struct oclmm_executor {
	/* Begins to play, and does not wait for the end. */
	int (*start)(void *data, const struct oclmm_launch *launch, struct oclmm_error *error);
	/*
	 * Waits, a bounded time, until all is played that was started, and
	 * what it wrote can be read by the commands that are queued from then on. Comes once for
	 * every start that gave 0. NULL: such commands run after it by themselves.
	 */
	int (*join)(void *data, const struct oclmm_launch *launch, struct oclmm_error *error);
};

/* Whether each role is in one part. \return 0, or -EINVAL naming the role. */
int oclmm_parts_check(const struct oclmm_part *parts, uint32_t count, uint32_t roles,
                      struct oclmm_error *error);
/*
 * Starts all parts of a launch, in order, and joins them. Where one cannot start, those before it
 * are joined all the same. \return 0 or the first error.
 */
int oclmm_parts_play(const struct oclmm_part *parts, uint32_t count,
                     const struct oclmm_launch *launch, struct oclmm_error *error);

/* Its data is a host role. */
extern const struct oclmm_executor oclmm_executor_host;
int oclmm_host_role_create(struct oclmm_session *session, uint32_t role, struct oclmm_error *error);
void oclmm_host_role_destroy(struct oclmm_host_role *host);

/* ---- commands.c ---- */
/* A launch is played and counted at once; nothing of it is in flight then. */
extern const struct oclmm_playing oclmm_playing_commands;

/* ---- whole.c ---- */
/* The same of a text that work-items share. */
extern const struct oclmm_playing oclmm_playing_whole;

/* ---- seen.c ---- */
/* A launch has come back: from the later of its queueing and the end of the one before it. */
void oclmm_note_duration(struct oclmm_session *session, const struct oclmm_slot *slot);
/* Adds instances of a block that ended with a tuple to what the session counts and showed; `mask`
 * gets the bit of that outcome. */
void oclmm_count_tuple(struct oclmm_session *session, uint64_t block, const int64_t *tuple,
                       uint64_t instances, uint64_t *mask);

/* ---- together.c ---- */
/* The block that a launch is in, by its number. Blocks are short at first and
 * never more than a small part of what lies behind them. */
uint64_t oclmm_block_of(uint64_t launch);
/* The first launch behind that block. */
uint64_t oclmm_block_end(uint64_t launch);
/* Draws in which order `count` members have `launches` each in the block that begins with `launch`:
 * the member of each. Independent of the keys of their launches. */
void oclmm_block_order(uint64_t seed, uint64_t launch, uint32_t count, uint32_t launches,
                       uint32_t *ret_order);

#endif
