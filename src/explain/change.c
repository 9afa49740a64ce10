// SPDX-License-Identifier: Apache-2.0
/*
 * Changes that turn a verdict: repairs of undefined programs, weakenings that
 * allow a forbidden outcome. Every single adjustment is tried, the smallest first,
 * then every pair of small ones; the oracle judges each changed program. A
 * program that needs more than two is strengthened everywhere, and what proves
 * unnecessary is taken back one by one.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "oclmm/change.h"
#include "oclmm/syntax.h"

enum { ENOUGH_PAIRS = 3 };

/* A change found, by what it is made of. */
struct found {
	struct oclmm_adjustment edits[2];
	unsigned count;
	enum oclmm_status status;
};

struct change_search {
	struct explain *explain;
	bool repair;
	struct oclmm_adjustment *edits;
	size_t edit_count;
	struct found *found;
	unsigned found_count;
	double deadline;
	int ended; /* what the caller ends it with, or 0 */
};

/* ---- one changed program ------------------------------------------------------------ */

/* Legal OpenCL C as the reader of litmus files has it. */
static bool is_legal(const struct oclmm_program *program)
{
	struct oclmm_litmus *litmus = NULL;
	struct oclmm_error error;
	struct oclmm_text text = {0};
	int result;

	oclmm_program_print(&text, program);
	result = oclmm_litmus_parse("changed", oclmm_text_string(&text), text.length, NULL, &error,
	                            &litmus);
	oclmm_text_finish(&text);
	oclmm_litmus_destroy(litmus);
	return result == 0;
}

static enum oclmm_status outcome_status(const struct explain *x, const struct oclmm_answer *answer)
{
	enum oclmm_model model = x->e->model;
	const struct oclmm_state *state;

	if (program_is_undefined(answer, model))
		return OCLMM_STATUS_UNDEFINED;
	if (x->e->values)
		return oclmm_answer_status(answer, model, x->e->values);
	state = oclmm_explain_state(x, answer);
	return state ? state->status[model] : OCLMM_STATUS_FORBIDDEN;
}

/* \return whether the verdict is turned, and to what. */
static bool turns(struct change_search *s, const struct oclmm_program *program,
                  enum oclmm_status *ret_status)
{
	const struct explain *x = s->explain;
	struct oclmm_check_options check = {.models = x->models,
	                                    .time_limit = x->options->time_limit,
	                                    .ended = x->options->ended,
	                                    .data = x->options->data,
	                                    .cat = x->options->cat};
	struct oclmm_answer *answer;
	struct oclmm_error error;
	bool turned;

	x->e->checks++;
	if (oclmm_check(program, &check, &error, &answer) < 0)
		return false;
	*ret_status = outcome_status(x, answer);
	turned = s->repair ? *ret_status != OCLMM_STATUS_UNDEFINED
	                   : *ret_status != OCLMM_STATUS_FORBIDDEN;
	oclmm_answer_destroy(answer);
	return turned && is_legal(program);
}

static bool has_ended(struct change_search *s)
{
	const struct oclmm_explain_options *options = s->explain->options;

	if (!s->ended && options->ended)
		s->ended = options->ended(options->data);
	return s->ended != 0;
}

static bool is_over(struct change_search *s)
{
	const struct explain *x = s->explain;

	if (has_ended(s) || x->e->checks >= x->options->check_limit ||
	    (s->deadline > 0 && oclmm_thread_clock() > s->deadline))
		x->e->changes_cut = true;
	return x->e->changes_cut;
}

/* ---- what was found already ------------------------------------------------------------ */

/* Whether every edit of a change found is of the kind and place of one of these: they are only more
 * of it. */
static bool is_more_of(const struct found *f, const struct oclmm_adjustment *edits, unsigned count,
                       const struct oclmm_adjusted *copy)
{
	for (unsigned i = 0; i < f->count; i++) {
		bool matched = false;

		for (unsigned k = 0; k < count; k++)
			matched |= oclmm_adjustment_is_like(copy, &f->edits[i], &edits[k]);
		if (!matched)
			return false;
	}
	return true;
}

static bool is_known(const struct change_search *s, const struct oclmm_adjustment *edits,
                     unsigned count, const struct oclmm_adjusted *copy,
                     const enum oclmm_status *status)
{
	for (unsigned i = 0; i < s->found_count; i++)
		if (is_more_of(&s->found[i], edits, count, copy) &&
		    (s->repair || !status || s->found[i].status == OCLMM_STATUS_ALLOWED ||
		     s->found[i].status == *status))
			return true;
	return false;
}

static const char *in_words(struct oclmm_arena *arena, const struct oclmm_program *program,
                            const struct oclmm_adjusted *copy, const struct oclmm_adjustment *edits,
                            unsigned count)
{
	struct oclmm_text text = {0};

	if (count > 2) {
		const char *join = ", among them made atomic: ";

		oclmm_text_printf(&text, "%u changes together", count);
		for (unsigned i = 0; i < count; i++) {
			if (edits[i].kind != OCLMM_ADJUSTMENT_ATOMIC)
				continue;
			oclmm_text_printf(&text, "%s%s", join,
			                  program->locations[edits[i].value].name);
			join = ", ";
		}
		return oclmm_text_keep(&text, arena);
	}
	for (unsigned i = 0; i < count; i++) {
		oclmm_text_add(&text, i ? ", and " : "");
		oclmm_adjustment_print(&text, copy, &edits[i]);
	}
	return oclmm_text_keep(&text, arena);
}

