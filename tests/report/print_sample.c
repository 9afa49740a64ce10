// SPDX-License-Identifier: Apache-2.0
/* Prints a report of the sample, for the tests that need a file: print_sample KIND
 * [strict|unproven]. */
#include <stdio.h>
#include <string.h>

#include "sample.h"

int main(int argc, char **argv)
{
	const struct oclmm_report_kind *kind = argc > 1 ? oclmm_report_kind(argv[1]) : NULL;
	struct oclmm_text text = {0};
	struct sample sample;

	if (!kind)
		return 2;
	sample_make(&sample, argc > 2 && strcmp(argv[2], "strict") == 0);
	sample.header.unproven_property = argc > 2 && strcmp(argv[2], "unproven") == 0;
	sample_report(&sample, kind, &text);
	fputs(oclmm_text_string(&text), stdout);
	sample_finish(&sample);
	oclmm_text_finish(&text);
	return fflush(stdout) == 0 ? 0 : 99;
}
