// SPDX-License-Identifier: Apache-2.0
/* A program's kernels, compiled for the size of the groups that run them. */
#include "internal.h"

#include <errno.h>

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
static int check_size(const struct idiom_session *session, uint64_t group_size,
                      struct oclmm_error *error)
{
	size_t most = 0;

	if (clGetKernelWorkGroupInfo(session->kernels[0], oclmm_device_id(session->device),
	                             CL_KERNEL_WORK_GROUP_SIZE, sizeof(most), &most,
	                             NULL) != CL_SUCCESS ||
	    most == 0 || group_size <= most)
		return 0;
	return oclmm_error_set(error, -E2BIG,
	                       "--group-size %llu: this device takes at most %zu work-items in a "
	                       "group here",
	                       (unsigned long long)group_size, most);
}

int idiom_build_kernels(struct idiom_session *session, uint64_t group_size,
                        struct oclmm_error *error)
{
	const struct idiom_actions *actions = session->actions;
	int r = 0;

	if (!session->program || (is_sized(session) && session->built != group_size)) {
		idiom_release_kernels(session);
		session->built = group_size;
		r = idiom_build(session, actions->prelude, actions->file,
		                is_sized(session) ? group_size : 0, &session->program, error);
		for (int i = 0; r == 0 && i < IDIOM_KERNELS && actions->kernels[i]; i++)
			r = oclmm_kernel_create(session->program, actions->kernels[i], error,
			                        &session->kernels[i]);
	}
	/* published forms are tried as they are */
	if (r == 0 && !is_sized(session) && session->request->form == IDIOM_REPAIRED)
		r = check_size(session, group_size, error);
	return r;
}
