// SPDX-License-Identifier: Apache-2.0
/*
 * Which launches were hits: those that showed what the test forbids. It depends on the counts
 * alone, not on how a child made them.
 */
#include <stdlib.h>
#include <string.h>

#include "evidence.h"

/* A control beside its test. */
struct hit {
	const struct run_item *item;
	const struct run_control *control;
	const struct run_meeting *meeting; /* the test's */
};

/* A member of the group as the test sees it. */
struct view {
	const struct oclmm_run_result *run; /* NULL: it did not run */
	const struct run_control *control;  /* NULL: the test itself */
	uint64_t counted;                   /* outcomes that the test's filter lets pass, as bits */
	uint64_t looked_for;                /* those of them that the test forbids */
	uint64_t met;                       /* those of them by which the roles met */
	size_t next;                        /* of its launches */
};

/* Puts the values of a member into the order of the test's observables. */
static void arrange(const struct run_item *item, const struct run_control *control,
                    const int64_t *values, int64_t *ret_values)
{
	for (uint32_t i = 0; i < item->job.program->observable_count; i++)
		ret_values[i] = values[control ? control->places[i] : i];
}

static bool passes(const struct run_item *item, const int64_t *values)
{
	const struct oclmm_program *program = item->job.program;

	return !program->filter || oclmm_condition_holds(program, program->filter, values);
}

/* `own` are in the member's order. */
static bool is_looked_for(const struct run_item *item, const struct run_control *control,
                          const int64_t *arranged, const int64_t *own)
{
	if (control && control->asked &&
	    !oclmm_condition_holds(control->program, control->asked, own))
		return false;
	return oclmm_expected_status(item->record.expected, arranged, NULL) ==
	       OCLMM_STATUS_FORBIDDEN;
}

/* Whether a control may show these values, given in its own order. */
static bool may_show(const struct run_control *control, const int64_t *values)
{
	const struct oclmm_program *program = control ? control->program : NULL;

	/* what its filter turns away does not count */
	if (!program ||
	    (program->filter && !oclmm_condition_holds(program, program->filter, values)))
		return true;
	if (control->space)
		return oclmm_outcome_index(control->space, values) < control->space->size;
	return !control->expected ||
	       oclmm_expected_status(control->expected, values, NULL) != OCLMM_STATUS_FORBIDDEN;
}

uint64_t run_control_astray(const struct run_control *control, const struct oclmm_run_result *run)
{
	size_t rows = run->counts.histogram && control->places
	                      ? oclmm_histogram_rows(run->counts.histogram)
	                      : 0;
	uint64_t astray = 0;

	for (size_t i = 0; i < rows; i++) {
		struct oclmm_histogram_row row = oclmm_histogram_row(run->counts.histogram, i);

		astray += may_show(control, row.values) ? 0 : row.count;
	}
	return astray;
}

/* Whether a control showed what the test forbids and the control allows. What the control
 * forbids as well comes from a wrong driver, and says nothing about the test. `data` is a struct
 * hit. */
static bool is_hit(const void *data, const int64_t *values)
{
	const struct hit *hit = data;
	int64_t *arranged = oclmm_calloc((size_t)hit->item->job.program->observable_count + 1,
	                                 sizeof(*arranged));
	bool is;

	arrange(hit->item, hit->control, values, arranged);
	is = passes(hit->item, arranged) &&
	     is_looked_for(hit->item, hit->control, arranged, values) &&
	     may_show(hit->control, values);
	free(arranged);
	return is;
}

/* Values in the test's order. */
static bool shows_meeting(const struct run_meeting *meeting, const int64_t *values)
{
	size_t size = meeting->width * sizeof(*values), i = 0;

	while (i < meeting->count &&
	       memcmp(meeting->values + i * meeting->width, values, size) != 0)
		i++;
	return i < meeting->count;
}

/* Whether these values of the test show that its roles met. */
static bool has_met(const void *data, const int64_t *values)
{
	const struct hit *hit = data;

	return passes(hit->item, values) && shows_meeting(hit->meeting, values);
}

