// SPDX-License-Identifier: Apache-2.0
/* Merging is a union: associative, commutative, idempotent; conflicts and holes are refused. */

#include "../fixture/test.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../fixture/record.h"
#include "oclmm/report.h"

static int write_text(void *data, const char *bytes, size_t length)
{
	oclmm_text_add_bytes(data, bytes, length);
	return 0;
}

/* One run of a few tests, drawn from `key`. */
struct drawn {
	uint64_t key;
	uint32_t shard, shards;
	uint64_t seed;
	const char *device;
	const char *started; /* of its tests; NULL: the same always */
	unsigned tests;      /* set of test numbers */
	unsigned parts;      /* those that were run in two parts */
	bool interrupted;
};

/* More of the same test. */
static void write_part(struct oclmm_report *report, struct made *made)
{
	static const struct oclmm_grade_options options;

	made->record.first_launch += made->record.counts.launches;
	made->record.counts.launches = 3;
	made->record.counts.stimulus ^= 0xff;
	oclmm_grade_finish(&made->record.grade);
	made_grade(made, &options);
	oclmm_report_record(report, &made->record);
}

static void write_test(struct oclmm_report *report, struct oclmm_tally *tally,
                       const struct drawn *drawn, unsigned number)
{
	char name[16];
	const struct oclmm_grade_options options = {0};
	struct made made;

	snprintf(name, sizeof(name), "T%u", number);
	made_init(&made, name, OCLMM_STATUS_ALLOWED,
	          (const uint64_t[]){oclmm_random_below(drawn->key, 2 * number, 50), 20,
	                             oclmm_random_below(drawn->key, 2 * number + 1, 50), 0});
	made.record.identity.device = drawn->device;
	if (drawn->started)
		made.record.started = drawn->started;
	made.record.seed = oclmm_random_derive(drawn->seed, name);
	made.record.counts.stimulus = made.record.seed;
	made.record.counts.launches = 1;
	made_grade(&made, &options);
	oclmm_report_record(report, &made.record);
	oclmm_tally_add(tally, &made.record);
	if (drawn->parts & 1u << number)
		write_part(report, &made);
	made_finish(&made);
}

static struct oclmm_results *make(const struct drawn *drawn)
{
	struct oclmm_tally tally = {.interrupted = drawn->interrupted};
	struct oclmm_run_header header = {
		.tool = "oclmm 0",
		.identity.device = drawn->device,
		.identity.driver = "1",
		.seed = drawn->seed,
		.shard = drawn->shard,
		.shards = drawn->shards,
	};
	struct oclmm_results *results = NULL;
	struct oclmm_error error = {0};
	struct oclmm_report report;
	struct oclmm_text text = {0};

	for (unsigned set = drawn->tests; set; set &= set - 1)
		header.tests++;
	oclmm_report_begin(&report, &oclmm_report_json,
	                   (struct oclmm_sink){.write = write_text, .data = &text}, &header);
	for (unsigned number = 0; number < 32; number++) {
		if (drawn->tests & 1u << number)
			write_test(&report, &tally, drawn, number);
	}
	oclmm_report_end(&report, &tally, oclmm_tally_exit(&tally, false));
	assert_int_equal(oclmm_results_parse("made", oclmm_text_string(&text), text.length, false,
	                                     &error, &results),
	                 0);
	oclmm_text_finish(&text);
	return results;
}

/* The merged text, and the same read back. */
static char *merge(const struct oclmm_results *const *results, size_t count,
                   struct oclmm_results **ret_results)
{
	struct oclmm_error error = {0};
	struct oclmm_text text = {0};

	if (oclmm_results_merge(results, count, false, &error, &text) < 0)
		fail_msg("%s", error.message);
	if (ret_results && oclmm_results_parse("merged", oclmm_text_string(&text), text.length,
	                                       false, &error, ret_results) < 0)
		fail_msg("%u: %s", error.position.line, error.message);
	return oclmm_text_steal(&text);
}

