// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * Judges a run: histogram and expected set in, verdict out. The only place
 * that calls an observation legal or not.
 */
#ifndef OCLMM_GRADE_H
#define OCLMM_GRADE_H

#include "oclmm/evidence.h"
#include "oclmm/expect.h"
#include "oclmm/histogram.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* What a device says of the features that a test needs. X(enumerator, word). */
#define OCLMM_CLASSES(X)                                                                           \
	X(CLAIMED, "claimed")                                                                      \
	X(ACCEPTED, "accepted")                                                                    \
	X(UNSUPPORTED, "unsupported")

/* X(enumerator, word, what it means) */
#define OCLMM_VERDICTS(X)                                                                          \
	X(PASS, "pass", "only allowed outcomes seen")                                              \
	X(INCONCLUSIVE, "inconclusive", "only allowed outcomes seen, but without confidence")      \
	X(FORBIDDEN, "forbidden", "an outcome that every reading forbids was seen")                \
	X(DISPUTED, "disputed", "an outcome was seen on which the readings of the text differ")    \
	X(UNDEFINED, "undefined", "the test has no defined behaviour; recorded, not judged")       \
	X(SKIP, "skip", "a feature is missing")                                                    \
	X(BUILD_FAILED, "build-failed", "the kernel could not be built for the device")            \
	X(CRASH, "crash", "the driver failed or the process died")                                 \
	X(TIMEOUT, "timeout", "the time limit passed")                                             \
	X(LOST, "lost", "instances or results are missing")                                        \
	X(KNOWN, "known", "a listed outcome of this device")                                       \
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

/** The words and meanings of the lists above; so are those of confidence. */
const char *oclmm_class_word(enum oclmm_class support);
const char *oclmm_verdict_word(enum oclmm_verdict verdict);
bool oclmm_verdict_find(const char *word, size_t length, enum oclmm_verdict *ret_verdict);
const char *oclmm_verdict_meaning(enum oclmm_verdict verdict);
/** build-failed, crash, timeout, lost: not the device's memory model, but the way to it. */
bool oclmm_verdict_is_infrastructure(enum oclmm_verdict verdict);

/** One outcome, seen or only listed. */
struct oclmm_graded_row {
	const int64_t *values;
	uint64_t count;
	enum oclmm_status status;
	unsigned deciding; /**< disputed: set of 1u << enum oclmm_knob */
	bool condition;    /**< the final condition's predicate holds */
	bool witness;      /**< what litmus7 marks `*`: holds, or for `forall` does not */
};

/* How much the silence of a passed test says. X(enumerator, word, what it means) */
#define OCLMM_CONFIDENCES(X)                                                                       \
	X(NOT_JUDGED, "not-judged", "not a pass, or not looked at yet")                            \
	X(NOT_NEEDED, "not-needed", "the test forbids nothing that could be looked for")           \
	X(CONTROL, "control", "the test is a control: it is there to be seen")                     \
	X(REACHED, "reached", "its control showed the outcome in enough launches")                 \
	X(TOO_RARE, "too-rare", "its control showed the outcome, in too few launches")             \
	X(MET_SELDOM, "met-seldom",                                                                \
	  "its work-items met less than a quarter as often as its control's, and too seldom")      \
	X(NEVER_SEEN, "never-seen", "its control ran and never showed the outcome")                \
	X(SELDOM_VALUE, "seldom-value",                                                            \
	  "it showed a value clearly less often than three tenths as often as its control")        \
	X(ONE_VALUE, "one-value",                                                                  \
	  "it showed one value of a register or object only, where its control shows several")     \
	X(ONE_OUTCOME, "one-outcome",                                                              \
	  "it showed one outcome only, where its control shows several")                           \
	X(NEVER_MET, "never-met", "its work-items never ran at the same time in this environment") \
	X(NOT_RUN, "not-run", "its control has no result in this run")                             \
	X(NO_CONTROL, "no-control", "there is no control for it")                                  \
	X(STUCK, "stuck", "its waits kept an old value where another access saw the new one")

enum oclmm_confidence {
#define OCLMM_X(name, ...) OCLMM_CONFIDENCE_##name,
	OCLMM_CONFIDENCES(OCLMM_X)
#undef OCLMM_X
		OCLMM_CONFIDENCE_COUNT
};

const char *oclmm_confidence_word(enum oclmm_confidence confidence);
const char *oclmm_confidence_meaning(enum oclmm_confidence confidence);
/** Whether the launches could have shown anything: not if the test's work-items did not meet, or
 * showed less than its control's in what it does not forbid. */
