// SPDX-License-Identifier: Apache-2.0
/*
 * Reads expected sets back. The lines of a section stand in a fixed order, and each is held
 * against those before it. In the end the whole file is printed again: what is not as it would be
 * written is refused.
 */
#include "parse.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* What the variants of a section share, while it is read. */
struct section {
	struct oclmm_expected_file *file;
	struct oclmm_expected set;
	size_t first;            /* of its entries in the file */
	const char *observation; /* where the word stands */
	struct states states;
};

/* Copies the rest of the line. */
static const char *take_rest(struct reader *reader, struct oclmm_arena *arena)
{
	const char *text;
	size_t length;

	reader_until(reader, "", &text, &length);
	return oclmm_arena_strndup(arena, text, length);
}

static int next_line(struct reader *reader, const char *wanted)
{
	if (!reader_line(reader))
		return reader_refuse(reader, "the file ends where %s is expected", wanted);
	return 0;
}

/* Takes the prefix of the current line. */
static int expect_prefix(struct reader *reader, const char *prefix)
{
	return reader_begins(reader, prefix) ? 0 : reader_refuse(reader, "expected \"%s\"", prefix);
}

/* Steps to the next line and takes its prefix. */
static int expect_line(struct reader *reader, const char *prefix)
{
	int r = next_line(reader, prefix);

	return r < 0 ? r : expect_prefix(reader, prefix);
}

static int take_hash(struct reader *reader, uint64_t *ret_hash)
{
	static const char hexadecimal[] = "0123456789abcdef";
	const char *start = reader->at, *digit;
	uint64_t hash = 0;

	while (reader->at < reader_end(reader) && *reader->at &&
	       (digit = strchr(hexadecimal, *reader->at))) {
		hash = hash << 4 | (uint64_t)(digit - hexadecimal);
		reader->at++;
	}
	if (reader->at - start != 16 || !reader_literal(reader, " ")) {
		reader->at = start;
		return reader_refuse(reader, "expected 16 hexadecimal digits and a space");
	}
	*ret_hash = hash;
	return 0;
}

/* `0123456789abcdef SB+sc`, behind `variant `. */
static int take_variant(struct reader *reader, struct oclmm_expected_file *file)
{
	struct oclmm_expected *entry;
	const char *name, *start;
	uint64_t hash = 0;
	int r = take_hash(reader, &hash);

	if (r < 0)
		return r;
	start = reader->at;
	name = take_rest(reader, file->arena);
	reader->at = start;
	if (!*name)
		return reader_refuse(reader, "expected the name of a variant");
	if (oclmm_expected_find(file, name))
		return reader_refuse(reader, "a second entry for \"%s\"", name);
	entry = expected_append(file);
	entry->name = name;
	entry->hash = hash;
	return 0;
}

/* The current line is the section's first. On return it is the first that names no variant. */
static int take_variants(struct reader *reader, struct section *section)
{
	int r = expect_prefix(reader, EXPECTED_VARIANT);

	while (r == 0) {
		if ((r = take_variant(reader, section->file)) < 0 ||
		    (r = next_line(reader, "\"" EXPECTED_CONDITION "\"")) < 0)
			return r;
		if (!reader_begins(reader, EXPECTED_VARIANT))
			return 0;
	}
	return r;
}

/* `exists (…)` */
static int take_condition(struct reader *reader, struct section *section)
{
	static const enum oclmm_quantifier all[] = {
		OCLMM_QUANTIFIER_EXISTS,
		OCLMM_QUANTIFIER_NOT_EXISTS,
		OCLMM_QUANTIFIER_FORALL,
	};
	const char *text;
	size_t length, i = 0;
	int r = expect_prefix(reader, EXPECTED_CONDITION);

	if (r < 0)
		return r;
	while (i < OCLMM_COUNT(all) && !reader_literal(reader, oclmm_quantifier_word(all[i])))
		i++;
	if (i == OCLMM_COUNT(all))
		return reader_refuse(reader, "expected \"exists\", \"~exists\" or \"forall\"");
	section->set.quantifier = all[i];
	if (!reader_literal(reader, " ("))
		return reader_refuse(reader, "expected \" (\"");
	reader_until(reader, "", &text, &length);
	if (length == 0 || text[length - 1] != ')')
		return reader_refuse(reader, "expected \")\"");
	section->set.condition = oclmm_arena_strndup(section->file->arena, text, length - 1);
	return 0;
}

static int take_observation(struct reader *reader, struct section *section)
{
	int r = expect_line(reader, EXPECTED_OBSERVATION);

	if (r < 0)
		return r;
	section->observation = reader->at;
	for (int word = OCLMM_OBSERVATION_NEVER; word <= OCLMM_OBSERVATION_DISPUTED; word++) {
		if (!reader_literal(reader, oclmm_observation_word((enum oclmm_observation)word)))
			continue;
		section->set.observation = (enum oclmm_observation)word;
		return reader_at_end(reader) ? 0 : reader_refuse(reader, "unexpected text");
	}
	return reader_refuse(reader, "expected \"Never\", \"Sometimes\", \"Always\", "
	                             "\"Undefined\" or \"Disputed\"");
}

static int take_optional(struct reader *reader, struct section *section)
{
	struct oclmm_arena *arena = section->file->arena;
	struct oclmm_expected *set = &section->set;
	bool taken;
	int r = parse_state(reader, arena, set, &section->states, &taken);

	if (r < 0 || taken)
		return r;
	if (reader_begins(reader, EXPECTED_UNDEFINED)) {
		set->undefined = true;
		set->undefined_why = take_rest(reader, arena);
	} else if (reader_begins(reader, EXPECTED_DEFINED)) {
		return parse_versions(reader, &set->defined);
	} else if (reader_begins(reader, EXPECTED_MODELS)) {
		set->models = take_rest(reader, arena);
	} else if (reader_begins(reader, EXPECTED_CUT) && reader_at_end(reader)) {
		set->may_be_cut = true;
	} else {
		reader->at = reader->lines.line;
		return reader_refuse(reader, "unknown line");
	}
	return 0;
}

