// SPDX-License-Identifier: Apache-2.0
/* Decisions, symbols and events of a run. */
#include <errno.h>

#include "walk.h"

void oclmm_walk_fail(struct walk *w, int code, struct oclmm_position position, const char *message)
{
	if (w->state == FAILED)
		return;
	w->state = FAILED;
	w->failure = code;
	w->failure_position = position;
	w->failure_message = message;
}

/* The next decision among `ways`; a new choice starts at 0. */
unsigned oclmm_walk_choose(struct walk *w, unsigned ways)
{
	if (w->choice_next == w->choice_count) {
		if (w->choice_count == MAX_CHOICES) {
			oclmm_walk_fail(w, -E2BIG, w->thread->position,
			                "thread branches too often for the oracle");
			return 0;
		}
		w->decision[w->choice_count] = 0;
		w->ways[w->choice_count++] = ways;
	}
	return w->decision[w->choice_next++];
}

/* ---- symbols --------------------------------------------------------- */

struct symbol *oclmm_walk_symbol(struct walk *w, enum symbol_kind kind, enum oclmm_type type,
                                 const struct symbol *left, const struct symbol *right)
{
	struct symbol *s = OCLMM_NEW(w->arena, struct symbol);

	s->kind = kind;
	s->type = type;
	s->left = left;
	s->right = right;
	s->reads = (left ? left->reads : 0) | (right ? right->reads : 0);
	return s;
}

const struct symbol *oclmm_walk_constant(struct walk *w, enum oclmm_type type, int64_t value)
{
	struct symbol *s = oclmm_walk_symbol(w, SYMBOL_CONSTANT, type, NULL, NULL);

	s->constant = oclmm_value_wrap(type, value);
	return s;
}

const struct symbol *oclmm_walk_convert(struct walk *w, enum oclmm_type type,
                                        const struct symbol *value)
{
	if (value->type == type)
		return value;
	if (value->kind == SYMBOL_CONSTANT && !value->reads)
		return oclmm_walk_constant(w, type, value->constant);
	return oclmm_walk_symbol(w, SYMBOL_CONVERT, type, value, NULL);
}

/* Notes a value whose arithmetic is to be checked, and folds constants. */
const struct symbol *oclmm_walk_arithmetic(struct walk *w, struct symbol *s,
                                           struct oclmm_position position)
{
	enum oclmm_undefined undefined = OCLMM_UNDEFINED_NOT;

	s->position = position;
	if (!s->reads) {
		int64_t value = oclmm_symbol_value(s, NULL, &undefined);

		if (undefined == OCLMM_UNDEFINED_NOT)
			return oclmm_walk_constant(w, s->type, value);
	}
	if (w->computed_count == MAX_COMPUTED)
		oclmm_walk_fail(w, -E2BIG, position, "thread computes too much for the oracle");
	else
		w->computed[w->computed_count++] = s;
	return s;
}

const struct symbol *oclmm_walk_compare(struct walk *w, const struct symbol *a,
                                        const struct symbol *b, struct oclmm_position position)
{
	enum oclmm_type type = oclmm_common_type(a->type, b->type);
	struct symbol *s = oclmm_walk_symbol(w, SYMBOL_BINARY, OCLMM_TYPE_INT,
	                                     oclmm_walk_convert(w, type, a),
	                                     oclmm_walk_convert(w, type, b));

	s->op = OCLMM_OPERATOR_EQ;
	s->operand_type = type;
	return oclmm_walk_arithmetic(w, s, position);
}

/* Requires a truth of a value; the path ends when that is already impossible. */
void oclmm_walk_require(struct walk *w, const struct symbol *condition, bool truth)
{
	if (condition->kind == SYMBOL_CONSTANT) {
		if ((condition->constant != 0) != truth && w->state == GOING)
			w->state = IMPOSSIBLE;
	} else if (w->constraint_count == MAX_CONSTRAINTS) {
		oclmm_walk_fail(w, -E2BIG, w->thread->position,
		                "thread branches too often for the oracle");
	} else {
		w->constraint[w->constraint_count++] = (struct constraint){condition, truth};
	}
}

/* Decides a branch, by the value when the path knows it, else by the script; the path learns from
 * it. */
bool oclmm_walk_branch(struct walk *w, const struct symbol *condition)
{
	const struct symbol *known = oclmm_walk_pinned(w, condition);
	bool taken = known->constant != 0;

	if (known->kind != SYMBOL_CONSTANT) {
		taken = oclmm_walk_choose(w, 2) == 0;
		oclmm_walk_require(w, condition, taken);
	}
	oclmm_walk_learn(w, condition, taken);
	return taken;
}

