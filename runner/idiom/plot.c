// SPDX-License-Identifier: Apache-2.0
#include "plot.h"

#include <math.h>
#include <stdlib.h>

/* In pixels: a panel, and in it the square of the axes. */
enum { WIDTH = 480, HEIGHT = 340, LEFT = 70, RIGHT = 370, TOP = 40, BOTTOM = 285, HEAD = 44 };
enum { LABEL_STEP = 14, MOST_LABELS = 32, MOST_TICKS = 9 };

/* Told apart by those who see no red or green, too (M. Okabe and K. Ito), and dark on white. */
static const char *const COLOURS[] = {"#0072b2", "#d55e00", "#009e73",
                                      "#aa4499", "#8a6d00", "#332288"};

/* An axis by powers: what lies between `from` and `to` goes between two pixels. */
struct axis {
	double from, to;
	int low, high;
};

static double place(const struct axis *axis, double value)
{
	double share = log(value / axis->from) / log(axis->to / axis->from);

	return axis->low + share * (axis->high - axis->low);
}

void plot_print_size(struct oclmm_text *text, double size)
{
	static const char *const units[] = {"", " Ki", " Mi", " Gi"};
	size_t unit = 0;

	while (unit + 1 < OCLMM_COUNT(units) && size >= 1024 && fmod(size, 1024) == 0) {
		size /= 1024;
		unit++;
	}
	oclmm_text_printf(text, "%.15g%s", size, units[unit]);
}

void plot_print_time(struct oclmm_text *text, double seconds)
{
	static const char *const units[] = {"s", "ms", "us", "ns"};
	size_t unit = 0;

	while (unit + 1 < OCLMM_COUNT(units) && seconds < 0.9999) {
		seconds *= 1000;
		unit++;
	}
	oclmm_text_printf(text, "%.3g %s", seconds, units[unit]);
}

/* ---- the axes ---- */

static size_t count_points(const struct plot_panel *panel)
{
	size_t count = 0;

	for (size_t i = 0; i < panel->count; i++)
		count += panel->lines[i].count;
	return count;
}

static void find_ranges(const struct plot_panel *panel, struct axis *x, struct axis *y)
{
	x->from = y->from = INFINITY;
	x->to = y->to = 0;
	for (size_t i = 0; i < panel->count; i++) {
		for (size_t j = 0; j < panel->lines[i].count; j++) {
			const struct plot_point *point = &panel->lines[i].points[j];

			x->from = fmin(x->from, point->size);
			x->to = fmax(x->to, point->size);
			y->from = fmin(y->from, point->seconds);
			y->to = fmax(y->to, point->seconds);
		}
	}
	if (x->from == x->to) {
		x->from /= 2;
		x->to *= 2;
	}
	/* from one power of ten to another */
	y->from = pow(10, floor(log10(y->from) + 1e-9));
	y->to = pow(10, ceil(log10(y->to) - 1e-9));
	if (y->to <= y->from * 1.01)
		y->to = y->from * 10;
}

static void add_tick_x(struct oclmm_text *text, const struct axis *x, double size)
{
	double at = place(x, size);

	oclmm_text_printf(text, "<path class=\"grid\" d=\"M%.1f %dV%d\"/>\n", at, TOP, BOTTOM);
	oclmm_text_printf(text, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">", at,
	                  BOTTOM + 18);
	plot_print_size(text, size);
	oclmm_text_add(text, "</text>\n");
}

/* At powers of four, or of sixteen and so on where these are too many. */
static void add_ticks_x(struct oclmm_text *text, const struct axis *x)
{
	double step = 4;

	while (log(x->to / x->from) / log(step) > MOST_TICKS - 2)
		step *= step;
	for (double size = pow(step, ceil(log(x->from) / log(step) - 1e-9)); size <= x->to * 1.0001;
	     size *= step)
		add_tick_x(text, x, size);
}

static void add_ticks_y(struct oclmm_text *text, const struct axis *y)
{
	for (double seconds = y->from; seconds <= y->to * 1.01; seconds *= 10) {
		double at = place(y, seconds);

		oclmm_text_printf(text, "<path class=\"grid\" d=\"M%d %.1fH%d\"/>\n", LEFT, at,
		                  RIGHT);
		oclmm_text_printf(text, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">", LEFT - 6,
		                  at + 4);
		plot_print_time(text, seconds);
		oclmm_text_add(text, "</text>\n");
	}
}

/* ---- the lines ---- */

static void add_line(struct oclmm_text *text, const struct plot_line *line, const char *colour,
                     const struct axis *x, const struct axis *y)
{
	oclmm_text_printf(text,
	                  "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\"%s points=\"",
	                  colour, line->dashed ? " stroke-dasharray=\"6 4\"" : "");
	for (size_t i = 0; i < line->count; i++)
		oclmm_text_printf(text, "%s%.1f,%.1f", i ? " " : "", place(x, line->points[i].size),
		                  place(y, line->points[i].seconds));
	oclmm_text_add(text, "\"/>\n");
	for (size_t i = 0; i < line->count && !line->dashed; i++) {
		oclmm_text_printf(text,
		                  "<circle fill=\"%s\" r=\"3\" cx=\"%.1f\" cy=\"%.1f\"><title>",
		                  colour, place(x, line->points[i].size),
		                  place(y, line->points[i].seconds));
		oclmm_text_add_xml(text, line->label);
		oclmm_text_add(text, ": ");
		plot_print_size(text, line->points[i].size);
		oclmm_text_add(text, ", ");
		plot_print_time(text, line->points[i].seconds);
		oclmm_text_add(text, "</title></circle>\n");
	}
}

