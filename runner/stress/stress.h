// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * Runs one program on one device, many instances at a time, and counts the
 * outcomes. Says nothing of whether an outcome is legal.
 *
 * May see: plant, exchange, device, host, codegen, histogram.
 */
#ifndef OCLMM_RUNNER_STRESS_STRESS_H
#define OCLMM_RUNNER_STRESS_STRESS_H

#include "oclmm/codegen.h"
#include "oclmm/histogram.h"
#include "oclmm/ir.h"

struct oclmm_device;
struct oclmm_environment; /* runner/stress/environment.h: every stress parameter as plain data */

struct oclmm_run_result;

/** The most outcomes of a program that are told apart in its launches. */
enum { OCLMM_SEEN_OUTCOMES = 63 };
/** In a mask: an outcome beyond those that are told apart. */
#define OCLMM_SEEN_REST (UINT64_C(1) << OCLMM_SEEN_OUTCOMES)

/**
 * What the launches of a program showed, block by block. A launch of which
 * nothing was counted, for all its loops were cut, is not among them.
 */
struct oclmm_seen {
	uint32_t width;    /**< values of an outcome */
	uint32_t outcomes; /**< at most OCLMM_SEEN_OUTCOMES, in the order of their first sight */
	int64_t *values;   /**< `width` of each; malloc-ed */
	struct oclmm_seen_launches {
		uint64_t block;
		uint64_t mask; /**< bit n: outcome n was seen */
		uint64_t launches;
		uint64_t instances; /* that ran in them */
	} * launches;               /**< those of one block together, blocks ascending; malloc-ed */
	size_t count, capacity;
	struct oclmm_seen_counts {
		uint64_t block;
		uint64_t outcome; /**< its number; OCLMM_SEEN_OUTCOMES: those beyond */
		uint64_t count;   /**< instances, from 1 */
	} * counts;               /**< those of one block together, blocks ascending; malloc-ed */
	size_t counted, count_capacity;
};
void oclmm_seen_finish(struct oclmm_seen *shown);
/** The number of an outcome, which gets one where there is room; else OCLMM_SEEN_OUTCOMES. */
uint32_t oclmm_seen_number(struct oclmm_seen *shown, const int64_t *values);
/** Adds a launch to those of its block, which is the last one or comes after it. */
void oclmm_seen_add(struct oclmm_seen *shown, uint64_t block, uint64_t mask, uint64_t instances);
/** Adds instances with an outcome to those of such a block; `outcome` is its number. */
void oclmm_seen_count(struct oclmm_seen *shown, uint64_t block, uint32_t outcome, uint64_t count);

/** The most programs whose test kernels stand in one text. */
enum { OCLMM_JOINT_MOST = 16 };

/**
 * Programs that are compiled as one text where that is possible, because a text
 * costs a compiler something by itself; whether they are run or not, so that
 * its cache holds what an earlier run compiled.
 */
struct oclmm_joint {
	const struct oclmm_program *programs[OCLMM_JOINT_MOST];
	const struct oclmm_outcome_space *spaces[OCLMM_JOINT_MOST];
	/** Those that a program is run in; NULL: the same as whoever has it compiled. */
	const struct oclmm_environment *environments[OCLMM_JOINT_MOST];
	uint32_t environment_counts[OCLMM_JOINT_MOST];
	uint32_t count;
	bool lasts; /**< not all of them are run together: the device keeps what was built */
};

/**
 * Which texts a program takes in these environments, as bits: what is compiled as one should be
 * alike. 0: none that could have another program's kernels.
 */
uint64_t oclmm_joint_texts(const struct oclmm_program *program,
                           const struct oclmm_outcome_space *space,
                           const struct oclmm_environment *environments, uint32_t count);

