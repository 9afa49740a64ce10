// SPDX-License-Identifier: Apache-2.0
/*
 * Which single steps a program has. Whether a step keeps what one work-item
 * sees of itself is asked of registers only: to make two accesses of one object
 * trade places is just what a compiler must not do, and tests of coherence look
 * for it.
 */
#include <stdlib.h>

#include "internal.h"

/* What makes a program less like the test than an exchange of neighbours does. */
enum {
	COST_SAME_OBJECT = 4,
	COST_MOVE = 2,
	COST_HOIST = 6,
	COST_REUSE = 8,
	COST_DROP = 16,
	COST_RELOAD = 18,
	COST_ALWAYS = 20,
	COST_AGAIN = 22
};

/* ---- arithmetic out of the way ---- */

/* The link of the earliest place in the block where the statement behind `link` may stand. */
static struct oclmm_statement **earliest(struct oclmm_statement **block,
                                         struct oclmm_statement **link)
{
	struct oclmm_effects effects = oclmm_statement_effects(*link);
	struct oclmm_statement **place = block;

	for (struct oclmm_statement **at = block; at != link; at = &(*at)->next) {
		struct oclmm_effects crossed = oclmm_statement_effects(*at);

		if (oclmm_is_arithmetic(*at) || oclmm_effects_depend(&effects, &crossed))
			place = &(*at)->next;
	}
	return place;
}

void control_settle(struct oclmm_statement **block)
{
	for (struct oclmm_statement **link = block; *link; link = &(*link)->next) {
		struct oclmm_statement **place, *statement = *link;
		struct oclmm_parts parts;

		oclmm_statement_parts(statement, &parts);
		for (unsigned i = 0; i < parts.body_count; i++)
			control_settle(parts.bodies[i]);
		place = oclmm_is_arithmetic(statement) ? earliest(block, link) : link;
		if (place == link)
			continue;
		*link = statement->next;
		statement->next = *place;
		*place = statement;
		/* go on behind what now stands in its place */
		link = block;
		while (*link != statement)
			link = &(*link)->next;
	}
}

/* ---- where they stand ---- */

uint32_t control_number(const struct place_list *list, uint32_t place)
{
	uint32_t number = 0;

	for (uint32_t i = 0; i <= place; i++)
		number += !oclmm_is_arithmetic(*list->links[i]);
	return number;
}

void control_list(struct oclmm_statement **link, struct place_list *list)
{
	for (; *link; link = &(*link)->next) {
		struct oclmm_parts parts;

		oclmm_grow(&list->links, &list->capacity, list->count, sizeof(*list->links));
		list->links[list->count++] = link;
		oclmm_statement_parts(*link, &parts);
		for (unsigned i = 0; i < parts.body_count; i++)
			control_list(parts.bodies[i], list);
	}
}

/* ---- finding steps ---- */

/* A thread being looked at. */
struct finder {
	const struct oclmm_program *program;
	uint32_t thread;
	struct place_list list;
	struct steps *steps;
};

static void add(struct finder *finder, enum oclmm_moved_step kind, size_t from, size_t to,
                unsigned cost)
{
	struct steps *steps = finder->steps;

	oclmm_grow(&steps->items, &steps->capacity, steps->count, sizeof(*steps->items));
	steps->items[steps->count++] = (struct step){kind, finder->thread, (uint32_t)from,
	                                             (uint32_t)to, cost};
}

static struct oclmm_statement *at(const struct finder *finder, size_t number)
{
	return *finder->list.links[number];
}

static bool is_simple(const struct oclmm_statement *statement)
{
	return statement->kind == OCLMM_STATEMENT_ASSIGN ||
	       statement->kind == OCLMM_STATEMENT_STORE ||
	       statement->kind == OCLMM_STATEMENT_EVALUATE;
}

static size_t number_of(const struct finder *finder, const struct oclmm_statement *statement)
{
	size_t number = 0;

	while (at(finder, number) != statement)
		number++;
	return number;
}

static void merge(struct oclmm_effects *into, const struct oclmm_effects *more)
{
	into->reads |= more->reads;
	into->writes |= more->writes;
	into->accesses += more->accesses;
	into->synchronises |= more->synchronises;
}

