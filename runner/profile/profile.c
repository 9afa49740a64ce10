// SPDX-License-Identifier: Apache-2.0
#include "profile.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "platform/system.h"

/* ---- environments that launches take in turn ------------------------------- */

/*
 * The environment that a text starts from: what it does not name is as here.
 * Never changed, or old texts would mean something else; a field that comes
 * anew is 0 here, and 0 is how things were without it.
 */
static const struct oclmm_environment base = {
	.groups = 1,
	.lanes = 1,
	.rounds = 1,
	.stride = 1,
	.poll_every = 1,
	.stress_pattern = 4,
	.stress_lines = 1,
	.stress_stride = 1,
	.count_lanes = 1,
	.count_each = 1,
};

void oclmm_environment_brief(struct oclmm_text *text, const struct oclmm_environment *e)
{
	bool first = true;

	/* the three that say how large a launch is are always there */
#define OCLMM_X(field, meaning)                                                                    \
	if (e->field != base.field || &e->field == &e->groups || &e->field == &e->lanes ||         \
	    &e->field == &e->rounds) {                                                             \
		oclmm_text_printf(text, "%s%s=%u", first ? "" : " ", #field, e->field);            \
		first = false;                                                                     \
	}
	OCLMM_ENVIRONMENT(OCLMM_X)
#undef OCLMM_X
}

void oclmm_environment_set_print(struct oclmm_text *text, const struct oclmm_environment_set *set)
{
	for (uint32_t i = 0; i < set->count; i++) {
		oclmm_text_add(text, i ? "; " : "");
		oclmm_environment_brief(text, &set->environments[i]);
	}
}

static const char blanks[] = " \t";

static int refuse_at(struct oclmm_error *error, const char *text, const char *at, size_t length)
{
	char message[sizeof(error->message)];

	snprintf(message, sizeof(message), "%s", error->message);
	oclmm_error_set(error, -EINVAL, "%s", message);
	snprintf(error->source, sizeof(error->source), "%s", text);
	error->position = (struct oclmm_position){
		.line = 1,
		.column = (uint32_t)(at - text) + 1,
		.length = length ? (uint32_t)length : 1,
	};
	return -EINVAL;
}

/* One setting, `length` bytes long; `begin` is where its environment starts. */
static int parse_setting(const char *begin, const char *at, size_t length,
                         struct oclmm_error *error, struct oclmm_environment *environment)
{
	size_t name = strcspn(at, "=");
	char setting[96];

	for (const char *before = begin; name < length && before < at; before++) {
		bool starts = before == begin || strchr(blanks, before[-1]);

		if (starts && strncmp(before, at, name + 1) == 0)
			return oclmm_error_set(error, -EINVAL, "'%.*s' is set twice", (int)name,
			                       at);
	}
	if (length >= sizeof(setting))
		return oclmm_error_set(error, -EINVAL, "this is no field and its number");
	snprintf(setting, sizeof(setting), "%.*s", (int)length, at);
	return oclmm_environment_parse(setting, error, environment);
}

/* Up to the next semicolon or the end. */
static int parse_one(const char *text, const char **at, struct oclmm_error *error,
                     struct oclmm_environment *ret_environment)
{
	struct oclmm_environment environment = base;
	const char *begin = *at + strspn(*at, blanks), *next = begin;

	if (!*begin || *begin == ';') {
		oclmm_error_set(error, -EINVAL,
		                "here an environment is missing, such as groups=2 lanes=1");
		return refuse_at(error, text, begin, 1);
	}
	while (*next && *next != ';') {
		size_t length = strcspn(next, " \t;");

		if (parse_setting(begin, next, length, error, &environment) < 0)
			return refuse_at(error, text, next, length);
		next += length;
		next += strspn(next, blanks);
	}
	if (oclmm_environment_check_alone(&environment, error) < 0)
		return refuse_at(error, text, begin, strcspn(begin, ";"));
	*at = next;
	*ret_environment = environment;
	return 0;
}

int oclmm_environment_set_parse(const char *text, struct oclmm_error *error,
                                struct oclmm_environment_set *ret_set)
{
	struct oclmm_environment_set set = {.count = 0};
	const char *at = text;

	for (;;) {
		int r;

		if (set.count == OCLMM_ENVIRONMENTS_MAX) {
			oclmm_error_set(error, -EINVAL, "more than %d environments",
			                OCLMM_ENVIRONMENTS_MAX);
			return refuse_at(error, text, at, 1);
		}
		r = parse_one(text, &at, error, &set.environments[set.count++]);
		if (r < 0)
			return r;
		if (!*at)
			break;
		at++;
	}
	*ret_set = set;
	return 0;
}

/* Profiles: the shape of tests that they are for, their files, and where a user's are. */

/* ---- shapes ---- */

/* The outline as it grows, and which letter each location has, 0 for none yet. */
struct outline {
	struct oclmm_text text;
	char *letters;
	char next;
};

/* Behind z come digits; more locations than that share the last one. */
static char letter_after(char letter)
{
	return letter == 'z' ? '0' : letter == '9' ? '9' : (char)(letter + 1);
}

static char kind_of(const struct oclmm_use *use)
{
	if (!use->reads)
		return 'W';
	return use->writes ? 'U' : 'R';
}

static int add_use(void *data, const struct oclmm_use *use)
{
	struct outline *outline = data;
	uint32_t location = use->place->location;
	char access[2] = {kind_of(use), 0};

	if (!outline->letters[location]) {
		outline->letters[location] = outline->next;
		outline->next = letter_after(outline->next);
	}
	access[1] = outline->letters[location];
	oclmm_text_add_bytes(&outline->text, access, sizeof(access));
	return 0;
}

/* Where a test places its threads in sub-groups: their numbers, behind an `s`. */
static void add_sub_groups(struct oclmm_text *text, const struct oclmm_program *program)
{
	bool given = false;

	for (uint32_t i = 0; i < program->thread_count; i++)
		given |= program->threads[i].placement.sub_group_given;
	oclmm_text_add(text, given ? "s" : "");
	for (uint32_t i = 0; given && i < program->thread_count; i++) {
		const struct oclmm_placement *p = &program->threads[i].placement;

		oclmm_text_printf(text, "%" PRIx32, p->sub_group_given ? p->sub_group % 16 : 0);
	}
}

/* Work-groups by first appearance: 0, 1 … 9, then a …; host threads are `h`. */
static void add_placement(struct oclmm_text *text, const struct oclmm_program *program)
{
	static const char digits[] = "0123456789abcdef";
	uint32_t groups = 0;
	char *digit = oclmm_calloc(program->thread_count + 1, 1);

	for (uint32_t i = 0; i < program->thread_count; i++) {
		const struct oclmm_placement *p = &program->threads[i].placement;

		for (uint32_t j = 0; j < i && !digit[i]; j++) {
			const struct oclmm_placement *q = &program->threads[j].placement;

			if (oclmm_same_work_group(p, q))
				digit[i] = digit[j];
		}
		if (p->host)
			digit[i] = 'h';
		else if (p->child)
			digit[i] = 'k';
		else if (!digit[i])
			digit[i] = digits[groups++ % 16];
	}
	oclmm_text_printf(text, ".%s", digit);
	free(digit);
	add_sub_groups(text, program);
}

static void add_spaces(struct oclmm_text *text, const struct oclmm_program *program)
{
	bool global = false, local = false, shared = false, program_scope = false, image = false;

	for (uint32_t i = 0; i < program->location_count; i++) {
		const struct oclmm_location *l = &program->locations[i];

		local |= l->space == OCLMM_SPACE_LOCAL;
		shared |= l->space != OCLMM_SPACE_LOCAL &&
		          oclmm_storage_has_svm_atomics(l->storage);
		program_scope |= l->storage == OCLMM_STORAGE_PROGRAM;
		image |= oclmm_location_is_image(l);
		global |= oclmm_location_is_buffer(l) && !oclmm_location_is_image(l) &&
		          !oclmm_storage_has_svm_atomics(l->storage);
	}
	oclmm_text_printf(text, ".%s%s%s%s%s", global ? "g" : "", local ? "l" : "",
	                  shared ? "s" : "", program_scope ? "p" : "", image ? "i" : "");
}

void oclmm_shape(const struct oclmm_program *program, char *ret_shape)
{
	enum { OUTLINE_MOST = 72 };
	static const struct oclmm_visitor visitor = {.use = add_use};
	struct outline outline = {.next = 'a'};

	outline.letters = oclmm_calloc(program->location_count + 1, 1);
	for (uint32_t i = 0; i < program->thread_count; i++) {
		oclmm_text_add(&outline.text, i ? "-" : "");
		oclmm_visit_body(&visitor, program->threads[i].body, &outline);
	}
	if (outline.text.length > OUTLINE_MOST) {
		uint64_t hash = oclmm_hash(outline.text.data, outline.text.length);

		outline.text.length = OUTLINE_MOST - 24;
		outline.text.data[outline.text.length] = '\0';
		oclmm_text_printf(&outline.text, "~%016" PRIx64, hash);
	}
	add_placement(&outline.text, program);
	add_spaces(&outline.text, program);
	snprintf(ret_shape, OCLMM_SHAPE_SIZE, "%s", oclmm_text_string(&outline.text));
	oclmm_text_finish(&outline.text);
	free(outline.letters);
}

bool oclmm_shape_is_valid(const char *shape)
{
	size_t outline = strspn(shape, "RWU-~abcdefghijklmnopqrstuvwxyz0123456789"), placement,
	       spaces;

	if (outline == 0 || shape[outline] != '.')
		return false;
	placement = strspn(shape + outline + 1, "0123456789abcdefhks");
	if (placement == 0 || shape[outline + 1 + placement] != '.')
		return false;
	spaces = strspn(shape + outline + placement + 2, "glspi");
	return shape[outline + placement + 2 + spaces] == '\0' && strlen(shape) < OCLMM_SHAPE_SIZE;
}

static int smaller(int a, int b)
{
	return a < b ? a : b;
}

/* Letters to insert, drop or replace, row by row. */
static int edits(const char *a, int length_a, const char *b, int length_b)
{
	int row[OCLMM_SHAPE_SIZE];

	for (int j = 0; j <= length_b; j++)
		row[j] = j;
	for (int i = 1; i <= length_a; i++) {
		int diagonal = row[0];

		row[0] = i;
		for (int j = 1; j <= length_b; j++) {
			int replaced = diagonal + (a[i - 1] != b[j - 1]);

			diagonal = row[j];
			row[j] = smaller(replaced, smaller(row[j], row[j - 1]) + 1);
		}
	}
	return row[length_b];
}

int oclmm_shape_distance(const char *a, const char *b)
{
	size_t length_a = strcspn(a, "."), length_b = strcspn(b, ".");

	if (strcmp(a + length_a, b + length_b) != 0)
		return -1;
	if (length_a >= OCLMM_SHAPE_SIZE || length_b >= OCLMM_SHAPE_SIZE)
		return -1;
	return edits(a, (int)length_a, b, (int)length_b);
}

/* ---- a file ---- */

static const char head[] = "oclmm-profile 1";

enum kind { KIND_TEXT, KIND_SHAPE, KIND_NUMBER, KIND_QUANTITY };

/* All keys but the environments; each stands once. */
static const struct {
	const char *name;
	enum kind kind;
	size_t offset, size;
	const char *meaning;
} keys[] = {
#define KEY(name, kind, field, meaning)                                                            \
	{                                                                                          \
		name, kind, offsetof(struct oclmm_profile, field),                                 \
			sizeof(((struct oclmm_profile *)0)->field), meaning                        \
	}
	KEY("platform", KIND_TEXT, platform, NULL),
	KEY("device", KIND_TEXT, device, NULL),
	KEY("driver", KIND_TEXT, driver, NULL),
	KEY("shape", KIND_SHAPE, shape,
            "accesses by thread, its work-groups, spaces of the objects"),
	KEY("test", KIND_TEXT, test, "that was run to find it"),
	KEY("date", KIND_TEXT, date, NULL),
	KEY("seed", KIND_NUMBER, seed, NULL),
	KEY("seconds", KIND_QUANTITY, seconds, "that the search took"),
	KEY("candidates", KIND_NUMBER, candidates, "environments that were tried"),
	KEY("showing", KIND_NUMBER, showing, "of them, showed a weak outcome"),
	KEY("weak", KIND_QUANTITY, weak, "outcomes per second in the environments below"),
	KEY("weak-default", KIND_QUANTITY, weak_default, "the same in the default environments"),
	KEY("instances", KIND_QUANTITY, instances, "per second in the environments below"),
#undef KEY
};
enum { KEYS = OCLMM_COUNT(keys) };

/* ---- writing ---- */

/*
 * On one line, no longer than it may be where it is read, without blanks at its ends, which are not
 * read: a driver may give any name, or none.
 */
static void add_fitted(struct oclmm_text *text, const char *name, size_t size)
{
	struct oclmm_text shown = {0};
	size_t length;

	oclmm_text_add_shown(&shown, name + strspn(name, " \t"));
	length = shown.length < size ? shown.length : size - 1;
	/* between two characters */
	while (length && length < shown.length &&
	       ((unsigned char)shown.data[length] & 0xc0) == 0x80)
		length--;
	while (length && strchr(" \t", shown.data[length - 1]))
		length--;
	if (length)
		oclmm_text_add_bytes(text, shown.data, length);
	else
		oclmm_text_add(text, "?");
	oclmm_text_finish(&shown);
}

bool oclmm_profile_names(const char *name, const char *of_driver)
{
	enum { SIZE = sizeof(((struct oclmm_profile *)0)->device) };
	struct oclmm_text a = {0}, b = {0};
	bool same;

	add_fitted(&a, name, SIZE);
	add_fitted(&b, of_driver, SIZE);
	same = strcmp(oclmm_text_string(&a), oclmm_text_string(&b)) == 0;
	oclmm_text_finish(&a);
	oclmm_text_finish(&b);
	return same;
}

static void print_value(struct oclmm_text *text, const struct oclmm_profile *profile, size_t key)
{
	const char *field = (const char *)profile + keys[key].offset;
	uint64_t number;
	double quantity;

	switch (keys[key].kind) {
	case KIND_NUMBER:
		memcpy(&number, field, sizeof(number));
		oclmm_text_printf(text, "%" PRIu64, number);
		break;
	case KIND_QUANTITY:
		memcpy(&quantity, field, sizeof(quantity));
		oclmm_text_printf(text, "%.6g", quantity);
		break;
	case KIND_TEXT: add_fitted(text, field, keys[key].size); break;
	case KIND_SHAPE: oclmm_text_add(text, field); break;
	}
}

void oclmm_profile_print(struct oclmm_text *text, const struct oclmm_profile *profile)
{
	oclmm_text_printf(
		text, "%s\n# written by oclmm tune; oclmm run takes these environments in turn\n",
		head);
	for (size_t i = 0; i < KEYS; i++) {
		if (keys[i].meaning)
			oclmm_text_printf(text, "# %s: %s\n", keys[i].name, keys[i].meaning);
		oclmm_text_printf(text, "%-12s ", keys[i].name);
		print_value(text, profile, i);
		oclmm_text_add(text, "\n");
	}
	for (uint32_t i = 0; i < profile->set.count; i++) {
		oclmm_text_add(text, "environment  ");
		oclmm_environment_brief(text, &profile->set.environments[i]);
		oclmm_text_add(text, "\n");
	}
}

/* ---- reading ---- */

struct reader {
	struct oclmm_lines lines;
	bool seen[KEYS];
	struct oclmm_profile *profile;
	struct oclmm_error *error;
};

static int refuse(struct reader *reader, const char *at, size_t length, const char *message)
{
	return oclmm_lines_refuse(&reader->lines, at, length, NULL, reader->error, "%s", message);
}

static int read_number(struct reader *reader, const char *at, size_t length, size_t key)
{
	char *field = (char *)reader->profile + keys[key].offset;
	char text[32] = "", *end;

	if (length >= sizeof(text) || strspn(at, "0123456789.eE+") < length || *at == '+' ||
	    *at == 'e' || *at == 'E')
		return refuse(reader, at, length, "this is not a number");
	memcpy(text, at, length);
	errno = 0;
	if (keys[key].kind == KIND_NUMBER) {
		unsigned long long number = strtoull(text, &end, 10);
		uint64_t value = number;

		memcpy(field, &value, sizeof(value));
	} else {
		double quantity = strtod(text, &end);

		if (!isfinite(quantity))
			errno = ERANGE;
		memcpy(field, &quantity, sizeof(quantity));
	}
	return *end || errno ? refuse(reader, at, length, "this is not a number that fits here")
	                     : 0;
}

static int read_text(struct reader *reader, const char *at, size_t length, size_t key)
{
	char *field = (char *)reader->profile + keys[key].offset;

	if (length >= keys[key].size)
		return refuse(reader, at, length, "this is too long");
	memcpy(field, at, length);
	field[length] = '\0';
	if (keys[key].kind == KIND_SHAPE && !oclmm_shape_is_valid(field))
		return refuse(reader, at, length, "this is no shape, such as WaWb-RbRa.01.g");
	return 0;
}

static int read_environment(struct reader *reader, const char *at, size_t length)
{
	struct oclmm_environment_set *set = &reader->profile->set, one;
	struct oclmm_error error;
	char *text = oclmm_calloc(length + 1, 1);
	int r;

	memcpy(text, at, length);
	r = oclmm_environment_set_parse(text, &error, &one);
	free(text);
	if (r < 0)
		return refuse(reader, at + error.position.column - 1, error.position.length,
		              error.message);
	if (one.count != 1)
		return refuse(reader, at + strcspn(at, ";"), 1, "one environment to a line");
	if (set->count == OCLMM_ENVIRONMENTS_MAX)
		return refuse(reader, reader->lines.line, reader->lines.length,
		              "more environments than a run takes");
	set->environments[set->count++] = one.environments[0];
	return 0;
}

static int read_line(struct reader *reader)
{
	const char *end = reader->lines.line + reader->lines.length, *name = reader->lines.line,
		   *value;
	size_t name_length = 0, length;

	while (name + name_length < end && name[name_length] != ' ' && name[name_length] != '\t')
		name_length++;
	for (value = name + name_length; value < end && (*value == ' ' || *value == '\t');)
		value++;
	for (length = (size_t)(end - value);
	     length && (value[length - 1] == ' ' || value[length - 1] == '\t');)
		length--;
	if (!length)
		return refuse(reader, end, 1, "here a value is missing");
	if (name_length == strlen("environment") && memcmp(name, "environment", name_length) == 0)
		return read_environment(reader, value, length);
	for (size_t i = 0; i < KEYS; i++) {
		if (strlen(keys[i].name) != name_length ||
		    memcmp(keys[i].name, name, name_length) != 0)
			continue;
		if (reader->seen[i])
			return refuse(reader, name, name_length, "this stands here twice");
		reader->seen[i] = true;
		return keys[i].kind == KIND_TEXT || keys[i].kind == KIND_SHAPE
		               ? read_text(reader, value, length, i)
		               : read_number(reader, value, length, i);
	}
	return refuse(reader, name, name_length, "a profile has no such line");
}

static int check_complete(struct reader *reader)
{
	char message[64];

	for (size_t i = 0; i < KEYS; i++) {
		if (reader->seen[i])
			continue;
		snprintf(message, sizeof(message), "the line '%s' is missing", keys[i].name);
		return refuse(reader, reader->lines.line, 1, message);
	}
	if (reader->profile->set.count == 0)
		return refuse(reader, reader->lines.line, 1, "there is no environment");
	return 0;
}

int oclmm_profile_parse(const char *path, const char *text, size_t length,
                        struct oclmm_error *error, struct oclmm_profile *ret_profile)
{
	struct oclmm_profile profile = {0};
	struct reader reader = {.profile = &profile, .error = error};
	struct oclmm_lines *lines = &reader.lines;
	int r = 0;

	snprintf(profile.path, sizeof(profile.path), "%s", path);
	oclmm_lines_begin(lines, path, text, length);
	if (!oclmm_lines_next(lines) || lines->length != strlen(head) ||
	    memcmp(lines->line, head, lines->length) != 0) {
		lines->number = 1;
		return refuse(&reader, lines->line, lines->length,
		              "a profile begins with 'oclmm-profile 1'");
	}
	while (r == 0 && lines->ended && oclmm_lines_next(lines)) {
		if (memchr(lines->line, '\0', lines->length))
			r = refuse(&reader, memchr(lines->line, '\0', lines->length), 1,
			           "a byte 0 in a text");
		else if (lines->length && lines->line[0] != '#')
			r = read_line(&reader);
	}
	/* a file without its last line's end was cut short */
	if (r == 0 && !lines->ended)
		r = refuse(&reader, lines->line + lines->length, 1, "the file ends within a line");
	if (r == 0)
		r = check_complete(&reader);
	if (r == 0)
		*ret_profile = profile;
	return r;
}

int oclmm_profile_read(const char *path, struct oclmm_error *error,
                       struct oclmm_profile *ret_profile)
{
	char *text;
	size_t length;
	int r = oclmm_read_text(path, error, &text, &length);

	if (r < 0)
		return r;
	r = oclmm_profile_parse(path, text, length, error, ret_profile);
	free(text);
	return r;
}

/* ---- a folder ---- */

/* Where a user's profiles are, and which of them fits a test. */

static const char suffix[] = ".profile";

/* Letters and digits; anything else between them is one dash. */
static void add_plain(struct oclmm_text *text, const char *name)
{
	bool gap = false;

	for (; *name; name++) {
		if (!isalnum((unsigned char)*name)) {
			gap = true;
			continue;
		}
		if (gap && text->length)
			oclmm_text_add(text, "-");
		gap = false;
		oclmm_text_add_bytes(text, name, 1);
	}
}

/* Readable, and told apart by a hash where what is readable is the same. */
static char *device_folder(const struct oclmm_device_info *info)
{
	struct oclmm_text name = {0}, exact = {0};

	oclmm_text_printf(&exact, "%s/%s", info->platform, info->name);
	add_plain(&name, oclmm_text_string(&exact));
	if (name.length > 80) {
		name.length = 80;
		name.data[80] = '\0';
	}
	oclmm_text_printf(&name, "%s%08x", name.length ? "-" : "",
	                  (unsigned)oclmm_hash(exact.data, exact.length));
	oclmm_text_finish(&exact);
	return oclmm_text_steal(&name);
}

char *oclmm_profile_folder(const struct oclmm_device_info *info)
{
	const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
	char *device;
	struct oclmm_text path = {0};

	/* a relative one is to be ignored, says the XDG Base Directory Specification */
	if (data && oclmm_is_absolute(data))
		oclmm_text_add(&path, data);
	else if (home && oclmm_is_absolute(home))
		oclmm_text_printf(&path, "%s/.local/share", home);
	else
		return NULL;
	device = device_folder(info);
	oclmm_text_printf(&path, "/oclmm/profiles/%s", device);
	free(device);
	return oclmm_text_steal(&path);
}

int oclmm_profile_write(const char *folder, const struct oclmm_profile *profile, char **ret_path)
{
	struct oclmm_text path = {0}, text = {0};
	int r = oclmm_make_folders(folder);

	oclmm_text_printf(&path, "%s/%s%s", folder, profile->shape, suffix);
	oclmm_profile_print(&text, profile);
	if (r == 0)
		r = oclmm_write_file(oclmm_text_string(&path), oclmm_text_string(&text),
		                     text.length);
	oclmm_text_finish(&text);
	*ret_path = oclmm_text_steal(&path);
	return r;
}

static int compare_shapes(const void *a, const void *b)
{
	const struct oclmm_profile *x = a, *y = b;

	return strcmp(x->shape, y->shape);
}

static int add_file(struct oclmm_profiles *profiles, const char *path, struct oclmm_error *error)
{
	struct oclmm_profile profile;
	int r = oclmm_profile_read(path, error, &profile);

	if (r < 0)
		return r;
	for (size_t i = 0; i < profiles->count; i++) {
		if (strcmp(profiles->profiles[i].shape, profile.shape) == 0)
			return oclmm_error_set(error, -EINVAL,
			                       "%s and %s are of the same shape, %s",
			                       profiles->profiles[i].path, path, profile.shape);
	}
	oclmm_grow(&profiles->profiles, &profiles->capacity, profiles->count,
	           sizeof(*profiles->profiles));
	profiles->profiles[profiles->count++] = profile;
	return 0;
}

static int is_profile(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name);

	return entry->d_name[0] != '.' && length > strlen(suffix) &&
	       strcmp(entry->d_name + length - strlen(suffix), suffix) == 0;
}

