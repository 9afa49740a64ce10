// SPDX-License-Identifier: Apache-2.0
/*
 * usage: generate FOLDER [--promote]
 *
 * The files of litmus/values that are made by machine: compares them with what
 * stands in the folder, or writes them.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "write.h"

static const char *folder;
static bool promote;
static unsigned mistakes;

static void write_file(const char *path, const struct oclmm_text *text)
{
	FILE *file = fopen(path, "w");
	bool written = file && fwrite(text->data, 1, text->length, file) == text->length;

	if ((file && fclose(file) != 0) || !written) {
		fprintf(stderr, "cannot write %s: %s\n", path, strerror(errno));
		mistakes++;
	}
}

/* Takes the text over. */
static void settle(const char *name, struct oclmm_text *text)
{
	struct oclmm_text path = {0};
	char *stored = NULL;
	size_t length = 0;

	oclmm_text_printf(&path, "%s/%s.litmus", folder, name);
	if (promote) {
		write_file(oclmm_text_string(&path), text);
	} else if (oclmm_read_file(oclmm_text_string(&path), &stored, &length) < 0 ||
	           length != text->length || memcmp(stored, text->data, length) != 0) {
		fprintf(stderr, "%s is not what would be written: generate %s --promote\n",
		        oclmm_text_string(&path), folder);
		mistakes++;
	}
	free(stored);
	oclmm_text_finish(&path);
	oclmm_text_finish(text);
}

static void settle_family(const struct family *family)
{
	struct oclmm_text name = {0}, text = {0};

	write_name(&name, family);
	write_family(&text, family);
	settle(oclmm_text_string(&name), &text);
	oclmm_text_finish(&name);
}

static void settle_compare(const char *name, enum oclmm_operation op, bool legacy)
{
	struct oclmm_text text = {0};

	write_compare_exchange(&text, op, legacy);
	settle(name, &text);
}

int main(int argc, char **argv)
{
	if (argc < 2 || argc > 3)
		return 2;
	folder = argv[1];
	promote = argc == 3 && strcmp(argv[2], "--promote") == 0;
	for (size_t i = 0; i < family_count; i++)
		settle_family(&families[i]);
	settle_compare("compare_exchange_strong+values", OCLMM_OP_CAS_STRONG, false);
	settle_compare("compare_exchange_weak+values", OCLMM_OP_CAS_WEAK, false);
	settle_compare("atomic_cmpxchg+values", OCLMM_OP_CAS_STRONG, true);
	return mistakes != 0;
}
