// SPDX-License-Identifier: Apache-2.0
/*
 * The moved controls of a test. Which single wrong steps a program has; which of the programs that
 * come of them show what the test forbids, by interleaving alone; and which outcomes of a program
 * need no two threads at the same time.
 *
 * Whether a step keeps what one work-item sees of itself is asked of registers only: to make two
 * accesses of one object trade places is just what a compiler must not do, and tests of coherence
 * look for it.
 */
#include "oclmm/control.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "oclmm/change.h"
#include "oclmm/model.h"
#include "oclmm/model_execution.h"
#include "oclmm/syntax.h"

/* No program of a litmus test has more candidate executions; one that does is given up. */
enum { CANDIDATES_MOST = 1 << 20 };

#define BIT(n) ((oclmm_events)1 << (n))

/* One step of one program, by statement numbers, so that it holds for any copy. */
struct step {
	enum oclmm_moved_step kind;
	uint32_t thread;
	uint32_t from, to; /* statements of the thread, from 0 in the order of the text */
	unsigned cost;     /* how unlike the program becomes; the order of choice */
};

struct steps {
	struct step *items;
	size_t count, capacity;
};

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

/* A statement that only computes with registers. */
static bool is_arithmetic(const struct oclmm_statement *statement)
{
	return statement->kind == OCLMM_STATEMENT_ASSIGN &&
	       !oclmm_statement_effects(statement).accesses;
}

/* The link of the earliest place in the block where the statement behind `link` may stand. */
static struct oclmm_statement **earliest(struct oclmm_statement **block,
                                         struct oclmm_statement **link)
{
	struct oclmm_effects effects = oclmm_statement_effects(*link);
	struct oclmm_statement **place = block;

	for (struct oclmm_statement **at = block; at != link; at = &(*at)->next) {
		struct oclmm_effects crossed = oclmm_statement_effects(*at);

		if (is_arithmetic(*at) || oclmm_effects_depend(&effects, &crossed))
			place = &(*at)->next;
	}
	return place;
}

/*
 * Moves what only computes as far up in its block as its registers allow, so that it is in nobody's
 * way. No other work-item can tell.
 */