/* Two statements of a block that both access memory, with nothing but fences and arithmetic
 * between them: an exchange. With more between them: one is made early, or the other late. */
static void find_pair(struct finder *finder, const struct oclmm_statement *first,
                      const struct oclmm_statement *second, const struct oclmm_effects *between)
{
	struct oclmm_effects a = oclmm_statement_effects(first),
			     b = oclmm_statement_effects(second), with_a = *between,
			     with_b = *between;
	size_t i = number_of(finder, first), j = number_of(finder, second);
	unsigned cost = COST_MOVE * between->accesses;

	merge(&with_a, &a);
	merge(&with_b, &b);
	cost += a.location == b.location ? COST_SAME_OBJECT : 0;
	if (!between->accesses && is_simple(first) && is_simple(second)) {
		if (!oclmm_effects_depend(&a, &with_b) && !oclmm_effects_depend(&b, &with_a))
			add(finder, OCLMM_STEP_EXCHANGE, i, j, cost);
		return;
	}
	if (is_simple(first) && !oclmm_effects_depend(&a, &with_b))
		add(finder, OCLMM_STEP_LATE, i, j, cost + COST_MOVE);
	if (is_simple(second) && !oclmm_effects_depend(&b, &with_a))
		add(finder, OCLMM_STEP_EARLY, j, i, cost + COST_MOVE);
}

static void find_moves(struct finder *finder, const struct oclmm_statement *first)
{
	struct oclmm_effects between = {0};

	if (!oclmm_statement_effects(first).accesses)
		return;
	for (const struct oclmm_statement *s = first->next; s; s = s->next) {
		struct oclmm_effects effects = oclmm_statement_effects(s);

		if (effects.accesses)
			find_pair(finder, first, s, &between);
		merge(&between, &effects);
	}
}

/* An access to memory over a barrier, with no other access behind it. */
static void find_over_barrier(struct finder *finder, const struct oclmm_statement *barrier,
                              const struct oclmm_statement *block)
{
	const struct oclmm_statement *before = NULL;

	for (const struct oclmm_statement *s = block; s != barrier; s = s->next)
		before = is_simple(s) && oclmm_statement_effects(s).accesses ? s : before;
	if (before)
		add(finder, OCLMM_STEP_LATE, number_of(finder, before), number_of(finder, barrier),
		    COST_MOVE);
	for (const struct oclmm_statement *s = barrier->next; s; s = s->next) {
		if (!is_simple(s) || !oclmm_statement_effects(s).accesses)
			continue;
		add(finder, OCLMM_STEP_EARLY, number_of(finder, s), number_of(finder, barrier),
		    COST_MOVE);
		return;
	}
}

/* The first statement of a branch before the branch, and before what its condition depends on. */
static void find_hoists(struct finder *finder, const struct oclmm_statement *branch,
                        const struct oclmm_statement *block)
{
	const struct oclmm_statement *inner = branch->branch.then_body;
	struct oclmm_effects effects;

	if (!inner || !is_simple(inner))
		return;
	effects = oclmm_statement_effects(inner);
	for (const struct oclmm_statement *to = block; effects.accesses; to = to->next) {
		uint64_t written = 0;

		for (const struct oclmm_statement *s = to; s != branch; s = s->next)
			written |= oclmm_statement_effects(s).writes;
		if (!(effects.reads & written) && !oclmm_is_arithmetic(to))
			add(finder, OCLMM_STEP_HOIST, number_of(finder, inner),
			    number_of(finder, to), COST_HOIST);
		if (to == branch)
			return;
	}
}

/* A register that takes what one load of a scalar, or of a fixed element, reads. */
static const struct oclmm_place *loaded_place(const struct oclmm_statement *statement)
{
	const struct oclmm_expression *value;

	if (statement->kind != OCLMM_STATEMENT_ASSIGN)
		return NULL;
	value = statement->assign.value;
	if (value->kind == OCLMM_EXPRESSION_LOAD)
		return &value->load;
	if (value->kind == OCLMM_EXPRESSION_ATOMIC && value->atomic->op == OCLMM_OP_LOAD)
		return &value->atomic->object;
	return NULL;
}

