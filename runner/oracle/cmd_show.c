// SPDX-License-Identifier: Apache-2.0
/* oclmm show: one variant as a litmus file of its own, or its kernels. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/commands.h"
#include "oclmm/codegen.h"
#include "oclmm/control.h"
#include "oclmm/cycle.h"
#include "oclmm/grade.h"
#include "oclmm/spirv.h"
#include "producer/producer.h"
#include "select/select.h"

struct showing {
	bool controls, cycle, il, kernel, numbers;
	const char *producer;
};

static const struct option_spec options[] = {
	{"controls", 'c', NULL, "print what runs beside a test to show what it forbids, instead",
         SETS_FLAG(struct showing, controls)},
	{"cycle", 'y', NULL, "print the cycle of which a test is made, instead",
         SETS_FLAG(struct showing, cycle)},
	{"il", 0, NULL, "print the SPIR-V that run --il would give a device, disassembled, instead",
         SETS_FLAG(struct showing, il)},
	{"kernel", 'k', NULL, "print the generated OpenCL C instead",
         SETS_FLAG(struct showing, kernel)},
	{"numbers", 0, NULL,
         "before each statement the number of its line in the file, which explanations name",
         SETS_FLAG(struct showing, numbers)},
	{"producer", 0, "NAME", "the one of --il, such as llvm-spirv-14 (default: the first found)",
         SETS_TEXT(struct showing, producer)},
	{0},
};

static void show_program(const struct oclmm_program *program, bool numbers)
{
	struct oclmm_text text = {0};

	if (numbers)
		oclmm_program_print_numbered(&text, program);
	else
		oclmm_program_print(&text, program);
	fputs(oclmm_text_string(&text), stdout);
	oclmm_text_finish(&text);
}

/* What oclmm generate makes the test of again, or that it is of another form. */
static void show_cycle(const struct oclmm_variant *variant)
{
	struct oclmm_cycle cycle;
	struct oclmm_text text = {0};

	if (oclmm_cycle_recognise(variant->program, &cycle))
		oclmm_cycle_print(&text, &cycle);
	printf("%s: %s\n", variant->name, text.length ? oclmm_text_string(&text) : "no cycle");
	oclmm_text_finish(&text);
}

/* The oracle's answer, whose outcome space kernels count by. Returns 0 or the status to leave with.
 */
static int ask(const struct oclmm_program *program, struct oclmm_answer **ret_answer)
{
	const struct oclmm_check_options check = {0};
	struct oclmm_error error = {0};

	if (oclmm_check(program, &check, &error, ret_answer) == 0)
		return 0;
	return report_error(&error);
}

/* Those of the threads that are kernels. */
static int show_command_kernels(const struct oclmm_program *program)
{
	struct oclmm_text source;

	if (program->shared)
		oclmm_generate_whole(program, &source);
	else
		oclmm_generate_commands(program, &source);
	fputs(oclmm_text_string(&source), stdout);
	oclmm_text_finish(&source);
	return 0;
}

/* The kernel counts outcomes by their index, so the oracle is asked for the outcome space. */
static int show_kernel(const struct oclmm_program *program)
{
	const struct oclmm_codegen_options codegen = {0};
	struct oclmm_error error = {0};
	struct oclmm_answer *answer;
	struct oclmm_text source = {0};
	int r, status;

	if (oclmm_program_has_commands(program) || program->shared)
		return show_command_kernels(program);
	status = ask(program, &answer);
	if (status)
		return status;
	r = oclmm_generate(program, &answer->space, &codegen, &error, &source);
	if (r < 0)
		report_error(&error);
	else
		fputs(oclmm_text_string(&source), stdout);
	oclmm_text_finish(&source);
	oclmm_answer_destroy(answer);
	return r < 0 ? OCLMM_EXIT_USAGE : 0;
}

