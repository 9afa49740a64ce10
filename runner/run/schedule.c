// SPDX-License-Identifier: Apache-2.0
/*
 * The order of tests, which of them run interleaved, beside which controls and for how long, and
 * which programs are compiled as one text.
 */
#include "schedule.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "evidence.h"

/* Tests of a group: enough to share a control, few enough not to wait long for each other. */
enum { TESTS_MOST = 16 };
/* Programs in one text of a group: a compiler of a GPU takes longer over each kernel of a large
 * one. */
enum { TEXT_MOST = 8 };
/* The summary does not tell tests with higher confidence apart. */
static const double CERTAIN = 0.99999;

/* ---- the order in which a budget is spent ---- */

/*
 * Time may not suffice for all tests. So families take turns: first tests that forbid something,
 * each with the control of its silence. What is left out then comes from all families alike.
 */

/* A test's place among those of its family. */
struct place {
	size_t index; /* in the selection */
	const char *family;
	bool forbids;
	uint64_t draw; /* orders the tests of a family */
	size_t rank;   /* by that */
};

static int compare_families(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	int order = oclmm_compare_numbers(!x->forbids, !y->forbids);

	order = order ? order : strcmp(x->family, y->family);
	return order ? order : oclmm_compare_numbers(x->draw, y->draw);
}

static int compare_turns(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	int order = oclmm_compare_numbers(!x->forbids, !y->forbids);

	order = order ? order : oclmm_compare_numbers(x->rank, y->rank);
	return order ? order : oclmm_compare_numbers(x->draw, y->draw);
}

static struct place *make_places(struct run *run)
{
	size_t count = run->selection.count;
	struct place *places = oclmm_calloc(count + 1, sizeof(*places));

	for (size_t i = 0; i < count; i++)
		places[i] = (struct place){
			.index = i,
			.family = run->selection.chosen[i].file->family,
			.forbids = run_can_fail(run, i),
			.draw = oclmm_random_derive(run->context.seed,
		                                    run->selection.chosen[i].variant->name),
		};
	qsort(places, count, sizeof(*places), compare_families);
	for (size_t i = 1; i < count; i++) {
		if (places[i].forbids == places[i - 1].forbids &&
		    strcmp(places[i].family, places[i - 1].family) == 0)
			places[i].rank = places[i - 1].rank + 1;
	}
	qsort(places, count, sizeof(*places), compare_turns);
	return places;
}

/* The control of a test, or `count`. */
static size_t find_control(const struct selection *selection, size_t test)
{
	const struct chosen *chosen = &selection->chosen[test];
	const char *control = chosen->variant->control;

	for (size_t i = 0; control && i < selection->count; i++) {
		if (selection->chosen[i].litmus == chosen->litmus &&
		    strcmp(selection->chosen[i].variant->name, control) == 0)
			return i;
	}
	return selection->count;
}

/* Puts a test behind the `next` that are ordered, and its control behind it; returns how many are
 * now.
 */
static size_t take_with_control(const struct selection *selection, size_t test, bool *taken,
                                struct chosen *ordered, size_t next)
{
	size_t control;

	if (test == selection->count)
		return next;
	control = find_control(selection, test);
	if (!taken[test])
		ordered[next++] = selection->chosen[test];
	taken[test] = true;
	if (control < selection->count && !taken[control]) {
		ordered[next++] = selection->chosen[control];
		taken[control] = true;
	}
	return next;
}

/* Families take turns. */
static void order_turns(struct run *run)
{
	struct selection *selection = &run->selection;
	size_t count = selection->count, next = 0;
	struct place *places = make_places(run);
	struct chosen *ordered = oclmm_calloc(count + 1, sizeof(*ordered));
	bool *taken = oclmm_calloc(count + 1, sizeof(*taken));

	for (size_t i = 0; i < count; i++)
		next = take_with_control(selection, places[i].index, taken, ordered, next);
	memcpy(selection->chosen, ordered, count * sizeof(*ordered));
	free(taken);
	free(ordered);
	free(places);
}

