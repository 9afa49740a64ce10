// SPDX-License-Identifier: Apache-2.0
/*
 * The suite without a device: the kernels of every litmus file are compiled by
 * clang, translated to SPIR-V, accepted by the validator, and the module says
 * of its program's atomics, fences and barriers what the program says. Of all
 * files, of each variant that needs something of a device which none before
 * needed, and of one other in 64, or in as many as the second argument says; a
 * third one names the producer. Skipped (77) without the tools.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "oclmm/codegen.h"
#include "oclmm/model.h"
#include "oclmm/spirv.h"
#include "producer/producer.h"

enum {
	EXIT_SKIPPED = 77,
	TOGETHER = 8, /* tests in one text: a text costs clang a fifth of a second by itself */
};

/* What translators cannot do, which is told by a run as well (docs/il.md). */
static const struct {
	const char *producer, *tests, *message;
} known[] = {
	{"llvm-spirv-1[45] *", "*",
         "*sub_group_barrier: is to be memory_scope_sub_group, and is memory_scope_work_group*"},
	/* an order or a scope that an argument decides */
	{"llvm-spirv-14 *", "*+chosen*", "*ConstantInt*Assertion*"},
	{"llvm-spirv-15 *", "*type=half*", "*can only be generated for f32 or f64 types*"},
	{"llvm-spirv-14 *", "*type=half*", "*call to 'atomic_fetch_add*' is ambiguous*"},
	{"llvm-spirv-14 *", "*float*", "*atomic_fetch_sub* is missing"},
	/* SPIR-V's instruction takes integers */
	{"llvm-spirv-1[45] *", "@(compare_exchange+bits|load+store+subnormal)*",
         "*arguments of OpAtomicCompareExchange must be*"},
};

struct taken {
	struct oclmm_litmus *litmus;
	struct oclmm_answer *answer;
	const struct oclmm_program *program;
};

static struct {
	const struct producer *producer;
	unsigned long one_in;
	struct taken group[TOGETHER];
	uint32_t count;
	unsigned tests, modules, translators;
} bed;

static const char options[] = "-cl-std=CL3.0";

static int check_module(const struct oclmm_text *bytes, const char *source,
                        const struct oclmm_program *const *programs, uint32_t count,
                        uint32_t threads, struct oclmm_error *error)
{
	struct oclmm_spirv_module *module;
	int r = oclmm_spirv_read(bytes->data, bytes->length, error, &module);

	if (r < 0)
		return r;
	r = oclmm_spirv_check_barriers(module, source, error);
	for (uint32_t i = 0; r == 0 && i < count; i++) {
		char suffix[OCLMM_SUFFIX_SIZE];
		struct oclmm_spirv_found found;

		oclmm_test_suffix(i, suffix);
		r = oclmm_spirv_check(module, programs[i], threads, suffix, error, &found);
	}
	oclmm_spirv_destroy(module);
	return r;
}

/* `count` 0: the kernels of commands, which have nothing to compare. */
static int try_source(const char *source, const struct oclmm_program *const *programs,
                      uint32_t count, uint32_t threads, struct oclmm_error *error)
{
	const struct producer_version version = {1, 2};
	struct oclmm_text module;
	int r = producer_translate(bed.producer, version, options, source, error, &module);

	if (r < 0)
		return r;
	bed.modules++;
	if (count)
		r = check_module(&module, source, programs, count, threads, error);
	oclmm_text_finish(&module);
	return r;
}

static bool is_known(const char *test, const char *message)
{
	for (size_t i = 0; i < OCLMM_COUNT(known); i++) {
		if (oclmm_pattern_matches(known[i].producer, producer_words(bed.producer)) &&
		    oclmm_pattern_matches(known[i].tests, test) &&
		    oclmm_pattern_matches(known[i].message, message))
			return true;
	}
	return false;
}

/* What became of one test. */
static void judge(const struct oclmm_program *program, int r, const struct oclmm_error *error)
{
	bed.tests++;
	if (r == 0)
		return;
	if (is_known(program->name, error->message))
		bed.translators++;
	else
		complain(program->name, "%s", error->message);
}

/* ---- one test by itself ---- */

static uint32_t threads_of(const struct oclmm_kernel_plan *plan, uint32_t part)
{
	uint32_t threads = 0;

	for (uint32_t role = 0; role < plan->roles; role++)
		threads |= (uint32_t)(plan->role_part[role] == part) << role;
	return threads;
}

static int try_part(const struct taken *taken, const struct oclmm_kernel_plan *plan, uint32_t part,
                    struct oclmm_error *error)
{
	const struct oclmm_codegen_options codegen = {.part = part};
	struct oclmm_text source;
	int r = oclmm_generate_test(taken->program, &taken->answer->space, &codegen, error,
	                            &source);

	if (r < 0)
		return r;
	r = try_source(oclmm_text_string(&source), &taken->program, 1, threads_of(plan, part),
	               error);
	oclmm_text_finish(&source);
	return r;
}

static int try_commands(const struct oclmm_program *program, struct oclmm_error *error)
{
	struct oclmm_text source;
	int r;

	if (program->shared)
		oclmm_generate_whole(program, &source);
	else
		oclmm_generate_commands(program, &source);
	r = try_source(oclmm_text_string(&source), NULL, 0, 0, error);
	oclmm_text_finish(&source);
	return r;
}

