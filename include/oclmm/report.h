// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * Writes results for people and programs. A report is a table of functions;
 * each kind is one file of src/report/. Reports print what grade found and
 * judge nothing themselves.
 */
#ifndef OCLMM_REPORT_H
#define OCLMM_REPORT_H

#include "oclmm/grade.h"

#ifdef __cplusplus
extern "C" {
#endif

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
	const char *tool;        /**< `oclmm 0.1.0` */
	const char *platform;
	const char *device;
	const char *driver;
	const char *version;     /**< CL_DEVICE_VERSION */
	uint64_t seed;           /**< master seed */
	uint64_t instances;      /**< asked per test */
	double budget;           /**< seconds, 0 without */
	const char *profile;     /**< or NULL */
	uint64_t tests;          /**< chosen */
	const char *replay;      /**< the command line that repeats a test, up to --instances N NAME */
};

struct oclmm_report;

/** A kind of report. `text` may be left empty by a function that has nothing to say. */
struct oclmm_report_kind {
	const char *name;
	const char *description;
	void (*begin)(struct oclmm_report *report, const struct oclmm_run_header *header,
	              struct oclmm_text *text);
	void (*record)(struct oclmm_report *report, const struct oclmm_record *record,
	               struct oclmm_text *text);
	void (*end)(struct oclmm_report *report, const struct oclmm_tally *tally, enum oclmm_exit status,
	            struct oclmm_text *text);
	void (*finish)(struct oclmm_report *report); /**< frees `state`; may be NULL */
};

/** One report being written. Functions of a kind may use `state` as they like. */
struct oclmm_report {
	const struct oclmm_report_kind *kind;
	struct oclmm_sink sink;
	const struct oclmm_run_header *header;
	void *state;
	int failed;              /**< the first error of the sink, or 0 */
};

/** litmus7's histograms, one block per test. */
extern const struct oclmm_report_kind oclmm_report_text;
/** One line per test and a table by family at the end, for people. */
extern const struct oclmm_report_kind oclmm_report_summary;
/** One JSON object per line, complete; the last is the manifest of the run. */
extern const struct oclmm_report_kind oclmm_report_json;

/** \return the kind of this name, or NULL. */
const struct oclmm_report_kind *oclmm_report_kind(const char *name);

/** The header must outlive the report. */
void oclmm_report_begin(struct oclmm_report *report, const struct oclmm_report_kind *kind,
                        struct oclmm_sink sink, const struct oclmm_run_header *header);
/** Writes one record and flushes it. */
void oclmm_report_record(struct oclmm_report *report, const struct oclmm_record *record);
/** Writes the end and frees what the report holds. \return 0 or the sink's first error. */
int oclmm_report_end(struct oclmm_report *report, const struct oclmm_tally *tally,
                     enum oclmm_exit status);

/** The text block of one record, as the `text` report writes it. */
void oclmm_report_block(struct oclmm_text *text, const struct oclmm_record *record);
/** A number with a unit for people: `12.3 M`. */
void oclmm_report_quantity(struct oclmm_text *text, double number);

#ifdef __cplusplus
}
#endif

#endif
