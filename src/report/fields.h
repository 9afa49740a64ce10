// SPDX-License-Identifier: Apache-2.0
/*
 * The keys of a JSON object as a table: writing, reading, the schema and the tables of
 * docs/results-format.md all go by it. A new key is one row, and a member of the struct that the
 * row points into.
 */
#ifndef OCLMM_REPORT_FIELDS_H
#define OCLMM_REPORT_FIELDS_H

#include <jansson.h>

#include "oclmm/base.h"

enum field_kind {
	FIELD_TEXT,         /* const char *, not empty */
	FIELD_TEXT_OR_NULL, /* const char * or NULL */
	FIELD_TIME,         /* the same, as `2026-01-31T12:00:00Z` */
	FIELD_FORMAT,       /* uint64_t, OCLMM_RESULTS_FORMAT; whoever reads it compares */
	FIELD_COUNT,        /* uint64_t up to FIELD_MOST */
	FIELD_COUNT_32,     /* uint32_t */
	FIELD_REAL,         /* double from 0 */
	FIELD_REAL_OR_NULL, /* the same; 0 is null */
	FIELD_PROBABILITY,  /* double, 0 to 1 */
	FIELD_FLAG,         /* bool */
	FIELD_DECIMAL,      /* uint64_t, as a text of decimal digits */
	FIELD_HEX,          /* uint64_t, as a text of 16 hexadecimal digits */
	FIELD_WORD,         /* an enum, by `words` */
	FIELD_WORD_OR_NULL, /* the same; what has no word is null, and null is read as first - 1 */
	FIELD_WORDS,        /* unsigned, set of 1u << enum; not written where empty */
	FIELD_EXIT,         /* enum oclmm_exit */
	FIELD_COUNTS,       /* uint64_t array: an object with a count for each of `words` */
	FIELD_VALUES,       /* json_t *, values by observable */
	FIELD_BLOCKS,       /* json_t *, arrays of three and more counts */
	FIELD_HALVINGS,     /* struct oclmm_halvings; not written where empty */
	FIELD_LIST,         /* json_t *, objects by `items` */
	FIELD_OBJECT,       /* json_t *, an object by `items` */
	FIELD_KIND_COUNT
};

/* Many readers keep numbers as doubles, which are exact up to here. */
#define FIELD_MOST ((uint64_t)1 << 53)

/* The words of an enum, from `first` to the one before `end`. */
struct words {
	const char *(*word)(int value);
	int first, end;
};

struct fields;

/* Some versions did not write it yet: it may be missing, and then its member stays as it is. */
#define FIELD_OPTIONAL 1u
/* Older versions wrote it: it may be there, and is not written any more. */
#define FIELD_GONE 2u

struct field {
	const char *name; /* NULL ends the table */
	enum field_kind kind;
	size_t offset; /* of its member */
	const char *meaning;
	unsigned flags;
	const struct words *words;
	const struct fields *items;
};

/* One object. */
struct fields {
	const char *name; /* of the object in schema and documents; of a line, its `type` */
	bool line;        /* has the key `type` */
	const struct field *table;
};

/* A line being read, and where errors go. */
struct line {
	const char *path;
	const char *text;
	size_t length;
	const char *pieces; /* what stands in its array `outcomes`, within `text`; NULL: none */
	size_t pieces_length;
	const char *blocks; /* the same of the array `blocks` of its evidence, which is plain */
	size_t blocks_length;
	uint32_t number;
	struct oclmm_arena *arena;
	struct oclmm_error *error;
};

/* Fills an error that points at the first place of `"key"` in the line, or at its begin. Returns
 * -EINVAL. */
int line_refuse(const struct line *line, const char *key, const char *format, ...)
	OCLMM_PRINTF(3, 4);
/* The same at a column. */
int line_refuse_at(const struct line *line, uint32_t column, uint32_t length, const char *format,
                   ...) OCLMM_PRINTF(4, 5);

/* Reads an object into `target`: all keys, and no others. What is pointed to lives in the line's
 * arena, or in the object. */
int fields_read(const struct line *line, json_t *object, const struct fields *fields, void *target);
/* Makes an object of `source`. References to JSON values in it are taken over; a NULL one is left
 * out. */
json_t *fields_write(const struct fields *fields, const void *source);
/* What a value of this field is, as people say it: `a whole number from 0`. */
void field_describe(struct oclmm_text *text, const struct field *field);

#endif
