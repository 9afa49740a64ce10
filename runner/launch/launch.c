// SPDX-License-Identifier: Apache-2.0
/*
 * The child opens the device, builds the kernel as it stands, and makes launches in rounds. Each
 * launch of a round has buffers of its own, and queues run some of them at the same time. After a
 * round the ends are counted, and the counts go over the pipe: a sign of life, and what can be said
 * of a kernel that never ends.
 */
#include "launch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "process/process.h"

enum {
	SLOTS = 128,
	QUEUES = 4,
	ENDS_MOST = 4096,
	DIMENSIONS = 3,
	SCRATCH_WORDS = 1 << 16,
	PATTERNS = 3
};
/* Rounds of one launch, then of more, so that a kernel that hangs is noticed by itself. */
enum { FIRST_ROUNDS = 3 };

struct session {
	const struct launch_request *request;
	struct oclmm_error *error;
	struct oclmm_device *device;
	const struct oclmm_device_info *info;
	cl_program program;
	cl_kernel kernels[SLOTS];
	unsigned slots;
	cl_command_queue queues[QUEUES];
	cl_mem *buffers;   /* by parameter: of all slots */
	cl_mem *parts;     /* by slot and parameter */
	size_t *strides;   /* by parameter: bytes from a slot to the next */
	uint8_t **first;   /* by parameter: what a round begins with */
	uint8_t **last;    /* what it ended with */
	cl_program beside; /* the traffic, NULL: none can be had */
	cl_kernel traffic;
	cl_command_queue aside;
	cl_mem scratch;
};

/* ---- what is made once ------------------------------------------------------------- */

static void take_log(const struct session *s, cl_program program)
{
	struct oclmm_error *error = s->error;
	size_t size = 0;
	char *log;

	if (clGetProgramBuildInfo(program, oclmm_device_id(s->device, 0), CL_PROGRAM_BUILD_LOG, 0,
	                          NULL, &size) != CL_SUCCESS ||
	    size < 2)
		return;
	log = oclmm_calloc(size + 1, 1);
	if (clGetProgramBuildInfo(program, oclmm_device_id(s->device, 0), CL_PROGRAM_BUILD_LOG,
	                          size, log, NULL) == CL_SUCCESS)
		oclmm_error_set(error, -EINVAL, "the device's compiler: %s", log);
	free(log);
}

/* With the device's options and the file's; of two language versions the file's stands. */
static int build(struct session *s)
{
	struct oclmm_text options = {0};
	const char *own = oclmm_device_build_options(s->device), *source = s->request->source;
	const char *standard = strstr(s->request->options, "-cl-std=");
	cl_int code;
	int r;

	if (standard && strncmp(own, "-cl-std=", 8) == 0)
		own += strcspn(own, " ");
	oclmm_text_printf(&options, "%s %s", own, s->request->options);
	s->program = clCreateProgramWithSource(oclmm_device_context(s->device), 1, &source, NULL,
	                                       &code);
	r = oclmm_cl_made(s->error, "clCreateProgramWithSource", s->program, code);
	if (r == 0) {
		cl_device_id id = oclmm_device_id(s->device, 0);

		code = clBuildProgram(s->program, 1, &id, oclmm_text_string(&options), NULL, NULL);
		r = oclmm_cl_check(s->error, "clBuildProgram", code);
		if (code == CL_BUILD_PROGRAM_FAILURE) {
			r = -EINVAL;
			take_log(s, s->program);
		}
	}
	oclmm_text_finish(&options);
	return r;
}

/* What parts of buffers have to begin at. */
static size_t alignment(const struct session *s)
{
	cl_uint bits = 0;

	if (clGetDeviceInfo(oclmm_device_id(s->device, 0), CL_DEVICE_MEM_BASE_ADDR_ALIGN,
	                    sizeof(bits), &bits, NULL) != CL_SUCCESS ||
	    bits < 1024)
		bits = 1024;
	return bits / 8;
}

