// SPDX-License-Identifier: Apache-2.0
/*
 * The devices of a command, and a run on each: finds them, locks them against other runs, and
 * checks that they fit the options.
 */
#include "session.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "resume.h"
#include "schedule.h"
#include "survey/survey.h"

/* Seconds between two looks of a waiting run at whether the device is free. */
static const double NAP = 0.1;
/* Seconds until it says again which process has the device; each time twice as long. */
static const double FIRST_REMINDER = 60;

/* ---- a device, or a pair ---- */

/* No device means that there is nothing to run. Where claims are expected it is a failure, for
 * all of them are gone. */
static int list_devices(struct run *run)
{
	int status = devices_find(run->command, &run->worker, &run->session->devices);

	if (status != OCLMM_EXIT_NOTHING)
		return status;
	/* a user who names a device has one, and its driver may be the one that is missing */
	if (run->session->devices.dropped && (run->options.device || run->options.device_count))
		return OCLMM_EXIT_INFRASTRUCTURE;
	if (!run->options.claims_expected)
		return status;
	options_error(run->command, "%s expects a device",
	              oclmm_shown(run->options.claims_expected).text);
	return OCLMM_EXIT_INFRASTRUCTURE;
}

/* Devices of one platform can share a context, and with it memory (A:4.4). */
static int check_pair(const struct worker_devices *devices, int first, int second,
                      struct oclmm_error *error)
{
	const struct oclmm_device_info *a = &devices->list.devices[first];
	const struct oclmm_device_info *b = &devices->list.devices[second];

	if (first == second)
		return oclmm_error_set(error, -EINVAL, "--pair names one device twice: %s",
		                       a->name);
	if (strcmp(a->platform, b->platform) != 0)
		return oclmm_error_set(error, -EINVAL,
		                       "%s and %s are of two platforms, and share no memory",
		                       a->name, b->name);
	return 0;
}

/* The two devices of --pair; the identity of the pair is put into the first. Returns its index,
 * or negative. */
static int find_pair(struct run *run, struct oclmm_error *error)
{
	static const char blanks[] = " \t\n";
	const char *comma = strchr(run->options.pair, ',');
	int first, second = -1;
	char *name;

	/* an empty string or a blank is part of any name */
	if (!comma || comma == run->options.pair + strspn(run->options.pair, blanks) ||
	    !comma[1 + strspn(comma + 1, blanks)])
		return oclmm_error_set(error, -EINVAL, "--pair takes two devices: A,B");
	name = oclmm_strdup(run->options.pair);
	name[comma - run->options.pair] = '\0';
	first = oclmm_device_choose(&run->session->devices.list, name, error);
	if (first >= 0)
		second = oclmm_device_choose(&run->session->devices.list, comma + 1, error);
	free(name);
	if (first < 0 || second < 0 || check_pair(&run->session->devices, first, second, error) < 0)
		return -1;
	snprintf(run->session->devices.identities[first].partner,
	         sizeof(run->session->devices.identities[first].partner), "%s",
	         run->session->devices.identities[second].text);
	run->session->devices.identities[first].partner_claims =
		run->session->devices.identities[second].claims;
	run->partner = run->session->devices.list.devices[second].name;
	run->partner_index = (size_t)second;
	return first;
}

/* Gives the run this device. */
static void take_device(struct run *run, size_t index)
{
	run->device = index;
	run->context.device = &run->session->devices.list.devices[index];
	run->context.identity = &run->session->devices.identities[index];
}

int run_find_device(struct run *run)
{
	struct oclmm_error error = {0};
	int index, status = list_devices(run);

	if (status)
		return status;
	index = run->options.pair ? find_pair(run, &error)
	                          : oclmm_device_choose(&run->session->devices.list,
	                                                run->options.device, &error);
	if (index < 0)
		return report_error(&error);
	take_device(run, (size_t)index);
	return 0;
}

/* ---- those of a run: named one by one, all of them, or those that are equal ---- */

/* The numbers of the devices that were asked for. */
struct run_devices {
	size_t *indices; /* malloc-ed */
	size_t count;
};

/* Devices that are being chosen. */
struct choice {
	struct run *run;
	const struct worker_devices *devices;
	struct run_devices chosen;
	size_t capacity;
};

static const struct oclmm_device_info *info_of(const struct choice *choice, size_t index)
{
	return &choice->devices->list.devices[index];
}

static void add_index(struct choice *choice, size_t index)
{
	struct run_devices *chosen = &choice->chosen;

	oclmm_grow(&chosen->indices, &choice->capacity, chosen->count, sizeof(*chosen->indices));
	chosen->indices[chosen->count++] = index;
}

