// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * How often each outcome was seen. Knows tuples of numbers, nothing of tests.
 */
#ifndef OCLMM_HISTOGRAM_H
#define OCLMM_HISTOGRAM_H

#include "oclmm/base.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/** Counts by tuple. */
struct oclmm_histogram;

/** One row: `values` has the histogram's width and belongs to it. */
struct oclmm_histogram_row {
	const int64_t *values;
	uint64_t count;
};

/** \param width values per tuple; 0 is allowed (a test that observes nothing). */
struct oclmm_histogram *oclmm_histogram_create(uint32_t width);
void oclmm_histogram_destroy(struct oclmm_histogram *histogram);
uint32_t oclmm_histogram_width(const struct oclmm_histogram *histogram);
/** Adds `count` (0 is allowed and makes the row exist, so that it is listed). Saturates at
 * UINT64_MAX. */
void oclmm_histogram_add(struct oclmm_histogram *histogram, const int64_t *values, uint64_t count);
/** Instances whose bounded loop was cut: they have no outcome, but they count in the total. */
void oclmm_histogram_add_cut(struct oclmm_histogram *histogram, uint64_t count);
uint64_t oclmm_histogram_cut(const struct oclmm_histogram *histogram);
/** \return the count of a tuple, 0 when it was never added. */
uint64_t oclmm_histogram_count(struct oclmm_histogram *histogram, const int64_t *values);
/** Sum of all counts, the cut ones included. */
uint64_t oclmm_histogram_total(const struct oclmm_histogram *histogram);
/** Adds all of `from`, which may be `to`, to it; -EINVAL when the widths differ. */
int oclmm_histogram_merge(struct oclmm_histogram *to, struct oclmm_histogram *from);
/** Number of rows; rows stand in ascending order of their tuples. */
size_t oclmm_histogram_rows(struct oclmm_histogram *histogram);
/** Its values are valid until something is added. */
struct oclmm_histogram_row oclmm_histogram_row(struct oclmm_histogram *histogram, size_t index);

/* ---- how large its launches were ------------------------------------- */

/** A size of 32 bits is 1 after so many halvings. */
enum { OCLMM_HALVINGS_MOST = 32 };
/** Launches that were the first with half of the instances and of the stress of those before. */
struct oclmm_halvings {
	uint32_t count;
	uint64_t at[OCLMM_HALVINGS_MOST]; /**< their numbers, ascending */
};

/* ---- which environments its launches were in -------------------------- */

enum {
	OCLMM_TURN_ENVIRONMENTS = 8,       /**< of a test at most */
	OCLMM_TURN_WHOLE = 4096,           /**< what the shares of a turn add up to */
	OCLMM_TURN_BLOCK_MOST = INT32_MAX, /**< the last block that has one */
	OCLMM_TURNS_MOST = 8,
};
/** The environments have turns in these shares; unused entries are 0. */
struct oclmm_turn {
	uint64_t block; /**< of launches: the first one */
	uint16_t share[OCLMM_TURN_ENVIRONMENTS];
};
/** Without any, and before the first one, each has its turn as often as the others. */
struct oclmm_turns {
	uint32_t count;
	struct oclmm_turn at[OCLMM_TURNS_MOST]; /**< blocks ascending */
};
/** `30:96,4000;240:2048,2048`. \return false for a text that is not of this form. */
bool oclmm_turns_parse(const char *text, struct oclmm_turns *ret_turns);
void oclmm_turns_print(struct oclmm_text *text, const struct oclmm_turns *turns);

/* ---- how its waits ended ---------------------------------------------- */

/** Launches in which waits went on behind their bound, and four of them or more could have ended
 * there. */
struct oclmm_wait_launches {
	uint64_t launches;
	uint64_t hits; /**< in which fewer waits ended than did not, where a new look ended them */
	uint64_t partly; /**< in which more than one in 32 of these waits did not end */
	uint64_t late;   /**< waits that ended */
	uint64_t stuck;  /**< that did not, although a look by another access ended them */
};
/** Of one test: as it has its waits, and with loads of which no compiler knows where they load. */
struct oclmm_waits {
	struct oclmm_wait_launches own, opaque;
};
/** Adds a launch, unless hardly any wait of it could have ended. Saturates, as the next one does.
 */
void oclmm_wait_launches_add(struct oclmm_wait_launches *launches, uint64_t late, uint64_t stuck);
void oclmm_waits_extend(struct oclmm_waits *whole, const struct oclmm_waits *part);

/* ---- all that a run of a test counted ---------------------------------- */

/**
 * What a child counts, and what a record has of it from then on: in the report, in the results
 * file, when it is judged, drawn and compared. The histogram belongs to whoever has the rest.
 */
