// SPDX-License-Identifier: Apache-2.0
/* The list of equivalent plants, and what is made of what was seen. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../fixture/test.h"

#include "planted/planted.h"

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

static const struct equivalent *find(const struct equivalents *list, const char *choice,
                                     const char *platform, const char *device, const char *machine)
{
	struct plant plant;
	char message[PLANT_MESSAGE];

	assert_true(plant_parse(choice, &plant, message));
	return equivalents_find(list, &plant, platform, device, machine);
}

TEST(finds_lines)
{
	struct equivalents list;
	struct oclmm_error error;
	const struct equivalent *line;

	assert_int_equal(read_text(&list,
	                           "# comment\r\n\n torn | P* | * | x86_64 | why | how # more\r\n"
	                           "torn | Q | D? | * | other | seen",
	                           &error),
	                 0);
	assert_int_equal(list.count, 2);
	line = find(&list, "torn", "Pocl", "any", "x86_64");
	assert_non_null(line);
	assert_string_equal(line->argument, "why");
	assert_string_equal(line->seen, "how");
	assert_null(find(&list, "torn", "Pocl", "any", "aarch64"));
	assert_null(find(&list, "rmw-split", "Pocl", "any", "x86_64"));
	assert_string_equal(find(&list, "torn", "Q", "D1", "m")->argument, "other");
	equivalents_finish(&list);
}

/* What holds of a plant holds of it in fewer calls, and of nothing else. */
TEST(finds_parts)
{
	struct equivalents list;
	struct oclmm_error error;

	assert_int_equal(
		read_text(&list,
	                  "torn@load | * | * | * | a | b\nupdate-lost:7 | * | * | * | c | d\n"
	                  "scope-narrowed | * | * | * | e | f\n",
	                  &error),
		0);
	assert_non_null(find(&list, "torn@load", "", "", ""));
	assert_non_null(find(&list, "torn@64,load,local", "", "", ""));
	assert_null(find(&list, "torn", "", "", ""));
	assert_null(find(&list, "torn@store", "", "", ""));
	assert_non_null(find(&list, "update-lost:7@fetch_or", "", "", ""));
	assert_null(find(&list, "update-lost", "", "", ""));
	assert_null(find(&list, "scope-narrowed:sub_group", "", "", ""));
	equivalents_finish(&list);
}

