// SPDX-License-Identifier: Apache-2.0
#include "test_name.h"

#include <stdio.h>
#include <string.h>

#include "oclmm/base.h"

char *test_name_peek(const char *path)
{
	static const char word[] = "OPENCL ";
	char line[256];
	FILE *file = fopen(path, "re");
	const char *name = NULL;
	size_t length;

	if (!file)
		return NULL;
	if (fgets(line, sizeof(line), file) && strncmp(line, word, sizeof(word) - 1) == 0)
		name = line + sizeof(word) - 1;
	fclose(file);
	length = name ? strcspn(name, " \t\r\f\v{\n") : 0;
	if (length == 0 || strcmp(name + length, "\n") != 0)
		return NULL;
	line[name + length - line] = '\0';
	return oclmm_strdup(name);
}

bool test_name_may_be(const char *name, const char *called)
{
	size_t length = strlen(name);

	return strncmp(called, name, length) == 0 &&
	       (called[length] == '\0' || called[length] == '.');
}

/* How much of a pattern stands for itself. */
static size_t literal_length(const char *pattern)
{
	size_t length = 0;

	while (pattern[length] && !strchr("*?[\\", pattern[length]) &&
	       !(strchr("+@!", pattern[length]) && pattern[length + 1] == '('))
		length++;
	return length;
}

bool test_name_may_match(const char *name, const char *pattern)
{
	size_t length = literal_length(pattern), whole = strlen(name);

	if (length <= whole)
		return strncmp(name, pattern, length) == 0 &&
		       (pattern[length] != '\0' || length == whole);
	return strncmp(name, pattern, whole) == 0 && pattern[whole] == '.';
}
