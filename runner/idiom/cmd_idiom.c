// SPDX-License-Identifier: Apache-2.0
#include "internal.h"
#include "plot.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/json.h"
#include "oclmm/grade.h"
#include "run/session.h"
#include "select/select.h"
#include "select/suite.h"

/* ---- times by size as lines in a picture ----------------------------------- */

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

static void add_plot_line(struct oclmm_text *text, const struct plot_line *line, const char *colour,
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
			add_plot_line(text, &panel->lines[i], colour_of(&panel->lines[i], i), &x,
			              &y);
	add_labels(text, panel, &y);
}

/*
 * Adds an SVG file: the panels side by side, two in a row. Panels without points say that nothing
 * was measured.
 */
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

/* oclmm idiom: whole kernels whose work-groups synchronise. */

/* What was asked for, and the device that was found. */
struct idiom_command {
	const struct command *command;
	struct idiom_request request;
	const char *device;
	const char *plot;
	const struct run *run; /* the device */
	double timeout;
	bool json;
	bool no_wait;
	double wait;
};

static OCLMM_LOOK_UP(const char *, end_word, idiom_end, IDIOM_ENDS, FIRST);

static const char *form_name(enum idiom_form form)
{
	return form == IDIOM_PUBLISHED ? "as published" : "repaired";
}

/* ---- what is printed of a run: text ---------------------------------------------- */

static void print_time(double seconds)
{
	if (seconds < 1e-6)
		printf("%.0f ns", seconds * 1e9);
	else if (seconds < 1e-3)
		printf("%.3g us", seconds * 1e6);
	else if (seconds < 1)
		printf("%.3g ms", seconds * 1e3);
	else
		printf("%.3g s", seconds);
}

static void print_shape(const struct idiom_result *result)
{
	if (!result->group_size)
		return;
	fputs("    ", stdout);
	if (result->sized)
		printf("%s, ", oclmm_counted(result->size, "element").text);
	if (result->steps)
		printf("%s, ", oclmm_counted(result->steps, "step").text);
	printf("%s of %" PRIu64, oclmm_counted(result->groups, "group").text, result->group_size);
	if (result->co_resident)
		printf(" (%" PRIu64 " run at the same time)", result->co_resident);
	putchar('\n');
}

static void print_rate(const struct idiom_result *result)
{
	double seconds = result->kernel;

	if (!(seconds > 0) || !result->bytes)
		return;
	if (result->barriers) {
		fputs("    ", stdout);
		print_time(seconds / (double)result->barriers);
		printf(" per barrier, %s", oclmm_counted(result->barriers, "barrier").text);
	} else {
		printf("    %.3g G elements/s, %.3g GB/s", (double)result->size / seconds * 1e-9,
		       (double)result->bytes / seconds * 1e-9);
		if (result->copy_rate > 0)
			printf(", %.3g %% of copying a buffer of this size (%.3g GB/s)",
			       100 * (double)result->bytes / seconds / result->copy_rate,
			       result->copy_rate * 1e-9);
	}
	putchar('\n');
}

static void print_times(const struct idiom_result *result)
{
	if (result->runs) {
		fputs("    kernels ", stdout);
		print_time(result->kernel);
		fputs(", until the answer is on the host ", stdout);
		print_time(result->wall);
		printf(" (median of %u)\n", result->runs);
	}
	print_rate(result);
	if (result->sequential > 0 && result->kernel > 0 && result->runs) {
		printf("    %.3g times as fast as one after another on the host (",
		       result->sequential / result->kernel);
		print_time(result->sequential);
		puts(")");
	}
	if (result->stress_runs)
		printf("    under stress: %u of %u right\n", result->stress_right,
		       result->stress_runs);
}

