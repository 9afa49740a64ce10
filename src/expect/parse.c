// SPDX-License-Identifier: Apache-2.0
/*
 * Reads expected sets back. The lines of an entry stand in a fixed order;
 * what each says is checked against the others in the end by printing the
 * entry again: a file that was edited into inconsistency is refused.
 */
#include "internal.h"
#include "reader.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* An entry being read: what can only be resolved once `Values=` is known. */
struct pending {
	struct oclmm_arena *arena;
	struct oclmm_expected *expected;
	struct oclmm_expected_state *states;
	size_t count;
	size_t capacity;
	const char *names[64]; /* observables in the order of the first state or of `Values=` */
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
		return reader_refuse(reader, "the file ends where \"%s\" is expected", wanted);
	return 0;
}

static int expect_line(struct reader *reader, const char *prefix)
{
	int r = next_line(reader, prefix);

	if (r < 0)
		return r;
	if (!reader_begins(reader, prefix))
		return reader_refuse(reader, "expected \"%s\"", prefix);
	return 0;
}

/* Takes `NAME` before `stop` and checks that it is observable `index`. */
static int take_name(struct reader *reader, struct pending *pending, uint32_t index,
                     const char *stop)
{
	const char *start = reader->at, *text;
	size_t length;

	if (index >= OCLMM_COUNT(pending->names))
		return reader_refuse(reader, "more than %zu observables",
		                     OCLMM_COUNT(pending->names));
	reader_until(reader, stop, &text, &length);
	if (length == 0)
		return reader_refuse(reader, "expected the name of an observable");
	if (!pending->names[index]) {
		pending->names[index] = oclmm_arena_strndup(pending->arena, text, length);
		return 0;
	}
	if (strlen(pending->names[index]) == length &&
	    memcmp(pending->names[index], text, length) == 0)
		return 0;
	reader->at = start;
	return reader_refuse(reader, "expected the observable \"%s\"", pending->names[index]);
}

/* `0:r0=0; 1:r0=1;` up to the end of the line or the comment. */
static int take_state(struct reader *reader, struct pending *pending, enum oclmm_status status,
                      struct oclmm_expected_state **ret_state)
{
	int64_t values[OCLMM_COUNT(pending->names)];
	struct oclmm_expected_state *state;
	uint32_t width = 0;
	int r;

	while (!reader_at_end(reader) && *reader->at != '#') {
		bool is_unsigned = false;

		r = take_name(reader, pending, width, "=;");
		if (r < 0)
			return r;
		if (!reader_literal(reader, "=") ||
		    !reader_value(reader, &values[width], &is_unsigned))
			return reader_refuse(reader, "expected a value");
		if (!reader_literal(reader, ";"))
			return reader_refuse(reader, "expected \";\"");
		reader_literal(reader, " ");
		width++;
	}
	if (pending->count && width != pending->expected->width)
		return reader_refuse(reader, "the state has %u values, others have %u", width,
		                     pending->expected->width);
	pending->expected->width = width;
	oclmm_grow(&pending->states, &pending->capacity, pending->count, sizeof(*pending->states));
	state = &pending->states[pending->count++];
	*state = (struct oclmm_expected_state){
		.values = oclmm_arena_copy(pending->arena, values, width * sizeof(*values)),
		.status = status,
	};
	*ret_state = state;
	return 0;
}

static int take_kind(struct reader *reader, struct oclmm_expected *expected)
{
	static const enum oclmm_quantifier all[] = {
		OCLMM_QUANTIFIER_EXISTS,
		OCLMM_QUANTIFIER_NOT_EXISTS,
		OCLMM_QUANTIFIER_FORALL,
	};
	const char *name;
	size_t length;

	reader_until(reader, " ", &name, &length);
	if (length == 0)
		return reader_refuse(reader, "expected the test's name");
	reader_literal(reader, " ");
	for (size_t i = 0; i < OCLMM_COUNT(all); i++) {
		if (!reader_literal(reader, oclmm_log_kind(all[i])))
			continue;
		expected->quantifier = all[i];
		return reader_at_end(reader) ? 0 : reader_refuse(reader, "unexpected text");
	}
	return reader_refuse(reader, "expected \"Allowed\", \"Forbidden\" or \"Required\"");
}

