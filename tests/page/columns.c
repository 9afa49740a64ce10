// SPDX-License-Identifier: Apache-2.0
/* Several records, devices and runs: what adds up and what stands side by side. */
#include "../fixture/test.h"
#include "read_page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TEST(test_records_of_one_device_add_up)
{
	const struct oclmm_page_options options = {.demand.confidence = 0.95};
	const struct oclmm_record *records[2];
	struct made made[2];
	struct read_page page;

	made_init(&made[0], "SB", OCLMM_STATUS_FORBIDDEN, (const uint64_t[]){0, 10, 20, 30});
	made_init(&made[1], "SB", OCLMM_STATUS_FORBIDDEN, (const uint64_t[]){1, 1, 2, 3});
	made[1].record.first_launch = 1;
	for (int i = 0; i < 2; i++) {
		made_grade(&made[i], NULL);
		records[i] = &made[i].record;
	}
	write_page(&page, records, 2, &options);
	assert_int_equal(page.counts.tests, 1);
	assert_int_equal(page.counts.columns, 1);
	/* one forbidden outcome is enough, whichever record has it */
	assert_string_equal(json_string_value(member(find_record(&page, "SB", 0), "verdict")),
	                    "forbidden");
	assert_int_equal(count_outcome(&page, "SB", 0, "0:r0=0; 1:r0=0;"), 1);
	assert_int_equal(count_outcome(&page, "SB", 0, "0:r0=1; 1:r0=1;"), 33);
	drop_page(&page);
	for (int i = 0; i < 2; i++)
		made_finish(&made[i]);
}

/* What a cell says is said by the record that gives it its verdict, whichever that is. */
TEST(test_the_gravest_record_speaks)
{
	const struct oclmm_page_options options = {.demand.confidence = 0.95};

	for (int gravest = 0; gravest < 2; gravest++) {
		const struct oclmm_record *records[2];
		struct made made[2];
		struct read_page page;
		const json_t *record;

		for (int i = 0; i < 2; i++) {
			made_init(&made[i], "SB", OCLMM_STATUS_ALLOWED,
			          (const uint64_t[]){1, 1, 1, 1});
			made[i].record.first_launch = (uint32_t)i;
			made[i].record.build_log = i == gravest ? "grave" : "light";
			if (i == gravest) {
				made[i].record.end = OCLMM_END_CRASH;
				made[i].record.message = "signal 11";
			}
			made_grade(&made[i], NULL);
			records[i] = &made[i].record;
		}
		write_page(&page, records, 2, &options);
		record = find_record(&page, "SB", 0);
		assert_string_equal(json_string_value(member(record, "verdict")), "crash");
		assert_string_equal(json_string_value(member(record, "build_log")), "grave");
		assert_int_equal(count(&page, "//h:section[@id='attention']//"
		                              "h:td[contains(., 'signal 11')]"),
		                 1);
		drop_page(&page);
		for (int i = 0; i < 2; i++)
			made_finish(&made[i]);
	}
}

TEST(test_devices_stand_side_by_side)
{
	const struct oclmm_page_options options = {.demand.confidence = 0.95};
	const struct oclmm_record *records[3];
	struct made made[3];
	struct read_page page;

	made_init(&made[0], "SB", OCLMM_STATUS_ALLOWED, (const uint64_t[]){0, 10, 20, 30});
	made_init(&made[1], "SB", OCLMM_STATUS_ALLOWED, (const uint64_t[]){5, 1, 2, 3});
	made_init(&made[2], "SB+same", OCLMM_STATUS_ALLOWED, (const uint64_t[]){5, 1, 2, 3});
	made[1].record.identity.device = "Other";
	for (int i = 0; i < 3; i++) {
		made_grade(&made[i], NULL);
		records[i] = &made[i].record;
	}
	write_page(&page, records, 3, &options);
	assert_int_equal(page.counts.tests, 2);
	assert_int_equal(page.counts.columns, 2);
	/* `Other` comes first */
	assert_int_equal(count_outcome(&page, "SB", 0, "0:r0=0; 1:r0=0;"), 5);
	assert_int_equal(count_outcome(&page, "SB", 1, "0:r0=0; 1:r0=0;"), 0);
	/* only SB ran on both, and the weak outcome was seen on one */
	assert_text(&page, "//h:p[@id='differences']/h:a", "The columns differ in 1 test");
	assert_true(json_is_true(member(find_test(&page, "SB"), "differs")));
	assert_true(json_is_false(member(find_test(&page, "SB+same"), "differs")));
	assert_true(json_is_null(find_cell(&page, "SB+same", 0)));
	assert_true(json_is_object(find_cell(&page, "SB+same", 1)));
	drop_page(&page);
	for (int i = 0; i < 3; i++)
		made_finish(&made[i]);
}

