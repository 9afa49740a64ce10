// SPDX-License-Identifier: Apache-2.0
/* The texts of kernels: what all of a text call, then one kernel after the other. */
#include "internal.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum kernels {
	KERNEL_TEST = 1,
	KERNEL_COUNT = 2,
};

/* ---- what does not depend on the program ---- */

static const char slot_function[] =
	"/* Where an instance's object stands: an odd multiplier makes this a permutation under "
	"the mask. */\n"
	"static uint oclmm_slot(oclmm_layout where, uint instance, uint mask)\n"
	"{\n"
	"\treturn where.base + ((instance * (where.multiplier | 1u) + where.addend) & mask) * "
	"where.stride;\n"
	"}\n"
	"\n";

/* The same where few launches permute: roles whose objects lie side by side do not wait for the
 * multiplications. */
static const char short_slot_function[] =
	"/* Where an instance's object stands: an odd multiplier makes this a permutation under "
	"the mask. */\n"
	"static uint oclmm_slot(oclmm_layout where, uint instance, uint mask)\n"
	"{\n"
	"\tif (where.multiplier == 1u && where.addend == 0u && where.stride == 1u)\n"
	"\t\treturn where.base + instance;\n"
	"\treturn where.base + ((instance * (where.multiplier | 1u) + where.addend) & mask) * "
	"where.stride;\n"
	"}\n"
	"\n";

/*
 * mul_hi(x, inverse) lies less than one below x / n, so that one subtraction
 * puts the rest right. `inverse` is (2^32 - 1) / n, and this holds for n = 1 too.
 */
static const char any_count_functions[] =
	"/* x mod n without a division; the inverse of n is (2^32 - 1) / n. */\n"
	"static uint oclmm_modulo(uint x, uint n, uint inverse)\n"
	"{\n"
	"\tconst uint rest = x - mul_hi(x, inverse) * n;\n"
	"\n"
	"\treturn rest < n ? rest : rest - n;\n"
	"}\n"
	"\n"
	"/* x mod n where x < 2 n. */\n"
	"static uint oclmm_turn(uint x, uint n)\n"
	"{\n"
	"\treturn x < n ? x : x - n;\n"
	"}\n"
	"\n"
	"/* Where an instance's object stands: a multiplier without a divisor in common with the "
	"number of\n"
	" * instances makes this a permutation, and one that is small enough keeps it below 2^32. "
	"*/\n"
	"static uint oclmm_slot(oclmm_layout where, uint instance, uint instances, uint inverse)\n"
	"{\n"
	"\treturn where.base + oclmm_modulo(instance * where.multiplier + where.addend, instances, "
	"inverse) *\n"
	"\t                    where.stride;\n"
	"}\n"
	"\n";

/* Called once for each object and role, before the first round: a compiler that takes them into
 * each kernel takes longer. */
static const char step_functions[] =
	"/* The place of an instance, and the way to that of the next round. */\n"
	"__attribute__((noinline))\n"
	"static uint oclmm_first(oclmm_layout where, uint instance, uint instances, uint inverse)\n"
	"{\n"
	"\treturn oclmm_modulo(instance * where.multiplier + where.addend, instances, inverse);\n"
	"}\n"
	"\n"
	"__attribute__((noinline))\n"
	"static uint oclmm_step(oclmm_layout where, uint width, uint instances, uint inverse)\n"
	"{\n"
	"\treturn oclmm_modulo(width * where.multiplier, instances, inverse);\n"
	"}\n"
	"\n";

static const char stress_function[] =
	"/* Memory traffic beside the test, on lines that no instance uses. Nothing stored is 0. "
	"*/\n"
	"static void oclmm_stress(volatile global uint *line, uint operations, uint pattern)\n"
	"{\n"
	"\tuint seen = 0u;\n"
	"\n"
	"\tfor (uint n = 0u; n < operations; n++) {\n"
	"\t\tif (pattern & 2u)\n"
	"\t\t\t*line = n | 1u;\n"
	"\t\telse\n"
	"\t\t\tseen += *line;\n"
	"\t\tif (pattern & 1u)\n"
	"\t\t\t*line = seen | 1u;\n"
	"\t\telse\n"
	"\t\t\tseen += *line;\n"
	"\t}\n"
	"}\n"
	"\n";

