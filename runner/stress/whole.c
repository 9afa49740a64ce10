// SPDX-License-Identifier: Apache-2.0
/*
 * Programs whose work-items share a text. A launch sets all objects, runs a number of instances
 * side by side, and brings what they left to the host, where it is counted; it ends before the next
 * one begins. Of many instances the device says whether all of them left the same: then the host
 * reads the first one alone, and now and then all, to see that the device told the truth.
 */
#include "internal.h"

#include "exchange/exchange.h"
#include "oclmm/codegen.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What stands behind each object, and must not be written. */
enum { GUARD = 0x6b };

/* Launches of more instances are compared on the device; a CPU's are not so long. */
enum { READ_WHOLE = 1024 };
/* Work-items that compare. */
static const size_t COMPARING = 16384, COMPARING_GROUP = 64;

/* Counts the bytes that are not as the one a stride before them, and those that were compared. */
static const char compare_text[] =
	"kernel void oclmm_compare(global const uchar *object, uint stride, uint end,\n"
	"                          volatile global uint *found)\n"
	"{\n"
	"\tuint other = 0u, compared = 0u;\n"
	"\n"
	"\tfor (uint i = stride + (uint)get_global_id(0); i < end; i += (uint)get_global_size(0)) "
	"{\n"
	"\t\tother += object[i] != object[i - stride] ? 1u : 0u;\n"
	"\t\tcompared++;\n"
	"\t}\n"
	"\tif (other != 0u)\n"
	"\t\tatomic_add(&found[0], other);\n"
	"\tif (compared != 0u)\n"
	"\t\tatomic_add(&found[1], compared);\n"
	"}\n";

struct whole_object {
	cl_mem buffer; /* NULL: local */
	cl_mem begin;  /* as each launch finds it */
	uint8_t *end;  /* as a launch leaves it */
	size_t bytes;  /* of an element */
	size_t stride; /* of an instance, in bytes */
};

struct whole {
	cl_program kernels;
	cl_kernel kernel;
	cl_kernel compare;            /* NULL: launches are too short for it */
	cl_mem found;                 /* by that kernel … */
	uint32_t before[2];           /* … in earlier launches */
	uint32_t instances;           /* of a launch, at most */
	struct whole_object *objects; /* by location */
	uint32_t count;
};

/* ---- making ---- */

static void put(uint8_t *at, size_t bytes, int64_t value)
{
	/* devices that differ from the host in that are not taken */
	memcpy(at, &value, bytes);
}

static int64_t get(const uint8_t *at, size_t bytes, enum oclmm_type type)
{
	int64_t value = 0;

	memcpy(&value, at, bytes);
	return oclmm_value_wrap(type, value);
}

/* All instances begin alike. */
static void fill(const struct oclmm_location *l, const struct whole_object *object,
                 uint32_t instances, uint8_t *ret_begin)
{
	memset(ret_begin, GUARD, object->stride);
	for (uint32_t e = 0; e < l->elements; e++)
		put(ret_begin + e * object->bytes, object->bytes, l->initial[e]);
	for (uint32_t i = 1; i < instances; i++)
		memcpy(ret_begin + i * object->stride, ret_begin, object->stride);
}

static int create_object(struct oclmm_session *session, uint32_t location,
                         struct oclmm_error *error)
{
	const struct oclmm_location *l = &session->program->locations[location];
	struct whole *w = session->whole;
	struct whole_object *object = &w->objects[location];
	size_t all;
	uint8_t *begin;
	int r;

