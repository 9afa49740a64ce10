// SPDX-License-Identifier: Apache-2.0
/*
 * Resuming a run that was cut short. The records of its JSON Lines file are taken over and judged
 * again. A half last line is dropped, and so are the lines behind the records where tests were left
 * out.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "resume.h"
#include "survey/survey.h"

/* How the lines of a results file begin. */
static const char run_line[] = "{\"type\":\"run\"";
static const char test_line[] = "{\"type\":\"test\"";
static const char confidence_line[] = "{\"type\":\"confidence\"";
static const char end_line[] = "{\"type\":\"end\"";

static bool begins(const char *line, size_t length, const char *with)
{
	size_t wanted = strlen(with);

	return strncmp(line, with, length < wanted ? length : wanted) == 0;
}

/* What a file holds, as far as its lines tell. */
struct extent {
	size_t records; /* bytes up to the end of the last whole record */
	size_t lines;   /* bytes up to the end of the last whole line */
	bool ended;     /* the last whole line is an end */
};

/* False when this is no results file, which must not be overwritten. */
static bool measure(const char *data, size_t length, struct extent *ret_extent)
{
	struct extent extent = {0};
	size_t at = 0;

	while (at < length) {
		const char *line = data + at, *end = memchr(line, '\n', length - at);
		size_t size = end ? (size_t)(end - line) : length - at;

		if (!begins(line, size, run_line) &&
		    (at == 0 ||
		     (!begins(line, size, test_line) && !begins(line, size, confidence_line) &&
		      !begins(line, size, end_line))))
			return false;
		if (!end)
			break; /* the half line that was being written */
		at += size + 1;
		extent.lines = at;
		extent.ended = begins(line, size, end_line);
		if (begins(line, size, run_line) || begins(line, size, test_line))
			extent.records = at;
	}
	*ret_extent = extent;
	return true;
}

static int refuse(const struct run *run, uint32_t line, const char *what)
{
	options_error(run->command, "%s:%u: %s", run->options.resume, line, what);
	return OCLMM_EXIT_USAGE;
}

/* The options must be those of the file; those that are not given are taken from it. `known`:
 * another device of that run has given them already. */
static int take_header(struct run *wish, const struct oclmm_saved_run *saved, bool known)
{
	const struct oclmm_run_header *header = &saved->header;

	if ((known || wish->options.seed_given) && header->seed != wish->context.seed)
		return refuse(wish, saved->line, "was begun with another seed");
	if ((known || wish->options.instances_given) &&
	    header->instances != wish->context.instances)
		return refuse(wish, saved->line, "was begun with another number of instances");
	if (header->tests != wish->selection.count)
		return refuse(wish, saved->line, "was begun with other tests");
	wish->context.seed = header->seed;
	wish->context.instances = header->instances;
	return 0;
}

static int take_headers(struct run *wish, const struct oclmm_results *results)
{
	int status = 0;

	for (size_t i = 0; status == 0 && i < results->run_count; i++)
		status = take_header(wish, &results->runs[i], i > 0);
	return status;
}

/* Of several equal devices, the same one; a run on one device may go on after the device was
 * replaced by an equal one. */
static bool same_device(const struct run *run, const struct oclmm_run_header *header)
{
	const struct oclmm_identity here = run_identity(&run->context);

	return oclmm_identity_compare(&header->identity, &here) == 0 &&
	       oclmm_same_string(header->partner, run->partner) &&
	       (run->session->run_count == 1 ||
	        oclmm_same_string(header->identity.device_id, here.device_id));
}

/* A driver's claims decide which tests gate, and its version by which rules they are judged.
 * Older files do not have all of it. */
static bool claims_the_same(const struct run *run, const struct oclmm_run_header *header)
{
	const struct oclmm_device_info *info = run->context.device;
	struct oclmm_text claims = {0};
	bool is;

	claims_print(&claims, info);
	is = oclmm_same_string(header->identity.version, info->version) &&
	     (!header->claims || oclmm_same_string(header->claims, oclmm_text_string(&claims)));
	oclmm_text_finish(&claims);
	return is;
}

/* What OCLMM_BUILD_OPTIONS was, among the variables that a run's line has. */
static bool built_alike(const struct oclmm_run_header *header)
{
	const char *given = getenv(OCLMM_BUILD_OPTIONS);
	const char *was = header->variables ? strstr(header->variables, OCLMM_BUILD_OPTIONS "=")
	                                    : NULL;
	struct oclmm_text is = {0};
	bool alike;

	if (!was)
		return !given || !*given;
	oclmm_text_add(&is, OCLMM_BUILD_OPTIONS "=");
	oclmm_text_add_quoted(&is, given ? given : "");
	alike = strncmp(was, is.data, is.length) == 0 &&
	        (was[is.length] == '\0' || was[is.length] == ' ');
	oclmm_text_finish(&is);
	return alike;
}