static void print_rows(const struct idiom_result *result)
{
	if (!result->row_count)
		return;
	printf("    %10s  %16s  %s\n", "group size", "groups at once", "work-items of a group");
	for (uint32_t i = 0; i < result->row_count; i++)
		printf("    %10" PRIu64 "  %16" PRIu64 "  %s\n", result->rows[i].group_size,
		       result->rows[i].groups,
		       result->rows[i].group_size == 1 ? "-"
		       : result->rows[i].together      ? "go on while others of it wait"
		                                       : "run one after another");
}

static void report_text(const struct idiom_request *request, const struct idiom_result *result)
{
	bool probe = result->row_count > 0;

	printf("%-12s %s, %s\n",
	       probe && result->end == IDIOM_RIGHT ? "probed" : end_word(result->end),
	       request->program->name, form_name(request->form));
	if (*result->message)
		printf("    %s\n", oclmm_shown(result->message).text);
	if (result->end == IDIOM_WRONG && request->form == IDIOM_PUBLISHED)
		printf("    the published form is undefined by the memory model: no fault of the "
		       "device\n");
	if (!probe)
		print_shape(result);
	print_rows(result);
	if (*result->note)
		printf("    %s\n", oclmm_shown(result->note).text);
	print_times(result);
}

/* ---- the same as JSON ---------------------------------------------------------- */

static void set_time(json_t *object, const char *name, double seconds)
{
	if (seconds > 0)
		json_put_real(object, name, seconds);
}

static void put_rates(json_t *object, const struct idiom_result *result)
{
	set_time(object, "kernel_seconds", result->kernel);
	set_time(object, "wall_seconds", result->wall);
	set_time(object, "sequential_seconds", result->sequential);
	set_time(object, "copy_bytes_per_second", result->copy_rate);
	if (!(result->kernel > 0))
		return;
	if (result->barriers)
		set_time(object, "barrier_seconds", result->kernel / (double)result->barriers);
	if (result->bytes) {
		set_time(object, "elements_per_second", (double)result->size / result->kernel);
		set_time(object, "bytes_per_second", (double)result->bytes / result->kernel);
	}
}

static json_t *rows_json(const struct idiom_result *result)
{
	json_t *rows = json_array();

	for (uint32_t i = 0; i < result->row_count; i++) {
		json_t *row = json_object();

		json_put_count(row, "group_size", result->rows[i].group_size);
		json_put_count(row, "groups", result->rows[i].groups);
		json_put_flag(row, "together", result->rows[i].together);
		json_array_append_new(rows, row);
	}
	return rows;
}

/* One line of JSON. */
static void report_json(const struct oclmm_device_info *device, const struct idiom_request *request,
                        const struct idiom_result *result)
{
	json_t *object = json_object();

	json_put_text(object, "program", request->program->name);
	json_put_text(object, "form", request->form == IDIOM_PUBLISHED ? "published" : "repaired");
	json_put_text(object, "end", end_word(result->end));
	json_put_text(object, "message", result->message);
	json_put_text(object, "note", result->note);
	json_put_text(object, "platform", device->platform);
	json_put_text(object, "device", device->name);
	json_put_text(object, "driver", device->driver);
	json_put_count(object, "size", result->size);
	json_put_count(object, "steps", result->steps);
	json_put_count(object, "group_size", result->group_size);
	json_put_count(object, "groups", result->groups);
	json_put_count(object, "co_resident", result->co_resident);
	json_put_count(object, "runs", result->runs);
	json_put_count(object, "stress_runs", result->stress_runs);
	json_put_count(object, "stress_right", result->stress_right);
	json_put_count(object, "barriers", result->barriers);
	json_put_count(object, "bytes", result->bytes);
	put_rates(object, result);
	if (result->row_count)
		json_object_set_new(object, "rows", rows_json(result));
	json_dumpf(object, stdout, JSON_COMPACT | JSON_REAL_PRECISION(9));
	putchar('\n');
	json_decref(object);
}

