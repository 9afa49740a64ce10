// SPDX-License-Identifier: Apache-2.0
/* oclmm export: a test as one C file for somebody who has no oclmm. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "oclmm/grade.h"

#include "cli/cli.h"
#include "cli/commands.h"
#include "export.h"
#include "own_kernel.h"
#include "process/process.h"
#include "process/tool.h"
#include "producer/producer.h"
#include "select/select.h"

/* ---- the least stress with which a file still shows its outcome, by running it ---- */

/* A folder for what is compiled, and how long all of it may take. */
struct search {
	char *folder; /* NULL: none could be made */
	double deadline;
	struct tool_words compiler;
	const struct producer *producer; /* of a file beside a module; NULL: it has its text */
};

/* What came of it. */
enum search_end {
	SEARCH_FOUND,
	SEARCH_NOT_SEEN,  /* within the time */
	SEARCH_NOT_BUILT, /* no compiler, headers or loader: `note` says which message came */
	SEARCH_NOT_RUN,   /* no such device, or the file ended badly: the same */
	SEARCH_INTERRUPTED,
};

/* ---- a program of the machine --------------------------------------------------------------- */

/* What a compiler takes to remove its own temporary files. */
static const double TIDY_SECONDS = 0.3;

/* Until it ends, or the time has passed. Returns its exit status; negative: it has none. */
static int run_tool(const char *const *arguments, double deadline, char **ret_said)
{
	const struct process_job job = {.arguments = arguments, .heard = true, .leads = true};
	struct process process;
	int r = process_start(&job, &process);

	*ret_said = NULL;
	if (r < 0) {
		struct oclmm_text said = {0};

		oclmm_text_printf(&said, "cannot execute %s: %s", arguments[0], strerror(-r));
		*ret_said = oclmm_text_steal(&said);
		return r;
	}
	while (!process_is_gone(&process)) {
		if (process_interrupted || oclmm_clock() > deadline) {
			process_signal(&process, SIGTERM);
			process_stop(&process, TIDY_SECONDS);
			process_finish(&process);
			return process_interrupted ? -EINTR : -ETIME;
		}
		process_hear(&process, 0.05);
	}
	r = WIFEXITED(process.status) ? WEXITSTATUS(process.status) : -ECHILD;
	*ret_said = process_said(&process);
	process_finish(&process);
	return r;
}

/* ---- one try -------------------------------------------------------------------------------- */

/* Of a file as it was set. */
struct trial {
	enum search_end end;
	unsigned long long seen, all;
};

static char *path_of(const struct search *search, const char *name)
{
	struct oclmm_text text = {0};

	oclmm_text_printf(&text, "%s/%s", search->folder, name);
	return oclmm_text_steal(&text);
}

static int write_piece(const struct search *search, const char *name, const struct oclmm_text *text)
{
	char *path = path_of(search, name);
	int r = oclmm_write_file(path, oclmm_text_string(text), text->length);

	free(path);
	return r;
}

/* The n-th line, counted from the last one for negative n, as a string of its own. */
static void add_line(struct oclmm_text *note, const char *said, bool last)
{
	size_t end = said ? strlen(said) : 0, start = 0;

	while (end > 0 && said[end - 1] == '\n')
		end--;
	if (last)
		for (start = end; start > 0 && said[start - 1] != '\n'; start--)
			;
	else
		end = said ? strcspn(said, "\n") : 0;
	oclmm_text_add_bytes(note, said ? said + start : "", end - start);
}

static void fail(struct trial *trial, enum search_end end, const char *said, const char *otherwise,
                 struct oclmm_text *note)
{
	trial->end = end;
	oclmm_text_finish(note);
	if (said && *said)
		add_line(note, said, true);
	else
		oclmm_text_add(note, otherwise);
}

static void read_result(const char *said, int status, struct trial *trial, struct oclmm_text *note)
{
	const char *last = said ? strrchr(said, ':') : NULL;

	/* `seen: 12 of 3456` */
	if ((status != 0 && status != 1) || !last ||
	    sscanf(last, ": %llu of %llu", &trial->seen, &trial->all) != 2) {
		fail(trial, SEARCH_NOT_RUN, said, "the file says nothing", note);
		return;
	}
	trial->end = trial->seen > 0 ? SEARCH_FOUND : SEARCH_NOT_SEEN;
	oclmm_text_finish(note);
	add_line(note, said, false);
}