void run_evidence_watch(const struct run_item *item, const struct run_controls *controls,
                        const struct run_control *control, struct oclmm_arena *arena,
                        struct oclmm_run_request *job)
{
	struct hit *hit = OCLMM_NEW(arena, struct hit);

	*hit = (struct hit){item, control, controls->meeting};
	job->is_hit = is_hit;
	job->has_met = controls->meeting && controls->meeting->count ? has_met : NULL;
	job->beside = item->job.program;
	job->hit_data = hit;
}

/* `meeting`: which launches of the test count, by whether its roles met; NULL: all. */
static struct view make_view(const struct run_item *item, const struct run_meeting *meeting,
                             const struct oclmm_run_result *run, const struct run_control *control)
{
	struct view view = {
		.run = run,
		.control = control,
		.counted = OCLMM_SEEN_REST,
		.met = meeting ? 0 : UINT64_MAX,
	};
	int64_t *values = oclmm_calloc((size_t)item->job.program->observable_count + 1,
	                               sizeof(*values));

	for (uint32_t i = 0; run && i < run->shown.outcomes; i++) {
		const int64_t *own = run->shown.values + (size_t)i * run->shown.width;
		uint64_t bit = UINT64_C(1) << i;

		arrange(item, control, own, values);
		if (!passes(item, values) || !may_show(control, own))
			continue;
		view.counted |= bit;
		view.looked_for |= is_looked_for(item, control, values, own) ? bit : 0;
		view.met |= meeting && shows_meeting(meeting, values) ? bit : 0;
	}
	free(values);
	return view;
}

static bool has_launch(const struct view *view, uint64_t *ret_block)
{
	if (!view->run || view->next == view->run->shown.count)
		return false;
	*ret_block = view->run->shown.launches[view->next].block;
	return true;
}

/* The next block that any member has. False at the end. */
static bool next_block(const struct view *views, size_t count, uint64_t *ret_block)
{
	bool any = false;

	for (size_t i = 0; i < count; i++) {
		uint64_t block;

		if (!has_launch(&views[i], &block) || (any && block >= *ret_block))
			continue;
		*ret_block = block;
		any = true;
	}
	return any;
}

/*
 * Silence in launches in which the test's roles did not meet says nothing. Leaving them out makes
 * silence worth less, so it favours no device. All launches of a control count: a hit shows that
 * its roles met, and leaving out the others would make hits worth more.
 */
static struct oclmm_launches take_block(struct view *view, uint64_t block, uint64_t *ret_instances)
{
	struct oclmm_launches sum = {0};
	uint64_t own, instances = 0;

	while (has_launch(view, &own) && own == block) {
		const struct oclmm_seen_launches *launches =
			&view->run->shown.launches[view->next++];

		if (!(launches->mask & view->met))
			continue;
		if (launches->mask & view->counted) {
			sum.launches += launches->launches;
			instances += launches->instances;
		}
		if (launches->mask & view->looked_for)
			sum.hits += launches->launches;
	}
	*ret_instances = instances;
	return sum;
}

static void add_blocks(struct oclmm_evidence *evidence, struct view *views, size_t count)
{
	struct oclmm_launches *members = oclmm_calloc(count, sizeof(*members));
	uint64_t *instances = oclmm_calloc(count, sizeof(*instances)), block = 0;

	while (next_block(views, count, &block)) {
		for (size_t i = 0; i < count; i++)
			members[i] = take_block(&views[i], block, &instances[i]);
		/* a block whose launches differ in size is no evidence, and is refused */
		oclmm_evidence_add_sized_blocks(evidence, 1, members, instances);
	}
	free(instances);
	free(members);
}

