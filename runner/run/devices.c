// SPDX-License-Identifier: Apache-2.0
/* On which devices a run is to go on: named one by one, all of them, or those that are equal. */
#include <stdlib.h>
#include <string.h>

#include "run.h"
#include "survey/survey.h"

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

static void add(struct choice *choice, size_t index)
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
	add(choice, (size_t)index);
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
			add(choice, i);
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
			add(choice, i);
	}
	return check_equal(choice);
}

static int choose_pair(struct choice *choice)
{
	struct run *run = choice->run;
	struct oclmm_error error = {0};
	int first;

	first = run_choose_pair(run, &error);
	if (first < 0)
		return report_error(&error);
	add(choice, (size_t)first);
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
	int status = run_list_devices(run);

	if (status == 0)
		status = choose(&choice);
	if (status == 0)
		*ret_devices = choice.chosen;
	else
		free(choice.chosen.indices);
	return status;
}
