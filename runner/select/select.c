// SPDX-License-Identifier: Apache-2.0
#include "select.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "oclmm/base.h"
#include "oclmm/cat.h"
#include "oclmm/codegen.h"
#include "oclmm/cycle.h"
#include "oclmm/grade.h"

#include "cli/cli.h"
#include "drawn.h"
#include "narrow.h"
#include "suite.h"

/* ---- where litmus files are ------------------------------------------------ */

#define SUFFIX ".litmus"

/* How many folders below each other are searched. */
enum { MAX_DEPTH = 16 };

/* Folders that were read: links may lead to one again, and so without end. */
struct walk {
	struct suite_files *files;
	struct oclmm_error *error;
	struct walked {
		dev_t device;
		ino_t number;
		char *path;
	} * walked;
	size_t count, capacity;
};

static bool is_folder(const char *path)
{
	struct stat info;

	return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static char *join(const char *a, const char *b)
{
	struct oclmm_text text = {0};

	oclmm_text_printf(&text, "%s%s", a, b);
	return oclmm_text_steal(&text);
}

/* `FOLDER/litmus` when it is there, else NULL. */
static char *suite_below(const char *folder)
{
	char *path = join(folder, "/litmus");

	if (is_folder(path))
		return path;
	free(path);
	return NULL;
}

/* The same in the nearest folder above `path`, or below it in `data` if not NULL; `path` is cut to
 * it. */
static char *suite_above(char *path, const char *data)
{
	char *found = NULL, *slash;

	while (!found && (slash = strrchr(path, '/'))) {
		char *folder;

		*slash = '\0';
		found = suite_below(path);
		if (found || !data)
			continue;
		folder = join(path, data);
		found = suite_below(folder);
		free(folder);
	}
	return found;
}

/* Of the sources, or of an installation wherever it was moved to. */
static char *suite_above_program(void)
{
	char path[PATH_MAX];

	return program_path(path) ? suite_above(path, "/" OCLMM_DATA_BELOW "/oclmm") : NULL;
}

int suite_is_visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

char *suite_folder(struct oclmm_error *error)
{
	const char *given = getenv("OCLMM_SUITE");
	char path[PATH_MAX], *found = NULL;

	if (given && *given) {
		found = suite_below(given);
		if (!found)
			oclmm_error_set(error, -ENOENT,
			                "OCLMM_SUITE is \"%s\", which has no folder litmus/",
			                given);
		return found;
	}
	if (is_folder("litmus"))
		return oclmm_strdup("litmus");
	if (getcwd(path, sizeof(path)))
		found = suite_above(path, NULL);
	if (!found)
		found = suite_above_program();
	if (!found)
		found = suite_below(OCLMM_DATA_FOLDER);
	if (!found) {
		oclmm_error_set(error, -ENOENT,
		                "cannot find the suite: no folder litmus/ here, above, or in %s",
		                OCLMM_DATA_FOLDER);
		snprintf(error->note, sizeof(error->note),
		         "name files, or set OCLMM_SUITE to the folder that holds litmus/ and "
		         "expected/");
	}
	return found;
}

static char *replace_suffix(const char *path, const char *suffix)
{
	size_t length = strlen(path), old = strlen(SUFFIX);
	char *stem = oclmm_strdup(path), *replaced;

	if (length > old && strcmp(path + length - old, SUFFIX) == 0)
		stem[length - old] = '\0';
	replaced = join(stem, suffix);
	free(stem);
	return replaced;
}

/* The last `litmus/` that is a folder of a path, or NULL. */
static char *find_litmus(char *path)
{
	char *last = strncmp(path, "litmus/", strlen("litmus/")) == 0 ? path : NULL;

	for (char *at = path; (at = strstr(at, "/litmus/")); at++)
		last = at + 1;
	return last;
}

/* `ROOT/litmus/FAMILY/NAME.litmus` has its answers in `ROOT/expected/FAMILY/NAME.expected`. */
static void locate_in_suite(struct suite_file *file, char *path, char *litmus)
{
	char *below = litmus + strlen("litmus/"), *answers = replace_suffix(below, ".expected");
	struct oclmm_text text = {0};

	file->relative = oclmm_strdup(below);
	*litmus = '\0';
	oclmm_text_printf(&text, "%sexpected/%s", path, answers);
	file->expected = oclmm_text_steal(&text);
	free(answers);
}

static void locate(struct suite_file *file)
{
	char *path = oclmm_strdup(file->path), *litmus = find_litmus(path);
	const char *slash;

	if (!litmus) {
		/* named from within the suite, `cd litmus && oclmm check relaxed` */
		free(path);
		path = realpath(file->path, NULL);
		litmus = path ? find_litmus(path) : NULL;
	}
	if (litmus) {
		locate_in_suite(file, path, litmus);
	} else {
		slash = strrchr(file->path, '/');
		file->relative = oclmm_strdup(slash ? slash + 1 : file->path);
		file->expected = replace_suffix(file->path, ".expected");
	}
	file->family = oclmm_strdup(file->relative);
	slash = strrchr(file->family, '/');
	file->family[slash ? slash - file->family : 0] = '\0';
	free(path);
}

static void finish_file(struct suite_file *file)
{
	free(file->path);
	free(file->relative);
	free(file->family);
	free(file->expected);
	free(file->cycle);
}

static void add(struct suite_files *files, struct suite_file *file)
{
	for (size_t i = 0; i < files->count; i++) {
		/* named twice, or by itself and by its folder: the place of its answers tells */
		if (strcmp(files->files[i].expected, file->expected) == 0) {
			finish_file(file);
			return;
		}
	}
	oclmm_grow(&files->files, &files->capacity, files->count, sizeof(*files->files));
	files->files[files->count++] = *file;
}

/* Adds one file, unless it is there already. */
static void suite_add_file(struct suite_files *files, const char *path)
{
	struct suite_file file = {.path = oclmm_strdup(path)};

	locate(&file);
	add(files, &file);
}

static void suite_add_cycle(struct suite_files *files, const char *list, const char *name,
                            const char *words)
{
	const char *slash = strrchr(list, '/');
	struct suite_file file = {.cycle = oclmm_strdup(words)};
	struct oclmm_text path = {0};

	oclmm_text_printf(&path, "%.*s%s" SUFFIX, slash ? (int)(slash + 1 - list) : 0, list, name);
	file.path = oclmm_text_steal(&path);
	locate(&file);
	free(file.path);
	file.path = oclmm_strdup(list);
	add(files, &file);
}

/* Those of a seed from one number to another. */
static int suite_add_drawn(struct suite_files *files, struct drawn drawn, uint64_t last,
                           struct oclmm_error *error)
{
	if (last < drawn.number || last - drawn.number >= DRAWN_MOST)
		return oclmm_error_set(error, -EINVAL,
		                       "%" PRIu64 "..%" PRIu64
		                       " is no range of drawn kernels: first..last, at most %d",
		                       drawn.number, last, DRAWN_MOST);
	for (;; drawn.number++) {
		char *name = drawn_name(&drawn);
		struct suite_file file = {.path = name, .is_drawn = true};
		struct oclmm_text text = {0};

		oclmm_text_printf(&text, "drawn/%s" SUFFIX, name);
		file.relative = oclmm_text_steal(&text);
		file.expected = replace_suffix(file.relative, ".expected");
		file.family = oclmm_strdup("control");
		add(files, &file);
		if (drawn.number == last)
			return 0;
	}
}

static int compare_names(const struct dirent **a, const struct dirent **b)
{
	/* not alphasort(), whose order depends on the locale */
	return strcmp((*a)->d_name, (*b)->d_name);
}

/* A folder that two names lead to would have its tests twice, or hide those of the other name. */
static int enter(struct walk *walk, const char *path, int depth)
{
	struct stat info;

	if (depth > MAX_DEPTH)
		return oclmm_error_set(walk->error, -ELOOP,
		                       "%s: more than %d folders below each other", path,
		                       MAX_DEPTH);
	if (stat(path, &info) < 0)
		return oclmm_error_set(walk->error, -errno, "cannot read folder %s: %s", path,
		                       strerror(errno));
	for (size_t i = 0; i < walk->count; i++) {
		const struct walked *other = &walk->walked[i];

		if (other->device == info.st_dev && other->number == info.st_ino)
			return oclmm_error_set(walk->error, -ELOOP, "%s is the same folder as %s",
			                       path, other->path);
	}
	oclmm_grow(&walk->walked, &walk->capacity, walk->count, sizeof(*walk->walked));
	walk->walked[walk->count++] = (struct walked){.device = info.st_dev,
	                                              .number = info.st_ino,
	                                              .path = oclmm_strdup(path)};
	return 0;
}

static int add_folder(struct walk *walk, const char *path, int depth);

/* Reading a pipe or a device may never end. */
static int add_entry(struct walk *walk, const char *path, int depth)
{
	struct stat info;

	if (is_folder(path))
		return add_folder(walk, path, depth + 1);
	if (strcmp(oclmm_suffix(path), SUFFIX) != 0)
		return 0;
	if (stat(path, &info) == 0 && !S_ISREG(info.st_mode))
		return oclmm_error_set(walk->error, -EINVAL, "%s is no regular file", path);
	suite_add_file(walk->files, path);
	return 0;
}

static int add_folder(struct walk *walk, const char *path, int depth)
{
	struct dirent **entries;
	int r = enter(walk, path, depth), count;

	if (r < 0)
		return r;
	count = scandir(path, &entries, suite_is_visible, compare_names);
	if (count < 0) {
		r = -errno;
		return oclmm_error_set(walk->error, r, "cannot read folder %s: %s", path,
		                       strerror(-r));
	}
	for (int i = 0; i < count; i++) {
		char *folder = join(path, "/"), *below = join(folder, entries[i]->d_name);

		if (r == 0)
			r = add_entry(walk, below, depth);
		free(folder);
		free(below);
		free(entries[i]);
	}
	free(entries);
	return r;
}

int suite_add_folder(struct suite_files *files, const char *path, struct oclmm_error *error)
{
	struct walk walk = {.files = files, .error = error};
	char *clean = oclmm_strdup(path);
	size_t length = strlen(clean);
	int r;

	while (length > 1 && clean[length - 1] == '/')
		clean[--length] = '\0';
	r = add_folder(&walk, clean, 0);
	for (size_t i = 0; i < walk.count; i++)
		free(walk.walked[i].path);
	free(walk.walked);
	free(clean);
	return r;
}

void suite_files_finish(struct suite_files *files)
{
	for (size_t i = 0; i < files->count; i++)
		finish_file(&files->files[i]);
	free(files->files);
	*files = (struct suite_files){0};
}

/* ---- data beside the suite ---- */

bool program_path(char path[PATH_MAX])
{
	ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);

	path[length > 0 ? length : 0] = '\0';
	return length > 0;
}