static int make_part(struct session *s, unsigned slot, size_t n)
{
	const struct launch_parameter *p = &s->request->parameters[n];
	cl_buffer_region region = {slot * s->strides[n], p->size};
	cl_mem *part = &s->parts[slot * s->request->parameter_count + n];
	cl_int code;

	*part = clCreateSubBuffer(s->buffers[n], CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION,
	                          &region, &code);
	return oclmm_cl_made(s->error, "clCreateSubBuffer", *part, code);
}

static int make_buffer(struct session *s, size_t n)
{
	const struct launch_parameter *p = &s->request->parameters[n];
	size_t align = alignment(s);

	s->strides[n] = (p->size + align - 1) / align * align;
	s->first[n] = oclmm_calloc(s->slots, s->strides[n]);
	s->last[n] = oclmm_calloc(s->slots, s->strides[n]);
	for (unsigned slot = 0; slot < s->slots; slot++)
		memcpy(s->first[n] + slot * s->strides[n], p->bytes, p->size);
	return oclmm_buffer_create(s->device, s->slots * s->strides[n], s->error, &s->buffers[n]);
}

static int set_arguments(struct session *s, unsigned slot)
{
	const struct launch_request *q = s->request;
	int r = oclmm_kernel_create(s->program, q->kernel, s->error, &s->kernels[slot]);

	for (size_t n = 0; r == 0 && n < q->parameter_count; n++) {
		const struct launch_parameter *p = &q->parameters[n];
		const void *value = p->kind == LAUNCH_LOCAL ? NULL : p->bytes;
		size_t size = p->size;

		if (p->kind == LAUNCH_BUFFER) {
			r = make_part(s, slot, n);
			value = &s->parts[slot * q->parameter_count + n];
			size = sizeof(cl_mem);
		}
		if (r == 0)
			r = oclmm_argument_set(s->kernels[slot], (cl_uint)n, size, value, s->error);
	}
	return r;
}

/* Devices of 2.x take others, and are not asked. */
static bool takes_whole_groups(const struct session *s)
{
	/* CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT */
	enum { SUPPORT = 0x1065 };
	cl_bool takes_others = CL_TRUE;

	return clGetDeviceInfo(oclmm_device_id(s->device, 0), SUPPORT, sizeof(takes_others),
	                       &takes_others, NULL) == CL_SUCCESS &&
	       !takes_others;
}

static int check_group(const struct session *s)
{
	const size_t *local = s->request->local;
	size_t size = local[0] * local[1] * local[2], most = 0;

	if (clGetKernelWorkGroupInfo(s->kernels[0], oclmm_device_id(s->device, 0),
	                             CL_KERNEL_WORK_GROUP_SIZE, sizeof(most), &most,
	                             NULL) == CL_SUCCESS &&
	    most && size > most)
		return oclmm_error_set(s->error, -EINVAL,
		                       "groups of %zu work-items: this device takes at most %zu",
		                       size, most);
	for (unsigned i = 0; i < s->request->dimensions; i++)
		if (s->request->global[i] % local[i] && takes_whole_groups(s))
			return oclmm_error_set(
				s->error, -EINVAL,
				"%zu work-items in groups of %zu: this device takes whole groups",
				s->request->global[i], local[i]);
	return 0;
}

static int check_sub_group(const struct session *s)
{
	/* CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE */
	enum { SIZE = 0x2033 };
	const struct launch_request *q = s->request;
	size_t size = 0, group = q->local[0] * q->local[1] * q->local[2];

	if (q->sub_group == 0)
		return 0;
	if (!oclmm_opencl()->clGetKernelSubGroupInfo_ ||
	    clGetKernelSubGroupInfo(s->kernels[0], oclmm_device_id(s->device, 0), SIZE,
	                            q->dimensions * sizeof(*q->local), q->local, sizeof(size),
	                            &size, NULL) != CL_SUCCESS)
		return oclmm_error_set(s->error, -EINVAL,
		                       "this device does not say how large sub-groups are");
	if ((size < group ? size : group) != (q->sub_group < group ? q->sub_group : group))
		return oclmm_error_set(s->error, -EINVAL,
		                       "sub-groups of %u: this device has some of %zu",
		                       q->sub_group, size);
	return 0;
}

