// SPDX-License-Identifier: Apache-2.0
/*
 * The runs of one command, one for each device: they go on at the same time, and
 * have one results file, one summary each, and one verdict.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "process/process.h"
#include "run.h"
#include "survey/claims.h"

struct run_label run_label(const struct run_lane *lane)
{
	const struct run *run = lane->run;
	struct run_label label = {""};

	if (run->session->run_count > 1)
		snprintf(label.text, sizeof(label.text), " [%zu]",
		         (size_t)(run - run->session->runs) + 1);
	else if (run->lane_count > 1)
		snprintf(label.text, sizeof(label.text), " [%zu]", (size_t)(lane - run->lanes) + 1);
	return label;
}

/* ---- a run ---- */

/*
 * Tests that need what a device does not claim gate nothing: a driver that stops
 * claiming something would pass for want of tests.
 */
static int check_claims(const struct run *run)
{
	const struct oclmm_device_info *info = run->context.device;
	const char *path = run->options.claims_expected;
	struct oclmm_error error = {0};
	struct oclmm_text missing = {0};
	int status = 0;

	if (!path)
		return 0;
	if (claims_expect(path, info, &error, &missing) < 0) {
		status = report_error(&error);
	} else if (missing.length) {
		options_error(run->command, "%s does not claim what %s expects: %s", info->name,
		              path, oclmm_text_string(&missing));
		status = OCLMM_EXIT_INFRASTRUCTURE;
	}
	oclmm_text_finish(&missing);
	return status;
}

/* Each has an order of its own, and borrows what the tests are read from. */
static void copy_selection(struct run *run, const struct run *wish)
{
	size_t count = wish->selection.count;

	run->selection.chosen = oclmm_calloc(count + 1, sizeof(*run->selection.chosen));
	for (size_t i = 0; i < count; i++)
		run->selection.chosen[i] = wish->selection.chosen[i];
	run->items = oclmm_calloc(count + 1, sizeof(*run->items));
}

static void add_lanes(struct run *run, const size_t *devices, size_t count)
{
	run->lanes = oclmm_calloc(count + 1, sizeof(*run->lanes));
	for (; run->lane_count < count; run->lane_count++)
		run->lanes[run->lane_count] = (struct run_lane){
			.run = run,
			.device = devices[run->lane_count],
			.identity = &run->session->devices.identities[devices[run->lane_count]],
		};
}

/* What does not fit a device is refused before others are waited for. */
static int open_run(struct run *run, const struct run *wish, const size_t *devices, size_t count)
{
	int status;

	*run = *wish;
	copy_selection(run, wish);
	add_lanes(run, devices, count);
	run_take_device(run, devices[0]);
	run->environments = (struct run_environments){0};
	run->context.environments = &run->environments;
	status = run_check_il(run);
	if (status == 0)
		status = check_claims(run);
	if (status == 0)
		status = run_environments_take(&run->environments, run->command, &run->options);
	if (status == 0)
		status = run_environments_open(&run->environments, run->command, &run->options,
		                               run->context.device);
	if (status == 0 && run->options.budget > 0)
		run_order(run);
	return status;
}

static void finish_run(struct run *run)
{
	for (size_t i = 0; run->items && i < run->selection.count; i++)
		run_item_finish(&run->items[i]);
	free(run->items);
	run_schedule_forget(run);
	free(run->selection.chosen);
	free(run->lanes);
	free(run->replay);
	oclmm_text_finish(&run->claims);
	oclmm_text_finish(&run->variables);
	run_environments_finish(&run->environments);
}

/* ---- all of them ---- */

static int compare_locks(const void *a, const void *b)
{
	const struct run_lane *const *x = a, *const *y = b;

	return strcmp((*x)->identity->file, (*y)->identity->file);
}

static size_t list_lanes(const struct run_session *session, struct run_lane ***ret_lanes)
{
	struct run_lane **lanes = oclmm_calloc(session->devices.list.count + 1, sizeof(*lanes));
	size_t count = 0;

	for (size_t i = 0; i < session->run_count; i++) {
		for (size_t k = 0; k < session->runs[i].lane_count; k++)
			lanes[count++] = &session->runs[i].lanes[k];
	}
	*ret_lanes = lanes;
	return count;
}

