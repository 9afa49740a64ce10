// SPDX-License-Identifier: Apache-2.0
/*
 * From the events of a candidate to those of a machine, and what it says of them.
 */
#include <errno.h>
#include <string.h>

#include "internal.h"

/* ---- events ---------------------------------------------------------- */

static const struct judge_rule *find_rule(const struct judge *judge, enum judge_kind kind,
                                          enum oclmm_order order, enum oclmm_scope scope,
                                          unsigned regions)
{
	static const struct judge_rule nothing;

	for (unsigned i = 0; i < judge->rule_count; i++) {
		const struct judge_rule *rule = &judge->rules[i];

		if (rule->kind == kind && rule->orders & 1u << order &&
		    rule->scopes & 1u << scope && rule->regions & 1u << regions)
			return rule;
	}
	return &nothing;
}

bool judge_tells(const struct judge *judge, enum judge_kind kind, enum oclmm_order from,
                 enum oclmm_order to, enum oclmm_scope scope, unsigned regions)
{
	static const struct judge_rule nothing;
	const struct judge_rule *a = find_rule(judge, kind, from, scope, regions);
	const struct judge_rule *b = to == OCLMM_ORDER_NONE && kind == JUDGE_FENCE
	                                     ? &nothing
	                                     : find_rule(judge, kind, to, scope, regions);

	if (a->count != b->count)
		return true;
	for (unsigned i = 0; i < a->count; i++)
		if (a->words[i].what != b->words[i].what || a->words[i].tags != b->words[i].tags)
			return true;
	return false;
}

static int add_event(struct target *target, const struct target_event *event)
{
	if (target->count == OCLMM_CAT_MAX_EVENTS)
		return -E2BIG;
	target->events[target->count++] = *event;
	return 0;
}

/** Adds the events of a rule. `event` has all that they share. */
static int add_words(struct target *target, const struct judge_rule *rule,
                     struct target_event event)
{
	struct target_event *read = NULL;
	int result = 0;

	for (unsigned i = 0; result == 0 && i < rule->count; i++) {
		const struct judge_word *word = &rule->words[i];

		if (word->what == JUDGE_CONTROL) {
			/* a map has `ctrl` only behind R */
			read->controls = event.behind_control = true;
			continue;
		}
		event.reads = word->what == JUDGE_READ;
		event.writes = word->what == JUDGE_WRITE;
		event.tags = word->tags;
		result = add_event(target, &event);
		if (event.reads && result == 0)
			read = &target->events[target->count - 1];
	}
	return result;
}

/** The place where a work-item says that it has come to a barrier: the entry's number. */
static unsigned barrier_cell(const struct candidate *c, unsigned entry)
{
	return c->program->cell_count + entry;
}

/**
 * A barrier without flags orders nothing and becomes nothing. Whatever its
 * scope argument, it reaches the whole group; and it waits for the others also
 * where they stand at another one, which has no meaning but lets no one pass.
 */
static int map_barrier(const struct judge *judge, struct target *target, unsigned source)
{
	const struct candidate *c = target->candidate;
	const struct event *e = &c->events[source];
	enum oclmm_scope group = e->sub_group ? OCLMM_SCOPE_SUB_GROUP : OCLMM_SCOPE_WORK_GROUP;
	enum oclmm_scope scope = e->scope > group ? e->scope : group;
	struct target_event event = {.thread = e->thread, .source = source, .scope = scope};
	const struct judge_rule *fence = find_rule(judge, JUDGE_FENCE, e->order, scope, e->flags);
	int result = 0;

	if (e->flags == 0)
		return 0;
	if (e->barrier == BARRIER_ENTRY)
		result = add_words(target, fence, event);
	for (unsigned other = 0; result == 0 && other < c->count; other++) {
		bool arrives = e->barrier == BARRIER_ENTRY && other == source;
		bool waits = e->barrier == BARRIER_EXIT && barriers_meet(c, other, source) &&
		             c->events[other].flags;
		enum judge_kind kind = arrives ? JUDGE_STORE : JUDGE_LOAD;

		if (!arrives && !waits)
			continue;
		event.cell = barrier_cell(c, other);
		result = add_words(target,
		                   find_rule(judge, kind, OCLMM_ORDER_RELAXED, scope,
		                             OCLMM_FLAG_GLOBAL),
		                   event);
	}
	if (result == 0 && e->barrier == BARRIER_EXIT)
		result = add_words(target, fence, event);
	return result;
}