static void keep(struct change_search *s, struct oclmm_adjusted *copy,
                 const struct oclmm_adjustment *edits, unsigned count, enum oclmm_status status)
{
	struct oclmm_explanation *e = s->explain->e;
	struct oclmm_change *c = &e->changes[e->change_count++];
	struct found *f = &s->found[s->found_count++];

	f->count = count < OCLMM_COUNT(f->edits) ? count : OCLMM_COUNT(f->edits);
	memcpy(f->edits, edits, f->count * sizeof(*edits));
	f->status = status;
	*c = (struct oclmm_change){.edits = count,
	                           .program = oclmm_adjusted_program(copy),
	                           .status = status};
	c->what = in_words(e->arena, s->explain->program, copy, edits, count);
	for (unsigned i = 0; i < count; i++)
		c->made_atomic |= edits[i].kind == OCLMM_ADJUSTMENT_ATOMIC;
	oclmm_adjusted_lines(copy, &c->lines, &c->line_count);
}

/* Makes the change once more, to stay: what was tried is gone. */
static void keep_edits(struct change_search *s, const struct oclmm_adjustment *edits,
                       unsigned count, enum oclmm_status status)
{
	struct oclmm_adjusted *copy = oclmm_adjusted_create(s->explain->e->arena,
	                                                    s->explain->program);

	oclmm_adjust(copy, edits, count);
	keep(s, copy, edits, count, status);
	oclmm_adjusted_destroy(copy);
}

static bool edits_turn(struct change_search *s, const struct oclmm_adjustment *edits,
                       unsigned count, enum oclmm_status *ret_status)
{
	struct oclmm_arena *arena = oclmm_arena_create();
	struct oclmm_adjusted *copy = oclmm_adjusted_create(arena, s->explain->program);
	bool turned;

	turned = oclmm_adjust(copy, edits, count) &&
	         turns(s, oclmm_adjusted_program(copy), ret_status);
	oclmm_adjusted_destroy(copy);
	oclmm_arena_destroy(arena);
	return turned;
}

static void try_edits(struct change_search *s, const struct oclmm_adjusted *plain,
                      const struct oclmm_adjustment *edits, unsigned count)
{
	enum oclmm_status status;

	/* of repairs, and of pairs, nothing is tried that only adds to what is known to be
	 * enough */
	if ((s->repair || count > 1) && is_known(s, edits, count, plain, NULL))
		return;
	if (edits_turn(s, edits, count, &status) && !is_known(s, edits, count, plain, &status))
		keep_edits(s, edits, count, status);
}

/* ---- the search ---------------------------------------------------------------------------- */

static bool is_small(const struct oclmm_adjustment *e)
{
	return e->kind != OCLMM_ADJUSTMENT_BARRIER && e->kind != OCLMM_ADJUSTMENT_ATOMIC;
}

/* An object made atomic ends a race but is no synchronisation: it does not end the search. */
static bool is_enough(const struct change_search *s)
{
	for (unsigned i = 0; i < s->found_count; i++)
		if (s->found[i].edits[0].kind != OCLMM_ADJUSTMENT_ATOMIC)
			return true;
	return false;
}

static void try_pairs(struct change_search *s, const struct oclmm_adjusted *plain)
{
	unsigned before = s->found_count;
	unsigned most = s->edit_count ? 2 * s->edits[s->edit_count - 1].cost : 0;

	for (unsigned cost = 2; cost <= most; cost++) {
		for (size_t i = 0; i < s->edit_count; i++) {
			for (size_t k = i + 1; k < s->edit_count; k++) {
				const struct oclmm_adjustment pair[] = {s->edits[i], s->edits[k]};

				if (pair[0].cost + pair[1].cost != cost || !is_small(&pair[0]) ||
				    !is_small(&pair[1]) ||
				    oclmm_adjustment_is_like(plain, &pair[0], &pair[1]))
					continue;
				if (is_over(s) || s->found_count - before >= ENOUGH_PAIRS)
					return;
				try_edits(s, plain, pair, 2);
			}
		}
	}
}

/* Every scope, order and flag as far as a race could need it: no seq_cst, which orders nothing more
 * there. `ret` has room for all edits. */
static unsigned strengthen_all(const struct change_search *s, struct oclmm_adjustment *ret)
{
	unsigned count = 0;

	for (size_t i = 0; i < s->edit_count; i++) {
		const struct oclmm_adjustment *e = &s->edits[i];
		bool order = e->kind == OCLMM_ADJUSTMENT_ORDER && e->value != OCLMM_ORDER_SEQ_CST;
		unsigned k = 0;

		if (!order && e->kind != OCLMM_ADJUSTMENT_FLAGS &&
		    !(e->kind == OCLMM_ADJUSTMENT_SCOPE &&
		      e->value <= oclmm_adjustment_scope(s->explain->program)))
			continue;
		/* of several for one place the last, which is the strongest */
		while (k < count && !(ret[k].site == e->site && ret[k].kind == e->kind))
			k++;
		ret[k] = *e;
		count += k == count;
	}
	return count;
}

