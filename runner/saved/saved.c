// SPDX-License-Identifier: Apache-2.0
#include "saved.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/cli.h"
#include "kernels/kernels.h"
#include "oclmm/cat.h"
#include "oclmm/codegen.h"
#include "oclmm/expect.h"
#include "oclmm/grade.h"
#include "oclmm/model.h"
#include "select/drawn.h"
#include "select/select.h"

/* ---- results files ---- */

static int read_one(const char *path, bool partial, bool texts, struct oclmm_results **ret_results)
{
	struct oclmm_error error = {0};

	if (!names_kernel(path, "file of results", &error) &&
	    oclmm_results_read(path, partial, texts, &error, ret_results) == 0)
		return 0;
	return report_error(&error);
}

/* What a run line says of the device is true of its records: by it they are judged. */
static bool is_of_run(const struct oclmm_record *record, const struct oclmm_run_header *header)
{
	return oclmm_identity_compare(&record->identity, &header->identity) == 0 &&
	       (header->devices > 1 ||
	        oclmm_same_string(record->identity.device_id, header->identity.device_id));
}

/* NULL: there is none. */
static const struct oclmm_run_header *run_of(const struct oclmm_results *results,
                                             const struct oclmm_record *record)
{
	for (size_t i = 0; i < results->run_count; i++)
		if (is_of_run(record, &results->runs[i].header))
			return &results->runs[i].header;
	return NULL;
}

static int check_runs(const char *path, const struct oclmm_results *results)
{
	struct oclmm_error error = {0};

	for (size_t i = 0; i < results->saved_count; i++) {
		const struct oclmm_record *record = &results->saved[i].record;

		if (run_of(results, record))
			continue;
		oclmm_error_set(&error, -EINVAL,
		                "%s: %s ran on a device or driver that no run of the file names",
		                oclmm_shown(path).text, oclmm_shown(record->program->name).text);
		return report_error(&error);
	}
	return 0;
}

/* A hole may be accepted, a contradiction not. */
static int refuse(const struct oclmm_error *error, int r)
{
	report_error(error);
	if (r == -ENOENT)
		fputs("      --partial takes what there is\n", stderr);
	return OCLMM_EXIT_USAGE;
}

/* All refused files are named, not only the first. */
static int read_all(const struct command *command, char **paths, int count, bool partial,
                    bool texts, struct oclmm_results **results)
{
	int status = 0;

	if (count == 0)
		return options_error(command,
		                     "name results files, as oclmm run --output writes them");
	for (int i = 0; i < count; i++) {
		int one = read_one(paths[i], partial, texts, &results[i]);

		if (results[i])
			one = one ? one : check_runs(paths[i], results[i]);
		status = status ? status : one;
	}
	return status;
}

/* Whether all of them can be read twice. */
static bool are_files(char **paths, int count)
{
	struct stat about;

	for (int i = 0; i < count; i++)
		if (stat(paths[i], &about) < 0 || !S_ISREG(about.st_mode))
			return false;
	return true;
}

static void destroy_all(struct oclmm_results **results, int count)
{
	for (int i = 0; i < count; i++) {
		oclmm_results_destroy(results[i]);
		results[i] = NULL;
	}
}

/* Texts of records are a third of the work, and seldom needed to join them. */
static int join_files(const struct command *command, char **paths, int count, bool partial,
                      struct oclmm_results **results, struct oclmm_results **ret_results)
{
	struct oclmm_error error = {0};
	bool texts = !are_files(paths, count);
	int r = -EAGAIN, status = 0;

	for (; status == 0 && r == -EAGAIN; texts = true) {
		destroy_all(results, count);
		status = read_all(command, paths, count, partial, texts, results);
		if (status == 0)
			r = oclmm_results_join(results, (size_t)count, partial, &error,
			                       ret_results);
	}
	return status == 0 && r < 0 ? refuse(&error, r) : status;
}

