// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

OCLMM_LOOK_UP(const char *, oclmm_step_word, oclmm_moved_step, OCLMM_STEPS, FIRST);
OCLMM_LOOK_UP(const char *, oclmm_step_meaning, oclmm_moved_step, OCLMM_STEPS, SECOND);

/* ---- making a step ---- */

/* Makes a step in a copy, of whose thread `list` has the statements. */
static void apply(struct oclmm_program *copy, struct oclmm_arena *arena, const struct step *step,
                  const struct place_list *list)
{
	const struct oclmm_edit edit = {copy, arena, step->thread};
	struct oclmm_statement **from = list->links[step->from], **to = list->links[step->to];

	switch (step->kind) {
	case OCLMM_STEP_EXCHANGE: oclmm_change_exchange(from, to); break;
	case OCLMM_STEP_LATE: oclmm_change_move(from, to, true); break;
	case OCLMM_STEP_EARLY: oclmm_change_move(from, to, false); break;
	case OCLMM_STEP_HOIST: oclmm_change_hoist(&edit, from, to); break;
	case OCLMM_STEP_DROP: oclmm_change_drop(from); break;
	case OCLMM_STEP_SPLIT: oclmm_change_split(&edit, from); break;
	case OCLMM_STEP_HALVES: oclmm_change_halve(&edit, from); break;
	case OCLMM_STEP_REUSE: oclmm_change_reuse(&edit, *from, (*to)->assign.reg); break;
	case OCLMM_STEP_RELOAD: oclmm_change_reload(&edit, from); break;
	case OCLMM_STEP_ALWAYS: oclmm_change_always(from); break;
	case OCLMM_STEP_AGAIN: oclmm_change_again(&edit, *from, *to); break;
	case OCLMM_STEP_EVERYWHERE:
	case OCLMM_STEP_COUNT: break;
	}
}

/* ---- choosing ---- */

static int compare(const void *a, const void *b)
{
	const struct step *x = a, *y = b;
	int order = oclmm_compare_numbers(x->cost, y->cost);

	order = order ? order : oclmm_compare_numbers(x->kind, y->kind);
	order = order ? order : oclmm_compare_numbers(x->thread, y->thread);
	order = order ? order : oclmm_compare_numbers(x->from, y->from);
	return order ? order : oclmm_compare_numbers(x->to, y->to);
}

/* What a step is called, and where it is made; `list` is of its thread before it. */
static void describe(struct oclmm_arena *arena, const struct oclmm_program *program,
                     const struct step *step, const struct place_list *list,
                     struct oclmm_moved *moved)
{
	const char *word = oclmm_step_word(step->kind);
	uint32_t id = program->threads[step->thread].id;

	moved->step = step->kind;
	moved->thread = step->thread;
	moved->from = control_number(list, step->from);
	moved->to = control_number(list, step->to);
	if (step->to == step->from)
		moved->name = oclmm_arena_printf(arena, "%s~%s-P%u.%u", program->name, word, id,
		                                 moved->from);
	else
		moved->name = oclmm_arena_printf(arena, "%s~%s-P%u.%u-%u", program->name, word, id,
		                                 moved->from, moved->to);
}

/* Makes a step in a copy, and says what it is called. */
static void make_step(struct oclmm_program *copy, struct oclmm_arena *arena,
                      const struct step *step, struct oclmm_moved *moved)
{
	struct place_list list = {0};

	control_settle(&copy->threads[step->thread].body);
	control_list(&copy->threads[step->thread].body, &list);
	describe(arena, copy, step, &list, moved);
	apply(copy, arena, step, &list);
	free(list.links);
}

/* Adds a program where it shows something that none before it of the same text does. */
static bool add_moved(struct oclmm_controls *controls, struct oclmm_program *copy,
                      const struct oclmm_expected *expected, const struct oclmm_moved *moved)
{
	copy->hash = oclmm_program_hash(copy);
	copy->name = moved->name;
	for (uint32_t i = 0; i < controls->count; i++) {
		if (controls->moved[i].program->hash == copy->hash)
			return false;
	}
	if (!control_reaches(copy, expected))
		return false;
	controls->moved[controls->count] = *moved;
	controls->moved[controls->count++].program = copy;
	return true;
}

static bool try_step(struct oclmm_controls *controls, const struct oclmm_program *program,
                     const struct oclmm_expected *expected, const struct step *step)
{
	struct oclmm_program *copy = oclmm_program_copy(controls->arena, program);
	struct oclmm_moved moved;

	make_step(copy, controls->arena, step, &moved);
	return add_moved(controls, copy, expected, &moved);
}

/* ---- the same everywhere ---- */

/* Of each thread a step to be made together with the others'; NULL: none. */
struct everywhere {
	const struct step *of_thread[OCLMM_MAX_THREADS];
	bool shows[OCLMM_MAX_THREADS]; /* by itself */
};

