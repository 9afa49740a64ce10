// SPDX-License-Identifier: Apache-2.0
/*
 * Tests that hang cost the time limit twice each. Where some of a file did, its
 * others are likely to and have a part of the limit; where one after the other
 * does, whatever it is, the device is given up.
 */
#include <stdio.h>
#include <string.h>

#include "run.h"

/* Tests in a row that hang before the device is given up. */
enum { HUNG_MOST = 4 };
/* Tests of one file that hang before the others have only a part of the time limit. */
enum { HUNG_ALIKE = 2, LIMIT_PART = 4 };

static unsigned count_alike(const struct run_lane *lane, const struct run_item *item)
{
	return item->test->litmus == lane->hung_file ? lane->hung_alike : 0;
}

double run_hung_limit(const struct run_lane *lane, const struct run_item *item)
{
	return count_alike(lane, item) < HUNG_ALIKE ? 0 : lane->run->options.limit / LIMIT_PART;
}

void run_hung_explain(const struct run_lane *lane, const struct run_item *item,
                      struct worker_result *result)
{
	size_t length = strlen(result->message);
	unsigned others = count_alike(lane, item);

	if (result->end == OCLMM_END_HANG && others >= HUNG_ALIKE)
		snprintf(result->message + length, sizeof(result->message) - length,
		         "; hangs like %u others of its file", others);
}

void run_hung_note(struct run_lane *lane, const struct run_item *item)
{
	const struct run *run = lane->run;

	if (item->result.end != OCLMM_END_HANG) {
		lane->hung = 0;
		return;
	}
	lane->hung_alike = count_alike(lane, item) + 1;
	lane->hung_file = item->test->litmus;
	if (++lane->hung < HUNG_MOST)
		return;
	progress_clear(&run->session->progress);
	options_error(run->command, "%s%s is given up: %u tests in a row hung, each of them twice",
	              run->context.device->name, run_label(lane).text, lane->hung);
	lane->gone = true;
}
