// SPDX-License-Identifier: Apache-2.0
/*
 * What a run prints and writes: progress, reports, the command that repeats a test, and for each
 * failure a folder with all that its analysis needs.
 */
#include "tell.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "export/export.h"
#include "producer/producer.h"
#include "stress/environment.h"
#include "survey/survey.h"

/* ---- progress ---- */

/* The bar names a test for each device at work. */
static void list_names(const struct run_session *session, struct oclmm_text *text)
{
	for (size_t i = 0; i < session->run_count; i++) {
		for (size_t k = 0; k < session->runs[i].lane_count; k++) {
			const char *name = session->runs[i].lanes[k].doing;

			if (name)
				oclmm_text_printf(text, "%s%s", text->length ? ", " : "", name);
		}
	}
}

static void show_progress(struct run_session *session)
{
	struct oclmm_text names = {0};
	double here = 0;
	size_t done = 0, whole;

	for (size_t i = 0; i < session->run_count; i++) {
		const struct run *run = &session->runs[i];

		done += run->done;
		for (size_t k = 0; k < run->lane_count; k++)
			here += run->lanes[k].fraction * (double)run->lanes[k].at_hand;
	}
	whole = (size_t)here;
	list_names(session, &names);
	progress_update(&session->progress, done + whole, here - (double)whole,
	                oclmm_text_string(&names));
	oclmm_text_finish(&names);
}

void run_note_progress(void *data, double fraction)
{
	struct run_lane *lane = data;

	lane->fraction = fraction;
	show_progress(lane->run->session);
}

/* ---- a command that repeats a test ---- */

/* By name where only one device has it, because another machine may number them differently. */
static void add_device(struct oclmm_text *text, const struct run *run)
{
	struct oclmm_error ignored;
	int named = oclmm_device_choose(&run->session->devices.list, run->context.device->name,
	                                &ignored);

	if (run->partner) {
		oclmm_text_printf(text, " --pair %zu,%zu", run->device, run->partner_index);
		return;
	}
	oclmm_text_add(text, " --device ");
	if (named == (int)run->device)
		oclmm_text_add_quoted(text, run->context.device->name);
	else
		oclmm_text_printf(text, "%zu", run->device);
}

/* The bug that the layer plants; the driver itself does not have it. */
static void add_plant(struct oclmm_text *text)
{
	const char *plant = getenv("OCLMM_PLANT");

	if (!plant || !*plant)
		return;
	oclmm_text_add(text, "OCLMM_PLANT=");
	oclmm_text_add_quoted(text, plant);
	oclmm_text_add(text, " ");
}

/* What a shell has to set so that the driver, and what lies before it, does the same again. */
static void add_variables(struct oclmm_text *text)
{
	oclmm_driver_variables(text);
	add_plant(text);
}

/* Up to `--instances N NAME`; malloc-ed. */
static char *make_replay(const struct run *run)
{
	struct oclmm_text text = {0};

	add_variables(&text);
	oclmm_text_add(&text, "oclmm run");
	add_device(&text, run);
	if (run->options.il)
		oclmm_text_printf(&text, " --il %s", run->options.il);
	if (run->options.rules.claims_accepted)
		oclmm_text_add(&text, " --claims accepted");
	if (run->options.rules.model.cat) {
		oclmm_text_add(&text, " --cat ");
		oclmm_text_add_quoted(&text, run->options.rules.model.path);
	}
	if (run->options.rules.model.given)
		oclmm_text_printf(&text, " --model %s",
		                  oclmm_model_name(run->options.rules.model.model));
	/* otherwise write the environments of each test: the profile may have changed by then */
	if (!run_environments_are_special(&run->environments))
		oclmm_text_add(&text, " --no-profile");
	if (run->options.sizes && !run->environments.profiles.count) {
		oclmm_text_add(&text, " --sizes ");
		oclmm_text_add_quoted(&text, run->options.sizes);
	}
	oclmm_text_printf(&text, " --seed %" PRIu64, run->context.seed);
	return oclmm_text_steal(&text);
}

/* ---- a folder for a failure, that can be sent to a vendor ---- */

static bool is_failure(const struct oclmm_record *record)
{
	return record->grade.verdict == OCLMM_VERDICT_FORBIDDEN ||
	       oclmm_verdict_is_infrastructure(record->grade.verdict);
}

