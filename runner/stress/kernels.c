// SPDX-License-Identifier: Apache-2.0
/*
 * From a program to the kernels that the environments of a run take: each text
 * once, alone or beside those of other programs, and what its kernels are called
 * with.
 */
#include "exchange/exchange.h"
#include "internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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

bool oclmm_lets_wait(const struct oclmm_session *session)
{
	return !oclmm_device_il(session->device);
}

/* ---- sub-groups ---- */

/*
 * How a device divides a work-group into sub-groups is its own affair (C:6.15.19,
 * A:5.9.4): one is asked, for groups in one dimension and, where these do not
 * give enough sub-groups, for groups in two, with a row for each.
 */

typedef cl_int(CL_API_CALL *ask_fn)(cl_kernel kernel, cl_device_id device,
                                    cl_kernel_sub_group_info what, size_t input_size,
                                    const void *input, size_t size, void *value, size_t *ret_size);

/* Core from 2.1 on, and the extension's before. */
static ask_fn find_function(const struct oclmm_device *device)
{
	const struct oclmm_device_info *info = oclmm_device_info(device);
	cl_platform_id platform = NULL;
	ask_fn function = NULL;
	void *address;

	if ((info->major > 2 || (info->major == 2 && info->minor >= 1)) && clGetKernelSubGroupInfo)
		return clGetKernelSubGroupInfo;
	clGetDeviceInfo(oclmm_device_id(device), CL_DEVICE_PLATFORM, sizeof(platform), &platform,
	                NULL);
	address = clGetExtensionFunctionAddressForPlatform(platform, "clGetKernelSubGroupInfoKHR");
	_Static_assert(sizeof(function) == sizeof(address),
	               "functions and data have addresses of one size");
	memcpy(&function, &address, sizeof(function));
	return function;
}

/* What a shape is divided into. */
struct division {
	size_t all, lanes, count;
};

static cl_int ask(ask_fn function, const struct oclmm_device *device, cl_kernel kernel,
                  const size_t *local, cl_uint dimensions, struct division *ret_division)
{
	struct division d = {.all = dimensions == 2 ? local[0] * local[1] : local[0]};
	cl_device_id id = oclmm_device_id(device);
	cl_int code = function(kernel, id, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE,
	                       dimensions * sizeof(*local), local, sizeof(d.lanes), &d.lanes, NULL);

	if (code == CL_SUCCESS)
		code = function(kernel, id, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE,
		                dimensions * sizeof(*local), local, sizeof(d.count), &d.count,
		                NULL);
	*ret_division = d;
	return code;
}

static bool is_full(const struct division *d)
{
	return d->lanes > 0 && d->lanes * d->count == d->all;
}

/* None is larger than the largest. */
int oclmm_sub_groups_judge(size_t all, size_t lanes, size_t count, struct oclmm_error *error)
{
	if (count > 0 && count <= all && lanes >= (all + count - 1) / count)
		return 0;
	return oclmm_error_set(error, -EIO,
	                       "clGetKernelSubGroupInfo: %zu sub-groups of %zu work-items or fewer "
	                       "are no group of %zu",
	                       count, lanes, all);
}

static bool suits(const struct oclmm_kernel_plan *plan, const struct oclmm_environment *environment,
                  const struct division *d)
{
	return is_full(d) && d->lanes >= plan->sub_crowd && d->count >= plan->sub_groups &&
	       (environment->sub_lanes == 0 || environment->sub_lanes == d->lanes);
}

static int fit_sub_groups(struct oclmm_session *session, uint32_t number, struct oclmm_error *error)
{
	struct oclmm_environment *environment = &session->environments[number];
	const struct oclmm_kernel_plan *plan = &session->plan;
	cl_kernel test = session->kernels[0].texts[oclmm_text_of(environment, plan)].test;
	ask_fn function = find_function(session->device);
	struct division d;
	int r;

	if (!function)
		return oclmm_error_set(error, -ENOTSUP,
		                       "the device does not say what its sub-groups are");
	/* one that claims to have them can say which: no lack of a feature, which would be a skip
	 */
	r = oclmm_cl_check(error, "clGetKernelSubGroupInfo",
	                   ask(function, session->device, test, (size_t[]){environment->lanes}, 1,
	                       &d));
	if (r == 0)
		r = oclmm_sub_groups_judge(d.all, d.lanes, d.count, error);
	if (r < 0)
		return r;
	if (suits(plan, environment, &d)) {
		environment->sub_lanes = (uint32_t)d.lanes;
		return 0;
	}
	for (uint32_t row = environment->lanes; row > 0; row /= 2) {
		const size_t local[] = {row, environment->lanes / row};

		if (row * (environment->lanes / row) != environment->lanes ||
		    ask(function, session->device, test, local, 2, &d) != CL_SUCCESS ||
		    d.lanes != row || !suits(plan, environment, &d))
			continue;
		environment->sub_lanes = row;
		session->folded[number] = true;
		return 0;
	}
	return oclmm_error_set(error, -ENOTSUP,
	                       "the device forms no %u sub-groups of at least %u work-items in a "
	                       "group of %u",
	                       plan->sub_groups, plan->sub_crowd, environment->lanes);
}

