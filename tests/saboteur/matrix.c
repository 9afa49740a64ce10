// SPDX-License-Identifier: Apache-2.0
/* The list of equivalent plants, and what is made of what was seen. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "planted/outcome.h"

static int read_text(struct equivalents *equivalents, const char *text, struct oclmm_error *error)
{
	char path[] = "/tmp/oclmm-equivalents-XXXXXX";
	int file = mkstemp(path), r;

	assert_true(file >= 0);
	assert_int_equal(write(file, text, strlen(text)), strlen(text));
	close(file);
	r = equivalents_read(equivalents, path, error);
	unlink(path);
	return r;
}

static void finds_lines(void **state)
{
	struct equivalents list;
	struct oclmm_error error;
	const struct equivalent *line;

	(void)state;
	assert_int_equal(read_text(&list,
	                           "# comment\r\n\n torn | P* | * | x86_64 | why | how # more\r\n"
	                           "torn | Q | D? | * | other | seen",
	                           &error),
	                 0);
	assert_int_equal(list.count, 2);
	line = equivalents_find(&list, SABOTEUR_TORN, "Pocl", "any", "x86_64");
	assert_non_null(line);
	assert_string_equal(line->argument, "why");
	assert_string_equal(line->seen, "how");
	assert_null(equivalents_find(&list, SABOTEUR_TORN, "Pocl", "any", "aarch64"));
	assert_null(equivalents_find(&list, SABOTEUR_RMW_SPLIT, "Pocl", "any", "x86_64"));
	assert_string_equal(equivalents_find(&list, SABOTEUR_TORN, "Q", "D1", "m")->argument,
	                    "other");
	equivalents_finish(&list);
}

static void refuses_lines(void **state)
{
	static const struct {
		const char *text;
		uint32_t line, column;
	} bad[] = {
		{"torn | a | b | c | d", 1, 21},
		{"\n\nnothing | a | b | c | d | e", 3, 1},
		{"torn | a |  | c | d | e", 1, 11},
		{"update-lost:3 | a | b | c | d | e", 1, 1},
	};

	(void)state;
	for (size_t i = 0; i < OCLMM_COUNT(bad); i++) {
		struct equivalents list;
		struct oclmm_error error = {0};

		assert_true(read_text(&list, bad[i].text, &error) < 0);
		assert_int_equal(error.position.line, bad[i].line);
		assert_int_equal(error.position.column, bad[i].column);
	}
}

static enum plant_state judge(struct plant_outcome outcome)
{
	plant_outcome_judge(&outcome);
	return outcome.state;
}

static void judges(void **state)
{
	const struct equivalent listed = {.bug = SABOTEUR_TORN};
	struct plant_outcome seen = {.plant = {.bug = SABOTEUR_TORN}, .loaded = true, .tests = 3};

	(void)state;
	assert_int_equal(judge(seen), PLANT_UNTOUCHED);
	seen.places = 2;
	assert_int_equal(judge(seen), PLANT_SURVIVED);
	seen.broken = 1;
	assert_int_equal(judge(seen), PLANT_NOTICED);
	seen.equivalent = &listed;
	assert_int_equal(judge(seen), PLANT_EQUIVALENT);
	seen.kill_count = 1;
	assert_int_equal(judge(seen), PLANT_CONTRADICTION);
	seen.equivalent = NULL;
	assert_int_equal(judge(seen), PLANT_KILLED);
	seen.kill_count = 0;
	seen.tests = 0;
	assert_int_equal(judge(seen), PLANT_FAILED);
	/* changed programs that no launch ran are no plant */
	seen = (struct plant_outcome){
		.plant = {.bug = SABOTEUR_MULTI_GROUP}, .loaded = true, .tests = 1, .places = 9};
	assert_int_equal(judge(seen), PLANT_UNTOUCHED);
	seen.launches = 1;
	assert_int_equal(judge(seen), PLANT_SURVIVED);
	seen = (struct plant_outcome){.loaded = true, .tests = 1};
	assert_int_equal(judge(seen), PLANT_CLEAN);
}

static void scores(void **state)
{
	static const enum plant_state states[] = {PLANT_KILLED,        PLANT_KILLED,
	                                          PLANT_CONTRADICTION, PLANT_EQUIVALENT,
	                                          PLANT_NOTICED,       PLANT_UNTOUCHED};
	struct plant_score score = {0};

	(void)state;
	for (size_t i = 0; i < OCLMM_COUNT(states); i++)
		plant_score_add(&score, &(struct plant_outcome){.plant = {.bug = SABOTEUR_TORN},
		                                                .state = states[i]});
	plant_score_add(&score, &(struct plant_outcome){.state = PLANT_CLEAN});
	assert_int_equal(score.killed, 3);
	assert_int_equal(score.able, 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_lines),
		cmocka_unit_test(refuses_lines),
		cmocka_unit_test(judges),
		cmocka_unit_test(scores),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
