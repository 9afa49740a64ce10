// SPDX-License-Identifier: Apache-2.0
/* What only a look along the paths of a function tells, for gcc's analyzer. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct list {
	struct list *next;
	int value;
};

void planted_twice(struct list *list)
{
	free(list);
	free(list); /* caught: -Wanalyzer-double-free */
}

int planted_freed(struct list *list)
{
	free(list);
	return list->value; /* caught: -Wanalyzer-use-after-free */
}

int planted_open(const char *path)
{
	FILE *file = fopen(path, "r");

	if (!file)
		return -1;
	return fgetc(file); /* caught: -Wanalyzer-file-leak */
}

void planted_unchecked(size_t size)
{
	char *place = malloc(size + 1);

	place[0] = '\0'; /* caught: -Wanalyzer-possible-null-dereference */
	free(place);
}
