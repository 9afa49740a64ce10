// SPDX-License-Identifier: Apache-2.0
/* What commands print as JSON and read back, member by member. */
#ifndef OCLMM_RUNNER_CLI_JSON_H
#define OCLMM_RUNNER_CLI_JSON_H

#include <jansson.h>

#include "oclmm/base.h"

/* NULL is null, and so is what is no UTF-8: names of drivers and files need not be. */
void json_put_text(json_t *object, const char *key, const char *text);
/* The same; frees what it was printed into. */
void json_put_printed(json_t *object, const char *key, struct oclmm_text *text);
void json_put_count(json_t *object, const char *key, uint64_t count);
/* Below 0 it was not measured: null. */
void json_put_real(json_t *object, const char *key, double number);
void json_put_flag(json_t *object, const char *key, bool flag);
/* Adds it as one line; drops the object. */
void json_print_line(struct oclmm_text *text, json_t *object);
/* The string that an object has under a key; "" where it has none. */
const char *json_text_of(const json_t *object, const char *key);
/* A time below 0 counts as 0. */
double json_time_of(const json_t *object, const char *key);

#endif
