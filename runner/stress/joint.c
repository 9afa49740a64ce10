// SPDX-License-Identifier: Apache-2.0
/* Test kernels of several programs in one text. */
#include "internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

uint64_t oclmm_joint_texts(const struct oclmm_program *program,
                           const struct oclmm_outcome_space *space,
                           const struct oclmm_environment *environments, uint32_t count)
{
	struct oclmm_kernel_plan plan;
	struct oclmm_error ignored;
	uint64_t texts = 0;

	/* what is at program scope belongs to one program */
	if (oclmm_kernel_plan(program, space, &ignored, &plan) < 0 || plan.parts > 1 ||
	    plan.program_bytes)
		return 0;
	for (uint32_t i = 0; i < count; i++)
		texts |= UINT64_C(1) << oclmm_text_of(&environments[i], &plan);
	return texts;
}

/* Whether a program of the session's joint takes a text, on its device. */
static bool takes(const struct oclmm_session *session, unsigned text, uint32_t number)
{
	const struct oclmm_joint *joint = session->joint->joint;
	const struct oclmm_program *program = joint->programs[number];
	const struct oclmm_environment *own = joint->environments[number];
	char missing[8];

	if (oclmm_device_supports(session->device, program, missing, sizeof(missing)) ==
	    OCLMM_SUPPORT_UNSUPPORTED)
		return false;
	return oclmm_joint_texts(program, joint->spaces[number], own ? own : session->environments,
	                         own ? joint->environment_counts[number]
	                             : session->environment_count) >>
	               text &
	       1;
}

/* Each of the programs has one part, which plays all of its roles. */
static int compile(struct oclmm_device *device, const struct oclmm_program *const *programs,
                   uint32_t count, const char *source, bool lasts, cl_program *ret_program)
{
	struct oclmm_error ignored;
	char *log = NULL;
	int r = 0;

	if (oclmm_device_il(device))
		r = oclmm_device_check_il(device, source, programs, count, UINT32_MAX, &ignored);
	if (r == 0 && !lasts)
		r = oclmm_device_build(device, source, &ignored, &log, ret_program);
	if (r == 0 && lasts)
		r = oclmm_device_build_shared(device, source, &ignored, &log, ret_program);
	free(log);
	/* each who has it releases it */
	if (r == 0 && lasts && clRetainProgram(*ret_program) != CL_SUCCESS)
		r = -EIO;
	return r;
}

static void build(const struct oclmm_session *session, unsigned text)
{
	const struct oclmm_joint *joint = session->joint->joint;
	struct oclmm_joint_text *built = &session->joint->texts[text];
	const struct oclmm_codegen_options options = oclmm_text_options(text);
	const struct oclmm_outcome_space *spaces[OCLMM_JOINT_MOST];
	const struct oclmm_program *programs[OCLMM_JOINT_MOST];
	struct oclmm_text source;
	struct oclmm_error ignored;
	uint32_t count = 0;

	built->tried = true;
	for (uint32_t i = 0; i < joint->count; i++) {
		if (!takes(session, text, i))
			continue;
		built->members |= 1u << i;
		programs[count] = joint->programs[i];
		spaces[count++] = joint->spaces[i];
	}
	if (count < 2 ||
	    oclmm_generate_tests(programs, spaces, count, &options, &ignored, &source) < 0)
		return;
	if (compile(session->device, programs, count, oclmm_text_string(&source), joint->lasts,
	            &built->program) < 0)
		built->program = NULL;
	oclmm_text_finish(&source);
}

/* Its number among those that the text has, or `members` where it is not there. */
static uint32_t find(const struct oclmm_session *session, const struct oclmm_joint_text *built)
{
	const struct oclmm_joint *joint = session->joint->joint;
	uint32_t number = 0;

	for (uint32_t i = 0; i < joint->count; i++) {
		if (!(built->members >> i & 1))
			continue;
		if (joint->programs[i] == session->program &&
		    joint->spaces[i] == session->request->space)
			return number;
		number++;
	}
	return UINT32_MAX;
}

cl_program oclmm_joint_program(const struct oclmm_session *session, unsigned text,
                               char ret_name[OCLMM_KERNEL_NAME_SIZE])
{
	struct oclmm_joint_text *built;
	uint32_t number;

	if (!session->joint || session->plan.parts > 1)
		return NULL;
	built = &session->joint->texts[text];
	if (!built->tried)
		build(session, text);
	number = built->program ? find(session, built) : UINT32_MAX;
	if (number == UINT32_MAX || clRetainProgram(built->program) != CL_SUCCESS)
		return NULL;
	oclmm_test_suffix(number, ret_name + strlen(ret_name));
	return built->program;
}

void oclmm_joint_release(struct oclmm_joint_built *built)
{
	for (int i = 0; i < OCLMM_TEXTS; i++)
		if (built->texts[i].program)
			clReleaseProgram(built->texts[i].program);
}