/* ---- the tests that come first ---- */

/*
 * Most bugs show in many tests, and a user should hear of one soon. The suite has a list of few
 * tests that between them find every kind of planted bug (tests/plant/first.py makes it). Each is a
 * group of its own with its control, so that its launches begin when these two are compiled. A run
 * of tests that were named keeps their order.
 */

/* malloc-ed, or NULL: a suite of one's own need not have the list. */
static char *read_first(size_t *ret_length)
{
	struct oclmm_error ignored;
	struct oclmm_text path = {0};
	char *folder = suite_folder(&ignored), *text = NULL;

	if (folder)
		oclmm_text_printf(&path, "%s/planted/first", folder);
	if (folder && oclmm_read_file(oclmm_text_string(&path), &text, ret_length) < 0)
		text = NULL;
	oclmm_text_finish(&path);
	free(folder);
	return text;
}

/* The test that the word before any blank names, or `count`. */
static size_t find_named(const struct selection *selection, const char *line)
{
	size_t length = strcspn(line, " #"), i = 0;

	while (i < selection->count &&
	       (strncmp(selection->chosen[i].variant->name, line, length) != 0 ||
	        selection->chosen[i].variant->name[length] != '\0'))
		i++;
	return length ? i : selection->count;
}

static void order_first(struct run *run)
{
	struct selection *selection = &run->selection;
	size_t count = selection->count, next = 0, length;
	char *text = read_first(&length);
	struct chosen *ordered;
	struct oclmm_lines lines;
	bool *taken;

	if (!text)
		return;
	ordered = oclmm_calloc(count + 1, sizeof(*ordered));
	taken = oclmm_calloc(count + 1, sizeof(*taken));
	oclmm_lines_begin(&lines, NULL, text, length);
	while (oclmm_lines_next(&lines))
		next = take_with_control(selection,
		                         find_named(selection, oclmm_lines_cut(&lines, text)),
		                         taken, ordered, next);
	run->first_count = next;
	for (size_t i = 0; i < count; i++) {
		if (!taken[i])
			ordered[next++] = selection->chosen[i];
	}
	memcpy(selection->chosen, ordered, count * sizeof(*ordered));
	free(taken);
	free(ordered);
	free(text);
}

void run_order(struct run *run)
{
	if (run->options.budget > 0)
		order_turns(run);
	if (run->options.profile || run->whole_suite)
		order_first(run);
}

/* ---- a group that is being filled: its tests ---- */

/* A group to which tests are being added. */
struct filling {
	struct run *run;
	struct run_item *items;
	struct run_schedule *schedule;
	struct run_group group;
	size_t capacity;
};

static void add_job(struct filling *filling, size_t job)
{
	struct run_group *group = &filling->group;

	oclmm_grow(&group->jobs, &filling->capacity, group->count, sizeof(*group->jobs));
	group->jobs[group->count++] = job;
}

static bool same_halvings(const struct oclmm_halvings *a, const struct oclmm_halvings *b)
{
	return a->count == b->count && memcmp(a->at, b->at, a->count * sizeof(*a->at)) == 0;
}

/* Whether a program may show the outcome that it asks for, by which environments are chosen. A
 * test that forbids it has no influence on that choice. */
struct sought {
	const struct oclmm_program *program;
	const struct oclmm_expected *expected; /* NULL: of a control that was derived */
};

static bool is_sought(const void *data, const int64_t *values)
{
	const struct sought *sought = data;
	const struct oclmm_program *p = sought->program;

	if ((p->filter && !oclmm_condition_holds(p, p->filter, values)) ||
	    oclmm_condition_holds(p, p->condition, values) ==
	            (p->quantifier == OCLMM_QUANTIFIER_FORALL))
		return false;
	return !sought->expected ||
	       oclmm_expected_status(sought->expected, values, NULL) == OCLMM_STATUS_ALLOWED;
}

