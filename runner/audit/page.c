// SPDX-License-Identifier: Apache-2.0
/*
 * An audit as a page that needs no server: what was judged, each test that is not right with its
 * executions, as text and as a picture, and all verdicts.
 */
#include <stdio.h>
#include <stdlib.h>

#include "audit.h"
#include "oclmm/base.h"

/* ---- a picture of an execution ---------------------------------------------- */

/* In pixels: a column for each thread, and under each other its events. */
enum {
	COLUMN = 380,
	BOX = 290,
	HEIGHT = 40,
	ROW = 64,
	MARGIN = 16,
	HEAD = 24,
	TEXT_FITS = 40,
};

struct place {
	int x, y; /* of the upper left corner; x < 0: it is not drawn */
};

struct picture {
	struct oclmm_text *text;
	const struct oclmm_program *program;
	const struct oclmm_machine_execution *execution;
	struct place places[OCLMM_MACHINE_EVENTS];
	int width, height;
};

/* The objects' initial values stand above the threads, which begin below them. */
static void lay_out(struct picture *p)
{
	const struct oclmm_machine_execution *x = p->execution;
	unsigned initial = 0, rows[OCLMM_MAX_THREADS] = {0}, most = 0;

	for (unsigned i = 0; i < x->count; i++) {
		int thread = x->event[i].thread;

		if (thread >= 0) {
			p->places[i] = (struct place){MARGIN + thread * COLUMN,
			                              (int)rows[thread]++};
			most = rows[thread] > most ? rows[thread] : most;
		} else {
			p->places[i] = (struct place){MARGIN + (int)initial++ * COLUMN, -1};
		}
	}
	for (unsigned i = 0; i < x->count; i++) {
		int row = p->places[i].y;

		p->places[i].y = row < 0 ? MARGIN : MARGIN + (initial ? ROW : 0) + HEAD + row * ROW;
	}
	if (initial < p->program->thread_count)
		initial = p->program->thread_count;
	p->width = (int)initial * COLUMN;
	p->height = 2 * MARGIN + ROW + HEAD + (int)most * ROW;
}

static void add_word(struct picture *p, int x, int y, const char *class, const char *word)
{
	struct oclmm_text fitted = {0};

	oclmm_text_add_shown(&fitted, word);
	if (fitted.length > TEXT_FITS)
		snprintf(fitted.data + TEXT_FITS - 2, 3, "..");
	oclmm_text_printf(p->text, "<text x=\"%d\" y=\"%d\" class=\"%s\">", x, y, class);
	oclmm_text_add_xml(p->text, oclmm_text_string(&fitted));
	oclmm_text_add(p->text, "</text>\n");
	oclmm_text_finish(&fitted);
}

static void add_boxes(struct picture *p)
{
	const struct oclmm_machine_execution *x = p->execution;

	for (unsigned i = 0; i < x->count; i++) {
		const struct oclmm_machine_event *e = &x->event[i];
		const struct place *at = &p->places[i];
		struct oclmm_text event = {0};

		audit_event(&event, p->program, e);
		oclmm_text_printf(p->text,
		                  "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"4\"/>\n",
		                  at->x, at->y, BOX, HEIGHT);
		add_word(p, at->x + 8, at->y + 16, "code", e->thread < 0 ? "initially" : e->text);
		add_word(p, at->x + 8, at->y + 33, "event", oclmm_text_string(&event));
		oclmm_text_finish(&event);
	}
}

static void add_heads(struct picture *p)
{
	for (uint32_t t = 0; t < p->program->thread_count; t++) {
		for (unsigned i = 0; i < p->execution->count; i++) {
			char name[16];

			if (p->execution->event[i].thread != (int)t)
				continue;
			snprintf(name, sizeof(name), "P%u", p->program->threads[t].id);
			add_word(p, p->places[i].x, p->places[i].y - 8, "head", name);
			break;
		}
	}
}