/* Always in one order: two runs that each had one of two devices would wait for ever. */
static int lock_all(const struct run_session *session)
{
	struct run_lane **lanes;
	size_t count = list_lanes(session, &lanes);
	int status = 0;

	qsort(lanes, count, sizeof(*lanes), compare_locks);
	for (size_t i = 0; status == 0 && i < count; i++)
		status = run_lock_device(lanes[i]->run, lanes[i]->identity, &lanes[i]->run->lock);
	free(lanes);
	return status;
}

int run_session_open(struct run_session *session, struct run *wish)
{
	struct run_devices devices;
	int status = run_find_devices(wish, &devices);
	size_t each = wish->options.spread ? devices.count : 1;

	if (status)
		return status;
	session->runs = oclmm_calloc(devices.count + 1, sizeof(*session->runs));
	for (size_t i = 0; status == 0 && i < devices.count; i += each)
		status = open_run(&session->runs[session->run_count++], wish, &devices.indices[i],
		                  each);
	free(devices.indices);
	if (status == 0)
		status = run_resume(session);
	if (status == 0)
		status = lock_all(session);
	return status;
}

void run_session_finish(struct run_session *session)
{
	for (size_t i = 0; i < session->output_count; i++)
		run_output_close(&session->outputs[i]);
	for (size_t i = 0; i < session->run_count; i++)
		finish_run(&session->runs[i]);
	free(session->runs);
	for (size_t i = 0; i < session->expected_count; i++)
		oclmm_expected_destroy(session->expected[i].file);
	free(session->expected);
	oclmm_results_destroy(session->results);
	worker_devices_finish(&session->devices);
	*session = (struct run_session){0};
	/* locks go with the process */
}

/* ---- their reports ---- */

static void make_header(struct run *run)
{
	const struct oclmm_device_info *info = run->context.device;
	const char *id = run->context.identity->id;

	oclmm_print_now(run->started, sizeof(run->started));
	run->replay = run_make_replay(run);
	claims_print(&run->claims, info);
	oclmm_driver_variables(&run->variables);
	if (run->variables.length)
		run->variables.data[--run->variables.length] = '\0';
	/* what --resume takes over counts, too */
	run->whole_suite &= run->context.instances >= RUN_INSTANCES;
	run->header = (struct oclmm_run_header){
		.tool = "oclmm " OCLMM_VERSION,
		.platform = info->platform,
		.device = info->name,
		.device_id = run->lane_count == 1 && *id ? id : NULL,
		.devices = (uint32_t)run->lane_count,
		.driver = info->driver,
		.partner = run->partner,
		.version = info->version,
		.il = run->context.il,
		.claims = oclmm_text_string(&run->claims),
		.variables = oclmm_text_string(&run->variables),
		.seed = run->context.seed,
		.instances = run->context.instances,
		.budget = run->options.budget,
		.profile = run->options.profile,
		.tests = run->selection.count,
		.whole_suite = run->whole_suite,
		.replay = run->replay,
		.replay_environment = run->environments.given.count ||
	                              run->environments.profiles.count,
		.strict = run->options.strict,
		.unproven_property = run->options.unproven_property,
		.demand = run->options.rules.demand,
		.shard = run->options.shard.index,
		.shards = run->options.shard.count,
		.started = run->started,
	};
}

static void make_headers(struct run_session *session)
{
	for (size_t i = 0; i < session->run_count; i++)
		make_header(&session->runs[i]);
	for (size_t i = 1; i < session->run_count; i++)
		session->runs[i - 1].header.next = &session->runs[i].header;
}

static void say(const struct run *run, const char *text)
{
	fprintf(stderr, "oclmm %s: %s\n", run->command->name, text);
}

static void print_notes(const struct run_session *session)
{
	const struct run *first = &session->runs[0];
	const struct shard *shard = &first->options.shard;
	size_t chosen = 0, resumed = 0;
	char text[160];

	for (size_t i = 0; i < session->run_count; i++) {
		chosen += session->runs[i].selection.count;
		resumed += session->runs[i].resumed_count;
	}
	if (shard->count) {
		snprintf(text, sizeof(text), "shard %" PRIu32 "/%" PRIu32 "%s%s: %s", shard->index,
		         shard->count, shard->from ? " from " : "", shard->from ? shard->from : "",
		         oclmm_counted(first->selection.count, "test").text);
		say(first, text);
	}
	if (session->resumed) {
		snprintf(text, sizeof(text), "%zu of %s already there%s", resumed,
		         oclmm_counted(chosen, "test").text,
		         session->complete ? ", and the run is complete" : "");
		say(first, text);
	}
}

