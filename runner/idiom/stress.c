// SPDX-License-Identifier: Apache-2.0
/*
 * Memory traffic beside a program, by a kernel on a queue of its own. What it does
 * is drawn from a key; how far the two overlap is the device's affair.
 */
#include "internal.h"

#include <stdlib.h>

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

static int create_objects(struct idiom_stress *stress, struct oclmm_error *error)
{
	struct oclmm_device *device = stress->session->device;
	int r = oclmm_queue_create(device, 0, error, &stress->queue);

	if (r == 0)
		r = oclmm_buffer_create(device, SCRATCH_WORDS * sizeof(cl_uint), error,
		                        &stress->scratch);
	if (r == 0)
		r = idiom_fill(stress->session, stress->scratch, 0, SCRATCH_WORDS, error);
	if (r == 0)
		r = idiom_build(stress->session, NULL, "background.cl", 0, &stress->program, error);
	if (r == 0)
		r = oclmm_kernel_create(stress->program, "background", error, &stress->kernel);
	return r;
}

int idiom_stress_create(struct idiom_session *session, struct oclmm_error *error,
                        struct idiom_stress **ret_stress)
{
	struct idiom_stress *stress = oclmm_calloc(1, sizeof(*stress));
	int r;

	stress->session = session;
	r = create_objects(stress, error);
	if (r < 0) {
		idiom_stress_destroy(stress);
		return r;
	}
	*ret_stress = stress;
	return 0;
}

void idiom_stress_destroy(struct idiom_stress *stress)
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

int idiom_stress_begin(struct idiom_stress *stress, uint64_t key, struct oclmm_error *error)
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
	int r = IDIOM_SET(stress->kernel, error, IDIOM_VALUE(stress->scratch), IDIOM_VALUE(lines),
	                  IDIOM_VALUE(stride), IDIOM_VALUE(turns), IDIOM_VALUE(pattern));

	if (r == 0)
		r = oclmm_kernel_enqueue(stress->queue, stress->kernel, 1, &global, &local, NULL,
		                         error);
	return r == 0 ? oclmm_cl_check(error, "clFlush", clFlush(stress->queue)) : r;
}

int idiom_stress_end(struct idiom_stress *stress, struct oclmm_error *error)
{
	return oclmm_cl_check(error, "clFinish", clFinish(stress->queue));
}
