// SPDX-License-Identifier: Apache-2.0
/* A written page, read by a parser that accepts nothing but XML, and the data of its script. */
#ifndef OCLMM_TESTS_PAGE_READ_PAGE_H
#define OCLMM_TESTS_PAGE_READ_PAGE_H

#include <jansson.h>
#include <libxml/tree.h>
#include <libxml/xpath.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../report/sample.h"
#include "oclmm/page.h"

struct read_page {
	struct oclmm_text text;
	xmlDoc *document;
	xmlXPathContext *xpath;
	struct oclmm_page_counts counts;
	json_t *data; /* what the script shows */
};

/* Places in the lists of a test, of a cell and of an outcome: see `keys` in the data. */
enum { NAME = 0, PICTURE = 9, SEEN = 10, OTHERS = 13, OTHERS_SEEN, CELLS, OUTCOMES };
enum { VERDICT = 0, EVIDENCE = 8, BUILD_LOG };
enum { COUNTS = 3 };

void write_page(struct read_page *page, const struct oclmm_record *const *records, size_t count,
                const struct oclmm_page_options *options);
/* The same of runs whose headers are there. */
void write_page_of(struct read_page *page, const struct oclmm_saved_run *runs, size_t run_count,
                   const struct oclmm_record *const *records, size_t count,
                   const struct oclmm_page_options *options);
void drop_page(struct read_page *page);

/* How many nodes a path finds. */
int count(struct read_page *page, const char *path);
/* The text of the first node that a path finds. */
void assert_text(struct read_page *page, const char *path, const char *wanted);

/* Of the data. What is not there fails the test. */
json_t *at(const json_t *list, size_t index);
long long number(const json_t *list, size_t index);
/* The string whose number stands there. */
const char *string(const struct read_page *page, const json_t *list, size_t index);
json_t *find_test(const struct read_page *page, const char *name);
json_t *find_cell(const struct read_page *page, const char *name, size_t column);
/* The outcome of this name: [name, kind, deciding, [a count per column]]. */
json_t *find_outcome(const struct read_page *page, const char *test, const char *name);
/* `pass`, of `verdicts`; `weak`, of `kinds`. */
const char *word_of(const struct read_page *page, const char *table, long long index);
void assert_kind(const struct read_page *page, const char *test, const char *name,
                 const char *kind);

static inline const struct oclmm_record *const *constant(const struct sample *sample)
{
	return (const struct oclmm_record *const *)sample->records;
}

#endif