/* Merges in a drawn order, in drawn groups, with drawn repetitions. */
static char *merge_somehow(struct oclmm_results *const *results, size_t count, uint64_t key)
{
	struct oclmm_results *accumulated = NULL;
	const struct oclmm_results *group[16];
	bool used[8] = {false};
	size_t left = count, draws = 0;
	char *text = NULL;

	while (left > 0) {
		size_t size = 0, wanted = 1 + oclmm_random_below(key, draws++, 3);
		struct oclmm_results *merged;

		if (accumulated)
			group[size++] = accumulated;
		while (size < wanted + 1 && left > 0) {
			size_t pick = oclmm_random_below(key, draws++, count);

			/* one that was taken may come again */
			left -= !used[pick];
			used[pick] = true;
			group[size++] = results[pick];
			if (size >= OCLMM_COUNT(group))
				break;
		}
		free(text);
		text = merge(group, size, &merged);
		oclmm_results_destroy(accumulated);
		accumulated = merged;
	}
	oclmm_results_destroy(accumulated);
	return text;
}

TEST(test_any_order)
{
	enum { RUNS = 5, ROUNDS = 40 / SHARE }; /* of the build */

	for (uint64_t round = 0; round < ROUNDS; round++) {
		uint64_t key = oclmm_random_derive(round, "merge");
		struct oclmm_results *results[RUNS];
		char *wanted;

		for (size_t i = 0; i < RUNS; i++) {
			const struct drawn drawn = {
				.key = oclmm_random(key, i),
				.seed = 100 + i / 2,
				.device = i % 2 ? "A" : "B",
				.tests = (unsigned)oclmm_random_below(key, 100 + i, 256),
				.parts = (unsigned)oclmm_random_below(key, 300 + i, 256),
				.interrupted = oclmm_random_below(key, 200 + i, 8) == 0,
			};

			results[i] = make(&drawn);
		}
		wanted = merge((const struct oclmm_results *const *)results, RUNS, NULL);
		for (uint64_t way = 0; way < 8; way++) {
			char *got = merge_somehow(results, RUNS, oclmm_random(key, 1000 + way));

			assert_string_equal(got, wanted);
			free(got);
		}
		free(wanted);
		for (size_t i = 0; i < RUNS; i++)
			oclmm_results_destroy(results[i]);
	}
}

/* A test that was run in parts has several lines, and counts once. */
TEST(test_parts)
{
	const struct drawn drawn = {.key = 5, .seed = 1, .device = "A", .tests = 0x7, .parts = 0x5};
	struct oclmm_results *results = make(&drawn), *again;
	char *text = merge((const struct oclmm_results *[]){results, results}, 2, &again);
	uint64_t instances = 0;
	char wanted[64];

	assert_int_equal(results->saved_count, 5);
	assert_int_equal(again->saved_count, 5);
	for (size_t i = 0; i < again->saved_count; i++)
		instances += again->saved[i].record.counts.instances;
	assert_non_null(strstr(text, "\"tests\":3,\"records\":5,\"verdicts\":{\"pass\":3,"));
	snprintf(wanted, sizeof(wanted), "\"instances\":%llu,\"stimulus\"",
	         (unsigned long long)instances);
	assert_non_null(strstr(text, wanted));
	assert_non_null(strstr(text, "\"left_out\":0,"));
	free(text);
	oclmm_results_destroy(results);
	oclmm_results_destroy(again);
}

/* Two runs with one seed are told apart by their times, and the parts of each stay together. */
TEST(test_one_seed)
{
	const struct drawn a = {.key = 1,
	                        .seed = 1,
	                        .device = "A",
	                        .started = "2026-01-01T00:00:00Z",
	                        .tests = 0x3,
	                        .parts = 0x3};
	const struct drawn b = {.key = 2,
	                        .seed = 1,
	                        .device = "A",
	                        .started = "2026-01-01T00:10:00Z",
	                        .tests = 0x3,
	                        .parts = 0x3};
	struct oclmm_results *both[] = {make(&b), make(&a)}, *merged;
	char *text = merge((const struct oclmm_results *const *)both, 2, &merged);

	assert_int_equal(merged->saved_count, 8);
	for (size_t i = 0; i < 8; i += 2) {
		const struct oclmm_record *whole = &merged->saved[i].record;

		assert_string_equal(whole->program->name, i < 4 ? "T0" : "T1");
		assert_string_equal(whole->started, i % 4 ? b.started : a.started);
		assert_true(oclmm_record_continues(whole, &merged->saved[i + 1].record));
		assert_string_equal(merged->saved[i + 1].record.started, whole->started);
	}
	assert_non_null(strstr(text, "\"tests\":4,\"records\":8,"));
	free(text);
	oclmm_results_destroy(merged);
	oclmm_results_destroy(both[0]);
	oclmm_results_destroy(both[1]);
}

