// SPDX-License-Identifier: Apache-2.0
/*
 * Draws the final condition of the first variant of each file of the suite and
 * of one in so many others, looks at each picture, and draws it a second time
 * to see whether it comes out the same.
 *
 * usage: picture_suite FOLDER-OF-LITMUS-FILES [ONE-IN [FOLDER-TO-WRITE-THE-PICTURES-TO]]
 */
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../suite/folder.h"
#include "look.h"
#include "oclmm/picture.h"
#include "oclmm/syntax.h"

static unsigned long one_in;
static const char *output;
static unsigned tests, pictures, failed;
static struct look_counts most;

static void store(const char *name, const struct oclmm_text *svg)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s.svg", output, name);
	if (oclmm_write_file(path, oclmm_text_string(svg), svg->length) < 0)
		fprintf(stderr, "cannot write %s\n", path);
}

static void fail(const char *name, const char *why)
{
	printf("%s: %s\n", name, why);
	failed++;
}

static void count(const struct look_counts *counts)
{
	if (counts->events > most.events)
		most.events = counts->events;
	if (counts->arrows > most.arrows)
		most.arrows = counts->arrows;
	pictures++;
}

static void look(const char *name, const struct oclmm_text *svg)
{
	struct look_counts counts;
	char why[256] = "";

	if (!look_at(oclmm_text_string(svg), why, sizeof(why), &counts))
		fail(name, why);
	count(&counts);
	if (output)
		store(name, svg);
}

static void draw(const struct oclmm_program *program)
{
	const struct oclmm_explain_options options = {.no_changes = true};
	struct oclmm_explanation *e;
	struct oclmm_error error;
	struct oclmm_text svg = {0}, again = {0};

	tests++;
	if (oclmm_explain(program, &options, &error, &e) < 0) {
		fail(program->name, error.message);
		return;
	}
	if (oclmm_picture_svg(&svg, e) != (e->execution ? 0 : -ENOENT))
		fail(program->name, "drawn without an execution, or not with one");
	else if (e->execution)
		look(program->name, &svg);
	oclmm_picture_svg(&again, e);
	if (strcmp(oclmm_text_string(&svg), oclmm_text_string(&again)) != 0)
		fail(program->name, "comes out differently the second time");
	oclmm_text_finish(&svg);
	oclmm_text_finish(&again);
	oclmm_explanation_destroy(e);
}

static int visit(const char *path, const struct stat *status, int kind, struct FTW *place)
{
	struct oclmm_litmus *litmus;
	struct oclmm_error error;
	size_t length = strlen(path), source_length;
	char *source;

	(void)status;
	(void)place;
	if (kind != FTW_F || length < 7 || strcmp(path + length - 7, ".litmus") != 0 ||
	    oclmm_read_file(path, &source, &source_length) < 0)
		return 0;
	if (oclmm_litmus_parse(path, source, source_length, NULL, &error, &litmus) < 0) {
		fail(path, error.message);
	} else {
		for (uint32_t i = 0; i < litmus->variant_count; i++)
			if (is_sampled(litmus, i, one_in))
				draw(litmus->variants[i].program);
		oclmm_litmus_destroy(litmus);
	}
	free(source);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return 2;
	one_in = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
	output = argc > 3 ? argv[3] : NULL;
	if (one_in == 0)
		return 2;
	if (nftw(argv[1], visit, 16, FTW_PHYS) < 0)
		return 2;
	printf("%u tests, %u pictures, up to %u events and %u arrows, %u wrong\n", tests, pictures,
	       most.events, most.arrows, failed);
	return failed || pictures < 1000 ? 1 : 0;
}
