// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * Graded results as one self-contained HTML page, for people: what was seen on
 * which device, what it is worth, and the tests themselves. The page asks
 * nothing of the network. A script of its own shows the tests, from data that
 * stand in the page, and filters and searches; without scripts the page has
 * the verdicts. It is well-formed XML as well.
 *
 * The page judges nothing: verdicts and confidence are those of the records.
 */
#ifndef OCLMM_PAGE_H
#define OCLMM_PAGE_H

#include "oclmm/report.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/** For which tests the graph of an execution is drawn. */
enum oclmm_page_graphs {
	OCLMM_PAGE_GRAPHS_NONE,
	OCLMM_PAGE_GRAPHS_INTERESTING, /**< where a forbidden, disputed or weak outcome was seen */
	OCLMM_PAGE_GRAPHS_ALL, /**< and where the outcome that the test asks about was not seen */
};

/** What a litmus file says beside its program. NULL where it says nothing. */
struct oclmm_page_words {
	const char *question;
	const char *comment;
	const char *base; /**< the file's base variant; NULL for the base variant itself */
};

/** What the page asks of its caller, and how it is to look. Zero-initialise. */
struct oclmm_page_options {
	const char *title;          /**< NULL: a title of its own */
	const char *tool;           /**< `oclmm 0.1.0` */
	struct oclmm_demand demand; /**< that passes had to meet */
	enum oclmm_page_graphs graphs;
	/** What the litmus file says; may be NULL. The strings must live until the page is written.
	 */
	struct oclmm_page_words (*words)(void *data, const struct oclmm_record *record);
	/**
	 * An execution that ends in these values, as SVG; may be NULL.
	 * \return a malloc-ed `<svg>` element, or NULL where there is none to show. It goes into
	 * the page as it is: well-formed, without identifiers and scripts
	 */
	char *(*graph)(void *data, const struct oclmm_record *record, const int64_t *values);
	/** Called before each test, for a progress bar; may be NULL. */
	void (*progress)(void *data, size_t done, size_t tests);
	void *data; /**< first argument of the functions above */
};

/**
 * The most that a page shows side by side, so that its size and the time that it takes stay those
 * of a page: columns (devices, and runs on them), and tests times columns.
 */
enum {
	OCLMM_PAGE_COLUMNS = 256,
	OCLMM_PAGE_CELLS = 1 << 20,
};

/** What was written, beside the text itself. */
struct oclmm_page_counts {
	size_t tests;
	size_t columns; /**< devices, and runs on them, side by side */
	size_t graphs;
};

/**
 * Writes the page. Records are graded, and looked at for confidence: see
 * oclmm_grade() and oclmm_grade_confidence(). Devices stand side by side, and so do runs on one
 * device that have a test in common; else several records of one test on one device are added up.
 * \param runs what was asked for, one per run; may be empty
 * \param ret_counts may be NULL
 * \return 0, or -E2BIG where there is more than a page shows
 */
int oclmm_page_write(struct oclmm_text *text, const struct oclmm_saved_run *runs, size_t run_count,
                     const struct oclmm_record *const *records, size_t count,
                     const struct oclmm_page_options *options,
                     struct oclmm_page_counts *ret_counts);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
