// SPDX-License-Identifier: Apache-2.0
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

/* A run that is asked to end does so after the test at hand's launches. */
static const double LEAVE_SECONDS = 10;
static const int SLICE = 100; /* milliseconds */

struct child {
	const struct child_request *request;
	struct plant_outcome *outcome;
	struct child_device *device;
	pid_t pid;
	int lines; /* the pipe of its standard output */
	FILE *errors;
	char log[64];           /* the layer's, a temporary file */
	struct oclmm_text text; /* of a line that is not whole yet */
	bool stopped;
	double asked; /* when it was asked to end */
};

double child_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static double elapsed(const struct child_request *request)
{
	return *request->started > 0 ? child_clock() - *request->started : 0;
}

/* Another layer that the user has stays, beneath ours: it is part of the driver under test. */
static void set_environment(const struct child *child)
{
	const char *others = getenv("OPENCL_LAYERS");
	struct oclmm_text layers;

	oclmm_text_init(&layers);
	oclmm_text_printf(&layers, "%s%s%s", child->request->layer, others && *others ? ":" : "",
	                  others ? others : "");
	setenv("OPENCL_LAYERS", oclmm_text_string(&layers), 1);
	oclmm_text_finish(&layers);
	setenv("OCLMM_PLANT", child->outcome->choice, 1);
	setenv("OCLMM_PLANT_LOG", child->log, 1);
	unsetenv("OCLMM_PLANT_VERBOSE");
}

static _Noreturn void become_run(const struct child *child, int lines, pid_t parent)
{
#ifdef __linux__
	prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
	if (getppid() != parent)
		_exit(1);
	/* the terminal's Ctrl-C is the command's to answer: it asks for the end itself */
	setpgid(0, 0);
	dup2(lines, STDOUT_FILENO);
	dup2(fileno(child->errors), STDERR_FILENO);
	set_environment(child);
	execv(child->request->program, child->request->arguments);
	fprintf(stderr, "cannot execute %s: %s\n", child->request->program, strerror(errno));
	_exit(99);
}

static int start(struct child *child)
{
	pid_t parent = getpid();
	int pipes[2], file;

	child->errors = tmpfile();
	snprintf(child->log, sizeof(child->log), "/tmp/oclmm-planted-XXXXXX");
	file = mkostemp(child->log, O_CLOEXEC);
	if (!child->errors || file < 0) {
		child->log[0] = file < 0 ? '\0' : child->log[0];
		if (file >= 0)
			close(file);
		return -errno;
	}
	close(file);
	if (pipe2(pipes, O_CLOEXEC) < 0)
		return -errno;
	fflush(NULL);
	child->pid = fork();
	if (child->pid == 0)
		become_run(child, pipes[1], parent);
	close(pipes[1]);
	child->lines = pipes[0];
	if (child->pid > 0)
		return 0;
	child->pid = 0;
	return -errno;
}

/* Once politely, so that it writes no half line and lets the device go; then by force. */
static void stop(struct child *child)
{
	if (!child->stopped) {
		child->stopped = true;
		child->asked = child_clock();
		kill(child->pid, SIGINT);
	} else if (child_clock() - child->asked > LEAVE_SECONDS) {
		kill(child->pid, SIGKILL);
	}
}

static const char *string(json_t *object, const char *key)
{
	const char *value = json_string_value(json_object_get(object, key));

	return value ? value : "";
}

static uint64_t number(json_t *object, const char *key)
{
	json_int_t value = json_integer_value(json_object_get(object, key));

	return value > 0 ? (uint64_t)value : 0;
}

static void take_device(struct child *child, json_t *line)
{
	struct child_device *device = child->device;

	/* what it waited for the device until now is not the plant's time */
	if (*child->request->started <= 0)
		*child->request->started = child_clock();
	if (!device)
		return;
	snprintf(device->platform, sizeof(device->platform), "%s", string(line, "platform"));
	snprintf(device->device, sizeof(device->device), "%s", string(line, "device"));
	snprintf(device->driver, sizeof(device->driver), "%s", string(line, "driver"));
}

/* A test that the plant's bug leads into a crash or lost counts is noticed, though by no
 * verdict. */
static void take_broken(struct child *child, json_t *line, const char *verdict)
{
	struct plant_outcome *outcome = child->outcome;

	if (outcome->broken++ == 0)
		snprintf(outcome->broken_test, sizeof(outcome->broken_test), "%s: %s",
		         string(line, "test"), verdict);
}