static int take_states(struct reader *reader, struct pending *pending)
{
	struct oclmm_expected_state *state;
	uint32_t count;
	int r = expect_line(reader, "States ");

	if (r < 0)
		return r;
	if (!reader_count(reader, &count) || !reader_at_end(reader))
		return reader_refuse(reader, "expected the number of states");
	for (uint32_t i = 0; i < count; i++) {
		r = next_line(reader, "a state");
		if (r < 0)
			return r;
		r = take_state(reader, pending, OCLMM_STATUS_ALLOWED, &state);
		if (r < 0)
			return r;
		if (!reader_at_end(reader))
			return reader_refuse(reader, "unexpected text after the state");
	}
	pending->expected->allowed_count = count;
	return 0;
}

/* From `Ok` to `Condition`. Which of `Ok` and `No` is right shows when it is printed again. */
static int take_witnesses(struct reader *reader, struct pending *pending)
{
	struct oclmm_expected *expected = pending->expected;
	const char *text, *quantifier = oclmm_log_quantifier(expected->quantifier);
	size_t length;
	uint32_t positive, negative;
	int r = next_line(reader, "Ok");

	if (r < 0)
		return r;
	if (!reader_begins(reader, "Ok") && !reader_begins(reader, "No") &&
	    !reader_begins(reader, "Undef"))
		return reader_refuse(reader, "expected \"Ok\", \"No\" or \"Undef\"");
	if ((r = expect_line(reader, "Witnesses")) < 0 ||
	    (r = expect_line(reader, "Positive: ")) < 0)
		return r;
	if (!reader_count(reader, &positive) || !reader_literal(reader, " Negative: ") ||
	    !reader_count(reader, &negative))
		return reader_refuse(reader, "expected \"Positive: N Negative: N\"");
	expected->positive = expected->quantifier == OCLMM_QUANTIFIER_NOT_EXISTS ? negative
	                                                                         : positive;
	if ((r = expect_line(reader, "Condition ")) < 0)
		return r;
	if (!reader_literal(reader, quantifier) || !reader_literal(reader, " ("))
		return reader_refuse(reader, "expected \"%s (\"", quantifier);
	reader_until(reader, "", &text, &length);
	if (length == 0 || text[length - 1] != ')')
		return reader_refuse(reader, "expected \")\"");
	expected->condition = oclmm_arena_strndup(pending->arena, text, length - 1);
	return 0;
}

static int take_observation(struct reader *reader, struct oclmm_expected *expected)
{
	const char *text;
	size_t length;
	int r = expect_line(reader, "Observation ");

	if (r < 0)
		return r;
	reader_until(reader, " ", &text, &length);
	reader_literal(reader, " ");
	for (int word = OCLMM_OBSERVATION_NEVER; word <= OCLMM_OBSERVATION_DISPUTED; word++) {
		if (!reader_literal(reader, oclmm_observation_word((enum oclmm_observation)word)))
			continue;
		expected->observation = (enum oclmm_observation)word;
		return 0;
	}
	return reader_refuse(reader, "expected \"Never\", \"Sometimes\", \"Always\", "
	                             "\"Undefined\" or \"Disputed\"");
}

static int take_hash(struct reader *reader, struct oclmm_expected *expected)
{
	char digits[17] = "";
	char *end;
	int r = expect_line(reader, "Hash=");

	if (r < 0)
		return r;
	if (reader->line_end - reader->at != 16)
		return reader_refuse(reader, "expected 16 hexadecimal digits");
	memcpy(digits, reader->at, 16);
	expected->hash = strtoull(digits, &end, 16);
	if (*end)
		return reader_refuse(reader, "expected 16 hexadecimal digits");
	return 0;
}

/* `0,1}` behind the brace: the values of one observable, ascending. */
static int take_domain(struct reader *reader, struct oclmm_arena *arena,
                       struct oclmm_outcome_domain *domain, bool *ret_unsigned)
{
	int64_t *values = NULL;
	size_t capacity = 0, count = 0;
	int r = 0;

