// SPDX-License-Identifier: Apache-2.0
/*
 * Bugs planted into what the compiler is given, one after the other: whether an audit finds each. A
 * plant is found by a test that is right without it and wrong with it.
 */
#include "audit.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "plant/plant.h"
#include "process/process.h"

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

/* The next character that counts: numbers of labels are those of the function in its text. */
static const char *skip_number(const char *at, const char *end)
{
	static const char label[] = ".LBB";
	size_t length = sizeof(label) - 1;

	if ((size_t)(end - at) < length || strncmp(at, label, length) != 0)
		return at;
	at += length;
	while (at < end && isdigit((unsigned char)*at))
		at++;
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

static bool has_same_code(const struct audit_case *a, const struct audit_case *b)
{
	for (uint32_t t = 0; t < a->program->thread_count; t++) {
		size_t a_length, b_length;
		char name[48];
		const char *a_text, *b_text;

		audit_function_name(a, t, name, sizeof(name));
		a_text = oclmm_assembly_function(a->assembly, name, &a_length);
		audit_function_name(b, t, name, sizeof(name));
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
		p->changed += !has_same_code(c, original_of(p, c));
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
		audit_judge_cases(&p.own);
		look(&p);
		if (p.by)
			printf("%-10s %s by %s\n", end_words[FOUND], choice, p.by->program->name);
		audit_drop_cases(&p.own);
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
