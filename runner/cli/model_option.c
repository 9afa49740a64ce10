// SPDX-License-Identifier: Apache-2.0
#include "model_option.h"

#include <stdio.h>

int option_model(const char *option, const char *name, void *ret_model)
{
	const char *names[OCLMM_MODEL_COUNT];

	(void)option;
	if (oclmm_model_parse(name, ret_model))
		return 0;
	for (int i = 0; i < OCLMM_MODEL_COUNT; i++)
		names[i] = oclmm_model_name((enum oclmm_model)i);
	options_error(options_command(), "unknown model \"%s\"%s", name,
	              suggest(name, names, OCLMM_COUNT(names), NULL).text);
	fputs("there are:\n", stderr);
	for (int i = 0; i < OCLMM_MODEL_COUNT; i++)
		fprintf(stderr, "  %-12s %s\n", names[i],
		        oclmm_model_description((enum oclmm_model)i));
	return OPTIONS_ERROR;
}
