// SPDX-License-Identifier: Apache-2.0
/*
 * Barriers in two calls for a driver that has none: a layer of the ICD loader (OPENCL_LAYERS) that
 * adds cl_intel_split_work_group_barrier to what the devices claim, and writes other calls into
 * each program text. Nobody has to wait at an arrival, so it is nothing. The wait is a whole
 * barrier if its flags and those of the arrival before it in the text have one in common. Else it
 * orders no memory, nobody can tell whether it waits, and it is nothing, too.
 *
 * OCLMM_SPLIT_LACK=extension: it is not claimed; `functions`: it is, and the texts stay;
 * `wait`: who waits does not.
 */
#include "plant/icd_layer.h"

#include <stdlib.h>
#include <string.h>

#include "claims.h"

ICD_LAYER("oclmm split barriers");

static const char extension[] = "cl_intel_split_work_group_barrier";

static bool lacks(const char *name)
{
	const char *lacking = getenv("OCLMM_SPLIT_LACK");

	return lacking && strcmp(lacking, name) == 0;
}

/* Sets of flags, of those that a call spells. */
enum { LOCAL_FLAG = 1, GLOBAL_FLAG = 2, IMAGE_FLAG = 4 };

static bool is_within(const char *word, const char *from, const char *to)
{
	const char *at = strstr(from, word);

	return at && at < to;
}

static unsigned flags_within(const char *from, const char *to)
{
	return (is_within("CLK_LOCAL_MEM_FENCE", from, to) ? LOCAL_FLAG : 0u) |
	       (is_within("CLK_GLOBAL_MEM_FENCE", from, to) ? GLOBAL_FLAG : 0u) |
	       (is_within("CLK_IMAGE_MEM_FENCE", from, to) ? IMAGE_FLAG : 0u);
}

/* The parts of a text that its lengths, or its ends, give, in one; the caller's. */
static char *join(cl_uint count, const char **texts, const size_t *lengths)
{
	size_t length = 0;
	char *all;

	for (cl_uint i = 0; i < count; i++)
		length += lengths && lengths[i] ? lengths[i] : strlen(texts[i]);
	all = malloc(length + 1);
	if (!all)
		abort();
	length = 0;
	for (cl_uint i = 0; i < count; i++) {
		size_t own = lengths && lengths[i] ? lengths[i] : strlen(texts[i]);

		memcpy(all + length, texts[i], own);
		length += own;
	}
	all[length] = '\0';
	return all;
}

/* A text with other calls; no text becomes four times as long. */
static char *replace(const char *text)
{
	static const char arrive[] = "intel_work_group_barrier_arrive(",
			  wait[] = "intel_work_group_barrier_wait(",
			  whole[] = "work_group_barrier(CLK_LOCAL_MEM_FENCE | "
				    "CLK_GLOBAL_MEM_FENCE)",
			  nothing[] = "((void)0)";
	char *out = malloc(4 * strlen(text) + 1), *end = out;
	unsigned arrived = 0;

	if (!out)
		abort();
	while (*text) {
		bool waits = strncmp(text, wait, strlen(wait)) == 0;
		const char *close = strchr(text, ')');
		const char *call = nothing;

		if (!close || (!waits && strncmp(text, arrive, strlen(arrive)) != 0)) {
			*end++ = *text++;
			continue;
		}
		if (!waits)
			arrived = flags_within(text, close);
		else if ((arrived & flags_within(text, close)) && !lacks("wait"))
			call = whole;
		end = stpcpy(end, call);
		text = close + 1;
	}
	*end = '\0';
	return out;
}

static cl_program CL_API_CALL create_program(cl_context context, cl_uint count, const char **texts,
                                             const size_t *lengths, cl_int *code)
{
	char *text, *replaced;
	cl_program program;

	if (lacks("functions"))
		return layer_real->clCreateProgramWithSource(context, count, texts, lengths, code);
	text = join(count, texts, lengths);
	replaced = replace(text);
	program = layer_real->clCreateProgramWithSource(context, 1, (const char **)&replaced, NULL,
	                                                code);
	free(text);
	free(replaced);
	return program;
}

bool layer_start(struct _cl_icd_dispatch *own)
{
	claims_begin(own, lacks("extension") ? NULL : extension);
	own->clCreateProgramWithSource = create_program;
	return true;
}
