// SPDX-License-Identifier: Apache-2.0
/* Tests by family, by what they use, and by the bugs that they catch. */
#include "narrow.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oclmm/codegen.h"
#include "oclmm/grade.h"

/* ---- bugs ---- */

/* Where a line of the file is kept. */
static const char **field(struct bug *bug, const char *word)
{
	if (strcmp(word, "where") == 0)
		return &bug->where;
	if (strcmp(word, "what") == 0)
		return &bug->what;
	return strcmp(word, "tests") == 0 ? &bug->tests : NULL;
}

static int refuse_line(struct bugs *bugs, struct oclmm_error *error, struct oclmm_position at,
                       const char *line, const char *message, const char *word)
{
	oclmm_error_set(error, -EINVAL, "%s%s%s%s", message, word ? " \"" : "", word ? word : "",
	                word ? "\"" : "");
	snprintf(error->file, sizeof(error->file), "%s", bugs->path);
	snprintf(error->source, sizeof(error->source), "%s", line);
	error->position = at;
	return -EINVAL;
}

static int check_last(struct bugs *bugs, struct oclmm_error *error)
{
	const struct bug *bug = bugs->count ? &bugs->bugs[bugs->count - 1] : NULL;

	if (!bug || (bug->where && bug->what && bug->tests))
		return 0;
	return refuse_line(bugs, error, bug->position, bug->name,
	                   "a bug has the lines where, what and tests; one is missing of",
	                   bug->name);
}

static int begin(struct bugs *bugs, struct oclmm_error *error, struct oclmm_position at,
                 const char *name)
{
	int r = check_last(bugs, error);

	if (r < 0)
		return r;
	if (bugs_find(bugs, name))
		return refuse_line(bugs, error, at, name, "this bug stands twice:", name);
	oclmm_grow(&bugs->bugs, &bugs->capacity, bugs->count, sizeof(*bugs->bugs));
	bugs->bugs[bugs->count++] = (struct bug){.name = name, .position = at};
	return 0;
}

/* One line, cut into its first word and the rest. */
static int take_line(struct bugs *bugs, struct oclmm_error *error, uint32_t number, char *line)
{
	struct oclmm_position at = {number, 1, 1};
	size_t length = strcspn(line, " ");
	char *rest = line + length + strspn(line + length, " ");
	const char **place;

	if (!*line || *line == '#')
		return 0;
	if (!*rest)
		return refuse_line(bugs, error, at, line, "nothing follows the word", line);
	line[length] = '\0';
	if (strcmp(line, "bug") == 0)
		return begin(bugs, error, at, rest);
	place = bugs->count ? field(&bugs->bugs[bugs->count - 1], line) : NULL;
	if (!place)
		return refuse_line(bugs, error, at, line,
		                   "a line begins with bug, where, what or tests, not", line);
	if (*place)
		return refuse_line(bugs, error, at, line, "this bug has two lines", line);
	*place = rest;
	return 0;
}

int bugs_read_file(struct bugs *bugs, const char *path, struct oclmm_error *error)
{
	struct oclmm_lines lines;
	size_t length;
	int r;

	*bugs = (struct bugs){.path = oclmm_strdup(path)};
	r = oclmm_read_text(bugs->path, error, &bugs->text, &length);
	if (r < 0)
		return r;
	oclmm_lines_begin(&lines, bugs->path, bugs->text, length);
	while (r == 0 && oclmm_lines_next(&lines))
		r = take_line(bugs, error, lines.number, oclmm_lines_cut(&lines, bugs->text));
	return r < 0 ? r : check_last(bugs, error);
}

int bugs_read(struct bugs *bugs, const char *folder, struct oclmm_error *error)
{
	struct oclmm_text path = {0};
	int r;

	oclmm_text_printf(&path, "%s/bugs", folder);
	r = bugs_read_file(bugs, oclmm_text_string(&path), error);
	oclmm_text_finish(&path);
	return r;
}

void bugs_finish(struct bugs *bugs)
{
	free(bugs->path);
	free(bugs->text);
	free(bugs->bugs);
	*bugs = (struct bugs){0};
}