/* Bent by how far it goes, so that one beside another is another. */
static void add_arrow(struct picture *p, unsigned from, unsigned to, const char *name)
{
	const struct place *a = &p->places[from], *b = &p->places[to];
	int side = a->x < b->x ? 1 : -1, same = a->x == b->x;
	int x1 = a->x + (same || side > 0 ? BOX : 0), x2 = b->x + (!same && side > 0 ? 0 : BOX);
	int y1 = a->y + HEIGHT / 2, y2 = b->y + HEIGHT / 2;
	int bend = same ? 36 : side * 40;
	int c1 = x1 + bend, c2 = x2 + (same ? bend : -bend);

	oclmm_text_printf(p->text,
	                  "<path class=\"%s\" d=\"M%d %d C%d %d %d %d %d %d\"/>\n"
	                  "<ellipse class=\"%s\" cx=\"%d\" cy=\"%d\" rx=\"3\" ry=\"3\"/>\n",
	                  name, x1, y1, c1, y1, c2, y2, x2, y2, name, x2, y2);
	/* its name stands at a third of it, where it is still alone */
	oclmm_text_printf(p->text, "<text x=\"%d\" y=\"%d\" class=\"%s\">%s</text>\n",
	                  (8 * x1 + 12 * c1 + 6 * c2 + x2) / 27 + (same ? 4 : -6),
	                  (20 * y1 + 7 * y2) / 27 - 5, name, name);
}

/* Whether `later` comes right behind a write in its object's order. */
static bool is_next(const struct oclmm_machine_execution *x, unsigned write, unsigned later)
{
	return x->co[write] >> later & 1 &&
	       __builtin_popcountll(x->co[later]) + 1 == __builtin_popcountll(x->co[write]);
}

static void add_arrows(struct picture *p)
{
	const struct oclmm_machine_execution *x = p->execution;

	for (unsigned i = 0; i < x->count; i++) {
		const struct oclmm_machine_event *e = &x->event[i];

		if (e->kind == OCLMM_MACHINE_READ)
			add_arrow(p, e->source, i, "rf");
		for (unsigned k = 0; k < x->count; k++) {
			/* what is clear already says nothing */
			if (e->kind == OCLMM_MACHINE_READ && is_next(x, e->source, k) &&
			    x->event[k].thread != e->thread)
				add_arrow(p, i, k, "fr");
			if (e->kind == OCLMM_MACHINE_WRITE && e->thread >= 0 && is_next(x, i, k))
				add_arrow(p, i, k, "co");
		}
	}
}

static void add_gaps(struct picture *p)
{
	for (unsigned i = 0; i < p->execution->gap_count; i++) {
		const struct place *at = &p->places[p->execution->gap[i].behind];

		oclmm_text_printf(p->text, "<path class=\"gap\" d=\"M%d %d h%d\"/>\n", at->x,
		                  at->y - 12, BOX);
		add_word(p, at->x + 80, at->y - 15, "gap", "an order is missing");
	}
}

static void add_picture(struct oclmm_text *text, const struct oclmm_program *program,
                        const struct oclmm_machine_execution *execution)
{
	struct picture p = {.text = text, .program = program, .execution = execution};

	lay_out(&p);
	oclmm_text_printf(text,
	                  "<svg viewBox=\"0 0 %d %d\" width=\"%d\" role=\"img\" "
	                  "xmlns=\"http://www.w3.org/2000/svg\">\n<title>An execution of ",
	                  p.width, p.height, p.width);
	oclmm_text_add_xml(text, program->name);
	oclmm_text_add(text, "</title>\n");
	add_boxes(&p);
	add_heads(&p);
	add_arrows(&p);
	add_gaps(&p);
	oclmm_text_add(text, "</svg>\n");
}

/* ---- the page ----------------------------------------------------------------- */

