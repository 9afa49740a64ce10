// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

/* Variables that choose a driver or change how it schedules work: part of what is to be
 * repeated. */
static const char *const variables[] = {
	"OCL_ICD_VENDORS",    "OCL_ICD_FILENAMES",    "OPENCL_LAYERS",
	"RUSTICL_ENABLE",     "POCL_DEVICES",         "POCL_MAX_PTHREAD_COUNT",
	"POCL_AFFINITY",      "CUDA_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES",
	"GPU_DEVICE_ORDINAL", "ZE_AFFINITY_MASK",
};

static void quote(struct oclmm_text *text, const char *word)
{
	oclmm_text_add(text, "'");
	for (; *word; word++)
		oclmm_text_add_bytes(text, *word == '\'' ? "'\\''" : word, *word == '\'' ? 4 : 1);
	oclmm_text_add(text, "'");
}

/* By name where that says which one it is, for another machine may number them otherwise. */
static void add_device(struct oclmm_text *text, const struct run *run)
{
	struct oclmm_error ignored;
	int named = oclmm_device_choose(&run->devices.list, run->context.device->name, &ignored);

	oclmm_text_add(text, " --device ");
	if (named == (int)run->device)
		quote(text, run->context.device->name);
	else
		oclmm_text_printf(text, "%zu", run->device);
}

char *run_make_replay(const struct run *run)
{
	struct oclmm_text text;

	oclmm_text_init(&text);
	for (size_t i = 0; i < OCLMM_COUNT(variables); i++) {
		const char *value = getenv(variables[i]);

		if (!value)
			continue;
		oclmm_text_printf(&text, "%s=", variables[i]);
		quote(&text, value);
		oclmm_text_add(&text, " ");
	}
	oclmm_text_add(&text, "oclmm run");
	add_device(&text, run);
	if (run->options.claims_accepted)
		oclmm_text_add(&text, " --claims accepted");
	/* else each test's environments follow: a profile may be another one by then */
	if (!run->environments.given.count && !run->environments.profiles.count)
		oclmm_text_add(&text, " --no-profile");
	oclmm_text_printf(&text, " --seed %" PRIu64, run->context.seed);
	return oclmm_text_steal(&text);
}
