// SPDX-License-Identifier: Apache-2.0
#include "internal.h"

#include <errno.h>
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

static void write_head(struct oclmm_writer *writer, unsigned kernels)
{
	struct oclmm_features features;

	oclmm_program_features(writer->program, &features);
	if (kernels & KERNEL_TEST)
		write_extensions(writer, features.atomic_types);
	if ((kernels & KERNEL_TEST) && features.sub_groups)
		oclmm_text_add(writer->text, "#ifdef cl_khr_subgroups\n"
		                             "#pragma OPENCL EXTENSION cl_khr_subgroups : enable\n"
		                             "#endif\n\n");
	oclmm_write_harness(writer);
}

/* Of all parts, with a blank line behind each. */
static void write_tests(struct oclmm_writer *writer)
{
	writer->together = true;
	for (uint32_t part = 0; part < writer->plan->devices; part++) {
		writer->options.part = part;
		oclmm_write_test_kernel(writer);
		oclmm_text_add(writer->text, "\n");
	}
}

static int generate(const struct oclmm_program *program, const struct oclmm_outcome_space *space,
                    unsigned kernels, const struct oclmm_codegen_options *options,
                    struct oclmm_error *error, struct oclmm_text *ret_source)
{
	struct oclmm_kernel_plan plan;
	struct oclmm_text text;
	struct oclmm_writer writer = {
		.text = &text, .program = program, .plan = &plan, .space = space};
	int r = oclmm_kernel_plan(program, space, error, &plan);

	if (r < 0)
		return r;
	if (options)
		writer.options = *options;
	writer.options.any_count |= plan.in_sub_groups;
	if ((writer.options.direct && !plan.direct) ||
	    (writer.options.split && plan.in_sub_groups) || writer.options.part >= plan.devices)
		return oclmm_error_set(error, -EINVAL, "the program has no such kernels");
	oclmm_text_init(&text);
	write_head(&writer, kernels);
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

int oclmm_generate(const struct oclmm_program *program, const struct oclmm_outcome_space *space,
                   const struct oclmm_codegen_options *options, struct oclmm_error *error,
                   struct oclmm_text *ret_source)
{
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
