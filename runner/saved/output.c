// SPDX-License-Identifier: Apache-2.0
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"

/*
 * A report writes a record at once, and it goes straight to the system: a
 * process that is killed later loses nothing of it. When the disk is full the
 * half that went through is taken back, so that the file stays valid.
 */
static int write_bytes(void *data, const char *bytes, size_t length)
{
	struct run_output *output = data;
	int r;

	if (output->silent)
		return 0;
	r = oclmm_write_rest(output->file, bytes, length);
	if (r == 0)
		output->good += (off_t)length;
	else if (output->own && ftruncate(output->file, output->good) < 0)
		errno = 0; /* not a plain file: there is nothing to take back */
	return r;
}

int run_output_format(const char *option, const char *value, void *ret_kind)
{
	const struct oclmm_report_kind **format = ret_kind, *known;
	struct oclmm_text text = {0};

	*format = oclmm_report_kind(value);
	if (*format)
		return 0;
	oclmm_text_add(&text, "one of");
	for (size_t i = 0; (known = oclmm_report_kind_at(i)); i++)
		oclmm_text_printf(&text, "%s %s", i ? "," : "", known->name);
	option_refuse(option, value, oclmm_text_string(&text));
	oclmm_text_finish(&text);
	return OPTIONS_ERROR;
}

int run_output_brief(const char *option, const char *value, void *ret_kind)
{
	(void)value;
	return run_output_format(option, "brief", ret_kind);
}

int run_output_option(const char *value, const char **values, size_t *count, size_t most)
{
	if (!oclmm_report_kind_of_file(value))
		return option_refuse("output", value, "one of " RUN_OUTPUT_SUFFIXES);
	return option_append("output", value, values, count, most);
}

void run_output_standard(struct run_output *output)
{
	*output = (struct run_output){.name = "standard output", .file = STDOUT_FILENO};
}

void run_output_begin(struct run_output *output, const struct oclmm_report_kind *kind,
                      const struct oclmm_run_header *header, bool silent)
{
	const struct oclmm_sink sink = {.write = write_bytes, .data = output};
	int r = 0;

	output->begun = true;
	if (output->plain && (ftruncate(output->file, output->good) < 0 ||
	                      lseek(output->file, output->good, SEEK_SET) < 0))
		r = -errno;
	output->silent = silent;
	oclmm_report_begin(&output->report, kind, sink, header);
	output->report.coloured = kind->for_people && cli_colours(output->file);
	output->silent = false;
	if (r < 0)
		output->report.failed = r;
}

void run_output_record(struct run_output *output, const struct oclmm_record *record, bool silent)
{
	output->silent = silent;
	oclmm_report_record(&output->report, record);
	output->silent = false;
}

void run_output_sync(struct run_output *output)
{
	/* pipes and terminals cannot be synced, and need not be */
	if (output->own && fsync(output->file) < 0 && errno != EINVAL && errno != EROFS &&
	    !output->report.failed)
		output->report.failed = -errno;
}

int run_output_check_annotations(const struct command *command,
                                 const struct oclmm_report_kind *format)
{
	if (format->for_people)
		return 0;
	return options_error(command,
	                     "--annotations go to standard output, where --format %s is read by a "
	                     "program; write that with --output",
	                     format->name);
}

/*
 * The lock is fcntl()'s: children do not have it, so that it goes the moment the
 * run does. Where a file system has no locks there is none.
 */
static int lock(const struct command *command, const struct run_output *output)
{
	struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

	if (fcntl(output->file, F_SETLK, &whole) == 0 || (errno != EAGAIN && errno != EACCES))
		return 0;
	return command_refuse_busy(command, output->name, output->file);
}

/* Its own lock does not keep a process out. */
static bool is_same_file(const struct run_output *output, const struct stat *info)
{
	struct stat other;

	return output->plain && fstat(output->file, &other) == 0 && other.st_dev == info->st_dev &&
	       other.st_ino == info->st_ino;
}

static int claim(const struct command *command, struct run_output *output,
                 const struct run_output *others, size_t other_count)
{
	struct stat info;

	if (fstat(output->file, &info) < 0 || !S_ISREG(info.st_mode))
		return 0;
	for (size_t i = 0; i < other_count; i++) {
		if (is_same_file(&others[i], &info))
			return options_error(command, "%s and %s are the same file", others[i].name,
			                     output->name);
	}
	for (int stream = STDOUT_FILENO; stream <= STDERR_FILENO; stream++) {
		const struct run_output standard = {.file = stream, .plain = true};

		if (is_same_file(&standard, &info))
			return options_error(command, "%s is where standard %s goes", output->name,
			                     stream == STDOUT_FILENO ? "output" : "error");
	}
	output->plain = true;
	return lock(command, output);
}

int run_output_claim(const struct command *command, const char *name, int access,
                     struct run_output *outputs, size_t *count)
{
	struct run_output *output = &outputs[*count];
	int file = open(name, access | O_CLOEXEC), status;
	bool made = file < 0 && errno == ENOENT;

	if (made)
		file = open(name, access | O_CREAT | O_CLOEXEC, 0666);
	if (file < 0) {
		options_error(command, "cannot open %s: %s", name, strerror(errno));
		return OCLMM_EXIT_INFRASTRUCTURE;
	}
	*output = (struct run_output){.name = name, .file = file, .own = true, .made = made};
	status = claim(command, output, outputs, *count);
	if (status == 0)
		++*count;
	else
		close(file);
	return status;
}

