// SPDX-License-Identifier: Apache-2.0
#include "internal.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum kernels {
	KERNEL_TEST = 1,
	KERNEL_COUNT = 2,
};

/* What the atomic types need, each extension once: they stand together in the list of types. */
static void write_extensions(struct oclmm_writer *writer, unsigned types)
{
	const char *before = "";

	for (unsigned type = 0; type < OCLMM_TYPE_COUNT; type++) {
		const char *names = oclmm_type_extensions((enum oclmm_type)type);

		if (!(types >> type & 1) || !*names || !strcmp(names, before))
			continue;
		for (const char *name = names; *name;) {
			int length = (int)strcspn(name, " ");

			oclmm_text_printf(writer->text, "#pragma OPENCL EXTENSION %.*s : enable\n",
			                  length, name);
			name += name[length] ? length + 1 : length;
		}
		oclmm_text_add(writer->text, "\n");
		before = names;
	}
}

/* What all programs of a text need of the compiler. */
static void write_head(struct oclmm_writer *writer, const struct oclmm_program *const *programs,
                       uint32_t count, unsigned kernels)
{
	unsigned types = 0, floating = 0;
	bool sub_groups = false;

	for (uint32_t i = 0; i < count; i++) {
		struct oclmm_features features;

		oclmm_program_features(programs[i], &features);
		types |= features.atomic_types;
		floating |= features.floating_types;
		sub_groups |= features.sub_groups;
	}
	if (!(kernels & KERNEL_TEST))
		types = 0;
	write_extensions(writer, types | floating);
	if ((kernels & KERNEL_TEST) && sub_groups)
		oclmm_text_add(writer->text, "#ifdef cl_khr_subgroups\n"
		                             "#pragma OPENCL EXTENSION cl_khr_subgroups : enable\n"
		                             "#endif\n\n");
	oclmm_write_whole_functions(writer, floating);
	oclmm_write_harness(writer);
}

/* The objects at program scope: of all instances that a launch may have. */
static void write_program_scope(struct oclmm_writer *writer)
{
	for (uint32_t i = 0; i < writer->program->location_count; i++) {
		const struct oclmm_location *l = &writer->program->locations[i];

		if (l->storage != OCLMM_STORAGE_PROGRAM)
			continue;
		oclmm_text_printf(writer->text, "global %s ",
		                  oclmm_type_spelling(l->type, l->atomic));
		oclmm_write_slots(writer, i);
		oclmm_text_printf(writer->text, "[%u];\n",
		                  OCLMM_KERNEL_PROGRAM_BYTES / (oclmm_type_bits(l->type) / 8));
	}
	if (writer->plan->program_bytes)
		oclmm_text_add(writer->text, "\n");
}

/* Of all parts, with a blank line behind each. */
static void write_tests(struct oclmm_writer *writer)
{
	writer->together = true;
	for (uint32_t part = 0; part < writer->plan->kernels; part++) {
		writer->options.part = part;
		oclmm_write_test_kernel(writer);
		oclmm_text_add(writer->text, "\n");
	}
}

/* The plan, and the choices as the program takes them. */
static int choose(struct oclmm_writer *writer, const struct oclmm_codegen_options *options,
                  struct oclmm_kernel_plan *plan, struct oclmm_error *error)
{
	struct oclmm_codegen_options chosen = {0};
	int r = oclmm_kernel_plan(writer->program, writer->space, error, plan);

	if (r < 0)
		return r;
	if (options)
		chosen = *options;
	chosen.any_count |= plan->in_sub_groups;
	if ((chosen.direct && !plan->direct) || (chosen.sums && !chosen.direct) ||
	    (chosen.split && plan->in_sub_groups) || chosen.part >= plan->kernels)
		return oclmm_error_set(error, -EINVAL, "the program has no such kernels");
	writer->plan = plan;
	writer->options = chosen;
	return 0;
}

static int generate(const struct oclmm_program *program, const struct oclmm_outcome_space *space,
                    unsigned kernels, const struct oclmm_codegen_options *options,
                    struct oclmm_error *error, struct oclmm_text *ret_source)
{
	struct oclmm_kernel_plan plan;
	struct oclmm_text text;
	struct oclmm_writer writer = {
		.text = &text, .program = program, .space = space, .suffix = ""};
	int r = choose(&writer, options, &plan, error);

