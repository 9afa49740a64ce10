// SPDX-License-Identifier: Apache-2.0
/* The head of the file: what it is, how it is run, which rule is broken, and a picture. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

enum { WIDTH = 96, COLUMN = 32 };

/* A line of the comment; what would end it is taken apart. */
static void add_line(struct oclmm_text *text, const char *line)
{
	oclmm_text_add(text, *line ? " * " : " *");
	for (const char *c = line; *c; c++) {
		oclmm_text_add_bytes(text, c, 1);
		if (*c == '*' && c[1] == '/')
			oclmm_text_add(text, " ");
	}
	oclmm_text_add(text, "\n");
}

static void OCLMM_PRINTF(2, 3) paragraph(struct oclmm_text *text, const char *format, ...)
{
	struct oclmm_text wrapped = {0};
	char *words, *save = NULL;
	va_list arguments;

	va_start(arguments, format);
	if (vasprintf(&words, format, arguments) < 0)
		oclmm_no_memory();
	va_end(arguments);
	oclmm_text_add_wrapped(&wrapped, words, WIDTH, 0, 0);
	free(words);
	words = oclmm_text_steal(&wrapped);
	for (char *line = strtok_r(words, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		add_line(text, line);
	free(words);
}

/* ---- the execution as a picture ------------------------------------------------------------- */

static void add_place(struct oclmm_text *text, const struct oclmm_program *program, uint32_t thread)
{
	const struct oclmm_thread *t = &program->threads[thread];

	oclmm_text_printf(text, "P%u @ ", t->id);
	if (t->placement.command.kind)
		oclmm_text_add(text, oclmm_command_word(t->placement.command.kind));
	else
		oclmm_placement_print(text, &t->placement);
}

/* The n-th event of a thread; false: it has no more. */
static bool find_event(const struct oclmm_execution *x, uint32_t thread, unsigned n,
                       unsigned *ret_event)
{
	for (unsigned i = x->init_count; i < x->count; i++) {
		if (x->event[i].thread == (int)thread && n-- == 0) {
			*ret_event = i;
			return true;
		}
	}
	return false;
}

static void pad(struct oclmm_text *line, size_t width)
{
	while (oclmm_text_columns(oclmm_text_string(line), line->length) < width)
		oclmm_text_add(line, " ");
}

/* The threads from `first` on that stand side by side, one event below the other. */
static void add_columns(struct oclmm_text *text, const struct oclmm_explanation *e, uint32_t first,
                        uint32_t count)
{
	bool any = true;

	for (unsigned row = 0; any; row++) {
		struct oclmm_text line = {0};

		any = false;
		for (uint32_t t = first; t < first + count; t++) {
			unsigned event;

			pad(&line, 2 + (size_t)(t - first) * COLUMN);
			if (row == 0)
				add_place(&line, e->program, t);
			else if (find_event(e->execution, t, row - 1, &event))
				oclmm_event_print(&line, e->program, e->execution, event);
			else
				continue;
			any = true;
		}
		while (line.length && line.data[line.length - 1] == ' ')
			line.data[--line.length] = '\0';
		if (any)
			add_line(text, oclmm_text_string(&line));
		oclmm_text_finish(&line);
	}
}

/* `a --sb--> b --sw--> c --fr--> a` */
static void add_cycle(struct oclmm_text *text, const struct oclmm_explanation *e)
{
	struct oclmm_text line = {0};

	for (unsigned i = 0; i < e->violation->step_count; i++) {
		const struct oclmm_step *s = &e->violation->steps[i];

		oclmm_text_printf(&line, "%s --%s--> ",
		                  oclmm_event_letter(e->execution, s->from).text,
		                  oclmm_edge_name(s->edge));
		if (i + 1 == e->violation->step_count)
			oclmm_text_add(&line, oclmm_event_letter(e->execution, s->to).text);
	}
	paragraph(text, "  %s", oclmm_text_string(&line));
	oclmm_text_finish(&line);
}

static void add_picture(struct oclmm_text *text, const struct oclmm_explanation *e)
{
	const uint32_t most = WIDTH / COLUMN;

	for (uint32_t first = 0; first < e->program->thread_count; first += most) {
		uint32_t left = e->program->thread_count - first;

		add_columns(text, e, first, left < most ? left : most);
	}
	if (e->violation && e->violation->step_count) {
		add_line(text, "");
		add_cycle(text, e);
	}
	add_line(text, "");
}

/* ---- what the specification says ------------------------------------------------------------ */

/* An empty line, unless lines are scarce. */
static void add_gap(struct oclmm_text *text, bool brief)
{
	if (!brief)
		add_line(text, "");
}

static void add_rule(struct oclmm_text *text, const struct export_job *job, bool brief)
{
	const struct oclmm_explanation *e = job->explanation;

	if (e && e->violation)
		paragraph(
			text, "Rule broken: %s (%s of the OpenCL %s specification). %c%s.%s",
			e->violation->rule, e->violation->section + 2,
			e->violation->section[0] == 'A' ? "3.0 API" : "C 3.0",
			toupper((unsigned char)e->violation->why[0]), e->violation->why + 1,
			brief ? ""
			      : " In the execution below each event comes before the next, and the "
				"last before the first:");
	else if (e && e->witness)
		paragraph(text, "The program is undefined: %s.",
		          e->witness->why[0] ? e->witness->why
		                             : oclmm_undefined_word(e->witness->reason));
	else if (e && e->why)
		paragraph(text, "No execution ends so: %s.", e->why);
	else
		return;
	add_gap(text, brief);
}

static const char *verdict_words(const struct oclmm_answer *answer)
{
	switch (oclmm_answer_observation(answer, OCLMM_MODEL_CONSENSUS)) {
	case OCLMM_OBSERVATION_NEVER: return "never: the specification forbids it";
	case OCLMM_OBSERVATION_ALWAYS: return "always: the specification forbids all else";
	case OCLMM_OBSERVATION_SOMETIMES: return "sometimes: the specification allows it";
	case OCLMM_OBSERVATION_DISPUTED: return "disputed: readings of the specification differ";
	default: return "undefined: the specification does not say";
	}
}

void export_comment(const struct export_job *job, bool brief, struct oclmm_text *text)
{
	struct oclmm_text final = {0}, quoted = {0};
	char now[32];

	oclmm_print_now(now, sizeof(now));
	now[10] = '\0';
	oclmm_final_print(&final, job->program);
	oclmm_text_add_quoted(&quoted, job->name);
	oclmm_text_add(text, "/*\n");
	paragraph(text, "%s%s%s", job->program->name, job->question ? ": " : "",
	          job->question ? job->question : "");
	add_gap(text, brief);
	paragraph(text, "A test of the OpenCL memory model, written by oclmm %s on %s.",
	          OCLMM_VERSION, now);
	add_gap(text, brief);
	paragraph(text, "    cc -std=c11 %s.c -lOpenCL -o test && ./test [DEVICE [LAUNCHES]]",
	          oclmm_text_string(&quoted));
	add_gap(text, brief);
	paragraph(
		text,
		"DEVICE (or OPENCL_DEVICE) is a part of its name. Exit status: 1 an outcome marked "
		"* was seen, 0 none was, 2 something failed, 77 there is no such device.");
	add_gap(text, brief);
	paragraph(text, "%s: %s.%s%s", oclmm_text_string(&final), verdict_words(job->answer),
	          job->seen ? " " : "", job->seen ? job->seen : "");
	add_gap(text, brief);
	add_rule(text, job, brief);
	if (!brief && job->explanation && job->explanation->execution)
		add_picture(text, job->explanation);
	if (!brief)
		text->length -= strlen(" *\n");
	oclmm_text_add(text, " */\n");
	oclmm_text_finish(&final);
	oclmm_text_finish(&quoted);
}