int run_output_claim_all(const struct command *command, const char *const *names, size_t name_count,
                         struct run_output *outputs, size_t *count)
{
	int status = 0;

	for (size_t i = 0; status == 0 && i < name_count; i++)
		status = run_output_claim(command, names[i], O_WRONLY, outputs, count);
	return status;
}

/* What an ending comes to. */
struct sum {
	struct oclmm_tally tally;
	enum oclmm_exit status;
};

/* Each device by itself, too. */
static void add_parts(const struct run_ending *ending, struct oclmm_tally *whole)
{
	for (size_t i = 0; i < ending->count; i++) {
		size_t number = oclmm_header_of(ending->header, ending->records[i]);

		oclmm_tally_add(&ending->parts[number], ending->records[i]);
	}
	/* devices have the same stimulus, so no difference would be left */
	whole->stimulus = 0;
	whole->parts = ending->parts;
	for (const struct oclmm_run_header *header = ending->header; header; header = header->next)
		whole->stimulus += ending->parts[whole->part_count++].stimulus;
}

/* Whether a run had all tests that lines with patterns are for: those of a profile, or the suite.
 */
static bool is_whole(const struct run_ending *ending)
{
	const struct oclmm_run_header *header = ending->header;

	return (header->profile || header->whole_suite) && !header->shards && !ending->left_out &&
	       !ending->interrupted;
}

static uint64_t find_stale_lines(const struct run_ending *ending)
{
	struct oclmm_suspect *ended;
	struct oclmm_text text = {0};
	size_t count;

	if (!ending->expectations || !is_whole(ending))
		return 0;
	ended = oclmm_calloc(ending->count + 1, sizeof(*ended));
	for (size_t i = 0; i < ending->count; i++) {
		const struct oclmm_record *record = ending->records[i];

		ended[i] = (struct oclmm_suspect){.device = record->identity.device,
		                                  .driver = record->identity.driver,
		                                  .test = record->program->name,
		                                  .verdict = record->grade.verdict};
	}
	count = oclmm_expectations_stale(ending->expectations, ended, ending->count, oclmm_today(),
	                                 &text);
	fputs(oclmm_text_string(&text), stderr);
	oclmm_text_finish(&text);
	free(ended);
	return count;
}

static struct sum judge(const struct run_ending *ending)
{
	struct sum sum = {.tally.left_out = ending->left_out,
	                  .tally.unfinished = ending->unfinished,
	                  .tally.interrupted = ending->interrupted};

	oclmm_grade_confidence(ending->records, ending->count, &ending->header->demand);
	for (size_t i = 0; i < ending->count; i++)
		oclmm_tally_add(&sum.tally, ending->records[i]);
	sum.tally.stale_lines = find_stale_lines(ending);
	if (ending->parts)
		add_parts(ending, &sum.tally);
	sum.status = oclmm_tally_exit(&sum.tally, ending->header->strict);
	return sum;
}

static int end(const struct run_ending *ending, const struct sum *sum, struct run_output *output)
{
	int r;

	output->silent = output->ended;
	oclmm_report_judged(&output->report, (const struct oclmm_record *const *)ending->records,
	                    ending->count);
	r = oclmm_report_end(&output->report, &sum->tally, sum->status);
	run_output_sync(output);
	if (r == 0)
		r = output->report.failed;
	if (r == 0)
		return (int)sum->status;
	options_error(ending->command, "cannot write %s: %s", output->name, strerror(-r));
	return sum->status == OCLMM_EXIT_FORBIDDEN ? OCLMM_EXIT_FORBIDDEN
	                                           : OCLMM_EXIT_INFRASTRUCTURE;
}

/* Where GitHub shows a summary of the job, behind those of its other steps. */
static void summarise(const struct run_ending *ending, const struct sum *sum)
{
	const char *path = getenv("GITHUB_STEP_SUMMARY");
	struct oclmm_text text = {0};
	int file, r;

	if (!path || !*path)
		return;
	oclmm_report_github_summary(&text, ending->header,
	                            (const struct oclmm_record *const *)ending->records,
	                            ending->count, &sum->tally, sum->status);
	file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	r = file < 0 ? -errno : oclmm_write_rest(file, text.data, text.length);
	if (r < 0)
		options_error(ending->command, "cannot write %s: %s", oclmm_shown(path).text,
		              strerror(-r));
	if (file >= 0)
		close(file);
	oclmm_text_finish(&text);
}

int run_output_end_all(const struct run_ending *ending, struct run_output *outputs, size_t count)
{
	const struct sum sum = judge(ending);
	struct run_output annotations;
	int worst = (int)sum.status;

	for (size_t i = 0; i < count; i++) {
		int status = end(ending, &sum, &outputs[i]);

		worst = status != (int)sum.status ? status : worst;
	}
	if (ending->annotations) {
		run_output_standard(&annotations);
		run_output_begin(&annotations, &oclmm_report_github, ending->header, false);
		end(ending, &sum, &annotations);
		summarise(ending, &sum);
	}
	return worst;
}

void run_output_close(struct run_output *output)
{
	struct stat info;

	/* while the lock still holds others off; what has the name now may be another run's */
	if (output->made && !output->begun && stat(output->name, &info) == 0 &&
	    is_same_file(output, &info))
		unlink(output->name);
	if (output->own)
		close(output->file);
	output->own = false;
}