	object->bytes = oclmm_type_bits(l->type) / 8;
	if (l->space == OCLMM_SPACE_LOCAL)
		return 0;
	object->stride = oclmm_whole_stride(l) * object->bytes;
	all = object->stride * w->instances;
	object->end = oclmm_malloc(all);
	r = oclmm_buffer_create(session->device, all, error, &object->buffer);
	if (r == 0)
		r = oclmm_buffer_create(session->device, all, error, &object->begin);
	if (r < 0)
		return r;
	begin = oclmm_malloc(all);
	fill(l, object, w->instances, begin);
	r = OCLMM_CL_CALL(error, clEnqueueWriteBuffer, oclmm_device_queue(session->device),
	                  object->begin, CL_TRUE, 0, all, begin, 0, NULL, NULL);
	free(begin);
	return r;
}

static int set_arguments(struct oclmm_session *session, struct oclmm_error *error)
{
	const struct oclmm_shared_text *shared = session->program->shared;
	struct whole *w = session->whole;
	int r = 0;

	for (uint32_t i = 0; r == 0 && i < shared->parameter_count; i++) {
		const struct oclmm_shared_parameter *p = &shared->parameters[i];
		const struct oclmm_location *l = &session->program->locations[p->location];
		const struct whole_object *object = &w->objects[p->location];

		if (p->by_value)
			r = oclmm_argument_set(w->kernel, i, oclmm_type_bits(p->type) / 8,
			                       &p->value, error);
		else if (l->space == OCLMM_SPACE_LOCAL)
			r = oclmm_argument_set(w->kernel, i, l->elements * object->bytes, NULL,
			                       error);
		else
			r = oclmm_argument_set(w->kernel, i, sizeof(cl_mem), &object->buffer,
			                       error);
	}
	return r;
}

static int build(struct oclmm_session *session, struct oclmm_error *error,
                 struct oclmm_run_result *result)
{
	struct whole *w = session->whole;
	struct oclmm_text source;
	int r;

	exchange_generate(EXCHANGE_WHOLE, &session->program, NULL, 1, NULL, error, &source);
	result->counts.source_hash = oclmm_hash(oclmm_text_string(&source),
	                                        strlen(oclmm_text_string(&source)));
	r = oclmm_device_build(session->device, oclmm_text_string(&source), error,
	                       &result->build_log, &w->kernels);
	oclmm_text_finish(&source);
	return r < 0 ? r : oclmm_kernel_create(w->kernels, "oclmm_test", error, &w->kernel);
}

static int build_compare(struct oclmm_session *session, struct oclmm_error *error)
{
	struct whole *w = session->whole;
	cl_program program;
	char *log = NULL;
	int r;

	if (w->instances <= READ_WHOLE)
		return 0;
	r = oclmm_device_build_shared(session->device, compare_text, error, &log, &program);
	free(log);
	if (r == 0)
		r = oclmm_kernel_create(program, "oclmm_compare", error, &w->compare);
	if (r == 0)
		r = oclmm_buffer_create(session->device, sizeof(w->before), error, &w->found);
	if (r < 0)
		return r;
	return OCLMM_CL_CALL(error, clEnqueueWriteBuffer, oclmm_device_queue(session->device),
	                     w->found, CL_TRUE, 0, sizeof(w->before), w->before, 0, NULL, NULL);
}

/* Work-items of a launch, at most: so that it is short, and objects are few. */
static uint32_t instances_of(const struct oclmm_program *program,
                             const struct oclmm_environment *environment)
{
	enum { CELLS = 1 << 20 };
	uint32_t instances = oclmm_environment_instances(environment), cells = 1;

	for (uint32_t i = 0; i < program->location_count; i++)
		if (program->locations[i].space != OCLMM_SPACE_LOCAL)
			cells += oclmm_whole_stride(&program->locations[i]);
	while (instances > 1 && ((uint64_t)instances * program->thread_count > CELLS ||
	                         (uint64_t)instances * cells > CELLS))
		instances /= 2;
	return instances;
}

static int open_session(struct oclmm_session *session, struct oclmm_error *error,
                        struct oclmm_run_result *result)
{
	const struct oclmm_program *program = session->program;
	double start = oclmm_clock();
	int r;

