// SPDX-License-Identifier: Apache-2.0
#include "internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MEMORY_MOST ((uint64_t)1 << 34)

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* The largest need of any environment of the run, so that changing to another allocates nothing. */
struct sizes {
	uint64_t memory, svm, instances, workers, width, scratch, side, counting;
};

static struct sizes find_sizes(const struct oclmm_session *session)
{
	struct sizes s = {
		.memory = 64, .svm = 0, .instances = 1, .workers = 1, .width = 1, .scratch = 1};
	struct oclmm_parameters p;
	uint32_t local;

	for (uint32_t i = 0; i < session->environment_count; i++) {
		const struct oclmm_environment *e = &session->environments[i];

		s.memory = larger(s.memory,
		                  oclmm_layout_bytes(e, session->program, OCLMM_STORAGE_BUFFER));
		s.svm = larger(s.svm,
		               oclmm_layout_bytes(e, session->program, OCLMM_STORAGE_SVM_ATOMICS));
		s.instances = larger(s.instances, oclmm_environment_instances(e));
		s.width = larger(s.width, oclmm_environment_width(e, &session->plan));
		s.workers = larger(s.workers,
		                   (uint64_t)oclmm_environment_places(e, &session->plan) *
		                           oclmm_environment_width(e, &session->plan));
		oclmm_draw(e, session->program, &session->plan, 0, &p);
		s.counting = larger(s.counting, oclmm_counting_work_items(e, &p, &local));
		/* smaller launches, with fewer instances for each, may have more of them */
		s.counting = larger(s.counting, (uint64_t)2 * e->count_lanes);
		s.scratch = larger(s.scratch, (uint64_t)e->stress_lines * e->stress_stride);
		if (e->queue_groups > 0)
			s.side = larger(s.side, (uint64_t)e->stress_lines * e->stress_stride);
	}
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

/* The kind that all of a program's is of. */
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

/* What all who play roles write to. */
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

int oclmm_played_take(struct oclmm_kernel_part *part, struct oclmm_error *error)
{
	const cl_uint poison = OCLMM_POISON_WORD;
	int r;

	memset(part->seen, OCLMM_POISON, part->workers * sizeof(*part->seen));
	r = OCLMM_CL_CALL(error, clEnqueueReadBuffer, part->queue, part->played, CL_TRUE, 0,
	                  part->workers * sizeof(*part->seen), part->seen, 0, NULL, NULL);
	return r < 0 ? r : fill(part->queue, part->played, part->workers, poison, error);
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
			r = oclmm_played_take(part, error);
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

int oclmm_buffers_create(struct oclmm_session *session, struct oclmm_error *error)
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
	/* never the host's heap, which is for the program's objects */
	oclmm_svm_destroy(session->device, OCLMM_STORAGE_SVM_ATOMICS, memory->svm);
}

void oclmm_buffers_destroy(struct oclmm_session *session)
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
