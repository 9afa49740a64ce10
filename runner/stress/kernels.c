// SPDX-License-Identifier: Apache-2.0
/* From a program to the kernels that the environments of a run take: each text once. */
#include "internal.h"

#include <stdlib.h>

unsigned oclmm_text_of(const struct oclmm_environment *environment,
                       const struct oclmm_kernel_plan *plan)
{
	/* of wider groups the work-items add to a counter that they share first */
	enum { SUMS_WIDTH = 32 };
	unsigned text = (oclmm_environment_any_count(environment, plan) ? OCLMM_TEXT_ANY_COUNT
	                                                                : 0) |
	                (environment->split ? OCLMM_TEXT_SPLIT : 0);

	if (environment->direct && plan->direct) {
		text |= OCLMM_TEXT_DIRECT;
		if (oclmm_environment_width(environment, plan) <= SUMS_WIDTH)
			text |= OCLMM_TEXT_SUMS;
	}
	if (environment->count_chunked == OCLMM_COUNT_QUADS && !(text & OCLMM_TEXT_DIRECT))
		text |= OCLMM_TEXT_QUADS;
	if (environment->count_lanes == 1 &&
	    environment->count_each >= oclmm_environment_instances(environment) &&
	    !(text & (OCLMM_TEXT_DIRECT | OCLMM_TEXT_QUADS)))
		text |= OCLMM_TEXT_ALONE;
	/* compiling takes most of a run on the devices that count so, and a part of it is stress */
	if (environment->direct && !environment->pre_stress && !environment->stress)
		text |= OCLMM_TEXT_CALM;
	return text;
}

struct oclmm_codegen_options oclmm_text_options(unsigned text)
{
	return (struct oclmm_codegen_options){
		.any_count = text & OCLMM_TEXT_ANY_COUNT,
		.split = text & OCLMM_TEXT_SPLIT,
		.direct = text & OCLMM_TEXT_DIRECT,
		.sums = text & OCLMM_TEXT_SUMS,
		.quads = text & OCLMM_TEXT_QUADS,
		.calm = text & OCLMM_TEXT_CALM,
		.alone = text & OCLMM_TEXT_ALONE,
	};
}

/* Of several texts the hashes are chained. */
static void note_source(const struct oclmm_text *source, struct oclmm_run_result *result)
{
	uint64_t hashes[] = {result->source_hash, oclmm_hash(source->data, source->length)};

	result->source_hash = result->source_hash ? oclmm_hash(hashes, sizeof(hashes)) : hashes[1];
}

static void keep_log(char *log, struct oclmm_run_result *result)
{
	if (!log)
		return;
	free(result->build_log);
	result->build_log = log;
}

/* Whether the module that is made of the session's text says what its program does. */
static int check_il(const struct oclmm_session *session, uint32_t part, const char *source,
                    struct oclmm_error *error)
{
	uint32_t threads = 0;

	for (uint32_t role = 0; role < session->plan.roles; role++)
		if (session->plan.role_part[role] == part)
			threads |= 1u << role;
	return oclmm_device_check_il(session->device, source, &session->program, 1, threads, error);
}

/* Of the text that has only this program's kernel, whatever else it is compiled with. */
static int generate(struct oclmm_session *session, uint32_t part, unsigned text,
                    struct oclmm_error *error, struct oclmm_run_result *result,
                    struct oclmm_text *ret_source)
{
	struct oclmm_codegen_options options = oclmm_text_options(text);
	int r;

	options.part = part;
	session->kernels[part].texts[text].mark = oclmm_kernel_mark(session->program, &options);
	r = oclmm_generate_test(session->program, session->request->space, &options, error,
	                        ret_source);
	if (r == 0)
		note_source(ret_source, result);
	return r;
}

static int build_alone(const struct oclmm_session *session, uint32_t part, const char *source,
                       struct oclmm_error *error, struct oclmm_run_result *result,
                       cl_program *ret_program)
{
	char *log = NULL;
	int r = 0;

	if (oclmm_device_il(session->device))
		r = check_il(session, part, source, error);
	if (r == 0)
		r = oclmm_device_build(session->device, source, error, &log, ret_program);
	keep_log(log, result);
	return r;
}

