// SPDX-License-Identifier: Apache-2.0
/* A whole file, in as many lines as it may have. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "oclmm/control.h"
#include "process/process.h"

/* The head of the file: what it is, how it is run, which rule is broken, and a picture. */

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

const char export_usage[] =
	"DEVICE (or OPENCL_DEVICE) is a part of its name. Exit status: 1 an outcome marked * was "
	"seen, 0 none was, 2 something failed, 77 there is no such device, or it lacks what is "
	"needed.";

void export_paragraph(struct oclmm_text *text, const char *format, ...)
{
	struct oclmm_text wrapped = {0};
	char *words, *save = NULL;
	va_list arguments;

	va_start(arguments, format);
	words = export_words(format, arguments);
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
	export_paragraph(text, "  %s", oclmm_text_string(&line));
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

/* Of work-items that share a text. */
static void add_only(struct oclmm_text *text, const struct oclmm_explanation *e)
{
	struct oclmm_text state = {0};

	oclmm_outcome_print(&state, e->program, e->only);
	export_paragraph(
		text,
		"No two accesses conflict without a barrier between them. So each order of the "
		"work-items ends with %s and nothing else.",
		oclmm_text_string(&state));
	oclmm_text_finish(&state);
}

static void add_rule(struct oclmm_text *text, const struct export_job *job, bool brief)
{
	const struct oclmm_explanation *e = job->explanation;

	if (e && e->violation)
		export_paragraph(
			text, "Rule broken: %s (%s of the OpenCL %s specification). %c%s.%s",
			e->violation->rule, e->violation->section + 2,
			e->violation->section[0] == 'A' ? "3.0 API" : "C 3.0",
			toupper((unsigned char)e->violation->why[0]), e->violation->why + 1,
			brief ? ""
			      : " In the execution below each event comes before the next, and the "
				"last before the first:");
	else if (e && e->witness && e->witness->reason == OCLMM_UNDEFINED_RACE && e->witness->has_b)
		export_paragraph(text,
		                 "The program is undefined: P%u in line %u (%s) and P%u in line %u "
		                 "(%s): %s.",
		                 e->program->threads[e->witness->a.thread].id,
		                 e->witness->a.position.line, e->witness->a.text,
		                 e->program->threads[e->witness->b.thread].id,
		                 e->witness->b.position.line, e->witness->b.text, e->witness->why);
	else if (e && e->witness)
		export_paragraph(text, "The program is undefined: %s.",
		                 e->witness->why[0] ? e->witness->why
		                                    : oclmm_undefined_word(e->witness->reason));
	else if (e && e->only)
		add_only(text, e);
	else if (e && e->why)
		export_paragraph(text, "No execution ends so: %s.", e->why);
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

/* The comment at the head of the file. `brief`: without the picture, where lines are scarce. */
static void export_comment(const struct export_job *job, bool brief, struct oclmm_text *text)
{
	struct oclmm_text final = {0}, quoted = {0};
	char now[32];

	oclmm_print_now(now, sizeof(now));
	now[10] = '\0';
	oclmm_final_print(&final, job->program);
	oclmm_text_add_quoted(&quoted, job->name);
	oclmm_text_add(text, "/*\n");
	export_paragraph(text, "%s%s%s", job->program->name, job->question ? ": " : "",
	                 job->question ? job->question : "");
	add_gap(text, brief);
	export_paragraph(text, "A test of the OpenCL memory model, written by oclmm %s on %s.",
	                 OCLMM_VERSION, now);
	add_gap(text, brief);
	export_paragraph(text,
	                 "    cc -std=c11 %s.c -lOpenCL -o test && ./test [DEVICE [LAUNCHES]]",
	                 oclmm_text_string(&quoted));
	add_gap(text, brief);
	export_paragraph(text, "%s", export_usage);
	add_gap(text, brief);
	export_paragraph(text, "%s: %s.%s%s", oclmm_text_string(&final), verdict_words(job->answer),
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

static uint32_t count_lines(const struct oclmm_text *text)
{
	uint32_t lines = 0;

	for (size_t i = 0; i < text->length; i++)
		lines += text->data[i] == '\n';
	return lines;
}

/* Where lines are scarce: without traffic beside the test, then without the picture, then without
 * a rendezvous, then without empty lines, then with several statements in a line. */
enum { CUTS = 7 };
static const size_t packed_columns[CUTS] = {0, 0, 0, 0, 0, 110, 150};

/* A thread of the host, or another kernel, comes too late for what does not wait for it. */
static bool needs_meeting(const struct oclmm_program *program)
{
	for (uint32_t i = 0; i < program->thread_count; i++)
		if (program->threads[i].placement.host)
			return true;
	return oclmm_program_has_queues(program);
}

static struct export_setting cut(const struct export_job *job, const struct export_setting *setting,
                                 int cuts)
{
	struct export_setting less = *setting;

	for (uint32_t i = 0; i < less.count; i++) {
		struct export_environment *e = &less.environments[i];

		if (cuts >= 1)
			e->busy = e->stress = 0;
		if (cuts >= 3 && !needs_meeting(job->program))
			e->polls = 0;
	}
	return less;
}

static int write_body(const struct export_job *job, const struct export_setting *setting,
                      struct oclmm_error *error, struct oclmm_text *kernels,
                      struct oclmm_text *planted, struct oclmm_text *body)
{
	struct oclmm_arena *arena = oclmm_arena_create();
	const struct oclmm_program *launched = oclmm_program_for_device(
		arena, job->program, OCLMM_MODEL_CONSENSUS); /* it may be run by any device */
	int r;

	*kernels = *planted = *body = (struct oclmm_text){0};
	if (launched->shared)
		r = export_whole(job, launched, setting, error, kernels, planted, body);
	else
		r = oclmm_program_has_commands(job->program)
		            ? export_commands(job, setting, error, kernels, planted, body)
		            : export_roles(job, setting, error, kernels, planted, body);
	oclmm_arena_destroy(arena);
	return r;
}

/* ---- fewer lines ---------------------------------------------------------------------------- */

/* A line of C, or of the kernels' text, which stands in strings. */
struct line {
	const char *start;
	size_t length; /* without its end */
	size_t depth;  /* tabs */
	bool quoted;
	bool whole; /* a statement that a line holds, which others may stand beside */
};

static bool begins(const char *text, size_t length, const char *with)
{
	return length >= strlen(with) && memcmp(text, with, strlen(with)) == 0;
}

static bool ends(const struct line *line, const char *with)
{
	return line->length >= strlen(with) &&
	       memcmp(line->start + line->length - strlen(with), with, strlen(with)) == 0;
}

static struct line line_at(const char *at)
{
	struct line line = {.start = at, .length = strcspn(at, "\n")};
	const char *tab = "\t", *c = at;
	size_t left = line.length;

	line.quoted = begins(at, line.length, "\t\"");
	if (line.quoted) {
		tab = "\\t";
		c += 2;
		left -= 2;
	}
	for (; begins(c, left, tab); c += strlen(tab), left -= strlen(tab))
		line.depth++;
	line.whole = line.depth > 0 && left > 0 && !begins(c, left, "for ") &&
	             !begins(c, left, "while ") && !begins(c, left, "if ") &&
	             !begins(c, left, "}") && !memchr(c, '{', left) &&
	             ends(&line, line.quoted ? ";\\n\"" : ";");
	return line;
}

/* What stands below a head without braces is its own. */
static bool is_body(const struct line *before, const struct line *line)
{
	return line->depth > before->depth && !ends(before, before->quoted ? "{\\n\"" : "{");
}

static void add_packed(const char *body, size_t columns, struct oclmm_text *text)
{
	struct line before = {0};
	bool open = false; /* `before` may get a neighbour */
	size_t column = 0;

	while (*body) {
		struct line line = line_at(body);
		size_t skipped = line.quoted ? 1 : line.depth, own = line.length - skipped;

		if (open && line.whole && line.quoted == before.quoted &&
		    line.depth == before.depth && column + 1 + own <= columns) {
			text->data[text->length - 1] = ' ';
			oclmm_text_add_bytes(text, line.start + skipped, own);
			column += 1 + own;
		} else {
			oclmm_text_add_bytes(text, line.start, line.length);
			column = line.length + 7 * skipped;
			open = line.whole && !is_body(&before, &line);
		}
		oclmm_text_add(text, "\n");
		before = line;
		body += line.length + (body[line.length] == '\n');
	}
}

/* Lines, or those that are not empty. */
static void add_body(const char *body, bool dense, struct oclmm_text *text)
{
	for (; *body; body++)
		if (!dense || *body != '\n' || text->data[text->length - 1] != '\n')
			oclmm_text_add_bytes(text, body, 1);
}

static void add_fewer(const char *body, int cuts, struct oclmm_text *text)
{
	struct oclmm_text dense = {0};

	if (!packed_columns[cuts]) {
		add_body(body, cuts >= 4, text);
		return;
	}
	oclmm_text_add(&dense, "\n"); /* none before the first line either */
	add_body(body, true, &dense);
	add_packed(oclmm_text_string(&dense) + 1, packed_columns[cuts], text);
	oclmm_text_finish(&dense);
}

/* ---- the file ------------------------------------------------------------------------------- */

int export_write(const struct export_job *job, const struct export_setting *setting,
                 struct oclmm_error *error, struct oclmm_text *ret_file,
                 struct oclmm_text *ret_kernels, struct oclmm_text *ret_planted)
{
	for (int cuts = 0;; cuts++) {
		struct export_setting less = cut(job, setting, cuts);
		struct oclmm_text body, kernels, planted, file = {0};
		int r;

		r = write_body(job, &less, error, &kernels, &planted, &body);
		if (r == 0) {
			export_comment(job, cuts >= 2, &file);
			add_fewer(oclmm_text_string(&body), cuts, &file);
		}
		oclmm_text_finish(&body);
		/* one that stays longer is better than none */
		if (r == 0 && (cuts == CUTS - 1 || count_lines(&file) <= EXPORT_LINES)) {
			*ret_file = file;
			*ret_kernels = kernels;
			*ret_planted = planted;
			return 0;
		}
		oclmm_text_finish(&file);
		oclmm_text_finish(&kernels);
		oclmm_text_finish(&planted);
		if (r < 0)
			return r;
	}
}

int export_plainly(const struct oclmm_program *program, const struct export_failure *failure,
                   struct oclmm_error *error, struct oclmm_text *ret_file,
                   struct oclmm_text *ret_planted)
{
	const struct oclmm_check_options check = {.time_limit = 5, .ended = process_ended};
	const struct oclmm_explain_options explain = {.no_changes = true,
	                                              .time_limit = 2,
	                                              .ended = process_ended};
	struct oclmm_explanation *explanation = NULL;
	struct oclmm_text kernels;
	struct export_setting setting;
	struct oclmm_answer *answer;
	int r = oclmm_check(program, &check, error, &answer);

	if (r < 0)
		return r;
	if (oclmm_explain(program, &explain, error, &explanation) < 0)
		explanation = NULL;
	export_setting_default(program, failure->environments, failure->count, &setting);
	r = export_write(&(struct export_job){.program = program,
	                                      .answer = answer,
	                                      .explanation = explanation,
	                                      .device = failure->device,
	                                      .name = failure->name,
	                                      .seen = failure->seen,
	                                      .question = failure->question},
	                 &setting, error, ret_file, &kernels, ret_planted);
	if (r == 0)
		oclmm_text_finish(&kernels);
	oclmm_explanation_destroy(explanation);
	oclmm_answer_destroy(answer);
	return r;
}

char *export_refusal(const struct oclmm_program *program)
{
	const struct oclmm_check_options check = {.time_limit = 1, .ended = process_ended};
	const struct oclmm_explain_options explain = {.no_changes = true,
	                                              .time_limit = 1,
	                                              .ended = process_ended};
	struct export_job job = {.program = program, .name = program->name};
	struct oclmm_explanation *explanation = NULL;
	struct oclmm_text file, kernels, planted;
	struct export_setting setting;
	struct oclmm_error error = {0};
	struct oclmm_answer *answer;
	char *refusal = NULL;
	int r;

	if (oclmm_check(program, &check, &error, &answer) < 0)
		return NULL;
	if (oclmm_explain(program, &explain, &error, &explanation) < 0)
		explanation = NULL;
	job.answer = answer;
	job.explanation = explanation;
	export_setting_default(program, NULL, 0, &setting);
	r = export_write(&job, &setting, &error, &file, &kernels, &planted);
	if (r == 0) {
		oclmm_text_finish(&file);
		oclmm_text_finish(&kernels);
		oclmm_text_finish(&planted);
	} else if (r == -ENOTSUP) {
		refusal = oclmm_strdup(error.message);
	}
	oclmm_explanation_destroy(explanation);
	oclmm_answer_destroy(answer);
	return refusal;
}