static void set_sought(struct run_schedule *schedule, const struct run_item *items,
                       const struct run_group *group)
{
	for (size_t i = 0; i < group->count; i++) {
		size_t number = group->jobs[i];
		struct oclmm_run_request *job = &schedule->jobs[number];
		bool own = number < schedule->item_count;
		struct sought *sought;

		/* without an answer, any outcome could be forbidden */
		if (!job->program || (own && !items[number].record.expected))
			continue;
		sought = OCLMM_NEW(schedule->arena, struct sought);
		*sought = (struct sought){job->program, own ? items[number].record.expected : NULL};
		job->is_sought = is_sought;
		job->sought_data = sought;
	}
}

static bool same_turns(const struct oclmm_turns *a, const struct oclmm_turns *b)
{
	bool same = a->count == b->count;

	for (uint32_t i = 0; same && i < a->count; i++)
		same = a->at[i].block == b->at[i].block &&
		       memcmp(a->at[i].share, b->at[i].share, sizeof(a->at[i].share)) == 0;
	return same;
}

static bool are_together(const struct run_item *a, const struct run_item *b)
{
	const struct chosen *x = a->test, *y = b->test;

	return x->litmus == y->litmus && a->job.first_launch == b->job.first_launch &&
	       same_halvings(&a->job.halvings, &b->job.halvings) &&
	       same_turns(&a->job.turns, &b->job.turns) &&
	       run_weakest(x->litmus, x->variant) == run_weakest(y->litmus, y->variant);
}

/* The device memory of one job: its objects, and the results of launches under way. */
static uint64_t bytes_of(const struct oclmm_run_request *job)
{
	enum { RESULTS = 64 };
	uint64_t most = 1;

	for (uint32_t i = 0; i < job->environment_count; i++) {
		const struct oclmm_environment *environment = &job->environment[i];
		uint64_t bytes = (uint64_t)oclmm_environment_instances(environment) * RESULTS;

		bytes += oclmm_layout_bytes(environment, job->program, OCLMM_STORAGE_BUFFER);
		bytes += oclmm_layout_bytes(environment, job->program, OCLMM_STORAGE_SVM_ATOMICS);
		most = bytes > most ? bytes : most;
	}
	return most;
}

/* Whether a test of the run is one of those that come first. */
static bool is_first(const struct run *run, const struct run_item *items, size_t index)
{
	return items == run->items && index < run->first_count;
}

/* Whether two tests may share a group as far as their places in the run say. */
static bool may_share(const struct filling *filling, size_t a, size_t b)
{
	const struct run *run = filling->run;

	if (!is_first(run, filling->items, a))
		return true;
	return is_first(run, filling->items, b) && find_control(&run->selection, a) == b;
}

/* As many tests as fit beside their controls. */
static size_t most_tests(const struct filling *filling, const struct oclmm_run_request *job)
{
	enum { PART_OF_MEMORY = 4 };
	uint64_t memory = filling->run->context.device->global_memory / PART_OF_MEMORY;
	uint64_t fit = memory / (bytes_of(job) * (2 + OCLMM_CONTROLS_USUAL));

	return fit < 1 ? 1 : fit < TESTS_MOST ? (size_t)fit : TESTS_MOST;
}

static void add_tests(struct filling *filling, size_t first, size_t count, bool *taken)
{
	const struct run_item *items = filling->items;
	bool neighbours = filling->run->options.budget > 0 && items == filling->run->items;
	size_t most = most_tests(filling, &items[first].job);

	for (size_t i = first; i < count && filling->group.count < most; i++) {
		if (items[i].done)
			continue;
		if (!taken[i] && (i == first || may_share(filling, first, i)) &&
		    are_together(&items[first], &items[i])) {
			taken[i] = true;
			add_job(filling, i);
		} else if (neighbours) {
			break;
		}
	}
	filling->group.tests = filling->group.count;
}

/* ---- its controls ---- */

static struct run_control *add_control(struct filling *filling, size_t item)
{
	/* one from the suite, and the derived ones */
	enum { MOST = 1 + OCLMM_CONTROLS_USUAL };
	struct run_controls *own = &filling->schedule->controls[item];