/* Says once per file that a folder cannot be written; the run goes on without it. */
static void write_file(const struct run *run, const char *folder, const char *name,
                       struct oclmm_text *text)
{
	struct oclmm_text path = {0};

	oclmm_text_printf(&path, "%s/%s", folder, name);
	command_write(run->command, oclmm_text_string(&path), text);
	oclmm_text_finish(&path);
	oclmm_text_finish(text);
}

static void write_string(const struct run *run, const char *folder, const char *name,
                         const char *string)
{
	struct oclmm_text text = {0};

	if (!string || !*string)
		return;
	oclmm_text_add(&text, string);
	write_file(run, folder, name, &text);
}

/* With the question that its file asks. */
static void write_litmus(const struct run *run, const char *folder, const struct run_item *item)
{
	const struct oclmm_program *program = item->record.program;
	const char *question = item->test->litmus->question;
	struct oclmm_text text = {0}, name = {0}, printed = {0};
	size_t head;

	oclmm_program_print(&printed, program);
	head = strcspn(oclmm_text_string(&printed), "\n");
	oclmm_text_add_bytes(&text, printed.data, head);
	if (question)
		oclmm_text_printf(&text, "\n\n\"%s\"", question);
	oclmm_text_add(&text, printed.data + head);
	oclmm_text_finish(&printed);
	oclmm_text_printf(&name, "%s.litmus", program->name);
	write_file(run, folder, oclmm_text_string(&name), &text);
	oclmm_text_finish(&name);
}

/* For a device that gets SPIR-V; nothing where the text could not be translated. */
static void write_module(const struct run *run, const char *folder, const char *source)
{
	struct producer_version version;
	struct oclmm_error ignored;
	struct oclmm_text module;

	if (run->producer &&
	    oclmm_device_il_version(run->context.device, &version.major, &version.minor) &&
	    producer_translate(run->producer, version, "-cl-std=CL3.0", source, &ignored,
	                       &module) == 0)
		write_file(run, folder, "kernel.spv", &module);
}

/* For a program of commands, each thread that is a kernel. */
static int generate(const struct run_item *item, struct oclmm_text *ret_text)
{
	struct oclmm_error ignored;

	if (oclmm_program_has_commands(item->job.program)) {
		oclmm_generate_commands(item->job.program, ret_text);
		return 0;
	}
	if (item->job.program->shared) {
		oclmm_generate_whole(item->job.program, ret_text);
		return 0;
	}
	if (!item->job.space)
		return -ENOTSUP;
	return oclmm_generate(item->job.program, item->job.space, NULL, &ignored, ret_text);
}

static void write_kernel(const struct run *run, const char *folder, const struct run_item *item)
{
	struct oclmm_text text;

	if (generate(item, &text) < 0)
		return;
	write_module(run, folder, oclmm_text_string(&text));
	write_file(run, folder, "kernel.cl", &text);
}

static uint32_t floor_to_power(uint32_t number)
{
	uint32_t power = 1;

	while (power <= number / 2)
		power *= 2;
	return power;
}

/* An environment as an exported file has it. Where one work-item plays all roles, any of its
 * work-groups is one of any litmus work-group. */
static struct export_environment as_exported(const struct oclmm_environment *e)
{
	return (struct export_environment){
		.pairs = floor_to_power(e->split ? e->groups : (e->groups + 1) / 2),
		.lanes = floor_to_power(e->lanes),
		.rounds = floor_to_power(e->rounds),
		.stride = floor_to_power(e->stride),
		.polls = e->polls ? e->poll_budget : 0,
		.busy = e->stress_groups ? floor_to_power(e->stress_groups) : 0,
		.stress = e->stress_groups ? e->stress : 0,
	};
}

/* The test as a C file that does not need this program, where it can be one, with the environments
 * in which it failed; and the texts for the layer that plants a bug. */