bool oclmm_confidence_could_show(enum oclmm_confidence confidence);

/** What the controls of one kind say of a test. */
struct oclmm_kind_confidence {
	enum oclmm_confidence confidence;
	const char *name; /**< the control that says most; NULL where there is none */
	/** Probability that a device on which the test shows the outcome in as many launches as
	 * this control did stayed silent; 1 unless it was hit. Where either kind suffices and both
	 * were tried, twice that: which of them would speak was not fixed beforehand. */
	double escape;
};

/** What the silence of a test is worth beside its controls, see oclmm/evidence.h. */
struct oclmm_control {
	/** Of the kind that decides: what is demanded, of two the one that says more where one
	 * suffices, and the one that says less where both are demanded. */
	enum oclmm_confidence confidence;
	const char *name; /**< of its control; NULL: none */
	double escape;    /**< and its probability */
	struct oclmm_kind_confidence kinds[OCLMM_CONTROL_KIND_COUNT];
	double limit; /**< oclmm_detection_limit() of the test's launches; 1 if it did not meet */
	double dispersion;  /**< of these, by which it was computed: oclmm_evidence_dispersion() */
	uint64_t seen;      /**< how often all controls showed what this test forbids */
	uint64_t instances; /**< of all controls */
	/** Launches were not kept apart, or their hits are none any more: all launches of the test
	 * count as one, and so do those of a control that has a record of its own. */
	bool together;
	/** Waits of the test kept an old value in far more launches than with loads of which no
	 * compiler knows where they load, … */
	bool stuck;
	bool stuck_fails; /**< … and that was to fail */
};

/** What is to be known when judging. */
struct oclmm_grade_options {
	bool claims_accepted;                          /**< tests of class accepted gate too */
	const struct oclmm_expectations *expectations; /**< or NULL */
	int32_t today; /**< as oclmm_date() has it, for `expectations` */
	/** Borrowed; holds the rows of every grade, so that small ones share a block. NULL: each
	 * grade has an arena of its own. */
	struct oclmm_arena *arena;
};

/** The judgement of one run. Free with oclmm_grade_finish(). */
struct oclmm_grade {
	struct oclmm_arena *arena; /**< its own; NULL where its rows are held elsewhere */
	enum oclmm_verdict verdict;
	bool gates; /**< what goes wrong with this test fails the run */
	struct oclmm_graded_row
		*rows; /**< ascending; every allowed outcome, even when never seen */
	uint32_t row_count;
	uint32_t seen_count; /**< rows with a count above 0 */
	uint64_t instances;
	uint64_t cut;          /**< without an outcome: a bounded loop was cut */
	uint64_t filtered;     /**< turned away by the test's filter */
	uint64_t holds, fails; /**< instances in which the predicate held and not */
	uint64_t weak;         /**< instances of allowed or disputed rows with `witness` */
	uint64_t forbidden;    /**< instances with a forbidden outcome */
	uint64_t disputed;
	unsigned deciding; /**< knobs of the disputed outcomes seen */
	struct oclmm_control control;
	const char *known; /**< reason of the expectation that holds or is stale; borrowed */
	int32_t expired;   /**< last day of an expectation that would have held, or 0 */
};

/** On what something ran, and how its kernels were made. Strings are borrowed; NULL where that is
 * not known. */
struct oclmm_identity {
	const char *platform;
	const char *device;
	const char *device_id; /**< UUID or PCI address that the driver gives; of one device */
	const char *driver;    /**< its version */
	const char *version;   /**< CL_DEVICE_VERSION */
	const char *il;        /**< who made the SPIR-V that it was given; NULL: OpenCL C */
	const char *options;   /**< of the compiler; of a test, not of a run */
};
/** Orders by device, driver, tools that made SPIR-V, and platform. 0 also where two equal devices
 * (`device_id`) differ, and what a test that died may not have said: version and options. */
int oclmm_identity_compare(const struct oclmm_identity *a, const struct oclmm_identity *b);

/* What reading the code that a compiler made of a test says. X(enumerator, word) */
#define OCLMM_PROOFS(X)                                                                            \
	X(RIGHT, "right") /* the machine's model allows only what OpenCL allows */                 \
	X(WRONG, "wrong") /* it allows what OpenCL forbids */                                      \
	X(OPEN, "open")   /* it was not judged */

enum oclmm_proof {
	OCLMM_PROOF_NONE, /**< nobody looked */
#define OCLMM_X(name, word) OCLMM_PROOF_##name,
	OCLMM_PROOFS(OCLMM_X)
#undef OCLMM_X
		OCLMM_PROOF_COUNT
};
const char *oclmm_proof_word(enum oclmm_proof proof);