static void settle(struct oclmm_statement **block)
{
	for (struct oclmm_statement **link = block; *link; link = &(*link)->next) {
		struct oclmm_statement **place, *statement = *link;
		struct oclmm_parts parts;

		oclmm_statement_parts(statement, &parts);
		for (unsigned i = 0; i < parts.body_count; i++)
			settle(parts.bodies[i]);
		place = is_arithmetic(statement) ? earliest(block, link) : link;
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

/* The statements of a thread in the order of the text: each by the link that leads to it. */
struct place_list {
	struct oclmm_statement ***links; /* malloc-ed */
	size_t count, capacity;
};

static void list_places(struct oclmm_statement **link, struct place_list *list)
{
	for (; *link; link = &(*link)->next) {
		struct oclmm_parts parts;

		oclmm_grow(&list->links, &list->capacity, list->count, sizeof(*list->links));
		list->links[list->count++] = link;
		oclmm_statement_parts(*link, &parts);
		for (unsigned i = 0; i < parts.body_count; i++)
			list_places(parts.bodies[i], list);
	}
}

/* As names have it: from 1, arithmetic left out. */
static uint32_t number_of_place(const struct place_list *list, uint32_t place)
{
	uint32_t number = 0;

	for (size_t i = 0; i < list->count && i <= place; i++)
		number += !is_arithmetic(*list->links[i]);
	return number;
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
		if (!(effects.reads & written) && !is_arithmetic(to))
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
		if (oclmm_step_possible(OCLMM_STEP_SPLIT, finder->program, s))
			add(finder, OCLMM_STEP_SPLIT, number, number, 0);
		if (oclmm_step_possible(OCLMM_STEP_HALVES, finder->program, s))
			add(finder, OCLMM_STEP_HALVES, number, number, 0);
		if (is_store(s))
			add(finder, OCLMM_STEP_DROP, number, number, COST_DROP);
		if (oclmm_step_possible(OCLMM_STEP_RELOAD, finder->program, s))
			add(finder, OCLMM_STEP_RELOAD, number, number, COST_RELOAD);
		if (oclmm_step_possible(OCLMM_STEP_ALWAYS, finder->program, s))
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

static int compare_steps(const void *a, const void *b)
{
	const struct step *x = a, *y = b;
	int order = oclmm_compare_numbers(x->cost, y->cost);

	order = order ? order : oclmm_compare_numbers(x->kind, y->kind);
	order = order ? order : oclmm_compare_numbers(x->thread, y->thread);
	order = order ? order : oclmm_compare_numbers(x->from, y->from);
	return order ? order : oclmm_compare_numbers(x->to, y->to);
}

/* All steps that a program has, the cheapest first; `items` is malloc-ed. */
static void list_steps(const struct oclmm_program *program, struct oclmm_arena *arena,
                       struct steps *ret_steps)
{
	struct oclmm_program *settled = oclmm_program_copy(arena, program);

	*ret_steps = (struct steps){0};
	for (uint32_t t = 0; t < settled->thread_count; t++) {
		struct finder finder = {.program = settled, .thread = t, .steps = ret_steps};

		settle(&settled->threads[t].body);
		list_places(&settled->threads[t].body, &finder.list);
		find_steps(&finder, settled->threads[t].body);
		free(finder.list.links);
	}
	if (ret_steps->count)
		qsort(ret_steps->items, ret_steps->count, sizeof(*ret_steps->items), compare_steps);
}

/* ---- interleaving ---- */

/*
 * Which outcomes come of interleaving alone: those of candidate executions in
 * which program order, reads-from, modification order, from-reads and the order
 * of barriers have no cycle together. Races do not matter: what a wrong compiler
 * made runs all the same.
 */

struct search {
	const struct oclmm_program *program;
	const struct oclmm_expected *expected;
};

static bool is_wanted(void *data, const int64_t *values)
{
	const struct search *search = data;

	return values &&
	       oclmm_expected_status(search->expected, values, NULL) == OCLMM_STATUS_FORBIDDEN &&
	       (!search->program->filter ||
	        oclmm_condition_holds(search->program, search->program->filter, values));
}

/* Successors of an event in the order that an interleaving has to keep. */
static oclmm_events successors(const struct oclmm_execution *x, unsigned event)
{
	const struct oclmm_event *e = &x->event[event];
	oclmm_events next = x->sb[event] | x->mo[event];

	for (unsigned read = 0; read < x->count; read++)
		if (oclmm_event_reads(&x->event[read]) && x->rf[read] == event)
			next |= BIT(read);
	/* what it reads is overwritten only later */
	if (oclmm_event_reads(e))
		next |= x->mo[x->rf[event]] & ~BIT(event);
	/* a copy is made before anybody's wait for it is over */
	OCLMM_FOR_EACH_EVENT(to, e->copied || e->entry ? oclmm_execution_sw(x, event) : 0)
	if (e->copied || (x->event[to].barrier && !x->event[to].entry))
		next |= BIT(to);
	return next;
}

static bool is_acyclic(const oclmm_events *next, unsigned count)
{
	oclmm_events left = count == OCLMM_MAX_EVENTS ? ~(oclmm_events)0 : BIT(count) - 1;

	/* takes out what leads to nothing that is left, until nothing is left or all is in cycles
	 */
	for (bool taken = true; left && taken;) {
		taken = false;
		OCLMM_FOR_EACH_EVENT(i, left)
		{
			if (next[i] & left)
				continue;
			left &= ~BIT(i);
			taken = true;
		}
	}
	return !left;
}

static bool is_interleaving(const struct oclmm_execution *x)
{
	oclmm_events next[OCLMM_MAX_EVENTS];

	for (unsigned i = 0; i < x->count; i++)
		next[i] = successors(x, i);
	return is_acyclic(next, x->count);
}

static int find_interleaving(void *data, const struct oclmm_execution *execution)
{
	(void)data;
	return is_interleaving(execution) ? -ECANCELED : 0;
}

/* Whether sequentially consistent interleaving of the program reaches a forbidden outcome. */
static bool reaches(const struct oclmm_program *program, const struct oclmm_expected *expected)
{
	struct search search = {program, expected};
	const struct oclmm_visit_options options = {
		/* whatever memory it orders, a collective function has all work-items wait */
		.reading = {OCLMM_MODEL_OPENCL_3_1, 1u << OCLMM_KNOB_K16},
		.wanted = is_wanted,
		.visit = find_interleaving,
		.data = &search,
		.limit = CANDIDATES_MOST,
	};
	struct oclmm_error error;

	return oclmm_executions(program, &options, &error) == -ECANCELED;
}

/* ---- by which outcomes a control is counted ---- */

/*
 * By which outcomes a moved control is counted. What a wrong compiler made may show values that
 * the test never does; a device keeps what it has no counter for instance by instance, and all of
 * a launch may be such.
 */

struct gathering {
	struct oclmm_arena *arena;
	struct oclmm_outcome_space *space;
	uint32_t added; /* values that the test's space does not have */
};

/* In ascending order, as the others stand. */
static void insert(struct gathering *gathering, struct oclmm_outcome_domain *domain, uint32_t at,
                   int64_t value)
{
	int64_t *values = OCLMM_NEW_ARRAY(gathering->arena, int64_t, domain->count + 1);

	if (at)
		memcpy(values, domain->values, at * sizeof(*values));
	if (at < domain->count)
		memcpy(values + at + 1, domain->values + at,
		       (domain->count - at) * sizeof(*values));
	values[at] = value;
	domain->values = values;
	domain->count++;
	gathering->added++;
}

static void add_value(struct gathering *gathering, struct oclmm_outcome_domain *domain,
                      int64_t value)
{
	uint32_t at = 0;

	while (at < domain->count && domain->values[at] < value)
		at++;
	if (at == domain->count || domain->values[at] != value)
		insert(gathering, domain, at, value);
}

/* Takes what a candidate shows, and wants none of them looked at further. */
static bool gather(void *data, const int64_t *values)
{
	struct gathering *gathering = data;

	for (uint32_t i = 0; values && i < gathering->space->observable_count; i++)
		add_value(gathering, &gathering->space->domains[i], values[i]);
	return false;
}

static int visit_none(void *data, const struct oclmm_execution *execution)
{
	(void)data;
	(void)execution;
	return 0;
}

/* The expected set's own space where the program shows nothing else; what is new is the arena's.
 * `*ret_whole`: no execution has other values. */
static const struct oclmm_outcome_space *find_space(struct oclmm_arena *arena,
                                                    const struct oclmm_program *program,
                                                    const struct oclmm_expected *expected,
                                                    bool *ret_whole)
{
	const struct oclmm_outcome_space *own = &expected->space;
	struct oclmm_outcome_space *space = OCLMM_NEW(arena, struct oclmm_outcome_space);
	struct gathering gathering = {arena, space, 0};
	const struct oclmm_visit_options options = {
		.reading = {.regime = OCLMM_MODEL_OPENCL_3_1},
		.wanted = gather,
		.visit = visit_none,
		.data = &gathering,
		.limit = CANDIDATES_MOST,
	};
	struct oclmm_error ignored;

	space->observable_count = own->observable_count;
	space->domains = oclmm_arena_copy(arena, own->domains,
	                                  own->observable_count * sizeof(*own->domains));
	/* of a program with too many candidates, what the first of them show */
	*ret_whole = oclmm_executions(program, &options, &ignored) == 0;
	if (!gathering.added)
		return own;
	oclmm_outcome_space_number(space);
	if (space->size < UINT32_MAX)
		return space;
	*ret_whole = false;
	return own;
}

/* ---- making a step ---- */

/* Makes a step in a copy, of whose thread `list` has the statements. */
static void apply(struct oclmm_program *copy, struct oclmm_arena *arena, const struct step *step,
                  const struct place_list *list)
{
	const struct oclmm_edit edit = {copy, arena, step->thread};
	struct oclmm_statement **from = list->links[step->from], **to = list->links[step->to];

	oclmm_change_step(&edit, step->kind, from, to);
}

/* ---- choosing ---- */

/* What a step is called, and where it is made; `list` is of its thread before it. */
static void describe(struct oclmm_arena *arena, const struct oclmm_program *program,
                     const struct step *step, const struct place_list *list,
                     struct oclmm_moved *moved)
{
	const char *word = oclmm_step_word(step->kind);
	uint32_t id = program->threads[step->thread].id;

	moved->step = step->kind;
	moved->thread = step->thread;
	moved->from = number_of_place(list, step->from);
	moved->to = number_of_place(list, step->to);
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

	settle(&copy->threads[step->thread].body);
	list_places(&copy->threads[step->thread].body, &list);
	describe(arena, copy, step, &list, moved);
	/* a step is between statements that there are */
	if (list.links)
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
	if (!reaches(copy, expected))
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

/* ---- a text that work-items share ----
 *
 * Its controls are that text after one wrong step, such as a compiler takes that cuts kernels at
 * their barriers. What such a text shows is found by playing it, work-item after work-item up to
 * the next barrier, and statement by statement.
 */

struct text_controls {
	struct oclmm_controls *controls;
	const struct oclmm_program *program;
	const struct oclmm_expected *expected;
	int64_t *values; /* of an outcome */
	uint32_t sure;   /* controls that show it in any order; they stand in front */
};

/* Whether it shows what the test forbids, when it is played in this order. */
static bool shows(const struct text_controls *d, const struct oclmm_program *changed,
                  enum oclmm_play order)
{
	if (oclmm_play_in_step(changed, order, d->values) < 0)
		return false;
	if (changed->filter && !oclmm_condition_holds(changed, changed->filter, d->values))
		return false;
	return oclmm_expected_status(d->expected, d->values, NULL) == OCLMM_STATUS_FORBIDDEN;
}

/* The program with another text, read anew. NULL: that is no test. */
static struct oclmm_litmus *read_changed(const struct text_controls *d, const char *body)
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
static const char *name_of(const struct text_controls *d, const struct oclmm_text_step *step)
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

static void put(struct text_controls *d, const struct oclmm_moved *moved, bool sure)
{
	struct oclmm_controls *controls = d->controls;
	uint32_t at = sure ? d->sure++ : controls->count;

	memmove(&controls->moved[at + 1], &controls->moved[at],
	        (controls->count++ - at) * sizeof(*moved));
	controls->moved[at] = *moved;
}

static void try_text_step(struct text_controls *d, const struct oclmm_text_step *step)
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

/* What oclmm_controls_derive() gives for a text that work-items share. */
static void derive_of_text(struct oclmm_controls *controls, const struct oclmm_program *program,
                           const struct oclmm_expected *expected, uint32_t limit)
{
	struct text_controls d = {
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
		try_text_step(&d, &steps.items[i]);
		controls->tried++;
	}
	if (limit && controls->count > limit)
		controls->count = limit;
	free(d.values);
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

/* The first control found and EVERYWHERE: no more are wanted as a rule. */
enum { FEW = 2 };

/* Whether threads can make steps together. */
static bool are_of_several(const struct steps *steps)
{
	for (size_t i = 1; i < steps->count; i++) {
		if (steps->items[i].thread != steps->items[0].thread)
			return true;
	}
	return false;
}

static bool has_everywhere(const struct oclmm_controls *controls)
{
	for (uint32_t i = 0; i < controls->count && i < FEW; i++) {
		if (controls->moved[i].step == OCLMM_STEP_EVERYWHERE)
			return true;
	}
	return false;
}

/* Most of the time of deriving goes into what a step shows. Of `few`, steps that change neither the
 * first control nor EVERYWHERE are not tried. */
static void try_steps(struct oclmm_controls *controls, const struct oclmm_program *program,
                      const struct oclmm_expected *expected, const struct steps *steps, bool few)
{
	struct everywhere everywhere = {0};

	for (size_t i = 0; i < steps->count; i++) {
		const struct step *step = &steps->items[i];

		if (few && controls->count &&
		    (step->kind == OCLMM_STEP_DROP || everywhere.shows[step->thread]))
			continue;
		note_step(&everywhere, step, try_step(controls, program, expected, step));
	}
	spread(controls);
	try_everywhere(controls, program, expected, &everywhere);
}

int oclmm_controls_derive(const struct oclmm_program *program,
                          const struct oclmm_expected *expected, uint32_t limit,
                          struct oclmm_controls **ret_controls)
{
	struct oclmm_controls *controls;
	struct steps steps;
	bool few;

	/* what commands do, and when a child kernel begins, is nothing that a compiler decides */
	if (!oclmm_expected_forbids(expected) || oclmm_program_has_commands(program) ||
	    oclmm_program_has_children(program))
		return -ENOENT;
	controls = oclmm_calloc(1, sizeof(*controls));
	controls->arena = oclmm_arena_create();
	if (program->shared) {
		derive_of_text(controls, program, expected, limit);
		*ret_controls = controls;
		return 0;
	}
	list_steps(program, controls->arena, &steps);
	controls->moved = OCLMM_NEW_ARRAY(controls->arena, struct oclmm_moved, steps.count + 2);
	controls->tried = (uint32_t)steps.count;
	few = limit && limit <= FEW && are_of_several(&steps);
	try_steps(controls, program, expected, &steps, few);
	if (few && !has_everywhere(controls)) {
		controls->count = 0;
		try_steps(controls, program, expected, &steps, false);
	}
	free(steps.items);
	cut_off(controls, limit);
	for (uint32_t i = 0; i < controls->count; i++)
		controls->moved[i].space = find_space(controls->arena, controls->moved[i].program,
		                                      expected, &controls->moved[i].whole);
	*ret_controls = controls;
	return 0;
}

void oclmm_controls_destroy(struct oclmm_controls *controls)
{
	if (!controls)
		return;
	for (uint32_t i = 0; i < controls->text_count; i++)
		oclmm_litmus_destroy(controls->texts[i]);
	oclmm_arena_destroy(controls->arena);
	free(controls);
}

/* ---- roles that never met ---- */

/*
 * An execution is serial when its threads, cut at barriers into phases, can be
 * put into an order one phase after the other: the order that an interleaving
 * keeps has no cycle between phases.
 */

/* The exits that wait for a barrier's entry. Whatever memory it orders, work-items wait there. */
static oclmm_events waiting(const struct oclmm_program *program, const struct oclmm_execution *x,
                            unsigned entry)
{
	const struct oclmm_event *e = &x->event[entry];
	oclmm_events exits = 0;

	if (!e->barrier || !e->entry)
		return 0;
	for (unsigned i = 0; i < x->count; i++) {
		const struct oclmm_event *exit = &x->event[i];

		if (exit->barrier && !exit->entry && exit->sub_group == e->sub_group &&
		    exit->instance == e->instance && exit->thread != e->thread &&
		    oclmm_same_group(&program->threads[e->thread].placement,
		                     &program->threads[exit->thread].placement, e->sub_group))
			exits |= BIT(i);
	}
	return exits;
}

struct collection {
	const struct oclmm_program *program;
	struct oclmm_serial *serial;
	size_t capacity;
	/* outcomes of interleavings that are not serial themselves */
	int64_t *others;
	size_t other_count, other_capacity;
};

static bool has(const int64_t *values, size_t count, uint32_t width, const int64_t *wanted)
{
	for (size_t i = 0; i < count; i++) {
		if (width == 0 || memcmp(values + i * width, wanted, width * sizeof(*values)) == 0)
			return true;
	}
	return false;
}

static void add_outcome(int64_t **values, size_t *count, size_t *capacity, uint32_t width,
                        const int64_t *outcome)
{
	size_t held = *count * width;

	if (has(*values, *count, width, outcome))
		return;
	for (uint32_t i = 0; i < width; i++) {
		oclmm_grow(values, capacity, held, sizeof(**values));
		(*values)[held++] = outcome[i];
	}
	++*count;
}

/* How many barriers of its own thread an event stands behind. */
static unsigned phase_of(const struct oclmm_execution *x, unsigned event)
{
	unsigned phase = 0;

	for (unsigned i = 0; i < x->count; i++)
		phase += x->event[i].barrier && x->event[i].entry &&
		         x->event[i].thread == x->event[event].thread && (x->sb[i] >> event & 1);
	return phase;
}

/* The first event of the same phase stands for it. */
static void find_phases(const struct oclmm_execution *x, unsigned *ret_phases)
{
	unsigned phases[OCLMM_MAX_EVENTS];

	for (unsigned i = 0; i < x->count; i++) {
		phases[i] = phase_of(x, i);
		ret_phases[i] = i;
		for (unsigned k = 0; k < i && ret_phases[i] == i; k++) {
			if (x->event[i].thread >= 0 && x->event[k].thread == x->event[i].thread &&
			    phases[k] == phases[i])
				ret_phases[i] = k;
		}
	}
}

static bool is_serial(const struct oclmm_execution *x, const oclmm_events *after)
{
	oclmm_events next[OCLMM_MAX_EVENTS] = {0};
	unsigned phase[OCLMM_MAX_EVENTS];

	find_phases(x, phase);
	for (unsigned i = 0; i < x->count; i++) {
		for (unsigned k = 0; k < x->count; k++) {
			if ((after[i] >> k & 1) && phase[i] != phase[k])
				next[phase[i]] |= BIT(phase[k]);
		}
	}
	return is_acyclic(next, x->count);
}

static int collect(void *data, const struct oclmm_execution *x)
{
	struct collection *collection = data;
	struct oclmm_serial *serial = collection->serial;
	oclmm_events after[OCLMM_MAX_EVENTS];

	for (unsigned i = 0; i < x->count; i++)
		after[i] = successors(x, i) | waiting(collection->program, x, i);
	if (!x->values || !is_acyclic(after, x->count))
		return 0;
	if (is_serial(x, after))
		add_outcome(&serial->values, &serial->count, &collection->capacity, serial->width,
		            x->values);
	else
		add_outcome(&collection->others, &collection->other_count,
		            &collection->other_capacity, serial->width, x->values);
	return 0;
}

int oclmm_serial_find(const struct oclmm_program *program, struct oclmm_serial **ret_serial)
{
	struct collection collection = {
		.program = program,
		.serial = oclmm_calloc(1, sizeof(*collection.serial)),
	};
	const struct oclmm_visit_options options = {
		.reading = {.regime = OCLMM_MODEL_OPENCL_3_1},
		.visit = collect,
		.data = &collection,
		.limit = CANDIDATES_MOST,
	};
	struct oclmm_serial *serial = collection.serial;
	struct oclmm_error error;
	int r;

	serial->width = program->observable_count;
	r = oclmm_executions(program, &options, &error);
	serial->others = collection.others;
	for (size_t i = 0; i < collection.other_count; i++) {
		const int64_t *values = collection.others + i * serial->width;

		if (!oclmm_serial_has(serial, values))
			memmove(serial->others + serial->other_count++ * serial->width, values,
			        serial->width * sizeof(*values));
	}
	if (r < 0) {
		oclmm_serial_destroy(serial);
		return r;
	}
	*ret_serial = serial;
	return 0;
}

bool oclmm_serial_has(const struct oclmm_serial *serial, const int64_t *values)
{
	return has(serial->values, serial->count, serial->width, values);
}

void oclmm_serial_destroy(struct oclmm_serial *serial)
{
	if (!serial)
		return;
	free(serial->values);
	free(serial->others);
	free(serial);
}

/* ---- barriers in branches ---- */

/* Whether the text has a meaning, read anew: that its work-items meet as the threads do. OpenCL 2.0
 * alone asks more of a loop with a barrier, that all turn equally often: a device that is held to
 * it may play such a text as it likes. */
static bool is_defined(const struct oclmm_program *fused, enum oclmm_model model)
{
	const bool asks_for_equal_turns = model == OCLMM_MODEL_OPENCL_2_0 ||
	                                  model == OCLMM_MODEL_CONSENSUS;
	const struct oclmm_check_options options = {.time_limit = 10};
	struct oclmm_litmus *litmus = NULL;
	struct oclmm_answer *answer = NULL;
	struct oclmm_text text = {0};
	struct oclmm_error ignored;
	bool defined = false;

	oclmm_program_print(&text, fused);
	if (oclmm_litmus_parse("fused", oclmm_text_string(&text), text.length, NULL, &ignored,
	                       &litmus) == 0 &&
	    oclmm_check(litmus->variants[0].program, &options, &ignored, &answer) == 0)
		defined = !answer->undefined[OCLMM_MODEL_OPENCL_2_1] &&
		          !answer->undefined[OCLMM_MODEL_OPENCL_3_1] &&
		          !(asks_for_equal_turns && answer->undefined[OCLMM_MODEL_OPENCL_2_0]);
	oclmm_answer_destroy(answer);
	oclmm_litmus_destroy(litmus);
	oclmm_text_finish(&text);
	return defined;
}

const struct oclmm_program *oclmm_program_for_device(struct oclmm_arena *arena,
                                                     const struct oclmm_program *program,
                                                     enum oclmm_model model)
{
	const struct oclmm_program *fused;
	struct oclmm_error ignored;

	if (!oclmm_has_inner_barrier(program) || oclmm_fuse(arena, program, &ignored, &fused) < 0 ||
	    !is_defined(fused, model))
		return program;
	return fused;
}