static int put_pieces(const struct search *search, const struct export_job *job,
                      const struct export_setting *setting, struct oclmm_text *note)
{
	struct oclmm_text file, kernels, planted;
	struct oclmm_error error = {0};
	int r = export_write(job, setting, &error, &file, &kernels, &planted);

	if (r < 0) {
		oclmm_text_add(note, error.message);
		return r;
	}
	r = write_piece(search, "test.c", &file);
	if (r == 0)
		r = write_piece(search, "texts", &planted);
	if (r == 0 && search->producer) {
		struct oclmm_text module;

		r = producer_translate(search->producer, (struct producer_version){1, 2},
		                       "-cl-std=CL3.0", oclmm_text_string(&kernels), &error,
		                       &module);
		if (r == 0) {
			r = write_piece(search, "test.spv", &module);
			oclmm_text_finish(&module);
		} else {
			oclmm_text_add(note, error.message);
		}
	}
	oclmm_text_finish(&file);
	oclmm_text_finish(&kernels);
	oclmm_text_finish(&planted);
	return r;
}

static struct trial try_setting(const struct search *search, const struct export_job *job,
                                const struct export_setting *setting, struct oclmm_text *note)
{
	struct trial trial = {.end = SEARCH_NOT_BUILT};
	char *source = path_of(search, "test.c"), *binary = path_of(search, "test");
	char *texts = path_of(search, "texts"), *module = path_of(search, "test.spv");
	const char *const arguments[] = {"-std=c11", "-O1", "-o", binary, source, "-lOpenCL"};
	struct tool_words compile = {0};
	char launches[16];
	/* exactly this many: the file itself would go on while it sees nothing */
	const char *run[] = {binary, job->device ? job->device : "", launches, NULL};
	struct export_job own = *job;
	char *said = NULL;
	int status;

	for (size_t i = 0; i < search->compiler.count; i++)
		tool_word(&compile, search->compiler.argument[i]);
	for (size_t i = 0; i < OCLMM_COUNT(arguments); i++)
		tool_word(&compile, arguments[i]);
	snprintf(launches, sizeof(launches), "%u", setting->launches);
	oclmm_text_finish(note);
	own.module = search->producer ? module : NULL;
	if (put_pieces(search, &own, setting, note) < 0) {
		if (!note->length)
			oclmm_text_add(note, "cannot write a temporary file");
	} else if (run_tool(compile.argument, search->deadline, &said) != 0) {
		fail(&trial, SEARCH_NOT_BUILT, said, "the compiler does not end", note);
	} else {
		free(said);
		if (getenv("OCLMM_PLANT"))
			setenv("OCLMM_PLANT_TEXTS", texts, 1);
		status = run_tool(run, search->deadline, &said);
		if (status == -ETIME)
			fail(&trial, SEARCH_NOT_SEEN, NULL, "the time was over", note);
		else
			read_result(said, status, &trial, note);
	}
	if (process_interrupted)
		trial.end = SEARCH_INTERRUPTED;
	tool_words_finish(&compile);
	free(said);
	free(source);
	free(binary);
	free(texts);
	free(module);
	return trial;
}

/* ---- less and less -------------------------------------------------------------------------- */

/* What may be made less of a setting. Each returns false where nothing is left to take away. */
typedef bool step(struct export_setting *setting, uint32_t least_stride);

static bool gather(struct export_setting *s, uint32_t least_stride)
{
	bool can = s->scatters;

	(void)least_stride;
	s->scatters = false;
	return can;
}

static bool calm(struct export_setting *s, uint32_t least_stride)
{
	bool can = s->environments[0].busy > 0;

	(void)least_stride;
	s->environments[0].busy = s->environments[0].stress = 0;
	return can;
}

static bool go_alone(struct export_setting *s, uint32_t least_stride)
{
	bool can = s->environments[0].polls > 0;

	(void)least_stride;
	s->environments[0].polls = 0;
	return can;
}

static bool set_least(uint32_t *value, uint32_t least)
{
	bool can = *value > least;

	*value = least;
	return can;
}

static bool halve(uint32_t *value, uint32_t least)
{
	if (*value <= least)
		return false;
	*value = *value / 2 < least ? least : *value / 2;
	return true;
}