	if (!own->controls)
		own->controls = OCLMM_NEW_ARRAY(filling->schedule->arena, struct run_control, MOST);
	return &own->controls[own->count++];
}

/* Where the observables of a test are among those of its control; NULL where not all are. */
static uint32_t *find_places(struct oclmm_arena *arena, const struct oclmm_program *test,
                             const struct oclmm_program *control)
{
	uint32_t *places = OCLMM_NEW_ARRAY(arena, uint32_t, test->observable_count + 1);

	return oclmm_observables_find(test, control, places) ? places : NULL;
}

/* The job of a program: one that the group has, or a new one that runs like `like`. */
static size_t find_job(struct filling *filling, const struct oclmm_program *program,
                       const struct oclmm_outcome_space *space,
                       const struct oclmm_run_request *like)
{
	struct run_schedule *schedule = filling->schedule;
	struct oclmm_run_request job = *like;

	for (size_t i = 0; i < filling->group.count; i++) {
		if (schedule->jobs[filling->group.jobs[i]].program == program)
			return filling->group.jobs[i];
	}
	job.program = program;
	job.space = space;
	job.joint = NULL;
	job.seed = oclmm_random_derive(filling->run->context.seed, program->name);
	job.stimulus = 0;
	oclmm_grow(&schedule->jobs, &schedule->job_capacity, schedule->job_count,
	           sizeof(*schedule->jobs));
	schedule->jobs[schedule->job_count] = job;
	add_job(filling, schedule->job_count);
	return schedule->job_count++;
}

static size_t number_of(const struct run *run, const struct run_item *item)
{
	return (size_t)(item->test - run->selection.chosen);
}

/* Its own outcomes where they are known; outcomes that the test does not have are counted, too. */
static const struct oclmm_outcome_space *space_of(const struct run_item *item,
                                                  const struct oclmm_expected *expected)
{
	return expected ? &expected->space : &item->record.expected->space;
}

static void add_weaker(struct filling *filling, size_t index)
{
	const struct run_item *item = &filling->items[index];
	const struct oclmm_variant *variant = oclmm_litmus_find(item->test->litmus,
	                                                        item->test->variant->control);
	const struct oclmm_expected_file *file = run_expected_of(filling->run,
	                                                         number_of(filling->run, item));
	const struct oclmm_program *played;
	struct run_control *control;

	if (!variant)
		return;
	played = run_for_device(filling->run->context.environments, variant->program);
	control = add_control(filling, index);
	*control = (struct run_control){
		.name = variant->name,
		.kind = OCLMM_CONTROL_WEAKER,
		.program = variant->program,
		.job = SIZE_MAX,
		.places = find_places(filling->schedule->arena, item->record.program,
	                              variant->program),
		.asked = item->record.expected->observation == OCLMM_OBSERVATION_NEVER
	                         ? variant->program->condition
	                         : NULL,
		.expected = oclmm_expected_for(file, variant->program),
		.meeting = &filling->run->meetings[number_of(filling->run, item)][1],
	};
	/* both are launched in one way */
	if (control->places && run_can_play(played) &&
	    !played->shared == !item->job.program->shared)
		control->job = find_job(filling, played, space_of(item, control->expected),
		                        &item->job);
}

/* The moved controls of a test; NULL where there are none. */
static const struct oclmm_controls *derived_of(const struct run *run, const struct run_item *item)
{
	return run->derived[number_of(run, item)];
}

static bool may_have_controls(const struct run *run, const struct run_item *item)
{
	const struct oclmm_expected *expected = item->record.expected;

	return !run->options.no_controls && expected && item->job.environment_count &&
	       oclmm_expected_forbids(expected);
}

struct deriving {
	struct run *run;
	struct run_item *const *items;
};

static bool is_forbidden(const struct run_item *item, const int64_t *values)
{
	return oclmm_expected_status(item->record.expected, values, NULL) == OCLMM_STATUS_FORBIDDEN;
}