static int status_of(enum idiom_end end)
{
	switch (end) {
	case IDIOM_RIGHT: return OCLMM_EXIT_PASS;
	case IDIOM_WRONG: return OCLMM_EXIT_FORBIDDEN;
	case IDIOM_REFUSED: return OCLMM_EXIT_USAGE;
	case IDIOM_GAVE_UP:
	case IDIOM_TIMEOUT: return OCLMM_EXIT_INCONCLUSIVE;
	case IDIOM_UNSUPPORTED: return OCLMM_EXIT_NOTHING;
	default: return OCLMM_EXIT_INFRASTRUCTURE;
	}
}

/* Of two exit statuses: a wrong answer before anything else, then what kept a program from running.
 */
static int worse(int a, int b)
{
	static const int order[] = {
		OCLMM_EXIT_PASS,  OCLMM_EXIT_NOTHING,        OCLMM_EXIT_INCONCLUSIVE,
		OCLMM_EXIT_USAGE, OCLMM_EXIT_INFRASTRUCTURE, OCLMM_EXIT_FORBIDDEN,
	};
	size_t rank_a = 0, rank_b = 0;

	for (size_t i = 0; i < OCLMM_COUNT(order); i++) {
		rank_a = order[i] == a ? i : rank_a;
		rank_b = order[i] == b ? i : rank_b;
	}
	return rank_a > rank_b ? a : b;
}

/* Prints a result of idiom->request; returns the exit status for it. */
static int say(const struct idiom_command *idiom, const struct idiom_result *result)
{
	if (idiom->json)
		report_json(idiom->run->context.device, &idiom->request, result);
	else if (result->end != IDIOM_REFUSED)
		report_text(&idiom->request, result);
	fflush(stdout);
	return status_of(result->end);
}

/* ---- sizes for a picture --------------------------------------------------------------- */

static const uint64_t GROUP_SIZES[] = {1, 16, 64, 256, 1024};
static const uint64_t FIRST_SIZE = 1024;
static const uint32_t SIZE_STEP = 4;

/* Runs what the request says now. */
typedef void idiom_try_fn(void *data, struct idiom_result *ret_result);

static const struct idiom_actions *actions_of(const struct idiom_request *request)
{
	return request->form == IDIOM_PUBLISHED ? request->program->as_published
	                                        : request->program->repaired;
}

/* Whether there is anything to sweep: such a form, and elements. */
static bool has_sizes(const struct idiom_request *request)
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

/*
 * Tries request->program in sizes up to request->size (or its own) and, unless the request names
 * one, group sizes; `request` is changed from try to try, and is as before in the end. What is not
 * right leaves a gap, and what is refused ends a line. The panel is the caller's to finish.
 */
static void sweep(struct idiom_request *request, idiom_try_fn *try, void *data,
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

static void finish_panel(struct plot_panel *panel)
{
	for (size_t i = 0; i < panel->count; i++)
		free(panel->lines[i].points);
	free(panel->lines);
	*panel = (struct plot_panel){0};
}

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
	drawing->status = worse(drawing->status, say(idiom, ret_result));
}

static int draw_program(struct idiom_command *idiom, const char *name, struct plot_panel *panel)
{
	struct drawing drawing = {.idiom = idiom};

	idiom->request.program = idiom_find_program(name);
	sweep(&idiom->request, try_shape, &drawing, panel);
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
	idiom->request.program = idiom_find_program(name);
	return has_sizes(&idiom->request)
	               ? 0
	               : options_error(idiom->command, "--plot: %s has no sizes to draw", name);
}

/* The file is whole after each program, and a place that cannot be written is known at once. */
static int draw_programs(struct idiom_command *idiom, char **names, int count)
{
	struct plot_panel *panels;
	int status = OCLMM_EXIT_PASS, unwritten;

	for (int i = 0; i < count; i++)
		if (check_sizes(idiom, names[i]))
			return OCLMM_EXIT_USAGE;
	panels = oclmm_calloc((size_t)count, sizeof(*panels));
	unwritten = write_plot(idiom, panels, 0);
	for (int i = 0; !unwritten && i < count; i++) {
		status = worse(status, draw_program(idiom, names[i], &panels[i]));
		unwritten = write_plot(idiom, panels, i + 1);
	}
	for (int i = 0; i < count; i++)
		finish_panel(&panels[i]);
	free(panels);
	return unwritten ? unwritten : status;
}

