// SPDX-License-Identifier: Apache-2.0
/*
 * From tests to verdicts. Tests are compiled together, many in a text, for a compiler takes longer
 * to start than to compile one; where one is refused, its text is divided until it is alone.
 */
#include "audit.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "oclmm/codegen.h"
#include "plant/plant.h"
#include "process/process.h"

enum {
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
	const char *lacks = audit_compiler_lacks(audit->compiler, c->program);
	struct oclmm_error error = {0};
	int r;

	if (lacks) {
		settle(c, AUDIT_SKIP, lacks);
		return -ENOTSUP;
	}
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
	size_t count = 0, batch = audit_compiler_batch(audit->compiler);

	for (size_t i = 0; i < audit->count; i++) {
		if (!audit->cases[i].judged)
			cases[count++] = &audit->cases[i];
	}
	for (size_t at = 0; at < count && !process_interrupted; at += batch)
		compile(audit, cases + at, count - at < batch ? count - at : batch);
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

static void function_name(const struct audit *audit, const struct audit_case *c, uint32_t thread,
                          char *ret_name, size_t size)
{
	snprintf(ret_name, size, "%sP%u%s_bare", audit_compiler_prefix(audit->compiler),
	         c->program->threads[thread].id, c->suffix);
}

static void judge_case(struct audit *audit, struct audit_case *c)
{
	char names[OCLMM_MAX_THREADS][64];
	const char *functions[OCLMM_MAX_THREADS];
	struct oclmm_machine_options options = {.wanted = is_forbidden,
	                                        .data = c,
	                                        .limit = EXECUTIONS_MOST};
	struct oclmm_error error = {0};
	struct oclmm_machine_answer *answer;
	int r = 0;

	options.context = audit_compiler_context(audit->compiler, &options.context_words);
	for (uint32_t t = 0; t < c->program->thread_count; t++) {
		function_name(audit, c, t, names[t], sizeof(names[t]));
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

static void judge_cases(struct audit *audit)
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
	judge_cases(audit);
	audit->seconds = oclmm_clock() - began;
}

static void drop_cases(struct audit *audit)
{
	for (size_t i = 0; i < audit->count; i++)
		oclmm_machine_answer_destroy(audit->cases[i].answer);
	for (size_t i = 0; i < audit->assembly_count; i++)
		oclmm_assembly_destroy(audit->assemblies[i]);
	free(audit->assemblies);
}

void audit_finish(struct audit *audit)
{
	drop_cases(audit);
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

/* Tests of one plant that are compiled together; the first that is wrong ends the search. */
enum { TOGETHER = 150 };

enum end { FOUND, MISSED, SAME_CODE, NOT_READ, NO_PLACE, END_COUNT };
static const char *const end_words[END_COUNT] = {
	[FOUND] = "found",       [MISSED] = "missed",     [SAME_CODE] = "same-code",
	[NOT_READ] = "not-read", [NO_PLACE] = "no-place",
};

struct planting {
	const struct audit *audit; /* judged without a plant */
	struct audit own;
	size_t changed;              /* tests whose code is another */
	size_t unread;               /* tests that were not judged */
	size_t tests;                /* that have a place for it */
	const struct audit_case *by; /* the test that is wrong */
	char why[128];               /* of the first that was not judged */
};

/* ---- whether code is the same ------------------------------------------------- */

/* The next character that counts: numbers of labels, and those in the names of parameters, are
 * those of the function in its text. */
static const char *skip_number(const char *at, const char *end)
{
	static const char *const before[] = {".LBB", "$L__BB", "_t"};

	for (size_t n = 0; n < OCLMM_COUNT(before); n++) {
		size_t length = strlen(before[n]);

		if ((size_t)(end - at) < length || strncmp(at, before[n], length) != 0)
			continue;
		at += length;
		while (at < end && isdigit((unsigned char)*at))
			at++;
		return at;
	}
	return at;
}

/* Behind the first line, which has the name. */
static const char *behind_name(const char *text, size_t length)
{
	const char *end = memchr(text, '\n', length);

	return end ? end : text + length;
}

static bool is_same_text(const char *a, size_t a_length, const char *b, size_t b_length)
{
	const char *a_end = a + a_length, *b_end = b + b_length;

	a = behind_name(a, a_length);
	b = behind_name(b, b_length);
	while (a < a_end && b < b_end) {
		a = skip_number(a, a_end);
		b = skip_number(b, b_end);
		if (a < a_end && b < b_end && *a++ != *b++)
			return false;
	}
	return a == a_end && b == b_end;
}

static bool has_same_code(const struct audit *audit, const struct audit_case *a,
                          const struct audit_case *b)
{
	for (uint32_t t = 0; t < a->program->thread_count; t++) {
		size_t a_length, b_length;
		char name[64];
		const char *a_text, *b_text;

		function_name(audit, a, t, name, sizeof(name));
		a_text = oclmm_assembly_function(a->assembly, name, &a_length);
		function_name(audit, b, t, name, sizeof(name));
		b_text = oclmm_assembly_function(b->assembly, name, &b_length);
		if (!a_text || !b_text || !is_same_text(a_text, a_length, b_text, b_length))
			return false;
	}
	return true;
}

/* ---- one plant ------------------------------------------------------------------ */

static bool has_place(const struct oclmm_program *program, const struct oclmm_mutation *change)
{
	struct oclmm_arena *arena = oclmm_arena_create();
	bool has = oclmm_change_program(arena, program, change).places > 0;

	oclmm_arena_destroy(arena);
	return has;
}

/* The tests that are right without it, from `*at` on. */
static void choose(struct planting *p, size_t *at)
{
	p->own.count = 0;
	for (; *at < p->audit->count && p->own.count < TOGETHER; (*at)++) {
		const struct audit_case *c = &p->audit->cases[*at];

		if (!c->judged || c->verdict != AUDIT_RIGHT ||
		    !has_place(c->program, p->own.change))
			continue;
		p->own.cases[p->own.count++] = (struct audit_case){.chosen = c->chosen,
		                                                   .program = c->program,
		                                                   .expected = c->expected};
	}
	p->tests += p->own.count;
}

static const struct audit_case *original_of(const struct planting *p, const struct audit_case *c)
{
	for (size_t i = 0; i < p->audit->count; i++) {
		if (p->audit->cases[i].program == c->program)
			return &p->audit->cases[i];
	}
	return NULL;
}

static void look(struct planting *p)
{
	for (size_t i = 0; i < p->own.count && !p->by; i++) {
		const struct audit_case *c = &p->own.cases[i];

		if (c->verdict == AUDIT_WRONG)
			p->by = c;
		if (c->verdict != AUDIT_RIGHT && c->verdict != AUDIT_WRONG) {
			if (!p->unread++)
				snprintf(p->why, sizeof(p->why), "%s: %.90s",
				         audit_verdict_word(c->verdict), c->message);
			continue;
		}
		p->changed += !has_same_code(p->audit, c, original_of(p, c));
	}
}

static enum end end_of(const struct planting *p)
{
	return p->by        ? FOUND
	       : p->changed ? MISSED
	       : p->unread  ? NOT_READ
	       : p->tests   ? SAME_CODE
	                    : NO_PLACE;
}

static enum end plant_one(const struct audit *audit, const struct plant *plant, const char *choice)
{
	struct planting p = {.audit = audit, .own = *audit};
	size_t at = 0;
	enum end end;

	p.own.change = &plant->mutation;
	p.own.cases = oclmm_calloc(TOGETHER, sizeof(*p.own.cases));
	while (at < audit->count && !p.by && !process_interrupted) {
		p.own.assemblies = NULL;
		p.own.assembly_count = p.own.assembly_capacity = 0;
		choose(&p, &at);
		judge_cases(&p.own);
		look(&p);
		if (p.by)
			printf("%-10s %s by %s\n", end_words[FOUND], choice, p.by->program->name);
		drop_cases(&p.own);
	}
	end = end_of(&p);
	if (end != FOUND)
		printf("%-10s %s in %s", end_words[end], choice,
		       oclmm_counted(p.tests, "test").text);
	if (end == MISSED)
		printf(", %zu of them with other code", p.changed);
	if (end != FOUND && p.unread)
		printf(", %zu not judged (%s)", p.unread, oclmm_shown(p.why).text);
	if (end != FOUND)
		printf("\n");
	fflush(stdout);
	free(p.own.cases);
	return end;
}

/* ---- all of them ------------------------------------------------------------------ */

/* What is in the text of a thread, whatever launch or call it is in; from OFFSET_IGNORED on it is
 * in what launches range over. */
static bool is_in_text(enum plant_bug bug)
{
	return bug != PLANT_NONE && !plant_in_calls(bug) && !plant_by_launch(bug) &&
	       bug < PLANT_OFFSET_IGNORED;
}

int audit_plant(const struct audit *audit, const char *const *choices, size_t count)
{
	size_t ends[END_COUNT] = {0}, planted = 0;
	bool all = count == 1 && strcmp(choices[0], "all") == 0;

	for (size_t i = 0; i < (all ? PLANT_COUNT : count) && !process_interrupted; i++) {
		const char *choice = all ? plant_descriptions[i].name : choices[i];
		char message[PLANT_MESSAGE];
		struct plant plant;

		if (!plant_parse(choice, &plant, message)) {
			fprintf(stderr, "oclmm audit: %s\n", message);
			return OPTIONS_ERROR;
		}
		if (all && !is_in_text(plant.bug))
			continue;
		ends[plant_one(audit, &plant, choice)]++;
		planted++;
	}
	printf("plants: of %zu %zu found, %zu missed; %zu in code that stays the same, %zu in code "
	       "that is not read, %zu in no test\n",
	       planted, ends[FOUND], ends[MISSED], ends[SAME_CODE], ends[NOT_READ], ends[NO_PLACE]);
	return 0;
}
