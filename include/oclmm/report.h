// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * Writes results for people and programs. A report is a table of functions.
 * Reports print what grade found and judge nothing themselves.
 */
#ifndef OCLMM_REPORT_H
#define OCLMM_REPORT_H

#include "oclmm/grade.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/** Where the bytes go. */
struct oclmm_sink {
	/** \return 0 or a negative errno value, which the report remembers. */
	int (*write)(void *data, const char *bytes, size_t length);
	/** Makes what was written safe against a crash of the program; may be NULL. */
	int (*flush)(void *data);
	void *data;
};

/** What holds for all records of a run. Strings are borrowed. */
struct oclmm_run_header {
	const char *tool;               /**< `oclmm 0.1.0` */
	struct oclmm_identity identity; /**< without `device_id` where it is several devices */
	uint32_t devices; /**< equal ones among which the tests were divided; 0 or 1: it is one */
	const char *partner; /**< the second device of a pair; NULL without */
	const char *claims;  /**< what the device claims, in one line; NULL where nobody knows */
	/** Variables that choose a driver, put a layer before it or change what it does, as a shell
	 * takes them; "" where none is set, NULL where nobody knows. */
	const char *variables;
	uint64_t seed;       /**< master seed */
	uint64_t instances;  /**< asked per test */
	double budget;       /**< seconds, 0 without */
	const char *profile; /**< or NULL */
	uint64_t tests;      /**< chosen */
	bool whole_suite;    /**< nothing was chosen: all tests, but for shards, and not fewer
	                        instances than by default */
	const char *replay;  /**< the command line that repeats a test, up to --instances N NAME */
	bool replay_environment; /**< it needs the record's environment, too */
	bool strict;             /**< inconclusive tests and stale expectations fail */
	/** JUnit: an inconclusive test that does not fail is one that ran, with a property that
	 * says what it did not prove; else it is skipped */
	bool unproven_property;
	struct oclmm_demand demand; /**< that a pass has to meet */
	uint32_t shard, shards;     /**< 1-based; 0 of 0 where there are none */
	const char *started;        /**< UTC, or NULL */
	/** Of the run on another device beside this one; NULL: this is the last. */
	const struct oclmm_run_header *next;
	/** Folder that annotations name files by, as GITHUB_WORKSPACE; what lies elsewhere has no
	 * place there. NULL: files are named as they are. */
	const char *root;
};

/** \return the number, from 0, of the header that a record belongs to: of its device. */
size_t oclmm_header_of(const struct oclmm_run_header *first, const struct oclmm_record *record);

struct oclmm_report;

/** A kind of report. `text` may be left empty by a function that has nothing to say. */
struct oclmm_report_kind {
	const char *name;
	bool for_people; /**< nobody parses it: other lines may stand between, wide ones be broken
	                  */
	bool rows_stand; /**< but for the lines of a record */
	/** Of a test that is run in parts: a record for each, not one for the whole again and
	 * again. */
	bool parts;
	void (*begin)(struct oclmm_report *report, const struct oclmm_run_header *header,
	              struct oclmm_text *text); /**< may be NULL, as record and judged */
	void (*record)(struct oclmm_report *report, const struct oclmm_record *record,
	               struct oclmm_text *text);
	/** All records again, now that their confidence is known. */
	void (*judged)(struct oclmm_report *report, const struct oclmm_record *const *records,
	               size_t count, struct oclmm_text *text);
	void (*end)(struct oclmm_report *report, const struct oclmm_tally *tally,
	            enum oclmm_exit status, struct oclmm_text *text);
	void (*finish)(struct oclmm_report *report); /**< frees `state`; may be NULL */
};

/** One report being written. Functions of a kind may use `state` as they like. */
struct oclmm_report {
	const struct oclmm_report_kind *kind;
	struct oclmm_sink sink;
	const struct oclmm_run_header *header;
	void *state;
	bool coloured; /**< verdicts stand out by the colours of a terminal */
	int failed;    /**< the first error of the sink, or 0 */
};

/*
 * The kinds: a new one is its file in src/report/, a row here and its declaration. X(name, the name
 * as a list of options has it, the files that are written so as such a list has them)
 */
#define OCLMM_REPORT_KINDS(X)                                                                      \
	X(summary, "summary (default)", "")                                                        \
	X(brief, ", brief", "")                                                                    \
	X(text, ", text", "*.txt, ")                                                               \
	X(json, ", json", "*.jsonl, ")                                                             \
	X(junit, ", junit", "*.xml (JUnit), ")                                                     \
	X(tap, ", tap", "*.tap, ")                                                                 \
	X(cts, ", cts", "*.json (as OpenCL-CTS), ")                                                \
	X(github, ", github", "")