/* The path when it can be read, else NULL. */
static char *readable(const char *folder, const char *between, const char *name)
{
	struct oclmm_text path = {0};

	oclmm_text_printf(&path, "%s%s%s", folder, between, name);
	if (access(oclmm_text_string(&path), R_OK) == 0)
		return oclmm_text_steal(&path);
	oclmm_text_finish(&path);
	return NULL;
}

/* Cuts the last `steps` names off a path; false when it has fewer. */
static bool climb(char *path, unsigned steps)
{
	for (; steps; steps--) {
		char *slash = strrchr(path, '/');

		if (!slash)
			return false;
		*slash = '\0';
	}
	return true;
}

/* The program is PREFIX/bin/oclmm or BUILD/runner/oclmm. */
static char *beside_program(const char *name, const char *built)
{
	char path[PATH_MAX], *found;

	if (!program_path(path) || !climb(path, 2))
		return NULL;
	found = readable(path, "/" OCLMM_DATA_BELOW "/oclmm/", name);
	return found ? found : readable(path, "/", built);
}

char *data_file(const char *name, const char *built)
{
	char *found = beside_program(name, built);

	return found ? found : readable(OCLMM_DATA_FOLDER, "/", name);
}

/* ---- lists of cycles ---- */

/* Lists of cycles. */

