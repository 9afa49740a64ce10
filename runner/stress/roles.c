// SPDX-License-Identifier: Apache-2.0
/*
 * Programs whose roles are played by kernels and threads of the host: their
 * memory, and each launch from its draw to the check that it ran.
 */
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "exchange/exchange.h"
#include "host/host.h"
#include "internal.h"

/*
 * From a program to the kernels that the environments of a run take: each text
 * once, alone or beside those of other programs, and what its kernels are called
 * with.
 */

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

/* Whether waits go on behind their bound in some launches. A module has to have the loads that the
 * program has, and no others. */
static bool lets_wait(const struct oclmm_session *session)
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
	clGetDeviceInfo(oclmm_device_id(device, 0), CL_DEVICE_PLATFORM, sizeof(platform), &platform,
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
	cl_device_id id = oclmm_device_id(device, 0);
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
	/* each owner releases it */
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
	options.waits = lets_wait(session);
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
	options.waits = lets_wait(session);
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

static int build_count(struct oclmm_session *session, unsigned text, bool few_forms,
                       struct oclmm_error *error, struct oclmm_run_result *result)
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
	options.few_forms = few_forms;
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

/* Builds what the session's environments need; `result` gets the log and the hash. */
static int build_kernels(struct oclmm_session *session, struct oclmm_error *error,
                         struct oclmm_run_result *result)
{
	int r = 0;

	for (uint32_t i = 0; r == 0 && i < session->environment_count; i++) {
		unsigned text = oclmm_text_of(&session->environments[i], &session->plan);

		for (uint32_t part = 0; r == 0 && part < session->plan.kernels; part++)
			if (!session->kernels[part].texts[text].test)
				r = build_test(session, part, text, error, result);
		if (r == 0 && !session->kernels[0].texts[text].count)
			r = build_count(session, text, session->environments[i].direct, error,
			                result);
		if (r == 0 && session->environments[i].queue_groups > 0 && !session->side)
			r = build_side(session, error, result);
		if (r == 0 && session->plan.in_sub_groups)
			r = fit_sub_groups(session, i, error);
	}
	return r;
}

static void release_kernel(cl_kernel kernel)
{
	if (kernel)
		clReleaseKernel(kernel);
}

static void destroy_kernels(struct oclmm_session *session)
{
	for (int part = 0; part < OCLMM_KERNEL_PARTS; part++) {
		if (session->kernels[part].own)
			clReleaseCommandQueue(session->kernels[part].own);
		for (int i = 0; i < OCLMM_TEXTS; i++) {
			const struct oclmm_kernels *kernels = &session->kernels[part].texts[i];

			release_kernel(kernels->test);
			release_kernel(kernels->count);
			if (kernels->test_program)
				clReleaseProgram(kernels->test_program);
		}
	}
	release_kernel(session->side);
}

/* What clEnqueueNDRangeKernel is given. */
struct oclmm_range {
	cl_uint dimensions;
	size_t offset[3], global[3], local[3];
};

/* ---- what the kernels are called with ---- */

/* Argument numbers of the two kernels, after the locations (oclmm/codegen.h); the counting one
 * alone has a table. */
struct arguments {
	cl_uint codes, results, counters, played, meeting, last, parameters, table;
};

static uint32_t count_buffers(const struct oclmm_program *program)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < program->location_count; i++)
		n += oclmm_location_is_buffer(&program->locations[i]);
	return n;
}

static struct arguments arguments_after(uint32_t n)
{
	return (struct arguments){n, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, n + 7};
}

static struct arguments test_arguments(const struct oclmm_session *session)
{
	uint32_t n = count_buffers(session->program);

	for (uint32_t i = 0; i < session->program->location_count; i++)
		n += session->program->locations[i].space == OCLMM_SPACE_LOCAL;
	return arguments_after(n);
}

static struct arguments count_arguments(const struct oclmm_session *session)
{
	return arguments_after(count_buffers(session->program));
}

static int set_memory(cl_kernel kernel, cl_uint index, const struct oclmm_memory *memory,
                      struct oclmm_error *error)
{
	if (!memory->svm)
		return oclmm_argument_set(kernel, index, sizeof(cl_mem), &memory->buffer, error);
	return OCLMM_CL_CALL(error, clSetKernelArgSVMPointer, kernel, index, memory->svm);
}

/* `plays`: the kernel is one that plays, not one that counts. */
static int set_locations(struct oclmm_session *session, cl_kernel kernel, bool plays,
                         struct oclmm_error *error)
{
	cl_uint index = 0;
	int r = 0;

	for (uint32_t i = 0; r == 0 && i < session->program->location_count; i++) {
		const struct oclmm_location *l = &session->program->locations[i];

		if (!oclmm_location_is_buffer(l))
			continue;
		if (oclmm_location_is_image(l))
			r = oclmm_argument_set(kernel, index, sizeof(cl_mem),
			                       plays ? &session->images[i].view
			                             : &session->images[i].buffer,
			                       error);
		else if (oclmm_storage_is_svm(l->storage))
			r = set_memory(kernel, index, &(struct oclmm_memory){.svm = session->svm},
			               error);
		else
			r = set_memory(kernel, index, &session->memory, error);
		index++;
	}
	return r;
}

static int set_common(struct oclmm_session *session, cl_kernel kernel, struct arguments at,
                      struct oclmm_error *error)
{
	int r = set_memory(kernel, at.codes, &session->codes, error);

	if (r == 0)
		r = set_memory(kernel, at.results, &session->results, error);
	if (r == 0)
		r = oclmm_argument_set(kernel, at.played, sizeof(cl_mem), &session->played, error);
	if (r == 0)
		r = set_memory(kernel, at.meeting, &session->meeting, error);
	return r;
}

/* Of a kernel beside the first one, which plays and does not count. */
static int set_other(struct oclmm_session *session, const struct oclmm_kernel_part *part,
                     cl_kernel test, struct oclmm_error *error)
{
	struct arguments at = test_arguments(session);
	int r = set_locations(session, test, true, error);

	if (r == 0)
		r = set_common(session, test, at, error);
	if (r == 0)
		r = oclmm_argument_set(test, at.played, sizeof(cl_mem), &part->played, error);
	/* it leaves the counters alone, but has the argument */
	if (r == 0)
		r = oclmm_argument_set(test, at.counters, sizeof(cl_mem), &part->scratch, error);
	if (r == 0)
		r = oclmm_argument_set(test, at.last, sizeof(cl_mem), &part->scratch, error);
	return r;
}

static int set_kernels(struct oclmm_session *session, const struct oclmm_kernels *kernels,
                       struct oclmm_error *error)
{
	struct arguments test = test_arguments(session), count = count_arguments(session);
	int r = set_locations(session, kernels->test, true, error);

	if (r == 0)
		r = set_locations(session, kernels->count, false, error);
	if (r == 0)
		r = set_common(session, kernels->test, test, error);
	if (r == 0)
		r = set_common(session, kernels->count, count, error);
	if (r == 0)
		r = oclmm_argument_set(kernels->count, count.table, sizeof(cl_mem), &session->table,
		                       error);
	if (r == 0)
		r = oclmm_argument_set(kernels->test, test.last, sizeof(cl_mem), &session->scratch,
		                       error);
	return r;
}

static int set_arguments(struct oclmm_session *session, struct oclmm_error *error)
{
	int r = 0;

	for (int i = 0; r == 0 && i < OCLMM_TEXTS; i++) {
		if (session->kernels[0].texts[i].test)
			r = set_kernels(session, &session->kernels[0].texts[i], error);
		for (uint32_t part = 1; r == 0 && part < session->plan.kernels; part++)
			if (session->kernels[part].texts[i].test)
				r = set_other(session, &session->kernels[part],
				              session->kernels[part].texts[i].test, error);
	}
	if (r == 0 && session->side)
		r = oclmm_argument_set(session->side, 0, sizeof(cl_mem), &session->side_scratch,
		                       error);
	return r;
}

/* ---- how the work-groups of a launch, and the work-items of a group, lie in rows ---- */

/* The largest number that divides n and whose power is at most n. */
static size_t root_of(size_t n, cl_uint power)
{
	size_t root = 1, best = 1;

	for (; power > 1; root++) {
		if ((power == 2 ? root * root : root * root * root) > n)
			return best;
		if (n % root == 0)
			best = root;
	}
	return n;
}

void oclmm_rows(size_t count, cl_uint dimensions, size_t ret_sides[3])
{
	ret_sides[2] = dimensions > 2 ? root_of(count, 3) : 1;
	count /= ret_sides[2];
	ret_sides[1] = dimensions > 1 ? root_of(count, 2) : 1;
	ret_sides[0] = count / ret_sides[1];
}

/* A folded group has a row for each sub-group; else the device's own division of a row is asked
 * for. */
static void shape_group(const struct oclmm_session *session, uint32_t which,
                        const struct oclmm_parameters *p, cl_uint dimensions, size_t ret_sides[3])
{
	bool folded = session->folded[which];

	if (!session->plan.in_sub_groups) {
		oclmm_rows(p->width, dimensions, ret_sides);
		return;
	}
	ret_sides[0] = folded ? p->sub_lanes : p->width;
	ret_sides[1] = folded ? p->sub_groups : 1;
	ret_sides[2] = 1;
}