/* What a control counted, and how often it showed the wanted outcome. */
static void add_counts(struct oclmm_evidence *evidence, const struct run_item *item, size_t control,
                       const struct view *view)
{
	size_t rows = view->run && view->run->counts.histogram
	                      ? oclmm_histogram_rows(view->run->counts.histogram)
	                      : 0;
	int64_t *values = oclmm_calloc((size_t)evidence->width + 1, sizeof(*values));

	for (size_t i = 0; i < rows; i++) {
		struct oclmm_histogram_row row = oclmm_histogram_row(view->run->counts.histogram,
		                                                     i);

		arrange(item, view->control, row.values, values);
		if (!row.count || !passes(item, values) || !may_show(view->control, row.values))
			continue;
		oclmm_evidence_add_instances(evidence, control, row.count);
		if (is_looked_for(item, view->control, values, row.values))
			oclmm_evidence_add_outcome(evidence, values, row.count);
	}
	free(values);
}

/*
 * Whether some order of the test's whole roles shows a value, in an outcome that the test does not
 * forbid. How often the others are seen says how often the roles met, which is judged by itself,
 * and how far accesses overtake each other, which a control is there to change.
 */
static bool is_of_whole_roles(const struct run_item *item, const struct run_meeting *meeting,
                              uint32_t observable, int64_t value)
{
	if (!meeting || !meeting->serial_count)
		return true; /* not known */
	for (size_t i = 0; i < meeting->serial_count; i++) {
		const int64_t *values = meeting->serial + i * meeting->width;

		if (values[observable] == value && passes(item, values))
			return true;
	}
	return false;
}

/* The same of all values of an outcome. */
static bool is_outcome_of_whole_roles(const struct run_item *item,
                                      const struct run_meeting *meeting, const int64_t *values)
{
	uint32_t i = 0;

	while (i < item->job.program->observable_count &&
	       is_of_whole_roles(item, meeting, i, values[i]))
		i++;
	return i == item->job.program->observable_count;
}

/* What was seen of an observable's values that orders of whole roles show. */
struct variety {
	int64_t first;
	bool seen;
};

/* Which observables have another value than before, as bits (struct oclmm_meeting). */
static uint64_t note_values(const struct run_item *item, const struct run_meeting *whole,
                            const int64_t *values, struct variety *varieties)
{
	uint64_t bits = 0;

	for (uint32_t i = 0; i < item->job.program->observable_count; i++) {
		struct variety *variety = &varieties[i];

		if (!is_of_whole_roles(item, whole, i, values[i]))
			continue;
		if (!variety->seen)
			*variety = (struct variety){values[i], true};
		bits |= variety->first != values[i] ? UINT64_C(1) << (i < 52 ? i : 52) : 0;
	}
	return bits;
}

/* Whether the roles of a member met, by its instances. `whole`: the test's. */
static struct oclmm_meeting look_at(const struct run_item *item, const struct run_meeting *meeting,
                                    const struct run_meeting *whole, const struct view *view)
{
	enum { SHARE = 100 };
	struct oclmm_histogram *histogram = view->run ? view->run->counts.histogram : NULL;
	size_t rows = histogram ? oclmm_histogram_rows(histogram) : 0;
	int64_t *values = oclmm_calloc((size_t)item->job.program->observable_count + 1,
	                               sizeof(*values));
	struct variety *varieties = oclmm_calloc((size_t)item->job.program->observable_count + 1,
	                                         sizeof(*varieties));
	struct oclmm_meeting sum = {0};
	uint64_t all = 0, least;

	for (int pass = 0; pass < 2; pass++) {
		least = pass && view->control ? (all + SHARE - 1) / SHARE : 1;
		for (size_t i = 0; i < rows; i++) {
			struct oclmm_histogram_row row = oclmm_histogram_row(histogram, i);

			arrange(item, view->control, row.values, values);
			if (!row.count || !passes(item, values) ||
			    !may_show(view->control, row.values))
				continue;
			if (pass == 0) {
				all += row.count;
				sum.met += meeting && shows_meeting(meeting, values) ? row.count
				                                                     : 0;
				continue;
			}
			if (row.count < least ||
			    oclmm_expected_status(item->record.expected, values, NULL) ==
			            OCLMM_STATUS_FORBIDDEN)
				continue;
			/* of a test all count */
			sum.outcomes += !view->control ||
			                is_outcome_of_whole_roles(item, whole, values);
			sum.varied |= note_values(item, whole, values, varieties);
		}
	}
	free(varieties);
	sum.rounds = meeting && meeting->count ? all : 0;
	free(values);
	return sum;
}