/* What is joined without a text is what a reader of the merged text has. */
TEST(test_join)
{
	enum { RUNS = 4, ROUNDS = 40 / SHARE };

	for (uint64_t round = 0; round < ROUNDS; round++) {
		uint64_t key = oclmm_random_derive(round, "join");
		struct oclmm_results *parts[RUNS], *joined, *merged;
		struct oclmm_error error = {0};

		for (size_t i = 0; i < RUNS; i++) {
			const struct drawn drawn = {
				.key = oclmm_random(key, i / 2),
				.seed = 100,
				.device = i / 2 ? "A" : "B",
				.tests = (unsigned)oclmm_random_below(key, 100 + i, 256),
				.parts = (unsigned)oclmm_random_below(key, 300 + i / 2, 256),
				.interrupted = oclmm_random_below(key, 200 + i, 8) == 0,
			};

			parts[i] = make(&drawn);
			parts[i]->unfinished = oclmm_random_below(key, 400 + i, 3);
		}
		free(merge((const struct oclmm_results *const *)parts, RUNS, &merged));
		if (oclmm_results_join(parts, RUNS, false, &error, &joined) < 0)
			fail_msg("%s", error.message);
		assert_int_equal(joined->saved_count, merged->saved_count);
		assert_int_equal(joined->run_count, merged->run_count);
		assert_int_equal(joined->unfinished, merged->unfinished);
		assert_int_equal(joined->interrupted, merged->interrupted);
		assert_int_equal(joined->complete, merged->complete);
		for (size_t i = 0; i < joined->saved_count; i++)
			assert_string_equal(joined->saved[i].text, merged->saved[i].text);
		for (size_t i = 0; i < joined->run_count; i++)
			assert_string_equal(joined->runs[i].text, merged->runs[i].text);
		oclmm_results_destroy(joined);
		oclmm_results_destroy(merged);
	}
}

/* Sums that no double holds are refused, of several files together as of one. */
TEST(test_join_sums)
{
	const struct drawn a = {.key = 1, .seed = 1, .device = "A", .tests = 0x1};
	const struct drawn b = {.key = 2, .seed = 2, .device = "A", .tests = 0x1};
	struct oclmm_results *both[] = {make(&a), make(&b)}, *joined;
	struct oclmm_error error = {0};

	both[0]->saved[0].record.counts.launches = UINT64_C(1) << 53;
	assert_int_equal(oclmm_results_join(both, 2, false, &error, &joined), -EOVERFLOW);
	assert_non_null(strstr(error.message, "launches"));
	oclmm_results_destroy(both[0]);
	oclmm_results_destroy(both[1]);
}

/* Nothing is lost and nothing invented. */
TEST(test_counts)
{
	const struct drawn a = {.key = 1, .seed = 1, .device = "A", .tests = 0x0f};
	const struct drawn b = {.key = 2, .seed = 2, .device = "A", .tests = 0x3c};
	struct oclmm_results *both[] = {make(&a), make(&b)}, *merged;
	char *text = merge((const struct oclmm_results *const *)both, 2, &merged);

	assert_int_equal(merged->saved_count, 8);
	assert_int_equal(merged->run_count, 2);
	assert_true(merged->complete);
	assert_non_null(strstr(text, "\"left_out\":0,"));
	free(text);
	oclmm_results_destroy(merged);
	oclmm_results_destroy(both[0]);
	oclmm_results_destroy(both[1]);
}