static int add_line(struct suite_files *files, const char *path, unsigned number, const char *line,
                    struct oclmm_error *error)
{
	const char *words = strchr(line, ' ');
	struct oclmm_cycle cycle;
	struct oclmm_text name = {0};
	int r = oclmm_cycle_parse(words ? words + 1 : "", error, &cycle);

	if (r < 0) {
		snprintf(error->file, sizeof(error->file), "%s", path);
		if (error->position.line)
			error->position.column += words ? (unsigned)(words + 1 - line) : 0;
		error->position.line = number;
		snprintf(error->source, sizeof(error->source), "%s", line);
		return r;
	}
	oclmm_cycle_name(&name, &cycle);
	suite_add_cycle(files, path, oclmm_text_string(&name), words + 1);
	oclmm_text_finish(&name);
	return 0;
}

/*
 * Adds the tests of a list of cycles, a file FOLDER/….cycles: one a line, behind a word of its own.
 * Each is a test FOLDER/NAME.litmus that nobody has written down. Returns 0 or a negative errno
 * value.
 */
static int suite_add_list(struct suite_files *files, const char *path, struct oclmm_error *error)
{
	struct oclmm_lines lines;
	char *text;
	size_t length;
	int r = oclmm_read_text(path, error, &text, &length);

	if (r < 0)
		return r;
	oclmm_lines_begin(&lines, path, text, length);
	while (r == 0 && oclmm_lines_next(&lines)) {
		const char *line = oclmm_lines_cut(&lines, text);

		if (*line && *line != '#')
			r = add_line(files, path, lines.number, line, error);
	}
	free(text);
	return r;
}

/* ---- which tests ----------------------------------------------------------- */

/* Which tests a command is about: arguments, profiles, and the controls of what these choose. */

/* ---- names of tests ---- */

char *test_name_peek(const char *path)
{
	static const char word[] = "OPENCL ";
	char line[256];
	FILE *file = fopen(path, "re");
	const char *name = NULL;
	size_t length;

	if (!file)
		return NULL;
	if (fgets(line, sizeof(line), file) && strncmp(line, word, sizeof(word) - 1) == 0)
		name = line + sizeof(word) - 1;
	fclose(file);
	length = name ? strcspn(name, " \t\r\f\v{\n") : 0;
	if (length == 0 || strcmp(name + length, "\n") != 0)
		return NULL;
	line[name + length - line] = '\0';
	return oclmm_strdup(name);
}

bool test_name_may_be(const char *name, const char *called)
{
	size_t length = strlen(name);

	return strncmp(called, name, length) == 0 &&
	       (called[length] == '\0' || called[length] == '.');
}

/* How much of a pattern stands for itself. */
static size_t literal_length(const char *pattern)
{
	size_t length = 0;

	while (pattern[length] && !strchr("*?[\\", pattern[length]) &&
	       !(strchr("+@!", pattern[length]) && pattern[length + 1] == '('))
		length++;
	return length;
}

/* Of `@(NAME)`, which is one test and never a family, the name, up to the bracket; else NULL. */
static const char *only_name(const char *pattern)
{
	if (strncmp(pattern, "@(", 2) != 0)
		return NULL;
	pattern += 2;
	return strcmp(pattern + strcspn(pattern, "*?[\\|()"), ")") == 0 ? pattern : NULL;
}

bool test_name_may_match(const char *name, const char *pattern)
{
	size_t length = literal_length(pattern), whole = strlen(name);
	const char *only = only_name(pattern);

	if (only)
		return strncmp(name, only, whole) == 0 &&
		       (only[whole] == '.' || strcmp(only + whole, ")") == 0);
	if (length <= whole)
		return strncmp(name, pattern, length) == 0 &&
		       (pattern[length] != '\0' || length == whole);
	return strncmp(name, pattern, whole) == 0 && pattern[whole] == '.';
}

/* ---- a pattern that no test answers to ---- */