/* Those of a member's outcomes that the test does not forbid, in its order of observables. */
static int64_t *arrange_allowed(const struct run_item *item, const int64_t *outcomes, size_t count,
                                const uint32_t *places, size_t *ret_count)
{
	uint32_t width = item->job.program->observable_count;
	int64_t *allowed = oclmm_calloc(count * width + 1, sizeof(*allowed));

	*ret_count = 0;
	for (size_t i = 0; i < count; i++) {
		int64_t *values = allowed + *ret_count * width;

		for (uint32_t k = 0; k < width; k++)
			values[k] = outcomes[i * width + places[k]];
		*ret_count += !is_forbidden(item, values);
	}
	return allowed;
}

/* Of the test itself or of a control. */
static void find_meeting(const struct run_item *item, const struct oclmm_program *member,
                         struct run_meeting *meeting)
{
	const struct oclmm_program *test = item->job.program;
	uint32_t *places = oclmm_calloc((size_t)test->observable_count + 1, sizeof(*places));
	struct oclmm_serial *serial;

	meeting->width = test->observable_count;
	if (oclmm_observables_find(test, member, places) &&
	    oclmm_serial_find(member, &serial) == 0) {
		meeting->values = arrange_allowed(item, serial->others, serial->other_count, places,
		                                  &meeting->count);
		meeting->serial = arrange_allowed(item, serial->values, serial->count, places,
		                                  &meeting->serial_count);
		oclmm_serial_destroy(serial);
	}
	free(places);
}

static void find_meetings(const struct run_item *item, const struct oclmm_controls *derived,
                          struct run_meeting *meetings)
{
	const struct oclmm_variant *weaker = NULL;

	/* work-items of a shared text meet at its barriers, or it is not run */
	if (meetings[0].values || item->job.program->shared)
		return;
	find_meeting(item, item->job.program, &meetings[0]);
	if (item->test->variant->control)
		weaker = oclmm_litmus_find(item->test->litmus, item->test->variant->control);
	if (weaker)
		find_meeting(item, weaker->program, &meetings[1]);
	for (uint32_t i = 0; derived && i < derived->count; i++)
		find_meeting(item, derived->moved[i].program, &meetings[2 + i]);
}

static void derive(void *data, size_t index)
{
	struct deriving *deriving = data;
	struct run *run = deriving->run;
	const struct run_item *item = deriving->items[index];
	bool cpu = (run->context.device->type & CL_DEVICE_TYPE_CPU) != 0;
	uint32_t most = cpu ? OCLMM_CONTROLS_CPU : OCLMM_CONTROLS_USUAL;

	if (oclmm_controls_derive(item->job.program, item->record.expected, most,
	                          &run->derived[number_of(run, item)]) < 0)
		run->derived[number_of(run, item)] = NULL;
	find_meetings(item, run->derived[number_of(run, item)],
	              run->meetings[number_of(run, item)]);
}

/* Asked once in a run: for some of them the oracle takes longer than a GPU takes for the test. */
static void derive_all(struct run *run, struct run_item *items, size_t count)
{
	struct run_item **wanted = oclmm_calloc(count + 1, sizeof(struct run_item *));
	struct deriving deriving = {run, wanted};
	size_t wanted_count = 0;

	if (!run->derived) {
		run->derived = oclmm_calloc(run->selection.count + 1, sizeof(*run->derived));
		run->meetings = oclmm_calloc(run->selection.count + 1, sizeof(*run->meetings));
	}
	for (size_t i = 0; i < count; i++) {
		if (!items[i].done && may_have_controls(run, &items[i]) &&
		    !run->derived[number_of(run, &items[i])])
			wanted[wanted_count++] = &items[i];
	}
	oclmm_in_parallel(wanted_count, run->context.device->processors, derive, &deriving);
	free(wanted);
}

/*
 * Counts by its own outcomes, so that one that the test does not have is no foreign value; unless
 * it could then not be counted in the same way as the test.
 */
