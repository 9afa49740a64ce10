// SPDX-License-Identifier: Apache-2.0
/* What the page is made of: columns, tests, cells, outcomes. */
#ifndef OCLMM_PAGE_INTERNAL_H
#define OCLMM_PAGE_INTERNAL_H

#include "oclmm/page.h"
#include "pool.h"

/* A column of the page: a device with its driver, or one of several runs on it. */
struct column {
	const struct oclmm_record *record; /* one of its records, for the names */
	const char *device_id;             /* as its places have it */
	char *label;         /* the device's name, and what tells it from the others */
	const char *started; /* the first of its records, or NULL */
	uint64_t classes[OCLMM_CLASS_COUNT];
	uint64_t verdicts[OCLMM_VERDICT_COUNT];
	uint64_t instances;
	double seconds;
};

/* A record and the column that it goes to. */
struct place {
	const struct oclmm_record *record;
	const struct oclmm_run_header *run; /* of several with its seed the last that began before
	                                       it; or NULL */
	const char *device_id; /* its own; NULL also where equal devices shared its run */
	size_t column;
};

/* All records of one test in one column. */
struct cell {
	const struct place *places;
	size_t count;                      /* 0: was not run there */
	const struct oclmm_record *record; /* the gravest, which gives the cell's verdict */
	uint64_t instances, weak, forbidden, disputed;
	double seconds;
};

/* One outcome of a test, with what each column counted. */
struct outcome {
	const struct oclmm_graded_row *row; /* the gravest record's: values, status, deciding */
	uint64_t *counts;                   /* one per column */
	uint64_t total;
};

/* One variant. */
struct test {
	const struct oclmm_record *record; /* one that has the program, where there is one */
	struct oclmm_page_words words;
	struct cell *cells;       /* one per column */
	struct outcome *outcomes; /* ascending; the telling and the frequent where there are many */
	size_t outcome_count;
	uint64_t *left_out; /* per column, how often outcomes were seen that are not among them */
	size_t left_out_kinds;      /* and how many these are */
	enum oclmm_verdict verdict; /* the gravest of all cells */
	bool bound;                 /* the program is known, so that it can be printed */
	bool differs; /* some columns showed a telling outcome, or failed, and others did not */
	char *id;     /* of its row, safe in an address */
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
	const struct oclmm_run_header **headers; /* of the runs, sorted */
	struct place *places;                    /* the records, sorted by test, then by column */
	size_t place_count;
	struct column *columns;
	size_t column_count;
	struct test *tests;
	size_t test_count;
	struct page_name *names; /* of the tests, sorted */
	struct pool *strings;    /* of the data */
	struct pool *pieces;     /* of pictures */
	struct pool *shapes;     /* pictures without their words, as lists of pieces */
	size_t graphs;           /* drawn so far */
	struct markup *markup;
};

/* gather.c: records sorted into tests and columns. Returns 0, or -E2BIG: see OCLMM_PAGE_COLUMNS. */
int oclmm_page_gather(struct page *page, const struct oclmm_record *const *records, size_t count);
/* The test of this name, or NULL. */
const struct test *oclmm_page_find(const struct page *page, const char *name);
/* The gravest first: forbidden 0, pass the last but skip. */
unsigned oclmm_page_gravity(enum oclmm_verdict verdict);
/* A sign beside a verdict, so that it is not told by its colour alone. */
const char *oclmm_page_verdict_sign(enum oclmm_verdict verdict);

/* How outcomes are told apart. X(enumerator, word, sign, what it means) */
#define PAGE_KINDS(X)                                                                              \
	X(ALLOWED, "allowed", "", "by the specification")                                          \
	X(WEAK, "weak", "◆", "allowed, and the asked one")                                         \
	X(FORBIDDEN, "forbidden", "✖", "forbidden by every reading of the specification: a bug")   \
	X(DISPUTED, "disputed", "?", "readings of the specification differ on it")                 \
	X(UNJUDGED, "unjudged", "≈", "not judged, because the test has a data race")
enum page_kind {
#define OCLMM_X(name, ...) PAGE_##name,
	PAGE_KINDS(OCLMM_X)
#undef OCLMM_X
		PAGE_KIND_COUNT
};
const char *oclmm_page_kind_word(enum page_kind kind);
const char *oclmm_page_kind_sign(enum page_kind kind);
const char *oclmm_page_kind_meaning(enum page_kind kind);

/* data.c: all of it for the script */
void oclmm_page_data(struct page *page, struct oclmm_text *text);

static inline const char *page_string(const char *string)
{
	return string ? string : "";
}

/* `v v-pass` */
static inline char *page_verdict_class(struct oclmm_arena *arena, enum oclmm_verdict verdict)
{
	return oclmm_arena_printf(arena, "v v-%s",
	                          oclmm_verdict_is_infrastructure(verdict)
	                                  ? "failed"
	                                  : oclmm_verdict_word(verdict));
}

extern const char oclmm_page_style[], oclmm_page_script[], oclmm_page_script_hash[];

#endif
