// SPDX-License-Identifier: Apache-2.0
/*
 * An execution of a kernel as a picture: a column for each work-item, a row for each step in an
 * order in which they may be made, an arrow from a write to who reads it, and the two sides of a
 * race.
 */
#include <errno.h>
#include <stdlib.h>

#include "oclmm/kernel.h"

enum { ROW = 34, LEFT = 20, TOP = 64, BOX = 24, GAP = 44 };
/* Of a letter at 13 pixels, more than the widest sans-serif font of a browser takes on average. */
enum { LETTER = 8 };

/* A step and where it is drawn. */
struct drawn {
	const struct oclmm_kernel_step *step;
	unsigned column;
	bool races;
};

struct picture {
	const struct oclmm_kernel_answer *answer;
	const struct oclmm_kernel_execution *execution;
	struct drawn *rows;
	unsigned count;
	const struct oclmm_kernel_step **columns; /* one of each column's */
	unsigned column_count;
	unsigned width; /* of a column, without the gap behind it */
	int race[2];    /* rows, or -1 */
};

static unsigned column_of(struct picture *p, const struct oclmm_kernel_step *step)
{
	for (unsigned i = 0; i < p->column_count; i++)
		if (p->columns[i]->copies == step->copies &&
		    (step->copies ? p->columns[i]->group == step->group
		                  : p->columns[i]->work_item == step->work_item))
			return i;
	p->columns[p->column_count] = step;
	return p->column_count++;
}

static void add_row(struct picture *p, const struct oclmm_kernel_step *step)
{
	p->rows[p->count++] = (struct drawn){.step = step, .column = column_of(p, step)};
}

static bool is_side(const struct oclmm_kernel_step *step, const struct oclmm_kernel_step *side)
{
	return step->object && step->copies == side->copies && step->work_item == side->work_item &&
	       step->line.line == side->line.line &&
	       strcmp(step->line.file, side->line.file) == 0 &&
	       strcmp(step->object, side->object) == 0 &&
	       (strcmp(step->what, "read") == 0) == (strcmp(side->what, "read") == 0);
}

/* The execution of what is undefined, of a wait, or else the first that was asked for. */
static int make(struct picture *p, const struct oclmm_kernel_answer *answer)
{
	const struct oclmm_kernel_step *const *sides = answer->sides;
	unsigned most;

	*p = (struct picture){.answer = answer, .execution = &answer->execution, .race = {-1, -1}};
	for (unsigned i = 0; i < OCLMM_KERNEL_MAX_ASKS && !p->execution->count; i++)
		p->execution = &answer->asked[i];
	if (!p->execution->count)
		return -ENOENT;
	most = p->execution->count + answer->waiting_count + 2;
	p->rows = oclmm_calloc(most, sizeof(*p->rows));
	p->columns = oclmm_calloc(most, sizeof(*p->columns));
	for (unsigned i = 0; i < p->execution->count; i++)
		add_row(p, &p->execution->steps[i]);
	for (unsigned i = 0; sides[1] && i < p->count; i++)
		if (is_side(p->rows[i].step, sides[1]))
			p->race[1] = (int)i;
	if (sides[1] && p->race[1] < 0) {
		p->race[1] = (int)p->count;
		add_row(p, sides[1]);
	}
	if (sides[0]) { /* it is not made any more */
		p->race[0] = (int)p->count;
		add_row(p, sides[0]);
	}
	for (unsigned i = 0; i < 2; i++)
		if (p->race[i] >= 0)
			p->rows[p->race[i]].races = true;
	for (unsigned i = 0; i < answer->waiting_count; i++)
		add_row(p, &answer->waiting[i]);
	return 0;
}

static void finish(struct picture *p)
{
	free(p->rows);
	free(p->columns);
}

static void print_words(struct oclmm_text *text, const struct oclmm_kernel_step *step)
{
	if (step->line.included)
		oclmm_text_printf(text, "%s:", step->line.file);
	oclmm_text_printf(text, "%u: %s", step->line.line, step->what);
	if (step->object)
		oclmm_text_printf(text, " %s", step->object);
	if (step->read)
		oclmm_text_printf(text, " = %s", step->read);
	if (step->read && step->written)
		oclmm_text_printf(text, ", then %s", step->written);
	else if (step->written)
		oclmm_text_printf(text, " = %s", step->written);
	if (step->order)
		oclmm_text_printf(text, " (%s)", step->order + strlen("memory_order_"));
}

