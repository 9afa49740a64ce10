// SPDX-License-Identifier: Apache-2.0
/*
 * The distinguishing tests of the memory model, judged by both oracles and
 * compared with a table written by hand.
 *
 *     table FILE [--reference]
 *
 * --reference asks the reference only.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"
#include "oclmm/syntax.h"

static const char *const regimes[] = {"R20", "R21", "R31", "scoped"};
static const enum oclmm_model models[] = {
	OCLMM_MODEL_OPENCL_2_0,
	OCLMM_MODEL_OPENCL_2_1,
	OCLMM_MODEL_OPENCL_3_1,
	OCLMM_MODEL_SCOPED,
};

struct row {
	bool reference_only;
	const struct oclmm_program *program;
	struct reference_answer *slow;
	struct oclmm_answer *fast;
	int failures;
	unsigned knobs; /* whose alternatives rows told of so far */
	char name[64];
};

static void expect(struct row *row, const char *oracle, const char *what, const char *expected,
                   const char *found)
{
	if (strcmp(expected, found) == 0)
		return;
	printf("%s: %s under %s is %s, the table says %s\n", row->name, oracle, what, found,
	       expected);
	row->failures++;
}

static bool holds(const struct row *row, const int64_t *values)
{
	return oclmm_condition_holds(row->program, row->program->condition, values);
}

/* ---- what the reference says ----------------------------------------- */

static const char *word_of_setting(const struct row *row, unsigned setting)
{
	const struct reference_answer *answer = row->slow;

	if (answer->undefined[setting][0])
		return "UB";
	for (unsigned i = 0; i < answer->state_count; i++)
		if (answer->states[i].allowed[setting][0] && holds(row, answer->states[i].values))
			return "A";
	return "F";
}

/** Over the states that satisfy the condition: allowed if one is, else disputed if one is. */
static const char *summary(bool undefined, const unsigned *counts)
{
	if (undefined)
		return "undefined";
	if (counts[OCLMM_STATUS_ALLOWED] > 0)
		return "allowed";
	return counts[OCLMM_STATUS_DISPUTED] > 0 ? "disputed" : "forbidden";
}

static const char *reference_consensus(const struct row *row)
{
	unsigned counts[4] = {0};

	for (unsigned i = 0; i < row->slow->state_count; i++)
		if (holds(row, row->slow->states[i].values))
			counts[reference_status(row->slow, OCLMM_MODEL_CONSENSUS,
			                        row->slow->states[i].values)]++;
	return summary(reference_undefined(row->slow, OCLMM_MODEL_CONSENSUS), counts);
}

/* ---- what the oracle says -------------------------------------------- */

static const char *oracle_word(const struct row *row, enum oclmm_model regime,
                               unsigned alternatives)
{
	const struct oclmm_answer *answer = row->fast;
	uint32_t reading = 0;

	while (reading < answer->reading_count &&
	       (answer->readings[reading].regime != regime ||
	        answer->readings[reading].alternatives != alternatives))
		reading++;
	/* a knob that cannot matter for the program is no reading of its own */
	if (reading == answer->reading_count)
		return oracle_word(row, regime, 0);
	if (answer->undefined_by[reading])
		return "UB";
	for (uint32_t i = 0; i < answer->state_count; i++)
		if (answer->states[i].allowed_by[reading] && holds(row, answer->states[i].values))
			return "A";
	return "F";
}

/* `scoped` with all rules of the text is the text. */
static void check_by_text(struct row *row)
{
	const struct oclmm_check_options options = {
		.models = 1u << OCLMM_MODEL_SCOPED,
		.scoped_by_text = (1u << OCLMM_SCOPED_RULE_COUNT) - 1,
	};
	struct oclmm_answer *answer;
	struct oclmm_error error;
	const char *word = "F";

	if (oclmm_check(row->program, &options, &error, &answer) < 0) {
		row->failures++;
		return;
	}
	for (uint32_t i = 0; i < answer->state_count; i++)
		if (answer->states[i].status[OCLMM_MODEL_SCOPED] == OCLMM_STATUS_ALLOWED &&
		    holds(row, answer->states[i].values))
			word = "A";
	if (answer->undefined[OCLMM_MODEL_SCOPED])
		word = "UB";
	expect(row, "scoped by the text", "scoped", oracle_word(row, OCLMM_MODEL_OPENCL_2_1, 0),
	       word);
	oclmm_answer_destroy(answer);
}

static const char *oracle_consensus(const struct row *row)
{
	unsigned counts[4] = {0};

	for (uint32_t i = 0; i < row->fast->state_count; i++)
		if (holds(row, row->fast->states[i].values))
			counts[row->fast->states[i].status[OCLMM_MODEL_CONSENSUS]]++;
	return summary(row->fast->undefined[OCLMM_MODEL_CONSENSUS], counts);
}

/* ---- one row --------------------------------------------------------- */

static void check_column(struct row *row, unsigned column, const char *expected)
{
	if (column == OCLMM_COUNT(regimes)) {
		expect(row, "the reference", "consensus", expected, reference_consensus(row));
		if (!row->reference_only)
			expect(row, "the oracle", "consensus", expected, oracle_consensus(row));
		return;
	}
	expect(row, "the reference", regimes[column], expected, word_of_setting(row, column));
	if (!row->reference_only)
		expect(row, "the oracle", regimes[column], expected,
		       oracle_word(row, models[column], 0));
}