static int add_folder(struct oclmm_profiles *profiles, const char *path, struct oclmm_error *error)
{
	struct dirent **entries;
	int count = scandir(path, &entries, is_profile, alphasort), r = 0;

	if (count < 0)
		return oclmm_error_set(error, -errno, "cannot read %s: %s", path, strerror(errno));
	for (int i = 0; i < count; i++) {
		struct oclmm_text file = {0};

		oclmm_text_printf(&file, "%s/%s", path, entries[i]->d_name);
		if (r == 0)
			r = add_file(profiles, oclmm_text_string(&file), error);
		oclmm_text_finish(&file);
		free(entries[i]);
	}
	free(entries);
	return r;
}

int oclmm_profiles_add(struct oclmm_profiles *profiles, const char *path, struct oclmm_error *error)
{
	size_t before = profiles->count;
	struct stat info;
	int r;

	if (stat(path, &info) < 0)
		return oclmm_error_set(error, -errno, "cannot open %s: %s", path, strerror(errno));
	r = S_ISDIR(info.st_mode) ? add_folder(profiles, path, error)
	                          : add_file(profiles, path, error);
	if (r < 0)
		profiles->count = before;
	else if (profiles->count > 1)
		qsort(profiles->profiles, profiles->count, sizeof(*profiles->profiles),
		      compare_shapes);
	return r;
}

void oclmm_profiles_finish(struct oclmm_profiles *profiles)
{
	free(profiles->profiles);
	*profiles = (struct oclmm_profiles){0};
}

const struct oclmm_profile *oclmm_profiles_find(const struct oclmm_profiles *profiles,
                                                const char *shape)
{
	const struct oclmm_profile *found = NULL;
	int nearest = 0;

	for (size_t i = 0; i < profiles->count; i++) {
		int distance = oclmm_shape_distance(profiles->profiles[i].shape, shape);

		if (distance >= 0 && (!found || distance < nearest)) {
			found = &profiles->profiles[i];
			nearest = distance;
		}
	}
	return found;
}