static void print_name(struct oclmm_text *text, const struct oclmm_kernel_step *step)
{
	if (step->copies)
		oclmm_text_printf(text, "copy of group %u", step->group);
	else
		oclmm_text_printf(text, "work-item %u of group %u", step->work_item, step->group);
}

/* What stands for itself neither in XML nor in a string of Graphviz. */
static void add_escaped(struct oclmm_text *text, const char *from, bool xml)
{
	for (; *from; from++)
		if (xml && *from == '&')
			oclmm_text_add(text, "&amp;");
		else if (xml && *from == '<')
			oclmm_text_add(text, "&lt;");
		else if (!xml && (*from == '"' || *from == '\\'))
			oclmm_text_printf(text, "\\%c", *from);
		else
			oclmm_text_add_bytes(text, from, 1);
}

static void add_label(struct oclmm_text *text, const struct oclmm_kernel_step *step, bool name,
                      bool xml)
{
	struct oclmm_text label = {0};

	if (name)
		print_name(&label, step);
	else
		print_words(&label, step);
	add_escaped(text, oclmm_text_string(&label), xml);
	oclmm_text_finish(&label);
}

/* As wide as the longest of what stands in a column. */
static void find_width(struct picture *p)
{
	size_t longest = 0;

	for (unsigned i = 0; i < p->count + p->column_count; i++) {
		struct oclmm_text label = {0};

		if (i < p->count)
			print_words(&label, p->rows[i].step);
		else
			print_name(&label, p->columns[i - p->count]);
		longest = label.length > longest ? label.length : longest;
		oclmm_text_finish(&label);
	}
	p->width = (unsigned)longest * LETTER + 12;
}

static const char *title_of(const struct oclmm_kernel_answer *answer)
{
	return answer->message ? answer->message
	       : answer->waits ? "a wait that nobody ends"
	                       : "an execution that ends as asked";
}

/* ---- SVG ---- */

static unsigned x_of(const struct picture *p, int row)
{
	return LEFT + p->rows[row].column * (p->width + GAP);
}

static unsigned y_of(int row)
{
	return TOP + (unsigned)row * ROW;
}

/* From a row to another: along the gap on the right of the columns, if both are in one. */
static void add_arrow(struct oclmm_text *text, const struct picture *p, int from, int to,
                      const char *class)
{
	unsigned x1 = x_of(p, from), x2 = x_of(p, to), width = p->width;
	unsigned y1 = y_of(from) + BOX / 2, y2 = y_of(to) + BOX / 2;

	if (x1 == x2)
		oclmm_text_printf(text, "<path class=\"%s\" d=\"M%u,%u C%u,%u %u,%u %u,%u\"/>\n",
		                  class, x1 + width, y1, x1 + width + 30, y1, x1 + width + 30, y2,
		                  x1 + width, y2);
	else
		oclmm_text_printf(text, "<path class=\"%s\" d=\"M%u,%u L%u,%u\"/>\n", class,
		                  x1 < x2 ? x1 + width : x1, y1, x1 < x2 ? x2 : x2 + width, y2);
}

static const char style[] =
	"<style>text{font:13px sans-serif;fill:#111}.name{font-weight:bold}"
	"rect{fill:#eef2f8;stroke:#5b6b82}.race{fill:#fde8e6;stroke:#b3261e}"
	"path{fill:none;stroke:#2f6f3e;stroke-width:1.5;marker-end:url(#tip)}"
	"path.both{stroke:#b3261e;stroke-dasharray:5 4;marker-end:none}"
	"@media(prefers-color-scheme:dark){text{fill:#eee}rect{fill:#26303d;stroke:#8fa3bd}"
	".race{fill:#4a2422;stroke:#ff8a80}path{stroke:#81c995}path.both{stroke:#ff8a80}}</style>\n"
	"<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" "
	"markerHeight=\"7\" orient=\"auto\"><path d=\"M0,0 L8,4 L0,8\"/></marker></defs>\n";