/* Without it the kernel runs alone. */
static void make_traffic(struct session *s)
{
	struct oclmm_error ignored;
	char *log = NULL;
	uint32_t zero = 0;

	if (oclmm_device_build(s->device, s->request->background, &ignored, &log, &s->beside) < 0 ||
	    oclmm_kernel_create(s->beside, "background", &ignored, &s->traffic) < 0 ||
	    oclmm_queue_create(s->device, 0, &ignored, &s->aside) < 0 ||
	    oclmm_buffer_create(s->device, SCRATCH_WORDS * sizeof(cl_uint), &ignored, &s->scratch) <
	            0 ||
	    clEnqueueFillBuffer(s->aside, s->scratch, &zero, sizeof(zero), 0,
	                        SCRATCH_WORDS * sizeof(zero), 0, NULL, NULL) != CL_SUCCESS ||
	    clFinish(s->aside) != CL_SUCCESS)
		s->traffic = NULL;
	free(log);
}

static int make_all(struct session *s)
{
	const struct launch_request *q = s->request;
	size_t count = q->parameter_count + 1;
	int r = build(s);

	s->slots = q->launches < SLOTS ? (unsigned)q->launches : SLOTS;
	s->buffers = oclmm_calloc(count, sizeof(cl_mem));
	s->parts = oclmm_calloc(count * SLOTS, sizeof(cl_mem));
	s->strides = oclmm_calloc(count, sizeof(size_t));
	s->first = oclmm_calloc(count, sizeof(uint8_t *));
	s->last = oclmm_calloc(count, sizeof(uint8_t *));
	for (size_t n = 0; r == 0 && n < q->parameter_count; n++)
		if (q->parameters[n].kind == LAUNCH_BUFFER)
			r = make_buffer(s, n);
	for (unsigned slot = 0; r == 0 && slot < s->slots; slot++)
		r = set_arguments(s, slot);
	for (unsigned i = 0; r == 0 && i < QUEUES; i++)
		r = oclmm_queue_create(s->device, 0, s->error, &s->queues[i]);
	if (r == 0)
		r = check_group(s);
	if (r == 0)
		r = check_sub_group(s);
	if (r == 0)
		make_traffic(s);
	return r;
}

static void finish_session(struct session *s)
{
	size_t count = s->request->parameter_count;

	for (unsigned slot = 0; slot < s->slots; slot++)
		if (s->kernels[slot])
			clReleaseKernel(s->kernels[slot]);
	for (size_t i = 0; s->parts && i < count * SLOTS; i++)
		if (s->parts[i])
			clReleaseMemObject(s->parts[i]);
	for (size_t n = 0; s->buffers && n < count; n++) {
		if (s->buffers[n])
			clReleaseMemObject(s->buffers[n]);
		free(s->first[n]);
		free(s->last[n]);
	}
	for (unsigned i = 0; i < QUEUES; i++)
		if (s->queues[i])
			clReleaseCommandQueue(s->queues[i]);
	if (s->scratch)
		clReleaseMemObject(s->scratch);
	if (s->aside)
		clReleaseCommandQueue(s->aside);
	if (s->traffic)
		clReleaseKernel(s->traffic);
	if (s->beside)
		clReleaseProgram(s->beside);
	if (s->program)
		clReleaseProgram(s->program);
	free(s->buffers);
	free(s->parts);
	free(s->strides);
	free(s->first);
	free(s->last);
}

/* ---- rounds ------------------------------------------------------------------------- */

/* What runs beside a round: drawn by its key. */
struct surroundings {
	unsigned queues;
	bool traffic;
	uint32_t lines, stride, pattern;
	size_t items;
};

