// SPDX-License-Identifier: Apache-2.0
/* For each failure a folder with all that its analysis needs, and that can be sent to a vendor. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "producer/producer.h"
#include "run.h"
#include "stress/environment.h"

static bool is_failure(const struct oclmm_record *record)
{
	return record->grade.verdict == OCLMM_VERDICT_FORBIDDEN ||
	       oclmm_verdict_is_infrastructure(record->grade.verdict);
}

/* What is not there is made below what is. */
static int can_make(const char *folder)
{
	char *path = oclmm_strdup(folder), *slash;
	struct stat info;
	const char *at = path;
	int r = stat(path, &info);

	while (r < 0 && errno == ENOENT && strcmp(at, ".") != 0) {
		slash = strrchr(path, '/');
		if (slash)
			*slash = '\0';
		at = !slash ? "." : *path ? path : "/";
		r = stat(at, &info);
	}
	if (r == 0 && !S_ISDIR(info.st_mode))
		r = -ENOTDIR;
	else if (r < 0 || access(at, W_OK | X_OK) < 0)
		r = -errno;
	free(path);
	return r;
}

int run_check_artifacts(const struct run *run)
{
	int r = run->options.artifacts ? can_make(run->options.artifacts) : 0;

	if (r == 0)
		return 0;
	options_error(run->command, "cannot create folders in %s: %s", run->options.artifacts,
	              strerror(-r));
	return OCLMM_EXIT_INFRASTRUCTURE;
}

/* A folder that cannot be written is said once per file; the run goes on without it. */
static void write_file(const struct run *run, const char *folder, const char *name,
                       struct oclmm_text *text)
{
	struct oclmm_text path = {0};

	oclmm_text_printf(&path, "%s/%s", folder, name);
	command_write(run->command, oclmm_text_string(&path), text);
	oclmm_text_finish(&path);
	oclmm_text_finish(text);
}

static void write_string(const struct run *run, const char *folder, const char *name,
                         const char *string)
{
	struct oclmm_text text = {0};

	if (!string || !*string)
		return;
	oclmm_text_add(&text, string);
	write_file(run, folder, name, &text);
}

static void write_litmus(const struct run *run, const char *folder,
                         const struct oclmm_program *program)
{
	struct oclmm_text text = {0}, name = {0};

	oclmm_program_print(&text, program);
	oclmm_text_printf(&name, "%s.litmus", program->name);
	write_file(run, folder, oclmm_text_string(&name), &text);
	oclmm_text_finish(&name);
}

/* Of a device that is given SPIR-V; nothing where none comes of the text. */
static void write_module(const struct run *run, const char *folder, const char *source)
{
	struct producer_version version;
	struct oclmm_error ignored;
	struct oclmm_text module;

	if (run->producer &&
	    oclmm_device_il_version(run->context.device, &version.major, &version.minor) &&
	    producer_translate(run->producer, version, "-cl-std=CL3.0", source, &ignored,
	                       &module) == 0)
		write_file(run, folder, "kernel.spv", &module);
}

/* Of a program of commands each thread that is a kernel. */
static int generate(const struct run_item *item, struct oclmm_text *ret_text)
{
	struct oclmm_error ignored;

	if (oclmm_program_has_commands(item->job.program)) {
		oclmm_generate_commands(item->job.program, ret_text);
		return 0;
	}
	if (!item->job.space)
		return -ENOTSUP;
	return oclmm_generate(item->job.program, item->job.space, NULL, &ignored, ret_text);
}

static void write_kernel(const struct run *run, const char *folder, const struct run_item *item)
{
	struct oclmm_text text;

	if (generate(item, &text) < 0)
		return;
	write_module(run, folder, oclmm_text_string(&text));
	write_file(run, folder, "kernel.cl", &text);
}