/* by name, for the list of what the library exports */
extern const struct oclmm_report_kind oclmm_report_summary;
extern const struct oclmm_report_kind oclmm_report_brief;
extern const struct oclmm_report_kind oclmm_report_text;
extern const struct oclmm_report_kind oclmm_report_json;
extern const struct oclmm_report_kind oclmm_report_junit;
extern const struct oclmm_report_kind oclmm_report_tap;
extern const struct oclmm_report_kind oclmm_report_cts;
extern const struct oclmm_report_kind oclmm_report_github;
/** Adds a summary of a job in Markdown, as GITHUB_STEP_SUMMARY takes it: the verdict, and a row for
 * each of the first failures. */
void oclmm_report_github_summary(struct oclmm_text *text, const struct oclmm_run_header *header,
                                 const struct oclmm_record *const *records, size_t count,
                                 const struct oclmm_tally *tally, enum oclmm_exit status);

/** \return the kind that a file of this name is written in: text where the name has no suffix or is
 * no plain file's, NULL where it has one that is not known. */
const struct oclmm_report_kind *oclmm_report_kind_of_file(const char *path);
/** \return the kind of this name, or NULL. */
const struct oclmm_report_kind *oclmm_report_kind(const char *name);
/** \return the kinds in turn, NULL behind the last. */
const struct oclmm_report_kind *oclmm_report_kind_at(size_t index);

/** The header must outlive the report. */
void oclmm_report_begin(struct oclmm_report *report, const struct oclmm_report_kind *kind,
                        struct oclmm_sink sink, const struct oclmm_run_header *header);
/** Writes one record and flushes it. */
void oclmm_report_record(struct oclmm_report *report, const struct oclmm_record *record);
/**
 * After the last record and oclmm_grade_confidence(), before the end: all
 * records of the run. Kinds that judge as a whole (JUnit, TAP) write here.
 */
void oclmm_report_judged(struct oclmm_report *report, const struct oclmm_record *const *records,
                         size_t count);
/** Writes the end and frees what the report holds. \return 0 or the sink's first error. */
int oclmm_report_end(struct oclmm_report *report, const struct oclmm_tally *tally,
                     enum oclmm_exit status);

/* ---- results read back ----------------------------------------------- */

/** One `run` line. The header's `replay` is NULL. */
struct oclmm_saved_run {
	struct oclmm_run_header header;
	const char *text; /**< the line, canonical */
	uint32_t line;
};

/**
 * One `test` line. The record has everything but `expected` and `histogram`;
 * its program is a stub with name, hash and observables, so that outcomes
 * print without the litmus file, until oclmm_saved_bind() gives the real one.
 * The grade is as it was when the line was written: verdict, gates, sums and rows.
 */
struct oclmm_saved {
	struct oclmm_record record;
	const char *text;   /**< the line, canonical: equal records, equal texts */
	uint64_t line_hash; /**< of the line as it stands: equal ones, equal records */
	uint32_t line;
};

/** A results file, see docs/results-format.md. Free with oclmm_results_destroy(). */
struct oclmm_results {
	struct oclmm_arena *arena;
	struct oclmm_saved_run *runs;
	size_t run_count;
	struct oclmm_saved *saved;
	size_t saved_count;
	char path[256];      /**< as given, for messages */
	bool complete;       /**< the last line is the manifest */
	bool interrupted;    /**< some manifest says so */
	uint64_t unfinished; /**< of all manifests: tests that forbid something and were not run */
	/** Of joined ones: what all of this points into. */
	struct oclmm_results **parts;
	size_t part_count;
};

/**
 * Reads results. Strict: unknown or missing keys, doubled keys, values of a
 * wrong type and manifests that do not count their tests are refused.
 * A file whose last line was cut off is refused unless `partial`; then that
 * line is left out.
 * Without `texts` the `text` of records is NULL: a third of the work. What is read so cannot be
 * merged, and not joined where two lines of one key differ.
 * \return 0; -EINVAL with a position; another errno value when the file cannot be read.
 */
int oclmm_results_read(const char *path, bool partial, bool texts, struct oclmm_error *error,
                       struct oclmm_results **ret_results);
/** oclmm_results_read() of a text in memory; `path` is only for messages. */
int oclmm_results_parse(const char *path, const char *text, size_t length, bool partial,
                        struct oclmm_error *error, struct oclmm_results **ret_results);
void oclmm_results_destroy(struct oclmm_results *results);