/* ---- the command ------------------------------------------------------------ */

static const double TIMEOUT = 120, TIMEOUT_PUBLISHED = 10;
static const uint64_t MOST_RUNS = 1000000;

static int set_runs(const char *option, const char *value, void *ret_runs)
{
	uint64_t number = 0;

	if (option_count(option, value, &number))
		return OPTIONS_ERROR;
	if (number > MOST_RUNS)
		return option_refuse(option, value, "a number of runs up to 1000000");
	*(uint32_t *)ret_runs = (uint32_t)number;
	return 0;
}

/* No elements are a case like others. */
static int set_size(const char *option, const char *value, void *ret_size)
{
	if (strcmp(value, "0") != 0)
		return option_count(option, value, ret_size);
	*(uint64_t *)ret_size = 0;
	return 0;
}

static int set_form(enum idiom_form form, void *ret_form)
{
	*(enum idiom_form *)ret_form = form;
	return 0;
}

static int set_published(const char *option, const char *value, void *ret_form)
{
	(void)option;
	(void)value;
	return set_form(IDIOM_PUBLISHED, ret_form);
}

static int set_repaired(const char *option, const char *value, void *ret_form)
{
	(void)option;
	(void)value;
	return set_form(IDIOM_REPAIRED, ret_form);
}

static const struct option_spec options[] = {
	{"as-published", 0, NULL, "the form that was published; it may hang, and is ended then",
         SETS_BY(set_published, struct idiom_command, request.form)},
	RUN_DEVICE_OPTION(struct idiom_command, device),
	{"group-size", 0, "N", "work-items in a work-group",
         SETS_COUNT(struct idiom_command, request.group_size)},
	{"groups", 0, "N", "work-groups", SETS_COUNT(struct idiom_command, request.groups)},
	{"json", 'j', NULL, "print one JSON object per program",
         SETS_FLAG(struct idiom_command, json)},
	RUN_NO_WAIT_OPTION(struct idiom_command, no_wait),
	{"plot", 0, "FILE.svg",
         "run in sizes up to --size and several group sizes, and draw the times",
         SETS_TEXT(struct idiom_command, plot)},
	{"repaired", 0, NULL, "the form that the memory model defines (default)",
         SETS_BY(set_repaired, struct idiom_command, request.form)},
	{"repeat", 0, "N", "and N runs more, each under stress and in another shape",
         SETS_BY(set_runs, struct idiom_command, request.repeat)},
	{"runs", 0, "N", "runs that are timed (default 5); the median counts",
         SETS_BY(set_runs, struct idiom_command, request.runs)},
	{"seed", 0, "N", "of data and of stress (default 1)",
         SETS_NUMBER(struct idiom_command, request.seed)},
	{"size", 0, "N", "elements", SETS_BY(set_size, struct idiom_command, request.size)},
	{"steps", 0, "N", "of the neighbour sum, two barriers each",
         SETS_COUNT(struct idiom_command, request.steps)},
	{"timeout", 0, "SECONDS",
         "ended after so long without a sign of life (default 120, as published 10)",
         SETS_SECONDS(struct idiom_command, timeout)},
	RUN_WAIT_OPTION(struct idiom_command, wait),
	{0},
};

static int list_programs(void)
{
	for (size_t i = 0; idiom_programs[i]; i++)
		printf("%s\n    %s\n    as published: %s\n", idiom_programs[i]->name,
		       idiom_programs[i]->summary, idiom_programs[i]->published);
	return OCLMM_EXIT_PASS;
}