/* What was taken over is told to those that do not have it. */
static void tell_of_resumed(struct run_session *session, struct run_output *output)
{
	size_t saved = session->results ? session->results->saved_count : 0;

	/* its manifest counts the lines that are there */
	for (size_t i = 0; output == session->resumed && i < saved; i++)
		run_output_record(output, &session->results->saved[i].record, true);
	for (size_t i = 0; output != session->resumed && i < session->run_count; i++) {
		const struct run *run = &session->runs[i];

		for (size_t k = 0; k < run->selection.count; k++) {
			if (run->items[k].done)
				run_output_record(output, &run->items[k].record, false);
		}
	}
}

static void begin_reports(struct run_session *session)
{
	const struct run *first = &session->runs[0];

	for (size_t i = 0; i < session->output_count; i++) {
		struct run_output *output = &session->outputs[i];
		const struct oclmm_report_kind *kind =
			i == 0                       ? first->options.format
			: output == session->resumed ? oclmm_report_kind("json")
						     : oclmm_report_kind_of_file(output->name);

		run_output_begin(output, kind, &first->header,
		                 output == session->resumed && output->good > 0);
		tell_of_resumed(session, output);
	}
}

static bool was_cut(const struct run *run)
{
	bool cut = false;

	for (size_t i = 0; i < run->lane_count; i++)
		cut |= run->lanes[i].cut;
	return cut;
}

static bool lost_a_device(const struct run *run)
{
	bool lost = false;

	for (size_t i = 0; i < run->lane_count; i++)
		lost |= run->lanes[i].gone;
	return lost;
}

/* Adds its records; what it did not do is told in `part`. */
static void end_run(struct run *run, struct run_ending *ending, struct oclmm_tally *part)
{
	size_t before = ending->count;

	for (size_t i = 0; i < run->selection.count; i++) {
		if (run->items[i].done)
			ending->records[ending->count++] = &run->items[i].record;
	}
	part->left_out = run->selection.count - (ending->count - before);
	part->unfinished = run->options.unfinished_allowed ? 0 : run_count_unfinished(run);
	part->interrupted = was_cut(run) ||
	                    (part->left_out &&
	                     (process_interrupted || run->stopped || lost_a_device(run)));
	ending->left_out += part->left_out;
	ending->unfinished += part->unfinished;
	ending->interrupted |= part->interrupted;
}

static int end_reports(struct run_session *session)
{
	const struct run *first = &session->runs[0];
	struct oclmm_tally *parts = oclmm_calloc(session->run_count, sizeof(*parts));
	size_t most = first->selection.count * session->run_count;
	struct run_ending ending = {
		.command = first->command,
		.header = &first->header,
		.records = oclmm_calloc(most + 1, sizeof(*ending.records)),
		.annotations = first->options.annotations,
		.parts = session->run_count > 1 ? parts : NULL,
	};
	int status;

	for (size_t i = 0; i < session->run_count; i++)
		end_run(&session->runs[i], &ending, &parts[i]);
	if (session->resumed)
		session->resumed->ended = session->complete;
	status = run_output_end_all(&ending, session->outputs, session->output_count);
	free(ending.records);
	free(parts);
	return status;
}

/* ---- at work ---- */

static void work(void *data, size_t index)
{
	struct run_session *session = data;

	run_tests(&session->runs[index]);
}

int run_session_work(struct run_session *session)
{
	struct run *first = &session->runs[0];
	double now = oclmm_clock();

	make_headers(session);
	print_notes(session);
	begin_reports(session);
	progress_begin(&session->progress, session->run_count * first->selection.count);
	session->progress.most = first->options.budget;
	run_programs_begin(session);
	for (size_t i = 0; i < session->run_count; i++)
		session->runs[i].started_at = now;
	if (process_together(session->run_count, work, session) < 0) {
		options_error(first->command, "cannot start a thread for each device");
		for (size_t i = 0; i < session->run_count; i++)
			session->runs[i].stopped = true;
	}
	run_programs_end(session);
	progress_clear(&session->progress);
	return end_reports(session);
}