/* What was meant by a name; a file that is not there is called as its test is. malloc-ed. */
static char *name_meant(const char *pattern, const char *of)
{
	static const char suffix[] = ".litmus";
	const char *slash = of ? NULL : strrchr(pattern, '/');
	char *name = oclmm_strdup(slash ? slash + 1 : pattern);
	size_t length = strlen(name), tail = sizeof(suffix) - 1;

	if (!of && length > tail && strcmp(name + length - tail, suffix) == 0)
		name[length - tail] = '\0';
	return name;
}

/* Of the names the first `tests` are tests, the others families. */
static void guess_test(const char *pattern, const char *of, const char *const *names, size_t tests,
                       size_t count)
{
	char *meant = name_meant(pattern, of);
	bool whole = false;
	size_t begun = 0;

	for (size_t i = 0; i < tests; i++) {
		begun += strncmp(names[i], meant, strlen(meant)) == 0;
		whole = whole || strcmp(names[i], meant) == 0;
	}
	fprintf(stderr, "oclmm: no test%s%s matches \"%s\"%s", of ? " of " : ", file or folder",
	        of ? oclmm_shown(of).text : "", oclmm_shown(pattern).text,
	        suggest(meant, names, count, NULL).text);
	if (*meant && !whole && begun > 1)
		fprintf(stderr, " \"%s*\" is %zu tests", oclmm_shown(meant).text, begun);
	fputc('\n', stderr);
	free(meant);
}

/* ---- arguments ---- */

int report_error(const struct oclmm_error *error)
{
	char *text = oclmm_error_format(error);

	fputs(text, stderr);
	free(text);
	return OCLMM_EXIT_USAGE;
}

int option_cat(const char *option, const char *path, void *ret_model)
{
	struct oclmm_cat_model *model, **held = ret_model;
	struct oclmm_error error = {0};

	(void)option;
	if (oclmm_model_read(path, &error, &model) < 0) {
		report_error(&error);
		return OPTIONS_ERROR;
	}
	oclmm_cat_destroy(*held);
	*held = model;
	return 0;
}

/* What one argument stands for. */
enum kind { KIND_FILE, KIND_FOLDER, KIND_PATTERN };

/* What stands for a test on standard input. */
static bool is_input(const char *path)
{
	return strcmp(path, "-") == 0;
}

static bool kind_of_path(const char *path, enum kind *ret_kind)
{
	struct stat info;

	if (is_input(path)) {
		*ret_kind = KIND_FILE;
		return true;
	}
	if (stat(path, &info) < 0)
		return false;
	*ret_kind = S_ISDIR(info.st_mode) ? KIND_FOLDER : KIND_FILE;
	return true;
}

static bool same_file(const char *a, const char *b)
{
	struct stat x, y;

	return strcmp(a, b) == 0 || (stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev &&
	                             x.st_ino == y.st_ino);
}

/* The argument as a path, else below the suite's litmus/, with or without suffix. */
static char *resolve(const char *argument, const char *folder, enum kind *ret_kind)
{
	struct oclmm_text path = {0};

	if (kind_of_path(argument, ret_kind))
		return oclmm_strdup(argument);
	if (folder) {
		for (int suffix = 0; suffix < 2; suffix++) {
			oclmm_text_printf(&path, "%s/%s%s", folder, argument,
			                  suffix ? ".litmus" : "");
			/* a bare name is a variant's name first: `SB` is not the file's ten
			 * variants */
			if (strchr(argument, '/') || !suffix) {
				if (kind_of_path(oclmm_text_string(&path), ret_kind))
					return oclmm_text_steal(&path);
			}
			oclmm_text_finish(&path);
		}
	}
	*ret_kind = KIND_PATTERN;
	return NULL;
}

static int read_input(struct oclmm_error *error, struct oclmm_litmus **ret_litmus)
{
	enum { INPUT_MOST = 1 << 20 };
	static const char name[] = "standard input";
	struct oclmm_text text = {0};
	char block[4096];
	size_t length;
	int r = -EIO;

	/* more than the reader takes is refused by it, and need not end */
	while (text.length <= INPUT_MOST && (length = fread(block, 1, sizeof(block), stdin)) > 0)
		oclmm_text_add_bytes(&text, block, length);
	if (ferror(stdin))
		oclmm_error_set(error, r, "cannot read %s: %s", name, strerror(errno));
	else
		r = oclmm_litmus_parse(name, oclmm_text_string(&text), text.length, NULL, error,
		                       ret_litmus);
	oclmm_text_finish(&text);
	return r;
}

static int read_cycle(const struct suite_file *file, struct oclmm_error *error,
                      struct oclmm_litmus **ret_litmus)
{
	struct oclmm_cycle cycle;
	struct oclmm_text text = {0};
	int r = oclmm_cycle_parse(file->cycle, error, &cycle);

	if (r == 0)
		r = oclmm_cycle_file(&cycle, error, &text);
	if (r == 0)
		r = oclmm_litmus_parse(file->path, oclmm_text_string(&text), text.length, NULL,
		                       error, ret_litmus);
	oclmm_text_finish(&text);
	return r;
}

static int read_drawn(const struct suite_file *file, struct oclmm_error *error,
                      struct oclmm_litmus **ret_litmus)
{
	struct oclmm_text text;
	struct drawn drawn;
	uint64_t last;
	int r = -EINVAL;

