// SPDX-License-Identifier: Apache-2.0
/*
 * One run of one program, in a process of its own. Whenever the child begins something, and at the
 * end, the result as far as it is known goes over the pipe: a sign of life, and what can be said of
 * a program that never ends.
 */
#include "internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "process/process.h"

/*
 * Memory traffic beside a program, by a kernel on a queue of its own. What it does
 * is drawn from a key; how far the two overlap is the device's affair.
 */

enum { SCRATCH_WORDS = 1 << 16, PATTERNS = 3, SHORT_TURNS = 30000 };

/* About as long as the program beside it, within these. */
static const double LEAST_SECONDS = 0.0005, MOST_SECONDS = 0.05;

struct idiom_stress {
	struct idiom_session *session;
	cl_command_queue queue;
	cl_program program;
	cl_kernel kernel;
	cl_mem scratch;
};

static int create_objects(struct idiom_stress *stress)
{
	struct oclmm_device *device = stress->session->device;
	int r = oclmm_queue_create(device, 0, stress->session->error, &stress->queue);

	if (r == 0)
		r = oclmm_buffer_create(device, SCRATCH_WORDS * sizeof(cl_uint),
		                        stress->session->error, &stress->scratch);
	if (r == 0)
		r = idiom_fill(stress->session, stress->scratch, 0, SCRATCH_WORDS);
	if (r == 0)
		r = idiom_build(stress->session, NULL, "background.cl", 0, &stress->program);
	if (r == 0)
		r = oclmm_kernel_create(stress->program, "background", stress->session->error,
		                        &stress->kernel);
	return r;
}

static void stress_destroy(struct idiom_stress *stress)
{
	if (!stress)
		return;
	if (stress->kernel)
		clReleaseKernel(stress->kernel);
	if (stress->program)
		clReleaseProgram(stress->program);
	if (stress->scratch)
		clReleaseMemObject(stress->scratch);
	if (stress->queue)
		clReleaseCommandQueue(stress->queue);
	free(stress);
}

static int stress_create(struct idiom_session *session, struct idiom_stress **ret_stress)
{
	struct idiom_stress *stress = oclmm_calloc(1, sizeof(*stress));
	int r;

	stress->session = session;
	r = create_objects(stress);
	if (r < 0) {
		stress_destroy(stress);
		return r;
	}
	*ret_stress = stress;
	return 0;
}

static cl_uint stress_turns(const struct idiom_session *session)
{
	double seconds = session->result->kernel, turns;

	seconds = seconds < LEAST_SECONDS  ? LEAST_SECONDS
	          : seconds > MOST_SECONDS ? MOST_SECONDS
	                                   : seconds;
	turns = session->rate * seconds;
	if (session->info->short_loops && turns > SHORT_TURNS)
		turns = SHORT_TURNS;
	return (cl_uint)(turns < 1 ? 1 : turns);
}

static int stress_begin(struct idiom_stress *stress, uint64_t key)
{
	const struct idiom_session *session = stress->session;
	bool cpu = session->info->type & CL_DEVICE_TYPE_CPU;
	/* on a CPU one thread is enough: the program wants the others */
	size_t groups = cpu ? 1 : 1 + oclmm_random_below(key, 10, session->info->compute_units);
	size_t local = cpu ? 1 : 64, global = groups * local;
	cl_uint stride = 1u << oclmm_random_below(key, 11, 6);
	cl_uint lines = 1 + (cl_uint)oclmm_random_below(key, 12, SCRATCH_WORDS / stride);
	cl_uint pattern = (cl_uint)oclmm_random_below(key, 13, PATTERNS),
		turns = stress_turns(session);
	int r = IDIOM_SET(stress->session, stress->kernel, IDIOM_VALUE(stress->scratch),
	                  IDIOM_VALUE(lines), IDIOM_VALUE(stride), IDIOM_VALUE(turns),
	                  IDIOM_VALUE(pattern));

	if (r == 0)
		r = oclmm_kernel_enqueue(stress->queue, stress->kernel, 1, &global, &local, NULL,
		                         stress->session->error);
	return r == 0 ? oclmm_cl_check(stress->session->error, "clFlush", clFlush(stress->queue))
	              : r;
}

static int stress_end(struct idiom_stress *stress)
{
	return oclmm_cl_check(stress->session->error, "clFinish", clFinish(stress->queue));
}

/* ---- runs ---------------------------------------------------------------------- */