static void skip_for(struct made *made, const char *device, const char *message)
{
	made_init(made, "SB+sg", OCLMM_STATUS_ALLOWED, (const uint64_t[]){0, 0, 0, 0});
	made->record.identity.device = device;
	made->record.support = OCLMM_CLASS_UNSUPPORTED;
	made->record.end = OCLMM_END_UNSUPPORTED;
	made->record.message = message;
	made_grade(made, NULL);
}

/* How often a page says of SB+sg that it did not run anywhere, for this reason. */
static int count_nowhere(const struct made *made, size_t devices, const char *reason)
{
	const struct oclmm_page_options options = {.demand.confidence = 0.95};
	const struct oclmm_record *records[] = {&made[0].record, &made[1].record};
	struct read_page page;
	char path[256];
	int found;

	snprintf(path, sizeof(path),
	         "//h:section[@id='nowhere' and h:h2='Not run anywhere yet']"
	         "/h:details[starts-with(h:summary, '%s: 1 test')]"
	         "//h:a[@href='#t-SB+sg' and .='SB+sg']",
	         reason);
	write_page(&page, records, devices, &options);
	found = count(&page, path);
	/* where the link leads without scripts */
	assert_int_equal(count(&page, "//h:tr[@id='t-SB+sg']"), found);
	drop_page(&page);
	return found;
}

/* What one device skips another may run; what all skip is told, with what they lack. */
TEST(test_what_ran_nowhere_is_told)
{
	struct made made[2];

	skip_for(&made[0], "Ant", "sub-groups");
	skip_for(&made[1], "Zebra", "shared virtual memory");
	assert_int_equal(count_nowhere(made, 1, "sub-groups"), 1);
	assert_int_equal(count_nowhere(made, 2, "sub-groups; shared virtual memory"), 1);
	made_finish(&made[1]);
	made_init(&made[1], "SB+sg", OCLMM_STATUS_ALLOWED, (const uint64_t[]){0, 1, 2, 3});
	made[1].record.identity.device = "Zebra";
	made_grade(&made[1], NULL);
	assert_int_equal(count_nowhere(made, 2, "sub-groups"), 0);
	for (int i = 0; i < 2; i++)
		made_finish(&made[i]);
}

/* A device's columns, by the id of each of two records of one test, in runs that `devices` shared.
 */
static size_t label_columns(const char *const ids[2], const char *name, uint32_t devices,
                            char labels[2][80])
{
	const struct oclmm_page_options options = {.demand.confidence = 0.95};
	struct oclmm_saved_run run = {.header = {.identity.device = "Pocket GPU",
	                                         .identity.driver = "1.0",
	                                         .seed = 1,
	                                         .devices = devices}};
	const struct oclmm_record *records[2];
	struct made made[2];
	struct read_page page;
	size_t columns;

	for (int i = 0; i < 2; i++) {
		made_init(&made[i], i ? name : "SB", OCLMM_STATUS_ALLOWED,
		          (const uint64_t[]){1, 1, 1, 1});
		made[i].record.identity.device_id = ids[i];
		made[i].record.master_seed = 1;
		made[i].record.started = "2026-11-22T08:00:00Z";
		made_grade(&made[i], NULL);
		records[i] = &made[i].record;
	}
	run.header.identity.driver = made[0].record.identity.driver;
	run.header.identity.device = made[0].record.identity.device;
	write_page_of(&page, &run, 1, records, 2, &options);
	columns = page.counts.columns;
	for (size_t i = 0; i < columns; i++)
		snprintf(labels[i], 80, "%s",
		         json_string_value(
				 json_array_get(json_object_get(page.data, "columns"), i)));
	drop_page(&page);
	for (int i = 0; i < 2; i++)
		made_finish(&made[i]);
	return columns;
}

/* By what the driver gives, and no more of it than tells them apart; those that shared a run are
 * one. */