static int map_event(const struct judge *judge, struct target *target, unsigned source)
{
	const struct event *e = &target->candidate->events[source];
	struct target_event event = {
		.thread = e->thread, .source = source, .cell = e->cell, .scope = e->scope};
	enum judge_kind kind = e->fence                ? JUDGE_FENCE
	                       : e->reads && e->writes ? JUDGE_UPDATE
	                       : e->reads              ? JUDGE_LOAD
	                                               : JUDGE_STORE;

	if (e->barrier != BARRIER_NOT)
		return map_barrier(judge, target, source);
	if (e->thread >= 0)
		return add_words(target,
		                 find_rule(judge, kind, e->order, e->scope,
		                           e->fence ? e->flags : 1u << e->space),
		                 event);
	event.writes = true;
	return add_event(target, &event);
}

int target_map(const struct judge *judge, const struct candidate *candidate,
               struct target *ret_target)
{
	int result = 0;

	ret_target->candidate = candidate;
	ret_target->count = 0;
	for (unsigned i = 0; result == 0 && i < candidate->count; i++) {
		unsigned first = ret_target->count;

		ret_target->read_of[i] = ret_target->write_of[i] = -1;
		result = map_event(judge, ret_target, i);
		for (unsigned t = first; t < ret_target->count; t++) {
			if (ret_target->events[t].reads)
				ret_target->read_of[i] = (int)t;
			if (ret_target->events[t].writes)
				ret_target->write_of[i] = (int)t;
		}
	}
	return result;
}

/* ---- sets and relations ---------------------------------------------- */

static bool is_access(const struct target_event *e)
{
	return e->reads || e->writes;
}

static bool is_before(const struct target *target, unsigned a, unsigned b)
{
	const struct target_event *ea = &target->events[a], *eb = &target->events[b];

	if (ea->thread < 0)
		return false;
	return ea->source == eb->source ? a < b : target->candidate->sb[ea->source][eb->source];
}

static bool reads_from(const struct target *target, unsigned w, unsigned r)
{
	const struct candidate *c = target->candidate;
	const struct target_event *ew = &target->events[w], *er = &target->events[r];

	if (!ew->writes || !er->reads || ew->cell != er->cell)
		return false;
	return er->cell >= c->program->cell_count || c->rf[er->source] == (int)ew->source;
}

static bool is_overwritten(const struct target *target, unsigned a, unsigned b)
{
	const struct target_event *ea = &target->events[a], *eb = &target->events[b];

	return ea->writes && eb->writes && target->candidate->mo[ea->source][eb->source];
}

/** The write of another event that follows in mo what a read reads from. */
static bool is_from_read(const struct target *target, unsigned r, unsigned w)
{
	const struct candidate *c = target->candidate;
	const struct target_event *er = &target->events[r], *ew = &target->events[w];

	return er->reads && ew->writes && er->cell == ew->cell &&
	       er->cell < c->program->cell_count && c->mo[c->rf[er->source]][ew->source];
}

/** By a branch of the program, or by a `ctrl` of the map. */
static bool is_controlled(const struct target *target, unsigned r, unsigned b)
{
	const struct target_event *er = &target->events[r], *eb = &target->events[b];

	if (!er->reads || !is_before(target, r, b))
		return false;
	if (er->source == eb->source)
		return eb->behind_control;
	return er->controls || target->candidate->ctrl[er->source][eb->source];
}

/** Are the threads in one unit of this scope, or the same? */
static bool are_together(const struct target *target, unsigned a, unsigned b,
                         enum oclmm_scope scope)
{
	const struct target_event *ea = &target->events[a], *eb = &target->events[b];
	const struct oclmm_thread *threads = target->candidate->program->threads;

	return ea->thread >= 0 && eb->thread >= 0 &&
	       (ea->thread == eb->thread ||
	        share_unit(&threads[ea->thread].placement, &threads[eb->thread].placement, scope));
}

