// SPDX-License-Identifier: Apache-2.0
/* What a session has on the device: programs and kernels, buffers, launches and their times. */
#include "internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "process/process.h"

int idiom_set_arguments(cl_kernel kernel, const struct idiom_argument *arguments, size_t count,
                        struct oclmm_error *error)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < count; i++)
		r = oclmm_argument_set(kernel, (cl_uint)i, arguments[i].size, arguments[i].value,
		                       error);
	return r;
}

static int add_file(struct oclmm_text *text, const char *folder, const char *file,
                    struct oclmm_error *error)
{
	struct oclmm_text path = {0};
	char *data;
	size_t length;
	int r;

	oclmm_text_printf(&path, "%s/idiom/%s", folder, file);
	r = oclmm_read_text(oclmm_text_string(&path), error, &data, &length);
	if (r == 0) {
		oclmm_text_printf(text, "#line 1 \"%s\"\n%s", file, data);
		free(data);
	}
	oclmm_text_finish(&path);
	return r;
}

/* What common.cl says of them. */
static void add_constants(struct oclmm_text *text, const struct idiom_session *session,
                          uint64_t group_size)
{
	const struct idiom_actions *actions = session->actions;
	bool cpu = session->info->type & CL_DEVICE_TYPE_CPU;

	if (group_size)
		oclmm_text_printf(
			text,
			"#define SIZE %lluu\n"
			"#define SIZED __attribute__((reqd_work_group_size(%llu, 1, 1)))\n",
			(unsigned long long)group_size, (unsigned long long)group_size);
	else
		oclmm_text_add(text, "#define SIZE ((uint)get_local_size(0))\n#define SIZED\n");
	oclmm_text_printf(text, "#define SIDE_BY_SIDE %d\n", !cpu);
	oclmm_text_printf(text, "#define JOIN(x, y) ((x) %c (y))\n#define NEUTRAL %du\n",
	                  actions->product ? '*' : '+', actions->product);
	if (actions->define)
		actions->define(session, text);
}

int idiom_build(struct idiom_session *session, const char *prelude, const char *file,
                uint64_t group_size, cl_program *ret_program)
{
	struct oclmm_text text = {0};
	char *log = NULL;
	int r;

	session->alive(session->alive_data);
	add_constants(&text, session, group_size);
	r = add_file(&text, session->request->folder, "common.cl", session->error);
	if (r == 0 && prelude)
		r = add_file(&text, session->request->folder, prelude, session->error);
	if (r == 0)
		r = add_file(&text, session->request->folder, file, session->error);
	if (r == 0)
		r = oclmm_device_build(session->device, oclmm_text_string(&text), session->error,
		                       &log, ret_program);
	free(log);
	oclmm_text_finish(&text);
	return r;
}

int idiom_buffer(struct idiom_session *session, int number, uint64_t bytes)
{
	/* kernels load vectors of 16 bytes */
	bytes = (bytes + 15) / 16 * 16;
	return oclmm_buffer_create(session->device, bytes ? bytes : 16, session->error,
	                           &session->buffers[number]);
}

int idiom_fill(struct idiom_session *session, cl_mem buffer, uint32_t value, uint64_t words)
{
	if (words == 0)
		return 0;
	return oclmm_cl_check(session->error, "clEnqueueFillBuffer",
	                      clEnqueueFillBuffer(session->queue, buffer, &value, sizeof(value), 0,
	                                          words * sizeof(value), 0, NULL, NULL));
}

int idiom_write(struct idiom_session *session, cl_mem buffer, const void *from, uint64_t bytes)
{
	if (bytes == 0)
		return 0;
	return oclmm_cl_check(session->error, "clEnqueueWriteBuffer",
	                      clEnqueueWriteBuffer(session->queue, buffer, CL_TRUE, 0, bytes, from,
	                                           0, NULL, NULL));
}

int idiom_read(struct idiom_session *session, cl_mem buffer, void *to, uint64_t bytes)
{
	if (bytes == 0)
		return 0;
	return oclmm_cl_check(session->error, "clEnqueueReadBuffer",
	                      clEnqueueReadBuffer(session->queue, buffer, CL_TRUE, 0, bytes, to, 0,
	                                          NULL, NULL));
}

int idiom_enqueue(struct idiom_session *session, cl_kernel kernel, struct idiom_shape shape)
{
	size_t local = shape.group_size, global = shape.group_size * shape.groups;
	cl_event event;
	int r = oclmm_kernel_enqueue(session->queue, kernel, 1, &global, &local, &event,
	                             session->error);

	if (r < 0)
		return r;
	if (session->last && session->last != session->first)
		clReleaseEvent(session->last);
	if (!session->first) {
		session->first = event;
		session->enqueued = oclmm_clock();
	}
	session->last = event;
	return 0;
}

static void release_events(struct idiom_session *session)
{
	if (session->last && session->last != session->first)
		clReleaseEvent(session->last);
	if (session->first)
		clReleaseEvent(session->first);
	session->first = session->last = NULL;
}

/* A time of an event that has ended. Some drivers have it a little later than they say so. */
static cl_int event_time(cl_event event, cl_profiling_info which, cl_ulong *ret_time)
{
	enum { TRIES = 50 };
	cl_int status = clWaitForEvents(1, &event);

	for (int i = 0; status == CL_SUCCESS && i < TRIES; i++) {
		status = clGetEventProfilingInfo(event, which, sizeof(*ret_time), ret_time, NULL);
		if (status != CL_PROFILING_INFO_NOT_AVAILABLE)
			return status;
		process_nap(0.001);
		status = CL_SUCCESS;
	}
	return status == CL_SUCCESS ? CL_PROFILING_INFO_NOT_AVAILABLE : status;
}