static struct surroundings draw(const struct session *s, uint64_t key)
{
	bool cpu = s->info->type & CL_DEVICE_TYPE_CPU;
	struct surroundings d = {.queues = 1};

	d.stride = 1u << oclmm_random_below(key, 1, 6);
	d.lines = 1 + (uint32_t)oclmm_random_below(key, 2, SCRATCH_WORDS / d.stride);
	d.pattern = (uint32_t)oclmm_random_below(key, 3, PATTERNS);
	d.traffic = s->traffic && oclmm_random_below(key, 4, 2);
	/* on a CPU groups that wait for each other need its processors for themselves */
	if (!cpu)
		d.queues = 1u << oclmm_random_below(key, 5, 3);
	d.items = cpu ? 1 : 64 * (1 + oclmm_random_below(key, 6, s->info->compute_units));
	return d;
}

static int begin_traffic(const struct session *s, const struct surroundings *d)
{
	/* about as long as a round of short kernels */
	static const cl_uint turns = 20000;
	bool cpu = s->info->type & CL_DEVICE_TYPE_CPU;
	size_t local = cpu ? 1 : 64;
	int r = oclmm_argument_set(s->traffic, 0, sizeof(s->scratch), &s->scratch, s->error);

	if (r == 0)
		r = oclmm_argument_set(s->traffic, 1, sizeof(d->lines), &d->lines, s->error);
	if (r == 0)
		r = oclmm_argument_set(s->traffic, 2, sizeof(d->stride), &d->stride, s->error);
	if (r == 0)
		r = oclmm_argument_set(s->traffic, 3, sizeof(turns), &turns, s->error);
	if (r == 0)
		r = oclmm_argument_set(s->traffic, 4, sizeof(d->pattern), &d->pattern, s->error);
	if (r == 0)
		r = oclmm_kernel_enqueue(s->aside, s->traffic, 1, &d->items, &local, NULL,
		                         s->error);
	return r == 0 ? OCLMM_CL_CALL(s->error, clFlush, s->aside) : r;
}

static int write_buffers(const struct session *s, unsigned count)
{
	int r = 0;

	for (size_t n = 0; r == 0 && n < s->request->parameter_count; n++)
		if (s->buffers[n])
			r = OCLMM_CL_CALL(s->error, clEnqueueWriteBuffer, s->queues[0],
			                  s->buffers[n], CL_TRUE, 0, count * s->strides[n],
			                  s->first[n], 0, NULL, NULL);
	return r;
}

/* A read that finds nothing leaves numbers that mean nothing. */
static int read_buffers(const struct session *s, unsigned count)
{
	int r = 0;

	for (size_t n = 0; r == 0 && n < s->request->parameter_count; n++)
		if (s->buffers[n]) {
			memset(s->last[n], (int)(oclmm_fresh_number() | 1), count * s->strides[n]);
			r = OCLMM_CL_CALL(s->error, clEnqueueReadBuffer, s->queues[0],
			                  s->buffers[n], CL_TRUE, 0, count * s->strides[n],
			                  s->last[n], 0, NULL, NULL);
		}
	return r;
}

static void count_end(const struct session *s, unsigned slot, struct launch_result *result)
{
	const struct launch_request *q = s->request;
	uint64_t *values;
	size_t i = 0;

	values = oclmm_calloc(q->value_count + 1, sizeof(*values));
	for (unsigned v = 0; v < q->value_count; v++) {
		const struct launch_place *p = &q->places[v];

		memcpy(&values[v],
		       s->last[p->parameter] + slot * s->strides[p->parameter] + p->offset,
		       p->size);
	}
	result->launches++;
	while (i < result->seen_count &&
	       memcmp(result->seen[i].values, values, q->value_count * sizeof(*values)) != 0)
		i++;
	if (i < result->seen_count || i == ENDS_MOST) {
		free(values);
	} else {
		result->seen[i].values = values;
		result->seen[result->seen_count++].count = 0;
	}
	*(i < ENDS_MOST ? &result->seen[i].count : &result->others) += 1;
}