enum { COPIES = 5 };
/* Environments are drawn from another stream than data. */
static const uint64_t STRESS_KEY = UINT64_C(0x7374726573730000);

static int open_session(struct idiom_session *session)
{
	int r;

	if (session->info->major < 2 || !*oclmm_device_build_options(session->device))
		return oclmm_error_set(
			session->error, -ENOTSUP,
			"the device has no compiler for OpenCL C 2.0 or 3.0 atomics");
	r = oclmm_queue_create(session->device, CL_QUEUE_PROFILING_ENABLE, session->error,
	                       &session->queue);
	return r < 0 ? r : oclmm_buffer_create(session->device, 64, session->error, &session->poll);
}

static int take_sizes(struct idiom_session *session)
{
	const struct idiom_request *request = session->request;
	const struct idiom_actions *actions = session->actions;
	uint64_t steps = request->steps == IDIOM_DEFAULT ? actions->steps : request->steps;

	session->size = request->size == IDIOM_DEFAULT ? actions->size : request->size;
	if (request->steps != IDIOM_DEFAULT && actions->steps == 0)
		return IDIOM_REFUSE(session, "--steps: %s has none", request->program->name);
	if (steps > INT32_MAX)
		return IDIOM_REFUSE(session, "--steps %llu: at most 2^31-1",
		                    (unsigned long long)steps);
	session->steps = (uint32_t)steps;
	session->result->size = session->size;
	session->result->steps = session->steps;
	return 0;
}

static void take_shape(struct idiom_session *session)
{
	session->shape = session->most;
	session->result->sized = true;
	session->result->group_size = session->most.group_size;
	session->result->groups = session->most.groups;
}

static void note_short_loops(const struct idiom_session *session)
{
	if (session->info->short_loops)
		snprintf(session->result->note, sizeof(session->result->note),
		         "this device ends the loops of a work-item after 65,535 turns without a "
		         "word, those "
		         "that wait included: no answer of a kernel that waits can be relied on");
}

static int areas_make(struct idiom_session *session)
{
	const struct idiom_area *area = session->actions->areas;
	int r = 0;

	for (; r == 0 && area && area->words; area++)
		r = idiom_buffer(session, area->buffer, area->words(session) * sizeof(uint32_t));
	return r;
}

static int areas_reset(struct idiom_session *session)
{
	const struct idiom_area *area = session->actions->areas;
	int r = 0;

	for (; r == 0 && area && area->words; area++) {
		cl_mem buffer = session->buffers[area->buffer];
		uint64_t words = area->words(session);

		if (area->before == IDIOM_FILLED)
			r = idiom_fill(session, buffer, area->value, words);
		if (area->before == IDIOM_COPIED)
			r = idiom_write(session, buffer, session->input, words * sizeof(uint32_t));
	}
	return r;
}

static int collect(struct idiom_session *session)
{
	int gave_up = session->actions->gave_up;
	int r = gave_up ? idiom_check_gave_up(session, session->buffers[gave_up]) : 0;

	return r == 0 ? idiom_answer(session, session->actions->answer) : r;
}

/*
 * All runs have the same answer, so that a driver which does nothing any more, or reads what it
 * read before, would go on being right. So before a further run there is another number in its
 * place; whether that was written and can be read is looked at, too.
 */
static int forget_answer(struct idiom_session *session)
{
	uint64_t words = session->answered_words, i = 0;
	uint32_t number = oclmm_fresh_number(), *read;
	cl_mem buffer = session->buffers[session->answered];
	int r;

	if (words == 0)
		return 0;
	read = malloc(words * sizeof(*read));
	if (!read)
		return oclmm_error_set(session->error, -ENOMEM, "no memory for %llu words",
		                       (unsigned long long)words);
	for (uint64_t at = 0; at < words; at++)
		read[at] = ~number;
	r = idiom_fill(session, buffer, number, words);
	if (r == 0)
		r = idiom_read(session, buffer, read, words * sizeof(*read));
	while (i < words && read[i] == number)
		i++;
	free(read);
	if (r < 0 || i == words)
		return r;
	return oclmm_error_set(session->error, -EIO,
	                       "the driver said that it filled a buffer and read it, and "
	                       "element %llu is not what it was filled with",
	                       (unsigned long long)i);
}

static uint64_t host_memory(void)
{
	long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);

	return pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : UINT64_MAX;
}