	if (!drawn_is_named(file->path, &drawn, &last))
		return oclmm_error_set(error, r, "%s is no drawn kernel", file->path);
	drawn_write(&drawn, &text);
	r = oclmm_litmus_parse(file->path, oclmm_text_string(&text), text.length, NULL, error,
	                       ret_litmus);
	oclmm_text_finish(&text);
	return r;
}

static int read_one(const struct suite_file *file, struct oclmm_error *error,
                    struct oclmm_litmus **ret_litmus)
{
	if (file->is_drawn)
		return read_drawn(file, error, ret_litmus);
	if (file->cycle)
		return read_cycle(file, error, ret_litmus);
	if (is_input(file->path))
		return read_input(error, ret_litmus);
	return oclmm_litmus_read(file->path, NULL, error, ret_litmus);
}

struct reading {
	struct selection *selection;
	struct oclmm_error *errors;
	bool *refused;
};

static void read_nth(void *data, size_t index)
{
	struct reading *reading = data;
	struct selection *selection = reading->selection;

	reading->refused[index] = read_one(&selection->files.files[index], &reading->errors[index],
	                                   &selection->litmus[index]) < 0;
}

static int read_files(struct selection *selection)
{
	size_t count = selection->files.count;
	struct reading reading = {
		.selection = selection,
		.errors = oclmm_calloc(count + 1, sizeof(*reading.errors)),
		.refused = oclmm_calloc(count + 1, sizeof(*reading.refused)),
	};
	int status = 0;

	selection->litmus = oclmm_calloc(count + 1, sizeof(struct oclmm_litmus *));
	oclmm_in_parallel(count, 0, read_nth, &reading);
	/* all refused files are named, not only the first */
	for (size_t i = 0; i < count; i++)
		if (reading.refused[i])
			status = report_error(&reading.errors[i]);
	free(reading.errors);
	free(reading.refused);
	return status;
}

static void choose(struct selection *selection, size_t file, uint32_t variant)
{
	oclmm_grow(&selection->chosen, &selection->capacity, selection->count,
	           sizeof(*selection->chosen));
	selection->chosen[selection->count++] = (struct chosen){
		.file = &selection->files.files[file],
		.litmus = selection->litmus[file],
		.variant = &selection->litmus[file]->variants[variant],
	};
}

/* One pattern, and whether anything answered to it. */
struct pattern {
	const char *text;
	char *file; /* of FILE:PATTERN; NULL: of all files */
	bool exact; /* a name, whatever characters it has */
	bool matched;
};

static bool matches(struct pattern *patterns, size_t count, const char *path, const char *name)
{
	bool matched = false;

	for (size_t i = 0; i < count; i++) {
		if (patterns[i].file && !same_file(patterns[i].file, path))
			continue;
		if (oclmm_pattern_matches(patterns[i].text, name))
			matched = patterns[i].matched = true;
	}
	return matched;
}

/*
 * Files before `whole` were named themselves and give all their variants;
 * the others give what the patterns choose.
 */
static void choose_all(struct selection *selection, size_t whole, struct pattern *patterns,
                       size_t count)
{
	for (size_t file = 0; file < selection->files.count; file++) {
		const struct oclmm_litmus *litmus = selection->litmus[file];
		uint32_t variants = litmus ? litmus->variant_count : 0;

		for (uint32_t variant = 0; variant < variants; variant++) {
			bool matched = matches(patterns, count, selection->files.files[file].path,
			                       litmus->variants[variant].name);

			if (file < whole || matched)
				choose(selection, file, variant);
		}
	}
}

static bool has_file(const struct suite_files *files, size_t count, const char *relative)
{
	for (size_t i = 0; i < count; i++) {
		if (strcmp(files->files[i].relative, relative) == 0)
			return true;
	}
	return false;
}

/* Whether a pattern over the whole suite may choose anything of a file. */
static bool may_match(const char *path, const struct pattern *patterns, size_t count)
{
	char *name = test_name_peek(path);
	bool may = !name;

	for (size_t i = 0; !may && i < count; i++)
		may = patterns[i].exact
		              ? test_name_may_be(name, patterns[i].text)
		              : !patterns[i].file && test_name_may_match(name, patterns[i].text);
	free(name);
	return may;
}

/* Adds the suite's files that patterns may choose from, but for those that were named, so that no
 * variant is chosen twice. */
static int add_suite(struct suite_files *files, const char *folder, const struct pattern *patterns,
                     size_t count, struct oclmm_error *error)
{
	struct suite_files all = {0};
	size_t named = files->count;
	int r = suite_add_folder(&all, folder, error);

	for (size_t i = 0; i < all.count; i++) {
		if (!has_file(files, named, all.files[i].relative) &&
		    may_match(all.files[i].path, patterns, count))
			suite_add_file(files, all.files[i].path);
	}
	suite_files_finish(&all);
	return r;
}

struct names {
	const char **names;
	size_t capacity, count;
};

/* The variants of one file, or of all, or of those that are not the suite's. */
static void add_names(struct names *names, const struct selection *from, const char *path,
                      bool apart)
{
	for (size_t i = 0; i < from->files.count; i++) {
		const struct suite_file *file = &from->files.files[i];

		if ((path && !same_file(path, file->path)) || (apart && !file->apart))
			continue;
		for (uint32_t k = 0; k < from->litmus[i]->variant_count; k++) {
			oclmm_grow(&names->names, &names->capacity, names->count,
			           sizeof(*names->names));
			names->names[names->count++] = from->litmus[i]->variants[k].name;
		}
	}
}