static int make_round(struct session *s, uint64_t key, unsigned count, struct launch_result *result)
{
	const struct launch_request *q = s->request;
	struct surroundings d = draw(s, key);
	int r = write_buffers(s, count);

	if (r == 0 && d.traffic)
		r = begin_traffic(s, &d);
	for (unsigned slot = 0; r == 0 && slot < count; slot++)
		r = oclmm_kernel_enqueue_at(s->queues[slot % d.queues], s->kernels[slot],
		                            q->dimensions, q->offset, q->global, q->local, NULL,
		                            s->error);
	for (unsigned i = 0; r == 0 && i < d.queues; i++)
		r = OCLMM_CL_CALL(s->error, clFlush, s->queues[i]);
	for (unsigned i = 0; r == 0 && i < d.queues; i++)
		r = OCLMM_CL_CALL(s->error, clFinish, s->queues[i]);
	if (r == 0 && d.traffic)
		r = OCLMM_CL_CALL(s->error, clFinish, s->aside);
	if (r == 0)
		r = read_buffers(s, count);
	for (unsigned slot = 0; r == 0 && slot < count; slot++)
		count_end(s, slot, result);
	return r;
}

/* ---- the child's side ------------------------------------------------------------------ */

/* What the child is told, once, and what it says. */
enum { ASK = 1 };
enum message { SO_FAR = 1, COMPLETE };

/* How often counts go to the program, in seconds. */
static const double NEWS = 0.5;
/* What a compiler may take on a busy machine: a short limit is for the kernel. */
static const double BUILD_SECONDS = 120;
/* From the end of what it says to its own. */
static const double LEAVE_SECONDS = 5;

struct child {
	const struct oclmm_device_identity *identity;
	const struct launch_request *request;
	int socket;
};

static void say(const struct child *child, enum message message, const struct launch_result *result)
{
	struct oclmm_text text = {0};
	uint32_t end = result->end, count = (uint32_t)result->seen_count;
	size_t width = child->request->value_count * sizeof(uint64_t);

	wire_put(&text, &end, sizeof(end));
	wire_put_string(&text, result->message);
	wire_put(&text, &result->launches, sizeof(result->launches));
	wire_put(&text, &result->seconds, sizeof(result->seconds));
	wire_put(&text, &result->others, sizeof(result->others));
	wire_put(&text, &count, sizeof(count));
	for (uint32_t i = 0; i < count; i++) {
		wire_put(&text, result->seen[i].values, width);
		wire_put(&text, &result->seen[i].count, sizeof(result->seen[i].count));
	}
	if (wire_send(child->socket, message, &text) < 0)
		_exit(1); /* the program has ended */
	oclmm_text_finish(&text);
}

/* Launches of a round: few where they are slow, so that counts come in and time is kept. */
static unsigned round_size(const struct session *s, uint64_t round, double rate, uint64_t left)
{
	double fits = rate * NEWS / 2;
	unsigned most = left < s->slots ? (unsigned)left : s->slots;

	if (round < FIRST_ROUNDS || fits < 1)
		return 1;
	return fits < most ? (unsigned)fits : most;
}

static int make_rounds(struct session *s, const struct child *child, struct launch_result *result)
{
	const struct launch_request *q = s->request;
	double begun = oclmm_clock(), told = begun, rate = 0;
	int r = 0;

	for (uint64_t round = 0; r == 0 && result->launches < q->launches; round++) {
		unsigned count = round_size(s, round, rate, q->launches - result->launches);
		double before = oclmm_clock(), now;

		r = make_round(s, oclmm_random(q->seed, round), count, result);
		now = oclmm_clock();
		rate = count / (now > before ? now - before : 1e-6);
		result->seconds = now - begun;
		if (q->seconds > 0 && result->seconds >= q->seconds)
			break;
		if (now - told >= NEWS) {
			told = now;
			say(child, SO_FAR, result);
		}
	}
	return r;
}