/* ---- test kernels of several programs in one text ---- */

/* Texts that a set of them has a bit for. */
enum { TEXT_BITS = 64 };

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
	for (uint32_t i = 0; i < count; i++) {
		unsigned text = oclmm_text_of(&environments[i], &plan);

		/* what counts alone is for a second attempt, of one program */
		if (text >= TEXT_BITS)
			return 0;
		texts |= UINT64_C(1) << text;
	}
	return texts;
}

/* Whether a program of the session's joint takes a text, on its device. */
static bool takes(const struct oclmm_session *session, unsigned text, uint32_t number)
{
	const struct oclmm_joint *joint = session->joint->joint;
	const struct oclmm_program *program = joint->programs[number];
	const struct oclmm_environment *own = joint->environments[number];
	char missing[8];

	if (text >= TEXT_BITS ||
	    oclmm_device_supports(session->device, program, missing, sizeof(missing)) ==
	            OCLMM_SUPPORT_UNSUPPORTED)
		return false;
	return oclmm_joint_texts(program, joint->spaces[number], own ? own : session->environments,
	                         own ? joint->environment_counts[number]
	                             : session->environment_count) >>
	               text &
	       1;
}

/* Each of the programs has one part, which plays all of its roles. */
static int compile_joint(struct oclmm_device *device, const struct oclmm_program *const *programs,
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

static void build_joint(const struct oclmm_session *session, unsigned text)
{
	const struct oclmm_joint *joint = session->joint->joint;
	struct oclmm_joint_text *built = &session->joint->texts[text];
	struct oclmm_codegen_options options = oclmm_text_options(text);
	const struct oclmm_outcome_space *spaces[OCLMM_JOINT_MOST];
	const struct oclmm_program *programs[OCLMM_JOINT_MOST];
	struct oclmm_text source;
	struct oclmm_error ignored;
	uint32_t count = 0;

	built->tried = true;
	options.waits = oclmm_lets_wait(session);
	for (uint32_t i = 0; i < joint->count; i++) {
		if (!takes(session, text, i))
			continue;
		built->members |= 1u << i;
		programs[count] = joint->programs[i];
		spaces[count++] = joint->spaces[i];
	}
	if (count < 2 || exchange_generate(EXCHANGE_TESTS, programs, spaces, count, &options,
	                                   &ignored, &source) < 0)
		return;
	if (compile_joint(session->device, programs, count, oclmm_text_string(&source),
	                  joint->lasts, &built->program) < 0)
		built->program = NULL;
	oclmm_text_finish(&source);
}

/* Its number among those that the text has, or `members` where it is not there. */
static uint32_t find_in_text(const struct oclmm_session *session,
                             const struct oclmm_joint_text *built)
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

static cl_program find_joint_program(const struct oclmm_session *session, unsigned text,
                                     char ret_name[OCLMM_KERNEL_NAME_SIZE])
{
	struct oclmm_joint_text *built;
	uint32_t number;

	if (!session->joint || session->plan.parts > 1)
		return NULL;
	built = &session->joint->texts[text];
	if (!built->tried)
		build_joint(session, text);
	number = built->program ? find_in_text(session, built) : UINT32_MAX;
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

/* ---- building ---- */

/* Of several texts the hashes are chained. */
static void note_source(const struct oclmm_text *source, struct oclmm_run_result *result)
{
	uint64_t hashes[] = {result->counts.source_hash, oclmm_hash(source->data, source->length)};

	result->counts.source_hash = result->counts.source_hash ? oclmm_hash(hashes, sizeof(hashes))
	                                                        : hashes[1];
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
	options.waits = oclmm_lets_wait(session);
	session->kernels[part].texts[text].mark = oclmm_kernel_mark(session->program, &options);
	r = exchange_generate(EXCHANGE_TESTS, &session->program, &session->request->space, 1,
	                      &options, error, ret_source);
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
	kernels->test_program = find_joint_program(session, text, name);
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
	r = exchange_generate(EXCHANGE_COUNT, &session->program, &session->request->space, 1,
	                      &options, error, &source);
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

	exchange_generate(EXCHANGE_SIDE, NULL, NULL, 0, NULL, error, &source);
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
			r = fit_sub_groups(session, i, error);
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