/* Their folders are arguments, too. */
static void add_families(struct names *names, const struct selection *from)
{
	for (size_t i = 0; i < from->files.count; i++) {
		const char *family = from->files.files[i].family;

		/* files come sorted, those of a family together */
		if (!*family || (i && strcmp(from->files.files[i - 1].family, family) == 0))
			continue;
		oclmm_grow(&names->names, &names->capacity, names->count, sizeof(*names->names));
		names->names[names->count++] = family;
	}
}

static int refuse_unmatched(const struct selection *selection, const struct pattern *patterns,
                            size_t count)
{
	struct selection suite = {0};
	int status = 0, suite_status = -1;

	for (size_t i = 0; i < count; i++) {
		struct names names = {0};
		size_t tests;

		if (patterns[i].matched)
			continue;
		/* what was meant may be in a file that no pattern chooses from */
		if (!patterns[i].file && suite_status < 0)
			suite_status = selection_make(&suite, NULL, 0);
		if (!patterns[i].file && suite_status == 0)
			add_names(&names, &suite, NULL, false);
		add_names(&names, selection, patterns[i].file, !patterns[i].file);
		tests = names.count;
		if (!patterns[i].file && suite_status == 0)
			add_families(&names, &suite);
		guess_test(patterns[i].text, patterns[i].file, names.names, tests, names.count);
		free(names.names);
		status = OCLMM_EXIT_USAGE;
	}
	selection_finish(&suite);
	return status;
}

/* Of FILE:PATTERN the file, malloc-ed, and where the pattern begins; NULL where it is none. */
static char *split_argument(const char *argument, const char *folder, const char **ret_pattern)
{
	for (const char *colon = strchr(argument, ':'); colon; colon = strchr(colon + 1, ':')) {
		char *start = oclmm_strdup(argument), *path;
		enum kind kind;

		start[colon - argument] = '\0';
		path = resolve(start, folder, &kind);
		free(start);
		if (path && kind == KIND_FILE) {
			*ret_pattern = colon + 1;
			return path;
		}
		free(path);
	}
	return NULL;
}

static int add_file(struct suite_files *files, const char *path, struct oclmm_error *error)
{
	if (strcmp(oclmm_suffix(path), SUITE_LIST) == 0)
		return suite_add_list(files, path, error);
	suite_add_file(files, path);
	return 0;
}

/* Sorts the arguments into files and patterns. */
static int take_arguments(struct selection *selection, char **arguments, int count,
                          const char *folder, struct pattern *patterns, size_t *ret_patterns,
                          struct oclmm_error *error)
{
	size_t found = 0;

	for (int i = 0; i < count; i++) {
		enum kind kind;
		char *path = resolve(arguments[i], folder, &kind);
		size_t before = selection->files.count;
		struct drawn drawn;
		uint64_t last;
		int r = 0;

		if (kind == KIND_PATTERN && drawn_is_named(arguments[i], &drawn, &last)) {
			r = suite_add_drawn(&selection->files, drawn, last, error);
		} else if (kind == KIND_PATTERN) {
			struct pattern *pattern = &patterns[found++];

			pattern->text = arguments[i];
			pattern->file = split_argument(arguments[i], folder, &pattern->text);
		} else if (kind == KIND_FOLDER) {
			r = suite_add_folder(&selection->files, path, error);
		} else {
			r = add_file(&selection->files, path, error);
		}
		free(path);
		if (r < 0)
			return r;
		/* nothing fails for it, and whoever mistyped it would never know */
		if (kind != KIND_PATTERN && selection->files.count == before)
			fprintf(stderr, "oclmm: note: there is no test in \"%s\"\n",
			        oclmm_shown(arguments[i]).text);
	}
	*ret_patterns = found;
	return 0;
}

static bool is_named(const struct suite_files *files, const char *path)
{
	for (size_t i = 0; i < files->count; i++) {
		if (same_file(files->files[i].path, path))
			return true;
	}
	return false;
}

/* The files of patterns behind those that are named themselves. `*ret_open`: whether a pattern is
 * of all files. */
static int add_pattern_files(struct suite_files *files, const struct pattern *patterns,
                             size_t count, bool *ret_open, struct oclmm_error *error)
{
	int r = 0;

	*ret_open = false;
	for (size_t i = 0; r == 0 && i < count; i++) {
		if (!patterns[i].file)
			*ret_open = true;
		else if (!is_named(files, patterns[i].file))
			r = add_file(files, patterns[i].file, error);
	}
	return r;
}

/* Of the files that were named, finds those that are not below the suite's folder. */
static void find_apart(struct suite_files *files, const char *folder)
{
	char *suite = folder ? realpath(folder, NULL) : NULL;
	size_t length = suite ? strlen(suite) : 0;

	for (size_t i = 0; i < files->count; i++) {
		struct suite_file *file = &files->files[i];
		char *path;

		/* its name alone finds it */
		if (file->is_drawn)
			continue;
		path = realpath(file->path, NULL);
		file->apart = file->cycle || !path || !suite || strncmp(path, suite, length) != 0 ||
		              path[length] != '/';
		free(path);
	}
	free(suite);
}

