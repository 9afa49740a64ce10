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

/* NULL where it is refused, which is a complaint. */
static struct oclmm_litmus *read_file(const char *path)
{
	struct oclmm_error error = {0};
	struct oclmm_litmus *litmus;
	char *text;

	if (oclmm_litmus_read(path, NULL, &error, &litmus) == 0)
		return litmus;
	text = oclmm_error_format(&error);
	complain(path, "refused\n%s", text);
	free(text);
	return NULL;
}

size_t visit_folder_by(size_t most, const char *root,
                       void (*visit)(struct oclmm_litmus *const *litmus, size_t count, void *data),
                       void *data)
{
	struct oclmm_litmus **files = oclmm_calloc(most, sizeof(struct oclmm_litmus *));
	struct oclmm_text pattern = {0};
	glob_t found = {0};
	size_t visited = 0, count = 0;

	oclmm_text_printf(&pattern, "%s/*/*.litmus", root);
	if (glob(oclmm_text_string(&pattern), 0, NULL, &found) != 0)
		complain(root, "there is no litmus file below this folder");
	for (size_t i = 0; i < found.gl_pathc; i++) {
		files[count] = read_file(found.gl_pathv[i]);
		count += files[count] != NULL;
		if (count == 0 || (count < most && i + 1 < found.gl_pathc))
			continue;
		visit(files, count, data);
		visited += count;
		while (count)
			oclmm_litmus_destroy(files[--count]);
	}
	globfree(&found);
	oclmm_text_finish(&pattern);
	free(files);
	return visited;
}

struct one {
	void (*visit)(const struct oclmm_litmus *litmus, void *data);
	void *data;
};

static void visit_one(struct oclmm_litmus *const *litmus, size_t count, void *data)
{
	const struct one *one = data;

	for (size_t i = 0; i < count; i++)
		one->visit(litmus[i], one->data);
}

size_t visit_folder(const char *root, void (*visit)(const struct oclmm_litmus *litmus, void *data),
                    void *data)
{
	struct one one = {visit, data};

	return visit_folder_by(1, root, visit_one, &one);
}

static int find_collective(void *data, const struct oclmm_statement *statement)
{
	(void)data;
	return statement->kind == OCLMM_STATEMENT_BARRIER && statement->barrier.value;
}

bool has_given_values(const struct oclmm_program *program)
{
	static const struct oclmm_visitor visitor = {.statement = find_collective};

	return program->shared && oclmm_visit_body(&visitor, program->threads[0].body, NULL);
}
