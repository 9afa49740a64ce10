// SPDX-License-Identifier: Apache-2.0
/*
 * When a control has shown enough. A launch of it beside one of the silent test
 * halves the probability that a bug as frequent as its outcome stayed silent; when
 * that is small enough, more of it says nothing that anybody asks for. The test
 * itself runs on, for it is what a device may fail.
 */
#include <math.h>

#include "run.h"

/* Beyond this the summary does not tell tests apart. */
static const double CERTAIN = 0.99999;

uint64_t run_hits_missing(double confidence, size_t controls, double log)
{
	double wanted = -log1p(-(confidence > CERTAIN ? confidence : CERTAIN));
	/* which of them speaks is not fixed beforehand */
	double missing = ceil((wanted + log1p((double)controls - 1) + log) / M_LN2);

	return missing > 0 ? (uint64_t)missing : 0;
}

static size_t count_kind(const struct run_controls *own, enum oclmm_control_kind kind)
{
	size_t count = 0;

	for (size_t i = 0; i < own->count; i++)
		count += own->controls[i].kind == kind;
	return count;
}

/* Whether some other test of the group has the same control. */
static bool is_shared(const struct run_schedule *schedule, const struct run_group *group,
                      size_t test, size_t job)
{
	for (size_t i = 0; i < group->tests; i++) {
		const struct run_controls *others = &schedule->controls[group->jobs[i]];

		for (size_t k = 0; group->jobs[i] != test && k < others->count; k++) {
			if (others->controls[k].job == job)
				return true;
		}
	}
	return false;
}

/* What the launches of a control were worth in earlier parts of its test. */
static double worth_of(const struct run *run, const struct run_item *items,
                       const struct run_item *item, size_t control)
{
	const struct oclmm_evidence *evidence =
		run->items[item->test - run->selection.chosen].record.evidence;

	if (items == run->items || !evidence || control >= evidence->control_count)
		return 0;
	return oclmm_evidence_log_escape(evidence, control);
}

static void take_out(struct run_group *group, size_t job)
{
	size_t kept = group->tests;

	for (size_t i = group->tests; i < group->count; i++) {
		if (group->jobs[i] != job)
			group->jobs[kept++] = group->jobs[i];
	}
	group->count = kept;
}

static void bound(struct run_schedule *schedule, struct run_group *group,
                  const struct run_item *item, struct run_control *control, uint64_t missing)
{
	struct oclmm_run_request *job = &schedule->jobs[control->job];
	struct run_hit *hit;

	if (missing == 0) {
		take_out(group, control->job);
		control->job = SIZE_MAX;
		return;
	}
	hit = OCLMM_NEW(schedule->arena, struct run_hit);
	*hit = (struct run_hit){item, control};
	job->enough_hits = missing;
	job->is_hit = run_is_hit;
	job->hit_data = hit;
}

void run_controls_bound(const struct run *run, const struct run_item *items,
                        struct run_schedule *schedule, struct run_group *group)
{
	for (size_t i = 0; i < group->tests; i++) {
		size_t test = group->jobs[i];
		const struct run_item *item = &items[test];
		struct run_controls *own = &schedule->controls[test];

		for (size_t k = 0; k < own->count; k++) {
			struct run_control *control = &own->controls[k];

			/* one that was asked for itself is a test */
			if (control->job == SIZE_MAX || control->job < schedule->item_count ||
			    is_shared(schedule, group, test, control->job))
				continue;
			bound(schedule, group, item, control,
			      run_hits_missing(run->options.rules.demand.confidence,
			                       count_kind(own, control->kind),
			                       worth_of(run, items, item, k)));
		}
	}
}