static void print_controls(const struct oclmm_controls *controls)
{
	for (uint32_t i = 0; i < controls->count; i++)
		printf("  moved   %s: %s\n", oclmm_shown(controls->moved[i].name).text,
		       oclmm_step_meaning(controls->moved[i].step));
	for (uint32_t i = 0; i < controls->count; i++) {
		putchar('\n');
		show_program(controls->moved[i].program, false);
	}
}

/* All that can be derived; a run takes the first of them. */
static int show_controls(const struct oclmm_variant *variant, const struct oclmm_program *launched)
{
	struct oclmm_expected_file *file;
	struct oclmm_controls *controls = NULL;
	struct oclmm_answer *answer;
	int r, status = ask(variant->program, &answer);

	if (status)
		return status;
	file = oclmm_expected_create("");
	oclmm_expected_add(file, answer, OCLMM_MODEL_CONSENSUS);
	oclmm_answer_destroy(answer);
	r = oclmm_controls_derive(launched, oclmm_expected_at(file, 0), 0, &controls);
	printf("%s\n", oclmm_shown(variant->name).text);
	if (variant->control)
		printf("  weaker  %s\n", oclmm_shown(variant->control).text);
	if (r < 0)
		printf("  it forbids nothing that could be looked for\n");
	else
		print_controls(controls);
	oclmm_controls_destroy(controls);
	oclmm_expected_destroy(file);
	return 0;
}

/* ---- the SPIR-V that run --il would give a device -------------------------------------- */

/* As a device that takes everything has it. */
static const struct producer_version il_version = {1, 2};
static const char il_options[] = "-cl-std=CL3.0";

static int print_module(const struct producer *producer, const struct oclmm_text *module,
                        struct oclmm_error *error)
{
	struct oclmm_text text = {0};
	int r;

	r = producer_disassemble(producer, module, error, &text);
	if (r == 0)
		fputs(oclmm_text_string(&text), stdout);
	oclmm_text_finish(&text);
	return r;
}

/* What is found stands above, as a comment. */
static int compare_module(const struct oclmm_text *bytes, const char *source,
                          const struct oclmm_program *program, uint32_t threads,
                          struct oclmm_error *error)
{
	struct oclmm_spirv_module *module;
	struct oclmm_spirv_found found;
	int r = oclmm_spirv_read(bytes->data, bytes->length, error, &module);

	if (r < 0)
		return r;
	r = oclmm_spirv_check_barriers(module, source, error);
	if (r == 0)
		r = oclmm_spirv_check(module, program, threads, "", error, &found);
	if (r == 0)
		printf("; orders and scopes of %s are the test's, %u of them name no memory\n",
		       oclmm_counted(found.operations, "operation").text, found.classless);
	oclmm_spirv_destroy(module);
	return r;
}

/* Prints it in any case: what differs has to be seen. */
static int show_module(const struct producer *producer, const struct oclmm_program *program,
                       const char *source, uint32_t threads, struct oclmm_error *error)
{
	struct oclmm_text module;
	struct oclmm_error ignored;
	int r = producer_translate(producer, il_version, il_options, source, error, &module), p;

	if (r < 0)
		return r;
	printf("; %s by %s\n", oclmm_shown(program->name).text, producer_words(producer));
	if (!oclmm_program_has_commands(program) && !program->shared)
		r = compare_module(&module, source, program, threads, error);
	p = print_module(producer, &module, r < 0 ? &ignored : error);
	oclmm_text_finish(&module);
	return r < 0 ? r : p;
}

static uint32_t threads_of(const struct oclmm_kernel_plan *plan, uint32_t part)
{
	uint32_t threads = 0;

	for (uint32_t role = 0; role < plan->roles; role++)
		if (plan->role_part[role] == part)
			threads |= 1u << role;
	return threads;
}

