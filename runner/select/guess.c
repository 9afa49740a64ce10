// SPDX-License-Identifier: Apache-2.0
#include "guess.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "oclmm/base.h"

/* What was meant by a name; a file that is not there is called as its test is. malloc-ed. */
static char *name_meant(const char *pattern, const char *of)
{
	static const char suffix[] = ".litmus";
	const char *slash = of ? NULL : strrchr(pattern, '/');
	char *name = oclmm_strdup(slash ? slash + 1 : pattern);
	size_t length = strlen(name), tail = sizeof(suffix) - 1;

	if (!of && length > tail && strcmp(name + length - tail, suffix) == 0)
		name[length - tail] = '\0';
	return name;
}

void guess_test(const char *pattern, const char *of, const char *const *names, size_t count)
{
	char *meant = name_meant(pattern, of);
	bool whole = false;
	size_t begun = 0;

	for (size_t i = 0; i < count; i++) {
		begun += strncmp(names[i], meant, strlen(meant)) == 0;
		whole = whole || strcmp(names[i], meant) == 0;
	}
	fprintf(stderr, "oclmm: no test%s%s matches \"%s\"%s", of ? " of " : ", file or folder",
	        of ? oclmm_shown(of).text : "", oclmm_shown(pattern).text,
	        suggest(meant, names, count, NULL).text);
	if (*meant && !whole && begun > 1)
		fprintf(stderr, " \"%s*\" is %zu tests", oclmm_shown(meant).text, begun);
	fputc('\n', stderr);
	free(meant);
}