static void take_test(struct child *child, json_t *line)
{
	static const char *const broken[] = {"build-failed", "crash", "timeout", "lost"};
	struct plant_outcome *outcome = child->outcome;
	const char *verdict = string(line, "verdict");

	if (strcmp(verdict, "skip") == 0)
		return;
	outcome->tests++;
	outcome->instances += number(line, "instances");
	outcome->seconds = elapsed(child->request);
	for (size_t i = 0; i < OCLMM_COUNT(broken); i++) {
		if (strcmp(verdict, broken[i]) == 0)
			take_broken(child, line, verdict);
	}
	if (strcmp(verdict, "forbidden") != 0 || !json_is_true(json_object_get(line, "gates")))
		return;
	plant_outcome_add_kill(outcome, string(line, "test"), number(line, "forbidden"),
	                       number(line, "instances"));
	if (child->request->stop_early)
		stop(child);
}

static void take_line(struct child *child, const char *bytes, size_t length)
{
	json_t *line = json_loadb(bytes, length, 0, NULL);

	if (strcmp(string(line, "type"), "run") == 0)
		take_device(child, line);
	else if (strcmp(string(line, "type"), "test") == 0)
		take_test(child, line);
	json_decref(line);
}

/* Whole lines of what has come so far. */
static void take_lines(struct child *child)
{
	size_t begin = 0;

	for (size_t i = 0; i < child->text.length; i++) {
		if (child->text.data[i] != '\n')
			continue;
		/* what comes after the end was asked for belongs to no plant's time */
		if (!child->stopped)
			take_line(child, child->text.data + begin, i - begin);
		begin = i + 1;
	}
	if (begin > 0) {
		struct oclmm_text rest;

		oclmm_text_init(&rest);
		oclmm_text_add_bytes(&rest, child->text.data + begin, child->text.length - begin);
		oclmm_text_finish(&child->text);
		child->text = rest;
	}
}

/* A plant gets one test at least, however slow the machine: without any it was not tried. */
static bool is_over(const struct child *child)
{
	const struct child_request *request = child->request;

	return *request->interrupted ||
	       (request->seconds > 0 && elapsed(request) > request->seconds &&
	        child->outcome->tests > 0);
}

static void follow(struct child *child)
{
	struct pollfd wait = {.fd = child->lines, .events = POLLIN};
	char buffer[65536];
	ssize_t size = 1;

	while (size != 0) {
		if (child->stopped || is_over(child))
			stop(child);
		if (poll(&wait, 1, SLICE) <= 0)
			continue;
		size = read(child->lines, buffer, sizeof(buffer));
		if (size < 0 && errno != EINTR)
			break;
		if (size > 0) {
			oclmm_text_add_bytes(&child->text, buffer, (size_t)size);
			take_lines(child);
		}
	}
}

/* The end of what it said, which has the reason. */
static void read_errors(struct child *child, struct child_result *result)
{
	long end;
	size_t length;

	fseek(child->errors, 0, SEEK_END);
	end = ftell(child->errors);
	fseek(child->errors,
	      end > (long)sizeof(result->message) - 1 ? end - (long)sizeof(result->message) + 1 : 0,
	      SEEK_SET);
	length = fread(result->message, 1, sizeof(result->message) - 1, child->errors);
	result->message[length] = '\0';
}

/* One line per event of the layer: PLANT EVENT PLACES. */
static void read_log(struct child *child)
{
	struct plant_outcome *outcome = child->outcome;
	char *text, *save;
	size_t length;

	if (oclmm_read_file(child->log, &text, &length) < 0)
		return;
	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		unsigned long long places = 0;
		char event[32];

		if (sscanf(line, "%*s %31s %llu", event, &places) != 2)
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

static void end(struct child *child, struct child_result *result)
{
	int status = 0;

	while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR)
		;
	result->status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	result->stopped = child->stopped;
	read_errors(child, result);
	read_log(child);
	child->outcome->seconds = elapsed(child->request);
}

int child_run(const struct child_request *request, struct plant_outcome *outcome,
              struct child_device *device, struct child_result *ret_result)
{
	struct child child = {
		.request = request, .outcome = outcome, .device = device, .lines = -1};
	struct child_result result = {0};
	int r = start(&child);

	if (r == 0) {
		follow(&child);
		end(&child, &result);
		*ret_result = result;
	}
	if (child.lines >= 0)
		close(child.lines);
	if (child.errors)
		fclose(child.errors);
	if (child.log[0])
		unlink(child.log);
	oclmm_text_finish(&child.text);
	return r;
}