const struct bug *bugs_find(const struct bugs *bugs, const char *name)
{
	for (size_t i = 0; i < bugs->count; i++) {
		if (strcmp(bugs->bugs[i].name, name) == 0)
			return &bugs->bugs[i];
	}
	return NULL;
}

/* The length of a test's name in front of its settings `.axis=value`. */
static size_t base_length(const char *test, size_t length)
{
	const char *equals = memchr(test, '=', length), *dot;

	if (!equals)
		return length;
	dot = memrchr(test, '.', (size_t)(equals - test));
	return dot ? (size_t)(dot - test) : length;
}

static bool has_setting(const char *settings, const char *setting, size_t length)
{
	for (; *settings; settings += 1 + strcspn(settings + 1, ".")) {
		if (strncmp(settings, setting, length) == 0 &&
		    (!settings[length] || settings[length] == '.'))
			return true;
	}
	return false;
}

static bool stands_for(const char *test, size_t length, const char *variant)
{
	size_t at = base_length(test, length);
	const char *settings = variant + at;

	if (strncmp(test, variant, at) != 0)
		return false;
	/* `CoRR` is neither CoRR4 nor CoRR.x; a dot in a name begins no setting */
	if (*settings && (*settings != '.' || base_length(variant, strlen(variant)) != at))
		return false;
	while (at < length) {
		size_t next = 1 + strcspn(test + at + 1, ". ");

		if (!has_setting(settings, test + at, next))
			return false;
		at += next;
	}
	return true;
}

bool bug_has_test(const struct bug *bug, const char *variant)
{
	for (const char *test = bug->tests; *test; test += strspn(test, " ")) {
		size_t length = strcspn(test, " ");

		if (stands_for(test, length, variant))
			return true;
		test += length;
	}
	return false;
}

/* ---- features ---- */

OCLMM_LOOK_UP(const char *, test_feature_word, test_feature, TEST_FEATURES, FIRST);
static OCLMM_LOOK_UP(const char *, test_feature_meaning, test_feature, TEST_FEATURES, SECOND);

static void add_feature(uint64_t *set, enum test_feature feature, bool has)
{
	*set |= (uint64_t)has << feature;
}

/* Codegen asks only what a device has to claim; here is what a reader looks for. */
static int add_expression(void *set, const struct oclmm_expression *e)
{
	enum oclmm_operation op;
	bool init;

	if (e->kind != OCLMM_EXPRESSION_ATOMIC)
		return 0;
	op = e->atomic->op;
	init = op == OCLMM_OP_INIT;
	add_feature(set, TEST_FEATURE_INIT, init);
	add_feature(set, TEST_FEATURE_ATOMIC, !init);
	add_feature(set, TEST_FEATURE_RMW, oclmm_operation_reads(op) && oclmm_operation_writes(op));
	add_feature(set, TEST_FEATURE_CAS, oclmm_operation_is_cas(op));
	add_feature(set, TEST_FEATURE_FLAG,
	            op == OCLMM_OP_FLAG_TEST_AND_SET || op == OCLMM_OP_FLAG_CLEAR);
	add_feature(set, TEST_FEATURE_LEGACY, e->atomic->legacy);
	return 0;
}

static int add_use(void *set, const struct oclmm_use *use)
{
	add_feature(set, TEST_FEATURE_PLAIN, !use->atomic);
	return 0;
}

static int add_statement(void *set, const struct oclmm_statement *s)
{
	add_feature(set, TEST_FEATURE_FENCE, s->kind == OCLMM_STATEMENT_FENCE);
	add_feature(set, TEST_FEATURE_BARRIER,
	            s->kind == OCLMM_STATEMENT_BARRIER && !s->barrier.collective);
	add_feature(set, TEST_FEATURE_COLLECTIVE,
	            s->kind == OCLMM_STATEMENT_BARRIER && s->barrier.collective);
	add_feature(set, TEST_FEATURE_BRANCH, s->kind == OCLMM_STATEMENT_IF);
	add_feature(set, TEST_FEATURE_LOOP, s->kind == OCLMM_STATEMENT_WHILE);
	return 0;
}

