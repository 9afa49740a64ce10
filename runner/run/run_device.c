// SPDX-License-Identifier: Apache-2.0
/* Which device a run has, and that no other run has it at the same time. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/no_device.h"
#include "run.h"

/* A driver that dies while it is asked what there is gets a second chance, as a test does. */
static enum worker_end list(struct run *run, struct oclmm_error *error)
{
	enum worker_end end = WORKER_CRASH;

	for (int attempt = 0; attempt < 2 && end != WORKER_OK && end != WORKER_INTERRUPTED;
	     attempt++) {
		struct worker *worker;
		int r = worker_start(&run->worker, NULL, 0, &worker);

		if (r < 0) {
			oclmm_error_set(error, r, "cannot start a process: %s", strerror(-r));
			return WORKER_CRASH;
		}
		end = worker_devices(worker, error, &run->devices);
		worker_stop(worker);
	}
	return end;
}

static void say_waiting(const struct run *run, const char *verb, long holder)
{
	char process[48] = "another run";

	if (holder)
		snprintf(process, sizeof(process), "process %ld", holder);
	options_error(run->command, "%s is in use by %s; %s", run->context.device->name, process,
	              verb);
}

static int lock(struct run *run)
{
	struct oclmm_error error = {0};
	bool said = false;
	char *path;
	int r = worker_lock_path(run->context.identity, &error, &path);

	if (r < 0) {
		print_error(&error);
		return OCLMM_EXIT_INFRASTRUCTURE;
	}
	for (;;) {
		long holder = 0;

		r = worker_lock(path, &error, &holder);
		if (r != -EWOULDBLOCK || process_interrupted)
			break;
		if (run->options.no_wait || !said)
			say_waiting(run, run->options.no_wait ? "not waiting" : "waiting for it",
			            holder);
		if (run->options.no_wait)
			break;
		said = true;
		process_nap(0.1);
	}
	free(path);
	if (r < 0 && r != -EWOULDBLOCK)
		print_error(&error);
	run->lock = r;
	return r < 0 ? OCLMM_EXIT_INFRASTRUCTURE : 0;
}

int run_open_device(struct run *run)
{
	struct oclmm_error error = {0};
	int index;

	if (list(run, &error) != WORKER_OK) {
		options_error(run->command, "the devices cannot be listed: %s", error.message);
		return OCLMM_EXIT_INFRASTRUCTURE;
	}
	if (run->devices.list.count == 0)
		return no_device(run->command);
	index = oclmm_device_choose(&run->devices.list, run->options.device, &error);
	if (index < 0) {
		print_error(&error);
		return OCLMM_EXIT_USAGE;
	}
	run->device = (size_t)index;
	run->context.device = &run->devices.list.devices[index];
	run->context.identity = &run->devices.identities[index];
	return lock(run);
}