int oclmm_kernel_svg(struct oclmm_text *text, const struct oclmm_kernel_answer *answer)
{
	struct picture p;

	if (make(&p, answer) < 0)
		return -ENOENT;
	find_width(&p);
	oclmm_text_printf(text,
	                  "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" "
	                  "role=\"img\">\n<title>",
	                  2 * LEFT + p.column_count * (p.width + GAP), TOP + p.count * ROW + LEFT);
	add_escaped(text, answer->name, true);
	oclmm_text_add(text, ": ");
	add_escaped(text, title_of(answer), true);
	oclmm_text_printf(
		text,
		"</title>\n<desc>%u steps of %u columns from top to bottom, each with its "
		"line; arrows lead from a write to who reads it.</desc>\n%s",
		p.count, p.column_count, style);
	oclmm_text_printf(text, "<text x=\"%d\" y=\"20\">", LEFT);
	add_escaped(text, answer->name, true);
	oclmm_text_add(text, ": ");
	add_escaped(text, title_of(answer), true);
	oclmm_text_add(text, "</text>\n");
	for (unsigned i = 0; i < p.column_count; i++) {
		oclmm_text_printf(text, "<text class=\"name\" x=\"%u\" y=\"48\">",
		                  LEFT + i * (p.width + GAP));
		add_label(text, p.columns[i], true, true);
		oclmm_text_add(text, "</text>\n");
	}
	for (unsigned i = 0; i < p.count; i++) {
		oclmm_text_printf(
			text,
			"<rect%s x=\"%u\" y=\"%u\" width=\"%u\" height=\"%d\" rx=\"3\"/>\n"
			"<text x=\"%u\" y=\"%u\">",
			p.rows[i].races ? " class=\"race\"" : "", x_of(&p, (int)i), y_of((int)i),
			p.width, BOX, x_of(&p, (int)i) + 6, y_of((int)i) + 17);
		add_label(text, p.rows[i].step, false, true);
		oclmm_text_add(text, "</text>\n");
	}
	for (unsigned i = 0; i < p.execution->count; i++)
		if (p.execution->steps[i].from >= 0)
			add_arrow(text, &p, p.execution->steps[i].from, (int)i, "rf");
	if (p.race[0] >= 0 && p.race[1] >= 0)
		add_arrow(text, &p, p.race[1], p.race[0], "both");
	oclmm_text_add(text, "</svg>\n");
	finish(&p);
	return 0;
}

/* ---- Graphviz ---- */

int oclmm_kernel_dot(struct oclmm_text *text, const struct oclmm_kernel_answer *answer)
{
	struct picture p;

	if (make(&p, answer) < 0)
		return -ENOENT;
	oclmm_text_add(text, "digraph \"");
	add_escaped(text, answer->name, false);
	oclmm_text_add(text, "\" {\n\tlabel=\"");
	add_escaped(text, title_of(answer), false);
	oclmm_text_add(text, "\";\n\tnode [shape=box];\n");
	for (unsigned c = 0; c < p.column_count; c++) {
		int before = -1;

		oclmm_text_printf(text, "\tsubgraph cluster_%u {\n\t\tlabel=\"", c);
		add_label(text, p.columns[c], true, false);
		oclmm_text_add(text, "\";\n");
		for (unsigned i = 0; i < p.count; i++) {
			if (p.rows[i].column != c)
				continue;
			oclmm_text_printf(text, "\t\te%u [label=\"", i);
			add_label(text, p.rows[i].step, false, false);
			oclmm_text_printf(text, "\"%s];\n", p.rows[i].races ? ", color=red" : "");
			if (before >= 0)
				oclmm_text_printf(text, "\t\te%d -> e%u;\n", before, i);
			before = (int)i;
		}
		oclmm_text_add(text, "\t}\n");
	}
	for (unsigned i = 0; i < p.execution->count; i++)
		if (p.execution->steps[i].from >= 0)
			oclmm_text_printf(text,
			                  "\te%d -> e%u [label=\"rf\", color=darkgreen, "
			                  "constraint=false];\n",
			                  p.execution->steps[i].from, i);
	if (p.race[0] >= 0 && p.race[1] >= 0)
		oclmm_text_printf(text,
		                  "\te%d -> e%d [label=\"race\", color=red, dir=none, "
		                  "constraint=false];\n",
		                  p.race[1], p.race[0]);
	oclmm_text_add(text, "}\n");
	finish(&p);
	return 0;
}