static bool close_up(struct export_setting *s, uint32_t least_stride)
{
	return set_least(&s->environments[0].stride, least_stride);
}

static bool one_pair(struct export_setting *s, uint32_t least_stride)
{
	(void)least_stride;
	return set_least(&s->environments[0].pairs, 1);
}

static bool one_lane(struct export_setting *s, uint32_t least_stride)
{
	(void)least_stride;
	return set_least(&s->environments[0].lanes, 1);
}

static bool one_round(struct export_setting *s, uint32_t least_stride)
{
	(void)least_stride;
	return set_least(&s->environments[0].rounds, 1);
}

static bool fewer_pairs(struct export_setting *s, uint32_t least_stride)
{
	(void)least_stride;
	return halve(&s->environments[0].pairs, 1);
}

static bool fewer_lanes(struct export_setting *s, uint32_t least_stride)
{
	(void)least_stride;
	return halve(&s->environments[0].lanes, 1);
}

static bool fewer_rounds(struct export_setting *s, uint32_t least_stride)
{
	(void)least_stride;
	uint32_t *rounds = &s->environments[0].rounds;
	bool less = halve(rounds, 1);

	/* a quarter at once: there may be thousands */
	halve(rounds, 1);
	return less;
}

static bool fewer_polls(struct export_setting *s, uint32_t least_stride)
{
	(void)least_stride;
	return s->environments[0].polls > 1 << 16 && halve(&s->environments[0].polls, 1 << 16);
}

static bool lag_less(struct export_setting *s, uint32_t least_stride)
{
	bool can = s->lags;

	(void)least_stride;
	s->lags = false;
	return can;
}

static step *const steps[] = {gather,      calm,         go_alone,    close_up,
                              one_pair,    one_lane,     one_round,   fewer_pairs,
                              fewer_lanes, fewer_rounds, fewer_polls, lag_less};

/* A step is taken where the outcome comes back twice in a row, more than once each time unless it
 * was seen once only at first. */
enum {
	TRIES = 2,
	SEEN_IN_STEP = 3,
	LAUNCHES = 20,
	SEEN_AT_LEAST = 500,
	LAUNCHES_LEAST = 1000,
	LAUNCHES_MOST = 2000
};

static bool comes_back(const struct search *search, const struct export_job *job,
                       const struct export_setting *setting, unsigned long long at_least,
                       struct trial *ret_trial, struct oclmm_text *note)
{
	for (int i = 0; i < TRIES; i++) {
		*ret_trial = try_setting(search, job, setting, note);
		if (ret_trial->end != SEARCH_FOUND || ret_trial->seen < at_least)
			return false;
	}
	return true;
}

static bool is_late(const struct search *search)
{
	return process_interrupted || oclmm_clock() > search->deadline;
}

static void reduce(const struct search *search, const struct export_job *job, uint32_t least_stride,
                   struct export_setting *best, struct trial *best_trial,
                   struct oclmm_text *best_note)
{
	unsigned long long at_least = best_trial->seen < SEEN_IN_STEP ? best_trial->seen
	                                                              : SEEN_IN_STEP;
	bool progress = true;

	while (progress && !is_late(search)) {
		progress = false;
		for (size_t i = 0; i < OCLMM_COUNT(steps) && !is_late(search); i++) {
			struct export_setting less = *best;
			struct oclmm_text note = {0};
			struct trial trial;

			if (!steps[i](&less, least_stride))
				continue;
			if (comes_back(search, job, &less, at_least, &trial, &note)) {
				*best = less;
				*best_trial = trial;
				oclmm_text_finish(best_note);
				*best_note = note;
				progress = true;
			} else {
				oclmm_text_finish(&note);
			}
		}
	}
}

/* So many that the outcome is to be expected more than once. */
static uint32_t enough_launches(const struct trial *trial, uint32_t launches)
{
	unsigned long long wanted = trial->seen ? (SEEN_AT_LEAST * (unsigned long long)launches +
	                                           trial->seen - 1) /
	                                                  trial->seen
	                                        : LAUNCHES_MOST;

	return wanted < LAUNCHES_LEAST  ? LAUNCHES_LEAST
	       : wanted > LAUNCHES_MOST ? LAUNCHES_MOST
	                                : (uint32_t)wanted;
}

