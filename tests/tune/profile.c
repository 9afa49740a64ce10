// SPDX-License-Identifier: Apache-2.0
/*
 * Reads a profile and prints it again, or prints why it is refused: golden
 * tests compare the output with a file. usage: profile FILE GOLDEN
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/profile.h"

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

int main(int argc, char **argv)
{
	struct oclmm_profile profile;
	struct oclmm_error error = {0};
	struct oclmm_text text = {0};
	char *golden = NULL, *data = NULL, *printed;
	size_t length, size;
	int status;

	if (argc != 3 || oclmm_read_file(argv[1], &data, &size) < 0) {
		fprintf(stderr, "usage: profile FILE GOLDEN\n");
		return 2;
	}
	if (oclmm_profile_parse(base_name(argv[1]), data, size, &error, &profile) == 0) {
		oclmm_profile_print(&text, &profile);
		printed = oclmm_text_steal(&text);
	} else {
		printed = oclmm_error_format(&error);
	}
	status = oclmm_read_file(argv[2], &golden, &length) < 0 || strcmp(golden, printed) != 0;
	if (status)
		printf("%s\n--- is not what %s has\n", printed, argv[2]);
	free(printed);
	free(golden);
	free(data);
	return status;
}
