// SPDX-License-Identifier: Apache-2.0
/* What only a look along the paths of a function tells, for clang's analyzer. */
#include <stdlib.h>
#include <string.h>

struct list {
	struct list *next;
	int value;
};

int planted_null(const struct list *list)
{
	if (list)
		return 0;
	return list->value; /* caught: clang-analyzer-core.NullDereference */
}

char *planted_leak(const char *word)
{
	char *copy = strdup(word);

	if (copy && *copy == '#')
		return NULL; /* caught: clang-analyzer-unix.Malloc */
	return copy;
}

void planted_twice(struct list *list)
{
	free(list);
	free(list); /* caught: clang-analyzer-unix.Malloc */
}

int planted_unset(int wanted)
{
	int value;

	if (wanted > 0)
		value = wanted;
	return value; /* caught: clang-analyzer-core.uninitialized.UndefReturn */
}
