// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>

#include "run.h"

/* By name where that says which one it is, for another machine may number them otherwise. */
static void add_device(struct oclmm_text *text, const struct run *run)
{
	struct oclmm_error ignored;
	int named = oclmm_device_choose(&run->session->devices.list, run->context.device->name,
	                                &ignored);

	if (run->partner) {
		oclmm_text_printf(text, " --pair %zu,%zu", run->device, run->partner_index);
		return;
	}
	oclmm_text_add(text, " --device ");
	if (named == (int)run->device)
		oclmm_text_add_quoted(text, run->context.device->name);
	else
		oclmm_text_printf(text, "%zu", run->device);
}

char *run_make_replay(const struct run *run)
{
	struct oclmm_text text = {0};

	oclmm_driver_variables(&text);
	oclmm_text_add(&text, "oclmm run");
	add_device(&text, run);
	if (run->options.il)
		oclmm_text_printf(&text, " --il %s", run->options.il);
	if (run->options.rules.claims_accepted)
		oclmm_text_add(&text, " --claims accepted");
	if (run->options.rules.model.given)
		oclmm_text_printf(&text, " --model %s",
		                  oclmm_model_name(run->options.rules.model.model));
	/* else each test's environments follow: a profile may be another one by then */
	if (!run->environments.given.count && !run->environments.profiles.count)
		oclmm_text_add(&text, " --no-profile");
	oclmm_text_printf(&text, " --seed %" PRIu64, run->context.seed);
	return oclmm_text_steal(&text);
}
