// SPDX-License-Identifier: Apache-2.0
#include "cli/no_device.h"
#include "oclmm/grade.h"
#include "survey.h"

/* A driver that dies while it is asked what there is gets a second chance, as a test does. */
enum { ATTEMPTS = 2 };

static enum oclmm_end ask(const struct worker_options *options, struct oclmm_error *error,
                          struct worker_devices *ret_devices)
{
	struct worker *worker;
	enum oclmm_end end;

	if (worker_start(options, NULL, 0, error, &worker) < 0)
		return OCLMM_END_PROCESS_ENDED;
	end = worker_devices(worker, error, ret_devices);
	worker_stop(worker);
	return end;
}

int devices_find(const struct command *command, const struct worker_options *options,
                 struct worker_devices *ret_devices)
{
	struct oclmm_error error = {0};
	enum oclmm_end end = OCLMM_END_PROCESS_ENDED;

	for (int attempt = 0;
	     attempt < ATTEMPTS && end != OCLMM_END_OK && end != OCLMM_END_INTERRUPTED; attempt++)
		end = ask(options, &error, ret_devices);
	if (end != OCLMM_END_OK) {
		options_error(command, "the devices cannot be listed: %s", error.message);
		return OCLMM_EXIT_INFRASTRUCTURE;
	}
	if (*ret_devices->list.left_out.message)
		options_error(command, "note: a device is left out: %s",
		              ret_devices->list.left_out.message);
	return ret_devices->list.count ? 0 : no_device(command);
}