/* Each part of a device is a text of its own. */
static int show_il_parts(const struct producer *producer, const struct oclmm_program *program,
                         const struct oclmm_outcome_space *space, struct oclmm_error *error)
{
	struct oclmm_kernel_plan plan;
	int r = oclmm_kernel_plan(program, space, error, &plan);

	for (uint32_t part = 0; r == 0 && part < plan.kernels; part++) {
		const struct oclmm_codegen_options codegen = {.part = part};
		struct oclmm_text source;

		r = oclmm_generate_test(program, space, &codegen, error, &source);
		if (r < 0)
			break;
		r = show_module(producer, program, oclmm_text_string(&source),
		                threads_of(&plan, part), error);
		oclmm_text_finish(&source);
	}
	return r;
}

static int show_il_commands(const struct producer *producer, const struct oclmm_program *program,
                            struct oclmm_error *error)
{
	struct oclmm_text source;
	int r;

	if (program->shared)
		oclmm_generate_whole(program, &source);
	else
		oclmm_generate_commands(program, &source);
	r = show_module(producer, program, oclmm_text_string(&source), 0, error);
	oclmm_text_finish(&source);
	return r;
}

/* The test's kernels as a producer of this machine makes them, and whether they are the test;
 * `name` NULL: the first there is. */
static int show_il(const struct oclmm_variant *variant, const struct oclmm_program *program,
                   const char *name)
{
	struct oclmm_error error = {0};
	struct producer *producer;
	struct oclmm_answer *answer;
	int status = ask(variant->program, &answer), r;

	if (status)
		return status;
	r = producer_find(name, &error, &producer);
	if (r == 0) {
		r = oclmm_program_has_commands(program) || program->shared
		            ? show_il_commands(producer, program, &error)
		            : show_il_parts(producer, program, &answer->space, &error);
		producer_destroy(producer);
	}
	oclmm_answer_destroy(answer);
	if (r < 0)
		report_error(&error);
	return r < 0 ? OCLMM_EXIT_INFRASTRUCTURE : 0;
}

/* ---- the command ------------------------------------------------------------ */

/* `launched`: what a device is given. */
static int show_launched(const struct showing *showing, const struct oclmm_variant *variant,
                         const struct oclmm_program *launched)
{
	if (showing->kernel)
		return show_kernel(launched);
	if (showing->il)
		return show_il(variant, launched, showing->producer);
	return show_controls(variant, launched);
}

static int show_variant(const struct showing *showing, const struct oclmm_variant *variant)
{
	struct oclmm_arena *arena;
	int status = 0;

	if (showing->kernel || showing->il || showing->controls) {
		arena = oclmm_arena_create();
		status = show_launched(showing, variant,
		                       oclmm_program_for_device(arena, variant->program,
		                                                OCLMM_MODEL_OPENCL_2_1));
		oclmm_arena_destroy(arena);
	} else if (showing->cycle) {
		show_cycle(variant);
	} else {
		show_program(variant->program, showing->numbers);
	}
	return status;
}

static int run(const struct command *command, int argc, char **argv)
{
	struct selection selection;
	struct showing showing = {0};
	int first, refused = 0, status = options_parse(command, argc, argv, &showing, &first);

	if (status)
		return status;
	if (showing.producer && !showing.il)
		return options_error(command, "--producer is for --il");
	if (first == argc)
		return options_error(command, "name a test, a file or a pattern");
	status = selection_make_readable(&selection, argv + first, argc - first, &refused);
	for (size_t i = 0; status == 0 && i < selection.count; i++) {
		const struct oclmm_variant *variant = selection.chosen[i].variant;

		if (i && !showing.cycle)
			putchar('\n');
		status = show_variant(&showing, variant);
	}
	if (refused)
		status = refused;
	else if (status == 0 && selection.count == 0)
		status = OCLMM_EXIT_NOTHING;
	selection_finish(&selection);
	return status;
}

const struct command command_show = {
	.name = "show",
	.arguments = "FILE|DIR|PATTERN…",
	.summary = "print tests, their kernels, cycles or controls",
	.options = options,
	.one_of = (const char *const[]){"controls cycle il kernel numbers", NULL},
	.run = run,
};
