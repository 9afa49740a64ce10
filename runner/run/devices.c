// SPDX-License-Identifier: Apache-2.0
/*
 * The devices of a run: which they are, that no other run has them at the same time, whether they
 * take SPIR-V, and where what is compiled for them is kept.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cache/cache.h"
#include "choose.h"
#include "producer/producer.h"
#include "survey/survey.h"

/* How often a run that waits looks whether the device was let go. */
static const double NAP = 0.1;
/* After which it says again who has it; then after twice as long each time. */
static const double FIRST_REMINDER = 60;
/* Of compiled programs: some ten suites of a driver that gives 30 KB for each. */
static const uint64_t BYTES_MOST = UINT64_C(1) << 30;

/* ---- a device, or a pair ---- */

/* None is nothing to run, or a failure where claims are expected: all of them are gone then. */
static int list_devices(struct run *run)
{
	int status = devices_find(run->command, &run->worker, &run->session->devices);

	if (status != OCLMM_EXIT_NOTHING || !run->options.claims_expected)
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

/* The two of --pair; the first one's identity is then that of the pair. Returns its index, or
 * negative. */
static int find_pair(struct run *run, struct oclmm_error *error)
{
	static const char blanks[] = " \t\n";
	const char *comma = strchr(run->options.pair, ',');
	int first, second = -1;
	char *name;

	/* nothing, or a blank, is part of any name */
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

void run_take_device(struct run *run, size_t index)
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
	run_take_device(run, (size_t)index);
	return 0;
}

/* ---- those of a run: named one by one, all of them, or those that are equal ---- */

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

/* The one that is this device already: it may be on two platforms. */
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

	if (index < 0)
		return report_error(&error);
	if (find_same(choice, (size_t)index, &other))
		return options_error(choice->run->command,
		                     "--device %s is device %d, which is device %zu, that was "
		                     "named already: %s",
		                     name, index, other, info_of(choice, other)->name);
	add_index(choice, (size_t)index);
	return 0;
}

/* Each has to answer for itself: one that is broken must not be missing in silence. */
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

/* A test behaves on one of them as on another. */
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

/* One stands for all that are equal to it; of several each has to be. */
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

int run_find_devices(struct run *run, struct run_devices *ret_devices)
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

/* Says for whom it waits and how long. Returns false when it has waited long enough. */
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
	char *path;
	int r = worker_lock_path(identity, &error, &path);

	if (r < 0) {
		report_error(&error);
		return OCLMM_EXIT_INFRASTRUCTURE;
	}
	while ((r = worker_lock(path, &error, &holder)) == -EWOULDBLOCK && !process_interrupted &&
	       goes_on_waiting(run, holder, oclmm_clock() - start, &next))
		process_nap(NAP);
	free(path);
	if (r < 0 && r != -EWOULDBLOCK)
		report_error(&error);
	*ret_lock = r;
	return r < 0 ? OCLMM_EXIT_INFRASTRUCTURE : 0;
}

/* ---- SPIR-V: who makes it, and whether the device takes it ---- */

static const char form[] = "spirv";

/* `spirv`, or `spirv:NAME`: then `*ret_name` is the name. */
static bool parse(const char *value, const char **ret_name)
{
	size_t length = strlen(form);

	*ret_name = NULL;
	if (strncmp(value, form, length) != 0)
		return false;
	if (value[length] == ':' && value[length + 1])
		*ret_name = value + length + 1;
	return value[length] == '\0' || *ret_name;
}

int run_find_producer(struct run *run)
{
	enum { SHARES = PRODUCER_LATE_MOST + 1 };
	struct oclmm_error error = {0};
	const char *name;

	if (!run->options.il)
		return 0;
	if (!parse(run->options.il, &name))
		return options_error(run->command, "--il takes spirv or spirv:NAME, not \"%s\"",
		                     run->options.il);
	if (producer_find(name, &error, &run->producer) < 0) {
		report_error(&error);
		return OCLMM_EXIT_INFRASTRUCTURE;
	}
	/* a child whose tools are given up is to say so before it is taken for hanging itself */
	if (run->options.limit / SHARES < PRODUCER_SECONDS)
		producer_limit(run->producer, run->options.limit / SHARES);
	run->context.il = producer_words(run->producer);
	oclmm_device_take_il(run->producer);
	return 0;
}

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

int run_check_il(const struct run *run)
{
	if (!run->producer ||
	    (takes(run, run->device) && (!run->partner || takes(run, run->partner_index))))
		return 0;
	return OCLMM_EXIT_NOTHING;
}

/* ---- programs kept from one run to the next ---- */

static const struct run *first_of(const struct run_session *session)
{
	return &session->runs[0];
}

void run_programs_begin(struct run_session *session)
{
	const struct run *run = first_of(session);
	const char *given = getenv("OCLMM_PROGRAMS");
	char *home;

	if (run->options.cache == OCLMM_KEEP_NEVER || (given && strcmp(given, "off") == 0))
		return;
	if (given && *given) {
		session->programs = oclmm_strdup(given);
	} else if ((home = cache_home())) {
		struct oclmm_text path = {0};

		oclmm_text_printf(&path, "%s/programs", home);
		session->programs = oclmm_text_steal(&path);
		free(home);
	}
	if (session->programs)
		oclmm_device_keep_programs(run->options.cache, session->programs);
	if (run->producer)
		producer_keep(run->producer, session->programs);
}

void run_programs_end(struct run_session *session)
{
	const struct run *run = first_of(session);

	oclmm_device_keep_programs(OCLMM_KEEP_NEVER, NULL);
	if (run->producer)
		producer_keep(run->producer, NULL);
	if (session->programs)
		cache_trim(session->programs, BYTES_MOST);
	free(session->programs);
	session->programs = NULL;
}