static void write_types(struct oclmm_text *text)
{
	oclmm_text_add(
		text,
		"typedef struct {\n\tuint base, stride, multiplier, addend;\n} oclmm_layout;\n\n");
	oclmm_text_add(text, "typedef struct {\n");
#define OCLMM_X(name, meaning) oclmm_text_add(text, "\tuint " #name "; /* " meaning " */\n");
	OCLMM_PARAMETERS(OCLMM_X)
#undef OCLMM_X
	oclmm_text_printf(text,
	                  "\tuint group_shift[%d];\n\tuint lane_shift[%d];\n\tuint sub_shift[%d];\n"
	                  "\toclmm_layout location[%d];\n} oclmm_parameters;\n\n",
	                  OCLMM_KERNEL_ROLES, OCLMM_KERNEL_ROLES, OCLMM_KERNEL_ROLES,
	                  OCLMM_KERNEL_LOCATIONS);
}

/* ---- what all test kernels of a text call ---- */

static const char meet_function[] =
	"/* Waits a little for the same lane of the other places. Failing to meet is no error. */\n"
	"static uint oclmm_meet(volatile global uint *meeting, uint wanted, uint polls, uint "
	"budget)\n"
	"{\n"
	"\t%s(meeting);\n"
	"\tfor (uint n = 0u; n < polls && budget != 0u && *meeting < wanted; n++)\n"
	"\t\tbudget--;\n"
	"\treturn budget;\n"
	"}\n"
	"\n";

/* The same where others than one device's kernel come. */
static const char meet_all_function[] =
	"/* Waits a little for the others, on this device or not. Failing to meet is no error. */\n"
	"static uint oclmm_meet(volatile global uint *meeting, uint wanted, uint polls, uint "
	"budget)\n"
	"{\n"
	"\tvolatile global atomic_uint *met = (volatile global atomic_uint *)meeting;\n"
	"\n"
	"\tatomic_fetch_add_explicit(met, 1u, memory_order_relaxed, "
	"memory_scope_all_svm_devices);\n"
	"\tfor (uint n = 0u; n < polls && budget != 0u &&\n"
	"\t                 atomic_load_explicit(met, memory_order_relaxed, "
	"memory_scope_all_svm_devices) < wanted; n++)\n"
	"\t\tbudget--;\n"
	"\treturn budget;\n"
	"}\n"
	"\n";

/* Of the global and the local size in each dimension. */
static const uint32_t shape_factors[3][2] = {{0x9e3779b1, 0x85ebca77},
                                             {0xc2b2ae3d, 0x27d4eb2f},
                                             {0x165667b1, 0x2545f491}};

uint32_t oclmm_launch_shape(const size_t global[3], const size_t local[3])
{
	uint32_t shape = 0;

	for (size_t i = 0; i < 3; i++)
		shape += (uint32_t)global[i] * shape_factors[i][0] +
		         (uint32_t)local[i] * shape_factors[i][1];
	return shape;
}

static void write_astray_function(struct oclmm_writer *writer)
{
	oclmm_put(writer,
	          "/* Whether a global id is not its group's and its place there, behind the "
	          "offset, or the\n"
	          " * sizes are not the launch's. */\n"
	          "static bool oclmm_astray(uint x, uint y, uint z, uint shape)\n"
	          "{\n");
	for (int i = 0; i < 3; i++)
		oclmm_put(writer,
		          "\tshape -= (uint)get_global_size(%d) * 0x%08xu + "
		          "(uint)get_local_size(%d) * 0x%08xu;\n",
		          i, shape_factors[i][0], i, shape_factors[i][1]);
	oclmm_put(writer,
	          "\treturn (uint)get_global_id(0) != x + (uint)(get_group_id(0) * "
	          "get_local_size(0) + get_local_id(0)) ||\n"
	          "\t       (uint)get_global_id(1) != y + (uint)(get_group_id(1) * "
	          "get_local_size(1) + get_local_id(1)) ||\n"
	          "\t       (uint)get_global_id(2) != z + (uint)(get_group_id(2) * "
	          "get_local_size(2) + get_local_id(2)) ||\n"
	          "\t       (uint)get_global_offset(0) != x || (uint)get_global_offset(1) != y "
	          "||\n"
	          "\t       (uint)get_global_offset(2) != z || shape != 0u;\n"
	          "}\n"
	          "\n");
}