static bool same_place(const struct oclmm_place *a, const struct oclmm_place *b)
{
	if (a->location != b->location)
		return false;
	if (!a->index || !b->index)
		return !a->index && !b->index;
	return a->index->kind == OCLMM_EXPRESSION_CONSTANT &&
	       b->index->kind == OCLMM_EXPRESSION_CONSTANT &&
	       a->index->constant == b->index->constant;
}

/* A later load of the same in the same block, while the register still has the value. */
static void find_reuse(struct finder *finder, const struct oclmm_statement *first)
{
	const struct oclmm_place *place = loaded_place(first);

	for (const struct oclmm_statement *s = first->next; place && s; s = s->next) {
		const struct oclmm_place *other = loaded_place(s);

		if (other && same_place(place, other))
			add(finder, OCLMM_STEP_REUSE, number_of(finder, s),
			    number_of(finder, first), COST_REUSE);
		if (oclmm_statement_effects(s).writes & oclmm_register_bit(first->assign.reg))
			return;
	}
}

static bool is_store(const struct oclmm_statement *statement)
{
	return statement->kind == OCLMM_STATEMENT_STORE ||
	       (statement->kind == OCLMM_STATEMENT_EVALUATE &&
	        statement->effect->kind == OCLMM_EXPRESSION_ATOMIC &&
	        oclmm_operation_writes(statement->effect->atomic->op));
}

/* A store of what a load in front of it read. */
static void find_again(struct finder *finder, const struct oclmm_statement *store,
                       const struct oclmm_statement *block)
{
	const struct oclmm_statement *load = NULL;
	uint32_t reg;

	if (!oclmm_change_stores_register(store, &reg))
		return;
	for (const struct oclmm_statement *s = block; s != store; s = s->next) {
		struct oclmm_effects effects = oclmm_statement_effects(s);

		/* when it is made again its index must still be what it was */
		if (effects.writes & oclmm_register_bit(reg))
			load = loaded_place(s) && !(effects.reads & oclmm_register_bit(reg)) ? s
			                                                                     : NULL;
	}
	if (load)
		add(finder, OCLMM_STEP_AGAIN, number_of(finder, store), number_of(finder, load),
		    COST_AGAIN);
}

static void find_steps(struct finder *finder, const struct oclmm_statement *block)
{
	for (const struct oclmm_statement *s = block; s; s = s->next) {
		size_t number = number_of(finder, s);

		find_moves(finder, s);
		find_reuse(finder, s);
		if (oclmm_change_can_split(s))
			add(finder, OCLMM_STEP_SPLIT, number, number, 0);
		if (oclmm_change_can_halve(finder->program, s))
			add(finder, OCLMM_STEP_HALVES, number, number, 0);
		if (is_store(s))
			add(finder, OCLMM_STEP_DROP, number, number, COST_DROP);
		if (oclmm_change_can_reload(s))
			add(finder, OCLMM_STEP_RELOAD, number, number, COST_RELOAD);
		if (oclmm_change_can_always(s))
			add(finder, OCLMM_STEP_ALWAYS, number, number, COST_ALWAYS);
		find_again(finder, s, block);
		if (s->kind == OCLMM_STATEMENT_BARRIER)
			find_over_barrier(finder, s, block);
		if (s->kind == OCLMM_STATEMENT_IF) {
			find_hoists(finder, s, block);
			find_steps(finder, s->branch.then_body);
			find_steps(finder, s->branch.else_body);
		}
		if (s->kind == OCLMM_STATEMENT_WHILE)
			find_steps(finder, s->loop.body);
	}
}

void control_steps(const struct oclmm_program *program, struct steps *ret_steps)
{
	*ret_steps = (struct steps){0};
	for (uint32_t t = 0; t < program->thread_count; t++) {
		struct finder finder = {.program = program, .thread = t, .steps = ret_steps};

		control_list(&program->threads[t].body, &finder.list);
		find_steps(&finder, program->threads[t].body);
		free(finder.list.links);
	}
}