/* Whether some state is listed for all versions together. */
static bool has_meaning(const struct states *states)
{
	for (size_t i = 0; i < states->count; i++)
		if (states->at[i].status != OCLMM_STATUS_UNDEFINED)
			return true;
	return false;
}

/* The states and the optional lines, up to the empty one that closes the section. */
static int take_rest_of_section(struct reader *reader, struct section *section)
{
	int r;

	while ((r = next_line(reader, "an empty line")) == 0 && reader->lines.length > 0) {
		r = take_optional(reader, section);
		if (r < 0)
			return r;
		if (section->set.undefined && has_meaning(&section->states)) {
			reader->at = reader->lines.line;
			return reader_refuse(reader, "an undefined program has no states");
		}
	}
	return r;
}

/* Gives each entry of the section what they share. */
static int finish_section(struct reader *reader, struct section *section)
{
	struct oclmm_expected_file *file = section->file;
	struct oclmm_expected *set = &section->set;
	enum oclmm_observation observation;

	set->states = oclmm_arena_copy(file->arena, section->states.at,
	                               section->states.count * sizeof(*set->states));
	set->state_count = (uint32_t)section->states.count;
	expected_count_states(set);
	if (!set->undefined && section->states.count && !has_meaning(&section->states)) {
		reader->at = reader->lines.line;
		return reader_refuse(reader, "states of an undefined program, which is not said "
		                             "to be one");
	}
	observation = expected_observe(set);
	if (set->observation != observation) {
		reader_go_to(reader, section->observation);
		return reader_refuse(reader, "the states below say \"%s\"",
		                     oclmm_observation_word(observation));
	}
	for (size_t i = section->first; i < file->count; i++) {
		set->name = file->entries[i]->name;
		set->hash = file->entries[i]->hash;
		*file->entries[i] = *set;
	}
	return 0;
}

/* The current line is the section's first. */
static int take_section(struct reader *reader, struct oclmm_expected_file *file)
{
	struct section section = {.file = file, .first = file->count};
	int r;

	if ((r = take_variants(reader, &section)) == 0 &&
	    (r = take_condition(reader, &section)) == 0 &&
	    (r = take_observation(reader, &section)) == 0 &&
	    (r = expect_line(reader, EXPECTED_VALUES)) == 0 &&
	    (r = parse_values(reader, file->arena, &section.set)) == 0 &&
	    (r = take_rest_of_section(reader, &section)) == 0)
		r = finish_section(reader, &section);
	free(section.states.at);
	return r;
}

static int take_introduction(struct reader *reader, struct oclmm_expected_file *file)
{
	size_t tail = strlen(EXPECTED_INTRODUCTION_END) - 1, length;
	const char *text;
	int r = expect_line(reader, EXPECTED_INTRODUCTION);

	if (r < 0)
		return r;
	reader_until(reader, "", &text, &length);
	if (length < tail || memcmp(text + length - tail, EXPECTED_INTRODUCTION_END, tail) != 0)
		return reader_refuse(reader, "not the first line of a file of expected sets");
	file->litmus = oclmm_arena_strndup(file->arena, text, length - tail);
	if ((r = next_line(reader, "an empty line")) < 0)
		return r;
	return !reader->lines.length ? 0 : reader_refuse(reader, "expected an empty line");
}

/* Printed again, a file must give the text it was read from: that is the strictness. */
static int check_canonical(struct reader *reader, const struct oclmm_expected_file *file,
                           size_t length)
{
	const char *written = reader->text;
	struct oclmm_text text = {0};
	size_t same = 0;
	bool equal;

	oclmm_expected_print(&text, file);
	equal = text.length == length && memcmp(text.data, written, length) == 0;
	while (!equal && same < length && same < text.length && text.data[same] == written[same])
		same++;
	oclmm_text_finish(&text);
	if (equal)
		return 0;
	reader_go_to(reader, reader->text + same);
	return reader_refuse(reader, "this is not how \"oclmm check --write\" would write it");
}

int oclmm_expected_parse(const char *path, const char *text, size_t length,
                         struct oclmm_error *error, struct oclmm_expected_file **ret_file)
{
	struct oclmm_expected_file *file = oclmm_expected_create("");
	struct reader reader;
	int r;

	reader_init(&reader, path, text, length, error);
	r = take_introduction(&reader, file);
	while (r == 0 && reader_line(&reader))
		r = take_section(&reader, file);
	if (r == 0)
		r = check_canonical(&reader, file, length);
	if (r < 0) {
		oclmm_expected_destroy(file);
		return r;
	}
	*ret_file = file;
	return 0;
}

int oclmm_expected_read(const char *path, struct oclmm_error *error,
                        struct oclmm_expected_file **ret_file)
{
	char *text;
	size_t length;
	struct stat info;
	int r;

	/* it comes with a tree that others wrote: a link to a pipe or a device may never end */
	if (stat(path, &info) == 0 && !S_ISREG(info.st_mode))
		return oclmm_error_set(error, -EINVAL, "%s is no regular file", path);
	r = oclmm_read_text(path, error, &text, &length);
	if (r < 0)
		return r;
	r = oclmm_expected_parse(path, text, length, error, ret_file);
	free(text);
	return r;
}