static enum search_end find_first(const struct search *search, const struct export_job *job,
                                  const struct export_setting *from,
                                  struct export_setting *ret_best, struct trial *ret_trial,
                                  struct oclmm_text *note)
{
	enum search_end end = SEARCH_NOT_SEEN;

	for (uint32_t launches = LAUNCHES; launches <= LAUNCHES_MOST; launches *= 10) {
		for (uint32_t i = 0; i < from->count && !is_late(search); i++) {
			struct export_setting one = *from;

			one.environments[0] = from->environments[i];
			one.count = 1;
			one.launches = launches;
			*ret_trial = try_setting(search, job, &one, note);
			end = ret_trial->end;
			*ret_best = one;
			if (end != SEARCH_NOT_SEEN)
				return end;
		}
	}
	return end;
}

/*
 * Replaces `setting` by the smallest one that was found; it stays where none was. `note` gets one
 * line: the device, its driver and how often the outcome was seen, or what went wrong.
 */
static enum search_end search_least(struct search *search, const struct export_job *job,
                                    struct export_setting *setting, struct oclmm_text *note)
{
	uint32_t least_stride = setting->environments[0].stride;
	struct export_setting best;
	struct trial trial;
	enum search_end end;

	for (uint32_t i = 1; i < setting->count; i++)
		if (setting->environments[i].stride < least_stride)
			least_stride = setting->environments[i].stride;
	end = find_first(search, job, setting, &best, &trial, note);
	if (end != SEARCH_FOUND)
		return end;
	reduce(search, job, least_stride, &best, &trial, note);
	if (process_interrupted)
		return SEARCH_INTERRUPTED;
	best.launches = enough_launches(&trial, best.launches);
	oclmm_text_printf(note, ": %llu of %llu instances", trial.seen, trial.all);
	*setting = best;
	return SEARCH_FOUND;
}

/* ---- its folder ----------------------------------------------------------------------------- */

/* CC may be a path that has blanks, or words as make and a shell take them: 'ccache gcc'. */
static void choose_compiler(struct tool_words *words)
{
	const char *wish = getenv("CC");

	if (wish && access(wish, F_OK) == 0)
		tool_word(words, wish);
	else if (wish)
		tool_quoted_words(words, wish);
	if (words->count == 0)
		tool_word(words, "cc");
}

/* Makes a folder. Returns 0 or a negative errno value. */
static int search_begin(struct search *search, double seconds)
{
	*search = (struct search){.deadline = oclmm_clock() + seconds};
	choose_compiler(&search->compiler);
	search->folder = tool_temporary("export");
	if (mkdtemp(search->folder))
		return 0;
	tool_words_finish(&search->compiler);
	free(search->folder);
	search->folder = NULL;
	return -errno;
}

static void search_finish(struct search *search)
{
	static const char *const names[] = {"test", "test.c", "test.spv", "texts"};

	for (size_t i = 0; search->folder && i < OCLMM_COUNT(names); i++) {
		char *path = path_of(search, names[i]);

		unlink(path);
		free(path);
	}
	if (search->folder)
		rmdir(search->folder);
	tool_words_finish(&search->compiler);
	free(search->folder);
	search->folder = NULL;
}

struct exporting {
	const char *device, *output, *outcome, *producer_name;
	double seconds;
	bool no_search, il;
	struct producer *producer;
	struct kernel_options kernel;
};

static const struct option_spec options[] = {
	KERNEL_OPTIONS(struct exporting),
	{"device", 'd', "NAME",
         "look for it on a device with NAME in its name (default: the first)",
         SETS_TEXT(struct exporting, device)},
	{"il", 0, NULL, "give the device SPIR-V, from a file NAME.spv beside the C file",
         SETS_FLAG(struct exporting, il)},
	{"no-search", 0, NULL, "run nothing: the file has the stress that suits most devices",
         SETS_FLAG(struct exporting, no_search)},
	{"outcome", 0, "OUTCOME", "ask for this outcome instead of the final condition",
         SETS_TEXT(struct exporting, outcome)},
	{"output", 'o', "FILE", "write there, in a folder as NAME.c; - is standard output (NAME.c)",
         SETS_TEXT(struct exporting, output)},
	{"producer", 0, "NAME", "the one of --il, such as llvm-spirv-14 (default: the first found)",
         SETS_TEXT(struct exporting, producer_name)},
	{"seconds", 0, "SECONDS", "search no longer than that (60)",
         SETS_SECONDS(struct exporting, seconds)},
	{0},
};