static void write_test_functions(struct oclmm_writer *writer)
{
	write_astray_function(writer);
	if (!writer->options.calm)
		oclmm_text_add(writer->text, stress_function);
	if (oclmm_on_one_device(writer->plan))
		oclmm_put(writer, meet_function, oclmm_own_function(writer, OCLMM_OWN_INC));
	else
		oclmm_text_add(writer->text, meet_all_function);
	if (writer->options.sums)
		oclmm_write_add_function(writer, "_sum", "global");
	else if (writer->options.direct)
		oclmm_write_add_function(writer, "_local", "local");
}

/* ---- what programs need of the compiler ---- */

/*
 * The pairs of oclmm_value_of_bits(). A whole number is known by its bits: comparisons may flush
 * what is subnormal, and take -0.0 for 0.0. A conversion that saturates has a result for any value.
 */
static void write_value_functions(struct oclmm_writer *writer, unsigned types)
{
	static const char *const words[] = {"short", "int", "long"};

	for (unsigned i = OCLMM_TYPE_HALF; i < OCLMM_TYPE_HALF + OCLMM_FLOAT_TYPES; i++) {
		enum oclmm_type type = (enum oclmm_type)i;
		const char *name = oclmm_type_spelling(type, false),
			   *word = words[i - OCLMM_TYPE_HALF],
			   *number = oclmm_type_observed_bits(type) == 64 ? "long" : "int";
		unsigned long long most = oclmm_type_greatest(type);

		if (types >> i & 1)
			oclmm_put(writer,
			          "static %s %s%s value)\n"
			          "{\n"
			          "\tconst %s bits = as_%s(value), whole = convert_%s_sat(value);\n"
			          "\n"
			          "\tif (as_%s((%s)whole) == bits && whole >= -%llu && "
			          "whole <= %llu)\n"
			          "\t\treturn whole;\n"
			          "\treturn bits < -%llu || bits > %llu ? bits : as_%s((%s)bits);\n"
			          "}\n\n",
			          number, oclmm_observe_opening(type), name, word, word, word, word,
			          name, most, most, most, most, word, name);
	}
}

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

			oclmm_put(writer, "#pragma OPENCL EXTENSION %.*s : enable\n", length, name);
			name += name[length] ? length + 1 : length;
		}
		oclmm_put(writer, "\n");
		before = names;
	}
}

/* What programs need of the compiler. */
static void write_needs(struct oclmm_writer *writer, const struct oclmm_program *const *programs,
                        uint32_t count, unsigned kernels)
{
	unsigned types = 0, floating = 0;
	bool sub_groups = false;

	if (writer->options.change)
		oclmm_change_macros(writer->options.change, writer->text);
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
		oclmm_put(writer, "#ifdef cl_khr_subgroups\n"
		                  "#pragma OPENCL EXTENSION cl_khr_subgroups : enable\n"
		                  "#endif\n\n");
	write_value_functions(writer, floating);
}

/* What stands before all kernels of a text. */
static void write_head(struct oclmm_writer *writer, const struct oclmm_program *const *programs,
                       uint32_t count, unsigned kernels)
{
	write_needs(writer, programs, count, kernels);
	write_types(writer->text);
	oclmm_text_add(writer->text, writer->options.any_count   ? any_count_functions
	                             : oclmm_is_for_gpus(writer) ? short_slot_function
	                                                         : slot_function);
	if ((kernels & KERNEL_TEST) && oclmm_has_steps(writer))
		oclmm_text_add(writer->text, step_functions);
}

/* The value that a text says a variable begins with; 0: none. */
static int64_t initialiser_of(const struct oclmm_writer *writer, const struct oclmm_location *l)
{
	const struct oclmm_mutation *change = writer->options.change;
	const int64_t dirt = 5;

	if (l->storage != OCLMM_STORAGE_PROGRAM)
		return 0;
	if (change && change->what == OCLMM_WHAT_VARIABLE_DIRTY && !l->initial[0] &&
	    !oclmm_type_is_floating(l->type))
		return dirt;
	if (change && change->what == OCLMM_WHAT_INITIALISER_LOST)
		return 0;
	return oclmm_location_has_initialiser(l) ? l->initial[0] : 0;
}

/* The elements of a variable at program scope. */
static uint32_t count_of(const struct oclmm_location *l)
{
	return OCLMM_KERNEL_PROGRAM_BYTES / (oclmm_type_bits(l->type) / 8);
}