bool names_kernel(const char *argument, const char *wanted, struct oclmm_error *error)
{
	size_t length = strlen(argument);

	if (length < 4 || strcmp(argument + length - 3, ".cl") != 0)
		return false;
	oclmm_error_set(error, -EINVAL, "%s is a kernel, not a %s", argument, wanted);
	snprintf(error->note, sizeof(error->note),
	         "oclmm check %s says what it may do, oclmm explain why, and oclmm run what a "
	         "device does (docs/kernels.md)",
	         argument);
	return true;
}

/* `ret_refused` gets the status of refused files, which are left out then; NULL: they end it. */
static int make(struct selection *selection, char **arguments, int count, int *ret_refused)
{
	struct pattern *patterns = oclmm_calloc((size_t)count + 1, sizeof(*patterns));
	struct oclmm_error error = {0};
	char *folder = suite_folder(&error);
	size_t pattern_count = 0, whole;
	int status = OCLMM_EXIT_USAGE;
	bool open;

	*selection = (struct selection){0};
	for (int i = 0; i < count; i++)
		if (names_kernel(arguments[i], "litmus test", &error))
			goto out_error;
	if (take_arguments(selection, arguments, count, folder, patterns, &pattern_count, &error) <
	    0)
		goto out_error;
	whole = selection->files.count;
	if (count == 0)
		patterns[pattern_count++].text = "*";
	if (add_pattern_files(&selection->files, patterns, pattern_count, &open, &error) < 0)
		goto out_error;
	find_apart(&selection->files, folder);
	if (open &&
	    (!folder || add_suite(&selection->files, folder, patterns, pattern_count, &error) < 0))
		goto out_error;
	status = read_files(selection);
	if (ret_refused) {
		*ret_refused = status;
		status = 0;
	}
	if (status == 0) {
		choose_all(selection, whole, patterns, pattern_count);
		/* what a pattern asks for may be in a file that is refused */
		if (count && !(ret_refused && *ret_refused))
			status = refuse_unmatched(selection, patterns, pattern_count);
	}
	goto out;
out_error:
	report_error(&error);
out:
	for (size_t i = 0; i < pattern_count; i++)
		free(patterns[i].file);
	free(folder);
	free(patterns);
	return status;
}

int selection_make(struct selection *selection, char **arguments, int count)
{
	return make(selection, arguments, count, NULL);
}

int selection_make_readable(struct selection *selection, char **arguments, int count,
                            int *ret_refused)
{
	*ret_refused = 0;
	return make(selection, arguments, count, ret_refused);
}

int selection_make_holding(struct selection *selection, const char *const *names, size_t count)
{
	struct pattern *patterns = oclmm_calloc(count + 1, sizeof(*patterns));
	struct oclmm_error error = {0};
	char *folder = suite_folder(&error);
	int status;

	*selection = (struct selection){0};
	for (size_t i = 0; i < count; i++) {
		struct drawn drawn;
		uint64_t last;

		patterns[i] = (struct pattern){.text = names[i], .exact = true};
		if (drawn_is_named(names[i], &drawn, &last) && last == drawn.number)
			suite_add_drawn(&selection->files, drawn, last, &error);
	}
	if (!folder || add_suite(&selection->files, folder, patterns, count, &error) < 0)
		status = report_error(&error);
	else
		status = read_files(selection);
	if (status == 0)
		choose_all(selection, selection->files.count, NULL, 0);
	free(folder);
	free(patterns);
	return status;
}

/* Adds to `in`, one flag per variant, the controls of those that are in. */
static void mark_controls(const struct oclmm_litmus *litmus, bool *in)
{
	bool more = true;

	while (more) {
		more = false;
		for (uint32_t i = 0; i < litmus->variant_count; i++) {
			const char *name = litmus->variants[i].control;
			const struct oclmm_variant *control =
				in[i] && name ? oclmm_litmus_find(litmus, name) : NULL;

			if (control && !in[control - litmus->variants])
				more = in[control - litmus->variants] = true;
		}
	}
}

/* Adds the control of each chosen test, and theirs, where they are not chosen. */
static void selection_add_controls(struct selection *selection)
{
	struct chosen *old = selection->chosen;
	size_t count = selection->count, next = 0;

	selection->chosen = NULL;
	selection->count = selection->capacity = 0;
	for (size_t file = 0; file < selection->files.count; file++) {
		const struct oclmm_litmus *litmus = selection->litmus[file];
		bool *in = oclmm_calloc(litmus->variant_count, sizeof(*in));

		for (; next < count && old[next].litmus == litmus; next++)
			in[old[next].variant - litmus->variants] = true;
		mark_controls(litmus, in);
		for (uint32_t variant = 0; variant < litmus->variant_count; variant++) {
			if (in[variant])
				choose(selection, file, variant);
		}
		free(in);
	}
	free(old);
}

static int compare_by_name(const void *a, const void *b)
{
	const struct chosen *const *x = a, *const *y = b;

	return strcmp((*x)->variant->name, (*y)->variant->name);
}

int selection_refuse_namesakes(const struct selection *selection)
{
	const struct chosen **sorted = oclmm_calloc(selection->count + 1, sizeof(*sorted));
	int status = 0;

	for (size_t i = 0; i < selection->count; i++)
		sorted[i] = &selection->chosen[i];
	qsort(sorted, selection->count, sizeof(*sorted), compare_by_name);
	for (size_t i = 1; status == 0 && i < selection->count; i++) {
		struct oclmm_error error = {0};

		if (compare_by_name(&sorted[i - 1], &sorted[i]) != 0)
			continue;
		oclmm_error_set(&error, -EEXIST,
		                "%s and %s both have a test \"%s\": results tell tests by name",
		                sorted[i - 1]->file->path, sorted[i]->file->path,
		                sorted[i]->variant->name);
		status = report_error(&error);
	}
	free(sorted);
	return status;
}

