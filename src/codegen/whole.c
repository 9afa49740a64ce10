// SPDX-License-Identifier: Apache-2.0
/*
 * The kernel of a text that work-items share: that text, with loops as loops, branches as branches
 * and barriers where they stand. An instance is all its work-groups. A launch has many of them side
 * by side in the first dimension, each with its own objects; so the numbers that a work-item asks
 * for are those of its instance.
 */
#include "internal.h"

#include <stdio.h>
#include <string.h>

static bool is_local(const struct oclmm_program *program, const struct oclmm_shared_parameter *p)
{
	return program->locations[p->location].space == OCLMM_SPACE_LOCAL;
}

uint32_t oclmm_whole_stride(const struct oclmm_location *location)
{
	uint32_t unit = location->unit ? location->unit : 1;

	/* cells behind the object are not part of any; structures and vectors stay aligned */
	return (location->elements + OCLMM_WHOLE_GUARD + unit - 1) / unit * unit;
}

/* ---- numbers within the instance ---- */

static bool uses(const struct oclmm_shared_text *shared, const char *name)
{
	return strstr(shared->body, name) || strstr(shared->before, name);
}

static void write_group(struct oclmm_text *text, const struct oclmm_shared_text *shared,
                        const char *suffix)
{
	if (uses(shared, "get_group_id"))
		oclmm_text_printf(
			text,
			"static size_t oclmm_get_group_id%s(uint d)\n{\n"
			"\treturn d == 0u ? get_group_id(0) %% %uu : get_group_id(d);\n}\n",
			suffix, shared->groups[0]);
	if (uses(shared, "get_num_groups"))
		oclmm_text_printf(text,
		                  "static size_t oclmm_get_num_groups%s(uint d)\n{\n"
		                  "\treturn d == 0u ? %uu : get_num_groups(d);\n}\n",
		                  suffix, shared->groups[0]);
}

/* The global number and size, which depend on the groups before the instance. */
static void write_global(struct oclmm_text *text, const struct oclmm_shared_text *shared,
                         const char *suffix)
{
	uint32_t groups = shared->groups[0], items = shared->items[0];

	if (uses(shared, "get_global_id"))
		oclmm_text_printf(text,
		                  "static size_t oclmm_get_global_id%s(uint d)\n{\n"
		                  "\treturn d == 0u ? get_global_id(0) - get_group_id(0) / %uu * "
		                  "%uu : get_global_id(d);\n}\n",
		                  suffix, groups, groups * items);
	if (uses(shared, "get_global_size"))
		oclmm_text_printf(text,
		                  "static size_t oclmm_get_global_size%s(uint d)\n{\n"
		                  "\treturn d == 0u ? %uu : get_global_size(d);\n}\n",
		                  suffix, groups * items);
	if (!uses(shared, "get_global_linear_id"))
		return;
	oclmm_text_printf(text,
	                  "static size_t oclmm_get_global_linear_id%s(void)\n{\n"
	                  "\treturn ((get_global_id(2) - get_global_offset(2)) * "
	                  "get_global_size(1) + get_global_id(1) - get_global_offset(1)) * %uu + "
	                  "get_group_id(0) %% %uu * get_local_size(0) + get_local_id(0);\n}\n",
	                  suffix, groups * items, groups);
}

static const char *const wrapped[] = {"get_group_id", "get_num_groups", "get_global_id",
                                      "get_global_size", "get_global_linear_id"};

static void define_numbers(struct oclmm_text *text, const struct oclmm_shared_text *shared,
                           const char *suffix)
{
	write_group(text, shared, suffix);
	write_global(text, shared, suffix);
	/* what is not wrapped below is the launch's */
	if (uses(shared, "get_group_id"))
		oclmm_text_printf(text,
		                  "static size_t oclmm_instance%s(void)\n{\n"
		                  "\treturn get_group_id(0) / %uu;\n}\n"
		                  "#define OCLMM_INSTANCE oclmm_instance%s()\n",
		                  suffix, shared->groups[0], suffix);
	else
		oclmm_text_printf(text, "#define OCLMM_INSTANCE (get_group_id(0) / %uu)\n",
		                  shared->groups[0]);
	for (size_t i = 0; i < OCLMM_COUNT(wrapped); i++) {
		bool alone = strstr(wrapped[i], "linear") != NULL;

		if (uses(shared, wrapped[i]))
			oclmm_text_printf(text, "#define %s(%s) oclmm_%s%s(%s)\n", wrapped[i],
			                  alone ? "" : "d", wrapped[i], suffix, alone ? "" : "d");
	}
}

static void undefine_numbers(struct oclmm_text *text, const struct oclmm_shared_text *shared)
{
	for (size_t i = 0; i < OCLMM_COUNT(wrapped); i++)
		if (uses(shared, wrapped[i]))
			oclmm_text_printf(text, "#undef %s\n", wrapped[i]);
	oclmm_text_add(text, "#undef OCLMM_INSTANCE\n");
}

