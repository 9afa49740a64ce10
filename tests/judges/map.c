// SPDX-License-Identifier: Apache-2.0
/*
 * Reads map files.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

struct reader {
	const char *path;
	struct oclmm_error *error;
	struct judge *judge;
	const char *line; /* with its end cut off */
	uint32_t number;
	const char *at;   /* behind the word */
	const char *word; /* the word read last */
	size_t length;    /* 0 at the end of the line */
	char *model;      /* the cat file's name */
};

static int refuse(const struct reader *reader, const char *message)
{
	struct oclmm_error *error = reader->error;

	oclmm_error_set(error, 0, "%s", message);
	snprintf(error->file, sizeof(error->file), "%s", reader->path);
	snprintf(error->source, sizeof(error->source), "%s", reader->line);
	error->position.line = reader->number;
	error->position.column = (uint32_t)(reader->word - reader->line + 1);
	error->position.length = reader->length == 0 ? 1 : (uint32_t)reader->length;
	return -EINVAL;
}

static void next(struct reader *reader)
{
	reader->word = reader->at + strspn(reader->at, " \t\r");
	reader->length = *reader->word == '#' ? 0 : strcspn(reader->word, " \t\r");
	reader->at = reader->word + reader->length;
}

static bool is(const struct reader *reader, const char *word)
{
	return strlen(word) == reader->length && memcmp(reader->word, word, reader->length) == 0;
}

/* ---- tags ------------------------------------------------------------ */

static int read_tags(struct reader *reader)
{
	struct judge *judge = reader->judge;

	for (next(reader); reader->length > 0; next(reader)) {
		if (judge->tag_count == JUDGE_MAX_TAGS)
			return refuse(reader, "too many tags");
		judge->tags[judge->tag_count] = oclmm_calloc(1, reader->length + 1);
		memcpy(judge->tags[judge->tag_count++], reader->word, reader->length);
	}
	return 0;
}

/** Finds the tag of some bytes. \return false when there is none. */
static bool find_tag(const struct judge *judge, const char *word, size_t length, unsigned *tags)
{
	for (unsigned i = 0; i < judge->tag_count; i++)
		if (strlen(judge->tags[i]) == length && memcmp(judge->tags[i], word, length) == 0) {
			*tags |= 1u << i;
			return true;
		}
	return false;
}

/* ---- one rule -------------------------------------------------------- */

static int read_word(struct reader *reader, struct judge_word *word)
{
	const char *at = reader->word, *end = reader->word + reader->length;
	size_t length = strcspn(at, ": \t\r");
	bool tag = false;

	memset(word, 0, sizeof(*word));
	if (is(reader, "ctrl"))
		word->what = JUDGE_CONTROL;
	else if (length == 1 && *at == 'R')
		word->what = JUDGE_READ;
	else if (length == 1 && *at == 'W')
		word->what = JUDGE_WRITE;
	else
		word->what = JUDGE_BETWEEN, tag = length != 1 || *at != 'F';
	if (tag && !find_tag(reader->judge, at, length, &word->tags))
		return refuse(reader, "this is no tag, and none of R, W, F and ctrl");
	for (at += length; at < end; at += length) {
		at++;
		length = strcspn(at, ": \t\r");
		if (!find_tag(reader->judge, at, length, &word->tags))
			return refuse(reader, "a tag is wanted behind a colon");
	}
	return 0;
}

/** Do the words have the accesses that the kind has, the read before the write? */
static bool fits_kind(const struct judge_rule *rule)
{
	unsigned reads = 0, writes = 0, early = 0;

	for (unsigned i = 0; i < rule->count; i++) {
		reads += rule->words[i].what == JUDGE_READ;
		writes += rule->words[i].what == JUDGE_WRITE;
		early += reads == 0 &&
		         (rule->words[i].what == JUDGE_CONTROL ||
		          (rule->words[i].what == JUDGE_WRITE && rule->kind == JUDGE_UPDATE));
	}
	return early == 0 && reads == (rule->kind == JUDGE_LOAD || rule->kind == JUDGE_UPDATE) &&
	       writes == (rule->kind == JUDGE_STORE || rule->kind == JUDGE_UPDATE);
}

