// SPDX-License-Identifier: Apache-2.0
/*
 * A driver whose compiler refuses texts with the word OCLMM_REFUSED: a layer of the ICD loader
 * (OCLMM_LAYER) beneath the one that plants bugs.
 */
#include "plant/icd_layer.h"

#include <stdlib.h>
#include <string.h>

ICD_LAYER("oclmm refusing compiler");

/* Texts end with a zero here: those of oclmm, and what the layer of plants makes of them. */
static bool is_refused(cl_uint count, const char **texts)
{
	const char *word = getenv("OCLMM_REFUSED");
	bool found = false;

	for (cl_uint i = 0; word && i < count; i++)
		found |= strstr(texts[i], word) != NULL;
	return found;
}

static cl_program CL_API_CALL create_program(cl_context context, cl_uint count, const char **texts,
                                             const size_t *lengths, cl_int *code)
{
	static const char *refused = "#error refused\n";

	if (is_refused(count, texts))
		return layer_real->clCreateProgramWithSource(context, 1, &refused, NULL, code);
	return layer_real->clCreateProgramWithSource(context, count, texts, lengths, code);
}

bool layer_start(struct _cl_icd_dispatch *own)
{
	own->clCreateProgramWithSource = create_program;
	return true;
}
