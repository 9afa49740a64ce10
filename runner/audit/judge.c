// SPDX-License-Identifier: Apache-2.0
/*
 * From tests to verdicts. Tests are compiled together, many in a text, for a compiler takes longer
 * to start than to compile one; where one is refused, its text is divided until it is alone.
 */
#include "audit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "oclmm/codegen.h"
#include "process/process.h"

enum {
	BATCH = 300,
	EXECUTIONS_MOST = 400000, /* of one test: some ten seconds */
};

static void settle(struct audit_case *c, enum audit_verdict verdict, const char *message)
{
	c->verdict = verdict;
	c->judged = true;
	snprintf(c->message, sizeof(c->message), "%s", message);
}

/* ---- what is expected ------------------------------------------------------- */

static void keep_file(struct audit *audit, struct oclmm_expected_file *file)
{
	oclmm_grow(&audit->files, &audit->file_capacity, audit->file_count,
	           sizeof(struct oclmm_expected_file *));
	audit->files[audit->file_count++] = file;
}

static void find_expected(struct audit *audit, struct audit_case *c,
                          const struct oclmm_expected_file *file)
{
	struct oclmm_error error = {0};
	struct oclmm_expected_file *asked;

	c->expected = oclmm_expected_held(audit->arena, file, c->program, audit->model);
	if (!c->expected) {
		if (oclmm_expected_ask(c->program, audit->model, NULL, &error, &asked) < 0) {
			settle(c, AUDIT_TOO_LARGE, error.message);
			return;
		}
		keep_file(audit, asked);
		c->expected = oclmm_expected_at(asked, 0);
	}
	if (c->expected->undefined)
		settle(c, AUDIT_UNDEFINED,
		       c->expected->undefined_why ? c->expected->undefined_why : "");
}

/* Of one file come several tests, one behind the other. */
static void find_all_expected(struct audit *audit)
{
	const struct oclmm_expected_file *file = NULL;
	const struct suite_file *of = NULL;

	for (size_t i = 0; i < audit->count; i++) {
		struct audit_case *c = &audit->cases[i];
		struct oclmm_expected_file *read;
		struct oclmm_error error;

		if (c->chosen->file != of) {
			of = c->chosen->file;
			file = NULL;
			if (oclmm_expected_read(of->expected, &error, &read) == 0) {
				keep_file(audit, read);
				file = read;
			}
		}
		find_expected(audit, c, file);
	}
}

/* ---- compiling ---------------------------------------------------------------- */

static int add_text(const struct audit *audit, struct audit_case *c, size_t number,
                    struct oclmm_text *text)
{
	struct oclmm_error error = {0};
	int r;

	snprintf(c->suffix, sizeof(c->suffix), "_t%zu", number);
	r = oclmm_generate_bare(c->program, audit->change, c->suffix, &error, text);
	if (r < 0)
		settle(c, AUDIT_SKIP, error.message);
	return r;
}

static void compile(struct audit *audit, struct audit_case **cases, size_t count)
{
	struct oclmm_text text = {0}, assembly;
	struct oclmm_error error = {0};
	size_t left = 0;
	int r;

	if (audit->change)
		oclmm_change_macros(audit->change, &text);
	for (size_t i = 0; i < count; i++) {
		if (!cases[i]->judged && add_text(audit, cases[i], i, &text) == 0)
			cases[left++] = cases[i];
	}
	if (!left) {
		oclmm_text_finish(&text);
		return;
	}
	r = audit_compile(audit->compiler, &text, &error, &assembly);
	oclmm_text_finish(&text);
	if (r == 0) {
		struct oclmm_assembly *cut =
			oclmm_assembly_create(audit_compiler_machine(audit->compiler),
		                              oclmm_text_string(&assembly), assembly.length);

		oclmm_text_finish(&assembly);
		oclmm_grow(&audit->assemblies, &audit->assembly_capacity, audit->assembly_count,
		           sizeof(struct oclmm_assembly *));
		audit->assemblies[audit->assembly_count++] = cut;
		for (size_t i = 0; i < left; i++)
			cases[i]->assembly = cut;
	} else if (left == 1) {
		settle(cases[0], AUDIT_NOT_BUILT, error.message);
	} else {
		compile(audit, cases, left / 2);
		compile(audit, cases + left / 2, left - left / 2);
	}
}