	if (session->request->environment)
		session->environments[0] = *session->request->environment;
	else
		oclmm_environment_whole(oclmm_device_info(session->device),
		                        session->request->instances, &session->environments[0]);
	session->environment_count = 1;
	session->plan = (struct oclmm_kernel_plan){
		.outcomes = session->request->space->size,
		.observables = program->observable_count,
	};
	session->whole = oclmm_calloc(1, sizeof(*session->whole));
	session->whole->count = program->location_count;
	session->whole->objects = oclmm_calloc((size_t)program->location_count + 1,
	                                       sizeof(*session->whole->objects));
	session->whole->instances = instances_of(program, &session->environments[0]);
	r = build(session, error, result);
	if (r == 0)
		r = build_compare(session, error);
	result->counts.compile_seconds = oclmm_clock() - start;
	for (uint32_t i = 0; r == 0 && i < program->location_count; i++)
		r = create_object(session, i, error);
	return r < 0 ? r : set_arguments(session, error);
}

static void close_session(struct oclmm_session *session)
{
	struct whole *w = session->whole;

	if (!w)
		return;
	clFinish(oclmm_device_queue(session->device));
	for (uint32_t i = 0; i < w->count; i++) {
		if (w->objects[i].buffer)
			clReleaseMemObject(w->objects[i].buffer);
		if (w->objects[i].begin)
			clReleaseMemObject(w->objects[i].begin);
		free(w->objects[i].end);
	}
	if (w->found)
		clReleaseMemObject(w->found);
	if (w->compare)
		clReleaseKernel(w->compare);
	if (w->kernel)
		clReleaseKernel(w->kernel);
	if (w->kernels)
		clReleaseProgram(w->kernels);
	free(w->objects);
	free(w);
	session->whole = NULL;
}

/* ---- counting ---- */

static void read_outcome(const struct oclmm_session *session, uint32_t instance, int64_t *ret_tuple)
{
	const struct oclmm_program *program = session->program;

	for (uint32_t k = 0; k < program->observable_count; k++) {
		const struct oclmm_observable *o = &program->observables[k];
		const struct whole_object *object = &session->whole->objects[o->location];

		ret_tuple[k] = get(object->end + instance * object->stride +
		                           o->element * object->bytes,
		                   object->bytes, o->type);
	}
}

/* Whether an instance left all objects, and what is behind them, as the one before it did. */
static bool is_like_previous(const struct whole *w, uint32_t instance)
{
	for (uint32_t i = 0; i < w->count; i++) {
		const struct whole_object *object = &w->objects[i];
		const uint8_t *at = object->end + instance * object->stride;

		if (object->buffer && memcmp(at, at - object->stride, object->stride) != 0)
			return false;
	}
	return true;
}

/* Whether each cell behind an object is as it was. */
static bool is_guarded(const struct oclmm_location *l, const struct whole_object *object,
                       uint32_t instance)
{
	const uint8_t *at = object->end + instance * object->stride;

	for (size_t b = l->elements * object->bytes; b < object->stride; b++)
		if (at[b] != GUARD)
			return false;
	return true;
}

static int check_guards(const struct oclmm_session *session, uint32_t instance,
                        struct oclmm_error *error)
{
	const struct oclmm_program *program = session->program;

	for (uint32_t i = 0; i < program->location_count; i++) {
		const struct whole_object *object = &session->whole->objects[i];

		if (object->buffer && !is_guarded(&program->locations[i], object, instance))
			return oclmm_error_set(error, -ERANGE,
			                       "something was written behind %s, or not read back",
			                       program->locations[i].name);
	}
	return 0;
}

/* How many instances from this one on left the same; all that are behind it are read. */
static uint32_t count_alike(const struct whole *w, uint32_t instance, uint32_t instances)
{
	uint32_t alike = 1;

	while (instance + alike < instances && is_like_previous(w, instance + alike))
		alike++;
	return alike;
}