/** The code of a test, read and judged. It is no probability, and is never counted among those. */
struct oclmm_code {
	enum oclmm_proof proof;
	const char *message; /**< the outcome, the instruction that is not known …, or NULL */
	const char
		*compiler; /**< whose code, and how the text was made; NULL where nobody looked */
	const char *model; /**< of the machine */
};

/**
 * One line of results: what was run, where, how it went, and its grade.
 * Strings and pointers are borrowed; the record owns only its grade.
 */
struct oclmm_record {
	const struct oclmm_program *program;
	const struct oclmm_expected *expected; /**< NULL where none could be had */
	const char *file;                      /**< of the litmus test */
	const char *family;                    /**< its folder in the suite, or "" */
	/** The file as it was opened, where the test's name alone does not find it; NULL where it
	 * does. */
	const char *path;
	struct oclmm_identity identity;
	/** It is a kernel of somebody's own, a .cl file: its name is the file and the options of
	 * its launch, as a command line has them; and it has no controls, so that silence fails
	 * nothing. */
	bool whole_kernel;
	enum oclmm_class support; /**< what the device says of the features needed */
	enum oclmm_end end;
	const char *message; /**< the missing feature, the build error ...; or NULL */
	const char *rule;    /**< that a forbidden outcome breaks, a sentence; NULL: not known */
	const char *not_exported; /**< why `oclmm export` refuses the test; NULL: it does not */
	uint64_t master_seed;
	uint64_t seed; /**< of this test */
	struct oclmm_counts counts;
	/* What follows may be left zero where it is not known. */
	const char *control; /**< oclmm_variant.control */
	const char *model;   /**< name of the one by which it is judged */
	const char *build_log;
	/**
	 * Every stress parameter that does not come from the seed, as text. Two
	 * records with the same environment, device and driver ran alike, so that
	 * one may be the other's control.
	 */
	const char *environment;
	const char *oracle;    /**< version of the program that answered */
	const char *started;   /**< UTC, `2026-01-31T12:00:00Z` */
	uint64_t first_launch; /**< of `counts.launches`: with `seed` the range that was run */
	uint64_t earlier;      /**< instances of the launches before those */
	uint64_t filtered;     /**< instances turned away before they were counted */
	uint32_t attempts;     /**< 2 where the first was lost; 0 means 1 */
	/**
	 * Launches beside those of the controls, with outcomes in the order of the program's
	 * observables; NULL where launches were not kept apart. The record's `control` is among
	 * its controls.
	 */
	struct oclmm_evidence *evidence;
	struct oclmm_code code; /**< what its compiler made of it */
	struct oclmm_grade grade;
};

/**
 * Judges a record whose other fields are filled. Counts that do not sum up to
 * `instances` are graded `lost`, whatever was seen.
 */
void oclmm_grade(struct oclmm_record *record, const struct oclmm_grade_options *options);
void oclmm_grade_finish(struct oclmm_grade *grade);

/** Adds what chooses the test on a command line, as a shell takes it: its name, or FILE:NAME. */
void oclmm_record_argument(struct oclmm_text *text, const struct oclmm_record *record);

/* ---- tests that were run in several parts ---------------------------- */

/**
 * Whether `part` goes on where `whole` ended: the same test on the same device
 * with the same claims in the same environment with the same seed, and the launches behind its own.
 */
bool oclmm_record_continues(const struct oclmm_record *whole, const struct oclmm_record *part);
/**
 * Adds a part to what was there: `whole` is then the record of one longer run,
 * which has to be graded again. A part that failed makes a whole that failed;
 * its counts stay, for a forbidden outcome that was seen stays one.
 * \return 0, or -EINVAL where it does not continue it or observes other things
 */
int oclmm_record_extend(struct oclmm_record *whole, const struct oclmm_record *part);
/** Of two parts of a test, the verdict that is the test's. */
enum oclmm_verdict oclmm_verdict_worse(enum oclmm_verdict a, enum oclmm_verdict b);

/* ---- confidence ------------------------------------------------------ */

/* Which kinds of control a pass needs. X(enumerator, word) */
#define OCLMM_REQUIREMENTS(X)                                                                      \
	X(ANY, "any")           /* one of them */                                                  \
	X(COMPILER, "compiler") /* the moved ones */                                               \
	X(HARDWARE, "hardware") /* the weaker ones */                                              \
	X(BOTH, "both")