/** `R21+K3=F`: one setting. */
static void check_setting(struct row *row, const char *text)
{
	char regime[8], word[4];
	unsigned knob, at = 0;
	int setting = -1;

	if (sscanf(text, "%7[^+]+K%u=%3s", regime, &knob, word) == 3)
		for (unsigned i = 0; i < REFERENCE_SCOPED; i++)
			if (strcmp(regime, regimes[i]) == 0)
				setting = reference_find_setting(row->slow,
				                                 (enum reference_regime)(at = i),
				                                 1u << (OCLMM_KNOB_K1 + knob - 1));
	if (setting < 0) {
		printf("%s: no such setting: %s\n", row->name, text);
		row->failures++;
		return;
	}
	row->knobs |= 1u << (OCLMM_KNOB_K1 + knob - 1);
	expect(row, "the reference", text, word, word_of_setting(row, (unsigned)setting));
	if (!row->reference_only)
		expect(row, "the oracle", text, word,
		       oracle_word(row, models[at], 1u << (OCLMM_KNOB_K1 + knob - 1)));
}

/* The test up to the next row; comments of the table may stand between. */
static struct oclmm_litmus *read_test(struct row *row, const char *text)
{
	struct oclmm_litmus *litmus = NULL;
	struct oclmm_text file = {0};
	struct oclmm_error error;

	oclmm_text_printf(&file, "OPENCL %s\n%.*s\n", row->name,
	                  (int)(strstr(text, "\n\n") + 1 - text), text);
	if (oclmm_litmus_parse(row->name, file.data, file.length, NULL, &error, &litmus) != 0) {
		char *message = oclmm_error_format(&error);

		fputs(message, stdout);
		free(message);
		row->failures++;
	}
	oclmm_text_finish(&file);
	return litmus;
}

static bool ask(struct row *row)
{
	struct oclmm_check_options options = {.models = (1u << OCLMM_MODEL_COUNT) - 1};
	struct reference_limits limits = {.candidates = 10000000, .seq_cst = 8};
	struct oclmm_error error;

	if (reference_check(row->program, &limits, &row->slow) != 0) {
		printf("%s: too large for the reference\n", row->name);
		return false;
	}
	if (!row->reference_only && oclmm_check(row->program, &options, &error, &row->fast) != 0) {
		printf("%s: the oracle fails: %s\n", row->name, error.message);
		return false;
	}
	return true;
}

/** Oracle and reference under each combination of knobs, which a row has no column for. */
static void compare_readings(struct row *row)
{
	struct reference_limits limits = {.candidates = 10000000, .seq_cst = 8};
	struct oclmm_text text = {0};

	if (compare_oracles(row->program, &limits, NULL, &text) != COMPARISON_EQUAL) {
		printf("%s: oracle and reference differ\n%s", row->name, oclmm_text_string(&text));
		row->failures++;
	}
	oclmm_text_finish(&text);
}

static void check_row(struct row *row, char *words, const char *text)
{
	struct oclmm_litmus *litmus;
	unsigned column = 0;
	char *save, *name = strtok_r(words, " ", &save);

	snprintf(row->name, sizeof(row->name), "%s", name ? name : "");
	litmus = read_test(row, text);

	if (litmus == NULL)
		return;
	row->program = litmus->variants[0].program;
	row->slow = NULL;
	row->fast = NULL;
	if (!ask(row))
		row->failures++;
	else
		for (char *word; (word = strtok_r(NULL, " ", &save)) != NULL;)
			if (column <= OCLMM_COUNT(regimes))
				check_column(row, column++, word);
			else
				check_setting(row, word);
	if (column != OCLMM_COUNT(regimes) + 1)
		row->failures++;
	if (row->fast != NULL) {
		check_by_text(row);
		compare_readings(row);
	}
	reference_destroy(row->slow);
	oclmm_answer_destroy(row->fast);
	oclmm_litmus_destroy(litmus);
}

int main(int argc, char **argv)
{
	struct row row = {.reference_only = argc == 3 && strcmp(argv[2], "--reference") == 0};
	unsigned rows = 0;
	struct oclmm_error error;
	char *table, *at;
	size_t length;

	if (argc != 2 && !row.reference_only) {
		fputs("usage: table FILE [--reference]\n", stderr);
		return 2;
	}
	if (oclmm_read_text(argv[1], &error, &table, &length) != 0) {
		fprintf(stderr, "%s\n", error.message);
		return 2;
	}
	/* a blank line ends each test, the last one, too */
	table = oclmm_realloc(table, length + 2);
	memcpy(table + length, "\n", 2);
	for (at = table; (at = strstr(at, "\n=== ")) != NULL; rows++) {
		char *words = at + strlen("\n=== ");

		at = words + strcspn(words, "\n");
		*at++ = '\0';
		check_row(&row, words, at);
	}
	free(table);
	/* no settings: the regimes are K1's readings, under each setting there are K6's two, and
	 * K17 to K19 are of commands (commands.c) */
	row.knobs |= 1u << OCLMM_KNOB_K1 | 1u << OCLMM_KNOB_K6 | 1u << OCLMM_KNOB_K17 |
	             1u << OCLMM_KNOB_K18 | 1u << OCLMM_KNOB_K19;
	for (unsigned i = 0; i < OCLMM_KNOB_COUNT; i++) {
		if (!(row.knobs >> i & 1)) {
			printf("no row has %s\n", oclmm_knob_name((enum oclmm_knob)i));
			row.failures++;
		}
	}
	printf("%u rows, %d differences\n", rows, row.failures);
	return row.failures != 0 || rows == 0;
}