/* A label stands at the end of its line, or as near as others leave it room. */
struct label {
	double at;
	size_t line;
};

static int compare_labels(const void *a, const void *b)
{
	const struct label *one = a, *other = b;

	return (one->at > other->at) - (one->at < other->at);
}

static void spread(struct label *labels, size_t count)
{
	double over;

	for (size_t i = 1; i < count; i++)
		labels[i].at = fmax(labels[i].at, labels[i - 1].at + LABEL_STEP);
	over = count ? labels[count - 1].at - BOTTOM : 0;
	for (size_t i = count; i-- > 0 && over > 0;) {
		labels[i].at -= over;
		over = i > 0 ? labels[i - 1].at + LABEL_STEP - labels[i].at : 0;
	}
}

static const char *colour_of(const struct plot_line *line, size_t number)
{
	return line->dashed ? "#595959" : COLOURS[number % OCLMM_COUNT(COLOURS)];
}

static void add_labels(struct oclmm_text *text, const struct plot_panel *panel,
                       const struct axis *y)
{
	struct label labels[MOST_LABELS];
	size_t count = 0;

	for (size_t i = 0; i < panel->count && count < MOST_LABELS; i++) {
		const struct plot_line *line = &panel->lines[i];

		if (line->count)
			labels[count++] =
				(struct label){place(y, line->points[line->count - 1].seconds), i};
	}
	qsort(labels, count, sizeof(*labels), compare_labels);
	spread(labels, count);
	for (size_t i = 0; i < count; i++) {
		const struct plot_line *line = &panel->lines[labels[i].line];

		oclmm_text_printf(text, "<text x=\"%d\" y=\"%.1f\" fill=\"%s\">", RIGHT + 8,
		                  labels[i].at + 4, colour_of(line, labels[i].line));
		oclmm_text_add_xml(text, line->label);
		oclmm_text_add(text, "</text>\n");
	}
}

static void add_panel(struct oclmm_text *text, const struct plot_panel *panel)
{
	struct axis x = {.low = LEFT, .high = RIGHT}, y = {.low = BOTTOM, .high = TOP};

	oclmm_text_printf(text, "<text class=\"name\" x=\"%d\" y=\"%d\">", LEFT, TOP - 14);
	oclmm_text_add_xml(text, panel->title);
	oclmm_text_add(text, "</text>\n");
	if (count_points(panel) == 0) {
		oclmm_text_printf(text, "<text x=\"%d\" y=\"%d\">nothing was measured</text>\n",
		                  LEFT, TOP + 20);
		return;
	}
	find_ranges(panel, &x, &y);
	add_ticks_x(text, &x);
	add_ticks_y(text, &y);
	oclmm_text_printf(text, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">elements</text>\n",
	                  (LEFT + RIGHT) / 2, BOTTOM + 38);
	oclmm_text_printf(text, "<text x=\"%d\" y=\"%d\">", RIGHT + 8, TOP - 14);
	oclmm_text_add_xml(text, panel->what);
	oclmm_text_add(text, "</text>\n");
	for (size_t i = 0; i < panel->count; i++)
		if (panel->lines[i].count)
			add_line(text, &panel->lines[i], colour_of(&panel->lines[i], i), &x, &y);
	add_labels(text, panel, &y);
}

void plot_svg(struct oclmm_text *text, const char *title, const struct plot_panel *panels,
              size_t count)
{
	size_t columns = count < 2 ? 1 : 2, rows = (count + columns - 1) / columns;
	size_t width = columns * WIDTH, height = HEAD + rows * HEIGHT;

	oclmm_text_printf(text,
	                  "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"%zu\" "
	                  "height=\"%zu\" viewBox=\"0 0 %zu %zu\" font-family=\"Helvetica, Arial, "
	                  "'DejaVu Sans', sans-serif\" font-size=\"12\" fill=\"#000000\">\n<title>",
	                  width, height, width, height);
	oclmm_text_add_xml(text, title);
	oclmm_text_add(text, "</title>\n<style>.grid{stroke:#d0d0d0;fill:none}"
	                     ".name{font-weight:bold;font-size:14px}</style>\n"
	                     "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
	oclmm_text_printf(text, "<text x=\"%d\" y=\"26\" font-size=\"15\">", LEFT);
	oclmm_text_add_xml(text, title);
	oclmm_text_add(text, "</text>\n");
	for (size_t i = 0; i < count; i++) {
		oclmm_text_printf(text, "<g transform=\"translate(%zu %zu)\">\n",
		                  i % columns * WIDTH, HEAD + i / columns * HEIGHT);
		add_panel(text, &panels[i]);
		oclmm_text_add(text, "</g>\n");
	}
	oclmm_text_add(text, "</svg>\n");
}