/* `OCLMM_16384(v)`, those that it consists of, and larger ones for smaller types. */
static void write_repetitions(struct oclmm_writer *writer, uint32_t most)
{
	oclmm_put(writer, "#define OCLMM_2(v) v, v\n");
	for (uint32_t n = 4; n <= most; n *= 2)
		oclmm_put(writer, "#define OCLMM_%u(v) OCLMM_%u(v), OCLMM_%u(v)\n", n, n / 2,
		          n / 2);
}

/* `= {OCLMM_16384(7)}`: what a device has to set up before the first launch. Where elements begin
 * differently, a launch that sets them up goes before it. */
static void write_initialiser(struct oclmm_writer *writer, const struct oclmm_location *l,
                              uint32_t count)
{
	const bool copies = oclmm_copies_variables(writer);

	oclmm_put(writer, copies ? " = {" : " = ");
	for (int i = 0; i < 1 + copies; i++) {
		oclmm_put(writer, "%s{OCLMM_%u(", i ? ", " : "", count);
		oclmm_write_constant(writer->text, l->type, initialiser_of(writer, l));
		oclmm_put(writer, ")}");
	}
	oclmm_put(writer, copies ? "}" : "");
}

/* The objects at program scope: of all instances that a launch may have. */
static void write_program_scope(struct oclmm_writer *writer)
{
	const struct oclmm_program *program = writer->program;
	uint32_t most = OCLMM_KERNEL_PROGRAM_BYTES / 4;
	bool any = false;

	for (uint32_t i = 0; i < program->location_count; i++) {
		const struct oclmm_location *l = &program->locations[i];

		if (!initialiser_of(writer, l))
			continue;
		any = true;
		most = count_of(l) > most ? count_of(l) : most;
	}
	if (any)
		write_repetitions(writer, most);
	for (uint32_t i = 0; i < program->location_count; i++) {
		const struct oclmm_location *l = &program->locations[i];

		if (l->storage != OCLMM_STORAGE_PROGRAM)
			continue;
		oclmm_put(writer, "global %s ", oclmm_type_spelling(l->type, l->atomic));
		oclmm_write_object(writer, WRITE_VARIABLE, i);
		oclmm_put(writer, "%s[%u]", oclmm_copies_variables(writer) ? "[2]" : "",
		          count_of(l));
		if (initialiser_of(writer, l))
			write_initialiser(writer, l, count_of(l));
		oclmm_put(writer, ";\n");
	}
	if (writer->plan->program_bytes)
		oclmm_put(writer, "\n");
}

