// SPDX-License-Identifier: Apache-2.0
/*
 * Jobs as bytes: of programs of the suite and their controls all kernels are the same to the last
 * byte when they have been packed and unpacked.
 */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oclmm/codegen.h"
#include "oclmm/control.h"
#include "oclmm/model.h"
#include "oclmm/syntax.h"
#include "worker/jobs.h"

/* Each so many-th variant of a file, and each so many-th file for its controls. */
enum { STRIDE = 3, CONTROLS_STRIDE = 4 };
/* Seconds of the oracle for a test; those that take longer have no controls here. */
static const double LIMIT = 0.1;

/* What was packed of a program that is no more when it is read back, and its kernels before. */
struct packed {
	char *name;
	struct oclmm_text bytes, kernels;
};

struct totals {
	unsigned programs, controls, wrong;
	struct packed *packed;
	size_t count, capacity;
};

static void add_text(int r, const struct oclmm_error *error, struct oclmm_text *source,
                     struct oclmm_text *all)
{
	if (r < 0) {
		oclmm_text_add(all, error->message);
		return;
	}
	oclmm_text_add(all, oclmm_text_string(source));
	oclmm_text_finish(source);
}

static void add_kernels(const struct oclmm_program *program,
                        const struct oclmm_outcome_space *space, struct oclmm_text *all)
{
	struct oclmm_error error = {0};
	struct oclmm_kernel_plan plan;
	struct oclmm_text source;

	if (oclmm_kernel_plan(program, space, &error, &plan) < 0) {
		oclmm_text_add(all, error.message);
		return;
	}
	for (unsigned form = 0; form < 8 && plan.kernels; form++) {
		const struct oclmm_codegen_options options = {
			.any_count = form & 1,
			.split = (form & 2) && !plan.in_sub_groups,
			.direct = (form & 4) && plan.direct,
			.part = form % plan.kernels,
		};

		add_text(oclmm_generate_test(program, space, &options, &error, &source), &error,
		         &source, all);
	}
	if (!plan.program_bytes)
		add_text(oclmm_generate_count(program, space, NULL, &error, &source), &error,
		         &source, all);
}

static void add_all(const struct oclmm_program *program, const struct oclmm_outcome_space *space,
                    struct oclmm_text *all)
{
	struct oclmm_text source;

	oclmm_program_print(all, program);
	oclmm_text_printf(all, "%s %016llx\n", program->name, (unsigned long long)program->hash);
	if (oclmm_program_has_commands(program)) {
		oclmm_generate_commands(program, &source);
		add_text(0, NULL, &source, all);
	} else if (program->shared) {
		oclmm_generate_whole(program, &source);
		add_text(0, NULL, &source, all);
	} else {
		add_kernels(program, space, all);
	}
}

static void pack(struct totals *totals, const struct oclmm_program *program,
                 const struct oclmm_outcome_space *space)
{
	const struct oclmm_run_request job = {.program = program, .space = space};
	struct packed *packed;

	oclmm_grow(&totals->packed, &totals->capacity, totals->count, sizeof(*totals->packed));
	packed = &totals->packed[totals->count++];
	*packed = (struct packed){.name = strdup(program->name)};
	worker_jobs_pack(&packed->bytes, &job, &(size_t){0}, 1);
	add_all(program, space, &packed->kernels);
	totals->programs++;
}

static void complain(struct totals *totals, const char *name, const char *what)
{
	fprintf(stderr, "%s: %s\n", name, what);
	totals->wrong++;
}

static void read_back(struct totals *totals, struct packed *packed)
{
	struct oclmm_arena *arena = oclmm_arena_create();
	struct wire_reader reader = {.at = packed->bytes.data, .left = packed->bytes.length};
	struct oclmm_text kernels = {0};
	struct oclmm_run_request *job;
	size_t count;

	if (worker_jobs_unpack(&reader, arena, &job, &count) < 0 || count != 1 || reader.left) {
		complain(totals, packed->name, "is not read back");
	} else {
		memset(packed->bytes.data, 0x55, packed->bytes.length);
		add_all(job->program, job->space, &kernels);
		if (strcmp(oclmm_text_string(&packed->kernels), oclmm_text_string(&kernels)) != 0)
			complain(totals, packed->name, "is another program when it is read back");
	}
	oclmm_text_finish(&kernels);
	oclmm_text_finish(&packed->bytes);
	oclmm_text_finish(&packed->kernels);
	free(packed->name);
	oclmm_arena_destroy(arena);
}

static void check_controls(struct totals *totals, const struct oclmm_program *program)
{
	const struct oclmm_check_options options = {.time_limit = LIMIT};
	struct oclmm_expected_file *file = oclmm_expected_create("");
	struct oclmm_controls *controls = NULL;
	struct oclmm_answer *answer;
	struct oclmm_error error;

	if (oclmm_check(program, &options, &error, &answer) == 0) {
		oclmm_expected_add(file, answer, OCLMM_MODEL_CONSENSUS);
		oclmm_answer_destroy(answer);
		if (oclmm_controls_derive(program, oclmm_expected_at(file, 0), 0, &controls) < 0)
			controls = NULL;
	}
	for (uint32_t i = 0; controls && i < controls->count; i++) {
		pack(totals, controls->moved[i].program, controls->moved[i].space);
		totals->controls++;
	}
	oclmm_controls_destroy(controls);
	oclmm_expected_destroy(file);
}

/* Three values of each observable, of some of them one. */
static void check_variant(struct totals *totals, const struct oclmm_program *program)
{
	enum { LARGEST = 6 };
	static int64_t values[] = {0, 1, 2};
	struct oclmm_outcome_space space = {.observable_count = program->observable_count};

	space.domains = oclmm_calloc((size_t)program->observable_count + 1, sizeof(*space.domains));
	for (uint32_t i = 0; i < program->observable_count; i++) {
		space.domains[i].values = values;
		space.domains[i].count = i < LARGEST ? OCLMM_COUNT(values) : 1;
	}
	oclmm_outcome_space_number(&space);
	pack(totals, program, &space);
	free(space.domains);
}

static void check_file(struct totals *totals, const char *path, bool with_controls)
{
	struct oclmm_litmus *litmus;
	struct oclmm_error error;

	if (oclmm_litmus_read(path, NULL, &error, &litmus) < 0) {
		fprintf(stderr, "%s: %s\n", path, error.message);
		totals->wrong++;
		return;
	}
	for (uint32_t i = 0; i < litmus->variant_count; i += STRIDE)
		check_variant(totals, litmus->variants[i].program);
	if (with_controls)
		check_controls(totals, litmus->variants[0].program);
	/* from here on an address of it leads to what the allocator fills it with
	 * (MALLOC_PERTURB_) */
	oclmm_litmus_destroy(litmus);
	for (size_t i = 0; i < totals->count; i++)
		read_back(totals, &totals->packed[i]);
	totals->count = 0;
}

int main(int argc, char **argv)
{
	struct totals totals = {0};
	char pattern[4096];
	glob_t files;

	snprintf(pattern, sizeof(pattern), "%s/*/*.litmus", argc > 1 ? argv[1] : ".");
	if (glob(pattern, 0, NULL, &files) != 0)
		return 1;
	for (size_t i = 0; i < files.gl_pathc; i++)
		check_file(&totals, files.gl_pathv[i], i % CONTROLS_STRIDE == 0);
	globfree(&files);
	free(totals.packed);
	printf("%u programs, %u of them controls; %u wrong\n", totals.programs, totals.controls,
	       totals.wrong);
	return totals.wrong || !totals.controls;
}
