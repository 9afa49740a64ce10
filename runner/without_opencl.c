// SPDX-License-Identifier: Apache-2.0
/* The commands that need a device, in a build without OpenCL: they say so. */
#include "cli/commands.h"
#include "oclmm/grade.h"

static const struct option_spec options[] = {{0}};

static int run(const struct command *command, int argc, char **argv)
{
	(void)argc;
	(void)argv;
	options_error(command, "%s", OCLMM_WHY_NO_DEVICES);
	return OCLMM_EXIT_NOTHING;
}

#define MISSING(id, takes, does)                                                                   \
	const struct command command_##id = {                                                      \
		.name = #id,                                                                       \
		.arguments = takes,                                                                \
		.summary = does " (not in this build)",                                            \
		.options = options,                                                                \
		.run = run,                                                                        \
	}

MISSING(devices, "", "list the OpenCL devices of this machine");
MISSING(idiom, "[NAME…]", "run whole kernels that synchronise work-groups");
MISSING(planted, "[FILE|DIR|PATTERN…]", "plant bugs into the driver and say which tests find them");
MISSING(run, "[FILE|DIR|PATTERN…|KERNEL.cl]", "run tests on a device");
MISSING(tune, "[FILE|DIR|PATTERN|SHAPE…]", "find good conditions for a device");

void connect_devices(void)
{
}