/* ---- how often a test and its control showed each value ---- */

/* A value of an observable. */
struct compared {
	struct oclmm_value_counts all;
	uint64_t test, control; /* of the block at hand */
};

struct comparison {
	const struct run_item *item;
	const struct view *views[2]; /* of the test and of the control */
	size_t next[2], launches[2]; /* of their counts, and of their launches */
	struct compared *values;
	size_t count, capacity;
	uint64_t blocks, instances;
};

/* Whether an outcome counts, and is not what the test forbids. */
static bool is_compared(const struct run_item *item, const struct view *view, uint64_t outcome,
                        int64_t *ret_arranged)
{
	const struct oclmm_seen *shown = &view->run->shown;
	const int64_t *own = shown->values + outcome * shown->width;

	arrange(item, view->control, own, ret_arranged);
	return passes(item, ret_arranged) && may_show(view->control, own) &&
	       oclmm_expected_status(item->record.expected, ret_arranged, NULL) !=
	               OCLMM_STATUS_FORBIDDEN;
}

static struct compared *value_of(struct comparison *c, uint32_t observable, int64_t value)
{
	for (size_t i = 0; i < c->count; i++)
		if (c->values[i].all.observable == observable && c->values[i].all.value == value)
			return &c->values[i];
	oclmm_grow(&c->values, &c->capacity, c->count, sizeof(*c->values));
	c->values[c->count] = (struct compared){.all = {.observable = observable, .value = value}};
	return &c->values[c->count++];
}

/* Instances that ran in a member's launches of a block. */
static uint64_t instances_of(struct comparison *c, int member, uint64_t block)
{
	const struct oclmm_seen *shown = &c->views[member]->run->shown;
	size_t *at = &c->launches[member];
	uint64_t sum = 0;

	for (; *at < shown->count && shown->launches[*at].block <= block; ++*at)
		sum += shown->launches[*at].block == block ? shown->launches[*at].instances : 0;
	return sum;
}

/* Takes a member's counts of a block, of which those are looked at that are compared. */
static void take_counts(struct comparison *c, int member, uint64_t block, bool counts,
                        int64_t *values)
{
	const struct oclmm_seen *shown = &c->views[member]->run->shown;

	for (; c->next[member] < shown->counted; c->next[member]++) {
		const struct oclmm_seen_counts *own = &shown->counts[c->next[member]];

		if (own->block > block)
			return;
		if (own->block < block || !counts ||
		    !is_compared(c->item, c->views[member], own->outcome, values))
			continue;
		for (uint32_t i = 0; i < c->item->job.program->observable_count; i++) {
			struct compared *value = value_of(c, i, values[i]);

			*(member ? &value->control : &value->test) += own->count;
		}
	}
}

/* Of launches of another size nobody can say how often they would have shown a value. */
static void compare_block(struct comparison *c, uint64_t block, int64_t *values)
{
	uint64_t test = instances_of(c, 0, block), control = instances_of(c, 1, block);
	bool alike = test > 0 && test == control;

	for (int member = 0; member < 2; member++)
		take_counts(c, member, block, alike, values);
	c->blocks += alike;
	c->instances += alike ? test : 0;
	for (size_t i = 0; i < c->count; i++) {
		struct compared *value = &c->values[i];

		value->all.test += value->test;
		value->all.control += value->control;
		value->all.blocks += value->test || value->control;
		value->all.fewer += oclmm_counts_seldom(value->test, value->control);
		value->test = value->control = 0;
	}
}