static void find_range(const struct oclmm_session *session,
                       const struct oclmm_environment *environment, uint32_t which,
                       const struct oclmm_parameters *p, struct oclmm_range *ret_range)
{
	cl_uint dimensions = oclmm_environment_dimensions(environment);
	struct oclmm_range range = {
		.dimensions = dimensions,
		.offset = {p->offset_x, p->offset_y, p->offset_z},
	};
	size_t groups[3];

	shape_group(session, which, p, dimensions, range.local);
	if (range.local[1] > 1 && dimensions == 1)
		range.dimensions = 2;
	/* few groups are to have rows, too: there the last dimension is the longest */
	oclmm_rows(p->all_groups, dimensions, groups);
	for (cl_uint i = 0; i < 3; i++)
		range.global[i] = range.local[i] * groups[i < dimensions ? dimensions - 1 - i : i];
	*ret_range = range;
}

/* ---- tickets ---- */

/*
 * Tickets: numbers on the device that say which kernels of a launch ran, how
 * often and in which order, with whose arguments, and how many groups of the one that counts. What
 * a driver leaves out or repeats while it says that all is well shows in them.
 */

/* Odd, and what is added to the first ticket is even, so that each group of a counting kernel adds
 * something. */
uint32_t oclmm_tickets_begin(struct oclmm_tickets *tickets)
{
	uint32_t first = oclmm_fresh_number() | 1;

	*tickets = (struct oclmm_tickets){.tested = first, .counted = first};
	return first;
}

void oclmm_tickets_tested(struct oclmm_tickets *tickets, uint32_t mark, uint32_t salt)
{
	tickets->step = (mark ^ salt << 1) | 2;
	tickets->tested += tickets->step;
}

void oclmm_tickets_counted(struct oclmm_tickets *tickets, uint32_t groups, uint32_t lanes,
                           uint32_t salt)
{
	tickets->counting = lanes ? groups * lanes : groups;
	tickets->weight = tickets->counting +
	                  OCLMM_TICKET_GROUP * (uint32_t)((uint64_t)groups * (groups - 1) / 2) *
	                          (lanes ? lanes : 1);
	tickets->counters = lanes ? "work-items" : "work-groups";
	tickets->more = salt << 1;
	tickets->counted += tickets->weight * (tickets->tested + tickets->more);
}

enum { MANY = 4 };

/* How many times `step` leads from one number to the other; UINT32_MAX: never. */
static uint32_t count_steps(uint32_t from, uint32_t to, uint32_t step)
{
	for (uint32_t n = 0; n <= MANY; n++)
		if (from + n * step == to)
			return n;
	return UINT32_MAX;
}

/* How many parts of a counting kernel ran; UINT32_MAX: no number of parts explains what was read.
 * An odd step leads everywhere; what it takes is what the groups add, one by one. */
static uint32_t count_parts(const struct oclmm_tickets *t, uint32_t from, uint32_t to,
                            uint32_t step)
{
	uint32_t inverse = step, weight, parts;

	/* each turn makes twice as many bits right (Newton) */
	for (int turn = 0; turn < 5; turn++)
		inverse *= 2 - step * inverse;
	weight = (to - from) * inverse;
	parts = weight % OCLMM_TICKET_GROUP;
	if (parts > MANY * (uint64_t)t->counting ||
	    weight / OCLMM_TICKET_GROUP > (uint64_t)parts * t->counting)
		return UINT32_MAX;
	return parts;
}

/* How the launch of a kernel went whose groups did not each add their part once. */
static int tell(const char *kernel, const char *parts, uint32_t ran, uint32_t all, uint64_t launch,
                struct oclmm_error *error)
{
	if (ran == all)
		return oclmm_error_set(
			error, -ERANGE,
			"launch %llu: %s of the %s kernel ran in the place of others",
			(unsigned long long)launch, parts, kernel);
	if (ran == 0)
		return oclmm_error_set(error, -ERANGE, "launch %llu: the %s kernel did not run",
		                       (unsigned long long)launch, kernel);
	if (ran == 2 * all)
		return oclmm_error_set(error, -ERANGE, "launch %llu: the %s kernel ran twice",
		                       (unsigned long long)launch, kernel);
	return oclmm_error_set(error, -ERANGE, "launch %llu: %u %s of the %s kernel ran, not %u",
	                       (unsigned long long)launch, ran, parts, kernel, all);
}

static int tell_words(const char *words, uint64_t launch, struct oclmm_error *error)
{
	return oclmm_error_set(error, -ERANGE, "launch %llu: %s", (unsigned long long)launch,
	                       words);
}

int oclmm_tickets_check(const struct oclmm_tickets *t, uint32_t tested, uint32_t counted,
                        uint64_t launch, struct oclmm_error *error)
{
	uint32_t tested_before = t->tested - t->step;
	uint32_t counted_before = t->counted - t->weight * (t->tested + t->more);
	uint32_t ran;

	if (tested == t->tested && counted == t->counted)
		return 0;
	if (tested == OCLMM_POISON_WORD && counted == OCLMM_POISON_WORD)
		return tell_words("nothing was read back", launch, error);
	if (tested == tested_before && counted == counted_before)
		return tell_words("neither kernel ran, or what was read back is older", launch,
		                  error);
	if (tested == t->tested &&
	    counted == counted_before + t->weight * (tested_before + t->more))
		return tell_words("the counting kernel ran before the test kernel", launch, error);
	ran = count_steps(tested_before, tested, t->step);
	if (ran != UINT32_MAX && ran != 1)
		return tell("test", "work-groups", ran, 1, launch, error);
	if (ran != UINT32_MAX)
		ran = count_parts(t, counted_before, counted, tested + t->more);
	if (ran != UINT32_MAX)
		return tell("counting", t->counters, ran, t->counting, launch, error);
	return tell_words(
		"what was read back is another launch's, or another program's kernel ran, "
		"or one with another launch's arguments",
		launch, error);
}

/* ---- objects set up again ---- */

/*
 * Whether objects were set up again. Where the counting kernel does no more than that, no sum of
 * outcomes tells of a work-item that left some out. So each adds up how many instances it went
 * through, and the sums are read once, after the last launch.
 */

static bool same_shape(const struct oclmm_parameters *p, uint32_t work_items,
                       const struct oclmm_restoring *shape)
{
	return shape->work_items == work_items && shape->each == p->count_each &&
	       shape->first == p->count_first && shape->step == p->count_step &&
	       shape->instances == p->groups * p->lanes * p->rounds;
}

void oclmm_restored_note(struct oclmm_restored *restored, const struct oclmm_parameters *p,
                         uint32_t work_items)
{
	uint32_t i = 0;

	while (i < restored->shape_count && !same_shape(p, work_items, &restored->shapes[i]))
		i++;
	if (i == restored->shape_count) {
		restored->shapes = oclmm_realloc(restored->shapes,
		                                 (i + 1) * sizeof(*restored->shapes));
		restored->shapes[i] = (struct oclmm_restoring){
			.work_items = work_items,
			.each = p->count_each,
			.first = p->count_first,
			.step = p->count_step,
			.instances = p->groups * p->lanes * p->rounds,
		};
		restored->shape_count++;
	}
	restored->shapes[i].launches++;
}

/* How many instances a work-item has in such a launch. */
static uint32_t instances_of(const struct oclmm_restoring *shape, uint32_t work_item)
{
	uint64_t first = (uint64_t)work_item * shape->first, left;

	if (work_item >= shape->work_items || first >= shape->instances)
		return 0;
	left = (shape->instances - first + shape->step - 1) / shape->step;
	return left < shape->each ? (uint32_t)left : shape->each;
}

/* Work-items that have as many as any; those behind them have fewer, or none. */
static uint32_t full_of(const struct oclmm_restoring *shape)
{
	uint64_t last = (uint64_t)(shape->each - 1) * shape->step, full;

	if (shape->each == 0 || last >= shape->instances)
		return 0;
	if (shape->first == 0)
		return shape->work_items;
	full = (shape->instances - last + shape->first - 1) / shape->first;
	return full < shape->work_items ? (uint32_t)full : shape->work_items;
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* A launch may have a million of these, so that a division for each would be felt. */
uint32_t oclmm_restored_missing(const struct oclmm_restored *restored, const uint32_t *words)
{
	uint32_t *wanted = oclmm_calloc(restored->count, sizeof(*wanted));
	uint32_t missing = 0;

	for (uint32_t i = 0; i < restored->shape_count; i++) {
		const struct oclmm_restoring *shape = &restored->shapes[i];
		uint32_t full = smaller(full_of(shape), restored->count);
		uint32_t most = smaller(shape->work_items, restored->count);

		for (uint32_t n = 0; n < full; n++)
			wanted[n] += shape->launches * shape->each;
		for (uint32_t n = full; n < most; n++)
			wanted[n] += shape->launches * instances_of(shape, n);
	}
	for (uint32_t n = 0; n < restored->count; n++)
		missing += words[n] != wanted[n];
	free(wanted);
	return missing;
}

static int check_restored(struct oclmm_session *session, struct oclmm_error *error)
{
	const struct oclmm_restored *restored = &session->restored;
	size_t size = restored->count * sizeof(uint32_t);
	uint32_t *words, missing;
	int r;

	if (restored->shape_count == 0)
		return 0;
	words = oclmm_malloc(size);
	memset(words, OCLMM_POISON, size);
	r = OCLMM_CL_CALL(error, clEnqueueReadBuffer, oclmm_device_queue(session->device),
	                  restored->words, CL_TRUE, 0, size, words, 0, NULL, NULL);
	missing = r < 0 ? 0 : oclmm_restored_missing(restored, words);
	free(words);
	if (missing == 0)
		return r;
	return oclmm_error_set(error, -ERANGE,
	                       "%u work-items of the counting kernel did not set up all their "
	                       "objects in each launch, once",
	                       missing);
}

/* ---- stress outside the test ---- */

/*
 * Stress outside the test: launches in a second queue that do nothing else,
 * and whether stress of either kind reaches its scratch area.
 */

static bool is_over(cl_event event)
{
	cl_int status = CL_QUEUED;

	/* a negative status is an error, and ends the command as well */
	return clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status,
	                      NULL) != CL_SUCCESS ||
	       status <= CL_COMPLETE;
}