static int merge_files(const struct command *command, char **paths, int count, bool partial,
                       struct oclmm_results **results, struct oclmm_text *text)
{
	struct oclmm_error error = {0};
	int r = 0, status = read_all(command, paths, count, partial, true, results);

	if (status == 0)
		r = oclmm_results_merge((const struct oclmm_results *const *)results, (size_t)count,
		                        partial, &error, text);
	return r < 0 ? refuse(&error, r) : status;
}

int saved_join(const struct command *command, char **paths, int count, bool partial,
               struct oclmm_text *text, struct oclmm_results **ret_results)
{
	struct oclmm_results **results = oclmm_calloc((size_t)count + 1, sizeof(*results));
	int status = text ? merge_files(command, paths, count, partial, results, text)
	                  : join_files(command, paths, count, partial, results, ret_results);

	if (text || status)
		destroy_all(results, count);
	free(results);
	return status;
}

/* ---- expectations ---- */

int saved_expectations(const char *path, struct oclmm_expectations **ret_expectations)
{
	struct oclmm_error error = {0};

	if (!path || oclmm_expectations_read(path, &error, ret_expectations) == 0)
		return 0;
	return report_error(&error);
}

static bool is_named(const void *data, const char *pattern)
{
	const struct selection *selection = data;
	struct drawn drawn;
	uint64_t last;

	/* no file has a drawn kernel; its name is all there is of it, and names it alone */
	if (drawn_is_named(pattern, &drawn, &last) && drawn.number == last)
		return true;
	for (size_t file = 0; file < selection->files.count; file++) {
		const struct oclmm_litmus *litmus = selection->litmus[file];

		for (uint32_t i = 0; i < litmus->variant_count; i++) {
			if (oclmm_pattern_matches(pattern, litmus->variants[i].name))
				return true;
		}
	}
	return false;
}

static bool is_named_anywhere(const void *data, const char *pattern)
{
	const struct selection *const *selections = data;

	return is_named(selections[0], pattern) || is_named(selections[1], pattern);
}

int saved_expectations_check(const struct oclmm_expectations *expectations,
                             const struct selection *selection)
{
	const struct selection *selections[2] = {selection};
	struct oclmm_error error = {0};
	struct selection suite = {0};
	char *folder;
	int status = 0;

	if (!expectations ||
	    oclmm_expectations_check(expectations, is_named, selection, &error) == 0)
		return 0;
	/* a list is for the whole suite, whatever part of it is asked for now */
	folder = suite_folder(&error);
	if (folder)
		status = selection_make(&suite, NULL, 0);
	free(folder);
	selections[1] = &suite;
	error = (struct oclmm_error){0};
	if (status == 0 &&
	    oclmm_expectations_check(expectations, is_named_anywhere, selections, &error) < 0)
		status = report_error(&error);
	selection_finish(&suite);
	return status;
}

/* ---- judging again ---- */

enum oclmm_model regrade_model_for(const struct regrade_model *model, const char *device_version)
{
	return model->given ? model->model : oclmm_model_of_device(device_version);
}

const char *regrade_model_name(const struct regrade_model *model, const char *device_version)
{
	return model->cat ? oclmm_cat_name(model->cat)
	                  : oclmm_model_name(regrade_model_for(model, device_version));
}

/* ---- options ---- */

int regrade_annotations(const char *option, const char *value, void *ret_annotations)
{
	return option_either(option, value, NULL, "github", ret_annotations);
}

int regrade_claims(const char *option, const char *value, void *ret_accepted)
{
	return option_either(option, value, "claimed", "accepted", ret_accepted);
}

int regrade_unproven(const char *option, const char *value, void *ret_property)
{
	return option_either(option, value, "skipped", "property", ret_property);
}

int regrade_require(const char *option, const char *value, void *ret_kinds)
{
	return oclmm_requirement_find(value, strlen(value), ret_kinds)
	               ? 0
	               : option_refuse(option, value,
	                               "\"any\", \"compiler\", \"hardware\" or \"both\"");
}

