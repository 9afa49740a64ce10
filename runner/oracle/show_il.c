// SPDX-License-Identifier: Apache-2.0
/* The other door, to look at: what run --il would give a device. */
#include <stdio.h>

#include "cli/commands.h"
#include "oclmm/codegen.h"
#include "oclmm/grade.h"
#include "oclmm/spirv.h"
#include "producer/producer.h"
#include "select/select.h"
#include "show.h"

/* As a device that takes everything has it. */
static const struct producer_version version = {1, 2};
static const char options[] = "-cl-std=CL3.0";

static int print(const struct producer *producer, const struct oclmm_text *module,
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
static int compare(const struct oclmm_text *bytes, const char *source,
                   const struct oclmm_program *program, uint32_t threads, struct oclmm_error *error)
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
static int show_text(const struct producer *producer, const struct oclmm_program *program,
                     const char *source, uint32_t threads, struct oclmm_error *error)
{
	struct oclmm_text module;
	struct oclmm_error ignored;
	int r = producer_translate(producer, version, options, source, error, &module), p;

	if (r < 0)
		return r;
	printf("; %s by %s\n", oclmm_shown(program->name).text, producer_words(producer));
	if (!oclmm_program_has_commands(program))
		r = compare(&module, source, program, threads, error);
	p = print(producer, &module, r < 0 ? &ignored : error);
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
static int show_parts(const struct producer *producer, const struct oclmm_program *program,
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
		r = show_text(producer, program, oclmm_text_string(&source),
		              threads_of(&plan, part), error);
		oclmm_text_finish(&source);
	}
	return r;
}

static int show_commands(const struct producer *producer, const struct oclmm_program *program,
                         struct oclmm_error *error)
{
	struct oclmm_text source;
	int r;

	oclmm_generate_commands(program, &source);
	r = show_text(producer, program, oclmm_text_string(&source), 0, error);
	oclmm_text_finish(&source);
	return r;
}

int show_il(const struct oclmm_variant *variant, const char *name)
{
	const struct oclmm_program *program = variant->program;
	struct oclmm_error error = {0};
	struct producer *producer;
	struct oclmm_answer *answer;
	int status = show_ask(program, &answer), r;

	if (status)
		return status;
	r = producer_find(name, &error, &producer);
	if (r == 0) {
		r = oclmm_program_has_commands(program)
		            ? show_commands(producer, program, &error)
		            : show_parts(producer, program, &answer->space, &error);
		producer_destroy(producer);
	}
	oclmm_answer_destroy(answer);
	if (r < 0)
		report_error(&error);
	return r < 0 ? OCLMM_EXIT_INFRASTRUCTURE : 0;
}