static void write_export(const struct run *run, const char *folder, const struct run_item *item)
{
	struct export_environment failed[OCLMM_ENVIRONMENTS_MAX];
	struct oclmm_text file, planted, seen = {0};
	struct oclmm_error ignored;
	uint32_t count = item->job.environment_count;

	oclmm_text_printf(&seen, "It failed on %s, driver %s",
	                  oclmm_shown(item->record.identity.device).text,
	                  oclmm_shown(item->record.identity.driver).text);
	if (item->record.grade.forbidden)
		oclmm_text_printf(&seen, ": %" PRIu64 " of %" PRIu64 " instances",
		                  item->record.grade.forbidden, item->record.counts.instances);
	oclmm_text_add(&seen, ".");
	for (uint32_t i = 0; i < count; i++)
		failed[i] = as_exported(&item->job.environment[i]);
	if (export_plainly(item->record.program,
	                   &(struct export_failure){.device = item->record.identity.device,
	                                            .seen = oclmm_text_string(&seen),
	                                            .question = item->test->litmus->question,
	                                            .name = "test",
	                                            .environments = failed,
	                                            .count = count},
	                   &ignored, &file, &planted) == 0) {
		write_file(run, folder, "test.c", &file);
		if (planted.length)
			write_file(run, folder, "test.planted", &planted);
		else
			oclmm_text_finish(&planted);
	}
	oclmm_text_finish(&seen);
}

/* The first questions of somebody who gets the folder. */
static void add_origin(struct oclmm_text *text)
{
	struct utsname machine;
	char now[32];

	oclmm_print_now(now, sizeof(now));
	oclmm_text_printf(text, "oclmm        %s\ndate         %s\n", OCLMM_VERSION, now);
	if (uname(&machine) == 0)
		oclmm_text_printf(text, "machine      %s %s %s\n",
		                  oclmm_shown(machine.sysname).text,
		                  oclmm_shown(machine.release).text,
		                  oclmm_shown(machine.machine).text);
}

static void write_facts(const struct run *run, const char *folder, const struct run_item *item)
{
	const struct oclmm_record *record = &item->record;
	bool exact = run->header.replay_environment && record->environment;
	struct oclmm_text text = {0}, argument = {0};

	oclmm_record_argument(&argument, record);
	add_origin(&text);
	oclmm_text_printf(&text, "test         %s\nhash         %016" PRIx64 "\nverdict      %s\n",
	                  record->program->name, record->program->hash,
	                  oclmm_verdict_word(record->grade.verdict));
	if (record->message)
		oclmm_text_printf(&text, "message      %s\n", oclmm_shown(record->message).text);
	oclmm_text_printf(&text,
	                  "platform     %s\ndevice       %s\ndriver       %s\nversion      %s\n",
	                  oclmm_shown(record->identity.platform).text,
	                  oclmm_shown(record->identity.device).text,
	                  oclmm_shown(record->identity.driver).text,
	                  oclmm_shown(record->identity.version).text);
	if (record->identity.il)
		oclmm_text_printf(&text, "il           %s\n",
		                  oclmm_shown(record->identity.il).text);
	oclmm_text_printf(&text, "options      %s\nenvironment  %s\n",
	                  record->identity.options ? record->identity.options : "",
	                  record->environment ? record->environment : "");
	oclmm_text_printf(&text,
	                  "master seed  %" PRIu64 "\nseed         %" PRIu64
	                  "\nstimulus     %016" PRIx64 "\nsource       %016" PRIx64 "\n",
	                  record->master_seed, record->seed, record->counts.stimulus,
	                  record->counts.source_hash);
	oclmm_text_printf(&text,
	                  "instances    %" PRIu64 ", at least %" PRIu64
	                  " asked for\n\nto repeat it (the same stimulus; what "
	                  "comes of it is the device's):\n\n    %s%s%s%s",
	                  record->counts.instances, item->job.instances,
	                  oclmm_shown(run->replay).text, exact ? " --environment '" : "",
	                  exact ? record->environment : "", exact ? "'" : "");
	oclmm_report_halvings(&text, &record->counts.halved_at);
	oclmm_report_turns(&text, &record->counts.turns);
	oclmm_text_printf(&text, " --instances %" PRIu64 " %s\n",
	                  record->earlier + (record->counts.instances ? record->counts.instances
	                                                              : item->job.instances),
	                  oclmm_text_string(&argument));
	oclmm_text_add(&text, "\nwhat it breaks, and what comes next:\n\n");
	oclmm_report_next(&text, record, "    ");
	if (record->not_exported)
		oclmm_text_printf(&text, "\nthere is no test.c: %s\n",
		                  oclmm_shown(record->not_exported).text);
	oclmm_text_finish(&argument);
	write_file(run, folder, "facts.txt", &text);
}

