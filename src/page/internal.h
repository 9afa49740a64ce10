// SPDX-License-Identifier: Apache-2.0
/* What the page is made of (columns, tests, cells, outcomes), and the parts that write it. */
#ifndef OCLMM_PAGE_INTERNAL_H
#define OCLMM_PAGE_INTERNAL_H

#include "markup.h"
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

/* gather.c, columns.c, outcomes.c */
/* Returns 0, or -E2BIG: see OCLMM_PAGE_COLUMNS. */
int page_gather(struct page *page, const struct oclmm_record *const *records, size_t count);
/* The columns, and to which of them each place goes. */
int page_gather_columns(struct page *page);
void page_gather_outcomes(struct page *page, struct test *test);
void page_finish(struct page *page);
int page_compare_devices(const struct place *a, const struct place *b);
/* The same by what they are called, so that equal devices are one. */
int page_compare_kinds(const struct oclmm_record *a, const struct oclmm_record *b);
/* After the last place of the test that begins at `from`. */
size_t page_end_of_test(const struct page *page, size_t from);
/* Whether a name stands in the page. */
const struct test *page_find(const struct page *page, const char *name);
/* The run of a record, of several with its seed the last that began before it; or NULL. */
const struct oclmm_run_header *page_run_of(const struct page *page,
                                           const struct oclmm_record *record);

/* words.c: how things are called and marked, the same everywhere */
const char *page_string(const char *string);
/* The gravest first: forbidden 0, pass the last but skip. */
unsigned page_gravity(enum oclmm_verdict verdict);
/* Each gravity has one verdict. */
enum oclmm_verdict page_verdict_at(unsigned gravity);
/* The tests of all columns that have this verdict. */
uint64_t page_count_verdict(const struct page *page, enum oclmm_verdict verdict);
const char *page_verdict_sign(enum oclmm_verdict verdict);
/* `v v-pass` */
char *page_verdict_class(struct oclmm_arena *arena, enum oclmm_verdict verdict);
/* `pass` in a coloured box with its sign. */
void page_verdict(const struct page *page, enum oclmm_verdict verdict);
/* A link to a test where the page has it, else its name. */
void page_link(const struct page *page, const char *name);
/* A count for people, `12.3 M`, with the exact number as its title. */
void page_quantity(struct markup *markup, const char *element, const char *class, uint64_t number);
/* A count with its digits in groups: `1,048,576`. */
void page_number(struct markup *markup, uint64_t number);
/* The name in an identifier, `#t-SB+rlx+rlx`. */
char *page_identifier(struct oclmm_arena *arena, const char *name);

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
enum page_kind page_kind(const struct outcome *outcome);
const char *page_kind_word(enum page_kind kind);
const char *page_kind_sign(enum page_kind kind);
const char *page_kind_meaning(enum page_kind kind);

/*
 * A titled region that moves sideways within its frame where it is wider than the page, so that the
 * page does not; the keyboard reaches it. Opens frame and table.
 */
void page_open_table(struct markup *markup, const char *title);
/* The names of columns, as one row of the head; opens the body. */
void page_head_table(struct markup *markup, const char *const *names, size_t count);
void page_close_table(struct markup *markup);

/* overview.c: devices and verdicts; look.c: what needs a look; nowhere.c: what no device ran;
 * legend.c: how to read it */
void page_devices(struct page *page);
void page_summary(struct page *page);
void page_attention(struct page *page);
/* Whether each column that has the test skipped it. */
bool page_ran_nowhere(const struct test *test);
void page_nowhere(struct page *page);
void page_legend(struct page *page);
/* plain.c: all tests as a table, for a reader without scripts */
void page_plain(struct page *page);
/* data.c, test.c, cell.c, picture.c: the same for the script */
void page_data(struct page *page, struct oclmm_text *text);
void page_data_test(struct page *page, struct oclmm_text *text, const struct test *test);
void page_data_cell(struct page *page, struct oclmm_text *text, const struct test *test,
                    size_t column);
/* Adds the shape and the words of the picture of a test, `0` where it has none. */
void page_data_picture(struct page *page, struct oclmm_text *text, const struct test *test);
/* The number of a string; 0: nothing, as of NULL. */
size_t page_data_string(struct page *page, const char *string);
/* The number of what stands in `text`, which is emptied. */
size_t page_data_take(struct page *page, struct oclmm_text *text);

extern const char page_style[], page_script[], page_script_hash[];

#endif