	if (r < 0)
		return r;
	oclmm_text_init(&text);
	/* what is at program scope belongs to one program */
	if (plan.program_bytes)
		kernels = KERNEL_TEST | KERNEL_COUNT;
	write_head(&writer, &program, 1, kernels);
	write_program_scope(&writer);
	if (kernels & KERNEL_TEST)
		oclmm_write_test_functions(&writer);
	if (kernels == KERNEL_TEST)
		oclmm_write_test_kernel(&writer);
	if (kernels == (KERNEL_TEST | KERNEL_COUNT))
		write_tests(&writer);
	if (kernels & KERNEL_COUNT)
		oclmm_write_count_kernel(&writer);
	*ret_source = text;
	return 0;
}

uint32_t oclmm_kernel_mark(const struct oclmm_program *program,
                           const struct oclmm_codegen_options *options)
{
	const uint64_t text[] = {
		program->hash, options->any_count, options->split, options->direct,
		options->sums, options->part,      options->calm,
	};

	return (uint32_t)(oclmm_hash(text, sizeof(text)) << 2) | 2;
}

void oclmm_test_suffix(uint32_t index, char *ret_suffix)
{
	*ret_suffix = '\0';
	if (index)
		snprintf(ret_suffix, OCLMM_SUFFIX_SIZE, "_m%u", index);
}

/* Programs that stand in one text are of one device and take the same launches. */
static int check_alike(const struct oclmm_program *const *programs,
                       const struct oclmm_outcome_space *const *spaces, uint32_t count,
                       const struct oclmm_codegen_options *options, struct oclmm_error *error)
{
	bool any_count = false;

	for (uint32_t i = 0; i < count; i++) {
		struct oclmm_writer writer = {.program = programs[i], .space = spaces[i]};
		struct oclmm_kernel_plan plan;
		int r = choose(&writer, options, &plan, error);

		if (r < 0)
			return r;
		if (i == 0)
			any_count = writer.options.any_count;
		if (count > 1 &&
		    (plan.parts > 1 || plan.program_bytes || writer.options.any_count != any_count))
			return oclmm_error_set(error, -EINVAL, "the programs are not alike");
	}
	return 0;
}

int oclmm_generate_tests(const struct oclmm_program *const *programs,
                         const struct oclmm_outcome_space *const *spaces, uint32_t count,
                         const struct oclmm_codegen_options *options, struct oclmm_error *error,
                         struct oclmm_text *ret_source)
{
	struct oclmm_text text = {0};
	int r = check_alike(programs, spaces, count, options, error);

	if (r < 0)
		return r;
	for (uint32_t i = 0; i < count; i++) {
		char suffix[OCLMM_SUFFIX_SIZE];
		struct oclmm_kernel_plan plan;
		struct oclmm_writer writer = {.text = &text,
		                              .program = programs[i],
		                              .space = spaces[i],
		                              .suffix = suffix};

		oclmm_test_suffix(i, suffix);
		choose(&writer, options, &plan, error); /* it was well above */
		if (i == 0) {
			write_head(&writer, programs, count, KERNEL_TEST);
			oclmm_write_test_functions(&writer);
		} else {
			oclmm_text_add(&text, "\n");
		}
		oclmm_write_test_kernel(&writer);
	}
	*ret_source = text;
	return 0;
}

int oclmm_generate(const struct oclmm_program *program, const struct oclmm_outcome_space *space,
                   const struct oclmm_codegen_options *options, struct oclmm_error *error,
                   struct oclmm_text *ret_source)
{
	if (oclmm_program_has_commands(program)) {
		oclmm_generate_commands(program, ret_source);
		return 0;
	}
	return generate(program, space, KERNEL_TEST | KERNEL_COUNT, options, error, ret_source);
}

int oclmm_generate_test(const struct oclmm_program *program,
                        const struct oclmm_outcome_space *space,
                        const struct oclmm_codegen_options *options, struct oclmm_error *error,
                        struct oclmm_text *ret_source)
{
	return generate(program, space, KERNEL_TEST, options, error, ret_source);
}

int oclmm_generate_count(const struct oclmm_program *program,
                         const struct oclmm_outcome_space *space,
                         const struct oclmm_codegen_options *options, struct oclmm_error *error,
                         struct oclmm_text *ret_source)
{
	return generate(program, space, KERNEL_COUNT, options, error, ret_source);
}
