// SPDX-License-Identifier: Apache-2.0
/*
 * Prints what the tables of results files say: print_results schema, or table NAME. With `read`,
 * whether each of the texts on standard input, which a zero byte ends, is read: a line for each.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oclmm/report.h"

static void print_read(struct oclmm_text *text, const char *input, size_t length)
{
	struct oclmm_results *results = NULL;
	struct oclmm_error error = {0};
	int r = oclmm_results_parse("standard input", input, length, true, &error, &results);

	if (r == 0)
		oclmm_text_add(text, "read\n");
	else
		oclmm_text_printf(text, "%u:%u: %s\n", error.position.line, error.position.column,
		                  error.message);
	oclmm_results_destroy(results);
}

static int print_all_read(struct oclmm_text *text)
{
	size_t capacity = 0;
	char *input = NULL;
	ssize_t length;

	while ((length = getdelim(&input, &capacity, '\0', stdin)) > 0)
		print_read(text, input, (size_t)length - (input[length - 1] == '\0'));
	free(input);
	return ferror(stdin) ? 99 : 0;
}

int main(int argc, char **argv)
{
	struct oclmm_text text = {0};
	int status = 2;

	if (argc == 2 && strcmp(argv[1], "schema") == 0) {
		oclmm_results_schema(&text);
		status = 0;
	} else if (argc == 2 && strcmp(argv[1], "read") == 0) {
		status = print_all_read(&text);
	} else if (argc == 3 && strcmp(argv[1], "table") == 0) {
		status = oclmm_results_table(&text, argv[2]) < 0 ? 2 : 0;
	}
	fputs(oclmm_text_string(&text), stdout);
	oclmm_text_finish(&text);
	return fflush(stdout) == 0 ? status : 99;
}