enum oclmm_requirement {
#define OCLMM_X(name, word) OCLMM_REQUIRE_##name,
	OCLMM_REQUIREMENTS(OCLMM_X)
#undef OCLMM_X
		OCLMM_REQUIREMENT_COUNT
};
const char *oclmm_requirement_word(enum oclmm_requirement requirement);
bool oclmm_requirement_find(const char *word, size_t length,
                            enum oclmm_requirement *ret_requirement);

/** What a pass needs. */
struct oclmm_demand {
	double confidence; /**< between 0 and 1, usually 0.95 or 0.99999 */
	enum oclmm_requirement kinds;
	bool stuck_fails; /**< tests whose waits are stuck fail, and are not just inconclusive */
};

/**
 * Looks at all records of a run together. A passed test that forbids something
 * needs controls that showed the forbidden outcome; where the probability that
 * a device with that bug would have passed (oclmm_evidence_escape()) exceeds
 * 1 - `confidence` for the kinds that are demanded, or nothing can be said,
 * `pass` becomes `inconclusive`. A record whose launches were not kept apart is one launch,
 * which is silent with 1/2 at least.
 * May be called again after records were added; sets grade.control of each.
 * Tally and closing reports come after this.
 */
void oclmm_grade_confidence(struct oclmm_record *const *records, size_t count,
                            const struct oclmm_demand *demand);

/** A test that lacks confidence, and what would help. */
struct oclmm_need {
	size_t record;      /**< index of a record of the test */
	uint64_t instances; /**< more that the test needs if hits go on coming as they came; 0 where
	                       none came yet */
	double seconds; /**< what they take at the test's pace; INFINITY where that is unknown */
};

/**
 * Where more launches would bring confidence, after oclmm_grade_confidence():
 * the cheapest first, then those whose controls showed nothing yet. Tests whose
 * launches are not kept apart are left out: more of them is still one launch.
 * \param ret_needs malloc-ed, the caller's
 * \return how many there are
 */
size_t oclmm_grade_needs(struct oclmm_record *const *records, size_t count,
                         const struct oclmm_demand *demand, struct oclmm_need **ret_needs);

/* ---- expectations ---------------------------------------------------- */

/**
 * What is known to be wrong, one line each, fields divided by `|`, `#` begins a comment:
 *
 *     device | driver | test | status | outcome | reason or URL | last day
 *     Pocket* | 1.*   | SB.* | forbidden | 0:r0=0; 1:r0=0; | https://... | 2027-01-31
 *
 * Device, driver and test are patterns, see oclmm_pattern_matches(). The status is
 * `forbidden` or one of the infrastructure's, whose outcome is `*`.
 */
struct oclmm_expectations;

/** \return 0; -EINVAL with a position; another errno value when the file cannot be read. */
int oclmm_expectations_read(const char *path, struct oclmm_error *error,
                            struct oclmm_expectations **ret_expectations);
/** The same for a text in memory; `path` is only for messages. */
int oclmm_expectations_parse(const char *path, const char *text, size_t length,
                             struct oclmm_error *error,
                             struct oclmm_expectations **ret_expectations);
void oclmm_expectations_destroy(struct oclmm_expectations *expectations);
/**
 * Whether each line names a test that there is: one that names none would be obeyed in silence,
 * however it is misspelt. `named` is asked for each pattern. \return 0, or -EINVAL with the line.
 */
int oclmm_expectations_check(const struct oclmm_expectations *expectations,
                             bool (*named)(const void *data, const char *pattern), const void *data,
                             struct oclmm_error *error);

/** A test that was tried, and how it ended. */
struct oclmm_suspect {
	const char *device, *driver, *test; /**< NULL: without a name */
	enum oclmm_verdict verdict;
	const char *const
		*outcomes; /**< forbidden: all of them, as oclmm_outcome_print() has them */
	size_t outcome_count;
};
/**
 * Judges it by what is known to be wrong.
 * \param today as oclmm_today(): lines of earlier days hold no more
 * \param ret_reason the line's, or NULL where none holds
 * \param ret_expired the last day of a line that would hold, or 0
 * \return OCLMM_VERDICT_KNOWN for a failure that is listed, OCLMM_VERDICT_STALE for a pass of
 * a test of which a line by its own name lists a failure, or else its verdict
 */
enum oclmm_verdict oclmm_expectations_judge(const struct oclmm_expectations *expectations,
                                            const struct oclmm_suspect *suspect, int32_t today,
                                            const char **ret_reason, int32_t *ret_expired);