static int check_built(const struct run_session *session)
{
	for (size_t line = 0; line < session->results->run_count; line++) {
		const struct oclmm_saved_run *saved = &session->results->runs[line];

		if (!built_alike(&saved->header))
			return refuse(&session->runs[0], saved->line,
			              "was begun with other " OCLMM_BUILD_OPTIONS);
	}
	return 0;
}

static int check_claims(const struct run_session *session)
{
	for (size_t i = 0; i < session->run_count; i++) {
		for (size_t line = 0; line < session->results->run_count; line++) {
			const struct oclmm_saved_run *saved = &session->results->runs[line];

			if (same_device(&session->runs[i], &saved->header) &&
			    !claims_the_same(&session->runs[i], &saved->header))
				return refuse(&session->runs[i], saved->line,
				              "was begun when the device claimed something else: "
				              "another version, other orders, scopes or features");
		}
	}
	return 0;
}

static bool has_line(const struct run_session *session, const struct run *run)
{
	const struct oclmm_results *results = session->results;

	for (size_t line = 0; line < results->run_count; line++)
		if (same_device(run, &results->runs[line].header))
			return true;
	return false;
}

/* Each device has its line in the file. */
static int check_devices(const struct run_session *session)
{
	bool all = session->results->run_count == session->run_count;

	for (size_t i = 0; all && i < session->run_count; i++)
		all = has_line(session, &session->runs[i]);
	return all ? 0
	           : refuse(&session->runs[0], 1,
	                    "was begun on another device or driver, or by another door (--il)");
}

/* The run ended before all devices had their lines: writing them again loses nothing. */
static bool was_cut_among_headers(const struct run_session *session)
{
	const struct oclmm_results *results = session->results;
	size_t known = 0;

	for (size_t i = 0; i < session->run_count; i++)
		known += has_line(session, &session->runs[i]);
	return results->saved_count == 0 && !session->ended &&
	       results->run_count < session->run_count && known == results->run_count;
}

static void begin_anew(struct run_session *session)
{
	oclmm_results_destroy(session->results);
	session->results = NULL;
	session->lines = 0;
	session->resumed->good = 0;
}

/* Whether a record may be of this device; a file of one run need not say which of equal devices
 * it was. */
static bool is_of(const struct run *run, const struct oclmm_record *record)
{
	const struct oclmm_identity here = run_identity(&run->context);

	return oclmm_identity_compare(&record->identity, &here) == 0 &&
	       (!record->identity.version ||
	        oclmm_same_string(record->identity.version, here.version)) &&
	       (run->session->run_count == 1 ||
	        oclmm_same_string(record->identity.device_id, here.device_id));
}

/* NULL: it is of none of them. */
static struct run *run_of(struct run_session *session, const struct oclmm_record *record)
{
	for (size_t i = 0; i < session->run_count; i++)
		if (is_of(&session->runs[i], record))
			return &session->runs[i];
	return NULL;
}

/* The lane of the device on which the test of a record ran; NULL: there is none. */
static struct run_lane *lane_of(struct run *run, const struct oclmm_record *record)
{
	for (size_t i = 0; i < run->lane_count; i++) {
		if (oclmm_same_string(record->identity.device_id, run->lanes[i].identity->id))
			return &run->lanes[i];
	}
	return NULL;
}

static struct run_item *find_item(struct run *run, const char *name, size_t *ret_index)
{
	for (size_t i = 0; i < run->selection.count; i++) {
		if (strcmp(run->selection.chosen[i].variant->name, name) == 0) {
			*ret_index = i;
			return &run->items[i];
		}
	}
	return NULL;
}

/* The saved record, with what this program knows about its test. */
static void join(struct run_item *item, const struct oclmm_record *saved,
                 struct oclmm_histogram *histogram)
{
	const struct oclmm_record known = item->record;

	item->record = *saved;
	item->record.expected = known.expected;
	item->record.model = known.model;
	item->record.file = known.file;
	item->record.family = known.family;
	item->record.path = known.path;
	item->record.control = known.control;
	item->result.run.counts.histogram = histogram;
}

/* Whether it ran in the environments that it would have now, or in those of a second attempt
 * after counts that did not add up. */
static bool ran_alike(struct run_item *item, const struct oclmm_record *saved)
{
	return oclmm_same_string(item->record.environment, saved->environment) ||
	       (saved->attempts > 1 && run_item_count_alone(item) &&
	        oclmm_same_string(item->record.environment, saved->environment));
}