/* ---- events ---------------------------------------------------------- */

struct oclmm_event *oclmm_walk_event(struct walk *w, enum oclmm_event_kind kind, row before,
                                     struct oclmm_position position)
{
	if (w->event_count == MAX_EVENTS) {
		oclmm_walk_fail(w, -E2BIG, position, "more than 64 events in one thread");
		return &w->nowhere;
	}

	struct oclmm_event *e = &w->event[w->event_count];

	*e = (struct oclmm_event){.kind = kind,
	                          .thread = (int)w->thread_index,
	                          .position = position,
	                          .statement = w->statement};
	w->stored[w->event_count] = (struct stored){0};
	w->before[w->event_count++] = before;
	return e;
}

row oclmm_walk_last(const struct walk *w)
{
	return w->event_count ? BIT(w->event_count - 1) : 0;
}

/* An index that depends on a read is decided by the script: one way per element, one for
 * outside. */
static uint32_t choose_element(struct walk *w, const struct oclmm_place *place,
                               const struct oclmm_location *l, const struct symbol *index)
{
	if (index->kind == SYMBOL_CONSTANT) {
		if (index->constant >= 0 && (uint64_t)index->constant < l->elements)
			return (uint32_t)index->constant;
	} else {
		uint32_t element = oclmm_walk_choose(w, l->elements + 1);

		if (element < l->elements) {
			oclmm_walk_require(w,
			                   oclmm_walk_compare(w, index,
			                                      oclmm_walk_constant(w, index->type,
			                                                          element),
			                                      place->position),
			                   true);
			return element;
		}
		for (uint32_t i = 0; i < l->elements; i++)
			oclmm_walk_require(
				w,
				oclmm_walk_compare(w, index, oclmm_walk_constant(w, index->type, i),
			                           place->position),
				false);
	}
	if (w->state == GOING) {
		w->state = ENDED;
		w->undefined = OCLMM_UNDEFINED_INDEX;
		w->undefined_position = place->position;
	}
	return 0;
}

struct target oclmm_walk_target(struct walk *w, const struct oclmm_place *place, struct result *r)
{
	const struct oclmm_location *l = &w->program->locations[place->location];
	struct target t = {.place = place};

	if (place->index) {
		struct result index = oclmm_walk_evaluate(w, place->index, r->done & ~r->made);

		if (w->state == GOING)
			oclmm_walk_order_calls(w, r->made, index.made);
		r->done |= index.done;
		r->made |= index.made;
		if (w->state == GOING) {
			t.reads = index.value->reads;
			t.needed = oclmm_walk_pinned(w, index.value)->reads;
			t.element = choose_element(w, place, l, index.value);
		}
	}
	return t;
}

struct oclmm_event *oclmm_walk_access(struct walk *w, enum oclmm_event_kind kind,
                                      const struct target *t, struct result *r)
{
	const struct oclmm_location *l = &w->program->locations[t->place->location];

	if (w->state != GOING)
		return &w->nowhere;

	struct oclmm_event *e = oclmm_walk_event(w, kind, r->done, t->place->position);

	e->cell = l->first_cell + t->element;
	e->location = t->place->location;
	e->element = t->element;
	e->region = l->space;
	e->storage = l->storage;
	if (e != &w->nowhere)
		w->stored[e - w->event] = (struct stored){.reads = t->reads, .needed = t->needed};
	r->done |= oclmm_walk_last(w);
	r->made |= oclmm_walk_last(w);
	return e;
}

const struct symbol *oclmm_walk_read(struct walk *w, enum oclmm_type type)
{
	struct symbol *s = oclmm_walk_symbol(w, SYMBOL_READ, type, NULL, NULL);

	s->read = w->event_count ? w->event_count - 1 : 0;
	s->reads = oclmm_walk_last(w);
	/* where it is read from depends on the index */
	if (w->event_count)
		s->reads |= w->stored[s->read].reads;
	return s;
}

void oclmm_walk_store(struct walk *w, struct oclmm_event *e, const struct symbol *value)
{
	struct stored *stored;

	if (e == &w->nowhere)
		return;
	stored = &w->stored[e - w->event];
	stored->value = oclmm_walk_pinned(w, value);
	stored->reads |= value->reads;
	stored->needed |= stored->value->reads;
}