/* The chosen one that is this device, too: it may be on two platforms. */
static bool find_same(const struct choice *choice, size_t index, size_t *ret_other)
{
	const struct oclmm_device_identity *identities = choice->devices->identities;

	for (size_t i = 0; i < choice->chosen.count; i++) {
		*ret_other = choice->chosen.indices[i];
		if (strcmp(identities[*ret_other].file, identities[index].file) == 0)
			return true;
	}
	return false;
}

static int add_named(struct choice *choice, const char *name)
{
	struct oclmm_error error = {0};
	int index = oclmm_device_choose(&choice->devices->list, name, &error);
	size_t other;

	if (index < 0) {
		report_error(&error);
		return choice->devices->dropped ? OCLMM_EXIT_INFRASTRUCTURE : OCLMM_EXIT_USAGE;
	}
	if (find_same(choice, (size_t)index, &other))
		return options_error(choice->run->command,
		                     "--device %s is device %d, which is device %zu, that was "
		                     "named already: %s",
		                     name, index, other, info_of(choice, other)->name);
	add_index(choice, (size_t)index);
	return 0;
}

/* Each is chosen by itself: a broken one must not be missing in silence. */
static int add_all(struct choice *choice)
{
	size_t other;

	if (*choice->devices->list.left_out.message) {
		options_error(choice->run->command,
		              "--device all takes all devices, and one cannot be asked");
		return OCLMM_EXIT_INFRASTRUCTURE;
	}
	for (size_t i = 0; i < choice->devices->list.count; i++) {
		if (!find_same(choice, i, &other))
			add_index(choice, i);
		else if (other != i)
			options_error(choice->run->command,
			              "note: device %zu is left out: it is device %zu, %s", i,
			              other, info_of(choice, other)->name);
	}
	return 0;
}

static int add_given(struct choice *choice)
{
	const struct run_options *options = &choice->run->options;
	int status = 0;

	for (size_t i = 0; status == 0 && i < options->device_count; i++) {
		if (strcmp(options->devices[i], "all") == 0)
			status = add_all(choice);
		else
			status = add_named(choice, options->devices[i]);
	}
	if (options->device_count == 0)
		status = add_named(choice, NULL);
	return status;
}

/* Whether a test behaves alike on both. */
static bool are_equal(const struct choice *choice, size_t a, size_t b)
{
	const struct oclmm_device_info *x = info_of(choice, a), *y = info_of(choice, b);

	return strcmp(x->platform, y->platform) == 0 && strcmp(x->name, y->name) == 0 &&
	       strcmp(x->driver, y->driver) == 0 && strcmp(x->version, y->version) == 0;
}

static int check_equal(const struct choice *choice)
{
	const size_t *indices = choice->chosen.indices;

	for (size_t i = 1; i < choice->chosen.count; i++) {
		if (!are_equal(choice, indices[0], indices[i]))
			return options_error(choice->run->command,
			                     "--spread divides a run among equal devices, and "
			                     "device %zu (%s) is not equal to device %zu (%s)",
			                     indices[i], info_of(choice, indices[i])->name,
			                     indices[0], info_of(choice, indices[0])->name);
	}
	return 0;
}

/* A single device stands for all that are equal to it; several have to be equal. */
static int spread(struct choice *choice)
{
	size_t first = choice->chosen.indices[0], other;

	for (size_t i = 0; choice->run->options.device_count < 2 && i < choice->devices->list.count;
	     i++) {
		if (are_equal(choice, first, i) && !find_same(choice, i, &other))
			add_index(choice, i);
	}
	return check_equal(choice);
}

static int choose_pair(struct choice *choice)
{
	struct run *run = choice->run;
	struct oclmm_error error = {0};
	int first;

	first = find_pair(run, &error);
	if (first < 0)
		return report_error(&error);
	add_index(choice, (size_t)first);
	return 0;
}

static int choose(struct choice *choice)
{
	const struct run_options *options = &choice->run->options;
	int status;

	if (options->pair)
		return choose_pair(choice);
	status = add_given(choice);
	return status == 0 && options->spread && choice->chosen.indices ? spread(choice) : status;
}

/* Finds at least one. Returns 0 or the status to leave with. */
static int find_devices(struct run *run, struct run_devices *ret_devices)
{
	struct run_session *session = run->session;
	struct choice choice = {.run = run, .devices = &session->devices};
	int status = list_devices(run);

	if (status == 0)
		status = choose(&choice);
	if (status == 0)
		*ret_devices = choice.chosen;
	else
		free(choice.chosen.indices);
	return status;
}

/* ---- one run at a time ---- */

static void say_holder(const struct run *run, long holder, const char *format, ...)
	OCLMM_PRINTF(3, 4);

