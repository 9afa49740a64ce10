// SPDX-License-Identifier: Apache-2.0
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "oclmm/grade.h"
#include "process/process.h"

/* A run that is asked to end does so after the test at hand's launches. */
static const double LEAVE_SECONDS = 10;
static const double SLICE = 0.1;

struct child {
	const struct child_request *request;
	struct plant_outcome *outcome;
	struct child_device *device;
	struct process process;
	char log[PATH_MAX]; /* the layer's, a temporary file */
	bool stopped;
	double asked; /* when it was asked to end */
};

static double elapsed(const struct child_request *request)
{
	return *request->started > 0 ? oclmm_clock() - *request->started : 0;
}

/* Another layer that the user has stays, beneath ours: it is part of the driver under test. Ours
 * changes nothing without a plant, so that compiled programs may be kept and used again. */
static void set_environment(const struct child *child)
{
	const char *others = getenv("OPENCL_LAYERS");
	struct oclmm_text layers = {0};

	if (!others)
		others = "";
	oclmm_text_printf(&layers, "%s%s%s", child->request->layer, *others ? ":" : "", others);
	setenv("OPENCL_LAYERS", oclmm_text_string(&layers), 1);
	if (child->outcome->plant.bug == PLANT_NONE && !*others)
		setenv("OCLMM_PASSING_LAYERS", oclmm_text_string(&layers), 1);
	else
		unsetenv("OCLMM_PASSING_LAYERS");
	oclmm_text_finish(&layers);
	setenv("OCLMM_PLANT", child->outcome->choice, 1);
	setenv("OCLMM_PLANT_LOG", child->log, 1);
	unsetenv("OCLMM_PLANT_VERBOSE");
}

static void be_run(void *data, int socket)
{
	const struct child *child = data;

	dup2(socket, STDOUT_FILENO);
	set_environment(child);
	execv(child->request->program, child->request->arguments);
	fprintf(stderr, "cannot execute %s: %s\n", child->request->program, strerror(errno));
	_exit(99);
}

static int start(struct child *child)
{
	/* the terminal's Ctrl-C is the command's to answer: it asks for the end itself */
	const struct process_job job = {
		.run = be_run, .data = child, .talks = true, .heard = true, .leads = true};
	const char *folder = getenv("TMPDIR");
	int file;

	/* mkostemp() refuses what is cut off */
	snprintf(child->log, sizeof(child->log), "%s/oclmm-planted-XXXXXX",
	         folder && *folder ? folder : "/tmp");
	file = mkostemp(child->log, O_CLOEXEC);
	if (file < 0) {
		child->log[0] = '\0';
		return -errno;
	}
	close(file);
	return process_start(&job, &child->process);
}

/* Once politely, so that it writes no half line and lets the device go; then by force. */
static void stop(struct child *child)
{
	if (!child->stopped) {
		child->stopped = true;
		child->asked = oclmm_clock();
		process_signal(&child->process, SIGTERM);
	} else if (oclmm_clock() - child->asked > LEAVE_SECONDS) {
		process_signal(&child->process, SIGKILL);
	}
}

const char *child_string(json_t *object, const char *key)
{
	const char *value = json_string_value(json_object_get(object, key));

	return value ? value : "";
}

static uint64_t number(json_t *object, const char *key)
{
	json_int_t value = json_integer_value(json_object_get(object, key));

	return value > 0 ? (uint64_t)value : 0;
}

void child_device_take(struct child_device *device, json_t *line)
{
	snprintf(device->platform, sizeof(device->platform), "%s", child_string(line, "platform"));
	snprintf(device->device, sizeof(device->device), "%s", child_string(line, "device"));
	snprintf(device->driver, sizeof(device->driver), "%s", child_string(line, "driver"));
	snprintf(device->version, sizeof(device->version), "%s", child_string(line, "version"));
}

/* One line per event of the layer: PLANT EVENT PLACES. */
static void read_log(const struct child *child, struct plant_outcome *outcome)
{
	char *text, *save;
	size_t length;

	if (oclmm_read_file(child->log, &text, &length) < 0)
		return;
	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		unsigned long long places = 0;
		char event[32];

		if (sscanf(line, "%*s %31s %19llu", event, &places) != 2)
			continue;
		outcome->loaded |= strcmp(event, "loaded") == 0;
		outcome->programs += strcmp(event, "source") == 0;
		outcome->places += places;
		outcome->opaque += strcmp(event, "binary") == 0 || strcmp(event, "il") == 0;
		outcome->launches += strcmp(event, "launch") == 0;
		outcome->unbuilt += strcmp(event, "twin-failed") == 0;
	}
	free(text);
}