/* The word of a scratch area that the first stressing work-item stores in. */
static uint32_t marked_word(const struct oclmm_parameters *p, uint32_t place)
{
	return (place & (p->stress_lines - 1)) * p->stress_stride;
}

static int queue_side(struct oclmm_session *session, const struct oclmm_environment *environment,
                      const struct oclmm_parameters *parameters, struct oclmm_slot *slot,
                      struct oclmm_error *error)
{
	size_t local = parameters->width, global = (size_t)environment->queue_groups * local;
	struct oclmm_parameters p = *parameters;
	cl_command_queue queue;
	int r;

	if (environment->queue_groups == 0 || (slot->side && !is_over(slot->side)))
		return 0;
	if (slot->side)
		clReleaseEvent(slot->side);
	slot->side = NULL;
	r = oclmm_device_extra_queue(session->device, OCLMM_QUEUE_SECOND, error, &queue);
	if (r < 0)
		return r;
	p.stress = environment->queue_stress;
	r = oclmm_argument_set(session->side, 1, sizeof(p), &p, error);
	if (r == 0)
		r = oclmm_kernel_enqueue(queue, session->side, 1, &global, &local, &slot->side,
		                         error);
	if (r == 0)
		r = OCLMM_CL_CALL(error, clFlush, queue);
	if (r == 0 && p.stress > 0 && p.stress_pattern > 0) {
		session->has_side_stressed = true;
		session->side_stressed = marked_word(&p, 0);
	}
	return r;
}

static void finish_side(struct oclmm_session *session)
{
	struct oclmm_error ignored;
	cl_command_queue queue;

	if (session->side &&
	    oclmm_device_extra_queue(session->device, OCLMM_QUEUE_SECOND, &ignored, &queue) == 0)
		clFinish(queue);
	for (int i = 0; i < OCLMM_SLOTS; i++) {
		if (session->slots[i].side)
			clReleaseEvent(session->slots[i].side);
		session->slots[i].side = NULL;
	}
}

void oclmm_scratch_note(struct oclmm_session *session, const struct oclmm_parameters *p)
{
	bool beside = p->stress > 0 && p->all_groups > p->places;

	if (p->stress_pattern == 0 || !(beside || p->pre_stress > 0))
		return;
	session->has_stressed = true;
	session->stressed = marked_word(p, beside ? p->places : 0);
}

int oclmm_scratch_judge(const uint32_t *mark, const uint32_t *guard, struct oclmm_error *error)
{
	if (mark && *mark == 0)
		return oclmm_error_set(error, -ERANGE, "stress does not reach its scratch area");
	for (int i = 0; i < OCLMM_GUARD; i++)
		if (guard[i] != 0)
			return oclmm_error_set(error, -ERANGE,
			                       "stress stored past the end of its scratch area");
	return 0;
}

static int read_words(struct oclmm_session *session, cl_mem scratch, uint64_t first, uint32_t count,
                      uint32_t *words, struct oclmm_error *error)
{
	return OCLMM_CL_CALL(error, clEnqueueReadBuffer, oclmm_device_queue(session->device),
	                     scratch, CL_TRUE, (size_t)first * 4, (size_t)count * 4, words, 0, NULL,
	                     NULL);
}

static int check_area(struct oclmm_session *session, cl_mem scratch, bool marked, uint32_t word,
                      struct oclmm_error *error)
{
	uint32_t mark = 0, guard[OCLMM_GUARD];
	int r;

	memset(guard, OCLMM_POISON, sizeof(guard));
	r = read_words(session, scratch, session->scratch_words, OCLMM_GUARD, guard, error);

	if (r == 0 && marked)
		r = read_words(session, scratch, word, 1, &mark, error);
	return r < 0 ? r : oclmm_scratch_judge(marked ? &mark : NULL, guard, error);
}

static int check_scratch(struct oclmm_session *session, struct oclmm_error *error)
{
	int r = 0;

	/* without stress nothing is stored, so nothing has to be read */
	if (session->has_stressed)
		r = check_area(session, session->scratch, true, session->stressed, error);
	if (r == 0 && session->has_side_stressed) {
		finish_side(session);
		r = check_area(session, session->side_scratch, true, session->side_stressed, error);
	}
	return r;
}

/* ---- roles that a kernel plays, on an in-order queue of its own ---- */

/* Local objects: one per lane. */
static int set_local(struct oclmm_session *session, cl_kernel kernel, uint32_t lanes,
                     struct oclmm_error *error)
{
	cl_uint index = count_buffers(session->program);
	int r = 0;

	for (uint32_t i = 0; r == 0 && i < session->program->location_count; i++) {
		const struct oclmm_location *l = &session->program->locations[i];

		if (l->space == OCLMM_SPACE_LOCAL)
			r = oclmm_argument_set(kernel, index++,
			                       (size_t)lanes * l->elements *
			                               (oclmm_type_bits(l->type) / 8),
			                       NULL, error);
	}
	return r;
}

static int enqueue_kernel(struct oclmm_kernel_part *part, cl_kernel kernel,
                          const struct oclmm_launch *launch, struct oclmm_error *error)
{
	const struct oclmm_session *session = part->session;
	const struct oclmm_range *range = launch->range;
	int r = oclmm_kernel_enqueue_at(part->queue, kernel, range->dimensions, range->offset,
	                                range->global, range->local,
	                                part->number > 0 ? &part->done : NULL, error);

	/* others wait for it to begin */
	if (r == 0 && session->part_count > 1)
		r = OCLMM_CL_CALL(error, clFlush, part->queue);
	return r;
}

static int start_kernel(void *data, const struct oclmm_launch *launch, struct oclmm_error *error)
{
	struct oclmm_kernel_part *part = data;
	struct oclmm_session *session = part->session;
	struct arguments at = test_arguments(session);
	unsigned text = oclmm_text_of(launch->environment, &session->plan);
	const struct oclmm_parameters *p = launch->parameters;
	struct oclmm_slot *slot = launch->slot;
	cl_kernel test = part->texts[text].test;
	int r = set_local(session, test, p->lanes, error);

	if (r == 0)
		r = oclmm_argument_set(test, at.counters, sizeof(cl_mem), &slot->counters, error);
	if (r == 0 && (text & OCLMM_TEXT_DIRECT))
		r = oclmm_argument_set(test, at.results, sizeof(cl_mem), &slot->raw, error);
	if (r == 0)
		r = oclmm_argument_set(test, at.parameters, sizeof(*p), p, error);
	if (r < 0)
		return r;
	oclmm_tickets_tested(&slot->tickets, part->texts[text].mark, p->salt);
	return enqueue_kernel(part, test, launch, error);
}

/*
 * Runtimes of CPUs let threads that wait execute what they wait for, and Intel's has no other for a
 * part of a device: the kernels of two parts run at the same time only if two threads wait.
 */
static void *wait_for(void *data)
{
	struct oclmm_kernel_part *part = data;

	part->waited = clWaitForEvents(1, &part->done);
	return NULL;
}

static int start_other(void *data, const struct oclmm_launch *launch, struct oclmm_error *error)
{
	struct oclmm_kernel_part *part = data;
	struct oclmm_session *session = part->session;
	unsigned text = oclmm_text_of(launch->environment, &session->plan);
	const struct oclmm_parameters *p = launch->parameters;
	cl_kernel test = part->texts[text].test;
	int r = set_local(session, test, p->lanes, error), code;

	if (r == 0)
		r = oclmm_argument_set(test, test_arguments(session).parameters, sizeof(*p), p,
		                       error);
	if (r == 0)
		r = enqueue_kernel(part, test, launch, error);
	if (r < 0)
		return r;
	code = pthread_create(&part->waiting, NULL, wait_for, part);
	return code == 0 ? 0 : oclmm_error_set(error, -EAGAIN, "no thread: %s", strerror(code));
}

static int take_played(struct oclmm_kernel_part *part, struct oclmm_error *error)
{
	const cl_uint poison = OCLMM_POISON_WORD;
	int r;

	memset(part->seen, OCLMM_POISON, part->workers * sizeof(*part->seen));
	r = OCLMM_CL_CALL(error, clEnqueueReadBuffer, part->queue, part->played, CL_TRUE, 0,
	                  part->workers * sizeof(*part->seen), part->seen, 0, NULL, NULL);
	return r < 0 ? r
	             : OCLMM_CL_CALL(error, clEnqueueFillBuffer, part->queue, part->played, &poison,
	                             sizeof(poison), 0, part->workers * sizeof(*part->seen), 0,
	                             NULL, NULL);
}

/* The counting kernel asks only the first kernel's work-items whether they played. */
static int check_played(struct oclmm_kernel_part *part, const struct oclmm_launch *launch,
                        struct oclmm_error *error)
{
	const struct oclmm_parameters *p = launch->parameters;
	unsigned text = oclmm_text_of(launch->environment, &part->session->plan);
	const uint32_t wanted = OCLMM_POISON_WORD + (p->rounds ^ part->texts[text].mark) + p->salt;
	uint32_t missing = 0;
	int r = take_played(part, error);