static void write_facts(const struct run *run, const char *folder, const struct run_item *item)
{
	const struct oclmm_record *record = &item->record;
	bool exact = run->header.replay_environment && record->environment;
	struct oclmm_text text = {0}, argument = {0};

	oclmm_record_argument(&argument, record);
	oclmm_text_printf(&text, "test         %s\nhash         %016" PRIx64 "\nverdict      %s\n",
	                  record->program->name, record->program->hash,
	                  oclmm_verdict_word(record->grade.verdict));
	if (record->message)
		oclmm_text_printf(&text, "message      %s\n", oclmm_shown(record->message).text);
	oclmm_text_printf(&text,
	                  "platform     %s\ndevice       %s\ndriver       %s\nversion      %s\n",
	                  oclmm_shown(record->platform).text, oclmm_shown(record->device).text,
	                  oclmm_shown(record->driver).text,
	                  oclmm_shown(record->device_version).text);
	if (record->il)
		oclmm_text_printf(&text, "il           %s\n", oclmm_shown(record->il).text);
	oclmm_text_printf(&text, "options      %s\nenvironment  %s\n",
	                  record->build_options ? record->build_options : "",
	                  record->environment ? record->environment : "");
	oclmm_text_printf(&text,
	                  "master seed  %" PRIu64 "\nseed         %" PRIu64
	                  "\nstimulus     %016" PRIx64 "\nsource       %016" PRIx64 "\n",
	                  record->master_seed, record->seed, record->stimulus, record->source_hash);
	oclmm_text_printf(&text,
	                  "instances    %" PRIu64 " of %" PRIu64
	                  "\n\nto repeat it (the same stimulus; what "
	                  "comes of it is the device's):\n\n    %s%s%s%s",
	                  record->instances, item->job.instances, oclmm_shown(run->replay).text,
	                  exact ? " --environment '" : "", exact ? record->environment : "",
	                  exact ? "'" : "");
	oclmm_report_halvings(&text, &record->halved_at);
	oclmm_text_printf(&text, " --instances %" PRIu64 " %s\n",
	                  record->earlier +
	                          (record->instances ? record->instances : item->job.instances),
	                  oclmm_text_string(&argument));
	oclmm_text_finish(&argument);
	write_file(run, folder, "facts.txt", &text);
}

static void add_environment(struct oclmm_text *text, const struct oclmm_environment *environment)
{
#define OCLMM_X(field, meaning)                                                                    \
	oclmm_text_printf(text, "  %-18s %10" PRIu32 "  %s\n", #field, environment->field, meaning);
	OCLMM_ENVIRONMENT(OCLMM_X)
#undef OCLMM_X
}

/* The environments that the launches went through in turn. */
static void write_environments(const struct run *run, const char *folder,
                               const struct run_item *item)
{
	uint32_t count = item->job.environment_count;
	struct oclmm_text text = {0};

	if (!item->job.space || !count)
		return;
	for (uint32_t i = 0; i < count; i++) {
		oclmm_text_printf(&text, "environment %" PRIu32 " of %" PRIu32 "\n", i + 1, count);
		add_environment(&text, &item->job.environment[i]);
	}
	write_file(run, folder, "environment.txt", &text);
}

/* In a child of its own: the driver failed on this very kernel, maybe. */
static void write_binary(const struct run *run, const char *folder, const struct run_item *item)
{
	const struct oclmm_device_identity *identity = item->lane ? item->lane->identity
	                                                          : run->context.identity;
	struct worker_options options = run->worker;
	struct oclmm_error ignored;
	struct oclmm_text binary;
	struct worker *worker;

	options.progress = NULL;
	if (!item->job.space ||
	    worker_start_on(identity, &options, &item->job, 1, &ignored, &worker) < 0)
		return;
	if (worker_binary(worker, 0, &binary) == 0)
		write_file(run, folder, "kernel.bin", &binary);
	worker_stop(worker);
}

/* The same test may fail on several devices. */
static void name_folder(struct oclmm_text *text, const struct run *run,
                        const struct oclmm_record *record)
{
	oclmm_text_printf(text, "%s/", run->options.artifacts);
	if (run->session->run_count > 1)
		oclmm_text_printf(text, "device-%zu/", (size_t)(run - run->session->runs) + 1);
	oclmm_text_add(text, record->program->name);
}

void run_keep_artifacts(struct run *run, struct run_item *item)
{
	const struct oclmm_record *record = &item->record;
	struct oclmm_text folder = {0}, histogram;
	int r;

	if (!run->options.artifacts || !is_failure(record))
		return;
	name_folder(&folder, run, record);
	r = oclmm_make_folders(oclmm_text_string(&folder));
	if (r < 0) {
		options_error(run->command, "cannot create %s: %s", oclmm_text_string(&folder),
		              strerror(-r));
	} else {
		write_litmus(run, oclmm_text_string(&folder), record->program);
		write_kernel(run, oclmm_text_string(&folder), item);
		write_string(run, oclmm_text_string(&folder), "build.log",
		             item->result.run.build_log);
		write_string(run, oclmm_text_string(&folder), "driver.log", item->result.log);
		write_facts(run, oclmm_text_string(&folder), item);
		write_environments(run, oclmm_text_string(&folder), item);
		oclmm_text_init(&histogram);
		oclmm_report_block(&histogram, record);
		write_file(run, oclmm_text_string(&folder), "histogram.txt", &histogram);
		if (item->result.end != OCLMM_END_HANG)
			write_binary(run, oclmm_text_string(&folder), item);
	}
	oclmm_text_finish(&folder);
}