/* ---- the names of its functions and constants, in a text of several kernels ---- */

static void rename_all(struct oclmm_text *text, const struct oclmm_shared_text *shared,
                       const char *suffix, bool begin)
{
	for (uint32_t i = 0; *suffix && i < shared->name_count; i++) {
		if (begin)
			oclmm_text_printf(text, "#define %s %s%s\n", shared->names[i],
			                  shared->names[i], suffix);
		else
			oclmm_text_printf(text, "#undef %s\n", shared->names[i]);
	}
}

/* ---- local objects with values ---- */

static void write_initials(struct oclmm_text *text, const struct oclmm_program *program,
                           const char *suffix)
{
	for (uint32_t i = 0; i < program->location_count; i++) {
		const struct oclmm_location *l = &program->locations[i];

		if (l->space != OCLMM_SPACE_LOCAL || !l->is_given || l->copy_of)
			continue;
		oclmm_text_printf(text, "constant %s oclmm_initial_%s%s[%u] = {",
		                  oclmm_type_spelling(l->type, false), l->name, suffix,
		                  l->elements);
		for (uint32_t e = 0; e < l->elements; e++) {
			oclmm_text_add(text, e ? ", " : "");
			oclmm_write_constant(text, l->type, l->initial[e]);
		}
		oclmm_text_add(text, "};\n");
	}
}

static void write_setup(struct oclmm_text *text, const struct oclmm_program *program,
                        const char *suffix)
{
	bool any = false;

	for (uint32_t i = 0; i < program->location_count; i++) {
		const struct oclmm_location *l = &program->locations[i];

		if (l->space != OCLMM_SPACE_LOCAL || !l->is_given || l->copy_of)
			continue;
		any = true;
		oclmm_text_printf(
			text,
			"  if (get_local_id(0) + get_local_id(1) + get_local_id(2) == 0)\n"
			"    for (uint oclmm_k = 0u; oclmm_k < %uu; oclmm_k++)\n"
			"      ((local %s *)%s)[oclmm_k] = oclmm_initial_%s%s[oclmm_k];\n",
			l->elements, oclmm_type_spelling(l->type, false), l->name, l->name, suffix);
	}
	if (any)
		oclmm_text_add(text, "  barrier(CLK_LOCAL_MEM_FENCE);\n");
}

/* ---- the kernel ---- */

static void write_head(struct oclmm_text *text, const struct oclmm_program *program,
                       const char *suffix)
{
	const struct oclmm_shared_text *shared = program->shared;

	oclmm_text_printf(text, "kernel void oclmm_test%s(", suffix);
	for (uint32_t i = 0; i < shared->parameter_count; i++) {
		const struct oclmm_shared_parameter *p = &shared->parameters[i];
		bool moved = !p->by_value && !is_local(program, p);

		oclmm_text_printf(text, "%s%s%s%s", i ? ", " : "", p->words, p->name,
		                  moved ? "_" : "");
	}
	oclmm_text_add(text, ")\n{\n");
}

static void write_moves(struct oclmm_text *text, const struct oclmm_program *program)
{
	const struct oclmm_shared_text *shared = program->shared;

	for (uint32_t i = 0; i < shared->parameter_count; i++) {
		const struct oclmm_shared_parameter *p = &shared->parameters[i];
		const struct oclmm_location *l;

		if (p->by_value || is_local(program, p))
			continue;
		l = &program->locations[p->location];
		oclmm_text_printf(text, "  %s%s = %s_ + OCLMM_INSTANCE * %uu;\n", p->words, p->name,
		                  p->name, oclmm_whole_stride(l) / (l->unit ? l->unit : 1));
	}
}

static void write_needs(struct oclmm_text *text, const struct oclmm_program *program)
{
	struct oclmm_features features;

	oclmm_program_features(program, &features);
	if (features.atomic_types & oclmm_types_of_width(64))
		oclmm_text_add(text,
		               "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"
		               "#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable\n");
	if (features.sub_groups)
		oclmm_text_add(text, "#ifdef cl_khr_subgroups\n"
		                     "#pragma OPENCL EXTENSION cl_khr_subgroups : enable\n"
		                     "#endif\n");
}

static void write_kernel(struct oclmm_text *text, const struct oclmm_program *program,
                         const char *suffix)
{
	const struct oclmm_shared_text *shared = program->shared;

	write_needs(text, program);
	write_initials(text, program, suffix);
	rename_all(text, shared, suffix, true);
	define_numbers(text, shared, suffix);
	oclmm_text_add(text, shared->before);
	write_head(text, program, suffix);
	write_moves(text, program);
	write_setup(text, program, suffix);
	oclmm_text_add(text, shared->body);
	oclmm_text_add(text, "}\n");
	undefine_numbers(text, shared);
	rename_all(text, shared, suffix, false);
}

void oclmm_generate_whole(const struct oclmm_program *program, struct oclmm_text *ret_source)
{
	oclmm_text_init(ret_source);
	write_kernel(ret_source, program, "");
}
