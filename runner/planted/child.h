// SPDX-License-Identifier: Apache-2.0
/*
 * `oclmm run` as a child process with the layer in place. Its JSON Lines come
 * through a pipe and are looked at while it runs, so that it can be stopped at
 * the first forbidden outcome.
 */
#ifndef OCLMM_RUNNER_PLANTED_CHILD_H
#define OCLMM_RUNNER_PLANTED_CHILD_H

#include <jansson.h>

#include "outcome.h"

struct child_request {
	const char *program;    /* path of oclmm */
	const char *layer;      /* path of the layer */
	char *const *arguments; /* behind the program's name, NULL-terminated */
	bool stop_early;        /* at the first forbidden outcome that gates */
	double *started;        /* clock at which a plant's first run had its device; 0: not yet */
	double seconds;         /* after that the child is stopped; 0: never */
};

/* What the run said of the device. */
struct child_device {
	char platform[128], device[128], driver[128], version[128];
};

/* What a line of JSON has under a key; "" where it is no string. */
const char *child_string(json_t *object, const char *key);
/* The line that a run begins with, or that a matrix does. */
void child_device_take(struct child_device *device, json_t *line);

struct child_result {
	int status;    /* of the child, or negative: a signal or an errno value */
	bool stopped;  /* by us: at a kill, the deadline or an interruption */
	char *message; /* the last of what it said on standard error; malloc-ed or NULL */
};

/*
 * Runs one child and adds what it reports to the outcome; device, where not
 * NULL, is filled from its first line. Returns 0 or a negative errno value.
 */
int child_run(const struct child_request *request, struct plant_outcome *outcome,
              struct child_device *device, struct child_result *ret_result);

#endif