struct oclmm_counts {
	struct oclmm_histogram *histogram; /**< NULL: nothing was counted */
	uint64_t instances; /**< that ran: those with an outcome, cut and filtered ones */
	uint64_t launches;
	uint64_t looked; /**< launches that looked at all objects; 0 where that is not known */
	double compile_seconds; /**< in the compiler, by the clock */
	double seconds;       /**< on the device; of tests that ran interleaved, each one's share */
	uint64_t stimulus;    /**< hash of all that was drawn: permutations and environments */
	uint64_t source_hash; /**< of the kernels' text */
	uint32_t halved;      /**< times that launches were made smaller, for they took long */
	/** Where; with the seed and `launches` it decides `stimulus`. Empty where `halved` is not
	 * 0: older files do not tell. */
	struct oclmm_halvings halved_at;
	struct oclmm_turns turns; /**< of the environments, which decide `stimulus`, too */
	struct oclmm_waits waits; /**< of launches in which they went on behind their bound */
};
/**
 * Adds the counts of a later part of the same run, in which the launches stand behind those of the
 * first: sums, one list of halvings, and the turns of both. The stimulus is the first's; the later
 * one's continues it only where it did not fail.
 * \return 0; -EINVAL where they observe different things, or only the later part has counts
 */
int oclmm_counts_extend(struct oclmm_counts *whole, const struct oclmm_counts *part);

/* ---- how the run of a test ended -------------------------------------- */

/* In few words, so that a gate has few cases. X(enumerator, word) */
#define OCLMM_ENDED(X)                                                                             \
	X(OK, "ok")                                                                                \
	X(UNSUPPORTED, "unsupported")                                                              \
	X(BUILD_FAILED, "build-failed")                                                            \
	X(CRASH, "crash")                                                                          \
	X(TIMEOUT, "timeout")                                                                      \
	X(LOST, "lost")

/*
 * And what a lab treats differently. First what a child process says of itself, then what others
 * find out, then what nobody knows the cause of.
 * X(enumerator, which of OCLMM_ENDED it is, cause, the cause in a sentence)
 */
#define OCLMM_ENDS(X)                                                                              \
	X(OK, OK, NULL, "ok")                                                                      \
	X(UNSUPPORTED, UNSUPPORTED, NULL, "unsupported")       /* the device lacks a feature */    \
	X(BUILD_FAILED, BUILD_FAILED, "build", "build failed") /* its compiler refused */          \
	X(PRODUCER, BUILD_FAILED, "producer", "no module")     /* no SPIR-V that is the test */    \
	X(DEVICE_ERROR, CRASH, "device-error", "device error") /* another OpenCL call failed */    \
	X(OUT_OF_MEMORY, CRASH, "out-of-memory", "out of memory")                                  \
	X(DEVICE_LOST, LOST, "device-lost", "device lost")    /* it went away or reset itself */   \
	X(RESULTS_LOST, LOST, "results-lost", "results lost") /* counts do not sum up */           \
	X(PROCESS_ENDED, CRASH, "process-ended", "crash")     /* the driver took it along */       \
	X(HANG, TIMEOUT, "hang", "timeout")       /* nothing was heard for the time limit */       \
	X(ORACLE, TIMEOUT, "oracle", "no oracle") /* what is allowed is not known */               \
	X(OTHER_TEST, LOST, "other-test", "another test") /* the test is another now, or gone */   \
	X(CRASH, CRASH, NULL, "crash")                                                             \
	X(TIMEOUT, TIMEOUT, NULL, "timeout")                                                       \
	X(LOST, LOST, NULL, "lost")                                                                \
	X(INTERRUPTED, CRASH, NULL, "interrupted") /* by the user */

enum oclmm_ended {
#define OCLMM_X(name, ...) OCLMM_ENDED_##name,
	OCLMM_ENDED(OCLMM_X)
#undef OCLMM_X
		OCLMM_ENDED_COUNT
};

/** How the run of one test ended, before anything is judged. */
enum oclmm_end {
#define OCLMM_X(name, ...) OCLMM_END_##name,
	OCLMM_ENDS(OCLMM_X)
#undef OCLMM_X
		OCLMM_END_COUNT
};

/** Which of the few words of results files it is. */
enum oclmm_ended oclmm_end_ended(enum oclmm_end end);
/** `device-lost`; NULL where nothing failed or nobody knows what. */
const char *oclmm_end_cause(enum oclmm_end end);
/** For people: `device lost`. */
const char *oclmm_end_words(enum oclmm_end end);
/** `ok`, `unsupported`, else as the verdict that comes of it. */
const char *oclmm_ended_word(enum oclmm_ended ended);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