static int read_words(struct reader *reader, struct judge_rule *rule)
{
	int result = 0;

	for (next(reader); result == 0 && reader->length > 0; next(reader)) {
		if (rule->count == JUDGE_MAX_WORDS)
			return refuse(reader, "too many words");
		result = read_word(reader, &rule->words[rule->count++]);
	}
	if (result != 0)
		return result;
	if (!fits_kind(rule))
		return refuse(reader, "load has one R, store one W, update R before W, fence none");
	return 0;
}

static bool add_order(const struct reader *reader, struct judge_rule *rule)
{
	for (unsigned i = 0; i < OCLMM_ORDER_COUNT; i++)
		if (is(reader, "*") || is(reader, oclmm_order_short((enum oclmm_order)i)))
			rule->orders |= 1u << i;
	return true;
}

static void add_scope(const struct reader *reader, struct judge_rule *rule)
{
	for (unsigned i = 0; i < OCLMM_SCOPE_COUNT; i++)
		if (is(reader, oclmm_scope_short((enum oclmm_scope)i)))
			rule->scopes |= 1u << i;
}

/** `in local` */
static int read_region(struct reader *reader, struct judge_rule *rule)
{
	next(reader);
	if (rule->regions != 0 || !(is(reader, "local") || is(reader, "global")))
		return refuse(reader, "expected local or global, once");
	rule->regions = 1u << (is(reader, "local") ? OCLMM_FLAG_LOCAL : OCLMM_FLAG_GLOBAL);
	return 0;
}

/** `acq sc @ dev all in local :` */
static int read_conditions(struct reader *reader, struct judge_rule *rule)
{
	bool scopes = false;

	for (next(reader); !is(reader, ":"); next(reader)) {
		unsigned orders_before = rule->orders, scopes_before = rule->scopes;

		if (reader->length == 0)
			return refuse(reader, "expected : and what it becomes");
		if (is(reader, "in")) {
			int result = read_region(reader, rule);

			if (result != 0)
				return result;
			continue;
		}
		if (is(reader, "@") && !scopes) {
			scopes = true;
			continue;
		}
		if (scopes)
			add_scope(reader, rule);
		else
			add_order(reader, rule);
		if (rule->orders == orders_before && rule->scopes == scopes_before)
			return refuse(reader, scopes ? "this is no scope, or twice"
			                             : "this is no order, or twice");
	}
	if (!scopes)
		rule->scopes = ~0u;
	if (rule->regions == 0)
		rule->regions = ~0u;
	return rule->orders == 0 ? refuse(reader, "expected an order") : 0;
}

static int read_rule(struct reader *reader)
{
	static const char *const kinds[] = {"load", "store", "update", "fence"};
	struct judge *judge = reader->judge;
	struct judge_rule *rule = &judge->rules[judge->rule_count];
	int result;

	if (judge->rule_count == JUDGE_MAX_RULES)
		return refuse(reader, "too many rules");
	for (unsigned i = 0; i < OCLMM_COUNT(kinds); i++)
		if (is(reader, kinds[i])) {
			rule->kind = (enum judge_kind)i;
			result = read_conditions(reader, rule);
			judge->rule_count++;
			return result == 0 ? read_words(reader, rule) : result;
		}
	return refuse(reader, "expected model, tags, load, store, update or fence");
}

/* ---- the file -------------------------------------------------------- */

static int read_model(struct reader *reader)
{
	next(reader);
	if (reader->length == 0)
		return refuse(reader, "expected the name of a cat file");
	free(reader->model);
	reader->model = oclmm_calloc(1, reader->length + 1);
	memcpy(reader->model, reader->word, reader->length);
	return 0;
}