/**
 * Joins a saved record with its test, so that it can be graded again: puts the
 * program and a histogram of what was seen into the record and drops the old grade.
 * \param histogram the caller's to destroy; NULL where nothing was run
 * \return 0; -ESTALE when the test was another (its hash differs); -EINVAL
 * when it does not observe the same things
 */
int oclmm_saved_bind(struct oclmm_saved *saved, const struct oclmm_program *program,
                     struct oclmm_histogram **ret_histogram);

/** Which of two records stands first in a merged file: by test, device, driver, environment, seed,
 * and when it began. 0: same key. */
int oclmm_saved_compare(const struct oclmm_saved *a, const struct oclmm_saved *b);
/**
 * Joins results into one text: runs, tests, and a manifest, each line once and
 * in an order of its own, so that neither order nor repetition of the inputs matters.
 * Confidence depends on all records and is left to those who grade the text.
 * \param partial accept that a shard, or the end of a run, is missing
 * \return 0; -EEXIST when two records of one key differ; -ENOENT when a shard
 * or the end of a run is missing
 */
int oclmm_results_merge(const struct oclmm_results *const *results, size_t count, bool partial,
                        struct oclmm_error *error, struct oclmm_text *text);

/**
 * The same without a text: what a reader of it would have.
 * \param results become the joined ones' own, unless it fails
 * \return as above; also -EOVERFLOW where the sums of all tests are beyond 2^53, and -EAGAIN where
 * lines of one key differ and have to be read with their texts, to see whether the records do
 */
int oclmm_results_join(struct oclmm_results **results, size_t count, bool partial,
                       struct oclmm_error *error, struct oclmm_results **ret_results);

/** What oclmm_results_compare() counted. */
struct oclmm_comparison {
	uint64_t tests;       /**< names in either file */
	uint64_t common;      /**< in both, and the same test */
	uint64_t regressions; /**< forbidden outcomes of tests that ran before and did not show
	                         them, and that gate; tests that ran and are skipped now */
	uint64_t broken;      /**< gating tests that could be run before and failed now */
	uint64_t not_run;     /**< tests that ran before and were left out now */
	uint64_t fresh;       /**< tests that have no record before */
	uint64_t changes;     /**< other outcomes that came or went */
	uint64_t rates;       /**< weak rates that changed beyond chance and by a factor of 2 */
};

/** How much oclmm_results_compare() tells. */
enum oclmm_compare_lines {
	OCLMM_COMPARE_REGRESSIONS,
	OCLMM_COMPARE_NOTABLE, /**< and what concerns weak, disputed and forbidden outcomes, and
	                          rates */
	OCLMM_COMPARE_ALL,     /**< and every outcome that came or went by chance */
};

/** Compares two results files by test name, whatever their devices, which are named first. */
void oclmm_results_compare(const struct oclmm_results *before, const struct oclmm_results *after,
                           enum oclmm_compare_lines lines, struct oclmm_comparison *ret_counts,
                           struct oclmm_text *text);

/** The JSON Schema of one line of a results file. */
void oclmm_results_schema(struct oclmm_text *text);
/**
 * The keys of one object of a results file, as a table in Markdown: of the lines `run`, `test`,
 * `confidence` and `end`, and of `outcome`, `evidence`, `control` and `shown` within a test.
 * \return 0, or -ENOENT where there is no such object
 */
int oclmm_results_table(struct oclmm_text *text, const char *name);

/** The text block of one record, as the `text` report writes it. */
void oclmm_report_block(struct oclmm_text *text, const struct oclmm_record *record);
/** Of a forbidden outcome the rule that is broken, and the commands that explain it and export it
 * (unless the record says that it is not exported), each between `before` and an end of line. */
void oclmm_report_next(struct oclmm_text *text, const struct oclmm_record *record,
                       const char *before);
/** How a command begins that repeats `record` from saved results: variables, `oclmm run`, its
 * device. What draws the stimulus (seed, environment, instances) follows. `header` may be NULL. */
void oclmm_report_command(struct oclmm_text *text, const struct oclmm_run_header *header,
                          const struct oclmm_record *record);
/** The option of `oclmm run` that repeats them, with a blank before it; nothing where there are
 * none. */
void oclmm_report_halvings(struct oclmm_text *text, const struct oclmm_halvings *halvings);
/** The same of turns: ` --turns '30:96,4000'`, or nothing. */
void oclmm_report_turns(struct oclmm_text *text, const struct oclmm_turns *turns);
/** A number with a unit for people: `12.3 M`. */
void oclmm_report_quantity(struct oclmm_text *text, double number);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
