// SPDX-License-Identifier: Apache-2.0
/*
 * The runs of one command, one for each device: they go on at the same time, and have one results
 * file, one summary each, and one verdict.
 */
#include "session.h"

#include <stdlib.h>
#include <string.h>

#include "choose.h"
#include "schedule.h"
#include "survey/survey.h"
#include "tell.h"
#include "work.h"

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

static void work(void *data, size_t index)
{
	struct run_session *session = data;

	run_tests(&session->runs[index]);
}

int run_session_work(struct run_session *session)
{
	struct run *first = &session->runs[0];
	double now = oclmm_clock();

	run_tell_begin(session);
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
	return run_tell_end(session);
}