static int check_memory(struct idiom_session *session)
{
	const struct idiom_actions *actions = session->actions;
	uint64_t device, host, memory = host_memory();
	cl_ulong largest = 0;

	/* so that no product below overflows */
	if (session->size > UINT64_C(1) << 48)
		return IDIOM_REFUSE(session, "--size %llu is beyond the memory of any device",
		                    (unsigned long long)session->size);
	clGetDeviceInfo(oclmm_device_id(session->device, 0), CL_DEVICE_MAX_MEM_ALLOC_SIZE,
	                sizeof(largest), &largest, NULL);
	/* groups have a word each, or a few */
	if (largest && session->most.groups * 4 > largest)
		return IDIOM_REFUSE(
			session,
			"--groups %llu: a buffer of %llu MiB for them, and this device has buffers "
			"of at most %llu MiB",
			(unsigned long long)session->most.groups,
			(unsigned long long)(session->most.groups * 4 >> 20),
			(unsigned long long)(largest >> 20));
	if (largest && session->size * 4 > largest)
		return IDIOM_REFUSE(
			session,
			"--size %llu: a buffer of %llu MiB, and this device has buffers of at most "
			"%llu MiB",
			(unsigned long long)session->size,
			(unsigned long long)(session->size * 4 >> 20),
			(unsigned long long)(largest >> 20));
	host = actions->host_words * session->size * sizeof(uint32_t);
	device = actions->device_words * session->size +
	         actions->group_words * session->most.groups;
	device += actions->more_words ? actions->more_words(session) : 0;
	device *= sizeof(uint32_t);
	if (device > session->info->global_memory)
		return IDIOM_REFUSE(
			session, "--size %llu%s needs %llu MiB, and this device has %llu MiB",
			(unsigned long long)session->size,
			session->request->groups == IDIOM_DEFAULT ? "" : " with so many --groups",
			(unsigned long long)(device >> 20),
			(unsigned long long)(session->info->global_memory >> 20));
	if (session->info->type & CL_DEVICE_TYPE_CPU)
		host += device;
	if (host > memory)
		return IDIOM_REFUSE(session,
		                    "--size %llu needs %llu MiB on the host, which has %llu MiB",
		                    (unsigned long long)session->size,
		                    (unsigned long long)(host >> 20),
		                    (unsigned long long)(memory >> 20));
	return 0;
}

static int launch(struct idiom_session *session)
{
	int r = session->actions->set_arguments ? session->actions->set_arguments(session) : 0;

	if (r == 0)
		r = session->actions->launch
		            ? session->actions->launch(session)
		            : idiom_enqueue(session, session->kernels[0], session->shape);
	return r;
}

/* One launch and its answer; `*ret_wall` is the time until it is on the host. */
static int run_once(struct idiom_session *session, double *ret_wall)
{
	double begun;
	int r = forget_answer(session);

	if (r == 0)
		r = areas_reset(session);
	if (r == 0 && session->actions->reset)
		r = session->actions->reset(session);
	session->alive(session->alive_data);
	if (r == 0)
		r = idiom_finish(session);
	session->begun = session->ended = 0;
	begun = oclmm_clock();
	if (r == 0)
		r = launch(session);
	if (r == 0)
		r = idiom_finish(session);
	if (r == 0)
		r = session->actions->collect ? session->actions->collect(session)
		                              : collect(session);
	if (r == -ETIME)
		note_short_loops(session);
	*ret_wall = oclmm_clock() - begun;
	return r;
}

/* Drivers give 0 or 1 ns when they do not measure. */
static double kernel_seconds(struct idiom_session *session, double wall)
{
	if (session->ended > session->begun + 100)
		return (double)(session->ended - session->begun) * 1e-9;
	snprintf(session->result->note, sizeof(session->result->note),
	         "the driver does not measure kernels: their times are the host's");
	return wall;
}

static void describe_difference(const struct idiom_session *session, size_t at, char *message,
                                size_t size)
{
	if (session->actions->floats) {
		float is, should;

		memcpy(&is, &session->answer[at], sizeof(is));
		memcpy(&should, &session->expected[at], sizeof(should));
		snprintf(message, size, "element %zu of %zu is %g and should be %g", at,
		         session->answers, (double)is, (double)should);
	} else {
		snprintf(message, size, "element %zu of %zu is %u and should be %u", at,
		         session->answers, session->answer[at], session->expected[at]);
	}
}

static bool is_right(const struct idiom_session *session, char *message, size_t size)
{
	size_t at = reference_differ(session->answer, session->expected, session->answers);

	if (at < session->answers)
		describe_difference(session, at, message, size);
	return at == session->answers;
}