static void add_environment(struct oclmm_text *text, const struct oclmm_environment *environment)
{
#define OCLMM_X(field, meaning)                                                                    \
	oclmm_text_printf(text, "  %-18s %10" PRIu32 "  %s\n", #field, environment->field, meaning);
	OCLMM_ENVIRONMENT(OCLMM_X)
#undef OCLMM_X
}

/* The environments of the launches, in turn. */
static void write_environments(const struct run *run, const char *folder,
                               const struct run_item *item)
{
	uint32_t count = item->job.environment_count;
	struct oclmm_text text = {0};

	if (!item->job.space || !count)
		return;
	for (uint32_t i = 0; i < count; i++) {
		oclmm_text_printf(&text, "environment %" PRIu32 " of %" PRIu32 "\n", i + 1, count);
		add_environment(&text, &item->job.environment[i]);
	}
	write_file(run, folder, "environment.txt", &text);
}

/* In a child of its own: the driver may have failed on this very kernel. */
static void write_binary(const struct run *run, const char *folder, const struct run_item *item)
{
	const struct oclmm_device_identity *identity = item->lane ? item->lane->identity
	                                                          : run->context.identity;
	struct worker_options options = run->worker;
	struct oclmm_error ignored;
	struct oclmm_text binary;
	struct worker *worker;

	options.progress = NULL;
	if (!item->job.space ||
	    worker_start_on(identity, &options, &item->job, 1, &ignored, &worker) < 0)
		return;
	if (worker_binary(worker, 0, &binary) == 0)
		write_file(run, folder, "kernel.bin", &binary);
	worker_stop(worker);
}

/* The same test may fail on several devices. */
static void name_folder(struct oclmm_text *text, const struct run *run,
                        const struct oclmm_record *record)
{
	oclmm_text_printf(text, "%s/", run->options.artifacts);
	if (run->session->run_count > 1)
		oclmm_text_printf(text, "device-%zu/", (size_t)(run - run->session->runs) + 1);
	oclmm_text_add(text, record->program->name);
}

static void keep_artifacts(struct run *run, struct run_item *item)
{
	const struct oclmm_record *record = &item->record;
	struct oclmm_text folder = {0}, histogram;
	int r;

	if (!run->options.artifacts || !is_failure(record))
		return;
	name_folder(&folder, run, record);
	r = oclmm_make_folders(oclmm_text_string(&folder));
	if (r < 0) {
		options_error(run->command, "cannot create %s: %s", oclmm_text_string(&folder),
		              strerror(-r));
	} else {
		write_litmus(run, oclmm_text_string(&folder), item);
		write_kernel(run, oclmm_text_string(&folder), item);
		write_export(run, oclmm_text_string(&folder), item);
		write_string(run, oclmm_text_string(&folder), "build.log",
		             item->result.run.build_log);
		write_string(run, oclmm_text_string(&folder), "driver.log", item->result.log);
		write_facts(run, oclmm_text_string(&folder), item);
		write_environments(run, oclmm_text_string(&folder), item);
		oclmm_text_init(&histogram);
		oclmm_report_block(&histogram, record);
		write_file(run, oclmm_text_string(&folder), "histogram.txt", &histogram);
		if (item->result.end != OCLMM_END_HANG)
			write_binary(run, oclmm_text_string(&folder), item);
	}
	oclmm_text_finish(&folder);
}

/* ---- reports ---- */

void run_make_header(struct run *run)
{
	oclmm_print_now(run->started, sizeof(run->started));
	run->replay = make_replay(run);
	claims_print(&run->claims, run->context.device);
	add_variables(&run->variables);
	if (run->variables.length)
		run->variables.data[--run->variables.length] = '\0';
	/* what --resume took over counts, too */
	run->whole_suite &= run->context.instances >= RUN_INSTANCES;
	run->header = (struct oclmm_run_header){
		.tool = "oclmm " OCLMM_VERSION,
		.identity = run_identity(&run->context),
		.devices = (uint32_t)run->lane_count,
		.partner = run->partner,
		.claims = oclmm_text_string(&run->claims),
		.variables = oclmm_text_string(&run->variables),
		.seed = run->context.seed,
		.instances = run->context.instances,
		.budget = run->options.budget,
		.profile = run->options.profile,
		.tests = run->selection.count,
		.whole_suite = run->whole_suite,
		.replay = run->replay,
		.replay_environment = run_environments_are_special(&run->environments),
		.root = getenv("GITHUB_WORKSPACE"),
		.strict = run->options.strict,
		.unproven_property = run->options.unproven_property,
		.demand = run->options.rules.demand,
		.shard = run->options.shard.index,
		.shards = run->options.shard.count,
		.started = run->started,
	};
	/* not one of several equal devices */
	if (run->lane_count != 1)
		run->header.identity.device_id = NULL;
}

static void make_headers(struct run_session *session)
{
	for (size_t i = 0; i < session->run_count; i++)
		run_make_header(&session->runs[i]);
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

/* Gives the records that were taken over to the reports that lack them. */
static void tell_of_resumed(struct run_session *session, struct run_output *output)
{
	size_t saved = session->results ? session->results->saved_count : 0;

	/* its end line counts the lines before it */
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

void run_tell_begin(struct run_session *session)
{
	const struct run *first = &session->runs[0];

	make_headers(session);
	print_notes(session);
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

void run_report(struct run *run, struct run_item *part, struct run_item *whole)
{
	progress_clear(&run->session->progress);
	saved_add_next(run->context.arena, &part->record);
	saved_add_next(run->context.arena, &whole->record);
	for (size_t i = 0; i < run->session->output_count; i++) {
		struct run_output *output = &run->session->outputs[i];
		const struct run_item *item = output->report.kind->parts ? part : whole;

		run_output_record(output, &item->record, false);
		run->stopped |= output->report.failed != 0;
	}
	keep_artifacts(run, part);
}

static uint64_t count_unfinished(struct run *run)
{
	uint64_t count = 0;

	for (size_t i = 0; i < run->selection.count; i++)
		count += !run->items[i].done && run_can_fail(run, i);
	return count;
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

/* Adds the records of a run; `part` gets what it left undone. */
static void end_run(struct run *run, struct run_ending *ending, struct oclmm_tally *part)
{
	size_t before = ending->count;

	for (size_t i = 0; i < run->selection.count; i++) {
		if (run->items[i].done)
			ending->records[ending->count++] = &run->items[i].record;
	}
	part->left_out = run->selection.count - (ending->count - before);
	part->unfinished = run->options.unfinished_allowed ? 0 : count_unfinished(run);
	part->interrupted = was_cut(run) ||
	                    (part->left_out &&
	                     (process_interrupted || run->stopped || lost_a_device(run)));
	ending->left_out += part->left_out;
	ending->unfinished += part->unfinished;
	ending->interrupted |= part->interrupted;
}

static bool is_results(const char *name)
{
	size_t length = strlen(name), suffix = strlen(".jsonl");

	return length > suffix && strcmp(name + length - suffix, ".jsonl") == 0;
}

/* How a run goes on that was cut short. */
static void say_resume(const struct run *first)
{
	const char *kept = first->options.resume;
	struct oclmm_text quoted = {0};

	for (size_t i = 0; i < first->options.output_count && !kept; i++)
		if (is_results(first->options.outputs[i]))
			kept = first->options.outputs[i];
	if (!kept) {
		options_error(first->command, "with --resume FILE it would go on where it was cut "
		                              "short, but it kept no results");
		return;
	}
	oclmm_text_add_quoted(&quoted, kept);
	options_error(first->command, "to go on: the same options with --resume %s",
	              oclmm_shown(oclmm_text_string(&quoted)).text);
	oclmm_text_finish(&quoted);
}

int run_tell_end(struct run_session *session)
{
	const struct run *first = &session->runs[0];
	struct oclmm_tally *parts = oclmm_calloc(session->run_count, sizeof(*parts));
	size_t most = first->selection.count * session->run_count;
	struct run_ending ending = {
		.command = first->command,
		.header = &first->header,
		.expectations = first->context.grade.expectations,
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
	if (process_interrupted)
		say_resume(first);
	free(ending.records);
	free(parts);
	return status;
}