static int read_line(struct reader *reader)
{
	reader->at = reader->line;
	next(reader);
	if (reader->length == 0)
		return 0;
	if (is(reader, "model"))
		return read_model(reader);
	if (is(reader, "tags"))
		return read_tags(reader);
	return read_rule(reader);
}

static int read_lines(struct reader *reader, char *text)
{
	char *rest = NULL;
	int result = 0;

	for (char *line = text; result == 0 && line != NULL; line = rest) {
		rest = strchr(line, '\n');
		if (rest != NULL)
			*rest++ = '\0';
		reader->line = line;
		reader->number++;
		result = read_line(reader);
	}
	return result;
}

/** Reads the cat file beside the map. */
static int read_cat(struct reader *reader)
{
	static const struct oclmm_cat_name names[] = {
#define OCLMM_X(name, string, type) {string, type},
		JUDGE_NAMES(OCLMM_X)
#undef OCLMM_X
	};
	struct judge *judge = reader->judge;
	const char *slash = strrchr(reader->path, '/');
	struct oclmm_text path;
	int result;

	memcpy(judge->names, names, sizeof(names));
	for (unsigned i = 0; i < judge->tag_count; i++)
		judge->names[JUDGE_NAME_COUNT + i] = (struct oclmm_cat_name){judge->tags[i],
		                                                             OCLMM_CAT_SET};
	if (reader->model == NULL)
		return oclmm_error_set(reader->error, -EINVAL, "%s names no model", reader->path);
	oclmm_text_init(&path);
	if (slash != NULL)
		oclmm_text_add_bytes(&path, reader->path, (size_t)(slash + 1 - reader->path));
	oclmm_text_add(&path, reader->model);
	result = oclmm_cat_read(oclmm_text_string(&path), judge->names,
	                        JUDGE_NAME_COUNT + judge->tag_count, reader->error, &judge->model);
	oclmm_text_finish(&path);
	return result;
}

/** Reads one more rule and puts it in front of the others. */
static int read_first(struct reader *reader, const char *line)
{
	struct judge *judge = reader->judge;
	struct judge_rule rule;
	int result;

	reader->line = line;
	reader->number++;
	reader->at = line;
	next(reader);
	result = read_rule(reader);
	if (result != 0)
		return result;
	rule = judge->rules[judge->rule_count - 1];
	memmove(judge->rules + 1, judge->rules, (judge->rule_count - 1) * sizeof(rule));
	judge->rules[0] = rule;
	return 0;
}

int judge_read(const char *path, const char *first, struct oclmm_error *error,
               struct judge **ret_judge)
{
	struct reader reader = {.path = path, .error = error};
	const char *slash = strrchr(path, '/');
	char *text;
	size_t length;
	int result = oclmm_read_file(path, &text, &length);

	if (result != 0)
		return oclmm_error_set(error, result, "cannot read %s: %s", path,
		                       strerror(-result));
	reader.judge = oclmm_calloc(1, sizeof(*reader.judge));
	reader.judge->name = oclmm_strdup(slash != NULL ? slash + 1 : path);
	reader.judge->name[strcspn(reader.judge->name, ".")] = '\0';
	result = read_lines(&reader, text);
	if (result == 0 && first != NULL)
		result = read_first(&reader, first);
	if (result == 0)
		result = read_cat(&reader);
	free(reader.model);
	free(text);
	if (result != 0)
		judge_destroy(reader.judge);
	else
		*ret_judge = reader.judge;
	return result;
}

void judge_destroy(struct judge *judge)
{
	if (judge == NULL)
		return;
	oclmm_cat_destroy(judge->model);
	for (unsigned i = 0; i < judge->tag_count; i++)
		free(judge->tags[i]);
	free(judge->name);
	free(judge);
}

const char *judge_name(const struct judge *judge)
{
	return judge->name;
}
