// SPDX-License-Identifier: Apache-2.0
/*
 * Records of cl_khr_command_buffer_mutable_dispatch from 0.9.2 on, for a driver whose headers are
 * newer than those at hand: what changes a recorded kernel, and what a layer finds there.
 */
#ifndef OCLMM_RUNNER_PLANT_CHANGED_KERNEL_H
#define OCLMM_RUNNER_PLANT_CHANGED_KERNEL_H

#include <stddef.h>
#include <stdint.h>

/* cl_mutable_dispatch_arg_khr */
struct changed_argument {
	uint32_t index;
	size_t size;
	const void *value;
};

/* cl_mutable_dispatch_config_khr; what is NULL or 0 stays. */
struct changed_kernel {
	void *command;
	uint32_t arguments, svm_arguments, infos, dimensions;
	const struct changed_argument *argument, *svm_argument;
	const void *info;
	const size_t *offset, *global, *local;
};

#endif
