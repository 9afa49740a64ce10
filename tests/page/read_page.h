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
	json_t *data;    /* what the script shows beside the results */
	json_t *records; /* the `test` lines of the results; what a `confidence` line says is their
	                    member `judged` */
};

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
json_t *member(const json_t *object, const char *key);
long long number(const json_t *object, const char *key);
/* The string whose number is that member. */
const char *string(const struct read_page *page, const json_t *object, const char *key);
json_t *find_test(const struct read_page *page, const char *name);
/* null where it was not run */
json_t *find_cell(const struct read_page *page, const char *name, size_t column);
/* The record that speaks for a cell. */
json_t *find_record(const struct read_page *page, const char *name, size_t column);
/* What the records of a cell counted of this outcome, `0:r0=0; 1:r0=0;`. */
long long count_outcome(const struct read_page *page, const char *test, size_t column,
                        const char *name);
/* That the record of a column says so of it. */
void assert_status(const struct read_page *page, const char *test, size_t column, const char *name,
                   const char *status, bool witness);

static inline const struct oclmm_record *const *constant(const struct sample *sample)
{
	return (const struct oclmm_record *const *)sample->records;
}

#endif