	/* a filter that no execution passes leaves no value */
	*domain = (struct oclmm_outcome_domain){0};
	if (reader->at < reader->line_end && *reader->at == '}')
		return 0;
	do {
		oclmm_grow(&values, &capacity, count, sizeof(*values));
		if (!reader_value(reader, &values[count], ret_unsigned)) {
			r = reader_refuse(reader, "expected a value");
			goto out;
		}
		if (count && values[count] <= values[count - 1]) {
			r = reader_refuse(reader, "the values are not in ascending order");
			goto out;
		}
		count++;
	} while (reader_literal(reader, ","));
	domain->values = oclmm_arena_copy(arena, values, count * sizeof(*values));
	domain->count = (uint32_t)count;
out:
	free(values);
	return r;
}

static int take_space(struct reader *reader, struct pending *pending)
{
	struct oclmm_expected *expected = pending->expected;
	struct oclmm_outcome_domain domains[OCLMM_COUNT(pending->names)];
	enum oclmm_type types[OCLMM_COUNT(pending->names)];
	uint32_t width = 0;
	uint64_t size = 1;
	int r = expect_line(reader, "Values=");

	if (r < 0)
		return r;
	while (!reader_at_end(reader)) {
		bool is_unsigned = false;

		if ((r = take_name(reader, pending, width, "={")) < 0)
			return r;
		if (!reader_literal(reader, "={"))
			return reader_refuse(reader, "expected \"={\"");
		if ((r = take_domain(reader, pending->arena, &domains[width], &is_unsigned)) < 0)
			return r;
		if (!reader_literal(reader, "};"))
			return reader_refuse(reader, "expected \"};\"");
		reader_literal(reader, " ");
		size *= domains[width].count;
		if (size >= UINT32_MAX)
			return reader_refuse(reader, "too many outcomes");
		types[width++] = is_unsigned ? OCLMM_TYPE_ULONG : OCLMM_TYPE_LONG;
	}
	if (pending->count && width != expected->width)
		return reader_refuse(reader, "%u observables here, %u in the states", width,
		                     expected->width);
	expected->width = width;
	expected->types = oclmm_arena_copy(pending->arena, types, width * sizeof(*types));
	expected->observables = oclmm_arena_copy(pending->arena, pending->names,
	                                         width * sizeof(char *));
	expected->space.observable_count = width;
	expected->space.domains = oclmm_arena_copy(pending->arena, domains,
	                                           width * sizeof(*domains));
	expected_finish_space(&expected->space);
	return 0;
}

static int take_disputed(struct reader *reader, struct pending *pending)
{
	struct oclmm_expected_state *state;
	int r = take_state(reader, pending, OCLMM_STATUS_DISPUTED, &state);

	if (r < 0)
		return r;
	if (!reader_literal(reader, "# "))
		return reader_refuse(reader, "expected \"# \" and the rules that decide");
	while (!reader_at_end(reader)) {
		const char *name;
		size_t length;
		unsigned before = state->deciding;

		reader_until(reader, " ", &name, &length);
		for (int knob = 0; knob < OCLMM_KNOB_COUNT; knob++) {
			const char *known = oclmm_knob_name((enum oclmm_knob)knob);

			if (strlen(known) == length && memcmp(known, name, length) == 0)
				state->deciding |= 1u << knob;
		}
		if (state->deciding == before) {
			reader->at = name;
			return reader_refuse(reader, "unknown rule");
		}
		reader_literal(reader, " ");
	}
	return 0;
}

/* The optional lines, up to the empty one that closes the entry. */
static int take_rest_of_entry(struct reader *reader, struct pending *pending)
{
	struct oclmm_expected *expected = pending->expected;
	int r;

	while ((r = next_line(reader, "an empty line")) == 0 && reader->line_end != reader->line) {
		if (reader_begins(reader, "Disputed="))
			r = take_disputed(reader, pending);
		else if (reader_begins(reader, "Undefined=")) {
			expected->undefined = true;
			expected->undefined_why = take_rest(reader, pending->arena);
		} else if (reader_begins(reader, "Models="))
			expected->models = take_rest(reader, pending->arena);
		else if (reader_begins(reader, "Cut=yes"))
			expected->may_be_cut = true;
		else
			r = reader_refuse(reader, "unknown line");
		if (r < 0)
			return r;
	}
	return r;
}

static int compare_states(const void *a, const void *b, void *data)
{
	const struct oclmm_expected_state *left = a, *right = b;

	return expected_compare_tuples(left->values, right->values, *(const uint32_t *)data);
}