	for (uint32_t i = 0; r == 0 && i < p->places * p->width; i++)
		missing += part->seen[i] != wanted;
	if (r < 0 || missing == 0)
		return r;
	return oclmm_error_set(error, -ERANGE,
	                       "launch %llu: %u work-items of kernel %u did not play all their "
	                       "rounds, once",
	                       (unsigned long long)launch->slot->number, missing, part->number);
}

static int join_other(void *data, const struct oclmm_launch *launch, struct oclmm_error *error)
{
	struct oclmm_kernel_part *part = data;
	int code = pthread_join(part->waiting, NULL), r;

	if (code != 0)
		return oclmm_error_set(error, -EIO, "pthread_join: %s", strerror(code));
	r = oclmm_cl_check(error, "clWaitForEvents", part->waited);
	clReleaseEvent(part->done);
	part->done = NULL;
	return r < 0 ? r : check_played(part, launch, error);
}

/* What counts is queued behind it on the same in-order queue; one that meets others is waited for
 * as they are. */
static int join_kernel(void *data, const struct oclmm_launch *launch, struct oclmm_error *error)
{
	struct oclmm_kernel_part *part = data;

	(void)launch;
	if (part->session->plan.kernels == 1)
		return 0;
	return OCLMM_CL_CALL(error, clFinish, part->queue);
}

static const struct oclmm_executor executor_kernel = {.start = start_kernel, .join = join_kernel};
static const struct oclmm_executor executor_other_kernel = {
	.start = start_other,
	.join = join_other,
};

/* ---- roles that the host plays ---- */

/*
 * The executor of a role that a thread of the host plays: a POSIX thread per
 * launch that goes through the instances as the kernels do, meets them where
 * they meet, and leaves what it observes where they would. It waits for nobody without a
 * bound, so that it ends whatever the device does.
 */

/* Seconds that the first rendezvous of a launch may take: a kernel begins when the driver likes. */
static const double BEGINNING = 0.5;

/* What stays the same over a launch. */
struct walk {
	struct oclmm_host_role *host;
	const struct oclmm_session *session;
	const struct oclmm_parameters *p;
	bool any_count;
	uint32_t budget; /* polls that are left */
	uint32_t wanted; /* how many will have come to the next rendezvous */
};

static void *object_of(const struct walk *walk, uint32_t location, uint32_t instance)
{
	const struct oclmm_layout *where = &walk->p->location[location];
	uint32_t slot = oclmm_slot_of(walk->p, where, instance, walk->any_count);

	return (char *)walk->session->svm +
	       (size_t)slot *
	               (oclmm_type_bits(walk->session->program->locations[location].type) / 8);
}

/* One plane of an instance, in the form that the counting kernel reads. */
static void leave(const struct walk *walk, const struct oclmm_plane *plane, uint32_t number,
                  uint32_t instance, bool whole)
{
	const struct oclmm_session *session = walk->session;
	const struct oclmm_observable *o = &session->program->observables[plane->observable];
	size_t at = (size_t)number * walk->p->groups * walk->p->lanes * walk->p->rounds + instance;
	bool cut = plane->kind == OCLMM_PLANE_CUT;
	uint64_t value = cut ? !whole : (uint64_t)walk->host->values[o->reg];
	uint32_t salt = cut ? 0 : walk->p->salt;

	if (!cut && oclmm_type_bits(o->type) != 64)
		value = (uint32_t)value;
	if (plane->narrow)
		((uint8_t *)session->codes.svm)[at] =
			(uint8_t)((value < 255 ? (uint32_t)value : 255) + salt);
	if (plane->narrow && value < 255)
		return;
	if (session->plan.wide)
		((uint64_t *)session->results.svm)[at] = value + salt;
	else
		((uint32_t *)session->results.svm)[at] = (uint32_t)value + salt;
}

static void leave_all(const struct walk *walk, uint32_t instance, bool whole)
{
	uint32_t planes = walk->session->plan.planes;

	for (uint32_t i = 0; i < planes; i++) {
		uint32_t number = walk->p->results_reversed ? planes - 1 - i : i;
		const struct oclmm_plane *plane = &walk->host->planes[number];

		if (plane->kind != OCLMM_PLANE_LOCAL && plane->thread == walk->host->role)
			leave(walk, plane, number, instance, whole);
	}
}

static void play_instance(const struct walk *walk, uint32_t instance)
{
	const struct oclmm_thread *thread = &walk->session->program->threads[walk->host->role];
	void *objects[OCLMM_KERNEL_LOCATIONS];
	bool whole;

	for (uint32_t i = 0; i < thread->parameter_count; i++) {
		uint32_t location = thread->parameters[i].location;

		objects[location] = object_of(walk, location, instance);
	}
	whole = host_play(walk->host->code, objects, walk->host->values);
	leave_all(walk, instance, whole);
}

/* Waits a little for the same lane of all others. Failing to meet is no error. */
static void meet(struct walk *walk, uint32_t lane, bool first)
{
	_Atomic(uint32_t) *met = (_Atomic(uint32_t) *)walk->session->meeting.svm + lane;
	double end = first ? oclmm_clock() + BEGINNING : 0;
	uint32_t n = 0;

	atomic_fetch_add_explicit(met, 1, memory_order_relaxed);
	while (atomic_load_explicit(met, memory_order_relaxed) < walk->wanted) {
		if (first ? (++n & 1023) == 0 && oclmm_clock() > end
		          : n++ == walk->p->polls || walk->budget == 0)
			return;
		walk->budget -= !first;
	}
}

static void *walk_through(void *data)
{
	struct oclmm_host_role *host = data;
	const struct oclmm_session *session = host->session;
	const struct oclmm_parameters *p = host->launch->parameters;
	struct walk walk = {
		.host = host,
		.session = session,
		.p = p,
		.any_count = oclmm_environment_any_count(host->launch->environment, &session->plan),
		.budget = p->poll_budget,
	};
	uint32_t width = p->groups * p->lanes;

	for (uint32_t round = 0; round < p->rounds; round++) {
		if (p->polls != 0 && (round & p->poll_mask) == 0) {
			walk.wanted += p->parties;
			for (uint32_t lane = 0; lane < p->width; lane++)
				meet(&walk, lane, round == 0);
		}
		for (uint32_t i = 0; i < width; i++)
			play_instance(&walk, round * width + i);
	}
	return NULL;
}

static int start_host(void *data, const struct oclmm_launch *launch, struct oclmm_error *error)
{
	struct oclmm_host_role *host = data;
	int code;

	host->launch = launch;
	code = pthread_create(&host->thread, NULL, walk_through, host);
	return code == 0 ? 0 : oclmm_error_set(error, -EAGAIN, "no thread: %s", strerror(code));
}

static int join_host(void *data, const struct oclmm_launch *launch, struct oclmm_error *error)
{
	struct oclmm_host_role *host = data;
	int code = pthread_join(host->thread, NULL);

	(void)launch;
	return code == 0 ? 0 : oclmm_error_set(error, -EIO, "pthread_join: %s", strerror(code));
}

const struct oclmm_executor oclmm_executor_host = {.start = start_host, .join = join_host};

int oclmm_host_role_create(struct oclmm_session *session, uint32_t role, struct oclmm_error *error)
{
	struct oclmm_host_role *host = &session->hosts[role];
	int r = host_compile(session->program, role, error, &host->code);

	if (r < 0)
		return r;
	host->session = session;
	host->role = role;
	host->values = oclmm_calloc(host_code_values(host->code) + 1, sizeof(*host->values));
	host->planes = oclmm_kernel_planes(session->program, session->request->space,
	                                   &session->plan);
	return 0;
}

void oclmm_host_role_destroy(struct oclmm_host_role *host)
{
	host_code_destroy(host->code);
	free(host->planes);
	free(host->values);
}

/* ---- parts of a launch ---- */

int oclmm_parts_check(const struct oclmm_part *parts, uint32_t count, uint32_t roles,
                      struct oclmm_error *error)
{
	for (uint32_t role = 0; role < roles; role++) {
		uint32_t players = 0;

		for (uint32_t i = 0; i < count; i++)
			players += parts[i].roles >> role & 1;
		if (players != 1)
			return oclmm_error_set(error, -EINVAL, "role %u is played by %u executors",
			                       role, players);
	}
	return 0;
}

int oclmm_parts_play(const struct oclmm_part *parts, uint32_t count,
                     const struct oclmm_launch *launch, struct oclmm_error *error)
{
	uint32_t started = 0;
	int r = 0;

	while (r == 0 && started < count) {
		r = parts[started].executor->start(parts[started].data, launch, error);
		started += r == 0;
	}
	for (uint32_t i = 0; i < started; i++) {
		struct oclmm_error later;
		int joined = 0;

		if (parts[i].executor->join)
			joined = parts[i].executor->join(parts[i].data, launch,
			                                 r == 0 ? error : &later);
		r = r == 0 ? joined : r;
	}
	return r;
}

/* ---- what a launch has counted, once it is known that it ran ---- */

static int64_t raw_value(const struct oclmm_session *session, const void *raw, uint64_t index,
                         enum oclmm_type type)
{
	uint64_t bits = session->plan.wide ? ((const uint64_t *)raw)[index]
	                                   : ((const uint32_t *)raw)[index];

	return oclmm_value_wrap(type, (int64_t)bits);
}

/* Whether two raw entries hold the same values; the instance's number before them does not
 * count. */
static bool same_tuple(const void *raw, uint32_t a, uint32_t b, uint32_t width, size_t word)
{
	const char *first = (const char *)raw + ((size_t)a * (width + 1) + 1) * word;
	const char *second = (const char *)raw + ((size_t)b * (width + 1) + 1) * word;

	return memcmp(first, second, width * word) == 0;
}