/* Another part of a test that is there already. */
static int take_part(struct run *run, struct run_item *item, struct oclmm_saved *saved,
                     struct oclmm_histogram *histogram)
{
	struct run_item part = {.record = saved->record};
	bool continues = oclmm_record_continues(&item->record, &part.record);

	if (continues)
		run_item_extend(item, &part, &run->context);
	oclmm_histogram_destroy(histogram);
	return continues ? 0 : refuse(run, saved->line, "has a test twice");
}

static int take_record(struct run *run, struct oclmm_saved *saved)
{
	struct oclmm_histogram *histogram;
	const struct oclmm_program *program;
	struct run_item *item;
	size_t index;

	item = find_item(run, saved->record.program->name, &index);
	if (!item)
		return refuse(run, saved->line, "has a test that was not chosen now");
	program = run->selection.chosen[index].variant->program;
	if (oclmm_saved_bind(saved, program, &histogram) < 0)
		return refuse(run, saved->line, "has a test that was changed since");
	if (item->done)
		return take_part(run, item, saved, histogram);
	if (saved->record.first_launch > 0) {
		oclmm_histogram_destroy(histogram);
		return refuse(run, saved->line, "has a later part of a test without the first");
	}
	run_item_prepare(item, &run->context, &run->selection.chosen[index],
	                 run_expected_of(run, index));
	/* the rest would run differently, and tests without their controls */
	if (!ran_alike(item, &saved->record)) {
		oclmm_histogram_destroy(histogram);
		return refuse(run, saved->line,
		              "has a test that ran in other environments: "
		              "the profile of the device has changed, or --no-profile was given");
	}
	/* older files do not say it */
	if (saved->record.model && !oclmm_same_string(saved->record.model, item->record.model)) {
		oclmm_histogram_destroy(histogram);
		return refuse(run, saved->line, "has a test that was judged by another model");
	}
	join(item, &saved->record, histogram);
	item->lane = lane_of(run, &saved->record);
	run_item_judge(item, &run->context);
	run->resumed_count++;
	return 0;
}

static int parse(struct run_session *session, struct run *wish, const char *data, size_t length)
{
	struct oclmm_error error = {0};
	struct extent extent;

	if (!measure(data, length, &extent))
		return refuse(wish, 1, "is not the results file of a run");
	if (extent.records == 0)
		return 0;
	session->ended = extent.ended;
	session->lines = extent.lines;
	session->resumed->good = (off_t)extent.records;
	if (oclmm_results_parse(wish->options.resume, data,
	                        extent.ended ? extent.lines : extent.records, true, &error,
	                        &session->results) < 0)
		return report_error(&error);
	return take_headers(wish, session->results);
}

int run_resume_read(struct run_session *session, struct run *wish)
{
	const char *path = wish->options.resume;
	struct oclmm_text text = {0};
	int r, status;

	if (!path)
		return 0;
	session->resumed = &session->outputs[session->output_count];
	status = run_output_claim(wish->command, path, O_RDWR, session->outputs,
	                          &session->output_count);
	if (status)
		return status;
	/* a pipe or a device may have no end, and cannot be cut */
	if (!session->resumed->plain)
		return options_error(wish->command, "--resume: %s is no regular file", path);
	/* by the locked descriptor: closing another one would release the lock */
	r = oclmm_read_rest(session->resumed->file, &text);
	if (r == 0) {
		status = parse(session, wish, oclmm_text_string(&text), text.length);
	} else {
		options_error(wish->command, "cannot read %s: %s", path, strerror(-r));
		status = OCLMM_EXIT_INFRASTRUCTURE;
	}
	oclmm_text_finish(&text);
	return status;
}

/* The file has all tests of all devices. */
static bool has_all(const struct run_session *session)
{
	bool all = true;

	for (size_t i = 0; i < session->run_count; i++)
		all &= session->runs[i].resumed_count == session->runs[i].selection.count;
	return all;
}

int run_resume(struct run_session *session)
{
	int status;

	if (session->results && was_cut_among_headers(session))
		begin_anew(session);
	if (!session->results)
		return 0;
	status = check_devices(session);
	if (status == 0)
		status = check_claims(session);
	if (status == 0)
		status = check_built(session);
	for (size_t i = 0; status == 0 && i < session->results->saved_count; i++) {
		struct oclmm_saved *saved = &session->results->saved[i];
		struct run *run = run_of(session, &saved->record);

		status = run ? take_record(run, saved)
		             : refuse(&session->runs[0], saved->line,
		                      "has a test on another device, driver or version");
	}
	/* an interrupted run may have all tests, and still lack confidence */
	session->complete = session->ended && !session->results->interrupted && has_all(session);
	if (session->complete)
		session->resumed->good = (off_t)session->lines;
	return status;
}