TEST(test_equal_devices)
{
	static const char *const alike[] = {"alike-0", "alike-1"};
	static const char *const uuids[] = {"uuid-00112233445566778899aabbccddeeff",
	                                    "uuid-00112233445566778899aabb01234567"};
	char labels[2][80];

	assert_int_equal(label_columns(alike, "SB", 1, labels), 2);
	assert_string_equal(labels[0], "Pocket GPU, alike-0");
	assert_string_equal(labels[1], "Pocket GPU, alike-1");
	assert_int_equal(label_columns(uuids, "SB", 1, labels), 2);
	assert_string_equal(labels[0], "Pocket GPU, uuid…01234567");
	assert_string_equal(labels[1], "Pocket GPU, uuid…ccddeeff");
	/* two tests, one on each */
	assert_int_equal(label_columns(uuids, "SB+b", 2, labels), 1);
	assert_string_equal(labels[0], "Pocket GPU");
	assert_int_equal(label_columns(uuids, "SB+b", 1, labels), 2);
}

/* Two runs that have a test in common are two columns, in the order of time; shards are one. */
TEST(test_runs_stand_side_by_side)
{
	static const struct {
		const char *names[3];
		size_t columns;
		const char *last; /* label */
	} cases[] = {
		{{"SB", "SB", "SB"}, 3, "Pocket GPU, 2026-11-22 08:00"},
		{{"SB", "SB+b", "SB+c"}, 1, "Pocket GPU"},
		{{"SB", "SB", "SB+c"}, 2, "Pocket GPU, 2026-11-21 08:00"},
	};
	static const char *const days[] = {"2026-11-22T08:00:00Z", "2026-11-20T08:00:00Z",
	                                   "2026-11-21T08:00:00Z"};
	const struct oclmm_page_options options = {.demand.confidence = 0.95};

	for (size_t i = 0; i < OCLMM_COUNT(cases); i++) {
		const struct oclmm_record *records[3];
		struct made made[3];
		struct read_page page;
		const json_t *labels;

		for (int k = 0; k < 3; k++) {
			const uint64_t counts[] = {(uint64_t)k + 1, 1, 1, 1};

			made_init(&made[k], cases[i].names[k], OCLMM_STATUS_ALLOWED, counts);
			made[k].record.master_seed = (uint64_t)k + 1;
			made[k].record.started = days[k];
			made_grade(&made[k], NULL);
			records[k] = &made[k].record;
		}
		/* the third case: SB ran on the 20th and the 22nd, SB+c on the 21st */
		write_page(&page, records, 3, &options);
		assert_int_equal(page.counts.columns, cases[i].columns);
		labels = json_object_get(page.data, "columns");
		if (i < 2)
			assert_string_equal(json_string_value(at(labels, cases[i].columns - 1)),
			                    cases[i].last);
		if (i == 0) {
			/* 20th, 21st, 22nd */
			assert_int_equal(count_outcome(&page, "SB", 0, "0:r0=0; 1:r0=0;"), 2);
			assert_int_equal(count_outcome(&page, "SB", 2, "0:r0=0; 1:r0=0;"), 1);
		}
		drop_page(&page);
		for (int k = 0; k < 3; k++)
			made_finish(&made[k]);
	}
}

/* More runs than anybody compares are one column. */
TEST(test_many_runs_are_one)
{
	enum { RUNS = 100 };
	const struct oclmm_page_options options = {.demand.confidence = 0.95};
	const struct oclmm_record *records[RUNS];
	struct made *made = oclmm_calloc(RUNS, sizeof(*made));
	struct read_page page;

	for (int i = 0; i < RUNS; i++) {
		made_init(&made[i], "SB", OCLMM_STATUS_ALLOWED, (const uint64_t[]){1, 1, 1, 1});
		made[i].record.master_seed = (uint64_t)i + 1;
		made_grade(&made[i], NULL);
		records[i] = &made[i].record;
	}
	write_page(&page, records, RUNS, &options);
	assert_int_equal(page.counts.columns, 1);
	assert_int_equal(count_outcome(&page, "SB", 0, "0:r0=0; 1:r0=0;"), RUNS);
	drop_page(&page);
	for (int i = 0; i < RUNS; i++)
		made_finish(&made[i]);
	free(made);
}
