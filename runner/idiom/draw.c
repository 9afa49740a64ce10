// SPDX-License-Identifier: Apache-2.0
/* Times by size and group size, as a picture. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/commands.h"
#include "command.h"
#include "oclmm/grade.h"
#include "sweep.h"

struct drawing {
	struct idiom_command *idiom;
	int status;
	bool ran;          /* something did that was not refused */
	char refusal[512]; /* the first */
};

/* Of many shapes some are always refused: that matters where all are. */
static void try_shape(void *data, struct idiom_result *ret_result)
{
	struct drawing *drawing = data;
	struct idiom_command *idiom = drawing->idiom;

	idiom_run(idiom->run->context.identity, &idiom->request, idiom->timeout, ret_result);
	if (ret_result->end == IDIOM_REFUSED) {
		if (!*drawing->refusal)
			snprintf(drawing->refusal, sizeof(drawing->refusal), "%s",
			         ret_result->message);
		return;
	}
	drawing->ran = true;
	drawing->status = idiom_worse(drawing->status, idiom_say(idiom, ret_result));
}

static int draw_program(struct idiom_command *idiom, const char *name, struct plot_panel *panel)
{
	struct drawing drawing = {.idiom = idiom};

	idiom->request.program = idiom_find(name);
	idiom_sweep(&idiom->request, try_shape, &drawing, panel);
	if (drawing.ran)
		return drawing.status;
	options_error(idiom->command, "%s: %s", name, drawing.refusal);
	return OCLMM_EXIT_USAGE;
}

static int write_plot(const struct idiom_command *idiom, const struct plot_panel *panels, int count)
{
	const struct oclmm_device_info *device = idiom->run->context.device;
	struct oclmm_text title = {0}, text = {0};
	int status;

	oclmm_text_printf(&title, "%s: times by size, %s", device->name,
	                  idiom->request.form == IDIOM_PUBLISHED ? "as published" : "repaired");
	plot_svg(&text, oclmm_text_string(&title), panels, (size_t)count);
	status = command_write(idiom->command, idiom->plot, &text);
	oclmm_text_finish(&title);
	oclmm_text_finish(&text);
	return status;
}

static int check_sizes(struct idiom_command *idiom, const char *name)
{
	idiom->request.program = idiom_find(name);
	return idiom_has_sizes(&idiom->request)
	               ? 0
	               : options_error(idiom->command, "--plot: %s has no sizes to draw", name);
}

/* The file is whole after each program, and a place that cannot be written is known at once. */
int idiom_draw(struct idiom_command *idiom, char **names, int count)
{
	struct plot_panel *panels;
	int status = OCLMM_EXIT_PASS, unwritten;

	for (int i = 0; i < count; i++)
		if (check_sizes(idiom, names[i]))
			return OCLMM_EXIT_USAGE;
	panels = oclmm_calloc((size_t)count, sizeof(*panels));
	unwritten = write_plot(idiom, panels, 0);
	for (int i = 0; !unwritten && i < count; i++) {
		status = idiom_worse(status, draw_program(idiom, names[i], &panels[i]));
		unwritten = write_plot(idiom, panels, i + 1);
	}
	for (int i = 0; i < count; i++)
		idiom_sweep_finish(&panels[i]);
	free(panels);
	return unwritten ? unwritten : status;
}