int regrade_set_model(const char *option, const char *value, void *ret_model)
{
	struct regrade_model *model = ret_model;

	model->given = true;
	return option_model(option, value, &model->model);
}

int regrade_set_cat(const char *option, const char *path, void *ret_model)
{
	struct regrade_model *model = ret_model;

	model->path = path;
	return option_cat(option, path, &model->cat);
}

int regrade_litmus(const char *option, const char *value, void *target)
{
	struct regrade_options *options = target;

	if (options->litmus_count == REGRADE_LITMUS)
		return option_refuse(option, value, "one of the first 64; name a folder");
	options->litmus[options->litmus_count++] = (char *)(uintptr_t)value;
	return 0;
}

/* ---- finding the test ---- */

static int compare_chosen(const void *a, const void *b)
{
	const struct chosen *x = a, *y = b;

	return strcmp(x->variant->name, y->variant->name);
}

static int compare_name(const void *name, const void *chosen)
{
	return strcmp(name, ((const struct chosen *)chosen)->variant->name);
}

const struct chosen *regrade_find(const struct regrade *regrade, const char *name)
{
	if (!regrade->selection.count)
		return NULL;
	return bsearch(name, regrade->selection.chosen, regrade->selection.count,
	               sizeof(struct chosen), compare_name);
}

/* ---- finding its expected set ---- */

static const struct oclmm_expected_file *read_expected(struct regrade *regrade,
                                                       const struct chosen *chosen)
{
	size_t index = (size_t)(chosen->file - regrade->selection.files.files);
	struct oclmm_error error = {0};

	if (!regrade->expected_read[index]) {
		regrade->expected_read[index] = true;
		if (oclmm_expected_read(chosen->file->expected, &error,
		                        &regrade->expected[index]) == -EINVAL)
			report_error(&error);
	}
	return regrade->expected[index];
}

/* NULL, with a message, where the oracle does not answer. */
static const struct oclmm_expected *ask(struct regrade *regrade, const struct command *command,
                                        const struct oclmm_program *program, enum oclmm_model model)
{
	const struct oclmm_check_options limits = {.time_limit = 60, .cat = regrade->model.cat};
	struct oclmm_expected_file *file;
	struct oclmm_error error = {0};

	if (oclmm_expected_ask(program, model, &limits, &error, &file) < 0) {
		options_error(command, "%s: the oracle does not answer: %s", program->name,
		              error.message);
		return NULL;
	}
	oclmm_grow(&regrade->computed, &regrade->computed_capacity, regrade->computed_count,
	           sizeof(*regrade->computed));
	regrade->computed[regrade->computed_count++] = file;
	return oclmm_expected_at(file, 0);
}

/* What the device was held to; the oracle is asked where no file says it and it is needed. */
static const struct oclmm_expected *find_expected(struct regrade *regrade,
                                                  const struct command *command,
                                                  const struct chosen *chosen,
                                                  enum oclmm_model model, bool needed)
{
	const struct oclmm_program *program = chosen->variant->program;

	if (regrade->last.chosen != chosen || regrade->last.model != model) {
		regrade->last.chosen = chosen;
		regrade->last.model = model;
		regrade->last.asked = false;
		/* files hold what our model says */
		regrade->last.expected =
			regrade->model.cat ? NULL
					   : oclmm_expected_held(regrade->results->arena,
		                                                 read_expected(regrade, chosen),
		                                                 program, model);
	}
	if (!regrade->last.expected && needed && !regrade->last.asked) {
		regrade->last.asked = true;
		regrade->last.expected = ask(regrade, command, program, model);
	}
	return regrade->last.expected;
}

/* ---- joining ---- */

/* A result that cannot be judged is not silently left out. */
static void lose(struct oclmm_record *record, enum oclmm_end end, const char *why)
{
	record->end = end;
	record->message = why;
	record->expected = NULL;
	record->grade = (struct oclmm_grade){0};
}

