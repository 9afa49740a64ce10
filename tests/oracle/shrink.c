// SPDX-License-Identifier: Apache-2.0
/*
 * Makes a test smaller: drops threads and statements, weakens orders, shrinks
 * values, for as long as the test still shows what it is to show.
 */
#include <string.h>

#include "made.h"

void made_drop_statement(struct made_thread *thread, unsigned at)
{
	for (unsigned i = at; i + 1 < thread->count; i++)
		thread->statements[i] = thread->statements[i + 1];
	thread->count--;
	for (unsigned i = 0; i < thread->count; i++) {
		struct made_statement *s = &thread->statements[i];

		s->source = s->source == (int)at ? -1 : s->source - (s->source > (int)at);
		s->guard = s->guard == (int)at ? -1 : s->guard - (s->guard > (int)at);
	}
}

static void drop_thread(struct made *made, unsigned at)
{
	for (unsigned i = at; i + 1 < made->thread_count; i++)
		made->threads[i] = made->threads[i + 1];
	made->thread_count--;
}

/** Keeps a change if it still holds. */
static bool keep(struct made *made, const struct made *changed, made_predicate holds, void *data)
{
	if (!holds(changed, data))
		return false;
	*made = *changed;
	return true;
}

static bool shrink_threads(struct made *made, made_predicate holds, void *data)
{
	bool any = false;

	for (unsigned t = made->thread_count; t > 0 && made->thread_count > 1; t--) {
		struct made changed = *made;

		drop_thread(&changed, t - 1);
		any |= keep(made, &changed, holds, data);
	}
	return any;
}

static bool shrink_statements(struct made *made, made_predicate holds, void *data)
{
	bool any = false;

	for (unsigned t = 0; t < made->thread_count; t++)
		for (unsigned i = made->threads[t].count; i > 0; i--) {
			struct made changed = *made;

			made_drop_statement(&changed.threads[t], i - 1);
			any |= keep(made, &changed, holds, data);
		}
	return any;
}

/** The simplifications of one statement, by number. \return false past the last. */
static bool simplify(struct made_statement *s, unsigned number)
{
	switch (number) {
	case 0:
		s->order = s->kind == MADE_FENCE ? OCLMM_ORDER_ACQ_REL : OCLMM_ORDER_RELAXED;
		s->failure = OCLMM_ORDER_RELAXED;
		s->legacy = false;
		return true;
	case 1: s->guard = -1; return true;
	case 2: s->source = -1; return true;
	case 3: s->value = 1; return true;
	case 4: s->scope = OCLMM_SCOPE_DEVICE; return true;
	case 5:
		if (s->kind == MADE_ATOMIC && s->op > OCLMM_OP_STORE &&
		    s->op < OCLMM_OP_FLAG_TEST_AND_SET)
			s->op = OCLMM_OP_EXCHANGE;
		return true;
	case 6:
		if (s->kind == MADE_ATOMIC && s->op == OCLMM_OP_EXCHANGE &&
		    s->order != OCLMM_ORDER_ACQUIRE && s->order != OCLMM_ORDER_ACQ_REL)
			s->op = OCLMM_OP_STORE;
		return true;
	case 7:
		s->adds_nothing = false;
		s->guard_differs = false;
		return true;
	case 8: s->use = USE_RESULT; return true;
	default: break;
	}
	number -= 9;
	if (s->kind != MADE_TREE || number >= 2 * MADE_MAX_NODES)
		return false;
	if (number < MADE_MAX_NODES)
		s->nodes[number].kind = NODE_CONSTANT;
	else
		s->nodes[number - MADE_MAX_NODES].order = OCLMM_ORDER_RELAXED;
	return true;
}

static bool is_same(const struct made_statement *a, const struct made_statement *b)
{
	return a->order == b->order && a->failure == b->failure && a->guard == b->guard &&
	       a->source == b->source && a->value == b->value && a->scope == b->scope &&
	       a->op == b->op && a->adds_nothing == b->adds_nothing &&
	       a->guard_differs == b->guard_differs && a->use == b->use &&
	       memcmp(a->nodes, b->nodes, sizeof(a->nodes)) == 0;
}

static bool shrink_details(struct made *made, made_predicate holds, void *data)
{
	bool any = false;

	for (unsigned t = 0; t < made->thread_count; t++)
		for (unsigned i = 0; i < made->threads[t].count; i++)
			for (unsigned number = 0;; number++) {
				struct made changed = *made;

				if (!simplify(&changed.threads[t].statements[i], number))
					break;
				if (!is_same(&changed.threads[t].statements[i],
				             &made->threads[t].statements[i]))
					any |= keep(made, &changed, holds, data);
			}
	return any;
}

static bool shrink_objects(struct made *made, made_predicate holds, void *data)
{
	bool any = false;

	for (unsigned i = 0; i < made->object_count; i++) {
		struct made changed = *made;

		changed.objects[i].initial = 0;
		changed.objects[i].wide = false;
		changed.objects[i].type = changed.objects[i].flag ? OCLMM_TYPE_FLAG
		                                                  : OCLMM_TYPE_INT;
		if (changed.objects[i].initial != made->objects[i].initial ||
		    changed.objects[i].type != made->objects[i].type)
			any |= keep(made, &changed, holds, data);
	}
	if (made->observe_memory) {
		struct made changed = *made;

		changed.observe_memory = false;
		any |= keep(made, &changed, holds, data);
	}
	return any;
}

void made_shrink(struct made *made, made_predicate holds, void *data)
{
	/* statement 2 may be reached only when statement 1 is gone: repeat until nothing changes */
	while (shrink_threads(made, holds, data) || shrink_statements(made, holds, data) ||
	       shrink_objects(made, holds, data) || shrink_details(made, holds, data))
		;
}
