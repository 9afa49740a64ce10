// SPDX-License-Identifier: Apache-2.0
/* A whole file, in as many lines as it may have. */
#include <errno.h>
#include <stdio.h>

#include "internal.h"

static uint32_t count_lines(const struct oclmm_text *text)
{
	uint32_t lines = 0;

	for (size_t i = 0; i < text->length; i++)
		lines += text->data[i] == '\n';
	return lines;
}

/* Where lines are scarce: without traffic beside the test, then without the picture, then without
 * a rendezvous, then without empty lines. */
enum { CUTS = 5 };

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

	less.count = 0;
	for (uint32_t i = 0; i < setting->count; i++) {
		const struct export_environment *e = &setting->environments[i];

		if ((cuts >= 1 && e->busy > 0) ||
		    (cuts >= 3 && e->polls > 0 && !needs_meeting(job->program)))
			continue;
		less.environments[less.count++] = *e;
	}
	return less;
}

static int write_body(const struct export_job *job, const struct export_setting *setting,
                      struct oclmm_error *error, struct oclmm_text *kernels,
                      struct oclmm_text *planted, struct oclmm_text *body)
{
	*kernels = *planted = *body = (struct oclmm_text){0};
	return oclmm_program_has_commands(job->program)
	               ? export_commands(job, setting, error, kernels, planted, body)
	               : export_roles(job, setting, error, kernels, planted, body);
}

/* Lines, or those that are not empty. */
static void add_body(const char *body, bool dense, struct oclmm_text *text)
{
	for (; *body; body++)
		if (!dense || *body != '\n' || text->data[text->length - 1] != '\n')
			oclmm_text_add_bytes(text, body, 1);
}

int export_write(const struct export_job *job, const struct export_setting *setting,
                 struct oclmm_error *error, struct oclmm_text *ret_file,
                 struct oclmm_text *ret_kernels, struct oclmm_text *ret_planted)
{
	uint32_t lines = 0;

	for (int cuts = 0; cuts < CUTS; cuts++) {
		struct export_setting less = cut(job, setting, cuts);
		struct oclmm_text body, kernels, planted, file = {0};
		int r;

		if (less.count == 0)
			continue;
		r = write_body(job, &less, error, &kernels, &planted, &body);
		if (r == 0) {
			export_comment(job, cuts >= 2, &file);
			add_body(oclmm_text_string(&body), cuts >= 4, &file);
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

int export_plainly(const struct oclmm_program *program, const char *device, const char *seen,
                   struct oclmm_error *error, struct oclmm_text *ret_file)
{
	const struct oclmm_check_options check = {.time_limit = 5};
	const struct oclmm_explain_options explain = {.no_changes = true, .time_limit = 2};
	struct oclmm_explanation *explanation = NULL;
	struct oclmm_text kernels, planted;
	struct export_setting setting;
	struct oclmm_answer *answer;
	int r = oclmm_check(program, &check, error, &answer);

	if (r < 0)
		return r;
	if (oclmm_explain(program, &explain, error, &explanation) < 0)
		explanation = NULL;
	export_setting_default(program, &setting);
	r = export_write(&(struct export_job){.program = program,
	                                      .answer = answer,
	                                      .explanation = explanation,
	                                      .device = device,
	                                      .name = program->name,
	                                      .seen = seen},
	                 &setting, error, ret_file, &kernels, &planted);
	if (r == 0) {
		oclmm_text_finish(&kernels);
		oclmm_text_finish(&planted);
	}
	oclmm_explanation_destroy(explanation);
	oclmm_answer_destroy(answer);
	return r;
}