static void add_objects(uint64_t *set, const struct oclmm_program *program)
{
	static const struct oclmm_visitor visitor = {add_expression, add_use, add_statement};

	for (uint32_t i = 0; i < program->location_count; i++) {
		add_feature(set, TEST_FEATURE_GLOBAL,
		            program->locations[i].space == OCLMM_SPACE_GLOBAL);
		add_feature(set, TEST_FEATURE_LOCAL,
		            program->locations[i].space == OCLMM_SPACE_LOCAL);
		add_feature(set, TEST_FEATURE_SVM,
		            oclmm_storage_is_svm(program->locations[i].storage));
	}
	for (uint32_t i = 0; i < program->thread_count; i++) {
		const struct oclmm_thread *thread = &program->threads[i];

		for (uint32_t k = 0; k < thread->parameter_count; k++)
			add_feature(set, TEST_FEATURE_VOLATILE, thread->parameters[k].is_volatile);
		oclmm_visit_body(&visitor, thread->body, set);
	}
}

/* What the generator asks of a device. */
static void add_needs(uint64_t *set, const struct oclmm_program *program)
{
	struct oclmm_features needs;
	unsigned orders;

	oclmm_program_features(program, &needs);
	orders = needs.orders | needs.fence_orders;
	add_feature(set, TEST_FEATURE_RELAXED, orders >> OCLMM_ORDER_RELAXED & 1);
	add_feature(set, TEST_FEATURE_ACQUIRE, orders >> OCLMM_ORDER_ACQUIRE & 1);
	add_feature(set, TEST_FEATURE_RELEASE, orders >> OCLMM_ORDER_RELEASE & 1);
	add_feature(set, TEST_FEATURE_ACQ_REL, orders >> OCLMM_ORDER_ACQ_REL & 1);
	add_feature(set, TEST_FEATURE_SEQ_CST, orders >> OCLMM_ORDER_SEQ_CST & 1);
	add_feature(set, TEST_FEATURE_SUB_GROUP, needs.scopes >> OCLMM_SCOPE_SUB_GROUP & 1);
	add_feature(set, TEST_FEATURE_WORK_GROUP, needs.scopes >> OCLMM_SCOPE_WORK_GROUP & 1);
	add_feature(set, TEST_FEATURE_DEVICE, needs.scopes >> OCLMM_SCOPE_DEVICE & 1);
	add_feature(set, TEST_FEATURE_ALL, needs.scopes >> OCLMM_SCOPE_ALL_SVM_DEVICES & 1);
	add_feature(set, TEST_FEATURE_GENERIC, needs.generic_pointers);
	add_feature(set, TEST_FEATURE_INT64, needs.atomic_types & oclmm_types_of_width(64));
	add_feature(set, TEST_FEATURE_FLOAT, needs.floating_types);
	add_feature(set, TEST_FEATURE_PROGRAM_SCOPE, needs.program_scope);
	add_feature(set, TEST_FEATURE_IMAGE, needs.images);
	add_feature(set, TEST_FEATURE_PIPE, needs.pipes);
	add_feature(set, TEST_FEATURE_COPY, needs.copies);
	add_feature(set, TEST_FEATURE_ENQUEUE, needs.children);
	add_feature(set, TEST_FEATURE_HOST, needs.host_threads);
	add_feature(set, TEST_FEATURE_COMMAND, needs.commands);
	add_feature(set, TEST_FEATURE_UNORDERED, needs.unordered_queue);
	add_feature(set, TEST_FEATURE_DEVICES, needs.devices > 1);
	add_feature(set, TEST_FEATURE_GROUPS, needs.work_groups > 1);
	add_feature(set, TEST_FEATURE_SUB_GROUPS, needs.sub_groups);
}

uint64_t test_features(const struct oclmm_program *program)
{
	uint64_t set = 0;

	add_objects(&set, program);
	add_needs(&set, program);
	return set;
}