/* Before a tuple stands the number of its instance. */
static int check_raw(const struct oclmm_session *session, const struct oclmm_slot *slot,
                     const void *raw, uint32_t count, struct oclmm_error *error)
{
	size_t step = (size_t)session->plan.observables + 1;

	for (uint32_t i = 0; i < count; i++) {
		uint64_t instance = session->plan.wide ? ((const uint64_t *)raw)[i * step]
		                                       : ((const uint32_t *)raw)[i * step];

		if (instance >= slot->instances)
			return oclmm_error_set(error, -ERANGE,
			                       "launch %llu: foreign values were counted and not "
			                       "kept",
			                       (unsigned long long)slot->number);
	}
	return 0;
}

/* An outcome that the kernel took for foreign must not be one that it could have counted itself: a
 * read that gives zeros would turn a forbidden outcome into an allowed one. */
static int check_foreign(const struct oclmm_session *session, const struct oclmm_slot *slot,
                         const int64_t *values, struct oclmm_error *error)
{
	const struct oclmm_outcome_space *space = session->request->space;

	if (oclmm_outcome_index(space, values) == space->size)
		return 0;
	return oclmm_error_set(error, -ERANGE,
	                       "launch %llu: foreign values were counted, and others read back",
	                       (unsigned long long)slot->number);
}

/* Notes an outcome of a launch. */
static void note_seen(struct oclmm_session *session, const struct oclmm_slot *slot, uint32_t number,
                      uint64_t count, uint64_t *mask)
{
	oclmm_seen_count(&session->shown, slot->block, number, count);
	*mask |= UINT64_C(1) << number;
}

/* Tuples that the oracle did not foresee are read back one by one. They are rare, unless the
 * device is broken. */
static int harvest_other(struct oclmm_session *session, struct oclmm_slot *slot, uint32_t count,
                         uint64_t *mask, struct oclmm_error *error)
{
	uint32_t width = session->plan.observables;
	size_t word = session->plan.wide ? 8 : 4, size = (size_t)count * (width + 1) * word;
	void *raw = oclmm_malloc(size);
	int64_t *values = oclmm_calloc((size_t)width + 1, sizeof(*values));
	int r;

	memset(raw, OCLMM_POISON, size);
	r = OCLMM_CL_CALL(error, clEnqueueReadBuffer, oclmm_device_queue(session->device),
	                  slot->raw, CL_TRUE, 0, size, raw, 0, NULL, NULL);
	if (r == 0)
		r = check_raw(session, slot, raw, count, error);

	for (uint32_t i = 0, run = 1; r == 0 && i < count; i += run, run = 1) {
		for (uint32_t k = 0; k < width; k++)
			values[k] = raw_value(session, raw, (uint64_t)i * (width + 1) + k + 1,
			                      session->program->observables[k].type);
		/* on a broken device they may be many, and mostly alike */
		while (i + run < count && same_tuple(raw, i, i + run, width, word))
			run++;
		r = check_foreign(session, slot, values, error);
		if (r < 0)
			break;
		oclmm_histogram_add(session->histogram, values, run);
		note_seen(session, slot, oclmm_seen_number(&session->shown, values), run, mask);
	}
	if (r == 0)
		session->kept += count;
	free(values);
	free(raw);
	return r;
}

/* What the launch counted: the counters went on from where they stood. */
static void take_counts(const struct oclmm_session *session, struct oclmm_slot *slot)
{
	for (uint32_t i = 0; i < session->plan.outcomes + OCLMM_TICKET_TESTED; i++) {
		uint32_t now = slot->counts[i];

		slot->counts[i] = now - slot->before[i];
		slot->before[i] = now;
	}
}

static int check_sum(const struct oclmm_session *session, const struct oclmm_slot *slot,
                     struct oclmm_error *error)
{
	const uint32_t *extra = slot->counts + session->plan.outcomes;
	uint64_t sum = (uint64_t)extra[OCLMM_BUCKET_OTHER] + extra[OCLMM_BUCKET_CUT];

	for (uint32_t i = 0; i < session->plan.outcomes; i++)
		sum += slot->counts[i];
	if (extra[OCLMM_BUCKET_UNPLAYED] > 0)
		return oclmm_error_set(
			error, -ERANGE,
			"launch %llu: %u work-items did not play all their rounds once, or not "
			"with the ids of the launch",
			(unsigned long long)slot->number, extra[OCLMM_BUCKET_UNPLAYED]);
	if (sum != slot->instances)
		return oclmm_error_set(error, -ERANGE,
		                       "launch %llu: %llu outcomes were counted of %u instances",
		                       (unsigned long long)slot->number, (unsigned long long)sum,
		                       slot->instances);
	return 0;
}

/* Checks what the kernels looked at, after the outcomes were taken: one of these may say more. */
static int check_looks(const struct oclmm_session *session, const struct oclmm_slot *slot,
                       struct oclmm_error *error)
{
	const uint32_t *extra = slot->counts + session->plan.outcomes;

	if (extra[OCLMM_BUCKET_UNSET] > 0)
		return oclmm_error_set(error, -ERANGE,
		                       "launch %llu: %u objects did not begin with their initial "
		                       "values",
		                       (unsigned long long)slot->number, extra[OCLMM_BUCKET_UNSET]);
	if (extra[OCLMM_BUCKET_UNCHANGED] > 0)
		return oclmm_error_set(error, -ERANGE,
		                       "launch %llu: in %u places objects kept their initial "
		                       "values, which no execution leaves: roles were not played",
		                       (unsigned long long)slot->number,
		                       extra[OCLMM_BUCKET_UNCHANGED]);
	return 0;
}

/* The number of an outcome that was seen. */
static uint32_t number_of(struct oclmm_session *session, uint32_t outcome)
{
	const struct oclmm_outcome_space *space = session->request->space;

	if (!session->numbers[outcome]) {
		int64_t *values = oclmm_calloc((size_t)space->observable_count + 1,
		                               sizeof(*values));

		oclmm_outcome_values(space, outcome, values);
		session->numbers[outcome] = (uint8_t)(1 +
		                                      oclmm_seen_number(&session->shown, values));
		free(values);
	}
	return session->numbers[outcome] - 1U;
}

/* Adds what was counted. */
static int take(struct oclmm_session *session, struct oclmm_slot *slot, struct oclmm_error *error)
{
	const uint32_t *extra = slot->counts + session->plan.outcomes;
	uint64_t mask = 0;
	int r = 0;

	if (extra[OCLMM_BUCKET_OTHER] > 0)
		r = harvest_other(session, slot, extra[OCLMM_BUCKET_OTHER], &mask, error);
	if (r < 0)
		return r;
	for (uint32_t i = 0; i < session->plan.outcomes; i++) {
		if (slot->counts[i] == 0)
			continue;
		session->news |= session->totals[i] == 0;
		session->totals[i] += slot->counts[i];
		note_seen(session, slot, number_of(session, i), slot->counts[i], &mask);
	}
	if (mask)
		oclmm_seen_add(&session->shown, slot->block, mask, slot->instances);
	session->cut += extra[OCLMM_BUCKET_CUT];
	if (slot->waits)
		oclmm_wait_launches_add(slot->waits, extra[OCLMM_BUCKET_LATE],
		                        extra[OCLMM_BUCKET_STUCK]);
	session->instances += slot->instances;
	session->launches++;
	session->looked += slot->looks;
	return 0;
}

static int harvest(struct oclmm_session *session, struct oclmm_slot *slot,
                   struct oclmm_error *error)
{
	int r;

	if (!slot->done)
		return 0;
	r = OCLMM_CL_CALL(error, clWaitForEvents, 1, &slot->done);
	clReleaseEvent(slot->done);
	slot->done = NULL;
	if (r == 0)
		r = oclmm_tickets_check(&slot->tickets,
		                        slot->counts[session->plan.outcomes + OCLMM_TICKET_TESTED],
		                        slot->counts[session->plan.outcomes + OCLMM_TICKET_COUNTED],
		                        slot->number, error);
	if (r < 0)
		return r;
	take_counts(session, slot);
	oclmm_note_duration(session, slot);
	r = check_sum(session, slot, error);
	if (r == 0)
		r = take(session, slot, error);
	return r < 0 ? r : check_looks(session, slot, error);
}

/* ---- a launch ---- */

/* `ret_counted` may be NULL. */
static int enqueue_count(struct oclmm_session *session, struct oclmm_slot *slot,
                         const struct oclmm_environment *environment,
                         const struct oclmm_parameters *p, cl_event *ret_counted,
                         struct oclmm_error *error)
{
	struct arguments at = count_arguments(session);
	cl_kernel count =
		session->kernels[0].texts[oclmm_text_of(environment, &session->plan)].count;
	uint32_t local, global = oclmm_counting_work_items(environment, p, &local);
	bool counts = !(environment->direct && session->plan.direct), restores = !counts;
	int r = oclmm_argument_set(count, at.counters, sizeof(cl_mem), &slot->counters, error);

	restores |= p->only_restore;
	if (r == 0)
		r = oclmm_argument_set(count, at.last, sizeof(cl_mem),
		                       restores ? &session->restored.words : &slot->raw, error);
	if (r == 0)
		r = oclmm_argument_set(count, at.parameters, sizeof(*p), p, error);
	if (r < 0)
		return r;
	if (restores)
		oclmm_restored_note(&session->restored, p, global);
	/* where the roles count themselves */
	oclmm_tickets_counted(&slot->tickets, global / local, counts ? 0 : local, p->salt);
	return oclmm_kernel_enqueue(oclmm_device_queue(session->device), count, 1,
	                            &(size_t){global}, &(size_t){local}, ret_counted, error);
}

