// SPDX-License-Identifier: Apache-2.0
/* Where the suite lies, its files and its lists of cycles, and what is installed beside it. */
#include "suite.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "oclmm/base.h"
#include "oclmm/cycle.h"

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

void suite_add_file(struct suite_files *files, const char *path)
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

/* Cuts the last so many names off a path; false when it has fewer. */
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

int suite_add_list(struct suite_files *files, const char *path, struct oclmm_error *error)
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