/**
 * Lines whose test is a pattern, and of whose tests some ran and none fails any more: such a line
 * is stale, and not each test of it that passes. Only a whole run can tell; lines of one test alone
 * are told by its verdict. \param ended every test of the run with the verdict that
 * oclmm_expectations_judge() gave; outcomes are not looked at \param ret_lines gets a line of text
 * for each, with the file and the number of its line \return how many there are
 */
size_t oclmm_expectations_stale(const struct oclmm_expectations *expectations,
                                const struct oclmm_suspect *ended, size_t count, int32_t today,
                                struct oclmm_text *ret_lines);

/** A day as a number that orders: year * 10000 + month * 100 + day. */
int32_t oclmm_date(int year, int month, int day);
/** Of now, in UTC. */
int32_t oclmm_today(void);

/* ---- the whole run --------------------------------------------------- */

/* The exit status of a run, see docs/ci.md. X(enumerator, number) */
#define OCLMM_EXITS(X)                                                                             \
	X(PASS, 0)                                                                                 \
	X(FORBIDDEN, 1)                                                                            \
	X(INCONCLUSIVE, 3)                                                                         \
	X(UNFINISHED, 4)                                                                           \
	X(NOTHING, 77)                                                                             \
	X(INFRASTRUCTURE, 99)

enum oclmm_exit {
#define OCLMM_X(name, number) OCLMM_EXIT_##name = number,
	OCLMM_EXITS(OCLMM_X)
#undef OCLMM_X
		OCLMM_EXIT_USAGE = 2, /**< of a command that was refused: nothing was run */
};

/** Verdicts counted. Zero-initialise, then add records. */
struct oclmm_tally {
	uint64_t verdicts[OCLMM_CLASS_COUNT][OCLMM_VERDICT_COUNT];
	uint64_t confidences[OCLMM_CONFIDENCE_COUNT]; /**< of passes and inconclusive tests */
	uint64_t reached[OCLMM_CONTROL_KIND_COUNT];   /**< tests for which the kind sufficed */
	uint64_t judged;         /**< tests that stood beside controls that ran */
	uint64_t likely;         /**< tests with a probability of 5 % at most */
	uint64_t certain;        /**< of them, those with 1e-5 at most */
	uint64_t gating;         /**< tests that ran and gate */
	uint64_t gating_reached; /**< of them, those that can fail and have confidence */
	uint64_t gating_forbidden;
	uint64_t gating_inconclusive;
	uint64_t gating_kernels;      /**< whole kernels that passed */
	uint64_t gating_kernels_open; /**< whole kernels of which nothing can be said */
	uint64_t gating_stale;
	uint64_t stale_lines; /**< as oclmm_expectations_stale() has them */
	uint64_t proved;      /**< tests whose code was judged right */
	uint64_t code_wrong;  /**< tests whose code was judged wrong */
	uint64_t code_open;   /**< tests whose code could not be judged */
	uint64_t gating_code_wrong;
	uint64_t launches, looked;   /**< of tests that tell in how many they looked at objects */
	uint64_t gating_stuck;       /**< inconclusive for that reason */
	uint64_t gating_stuck_fails; /**< of them, those that fail */
	uint64_t gating_infrastructure;
	uint64_t left_out;   /**< chosen, but not run: budget or interruption */
	uint64_t unfinished; /**< of these, tests that forbid something; 0 where that is allowed */
	uint64_t instances;
	uint64_t weak;
	uint64_t stimulus; /**< of all tests together, whatever their order */
	bool interrupted;
	/** Of a run on several devices, one each; the others count all of them together. */
	const struct oclmm_tally *parts;
	size_t part_count; /**< 0 where there is one device */
};

/** Counts a record that is judged; of passes, whose confidence is known. It stays the caller's. */
void oclmm_tally_add(struct oclmm_tally *tally, const struct oclmm_record *record);
/** Tests with a verdict, and all of them, whether they gate or not. */
uint64_t oclmm_tally_verdict(const struct oclmm_tally *tally, enum oclmm_verdict verdict);
uint64_t oclmm_tally_tests(const struct oclmm_tally *tally);
/** Tests that could not be run to the end, whether they gate or not. */
uint64_t oclmm_tally_infrastructure(const struct oclmm_tally *tally);
/**
 * 1 outranks 99, which outranks 4, then 3, then 77: a forbidden outcome
 * stays one although another test failed to build. A test that does not gate
 * decides nothing, however it ended. Of several devices the status is that which outranks the
 * others': one on which nothing applicable was run has not passed.
 * \param strict of the tests that gate, inconclusive ones (3) and stale ones (1) count
 */
enum oclmm_exit oclmm_tally_exit(const struct oclmm_tally *tally, bool strict);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