/* A role that is not on the device's queue may begin only when nothing there uses the instances
 * any more. */
static int drain(const struct oclmm_session *session, struct oclmm_error *error)
{
	if (session->part_count == 1)
		return 0;
	return OCLMM_CL_CALL(error, clFinish, oclmm_device_queue(session->device));
}

static int play(const struct oclmm_session *session, const struct oclmm_environment *environment,
                uint32_t which, struct oclmm_slot *slot, struct oclmm_parameters *parameters,
                struct oclmm_error *error)
{
	struct oclmm_range range;
	const struct oclmm_launch launch = {environment, parameters, slot, &range};
	int r = drain(session, error);

	find_range(session, environment, which, parameters, &range);
	parameters->shape = oclmm_launch_shape(range.global, range.local);
	return r < 0 ? r : oclmm_parts_play(session->parts, session->part_count, &launch, error);
}

/* The first launch of a program looks at its variables before anything has stored to them: what
 * they begin with is the device's to give (C:6.7.1), and later launches set them up themselves. */
static int initialise(struct oclmm_session *session, const struct oclmm_environment *environment,
                      struct oclmm_slot *slot, struct oclmm_error *error)
{
	struct oclmm_kernels *kernels =
		&session->kernels[0].texts[oclmm_text_of(environment, &session->plan)];
	struct oclmm_parameters p;

	oclmm_draw(environment, session->program, &session->plan, 0, &p);
	p.only_restore = 1;
	if (session->plan.program_bytes && !kernels->began) {
		p.only_restore = 2;
		p.looks = 1;
		p.initials = oclmm_initials(session->program, true);
	}
	kernels->began = true;
	return enqueue_count(session, slot, environment, &p, NULL, error);
}

/* A launch without rounds. */
static int play_nothing(struct oclmm_session *session, const struct oclmm_environment *environment,
                        uint32_t which, struct oclmm_error *error)
{
	struct oclmm_parameters p;

	oclmm_draw(environment, session->program, &session->plan, 0, &p);
	p.rounds = 0;
	p.pre_stress = p.stress = 0;
	return play(session, environment, which, &session->slots[0], &p, error);
}

static int look(struct oclmm_session *session, const struct oclmm_environment *environment,
                struct oclmm_slot *slot, const struct oclmm_parameters *p,
                struct oclmm_error *error)
{
	struct oclmm_parameters before = *p;

	if (!p->looks)
		return 0;
	before.only_restore = 1;
	before.initials = oclmm_initials(session->program, false);
	return enqueue_count(session, slot, environment, &before, NULL, error);
}

/* Equal seeds must give equal launches; the hash is how one sees that they did. */
static void note_stimulus(struct oclmm_session *session, const struct oclmm_parameters *p)
{
	struct {
		uint64_t before;
		struct oclmm_parameters parameters;
	} link;

	memset(&link, 0, sizeof(link));
	link.before = session->stimulus;
	link.parameters = *p;
	session->stimulus = oclmm_hash(&link, sizeof(link));
}

/*
 * In three launches of eight waits go on behind their bound as the program has them, and in three
 * by addresses of which no compiler knows that they stay. A role that waits for one that has to
 * catch up with it meets it so, or never. Turns on a CPU are short, and work-items few.
 */
static void let_wait(struct oclmm_session *session, const struct oclmm_environment *environment,
                     uint64_t key, struct oclmm_slot *slot, struct oclmm_parameters *p)
{
	enum { EACH = 3, OF = 8, TURNS = 64, LONG = 8, TURNS_CPU = 4096, LONG_CPU = 32 };
	uint64_t random = oclmm_random_below(oclmm_random_derive(key, "wait"), 0, OF);
	bool cpu = oclmm_device_info(session->device)->type & CL_DEVICE_TYPE_CPU;

	slot->waits = NULL;
	/* of where one work-item counts, atomic functions may be what is broken */
	if (!session->plan.waits || !lets_wait(session) || random >= UINT64_C(2) * EACH ||
	    (oclmm_text_of(environment, &session->plan) & OCLMM_TEXT_ALONE))
		return;
	p->opaque = random >= EACH;
	slot->waits = p->opaque ? &session->waits.opaque : &session->waits.own;
	p->patience = cpu ? TURNS_CPU : TURNS;
	p->patience_budget = p->patience * (cpu ? LONG_CPU : LONG);
}

/* A launch without an event would never be counted. */
static int enqueue_read(const struct oclmm_session *session, struct oclmm_slot *slot,
                        cl_command_queue queue, const cl_event *counted, struct oclmm_error *error)
{
	size_t buckets = (size_t)session->plan.outcomes + OCLMM_BUCKET_COUNT;
	cl_int code = clEnqueueReadBuffer(queue, slot->counters, CL_FALSE, 0,
	                                  buckets * sizeof(*slot->counts), slot->counts, !!counted,
	                                  counted, &slot->done);

	return oclmm_cl_made(error, "clEnqueueReadBuffer", slot->done, code);
}

/* In a queue of its own, so that the next launch does not wait for the copy: a GPU's driver takes
 * longer over it than the kernels take to follow each other. */
static int count_and_read(struct oclmm_session *session, struct oclmm_slot *slot,
                          const struct oclmm_environment *environment,
                          const struct oclmm_parameters *p, struct oclmm_error *error)
{
	cl_command_queue queue = oclmm_device_queue(session->device);
	cl_event counted = NULL;
	int r = enqueue_count(session, slot, environment, p, session->reading ? &counted : NULL,
	                      error);

	if (r == 0 && counted)
		r = OCLMM_CL_CALL(error, clFlush, queue);
	if (r == 0)
		r = enqueue_read(session, slot, counted ? session->reading : queue,
		                 counted ? &counted : NULL, error);
	if (r == 0)
		r = OCLMM_CL_CALL(error, clFlush, counted ? session->reading : queue);
	if (counted)
		clReleaseEvent(counted);
	return r;
}

/* Whether an environment that had a launch has the same kernels at work in groups of the same
 * shape. */
static bool is_warm(const struct oclmm_session *session,
                    const struct oclmm_environment *environment, uint32_t which)
{
	/* in whatever form */
	if (session->warm >> which & 1)
		return true;
	for (uint32_t i = 0; i < session->environment_count; i++) {
		const struct oclmm_environment *other = &session->environments[i];

		if (session->warm >> i & 1 &&
		    oclmm_text_of(other, &session->plan) ==
		            oclmm_text_of(environment, &session->plan) &&
		    oclmm_environment_width(other, &session->plan) ==
		            oclmm_environment_width(environment, &session->plan) &&
		    oclmm_environment_dimensions(other) ==
		            oclmm_environment_dimensions(environment) &&
		    (other->offset > 0) == (environment->offset > 0))
			return true;
	}
	return false;
}

/* Whether this is the first launch of its kernels. It counts like any other, and stands in a block
 * with the first ones of the programs beside it. */
static bool begins_cold(struct oclmm_session *session, const struct oclmm_environment *environment,
                        uint32_t which)
{
	bool cold = !is_warm(session, environment, which);

	session->warm |= UINT32_C(1) << which;
	return cold;
}

/* A cold launch is queued, which may have waited for a compiler: not the time of anything else. */
static void note_cold(struct oclmm_session *session, struct oclmm_slot *slot)
{
	struct oclmm_pace *pace = session->pace;
	double now = oclmm_clock();

	session->cold += now - slot->queued;
	pace->cold += now - slot->queued;
	slot->queued = pace->harvested = now;
}

static int launch(struct oclmm_session *session, const struct oclmm_environment *environment,
                  uint32_t which, struct oclmm_slot *slot, uint64_t number,
                  struct oclmm_error *error)
{
	uint64_t key = oclmm_launch_key(session->request->seed, number);
	size_t buckets = (size_t)session->plan.outcomes + OCLMM_BUCKET_COUNT;
	struct oclmm_parameters p;
	int r;

	oclmm_draw(environment, session->program, &session->plan, key, &p);
	r = oclmm_parameters_check(&p, session->program, &session->plan, error);
	if (r < 0)
		return r;
	note_stimulus(session, &p);
	p.looks = slot->looks = oclmm_draw_look(key, number);
	let_wait(session, environment, key, slot, &p);
	/* neighbours are far apart in each byte */
	p.salt = session->salt + (uint32_t)number * 0x9e3779b1u;
	slot->number = number;
	slot->instances = oclmm_environment_instances(environment);
	slot->queued = oclmm_clock();
	slot->cold = begins_cold(session, environment, which);
	p.other_before = slot->before[session->plan.outcomes + OCLMM_BUCKET_OTHER];
	memset(slot->counts, OCLMM_POISON, buckets * sizeof(*slot->counts));
	oclmm_scratch_note(session, &p);
	r = queue_side(session, environment, &p, slot, error);
	if (r == 0)
		r = look(session, environment, slot, &p, error);
	if (r == 0)
		r = play(session, environment, which, slot, &p, error);
	if (r == 0)
		r = count_and_read(session, slot, environment, &p, error);
	if (r == 0 && slot->cold)
		note_cold(session, slot);
	session->queued += slot->instances;
	return r;
}

/* ---- the memory ---- */

#define MEMORY_MOST ((uint64_t)1 << 34)

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* The largest need of any environment of the run, so that changing to another allocates nothing. */
struct sizes {
	uint64_t memory, svm, instances, workers, width, scratch, side, counting;
};

