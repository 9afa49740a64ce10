// SPDX-License-Identifier: Apache-2.0
/* Times by size as lines in a picture, both axes by powers. Knows nothing of OpenCL. */
#ifndef OCLMM_RUNNER_IDIOM_PLOT_H
#define OCLMM_RUNNER_IDIOM_PLOT_H

#include "oclmm/base.h"

/* Both are greater than 0. */
struct plot_point {
	double size, seconds;
};

struct plot_line {
	char label[32];
	bool dashed; /* something to compare with */
	struct plot_point *points;
	size_t count;
};

/* One program: its lines share the axes. */
struct plot_panel {
	const char *title;
	const char *what; /* is measured: "time", "time per barrier" */
	struct plot_line *lines;
	size_t count;
};

/*
 * Adds an SVG file: the panels side by side, two in a row. Panels without points say that nothing
 * was measured.
 */
void plot_svg(struct oclmm_text *text, const char *title, const struct plot_panel *panels,
              size_t count);

/* A number of elements as people say it: `1000`, `4 Ki`, `8 Mi`. */
void plot_print_size(struct oclmm_text *text, double size);
/* `2 ns`, `50 us`, `1 ms`, `10 s`. */
void plot_print_time(struct oclmm_text *text, double seconds);

#endif