/* Where loops end early, waiting may have used up the turns of those that compute. */
static enum idiom_end end_of_wrong(const struct idiom_session *session)
{
	if (!session->info->short_loops || !session->actions->spins)
		return IDIOM_WRONG;
	note_short_loops(session);
	return IDIOM_GAVE_UP;
}

/* The first run is not timed: kernels are loaded then, and memory is touched for the first time. */
static int run_timed(struct idiom_session *session)
{
	struct idiom_result *result = session->result;
	uint32_t runs = session->request->runs;
	double *kernel = oclmm_calloc(runs + 1, sizeof(double)),
	       *wall = oclmm_calloc(runs + 1, sizeof(double));
	double ignored;
	int r = run_once(session, &ignored);

	result->end = IDIOM_RIGHT;
	for (uint32_t i = 0; r == 0; i++) {
		if (!is_right(session, result->message, sizeof(result->message)))
			result->end = end_of_wrong(session);
		if (result->end != IDIOM_RIGHT || i == runs)
			break;
		r = run_once(session, &wall[i]);
		if (r == 0)
			kernel[result->runs++] = kernel_seconds(session, wall[i]);
	}
	result->kernel = reference_median(kernel, result->runs);
	result->wall = reference_median(wall, result->runs);
	free(kernel);
	free(wall);
	return r;
}

static int run_stressed(struct idiom_session *session, struct idiom_stress *stress, uint32_t number)
{
	struct idiom_result *result = session->result;
	uint64_t key = oclmm_random(session->request->seed ^ STRESS_KEY, number);
	char why[200];
	double ignored;
	int r, end;

	session->shape = session->most;
	if (session->actions->vary && session->request->form == IDIOM_REPAIRED)
		session->actions->vary(session, key);
	r = idiom_build_kernels(session, session->shape.group_size);
	if (r == 0)
		r = stress_begin(stress, key);
	if (r < 0)
		return r;
	r = run_once(session, &ignored);
	end = stress_end(stress);
	if (r < 0 || end < 0)
		return r < 0 ? r : end;
	result->stress_runs++;
	if (is_right(session, why, sizeof(why))) {
		result->stress_right++;
	} else if (result->end == IDIOM_RIGHT) {
		result->end = end_of_wrong(session);
		snprintf(result->message, sizeof(result->message),
		         "under stress, %llu groups of %llu: %s",
		         (unsigned long long)session->shape.groups,
		         (unsigned long long)session->shape.group_size, why);
	}
	return 0;
}

static int run_stress(struct idiom_session *session)
{
	struct idiom_stress *stress;
	int r = stress_create(session, &stress);

	if (r < 0)
		return r;
	for (uint32_t i = 0; r == 0 && i < session->request->repeat; i++)
		r = run_stressed(session, stress, i);
	stress_destroy(stress);
	return r;
}

static int copy_once(struct idiom_session *session, cl_mem from, cl_mem to, size_t bytes,
                     double *ret_seconds)
{
	int r = oclmm_cl_check(session->error, "clEnqueueCopyBuffer",
	                       clEnqueueCopyBuffer(session->queue, from, to, 0, 0, bytes, 0, NULL,
	                                           &session->last));

	if (r < 0)
		return r;
	session->first = session->last;
	r = idiom_finish(session);
	*ret_seconds = (double)(session->ended - session->begun) * 1e-9;
	return r;
}

static int measure_copies(struct idiom_session *session, cl_mem from, cl_mem to, size_t bytes)
{
	double seconds[COPIES], median;
	/* the first one touches the memory */
	int r = idiom_fill(session, from, 1, bytes / 4);

	if (r == 0)
		r = copy_once(session, from, to, bytes, &seconds[0]);
	for (int i = 0; r == 0 && i < COPIES; i++)
		r = copy_once(session, from, to, bytes, &seconds[i]);
	if (r < 0)
		return r;
	median = reference_median(seconds, COPIES);
	/* less is what drivers give that do not measure */
	if (median > 1e-7)
		session->result->copy_rate = 2 * (double)bytes / median;
	return 0;
}