/* All that its launches are needs no more. */
static void add_sizes(const struct oclmm_session *session,
                      const struct oclmm_environment *environment, struct sizes *s)
{
	struct oclmm_environment forms[OCLMM_FORMS];
	uint32_t count = oclmm_environment_forms(environment, &session->plan, forms), local;
	struct oclmm_parameters p;

	for (uint32_t i = 0; i < count; i++) {
		const struct oclmm_environment *e = &forms[i];

		s->memory = larger(s->memory,
		                   oclmm_layout_bytes(e, session->program, OCLMM_STORAGE_BUFFER));
		s->svm = larger(s->svm,
		                oclmm_layout_bytes(e, session->program, OCLMM_STORAGE_SVM_ATOMICS));
		s->instances = larger(s->instances, oclmm_environment_instances(e));
		s->width = larger(s->width, oclmm_environment_width(e, &session->plan));
		s->workers = larger(s->workers,
		                    (uint64_t)oclmm_environment_places(e, &session->plan) *
		                            oclmm_environment_width(e, &session->plan));
		oclmm_draw(e, session->program, &session->plan, 0, &p);
		s->counting = larger(s->counting, oclmm_counting_work_items(e, &p, &local));
		/* smaller launches, with fewer instances for each, may have more of them */
		s->counting = larger(s->counting, (uint64_t)2 * e->count_lanes);
		s->scratch = larger(s->scratch, (uint64_t)e->stress_lines * e->stress_stride);
		if (e->queue_groups > 0)
			s->side = larger(s->side, (uint64_t)e->stress_lines * e->stress_stride);
	}
}

static struct sizes find_sizes(const struct oclmm_session *session)
{
	struct sizes s = {
		.memory = 64, .svm = 0, .instances = 1, .workers = 1, .width = 1, .scratch = 1};

	for (uint32_t i = 0; i < session->environment_count; i++)
		add_sizes(session, &session->environments[i], &s);
	return s;
}

/* Several may use it at once: kernels of one device by atomic operations of any kind (A:3.3.9.5),
 * devices and hosts of the finest. */
static int create_svm(struct oclmm_session *session, uint64_t size, void **ret_svm,
                      struct oclmm_error *error)
{
	return oclmm_svm_create(session->device,
	                        oclmm_on_one_device(&session->plan) ? OCLMM_STORAGE_SVM_COARSE
	                                                            : OCLMM_STORAGE_SVM_ATOMICS,
	                        size, error, ret_svm);
}

/* The kind of shared virtual memory that a program needs for all of its objects. */
static enum oclmm_storage kind_of_svm(const struct oclmm_program *program)
{
	enum oclmm_storage kind = OCLMM_STORAGE_SVM_ATOMICS;

	for (uint32_t i = 0; i < program->location_count; i++)
		if (oclmm_storage_is_svm(program->locations[i].storage))
			kind = program->locations[i].storage;
	return kind;
}

static int fill(cl_command_queue queue, cl_mem buffer, uint64_t words, cl_uint word,
                struct oclmm_error *error)
{
	return OCLMM_CL_CALL(error, clEnqueueFillBuffer, queue, buffer, &word, sizeof(word), 0,
	                     (size_t)words * 4, 0, NULL, NULL);
}

static int create_table(struct oclmm_session *session, struct oclmm_error *error)
{
	size_t words;
	uint64_t *table = oclmm_count_table(session->program, session->request->space, &words);
	cl_int code;

	session->table = clCreateBuffer(oclmm_device_context(session->device),
	                                CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
	                                words * sizeof(*table), table, &code);
	free(table);
	return oclmm_cl_made(error, "clCreateBuffer", session->table, code);
}

/* A buffer that starts with zeros. */
static int create_clear(struct oclmm_session *session, uint64_t words, cl_mem *ret_buffer,
                        struct oclmm_error *error)
{
	int r = oclmm_buffer_take(session->device, words * 4, error, ret_buffer);

	return r < 0 ? r : fill(oclmm_device_queue(session->device), *ret_buffer, words, 0, error);
}

/* What all roles write to, wherever they are played. */
static int create_shared(struct oclmm_session *session, uint64_t size, struct oclmm_memory *memory,
                         struct oclmm_error *error)
{
	if (session->plan.parts == 1)
		return oclmm_buffer_take(session->device, size, error, &memory->buffer);
	return create_svm(session, size, &memory->svm, error);
}

static int create_meeting(struct oclmm_session *session, uint64_t words, struct oclmm_error *error)
{
	const cl_uint zero = 0;
	int r;

	if (session->plan.parts == 1)
		return create_clear(session, words, &session->meeting.buffer, error);
	r = create_svm(session, words * 4, &session->meeting.svm, error);
	if (r < 0)
		return r;
	return OCLMM_CL_CALL(error, clEnqueueSVMMemFill, oclmm_device_queue(session->device),
	                     session->meeting.svm, &zero, sizeof(zero), (size_t)words * 4, 0, NULL,
	                     NULL);
}

/* What the kernels beside the first one have of their own. */
static int create_kernel_parts(struct oclmm_session *session, const struct sizes *s,
                               struct oclmm_error *error)
{
	uint64_t words = s->scratch + OCLMM_GUARD;
	int r = 0;

	for (uint32_t i = 1; r == 0 && i < session->plan.kernels; i++) {
		struct oclmm_kernel_part *part = &session->kernels[i];

		part->workers = s->workers;
		part->seen = oclmm_calloc(part->workers, sizeof(*part->seen));
		r = oclmm_buffer_take(session->device, words * 4, error, &part->scratch);
		if (r == 0)
			r = oclmm_buffer_take(session->device, s->workers * 4, error,
			                      &part->played);
		if (r == 0)
			r = take_played(part, error);
	}
	return r;
}

static int begin_tickets(struct oclmm_session *session, struct oclmm_slot *slot,
                         struct oclmm_error *error)
{
	cl_uint first = oclmm_tickets_begin(&slot->tickets);

	return OCLMM_CL_CALL(error, clEnqueueFillBuffer, oclmm_device_queue(session->device),
	                     slot->counters, &first, sizeof(first),
	                     ((size_t)session->plan.outcomes + OCLMM_TICKET_TESTED) * sizeof(first),
	                     (OCLMM_BUCKET_COUNT - OCLMM_TICKET_TESTED) * sizeof(first), 0, NULL,
	                     NULL);
}

static int create_slot(struct oclmm_session *session, struct oclmm_slot *slot, uint64_t instances,
                       struct oclmm_error *error)
{
	uint64_t buckets = (uint64_t)session->plan.outcomes + OCLMM_BUCKET_COUNT;
	uint64_t word = session->plan.wide ? 8 : 4;
	int r = create_clear(session, buckets, &slot->counters, error);

	if (r == 0)
		r = begin_tickets(session, slot, error);

	slot->counts = oclmm_calloc(buckets, sizeof(*slot->counts));
	slot->before = oclmm_calloc(buckets, sizeof(*slot->before));
	if (r == 0)
		r = oclmm_buffer_take(session->device,
		                      instances * (session->plan.observables + 1) * word, error,
		                      &slot->raw);
	return r;
}

/* As many elements as the largest launch has slots for. */
static uint64_t count_elements(const struct oclmm_session *session, uint32_t location)
{
	uint64_t most = 1;

	for (uint32_t i = 0; i < session->environment_count; i++) {
		const struct oclmm_environment *e = &session->environments[i];

		most = larger(most, (uint64_t)oclmm_environment_instances(e) * e->stride *
		                            session->program->locations[location].elements);
	}
	return most;
}

/* A buffer, and the image that the test kernel sees of it (A:5.3.1). */
static int create_image(struct oclmm_session *session, uint32_t location, struct oclmm_error *error)
{
	static const cl_image_format format = {CL_R, CL_SIGNED_INT32};
	struct oclmm_image *image = &session->images[location];
	uint64_t elements = count_elements(session, location);
	cl_image_desc description = {.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER,
	                             .image_width = (size_t)elements};
	cl_int code;
	int r = oclmm_buffer_create(session->device, elements * sizeof(cl_int), error,
	                            &image->buffer);

	if (r < 0)
		return r;
	description.buffer = image->buffer;
	image->view = clCreateImage(oclmm_device_context(session->device), CL_MEM_READ_WRITE,
	                            &format, &description, NULL, &code);
	return oclmm_cl_made(error, "clCreateImage", image->view, code);
}

static int create_images(struct oclmm_session *session, struct oclmm_error *error)
{
	int r = 0;

	for (uint32_t i = 0; r == 0 && i < session->program->location_count; i++)
		if (oclmm_location_is_image(&session->program->locations[i]))
			r = create_image(session, i, error);
	return r;
}