static int check_name(const struct command *command, const char *name)
{
	const char *names[IDIOM_PROGRAMS];
	struct oclmm_error error = {0};
	size_t count = 0;

	if (idiom_find_program(name))
		return 0;
	if (names_kernel(name, "program of oclmm idiom", &error))
		return report_error(&error);
	for (; idiom_programs[count]; count++)
		names[count] = idiom_programs[count]->name;
	return options_error(command, "no program \"%s\"%s", name,
	                     suggest(name, names, count, "oclmm idiom lists them").text);
}

static int run_program(struct idiom_command *idiom, const char *name)
{
	struct idiom_result result;

	idiom->request.program = idiom_find_program(name);
	idiom_run(idiom->run->context.identity, &idiom->request, idiom->timeout, &result);
	if (result.end == IDIOM_REFUSED || result.end == IDIOM_FAILED ||
	    result.end == IDIOM_UNSUPPORTED)
		options_error(idiom->command, "%s: %s", name, result.message);
	return say(idiom, &result);
}

static int run_each(struct idiom_command *idiom, char **names, int count)
{
	int status = OCLMM_EXIT_PASS;

	for (int i = 0; i < count; i++)
		status = worse(status, run_program(idiom, names[i]));
	return status;
}

static int run_programs(struct idiom_command *idiom, char **names, int count)
{
	struct run_session session = {0};
	struct run run = {
		.session = &session,
		.command = idiom->command,
		.lock = -1,
		.options = {.device = idiom->device,
	                    .no_wait = idiom->no_wait,
	                    .wait = idiom->wait},
		.worker = {.limit = TIMEOUT},
	};
	struct oclmm_error error = {0};
	char *folder = suite_folder(&error);
	int status;

	if (!folder)
		return report_error(&error);
	idiom->request.folder = folder;
	status = run_find_device(&run);
	if (status == 0)
		status = run_lock_device(&run, run.context.identity, &run.lock);
	idiom->run = &run;
	if (status == 0)
		status = idiom->plot ? draw_programs(idiom, names, count)
		                     : run_each(idiom, names, count);
	idiom->run = NULL;
	run_session_finish(&session);
	free(folder);
	return status;
}

static int start(const struct command *command, int argc, char **argv)
{
	struct idiom_command idiom = {
		.command = command,
		.request =
			{
				.size = IDIOM_DEFAULT,
				.steps = IDIOM_DEFAULT,
				.group_size = IDIOM_DEFAULT,
				.groups = IDIOM_DEFAULT,
				.runs = 5,
				.seed = 1,
			},
	};
	int first, status = options_parse(command, argc, argv, &idiom, &first);

	if (status)
		return status;
	for (int i = first; i < argc; i++) {
		if (check_name(command, argv[i]))
			return OCLMM_EXIT_USAGE;
	}
	if (first == argc)
		return list_programs();
	if (idiom.timeout == 0)
		idiom.timeout = idiom.request.form == IDIOM_PUBLISHED ? TIMEOUT_PUBLISHED : TIMEOUT;
	return run_programs(&idiom, argv + first, argc - first);
}

const struct command command_idiom = {
	.name = "idiom",
	.arguments = "[NAME…]",
	.summary = "run whole kernels that synchronise work-groups",
	.description = "Without NAME it lists them. Each computes an answer that is compared with "
		       "a sequential\n"
		       "one, in a process of its own with a time limit. Where groups wait for each "
		       "other,\n"
		       "it measures how many run at the same time, and refuses to start "
		       "more.\n\n"
		       "Exit status: 0 the answer is right; 1 it is wrong; 2 usage, or what the "
		       "device or the\n"
		       "program cannot do; 3 it did not end, or gave up waiting; 77 no device, or "
		       "none that\n"
		       "has OpenCL 2.0 atomics; 99 it could not be run, or a file\n"
		       "could not be written.",
	.options = options,
	.one_of = (const char *const[]){"as-published repaired", "no-wait wait", NULL},
	.run = start,
};
