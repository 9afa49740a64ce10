// SPDX-License-Identifier: Apache-2.0
/* The kernels that a plant remembers something of. */
#include "layer.h"

#include <stdlib.h>

#include "oclmm/base.h"

pthread_mutex_t kernels_lock = PTHREAD_MUTEX_INITIALIZER;
static struct known_kernel *kernels;
static size_t kernel_count, kernel_capacity;

struct known_kernel *kernels_find(cl_kernel kernel)
{
	for (size_t i = 0; i < kernel_count; i++) {
		if (kernels[i].kernel == kernel)
			return &kernels[i];
	}
	oclmm_grow(&kernels, &kernel_capacity, kernel_count, sizeof(*kernels));
	kernels[kernel_count] = (struct known_kernel){.kernel = kernel};
	return &kernels[kernel_count++];
}

void kernels_forget_buffer(cl_mem buffer)
{
	for (size_t i = 0; i < kernel_count; i++) {
		if (kernels[i].first.buffer == buffer)
			kernels[i].first = (struct known_buffer){0};
	}
}

void kernels_drop_late(struct known_kernel *known)
{
	for (size_t i = 0; i < known->late_count; i++)
		free(known->late[i].value);
	known->late_count = 0;
}

cl_int CL_API_CALL kernels_release(cl_kernel kernel)
{
	if (layer_is_last_kernel(kernel)) {
		struct known_kernel *known;

		pthread_mutex_lock(&kernels_lock);
		known = kernels_find(kernel);
		if (known->twin)
			layer_real->clReleaseKernel(known->twin);
		kernels_drop_late(known);
		free(known->late);
		*known = kernels[--kernel_count];
		pthread_mutex_unlock(&kernels_lock);
	}
	return layer_real->clReleaseKernel(kernel);
}