/* A step that leaves all accesses what they are. */
static bool moves(const struct step *step)
{
	return step->kind == OCLMM_STEP_EXCHANGE || step->kind == OCLMM_STEP_EARLY ||
	       step->kind == OCLMM_STEP_LATE;
}

static void note_step(struct everywhere *everywhere, const struct step *step, bool shows)
{
	const struct step **own = &everywhere->of_thread[step->thread];

	/* whose outcome takes no other work-item's part: it would hide the others */
	if (step->kind == OCLMM_STEP_DROP || everywhere->shows[step->thread])
		return;
	if (shows || (!*own && moves(step))) {
		*own = step;
		everywhere->shows[step->thread] = shows;
	}
}

static void try_everywhere(struct oclmm_controls *controls, const struct oclmm_program *program,
                           const struct oclmm_expected *expected,
                           const struct everywhere *everywhere)
{
	struct oclmm_program *copy = oclmm_program_copy(controls->arena, program);
	struct oclmm_moved moved, first = {0};
	uint32_t steps = 0;

	for (uint32_t t = 0; t < program->thread_count; t++) {
		if (!everywhere->of_thread[t])
			continue;
		make_step(copy, controls->arena, everywhere->of_thread[t], &moved);
		if (steps++ == 0)
			first = moved;
	}
	if (steps < 2)
		return;
	first.step = OCLMM_STEP_EVERYWHERE;
	first.name = oclmm_arena_printf(controls->arena, "%s~%s", program->name,
	                                oclmm_step_word(first.step));
	if (!add_moved(controls, copy, expected, &first))
		return;
	/* behind the first, or alone */
	first = controls->moved[controls->count - 1];
	for (uint32_t i = controls->count - 1; i > 1; i--)
		controls->moved[i] = controls->moved[i - 1];
	if (controls->count > 1)
		controls->moved[1] = first;
}

/* ---- all of them ---- */

static bool has_thread(const struct oclmm_controls *controls, uint32_t count, uint32_t thread)
{
	for (uint32_t i = 0; i < count; i++) {
		if (controls->moved[i].thread == thread)
			return true;
	}
	return false;
}

/* One of each thread before the second of any: a device may meet in one way and not the other. */
static void spread(struct oclmm_controls *controls)
{
	uint32_t placed = 0;

	for (uint32_t i = 0; i < controls->count; i++) {
		struct oclmm_moved moved = controls->moved[i];

		if (has_thread(controls, placed, moved.thread))
			continue;
		memmove(&controls->moved[placed + 1], &controls->moved[placed],
		        (i - placed) * sizeof(moved));
		controls->moved[placed++] = moved;
	}
}

/* EVERYWHERE shows most, and stands second at the latest. */
static void cut_off(struct oclmm_controls *controls, uint32_t limit)
{
	if (!limit || controls->count <= limit)
		return;
	controls->count = limit;
	if (limit == 1 && controls->moved[1].step == OCLMM_STEP_EVERYWHERE)
		controls->moved[0] = controls->moved[1];
}

static struct oclmm_program *settle(struct oclmm_arena *arena, const struct oclmm_program *program)
{
	struct oclmm_program *settled = oclmm_program_copy(arena, program);

	for (uint32_t t = 0; t < settled->thread_count; t++)
		control_settle(&settled->threads[t].body);
	return settled;
}

int oclmm_controls_derive(const struct oclmm_program *program,
                          const struct oclmm_expected *expected, uint32_t limit,
                          struct oclmm_controls **ret_controls)
{
	struct everywhere everywhere = {0};
	struct oclmm_controls *controls;
	struct steps steps;

	/* what commands do, and when a child kernel begins, is nothing that a compiler decides */
	if (!oclmm_expected_forbids(expected) || oclmm_program_has_commands(program) ||
	    oclmm_program_has_children(program))
		return -ENOENT;
	controls = oclmm_calloc(1, sizeof(*controls));
	controls->arena = oclmm_arena_create();
	control_steps(settle(controls->arena, program), &steps);
	if (steps.count)
		qsort(steps.items, steps.count, sizeof(*steps.items), compare);
	controls->moved = OCLMM_NEW_ARRAY(controls->arena, struct oclmm_moved, steps.count + 2);
	controls->tried = (uint32_t)steps.count;
	for (size_t i = 0; i < steps.count; i++)
		note_step(&everywhere, &steps.items[i],
		          try_step(controls, program, expected, &steps.items[i]));
	spread(controls);
	try_everywhere(controls, program, expected, &everywhere);
	free(steps.items);
	cut_off(controls, limit);
	for (uint32_t i = 0; i < controls->count; i++)
		controls->moved[i].space = control_space(controls->arena,
		                                         controls->moved[i].program, expected,
		                                         &controls->moved[i].whole);
	*ret_controls = controls;
	return 0;
}

void oclmm_controls_destroy(struct oclmm_controls *controls)
{
	if (!controls)
		return;
	oclmm_arena_destroy(controls->arena);
	free(controls);
}