void selection_finish(struct selection *selection)
{
	for (size_t i = 0; selection->litmus && i < selection->files.count; i++)
		oclmm_litmus_destroy(selection->litmus[i]);
	free(selection->litmus);
	free(selection->chosen);
	suite_files_finish(&selection->files);
	*selection = (struct selection){0};
}

/* ---- profiles ---- */

/* The lists of tests of litmus/profiles. */

/* Lines that are neither empty nor a comment, as arguments into `text`. */
static char **split_lines(char *text, int *ret_count, bool *ret_controls)
{
	char **lines = NULL;
	size_t capacity = 0, count = 0;

	*ret_controls = false;
	for (char *save, *line = strtok_r(text, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		line += strspn(line, " \t");
		line[strcspn(line, "#\t\r ")] = '\0';
		if (strcmp(line, "+controls") == 0) {
			*ret_controls = true;
			continue;
		}
		if (!*line)
			continue;
		oclmm_grow(&lines, &capacity, count, sizeof(*lines));
		lines[count++] = line;
	}
	*ret_count = (int)count;
	return lines;
}

/* Names the one that may have been meant, or all that there are. */
static void refuse_profile(const char *profile, const char *folder)
{
	struct dirent **entries;
	struct oclmm_text there = {0};
	int found = scandir(folder, &entries, suite_is_visible, alphasort),
	    count = found < 0 ? 0 : found;
	const char **words = oclmm_calloc((size_t)count + 1, sizeof(*words));

	oclmm_text_add(&there, count ? "there are" : "there is none");
	for (int i = 0; i < count; i++) {
		words[i] = entries[i]->d_name;
		oclmm_text_printf(&there, "%s %s", i ? "," : "", words[i]);
	}
	fprintf(stderr, "oclmm: unknown profile \"%s\"%s\n", profile,
	        suggest(profile, words, (size_t)count, oclmm_text_string(&there)).text);
	for (int i = 0; i < count; i++)
		free(entries[i]);
	if (found >= 0)
		free(entries);
	free(words);
	oclmm_text_finish(&there);
}

static int refuse_empty(const char *profile)
{
	struct oclmm_error error = {0};

	oclmm_error_set(&error, -EINVAL, "the profile \"%s\" is empty", profile);
	return report_error(&error);
}

/* The text of a profile, or the status to leave with. */
static int read_profile(const char *suite, const char *profile, char **ret_text)
{
	struct oclmm_error error = {0};
	struct oclmm_text folder = {0}, path = {0};
	size_t length;
	int r = -ENOENT;

	oclmm_text_printf(&folder, "%s/profiles", suite);
	oclmm_text_printf(&path, "%s/%s", oclmm_text_string(&folder), profile);
	if (*profile && !strchr(profile, '/'))
		r = oclmm_read_file(oclmm_text_string(&path), ret_text, &length);
	if (r == -ENOENT) {
		refuse_profile(profile, oclmm_text_string(&folder));
	} else if (r < 0) {
		oclmm_error_set(&error, r, "cannot read profile %s: %s", oclmm_text_string(&path),
		                strerror(-r));
		report_error(&error);
	}
	oclmm_text_finish(&folder);
	oclmm_text_finish(&path);
	return r < 0 ? OCLMM_EXIT_USAGE : 0;
}

int selection_make_profile(struct selection *selection, const char *profile)
{
	struct oclmm_error error = {0};
	char *suite = suite_folder(&error), *text = NULL, **lines;
	bool controls;
	int count, status;

	*selection = (struct selection){0};
	if (!suite)
		return report_error(&error);
	status = read_profile(suite, profile, &text);
	free(suite);
	if (status)
		return status;
	lines = split_lines(text, &count, &controls);
	if (count)
		status = selection_make(selection, lines, count);
	else
		status = refuse_empty(profile);
	if (status == 0 && controls)
		selection_add_controls(selection);
	free(lines);
	free(text);
	return status;
}

bool selection_has_profile(const char *profile)
{
	struct oclmm_error ignored;
	char *suite = suite_folder(&ignored);
	struct oclmm_text path = {0};
	struct stat info;
	bool has;

	if (!suite)
		return false;
	oclmm_text_printf(&path, "%s/profiles/%s", suite, profile);
	has = stat(oclmm_text_string(&path), &info) == 0 && S_ISREG(info.st_mode);
	oclmm_text_finish(&path);
	free(suite);
	return has;
}

/* Tests by family, by what they use, and by the bugs that they catch. */

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
	add_feature(set, TEST_FEATURE_SPLIT_BARRIER,
	            s->kind == OCLMM_STATEMENT_BARRIER && s->barrier.part != OCLMM_BARRIER_WHOLE);
	add_feature(set, TEST_FEATURE_CLOCK, s->kind == OCLMM_STATEMENT_CLOCK);
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
	add_feature(set, TEST_FEATURE_IMAGE, needs.images || needs.images_2d);
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

/* A family of which nothing was chosen counts, too; a name of no folder is refused. */
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
