// SPDX-License-Identifier: Apache-2.0
/* Reads the keys of one JSON object by a table: all of them, and no others. */
#ifndef OCLMM_REPORT_FIELDS_H
#define OCLMM_REPORT_FIELDS_H

#include <jansson.h>

#include "oclmm/base.h"

enum field_kind {
	FIELD_TEXT, /* const char * */
	FIELD_TEXT_OR_NULL,
	FIELD_TEXT_OPTIONAL,   /* the same, NULL where the key is missing */
	FIELD_COUNT,           /* uint64_t */
	FIELD_COUNT_OPTIONAL,  /* left as it is where the key is missing */
	FIELD_COUNT_32,        /* uint32_t */
	FIELD_REAL,            /* double */
	FIELD_REAL_OR_NULL,    /* null is 0 */
	FIELD_FLAG,            /* bool */
	FIELD_DECIMAL,         /* uint64_t, as a text of decimal digits */
	FIELD_HEX,             /* uint64_t, as a text of 16 hexadecimal digits */
	FIELD_LIST,            /* json_t *, borrowed */
	FIELD_LIST_OPTIONAL,   /* the same, NULL where the key is missing */
	FIELD_OBJECT,          /* json_t *, borrowed */
	FIELD_OBJECT_OPTIONAL, /* the same, NULL where the key is missing */
};

struct field {
	const char *name; /* NULL ends the table */
	enum field_kind kind;
	size_t offset; /* into the target; FIELD_UNUSED: only checked */
};

#define FIELD_UNUSED SIZE_MAX

/* A line being read, and where errors go. */
struct line {
	const char *path;
	const char *text;
	size_t length;
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
/* Reads an object into `target`. `type` is read over, it chose the table. */
int fields_read(const struct line *line, json_t *object, const struct field *table, void *target);

#endif
