// SPDX-License-Identifier: Apache-2.0
#include "set.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/*
 * The environment that a text starts from: what it does not name is as here.
 * Never changed, or old texts would mean something else; a field that comes
 * anew is 0 here, and 0 is how things were without it.
 */
static const struct oclmm_environment base = {
	.groups = 1,
	.lanes = 1,
	.rounds = 1,
	.stride = 1,
	.poll_every = 1,
	.stress_pattern = 4,
	.stress_lines = 1,
	.stress_stride = 1,
	.count_lanes = 1,
	.count_each = 1,
};

void oclmm_environment_brief(struct oclmm_text *text, const struct oclmm_environment *e)
{
	bool first = true;

	/* the three that say how large a launch is are always there */
#define OCLMM_X(field, meaning)                                                                    \
	if (e->field != base.field || &e->field == &e->groups || &e->field == &e->lanes ||         \
	    &e->field == &e->rounds) {                                                             \
		oclmm_text_printf(text, "%s%s=%u", first ? "" : " ", #field, e->field);            \
		first = false;                                                                     \
	}
	OCLMM_ENVIRONMENT(OCLMM_X)
#undef OCLMM_X
}

void oclmm_environment_set_print(struct oclmm_text *text, const struct oclmm_environment_set *set)
{
	for (uint32_t i = 0; i < set->count; i++) {
		oclmm_text_add(text, i ? "; " : "");
		oclmm_environment_brief(text, &set->environments[i]);
	}
}

static const char blanks[] = " \t";

static int refuse_at(struct oclmm_error *error, const char *text, const char *at, size_t length)
{
	char message[sizeof(error->message)];

	snprintf(message, sizeof(message), "%s", error->message);
	oclmm_error_set(error, -EINVAL, "%s", message);
	snprintf(error->source, sizeof(error->source), "%s", text);
	error->position = (struct oclmm_position){
		.line = 1,
		.column = (uint32_t)(at - text) + 1,
		.length = length ? (uint32_t)length : 1,
	};
	return -EINVAL;
}

/* One setting, `length` bytes long; `begin` is where its environment starts. */
static int parse_setting(const char *begin, const char *at, size_t length,
                         struct oclmm_error *error, struct oclmm_environment *environment)
{
	size_t name = strcspn(at, "=");
	char setting[96];

	for (const char *before = begin; name < length && before < at; before++) {
		bool starts = before == begin || strchr(blanks, before[-1]);

		if (starts && strncmp(before, at, name + 1) == 0)
			return oclmm_error_set(error, -EINVAL, "'%.*s' is set twice", (int)name,
			                       at);
	}
	if (length >= sizeof(setting))
		return oclmm_error_set(error, -EINVAL, "this is no field and its number");
	snprintf(setting, sizeof(setting), "%.*s", (int)length, at);
	return oclmm_environment_parse(setting, error, environment);
}

/* Up to the next semicolon or the end. */
static int parse_one(const char *text, const char **at, struct oclmm_error *error,
                     struct oclmm_environment *ret_environment)
{
	struct oclmm_environment environment = base;
	const char *begin = *at + strspn(*at, blanks), *next = begin;

	if (!*begin || *begin == ';') {
		oclmm_error_set(error, -EINVAL,
		                "here an environment is missing, such as groups=2 lanes=1");
		return refuse_at(error, text, begin, 1);
	}
	while (*next && *next != ';') {
		size_t length = strcspn(next, " \t;");

		if (parse_setting(begin, next, length, error, &environment) < 0)
			return refuse_at(error, text, next, length);
		next += length;
		next += strspn(next, blanks);
	}
	if (oclmm_environment_check_alone(&environment, error) < 0)
		return refuse_at(error, text, begin, strcspn(begin, ";"));
	*at = next;
	*ret_environment = environment;
	return 0;
}

int oclmm_environment_set_parse(const char *text, struct oclmm_error *error,
                                struct oclmm_environment_set *ret_set)
{
	struct oclmm_environment_set set = {.count = 0};
	const char *at = text;

	for (;;) {
		int r;

		if (set.count == OCLMM_ENVIRONMENTS_MAX) {
			oclmm_error_set(error, -EINVAL, "more than %d environments",
			                OCLMM_ENVIRONMENTS_MAX);
			return refuse_at(error, text, at, 1);
		}
		r = parse_one(text, &at, error, &set.environments[set.count++]);
		if (r < 0)
			return r;
		if (!*at)
			break;
		at++;
	}
	*ret_set = set;
	return 0;
}