/* And fences between all statements, and every object atomic. */
static unsigned add_all(const struct change_search *s, struct oclmm_adjustment *edits,
                        unsigned count)
{
	for (size_t i = 0; i < s->edit_count; i++)
		if (s->edits[i].kind == OCLMM_ADJUSTMENT_FENCE)
			edits[count++] = s->edits[i];
	for (size_t i = 0; i < s->edit_count; i++)
		if (s->edits[i].kind == OCLMM_ADJUSTMENT_ATOMIC)
			edits[count++] = s->edits[i];
	return count;
}

/* Takes back what proves unnecessary, the largest edits first. */
static void try_fewer(struct change_search *s, struct oclmm_adjustment *edits, unsigned count)
{
	enum oclmm_status status, after;
	struct oclmm_adjustment *fewer;

	if (!count || !edits_turn(s, edits, count, &status))
		return;
	fewer = oclmm_calloc(count, sizeof(*fewer));
	for (unsigned i = count; i-- > 0 && !is_over(s);) {
		memcpy(fewer, edits, i * sizeof(*edits));
		memcpy(fewer + i, edits + i + 1, (count - i - 1) * sizeof(*edits));
		if (!edits_turn(s, fewer, count - 1, &after))
			continue;
		status = after;
		memcpy(edits, fewer, --count * sizeof(*edits));
	}
	keep_edits(s, edits, count, status);
	free(fewer);
}

static void try_all(struct change_search *s)
{
	struct oclmm_adjustment *edits = oclmm_calloc(s->edit_count + 1, sizeof(*edits));
	unsigned count = strengthen_all(s, edits);

	try_fewer(s, edits, count);
	if (!s->found_count)
		try_fewer(s, edits, add_all(s, edits, strengthen_all(s, edits)));
	free(edits);
}

static unsigned rank(const struct oclmm_change *c)
{
	return (c->made_atomic ? 16u : 0) + (c->status == OCLMM_STATUS_UNDEFINED ? 8u : 0) +
	       (c->status == OCLMM_STATUS_DISPUTED ? 4u : 0) + c->edits;
}

/* Stable, so that the smaller stay in front. */
static void sort_changes(struct oclmm_change *changes, unsigned count)
{
	for (unsigned i = 1; i < count; i++) {
		struct oclmm_change c = changes[i];
		unsigned at = i;

		for (; at > 0 && rank(&changes[at - 1]) > rank(&c); at--)
			changes[at] = changes[at - 1];
		changes[at] = c;
	}
}

static bool is_worth_searching(const struct explain *x)
{
	if (x->e->status == OCLMM_STATUS_UNDEFINED)
		return true;
	return x->e->status == OCLMM_STATUS_FORBIDDEN && x->e->reached;
}

int oclmm_explain_changes(struct explain *x)
{
	struct change_search s = {.explain = x, .repair = x->e->status == OCLMM_STATUS_UNDEFINED};
	struct oclmm_arena *arena;
	struct oclmm_adjusted *plain;
	size_t most;
	bool cut;

	/* what there is to change of commands are their edges, and the race says which is missing;
	 * a shared text is all its work-items', and a change of one of them is no text */
	if (!is_worth_searching(x) || oclmm_program_has_commands(x->program) || x->program->shared)
		return 0;
	arena = oclmm_arena_create();
	if (x->options->time_limit > 0)
		s.deadline = oclmm_thread_clock() + x->options->time_limit;
	plain = oclmm_adjusted_create(arena, x->program);
	s.edits = oclmm_adjustments_list(plain, s.repair, &s.edit_count, &cut);
	/* each edit by itself, some pairs, and what is left of all together */
	most = s.edit_count + ENOUGH_PAIRS + 1;
	s.found = oclmm_calloc(most, sizeof(*s.found));
	x->e->changes = OCLMM_NEW_ARRAY(x->e->arena, struct oclmm_change, most);
	x->e->changes_searched = true;
	for (size_t i = 0; i < s.edit_count && !is_over(&s); i++)
		try_edits(&s, plain, &s.edits[i], 1);
	if (!is_enough(&s))
		try_pairs(&s, plain);
	if (s.repair && !is_enough(&s) && !is_over(&s))
		try_all(&s);
	x->e->changes_cut |= cut;
	sort_changes(x->e->changes, x->e->change_count);
	free(s.edits);
	free(s.found);
	oclmm_adjusted_destroy(plain);
	oclmm_arena_destroy(arena);
	if (!has_ended(&s))
		return 0;
	return oclmm_error_set(x->error, s.ended, "test %s: %s", x->program->name,
	                       s.ended == -EINTR ? "interrupted" : "there is no more time");
}