static void put(struct target *target, unsigned name, unsigned a, unsigned b)
{
	target->values[name][a] |= 1ull << b;
}

/** A relation, and its parts within and between threads. */
static void put_parts(struct target *target, unsigned all, unsigned external, unsigned internal,
                      unsigned a, unsigned b)
{
	bool same = target->events[a].thread == target->events[b].thread;

	put(target, all, a, b);
	put(target, same ? internal : external, a, b);
}

static void describe_pair(struct target *target, unsigned a, unsigned b)
{
	const struct target_event *ea = &target->events[a], *eb = &target->events[b];
	bool one_cell = is_access(ea) && is_access(eb) && ea->cell == eb->cell;

	put(target, ea->thread == eb->thread ? JUDGE_INT : JUDGE_EXT, a, b);
	if (one_cell)
		put(target, JUDGE_LOC, a, b);
	if (is_before(target, a, b)) {
		put(target, JUDGE_PO, a, b);
		if (one_cell)
			put(target, JUDGE_PO_LOC, a, b);
		if (ea->reads && eb->writes && ea->source == eb->source)
			put(target, JUDGE_RMW, a, b);
		if (is_controlled(target, a, b))
			put(target, JUDGE_CTRL, a, b);
		if (ea->reads && eb->writes && target->candidate->need[ea->source][eb->source])
			put(target, JUDGE_DATA, a, b);
	}
	if (reads_from(target, a, b))
		put_parts(target, JUDGE_RF, JUDGE_RFE, JUDGE_RFI, a, b);
	if (is_overwritten(target, a, b))
		put_parts(target, JUDGE_CO, JUDGE_COE, JUDGE_COI, a, b);
	if (is_from_read(target, a, b))
		put_parts(target, JUDGE_FR, JUDGE_FRE, JUDGE_FRI, a, b);
	if (are_together(target, a, b, ea->scope))
		put(target, JUDGE_REACH, a, b);
	if (are_together(target, a, b, OCLMM_SCOPE_SUB_GROUP))
		put(target, JUDGE_SSG, a, b);
	if (are_together(target, a, b, OCLMM_SCOPE_WORK_GROUP))
		put(target, JUDGE_SWG, a, b);
}

static void describe_event(const struct judge *judge, struct target *target, unsigned at)
{
	const struct target_event *e = &target->events[at];
	const struct {
		bool is;
		unsigned set;
	} sets[] = {
		{e->reads, JUDGE_R},
		{e->writes, JUDGE_W},
		{is_access(e), JUDGE_M},
		{!is_access(e), JUDGE_F},
		{e->thread < 0, JUDGE_IW},
		{is_access(e) && e->cell >= target->candidate->program->cell_count, JUDGE_B},
	};

	for (size_t i = 0; i < OCLMM_COUNT(sets); i++)
		if (sets[i].is)
			target->values[sets[i].set][0] |= 1ull << at;
	for (unsigned i = 0; i < judge->tag_count; i++)
		if (e->tags & 1u << i)
			target->values[JUDGE_NAME_COUNT + i][0] |= 1ull << at;
}

void target_describe(const struct judge *judge, struct target *target)
{
	memset(target->values, 0, sizeof(target->values));
	for (unsigned a = 0; a < target->count; a++) {
		describe_event(judge, target, a);
		for (unsigned b = 0; b < target->count; b++)
			describe_pair(target, a, b);
	}
}

int judge_hear(struct judge *judge, const struct candidate *candidate, bool *ret_shows)
{
	const uint64_t *values[JUDGE_NAME_COUNT + JUDGE_MAX_TAGS];
	struct oclmm_cat_verdict verdict;
	static struct target target;
	int result = target_map(judge, candidate, &target);

	if (result != 0)
		return result;
	target_describe(judge, &target);
	for (unsigned i = 0; i < OCLMM_COUNT(values); i++)
		values[i] = target.values[i];
	result = oclmm_cat_evaluate(judge->model, target.count, values, &verdict, NULL);
	if (result == 0)
		*ret_shows = verdict.consistent;
	return result;
}
