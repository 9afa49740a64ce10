// SPDX-License-Identifier: Apache-2.0
/*
 * Variables that choose a driver, put a layer before it, or change what it does:
 * part of what is to be repeated, and of what a result speaks for.
 */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

extern char **environ;

/* The loaders', the drivers' and our own; where things are installed (CUDA_HOME) is none of them.
 */
static const char *const prefixes[] = {
	"OCL_ICD_",      "OPENCL_",       "AMD_",        "CL_CONFIG_",   "CUDA_CACHE_",
	"CUDA_DEVICE_",  "CUDA_DISABLE_", "CUDA_FORCE_", "CUDA_LAUNCH_", "CUDA_MODULE_",
	"CUDA_VISIBLE_", "GALLIUM_",      "GPU_",        "HIP_VISIBLE_", "HSA_",
	"IGC_",          "LP_",           "MESA_",       "NEO_",         "ONEAPI_DEVICE_",
	"POCL_",         "ROCR_",         "RUSTICL_",    "ZES_",         "ZET_",
	"ZE_",           "OCLMM_BUILD_",
};

static bool concerns_driver(const char *variable)
{
	for (size_t i = 0; i < OCLMM_COUNT(prefixes); i++) {
		if (strncmp(variable, prefixes[i], strlen(prefixes[i])) == 0)
			return true;
	}
	return false;
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void oclmm_driver_variables(struct oclmm_text *text)
{
	const char **found = NULL;
	size_t count = 0, capacity = 0;

	for (char **at = environ; at && *at; at++) {
		if (!concerns_driver(*at) || !strchr(*at, '='))
			continue;
		oclmm_grow(&found, &capacity, count, sizeof(*found));
		found[count++] = *at;
	}
	if (count)
		qsort(found, count, sizeof(*found), compare);
	for (size_t i = 0; i < count; i++) {
		const char *value = strchr(found[i], '=') + 1;

		oclmm_text_add_bytes(text, found[i], (size_t)(value - found[i]));
		oclmm_text_add_quoted(text, value);
		oclmm_text_add(text, " ");
	}
	free(found);
}
