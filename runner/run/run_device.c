// SPDX-License-Identifier: Apache-2.0
/* Which device a run has, and that no other run has it at the same time. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"
#include "survey/survey.h"

/* How often it is looked whether the device was let go. */
static const double NAP = 0.1;
/* After which it is said again who has it; then after twice as long each time. */
static const double FIRST_REMINDER = 60;

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

int run_choose_pair(struct run *run, struct oclmm_error *error)
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

int run_list_devices(struct run *run)
{
	int status = devices_find(run->command, &run->worker, &run->session->devices);

	if (status != OCLMM_EXIT_NOTHING || !run->options.claims_expected)
		return status;
	options_error(run->command, "%s expects a device",
	              oclmm_shown(run->options.claims_expected).text);
	return OCLMM_EXIT_INFRASTRUCTURE;
}

int run_find_device(struct run *run)
{
	struct oclmm_error error = {0};
	int index, status = run_list_devices(run);

	if (status)
		return status;
	index = run->options.pair ? run_choose_pair(run, &error)
	                          : oclmm_device_choose(&run->session->devices.list,
	                                                run->options.device, &error);
	if (index < 0)
		return report_error(&error);
	run_take_device(run, (size_t)index);
	return 0;
}