/* Nearly all instances end alike: only those that do not are looked into. `read` of them are on
 * the host, the first one or all. */
static int count_launch(struct oclmm_session *session, const struct oclmm_slot *slot, uint32_t read,
                        struct oclmm_error *error)
{
	int64_t *tuple = oclmm_calloc((size_t)session->program->observable_count + 1,
	                              sizeof(*tuple));
	uint64_t mask = 0;
	uint32_t alike;
	int r = 0;

	for (uint32_t i = 0; i < slot->instances; i += alike) {
		alike = read < slot->instances ? slot->instances
		                               : count_alike(session->whole, i, read);
		r = check_guards(session, i, error);
		if (r < 0)
			break;
		read_outcome(session, i, tuple);
		oclmm_count_tuple(session, slot->block, tuple, alike, &mask);
	}
	free(tuple);
	if (r < 0)
		return r;
	oclmm_seen_add(&session->shown, slot->block, mask, slot->instances);
	session->instances += slot->instances;
	session->launches++;
	return 0;
}

/* ---- a launch ---- */

static int set_objects(struct oclmm_session *session, uint32_t instances, struct oclmm_error *error)
{
	struct whole *w = session->whole;
	int r = 0;

	for (uint32_t i = 0; r == 0 && i < session->program->location_count; i++) {
		struct whole_object *object = &w->objects[i];

		if (object->buffer)
			r = OCLMM_CL_CALL(error, clEnqueueCopyBuffer,
			                  oclmm_device_queue(session->device), object->begin,
			                  object->buffer, 0, 0, object->stride * instances, 0, NULL,
			                  NULL);
	}
	return r;
}

static int bring_objects(struct oclmm_session *session, uint32_t instances,
                         struct oclmm_error *error)
{
	struct whole *w = session->whole;
	int r = 0;

	for (uint32_t i = 0; r == 0 && i < session->program->location_count; i++) {
		struct whole_object *object = &w->objects[i];

		if (!object->buffer)
			continue;
		memset(object->end, OCLMM_POISON, object->stride * instances);
		r = OCLMM_CL_CALL(error, clEnqueueReadBuffer, oclmm_device_queue(session->device),
		                  object->buffer, CL_TRUE, 0, object->stride * instances,
		                  object->end, 0, NULL, NULL);
	}
	return r;
}

static int compare_object(struct oclmm_session *session, const struct whole_object *object,
                          uint32_t instances, struct oclmm_error *error)
{
	const struct whole *w = session->whole;
	cl_uint stride = (cl_uint)object->stride, end = stride * instances;
	int r = oclmm_argument_set(w->compare, 0, sizeof(cl_mem), &object->buffer, error);

	if (r == 0)
		r = oclmm_argument_set(w->compare, 1, sizeof(stride), &stride, error);
	if (r == 0)
		r = oclmm_argument_set(w->compare, 2, sizeof(end), &end, error);
	if (r == 0)
		r = oclmm_argument_set(w->compare, 3, sizeof(cl_mem), &w->found, error);
	return r < 0 ? r
	             : oclmm_kernel_enqueue(oclmm_device_queue(session->device), w->compare, 1,
	                                    &COMPARING, &COMPARING_GROUP, NULL, error);
}

/* Asks the device whether all instances left the same. */
static int compare_instances(struct oclmm_session *session, uint32_t instances,
                             struct oclmm_error *error, bool *ret_alike)
{
	struct whole *w = session->whole;
	uint32_t found[2], compared = 0;
	int r = 0;

