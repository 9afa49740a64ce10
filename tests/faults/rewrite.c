// SPDX-License-Identifier: Apache-2.0
/*
 * A compiler that mistakes one text for another: a layer of the ICD loader. In programs that have
 * the words OCLMM_REWRITE_IN each OCLMM_REWRITE_FROM becomes OCLMM_REWRITE_TO; the file
 * OCLMM_REWRITE_STRUCK is made when it does. Test code only.
 */
#include "plant/icd_layer.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

ICD_LAYER("oclmm rewriting");

static const char *word(const char *variable)
{
	const char *value = getenv(variable);

	return value ? value : "";
}

static void note(void)
{
	int file = open(word("OCLMM_REWRITE_STRUCK"), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	if (file >= 0)
		close(file);
}

static char *rewrite(const char *text, const char *from, const char *to)
{
	size_t length = strlen(text), each = strlen(to);
	char *copy = malloc(length * (each + 1) + 1), *at = copy;
	const char *found;

	while ((found = strstr(text, from))) {
		memcpy(at, text, (size_t)(found - text));
		at += found - text;
		memcpy(at, to, each);
		at += each;
		text = found + strlen(from);
	}
	memcpy(at, text, strlen(text) + 1);
	return copy;
}

static cl_program CL_API_CALL create_program(cl_context context, cl_uint count,
                                             const char **strings, const size_t *lengths,
                                             cl_int *code)
{
	const char *from = word("OCLMM_REWRITE_FROM");
	cl_program program;
	char *text;

	if (count != 1 || !*from || !strstr(strings[0], word("OCLMM_REWRITE_IN")) ||
	    !strstr(strings[0], from))
		return layer_real->clCreateProgramWithSource(context, count, strings, lengths,
		                                             code);
	note();
	text = rewrite(strings[0], from, word("OCLMM_REWRITE_TO"));
	program = layer_real->clCreateProgramWithSource(context, 1, (const char **)&text, NULL,
	                                                code);
	free(text);
	return program;
}

bool layer_start(struct _cl_icd_dispatch *own)
{
	own->clCreateProgramWithSource = create_program;
	return true;
}
