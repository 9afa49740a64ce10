// SPDX-License-Identifier: Apache-2.0
/* Data races (A:3.3.9, glossary) and how they are told. */
#include <stdio.h>
#include <string.h>

#include "internal.h"

row oclmm_races_of(const struct combination *c, const struct view *v, const struct order *o,
                   unsigned a)
{
	const row *hb = o->hb[c->event[a].region];
	row races = v->racing[a] & (v->apart[a] | ~hb[a]);

	FOR_EACH (b, races & ~v->apart[a])
		if (hb[b] & BIT(a))
			races &= ~BIT(b);
	return races;
}

bool oclmm_find_race(const struct combination *c, const struct view *v, const struct order *o,
                     unsigned *ret_a, unsigned *ret_b)
{
	for (unsigned a = c->init_count; a < c->count; a++) {
		row races = v->racing[a] ? oclmm_races_of(c, v, o, a) : 0;

		if (!races)
			continue;
		*ret_a = a;
		*ret_b = (unsigned)__builtin_ctzll(races);
		return true;
	}
	return false;
}

int64_t oclmm_event_value(const struct candidate *x, unsigned event)
{
	const struct combination *c = x->c;
	const struct oclmm_event *e = &c->event[event];
	const struct oclmm_location *l = &c->program->locations[e->location];

	if (e->thread == THREAD_INIT)
		return l->initial[e->element];
	if (!oclmm_event_writes(e))
		return x->value[event];
	return oclmm_symbol_value(c->stored[event].value, x->value + c->first[e->thread], NULL);
}

static void print_cell(struct oclmm_text *text, const struct combination *c,
                       const struct oclmm_event *e)
{
	const struct oclmm_location *l = &c->program->locations[e->location];

	oclmm_text_add(text, l->name);
	if (l->is_array)
		oclmm_text_printf(text, "[%u]", e->element);
}

void oclmm_access_describe(const struct candidate *x, unsigned event, struct oclmm_access *ret)
{
	static const char *const letters[] = {"R", "W", "RMW", "F"};
	const struct combination *c = x->c;
	const struct oclmm_event *e = &c->event[event];
	const struct oclmm_location *l = &c->program->locations[e->location];
	struct oclmm_text text;

	oclmm_text_init(&text);
	oclmm_text_printf(&text, "%s ", e->barrier ? "barrier" : letters[e->kind]);
	if (e->kind != OCLMM_EVENT_FENCE) {
		print_cell(&text, c, e);
		oclmm_text_add(&text, "=");
		oclmm_value_print(&text, l->type, oclmm_event_value(x, event));
		oclmm_text_add(&text, " ");
	}
	oclmm_text_add(&text, oclmm_order_short(e->order));
	if (e->scope != OCLMM_SCOPE_NONE)
		oclmm_text_printf(&text, " %s", oclmm_scope_short(e->scope));
	ret->thread = e->thread < 0 ? 0 : (uint32_t)e->thread;
	ret->position = e->position;
	ret->statement = e->statement;
	snprintf(ret->text, sizeof(ret->text), "%s", oclmm_text_string(&text));
	oclmm_text_finish(&text);
}

static const char *why_unshielded(const struct oclmm_event *a, const struct oclmm_event *b)
{
	if (!oclmm_event_is_atomic(a) && !oclmm_event_is_atomic(b))
		return "both are plain accesses";
	if (!oclmm_event_is_atomic(a) || !oclmm_event_is_atomic(b))
		return "one of them is a plain access";
	if (a->scope != b->scope)
		return "their scopes are not inclusive with each other";
	return "their scope is too narrow for where they run";
}

void oclmm_witness_race(const struct candidate *x, unsigned a, unsigned b,
                        struct oclmm_witness *ret)
{
	const struct oclmm_event *ea = &x->c->event[a], *eb = &x->c->event[b];
	memset(ret, 0, sizeof(*ret));
	ret->reason = OCLMM_UNDEFINED_RACE;
	oclmm_access_describe(x, a, &ret->a);
	oclmm_access_describe(x, b, &ret->b);
	ret->has_b = true;
	snprintf(ret->why, sizeof(ret->why),
	         "they conflict on %s in different work-items, %s, and neither happens before the "
	         "other "
	         "in %s memory",
	         x->c->program->locations[ea->location].name, why_unshielded(ea, eb),
	         oclmm_space_spelling(ea->region));
}