/** What to run. All pointers stay the caller's. */
struct oclmm_run_request {
	const struct oclmm_program *program;
	const struct oclmm_outcome_space *space;
	const char *unspecified; /**< what no device can be held to, by name; NULL: nothing */
	const struct oclmm_joint *joint;             /**< that the program is among; NULL: none */
	const struct oclmm_environment *environment; /**< NULL: the default for the device's type */
	uint32_t environment_count; /**< how many stand there, to be taken in turn; 0 is 1, at most
	                               OCLMM_ENVIRONMENTS_MAX */
	uint64_t launches;          /**< run at least this many … */
	uint64_t instances;         /**< … and at least this many instances … */
	double seconds; /**< … or until this time has passed, when > 0 (then `instances` is a
	                   minimum unless 0) */
	/**
	 * Of a program that only stands beside another one: after so many launches that showed what
	 * is_hit() says, more of them would tell nothing, and the others go on without it. 0:
	 * never. Where there is has_met(), those count that stand in blocks in which the roles of
	 * the other program met.
	 */
	uint64_t enough_hits;
	bool (*is_hit)(const void *data, const int64_t *values);
	bool (*has_met)(const void *data, const int64_t *values); /**< or NULL */
	const struct oclmm_program *beside;
	const void *hit_data;
	uint64_t seed;         /**< of this test; every launch derives its own */
	uint64_t first_launch; /**< goes on behind the launches of an earlier run, whose … */
	uint64_t stimulus;     /**< … stimulus this one's continues, and whose launches … */
	struct oclmm_halvings halvings; /**< … were halved; or launches that are to be, and … */
	bool halvings_given;            /**< … no others, however slow they are */
	struct oclmm_turns turns;       /**< of its environments, behind which others come … */
	bool turns_given;               /**< … or, where they are repeated, do not */
	/**
	 * Whether an outcome is what environments are chosen for, which have their turns by how
	 * many they yield; NULL: it has no say. Never for what a test may not show.
	 */
	bool (*is_sought)(const void *data, const int64_t *values);
	const void *sought_data;
	void (*progress)(void *data, double fraction); /**< may be NULL */
	/** Told when an outcome was counted for the first time: all that was counted so far. May
	 * be NULL. */
	void (*news)(void *data, const struct oclmm_run_result *so_far);
	/** Told before anything of it is compiled. May be NULL. */
	void (*begins)(void *data);
	/** Told, by the first of several programs, when all are compiled and the first launch is
	 * due. May be NULL. */
	void (*plays)(void *data);
	void *progress_data; /**< of all four */
	bool read_apart;     /**< counters are read in a queue of their own, as they are of a GPU */
	bool build_only;     /**< compile for the device, whose driver may keep the result, and run
	                        nothing */
};

/** What came of it. Free with oclmm_run_result_finish(). */
struct oclmm_run_result {
	struct oclmm_counts counts; /**< its histogram's total equals its instances */
	double build_seconds; /**< of those in the compiler, for programs and kernels; not told
	                         between processes */
	char *build_log;      /**< malloc-ed, may be NULL */
	uint64_t other_count; /**< raw tuples outside the space that were kept (all are counted) */
	struct oclmm_seen shown;
};

/** How one of several programs ended. */
struct oclmm_run_end {
	enum oclmm_end end;
	struct oclmm_error error;
};
/**
 * Runs several programs interleaved, launch by launch: in each block every one
 * has as many launches as the others, in one environment, in an order that is
 * drawn. The numbers of launches, instances and seconds, the first launch and
 * progress() are those of the first request, the environments have to be the
 * same in all. A program that fails is left out from then on; the others go on.
 * \param order key of the order
 * \param ret_ends, ret_results one each: how it ended, and what was counted until then, with the
 * build log, which is to be finished in any case
 */
void oclmm_run_together(struct oclmm_device *device, const struct oclmm_run_request *requests,
                        uint32_t count, uint64_t order, struct oclmm_run_end *ret_ends,
                        struct oclmm_run_result *ret_results);
void oclmm_run_result_finish(struct oclmm_run_result *result);

#endif
