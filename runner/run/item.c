// SPDX-License-Identifier: Apache-2.0
#include "item.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oclmm/model.h"
#include "process/process.h"
#include "run.h"

/* ---- what a test is held to ---- */

/* Whose rules the device is held to. */
static enum oclmm_model model_of(const struct run_context *context)
{
	return regrade_model_for(&context->model, context->device->version);
}

static void note_unused(struct run *run, const char *path, const char *reason)
{
	progress_clear(&run->session->progress);
	fprintf(stderr, "oclmm run: note: %s %s; asking the oracle\n", oclmm_shown(path).text,
	        reason);
}

static const struct oclmm_expected_file *load_expected(struct run *run, const struct chosen *test)
{
	struct run_session *session = run->session;
	struct oclmm_error error = {0};
	struct oclmm_expected_file *file = NULL;
	int r = oclmm_expected_read(test->file->expected, &error, &file);

	if (r == -EINVAL) {
		progress_clear(&run->session->progress);
		report_error(&error);
		note_unused(run, test->file->expected, "is damaged");
	}
	if (r < 0)
		file = NULL;
	oclmm_grow(&session->expected, &session->expected_capacity, session->expected_count,
	           sizeof(*session->expected));
	session->expected[session->expected_count++] = (struct run_expected){.litmus = test->litmus,
	                                                                     .file = file};
	return file;
}

const struct oclmm_expected_file *run_expected_of(struct run *run, size_t test)
{
	const struct chosen *chosen = &run->selection.chosen[test];
	const struct run_session *session = run->session;
	const struct oclmm_expected_file *file;

	/* tests of one file follow each other, so that the last answer nearly always fits */
	for (size_t i = session->expected_count; i > 0; i--) {
		if (session->expected[i - 1].litmus == chosen->litmus)
			return session->expected[i - 1].file;
	}
	file = load_expected(run, chosen);
	if (file && !oclmm_expected_for(file, chosen->variant->program))
		note_unused(run, chosen->file->expected, "is not of this version of the test");
	return file;
}

bool run_can_fail(struct run *run, size_t test)
{
	const struct oclmm_expected *expected;

	/* a test about which nothing is known may fail */
	if (run->context.model.cat)
		return true;
	expected = oclmm_expected_held(run->context.arena, run_expected_of(run, test),
	                               run->selection.chosen[test].variant->program,
	                               model_of(&run->context));
	return !expected || oclmm_expected_forbids(expected);
}

/* ---- from its program to a record ---- */

static void set_message(struct run_item *item, const char *kind, const char *message)
{
	snprintf(item->message, sizeof(item->message), "%s%s%s", kind, *kind ? ": " : "", message);
	item->message[strcspn(item->message, "\n")] = '\0';
	item->record.message = item->message;
}

/* Past the budget the others of a run still get an answer if it takes no time. */
static double end_of_asking(const struct run_context *context)
{
	double soon = oclmm_clock() + 0.05;

	if (context->ask_until <= 0)
		return HUGE_VAL;
	return context->ask_until < soon ? soon : context->ask_until;
}

/* The entry under expected/ when it was computed for this program, else what the oracle says
 * now. */
static const struct oclmm_expected *find_expected(struct run_item *item,
                                                  const struct run_context *context,
                                                  const struct oclmm_program *program,
                                                  const struct oclmm_expected_file *written)
{
	enum oclmm_model model = model_of(context);
	const double until = end_of_asking(context);
	const struct oclmm_check_options limits = {.time_limit = 60,
	                                           .ended = process_ended,
	                                           .data = &until,
	                                           .cat = context->model.cat};
	const struct oclmm_expected *expected = NULL;
	struct oclmm_error error = {0};

	/* files hold what our model says */
	if (!limits.cat)
		expected = oclmm_expected_held(context->arena, written, program, model);

	if (expected)
		return expected;
	if (oclmm_expected_ask(program, model, &limits, &error, &item->computed) < 0) {
		set_message(item, "no oracle", error.message);
		return NULL;
	}
	return oclmm_expected_at(item->computed, 0);
}