static int build_test(struct oclmm_session *session, uint32_t part, unsigned text,
                      struct oclmm_error *error, struct oclmm_run_result *result)
{
	struct oclmm_kernels *kernels = &session->kernels[part].texts[text];
	char name[OCLMM_KERNEL_NAME_SIZE] = "oclmm_test";
	struct oclmm_text source;
	int r = generate(session, part, text, error, result, &source);

	if (r < 0)
		return r;
	kernels->test_program = oclmm_joint_program(session, text, name);
	if (!kernels->test_program)
		r = build_alone(session, part, oclmm_text_string(&source), error, result,
		                &kernels->test_program);
	oclmm_text_finish(&source);
	return r < 0 ? r : oclmm_kernel_create(kernels->test_program, name, error, &kernels->test);
}

/* The same text for most variants of a test, so the device keeps the program. */
static int build_shared(struct oclmm_session *session, const char *source, const char *name,
                        cl_kernel *ret_kernel, struct oclmm_error *error,
                        struct oclmm_run_result *result)
{
	cl_program program;
	char *log = NULL;
	int r = oclmm_device_build_shared(session->device, source, error, &log, &program);

	if (r < 0)
		keep_log(log, result);
	else
		free(log);
	return r < 0 ? r : oclmm_kernel_create(program, name, error, ret_kernel);
}

static int build_count(struct oclmm_session *session, unsigned text, struct oclmm_error *error,
                       struct oclmm_run_result *result)
{
	struct oclmm_kernels *kernels = &session->kernels[0].texts[text];
	struct oclmm_codegen_options options = oclmm_text_options(text);
	struct oclmm_text source;
	int r;

	if (session->plan.program_bytes)
		return oclmm_kernel_create(kernels->test_program, "oclmm_count", error,
		                           &kernels->count);
	/* the counting kernel is the same */
	options.split = options.sums = options.calm = false;
	r = oclmm_generate_count(session->program, session->request->space, &options, error,
	                         &source);
	if (r < 0)
		return r;
	r = build_shared(session, oclmm_text_string(&source), "oclmm_count", &kernels->count, error,
	                 result);
	oclmm_text_finish(&source);
	return r;
}

static int build_side(struct oclmm_session *session, struct oclmm_error *error,
                      struct oclmm_run_result *result)
{
	struct oclmm_text source;
	int r;

	oclmm_generate_side(&source);
	r = build_shared(session, oclmm_text_string(&source), "oclmm_side", &session->side, error,
	                 result);
	oclmm_text_finish(&source);
	return r;
}

int oclmm_kernels_build(struct oclmm_session *session, struct oclmm_error *error,
                        struct oclmm_run_result *result)
{
	int r = 0;

	for (uint32_t i = 0; r == 0 && i < session->environment_count; i++) {
		unsigned text = oclmm_text_of(&session->environments[i], &session->plan);

		for (uint32_t part = 0; r == 0 && part < session->plan.kernels; part++)
			if (!session->kernels[part].texts[text].test)
				r = build_test(session, part, text, error, result);
		if (r == 0 && !session->kernels[0].texts[text].count)
			r = build_count(session, text, error, result);
		if (r == 0 && session->environments[i].queue_groups > 0 && !session->side)
			r = build_side(session, error, result);
		if (r == 0 && session->plan.in_sub_groups)
			r = oclmm_sub_groups_fit(session, i, error);
	}
	return r;
}

static void release(cl_kernel kernel)
{
	if (kernel)
		clReleaseKernel(kernel);
}

void oclmm_kernels_destroy(struct oclmm_session *session)
{
	for (int part = 0; part < OCLMM_KERNEL_PARTS; part++) {
		if (session->kernels[part].own)
			clReleaseCommandQueue(session->kernels[part].own);
		for (int i = 0; i < OCLMM_TEXTS; i++) {
			const struct oclmm_kernels *kernels = &session->kernels[part].texts[i];

			release(kernels->test);
			release(kernels->count);
			if (kernels->test_program)
				clReleaseProgram(kernels->test_program);
		}
	}
	release(session->side);
}