/* Of outcomes beyond those that are told apart nobody knows the values. */
static bool tells_all_apart(const struct view *view)
{
	const struct oclmm_seen *shown = view->run ? &view->run->shown : NULL;

	for (size_t i = 0; shown && i < shown->counted; i++)
		if (shown->counts[i].outcome == OCLMM_SEEN_OUTCOMES)
			return false;
	return shown != NULL;
}

/*
 * Compares how often each value was seen in the test and in a control, block by block: a load that
 * a compiler made a constant in most work-items looks like one that met, and shows the other values
 * seldom. What the test forbids has no say, else a control would be held against its own hits. What
 * is one instance in a hundred in neither is no value that either shows often, and one that no
 * order of whole roles shows is none that the test has to show as often.
 */
static void compare_values(struct oclmm_evidence *evidence, const struct run_item *item,
                           size_t control, const struct run_meeting *meeting,
                           const struct view *test, const struct view *other)
{
	enum { SHARE = 100 };
	struct comparison c = {
		.item = item,
		.views = {test, other},
	};
	struct oclmm_value_counts *seldom;
	int64_t *values;
	size_t compared = 0, count = 0;

	if (!tells_all_apart(test) || !tells_all_apart(other))
		return;
	values = oclmm_calloc((size_t)item->job.program->observable_count + 1, sizeof(*values));
	for (size_t i = 0; i < other->run->shown.count; i++)
		if (i == 0 ||
		    other->run->shown.launches[i].block != other->run->shown.launches[i - 1].block)
			compare_block(&c, other->run->shown.launches[i].block, values);
	seldom = oclmm_calloc(c.count + 1, sizeof(*seldom));
	for (size_t i = 0; i < c.count; i++) {
		const struct oclmm_value_counts *all = &c.values[i].all;

		if (!is_of_whole_roles(item, meeting, all->observable, all->value))
			continue;
		compared += all->test + all->control >= (c.instances + SHARE - 1) / SHARE;
		if (all->control >= (c.instances + SHARE - 1) / SHARE &&
		    oclmm_counts_seldom(all->test, all->control))
			seldom[count++] = *all;
	}
	oclmm_evidence_compare(evidence, control, c.blocks, compared, seldom, count);
	free(seldom);
	free(c.values);
	free(values);
}

static const struct oclmm_run_result *find_result(const struct run_group *group,
                                                  const struct worker_result *results, size_t job)
{
	for (size_t i = 0; i < group->count; i++) {
		if (group->jobs[i] == job)
			return &results[i].run;
	}
	return NULL;
}

void run_evidence_take(struct run_item *item, const struct run_controls *controls,
                       const struct run_group *group, const struct worker_result *results,
                       size_t index)
{
	struct view *views = oclmm_calloc(1 + controls->count, sizeof(*views));
	const struct run_meeting *meeting = controls->meeting && controls->meeting->count
	                                            ? controls->meeting
	                                            : NULL;
	struct oclmm_evidence *evidence;

	oclmm_arena_destroy(item->arena);
	item->arena = oclmm_arena_create();
	evidence = oclmm_evidence_create(item->arena, item->job.program->observable_count);
	views[0] = make_view(item, meeting, &results[index].run, NULL);
	for (size_t i = 0; i < controls->count; i++) {
		const struct run_control *control = &controls->controls[i];

		oclmm_evidence_add_control(evidence, control->name, control->kind,
		                           control->program->hash);
		views[1 + i] = make_view(item, NULL, find_result(group, results, control->job),
		                         control);
	}
	add_blocks(evidence, views, 1 + controls->count);
	for (size_t i = 0; i < controls->count; i++)
		compare_values(evidence, item, i, controls->meeting, &views[0], &views[1 + i]);
	for (size_t i = 0; i < controls->count; i++)
		add_counts(evidence, item, i, &views[1 + i]);
	for (size_t i = 0; i <= controls->count; i++)
		oclmm_evidence_add_meeting(
			evidence, i,
			look_at(item, i ? controls->controls[i - 1].meeting : controls->meeting,
		                controls->meeting, &views[i]));
	free(views);
	item->record.evidence = evidence;
}