/* ---- the request, which the child gets over the socket ---------------------------------- */

static void put_number(struct oclmm_text *text, uint64_t number)
{
	wire_put(text, &number, sizeof(number));
}

static void put_request(struct oclmm_text *text, const struct oclmm_device_identity *device,
                        const struct launch_request *q)
{
	const size_t *const sizes[] = {q->global, q->local, q->offset};

	wire_put(text, device, sizeof(*device));
	wire_put_string(text, q->source);
	wire_put_string(text, q->options);
	wire_put_string(text, q->kernel);
	wire_put_string(text, q->background);
	put_number(text, q->dimensions);
	for (size_t i = 0; i < OCLMM_COUNT(sizes); i++)
		for (unsigned d = 0; d < DIMENSIONS; d++)
			put_number(text, sizes[i][d]);
	put_number(text, q->sub_group);
	put_number(text, q->launches);
	wire_put(text, &q->seconds, sizeof(q->seconds));
	put_number(text, q->seed);
	put_number(text, q->parameter_count);
	for (size_t n = 0; n < q->parameter_count; n++) {
		const struct launch_parameter *p = &q->parameters[n];

		put_number(text, p->kind);
		put_number(text, p->size);
		if (p->kind != LAUNCH_LOCAL)
			wire_put(text, p->bytes, p->size);
	}
	put_number(text, q->value_count);
	for (unsigned v = 0; v < q->value_count; v++) {
		put_number(text, q->places[v].parameter);
		put_number(text, q->places[v].offset);
		put_number(text, q->places[v].size);
	}
}

static uint64_t get_number(struct wire_reader *reader)
{
	uint64_t number;

	wire_get(reader, &number, sizeof(number));
	return number;
}

static size_t get_size(struct wire_reader *reader)
{
	uint64_t number = get_number(reader);

	reader->failed |= number > SIZE_MAX;
	return reader->failed ? 0 : (size_t)number;
}

/* So many things follow, each of which begins with a number. */
static size_t get_count(struct wire_reader *reader)
{
	size_t count = get_size(reader);

	reader->failed |= count > reader->left / sizeof(uint64_t);
	return reader->failed ? 0 : count;
}

static const char *get_string(struct wire_reader *reader)
{
	char *string = wire_get_string(reader);

	reader->failed |= !string;
	return string;
}

static void get_parameter(struct wire_reader *reader, struct launch_parameter *p)
{
	uint64_t kind = get_number(reader);
	uint8_t *bytes;

	p->size = get_size(reader);
	reader->failed |= kind > LAUNCH_LOCAL || (kind != LAUNCH_LOCAL && p->size > reader->left);
	if (reader->failed)
		return;
	p->kind = kind;
	if (kind == LAUNCH_LOCAL)
		return;
	bytes = oclmm_calloc(p->size + 1, 1);
	wire_get(reader, bytes, p->size);
	p->bytes = bytes;
}

static bool is_in_a_buffer(const struct launch_request *q, const struct launch_place *place)
{
	const struct launch_parameter *p;

	if (place->parameter >= q->parameter_count)
		return false;
	p = &q->parameters[place->parameter];
	return p->kind == LAUNCH_BUFFER && place->size <= sizeof(uint64_t) &&
	       place->size <= p->size && place->offset <= p->size - place->size;
}

/* What a request that came over the socket is made of. */
struct asked {
	struct oclmm_device_identity device;
	struct launch_request request;
	size_t sizes[3][DIMENSIONS];
	struct launch_parameter *parameters;
	struct launch_place *places;
};