/* ---- families ---- */

/* The families: the folders of litmus/ that hold litmus files, sorted. */
struct families {
	char **names;
	size_t count;
	size_t capacity;
};
/* Returns 0 or a negative errno value. */
static int list_families(struct families *families, struct oclmm_error *error)
{
	struct suite_files files = {0};
	char *folder = suite_folder(error);
	int r = folder ? suite_add_folder(&files, folder, error) : -ENOENT;

	*families = (struct families){0};
	for (size_t i = 0; r == 0 && i < files.count; i++) {
		const char *family = files.files[i].family;

		/* files come sorted, those of a family together */
		if (!*family ||
		    (families->count && strcmp(families->names[families->count - 1], family) == 0))
			continue;
		oclmm_grow(&families->names, &families->capacity, families->count,
		           sizeof(*families->names));
		families->names[families->count++] = oclmm_strdup(family);
	}
	suite_files_finish(&files);
	free(folder);
	return r;
}

static void finish_families(struct families *families)
{
	for (size_t i = 0; i < families->count; i++)
		free(families->names[i]);
	free(families->names);
	*families = (struct families){0};
}

/* ---- options ---- */

/* ---- the words ------------------------------------------------------- */

static int refuse(const char *what, const char *word, const char *const *words, size_t count)
{
	char list[64];

	snprintf(list, sizeof(list), "see --%s list", what);
	fprintf(stderr, "oclmm: unknown %s \"%s\"%s\n", what, oclmm_shown(word).text,
	        suggest(word, words, count, list).text);
	return OPTIONS_ERROR;
}

static int print_families(void)
{
	struct families families;
	struct oclmm_error error = {0};
	int r = list_families(&families, &error);

	if (r < 0)
		report_error(&error);
	for (size_t i = 0; i < families.count; i++)
		printf("%s\n", oclmm_shown(families.names[i]).text);
	finish_families(&families);
	return r < 0 ? OPTIONS_ERROR : OPTIONS_HELP;
}

int narrow_family(const char *option, const char *name, void *target)
{
	struct narrow *narrow = target;

	if (strcmp(name, "list") == 0)
		return print_families();
	return option_append(option, name, narrow->families, &narrow->family_count, NARROW_NAMES);
}

static int print_features(void)
{
	for (int i = 0; i < TEST_FEATURE_COUNT; i++)
		printf("%-22s %s\n", test_feature_word((enum test_feature)i),
		       test_feature_meaning((enum test_feature)i));
	return OPTIONS_HELP;
}

int narrow_feature(const char *option, const char *word, void *target)
{
	struct narrow *narrow = target;
	const char *words[TEST_FEATURE_COUNT];

	if (strcmp(word, "list") == 0)
		return print_features();
	for (int i = 0; i < TEST_FEATURE_COUNT; i++) {
		words[i] = test_feature_word((enum test_feature)i);
		if (strcmp(words[i], word) == 0) {
			narrow->features |= UINT64_C(1) << i;
			return 0;
		}
	}
	return refuse(option, word, words, OCLMM_COUNT(words));
}

/* The suite's list. Returns 0 or OPTIONS_ERROR, which stands for status 2 as well. */
static int read_bugs(struct bugs *bugs)
{
	struct oclmm_error error = {0};
	char *folder = suite_folder(&error);
	int r = folder ? bugs_read(bugs, folder, &error) : -1;

	free(folder);
	if (r == 0)
		return 0;
	report_error(&error);
	return OPTIONS_ERROR;
}

static int print_bugs(void)
{
	struct bugs bugs = {0};
	int r = read_bugs(&bugs);

	for (size_t i = 0; r == 0 && i < bugs.count; i++) {
		struct oclmm_text text = {0};

		oclmm_text_printf(&text, "%s: %s", bugs.bugs[i].where, bugs.bugs[i].what);
		cli_print_row(bugs.bugs[i].name, 23, oclmm_text_string(&text));
		oclmm_text_finish(&text);
	}
	bugs_finish(&bugs);
	return r ? r : OPTIONS_HELP;
}