static const char style[] =
	"body { font: 15px/1.4 sans-serif; margin: 2em auto; max-width: 75em; padding: 0 1em; "
	"color: #222; background: #fff }\n"
	"pre { overflow-x: auto; background: #f3f3f3; padding: .7em }\n"
	"table { border-collapse: collapse } td, th { padding: .15em .8em; text-align: left; "
	"border-bottom: 1px solid #ccc }\n"
	".wrong, .not-built { color: #b00020; font-weight: bold }\n"
	"svg { max-width: 100%; height: auto } svg rect { fill: none; stroke: #888 }\n"
	"svg text { font: 12px monospace; fill: #222 } svg .head { font-weight: bold }\n"
	"svg path { fill: none; stroke-width: 1.5 }\n"
	"svg path.rf, svg ellipse.rf { stroke: #1a7f37 } svg text.rf { fill: #1a7f37 }\n"
	"svg path.fr, svg ellipse.fr { stroke: #b35900 } svg text.fr { fill: #b35900 }\n"
	"svg path.co, svg ellipse.co { stroke: #3b5bdb } svg text.co { fill: #3b5bdb }\n"
	"svg path.gap { stroke: #b00020; stroke-dasharray: 6 4 } svg text.gap { fill: #b00020 }\n"
	"@media (prefers-color-scheme: dark) { body { color: #ddd; background: #16181c } pre { "
	"background: #22252b } svg text, svg .head { fill: #ddd } }\n";

static void add_element(struct oclmm_text *text, const char *name, const char *content)
{
	oclmm_text_printf(text, "<%s>", name);
	oclmm_text_add_xml(text, content);
	oclmm_text_printf(text, "</%s>\n", name);
}

static void add_case(struct oclmm_text *text, const struct audit_case *c)
{
	struct oclmm_text line = {0}, details = {0};

	oclmm_text_add(text, "<section>\n<h2>");
	oclmm_text_add_xml(text, c->program->name);
	oclmm_text_printf(text, " <span class=\"%s\">%s</span></h2>\n",
	                  audit_verdict_word(c->verdict), audit_verdict_word(c->verdict));
	audit_reason(&line, c);
	add_element(text, "p", oclmm_text_string(&line));
	audit_details(&details, c);
	if (details.length)
		add_element(text, "pre", oclmm_text_string(&details));
	for (size_t i = 0; c->answer && i < c->answer->count; i++)
		add_picture(text, c->program, &c->answer->executions[i]);
	oclmm_text_add(text, "</section>\n");
	oclmm_text_finish(&line);
	oclmm_text_finish(&details);
}

static void add_row(struct oclmm_text *text, const struct audit_case *c)
{
	struct oclmm_text reason = {0};

	audit_reason(&reason, c);
	oclmm_text_add(text, "<tr><td>");
	oclmm_text_add_xml(text, c->program->name);
	oclmm_text_printf(text, "</td><td class=\"%s\">%s</td><td>", audit_verdict_word(c->verdict),
	                  audit_verdict_word(c->verdict));
	oclmm_text_add_xml(text, oclmm_text_string(&reason));
	oclmm_text_add(text, "</td></tr>\n");
	oclmm_text_finish(&reason);
}

void audit_page(const struct audit *audit, int status, struct oclmm_text *text)
{
	struct oclmm_text words = {0}, sentence = {0};

	oclmm_text_printf(&words, "%s for %s, judged by %s", audit_compiler_words(audit->compiler),
	                  audit_compiler_target(audit->compiler),
	                  audit->cat_path ? audit->cat_path
	                                  : oclmm_machine_model_name(
						    audit_compiler_machine(audit->compiler)));
	oclmm_text_add(text,
	               "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	               "<meta name=\"viewport\" content=\"width=device-width\">\n");
	add_element(text, "title", oclmm_text_string(&words));
	oclmm_text_printf(text, "<style>\n%s</style>\n</head>\n<body>\n", style);
	add_element(text, "h1", oclmm_text_string(&words));
	audit_sentence(&sentence, audit, status);
	add_element(text, "p", oclmm_text_string(&sentence));
	add_element(text, "p", audit_compiler_manner(audit->compiler));
	for (size_t i = 0; i < audit->count; i++) {
		if (audit->cases[i].judged && audit_is_notable(audit->cases[i].verdict))
			add_case(text, &audit->cases[i]);
	}
	oclmm_text_add(text, "<details>\n<summary>All tests</summary>\n<table>\n"
	                     "<tr><th>test</th><th>verdict</th><th>why</th></tr>\n");
	for (size_t i = 0; i < audit->count; i++) {
		if (audit->cases[i].judged)
			add_row(text, &audit->cases[i]);
	}
	oclmm_text_add(text, "</table>\n</details>\n</body>\n</html>\n");
	oclmm_text_finish(&words);
	oclmm_text_finish(&sentence);
}