/* Of all parts, with a blank line behind each. */
static void write_tests(struct oclmm_writer *writer)
{
	writer->together = true;
	for (uint32_t part = 0; part < writer->plan->kernels; part++) {
		writer->options.part = part;
		oclmm_write_test_kernel(writer);
		oclmm_put(writer, "\n");
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

/* Takes the program as a change has it, with the plan and all else of the original. Returns an
 * arena, or NULL where there is no change. */
static struct oclmm_arena *change(struct oclmm_writer *writer)
{
	struct oclmm_arena *arena;

	writer->original = writer->program;
	if (!writer->options.change)
		return NULL;
	arena = oclmm_arena_create();
	writer->program =
		oclmm_change_program(arena, writer->original, writer->options.change).program;
	return arena;
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
	struct oclmm_arena *arena;

	if (r < 0)
		return r;
	arena = change(&writer);
	oclmm_text_init(&text);
	/* what is at program scope belongs to one program */
	if (plan.program_bytes)
		kernels = KERNEL_TEST | KERNEL_COUNT;
	write_head(&writer, &program, 1, kernels);
	write_program_scope(&writer);
	if (kernels & KERNEL_TEST)
		write_test_functions(&writer);
	if (kernels == KERNEL_TEST)
		oclmm_write_test_kernel(&writer);
	if (kernels == (KERNEL_TEST | KERNEL_COUNT))
		write_tests(&writer);
	if (kernels & KERNEL_COUNT)
		oclmm_write_count_kernel(&writer);
	if (arena)
		oclmm_arena_destroy(arena);
	*ret_source = text;
	return 0;
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
	int r;

	/* which may have objects at program scope */
	if (count == 1)
		return generate(programs[0], spaces[0], KERNEL_TEST, options, error, ret_source);
	r = check_alike(programs, spaces, count, options, error);
	if (r < 0)
		return r;
	for (uint32_t i = 0; i < count; i++) {
		char suffix[OCLMM_SUFFIX_SIZE];
		struct oclmm_kernel_plan plan;
		struct oclmm_writer writer = {.text = &text,
		                              .program = programs[i],
		                              .space = spaces[i],
		                              .suffix = suffix};
		struct oclmm_arena *arena;

		oclmm_test_suffix(i, suffix);
		choose(&writer, options, &plan, error); /* it was well above */
		arena = change(&writer);
		if (i == 0) {
			write_head(&writer, programs, count, KERNEL_TEST);
			write_test_functions(&writer);
		} else {
			oclmm_text_add(&text, "\n");
		}
		oclmm_write_test_kernel(&writer);
		if (arena)
			oclmm_arena_destroy(arena);
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
	if (program->shared) {
		oclmm_generate_whole(program, ret_source);
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

/* ---- a kernel that stands alone ---- */

/* From a buffer into the variable, and back: only kernels reach it. */
static void write_lone_variables(struct oclmm_writer *writer)
{
	for (uint32_t i = 0; i < writer->program->location_count; i++) {
		const struct oclmm_location *l = &writer->program->locations[i];
		const char *type = oclmm_type_spelling(l->type, false);

		if (l->storage != OCLMM_STORAGE_PROGRAM)
			continue;
		for (int set = 1; set >= 0; set--) {
			oclmm_put(
				writer,
				"kernel void %s_%u(global %s *buffer)\n{\n\tglobal %s *variable = "
				"(global %s *)",
				set ? "set" : "get", i, type, type, type);
			oclmm_write_slots(writer, i);
			oclmm_put(writer,
			          ";\n\n\t%s[get_global_id(0)] = %s[get_global_id(0)];\n}\n\n",
			          set ? "variable" : "buffer", set ? "buffer" : "variable");
		}
	}
}

int oclmm_generate_lone(const struct oclmm_program *program,
                        const struct oclmm_outcome_space *space, const struct oclmm_lone *lone,
                        struct oclmm_error *error, struct oclmm_text *ret_source)
{
	const struct oclmm_codegen_options options = {.change = lone->change};
	struct oclmm_kernel_plan plan;
	struct oclmm_text text;
	struct oclmm_writer writer = {
		.text = &text, .program = program, .space = space, .suffix = "", .lone = lone};
	int r = choose(&writer, &options, &plan, error);
	struct oclmm_arena *arena;

	if (r < 0)
		return r;
	writer.options.split = true;
	arena = change(&writer);
	oclmm_text_init(&text);
	write_needs(&writer, &program, 1, KERNEL_TEST);
	write_program_scope(&writer);
	write_lone_variables(&writer);
	oclmm_put(&writer, "struct environment { uint pairs, lanes, rounds, stride%s%s; };\n",
	          lone->meets ? ", polls" : "", lone->stresses ? ", busy, stress" : "");
	for (uint32_t part = 0; part < plan.kernels; part++) {
		oclmm_put(&writer, part ? "\n" : "");
		writer.options.part = part;
		oclmm_write_lone_kernel(&writer);
	}
	if (arena)
		oclmm_arena_destroy(arena);
	*ret_source = text;
	return 0;
}

void oclmm_generate_lone_host(const struct oclmm_program *program, uint32_t thread, unsigned depth,
                              struct oclmm_text *text)
{
	static const struct oclmm_kernel_plan plan = {0};
	const struct oclmm_lone lone = {0};
	struct oclmm_writer writer = {.text = text,
	                              .program = program,
	                              .original = program,
	                              .plan = &plan,
	                              .suffix = "",
	                              .depth = depth,
	                              .lone = &lone,
	                              .host = true};

	oclmm_write_inlined_state(&writer, thread);
	oclmm_write_inlined(&writer, thread, 0);
}

void oclmm_generate_side(struct oclmm_text *ret_source)
{
	oclmm_text_init(ret_source);
	write_types(ret_source);
	oclmm_text_add(ret_source, stress_function);
	oclmm_text_add(
		ret_source,
		"kernel void oclmm_side(\n"
		"\tvolatile global uint *scratch,\n"
		"\tconst oclmm_parameters p)\n"
		"{\n"
		"\tconst uint line = (get_group_id(0) + get_local_id(0)) & (p.stress_lines - 1u);\n"
		"\n"
		"\toclmm_stress(scratch + line * p.stress_stride, p.stress, p.stress_pattern);\n"
		"}\n");
}
