// SPDX-License-Identifier: Apache-2.0
/*
 * Whether kernels in two queues of a device run at the same time. Nothing
 * promises it (A:3.2.1), so it is tried: two kernels wait for each other, for so many
 * polls; where one runs after the other, the first one waits in vain.
 */
#include "internal.h"

#include <stdlib.h>

static const char source[] =
	"kernel void meet(volatile global uint *met, uint polls, global uint *seen)\n"
	"{\n"
	"\tatomic_inc(met);\n"
	"\tfor (uint n = 0u; n < polls && *met < 2u; n++)\n"
	"\t\t;\n"
	"\t*seen = *met;\n"
	"}\n";

enum { PARTIES = 2 };

struct trial {
	struct oclmm_device *device;
	cl_program program;
	void *met; /* in SVM: only there may kernels of two queues meet (A:3.3.9.5) */
	cl_command_queue queue[PARTIES];
	cl_kernel kernel[PARTIES];
	cl_mem seen[PARTIES];
};

static int open_party(struct trial *t, int i, struct oclmm_error *error)
{
	const cl_uint polls = 1 << 20;
	int r = oclmm_device_queue_new(t->device, 0, 0, error, &t->queue[i]);

	if (r == 0)
		r = oclmm_kernel_create(t->program, "meet", error, &t->kernel[i]);
	if (r == 0)
		r = oclmm_buffer_create(t->device, sizeof(cl_uint), error, &t->seen[i]);
	if (r == 0)
		r = OCLMM_CL_CALL(error, clSetKernelArgSVMPointer, t->kernel[i], 0, t->met);
	if (r == 0)
		r = oclmm_argument_set(t->kernel[i], 1, sizeof(polls), &polls, error);
	return r < 0 ? r : oclmm_argument_set(t->kernel[i], 2, sizeof(cl_mem), &t->seen[i], error);
}

static int open_trial(struct trial *t, struct oclmm_error *error)
{
	char *log = NULL;
	int r = oclmm_device_build(t->device, source, error, &log, &t->program);

	free(log);
	if (r == 0)
		r = oclmm_svm_create(t->device, OCLMM_STORAGE_SVM_COARSE, sizeof(cl_uint), error,
		                     &t->met);
	for (int i = 0; r == 0 && i < PARTIES; i++)
		r = open_party(t, i, error);
	return r;
}

static void close_trial(struct trial *t)
{
	for (int i = 0; i < PARTIES; i++) {
		if (t->queue[i]) {
			clFinish(t->queue[i]);
			clReleaseCommandQueue(t->queue[i]);
		}
		if (t->kernel[i])
			clReleaseKernel(t->kernel[i]);
		if (t->seen[i])
			clReleaseMemObject(t->seen[i]);
	}
	oclmm_svm_destroy(t->device, OCLMM_STORAGE_SVM_COARSE, t->met);
	if (t->program)
		clReleaseProgram(t->program);
}

/* \return whether both saw the other, or an error */
static int try_once(struct trial *t, struct oclmm_error *error)
{
	const cl_uint zero = 0;
	const size_t one = 1;
	cl_uint seen = 0;
	int met = 1;
	int r = OCLMM_CL_CALL(error, clEnqueueSVMMemFill, t->queue[0], t->met, &zero, sizeof(zero),
	                      sizeof(zero), 0, NULL, NULL);

	if (r == 0)
		r = OCLMM_CL_CALL(error, clFinish, t->queue[0]);
	for (int i = 0; r == 0 && i < PARTIES; i++) {
		r = oclmm_kernel_enqueue(t->queue[i], t->kernel[i], 1, &one, &one, NULL, error);
		if (r == 0)
			r = OCLMM_CL_CALL(error, clFlush, t->queue[i]);
	}
	for (int i = 0; r == 0 && i < PARTIES; i++) {
		r = OCLMM_CL_CALL(error, clEnqueueReadBuffer, t->queue[i], t->seen[i], CL_TRUE, 0,
		                  sizeof(seen), &seen, 0, NULL, NULL);
		met &= seen == PARTIES;
	}
	return r < 0 ? r : met;
}

/* Now and then kernels that can run together do not; ones that cannot never do. */
static bool try_for_a_while(struct oclmm_device *device)
{
	enum { TRIES_LEAST = 3 };
	const double patience = 1; /* seconds */
	struct trial t = {.device = device};
	struct oclmm_error ignored;
	double end;
	int met = open_trial(&t, &ignored);

	end = oclmm_clock() + patience;
	for (int i = 0; met == 0 && (i < TRIES_LEAST || oclmm_clock() < end); i++)
		met = try_once(&t, &ignored);
	close_trial(&t);
	return met > 0;
}

bool oclmm_device_runs_together(struct oclmm_device *device)
{
	if (!device->together_tried)
		device->together = try_for_a_while(device);
	device->together_tried = true;
	return device->together;
}