static bool get_request(struct wire_reader *reader, struct asked *ret_asked)
{
	struct launch_request *q = &ret_asked->request;

	*ret_asked = (struct asked){.request = {.global = ret_asked->sizes[0],
	                                        .local = ret_asked->sizes[1],
	                                        .offset = ret_asked->sizes[2]}};
	wire_get(reader, &ret_asked->device, sizeof(ret_asked->device));
	q->source = get_string(reader);
	q->options = get_string(reader);
	q->kernel = get_string(reader);
	q->background = get_string(reader);
	q->dimensions = (unsigned)get_number(reader);
	for (size_t i = 0; i < OCLMM_COUNT(ret_asked->sizes); i++)
		for (unsigned d = 0; d < DIMENSIONS; d++)
			ret_asked->sizes[i][d] = get_size(reader);
	q->sub_group = (unsigned)get_number(reader);
	q->launches = get_number(reader);
	wire_get(reader, &q->seconds, sizeof(q->seconds));
	q->seed = get_number(reader);
	q->parameter_count = get_count(reader);
	ret_asked->parameters = oclmm_calloc(q->parameter_count + 1, sizeof(*q->parameters));
	q->parameters = ret_asked->parameters;
	for (size_t n = 0; n < q->parameter_count && !reader->failed; n++)
		get_parameter(reader, &ret_asked->parameters[n]);
	q->value_count = (unsigned)get_count(reader);
	ret_asked->places = oclmm_calloc(q->value_count + 1, sizeof(*q->places));
	q->places = ret_asked->places;
	for (unsigned v = 0; v < q->value_count && !reader->failed; v++) {
		struct launch_place *place = &ret_asked->places[v];

		place->parameter = (uint32_t)get_number(reader);
		place->offset = get_size(reader);
		place->size = get_size(reader);
		reader->failed |= !is_in_a_buffer(q, place);
	}
	return !reader->failed && reader->left == 0 && q->dimensions <= DIMENSIONS;
}

static void asked_finish(struct asked *asked)
{
	struct launch_request *q = &asked->request;

	free((char *)(uintptr_t)q->source);
	free((char *)(uintptr_t)q->options);
	free((char *)(uintptr_t)q->kernel);
	free((char *)(uintptr_t)q->background);
	for (size_t n = 0; n < q->parameter_count; n++)
		free((void *)(uintptr_t)asked->parameters[n].bytes);
	free(asked->parameters);
	free(asked->places);
}

/* ---- the child ---------------------------------------------------------------------------- */

static void be_child(struct child *child)
{
	struct oclmm_error error = {0};
	struct launch_result result = {.end = LAUNCH_FAILED};
	struct session s = {.request = child->request, .error = &error};
	int r;

	result.seen = oclmm_calloc(ENDS_MOST + 1, sizeof(*result.seen));
	r = oclmm_device_open_identified(child->identity, &error, &s.device);
	if (r == 0) {
		s.info = oclmm_device_info(s.device);
		r = make_all(&s);
		if (r == 0) {
			say(child, SO_FAR, &result);
			r = make_rounds(&s, child, &result);
		}
		result.end = r == 0 ? LAUNCH_DONE : r == -EINVAL ? LAUNCH_REFUSED : LAUNCH_FAILED;
	}
	snprintf(result.message, sizeof(result.message), "%s", r < 0 ? error.message : "");
	say(child, COMPLETE, &result);
	finish_session(&s);
}

void launch_serve(int socket)
{
	struct wire_input input = {0};
	struct wire_reader reader;
	struct asked asked;
	struct child child = {&asked.device, &asked.request, socket};
	uint32_t kind;

	if (wire_wait(&input, socket, ASK, &kind, &reader) <= 0 || !get_request(&reader, &asked))
		_exit(1);
	oclmm_text_finish(&input.text);
	be_child(&child);
	asked_finish(&asked);
}

static void serve_copy(void *data, int socket)
{
	(void)data;
	launch_serve(socket);
}

/* ---- the program's side ---------------------------------------------------------------- */

void launch_result_finish(struct launch_result *result)
{
	for (size_t i = 0; i < result->seen_count; i++)
		free(result->seen[i].values);
	free(result->seen);
	result->seen = NULL;
	result->seen_count = 0;
}

