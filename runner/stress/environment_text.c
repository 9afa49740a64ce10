// SPDX-License-Identifier: Apache-2.0
/* An environment as one line of text, `groups=2 lanes=1 …`, for records, profiles and options. */
#include "internal.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name;
	size_t offset;
} fields[] = {
#define OCLMM_X(field, meaning) {#field, offsetof(struct oclmm_environment, field)},
	OCLMM_ENVIRONMENT(OCLMM_X)
#undef OCLMM_X
};

static uint32_t *field_of(struct oclmm_environment *environment, size_t index)
{
	return (uint32_t *)(void *)((char *)environment + fields[index].offset);
}

static int read_setting(const char *name, size_t length, const char *value,
                        struct oclmm_environment *environment, const char **ret_end,
                        struct oclmm_error *error)
{
	for (size_t i = 0; i < OCLMM_COUNT(fields); i++) {
		unsigned long number;
		char *end;

		if (strlen(fields[i].name) != length || memcmp(fields[i].name, name, length) != 0)
			continue;
		errno = 0;
		number = strtoul(value, &end, 10);
		if (!isdigit((unsigned char)*value) || errno || number > UINT32_MAX ||
		    (*end && !isspace((unsigned char)*end)))
			return oclmm_error_set(error, -EINVAL,
			                       "'%s' is not a number that %s can have", value,
			                       fields[i].name);
		*field_of(environment, i) = (uint32_t)number;
		*ret_end = end;
		return 0;
	}
	return oclmm_error_set(error, -EINVAL, "an environment has no field '%.*s'", (int)length,
	                       name);
}

int oclmm_environment_parse(const char *text, struct oclmm_error *error,
                            struct oclmm_environment *environment)
{
	struct oclmm_environment changed = *environment;

	for (;;) {
		size_t length;
		int r;

		text += strspn(text, " \t\n");
		if (!*text)
			break;
		length = strcspn(text, "= \t\n");
		if (text[length] != '=')
			return oclmm_error_set(error, -EINVAL, "'%.*s' has no value", (int)length,
			                       text);
		r = read_setting(text, length, text + length + 1, &changed, &text, error);
		if (r < 0)
			return r;
	}
	*environment = changed;
	return 0;
}
