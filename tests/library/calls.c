// SPDX-License-Identifier: Apache-2.0
#include "calls.h"

#include <stdio.h>

static bool noted[CALLS_COUNT];
static int wrong;
const char *const calls_names[CALLS_COUNT] = {CALLS_NAMES};
void *calls_found[CALLS_COUNT];

void calls_note(unsigned number)
{
	noted[number] = true;
}

bool calls_check(bool holds, const char *what, const char *file, int line)
{
	if (!holds) {
		printf("%s:%d: not so: %s\n", file, line, what);
		wrong++;
	}
	return holds;
}

/* How many things are wrong: expectations that do not hold, names that nothing used. */
int calls_make(const char *suite, const char *scratch);
int calls_make(const char *suite, const char *scratch)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	call_base(scratch);
	call_words();
	call_programs(suite);
	call_oracle(suite, scratch);
	call_changes();
	call_cat(scratch);
	call_cycles();
	call_kernels(suite);
	call_machine();
	call_results(scratch);
	for (unsigned i = 0; i < CALLS_COUNT; i++) {
		if (!noted[i]) {
			printf("nothing calls %s\n", calls_names[i]);
			wrong++;
		}
	}
	fflush(stdout);
	return wrong;
}

int main(int count, char **arguments)
{
	return count == 3 && calls_make(arguments[1], arguments[2]) == 0 ? 0 : 1;
}
