// SPDX-License-Identifier: Apache-2.0
#include "sweep.h"

#include <stdio.h>
#include <stdlib.h>

#include "internal.h"

static const uint64_t GROUP_SIZES[] = {1, 16, 64, 256, 1024};
static const uint64_t FIRST_SIZE = 1024;
static const uint32_t SIZE_STEP = 4;

static const struct idiom_actions *actions_of(const struct idiom_request *request)
{
	return request->form == IDIOM_PUBLISHED ? request->program->as_published
	                                        : request->program->repaired;
}

bool idiom_has_sizes(const struct idiom_request *request)
{
	const struct idiom_actions *actions = actions_of(request);

	return actions && !actions->run && request->size != 0;
}

static void add_point(struct plot_line *line, double size, double seconds)
{
	if (!(size > 0) || !(seconds > 0))
		return;
	line->points = oclmm_realloc(line->points, (line->count + 1) * sizeof(*line->points));
	line->points[line->count++] = (struct plot_point){size, seconds};
}

static struct plot_line *add_line(struct plot_panel *panel)
{
	panel->lines = oclmm_realloc(panel->lines, (panel->count + 1) * sizeof(*panel->lines));
	panel->lines[panel->count] = (struct plot_line){0};
	return &panel->lines[panel->count++];
}

/* Per barrier where there are barriers. */
static double share_of(const struct idiom_result *result, double seconds)
{
	return result->barriers ? seconds / (double)result->barriers : seconds;
}

/* The sizes of one line. The first line of a panel is the host's, of the sizes that came first. */
static void sweep_sizes(struct idiom_request *request, uint64_t most, idiom_try_fn *try, void *data,
                        struct plot_panel *panel)
{
	size_t number = panel->count - 1;
	bool host = panel->lines[0].count == 0, more = true;

	for (uint64_t size = FIRST_SIZE; more; size *= SIZE_STEP) {
		struct idiom_result result = {0};

		request->size = size > most / SIZE_STEP ? most : size;
		more = request->size < most;
		try(data, &result);
		if (result.end == IDIOM_REFUSED)
			break;
		if (result.end != IDIOM_RIGHT)
			continue;
		add_point(&panel->lines[number], (double)request->size,
		          share_of(&result, result.kernel));
		if (host)
			add_point(&panel->lines[0], (double)request->size,
			          share_of(&result, result.sequential));
	}
}

void idiom_sweep(struct idiom_request *request, idiom_try_fn *try, void *data,
                 struct plot_panel *panel)
{
	const struct idiom_actions *actions = actions_of(request);
	uint64_t size = request->size, group_size = request->group_size;
	uint64_t most = size == IDIOM_DEFAULT ? actions->size : size;
	bool one = group_size != IDIOM_DEFAULT;
	struct plot_line *line = add_line(panel);

	panel->title = request->program->name;
	panel->what = actions->steps ? "per barrier" : "of the kernels";
	snprintf(line->label, sizeof(line->label), "host, one by one");
	line->dashed = true;
	for (size_t i = 0; i < (one ? 1 : OCLMM_COUNT(GROUP_SIZES)); i++) {
		request->group_size = one ? group_size : GROUP_SIZES[i];
		line = add_line(panel);
		snprintf(line->label, sizeof(line->label), "groups of %llu",
		         (unsigned long long)request->group_size);
		sweep_sizes(request, most, try, data, panel);
	}
	request->size = size;
	request->group_size = group_size;
}

void idiom_sweep_finish(struct plot_panel *panel)
{
	for (size_t i = 0; i < panel->count; i++)
		free(panel->lines[i].points);
	free(panel->lines);
	*panel = (struct plot_panel){0};
}