int narrow_bug(const char *option, const char *name, void *target)
{
	struct narrow *narrow = target;

	if (strcmp(name, "list") == 0)
		return print_bugs();
	return option_append(option, name, narrow->bugs, &narrow->bug_count, NARROW_NAMES);
}

/* ---- the selection --------------------------------------------------- */

static void keep(struct selection *selection,
                 bool (*fits)(const struct chosen *chosen, const void *data), const void *data)
{
	size_t kept = 0;

	for (size_t i = 0; i < selection->count; i++) {
		if (fits(&selection->chosen[i], data))
			selection->chosen[kept++] = selection->chosen[i];
	}
	selection->count = kept;
}

static bool fits_family(const struct chosen *chosen, const void *data)
{
	const struct narrow *narrow = data;

	return oclmm_is_among(chosen->file->family, narrow->families, narrow->family_count);
}

/* A family that nobody chose anything of is still one; a name that is no folder's is refused. */
static int apply_families(const struct narrow *narrow, struct selection *selection)
{
	struct families families;
	struct oclmm_error error = {0};
	int status = 0;

	if (list_families(&families, &error) < 0)
		return report_error(&error);
	for (size_t i = 0; i < narrow->family_count && status == 0; i++) {
		const char *const *names = (const char *const *)families.names;

		if (!oclmm_is_among(narrow->families[i], names, families.count))
			status = refuse("family", narrow->families[i], names, families.count);
	}
	finish_families(&families);
	if (status)
		return OCLMM_EXIT_USAGE;
	keep(selection, fits_family, narrow);
	return 0;
}

static bool fits_features(const struct chosen *chosen, const void *data)
{
	const struct narrow *narrow = data;

	return (test_features(chosen->variant->program) & narrow->features) == narrow->features;
}

struct wanted_bugs {
	const struct bug *bugs[NARROW_NAMES];
	size_t count;
};

static bool fits_bugs(const struct chosen *chosen, const void *data)
{
	const struct wanted_bugs *wanted = data;

	for (size_t i = 0; i < wanted->count; i++) {
		if (bug_has_test(wanted->bugs[i], chosen->variant->name))
			return true;
	}
	return false;
}

static int find_bugs(const struct narrow *narrow, const struct bugs *bugs,
                     struct wanted_bugs *wanted)
{
	for (size_t i = 0; i < narrow->bug_count; i++) {
		const struct bug *bug = bugs_find(bugs, narrow->bugs[i]);
		const char **names;

		if (bug) {
			wanted->bugs[wanted->count++] = bug;
			continue;
		}
		names = oclmm_calloc(bugs->count + 1, sizeof(*names));
		for (size_t k = 0; k < bugs->count; k++)
			names[k] = bugs->bugs[k].name;
		refuse("bug", narrow->bugs[i], names, bugs->count);
		free(names);
		return OCLMM_EXIT_USAGE;
	}
	return 0;
}

static int apply_bugs(const struct narrow *narrow, struct selection *selection)
{
	struct wanted_bugs wanted = {0};
	struct bugs bugs = {0};
	int status = read_bugs(&bugs) ? OCLMM_EXIT_USAGE : 0;

	if (status == 0)
		status = find_bugs(narrow, &bugs, &wanted);
	if (status == 0) {
		keep(selection, fits_bugs, &wanted);
		selection_add_controls(selection);
	}
	bugs_finish(&bugs);
	return status;
}

int narrow_apply(const struct narrow *narrow, struct selection *selection)
{
	int status = 0;

	if (!narrow_any(narrow))
		return 0;
	if (narrow->bug_count)
		status = apply_bugs(narrow, selection);
	if (status == 0 && narrow->family_count)
		status = apply_families(narrow, selection);
	if (status == 0 && narrow->features)
		keep(selection, fits_features, narrow);
	if (status || selection->count)
		return status;
	fputs("oclmm: no test fits all that was asked for\n", stderr);
	return OCLMM_EXIT_NOTHING;
}
