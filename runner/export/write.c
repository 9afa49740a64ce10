// SPDX-License-Identifier: Apache-2.0
/* A whole file, in as many lines as it may have. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "internal.h"

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
	*kernels = *planted = *body = (struct oclmm_text){0};
	if (job->program->shared)
		return export_whole(job, setting, error, kernels, planted, body);
	return oclmm_program_has_commands(job->program)
	               ? export_commands(job, setting, error, kernels, planted, body)
	               : export_roles(job, setting, error, kernels, planted, body);
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
	uint32_t lines = 0;

	for (int cuts = 0; cuts < CUTS; cuts++) {
		struct export_setting less = cut(job, setting, cuts);
		struct oclmm_text body, kernels, planted, file = {0};
		int r;

		r = write_body(job, &less, error, &kernels, &planted, &body);
		if (r == 0) {
			export_comment(job, cuts >= 2, &file);
			add_fewer(oclmm_text_string(&body), cuts, &file);
			lines = count_lines(&file);
		}
		oclmm_text_finish(&body);
		if (r == 0 && lines <= EXPORT_LINES_MOST) {
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
	return oclmm_error_set(error, -ENOTSUP, "%s: it would take %u lines, and %d is the most",
	                       job->program->name, lines, EXPORT_LINES_MOST);
}

int export_plainly(const struct oclmm_program *program, const struct export_failure *failure,
                   struct oclmm_error *error, struct oclmm_text *ret_file,
                   struct oclmm_text *ret_planted)
{
	const struct oclmm_check_options check = {.time_limit = 5};
	const struct oclmm_explain_options explain = {.no_changes = true, .time_limit = 2};
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
	                                      .name = program->name,
	                                      .seen = failure->seen},
	                 &setting, error, ret_file, &kernels, ret_planted);
	if (r == 0)
		oclmm_text_finish(&kernels);
	oclmm_explanation_destroy(explanation);
	oclmm_answer_destroy(answer);
	return r;
}