/* The device's own times, or where it has none to give the host's, which contain the way there and
 * back. */
static int read_times(struct idiom_session *session, double finished)
{
	cl_int status = event_time(session->first, CL_PROFILING_COMMAND_START, &session->begun);

	if (status == CL_SUCCESS)
		status = event_time(session->last, CL_PROFILING_COMMAND_END, &session->ended);
	if (status != CL_PROFILING_INFO_NOT_AVAILABLE)
		return oclmm_cl_check(session->error, "clGetEventProfilingInfo", status);
	session->begun = 0;
	session->ended = (cl_ulong)((finished - session->enqueued) * 1e9);
	snprintf(session->result->note, sizeof(session->result->note),
	         "the driver did not time all launches: the host did");
	return 0;
}

int idiom_finish(struct idiom_session *session)
{
	int r = oclmm_cl_check(session->error, "clFinish", clFinish(session->queue));

	if (r == 0 && session->first)
		r = read_times(session, oclmm_clock());
	release_events(session);
	return r;
}

/* The buffer, or any other one while it does not exist yet. */
int idiom_allocate(struct idiom_session *session, uint64_t words, uint64_t answers)
{
	/* not oclmm_malloc(), which ends the process: a size comes from the user */
	session->input = malloc((words + 1) * sizeof(uint32_t));
	session->expected = malloc((answers + 1) * sizeof(uint32_t));
	session->answer = malloc((answers + 1) * sizeof(uint32_t));
	if (!session->input || !session->expected || !session->answer)
		return IDIOM_REFUSE(session, "--size %llu is more than this host has memory for",
		                    (unsigned long long)session->size);
	session->answers = answers;
	return 0;
}

int idiom_check_gave_up(struct idiom_session *session, cl_mem gave_up)
{
	const uint32_t unread = 0x5a5a5a5a; /* which no kernel stores there */
	uint32_t word = unread;
	int r = idiom_read(session, gave_up, &word, sizeof(word));

	if (r < 0 || !word)
		return r;
	if (word == unread)
		return oclmm_error_set(session->error, -EIO,
		                       "clEnqueueReadBuffer: success, but it read nothing");
	return oclmm_error_set(session->error, -ETIME,
	                       "a wait was given up after %u turns: what it waited for did not "
	                       "run%s",
	                       session->turns,
	                       session->info->short_loops
	                               ? ", or the device ended the loop: it allows 65,535 turns"
	                               : "");
}

/* A program's kernels, compiled for the size of the groups that run them. */

/*
 * Published forms are left as they are: their texts ask the device only for the size of a group,
 * and some drivers' kernels run in larger groups than they say that they take. And the probe runs
 * one kernel in groups of several sizes.
 */
static bool is_sized(const struct idiom_session *session)
{
	return session->request->form == IDIOM_REPAIRED && !session->actions->run;
}

void idiom_release_kernels(struct idiom_session *session)
{
	for (int i = 0; i < IDIOM_KERNELS; i++) {
		if (session->kernels[i])
			clReleaseKernel(session->kernels[i]);
		session->kernels[i] = NULL;
	}
	if (session->program)
		clReleaseProgram(session->program);
	session->program = NULL;
}

/* For a kernel of any size. One that is compiled for a size takes it, whatever some drivers say. */
static int check_size(const struct idiom_session *session, uint64_t group_size)
{
	size_t most = 0;

	if (clGetKernelWorkGroupInfo(session->kernels[0], oclmm_device_id(session->device, 0),
	                             CL_KERNEL_WORK_GROUP_SIZE, sizeof(most), &most,
	                             NULL) != CL_SUCCESS ||
	    most == 0 || group_size <= most)
		return 0;
	return oclmm_error_set(session->error, -E2BIG,
	                       "--group-size %llu: this device takes at most %zu work-items in a "
	                       "group here",
	                       (unsigned long long)group_size, most);
}

int idiom_build_kernels(struct idiom_session *session, uint64_t group_size)
{
	const struct idiom_actions *actions = session->actions;
	int r = 0;

	if (!session->program || (is_sized(session) && session->built != group_size)) {
		idiom_release_kernels(session);
		session->built = group_size;
		r = idiom_build(session, actions->prelude, actions->file,
		                is_sized(session) ? group_size : 0, &session->program);
		for (int i = 0; r == 0 && i < IDIOM_KERNELS && actions->kernels[i]; i++)
			r = oclmm_kernel_create(session->program, actions->kernels[i],
			                        session->error, &session->kernels[i]);
	}
	/* published forms are tried as they are */
	if (r == 0 && !is_sized(session) && session->request->form == IDIOM_REPAIRED)
		r = check_size(session, group_size);
	return r;
}

uint64_t idiom_one(const struct idiom_session *session)
{
	(void)session;
	return 1;
}

uint64_t idiom_each(const struct idiom_session *session)
{
	return session->size;
}

uint64_t idiom_each_group(const struct idiom_session *session)
{
	return session->most.groups;
}

int idiom_read_answer(struct idiom_session *session, int number, uint32_t *to, uint64_t words)
{
	uint32_t fresh = oclmm_fresh_number();

	session->answered = number;
	session->answered_words = words;
	for (uint64_t i = 0; i < words; i++)
		to[i] = fresh;
	return idiom_read(session, session->buffers[number], to, words * sizeof(*to));
}
