// SPDX-License-Identifier: Apache-2.0
/*
 * usage: coverage LITMUS-FOLDER PROFILE
 *
 * What only some variant of the suite exercises belongs into the profile: each
 * operation in each width and form, each order and scope of each kind of
 * operation, fences and barriers with their flags, and where two threads stand
 * to each other. What a defined variant of the full suite has, one of the
 * profile has. And each order and scope of each operation that any variant
 * has stands in a test of the profile whose values tell a wrong result: compilers
 * choose instructions by them, and 0 and 1 hide what many of those do.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "lines.h"
#include "oclmm/model.h"

/* A trait, as a line of words. */
static struct trait {
	char text[112];
	char by[112]; /* the first variant that has it */
	bool chosen;
} * traits;
static size_t trait_count, trait_capacity;

static const struct oclmm_program *program; /* the one that is looked at */
static bool chosen;

static void note(const char *format, ...) OCLMM_PRINTF(1, 2);

static void note(const char *format, ...)
{
	struct trait trait = {.chosen = chosen};
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(trait.text, sizeof(trait.text), format, arguments);
	va_end(arguments);
	for (size_t i = 0; i < trait_count; i++) {
		if (strcmp(traits[i].text, trait.text) == 0) {
			traits[i].chosen |= chosen;
			return;
		}
	}
	snprintf(trait.by, sizeof(trait.by), "%s", program->name);
	oclmm_grow(&traits, &trait_capacity, trait_count, sizeof(*traits));
	traits[trait_count++] = trait;
}

static const char *kind(enum oclmm_operation op)
{
	if (oclmm_operation_is_cas(op))
		return "compare-exchange";
	if (!oclmm_operation_reads(op))
		return "store";
	return oclmm_operation_writes(op) ? "update" : "load";
}

static void note_on_values(const struct oclmm_atomic *atomic)
{
	bool whole = chosen;

	chosen = chosen && strstr(program->name, "+values");
	note("%s %s on values that tell", oclmm_operation_stem(atomic->op),
	     oclmm_order_spelling(atomic->order));
	/* the other scopes are of devices that have sub-groups or shared virtual memory */
	if (atomic->scope == OCLMM_SCOPE_WORK_GROUP || atomic->scope == OCLMM_SCOPE_DEVICE)
		note("%s %s on values that tell", oclmm_operation_stem(atomic->op),
		     oclmm_scope_spelling(atomic->scope));
	chosen = whole;
}

static int note_expression(void *data, const struct oclmm_expression *expression)
{
	const struct oclmm_atomic *atomic = expression->atomic;
	const struct oclmm_location *location;
	const char *space;

	(void)data;
	if (expression->kind != OCLMM_EXPRESSION_ATOMIC)
		return 0;
	location = &program->locations[atomic->object.location];
	space = oclmm_space_spelling(location->space);
	note("%s of %s", atomic->spelling, oclmm_type_name(location->type));
	note("%s in %s memory", oclmm_operation_stem(atomic->op), space);
	if (atomic->op == OCLMM_OP_INIT || atomic->legacy)
		return 0;
	note("%s %s", kind(atomic->op), oclmm_order_spelling(atomic->order));
	note_on_values(atomic);
	note("%s %s", kind(atomic->op), oclmm_scope_spelling(atomic->scope));
	if (oclmm_operation_is_cas(atomic->op))
		note("%s failure %s", kind(atomic->op), oclmm_order_spelling(atomic->failure));
	return 0;
}

static int note_statement(void *data, const struct oclmm_statement *statement)
{
	(void)data;
	if (statement->kind == OCLMM_STATEMENT_FENCE) {
		note("%s flags %u", statement->fence.spelling, statement->fence.flags);
		note("%s %s", statement->fence.spelling,
		     oclmm_order_spelling(statement->fence.order));
		note("%s %s", statement->fence.spelling,
		     oclmm_scope_spelling(statement->fence.scope));
	} else if (statement->kind == OCLMM_STATEMENT_BARRIER &&
	           /* of split barriers, which no device is known to have, the default profile has
	              none */
	           statement->barrier.part == OCLMM_BARRIER_WHOLE) {
		note("%s flags %u", statement->barrier.spelling, statement->barrier.flags);
		note("%s %s", statement->barrier.spelling,
		     oclmm_scope_spelling(statement->barrier.scope));
	}
	return 0;
}

static void note_places(void)
{
	for (uint32_t i = 0; i < program->thread_count; i++) {
		for (uint32_t k = i + 1; k < program->thread_count; k++) {
			const struct oclmm_placement *a = &program->threads[i].placement;
			const struct oclmm_placement *b = &program->threads[k].placement;

			note("threads %s", a->host || b->host             ? "of host and device"
			                   : a->device != b->device       ? "of two devices"
			                   : oclmm_same_sub_group(a, b)   ? "of one sub-group"
			                   : !oclmm_same_work_group(a, b) ? "of two work-groups"
			                   : a->sub_group_given           ? "of two sub-groups"
			                                                  : "of one work-group");
		}
	}
	/* a shared text has a kernel for any number of work-items: docs/control.md says which are
	 * tried */
	if (program->shared == NULL)
		note("%u threads", program->thread_count);
}

static bool is_defined(const struct oclmm_program *any)
{
	struct oclmm_error error = {0};
	struct oclmm_answer *answer;
	bool defined;

	if (oclmm_check(any, NULL, &error, &answer) < 0) {
		complain(any->name, "the oracle gives no answer: %s", error.message);
		return false;
	}
	defined = !answer->undefined[OCLMM_MODEL_CONSENSUS];
	oclmm_answer_destroy(answer);
	return defined;
}

static void check_file(const struct oclmm_litmus *litmus, void *data)
{
	static const struct oclmm_visitor visitor = {.expression = note_expression,
	                                             .statement = note_statement};

	for (uint32_t i = 0; i < litmus->variant_count; i++) {
		program = litmus->variants[i].program;
		chosen = lines_choose(data, litmus->variants[i].name);
		if (!is_defined(program))
			continue;
		for (uint32_t t = 0; t < program->thread_count; t++)
			oclmm_visit_body(&visitor, program->threads[t].body, NULL);
		note_places();
	}
}

int main(int argc, char **argv)
{
	struct lines lines = {0};

	if (argc != 3)
		return 2;
	lines_read(&lines, argv[1], argv[2]);
	visit_folder(argv[1], check_file, &lines);
	for (size_t i = 0; i < trait_count; i++) {
		if (!traits[i].chosen)
			complain(argv[2], "no test has %s, which %s has", traits[i].text,
			         traits[i].by);
	}
	free(traits);
	lines_finish(&lines);
	return complaints != 0 || trait_count == 0;
}