static int create_memory(struct oclmm_session *session, struct oclmm_error *error)
{
	struct sizes s = find_sizes(session);
	uint64_t word = session->plan.wide ? 8 : 4;
	int r;

	/* slots are numbered with 32 bits, in elements of at least four bytes */
	if (s.memory > MEMORY_MOST || s.svm > MEMORY_MOST)
		return oclmm_error_set(error, -EINVAL,
		                       "the instances need more than 16 GiB of memory");
	/* of buffers the locations lie in one */
	if (oclmm_on_one_device(&session->plan))
		r = oclmm_buffer_take(session->device, s.memory, error, &session->memory.buffer);
	else
		r = create_svm(session, s.memory, &session->memory.svm, error);
	if (r == 0)
		r = create_images(session, error);
	if (r == 0)
		r = create_shared(session, larger(s.instances * session->plan.planes, 1),
		                  &session->codes, error);
	if (r == 0)
		r = create_shared(session, larger(s.instances * session->plan.planes, 1) * word,
		                  &session->results, error);
	if (r == 0)
		r = create_table(session, error);
	if (r == 0)
		r = create_clear(session, s.workers, &session->played, error);
	if (r == 0)
		r = create_meeting(session, s.width, error);
	session->restored.count = (uint32_t)s.counting;
	if (r == 0)
		r = create_clear(session, s.counting, &session->restored.words, error);
	session->scratch_words = larger(s.scratch, s.side);
	session->salt = oclmm_fresh_number();
	if (r == 0)
		r = create_clear(session, session->scratch_words + OCLMM_GUARD, &session->scratch,
		                 error);
	if (r == 0 && s.side > 0)
		r = create_clear(session, session->scratch_words + OCLMM_GUARD,
		                 &session->side_scratch, error);
	if (r == 0)
		r = create_kernel_parts(session, &s, error);
	for (int i = 0; r == 0 && i < OCLMM_SLOTS; i++)
		r = create_slot(session, &session->slots[i], s.instances, error);
	if (r < 0 || s.svm == 0)
		return r;
	return oclmm_svm_create(session->device, kind_of_svm(session->program), s.svm, error,
	                        &session->svm);
}

static void release(cl_mem buffer)
{
	if (buffer)
		clReleaseMemObject(buffer);
}

static void release_memory(const struct oclmm_session *session, const struct oclmm_memory *memory)
{
	oclmm_buffer_give(session->device, memory->buffer);
	/* never system memory, which is for the program's objects */
	oclmm_svm_destroy(session->device, OCLMM_STORAGE_SVM_ATOMICS, memory->svm);
}

static void destroy_memory(struct oclmm_session *session)
{
	release_memory(session, &session->memory);
	release_memory(session, &session->codes);
	release_memory(session, &session->results);
	release_memory(session, &session->meeting);
	for (int i = 0; i < OCLMM_KERNEL_LOCATIONS; i++) {
		release(session->images[i].view);
		release(session->images[i].buffer);
	}
	oclmm_buffer_give(session->device, session->played);
	release(session->table);
	oclmm_buffer_give(session->device, session->restored.words);
	free(session->restored.shapes);
	for (int i = 0; i < OCLMM_KERNEL_PARTS; i++) {
		oclmm_buffer_give(session->device, session->kernels[i].scratch);
		oclmm_buffer_give(session->device, session->kernels[i].played);
		free(session->kernels[i].seen);
	}
	oclmm_buffer_give(session->device, session->scratch);
	oclmm_buffer_give(session->device, session->side_scratch);
	for (int i = 0; i < OCLMM_SLOTS; i++) {
		oclmm_buffer_give(session->device, session->slots[i].counters);
		oclmm_buffer_give(session->device, session->slots[i].raw);
		free(session->slots[i].counts);
		free(session->slots[i].before);
	}
	oclmm_svm_destroy(session->device, kind_of_svm(session->program), session->svm);
}

/* ---- opening and closing ---- */

/* The first queue of a device is there; more of them are the session's. */
static int open_queue(struct oclmm_session *session, uint32_t number, struct oclmm_error *error)
{
	struct oclmm_kernel_part *part = &session->kernels[number];
	uint32_t device = session->plan.part_device[number];
	int r = 0;

	if (session->plan.part_queue[number] > 0)
		r = oclmm_device_queue_new(session->device, device, 0, error, &part->own);
	part->queue = part->own ? part->own : oclmm_device_queue_of(session->device, device);
	return r;
}

/* Gives each role its executor. Kernels come first, because they take their time to begin. */
static int assign_roles(struct oclmm_session *session, struct oclmm_error *error)
{
	const struct oclmm_kernel_plan *plan = &session->plan;
	cl_command_queue children;
	int r = 0;

	if (plan->children)
		r = oclmm_device_extra_queue(session->device, OCLMM_QUEUE_ON_DEVICE, error,
		                             &children);
	for (uint32_t i = 0; r == 0 && i < plan->kernels; i++) {
		session->kernels[i].session = session;
		session->kernels[i].number = i;
		session->parts[i].executor = i == 0 ? &executor_kernel : &executor_other_kernel;
		session->parts[i].data = &session->kernels[i];
		r = open_queue(session, i, error);
	}
	for (uint32_t role = 0; r == 0 && role < plan->roles; role++) {
		struct oclmm_part *part = &session->parts[plan->role_part[role]];

		part->roles |= 1u << role;
		if (plan->role_part[role] < plan->kernels)
			continue;
		part->executor = &oclmm_executor_host;
		part->data = &session->hosts[role];
		r = oclmm_host_role_create(session, role, error);
	}
	session->part_count = plan->parts;
	return r < 0 ? r : oclmm_parts_check(session->parts, plan->parts, plan->roles, error);
}

/* As few instances as there can be with the same kernels and the same groups: for building
 * alone. */
static void reduce(const struct oclmm_session *session, struct oclmm_environment *environment)
{
	unsigned text = oclmm_text_of(environment, &session->plan);

	for (;;) {
		struct oclmm_environment smaller = *environment;

		if (smaller.rounds > 1)
			smaller.rounds /= 2;
		else if (smaller.groups / 2 >= session->plan.work_groups)
			smaller.groups /= 2;
		/* the counting kernel's groups become smaller when there is less to count than they
		 * hold */
		if (smaller.rounds * smaller.groups == environment->rounds * environment->groups ||
		    oclmm_environment_instances(&smaller) < smaller.count_lanes ||
		    oclmm_text_of(&smaller, &session->plan) != text)
			return;
		*environment = smaller;
	}
}

static int choose_environments(struct oclmm_session *session, struct oclmm_error *error)
{
	const struct oclmm_device_info *info = oclmm_device_info(session->device);
	int r = 0;

	if (session->request->environment) {
		session->environment_count = session->request->environment_count
		                                     ? session->request->environment_count
		                                     : 1;
		memcpy(session->environments, session->request->environment,
		       session->environment_count * sizeof(*session->environments));
	} else {
		session->environment_count = oclmm_environment_defaults(info, &session->plan,
		                                                        session->environments);
	}
	for (uint32_t i = 0; r == 0 && i < session->environment_count; i++)
		r = oclmm_environment_check(&session->environments[i], info, &session->plan, error);
	for (uint32_t i = 0;
	     r == 0 && session->request->build_only && i < session->environment_count; i++)
		reduce(session, &session->environments[i]);
	return r;
}

/* Where others wait for a launch to end its queue is empty anyhow; and runtimes of CPUs copy at
 * once. */
static bool reads_apart(const struct oclmm_session *session)
{
	if (session->plan.parts > 1 || session->request->build_only)
		return false;
	return session->request->read_apart ||
	       !(oclmm_device_info(session->device)->type & CL_DEVICE_TYPE_CPU);
}

/* A driver may finish compiling when a kernel is launched. */
static int compile_all(struct oclmm_session *session, struct oclmm_error *error)
{
	int r = 0;

	for (uint32_t i = 0; r == 0 && i < session->environment_count; i++) {
		const struct oclmm_environment *environment = &session->environments[i];

		if (!begins_cold(session, environment, i))
			continue;
		r = initialise(session, environment, &session->slots[0], error);
		if (r == 0)
			r = play_nothing(session, environment, i, error);
	}
	return r;
}

static int open(struct oclmm_session *session, struct oclmm_error *error,
                struct oclmm_run_result *result)
{
	double start = oclmm_clock();
	struct oclmm_error ignored;
	int r = choose_environments(session, error);

	if (r < 0)
		return r;
	r = assign_roles(session, error);
	if (reads_apart(session) && oclmm_device_extra_queue(session->device, OCLMM_QUEUE_READING,
	                                                     &ignored, &session->reading) < 0)
		session->reading = oclmm_device_queue(session->device);
	if (r == 0)
		r = build_kernels(session, error, result);
	result->build_seconds = oclmm_clock() - start;
	if (r == 0)
		r = create_memory(session, error);
	if (r == 0)
		r = set_arguments(session, error);
	if (r == 0)
		r = session->request->build_only ? compile_all(session, error)
		                                 : initialise(session, &session->environments[0],
		                                              &session->slots[0], error);
	if (r == 0)
		r = OCLMM_CL_CALL(error, clFinish, oclmm_device_queue(session->device));
	result->counts.compile_seconds = oclmm_clock() - start;
	return r;
}

/* Nothing of the run may be on the device any more when its buffers go. */
static void empty_queues(struct oclmm_session *session)
{
	clFinish(oclmm_device_queue(session->device));
	if (session->reading)
		clFinish(session->reading);
	for (int i = 0; i < OCLMM_KERNEL_PARTS; i++)
		if (session->kernels[i].own)
			clFinish(session->kernels[i].own);
	finish_side(session);
	for (int i = 0; i < OCLMM_SLOTS; i++)
		if (session->slots[i].done)
			clReleaseEvent(session->slots[i].done);
}

static void close(struct oclmm_session *session)
{
	empty_queues(session);
	destroy_kernels(session);
	destroy_memory(session);
	for (uint32_t i = 0; i < OCLMM_KERNEL_ROLES; i++)
		oclmm_host_role_destroy(&session->hosts[i]);
}

/* After the last launch. */
static int check(struct oclmm_session *session, struct oclmm_error *error)
{
	int r = check_scratch(session, error);

	return r < 0 ? r : check_restored(session, error);
}

const struct oclmm_playing oclmm_playing_roles = {
	.open = open,
	.initialise = initialise,
	.launch = launch,
	.harvest = harvest,
	.check = check,
	.close = close,
};