static void compile_all(struct audit *audit)
{
	struct audit_case **cases = oclmm_calloc(audit->count + 1, sizeof(struct audit_case *));
	size_t count = 0;

	for (size_t i = 0; i < audit->count; i++) {
		if (!audit->cases[i].judged)
			cases[count++] = &audit->cases[i];
	}
	for (size_t at = 0; at < count && !process_interrupted; at += BATCH)
		compile(audit, cases + at, count - at < BATCH ? count - at : BATCH);
	free(cases);
}

/* ---- judging -------------------------------------------------------------------- */

static bool is_forbidden(void *data, const int64_t *values)
{
	const struct audit_case *c = data;

	/* what the filter turns away is no outcome */
	if (c->program->filter && !oclmm_condition_holds(c->program, c->program->filter, values))
		return false;
	return oclmm_expected_status(c->expected, values, NULL) == OCLMM_STATUS_FORBIDDEN;
}

void audit_function_name(const struct audit_case *c, uint32_t thread, char *ret_name, size_t size)
{
	snprintf(ret_name, size, "P%u%s_bare", c->program->threads[thread].id, c->suffix);
}

static void judge_case(struct audit *audit, struct audit_case *c)
{
	char names[OCLMM_MAX_THREADS][48];
	const char *functions[OCLMM_MAX_THREADS];
	struct oclmm_machine_options options = {.wanted = is_forbidden,
	                                        .data = c,
	                                        .limit = EXECUTIONS_MOST};
	struct oclmm_error error = {0};
	struct oclmm_machine_answer *answer;
	int r = 0;

	for (uint32_t t = 0; t < c->program->thread_count; t++) {
		audit_function_name(c, t, names[t], sizeof(names[t]));
		functions[t] = names[t];
	}
	if (audit->cat_text)
		r = oclmm_machine_cat(audit_compiler_machine(audit->compiler), audit->cat_path,
		                      audit->cat_text, audit->cat_length, &error, &options.model);
	if (r == 0)
		r = oclmm_machine_judge(c->assembly, c->program, functions, &options, &error,
		                        &answer);
	oclmm_cat_destroy(options.model);
	if (r < 0) {
		settle(c,
		       r == -ENOTSUP ? AUDIT_UNREADABLE
		       : r == -ENXIO ? AUDIT_SKIP
		                     : AUDIT_TOO_LARGE,
		       error.message);
		c->line = error.position.line;
		snprintf(c->source, sizeof(c->source), "%s", error.source);
		return;
	}
	settle(c, answer->count ? AUDIT_WRONG : AUDIT_RIGHT, "");
	c->cut = answer->cut;
	if (answer->count)
		c->answer = answer;
	else
		oclmm_machine_answer_destroy(answer);
}

static void judge_one(void *data, size_t index)
{
	struct audit *audit = data;

	if (!audit->cases[index].judged && audit->cases[index].assembly)
		judge_case(audit, &audit->cases[index]);
}

void audit_judge_cases(struct audit *audit)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);

	compile_all(audit);
	oclmm_in_parallel(audit->count, processors > 0 ? (unsigned)processors : 1, judge_one,
	                  audit);
}

void audit_judge(struct audit *audit)
{
	double began = oclmm_clock();

	find_all_expected(audit);
	audit_judge_cases(audit);
	audit->seconds = oclmm_clock() - began;
}

void audit_drop_cases(struct audit *audit)
{
	for (size_t i = 0; i < audit->count; i++)
		oclmm_machine_answer_destroy(audit->cases[i].answer);
	for (size_t i = 0; i < audit->assembly_count; i++)
		oclmm_assembly_destroy(audit->assemblies[i]);
	free(audit->assemblies);
}

void audit_finish(struct audit *audit)
{
	audit_drop_cases(audit);
	for (size_t i = 0; i < audit->file_count; i++)
		oclmm_expected_destroy(audit->files[i]);
	free(audit->files);
	free(audit->cases);
	oclmm_arena_destroy(audit->arena);
	audit_compiler_destroy(audit->compiler);
}

const char *audit_verdict_word(enum audit_verdict verdict)
{
	static const char *const words[] = {
#define OCLMM_X(name, word, meaning) word,
		AUDIT_VERDICTS(OCLMM_X)
#undef OCLMM_X
	};

	return words[verdict];
}