/* ---- names ---------------------------------------------------------------------------------- */

static bool is_folder(const char *path)
{
	struct stat info;

	return path && stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* Without the suffix; malloc-ed. */
static char *stem_of(const struct exporting *x, const char *name)
{
	struct oclmm_text text = {0};
	size_t length;

	if (!x->output || strcmp(x->output, "-") == 0) {
		oclmm_text_add(&text, name);
		return oclmm_text_steal(&text);
	}
	if (is_folder(x->output)) {
		oclmm_text_printf(&text, "%s/%s", x->output, name);
		return oclmm_text_steal(&text);
	}
	length = strlen(x->output);
	if (length > 2 && strcmp(x->output + length - 2, ".c") == 0)
		length -= 2;
	oclmm_text_add_bytes(&text, x->output, length);
	return oclmm_text_steal(&text);
}

static const char *last_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* ---- one test ------------------------------------------------------------------------------- */

/* What the search came to, on standard error; `*ret_seen` gets a sentence for the file. */
static void tell_end(const struct export_job *job, enum search_end end,
                     const struct oclmm_text *note, struct oclmm_text *ret_seen)
{
	const char *name = oclmm_shown(job->program->name).text;
	struct oclmm_shown said = oclmm_shown(oclmm_text_string(note));

	switch (end) {
	case SEARCH_FOUND:
		oclmm_text_printf(ret_seen, "With this stress it was seen on %s.", said.text);
		fprintf(stderr, "%s: seen on %s\n", name, said.text);
		break;
	case SEARCH_NOT_SEEN:
		fprintf(stderr, "%s: not seen (%s); the stress is not reduced\n", name, said.text);
		break;
	case SEARCH_NOT_BUILT:
		fprintf(stderr, "%s: not searched, for it was not built here: %s\n", name,
		        said.text);
		break;
	case SEARCH_NOT_RUN:
		fprintf(stderr, "%s: not searched, for it did not run here: %s\n", name, said.text);
		break;
	case SEARCH_INTERRUPTED:
		fprintf(stderr, "%s: interrupted; no file is written\n", name);
		break;
	}
}

/* Returns 0, or the status to leave with. */
static int search(const struct exporting *x, struct export_job *job, struct export_setting *setting,
                  struct oclmm_text *ret_seen)
{
	struct search own;
	struct oclmm_text note = {0};
	int r = search_begin(&own, x->seconds);

	own.producer = x->il ? x->producer : NULL;
	if (r < 0)
		fprintf(stderr, "oclmm export: not searched: no temporary folder: %s\n",
		        strerror(-r));
	else
		tell_end(job, search_least(&own, job, setting, &note), &note, ret_seen);
	search_finish(&own);
	oclmm_text_finish(&note);
	return process_interrupted ? OCLMM_EXIT_INFRASTRUCTURE : 0;
}

/* What the layer that plants bugs has to be given, and how. */
static int write_planted(const char *stem, const struct oclmm_text *planted)
{
	struct oclmm_text path = {0}, quoted = {0};
	int status;

	if (!planted->length)
		return 0;
	oclmm_text_printf(&path, "%s.planted", stem);
	status = command_write(&command_export, oclmm_text_string(&path), planted);
	oclmm_text_add_quoted(&quoted, oclmm_text_string(&path));
	if (status == 0)
		fprintf(stderr,
		        "under the plant: OCLMM_PLANT_TEXTS=%s beside OPENCL_LAYERS and "
		        "OCLMM_PLANT\n",
		        oclmm_text_string(&quoted));
	oclmm_text_finish(&path);
	oclmm_text_finish(&quoted);
	return status;
}

static int write_module(const struct exporting *x, const char *stem,
                        const struct oclmm_text *kernels)
{
	struct oclmm_text path = {0}, module;
	struct oclmm_error error = {0};
	int status;

	if (producer_translate(x->producer, (struct producer_version){1, 2}, "-cl-std=CL3.0",
	                       oclmm_text_string(kernels), &error, &module) < 0) {
		report_error(&error);
		return OCLMM_EXIT_INFRASTRUCTURE;
	}
	oclmm_text_printf(&path, "%s.spv", stem);
	status = command_write(&command_export, oclmm_text_string(&path), &module);
	oclmm_text_finish(&path);
	oclmm_text_finish(&module);
	return status;
}

static int write_all(const struct exporting *x, const struct export_job *job,
                     const struct export_setting *setting, const char *stem)
{
	bool printed = x->output && strcmp(x->output, "-") == 0;
	struct oclmm_text file, kernels, planted, path = {0};
	struct oclmm_error error = {0};
	int status;

	if (export_write(job, setting, &error, &file, &kernels, &planted) < 0)
		return report_error(&error);
	oclmm_text_printf(&path, "%s.c", stem);
	status = command_write(&command_export, printed ? NULL : oclmm_text_string(&path), &file);
	if (status == 0 && x->il)
		status = write_module(x, stem, &kernels);
	if (status == 0)
		status = write_planted(stem, &planted);
	if (status == 0 && !printed)
		printf("%s\n", oclmm_shown(oclmm_text_string(&path)).text);
	oclmm_text_finish(&path);
	oclmm_text_finish(&file);
	oclmm_text_finish(&kernels);
	oclmm_text_finish(&planted);
	return status;
}

static int export_asked(const struct exporting *x, const struct oclmm_program *program,
                        const char *question)
{
	const struct oclmm_check_options check = {.time_limit = 60, .ended = process_ended};
	const struct oclmm_explain_options explain = {.no_changes = true,
	                                              .time_limit = 10,
	                                              .ended = process_ended};
	struct oclmm_explanation *explanation = NULL;
	struct oclmm_answer *answer;
	struct oclmm_error error = {0};
	struct oclmm_text seen = {0}, module = {0};
	struct export_setting setting;
	struct export_job job;
	char *stem;
	int r, status = 0;

	if (oclmm_check(program, &check, &error, &answer) < 0)
		return report_error(&error);
	r = oclmm_explain(program, &explain, &error, &explanation);
	if (r == -EINTR) {
		oclmm_answer_destroy(answer);
		return report_error(&error);
	}
	if (r < 0)
		explanation = NULL;
	stem = stem_of(x, program->name);
	oclmm_text_printf(&module, "%s.spv", last_name(stem));
	job = (struct export_job){.program = program,
	                          .answer = answer,
	                          .explanation = explanation,
	                          .device = x->device,
	                          .name = last_name(stem),
	                          .module = x->il ? oclmm_text_string(&module) : NULL,
	                          .question = question};
	export_setting_default(program, NULL, 0, &setting);
	if (!x->no_search)
		status = search(x, &job, &setting, &seen);
	job.seen = seen.length ? oclmm_text_string(&seen) : NULL;
	if (status == 0)
		status = write_all(x, &job, &setting, stem);
	free(stem);
	oclmm_text_finish(&seen);
	oclmm_text_finish(&module);
	oclmm_explanation_destroy(explanation);
	oclmm_answer_destroy(answer);
	return status;
}

static int export_variant(const struct exporting *x, const struct chosen *chosen)
{
	const struct oclmm_program *program = chosen->variant->program;
	struct oclmm_arena *arena = oclmm_arena_create();
	struct oclmm_error error = {0};
	int status = 0;

	if (x->outcome && oclmm_explain_ask(arena, program, x->outcome, &error, &program) < 0)
		status = report_error(&error);
	if (status == 0)
		status = export_asked(x, program, chosen->litmus->question);
	oclmm_arena_destroy(arena);
	return status;
}

/* ---- the command ---------------------------------------------------------------------------- */

/* How the first of several tests is named alone: a file's variant behind a colon. */
static void print_first(struct oclmm_text *text, const struct selection *selection,
                        const char *argument)
{
	size_t length = strlen(argument);

	if (length > 7 && strcmp(argument + length - 7, ".litmus") == 0)
		oclmm_text_printf(text, "%s:", argument);
	oclmm_text_add(text, selection->chosen[0].variant->name);
}

static int export_all(const struct exporting *x, const struct selection *selection,
                      const char *argument)
{
	struct oclmm_text first = {0};
	int worst = 0, status;

	if (selection->count == 0)
		return OCLMM_EXIT_NOTHING;
	if (selection->count > 1 && !is_folder(x->output)) {
		print_first(&first, selection, argument);
		status = options_error(&command_export,
		                       "%zu tests match; name one, such as %s, or a folder with "
		                       "--output",
		                       selection->count,
		                       oclmm_shown(oclmm_text_string(&first)).text);
		oclmm_text_finish(&first);
		return status;
	}
	for (size_t i = 0; i < selection->count && !process_interrupted; i++) {
		status = export_variant(x, &selection->chosen[i]);
		worst = status > worst ? status : worst;
	}
	return process_interrupted ? OCLMM_EXIT_INFRASTRUCTURE : worst;
}

/* Of somebody's own kernel: without a search, for it is launched as it stands. */
static int export_file(const struct exporting *x, const char *path)
{
	static const double ORACLE_SECONDS = 60;
	struct oclmm_kernel_answer *answer = NULL;
	struct kernel_file file = {0};
	struct oclmm_text text = {0}, name = {0};
	struct oclmm_error error = {0};
	const char *last = last_name(path);
	char *stem;
	int status = kernel_file_read(&file, path, &x->kernel);

	oclmm_text_add_bytes(&name, last, strlen(last) - strlen(".cl"));
	stem = stem_of(x, oclmm_text_string(&name));
	if (status == 0)
		status = kernel_file_check(&file, ORACLE_SECONDS, &answer);
	if (status == 0 && export_kernel(&file, answer, last_name(stem), &error, &text) < 0)
		status = report_error(&error);
	name.length = 0;
	oclmm_text_printf(&name, "%s.c", stem);
	if (status == 0) {
		bool printed = x->output && strcmp(x->output, "-") == 0;

		status = command_write(&command_export, printed ? NULL : oclmm_text_string(&name),
		                       &text);
		if (status == 0 && !printed)
			printf("%s\n", oclmm_shown(oclmm_text_string(&name)).text);
	}
	free(stem);
	oclmm_text_finish(&text);
	oclmm_text_finish(&name);
	oclmm_kernel_answer_destroy(answer);
	kernel_file_finish(&file);
	return status;
}

static int run(const struct command *command, int argc, char **argv)
{
	struct exporting x = {.seconds = 60};
	struct selection selection;
	struct oclmm_error error = {0};
	int first, refused = 0, status = options_parse(command, argc, argv, &x, &first);

	if (status)
		return status;
	if (first == argc)
		return options_error(command, "name a test, or a file");
	if (x.producer_name && !x.il)
		return options_error(command, "--producer is for --il");
	if (x.kernel.given && !kernel_is_file(argv[first]))
		return options_error(command, "options of a launch are for a kernel's .cl file");
	if (kernel_is_file(argv[first])) {
		if (first + 1 < argc)
			return options_error(command, "one kernel's file at a time");
		if (x.il || x.outcome || x.device)
			return options_error(command, "of a kernel's file, only --output and the "
			                              "options of its launch are taken");
		return export_file(&x, argv[first]);
	}
	if (x.il && producer_find(x.producer_name, &error, &x.producer) < 0) {
		report_error(&error);
		return OCLMM_EXIT_INFRASTRUCTURE;
	}
	status = selection_make_readable(&selection, argv + first, argc - first, &refused);
	process_catch_interrupts();
	if (status == 0 && (!refused || selection.count))
		status = export_all(&x, &selection, argv[first]);
	if (refused && status != OCLMM_EXIT_INFRASTRUCTURE)
		status = refused;
	selection_finish(&selection);
	producer_destroy(x.producer);
	return status;
}

const struct command command_export = {
	.name = "export",
	.arguments = "FILE[:VARIANT]|NAME|KERNEL.cl",
	.summary = "write a test as one C file that needs no oclmm",
	.description =
		"The file needs the OpenCL headers and a loader. It says what is looked for and\n"
		"which rule is broken, prints a histogram, and ends with 1 where the outcome was\n"
		"seen. It is compiled (CC, or cc) and run here with less and less stress, as long\n"
		"as the outcome comes back. A kernel of your own is launched as it stands.\n\n"
		"Exit status: 0 written, whether the outcome was seen or not; 2 usage, or a test\n"
		"that does not stand alone; 77 no tests; 99 a file cannot be written, or\n"
		"interrupted.",
	.options = options,
	.repeatable = "arg ask",
	.run = run,
};