static void check_alone(const struct taken *taken)
{
	struct oclmm_error error = {0};
	struct oclmm_kernel_plan plan;
	int r;

	if (oclmm_program_has_commands(taken->program) || taken->program->shared) {
		r = try_commands(taken->program, &error);
	} else {
		r = oclmm_kernel_plan(taken->program, &taken->answer->space, &error, &plan);
		for (uint32_t part = 0; r == 0 && part < plan.kernels; part++)
			r = try_part(taken, &plan, part, &error);
	}
	judge(taken->program, r, &error);
}

/* ---- several together ---- */

/* Returns whether they stand in one text. */
static bool generate_group(uint32_t count, struct oclmm_text *ret_source)
{
	const struct oclmm_program *programs[TOGETHER];
	const struct oclmm_outcome_space *spaces[TOGETHER];
	struct oclmm_error ignored;

	for (uint32_t i = 0; i < count; i++) {
		programs[i] = bed.group[i].program;
		spaces[i] = &bed.group[i].answer->space;
		if (oclmm_program_has_commands(programs[i]) || programs[i]->shared)
			return false;
	}
	return oclmm_generate_tests(programs, spaces, count, NULL, &ignored, ret_source) == 0;
}

static void check_group(void)
{
	const struct oclmm_program *programs[TOGETHER];
	struct oclmm_error error = {0};
	struct oclmm_text source;
	int r = -1;

	for (uint32_t i = 0; i < bed.count; i++)
		programs[i] = bed.group[i].program;
	if (bed.count > 1 && generate_group(bed.count, &source)) {
		r = try_source(oclmm_text_string(&source), programs, bed.count, UINT32_MAX, &error);
		oclmm_text_finish(&source);
	}
	for (uint32_t i = 0; i < bed.count; i++) {
		/* which one it was, it says by itself */
		if (r < 0)
			check_alone(&bed.group[i]);
		else
			judge(programs[i], 0, NULL);
		oclmm_answer_destroy(bed.group[i].answer);
		oclmm_litmus_destroy(bed.group[i].litmus);
	}
	bed.count = 0;
}

/* A text of its own program, for the file's do not stay. */
static int copy_program(const struct oclmm_program *program, struct taken *ret_taken)
{
	struct oclmm_error error;
	struct oclmm_text text = {0};
	int r;

	oclmm_program_print(&text, program);
	r = oclmm_litmus_parse(program->name, oclmm_text_string(&text), text.length, NULL, &error,
	                       &ret_taken->litmus);
	oclmm_text_finish(&text);
	if (r < 0)
		return r;
	ret_taken->program = ret_taken->litmus->variants[0].program;
	r = oclmm_check(ret_taken->program, NULL, &error, &ret_taken->answer);
	if (r < 0)
		oclmm_litmus_destroy(ret_taken->litmus);
	return r;
}

static void take(const struct oclmm_program *program)
{
	struct oclmm_text source;
	struct taken last;

	if (copy_program(program, &bed.group[bed.count]) < 0) {
		complain(program->name, "cannot be read again");
		return;
	}
	bed.count++;
	if (bed.count > 1 && !generate_group(bed.count, &source)) {
		last = bed.group[--bed.count];
		check_group();
		bed.group[bed.count++] = last;
	} else if (bed.count > 1) {
		oclmm_text_finish(&source);
	}
	if (bed.count == TOGETHER)
		check_group();
}

/* Whether it needs anything that none before needed. */
static bool needs_more(const struct oclmm_features *f)
{
	static unsigned all[9];
	const unsigned words[] = {
		f->orders,
		f->fence_orders,
		f->scopes,
		f->atomic_types,
		f->floating_types,
		f->float_atomics[0],
		f->float_atomics[1],
		f->float_atomics[2],
		(unsigned)f->local_memory | (unsigned)f->copies << 1 | (unsigned)f->children << 2 |
			(unsigned)f->generic_pointers << 3 | (unsigned)f->sub_groups << 4 |
			(unsigned)f->collectives << 5 | (unsigned)f->program_scope << 6 |
			(unsigned)(f->images > 0) << 7,
	};
	bool more = false;

	for (size_t i = 0; i < OCLMM_COUNT(words); i++) {
		more |= (words[i] & ~all[i]) != 0;
		all[i] |= words[i];
	}
	return more;
}

static void take_file(const struct oclmm_litmus *litmus, void *data)
{
	(void)data;
	for (uint32_t i = 0; i < litmus->variant_count; i++) {
		const struct oclmm_program *program = litmus->variants[i].program;
		struct oclmm_features features;

		oclmm_program_features(program, &features);
		/* threads of the host have no kernel, and producers declare neither split barriers
		 * nor clocks */
		if (!features.devices || features.split_barriers || features.clocks ||
		    is_for_the_oracle(program->name))
			continue;
		if (needs_more(&features) || is_sampled(litmus, i, bed.one_in))
			take(program);
	}
}

int main(int argc, char **argv)
{
	struct producer *producer;
	struct oclmm_error error;

	if (argc < 2 || argc > 4)
		return 2;
	bed.one_in = argc > 2 ? strtoul(argv[2], NULL, 10) : 64;
	if (bed.one_in == 0)
		return 2;
	if (producer_find(argc > 3 ? argv[3] : NULL, &error, &producer) < 0) {
		fprintf(stderr, "%s\n", error.message);
		return EXIT_SKIPPED;
	}
	bed.producer = producer;
	visit_folder(argv[1], take_file, NULL);
	check_group();
	printf("%s: %u tests in %u modules, %u of them beyond it\n", producer_words(producer),
	       bed.tests, bed.modules, bed.translators);
	producer_destroy(producer);
	return complaints || !bed.tests || !bed.modules;
}