/* Two buffers of the program's own size, so that caches help both alike. */
static int measure_copy(struct idiom_session *session)
{
	size_t bytes = session->size * 4;
	cl_mem from = NULL, to = NULL;
	int r;

	if (bytes == 0)
		return 0;
	r = oclmm_buffer_create(session->device, bytes, session->error, &from);
	if (r == 0)
		r = oclmm_buffer_create(session->device, bytes, session->error, &to);
	if (r == 0)
		r = measure_copies(session, from, to, bytes);
	if (from)
		clReleaseMemObject(from);
	if (to)
		clReleaseMemObject(to);
	/* it is only for comparison, and left out where memory is short */
	return r == -ENOMEM ? 0 : r;
}

static int run_program(struct idiom_session *session)
{
	const struct idiom_actions *actions = session->actions;
	int r;

	if (!actions)
		return IDIOM_REFUSE(session, "%s has no published form: %s",
		                    session->request->program->name,
		                    session->request->program->published);
	r = take_sizes(session);
	if (r == 0)
		r = idiom_calibrate(session);
	if (r == 0 && actions->run)
		return actions->run(session);
	/* a size beyond all bounds before anything is computed from it */
	if (r == 0)
		r = check_memory(session);
	if (r == 0)
		r = actions->shape(session);
	take_shape(session);
	if (r == 0)
		r = check_memory(session);
	session->result->launched = r == 0;
	session->alive(session->alive_data);
	if (r == 0)
		r = actions->prepare(session);
	if (r == 0)
		r = areas_make(session);
	if (r == 0)
		r = run_timed(session);
	if (r == 0)
		r = measure_copy(session);
	if (r == 0 && session->request->repeat && session->result->end == IDIOM_RIGHT)
		r = run_stress(session);
	return r;
}

static void finish_session(struct idiom_session *session)
{
	for (int i = 0; i < IDIOM_BUFFERS; i++)
		if (session->buffers[i])
			clReleaseMemObject(session->buffers[i]);
	idiom_release_kernels(session);
	if (session->progress)
		clReleaseKernel(session->progress);
	if (session->together)
		clReleaseKernel(session->together);
	if (session->progress_program)
		clReleaseProgram(session->progress_program);
	if (session->poll)
		clReleaseMemObject(session->poll);
	if (session->queue)
		clReleaseCommandQueue(session->queue);
	free(session->input);
	free(session->expected);
	free(session->answer);
}

static enum idiom_end end_of(int r)
{
	switch (r) {
	case -EINVAL: return IDIOM_REFUSED;
	case -ENOTSUP: return IDIOM_UNSUPPORTED;
	case -ETIME: return IDIOM_GAVE_UP;
	default: return IDIOM_FAILED;
	}
}

/* From the opened device to the result. */
static void run_session(struct oclmm_device *device, const struct idiom_request *request,
                        void (*alive)(void *data), void *data, struct idiom_result *ret_result)
{
	struct oclmm_error error = {0};
	struct idiom_session session = {
		.request = request,
		.actions = request->form == IDIOM_PUBLISHED ? request->program->as_published
	                                                    : request->program->repaired,
		.result = ret_result,
		.alive = alive,
		.alive_data = data,
		.device = device,
		.info = oclmm_device_info(device),
		.error = &error,
	};
	int r = open_session(&session);

	if (r == 0)
		r = run_program(&session);
	if (r < 0) {
		ret_result->end = end_of(r);
		snprintf(ret_result->message, sizeof(ret_result->message), "%s", error.message);
	}
	finish_session(&session);
}

/* Both ends are the same program, so that a result goes as it is. The child is told once. */
enum { ASK = 1 };
enum message { SO_FAR = 1, COMPLETE };

struct child {
	const struct oclmm_device_identity *identity;
	const struct idiom_request *request;
	int socket;
	struct idiom_result result;
};

/* What a compiler may take on a busy machine: a short limit is for the program. */
static const double BUILD_SECONDS = 120;
/* From the end of what it says to its own. */
static const double LEAVE_SECONDS = 5;

/* ---- the child's side ---- */

static void say(struct child *child, enum message message)
{
	struct oclmm_text text = {0};

	wire_put(&text, &child->result, sizeof(child->result));
	if (wire_send(child->socket, message, &text) < 0)
		_exit(1); /* the program has ended */
	oclmm_text_finish(&text);
}

static void say_alive(void *data)
{
	say(data, SO_FAR);
}

static void be_child(struct child *child)
{
	struct idiom_result *result = &child->result;
	struct oclmm_device *device;
	struct oclmm_error error = {0};

	result->end = IDIOM_FAILED;
	if (oclmm_device_open_identified(child->identity, &error, &device) == 0)
		run_session(device, child->request, say_alive, child, result);
	else
		snprintf(result->message, sizeof(result->message), "%s", error.message);
	say(child, COMPLETE);
}