static void say_holder(const struct run *run, long holder, const char *format, ...)
{
	char process[48] = "another run", rest[96];
	va_list arguments;

	if (holder)
		snprintf(process, sizeof(process), "process %ld", holder);
	va_start(arguments, format);
	vsnprintf(rest, sizeof(rest), format, arguments);
	va_end(arguments);
	options_error(run->command, "%s is in use by %s; %s", run->context.device->name, process,
	              rest);
}

/* Says which process has the device and for how long it waited. Returns false when it has waited
 * long enough. */
static bool goes_on_waiting(const struct run *run, long holder, double waited, double *next)
{
	double most = run->options.wait;

	if (run->options.no_wait) {
		say_holder(run, holder, "not waiting");
		return false;
	}
	if (most > 0 && waited >= most) {
		say_holder(run, holder, "not waiting for longer than %g s", most);
		return false;
	}
	if (waited < *next)
		return true;
	if (*next > 0)
		say_holder(run, holder, "waiting for it since %.0f s", waited);
	else if (most > 0)
		say_holder(run, holder, "waiting for it, at most %g s", most);
	else
		say_holder(run, holder, "waiting for it");
	*next = *next > 0 ? 2 * *next : FIRST_REMINDER;
	return true;
}

int run_lock_device(const struct run *run, const struct oclmm_device_identity *identity,
                    int *ret_lock)
{
	double start = oclmm_clock(), next = 0;
	struct oclmm_error error = {0};
	long holder = 0;
	int r;

	while ((r = worker_lock(identity, &error, &holder)) == -EWOULDBLOCK &&
	       !process_interrupted && goes_on_waiting(run, holder, oclmm_clock() - start, &next))
		process_nap(NAP);
	if (r < 0 && r != -EWOULDBLOCK)
		report_error(&error);
	*ret_lock = r;
	return r < 0 ? OCLMM_EXIT_INFRASTRUCTURE : 0;
}

/* ---- a run ---- */

static bool takes(const struct run *run, size_t device)
{
	const struct oclmm_device_info *info = &run->session->devices.list.devices[device];
	unsigned major, minor;

	if (oclmm_device_il_version(info, &major, &minor))
		return true;
	options_error(run->command, "%s takes no SPIR-V up to 1.2: it reports %s as its IL version",
	              info->name, *info->il_version ? info->il_version : "nothing");
	return false;
}

/* Whether the device takes the SPIR-V that it would get. */
static int check_il(const struct run *run)
{
	if (!run->producer ||
	    (takes(run, run->device) && (!run->partner || takes(run, run->partner_index))))
		return 0;
	return OCLMM_EXIT_NOTHING;
}

/*
 * Tests that need what a device does not claim gate nothing, so a driver that stops claiming
 * something would pass without tests.
 */
static int check_claims(const struct run *run)
{
	const struct oclmm_device_info *info = run->context.device;
	const char *path = run->options.claims_expected;
	const struct oclmm_device_list *list = &run->session->devices.list;
	struct claims_difference difference = {0};
	struct oclmm_error error = {0};
	int status = 0;

	if (!path)
		return 0;
	if (claims_expect(path, list, info, &error, &difference) < 0) {
		status = report_error(&error);
	} else if (difference.other || difference.gone.length || difference.missing.length) {
		status = OCLMM_EXIT_INFRASTRUCTURE;
		if (difference.other)
			options_error(run->command, "%s of %s is no device that %s expects",
			              info->name, info->platform, path);
		if (difference.gone.length)
			options_error(run->command, "%s expects what is not there: %s", path,
			              oclmm_text_string(&difference.gone));
		if (difference.missing.length)
			options_error(run->command, "%s does not claim what %s expects: %s",
			              info->name, path, oclmm_text_string(&difference.missing));
	}
	oclmm_text_finish(&difference.gone);
	oclmm_text_finish(&difference.missing);
	return status;
}

/* Each run has an order of its own, and borrows the litmus files. */
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

/* Refuses what does not fit a device before it waits for others. */
static int open_run(struct run *run, const struct run *wish, const size_t *devices, size_t count)
{
	int status;

	*run = *wish;
	copy_selection(run, wish);
	add_lanes(run, devices, count);
	take_device(run, devices[0]);
	run->environments = (struct run_environments){0};
	run->context.environments = &run->environments;
	status = check_il(run);
	if (status == 0)
		status = check_claims(run);
	if (status == 0)
		status = run_environments_take(&run->environments, run->command, &run->options);
	if (status == 0)
		status = run_environments_open(&run->environments, run->command, &run->options,
		                               run->context.device);
	if (status == 0)
		run_order(run);
	return status;
}

static void finish_run(struct run *run)
{
	for (size_t i = 0; run->items && i < run->selection.count; i++)
		run_item_finish(&run->items[i]);
	free(run->items);
	free(run->codes);
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

/* Always in the same order: two runs that each have one of two devices would wait for ever. */
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
	int status = find_devices(wish, &devices);
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
	/* locks end with the process */
}
