// SPDX-License-Identifier: Apache-2.0
/* The options of oclmm run. */
#ifndef OCLMM_RUNNER_RUN_RUN_OPTIONS_H
#define OCLMM_RUNNER_RUN_RUN_OPTIONS_H

#include "cli/cli.h"
#include "device/device.h"
#include "kernels/kernels.h"
#include "oclmm/report.h"
#include "saved/saved.h"
#include "select/narrow.h"
#include "select/shard.h"

enum { RUN_OUTPUTS = 8, RUN_TUNED = 8, RUN_DEVICES = 64 };

/* As asked for on the command line. */
struct run_options {
	const char *device;               /* of commands that take one */
	const char *devices[RUN_DEVICES]; /* of commands that take several; `all` stands for all */
	size_t device_count;
	const char *pair; /* `A,B`: two devices, as `device` names one; NULL without */
	const char *outputs[RUN_OUTPUTS];
	size_t output_count;
	const char *resume;
	const char *artifacts;
	uint64_t shrink;              /* drawn kernels that fail and are made small, at most */
	const char *il;               /* `spirv`, `spirv:NAME`; NULL: OpenCL C */
	const char *profile;          /* of tests */
	bool audit;                   /* the code is read, too */
	bool all;                     /* the whole suite instead of a profile */
	const char *tuned[RUN_TUNED]; /* profiles of environments, files or folders */
	size_t tuned_count;
	const char *environment;     /* as text, or NULL */
	const char *sizes;           /* of launches, as text, or NULL */
	const char *claims_expected; /* a file */
	const struct oclmm_report_kind *format;
	struct shard shard;
	struct narrow narrow;
	uint64_t seed;
	uint64_t instances;
	struct oclmm_halvings halvings; /* of launches, to repeat */
	struct oclmm_turns turns;       /* of environments, to repeat */
	uint64_t compilers;             /* processes that compile ahead */
	double budget;
	double limit;          /* seconds after which a silent child counts as hanging */
	enum oclmm_keep cache; /* of programs, on the disk */
	bool fresh;            /* make texts that no cache of the driver knows */
	struct regrade_rules rules;
	bool seed_given;
	bool instances_given;
	bool compilers_given;
	bool annotations;
	bool strict;
	bool unproven_property;
	bool unfinished_allowed;
	bool no_controls;
	bool spread; /* the tests are divided among the devices */
	bool no_wait;
	double wait;     /* seconds for a device in use, at most; 0: as long as it takes */
	bool no_profile; /* none that was tuned */
	struct kernel_options kernel; /* of whole kernels' launches */
};

/* Of all commands that take a device for themselves. */
/* clang-format off */
#define RUN_DEVICE_OPTION(holder, member) \
	{ "device", 'd', "NAME|INDEX", "as listed by oclmm devices; default: the first GPU", \
	  SETS_DEVICE(holder, member) }
#define RUN_NO_WAIT_OPTION(holder, member) \
	{ "no-wait", 0, NULL, "fail where another run has the device", SETS_FLAG(holder, member) }
#define RUN_WAIT_OPTION(holder, member) \
	{ "wait", 0, "SECONDS", "for a device that another run has, at most", \
	  SETS_SECONDS(holder, member) }
/* clang-format on */

/* cmd_run.c: an option_setter of a struct run_options, for --seed. */
int run_options_seed(const char *option, const char *value, void *target);

#endif
