// SPDX-License-Identifier: Apache-2.0
#include "folder.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>

unsigned complaints;

void complain(const char *name, const char *format, ...)
{
	va_list arguments;

	fprintf(stderr, "%s: ", name);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	complaints++;
}

size_t visit_folder(const char *root, void (*visit)(const struct oclmm_litmus *litmus, void *data),
                    void *data)
{
	struct oclmm_text pattern = {0};
	glob_t found;
	size_t visited = 0;

	oclmm_text_printf(&pattern, "%s/*/*.litmus", root);
	if (glob(oclmm_text_string(&pattern), 0, NULL, &found) != 0) {
		complain(root, "there is no litmus file below this folder");
		oclmm_text_finish(&pattern);
		return 0;
	}
	for (size_t i = 0; i < found.gl_pathc; i++) {
		struct oclmm_error error = {0};
		struct oclmm_litmus *litmus;

		if (oclmm_litmus_read(found.gl_pathv[i], NULL, &error, &litmus) < 0) {
			char *text = oclmm_error_format(&error);

			complain(found.gl_pathv[i], "refused\n%s", text);
			free(text);
			continue;
		}
		visit(litmus, data);
		oclmm_litmus_destroy(litmus);
		visited++;
	}
	globfree(&found);
	oclmm_text_finish(&pattern);
	return visited;
}
