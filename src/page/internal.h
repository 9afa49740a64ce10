// SPDX-License-Identifier: Apache-2.0
#ifndef OCLMM_PAGE_INTERNAL_H
#define OCLMM_PAGE_INTERNAL_H

#include "markup.h"
#include "oclmm/page.h"

/* Where: a column of the page. Told apart by platform, device, its id and driver. */
struct configuration {
	const struct oclmm_record *record; /* one of its records, for the names */
	char *label; /* the device's name, and what tells it from the others */
	uint64_t classes[OCLMM_CLASS_COUNT];
	uint64_t verdicts[OCLMM_VERDICT_COUNT];
	uint64_t tests;
	uint64_t instances;
	double seconds;
};

/* All records of one test in one configuration. */
struct cell {
	const struct oclmm_record *const *records;
	size_t count;               /* 0: was not run there */
	enum oclmm_verdict verdict; /* the gravest */
	uint64_t instances, weak, forbidden, disputed;
	double seconds;
};

/* One outcome of a test, with what each configuration counted. */
struct outcome {
	const int64_t *values;
	const struct oclmm_graded_row *row; /* of some record: status, witness, deciding */
	uint64_t *counts;                   /* one per configuration */
	uint64_t total;
};

/* One variant: a heading of the page. */
struct test {
	const struct oclmm_record *record; /* one that has the program, where there is one */
	struct oclmm_page_words words;
	struct cell *cells;       /* one per configuration */
	struct outcome *outcomes; /* ascending */
	size_t outcome_count;
	enum oclmm_verdict verdict; /* the gravest of all cells */
	bool bound;                 /* the program is known, so that it can be printed */
	char *id;                   /* of its heading, safe in an address */
};

/* Where a test stands; of those that share a name the first comes first. */
struct page_name {
	const char *name;
	size_t test;
};

/* All that the page tells, in the order in which it tells it. */
struct page {
	struct oclmm_arena *arena;
	const struct oclmm_page_options *options;
	const struct oclmm_saved_run *runs;
	size_t run_count;
	const struct oclmm_record **records; /* sorted by test, then by configuration */
	size_t record_count;
	struct configuration *configurations;
	size_t configuration_count;
	const char *
		*environments; /* all that occur, in the order of the records; E1 is the first */
	size_t environment_count;
	struct test *tests;
	size_t test_count;
	struct page_name *names; /* of the tests, sorted */
	size_t graphs;           /* drawn so far */
	struct markup *markup;
};

/* gather.c, outcomes.c */
/* Returns 0, or -E2BIG: see OCLMM_PAGE_CONFIGURATIONS. */
int page_gather(struct page *page, const struct oclmm_record *const *records, size_t count);
void page_gather_outcomes(struct page *page, struct test *test);
void page_finish(struct page *page);
/* The index of an environment; their number where it is none of the page's. */
size_t page_environment(const struct page *page, const char *environment);
/* Whether a name stands in the page. */
const struct test *page_find(const struct page *page, const char *name);
/* Whether some configurations showed a telling outcome of a test, or failed, and others did not. */
bool page_differs(const struct page *page, const struct test *test);

/* words.c: how things are called and marked, the same everywhere */
const char *page_string(const char *string);
/* The gravest first: forbidden 0, pass the last but skip. */
unsigned page_gravity(enum oclmm_verdict verdict);
/* `pass` in a coloured box with its sign. */
void page_verdict(struct markup *markup, enum oclmm_verdict verdict);
/* A link to a test where the page has it, else its name. */
void page_link(const struct page *page, const char *name);
/* A count for people, `12.3 M`, with the exact number as its title. */
void page_quantity(struct markup *markup, const char *element, const char *class, uint64_t number);
/* A count with its digits in groups: `1,048,576`. */
void page_number(struct markup *markup, uint64_t number);
/* The name in an identifier, `#t-SB+rlx+rlx`. */
char *page_identifier(struct oclmm_arena *arena, const char *name);
/* Class and word of an outcome: allowed, weak, forbidden, disputed, unjudged. */
const char *page_kind(const struct outcome *outcome);
const char *page_kind_sign(const char *kind);

/* overview.c: devices, verdicts, families; look.c: what needs a look, where devices differ */
void page_devices(struct page *page);
void page_summary(struct page *page);
void page_attention(struct page *page);
void page_differences(struct page *page);
/* test.c, histogram.c, results.c, graph.c: one test */
void page_test(struct page *page, struct test *test);
void page_histogram(struct page *page, const struct test *test);
void page_results(struct page *page, const struct test *test);
void page_graph(struct page *page, const struct test *test);

extern const char page_style[], page_script[];

#endif