	for (uint32_t i = 0; r == 0 && i < w->count; i++) {
		if (!w->objects[i].buffer)
			continue;
		r = compare_object(session, &w->objects[i], instances, error);
		compared += (uint32_t)w->objects[i].stride * (instances - 1);
	}
	memset(found, OCLMM_POISON, sizeof(found));
	if (r == 0)
		r = OCLMM_CL_CALL(error, clEnqueueReadBuffer, oclmm_device_queue(session->device),
		                  w->found, CL_TRUE, 0, sizeof(found), found, 0, NULL, NULL);
	if (r < 0)
		return r;
	if (found[1] - w->before[1] != compared)
		return oclmm_error_set(error, -ERANGE, "the device did not compare all objects");
	*ret_alike = found[0] == w->before[0];
	memcpy(w->before, found, sizeof(found));
	return 0;
}

/* The objects of the first instance where the device says that the others left the same, else of
 * all, and of one launch in eight, which must bear the device out. */
static int bring_needed(struct oclmm_session *session, const struct oclmm_slot *slot, uint64_t key,
                        struct oclmm_error *error, uint32_t *ret_read)
{
	bool compared = slot->instances > READ_WHOLE, alike = false;
	int r = compared ? compare_instances(session, slot->instances, error, &alike) : 0;

	*ret_read = alike && oclmm_random(key, 3) % 8 ? 1 : slot->instances;
	if (r == 0)
		r = bring_objects(session, *ret_read, error);
	if (r < 0 || !compared || *ret_read < slot->instances)
		return r;
	if (alike != (count_alike(session->whole, 0, slot->instances) == slot->instances))
		return oclmm_error_set(error, -ERANGE, "the device says that %s, and that is wrong",
		                       alike ? "all instances left the same"
		                             : "some instance left something else");
	return 0;
}

static int run_kernel(struct oclmm_session *session, uint32_t instances, struct oclmm_error *error)
{
	const struct oclmm_shared_text *shared = session->program->shared;
	size_t global[3], local[3], offset[3];

	for (int d = 0; d < 3; d++) {
		local[d] = shared->items[d];
		global[d] = (size_t)shared->items[d] * shared->groups[d] * (d ? 1 : instances);
		offset[d] = shared->offset[d];
	}
	return oclmm_kernel_enqueue_at(oclmm_device_queue(session->device), session->whole->kernel,
	                               shared->dimensions, shared->offset_given ? offset : NULL,
	                               global, local, NULL, error);
}

/* Of sixteen launches two have a single instance, one a few, as a bug may be of, and one any number
 * of them. So few as somebody asks for all launches have. */
static uint64_t draw_instances(uint64_t key, uint32_t most)
{
	static const uint32_t few[] = {2, 16, 32};
	uint64_t kind = oclmm_random(key, 1) % 16, drawn = oclmm_random(key, 2);

	if (most <= few[OCLMM_COUNT(few) - 1])
		return most;
	if (kind % 8 == 0)
		return 1;
	if (kind == 4)
		return few[drawn % OCLMM_COUNT(few)];
	return kind == 12 ? 1 + drawn % most : most;
}

static int play_launch(struct oclmm_session *session, const struct oclmm_environment *environment,
                       uint32_t which, struct oclmm_slot *slot, uint64_t number,
                       struct oclmm_error *error)
{
	uint64_t key = oclmm_launch_key(session->request->seed, number);
	struct {
		uint64_t before;
		uint64_t instances;
	} link;
	uint32_t read = 0;
	int r;

	(void)environment, (void)which;
	link.before = session->stimulus;
	link.instances = draw_instances(key, session->whole->instances);
	session->stimulus = oclmm_hash(&link, sizeof(link));
	slot->number = number;
	slot->instances = (uint32_t)link.instances;
	slot->queued = oclmm_clock();
	session->queued += slot->instances;
	r = set_objects(session, slot->instances, error);
	if (r == 0)
		r = run_kernel(session, slot->instances, error);
	if (r == 0)
		r = bring_needed(session, slot, key, error, &read);
	if (r < 0)
		return r;
	oclmm_note_duration(session, slot);
	return count_launch(session, slot, read, error);
}

const struct oclmm_playing oclmm_playing_whole = {
	.open = open_session,
	.launch = play_launch,
	.close = close_session,
};