static const struct oclmm_outcome_space *space_of_moved(const struct run_item *item,
                                                        const struct oclmm_moved *moved)
{
	const struct oclmm_outcome_space *usual = &item->record.expected->space;
	struct oclmm_kernel_plan plan, own;
	struct oclmm_error ignored;

	if (oclmm_kernel_plan(moved->program, usual, &ignored, &plan) < 0 ||
	    oclmm_kernel_plan(moved->program, moved->space, &ignored, &own) < 0)
		return usual;
	for (uint32_t i = 0; i < item->job.environment_count; i++) {
		if (item->job.environment[i].direct && plan.direct && !own.direct)
			return usual;
	}
	return moved->space;
}

/* The controls with one wrong step of a compiler each. */
static void add_moved(struct filling *filling, size_t index)
{
	const struct run_item *item = &filling->items[index];
	struct run_schedule *schedule = filling->schedule;
	const struct oclmm_controls *derived = derived_of(filling->run, item);

	for (uint32_t i = 0; derived && i < derived->count; i++) {
		const struct oclmm_program *program = derived->moved[i].program;
		struct run_control *control = add_control(filling, index);

		*control = (struct run_control){
			.name = derived->moved[i].name,
			.kind = OCLMM_CONTROL_MOVED,
			.program = program,
			.job = find_job(filling, program, space_of_moved(item, &derived->moved[i]),
		                        &item->job),
			.places = find_places(schedule->arena, item->job.program, program),
			.space = derived->moved[i].whole ? derived->moved[i].space : NULL,
			.meeting = &filling->run->meetings[number_of(filling->run, item)][2 + i],
		};
	}
}

/* The controls of a test that forbids something: its silence is worth what they show. */
static void add_controls(struct filling *filling, size_t index)
{
	const struct run_item *item = &filling->items[index];

	if (!may_have_controls(filling->run, item))
		return;
	if (item->test->variant->control)
		add_weaker(filling, index);
	add_moved(filling, index);
	filling->schedule->controls[index].meeting =
		&filling->run->meetings[number_of(filling->run, item)][0];
}

/* ---- when a control has shown enough ---- */

/*
 * A launch with a hit of the control beside a silent one of the test halves the probability that a
 * bug as frequent stayed silent. When that is small enough, more launches of the control add
 * nothing. The test itself runs on, because it is what a device may fail.
 */