TEST(refuses_lines)
{
	static const struct {
		const char *text;
		uint32_t line, column;
	} bad[] = {
		{"torn | a | b | c | d", 1, 21},       {"\n\nnothing | a | b | c | d | e", 3, 1},
		{"torn | a |  | c | d | e", 1, 11},    {"update-lost:0 | a | b | c | d | e", 1, 1},
		{"torn@16 | a | b | c | d | e", 1, 1},
	};

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

TEST(judges)
{
	const struct equivalent listed = {.plant = {.bug = PLANT_TORN}};
	struct plant_outcome seen = {.plant = {.bug = PLANT_TORN}, .loaded = true, .tests = 3};

	assert_int_equal(judge(seen), PLANT_UNTOUCHED);
	seen.places = 2;
	assert_int_equal(judge(seen), PLANT_SURVIVED);
	seen.broken = 1;
	assert_int_equal(judge(seen), PLANT_NOTICED);
	seen.equivalent = &listed;
	assert_int_equal(judge(seen), PLANT_EQUIVALENT);
	seen.kills.count = 1;
	assert_int_equal(judge(seen), PLANT_CONTRADICTION);
	seen.equivalent = NULL;
	assert_int_equal(judge(seen), PLANT_KILLED);
	seen.kills.count = 0;
	seen.tests = 0;
	assert_int_equal(judge(seen), PLANT_FAILED);
	seen.skipped = 2;
	assert_int_equal(judge(seen), PLANT_LACKING);
	/* what only a changed program is refused for says nothing of the device */
	seen.tests = seen.broken = seen.refused = 2;
	assert_int_equal(judge(seen), PLANT_REFUSED);
	seen.skipped = 0;
	assert_int_equal(judge(seen), PLANT_REFUSED);
	seen.refused = 1;
	assert_int_equal(judge(seen), PLANT_REFUSED);
	seen.kills.count = 1;
	assert_int_equal(judge(seen), PLANT_KILLED);
	seen.kills.count = seen.refused = 0;
	assert_int_equal(judge(seen), PLANT_NOTICED);
	/* nor what is built for some launches alone, but where the scope is what a device may lack
	 */
	seen.broken = 0;
	seen.unbuilt = 1;
	assert_int_equal(judge(seen), PLANT_REFUSED);
	seen.plant.mutation.to_sub_group = true;
	assert_int_equal(judge(seen), PLANT_SURVIVED);
	/* changed programs that no launch ran are no plant */
	seen = (struct plant_outcome){
		.plant = {.bug = PLANT_MULTI_GROUP}, .loaded = true, .tests = 1, .places = 9};
	assert_int_equal(judge(seen), PLANT_UNTOUCHED);
	seen.launches = 1;
	assert_int_equal(judge(seen), PLANT_SURVIVED);
	seen = (struct plant_outcome){.loaded = true, .tests = 1};
	assert_int_equal(judge(seen), PLANT_CLEAN);
	/* nothing had to be run to know */
	seen = (struct plant_outcome){.plant = {.bug = PLANT_TORN}, .hopeless = true};
	assert_int_equal(judge(seen), PLANT_UNTOUCHED);
	seen.concerned = 2;
	assert_int_equal(judge(seen), PLANT_GAP);
	seen.equivalent = &listed;
	assert_int_equal(judge(seen), PLANT_EQUIVALENT);
}

TEST(scores)
{
	static const enum plant_state states[] = {PLANT_KILLED,        PLANT_KILLED,
	                                          PLANT_CONTRADICTION, PLANT_EQUIVALENT,
	                                          PLANT_NOTICED,       PLANT_UNTOUCHED,
	                                          PLANT_REFUSED,       PLANT_LACKING};
	struct plant_score score = {0};

	for (size_t i = 0; i < OCLMM_COUNT(states); i++)
		plant_score_add(&score, &(struct plant_outcome){.plant = {.bug = PLANT_TORN},
		                                                .state = states[i]});
	plant_score_add(&score, &(struct plant_outcome){.state = PLANT_CLEAN});
	assert_int_equal(score.killed, 3);
	assert_int_equal(score.able, 6);
}

/* Of what is drawn: no place, or none that matters by the model or on the machine, is counted
 * apart; all else that is not killed survived, be it that nothing reached the driver. */
TEST(judges_what_is_drawn)
{
	const struct equivalent machine = {.argument = "why", .seen = "how"};
	struct plant_outcome drawn[6] = {{0}};
	struct plant_score score = {0};
	struct oclmm_text text = {0};
	struct kill kill = {.test = (char[]){"SB"}, .seen = 1, .instances = 2};
	char message[PLANT_MESSAGE];

	for (size_t i = 0; i < OCLMM_COUNT(drawn); i++) {
		assert_true(plant_parse("drawn-1-1", &drawn[i].plant, message));
		drawn[i].choice = "drawn-1-1";
		drawn[i].loaded = true;
	}
	drawn[0].hopeless = true;
	drawn[1].hopeless = true;
	drawn[1].concerned = 3;
	drawn[2] = drawn[1];
	drawn[2].equivalent = &machine;
	drawn[3].concerned = drawn[3].able = drawn[3].tests = 3;
	drawn[4] = drawn[3];
	drawn[4].places = 7;
	drawn[5] = drawn[4];
	drawn[5].kills.items = &kill;
	drawn[5].kills.count = 1;
	for (size_t i = 0; i < OCLMM_COUNT(drawn); i++) {
		plant_outcome_judge(&drawn[i]);
		plant_score_add(&score, &drawn[i]);
	}
	assert_int_equal(drawn[0].state, PLANT_UNTOUCHED);
	assert_int_equal(drawn[1].state, PLANT_GAP);
	assert_int_equal(drawn[2].state, PLANT_EQUIVALENT);
	assert_int_equal(drawn[3].state, PLANT_SURVIVED);
	assert_int_equal(drawn[4].state, PLANT_SURVIVED);
	assert_int_equal(drawn[5].state, PLANT_KILLED);
	assert_int_equal(score.killed, 1);
	assert_int_equal(score.able, 3);
	matrix_score(&text, MATRIX_TEXT, &score, 1);
	assert_non_null(strstr(oclmm_text_string(&text),
	                       "  what  as-min                                     2 of 3: "
	                       "drawn-1-1 drawn-1-1\n"));
	assert_non_null(strstr(oclmm_text_string(&text), "  where xor "));
	oclmm_text_finish(&text);
	matrix_score(&text, MATRIX_JSON, &score, 1);
	assert_non_null(strstr(oclmm_text_string(&text),
	                       "{\"by\":\"what\",\"word\":\"as-min\",\"able\":3,\"survived\":2,"));
	oclmm_text_finish(&text);
	plant_score_finish(&score);
}

/* ---- a matrix as it is written ---------------------------------------- */

static int read_matrix(const char *text, size_t length, struct oclmm_error *error,
                       struct matrix_saved *ret_saved)
{
	char path[] = "/tmp/oclmm-matrix-XXXXXX";
	int file = mkstemp(path), r;

	assert_true(file >= 0);
	assert_int_equal(write(file, text, length), length);
	close(file);
	r = matrix_read(path, error, ret_saved);
	unlink(path);
	return r;
}

/* Everything of a matrix, as JSON Lines. */
static void write_matrix(struct oclmm_text *text, const struct matrix_header *header,
                         const struct plant_outcome *outcomes, size_t count)
{
	struct plant_score score = {0};

	oclmm_text_init(text);
	matrix_head(text, MATRIX_JSON, header);
	for (size_t i = 0; i < count; i++) {
		matrix_plant(text, MATRIX_JSON, &outcomes[i]);
		plant_score_add(&score, &outcomes[i]);
	}
	matrix_score(text, MATRIX_JSON, &score, 1);
}

static const struct matrix_header a_header = {
	.tool = "t",
	.device = {.device = "d", .driver = "r", .version = "OpenCL 3.0 x"},
	.machine = "m",
	.profile = "default",
	.claims = "claimed",
	.seed = UINT64_MAX,
	.instances = 7,
	.seconds = 1.5,
	.tests = 3,
	.plants = 4,
	.all = true,
};

TEST(reads_back)
{
	static const struct equivalent listed = {.argument = "a", .seen = "b"};
	struct plant_outcome outcomes[] = {
		{.choice = "none", .state = PLANT_CLEAN, .tests = 3},
		{.choice = "torn@load,64",
	         .plant = {.bug = PLANT_TORN},
	         .state = PLANT_KILLED,
	         .concerned = 2,
	         .able = 1,
	         .instances = 9,
	         .seconds = 0.5},
		{.choice = "update-lost:3",
	         .plant = {.bug = PLANT_UPDATE_LOST},
	         .state = PLANT_EQUIVALENT,
	         .equivalent = &listed},
		{.choice = "barrier-removed",
	         .plant = {.bug = PLANT_BARRIER_REMOVED},
	         .state = PLANT_NOTICED,
	         .broken = 1,
	         .ungated = 2,
	         .broken_text = "x: lost"},
	};
	struct oclmm_text first, again, table = {0};
	struct oclmm_error error;
	struct matrix_saved saved;

	kills_add(&outcomes[1].kills, "SB",
	          (struct kill){.seen = 4, .instances = 8, .instances_before = 9, .seconds = 0.5});
	outcomes[2].loosened = 1;
	outcomes[2].loosened_instances = 64;
	kills_add(&outcomes[2].shows, "MP", (struct kill){.seen = 2, .instances = 64});
	write_matrix(&first, &a_header, outcomes, OCLMM_COUNT(outcomes));
	/* the last line was being written */
	oclmm_text_add(&first, "{\"type\":\"plant\",\"pla");
	assert_int_equal(read_matrix(first.data, first.length, &error, &saved), 0);
	write_matrix(&again, &saved.header, saved.outcomes, saved.count);
	assert_memory_equal(first.data, again.data, again.length);
	matrix_tables(&table, &saved);
	assert_non_null(strstr(table.data, "| torn accesses | 1 | 0 | 1 | 100.0 % |"));
	assert_non_null(strstr(table.data, "| **all** | 3 | 1 | 1 | 50.0 % |"));
	assert_non_null(strstr(table.data, "| barrier-removed | noticed | 0 |"));
	assert_null(strstr(table.data, "update-lost"));
	matrix_saved_finish(&saved);
	plant_outcome_finish(&outcomes[1]);
	plant_outcome_finish(&outcomes[2]);
	oclmm_text_finish(&first);
	oclmm_text_finish(&again);
	oclmm_text_finish(&table);
}

TEST(counts_one)
{
	const struct plant_outcome outcome = {.choice = "torn",
	                                      .plant = {.bug = PLANT_TORN},
	                                      .state = PLANT_SURVIVED,
	                                      .tests = 1,
	                                      .places = 1,
	                                      .programs = 1};
	struct oclmm_text text = {0};

	matrix_plant(&text, MATRIX_TEXT, &outcome);
	assert_non_null(strstr(oclmm_text_string(&text), "\n    1 place changed in 1 program\n"));
	oclmm_text_finish(&text);
}

TEST(refuses_matrices)
{
	static const struct {
		const char *from, *to; /* what of a good one is replaced */
		uint32_t line;
	} bad[] = {
		{"planted", "planned", 1},
		{"\"tests\":3", "\"tests\":-1", 1},
		{"\"seed\":\"1", "\"seed\":\"x", 1},
		{"\"torn\"", "\"thorn\"", 2},
		{"killed", "bettered", 2},
		{"killed", "survived", 2},
		{"\"kills\"", "\"skills\"", 2},
		{"\"forbidden\":4", "\"forbidden\":\"4\"", 2},
		{"\"forbidden\":2", "\"forbidden\":\"2\"", 2},
		{"\"instances_before\"", "\"before\"", 2},
		{"\"places\":0", "\"places\":\"0\"", 2},
		{"\"type\":\"plant\"", "\"type\":\"plan\"", 2},
	};
	struct plant_outcome outcome = {.choice = "torn",
	                                .plant = {.bug = PLANT_TORN},
	                                .state = PLANT_KILLED};
	struct oclmm_text good;
	struct oclmm_error error;
	struct matrix_saved saved;

	kills_add(&outcome.kills, "SB", (struct kill){.seen = 4, .instances = 8});
	outcome.loosened = 1;
	kills_add(&outcome.shows, "MP", (struct kill){.seen = 2, .instances = 64});
	write_matrix(&good, &a_header, &outcome, 1);
	plant_outcome_finish(&outcome);
	assert_int_equal(read_matrix(good.data, good.length, &error, &saved), 0);
	matrix_saved_finish(&saved);
	for (size_t i = 0; i < OCLMM_COUNT(bad); i++) {
		const char *place = strstr(good.data, bad[i].from);
		struct oclmm_text text = {0};

		assert_non_null(place);
		oclmm_text_add_bytes(&text, good.data, (size_t)(place - good.data));
		oclmm_text_add(&text, bad[i].to);
		oclmm_text_add(&text, place + strlen(bad[i].from));
		assert_int_equal(read_matrix(text.data, text.length, &error, &saved), -EINVAL);
		assert_int_equal(error.position.line, bad[i].line);
		oclmm_text_finish(&text);
	}
	oclmm_text_finish(&good);
}

/* A matrix may come from elsewhere, and names of devices and tests from anybody. */
TEST(shows_no_commands)
{
	static const char name[] = "\033[2J\n::error::x";
	const struct equivalent listed = {.argument = name, .seen = name};
	struct plant_outcome outcome = {.choice = "torn",
	                                .plant = {.bug = PLANT_TORN},
	                                .state = PLANT_CONTRADICTION,
	                                .equivalent = &listed,
	                                .broken = 1};
	struct matrix_header header = a_header;
	struct matrix_saved saved;
	struct oclmm_error error;
	struct oclmm_text text;

	header.tool = header.machine = header.profile = name;
	snprintf(header.device.device, sizeof(header.device.device), "%s", name);
	snprintf(header.device.platform, sizeof(header.device.platform), "%s", name);
	snprintf(header.device.driver, sizeof(header.device.driver), "%s", name);
	snprintf(outcome.broken_text, sizeof(outcome.broken_text), "%s", name);
	kills_add(&outcome.kills, name, (struct kill){.seen = 4, .instances = 8});
	write_matrix(&text, &header, &outcome, 1);
	assert_int_equal(read_matrix(text.data, text.length, &error, &saved), 0);
	oclmm_text_finish(&text);
	oclmm_text_init(&text);
	matrix_head(&text, MATRIX_TEXT, &saved.header);
	matrix_plant(&text, MATRIX_TEXT, &saved.outcomes[0]);
	matrix_tables(&text, &saved);
	assert_null(strchr(text.data, '\033'));
	assert_null(strstr(text.data, "\n::error"));
	oclmm_text_finish(&text);
	matrix_saved_finish(&saved);
	plant_outcome_finish(&outcome);
}
