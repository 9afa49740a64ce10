// SPDX-License-Identifier: Apache-2.0
/* The commands that need a device, in a build without OpenCL: they say so. */
#include "cli/commands.h"
#include "oclmm/grade.h"

static const struct option_spec options[] = {{0}};

static int run(const struct command *command, int argc, char **argv)
{
	(void)argc;
	(void)argv;
	options_error(command,
	              "this program was built without OpenCL; install \"ocl-icd-opencl-dev\" and "
	              "a driver such as \"pocl-opencl-icd\", and build it again");
	return OCLMM_EXIT_NOTHING;
}

const struct command command_devices = {
	.name = "devices",
	.arguments = "",
	.summary = "list the OpenCL devices of this machine (not in this build)",
	.options = options,
	.run = run,
};

const struct command command_idiom = {
	.name = "idiom",
	.arguments = "[NAME…]",
	.summary = "run whole kernels that synchronise work-groups (not in this build)",
	.options = options,
	.run = run,
};

const struct command command_planted = {
	.name = "planted",
	.arguments = "[FILE|DIR|PATTERN…]",
	.summary = "plant bugs into the driver and say which tests find them (not in this build)",
	.options = options,
	.run = run,
};

const struct command command_run = {
	.name = "run",
	.arguments = "[FILE|DIR|PATTERN…]",
	.summary = "run tests on a device (not in this build)",
	.options = options,
	.run = run,
};

const struct command command_tune = {
	.name = "tune",
	.arguments = "[FILE|DIR|PATTERN|SHAPE…]",
	.summary = "find good conditions for a device (not in this build)",
	.options = options,
	.run = run,
};