void idiom_serve(int socket)
{
	struct oclmm_device_identity identity;
	struct idiom_request request;
	struct child child = {.identity = &identity, .request = &request, .socket = socket};
	struct wire_input input = {0};
	struct wire_reader reader;
	char *name, *folder;
	uint32_t kind;

	if (wire_wait(&input, socket, ASK, &kind, &reader) <= 0)
		_exit(1);
	wire_get(&reader, &identity, sizeof(identity));
	wire_get(&reader, &request, sizeof(request));
	name = wire_get_string(&reader);
	folder = wire_get_string(&reader);
	request.program = name ? idiom_find_program(name) : NULL;
	request.folder = folder;
	if (reader.failed || !request.program || !folder)
		_exit(1);
	oclmm_text_finish(&input.text);
	be_child(&child);
	free(name);
	free(folder);
}

static void serve_copy(void *data, int socket)
{
	(void)data;
	idiom_serve(socket);
}

/* ---- the program's side ---- */

static void ask(int socket, const struct oclmm_device_identity *device,
                const struct idiom_request *request)
{
	struct oclmm_text text = {0};

	wire_put(&text, device, sizeof(*device));
	wire_put(&text, request, sizeof(*request));
	wire_put_string(&text, request->program->name);
	wire_put_string(&text, request->folder);
	/* one that has gone is noticed when it does not answer */
	wire_send(socket, ASK, &text);
	oclmm_text_finish(&text);
}

/* The child's memory may have been overwritten. */
static bool is_sound(struct idiom_result *result)
{
	result->message[sizeof(result->message) - 1] = '\0';
	result->note[sizeof(result->note) - 1] = '\0';
	return (unsigned)result->end < IDIOM_END_COUNT && result->row_count <= IDIOM_ROWS;
}

/* How long it may be silent, by how far it has come. */
static double patience(double limit, const struct idiom_result *result)
{
	return result->launched || limit > BUILD_SECONDS ? limit : BUILD_SECONDS;
}

/* Takes what it hears into `result`: at last, the complete one. */
static enum process_news await(struct process *process, double limit, struct idiom_result *result)
{
	enum process_news news;
	uint32_t kind = SO_FAR;

	while (kind != COMPLETE) {
		double seconds = patience(limit, result);
		struct wire_reader reader;

		news = process_await(process, COMPLETE, oclmm_clock() + seconds, &kind, &reader);
		if (news != PROCESS_FRAME)
			return news;
		if (reader.left != sizeof(*result))
			return PROCESS_GONE;
		wire_get(&reader, result, sizeof(*result));
		if (!is_sound(result))
			return PROCESS_GONE;
	}
	return PROCESS_FRAME;
}

static void describe_timeout(const struct idiom_request *request, double limit,
                             struct idiom_result *result)
{
	const char *why = request->form == IDIOM_PUBLISHED ? request->program->as_published->waiting
	                                                   : NULL;

	if (!result->launched)
		why = "it was still being built or measured";
	result->end = IDIOM_TIMEOUT;
	snprintf(result->message, sizeof(result->message), "did not end within %g s%s%s",
	         patience(limit, result), why ? ": " : "", why ? why : "");
}

void idiom_run(const struct oclmm_device_identity *device, const struct idiom_request *request,
               double limit, struct idiom_result *ret_result)
{
	const struct process_job job = {
		.run = serve_copy, .anew = idiom_serve, .talks = true, .leads = true};
	struct idiom_result result = {.end = IDIOM_FAILED};
	struct process process;
	enum process_news news;
	int r = process_start(&job, &process);

	if (r < 0) {
		snprintf(result.message, sizeof(result.message), "cannot start a process: %s",
		         strerror(-r));
		*ret_result = result;
		return;
	}
	ask(process.socket, device, request);
	news = await(&process, limit, &result);
	process_stop(&process, news == PROCESS_FRAME || news == PROCESS_GONE ? LEAVE_SECONDS : 0);
	if (news == PROCESS_SILENT) {
		describe_timeout(request, limit, &result);
	} else if (news != PROCESS_FRAME) {
		result.end = IDIOM_FAILED;
		process_describe(process.status,
		                 result.launched ? "while it ran"
		                                 : "while it was built or measured",
		                 result.message, sizeof(result.message));
	}
	process_finish(&process);
	*ret_result = result;
}