/* Allowed and disputed states in one ascending list, each within the outcome space. */
static int finish_states(struct reader *reader, struct pending *pending)
{
	struct oclmm_expected *expected = pending->expected;
	uint32_t width = expected->width;

	if (pending->count)
		qsort_r(pending->states, pending->count, sizeof(*pending->states), compare_states,
		        &width);
	for (size_t i = 0; i < pending->count; i++) {
		const int64_t *values = pending->states[i].values;

		if (i && expected_compare_tuples(pending->states[i - 1].values, values, width) == 0)
			return reader_refuse(reader, "a state of this entry is listed twice");
		if (oclmm_outcome_index(&expected->space, values) == expected->space.size)
			return reader_refuse(
				reader, "a state of this entry has a value that \"Values=\" lacks");
	}
	if (expected->positive > expected->allowed_count)
		return reader_refuse(reader, "more positive states than states");
	expected->states = oclmm_arena_copy(pending->arena, pending->states,
	                                    pending->count * sizeof(*pending->states));
	expected->state_count = (uint32_t)pending->count;
	return 0;
}

/* Printed again, an entry must give the text it was read from: that is the strictness. */
static int check_canonical(struct reader *reader, const struct oclmm_expected *expected,
                           const char *start)
{
	struct oclmm_text text;
	const char *written = start, *wanted;
	uint32_t line = expected->position.line;

	oclmm_text_init(&text);
	oclmm_expected_print_entry(&text, expected);
	wanted = oclmm_text_string(&text);
	while (*wanted && written < reader->next && *wanted == *written) {
		line += *wanted == '\n';
		wanted++;
		written++;
	}
	if (*wanted == '\0' && written == reader->next) {
		oclmm_text_finish(&text);
		return 0;
	}
	oclmm_text_finish(&text);
	/* the reader goes back to the first byte that differs */
	reader->line = written;
	while (reader->line > start && reader->line[-1] != '\n')
		reader->line--;
	reader->line_end = reader->line;
	while (reader->line_end < reader->end && *reader->line_end != '\n')
		reader->line_end++;
	reader->at = written;
	reader->number = line;
	return reader_refuse(reader, "this does not agree with the rest of the entry");
}

static int take_entry(struct reader *reader, struct pending *pending)
{
	struct oclmm_expected *expected = pending->expected;
	const char *start = reader->line;
	int r;

	expected->position =
		(struct oclmm_position){.line = reader->number, .column = 1, .length = 4};
	if (!reader_begins(reader, "Test "))
		return reader_refuse(reader, "expected \"Test \"");
	if ((r = take_kind(reader, expected)) < 0 || (r = take_states(reader, pending)) < 0 ||
	    (r = take_witnesses(reader, pending)) < 0 ||
	    (r = take_observation(reader, expected)) < 0 || (r = take_hash(reader, expected)) < 0 ||
	    (r = expect_line(reader, "Variant=")) < 0)
		return r;
	expected->name = take_rest(reader, pending->arena);
	if ((r = take_space(reader, pending)) < 0 ||
	    (r = take_rest_of_entry(reader, pending)) < 0 ||
	    (r = finish_states(reader, pending)) < 0)
		return r;
	return check_canonical(reader, expected, start);
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
	return reader->line_end == reader->line ? 0
	                                        : reader_refuse(reader, "expected an empty line");
}

int oclmm_expected_parse(const char *path, const char *text, size_t length,
                         struct oclmm_error *error, struct oclmm_expected_file **ret_file)
{
	struct oclmm_expected_file *file = oclmm_expected_create("");
	struct reader reader;
	int r;

	reader_init(&reader, path, text, length, error);
	r = take_introduction(&reader, file);
	while (r == 0 && reader_line(&reader)) {
		struct pending pending = {.arena = file->arena, .expected = expected_append(file)};

		/* the new entry has no name yet: it must not be found as its own double */
		pending.expected->name = "";
		r = take_entry(&reader, &pending);
		free(pending.states);
		if (r == 0 && oclmm_expected_find(file, pending.expected->name) != pending.expected)
			r = reader_refuse(&reader, "a second entry for \"%s\"",
			                  pending.expected->name);
	}
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
	int r = oclmm_read_file(path, &text, &length);

	if (r < 0)
		return oclmm_error_set(error, r, "cannot read %s: %s", path, strerror(-r));
	r = oclmm_expected_parse(path, text, length, error, ret_file);
	free(text);
	return r;
}