/* A control that was changed proves nothing about the one that stands there now. Those that were
 * made of the test have names of their own. */
static bool has_these_controls(const struct regrade *regrade, const struct oclmm_evidence *evidence)
{
	for (size_t i = 0; i < evidence->control_count; i++) {
		const struct oclmm_evidence_control *control = &evidence->controls[i];
		const struct chosen *chosen = regrade_find(regrade, control->name);

		if (chosen && chosen->variant->program->hash != control->hash)
			return false;
	}
	return true;
}

/* ---- whole kernels ---- */

struct regrade_kernel {
	const char *name;
	struct kernel_file file;
	struct oclmm_kernel_answer *answer;
	struct kernel_test test; /* empty where no answer could be had */
};

/* Of the oracle, in processor time. */
static const double KERNEL_SECONDS = 60;

static const struct regrade_kernel *find_kernel(struct regrade *regrade, const char *name)
{
	struct regrade_kernel *k;

	for (size_t i = 0; i < regrade->kernel_count; i++)
		if (strcmp(regrade->kernels[i]->name, name) == 0)
			return regrade->kernels[i];
	oclmm_grow(&regrade->kernels, &regrade->kernel_capacity, regrade->kernel_count,
	           sizeof(*regrade->kernels));
	/* its answer points to its file, so that it must not move */
	k = oclmm_calloc(1, sizeof(*k));
	k->name = name;
	regrade->kernels[regrade->kernel_count++] = k;
	if (kernel_file_read_named(&k->file, name) == 0 &&
	    kernel_file_check(&k->file, KERNEL_SECONDS, &k->answer) == 0)
		k->test = kernel_test_of(&k->file, k->answer);
	return k;
}

/* The condition tells apart what was seen, too. */
static void ask_what_was_seen(const struct regrade_kernel *k, struct oclmm_histogram *histogram)
{
	size_t count = oclmm_histogram_rows(histogram);
	const int64_t **ends = oclmm_calloc(count + 1, sizeof(*ends));

	for (size_t i = 0; i < count; i++)
		ends[i] = oclmm_histogram_row(histogram, i).values;
	k->test.program->condition = oclmm_kernel_condition(k->answer, k->test.program, ends,
	                                                    count);
	free(ends);
}

static void join_kernel(struct regrade *regrade, struct oclmm_saved *saved)
{
	struct oclmm_record *record = &saved->record;
	const struct regrade_kernel *k = find_kernel(regrade, record->program->name);
	struct oclmm_histogram *histogram = NULL;

	if (!k->test.program) {
		lose(record, OCLMM_END_OTHER_TEST, "the kernel cannot be asked about now");
		return;
	}
	if (oclmm_saved_bind(saved, k->test.program, &histogram) < 0) {
		lose(record, OCLMM_END_OTHER_TEST, "the kernel was changed since it ran");
		return;
	}
	if (histogram)
		ask_what_was_seen(k, histogram);
	record->expected = k->test.expected;
}

static void finish_kernels(struct regrade *regrade)
{
	for (size_t i = 0; i < regrade->kernel_count; i++) {
		oclmm_kernel_answer_destroy(regrade->kernels[i]->answer);
		kernel_file_finish(&regrade->kernels[i]->file);
		free(regrade->kernels[i]);
	}
	free(regrade->kernels);
}

/* ---- joining ---- */

