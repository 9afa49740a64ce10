// SPDX-License-Identifier: Apache-2.0
/* The other door: who makes SPIR-V of the kernels, and whether the device takes it. */
#include <string.h>

#include "producer/producer.h"
#include "run.h"

static const char form[] = "spirv";

/* `spirv`, or `spirv:NAME`: then `*ret_name` is the name. */
static bool parse(const char *value, const char **ret_name)
{
	size_t length = strlen(form);

	*ret_name = NULL;
	if (strncmp(value, form, length) != 0)
		return false;
	if (value[length] == ':' && value[length + 1])
		*ret_name = value + length + 1;
	return value[length] == '\0' || *ret_name;
}

int run_find_producer(struct run *run)
{
	enum { SHARES = PRODUCER_LATE_MOST + 1 };
	struct oclmm_error error = {0};
	const char *name;

	if (!run->options.il)
		return 0;
	if (!parse(run->options.il, &name))
		return options_error(run->command, "--il takes spirv or spirv:NAME, not \"%s\"",
		                     run->options.il);
	if (producer_find(name, &error, &run->producer) < 0) {
		report_error(&error);
		return OCLMM_EXIT_INFRASTRUCTURE;
	}
	/* a child whose tools are given up is to say so before it is taken for hanging itself */
	if (run->options.limit / SHARES < PRODUCER_SECONDS)
		producer_limit(run->producer, run->options.limit / SHARES);
	run->context.il = producer_words(run->producer);
	oclmm_device_take_il(run->producer);
	return 0;
}

static bool takes(const struct run *run, size_t device)
{
	const struct oclmm_device_info *info = &run->session->devices.list.devices[device];
	unsigned major, minor;

	if (oclmm_device_il_version(info, &major, &minor))
		return true;
	options_error(run->command, "%s takes no SPIR-V up to 1.2: it reports %s as its IL version",
	              info->name, *info->il_version ? info->il_version : "nothing");
	return false;
}

int run_check_il(const struct run *run)
{
	if (!run->producer ||
	    (takes(run, run->device) && (!run->partner || takes(run, run->partner_index))))
		return 0;
	return OCLMM_EXIT_NOTHING;
}
