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

/* Which observables have another value than in the first of some outcomes, as bits (struct
 * oclmm_meeting). */
static uint64_t differ(const int64_t *first, const int64_t *values, uint32_t count)
{
	uint64_t bits = 0;

	for (uint32_t i = 0; i < count; i++)
		bits |= first[i] != values[i] ? UINT64_C(1) << (i < 52 ? i : 52) : 0;
	return bits;
}

/* Whether the roles of a member met, by its instances. */
static struct oclmm_meeting look_at(const struct run_item *item, const struct run_meeting *meeting,
                                    const struct view *view)
{
	enum { SHARE = 100 };
	struct oclmm_histogram *histogram = view->run ? view->run->counts.histogram : NULL;
	size_t rows = histogram ? oclmm_histogram_rows(histogram) : 0;
	uint32_t width = item->job.program->observable_count;
	int64_t *values = oclmm_calloc((size_t)item->job.program->observable_count + 1,
	                               sizeof(*values));
	int64_t *first = oclmm_calloc((size_t)item->job.program->observable_count + 1,
	                              sizeof(*first));
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
			if (sum.outcomes++ == 0)
				memcpy(first, values, width * sizeof(*first));
			sum.varied |= differ(first, values, width);
		}
	}
	free(first);
	sum.rounds = meeting && meeting->count ? all : 0;
	free(values);
	return sum;
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
		add_counts(evidence, item, i, &views[1 + i]);
	for (size_t i = 0; i <= controls->count; i++)
		oclmm_evidence_add_meeting(
			evidence, i,
			look_at(item, i ? controls->controls[i - 1].meeting : controls->meeting,
		                &views[i]));
	free(views);
	item->record.evidence = evidence;
}
