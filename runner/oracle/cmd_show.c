// SPDX-License-Identifier: Apache-2.0
/* oclmm show: one variant as a litmus file of its own, or its kernels. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/commands.h"
#include "oclmm/codegen.h"
#include "oclmm/grade.h"
#include "select/select.h"

enum { OPTION_KERNEL };

static const struct option_spec options[] = {
	[OPTION_KERNEL] = {"kernel", 'k', NULL, "print the generated OpenCL C instead"},
	{0},
};

static int set_option(void *data, int index, const char *value)
{
	bool *kernel = data;

	(void)value;
	if (index == OPTION_KERNEL)
		*kernel = true;
	return 0;
}

static void show_program(const struct oclmm_program *program)
{
	struct oclmm_text text;

	oclmm_text_init(&text);
	oclmm_program_print(&text, program);
	fputs(oclmm_text_string(&text), stdout);
	oclmm_text_finish(&text);
}

/* The kernel counts outcomes by their index, so the oracle is asked for the outcome space. */
static int show_kernel(const struct oclmm_program *program)
{
	const struct oclmm_check_options check = {0};
	const struct oclmm_codegen_options codegen = {0};
	struct oclmm_error error = {0};
	struct oclmm_answer *answer;
	struct oclmm_text source;
	int r = oclmm_check(program, &check, &error, &answer);

	if (r < 0) {
		print_error(&error);
		return OCLMM_EXIT_USAGE;
	}
	oclmm_text_init(&source);
	r = oclmm_generate(program, &answer->space, &codegen, &error, &source);
	if (r < 0)
		print_error(&error);
	else
		fputs(oclmm_text_string(&source), stdout);
	oclmm_text_finish(&source);
	oclmm_answer_destroy(answer);
	return r < 0 ? OCLMM_EXIT_USAGE : 0;
}

static int run(const struct command *command, int argc, char **argv)
{
	struct selection selection;
	bool kernel = false;
	int first, status = options_parse(command, argc, argv, set_option, &kernel, &first);

	if (status)
		return status == OPTIONS_HELP ? 0 : OCLMM_EXIT_USAGE;
	if (first == argc)
		return options_error(command, "name a test, a file or a pattern");
	status = selection_make(&selection, argv + first, argc - first);
	for (size_t i = 0; status == 0 && i < selection.count; i++) {
		const struct oclmm_program *program = selection.chosen[i].variant->program;

		if (i)
			putchar('\n');
		if (kernel)
			status = show_kernel(program);
		else
			show_program(program);
	}
	selection_finish(&selection);
	return status;
}

const struct command command_show = {
	.name = "show",
	.arguments = "FILE|DIR|PATTERN…",
	.summary = "print tests as they are after expansion, or their kernels",
	.options = options,
	.run = run,
};