/* Whether the loader put the layer there: known before any test is built. */
static bool is_layer_there(const struct child *child)
{
	struct plant_outcome so_far = {0};

	read_log(child, &so_far);
	return so_far.loaded;
}

static void take_run(struct child *child, json_t *line)
{
	/* what it waited for the device until now is not the plant's time */
	if (*child->request->started <= 0)
		*child->request->started = oclmm_clock();
	if (child->device)
		child_device_take(child->device, line);
	if (!is_layer_there(child))
		stop(child);
}

/* A test that the plant's bug leads into a crash or lost counts is noticed, though by no
 * verdict. */
static void take_broken(struct child *child, json_t *line, const char *verdict)
{
	struct plant_outcome *outcome = child->outcome;

	if (outcome->broken++ == 0)
		snprintf(outcome->broken_test, sizeof(outcome->broken_test), "%s: %s",
		         child_string(line, "test"), verdict);
}

static void take_test(struct child *child, json_t *line)
{
	struct plant_outcome *outcome = child->outcome;
	const char *word = child_string(line, "verdict");
	enum oclmm_verdict verdict = OCLMM_VERDICT_COUNT;

	oclmm_verdict_find(word, strlen(word), &verdict);
	if (verdict == OCLMM_VERDICT_SKIP) {
		outcome->skipped++;
		return;
	}
	outcome->tests++;
	outcome->refused += verdict == OCLMM_VERDICT_BUILD_FAILED;
	outcome->instances += number(line, "instances");
	outcome->seconds = elapsed(child->request);
	if (oclmm_verdict_is_infrastructure(verdict))
		take_broken(child, line, word);
	if (verdict != OCLMM_VERDICT_FORBIDDEN)
		return;
	if (!json_is_true(json_object_get(line, "gates"))) {
		outcome->ungated++;
		return;
	}
	plant_outcome_add_kill(outcome, child_string(line, "test"), number(line, "forbidden"),
	                       number(line, "instances"));
	if (child->request->stop_early)
		stop(child);
}

static void take_line(struct child *child, const char *bytes, size_t length)
{
	json_t *line = json_loadb(bytes, length, 0, NULL);

	if (strcmp(child_string(line, "type"), "run") == 0)
		take_run(child, line);
	else if (strcmp(child_string(line, "type"), "test") == 0)
		take_test(child, line);
	json_decref(line);
}

/* Whole lines of what has come so far. */
static void take_lines(struct child *child)
{
	struct oclmm_text *text = &child->process.input.text;
	size_t begin = 0;

	for (size_t i = 0; i < text->length; i++) {
		if (text->data[i] != '\n')
			continue;
		/* what comes after the end was asked for belongs to no plant's time */
		if (!child->stopped)
			take_line(child, text->data + begin, i - begin);
		begin = i + 1;
	}
	oclmm_text_drop(text, begin);
}

/* A plant gets one test at least, however slow the machine: without any it was not tried. */
static bool is_over(const struct child *child)
{
	const struct child_request *request = child->request;

	return process_interrupted ||
	       (request->seconds > 0 && elapsed(request) > request->seconds &&
	        child->outcome->tests > 0);
}

static void follow(struct child *child)
{
	int r = 0;

	while (r == 0) {
		if (child->stopped || is_over(child))
			stop(child);
		r = process_hear(&child->process, SLICE);
		take_lines(child);
	}
}

static void end(struct child *child, struct child_result *result)
{
	int status;

	/* what is not heard of any more is ended by now, or about to */
	process_stop(&child->process, LEAVE_SECONDS);
	status = child->process.status;
	result->status = status >= 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	result->stopped = child->stopped;
	result->message = process_said(&child->process);
	read_log(child, child->outcome);
	child->outcome->seconds = elapsed(child->request);
}

int child_run(const struct child_request *request, struct plant_outcome *outcome,
              struct child_device *device, struct child_result *ret_result)
{
	struct child child = {.request = request,
	                      .outcome = outcome,
	                      .device = device,
	                      .process = {.socket = -1, .output = -1}};
	struct child_result result = {0};
	int r = start(&child);

	if (r == 0) {
		follow(&child);
		end(&child, &result);
		*ret_result = result;
	}
	process_finish(&child.process);
	if (child.log[0])
		unlink(child.log);
	return r;
}
