// SPDX-License-Identifier: Apache-2.0
/* JSON as it is written, member by member: the page's program has no library for it. */
#ifndef OCLMM_ASK_JSON_H
#define OCLMM_ASK_JSON_H

#include "oclmm/base.h"

/** A text that grows; commas are put where they belong. */
struct json {
	struct oclmm_text *text;
	bool first; /**< nothing stands yet in the object or array that is open */
};

/** Opens an object or array, `{` or `[`; with a key where it is a member. */
void json_open(struct json *json, const char *key, char bracket);
void json_close(struct json *json, char bracket);
/** NULL is written as null. What is not UTF-8 or a control character is a question mark. */
void json_string(struct json *json, const char *key, const char *value);
void json_number(struct json *json, const char *key, double value);
void json_bool(struct json *json, const char *key, bool value);

#endif
