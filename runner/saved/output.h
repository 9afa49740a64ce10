// SPDX-License-Identifier: Apache-2.0
/*
 * Where the results of a run go: standard output and files, whole lines or none,
 * and never those of two runs at the same time.
 */
#ifndef OCLMM_RUNNER_SAVED_OUTPUT_H
#define OCLMM_RUNNER_SAVED_OUTPUT_H

#include <sys/types.h>

#include "cli/cli.h"
#include "oclmm/report.h"

/* What the options --format and --output say of themselves. */
#define RUN_OUTPUT_WORD(name, word, files)  word
#define RUN_OUTPUT_FILES(name, word, files) files
#define RUN_OUTPUT_FORMATS                  OCLMM_REPORT_KINDS(RUN_OUTPUT_WORD)
#define RUN_OUTPUT_SUFFIXES                                                                        \
	OCLMM_REPORT_KINDS(RUN_OUTPUT_FILES)                                                       \
	"or no suffix: text"

/* One report and the file it goes to. Must not move once it was begun. */
struct run_output {
	const char *name; /* for messages */
	int file;
	bool own;    /* close it */
	bool plain;  /* a file, which can be cut and locked */
	bool made;   /* was not there before */
	bool begun;  /* something was written, or may have been */
	bool silent; /* swallow what is written: the file has it already */
	bool ended;  /* the file has its end already */
	off_t good;  /* a file of ours: where the last whole record ended */
	struct oclmm_report report;
};

/* Setters of a const struct oclmm_report_kind *, for --format, --brief, and --verbose. */
int run_output_format(const char *option, const char *value, void *ret_kind);
int run_output_brief(const char *option, const char *value, void *ret_kind);

/* One more value of --output; a suffix that stands for no format is refused. */
int run_output_option(const char *value, const char **values, size_t *count, size_t most);

void run_output_standard(struct run_output *output);
/*
 * Opens a file behind the `*count` outputs that there are, and claims it: no
 * other process writes there until this one ends. It stays as it is until the
 * report begins, and one that was not there goes again if none does. `access` is
 * O_WRONLY or O_RDWR. Returns 0 or the status to leave with.
 */
int run_output_claim(const struct command *command, const char *name, int access,
                     struct run_output *outputs, size_t *count);

/* From here on the file has what is written, behind its first `good` bytes. */
void run_output_begin(struct run_output *output, const struct oclmm_report_kind *kind,
                      const struct oclmm_run_header *header, bool silent);
void run_output_record(struct run_output *output, const struct oclmm_record *record, bool silent);
/* Makes what was written safe against a power cut. */
void run_output_sync(struct run_output *output);
/* Refuses annotations among what a program is to read. Returns 0 or the status to leave with. */
int run_output_check_annotations(const struct command *command,
                                 const struct oclmm_report_kind *format);
/* Claims several. */
int run_output_claim_all(const struct command *command, const char *const *names, size_t name_count,
                         struct run_output *outputs, size_t *count);

/* What all reports end with. */
struct run_ending {
	const struct command *command;
	const struct oclmm_run_header *header;
	const struct oclmm_expectations *expectations; /* or NULL */
	struct oclmm_record **records;                 /* of the whole run, graded */
	size_t count;
	/* Of several devices, one for each header, in which only what follows is filled in, as far
	 * as it is known; NULL: there is one device. */
	struct oclmm_tally *parts;
	size_t left_out;     /* tests without a record */
	uint64_t unfinished; /* of these, as in oclmm_tally */
	bool interrupted;
	bool annotations; /* for GitHub, on standard output, behind all other reports */
};
/*
 * Works out the confidence of all records, sums up and ends the reports. Returns
 * the status to leave with: that of the run, unless something could not be written.
 */
int run_output_end_all(const struct run_ending *ending, struct run_output *outputs, size_t count);
void run_output_close(struct run_output *output);

#endif