static void join(struct regrade *regrade, const struct command *command, struct oclmm_saved *saved)
{
	const struct chosen *chosen = regrade_find(regrade, saved->record.program->name);
	enum oclmm_model model = regrade_model_for(&regrade->model, saved->record.identity.version);
	struct oclmm_histogram *histogram;

	if (saved->record.whole_kernel) {
		join_kernel(regrade, saved);
		return;
	}
	if (!chosen) {
		lose(&saved->record, OCLMM_END_OTHER_TEST, "there is no test of this name now");
		return;
	}
	if (oclmm_saved_bind(saved, chosen->variant->program, &histogram) < 0) {
		lose(&saved->record, OCLMM_END_OTHER_TEST, "the test was changed since it ran");
		return;
	}
	saved->record.control = chosen->variant->control;
	saved->record.path = chosen->file->apart ? chosen->file->path : NULL;
	if (saved->record.evidence && !has_these_controls(regrade, saved->record.evidence))
		saved->record.evidence = NULL;
	saved->record.model = regrade_model_name(&regrade->model, saved->record.identity.version);
	saved->record.expected = find_expected(regrade, command, chosen, model, histogram != NULL);
	if (!saved->record.expected && histogram)
		lose(&saved->record, OCLMM_END_ORACLE, "the oracle does not answer");
}

/* ---- what the device claimed ---- */

/* Whether a list of words divided by commas, at the key of the run line's claims, has one. */
static bool has_word(const char *claims, const char *key, const char *word)
{
	size_t length = strlen(key), size = strlen(word);
	const char *at = claims;

	while (strncmp(at, key, length) != 0) {
		at += strcspn(at, " ");
		if (!*at++)
			return false;
	}
	for (at += length; *at && *at != ' '; at += *at == ',') {
		size_t word_length = strcspn(at, ", ");

		if (word_length == size && memcmp(at, word, size) == 0)
			return true;
		at += word_length;
	}
	return false;
}

/* Whether the orders and scopes that a program needs are claimed, and the generic address space. */
static bool is_claimed(const char *claims, const struct oclmm_program *program)
{
	struct oclmm_features need;
	bool claimed = true;

	oclmm_program_features(program, &need);
	for (int o = OCLMM_ORDER_RELAXED; o < OCLMM_ORDER_COUNT; o++) {
		const char *word = oclmm_order_short((enum oclmm_order)o);

		claimed &= !(need.orders >> o & 1) || has_word(claims, "orders=", word);
		claimed &= !(need.fence_orders >> o & 1) || has_word(claims, "fence_orders=", word);
	}
	for (int s = OCLMM_SCOPE_WORK_ITEM; s < OCLMM_SCOPE_COUNT; s++)
		claimed &= !(need.scopes >> s & 1) ||
		           has_word(claims, "scopes=", oclmm_scope_short((enum oclmm_scope)s));
	return claimed && (!need.generic_pointers || has_word(claims, "features=", "generic"));
}

/* Of a test that ran, whether the device claims what it needs is what the run line says. */
static void find_class(const struct oclmm_results *results, struct oclmm_record *record)
{
	const struct oclmm_run_header *header = run_of(results, record);

	/* a device that takes it claims enough */
	if (record->whole_kernel)
		return;
	if (record->support == OCLMM_CLASS_UNSUPPORTED || !header || !header->claims ||
	    !*header->claims)
		return;
	record->support = is_claimed(header->claims, record->program) ? OCLMM_CLASS_CLAIMED
	                                                              : OCLMM_CLASS_ACCEPTED;
}

/* The parts of a test stand side by side, in the order of their launches. */
static void add(struct regrade *regrade, struct oclmm_record *record)
{
	struct oclmm_record *last = regrade->count ? regrade->records[regrade->count - 1] : NULL;

	if (last && oclmm_record_extend(last, record) == 0) {
		oclmm_histogram_destroy(record->counts.histogram);
		record->counts.histogram = NULL;
		return;
	}
	regrade->records[regrade->count++] = record;
}

