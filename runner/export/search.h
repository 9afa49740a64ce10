// SPDX-License-Identifier: Apache-2.0
/* The least stress with which a file still shows what it looks for, found by compiling and running
 * it. */
#ifndef OCLMM_RUNNER_EXPORT_SEARCH_H
#define OCLMM_RUNNER_EXPORT_SEARCH_H

#include "export.h"

/* A folder for what is compiled, and how long all of it may take. */
struct search {
	char *folder; /* NULL: none could be made */
	double deadline;
	const char *compiler;
	const struct producer *producer; /* of a file beside a module; NULL: it has its text */
};

/* What came of it. */
enum search_end {
	SEARCH_FOUND,
	SEARCH_NOT_SEEN,  /* within the time */
	SEARCH_NOT_BUILT, /* no compiler, headers or loader: `note` says which message came */
	SEARCH_NOT_RUN,   /* no such device, or the file ended badly: the same */
};

/* Makes a folder. Returns 0 or a negative errno value. */
int search_begin(struct search *search, double seconds);
void search_finish(struct search *search);
/*
 * Replaces `setting` by the smallest one that was found; it stays where none was. `note` gets one
 * line: the device, its driver and how often the outcome was seen, or what went wrong.
 */
enum search_end search_least(struct search *search, const struct export_job *job,
                             struct export_setting *setting, struct oclmm_text *note);

#endif