/* All that decides how a test runs, beside its seed. The record has it, so that another run can
 * repeat the test. */
static void use_environments(struct run_item *item, const struct oclmm_environment_set *set)
{
	struct oclmm_text text = {0};

	item->environments = *set;
	item->job.environment = item->environments.environments;
	item->job.environment_count = set->count;
	oclmm_environment_set_print(&text, set);
	free(item->environment);
	item->record.environment = item->environment = oclmm_text_steal(&text);
}

static void set_environments(struct run_item *item, const struct run_context *context)
{
	struct oclmm_environment_set set;

	run_environments_choose(context->environments, context->device, item->test, &set);
	if (set.count)
		use_environments(item, &set);
}

struct oclmm_identity run_identity(const struct run_context *context)
{
	const struct oclmm_device_info *info = context->device;

	return (struct oclmm_identity){
		.platform = info->platform,
		.device = info->name,
		.device_id = *context->identity->id ? context->identity->id : NULL,
		.driver = info->driver,
		.version = info->version,
		.il = context->il,
	};
}

void run_item_prepare(struct run_item *item, const struct run_context *context,
                      const struct chosen *test, const struct oclmm_expected_file *expected)
{
	const struct oclmm_device_info *info = context->device;
	const struct oclmm_program *program = test->variant->program;
	struct oclmm_record *record = &item->record;

	*item = (struct run_item){.test = test};
	*record = (struct oclmm_record){
		.program = program,
		.file = test->file->relative,
		.family = test->file->family,
		.path = test->file->apart ? test->file->path : NULL,
		.control = test->variant->control,
		.identity = run_identity(context),
		.model = regrade_model_name(&context->model, info->version),
		.oracle = "oclmm " OCLMM_VERSION,
		.master_seed = context->seed,
		/* by name, so that a test has the same stimulus alone as among others */
		.seed = oclmm_random_derive(context->seed, program->name),
	};
	record->expected = find_expected(item, context, program, expected);
	item->job = (struct oclmm_run_request){
		.program = run_for_device(context->environments, program),
		.space = record->expected ? &record->expected->space : NULL,
		.unspecified = record->expected ? record->expected->unspecified : NULL,
		.launches = context->launches,
		.instances = context->instances,
		.seed = record->seed,
		.halvings = context->halvings,
		.halvings_given = context->halvings.count > 0,
		.turns = context->turns,
		.turns_given = context->turns.count > 0,
	};
	set_environments(item, context);
}

bool run_item_count_alone(struct run_item *item)
{
	enum { INSTANCES = 1 << 20 };
	const struct oclmm_run_request *job = &item->job;
	struct oclmm_environment_set set = {.count = job->environment_count};
	struct oclmm_kernel_plan plan;

	if (job->first_launch > 0 || set.count == 0 || set.count > OCLMM_ENVIRONMENTS_MAX ||
	    run_plan(job->program, &plan) < 0)
		return false;
	for (uint32_t i = 0; i < set.count; i++) {
		set.environments[i] = job->environment[i];
		oclmm_environment_count_alone(&set.environments[i], &plan);
	}
	use_environments(item, &set);
	if (item->job.instances > INSTANCES)
		item->job.instances = INSTANCES;
	item->job.launches = 0;
	return true;
}

static enum oclmm_class class_of(enum oclmm_support support)
{
	switch (support) {
	case OCLMM_SUPPORT_CLAIMED: return OCLMM_CLASS_CLAIMED;
	case OCLMM_SUPPORT_ACCEPTED: return OCLMM_CLASS_ACCEPTED;
	case OCLMM_SUPPORT_UNSUPPORTED: break;
	}
	return OCLMM_CLASS_UNSUPPORTED;
}

/* Puts this in front of a message of OpenCL. */
static const char *kind_of(enum oclmm_end end)
{
	switch (end) {
	case OCLMM_END_DEVICE_ERROR:
	case OCLMM_END_OUT_OF_MEMORY:
	case OCLMM_END_DEVICE_LOST:
	case OCLMM_END_RESULTS_LOST: return oclmm_end_words(end);
	default: return "";
	}
}

