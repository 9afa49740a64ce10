// SPDX-License-Identifier: Apache-2.0
/*
 * The moved controls of a test whose work-items share a text: that text after one wrong step, such
 * as a compiler takes that cuts kernels at their barriers. What such a text shows is found by
 * playing it, work-item after work-item up to the next barrier, and statement by statement.
 */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

#include "oclmm/model.h"
#include "oclmm/syntax.h"

struct deriving {
	struct oclmm_controls *controls;
	const struct oclmm_program *program;
	const struct oclmm_expected *expected;
	int64_t *values; /* of an outcome */
	uint32_t sure;   /* controls that show it in any order; they stand in front */
};

/* Whether it shows what the test forbids, when it is played in this order. */
static bool shows(const struct deriving *d, const struct oclmm_program *changed,
                  enum oclmm_play order)
{
	if (oclmm_play_in_step(changed, order, d->values) < 0)
		return false;
	if (changed->filter && !oclmm_condition_holds(changed, changed->filter, d->values))
		return false;
	return oclmm_expected_status(d->expected, d->values, NULL) == OCLMM_STATUS_FORBIDDEN;
}

/* The program with another text, read anew. NULL: that is no test. */
static struct oclmm_litmus *read_changed(const struct deriving *d, const char *body)
{
	struct oclmm_shared_text shared = *d->program->shared;
	struct oclmm_program changed = *d->program;
	struct oclmm_litmus *litmus = NULL;
	struct oclmm_text text = {0};
	struct oclmm_error ignored;

	shared.body = body;
	changed.shared = &shared;
	oclmm_program_print(&text, &changed);
	oclmm_litmus_parse("changed", oclmm_text_string(&text), text.length, NULL, &ignored,
	                   &litmus);
	oclmm_text_finish(&text);
	return litmus;
}

static bool has_hash(const struct oclmm_controls *controls, uint64_t hash)
{
	for (uint32_t i = 0; i < controls->count; i++)
		if (controls->moved[i].program->hash == hash)
			return true;
	return false;
}

/* Of several alike in one line, the others have a letter. */
static const char *name_of(const struct deriving *d, const struct oclmm_text_step *step)
{
	const struct oclmm_controls *controls = d->controls;
	unsigned others = 0;

	for (uint32_t i = 0; i < controls->count; i++)
		others += controls->moved[i].step == step->step &&
		          controls->moved[i].from == step->line;
	return oclmm_arena_printf(controls->arena, "%s~%s-%u%.*s", d->program->name,
	                          oclmm_step_word(step->step), step->line, others && others < 26,
	                          &"abcdefghijklmnopqrstuvwxyz"[others % 26]);
}

static void put(struct deriving *d, const struct oclmm_moved *moved, bool sure)
{
	struct oclmm_controls *controls = d->controls;
	uint32_t at = sure ? d->sure++ : controls->count;

	memmove(&controls->moved[at + 1], &controls->moved[at],
	        (controls->count++ - at) * sizeof(*moved));
	controls->moved[at] = *moved;
}

static void try_step(struct deriving *d, const struct oclmm_text_step *step)
{
	struct oclmm_controls *controls = d->controls;
	struct oclmm_litmus *litmus = read_changed(d, step->body);
	struct oclmm_program *changed;

	if (!litmus)
		return;
	changed = oclmm_program_copy(controls->arena, litmus->variants[0].program);
	/* whichever work-item a device takes first, it is seen */
	if (changed->observable_count != d->program->observable_count ||
	    has_hash(controls, changed->hash) || !shows(d, changed, OCLMM_PLAY_FORWARDS) ||
	    !shows(d, changed, OCLMM_PLAY_BACKWARDS)) {
		oclmm_litmus_destroy(litmus);
		return;
	}
	changed->name = name_of(d, step);
	controls->texts[controls->text_count++] = litmus;
	put(d,
	    &(struct oclmm_moved){
		    .name = changed->name,
		    .step = step->step,
		    .from = step->line,
		    .to = step->line,
		    .program = changed,
		    .space = &d->expected->space,
	    },
	    shows(d, changed, OCLMM_PLAY_LANES));
}

void oclmm_controls_derive_of_text(struct oclmm_controls *controls,
                                   const struct oclmm_program *program,
                                   const struct oclmm_expected *expected, uint32_t limit)
{
	struct deriving d = {
		.controls = controls,
		.program = program,
		.expected = expected,
		.values = oclmm_calloc((size_t)program->observable_count + 1, sizeof(int64_t)),
	};
	struct oclmm_text_steps steps;

	oclmm_text_steps_find(controls->arena, program->shared->body, &steps);
	controls->moved = OCLMM_NEW_ARRAY(controls->arena, struct oclmm_moved, steps.count + 1);
	controls->texts = OCLMM_NEW_ARRAY(controls->arena, struct oclmm_litmus *, steps.count + 1);
	for (size_t i = 0; i < steps.count && (!limit || d.sure < limit); i++) {
		try_step(&d, &steps.items[i]);
		controls->tried++;
	}
	if (limit && controls->count > limit)
		controls->count = limit;
	free(d.values);
}
