// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * Judges a run: histogram and expected set in, verdict out. The only place
 * that calls an observation legal or not.
 */
#ifndef OCLMM_GRADE_H
#define OCLMM_GRADE_H

#include "oclmm/expect.h"
#include "oclmm/histogram.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a device says of the features that a test needs. X(enumerator, word). */
#define OCLMM_CLASSES(X)           \
	X(CLAIMED, "claimed")          \
	X(ACCEPTED, "accepted")        \
	X(UNSUPPORTED, "unsupported")

/* X(enumerator, word, what it means) */
#define OCLMM_VERDICTS(X)                                                                  \
	X(PASS, "pass", "only allowed outcomes seen")                                          \
	X(INCONCLUSIVE, "inconclusive", "only allowed outcomes seen, its control too rarely")  \
	X(FORBIDDEN, "forbidden", "an outcome that every reading forbids was seen")            \
	X(DISPUTED, "disputed", "an outcome was seen on which the readings of the text differ") \
	X(UNDEFINED, "undefined", "the test has no defined behaviour; recorded, not judged")   \
	X(SKIP, "skip", "a feature is missing")                                                \
	X(BUILD_FAILED, "build-failed", "the device's compiler refused the kernel")            \
	X(CRASH, "crash", "the driver failed or the process died")                             \
	X(TIMEOUT, "timeout", "the time limit passed")                                         \
	X(LOST, "lost", "instances or results are missing")                                    \
	X(KNOWN, "known", "a listed outcome of this device")                                   \
	X(STALE, "stale", "a listed outcome that no longer appears")

enum oclmm_class {
#define OCLMM_X(name, ...) OCLMM_CLASS_##name,
	OCLMM_CLASSES(OCLMM_X)
#undef OCLMM_X
	OCLMM_CLASS_COUNT
};
enum oclmm_verdict {
#define OCLMM_X(name, ...) OCLMM_VERDICT_##name,
	OCLMM_VERDICTS(OCLMM_X)
#undef OCLMM_X
	OCLMM_VERDICT_COUNT
};

const char *oclmm_class_word(enum oclmm_class support);
const char *oclmm_verdict_word(enum oclmm_verdict verdict);
const char *oclmm_verdict_meaning(enum oclmm_verdict verdict);
/** build-failed, crash, timeout, lost: not the device's memory model, but the way to it. */
bool oclmm_verdict_is_infrastructure(enum oclmm_verdict verdict);

/** How the run of one test ended, before anything is judged. */
enum oclmm_ended {
	OCLMM_ENDED_OK,
	OCLMM_ENDED_UNSUPPORTED,
	OCLMM_ENDED_BUILD_FAILED,
	OCLMM_ENDED_CRASH,
	OCLMM_ENDED_TIMEOUT,
	OCLMM_ENDED_LOST,
};

/** One outcome, seen or only listed. */
struct oclmm_graded_row {
	const int64_t *values;
	uint64_t count;
	enum oclmm_status status;
	unsigned deciding;       /**< disputed: set of 1u << enum oclmm_knob */
	bool condition;          /**< the final condition's predicate holds */
	bool witness;            /**< what litmus7 marks `*`: holds, or for `forall` does not */
};

/** The test that would show this test's forbidden outcome where it is allowed. */
struct oclmm_control {
	const char *name;        /**< NULL: none, or not run */
	uint64_t seen;           /**< observations of the outcome */
	uint64_t instances;
	double rate;             /**< per second */
	double escape;           /**< probability that the bug would have stayed unseen here */
};

/** What is to be known when judging. */
struct oclmm_grade_options {
	bool claims_accepted;    /**< tests of class accepted gate too */
};

/** The judgement of one run. Free with oclmm_grade_finish(). */
struct oclmm_grade {
	struct oclmm_arena *arena;
	enum oclmm_verdict verdict;
	bool gates;                      /**< a forbidden outcome of this test fails the run */
	struct oclmm_graded_row *rows;   /**< ascending; every allowed outcome, even when never seen */
	uint32_t row_count;
	uint32_t seen_count;             /**< rows with a count above 0 */
	uint64_t instances;
	uint64_t cut;                    /**< without an outcome: a bounded loop was cut */
	uint64_t filtered;               /**< turned away by the test's filter */
	uint64_t holds, fails;           /**< instances in which the predicate held and not */
	uint64_t weak;                   /**< instances of allowed or disputed rows with `witness` */
	uint64_t forbidden;              /**< instances with a forbidden outcome */
	uint64_t disputed;
	unsigned deciding;               /**< knobs of the disputed outcomes seen */
	double bound;                    /**< pass: upper bound of the violation rate per instance at 95 %; else 0 */
	struct oclmm_control control;
};

/**
 * One line of results: what was run, where, how it went, and its grade.
 * Strings and pointers are borrowed; the record owns only its grade.
 */
struct oclmm_record {
	const struct oclmm_program *program;
	const struct oclmm_expected *expected;   /**< NULL where none could be had */
	struct oclmm_histogram *histogram;       /**< NULL unless `ended` is OK */
	const char *file;                        /**< of the litmus test */
	const char *family;                      /**< its folder in the suite, or "" */
	const char *device;
	const char *driver;
	enum oclmm_class support;          /**< what the device says of the features needed */
	enum oclmm_ended ended;
	const char *message;                     /**< the missing feature, the build error ...; or NULL */
	uint64_t master_seed;
	uint64_t seed;                           /**< of this test */
	uint64_t instances;
	uint64_t launches;
	double compile_seconds;
	double seconds;
	uint64_t stimulus;
	uint64_t source_hash;
	struct oclmm_grade grade;
};

/**
 * Judges a record whose other fields are filled. Counts that do not sum up to
 * `instances` are graded `lost`, whatever was seen.
 */
void oclmm_grade(struct oclmm_record *record, const struct oclmm_grade_options *options);
void oclmm_grade_finish(struct oclmm_grade *grade);

/* ---- the whole run --------------------------------------------------- */

/** The exit status of a run, see docs. */
enum oclmm_exit {
	OCLMM_EXIT_PASS = 0,
	OCLMM_EXIT_FORBIDDEN = 1,
	OCLMM_EXIT_USAGE = 2,
	OCLMM_EXIT_INCONCLUSIVE = 3,
	OCLMM_EXIT_NOTHING = 77,
	OCLMM_EXIT_INFRASTRUCTURE = 99,
};

/** Verdicts counted. Zero-initialise, then add records. */
struct oclmm_tally {
	uint64_t verdicts[OCLMM_CLASS_COUNT][OCLMM_VERDICT_COUNT];
	uint64_t gating;             /**< tests that ran and gate */
	uint64_t gating_forbidden;
	uint64_t left_out;           /**< chosen, but not run: budget or interruption */
	uint64_t instances;
	uint64_t weak;
	uint64_t stimulus;           /**< of all tests together, whatever their order */
	bool interrupted;
};

void oclmm_tally_add(struct oclmm_tally *tally, const struct oclmm_record *record);
uint64_t oclmm_tally_verdict(const struct oclmm_tally *tally, enum oclmm_verdict verdict);
uint64_t oclmm_tally_tests(const struct oclmm_tally *tally);
/**
 * 1 outranks 99, which outranks 3, which outranks 77: a forbidden outcome
 * stays one although another test failed to build.
 * \param strict inconclusive and stale count
 */
enum oclmm_exit oclmm_tally_exit(const struct oclmm_tally *tally, bool strict);

#ifdef __cplusplus
}
#endif

#endif
