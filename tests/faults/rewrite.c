// SPDX-License-Identifier: Apache-2.0
/*
 * A compiler that mistakes one text for another: a layer of the ICD loader. In programs that have
 * the words OCLMM_REWRITE_IN each OCLMM_REWRITE_FROM becomes OCLMM_REWRITE_TO; the file
 * OCLMM_REWRITE_STRUCK is made when it does. Texts that the file OCLMM_REWRITE_KNOWN names stay as
 * they are, as if a good compiler had left its programs in a cache; with OCLMM_REWRITE_LEARNS all
 * texts get into that file. Test code only.
 */
#include "plant/icd_layer.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
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

static uint64_t key_of(const char *text)
{
	uint64_t key = UINT64_C(0xcbf29ce484222325);

	for (; *text; text++)
		key = (key ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	return key;
}

/* Whether the file has the text's key, which it gets where it is to learn. */
static bool is_known(const char *text)
{
	FILE *file = *word("OCLMM_REWRITE_KNOWN") ? fopen(word("OCLMM_REWRITE_KNOWN"), "a+e")
	                                          : NULL;
	uint64_t key = key_of(text);
	char line[32], own[32];
	bool known = false;

	if (!file)
		return false;
	snprintf(own, sizeof(own), "%llx\n", (unsigned long long)key);
	rewind(file);
	while (!known && fgets(line, sizeof(line), file))
		known = strcmp(line, own) == 0;
	if (!known && *word("OCLMM_REWRITE_LEARNS"))
		fputs(own, file);
	fclose(file);
	return known;
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

	if (count != 1 || is_known(strings[0]) || !*from ||
	    !strstr(strings[0], word("OCLMM_REWRITE_IN")) || !strstr(strings[0], from))
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
