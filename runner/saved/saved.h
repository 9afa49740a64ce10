// SPDX-License-Identifier: Apache-2.0
/*
 * Results files that a command names on its line.
 *
 * May see: select, page, picture.
 */
#ifndef OCLMM_RUNNER_SAVED_SAVED_H
#define OCLMM_RUNNER_SAVED_SAVED_H

#include "cli/cli.h"
#include "oclmm/report.h"
#include "select/select.h"

/* Reads one file's records, without the lines' texts: it can be neither merged nor joined. Returns
 * 0 or the status to leave with; messages were printed. */
int saved_read_records(const char *path, bool partial, struct oclmm_results **ret_results);
/* Reads expectations; `path` may be NULL for none. Finish with oclmm_expectations_destroy(). */
int saved_expectations(const char *path, struct oclmm_expectations **ret_expectations);
/*
 * Whether each of them names a test of the selection's files or of the suite. `expectations` may be
 * NULL. Returns 0 or the status to leave with.
 */
int saved_expectations_check(const struct oclmm_expectations *expectations,
                             const struct selection *selection);
/* Reads files and joins them, into one text or in memory. Returns 0 or the status to leave with. */
int saved_merge(const struct command *command, char **paths, int count, bool partial,
                struct oclmm_text *text);
int saved_join(const struct command *command, char **paths, int count, bool partial,
               struct oclmm_results **ret_results);

#endif