/* \return false: it is not valid: the child's memory was overwritten */
static bool hear(struct wire_reader *reader, unsigned value_count, struct launch_result *result)
{
	size_t width = value_count * sizeof(uint64_t);
	uint32_t end = 0, count = 0;
	char *message;

	launch_result_finish(result);
	wire_get(reader, &end, sizeof(end));
	message = wire_get_string(reader);
	snprintf(result->message, sizeof(result->message), "%s", message ? message : "");
	free(message);
	wire_get(reader, &result->launches, sizeof(result->launches));
	wire_get(reader, &result->seconds, sizeof(result->seconds));
	wire_get(reader, &result->others, sizeof(result->others));
	wire_get(reader, &count, sizeof(count));
	if (reader->failed || count > ENDS_MOST || end > LAUNCH_FAILED)
		return false;
	result->end = (enum launch_end)end;
	result->seen = oclmm_calloc(count + 1, sizeof(*result->seen));
	for (uint32_t i = 0; i < count; i++) {
		struct launch_seen *seen = &result->seen[result->seen_count++];

		seen->values = oclmm_calloc(value_count + 1, sizeof(uint64_t));
		wire_get(reader, seen->values, width);
		wire_get(reader, &seen->count, sizeof(seen->count));
	}
	return !reader->failed && reader->left == 0;
}

/* Takes what it hears into `result`: at last, the complete one. */
static enum process_news await(struct process *process, unsigned value_count, double limit,
                               bool *ret_built, struct launch_result *result)
{
	uint32_t kind = SO_FAR;

	while (kind != COMPLETE) {
		double seconds = *ret_built || limit > BUILD_SECONDS ? limit : BUILD_SECONDS;
		struct wire_reader reader;
		enum process_news news = process_await(process, COMPLETE, oclmm_clock() + seconds,
		                                       &kind, &reader);

		if (news != PROCESS_FRAME)
			return news;
		if (!hear(&reader, value_count, result))
			return PROCESS_GONE;
		*ret_built = true;
	}
	return PROCESS_FRAME;
}

void launch_run(const struct oclmm_device_identity *device, const struct launch_request *request,
                double limit, struct launch_result *ret_result)
{
	const struct process_job job = {
		.run = serve_copy, .anew = launch_serve, .talks = true, .leads = true};
	struct oclmm_text text = {0};
	struct process process;
	enum process_news news;
	bool built = false;
	int r = process_start(&job, &process);

	*ret_result = (struct launch_result){.end = LAUNCH_FAILED};
	if (r < 0) {
		snprintf(ret_result->message, sizeof(ret_result->message),
		         "cannot start a process: %s", strerror(-r));
		return;
	}
	put_request(&text, device, request);
	/* one that has gone is noticed when it does not answer */
	wire_send(process.socket, ASK, &text);
	oclmm_text_finish(&text);
	news = await(&process, request->value_count, limit, &built, ret_result);
	process_stop(&process, news == PROCESS_FRAME || news == PROCESS_GONE ? LEAVE_SECONDS : 0);
	if (news == PROCESS_SILENT) {
		ret_result->end = built ? LAUNCH_SILENT : LAUNCH_FAILED;
		snprintf(ret_result->message, sizeof(ret_result->message), "%s within %g s",
		         built ? "a launch did not end" : "it was not built",
		         built || limit > BUILD_SECONDS ? limit : BUILD_SECONDS);
	} else if (news == PROCESS_INTERRUPTED) {
		ret_result->end = LAUNCH_FAILED;
		snprintf(ret_result->message, sizeof(ret_result->message), "interrupted");
	} else if (news != PROCESS_FRAME) {
		ret_result->end = LAUNCH_FAILED;
		process_describe(process.status, built ? "while it ran" : "while it was built",
		                 ret_result->message, sizeof(ret_result->message));
	}
	process_finish(&process);
}