/* The message is there. */
static void lack_oracle(struct run_item *item)
{
	item->record.end = OCLMM_END_ORACLE;
}

/* The counts of a failed attempt stay: they were seen, whatever the next attempt says. */
static void keep_counts(struct oclmm_counts *now, struct oclmm_counts *before)
{
	if (!before->histogram)
		return;
	if (!now->histogram) {
		now->histogram = before->histogram;
		before->histogram = NULL;
	} else if (oclmm_histogram_merge(now->histogram, before->histogram) < 0) {
		return; /* cannot happen: it is the same program */
	}
	now->instances += before->instances;
	now->launches += before->launches;
	now->looked += before->looked;
	now->seconds += before->seconds;
}

void run_item_take(struct run_item *item, struct worker_result *result, uint32_t attempt)
{
	struct oclmm_record *record = &item->record;
	bool was_lost = attempt > 1 && oclmm_end_ended(record->end) == OCLMM_ENDED_LOST;

	if (attempt > 1)
		keep_counts(&result->run.counts, &item->result.run.counts);
	worker_result_finish(&item->result);
	/* a second attempt runs alone, beside no control */
	if (attempt > 1)
		record->evidence = NULL;
	item->result = *result;
	*result = (struct worker_result){0};
	oclmm_print_now(item->started, sizeof(item->started));
	record->started = item->started;
	record->attempts = attempt;
	/* where a child died too early: what an earlier one said, else as if claimed, which
	 * gates */
	if (item->result.classified)
		record->support = class_of(item->result.support);
	/* a device that loses work has not passed because it did it the second time */
	if (!was_lost || item->result.end != OCLMM_END_OK) {
		record->end = item->result.end;
	}
	record->identity.options = item->result.options;
	/* what the compiler said, or else what the driver printed before it failed */
	record->build_log = item->result.run.build_log ? item->result.run.build_log
	                                               : item->result.log;
	/* the stimulus and the halvings of this attempt */
	record->counts = item->result.run.counts;
	if (!record->expected && record->support != OCLMM_CLASS_UNSUPPORTED)
		lack_oracle(item);
	else if (item->result.end != OCLMM_END_OK)
		set_message(item, kind_of(item->result.end), item->result.message);
}

void run_item_continue(struct run_item *part, const struct run_item *whole)
{
	const struct oclmm_record *record = &whole->record;

	*part = (struct run_item){.test = whole->test, .record = *record, .job = whole->job};
	part->record.evidence = NULL;
	part->record.grade = (struct oclmm_grade){0};
	part->record.counts.histogram = NULL;
	part->record.first_launch = part->job.first_launch = record->first_launch +
	                                                     record->counts.launches;
	part->record.earlier = record->counts.instances;
	part->record.message = NULL;
	part->record.counts.halved = 0;
	part->record.counts.halved_at = (struct oclmm_halvings){0};
	part->job.stimulus = record->counts.stimulus;
	if (!part->job.halvings_given)
		part->job.halvings = record->counts.halved_at;
	if (!part->job.turns_given)
		part->job.turns = record->counts.turns;
	part->job.launches = part->job.instances = 0;
}

void run_item_extend(struct run_item *whole, const struct run_item *part,
                     const struct run_context *context)
{
	/* cannot fail: the parts are of one test */
	if (oclmm_record_extend(&whole->record, &part->record) < 0)
		return;
	if (part->record.message)
		set_message(whole, "", part->record.message);
	oclmm_grade_finish(&whole->record.grade);
	oclmm_grade(&whole->record, &context->grade);
}

void run_item_judge(struct run_item *item, const struct run_context *context)
{
	oclmm_grade(&item->record, &context->grade);
	item->done = true;
}

void run_item_finish(struct run_item *item)
{
	oclmm_grade_finish(&item->record.grade);
	worker_result_finish(&item->result);
	oclmm_expected_destroy(item->computed);
	oclmm_arena_destroy(item->arena);
	free(item->environment);
	*item = (struct run_item){0};
}