static void join_all(struct regrade *regrade, const struct command *command)
{
	struct oclmm_results *results = regrade->results;

	if (regrade->selection.count > 0)
		qsort(regrade->selection.chosen, regrade->selection.count, sizeof(struct chosen),
		      compare_chosen);
	regrade->expected = oclmm_calloc(regrade->selection.files.count + 1,
	                                 sizeof(*regrade->expected));
	regrade->expected_read = oclmm_calloc(regrade->selection.files.count + 1, sizeof(bool));
	regrade->records = oclmm_calloc(results->saved_count + 1, sizeof(*regrade->records));
	for (size_t i = 0; i < results->saved_count; i++) {
		join(regrade, command, &results->saved[i]);
		find_class(results, &results->saved[i].record);
		add(regrade, &results->saved[i].record);
	}
}

/* What results name: their tests, and the controls of these. */
struct names {
	const char **names;
	size_t count, capacity;
	struct oclmm_index index;
};

static bool is_that_name(const void *names, size_t number, const void *name)
{
	return strcmp(((const struct names *)names)->names[number], name) == 0;
}

/* Each once. */
static void add_name(struct names *names, const char *name)
{
	uint64_t hash = oclmm_hash(name, strlen(name));

	if (oclmm_index_find(&names->index, hash, is_that_name, names, name) != SIZE_MAX)
		return;
	oclmm_index_add(&names->index, hash);
	oclmm_grow(&names->names, &names->capacity, names->count, sizeof(*names->names));
	names->names[names->count++] = name;
}

/* Of the suite only the files that results name are read. */
static int select_named(struct selection *selection, const struct oclmm_results *results)
{
	struct names names = {0};
	int status;

	for (size_t i = 0; i < results->saved_count; i++) {
		const struct oclmm_record *record = &results->saved[i].record;

		if (record->whole_kernel)
			continue;
		add_name(&names, record->program->name);
		for (size_t k = 0; record->evidence && k < record->evidence->control_count; k++)
			add_name(&names, record->evidence->controls[k].name);
	}
	status = selection_make_holding(selection, names.names, names.count);
	oclmm_index_finish(&names.index);
	free(names.names);
	return status;
}

int regrade_open(struct regrade *regrade, const struct command *command,
                 const struct regrade_options *options, char **paths, int count)
{
	struct oclmm_grade_options grade = {
		.claims_accepted = options->rules.claims_accepted,
		.today = oclmm_today(),
	};
	int status = saved_expectations(options->rules.expectations, &regrade->expectations);

	if (status == 0)
		status = saved_join(command, paths, count, options->partial, NULL,
		                    &regrade->results);
	if (status == 0)
		status = options->litmus_count > 0
		                 ? selection_make(&regrade->selection,
		                                  (char **)(uintptr_t)options->litmus,
		                                  options->litmus_count)
		                 : select_named(&regrade->selection, regrade->results);
	if (status == 0)
		status = selection_refuse_namesakes(&regrade->selection);
	if (status == 0)
		status = saved_expectations_check(regrade->expectations, &regrade->selection);
	if (status)
		return status;
	regrade->model = options->rules.model;
	join_all(regrade, command);
	grade.expectations = regrade->expectations;
	grade.arena = regrade->results->arena;
	for (size_t i = 0; i < regrade->count; i++)
		oclmm_grade(regrade->records[i], &grade);
	return 0;
}

void regrade_finish(struct regrade *regrade)
{
	for (size_t i = 0; i < regrade->count; i++) {
		oclmm_grade_finish(&regrade->records[i]->grade);
		oclmm_histogram_destroy(regrade->records[i]->counts.histogram);
	}
	for (size_t i = 0; regrade->expected && i < regrade->selection.files.count; i++)
		oclmm_expected_destroy(regrade->expected[i]);
	for (size_t i = 0; i < regrade->computed_count; i++)
		oclmm_expected_destroy(regrade->computed[i]);
	finish_kernels(regrade);
	free(regrade->records);
	free(regrade->expected);
	free(regrade->expected_read);
	free(regrade->computed);
	oclmm_expectations_destroy(regrade->expectations);
	selection_finish(&regrade->selection);
	oclmm_results_destroy(regrade->results);
	*regrade = (struct regrade){0};
}