static int try_merge(const struct drawn *drawn, size_t count, bool partial, char *ret_message,
                     size_t size)
{
	struct oclmm_results *results[4];
	struct oclmm_error error = {0};
	struct oclmm_text text = {0};
	int r;

	for (size_t i = 0; i < count; i++)
		results[i] = make(&drawn[i]);
	r = oclmm_results_merge((const struct oclmm_results *const *)results, count, partial,
	                        &error, &text);
	if (r < 0)
		assert_int_equal(text.length, 0);
	snprintf(ret_message, size, "%s", error.message);
	oclmm_text_finish(&text);
	for (size_t i = 0; i < count; i++)
		oclmm_results_destroy(results[i]);
	return r;
}

TEST(test_conflict)
{
	const struct drawn drawn[] = {
		{.key = 1, .seed = 1, .device = "A", .tests = 0x3},
		{.key = 2,
	         .seed = 1,
	         .device = "A",
	         .tests = 0x6}, /* T1 again, with other counts */
	};
	char message[sizeof(((struct oclmm_error *)0)->message)];

	assert_int_equal(try_merge(drawn, 2, false, message, sizeof(message)), -EEXIST);
	assert_non_null(strstr(message, "T1"));
	/* a hole may be accepted, a contradiction never */
	assert_int_equal(try_merge(drawn, 2, true, message, sizeof(message)), -EEXIST);
}

TEST(test_shards)
{
	const struct drawn drawn[] = {
		{.key = 1, .seed = 1, .device = "A", .tests = 0x1, .shard = 1, .shards = 3},
		{.key = 1, .seed = 1, .device = "A", .tests = 0x2, .shard = 3, .shards = 3},
		{.key = 1, .seed = 1, .device = "A", .tests = 0x4, .shard = 2, .shards = 3},
		{.key = 1, .seed = 1, .device = "B", .tests = 0x4, .shard = 2, .shards = 3},
		{.key = 1, .seed = 2, .device = "A", .tests = 0x4, .shard = 2, .shards = 3},
	};
	char message[sizeof(((struct oclmm_error *)0)->message)];

	assert_int_equal(try_merge(drawn, 3, false, message, sizeof(message)), 0);
	assert_int_equal(try_merge(drawn, 2, false, message, sizeof(message)), -ENOENT);
	assert_string_equal(message, "shard 2 of 3 on A is missing");
	assert_int_equal(try_merge(drawn, 2, true, message, sizeof(message)), 0);
	/* another device's shard does not fill the hole */
	assert_int_equal(try_merge((const struct drawn[]){drawn[0], drawn[1], drawn[3]}, 3, false,
	                           message, sizeof(message)),
	                 -ENOENT);
	/* nor does one that is left of another day */
	assert_int_equal(try_merge((const struct drawn[]){drawn[0], drawn[1], drawn[4]}, 3, false,
	                           message, sizeof(message)),
	                 -ENOENT);
	assert_string_equal(message,
	                    "shard 2 of 3 on A is missing: the one there is has another seed");
}

/* A run that was cut short is refused; taken in part, its manifest says so. */
TEST(test_cut_short)
{
	const struct drawn drawn = {.key = 1, .seed = 1, .device = "A", .tests = 0x7};
	struct oclmm_results *whole = make(&drawn), *cut = NULL;
	const struct oclmm_results *all;
	struct oclmm_error error = {0};
	struct oclmm_text text = {0};
	char *end;

	oclmm_text_printf(&text, "%s\n%s\n", whole->runs[0].text, whole->saved[0].text);
	assert_int_equal(oclmm_results_parse("cut", text.data, text.length, false, &error, &cut),
	                 0);
	oclmm_text_finish(&text);
	all = cut;
	assert_int_equal(oclmm_results_merge(&all, 1, false, &error, &text), -ENOENT);
	assert_int_equal(oclmm_results_merge(&all, 1, true, &error, &text), 0);
	end = strstr(text.data, "\"type\":\"end\"");
	assert_non_null(strstr(end, "\"left_out\":2,"));
	assert_non_null(strstr(end, "\"interrupted\":true"));
	assert_non_null(strstr(end, "\"exit\":99"));
	oclmm_text_finish(&text);
	oclmm_results_destroy(cut);
	oclmm_results_destroy(whole);
}
