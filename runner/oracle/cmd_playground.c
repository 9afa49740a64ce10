// SPDX-License-Identifier: Apache-2.0
/* oclmm playground: the page on which the oracle runs in a browser. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "oclmm/grade.h"
#include "select/suite.h"

static const struct option_spec options[] = {
	{"output", 'o', "FILE", "write the page there", OPTION_TEXT, 0, NULL},
	{0},
};

static int copy(const struct command *command, const char *from, const char *to)
{
	struct oclmm_text page = {0};
	size_t length;
	char *data;
	int status, r = oclmm_read_file(from, &data, &length);

	if (r < 0) {
		options_error(command, "cannot read %s: %s", from, strerror(-r));
		return OCLMM_EXIT_INFRASTRUCTURE;
	}
	oclmm_text_add_bytes(&page, data, length);
	status = command_write(command, to, &page);
	oclmm_text_finish(&page);
	free(data);
	return status;
}

static int run(const struct command *command, int argc, char **argv)
{
	const char *output = NULL;
	char *page;
	int first, status = options_parse(command, argc, argv, &output, &first);

	if (status)
		return status;
	if (first < argc)
		return options_error(command, "it takes no arguments");
	if (!output)
		return options_error(command, "name the page to write with --output");
	page = data_file("playground.html", "packaging/playground/playground.html");
	if (!page) {
		fputs("oclmm playground: this program was built without the page; it needs\n"
		      "Emscripten and meson configure -Dplayground=enabled (docs/playground.md)\n",
		      stderr);
		return OCLMM_EXIT_NOTHING;
	}
	status = copy(command, page, output);
	free(page);
	return status;
}

const struct command command_playground = {
	.name = "playground",
	.arguments = "",
	.summary = "write a page on which the oracle runs in a browser",
	.description =
		"Exit status: 0 written; 2 usage; 77 this program was built without the page; "
		"99 the page\ncannot be read or written.",
	.options = options,
	.run = run,
};