uint64_t run_hits_missing(double confidence, size_t controls, double log)
{
	double wanted = -log1p(-(confidence > CERTAIN ? confidence : CERTAIN));
	/* it is not fixed beforehand which of them decides, nor of which kind where either
	 * suffices */
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

/* How many controls share the level: those of its kind; twice as many where either kind suffices
 * and there are both. */
static size_t count_tried(const struct run_controls *own, enum oclmm_control_kind kind,
                          enum oclmm_requirement demanded)
{
	size_t count = count_kind(own, kind);

	return demanded == OCLMM_REQUIRE_ANY && count < own->count ? 2 * count : count;
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

/* The weight of a control's launches in earlier parts of its test. */
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

static void bound_control(struct run_schedule *schedule, struct run_group *group,
                          const struct run_item *item, const struct run_controls *own,
                          struct run_control *control, uint64_t missing)
{
	struct oclmm_run_request *job = &schedule->jobs[control->job];

	if (missing == 0) {
		take_out(group, control->job);
		control->job = SIZE_MAX;
		return;
	}
	job->enough_hits = missing;
	run_evidence_watch(item, own, control, schedule->arena, job);
}

/* A control of one test alone stops when its outcome showed often enough; one for which earlier
 * launches sufficed is taken out. */
static void bound_controls(const struct run *run, const struct run_item *items,
                           struct run_schedule *schedule, struct run_group *group)
{
	for (size_t i = 0; i < group->tests; i++) {
		size_t test = group->jobs[i];
		const struct run_item *item = &items[test];
		struct run_controls *own = &schedule->controls[test];
		const struct oclmm_demand *demand = &run->options.rules.demand;

		for (size_t k = 0; k < own->count; k++) {
			struct run_control *control = &own->controls[k];

			/* one that the user asked for is a test */
			if (control->job == SIZE_MAX || control->job < schedule->item_count ||
			    is_shared(schedule, group, test, control->job))
				continue;
			bound_control(schedule, group, item, own, control,
			              run_hits_missing(demand->confidence,
			                               count_tried(own, control->kind,
			                                           demand->kinds),
			                               worth_of(run, items, item, k)));
		}
	}
}

/* ---- what is compiled as one text ---- */

/*
 * One text has a test and its derived controls, and its neighbours where groups are the same in
 * each run: otherwise a driver's cache would not know the texts. On a CPU a text costs as much as a
 * kernel, so there it has tests of several groups.
 */

/* A group whose programs are joined. */
struct joining {
	const struct run *run;
	struct run_item *items;
	struct run_schedule *schedule;
	struct oclmm_joint *joint; /* one of this group alone that has room; or NULL */
	bool across;               /* with others' */
};

static bool has_program(const struct oclmm_joint *joint, const struct oclmm_run_request *job)
{
	for (uint32_t i = 0; joint && i < joint->count; i++) {
		if (joint->programs[i] == job->program && joint->spaces[i] == job->space)
			return true;
	}
	return false;
}

static void put_program(struct oclmm_joint *joint, const struct oclmm_run_request *job)
{
	uint32_t at = joint->count++;

	joint->programs[at] = job->program;
	joint->spaces[at] = job->space;
	joint->environments[at] = job->environment;
	joint->environment_counts[at] = job->environment_count;
}

/* The text of any group to which programs with these texts are being added. */
static struct oclmm_joint **find_open(struct run_schedule *schedule, uint64_t texts)
{
	struct run_open_joint *open = schedule->open;

	while (open && open->texts != texts)
		open = open->next;
	if (!open) {
		open = OCLMM_NEW(schedule->arena, struct run_open_joint);
		*open = (struct run_open_joint){.texts = texts, .next = schedule->open};
		schedule->open = open;
	}
	return &open->joint;
}

/* A text is built with its first program. */
static void add_to_text(struct joining *joining, size_t number)
{
	struct run_schedule *schedule = joining->schedule;
	struct oclmm_run_request *job = &schedule->jobs[number];
	struct oclmm_joint **joint = &joining->joint;
	uint64_t texts = 0;

	if (!job->program || !job->space || job->joint ||
	    oclmm_program_has_commands(job->program) || job->program->shared)
		return;
	if (joining->across)
		texts = oclmm_joint_texts(job->program, job->space, job->environment,
		                          job->environment_count);
	if (texts)
		joint = find_open(schedule, texts);
	if (!has_program(*joint, job)) {
		if (!*joint || (*joint)->count == (texts ? OCLMM_JOINT_MOST : TEXT_MOST))
			*joint = OCLMM_NEW(schedule->arena, struct oclmm_joint);
		put_program(*joint, job);
		(*joint)->lasts = texts != 0;
	}
	job->joint = *joint;
	if (number < schedule->item_count)
		joining->items[number].job.joint = *joint;
}

static void add_derived(struct joining *joining, const struct run_controls *controls)
{
	for (size_t i = 0; i < controls->count; i++) {
		if (controls->controls[i].kind == OCLMM_CONTROL_MOVED)
			add_to_text(joining, controls->controls[i].job);
	}
}

static void join_group(struct joining *joining, const struct run_group *group)
{
	bool neighbours = joining->run->options.budget <= 0;

	for (size_t i = 0; i < group->count; i++) {
		if (!neighbours)
			joining->joint = NULL;
		add_to_text(joining, group->jobs[i]);
		if (i < group->tests)
			add_derived(joining, &joining->schedule->controls[group->jobs[i]]);
	}
}

/* A test that continues is compiled as before, with its controls: the driver has the text
 * already. */
static void join_again(struct joining *joining, size_t number)
{
	const struct run *run = joining->run;
	size_t whole = (size_t)(joining->items[number].test - run->selection.chosen);
	const struct run_controls *before = &run->schedule.controls[whole];
	const struct run_controls *own = &joining->schedule->controls[number];

	/* a test from an earlier process: its text is not known */
	for (size_t i = 0; i < own->count && i < before->count; i++) {
		if (own->controls[i].job != SIZE_MAX && before->controls[i].job != SIZE_MAX)
			joining->schedule->jobs[own->controls[i].job].joint =
				run->schedule.jobs[before->controls[i].job].joint;
	}
}

/* Where nothing is compiled ahead, no text has tests of another group. */
static bool is_across(const struct run *run)
{
	bool ahead = !run->options.compilers_given || run->options.compilers > 0;

	return ahead && run->options.budget <= 0 &&
	       (run->context.device->type & CL_DEVICE_TYPE_CPU);
}

/* More launches of tests that ran before take the texts of the run's schedule, which is still
 * there. */
static void join_texts(const struct run *run, struct run_item *items, struct run_schedule *schedule,
                       const struct run_group *group)
{
	struct joining joining = {
		.run = run,
		.items = items,
		.schedule = schedule,
		.across = is_across(run) && !is_first(run, items, group->jobs[0]),
	};

	if (items == run->items)
		join_group(&joining, group);
	for (size_t i = 0; items != run->items && i < group->tests; i++)
		join_again(&joining, group->jobs[i]);
}

/* ---- the whole ---- */

static void add_group(struct filling *filling)
{
	struct run_schedule *schedule = filling->schedule;
	struct run_group *group = &filling->group;

	if (schedule->group_count > 0) {
		const struct run_group *last = &schedule->groups[schedule->group_count - 1];

		group->first = last->first + last->count;
	}
	oclmm_grow(&schedule->groups, &schedule->group_capacity, schedule->group_count,
	           sizeof(*schedule->groups));
	schedule->groups[schedule->group_count++] = *group;
}

void run_schedule_make(struct run *run, struct run_item *items, size_t count,
                       struct run_schedule *ret_schedule)
{
	bool *taken = oclmm_calloc(count + 1, sizeof(*taken));
	struct run_schedule schedule = {
		.arena = oclmm_arena_create(),
		.jobs = oclmm_calloc(count + 1, sizeof(*schedule.jobs)),
		.job_count = count,
		.item_count = count,
		.job_capacity = count + 1,
	};

	schedule.controls = OCLMM_NEW_ARRAY(schedule.arena, struct run_controls, count + 1);
	for (size_t i = 0; i < count; i++) {
		schedule.jobs[i] = items[i].job;
		if (items == run->items)
			schedule.jobs[i].joint = NULL;
	}
	derive_all(run, items, count);
	for (size_t i = 0; i < count; i++) {
		struct filling filling = {.run = run, .items = items, .schedule = &schedule};

		if (items[i].done || taken[i])
			continue;
		add_tests(&filling, i, count, taken);
		for (size_t k = 0; k < filling.group.tests; k++)
			add_controls(&filling, filling.group.jobs[k]);
		bound_controls(run, items, &schedule, &filling.group);
		set_sought(&schedule, items, &filling.group);
		join_texts(run, items, &schedule, &filling.group);
		add_group(&filling);
	}
	free(taken);
	*ret_schedule = schedule;
}

void run_schedule_finish(struct run_schedule *schedule)
{
	for (size_t i = 0; i < schedule->group_count; i++)
		free(schedule->groups[i].jobs);
	free(schedule->groups);
	free(schedule->jobs);
	oclmm_arena_destroy(schedule->arena);
	*schedule = (struct run_schedule){0};
}

void run_schedule_forget(struct run *run)
{
	for (size_t i = 0; run->derived && i < run->selection.count; i++) {
		oclmm_controls_destroy(run->derived[i]);
		for (size_t k = 0; k < OCLMM_COUNT(run->meetings[i]); k++) {
			free(run->meetings[i][k].values);
			free(run->meetings[i][k].serial);
		}
	}
	free(run->derived);
	free(run->meetings);
	run->derived = NULL;
	run->meetings = NULL;
}
